"""Values that sort things stand where people say them, not behind "with the"."""

from __future__ import annotations

import pytest

from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.model import Property as Words
from generators.questions.lexicon.model import filled
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
        ("Invoice", "payment_status", ("Paid", "Cancelled"), ("after", "", "")),
        ("Member", "hobby_type", ("Ann Lee", "Bo"), ("after", "", "")),
        ("Member", "volunteer", ("0", "1"), ("after", "", "")),  # which of them is yes?
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
