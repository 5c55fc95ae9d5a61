"""Parts of texts: substr(), left(), right() and where a part begins."""

from __future__ import annotations

from typing import cast

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.model import Kind
from translators.from_sql.expressions.expressions import as_text
from translators.from_sql.statement.context import Site, ValueTable
from translators.from_sql.statement.prints import part_of
from translators.from_sql.statement.spelling import with_parts
from translators.from_sql.statement.values import (
    NULL,
    Value,
    is_null,
    of_letters,
    text,
)

VALUES = ValueTable()
_MOST_PADDED = 200


def integer_literal(site: Site, node: exp.Expr | None, default: int | None) -> int | None:
    """The integer that is written, `default` where nothing is, None where it is computed."""
    if node is None:
        return default
    value = site.value(node).expr
    is_int = isinstance(value, ir.Literal) and type(value.value) is int
    return int(value.value) if is_int and isinstance(value, ir.Literal) else None  # type: ignore[arg-type]


@VALUES.of(exp.Substring)
def substring(site: Site, node: exp.Substring) -> Value:
    """substr(x, start[, length]), 1-based, negative from the end; see `_computed` for positions
    that are no literals."""
    part = _part_of_date(site, node.this, node.args.get("start"), node.args.get("length"))
    if part is not None:
        return part
    operand = as_text(site, node.this)
    start = integer_literal(site, node.args.get("start"), default=None)
    size_node = node.args.get("length")
    size = integer_literal(site, size_node, default=None)
    if operand.kind is Kind.NULL:
        return NULL
    if site.house.rules.affinity and (start is None or (size is None and size_node is not None)):
        return _computed(site, node, operand)
    if site.house.rules.name == "postgres" and start is None:
        behind = _behind(site, node, operand, size, bounded=size_node is not None)
        if behind is not None:
            return behind
    if site.house.rules.affinity and start == 0 and (size is None or size >= 0):
        # Before the first character is nothing, which is counted.
        start, size = 1, None if size is None else max(0, size - 1)
    if (
        start is None
        or start == 0
        or (start < 0 and not site.house.rules.from_end)
        or (size_node is not None and (size is None or size < 0))
    ):
        raise site.refused("substring", node, "cuts at a position that is no plain literal")
    if isinstance(operand.expr, ir.Literal):
        word = str(operand.expr.value)
        if site.house.rules.name == "mysql" and -start > len(word):
            return text("")
        return text(_cut(word, start, size))
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
    ending: ir.Expr = ir.Call("right", (operand.expr, ir.Literal(-start)))
    if site.house.rules.name == "mysql":  # which finds nothing in a shorter text
        long = ir.Compare(ir.CompareOp.GE, ir.Call("size", (operand.expr,)), ir.Literal(-start))
        whens: tuple[ir.When, ...] = (ir.When(long, ending),)
        if operand.nullable:
            whens = (*whens, ir.When(is_null(operand, negated=True), ir.Literal("")))
        ending = ir.Case(whens, None if operand.nullable else ir.Literal(""))
    return Value(ending, Kind.STRING, operand.nullable)


def _part_of_date(
    site: Site, node: exp.Expr, first: exp.Expr | None, length: exp.Expr | None
) -> Value | None:
    """Whole parts of the text of MySQL's dates and moments, `left(d, 7)`, as DATE_FORMAT() gives
    them: whether the text has a fraction behind the seconds does not matter."""
    if site.house.rules.name != "mysql":
        return None
    start = integer_literal(site, first, default=1)
    size = integer_literal(site, length, default=None)
    if start is None or size is None:
        return None
    begin, end = start - 1, start - 1 + size
    if begin not in _BEGINNINGS or end not in _ENDS or begin >= end:
        return None
    last = {Kind.DATE: 10, Kind.DATETIME: 19}.get(site.value(node).kind, 0)
    if end > last:
        return None
    form = exp.Literal.string("%Y-%m-%d %H:%M:%S"[_BEGINNINGS[begin] : _ENDS[end]])
    return site.value(exp.TimeToStr(this=node.copy(), format=form))


