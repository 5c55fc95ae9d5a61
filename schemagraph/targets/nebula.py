"""NebulaGraph 3: a space with its tags, edge types and indexes, and the importer's YAML.

How a graph lies in a space is said in `schemagraph.nebula`, by which the nGQL dialect goes too.

Sources: NebulaGraph 3.8 manual, "CREATE SPACE", "CREATE TAG", "CREATE EDGE", data types;
NebulaGraph Importer 4, configuration file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

from graphmill.errors import SchemaError
from schemagraph.folder.graphdata import edge_table, node_table
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.nebula import Tags, vid
from schemagraph.targets.base import Column, DataFile, Export, column_type, comment
from schemagraph.targets.cells import Row, cell, of_property

_TYPES = {
    Kind.BOOLEAN: "bool",
    Kind.INTEGER: "int64",
    Kind.FLOAT: "double",
    Kind.STRING: "string",
    Kind.DATE: "date",
    Kind.TIME: "time",
    Kind.DATETIME: "datetime",
    Kind.ZONED_DATETIME: "datetime",
    Kind.DURATION: "duration",
}
_LENGTH = 256  # bytes of an identifier


class NebulaTarget:
    """`schema.ngql` makes the space, `importer.yaml` loads the CSV files."""

    name = "nebula"
    says = "NebulaGraph"

    def type_of(self, of: Type) -> str | None:
        """See `schemagraph.targets.base.Target`."""
        return _type(of)

    def export(self, schema: SchemaGraph) -> Export:
        """See `schemagraph.targets.base.Target`.

        Raises:
            SchemaError: a label is one of nodes and one of edges (NebulaGraph 3.8 manual, "CREATE
                TAG": "The tag name in a graph space must be unique", also among edge types).
        """
        both = sorted({*schema.labels} & {*schema.edge_labels})
        if both:
            raise SchemaError(
                f"A space of NebulaGraph has one set of names for tags and edge types, and "
                f"{', '.join(map(quoted, both))} would be in it twice: give the nodes or the edges "
                "of the graph another label."
            )
        export = Export()
        export.lose_constraints(schema, ("required", "edge-required"))
        tags = Tags(schema)
        statements = []
        for label in schema.labels:
            nodes = list(schema.with_label(label))
            columns = _columns(label, tags.properties(label), nodes, export)
            statements.append(f"CREATE TAG IF NOT EXISTS {quoted(label)}({columns});")
        for label in schema.edge_labels:
            edges = [edge for edge in schema.edges if edge.label == label]
            properties = {p.name: p for edge in edges for p in reversed(edge.properties)}
            columns = _columns(label, list(properties.values())[::-1], edges, export)
            statements.append(f"CREATE EDGE IF NOT EXISTS {quoted(label)}({columns});")
        for label in schema.labels:
            index = quoted(f"index_{label}")
            statements.append(f"CREATE TAG INDEX IF NOT EXISTS {index} ON {quoted(label)}();")
        sources = [_vertices(node, tags, export) for node in schema.nodes]
        sources += [_edges(edge, schema, export) for edge in schema.edges]
        space = quoted(schema.name)
        export.texts["schema.ngql"] = "\n".join(
            [
                *comment(export.losses, "#"),
                f"CREATE SPACE IF NOT EXISTS {space}"
                f"(partition_num = 10, replica_factor = 1, vid_type = FIXED_STRING({_LENGTH}));",
                "# A new space can be used after two heartbeats, 20 seconds by default.",
                f"USE {space};",
                *statements,
                "",
            ]
        )
        export.texts["importer.yaml"] = _yaml(schema.name, sources)
        return export


def quoted(name: str) -> str:
    """A name in backticks, which nGQL cannot have inside."""
    return f"`{name.replace('`', '_')}`"


def _columns(
    owner: str,
    properties: Iterable[Property],
    types: list[NodeType] | list[EdgeType],
    export: Export,
) -> str:
    parts = []
    for given in properties:
        held = [each.property(given.name) for each in types]
        always = all(each is not None and not each.nullable for each in held)
        kind = column_type(TARGET, given, "string", owner, export)
        if given.type.kind is Kind.ZONED_DATETIME:
            export.lose(f"{owner}.{given.name}", "the zone is lost, the instant is kept")
        parts.append(f"{quoted(given.name)} {kind} {'NOT NULL' if always else 'NULL'}")
    return ", ".join(parts)


def _type(of: Type) -> str | None:
    if of.kind is Kind.LIST and of.item is not None:  # lists came with 3.8
        listed = of.item.kind in (Kind.STRING, Kind.INTEGER, Kind.FLOAT)
        return f"List<{_TYPES[of.item.kind].replace('int64', 'int')}>" if listed else None
    return _TYPES.get(of.kind)


def _vid(node: NodeType, values: Callable[[Row], Iterable[Any]]) -> Callable[[Row], str]:
    return lambda row: vid(node.name, [cell(value) for value in values(row)])


def _form(given: Property) -> Callable[[Row], Any]:
    if given.type.kind is not Kind.ZONED_DATETIME:
        return of_property(given.name)
    return of_property(given.name, _instant)


def _instant(value: Any) -> str:
    """The UTC instant of a zoned date-time.

    >>> _instant("2024-01-01T10:00:00+02:00")
    '2024-01-01T08:00:00'
    """
    text = str(cell(value)).partition("[")[0]
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat()


def _vertices(node: NodeType, tags: Tags, export: Export) -> dict[str, Any]:
    own = _vid(node, lambda row: [row.properties[name] for name in node.key])
    columns = [Column("_vid", own)]
    columns += [Column(p.name, _form(p)) for p in node.properties]
    file = DataFile(f"vertices/{node_table(node)}.csv", node, tuple(columns))
    export.data.append(file)
    entries = []
    for label in node.labels:
        held = [
            _property(given, index)
            for index, given in enumerate(node.properties, 1)
            if label in tags.holders(node, given.name)
        ]
        entries.append({"name": label, "id": _id(0), "props": held})
    return {**_source(file), "tags": entries}


def _edges(edge: EdgeType, schema: SchemaGraph, export: Export) -> dict[str, Any]:
    source, target = schema.node_by_name[edge.source], schema.node_by_name[edge.target]
    columns = [
        Column("_src", _vid(source, lambda row: row.source)),
        Column("_dst", _vid(target, lambda row: row.target)),
        Column("_rank", _Ranks()),
        *(Column(p.name, _form(p)) for p in edge.properties),
    ]
    file = DataFile(f"edges/{edge_table(edge)}.csv", edge, tuple(columns))
    export.data.append(file)
    entry = {
        "name": edge.label,
        "src": {"id": _id(0)},
        "dst": {"id": _id(1)},
        "rank": {"index": 2},
        "props": [_property(given, index) for index, given in enumerate(edge.properties, 3)],
    }
    return {**_source(file), "edges": [entry]}


class _Ranks:
    """Counts the edges between each pair of nodes, which keeps parallel ones apart."""

    def __init__(self) -> None:
        self._seen: dict[tuple[Any, ...], int] = {}

    def __call__(self, row: Row) -> int:
        pair = (row.source, row.target)
        rank = self._seen.get(pair, -1) + 1
        self._seen[pair] = rank
        return rank


def _id(index: int) -> dict[str, Any]:
    return {"type": "STRING", "index": index}


def _property(given: Property, index: int) -> dict[str, Any]:
    kind = (_type(given.type) or "string").replace("int64", "int").upper()
    entry: dict[str, Any] = {"name": given.name, "type": kind, "index": index}
    return {**entry, "nullable": True} if given.nullable else entry


def _source(file: DataFile) -> dict[str, Any]:
    return {"path": f"./{file.path}", "csv": {"delimiter": ",", "withHeader": True}}


def _yaml(space: str, sources: list[dict[str, Any]]) -> str:
    client = [
        "client:",
        "  version: v3",
        '  address: "127.0.0.1:9669"',
        "  user: root",
        "  password: nebula",
        "manager:",
        f"  spaceName: {json.dumps(space, ensure_ascii=False)}",
        "sources:",
    ]
    # JSON is YAML: each source is one line.
    lines = [f"  - {json.dumps(source, ensure_ascii=False)}" for source in sources]
    return "\n".join([*client, *lines, ""])


TARGET = NebulaTarget()
