"""Exact match by clause, as StockGQL's authors count it: a query is cut at its keywords, and each
part is compared as a set with its counterpart.

A part is what stands between two keywords that begin a clause; its items are parted by commas,
those of a condition by AND, outside brackets. So the order of columns and of conditions is free,
the order of clauses is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.metrics.text import tokens

_PHRASES = (
    ("optional", "match"),
    ("order", "by"),
    ("group", "by"),
    ("union", "all"),
    ("lookup", "on"),
    ("fetch", "prop", "on"),
)
_WORDS = frozenset(
    {
        "match",
        "where",
        "with",
        "return",
        "skip",
        "offset",
        "limit",
        "unwind",
        "union",
        "call",
        "yield",
        "go",
        "from",
        "over",
        "next",
        "filter",
        "let",
        "for",
        "select",
        "having",
        "join",
        "|",
    }
)
_CONDITIONS = frozenset({"where", "having", "filter"})
_OPENING, _CLOSING = frozenset("([{") | {"-[", "<-["}, frozenset(")]}") | {"]->", "]-"}

type Part = tuple[str, frozenset[str]]


def parts(text: str) -> list[Part]:
    """The parts of a query: keyword, and the set of its items.

    >>> keyword, items = parts("MATCH (n:A) WHERE n.x = 1 AND n.y = 2 RETURN n.x, n.y")[1]
    >>> keyword, sorted(items)
    ('where', ['n . x = 1', 'n . y = 2'])
    """
    clauses: list[tuple[str, list[str]]] = []
    words = tokens(text)
    depth, at = 0, 0
    while at < len(words):
        word = words[at]
        key = _keyword(words, at) if depth == 0 else ""
        if key and not (key in ("with", "|") and clauses and _inside(words, at)):
            clauses.append((key, []))
            at += len(key.split())
            continue
        depth += (word in _OPENING) - (word in _CLOSING)
        depth = max(depth, 0)
        if clauses:
            clauses[-1][1].append(word)
        else:
            clauses.append(("", [word]))
        at += 1
    return [(key, frozenset(_items(key, content))) for key, content in clauses]


def same_parts(gold: str, predicted: str) -> bool:
    """Whether two queries have the same clauses in the same order with the same items."""
    return parts(gold) == parts(predicted)


def _keyword(words: Sequence[str], at: int) -> str:
    for phrase in _PHRASES:
        if tuple(words[at : at + len(phrase)]) == phrase:
            return " ".join(phrase)
    before = words[at - 1] if at else ""
    if before in (".", ":", "as"):  # a name: `n.limit`, `:From`
        return ""
    return words[at] if words[at] in _WORDS else ""


def _inside(words: Sequence[str], at: int) -> bool:
    """Whether `with` belongs to STARTS WITH and ENDS WITH."""
    return words[at] == "with" and words[at - 1] in ("starts", "ends")


def _items(key: str, content: Sequence[str]) -> list[str]:
    parting = "and" if key in _CONDITIONS else ","
    items: list[list[str]] = [[]]
    depth = 0
    for word in content:
        depth += (word in _OPENING) - (word in _CLOSING)
        if word == parting and depth == 0:
            items.append([])
        else:
            items[-1].append(word)
    return [" ".join(item) for item in items if item]
