"""How many nodes and edges of each type there are, once the size of the graph is known.

Weights are shared out by largest remainder, so that the totals come out exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphmill.errors import ConfigError
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph
from schemagraph.specification.columns import capacity
from schemagraph.specification.distributions import (
    Annuity,
    Banded,
    Conditional,
    Correlated,
    Curve,
    Distribution,
    Elapsed,
    LogNormal,
    Mixture,
    Normal,
    Numeric,
    Product,
    Scaled,
    Sum,
    Uniform,
)
from schemagraph.specification.model import Column, Edges, Nodes, Specification

MANY_GROUPS = 20  # where nobody knows how many there are
DENSEST = 0.4  # share of all possible pairs up to which different pairs are found quickly
FEW = 20_000  # pairs of whole groups, or four for each source: all of them are looked through
_UNLIMITED = 10**12


def sized(
    schema: SchemaGraph,
    given: Specification,
    nodes: int,
    edges: int | None = None,
    missing: int = 0,
) -> Specification:
    """`given` with every `count` filled in, for `nodes` nodes and `edges` edges in all.

    Without `edges`, a weight stands for as many edges as the same weight stands for nodes. Whole
    numbers get no decimals. No type gets more than is usual at its ends (`most`) while others have
    place. `missing` of the `edges` found no ends in a draw: as many more are
    spread over the types whose numbers are free, as far as they have room.

    Raises:
        ConfigError: the totals cannot be met; the message says which can.
    """
    counts = _node_counts(given.nodes, nodes)
    groups = {name: _groups(edge, given) for name, edge in _edges(schema)}
    bound = {name: _bound(edge, given.edges[name], counts) for name, edge in _edges(schema)}
    open_types = [name for name, count in bound.items() if count is None]
    used = sum(count for count in bound.values() if count is not None)
    room = {n: _room(schema.edge_by_name[n], given.edges[n], counts, groups[n]) for n in open_types}
    least = {n: min(room[n], _least(schema.edge_by_name[n], given.edges[n], counts)) for n in room}
    usual = {
        n: max(least[n], min(room[n], _usual(schema.edge_by_name[n], given.edges[n], counts)))
        for n in room
    }
    weights = {n: given.edges[n].weight for n in open_types}
    if edges is None:
        unit = _unit(given.nodes, counts)
        rest = sum(min(max(round(weights[n] * unit), least[n]), usual[n]) for n in open_types)
    else:
        rest, most = edges - used, used + sum(room.values())
        if rest < sum(least.values()) or edges > most:
            raise ConfigError(
                f"With {nodes} nodes this schema has from {used + sum(least.values())} to {most} "
                f"edges, not {edges}. Ask for other numbers of nodes or edges, or change weights."
            )
        rest = max(sum(least.values()), min(rest + missing, sum(room.values())))
    if rest <= sum(usual.values()):
        shares = shared(rest, weights, least, usual)
    else:  # there is no other place for them
        shares = shared(rest, weights, usual, room)
    for name in open_types:
        if given.edges[name].symmetric and shares[name] % 2:
            shares[name] -= 1
            other = next(
                (n for n in open_types if not given.edges[n].symmetric and shares[n] < room[n]),
                None,
            )
            if other is not None:
                shares[other] += 1
    edge_counts = {name: shares[name] if count is None else count for name, count in bound.items()}
    return Specification(
        nodes={
            node.name: _settled(given.nodes[node.name], node, counts[node.name])
            for node in schema.nodes
        },
        edges={
            name: _settled(given.edges[name], edge, edge_counts[name])
            for name, edge in _edges(schema)
        },
    )


def _edges(schema: SchemaGraph) -> Sequence[tuple[str, EdgeType]]:
    return [(edge.name, edge) for edge in schema.edges]


def _settled[Model: (Nodes, Edges)](part: Model, element: NodeType | EdgeType, count: int) -> Model:
    """The part with its count, and without decimals in whole numbers."""
    columns = {}
    for given in element.properties:
        column = part.properties[given.name]
        if given.type.kind is Kind.INTEGER:
            column = Column(of=_whole(column.of), null=column.null, unique=column.unique)
        columns[given.name] = column
    return part.model_copy(update={"count": count, "properties": columns})


def _whole(given: Distribution) -> Distribution:
    match given:
        case Uniform() | Normal() | LogNormal() | Mixture():
            return _whole_number(given)
        case Correlated():
            return given.model_copy(update={"of": _whole_number(given.of)})
        case Scaled():
            return given.model_copy(update={"decimals": min(0, given.decimals)})
        case Curve() | Product() | Sum() | Annuity() | Elapsed():
            return given.model_copy(update={"decimals": min(0, given.decimals)})
        case Conditional():
            cases = {name: _whole(inner) for name, inner in given.cases.items()}
            return given.model_copy(update={"cases": cases, "otherwise": _whole(given.otherwise)})
        case Banded():
            bands = tuple(b.model_copy(update={"of": _whole(b.of)}) for b in given.bands)
            return given.model_copy(update={"bands": bands, "otherwise": _whole(given.otherwise)})
    return given


def _whole_number(given: Numeric) -> Numeric:
    if isinstance(given, Mixture):
        parts = tuple(p.model_copy(update={"of": _whole_number(p.of)}) for p in given.parts)
        return given.model_copy(update={"parts": parts})
    return given.model_copy(update={"decimals": min(0, given.decimals)})


def _unit(given: Mapping[str, Nodes], counts: Mapping[str, int]) -> float:
    """How many nodes a weight of 1 stands for."""
    free = [name for name, part in given.items() if part.fixed is None]
    if not free:
        return 1.0
    return sum(counts[name] for name in free) / sum(given[name].weight for name in free)


def fewer_fixed(given: Specification, nodes: int) -> Specification | None:
    """`given` with smaller fixed numbers, so that half of `nodes` nodes are of the types that have
    none; None where its own leave room for these, or there are fewer nodes than types."""
    fixed = {name: part.fixed for name, part in given.nodes.items() if part.fixed is not None}
    free = len(given.nodes) - len(fixed)
    if nodes >= sum(fixed.values()) + free or nodes < len(given.nodes) or not free:
        return None
    whole = min(nodes - free, max(len(fixed), nodes // 2))
    fewer = shared(whole, fixed, dict.fromkeys(fixed, 1), fixed)
    parts = {
        name: part.model_copy(update={"fixed": fewer.get(name)})
        for name, part in given.nodes.items()
    }
    return given.model_copy(update={"nodes": parts})


def _node_counts(given: Mapping[str, Nodes], total: int) -> dict[str, int]:
    fixed = {name: part.fixed for name, part in given.items() if part.fixed is not None}
    weights = {name: part.weight for name, part in given.items() if part.fixed is None}
    rest = total - sum(fixed.values())
    if rest < len(weights) or (rest and not weights):
        least = sum(fixed.values()) + len(weights)
        raise ConfigError(
            f"This schema has {'at least' if weights else 'exactly'} {least} nodes, not {total}: "
            f"{len(fixed)} of its node types have a fixed number."
        )
    return fixed | shared(rest, weights, dict.fromkeys(weights, 1), dict.fromkeys(weights, total))


def shared(
    total: int, weights: Mapping[str, float], least: Mapping[str, int], most: Mapping[str, int]
) -> dict[str, int]:
    """`total` in parts by weight, each from `least` to `most`."""
    parts: dict[str, int] = {}
    left = dict(weights)
    while left:
        rest, whole = total - sum(parts.values()), sum(left.values())
        bounded = {
            name: min(max(weight * rest / whole, least[name]), most[name])
            for name, weight in left.items()
        }
        off = {name: bounded[name] - weight * rest / whole for name, weight in left.items()}
        excess = sum(off.values())
        # Those beyond their bounds are settled first, on the side that matters more.
        beyond = [n for n in left if off[n] and (off[n] > 0) == (excess >= 0)]
        if not beyond:
            exact = {name: weight * rest / whole for name, weight in left.items()}
            floors = {name: int(share) for name, share in exact.items()}
            by_rest = sorted(exact, key=lambda name: floors[name] - exact[name])
            for name in by_rest[: rest - sum(floors.values())]:
                floors[name] += 1
            return {name: (parts | floors)[name] for name in weights}
        for name in beyond:
            parts[name] = int(bounded[name])
            del left[name]
    return {name: parts[name] for name in weights}


def _bound(edge: EdgeType, part: Edges, counts: Mapping[str, int]) -> int | None:
    """How many edges there are where that follows from the nodes, or is fixed."""
    source, target = _taking_part(edge, part, counts)
    one_less = part.acyclic  # the last in a hierarchy has nobody above
    match part.cardinality:
        case "n:1":
            return min(source, counts[edge.source] - one_less)
        case "1:n":
            return min(target, counts[edge.target] - one_less)
        case "1:1":
            return min(source, target, counts[edge.source] - one_less)
    if part.fixed is not None and part.fixed > (most := _pairs(edge, part, counts)):
        raise ConfigError(
            f"edges.{edge.name}.fixed is {part.fixed}, but the nodes that take part form {most} "
            "different pairs. Ask for fewer edges or more nodes, or set parallel."
        )
    return part.fixed


def _taking_part(edge: EdgeType, part: Edges, counts: Mapping[str, int]) -> tuple[int, int]:
    source = max(1, round(part.source.share * counts[edge.source]))
    target = max(1, round(part.target.share * counts[edge.target]))
    return source, target


def _groups(edge: EdgeType, given: Specification) -> int:
    """Into how many groups the targets fall, of which a source may lead to one only."""
    most = 1
    for same in given.edges[edge.name].same:
        if same.pairs:
            most = max(most, 2)
            continue
        column = given.nodes[edge.target].properties.get(same.target)  # else over an edge
        groups = (capacity(column.of) if column is not None else None) or MANY_GROUPS
        most = max(most, groups)
    return most


def _room(edge: EdgeType, part: Edges, counts: Mapping[str, int], groups: int) -> int:
    """How many edges of a type there can be.

    In `groups`, popular ones are full before others, and what does not fit is left out: there,
    each source may ask for one, and few pairs may all be taken. Where no rule binds the ends, each
    target that must have one may have it, though there are few sources.
    """
    source, target = _taking_part(edge, part, counts)
    pairs = _pairs(edge, part, counts)
    if part.parallel or not pairs:
        return pairs
    crossing = any("." in order.first and "." in order.then for order in part.order)
    bound = part.acyclic or crossing
    within = pairs // (4 if bound else 1) // groups
    if groups > 1:
        few = min(within, max(FEW, 4 * source))
        return min(pairs, max(source, few, int(within * DENSEST / 2)))
    prefer = part.source.prefer or part.target.prefer
    ruled = part.apart or part.alone or part.once or part.oneway or prefer
    needed = target if part.target.least_one and not ruled else 0
    return max(1, int(within * DENSEST), 0 if bound else min(pairs, max(source, needed)))


def _pairs(edge: EdgeType, part: Edges, counts: Mapping[str, int]) -> int:
    """How many pairs the nodes that take part form, each as often as it may."""
    source, target = _taking_part(edge, part, counts)
    pairs = source * target
    if edge.source == edge.target and not part.loops:
        pairs = min(pairs, source * (counts[edge.target] - 1))
    if part.oneway:
        pairs //= 2
    return _UNLIMITED if part.parallel and pairs else pairs


def _usual(edge: EdgeType, part: Edges, counts: Mapping[str, int]) -> int:
    """How many edges there are at most where nobody asks for more."""
    ends = zip((part.source, part.target), _taking_part(edge, part, counts), strict=True)
    return min((int(end.most * count) for end, count in ends if end.most), default=_UNLIMITED)


def as_usual(schema: SchemaGraph, whole: Specification) -> bool:
    """Whether no node type of a specification with numbers has more edges than is usual."""
    counts = {name: part.count or 0 for name, part in whole.nodes.items()}
    return all(
        (whole.edges[name].count or 0)
        <= max(_usual(edge, whole.edges[name], counts), _least(edge, whole.edges[name], counts))
        for name, edge in _edges(schema)
        if whole.edges[name].cardinality == "n:m"
    )


def _least(edge: EdgeType, part: Edges, counts: Mapping[str, int]) -> int:
    """How many edges a type needs: one, or one for each node that must have one.

    Triangles are closed where edges meet, so that enough of them have to meet.
    """
    source, target = _taking_part(edge, part, counts)
    needed = 2 if part.symmetric else 1
    if part.triangles:
        needed = round(source * max(1, 3 * part.triangles / (1 - part.triangles) ** 2))
    if part.source.least_one:
        needed = max(needed, source)
    if part.target.least_one:
        needed = max(needed, target)
    return needed
