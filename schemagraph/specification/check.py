"""All that is wrong with a schema and its distribution specification, as diagnostics.

Both authors of schemas use it: violations go back to a language model with their codes and paths,
and a rule author must have none. Codes are stable:

    those of `check_schema`, and
    isolated-node      no edge type touches a node type
    two-types          a property has two types in the graph
    unconnected        the edge types do not connect all node types
    missing-nodes, missing-edges, missing-property     the specification lacks it
    unknown-nodes, unknown-edges, unknown-property     the schema lacks it
    wrong-kind         a distribution without meaning for the property's type
    wrong-value        a value that is not of the property's type
    unknown-column     a reference to a column that is not there, or has no fitting type
    circular-columns   columns that need each other
    unknown-provider   Faker has no such provider
    null-forbidden     a share of NULL for a property that cannot be NULL
    key-not-unique     a single key property that is not `unique`
    few-values         fewer different values than rows must have
    other-ends         a switch that needs source and target of the same type
    impossible-order   an order that no program could keep
    impossible-same    properties of the ends that cannot be compared
    impossible-prefer  an end that is preferred and not chosen
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import FrameType
from typing import Any

from graphmill.errors import Diagnostic, did_you_mean
from schemagraph.folder.check import check_schema
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from schemagraph.specification import distributions as d
from schemagraph.specification.columns import End, capacity, needs, order_of, passes_null, visible
from schemagraph.specification.leads import end_names, led, steps
from schemagraph.specification.model import (
    Alone,
    Before,
    Column,
    Edges,
    Nodes,
    Once,
    Prefer,
    Same,
    Specification,
)

_NUMBERS = frozenset({Kind.INTEGER, Kind.FLOAT})
_DAYS = frozenset({Kind.DATE, Kind.DATETIME})
_MOMENTS = frozenset({Kind.DATETIME})
_ENUMERABLE = frozenset({Kind.BOOLEAN, Kind.STRING, *_NUMBERS, *_DAYS})
_TEXT = frozenset({Kind.STRING})

MEANS: Mapping[type[d.Part], frozenset[Kind]] = {
    d.Categorical: _ENUMERABLE,
    d.Zipf: _ENUMERABLE,
    d.Flag: frozenset({Kind.BOOLEAN}),
    d.Uniform: _NUMBERS,
    d.Normal: _NUMBERS,
    d.LogNormal: _NUMBERS,
    d.Mixture: _NUMBERS,
    d.Dates: _DAYS,
    d.After: _DAYS,
    d.Sequence: frozenset({Kind.INTEGER, Kind.STRING}),
    d.Pattern: _TEXT,
    d.Faker: _TEXT,
    d.Template: _TEXT,
    d.Correlated: _NUMBERS,
    d.Scaled: _NUMBERS,
    d.Copied: _ENUMERABLE,
    d.Conditional: _ENUMERABLE,
    d.Banded: _ENUMERABLE,
    d.Product: _NUMBERS,
    d.Sum: _NUMBERS,
    d.Annuity: _NUMBERS,
    d.Elapsed: _NUMBERS,
    d.Curve: _NUMBERS,
    d.Ordinal: frozenset({Kind.INTEGER}),
    d.First: _ENUMERABLE,
    d.Allotted: _NUMBERS,
    d.Aggregated: frozenset({*_NUMBERS, *_DAYS}),
    d.Several: frozenset({Kind.LIST}),
    d.Absent: frozenset({*_ENUMERABLE, Kind.LIST}),
}


def check_synthesis(schema: SchemaGraph, given: Specification) -> list[Diagnostic]:
    """What is wrong with the schema, the specification, and the two together; [] where nothing is.

    Warnings are findings that a graph can live with.
    """
    diagnostics = check_schema(schema)
    diagnostics += check_shape(schema)
    if not any(finding.severity == "error" for finding in diagnostics):
        diagnostics += check_specification(schema, given)
    return diagnostics


# --- the schema as one of a domain ------------------------------------------------------------


def check_shape(schema: SchemaGraph) -> list[Diagnostic]:
    """What is wrong with a schema that was made up, and right for one that was found."""
    diagnostics = []
    touched = {end for edge in schema.edges for end in (edge.source, edge.target)}
    for node in schema.nodes:
        if node.name not in touched and len(schema.nodes) > 1:
            diagnostics.append(
                _error("isolated-node", f"nodes.{node.name}", "no edge type touches it")
            )
    if not diagnostics and len(_components(schema)) > 1:
        parts = "; ".join(", ".join(sorted(part)) for part in _components(schema))
        diagnostics.append(_error("unconnected", "edges", f"the schema falls into parts: {parts}"))
    kinds: dict[str, dict[str, str]] = {}
    elements: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
    for element in elements:
        for given in element.properties:
            kinds.setdefault(given.name, {}).setdefault(str(given.type), element.name)
    for name, types in kinds.items():
        if len(types) > 1:
            shown = ", ".join(f"{kind} in {place}" for kind, place in types.items())
            diagnostics.append(_error("two-types", f"property {name}", shown))
    return diagnostics


def _components(schema: SchemaGraph) -> list[set[str]]:
    parts: list[set[str]] = [{node.name} for node in schema.nodes]
    for edge in schema.edges:
        joined = [part for part in parts if edge.source in part or edge.target in part]
        parts = [part for part in parts if part not in joined] + [set().union(*joined)]
    return parts


# --- the specification for the schema ---------------------------------------------------------


def check_specification(schema: SchemaGraph, given: Specification) -> list[Diagnostic]:
    """What is wrong with a specification for a schema that is right."""
    diagnostics: list[Diagnostic] = []
    diagnostics += _names("nodes", schema.node_by_name, given.nodes)
    diagnostics += _names("edges", schema.edge_by_name, given.edges)
    for node in schema.nodes:
        if (nodes := given.nodes.get(node.name)) is not None:
            diagnostics += _check_nodes(node, nodes, schema, given)
    for edge in schema.edges:
        if (edges := given.edges.get(edge.name)) is not None:
            diagnostics += _check_edges(edge, edges, schema, given)
    if not diagnostics and steps(schema, given) is None:
        message = (
            "columns need each other over edges, or an edge type and a column that leads over it"
        )
        diagnostics.append(_error("circular-columns", "nodes", message))
    return diagnostics


def _check_nodes(
    node: NodeType, nodes: Nodes, schema: SchemaGraph, given: Specification
) -> Iterator[Diagnostic]:
    where = f"nodes.{node.name}"
    names = (need for column in nodes.properties.values() for need in needs(column.of))
    there = visible(node) | led(names, node, schema, given)
    yield from _check_columns(where, node.properties, nodes.properties, there)
    for name, made in nodes.properties.items():
        if isinstance(made.of, d.Aggregated):
            path = f"{where}.properties.{name}.of"
            kind = next((p.type for p in node.properties if p.name == name), None)
            yield from _check_aggregated(path, made, kind, node, schema, given)
    for name in node.key:
        column = nodes.properties.get(name)
        if column is not None and len(node.key) == 1 and not column.unique:
            yield _error("key-not-unique", f"{where}.properties.{name}", "set unique to true")
    rows = nodes.fixed or nodes.count or 1
    for name, column in nodes.properties.items():
        if column.unique and (room := capacity(column.of)) is not None and room < rows:
            message = f"{rows} rows must differ and there are {room} values"
            yield _error("few-values", f"{where}.properties.{name}.of", message)


def _check_aggregated(
    path: str,
    column: Column,
    kind: Type | None,
    node: NodeType,
    schema: SchemaGraph,
    given: Specification,
) -> Iterator[Diagnostic]:
    """A column that is made of all edges of a type: they are there, and what it is made of."""
    of = column.of
    assert isinstance(of, d.Aggregated)  # noqa: S101 - the caller looks
    edge, part = schema.edge_by_name.get(of.edge), given.edges.get(of.edge)
    if edge is None or part is None:
        near = did_you_mean(of.edge, schema.edge_by_name)
        yield _error("unknown-column", path, f"there is no edge type {of.edge}.{near}")
        return
    if node.name not in (edge.source, edge.target) or part.symmetric or column.unique:
        message = f"{of.edge} does not end at {node.name}, is symmetric, or the column is unique"
        yield _error("unknown-column", path, message)
        return
    if of.column is None:
        if kind is not None and kind.kind is not Kind.INTEGER:
            yield _error("wrong-kind", path, f"a count is no {kind}")
        return
    names = [of.column]
    there = visible(edge, schema) | led(iter(names), edge, schema, given)
    if of.column not in there:
        yield _unknown(path, of.column, there)
        return
    column_kind = there[of.column].kind
    wanted = _NUMBERS if of.how == "sum" else _NUMBERS | _DAYS
    if column_kind not in wanted or (kind is not None and column_kind is not kind.kind):
        yield _error(
            "unknown-column", path, f"{of.column} is {column_kind}, and {of.how} gives {kind}"
        )


def _check_edges(
    edge: EdgeType, edges: Edges, schema: SchemaGraph, given: Specification
) -> Iterator[Diagnostic]:
    where = f"edges.{edge.name}"
    names = [need for column in edges.properties.values() for need in needs(column.of)]
    names += [f"{end}.{name}" for end, name in end_names(edges)]
    columns = visible(edge, schema) | led(iter(names), edge, schema, given)
    yield from _check_columns(where, edge.properties, edges.properties, columns)
    switches = {
        "loops": edges.loops,
        "acyclic": edges.acyclic,
        "symmetric": edges.symmetric,
        "reciprocity": edges.reciprocity,
        "oneway": edges.oneway,
        "triangles": edges.triangles,
    }
    for name, on in switches.items():
        if on and edge.source != edge.target:
            message = f"{edge.source} and {edge.target} are two types"
            yield _error("other-ends", f"{where}.{name}", message)
    yield from _check_order(where, edges, columns)
    for number, same in enumerate(edges.same):
        yield from _check_same(f"{where}.same.{number}", same, edges, columns)
    for number, apart in enumerate(edges.apart):
        path = f"{where}.apart.{number}"
        for end, name in ((End.SOURCE, apart.source), (End.TARGET, apart.target)):
            if f"{end}.{name}" not in columns:
                yield _error("unknown-column", path, f"{end} has no property {name}")
    if edges.alone is not None:
        yield from _check_alone(f"{where}.alone", edges.alone, edges, columns)
    for number, once in enumerate(edges.once):
        yield from _check_once(f"{where}.once.{number}", once, columns)
    for end, chosen in ((End.SOURCE, "1:n"), (End.TARGET, "n:1")):
        prefer = (edges.source if end is End.SOURCE else edges.target).prefer
        if prefer is not None:
            yield from _check_prefer(f"{where}.{end}.prefer", prefer, end, chosen, edges, columns)


def _check_same(
    path: str, same: Same, edges: Edges, columns: Mapping[str, Type]
) -> Iterator[Diagnostic]:
    """Two ends that agree in a property have it, of one type, where such edges can be drawn."""
    ends = [columns.get(f"source.{same.source}"), columns.get(f"target.{same.target}")]
    for side, name, kind in zip(End, (same.source, same.target), ends, strict=True):
        if kind is None:
            yield _error("unknown-column", path, f"{side} has no property {name}")
    if None not in ends and ends[0] != ends[1] and not same.pairs:
        yield _error("impossible-same", path, f"{ends[0]} and {ends[1]} cannot be equal")
    chain = edges.acyclic and same.source == same.target and same.share == 1
    loose = edges.symmetric and same.share < 1
    if (edges.cardinality == "1:1" and not chain) or edges.triangles or loose:
        message = (
            "not with cardinality 1:1 (but for acyclic chains of one property and a share of "
            "1), triangles or, with a share below 1, symmetric"
        )
        yield _error("impossible-same", path, message)


def _check_alone(
    path: str, alone: Alone, edges: Edges, columns: Mapping[str, Type]
) -> Iterator[Diagnostic]:
    """Spans that do not overlap are of days or moments of the end that has several edges."""
    side = End.SOURCE if edges.cardinality == "n:1" else End.TARGET
    across = End.TARGET if side is End.SOURCE else End.SOURCE
    yield from _check_days(path, filter(None, (alone.start, alone.end)), side, columns)
    for also in alone.also:
        ends = [columns.get(f"{side}.{also.many}"), columns.get(f"{across}.{also.one}")]
        for end, name, kind in zip((side, across), (also.many, also.one), ends, strict=True):
            if kind is None:
                yield _error("unknown-column", path, f"{end} has no property {name}")
        if None not in ends and ends[0] != ends[1]:
            yield _error("wrong-kind", path, f"{ends[0]} and {ends[1]} cannot be equal")


def _check_once(path: str, once: Once, columns: Mapping[str, Type]) -> Iterator[Diagnostic]:
    """What comes once is told by properties of the end across, its time by a day or moment."""
    side = End.SOURCE if once.at == "target" else End.TARGET
    for name in once.columns:
        if f"{side}.{name}" not in columns:
            yield _error("unknown-column", path, f"{side} has no property {name}")
    yield from _check_days(path, filter(None, (once.start,)), side, columns)


def _check_days(
    path: str, names: Iterable[str], side: End, columns: Mapping[str, Type]
) -> Iterator[Diagnostic]:
    """Properties of an end that are there, and days or moments."""
    for name in names:
        known = columns.get(f"{side}.{name}")
        if known is None:
            yield _error("unknown-column", path, f"{side} has no property {name}")
        elif known.kind not in _DAYS:
            message = f"{side}.{name} is neither a day nor a moment"
            yield _error("wrong-kind", path, message)


def _check_prefer(
    path: str, prefer: Prefer, end: End, chosen: str, edges: Edges, columns: Mapping[str, Type]
) -> Iterator[Diagnostic]:
    """What an end prefers is a value of its column, and the end is one that is chosen."""
    name = f"{end}.{prefer.column}"
    if name not in columns:
        yield _unknown(path, name, columns)
    else:
        yield from _check_values(path, prefer.values, columns[name])
    alone = edges.cardinality == "1:1" and not edges.acyclic and prefer.share == 1
    if edges.cardinality != chosen and not alone:
        where_chosen = f"cardinality {chosen}, and of 1:1 with a share of 1"
        message = f"the {end} is chosen in edges of {where_chosen}"
        yield _error("impossible-prefer", path, message)


def _have_order(one: Type | None, other: Type | None) -> bool:
    """Two numbers of one type, days and moments, or a whole number (a year) and one of these."""
    if one is None or other is None:
        return False
    kinds = {one.kind, other.kind}
    if Kind.INTEGER in kinds and len(kinds) == 2 and kinds - {Kind.INTEGER} <= _DAYS:
        return True
    return (one == other and one.kind in _NUMBERS) or {one.kind, other.kind} <= _DAYS


def _check_order(where: str, edges: Edges, columns: Mapping[str, Type]) -> Iterator[Diagnostic]:
    between_ends = 0
    for number, order in enumerate(edges.order):
        path = f"{where}.order.{number}"
        kinds = [columns.get(name) for name in (order.first, order.then)]
        for name, kind in zip((order.first, order.then), kinds, strict=True):
            if kind is None:
                yield _unknown(path, name, columns)
        if None in kinds:
            continue
        if not _have_order(*kinds):
            yield _error("impossible-order", path, f"{kinds[0]} and {kinds[1]} have no order")
            continue
        sides = {name.partition(".")[0] for name in (order.first, order.then) if "." in name}
        own = edges.properties.get(order.then)
        if sides == {"source", "target"}:
            between_ends += 1
            days = {kind.kind for kind in kinds if kind} <= _DAYS
            for message in _wrong_between_ends(order, edges, first=between_ends == 1, days=days):
                yield _error("impossible-order", path, message)
        elif order.gap or order.within:
            yield _error("impossible-order", path, "gap and within are between the two ends")
        elif own is None or not (isinstance(own.of, d.After) and order.first in own.of.columns):
            message = f"{order.then} must be of kind after, with {order.first} among its columns"
            yield _error("impossible-order", path, message)
    several = between_ends > 1 and (edges.acyclic or edges.cardinality == "1:1")
    if between_ends and (several or edges.symmetric or edges.reciprocity or edges.triangles):
        message = (
            "an order of the ends is not with symmetric, reciprocity or triangles, and of several "
            "none is acyclic or 1:1"
        )
        yield _error("impossible-order", f"{where}.order", message)


def _wrong_between_ends(order: Before, edges: Edges, *, first: bool, days: bool) -> Iterator[str]:
    """What an order of the two ends cannot have; `first` of the edge type, of `days` or moments."""
    if (order.gap or order.within) and not first:
        yield "gap and within are for the first order of the two ends"
    if (order.gap or order.within) and (not days or edges.cardinality == "1:1"):
        yield "gap and within are of days or moments, and not with cardinality 1:1"
    if edges.acyclic and order.first.partition(".")[2] != order.then.partition(".")[2]:
        yield "acyclic edges are ordered by one property of both ends"


# --- columns ----------------------------------------------------------------------------------


def _names(
    what: str, schema: Mapping[str, object], given: Mapping[str, object], within: str = ""
) -> Iterator[Diagnostic]:
    path = f"{within}.{what}" if within else what
    code = "property" if what == "properties" else what
    for name in schema:
        if name not in given:
            yield _error(f"missing-{code}", path, f"{name} is in the schema and not here")
    for name in given:
        if name not in schema:
            message = f"the schema has no {name}.{did_you_mean(name, schema)}"
            yield _error(f"unknown-{code}", path, message)


def _check_columns(
    where: str,
    properties: tuple[Property, ...],
    columns: Mapping[str, Column],
    there: Mapping[str, Type],
) -> Iterator[Diagnostic]:
    by_name = {given.name: given for given in properties}
    ascending: list[str] = []
    yield from _names("properties", by_name, columns, where)
    for name, column in columns.items():
        given = by_name.get(name)
        if given is None:
            continue
        path = f"{where}.properties.{name}"
        others = {other: kind for other, kind in there.items() if other != name}
        yield from _check_distribution(f"{path}.of", column.of, given.type, others)
        if isinstance(column.of, d.Dates) and column.of.ascending:
            ascending.append(name)
        if (column.null or _has_absent(column.of)) and not given.nullable:
            yield _error("null-forbidden", f"{path}.null", "the property cannot be NULL")
        for other in passes_null(column.of):
            made = columns.get(other)
            if not given.nullable and made is not None and made.null:
                message = f"{other} can be NULL, so this can, and the schema forbids it"
                yield _error("null-forbidden", path, message)
    if len(ascending) > 1:
        message = f"only one column can be ascending, not {', '.join(ascending)}"
        yield _error("impossible-order", f"{where}.properties", message)
    if order_of(columns) is None:
        yield _error("circular-columns", f"{where}.properties", "columns need each other")


def _has_absent(given: d.Distribution) -> bool:
    return isinstance(given, d.Absent) or any(map(_has_absent, d.inner(given)))


def _check_distribution(
    path: str, given: d.Distribution, kind: Type, there: Mapping[str, Type]
) -> Iterator[Diagnostic]:
    if kind.kind not in MEANS[type(given)]:
        yield _error("wrong-kind", path, f"{given.kind} has no meaning for {kind}")
        return
    for name in needs(given, deep=False):
        if name not in there:
            yield _unknown(path, name, there)
    match given:
        case d.Categorical() | d.Zipf():
            yield from _check_values(path, given.values, kind)
        case d.Several():
            yield from _check_values(path, given.values, kind.item or Type(Kind.STRING))
        case d.Faker():
            yield from _check_provider(path, given)
        case d.After():
            names = (*given.columns, *given.before)
            yield from _of_kinds(path, names, there, _DAYS, "is no day or moment")
        case d.Correlated():
            yield from _of_kinds(path, (given.column,), there, _NUMBERS | _DAYS, "has no order")
        case d.Allotted():
            whole = (given.column,) if given.column is not None else ()
            yield from _of_kinds(path, whole, there, _NUMBERS, "is no number")
        case d.First():
            yield from _check_distribution(f"{path}.of", given.of, kind, there)
            yield from _check_distribution(f"{path}.otherwise", given.otherwise, kind, there)
        case d.Scaled() | d.Curve() | d.Product() | d.Sum() | d.Annuity():
            yield from _of_kinds(path, needs(given), there, _NUMBERS, "is no number")
        case d.Elapsed():
            yield from _of_kinds(
                path, (given.start, given.end), there, _DAYS, "is no day or moment"
            )
        case d.Copied():
            if given.column in there and there[given.column].kind is not kind.kind:
                yield _error("unknown-column", path, f"{given.column} is not of type {kind}")
        case d.Conditional():
            for case, inner in given.cases.items():
                yield from _check_distribution(f"{path}.cases.{case}", inner, kind, there)
            yield from _check_distribution(f"{path}.otherwise", given.otherwise, kind, there)
        case d.Banded():
            upto = given.bands[0].upto
            kinds = _DAYS if isinstance(upto, str) else _NUMBERS
            kinds = _MOMENTS if d.is_time(upto) else kinds
            wrong = f"cannot be compared with {upto}"
            yield from _of_kinds(path, (given.column,), there, kinds, wrong)
            for number, band in enumerate(given.bands):
                yield from _check_distribution(f"{path}.bands.{number}.of", band.of, kind, there)
            yield from _check_distribution(f"{path}.otherwise", given.otherwise, kind, there)
    if any(isinstance(part, d.Sequence | d.Ordinal | d.Aggregated) for part in d.inner(given)):
        yield _error("wrong-kind", path, "a sequence, ordinal or aggregated cannot be a case")


def _of_kinds(
    path: str,
    names: Iterable[str],
    there: Mapping[str, Type],
    kinds: Collection[Kind],
    wrong: str,
) -> Iterator[Diagnostic]:
    """Problems with those columns of `names` that are of none of the kinds."""
    for name in names:
        if name in there and there[name].kind not in kinds:
            yield _error("unknown-column", path, f"{name} {wrong}")


def _check_values(path: str, values: tuple[Any, ...], kind: Type) -> Iterator[Diagnostic]:
    for number, value in enumerate(values):
        if not _fits(value, kind.kind):
            yield _error("wrong-value", f"{path}.values.{number}", f"{value!r} is no {kind}")


def _fits(value: Any, kind: Kind) -> bool:
    match kind:
        case Kind.BOOLEAN:
            return isinstance(value, bool)
        case Kind.INTEGER:
            return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63
        case Kind.FLOAT:
            return isinstance(value, int | float) and not isinstance(value, bool)
        case Kind.STRING:
            return isinstance(value, str)
        case Kind.DATE | Kind.DATETIME:
            return isinstance(value, str) and _is_moment(value)
    return False


def _is_moment(text: str) -> bool:
    try:
        d.moment(text)
    except ValueError:
        return False
    return True


def _check_provider(path: str, given: d.Faker) -> Iterator[Diagnostic]:
    from faker import Faker
    from faker.config import AVAILABLE_LOCALES

    if given.locale not in AVAILABLE_LOCALES:
        near = did_you_mean(given.locale, AVAILABLE_LOCALES)
        yield _error("unknown-provider", path, f"Faker has no locale {given.locale}.{near}")
        return
    fake = Faker(given.locale)
    fake.seed_instance(0)
    maker = getattr(fake, given.provider, None)
    if not callable(maker) or given.provider.startswith(("seed", "add_", "set_", "del_", "get_")):
        near = did_you_mean(given.provider, [n for n in dir(fake) if not n.startswith("_")])
        yield _error("unknown-provider", path, f"Faker has no provider {given.provider}.{near}")
        return
    try:
        value = maker(**given.arguments)
    except (TypeError, ValueError, AttributeError, KeyError) as problem:
        yield _error("unknown-provider", path, f"{given.provider} fails: {problem}")
        return
    if _asks_the_clock(maker, given.arguments):
        message = f"{given.provider} depends on today's date; use the kind dates"
        yield _error("unknown-provider", path, message)
    elif not isinstance(value, str):
        message = f"{given.provider} gives {type(value).__name__}, not text"
        yield _error("unknown-provider", path, message)


def _asks_the_clock(maker: Callable[..., Any], arguments: Mapping[str, Any]) -> bool:
    """Whether a provider of Faker takes a day or moment, which it counts from now.

    Some do in one of their forms only, so that each is watched a few times.
    """
    clock_calls = []

    def watch(frame: FrameType, event: str, argument: object) -> None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith("faker.providers.date_time") and frame.f_code.co_name not in _TIMELESS:
            clock_calls.append(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        for _ in range(_WATCHED):
            maker(**arguments)
    finally:
        sys.setprofile(before)
    return bool(clock_calls)


_WATCHED = 20
_TIMELESS = {"century", "timezone"}


def _unknown(path: str, name: str, there: Mapping[str, Type]) -> Diagnostic:
    return _error("unknown-column", path, f"there is no column {name}.{did_you_mean(name, there)}")


def _error(code: str, path: str, message: str) -> Diagnostic:
    return Diagnostic("error", code, f"{path}: {message.rstrip('.')}.")
