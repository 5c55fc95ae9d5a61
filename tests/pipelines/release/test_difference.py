"""Two corpora compared: every kind of change is named, and nothing else is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmill.files import write_records
from graphmill.record import Answer, Provenance, Record, Reject
from pipelines.cli import main
from pipelines.publish.export import export
from pipelines.release.held import digests, held_files
from pipelines.release.lock import load_lock, write_lock
from tests.pipelines.pages.corpora import HOSTILE, LANGUAGES, record, write_corpus

pytestmark = pytest.mark.slow

NAME = "train-00000-of-00001.parquet"
REJECTS = [Reject("translate", "contains", "No.", "contract", "Q?", "SELECT 1")]


def lines(
    capsys: pytest.CaptureFixture[str], old: Path, new: Path, *options: str
) -> tuple[int, list[dict[str, Any]]]:
    capsys.readouterr()
    status = main(["diff", str(old), str(new), *options])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def corpora(
    folder: Path, old: Sequence[Record], new: Sequence[Record], rejects: Sequence[Reject] = REJECTS
) -> tuple[Path, Path]:
    before = write_corpus(folder / "old", old, REJECTS, pages=False)
    return before, write_corpus(folder / "new", new, rejects, pages=False)


FIVE = [record(number) for number in range(5)]


def test_a_corpus_and_its_copy_are_equal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = write_corpus(tmp_path / "old", FIVE, REJECTS, pages=False)
    shutil.copytree(old, tmp_path / "new")
    assert lines(capsys, old, tmp_path / "new") == (0, [])


def test_records_in_another_order_are_equal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lines(capsys, *corpora(tmp_path, FIVE, FIVE[::-1])) == (0, [])


def test_records_come_and_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, found = lines(capsys, *corpora(tmp_path, FIVE[:4], FIVE[1:]))
    assert status == 1
    assert [(x["change"], x["id"]) for x in found if x["what"] == "record"] == [
        ("added", FIVE[4].id),
        ("gone", FIVE[0].id),
    ]


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"split": "test"}, ["split"]),
        ({"difficulty": "hard"}, ["difficulty"]),
        ({"external_knowledge": "A year has months."}, ["external_knowledge"]),
        ({"answer": Answer(("name",), 1, "f" * 64, (("Bob",),))}, "answer"),
        ({"provenance": Provenance("pairs", "1", 7, source="contract:0")}, ["provenance.version"]),
        ({"certificates": ()}, ["certificates"]),
        ({"questions": replace(FIVE[0].questions, business="Who?")}, ["question_business"]),
        ({"queries": {**FIVE[0].queries, "gql": "RETURN 1"}}, ["queries.gql"]),
        ({"queries": {"cypher": "RETURN 1 AS x", "gql": "", "ngql": ""}}, "queries"),
        ({"constructs": ()}, ["constructs"]),
    ],
)
def test_a_change_names_its_fields(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    changes: dict[str, Any],
    fields: list[str] | str,
) -> None:
    after = [replace(FIVE[0], **changes), *FIVE[1:]]
    status, found = lines(capsys, *corpora(tmp_path, FIVE, after))
    assert status == 1
    (change,) = [line for line in found if line["what"] == "record"]
    assert change["change"] == "changed"
    assert ("old_id" in change) == (after[0].id != FIVE[0].id)
    if isinstance(fields, list):
        assert change["fields"] == fields
    else:
        assert change["fields"]
        assert {name.partition(".")[0] for name in change["fields"]} == {fields}


def test_two_records_of_one_query_are_not_taken_for_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    twice = [replace(FIVE[0], questions=replace(FIVE[0].questions, business=t)) for t in "ab"]
    grown = [replace(r, provenance=Provenance("evolution", "0", 7, source="x")) for r in twice]
    blank = [replace(r, questions=replace(r.questions, original="")) for r in grown]
    after = [replace(r, schema="s", questions=replace(r.questions, business="c")) for r in blank]
    _, found = lines(capsys, *corpora(tmp_path, blank, after[:1]))
    kinds = [line["change"] for line in found if line["what"] == "record"]
    assert sorted(kinds) == ["added", "gone", "gone"]


def test_rejects_are_compared_as_often_as_they_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, found = lines(capsys, *corpora(tmp_path, FIVE, FIVE, REJECTS * 3))
    assert status == 1
    assert found == [{"what": "rejects", "name": "translate: contains", "added": 2, "gone": 0}]


HOPELESS = [
    Record(
        "s",
        "contract",
        replace(FIVE[0].questions, business=asked),
        {},
        Provenance("unanswerable", "1", 7, parent=FIVE[0].id),
        split="train",
        unanswerable={"reason": "no-thing", "missing": asked},
    )
    for asked in ("Who flies?", "Who swims?")
]


def _with_questions(folder: Path, hopeless: Sequence[Record]) -> Path:
    """A corpus with these questions without an answer."""
    write_corpus(folder, FIVE, REJECTS, pages=False)
    if hopeless:
        write_records(folder / "unanswerable" / NAME, hopeless, LANGUAGES)
    return relocked(folder)


def relocked(folder: Path) -> Path:
    lock = load_lock(folder)
    write_lock(folder, {**lock, "files": digests(folder, held_files(folder, lock["graphs"]))})
    return folder


def test_questions_without_an_answer_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They were not: a corpus without its folder was equal."""
    old = _with_questions(tmp_path / "old", HOPELESS)
    assert lines(capsys, old, _with_questions(tmp_path / "same", HOPELESS[::-1])) == (0, [])
    status, found = lines(capsys, old, _with_questions(tmp_path / "none", ()))
    assert status == 1
    assert [(x["what"], x["change"], x["of"]) for x in found] == [
        ("unanswerable", "gone", "contract")
    ] * 2
    other = [HOPELESS[0], replace(HOPELESS[1], unanswerable={"reason": "a", "missing": "b"})]
    new = _with_questions(tmp_path / "other", other)
    page = tmp_path / "difference.html"
    _, found = lines(capsys, old, new, "--html", str(page))
    assert found == [
        {
            "what": "unanswerable",
            "change": "changed",
            "name": HOPELESS[1].id,
            "of": "contract",
            "fields": ["unanswerable"],
        }
    ]
    assert HOPELESS[1].id in page.read_text("utf-8")


