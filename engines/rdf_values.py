"""Terms of a SPARQL answer as plain values: what an IRI, a list or a path stands for is looked up.

Nodes, edges and heads of lists are resources; what they are is read from the store that answered
(docs/rdf.md). Lists, maps and paths that a query makes are JSON (`rdf:JSON`), in which
`{"@id": …}` is a resource and `{"@path": […]}` a path of nodes and edges in turn.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from engines.values import parse_duration
from graphmill.errors import QueryError, in_words
from graphmill.json_lines import BYTES
from schemagraph.model import Kind, SchemaGraph
from schemagraph.rdf import names
from schemagraph.rdf.terms import Literal, kind_of, value_of

JSON = f"{names.PREFIXES['rdf']}JSON"


class Resource(NamedTuple):
    """An IRI, or a blank node as its engine names it."""

    text: str
    blank: bool = False


type Term = Literal | Resource
type Outgoing = Callable[[Resource], Iterable[tuple[str, Term]]]
"""The predicates and objects of a resource's triples."""


class Values:
    """Plain values of terms; what is looked up is kept for the time of one answer."""

    def __init__(self, schema: SchemaGraph, outgoing: Outgoing) -> None:
        self._schema = schema
        self._outgoing = outgoing
        self._known: dict[Resource, Any] = {}

    def plain(self, term: Term | None) -> Any:
        """The value of one cell.

        Raises:
            QueryError: the term is none of a graph's or of a query's of ours.
        """
        match term:
            case None:
                return None
            case Literal():
                return self._literal(term)
        if term not in self._known:
            self._known[term] = self._resource(term)
        return self._known[term]

    def _literal(self, term: Literal) -> Any:
        if term.datatype == JSON:
            try:
                return self._json(json.loads(term.text, strict=False))
            except json.JSONDecodeError as problem:
                raise QueryError(f"A made list or map cannot be read: {problem}") from problem
        kind = kind_of(term)
        try:
            value = value_of(term)
        except ValueError as problem:
            raise QueryError(f"A value cannot be read: {in_words(problem)}") from problem
        if kind is Kind.INTEGER and not -(2**63) <= value < 2**63:
            raise QueryError(f"The integer {value} has more than 64 bits: overflow.")
        if kind is Kind.BYTES:
            return {BYTES: term.text}
        if kind is Kind.DURATION:
            return str(parse_duration(term.text))
        return _clock(term.text) if kind in _CLOCKS else value

    def _json(self, value: Any) -> Any:
        match value:
            case {"@id": str(iri)} if len(value) == 1:
                return self.plain(Resource(iri))
            case {"@value": str(text), "@type": str(datatype)} if len(value) == 2:
                return self.plain(Literal(text, datatype))
            case {"@path": list(parts)} if len(value) == 1:
                parts = [self.plain(Resource(iri)) for iri in parts]
                return {"nodes": parts[::2], "edges": parts[1::2]}
            case dict():
                return {name: self._json(each) for name, each in value.items()}
            case list():
                return [self._json(each) for each in value]
        return value

    def _resource(self, term: Resource) -> Any:
        if term.text == names.NIL or term.blank:
            return list(self._items(term))
        if names.local(term.text, "node") is not None:
            labels, properties = self._about(term)
            return {**self._reference(term, properties, labels), "properties": properties}
        if names.local(term.text, "link") is not None:
            return self._edge(term)
        return term.text

    def _items(self, head: Resource) -> Iterator[Any]:
        while head.text != names.NIL:
            about = dict(self._outgoing(head))
            rest = about.get(names.REST)
            if not isinstance(rest, Resource):
                raise QueryError("A blank node that is no list has no value.")
            yield self.plain(about[names.FIRST])
            head = rest

    def _about(self, term: Resource) -> tuple[list[str], dict[str, Any]]:
        """Labels (or edge types) and properties, in the order of names."""
        labels: list[str] = []
        properties: dict[str, Any] = {}
        for predicate, target in self._outgoing(term):
            if predicate == names.TYPE and isinstance(target, Resource):
                own = names.local(target.text, "label") or names.local(target.text, "edge")
                labels += [names.decode(own)] if own else []
            elif (key := names.local(predicate, "prop")) is not None:
                properties[names.decode(key)] = self.plain(target)
        return labels, dict(sorted(properties.items()))

    def _reference(
        self, term: Resource, properties: dict[str, Any], labels: list[str]
    ) -> dict[str, Any]:
        head = (names.local(term.text, "node") or "").split("/", 1)[0]
        node = self._schema.node_by_name.get(names.decode(head))
        if node is None:
            return {"labels": sorted(labels), "key": {}}
        return {
            "labels": list(node.labels),
            "key": {name: properties.get(name) for name in node.key},
        }

    def _edge(self, term: Resource) -> dict[str, Any]:
        about = dict(self._outgoing(term))
        labels, properties = self._about(term)
        ends = {}
        for word, predicate in (("source", names.FROM), ("target", names.TO)):
            end = about.get(predicate)
            if not isinstance(end, Resource):
                raise QueryError(f"{term.text} is no edge of the graph.")
            own, values = self._about(end)
            ends[word] = self._reference(end, values, own)
        return {"type": labels[0] if labels else "", **ends, "properties": properties}


_CLOCKS = frozenset({Kind.TIME, Kind.ZONED_TIME, Kind.DATETIME, Kind.ZONED_DATETIME})


_PARTS = re.compile(r"(.*\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?")


def _clock(text: str) -> str:
    """A time of day or a moment as results show it: a fraction of six digits, nine where needed.

    >>> _clock("11:11:11.1-12:00"), _clock("2024-01-31T10:00:00+00:00")
    ('11:11:11.100000-12:00', '2024-01-31T10:00:00Z')
    """
    match = _PARTS.fullmatch(text)
    if match is None:
        return text
    head, fraction, zone = match.groups()
    digits = (fraction or "").rstrip("0")
    shown = (
        f".{digits.ljust(6, '0') if len(digits) <= 6 else digits.ljust(9, '0')}" if digits else ""
    )
    return f"{head}{shown}{'Z' if zone in ('+00:00', '-00:00') else zone or ''}"
