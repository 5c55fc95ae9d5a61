"""What a query touches: of the schema (related schema, twigs), and of the data (PSJS)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engines.base import Result
from graph_ir import nodes as ir
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
    found: set[str] = set()
    for edge in find(statement, ir.EdgePattern):
        if len(edge.type.of) <= MANY:
            for name in edge.type.of:
                of = schema.edge_by_name[name]
                found.add(f"({of.source})-[:{of.label}]->({of.target})")
    for name in related(statement).properties:
        owner, _, key = name.rpartition(".")
        of = schema.edge_by_name.get(owner)  # type: ignore[assignment] # None: a node type
        found.add(f"{owner if of is None else of.label}.{key}")
    return frozenset(found)


def hit_rate(returned: Collection[str], gold: Collection[str]) -> float | None:
    """The share of returned twigs that occur in the gold query; None where none was returned."""
    chosen = set(returned)
    return len(chosen & set(gold)) / len(chosen) if chosen else None


# --- the subgraph that a query touches ------------------------------------------------------


def provenance(statement: ir.Statement) -> list[ir.Query]:
    """Queries of one row each, whose lists are the elements that the patterns of `statement`
    matched: one for each run of MATCH that a projection ends (`WITH`, `RETURN`).

    Patterns inside expressions and subqueries are conditions and values, and take no part.
    """
    if isinstance(statement, ir.Union):
        return [*provenance(statement.left), *provenance(statement.right)]
    found = []
    names: list[str] = []
    clauses: list[ir.Clause] = []
    number = 0
    for clause in statement.clauses:
        if isinstance(clause, ir.Match):
            paths = []
            for path in clause.paths:
                named, own, number = _named(path, number)
                paths.append(named)
                names += own
            clause = replace(clause, paths=tuple(paths))
        elif isinstance(clause, ir.Project) and names:
            found.append(_collected(clauses, names))
            names = []
        clauses.append(clause)
    return found


def _collected(clauses: Iterable[ir.Clause], names: Iterable[str]) -> ir.Query:
    items = tuple(
        ir.Item(ir.Agg("collect", (ir.Var(name),), distinct=True), f"elements_{number}")
        for number, name in enumerate(dict.fromkeys(names))
    )
    return ir.Query((*clauses, ir.Project(items, final=True, group=())))


def _named(path: ir.Path, number: int) -> tuple[ir.Path, list[str], int]:
    """The path with a name for each element, and the names to be collected."""

    def fresh() -> str:
        nonlocal number
        number += 1
        return f"element {number}"

    plain = path.selector is None and all(
        isinstance(step.edge, ir.EdgePattern) and step.edge.hops is None for step in path.steps
    )
    if not plain:
        path = replace(path, var=path.var or fresh())
        return path, [str(path.var)], number
    head = replace(path.head, var=path.head.var or fresh())
    names = [str(head.var)]
    steps = []
    for step in path.steps:
        edge, node = step.edge, replace(step.node, var=step.node.var or fresh())
        if isinstance(edge, ir.EdgePattern):
            edge = replace(edge, var=edge.var or fresh())
            names.append(str(edge.var))
        names.append(str(node.var))
        steps.append(ir.Step(edge, node))
    return replace(path, head=head, steps=tuple(steps)), names, number


def elements(answers: Iterable[Result]) -> frozenset[str]:
    """The nodes and edges in the answers of provenance queries, each as one text: a node by its
    labels and key, an edge by its type, ends and properties."""
    found: set[str] = set()
    for answer in answers:
        for row in answer.rows:
            for value in row:
                found.update(_elements(value))
    return frozenset(found)


def _elements(value: Any) -> Iterator[str]:
    match value:
        case list():
            for item in value:
                yield from _elements(item)
        case {"labels": labels, "key": key, **rest}:
            identity = key or rest.get("properties", {})
            yield canonical(["node", sorted(labels), identity])
        case {"type": of, "source": source, "target": target, **rest}:
            yield canonical(["edge", of, _end(source), _end(target), rest.get("properties", {})])
        case {"nodes": nodes, "edges": edges}:
            yield from _elements(nodes)
            yield from _elements(edges)


def _end(value: Mapping[str, Any]) -> list[Any]:
    return [sorted(value["labels"]), value["key"]]


def jaccard(gold: Collection[str], predicted: Collection[str]) -> float:
    """Provenance subgraph Jaccard similarity (CypherBench): 1 where neither touches anything."""
    mine, theirs = set(predicted), set(gold)
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0
