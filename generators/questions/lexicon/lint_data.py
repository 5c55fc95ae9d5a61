"""Kinds that a user gives against the types of columns and what the data have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from generators.questions.lexicon.lint import Problem, mine
from generators.questions.lexicon.model import Lexicon, Provenance, Role
from schemagraph.folder.statistics import PropertyStatistics
from schemagraph.model import NUMERIC, TEMPORAL, Kind, SchemaGraph

_AMOUNTS = (Role.MEASURE, Role.MONEY, Role.COUNT, Role.SHARE)
_DAYS = (Role.DATE, Role.TIME)
_OTHERWISE = (Kind.STRING, Kind.BOOLEAN, *TEMPORAL)


def kinds_against(lexicon: Lexicon, schema: SchemaGraph) -> Iterator[Problem]:
    """Kinds that a column cannot have by its type: amounts of texts, days of numbers."""
    for (section, owner, name), entry in mine(lexicon):
        element = schema.node_by_name.get(owner) or schema.edge_by_name.get(owner)
        column = element.property(name) if element is not None else None
        if column is None or entry.kind is None or entry.hidden:
            continue
        kind, place = column.type.kind, (section, owner, name, "kind")
        if entry.kind in _AMOUNTS and kind in _OTHERWISE:
            meant = "text" if kind is Kind.STRING else "flag" if kind is Kind.BOOLEAN else "date"
            what = f"'{entry.kind}' is said of numbers, and the column is of {kind}"
            yield place, f'{what}: write kind = "{meant}", or convert the column to numbers.'
        elif entry.kind in _DAYS and kind in (*NUMERIC, Kind.BOOLEAN):
            what = f"'{entry.kind}' is said of days and times, and the column is of {kind}"
            yield place, f'{what}: write kind = "year" for years, else "measure" or "code".'


def data_warnings(
    lexicon: Lexicon,
    statistics: Mapping[tuple[str, str], PropertyStatistics],
    names: Mapping[str, tuple[int, int]],
) -> Iterator[Problem]:
    """What the data do not bear out: days that texts do not write, names of several things.

    `names` has for things how many different names there are, and how many things.
    """
    for place, entry in mine(lexicon):
        figures = statistics.get((place[1], place[2]))
        texts = [] if figures is None else [v for v, _ in figures.common if isinstance(v, str)]
        clocks = entry.kind is Role.TIME and all(":" in text for text in texts)
        if figures is None or not texts or figures.dated or clocks or entry.hidden:
            continue
        if entry.kind in _DAYS:
            shown = texts[0] if texts[0].isprintable() else ascii(texts[0])
            what = f"texts as '{shown[:40]}' have no order of time, as '2024-05-01' has"
            yield (*place, "kind"), f'{what}: write kind = "text", or convert the column.'
    for name, thing in lexicon.things.items():
        different, many = names.get(name, (0, 0))
        if thing.source is Provenance.USER and thing.name and different < many:
            what = f"{different:,} of {many:,} are unique: several things have one name"
            yield ("things", name, "name"), f"{what}."
