"""What a Gremlin traversal has come to while it is read: clauses, the current object, labels.

Every step is a function that changes a `Reading`; `walk` finds them in the table that it carries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates
from graph_ir.variables import introduced, read_names
from graph_ir.walk import find
from graphmill.errors import Refused
from translators.gremlin.read.tree import Call, Chain, Item, Many, Token, Value

NODE, EDGE, VALUE, MAP, GROUP, PAIR = "node", "edge", "value", "map", "group", "pair"


@dataclass(frozen=True, slots=True)
class Object:
    """What a traverser stands on: its expression and kind; an edge knows its ends.

    `nullable`: it may be absent. `null`: it is there, and may be null. `many`: it is a list.
    """

    expr: ir.Expr
    kind: str = VALUE
    ends: tuple[str, str] = ("", "")
    start: str = ""
    nullable: bool = False
    undirected: bool = False
    null: bool = False
    many: bool = False


type Step = Callable[[Reading, Call, list[Call]], None]


@dataclass
class Reading:
    """A traversal while it is read: clauses so far, the current object and what labels name."""

    steps: Mapping[str, Step]
    clauses: list[ir.Clause] = field(default_factory=list)
    here: Object | None = None
    labels: dict[str, Object] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    outer: frozenset[str] = frozenset()
    key: str = ""
    ordered: bool = False
    sack: ir.Expr | None = None
    passed: tuple[Object, ...] | None = None
    """What a traverser has stood on, where a step asks for its path."""
    named: dict[str, tuple[Object, ...]] = field(default_factory=dict)
    """Every object that a label has named, in their order."""
    forgot: bool = False
    """Whether labels were given up on the way."""
    properties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The names of all properties of nodes and of edges, where the schema is known."""
    label_sets: tuple[tuple[str, ...], ...] = ()
    """The labels of each type of node, where the schema is known."""
    emits: bool = False
    turns: list[Call] = field(default_factory=list)
    """Whether `emit()` stood before the next `repeat`, and the `times()` that did."""
    compares: bool = False
    """Whether a label at the begin or the end of a traversal is one that it is compared with."""
    present: set[ir.Expr] = field(default_factory=set)
    """Values of maps that are there and may be null; children share them."""
    aside: dict[str, tuple[tuple[ir.Clause, ...], Object]] = field(default_factory=dict)
    """What `aggregate` has kept: the rows at that step, and what of each."""

    def fresh(self, hint: str) -> str:
        """A variable that nothing has; branches share the list of them."""
        name = f"{hint}{len(self.names) + 1}"
        self.names.append(name)
        self.kinds[name] = NODE if hint == "n" else VALUE
        return name

    def inner(self) -> Reading:
        """A child traversal of the current object."""
        labels, outer = dict(self.labels), self.visible()
        made = Reading(self.steps, [], self.here, labels, self.names, self.kinds, outer, self.key)
        made.sack, made.passed, made.compares = self.sack, self.passed, self.compares
        made.named, made.properties = dict(self.named), self.properties
        made.present, made.label_sets = self.present, self.label_sets
        return made

    def visible(self) -> frozenset[str]:
        """The variables that a subquery may read."""
        objects = [o for o in (self.here, *self.labels.values(), *(self.passed or ())) if o]
        names = read_names(*(each.expr for each in objects))
        names |= {end for each in objects for end in each.ends}
        if self.sack is not None:
            names |= read_names(self.sack)
        return self.outer | (names & self.bound())

    def bound(self) -> frozenset[str]:
        """The variables that the clauses have bound, up to here."""
        names: set[str] = set()
        for clause in self.clauses:
            if isinstance(clause, ir.Project):
                names.clear()
            names.update(introduced(clause))
        return frozenset(names)

    def keep(self, test: ir.Expr) -> None:
        """Drop the rows where the test is not true."""
        last = self.clauses[-1] if self.clauses else None
        if isinstance(last, ir.Match) and not last.optional:
            where = test if last.where is None else ir.Bool(ir.BoolOp.AND, (last.where, test))
            self.clauses[-1] = replace(last, where=where)
        elif isinstance(last, ir.Project) and _can_hold(last, test):
            self.clauses[-1] = replace(last, where=test)
        else:
            self.project(where=test)

    def project(
        self,
        *,
        where: ir.Expr | None = None,
        order: tuple[ir.SortKey, ...] = (),
        skip: ir.Expr | None = None,
        limit: ir.Expr | None = None,
    ) -> None:
        """A WITH of all variables that are still read."""
        if self.here is None:
            raise refused("the begin", "There is nothing to work on yet.")
        names = sorted(self.visible())
        items = tuple(ir.Item(ir.Var(name), name) for name in names)
        self.clauses.append(ir.Project(items, where=where, order=order, skip=skip, limit=limit))

    def only(self, expr: ir.Expr, *, distinct: bool = False) -> None:
        """A WITH of one value, which becomes the current object; labels are forgotten."""
        name = self.fresh("v")
        group = () if aggregates(expr) else None
        self.clauses.append(ir.Project((ir.Item(expr, name),), distinct=distinct, group=group))
        kind = self.here.kind if self.here is not None and distinct else VALUE
        self.kinds[name] = kind
        listed = isinstance(expr, ir.Agg) and expr.name == "collect"
        same = self.here if distinct else None
        many = listed or (same is not None and same.many)
        null = same is not None and same.null
        self.here = Object(ir.Var(name), kind, many=many, nullable=null, null=null)
        self.forgot = self.forgot or bool(self.labels)
        self.labels, self.named = {}, {}
        self.sack = None
        self.passed = () if self.passed is not None else None


