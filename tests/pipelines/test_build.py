"""The main job end to end: a loadable, proven corpus; resume; a ledger; verification."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph_ir.cypher.pair import Pair
from graphmill.errors import GraphmillError
from graphmill.files import file_digest, read_records, write_records
from graphmill.record import Record
from pipelines import run
from pipelines.build.plan import PLAN, PLANS, UNIT, BuildContext, Outcome
from pipelines.claim import SUMMARY
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.release.lock import load_lock
from pipelines.verification.verify import verify

pytestmark = pytest.mark.slow

QUIET = Watch(quiet=True)


def _digests(folder: Path) -> dict[str, str]:
    # What a run took is another each time.
    files = (p for p in sorted(folder.rglob("*")) if p.is_file() and p.name != SUMMARY)
    return {path.relative_to(folder).as_posix(): file_digest(path) for path in files}


def _records(corpus: Path) -> list[Record]:
    files = sorted((corpus / "data").glob("*.parquet"))
    return [record for path in files for _, record in read_records(path)]


def test_a_corpus_is_proven_and_loads(ferries: Path, tmp_path: Path) -> None:
    from datasets import load_dataset

    out = tmp_path / "corpus"
    funnel = run.build(load(ferries), out, QUIET)
    records = _records(out)
    assert funnel.stages["candidates"] == 10
    assert {record.questions.original for record in records} >= {
        "How many ports are there?",
        "Which ships were built after 2000?",
        "Which ships call at Kiel?",
        "Which ports does no ship have as its home?",
    }
    for record in records:
        assert {c.engine for c in record.certificates} == {"sqlite", "grafeo", "duckdb"}
        assert {c.dialect.split("-")[0] for c in record.certificates} >= {"cypher", "gql", "sql"}
        assert all(c.agrees for c in record.certificates)
        assert record.difficulty
        assert record.questions.syntactic
    loaded = load_dataset(str(out), cache_dir=str(tmp_path / "cache"))
    assert sum(split.num_rows for split in loaded.values()) == len(records)


def test_a_graph_is_a_source_too(lakes: Path, tmp_path: Path) -> None:
    out = tmp_path / "corpus"
    run.build(load(lakes), out, QUIET)
    records = {record.questions.original: record for record in _records(out)}
    assert set(records) == {"Which rivers flow into Vättern?", "Which lakes are reservoirs?"}
    answer = records["Which lakes are reservoirs?"].answer
    assert answer is not None
    assert answer.sample == (("Mjøsa", 453),)
    rejects = [json.loads(line) for line in (out / "rejects.jsonl").read_text().splitlines()]
    assert {reject["line"]: reject["stage"] for reject in rejects} == {
        3: "check",
        4: "translate",
    }
    assert not verify(out, QUIET, instances=1).problems


def test_the_ledger_says_why(ferries: Path, tmp_path: Path) -> None:
    out = tmp_path / "corpus"
    run.build(load(ferries), out, QUIET)
    rejects = [json.loads(line) for line in (out / "rejects.jsonl").read_text().splitlines()]
    reasons = {(reject["line"], reject["stage"], reject["code"]) for reject in rejects}
    assert (4, "propose", "broken-line") in reasons
    assert (8, "check", "empty-answer") in reasons
    assert (9, "translate") in {(line, stage) for line, stage, _ in reasons}
    assert (10, "select", "duplicate-query") in reasons


def test_the_same_sources_are_the_same_bytes(ferries: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run.build(load(ferries), tmp_path / name, QUIET)
    assert _digests(tmp_path / "a") == _digests(tmp_path / "b")


def test_a_stopped_build_goes_on(
    ferries: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    run.build(load(ferries), whole, QUIET)
    calls: list[list[str]] = []

    def counted(records: Sequence[Pair], build: BuildContext) -> list[Outcome]:
        calls.append([pair.record.source_sql for pair in records])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return PLAN[1].run(records, build)

    assert PLAN[1].name == "prove"
    interrupted = (PLAN[0], replace(PLAN[1], run=counted), *PLAN[2:])
    monkeypatch.setitem(PLANS, "given", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run.build(load(ferries), stopped, QUIET)
    run.build(load(ferries), stopped, QUIET)
    first, stopped_one, again = calls  # only the unit that was stopped ran twice
    assert 0 < len(first) <= UNIT
    assert stopped_one == again
    assert _digests(whole) == _digests(stopped)


def test_limit_takes_the_first_candidates(ferries: Path, tmp_path: Path) -> None:
    funnel = run.build(load(ferries), tmp_path / "corpus", QUIET, limit=2)
    assert funnel.stages["candidates"] == 2


def test_a_foreign_folder_is_left_alone(ferries: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").touch()
    with pytest.raises(GraphmillError, match="not empty and no corpus"):
        run.build(load(ferries), tmp_path / "mine", QUIET)


def test_verify_passes_and_finds_what_was_tampered_with(ferries: Path, tmp_path: Path) -> None:
    good = tmp_path / "good"
    run.build(load(ferries), good, QUIET)
    found = verify(good, QUIET, instances=0)
    assert not found.problems
    lexicons = {f"graphs/{path.name}/lexicon.toml" for path in (good / "graphs").iterdir()}
    named = set(load_lock(good)["files"])
    there = {name for name in _digests(good) if not name.startswith(".work/")}
    assert named == there - lexicons - {"corpus.lock"}
    assert found.runs == sum(len(record.certificates) for record in _records(good))
    assert not [why for _, why in found.left_out if "small graphs" not in why]
    fewer = verify(good, QUIET, without=("sqlite",), instances=0)
    assert fewer.left_out["sqlite", "by --without"] >= found.runs - fewer.runs > 0
    half, again, other = (verify(good, QUIET, instances=0, sample=0.5, seed=n) for n in (1, 1, 2))
    assert half == again != other
    assert not half.problems
    assert 0 < half.runs < found.runs
    assert f"of {len(_records(good))} records were drawn." in str(half)
    assert 0 < verify(good, QUIET, instances=0, sample=0).runs < half.runs
    older = verify(_of_the_first_format(good, tmp_path / "older"), QUIET, instances=0)
    assert not older.problems
    assert "corpus.lock is of format 1 without a hash of its own" in str(older)
    assert "hash" not in str(found)
    for name, change in {
        "a query": _other_query,
        "an answer": _other_answer,
    }.items():
        _tampered(good, tmp_path / name, change)
        codes = {problem.code for problem in verify(tmp_path / name, QUIET, instances=0).problems}
        assert "file-changed" in codes
        assert codes - {"file-changed"}, name
    for number, (code, edit) in enumerate(_EDITS):
        _tampered(good, tmp_path / f"edit{number}", edit)
        problems = verify(tmp_path / f"edit{number}", QUIET, instances=0).problems
        assert {problem.code for problem in problems} == {"file-changed", code}, edit
    _tampered(good, tmp_path / "server", _on_a_server)
    moved = verify(tmp_path / "server", QUIET, instances=0)
    assert "1 of mysql whose data are not in the corpus" in str(moved)
    assert {problem.code for problem in moved.problems} == {
        *("file-changed", "engine", "not-executed")  # its data come from SQLite
    }
    _tampered(good, tmp_path / "neo4j", _on_neo4j)
    nowhere = "bolt://127.0.0.1:9"
    gone = verify(tmp_path / "neo4j", QUIET, neo4j_url=nowhere, instances=0)
    assert gone.runs > 0
    (told,) = [problem for problem in gone.problems if problem.code == "engine-unavailable"]
    assert told.where == "neo4j"
    assert "`--without neo4j` leaves out what it ran" in told.detail
    assert "of neo4j which cannot be had here" in str(gone)
    fewer = verify(tmp_path / "neo4j", QUIET, ("neo4j",), nowhere, 0)
    assert "of neo4j by --without" in str(fewer)
    for place, runs_left in (("sources", True), ("graphs/ferries", False), ("graphs", False)):
        shutil.rmtree(tmp_path / "edit0" / place)  # whose answers are edited, too
        less = verify(tmp_path / "edit0", QUIET, instances=0)
        missing = {each.where for each in less.problems if each.code == "file-missing"}
        assert any(where.startswith(place) for where in missing)
        assert bool(less.runs) == runs_left
        assert "gold" in {each.code for each in less.problems}  # which needs no graph


def _tampered(good: Path, bad: Path, change: Callable[[Record], Record]) -> None:
    """A copy of a corpus with its first record changed."""
    shutil.copytree(good, bad)
    train = next((bad / "data").glob("train-*"))
    first, *others = [record for _, record in read_records(train)]
    write_records(train, [change(first), *others], ("cypher", "gql", "ngql"))


def _of_the_first_format(good: Path, older: Path) -> Path:
    """A copy of a corpus as it was written before there was a second format."""
    shutil.copytree(good, older)
    lock: dict[str, Any] = json.loads((older / "corpus.lock").read_text())
    for path in sorted((older / "data").glob("*.parquet")):
        write_records(
            path,
            [replace(record, format=1) for _, record in read_records(path)],
            ("cypher", "gql", "ngql"),
        )
        lock["files"][path.relative_to(older).as_posix()] = file_digest(path)
    del lock["format"], lock["sha256"]
    (older / "corpus.lock").write_text(json.dumps(lock))
    return older


def _other_query(record: Record) -> Record:
    text = record.queries["cypher"].replace("MATCH", "OPTIONAL MATCH", 1)
    return replace(record, queries={**record.queries, "cypher": text})


def _on_neo4j(record: Record) -> Record:
    cypher = {
        c: replace(c, engine="neo4j", dialect="cypher", text=record.queries["cypher"])
        for c in record.certificates
        if "cypher" in c.dialect
    }
    moved = [cypher.get(c, c) for c in record.certificates]
    return replace(record, certificates=tuple(moved))


def _on_a_server(record: Record) -> Record:
    moved = [
        replace(c, engine="mysql", dialect="mysql") if c.engine == "sqlite" else c
        for c in record.certificates
    ]
    return replace(record, certificates=tuple(moved))


def _answered(record: Record, **changes: Any) -> Record:
    assert record.answer is not None
    return replace(record, answer=replace(record.answer, **changes))


def _from_other_sql(record: Record) -> Record:
    """With source SQL of another meaning, which has the answer of today's data."""
    text = f"SELECT * FROM ({record.source_sql.rstrip('; ')}) AS q WHERE 1 < 2"
    certificates = [
        replace(c, text=text) if c.engine == "sqlite" else c for c in record.certificates
    ]
    return replace(record, source_sql=text, certificates=tuple(certificates))


