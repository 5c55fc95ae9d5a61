"""Shipped sub-domains: identifiers of countries, groups and their sizes, amounts that change."""

from __future__ import annotations

import pytest

from generators.schemas.national import LOCALES, pattern_in, plate_in
from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By, Number
from tests.generators.taxonomy.shipped import (
    TAXONOMY,
    bounds,
    cases,
    moment,
    of_edge,
    relation,
    texts,
    value,
)

# Letters that are on no plate of a country.
_NEVER = {
    "en_GB": "IQ", "es_ES": "AEIOUQ", "fr_FR": "IOU", "it_IT": "IOQU", "nl_NL": "ACEIMOQUVWY",
    "sv_SE": "IQV",
}  # fmt: skip


@pytest.mark.parametrize("locale", LOCALES)
def test_plates_have_the_letters_that_are_given(locale: str) -> None:
    text, lists = plate_in(locale)
    assert text.count("{") == sum(mark in "#?@" for mark in pattern_in(locale, "plate"))
    drawn = {mark for marks in lists.values() for mark in marks}
    assert drawn.isdisjoint(_NEVER.get(locale, ""))


@pytest.mark.parametrize("domain", ["logistics/parcel-delivery", "logistics/fleet-management"])
def test_vehicles_came_on_the_road_in_the_half_year_of_their_plates(domain: str) -> None:
    given = moment(value(domain, "vehicle", "commissioned_on"))
    assert given.first == given.last == 2019
    assert set(given.busy) == {3, 4, 5, 6, 7, 8}
    payload = value(domain, "vehicle", "payload_kg")
    assert isinstance(payload, By)
    electric = dict(payload.cases).get("electric van", payload.otherwise)
    assert isinstance(electric, Number)
    assert bounds(electric)[1] <= 1100


def test_the_towns_of_a_country_have_codes_that_are_issued() -> None:
    rows = subdomain(TAXONOMY, "travel/hotels").rows["city_codes"]
    codes = dict(zip(rows.column("city"), rows.column("postal"), strict=True))
    assert "49000" in codes["Angers"].split(",")
    assert all(code.endswith("00") for code in codes["Toulouse"].split(","))
    assert "10115" in codes["Berlin"].split(",")


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("travel/hotels", "hotel_chain", "employees"),
        ("travel/air-travel", "airline", "employees"),
        ("retail/fashion", "fashion_brand", "employees"),
        ("manufacturing/semiconductors", "plant", "employees"),
        ("government/public-procurement", "authority", "employees"),
        ("finance/payment-fraud", "department", "budget"),
        ("government/public-procurement", "award_contract", "ends_on"),  # and payments before it
        ("government/public-procurement", "award_contract", "price_basis"),
        ("government/public-procurement", "amendment", "additional_cost"),  # payments sum up
        ("retail/fashion", "variant", "size"),  # each colour comes in several
        ("retail/fashion", "variant", "stock"),  # of five years ago, at the full price
        ("real-estate/construction-projects", "task", "lag_days"),
        ("travel/air-travel", "passenger", "passport_no"),
    ],
)
def test_what_the_size_or_the_sums_of_others_belie_is_gone(
    domain: str, entity: str, name: str
) -> None:
    assert subdomain(TAXONOMY, domain).entities[entity].property(name) is None


def test_who_owns_others_does_not_count_its_people() -> None:
    employees = subdomain(TAXONOMY, "legal/patents").entities["organization"].property("employees")
    assert employees is not None
    assert "OWNS" in employees.without


def test_a_depot_has_fewer_sorting_lines_than_docks() -> None:
    domain = "logistics/parcel-delivery"
    most = subdomain(TAXONOMY, domain).entities["sorting_line"].most
    assert most is not None
    assert bounds(value(domain, "depot", "gates"))[0] > most


def test_vans_drive_from_the_depot_that_they_stand_in() -> None:
    domain = "logistics/parcel-delivery"
    for title, ours in (("WITH_VEHICLE vehicle", "STATIONED_AT"), ("DRIVEN_BY driver", "BASED_AT")):
        via = relation(domain, f"delivery_tour {title}").via
        assert any(ours in str(way) for way in via)
    assert relation(domain, "vehicle STATIONED_AT depot").always
    assert relation(domain, "driver BASED_AT depot").always
    assert relation(domain, "address IN_CITY city").always


def test_trains_have_numbers_of_their_own() -> None:
    hint = subdomain(TAXONOMY, "travel/rail-travel").entities["train_run"].property("train_no")
    assert hint is not None
    assert hint.unique


def test_depots_lie_so_that_no_way_round_is_shorter() -> None:
    least, most = bounds(
        of_edge("depot CONNECTED_TO depot", "logistics/parcel-delivery", "distance_km")
    )
    assert most < 2 * least


def test_households_buy_one_large_appliance() -> None:
    quantity = of_edge("order CONTAINS product", "retail/e-commerce", "quantity")
    assert isinstance(quantity, By)
    assert isinstance(quantity.otherwise, Number)
    assert quantity.otherwise.parameters == (1.0, 1.0)
    assert "4K Television" not in dict(quantity.cases)


def test_rules_and_disputes_fit_any_payment() -> None:
    domain = "finance/payment-fraud"
    assert "many small payments in a row" not in texts(value(domain, "fraud_rule", "description"))
    reasons = value(domain, "chargeback", "reason")
    assert isinstance(reasons, By)
    assert texts(reasons.otherwise) == {"duplicate charge", "paid by other means"}


def test_rooms_are_booked_weeks_ahead_at_rates_for_anybody() -> None:
    domain = "travel/hotels"
    assert moment(value(domain, "reservation", "arrives_on")).gap[1] <= 45
    assert texts(value(domain, "rate_plan", "name")).isdisjoint(
        {"Corporate", "Room Only", "Breakfast Included", "Half Board"}
    )
    assert cases(domain, "rate_plan", "discount_percent")["Best Flexible"]
    assert of_edge("hotel OFFERS service_item", domain, "price")


def test_companies_are_of_every_age() -> None:
    founded = value("legal/patents", "organization", "founded")
    assert isinstance(founded, Number)
    years = founded.parameters
    assert min(years) < 1900
    assert max(years) < 2000
    assert sum(year < 1980 for year in years) > len(years) / 3


def test_grants_begin_with_a_month_and_terminals_are_of_a_size() -> None:
    assert moment(value("education/research-publications", "grant", "started_on")).day == "first"
    platforms = cases("travel/rail-travel", "station", "platforms")
    assert bounds(platforms["terminal"])[1] <= 8
