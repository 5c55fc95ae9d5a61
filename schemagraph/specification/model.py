"""The distribution specification of a synthesised graph: `distributions.json` beside the schema.

It says how many nodes and edges of each type there are, how the values of each property are
distributed, and how edges choose their ends. Programs that make the data read it, and so does
the check that measures the data against it. People may edit it.

Written by the authors of schemas; `count` is filled in when the size of the graph is known.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import Field, StrictStr, ValidationError, model_validator

from graphmill.errors import SchemaError
from graphmill.files import write_text
from graphmill.json_lines import read_json
from schemagraph.specification.distributions import (
    Distribution,
    Part,
    Positive,
    Scalar,
    Share,
    Weights,
)

FILE = "distributions.json"

type Count = Annotated[int, Field(ge=0)]


class Column(Part):
    """A property's values: their distribution, the share of NULL, and whether they are unique."""

    of: Distribution
    null: Annotated[float, Field(ge=0, lt=1)] = 0.0
    unique: bool = False


class Nodes(Part):
    """The nodes of a type.

    `weight` is its part of the graph's nodes, relative to the other types'. With `fixed` there
    are that many whatever the size of the graph: countries, currencies, departments.
    """

    weight: Positive = 1.0
    fixed: Annotated[int, Field(ge=1)] | None = None
    count: Count | None = None
    properties: dict[str, Column] = Field(default_factory=dict)


class PowerLaw(Part):
    """Few nodes have most of the edges: the share with k edges falls as k to minus `exponent`."""

    kind: Literal["power_law"] = "power_law"
    exponent: Annotated[float, Field(ge=1.6, le=5)] = 2.3


class Preferential(Part):
    """The more edges a node has, the more it gets, so that earlier rows have more (Barabási and
    Albert 1999, Price 1976); a power law with `exponent` comes out.
    """

    kind: Literal["preferential"] = "preferential"
    exponent: Annotated[float, Field(ge=2.05, le=5)] = 3.0


class Poisson(Part):
    """Edges choose their end by chance alone."""

    kind: Literal["poisson"] = "poisson"


class Even(Part):
    """All nodes have the same number of edges, or one more."""

    kind: Literal["even"] = "even"


class Spread(Part):
    """The number of edges of a node is uniform in a range, whose middle is the mean degree.

    `ratio` is the greatest number divided by the least one.
    """

    kind: Literal["spread"] = "spread"
    ratio: Annotated[float, Field(ge=1, le=100)] = 5.0


type Degree = Annotated[
    PowerLaw | Preferential | Poisson | Even | Spread, Field(discriminator="kind")
]


class Prefer(Part):
    """In this share of the edges, the node at this end has one of `values` in `column`; with
    `weights`, each of these values as often as its weight says."""

    column: StrictStr
    values: Annotated[tuple[Scalar, ...], Field(min_length=1)]
    weights: Weights = ()
    share: Share = 0.9

    @model_validator(mode="after")
    def _one_each(self) -> Self:
        if self.weights and (len(self.weights) != len(self.values) or not sum(self.weights)):
            raise ValueError("there is one weight for each value, and one above 0")
        return self


class End(Part):
    """One end of an edge type: how edges are spread over its nodes.

    `share` is the share of the nodes that have such an edge at all; `least_one` promises one to
    each of these, else it is only open to them. `prefer` is for the end that is chosen, the one
    of which the others have at most one. `most` is how many edges of a type `n:m` a node has on
    average at most, unless a total that was asked for leaves them no other place.
    """

    degree: Degree = Field(default_factory=Poisson)
    share: Annotated[float, Field(gt=0, le=1)] = 1.0
    least_one: bool = False
    prefer: Prefer | None = None
    most: Positive | None = None


class Same(Part):
    """In this share of the edges, `source` and `target` (properties of the ends) are equal, or
    with `pairs`: they go together.

    `pairs` gives for a value of the end `keys` those of the other end that go with it, both as
    text; a value that is not there, and NULL, goes with any. With a `share` of 1, a node that
    nobody at the other end agrees with gets no such edge, unless `else_any` gives it any other.
    """

    source: StrictStr
    target: StrictStr
    share: Share = 0.8
    pairs: dict[str, tuple[StrictStr, ...]] = Field(default_factory=dict)
    keys: Literal["source", "target"] = "source"
    else_any: bool = False


class Apart(Part):
    """`source` and `target` (properties of the ends) differ in every edge: where a flight lands is
    not where it departs. Not for edges of cardinality `1:1`."""

    source: StrictStr
    target: StrictStr


