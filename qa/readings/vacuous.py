"""Vacuous parts: a clause or a condition that provably changes nothing.

What `qa.mutation.proofs` proves of a mutant that lost a condition, or whose OPTIONAL became a
MATCH, holds on every graph of the schema: the query says something that means nothing. Beside
these proofs: conditions that others imply, and an OPTIONAL for what everything has.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from graph_ir import nodes as ir
from graph_ir.bind.statements import bound
from graph_ir.lowerings import conjuncts
from graph_ir.walk import find
from graphmill.record import Finding
from qa.mutation.analysis import shown_text
from qa.mutation.mutants import mutants
from qa.mutation.proofs import Prover
from schemagraph.model import SchemaGraph

OPERATORS = frozenset({"dropped-predicate", "inner-for-optional"})

_LOW = frozenset({ir.CompareOp.GT, ir.CompareOp.GE})
_HIGH = frozenset({ir.CompareOp.LT, ir.CompareOp.LE})


def vacuous_part(statement: ir.Statement, schema: SchemaGraph) -> Finding:
    """Whether every part of a statement means something; the code is `vacuous-part`."""
    own = bound(statement, schema).statement
    reason = next(_implied(own), "") or next(_never_missing(own, schema), "")
    if reason:
        return Finding("vacuous-part", False, "vacuous-part", reason)
    prover: Prover | None = None
    for mutant in mutants(own, schema, Random(0), cap=None, operators=OPERATORS):  # noqa: S311
        prover = prover or Prover(own, schema)
        if proof := prover.proof(mutant.statement):
            text = shown_text(mutant.statement)
            detail = f"A part of the query changes nothing ({mutant.operator}, {proof}): {text}"
            evidence = {"operator": mutant.operator, "proof": proof, "cypher": text}
            return Finding("vacuous-part", False, "vacuous-part", detail, evidence)
    return Finding("vacuous-part", ok=True)


def _implied(statement: ir.Statement) -> Iterator[str]:
    """Conditions of one conjunction that another one of it implies."""
    for clause in find(statement, ir.Match, ir.Project):
        parts = conjuncts(clause.where) if isinstance(clause, ir.Match | ir.Project) else ()
        for number, part in enumerate(parts):
            for other in (*parts[:number], *parts[number + 1 :]):
                if implies(other, part) and not (implies(part, other) and number == 0):
                    yield "A condition of the query follows from another one beside it."


def implies(one: ir.Expr, other: ir.Expr) -> bool:
    """Whether the other condition holds wherever the one does, by their constants alone."""
    if one == other:
        return True
    match one, other:
        case (
            ir.Compare(first, left, ir.Literal(value)),
            ir.Compare(second, same, ir.Literal(bound_)),
        ) if left == same and _comparable(value, bound_):
            return _follows(first, value, second, bound_)
        case (
            ir.Compare(ir.CompareOp.EQ, left, ir.Literal() as only),
            ir.In(same, ir.ListOf(items)),
        ):
            return left == same and only in items
    return False


def _comparable(one: object, other: object) -> bool:
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in (one, other))
    return numbers or all(isinstance(v, str) for v in (one, other))


def _follows(first: ir.CompareOp, value: object, second: ir.CompareOp, limit: object) -> bool:
    """Whether `x first value` implies `x second limit`."""
    below = value < limit  # type: ignore[operator] # both numbers, or both texts
    same, op = value == limit, ir.CompareOp
    match second:
        case op.GT:
            above = not below and not same
            return (above and first in {op.GT, op.GE, op.EQ}) or (same and first is op.GT)
        case op.GE:
            return not below and first in {op.GT, op.GE, op.EQ}
        case op.LT:
            return (below and first in {op.LT, op.LE, op.EQ}) or (same and first is op.LT)
        case op.LE:
            return (below or same) and first in {op.LT, op.LE, op.EQ}
        case op.EQ:
            return same and first is op.EQ
        case op.NE:
            if first is op.EQ:
                return not same
            if same:
                return first in {op.LT, op.GT, op.NE}
            return first in (_HIGH if below else _LOW)
    return False


def _never_missing(statement: ir.Statement, schema: SchemaGraph) -> Iterator[str]:
    """OPTIONAL MATCH of one edge that every node of its type has, as the schema declares."""
    for match in find(statement, ir.Match):
        if not match.optional or match.where is not None or len(match.paths) != 1:
            continue
        path = match.paths[0]
        if len(path.steps) != 1 or path.head.var is None or path.head.where or path.head.props:
            continue
        edge, far = path.steps[0].edge, path.steps[0].node
        if not isinstance(edge, ir.EdgePattern) or edge.hops or edge.props or edge.where:
            continue
        if far.props or far.where or edge.direction is ir.Direction.BOTH:
            continue
        out = edge.direction is ir.Direction.OUT
        own = [schema.edge_by_name[n] for n in edge.type.of if n in schema.edge_by_name]
        starts = {
            e.source if out else e.target for e in own if (e.targets if out else e.sources) == "1"
        }
        ends = {e.target if out else e.source for e in own}
        if path.head.type.of and set(path.head.type.of) <= starts and ends <= set(far.type.of):
            yield "An OPTIONAL MATCH of the query asks for what everything has there."
