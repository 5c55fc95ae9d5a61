"""LadybugDB: node and relationship tables, and COPY statements for the CSV files.

Source: LadybugDB documentation, "Create table", "Import CSV" (the language of Kuzu, its origin).
"""

from __future__ import annotations

from collections.abc import Iterable

from schemagraph.folder.graphdata import edge_table, node_table
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.targets.base import (
    Column,
    DataFile,
    Export,
    column_type,
    comment,
    single_key,
)
from schemagraph.targets.cells import end_key, node_key, of_property
from schemagraph.targets.neo4j import quoted

_TYPES = {
    Kind.BOOLEAN: "BOOL",
    Kind.INTEGER: "INT64",
    Kind.FLOAT: "DOUBLE",
    Kind.STRING: "STRING",
    Kind.DATE: "DATE",
    Kind.DATETIME: "TIMESTAMP",
}


class LadybugTarget:
    """`schema.cypher` makes the tables, `load.cypher` copies the CSV files, from their folder."""

    name = "ladybugdb"
    says = "LadybugDB"

    def type_of(self, of: Type) -> str | None:
        """See `schemagraph.targets.base.Target`."""
        return _TYPES.get(of.kind)

    def export(self, schema: SchemaGraph) -> Export:
        """See `schemagraph.targets.base.Target`."""
        export = Export()
        export.lose_constraints(schema, ())
        names, types = table_names(schema, export)
        tables, copies = [], []
        for node in schema.nodes:
            tables.append(_node_table(node, names[node.name], export))
            copies.append(_copy(names[node.name], export.data[-1]))
        for label in schema.edge_labels:
            edges = [edge for edge in schema.edges if edge.label == label]
            tables.append(_edge_tables(edges, types[label], names, export))
            several = len(edges) > 1
            for edge, file in zip(edges, export.data[-len(edges) :], strict=True):
                ends = (names[edge.source], names[edge.target]) if several else None
                copies.append(_copy(types[label], file, ends))
        lost = comment(export.losses, "//")
        export.texts["schema.cypher"] = "\n".join([*lost, *tables, ""])
        export.texts["load.cypher"] = "\n".join([*copies, ""])
        return export


def table_names(
    schema: SchemaGraph, export: Export | None = None
) -> tuple[dict[str, str], dict[str, str]]:
    """Names of node tables by node type, and of relationship tables by label.

    They share one space of names, in which names that differ in case only are one. What is
    renamed is noted in `export`.
    """
    export = export or Export()
    taken: set[str] = set()

    def chosen(given: Iterable[str], kind: str) -> dict[str, str]:
        names = {}
        for name in given:
            # before a dot LadybugDB reads the name of a database
            plain = name.replace("`", "'").replace(".", "_")
            table, number = plain, 1
            while table.casefold() in taken:
                number += 1
                table = f"{plain}_{kind}" if number == 2 else f"{plain}_{kind}_{number - 1}"
            taken.add(table.casefold())
            if table != name:
                export.lose(name, f"the {kind} table is called {table}: the name is taken or odd")
            names[name] = table
        return names

    everyone = {name.casefold() for name in (*(n.name for n in schema.nodes), *schema.edge_labels)}
    nodes = chosen((node.name for node in schema.nodes), "node")
    taken |= everyone - {name.casefold() for name in schema.edge_labels}
    return nodes, chosen(schema.edge_labels, "edge")


# Names that LadybugDB 0.22 lets no property have, or answers itself (`rowid` is a row's place, `*`
# stands for all properties).
_RESERVED = frozenset(
    (
        *("_id", "_label", "_src", "_dst", "_direction", "_nodes", "_rels", "_length"),
        *("_row_offset", "_src_offset", "_dst_offset", "_place_holder", "rowid", "*"),
    )
)


def column_name(name: str) -> str:
    """The column of a property: LadybugDB keeps some names for itself and quotes no backticks.

    Two properties keep two columns: what looks like a name that was changed is changed, too.

    >>> column_name("_ID"), column_name("rowid"), column_name("rowid_"), column_name("born")
    ('_ID_', 'rowid_', 'rowid__', 'born')
    """
    plain = name.replace("`", "'")
    return f"{plain}_" if plain.casefold().rstrip("_") in _RESERVED else plain


def has_one_type(name: str, edges: Iterable[EdgeType]) -> bool:
    """Whether edges that share a table give a property one type; else no column can hold it."""
    types = {TARGET.type_of(p.type) for edge in edges if (p := edge.property(name)) is not None}
    return len(types) < 2


def _column(name: str, owner: str, export: Export) -> str:
    if column_name(name) != name:
        export.lose(f"{owner}.{name}", f"the column is called {column_name(name)}")
    return quoted(column_name(name))


def _columns(properties: tuple[Property, ...], owner: str, export: Export) -> list[str]:
    return [
        f"{_column(given.name, owner, export)} "
        f"{column_type(TARGET, given, 'STRING', owner, export)}"
        for given in properties
    ]


def _node_table(node: NodeType, name: str, export: Export) -> str:
    key = single_key(node, export)
    if len(node.labels) > 1:
        export.lose(node.name, f"a node has one label, {name}")
    ordered = sorted(node.properties, key=lambda given: given.name != key.name)
    columns = _columns(tuple(ordered), node.name, export)
    cells = [Column(given.name, of_property(given.name)) for given in ordered]
    if key.made:
        columns.insert(0, f"{quoted(key.name)} STRING")
        cells.insert(0, Column(key.name, node_key(node)))
    export.data.append(DataFile(f"nodes/{node_table(node)}.csv", node, tuple(cells)))
    shown = ", ".join([*columns, f"PRIMARY KEY ({quoted(column_name(key.name))})"])
    return f"CREATE NODE TABLE {quoted(name)} ({shown});"


def _edge_tables(edges: list[EdgeType], name: str, names: dict[str, str], export: Export) -> str:
    properties: dict[str, Property] = {}
    for edge in edges:
        for given in edge.properties:
            properties.setdefault(given.name, given)
    ends = [f"FROM {quoted(names[e.source])} TO {quoted(names[e.target])}" for e in edges]
    columns = _columns(tuple(properties.values()), edges[0].label, export)
    for edge in edges:
        cells = [Column("from", end_key("source")), Column("to", end_key("target"))]
        cells += [Column(name, of_property(name)) for name in properties]
        export.data.append(DataFile(f"edges/{edge_table(edge)}.csv", edge, tuple(cells)))
    shown = ", ".join([*ends, *columns])
    return f"CREATE REL TABLE {quoted(name)} ({shown});"


def _copy(name: str, file: DataFile, ends: tuple[str, str] | None = None) -> str:
    options = "HEADER=true, PARALLEL=false"
    if ends is not None:
        source, target = (end.replace("'", "\\'") for end in ends)
        options += f", from='{source}', to='{target}'"
    path = file.path.replace("'", "\\'")
    return f"COPY {quoted(name)} FROM '{path}' ({options});"


TARGET = LadybugTarget()
