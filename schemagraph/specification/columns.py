"""Columns of a specification: which others each needs, in which order they can be made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from graphlib import CycleError, TopologicalSorter

from schemagraph.model import EdgeType, NodeType, SchemaGraph, Type
from schemagraph.specification import distributions as d
from schemagraph.specification.model import Column


class End(StrEnum):
    """The two ends of an edge."""

    SOURCE = "source"
    TARGET = "target"


def visible(element: NodeType | EdgeType, schema: SchemaGraph | None = None) -> dict[str, Type]:
    """The columns that a column of this type may refer to, and their types.

    For an edge these are its own and, with the prefixes `source.` and `target.`, those of its
    ends.
    """
    types = {given.name: given.type for given in element.properties}
    if isinstance(element, EdgeType) and schema is not None:
        for end, name in zip(End, (element.source, element.target), strict=True):
            for given in schema.node_by_name[name].properties:
                types[f"{end}.{given.name}"] = given.type
    return types


def needs(given: d.Distribution, *, deep: bool = True) -> Iterator[str]:
    """The columns that a distribution refers to, those of its cases too if `deep`."""
    match given:
        case d.After():
            yield from (*given.columns, *given.before)
        case d.Template():
            yield from (name for name, _ in given.fields() if name not in given.lists)
        case (
            d.Correlated()
            | d.Scaled()
            | d.Copied()
            | d.Conditional()
            | d.Banded()
            | d.Curve()
            | d.First()
        ):
            yield given.column
        case d.Ordinal():
            yield from (name for name in (given.column, given.by) if name is not None)
        case d.Product():
            yield from given.columns
        case d.Sum():
            yield from (*given.columns, *given.minus)
        case d.Annuity():
            yield from (given.amount, given.rate, given.months)
        case d.Elapsed():
            yield from (given.start, given.end)
        case d.Allotted():
            yield from (name for name in (given.column, given.by) if name is not None)
        case d.Sequence(by=str(by)):
            yield by
    if deep:
        for part in d.inner(given):
            yield from needs(part)


def passes_null(given: d.Distribution) -> tuple[str, ...]:
    """The columns of which a value is made, so that it is NULL where one of them is."""
    match given:
        case d.After():
            return given.columns
        case d.Scaled() | d.Copied() | d.Curve():
            return (given.column,)
        case d.Template() | d.Product() | d.Sum() | d.Annuity() | d.Elapsed() | d.Allotted():
            return tuple(needs(given))
    return ()


def order_of(columns: Mapping[str, Column]) -> tuple[str, ...] | None:
    """The columns so that each follows those which it needs; None where that is impossible."""
    place = {name: number for number, name in enumerate(columns)}
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for name, column in columns.items():
        sorter.add(name, *(other for other in needs(column.of) if other in columns))
    try:
        sorter.prepare()
    except CycleError:
        return None
    ordered: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready(), key=place.__getitem__)
        ordered += ready
        sorter.done(*ready)
    return tuple(ordered)


def capacity(given: d.Distribution) -> int | None:
    """How many different values there are; None where there are plenty or nobody knows."""
    match given:
        case d.Categorical():
            return sum(weight > 0 for weight in given.weights) or len(given.values)
        case d.Zipf():
            return len(given.values)
        case d.Flag():
            return 2
        case d.Pattern():
            return given.size()
        case d.Uniform():
            return int((given.high - given.low) * 10**given.decimals) + 1
        case d.Conditional() | d.Banded() | d.First():
            rooms = [capacity(part) for part in d.inner(given)]
            known = [room for room in rooms if room is not None]
            return sum(known) if len(known) == len(rooms) else None
    return None
