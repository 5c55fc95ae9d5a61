"""The Python API: each example of docs/api.md, what it returns, raises and loads."""

from __future__ import annotations

import ast
import re
import sqlite3
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

import graphmill as gm
import pipelines.api
from graphmill.shadowing import PACKAGES
from pipelines.configuration.template import write_template
from tests.test_readme import SHOP

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    database = sqlite3.connect(tmp_path / "shop.sqlite")
    database.executescript(SHOP)
    database.close()
    (tmp_path / "questions.jsonl").write_text(
        '{"question": "How many orders are there?", "sql": "SELECT count(*) FROM orders"}\n'
        '{"question": "Who lives in Turin?", '
        '"sql": "SELECT name FROM customers WHERE city = \'Turin\'"}\n'
    )
    write_template(tmp_path / "corpus.toml")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_examples_of_the_page_run(shop: Path) -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert len(blocks) > 8
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)
    frame, corpus, aml = names["frame"], names["corpus"], names["aml"]
    assert frame.shape == (4, 2)  # type: ignore[attr-defined]
    assert isinstance(corpus, gm.Corpus)
    assert corpus.name == "my-corpus"
    assert {row["split"] for row in corpus.records()} <= {"train", "validation", "test"}
    assert list(corpus.graphs) == ["shop"]
    assert sum(table.num_rows for table in aml.tables().values()) > 500  # type: ignore[attr-defined]
    with pytest.raises(gm.UnknownNameError, match="Did you mean 'test'"):
        corpus.records(split="tset")
    reopened = gm.Corpus(corpus.folder)
    assert list(reopened.records()) == list(corpus.records())
    assert all(row["reason"] for row in reopened.rejects())


def test_errors_are_typed(shop: Path) -> None:
    graph = gm.convert("shop.sqlite", "graph")
    with pytest.raises(gm.QueryTextError) as wrong:
        gm.translate("MATCH (o:Order", source="cypher", to="gql", graph=graph)
    assert wrong.value.line == 1
    with pytest.raises(gm.UnknownNameError, match="There are: "):
        gm.translate("RETURN 1", source="cyper", to="gql")
    with pytest.raises(gm.QueryError):
        gm.run("MATCH (o:Order) RETURN nothing", graph=graph)
    with pytest.raises(gm.ConfigError, match="give its folder"):
        gm.run("RETURN 1")
    with pytest.raises(gm.SchemaError):
        gm.Graph("nowhere")
    with pytest.raises(gm.ConfigError, match="nowhere"):
        gm.preview("nowhere.toml")
    with pytest.raises(gm.GraphmillError, match="no finished corpus"):
        gm.Corpus(shop)
    with pytest.raises(gm.SourceError):
        gm.convert("nowhere.sqlite", "graph")
    with pytest.raises(gm.ConfigError, match="domain"):
        gm.synth(None, "nowhere")


def test_a_graph_that_changes_is_read_again(shop: Path) -> None:
    query = "SELECT count(*) FROM orders"
    graph = gm.convert("shop.sqlite", "graph")
    assert "Order" in gm.translate(query, source="sql", to="cypher", graph=graph).text
    database = sqlite3.connect("shop.sqlite")
    database.executescript("DROP TABLE orders")
    database.close()
    gm.convert("shop.sqlite", "graph")
    with pytest.raises(gm.QueryTextError, match="orders"):
        gm.translate(query, source="sql", to="cypher", graph=graph)


def test_progress_comes_line_by_line(shop: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    gm.build("corpus.toml", "out", limit=1, progress=lines.append)
    assert "Converting shop" in lines
    assert any(re.fullmatch(r"shop: pairs: \d+/\d+", line) for line in lines)
    assert capfd.readouterr() == ("", "")


def test_hostile_names_stay_text_in_the_picture(tmp_path: Path) -> None:
    database = sqlite3.connect(tmp_path / "x.sqlite")
    name = "<script>alert(1)</script>"
    database.execute(f'CREATE TABLE "{name}" (id INTEGER PRIMARY KEY, "]]>&\x1b" TEXT)')
    database.execute(f'INSERT INTO "{name}" VALUES (1, NULL)')
    database.commit()
    database.close()
    graph = gm.convert(tmp_path / "x.sqlite", tmp_path / "x")
    tags = {
        element.tag.partition("}")[2]
        for element in ElementTree.fromstring(graph._repr_svg_()).iter()
    }
    assert "script" not in tags
    assert {"svg", "rect", "text", "title"} <= tags
    assert "<script" not in graph._repr_html_()


def test_one_list_of_names() -> None:
    stub = (ROOT / "graphmill" / "__init__.pyi").read_text(encoding="utf-8")
    typed = re.findall(r"^    (\w+) as \1,$", stub, re.MULTILINE)
    assert set(gm.__all__) - {"__version__"} == set(pipelines.api.__all__) == set(typed)
    for name in pipelines.api.__all__:
        assert getattr(gm, name) is getattr(pipelines.api, name)
    assert set(pipelines.api.__all__) <= set(dir(gm))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        gm.nothing  # type: ignore[attr-defined]  # noqa: B018 - asking is the test


def test_importing_loads_nothing_else() -> None:
    program = (
        "import sys\nbare = set(sys.modules)\nimport graphmill\n"
        "print(*sorted(m for m in set(sys.modules) - bare if not m.startswith('graphmill')))"
    )
    command = [sys.executable, "-c", program]
    loaded = subprocess.check_output(command, text=True, cwd=ROOT).split()
    assert not {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert not {"dataclasses", "inspect", "typing", "re", "pathlib"} & set(loaded)


def test_only_the_doors_look_up() -> None:
    """Strings with names of higher layers, which import-linter cannot see."""
    layers = tuple(f"{name}." for name in PACKAGES)
    doors = set()
    lower = [path for name in ("graphmill", "evaluation") for path in (ROOT / name).rglob("*.py")]
    for path in lower:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(
                ("import_module", "run_module", "__import__")
            ):
                text = ast.unparse(node.args[0]).strip("'\"")
                if text.startswith(layers):
                    doors.add(path.name)
    assert doors == {"__init__.py", "__main__.py", "inspect_task.py"}


def test_every_package_is_typed_and_watched() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert set(packages) == {"graphmill", *PACKAGES}
    assert all((ROOT / package / "py.typed").is_file() for package in packages)
