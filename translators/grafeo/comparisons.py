"""Equality as Cypher has it: grafeo takes '1' for 1, and an instant for the same at any offset.

`x >= ''` is true of texts in grafeo and null of all else, which tells them apart at run time where
types do not. Printed, two date-times of one instant differ by their offsets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from math import copysign, isfinite

from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction, conjuncts, from_zero, unused_names
from graph_ir.reference.folding import same_by_value
from graph_ir.walk import find, rewrite
from schemagraph.model import ANY, NUMERIC, TEMPORAL, Kind, SchemaGraph, Type
from translators.gql.emit.values import kind_of, nullable
from translators.grafeo.collections import (
    OFFSETS,
    SHORTENED,
    WITH_OFFSET,
    alike,
    doubtful_items,
    list_order,
    map_order,
    printed,
    prints,
    same_items,
    same_lists,
    same_maps,
    strict,
    wide_pair,
)
from translators.grafeo.primitives import (
    FAILS,
    FALSE,
    NULL,
    TRUE,
    both,
    case,
    either,
    equal,
    own,
)
from translators.grafeo.shared import property_kind

_INTEGER, _FLOAT, _BOOLEAN = Type(Kind.INTEGER), Type(Kind.FLOAT), Type(Kind.BOOLEAN)
_ZERO = ir.Literal(0)
_SIXTY = ir.Literal(60.0)
_LAST = ir.Literal(2**63 - 1)
_PAST = ir.Literal(2.0**63)
_SHORTENED = ir.Literal(SHORTENED)
_EMPTY = ir.Literal("")
_CLOCK = r"[0-9]{2}:[0-9:.]+(?:Z|[+-][0-9]{2}:[0-9]{2})"
_SPAN = r"-?P[-+0-9.DHMSTWY]+"
_LISTED, _MAPPED = r"(?s)\[.*", r"(?s)\{.*"
_HOLDS_NULL = r"(?s)[\[{](?:.*[\[, ])?NULL[,\]}].*"
_LOOKED_UP = NUMERIC | {Kind.STRING, Kind.ANY}
_EQUALITY = (ir.CompareOp.EQ, ir.CompareOp.NE)
_VALUES = (
    NUMERIC | TEMPORAL | {Kind.BOOLEAN, Kind.STRING, Kind.DURATION, Kind.LIST, Kind.MAP, Kind.POINT}
)


def exact_comparisons(statement: ir.Statement, schema: SchemaGraph | None) -> ir.Statement:
    """The statement with every comparison that grafeo would get wrong said otherwise."""
    free = unused_names(statement, "item")
    taken = unused_names(statement, "thing")
    own_tests: list[ir.Expr] = []
    grouping = (p for p in find(statement, ir.Project) if p.group is not None)
    grouped = [test for project in grouping for test in find(project, ir.Compare)]
    # Keys of groups hold no comprehension in GQL, so items of lists are not gone through there.

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.NodePattern() | ir.EdgePattern():
                tested, where = _tested(node, schema, free, taken)
                if node.where is None and where is not None:
                    own_tests.append(where)
                return tested
            case ir.Match():
                return _condition(_outside(node, own_tests))
            case ir.Project():
                return _condition(node)
            case ir.Compare():
                return _exact(node, free, int(node in grouped))
            case ir.In():
                return _membership(node, free)
            case ir.Neg():
                return from_zero(node)
            case ir.Case(operand=ir.Expr() as operand):
                if any(_differs(operand, when.condition) for when in node.whens):
                    whens = tuple(
                        replace(when, condition=_exact(equal(operand, when.condition), free))
                        for when in node.whens
                    )
                    return replace(node, operand=None, whens=whens)
            case ir.Call(name="nullIf", args=(first, second)):
                return case(
                    (_exact(equal(first, second), free), NULL), default=first, type=first.type
                )
        return node

    return rewrite(statement, change)


def _tested(
    node: ir.NodePattern | ir.EdgePattern,
    schema: SchemaGraph | None,
    free: Iterator[str],
    taken: Iterator[str],
) -> tuple[ir.NodePattern | ir.EdgePattern, ir.Expr | None]:
    """A pattern whose doubtful properties are tested in its WHERE, and that WHERE if it is new."""
    entries = node.props.entries if isinstance(node.props, ir.MapOf) else ()
    if not entries or (isinstance(node, ir.EdgePattern) and node.hops is not None):
        return node, None
    kept, tests, name = [], [], node.var or ""
    for entry in entries:
        kind = property_kind(schema, node, entry.key)
        doubtful = _doubtful(ir.Var("", type=kind), entry.value)
        apart = ends_meet(ir.Var("", type=kind), entry.value) is not None
        if not apart and (not doubtful or kind_of(entry.value) in _LOOKED_UP):
            kept.append(entry)  # grafeo looks it up; what it finds is looked at again
        if not doubtful and not apart:
            continue
        name = name or next(taken)
        value = ir.Prop(ir.Var(name, type=node.type), entry.key, type=kind)
        test = _exact(ir.Compare(ir.CompareOp.EQ, value, entry.value), free)
        tests.append(_as_condition(test))
    if not tests:
        return node, None
    props = ir.MapOf(tuple(kept)) if kept else None
    where = both(*tests, *(() if node.where is None else (node.where,)))
    return replace(node, var=name, props=props, where=where), where


def _outside(match: ir.Match, own_tests: Sequence[ir.Expr]) -> ir.Match:
    """The match with `own_tests` in its own WHERE: they keep no edge from coming first."""
    moved: list[ir.Expr] = []

    def bare(node: ir.NodePattern) -> ir.NodePattern:
        if not any(node.where is test for test in own_tests):
            return node
        moved.extend(() if node.where is None else (node.where,))
        return replace(node, where=None)

    paths = tuple(
        path
        if path.selector is not None
        else replace(
            path,
            head=bare(path.head),
            steps=tuple(replace(step, node=bare(step.node)) for step in path.steps),
        )
        for path in match.paths
    )
    if not moved:
        return match
    where = both(*moved, *(() if match.where is None else (match.where,)))
    return replace(match, paths=paths, where=where)


def _condition[Asks: (ir.Match, ir.Project)](node: Asks) -> Asks:
    tests = conjuncts(node.where)
    asked = [_as_condition(test) for test in tests]
    changed = any(one is not other for one, other in zip(tests, asked, strict=True))
    return replace(node, where=conjunction(*asked)) if changed else node


def _as_condition(test: ir.Expr) -> ir.Expr:
    """An equality of unknown values where null may be false: grafeo joins by `a = b AND …`."""
    match test:
        case ir.Case(operand=None, whens=(first, _, _), default=ir.Bool(ir.BoolOp.AND, args)) if (
            isinstance(args[0], ir.Compare)
            and any(call.name == "=~" for call in find(first.condition, ir.Call))
        ):
            return both(*args, ir.Not(ir.Call("coalesce", (first.condition, FALSE))))
    return test


def _doubtful(left: ir.Expr, right: ir.Expr) -> bool:
    """Whether grafeo may take these two for equal where Cypher does not."""
    kinds = {kind_of(left), kind_of(right)}
    if Kind.NULL in kinds:
        return False
    if same_items(left, right, equal) is not None:
        return True
    if kinds & {Kind.LIST, Kind.MAP} and _apart(kinds):
        return True
    if kinds & OFFSETS:
        if any(isinstance(side, ir.Call) and not side.args for side in (left, right)):
            return False  # the present moment, which is another each time it is asked
        return len(kinds) == 1 or Kind.ANY in kinds or kinds <= TEMPORAL
    if Kind.DATETIME in kinds:
        return Kind.ANY in kinds
    if Kind.STRING in kinds:
        texts = [side for side in (left, right) if kind_of(side) is Kind.STRING]
        plain = any(isinstance(text, ir.Literal) and not _spells(text.value) for text in texts)
        return bool(kinds & NUMERIC) or (Kind.ANY in kinds and not plain)
    if kinds == {Kind.LIST}:
        return doubtful_items(left, right)
    if kinds == {Kind.LIST, Kind.ANY}:
        return True
    return Kind.ANY in kinds and (kinds == {Kind.ANY} or bool(kinds & NUMERIC))


def _differs(left: ir.Expr, right: ir.Expr) -> bool:
    """Whether `left = right` is said otherwise."""
    constants = _of_constants(equal(left, right), inside=False) is not None
    return constants or _doubtful(left, right) or ends_meet(left, right) is not None


def _whole_and_real(left: ir.Expr, right: ir.Expr) -> tuple[ir.Expr, ir.Expr] | None:
    """An integer and a float that both may be beyond 2^53, of two sides that are such a pair."""
    if not wide_pair(left, right):
        return None
    return (left, right) if kind_of(left) is Kind.INTEGER else (right, left)


def ends_meet(left: ir.Expr, right: ir.Expr) -> ir.Expr | None:
    """Whether these are 2^63 - 1 and 2^63 as a float, which Neo4j has for equal; None where they
    surely are not."""
    pair = _whole_and_real(left, right)
    ends = (_LAST, _PAST)
    if pair is None or any(
        isinstance(side, ir.Literal) and side.value != end.value
        for side, end in zip(pair, ends, strict=True)
    ):
        return None
    return both(*(equal(side, end) for side, end in zip(pair, ends, strict=True)))


def _at_the_end(node: ir.Compare) -> ir.Expr:
    meets = ends_meet(node.left, node.right)
    if meets is None:
        return node
    same = either(replace(node, op=ir.CompareOp.EQ), meets)
    return same if node.op is ir.CompareOp.EQ else ir.Not(same)


def _of_wide(node: ir.Compare, test: ir.Expr) -> ir.Expr:
    """The order of an integer and a float: Neo4j compares with the shortest text of the float,
    which beyond 2^54 may be another number. Which of the two is less is then no guess of ours."""
    pair = _whole_and_real(node.left, node.right)
    if pair is None:
        return test
    whole, real = pair
    near = equal(own("toFloat", whole, kind=Kind.FLOAT), real)
    far = ir.Compare(ir.CompareOp.GE, own("abs", real, kind=Kind.FLOAT), _SHORTENED)
    return case((both(far, near), FAILS), default=test, type=_BOOLEAN)


def _spells(value: object) -> bool:
    """Whether a text could be a number's for grafeo."""
    try:
        float(str(value))
    except ValueError:
        return False
    return True


