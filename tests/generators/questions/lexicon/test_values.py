"""Values that sort things stand where people say them, not behind "with the"."""

from __future__ import annotations

import pytest

from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.model import Lexicon, filled
from generators.questions.lexicon.model import Property as Words
from schemagraph.folder.statistics import GraphStatistics, PropertyStatistics
from schemagraph.model import Kind, NodeType, Observed, Property, SchemaGraph, Type


def words(owner: str, name: str, *values: str) -> Words:
    """What the rules make of a text column of a node type with these values alone."""
    text = Type(Kind.STRING)
    column = Property(name, text, observed=Observed(values=values))
    node = NodeType((owner,), (Property("id", Type(Kind.INTEGER)), column), ("id",))
    made = derive(SchemaGraph("harbour", (node,))).property(owner, name)
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("owner", "name", "values", "expected"),
    [
        ("Account", "account_type", ("Savings", "joint"), ("before", "savings", "joint")),
        ("Ship", "kind", ("Cargo ship", "rescue ship"), ("head", "cargo ship", "rescue ship")),
        ("Participant", "type", ("organizer", "guest"), ("head", "organizer", "guest")),
        ("Payment", "amount_paid_in_full_yn", ("Y", "N"), ("after", "", "")),
        ("Berth", "category", ("SUV", "coach"), ("before", "SUV", "coach")),
        ("Mooring", "abandoned", ("N", "Y"), ("before", "not abandoned", "abandoned")),
        ("Mooring", "is_active_yn", ("no", "yes"), ("before", "inactive", "active")),
        (
            "Invoice",
            "status",
            ("Paid", "Cancelled", "On Road"),
            ("before", "paid", "cancelled", ""),
        ),
        ("Case", "status", ("open", "in review"), ("before", "open", "in-review")),
        ("Book", "state", ("lost", "withdrawn"), ("before", "lost", "withdrawn")),
        ("Invoice", "payment_status", ("Paid", "Cancelled"), ("after", "", "")),
        ("Member", "hobby_type", ("Ann Lee", "Bo"), ("after", "", "")),
        ("Member", "volunteer", ("0", "1"), ("after", "", "")),  # which of them is yes?
        ("Member", "Insured", ("-1", "0"), ("before", "insured", "not insured")),  # as Access
        ("Member", "trend", ("-1", "1"), ("after", "", "")),
        ("Prod", "prod_actv_ind", ("Y", "N"), ("before", "active", "inactive")),
        ("Guest", "country", ("IT", "NL"), ("after", "Italy", "Netherlands")),
        ("Guest", "country_code", ("DE", "Paris"), ("after", "", "")),
        ("Guest", "country", ("GB", "UK"), ("after", "", "")),
        ("Student", "status", ("Passed", "Enrolled"), ("before", "", "enrolled")),
        ("Test", "result", ("Passed", "Failed"), ("before", "passed", "failed")),
        ("Berth", "HasMeter", ("0", "1"), ("after", "without a meter", "with a meter")),
    ],
)
def test_what_values_say_of_their_owner(
    owner: str, name: str, values: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    made = words(owner, name, *values)
    assert (str(made.place), *map(made.word, values)) == expected


@pytest.mark.parametrize(
    ("owner", "name", "value", "said"),
    [
        ("Boat", "engine_type", "electric", "with an electric engine"),
        ("Boat", "engine_type", "V8", "with a V8 engine"),
        ("Boat", "fuel_type", "diesel", ""),  # no fuel is counted: "whose fuel type is diesel"
        ("Company", "industry", "shipping", "in the shipping industry"),
        ("Boat", "builder", "Kittiwake", "built by Kittiwake"),
        ("Boat", "paint_scheme", "dazzle", ""),
    ],
)
def test_frames_of_values(owner: str, name: str, value: str, said: str) -> None:
    assert filled(words(owner, name, value, "other one 7").equal, value) == said


def described(descriptions: tuple[str, ...], days: tuple[str, ...]) -> Lexicon:
    """What the rules make of a code table with these descriptions and days kept as texts."""
    text = Type(Kind.STRING)
    columns = tuple(Property(name, text) for name in ("knot_cd", "knot_desc", "knot_eff_dt"))
    schema = SchemaGraph("harbour", (NodeType(("Knot",), columns, ("knot_cd",)),))
    values = {"knot_cd": tuple("AB"), "knot_desc": descriptions, "knot_eff_dt": days}
    figures = {
        ("Knot", name): PropertyStatistics(
            2, 0, len(set(texts)), tuple((each, 1) for each in texts), (), texts
        )
        for name, texts in values.items()
    }
    return derive(schema, GraphStatistics({"Knot": 2}, {}, figures))


def test_a_description_names_what_a_code_means_where_each_is_short_and_another() -> None:
    days = ("2011-09-30", "2012-01-01")
    assert described(("Reef", "Bowline"), days).things["Knot"].name == ("knot_desc",)
    assert described(("Reef", "Reef"), days).things["Knot"].name == ("knot_cd",)
    assert described(("r", "b"), days).things["Knot"].name == ("knot_cd",)
    assert described(("Reef", "Bowline " * 9), days).things["Knot"].name == ("knot_cd",)


def test_days_in_digits_alone_are_hidden() -> None:
    for days, hidden in ((("20110930", "20120101"), True), (("20110930", "20121301"), False)):
        entry = described(("Reef", "Bowline"), days).property("Knot", "knot_eff_dt")
        assert entry is not None
        assert entry.hidden is hidden


@pytest.mark.parametrize(
    ("texts", "known"),
    [
        (("BUN", "FLT", "BUN"), False),
        (("Flat", "House", "Flat"), True),
        (("CD", "DVD", "CD"), True),
    ],
)
def test_sorts_by_codes_that_nothing_explains_are_left_to_users(
    texts: tuple[str, ...], known: bool
) -> None:
    column = Property("dwelling_type", Type(Kind.STRING))
    node = NodeType(("Home",), (Property("id", Type(Kind.INTEGER)), column), ("id",))
    common = tuple((text, texts.count(text)) for text in dict.fromkeys(texts))
    figures = {("Home", "dwelling_type"): PropertyStatistics(3, 0, 2, common, (), texts)}
    made = derive(SchemaGraph("town", (node,)), GraphStatistics({"Home": 3}, {}, figures))
    assert (made.at().property("Home", "dwelling_type") is not None) is known


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("Show", "first_brewed"),
        ("Show", "minimum_included"),
        ("Show", "score_a"),
        ("Show", "miles_out"),
    ],
)
def test_names_that_make_no_noun_phrase_are_left_to_users(owner: str, name: str) -> None:
    assert words(owner, name, "Mr", "Dr").rule == "property-unclear"


