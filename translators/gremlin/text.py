"""Traversals as data, and their text: steps with arguments, labels that nobody reads left out.

Grammar: Gremlin.g4 of TinkerPop 3.8 (`gremlin-language`), which has no Groovy and no lambdas.
It has chains of methods and no operators, so no text needs parentheses, nor `translators.printing`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphmill.errors import Refused

_UNPREFIXED = frozenset({"as", "in", "is", "not"})  # words of Groovy and Python, after `__.`
_INT = 2**31


@dataclass(frozen=True, slots=True)
class Label:
    """A step label, or a key of a map that `project` made."""

    name: str


@dataclass(frozen=True, slots=True)
class Kept(Label):
    """A step label that is printed though nobody reads it."""


@dataclass(frozen=True, slots=True)
class Raw:
    """An argument as it is printed: a predicate, a token, a literal."""

    text: str


@dataclass(frozen=True, slots=True)
class Than:
    """A predicate on what a label names: `gt('b')`."""

    word: str
    name: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its name and arguments."""

    name: str
    args: tuple[Argument, ...] = ()


type Traversal = tuple[Step, ...]
type Argument = Raw | Label | Than | Traversal


def step(name: str, *args: Argument | str) -> Step:
    """A step; text arguments are printed as they are."""
    return Step(name, tuple(Raw(a) if isinstance(a, str) else a for a in args))


def select(name: str) -> Step:
    """`select('name')`."""
    return Step("select", (Label(name),))


def by(traversal: Traversal, *order: str) -> Step:
    """`by(traversal)`, or the shorter form of it."""
    return Step("by", (*((_modulator(traversal),) if traversal else ()), *map(Raw, order)))


def where(traversal: Traversal) -> Step:
    """A filter by a traversal that has a result."""
    return Step("where", (traversal,))


def passing(own: Traversal, predicate: str) -> Traversal:
    """A filter: the value that `own` leads to meets the predicate, such as `gt(30)`."""
    if own and own[-1].name == "values" and len(own[-1].args) == 1:
        has = Step("has", (*own[-1].args, Raw(predicate)))
        return (has,) if len(own) == 1 else (where((*own[:-1], has)),)
    if not own:
        return (step("is", predicate),)
    return (where((*own, step("is", predicate))),)


def quoted(text: str) -> str:
    r"""A string literal.

    >>> print(quoted("it's\n"))
    'it\'s\n'
    """
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise Refused("unsupported", "Literal", "The text holds half a character.")
    return "'" + re.sub(r"[\x00-\x1f\\'\x7f\u2028\u2029]", _escaped, text) + "'"


_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _escaped(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}"


def literal(value: object) -> str:
    """A constant as Gremlin's grammar has it.

    Raises:
        Refused: a number is beyond 64 bits, or none.
    """
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            if not -(2**63) <= value < 2**63:
                raise Refused("unsupported", "Literal", "The number has more than 64 bits.")
            return str(value) if -_INT <= value < _INT else f"{value}L"
        case float() if math.isfinite(value):
            return f"{value + 0.0!r}d"  # Java tells -0.0 from 0.0
        case str():
            return quoted(value)
        case list() | tuple():
            return "[" + ", ".join(map(literal, value)) + "]"
    raise Refused("unsupported", "Literal", "Gremlin has no literal of this value.")


def _modulator(traversal: Traversal) -> Argument:
    if len(traversal) == 1:
        (only,) = traversal
        if only.name == "values" and len(only.args) == 1:
            return only.args[0]
        if only.name == "label" and not only.args:
            return Raw("label")
        if only.name == "select" and only.args in ((Raw("keys"),), (Raw("values"),)):
            return only.args[0]
    return traversal


def printed(traversal: Traversal) -> str:
    """The text of a whole traversal, after `g`."""
    read = set(_labels_read(traversal))
    return "g" + "".join("." + _text(each) for each in _tidied(traversal, read))


def _labels_read(traversal: Traversal) -> Iterator[str]:
    for each in traversal:
        for argument in each.args:
            if isinstance(argument, Label | Than):
                if each.name != "as":
                    yield argument.name
            elif isinstance(argument, tuple):
                yield from _labels_read(argument)


def _tidied(traversal: Traversal, read: set[str]) -> Traversal:
    """Without labels that nobody reads; an edge that is only passed is one step."""
    kept: list[Step] = []
    for each in traversal:
        if each.name == "as" and not _named(each.args, read):
            continue
        args = tuple(_tidied(a, read) if isinstance(a, tuple) else a for a in each.args)
        if kept and (short := _PASSING.get((kept[-1].name, each.name))):
            kept[-1] = Step(short, kept[-1].args)
            continue
        kept.append(Step(each.name, args))
    return tuple(kept)


def _named(args: Iterable[Argument], read: set[str]) -> bool:
    return any(isinstance(a, Kept) or (isinstance(a, Label) and a.name in read) for a in args)


_PASSING = {("outE", "inV"): "out", ("inE", "outV"): "in", ("bothE", "otherV"): "both"}


def _text(each: Step) -> str:
    name = each.name
    if name == "where" and isinstance(each.args[0], tuple) and _compares(each.args[0]):
        name = "filter"  # where() would compare what the labels name
    return f"{name}({', '.join(map(_argument, each.args))})"


def _compares(traversal: Traversal) -> bool:
    """Whether a filter's traversal begins or ends with a label, or compares labels within."""
    if traversal and "as" in (traversal[0].name, traversal[-1].name):
        return True
    return any(
        (each.name == "where" and not isinstance(each.args[0], tuple))
        or any(_compares(a) for a in each.args if isinstance(a, tuple))
        for each in traversal
    )


def _argument(argument: Argument) -> str:
    if isinstance(argument, Label):
        return quoted(argument.name)
    if isinstance(argument, Raw):
        return argument.text
    if isinstance(argument, Than):
        return f"{argument.word}({quoted(argument.name)})"
    if not argument:
        return "identity()"
    head = "__." if argument[0].name in _UNPREFIXED else ""
    return head + ".".join(map(_text, argument))
