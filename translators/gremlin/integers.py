"""Integers among keys: TinkerGraph tells 1 of 32 bits from 1 of 64.

Stored integers and numbers of rows have 64; those that a text writes, and lengths, have 32.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from graph_ir import nodes as ir
from graph_ir.walk import children, find
from schemagraph.model import Kind

_NONE = frozenset[bool]()
_SHORT, _WIDE = frozenset({False}), frozenset({True})
_WHOLE = frozenset({Kind.INTEGER, Kind.ANY, Kind.LIST, Kind.MAP, Kind.NULL})
_TESTS = (ir.Compare, ir.Bool, ir.Not, ir.Text, ir.In, ir.IsNull, ir.LabelTest)


def compared_keys(query: ir.Statement) -> list[ir.Expr]:
    """The keys of a statement: of groups, distinct rows, distinct arguments of aggregates."""
    merged = any(not each.all for each in find(query, ir.Union))
    keys: list[ir.Expr] = []
    for part in find(query, ir.Project, ir.Agg):
        match part:
            case ir.Agg(distinct=True):
                keys += part.args
            case ir.Project(distinct=distinct, final=final) if distinct or (merged and final):
                keys += [item.expr for item in part.items]
            case ir.Project():
                keys += part.group or ()
    return keys


@dataclass
class Widths:
    """Of which widths the integers of an expression may be: True is 64 bits, False 32.

    `short`: whether a text writes this integer with 32 bits. `sums`: whether a sum of nothing is a
    0 that is written.
    """

    query: ir.Statement
    short: Callable[[int], bool] = lambda _: True
    sums: bool = True
    _named: dict[str, frozenset[bool]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        defined = [
            *((each.alias, each.expr) for each in find(self.query, ir.Item)),
            *((each.alias, each.expr) for each in find(self.query, ir.Unwind)),
            *((each.var, each.list) for each in find(self.query, ir.ListComp)),
        ]
        more = True
        while more:
            more = False
            for name, expr in defined:
                known = self._named.get(name, _NONE)
                made = self._named[name] = known | self.of(expr)
                more = more or made != known

    def of(self, expr: ir.Node) -> frozenset[bool]:
        """The widths; none where the values are no integers."""
        if isinstance(expr, ir.Expr) and expr.type.kind not in _WHOLE:
            return _NONE
        match expr:
            case ir.Literal(value=value):
                return frozenset({not self.short(value)}) if type(value) is int else _NONE
            case ir.Var(name=name):
                return self._named.get(name, _NONE)
            case ir.Prop():
                return (expr.base.type.kind is Kind.MAP and self.of(expr.base)) or _WIDE
            case ir.Case():
                return self._all(*(when.result for when in expr.whens), expr.default)
            case ir.Arith(left=left, right=right) if expr.type.kind is not Kind.LIST:
                one, other = self.of(left), self.of(right)
                return frozenset(a or b for a in one for b in other) or one | other
            case ir.Call(name="size" | "length", args=(arg,)):
                return _WIDE if arg.type.kind is Kind.LIST else _SHORT
            case ir.Agg(name="count") | ir.CountOf():
                return _WIDE
            case ir.Agg(name="sum") if self.sums:
                return _SHORT | self._all(*expr.args)
            case ir.CollectOf():
                columns = [i for p in find(expr, ir.Project) if p.final for i in p.items]
                return self._all(*(item.expr for item in columns))
        if isinstance(expr, (*_TESTS, ir.Exists, ir.Quantifier)):
            return _NONE
        return self._all(*children(expr))

    def _all(self, *parts: ir.Node | None) -> frozenset[bool]:
        return frozenset(width for part in parts if part is not None for width in self.of(part))
