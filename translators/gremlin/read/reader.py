"""Gremlin text to Graph-IR: the steps that mean a query over a graph, each in a function.

A traversal is read step by step into clauses. Every hop is a MATCH of its own, because a traversal
may walk an edge twice. What stands still is an expression: the current object, and what labels
name. A traverser without a result is dropped, so a value that may be null is tested first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from graph_ir import nodes as ir
from graph_ir.walk import rewrite
from graphmill.errors import Refused
from schemagraph.model import SchemaGraph
from translators.gremlin.read.tree import Call, Chain, Item, Many, Token, Value, parse
from translators.language import Origin

NODE, EDGE, VALUE, MAP, GROUP, PAIR = "node", "edge", "value", "map", "group", "pair"


@dataclass(frozen=True, slots=True)
class Object:
    """What a traverser stands on: its expression and kind; an edge knows its ends."""

    expr: ir.Expr
    kind: str = VALUE
    ends: tuple[str, str] = ("", "")
    start: str = ""
    nullable: bool = False


@dataclass
class Reading:
    """A traversal while it is read: clauses so far, the current object and what labels name."""

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
        return Reading([], self.here, labels, self.names, self.kinds, outer, self.key)

    def visible(self) -> frozenset[str]:
        """The variables that a subquery may read."""
        found: set[str] = set(self.outer)
        for each in (self.here, *self.labels.values()):
            if each is not None:
                found |= {v.name for v in _variables(each.expr)} | set(each.ends) - {""}
        return frozenset(found)

    def keep(self, test: ir.Expr) -> None:
        """Drop the rows where the test is not true."""
        last = self.clauses[-1] if self.clauses else None
        if isinstance(last, ir.Match) and not last.optional:
            where = test if last.where is None else ir.Bool(ir.BoolOp.AND, (last.where, test))
            self.clauses[-1] = replace(last, where=where)
        elif isinstance(last, ir.Project) and _takes(last, test):
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
        group = () if _aggregated(expr) else None
        self.clauses.append(ir.Project((ir.Item(expr, name),), distinct=distinct, group=group))
        kind = self.here.kind if self.here is not None and distinct else VALUE
        self.kinds[name] = kind
        self.here = Object(ir.Var(name), kind)
        self.labels = {}


def _takes(last: ir.Project, test: ir.Expr) -> bool:
    """Whether a projection's own WHERE can hold the test."""
    open_to = last.where is None and not last.order and last.skip is None and last.limit is None
    aliases = {item.alias for item in last.items}
    return open_to and {v.name for v in _variables(test)} <= aliases


def refused(construct: str, reason: str = "This step is not read.") -> Refused:
    """A traversal that has no Graph-IR, or none yet."""
    return Refused("unsupported-expression", construct, reason)


def _variables(expr: ir.Node) -> list[ir.Var]:
    from graph_ir.walk import find

    return list(find(expr, ir.Var))


def _aggregated(expr: ir.Node) -> bool:
    from graph_ir.lowerings import aggregates

    return bool(aggregates(expr))


def reader(origin: Origin) -> Callable[[str], ir.Statement]:
    """What reads a text; with a graph whose nodes all have one key of one name, `V(id)` too."""
    key = _key_of(origin.schema)

    def read(text: str) -> ir.Statement:
        tree = parse(text)
        reading = Reading(key=key)
        walk(reading, tree)
        return _returned(reading)

    return read


def _key_of(schema: SchemaGraph | None) -> str:
    """The property that is the key of every node type, if it is one."""
    keys = {node.key for node in schema.nodes} if schema is not None else set()
    (only,) = keys if len(keys) == 1 else ((),)
    return only[0] if len(only) == 1 else ""


def _returned(reading: Reading) -> ir.Statement:
    here = reading.here
    if here is None:
        raise refused("g", "The traversal has no step.")
    if here.kind in (GROUP, PAIR):
        raise refused("group", "A map from keys to groups is one value, which Cypher has not.")
    if here.kind == MAP and isinstance(here.expr, ir.MapOf):
        items = tuple(ir.Item(each.value, each.key) for each in here.expr.entries)
    else:
        items = (ir.Item(here.expr, "value"),)
    return ir.Query((*reading.clauses, ir.Project(items, final=True)))


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
        make = STEPS.get(call.name)
        least, most = _ARGUMENTS.get(call.name, (0, 99))
        if make is None or not least <= len(call.args) <= most:
            raise refused(f"{call.name}()")
        make(reading, call, modulators)


def _texts(call: Call) -> list[str]:
    texts = [a.value for a in call.args if isinstance(a, Value) and isinstance(a.value, str)]
    if len(texts) < len(call.args):
        raise refused(f"{call.name}()", "Only constant names are read here.")
    return texts


