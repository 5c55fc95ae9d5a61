"""What GraphData's tables and columns are called in SQL, where names ignore case.

The rule: a table is called as its file's stem, a column as in the file. A name that equals an
earlier one but for case gets the suffix `_2`, `_3`, …; so does a column called `rowid`, which
DuckDB keeps for itself. Tables are taken in the order of the schema, nodes before edges; columns in
the order of the file. The loader of `engines.backends.duckdb` and the `sql` dialect both ask here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from schemagraph.folder.graphdata import SOURCE, TARGET, edge_table, node_table
from schemagraph.model import EdgeType, NodeType, SchemaGraph

RESERVED = ("rowid",)
_TABLES = "tables of SQL"


@dataclass(frozen=True, slots=True)
class Table:
    """One table: the file's stem, the name in SQL, and its columns as (in the file, in SQL)."""

    stem: str
    name: str
    columns: tuple[tuple[str, str], ...]

    def column(self, name: str) -> str:
        """The SQL name of the file's column `name`."""
        return next(sql for own, sql in self.columns if own == name)


@dataclass(frozen=True)
class Tables:
    """All tables of a graph, by the name of the node or edge type."""

    nodes: dict[str, Table]
    edges: dict[str, Table]

    @cached_property
    def columns(self) -> frozenset[str]:
        """Every column's name in SQL, in lower case."""
        every = (*self.nodes.values(), *self.edges.values())
        return frozenset(name.casefold() for table in every for _, name in table.columns)


def tables(schema: SchemaGraph) -> Tables:
    """The SQL names of all tables and columns of `schema`; made once for a schema object."""
    known = vars(schema)
    if _TABLES not in known:  # where its cached properties are, too
        known[_TABLES] = _tables(schema)
    names: Tables = known[_TABLES]
    return names


def _tables(schema: SchemaGraph) -> Tables:
    stems = [node_table(n) for n in schema.nodes] + [edge_table(e) for e in schema.edges]
    names = distinct(stems)
    nodes, edges = {}, {}
    for position, node in enumerate(schema.nodes):
        columns = node_columns(node)
        nodes[node.name] = Table(stems[position], names[position], _pairs(columns))
    for position, edge in enumerate(schema.edges, len(schema.nodes)):
        columns = edge_columns(edge, schema)
        edges[edge.name] = Table(stems[position], names[position], _pairs(columns))
    return Tables(nodes, edges)


def node_columns(node: NodeType) -> list[str]:
    """The file's columns: keys first, then the other properties."""
    return [*node.key, *(p.name for p in node.properties if p.name not in node.key)]


def edge_columns(edge: EdgeType, schema: SchemaGraph) -> list[str]:
    """The file's columns: the source's key, the target's key, the properties."""
    source, target = schema.node_by_name[edge.source], schema.node_by_name[edge.target]
    return [
        *(SOURCE + key for key in source.key),
        *(TARGET + key for key in target.key),
        *(p.name for p in edge.properties),
    ]


def distinct(names: Sequence[str], reserved: Iterable[str] = ()) -> list[str]:
    """`names` made different in more than case.

    >>> distinct(["Name", "name", "name_2", "rowid"], RESERVED)
    ['Name', 'name_3', 'name_2', 'rowid_2']
    """
    taken = {name.casefold() for name in reserved}
    exact = {name.casefold() for name in names}
    different = []
    for name in names:
        chosen, number = name, 1
        while chosen.casefold() in taken or (number > 1 and chosen.casefold() in exact):
            number += 1
            chosen = f"{name}_{number}"
        taken.add(chosen.casefold())
        different.append(chosen)
    return different


def _pairs(columns: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple(zip(columns, distinct(columns, RESERVED), strict=True))
