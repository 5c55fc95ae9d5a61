"""Bodies of EXISTS, COUNT, COLLECT and pattern comprehensions as one path and a condition on it.

In nGQL a pattern in an expression binds no variables. Its own variables become places on the
path: `nodes(p)[1]`, `relationships(p)[0]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction
from graph_ir.walk import descend, find, rewrite
from schemagraph.model import Kind, Type
from translators.ngql.emit.patterns import edge_types, inline_props
from translators.ngql.emit.scope import Scope, plain_labels, refuse

_TURNED = {
    ir.Direction.OUT: ir.Direction.IN,
    ir.Direction.IN: ir.Direction.OUT,
    ir.Direction.BOTH: ir.Direction.BOTH,
}

_ELEMENTS = (ir.NodePattern, ir.EdgePattern)
_LOOPS = (ir.ListComp, ir.Quantifier, ir.Reduce)


@dataclass(frozen=True, slots=True)
class PathBody:
    """A path without own variables, its name, what must hold of it and what it returns."""

    path: ir.Path
    var: str
    where: ir.Expr | None
    result: ir.Expr | None = None

    @classmethod
    def of(cls, node: ir.Expr, query: ir.Statement, scope: Scope, *, counts: bool) -> Self:
        """The body of a subquery; with `counts` the number of its rows matters.

        Raises:
            Refused: the body is more than one linear pattern with a condition.
        """
        if isinstance(query, ir.Union):
            raise _too_much(node, "a UNION")
        match, *rest = query.clauses
        result = None
        if len(rest) == 1 and isinstance(rest[0], ir.Project) and _keeps_rows(rest[0], counts):
            result = rest[0].items[0].expr
            rest = []
        if not isinstance(match, ir.Match) or match.optional or rest:
            raise _too_much(node, "more than one MATCH")
        return cls._of_path(node, _one_path(node, match), match.where, result, scope)

    @classmethod
    def of_comprehension(cls, node: ir.PatternComp, scope: Scope) -> Self:
        """The body of a pattern comprehension."""
        return cls._of_path(node, node.path, node.where, node.result, scope)

    @classmethod
    def _of_path(
        cls,
        node: ir.Expr,
        path: ir.Path,
        where: ir.Expr | None,
        result: ir.Expr | None,
        scope: Scope,
    ) -> Self:
        if path.selector or path.mode not in (None, ir.PathMode.TRAIL):
            raise _too_much(node, "a path selector or mode")
        var = path.var or scope.spare("p")
        places = _Places(node, path, var, scope)
        return cls(
            places.path,
            var,
            places.resolve(conjunction(*places.conditions, where)),
            places.resolve(result),
        )


class _Places:
    """The pattern without its own variables, and where each of them lies on the path."""

    def __init__(self, node: ir.Expr, path: ir.Path, var: str, scope: Scope) -> None:
        self.node = node
        self.scope = scope
        self.var = ir.Var(var, type=Type(Kind.PATH))
        self.conditions: list[ir.Expr] = []
        self._found: dict[str, ir.Expr | None] = {}
        self._variable = [
            number
            for number, step in enumerate(path.steps)
            if not isinstance(step.edge, ir.EdgePattern) or step.edge.hops
        ]
        self._count = len(path.steps)
        head = self._node(path.head, 0)
        steps = tuple(
            ir.Step(self._edge(step, number), self._node(step.node, number + 1))
            for number, step in enumerate(path.steps)
        )
        if not any(n.var for n in (head, *(step.node for step in steps))):
            raise _too_much(node, "a pattern without a variable of the query around it")
        self.path = ir.Path(head, steps, span=path.span)

    def resolve[E: ir.Expr](self, expr: E | None) -> E | None:
        """`expr` with places for the pattern's own variables."""
        if expr is None or not self._found:
            return expr
        for pattern in descend(expr):
            if isinstance(pattern, _ELEMENTS) and pattern.var in self._found:
                raise _too_much(self.node, "a subquery inside a subquery")
        for loop in descend(expr):
            own = (getattr(loop, "var", None), getattr(loop, "acc", None))
            if isinstance(loop, _LOOPS) and any(name in self._found for name in own):
                raise _too_much(self.node, "a loop variable that hides a variable of the pattern")

        def change(node: ir.Node) -> ir.Node:
            if not (isinstance(node, ir.Var) and node.name in self._found):
                return node
            place = self._found[node.name]
            if place is None:
                raise _too_much(self.node, f"'{node.name}', whose place on the path varies")
            of = place.type if not self.scope.schema or not node.type.of else node.type
            return replace(place, span=node.span, type=of)

        return rewrite(expr, change)

    def _node(self, pattern: ir.NodePattern, index: int) -> ir.NodePattern:
        type = self.scope.node_type(pattern)
        place = self._place("nodes", index, self._count + 1, index, type)
        outer = pattern.var is not None and pattern.var in self.scope.elements
        ref: ir.Expr | None = place
        if outer and pattern.var:
            if self.scope.elements[pattern.var].kind is not Kind.NODE:
                raise _too_much(self.node, f"'{pattern.var}', which is no node there")
            ref = ir.Var(pattern.var, type=self.scope.elements[pattern.var])
        elif pattern.var in self._found:
            first = self._found[pattern.var or ""]
            self._require(pattern, first, place)
        elif pattern.var:
            self._found[pattern.var] = place
        labels, tests = plain_labels(pattern.labels)
        props, equalities = inline_props(pattern, labels, type, self.scope)
        labels = props.labels
        if tests or equalities or pattern.where:
            if ref is None:
                raise _too_much(self.node, "a condition on a node whose place varies")
            self.conditions += [ir.LabelTest(ref, test) for test in tests]
            self.conditions += [
                ir.Compare(ir.CompareOp.EQ, ir.Prop(ref, key), value) for key, value in equalities
            ]
            if pattern.where:
                self.conditions.append(pattern.where)
        return replace(
            pattern,
            var=pattern.var if outer else None,
            labels=labels,
            props=props.map,
            where=None,
        )

    def _require(
        self, pattern: ir.NodePattern, first: ir.Expr | None, place: ir.Expr | None
    ) -> None:
        if first is None or place is None:
            raise _too_much(self.node, f"'{pattern.var}', whose place on the path varies")
        self.conditions.append(ir.Compare(ir.CompareOp.EQ, first, place))

    def _edge(self, step: ir.Step, index: int) -> ir.EdgePattern:
        edge = step.edge
        if isinstance(edge, ir.Quantified):
            raise _too_much(self.node, "a quantified path pattern")
        if edge.var in self.scope.elements:
            raise _too_much(self.node, f"'{edge.var}', an edge bound before")
        type = self.scope.edge_type(edge)
        place = None
        if not edge.hops:
            place = self._place("relationships", index, self._count, index, type)
        if edge.var:
            self._found[edge.var] = place
        types = edge_types(edge, self.scope)
        props, equalities = inline_props(edge, None, type, self.scope)
        if equalities or edge.where:
            if place is None:
                raise _too_much(self.node, "a condition on an edge whose place varies")
            self.conditions += [
                ir.Compare(ir.CompareOp.EQ, ir.Prop(place, key), value) for key, value in equalities
            ]
            if edge.where:
                self.conditions.append(edge.where)
        return replace(edge, var=None, types=types, props=props.map, where=None)

    def _place(
        self, function: str, index: int, length: int, step: int, type: Type
    ) -> ir.Expr | None:
        """The element at `index` of `length`; from the end behind an edge of many hops."""
        before = [number for number in self._variable if number < step]
        after = [number for number in self._variable if number >= step]
        if before and after:
            return None
        listed = ir.Call(function, (self.var,), type=Type(Kind.LIST, item=type))
        number = ir.Literal(index - length if before else index, type=Type(Kind.INTEGER))
        return ir.Index(listed, number, type=type)


