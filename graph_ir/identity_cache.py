"""Results that are worked out once for values that never change."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps


def once[**P, R](most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Remember the last `most` results of a function of trees by the identity of its arguments.

    To compare trees takes longer than most of what is asked of them. The arguments are remembered,
    too, so that their identity is theirs alone; they are given by position. An error is not
    remembered.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        known: OrderedDict[tuple[int, ...], tuple[tuple[object, ...], R]] = OrderedDict()

        @wraps(function)
        def remembered(*args: P.args, **named: P.kwargs) -> R:
            if named:
                return function(*args, **named)
            key = tuple(map(id, args))
            entry = known.get(key)
            if entry is None:
                entry = known[key] = (args, function(*args, **named))
                if len(known) > most:
                    known.popitem(last=False)
            return entry[1]

        return remembered

    return decorate