# Where the parts of `2024-02-29 12:00:00` begin and end, and the codes for them in a format.
_BEGINNINGS = {0: 0, 5: 3, 8: 6, 11: 9, 14: 12, 17: 15}
_ENDS = {4: 2, 7: 5, 10: 8, 13: 11, 16: 14, 19: 17}


def _behind(
    site: Site, node: exp.Substring, operand: Value, size: int | None, *, bounded: bool
) -> Value | None:
    """`substring(x FROM position(y IN x) + 1)`, which begins in a text or behind its last
    character; None for other starts and lengths, of which some are errors."""
    start = site.value(node.args["start"])
    place = _place_searched(node.args["start"], start.expr)
    if place is None or start.kind is not Kind.INTEGER or (bounded and (size is None or size < 0)):
        return None
    length = () if size is None else (ir.Literal(size),)
    called = ir.Call("substring", (operand.expr, place, *length))
    made = Value(called, Kind.STRING, operand.nullable or start.nullable)
    return of_letters(made, operand)


def _computed(site: Site, node: exp.Substring, operand: Value) -> Value:
    """substr() of SQLite with an integer that is computed: `substr(x, 1, instr(x, '@') - 1)`.

    A start of 0 is before the first character, and a length below 0 takes what stands before the
    start, which is nothing before the first (https://www.sqlite.org/lang_corefunc.html#substr).
    """
    start, size = site.value(node.args["start"]), None
    if node.args.get("length") is not None:
        size = site.value(node.args["length"])
    parts = [operand, start, *(() if size is None else (size,))]
    if any(part.kind is Kind.NULL for part in parts):
        return NULL
    if any(part.kind is not Kind.INTEGER for part in parts[1:]):
        raise site.refused("substring", node, "cuts at a position that is no integer")
    first = start.expr == ir.Literal(1)
    behind = _place_searched(node.args["start"], start.expr)
    if size is not None and not (first or behind is not None):
        raise site.refused("substring", node, "cuts at a position that may be before the text")
    whole, nullable = operand.expr, any(part.nullable for part in parts)
    if size is None and behind is not None:
        return Value(ir.Call("substring", (whole, behind)), Kind.STRING, nullable)
    if size is None:
        before = ir.Arith(ir.ArithOp.SUB, start.expr, ir.Literal(1))
        whens: tuple[ir.When, ...] = (
            _when(ir.CompareOp.GT, start.expr, ir.Call("substring", (whole, before))),
            _when(ir.CompareOp.EQ, start.expr, whole),
            _when(ir.CompareOp.LT, start.expr, ir.Call("right", (whole, ir.Neg(start.expr)))),
        )
        return Value(ir.Case(whens, None), Kind.STRING, nullable)
    place = ir.Literal(0) if behind is None else behind
    cut = ir.Call("substring", (whole, place, size.expr))
    if behind is None:
        cut = ir.Call("left", (whole, size.expr))
    if isinstance(size.expr, ir.Literal) and cast(int, size.expr.value) >= 0:
        return Value(cut, Kind.STRING, nullable)
    ahead = ir.Call("right", (ir.Call("left", (whole, place)), ir.Neg(size.expr)))
    whens = (_when(ir.CompareOp.GE, size.expr, cut), _when(ir.CompareOp.LT, size.expr, ahead))
    return Value(ir.Case(whens, None), Kind.STRING, nullable)


def _when(op: ir.CompareOp, number: ir.Expr, result: ir.Expr) -> ir.When:
    return ir.When(ir.Compare(op, number, ir.Literal(0)), result)


def _place_searched(node: exp.Expr, start: ir.Expr) -> ir.Expr | None:
    """`instr(…)` of a start that is `instr(…) + 1`, the number of characters before it."""
    bare = node.unnest()
    if not isinstance(bare, exp.Add) or not isinstance(bare.this.unnest(), exp.StrPosition):
        return None
    one = isinstance(start, ir.Arith) and start.right == ir.Literal(1)
    return start.left if one and isinstance(start, ir.Arith) else None


