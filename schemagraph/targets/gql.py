"""ISO GQL: CREATE GRAPH TYPE with a node type a label set, edge types between them.

The labels of a type are its key label set, which implies its properties (`:Person => {…}`).

Source: ISO/IEC 39075:2024 clauses 12.6 (create graph type), 18 (graph types).
"""

from __future__ import annotations

from schemagraph.folder.tables import distinct
from schemagraph.model import Kind, Property, SchemaGraph, Type
from schemagraph.targets.base import Export, comment

_TYPES = {
    Kind.BOOLEAN: "BOOL",
    Kind.INTEGER: "INT64",
    Kind.FLOAT: "FLOAT64",
    Kind.STRING: "STRING",
    Kind.DATE: "DATE",
    Kind.TIME: "LOCAL TIME",
    Kind.ZONED_TIME: "ZONED TIME",
    Kind.DATETIME: "LOCAL DATETIME",
    Kind.ZONED_DATETIME: "ZONED DATETIME",
    Kind.BYTES: "BYTES",
    Kind.ANY: "ANY VALUE",
}


class GqlTarget:
    """A graph type has no keys and no data; `schema.gql` tells the keys in comments."""

    name = "gql"
    says = "ISO GQL"

    def type_of(self, of: Type) -> str | None:
        """See `schemagraph.targets.base.Target`."""
        export = Export()
        shown = _type(of, "", export)
        return None if any("as text" in loss.what for loss in export.losses) else shown

    def export(self, schema: SchemaGraph) -> Export:
        """See `schemagraph.targets.base.Target`."""
        export = Export()
        export.lose_constraints(schema, ("required", "edge-required"))
        aliases = _aliases(schema)
        types = []
        for node in schema.nodes:
            labels = "&".join(quoted(label) for label in node.labels)
            shown = f" :{labels}" if labels else ""
            properties = _properties(node.properties, node.name, export)
            types.append(f"  ({aliases[node.name]}{shown}{properties})")
            if node.key:
                export.lose(node.name, f"the key ({', '.join(node.key)}) is not enforced")
        for edge in schema.edges:
            properties = _properties(edge.properties, edge.name, export)
            source, target = aliases[edge.source], aliases[edge.target]
            types.append(f"  ({source})-[:{quoted(edge.label)}{properties}]->({target})")
        body = ",\n".join(types)
        export.texts["schema.gql"] = "\n".join(
            [
                *comment(export.losses, "//"),
                f"CREATE GRAPH TYPE {quoted(schema.name)} AS {{\n{body}\n}}",
                "",
            ]
        )
        return export


def quoted(name: str) -> str:
    """A name as a delimited identifier (clause 21.3)."""
    return "`" + name.replace("`", "``") + "`"


def _aliases(schema: SchemaGraph) -> dict[str, str]:
    names = distinct([f"{node.name} type" for node in schema.nodes])
    return {node.name: quoted(name) for node, name in zip(schema.nodes, names, strict=True)}


def _properties(given: tuple[Property, ...], owner: str, export: Export) -> str:
    shown = [f"{quoted(p.name)} {_type(p.type, f'{owner}.{p.name}', export)}" for p in given]
    shown = [
        text if p.nullable else f"{text} NOT NULL" for p, text in zip(given, shown, strict=True)
    ]
    return f" => {{{', '.join(shown)}}}" if shown else ""


def _type(given: Type, where: str, export: Export) -> str:
    if given.kind is Kind.LIST:
        return f"LIST<{_type(given.item or Type(Kind.ANY), where, export)}>"
    if given.kind is Kind.DURATION:
        export.lose(where, "a duration is of months or of days and seconds, this one of the latter")
        return "DURATION(DAY TO SECOND)"
    if given.kind not in _TYPES:
        export.lose(where, f"{given} is stored as text")
        return "STRING"
    return _TYPES[given.kind]


TARGET = GqlTarget()
