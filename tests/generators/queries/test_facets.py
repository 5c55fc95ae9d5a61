"""What properties are good for, and by what nodes are called."""

from __future__ import annotations

import pytest

from generators.queries.archetypes.estimates import is_symmetric
from generators.queries.archetypes.facets import Facets, Use
from generators.queries.archetypes.numbers import Sort, sort_of_number
from generators.questions.lexicon.model import Lexicon, Thing
from generators.questions.lexicon.model import Property as PropertyWords
from schemagraph.folder.statistics import (
    EdgeStatistics,
    GraphStatistics,
    PropertyStatistics,
    are_dated,
)
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type

ROWS = 100
MOMENT = {"moment", "measure", "detail"}
TEXT, WHOLE, REAL = Type(Kind.STRING), Type(Kind.INTEGER), Type(Kind.FLOAT)
DAYS: list[object] = [f"2024-01-{n % 28 + 1:02}" for n in range(ROWS)]
Columns = dict[str, tuple[Type, list[object]]]


def figures(values: list[object]) -> PropertyStatistics:
    known = [value for value in values if value is not None]
    times = sorted({value: known.count(value) for value in known}.items(), key=lambda p: -p[1])
    texts = sorted(value for value in known if isinstance(value, str))
    return PropertyStatistics(
        count=len(known),
        nulls=len(values) - len(known),
        distinct=len(times),
        common=tuple(times[:50]),
        sample=tuple(known[:20]),
        dated=len(texts) == len(known) > 0 and are_dated(texts),
    )


def facets(
    columns: Columns, key: str = "id", label: str = "Client", lexicon: Lexicon | None = None
) -> Facets:
    node = NodeType((label,), tuple(Property(n, t) for n, (t, _) in columns.items()), (key,))
    orders = NodeType(("Order",), (Property("id", WHOLE), Property("client_id", WHOLE)), ("id",))
    edge = EdgeType("OF_CLIENT", "Order", label)
    properties = {(label, name): figures(values) for name, (_, values) in columns.items()}
    properties |= {("Order", n): figures(list(range(ROWS))) for n in ("id", "client_id")}
    statistics = GraphStatistics(
        {label: ROWS, "Order": ROWS}, {edge.name: EdgeStatistics(ROWS, ROWS, ROWS)}, properties
    )
    return Facets(SchemaGraph("shop", (node, orders), (edge,)), statistics, lexicon)


