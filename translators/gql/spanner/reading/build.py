"""From the rules of the GQL grammar to Graph-IR, where Spanner's GQL says it otherwise."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.cypher.operators import combine, extent
from graph_ir.cypher.scanning import Token, failed
from graph_ir.walk import find
from graphmill.errors import Refused, Span
from translators.gql.reader.build import Build
from translators.gql.reader.expressions import string_of
from translators.gql.reader.idioms.rows import only_filters
from translators.gql.reader.operators import resolve
from translators.gql.spanner.reading import functions, instants
from translators.gql.spanner.reading.coercion import as_float
from translators.gql.spanner.reading.functions import PARTS, open_call, whole

type Children = list[Any]

_UNSAID = {
    "%": "GoogleSQL has no operator %: write MOD(a, b).",
    "^": "GoogleSQL has no power operator: write POWER(a, b).",
    "+": "GoogleSQL joins texts and lists by ||.",
    "CONTAINS": "GoogleSQL has no CONTAINS: write STRPOS(x, y) > 0.",
    "STARTS WITH": "GoogleSQL has no STARTS WITH: write STARTS_WITH(x, y).",
    "ENDS WITH": "GoogleSQL has no ENDS WITH: write ENDS_WITH(x, y).",
    "=~": "GoogleSQL has no =~.",
    "XOR": "GoogleSQL has no XOR: write a <> b.",
}
_INSTANTS = {"DATE": instants.day, "TIMESTAMP": instants.moment}
_WILD = re.compile(r"[%_\\]")


class SpannerBuild(Build):
    """Callbacks of the parser; the names are those of the grammar's rules and aliases."""

    def chosen(self, c: Children) -> Any:
        return []  # which graph is the caller's choice

    # --- operators -------------------------------------------------------------------------

    def resolve(self, c: Children) -> ir.Expr:
        return resolve(c[0], False, _joined)

    def listed(self, c: Children) -> ir.Expr:
        """What stands in parentheses behind IN."""
        return open_call("listed", c[1], *c[3], span=extent(c[0].span, c[4].span))

    def is_null(self, c: Children) -> Any:
        test = super().is_null(c)
        make = test.make

        def of_element(x: ir.Expr) -> ir.Expr:
            # IS NULL takes no elements; an element and its identifier are null together.
            if isinstance(x, ir.Call) and x.name in ("elementId", "length"):
                x = x.args[0]
            made: ir.Expr = make(x)
            return made

        test = type(test)(of_element, test.span, test.token, test.loose)
        return test

    # --- values ----------------------------------------------------------------------------

    def temporal(self, c: Children) -> ir.Expr:
        kind, text = c[0].text, string_of(c[1])
        if kind not in ("DATE", "TIMESTAMP"):
            raise failed(c[0], f"Spanner has no {kind}.", "temporal-text")
        try:
            return _INSTANTS[kind](text, extent(c[0].span, c[1].span))
        except Refused as problem:
            if problem.code == "temporal-text":
                raise failed(c[1], problem.reason, problem.code) from None
            raise

    def worded_list(self, c: Children) -> ir.ListOf:
        """`ARRAY<FLOAT64>[1, 2]`: the items are of the type that is named."""
        made = super().worded_list(c)
        named = c[0].source.text[c[0].start : c[0].end].rstrip("> \n").rpartition("<")[2]
        return replace(made, items=tuple(_of_type(item, named.upper()) for item in made.items))

    def interval(self, c: Children) -> ir.Expr:
        keyword, amount, unit = c
        span = extent(keyword.span, unit.span)
        return open_call("interval", ir.Literal(unit.text), amount, span=span)

    def index(self, c: Children) -> Any:
        base, opened, at, end = c
        span = extent(base.span, end.span)
        match at:
            case ir.Call(name="spanner.offset", args=(place,)):
                return _item(base, place, span)
            case ir.Call(name="spanner.ordinal", args=(place,)) if (whole(place) or 0) > 0:
                return ir.Index(base, ir.Literal((whole(place) or 1) - 1), span=span)
            case ir.Call(name="spanner.sure_offset", args=(place,)):
                return _sure_item(base, place, 0, span)
            case ir.Call(name="spanner.sure_ordinal", args=(place,)):
                return _sure_item(base, place, 1, span)
        raise failed(opened, "An item is taken by [SAFE_OFFSET(n)].", "not-in-gql")

    def array_query(self, c: Children) -> ir.Expr:
        span = extent(c[0].span, c[3].span)
        return _comprehension(c[2], span) or ir.CollectOf(c[2], span=span)

    # --- functions -------------------------------------------------------------------------

    def cast(self, c: Children) -> ir.Expr:
        safe = c[0].text.upper() == "SAFE_CAST"
        return functions.cast(c[2], c[4].text, extent(c[0].span, c[5].span), safe=safe)

    def function_none(self, c: Children) -> ir.Expr:
        return functions.call(c[0], (), extent(c[0].span, c[2].span))

    def function(self, c: Children) -> ir.Expr:
        return functions.call(c[0], tuple(c[2]), extent(c[0].span, c[3].span))

    def function_quantified(self, c: Children) -> ir.Expr:
        return self._aggregate(c[0], c[2], c[3], "", c[4])

    def nulls_said(self, c: Children) -> ir.Expr:
        name, _open, quantity, arguments, nulls, end = c
        return self._aggregate(name, quantity, arguments, nulls.text, end)

    def _aggregate(
        self, name: Token, quantity: Token | None, arguments: list[ir.Expr], nulls: str, end: Token
    ) -> ir.Expr:
        if len(arguments) != 1:
            raise failed(name, f"{name.text}() takes 1 argument.", "wrong-arity")
        distinct = quantity is not None and quantity.type == "DISTINCT"
        span = extent(name.span, end.span)
        return functions.aggregate(name, arguments[0], distinct, nulls, span)

    def trim_from(self, c: Children) -> ir.Expr:
        return self._part(c[0], c[2], c[4], "", c[5])

    def part_in_zone(self, c: Children) -> ir.Expr:
        zone = c[6].value if isinstance(c[6], ir.Literal) else None
        if not isinstance(zone, str):
            raise Refused("time-zone", "AT TIME ZONE", "The zone is no constant.", c[5].span)
        return self._part(c[0], c[2], c[4], zone, c[7])

    def _part(self, name: Token, part: ir.Expr, value: ir.Expr, zone: str, end: Token) -> ir.Expr:
        if name.text.upper() != "EXTRACT":
            raise failed(name, f"{name.text}() takes a plain list of arguments.", "wrong-arity")
        word = part.name.upper() if isinstance(part, ir.Var) else ""
        span = extent(name.span, end.span)
        if word == "DATE":
            if not zone:
                raise Refused(
                    "time-zone", "EXTRACT", "The day of a moment is read AT TIME ZONE 'UTC'.", span
                )
            return open_call(f"day:{zone}", value, span=span)
        if word not in PARTS:
            raise Refused("temporal-component", f"EXTRACT({word})", "It has no form.", span)
        return open_call(f"part:{PARTS[word]}:{zone}", value, span=span)

    # --- clauses ---------------------------------------------------------------------------

    def key(self, c: Children) -> Any:
        if isinstance(c[0], ir.IsNull):  # never null itself
            descending = c[1] is not None and c[1].type.startswith("DESC")
            return [ir.SortKey(c[0], descending, span=c[0].span)]
        return super().key(c)

    def order(self, c: Children) -> list[ir.SortKey]:
        """Sort keys without those that say again what Cypher's order has anyway.

        Spanner has no NULLS LAST: `x IS NULL, x` says it.
        """
        keys: list[ir.SortKey] = []
        for key in super().order(c):
            if all(key.expr != before.expr for before in keys):
                keys.append(key)
        return [
            key
            for key, behind in zip(keys, [*keys[1:], None], strict=True)
            if not (
                isinstance(key.expr, ir.IsNull)
                and behind is not None
                and key.expr == ir.IsNull(behind.expr)
                and key.descending == behind.descending
            )
        ]

    def with_(self, c: Children) -> Any:
        keyword, distinct, items, group, having, order, skip, limit, where = c
        return self._projected(
            keyword, distinct, items, group, having, order, skip, limit, where, final=False
        )


