"""Labels behind a barrier: what gathers traversers makes a new one, which remembers no label.

`fold`, `count` and their relatives make one traverser of all. Where a label from before is read
behind them, they stand in a `map`, whose traverser goes on with what it remembers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graphmill.errors import Refused
from translators.gremlin.steps.text import Label, Raw, Step, Than, Traversal

_GATHERING = frozenset({"fold", "count", "sum", "min", "max", "mean", "group", "groupCount"})
_PASSED_ON = frozenset({"union", "optional", "repeat", "choose"})
"""Steps that pass on the traversers of a child traversal, with what those remember."""


def remembering(traversal: Traversal) -> Traversal:
    """The whole traversal in which no label is read where it is forgotten.

    Raises:
        Refused: a label is read that is forgotten for good.
    """
    labels = frozenset(name for each in traversal for name in _labels_of(each))
    return _mended(traversal, labels, child=False)


def _mended(traversal: Traversal, labels: frozenset[str], *, child: bool) -> Traversal:
    steps = tuple(
        replace(
            each,
            args=tuple(
                _mended(a, labels, child=True) if isinstance(a, tuple) else a for a in each.args
            ),
        )
        for each in traversal
    )
    for end in range(len(steps) - 1, 0, -1):
        if not _forgets_before(steps, end):
            continue
        before, after = steps[:end], steps[end:]
        missing = _read(after) & labels
        if not missing:
            continue
        if not child or any(missing & set(_labels_of(each)) for each in before):
            names = ", ".join(sorted(missing))
            raise Refused("scope", "select", f"What gathers rows forgets the label {names}.")
        return (Step("map", (_mended(before, labels, child=True),)), *after)
    return steps


def _forgets_before(steps: Traversal, end: int) -> bool:
    """Whether a step that ends before `end`, with its modulators, makes a new traverser."""
    if steps[end].name == "by":
        return False
    place = end - 1
    while place and steps[place].name == "by":
        place -= 1
    return _forgets(steps[place])


def _forgets(each: Step) -> bool:
    if each.name in _GATHERING:
        return Raw("local") not in each.args
    if each.name not in _PASSED_ON:
        return False
    branches = each.args[1:] if each.name == "choose" else each.args
    return any(_forgets(own) for branch in branches if isinstance(branch, tuple) for own in branch)


def _labels_of(each: Step) -> Iterator[str]:
    """The labels that a step and its children give."""
    for argument in each.args:
        if isinstance(argument, tuple):
            for own in argument:
                yield from _labels_of(own)
        elif each.name == "as" and isinstance(argument, Label):
            yield argument.name


def _read(traversal: Traversal) -> set[str]:
    """The names that are read before the traversal has them itself, as labels or keys of a map."""
    read: set[str] = set()
    known: set[str] = set()
    keys: set[str] = set()  # of a `project`, which are there behind its modulators
    for each in traversal:
        if each.name != "by":
            known |= keys
            keys = set()
        for argument in each.args:
            if isinstance(argument, tuple):
                read |= _read(argument) - known
            elif isinstance(argument, Label | Than):
                if each.name == "project":
                    keys.add(argument.name)
                elif each.name != "as":
                    read |= {argument.name} - known
        known |= set(_labels_of(each))
    return read
