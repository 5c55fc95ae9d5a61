"""Temporal values as the texts that the source holds for them.

SQLite has no type for dates: what is temporal in the graph is text there, in the one format that
the mapping keeps (`schemagraph.temporal.Format`). Cypher's `toString` is ISO 8601 with seconds and
as many digits of a fraction as are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from schemagraph.mapping import TextForm
from schemagraph.model import Kind
from schemagraph.temporal import ISO, Format
from translators.from_sql.statement.values import Value

_SIZES = {Kind.DATE: 10, Kind.TIME: 8, Kind.DATETIME: 19}
_SPACED = {Kind.DATE: TextForm.DATE, Kind.TIME: TextForm.TIME, Kind.DATETIME: TextForm.DATETIME}


def iso(value: Value) -> ir.Expr:
    """A temporal value in Cypher's own text."""
    return ir.Call("toString", (value.expr,))


def printed(value: Value) -> Value:
    """A temporal value as the text that the source holds; anything else as it is."""
    if not value.temporal:
        return value
    form = value.format
    plain = form.digits == 0 and (form.separator == " " or value.kind is Kind.TIME)
    shape = _SPACED.get(value.kind) if plain or value.kind is Kind.DATE else None
    return replace(
        value,
        expr=_text(value),
        kind=Kind.STRING,
        form=shape or TextForm.FREE,
        format=ISO,
        ascii=True,
    )


def _text(value: Value) -> ir.Expr:
    """All of it. Languages differ in how they print a clock, so that its parts are numbers."""
    if value.kind not in _SIZES or value.kind is Kind.DATE or value.form is TextForm.EMPTY:
        return iso(value)
    shown, form = _joined(_pieces(value, 0, _SIZES[value.kind])), value.format
    if form.digits == 0:
        return shown
    if form.zero:
        return ir.Arith(ir.ArithOp.ADD, shown, ir.Literal("." + "0" * form.digits))
    if 0 < form.digits <= 3:
        part, width = ir.Prop(value.expr, "millisecond"), 3
    else:
        part, width = ir.Prop(value.expr, "microsecond"), 6
    digits = _padded(part, width)
    if 0 < form.digits < width:
        digits = ir.Call("left", (digits, ir.Literal(form.digits)))
    fraction: ir.Expr = ir.Arith(ir.ArithOp.ADD, ir.Literal("."), digits)
    if form.digits < 0:
        none = ir.Compare(ir.CompareOp.EQ, part, ir.Literal(0))
        fraction = ir.Case((ir.When(none, ir.Literal("")),), fraction)
    return ir.Arith(ir.ArithOp.ADD, shown, fraction)


def part_of(value: Value, start: int, end: int) -> ir.Expr | None:
    """The characters from `start` up to `end`; None where they need more than date and clock."""
    if not value.temporal or not start < end <= _SIZES.get(value.kind, 0):
        return None
    if value.kind is Kind.DATE:
        return cut(iso(value), start, end)
    pieces = _pieces(value, start, end)
    first, last = pieces[0][0], pieces[-1][1]
    whole = _joined(pieces)
    if last - first > end - start:
        return cut(whole, start - first, end - first)
    return whole


def cut(whole: ir.Expr, start: int, end: int) -> ir.Expr:
    """The characters from `start` up to `end`."""
    if start == 0:
        return ir.Call("left", (whole, ir.Literal(end)))
    return ir.Call("substring", (whole, ir.Literal(start), ir.Literal(end - start)))


type _Piece = tuple[int, int, ir.Expr]


def _pieces(value: Value, start: int, end: int) -> list[_Piece]:
    """Where parts of the text begin and end, as few as hold all from `start` up to `end`."""
    pieces: list[_Piece] = []
    at = 0
    if value.kind is Kind.DATETIME:
        at = 11
        if start == 0:
            pieces.append((0, min(end, 10), cut(iso(value), 0, min(end, 10))))
        else:
            pieces += [
                (0, 4, cut(iso(value), 0, 4)),
                (4, 5, ir.Literal("-")),
                (5, 7, _padded(ir.Prop(value.expr, "month"), 2)),
                (7, 8, ir.Literal("-")),
                (8, 10, _padded(ir.Prop(value.expr, "day"), 2)),
            ]
        pieces.append((10, 11, ir.Literal(value.format.separator)))
    for number, name in enumerate(("hour", "minute", "second")):
        place = at + 3 * number
        if number:
            pieces.append((place - 1, place, ir.Literal(":")))
        pieces.append((place, place + 2, _padded(ir.Prop(value.expr, name), 2)))
    return [piece for piece in pieces if piece[0] < end and piece[1] > start]


def _joined(pieces: Sequence[_Piece]) -> ir.Expr:
    whole = pieces[0][2]
    for _, _, piece in pieces[1:]:
        whole = ir.Arith(ir.ArithOp.ADD, whole, piece)
    return whole


def _padded(number: ir.Expr, width: int) -> ir.Expr:
    """A number with zeros in front."""
    zeros = ir.Literal("0" * (width - 1))
    shown = ir.Arith(ir.ArithOp.ADD, zeros, ir.Call("toString", (number,)))
    return ir.Call("right", (shown, ir.Literal(width)))


def alike(one: Value, other: Value) -> bool:
    """Whether two temporal values are equal and in order just where the source's texts are."""
    if one.kind is not other.kind:
        return False
    return one.kind is Kind.DATE or one.format.alike(other.format)


def common(values: Sequence[Value]) -> Format:
    """The format of what is one of several values whose formats are alike."""
    formats = [value.format for value in values if value.temporal]
    if not formats or len(set(formats)) == 1:
        return formats[0] if formats else ISO
    return Format(formats[0].separator, max(formats[0].digits, 0) or -1)
