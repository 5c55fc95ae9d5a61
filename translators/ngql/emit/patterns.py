"""Patterns of MATCH as NebulaGraph has them, and the conditions that must be said besides.

NebulaGraph walks a path as a trail, as Cypher does, but does not compare edges across the
comma-separated paths of one MATCH (vesoft-inc/nebula#4677), so that is said in WHERE. Node
patterns take tags joined with `:`, and constants as properties of the last tag. Source:
NebulaGraph 3.8 manual, "MATCH", "OPTIONAL MATCH", "Graph patterns".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from graph_ir import nodes as ir
from graph_ir.walk import descend
from schemagraph.model import Kind, Type
from translators.base import check_length
from translators.ngql.emit import temporal
from translators.ngql.emit.scope import Scope, label_names, plain_labels, refuse

_BOOLEAN = Type(Kind.BOOLEAN)


@dataclass(frozen=True, slots=True)
class Inline:
    """What stays in a pattern: labels, the one that holds the properties last, and properties."""

    labels: ir.LabelExpr | None
    map: ir.MapOf | None


def inline_props(
    pattern: ir.NodePattern | ir.EdgePattern,
    labels: ir.LabelExpr | None,
    type: Type,
    scope: Scope,
) -> tuple[Inline, tuple[tuple[str, ir.Expr], ...]]:
    """The constants that the pattern can hold, and the equalities to be said in WHERE.

    Raises:
        Refused: the properties are a parameter, whose keys are not known.
    """
    props = pattern.props
    if props is None:
        return Inline(labels, None), ()
    if not isinstance(props, ir.MapOf):
        raise refuse(
            "parameter-map",
            pattern,
            "{$…}",
            "nGQL has no parameter in place of a map of properties.",
        )
    entries = tuple(
        replace(e, value=temporal.constant(e.value) if isinstance(e.value, ir.Call) else e.value)
        for e in props.entries
    )
    keys = [entry.key for entry in entries]
    if isinstance(pattern, ir.EdgePattern):
        order, holds = labels, _edges_hold(pattern, keys, scope)
    else:
        order, holds = _holding_last(labels, type, keys, scope)
    constant = [e for e in entries if holds and _is_constant(e.value)]
    rest = tuple((e.key, e.value) for e in entries if e not in constant)
    kept = replace(props, entries=tuple(constant)) if constant else None
    return Inline(order if kept else labels, kept), rest


def edge_types(pattern: ir.EdgePattern, scope: Scope) -> ir.LabelExpr | None:
    """The types of an edge pattern as a plain alternative, or None for any.

    Raises:
        Refused: negations, without a schema to count the other types.
    """
    types = pattern.types
    names = types.args if isinstance(types, ir.LabelOr) else (types,)
    if types is None or all(isinstance(name, ir.LabelName) for name in names):
        return types
    if isinstance(types, ir.LabelAny):
        return None
    if scope.schema is None:
        raise refuse(
            "label-expression",
            pattern,
            "edge type",
            "nGQL lists edge types; name them, or give a schema.",
        )
    matching = [name for name in scope.schema.edge_labels if _matches(types, name)]
    if len(matching) == len(scope.schema.edge_labels):
        return None
    if not matching:
        raise refuse("label-expression", pattern, "edge type", "No edge has such a type.")
    every = tuple(ir.LabelName(name) for name in matching)
    return ir.LabelOr(every) if len(every) > 1 else every[0]


class Patterns:
    """Lowers the paths of one MATCH; `conditions` are to be said in its WHERE."""

    def __init__(self, scope: Scope, match: ir.Match, used: set[str]) -> None:
        self.scope = scope
        self.match = match
        self.used = used
        self.conditions: list[ir.Expr] = []
        if match.mode is not ir.MatchMode.DIFFERENT_EDGES and len(_steps(match.paths)) > 1:
            raise refuse(
                "match-mode", match, match.mode, "In nGQL a path never takes one edge twice."
            )
        paths = tuple(self._path(path) for path in match.paths)
        self.paths = self._apart(paths)

    # --- paths ---------------------------------------------------------------------------

    def _path(self, path: ir.Path) -> ir.Path:
        if path.mode not in (None, ir.PathMode.TRAIL) and path.steps:
            raise refuse(
                "path-mode", path, path.mode or "", "nGQL walks trails: no edge comes twice."
            )
        if path.var in self.scope.elements:
            raise refuse("rebound", path, path.var or "", "A path cannot be matched again.")
        head = self._node(path.head)
        steps = []
        for step in path.steps:
            edge = self._edge(self._unquantified(step.edge), path)
            steps.append(ir.Step(edge, self._node(step.node), span=step.span))
        if path.selector:
            self._check_selector(path, path.selector, steps)
        if path.var:
            self.scope.bind(path.var, Type(Kind.PATH), nullable=self.match.optional)
        return replace(path, head=head, steps=tuple(steps), mode=None)

    def _check_selector(self, path: ir.Path, selector: ir.Selector, steps: list[ir.Step]) -> None:
        functions = (ir.SelectorKind.FUNCTION_ONE, ir.SelectorKind.FUNCTION_ALL)
        if selector.kind not in functions:
            raise refuse(
                "path-search",
                path,
                selector.kind,
                "nGQL has shortestPath() and allShortestPaths() only, which search differently.",
            )
        edge = steps[0].edge
        if isinstance(edge, ir.Quantified):
            raise refuse("path-search", path, selector.kind, "nGQL repeats single edges only.")
        if edge.hops is None and edge.var is None:
            steps[0] = replace(steps[0], edge=replace(edge, hops=ir.Hops(1, 1)))
        elif edge.hops is None or edge.hops.lo > 1:
            raise refuse("path-search", path, "shortestPath", "nGQL searches from 0 or 1 hops on.")
        own = {name for name in (path.var, edge.var) if name}
        if self.match.where and any(
            isinstance(inner, ir.Var) and inner.name in own for inner in descend(self.match.where)
        ):
            raise refuse(
                "search-predicate",
                path,
                "shortestPath",
                "nGQL filters after the search, Cypher takes conditions on the path into it.",
            )

    def _unquantified(self, edge: ir.EdgePattern | ir.Quantified) -> ir.EdgePattern:
        """`((a)-[r:T]->(b)){1,3}` as `-[r:T*1..3]->` where that is all it says."""
        if isinstance(edge, ir.EdgePattern):
            return edge
        inner = edge.path
        plain = ir.NodePattern()
        ends = (inner.head, *(step.node for step in inner.steps))
        names = {end.var for end in ends if end.var}
        bare = all(replace(end, var=None) == plain for end in ends) and not names & self.used
        if len(inner.steps) == 1 and bare and not edge.where:
            only = inner.steps[0].edge
            if isinstance(only, ir.EdgePattern) and not only.hops:
                return replace(only, hops=edge.hops)
        raise refuse("quantified-path", edge, "quantified path", "nGQL repeats single edges only.")

    # --- nodes and edges -----------------------------------------------------------------

    def _node(self, pattern: ir.NodePattern) -> ir.NodePattern:
        type = self.scope.node_type(pattern)
        labels, tests = plain_labels(pattern.labels)
        inline, equalities = inline_props(pattern, labels, type, self.scope)
        var = pattern.var
        if var in self.scope.nullable:
            raise refuse(
                "nullable-start",
                pattern,
                var or "",
                "Whether nGQL matches from a node that may be null is not defined.",
            )
        if tests or equalities or pattern.where:
            var = var or self.scope.fresh("n")
            ref = ir.Var(var, type=type)
            self.conditions += [ir.LabelTest(ref, test) for test in tests]
            self._equal(ref, equalities)
            if pattern.where:
                self.conditions.append(pattern.where)
        if var:
            self.scope.bind(var, type, nullable=self.match.optional)
        return replace(pattern, var=var, labels=inline.labels, props=inline.map, where=None)

    def _edge(self, pattern: ir.EdgePattern, path: ir.Path) -> ir.EdgePattern:
        type = self.scope.edge_type(pattern)
        var = pattern.var
        if var in self.scope.elements:
            raise refuse(
                "rebound", pattern, var or "", "An edge bound before cannot be matched again."
            )
        hops = pattern.hops
        if hops and hops.lo == hops.hi and hops.lo <= 1 and var in self.used and not path.selector:
            raise refuse(
                "single-hop-list",
                pattern,
                f"*{hops.lo}",
                "In nGQL the variable of a single hop is an edge, not a list of one.",
            )
        types = edge_types(pattern, self.scope)
        inline, equalities = inline_props(pattern, None, type, self.scope)
        if equalities or pattern.where:
            if hops is not None:
                raise refuse(
                    "hop-predicate",
                    pattern,
                    "variable length",
                    "nGQL tests each hop of a path for constants only.",
                )
            var = var or self.scope.fresh("e")
            self._equal(ir.Var(var, type=type), equalities)
            if pattern.where:
                self.conditions.append(pattern.where)
        if var:
            self.scope.bind(var, type, nullable=self.match.optional)
        return replace(pattern, var=var, types=types, props=inline.map, where=None)

    def _equal(self, ref: ir.Expr, equalities: Iterable[tuple[str, ir.Expr]]) -> None:
        for key, value in equalities:
            prop = ir.Prop(ref, key, type=value.type)
            self.conditions.append(ir.Compare(ir.CompareOp.EQ, prop, value, type=_BOOLEAN))

    # --- edge uniqueness across paths -----------------------------------------------------

    def _apart(self, paths: tuple[ir.Path, ...]) -> tuple[ir.Path, ...]:
        """Name the edges of different paths that could be one, and say that they are not."""
        places = list(_edges(paths))
        clashes = []
        for pair in combinations(places, 2):
            one, another = pair
            if one[0] != another[0] and _may_coincide(one[2], another[2], self.scope):
                clashes.append(pair)
                check_length(len(clashes), self.match)
        if not clashes:
            return paths
        if any(path.selector for path in paths):
            raise refuse(
                "search-beside-edges",
                self.match,
                "shortestPath",
                "nGQL cannot compare the edges of a shortest path with those of other paths.",
            )
        names: dict[tuple[int, int], str] = {}
        for pair in clashes:
            for number, index, edge in pair:
                if (number, index) not in names:
                    names[number, index] = edge.var or self.scope.fresh("e")
        named = tuple(_with_names(path, n, names) for n, path in enumerate(paths))
        for (number, index, edge), (other, place, second) in clashes:
            self.conditions.append(
                self._differ(
                    ir.Var(names[number, index], type=self.scope.edge_type(edge)),
                    ir.Var(names[other, place], type=self.scope.edge_type(second)),
                )
            )
        for (number, index), name in names.items():
            edge = next(e for n, i, e in places if (n, i) == (number, index))
            self.scope.bind(name, self.scope.edge_type(edge), nullable=self.match.optional)
        return named

    def _differ(self, left: ir.Expr, right: ir.Expr) -> ir.Expr:
        for listed, other in ((left, right), (right, left)):
            if listed.type.kind is Kind.LIST and listed.type.item:
                var = self.scope.fresh("x")
                item = ir.Var(var, type=listed.type.item)
                inner = self._differ(item, other)
                return ir.Quantifier(ir.QuantifierKind.ALL, var, listed, inner, type=_BOOLEAN)
        return ir.Compare(ir.CompareOp.NE, left, right, type=_BOOLEAN)


def _steps(paths: Iterable[ir.Path]) -> list[ir.Step]:
    return [step for path in paths for step in path.steps]


def _edges(paths: Iterable[ir.Path]) -> Iterator[tuple[int, int, ir.EdgePattern]]:
    for number, path in enumerate(paths):
        for index, step in enumerate(path.steps):
            if isinstance(step.edge, ir.EdgePattern):
                yield number, index, step.edge


def _with_names(path: ir.Path, number: int, names: dict[tuple[int, int], str]) -> ir.Path:
    steps = tuple(
        replace(step, edge=replace(step.edge, var=names[number, index]))
        if (number, index) in names and isinstance(step.edge, ir.EdgePattern)
        else step
        for index, step in enumerate(path.steps)
    )
    return replace(path, steps=steps)


def _may_coincide(one: ir.EdgePattern, other: ir.EdgePattern, scope: Scope) -> bool:
    first, second = (scope.edge_type(edge) for edge in (one, other))
    of_first, of_second = (t.item.of if t.item else t.of for t in (first, second))
    if of_first and of_second:
        return bool(set(of_first) & set(of_second))
    left, right = (_type_names(edge.types) for edge in (one, other))
    return left is None or right is None or bool(left & right)


def _type_names(types: ir.LabelExpr | None) -> set[str] | None:
    parts = types.args if isinstance(types, ir.LabelOr) else (types,)
    names = {part.name for part in parts if isinstance(part, ir.LabelName)}
    return names if len(names) == len(parts) else None


def _matches(labels: ir.LabelExpr, name: str) -> bool:
    match labels:
        case ir.LabelName(own):
            return own == name
        case ir.LabelAnd(args):
            return all(_matches(arg, name) for arg in args)
        case ir.LabelOr(args):
            return any(_matches(arg, name) for arg in args)
        case ir.LabelNot(arg):
            return not _matches(arg, name)
    return True


def _is_constant(value: ir.Expr) -> bool:
    if isinstance(value, ir.Call):
        return temporal.value(value) is not None
    return isinstance(value, ir.Literal)


def _edges_hold(pattern: ir.EdgePattern, keys: list[str], scope: Scope) -> bool:
    """Whether every edge type that can match has the properties."""
    type = scope.edge_type(pattern)
    of = type.item.of if type.item else type.of
    if scope.schema is None or not of:
        return scope.schema is None
    candidates = [scope.schema.edge_by_name[name] for name in of]
    return all(edge.property(key) for edge in candidates for key in keys)


def _holding_last(
    labels: ir.LabelExpr | None, type: Type, keys: list[str], scope: Scope
) -> tuple[ir.LabelExpr | None, bool]:
    """The labels with one that holds all keys of every candidate at the end, if there is one."""
    names = label_names(labels) or ()
    if scope.schema is None or scope.tags is None:
        return labels, len(names) == 1
    candidates = [scope.schema.node_by_name[n] for n in type.of if n in scope.schema.node_by_name]
    for name in reversed(names):
        if candidates and all(
            name in scope.tags.holders(node, key) for node in candidates for key in keys
        ):
            rest = tuple(ir.LabelName(other) for other in names if other != name)
            if not rest:
                return labels, True
            return ir.LabelAnd((*rest, ir.LabelName(name))), True
    return labels, False
