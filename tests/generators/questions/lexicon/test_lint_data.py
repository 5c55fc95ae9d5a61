"""What a user says that the data do not bear out."""

from __future__ import annotations

from generators.questions.lexicon.lint_data import data_warnings
from generators.questions.lexicon.model import Lexicon, Property, Provenance, Role, Thing
from schemagraph.folder.statistics import PropertyStatistics


def _written(*texts: str, dated: bool = False) -> PropertyStatistics:
    return PropertyStatistics(len(texts), 0, len(texts), tuple((t, 1) for t in texts), dated=dated)


def test_days_that_texts_do_not_write_are_warned_of() -> None:
    day, clock = Property(noun="day", kind=Role.DATE), Property(noun="time", kind=Role.TIME)
    rule = Property(noun="day", kind=Role.DATE, source=Provenance.RULE)
    lexicon = Lexicon(properties={"Haul": {"day": day, "iso": day, "at": clock, "rule": rule}})
    known = {
        ("Haul", "day"): _written("15 May 2021"),
        ("Haul", "iso"): _written("2021-05-15", dated=True),
        ("Haul", "at"): _written("20:13"),
        ("Haul", "rule"): _written("15 May 2021"),
    }
    assert list(data_warnings(lexicon, known, {})) == [
        (
            ("properties", "Haul", "day", "kind"),
            "texts as '15 May 2021' have no order of time, as '2024-05-01' has: "
            'write kind = "text", or convert the column.',
        )
    ]


def test_a_name_of_several_things_is_warned_of() -> None:
    things = {
        "Wine": Thing(singular="wine", name=("name",)),
        "Port": Thing(singular="port", name=("name",)),
        "Rule": Thing(singular="rule", name=("name",), source=Provenance.RULE),
    }
    counted = {"Wine": (316, 361), "Port": (9, 9), "Rule": (1, 2)}
    assert list(data_warnings(Lexicon(things=things), {}, counted)) == [
        (("things", "Wine", "name"), "316 of 361 are unique: several things have one name.")
    ]
