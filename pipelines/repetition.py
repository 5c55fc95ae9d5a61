"""The executions of one released record again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from engines import ENGINE_OF, NUMBERS_AS_BOOLEANS, SERVERS
from engines.base import Result
from engines.compare import allowed, answer_hash
from engines.sources._texts import as_typed
from graph_ir.cypher.reader import parsed
from graph_ir.rewrites import Probe, leaves_lists_open, probe
from graphmill.errors import (
    EngineError,
    EngineUnavailable,
    QueryTextError,
    Refused,
)
from graphmill.record import Certificate, Record
from pipelines.build.context import DatabaseContext
from pipelines.build.suites import ASKED
from pipelines.integrity import Problem
from pipelines.record_fields import gold_certificate, sample_problems
from pipelines.record_texts import SOURCES
from translators.render import render

_AWAY = "whose data are not in the corpus"


@dataclass(slots=True)
class Repetition:
    """What is repeated, and what cannot be: `left_out` counts executions by engine and reason.

    `without` names engines that are left out; `gone` has those that cannot be had, told once each.
    """

    without: Sequence[str] = ()
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    gone: set[str] = field(default_factory=set)

    def record(
        self, stored: str, record: Record, shop: DatabaseContext
    ) -> tuple[int, list[Problem]]:
        """Repeat the executions of one record, whose Cypher text can be read: how many were, and
        what differs."""
        if record.answer is None or not record.certificates:
            return 0, []  # which is told of the answer
        try:
            asked = probe(parsed(record.queries["cypher"]))
            if asked is None:
                return 0, [Problem(stored, "no-gold", "The query has no answer to check.")]
            referee = shop.run(
                "duckdb", render(asked.statement, "sql", shop.graph.schema).text, "sql"
            )
        except (EngineError, QueryTextError, Refused) as problem:
            return 0, [Problem(stored, "fails", str(problem))]
        problems: list[Problem] = []
        runs = 0
        gold, gold_run = gold_certificate(record), None
        for certificate in record.certificates:
            if (wrong := _of_another_source(stored, certificate, shop)) is not None:
                problems.append(wrong)
                self.left_out[certificate.engine, _AWAY] += 1
                continue
            if self._leaves_out(certificate.engine, shop):
                continue
            try:
                mismatches, run = _repeated(stored, record, certificate, shop, referee, asked)
            except EngineUnavailable as problem:
                problems.append(self._gone(certificate.engine, problem))
                continue
            runs += 1
            problems += mismatches
            gold_run = run if certificate is gold else gold_run
        problems += self._unproven(stored, record, shop, referee, asked)
        problems += sample_problems(stored, record.answer, gold_run, referee, asked)
        return runs, problems

    def leave(self, record: Record, why: str) -> None:
        """Count the executions of a record that is not repeated at all."""
        self.left_out.update((each.engine, why) for each in record.certificates)

    def _leaves_out(self, engine: str, shop: DatabaseContext) -> bool:
        """Whether an execution cannot be repeated; it is counted then."""
        why = ""
        if engine in self.without:
            why = ASKED
        elif engine in SERVERS:
            why = _AWAY
        elif engine in self.gone:
            why = "which cannot be had here"
        elif engine in SOURCES and shop.graph.source is None:
            why = "whose file is not there"  # which is told of the source
        if why:
            self.left_out[engine, why] += 1
        return bool(why)

    def _gone(self, engine: str, problem: EngineUnavailable) -> Problem:
        self.gone.add(engine)
        self.left_out[engine, "which cannot be had here"] += 1
        advice = f"`--without {engine}` leaves out what it ran."
        return Problem(engine, "engine-unavailable", f"{str(problem).rstrip('.')}. {advice}")

    def _unproven(
        self, stored: str, record: Record, shop: DatabaseContext, referee: Result, asked: Probe
    ) -> Iterator[Problem]:
        """Source SQL that runs and has no certificate: a build has none of a query that fails."""
        source = shop.graph.source_engine
        known = {"", *self.without, *self.gone, *(each.engine for each in record.certificates)}
        if not record.source_sql or source in known:
            return
        unproven = Certificate(source, "", source, 0, "", text=record.source_sql)
        if _repeated(stored, record, unproven, shop, referee, asked)[1] is not None:
            yield Problem(stored, "not-executed", "No certificate is of source_sql.")


def _of_another_source(
    stored: str, certificate: Certificate, shop: DatabaseContext
) -> Problem | None:
    """That a certificate is of source SQL on an engine that the graph's tables do not come from."""
    mapping = shop.graph.mapping
    known = "" if mapping is None else ENGINE_OF.get(mapping.dialect, "")
    if certificate.engine not in SOURCES or certificate.engine == known:
        return None
    whose = f"come from {known}" if known else "come from no database"
    detail = f"The data of its graph {whose}, and not from {certificate.engine}."
    return Problem(f"{stored} {certificate.engine} ({certificate.dialect})", "engine", detail)


def _repeated(
    stored: str,
    record: Record,
    certificate: Certificate,
    shop: DatabaseContext,
    referee: Result,
    asked: Probe,
) -> tuple[list[Problem], Result | None]:
    """Repeat one execution: what differs, and its answer where it has one.

    Raises:
        EngineUnavailable: its engine cannot be had.
    """
    problems: list[Problem] = []
    where = f"{stored} {certificate.engine} ({certificate.dialect})"
    language = certificate.dialect.split("-")[0]
    if certificate.engine in SOURCES:
        language = "sql"
    try:
        answer = shop.run(certificate.engine, certificate.text, language)
        if certificate.engine in SOURCES:
            answer = as_typed(answer, shop.kinds(parsed(record.queries["cypher"])))
    except EngineUnavailable:
        raise
    except EngineError as problem:
        return [Problem(where, "fails", str(problem))], None
    verdict = allowed(
        answer,
        referee,
        keys=asked.keys,
        skip=asked.skip,
        limit=asked.limit,
        rough=asked.rough,
        booleans=certificate.engine not in NUMBERS_AS_BOOLEANS,
        unordered_lists=leaves_lists_open(asked.statement),
    )
    if not verdict.ok:
        detail = f"The answer differs from the referee's: {verdict.reason}"
        problems.append(Problem(where, "differs", detail))
    elif answer_hash(answer, ordered=False) != certificate.hash and asked.limit is None:
        problems.append(Problem(where, "hash", "The answer's hash is not the certificate's."))
    elif len(answer.rows) != certificate.rows:
        detail = f"{len(answer.rows)} rows, not {certificate.rows}."
        problems.append(Problem(where, "rows", detail))
    return problems, answer
