"""The engines of a split in passes: what is released is what one pass of all would release."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engines.base import Result
from graph_ir.cypher.pair import Pair
from graph_ir.rewrites import probe
from graphmill.errors import EngineError, GraphmillError
from graphmill.files import file_digest
from graphmill.record import Finding, Provenance, Questions, Record, Reject
from pipelines import split_proof
from pipelines.build.context import DatabaseContext, engine_class
from pipelines.build.stages import TRIALS, proven_in_split
from pipelines.cli.commands import main
from pipelines.jobs import units
from pipelines.jobs.units import Desk
from pipelines.release.corpus import Corpus
from pipelines.split_proof import dealt_engines
from qa.certify import CERTIFICATE, Execution, Trial, tried

ENGINES = ("grafeo", "duckdb", "oxigraph", "ladybug", "neo4j")
RUNS = [
    ("sqlite", "source", "sqlite"),
    ("grafeo", "cypher", "cypher"),
    ("grafeo", "gql", "gql-grafeo"),
    ("oxigraph", "sparql", "sparql"),
    ("ladybug", "cypher", "cypher-ladybug"),
    ("neo4j", "cypher", "cypher"),
    ("neo4j", "gql", "gql-neo4j"),
    ("duckdb", "sql", "sql"),
]
ROWS = Result(("name",), (("a",), ("b",)))
OTHER = Result(("name",), (("a",), (float("nan"),)))
NONE = EngineError("It is too much.")
PLAIN = "MATCH (l:Lake) RETURN l.name AS name"
WINDOW = "MATCH (l:Lake) WITH l ORDER BY l.area LIMIT 2 RETURN l.name AS name"


@pytest.mark.parametrize(
    ("query", "outcomes", "code"),
    [
        (PLAIN, {}, ""),
        (PLAIN, {"gql-neo4j": NONE, "sparql": NONE}, ""),
        (PLAIN, {"cypher-ladybug": OTHER, "gql-neo4j": OTHER}, "disagrees"),
        (WINDOW, {"gql-neo4j": OTHER}, "inner-tie"),
        (PLAIN, {"gql-grafeo": NONE, "gql-neo4j": NONE}, "not-executed"),
        (PLAIN, {"cypher": NONE}, ""),
    ],
)
def test_passes_are_judged_as_if_they_were_one(
    query: str, outcomes: Mapping[str, Any], code: str
) -> None:
    trials = _trials(query, outcomes)
    whole = proven_in_split(_pair(query, trials), ENGINES, ("sparql",))
    # As passes bring them: that of the source and the referee is the one with neo4j.
    dealt = sorted(trials, key=lambda each: each.engine in {"grafeo", "ladybug", "oxigraph"})
    assert dealt != trials
    assert proven_in_split(_pair(query, dealt), ENGINES, ("sparql",)) == whole
    if isinstance(whole, Reject):
        assert (whole.stage, whole.code) == ("split", code)
        assert whole.evidence.get("dialect") in {None, *outcomes}
        return
    assert code == ""
    ran = [(each.engine, each.dialect) for each in whole.record.certificates]
    assert ran == [(name, how) for name, _, how in RUNS if outcomes.get(how) is not NONE]
    assert whole.record.answer is not None
    assert whole.record.answer.rows == 2
    assert ("sparql" in whole.record.queries) is ("sparql" not in outcomes)
    assert whole.record.meta == {"line": 3}
    assert [each.check for each in whole.record.findings] == ["other", CERTIFICATE]


def test_a_record_without_another_witness_is_not_released() -> None:
    trials = [each for each in _trials(PLAIN, {}) if each.engine == "grafeo"]
    outcome = proven_in_split(_pair(PLAIN, trials), ENGINES, ("sparql",))
    assert isinstance(outcome, Reject)
    assert outcome.code == "one-witness"


def _trials(query: str, outcomes: Mapping[str, Any]) -> list[Trial]:
    pair = _pair(query, [])
    asked = probe(pair.statement)
    assert asked is not None
    runs = [Execution(*_names(run), "text", outcomes.get(run[2], ROWS)) for run in RUNS]
    return tried(runs, replace(ROWS, columns=("name",)), replace(asked, keys=0))


def _names(run: tuple[str, str, str]) -> tuple[str, str, str, str]:
    engine, language, dialect = run
    return engine, "1", language, dialect


def _pair(query: str, trials: list[Trial]) -> Pair:
    """A pair as the last pass leaves it, which was on disk."""
    record = Record(
        schema="fp",
        db="lakes",
        questions=Questions("Which lakes?"),
        queries={"cypher": query, "gql": query, "sparql": "SELECT"},
        provenance=Provenance("test", "1", 7),
        findings=(Finding(CERTIFICATE, ok=True), Finding("other", ok=True)),
        meta={"line": 3, TRIALS: [each.to_json() for each in trials]},
    )
    return Pair.from_json(json.loads(json.dumps(Pair.read(record).to_json())))


@pytest.mark.parametrize("most", [0, 600, 1100, 1500, 9000])
def test_engines_are_dealt_by_what_they_take(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(split_proof, "PASS_MB", most)
    given = [*ENGINES, "tinkergraph"]
    groups = dealt_engines(given)
    assert sorted(chain.from_iterable(groups)) == sorted(given)
    assert "duckdb" in groups[0]
    assert all(sorted(group, key=given.index) == [*group] for group in groups)
    heavy = [[name for name in group if name != "duckdb"] for group in groups]
    for group in heavy:
        assert len(group) == 1 or sum(engine_class(n).needs.usual_mb for n in group) <= most
    if most == 1100:
        assert heavy == [["oxigraph", "neo4j"], ["grafeo", "ladybug", "tinkergraph"]]
    assert (len(groups) == 1) is (most == 9000)
    assert dealt_engines(["grafeo", "duckdb"]) == [("grafeo", "duckdb")]


MORE = '[split.test]\nalso = ["sparql", "sql"]\nengines = ["ladybug", "oxigraph"]\n'


def test_a_build_in_passes_releases_the_same_and_goes_on_where_it_was(
    ferries: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ferries.write_text(f"{ferries.read_text()}\n{MORE}", encoding="utf-8")
    run = DatabaseContext.run
    asked: list[str] = []
    fails: list[str] = []
    wrong: list[str] = []

    def other(self: DatabaseContext, engine: str, text: str, language: str) -> Result:
        asked.append(engine)
        if engine in fails:
            raise GraphmillError("The machine is gone.")
        answer = run(self, engine, text, language)
        if engine != "oxigraph" or (wrong and text not in wrong):
            return answer
        wrong.append(text)
        return replace(answer, rows=(*answer.rows, *answer.rows))

    monkeypatch.setattr(DatabaseContext, "run", other)
    build = ["build", str(ferries), "--jobs", "1", "--out"]
    whole, parts = ferries.parent / "whole", ferries.parent / "parts"
    assert main([*build, str(whole)]) == 0
    assert [each["code"] for each in Corpus(whole).rejects() if each["stage"] == "split"]
    monkeypatch.setattr(split_proof, "PASS_MB", 0)  # each engine has its own
    fails.append("oxigraph")
    assert main([*build, str(parts)]) == 1
    assert asked[-2:] == ["ladybug", "oxigraph"]
    fails.clear()
    asked.clear()
    assert main([*build, str(parts)]) == 0
    assert {*asked} == {"oxigraph", "grafeo"}  # what ladybug answered is finished work
    files = [{f: file_digest(out / f) for f in Corpus(out).lock["files"]} for out in (whole, parts)]
    assert files[0] == files[1]


def test_a_worker_holds_the_engines_of_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []

    def context(site: Any, stack: Any, spare: Mapping[str, Any]) -> Any:
        names = site.config.certify.engines
        held = {n: SimpleNamespace(close=lambda n=n: ended.append(n)) for n in names} | {**spare}
        return SimpleNamespace(database=SimpleNamespace(hand_over=lambda: held), spent={})

    def site(db: str, *engines: str) -> Any:
        return SimpleNamespace(
            name=db, config=SimpleNamespace(certify=SimpleNamespace(engines=engines))
        )

    monkeypatch.setattr(units, "_context", context)
    monkeypatch.setattr(units, "most_open", lambda config: 2)
    desk, first, second = Desk(), ("duckdb", "neo4j"), ("ladybug",)
    desk.open(site("lakes", *first))
    desk.open(site("hills", *first))
    assert not ended
    desk.open(site("lakes", *second))
    assert {*ended} == {*first}
    assert [*desk._open] == ["lakes"]