def _can_hold(last: ir.Project, test: ir.Expr) -> bool:
    """Whether a projection's own WHERE can hold the test."""
    open_to = last.where is None and not last.order and last.skip is None and last.limit is None
    aliases = {item.alias for item in last.items}
    return open_to and {v.name for v in find(test, ir.Var)} <= aliases


def keep_present(reading: Reading, own: Object, construct: str) -> None:
    """Drop the rows where a value is absent.

    Raises:
        Refused: it is there and may be null.
    """
    if own.null:
        raise refused(construct, "Of what may be null, Gremlin has rules of its own.")
    if own.nullable:
        reading.keep(ir.IsNull(own.expr, negated=True))


def refused(construct: str, reason: str = "This step is not read.") -> Refused:
    """A traversal that has no Graph-IR, or none yet."""
    return Refused("unsupported-expression", construct, reason)


_ARGUMENTS = {
    **dict.fromkeys(
        ("not", "flatMap", "local", "map", "optional", "hasNot", "is", "constant"), (1, 1)
    ),
    **dict.fromkeys(("limit", "skip"), (1, 2)),
    **dict.fromkeys(("all", "any", "none", "withSack", "math", "format"), (1, 1)),
    **dict.fromkeys(("identity", "label", "labels", "discard", "path"), (0, 0)),
    **dict.fromkeys(("toUpper", "toLower", "length", "trim", "lTrim", "rTrim"), (0, 1)),
    **dict.fromkeys(("aggregate", "cap", "split", "math"), (1, 2)),
    "sack": (0, 1),
    "tail": (0, 2),
    **dict.fromkeys(("inV", "outV", "otherV", "count"), (0, 1)),
    **dict.fromkeys(("where", "filter"), (1, 2)),
    **dict.fromkeys(("as", "select", "project", "coalesce", "hasLabel"), (1, 99)),
    "range": (2, 3),
    "substring": (1, 3),
    "replace": (2, 3),
    "has": (1, 3),
}
"""How many arguments a step has in the forms that are read."""

GATHERING = frozenset({"dedup", "limit", "range", "skip", "tail", "order", "fold", "count", "sum"})
GATHERING |= {"min", "max", "mean", "group", "groupCount", "as", "sample", "unfold"}

_MODULATORS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("order", "project", "select", "group", "groupCount", "dedup"), ("by",)),
    **dict.fromkeys(("where", "path", "sack", "math", "format", "aggregate"), ("by",)),
    "repeat": ("times", "emit", "until"),
    "emit": ("times",),
    "choose": ("option",),
}


