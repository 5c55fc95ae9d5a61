"""Literals, names, arithmetic, concatenation, CASE and casts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.mapping import Affinity
from schemagraph.model import Kind
from translators.sql.predicates import compared
from translators.sql.site import Site, values_of
from translators.sql.values import NULL, Value, as_integer, number, printed, real_text, text, truth

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


@values_of(exp.Case)
def case(site: Site, node: exp.Case) -> Value:
    """Both forms of CASE."""
    operand = node.this
    whens: list[ir.When] = []
    results: list[exp.Expr] = []
    for branch in node.args["ifs"]:
        if operand is not None:
            pair = site.value(operand), site.value(branch.this)
            condition = compared(site, node, ir.CompareOp.EQ, *pair).expr
        else:
            condition = site.true(branch.this)
        whens.append(ir.When(condition, ir.Literal(None)))
        results.append(branch.args["true"])
    default = node.args.get("default")
    return _cased(site, node, whens, results, default, operand)


@values_of(exp.If)
def iif(site: Site, node: exp.If) -> Value:
    """IIF(condition, yes, no)."""
    whens = [ir.When(site.true(node.this), ir.Literal(None))]
    return _cased(site, node, whens, [node.args["true"]], node.args.get("false"), None)


def _cased(
    site: Site,
    node: exp.Expr,
    whens: Sequence[ir.When],
    results: Sequence[exp.Expr],
    default: exp.Expr | None,
    operand: exp.Expr | None,
) -> Value:
    values = [site.value(result) for result in results]
    last = site.value(default) if default is not None else NULL
    *values, last = unified(site, node, [*values, last])
    branches = tuple(
        ir.When(when.condition, value.expr) for when, value in zip(whens, values, strict=True)
    )
    found = _merged([*values, last])
    otherwise = last.expr if default is not None else None
    subject, simple = _simple_form(branches) if operand is not None else (None, branches)
    return replace(found, expr=ir.Case(simple, otherwise, subject))


def _simple_form(branches: tuple[ir.When, ...]) -> tuple[ir.Expr | None, tuple[ir.When, ...]]:
    """`CASE x WHEN …` again, where every branch compares the same thing for equality."""
    tests = [b.condition for b in branches]
    plain = [t for t in tests if isinstance(t, ir.Compare) and t.op is ir.CompareOp.EQ]
    if len(plain) != len(tests) or len({t.left for t in plain}) != 1:
        return None, branches
    pairs = zip(plain, branches, strict=True)
    return plain[0].left, tuple(ir.When(test.right, b.result) for test, b in pairs)


def unified(site: Site, node: exp.Expr, values: Sequence[Value]) -> list[Value]:
    """The values in one form: truth values become integers beside numbers, temporal ones text
    beside text.

    Raises:
        Refused: numbers and text would stand in one column.
    """
    kinds = {value.kind for value in values} - {Kind.NULL}
    if len(kinds) <= 1:
        return list(values)
    found = list(values)
    if kinds & {Kind.INTEGER, Kind.FLOAT}:
        found = [as_integer(value) for value in found]
    elif not kinds & {Kind.BOOLEAN, Kind.BYTES}:
        found = [printed(value) for value in found]
    left = {value.kind for value in found} - {Kind.NULL, Kind.INTEGER, Kind.FLOAT}
    numbers = any(value.kind in (Kind.INTEGER, Kind.FLOAT) for value in found)
    if len(left) + numbers > 1:
        raise site.refused("mixed-types", node, "gives numbers in some cases and text in others")
    return found


def _merged(values: Sequence[Value]) -> Value:
    """What is known of a value that is one of several."""
    kinds = {value.kind for value in values} - {Kind.NULL}
    kind = Kind.NULL if not kinds else next(iter(kinds)) if len(kinds) == 1 else Kind.FLOAT
    whole = kind is Kind.FLOAT and any(value.whole for value in values)
    nullable = any(value.nullable for value in values)
    mixed = any(value.mixed for value in values)
    return Value(NULL.expr, kind, nullable, mixed=mixed, integers=whole)


def merged(values: Sequence[Value], expr: ir.Expr) -> Value:
    """A value that is one of several, as `expr`."""
    return replace(_merged(values), expr=expr)


@values_of(exp.Coalesce)
def coalesce(site: Site, node: exp.Coalesce) -> Value:
    """COALESCE and IFNULL."""
    values = unified(site, node, [site.value(v) for v in (node.this, *node.expressions)])
    found = merged(values, ir.Call("coalesce", tuple(value.expr for value in values)))
    return replace(found, nullable=all(value.nullable for value in values))


@values_of(exp.Nullif)
def nullif(site: Site, node: exp.Nullif) -> Value:
    """NULLIF(a, b)."""
    left, right = site.value(node.this), site.value(node.expression)
    equal = compared(site, node, ir.CompareOp.EQ, left, right)
    expr = ir.Case((ir.When(equal.expr, ir.Literal(None)),), left.expr)
    return replace(left, expr=expr, nullable=True, affinity=None, unique=False, row="")


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


@values_of(exp.Greatest, exp.Least)
def extreme(site: Site, node: exp.Greatest | exp.Least) -> Value:
    """max(a, b, …) and min(a, b, …) of several arguments: NULL if one is."""
    op = ir.CompareOp.GE if isinstance(node, exp.Greatest) else ir.CompareOp.LE
    values = unified(site, node, [site.value(v) for v in (node.this, *node.expressions)])
    best = values[0]
    for other in values[1:]:
        wins = compared(site, node, op, best, other).expr
        loses = ir.Not(wins)
        whens = (ir.When(wins, best.expr), ir.When(loses, other.expr))
        best = merged([best, other], ir.Case(whens))
    return best


def boolean_of(value: Value) -> Value:
    """A predicate's value as it is returned: true and false are SQLite's 1 and 0."""
    return truth(value.expr, value)
