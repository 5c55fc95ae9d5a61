"""Which part of a schema a question needs: names in its words, completed to one piece (NS-12)."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable

from evaluation.answering.twigs import CLOSED
from graphmill.english.names import singular
from schemagraph.model import SchemaGraph

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")


def words(text: str) -> list[str]:
    """The words of a name or a sentence, small and in the singular.

    >>> words("CALLS_AT"), words("homePorts")
    (['call', 'at'], ['home', 'port'])
    """
    return [singular(word.casefold()) for word in _WORD.findall(text)]


def named(schema: SchemaGraph, question: str) -> tuple[set[str], set[str]]:
    """Node types and edge types (by name) whose own name, or a property that only they have,
    stands in the question.

    The property of a type that is not named counts where no named type has one that ends in the
    same words: in "the names of the workers" it is theirs. An edge label of several types, or of
    function words alone (`WITH`), counts where both ends are named; of several, one end will do
    where none has both."""
    asked = words(question)
    nodes = {node.name for node in schema.nodes if any(_in(asked, n) for n in node.labels)}
    owners: dict[str, list[str]] = {}
    for node in schema.nodes:
        for given in node.properties:
            owners.setdefault(given.name, []).append(node.name)
    spoken = [words(name) for name, held in owners.items() if nodes & {*held}]
    nodes |= {
        held[0]
        for name, held in owners.items()
        if len(held) == 1 and _in(asked, name) and not _ends_one(words(name), spoken)
    }
    edges = {name for label in schema.edge_labels for name in _meant(schema, label, asked, nodes)}
    for edge in schema.edges:
        if any(_in(asked, given.name) and given.name not in owners for given in edge.properties):
            edges.add(edge.name)
    return nodes, edges


def _ends_one(own: list[str], names: Iterable[list[str]]) -> bool:
    return any(name[-len(own) :] == own for name in names)


def _meant(schema: SchemaGraph, label: str, asked: list[str], nodes: set[str]) -> set[str]:
    """The edge types that a label in the question stands for."""
    of = [edge for edge in schema.edges if edge.label == label]
    if not _in(asked, label):
        return set()
    both = {edge.name for edge in of if {edge.source, edge.target} <= nodes}
    if both or {*words(label)} <= CLOSED:
        return both
    near = [edge for edge in of if {edge.source, edge.target} & nodes]
    return {edge.name for edge in (of if len(of) == 1 else near)}


def _in(asked: list[str], name: str) -> bool:
    own = words(name)
    width = len(own)
    return bool(own) and any(asked[at : at + width] == own for at in range(len(asked) - width + 1))


def completed(
    schema: SchemaGraph, nodes: Iterable[str], edges: Iterable[str]
) -> tuple[set[str], set[str]]:
    """Alg 2: the ends of edges join; then pieces are joined along the fewest schema edges, whose
    ends join too, until there is one piece or no way between them."""
    kept = set(edges)
    reached = set(nodes)
    for name in kept:
        reached |= {schema.edge_by_name[name].source, schema.edge_by_name[name].target}
    while path := _shortest(schema, reached, kept):
        for name in path:
            kept.add(name)
            reached |= {schema.edge_by_name[name].source, schema.edge_by_name[name].target}
    return reached, kept


def _shortest(schema: SchemaGraph, nodes: set[str], edges: set[str]) -> list[str]:
    """The fewest edges between two pieces; empty where there is one piece, or no way."""
    best: list[str] = []
    for start in sorted(nodes):
        own = _piece(schema, start, edges)
        reached: dict[str, list[str]] = {start: []}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            if here in nodes and here not in own:
                path = reached[here]
                if not best or len(path) < len(best):
                    best = path
                break
            for edge in schema.edges:
                for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
                    if one == here and other not in reached:
                        reached[other] = [*reached[here], edge.name]
                        queue.append(other)
    return best


def _piece(schema: SchemaGraph, start: str, edges: set[str]) -> set[str]:
    piece = {start}
    grown = True
    while grown:
        grown = False
        for name in edges:
            ends = {schema.edge_by_name[name].source, schema.edge_by_name[name].target}
            if ends & piece and not ends <= piece:
                piece |= ends
                grown = True
    return piece
