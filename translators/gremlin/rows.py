"""The rows of a query while it is compiled: which variable is reached how, and where we stand.

A null is a traversal without a result: `values('age')` of a vertex without an age. So an
expression becomes a traversal of at most one result. `Binding.explicit` marks the places where a
null is an object (keys of groups, items of lists), which an access leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import ANY, EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.base import Caveat, check_length
from translators.gremlin.reductions import Reduction
from translators.gremlin.steps.text import (
    Label,
    Step,
    Traversal,
    literal,
    passing,
    select,
    step,
)
from translators.gremlin.unsaid import unsaid

NOT_NULL = step("is", "neq(null)")
NOTHING: Traversal = (step("not", (step("identity"),)),)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a path: the label of a node or edge, or the labels of a walk's edges and nodes."""

    node: str = ""
    edge: str = ""
    edges: str = ""
    nodes: str = ""


@dataclass(frozen=True, slots=True)
class Binding:
    """How the value of a variable is reached.

    `path` begins with the `select` of a label. `computed` is an expression over `scope` instead.
    `pieces` are those of a path variable.
    """

    path: Traversal = ()
    type: Type = ANY
    nullable: bool = True
    explicit: bool = False
    computed: ir.Expr | None = None
    scope: Rows | None = None
    pieces: tuple[Piece, ...] = ()
    label: str = ""


@dataclass
class Rows:
    """Variables in scope; `here` is the label of the current object, if it has one.

    `steps` are those so far; without any the traversal has not begun. `inner`: it is a child, which
    begins at a traverser of its parent.
    """

    vars: dict[str, Binding] = field(default_factory=dict)
    here: str = ""
    steps: list[Step] = field(default_factory=list)
    inner: bool = False

    def child(self) -> Rows:
        """The same rows at the begin of a child traversal."""
        return Rows(dict(self.vars), self.here, [], inner=True)

    def elsewhere(self) -> Rows:
        """The same rows where the current object is another."""
        return Rows(self.vars, "", [], inner=True)

    def add(self, *steps: Step) -> None:
        """Append steps that leave the current object as it is."""
        self.steps += steps

    def move(self, label: str, *steps: Step) -> None:
        """Append steps after which the current object is the one that `label` will name."""
        self.steps += (*steps, Step("as", (Label(label),)))
        self.here = label

    def begin(self) -> None:
        """Begin with one row, where nothing has begun."""
        if not self.steps and not self.inner:
            self.add(step("inject", "0"))

    def bind(self, name: str, label: str, kind: Type, *, nullable: bool = False) -> None:
        """The variable is what `label` names."""
        self.vars[name] = Binding((select(label),), kind, nullable, label=label)


type Make = Callable[[Compiler, ir.Expr, Rows], Traversal]


