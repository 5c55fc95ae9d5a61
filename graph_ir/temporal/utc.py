"""Moments in UTC, for languages to which those of two offsets are one instant."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from graph_ir import nodes as ir
from graph_ir.walk import find, rewrite

_OFFSET = re.compile(r"T\d\d:\d\d.*[+-]\d\d:\d\d$")


def in_utc(moment: str) -> str:
    """`2024-01-05T10:00:00.5+01:00` as date and time in UTC: `2024-01-05T09:00:00.5`.

    Raises:
        OverflowError: it is before the year 1 or after 9999 there.
    """
    if moment.endswith("Z"):
        return moment[:-1]
    minute, rest, sign, away = moment[:16], moment[16:-6], moment[-6], moment[-5:]
    offset = timedelta(hours=int(away[:2]), minutes=int(away[3:]))
    shifted = datetime.fromisoformat(minute) - (offset if sign == "+" else -offset)
    return shifted.isoformat(timespec="minutes") + rest


def utc_moments(statement: ir.Statement, read: ir.Statement) -> ir.Statement:
    """The statement with the moments in UTC that parameters gave: they are not in `read`.

    Raises:
        OverflowError: see `in_utc`.
    """
    own = {literal.value for literal in find(read, ir.Literal)}

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Call("datetime" | "localdatetime" as name, (ir.Literal(value=str() as text),)):
                if text not in own and _OFFSET.search(text):
                    shown = in_utc(text) + ("Z" if name == "datetime" else "")
                    return replace(node, args=(ir.Literal(shown),))
        return node

    return rewrite(statement, change)
