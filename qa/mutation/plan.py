"""What a graph needs so that a query finds something there: elements, values, counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from graph_ir import nodes as ir
from graph_ir.walk import children, descend, find
from schemagraph.model import SchemaGraph

MOST = 40  # copies of a pattern at most, whatever counts a query asks for

type Place = tuple[str, str]
"""A property of a vertex or a tie."""

type Choice = tuple[int, int] | None
"""One of the alternatives of an OR: its number, and that of the alternative."""


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
    """A condition on one property: `variable` is what the condition calls its element.

    It has to hold, or not to hold (`positive` False), where its alternative is chosen.
    """

    condition: ir.Expr
    variable: str
    positive: bool = True
    choice: Choice = None


@dataclass(frozen=True, slots=True)
class Part:
    """A pattern that may be missing: how often it has to be there, by comparisons with counts."""

    needs: tuple[tuple[str, int, bool], ...] = ()


@dataclass
class Plan:
    """The patterns of a query as one graph of vertices and ties, with what is asked of them.

    `vertices` maps a vertex to the node types that it can be; `demands` says what is asked of a
    property, `constants` what it is compared with; `pairs` are comparisons of two properties;
    `counts` are numbers that counts, limits and skips are compared with, `thresholds` those of
    counts alone; `shared` are variables that group keys read, `grouped` the properties that are
    such keys themselves, `whole` the variables of which other keys are made; `within` says in
    which parts a vertex stands; `avoided` has, for the name of a property, where the query asks
    for it in a pattern that must not be there; `anchors` are the vertices that a part has in
    common with what must be there.
    """

    vertices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ties: list[Tie] = field(default_factory=list)
    demands: dict[Place, list[Demand]] = field(default_factory=lambda: defaultdict(list))
    constants: dict[Place, list[Any]] = field(default_factory=lambda: defaultdict(list))
    pairs: list[tuple[Place, str, Place]] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    thresholds: list[int] = field(default_factory=list)
    shared: set[str] = field(default_factory=set)
    grouped: set[Place] = field(default_factory=set)
    whole: set[str] = field(default_factory=set)
    within: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    parts: dict[int, Part] = field(default_factory=dict)
    choices: list[int] = field(default_factory=list)
    avoided: dict[str, Place] = field(default_factory=dict)
    anchors: dict[int, frozenset[str]] = field(default_factory=dict)
    fitting: dict[Any, Any] = field(default_factory=dict)
    """What `near` has worked out of the demands."""


def plan_of(statement: ir.Statement, schema: SchemaGraph) -> Plan:
    """The plan of a bound statement; every pattern takes part, wherever it stands."""
    return _Reader(schema).read(statement)


def keys_read(statements: Iterable[ir.Statement]) -> frozenset[str] | None:
    """The names of the properties that statements read; None where it may be any."""
    keys: set[str] = set()
    seen: set[int] = set()
    for statement in statements:
        parts = statement.clauses if isinstance(statement, ir.Query) else (statement,)
        for part in parts:
            if id(part) in seen:  # mutants share clauses with their query
                continue
            seen.add(id(part))
            for node in find(part, ir.Prop, ir.Entry, ir.Index, ir.Call, ir.MapProjection):
                if isinstance(node, ir.Prop | ir.Entry):
                    keys.add(node.key)
                elif (
                    isinstance(node, ir.Index)
                    or (isinstance(node, ir.Call) and node.name in ("properties", "keys"))
                    or (isinstance(node, ir.MapProjection) and node.all_properties)
                ):
                    return None
    return frozenset(keys)


class _Reader:
    def __init__(self, schema: SchemaGraph) -> None:
        self.schema = schema
        self.plan = Plan()
        self.aliases: dict[str, ir.Expr] = {}
        self.anonymous = 0
        self.part = 0
        self.parts: dict[int, int] = {}

    def read(self, statement: ir.Statement) -> Plan:
        nodes = list(descend(statement))
        for node in nodes:
            if isinstance(node, ir.Project):
                self._project(node)
            elif isinstance(node, ir.Unwind):
                self.aliases.setdefault(node.alias, node.expr)
        self._patterns(statement, 0)
        for node in nodes:
            match node:
                case ir.Match(where=ir.Expr() as where) | ir.Project(where=ir.Expr() as where):
                    self._condition(where, True, None)
                case ir.NodePattern(where=ir.Expr() as where):
                    self._condition(where, True, None)
                case ir.EdgePattern(where=ir.Expr() as where):
                    self._condition(where, True, None)
                case ir.Case(whens=whens):
                    for when in whens:
                        self._condition(when.condition, True, (-1, 0))
        for part in self.plan.parts:
            ends = {v for t in self.plan.ties if t.part == part for v in (t.left, t.right)}
            self.plan.anchors[part] = frozenset(v for v in ends if 0 in self.plan.within[v])
        for name, key in self.plan.demands:
            within = self.plan.within.get(name, {0})
            if all(part and self._unwanted(part) for part in within):
                self.plan.avoided[key] = (name, key)
        return self.plan

    def _unwanted(self, part: int) -> bool:
        needs = self.plan.parts[part].needs
        return bool(needs) and not any(positive for _, _, positive in needs)

    def _project(self, project: ir.Project) -> None:
        for item in project.items:
            if not (isinstance(item.expr, ir.Var) and item.expr.name == item.alias):
                self.aliases.setdefault(item.alias, item.expr)
        for bound in (project.skip, project.limit):
            if isinstance(bound, ir.Literal) and isinstance(bound.value, int):
                self.plan.counts.append(bound.value)
        for key in project.group or ():
            names = {self._origin(n.name) for n in descend(key) if isinstance(n, ir.Var)}
            self.plan.shared |= names
            if isinstance(key, ir.Prop) and isinstance(key.base, ir.Var):
                self.plan.grouped.add((self._origin(key.base.name), key.key))
            else:
                self.plan.whole |= names

    # --- patterns ------------------------------------------------------------------------------

    def _patterns(self, node: ir.Node, part: int) -> None:
        if isinstance(node, ir.Exists | ir.CountOf | ir.CollectOf | ir.PatternComp) or (
            isinstance(node, ir.Match) and node.optional
        ):
            self.part += 1
            part = self.part
            self.parts[id(node)] = part
            self.plan.parts[part] = Part()
        if isinstance(node, ir.Path):
            self._path(node, part)
            return
        for child in children(node):
            self._patterns(child, part)

    def _vertex(self, node: ir.NodePattern, part: int) -> str:
        name = node.var
        if name is None:
            self.anonymous += 1
            name = f" {self.anonymous}"
        name = self._origin(name)
        self.plan.within[name].add(part)
        known = self.plan.vertices.get(name)
        of = tuple(each for each in node.type.of if known is None or each in known)
        if known is None or (of and not part):  # what may be missing narrows nothing
            self.plan.vertices[name] = of or tuple(n.name for n in self.schema.nodes)
        self._entries(name, node.props)
        return name

    def _entries(self, name: str, props: ir.MapOf | ir.Param | None) -> None:
        for entry in props.entries if isinstance(props, ir.MapOf) else ():
            prop = ir.Prop(ir.Var(name), entry.key)
            self._condition(ir.Compare(ir.CompareOp.EQ, prop, entry.value), True, None)

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
        self._entries(name, edge.props)

    # --- conditions ----------------------------------------------------------------------------

    def _condition(self, expr: ir.Expr, positive: bool, choice: Choice) -> None:
        match expr:
            case ir.Not(arg):
                self._condition(arg, not positive, choice)
            case ir.Bool(op, args):
                if op is ir.BoolOp.XOR or (op is ir.BoolOp.OR) is positive:
                    number = len(self.plan.choices)
                    self.plan.choices.append(len(args))
                    for at, arg in enumerate(args):
                        self._condition(arg, positive, (number, at))
                else:
                    for arg in args:
                        self._condition(arg, positive, choice)
            case ir.Exists():
                self._need(expr, (">=", 1, positive))
            case ir.Compare():
                self._compared(expr, positive, choice)
            case _:
                self._atom(expr, positive, choice)

    def _need(self, body: ir.Expr, need: tuple[str, int, bool]) -> None:
        part = self.parts.get(id(body))
        if part is not None:
            self.plan.parts[part] = Part((*self.plan.parts[part].needs, need))

    def _compared(self, expr: ir.Compare, positive: bool, choice: Choice) -> None:
        sides = (self._resolved(expr.left), self._resolved(expr.right))
        for mine, other, op in ((*sides, expr.op.value), (*sides[::-1], MIRROR[expr.op.value])):
            if any(True for _ in find(other, ir.Var)):
                continue
            count = other.value if isinstance(other, ir.Literal) else None
            whole = isinstance(count, int) and not isinstance(count, bool)
            match mine:
                case ir.CountOf() if isinstance(count, int) and whole:
                    self._need(mine, (op, count, positive))
                    return
                case ir.Agg("min" | "max" | "avg" | "sum", (ir.Prop() as prop,)):
                    self._atom(ir.Compare(ir.CompareOp(op), prop, other), positive, choice)
                    return
            if any(True for _ in find(mine, ir.Agg)) and isinstance(count, int) and whole:
                self.plan.counts.append(count)
                self.plan.thresholds.append(count)
        match sides:
            case (ir.Prop(base=ir.Var(a), key=x), ir.Prop(base=ir.Var(b), key=y)) if positive:
                self.plan.pairs.append(((self._origin(a), x), expr.op.value, (self._origin(b), y)))
        self._atom(ir.Compare(expr.op, *sides), positive, choice)

    def _atom(self, expr: ir.Expr, positive: bool, choice: Choice) -> None:
        """A condition that is no connective: a demand where it reads one property only."""
        props: dict[ir.Prop, None] = {}
        variables: set[str] = set()
        values: list[Any] = []
        hidden = choice == (-1, 0)
        for node in descend(expr):
            match node:
                case ir.Prop(base=ir.Var()):
                    props[node] = None
                case ir.Var(name):
                    variables.add(name)
                case ir.Literal(value) if value is not None:
                    values.append(value)
                case ir.Agg() | ir.Exists() | ir.CountOf() | ir.CollectOf():
                    hidden = True
        for prop in props:
            assert isinstance(prop.base, ir.Var)  # noqa: S101 # chosen so
            self.plan.constants[self._origin(prop.base.name), prop.key] += values
        if len(props) == 1 and len(variables) == 1 and not hidden:
            prop = next(iter(props))
            name = next(iter(variables))
            demand = Demand(expr, name, positive, choice)
            self.plan.demands[self._origin(name), prop.key].append(demand)

    # --- names ---------------------------------------------------------------------------------

    def _origin(self, name: str) -> str:
        """The variable that `name` was called first."""
        for _ in range(len(self.aliases)):
            origin = self.aliases.get(name)
            if not isinstance(origin, ir.Var) or origin.name == name:
                break
            name = origin.name
        return name

    def _resolved(self, expr: ir.Expr) -> ir.Expr:
        for _ in range(len(self.aliases)):
            if not isinstance(expr, ir.Var) or expr.name not in self.aliases:
                break
            expr = self.aliases[expr.name]
        return expr


MIRROR = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "=", "<>": "<>"}
