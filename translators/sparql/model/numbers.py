"""Which kinds of numbers a value may be: RDF tells 1 from 1.0 among keys and distinct values, where
Cypher counts one.

The kinds that a value of `Kind.ANY` may have are in `Type.of` here, as far as the schema tells.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from schemagraph.model import ANY, NUMERIC, Kind, Type


def numbers(of: Type) -> frozenset[Kind]:
    """The kinds of the numbers among the values of a type, and in its lists and maps."""
    inside = numbers(of.item) if of.item is not None else frozenset()
    return inside | (NUMERIC & _held(of))


def two_forms(*types: Type) -> bool:
    """Whether equal values of these types may be an integer and a float."""
    return frozenset().union(*map(numbers, types)) >= NUMERIC


def holds_lists(of: Type) -> bool:
    """Whether a value may be a stored list beside values of other kinds, which a term does not
    tell: two equal lists have different heads."""
    return of.kind is Kind.ANY and Kind.LIST in _held(of)


def either(types: Iterable[Type]) -> Type:
    """The type of a choice between values of these types."""
    shown = [of for of in types if of.kind is not Kind.NULL]
    if not shown:
        return ANY
    first, kinds = shown[0], {of.kind for of in shown}
    if len(kinds) == 1 and first.kind is not Kind.ANY:
        nothing = max(of.of_nothing for of in shown)
        return replace(first, mixed=any(of.mixed for of in shown), of_nothing=nothing)
    if kinds <= NUMERIC:
        return Type(Kind.FLOAT, mixed=True)
    held = {kind.value for of in shown for kind in _held(of)}
    return replace(ANY, of=tuple(sorted(held)))


def inside(types: Iterable[Type]) -> Type:
    """The type of the items of a list or map that is made of values of these types, of which each
    is compared with those in its own place: numbers of one place that are of two kinds, if there
    are, else of all places, if these are of one."""
    shown = list(types)
    for of in shown:
        if two_forms(of):
            return of
    joined = either(shown)
    return ANY if two_forms(joined) else joined


def _held(of: Type) -> frozenset[Kind]:
    """The kinds that a value may have; a sum of no floats is an integer."""
    if of.mixed or of.of_nothing:
        return NUMERIC
    return frozenset(map(Kind, of.of)) if of.kind is Kind.ANY else frozenset({of.kind})
