"""A certificate: engines that share no code ran one meaning and gave one answer.

Every execution is held against the referee's probe (the same query with its sort keys and
without its window), so that ties under LIMIT are ties and an ORDER BY is obeyed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from engines import NUMBERS_AS_BOOLEANS, family
from engines.base import Result
from engines.compare import Verdict, allowed, answer_hash
from engines.values import as_json
from graph_ir.rewrites import Probe
from graphmill.errors import EngineError, Refused
from graphmill.record import Answer, Certificate, Finding

SHOWN = 5
SAMPLE_ROWS = 10
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


@dataclass(frozen=True, slots=True)
class Trial:
    """What is kept of an execution that was held against the referee: its certificate, or the
    `problem` why there is none.

    `answer` is there for a Cypher text. `evidence` says how the answer differs from the referee's,
    where it does.
    """

    engine: str
    language: str
    dialect: str
    problem: str = ""
    certificate: Certificate | None = None
    answer: Answer | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, the inverse of `from_json`."""
        return asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Self:
        """A trial from its JSON form."""
        certificate = raw["certificate"] and Certificate(**raw["certificate"])
        answer = raw["answer"] and Answer.from_json(raw["answer"])
        return cls(**{**raw, "certificate": certificate, "answer": answer})


def tried(
    executions: Iterable[Execution], referee: Result, probe: Probe, *, open_lists: bool = False
) -> list[Trial]:
    """What is kept of executions, each of which is forgotten before the next.

    `referee` is the answer to `probe.statement`. `open_lists`: the query collects, and leaves the
    order in its lists open.
    """
    trials = []
    hashes: dict[tuple[str, ...], str] = {}  # by the rows as they are written
    for run in executions:
        names = run.engine, run.language, run.dialect
        if not isinstance(run.outcome, Result):
            trials.append(Trial(*names, str(run.outcome)))
            continue
        verdict = _judge(run, run.outcome, referee, probe, open_lists)
        certificate = _certificate(run, run.outcome, verdict, hashes)
        answer = _answer(run.outcome, certificate.hash) if run.language == "cypher" else None
        evidence = {} if verdict.ok else _evidence(run, verdict)
        trials.append(Trial(*names, "", certificate, answer, evidence))
    return trials


def certify(
    trials: Sequence[Trial], shipped: Sequence[str]
) -> tuple[tuple[Certificate, ...], Finding]:
    """Certificates of all executions that gave an answer, and whether they prove the record.

    `shipped` are the languages that engines can execute and that need a certificate of their own.
    Codes: `disagrees`, `not-executed`, `one-witness`.
    """
    certificates = tuple(each.certificate for each in trials if each.certificate)
    differing = [each for each in trials if each.evidence]
    if differing:
        return certificates, _disagreement(differing)
    languages = {each.language for each in trials if each.certificate}
    missing = [language for language in shipped if language not in languages]
    if missing:
        failed = [each for each in trials if each.language in missing]
        return certificates, _not_executed(missing, failed)
    proven = {each.engine for each in certificates}
    if len({family(name) for name in proven} - {""}) < 2:
        detail = f"Only {', '.join(sorted(proven)) or 'no engine'} gave an answer."
        return certificates, Finding(CERTIFICATE, False, "one-witness", detail)
    return certificates, Finding(CERTIFICATE, ok=True)


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


def _answer(result: Result, hashed: str) -> Answer:
    sample = tuple(tuple(map(as_json, row)) for row in result.rows[:SAMPLE_ROWS])
    return Answer(result.columns, len(result.rows), hashed, sample)


def _evidence(run: Execution, verdict: Verdict) -> dict[str, Any]:
    return {
        "engine": run.engine,
        "dialect": run.dialect,
        "text": run.text,
        "reason": verdict.reason,
        "only_there": as_json(verdict.extra[:SHOWN]),
        "only_referee": as_json(verdict.missing[:SHOWN]),
    }


def _disagreement(differing: Sequence[Trial]) -> Finding:
    names = ", ".join(f"{each.engine} ({each.dialect})" for each in differing)
    detail = f"{names} and the referee give different answers."
    return Finding(CERTIFICATE, False, "disagrees", detail, differing[0].evidence)


def _not_executed(missing: Sequence[str], failed: Sequence[Trial]) -> Finding:
    reasons = {f"{each.engine} ({each.dialect})": each.problem for each in failed}
    detail = f"No engine executed the {' and '.join(missing)} text"
    why = next(iter(reasons.values()), "no engine for it is configured")
    return Finding(
        CERTIFICATE, False, "not-executed", f"{detail}: {why}", evidence={"errors": reasons}
    )