def numbers(step: int = 1) -> list[object]:
    return [n // step for n in range(ROWS)]


def names() -> list[object]:
    return [f"Amber {n}" for n in range(ROWS)]


@pytest.mark.parametrize(
    ("name", "kind", "values", "uses"),
    [
        ("balance", REAL, numbers(), {"number", "amount", "total", "measure", "detail"}),
        ("age", WHOLE, numbers(), {"number", "amount", "measure", "detail"}),
        ("birth_year", WHOLE, numbers(3), {"number", "measure", "detail"}),
        ("opened", WHOLE, [1690, *range(1901, 2000)], {"number", "measure", "detail"}),
        ("storey", WHOLE, numbers(9), {"number", "measure", "detail"}),
        ("floor_area", WHOLE, numbers(3), {"number", "amount", "total", "measure", "detail"}),
        ("visits_per_day", WHOLE, numbers(3), {"number", "amount", "measure", "detail"}),
        ("long", REAL, numbers(3), {"number", "measure", "detail"}),
        ("rating", WHOLE, [1, 2] * 50, {"detail"}),
        ("zip_code", WHOLE, numbers(9), {"detail"}),
        ("meeting_room", REAL, numbers(9), {"detail"}),
        ("number_of_rooms", WHOLE, numbers(9), {"number", "amount", "total", "measure", "detail"}),
        ("ordno", WHOLE, numbers(9), set()),
        ("agent", WHOLE, list(range(1, ROWS + 1)), set()),
        ("order", REAL, [float(n) for n in range(1, ROWS + 1)], set()),
        ("grant", WHOLE, numbers(9), {"number", "amount", "total", "measure", "detail"}),
        ("paid", WHOLE, numbers(9), {"number", "amount", "total", "measure", "detail"}),
        ("segment", TEXT, ["gold", "tin"] * 50, {"category", "detail"}),
        ("segment", TEXT, ["gold"] * ROWS, set()),
        ("motto", TEXT, [f"Never say {n}" for n in range(ROWS)], {"text", "detail"}),
        ("remarks", TEXT, ["paid late", "new roof"] * 50, {"detail"}),
        ("motto", TEXT, [None, "Be brave"] * 49 + ["No", "Go"], {"category", "gapped", "detail"}),
        ("email", TEXT, names(), {"detail"}),
        ("tax_id", WHOLE, numbers(), set()),
        ("active", Type(Kind.BOOLEAN), [True, False] * 50, {"flag", "detail"}),
        ("joined", Type(Kind.DATE), names(), {"moment", "calendar", "measure", "detail"}),
        ("joined", TEXT, DAYS, MOMENT),
        ("joined", TEXT, [*DAYS[1:], "unknown"], {"detail"}),
        ("joined", TEXT, [f"{day} 10:30" for day in DAYS], {"detail"}),
        ("photo_data", Type(Kind.BYTES), numbers(), set()),
    ],
)
def test_the_uses_of_a_property(
    name: str, kind: Type, values: list[object], uses: set[str]
) -> None:
    found = facets({"id": (WHOLE, numbers()), "name": (TEXT, names()), name: (kind, values)})
    got = {str(use) for use in Use if name in found.properties("Client", use)}
    assert got == uses


def test_keys_and_references_are_not_asked_about() -> None:
    found = facets({"id": (WHOLE, numbers()), "name": (TEXT, names())})
    for use in Use:
        assert "id" not in found.properties("Client", use)
        assert "client_id" not in found.properties("Order", use)


@pytest.mark.parametrize(
    ("columns", "key", "name", "unique", "sole"),
    [
        ({"name": (TEXT, names())}, "id", ("name",), True, "name"),
        ({"name": (TEXT, ["Kim", "Bo"] * 50)}, "id", ("name",), False, "id"),
        ({"client_name": (TEXT, names())}, "id", ("client_name",), True, "client_name"),
        ({"plate": (TEXT, names())}, "id", ("plate",), True, "plate"),
        ({"iban": (TEXT, names())}, "iban", ("iban",), True, "iban"),
        ({"email": (TEXT, names())}, "id", ("id",), True, "id"),
        (
            {"GivenNames": (TEXT, ["Kim", "Bo Ann"] * 50), "Surname": (TEXT, names())},
            "id",
            ("GivenNames", "Surname"),
            True,
            "Surname",
        ),
        (
            {"forename": (TEXT, ["Kim", "Bo"] * 50), "family_name": (TEXT, ["Ek", "Dahl"] * 50)},
            "id",
            ("forename", "family_name"),
            False,
            "id",
        ),
    ],
)
def test_what_a_node_is_called(
    columns: Columns, key: str, name: tuple[str, ...], unique: bool, sole: str
) -> None:
    shown = facets({"id": (WHOLE, numbers()), **columns}, key).shown["Client"]
    assert (shown.name, shown.unique, shown.sole) == (name, unique, sole)
    assert shown.whole == (name if unique else (key, *name))


def test_dates_are_no_names() -> None:
    days = [f"2024-{1 + n // 28:02}-{1 + n % 28:02}" for n in range(ROWS)]
    shown = facets({"id": (WHOLE, numbers()), "placed": (TEXT, [*days])}).shown["Client"]
    assert shown.whole == ("id",)


def test_the_lexicon_says_what_things_are_called_and_what_is_hidden() -> None:
    columns: Columns = {
        "id": (WHOLE, numbers()),
        "name": (TEXT, names()),
        "call": (TEXT, [f"Bo {n}" for n in range(ROWS)]),
        "born": (WHOLE, numbers(3)),
    }
    own = Lexicon(
        things={"Client": Thing(singular="client", name=("call",))},
        properties={"Client": {"born": PropertyWords(hidden=True)}},
    )
    spoken = facets(columns, lexicon=own)
    assert spoken.shown["Client"].name == ("call",)
    assert "born" not in spoken.properties("Client", Use.DETAIL)
    hidden = Lexicon(properties={"Client": {"name": PropertyWords(hidden=True)}})
    assert "name" not in facets(columns, lexicon=hidden).shown["Client"].whole


def test_nothing_is_sorted_by_what_it_is_called() -> None:
    found = facets({"id": (WHOLE, numbers()), "name": (TEXT, ["Kim", "Bo"] * 50)})
    assert not found.properties("Client", Use.CATEGORY)


@pytest.mark.parametrize(
    ("label", "target", "expected"),
    [
        ("MARRIED_TO", "P", True),
        ("friendOf", "P", True),
        ("KNOWS", "Q", False),
        ("IS_A", "P", False),
    ],
)
def test_relations_of_equals(label: str, target: str, expected: bool) -> None:
    assert is_symmetric(EdgeType(label, "P", target)) is expected


@pytest.mark.parametrize(("first", "sort"), [(1, Sort.ORDER), (-300, Sort.SUM)])
def test_whole_numbers_each_once_without_a_gap_are_an_order(first: int, sort: Sort) -> None:
    values = [first, *range(2, ROWS + 1)]
    known = PropertyStatistics(ROWS, 0, ROWS, (), (first, 50, ROWS), tuple(values[:20]))
    assert sort_of_number(Property("lane", WHOLE), ["lane"], known, (), ()) is sort


@pytest.mark.parametrize("name", ["%", "\N{UNICORN FACE}", "```", "\n"])
def test_a_name_without_letters_is_a_name(name: str) -> None:
    shown = facets({"id": (WHOLE, numbers()), name: (TEXT, names())}, label=name).shown
    assert shown[name].name == (name,)


def test_a_name_without_letters_may_be_the_key() -> None:
    assert facets({"%": (WHOLE, numbers())}, key="%").shown["Client"].unique