def _at(reading: Reading, *kinds: str) -> Object:
    here = reading.here
    if here is None or here.kind == GROUP or (kinds and here.kind not in kinds):
        raise refused("the current object", f"This step wants {' or '.join(kinds) or 'one'}.")
    return here


def _constant(item: Item) -> ir.Expr:
    match item:
        case Value(value=value) if value is None or isinstance(value, bool | int | float | str):
            return ir.Literal(value)
        case Many(items=items, unique=False):
            return ir.ListOf(tuple(map(_constant, items)))
    raise refused("an argument", "Only constants are read here.")


# --- where traversers come from, and where they go ------------------------------------------


def _vertices(reading: Reading, call: Call, _: list[Call]) -> None:
    name = reading.fresh("n")
    reading.clauses.append(ir.Match((ir.Path(ir.NodePattern(name)),)))
    reading.here = Object(ir.Var(name), NODE)
    if not call.args:
        return
    if not reading.key:
        raise refused("V(id)", "Without a graph whose nodes have one key, ids mean nothing.")
    listed = call.args[0] if len(call.args) == 1 else Many(call.args)
    own = ir.Prop(ir.Var(name), reading.key)
    if isinstance(listed, Many):
        if listed.unique:
            raise refused("V(set)")
        reading.keep(ir.In(own, ir.ListOf(tuple(map(_some, listed.items)))))
    else:
        reading.keep(ir.Compare(ir.CompareOp.EQ, own, _some(listed)))


def _edges(reading: Reading, call: Call, _: list[Call]) -> None:
    if call.args:
        raise refused("E(id)", "The ids of a server's edges are no part of a graph.")
    a, name, b = reading.fresh("n"), reading.fresh("e"), reading.fresh("n")
    reading.kinds[name] = EDGE
    step = ir.Step(ir.EdgePattern(name), ir.NodePattern(b))
    reading.clauses.append(ir.Match((ir.Path(ir.NodePattern(a), (step,)),)))
    reading.here = Object(ir.Var(name), EDGE, (a, b))


def _inject(reading: Reading, call: Call, _: list[Call]) -> None:
    if reading.here is not None:
        raise refused("inject()", "inject() is read at the begin only.")
    name = reading.fresh("v")
    items = tuple(map(_constant, call.args))
    if ir.Literal(None) in items:
        raise refused("inject(null)", "Gremlin treats null as an object.")
    reading.clauses.append(ir.Unwind(ir.ListOf(items), name))
    reading.here = Object(ir.Var(name))


def _types(call: Call) -> ir.LabelExpr | None:
    names = tuple(map(ir.LabelName, dict.fromkeys(_texts(call))))
    if len(names) < 2:
        return names[0] if names else None
    return ir.LabelOr(names)


def _hop(reading: Reading, call: Call, direction: ir.Direction, *, edge: bool) -> None:
    here = _at(reading, NODE)
    if not isinstance(here.expr, ir.Var):
        raise refused(call.name, "A computed node.")
    name, onward = reading.fresh("e"), reading.fresh("n")
    reading.kinds[name] = EDGE
    pattern = ir.EdgePattern(name if edge else None, _types(call), direction)
    step = ir.Step(pattern, ir.NodePattern(onward))
    reading.clauses.append(ir.Match((ir.Path(ir.NodePattern(here.expr.name), (step,)),)))
    if not edge:
        reading.here = Object(ir.Var(onward), NODE)
        return
    ends = (here.expr.name, onward)
    if direction is ir.Direction.IN:
        ends = (onward, here.expr.name)
    reading.here = Object(ir.Var(name), EDGE, ends, start=here.expr.name)


def _towards(direction: ir.Direction, *, edge: bool) -> Step:
    return lambda reading, call, _: _hop(reading, call, direction, edge=edge)


def _both(*, edge: bool) -> Step:
    """A loop is met from both of its ends: two hops, one after the other."""

    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        here = _at(reading, NODE)
        if not isinstance(here.expr, ir.Var) or edge:
            raise refused(call.name, "Edges in both directions.")
        onward = reading.fresh("n")
        types = _types(call)
        sides = []
        for direction in (ir.Direction.OUT, ir.Direction.IN):
            step = ir.Step(ir.EdgePattern(None, types, direction), ir.NodePattern(onward))
            match = ir.Match((ir.Path(ir.NodePattern(here.expr.name), (step,)),))
            item = ir.Item(ir.Var(onward), onward)
            sides.append(ir.Query((match, ir.Project((item,), final=True))))
        union = ir.Union(sides[0], sides[1], all=True)
        reading.clauses.append(ir.Subquery(union, (here.expr.name,)))
        reading.here = Object(ir.Var(onward), NODE)

    return make


