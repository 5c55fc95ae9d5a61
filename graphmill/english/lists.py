"""The word lists of `data/english/words.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from graphmill.files import data_folder


@cache
def _words() -> dict[str, Any]:
    text = (data_folder() / "english" / "words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def word_set(name: str) -> frozenset[str]:
    """The words of a list.

    >>> "writer" in word_set("people")
    True
    """
    return frozenset(_words()[name].split())


@cache
def word_lines(name: str) -> tuple[tuple[str, ...], ...]:
    """The lines of a list, as words."""
    return tuple(tuple(line.split()) for line in _words()[name].strip().splitlines())


@cache
def word_map(name: str) -> dict[str, str]:
    """A table.

    >>> word_map("plurals")["child"]
    'children'
    """
    return dict(_words()[name])
