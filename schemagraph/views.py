"""A schema as a networkx graph: the sub-schemas that queries can cover, their shapes, centrality.

Node types are nodes and edge types are edges of a `networkx.MultiDiGraph`. A sub-schema is what
StockGQL calls one (a path through the schema of 0 to 6 hops), and shapes are those of the
hybrid retrieval paper.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Literal

from schemagraph.model import EdgeType, SchemaGraph

if TYPE_CHECKING:
    import networkx as nx

type Shape = Literal["chain", "star", "tree", "dag", "cyclic_or_dense"]


def as_networkx(schema: SchemaGraph) -> nx.MultiDiGraph[str]:
    """Node types by name; each edge type is an edge with its name as key and its label."""
    import networkx as nx

    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(name=schema.name)
    for node in schema.nodes:
        graph.add_node(node.name, labels=node.labels, properties=len(node.properties))
    for edge in schema.edges:
        graph.add_edge(edge.source, edge.target, key=edge.name, label=edge.label)
    return graph


@dataclass(frozen=True, slots=True)
class Hop:
    """One edge type of a path, walked from its source to its target or back."""

    edge: EdgeType
    forward: bool

    @property
    def ends(self) -> tuple[str, str]:
        """The node types where the hop begins and ends."""
        pair = (self.edge.source, self.edge.target)
        return pair if self.forward else pair[::-1]


@dataclass(frozen=True, slots=True)
class SubSchema:
    """A path through the schema: where it begins, and its hops. No hop is a lone node type."""

    start: str
    hops: tuple[Hop, ...] = ()

    @property
    def nodes(self) -> tuple[str, ...]:
        """The node types along the path, one more than hops."""
        return (self.start, *(hop.ends[1] for hop in self.hops))

    def __str__(self) -> str:
        text = f"({self.start})"
        for hop in self.hops:
            arrow = f"-[{hop.edge.label}]->" if hop.forward else f"<-[{hop.edge.label}]-"
            text += f"{arrow}({hop.ends[1]})"
        return text

    def turns_back(self, place: int) -> bool:
        """Whether a hop goes back along the edge type that led there: to something else."""
        if place == 0:
            return False
        before, hop = self.hops[place - 1], self.hops[place]
        return before.edge == hop.edge and before.forward != hop.forward

    def reversed(self) -> SubSchema:
        """The same path walked from its end."""
        hops = tuple(Hop(hop.edge, not hop.forward) for hop in reversed(self.hops))
        return SubSchema(self.nodes[-1], hops)


def sub_schemas(schema: SchemaGraph, hops: int) -> Iterator[SubSchema]:
    """Every path of exactly `hops` hops, each once: not again from its other end.

    The number grows exponentially with `hops`; `sample_sub_schemas` draws from many.
    """
    around = _around(schema)

    def longer(path: SubSchema) -> Iterator[SubSchema]:
        if len(path.hops) == hops:
            if _first(path):
                yield path
            return
        for hop in around[path.nodes[-1]]:
            yield from longer(SubSchema(path.start, (*path.hops, hop)))

    for node in schema.nodes:
        yield from longer(SubSchema(node.name))


def count_sub_schemas(schema: SchemaGraph, hops: int) -> int:
    """How many `sub_schemas` there are, without making them."""
    walks = _walks(schema, hops)
    same = sum(1 for node in schema.nodes) if hops == 0 else 0
    every = sum(walks[hops].values()) if hops else same
    return every if hops == 0 else (every + _palindromes(schema, hops)) // 2


def sample_sub_schemas(schema: SchemaGraph, hops: int, count: int, rng: Random) -> list[SubSchema]:
    """`count` different paths of `hops` hops, all equally likely; all of them if they are fewer."""
    total = count_sub_schemas(schema, hops)
    if total <= 2 * count or total <= 2_000:
        paths = list(sub_schemas(schema, hops))
        return paths if len(paths) <= count else rng.sample(paths, count)
    walks, around = _walks(schema, hops), _around(schema)
    chosen: dict[SubSchema, None] = {}
    while len(chosen) < count:
        path = _draw(schema, hops, walks, around, rng)
        chosen.setdefault(path if _first(path) else path.reversed())
    return list(chosen)


def _draw(
    schema: SchemaGraph,
    hops: int,
    walks: list[dict[str, int]],
    around: dict[str, list[Hop]],
    rng: Random,
) -> SubSchema:
    names = [node.name for node in schema.nodes]
    start = rng.choices(names, [walks[hops][name] for name in names])[0]
    path = SubSchema(start)
    for left in range(hops - 1, -1, -1):
        options = around[path.nodes[-1]]
        hop = rng.choices(options, [walks[left][hop.ends[1]] for hop in options])[0]
        path = SubSchema(start, (*path.hops, hop))
    return path


def _around(schema: SchemaGraph) -> dict[str, list[Hop]]:
    """The hops that leave each node type; one along an edge to itself leaves it both ways."""
    hops_from: dict[str, list[Hop]] = {node.name: [] for node in schema.nodes}
    for edge in schema.edges:
        hops_from[edge.source].append(Hop(edge, forward=True))
        hops_from[edge.target].append(Hop(edge, forward=False))
    return hops_from


def _walks(schema: SchemaGraph, hops: int) -> list[dict[str, int]]:
    """How many walks of 0, 1, …, `hops` hops begin at each node type."""
    around = _around(schema)
    counts = [{node.name: 1 for node in schema.nodes}]
    for _ in range(hops):
        last = counts[-1]
        counts.append({name: sum(last[h.ends[1]] for h in out) for name, out in around.items()})
    return counts


def _palindromes(schema: SchemaGraph, hops: int) -> int:
    """Walks that are the same from both ends: there and back the same way, so of even length."""
    return sum(_walks(schema, hops // 2)[hops // 2].values()) if hops % 2 == 0 else 0


def _first(path: SubSchema) -> bool:
    """Whether this is the direction that stands for both."""
    return _order(path) <= _order(path.reversed())


def _order(path: SubSchema) -> tuple[str, tuple[tuple[str, bool], ...]]:
    return path.start, tuple((hop.edge.name, not hop.forward) for hop in path.hops)


def near(schema: SchemaGraph, labels: Collection[str]) -> SchemaGraph:
    """The node and edge types of these labels, and what is one hop from them.

    Without a label that the schema has, all of it.
    """
    within = {node.name for node in schema.nodes if not set(labels).isdisjoint(node.labels)}
    for edge in schema.edges:
        if edge.label in labels:
            within |= {edge.source, edge.target}
    if not within:
        return schema
    edges = tuple(edge for edge in schema.edges if {edge.source, edge.target} & within)
    shown = within | {end for edge in edges for end in (edge.source, edge.target)}
    return SchemaGraph(schema.name, tuple(n for n in schema.nodes if n.name in shown), edges)


def shape(graph: nx.MultiDiGraph[str]) -> Shape:
    """The shape of a graph of node types, or of a query's pattern.

    A chain is a path of at least one node, a star has one centre and at least three rays, a tree
    no cycle, a dag none along directions.
    """
    import networkx as nx

    if graph.number_of_nodes() == 0:
        return "chain"
    plain = nx.Graph(graph)
    simple = graph.number_of_edges() == plain.number_of_edges()
    loops = nx.number_of_selfloops(graph)
    if simple and not loops and nx.is_tree(plain):
        degrees = sorted((degree for _, degree in plain.degree()), reverse=True)
        if degrees[0] <= 2:
            return "chain"
        return "star" if degrees[0] == graph.number_of_nodes() - 1 else "tree"
    return "dag" if nx.is_directed_acyclic_graph(graph) else "cyclic_or_dense"
