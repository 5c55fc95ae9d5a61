"""A construct that several engines get wrong: an integer held against a float beyond 2^53.

Cypher compares by value (openCypher, CIP2016-06-14); as floats, neighbours are one.
"""

from __future__ import annotations

from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.walk import find
from schemagraph.model import Kind, Type

_EXACT = 2**53


def compares_wide_numbers(statement: ir.Statement) -> bool:
    """Whether an integer is compared with a float, and both may be beyond 2^53: by a condition,
    an order or an extreme."""
    sorted_ = [
        *(key.expr for key in find(statement, ir.SortKey)),
        *(a for agg in find(statement, ir.Agg) if agg.name in ("min", "max") for a in agg.args),
    ]
    return any(_differ(left, right) for left, right in _compared(statement)) or any(
        _differ(each, each) for each in sorted_
    )


def compares_wide_constants(statement: ir.Statement) -> bool:
    """Whether a condition does so, and one of the two is a constant beyond 2^53."""
    return any(
        _differ(left, right) and (isinstance(left, ir.Literal) or isinstance(right, ir.Literal))
        for left, right in _compared(statement)
    )


def groups_wide_numbers(statement: ir.Statement) -> bool:
    """Whether groups, distinct rows or a UNION tell an integer from a float, and both may be beyond
    2^53."""
    keys = [agg.args[0] for agg in find(statement, ir.Agg) if agg.distinct and agg.args]
    for project in find(statement, ir.Project):
        keys += project.group or ()
        keys += (item.expr for item in project.items if project.distinct)
    return any(_differ(each, each) for each in keys) or any(
        _differ(left, right) for left, right in _joined(statement)
    )


def _joined(statement: ir.Statement) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """Columns of one name on the two sides of each UNION that drops rows."""
    for union in find(statement, ir.Union):
        left = _columns(union.left)
        for name, expr in _columns(union.right).items() if not union.all else ():
            yield from ((each, expr) for each in (left.get(name, expr), expr))


def _columns(statement: ir.Statement) -> dict[str, ir.Expr]:
    query = statement.right if isinstance(statement, ir.Union) else statement
    last = query.clauses[-1]
    items = last.items if isinstance(last, ir.Project) else ()
    return {item.alias: item.expr for item in items}


def _differ(left: ir.Expr, right: ir.Expr) -> bool:
    """Whether one of two values may be an integer beyond 2^53 and the other a float."""
    return any(a is not b for a in _wide_kinds(left) for b in _wide_kinds(right))


def _wide_kinds(expr: ir.Expr) -> frozenset[Kind]:
    """Integers and floats that a value may be beyond 2^53, or what stands in a list, as far as its
    type tells."""
    match expr:
        case ir.Literal(value=int() | float() as value) if abs(value) < _EXACT:
            return frozenset()
        case ir.Agg(name="count"):
            return frozenset()  # which is never so large
        case ir.Call(name="coalesce", args=parts):
            return frozenset[Kind]().union(*map(_wide_kinds, parts))
        case ir.Case(whens=whens, default=default):
            parts = (*(when.result for when in whens), default or ir.Literal(None))
            return frozenset[Kind]().union(*map(_wide_kinds, parts))
        case ir.ListOf(items=items):
            return frozenset[Kind]().union(*map(_wide_kinds, items))
    kind = expr.type
    while kind.kind is Kind.LIST and kind.item is not None:
        kind = kind.item
    if kind.kind is Kind.FLOAT and kind.mixed:
        return frozenset((Kind.INTEGER, Kind.FLOAT))
    return frozenset((kind.kind,)) & {Kind.INTEGER, Kind.FLOAT}


def _compared(statement: ir.Statement) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """What is held against one another: by operators, IN and CASE, item by item in lists, and by
    the map of a pattern."""
    for compare in find(statement, ir.Compare):
        yield from _pairs(compare.left, compare.right)
    for member in find(statement, ir.In):
        yield from ((member.item, item) for item in _items(member.list))
    for case in find(statement, ir.Case):
        if case.operand is not None:
            yield from ((case.operand, when.condition) for when in case.whens)
    nodes = [each.props for each in find(statement, ir.NodePattern)]
    for props in (*nodes, *(each.props for each in find(statement, ir.EdgePattern))):
        if isinstance(props, ir.MapOf):
            yield from ((_beside(each.value), each.value) for each in props.entries)


def _beside(value: ir.Expr) -> ir.Expr:
    """A property that a pattern holds against a value, whose type is not known here: an integer
    beside floats, and a float beside an integer that is given as such."""
    given = isinstance(value, ir.Literal) and value.type.kind is Kind.INTEGER
    return ir.Var("property", type=Type(Kind.FLOAT if given else Kind.INTEGER))


def _pairs(left: ir.Expr, right: ir.Expr) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    yield left, right
    if left.type.kind is right.type.kind is Kind.LIST:
        for one in _items(left):
            yield from ((one, other) for other in _items(right))


def _items(expr: ir.Expr) -> Iterator[ir.Expr]:
    if isinstance(expr, ir.ListOf):
        yield from expr.items
    elif expr.type.item is not None:
        yield ir.Var("item", type=expr.type.item)
