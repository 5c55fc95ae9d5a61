"""Rows as bags and windows: which are the same, and what a window cuts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from qa.mutation.interpreter.expressions import Env, Fn
from qa.mutation.interpreter.values import group_key


def distinct(rows: Iterable[Env], names: Iterable[str]) -> list[Env]:
    by_key: dict[Any, Env] = {}
    names = list(names)
    for env in rows:
        by_key.setdefault(tuple([group_key(env[name]) for name in names]), env)
    return list(by_key.values())


def cut(
    rows: list[Env], places: list[Any] | None, skip: Fn | None, limit: Fn | None
) -> tuple[list[Env], bool]:
    """The rows of a window, and whether it parts rows whose order is open."""
    start = skip({}) if skip else 0
    stop = min(len(rows), start + limit({})) if limit else len(rows)
    if start >= len(rows) or stop <= start:
        return [], False
    ends = [at for at in (start, stop) if 0 < at < len(rows)]
    cut = any(places is None or places[at - 1] == places[at] for at in ends)
    return rows[start:stop], cut


def same_rows(rows: list[Env], names: list[str]) -> bool:
    """Whether rows are the same in what goes on."""
    return len({tuple([group_key(env[name]) for name in names]) for env in rows}) <= 1


def differ(places: list[Any], rows: list[Env], names: list[str]) -> bool:
    """Whether rows that tie differ in what goes on."""
    keys = [tuple([group_key(env[name]) for name in names]) for env in rows]
    pairs = list(zip(places, keys, strict=True))
    return any(a[0] == b[0] and a[1] != b[1] for a, b in pairwise(pairs))
