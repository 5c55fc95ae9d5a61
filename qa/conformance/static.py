"""Dialects that no engine runs: what they say of the matrix, and what their judges take of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum

from engines.judges.process import Judge
from graphmill.errors import Diagnostic, QueryTextError, Refused
from qa.conformance.trials import Constants, Trial
from schemagraph.model import SchemaGraph
from translators.ngql.grammar.check import check as check_ngql
from translators.render import render

type Check = Callable[[str], list[Diagnostic]]


class Saying(StrEnum):
    """What a dialect without an engine makes of cells."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"  # by the judge: a fault of ours
    REFUSED = "refused"
    INVALID = "invalid"  # Cypher itself has no such text


@contextmanager
def judge_of(dialect: str, schema: SchemaGraph) -> Iterator[Check]:
    """The judge of a dialect's texts.

    Raises:
        EngineUnavailable: the judge cannot be started.
    """
    if dialect == "ngql":
        yield check_ngql
        return
    with Judge("googlesql", schema) as judge:
        yield judge.check


def sayings(
    trial: Trial, dialect: str, schema: SchemaGraph, check: Check
) -> Iterator[tuple[Saying, int, str, str]]:
    """For each text: what it is, of how many cells, why, and the text.

    Constants are said one by one, all else of a trial together.
    """
    every = range(len(trial.values))
    for cells in [[cell] for cell in every] if isinstance(trial, Constants) else [list(every)]:
        try:
            text = render(trial.statement(cells), dialect, schema).text
        except Refused as problem:
            yield Saying.REFUSED, len(cells), problem.code, ""
        except QueryTextError as problem:
            yield Saying.INVALID, len(cells), problem.code, ""
        else:
            errors = [each for each in check(text) if each.severity == "error"]
            state = Saying.REJECTED if errors else Saying.ACCEPTED
            yield state, len(cells), errors[0].message if errors else "", text


def counted(
    trials: Iterable[Trial], dialect: str, schema: SchemaGraph, check: Check
) -> tuple[Counter[Saying], list[tuple[str, str, str]]]:
    """Cells by what became of them, and (construct, message, text) of what the judge rejects."""
    counts: Counter[Saying] = Counter()
    rejected = []
    for trial in trials:
        for state, cells, reason, text in sayings(trial, dialect, schema, check):
            counts[state] += cells
            if state is Saying.REJECTED:
                rejected.append((trial.construct, reason, text))
    return counts, rejected
