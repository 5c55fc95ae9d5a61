"""RDF: the graph's triples, an OWL vocabulary of its names, SHACL shapes of its schema.

The form is one for every schema (docs/rdf.md). Sources: RDF 1.1 Turtle and N-Triples, OWL 2,
SHACL (W3C Recommendations).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.rdf import names
from schemagraph.rdf.terms import DATATYPES, quoted
from schemagraph.rdf.triples import triples
from schemagraph.rdf.turtle import prefixes, short, turtle
from schemagraph.targets.base import Export


class RdfTarget:
    """Data as Turtle and N-Triples, `vocabulary.ttl` (OWL 2) and `shapes.ttl` (SHACL)."""

    name = "rdf"
    says = "RDF"

    def type_of(self, of: Type) -> str | None:
        """See `schemagraph.targets.base.Target`."""
        if of.kind is Kind.LIST:
            return "rdf:List"
        datatype = DATATYPES.get(of.kind)
        return None if datatype is None else short(datatype)

    def export(self, schema: SchemaGraph) -> Export:
        """See `schemagraph.targets.base.Target`."""
        export = Export()
        export.lose_constraints(schema, ("values", "required", "edge-required"))
        for owner in _owners(schema):
            for p in owner.properties:
                if self.type_of(p.type if p.type.kind is not Kind.LIST else _item(p)) is None:
                    export.lose(f"{owner.name}.{p.name}", f"{p.type} has no literals")
        export.texts["vocabulary.ttl"] = "".join((prefixes(), *_vocabulary(schema)))
        export.texts["shapes.ttl"] = "".join((prefixes(), *_shapes(schema)))
        export.whole["data.nt"] = triples
        export.whole["data.ttl"] = _turtle
        return export


def _owners(schema: SchemaGraph) -> list[NodeType | EdgeType]:
    return [*schema.nodes, *schema.edges]


def _turtle(graph: Path, schema: SchemaGraph) -> Iterator[str]:
    return turtle(triples(graph, schema))


def _item(given: Property) -> Type:
    return given.type.item or Type(Kind.STRING)


# --- OWL -----------------------------------------------------------------------------------------


def _vocabulary(schema: SchemaGraph) -> Iterator[str]:
    yield "\npg:Node a owl:Class .\npg:from a owl:ObjectProperty ; rdfs:range pg:Node .\n"
    yield "pg:to a owl:ObjectProperty ; rdfs:range pg:Node .\npg:duration a rdfs:Datatype .\n"
    for label in schema.labels:
        iri = short(names.label_iri(label))
        yield f"{iri} a owl:Class ; rdfs:subClassOf pg:Node ; rdfs:label {quoted(label)} .\n"
    for label in schema.edge_labels:
        edges = [edge for edge in schema.edges if edge.label == label]
        domain = _union(schema, (edge.source for edge in edges))
        range_ = _union(schema, (edge.target for edge in edges))
        yield (
            f"{short(names.edge_iri(label))} a owl:Class , owl:ObjectProperty ; "
            f"rdfs:label {quoted(label)} ; rdfs:domain {domain} ; rdfs:range {range_} .\n"
        )
    by_key: dict[str, list[Type]] = {}
    for owner in _owners(schema):
        for p in owner.properties:
            by_key.setdefault(p.name, []).append(p.type)
    for key, types in sorted(by_key.items()):
        yield f"{short(names.property_iri(key))} {_property(types)} ; rdfs:label {quoted(key)} .\n"


def _property(types: list[Type]) -> str:
    """What a property is: one of data or of lists, with a range where all types are one."""
    lists = {of.kind is Kind.LIST for of in types}
    if len(lists) > 1:
        return "a rdf:Property"
    if lists == {True}:
        return "a owl:ObjectProperty ; rdfs:range rdf:List"
    datatypes = {DATATYPES.get(of.kind) for of in types}
    first = next(iter(datatypes))
    ranged = f" ; rdfs:range {short(first)}" if len(datatypes) == 1 and first else ""
    return f"a owl:DatatypeProperty{ranged}"


def _union(schema: SchemaGraph, ends: Iterable[str]) -> str:
    """The class of nodes of these types."""
    classes = [_class(schema.node_by_name[end]) for end in dict.fromkeys(ends)]
    if len(classes) == 1:
        return classes[0]
    return f"[ a owl:Class ; owl:unionOf ( {' '.join(classes)} ) ]"


def _class(node: NodeType) -> str:
    labels = [short(names.label_iri(label)) for label in node.labels]
    if len(labels) < 2:
        return labels[0] if labels else "pg:Node"
    return f"[ a owl:Class ; owl:intersectionOf ( {' '.join(labels)} ) ]"


# --- SHACL ---------------------------------------------------------------------------------------


def _shapes(schema: SchemaGraph) -> Iterator[str]:
    for label in schema.labels:
        yield _shape(names.label_iri(label), [], list(schema.with_label(label)))
    for label in schema.edge_labels:
        edges = [edge for edge in schema.edges if edge.label == label]
        ends = [
            f"[ sh:path pg:{word} ; sh:minCount 1 ; sh:maxCount 1 ; sh:class pg:Node ]"
            for word in ("from", "to")
        ]
        yield _shape(names.edge_iri(label), ends, edges)


def _shape(iri: str, first: list[str], owners: Sequence[NodeType | EdgeType]) -> str:
    """The shape of a class: what holds in all types that have it."""
    keys = dict.fromkeys(p.name for owner in owners for p in owner.properties)
    parts = list(first)
    for key in keys:
        shared = [p for owner in owners if (p := owner.property(key)) is not None]
        parts += _constraints(key, shared, everywhere=len(shared) == len(owners))
    listed = "".join(f" ;\n  sh:property {part}" for part in parts)
    return f"\n[] a sh:NodeShape ;\n  sh:targetClass {short(iri)}{listed} .\n"


def _constraints(key: str, properties: list[Property], *, everywhere: bool) -> Iterator[str]:
    path = short(names.property_iri(key))
    least = " ; sh:minCount 1" if everywhere and not any(p.nullable for p in properties) else ""
    datatypes = {DATATYPES.get(p.type.kind) for p in properties}
    first = next(iter(datatypes))
    kind = f" ; sh:datatype {short(first)}" if len(datatypes) == 1 and first else ""
    alike = all(p.values for p in properties) and len({p.type.kind for p in properties}) == 1
    values = dict.fromkeys(value for p in properties for value in p.values) if alike else ()
    items = " ".join(quoted(each) if isinstance(each, str) else str(each) for each in values)
    closed = f" ; sh:in ( {items} )" if items else ""
    yield f"[ sh:path {path}{least} ; sh:maxCount 1{kind}{closed} ]"
    kinds = {DATATYPES.get(_item(p).kind) for p in properties if p.type.kind is Kind.LIST}
    item = next(iter(kinds), None)
    if item and len(kinds) == 1 and all(p.type.kind is Kind.LIST for p in properties):
        cells = f"( {path} [ sh:zeroOrMorePath rdf:rest ] rdf:first )"
        yield f"[ sh:path {cells} ; sh:datatype {short(item)} ]"


TARGET = RdfTarget()
