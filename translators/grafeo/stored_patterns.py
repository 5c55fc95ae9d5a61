"""Regular expressions of Java that are known at run time only, said in those of Rust.

A pattern is looked at by a pattern: where it consists of nothing but what both languages have
(characters, `.`, classes, groups two deep, repetition), a few replacements make Rust's of it. For
any other the query fails, rather than answer by another meaning. Sources: see `patterns`.
"""

from __future__ import annotations

from collections.abc import Iterator

from graph_ir import nodes as ir
from schemagraph.model import Kind, Type
from translators.gql.emit.values import kind_of
from translators.grafeo.primitives import FAILS, NULL, both, case, either, matches, own, with_value

_BOOLEAN, _STRING = Type(Kind.BOOLEAN), Type(Kind.STRING)
_DOT = r"[^\n\r\x{85}\x{2028}\x{2029}]"
_PLAIN_DOT = ir.Literal(".")
_REPEAT = r"(?:(?:[*+?]|\{[0-9]{1,3}(?:,[0-9]{0,3})?\})\??)?"
_SIGNS = r"""\\[!-/:;=?@\[-`{-~]"""
_CATEGORY = r"\\[pP]\{(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)\}"
_REPLACED = (
    ("\\\\", r"\x{5C}"),
    (r"\.", r"\x{2E}"),
    (r"\d", "[0-9]"),
    (r"\w", "[a-zA-Z_0-9]"),
    (r"\s", r"[ \t\n\x0B\f\r]"),
    (r"\D", "[^0-9]"),
    (r"\W", "[^a-zA-Z_0-9]"),
    (r"\S", r"[^ \t\n\x0B\f\r]"),
)
"""What a pattern has, in this order, and what Rust's has for it; the dot comes last."""


def _patterns(other: str, classes: str, number: str) -> str:
    """The pattern of patterns whose characters, beside those with a meaning, are not `other`."""
    literal = rf"[^{other}\\.\[\](){{}}*+?|^$]"
    escape = rf"\\[{classes}tnrf]|{_SIGNS}|{number}"
    dot = "" if "D" in classes else "."
    in_class = rf"(?:[^{other}{dot}\\\[\]&^~-]|{number}|{_SIGNS})"
    items = rf"(?:{in_class}(?:-{in_class})?|\\[{classes}tnrf])+"
    negated = r"\^?" if "D" in classes else ""
    joined = rf"\[{items}&&\[{negated}{items}\]\]"
    category = f"|{_CATEGORY}" if "D" in classes else ""
    atom = rf"(?:{literal}|\.|{escape}|\[{negated}-?{items}-?\]|{joined}{category})"
    inner = rf"(?:{atom}{_REPEAT}|\|)*"
    group = rf"\((?:\?:)?{inner}\)"
    outer = rf"(?:(?:{atom}|{group}){_REPEAT}|\|)*"
    nested = rf"\((?:\?:)?{outer}\)"
    return rf"(?s)\^?(?:(?:{atom}|{nested}){_REPEAT}|\|)*\$?"


_NUMBER = r"\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}"
_ANY_CASE = _patterns("", "dwsDWS", _NUMBER)
_ASCII = _patterns(r"\x{80}-\x{10FFFF}", "dws", r"\\[tnrf]")
_ODD_ENDS = r"(?s).*[\r\x{85}\x{2028}\x{2029}].*"
"""Texts of which a dot of Java leaves out more than one of Rust."""
_DOT_IN_CLASS = r"(?s).*\[[^\]]*[.].*"
_MODES = (
    ("", _ANY_CASE, "", ir.Literal(_DOT)),
    ("(?s)", _ANY_CASE, "(?s)", _PLAIN_DOT),
    ("(?i)", _ASCII, "(?i-u)", ir.Literal(f"(?u:{_DOT})")),
)
"""Flags at the beginning, the patterns that may follow, Rust's flags, and what a dot is."""


def stored_pattern(node: ir.Text, free: Iterator[str]) -> ir.Expr:
    """`text =~ pattern` of a pattern that stands in the graph."""

    def of_pattern(pattern: ir.Expr) -> ir.Expr:
        return with_value(node.left, free, lambda text: _matched(text, pattern), Kind.BOOLEAN)

    return with_value(node.right, free, of_pattern, Kind.BOOLEAN)


def _matched(text: ir.Expr, pattern: ir.Expr) -> ir.Expr:
    missing = [ir.IsNull(text), ir.IsNull(pattern)]
    if kind_of(text) is Kind.ANY:
        missing.append(ir.IsNull(ir.Compare(ir.CompareOp.GE, text, ir.Literal(""))))
    odd = matches(text, _ODD_ENDS)
    branches: list[tuple[ir.Expr, ir.Expr]] = [(both(odd, matches(pattern, _DOT_IN_CLASS)), FAILS)]
    for flags, form, own_flags, dot in _MODES:
        rest = own("substring", pattern, ir.Literal(len(flags))) if flags else pattern
        begun = rf"(?s)\(\?{flags[2]}\)" if flags else "(?s)"
        matched = own(
            "~",
            text,
            _with_flags(rest, own_flags, dot if flags else case((odd, dot), default=_PLAIN_DOT)),
            kind=Kind.BOOLEAN,
        )
        sure = ir.Call("coalesce", (matched, FAILS), type=_BOOLEAN)
        branches.append((matches(pattern, begun + form.removeprefix("(?s)")), sure))
    return case((either(*missing), NULL), *branches, default=FAILS, type=_BOOLEAN)


def _with_flags(pattern: ir.Expr, flags: str, dot: ir.Expr) -> ir.Expr:
    for java, rust in _REPLACED:
        pattern = own("replace", pattern, ir.Literal(java), ir.Literal(rust), kind=Kind.STRING)
    if dot != _PLAIN_DOT:
        pattern = own("replace", pattern, _PLAIN_DOT, dot, kind=Kind.STRING)
    if not flags:
        return pattern
    return ir.Arith(ir.ArithOp.ADD, ir.Literal(flags), pattern, type=_STRING)
