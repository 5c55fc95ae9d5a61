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


_OF_THE_OBJECT = frozenset(
    {
        *("values", "select", "unfold", "fold", "out", "in", "both", "outE", "inE", "bothE", "inV"),
        *("outV", "otherV", "has", "hasLabel", "hasNot", "is", "where", "not", "and", "or"),
        *("count", "sum", "min", "max", "mean", "constant", "label", "choose", "coalesce", "math"),
    }
)


def is_plain(own: Traversal) -> bool:
    """Whether the steps read the object before alone, and no label."""
    return all(
        each.name == "as"
        or (
            each.name in _OF_THE_OBJECT
            and not any(isinstance(a, Label | Than) for a in each.args)
            and all(is_plain(a) for a in each.args if isinstance(a, tuple))
        )
        for each in own
    )


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


def literal(value: object, *, wide: bool = False) -> str:
    """A constant as Gremlin's grammar has it; `wide`: integers with 64 bits, as stored ones have.

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
            return str(value) if -_INT <= value < _INT and not wide else f"{value}L"
        case float() if math.isfinite(value):
            return f"{value + 0.0!r}d"  # Java tells -0.0 from 0.0
        case str():
            return quoted(value)
        case list() | tuple():
            if any(isinstance(item, float) and str(item) == "-0.0" for item in value):
                raise Refused("unsupported", "Literal", "Java's lists tell -0.0 from 0.0.")
            return "[" + ", ".join(literal(item, wide=wide) for item in value) + "]"
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
    return "g" + "".join("." + _text(each) for each in _counted(_tidied(traversal, read)))


def _counted(traversal: Traversal, *, tested: bool = False) -> Traversal:
    """With a barrier between a number of traversers that is shown and what tests it.

    TinkerPop's CountStrategy counts no further than a test right behind count() needs, whether or
    not the number is shown: `count().is(gt(3))` of seven is 4.
    """
    kept: list[Step] = []
    for place, each in enumerate(traversal):
        inner = each.name in _FILTERS or each.name == "filter"
        args = tuple(
            _counted(a, tested=tested or inner) if isinstance(a, tuple) else a for a in each.args
        )
        kept.append(Step(each.name, args))
        counts = each.name == "count" and not each.args and not tested
        if counts and _is_tested(traversal, place + 1):
            kept.append(step("barrier"))
    return tuple(kept)


def _is_tested(traversal: Traversal, place: int) -> bool:
    """Whether the step at `place`, or the one behind the labels there, is a filter."""
    while place < len(traversal) and traversal[place].name == "as":
        place += 1
    return place < len(traversal) and traversal[place].name in (*_FILTERS, "filter")


def _labels_read(traversal: Traversal) -> Iterator[str]:
    for each in traversal:
        for argument in each.args:
            if isinstance(argument, Label | Than):
                if each.name != "as":
                    yield argument.name
            elif isinstance(argument, tuple):
                yield from _labels_read(argument)


def _tidied(traversal: Traversal, read: set[str], *, repeated: bool = False) -> Traversal:
    """Without labels that nobody reads; an edge that is only passed is one step, and what is
    filtered has its label after the filter."""
    kept: list[Step] = []
    for each in traversal:
        if each.name == "as" and not _named(each.args, read):
            continue
        inside = repeated or each.name == "repeat"
        args = tuple(
            _tidied(a, read, repeated=inside) if isinstance(a, tuple) else a for a in each.args
        )
        made = Step(each.name, args)
        if kept and (short := _PASSING.get((kept[-1].name, each.name))):
            kept[-1] = Step(short, kept[-1].args)
        elif kept and (both := _bounds(kept[-1], made)) is not None:
            kept[-1] = both
        elif not repeated and len(kept) > 1 and _filters_without(kept[-1], made):
            before = _bounds(kept[-2], made)
            kept[-2:] = [kept[-2], made, kept[-1]] if before is None else [before, kept[-1]]
        else:
            kept.append(made)
    return tuple(kept)


_FILTERS = frozenset({"has", "hasLabel", "hasNot", "is", "where", "not", "and", "or"})


def _filters_without(label: Step, test: Step) -> bool:
    """Whether a step only filters what a label before it names, and does not read it."""
    if label.name != "as" or test.name not in _FILTERS:
        return False
    if any(isinstance(a, Than) for a in test.args):
        return False  # modulators follow it
    own = {a.name for a in label.args if isinstance(a, Label)}
    return not own & set(_labels_read((test,)))


_HALVES = {("gte", "lt"): "between", ("gt", "lt"): "inside"}
_BOUND = re.compile(r"(gte?|lte?)\((.*)\)", re.DOTALL)


def _bounds(first: Step, second: Step) -> Step | None:
    """Two bounds of one property as one test."""
    if first.name != second.name or first.name not in ("has", "is"):
        return None
    if len(first.args) != len(second.args) or first.args[:-1] != second.args[:-1]:
        return None
    lo, hi = first.args[-1], second.args[-1]
    if not isinstance(lo, Raw) or not isinstance(hi, Raw):
        return None
    a, b = _BOUND.fullmatch(lo.text), _BOUND.fullmatch(hi.text)
    if a is None or b is None:
        return None
    if a[1].startswith("l"):
        a, b = b, a
    word = _HALVES.get((a[1], b[1]))
    if word is None:
        return None
    return Step(first.name, (*first.args[:-1], Raw(f"{word}({a[2]}, {b[2]})")))


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
