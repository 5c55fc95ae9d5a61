"""The nouns of tables without what only says that they are tables, or of which sort."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from generators.questions.lexicon.derive.clear import is_clear
from generators.questions.lexicon.derive.words import node_noun
from graphmill.english.lists import word_set

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
