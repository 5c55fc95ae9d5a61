"""What the rules make of schemas: a few awkward ones of our own, and what holds for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generators.questions.lexicon.check import check_lexicon
from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.doubts.listing import coverage, doubts
from generators.questions.lexicon.model import Entry, Lexicon, Noun, Phrase
from generators.questions.lexicon.toml_file import entries_of, lexicon_text, parse_lexicon
from schemagraph.folder.statistics import GraphStatistics, PropertyStatistics, are_dated
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from tests.blocks import Block, blocks
from tests.schema_text import read_schema

HERE = Path(__file__).parent
CASES = list(blocks(HERE / "derived.cases"))


def _schema(case: Block) -> SchemaGraph:
    told = (line for line in case.lines if not line.startswith(("=>", "data ")))
    return read_schema("\n".join(told))


def _statistics(case: Block, schema: SchemaGraph) -> GraphStatistics | None:
    """The figures of the values that lines `data Owner.name: a | b` give, None without any."""
    known: dict[tuple[str, str], PropertyStatistics] = {}
    for line in case.lines:
        if line.startswith("data "):
            place, _, given = line.removeprefix("data ").partition(": ")
            owner, _, name = place.partition(".")
            element = schema.node_by_name.get(owner) or schema.edge_by_name[owner]
            column = element.property(name)
            assert column is not None
            as_stored = _STORED.get(column.type.kind, str)
            known[(owner, name)] = _figures([as_stored(text) for text in given.split(" | ")])
    nodes = {node.name: 0 for node in schema.nodes}
    return GraphStatistics(nodes, {}, known) if known else None


_STORED: dict[Kind, Callable[[str], Any]] = {Kind.INTEGER: int, Kind.FLOAT: float}


def _figures(values: list[Any]) -> PropertyStatistics:
    often = Counter(sorted(values)).most_common(50)
    dated = isinstance(values[0], str) and are_dated(sorted(values))
    return PropertyStatistics(
        *(len(values), 0, len({*values}), tuple(often)),
        *(tuple(sorted(values)), tuple(values), dated),
    )


def _derived(case: Block) -> tuple[SchemaGraph, Lexicon]:
    schema = _schema(case)
    return schema, derive(schema, _statistics(case, schema))


def _shown(value: object) -> str:
    if isinstance(value, Phrase):
        be = "be" if value.be else ""
        return " ".join(filter(None, (value.verb, be, value.be, value.noun, value.particle)))
    if isinstance(value, Noun):
        return value.singular
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, dict):
        return ",".join(f"{key}:{word}" for key, word in value.items())
    return str(value)


def _parts(entry: Entry, expected: str) -> str:
    """The parts of an entry that `expected` names, in its form."""
    names = [part.partition("=")[0] for part in _split(expected)]
    return " ".join(f"{name}={_shown(getattr(entry, name))}" for name in names)


def _split(text: str) -> list[str]:
    found: list[str] = []
    for word in text.split(" "):
        if "=" in word or not found:
            found.append(word)
        else:
            found[-1] += f" {word}"
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.place)
def test_entries_of_awkward_schemas(case: Block) -> None:
    entries = entries_of(_derived(case)[1])
    claims = [line.removeprefix("=> ") for line in case.lines if line.startswith("=>")]
    assert claims
    for claim in claims:
        place, _, expected = claim.partition(": ")
        assert f"{place}: {_parts(entries[place], expected)}" == claim


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.place)
def test_what_is_derived_fits_its_schema_and_comes_back_from_its_file(case: Block) -> None:
    schema, lexicon = _derived(case)
    assert check_lexicon(lexicon, schema) == []
    text = lexicon_text(lexicon)
    assert parse_lexicon(text).lexicon == lexicon
    assert text == lexicon_text(_derived(case)[1])


def test_every_part_of_a_schema_has_an_entry() -> None:
    for case in CASES:
        schema = _schema(case)
        lexicon = derive(schema)
        assert set(lexicon.things) == set(schema.node_by_name)
        for node in schema.nodes:
            assert {p.name for p in node.properties} == set(lexicon.properties[node.name])
        for edge in schema.edges:
            assert lexicon.path((edge.source, f"{edge.label}>", edge.target)) is not None


def test_doubts_come_in_the_order_of_what_they_unlock() -> None:
    schema = read_schema(
        """
Zorp(id!: INTEGER, name: STRING, height: FLOAT, age: INTEGER, color: STRING, xq: INTEGER)
Blarg(id!: INTEGER, name: STRING)
Zorp-[HAS_BLARG]->Blarg
"""
    )
    lexicon = derive(schema)
    found = doubts(lexicon, schema)
    assert [d.unlocks for d in found] == sorted((d.unlocks for d in found), reverse=True)
    places = [d.place for d in found]
    assert places.index("things.Zorp") < places.index("properties.Zorp.xq")
    covered = coverage(lexicon, schema)
    assert covered.things == (0, 2)
    assert covered.properties[0] < covered.properties[1] == 8


def test_an_empty_schema_has_an_empty_lexicon() -> None:
    assert derive(SchemaGraph("x", ())) == Lexicon()


_AWKWARD = ("IN", "BY", "HAS", "OF", "TO", "IS", "HAS_OF", "a", "1", "_", "-", "😀", "人")


@pytest.mark.parametrize("name", _AWKWARD)
def test_names_that_are_no_words_stop_nothing(name: str) -> None:
    properties = (Property("id", Type(Kind.INTEGER)), Property(name, Type(Kind.STRING)))
    node = NodeType((name,), properties, key=("id",))
    case = NodeType(("Case",), properties, key=("id",))
    edges = (EdgeType(name, "Case", "Case", properties), EdgeType(name, name, "Case"))
    lexicon = derive(SchemaGraph("g", (node, case), edges))
    path = lexicon.paths[f"Case-{name}-Case"]
    assert path.forward is None or path.forward.noun not in ("of", "in", "by", "to")
