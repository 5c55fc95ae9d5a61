"""Masks take entities of the graph: those for which the query has an answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from engines.base import Result
from generators.masked.base import MaskedPair, constants, filled
from generators.queries.base import Ground
from graph_ir import nodes as ir
from graph_ir.walk import find

POOL = 200  # entities that are drawn from
TRIES = 3


@dataclass(frozen=True, slots=True)
class Filled:
    """A pair whose masks have entities: their values by mask, the query, its answer."""

    pair: MaskedPair
    values: dict[str, Any]
    statement: ir.Query
    answer: Result

    @property
    def names(self) -> dict[str, str]:
        """What stands in the question for each mask."""
        return {name: str(value) for name, value in self.values.items()}


def fill(pair: MaskedPair, ground: Ground, rng: Random) -> Filled | str:
    """The pair with entities for which it has an answer; else the code of why there is none.

    Codes: `no-instance` (no such path in the data), `no-answer` (it failed or took too long),
    `empty-answer` (nothing, only NULL, or a lone 0).
    """
    if not pair.masks:
        return _answered(pair, {}, ground)
    rows = list(_entities(pair, ground))
    if not rows:
        return "no-instance"
    rng.shuffle(rows)
    outcome: Filled | str = "no-instance"
    for row in rows[:TRIES]:
        values = dict(zip((mask.name for mask in pair.masks), row, strict=True))
        outcome = _answered(pair, values, ground)
        if isinstance(outcome, Filled):
            return outcome
    return outcome


def _answered(pair: MaskedPair, values: dict[str, Any], ground: Ground) -> Filled | str:
    statement = filled(pair.statement, constants(pair, values, ground.schema))
    answer = ground.ask(statement)
    if answer is None:
        return "no-answer"
    cells = [value for row in answer.rows for value in row]
    if all(value is None for value in cells) or (len(answer.rows) == 1 and not any(cells)):
        return "empty-answer"
    return Filled(pair, values, statement, answer)


def _entities(pair: MaskedPair, ground: Ground) -> Iterator[tuple[Any, ...]]:
    """Values of the masks for which the pattern is there, in their order."""
    match = pair.statement.clauses[0]
    if not isinstance(match, ir.Match):
        return
    paths = []
    masked: dict[str, ir.Prop] = {}
    for path in match.paths:
        steps = tuple(replace(s, node=_open(s.node, masked)) for s in path.steps)
        paths.append(replace(path, head=_open(path.head, masked), steps=steps))
    if set(masked) != {mask.name for mask in pair.masks}:
        return
    items = tuple(ir.Item(masked[mask.name], f"mask_{mask.name}") for mask in pair.masks)
    last = ir.Project(
        items,
        distinct=True,
        order=tuple(ir.SortKey(ir.Var(item.alias)) for item in items),
        limit=ir.Literal(POOL),
        final=True,
    )
    result = ground.ask(ir.Query((replace(match, paths=tuple(paths)), last)))
    for row in result.rows if result is not None else ():
        if all(value not in (None, "") for value in row):
            yield row


def _open(node: ir.NodePattern, masked: dict[str, ir.Prop]) -> ir.NodePattern:
    """The pattern without its masks, which are noted."""
    if not isinstance(node.props, ir.MapOf) or node.var is None:
        return node
    kept = []
    for entry in node.props.entries:
        if isinstance(entry.value, ir.Param):
            masked[entry.value.name] = ir.Prop(ir.Var(node.var), entry.key)
        else:
            kept.append(entry)
    return replace(node, props=ir.MapOf(tuple(kept)) if kept else None)


def reads(statement: ir.Query) -> set[str]:
    """The names of the parameters in a query."""
    return {param.name for param in find(statement, ir.Param)}