def _of_type(item: ir.Expr, named: str) -> ir.Expr:
    """An item of an array whose type is named: literals are coerced to it."""
    if named == "FLOAT64" and whole(item) is not None:
        return as_float(item)
    match item:
        case ir.Literal(str(text)) if named in _INSTANTS:
            return _INSTANTS[named](text, item.span)
        case ir.Literal(None):
            return item
    if named in ("FLOAT64", *_INSTANTS):
        return functions.cast(item, named, item.span)
    return item


def _item(base: ir.Expr, place: ir.Expr, span: Span | None) -> ir.Expr:
    """`list[SAFE_OFFSET(place)]`: null outside of the list; a negative place is outside."""
    number = whole(place)
    if number is not None and number >= 0:
        return ir.Index(base, place, span=span)
    size = ir.Call("size", (base,))
    match place:
        case ir.Arith(ir.ArithOp.SUB, left, ir.Literal(int(back))) if left == size and back > 0:
            return ir.Index(base, ir.Literal(-back), span=span)
        case ir.Case(
            (ir.When(ir.Compare(ir.CompareOp.LT, at, ir.Literal(0)), behind),), same, None
        ):
            if same == at and behind == ir.Arith(ir.ArithOp.ADD, size, at):
                return ir.Index(base, at, span=span)
    inside = ir.Compare(ir.CompareOp.GE, place, ir.Literal(0))
    return ir.Case((ir.When(inside, ir.Index(base, place)),), span=span)


