"""Windows and unions as LadybugDB takes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import unused_names
from graph_ir.walk import find, rewrite
from graphmill.errors import Refused
from schemagraph.model import Kind, SchemaGraph, Type

_ONCE = ir.ListOf((ir.Literal(1),), type=Type(Kind.LIST, Type(Kind.INTEGER)))


def keep_windows(statement: ir.Statement) -> ir.Statement:
    """`UNWIND [1] AS once` between a sorted window and an aggregate over it.

    LadybugDB (0.22) drops an order that only an aggregate reads, and so takes other rows.
    """
    spare = unused_names(statement, "once")

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Query):
            return node
        clauses: list[ir.Clause] = []
        for place, clause in enumerate(node.clauses):
            if isinstance(clause, ir.Project) and _is_lost(clause, node.clauses[place + 1 :]):
                clauses += _kept(clause, spare)
            else:
                clauses.append(clause)
        return replace(node, clauses=tuple(clauses))

    return rewrite(statement, change)


def _is_lost(window: ir.Project, after: tuple[ir.Clause, ...]) -> bool:
    if window.final or not window.order or (window.limit is None and window.skip is None):
        return False
    for clause in after:
        if not isinstance(clause, ir.Project):
            return False
        if clause.group is not None:
            return True
    return False


def _kept(window: ir.Project, spare: Iterator[str]) -> Iterator[ir.Clause]:
    yield replace(window, where=None)
    yield ir.Unwind(_ONCE, next(spare))
    if window.where is not None:
        items = tuple(
            ir.Item(ir.Var(item.alias, type=item.expr.type), item.alias) for item in window.items
        )
        yield ir.Project(items, where=window.where)


def united(union: ir.Union, schema: SchemaGraph) -> ir.Union:
    """The union with the columns of its right side in the order of the left: LadybugDB puts them
    together by place, Cypher by name.

    Raises:
        Refused: LadybugDB does not take the columns together, or takes too many rows for one.
    """
    right = union.right
    left = union.left if isinstance(union.left, ir.Query) else union.left.right
    first, last = _columns(left), _columns(right)
    if set(first) != set(last):
        raise Refused("union-columns", "UNION", "The sides have other columns.", union.span)
    for name, item in first.items():
        one, other = item.expr, last[name].expr
        if not _one_type(one.type, other.type):
            raise Refused("mixed-types", "UNION", "Columns of different types.", union.span)
    if not union.all and len(first) > 1 and any(_by_key(s, schema) for s in (left, right)):
        reason = "LadybugDB tells rows with a node's key by that alone."
        raise Refused("engine-limit", "UNION", reason, union.span)
    *before, project = right.clauses
    if not isinstance(project, ir.Project):
        return union
    project = replace(project, items=tuple(last[name] for name in first))
    return replace(union, right=replace(right, clauses=(*before, project)))


def _columns(query: ir.Query) -> dict[str, ir.Item]:
    last = query.clauses[-1]
    return {item.alias: item for item in last.items} if isinstance(last, ir.Project) else {}


def _one_type(left: Type, right: Type) -> bool:
    """Whether columns have one known type, lists with their items."""
    if left.kind is not right.kind or left.kind is Kind.ANY:
        return False
    items = left.item, right.item
    return items[0] is None or items[1] is None or _one_type(items[0], items[1])


def _by_key(query: ir.Query, schema: SchemaGraph) -> bool:
    """Whether columns read a node or its key, and another property of it."""
    keys = {name for node in schema.nodes for name in node.key}
    read: dict[str, set[str]] = {}
    for item in find(query, ir.Item):
        for prop in find(item.expr, ir.Prop):
            if isinstance(prop.base, ir.Var):
                read.setdefault(prop.base.name, set()).add(prop.key)
        if isinstance(item.expr, ir.Var) and item.expr.type.kind is Kind.NODE:
            read.setdefault(item.expr.name, set()).update(keys)
    return any(names & keys and len(names) > 1 for names in read.values())
