"""A schema as a model writes it, and the deterministic way from there to a proposal.

The model fills a `Draft`; `parse` turns it into SchemaGraph, Specification and lexicon, or says all
that cannot be said in them. What is wrong with the result is for `check_synthesis` to find.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from generators.questions.lexicon.completion.complete import AUTHORED, parse_phrase
from generators.questions.lexicon.model import Lexicon, Noun, Path, Provenance, Thing
from generators.questions.lexicon.model import Property as Words
from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.blueprint import LEVELS
from graphmill.english.inflection import plural
from graphmill.errors import Diagnostic
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.specification.check import check_synthesis
from schemagraph.specification.columns import passes_null
from schemagraph.specification.distributions import Absent, Distribution, Part, inner
from schemagraph.specification.model import (
    Apart,
    Before,
    Column,
    Degree,
    Edges,
    End,
    Nodes,
    Poisson,
    Prefer,
    Same,
    Specification,
    violations,
)

type Share = Annotated[float, Field(ge=0, lt=1)]

_TYPES = {
    "BOOLEAN": Type(Kind.BOOLEAN),
    "INTEGER": Type(Kind.INTEGER),
    "FLOAT": Type(Kind.FLOAT),
    "STRING": Type(Kind.STRING),
    "DATE": Type(Kind.DATE),
    "DATETIME": Type(Kind.DATETIME),
    "LIST<STRING>": Type(Kind.LIST, Type(Kind.STRING)),
}
MOST = 200  # characters, words or items that an argument may ask for
_SIZES = ("max", "min", "nb", "num", "length", "size", "width", "height", "count", "repeat")
_NODE = re.compile(r"[A-Z][A-Za-z0-9]*")
_EDGE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
_PROPERTY = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


class DraftProperty(Part):
    """A property with its values; `noun` and `unit` are what people say."""

    name: str
    type: Literal["BOOLEAN", "INTEGER", "FLOAT", "STRING", "DATE", "DATETIME", "LIST<STRING>"]
    values: Distribution
    null: Share = 0.0
    key: bool = False
    unique: bool = False
    noun: str = ""
    unit: str = ""
    note: str = ""


class DraftNode(Part):
    """A node type; `also` are further labels that its nodes carry."""

    name: str
    singular: str
    plural: str
    also: tuple[str, ...] = ()
    note: str = ""
    weight: Annotated[float, Field(gt=0)] = 1.0
    fixed: Annotated[int, Field(ge=1)] | None = None
    properties: Annotated[tuple[DraftProperty, ...], Field(min_length=1)]

    @property
    def full_name(self) -> str:
        """As `NodeType.name`."""
        return "&".join((self.name, *self.also))


class DraftEdge(Part):
    """An edge type: `forward` is what source says of target ("holds"), `backward` the reverse."""

    type: str
    source: str
    target: str
    forward: str
    backward: str
    noun: str = "link"
    note: str = ""
    cardinality: Literal["1:1", "1:n", "n:1", "n:m"] = "n:m"
    weight: Annotated[float, Field(gt=0)] = 1.0
    source_degree: Degree = Field(default_factory=Poisson)
    target_degree: Degree = Field(default_factory=Poisson)
    source_share: Annotated[float, Field(gt=0, le=1)] = 1.0
    target_share: Annotated[float, Field(gt=0, le=1)] = 1.0
    source_prefer: Prefer | None = None
    target_prefer: Prefer | None = None
    parallel: bool = False
    loops: bool = False
    acyclic: bool = False
    symmetric: bool = False
    reciprocity: Annotated[float, Field(ge=0, le=1)] = 0.0
    triangles: Annotated[float, Field(ge=0, le=0.9)] = 0.0
    same: tuple[Same, ...] = ()
    apart: tuple[Apart, ...] = ()
    order: tuple[Before, ...] = ()
    properties: tuple[DraftProperty, ...] = ()


class Draft(Part):
    """A whole schema; `questions` are what people of the domain ask of it."""

    nodes: Annotated[tuple[DraftNode, ...], Field(min_length=1)]
    edges: tuple[DraftEdge, ...]
    questions: tuple[str, ...] = ()

    def edge_name(self, edge: DraftEdge) -> str:
        """As `EdgeType.name`: ends are written by name, and known by all their labels."""
        full = {node.name: node.full_name for node in self.nodes}
        source, target = (full.get(end, end) for end in (edge.source, edge.target))
        return f"{source}-{edge.type}-{target}"


def parse(draft: Draft, request: SchemaRequest) -> tuple[SchemaProposal | None, list[Diagnostic]]:
    """The proposal that a draft describes, and what is wrong with the draft itself.

    Codes: `bad-argument`, `bad-name`, `node-count`, `edge-count`, `nullable-key`, `repeated-type`,
    `repeated-property`, `wrong-edges`. Without a proposal there is at least one finding.
    """
    findings = [*_names(draft), *_sizes(draft, request), *_repeated(draft)]
    unsafe = list(_arguments(draft))
    if unsafe:  # before anything calls a provider with them
        return None, [*findings, *unsafe]
    nodes, links = {}, {}
    for node in draft.nodes:
        nodes[node.full_name] = Nodes(
            weight=node.weight, fixed=node.fixed, properties=_columns(node.properties)
        )
    for edge in draft.edges:
        try:
            links[draft.edge_name(edge)] = _edges(edge)
        except ValidationError as problem:
            for message in violations(problem, {}):
                findings.append(_error("wrong-edges", f"edges.{draft.edge_name(edge)}", message))
    if any(finding.code in ("repeated-type", "repeated-property") for finding in findings):
        return None, findings
    wrong = [edge for edge in draft.edges if draft.edge_name(edge) not in links]
    if wrong:  # what else is wrong is told with it
        rest = draft.model_copy(update={"edges": tuple(e for e in draft.edges if e not in wrong)})
        proposal, others = parse(rest, request)
        if proposal is not None:
            checked = check_synthesis(proposal.schema, proposal.specification)
            others += [each for each in checked if each.severity == "error"]
        known = {(each.code, each.message) for each in findings}
        sizes = ("edge-count", "unconnected")  # for the edges that are left out
        new = [e for e in others if (e.code, e.message) not in known and e.code not in sizes]
        return None, [*findings, *new]
    schema = SchemaGraph(
        request.domain.name.replace("-", "_"),
        tuple(_node_type(node) for node in draft.nodes),
        tuple(_edge_type(edge, draft) for edge in draft.edges),
    )
    given = Specification(nodes=nodes, edges=links)
    return SchemaProposal(schema, given, _lexicon(draft, request)), findings


def _names(draft: Draft) -> list[Diagnostic]:
    findings = []
    for node in draft.nodes:
        for label in (node.name, *node.also):
            if not _NODE.fullmatch(label):
                findings.append(
                    _error("bad-name", f"nodes.{node.name}", f"{label!r} is no CamelCase")
                )
    for edge in draft.edges:
        if not _EDGE.fullmatch(edge.type):
            findings.append(
                _error(
                    "bad-name", f"edges.{draft.edge_name(edge)}", f"{edge.type!r} is no UPPER_CASE"
                )
            )
    for place, properties in _elements(draft):
        for given in properties:
            if not _PROPERTY.fullmatch(given.name):
                findings.append(_error("bad-name", place, f"{given.name!r} is no snake_case"))
            if given.key and given.null:
                findings.append(_error("nullable-key", place, f"the key {given.name} can be null"))
    return findings


def _arguments(draft: Draft) -> Iterator[Diagnostic]:
    """Arguments of Faker's providers that would make values of any size."""
    for place, properties in _elements(draft):
        for given in properties:
            for fake in _fakers(given.values.model_dump()):
                for name, value in fake["arguments"].items():
                    large = len(value) > MOST if isinstance(value, str) else abs(value) > 10**6
                    sized = name.startswith(_SIZES) and not isinstance(value, str) and value > MOST
                    if large or sized:
                        message = f"{fake['provider']}: the argument {name} is too large"
                        yield _error("bad-argument", f"{place}.{given.name}", message)


