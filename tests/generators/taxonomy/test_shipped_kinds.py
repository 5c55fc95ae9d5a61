"""Shipped sub-domains: what people of a trade know of its kinds, places and times.

Each line is of something that people of the trade saw in drawn graphs."""

from __future__ import annotations

import pytest

from generators.taxonomy.load import subdomain
from generators.taxonomy.model import Bend, Moment
from tests.generators.taxonomy.shipped import (
    TAXONOMY,
    bounds,
    cases,
    moment,
    relation,
    texts,
    value,
)

FOOD = "agriculture/food-traceability"


def names(domain: str, listed: str) -> set[str]:
    """The values of a list."""
    return texts(subdomain(TAXONOMY, domain).lists[listed])


def later(domain: str, title: str) -> tuple[int, int]:
    """How long after the one the many begin."""
    anchor = relation(domain, title).anchor
    assert anchor is not None
    assert anchor.gap is not None
    return anchor.gap


# --- wholes and parts ----------------------------------------------------------------------


def test_faculties_are_founded_after_their_university() -> None:
    domain = "education/university"
    oldest = bounds(value(domain, "faculty", "founded_in"))[0]
    assert bounds(value(domain, "institution", "founded"))[1] <= oldest


def test_class_groups_have_places_for_those_who_register() -> None:
    domain = "education/university"
    most = relation(domain, "student REGISTERED_FOR class_group").incoming.parameters[-1]
    assert bounds(value(domain, "room", "seats"))[0] * 0.5 >= most


def test_turbines_give_no_more_than_their_rated_power() -> None:
    load = value("energy/wind-farms", "production_record", "load_factor")
    assert isinstance(load, Bend)
    assert max(y for _, y in load.points) * (1 + load.deviation) <= 1


def test_a_fund_of_shares_holds_several() -> None:
    holds = relation("finance/securities-trading", "portfolio HOLDS instrument")
    assert holds.outgoing.parameters[0] >= 6


# --- what comes after what ------------------------------------------------------------------


def test_batches_are_tested_after_they_left_and_recalled_then() -> None:
    last_left = later(FOOD, "transport CARRIED batch")[1]
    assert later(FOOD, "lab_test OF_BATCH batch")[0] > last_left
    assert relation(FOOD, "recall AFFECTS batch").incoming.parameters[0] == 1


def test_a_recall_is_of_parts_of_one_period() -> None:
    affects = relation(
        "manufacturing/automotive-supply-chain", "recall_campaign AFFECTS part_batch"
    )
    assert affects.within is not None
    assert affects.within <= 365


def test_members_have_joined_before_they_leave() -> None:
    domain = "sports/fitness-clubs"
    left = moment(value(domain, "cancellation", "received_on"))
    assert moment(value(domain, "gym_member", "joined_on")).last < left.first


def test_checks_of_an_aircraft_are_months_apart() -> None:
    assert relation("travel/air-travel", "maintenance_check ON_AIRCRAFT aircraft").alone_days >= 100


def test_servers_are_there_before_their_vulnerabilities() -> None:
    domain = "technology/cybersecurity"
    published = moment(value(domain, "vulnerability", "published_on"))
    assert moment(value(domain, "server", "provisioned_on")).last < published.first


def test_models_are_built_for_a_few_years() -> None:
    domain = "manufacturing/automotive-supply-chain"
    start = moment(value(domain, "car_model", "start_of_production"))
    assert start.workdays
    assert moment(value(domain, "car", "built_on")).last - start.first <= 9


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("legal/court-cases", "hearing", "held_at"),
        ("legal/court-cases", "judgment", "pronounced_on"),
    ],
)
def test_courts_do_not_sit_in_august(domain: str, entity: str, name: str) -> None:
    sat = moment(value(domain, entity, name))
    assert sat.only
    assert 8 not in sat.busy


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("energy/wind-farms", "turbine", "erected_on"),
        ("retail/fashion", "collection", "launched_on"),
        ("travel/air-travel", "aircraft", "delivered_on"),
    ],
)
def test_nobody_delivers_or_launches_at_christmas(domain: str, entity: str, name: str) -> None:
    assert moment(value(domain, entity, name)).workdays


def test_voyages_of_long_ago_have_arrived() -> None:
    arrived = (
        subdomain(TAXONOMY, "logistics/ocean-freight").entities["voyage"].property("arrived_at")
    )
    assert arrived is not None
    assert isinstance(arrived.value, Moment)
    assert not arrived.null


# --- kinds ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("domain", "listed", "value_"),
    [
        ("legal/court-cases", "court_kind", "Court of Appeal"),  # nobody appeals there
        ("insurance/life-insurance", "fund_name", "Money Market"),  # for twenty years
        ("logistics/ocean-freight", "export_trade", "Furniture"),  # books toys
        ("government/public-procurement", "buying_office", "Works Department"),  # of clinics
        ("sports/fitness-clubs", "department_name", "Rehabilitation"),  # teaches boxing
        ("government/public-procurement", "advice", "Organisational review"),  # of a building
        (FOOD, "department_name", "Purchasing"),  # supervises packing
    ],
)
def test_lists_have_no_kind_that_its_neighbours_belie(
    domain: str, listed: str, value_: str
) -> None:
    assert value_ not in names(domain, listed)


@pytest.mark.parametrize(
    ("domain", "entity", "name", "value_"),
    [
        ("finance/crypto-assets", "entity_cluster", "category", "exchange"),  # wallets of several
        ("energy/wind-farms", "service_visit", "reason", "alarm"),  # that nobody raised
        ("technology/cybersecurity", "user_account", "account_type", "service account"),  # logons
        ("education/university", "exam", "format", "project"),  # of one day
    ],
)
def test_properties_have_no_value_that_edges_belie(
    domain: str, entity: str, name: str, value_: str
) -> None:
    assert value_ not in texts(value(domain, entity, name))


def test_a_turbine_has_no_single_blade() -> None:
    types = cases("energy/wind-farms", "component", "component_type")
    assert not any("blade" in texts(case) for case in types.values())


def test_energy_and_advice_for_a_school_are_no_fortune() -> None:
    estimates = cases("government/public-procurement", "tender", "estimated_value")
    assert bounds(estimates["energy"])[1] <= 100_000
    assert bounds(estimates["consulting"])[1] <= 150_000


def test_a_short_stay_has_no_operation_on_the_open_heart() -> None:
    rows = subdomain(TAXONOMY, "healthcare/hospital-care").rows["procedures"]
    assert "Heart valve replacement" not in rows.column("name")