def _certified(record: Record, **changes: Any) -> Record:
    certificates = [replace(certificate, **changes) for certificate in record.certificates]
    return replace(record, certificates=tuple(certificates))


def _without(record: Record, dialect: str) -> Record:
    kept = tuple(each for each in record.certificates if each.dialect != dialect)
    assert len(kept) < len(record.certificates)
    return replace(record, certificates=kept)


def _again(record: Record, **changes: Any) -> Record:
    """With its last certificate once more, changed."""
    more = replace(record.certificates[-1], **changes)
    return replace(record, certificates=(*record.certificates, more))


def _discriminated(record: Record, instances: Any) -> Record:
    counts = {"score": 1.0, "told_apart": {"flipped": 1}, "mutants": {"flipped": 1}}
    told = {**record.discrimination, **counts, "instances": instances}
    return replace(record, discrimination=told)


# Fields of a record that its id is no hash of: the code of the problem, and the edit.
_EDITS: list[tuple[str, Callable[[Record], Record]]] = [
    ("gold", lambda record: _answered(record, hash="0" * 64)),
    ("sample", lambda record: _answered(record, sample=())),
    ("sample", lambda record: _answered(record, sample=(("wrong",),))),
    ("unanswerable", lambda record: replace(record, unanswerable={"reason": "a", "missing": "b"})),
    ("text", lambda record: _from_other_sql(record)),
    ("columns", lambda record: _answered(record, columns=("wrong",))),
    ("disagrees", lambda record: _certified(record, agrees=False)),
    ("disagrees", lambda record: _certified(record, agrees=None)),
    ("not-executed", lambda record: _without(record, "gql-grafeo")),
    ("not-executed", lambda record: _without(record, "sqlite")),
    (
        "difficulty",
        lambda record: replace(
            record, difficulty="easy" if record.difficulty == "hard" else "hard"
        ),
    ),
    ("constructs", lambda record: replace(record, constructs=("match", "magic"))),
    ("split", lambda record: replace(record, split="test")),
    ("certificate-twice", lambda record: _again(record)),
    ("engine", lambda record: _again(record, engine="neo4j")),
    ("engine", lambda record: _again(record, engine="oracle")),
    ("engine", lambda record: _again(record, dialect="klingon")),
    ("discrimination", lambda record: replace(record, discrimination={})),
    ("instance", lambda record: _discriminated(record, [])),
    ("instance", lambda record: _discriminated(record, ["shipped", "ffffffffffff"])),
    ("instance", lambda record: _discriminated(record, ["../schema"])),
    ("instance", lambda record: _discriminated(record, [""])),
]


