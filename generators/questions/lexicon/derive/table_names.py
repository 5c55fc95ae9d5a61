"""Names without what only tables need: the sort of a table, the short form of its owner."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from generators.questions.lexicon.derive.clear import is_clear
from generators.questions.lexicon.derive.words import node_noun
from graphmill.english.lists import word_set
from graphmill.english.spoken import abbreviates, split
from schemagraph.model import EdgeType, NodeType

_TELLS = frozenset({"description", "name", "label", "title", "meaning"})


def plain_noun(noun: str, others: Collection[str], columns: Sequence[list[str]]) -> str:
    """A noun of a label without such words before and after it, unless another label has it then.

    `columns` are the words of its properties' names, those of the key first: a master of customers
    has customers' numbers, a station master has none of stations.
    """
    first, _, rest = noun.partition(" ")
    if rest and first in word_set("table_sorts") and rest not in others:
        noun = rest
    if not _names_a_table(noun, columns):
        return noun
    plain = node_noun(noun.removesuffix(" item").rpartition(" ")[0])
    kept = plain in others or plain in word_set("coded") or not is_clear(plain)
    return noun if kept else plain


def _names_a_table(noun: str, columns: Sequence[list[str]]) -> bool:
    """Whether the last word of a noun says only that there is a table."""
    *rest, last = noun.lower().removesuffix(" item").split()
    if last == "header" or not rest:
        return bool(rest)
    if last in word_set("code_tables"):
        return bool(columns) and any(words[-1].lower() in _TELLS for words in columns[:3])
    own = [word.lower() for words in columns[:2] for word in words[: len(rest)]]
    return last in word_set("table_ends") and own[: len(rest)] == rest


def short_name(element: NodeType | EdgeType, name: str, owner: str) -> tuple[str, str]:
    """A property's name without the short form of its owner before it, and that: EQ_NO."""
    parts = split(name)
    if len(parts) > 1:
        prefixes = _prefixes([p.name for p in element.properties], owner)
        if parts[0].lower() in prefixes:
            return "_".join(parts[1:]), parts[0]
    return name, ""


def _prefixes(names: list[str], owner: str) -> set[str]:
    """Short forms of the owner that names of its properties start with: `emp_name`, `emp_no`."""
    prefixes: set[str] = set()
    parts = [[word.lower() for word in split(name)] for name in names]
    firsts = [words[0] for words in parts if len(words) > 1]
    for first in dict.fromkeys(firsts):
        short = abbreviates(first, owner) or abbreviates(first, owner.rpartition(" ")[2])
        if not short or len(first) > 4 or first in owner.split():
            continue
        if firsts.count(first) > 1 or any([first, end] in parts for end in _ENDS):
            prefixes.add(first)
    return prefixes


_ENDS = ("name", "id", "title", "no", "code", "number")
