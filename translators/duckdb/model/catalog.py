"""The schema as the SQL emitter needs it: tables, layouts of elements, labels, identities.

A node's identity is one number over all node tables: `rowid * (number of node types) + position
of its type`. With a single node type it is the rowid. Edges have identities of their own, made
the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from graph_ir import nodes as ir
from schemagraph.folder.graphdata import SOURCE, TARGET
from schemagraph.folder.tables import RESERVED, Table, distinct, tables
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph
from translators.duckdb.model.names import ident
from translators.duckdb.model.types import ANY, NULL, T, stored_as, unify_items

_STORED = frozenset(
    {
        *(Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING, Kind.BYTES),
        *(Kind.DATE, Kind.TIME, Kind.DATETIME),
    }
)
ID = "$id"
FROM = "$from"
TO = "$to"


@dataclass(frozen=True, slots=True)
class Field:
    """One part of an element's struct: its key in the graph, its name there, its type.

    `key` is a property name, or `source.<key>` and `target.<key>` of an edge.
    """

    key: str
    name: str
    type: T
    is_property: bool = True


class Catalog:
    """A schema and the properties that one query needs (`needed` None: all of them)."""

    def __init__(
        self, schema: SchemaGraph, needed: frozenset[str] | None, macro: Callable[[str], str]
    ) -> None:
        self.schema = schema
        self.macro = macro
        self.needed = needed
        self._layouts: dict[T, tuple[Field, ...]] = {}

    @cached_property
    def tables(self) -> tuple[dict[str, Table], dict[str, Table]]:
        """Node tables and edge tables by type name."""
        both = tables(self.schema)
        return both.nodes, both.edges

    @property
    def columns(self) -> frozenset[str]:
        """Every column's name, in lower case."""
        return tables(self.schema).columns

    def node(self, name: str) -> NodeType:
        """The node type called `name`."""
        return self.schema.node_by_name[name]

    def edge(self, name: str) -> EdgeType:
        """The edge type called `name`."""
        return self.schema.edge_by_name[name]

    @cached_property
    def node_order(self) -> dict[str, int]:
        """Positions of the node types."""
        return {n.name: i for i, n in enumerate(self.schema.nodes)}

    @cached_property
    def edge_order(self) -> dict[str, int]:
        """Positions of the edge types."""
        return {e.name: i for i, e in enumerate(self.schema.edges)}

    def order(self, kind: Kind) -> dict[str, int]:
        """Positions of the types of this kind of element."""
        return self.node_order if kind is Kind.NODE else self.edge_order

    def table(self, kind: Kind, name: str) -> Table:
        """The table of one element type."""
        return self.tables[0 if kind is Kind.NODE else 1][name]

    def all_nodes(self) -> tuple[str, ...]:
        """Every node type's name, in order."""
        return tuple(self.node_order)

    def all_edges(self) -> tuple[str, ...]:
        """Every edge type's name, in order."""
        return tuple(self.edge_order)

    def identity(self, kind: Kind, name: str, rowid: str) -> str:
        """The identity of a row of the table of type `name`."""
        order = self.order(kind)
        if len(order) == 1:
            return rowid
        position = order[name]
        product = f"{rowid} * {len(order)}"
        return f"{product} + {position}" if position else product

    def position(self, kind: Kind, identity: str) -> str:
        """SQL for the position of the type of the element with this identity."""
        count = len(self.order(kind))
        return f"{identity} % {count}" if count > 1 else "0"

    def properties(self, kind: Kind, name: str) -> dict[str, T]:
        """Property types of one element type."""
        of = self.node(name) if kind is Kind.NODE else self.edge(name)
        return {p.name: stored_as(p) for p in of.properties}

    def plain_key(self, name: str) -> bool:
        """Whether a node type has a key, of columns that are stored as they are used."""
        key, own = self.node(name).key, self.properties(Kind.NODE, name)
        return bool(key) and all(_plain(own.get(part, ANY)) for part in key)

    def direct(self, of: T) -> bool:
        """Whether an element is its table: one candidate, all of it stored as it is used."""
        return len(of.of) == 1 and all(_plain(f.type) for f in self.layout(of))

    def has_label(self, kind: Kind, name: str, test: ir.LabelExpr | None) -> bool:
        """Whether elements of type `name` satisfy a label expression."""
        if test is None:
            return True
        labels = self.node(name).labels if kind is Kind.NODE else (self.edge(name).label,)
        return _holds(test, frozenset(labels))

    def layout(self, of: T) -> tuple[Field, ...]:
        """The struct of an element of type `of`, after its identity: keys, then properties."""
        fields = self._layouts.get(of)
        if fields is None:
            fields = self._layouts[of] = self._layout(of)
        return fields

    def _layout(self, of: T) -> tuple[Field, ...]:
        fields: dict[str, T] = {}

        def add(key: str, kind: T) -> None:
            fields[key] = unify_items(fields[key], kind) if key in fields else kind

        for name in of.of:
            own = self.properties(of.kind, name)
            for key, kind in self.ends(of.kind, name).items():
                add(key, kind)
            keys = self.node(name).key if of.kind is Kind.NODE else ()
            for key, kind in own.items():
                if key in keys or self.needed is None or key in self.needed:
                    add(key, kind)
        ends = {key for name in of.of for key in self.ends(of.kind, name)}
        return tuple(
            Field(key, self._names[key], kind, key not in ends) for key, kind in fields.items()
        )

    @cached_property
    def _names(self) -> dict[str, str]:
        """Names of fields, the same in every struct, so that structs can be cast by name."""
        keys = {p.name for n in self.schema.nodes for p in n.properties}
        keys |= {p.name for e in self.schema.edges for p in e.properties}
        keys |= {
            prefix + key for n in self.schema.nodes for key in n.key for prefix in (SOURCE, TARGET)
        }
        ordered = sorted(keys)
        return dict(zip(ordered, distinct(ordered, (*RESERVED, ID, FROM, TO)), strict=True))

    def ends(self, kind: Kind, name: str) -> dict[str, T]:
        """The end columns of an edge type and their types; nothing for a node type."""
        if kind is Kind.NODE:
            return {}
        edge = self.edge(name)
        types: dict[str, T] = {}
        for prefix, end in ((SOURCE, edge.source), (TARGET, edge.target)):
            own = self.properties(Kind.NODE, end)
            types |= {prefix + key: own.get(key, ANY) for key in self.node(end).key}
        return types

    def column(self, kind: Kind, name: str, key: str) -> tuple[str, T] | None:
        """The column of `key` in the table of type `name`, or None where it has none."""
        own = self.ends(kind, name) | self.properties(kind, name)
        if key not in own:
            return None
        return ident(self.table(kind, name).column(key)), own[key]

    def field(self, of: T, key: str) -> Field | None:
        """The field of a property in the struct of `of`, or None where no candidate has it."""
        return next((f for f in self.layout(of) if f.key == key), None)

    def property_type(self, of: T, key: str) -> T:
        """The type of a property over all candidates; NULL where none has it."""
        stored = self.field(of, key)
        return stored.type if stored else NULL


def _plain(of: T) -> bool:
    """Whether values are stored as they are used."""
    if of.kind is Kind.LIST:
        return of.item is not None and _plain(of.item)
    return of.kind in _STORED


def _holds(test: ir.LabelExpr, labels: frozenset[str]) -> bool:
    match test:
        case ir.LabelName(name):
            return name in labels
        case ir.LabelAnd(args):
            return all(_holds(arg, labels) for arg in args)
        case ir.LabelOr(args):
            return any(_holds(arg, labels) for arg in args)
        case ir.LabelNot(arg):
            return not _holds(arg, labels)
        case ir.LabelAny():
            return bool(labels)