def test_titles_of_people_are_left_to_users() -> None:
    text = Type(Kind.STRING)
    columns = tuple(Property(name, text) for name in ("id", "last_name", "title"))
    made = derive(SchemaGraph("harbour", (NodeType(("Sailor",), columns, ("id",)),)))
    assert made.at().property("Sailor", "title") is None  # Mr, Dr


def test_a_bit_that_no_name_calls_a_flag_is_left_to_users() -> None:
    column = Property("organic", Type(Kind.INTEGER))
    node = NodeType(("Vineyard",), (Property("id", Type(Kind.INTEGER)), column), ("id",))
    figures = {("Vineyard", "organic"): PropertyStatistics(3, 0, 2, ((0, 2), (1, 1)), (), (0, 1))}
    made = derive(SchemaGraph("slope", (node,)), GraphStatistics({"Vineyard": 3}, {}, figures))
    assert made.at().property("Vineyard", "organic") is None


def test_a_number_is_not_called_by_the_short_form_of_its_owner() -> None:
    columns = (Property("brl_no", Type(Kind.STRING)), Property("toast", Type(Kind.STRING)))
    made = derive(SchemaGraph("cellar", (NodeType(("Barrel",), columns, ("brl_no",)),)))
    assert (entry := made.property("Barrel", "brl_no")) is not None
    assert entry.noun == "number"


def test_people_leave_at_their_end() -> None:
    columns = (Property("id", Type(Kind.INTEGER)), Property("end_date", Type(Kind.DATE)))
    made = derive(SchemaGraph("school", (NodeType(("Teacher",), columns, ("id",)),)))
    assert (entry := made.property("Teacher", "end_date")) is not None
    assert entry.verb is not None
    assert entry.verb.verb == "leave"


def test_what_living_things_weigh_is_not_added_up() -> None:
    columns = (Property("id", Type(Kind.INTEGER)), Property("weight_kg", Type(Kind.FLOAT)))
    nodes = tuple(NodeType((label,), columns, ("id",)) for label in ("Pet", "Parcel"))
    made = derive(SchemaGraph("port", nodes))
    added = [made.properties[label]["weight_kg"].sums for label in ("Pet", "Parcel")]
    assert added == [False, True]
