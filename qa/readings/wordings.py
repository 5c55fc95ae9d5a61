"""What a wording leaves open: what its author declares, else its words (`data/readings.toml`)."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from graphmill.files import data_folder
from graphmill.record import Questions

LEVELS = ("logical", "business")
"""The levels that are judged: the first mirrors the query, and the source's own is not ours."""

LEFT_OPEN = "left_open"
"""Where a record's `meta` holds what its frames declare: lists of readings by level."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A question at a level: the readings that it leaves open, and those that it settles."""

    level: str
    left_open: frozenset[str]
    settled: frozenset[str] = frozenset()


def wordings(
    questions: Questions, declared: Mapping[str, Collection[str]] | None = None
) -> list[Wording]:
    """The wordings of a record's questions; `declared` by level goes before their words."""
    worded = []
    for level in LEVELS:
        text = getattr(questions, level)
        if not text:
            continue
        if declared is not None and level in declared:
            worded.append(Wording(level, frozenset(declared[level])))
        else:
            worded.append(_by_words(level, text))
    return worded


def _by_words(level: str, text: str) -> Wording:
    words = set(re.findall(r"[^\W\d_]+", _QUOTED.sub(" ", text).casefold()))
    left_open: set[str] = set()
    settled: set[str] = set()
    for name, rule in _rules().items():
        opened = rule.get("opened")
        if level not in rule["open"] or (opened and not words & set(opened)):
            continue
        (settled if words & set(rule.get("settled", ())) else left_open).add(name)
    return Wording(level, frozenset(left_open), frozenset(settled))


_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')


@cache
def _rules() -> dict[str, dict[str, list[str]]]:
    raw = tomllib.loads((data_folder() / "readings.toml").read_text(encoding="utf-8"))
    return {name: rule for name, rule in raw.items() if isinstance(rule, dict)}
