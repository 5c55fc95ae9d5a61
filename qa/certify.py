"""A certificate: engines that share no code ran one meaning and gave one answer.

Every execution is held against the referee's probe (the same query with its sort keys and
without its window), so that ties under LIMIT are ties and an ORDER BY is obeyed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engines import NUMBERS_AS_BOOLEANS, family
from engines.base import Result
from engines.compare import Verdict, allowed, answer_hash
from engines.values import as_json
from graph_ir.rewrites import Probe
from graphmill.errors import EngineError, Refused
from graphmill.record import Certificate, Finding

SHOWN = 5
CERTIFICATE = "certificate"  # the check that the findings are of


@dataclass(frozen=True, slots=True)
class Execution:
    """One run of one text: an answer, or why there is none.

    `language` is what the record ships (`cypher`), `dialect` the profile that was run for it.
    """

    engine: str
    version: str
    language: str
    dialect: str
    text: str
    outcome: Result | EngineError | Refused


def certify(
    executions: Sequence[Execution],
    referee: Result,
    probe: Probe,
    shipped: Sequence[str],
    *,
    open_lists: bool = False,
) -> tuple[tuple[Certificate, ...], Finding]:
    """Certificates of all executions that gave an answer, and whether they prove the record.

    `referee` is the answer to `probe.statement`. `shipped` are the languages that engines can
    execute and that need a certificate of their own. `open_lists`: the query collects, and leaves
    the order in its lists open. Codes: `disagrees`, `not-executed`,
    `one-witness`.
    """
    certificates, differing = [], []
    hashes: dict[tuple[str, ...], str] = {}  # by the rows as they are written
    for run in executions:
        if isinstance(run.outcome, Result):
            verdict = _judge(run, run.outcome, referee, probe, open_lists)
            certificates.append(_certificate(run, run.outcome, verdict, hashes))
            if not verdict.ok:
                differing.append((run, verdict))
    if differing:
        return tuple(certificates), _disagreement(differing)
    proven = {c.engine for c in certificates}
    languages = {run.language for run in executions if isinstance(run.outcome, Result)}
    missing = [language for language in shipped if language not in languages]
    if missing:
        failed = [run for run in executions if run.language in missing]
        return tuple(certificates), _not_executed(missing, failed)
    if len({family(name) for name in proven} - {""}) < 2:
        detail = f"Only {', '.join(sorted(proven)) or 'no engine'} gave an answer."
        return tuple(certificates), Finding(CERTIFICATE, False, "one-witness", detail)
    return tuple(certificates), Finding(CERTIFICATE, ok=True)


def _judge(
    run: Execution, answer: Result, referee: Result, probe: Probe, open_lists: bool
) -> Verdict:
    return allowed(
        answer,
        referee,
        keys=probe.keys,
        skip=probe.skip,
        limit=probe.limit,
        rough=probe.rough,
        booleans=run.engine not in NUMBERS_AS_BOOLEANS,
        unordered_lists=open_lists,
    )


def _certificate(
    run: Execution, answer: Result, verdict: Verdict, hashes: dict[tuple[str, ...], str]
) -> Certificate:
    written = tuple(sorted(map(repr, answer.rows)))
    if written not in hashes:
        hashes[written] = answer_hash(answer, ordered=False)
    return Certificate(
        engine=run.engine,
        version=run.version,
        dialect=run.dialect,
        rows=len(answer.rows),
        hash=hashes[written],
        agrees=verdict.ok,
        text=run.text,
    )


def _disagreement(differing: list[tuple[Execution, Verdict]]) -> Finding:
    run, verdict = differing[0]
    names = ", ".join(f"{r.engine} ({r.dialect})" for r, _ in differing)
    return Finding(
        CERTIFICATE,
        ok=False,
        code="disagrees",
        detail=f"{names} and the referee give different answers.",
        evidence={
            "engine": run.engine,
            "dialect": run.dialect,
            "text": run.text,
            "reason": verdict.reason,
            "only_there": as_json(verdict.extra[:SHOWN]),
            "only_referee": as_json(verdict.missing[:SHOWN]),
        },
    )


def _not_executed(missing: list[str], failed: list[Execution]) -> Finding:
    reasons = {f"{run.engine} ({run.dialect})": str(run.outcome) for run in failed}
    detail = f"No engine executed the {' and '.join(missing)} text"
    why = next(iter(reasons.values()), "no engine for it is configured")
    return Finding(
        CERTIFICATE, False, "not-executed", f"{detail}: {why}", evidence={"errors": reasons}
    )