@VALUES.of(exp.Left, exp.Right)
def end(site: Site, node: exp.Left | exp.Right) -> Value:
    """left(x, n) and right(x, n)."""
    inner = node.this
    if site.house.rules.name == "tsql" and isinstance(inner, exp.Cast):
        inner = inner.this  # whose parser writes a conversion to text around it
    part = _part_of_date(site, inner, None, node.expression)
    if isinstance(node, exp.Left) and part is not None:
        return part
    operand = as_text(site, inner)
    size = integer_literal(site, node.expression, default=None)
    if operand.kind is Kind.NULL:
        return NULL
    if size is None:
        raise site.refused("substring", node, "cuts at a position that is no plain literal")
    if size < 0 and site.house.rules.name in ("postgres", "duckdb"):
        return of_letters(_without(node, operand, -size), operand)
    if size < 0:
        raise site.refused("substring", node, "takes a number of characters below 0")
    name = "left" if isinstance(node, exp.Left) else "right"
    piece = part_of(site.value(inner), 0, size) if name == "left" else None
    if piece is not None and site.house.rules.affinity:
        return Value(piece, Kind.STRING, operand.nullable, ascii=True)
    called = ir.Call(name, (operand.expr, ir.Literal(size)))
    return of_letters(Value(called, Kind.STRING, operand.nullable), operand)


def _without(node: exp.Expr, operand: Value, size: int) -> Value:
    """A text without its last or first characters: `left(x, -1)`, `right(x, -1)`."""
    number = ir.Literal(size)
    if isinstance(node, exp.Right):
        rest: ir.Expr = ir.Call("substring", (operand.expr, number))
        return Value(rest, Kind.STRING, operand.nullable)
    length = ir.Call("size", (operand.expr,))
    rest = ir.Call("left", (operand.expr, ir.Arith(ir.ArithOp.SUB, length, number)))
    longer = ir.When(ir.Compare(ir.CompareOp.GT, length, number), rest)
    shorter = ir.When(ir.Compare(ir.CompareOp.LE, length, number), ir.Literal(""))
    return Value(ir.Case((longer, shorter)), Kind.STRING, operand.nullable)


@VALUES.of(exp.SplitPart)
def part_of_text(site: Site, node: exp.SplitPart) -> Value:
    """split_part(text, between, n): the n-th part from either end, empty where there is none."""
    operand, between = as_text(site, node.this), as_text(site, node.args["delimiter"])
    number = integer_literal(site, node.args["part_index"], default=0)
    if Kind.NULL in (operand.kind, between.kind):
        return NULL
    if not isinstance(between.expr, ir.Literal) or not between.expr.value:
        raise site.refused(
            "unsupported-expression", node, "splits at nothing, or at what is no constant"
        )
    if not number or (number < 0 and site.house.rules.name != "postgres"):
        sentence = "takes a part whose number is no constant from 1 on"
        raise site.refused("unsupported-expression", node, sentence)
    parts = ir.Call("split", (operand.expr, between.expr))
    part: ir.Expr = ir.Index(parts, ir.Literal(number - 1 if number > 0 else number))
    sure = number in (1, -1)
    if not sure:
        part = ir.Call("coalesce", (part, ir.Literal("")))
    if not sure and operand.nullable:
        part = ir.Case((ir.When(is_null(operand, negated=True), part),))
    return of_letters(Value(part, Kind.STRING, operand.nullable), operand)


@VALUES.of(exp.SubstringIndex)
def parts_of_text(site: Site, node: exp.SubstringIndex) -> Value:
    """MySQL's SUBSTRING_INDEX(text, between, n): the first n parts, or the last ones."""
    operand, between = as_text(site, node.this), as_text(site, node.args["delimiter"])
    number = integer_literal(site, node.args["count"], default=None)
    if Kind.NULL in (operand.kind, between.kind):
        return NULL
    word = between.expr.value if isinstance(between.expr, ir.Literal) else None
    if not isinstance(word, str) or not word or not number:
        raise site.refused("substring", node, "splits by what is no constant, or takes no parts")
    if number < 0 and any(word[:size] == word[-size:] for size in range(1, len(word))):
        raise site.refused("substring", node, "splits from the end at what overlaps with itself")
    parts = ir.Call("split", (operand.expr, between.expr))
    if number in (1, -1):
        piece: ir.Expr = ir.Index(parts, ir.Literal(0 if number > 0 else -1))
        return of_letters(Value(piece, Kind.STRING, operand.nullable), operand)
    bounds = (None, ir.Literal(number)) if number > 0 else (ir.Literal(number), None)
    whole, part = ir.Var("joined text"), ir.Var("next text")
    behind = ir.Arith(ir.ArithOp.ADD, whole, between.expr)
    added = ir.Arith(ir.ArithOp.ADD, behind, part)
    kept: ir.Expr = ir.Slice(parts, *bounds)
    if number < 0:
        all_kept = ir.Compare(ir.CompareOp.LE, ir.Call("size", (parts,)), ir.Literal(-number))
        kept = ir.Case((ir.When(all_kept, parts),), kept)
    folded = ir.Reduce(whole.name, ir.Literal(""), part.name, kept, added)
    cut_off = ir.Call("substring", (folded, ir.Literal(len(word))))
    return of_letters(Value(cut_off, Kind.STRING, operand.nullable), operand)


