"""UNION, EXCEPT, INTERSECT and OTHERWISE of GQL (ISO/IEC 39075:2024 clause 14.2)."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.cypher.scanning import Token
from graph_ir.variables import columns
from graphmill.errors import QueryTextError, Refused

MARK = "side"


def combined(left: ir.Statement, right: ir.Statement, operator: Token, all_: bool) -> ir.Statement:
    """Two statements joined by a set operator.

    Raises:
        QueryTextError: their columns have other names.
        Refused: the operator counts equal rows, or asks for the one or the other side.
    """
    names = columns(left)
    if set(names) != set(columns(right)) or not names:
        raise QueryTextError(
            f"Both sides of {operator.type} need the same columns: the left has "
            f"{', '.join(names) or 'none'}, the right {', '.join(columns(right)) or 'none'}.",
            code="union-columns",
            line=operator.line,
            column=operator.column,
        )
    if operator.type == "UNION":
        return _union(left, right, all_, operator)
    if operator.type == "OTHERWISE" or all_:
        raise Refused(
            "set-operator",
            f"{operator.type}{' ALL' if all_ else ''}",
            "Only UNION, EXCEPT DISTINCT and INTERSECT DISTINCT are translated.",
            operator.span,
        )
    return _marked(left, right, names, operator)


def _union(left: ir.Statement, right: ir.Statement, all_: bool, operator: Token) -> ir.Union:
    if isinstance(right, ir.Union):
        right = _query(right)
    if isinstance(left, ir.Union) and left.all != all_:
        left = _query(left)
    return ir.Union(left, right, all_, span=operator.span)


def _query(union: ir.Statement) -> ir.Query:
    if isinstance(union, ir.Query):
        return union
    items = tuple(ir.Item(ir.Var(name), name) for name in columns(union))
    return ir.Query(
        (ir.Subquery(union, (), span=union.span), ir.Project(items, final=True)), span=union.span
    )


def _marked(
    left: ir.Statement, right: ir.Statement, names: tuple[str, ...], operator: Token
) -> ir.Query:
    """Rows of both sides with a mark, grouped: `graph_ir.setops` knows this form."""
    mark = MARK
    while mark in names:
        mark += "_"
    sides = [_with_mark(_query(side), mark, number) for number, side in enumerate((left, right), 1)]
    union = ir.Union(sides[0], sides[1], True, span=operator.span)
    low, high = f"first_{mark}", f"last_{mark}"
    keys = tuple(ir.Item(ir.Var(name), name) for name in names)
    tests = {
        "INTERSECT": ir.Compare(ir.CompareOp.LT, ir.Var(low), ir.Var(high)),
        "EXCEPT": ir.Compare(ir.CompareOp.EQ, ir.Var(high), ir.Literal(1)),
    }
    marks = (
        ir.Item(ir.Agg("min", (ir.Var(mark),)), low),
        ir.Item(ir.Agg("max", (ir.Var(mark),)), high),
    )
    grouped = ir.Project(
        (*keys, *(marks if operator.type == "INTERSECT" else marks[1:])),
        where=tests[operator.type],
        group=tuple(item.expr for item in keys),
    )
    final = ir.Project(keys, final=True)
    return ir.Query((ir.Subquery(union, ()), grouped, final), span=operator.span)


def _with_mark(query: ir.Query, mark: str, number: int) -> ir.Query:
    last = query.clauses[-1]
    assert isinstance(last, ir.Project)  # noqa: S101 - it has columns
    item = ir.Item(ir.Literal(number), mark)
    if last.group is None and not last.distinct:
        return replace(
            query, clauses=(*query.clauses[:-1], replace(last, items=(*last.items, item)))
        )
    names = tuple(ir.Item(ir.Var(each.alias), each.alias) for each in last.items)
    final = ir.Project((*names, item), final=True)
    return replace(query, clauses=(*query.clauses[:-1], replace(last, final=False), final))
