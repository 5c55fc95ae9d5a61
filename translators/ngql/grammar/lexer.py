"""Words of nGQL: what NebulaGraph's scanner makes of a text, longest match first.

`-[`, `]-`, `]->`, `<-[`, `--`, `-->`, `<--` and `<-->` are single words, as in NebulaGraph 3:
that is why `(a)-[e]->(b)` is no subtraction, and why `list[0]-1` is no nGQL. Source: the manual
of NebulaGraph 3.8, chapters "Comments", "Keywords", "String", "Numeric types".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isinf

from lark.lexer import Lexer, Token

from graph_ir.cypher.scanning import MAX_NESTING
from graphmill.errors import QueryTextError, shortened
from graphmill.query_text import check_text
from translators.ngql.grammar.keywords import KEYWORDS

INT_MAX = 2**63 - 1
NAME_LIMIT = 4096
_OPENING = frozenset(("_LPAR", "_LSQB", "_LBRACE", "OPEN_EDGE"))
_CLOSING = frozenset(("_RPAR", "_RSQB", "_RBRACE", "CLOSE_EDGE"))

# The names of letters are those of NebulaGraph's scanner: ASCII letters and every character
# from U+0080 to U+EFFF but the no-break space, which is blank. Full-width signs are no letters.
_LETTER = "A-Za-z\x80-\x9f\xa1-\uefff\U00010000-\U0010ffff"

_BLANK = "[ \\t\\r\\n\xa0]"

_WORD = re.compile(
    rf"""
    (?P<skip>{_BLANK}+|\#[^\n]*|//[^\n]*)
  | (?P<comment>/\*)
  | (?P<two>(?:NOT{_BLANK}+(?:IN|CONTAINS|STARTS{_BLANK}+WITH|ENDS{_BLANK}+WITH)
             |STARTS{_BLANK}+WITH|ENDS{_BLANK}+WITH
             |IS{_BLANK}+(?:NOT{_BLANK}+)?(?:NULL|EMPTY))(?![{_LETTER}0-9_]))
  | (?P<name>[{_LETTER}][{_LETTER}0-9_]*)
  | (?P<quoted>[`"'])
  | (?P<ip>(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])
           (?:\.(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){{3}}(?![0-9]))
  | (?P<hex>0[xX][0-9a-fA-F]+)
  | (?P<range>[0-9]+(?=\.\.))
  | (?P<float>[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?
             |[0-9]+[eE][-+]?[0-9]+)
  | (?P<int>[0-9]+)
  | (?P<variable>\$[{_LETTER}][{_LETTER}0-9_]*)
  | (?P<sign><-->|<--|-->|<-\[|\]->|--|->|-\[|\]-|\.\.|<=|>=|==|!=|<>|=~|\$\$|\$\^|\$-
            |_type|_src|_dst|_rank|[-.,:;@?+*/%!<>|=()\[\]{{}}])
    """,
    re.VERBOSE | re.IGNORECASE,
)

# Signs whose name begins with an underscore leave no trace in the tree.
_SIGNS = {
    "(": "_LPAR",
    ")": "_RPAR",
    "[": "_LSQB",
    "]": "_RSQB",
    "{": "_LBRACE",
    "}": "_RBRACE",
    ",": "_COMMA",
    ".": "_DOT",
    ":": "_COLON",
    ";": "_SEMICOLON",
    "@": "_AT",
    "?": "_QMARK",
    "+": "PLUS",
    "-": "DASH",
    "*": "STAR",
    "/": "SLASH",
    "%": "PERCENT",
    "!": "_BANG",
    "|": "_VBAR",
    "=": "_ASSIGN",
    "<": "CMP",
    ">": "CMP",
    "<=": "CMP",
    ">=": "CMP",
    "==": "EQ",
    "!=": "CMP",
    "<>": "CMP",
    "=~": "CMP",
    "..": "DOTS",
    "->": "_ARROW",
    "-[": "OPEN_EDGE",
    "<-[": "OPEN_EDGE",
    "]-": "CLOSE_EDGE",
    "]->": "CLOSE_EDGE",
    "--": "BARE_EDGE",
    "-->": "BARE_EDGE",
    "<--": "BARE_EDGE",
    "<-->": "BARE_EDGE",
    "$$": "DST_REF",
    "$^": "SRC_REF",
    "$-": "INPUT_REF",
    "_type": "EDGE_FIELD",
    "_src": "EDGE_FIELD",
    "_dst": "EDGE_FIELD",
    "_rank": "EDGE_FIELD",
}

_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def fail(text: str, at: int, message: str, code: str = "unexpected-text") -> QueryTextError:
    """A syntax error at offset `at` of `text`."""
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return QueryTextError(message, code=code, line=line, column=column)


class NgqlLexer(Lexer):
    """Lark's view of the scanner; tokens carry their decoded value.

    The value of STR and NAME is the text meant, of INTEGER its decimal digits.
    """

    def __init__(self, lexer_conf: object) -> None:
        self.conf = lexer_conf

    def lex(self, text: str) -> Iterator[Token]:  # type: ignore[override]
        """The tokens of `text`."""
        return tokens(text)


def tokens(text: str) -> Iterator[Token]:
    """The tokens of `text`, blanks and comments left out.

    Raises:
        QueryTextError: a string, name or comment has no end, a number is out of range, a
            character is none of nGQL's, or the text is too long or nested too deeply.
    """
    check_text(text)
    at = 0
    opened = dots = 0
    dotted = False  # the last token was a dot
    line, line_start = 1, 0
    negative = False
    while at < len(text):
        word = _WORD.match(text, at)
        if word is None:
            raise fail(text, at, f"nGQL has no use for '{text[at]}' here.", "unexpected-character")
        group = word.lastgroup
        raw = word[0]
        end = word.end()
        kind = ""
        value = raw
        if group == "comment":
            end = text.find("*/", at) + 2
            if end == 1:
                raise fail(text, at, "A comment has no end.", "open-comment")
            raw = text[at:end]
        elif group == "name":
            kind, value = _named(raw, text, at)
        elif group == "two":
            kind = "_".join(re.split(_BLANK + "+", raw.upper()))
        elif group == "quoted":
            value, end = _quoted(text, at)
            raw = text[at:end]
            kind = "NAME" if text[at] == "`" else "STR"
            if kind == "NAME" and len(value.encode(errors="replace")) > NAME_LIMIT:
                raise fail(text, at, f"A name has at most {NAME_LIMIT} bytes.", "long-name")
        elif group == "variable":
            kind, value = "VARIABLE", raw[1:]
        elif group == "sign":
            value = raw.lower()
            kind = _SIGNS[value]
        elif group == "ip":
            kind = "IPV4"
        elif group == "float":
            kind = "DECIMAL"
            if isinf(float(raw)):
                raise fail(
                    text, at, f"Out of range: {shortened(raw)} is no number.", "out-of-range"
                )
        elif group in ("int", "range", "hex"):
            kind = "INTEGER"
            value = str(_integer(raw, negative, text, at))
        if kind:
            opened += (kind in _OPENING) - (kind in _CLOSING)
            # A name behind a dot goes on a chain of properties, each of which is a level.
            dots = dots + 1 if kind == "_DOT" else dots * dotted
            dotted = kind == "_DOT"
            if max(opened, dots) > MAX_NESTING:
                message = f"The statement is nested deeper than {MAX_NESTING} levels."
                raise fail(text, at, message, "nesting-too-deep")
            yield Token(
                kind,
                value,
                start_pos=at,
                line=line,
                column=at - line_start + 1,
                end_line=line,
                end_column=end - line_start + 1,
                end_pos=end,
            )
            negative = kind == "DASH"
        if "\n" in raw:
            line += raw.count("\n")
            line_start = at + raw.rindex("\n") + 1
        at = end


def _named(raw: str, text: str, at: int) -> tuple[str, str]:
    upper = raw.upper()
    if upper in ("TRUE", "FALSE"):
        return "BOOLEAN", upper
    if upper == "STEP":
        return "STEPS", raw
    if upper in KEYWORDS:
        return upper, raw
    if len(raw.encode(errors="replace")) > NAME_LIMIT:
        raise fail(text, at, f"A name has at most {NAME_LIMIT} bytes.", "long-name")
    return "NAME", raw


def _integer(raw: str, negative: bool, text: str, at: int) -> int:
    if len(raw) > 64:
        value = INT_MAX + 2
    elif raw[:2] in ("0x", "0X"):
        value = int(raw, 16)
    elif len(raw) > 1 and raw[0] == "0" and not set(raw) & {"8", "9"}:
        value = int(raw, 8)
    else:
        value = int(raw)
    # -9223372036854775808 is a number although its digits alone are out of range.
    if value > INT_MAX + negative:
        raise fail(
            text, at, f"Out of range: {shortened(raw)} is no 64-bit integer.", "out-of-range"
        )
    return value


def _quoted(text: str, start: int) -> tuple[str, int]:
    """The meaning of a quoted string or name that begins at `start`, and where it ends."""
    quote = text[start]
    what = "name" if quote == "`" else "string"
    out: list[str] = []
    at = start + 1
    while at < len(text):
        char = text[at]
        if char == quote:
            return "".join(out), at + 1
        if char == "\n":
            break
        if char == "." and quote == "`":
            raise fail(text, at, "A name may not contain a dot.", "dot-in-name")
        if char != "\\":
            out.append(char)
            at += 1
            continue
        value, at = _escape(text, at)
        out.append(value)
    raise fail(text, start, f"A {what} has no end on its line.", "open-string")


def _escape(text: str, at: int) -> tuple[str, int]:
    following = text[at + 1 : at + 2]
    if not following:
        raise fail(text, at, "A string has no end.", "open-string")
    octal = re.compile(r"[0-9]+").match(text, at + 1)
    if octal:
        digits = re.compile(r"[0-7]{1,3}").match(octal[0])
        # Three octal digits are one byte; other digits have no meaning after a backslash.
        if digits is None or (len(octal[0]) > 3 and digits[0] != octal[0]):
            raise fail(text, at, f"'\\{octal[0]}' is no escape.", "unknown-escape")
        if int(digits[0], 8) > 0xFF:
            raise fail(text, at, f"'\\{digits[0]}' is more than a byte.", "unknown-escape")
        return chr(int(digits[0], 8)), at + 1 + len(digits[0])
    if following in "uUxX":
        code = text[at + 2 : at + 6]
        if re.fullmatch(r"[0-9a-fA-F]{4}", code) and not 0xD800 <= int(code, 16) <= 0xDFFF:
            return chr(int(code, 16)), at + 6
    return _ESCAPES.get(following, following), at + 2
