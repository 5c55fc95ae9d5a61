"""Shipped sub-domains: what edges join and what stands beside it in a row goes together."""

from __future__ import annotations

import pytest

from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By, Number, Stake
from tests.generators.taxonomy.shipped import (
    TAXONOMY,
    bounds,
    cases,
    moment,
    of_edge,
    pairs,
    relation,
    texts,
    value,
)


@pytest.mark.parametrize(
    ("domain", "title", "ours", "theirs"),
    [
        # one of several: who makes a batch sells its part, a contract is for parts of its supplier
        ("manufacturing/automotive-supply-chain", "part_batch MADE_BY supplier",
         "OF_PART.SUPPLIED_BY.supplier_no", "supplier_no"),
        ("manufacturing/automotive-supply-chain", "purchase_contract COVERS_PART part",
         "SIGNED_WITH.supplier_no", "SUPPLIED_BY.supplier_no"),
        # each car model has its plant
        ("manufacturing/automotive-supply-chain", "car BUILT_IN plant",
         "OF_MODEL.MADE_AT.plant_code", "plant_code"),
        # a step runs where its recipe is released, in the plant of its lot
        ("manufacturing/semiconductors", "process_step ON_TOOL tool",
         "WITH_RECIPE.RELEASED_FOR.tool_no", "tool_no"),
        ("manufacturing/semiconductors", "process_step WITH_RECIPE recipe",
         "ON_WAFER.IN_LOT.PROCESSED_IN.plant_code", "RELEASED_FOR.LOCATED_IN.plant_code"),
        # goods leave from a port of the shipper's country
        ("logistics/ocean-freight", "booking MADE_BY shipper",
         "ON_VOYAGE.FROM_PORT.country", "BASED_IN.country"),
        ("real-estate/property-sales", "contractor RENOVATED building",
         "BASED_IN.name", "IN_CITY.name"),
        ("media/music-streaming", "track PERFORMED_BY artist",
         "ON_ALBUM.OF_ARTIST.artist_no", "artist_no"),
        ("healthcare/pharmacy", "employee REPORTS_TO employee",
         "LIVES_IN.name", "LIVES_IN.name"),
    ],
)  # fmt: skip
def test_what_two_ways_lead_to_is_one(domain: str, title: str, ours: str, theirs: str) -> None:
    assert (ours, theirs) in relation(domain, title).via


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("manufacturing/semiconductors", "lot PROCESSED_IN plant"),
        ("manufacturing/semiconductors", "recipe RELEASED_FOR tool"),
        ("real-estate/property-sales", "district PART_OF city"),
        ("media/music-streaming", "album OF_ARTIST artist"),
    ],
)
def test_a_schema_shows_what_the_others_hang_on(domain: str, title: str) -> None:
    assert relation(domain, title).always
    assert relation(domain, title).many == "n:1"


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("insurance/reinsurance", "reinsurer RETROCEDES_TO reinsurer"),
        ("manufacturing/quality-management", "plant SUPPLIES plant"),
    ],
)
def test_whoever_is_served_does_not_serve_in_turn(domain: str, title: str) -> None:
    assert relation(domain, title).oneway


def test_a_reinsurer_keeps_most_of_its_risks_and_has_capital_for_its_rating() -> None:
    domain = "insurance/reinsurance"
    passed = of_edge("reinsurer RETROCEDES_TO reinsurer", domain, "share_percent")
    assert isinstance(passed, Stake)
    assert passed.high <= 0.5
    capital = value(domain, "reinsurer", "capital")
    assert isinstance(capital, By)
    medians = [part.parameters[0] for _, part in capital.cases if isinstance(part, Number)]
    assert medians == sorted(medians, reverse=True)
    assert len(medians) == 3


def test_reinsurers_are_where_there_are_reinsurers() -> None:
    seat = relation("insurance/reinsurance", "reinsurer DOMICILED_IN country").only
    assert seat is not None
    assert {"Switzerland", "Germany"} <= set(seat[1])


