"""`example:published`: variables and patterns in paths, parameters in questions, FinBench."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchmarks.published_standins import write_finbench
from graph_ir.cypher.reader import parse
from graphmill.errors import ConfigError
from graphmill.files import example
from pipelines.api import build
from pipelines.configuration.config import load
from pipelines.configuration.expansion import expanded
from pipelines.configuration.parameters import Filled


def _config(folder: Path, source: str) -> Path:
    path = folder / "corpus.toml"
    path.write_text(f'[corpus]\nname = "x"\n[queries]\ngrow = false\n[[source]]\n{source}')
    return path


def test_a_pattern_stands_for_a_source_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("loans", "games"):
        (tmp_path / "all" / name).mkdir(parents=True)
        (tmp_path / "all" / name / f"{name}.sqlite").touch()
    monkeypatch.setenv("DATABASES", str(tmp_path / "all"))
    source = 'kind = "relational"\nurl = "${DATABASES}/*/*.sqlite"\ndomain = "d"\nsubdomain = "*"\n'
    config = load(_config(tmp_path, source))
    assert [config.database(each) for each in config.source] == ["games", "loans"]
    assert [each.subdomain for each in config.source] == ["games", "loans"]
    with pytest.raises(ConfigError, match=r"source\.1\.url: no file matches .*all/x\*\.sqlite"):
        load(_config(tmp_path, source.replace("*/*", "x*")))


def test_all_variables_that_are_not_set_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FINBENCH", "NEO4J", "TEXT2CYPHER", "BIRD"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigError) as caught:
        load(example("published"))
    assert [each.split(" the ")[0] for each in caught.value.violations] == [
        "source.1.path:",
        "source.2.path:",
        "source.2.pairs:",
        "source.3.url:",
        "source.3.pairs:",
    ]


def test_a_value_is_not_read_again_and_an_empty_one_is_none() -> None:
    raw: dict[str, Any] = {"source": [{"path": "${A}/x"}]}
    assert expanded(raw, Path(), {"A": "/d${B}"})[0] == {"source": [{"path": "/d${B}/x"}]}
    problems = expanded(raw, Path(), {"A": ""})[2]
    assert problems == [
        (("source", "1", "path"), "the variable A is empty (export it, or take the source out)")
    ]


def test_a_link_is_called_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "8f3ac0de").touch()
    (tmp_path / "financial.sqlite").symlink_to(tmp_path / "8f3ac0de")
    source = 'kind = "relational"\nurl = "financial.sqlite"\ndomain = "d"\nsubdomain = "s"\n'
    config = load(_config(tmp_path, source))
    assert config.database(config.source[0]) == "financial"


def test_secrets_of_servers_stay_in_the_environment() -> None:
    raw = {"source": [{"url": "postgresql://u:${SECRET}@h/d", "pairs": "${HERE}/p.jsonl"}]}
    made, numbers, problems = expanded(raw, Path(), {"SECRET": "s3cret", "HERE": "here"})
    assert numbers == [1]
    assert not problems
    assert made["source"] == [{"url": "postgresql://u:${SECRET}@h/d", "pairs": "here/p.jsonl"}]


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "shop[1].sqlite").touch()
    raw: dict[str, Any] = {"source": [{"url": "shop[1].sqlite"}]}
    assert expanded(raw, tmp_path, {}) == (raw, [1], [])


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Who paid account $id more than $least?", "Who paid account 7 more than 0.5?"),
        ("Between $from and $to", "Between 2024-05-01 10:30:00 and 2024-06-01"),
        ("One of $names for $5 by $identity", "One of a, b for $5 by $identity"),
        ("Blocked: $flag", "Blocked: true"),
        ("In $place, like $map", 'In New York, like {"a":null}'),
    ],
)  # fmt: skip
def test_a_question_gets_the_values_of_the_parameters_that_it_names(
    question: str, asked: str
) -> None:
    values = {
        "id": 7,
        "least": 0.5,
        "from": "2024-05-01T10:30:00",
        "to": "2024-06-01",
        "names": ["a", "b"],
        "flag": True,
        "place": "New\nYork",
        "map": {"a": None},
    }
    assert Filled(parse("RETURN 1 AS x"), values).asked(question) == asked


def test_reads_of_finbench_are_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_finbench(tmp_path / "snapshot", 400, Random(3))
    monkeypatch.setenv("FINBENCH", str(tmp_path))
    pairs = example("published").parent / "finbench.jsonl"
    source = 'kind = "graph"\npath = "${FINBENCH}"\nname = "finbench"\ndomain = "d"\n'
    config = _config(tmp_path, f'{source}subdomain = "s"\npairs = "{pairs}"\n')
    build(config, tmp_path / "out")
    files = sorted((tmp_path / "out" / "data").glob("*.parquet"))
    questions = [text for file in files for text in pq.read_table(file)["question"].to_pylist()]
    assert len(questions) >= 20
    assert not [question for question in questions if "$" in question]