@dataclass
class Compiler:
    """What the parts of one compilation share."""

    schema: SchemaGraph | None
    values: dict[type[ir.Node], Callable[..., Traversal]]
    truths: dict[type[ir.Node], Callable[..., Traversal]]
    falsities: dict[type[ir.Node], Callable[..., Traversal]]
    clauses: dict[type[ir.Node], Callable[..., None]]
    statement: Callable[[Compiler, ir.Statement, Rows], tuple[str, ...]]
    used: set[str] = field(default_factory=set)
    labels: set[str] = field(default_factory=set)  # those of `used` that something has
    own: set[str] = field(default_factory=set)  # the query's names, which no other label takes
    numbers: dict[str, int] = field(default_factory=dict)  # by a hint, the last that it got
    groups: set[str] = field(default_factory=set)  # labels of groups, which each row after has
    caveats: dict[str, Caveat] = field(default_factory=dict)
    count: int = 0
    alike: bool = False  # whether it makes no difference how often the next MATCH has a row
    gappy: set[str] = field(default_factory=set)  # variables of lists that may hold a null
    unread: Mapping[str, str] = field(default_factory=dict)  # aggregates whose null has no row
    merged: dict[str, set[bool]] | None = None  # in a UNION: whether a column's null is an object
    wide: bool = False  # whether integers that are written or counted have 64 bits

    def fresh(self, hint: str) -> str:
        """A label that nothing has."""
        number = self.numbers.get(hint, 1)
        name = f"{hint}{number}" if number > 1 else hint
        while name in self.used or (name in self.own and name != hint):
            number += 1
            name = f"{hint}{number}"
        self.numbers[hint] = number
        self.used.add(name)
        self.labels.add(name)
        return name

    def constant(self, value: object) -> Traversal:
        """A constant as a value."""
        return (step("constant", literal(value, wide=self.wide)),)

    def caveat(self, code: str, construct: str, reason: str) -> None:
        """Tell what must hold."""
        self.caveats.setdefault(code, Caveat(code, construct, reason))

    def bounded(self, node: ir.Node, steps: int = 1) -> None:
        """Count steps that a node is said with.

        Raises:
            Refused: there are more than anybody reads.
        """
        self.count += steps
        check_length(self.count, node)

    def value(self, expr: ir.Expr, rows: Rows) -> Traversal:
        """The value of `expr` from a traverser of these rows; no result for null."""
        self.bounded(expr)
        make = self.values.get(type(expr))
        if make is None:
            raise unsaid(expr)
        return make(self, expr, rows)

    def truth(self, expr: ir.Expr, rows: Rows) -> Traversal:
        """Steps that let a traverser pass where `expr` is true."""
        return self._test(self.truths, expr, rows, "true")

    def falsity(self, expr: ir.Expr, rows: Rows) -> Traversal:
        """Steps that let a traverser pass where `expr` is false."""
        return self._test(self.falsities, expr, rows, "false")

    def _test(
        self,
        table: dict[type[ir.Node], Callable[..., Traversal]],
        expr: ir.Expr,
        rows: Rows,
        wanted: str,
    ) -> Traversal:
        self.count += 1
        make = table.get(type(expr))
        if make is not None:
            return make(self, expr, rows)
        other = expr.type.kind not in (Kind.BOOLEAN, Kind.ANY, Kind.NULL)
        if other or not self.kinds_read(expr) <= {Kind.BOOLEAN}:
            raise Refused("type", type(expr).__name__, "The condition is no boolean.", expr.span)
        return passing(self.value(expr, rows), wanted)

    def kinds_read(self, expr: ir.Expr) -> set[Kind]:
        """The kinds of the properties that a value of unknown kind is made of, by their names;
        none without a schema, or where it is made of none."""
        if self.schema is None or expr.type.kind is not Kind.ANY:
            return set()
        keys = {prop.key for prop in find(expr, ir.Prop)}
        owners: list[NodeType | EdgeType] = [*self.schema.nodes, *self.schema.edges]
        return {own.type.kind for each in owners for own in each.properties if own.name in keys}

    def nullable(self, expr: ir.Expr, rows: Rows) -> bool:
        """Whether the value may be null, as far as the schema tells."""
        match expr:
            case ir.Literal():
                return expr.value is None
            case ir.Var():
                known = rows.vars.get(expr.name)
                if known is None:
                    return True
                if known.computed is not None and known.scope is not None:
                    return self.nullable(known.computed, known.scope)
                return known.nullable
            case ir.Prop():
                return self.nullable(expr.base, rows) or self._property_nullable(expr)
            case ir.Exists() | ir.CountOf() | ir.CollectOf() | ir.ListOf() | ir.MapOf():
                return False
            case ir.IsNull() | ir.MapProjection():
                return False
            case Reduction():
                return expr.name in ("min", "max", "avg") and not expr.sure
            case ir.Compare() if expr.op in (ir.CompareOp.EQ, ir.CompareOp.NE):
                simple = all(_comparable(side.type) for side in (expr.left, expr.right))
                return not simple or any(self.nullable(e, rows) for e in (expr.left, expr.right))
            case ir.LabelTest():
                return self.nullable(expr.arg, rows)
            case ir.Bool():
                return any(self.nullable(each, rows) for each in expr.args)
            case ir.Not():
                return self.nullable(expr.arg, rows)
            case ir.Arith():
                return self.nullable(expr.left, rows) or self.nullable(expr.right, rows)
            case ir.Call() if expr.name in _TOTAL:
                return any(self.nullable(each, rows) for each in expr.args)
            case ir.Call() if expr.name == "coalesce":
                return all(self.nullable(each, rows) for each in expr.args)
            case ir.Case():
                results = [when.result for when in expr.whens]
                if expr.default is None:
                    return True
                return any(self.nullable(each, rows) for each in (*results, expr.default))
        return True

    def _property_nullable(self, expr: ir.Prop) -> bool:
        if self.schema is None:
            return True
        kind = expr.base.type
        if kind.kind not in (Kind.NODE, Kind.EDGE) or not kind.of:
            return True
        own = properties(self.schema, kind, expr.key)
        return any(each is None or each.holds_null for each in own)

    def access(self, name: str, rows: Rows) -> Traversal:
        """The value of a variable."""
        known = rows.vars.get(name)
        if known is None:
            raise Refused("scope", name, f"The variable {name} is not in scope here.")
        if known.computed is not None and known.scope is not None:
            return self.value(known.computed, replace(known.scope, here=rows.here))
        path = known.path
        if rows.here and path and path[0] == select(rows.here):
            path = path[1:]
        return (*path, NOT_NULL) if known.explicit and known.nullable else path


_TOTAL = frozenset({"toLower", "toUpper", "trim", "size", "type", "length", "nodes", "labels"})


def _comparable(kind: Type) -> bool:
    return kind.kind not in (Kind.LIST, Kind.MAP, Kind.ANY, Kind.PATH, Kind.FLOAT)


def properties(schema: SchemaGraph, kind: Type, key: str) -> list[Property | None]:
    """The property of a name in each of the types that an element may have."""
    nodes, edges = schema.node_by_name, schema.edge_by_name
    return [(nodes.get(name) or edges[name]).property(key) for name in kind.of]


def explicit(cx: Compiler, expr: ir.Expr, rows: Rows) -> Traversal:
    """The value with null as an object, for places that need one object a row."""
    own = cx.value(expr, rows)
    if not cx.nullable(expr, rows):
        return own
    return (step("coalesce", own, (step("constant", "null"),)),)


_STREAMING = frozenset(
    {
        *("select", "values", "label", "constant", "toLower", "toUpper", "asString", "length"),
        *(
            "substring",
            "is",
            "has",
            "hasLabel",
            "math",
            "project",
            "by",
            "where",
            "identity",
            "map",
        ),
    }
)


_CHOOSING = frozenset({"choose", "coalesce", "sack"})


def inline(traversal: Traversal) -> Traversal:
    """The steps where traversers of many rows pass: what gathers them stays in a child."""
    return traversal if _streams(traversal) else (step("map", traversal),)


def _streams(traversal: Traversal) -> bool:
    """Whether each traverser has a result of its own, whatever others there are."""
    return all(
        each.name in _STREAMING
        or (each.name in _CHOOSING and all(_streams(a) for a in each.args if isinstance(a, tuple)))
        for each in traversal
    )
