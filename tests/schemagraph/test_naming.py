"""Names read as a person would choose them: `names.pairs`."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemagraph import naming
from schemagraph.convert import edge_naming
from tests.schemagraph.cases import Case, cases


def named(text: str) -> str:
    """What the rules make of one line of `names.pairs`."""
    kind, _, rest = text.partition(" ")
    if kind == "label":
        return naming.label(rest)
    if kind == "property":
        return naming.property_name(rest)
    if kind == "reference":
        found = re.fullmatch(r"(.+)\((.+)\) -> (.+)\((.+)\)", rest)
        assert found, text
        return edge_naming.reference_label(
            found[1], found[2].split(", "), found[3], found[4].split(", ")
        )
    found = re.fullmatch(r"(.+): (.+) -> (.+)\((.+)\)", rest)
    assert found, text
    return edge_naming.link_label(found[1], found[2], found[3], [found[4]])


@pytest.mark.parametrize("case", cases("names.pairs"), ids=lambda case: case.place)
def test_names(case: Case) -> None:
    assert (named(case.given[0]),) == case.expected


@given(st.text(min_size=1))
def test_every_name_gives_identifiers(name: str) -> None:
    assert naming.label(name).isidentifier()
    assert naming.property_name(name).isidentifier()
    assert naming.property_name(naming.property_name(name)) == naming.property_name(name)


@given(st.lists(st.text(max_size=3), max_size=8))
def test_distinct_names_differ_without_case(wishes: list[str]) -> None:
    taken: list[str] = []
    for wish in wishes:
        taken.append(naming.distinct(wish, taken))
    folded = [name.casefold() for name in taken]
    assert len(set(folded)) == len(folded)