def _sure_item(base: ir.Expr, place: ir.Expr, first: int, span: Span | None) -> ir.Expr:
    """`list[OFFSET(place)]`, an error outside of the list."""
    number = whole(place)
    at = -1 if number is None else number - first
    if not (isinstance(base, ir.ListOf) and 0 <= at < len(base.items)):
        raise Refused(
            "index", "OFFSET", "Outside of the array it is an error: write SAFE_OFFSET(n).", span
        )
    return ir.Index(base, ir.Literal(at), span=span)


def _comprehension(query: ir.Statement, span: Span | None) -> ir.Expr | None:
    """`ARRAY {FOR x IN list WITH OFFSET AS place … RETURN y ORDER BY place}`: `[x IN list | y]`."""
    match query.clauses if isinstance(query, ir.Query) else ():
        case (
            ir.Unwind(ir.Call(name="range"), place),
            ir.Project(items=(_, ir.Item(ir.Index(listed, ir.Var(at)), name))),
            *tests,
            ir.Project(items=(item,), order=(*_, ir.SortKey(ir.Var(by), False)) as order) as last,
        ) if place == at == by:
            pass
        case _:
            return None
    counted = {ir.Var(place), ir.IsNull(ir.Var(place))}
    if last != ir.Project((item,), order=order, final=True):
        return None
    if not {key.expr for key in order} <= counted:
        return None
    where: list[ir.Expr] = []
    for test in tests:
        if not (isinstance(test, ir.Project) and test.where and only_filters(test)):
            return None
        where.append(test.where)
    if any(var.name == place for node in (item.expr, *where) for var in find(node, ir.Var)):
        return None
    condition = where[0] if len(where) == 1 else ir.Bool(ir.BoolOp.AND, tuple(where))
    result = None if item.expr == ir.Var(name) else item.expr
    # Of NULL the array is empty, the list of Cypher null.
    of = open_call("members", listed, span=span)
    return ir.ListComp(name, of, condition if where else None, result, span=span)


def _joined(token: Token, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """Two operands joined as GoogleSQL has it ("Operators")."""
    negated = token.text.startswith("NOT ")
    name = token.text.removeprefix("NOT ")
    span = extent(left.span, right.span)
    made: ir.Expr
    match name:
        case "IN":
            made = ir.In(left, _members(right), span=span)
        case "BETWEEN":
            low, high = right.items if isinstance(right, ir.ListOf) else (right, right)
            made = ir.Bool(
                ir.BoolOp.AND,
                (
                    ir.Compare(ir.CompareOp.GE, left, low, span=span),
                    ir.Compare(ir.CompareOp.LE, left, high, span=span),
                ),
                span=span,
            )
        case "LIKE":
            made = _like(token, left, right)
        case "/":
            return open_call("quotient", left, right, span=span)
        case _:
            text = any(
                isinstance(side, ir.ListOf)
                or (isinstance(side, ir.Literal) and isinstance(side.value, str))
                for side in (left, right)
            )
            if name in _UNSAID and (name != "+" or text):
                raise failed(token, _UNSAID[name], "not-in-gql")
            return combine(name, left, right)
    return ir.Not(made, span=span) if negated else made


def _members(right: ir.Expr) -> ir.Expr:
    """The list behind IN: several values or one in parentheses, or UNNEST of a list."""
    match right:
        case ir.Call(name="spanner.listed", args=values):
            return ir.ListOf(values, span=right.span)
        case ir.Call(name="spanner.unnest", args=(values,)):
            # "IN": of an UNNEST of a NULL array it is FALSE, in Cypher null.
            return open_call("members", values, span=right.span)
    return ir.ListOf((right,), span=right.span)


def _like(token: Token, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """`x LIKE 'ab%'`: texts that begin with, end with, contain or are something."""
    pattern = right.value if isinstance(right, ir.Literal) else None
    if not isinstance(pattern, str):
        raise Refused("like-pattern", "LIKE", "The pattern is no constant.", token.span)
    inside = pattern.removeprefix("%").removesuffix("%") if pattern != "%" else ""
    if _WILD.search(inside):
        raise Refused(
            "like-pattern", "LIKE", "Only % at the ends of a pattern is translated.", token.span
        )
    first, last = pattern.startswith("%"), pattern.endswith("%") and len(pattern) > 1
    text = ir.Literal(inside, span=right.span)
    span = extent(left.span, right.span)
    if not (first or last):
        return ir.Compare(ir.CompareOp.EQ, left, text, span=span)
    op = ir.TextOp.CONTAINS
    if not (first and last) and inside:
        op = ir.TextOp.ENDS if first else ir.TextOp.STARTS
    return ir.Text(op, left, text, span=span)
