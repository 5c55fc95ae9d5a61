"""A graph's schema in the form of Spider's `tables.json`: types are tables, properties columns."""

from __future__ import annotations

from typing import Any

from schemagraph.model import NUMERIC, TEMPORAL, Kind, SchemaGraph


def spider_tables(db: str, schema: SchemaGraph) -> dict[str, Any]:
    """One entry: node types first, then edge types with the keys of their ends as foreign keys.

    An edge type is a table called by its triple; its columns `from.KEY` and `to.KEY` refer to the
    keys of the node types.
    """
    names: list[str] = []
    columns: list[tuple[int, str]] = [(-1, "*")]
    types = ["text"]
    primary: list[int] = []
    foreign: list[tuple[int, int]] = []
    keys: dict[str, list[tuple[str, int, str]]] = {}
    for node in schema.nodes:
        table = len(names)
        names.append(node.name)
        for given in node.properties:
            if given.name in node.key:
                primary.append(len(columns))
                kind = _kind(given.type.kind)
                keys.setdefault(node.name, []).append((given.name, len(columns), kind))
            columns.append((table, given.name))
            types.append(_kind(given.type.kind))
    for edge in schema.edges:
        table = len(names)
        names.append(edge.name)
        for end, owner in (("from", edge.source), ("to", edge.target)):
            for key, place, kind in keys.get(owner, ()):
                foreign.append((len(columns), place))
                columns.append((table, f"{end}.{key}"))
                types.append(kind)
        for given in edge.properties:
            columns.append((table, given.name))
            types.append(_kind(given.type.kind))
    return {
        "db_id": db,
        "table_names_original": names,
        "table_names": [name.replace("_", " ").lower() for name in names],
        "column_names_original": [list(column) for column in columns],
        "column_names": [[table, name.replace("_", " ").lower()] for table, name in columns],
        "column_types": types,
        "primary_keys": primary,
        "foreign_keys": [list(pair) for pair in foreign],
    }


def _kind(kind: Kind) -> str:
    if kind in NUMERIC:
        return "number"
    if kind in TEMPORAL:
        return "time"
    return "boolean" if kind is Kind.BOOLEAN else "text"