def _end(which: int | None) -> Step:
    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        here = _at(reading, EDGE)
        a, b = here.ends
        if not a:
            raise refused(call.name, "The ends of this edge are not known.")
        if which is not None:
            name = (a, b)[which]
        elif here.start:
            name = b if here.start == a else a
        else:
            raise refused("otherV()", "From which end the edge was met is not known.")
        reading.here = Object(ir.Var(name), NODE)

    return make


# --- filters --------------------------------------------------------------------------------


def _label_test(here: Object, names: list[str]) -> ir.Expr:
    labels = tuple(map(ir.LabelName, dict.fromkeys(names)))
    return ir.LabelTest(here.expr, labels[0] if len(labels) == 1 else ir.LabelOr(labels))


def _has_label(reading: Reading, call: Call, _: list[Call]) -> None:
    reading.keep(_label_test(_at(reading, NODE, EDGE), _texts(call)))


def _has(reading: Reading, call: Call, _: list[Call]) -> None:
    reading.keep(_has_test(reading, call))


def _has_test(reading: Reading, call: Call) -> ir.Expr:
    here = _at(reading, NODE, EDGE)
    args = list(call.args)
    tests: list[ir.Expr] = []
    if len(args) == 3:
        label = args.pop(0)
        if not isinstance(label, Value) or not isinstance(label.value, str):
            raise refused("has()", "Its label is no constant.")
        tests.append(_label_test(here, [label.value]))
    key = args[0]
    if isinstance(key, Token) and key.name == "label" and len(args) == 2:
        own: ir.Expr = _label_of(here)
    elif isinstance(key, Value) and isinstance(key.value, str):
        own = ir.Prop(here.expr, key.value)
    else:
        raise refused("has()", "Its key is no name.")
    tests.append(ir.IsNull(own, negated=True))
    if len(args) == 2:
        tests.append(_met(reading, own, args[1]))
    return tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.AND, tuple(tests))


def _has_not(reading: Reading, call: Call, _: list[Call]) -> None:
    here = _at(reading, NODE, EDGE)
    (name,) = _texts(call)
    reading.keep(ir.IsNull(ir.Prop(here.expr, name)))


_COMPARED = {
    "eq": ir.CompareOp.EQ,
    "neq": ir.CompareOp.NE,
    "lt": ir.CompareOp.LT,
    "lte": ir.CompareOp.LE,
    "gt": ir.CompareOp.GT,
    "gte": ir.CompareOp.GE,
}
_TEXTS = {
    "startingWith": ir.TextOp.STARTS,
    "endingWith": ir.TextOp.ENDS,
    "containing": ir.TextOp.CONTAINS,
}


def _met(reading: Reading, own: ir.Expr, item: Item) -> ir.Expr:
    """The test that a value meets a predicate; it is never null where the value is there."""
    if not isinstance(item, Chain):
        return _sure(ir.Compare(ir.CompareOp.EQ, own, _some(item)))
    test = _predicate(own, item.calls[0])
    for call in item.calls[1:]:
        if call.name == "negate":
            test = ir.Not(test)
            continue
        if call.name not in ("and", "or") or not isinstance(call.args[0], Chain):
            raise refused(f"{call.name}()", "This is no predicate.")
        op = ir.BoolOp.AND if call.name == "and" else ir.BoolOp.OR
        test = ir.Bool(op, (test, _met(reading, own, call.args[0])))
    return test


def _some(item: Item) -> ir.Expr:
    made = _constant(item)
    if isinstance(made, ir.Literal) and (made.value is None or made.value != made.value):
        raise refused("null", "Gremlin compares with null and NaN by rules of its own.")
    if isinstance(made, ir.ListOf):
        raise refused("a list", "Gremlin compares lists by rules of its own.")
    return made


def _sure(test: ir.Expr) -> ir.Expr:
    """A comparison of values that cannot be compared is false in Gremlin, not null."""
    return ir.Call("coalesce", (test, ir.Literal(False)))


def _predicate(own: ir.Expr, call: Call) -> ir.Expr:
    name, args = call.name, call.args
    ends = name in ("between", "inside", "outside")
    if name not in ("within", "without") and len(args) != 1 + ends:
        raise refused(f"{name}()", "Arguments of this predicate.")
    if name == "not" and isinstance(args[0], Chain):
        return ir.Not(_predicate(own, args[0].calls[0]))
    if name in ("within", "without"):
        given = args[0].items if len(args) == 1 and isinstance(args[0], Many) else args
        among = ir.In(own, ir.ListOf(tuple(map(_some, given))))
        return among if name == "within" else ir.Not(among)
    if ends:
        lo, hi = map(_some, args)
        signs = {"between": (">=", "<"), "inside": (">", "<"), "outside": ("<", ">")}[name]
        tests = tuple(
            _sure(ir.Compare(ir.CompareOp(sign), own, end))
            for sign, end in zip(signs, (lo, hi), strict=True)
        )
        return ir.Bool(ir.BoolOp.OR if name == "outside" else ir.BoolOp.AND, tests)
    if name in _COMPARED and not isinstance(args[0], Chain):
        return _sure(ir.Compare(_COMPARED[name], own, _some(args[0])))
    for word, negated in ((name, False), (name.removeprefix("not"), True)):
        word = word[:1].lower() + word[1:]
        if word in _TEXTS:
            test = _sure(ir.Text(_TEXTS[word], own, _some(args[0])))
            return ir.Not(test) if negated else test
    raise refused(f"{name}()", "This predicate is not read.")


