"""A graph as relational tables: what Spanner's and SQL/PGQ's property graphs lie over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from schemagraph.folder.graphdata import edge_table, node_table
from schemagraph.folder.tables import distinct
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.targets.base import Column, DataFile, Export, is_listed
from schemagraph.targets.cells import Row, cell, of_property


@dataclass(frozen=True, slots=True)
class SqlColumn:
    """A column of a table; `given` is the property it holds, None for keys of ends and numbers."""

    name: str
    type: str
    nullable: bool
    given: Property | None = None


@dataclass(frozen=True, slots=True)
class SqlTable:
    """The table of a node or edge type. `source` and `target` are columns of an edge's ends."""

    name: str
    of: NodeType | EdgeType
    columns: tuple[SqlColumn, ...]
    key: tuple[str, ...]
    source: tuple[str, ...] = ()
    target: tuple[str, ...] = ()

    def column_of(self, name: str) -> str:
        """The column of the property `name`."""
        return next(c.name for c in self.columns if c.given is not None and c.given.name == name)

    @property
    def unique(self) -> list[tuple[str, ...]]:
        """The sets of columns, beside the key, that the schema declares unique."""
        given = [c.given for c in self.columns if c.given is not None]
        sets: list[tuple[str, ...]] = [(p.name,) for p in given if p.unique]
        if isinstance(self.of, NodeType):
            sets += [names for names in self.of.unique if set(names) <= {p.name for p in given}]
        columns = [tuple(map(self.column_of, names)) for names in sets]
        if isinstance(self.of, EdgeType):  # at most one at an end
            columns += [self.source] * bool(self.of.targets) + [self.target] * bool(self.of.sources)
        return [each for each in dict.fromkeys(columns) if set(each) != set(self.key)]


@dataclass(frozen=True, slots=True)
class Layout:
    """What differs between systems: legal names, types, and the type that holds all others."""

    legal: Callable[[str], str]
    types: dict[Kind, str]
    fallback: str
    array: str  # with {} for the type of the items; empty where there are no arrays

    def type_of(self, given: Type, where: str, export: Export) -> str:
        """The type of a column."""
        known = self.known(given)
        if known is None:
            export.lose(where, f"{given} is stored as text")
        return known or self.fallback

    def known(self, given: Type) -> str | None:
        """The type of a column, None where it holds text."""
        if given.kind is Kind.LIST and self.array and given.item is not None:
            item = self.types.get(given.item.kind)
            return self.array.format(item) if item else None
        return self.types.get(given.kind)


def sql_tables(schema: SchemaGraph, layout: Layout, export: Export) -> dict[str, SqlTable]:
    """The tables by the name of the node or edge type, and their data files into `export`."""
    types: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
    stems = [node_table(t) if isinstance(t, NodeType) else edge_table(t) for t in types]
    names = distinct([layout.legal(stem) for stem in stems])
    tables: dict[str, SqlTable] = {}
    for of, stem, name in zip(types, stems, names, strict=True):
        if isinstance(of, NodeType):
            made = _node(of, name, layout, export)
        else:
            made = _edge(of, name, tables, layout, export)
        tables[of.name] = made
        export.data.append(_file(made))
        if name != stem:
            export.lose(of.name, f"lies in the table {name}")
    return tables


def _properties(
    given: Sequence[Property], taken: Sequence[str], owner: str, layout: Layout, export: Export
) -> list[SqlColumn]:
    names = distinct([layout.legal(p.name) for p in given], taken)
    return [
        SqlColumn(name, layout.type_of(p.type, f"{owner}.{p.name}", export), p.nullable, p)
        for p, name in zip(given, names, strict=True)
    ]


def _node(node: NodeType, name: str, layout: Layout, export: Export) -> SqlTable:
    ordered = sorted(node.properties, key=lambda p: p.name not in node.key)
    columns = _properties(ordered, (), node.name, layout, export)
    key = {c.given.name: c.name for c in columns if c.given is not None}
    return SqlTable(name, node, tuple(columns), tuple(key[part] for part in node.key))


def _edge(
    edge: EdgeType, name: str, tables: dict[str, SqlTable], layout: Layout, export: Export
) -> SqlTable:
    ends: list[list[SqlColumn]] = []
    for word, end in (("source", edge.source), ("target", edge.target)):
        table = tables[end]
        keys = [column for column in table.columns if column.name in table.key]
        ends.append([SqlColumn(f"{word}_{key.name}", key.type, nullable=False) for key in keys])
    number = SqlColumn("edge_number", layout.types[Kind.INTEGER], nullable=False)
    fixed = [*ends[0], *ends[1], number]
    taken = [column.name for column in fixed]
    columns = [*fixed, *_properties(edge.properties, taken, edge.name, layout, export)]
    source, target = ([column.name for column in end] for end in ends)
    key = (*source, *target, number.name)
    return SqlTable(name, edge, tuple(columns), key, tuple(source), tuple(target))


def _file(table: SqlTable) -> DataFile:
    columns = []
    for column in table.columns:
        if column.given is not None:
            value = of_property(column.given.name)
        elif column.name in table.source:
            value = _end("source", table.source.index(column.name))
        elif column.name in table.target:
            value = _end("target", table.target.index(column.name))
        else:
            value = _number
        columns.append(Column(column.name, value))
    folder = "nodes" if isinstance(table.of, NodeType) else "edges"
    return DataFile(f"{folder}/{table.name}.csv", table.of, tuple(columns))


