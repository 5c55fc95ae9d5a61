"""Expressions as Python functions of a row."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from typing import Any

from graph_ir import nodes as ir
from graph_ir.temporal.arithmetic import component, plus, product, sum_of
from graph_ir.temporal.values import Moment, Span, TemporalError
from graph_ir.types import component_key
from qa.mutation.interpreter.elements import EdgeValue, MemoryGraph, NodeValue
from qa.mutation.interpreter.functions import KINDS, coalesce, null_if, strict, to_string
from qa.mutation.interpreter.values import Fault, Unsupported, conjunction, equals, is_number, less
from schemagraph.model import Kind

type Env = dict[str, Any]
type Fn = Callable[[Env], Any]

_LARGEST = 2**63
_TEMPORAL = frozenset({*KINDS, "duration"})
"""Functions that make a moment or a span; of constants they are constants."""


_ELEMENTS = (NodeValue, EdgeValue)


class TooMuch(Exception):
    """The query needs more steps than the caller allows."""


class Machine:
    """What compiled functions share: the graph that they run on, and the steps that are left.

    `conditions` are compiled once: whether patterns stand in them, the variables that they name,
    the test.
    """

    def __init__(self) -> None:
        self.graph: MemoryGraph = None  # type: ignore[assignment] # set before each run
        self.left = 0
        self.open = False
        self.conditions: dict[ir.Expr, tuple[bool, frozenset[str], Callable[[Env], bool]]] = {}

    def step(self) -> None:
        """Count one step.

        Raises:
            TooMuch: none is left.
        """
        self.left -= 1
        if self.left < 0:
            raise TooMuch


class Expressions:
    """One method for each kind of expression; patterns and subqueries come from derived classes."""

    def __init__(self) -> None:
        self.machine = Machine()

    def expr(self, node: ir.Expr) -> Fn:
        """The function of an expression.

        Raises:
            Unsupported: it is not said here.
        """
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise Unsupported(type(node).__name__)
        compiled: Fn = method(node)
        return compiled

    def truth(self, node: ir.Expr) -> Callable[[Env], bool]:
        """Whether a condition is true, not false or null."""
        of = self.expr(node)
        match node:
            case ir.Compare(op, ir.Prop(ir.Var(name), key), ir.Literal(constant)) if (
                type(constant) in _COMPARED
            ):
                return _of_kind(name, key, _OPERATORS[op], constant, of)
        return lambda env: of(env) is True

    def _var(self, node: ir.Var) -> Fn:
        name = node.name
        return lambda env: env[name]

    def _literal(self, node: ir.Literal) -> Fn:
        value = node.value
        return lambda env: value

    def _prop(self, node: ir.Prop) -> Fn:
        key = node.key
        if isinstance(node.base, ir.Var):
            name = node.base.name

            def of_variable(env: Env) -> Any:
                value = env[name]
                return value.props.get(key) if isinstance(value, _ELEMENTS) else _entry(value, key)

            return of_variable
        base = self.expr(node.base)

        def get(env: Env) -> Any:
            value = base(env)
            return value.props.get(key) if isinstance(value, _ELEMENTS) else _entry(value, key)

        return get

    def _compare(self, node: ir.Compare) -> Fn:
        a, b = self.expr(node.left), self.expr(node.right)
        match node.op:
            case ir.CompareOp.EQ if isinstance(node.right, ir.Literal):
                value = node.right.value
                return lambda env: equals(a(env), value)
            case ir.CompareOp.EQ:
                return lambda env: equals(a(env), b(env))
            case ir.CompareOp.NE:
                return lambda env: _not(equals(a(env), b(env)))
            case ir.CompareOp.LT:
                return lambda env: less(a(env), b(env), also_equal=False)
            case ir.CompareOp.LE:
                return lambda env: less(a(env), b(env), also_equal=True)
            case ir.CompareOp.GT:
                return lambda env: less(b(env), a(env), also_equal=False)
        return lambda env: less(b(env), a(env), also_equal=True)

    def _bool(self, node: ir.Bool) -> Fn:
        args = [self.expr(arg) for arg in node.args]
        if node.op is ir.BoolOp.AND:
            return lambda env: conjunction([_truth(arg(env)) for arg in args])
        if node.op is ir.BoolOp.OR:
            return lambda env: _not(conjunction([_not(_truth(arg(env))) for arg in args]))

        def xor(env: Env) -> bool | None:
            values = [_truth(arg(env)) for arg in args]
            return None if None in values else sum(map(bool, values)) % 2 == 1

        return xor

    def _not(self, node: ir.Not) -> Fn:
        arg = self.expr(node.arg)
        return lambda env: _not(_truth(arg(env)))

    def _isnull(self, node: ir.IsNull) -> Fn:
        arg = self.expr(node.arg)
        if node.negated:
            return lambda env: arg(env) is not None
        return lambda env: arg(env) is None

    def _text(self, node: ir.Text) -> Fn:
        a, b = self.expr(node.left), self.expr(node.right)
        test: Callable[[str, str], bool]
        match node.op:
            case ir.TextOp.STARTS:
                test = str.startswith
            case ir.TextOp.ENDS:
                test = str.endswith
            case ir.TextOp.CONTAINS:
                test = str.__contains__
            case _:
                test = _regex

        def call(env: Env) -> bool | None:
            left, right = a(env), b(env)
            if not (isinstance(left, str) and isinstance(right, str)):
                return None
            return test(left, right)

        return call

    def _in(self, node: ir.In) -> Fn:
        item, listed = self.expr(node.item), self.expr(node.list)

        def call(env: Env) -> bool | None:
            values = listed(env)
            if values is None:
                return None
            value = item(env)
            matches = [equals(value, each) for each in values]
            return _not(conjunction([_not(each) for each in matches]))

        return call

    def _labeltest(self, node: ir.LabelTest) -> Fn:
        arg, test = self.expr(node.arg), label_test(node.labels)

        def call(env: Env) -> bool | None:
            value = arg(env)
            return None if value is None else test(_labels(value))

        return call

    def _arith(self, node: ir.Arith) -> Fn:
        a, b, op = self.expr(node.left), self.expr(node.right), node.op
        return lambda env: arithmetic(op, a(env), b(env))

    def _neg(self, node: ir.Neg) -> Fn:
        arg = self.expr(node.arg)

        def call(env: Env) -> Any:
            value = arg(env)
            if value is None or is_number(value):
                return None if value is None else -value
            raise Unsupported("minus of no number")

        return call

    def _call(self, node: ir.Call) -> Fn:
        args = [self.expr(arg) for arg in node.args]
        if node.name == "coalesce":
            return lambda env: coalesce([arg(env) for arg in args])
        if node.name == "nullIf":
            return lambda env: null_if([arg(env) for arg in args])
        if node.name == "exists":
            return lambda env: args[0](env) is not None
        of = strict(node.name, len(args))
        if node.name in _TEMPORAL and args and all(isinstance(a, ir.Literal) for a in node.args):
            try:
                value = of([arg({}) for arg in args])
            except (Fault, Unsupported):
                pass  # it is one where a row asks for it
            else:
                return lambda env: value
        return lambda env: of([arg(env) for arg in args])

    def _case(self, node: ir.Case) -> Fn:
        whens = [(self.expr(each.condition), self.expr(each.result)) for each in node.whens]
        default = self.expr(node.default or ir.Literal(None))
        operand = self.expr(node.operand) if node.operand is not None else None

        def call(env: Env) -> Any:
            value = operand(env) if operand else None
            for condition, result in whens:
                tested = condition(env)
                if (equals(value, tested) if operand else tested) is True:
                    return result(env)
            return default(env)

        return call

    def _listof(self, node: ir.ListOf) -> Fn:
        items = [self.expr(item) for item in node.items]
        return lambda env: [item(env) for item in items]

    def _mapof(self, node: ir.MapOf) -> Fn:
        entries = [(entry.key, self.expr(entry.value)) for entry in node.entries]
        return lambda env: {key: value(env) for key, value in entries}

    def _mapprojection(self, node: ir.MapProjection) -> Fn:
        base = self.expr(node.base)
        entries = [(entry.key, self.expr(entry.value)) for entry in node.entries]

        def call(env: Env) -> Any:
            value = base(env)
            if value is None:
                return None
            own = value if isinstance(value, dict) else value.props
            shown = dict(own) if node.all_properties else {}
            return {**shown, **{key: of(env) for key, of in entries}}

        return call

    def _index(self, node: ir.Index) -> Fn:
        base, index = self.expr(node.base), self.expr(node.index)

        def call(env: Env) -> Any:
            value, at = base(env), index(env)
            if value is None or at is None:
                return None
            if isinstance(value, list) and isinstance(at, int) and not isinstance(at, bool):
                return value[at] if -len(value) <= at < len(value) else None
            if isinstance(value, NodeValue | EdgeValue) and isinstance(at, str):
                return value.props.get(at)
            if isinstance(value, dict) and isinstance(at, str):
                return value.get(at)
            raise Fault("an index of no list")

        return call

    def _slice(self, node: ir.Slice) -> Fn:
        base = self.expr(node.base)
        lo = self.expr(node.lo) if node.lo is not None else None
        hi = self.expr(node.hi) if node.hi is not None else None

        def call(env: Env) -> Any:
            value = base(env)
            ends = [end(env) if end else None for end in (lo, hi)]
            if value is None or (lo and ends[0] is None) or (hi and ends[1] is None):
                return None
            return value[ends[0] : ends[1]]

        return call

    def _listcomp(self, node: ir.ListComp) -> Fn:
        listed, name = self.expr(node.list), node.var
        where = self.truth(node.where) if node.where is not None else None
        result = self.expr(node.result or ir.Var(name))

        def call(env: Env) -> Any:
            values = listed(env)
            if values is None:
                return None
            rows = ({**env, name: value} for value in values)
            return [result(row) for row in rows if where is None or where(row)]

        return call

    def _quantifier(self, node: ir.Quantifier) -> Fn:
        listed, name, where = self.expr(node.list), node.var, self.expr(node.where)
        kind = node.kind

        def call(env: Env) -> bool | None:
            values = listed(env)
            if values is None:
                return None
            truths = [_truth(where({**env, name: value})) for value in values]
            if kind is ir.QuantifierKind.ALL:
                return conjunction(truths)
            if kind is ir.QuantifierKind.ANY:
                return _not(conjunction([_not(each) for each in truths]))
            if kind is ir.QuantifierKind.NONE:
                return conjunction([_not(each) for each in truths])
            if truths.count(True) > 1:
                return False
            return None if None in truths else truths.count(True) == 1

        return call

    def _reduce(self, node: ir.Reduce) -> Fn:
        init, listed, step = self.expr(node.init), self.expr(node.list), self.expr(node.step)
        acc, name = node.acc, node.var

        def call(env: Env) -> Any:
            values = listed(env)
            if values is None:
                return None
            accumulated = init(env)
            for value in values:
                accumulated = step({**env, acc: accumulated, name: value})
            return accumulated

        return call


def _of_kind(
    name: str, key: str, compares: Callable[[Any, Any], bool], constant: Any, otherwise: Fn
) -> Callable[[Env], bool]:
    """A property beside a constant: values of the constant's own kind are compared at once."""
    kind = type(constant)

    def test(env: Env) -> bool:
        element = env[name]
        if isinstance(element, _ELEMENTS):
            value = element.props.get(key)
            if type(value) is kind:
                return compares(value, constant)
        return otherwise(env) is True

    return test


