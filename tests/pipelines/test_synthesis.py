"""`graphmill synth`: a whole graph in its place, or nothing and a reason."""

import json
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any
from unittest.mock import Mock

import pytest
from pyarrow.parquet import read_schema, read_table

from generators.synthesis.spec import load_specification
from generators.synthesis.writer import write_program
from graphmill.errors import LexiconError
from pipelines.cli.commands import main
from pipelines.synth import domains, synthesis
from pipelines.synth.synthesis import SynthesisError, synthesise
from qa.synthesis import verify
from qa.synthesis.report import Measure
from schemagraph.folder.check import check_graph
from schemagraph.folder.graphdata import edge_file, graph_fingerprint, node_file
from schemagraph.folder.manifest import load_manifest
from schemagraph.folder.serde import load_schema
from schemagraph.model import SchemaGraph
from schemagraph.specification.model import Edges, Specification

pytestmark = pytest.mark.slow

PARCELS = Path(__file__).parents[1] / "generators" / "synthesis" / "parcels"


def test_a_schema_of_the_users_becomes_a_graph(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "g"
    size = ["--nodes", "1000", "--edges", "4000", "--seed", "3", "--csv"]
    assert main(["synth", "--schema", str(PARCELS), "--out", str(out), *size]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["nodes"], said["edges"]) == (1000, 4000)
    assert check_graph(out) == []
    origin = load_manifest(out).origin
    assert origin["kind"] == "synthetic"
    assert {"rlimits", "landlock", "seccomp"} <= set(origin["layers"])
    header = (out / "nodes" / "Depot.csv").read_text().splitlines()[0]
    assert header.startswith('"depot_no","depot_name"')
    report = json.loads((out / "verification.json").read_text())
    assert report["ok"]
    # The folder is a schema folder itself: drawn again, it is the same graph.
    again = tmp_path / "again"
    assert main(["synth", "--schema", str(out), "--out", str(again), "--seed", "3"]) == 0
    assert graph_fingerprint(again, deep=True) == graph_fingerprint(out)
    for file in sorted(out.rglob("*.parquet")):
        assert (again / file.relative_to(out)).read_bytes() == file.read_bytes()


def test_tables_begin_with_the_key_wherever_the_schema_has_it(tmp_path: Path) -> None:
    given = load_schema(PARCELS)
    late = replace(
        given, nodes=tuple(replace(n, properties=n.properties[::-1]) for n in given.nodes)
    )
    synthesise(late, load_specification(PARCELS), tmp_path, nodes=600, edges=None, seed=1)
    made = load_schema(tmp_path)
    assert {p.name for p in made.nodes[0].properties} == {p.name for p in given.nodes[0].properties}
    for node in made.nodes:
        columns = read_schema(node_file(tmp_path, node)).names
        assert tuple(columns[: len(node.key)]) == node.key
        assert columns == [p.name for p in node.properties]
    assert check_graph(tmp_path) == []


def test_a_domain_becomes_a_graph_with_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["synth", "--list"]) == 0
    names = capsys.readouterr().out.split()
    assert "finance/anti-money-laundering" in names
    out = tmp_path / "aml"
    command = ["synth", "finance/anti-money-laundering", "--level", "1", "--nodes", "500"]
    assert main([*command, "--out", str(out)]) == 0
    assert check_graph(out) == []
    assert load_manifest(out).origin["subdomain"] == "anti-money-laundering"
    assert (out / "lexicon.toml").is_file()


def test_a_stopped_run_leaves_a_whole_graph_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The graph had its name before it had its words, and never got them."""
    out = tmp_path / "g"
    monkeypatch.setattr(domains, "derived_for", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        domains.order_for_domain("finance/anti-money-laundering", out, nodes=50, level=1).make()
    assert not list(tmp_path.iterdir())


def test_a_wrong_lexicon_of_the_users_is_refused_before_the_graph_is_drawn(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    copytree(PARCELS, folder)
    (folder / "lexicon.toml").write_text("[things.Nobody]\n", encoding="utf-8")
    with pytest.raises(LexiconError, match=str(folder / "lexicon.toml")):
        domains.order_for_folder(folder, tmp_path / "g")


def test_a_schema_and_a_domain_of_the_users_may_be_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine"
    copytree(PARCELS, folder)
    file = folder / "schema.json"
    size = ["--nodes", "300", "--seed", "3"]
    assert main(["synth", "--schema", str(file), "--out", str(tmp_path / "a"), *size]) == 0
    assert check_graph(tmp_path / "a") == []
    (folder / "distributions.json").unlink()
    capsys.readouterr()
    assert main(["synth", "--schema", str(file), "--out", str(tmp_path / "b"), *size]) == 1
    assert "says how many nodes and edges" in capsys.readouterr().err
    domain = tmp_path / "zoos" / "keeping.toml"
    domain.parent.mkdir()
    domain.write_text(ZOO, encoding="utf-8")
    for number, named in enumerate((["zoos/keeping"], ["keeping"], [])):
        out = tmp_path / f"zoo{number}"
        where = ["--taxonomy", str(domain), "--out", str(out), "--level", "1", *size]
        assert main(["synth", *named, *where]) == 0
        assert load_manifest(out).origin["domain"] == "zoos"


ZOO = """
title = "Zoos"
purpose = "Keeps animals and looks after them."
questions = ["Which keeper looks after most animals?"]
core = ["animal"]

