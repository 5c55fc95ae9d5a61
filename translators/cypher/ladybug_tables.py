"""A schema as LadybugDB's tables: their names, and what their columns can hold."""

from __future__ import annotations

from collections.abc import Iterable

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.targets.ladybugdb import TARGET, has_one_type, table_names

type Owner = NodeType | EdgeType

# Words that LadybugDB keeps for itself beside those of Cypher (its grammar, "Keywords").
_WORDS = """
    ACYCLIC ALL AND ANY AS ASC ASCENDING BY CALL CASE CAST COLUMN CONTAINS COUNT CREATE CYCLE DBTYPE
    DEFAULT DELETE DESC DESCENDING DETACH DISTINCT ELSE END ENDS EXISTS EXPLAIN EXTENSION FALSE FROM
    GLOB GRAPH GROUP HEADERS IN INSTALL IS KEY LIMIT LOAD MACRO MATCH MERGE NONE NOT NULL ON ONLY
    OPTIONAL OR ORDER PRIMARY PROFILE PROJECT REL RETURN SEQUENCE SET SHORTEST SINGLE SKIP START
    STARTS STRUCT TABLE THEN TO TRAIL TRUE UNION UNWIND USE WHEN WHERE WITH WRITE WSHORTEST XOR
    YIELD
"""
WORDS = frozenset(_WORDS.split())


class Tables:
    """Names of tables by node type (`nodes`) and by edge label (`types`)."""

    def __init__(self, schema: SchemaGraph) -> None:
        self.schema = schema
        self.nodes, self.types = table_names(schema)

    def check(self) -> None:
        """Refuse a schema in which one table has two properties that differ in case only.

        Raises:
            Refused: LadybugDB holds them for one.
        """
        every: tuple[Owner, ...] = (*self.schema.nodes, *self.schema.edges)
        for owner in every:
            differ(p.name for p in owner.properties)

    def has(self, owners: Iterable[Owner], name: str) -> bool:
        """Whether one of the tables has the column."""
        return any(owner.property(name) is not None for owner in owners)

    def stored(self, owners: Iterable[Owner], name: str) -> str:
        """`text` where LadybugDB has no such type, `conflict` where tables differ, else nothing."""
        stored_types = [p.type for owner in self._sharing(owners) if (p := owner.property(name))]
        types = {TARGET.type_of(of) or str(of) for of in stored_types}
        if len(types) > 1:
            return "conflict"
        return "text" if any(TARGET.type_of(of) is None for of in stored_types) else ""

    def keeps(self, owners: Iterable[Owner], name: str) -> bool:
        """Whether the column holds the property: edges of one label, which are in one table, give
        it one type."""
        labels = {owner.label for owner in owners if isinstance(owner, EdgeType)}
        edges = self.schema.edges
        return all(has_one_type(name, [e for e in edges if e.label == label]) for label in labels)

    def clashes(self, owners: Iterable[Owner]) -> bool:
        """Whether the tables give one column several types."""
        owners = list(owners)
        names = {p.name for owner in self._sharing(owners) for p in owner.properties}
        return any(self.stored(owners, name) == "conflict" for name in names)

    def _sharing(self, owners: Iterable[Owner]) -> list[Owner]:
        """The owners, and edge types that share their tables: all of a label are in one."""
        given = list(owners)
        labels = {owner.label for owner in given if isinstance(owner, EdgeType)}
        nodes = [owner for owner in given if isinstance(owner, NodeType)]
        return [*nodes, *(edge for edge in self.schema.edges if edge.label in labels)]


def differ(names: Iterable[str]) -> None:
    """Refuse names that differ in case only.

    Raises:
        Refused: two do.
    """
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(name.casefold(), name)
        if other != name:
            raise Refused("column-names", name, f"To LadybugDB it is the same as {other}.")


def holds(labels: ir.LabelExpr | None, own: tuple[str, ...]) -> bool:
    """Whether an element with these labels fits."""
    match labels:
        case None:
            return True
        case ir.LabelName(name=name):
            return name in own
        case ir.LabelAnd(args=args):
            return all(holds(each, own) for each in args)
        case ir.LabelOr(args=args):
            return any(holds(each, own) for each in args)
        case ir.LabelNot(arg=arg):
            return not holds(arg, own)
    return bool(own)