_COMPARED = frozenset({int, float, str})
_OPERATORS: dict[ir.CompareOp, Callable[[Any, Any], bool]] = {
    ir.CompareOp.EQ: operator.eq,
    ir.CompareOp.NE: operator.ne,
    ir.CompareOp.LT: operator.lt,
    ir.CompareOp.LE: operator.le,
    ir.CompareOp.GT: operator.gt,
    ir.CompareOp.GE: operator.ge,
}


def _entry(value: Any, key: str) -> Any:
    """A property of what is no element: an entry of a map, a part of a moment."""
    if value is None:
        return None
    if isinstance(value, dict):
        return value.get(key)
    if isinstance(value, Moment | Span):
        kind = value.kind if isinstance(value, Moment) else Kind.DURATION
        try:
            return component(value, component_key(kind, key) or key)
        except TemporalError as problem:
            raise Fault(str(problem)) from problem
    raise Fault(f"a property of {value!r}")


def _regex(value: str, pattern: str) -> bool:
    try:
        return re.fullmatch(pattern, value) is not None
    except re.error:
        raise Unsupported("a pattern of another kind") from None


def _truth(value: Any) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise Fault(f"{value!r} is no truth value")


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _labels(value: Any) -> frozenset[str]:
    if isinstance(value, NodeValue):
        return value.labels
    if isinstance(value, EdgeValue):
        return frozenset((value.label,))
    raise Fault("a label of no element")


