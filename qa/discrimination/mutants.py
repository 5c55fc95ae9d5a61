"""Mutants of a query: the same query with one thing changed, as a careless author would change it.

Each operator has a name (`OPERATORS`). It looks at one node of the bound statement at a time and
says what could stand there instead; what does not bind on the schema is dropped. The choice is
stratified: one mutant of each operator that applies, then a second of each, up to the cap.

Source: mutation analysis of queries (Tuya, Suárez-Cabal, de la Riva: "Mutating database queries",
Information and Software Technology 49, 2007), its operators carried over to graph patterns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache
from random import Random
from typing import Any

from graph_ir import nodes as ir
from graph_ir.bind import bind
from graph_ir.walk import find
from qa.discrimination.operators import clauses, patterns, predicates
from qa.discrimination.operators.context import Context, Values, keys_read
from qa.fuzz.shrink import regrouped
from schemagraph.model import SchemaGraph

OPERATORS: tuple[str, ...] = (*predicates.NAMES, *patterns.NAMES, *clauses.NAMES)
CAP = 14

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
) -> tuple[Mutant, ...]:
    """Mutants of a bound statement, at most `cap`; the same seed, the same mutants.

    `values` gives other values of a property (owner, name), for changed constants.
    """
    known = {found.code for found in bind(statement, schema).errors}
    context = Context(schema, values or (lambda owner, name: ()), keys_read(statement))
    drawn: dict[str, list[ir.Statement]] = {name: [] for name in OPERATORS}
    for name, changed in _variants(statement, context):
        drawn[name].append(changed)
    for made in drawn.values():
        rng.shuffle(made)
    grouped = any(p.group is not None for p in find(statement, ir.Project))
    chosen: list[Mutant] = []
    seen = {statement}
    while any(drawn.values()) and (cap is None or len(chosen) < cap):
        for name, made in drawn.items():
            if cap is not None and len(chosen) >= cap:
                break
            while made:
                changed = regrouped(made.pop()) if grouped else made.pop()
                if changed in seen:
                    continue
                seen.add(changed)
                bound = bind(changed, schema)
                if {found.code for found in bound.errors} <= known:
                    chosen.append(Mutant(name, bound.statement))
                    break
    return tuple(chosen)


def _variants(node: Any, context: Context) -> Iterator[tuple[str, Any]]:
    """(operator, the node changed by it), for the node and every node below it."""
    for family in (predicates, patterns, clauses):
        yield from family.variants(node, context)
    inside = context.inside(node)
    for name in _fields(node.__class__):
        value = getattr(node, name)
        if isinstance(value, ir.Node):
            for operator, changed in _variants(value, inside):
                yield operator, _with(node, name, changed)
        elif isinstance(value, tuple):
            for number, item in enumerate(value):
                if isinstance(item, ir.Node):
                    for operator, changed in _variants(item, inside):
                        yield (
                            operator,
                            _with(node, name, (*value[:number], changed, *value[number + 1 :])),
                        )


def _with(node: Any, name: str, value: Any) -> Any:
    """The node with one field changed; quicker than `dataclasses.replace`."""
    changed = object.__new__(node.__class__)
    for each in _all_fields(node.__class__):
        object.__setattr__(changed, each, value if each == name else getattr(node, each))
    return changed


@cache
def _fields(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind) if f.init and f.name not in _SKIPPED)


@cache
def _all_fields(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind))
