"""Regular expressions of Java as those of XPath, where both mean the same."""

from __future__ import annotations

import re

from graph_ir import nodes as ir
from translators.sparql.expressions.core import refused

_DOT = "[^\\n\\r\u0085\u2028\u2029]"  # Java's dot takes no line terminator
_ANY = "[\\s\\S]"
_FLAGS = re.compile(r"\(\?([is]+)\)")
_PART = re.compile(
    r"(?P<dot>\.)|(?P<escape>\\[.\\*+?()\[\]{}|^$/-])|(?P<digit>\\d)"
    r"|(?P<set>\[\^?(?:[A-Za-z0-9 _,;:!@#%=]-[A-Za-z0-9]|[A-Za-z0-9 _,;:!@#%=.])+\])"
    r"|(?P<quantifier>(?:[*+?]|\{[0-9]{1,3}(?:,[0-9]{0,3})?\})\??(?![*+?{]))"
    r"|(?P<open>\((?:\?:|(?!\?)))|(?P<close>\))"
    r"|(?P<or>\|)|(?P<plain>[^\\\[\](){}*+?|^$.])"
)


def pattern(text: str, node: ir.Expr) -> str:
    """A pattern of REGEX that takes the same whole texts as Java's `text`.

    Raises:
        Refused: a part of it means something else elsewhere.
    """
    start = _FLAGS.match(text)
    flags = start[1] if start else ""
    body = text[start.end() :] if start else text
    made, at, top = [], 0, False
    depth = 0
    while at < len(body):
        part = _PART.match(body, at)
        if part is None:
            raise refused("regular-expression", node, f"'{body[at:]}' has no exact form.")
        depth += bool(part["open"]) - bool(part["close"])
        top = top or (bool(part["or"]) and not depth)
        made.append(_part(part, flags, node))
        at = part.end()
    whole = "".join(made)
    return f"^({whole})$" if top else f"^{whole}$"


def _part(match: re.Match[str], flags: str, node: ir.Expr) -> str:
    text, ignore = match[0], "i" in flags
    if match["dot"]:
        return _ANY if "s" in flags else _DOT
    if match["digit"]:
        return "[0-9]"
    if match["open"]:
        return "("
    if match["set"] and ignore:
        letters = set(text[1:-1])
        if any(letter.isalpha() for letter in letters):
            raise refused("regular-expression", node, "A set of letters of any case.")
    if match["plain"] and ignore and text.isascii() and text.isalpha():
        return f"[{text.upper()}{text.lower()}]"  # (?i) is for ASCII in Java alone
    if match["plain"] and text in "-/":
        return text
    return text.replace("\\/", "/").replace("\\-", "-") if match["escape"] else text
