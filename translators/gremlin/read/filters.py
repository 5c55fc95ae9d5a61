"""Gremlin's filters and predicates, as conditions that are true, false or null as it says."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.walk import rewrite
from translators.gremlin.labels import told_apart
from translators.gremlin.read.traversal import (
    EDGE,
    GROUP,
    NODE,
    VALUE,
    Object,
    Reading,
    Step,
    comparable,
    constant_names,
    current,
    definite,
    label_of,
    labelled,
    refused,
    walk,
)
from translators.gremlin.read.tree import Call, Chain, Item, Many, Token, Value
from translators.gremlin.read.values import modulated

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


def _label_test(reading: Reading, here: Object, names: list[str]) -> ir.Expr:
    labels: tuple[ir.LabelExpr, ...] = tuple(map(ir.LabelName, dict.fromkeys(names)))
    if here.kind == NODE:
        labels = told_apart(names, reading.label_sets)
    return ir.LabelTest(here.expr, labels[0] if len(labels) == 1 else ir.LabelOr(labels))


def _has_label(reading: Reading, call: Call, _: list[Call]) -> None:
    reading.keep(_label_test(reading, current(reading, NODE, EDGE), constant_names(call)))


def _has(reading: Reading, call: Call, _: list[Call]) -> None:
    reading.keep(_has_test(reading, call))


def _has_test(reading: Reading, call: Call) -> ir.Expr:
    here = current(reading, NODE, EDGE)
    args = list(call.args)
    tests: list[ir.Expr] = []
    if len(args) == 3:
        label = args.pop(0)
        if not isinstance(label, Value) or not isinstance(label.value, str):
            raise refused("has()", "Its label is no constant.")
        tests.append(_label_test(reading, here, [label.value]))
    key = args[0]
    if isinstance(key, Token) and key.name == "label" and len(args) == 2:
        own: ir.Expr = label_of(here)
    elif isinstance(key, Token) and key.name == "id" and len(args) == 2:
        own = _id_of(reading, here)
    elif isinstance(key, Value) and isinstance(key.value, str):
        own = ir.Prop(here.expr, key.value)
    else:
        raise refused("has()", "Its key is no name.")
    tests.append(ir.IsNull(own, negated=True))
    if len(args) == 2:
        tests.append(predicate_test(reading, own, args[1]))
    return tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.AND, tuple(tests))


def _id_of(reading: Reading, here: Object) -> ir.Expr:
    """The id of a node, which is the key that all nodes of the graph have."""
    if here.kind != NODE or not reading.key:
        raise refused("T.id", "Without a graph whose nodes have one key, ids mean nothing.")
    return ir.Prop(here.expr, reading.key)


def _has_id(reading: Reading, call: Call, _: list[Call]) -> None:
    own = _id_of(reading, current(reading, NODE))
    if len(call.args) == 1 and not isinstance(call.args[0], Many):
        reading.keep(predicate_test(reading, own, call.args[0]))
        return
    listed = call.args[0].items if isinstance(call.args[0], Many) else call.args
    if len(call.args) > 1 and any(isinstance(each, Many | Chain) for each in call.args):
        raise refused("hasId()", "Lists among ids.")
    given = tuple(comparable(each) for each in listed if not _is_null(each))
    reading.keep(ir.In(own, ir.ListOf(given)))


def _has_not(reading: Reading, call: Call, _: list[Call]) -> None:
    here = current(reading, NODE, EDGE)
    (name,) = constant_names(call)
    reading.keep(ir.IsNull(ir.Prop(here.expr, name)))


def predicate_test(reading: Reading, own: ir.Expr, item: Item) -> ir.Expr:
    """The test that a value meets a predicate; it is never null where the value is there."""
    item = plain_constant(item)
    if not isinstance(item, Chain):
        if _is_null(item):
            return ir.Literal(False)
        return definite(ir.Compare(ir.CompareOp.EQ, own, comparable(item)))
    test = _predicate(own, item.calls[0])
    for call in item.calls[1:]:
        if call.name == "negate":
            test = ir.Not(test)
            continue
        if call.name not in ("and", "or") or not isinstance(call.args[0], Chain):
            raise refused(f"{call.name}()", "This is no predicate.")
        op = ir.BoolOp.AND if call.name == "and" else ir.BoolOp.OR
        test = ir.Bool(op, (test, predicate_test(reading, own, call.args[0])))
    return test


def _is_null(item: Item) -> bool:
    return isinstance(item, Value) and item.value is None


def _is_nan(item: Item) -> bool:
    return isinstance(item, Value) and isinstance(item.value, float) and item.value != item.value


def plain_constant(item: Item) -> Item:
    """`__.constant(1)` as 1."""
    match item:
        case Chain(root="__" | "", calls=(Call(name="constant", args=(Value() as value,)),)):
            return value
    return item


def _predicate(own: ir.Expr, call: Call) -> ir.Expr:
    name, args = call.name, tuple(map(plain_constant, call.args))
    if name in _COMPARED and len(args) == 1 and (_is_null(args[0]) or _is_nan(args[0])):
        return ir.Literal(name == "neq")  # what is there is not null, and no number is NaN
    ends = name in ("between", "inside", "outside")
    if name not in ("within", "without") and len(args) != 1 + ends:
        raise refused(f"{name}()", "Arguments of this predicate.")
    if name == "not" and isinstance(args[0], Chain):
        return ir.Not(_predicate(own, args[0].calls[0]))
    if name in ("within", "without"):
        given = args[0].items if len(args) == 1 and isinstance(args[0], Many) else args
        given = tuple(each for each in given if not _is_null(each))  # no value here is null
        among = ir.In(own, ir.ListOf(tuple(map(comparable, given))))
        return among if name == "within" else ir.Not(among)
    if ends:
        lo, hi = map(comparable, args)
        signs = {"between": (">=", "<"), "inside": (">", "<"), "outside": ("<", ">")}[name]
        tests = tuple(
            definite(ir.Compare(ir.CompareOp(sign), own, end))
            for sign, end in zip(signs, (lo, hi), strict=True)
        )
        return ir.Bool(ir.BoolOp.OR if name == "outside" else ir.BoolOp.AND, tests)
    if name in ("eq", "neq") and _is_null(args[0]):
        return ir.Literal(name == "neq")
    if name in _COMPARED and not isinstance(args[0], Chain):
        return definite(ir.Compare(_COMPARED[name], own, comparable(args[0])))
    for word, negated in ((name, False), (name.removeprefix("not"), True)):
        word = word[:1].lower() + word[1:]
        if word in _TEXTS:
            test = definite(ir.Text(_TEXTS[word], own, comparable(args[0])))
            return ir.Not(test) if negated else test
    raise refused(f"{name}()", "This predicate is not read.")


def _is(reading: Reading, call: Call, _: list[Call]) -> None:
    here = current(reading, VALUE)
    if here.many or (here.nullable and not here.null):
        raise refused("is()", "Gremlin compares with null and lists by rules of its own.")
    test = predicate_test(reading, here.expr, call.args[0])
    reading.keep(_of_null(here.expr, call.args[0], test) if here.null else test)


def _of_null(own: ir.Expr, item: Item, test: ir.Expr) -> ir.Expr:
    """A test of what may be null: null equals null alone, and is neither less nor more."""
    chain = item if isinstance(item, Chain) else Chain("", (Call("eq", (item,)),))
    (call, *more) = chain.calls
    if more or call.name not in _COMPARED or len(call.args) != 1:
        raise refused("is()", "Gremlin compares with null by rules of its own.")
    among = _is_null(call.args[0])
    meets = (call.name in ("eq", "lte", "gte")) if among else call.name == "neq"
    absent, there = ir.IsNull(own), ir.IsNull(own, negated=True)
    if meets:
        return ir.Bool(ir.BoolOp.OR, (absent, ir.Bool(ir.BoolOp.AND, (there, test))))
    return ir.Bool(ir.BoolOp.AND, (there, test))


def _quantified(reading: Reading, call: Call, _: list[Call]) -> None:
    """`all`, `any` and `none` of a list; what is no list is dropped."""
    here = current(reading, VALUE)
    if not here.many:
        raise refused(f"{call.name}()", "What it is of is not known to be a list.")
    kind = ir.QuantifierKind(call.name)
    name = reading.fresh("v")
    test = predicate_test(reading, ir.Var(name), call.args[0])
    test = _of_null(ir.Var(name), call.args[0], test)
    reading.keep(ir.Quantifier(kind, name, here.expr, definite(test)))


def _discard(reading: Reading, _: Call, __: list[Call]) -> None:
    current(reading)
    reading.keep(ir.Literal(False))


def _paths(*, simple: bool) -> Step:
    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        passed = reading.passed or ()
        if call.args or len({each.kind for each in passed}) > 2 or not passed:
            raise refused(f"{call.name}()", "A path of this kind.")
        pairs = [
            ir.Compare(ir.CompareOp.NE, a.expr, b.expr)
            for place, a in enumerate(passed)
            for b in passed[place + 1 :]
            if a.kind == b.kind
        ]
        if any(each.kind not in (NODE, EDGE) or each.nullable for each in passed):
            raise refused(f"{call.name}()", "A path of values.")
        every: ir.Expr = ir.Literal(True) if not pairs else ir.Bool(ir.BoolOp.AND, tuple(pairs))
        every = pairs[0] if len(pairs) == 1 else every
        reading.keep(every if simple else ir.Not(every))

    return make


def _where(reading: Reading, call: Call, by: list[Call]) -> None:
    if by:
        reading.keep(_where_compared(reading, call, by))
        return
    if len(call.args) == 1 and isinstance(call.args[0], Chain):
        chain = call.args[0]
        if chain.root != "P" and chain.calls[0].name not in _COMPARED:
            before, reading.compares = reading.compares, call.name == "where"
            test = has_result(reading, chain)
            reading.compares = before
            reading.keep(test)
            return
    reading.keep(_where_compared(reading, call, []))


def _where_compared(reading: Reading, call: Call, by: list[Call]) -> ir.Expr:
    args = list(call.args)
    left = current(reading)
    if len(args) == 2 and isinstance(label := args.pop(0), Value):
        left = labelled(reading, str(label.value))
    chain = args[0]
    if len(args) > 1 or not isinstance(chain, Chain) or len(chain.calls) > 1:
        raise refused("where()", "This predicate is not read.")
    predicate = chain.calls[0]
    if predicate.name not in _COMPARED or len(predicate.args) != 1:
        raise refused("where()", "This predicate is not read.")
    right = labelled(reading, constant_names(predicate)[0])
    first, second = (by * 2)[:2] if by else (None, None)
    a, b = modulated(reading, first, left), modulated(reading, second, right)
    return ir.Compare(_COMPARED[predicate.name], a.expr, b.expr)


def _ends_of(inner: Reading, chain: Chain) -> tuple[Chain, Object | None]:
    """The steps between the labels that a traversal in where() begins and ends with."""
    calls = list(chain.calls)
    end: Object | None = None
    if calls[0].name == "as" and len(calls) > 1:
        (name,) = constant_names(calls.pop(0))
        inner.here = labelled(inner, name)
    if calls[-1].name == "as" and len(calls) > 1:
        (name,) = constant_names(calls.pop())
        end = labelled(inner, name)
        if end.kind not in (NODE, EDGE):
            raise refused("where()", "A value at its end.")
    return Chain(chain.root, tuple(calls), chain.place), end


def _infix(chain: Chain, name: str) -> list[Chain]:
    """`a.and().b` as the traversals that it joins."""
    parts: list[list[Call]] = [[]]
    for call in chain.calls:
        if call.name == name and not call.args:
            parts.append([])
        else:
            parts[-1].append(call)
    if len(parts) > 1 and not all(parts):
        raise refused(f"{name}()", "Nothing on one side of it.")
    return [Chain(chain.root, tuple(calls), chain.place) for calls in parts]


def has_result(reading: Reading, chain: Chain) -> ir.Expr:
    """Whether a traversal of the current object has a result."""
    for op in (ir.BoolOp.OR, ir.BoolOp.AND):
        parts = _infix(chain, str(op).lower())
        if len(parts) > 1:
            return ir.Bool(op, tuple(has_result(reading, each) for each in parts))
    inner = reading.inner()
    end: Object | None = None
    if reading.compares:
        chain, end = _ends_of(inner, chain)
    walk(inner, chain)
    if end is not None:
        last = current(inner, end.kind)
        inner.keep(definite(ir.Compare(ir.CompareOp.EQ, last.expr, end.expr)))
    if inner.here is not None and inner.here.kind == GROUP:
        return ir.Literal(True)  # a map, of nothing too
    if (counted := _count_test(inner)) is not None:
        return counted
    if not inner.clauses:
        here = inner.here
        if here is not None and (here.null or not here.nullable):
            return ir.Literal(True)
        raise refused("where()", "Whether this has a result.")
    first = inner.clauses[0]
    lone = len(inner.clauses) == 1 and isinstance(first, ir.Project) and first.where is not None
    if lone and isinstance(first, ir.Project) and first.where is not None and not first.order:
        return definite(first.where)
    return ir.Exists(ir.Query(tuple(inner.clauses)))


def _count_test(inner: Reading) -> ir.Expr | None:
    """The test of a number of results: `out().count().is(gt(2))`."""
    if not inner.clauses:
        return None
    *before, last = inner.clauses
    if not isinstance(last, ir.Project) or last.where is None or last.distinct:
        return None
    if len(last.items) != 1 or last.items[0].expr != ir.Agg("count") or not before:
        return None
    (item,) = last.items
    count = ir.CountOf(ir.Query(tuple(before)))

    def change(node: ir.Node) -> ir.Node:
        return count if node == ir.Var(item.alias) else node

    return rewrite(last.where, change)


def _connected(op: ir.BoolOp) -> Step:
    def make(reading: Reading, call: Call, _: list[Call]) -> None:
        chains = [a for a in call.args if isinstance(a, Chain)]
        if len(chains) < len(call.args) or not chains:
            raise refused(f"{call.name}()", "Its arguments are no traversals.")
        tests = tuple(has_result(reading, chain) for chain in chains)
        reading.keep(tests[0] if len(tests) == 1 else ir.Bool(op, tests))

    return make


def _not(reading: Reading, call: Call, _: list[Call]) -> None:
    (chain,) = call.args
    if not isinstance(chain, Chain):
        raise refused("not()", "Its argument is no traversal.")
    reading.keep(ir.Not(has_result(reading, chain)))


STEPS: dict[str, Step] = {
    "hasLabel": _has_label,
    "has": _has,
    "hasId": _has_id,
    "hasNot": _has_not,
    "is": _is,
    "where": _where,
    "filter": _where,
    "and": _connected(ir.BoolOp.AND),
    "or": _connected(ir.BoolOp.OR),
    "not": _not,
    **dict.fromkeys(("all", "any", "none"), _quantified),
    "discard": _discard,
    "simplePath": _paths(simple=True),
    "cyclicPath": _paths(simple=False),
}
