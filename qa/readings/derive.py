"""The readings: what else the question of a query could ask, each as a rewrite of its IR.

A reading applies to a query where its family makes something of it. Which of these a question
leaves open, its wording decides (`qa.readings.wordings`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from graph_ir import nodes as ir
from graph_ir.bind.statements import Rebinder
from graph_ir.rewrites import probe
from qa.fuzz.shrink import regrouped
from qa.readings import (
    attachment,
    bounds,
    case,
    direction,
    former,
    groups,
    names,
    nulls,
    others,
    ranks,
    rows,
    siblings,
    things,
)
from qa.readings.shape import MOST, Derive
from schemagraph.model import SchemaGraph

TIES = "ties"
"""The one reading that is no rewrite: a LIMIT between rows of which none comes first."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A reading: its rewrites; whether it is judged on small graphs, too, and not on the shipped
    data alone; how a query is repaired so that this reading is its own."""

    derive: Derive
    everywhere: bool = True
    repair: Derive | None = None


READINGS: dict[str, Kind] = {
    "rows": Kind(rows.once_each, repair=rows.distinct_rows),
    "things": Kind(things.each_thing_once, repair=things.each_thing_once),
    "attachment": Kind(attachment.of_another),
    "which-set": Kind(groups.filter_groups),
    "empty-groups": Kind(groups.empty_groups, everywhere=False),
    "empty-neighbours": Kind(groups.empty_neighbours, everywhere=False),
    "empty-values": Kind(groups.empty_values, everywhere=False),
    "null-under-not": Kind(nulls.null_is_not, everywhere=False),
    "null-as-none": Kind(nulls.null_is_zero, everywhere=False),
    "former": Kind(former.without_former, everywhere=False),
    "filter-after-limit": Kind(ranks.filter_after),
    "by-thing": Kind(names.by_thing, everywhere=False),
    "one-of-the-name": Kind(names.one_of_the_name, everywhere=False),
    "rank-polarity": Kind(ranks.turned),
    "other-date": Kind(siblings.other_date),
    "other-relation": Kind(siblings.other_relation),
    "oneself": Kind(others.without_oneself, repair=others.without_oneself),
    "oneself-too": Kind(others.oneself_too, everywhere=False),
    "edge-twice": Kind(others.with_oneself),
    "pair-twice": Kind(others.pairs_once, repair=others.pairs_once),
    "whole-day": Kind(bounds.whole_day, everywhere=False),
    "both-ways": Kind(direction.both_ways),
    "any-case": Kind(case.any_case, everywhere=False),
}

NAMES: tuple[str, ...] = (*READINGS, TIES)
"""All readings, in the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A bound statement that a reading makes of a query; for `ties` its probe."""

    reading: str
    statement: ir.Statement


def variants(
    statement: ir.Statement, schema: SchemaGraph, left_open: Collection[str] | None = None
) -> list[Variant]:
    """What the readings make of a bound statement, without those that are no query.

    `left_open` names the readings that a wording leaves open; all that apply, where it is None.
    """
    wanted = NAMES if left_open is None else [name for name in NAMES if name in left_open]
    if not isinstance(statement, ir.Query):
        return []
    return [
        Variant(name, made)
        for name in wanted
        for made in (
            _ties(statement)
            if name == TIES
            else rewritten(statement, schema, READINGS[name].derive)
        )
    ]


def rewritten(statement: ir.Query, schema: SchemaGraph, derive: Derive) -> Iterator[ir.Statement]:
    """A family's rewrites, bound, but for those that are wrong where the query is not."""
    rebinder: Rebinder | None = None
    known: set[str] = set()
    number = 0
    for made in derive(statement, schema):
        if made == statement:
            continue
        if rebinder is None:
            rebinder = Rebinder(statement, schema)
            known = {each.code for each in rebinder.bound.errors}
        bound = rebinder.bind(regrouped(made))
        if {each.code for each in bound.errors} <= known:
            yield bound.statement
            number += 1
        if number == MOST:
            return


def _ties(statement: ir.Query) -> Iterator[ir.Statement]:
    asked = probe(statement)
    if asked is not None and asked.limit is not None and asked.keys:
        yield asked.statement
