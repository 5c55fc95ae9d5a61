"""Mutants of a query: the same query with one thing changed, as a careless author would change it.

Each operator has a name (`OPERATORS`). It looks at one node of the bound statement at a time and
says what could stand there instead; what does not bind on the schema is dropped. The choice is
stratified: one mutant of each operator that applies, then a second of each, up to the cap.

Source: mutation analysis of queries (Tuya, Suárez-Cabal, de la Riva: "Mutating database queries",
Information and Software Technology 49, 2007), its operators carried over to graph patterns.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from functools import cache
from random import Random
from typing import Any

from graph_ir import nodes as ir
from graph_ir.bind.statements import Rebinder
from graph_ir.walk import find, with_fields
from qa.fuzz.shrink import regrouped
from qa.mutation.operators import clauses, patterns, predicates
from qa.mutation.operators.context import Context, Values, keys_read
from schemagraph.model import SchemaGraph

OPERATORS: tuple[str, ...] = (*predicates.NAMES, *patterns.NAMES, *clauses.NAMES)
CAP = 14

_PLAIN = (ir.Literal, ir.Var, ir.LabelName)  # no operator changes these, or has anything below
_SKIPPED = frozenset({"span", "type", "kind", "group", "form"})


@dataclass(frozen=True, slots=True)
class Mutant:
    """A statement that differs from the query by one use of one operator; it is bound."""

    operator: str
    statement: ir.Statement


def mutants(
    statement: ir.Statement,
    schema: SchemaGraph,
    rng: Random,
    *,
    values: Values | None = None,
    cap: int | None = CAP,
    operators: Collection[str] = OPERATORS,
) -> tuple[Mutant, ...]:
    """Mutants of a bound statement, at most `cap`, by some operators; the same seed, the same
    mutants.

    `values` gives other values of a property (owner, name), for changed constants.
    """
    rebinder = Rebinder(statement, schema)
    known = {error.code for error in rebinder.bound.errors}
    context = Context(schema, values or (lambda owner, name: ()), keys_read(statement))
    drawn: dict[str, list[_Edit]] = {name: [] for name in OPERATORS}
    _collect(rebinder.bound.statement, None, context, drawn)
    drawn = {name: made for name, made in drawn.items() if name in operators}
    for made in drawn.values():
        rng.shuffle(made)
    grouped = any(p.group is not None for p in find(statement, ir.Project))
    own = rebinder.bound.statement
    chosen: list[Mutant] = []
    seen = [statement]
    while any(drawn.values()) and (cap is None or len(chosen) < cap):
        for name, made in drawn.items():
            if cap is not None and len(chosen) >= cap:
                break
            while made:
                changed = _made(*made.pop())
                changed = _regrouped(changed, own) if grouped else changed
                if changed in seen:
                    continue
                seen.append(changed)
                bound = rebinder.bind(changed)
                if {error.code for error in bound.errors} <= known:
                    chosen.append(Mutant(name, bound.statement))
                    break
    return tuple(chosen)


def _regrouped(changed: ir.Statement, own: ir.Statement) -> ir.Statement:
    """`regrouped`, which looks at those clauses only that are not the query's."""
    if not (isinstance(changed, ir.Query) and isinstance(own, ir.Query)):
        return regrouped(changed)
    known = set(map(id, own.clauses))
    clauses = [each if id(each) in known else regrouped(each) for each in changed.clauses]
    return with_fields(changed, {"clauses": tuple(clauses)})


type _Trail = tuple[_Trail, ir.Node, str, int] | None
"""The way up from a node: its parent's trail, the parent, the field, and the place in a tuple or
-1."""

type _Edit = tuple[_Trail, Any]
"""A node's trail, and what could stand in its place."""


def _collect(node: ir.Node, trail: _Trail, context: Context, edits: dict[str, list[_Edit]]) -> None:
    """The edits of the node and of every node below it, by operator."""
    if isinstance(node, _PLAIN):
        return
    for family in (predicates, patterns, clauses):
        for operator, changed in family.variants(node, context):
            edits[operator].append((trail, changed))
    inside = context.inside(node)
    kind: Any = type(node)
    for name in _fields(kind):
        value = getattr(node, name)
        if isinstance(value, ir.Node):
            _collect(value, (trail, node, name, -1), inside, edits)
        elif isinstance(value, tuple):
            for number, item in enumerate(value):
                if isinstance(item, ir.Node):
                    _collect(item, (trail, node, name, number), inside, edits)


def _made(trail: _Trail, changed: Any) -> ir.Statement:
    """The whole statement with an edit."""
    while trail is not None:
        trail, node, name, at = trail
        if at >= 0:
            items = getattr(node, name)
            changed = (*items[:at], changed, *items[at + 1 :])
        changed = with_fields(node, {name: changed})
    statement: ir.Statement = changed
    return statement


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.init and f.name not in _SKIPPED)