def _fakers(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("kind") == "faker":
            yield value
        for inner in value.values():
            yield from _fakers(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _fakers(inner)


def _sizes(draft: Draft, request: SchemaRequest) -> list[Diagnostic]:
    bounds = LEVELS[request.level]
    findings = []
    for what, count, (least, most) in (
        ("node", len(draft.nodes), bounds.nodes),
        ("edge", len(draft.edges), bounds.edges),
    ):
        if not least <= count <= most:
            message = f"there are {count} {what} types; {least} to {most} are asked for"
            findings.append(_error(f"{what}-count", f"{what}s", message))
    return findings


def _repeated(draft: Draft) -> list[Diagnostic]:
    """What would be lost in dictionaries by name."""
    findings = []
    for place, names in (
        ("nodes", [node.name for node in draft.nodes]),
        ("edges", [draft.edge_name(edge) for edge in draft.edges]),
    ):
        for name in dict.fromkeys(names):
            if names.count(name) > 1:
                findings.append(
                    _error("repeated-type", place, f"{name} is there {names.count(name)} times")
                )
    for place, properties in _elements(draft):
        listed = [given.name for given in properties]
        for name in dict.fromkeys(listed):
            if listed.count(name) > 1:
                findings.append(_error("repeated-property", place, f"{name} is there twice"))
    return findings


def _elements(draft: Draft) -> list[tuple[str, tuple[DraftProperty, ...]]]:
    nodes = [(f"nodes.{node.name}", node.properties) for node in draft.nodes]
    return nodes + [(f"edges.{draft.edge_name(edge)}", edge.properties) for edge in draft.edges]


def _columns(properties: Sequence[DraftProperty]) -> dict[str, Column]:
    return {
        given.name: Column(
            of=given.values,
            null=0.0 if given.key else given.null,
            unique=given.unique or given.key,
        )
        for given in properties
    }


def _properties(properties: Sequence[DraftProperty]) -> tuple[Property, ...]:
    return tuple(
        Property(given.name, _TYPES[given.type], _nullable(given), given.note)
        for given in properties
    )


def _nullable(given: DraftProperty) -> bool:
    """Whether a value can be missing: by its own rate, or as what it is made of is missing."""
    made = bool(passes_null(given.values)) or _can_be_absent(given.values)
    return not given.key and (given.null > 0 or made)


def _can_be_absent(given: Distribution) -> bool:
    if isinstance(given, Absent) or passes_null(given):
        return True
    return any(map(_can_be_absent, inner(given)))


def _node_type(node: DraftNode) -> NodeType:
    key = tuple(given.name for given in node.properties if given.key)
    return NodeType((node.name, *node.also), _properties(node.properties), key, node.note)


def _edge_type(edge: DraftEdge, draft: Draft) -> EdgeType:
    full = {node.name: node.full_name for node in draft.nodes}
    source, target = (full.get(end, end) for end in (edge.source, edge.target))
    return EdgeType(edge.type, source, target, _properties(edge.properties), edge.note)


def _edges(edge: DraftEdge) -> Edges:
    return Edges(
        cardinality=edge.cardinality,
        weight=edge.weight,
        source=End(degree=edge.source_degree, share=edge.source_share, prefer=edge.source_prefer),
        target=End(degree=edge.target_degree, share=edge.target_share, prefer=edge.target_prefer),
        parallel=edge.parallel,
        loops=edge.loops,
        acyclic=edge.acyclic,
        symmetric=edge.symmetric,
        reciprocity=edge.reciprocity,
        triangles=edge.triangles,
        same=edge.same,
        apart=edge.apart,
        order=edge.order,
        properties=_columns(edge.properties),
    )


def _lexicon(draft: Draft, request: SchemaRequest) -> Lexicon:
    model: dict[str, Any] = {"source": Provenance.MODEL, "sure": AUTHORED}

    def path(edge: DraftEdge) -> Path:
        one = _edge_type(edge, draft)
        plain = edge.noun in ("", "link")
        return Path(
            along=(one.source, f"{one.label}>", one.target),
            forward=parse_phrase(edge.forward),
            backward=parse_phrase(edge.backward),
            link=None if plain else Noun(singular=edge.noun, plural=plural(edge.noun)),
            symmetric=edge.symmetric,
            **model,
        )

    owned = [(node.full_name, node.properties) for node in draft.nodes]
    owned += [(draft.edge_name(edge), edge.properties) for edge in draft.edges]
    words = {
        owner: {p.name: Words(noun=p.noun, unit=p.unit, **model) for p in given if p.noun or p.unit}
        for owner, given in owned
    }
    return Lexicon(
        domain=request.domain.path,
        purpose=request.domain.purpose,
        questions=draft.questions or request.domain.questions,
        things={
            node.full_name: Thing(singular=node.singular, plural=node.plural, **model)
            for node in draft.nodes
        },
        paths={draft.edge_name(edge): path(edge) for edge in draft.edges},
        properties={owner: entries for owner, entries in words.items() if entries},
    )


def _error(code: str, path: str, message: str) -> Diagnostic:
    return Diagnostic("error", code, f"{path}: {message}.")
