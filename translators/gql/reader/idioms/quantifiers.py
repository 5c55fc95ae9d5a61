"""Quantifiers and memberships that GQL says by EXISTS and COUNT of the rows of a list.

`EXISTS {FOR x IN l FILTER p RETURN x}` is `any(x IN l WHERE p)` where null and false do the same.
"""

from __future__ import annotations

import re
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.types import BOOLEAN, TRUTH
from graph_ir.walk import find
from translators.gql.emit.values import nullable
from translators.gql.reader.idioms.rows import ItemRows, can_be_null, existing_rows, item_rows

_ITEM = re.compile(r"item(?:_\d+)?")

_TRUE = ir.Literal(True)


def any_of(rows: ItemRows) -> ir.Expr:
    """`any(x IN l WHERE p)`, or `y IN l`."""
    test = rows.test if rows.test is not None else _TRUE
    member = _member(rows)
    type = BOOLEAN if can_be_null(rows) else TRUTH
    if member is not None:
        return ir.In(member, rows.list, span=test.span, type=type)
    kind = ir.QuantifierKind.ANY
    return ir.Quantifier(kind, rows.var, rows.list, test, span=test.span, type=type)


def _member(rows: ItemRows) -> ir.Expr | None:
    """What is looked for in a list, where the item is only compared with it."""
    match rows.test:
        case ir.Compare(ir.CompareOp.EQ, ir.Var(name), value) if (
            name == rows.var
            and _ITEM.fullmatch(name)
            and not any(var.name == name for var in find(value, ir.Var))
        ):
            return value
    return None


def as_condition(node: ir.Expr) -> ir.Expr:
    """A predicate where null and false do the same."""
    match node:
        case ir.Bool(ir.BoolOp.AND, args):
            parts = _conjunction(args)
            return parts[0] if len(parts) == 1 else replace(node, args=tuple(parts))
        case ir.Bool(ir.BoolOp.OR, args):
            return replace(node, args=tuple(as_condition(arg) for arg in args))
        case ir.Not(arg):
            return _negated_exists(arg, None) or node
        case ir.Exists():
            rows = item_rows(node.query)
            return node if rows is None or rows.test is None else any_of(rows)
        case ir.Compare(ir.CompareOp.EQ, ir.CountOf(query), ir.Literal(1)):
            rows = item_rows(query)
            if rows is not None and rows.test is not None and not nullable(rows.test):
                return single_of(rows)
    return node


def single_of(rows: ItemRows) -> ir.Expr:
    """`single(x IN l WHERE p)`."""
    test = rows.test if rows.test is not None else _TRUE
    return ir.Quantifier(ir.QuantifierKind.SINGLE, rows.var, rows.list, test, span=test.span)


def _conjunction(args: tuple[ir.Expr, ...]) -> list[ir.Expr]:
    """The operands of an AND; some idioms are two of them."""
    done: list[ir.Expr] = []
    position = 0
    while position < len(args):
        here = args[position]
        after = args[position + 1] if position + 1 < len(args) else None
        position += 1
        pair = _conjunct_pair(here, after) if after is not None else None
        if pair is not None:
            done.append(pair)
            position += 1
        else:
            done.append(as_condition(here))
    return done


def _conjunct_pair(here: ir.Expr, after: ir.Expr) -> ir.Expr | None:
    match here, after:
        case ir.IsNull(listed, True), ir.Not(arg):
            return _negated_exists(arg, listed)
        case ir.Compare(ir.CompareOp.EQ, ir.CountOf(query), ir.Literal(1)), ir.Not(arg):
            rows, unknown = item_rows(query), existing_rows(arg)
            if (
                rows is not None
                and rows.test is not None
                and unknown is not None
                and unknown.list == rows.list
                and unknown.test == ir.IsNull(rows.test)
            ):
                return single_of(rows)
    return None


def _negated_exists(arg: ir.Expr, known: ir.Expr | None) -> ir.Expr | None:
    """`NOT EXISTS {FOR …}` where null and false do the same; `known` is a list that is no null."""
    rows = existing_rows(arg)
    if rows is None or rows.test is None:
        return None
    if rows.list != known and nullable(rows.list):
        return None
    match rows.test:
        case ir.Call("coalesce", (test, ir.Literal(True))):  # IS NOT FALSE
            return _none_of(replace(rows, test=test))
        case ir.Not(ir.Call("coalesce", (test, ir.Literal(False)))):  # IS NOT TRUE
            return _all_of(replace(rows, test=test))
        case ir.Not(test) if not nullable(test):
            return _all_of(replace(rows, test=test))
        case test if not nullable(test):
            return _none_of(rows)
    return None


def _none_of(rows: ItemRows) -> ir.Expr:
    member = _member(rows)
    test = rows.test if rows.test is not None else _TRUE
    if member is not None:
        return ir.Not(ir.In(member, rows.list, span=test.span), span=test.span)
    return ir.Quantifier(ir.QuantifierKind.NONE, rows.var, rows.list, test, span=test.span)


def _all_of(rows: ItemRows) -> ir.Expr:
    test = rows.test if rows.test is not None else _TRUE
    return ir.Quantifier(ir.QuantifierKind.ALL, rows.var, rows.list, test, span=test.span)
