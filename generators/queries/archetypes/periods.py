"""Moments as people say them: days, months, years."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.walk import rewrite

_WHOLE = {ir.CompareOp.GT: ir.CompareOp.GE, ir.CompareOp.LE: ir.CompareOp.LT}
_LONG = 300  # days from which on a period is a year


def day(moment: str) -> str:
    """A moment cut at midnight.

    >>> day("2018-03-07T16:12:36"), day("2018-03-07")
    ('2018-03-07T00:00:00', '2018-03-07')
    """
    date, separator, _ = moment.partition("T")
    return f"{date}T00:00:00" if separator else date


def whole_days(statement: ir.Statement) -> ir.Statement:
    """The statement with bounds at midnight that leave no day open: what is after the beginning of
    1 May is on or after 1 May, and "after 1 May" would say something else."""
    return rewrite(statement, _bounded)


def _bounded(node: ir.Node) -> ir.Node:
    match node:
        case ir.Compare(op, left, ir.Call("localdatetime" | "datetime", (ir.Literal(str(text)),))):
            if op in _WHOLE and text.endswith("T00:00:00"):
                return ir.Compare(_WHOLE[op], left, node.right)
    return node


def whole_period(lo: str, hi: str) -> tuple[str, str]:
    """The month in which a moment lies, or the year where it is far to the other one: both ends.

    >>> whole_period("2018-03-07", "2018-04-20"), whole_period("2017-03-07", "2019-01-01")
    (('2018-03-01', '2018-04-01'), ('2017-01-01', '2018-01-01'))
    """
    year, month = int(lo[:4]), int(lo[5:7])
    clock = "T00:00:00" if "T" in lo else ""
    days = (int(hi[:4]) - year) * 365 + (int(hi[5:7]) - month) * 30
    if days > _LONG:
        return f"{year:04}-01-01{clock}", f"{year + 1:04}-01-01{clock}"
    after = (year + month // 12, month % 12 + 1)
    return f"{year:04}-{month:02}-01{clock}", f"{after[0]:04}-{after[1]:02}-01{clock}"
