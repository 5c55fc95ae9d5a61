"""`graphmill masked`: nine fields for every sub-schema, what is proven, pseudonyms, a model."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graph_ir.canonical import shape
from graph_ir.cypher.reader import parse
from graphmill.files import data_folder
from graphmill.llm.stub import Stub
from pipelines.author.authors import RulesAuthor
from pipelines.cli.commands import main
from pipelines.configuration.progress import Watch
from pipelines.masked.corpus import About, place_for
from pipelines.publish.inspection import inspect
from pipelines.release.corpus import Corpus
from pipelines.release.lock import load_lock
from pipelines.web.explorer.catalogue import Catalogue
from pipelines.web.explorer.index import indexed
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
    assert not list((tmp_path / "a").rglob("pseudonyms.json"))
    private = tmp_path / "a-private"
    assert (private.stat().st_mode & 0o77, (private / "risks.json").is_file()) == (0, True)
    chosen = json.loads((private / "pseudonyms.json").read_text())["texts"]
    assert {name for name, *_ in (*LAKES, *RIVERS)} <= set(chosen)
    text = (tmp_path / "a" / "pairs.jsonl").read_text()
    assert not [name for name in chosen if name in text]
    for record in made(tmp_path / "a"):
        assert set(record["Masked_name"].values()) <= set(chosen.values())
    copy = tmp_path / "a" / "graphs" / waters.name
    assert graph_fingerprint(copy) == graph_fingerprint(copy, deep=True)


@pytest.fixture(scope="module")
def corpus(waters: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("masked") / "c"
    about = ["--domain", "geography/waters", "--licence", "CC-BY-4.0"]
    options = ["--graph", str(waters), "--hops", "1", "--repeat", "6", "--quiet", *about]
    assert main(["masked", *options, "--out", str(out)]) == 0
    return out


def test_masked_pairs_are_a_corpus(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    held = Corpus(corpus)
    records = {row["id"]: row for row in held.records()}
    pairs = made(corpus)
    assert [pair["graphmill"]["id"] for pair in pairs] != []
    assert {pair["graphmill"]["id"] for pair in pairs} == set(records)
    for pair in pairs:
        record = records[pair["graphmill"]["id"]]
        assert record["split"] == pair["graphmill"]["split"]
        assert (record["question"], record["queries"]["ngql"]) == (pair["Query"], pair["GQL"])
        assert (record["domain"], record["subdomain"]) == ("geography", "waters")
        assert record["difficulty"]
        assert record["provenance"]["maker"] == "masked"
    shapes = defaultdict(set)
    for record in records.values():
        shapes[shape(parse(record["queries"]["cypher"]))].add(record["split"])
    assert all(len(splits) == 1 for splits in shapes.values())
    assert len(set.union(*shapes.values())) > 1
    capsys.readouterr()
    assert main(["verify", str(corpus)]) == 0
    assert ", 0 problems" in capsys.readouterr().err
    assert main(["report", str(corpus)]) == 0
    page = (corpus / "report.html").read_text(encoding="utf-8")
    for words in ("No person rated it yet.", "Wrong queries were not tried.", "nGQL"):
        assert words in page
    assert main(["diff", str(corpus), str(corpus)]) == 0


def test_a_stopped_run_leaves_the_release_that_it_did_not_replace(
    corpus: Path, waters: Path, tmp_path: Path
) -> None:
    """Its lock was gone from the start."""
    copy = tmp_path / "copy"
    shutil.copytree(corpus, copy)
    lock = (copy / "corpus.lock").read_bytes()
    author, about = RulesAuthor(), About("geography", "waters", "CC-BY-4.0")

    def stopped() -> None:
        with place_for(waters, copy, about, author, Watch(quiet=True), 7, pseudonyms=False):
            assert not (copy / "corpus.lock").exists()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert (copy / "corpus.lock").read_bytes() == lock


def test_masked_pairs_that_are_not_their_records_are_found(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(corpus, copy)
    path = next(copy.glob("masked/train-*.parquet"))
    rows = pq.read_table(path).to_pylist()
    rows[0]["Query"], rows[1]["GQL"], rows[2]["id"] = "What else?", "MATCH (v) RETURN v", "0" * 16
    pq.write_table(pa.Table.from_pylist(rows), path)
    assert main(["verify", str(copy)]) == 1
    lines = capsys.readouterr().out
    for words in ("Query is not", "GQL is not", "has no such record", "file-changed"):
        assert words in lines
    (copy / "pairs.jsonl").write_text("")
    assert main(["diff", str(corpus), str(copy)]) == 2
    assert "pairs.jsonl: The file's hash is not that" in capsys.readouterr().err


def test_masked_pairs_are_exported_explored_and_may_be_published(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from datasets import load_dataset

    out = tmp_path / "out"
    assert main(["export", str(corpus), "--to", "huggingface", str(out)]) == 0
    loaded = load_dataset(str(out), "masked", cache_dir=str(tmp_path / "cache"))
    rows = {row["Qid"]: row for split in loaded.values() for row in split}
    canary = load_lock(out)["canary"]
    assert len(rows) == len(made(corpus))
    for pair in made(corpus):
        row = rows[pair["Qid"]]
        assert {name: row[name] for name in ("Query_masked", "GQL_masked", "Query", "GQL")} == {
            name: pair[name] for name in ("Query_masked", "GQL_masked", "Query", "GQL")
        }
        for name in ("SubSchema", "Masked_name", "Oral_name", "Answer"):
            assert json.loads(row[name]) == pair[name]
        assert row["canary"] == canary
        assert "(:River" in row["schema_text"]
    capsys.readouterr()
    assert main(["verify", str(out)]) == 0
    assert main(["diff", str(corpus), str(out)]) == 0
    found = indexed(out, tmp_path / "indexes", lambda text: None)
    with closing(Catalogue(found)) as catalogue:
        assert catalogue.total("maker") == {"masked": len(rows)}
    assert [each.code for each in inspect(out)] == ["no-licence"]  # of the graph, which states none


@pytest.mark.parametrize("place", ["inside", "around", "built"])
def test_masked_pairs_take_no_folder_of_something_else(
    waters: Path, corpus: Path, tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    graph = tmp_path / "shop" / "graph"
    shutil.copytree(waters, graph)
    out = {"inside": graph / "out", "around": graph.parent, "built": corpus}[place]
    before = sorted(path for path in out.parent.rglob("*"))
    assert main(["masked", "--graph", str(graph), "--out", str(out), "--quiet"]) == 1
    assert "another folder" in capsys.readouterr().err.replace("Give", "give")
    assert sorted(path for path in out.parent.rglob("*")) == before


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
