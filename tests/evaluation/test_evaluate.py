"""`graphmill evaluate` end to end: gold is right, wrong is wrong, hostile lines end nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

import graphmill as gm
from evaluation.execution import Kept
from graphmill.files import file_digest
from graphmill.record import Record
from pipelines.cli.commands import main
from pipelines.jobs.units import Desk, Done

pytestmark = pytest.mark.slow


def gold_lines(records: list[Record]) -> list[dict[str, Any]]:
    return [
        {"id": r.id, "queries": {**r.queries, **({"sql": r.source_sql} if r.source_sql else {})}}
        for r in records
    ]


def record_of(records: list[Record], question: str) -> Record:
    return next(r for r in records if r.questions.original == question)


@pytest.fixture
def trace(corpus: Path, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """The line of the trace of one predicted query."""

    def scored(record: Record, query: str | None, language: str = "cypher") -> dict[str, Any]:
        out = tmp_path / "run"
        gm.evaluate(corpus, [{"id": record.id, "query": query}], language=language, out=out)
        lines = [json.loads(line) for line in (out / "trace.jsonl").read_text().splitlines()]
        return next(line for line in lines if line["id"] == record.id)

    return scored


def test_gold_as_predictions_is_right_in_every_language(
    corpus: Path, records: list[Record], tmp_path: Path
) -> None:
    before = _digests(corpus)
    figures = gm.evaluate(corpus, gold_lines(records), out=tmp_path / "run")
    assert set(figures["languages"]) == {"cypher", "gql", "ngql", "sql", "gremlin", "sparql"}
    for language, own in figures["languages"].items():
        assert own["n"] >= 5, language
        assert own["ex"] == own["suite_ex"] == own["gleu"] == 1.0, language
        for name in ("gam", "grammar", "exec", "psjs", "em_clauses", "related_schema"):
            assert own[name]["mean"] == 1.0, (language, name)
        assert own["suite"]["graphs"] > 0
        assert own["classes"] == {}
    assert _digests(corpus) == before, "a corpus is never written"


def test_a_second_run_writes_the_same_bytes(
    corpus: Path, records: list[Record], tmp_path: Path
) -> None:
    lines = [{"id": r.id, "query": r.queries["cypher"].replace("2000", "1990")} for r in records]
    for name in ("a", "b"):
        gm.evaluate(corpus, lines, out=tmp_path / name)
    assert _digests(tmp_path / "a") == _digests(tmp_path / "b")
    assert set(_digests(tmp_path / "a")) == {
        "scores.json",
        "report.html",
        "tables.md",
        "trace.jsonl",
    }


def test_what_is_missing_is_wrong_and_counted_apart(corpus: Path, records: list[Record]) -> None:
    first = records[0]
    own = gm.evaluate(corpus, [{"id": first.id, "query": first.queries["cypher"]}])["languages"]
    assert own["cypher"]["n"] == len(records)
    assert own["cypher"]["missing"] == len(records) - 1
    assert own["cypher"]["ex"] == pytest.approx(1 / len(records), abs=1e-6)


def test_right_on_the_shipped_graph_and_wrong_on_a_small_one_is_luck(
    records: list[Record], trace: Callable[..., dict[str, Any]]
) -> None:
    record = record_of(records, "Which ships were built after 2000?")
    line = trace(record, record.queries["cypher"].replace("> 2000", "> 2001"))
    assert line["ex"] is True  # no ship of the shipped graph was built in 2001
    assert line["suite_ex"] is False
    assert line["right_by_luck"]


RUNGS = {
    "": ("MATCH (s:Ship) WHERE s.built > 2000 RETURN s.name", "ordered"),
    "original": (
        "MATCH (s:Ship) WHERE s.built > 2000 RETURN s.name ORDER BY s.name DESC",
        "ordered",
    ),
    "syntactic": ("UNWIND [1, 2] AS x MATCH (s:Ship) WHERE s.built > 2000 RETURN s.name", "set"),
    "logical": ("MATCH (s:Ship) RETURN s.name", "none"),
    "business": ("MATCH (s:Ship) WHERE s.built > 2000 RETURN s.name, s.built", "none"),
}


def test_rungs_of_predictions_by_form_of_question(
    corpus: Path, records: list[Record], tmp_path: Path
) -> None:
    id = record_of(records, "Which ships were built after 2000?").id
    lines = [{"id": id, "query": query, "form": form} for form, (query, _) in RUNGS.items()]
    figures = gm.evaluate(corpus, lines, suites=False, out=tmp_path / "run")
    text = (tmp_path / "run" / "trace.jsonl").read_text()
    trace = [json.loads(line) for line in text.splitlines()]
    found = {line.get("form", ""): line["rung"] for line in trace if line["id"] == id}
    assert found == {form: rung for form, (_, rung) in RUNGS.items()}
    by_form = figures["languages"]["cypher"]["by"]["form"]
    assert {name: own["n"] for name, own in by_form.items()} == {
        name: len(records) for name in RUNGS if name
    }
    assert by_form["logical"]["ex"] == 0.0 < by_form["original"]["ex"]


HOSTILE = [
    "MATCH (n) DETACH DELETE n",
    "CREATE (:Ship {name: 'x'})",
    "MATCH (s:Ship) SET s.name = 'x' RETURN s.name",
    "MERGE (s:Ship {id: 1}) RETURN s",
    "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
    "CALL apoc.load.json('http://127.0.0.1/') YIELD value RETURN value",
    "CALL dbms.components()",
    "SELECT * FROM ship; DROP TABLE ship",
    "MATCH (s:Ship) RETURN s.name HAVING count(*) > 1",
    "MATCH p = (a)-[*]-(b)-[*]-(c)-[*]-(d)-[*]-(e) RETURN count(*)",
    "MATCH (a), (b), (c), (d), (e), (f), (g), (h), (i), (j), (k), (l) RETURN a",
    "RETURN " + "(" * 5000 + "1" + ")" * 5000,
    "RETURN [" + "1," * 500_000 + "1]",
    "",
    "\x00",
    "🛳" * 50,
    "RETURN $p",
    "MATCH (s:Ship RETURN s",
    "UNWIND range(1, 1000000000) AS x RETURN x",
    "RETURN reduce(s = 'a', x IN range(1, 60) | s + s)",
]


def test_hostile_predictions_are_wrong_and_change_nothing(
    corpus: Path, records: list[Record], tmp_path: Path
) -> None:
    before = _digests(corpus)
    lines = [
        {"id": records[n % len(records)].id, "query": query} for n, query in enumerate(HOSTILE)
    ]
    for at in range(0, len(lines), len(records)):
        figures = gm.evaluate(corpus, lines[at : at + len(records)], timeout=1.0, suites=False)
        assert figures["languages"]["cypher"]["ex"] == 0.0
    assert _digests(corpus) == before


HOSTILE_IN = {
    "gql": ["INSERT (:Ship)", "MATCH (n) DETACH DELETE n", "SESSION CLOSE"],
    "ngql": ["DELETE VERTEX 'a'", "DROP SPACE x", "SUBMIT JOB BALANCE DATA"],
    "sql": [
        "DROP TABLE ship",
        "SELECT 1; DROP TABLE ship",
        "SELECT readfile('/etc/passwd')",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
    ],
    "gremlin": [
        "g.V().drop()",
        "g.V().sideEffect(__.drop())",
        "g.io('/etc/passwd').read().iterate()",
        "g.call('--list')",
        "g.V().map{ new File('/etc/passwd').text }",
        "g.V().repeat(__.both()).times(1000000).count()",
        "g.V()" + ".where(__.both()" * 3000 + ")" * 3000,
    ],
    "sparql": [
        "DELETE WHERE { ?s ?p ?o }",
        "LOAD <file:///etc/passwd>",
        "SELECT * WHERE { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "SELECT * FROM <file:///etc/passwd> WHERE { ?s ?p ?o }",
        "SELECT * WHERE " + "{" * 5000 + "}" * 5000,
    ],
}


@pytest.mark.parametrize("language", HOSTILE_IN)
def test_hostile_predictions_are_wrong_in_every_language(
    corpus: Path, records: list[Record], language: str
) -> None:
    before = _digests(corpus)
    ids = [r.id for r in records if r.source_sql if language == "sql" or r.queries.get(language)]
    texts = [*HOSTILE_IN[language], "x" * 1_000_000, "RETURN '\ud800'"]
    for at in range(0, len(texts), len(ids)):
        batch = zip(ids, texts[at:], strict=False)
        lines = [{"id": one, "query": text} for one, text in batch]
        figures = gm.evaluate(corpus, lines, language=language, timeout=1.0, suites=False)
        own = figures["languages"][language]
        assert own["answered"] == len(lines)
        assert own["ex"] == 0.0
    assert _digests(corpus) == before


def test_hostile_lines_leave_status_0(
    corpus: Path, records: list[Record], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = json.dumps({"id": records[0].id, "query": records[0].queries["cypher"]})
    lines = [
        gold,
        gold,
        "torn",
        "[]",
        "null",
        '{"id": 1, "query": "x"}',
        '{"id": "a"}',
        '{"id": "nobody", "query": "RETURN 1"}',
        '{"id": "a", "query": 5}',
        '{"id": "a", "queries": ["x"]}',
        '{"id": "a", "queries": {"klingon": "x"}}',
        '{"id": "a", "query": "x", "form": "sung"}',
        '{"id": "a", "id": "b", "query": "x"}',
    ]
    path = tmp_path / "predictions.jsonl"
    path.write_bytes("\n".join(lines).encode() + b'\n{"id": "\xff"}\n')
    assert main(["evaluate", str(corpus), "--predictions", str(path), "--quiet"]) == 0
    figures = json.loads(capsys.readouterr().out)
    told = figures["predictions"]
    assert told["bad"] == 11
    assert told["repeated"] == 1
    assert told["unknown"] == ["nobody"]
    assert figures["languages"]["cypher"]["answered"] == 1
    assert figures["languages"]["cypher"]["ex"] > 0


def test_common_leaves_out_what_one_language_lacks(corpus: Path, records: list[Record]) -> None:
    figures = gm.evaluate(corpus, gold_lines(records), common=["cypher", "sql"])
    counts = {name: own["n"] for name, own in figures["languages"].items()}
    with_sql = sum(bool(r.source_sql) for r in records)
    assert counts == {"cypher": with_sql, "sql": with_sql}


def test_a_run_is_compared_with_another(
    corpus: Path, records: list[Record], tmp_path: Path
) -> None:
    good = [{"id": r.id, "query": r.queries["cypher"]} for r in records]
    bad = [{**line, "query": "RETURN 0 AS zero"} if n < 2 else line for n, line in enumerate(good)]
    gm.evaluate(corpus, bad, out=tmp_path / "bad")
    paired = gm.evaluate(corpus, good, against=[tmp_path / "bad"])["against"]["bad"]["cypher"]
    assert (paired["only_this"], paired["only_other"]) == (2, 0)
    assert paired["p"] == 0.5  # two of two: 2 × (1/2)²


def test_errors_are_sentences(corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(gm.UnknownNameError, match="There are: "):
        gm.evaluate(corpus, [], language="klingon")
    with pytest.raises(gm.UnknownNameError, match="split"):
        gm.evaluate(corpus, [], split="tset")
    with pytest.raises(gm.UnknownNameError, match="engine"):
        gm.evaluate(corpus, [], engine="oracle")
    with pytest.raises(gm.UnknownNameError, match="metric"):
        gm.evaluate(corpus, [], metrics=["vibes"])
    with pytest.raises(gm.ConfigError, match="only read"):
        gm.evaluate(corpus, [], out=corpus / "run")
    with pytest.raises(gm.GraphmillError, match="no run of evaluate"):
        gm.evaluate(corpus, [], against=[tmp_path])
    with pytest.raises(gm.GraphmillError, match="no finished corpus"):
        gm.evaluate(tmp_path, [])


def _digests(folder: Path) -> dict[str, str]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): file_digest(path) for path in files}


def test_workers_write_the_same_bytes(corpus: Path, records: list[Record], tmp_path: Path) -> None:
    lines = predictions_of_all_kinds(records)
    gm.evaluate(corpus, lines, out=tmp_path / "one", jobs=1, suites=False)
    # Batches are of 32 records at least: one here, so workers are made to have several.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipelines.evaluate.run.SMALLEST", 3)
        gm.evaluate(corpus, lines, out=tmp_path / "two", jobs=2, suites=False)
    assert _digests(tmp_path / "one") == _digests(tmp_path / "two")


class LastFirst:
    """Workers that do nothing until the last unit is asked for, and then the last one first."""

    def __init__(self, jobs: int, **limits: Any) -> None:
        self.jobs = jobs
        self._begun: list[tuple[Any, Future[Any]]] = []

    def submit(self, unit: Any) -> Future[Any]:
        future: Future[Any] = Asked(self._work)
        self._begun.append((unit, future))
        return future

    def _work(self) -> None:
        for unit, future in reversed(self._begun):
            future.set_result(Done(unit.work(Desk())[0]))
        self._begun.clear()

    def close(self) -> None:
        pass


class Asked(Future[Any]):
    """A future that begins the work when it is asked for its result."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work

    def result(self, timeout: float | None = None) -> Any:
        self._work()
        return super().result(timeout)


