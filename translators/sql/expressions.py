"""Literals, names, arithmetic, concatenation, CASE and casts."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import Affinity
from schemagraph.model import Kind
from translators.sql.site import Site, values_of
from translators.sql.values import NULL, Value, as_integer, number, printed, real_text, text

_ARITHMETIC: dict[type[exp.Expr], ir.ArithOp] = {
    exp.Add: ir.ArithOp.ADD,
    exp.Sub: ir.ArithOp.SUB,
    exp.Mul: ir.ArithOp.MUL,
    exp.Div: ir.ArithOp.DIV,
    exp.Mod: ir.ArithOp.MOD,
}


@values_of(exp.Literal)
def literal(site: Site, node: exp.Literal) -> Value:
    """A text or a number; integers beyond 64 bits are real."""
    if node.is_string:
        return text(node.name)
    word = node.name
    if word.isdigit():
        whole = int(word)
        return number(whole if whole < 2**63 else float(whole))
    try:
        return number(float(word))
    except ValueError:
        raise site.refused("unsupported-expression", node, "is no plain number") from None


@values_of(exp.Null)
def null(site: Site, node: exp.Null) -> Value:
    """NULL."""
    return NULL


@values_of(exp.Boolean)
def boolean(site: Site, node: exp.Boolean) -> Value:
    """TRUE and FALSE, which are 1 and 0."""
    return number(int(node.this))


@values_of(exp.Column)
def name(site: Site, node: exp.Column) -> Value:
    """A column, an output column, or a text in double quotes."""
    return site.column(node)


@values_of(exp.Paren)
def parenthesised(site: Site, node: exp.Paren) -> Value:
    """Parentheses."""
    return site.value(node.this)


@values_of(exp.Alias)
def aliased(site: Site, node: exp.Alias) -> Value:
    """An output column, as its expression."""
    return site.value(node.this)


@values_of(exp.Collate)
def collated(site: Site, node: exp.Collate) -> Value:
    """COLLATE BINARY, which is how everything here compares."""
    if node.expression.name.upper() != "BINARY":
        raise site.refused("collation", node, "compares under a collation of its own")
    return replace(site.value(node.this), collation="BINARY")


@values_of(exp.Neg)
def negative(site: Site, node: exp.Neg) -> Value:
    """Unary minus."""
    found = site.number(node.this)
    if isinstance(found.expr, ir.Literal) and found.expr.value is not None:
        return number(-found.expr.value)  # type: ignore[operator] # numbers only
    return replace(found, expr=ir.Neg(found.expr), affinity=None, unique=False)


@values_of(*_ARITHMETIC)
def arithmetic(site: Site, node: exp.Binary) -> Value:
    """`+ - * / %`; division by zero is NULL."""
    if any(isinstance(side, exp.DPipe) for side in (node.this, node.expression)):
        raise site.refused("operator-chain", node, "mixes || with arithmetic without parentheses")
    left, right = site.number(node.this), site.number(node.expression)
    if Kind.NULL in (left.kind, right.kind):
        return NULL
    op = _ARITHMETIC[type(node)]
    both_whole = left.kind is right.kind is Kind.INTEGER
    kind = Kind.INTEGER if both_whole else Kind.FLOAT
    plain = Value(
        ir.Arith(op, left.expr, right.expr),
        kind,
        nullable=left.nullable or right.nullable,
        integers=not both_whole and left.whole and right.whole,
    )
    if op not in (ir.ArithOp.DIV, ir.ArithOp.MOD):
        return plain
    if op is ir.ArithOp.MOD and not both_whole:
        raise site.refused("modulo", node, "takes the remainder of numbers that are not integers")
    if plain.integers:
        raise site.refused(
            "integer-division", node, "divides numbers of which some are integers and some not"
        )
    return _divided(plain, right)


def _divided(plain: Value, right: Value) -> Value:
    zero = ir.Literal(0)
    if isinstance(right.expr, ir.Literal):
        return plain if right.expr.value != 0 else NULL
    if _never_zero(right.expr):
        return plain
    guarded = ir.Case(
        (ir.When(ir.Compare(ir.CompareOp.EQ, right.expr, zero), ir.Literal(None)),), plain.expr
    )
    return replace(plain, expr=guarded, nullable=True)


def _never_zero(expr: ir.Expr) -> bool:
    """Whether it is `NULLIF(x, 0)`, which is null where x is zero."""
    if not isinstance(expr, ir.Case) or len(expr.whens) != 1 or expr.operand is not None:
        return isinstance(expr, ir.Call) and expr.name == "toFloat" and _never_zero(expr.args[0])
    when = expr.whens[0]
    zero = ir.Compare(ir.CompareOp.EQ, expr.default or ir.Literal(None), ir.Literal(0))
    return when.condition == zero and when.result == ir.Literal(None)


@values_of(exp.DPipe)
def concatenation(site: Site, node: exp.DPipe) -> Value:
    """`a || b`: texts."""
    if any(
        isinstance(side, exp.Binary) and not isinstance(side, exp.DPipe | exp.Dot)
        for side in (node.this, node.expression)
    ):
        raise site.refused("operator-chain", node, "mixes || with arithmetic without parentheses")
    left, right = as_text(site, node.this), as_text(site, node.expression)
    if Kind.NULL in (left.kind, right.kind):
        return NULL
    if isinstance(left.expr, ir.Literal) and isinstance(right.expr, ir.Literal):
        return text(f"{left.expr.value}{right.expr.value}")
    return Value(
        ir.Arith(ir.ArithOp.ADD, left.expr, right.expr),
        Kind.STRING,
        nullable=left.nullable or right.nullable,
    )


def as_text(site: Site, node: exp.Expr) -> Value:
    """`node` where SQLite reads a text."""
    found = printed(as_integer(site.value(node)))
    if found.mixed:
        raise site.refused("mixed-types", node, "holds numbers as well as text")
    if found.kind in (Kind.STRING, Kind.NULL):
        return replace(found, affinity=None, mixed=False, unique=False)
    if isinstance(found.expr, ir.Literal):
        value = found.expr.value
        shown = real_text(value) if isinstance(value, float) else str(value)
        if shown is not None:
            return text(shown)
    if found.kind is Kind.INTEGER:
        return Value(ir.Call("toString", (found.expr,)), Kind.STRING, found.nullable)
    raise site.refused("number-as-text", node, "is a real number where SQLite makes text of it")


@values_of(exp.Cast)
def cast(site: Site, node: exp.Cast) -> Value:
    """CAST between numbers, and of numbers to text."""
    target = _cast_kind(node.to.this.name)
    if target is Kind.STRING:
        return replace(as_text(site, node.this), affinity=Affinity.TEXT)
    return replace(_cast_number(site, node, target), affinity=_CAST_AFFINITY.get(target))


def _cast_number(site: Site, node: exp.Cast, target: Kind | None) -> Value:
    found = site.number(node.this)
    if found.kind is Kind.NULL:
        return found
    plain = replace(found, affinity=None, unique=False)
    if target is Kind.INTEGER and found.kind is Kind.FLOAT:
        expr = ir.Call("toInteger", (found.expr,))
        return replace(plain, expr=expr, kind=Kind.INTEGER, integers=False)
    if target is Kind.FLOAT and (found.kind is Kind.INTEGER or found.integers):
        if isinstance(found.expr, ir.Literal):
            return number(float(found.expr.value or 0))
        expr = ir.Call("toFloat", (found.expr,))
        return replace(plain, expr=expr, kind=Kind.FLOAT, integers=False)
    if target is Kind.ANY and found.kind is Kind.FLOAT:
        return replace(plain, integers=True)  # 2.0 becomes 2
    if target is None:
        raise site.refused("cast", node, "casts to a type that is not supported")
    return plain


# A cast compares as a column of the type would (https://www.sqlite.org/datatype3.html, 3.2).
_CAST_AFFINITY: dict[Kind | None, Affinity] = {
    Kind.INTEGER: Affinity.INTEGER,
    Kind.FLOAT: Affinity.REAL,
    Kind.ANY: Affinity.NUMERIC,
}


def _cast_kind(declared: str) -> Kind | None:
    """What a cast makes; ANY is NUMERIC, an integer where the value is whole."""
    if "INT" in declared:
        return Kind.INTEGER
    if any(word in declared for word in ("CHAR", "TEXT", "CLOB")):
        return Kind.STRING
    if any(word in declared for word in ("FLOAT", "DOUBLE", "REAL")):
        return Kind.FLOAT
    if declared in ("DECIMAL", "NUMERIC", "BOOLEAN", "BIGDECIMAL"):
        return Kind.ANY
    return None
