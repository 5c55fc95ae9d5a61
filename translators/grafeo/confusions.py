"""What grafeo 0.6 mixes up or loses: names that variables give away in Cypher, types of edges that
differ in case, nodes and edges behind comprehensions.

A comprehension leaves numbers of nodes and edges. A node of such a list is found again by its
number, an edge is not, and neither is what stands in a map or a list beside other things.
"""

from __future__ import annotations

from collections.abc import Container

from graph_ir import nodes as ir
from graph_ir.variables import BINDING, read_names
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import Kind, SchemaGraph, Type

_ELEMENTS = (Kind.NODE, Kind.EDGE)
_ENDS = ("head", "last")
_RESTS = ("tail", "reverse")


def check_edge_types(statement: ir.Statement, schema: SchemaGraph | None) -> None:
    """grafeo finds edges of type KNOWS by `[:knows]`.

    Raises:
        Refused: a pattern asks for a type that the graph has in other letters.
    """
    alike: dict[str, set[str]] = {}
    for label in () if schema is None else schema.edge_labels:
        alike.setdefault(label.casefold(), set()).add(label)
    for edge in find(statement, ir.EdgePattern) if alike else ():
        for name in find(edge.types, ir.LabelName) if edge.types is not None else ():
            if alike.get(name.name.casefold(), {name.name}) != {name.name}:
                reason = "grafeo does not tell types of edges apart that differ in case."
                raise Refused("engine-limit", name.name, reason, name.span or edge.span)


def gives_name_away(project: ir.Project) -> bool:
    """Whether a group, or what is asked for it, reads a variable whose name is another column's,
    which grafeo takes for it: `WITH q AS p, count(*) AS q`."""
    keys = {item.expr.name for item in project.items if isinstance(item.expr, ir.Var)}
    asked = (part for item in project.items for part in find(item.expr, *BINDING))
    made = {item.alias for item in project.items if item.expr != ir.Var(item.alias)}
    return not made.isdisjoint(keys | read_names(*asked))


def changes_kind(statement: ir.Statement) -> ir.Item | None:
    """A column of a WITH that is a node and has the name of an edge, or the other way round, which
    grafeo reads as what it was; or None."""
    for query in find(statement, ir.Query):
        named: set[tuple[str | None, Kind]] = set()
        for clause in query.clauses:
            if isinstance(clause, ir.Project) and not clause.final:
                for item in clause.items:
                    other = _OTHER.get(item.expr.type.kind)
                    if other is not None and (item.alias, other) in named:
                        return item
            named |= {(node.var, Kind.NODE) for node in find(clause, ir.NodePattern)}
            named |= {(edge.var, Kind.EDGE) for edge in find(clause, ir.EdgePattern)}
    return None


_OTHER = {Kind.NODE: Kind.EDGE, Kind.EDGE: Kind.NODE}


def refuse_lost(statement: ir.Statement) -> None:
    """Refuse a statement that looks into what a comprehension has lost.

    Raises:
        Refused: it does.
    """
    counted = {id(call.args[0]) for call in find(statement, ir.Call) if call.name == "size"}
    edges: set[str] = set()
    holding: set[str] = set()
    passed: set[int] = set()  # what is handed on as it is, or counted
    for item in find(statement, ir.Item):
        if _are_edges(item.expr, edges):
            edges.add(item.alias)
            passed.add(id(item.expr))
        if _holds(item.expr, holding):
            holding.add(item.alias)
    passed |= counted | {id(unwind.expr) for unwind in find(statement, ir.Unwind)}
    for var in find(statement, ir.Var):
        if var.name in edges and id(var) not in passed:
            raise _refused("an edge", var)
    for prop in find(statement, ir.Prop):
        if isinstance(prop.base, ir.Index | ir.Call) and _are_edges(prop.base, ()):
            raise _refused("an edge", prop)
    for each in find(statement, ir.ListComp):
        kept = each.result is None or each.result == ir.Var(each.var, type=each.result.type)
        inside = each.result is not None and _structures(each.result, holding)
        if inside or (kept and _holds(each.list, holding) and id(each) not in counted):
            raise _refused("what a map or a list holds", each)


def _refused(what: str, node: ir.Expr) -> Refused:
    reason = f"grafeo does not find {what} again that a comprehension has listed."
    return Refused("engine-limit", "list comprehension", reason, node.span)


def _are_edges(node: ir.Expr, names: Container[str]) -> bool:
    """Whether these are edges as a comprehension leaves them, or one of them."""
    match node:
        case ir.Var(name):
            return name in names
        case ir.ListComp(type=Type(kind=Kind.LIST, item=Type(kind=Kind.EDGE))):
            return True
        case ir.Index(base=base) | ir.Slice(base=base):
            return _are_edges(base, names)
        case ir.Call(name=name, args=(base,)) if name in (*_ENDS, *_RESTS):
            return _are_edges(base, names)
    return False


def _holds(node: ir.Expr, names: Container[str]) -> bool:
    """Whether items of a list are maps or lists that hold nodes or edges."""
    match node:
        case ir.Var(name):
            return name in names
        case ir.Agg(name="collect", args=(arg,)):
            return _structures(arg, names)
        case ir.ListOf(items=items):
            return any(_structures(item, names) for item in items)
        case ir.Slice(base=base):
            return _holds(base, names)
        case ir.Call(name=name, args=(base,)) if name in _RESTS:
            return _holds(base, names)
        case ir.PatternComp(result=result):
            return result is not None and _structures(result, names)
    return False


def _structures(node: ir.Expr, names: Container[str]) -> bool:
    """Whether a map or a list is made that holds nodes or edges."""
    match node:
        case ir.ListOf(items=items):
            parts = items
        case ir.MapOf(entries=entries):
            parts = tuple(entry.value for entry in entries)
        case _:
            return False
    return any(part.type.kind in _ELEMENTS or _structures(part, names) for part in parts)
