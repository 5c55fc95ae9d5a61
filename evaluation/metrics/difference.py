"""The class of an error, from the difference of two statements; and the smallest repair."""

from __future__ import annotations

from dataclasses import dataclass

from graph_ir import nodes as ir


@dataclass(frozen=True, slots=True)
class Difference:
    """What kind of error it is, which parts differ, and the steps that mend it."""

    category: str
    details: tuple[str, ...] = ()
    repair: tuple[str, ...] = ()


def classify(
    gold: ir.Statement, predicted: ir.Statement | None, *, right: bool, code: str, parses: bool
) -> Difference:
    """The class of a prediction that is not the gold query.

    `code` is the error of what was not read or not run.
    """
    if right:
        return Difference("harmless")
    if not parses:
        return Difference("idiom" if code == "sql" else "syntax")
    return Difference(code or "unclassified")
