"""Operators, operands and literals of Cypher; a part of `graph_ir.cypher.build`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.cypher.errors import error_at
from graph_ir.cypher.operators import IsNullTest, LabelledTest, extent, resolve, tested
from graph_ir.cypher.patterns import labels_of, path_of
from graph_ir.cypher.scanning import MAX_NESTING, Token, failed
from graph_ir.functions import AGGREGATES, canonical
from graph_ir.walk import find
from graphmill.errors import Span, shortened

type Children = list[Any]

_AGGREGATES = frozenset(AGGREGATES)
# Functions whose value is another at each use.
_DRAWN = frozenset({"rand", "randomUUID"})
_LOOSER = (ir.Bool, ir.Compare, ir.In, ir.IsNull, ir.LabelTest, ir.Not, ir.Text)
_ESCAPE = re.compile(
    r"\\(u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)",
    re.DOTALL,
)
_PLAIN_ESCAPES = {
    "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"',
    "`": "`",
}  # fmt: skip
_STRIPS = {"BOTH": "btrim", "LEADING": "ltrim", "TRAILING": "rtrim"}
_MOST_DIGITS = 1000  # Python converts 4,300 of them; 64 bits have 64
_HALF_UP = ir.Literal("HALF_UP")
_OWN = ir.Var("")
"""Stands for the property of its own name in a map projection."""


class Expressions:
    """Callbacks for expressions."""

    # --- operators -----------------------------------------------------------------------

    def resolve(self, c: Children) -> ir.Expr:
        return resolve(c[0])

    def start_not(self, c: Children) -> Children:
        if not isinstance(c[1], list):
            return c
        if len(c[1]) > MAX_NESTING and all(isinstance(x, Token) for x in c[1][:MAX_NESTING]):
            message = f"NOT stands more than {MAX_NESTING} times before an operand."
            raise failed(c[0], message, "nesting-too-deep")
        return [c[0], *c[1]]

    inner_not = start_not

    def start_op(self, c: Children) -> Children:
        return [c[0], c[1], *c[2]] if isinstance(c[2], list) else c

    def more_op(self, c: Children) -> Children:
        c[0].append(c[1])
        if isinstance(c[2], list):
            c[0] += c[2]
        else:
            c[0].append(c[2])
        return c[0]  # type: ignore[no-any-return]

    def start_test(self, c: Children) -> Children:
        return c

    def more_test(self, c: Children) -> Children:
        c[0].append(c[1])
        return c[0]  # type: ignore[no-any-return]

    def is_null(self, c: Children) -> IsNullTest:
        return IsNullTest(False, c[1].span)

    def is_not_null(self, c: Children) -> IsNullTest:
        return IsNullTest(True, c[2].span)

    def is_labelled(self, c: Children) -> LabelledTest:
        name = c[1][0] if len(c[1]) == 1 else None
        if c[0].type == "IS" and isinstance(name, ir.LabelName) and name.name == "NORMALIZED":
            raise failed(c[0], "IS NORMALIZED is not read here.", "normalized")
        return LabelledTest(labels_of(c[1]))

    def negative(self, c: Children) -> ir.Expr:
        value = c[1]
        span = extent(c[0].span, value.span)
        if type(value) is ir.Literal:
            number = value.value
            if isinstance(number, int | float) and not isinstance(number, bool):
                if isinstance(number, int) and -number > 2**63 - 1:  # - -9223372036854775808
                    raise failed(c[0], f"The integer {-number} is too large.", "integer-overflow")
                if number == 0 and c[0].source.text[c[0].end :].lstrip().startswith("("):
                    return value  # Neo4j takes it from 0; what is written -0.0 has a sign
                return ir.Literal(-number, span=span)
        return ir.Neg(value, span=span)

    def positive(self, c: Children) -> ir.Expr:
        return c[1]  # type: ignore[no-any-return]

    # --- operands ------------------------------------------------------------------------

    def var(self, c: Children) -> ir.Var:
        return ir.Var(c[0].text, span=c[0].span)

    def prop(self, c: Children) -> ir.Prop:
        return ir.Prop(c[0], c[2].text, span=extent(c[0].span, c[2].span))

    def index(self, c: Children) -> ir.Index:
        return ir.Index(c[0], c[2], span=extent(c[0].span, c[3].span))

    def slice(self, c: Children) -> ir.Slice:
        return ir.Slice(c[0], c[2], c[4], span=extent(c[0].span, c[5].span))

    def function_none(self, c: Children) -> ir.Expr:
        return _call(c[0], c[1], (), c[2])

    def function_star(self, c: Children) -> ir.Expr:
        name = _function_name(c[0], c[1])
        if name != "count":
            raise failed(c[2], f"Only count(*) takes a star, {name}() does not.", "star-argument")
        return ir.Agg("count", (), span=extent(c[0].span, c[3].span))

    def function(self, c: Children) -> ir.Expr:
        return _call(c[0], c[1], tuple(c[2]), c[3])

    def function_distinct(self, c: Children) -> ir.Expr:
        name = _function_name(c[0], c[1])
        if name not in _AGGREGATES:
            raise failed(
                c[2], f"DISTINCT belongs to aggregates, {name}() is none.", "distinct-argument"
            )
        return ir.Agg(name, tuple(c[3]), True, span=extent(c[0].span, c[4].span))

    def side(self, c: Children) -> Token:
        return c[0]  # type: ignore[no-any-return]

    def function_trim(self, c: Children) -> ir.Expr:
        """`trim(BOTH 'x' FROM y)` strips one letter: btrim, ltrim or rtrim of Cypher."""
        callee, opening, side, letter, keyword, text, closing = c
        name = _function_name(callee, opening)
        if name != "trim":
            raise failed(keyword, f"FROM belongs to trim(), not to {name}().", "unexpected-token")
        value = letter.value if isinstance(letter, ir.Literal) else None
        if isinstance(value, str) and len(value) != 1:
            raise failed(
                keyword,
                f"trim() strips one character: write btrim(…, {value!r}).",
                "trim-character",
            )
        strips = _STRIPS[side.type if side is not None else "BOTH"]
        span = extent(callee.span, closing.span)
        if letter is None:
            return ir.Call(strips, (text,), span=span)
        if not isinstance(letter, ir.Literal):
            letter = _one_character(letter, text)
        return ir.Call(strips, (text, letter), span=span)

    def integer(self, c: Children) -> ir.Literal:
        token: Token = c[0]
        value = integer_of(token)
        if value > 2**63 - 1:
            before = token.source.tokens[token.index - 1] if token.index else None
            if value > 2**63 or before is None or before.type != "MINUS":
                raise failed(
                    token, f"The integer {shortened(token.text)} is too large.", "integer-overflow"
                )
        return ir.Literal(value, span=token.span)

    def float(self, c: Children) -> ir.Literal:
        value = float(c[0].text.replace("_", ""))
        if value == float("inf"):
            raise failed(c[0], f"The number {shortened(c[0].text)} is too large.", "float-overflow")
        return ir.Literal(value, span=c[0].span)

    def string(self, c: Children) -> ir.Literal:
        return ir.Literal(string_of(c[0]), span=c[0].span)

    def param(self, c: Children) -> ir.Param:
        return ir.Param(c[0].text, span=c[0].span)

    def null(self, c: Children) -> ir.Literal:
        return ir.Literal(None, span=c[0].span)

    def true(self, c: Children) -> ir.Literal:
        return ir.Literal(True, span=c[0].span)

    def false(self, c: Children) -> ir.Literal:
        return ir.Literal(False, span=c[0].span)

    def parenthesised(self, c: Children) -> ir.Expr:
        return c[1]  # type: ignore[no-any-return]

    def list(self, c: Children) -> ir.ListOf:
        return ir.ListOf(tuple(c[1] or ()), span=extent(c[0].span, c[2].span))

    def comprehension(self, c: Children) -> ir.ListComp:
        begin, var, _in, items, where, _bar, result, end = c
        return ir.ListComp(var.text, items, where, result, span=extent(begin.span, end.span))

    def pattern_comprehension(self, c: Children) -> ir.PatternComp:
        begin, chain, where, _bar, result, end = c
        return ir.PatternComp(path_of(chain), result, where, span=extent(begin.span, end.span))

    def pattern_comprehension_named(self, c: Children) -> ir.PatternComp:
        begin, name, _eq, chain, where, _bar, result, end = c
        path = replace(path_of(chain), var=name.text)
        return ir.PatternComp(path, result, where, span=extent(begin.span, end.span))

    def map_projection(self, c: Children) -> ir.MapProjection:
        name, _open, parts, end = c
        base = ir.Var(name.text, span=name.span)
        entries = tuple(part for part in parts or () if part is not None)
        everything = len(entries) != len(parts or ())
        entries = tuple(
            replace(e, value=ir.Prop(base, e.key, span=e.span)) if e.value is _OWN else e
            for e in entries
        )
        return ir.MapProjection(base, entries, everything, span=extent(name.span, end.span))

    def project_key(self, c: Children) -> ir.Entry:
        return ir.Entry(c[1].text, _OWN, span=c[1].span)

    def project_all(self, c: Children) -> None:
        return None

    def project_var(self, c: Children) -> ir.Entry:
        return ir.Entry(c[0].text, ir.Var(c[0].text, span=c[0].span), span=c[0].span)

    def case(self, c: Children) -> ir.Case:
        begin, operand, whens, _else, default, end = c
        span = extent(begin.span, end.span)
        plain = all(isinstance(test, ir.Expr) for _, tests, _ in whens for test in tests)
        if operand is None and not (plain and all(len(tests) == 1 for _, tests, _ in whens)):
            raise failed(begin, "A CASE without operand takes one condition a WHEN.", "case-list")
        if plain or operand is None:
            branches = [ir.When(t, result, span=at) for at, tests, result in whens for t in tests]
            return ir.Case(tuple(branches), default, operand, span=span)
        if any(call.name in _DRAWN for call in find(operand, ir.Call)):
            raise failed(
                begin, "The operand of this CASE is drawn anew for each WHEN.", "case-operand"
            )
        branches = [
            ir.When(tested(operand, test), result, span=at)
            for at, tests, result in whens
            for test in tests
        ]
        return ir.Case(tuple(branches), default, span=span)

    def when(self, c: Children) -> tuple[Span | None, tuple[Any, ...], ir.Expr]:
        return c[0].span, tuple(c[1]), c[3]

    def when_compared(self, c: Children) -> tuple[str, ir.Expr]:
        if isinstance(c[1], _LOOSER):
            raise failed(
                c[0], "One WHEN compares once: write a CASE without operand.", "case-operand"
            )
        return c[0].text, c[1]

    def quantifier(self, c: Children) -> ir.Quantifier:
        kind = ir.QuantifierKind(c[0].type.lower())
        return ir.Quantifier(kind, c[2].text, c[4], c[5], span=extent(c[0].span, c[6].span))

    def reduce(self, c: Children) -> ir.Reduce:
        keyword, _open, acc, _eq, init, _comma, var, _in, items, _bar, step, end = c
        return ir.Reduce(acc.text, init, var.text, items, step, span=extent(keyword.span, end.span))

    def pattern(self, c: Children) -> ir.Exists:
        path = path_of(c[0])
        query = ir.Query((ir.Match((path,), span=path.span),), span=path.span)
        return ir.Exists(query, ir.ExistsForm.PATTERN, span=path.span)

    def path_value(self, c: Children) -> ir.PathExpr:
        return ir.PathExpr(c[0], span=c[0].span)

    def subquery(self, c: Children) -> ir.Expr:
        keyword, _open, body, end = c
        span = extent(keyword.span, end.span)
        if keyword.type == "EXISTS":
            return ir.Exists(body, span=span)
        if keyword.type == "COUNT":
            return ir.CountOf(body, span=span)
        return ir.CollectOf(body, span=span)

    def body_query(self, c: Children) -> ir.Statement:
        return c[0]  # type: ignore[no-any-return]

    def body_pattern(self, c: Children) -> ir.Query:
        span = c[0][0].span
        return ir.Query((ir.Match(tuple(c[0]), c[1], span=span),), span=span)

    def map(self, c: Children) -> ir.MapOf:
        return ir.MapOf(tuple(c[1] or ()), span=extent(c[0].span, c[2].span))

    def entry(self, c: Children) -> ir.Entry:
        return ir.Entry(c[0].text, c[2], span=c[0].span)


def _function_name(callee: Any, token: Token) -> str:
    parts: list[str] = []
    while isinstance(callee, ir.Prop):
        parts.append(callee.key)
        callee = callee.base
    if not isinstance(callee, ir.Var):
        raise failed(token, "A function is called by its name.", "not-a-function")
    parts.append(callee.name)
    return canonical(".".join(reversed(parts)))


def _call(callee: Any, token: Token, args: tuple[ir.Expr, ...], end: Token) -> ir.Expr:
    name = _function_name(callee, token)
    span = extent(callee.span, end.span)
    if name in _AGGREGATES:
        if not args:
            raise failed(token, f"{name}() needs an argument.", "wrong-arity")
        return ir.Agg(name, args, span=span)
    if name == "exists" and len(args) == 1:
        arg = args[0]
        if isinstance(arg, ir.Exists):
            return replace(arg, form=ir.ExistsForm.FUNCTION, span=span)
        if isinstance(arg, ir.Prop | ir.Index):
            return ir.IsNull(arg, True, span=span)
    if name == "round" and args[2:] == (_HALF_UP,) and _is_place(args[1]):
        args = args[:2]  # as without it; round(x, 0) alone has another rule for -1.5
    return ir.Call(name, args, span=span)


def _one_character(letter: ir.Expr, text: ir.Expr) -> ir.Expr:
    """The same letter; where it is not one character, trim() raises an error, as left() does of a
    negative length. Of no text it raises none."""
    longer = ir.Compare(ir.CompareOp.NE, ir.Call("size", (letter,)), ir.Literal(1))
    wrong = ir.Bool(ir.BoolOp.AND, (longer, ir.IsNull(text, negated=True)))
    length = ir.Case((ir.When(wrong, ir.Literal(-1)),), ir.Literal(1))
    return ir.Call("left", (letter, length), span=letter.span)


def _is_place(expr: ir.Expr) -> bool:
    """Whether it is a number of decimal places, written, and not 0."""
    return isinstance(expr, ir.Literal) and type(expr.value) is int and expr.value != 0


def integer_of(token: Token) -> int:
    """The value of an integer in any notation.

    Raises:
        QueryTextError: it has more digits than any use of an integer takes.
    """
    digits = token.text.replace("_", "")
    if len(digits) > _MOST_DIGITS:
        raise failed(token, f"The integer {digits[:20]}… is too large.", "integer-overflow")
    return int(digits, 0)


def string_of(token: Token) -> str:
    """The value of a string.

    Raises:
        QueryTextError: an escape that Cypher does not have, or half of a surrogate pair.
    """
    body = token.text[1:-1]
    if "\\" not in body:
        return body

    def plain(escape: re.Match[str]) -> str:
        code = escape[1]
        if escape["low"]:
            high, low = int(escape["high"], 16), int(escape["low"], 16)
            return chr(0x10000 + (high - 0xD800) * 0x400 + low - 0xDC00)
        if len(code) > 1:
            value = int(code[1:], 16)
            if 0xD800 <= value <= 0xDFFF:
                raise error_at(
                    token.source.text,
                    token.start + 1 + escape.start(),
                    f"The escape {escape[0]} is half of a surrogate pair, no character.",
                    code="lone-surrogate",
                )
            if value <= 0x10FFFF:
                return chr(value)
        elif code in _PLAIN_ESCAPES:
            return _PLAIN_ESCAPES[code]
        offset = token.start + 1 + escape.start()
        raise error_at(
            token.source.text,
            offset,
            f"Unknown escape '{escape[0]}' in a string; a backslash is written \\\\.",
            code="invalid-escape",
        )

    return _ESCAPE.sub(plain, body)