def test_frauds_and_burglaries_have_their_hours() -> None:
    domain = "government/criminal-investigation"
    offence = value(domain, "crime_case", "offence")
    assert isinstance(offence, By)
    assert offence.of == "happened_at"
    night = dict(offence.cases)["05:59"]
    assert "fraud" not in texts(night)
    assert "burglary" in texts(night)
    assert moment(value(domain, "crime_case", "happened_at")).hours is None
    assert moment(value(domain, "crime_case", "opened_on")).gap[1] > 0


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("real-estate/property-sales", "viewing", "held_at"),
        ("government/criminal-investigation", "interview", "held_at"),
        ("government/criminal-investigation", "crime_case", "happened_at"),
    ],
)
def test_what_people_note_is_at_whole_minutes(domain: str, entity: str, name: str) -> None:
    assert moment(value(domain, entity, name)).every >= 5


def test_animations_are_shot_nowhere_and_films_have_one_director() -> None:
    domain = "media/film-and-television"
    assert pairs(domain, "film SHOT_IN country", "genre") == {"animation": ()}
    assert relation(domain, "artist DIRECTED film").incoming.parameters == (1, 1)
    assert relation(domain, "character APPEARS_IN film").once == ("name",)


def test_visits_of_a_participant_are_numbered_in_their_order() -> None:
    anchor = relation("healthcare/clinical-trials", "visit OF_PARTICIPANT participant").anchor
    assert anchor is not None
    assert anchor.by == "number"
    number = subdomain(TAXONOMY, "healthcare/clinical-trials").entities["visit"].property("number")
    assert number is not None
    assert number.needed


def test_ships_come_back_before_they_sail_again() -> None:
    sailed = relation("logistics/ocean-freight", "voyage SAILED_BY vessel")
    assert (sailed.alone_days, sailed.alone_by) == (75, "departed_at")
    assert relation("logistics/ocean-freight", "voyage TO_PORT port").home


def test_relations_that_events_would_belie_are_not_beside_them() -> None:
    domain = "logistics/ocean-freight"
    assert relation(domain, "shipper TRADES_WITH consignee").unless == "bill_of_lading"
    assert relation(domain, "container LOADED_ON vessel").unless == "voyage"


def test_buyers_look_at_what_they_can_pay_and_not_at_far_less() -> None:
    domain = "real-estate/property-sales"
    assert ("target.least_price", "source.OF.asking_price") in relation(
        domain, "viewing BY_BUYER buyer"
    ).order
    assert relation(domain, "sale TO_BUYER buyer").alone_days >= 3650


def test_tickets_follow_changes_of_what_they_are_about() -> None:
    domain = "technology/it-helpdesk"
    assert relation(domain, "change AFFECTS service").many == "n:1"
    after = pairs(domain, "ticket FOLLOWED change", "subject")
    assert after["battery empty"] == ()
    over = next(f for f in relation(domain, "ticket FOLLOWED change").fits if "." in f.theirs)
    assert dict(over.pairs)["printer offline"] == ("Printing",)
    services = texts(value(domain, "service", "name"))
    assert {name for _, names in over.pairs for name in names} <= services
    opened = next(f for f in relation(domain, "ticket OPENED_BY employee").fits)
    assert (opened.theirs, dict(opened.pairs)["laptop slow"]) == (
        "USED_BY.device_type",
        ("laptop",),
    )


def test_licences_of_one_software_cost_alike() -> None:
    for name, cost in cases("technology/it-helpdesk", "licence", "yearly_cost").items():
        low, high = bounds(cost)
        assert high < 1.4 * low, name


def test_each_dispute_is_of_an_order_in_dispute() -> None:
    over = relation("retail/online-marketplace", "dispute OVER marketplace_order")
    assert over.many == "1:1"
    assert over.anchor is not None
    assert over.anchor.gap == (15, 32)


def test_leases_are_of_about_ten_years() -> None:
    ends = moment(value("real-estate/facility-management", "lease", "ends_on"))
    assert ends.gap[1] <= 12 * 366


def test_what_is_derived_is_not_many_times_as_large() -> None:
    size = value("education/research-publications", "data_set", "size_gb")
    assert isinstance(size, Number)
    assert size.parameters[1] <= 0.3
