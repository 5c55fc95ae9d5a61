"""Temporal constants, computed here, and parts of temporal values."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.temporal.values import Moment, Span
from schemagraph.model import Kind, Type
from translators.duckdb.model.constants import constant as evaluated
from translators.duckdb.model.sql import Scope
from translators.sparql.expressions.core import INTEGER, refused
from translators.sparql.model import terms
from translators.sparql.model.compiler import Sx

_DATED = frozenset({Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME})
_TIMED = frozenset({Kind.DATETIME, Kind.ZONED_DATETIME})
_PARTS = {
    "year": ("YEAR({})", _DATED),
    "month": ("MONTH({})", _DATED),
    "day": ("DAY({})", _DATED),
    "hour": ("HOURS({})", _TIMED),
    "minute": ("MINUTES({})", _TIMED),
    "second": ("xsd:integer(SECONDS({}))", _TIMED),
}


def constant(node: ir.Expr) -> Sx | None:
    """A temporal expression that is the same in every row; None if it is not.

    Raises:
        Refused: there is no such temporal value.
    """
    folded = evaluated(node, Scope())
    value = folded.const if folded is not None else None
    if isinstance(node, ir.Call) and node.name == "duration" and isinstance(value, Span):
        inner = evaluated(node.args[0], Scope())
        if inner is not None and isinstance(inner.const, Span):
            raise refused("temporal", node, "duration() takes no duration.")
    match value:
        case Moment():
            return Sx(terms.moment(value), Type(value.kind), null=False)
        case Span():
            return Sx(terms.span(value), Type(Kind.DURATION), null=False)
        case int() if not isinstance(value, bool) and isinstance(node, ir.Prop):
            return Sx(terms.integer(value), INTEGER, null=False)
    return None


def component(base: Sx, node: ir.Prop) -> Sx:
    """A part of a date or moment."""
    part = _PARTS.get(node.key)
    if part is None or base.type.kind not in part[1]:
        raise refused("temporal-component", node, f"SPARQL has no access to '{node.key}'.")
    return Sx(part[0].format(base.text), INTEGER, base.null)
