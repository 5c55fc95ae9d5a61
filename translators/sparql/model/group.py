"""A group graph pattern while it is built, and its text.

Parts may be added to a group that is already part of another: reads of properties go where their
element is bound, however late they are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

INDENT = "  "


@dataclass(frozen=True, slots=True)
class Triple:
    """`subject predicate object .`"""

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True, slots=True)
class Line:
    """A FILTER, BIND or VALUES."""

    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """`OPTIONAL {…}`, `{…} UNION {…}` or a group in braces of its own: `word` stands before the
    first, UNION between the groups."""

    groups: tuple[Group, ...]
    word: str = ""


@dataclass(frozen=True, slots=True)
class Select:
    """A subselect: the head before its group, what follows it."""

    head: str
    group: Group
    tail: tuple[str, ...] = ()


type Part = Triple | Line | Block | Select


@dataclass(slots=True)
class Group:
    """The parts of a group; `outer` is the one whose solutions its filters see; `reads` are the
    variables of properties, by element and key."""

    parts: list[Part] = field(default_factory=list)
    outer: Group | None = None
    reads: dict[tuple[str, str], Any] = field(default_factory=dict)

    def triple(self, subject: str, predicate: str, target: str) -> None:
        """Add a triple pattern, once."""
        made = Triple(subject, predicate, target)
        if made not in self.parts:
            self.parts.append(made)

    def line(self, text: str) -> None:
        """Add a FILTER, BIND or VALUES."""
        self.parts.append(Line(text))

    def binds(self, var: str) -> bool:
        """Whether a triple pattern is the first part in which a variable stands."""
        word = re.compile(rf"{re.escape(var)}(?!\w)")
        for part in self.parts:
            if isinstance(part, Triple) and var in (part.subject, part.object):
                return True
            if any(word.search(line) for line in Group([part]).lines(0)):
                return False
        return False

    def lines(self, depth: int) -> Iterator[str]:
        """The text of the parts; triples of one subject share it."""
        pad = INDENT * depth
        last: Triple | None = None
        line = ""
        for part in self.parts:
            if isinstance(part, Triple):
                if last is not None and last.subject == part.subject:
                    line += f" ; {part.predicate} {part.object}"
                else:
                    if line:
                        yield f"{pad}{line} ."
                    line = f"{part.subject} {part.predicate} {part.object}"
                last = part
                continue
            if line:
                yield f"{pad}{line} ."
            line, last = "", None
            yield from _lines(part, depth)
        if line:
            yield f"{pad}{line} ."


def _lines(part: Part, depth: int) -> Iterator[str]:
    pad = INDENT * depth
    match part:
        case Line():
            yield pad + part.text
        case Block():
            word = f"{part.word} " if part.word else ""
            for number, group in enumerate(part.groups):
                yield f"{pad}{word if not number else '} UNION '}{{"
                yield from group.lines(depth + 1)
            yield f"{pad}}}"
        case Select():
            yield f"{pad}{{"
            yield from select_lines(part, depth + 1)
            yield f"{pad}}}"


def select_lines(part: Select, depth: int) -> Iterator[str]:
    """A SELECT with its group and modifiers."""
    pad = INDENT * depth
    yield f"{pad}{part.head} WHERE {{"
    yield from part.group.lines(depth + 1)
    yield f"{pad}}}"
    for line in part.tail:
        yield pad + line


def inline(group: Group) -> str:
    """A group in braces on one line, as EXISTS has it."""
    return "{ " + " ".join(line.strip() for line in group.lines(0)) + " }"
