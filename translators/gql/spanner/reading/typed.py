"""What a text of Spanner's GQL says, once the types of its values are known.

The inverse of what `translators.gql.spanner` writes, or an exact rewriting; what would be another
value in Cypher is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product

from graph_ir import nodes as ir
from graph_ir.walk import rewrite
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.gql.emit.uniqueness import can_repeat_edge, edges_of, overlap
from translators.gql.emit.values import kind_of, nullable
from translators.gql.spanner.reading.coercion import MOMENTS, as_float, is_sum, without_zone
from translators.gql.spanner.reading.functions import OPEN
from translators.gql.spanner.reading.instants import at_offset
from translators.gql.spanner.types import offset_of

_DAY_PARTS = frozenset(
    ("year", "month", "day", "quarter", "week", "weekYear", "ordinalDay", "dayOfWeek")
)
_IN_EVERY_ZONE = frozenset(("epochMillis", "epochSeconds", "microsecond", "millisecond"))
_CASTS = {
    "toBoolean": {Kind.BOOLEAN},
    "toFloat": {Kind.INTEGER, Kind.FLOAT},
    "toInteger": {Kind.INTEGER, Kind.BOOLEAN},
    "toString": {Kind.STRING, Kind.INTEGER, Kind.BOOLEAN, Kind.DATE},
    "date": {Kind.DATE},
}


def tested(statement: ir.Statement) -> ir.Statement:
    """`statement` with comparisons of STRPOS as the test for which they stand."""

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Compare(op, ir.Call(name="spanner.position", args=(text, part)), ir.Literal(0)):
                test = ir.Text(ir.TextOp.CONTAINS, text, part, span=node.span)
                if op in (ir.CompareOp.GT, ir.CompareOp.NE):
                    return test
                if op in (ir.CompareOp.EQ, ir.CompareOp.LE):
                    return ir.Not(test, span=node.span)
        return node

    return rewrite(statement, change)


def decided(statement: ir.Statement) -> ir.Statement:
    """`statement`, bound, without the calls that the reader left open.

    Raises:
        Refused: what a text says is another value in Cypher, or its types are not known.
    """
    return rewrite(statement, _decided)


def _decided(node: ir.Node) -> ir.Node:
    match node:
        case ir.Call(name=name) if name.startswith(OPEN):
            kind, _, detail = name.removeprefix(OPEN).partition(":")
            if kind not in _OPEN:
                raise Refused(
                    "gql-function",
                    kind.upper(),
                    "It stands where Graph-IR has no form of it.",
                    node.span,
                )
            return _OPEN[kind](node, detail)
        case ir.Compare(op, left, right):
            first, second = _moments(left, right), _moments(right, left)
            same = first is left and second is right
            return node if same else ir.Compare(op, first, second, span=node.span)
        case ir.In(item, ir.ListOf(items) as listed):
            among = tuple(_moments(each, item) for each in items)
            if all(one is other for one, other in zip(among, items, strict=True)):
                return node
            return replace(node, list=replace(listed, items=among))
        case ir.Call(name="coalesce", args=(ir.Case() as case, ir.ListOf(()))):
            return _collected(case) or node
        case ir.Case((ir.When(ir.IsNull(listed, True), test),), None, None):
            return _member_of(listed, test) or node
        case ir.Arith(ir.ArithOp.ADD, ir.Arith(ir.ArithOp.MOD) as days, ir.Literal(1)):
            return _monday_first(days) or node
        case ir.Match():
            return _different_edges(replace(node, where=_asked(node.where)))
        case ir.Project():
            return replace(node, where=_asked(node.where))
    return node


def _kept(node: ir.Call, _detail: str) -> ir.Expr:
    (value,) = node.args
    if nullable(value):
        raise Refused(
            "array-nulls",
            "ARRAY_AGG",
            "Nulls are kept, which collect() drops: write IGNORE NULLS.",
            node.span,
        )
    return value


def _members(node: ir.Call, _detail: str) -> ir.Expr:
    (listed,) = node.args
    if not nullable(listed):
        return listed
    return ir.Call("coalesce", (listed, ir.ListOf(())), span=node.span)


def _asked(where: ir.Expr | None) -> ir.Expr | None:
    """A condition, in which null is as good as false."""
    match where:
        case ir.Bool(ir.BoolOp.AND | ir.BoolOp.OR, parts):
            return replace(where, args=tuple(part for each in parts if (part := _asked(each))))
        case ir.In(_, ir.Call(name="coalesce", args=(listed, ir.ListOf(())))):
            return replace(where, list=listed)
    return where


def _member_of(listed: ir.Expr, result: ir.Expr) -> ir.Expr | None:
    """`CASE WHEN list IS NOT NULL THEN x IN UNNEST(list) END` is `x IN list`, and so are
    other results that are null where the list is."""
    sure = ir.Call("coalesce", (listed, ir.ListOf(())))
    match result:
        case ir.Not(ir.In(_, of) as member) if of == sure:
            return replace(result, arg=replace(member, list=listed))
        case ir.In(_, of) | ir.ListComp(list=of) if of == sure:
            return replace(result, list=listed)
    return None


def _monday_first(days: ir.Arith) -> ir.Expr | None:
    """`MOD(EXTRACT(DAYOFWEEK FROM x) + 5, 7) + 1` counts the days of the week from Monday."""
    match days:
        case ir.Arith(
            left=ir.Arith(ir.ArithOp.ADD, ir.Arith(left=ir.Arith(left=part)) as sunday, five),
            right=ir.Literal(7),
        ) if five == ir.Literal(5) and isinstance(part, ir.Prop) and part.key == "dayOfWeek":
            return part if sunday == _from_sunday(part) else None
    return None


def _from_sunday(part: ir.Expr) -> ir.Expr:
    rest = ir.Arith(ir.ArithOp.MOD, part, ir.Literal(7), span=part.span)
    return ir.Arith(ir.ArithOp.ADD, rest, ir.Literal(1), span=part.span)


def _quotient(node: ir.Call, _detail: str) -> ir.Expr:
    """`/` of GoogleSQL is that of FLOAT64."""
    left, right = node.args
    of_nothing = is_sum(left) and kind_of(right) is Kind.INTEGER  # 0, whatever divides it
    if not (of_nothing or _is_float(left) or _is_float(right)):
        left = as_float(left)
    return ir.Arith(ir.ArithOp.DIV, left, right, span=node.span)


def _is_float(node: ir.Expr) -> bool:
    """Whether it is a float in every row."""
    return kind_of(node) is Kind.FLOAT and not node.type.mixed


def _whole_quotient(node: ir.Call, _detail: str) -> ir.Expr:
    if any(kind_of(side) is not Kind.INTEGER for side in node.args):
        raise Refused("integer-division", "DIV()", "These may be no integers.", node.span)
    return ir.Arith(ir.ArithOp.DIV, *node.args, span=node.span)


def _cast(node: ir.Call, name: str) -> ir.Expr:
    (value,) = node.args
    constant = isinstance(value, ir.Literal) and isinstance(value.value, str)
    if kind_of(value) not in _CASTS[name] and not (constant and name == "date"):
        raise Refused(
            "cast",
            "CAST",
            f"Of a {kind_of(value)} it is another value, or an error, where {name}() is none.",
            node.span,
        )
    return ir.Call(name, node.args, span=node.span)


def _sign(node: ir.Call, _detail: str) -> ir.Expr:
    if kind_of(node.args[0]) is not Kind.INTEGER:
        raise Refused("gql-function", "SIGN()", "Of a float it is a float.", node.span)
    return ir.Call("sign", node.args, span=node.span)


def _truncated(node: ir.Call, _detail: str) -> ir.Expr:
    return ir.Call("toInteger", node.args, span=node.span)


_ALL_WHOLE = 2.0**52
"""From it on, floats have no fraction."""


def _rounded(node: ir.Call, _detail: str) -> ir.Expr:
    """ROUND is a FLOAT64, of halves away from zero; round() of Cypher goes up, to 64 bits."""
    (value,) = node.args
    match kind_of(value):
        case Kind.INTEGER:
            return ir.Call("toFloat", node.args, span=node.span)
        case Kind.FLOAT if not value.type.mixed:
            below = ir.Compare(ir.CompareOp.LT, value, ir.Literal(0))
            down = ir.Neg(ir.Call("round", (ir.Neg(value),)))
            small = ir.Compare(ir.CompareOp.LT, ir.Call("abs", (value,)), ir.Literal(_ALL_WHOLE))
            rounded = ir.Call("round", (value,))
            whens = (
                ir.When(ir.Bool(ir.BoolOp.AND, (small, below)), down),
                ir.When(small, rounded),
            )
            return ir.Case(whens, value, span=node.span)
    raise Refused("round", "ROUND()", "Whether this is an integer is not known.", node.span)


def _extreme(node: ir.Call, symbol: str) -> ir.Expr:
    """GREATEST or LEAST of two: null where one is."""
    kinds = {kind_of(arg) for arg in node.args}
    if len(node.args) != 2 or len(kinds) > 1 or not kinds <= {Kind.INTEGER, Kind.DATE}:
        name = "GREATEST()" if symbol == ">" else "LEAST()"
        raise Refused("gql-function", name, "It is read of two INT64 or two DATE.", node.span)
    left, right = node.args
    first, second = ir.CompareOp(f"{symbol}="), ir.CompareOp(symbol)
    whens = (
        ir.When(ir.Compare(first, left, right), left),
        ir.When(ir.Compare(second, right, left), right),
    )
    return ir.Case(whens, span=node.span)


def _day(node: ir.Call, zone: str) -> ir.Expr:
    value = at_offset(node.args[0], zone)
    _check_zone(value, zone, node)
    return ir.Call("date", (value,), span=node.span)


def _part(node: ir.Call, detail: str) -> ir.Expr:
    name, _, zone = detail.partition(":")
    (value,) = node.args
    if name not in _IN_EVERY_ZONE and (kind_of(value) is not Kind.DATE or name not in _DAY_PARTS):
        if not zone:
            raise Refused(
                "time-zone", "EXTRACT", "Parts of a moment are read AT TIME ZONE 'UTC'.", node.span
            )
        value = at_offset(value, zone)
        _check_zone(value, zone, node)
    part = ir.Prop(value, name, span=node.span)
    # 1 is Sunday for EXTRACT, Monday for Cypher.
    return _from_sunday(part) if name == "dayOfWeek" else part


def _check_zone(value: ir.Expr, zone: str, node: ir.Call) -> None:
    """Cypher reads the parts of a moment in the offset with which it is stored."""
    own = "UTC" if kind_of(value) is Kind.DATETIME else offset_of(value)
    if own != zone:
        raise Refused(
            "stored-offset",
            "AT TIME ZONE",
            "Cypher reads parts in the offset of the stored moment.",
            node.span,
        )


_OPEN: dict[str, Callable[[ir.Call, str], ir.Expr]] = {
    "cast": _cast,
    "day": _day,
    "div": _whole_quotient,
    "extreme": _extreme,
    "kept": _kept,
    "members": _members,
    "part": _part,
    "quotient": _quotient,
    "rounded": _rounded,
    "sign": _sign,
    "truncated": _truncated,
}


def _moments(value: ir.Expr, other: ir.Expr) -> ir.Expr:
    """A constant moment as one without zone, where it is compared with such ones.

    A date-time without a zone is stored as the instant in UTC.

    Raises:
        Refused: moments with a zone and without are compared that are no constants in UTC.
    """
    if {kind_of(value), kind_of(other)} != MOMENTS or kind_of(value) is Kind.DATETIME:
        return value
    local = without_zone(value)
    if local is not value:
        return local
    raise Refused(
        "stored-offset", "TIMESTAMP", "Moments with a zone and without are compared.", value.span
    )


def _collected(case: ir.Case) -> ir.Expr | None:
    """`COALESCE(ARRAY_AGG(x IGNORE NULLS), [])` is collect(x)."""
    match case:
        case ir.Case((ir.When(ir.Compare(ir.CompareOp.EQ, agg, ir.ListOf(())), ir.Literal(None)),)):
            return agg if agg == case.default and isinstance(agg, ir.Agg) else None
    return None


def _different_edges(match: ir.Match) -> ir.Match:
    """A MATCH as Cypher has it, whose text keeps edges apart or whose types do."""
    if match.mode is not ir.MatchMode.REPEATABLE:
        return match
    if any(
        path.selector is not None
        or path.mode not in (None, ir.PathMode.TRAIL)
        or (path.mode is None and can_repeat_edge((path,)))
        for path in match.paths
    ):
        return match
    tests = _conjuncts(match.where)
    needless: list[ir.Expr] = []
    for path, other_path in combinations(match.paths, 2):
        for one, other in product(edges_of(path), edges_of(other_path)):
            if overlap(one, other):
                test = _unequal(tests, one, other)
                if test is None:
                    return match
                needless.append(test)
    left = tuple(test for test in tests if test not in needless)
    where = None if not left else left[0] if len(left) == 1 else ir.Bool(ir.BoolOp.AND, left)
    paths = tuple(replace(path, mode=None) if path.mode else path for path in match.paths)
    return replace(match, paths=paths, where=where, mode=ir.MatchMode.DIFFERENT_EDGES)


def _conjuncts(where: ir.Expr | None) -> list[ir.Expr]:
    if isinstance(where, ir.Bool) and where.op is ir.BoolOp.AND:
        return [*where.args]
    return [] if where is None else [where]


def _unequal(tests: list[ir.Expr], one: ir.EdgePattern, other: ir.EdgePattern) -> ir.Expr | None:
    for first, second in ((one.var, other.var), (other.var, one.var)):
        if first and second and one.hops is None and other.hops is None:
            test = ir.Compare(ir.CompareOp.NE, ir.Var(first), ir.Var(second))
            if test in tests:
                return test
    return None