def _keeps_rows(project: ir.Project, counts: bool) -> bool:
    if project.skip or project.limit or project.group is not None:
        return False
    return not (counts and (project.distinct or project.order))


def _one_path(node: ir.Expr, match: ir.Match) -> ir.Path:
    """The paths of a MATCH as one, each going on where another ends."""
    if match.mode is not ir.MatchMode.DIFFERENT_EDGES and len(list(find(match, ir.Step))) > 1:
        raise _too_much(node, "REPEATABLE ELEMENTS")
    whole, *rest = match.paths
    while rest:
        joined = _extended(whole, rest)
        if joined is None:
            raise _too_much(node, "a pattern that is not one path")
        whole, used = joined
        rest = [path for path in rest if path is not used]
    return whole


def _extended(whole: ir.Path, rest: Sequence[ir.Path]) -> tuple[ir.Path, ir.Path] | None:
    for path in rest:
        if path.var or whole.var or path.selector or whole.selector:
            continue
        for left in (whole, _turned(whole)):
            for right in (path, _turned(path)):
                end = left.steps[-1].node if left.steps else left.head
                if not end.var or end.var != right.head.var:
                    continue
                meeting = _merged(end, right.head)
                if meeting is None:
                    continue
                if not left.steps:
                    return replace(left, head=meeting, steps=right.steps), path
                last = replace(left.steps[-1], node=meeting)
                return replace(left, steps=(*left.steps[:-1], last, *right.steps)), path
    return None


def _merged(left: ir.NodePattern, right: ir.NodePattern) -> ir.NodePattern | None:
    """One node pattern with what two say, where they do not say the same kind of thing."""
    if (left.labels and right.labels) or (left.props and right.props):
        return None
    return replace(
        left,
        labels=left.labels or right.labels,
        props=left.props or right.props,
        where=conjunction(left.where, right.where),
    )


def _turned(path: ir.Path) -> ir.Path:
    nodes = [path.head, *(step.node for step in path.steps)]
    edges = [_flipped(step.edge) for step in path.steps]
    steps = tuple(
        ir.Step(edge, node)
        for edge, node in zip(reversed(edges), reversed(nodes[:-1]), strict=True)
    )
    return replace(path, head=nodes[-1], steps=steps)


def _flipped(edge: ir.EdgePattern | ir.Quantified) -> ir.EdgePattern | ir.Quantified:
    if isinstance(edge, ir.Quantified):
        return replace(edge, path=_turned(edge.path))
    return replace(edge, direction=_TURNED[edge.direction])


def _too_much(node: ir.Node, what: str) -> Exception:
    return refuse(
        "subquery",
        node,
        type(node).__name__,
        f"nGQL has no subqueries; a pattern in an expression cannot have {what}.",
    )
