"""`graphmill masked`: nine fields for every sub-schema, what is proven, pseudonyms, a model."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from graph_ir.cypher.reader import parse
from graphmill.files import data_folder
from graphmill.llm.stub import Stub
from pipelines.cli.commands import main
from schemagraph.convert.service import convert
from schemagraph.folder.graphdata import graph_fingerprint
from schemagraph.folder.serde import load_schema
from schemagraph.views import SubSchema, sub_schemas
from tests.generators.queries.waters import LAKES, RIVERS, written

pytestmark = pytest.mark.slow

NINE = (
    *("Qid", "Query_masked", "GQL_masked", "Query", "GQL", "SubSchema", "Masked_name"),
    *("Oral_name", "Answer"),
)


@pytest.fixture(scope="module")
def waters(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("waters"))


def made(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "pairs.jsonl").read_text().splitlines()]


def test_the_example_has_the_size_of_the_bar(tmp_path: Path) -> None:
    convert(str(data_folder() / "masked" / "orchestras.json"), tmp_path / "g")
    schema = load_schema(tmp_path / "g")
    properties = [p for node in schema.nodes for p in node.properties]
    properties += [p for edge in schema.edges for p in edge.properties]
    sizes = len(schema.nodes), len(schema.edges), len(properties)
    assert sizes == (12, 13, 62)


# NS-1, NS-2: sub-schemas are all paths of the schema.
def test_every_sub_schema_of_the_example_has_an_instance(tmp_path: Path) -> None:
    source = data_folder() / "masked" / "orchestras.json"
    convert(str(source), tmp_path / "g")
    raw = json.loads(source.read_text(encoding="utf-8"))
    links: dict[tuple[str, bool], dict[str, list[tuple[int, str]]]] = defaultdict(dict)
    for number, link in enumerate(raw["links"]):
        for forward, (one, two) in ((True, ("source", "target")), (False, ("target", "source"))):
            found = links[link["type"], forward].setdefault(link[one], [])
            found.append((number, link[two]))

    def goes_on(path: SubSchema, node: str, used: tuple[int, ...] = ()) -> bool:
        if len(used) == len(path.hops):
            return True
        hop = path.hops[len(used)]
        return any(
            goes_on(path, other, (*used, number))
            for number, other in links[hop.edge.label, hop.forward].get(node, ())
            if number not in used
        )

    starts = {node["id"]: node["labels"][0] for node in raw["nodes"]}
    schema, bare = load_schema(tmp_path / "g"), []
    for hops in range(7):
        for path in sub_schemas(schema, hops):
            if not any(goes_on(path, one) for one, label in starts.items() if label == path.start):
                bare.append(str(path))
    assert bare == []


# NS-5: real names are filled in, and the filled query is run.
def test_every_sub_schema_and_property_has_a_proven_pair(
    waters: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--graph", str(waters), "--hops", "2", "--oral", "1", "--quiet"]
    assert main(["masked", *options, "--out", str(tmp_path / "a")]) == 0
    said = json.loads(capsys.readouterr().out)
    # River–Lake–River, but no Lake–River–Lake: each river flows into one lake
    assert [(row["sub_schemas"], row["covered"]) for row in said["hops"]] == [
        (2, 2),
        (1, 1),
        (2, 1),
    ]
    assert said["properties"] == {"in_schema": 7, "covered": 7, "missing": []}
    assert said["rejects"] == {"no-instance": 3}  # and two more tries
    names = {name for name, *_ in (*LAKES, *RIVERS)}
    for record in made(tmp_path / "a"):
        assert tuple(record)[:9] == NINE
        assert set(record["Masked_name"].values()) <= names
        for mask, name in record["Masked_name"].items():
            assert mask in record["Query_masked"]
            assert mask in record["GQL_masked"]
            assert name in record["GQL"]
        ours = record["graphmill"]
        parse(ours["queries"]["cypher"])
        assert {text.split()[0] for text in ours["certificates"]} == {"grafeo", "duckdb"}
        assert "not executed" in ours["ngql"]
        assert all(record["Answer"].values())
    assert main(["masked", *options, "--out", str(tmp_path / "b")]) == 0
    same = (tmp_path / "a" / "pairs.jsonl").read_bytes()
    assert (tmp_path / "b" / "pairs.jsonl").read_bytes() == same


def test_pseudonyms_are_the_same_everywhere(
    waters: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--graph", str(waters), "--hops", "1", "--pseudonyms", "--quiet"]
    assert main(["masked", *options, "--out", str(tmp_path / "a")]) == 0
    capsys.readouterr()
    chosen = json.loads((tmp_path / "a" / "pseudonyms.json").read_text())["texts"]
    assert {name for name, *_ in (*LAKES, *RIVERS)} <= set(chosen)
    text = (tmp_path / "a" / "pairs.jsonl").read_text()
    assert not [name for name in chosen if name in text]
    for record in made(tmp_path / "a"):
        assert set(record["Masked_name"].values()) <= set(chosen.values())
    copy = tmp_path / "a" / "graph"
    assert graph_fingerprint(copy) == graph_fingerprint(copy, deep=True)


# NS-3, NS-7: a model writes pairs and changes their style.
def test_a_model_writes_and_restyles(
    waters: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("openai", reason="needs the package openai (extra llm)")
    pair = {
        "question": "Which lakes does the river [r] flow into?",
        "cypher": "MATCH (r:River {name: '[r]'})-[:FLOWS_INTO]->(l:Lake) RETURN l.name AS lake",
    }
    wrong = {**pair, "question": "What about [r]?"}  # says nothing of what is asked

    def answer(messages: list[dict[str, str]]) -> str:
        if "another tone" in messages[0]["content"]:
            return json.dumps({"question": "So where does it end, then?"})  # loses the name
        return json.dumps({"pairs": [pair, wrong]})

    options = ["--graph", str(waters), "--hops", "1", "--restyle", "1", "--oral", "0", "--quiet"]
    options += ["--threshold", "0.3"]
    with Stub(answer) as server:
        model = ["--author", "llm", "--base-url", server.url, "--model", "stub", "--repeat", "2"]
        assert main(["masked", *options, *model, "--out", str(tmp_path / "a")]) == 0
        said = json.loads(capsys.readouterr().out)
        calls = len(server.calls)
        replayed = [*options, *model, "--replay", "--out", str(tmp_path / "a")]
        assert main(["masked", *replayed]) == 0
        assert len(server.calls) == calls
    (record,) = made(tmp_path / "a")
    assert record["Query"] == pair["question"].replace("[r]", record["Masked_name"]["[r]"])
    assert record["graphmill"]["author"] == "llm"
    assert said["rejects"]["duplicate"] == 1
    assert said["rejects"]["other-path"] > 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--hops", "9"], "--hops is a number from 0 to 6"),
        (["--oral", "2"], "--oral is a share"),
        (["--language", "zh"], "has no Chinese labels"),
        (["--similarity", "no/such/folder"], "is no BERT model"),
    ],
)
def test_wrong_options_are_one_sentence(
    options: list[str], said: str, waters: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ["--graph", str(waters), "--out", str(tmp_path / "a"), "--quiet"]
    assert main(["masked", *place, *options]) == 1
    assert said in capsys.readouterr().err


def test_nothing_is_written_for_what_is_no_graph(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["masked", "--graph", str(tmp_path / "waters"), "--out", str(out)]) == 1
    assert "There is no folder" in capsys.readouterr().err
    assert not out.exists()
