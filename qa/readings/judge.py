"""The readings of a pair with their outcomes, and the repair of a query that has plainer ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.coverage import groups
from graph_ir.difficulty import tier
from graph_ir.features import features
from graphmill.record import Finding, Outcome, Reading
from qa.mutation.analysis import Ask, shown_text
from qa.mutation.interpreter.elements import MemoryGraph
from qa.readings.derive import NAMES, READINGS, Variant, rewritten, variants
from qa.readings.trial import Trial
from qa.readings.wordings import Wording
from schemagraph.model import SchemaGraph

REPAIRABLE = tuple(name for name, kind in READINGS.items() if kind.repair is not None)


@dataclass(frozen=True, slots=True)
class Judgement:
    """The readings of a pair; `apart` are those that differ and are left open, with their text."""

    readings: tuple[Reading, ...]
    apart: tuple[tuple[str, str, str], ...] = ()

    def finding(self) -> Finding:
        """Whether the question can be read in one way only; the code is `ambiguous-reading`."""
        if not self.apart:
            return Finding("readings", ok=True)
        shown = "; ".join(f"{name} ({level}): {text}" for name, level, text in self.apart[:3])
        detail = f"Another plain reading of the question gives another answer. {shown}"
        evidence = {
            "readings": [
                {"reading": name, "level": level, "cypher": text}
                for name, level, text in self.apart
            ]
        }
        return Finding("readings", False, "ambiguous-reading", detail, evidence)


def judge(
    statement: ir.Statement,
    schema: SchemaGraph,
    wordings: Sequence[Wording],
    small: Sequence[MemoryGraph],
    ask: Ask | None,
    repaired: Collection[str] = (),
) -> Judgement:
    """Try the readings of a bound statement that its wordings leave open or settle.

    `repaired` are those that the query had, and was changed for.
    """
    wanted = frozenset().union(*(each.left_open | each.settled for each in wordings))
    trial = Trial(statement, small, ask)
    by_name: dict[str, list[Variant]] = {}
    for variant in variants(statement, schema, wanted):
        by_name.setdefault(variant.reading, []).append(variant)
    readings: list[Reading] = []
    apart: list[tuple[str, str, str]] = []
    for name in NAMES:
        if name in repaired:
            readings += [Reading(name, each.level, "repaired") for each in wordings]
            continue
        if name not in by_name:
            continue
        verdict, other = _verdict(trial, by_name[name])
        for each in wordings:
            if name in each.left_open or name in each.settled:
                outcome = _outcome(verdict, settled=name in each.settled)
                readings.append(Reading(name, each.level, outcome))
                if outcome == "differs":
                    apart.append((name, each.level, "" if other is None else shown_text(other)))
    return Judgement(tuple(readings), tuple(apart))


def _verdict(trial: Trial, rewrites: Sequence[Variant]) -> tuple[bool | None, ir.Statement | None]:
    """Whether any of a reading's rewrites differs, and which; None where one is not known."""
    known: bool | None = False
    for variant in rewrites:
        differs = trial.differs(variant)
        if differs:
            return True, variant.statement
        known = None if differs is None else known
    return known, None


def _outcome(differs: bool | None, *, settled: bool) -> Outcome:
    if differs is None:
        return "unknown"
    if not differs:
        return "harmless"
    return "said" if settled else "differs"


def repair(
    statement: ir.Statement, schema: SchemaGraph, ask: Ask | None
) -> tuple[ir.Statement, tuple[str, ...]]:
    """A statement with the plain reading where the shipped data tell both apart, and which these
    are; it stays as it is where the repair would be of another tier, or of a group no more."""
    done: list[str] = []
    for name in REPAIRABLE:
        own = bound(statement, schema).statement
        if not isinstance(own, ir.Query):
            break
        trial = Trial(own, (), ask)
        if any(trial.differs_on_shipped(v.statement) for v in variants(own, schema, (name,))):
            better = next(_repairs(own, schema, name), None)
            if better is not None:
                statement = better
                done.append(name)
    return statement, tuple(done)


def _repairs(own: ir.Query, schema: SchemaGraph, name: str) -> Iterator[ir.Statement]:
    mend = READINGS[name].repair
    before = features(own)
    for better in rewritten(own, schema, mend) if mend is not None else ():
        after = features(better)
        if tier(after) == tier(before) and groups(after) >= groups(before):
            yield better