def _other_answer(record: Record) -> Record:
    assert record.answer is not None
    return replace(record, answer=replace(record.answer, hash="0" * 64))


def test_verify_says_what_is_no_corpus(tmp_path: Path) -> None:
    (tmp_path / "drafts").mkdir()
    for name, why in (
        ("drafts", "drafts has no corpus.lock: it is empty"),
        ("draft", "There is no folder .*draft. Did you mean 'drafts'?"),
        ("", "has no corpus.lock: it holds drafts. .graphmill build CONFIG --out"),
    ):
        with pytest.raises(GraphmillError, match=f"is no finished corpus.*{why}"):
            verify(tmp_path / name, QUIET)
    (tmp_path / "corpus.lock").write_text("[]")
    with pytest.raises(GraphmillError, match=r"corpus.lock is damaged"):
        verify(tmp_path, QUIET)
    (tmp_path / "corpus.lock").write_text('{"files": {}}')
    with pytest.raises(GraphmillError, match=r"corpus.lock is damaged .*graphs"):
        verify(tmp_path, QUIET)
    for form, why in (("two", "is damaged .its format is 'two'"), (4, "has format 4, and this")):
        lock: dict[str, Any] = {"files": {}, "graphs": {}, "format": form}
        (tmp_path / "corpus.lock").write_text(json.dumps(lock))
        with pytest.raises(GraphmillError, match=why):
            verify(tmp_path, QUIET)