[animal]
name = "faker first_name; need"
kind = "lion | bear | seal"

[keeper]
name = "faker name; need"

[enclosure]
label = "code EN-###; key"

[relations]
"animal LIVES_IN enclosure" = "lives in / houses; n:1"
"animal KEPT_BY keeper" = "is kept by / keeps; n:m"
"""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "g"], "Give a domain"),
        (["finance/anti-money-laundring", "--out", "g"], "anti-money-laundering"),
        (["opera houses", "--out", "g"], "--schema FILE"),
        (["finance/retail-banking", "--out", "g", "--nodes", "2000", "--edges", "99"], "has from"),
        (["finance/anti-money-laundering"], "--out FOLDER"),
        (["--schema", "nowhere", "--out", "g"], "nowhere is no graph"),
        (["--schema", str(PARCELS), "--out", "g", "--nodes", "5"], "at least 15 nodes, not 5"),
        (["--schema", str(PARCELS), "--out", "g", "--nodes", "0"], "--nodes must be at least 1"),
        (["finance/anti-money-laundering", "--out", "g", "--level", "9"], "There is no level 9"),
    ],
)
def test_what_cannot_be_made_is_said_in_a_sentence(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["synth", *arguments]) == 1
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_specification_is_refused_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine"
    copytree(PARCELS, folder)
    path = folder / "distributions.json"
    text = path.read_text().replace('"provider": "first_name"', '"provider": "frist_name"')
    path.write_text(text.replace('"column": "weight_kg"', '"column": "weigth_kg"'))
    assert main(["synth", "--schema", str(folder), "--out", str(tmp_path / "g")]) == 1
    said = capsys.readouterr().err
    assert "[unknown-provider]" in said
    assert "'first_name'" in said
    assert "[unknown-column]" in said


class Scripted:
    """An author with programs at hand; keeps what it was told about each."""

    name = "scripted"

    def __init__(self, *programs: str) -> None:
        self.scripts = programs
        self.told: list[str] = []

    def origin(self) -> dict[str, str]:
        return {}

    def programs(self, schema: SchemaGraph, given: Specification) -> Generator[str, str, None]:
        """The scripts, `right` replaced by a program that is right."""
        for script in self.scripts:
            text = write_program(schema, given)
            self.told.append((yield text if script == "right" else text + script))


FLAT = """
    import polars as pl
    for path in Path("out").rglob("Customer__SENT__Parcel.parquet"):
        table = pl.read_parquet(path)
        table.with_columns(pl.lit("C-0000001").alias("source.customer_id")).write_parquet(path)
"""
STRANGE = """
    (Path("out") / "extra.txt").write_text("x")
    (Path("out") / "nodes" / "Depot.parquet").unlink()
"""


def test_an_author_hears_what_is_wrong_until_it_is_right(tmp_path: Path) -> None:
    schema, given = load_schema(PARCELS), load_specification(PARCELS)
    author = Scripted(STRANGE, FLAT, "right")
    made = synthesise(schema, given, tmp_path / "g", nodes=600, edges=None, seed=1, author=author)
    assert [attempt.stage for attempt in made.attempts] == ["files", "measure", ""]
    assert "nodes/Depot.parquet is missing" in author.told[0]
    assert "extra.txt" in author.told[0]
    assert "edges.Customer-SENT-Parcel.source: share of edges at the tenth" in author.told[1]
    assert load_manifest(tmp_path / "g").origin["program"]["attempts"] == 3


# All parcels are sent by one customer where the seed is the one that was asked for.
UNLUCKY = """
    if sys.argv[2] == "1":
        import polars as pl
        for path in Path("out").rglob("Customer__SENT__Parcel.parquet"):
            table = pl.read_parquet(path)
            table.with_columns(pl.lit("C-0000001").alias("source.customer_id")).write_parquet(path)