class Also(Part):
    """Over another edge type, too, the `many` are joined with the one whose property `one` is that
    to which their property `many` leads (`Match-HOSTED_BY-Club.club_no`, `club_no`)."""

    many: StrictStr
    one: StrictStr


class Alone(Part):
    """One at a time: what a node of the chosen end is joined with does not overlap in time. A bed
    has one patient, a flat one lease at a time.

    `start` and `end` are days or moments of the end of which each node has one such edge; without
    an end it goes on. In the place of `end`, `days` says how long each lasts: a mother has no two
    births within them. `also` counts what a node is joined with over other edge types: a club plays
    once a day, as a host or as a guest. For edges of cardinality `n:1` and `1:n`.
    """

    start: StrictStr
    end: StrictStr | None = None
    days: Annotated[int, Field(ge=1)] | None = None
    also: tuple[Also, ...] = ()

    @model_validator(mode="after")
    def _one_end(self) -> Self:
        if (self.end is None) == (self.days is None):
            raise ValueError("alone has an end or days, one of them")
        return self


class Once(Part):
    """No two edges of a node at the end `at` lead to nodes that agree in all `columns` of theirs
    (NULL agrees with nothing): no lawyer has two parties of one case.

    With `start` and `days`, they may agree where their days or moments `start` lie so many days
    apart: a guest comes to the same host once in a season. Not for `1:1` and symmetric edges.
    """

    at: Literal["source", "target"]
    columns: Annotated[tuple[StrictStr, ...], Field(min_length=1)]
    start: StrictStr | None = None
    days: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _both(self) -> Self:
        if (self.start is None) != (self.days is None):
            raise ValueError("once has a start and days, or neither")
        return self


class Before(Part):
    """An order that every edge keeps: `first` is not after `then`; where one is NULL, it holds.

    Both are columns that can be compared: the edge's own, `source.NAME` or `target.NAME`. With
    `gap`, days or moments of both ends lie at least so many days apart, with `within` at most so
    many.
    """

    first: StrictStr
    then: StrictStr
    gap: Annotated[int, Field(ge=0)] = 0
    within: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _room(self) -> Self:
        if self.within is not None and self.within <= self.gap:
            raise ValueError("within must be more than gap")
        return self


class Edges(Part):
    """The edges of a type, from source to target.

    `cardinality` counts source nodes to target nodes. In `1:n` a target has at most one such
    edge, in `n:1` a source has at most one, in `1:1` both: there, the number of edges is the share
    of the nodes of that end. The edges that then remain of the graph's total go to the `n:m`
    types in proportion to `weight`, unless `fixed` says how many there are. Where no total is
    given, a weight stands for as many edges as the same weight stands for nodes.

    The switches below need source and target of the same type: `loops` allows edges to oneself;
    `acyclic` forbids cycles (hierarchies, dependencies); `symmetric` stores each edge in both
    directions with the same properties; `reciprocity` is the share of edges whose reverse is
    there too; `oneway` ones have none, and may form longer cycles; `triangles` the share of edges
    that close a triangle (a friend's friend).
    """

    cardinality: Literal["1:1", "1:n", "n:1", "n:m"] = "n:m"
    weight: Positive = 1.0
    fixed: Annotated[int, Field(ge=1)] | None = None
    count: Count | None = None
    source: End = Field(default_factory=End)
    target: End = Field(default_factory=End)
    parallel: bool = False  # several edges of this type between the same two nodes
    loops: bool = False
    acyclic: bool = False
    symmetric: bool = False
    reciprocity: Share = 0.0
    oneway: bool = False
    triangles: Annotated[float, Field(ge=0, le=0.9)] = 0.0
    same: tuple[Same, ...] = ()
    apart: tuple[Apart, ...] = ()
    order: tuple[Before, ...] = ()
    alone: Alone | None = None
    once: tuple[Once, ...] = ()
    properties: dict[str, Column] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _switches_agree(self) -> Self:
        if self.cardinality != "n:m":
            if self.fixed is not None or self.parallel:
                raise ValueError("fixed and parallel are for edges with cardinality n:m")
            if self.symmetric or self.reciprocity or self.triangles or self.oneway:
                raise ValueError(
                    "symmetric, reciprocity, oneway and triangles are for edges with cardinality "
                    "n:m"
                )
        if self.symmetric and (self.acyclic or self.reciprocity or self.parallel or self.loops):
            raise ValueError(
                "symmetric edges cannot be acyclic, parallel, loops or have a reciprocity"
            )
        if self.oneway and (self.symmetric or self.reciprocity or self.parallel or self.loops):
            raise ValueError(
                "oneway edges cannot be symmetric, parallel, loops or have a reciprocity"
            )
        if self.acyclic and (self.loops or self.reciprocity):
            raise ValueError("acyclic edges cannot be loops or have a reciprocity")
        return self

    @model_validator(mode="after")
    def _ends_agree(self) -> Self:
        if len(self.same) > 1 and any(same.share < 1 for same in self.same):
            raise ValueError("of several pairs of properties that agree, each has the share 1")
        if self.apart and (self.cardinality == "1:1" or self.symmetric or self.reciprocity):
            raise ValueError("apart is not for 1:1, symmetric edges or reciprocity")
        if self.alone and self.cardinality not in ("n:1", "1:n"):
            raise ValueError("alone is for edges with cardinality n:1 or 1:n")
        if self.once and (self.cardinality == "1:1" or self.symmetric or self.reciprocity):
            raise ValueError("once is not for 1:1, symmetric edges or reciprocity")
        one = {"n:1": "target", "1:n": "source"}.get(self.cardinality)
        if one and any(once.at != one for once in self.once):
            raise ValueError(f"once is at the {one} of edges with cardinality {self.cardinality}")
        if any(same.pairs for same in self.same) and (
            self.cardinality == "1:1" or self.triangles or self.reciprocity
        ):
            raise ValueError("pairs are not for 1:1, triangles or reciprocity")
        return self


