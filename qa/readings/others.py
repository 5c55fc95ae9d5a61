"""Oneself among others, pairs counted twice, one edge used twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from graph_ir import nodes as ir
from graph_ir.canonical import canonical
from graph_ir.lowerings import conjunction, conjuncts
from graph_ir.walk import find
from qa.mutation.operators.patterns import meets_itself
from qa.readings.shape import Stage, both, key_of, named_nodes, read_by, renamed, stages
from schemagraph.model import SchemaGraph


def without_oneself(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Two things of one type that the query does not keep apart, and its question does."""
    for stage in stages(query):
        for one, other in _alike(stage):
            where = ir.Compare(ir.CompareOp.NE, ir.Var(one), ir.Var(other))
            changed = _with_condition(stage, where, (one, other))
            if changed is not None:
                yield changed


def oneself_too(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Two things that the query keeps apart, and its question does not: what a part is built into
    is another part, unless the parts go in a circle."""
    for at, clause in enumerate(query.clauses):
        if not isinstance(clause, ir.Match):
            continue
        parts = list(conjuncts(clause.where))
        for place, part in enumerate(parts):
            if _is_apart(part):
                rest = conjunction(*parts[:place], *parts[place + 1 :])
                changed = replace(clause, where=rest)
                yield replace(
                    query, clauses=(*query.clauses[:at], changed, *query.clauses[at + 1 :])
                )


def _is_apart(part: ir.Expr) -> bool:
    """Whether a condition only says that two variables are different things."""
    match part:
        case ir.Compare(ir.CompareOp.NE, ir.Var(), ir.Var()):
            return True
    return False


def with_oneself(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """One edge used twice, so that a thing is among those that share something with it."""
    for at, clause in enumerate(query.clauses):
        if (
            isinstance(clause, ir.Match)
            and clause.mode is ir.MatchMode.DIFFERENT_EDGES
            and meets_itself(clause)
        ):
            changed = replace(clause, mode=ir.MatchMode.REPEATABLE)
            yield replace(query, clauses=(*query.clauses[:at], changed, *query.clauses[at + 1 :]))


def pairs_once(query: ir.Query, schema: SchemaGraph) -> Iterator[ir.Query]:
    """Each pair of a pattern that is the same from both sides, in one order."""
    stage = list(stages(query))[-1]
    nodes = named_nodes(stage.before)
    for one, other in combinations(nodes, 2):
        if nodes[one].type.of != nodes[other].type.of or not {one, other} <= set(
            read_by(stage.project)
        ):
            continue
        low, high = key_of(one, nodes[one], schema), key_of(other, nodes[other], schema)
        if low is None or high is None or _apart(stage, one, other, _ORDERS):
            continue
        if not _symmetric(stage.before, one, other):
            continue
        order = ir.Compare(ir.CompareOp.LT, low, high)
        changed = _with_condition(stage, order, (one, other))
        if changed is not None:
            yield changed


def _alike(stage: Stage) -> Iterator[tuple[str, str]]:
    nodes = named_nodes(stage.before)
    for one, other in combinations(nodes, 2):
        same = nodes[one].type.of == nodes[other].type.of and len(nodes[one].type.of) == 1
        if same and not _apart(stage, one, other, _ORDERS | {ir.CompareOp.NE}):
            yield one, other


_ORDERS = frozenset({ir.CompareOp.LT, ir.CompareOp.GT})


def _apart(stage: Stage, one: str, other: str, by: frozenset[ir.CompareOp]) -> bool:
    """Whether a condition keeps two things apart already, by one of some comparisons."""
    for clause in stage.before:
        for part in conjuncts(clause.where) if isinstance(clause, ir.Match) else ():
            if isinstance(part, ir.Compare) and part.op in by:
                sides = [{v.name for v in find(side, ir.Var)} for side in (part.left, part.right)]
                if sides in ([{one}, {other}], [{other}, {one}]):
                    return True
    return False


def _with_condition(stage: Stage, condition: ir.Expr, names: tuple[str, str]) -> ir.Query | None:
    """The query with one more condition on the last MATCH that binds one of the names."""
    clauses = list(stage.before)
    for at in reversed(range(len(clauses))):
        clause = clauses[at]
        if isinstance(clause, ir.Match) and set(names) & set(named_nodes((clause,))):
            clauses[at] = replace(clause, where=both(clause.where, condition))
            return stage.with_clauses(*clauses, stage.project)
    return None


def _symmetric(clauses: tuple[ir.Clause, ...], one: str, other: str) -> bool:
    """Whether a pattern says the same with two of its things exchanged."""
    shown = tuple(ir.Item(ir.Var(name), name) for name in (one, other))
    turned = {one: other, other: one}
    plain = ir.Query((*clauses, ir.Project(shown, final=True)))
    swapped = ir.Query(
        (*(renamed(clause, turned) for clause in clauses), ir.Project(shown, final=True))
    )
    return canonical(plain) == canonical(swapped)