def test_questions_without_ids_are_no_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = _with_questions(tmp_path / "old", HOPELESS)
    new = _with_questions(tmp_path / "new", HOPELESS)
    file = new / "unanswerable" / NAME
    pq.write_table(pq.read_table(file).drop_columns(["id"]), file)
    assert main(["diff", str(old), str(relocked(new))]) == 2
    assert "row 1: The row is no record (it has no id" in capsys.readouterr().err


def test_rows_of_masked_pairs_are_compared_but_for_what_an_export_adds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = corpora(tmp_path, FIVE, FIVE)
    for corpus, row in ((old, {"id": "a"}), (new, {"id": "a", "canary": "c"})):
        (corpus / "masked").mkdir()
        pq.write_table(pa.Table.from_pylist([row]), corpus / "masked" / NAME)
        relocked(corpus)
    assert lines(capsys, old, new) == (0, [])
    pq.write_table(pa.Table.from_pylist([{"id": "a", "Query": "x"}]), new / "masked" / NAME)
    _, found = lines(capsys, old, relocked(new))
    assert [(x["what"], x["change"], x["name"]) for x in found] == [("masked pair", "changed", "a")]


def test_graphs_schemas_sources_and_configuration_are_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = corpora(tmp_path, FIVE, FIVE)
    graph = new / "graphs" / "contract"
    schema = json.loads((graph / "schema.json").read_text())
    schema["nodes"] = [n for n in schema["nodes"] if n["labels"] != ["Log"]]
    (graph / "schema.json").write_text(json.dumps(schema))
    (graph / "instances").mkdir()
    (graph / "instances" / "a.json").write_text("{}")
    for side, text in ((old, "1"), (new, "2")):
        (side / "sources").mkdir()
        (side / "sources" / "contract.sqlite").write_text(text)
        lock = load_lock(side)
        lock["config"]["corpus"]["seed"] = text
        lock["libraries"]["grafeo"] = text
        write_lock(side, lock)
        relocked(side)
    status, found = lines(capsys, old, new)
    assert status == 1
    assert {(x["what"], x.get("change"), x.get("name")) for x in found} >= {
        ("schema", "gone", "Log"),
        ("small graph", "added", "a.json"),
        ("file", "changed", "sources/contract.sqlite"),
        ("configuration", "changed", "corpus.seed"),
        ("version", "changed", "libraries.grafeo"),
    }


