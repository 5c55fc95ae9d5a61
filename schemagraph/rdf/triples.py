"""The triples of a graph as lines of N-Triples: its words, nodes, properties and edges.

Nodes are of the class `pg:Node` and of the classes of their labels. An edge is a resource of its
type's class with `pg:from` and `pg:to`, and besides there is the direct triple of its ends. A
property is one triple; a list is an `rdf:List`; what is absent has no triple.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from schemagraph.folder.graphdata import edge_rows, node_rows
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.rdf import names
from schemagraph.rdf.terms import lexical, literal, n_triples, quoted

type Cells = Callable[[str, dict[str, Any]], Iterator[str]]


def words(schema: SchemaGraph) -> Iterator[str]:
    """The names of labels and edge types, which IRIs hold encoded."""
    for iri, name in (
        *((names.label_iri(label), label) for label in schema.labels),
        *((names.edge_iri(label), label) for label in schema.edge_labels),
    ):
        yield f"<{iri}> <{names.PREFIXES['rdfs']}label> {quoted(name)} .\n"


def triples(folder: Path, schema: SchemaGraph) -> Iterator[str]:
    """All triples of the graph in a folder, a line each.

    Raises:
        SchemaError: a table cannot be read.
    """
    yield from words(schema)
    lists = count(1)
    for node in schema.nodes:
        yield from _nodes(folder, node, lists)
    for edge in schema.edges:
        yield from _edges(folder, edge, schema, lists)


def key_texts(node: NodeType, key: tuple[Any, ...]) -> tuple[str, ...]:
    """The values of a key as a node's IRI holds them."""
    return tuple(lexical(value) for value in key)


def _nodes(folder: Path, node: NodeType, lists: Iterator[int]) -> Iterator[str]:
    classes = [names.NODE, *(names.label_iri(label) for label in node.labels)]
    rest = "".join(f" <{names.TYPE}> <{name}> .\n" for name in classes).splitlines(keepends=True)
    cells = _cells(node.properties, lists)
    for number, row in enumerate(node_rows(folder, node), 1):
        key = key_texts(node, tuple(row[name] for name in node.key)) or (f"{number}",)
        subject = f"<{names.node_iri(node.name, key)}>"
        yield "".join(subject + each for each in rest)
        yield from cells(subject, row)


def _edges(
    folder: Path, edge: EdgeType, schema: SchemaGraph, lists: Iterator[int]
) -> Iterator[str]:
    own = names.edge_iri(edge.label)
    source, target = (schema.node_by_name[end] for end in (edge.source, edge.target))
    cells = _cells(edge.properties, lists)
    for number, row in enumerate(edge_rows(folder, edge, schema), 1):
        start = f"<{names.node_iri(source.name, key_texts(source, row.source))}>"
        end = f"<{names.node_iri(target.name, key_texts(target, row.target))}>"
        subject = f"<{names.link_iri(edge.name, number)}>"
        yield (
            f"{subject} <{names.TYPE}> <{own}> .\n{subject} <{names.FROM}> {start} .\n"
            f"{subject} <{names.TO}> {end} .\n{start} <{own}> {end} .\n"
        )
        yield from cells(subject, row.properties)


def _cells(properties: tuple[Property, ...], lists: Iterator[int]) -> Cells:
    """What makes the triples of a row's properties."""
    known = [(p.name, f" <{names.property_iri(p.name)}> ", p.type) for p in properties]

    def cells(subject: str, row: dict[str, Any]) -> Iterator[str]:
        for name, predicate, of in known:
            value = row[name]
            if value is None:
                continue
            if of.kind is Kind.LIST:
                yield from _list(subject + predicate, value, of.item, lists)
                continue
            term = literal(value, of)
            if term is not None:
                yield f"{subject}{predicate}{n_triples(term)} .\n"

    return cells


def _list(head: str, items: list[Any], of: Type | None, lists: Iterator[int]) -> Iterator[str]:
    number = next(lists)
    for place, item in enumerate(items):
        cell = f"_:l{number}x{place}"
        term = literal(item, of or Type(Kind.STRING))
        if term is None:
            return
        yield f"{head}{cell} .\n{cell} <{names.FIRST}> {n_triples(term)} .\n"
        head = f"{cell} <{names.REST}> "
    yield f"{head}<{names.NIL}> .\n"
