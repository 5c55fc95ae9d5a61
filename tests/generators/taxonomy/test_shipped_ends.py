"""Shipped sub-domains: states without their event, ends that do not fit, what stands alone.

Each line is of something that people of the trade saw in drawn graphs."""

from __future__ import annotations

import pytest

from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By, Place
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

# --- what cannot stand alone -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("energy/wind-farms", "alarm RAISED_BY turbine"),
        ("media/news-publishing", "article CITES source"),
        ("media/news-publishing", "article MENTIONS public_figure"),
    ],
)
def test_who_says_nothing_alone_has_its_neighbour(domain: str, title: str) -> None:
    assert relation(domain, title).always


def test_a_sighting_is_of_a_car_and_a_scene() -> None:
    seen = relation("government/criminal-investigation", "vehicle SEEN_NEAR crime_scene")
    assert seen.reified is None


def test_landowners_of_several_farms_are_no_neighbours() -> None:
    among = subdomain(TAXONOMY, "energy/wind-farms").relations
    assert not any(each.source == each.target == "landowner" for each in among)


def test_neighbours_live_in_one_street() -> None:
    near = relation("logistics/parcel-delivery", "recipient NEIGHBOUR_OF recipient")
    same = {("LIVES_IN.name", "LIVES_IN.name"), ("LIVES_AT.street", "LIVES_AT.street")}
    assert same <= set(near.via)


def test_investigations_of_the_last_weeks_have_alerts() -> None:
    domain = subdomain(TAXONOMY, "finance/anti-money-laundering")
    status = domain.entities["alert"].property("status")
    covers = relation(domain.path, "investigation COVERS alert")
    assert status is not None
    assert status.recent is not None
    assert covers.within is not None
    assert status.recent.days < covers.within


# --- states and events -------------------------------------------------------------------------


def test_a_reservation_with_a_stay_needs_no_status() -> None:
    status = subdomain(TAXONOMY, "travel/hotels").entities["reservation"].property("status")
    assert status is not None
    assert "RESULTS_FROM" in status.without


def test_hearings_are_held_before_the_bill_is_decided() -> None:
    domain = "government/parliament"
    later = relation(domain, "hearing ON_BILL bill").anchor
    assert later is not None
    assert later.gap is not None
    holidays = 62  # a hearing of July or December is moved two months
    assert later.gap[1] + holidays < moment(value(domain, "bill", "decided_on")).gap[0]


def test_scans_of_a_parcel_are_those_of_its_sorting_alone() -> None:
    domain = "logistics/parcel-delivery"
    assert relation(domain, "scan_event OF_PARCEL parcel").incoming.parameters[0] == 4
    kind = value(domain, "scan_event", "event_type")
    assert isinstance(kind, By)
    steps = [texts(case) for case in cases(domain, "scan_event", "event_type").values()]
    assert steps == [{"unloaded"}, {"weighed"}, {"measured"}]
    assert texts(kind.otherwise) == {"sorted"}


def test_a_phenotype_shows_before_the_first_sample() -> None:
    domain = "life-sciences/genomics"
    onset = of_edge("individual HAS_PHENOTYPE phenotype", domain, "onset_age")
    assert isinstance(onset, By)
    latest = max(bounds(case)[1] for _, case in onset.cases)
    born = moment(value(domain, "individual", "birth_date"))
    assert born.last + latest < moment(value(domain, "sample", "collected_on")).first


@pytest.mark.parametrize("title", ["weapon USED_IN crime_case", "crime_scene SCENE_OF crime_case"])
def test_what_is_of_a_case_is_of_that_case_alone(title: str) -> None:
    used = relation("government/criminal-investigation", title)
    assert used.many == "n:1"
    assert used.always


def test_what_was_refused_is_not_delivered_after_it() -> None:
    domain = "logistics/parcel-delivery"
    assert "refused" not in texts(value(domain, "delivery_attempt", "result"))
    assert relation(domain, "parcel DEPOSITED_IN parcel_locker").unless == "customer_complaint"


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("logistics/ocean-freight", "booking", "booked_on"),
        ("logistics/ocean-freight", "bill_of_lading", "issued_on"),
        ("telecommunications/customer-contracts", "contract", "signed_on"),
    ],
)
def test_what_follows_has_its_time(domain: str, entity: str, name: str) -> None:
    assert moment(value(domain, entity, name)).last == 2024  # graphs are of the end of 2025


def test_quarantine_is_ordered_when_many_are_ill() -> None:
    ordered = moment(value("healthcare/infection-tracing", "quarantine_order", "issued_on"))
    ill = moment(value("healthcare/infection-tracing", "case_person", "symptom_onset"))
    assert ordered.only
    assert set(ordered.busy) < set(ill.busy)


def test_steps_of_a_batch_are_in_their_order() -> None:
    domain = "agriculture/food-traceability"
    assert isinstance(value(domain, "processing_step", "position"), Place)
    steps = [texts(case) for case in cases(domain, "processing_step", "operation").values()]
    assert steps == [{"temperature check"}, {"sampling"}, {"packing"}, {"labelling"}]


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("travel/rail-travel", "train_run DRIVEN_BY train_driver"),
        ("travel/air-travel", "flight COMMANDED_BY crew_member"),
        ("travel/hotels", "stay OF_GUEST guest"),
        ("logistics/warehouse-operations", "inbound_delivery UNLOADED_AT gate"),
        ("logistics/warehouse-operations", "pick_order PICKED_BY picker"),
        ("media/music-streaming", "concert BY artist"),
        ("sports/football", "match HOME_TEAM club"),
        ("energy/ev-charging", "charging_session STARTED_WITH charging_card"),
        ("government/tax-administration", "audit OF_COMPANY company"),
        ("telecommunications/customer-contracts", "contract SIGNED_BY subscriber"),
    ],
)
def test_nobody_is_at_two_places_at_once(domain: str, title: str) -> None:
    assert relation(domain, title).alone


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("finance/retail-banking", "standing_order DEBITS account"),
        ("finance/retail-banking", "account HELD_AT bank"),
        ("finance/anti-money-laundering", "account HELD_AT bank"),
        ("sports/football", "match AWAY_TEAM club"),
        ("telecommunications/customer-contracts", "complaint FILED_BY subscriber"),
        ("manufacturing/production-planning", "operator WORKED_IN shift"),
        ("manufacturing/production-planning", "production_order HAS_OPERATION operation"),
        ("travel/rail-travel", "ticket VALID_ON train_run"),
    ],
)
def test_a_row_has_the_edge_that_it_cannot_be_without(domain: str, title: str) -> None:
    assert relation(domain, title).always


@pytest.mark.parametrize(
    ("domain", "source", "target"),
    [
        ("travel/rail-travel", "station", "city"),
        ("logistics/parcel-delivery", "depot", "city"),
        ("logistics/fleet-management", "trip", "city"),
    ],
)
def test_what_takes_hours_is_between_no_real_towns(domain: str, source: str, target: str) -> None:
    ends = {(r.source, r.target) for r in subdomain(TAXONOMY, domain).relations}
    assert (source, target) not in ends
