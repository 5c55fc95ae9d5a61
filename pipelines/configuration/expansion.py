"""Variables and patterns in the paths of a configuration's sources, before it is validated.

A configuration that is passed on names data that each has somewhere else (`path = "${FINBENCH}"`),
and as many databases as there are (`url = "${BIRD}/dev_databases/*/*.sqlite"`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from glob import glob, has_magic
from pathlib import Path
from typing import Any

VARIABLE = re.compile(r"\$\{(\w+)\}")
_PATHS = ("path", "url", "script", "pairs", "lexicon")
_MANY = ("path", "url")  # of which a pattern stands for a source each
REMEDY = "export it, or take the source out"
type Problem = tuple[tuple[str, ...], str]
_NAMED = "*"  # in `subdomain`, the name of what the pattern stands for


def expanded(
    raw: Mapping[str, Any], folder: Path, variables: Mapping[str, str]
) -> tuple[dict[str, Any], list[int], list[Problem]]:
    """The configuration `raw` with the values of the variables that its sources' paths name and a
    source for each file that a pattern matches, in the order of their names; for each source the
    number that it has in `raw`, from 1; and what is wrong where. `folder` is where relative paths
    start.

    Variables of a server's address stay: what stands in them is secret, and is filled in when the
    server is asked (`Config.address`).

    >>> raw = {"source": [{"kind": "graph", "path": "${DATA}/shop"}]}
    >>> expanded(raw, Path(), {"DATA": "/data"})[0]
    {'source': [{'kind': 'graph', 'path': '/data/shop'}]}
    >>> expanded(raw, Path(), {})[2]
    [(('source', '1', 'path'), 'the variable DATA is not set (export it, or take the source out)')]
    """
    sources = raw.get("source")
    if not isinstance(sources, list):
        return dict(raw), [], []
    made: list[Any] = []
    numbers: list[int] = []
    problems: list[Problem] = []
    for number, source in enumerate(sources, 1):
        each, wrong = _expanded(source, folder, variables)
        made += each
        numbers += [number] * len(each)
        problems += [(("source", str(number), key), what) for key, what in wrong]
    return {**raw, "source": made}, numbers, problems


def _expanded(
    source: Any, folder: Path, variables: Mapping[str, str]
) -> tuple[list[Any], list[tuple[str, str]]]:
    """The sources that one stands for, and what is wrong with which of its keys."""
    if not isinstance(source, dict):
        return [source], []
    unset = [
        (key, f"the variable {name} is {_lack(name, variables)} ({REMEDY})")
        for key, value in source.items()
        if _may_name(key, value)
        for name in VARIABLE.findall(value)
        if not variables.get(name)
    ]
    filled = {key: _filled(key, value, variables) for key, value in source.items()}
    if unset:
        return [], unset
    each = list(_each(filled, folder))
    if not each:
        key = next(key for key in _MANY if _is_pattern(filled.get(key)))
        return [], [
            (key, f"no file matches {filled[key]} (`*` is any name, `**` is not understood)")
        ]
    return each, []


def _lack(name: str, variables: Mapping[str, str]) -> str:
    return "empty" if name in variables else "not set"


def _filled(key: str, value: Any, variables: Mapping[str, str]) -> Any:
    if not _may_name(key, value):
        return value
    return VARIABLE.sub(lambda name: variables.get(name[1], name[0]), value)


def _may_name(key: str, value: Any) -> bool:
    """Whether it is a path or address whose variables are filled in here."""
    if key not in _PATHS or not isinstance(value, str):
        return False
    return key != "url" or "://" not in value or value.startswith(("sqlite:", "duckdb:"))


def _is_pattern(value: Any) -> bool:
    return isinstance(value, str) and "://" not in value and has_magic(value)


def _each(source: dict[str, Any], folder: Path) -> Iterator[dict[str, Any]]:
    """The source, or one for each file that its pattern matches."""
    key = next((key for key in _MANY if _is_pattern(source.get(key))), None)
    if key is None or (folder / source[key]).exists():
        yield source
        return
    for path in sorted(glob(source[key], root_dir=folder)):
        subdomain = source.get("subdomain")
        named = Path(path).stem if subdomain == _NAMED else subdomain
        yield {**source, key: path, **({"subdomain": named} if subdomain is not None else {})}
