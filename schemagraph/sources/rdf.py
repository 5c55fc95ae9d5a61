"""Read RDF: Turtle and N-Triples. Classes are labels, literals properties, other triples edges.

A node is a subject or object that is no literal; its key is its IRI (`iri`), of a blank node its
name in the file. A resource with `pg:from` and `pg:to` (docs/rdf.md) is an edge with properties,
and the direct triple beside it is the same edge. Names are the last parts of IRIs; what they stand
for is kept in the graph's origin. A list of literals is a list; so are several values of a
predicate, in the order of their texts. What a graph cannot hold is refused.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

from graphmill.errors import SourceError
from graphmill.files import file_digest
from schemagraph.convert.element_values import Written
from schemagraph.convert.elements import Elements, Labels, convert_elements
from schemagraph.model import Kind
from schemagraph.rdf import names
from schemagraph.rdf.terms import XSD, Literal, kind_of, value_of
from schemagraph.report import ConversionReport

KEY = "iri"
_SUFFIXES = {".ttl": "TURTLE", ".nt": "N_TRIPLES"}
_NO_LABEL = "Resource"
_NANOSECONDS = re.compile(r"\.\d{7}")
_MOMENTS: dict[Kind, Callable[[str], Any]] = {
    Kind.DATE: date.fromisoformat,
    Kind.TIME: time.fromisoformat,
    Kind.ZONED_TIME: time.fromisoformat,
    Kind.DATETIME: datetime.fromisoformat,
    Kind.ZONED_DATETIME: datetime.fromisoformat,
}
_WHOLE = frozenset(
    f"{XSD}{name}"
    for name in (
        *("int", "long", "short", "byte", "nonNegativeInteger", "positiveInteger"),
        *("nonPositiveInteger", "negativeInteger", "unsignedInt", "unsignedLong"),
        *("unsignedShort", "unsignedByte"),
    )
)


class RdfSource:
    """A file of Turtle or N-Triples."""

    name = "rdf"
    says = "a Turtle or N-Triples file"
    takes_the_rest = False

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the suffix of its name."""
        return path is not None and path.is_file() and path.suffix.lower() in _SUFFIXES

    def convert(self, source: str, out: Path, licence: str) -> ConversionReport:
        """See `schemagraph.convert.source.Source`."""
        path = Path(source)
        read = _File(path)
        read.load()
        return convert_elements(
            out,
            path.stem,
            read.take_in,
            lambda number: f"{path}, resource {number}",
            kind=self.name,
            origin={
                "kind": self.name,
                "file": path.name,
                "sha256": file_digest(path),
                "names": read.iris,  # filled while the elements are read
            },
            licence=licence,
        )


