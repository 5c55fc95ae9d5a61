"""Whether one MATCH could bind one edge twice, which Cypher forbids and GQL must be told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Set

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from graph_ir.walk import find
from translators.searches import FUNCTIONS


def edges_of(path: ir.Path) -> Iterator[ir.EdgePattern]:
    """Every edge pattern of a path, those inside quantified parts included."""
    for step in path.steps:
        if isinstance(step.edge, ir.EdgePattern):
            yield step.edge
        else:
            yield from edges_of(step.edge.path)


def repeats(step: ir.Step) -> bool:
    """Whether a step can pass two edges."""
    hops = step.edge.hops
    if hops is None:
        return False
    most = hops.hi if hops.hi is not None else 2
    edges = 1 if isinstance(step.edge, ir.EdgePattern) else len(step.edge.path.steps)
    return most * edges > 1


def unbounded(path: ir.Path) -> bool:
    """Whether a quantifier in the path has no upper bound."""
    return any(step.edge.hops is not None and step.edge.hops.hi is None for step in path.steps)


def can_repeat_edge(paths: tuple[ir.Path, ...]) -> bool:
    """Whether two edges bound by `paths` together can be the same edge."""
    if any(repeats(step) for path in paths for step in path.steps):
        return True
    edges = [edge for path in paths for edge in edges_of(path)]
    if all(edge.type.of for edge in edges):
        return _meet([frozenset(edge.type.of) for edge in edges])
    return _meet([_names(edge.types) for edge in edges])


def search_can_repeat_edge(path: ir.Path, one_end: Callable[[ir.Path], bool]) -> bool:
    """Whether a search for walks could choose one that has an edge twice, where one for trails
    may not: a second shortest one, one of two edges at least, or an edge and back (`one_end` tells
    whether it may end where it begins)."""
    if path.selector is None or path.selector.kind in FUNCTIONS or path.mode is not None:
        return False
    if not can_repeat_edge((path,)):
        return False
    if path.selector.count > 1 or len(path.steps) > 1 or _can_turn_back(path, one_end):
        return True
    edge = path.steps[0].edge
    return edge.hops is not None and edge.hops.lo > 1


def _can_turn_back(path: ir.Path, one_end: Callable[[ir.Path], bool]) -> bool:
    """Whether a search for walks from a node to itself could go along an edge and back, where one
    for trails finds a cycle or nothing: the pattern has edges of both directions.
    """
    if path.selector is None or path.mode is not None or len(path.steps) != 1:
        return False
    both_ways = any(edge.direction is ir.Direction.BOTH for edge in edges_of(path))
    return both_ways and one_end(path)


def is_named_cycle(path: ir.Path) -> bool:
    """Whether a path ends at the variable that it begins with."""
    return path.head.var is not None and path.head.var == path.steps[-1].node.var


def may_be_cycle(path: ir.Path, apart: Set[frozenset[str]]) -> bool:
    """Whether a path may end where it begins: two variables can be bound to one node, but for
    those that are kept `apart`."""
    first, last = path.head, path.steps[-1].node
    if is_named_cycle(path):
        return True
    if first.type.of and last.type.of and set(first.type.of).isdisjoint(last.type.of):
        return False
    if first.var and last.var and frozenset((first.var, last.var)) in apart:
        return False
    return not _differ(_pins(first), _pins(last))


def kept_apart(statement: ir.Statement) -> frozenset[frozenset[str]]:
    """Pairs of variables that are surely two nodes where a path between them is searched: by
    `a <> b`, or by one property that is another constant or less. There are none without a
    search."""
    if not any(path.selector for path in find(statement, ir.Path)):
        return frozenset()
    names = Counter(
        name
        for query in find(statement, ir.Query)
        for name in {n.var for m in query.clauses for n in find(m, ir.NodePattern) if n.var}
    )
    for item in find(statement, ir.Item):
        if item.expr != ir.Var(item.alias):
            names[item.alias] = 2  # it may be another thing by then
    pairs: set[frozenset[str]] = set()
    for query in find(statement, ir.Query):
        pins: dict[str, set[Pin]] = {}
        for clause in query.clauses:
            searches = any(path.selector for path in find(clause, ir.Path))
            if isinstance(clause, ir.Match) and (searches or not clause.optional):
                for node in find(clause, ir.NodePattern):
                    if node.var is not None:
                        pins.setdefault(node.var, set()).update(_pins(node))
                for test in conjuncts(clause.where):
                    _note(test, pins, pairs)
            if searches:
                break
        known = sorted(name for name, mine in pins.items() if mine)
        pairs.update(
            frozenset((one, other))
            for number, one in enumerate(known)
            for other in known[number + 1 :]
            if _differ(pins[one], pins[other])
        )
    return frozenset(pair for pair in pairs if all(names[name] == 1 for name in pair))


type Pin = tuple[str, type, object]
"""A property's name, and the type and the value of the constant that it is."""


