"""Scalar functions whose meaning can be said exactly."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.model import Kind
from translators.from_sql.expressions.expressions import as_text
from translators.from_sql.expressions.floats import binary
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.prints import part_of
from translators.from_sql.statement.values import NULL, Value, fold, text

VALUES = ValueTable()


def _called(name: str, kind: Kind, *args: Value) -> Value:
    nullable = any(arg.nullable for arg in args)
    return Value(ir.Call(name, tuple(arg.expr for arg in args)), kind, nullable)


@VALUES.of(exp.Lower, exp.Upper)
def case_change(site: Site, node: exp.Lower | exp.Upper) -> Value:
    """lower() and upper() of literals; of columns they fold ASCII only, which no graph does."""
    lower = isinstance(node, exp.Lower)
    operand = as_text(site, node.this)
    if operand.kind is Kind.NULL:
        return operand
    if not site.house.rules.ascii_case:
        called = _called("toLower" if lower else "toUpper", Kind.STRING, operand)
        return replace(called, ascii=operand.ascii)
    folded = fold(operand, ascii_lower if lower else ascii_upper)
    if folded is not None:
        return folded
    parent = node.parent
    while isinstance(parent, exp.Paren):
        parent = parent.parent
    if not operand.ascii and not _with_ascii(site, node, parent):
        raise site.refused("ascii-case", node, "changes the case of ASCII letters only")
    called = _called("toLower" if lower else "toUpper", Kind.STRING, operand)
    return replace(called, ascii=operand.ascii)


def _with_ascii(site: Site, node: exp.Expr, parent: exp.Expr | None) -> bool:
    """Whether all that is done is to compare with an ASCII literal: then it does not matter
    what becomes of other letters."""
    if isinstance(parent, exp.EQ | exp.NEQ):
        others = [side.unnest() for side in (parent.this, parent.expression)]
        others = [side for side in others if node not in (side, *side.find_all(type(node)))]
    elif isinstance(parent, exp.In) and not parent.args.get("query"):
        others = [item.unnest() for item in parent.expressions]
    else:
        return False
    calls = [call for other in others for call in other.find_all(exp.Lower, exp.Upper)]
    if any(fold(as_text(site, call.this), str) is None for call in calls):
        return False  # its own other side is the call here
    values = [site.value(other) for other in others]
    return bool(values) and all(
        isinstance(value.expr, ir.Literal) and str(value.expr.value).isascii() for value in values
    )


def ascii_lower(word: str) -> str:
    """Lower case of ASCII letters.

    >>> ascii_lower("ÄB")
    'Äb'
    """
    return "".join(letter.lower() if letter.isascii() else letter for letter in word)


def ascii_upper(word: str) -> str:
    """Upper case of ASCII letters."""
    return "".join(letter.upper() if letter.isascii() else letter for letter in word)


@VALUES.of(exp.Length)
def length(site: Site, node: exp.Length) -> Value:
    """length(): characters."""
    operand = as_text(site, node.this)
    if node.args.get("binary") and not operand.ascii:
        raise site.refused("byte-strings", node, "counts bytes")
    if site.house.rules.plus_text:
        raise site.refused("trim", node, "does not count spaces at the end")
    return operand if operand.kind is Kind.NULL else _called("size", Kind.INTEGER, operand)


@VALUES.of(exp.Abs)
def absolute(site: Site, node: exp.Abs) -> Value:
    """abs() of a number."""
    operand = site.number(node.this)
    if operand.kind is Kind.NULL:
        return operand
    if operand.expr == ir.Literal(-(2**63)) and operand.kind is Kind.INTEGER:
        raise site.refused("integer-range", node, "is beyond 64 bits")
    called = _called("abs", operand.kind, operand)
    if operand.kind is Kind.INTEGER and site.value(node.this).kind is not Kind.INTEGER:
        return replace(called, expr=ir.Call("toFloat", (called.expr,)), kind=Kind.FLOAT)
    return replace(called, integers=operand.integers, affinity=binary(site, operand))


_ALL_WHOLE = 2.0**52
"""From it on, floats have no fraction."""


@VALUES.of(exp.Round)
def rounded(site: Site, node: exp.Round) -> Value:
    """round(x) and round(x, n): half away from zero, a real number."""
    operand = site.number(node.this)
    digits = _integer_literal(site, node.args.get("decimals"), default=0)
    if operand.kind is Kind.NULL:
        return operand
    if digits is None or not 0 <= digits <= 15:
        raise site.refused("round", node, "rounds to a number of digits that is no literal")
    rules = site.house.rules
    if operand.kind is Kind.INTEGER:
        return _called("toFloat", Kind.FLOAT, operand)
    if rules.half_open or (rules.half_even and not digits):
        raise site.refused("round", node, "rounds halves to even, or away from zero, by the type")
    if digits:
        called: ir.Expr = ir.Call("round", (operand.expr, ir.Literal(digits)))
        return Value(called, Kind.FLOAT, operand.nullable, affinity=binary(site, operand))
    # Without digits, Cypher rounds ties up, also below zero, and to integers of 64 bits.
    size = ir.Call("abs", (operand.expr,))
    whole = ir.Compare(ir.CompareOp.GE, size, ir.Literal(_ALL_WHOLE))
    below = ir.Compare(ir.CompareOp.LT, operand.expr, ir.Literal(0))
    negative = ir.Neg(ir.Call("round", (ir.Neg(operand.expr),)))
    whens = (ir.When(whole, operand.expr), ir.When(below, negative))
    called = ir.Case(whens, ir.Call("round", (operand.expr,)))
    return Value(called, Kind.FLOAT, operand.nullable, affinity=binary(site, operand))


def _integer_literal(site: Site, node: exp.Expr | None, default: int | None) -> int | None:
    if node is None:
        return default
    value = site.value(node).expr
    is_int = isinstance(value, ir.Literal) and type(value.value) is int
    return int(value.value) if is_int and isinstance(value, ir.Literal) else None  # type: ignore[arg-type]


@VALUES.of(exp.Substring)
def substring(site: Site, node: exp.Substring) -> Value:
    """substr(x, start[, length]) with literal positions, 1-based, negative from the end."""
    operand = as_text(site, node.this)
    start = _integer_literal(site, node.args.get("start"), default=None)
    size_node = node.args.get("length")
    size = _integer_literal(site, size_node, default=None)
    if operand.kind is Kind.NULL:
        return NULL
    if (
        start is None
        or start == 0
        or (start < 0 and not site.house.rules.from_end)
        or (size_node is not None and (size is None or size < 0))
    ):
        raise site.refused("substring", node, "cuts at a position that is no plain literal")
    if isinstance(operand.expr, ir.Literal):
        return text(_cut(str(operand.expr.value), start, size))
    if start > 0 and size is not None:
        piece = part_of(site.value(node.this), start - 1, start - 1 + size)
        if piece is not None and site.house.rules.affinity:
            return Value(piece, Kind.STRING, operand.nullable, ascii=True)
    if start > 0:
        length = () if size is None else (ir.Literal(size),)
        called = ir.Call("substring", (operand.expr, ir.Literal(start - 1), *length))
        if start == 1 and length:
            called = ir.Call("left", (operand.expr, *length))
        return Value(called, Kind.STRING, operand.nullable)
    if size is not None and size < -start:
        raise site.refused("substring", node, "cuts inside the end of a text of unknown length")
    return Value(
        ir.Call("right", (operand.expr, ir.Literal(-start))), Kind.STRING, operand.nullable
    )


@VALUES.of(exp.Left, exp.Right)
def end(site: Site, node: exp.Left | exp.Right) -> Value:
    """left(x, n) and right(x, n)."""
    inner = node.this.this if isinstance(node.this, exp.Cast) else node.this
    operand = as_text(site, inner)
    size = _integer_literal(site, node.expression, default=None)
    if operand.kind is Kind.NULL:
        return NULL
    if size is None or size < 0:
        raise site.refused("substring", node, "cuts at a position that is no plain literal")
    name = "left" if isinstance(node, exp.Left) else "right"
    piece = part_of(site.value(inner), 0, size) if name == "left" else None
    if piece is not None and site.house.rules.affinity:
        return Value(piece, Kind.STRING, operand.nullable, ascii=True)
    called = ir.Call(name, (operand.expr, ir.Literal(size)))
    return Value(called, Kind.STRING, operand.nullable, ascii=operand.ascii)


@VALUES.of(exp.StrPosition)
def position(site: Site, node: exp.StrPosition) -> Value:
    """instr(x, 'part'), 1-based, 0 where it does not occur."""
    at, part = as_text(site, node.this), as_text(site, node.args["substr"])
    if Kind.NULL in (at.kind, part.kind):
        return NULL
    if not isinstance(part.expr, ir.Literal) or part.expr.value == "":
        raise site.refused("substring", node, "looks for what is no plain literal")
    before = ir.Index(ir.Call("split", (at.expr, part.expr)), ir.Literal(0))
    place = ir.Arith(ir.ArithOp.ADD, ir.Call("size", (before,)), ir.Literal(1))
    inside = ir.Text(ir.TextOp.CONTAINS, at.expr, part.expr)
    whens: tuple[ir.When, ...] = (ir.When(inside, place),)
    if at.nullable:
        whens = (*whens, ir.When(ir.IsNull(at.expr, negated=True), ir.Literal(0)))
    default = None if at.nullable else ir.Literal(0)
    return Value(ir.Case(whens, default), Kind.INTEGER, at.nullable)


@VALUES.of(exp.Concat)
def concatenated(site: Site, node: exp.Concat) -> Value:
    """concat(a, b, …): with NULL it is NULL, or NULL is no text."""
    parts = [as_text(site, part) for part in node.expressions]
    empty = site.house.rules.empty_null
    if not empty and any(part.kind is Kind.NULL for part in parts):
        return NULL
    whole: ir.Expr | None = None
    for part in parts:
        if part.kind is Kind.NULL:
            continue
        expr = part.expr
        if empty and part.nullable:
            expr = ir.Call("coalesce", (expr, ir.Literal("")))
        whole = expr if whole is None else ir.Arith(ir.ArithOp.ADD, whole, expr)
    nullable = not empty and any(part.nullable for part in parts)
    return Value(whole or ir.Literal(""), Kind.STRING, nullable)


def _cut(word: str, start: int, size: int | None) -> str:
    begin = start - 1 if start > 0 else len(word) + start
    end = len(word) if size is None else begin + size
    return word[max(begin, 0) : max(end, 0)]


@VALUES.of(exp.Trim)
def trim(site: Site, node: exp.Trim) -> Value:
    """trim(), ltrim() and rtrim() of spaces from literals; SQLite keeps other white space."""
    operand = as_text(site, node.this)
    strip = {"LEADING": str.lstrip, "TRAILING": str.rstrip}.get(
        str(node.args.get("position") or "").upper(), str.strip
    )
    if node.expression is not None:
        raise site.refused("trim", node, "trims characters of its own")
    folded = fold(operand, lambda word: strip(word, " "))
    if folded is None:
        raise site.refused("trim", node, "trims spaces only, not other white space")
    return folded


@VALUES.of(exp.Replace)
def replaced(site: Site, node: exp.Replace) -> Value:
    """replace(x, from, to)."""
    parts = [as_text(site, n) for n in (node.this, node.expression, node.args["replacement"])]
    if any(part.kind is Kind.NULL for part in parts):
        return NULL
    pattern = parts[1].expr
    if not isinstance(pattern, ir.Literal) or pattern.value == "":
        raise site.refused("replace", node, "replaces a text that is no literal")
    return _called("replace", Kind.STRING, *parts)