def _end(side: str, place: int) -> Callable[[Row], object]:
    return lambda row: cell((row.source if side == "source" else row.target)[place])


def _number(row: Row) -> object:
    return row.number


@dataclass(frozen=True, slots=True)
class Style:
    """How a system writes tables and graphs: names, the word for node tables, whether a table
    has clauses UNIQUE, and texts."""

    quoted: Callable[[str], str]
    vertices: str
    unique: bool
    literal: Callable[[str], str]

    def _list(self, names: Sequence[str]) -> str:
        return ", ".join(self.quoted(name) for name in names)

    def table(self, table: SqlTable, tables: dict[str, SqlTable]) -> str:
        """CREATE TABLE, edges with references to the tables of their ends."""
        lines = []
        for column in table.columns:
            null = "" if column.nullable else " NOT NULL"
            lines.append(f"  {self.quoted(column.name)} {column.type}{null}")
        lines.append(f"  PRIMARY KEY ({self._list(table.key)})")
        if self.unique:
            lines += [f"  UNIQUE ({self._list(columns)})" for columns in table.unique]
        for column in table.columns:
            if column.given is not None and column.given.values and is_listed(column.given):
                texts = [
                    self.literal(v) if isinstance(v, str) else str(v) for v in column.given.values
                ]
                lines.append(f"  CHECK ({self.quoted(column.name)} IN ({', '.join(texts)}))")
        for columns, other in _ends(table, tables):
            lines.append(f"  FOREIGN KEY ({self._list(columns)}) {self._references(other)}")
        body = ",\n".join(lines)
        return f"CREATE TABLE {self.quoted(table.name)} (\n{body}\n);"

    def graph(
        self,
        name: str,
        tables: dict[str, SqlTable],
        label: Callable[[str, bool], str] | None = None,
        exposed: Callable[[SqlTable, str], Sequence[tuple[str, str]]] | None = None,
    ) -> str:
        """CREATE PROPERTY GRAPH over the tables.

        `label` names a label (of edges where True). `exposed` gives the properties of a label on
        a table as (expression, name); a label has the same ones on each of its tables, which
        SQL/PGQ and Spanner ask for, so that of another table's is NULL.
        """
        shown = exposed or _shared(tables, self.quoted)
        nodes: list[str] = []
        edges: list[str] = []
        for table in tables.values():
            is_edge = isinstance(table.of, EdgeType)
            text = f"    {self.quoted(table.name)} KEY ({self._list(table.key)})"
            for word, (columns, other) in zip(
                ("SOURCE", "DESTINATION"), _ends(table, tables), strict=False
            ):
                text += f"\n      {word} KEY ({self._list(columns)}) {self._references(other)}"
            for given in _labels(table):
                called = label(given, is_edge) if label else given
                text += f"\n      LABEL {self.quoted(called)} {self._listed(shown(table, given))}"
            (edges if is_edge else nodes).append(text)
        lines = f"CREATE PROPERTY GRAPH {self.quoted(name)}\n  {self.vertices} TABLES (\n"
        lines += ",\n".join(nodes) + "\n  )"
        if edges:
            lines += "\n  EDGE TABLES (\n" + ",\n".join(edges) + "\n  )"
        return lines + ";"

    def _references(self, other: SqlTable) -> str:
        return f"REFERENCES {self.quoted(other.name)} ({self._list(other.key)})"

    def _listed(self, properties: Sequence[tuple[str, str]]) -> str:
        shown = [
            value if value == self.quoted(name) else f"{value} AS {self.quoted(name)}"
            for value, name in properties
        ]
        return f"PROPERTIES ({', '.join(shown)})" if shown else "NO PROPERTIES"


def _shared(
    tables: dict[str, SqlTable], quoted: Callable[[str], str]
) -> Callable[[SqlTable, str], list[tuple[str, str]]]:
    """The properties of a label: those of all its tables; of several types, as text."""
    held: dict[tuple[str, bool], dict[str, set[str]]] = {}
    for table in tables.values():
        for label in _labels(table):
            known = held.setdefault((label, isinstance(table.of, EdgeType)), {})
            for column in table.columns:
                if column.given is not None:
                    known.setdefault(column.given.name, set()).add(column.type)

    def properties(table: SqlTable, label: str) -> list[tuple[str, str]]:
        own = {c.given.name: c.name for c in table.columns if c.given is not None}
        shared = []
        for name, types in held[label, isinstance(table.of, EdgeType)].items():
            value = quoted(own[name]) if name in own else "NULL"
            if len(types) > 1 or name not in own:
                value = f"CAST({value} AS {'VARCHAR' if len(types) > 1 else next(iter(types))})"
            shared.append((value, name))
        return shared

    return properties


def _labels(table: SqlTable) -> tuple[str, ...]:
    return (table.of.label,) if isinstance(table.of, EdgeType) else table.of.labels


def _ends(table: SqlTable, tables: dict[str, SqlTable]) -> list[tuple[tuple[str, ...], SqlTable]]:
    if isinstance(table.of, NodeType):
        return []
    return [(table.source, tables[table.of.source]), (table.target, tables[table.of.target])]
