"""`graphmill verify`: every gold and every certificate of a corpus again, from its folder alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

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
    UnknownNameError,
)
from graphmill.record import Certificate, Record
from pipelines.build.context import DatabaseContext, Graph
from pipelines.build.suites import ASKED, FOLDER, LeftOut, run_instances
from pipelines.configuration.config import FILES, Certify
from pipelines.configuration.progress import Watch
from pipelines.integrity import DAMAGED, Problem, file_problems, lock_problems
from pipelines.record_fields import (
    answer_problems,
    certificate_problems,
    gold_certificate,
    instance_problems,
    place_problems,
    proving_engines,
    query_problems,
    repeatable,
)
from pipelines.release.lock import LOCK, can_not_tell, format_of, load_lock
from pipelines.release.masked import pair_problems
from pipelines.released import read_released
from translators.render import render

INSTANCES = 50


class Verified(NamedTuple):
    """The number of executions that were repeated, all that differs, and what was not repeated:
    executions by engine and reason. `note` is what cannot be told of an older corpus."""

    runs: int
    problems: list[Problem]
    left_out: Counter[tuple[str, str]]
    note: str = ""

    def __str__(self) -> str:
        text = f"{self.runs} executions repeated, {len(self.problems)} problems."
        text += f" {self.note}" if self.note else ""
        if not self.left_out:
            return text
        each = [f"{n} of {engine} {why}" for (engine, why), n in sorted(self.left_out.items())]
        return f"{text} Left out: {'; '.join(each)}."


def verify(
    folder: Path,
    watch: Watch,
    without: Sequence[str] = (),
    neo4j_url: str = "",
    instances: int | None = INSTANCES,
) -> Verified:
    """Repeat what can be repeated here; what cannot is counted.

    `without` names engines that are left out; any other engine that cannot be had is an error.
    `instances` is the number of small graphs of each database that are run, None for all.

    Raises:
        GraphmillError: `folder` is no corpus; or an engine of a certificate is unavailable.
    """
    lock = load_lock(folder)
    problems = [*lock_problems(lock), *file_problems(folder, lock)]
    by_db: dict[str, list[tuple[str, Record]]] = {}
    rows, unread = read_released(folder, lock)
    problems += unread
    for _, stored, record in rows:
        by_db.setdefault(record.db, []).append((stored, record))
    problems += place_problems(rows)
    kept = [record for records in by_db.values() for _, record in records]
    problems += [Problem(*each) for each in pair_problems(folder, kept)]
    runs = 0
    left_out: Counter[tuple[str, str]] = Counter()
    certify, engines = Certify(neo4j_url=neo4j_url), proving_engines(lock)
    damaged = {problem.where for problem in problems if problem.code == DAMAGED}
    for db, records in sorted(by_db.items()):
        if f"graphs/{db}" in damaged:
            continue
        graph = _graph(folder, db, lock)
        if graph is None:
            problems.append(Problem(db, "no-graph", f"graphs/{db} is not in corpus.lock."))
            continue
        with (
            DatabaseContext(graph, (), certify=certify) as shop,
            watch.stage(f"{db}: verify", len(records)) as tick,
        ):
            ran = []  # those that can be run on small graphs, too
            place = graph.folder / FOLDER
            there = {path.stem for path in place.glob("*.json")}
            for stored, given in records:
                problems += certificate_problems(stored, given, engines)
                problems += instance_problems(stored, given, there)
                record = repeatable(given, there)
                done, mismatches = _record(stored, record, shop, without, left_out)
                runs += done
                problems += mismatches
                ran += [(stored, record)] if done else []
                tick()
            for outcome in run_instances(
                place, graph.schema, ran, without, certify.timeout, instances
            ):
                if isinstance(outcome, LeftOut):
                    left_out[outcome.engine, outcome.why] += outcome.number
                    continue
                runs += 1
                if outcome is not None:
                    problems.append(Problem(*outcome))
    note = ""
    if can_not_tell(lock):
        note = (
            f"{LOCK} is of format {format_of(lock)} without a hash of its own, so that an edit of "
            "it is not seen."
        )
    return Verified(runs, problems, left_out, note)


def _graph(folder: Path, db: str, lock: dict[str, Any]) -> Graph | None:
    entry = lock["graphs"].get(db)
    if entry is None:
        return None
    files = [folder / "sources" / f"{db}{ending}" for ending in FILES]
    source = next((path for path in files if path.is_file()), None)
    return Graph(db, folder / "graphs" / db, entry["fingerprint"], source=source)


def _record(
    stored: str,
    record: Record,
    shop: DatabaseContext,
    without: Sequence[str],
    left_out: Counter[tuple[str, str]],
) -> tuple[int, list[Problem]]:
    """Repeat the executions of one record; those that cannot be are counted in `left_out`."""
    problems = []
    if stored != record.id:
        problems.append(Problem(stored, "id", "The id is not the hash of the record's content."))
    try:
        statement = parsed(record.queries.get("cypher", ""))
        problems += query_problems(stored, record, statement)
        for language, text in record.queries.items():
            if render(statement, language, shop.graph.schema).text != text:
                detail = f"The {language} text is not what the Cypher text means."
                problems.append(Problem(stored, "text", detail))
        asked = probe(statement)
        if asked is None or record.answer is None or not record.certificates:
            return 0, [*problems, Problem(stored, "no-gold", "The record has no answer to check.")]
        referee = shop.run("duckdb", render(asked.statement, "sql", shop.graph.schema).text, "sql")
    except (EngineError, QueryTextError, Refused, UnknownNameError) as problem:
        return 0, [*problems, Problem(stored, "fails", str(problem))]
    runs = 0
    gold, gold_run = gold_certificate(record), None
    for certificate in record.certificates:
        if certificate.engine in without or certificate.engine in SERVERS:
            server = "whose data are not in the corpus"
            left_out[certificate.engine, ASKED if certificate.engine in without else server] += 1
            continue
        runs += 1
        mismatches, run = _certificate(stored, record, certificate, shop, referee, asked)
        problems += mismatches
        gold_run = run if certificate is gold else gold_run
    source = shop.graph.source_engine
    if record.source_sql and source not in {"", *without, *(c.engine for c in record.certificates)}:
        # A build has no certificate of a query that fails on its source; one that runs has one.
        unproven = Certificate(source, "", source, 0, "", text=record.source_sql)
        if _certificate(stored, record, unproven, shop, referee, asked)[1] is not None:
            problems.append(Problem(stored, "not-executed", "No certificate is of source_sql."))
    problems += answer_problems(stored, record.answer, gold, gold_run, referee, asked)
    return runs, problems


def _certificate(
    stored: str,
    record: Record,
    certificate: Certificate,
    shop: DatabaseContext,
    referee: Result,
    asked: Probe,
) -> tuple[list[Problem], Result | None]:
    """Repeat one execution: what differs, and its answer where it has one."""
    problems = []
    where = f"{stored} {certificate.engine} ({certificate.dialect})"
    language = certificate.dialect.split("-")[0]
    text = certificate.text
    if certificate.engine in ENGINE_OF.values():
        language, expected = "sql", record.source_sql
    else:
        expected = render(
            parsed(record.queries["cypher"]), certificate.dialect, shop.graph.schema
        ).text
    if text != expected:
        detail = "The certificate's text is not the record's query."
        problems.append(Problem(where, "text", detail))
    try:
        answer = shop.run(certificate.engine, text, language)
        if certificate.engine in ENGINE_OF.values():
            answer = as_typed(answer, shop.kinds(parsed(record.queries["cypher"])))
    except EngineUnavailable as problem:
        advice = f"`--without {certificate.engine}` leaves out what it ran."
        raise EngineUnavailable(f"{str(problem).rstrip('.')}. {advice}") from problem
    except EngineError as problem:
        return [*problems, Problem(where, "fails", str(problem))], None
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
