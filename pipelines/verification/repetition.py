"""The executions of one released record again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from engines import ENGINE_OF, NUMBERS_AS_BOOLEANS, SERVERS
from engines.base import Result
from engines.compare import allowed, answer_hash
from engines.sources._texts import as_typed
from graph_ir.cypher.reader import parsed
from graph_ir.rewrites import Probe, leaves_lists_open, probe
from graphmill.errors import (
    EngineError,
    EngineLost,
    EngineUnavailable,
    QueryTextError,
    Refused,
)
from graphmill.record import Certificate, Record
from pipelines.build.context import DatabaseContext
from pipelines.build.suites import ASKED
from pipelines.verification.integrity import Problem
from pipelines.verification.record_fields import gold_certificate, sample_problems
from pipelines.verification.record_texts import SOURCES
from translators.render import render

_AWAY = "whose data are not in the corpus"
NO_GRAPH = "whose graph cannot be had"  # why executions are left out


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
        except (EngineError, EngineLost, QueryTextError, Refused) as problem:
            return 0, [Problem(stored, "fails", str(problem))]
        problems: list[Problem] = []
        runs = 0
        gold, gold_run = gold_certificate(record), None
        for certificate in self._runnable(stored, record, shop, problems):
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

    def source_alone(
        self, stored: str, record: Record, shop: DatabaseContext
    ) -> tuple[int, list[Problem]]:
        """Repeat what runs on the source of a record whose graph cannot be had: no referee has the
        answer, which is held to its certificate."""
        mine = [each for each in record.certificates if each.engine in SOURCES]
        others = [each for each in record.certificates if each.engine not in SOURCES]
        self.leave(replace(record, certificates=tuple(others)), NO_GRAPH)
        problems: list[Problem] = []
        runs = 0
        on_source = replace(record, certificates=tuple(mine))
        for certificate in self._runnable(stored, on_source, shop, problems):
            try:
                problems += _held(stored, record, certificate, shop)
                runs += 1
            except EngineUnavailable as problem:
                problems.append(self._gone(certificate.engine, problem))
        return runs, problems

    def _runnable(
        self, stored: str, record: Record, shop: DatabaseContext, problems: list[Problem]
    ) -> Iterator[Certificate]:
        """The executions that can be repeated; the others are counted, and what is wrong with one
        is added to `problems`."""
        for certificate in record.certificates:
            if (wrong := _of_another_source(stored, certificate, shop)) is not None:
                problems.append(wrong)
                self.left_out[certificate.engine, _AWAY] += 1
            elif not self._leaves_out(certificate.engine, shop):
                yield certificate

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
    try:
        answer = _run(record, certificate, shop)
    except EngineUnavailable:
        raise
    except (EngineError, EngineLost) as problem:
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
    else:
        problems += _of_certificate(where, certificate, answer, asked)
    return problems, answer


def _held(
    stored: str, record: Record, certificate: Certificate, shop: DatabaseContext
) -> list[Problem]:
    """Repeat one execution that no referee has the answer to: what differs from its certificate.

    Raises:
        EngineUnavailable: its engine cannot be had.
    """
    where = f"{stored} {certificate.engine} ({certificate.dialect})"
    try:
        asked = probe(parsed(record.queries["cypher"]))
        answer = _run(record, certificate, shop)
    except EngineUnavailable:
        raise
    except (EngineError, EngineLost, QueryTextError) as problem:
        return [Problem(where, "fails", str(problem))]
    return list(_of_certificate(where, certificate, answer, asked))


def _run(record: Record, certificate: Certificate, shop: DatabaseContext) -> Result:
    """The answer of one execution, of source SQL in the types of the graph.

    Raises:
        EngineError: it has none.
    """
    language = certificate.dialect.split("-")[0]
    if certificate.engine not in SOURCES:
        return shop.run(certificate.engine, certificate.text, language)
    answer = shop.run(certificate.engine, certificate.text, "sql")
    return as_typed(answer, shop.kinds(parsed(record.queries["cypher"])))


def _of_certificate(
    where: str, certificate: Certificate, answer: Result, asked: Probe | None
) -> Iterator[Problem]:
    """An answer whose hash or number of rows is not that of its certificate; a LIMIT may choose
    other rows."""
    limited = asked is None or asked.limit is not None
    if not limited and answer_hash(answer, ordered=False) != certificate.hash:
        yield Problem(where, "hash", "The answer's hash is not the certificate's.")
    elif len(answer.rows) != certificate.rows:
        detail = f"{len(answer.rows)} rows, not {certificate.rows}."
        yield Problem(where, "rows", detail)