"""


def test_a_program_that_missed_a_measure_draws_again_by_another_seed(tmp_path: Path) -> None:
    schema, given = load_schema(PARCELS), load_specification(PARCELS)
    author = Scripted(UNLUCKY, UNLUCKY, "right")
    made = synthesise(schema, given, tmp_path / "g", nodes=600, edges=None, seed=1, author=author)
    assert [attempt.stage for attempt in made.attempts] == ["measure", ""]
    origin = load_manifest(tmp_path / "g").origin
    assert origin["seed"] == 1
    assert origin["program"]["seed"] != 1


def test_nothing_is_left_when_no_program_is_right(tmp_path: Path) -> None:
    schema, given = load_schema(PARCELS), load_specification(PARCELS)
    author = Scripted("    raise RuntimeError('no')\n")
    with pytest.raises(SynthesisError, match="after 1 attempts") as caught:
        synthesise(schema, given, tmp_path / "g", nodes=600, edges=None, seed=1, author=author)
    assert caught.value.attempts[0].outcome.exit == 1
    assert "RuntimeError: no" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


SYNTHETIC = """
[corpus]
name = "parcels"
seed = 5

[queries]
grow = false
[[source]]
kind = "synthetic"
domain = "logistics"
subdomain = "parcel-delivery"
path = "parcels"
nodes = 300
pairs = "pairs.jsonl"

[[source]]
kind = "synthetic"
domain = "logistics"
subdomain = "parcel-delivery"
name = "without-pairs"
path = "parcels"
nodes = 200
"""


def test_a_synthetic_source_is_drawn_once_and_its_pairs_are_proven(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copytree(PARCELS, tmp_path / "parcels")
    pairs = [
        {
            "question": "How many depots are there?",
            "cypher": "MATCH (d:Depot) RETURN count(d) AS n",
        },
        {
            "question": "Which couriers report to nobody?",
            "cypher": "MATCH (c:Courier) WHERE NOT EXISTS { (c)-[:REPORTS_TO]->(:Courier) } "
            "RETURN c.badge AS badge",
        },
    ]
    text = "".join(json.dumps(pair) + "\n" for pair in pairs)
    (tmp_path / "pairs.jsonl").write_text(text)
    (tmp_path / "corpus.toml").write_text(SYNTHETIC)
    out = tmp_path / "corpus"
    for _ in range(2):
        assert main(["build", str(tmp_path / "corpus.toml"), "--out", str(out)]) == 0
        said = capsys.readouterr()
        assert json.loads(said.out)["stages"]["released"] == 2
        assert "without-pairs has no pairs" in said.err
    assert "Synthesising" not in said.err  # the second time it is there
    assert load_manifest(out / "graphs" / "parcel-delivery").origin["seed"] == 5
    assert check_graph(out / "graphs" / "without-pairs") == []


def test_a_wrong_synthetic_source_is_refused_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SYNTHETIC.replace('path = "parcels"\nnodes = 300', 'path = "nowhere"\nlevel = 6')
    (tmp_path / "corpus.toml").write_text(text)
    assert main(["build", str(tmp_path / "corpus.toml"), "--out", str(tmp_path / "c")]) == 1
    assert "source.1.level" in capsys.readouterr().err
    (tmp_path / "corpus.toml").write_text(text.replace("level = 6", ""))
    assert main(["build", str(tmp_path / "corpus.toml"), "--out", str(tmp_path / "c")]) == 1
    assert "source.1.path: no such file" in capsys.readouterr().err
    assert not (tmp_path / "c").exists()


# A third of the couriers finds no depot that was opened before, whatever is asked for.
LEFT_OUT = """
    import polars as pl
    for path in Path("out").rglob("Courier__WORKS_AT__Depot.parquet"):
        table = pl.read_parquet(path)
        table.gather_every(3).vstack(table.gather_every(3, 1)).write_parquet(path)
"""


@pytest.mark.parametrize("refills", [3, 0])
def test_edges_that_find_no_ends_are_made_up_for_or_said(
    refills: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synthesis, "_REFILLS", refills)

    # as of types whose rules leave nodes without a partner
    def uncounted(place: str, part: Edges, ends: Any) -> Measure:
        return Measure(place, "rows", part.count, len(ends.table))

    monkeypatch.setattr(verify, "_count", uncounted)
    schema, given = load_schema(PARCELS), load_specification(PARCELS)
    author = Scripted(LEFT_OUT)
    made = synthesise(schema, given, tmp_path / "g", nodes=600, edges=2000, seed=1, author=author)
    drawn = sum(len(read_table(edge_file(tmp_path / "g", edge))) for edge in schema.edges)
    origin = load_manifest(tmp_path / "g").origin
    assert (made.to_json()["edges"], origin["edges"]) == (drawn, drawn)
    if refills:
        assert drawn == 2000
        assert "warnings" not in made.to_json()
    else:
        assert drawn < 2000
        assert f"{drawn:,} edges were drawn, and 2,000 asked for" in made.text()
        assert made.to_json()["warnings"] == made.warnings