def walk(reading: Reading, tree: Chain) -> None:
    """Read the steps of a chain, with the modulators that follow each.

    Raises:
        Refused: a step is not read.
    """
    calls = list(tree.calls)
    while calls:
        call = calls.pop(0)
        modulators: list[Call] = []
        while calls and calls[0].name in _MODULATORS.get(call.name, ()):
            modulators.append(calls.pop(0))
        make = reading.steps.get(call.name)
        least, most = _ARGUMENTS.get(call.name, (0, 99))
        if make is None or not least <= len(call.args) <= most:
            raise refused(f"{call.name}()")
        make(reading, call, modulators)
        if reading.passed is not None and call.name not in _STAYING and reading.here is not None:
            reading.passed = (*reading.passed, reading.here)


_STAYING = frozenset(
    {
        *("as", "where", "filter", "has", "hasLabel", "hasId", "hasNot", "is", "not", "and", "or"),
        *("order", "limit", "skip", "range", "tail", "dedup", "identity", "barrier", "simplePath"),
        *("cyclicPath", "aggregate", "discard", "any", "all", "none", "repeat", "flatMap", "local"),
        *("union", "choose", "coalesce", "optional", "withSack", "with", "path"),
    }
)
"""Steps that lead no further themselves: filters, and what runs a traversal within."""


def current(reading: Reading, *kinds: str) -> Object:
    """The current object, of one of the kinds that a step takes."""
    here = reading.here
    if here is None or here.kind == GROUP or (kinds and here.kind not in kinds):
        raise refused("the current object", f"This step wants {' or '.join(kinds) or 'one'}.")
    return here


def constant_names(call: Call) -> list[str]:
    """The arguments of a call, which are all constant texts."""
    texts = [a.value for a in call.args if isinstance(a, Value) and isinstance(a.value, str)]
    if len(texts) < len(call.args):
        raise refused(f"{call.name}()", "Only constant names are read here.")
    return texts


def constant(item: Item) -> ir.Expr:
    """A constant argument as an expression."""
    match item:
        case Value(value=value) if value is None or isinstance(value, bool | int | float | str):
            return ir.Literal(value)
        case Many(items=items, unique=False):
            return ir.ListOf(tuple(map(constant, items)))
    raise refused("an argument", "Only constants are read here.")


def comparable(item: Item) -> ir.Expr:
    """A constant that Gremlin compares as Cypher does."""
    made = constant(item)
    if isinstance(made, ir.Literal) and (made.value is None or made.value != made.value):
        raise refused("null", "Gremlin compares with null and NaN by rules of its own.")
    if isinstance(made, ir.ListOf):
        raise refused("a list", "Gremlin compares lists by rules of its own.")
    return made


def definite(test: ir.Expr) -> ir.Expr:
    """A comparison of values that cannot be compared is false in Gremlin, not null."""
    return ir.Call("coalesce", (test, ir.Literal(False)))


def is_local(call: Call) -> bool:
    """Whether a step is of the list that a traverser stands on."""
    return bool(call.args) and isinstance(call.args[0], Token) and call.args[0].name == "local"


def whole_number(item: Item) -> int:
    """An argument that is a whole number of no less than 0."""
    if isinstance(item, Value) and type(item.value) is int and item.value >= 0:
        return item.value
    raise refused("a window", "The number of rows is no constant.")


def only_argument(call: Call) -> Item:
    """The one argument of a call."""
    if len(call.args) != 1:
        raise refused(f"{call.name}()", "It takes one argument.")
    return call.args[0]


def labelled(reading: Reading, name: str) -> Object:
    """What `as()` has given the name to."""
    if name not in reading.labels:
        raise refused(f"'{name}'", "No step of this row has the label.")
    return reading.labels[name]


def label_of(here: Object) -> ir.Expr:
    """The label of a node or an edge, as an expression."""
    if here.kind == EDGE:
        return ir.Call("type", (here.expr,))
    return ir.Index(ir.Call("labels", (here.expr,)), ir.Literal(0))
