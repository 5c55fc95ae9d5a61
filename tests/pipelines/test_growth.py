"""Queries that grow: quotas, proofs, lineage, a ledger; what was stopped ends the same."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph_ir.cypher.pair import Pair
from graphmill.files import file_digest, read_records
from graphmill.record import Record
from pipelines import run
from pipelines.build.plan import GROWN_PLAN, PLANS, UNIT, BuildContext, Outcome
from pipelines.claim import SUMMARY
from pipelines.configuration.config import load
from pipelines.configuration.progress import Listener, Watch
from pipelines.preview import preview
from pipelines.verification.verify import verify

pytestmark = pytest.mark.slow

QUIET = Watch(quiet=True)
TOTAL = 18


@pytest.fixture
def growing(ferries: Path) -> Path:
    """The ferries' configuration, with queries that are to grow beside the given ones."""
    settings = f"per_database = {TOTAL}\nalike = 0.12\ndifficulty = 'paper'"
    ferries.write_text(ferries.read_text().replace("grow = false", settings))
    return ferries


def _records(corpus: Path) -> list[Record]:
    files = sorted((corpus / "data").glob("*.parquet"))
    return [record for path in files for _, record in read_records(path)]


def _digests(folder: Path) -> dict[str, str]:
    # What a run took is another each time.
    files = (p for p in sorted(folder.rglob("*")) if p.is_file() and p.name != SUMMARY)
    return {path.relative_to(folder).as_posix(): file_digest(path) for path in files}


def test_a_build_that_is_stopped_grows_the_same(
    growing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    funnel = run.build(load(growing), whole, QUIET).to_json()
    _is_grown(whole, funnel)
    found = verify(whole, QUIET, instances=1)
    assert not found.problems
    certificates = sum(
        len(record.certificates) * len({"shipped", *record.discrimination["instances"]})
        for record in _records(whole)
    )
    assert found.runs + found.left_out.total() == certificates
    assert set(found.left_out) == {
        (engine, "on small graphs beyond --instances") for engine in ("duckdb", "grafeo")
    } | {("sqlite", "on small graphs, where it is not run")}

    calls: list[list[str]] = []
    first, prove, *rest = GROWN_PLAN

    def counted(items: Sequence[Pair], build: BuildContext) -> list[Outcome]:
        calls.append([json.dumps(item.to_json()) for item in items])
        if len(calls) == 2:
            raise KeyboardInterrupt
        return prove.run(items, build)

    monkeypatch.setitem(PLANS, "grown", (first, replace(prove, run=counted), *rest))
    with pytest.raises(KeyboardInterrupt):
        run.build(load(growing), stopped, QUIET)
    run.build(load(growing), stopped, QUIET)
    assert max(map(len, calls)) <= UNIT
    assert calls[1] == calls[2]  # only the unit that was stopped is done twice
    every = [item for batch in (calls[0], *calls[2:]) for item in batch]
    assert len(every) == len(set(every))
    assert _digests(whole) == _digests(stopped)


def _is_grown(corpus: Path, funnel: dict[str, Any]) -> None:
    records = _records(corpus)
    (figures,) = funnel["grown"]
    given = [record for record in records if record.provenance.maker == "pairs"]
    grown = [record for record in records if record.provenance.maker != "pairs"]
    assert given, "pairs that were given come first"
    assert len(records) == TOTAL or figures["stopped"]
    assert figures["grown"] == len(grown) > TOTAL // 3
    tiers = Counter(record.difficulty for record in records)
    assert {name: reached for name, (_, reached) in figures["tiers"].items()} == {
        name: tiers[name] for name in figures["tiers"]
    }
    ids = {record.id for record in records}
    for record in grown:
        assert len({c.engine for c in record.certificates}) >= 2
        assert len(record.certificates) >= 3
        assert record.discrimination["score"] >= 0.8
        assert record.questions.business
        assert not record.provenance.parent or record.provenance.parent in ids
        assert bool(record.provenance.parent) == bool(record.provenance.trace)
    named = {name for record in records for name in record.discrimination["instances"]}
    files = {path.stem for path in (corpus / "graphs" / "ferries" / "instances").glob("*")}
    assert files == named - {"shipped"}
    ledger = [json.loads(line) for line in (corpus / "rejects.jsonl").read_text().splitlines()]
    assert sum(row["count"] for row in funnel["rejects"]) == len(ledger)


def test_a_preview_shows_grown_queries(growing: Path) -> None:
    makers = Counter(
        raw["provenance"]["maker"] for raw in preview(load(growing), 2, Listener(None))
    )
    assert makers["pairs"] == 2
    assert 1 <= sum(makers.values()) - 2 <= 2
