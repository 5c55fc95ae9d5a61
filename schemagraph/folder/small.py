"""Small graphs as one file of rows beside a graph, whose schema they share.

    GRAPH/schema.json
    GRAPH/instances/NAME.json       {"Person": [[1, "Ann"]], "Person-KNOWS-Person": [[1, 1, 0.5]]}

A node's row has its properties in the schema's order; an edge's row has the keys of its source and
target first. Temporal values are ISO text. Types without rows are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time
from functools import lru_cache
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError, SchemaError
from graphmill.json_lines import read_json
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph, Type

type Rows = Mapping[str, Sequence[Sequence[Any]]]

_PARSE: Mapping[Kind, Callable[[str], Any]] = {
    Kind.DATE: date.fromisoformat,
    Kind.TIME: time.fromisoformat,
    Kind.DATETIME: datetime.fromisoformat,
}


def is_small(graph: Path) -> bool:
    """Whether `graph` is the file of a small graph, and no folder."""
    return graph.suffix == ".json" and graph.is_file()


def schema_folder(graph: Path) -> Path:
    """Where the schema of a graph lies: in its folder, or in that of the graph it stands beside."""
    return graph.parent.parent if is_small(graph) else graph


def read_rows(graph: Path) -> Rows:
    """The rows of a small graph, by the name of the node or edge type.

    Raises:
        SchemaError: the file is no such graph.
    """
    try:
        raw = _parsed(graph, graph.stat().st_mtime_ns)
    except GraphmillError as problem:
        what = str(problem).rstrip(".")
        raise SchemaError(f"{graph} cannot be read as a small graph: {what}.") from problem
    except OSError as problem:
        raise SchemaError(f"Cannot read {graph}: {problem.strerror}.") from problem
    if not isinstance(raw, dict) or not all(isinstance(rows, list) for rows in raw.values()):
        raise SchemaError(f"{graph} has no lists of rows by type.")
    return raw


@lru_cache(maxsize=1)
def _parsed(graph: Path, _changed: int) -> Any:
    """Engines ask for one type after the other: the file is read once."""
    return read_json(graph)


def column_types(schema: SchemaGraph, kind: NodeType | EdgeType) -> list[Type]:
    """The types of a row's values: of an edge, the keys of both ends come first."""
    key_types: list[Type] = []
    if isinstance(kind, EdgeType):
        for end in (kind.source, kind.target):
            node = schema.node_by_name[end]
            for name in node.key:
                key = node.property(name)
                key_types.append(key.type if key is not None else Type(Kind.STRING))
    return [*key_types, *(p.type for p in kind.properties)]


def keeps_cardinalities(schema: SchemaGraph, rows: Rows) -> bool:
    """Whether no source has two targets, nor a target two sources, where the schema declares one.

    Small graphs that tell a query from its mutants need not keep to it; a text that relies on what
    is declared (`count()` for `count(DISTINCT …)` along a foreign key) is right on those that do.
    """
    for edge in schema.edges:
        width = len(schema.node_by_name[edge.source].key)
        both = width + len(schema.node_by_name[edge.target].key)
        there = rows.get(edge.name, ())
        for declared, ends in (
            (edge.targets, [tuple(row[:width]) for row in there]),
            (edge.sources, [tuple(row[width:both]) for row in there]),
        ):
            if declared and len(set(ends)) < len(ends):
                return False
    return True


def stored(type: Type, value: Any) -> Any:
    """A value of a row as Parquet tables have it."""
    parse = _PARSE.get(type.kind)
    return value if parse is None or value is None else parse(value)