def _differ(one: Set[Pin], other: Set[Pin]) -> bool:
    return any(
        key == name and of is kind and value != against
        for key, of, value in one
        for name, kind, against in other
    )


def _pins(node: ir.NodePattern) -> set[Pin]:
    entries = node.props.entries if isinstance(node.props, ir.MapOf) else ()
    return {_pin(e.key, e.value) for e in entries if isinstance(e.value, ir.Literal)}


def _pin(key: str, value: ir.Literal) -> Pin:
    return (key, type(value.value), value.value)


def _note(test: ir.Expr, pins: dict[str, set[Pin]], pairs: set[frozenset[str]]) -> None:
    """Take a condition into account."""
    match test:
        case ir.Compare(ir.CompareOp.EQ, ir.Prop(ir.Var(name), key), ir.Literal() as value):
            pins.setdefault(name, set()).add(_pin(key, value))
        case ir.Compare(ir.CompareOp.EQ, ir.Literal() as value, ir.Prop(ir.Var(name), key)):
            pins.setdefault(name, set()).add(_pin(key, value))
        case ir.Compare(ir.CompareOp.NE, ir.Var(one), ir.Var(other)) | ir.Not(
            ir.Compare(ir.CompareOp.EQ, ir.Var(one), ir.Var(other))
        ):
            pairs.add(frozenset((one, other)))
        case ir.Compare(
            ir.CompareOp.NE | ir.CompareOp.LT | ir.CompareOp.GT,
            ir.Prop(ir.Var(one), key),
            ir.Prop(ir.Var(other), name),
        ) if key == name and one != other:
            pairs.add(frozenset((one, other)))


def _meet(sets: list[frozenset[str] | None]) -> bool:
    """Whether two of the sets have a member in common; None is the set of all."""
    known = [part for part in sets if part is not None]
    if len(known) < len(sets):
        return len(sets) > 1
    return sum(map(len, known)) > len(frozenset().union(*known))


def overlap(first: ir.EdgePattern, second: ir.EdgePattern) -> bool:
    """Whether two edge patterns can match one edge: by the schema's edge types, else by name."""
    if first.type.of and second.type.of:
        return not set(first.type.of).isdisjoint(second.type.of)
    names = _names(first.types), _names(second.types)
    return names[0] is None or names[1] is None or not names[0].isdisjoint(names[1])


def _names(types: ir.LabelExpr | None) -> frozenset[str] | None:
    """The edge labels that a label expression can accept, or None for any."""
    match types:
        case ir.LabelName():
            return frozenset([types.name])
        case ir.LabelOr():
            parts = [_names(arg) for arg in types.args]
            known = [part for part in parts if part is not None]
            return frozenset().union(*known) if len(known) == len(parts) else None
        case ir.LabelAnd():
            known = [part for part in map(_names, types.args) if part is not None]
            return frozenset.intersection(*known) if known else None
        case _:
            return None