def _is(reading: Reading, call: Call, _: list[Call]) -> None:
    here = _at(reading, VALUE)
    if here.nullable:
        raise refused("is()", "Gremlin compares with null by rules of its own.")
    reading.keep(_met(reading, here.expr, call.args[0]))


def _where(reading: Reading, call: Call, by: list[Call]) -> None:
    if by:
        reading.keep(_where_by(reading, call, by))
        return
    if len(call.args) == 1 and isinstance(call.args[0], Chain):
        chain = call.args[0]
        if chain.root != "P" and chain.calls[0].name not in _COMPARED:
            reading.keep(_some_result(reading, chain))
            return
    reading.keep(_where_by(reading, call, []))


def _where_by(reading: Reading, call: Call, by: list[Call]) -> ir.Expr:
    args = list(call.args)
    left = _at(reading)
    if len(args) == 2 and isinstance(label := args.pop(0), Value):
        left = _labelled(reading, str(label.value))
    chain = args[0]
    if len(args) > 1 or not isinstance(chain, Chain) or len(chain.calls) > 1:
        raise refused("where()", "This predicate is not read.")
    predicate = chain.calls[0]
    if predicate.name not in _COMPARED or len(predicate.args) != 1:
        raise refused("where()", "This predicate is not read.")
    right = _labelled(reading, _texts(predicate)[0])
    first, second = (by * 2)[:2] if by else (None, None)
    a, b = _by(reading, first, left), _by(reading, second, right)
    return ir.Compare(_COMPARED[predicate.name], a.expr, b.expr)


def _one(call: Call) -> Item:
    if len(call.args) != 1:
        raise refused(f"{call.name}()", "It takes one argument.")
    return call.args[0]


def _labelled(reading: Reading, name: str) -> Object:
    if name not in reading.labels:
        raise refused(f"'{name}'", "No step of this row has the label.")
    return reading.labels[name]


def _some_result(reading: Reading, chain: Chain) -> ir.Expr:
    """Whether a traversal of the current object has a result."""
    inner = reading.inner()
    walk(inner, chain)
    if (counted := _counted(inner)) is not None:
        return counted
    if not inner.clauses:
        here = inner.here
        if here is not None and not here.nullable:
            return ir.Literal(True)
        raise refused("where()", "Whether this has a result.")
    first = inner.clauses[0]
    lone = len(inner.clauses) == 1 and isinstance(first, ir.Project) and first.where is not None
    if lone and isinstance(first, ir.Project) and first.where is not None and not first.order:
        return _sure(first.where)
    return ir.Exists(ir.Query(tuple(inner.clauses)))


def _counted(inner: Reading) -> ir.Expr | None:
    """The test of a number of results: `out().count().is(gt(2))`."""
    if not inner.clauses:
        return None
    *before, last = inner.clauses
    if not isinstance(last, ir.Project) or last.where is None or last.distinct:
        return None
    (item, *more) = last.items
    if more or item.expr != ir.Agg("count") or not before:
        return None
    count = ir.CountOf(ir.Query(tuple(before)))

    def change(node: ir.Node) -> ir.Node:
        return count if node == ir.Var(item.alias) else node

    return rewrite(last.where, change)


def _connected(op: ir.BoolOp) -> Step:
    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        chains = [a for a in call.args if isinstance(a, Chain)]
        if len(chains) < len(call.args) or not chains:
            raise refused(f"{call.name}()", "Its arguments are no traversals.")
        tests = tuple(_some_result(reading, chain) for chain in chains)
        reading.keep(tests[0] if len(tests) == 1 else ir.Bool(op, tests))

    return make


def _not(reading: Reading, call: Call, _: list[Call]) -> None:
    (chain,) = call.args
    if not isinstance(chain, Chain):
        raise refused("not()", "Its argument is no traversal.")
    reading.keep(ir.Not(_some_result(reading, chain)))


# --- values ---------------------------------------------------------------------------------


