"""Whoever reads a corpus tells of what is damaged in it, in a sentence with its place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmill import files as files_module
from graphmill.errors import GraphmillError
from graphmill.files import read_records, write_text
from pipelines.cli.commands import main
from pipelines.configuration.lock import held
from pipelines.configuration.progress import Watch
from pipelines.difference.corpora import compare
from pipelines.evaluate import service
from pipelines.evaluate.database import Options
from pipelines.evaluate.run import Evaluated
from pipelines.publish.export import export
from pipelines.publish.training import Choice, export_training
from pipelines.release.corpus import Corpus
from pipelines.release.figures import figures
from pipelines.release.folder import split_file
from pipelines.release.held import digests, held_files
from pipelines.release.lock import load_lock, write_lock
from pipelines.release.nearest import write_nearest
from pipelines.release.pages import rewrite_pages
from pipelines.review.apply import apply
from pipelines.review.sample import drawn
from pipelines.verification.integrity import refuse_damaged
from tests.full_disk import full_after
from tests.pipelines.pages.corpora import record, write_corpus


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Nine records and no pages."""
    return write_corpus(tmp_path / "c", [record(number) for number in range(9)], pages=False)


def sealed(corpus: Path, **changes: Any) -> None:
    lock = json.loads((corpus / "corpus.lock").read_text())
    del lock["sha256"]
    files = digests(corpus, held_files(corpus, lock["graphs"]))
    write_lock(corpus, {**lock, "files": files, **changes})