def predictions_of_all_kinds(records: list[Record]) -> list[dict[str, Any]]:
    """A prediction for each record: gold, wrong ones of several kinds, one that is missing."""
    wrong = [
        "MATCH (s:Ship) RETURN s.name",
        "MATCH (p:Port) RETURN p.name LIMIT 1",
        "SELECT 1",
        None,
    ]
    lines: list[dict[str, Any]] = [{"id": r.id, "query": r.queries["cypher"]} for r in records]
    for line, query in zip(lines, wrong, strict=False):
        line["query"] = query
    return lines[:-1]


def test_the_order_in_which_workers_finish_changes_no_byte(
    corpus: Path, records: list[Record], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = predictions_of_all_kinds(records)
    gm.evaluate(corpus, lines, out=tmp_path / "one", jobs=1)
    monkeypatch.setattr("pipelines.evaluate.run.SMALLEST", 2)
    monkeypatch.setattr("pipelines.evaluate.run.Processes", LastFirst)
    gm.evaluate(corpus, lines, out=tmp_path / "two", jobs=3)
    assert _digests(tmp_path / "one") == _digests(tmp_path / "two")


def test_answers_are_kept_within_bounds() -> None:
    answers: Kept[str, int] = Kept()
    for number in range(3000):
        answers.keep(f"query {number}", number, 1000)
    assert answers.get("query 2999") == 2999
    assert answers.get("query 2000") == 2000
    assert answers.get("query 1999") is None
    answers.keep("long", 1, Kept.MOST)
    assert answers.get("long") is None