def _values(reading: Reading, call: Call, _: list[Call]) -> None:
    here = _at(reading, NODE, EDGE)
    names = _texts(call)
    if not names:
        raise refused("values()", "Properties that nobody names.")
    if len(names) == 1:
        own: ir.Expr = ir.Prop(here.expr, names[0])
        reading.keep(ir.IsNull(own, negated=True))
    else:
        name = reading.fresh("v")
        listed = ir.ListOf(tuple(ir.Prop(here.expr, each) for each in names))
        reading.clauses.append(ir.Unwind(listed, name))
        own = ir.Var(name)
        reading.here = Object(own)
        reading.keep(ir.IsNull(own, negated=True))
    reading.here = Object(own)


def _label_of(here: Object) -> ir.Expr:
    if here.kind == EDGE:
        return ir.Call("type", (here.expr,))
    return ir.Index(ir.Call("labels", (here.expr,)), ir.Literal(0))


def _label(reading: Reading, _: Call, __: list[Call]) -> None:
    reading.here = Object(_label_of(_at(reading, NODE, EDGE)))


def _constant_step(reading: Reading, call: Call, _: list[Call]) -> None:
    _at(reading)
    made = _constant(call.args[0])
    reading.here = Object(made, nullable=made == ir.Literal(None))


def _as(reading: Reading, call: Call, _: list[Call]) -> None:
    for name in _texts(call):
        if name in reading.labels:
            raise refused(f"as('{name}')", "A label names two objects.")
        reading.labels[name] = _at(reading)


def _select(reading: Reading, call: Call, by: list[Call]) -> None:
    here = _at(reading)
    first = call.args[0] if call.args else None
    if isinstance(first, Token) and here.kind == PAIR and isinstance(here.expr, ir.ListOf):
        place = {"keys": 0, "values": 1}.get(first.name)
        if place is None or len(call.args) > 1:
            raise refused("select()", "Keys or values are selected from a group.")
        chosen = here.expr.items[place]
        own = Object(chosen, _kind(reading, chosen))
        reading.here = _by(reading, by[0] if by else None, own)
        return
    names = _texts(call)
    if here.kind == MAP and isinstance(here.expr, ir.MapOf):
        entries = {each.key: each.value for each in here.expr.entries}
        if set(names) <= entries.keys():
            given = {
                name: Object(entries[name], _kind(reading, entries[name]), nullable=True)
                for name in names
            }
            _chosen(reading, names, given, by)
            return
    _chosen(reading, names, {name: _labelled(reading, name) for name in names}, by)


def _kind(reading: Reading, expr: ir.Expr) -> str:
    """The kind of an expression that a group or a map holds."""
    return reading.kinds.get(expr.name, VALUE) if isinstance(expr, ir.Var) else VALUE


def _chosen(reading: Reading, names: list[str], given: dict[str, Object], by: list[Call]) -> None:
    made = {}
    for number, name in enumerate(names):
        modulator = by[number % len(by)] if by else None
        made[name] = _by(reading, modulator, given[name])
        if made[name].nullable:
            reading.keep(ir.IsNull(made[name].expr, negated=True))
            made[name] = replace(made[name], nullable=False)
    if len(names) == 1:
        reading.here = made[names[0]]
        return
    entries = tuple(ir.Entry(name, each.expr) for name, each in made.items())
    reading.here = Object(ir.MapOf(entries), MAP)


def _by(reading: Reading, by: Call | None, own: Object) -> Object:
    """What a modulator makes of an object: an expression of it."""
    if by is None or not by.args:
        return own
    (item, *more) = by.args
    if more:
        raise refused("by()", "An order is read of order() only.")
    match item:
        case Value(value=str() as key) if own.kind in (NODE, EDGE):
            return Object(ir.Prop(own.expr, key), nullable=True)
        case Token(name="label"):
            return Object(_label_of(own))
        case Chain():
            return _child(reading, item, own)
    raise refused("by()", "This modulator is not read.")


def _child(reading: Reading, chain: Chain, own: Object) -> Object:
    """The first result of a traversal of an object, as an expression."""
    inner = reading.inner()
    inner.here = own
    walk(inner, chain)
    here = inner.here
    if here is None:
        raise refused("by()", "This modulator is not read.")
    if not inner.clauses:
        return here
    *before, last = inner.clauses
    tests = [each.where for each in inner.clauses if isinstance(each, ir.Project) and each.where]
    if len(tests) == len(inner.clauses) and all(_is_there(each, here) for each in tests):
        return replace(here, nullable=True)
    if isinstance(last, ir.Project) and len(last.items) == 1 and last.where is None:
        expr = last.items[0].expr
        if expr == ir.Agg("count") and not last.distinct:
            return Object(ir.CountOf(ir.Query(tuple(before))))
        if isinstance(expr, ir.Agg) and expr.name == "collect":
            item = ir.Item(expr.args[0], "v")
            body = ir.Query((*before, ir.Project((item,), final=True)))
            return Object(ir.CollectOf(body))
    raise refused("by()", "The first of several results.")


