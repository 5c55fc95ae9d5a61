"""Texts of dates and timestamps as GoogleSQL reads them ("Data types", canonical formats)."""

from __future__ import annotations

import re
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.temporal.utc import in_utc
from graphmill.errors import QueryTextError, Refused, Span
from schemagraph.model import Kind
from translators.gql.reader import functions as standard

_DAY = re.compile(r"(\d{4})-(\d\d?)-(\d\d?)", re.ASCII)
_CLOCK = re.compile(r"[ Tt](\d\d?):(\d\d?):(\d\d?)(\.\d{1,9})?", re.ASCII)
_ZONE = re.compile(r"[Zz]| UTC|([+-])(\d\d?)(?::(\d\d))?|([+-])(\d\d)(\d\d)", re.ASCII)
_AWAY = re.compile(r"[+-]\d\d:\d\d", re.ASCII)
_FURTHEST = 14 * 60
"""The offset from UTC, in minutes, that GoogleSQL takes."""


def day(text: str, span: Span | None) -> ir.Expr:
    """The date that `2024-1-5` writes.

    Raises:
        Refused: it is no date of GoogleSQL.
    """
    parts = _DAY.fullmatch(text)
    if parts is None:
        raise _no_literal("DATE", text, span)
    return _checked("DATE", _date(parts), text, span)


def moment(text: str, span: Span | None) -> ir.Expr:
    """The moment that `2024-01-05 10:00:00+01` writes, in UTC: to GoogleSQL it is an instant, of
    which Cypher would tell the offset.

    Raises:
        Refused: it is no timestamp of GoogleSQL, or names no offset: then it is one of the
            database's time zone.
    """
    parts = _DAY.match(text)
    clock = _CLOCK.match(text, parts.end()) if parts else None
    rest = text[clock.end() :] if clock else text[parts.end() :] if parts else text
    if parts and (not rest or (clock and rest[0] == " " and rest != " UTC")):
        raise Refused(
            "time-zone", f"TIMESTAMP '{text}'", "A moment names its zone: '2024-01-01T00:00:00Z'.",
            span,
        )  # fmt: skip
    zone = _ZONE.fullmatch(rest)
    if parts is None or clock is None or zone is None:
        raise _no_literal("TIMESTAMP", text, span)
    hour, minute, second = (f"{int(part):02}" for part in clock.groups()[:3])
    sign, hours, minutes = zone.groups()[:3] if zone[1] else zone.groups()[3:]
    away = 60 * int(hours or 0) + int(minutes or 0)
    if away > _FURTHEST or int(minutes or 0) > 59:
        raise _no_literal("TIMESTAMP", text, span)
    offset = f"{sign}{away // 60:02}:{away % 60:02}" if away else "Z"
    written = f"{_date(parts)}T{hour}:{minute}:{second}{clock[4] or ''}{offset}"
    checked = _checked("TIMESTAMP", written, text, span)
    if written.endswith("Z"):
        return checked
    try:
        return standard.literal("TIMESTAMP", f"{in_utc(written)}Z", span)
    except OverflowError:
        raise _no_literal("TIMESTAMP", text, span) from None


def constant(kind: Kind, text: str, span: Span | None) -> ir.Expr:
    """What GoogleSQL makes of a text literal where a value of `kind` is asked for.

    Raises:
        Refused
    """
    return day(text, span) if kind is Kind.DATE else moment(text, span)


def at_offset(value: ir.Expr, zone: str) -> ir.Expr:
    """A constant moment in the offset `+01:00`, in which its parts are read; any other as it is."""
    match value:
        case ir.Call("datetime", (ir.Literal(value=str() as text),)) if _AWAY.fullmatch(zone):
            sign = "-" if zone[0] == "+" else "+"
            try:
                away = in_utc(f"{text.removesuffix('Z')}{sign}{zone[1:]}") + zone
            except OverflowError:
                return value
            return replace(value, args=(ir.Literal(away),))
    return value


def _date(parts: re.Match[str]) -> str:
    return f"{parts[1]}-{int(parts[2]):02}-{int(parts[3]):02}"


def _checked(kind: str, written: str, text: str, span: Span | None) -> ir.Expr:
    if written.startswith("0000"):
        raise _no_literal(kind, text, span)
    try:
        return standard.literal(kind, written, span)
    except QueryTextError:
        raise _no_literal(kind, text, span) from None


def _no_literal(kind: str, text: str, span: Span | None) -> Refused:
    return Refused("temporal-text", f"{kind} '{text}'", f"GoogleSQL has no such {kind}.", span)
