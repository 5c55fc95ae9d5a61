"""Functions of texts and conversions that grafeo has otherwise than Cypher, or not at all.

Neo4j trims what Java calls white space, Rust what Unicode does: eight characters apart. Numbers are
read from texts in Java's notation; where its rarer forms (hexadecimal, `1_000`, digits of other
scripts) would need more than grafeo has, the query fails there rather than answer wrongly.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from math import isfinite

from graph_ir import nodes as ir
from graph_ir.lowerings import unused_names
from graph_ir.walk import rewrite
from graphmill.errors import Refused
from schemagraph.model import Kind, Type
from translators.gql.emit.values import kind_of, nullable
from translators.grafeo import patterns
from translators.grafeo.primitives import (
    FAILS,
    FALSE,
    NOT_A_NUMBER,
    NULL,
    ONE,
    TRUE,
    both,
    case,
    equal,
    matches,
    numbers_to,
    own,
    with_value,
)
from translators.grafeo.stored_patterns import stored_pattern
from translators.stored_texts import STORED_AS_LATIN, STORED_WHOLE

_INTEGER, _FLOAT = Type(Kind.INTEGER), Type(Kind.FLOAT)
_STRING, _BOOLEAN = Type(Kind.STRING), Type(Kind.BOOLEAN)
_SPACE = (
    "\t\n\x0b\f\r \x1c\x1d\x1e\x1f\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009"
    "\u200a\u2028\u2029\u205f\u3000"
)
"""What Java calls white space (Character.isWhitespace)."""
_CONTESTED = "\x1c\x1d\x1e\x1f\x85\xa0\u2007\u202f"
"""Of those, what Unicode does not call so, and the other way round."""

_WS = r"[ \t\n\x0B\f\r]*"
_WHOLE = rf"{_WS}[+-]?[0-9]+{_WS}"
_DECIMAL = rf"{_WS}[+-]?[0-9]+[.][0-9]*{_WS}"
_FRACTION = rf"{_WS}[+-]?[.][0-9]+{_WS}"
_SHORT = r"(?:[0-9]{1,8}(?:[.][0-9]{0,7})?|[.][0-9]{1,7})"
_EXPONENT = rf"{_WS}[+-]?{_SHORT}[eE][+-]?[0-9]{{1,4}}{_WS}"
_NUMBER = rf"{_WS}[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?{_WS}"
_SUFFIXED = rf"{_WS}[+-]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eE][+-]?[0-9]+)?[dDfF]{_WS}"
_WORDS = rf"{_WS}(?:[+-]?Infinity|[+-]?NaN){_WS}"
_SPACES = r"[\s\x1C-\x1F]*"
_RARE = (
    rf"{_SPACES}[+-]?(?:0[xo][0-9a-fA-F_.pP+-]+|[\p{{Nd}}_]*[.]?[\p{{Nd}}_]*"
    rf"(?:[eE][+-]?[\p{{Nd}}_]+)?[dDfF]?){_SPACES}"
)
_DIGIT = r"(?s).*\p{Nd}.*"
_LARGE = ir.Literal(1e15)
_MARKED = r"(?s).*\p{Mn}.*"
_ASTRAL = r"(?s).*[\x{10000}-\x{10FFFF}].*"


def exact_texts(statement: ir.Statement) -> ir.Statement:
    """The statement with Cypher's functions of texts and numbers made of grafeo's."""
    free = unused_names(statement, "text")

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Text(op=ir.TextOp.REGEX):
                return _pattern(node, free)
            case ir.Arith(op=ir.ArithOp.MOD) if {kind_of(node.left), kind_of(node.right)} & {
                Kind.FLOAT,
                Kind.ANY,
            }:
                return _remainder(node)
            case ir.Call():
                return _call(node, free)
        return node

    return rewrite(statement, change)


def _replaced(node: ir.Call, text: ir.Expr) -> ir.Expr:
    """Between the halves of characters, too, is an empty text for Neo4j, which cuts them in two."""
    cut = both(equal(node.args[1], ir.Literal("")), matches(text, _ASTRAL))
    return case((cut, FAILS), default=replace(node, args=(text, *node.args[1:])), type=node.type)


def _call(node: ir.Call, free: Iterator[str]) -> ir.Expr:
    first = node.args[0] if node.args else NULL
    kind = kind_of(first)
    match node.name:
        case "trim" | "ltrim" | "rtrim" | "btrim":
            return _trimmed(node, free)
        case "split":
            return _split(node, free)
        case "replace" if not (isinstance(node.args[1], ir.Literal) and node.args[1].value):
            return with_value(first, free, lambda text: _replaced(node, text), Kind.STRING)
        case "isNaN":
            if kind is Kind.INTEGER:
                return case((ir.IsNull(first, negated=True), FALSE), default=NULL, type=_BOOLEAN)
            return ir.Compare(ir.CompareOp.NE, first, first)
        case "toBoolean" | "toInteger" | "toFloat" if isinstance(first, ir.Literal):
            return _constant(node, first)
        case "toBoolean" if kind in (Kind.INTEGER, Kind.STRING, Kind.ANY):
            return with_value(first, free, lambda value: _boolean(value, kind), Kind.BOOLEAN)
        case "toInteger" if kind in (Kind.STRING, Kind.ANY):
            return with_value(first, free, lambda value: _integer(value, kind), Kind.INTEGER)
        case "toFloat" if kind in (Kind.STRING, Kind.ANY):
            return with_value(first, free, lambda value: _float(value, kind), Kind.FLOAT)
    return node


# --- white space ---------------------------------------------------------------------------


def _trimmed(node: ir.Call, free: Iterator[str]) -> ir.Expr:
    name = "trim" if node.name == "btrim" else node.name
    text = node.args[0]
    if len(node.args) == 2:
        characters = node.args[1]

        def of_text(value: ir.Expr) -> ir.Expr:
            none = _first_letter(value, text) if name == "rtrim" else _NOTHING
            return _cut(name, value, characters, free, none)

        cut = with_value(text, free, of_text, Kind.STRING)
        if not nullable(characters):
            return cut
        return case((ir.IsNull(characters), NULL), default=cut, type=_STRING)
    if isinstance(text, ir.Literal) and not set(str(text.value)) & set(_CONTESTED):
        return own(name, text, kind=Kind.STRING)
    contested = f"(?s).*[{_CONTESTED}].*"
    return with_value(
        text,
        free,
        lambda value: case(
            (matches(value, contested), _cut(name, value, ir.Literal(_SPACE), free)),
            default=own(name, value, kind=Kind.STRING),
            type=_STRING,
        ),
        Kind.STRING,
    )


_NOTHING = ir.Literal("")


def _first_letter(value: ir.Expr, source: ir.Expr) -> ir.Expr:
    """What Neo4j's rtrim() leaves of a text whose characters are all to go.

    That is an ASCII character at its beginning, where Neo4j has the text in UTF-8: of a literal,
    and of what the store keeps so (`rtrim_of_stored`). What it does with a text that a query made
    is not told.
    """
    is_ascii = matches(value, r"(?s)[\x00-\x7F].*")
    kept = own("left", value, ONE, kind=Kind.STRING)
    match source:
        case ir.Literal():
            return case((is_ascii, kept), default=_NOTHING, type=_STRING)
        case ir.Prop():
            whole = matches(value, f"(?s)(?:{STORED_WHOLE})")
            nothing = matches(value, f"(?s)(?:{STORED_AS_LATIN})")
            branches = ((is_ascii, whole, kept), (is_ascii, ir.Not(nothing), FAILS))
            tests = ((both(*test), result) for *test, result in branches)
            return case(*tests, default=_NOTHING, type=_STRING)
    return case((is_ascii, FAILS), default=_NOTHING, type=_STRING)


def _cut(
    name: str,
    text: ir.Expr,
    characters: ir.Expr,
    free: Iterator[str],
    none: ir.Expr = _NOTHING,
) -> ir.Expr:
    """`text` without the characters at its beginning (ltrim), its end (rtrim), or both.

    `none` is what is left where it has no others.
    """
    place = ir.Var(next(free), type=Type(Kind.INTEGER, nullable=False))
    letter = own("substring", text, place, ONE, kind=Kind.STRING)
    last = ir.Arith(ir.ArithOp.SUB, own("size", text), ONE, type=_INTEGER)
    kept = ir.ListComp(
        place.name,
        numbers_to(last),
        ir.Not(ir.Text(ir.TextOp.CONTAINS, characters, letter)),
    )
    ends = ir.Var(next(free))
    begin, end = own("head", ends), own("last", ends)
    if name == "ltrim":
        part = own("substring", text, begin)
    else:
        after = ir.Arith(ir.ArithOp.ADD, end, ONE)
        part = own("left", text, after)
        if name == "trim":
            part = own("substring", part, begin)
    cut = case((equal(own("size", ends), ir.Literal(0)), none), default=part)
    whole = ir.Call("=let", (ends, kept, cut), type=_STRING)
    return case((ir.IsNull(text), NULL), default=whole, type=_STRING)


def _split(node: ir.Call, free: Iterator[str]) -> ir.Expr:
    text, mark = node.args
    if kind_of(mark) is Kind.LIST:
        raise Refused(
            "engine-limit", "split()", "grafeo splits at one text, not at several.", node.span
        )
    plain = own("split", text, mark, kind=Kind.LIST)
    known = Type(Kind.STRING, nullable=False)
    plain = replace(plain, type=Type(Kind.LIST, known))
    if isinstance(mark, ir.Literal) and mark.value != "":
        return plain

    def letters(value: ir.Expr) -> ir.Expr:
        place = ir.Var(next(free), type=Type(Kind.INTEGER, nullable=False))
        last = ir.Arith(ir.ArithOp.SUB, own("size", value), ONE, type=_INTEGER)
        each = ir.ListComp(
            place.name,
            numbers_to(last),
            result=replace(own("substring", value, place, ONE), type=known),
        )
        empty = case(
            (equal(value, ir.Literal("")), ir.ListOf((ir.Literal(""),))),
            (matches(value, _ASTRAL), FAILS),
            (ir.IsNull(value), NULL),
            default=each,
        )
        if isinstance(mark, ir.Literal):
            return empty
        several = []
        if kind_of(mark) is not Kind.STRING:
            is_text = ir.Compare(ir.CompareOp.GE, mark, ir.Literal(""))
            several = [(both(ir.IsNull(mark, negated=True), ir.IsNull(is_text)), FAILS)]
        at_none = (equal(mark, ir.Literal("")), empty)
        return case(*several, at_none, default=plain, type=plain.type)

    parts = with_value(text, free, letters, Kind.LIST)
    return replace(parts, type=plain.type)


# --- conversions ---------------------------------------------------------------------------


def _constant(node: ir.Call, value: ir.Literal) -> ir.Expr:
    """The conversion of a text that stands in the query."""
    if not isinstance(value.value, str):
        return node if node.name != "toBoolean" else _of_number(node, value)
    text = value.value.strip(_SPACE)
    if node.name == "toBoolean":
        word = {"true": TRUE, "false": FALSE}.get(text.lower() if text.isascii() else "")
        return replace(word or NULL, type=_BOOLEAN)
    type = _INTEGER if node.name == "toInteger" else _FLOAT
    if type is _FLOAT and re.fullmatch(r"[+-]?[0-9.]+[dDfF]", text):
        text = text[:-1]
    if re.fullmatch(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]{1,4})?", text):
        number: int | float | None = float(text)
        if type is _INTEGER:
            number = int(Decimal(text)) if abs(float(text)) < 1e19 else None
        elif not isfinite(float(text)):
            number = None
    elif digits := re.fullmatch(r"([+-]?)0(?:x([0-9a-fA-F]+)|o([0-7]+))", text):
        whole = int(digits[2], 16) if digits[2] else int(digits[3], 8)
        number = -whole if digits[1] == "-" else whole
        number = number if type is _INTEGER else float(number)
    elif re.fullmatch(r"[+-]?NaN", text):
        return NOT_A_NUMBER if type is _FLOAT else replace(NULL, type=type)
    elif not re.search(r"^[-+.\d_I]", text) or not re.search(_numeric(type), text):
        return replace(NULL, type=type)
    else:
        number = None
    if number is None or (type is _INTEGER and not -(2**63) <= number < 2**63):
        raise Refused(
            "engine-limit", f"{node.name}()", "grafeo reads this number otherwise.", node.span
        )
    return ir.Literal(number, type=type)


def _numeric(type: Type) -> str:
    """What every number has somewhere."""
    return r"\d|Infinity" if type is _FLOAT else r"\d"


def _of_number(node: ir.Call, value: ir.Literal) -> ir.Expr:
    if type(value.value) is int:
        return ir.Literal(value.value != 0, type=_BOOLEAN)
    return node


def _boolean(value: ir.Expr, kind: Kind) -> ir.Expr:
    number = ir.Compare(ir.CompareOp.NE, value, ir.Literal(0))
    if kind is Kind.INTEGER:
        return number
    odd = f"(?s)(?i:[{_SPACE}]*(?:true|false)[{_SPACE}]*)"
    branches = [
        (both(matches(value, odd), ir.Text(ir.TextOp.CONTAINS, own("toLower", value), t)), result)
        for t, result in ((ir.Literal("true"), TRUE), (ir.Literal("false"), FALSE))
    ]
    if kind is Kind.STRING:
        return case(*branches, default=NULL, type=_BOOLEAN)
    return case(
        (ir.Compare(ir.CompareOp.GE, value, ir.Literal("")), case(*branches, default=NULL)),
        (equal(value, TRUE), TRUE),
        (equal(value, FALSE), FALSE),
        default=number,
        type=_BOOLEAN,
    )


def _integer(value: ir.Expr, kind: Kind) -> ir.Expr:
    text = own("trim", value)
    number = own("toFloat", text)
    near = own("toInteger", number)
    head = own("head", own("split", text, ir.Literal(".")))
    small = ir.Compare(ir.CompareOp.LT, own("abs", number), _LARGE)
    converted = case(
        (matches(value, _WHOLE), ir.Call("coalesce", (own("toInteger", text), FAILS))),
        (matches(value, _DECIMAL), ir.Call("coalesce", (own("toInteger", head), FAILS))),
        (matches(value, _FRACTION), ir.Literal(0)),
        (both(matches(value, _EXPONENT), small), near),
        (both(matches(value, _RARE), matches(value, _DIGIT)), FAILS),
        default=NULL,
        type=_INTEGER,
    )
    if kind is Kind.STRING:
        return converted
    is_text = ir.Compare(ir.CompareOp.GE, value, ir.Literal(""))
    return case((is_text, converted), default=own("toInteger", value), type=_INTEGER)


def _float(value: ir.Expr, kind: Kind) -> ir.Expr:
    text = own("trim", value)
    cut = own("left", text, ir.Arith(ir.ArithOp.SUB, own("size", text), ONE))
    converted = case(
        (matches(value, f"{_NUMBER}|{_WORDS}"), own("toFloat", text)),
        (matches(value, _SUFFIXED), own("toFloat", cut)),
        (both(matches(value, _RARE), matches(value, _DIGIT)), FAILS),
        default=NULL,
        type=_FLOAT,
    )
    if kind is Kind.STRING:
        return converted
    is_text = ir.Compare(ir.CompareOp.GE, value, ir.Literal(""))
    return case((is_text, converted), default=own("toFloat", value), type=_FLOAT)


# --- numbers and patterns ------------------------------------------------------------------


def _remainder(node: ir.Arith) -> ir.Expr:
    """`x % 0.0` is NaN; grafeo says null. Of integers, both raise."""
    nothing = ir.Arith(ir.ArithOp.MUL, node.left, node.right)
    undefined = ir.Arith(ir.ArithOp.MUL, nothing, NOT_A_NUMBER, type=_FLOAT)
    known = isinstance(node.right, ir.Literal) and node.right.value not in (0, 0.0)
    if known:
        return own("%", node.left, node.right, kind=node.type.kind)
    remainder = own("%", node.left, node.right, kind=node.type.kind)
    return ir.Call("coalesce", (remainder, undefined), type=node.type)


def _pattern(node: ir.Text, free: Iterator[str]) -> ir.Expr:
    pattern = node.right
    if not isinstance(pattern, ir.Literal):
        return stored_pattern(node, free)
    if not isinstance(pattern.value, str):
        return node
    try:
        known = patterns.rust_pattern(pattern.value)
    except patterns.NoPattern as problem:
        raise Refused(
            "engine-limit", "=~", f"grafeo's patterns have no form of Java's: {problem}.", node.span
        ) from problem
    if not known.marks:
        return matches(node.left, known.text)

    def checked(text: ir.Expr) -> ir.Expr:
        marked = both(ir.IsNull(text, negated=True), matches(text, _MARKED))
        return case((marked, FAILS), default=matches(text, known.text), type=_BOOLEAN)

    return with_value(node.left, free, checked, Kind.BOOLEAN)