def _is_there(test: ir.Expr, here: Object) -> bool:
    """Whether a test only says that the value is there."""
    return isinstance(test, ir.IsNull) and test.negated and test.arg == here.expr


def _project_step(reading: Reading, call: Call, by: list[Call]) -> None:
    here = _at(reading)
    entries = []
    for number, name in enumerate(_texts(call)):
        value = _by(reading, by[number % len(by)] if by else None, here)
        entries.append(ir.Entry(name, value.expr))
    reading.here = Object(ir.MapOf(tuple(entries)), MAP)


# --- aggregates, order, windows -------------------------------------------------------------


def _count(reading: Reading, call: Call, _: list[Call]) -> None:
    if call.args:
        here = _at(reading, VALUE)
        if not isinstance(call.args[0], Token) or call.args[0].name != "local":
            raise refused("count()")
        reading.here = Object(ir.Call("size", (here.expr,)))
        return
    _at(reading)
    reading.only(ir.Agg("count"))


def _numbers(name: str) -> Step:
    """`sum()` and its relatives, which have no result of nothing."""

    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        here = _at(reading, VALUE)
        if call.args or here.nullable:
            raise refused(f"{call.name}()", "Only of the values of all traversers.")
        reading.only(ir.Agg(name, (here.expr,)))
        last = reading.clauses[-1]
        if name != "sum" or not isinstance(last, ir.Project):
            reading.clauses[-1] = (
                replace(last, where=ir.IsNull(ir.Var(last.items[0].alias), negated=True))
                if isinstance(last, ir.Project)
                else last
            )
            return
        many = reading.fresh("v")
        items = (*last.items, ir.Item(ir.Agg("count"), many))
        test = ir.Compare(ir.CompareOp.GT, ir.Var(many), ir.Literal(0))
        reading.clauses[-1] = replace(last, items=items, where=test)

    return make


def _fold(reading: Reading, call: Call, _: list[Call]) -> None:
    here = _at(reading)
    if call.args or here.nullable or here.kind not in (VALUE, NODE, EDGE):
        raise refused("fold()", "A fold of one's own.")
    reading.only(ir.Agg("collect", (here.expr,)))


def _unfold(reading: Reading, call: Call, _: list[Call]) -> None:
    if reading.here is not None and reading.here.kind == GROUP:
        reading.here = replace(reading.here, kind=PAIR)
        return
    here = _at(reading)
    collected = isinstance(here.expr, ir.Var) and reading.clauses
    last = reading.clauses[-1] if collected else None
    whole = isinstance(last, ir.Project) and isinstance(last.items[0].expr, ir.Agg)
    if not whole or not isinstance(last, ir.Project) or not _collects(last.items[0].expr):
        raise refused("unfold()", "What is unfolded is not known to be a list.")
    name = reading.fresh("v")
    reading.clauses.append(ir.Unwind(here.expr, name))
    reading.here = Object(ir.Var(name), here.kind)


def _collects(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Agg) and expr.name == "collect"


def _dedup(reading: Reading, call: Call, by: list[Call]) -> None:
    here = _at(reading, NODE, EDGE, VALUE)
    if call.args or by:
        raise refused("dedup()", "Only of the current objects themselves.")
    reading.only(here.expr, distinct=True)


def _order(reading: Reading, call: Call, by: list[Call]) -> None:
    here = _at(reading)
    if call.args:
        raise refused("order(local)", "An order within a list.")
    keys = []
    for each in by or [Call("by")]:
        args = [a for a in each.args if not (isinstance(a, Token) and a.name in ("asc", "desc"))]
        down = any(isinstance(a, Token) and a.name == "desc" for a in each.args)
        own = _by(reading, replace(each, args=tuple(args)), here)
        if own.kind != VALUE:
            raise refused("order()", "Elements are ordered by their ids.")
        if own.nullable:
            reading.keep(ir.IsNull(own.expr, negated=True))
        keys.append(ir.SortKey(own.expr, down))
    reading.project(order=tuple(keys))
    reading.ordered = True


def _whole(item: Item) -> int:
    if isinstance(item, Value) and type(item.value) is int and item.value >= 0:
        return item.value
    raise refused("a window", "The number of rows is no constant.")


def _window(reading: Reading, call: Call, _: list[Call]) -> None:
    if any(isinstance(a, Token) for a in call.args):
        raise refused(f"{call.name}(local)", "A window of a list.")
    numbers = [_whole(a) for a in call.args]
    skip, limit = 0, None
    if call.name == "limit":
        (limit,) = numbers
    elif call.name == "skip":
        (skip,) = numbers
    else:
        skip, end = numbers
        limit = max(0, end - skip)
    last = reading.clauses[-1] if reading.clauses else None
    fits = isinstance(last, ir.Project) and last.order and not last.skip and not last.limit
    if fits and isinstance(last, ir.Project) and last.where is None:
        reading.clauses.pop()
        order = last.order
    elif reading.ordered:
        raise refused(call.name, "A window of rows whose order came from further up.")
    else:
        order = ()
    reading.project(
        order=order,
        skip=ir.Literal(skip) if skip else None,
        limit=ir.Literal(limit) if limit is not None else None,
    )