def edited(corpus: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the first record of test."""
    path = split_file(corpus, "test")
    table = pq.read_table(path)
    rows = table.to_pylist()
    change(rows[0])
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    sealed(corpus)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda row: row.update(db=None), "db is no text"),
        (lambda row: row.update(question=None), "question is no text"),
        (lambda row: row.update(certificates=None), "certificates is no list"),
        (lambda row: row.update(constructs=[None]), "constructs"),
        (lambda row: row["discrimination"].update(detail="[]"), "detail is no object"),
        (lambda row: row["discrimination"].update(detail='{"mutants": 3}'), r"detail\.mutants"),
        (lambda row: row["answer"].update(sample="[["), "Expecting value"),
    ],
)
def test_a_row_that_is_no_record_is_told_by_all_who_read_rows(
    corpus: Path, tmp_path: Path, change: Callable[[dict[str, Any]], object], said: str
) -> None:
    edited(corpus, change)
    for read in (
        lambda: figures(corpus),
        lambda: drawn(Corpus(corpus).records(), 5, 7),
        lambda: compare(corpus, corpus),
        lambda: rewrite_pages(corpus),
    ):
        with pytest.raises(GraphmillError, match=rf"test-00000.*, row 1: .*{said}"):
            read()
    with pytest.raises(GraphmillError, match=said):
        export_training(corpus, tmp_path / "out", Choice("chat", "cypher"))


def _twice(table: Any) -> Any:
    return table.append_column("id", table["id"])


def _no_text(table: Any) -> Any:
    whole = pa.array([b"\xff\xfe"] * len(table), pa.binary())
    texts = pa.Array.from_buffers(pa.string(), len(whole), whole.buffers())
    return table.set_column(table.column_names.index("question"), "question", texts)


@pytest.mark.parametrize(
    ("change", "said"),
    [(_twice, "the column 'id' is there twice"), (_no_text, "a text in 'question' is not UTF-8")],
)
def test_a_file_whose_rows_cannot_be_told_is_refused_by_all_who_read_rows(
    corpus: Path, tmp_path: Path, change: Callable[[Any], Any], said: str
) -> None:
    path = split_file(corpus, "test")
    pq.write_table(change(pq.read_table(path)), path)
    sealed(corpus)
    before = digests(corpus, held_files(corpus, ["contract"]))
    for read in (
        lambda: figures(corpus),
        lambda: drawn(Corpus(corpus).records(), 5, 7),
        lambda: list(read_records(path)),
        lambda: compare(corpus, corpus),
        lambda: rewrite_pages(corpus),
        lambda: apply(corpus, [], [], 1),
        lambda: export(corpus, tmp_path / "hub"),
        lambda: export_training(corpus, tmp_path / "out", Choice("chat", "cypher")),
        lambda: write_nearest(corpus, {"train": path, "test": path}, "trigrams"),
    ):
        with pytest.raises(GraphmillError, match=rf"test-00000.*{said}"):
            read()
    assert digests(corpus, held_files(corpus, ["contract"])) == before


def test_questions_without_an_answer_that_are_no_records_are_not_exported(
    corpus: Path, tmp_path: Path
) -> None:
    """Without a column `db` the export ended with a traceback."""
    path = split_file(corpus, "test")
    other = corpus / "unanswerable" / path.name
    other.parent.mkdir()
    pq.write_table(pq.read_table(path).drop_columns(["db"]), other)
    sealed(corpus)
    with pytest.raises(GraphmillError, match=r"unanswerable/test-00000.*, row 1: .*has no db"):
        export(corpus, tmp_path / "hub")


def test_a_corpus_that_is_exported_twice_has_each_column_once(corpus: Path, tmp_path: Path) -> None:
    once = export(corpus, tmp_path / "once").folder
    twice = export(once, tmp_path / "twice").folder
    names = [pq.read_schema(split_file(each, "test")).names for each in (once, twice)]
    assert names[0] == names[1]


def test_a_record_of_a_graph_that_is_not_there_is_not_exported(
    corpus: Path, tmp_path: Path
) -> None:
    edited(corpus, lambda row: row.update(db="nowhere"))
    with pytest.raises(GraphmillError, match=r"the graph nowhere, which corpus\.lock does not"):
        export_training(corpus, tmp_path / "out", Choice("chat", "cypher"))


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("rejects.jsonl", '{"stage": "s", "code": "c"}\n[1]\n', "rejects.jsonl, line 2: no reject"),
        ("funnel.json", '{"stages": {"released": "x"}}', r"is damaged: stages\.released"),
        ("funnel.json", '{"grown": [1]}', r"is damaged: grown\.0"),
        ("unanswerable/train-00000-of-00001.parquet", "none", "is no file of a graphmill corpus"),
    ],
)
def test_a_file_beside_the_records_is_told(corpus: Path, name: str, text: str, said: str) -> None:
    (corpus / name).parent.mkdir(exist_ok=True)
    (corpus / name).write_text(text, encoding="utf-8")
    sealed(corpus)
    with pytest.raises(GraphmillError, match=said):
        rewrite_pages(corpus)


@pytest.mark.parametrize(
    ("part", "value", "said"),
    [
        ("config", None, "config is of another kind"),
        ("config", {"corpus": 3}, r"config\.corpus is of another kind"),
        ("config", {"source": [3]}, r"config\.source is of another kind"),
        ("libraries", [1], "libraries is of another kind"),
    ],
)
def test_a_lock_whose_parts_are_none_is_damaged(
    corpus: Path, part: str, value: object, said: str
) -> None:
    sealed(corpus, **{part: value})
    with pytest.raises(GraphmillError, match=said):
        load_lock(corpus)


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a row less": lambda corpus: pq.write_table(
        pq.read_table(split_file(corpus, "train")).slice(1), split_file(corpus, "train")
    ),
    "figures": lambda corpus: (corpus / "funnel.json").write_text("{}"),
    "no ledger": lambda corpus: (corpus / "rejects.jsonl").unlink(),
    "no small graph": lambda corpus: (corpus / SMALL).unlink(),
    "other rows": lambda corpus: (corpus / "data" / "more.parquet").write_bytes(b"PAR1"),
    "lock": lambda corpus: write_text(
        corpus / "corpus.lock", (corpus / "corpus.lock").read_text().replace("little", "Little")
    ),
}
READERS: dict[str, Callable[[Path, Path], object]] = {
    "export": lambda corpus, out: main(["export", str(corpus), str(out)]),
    "export --to": lambda corpus, out: main(["export", str(corpus), str(out), "--to", "chat"]),
    "report": lambda corpus, out: main(["report", str(corpus)]),
    "evaluate": lambda corpus, out: main(
        ["evaluate", str(corpus), "--predictions", str(corpus / "graphs/contract/schema.json")]
    ),
    "a system": lambda corpus, out: main(["evaluate", str(corpus), "--system", "nearest"]),
    "review": lambda corpus, out: main(["review", str(corpus), "--csv", str(out)]),
    "review --apply": lambda corpus, out: main(["review", str(corpus), "--apply"]),
    "serve": lambda corpus, out: main(["serve", str(corpus), "--index", str(out)]),
}
SMALL = "graphs/contract/instances/0123456789ab.json"


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_nothing_is_made_of_a_corpus_that_is_not_what_its_lock_says(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: str, reader: str
) -> None:
    """A half-rewritten one was exported with a new lock, of which nothing could be told."""
    write_text(corpus / SMALL, "{}\n")
    sealed(corpus)
    DAMAGES[damage](corpus)
    before = {path: path.read_bytes() for path in corpus.rglob("*") if path.is_file()}
    assert READERS[reader](corpus, tmp_path / "out") == 1
    assert "is not as it was released. " in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert {path: path.read_bytes() for path in corpus.rglob("*") if path.is_file()} == before


def test_a_page_or_a_note_that_somebody_wrote_keeps_nothing_from_being_made(
    corpus: Path, tmp_path: Path
) -> None:
    rewrite_pages(corpus)
    for name in ("README.md", "report.html", "figures/schema-1.svg", "NOTE.txt"):
        write_text(corpus / name, "mine")
    (corpus / "graphs" / "contract" / "lexicon.toml").write_text("version = 1")
    file = split_file(corpus, "train")
    file.rename(tmp_path / "blob")
    file.symlink_to(tmp_path / "blob")
    refuse_damaged(corpus, load_lock(corpus))
    (tmp_path / "blob").replace(file)
    export(corpus, tmp_path / "hub")
    rewrite_pages(corpus)
    assert (corpus / "README.md").read_text() != "mine"


@pytest.mark.parametrize("command", ["report", "review --apply"])
def test_files_of_a_corpus_are_not_written_while_a_build_is_at_work_there(
    corpus: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    (corpus / ".work").mkdir()
    name, *options = command.split()
    with held(corpus / ".work"):
        assert main([name, str(corpus), *options]) == 1
    assert f"{corpus} is being built by process" in capsys.readouterr().err
    assert main([name, str(corpus), *options]) == 0


@pytest.mark.parametrize("to", ["huggingface", "chat"])
def test_a_corpus_that_changes_while_it_is_exported_is_not_exported(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    written = files_module.write_bytes

    def writing(path: Path, content: bytes) -> None:
        (corpus / "rejects.jsonl").write_text("{}\n")
        written(path, content)

    monkeypatch.setattr(files_module, "write_bytes", writing)
    assert main(["export", str(corpus), "--to", to, str(tmp_path / "out")]) == 1
    assert not (tmp_path / "out").exists()


def test_a_run_has_all_of_its_files_or_none(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk the report was missing beside the scores."""
    monkeypatch.setattr(service, "evaluate", lambda *_, **__: Evaluated({}, []))
    monkeypatch.setattr(service, "markdown", str)
    monkeypatch.setattr(service, "page", lambda _: "long" * 100)
    order = (corpus, iter(()), Options(), Watch(quiet=True))
    with full_after(100), pytest.raises(GraphmillError, match=r"report\.html: File too large"):
        service.evaluate_predictions(*order, out=tmp_path / "new" / "run")
    assert not (tmp_path / "new").exists()
    service.evaluate_predictions(*order, out=tmp_path / "run")
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert names == {"report.html", "scores.json", "tables.md", "trace.jsonl"}
