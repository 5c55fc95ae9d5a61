"""Names of properties without the short form of their owner that they start with: EMP_NO."""

from __future__ import annotations

from graphmill.english.spoken import abbreviates, split
from schemagraph.model import EdgeType, NodeType


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
