"""What a graph needs so that a query finds something there: elements, values, counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from graph_ir import nodes as ir
from graph_ir.walk import children, descend
from schemagraph.model import SchemaGraph

MOST = 28  # copies of a pattern at most, whatever counts a query asks for


@dataclass(frozen=True, slots=True)
class Tie:
    """An edge pattern between two vertices: edge types by name, direction, hops.

    `part` is 0 in what must be there, another number in each pattern that may be missing (of
    OPTIONAL MATCH, EXISTS, COUNT and the like).
    """

    left: str
    right: str
    types: tuple[str, ...]
    direction: ir.Direction
    hops: ir.Hops | None
    name: str
    part: int = 0


@dataclass(frozen=True, slots=True)
class Demand:
    """A comparison of a property with a constant: `op` is a comparison or a text test."""

    op: str
    value: Any


@dataclass
class Plan:
    """The patterns of a query as one graph of vertices and ties, with what is asked of them.

    `vertices` maps a vertex to the node types that it can be; `demands` maps (vertex or tie,
    property) to constants that it is compared with; `counts` are numbers that counts, limits and
    skips are compared with; `shared` are variables that group keys read; `parts` says in which
    patterns a vertex stands; `same` joins properties that are compared for equality.
    """

    vertices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ties: list[Tie] = field(default_factory=list)
    demands: dict[tuple[str, str], list[Demand]] = field(default_factory=lambda: defaultdict(list))
    counts: list[int] = field(default_factory=list)
    shared: set[str] = field(default_factory=set)
    parts: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    same: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)

    def root(self, place: tuple[str, str]) -> tuple[str, str]:
        """What stands for all properties that are compared with this one for equality."""
        while place in self.same:
            place = self.same[place]
        return place


def plan_of(statement: ir.Statement, schema: SchemaGraph) -> Plan:
    """The plan of a bound statement; every pattern takes part, wherever it stands."""
    return _Reader(schema).read(statement)


class _Reader:
    def __init__(self, schema: SchemaGraph) -> None:
        self.schema = schema
        self.plan = Plan()
        self.aliases: dict[str, ir.Expr] = {}
        self.anonymous = 0
        self.part = 0

    def read(self, statement: ir.Statement) -> Plan:
        nodes = list(descend(statement))
        for node in nodes:
            if isinstance(node, ir.Project):
                self._project(node)
            elif isinstance(node, ir.Unwind):
                self.aliases.setdefault(node.alias, node.expr)
        self._patterns(statement, 0)
        for node in nodes:
            if isinstance(node, ir.Compare) and node.op is ir.CompareOp.EQ:
                self._equal(node)
            for expr, demand in _compared(node):
                self._demand(expr, demand)
        return self.plan

    def _patterns(self, node: ir.Node, part: int) -> None:
        if isinstance(node, ir.Exists | ir.CountOf | ir.CollectOf | ir.PatternComp) or (
            isinstance(node, ir.Match) and node.optional
        ):
            self.part += 1
            part = self.part
        if isinstance(node, ir.Path):
            self._path(node, part)
            return
        for child in children(node):
            self._patterns(child, part)

    def _equal(self, node: ir.Compare) -> None:
        """Two properties that have to be equal."""
        places = []
        for side in (node.left, node.right):
            match self._resolved(side):
                case ir.Prop(base=ir.Var(name), key=key):
                    places.append(self.plan.root((self._origin(name), key)))
        if len(places) == 2 and places[0] != places[1]:
            self.plan.same[places[1]] = places[0]

    def _project(self, project: ir.Project) -> None:
        for item in project.items:
            if not (isinstance(item.expr, ir.Var) and item.expr.name == item.alias):
                self.aliases.setdefault(item.alias, item.expr)
        for bound in (project.skip, project.limit):
            if isinstance(bound, ir.Literal) and isinstance(bound.value, int):
                self.plan.counts.append(bound.value)
        for key in project.group or ():
            self.plan.shared |= {n.name for n in descend(key) if isinstance(n, ir.Var)}

    def _vertex(self, node: ir.NodePattern, part: int) -> str:
        name = node.var
        if name is None:
            self.anonymous += 1
            name = f" {self.anonymous}"
        name = self._origin(name)
        self.plan.parts[name].add(part)
        known = self.plan.vertices.get(name)
        of = tuple(each for each in node.type.of if known is None or each in known)
        if known is None or (of and not part):  # what may be missing narrows nothing
            self.plan.vertices[name] = of or tuple(n.name for n in self.schema.nodes)
        for entry in node.props.entries if isinstance(node.props, ir.MapOf) else ():
            for value in _constants(entry.value):
                self.plan.demands[name, entry.key].append(Demand("=", value))
        return name

    def _origin(self, name: str) -> str:
        """The variable that `name` was called first."""
        for _ in range(len(self.aliases)):
            found = self.aliases.get(name)
            if not isinstance(found, ir.Var) or found.name == name:
                break
            name = found.name
        return name

    def _path(self, path: ir.Path, part: int) -> None:
        left = self._vertex(path.head, part)
        for step in path.steps:
            right = self._vertex(step.node, part)
            edge = step.edge
            if isinstance(edge, ir.Quantified):
                self._path(edge.path, part)
                inner = next((s.edge for s in edge.path.steps), None)
                if isinstance(inner, ir.EdgePattern):
                    self._tie(left, right, inner, edge.hops, part)
            else:
                hops = edge.hops if path.selector is None else edge.hops or ir.Hops(1, 1)
                self._tie(left, right, edge, hops, part)
            left = right

    def _tie(
        self, left: str, right: str, edge: ir.EdgePattern, hops: ir.Hops | None, part: int
    ) -> None:
        name = edge.var or f" e{len(self.plan.ties)}"
        self.plan.ties.append(Tie(left, right, edge.type.of, edge.direction, hops, name, part))
        for entry in edge.props.entries if isinstance(edge.props, ir.MapOf) else ():
            for value in _constants(entry.value):
                self.plan.demands[name, entry.key].append(Demand("=", value))

    def _demand(self, expr: ir.Expr, demand: Demand) -> None:
        expr = self._resolved(expr)
        match expr:
            case ir.Prop(base=ir.Var(name), key=key):
                self.plan.demands[self._origin(name), key].append(demand)
            case ir.Call(args=args) if expr.name != "size":
                for arg in args[:1]:
                    self._demand(arg, demand)
            case ir.Agg(name="min" | "max" | "avg" | "sum", args=(arg, *_)):
                self._demand(arg, demand)
                self._count(demand)
            case ir.Arith(left=left, right=right):
                for side in (left, right):
                    self._demand(side, demand)
            case _:
                self._count(demand)

    def _count(self, demand: Demand) -> None:
        if isinstance(demand.value, int) and not isinstance(demand.value, bool):
            self.plan.counts.append(demand.value)

    def _resolved(self, expr: ir.Expr) -> ir.Expr:
        for _ in range(len(self.aliases)):
            if not isinstance(expr, ir.Var) or expr.name not in self.aliases:
                break
            expr = self.aliases[expr.name]
        return expr


def _compared(node: ir.Node) -> Iterator[tuple[ir.Expr, Demand]]:
    match node:
        case ir.Compare(op, left, right):
            for value in _constants(right):
                yield left, Demand(op.value, value)
            for value in _constants(left):
                yield right, Demand(_MIRROR.get(op.value, op.value), value)
        case ir.Text(op, left, right):
            for value in _constants(right):
                yield left, Demand(op.value, value)
        case ir.IsNull(arg, negated):
            yield arg, Demand("is not null" if negated else "is null", None)
        case ir.In(item, listed):
            for value in _constants(listed):
                yield item, Demand("=", value)
            for value in _constants(item):
                yield listed, Demand("=", value)
        case ir.Case(operand=ir.Expr() as operand, whens=whens):
            for when in whens:
                for value in _constants(when.condition):
                    yield operand, Demand("=", value)


_MIRROR = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _constants(expr: ir.Expr) -> Sequence[Any]:
    """The constants of an expression that has nothing else; temporal ones as their text."""
    match expr:
        case ir.Literal(None):
            return ()
        case ir.Literal(value):
            return (value,)
        case ir.Call(args=(ir.Literal(str() as text),)):
            return (text,)
        case ir.ListOf(items):
            return [value for item in items for value in _constants(item)]
        case ir.Arith(left=left, right=right):
            found = [*_constants(left), *_constants(right)]
            return found if len(found) == 2 else ()
    return ()
