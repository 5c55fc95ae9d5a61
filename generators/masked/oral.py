"""How people shorten names, and in which tone they ask; the meaning stays.

A short form is used only where it is nobody else's name, long or short, in the graph.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from random import Random

from generators.masked.base import Language

_LEGAL = re.compile(
    r"[,\s]+(?:ltd|limited|inc|incorporated|llc|plc|gmbh|ag|s\.?a|corp|corporation|company|co"
    r"|group|holdings?|foundation|e\.?v)\.?$",
    re.IGNORECASE,
)
_CHINESE_ENDS = (
    *("股份有限公司", "有限责任公司", "有限公司", "公司", "集团", "交响乐团", "爱乐乐团", "乐团"),
    *("音乐厅", "唱片", "音乐节", "大学", "先生", "女士", "省", "市", "县"),
)
_TITLE = re.compile(r"\b(?:a|an|and|at|by|for|from|in|of|on|the|to|with)\b")  # no name of one thing
_ASIDE = re.compile(r"\s*[(（][^()（）]*[)）]\s*")

_TONES: dict[Language, tuple[str, ...]] = {
    "en": (
        "{Q}?",
        "{Q}?",
        "Please tell me: {q}?",
        "I would like to know: {q}?",
        "Hi, quick question: {q}?",
        "Could you look this up for me: {q}?",
        "{Q}? Thanks!",
        "For a report: {q}?",
    ),
    "zh": (
        "{Q}？",
        "{Q}？",
        "请问：{Q}？",
        "你好，请问：{Q}？",
        "帮我查一下，{Q}？",
        "我想知道：{Q}？",
        "麻烦看一下{Q}？",
        "{Q}？谢谢！",
    ),
}


class ShortForms:
    """Short forms of the names of one node type."""

    def __init__(self, names: Iterable[str], *, people: bool) -> None:
        self._people = people
        self._all = sorted(set(names))
        last = Counter(name.split()[-1] for name in self._all if " " in name)
        self._generic = {word for word, count in last.items() if count > 1}
        shorts = Counter(short for name in self._all if (short := self._shortened(name)))
        taken = {name.casefold() for name in self._all}
        self._found = {
            name: short
            for name in self._all
            if (short := self._shortened(name))
            and shorts[short] == 1
            and short.casefold() not in taken
        }

    def of(self, name: str) -> str:
        """The short form that people use, empty where there is none that is this one's alone.

        >>> ShortForms(["Tern Shipping Ltd", "Gull Line"], people=False).of("Tern Shipping Ltd")
        'Tern Shipping'
        >>> ShortForms(["Ada Berg", "Per Berg"], people=True).of("Ada Berg")
        ''
        """
        return self._found.get(name, "")

    def _shortened(self, name: str) -> str:
        short = _LEGAL.sub("", _ASIDE.sub(" ", name).strip()).removeprefix("The ").strip()
        ending = next((end for end in _CHINESE_ENDS if short.endswith(end)), "")
        if ending and len(short) - len(ending) >= 2:
            short = short.removesuffix(ending)
        words = short.split()
        if short == name and len(words) > 1:
            if self._people and len(words) <= 3:
                short = words[-1]
            elif words[-1] in self._generic and len(words) > 2 and not _TITLE.search(short):
                short = " ".join(words[:-1])
        return short if short != name and len(short) >= 2 else ""


def restyled(question: str, language: Language, rng: Random) -> str:
    """The question in one of several tones.

    >>> from random import Random
    >>> restyled("How many lakes are there?", "en", Random(3))
    'I would like to know: how many lakes are there?'
    """
    body = question.strip().rstrip("?？")
    tone = rng.choice(_TONES[language])
    first = body.split(" ", 1)[0]
    lower = body if first.isupper() else body[:1].lower() + body[1:]
    return tone.replace("{Q}", body).replace("{q}", lower)