@VALUES.of(exp.Pad)
def padded(site: Site, node: exp.Pad) -> Value:
    """lpad(x, n, 'characters') and rpad(): exactly n characters."""
    operand = as_text(site, node.this)
    size = integer_literal(site, node.expression, default=None)
    filling = node.args.get("fill_pattern")
    fill = as_text(site, filling) if filling is not None else text(" ")
    if Kind.NULL in (operand.kind, fill.kind):
        return NULL
    word = fill.expr.value if isinstance(fill.expr, ir.Literal) else None
    if not isinstance(word, str) or not word or size is None or not 0 <= size <= _MOST_PADDED:
        raise site.refused("substring", node, "fills with, or up to, what is no plain literal")
    filled = ir.Literal((word * size)[:size])
    number = ir.Literal(size)
    if not node.args.get("is_left"):
        more = ir.Arith(ir.ArithOp.ADD, operand.expr, filled)
        made = Value(ir.Call("left", (more, number)), Kind.STRING, operand.nullable)
        return of_letters(made, operand, fill)
    length = ir.Call("size", (operand.expr,))
    gap = ir.Call("left", (filled, ir.Arith(ir.ArithOp.SUB, number, length)))
    before = ir.When(
        ir.Compare(ir.CompareOp.LT, length, number), ir.Arith(ir.ArithOp.ADD, gap, operand.expr)
    )
    made = Value(
        ir.Case((before,), ir.Call("left", (operand.expr, number))), Kind.STRING, operand.nullable
    )
    return of_letters(made, operand, fill)


@VALUES.of(exp.StrPosition)
def position(site: Site, node: exp.StrPosition) -> Value:
    """instr(x, 'part'), 1-based, 0 where it does not occur."""
    at, part = as_text(site, node.this), as_text(site, node.args["substr"])
    if Kind.NULL in (at.kind, part.kind):
        return NULL
    if not isinstance(part.expr, ir.Literal) or part.expr.value == "":
        raise site.refused("substring", node, "looks for nothing, or for what is no literal")
    if site.house.rules.folds:  # under the collation of the text
        sought = str(part.expr.value)
        if at.collation != "BINARY" and not f"{sought}{at.spelled.signs}".isascii():
            raise site.refused("collation", node, "compares as many bytes, of letters with accents")
        expr, (word,) = with_parts(site, node, at, [sought])
        at, part = at.like(expr), text(word)
    before = ir.Index(ir.Call("split", (at.expr, part.expr)), ir.Literal(0))
    place = ir.Arith(ir.ArithOp.ADD, ir.Call("size", (before,)), ir.Literal(1))
    inside = ir.Text(ir.TextOp.CONTAINS, at.expr, part.expr)
    whens: tuple[ir.When, ...] = (ir.When(inside, place),)
    if at.nullable:
        whens = (*whens, ir.When(ir.IsNull(at.expr, negated=True), ir.Literal(0)))
    default = None if at.nullable else ir.Literal(0)
    return Value(ir.Case(whens, default), Kind.INTEGER, at.nullable)


def _cut(word: str, start: int, size: int | None) -> str:
    begin = start - 1 if start > 0 else len(word) + start
    end = len(word) if size is None else begin + size
    return word[max(begin, 0) : max(end, 0)]