@dataclass
class _File:
    """One file: its triples by subject, and the names that IRIs get."""

    path: Path
    classes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    values: dict[str, dict[str, list[Any]]] = field(default_factory=lambda: defaultdict(dict))
    links: dict[tuple[str, str, str], None] = field(default_factory=dict)
    iris: dict[str, str] = field(default_factory=dict)
    ends: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    lists: dict[str, dict[str, Any]] = field(default_factory=lambda: defaultdict(dict))
    places: dict[str, int] = field(default_factory=dict)

    def load(self) -> None:
        """Read all triples.

        Raises:
            SourceError: the file is no RDF, pyoxigraph is not installed, or a graph cannot hold it.
        """
        try:
            import pyoxigraph
        except ImportError as problem:
            raise SourceError(
                "Reading RDF needs pyoxigraph: pip install 'graphmill[oxigraph]'."
            ) from problem
        kind = getattr(pyoxigraph.RdfFormat, _SUFFIXES[self.path.suffix.lower()])
        try:
            for triple in pyoxigraph.parse(path=self.path, format=kind, rename_blank_nodes=False):
                self._triple(pyoxigraph, triple)
        except (SyntaxError, ValueError) as problem:
            raise SourceError(f"{self.path} is no {self.path.suffix[1:]}: {problem}") from problem
        except OSError as problem:
            raise SourceError(f"{self.path} cannot be read: {problem}") from problem
        if not self.places:
            raise SourceError(f"{self.path} has no triple.")

    def _triple(self, rdf: Any, triple: Any) -> None:
        if type(triple.subject).__name__ == "Triple" or type(triple.object).__name__ == "Triple":
            raise SourceError(f"{self.path}: a triple about a triple has no place in a graph.")
        subject, predicate = _text(rdf, triple.subject), triple.predicate.value
        if self._is_word(subject, predicate):
            return
        self.places.setdefault(subject, len(self.places) + 1)
        if predicate in (names.FIRST, names.REST):
            value = self._value(rdf, triple.object, subject)
            if predicate == names.FIRST and not isinstance(triple.object, rdf.Literal):
                raise SourceError(f"{self.path}: the list {subject} holds no values.")
            if predicate in self.lists[subject]:
                raise SourceError(f"{self.path}: the list {subject} branches.")
            self.lists[subject][predicate] = value
        elif isinstance(triple.object, rdf.Literal):
            own = self.values[subject].setdefault(predicate, [])
            own.append(self._value(rdf, triple.object, subject))
        elif predicate == names.TYPE:
            self.classes[subject].append(_text(rdf, triple.object))
        elif predicate in (names.FROM, names.TO):
            if predicate in self.ends[subject]:
                raise SourceError(f"{self.path}: the edge {subject} has two of {predicate}.")
            self.ends[subject][predicate] = _text(rdf, triple.object)
        else:
            self.links[subject, predicate, _text(rdf, triple.object)] = None

    def _is_word(self, subject: str, predicate: str) -> bool:
        """Whether a triple only names a label or edge type of the form that we write."""
        ours = names.local(subject, "label") or names.local(subject, "edge")
        return bool(ours) and predicate == f"{names.PREFIXES['rdfs']}label"

    def _value(self, rdf: Any, term: Any, subject: str) -> Any:
        if not isinstance(term, rdf.Literal):
            return _text(rdf, term)
        if term.language:
            raise SourceError(
                f"{self.path}: {subject} has a text in the language '{term.language}', and a "
                "property has none."
            )
        datatype = term.datatype.value
        if datatype in _WHOLE:
            return int(term.value)
        if datatype in (f"{XSD}decimal", f"{XSD}float"):
            value = float(term.value)
            if datatype.endswith("decimal") and Decimal(repr(value)) != Decimal(term.value):
                raise SourceError(f"{self.path}: {subject}: no float is exactly {term.value}.")
            return value
        literal = Literal(term.value, datatype)
        kind = kind_of(literal)
        if kind is None:
            raise SourceError(f"{self.path}: {subject}: values of <{datatype}> have no type here.")
        value = value_of(literal)
        if kind is Kind.BYTES:
            return value if isinstance(value, bytes) else b64decode(term.value, validate=True)
        read = _MOMENTS.get(kind)
        if read is None:
            return Written(kind, term.value) if kind is Kind.DURATION else value
        return (
            read(term.value) if not _NANOSECONDS.search(term.value) else Written(kind, term.value)
        )

    # --- elements ------------------------------------------------------------------------

    def take_in(self, elements: Elements) -> None:
        """Add all nodes and edges.

        Raises:
            SourceError: two IRIs have one name, or what stands there cannot be held.
        """
        members = self._members()
        edges = {link: ends for link, ends in self.ends.items() if link not in members}
        nodes = self._nodes(members, edges)
        several = self._several()
        unlabelled = 0
        for node in nodes:
            labels = self._labels(node)
            unlabelled += labels == (_NO_LABEL,)
            row = self._properties(node, several)
            if KEY in row:
                raise SourceError(f"{self.path}: a property of {node} is called '{KEY}'.")
            table = elements.node_table(labels, (KEY,))
            table.add({KEY: node, **row}, self.places.get(node, 0))
        if unlabelled:
            elements.warnings.append(f"{unlabelled} nodes have no class and get {_NO_LABEL}.")
        reified: set[tuple[str, str, str]] = set()
        for link, ends in edges.items():
            self._link(elements, link, ends, nodes, reified, several)
        for source, predicate, target in self.links:
            if target in members or (source, predicate, target) in reified:
                continue  # a list's head, or the triple beside an edge of its own
            label = self._name(predicate, "edge")
            table = elements.edge_table(self._labels(source), label, self._labels(target))
            table.add({}, self.places.get(source, 0), (source, target))

    def _link(
        self,
        elements: Elements,
        link: str,
        ends: dict[str, str],
        nodes: dict[str, None],
        reified: set[tuple[str, str, str]],
        several: set[str],
    ) -> None:
        kinds = self.classes.get(link, [])
        if len(ends) != 2 or len(kinds) != 1:
            raise SourceError(f"{self.path}: the edge {link} has no one type, source and target.")
        source, target = ends[names.FROM], ends[names.TO]
        if link in nodes:
            raise SourceError(f"{self.path}: the edge {link} is an end of another edge.")
        reified.add((source, kinds[0], target))
        label = self._name(kinds[0], "edge")
        table = elements.edge_table(self._labels(source), label, self._labels(target))
        table.add(self._properties(link, several), self.places[link], (source, target))

    def _members(self) -> dict[str, list[Any]]:
        """The items of lists by their heads, and nothing by their other cells."""
        members: dict[str, list[Any]] = {names.NIL: []}
        sources = {source for source, _, _ in self.links}
        targets = {target for _, _, target in self.links}
        inner = {cell[names.REST] for cell in self.lists.values() if names.REST in cell}
        for head in self.lists:
            other = head in self.values or head in self.classes or head in sources
            if other or head in self.ends or (head not in inner and head not in targets):
                raise SourceError(f"{self.path}: the list {head} is no value of a property alone.")
            items, cell, seen = [], head, set()
            while cell != names.NIL:
                own = self.lists.get(cell, {})
                if cell in seen or set(own) != {names.FIRST, names.REST}:
                    raise SourceError(f"{self.path}: the list at {head} has no end.")
                seen.add(cell)
                items.append(own[names.FIRST])
                cell = own[names.REST]
            members[head] = [] if head in inner else items
        return members

    def _nodes(
        self, members: dict[str, list[Any]], edges: dict[str, dict[str, str]]
    ) -> dict[str, None]:
        nodes: dict[str, None] = {}
        for subject in self.places:
            if subject not in members and subject not in edges:
                nodes[subject] = None
        for source, _, target in self.links:
            nodes |= {end: None for end in (source, target) if end not in members}
        for ends in edges.values():
            nodes |= dict.fromkeys(ends.values())
        for (source, predicate, target), _ in self.links.items():
            if target in members:
                self.values[source].setdefault(predicate, []).append(members[target])
        return nodes

    def _several(self) -> set[str]:
        """Predicates that have several values somewhere."""
        return {
            predicate
            for own in self.values.values()
            for predicate, values in own.items()
            if len(values) > 1
        }

    def _labels(self, node: str) -> Labels:
        kinds = [kind for kind in self.classes.get(node, ()) if kind != names.NODE]
        return tuple(sorted(self._name(kind, "label") for kind in kinds)) or (_NO_LABEL,)

    def _properties(self, owner: str, several: set[str]) -> dict[str, Any]:
        row: dict[str, Any] = {}
        for predicate, values in self.values.get(owner, {}).items():
            listed = any(isinstance(value, list) for value in values)
            if listed and (len(values) > 1 or predicate in several):
                raise SourceError(f"{self.path}: {owner} has a list beside values of {predicate}.")
            whole = sorted(values, key=str) if predicate in several else values[0]
            row[self._name(predicate, "prop")] = whole
        return row

    def _name(self, iri: str, prefix: str) -> str:
        """The name of a class, predicate or edge type, which no other IRI of the file has."""
        ours = names.local(iri, prefix)
        name = names.decode(ours) if ours is not None else re.split(r"[/#:]", iri)[-1] or iri
        known = self.iris.setdefault(f"{prefix} {name}", iri)
        if known != iri:
            raise SourceError(f"{self.path}: <{known}> and <{iri}> would both be called '{name}'.")
        return name


def _text(rdf: Any, term: Any) -> str:
    return f"_:{term.value}" if isinstance(term, rdf.BlankNode) else str(term.value)


SOURCE = RdfSource()
