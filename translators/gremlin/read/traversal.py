"""What a Gremlin traversal has come to while it is read: clauses, the current object, labels.

Every step is a function that changes a `Reading`; `walk` finds them in the table that it carries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates
from graph_ir.walk import find
from graphmill.errors import Refused
from translators.gremlin.read.tree import Call, Chain, Item, Many, Value

NODE, EDGE, VALUE, MAP, GROUP, PAIR = "node", "edge", "value", "map", "group", "pair"


@dataclass(frozen=True, slots=True)
class Object:
    """What a traverser stands on: its expression and kind; an edge knows its ends."""

    expr: ir.Expr
    kind: str = VALUE
    ends: tuple[str, str] = ("", "")
    start: str = ""
    nullable: bool = False
    undirected: bool = False


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

    def fresh(self, hint: str) -> str:
        """A variable that nothing has; branches share the list of them."""
        name = f"{hint}{len(self.names) + 1}"
        self.names.append(name)
        self.kinds[name] = NODE if hint == "n" else VALUE
        return name

    def inner(self) -> Reading:
        """A child traversal of the current object."""
        labels, outer = dict(self.labels), self.visible()
        return Reading(self.steps, [], self.here, labels, self.names, self.kinds, outer, self.key)

    def visible(self) -> frozenset[str]:
        """The variables that a subquery may read."""
        names: set[str] = set(self.outer)
        for each in (self.here, *self.labels.values()):
            if each is not None:
                names |= {v.name for v in find(each.expr, ir.Var)} | set(each.ends) - {""}
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
        self.here = Object(ir.Var(name), kind)
        self.labels = {}


def _can_hold(last: ir.Project, test: ir.Expr) -> bool:
    """Whether a projection's own WHERE can hold the test."""
    open_to = last.where is None and not last.order and last.skip is None and last.limit is None
    aliases = {item.alias for item in last.items}
    return open_to and {v.name for v in find(test, ir.Var)} <= aliases


def refused(construct: str, reason: str = "This step is not read.") -> Refused:
    """A traversal that has no Graph-IR, or none yet."""
    return Refused("unsupported-expression", construct, reason)


_ARGUMENTS = {
    **dict.fromkeys(
        ("not", "flatMap", "local", "limit", "skip", "hasNot", "is", "constant"), (1, 1)
    ),
    **dict.fromkeys(("toUpper", "toLower", "length", "identity", "label"), (0, 0)),
    **dict.fromkeys(("inV", "outV", "otherV", "count"), (0, 1)),
    **dict.fromkeys(("where", "filter"), (1, 2)),
    **dict.fromkeys(("as", "select", "project", "coalesce", "hasLabel"), (1, 99)),
    "range": (2, 2),
    "substring": (1, 2),
    "replace": (2, 2),
    "has": (1, 3),
}
"""How many arguments a step has in the forms that are read."""

GATHERING = frozenset({"dedup", "limit", "range", "skip", "tail", "order", "fold", "count", "sum"})
GATHERING |= {"min", "max", "mean", "group", "groupCount", "as", "sample", "unfold"}

_MODULATORS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("order", "project", "select", "group", "groupCount", "dedup"), ("by",)),
    "where": ("by",),
    "repeat": ("times", "emit", "until"),
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