def label_test(labels: ir.LabelExpr | None) -> Callable[[frozenset[str]], bool]:
    """Whether a set of labels fulfils an expression."""
    match labels:
        case None | ir.LabelAny():
            return (lambda own: True) if labels is None else bool
        case ir.LabelName(name):
            return lambda own: name in own
        case ir.LabelAnd(args):
            tests = [label_test(arg) for arg in args]
            return lambda own: all(test(own) for test in tests)
        case ir.LabelOr(args):
            tests = [label_test(arg) for arg in args]
            return lambda own: any(test(own) for test in tests)
        case ir.LabelNot(arg):
            test = label_test(arg)
            return lambda own: not test(own)


def arithmetic(op: ir.ArithOp, a: Any, b: Any) -> Any:
    """`a op b`.

    Raises:
        Fault: there is no such value.
        Unsupported: it is left to an engine.
    """
    if a is None or b is None:
        return None
    if is_number(a) and is_number(b):
        return _numeric(op, a, b)
    if op is ir.ArithOp.ADD:
        if isinstance(a, list) or isinstance(b, list):
            return (a if isinstance(a, list) else [a]) + (b if isinstance(b, list) else [b])
        if isinstance(a, str) or isinstance(b, str):
            return to_string(a) + to_string(b)
        if isinstance(a, Span) and isinstance(b, Moment):
            return plus(b, a)
    sign = {ir.ArithOp.ADD: 1, ir.ArithOp.SUB: -1}.get(op)
    if sign and isinstance(b, Span):
        if isinstance(a, Moment):
            return plus(a, b, sign)
        if isinstance(a, Span):
            return sum_of(a, b, sign)
    if op is ir.ArithOp.MUL and isinstance(a, Span) and is_number(b):
        return product(a, b)
    raise Unsupported(f"{op.name} of {type(a).__name__} and {type(b).__name__}")


def _numeric(op: ir.ArithOp, a: Any, b: Any) -> Any:
    whole = isinstance(a, int) and isinstance(b, int)
    try:
        match op:
            case ir.ArithOp.ADD:
                number = a + b
            case ir.ArithOp.SUB:
                number = a - b
            case ir.ArithOp.MUL:
                number = a * b
            case ir.ArithOp.POW:
                return float(a) ** float(b)
            case ir.ArithOp.DIV if whole:
                quotient = abs(a) // abs(b)
                return quotient if (a < 0) == (b < 0) else -quotient
            case ir.ArithOp.DIV:
                number = _float_quotient(float(a), float(b))
            case _ if whole:
                return int(math.fmod(a, b))
            case _:
                number = math.fmod(a, b)
    except (ZeroDivisionError, ValueError, OverflowError) as problem:
        raise Fault(str(problem)) from problem
    if whole and not -_LARGEST <= number < _LARGEST:
        raise Fault("an integer that is too large")
    return number


def _float_quotient(a: float, b: float) -> float:
    """The quotient of IEEE 754, which has one for zero, too."""
    if b:
        return a / b
    if not a or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)