def _group(reading: Reading, call: Call, by: list[Call]) -> None:
    here = _at(reading)
    if call.args or len(by) > 2:
        raise refused("group('a')", "A group kept aside.")
    key = _by(reading, by[0] if by else None, here)
    if key.nullable:
        reading.keep(ir.IsNull(key.expr, negated=True))
    if call.name == "groupCount":
        value: ir.Expr = ir.Agg("count")
    else:
        value = _of_group(reading, by[1] if len(by) > 1 else None, here)
    k = reading.fresh("n" if key.kind == NODE else "k")
    v = reading.fresh("v")
    items = (ir.Item(key.expr, k), ir.Item(value, v))
    reading.clauses.append(ir.Project(items, group=(key.expr,)))
    reading.labels = {}
    reading.kinds[k] = key.kind
    reading.here = Object(ir.ListOf((ir.Var(k), ir.Var(v))), GROUP)


def _of_group(reading: Reading, by: Call | None, here: Object) -> ir.Expr:
    if by is None:
        return ir.Agg("collect", (here.expr,))
    item = _one(by)
    match item:
        case Chain(calls=(Call(name="count", args=()),)):
            return ir.Agg("count")
        case Chain(calls=(Call(name="fold", args=()),)):
            return ir.Agg("collect", (here.expr,))
        case Chain(calls=(Call(name="values", args=(Value(value=str() as key),)), Call(name=name))):
            if name in ("fold", "count") and here.kind in (NODE, EDGE):
                kind = "collect" if name == "fold" else "count"
                return ir.Agg(kind, (ir.Prop(here.expr, key),))
        case Value(value=str() as key) if here.kind in (NODE, EDGE):
            raise refused("group()", "Values that may be absent from a group.")
    raise refused("group()", "This reduction of a group is not read.")


# --- branches -------------------------------------------------------------------------------


def _choose(reading: Reading, call: Call, options: list[Call]) -> None:
    if options or len(call.args) != 3:
        raise refused("choose()", "Options by value.")
    test, yes, no = call.args
    if not isinstance(test, Chain) or not isinstance(yes, Chain) or not isinstance(no, Chain):
        raise refused("choose()", "Branches that are no traversals.")
    here = _at(reading)
    a, b = _child(reading, yes, here), _child(reading, no, here)
    if a.nullable or b.nullable:
        raise refused("choose()", "A branch without a result.")
    whens = (ir.When(_some_result(reading, test), a.expr),)
    reading.here = Object(ir.Case(whens, b.expr))


def _coalesce(reading: Reading, call: Call, _: list[Call]) -> None:
    here = _at(reading)
    parts = [_child(reading, a, here) for a in call.args if isinstance(a, Chain)]
    if any(each.kind != VALUE for each in parts):
        raise refused("coalesce()", "Branches of nodes.")
    made = ir.Call("coalesce", tuple(each.expr for each in parts))
    if all(each.nullable for each in parts):
        reading.keep(ir.IsNull(made, negated=True))
    reading.here = Object(made)


def _repeat(reading: Reading, call: Call, modulators: list[Call]) -> None:
    (times,) = modulators if len(modulators) == 1 else (Call(""),)
    if times.name != "times" or len(call.args) != 1 or not isinstance(call.args[0], Chain):
        raise refused("repeat()", "Only so many times, without emit() and until().")
    number = _whole(times.args[0])
    if not 0 < number <= 10:
        raise refused("repeat()", "So many times is not written out.")
    body = call.args[0]
    if {each.name for each in body.calls} & _GATHERING:
        raise refused("repeat()", "Labels within, or what gathers traversers of all turns.")
    for _ in range(number):
        walk(reading, body)


def _inline(reading: Reading, call: Call, _: list[Call]) -> None:
    (chain,) = call.args
    if not isinstance(chain, Chain) or {each.name for each in chain.calls} & _GATHERING:
        raise refused(f"{call.name}()", "What gathers traversers within.")
    walk(reading, chain)


def _function(name: str) -> Step:
    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        here = _at(reading, VALUE)
        if call.args or here.nullable:
            raise refused(f"{call.name}()", "Arguments of this step.")
        reading.here = Object(ir.Call(name, (here.expr,)))

    return make