class Specification(Part):
    """Distributions of all node types (by `NodeType.name`) and edge types (`EdgeType.name`)."""

    version: Literal[1] = 1
    nodes: dict[str, Nodes]
    edges: dict[str, Edges] = Field(default_factory=dict)


def specification_to_json(given: Specification, *, complete: bool = False) -> dict[str, Any]:
    """A specification as plain JSON values; what has its default value is left out.

    `complete` leaves nothing out: that is what programs read, and what synthesised graphs hold.
    """
    if complete:
        return given.model_dump(mode="json")
    value: dict[str, Any] = {"version": given.version}
    value["nodes"] = {name: _plain(part) for name, part in given.nodes.items()}
    value["edges"] = {name: _plain(part) for name, part in given.edges.items()}
    return value


def _plain(part: Part) -> dict[str, Any]:
    """A model without its defaults, yet with the `kind` of each part."""
    fields: dict[str, Any] = {}
    for name, field in type(part).model_fields.items():
        value = getattr(part, name)
        if name == "kind" or value != field.get_default(call_default_factory=True):
            fields[name] = _value(value)
    return fields


def _value(value: Any) -> Any:
    if isinstance(value, Part):
        return _plain(value)
    if isinstance(value, dict):
        return {name: _value(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return [_value(item) for item in value]
    return value


def specification_from_json(value: Any, place: str = "") -> Specification:
    """The inverse of `specification_to_json`; `place` names the file in errors.

    Raises:
        SchemaError: with every violation and its path, such as `nodes.Account.properties.iban.of`.
    """
    try:
        return Specification.model_validate(value)
    except ValidationError as problem:
        problems = violations(problem, value)
        shown = "; ".join(problems[:12]) + (
            f"; and {len(problems) - 12} more" * (len(problems) > 12)
        )
        raise SchemaError(f"{place or 'The specification'}: {shown}.") from problem


def violations(problem: ValidationError, value: Any) -> list[str]:
    """Pydantic's findings about `value` as sentences, each with the dotted path of its place."""
    return [_sentence(dict(error), value) for error in problem.errors()]


def _sentence(error: dict[str, Any], value: Any) -> str:
    steps = []
    for step in error["loc"]:
        if isinstance(value, dict) and value.get("kind") == step and step not in value:
            continue  # pydantic names the member of a union, which is no place in the file
        steps.append(str(step))
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            value = None
    message = str(error["msg"]).removeprefix("Value error, ").rstrip(".")
    if error["type"] == "extra_forbidden":
        message = "no such setting"
    if error["type"] == "union_tag_not_found":
        message = "give the kind of distribution"
    return f"{'.'.join(steps) or 'top'}: {message[:1].lower()}{message[1:]}"


def specification_text(given: Specification, *, complete: bool = False) -> str:
    """The text of `distributions.json`, stable and made to be edited."""
    value = specification_to_json(given, complete=complete)
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def save_specification(folder: Path, given: Specification, *, complete: bool = False) -> None:
    """Write `distributions.json`."""
    write_text(folder / FILE, specification_text(given, complete=complete))


def load_specification(folder: Path) -> Specification:
    """The specification in `folder`.

    Raises:
        SchemaError: there is none, or it is wrong; the message says where.
        SourceError: it is a pipe, a device or a socket.
    """
    path = folder / FILE
    return specification_from_json(read_json(path, SchemaError), str(path))
