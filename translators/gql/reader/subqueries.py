"""VALUE { … } of GQL: one value of a subquery, as Graph-IR has it.

The standard raises an error where such a subquery has two rows (ISO/IEC 39075:2024 clause 20.6),
so only those are read that have one at most.
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graphmill.errors import QueryTextError, Refused, Span


def value_of(query: ir.Statement, span: Span | None) -> ir.Expr:
    """The one value that a query returns; null where it returns no row.

    Raises:
        QueryTextError: it has several columns.
        Refused: it could have several rows.
    """
    if isinstance(query, ir.Union):
        raise Refused("value-subquery", "VALUE", "It could have several rows.", span)
    last = query.clauses[-1]
    if not isinstance(last, ir.Project) or not last.final:
        raise _wrong("VALUE { … } ends with RETURN of one column.", span)
    if len(last.items) != 1:
        raise _wrong("VALUE { … } returns one column.", span)
    item = last.items[0]
    one_row = last.group == () and not last.distinct and last.skip is None and last.limit is None
    if one_row and item.expr == ir.Agg("count"):
        return ir.CountOf(_body(query), span=span)
    picked = _picked(query.clauses, item.expr, span)
    if picked is not None:
        return picked
    if one_row or last.limit in (ir.Literal(1), ir.Literal(0)):
        return ir.Call("head", (ir.CollectOf(query, span=span),), span=span)
    raise Refused(
        "value-subquery",
        "VALUE",
        "The subquery could have several rows, which is an error: aggregate, or LIMIT 1.",
        span,
    )


def counted(query: ir.Statement, span: Span | None) -> ir.Expr:
    """`COUNT { … }`."""
    return ir.CountOf(query, span=span)


def _body(query: ir.Query) -> ir.Query:
    """The rows that `RETURN COUNT(*)` counts: what stands before it."""
    before = query.clauses[:-1]
    if before:
        last = before[-1]
        if isinstance(last, ir.Project) and last.where is None:
            before = (*before[:-1], replace(last, final=True))
        return replace(query, clauses=before)
    one = ir.Project((ir.Item(ir.Literal(1), "one"),), final=True)
    return ir.Query((one,), span=query.span)


def _picked(clauses: tuple[ir.Clause, ...], result: ir.Expr, span: Span | None) -> ir.Expr | None:
    """`FOR x IN l WITH OFFSET i FILTER i = place RETURN x`: one item of a list."""
    match clauses:
        case (
            ir.Unwind(ir.Call("range", (ir.Literal(0), _)), place),
            ir.Project(items=(_, ir.Item(ir.Index(listed, ir.Var(at)), item))),
            ir.Project(
                items=(_,),
                where=ir.Compare(ir.CompareOp.EQ, ir.Var(tested), wanted),
                order=(), distinct=False, limit=None, skip=None,
            ),
            ir.Project(order=(), distinct=False, limit=None, skip=None, group=None),
        ) if at == place == tested:  # fmt: skip
            index = _index(wanted, listed)
            if index is None:
                return None
            chosen = ir.Index(listed, index, span=span)
            if result == ir.Var(item):
                return chosen
            if isinstance(result, ir.Prop) and result.base == ir.Var(item):
                return ir.Prop(chosen, result.key, span=span)
    return None


def _index(wanted: ir.Expr, listed: ir.Expr) -> ir.Expr | None:
    """The index that a place means: one from the end is counted by the length of the list."""
    match wanted:
        case ir.Literal(int(value)) if value >= 0:
            return wanted
        case ir.Arith(ir.ArithOp.SUB, ir.Call("size", (base,)), ir.Literal(int(value))) if (
            base == listed and value > 0
        ):
            return ir.Literal(-value, span=wanted.span)
        case ir.Case(
            (ir.When(ir.Compare(ir.CompareOp.LT, at, ir.Literal(0)), end),), default, None
        ) if at == default and end == ir.Arith(ir.ArithOp.ADD, ir.Call("size", (listed,)), at):
            return at
    return None


def _wrong(message: str, span: Span | None) -> QueryTextError:
    place = span or Span(1, 1)
    return QueryTextError(message, code="value-subquery", line=place.line, column=place.column)