def _concat(reading: Reading, call: Call, _: list[Call]) -> None:
    here = _at(reading, VALUE)
    if here.nullable:
        raise refused("concat()", "Gremlin joins null as if it were nothing.")
    made: ir.Expr = ir.Call("toString", (here.expr,))
    for text in _texts(call):
        made = ir.Arith(ir.ArithOp.ADD, made, ir.Literal(text))
    reading.here = Object(made)


def _substring(reading: Reading, call: Call, _: list[Call]) -> None:
    here = _at(reading, VALUE)
    numbers = [_whole(each) for each in call.args]
    if here.nullable:
        raise refused("substring()", "A part of null.")
    arguments = [ir.Literal(numbers[0])]
    if len(numbers) == 2:
        arguments.append(ir.Literal(max(0, numbers[1] - numbers[0])))
    reading.here = Object(ir.Call("substring", (here.expr, *arguments)))


def _replaced(reading: Reading, call: Call, _: list[Call]) -> None:
    here = _at(reading, VALUE)
    old, new = _texts(call)
    if here.nullable or not old:
        raise refused("replace()", "A part of null, or nothing, is replaced.")
    reading.here = Object(ir.Call("replace", (here.expr, ir.Literal(old), ir.Literal(new))))


def _union(reading: Reading, call: Call, _: list[Call]) -> None:
    """Branches that end in nodes, or in values, one after the other."""
    sides: list[ir.Query] = []
    kinds: set[str] = set()
    name = reading.fresh("u")
    imports = tuple(sorted(reading.visible()))
    for item in call.args:
        if not isinstance(item, Chain) or {each.name for each in item.calls} & _GATHERING:
            raise refused("union()", "A branch that gathers traversers of all.")
        inner = reading.inner()
        walk(inner, item)
        here = inner.here
        if here is None or here.nullable or here.kind not in (NODE, VALUE):
            raise refused("union()", "A branch of this kind.")
        kinds.add(here.kind)
        column = ir.Project((ir.Item(here.expr, name),), final=True)
        sides.append(ir.Query((*inner.clauses, column)))
    if len(kinds) != 1 or len(sides) < 2:
        raise refused("union()", "Branches of several kinds.")
    whole: ir.Statement = sides[0]
    for side in sides[1:]:
        whole = ir.Union(whole, side, all=True)
    (kind,) = kinds
    reading.clauses.append(ir.Subquery(whole, imports))
    reading.kinds[name] = kind
    reading.here = Object(ir.Var(name), kind)


def _identity(_: Reading, __: Call, ___: list[Call]) -> None:
    """`identity()`, and what only changes how a traversal is run."""


type Step = Callable[[Reading, Call, list[Call]], None]

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
_GATHERING = frozenset({"dedup", "limit", "range", "skip", "tail", "order", "fold", "count", "sum"})
_GATHERING |= {"min", "max", "mean", "group", "groupCount", "as", "sample", "unfold"}
_MODULATORS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("order", "project", "select", "group", "groupCount", "dedup"), ("by",)),
    "where": ("by",),
    "repeat": ("times", "emit", "until"),
    "choose": ("option",),
}

STEPS: dict[str, Step] = {
    "V": _vertices,
    "E": _edges,
    "inject": _inject,
    "out": _towards(ir.Direction.OUT, edge=False),
    "in": _towards(ir.Direction.IN, edge=False),
    "both": _both(edge=False),
    "outE": _towards(ir.Direction.OUT, edge=True),
    "inE": _towards(ir.Direction.IN, edge=True),
    "bothE": _both(edge=True),
    "outV": _end(0),
    "inV": _end(1),
    "otherV": _end(None),
    "hasLabel": _has_label,
    "has": _has,
    "hasNot": _has_not,
    "is": _is,
    "where": _where,
    "filter": _where,
    "and": _connected(ir.BoolOp.AND),
    "or": _connected(ir.BoolOp.OR),
    "not": _not,
    "values": _values,
    "label": _label,
    "constant": _constant_step,
    "as": _as,
    "select": _select,
    "project": _project_step,
    "count": _count,
    "sum": _numbers("sum"),
    "mean": _numbers("avg"),
    "min": _numbers("min"),
    "max": _numbers("max"),
    "fold": _fold,
    "unfold": _unfold,
    "dedup": _dedup,
    "order": _order,
    "limit": _window,
    "skip": _window,
    "range": _window,
    "group": _group,
    "groupCount": _group,
    "choose": _choose,
    "coalesce": _coalesce,
    "repeat": _repeat,
    "flatMap": _inline,
    "local": _inline,
    "toUpper": _function("toUpper"),
    "toLower": _function("toLower"),
    "length": _function("size"),
    "concat": _concat,
    "substring": _substring,
    "replace": _replaced,
    "union": _union,
    "identity": _identity,
    "barrier": _identity,
}