def _is_text(value: ir.Expr) -> ir.Expr:
    """True of a text, null of anything else."""
    return ir.Compare(ir.CompareOp.GE, value, _EMPTY)


def _apart(kinds: set[Kind]) -> bool:
    """Whether no value of one of these kinds equals one of the other, nor is less."""
    return kinds <= _VALUES and len(kinds - NUMERIC) + bool(kinds & NUMERIC) > 1


def _exact(
    node: ir.Compare, free: Iterator[str], depth: int = 0, *, inside: bool = False
) -> ir.Expr:
    """`depth` counts the lists of unknown items that the comparison is inside of; `inside` is
    whether it is inside of any."""
    if not depth and (known := _of_constants(node, inside=inside)) is not None:
        return known
    if node.op not in _EQUALITY:
        return _order(node, free, depth)
    if not _doubtful(node.left, node.right):
        return _at_the_end(node)
    same = _same(node, node.left, node.right, free, depth)
    return same if node.op is ir.CompareOp.EQ else ir.Not(same)


def _of_constants(node: ir.Compare, *, inside: bool) -> ir.Expr | None:
    """Two written numbers of which one is a float: Neo4j's planner has those for equal that are so
    as floats, and for neither less nor greater; `<=` and `>=`, and what is `inside` of lists, it
    compares by value, as everything at run time."""
    sides = [side.value for side in (node.left, node.right) if isinstance(side, ir.Literal)]
    numbers = [v for v in sides if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(numbers) < 2 or all(isinstance(number, int) for number in numbers):
        return None
    left, right = map(_value, numbers)
    if inside and left == right == 0:  # in lists -0.0 is less, as in an order
        left, right = (Decimal(int(copysign(1, number))) for number in numbers)
    same = same_by_value(*numbers) if inside else float(left) == float(right)
    holds = {
        ir.CompareOp.EQ: same,
        ir.CompareOp.NE: not same,
        ir.CompareOp.LT: left < right and (inside or not same),
        ir.CompareOp.LE: left <= right,
        ir.CompareOp.GT: left > right and (inside or not same),
        ir.CompareOp.GE: left >= right,
    }
    return ir.Literal(holds[node.op], type=_BOOLEAN)


def _value(number: float) -> float | Decimal:
    """A number that is compared exactly, a float as it is printed; infinities as they are."""
    return Decimal(str(number)) if isfinite(number) else number


def _same(
    node: ir.Compare, left: ir.Expr, right: ir.Expr, free: Iterator[str], depth: int
) -> ir.Expr:
    """`left = right` of Cypher."""
    a, b = kind_of(left), kind_of(right)
    items = same_items(left, right, lambda x, y: _exact(equal(x, y), free, depth, inside=True))
    if items is not None:
        return items
    plain = replace(node, op=ir.CompareOp.EQ)
    missing = [ir.IsNull(side) for side in (left, right) if nullable(side)]
    if _apart({a, b}):
        return case((either(*missing), NULL), default=FALSE) if missing else FALSE
    if {a, b} & (OFFSETS | {Kind.DATETIME}):
        return both(plain, equal(printed(left), printed(right)))
    if Kind.LIST in (a, b):
        return both(plain, alike(plain, left, right))
    if Kind.STRING in (a, b):
        other = left if b is Kind.STRING else right
        guard: ir.Expr = ir.Call(
            "coalesce", (_is_text(other), either(*missing) if missing else FALSE)
        )
    elif {a, b} & NUMERIC:
        other, number = (left, right) if b in NUMERIC else (right, left)
        unknown = [ir.IsNull(number)] if nullable(number) else []
        guard = either(ir.IsNull(_is_text(other)), *unknown)
    else:
        texts = (ir.Call("coalesce", (_is_text(side), FALSE)) for side in (left, right))
        guard = both(equal(*texts), alike(plain, left, right))
        plainly = both(plain, either(guard, *missing))
        gathers = both(*map(_gathers, (left, right)), ir.IsNull(_is_text(left)))
        holding = either(*map(_holds_null, (left, right)))
        if depth:
            unlike = case((plain, NULL), default=FAILS)
            return case((both(gathers, holding), unlike), default=plainly, type=Type(Kind.BOOLEAN))

        def inside(x: ir.Expr, y: ir.Expr) -> ir.Expr:
            return _exact(equal(x, y), free, 1)

        lists = both(*(prints(side, _LISTED) for side in (left, right)))
        maps = both(*(prints(side, _MAPPED) for side in (left, right)))
        return case(
            (both(gathers, holding, plain), NULL),
            (both(gathers, holding, lists), same_lists(left, right, free, inside)),
            (both(gathers, holding, maps), same_maps(left, right, free, inside)),
            default=plainly,
            type=Type(Kind.BOOLEAN),
        )
    return both(plain, guard)


def _holds_null(value: ir.Expr) -> ir.Expr:
    """Whether a list or a map holds null, as it is printed."""
    return prints(value, _HOLDS_NULL)


def _has_offset(value: ir.Expr) -> ir.Expr:
    """Whether a value prints as a time with an offset does."""
    return prints(value, WITH_OFFSET)


def _order(node: ir.Compare, free: Iterator[str], depth: int) -> ir.Expr:
    kinds = {kind_of(node.left), kind_of(node.right)}
    if kinds == {Kind.BOOLEAN}:
        return _of_booleans(node)
    if kinds == {Kind.DURATION}:
        # Durations have no order, but each is as long as itself.
        if node.op in (ir.CompareOp.LE, ir.CompareOp.GE):
            return case((equal(node.left, node.right), ir.Literal(True)), default=NULL)
        return node
    if kinds == {Kind.ZONED_DATETIME} and _doubtful(node.left, node.right):
        return _of_instants(node)
    if kinds == {Kind.ZONED_TIME} and _doubtful(node.left, node.right):
        return _of_times(node)
    if _apart(kinds):
        return replace(NULL, type=Type(Kind.BOOLEAN))
    if kinds == {Kind.LIST}:
        return _of_lists(node, free, depth)
    if kinds == {Kind.MAP}:
        return _of_lists(node, free, depth + 1, maps=True)
    if Kind.ANY in kinds and kinds <= NUMERIC | {Kind.ANY, Kind.STRING}:
        return _of_unknown(node, free, depth)
    return _of_wide(node, _of_zeros(node))


def _of_zeros(node: ir.Compare) -> ir.Expr:
    """The order of two numbers where -0.0 is less than 0, whose reciprocals tell them apart.

    Both are 0 for grafeo. Where neither can be -0.0, or one is another number, nothing changes.
    """
    way = strict(node.op)
    if node.op is not way:
        way = ir.CompareOp.GT if way is ir.CompareOp.LT else ir.CompareOp.LT
    apart = _zeros_apart(replace(node, op=way))
    if apart is None:
        return node
    if Kind.ANY in map(kind_of, (node.left, node.right)):
        apart = ir.Call("coalesce", (apart, FALSE), type=_BOOLEAN)
    return either(node, apart) if node.op is strict(node.op) else both(node, ir.Not(apart))


def orders_zeros(node: ir.Compare) -> bool:
    """Whether an order is another one where -0.0 is not less than 0."""
    return node.op not in _EQUALITY and _of_zeros(node) is not node


def _zeros_apart(node: ir.Compare) -> ir.Expr | None:
    """Whether both sides are zeros in this order (`<` or `>`); None where they surely are not."""
    sides = (node.left, node.right)
    if not all(kind_of(side) in NUMERIC | {Kind.ANY} for side in sides):
        return None
    if any(isinstance(side, ir.Literal) and side.value != 0 for side in sides):
        return None
    beyond = [_reciprocal(side) for side in sides]
    if all(isinstance(side, ir.Literal) for side in beyond) or _is_never(node.op, *beyond):
        return None
    zeros = [equal(side, _ZERO) for side in sides if not isinstance(side, ir.Literal)]
    return both(*zeros, ir.Compare(node.op, *beyond))


def _reciprocal(zero: ir.Expr) -> ir.Expr:
    """What is less than 0 of -0.0, and more than 0 of 0.0; 0 of the integer, which has no sign."""
    positive = isinstance(zero, ir.Literal) and str(zero.value) != "-0.0"
    if kind_of(zero) is Kind.INTEGER or positive:
        return _ZERO
    return ir.Arith(ir.ArithOp.DIV, ir.Literal(1.0), replace(zero, type=_FLOAT), type=_FLOAT)


def _is_never(way: ir.CompareOp, left: ir.Expr, right: ir.Expr) -> bool:
    """Whether no -0.0 can make `left way right` true: it would have to be on the other side."""
    return (left if way is ir.CompareOp.LT else right) == _ZERO


def _of_lists(node: ir.Compare, free: Iterator[str], depth: int, *, maps: bool = False) -> ir.Expr:
    def same(x: ir.Expr, y: ir.Expr) -> ir.Expr:
        ends = [ir.Compare(op, x, y) for op in (ir.CompareOp.LE, ir.CompareOp.GE)]
        if _of_constants(ends[0], inside=True) is None:
            ends = [equal(x, y)]  # of constants, 2^63 - 1 and 2.0^63 are equal, and yet one is less
        test = both(*(_exact(each, free, depth, inside=True) for each in ends))
        apart = [_zeros_apart(ir.Compare(op, x, y)) for op in (ir.CompareOp.LT, ir.CompareOp.GT)]
        unlike = [ir.Not(ir.Call("coalesce", (a, FALSE))) for a in apart if a is not None]
        return both(test, *unlike) if unlike else test

    def less(x: ir.Expr, y: ir.Expr) -> ir.Expr:
        return _exact(ir.Compare(strict(node.op), x, y), free, depth, inside=True)

    return (map_order if maps else list_order)(node, free, same, less)


def _of_booleans(node: ir.Compare) -> ir.Expr:
    """False is less than true; grafeo has no order of them."""
    low, high = node.left, node.right
    if node.op in (ir.CompareOp.GT, ir.CompareOp.GE):
        low, high = high, low
    strict = node.op in (ir.CompareOp.LT, ir.CompareOp.GT)
    test = both(ir.Not(low), high) if strict else either(ir.Not(low), high)
    missing = [ir.IsNull(side) for side in (low, high) if nullable(side)]
    return case((either(*missing), NULL), default=test) if missing else test


def _of_instants(node: ir.Compare) -> ir.Expr:
    """Of one instant, the date-time with the smaller offset is less, and so is its text."""
    way = strict(node.op)
    tie = replace(node, left=printed(node.left), right=printed(node.right))
    apart = replace(node, op=way)
    return either(apart, both(replace(node, op=ir.CompareOp.EQ), tie))


def _of_times(node: ir.Compare) -> ir.Expr:
    """Times with offsets, which are as late as their instants of one day are."""
    way = strict(node.op)
    seconds = [utc_seconds(side) for side in (node.left, node.right)]
    tie = replace(node, left=printed(node.left), right=printed(node.right))
    return either(ir.Compare(way, *seconds), both(equal(*seconds), tie))


def utc_seconds(value: ir.Expr) -> ir.Expr:
    """The seconds from midnight to a time with an offset, less the offset, as a float."""
    text = printed(value)
    utc = ir.Text(ir.TextOp.ENDS, text, ir.Literal("Z"))
    length = own("size", text, kind=Kind.INTEGER)
    end = case((utc, ir.Literal(1)), default=ir.Literal(6), type=_INTEGER)
    clock = own("left", text, _arith("-", length, end))

    def number(of: ir.Expr, first: int, count: int | None = 2) -> ir.Expr:
        places = [ir.Literal(first), *([] if count is None else [ir.Literal(count)])]
        return own("toFloat", own("substring", of, *places), kind=Kind.FLOAT)

    zone = own("right", text, ir.Literal(5))
    minutes = _arith("+", _arith("*", number(zone, 0), _SIXTY), number(zone, 3))
    sign = own("substring", text, _arith("-", length, ir.Literal(6)), ir.Literal(1))
    west = ir.Neg(minutes, type=_FLOAT)
    east = case((equal(sign, ir.Literal("+")), minutes), default=west, type=_FLOAT)
    offset = case((utc, ir.Literal(0.0)), default=_arith("*", east, _SIXTY), type=_FLOAT)
    hours = _arith("*", number(clock, 0), ir.Literal(3600.0))
    of_minutes = _arith("*", number(clock, 3), _SIXTY)
    return _arith("-", _arith("+", _arith("+", hours, of_minutes), number(clock, 6, None)), offset)


def _arith(operator: str, left: ir.Expr, right: ir.Expr) -> ir.Arith:
    return ir.Arith(ir.ArithOp(operator), left, right, type=_FLOAT)


def _of_unknown(node: ir.Compare, free: Iterator[str], depth: int) -> ir.Expr:
    """A text and a number have no order; what two unknown values are is asked at run time."""
    left, right = node.left, node.right
    literal = next((s for s in (left, right) if isinstance(s, ir.Literal)), None)
    other = right if literal is left else left
    if literal is not None and kind_of(literal) is Kind.STRING:
        if not _spells(literal.value):
            return node
        return case((_is_text(other), node), default=NULL)
    if literal is not None:
        return case((ir.IsNull(_is_text(other)), _of_zeros(node)), default=NULL)
    texts = [ir.Call("coalesce", (_is_text(side), FALSE)) for side in (left, right)]
    if {kind_of(left), kind_of(right)} != {Kind.ANY}:
        return case((equal(*texts), _of_zeros(node)), default=NULL)
    lists = FAILS if depth else _of_lists(node, free, depth + 1)
    maps = FAILS if depth else _of_lists(node, free, depth + 1, maps=True)
    return case(
        (ir.Compare(ir.CompareOp.NE, *texts), NULL),
        (texts[0], node),
        (both(*(prints(side, _LISTED) for side in (left, right))), lists),
        (both(*(prints(side, _MAPPED) for side in (left, right))), maps),
        (both(*map(_is_boolean, (left, right))), _of_booleans(node)),
        (either(*map(_gathers, (left, right)), *map(_is_boolean, (left, right))), NULL),
        *_of_equal_durations(node),
        (both(*(prints(side, _CLOCK) for side in (left, right))), _of_times(node)),
        (ir.Compare(ir.CompareOp.NE, *map(_has_offset, (left, right))), NULL),
        (_has_offset(left), _of_instants(node)),
        default=_of_zeros(node),
        type=Type(Kind.BOOLEAN),
    )


def _of_equal_durations(node: ir.Compare) -> Iterator[tuple[ir.Expr, ir.Expr]]:
    """Durations have no order, and yet `<=` and `>=` of equal ones are true."""
    if node.op in (ir.CompareOp.LE, ir.CompareOp.GE):
        sides = (node.left, node.right)
        yield both(*(prints(side, _SPAN) for side in sides), equal(*sides)), TRUE


def _gathers(value: ir.Expr) -> ir.Expr:
    """Whether a value that is no text is a list or a map."""
    return prints(value, r"(?s)[\[{].*")


def _is_boolean(value: ir.Expr) -> ir.Expr:
    return either(equal(value, TRUE), equal(value, FALSE))


def _membership(node: ir.In, free: Iterator[str]) -> ir.Expr:
    listed = node.list
    if isinstance(listed, ir.ListOf):
        if not any(_differs(node.item, item) for item in listed.items):
            return node
        tests = (_exact(equal(node.item, item), free, inside=True) for item in listed.items)
        return either(*tests)
    if listed.type.kind is Kind.ANY:  # of what is no list Neo4j makes one
        is_list = both(ir.IsNull(_is_text(listed)), prints(listed, _LISTED))
        return case((ir.IsNull(listed), NULL), (is_list, node), default=FAILS, type=_BOOLEAN)
    if listed.type.kind is not Kind.LIST:
        return node
    item = ir.Var(next(free), type=listed.type.item or ANY)
    if not _differs(node.item, item):
        return node
    return ir.Quantifier(
        ir.QuantifierKind.ANY,
        item.name,
        listed,
        _exact(equal(node.item, item), free),
        span=node.span,
    )
