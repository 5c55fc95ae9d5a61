"""Measures of texts: equality, Google-BLEU, Jaro-Winkler.

Normalisation, which the papers leave open: comments go, runs of white space are one space, none
stands beside punctuation, words outside quotation are lower case, one semicolon at the end goes,
and `'` and `"` around a string are one sign.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from rapidfuzz.distance import JaroWinkler

ORDER = 4  # n-grams up to this length, as in Wu et al. 2016 (section 4)

_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)"""
    r"""|(?P<text>'(?:\\.|''|[^'\\])*'|"(?:\\.|""|[^"\\])*")"""
    r"""|(?P<quoted>`(?:``|[^`])*`)"""
    r"""|(?P<number>\d+\.\d+(?:[eE][+-]?\d+)?|\d+(?:[eE][+-]?\d+)?)"""
    r"""|(?P<word>[^\W\d]\w*)"""
    r"""|(?P<sign><-\[|\]->|-\[|\]-|<--|-->|<-|->|--|<>|<=|>=|!=|==|=~|\.\.|\|\||::|\S)""",
    re.DOTALL,
)


def tokens(text: str) -> list[str]:
    """The tokens of a query in any of the languages, normalised.

    >>> tokens('MATCH (n:Person)  WHERE n.name = "A b" RETURN n; // all')
    ['match', '(', 'n', ':', 'person', ')', 'where', 'n', '.', 'name', '=', "'A b'", 'return', 'n']
    """
    normal = []
    for token in _TOKEN.finditer(text):
        kind, value = token.lastgroup, token[0]
        if kind == "comment":
            continue
        if kind == "text":
            value = f"'{value[1:-1]}'"
        elif kind == "quoted":
            inner = value[1:-1]
            value = inner.lower() if re.fullmatch(r"[^\W\d]\w*", inner) else value
        elif kind == "word":
            value = value.lower()
        normal.append(value)
    while normal and normal[-1] == ";":
        normal.pop()
    return normal


def normalised(text: str) -> str:
    """The text of a query with one space between its tokens."""
    return " ".join(tokens(text))


def exact(gold: str, predicted: str) -> bool:
    """Whether the texts are the same to the letter, white space at the ends aside."""
    return gold.strip() == predicted.strip()


def jaro_winkler(gold: str, predicted: str) -> float:
    """Jaro-Winkler similarity of the normalised texts, from 0 to 1 (prefix weight 0.1)."""
    return float(JaroWinkler.similarity(normalised(gold), normalised(predicted)))


class Gleu(NamedTuple):
    """The two counts of Google-BLEU, which add up over a corpus: n-grams that both have, and the
    larger number of n-grams of the two."""

    shared: int
    whole: int

    @property
    def score(self) -> float:
        """The ratio; 0 for two empty texts."""
        return self.shared / self.whole if self.whole else 0.0


def gleu(gold: str, predicted: str) -> Gleu:
    """Google-BLEU of two queries over normalised tokens (Wu et al. 2016): the lesser of precision
    and recall of their n-grams of lengths 1 to 4."""
    mine, theirs = _grams(tokens(predicted)), _grams(tokens(gold))
    shared = sum((mine & theirs).values())
    return Gleu(shared, max(mine.total(), theirs.total()))


def _grams(items: list[str]) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(items[at : at + size])
        for size in range(1, ORDER + 1)
        for at in range(len(items) - size + 1)
    )
