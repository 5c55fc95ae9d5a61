"""What a lexicon asks of its author, with what the answer is seen from."""

from __future__ import annotations

from dataclasses import replace

from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.doubts.listing import Doubt, coverage, doubts
from generators.questions.lexicon.model import Lexicon, Property, Provenance, Role, Thing
from schemagraph.folder.statistics import PropertyStatistics
from tests.schema_text import read_schema

SCHEMA = read_schema(
    """
Kiln(id!: INTEGER, name: STRING, fuel_cd: STRING, state: STRING, damper: STRING, glaze: STRING, stroke: INTEGER)
Potter(id!: INTEGER, name: STRING)
Kiln-[HAS_FOREMAN]->Potter
"""  # noqa: E501
)
STROKE = {("Kiln", "stroke"): PropertyStatistics(3, 0, 3, ((4, 1), (7, 1), (9, 1)))}


def figures(**values: tuple[str, ...]) -> dict[tuple[str, str], PropertyStatistics]:
    """The figures of properties of a kiln that have these values, each once more than the next."""
    return {
        ("Kiln", name): PropertyStatistics(
            len(texts) + 1, 0, len(texts), tuple((text, 1) for text in texts)
        )
        for name, texts in values.items()
    }


def asked(place: str, lexicon: Lexicon, **values: tuple[str, ...]) -> list[Doubt]:
    """The doubts of one place."""
    found = doubts(lexicon, SCHEMA, figures={**STROKE, **figures(**values)})
    return [doubt for doubt in found if doubt.place == place]


def of_kiln(name: str, **parts: object) -> Lexicon:
    """A lexicon of one property, by rule."""
    base = Property(noun=name, kind=Role.CATEGORY, source=Provenance.RULE, sure=0.9)
    return Lexicon(properties={"Kiln": {name: replace(base, **parts)}})  # type: ignore[arg-type]


def test_codes_without_words_are_asked_for_with_their_values() -> None:
    place = "properties.Kiln.fuel_cd"
    lexicon = of_kiln("fuel_cd", noun="fuel code")
    (doubt,) = asked(place, lexicon, fuel_cd=("E", "GAS", "WD"))
    assert doubt.asks == "what do E, GAS, WD mean?"
    assert doubt.shows == "STRING, as 'E', 'GAS', 'WD'"
    assert doubt.write == f"{place}.values"
    assert doubt.text().endswith(f"(sure 0.5)\n      {doubt.shows}; write {place}.values")
    assert asked(place, lexicon, fuel_cd=("electric", "gas")) == []
    mine = of_kiln("fuel_cd", noun="fuel code", source=Provenance.USER, sure=1.0)
    assert asked(place, mine, fuel_cd=("E", "GAS", "WD")) == []


def test_flags_and_many_codes_are_asked_for() -> None:
    (flag,) = asked("properties.Kiln.damper", of_kiln("damper", kind=None), damper=("N", "Y"))
    assert flag.asks == "what do N, Y mean?"
    codes = tuple(f"G{letter}" for letter in "ABCDEFGH")
    (many,) = asked("properties.Kiln.glaze", of_kiln("glaze"), glaze=codes)
    assert many.asks == "what do GA, GB, GC, GD, GE, GF and 2 more mean?"


def test_values_that_some_have_words_for_are_asked_for() -> None:
    lexicon = of_kiln("state", values={"cold": "cold", "hot": "hot"})
    (doubt,) = asked("properties.Kiln.state", lexicon, state=("cold", "hot", "patch\x1b"))
    assert doubt.asks == 'what is patch? called, beside "cold" and "hot"?'


def test_numbers_of_one_word_are_asked_for_their_unit() -> None:
    place = "properties.Kiln.stroke"
    (doubt,) = asked(place, of_kiln("stroke", kind=Role.MEASURE))
    assert doubt.asks == 'what does "stroke" measure, and in what?'
    assert (doubt.shows, doubt.write) == ("INTEGER, as 4, 7, 9", f"{place}.noun and .unit")
    assert asked(place, of_kiln("stroke", kind=Role.MEASURE, unit="mm")) == []


def test_a_path_with_one_direction_is_asked_for_the_other_and_counted() -> None:
    lexicon = derive(SCHEMA)
    (doubt,) = asked("paths.Kiln-HAS_FOREMAN-Potter", lexicon)
    assert doubt.asks == "and the other way: what do potters do with kilns?"
    assert doubt.shows == 'forward is "role foreman"'
    assert doubt.write == "paths.Kiln-HAS_FOREMAN-Potter.backward"
    covered = coverage(lexicon, SCHEMA)
    assert covered.to_json()["paths"] == {"sure": 1, "of": 1, "one_way": 1}
    assert covered.text().endswith("1 of 1 paths (1 of them in one direction alone)")


def test_what_may_name_a_thing_is_shown() -> None:
    kiln = Thing(singular="kiln", plural="kilns")
    hidden = {"Kiln": {"glaze": Property(hidden=True)}}
    lexicon = Lexicon(things={"Kiln": kiln}, properties=hidden)
    (doubt,) = asked("things.Kiln", lexicon, name=("Old Tom",), glaze=("x",))
    assert (doubt.shows, doubt.write) == ("has name ('Old Tom'), stroke (4)", "things.Kiln.name")