def test_other_versions_alone_make_no_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = corpora(tmp_path, FIVE, FIVE)
    write_lock(new, {**load_lock(new), "code": "d"})
    status, found = lines(capsys, old, new)
    assert (status, [line["what"] for line in found]) == (0, ["version"])


def test_figures_that_moved_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, found = lines(capsys, *corpora(tmp_path, FIVE, FIVE[:4]))
    figures = {(x["group"], x["name"]): (x["old"], x["new"]) for x in found if "group" in x}
    assert figures["size", "records"] == (5, 4)
    assert figures["tier", "easy"] == (2, 1)


@pytest.mark.parametrize("damage", ["missing", "lock", "data", "graph", "rejects"])
def test_what_cannot_be_compared_has_its_own_status(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    old, new = corpora(tmp_path, FIVE, FIVE)
    if damage == "missing":
        new = tmp_path / "nowhere"
    elif damage == "lock":
        (new / "corpus.lock").write_text("{")
    elif damage == "data":
        next((new / "data").glob("*.parquet")).write_bytes(b"PAR1")
    elif damage == "graph":
        (new / "graphs" / "contract" / "schema.json").unlink()
    else:
        (new / "rejects.jsonl").write_text("{\n")
    assert main(["diff", str(old), str(new)]) == 2
    error = capsys.readouterr().err
    assert error.startswith("graphmill: ")
    assert "Traceback" not in error


NEAR = '{{"cosine":0.5,"form":"syntactic","id":"{}","nearest":"b","same_database":true}}\n'
CHANGED = {  # by the name of a file
    "data/train-00000-of-00001.parquet": lambda path: path.write_bytes(path.read_bytes() + b"x"),
    "data/extra-00000-of-00001.parquet": lambda path: path.write_bytes(b"PAR1"),
    "funnel.json": lambda path: path.write_text(""),
    "rejects.jsonl": lambda path: path.unlink(),
    "croissant.json": lambda path: path.write_text(path.read_text().replace("1.0.0", "1.0.1")),
    "licences.json": lambda path: path.write_text(path.read_text().replace("BY", "ND")),
    "nearest.jsonl": lambda path: path.write_text(path.read_text() + "\n"),
    "languages/gql/train-00000-of-00001.parquet": lambda path: path.unlink(),
    "languages/gql/test-00000-of-00001.parquet": lambda path: path.write_bytes(b""),
    "languages/xql/test-00000-of-00001.parquet": lambda path: path.write_bytes(b""),
    "graphs/contract/nodes/Person.parquet": lambda path: pq.write_table(
        _narrow(pq.read_table(path)), path
    ),
    "corpus.lock": lambda path: path.write_text(path.read_text().replace('"train"', '"Train"')),
}


def _narrow(table: Any) -> Any:
    column = table["age"].cast(pa.int32())
    return table.set_column(table.column_names.index("age"), "age", column)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A corpus with all files that a release has, and its export."""
    folder = tmp_path_factory.mktemp("exported")
    corpus = write_corpus(folder / "corpus", [record(number) for number in range(9)], REJECTS)
    (corpus / "nearest.jsonl").write_text(NEAR.format("a"))
    relocked(corpus)
    lock = load_lock(corpus)
    lock["config"]["corpus"]["splits"] = {"train": 1.0}
    write_lock(corpus, lock)
    return corpus, export(corpus, folder / "out").folder


@pytest.mark.parametrize("name", CHANGED)
def test_a_corpus_that_is_not_what_its_lock_says_is_not_compared(
    exported: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Many a damage was equal to none."""
    _, whole = exported
    damaged = tmp_path / "damaged"
    shutil.copytree(whole, damaged)
    (damaged / name).parent.mkdir(exist_ok=True)
    CHANGED[name](damaged / name)
    for pair in ((whole, damaged), (damaged, whole)):
        assert main(["diff", *map(str, pair)]) == 2
        said = capsys.readouterr().err
        assert f"{damaged} is not as it was released. " in said
        assert str(Path(name).parent if "xql" in name else name) in said


def test_a_corpus_equals_its_export_and_notes_beside_it_are_nothing(
    exported: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lines(capsys, *exported) == (0, [])
    shutil.copytree(exported[1], tmp_path / "noted")
    for name in ("notes.txt", "data/notes.txt", "graphs/contract/lexicon.toml"):
        (tmp_path / "noted" / name).write_text("version = 1")
    assert lines(capsys, exported[1], tmp_path / "noted") == (0, [])


@pytest.mark.parametrize(
    "name",
    [
        *("funnel.json", "licences.json", "croissant.json", "nearest.jsonl"),
        "languages/gql/test-00000-of-00001.parquet",
    ],
)
def test_all_files_of_a_release_are_compared(
    exported: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """A lock that was written anew does not tell of them."""
    new = tmp_path / "new"
    shutil.copytree(exported[1], new)
    file = new / name
    if file.suffix == ".parquet":
        table = pq.read_table(file)
        pq.write_table(table.set_column(0, "id", table["query"]), file)
    elif file.suffix == ".jsonl":
        file.write_text(NEAR.format("b"))
    else:
        file.write_text(json.dumps({**json.loads(file.read_text()), "more": 1}))
    status, found = lines(capsys, exported[1], relocked(new))
    assert status == 1
    assert [(x["what"], x["change"], x["name"]) for x in found] == [("file", "changed", name)]


def test_a_record_with_an_id_that_is_not_its_own_is_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was told as a record that went and one that came."""
    old, new = corpora(tmp_path, FIVE, FIVE)
    file = new / "data" / NAME
    table = pq.read_table(file)
    zeros = pa.array(["0" * 16, *table["id"].to_pylist()[1:]])
    pq.write_table(table.set_column(table.column_names.index("id"), "id", zeros), file)
    assert main(["diff", str(old), str(relocked(new))]) == 2
    assert f"{NAME}, row 1: The id 0000000000000000 is not the hash" in capsys.readouterr().err


def test_a_graph_whose_column_has_another_type_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The lock of such a corpus was written anew; it ended in a traceback of Arrow's."""
    old, new = corpora(tmp_path, FIVE, FIVE)
    file = new / "graphs" / "contract" / "nodes" / "Person.parquet"
    pq.write_table(_narrow(pq.read_table(file)), file)
    assert main(["diff", str(old), str(relocked(new))]) == 2
    assert "Person.parquet: age is int32; the schema says int64." in capsys.readouterr().err


def test_the_page_shows_changed_words_and_runs_nothing(tmp_path: Path) -> None:
    changed = replace(FIVE[0], questions=replace(FIVE[0].questions, business="Who is <b>new</b>?"))
    bad = [
        replace(FIVE[n], external_knowledge=text.replace("\ud800", ""))
        for n, text in zip((1, 2, 3, 4), HOSTILE, strict=False)
    ]
    old, new = corpora(tmp_path, FIVE, [changed, *bad])
    file = tmp_path / "page.html"
    assert main(["diff", str(old), str(new), "--html", str(file)]) == 1
    text = file.read_text(encoding="utf-8")
    assert "<ins>&lt;" in text
    assert "<script" not in text
    assert "<img" not in text
    assert (
        main(["diff", str(old), str(new), "--html", str(tmp_path / "none" / "x" / "p.html")]) == 1
    )
    (tmp_path / "file").write_text("")
    assert main(["diff", str(old), str(new), "--html", str(tmp_path / "file" / "p.html")]) == 2
