"""Lists of nodes, edges and maps, whose items LadybugDB 0.22 takes from the wrong rows.

It reads the parts of such items from where the list was made: behind a MATCH or a WHERE, and where
two filters look at two parts; so it does with plain items where a CASE looks at them, and where a
result reads what is beside the list. A slice copies them (measured: docs/measurements.md). In a map
it has the first item for every bare item; the only item of a list is worked out for each. What is
asked of the items of one list must not read those of another around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import substitute
from graph_ir.walk import find, rewrite
from schemagraph.encoding import EXACT
from schemagraph.model import NUMERIC, Kind, Type
from translators.gql.emit.values import kind_of

_WITH_PARTS = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH, Kind.MAP, Kind.LIST, Kind.ANY})
_ALL = 2**63 - 1
_MOST = 8  # items of a list that are written one by one

type Items = ir.ListComp | ir.Quantifier


def has_parts(items: ir.Expr) -> bool:
    """Whether the items of a list are, or may be, more than plain values."""
    of = items.type.item
    return of is None or of.kind in _WITH_PARTS


def casts_wide(parts: Iterable[ir.Expr]) -> bool:
    """Whether the integers in some lists would become floats beside those of others, and may be
    beyond 2^53, where not each has a float of its own."""
    leaves = [leaf for part in parts if kind_of(part) is Kind.LIST for leaf in _leaves(part)]
    kinds = {kind for kind, _ in leaves}
    return kinds >= NUMERIC and any(wide for kind, wide in leaves if kind is Kind.INTEGER)


def _leaves(part: ir.Expr) -> Iterator[tuple[Kind, bool]]:
    """The kinds in a list, at any depth, and whether a value of one may be beyond 2^53."""
    if isinstance(part, ir.ListOf):
        for item in part.items:
            yield from _leaves(item)
    elif isinstance(part, ir.Literal):
        number = part.value if isinstance(part.value, int | float) else 0
        yield kind_of(part), abs(number) > EXACT
    else:
        of: Type = part.type
        while of.kind is Kind.LIST and of.item is not None:
            of = of.item
        yield of.kind, True


def copy_of(text: str) -> str:
    """The text of a copy of a list."""
    return f"list_slice({text}, 1, {_ALL})"


def copied(items: ir.Expr, *, also: bool = False) -> ir.Expr:
    """The list, or a copy of it where its items have parts, and `also` where they are plain."""
    if not (also or has_parts(items)) or kind_of(items) is not Kind.LIST:
        return items
    return ir.Slice(items, ir.Literal(0), ir.Literal(_ALL), type=items.type, span=items.span)


def reads_beside(node: Items, part: ir.Expr) -> bool:
    """Whether a part of it looks at what is the same for all items of the list."""
    own = {each.var for each in find(node, ir.ListComp)}
    own |= {each.var for each in find(node, ir.Quantifier)}
    return any(var.name not in own for var in find(part, ir.Var))


def gathers(node: Items, part: ir.Expr | None) -> bool:
    """Whether a part of it puts an item beside others, in a list or coalesce()."""
    if part is None:
        return False
    item = ir.Var(node.var)
    together = (*find(part, ir.ListOf), *(c for c in find(part, ir.Call) if c.name == "coalesce"))
    return any(var == item for each in together for var in find(each, ir.Var))


def _worked_out(node: Items) -> Iterator[ir.Expr]:
    """What is worked out for each item."""
    if node.where is not None:
        yield node.where
    if isinstance(node, ir.ListComp) and node.result is not None:
        yield node.result


def reads_outer(node: Items) -> Iterator[Items]:
    """What reads the item within what is asked of the items of another list."""
    item = ir.Var(node.var)
    for part in _worked_out(node):
        inners: list[Items] = [*find(part, ir.ListComp), *find(part, ir.Quantifier)]
        for inner in inners:
            if any(var == item for each in _worked_out(inner) for var in find(each, ir.Var)):
                yield inner


def one_by_one(statement: ir.Statement) -> ir.Statement:
    """The statement with such items of short lists one by one: `any(y IN [1, 2] WHERE y < x)` is
    `1 < x OR 2 < x`."""

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.ListComp | ir.Quantifier):
            return node
        spelt: dict[ir.Expr, ir.Expr] = {}
        for inner in reads_outer(node):
            text = _spelt(inner)
            if text is not None:
                spelt[inner] = text
        parts: dict[str, ir.Expr] = {}
        if node.where is not None:
            parts["where"] = substitute(node.where, spelt)
        if isinstance(node, ir.ListComp) and node.result is not None:
            parts["result"] = substitute(node.result, spelt)
        return replace(node, **parts) if spelt else node  # type: ignore[arg-type] # they are its own

    return rewrite(statement, change)


def _spelt(node: Items) -> ir.Expr | None:
    """What is asked of items, one by one, or None where that is no expression."""
    items = node.list.items if isinstance(node.list, ir.ListOf) else ()
    if not 0 < len(items) <= _MOST:
        return None
    if isinstance(node, ir.ListComp):
        if node.where is not None or node.result is None:
            return None
        shown = tuple(substitute(node.result, {ir.Var(node.var): item}) for item in items)
        return ir.ListOf(shown, type=node.type, span=node.span)
    if node.kind is ir.QuantifierKind.SINGLE:
        return None
    tests = tuple(substitute(node.where, {ir.Var(node.var): item}) for item in items)
    op = ir.BoolOp.AND if node.kind is ir.QuantifierKind.ALL else ir.BoolOp.OR
    joined = ir.Bool(op, tests, type=node.type, span=node.span) if len(tests) > 1 else tests[0]
    if node.kind is ir.QuantifierKind.NONE:
        return ir.Not(joined, type=node.type, span=node.span)
    return joined
