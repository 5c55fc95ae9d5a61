"""Mathematical functions: roots, powers, rounding up and down."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import Affinity
from schemagraph.model import Kind
from translators.from_sql.expressions.decimals import as_double, fraction, quotient
from translators.from_sql.expressions.floats import binary, decimal, exactness, if_decimal
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.exactness import ROUGH, Exactness, of_power
from translators.from_sql.statement.rules import Division
from translators.from_sql.statement.values import NULL, Value

VALUES = ValueTable()


@VALUES.of(exp.Ceil, exp.Floor)
def whole(site: Site, node: exp.Ceil | exp.Floor | exp.Trunc) -> Value:
    """ceil(), floor() and PostgreSQL's trunc(): integers stay as they are."""
    name = "ceil" if isinstance(node, exp.Ceil) else "floor"
    other = site.house.rules.name != "postgres" or node.args.get("decimals") is not None
    if isinstance(node, exp.Trunc) and other:
        raise site.refused("unsupported-expression", node, "is not supported")
    scaled = site.house.rules.division is Division.SCALED
    of = quotient(site, node.this) if scaled else None
    if of is not None:
        return Value(ir.Call(name, (of.expr,)), Kind.FLOAT, of.nullable)
    operand = site.number(node.this)
    if not site.house.rules.affinity:
        operand = as_double(site, node.this, decimal(site, node, operand))
    if operand.kind is not Kind.FLOAT:
        return replace(operand, affinity=None, unique=False)
    if operand.integers:
        raise site.refused("mixed-numbers", node, "is an integer for integers and else a real")
    real = binary(site, operand)
    known = exactness(site, operand)
    most = known.most + 1 if known is not None and known.most is not None else None
    exact = Exactness(0, most=most) if known is not None else None
    called: ir.Expr = ir.Call(name, (operand.expr,))
    if isinstance(node, exp.Trunc):
        below = ir.Compare(ir.CompareOp.LT, operand.expr, ir.Literal(0))
        called = ir.Case((ir.When(below, ir.Call("ceil", (operand.expr,))),), called)
    return Value(called, Kind.FLOAT, operand.nullable, affinity=real, exact=exact)


@VALUES.of(exp.Sign)
def sign(site: Site, node: exp.Sign) -> Value:
    """sign(): -1, 0 or 1."""
    operand = decimal(site, node, site.number(node.this))
    if operand.kind is Kind.NULL:
        return NULL
    zero = ir.Literal(0)
    tests = ((ir.CompareOp.GT, 1), (ir.CompareOp.LT, -1), (ir.CompareOp.EQ, 0))
    whens = tuple(
        ir.When(ir.Compare(op, operand.expr, zero), ir.Literal(value)) for op, value in tests
    )
    return Value(ir.Case(whens), Kind.INTEGER, operand.nullable)


@VALUES.of(exp.Pow)
def power(site: Site, node: exp.Pow) -> Value:
    """power(x, n), with a whole number that is no less than 0."""
    result, exponent = site.number(node.this), site.number(node.expression)
    if Kind.NULL in (result.kind, exponent.kind):
        return NULL
    number = exponent.expr.value if isinstance(exponent.expr, ir.Literal) else None
    if type(number) is not int or number < 0:
        raise site.refused("unsupported-expression", node, "has an exponent that is no literal")
    known = exactness(site, result) if _is_numeric(site, node.this, result) else None
    if known is None or known.scale is not None:
        result = decimal(site, node, result)
    base = result.expr if result.kind is Kind.FLOAT else ir.Call("toFloat", (result.expr,))
    raised = ir.Arith(ir.ArithOp.POW, base, ir.Literal(number))
    exact = None if known is None else of_power(known, number)
    return Value(raised, Kind.FLOAT, result.nullable, exact=exact)


def _is_numeric(site: Site, node: exp.Expr, value: Value) -> bool:
    """Whether PostgreSQL has power() and its like of a number as a numeric: of integers and doubles
    they are doubles (https://www.postgresql.org/docs/current/functions-math.html)."""
    if not site.house.rules.wide_sums or exactness(site, value) is None:
        return False
    if value.kind is Kind.FLOAT and not value.integers:
        return True
    return Affinity.NUMERIC in (value.fractional, fraction(site, node))


def _rough(site: Site, node: exp.Expr, value: Value) -> Exactness | None:
    """What is known of a root and its like: of a numeric, PostgreSQL rounds it at digits of its
    own."""
    return ROUGH if _is_numeric(site, node, value) else None


@VALUES.of(exp.Sqrt, exp.Ln)
def root(site: Site, node: exp.Sqrt | exp.Ln) -> Value:
    """sqrt() and ln(): NULL outside their domain."""
    operand = if_decimal(site, site.number(node.this))
    if operand.kind is Kind.NULL:
        return NULL
    name, op = ("sqrt", ir.CompareOp.GE) if isinstance(node, exp.Sqrt) else ("log", ir.CompareOp.GT)
    number = operand.expr if operand.kind is Kind.FLOAT else ir.Call("toFloat", (operand.expr,))
    inside = ir.Compare(op, operand.expr, ir.Literal(0))
    root_ = ir.Case((ir.When(inside, ir.Call(name, (number,))),))
    return Value(root_, Kind.FLOAT, exact=_rough(site, node.this, operand))


@VALUES.of(exp.Exp)
def exponential(site: Site, node: exp.Exp) -> Value:
    """exp()."""
    operand = if_decimal(site, site.number(node.this))
    if operand.kind is Kind.NULL:
        return NULL
    number = operand.expr if operand.kind is Kind.FLOAT else ir.Call("toFloat", (operand.expr,))
    exact = _rough(site, node.this, operand)
    return Value(ir.Call("exp", (number,)), Kind.FLOAT, operand.nullable, exact=exact)
