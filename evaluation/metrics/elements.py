"""What a query touches: of the schema (related schema, twigs), and of the data (PSJS)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engines.base import Result
from graph_ir import nodes as ir
from graph_ir.canonical import fingerprint
from graph_ir.walk import descend, find
from graphmill.files import canonical
from schemagraph.model import Kind, SchemaGraph

MANY = 6  # an edge pattern that may be of more types than these is no choice of a type


@dataclass(frozen=True, slots=True)
class Related:
    """The part of a schema that a bound query names or implies: node types, edge types (by
    `EdgeType.name`) and properties as `owner.property`."""

    nodes: frozenset[str]
    edges: frozenset[str]
    properties: frozenset[str]

    def same_types(self, other: Related) -> bool:
        """Whether both touch the same node types and edge types."""
        return self.nodes == other.nodes and self.edges == other.edges


def related(statement: ir.Statement) -> Related:
    """The related schema of a bound statement."""
    nodes: set[str] = set()
    edges: set[str] = set()
    properties: set[str] = set()
    for node in descend(statement):
        match node:
            case ir.NodePattern():
                nodes.update(node.type.of)
                properties.update(_entries(node))
            case ir.EdgePattern():
                edges.update(node.type.of)
                properties.update(_entries(node))
            case ir.Prop(base=base, key=key) if base.type.kind in (Kind.NODE, Kind.EDGE):
                properties.update(f"{owner}.{key}" for owner in base.type.of)
    return Related(frozenset(nodes), frozenset(edges), frozenset(properties))


def _entries(pattern: ir.NodePattern | ir.EdgePattern) -> Iterator[str]:
    if isinstance(pattern.props, ir.MapOf):
        for entry in pattern.props.entries:
            yield from (f"{owner}.{entry.key}" for owner in pattern.type.of)


def twigs(statement: ir.Statement, schema: SchemaGraph) -> frozenset[str]:
    """The twigs of a bound statement: its triplets `(A)-[:T]->(B)`, and its properties `A.x`.

    A property of an edge is `T.x`, with the edge's label.
    """
    texts: set[str] = set()
    for edge in find(statement, ir.EdgePattern):
        if len(edge.type.of) <= MANY:
            for name in edge.type.of:
                of = schema.edge_by_name[name]
                texts.add(f"({of.source})-[:{of.label}]->({of.target})")
    for name in related(statement).properties:
        owner, _, key = name.rpartition(".")
        of = schema.edge_by_name.get(owner)  # type: ignore[assignment] # None: a node type
        texts.add(f"{owner if of is None else of.label}.{key}")
    return frozenset(texts)


def hit_rate(returned: Collection[str], gold: Collection[str]) -> float | None:
    """The share of returned twigs that occur in the gold query; None where none was returned."""
    chosen = set(returned)
    return len(chosen & set(gold)) / len(chosen) if chosen else None


# --- the subgraph that a query touches ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Touched:
    """A query of one row whose lists hold elements, and for each column of what type they are:
    then the values are keys; empty where they are whole elements."""

    query: ir.Query
    types: tuple[str, ...]


def provenance(statement: ir.Statement, schema: SchemaGraph) -> list[Touched]:
    """Queries for the elements that the patterns of a bound statement matched: one for each run
    of MATCH that a projection ends (`WITH`, `RETURN`).

    Patterns inside expressions and subqueries are conditions and values, and take no part.
    """
    if isinstance(statement, ir.Union):
        return [*provenance(statement.left, schema), *provenance(statement.right, schema)]
    queries = []
    columns: dict[str, _Column] = {}
    clauses: list[ir.Clause] = []
    names = _Names(schema)
    for clause in statement.clauses:
        if isinstance(clause, ir.Match):
            paths = []
            for path in clause.paths:
                named, own = names.path(path)
                paths.append(named)
                columns |= own
            clause = replace(clause, paths=tuple(paths))
        elif isinstance(clause, ir.Project) and columns:
            queries.append(_collected(clauses, columns.values()))
            columns = {}
        clauses.append(clause)
    return queries


@dataclass(frozen=True, slots=True)
class _Column:
    """What is collected, and the type whose keys its values are."""

    expr: ir.Expr
    of: str = ""


def _collected(clauses: Iterable[ir.Clause], columns: Collection[_Column]) -> Touched:
    items = tuple(
        ir.Item(ir.Agg("collect", (column.expr,), distinct=True), f"elements_{number}")
        for number, column in enumerate(columns)
    )
    query = ir.Query((*clauses, ir.Project(items, final=True, group=())))
    return Touched(query, tuple(column.of for column in columns))


class _Names:
    """Gives every element of a path a name. Keys are enough where the types are known: whole
    elements take ten times as long."""

    def __init__(self, schema: SchemaGraph) -> None:
        self.schema = schema
        self.number = 0

    def fresh(self) -> str:
        self.number += 1
        return f"element {self.number}"

    def path(self, path: ir.Path) -> tuple[ir.Path, dict[str, _Column]]:
        """The path with names, and what is to be collected of it."""
        plain = path.selector is None and all(
            isinstance(step.edge, ir.EdgePattern) and step.edge.hops is None for step in path.steps
        )
        if not plain:
            name = path.var or self.fresh()
            return replace(path, var=name), {name: _Column(ir.Var(name))}
        head = replace(path.head, var=path.head.var or self.fresh())
        columns = self._node(head)
        left, steps = head, []
        for step in path.steps:
            node = replace(step.node, var=step.node.var or self.fresh())
            edge = step.edge
            if isinstance(edge, ir.EdgePattern):
                edge = replace(edge, var=edge.var or self.fresh())
                columns |= self._edge(edge, left, node)
            columns |= self._node(node)
            steps.append(ir.Step(edge, node))
            left = node
        return replace(path, head=head, steps=tuple(steps)), columns

    def _node(self, node: ir.NodePattern) -> dict[str, _Column]:
        name = str(node.var)
        key = self._key(node)
        return {name: _Column(ir.Var(name)) if key is None else _Column(key, node.type.of[0])}

    def _edge(
        self, edge: ir.EdgePattern, left: ir.NodePattern, right: ir.NodePattern
    ) -> dict[str, _Column]:
        name = str(edge.var)
        of = self.schema.edge_by_name.get(edge.type.of[0]) if len(edge.type.of) == 1 else None
        ends = (right, left) if edge.direction is ir.Direction.IN else (left, right)
        keys = [key for end in ends if (key := self._key(end)) is not None]
        both = edge.direction is ir.Direction.BOTH
        if of is None or of.properties or both or len(keys) < 2:
            return {name: _Column(ir.Var(name))}
        first, second = (ir.Call("toString", (key,)) for key in keys)
        joined = ir.Arith(ir.ArithOp.ADD, first, ir.Literal(" "))
        return {name: _Column(ir.Arith(ir.ArithOp.ADD, joined, second), of.name)}

    def _key(self, node: ir.NodePattern) -> ir.Expr | None:
        """The key of a node of one type, where it is one number or text."""
        if len(node.type.of) != 1 or not node.var:
            return None
        of = self.schema.node_by_name[node.type.of[0]]
        key = of.property(of.key[0]) if len(of.key) == 1 else None
        if key is None or key.type.kind not in (Kind.INTEGER, Kind.STRING):
            return None
        return ir.Prop(ir.Var(node.var), key.name)


def touch_the_same(mine: ir.Statement, theirs: ir.Statement, schema: SchemaGraph) -> bool:
    """Whether two bound statements touch the same elements of every graph, as far as their
    queries for them tell: they mean the same."""
    return _asked(mine, schema) == _asked(theirs, schema)


def _asked(statement: ir.Statement, schema: SchemaGraph) -> set[str]:
    return {fingerprint(asked.query) for asked in provenance(statement, schema)}


def elements(asked: Touched, answer: Result, schema: SchemaGraph) -> frozenset[str]:
    """The nodes and edges in the answer of a provenance query, each as one text: a node by its
    type and key, an edge by its type, ends and properties."""
    texts: set[str] = set()
    for row in answer.rows:
        for of, values in zip(asked.types, row, strict=True):
            if of:
                texts.update(f"{of} {value}" for value in values)
            else:
                texts.update(_elements(values, schema))
    return frozenset(texts)


def _elements(value: Any, schema: SchemaGraph) -> Iterator[str]:
    match value:
        case list():
            for item in value:
                yield from _elements(item, schema)
        case {"labels": _, "key": _}:
            name, key = _node_text(value, schema)
            yield f"{name} {key}"
        case {"type": of, "source": source, "target": target, **rest}:
            ends = _node_text(source, schema), _node_text(target, schema)
            properties = rest.get("properties")
            shown = f" {canonical(properties)}" if properties else ""
            yield f"{ends[0][0]}-{of}-{ends[1][0]} {ends[0][1]} {ends[1][1]}{shown}"
        case {"nodes": nodes, "edges": edges}:
            yield from _elements(nodes, schema)
            yield from _elements(edges, schema)


def _node_text(value: Mapping[str, Any], schema: SchemaGraph) -> tuple[str, str]:
    """The type of a node, and its key: the value alone where it is one."""
    labels = set(value["labels"])
    names = (node.name for node in schema.nodes if set(node.labels) == labels)
    name = next(names, "&".join(sorted(labels)))
    key = value["key"] or value.get("properties", {})
    if len(key) == 1:
        (only,) = key.values()
        return name, str(only)
    return name, canonical(key)


def jaccard(gold: Collection[str], predicted: Collection[str]) -> float:
    """Provenance subgraph Jaccard similarity (CypherBench): 1 where neither touches anything."""
    mine, theirs = set(predicted), set(gold)
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0
