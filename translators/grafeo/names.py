"""Names that grafeo 0.6 mixes up: of variables that give theirs away in Cypher, and types of edges
that differ in case."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.variables import BINDING, read_names
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import Kind, SchemaGraph


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
