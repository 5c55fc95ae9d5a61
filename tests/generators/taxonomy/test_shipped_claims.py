"""Shipped sub-domains: what is said of a thing, and the events that would belie it.

Each line is of something that people of the trade saw in drawn graphs."""

from __future__ import annotations

import pytest

from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By
from tests.generators.taxonomy.shipped import TAXONOMY, bounds, cases, relation, texts, value


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("finance/anti-money-laundering", "customer", "risk_rating"),  # named in a report
        ("finance/anti-money-laundering", "monitoring_rule", "active"),  # raised alerts
        ("finance/payment-fraud", "card", "status"),  # paid with after it was reported stolen
        ("retail/online-marketplace", "member", "rating"),  # has other ratings
        ("retail/online-marketplace", "member", "status"),  # goes on buying
        ("retail/e-commerce", "customer", "segment"),  # orders
        ("retail/fashion", "customer", "segment"),
        ("travel/hotels", "guest", "loyalty_tier"),  # stays
        ("travel/restaurants", "restaurant", "rating"),  # has other reviews
        ("travel/rail-travel", "train_run", "delay_min"),  # compensation is claimed
        ("energy/ev-charging", "connector", "status"),  # goes on charging
        ("energy/ev-charging", "charging_card", "is_blocked"),
        ("logistics/warehouse-operations", "article", "abc_class"),  # picks
        ("manufacturing/production-planning", "business_customer", "priority"),  # orders
        ("media/music-streaming", "artist", "birth_date"),  # genre and founding of the band
        ("insurance/motor-insurance", "coverage", "deductible"),  # what a claim paid
        ("sports/fitness-clubs", "personal_trainer", "salary"),  # of no currency
        ("life-sciences/genomics", "report", "outcome"),  # variants of the sample
        ("agriculture/food-traceability", "raw_delivery", "accepted"),  # batches are made of it
        ("education/university", "thesis", "grade"),  # on the scale of one country
        ("legal/court-cases", "party", "party_type"),  # role in the case
        ("real-estate/facility-management", "measurement", "is_alarm"),  # the measured value
    ],
)
def test_nothing_says_what_events_would_belie(domain: str, entity: str, name: str) -> None:
    entities = subdomain(TAXONOMY, domain).entities
    assert entities[entity].property(name) is None


@pytest.mark.parametrize(
    ("domain", "source", "target"),
    [
        ("retail/e-commerce", "customer", "review"),  # of what was never ordered
        ("retail/e-commerce", "order", "address"),  # whose resident comes later
        ("retail/online-marketplace", "member RATED", "member"),  # without an order
        ("education/online-learning", "payment", "online_course"),  # other courses than learnt
        ("sports/fitness-clubs", "exercise", "gym_machine"),  # the one machine of one gym
        ("real-estate/construction-projects", "subcontract", "project"),  # other firms work
        ("life-sciences/genomics", "report NAMES", "variant"),  # that its sample lacks
        ("logistics/parcel-delivery", "delivery_attempt", "driver"),  # whose tour is another day
    ],
)
def test_what_needs_a_purchase_or_a_contract_is_not_without(
    domain: str, source: str, target: str
) -> None:
    end, _, kind = source.partition(" ")
    assert not [
        each
        for each in subdomain(TAXONOMY, domain).relations
        if (each.source, each.target) == (end, target) and kind in each.type
    ]


def test_alerts_are_of_nothing_that_transfers_would_show() -> None:
    domain = "finance/anti-money-laundering"
    assert not texts(value(domain, "alert", "alert_type")) & {
        "rapid movement of funds",
        "dormant account activity",
    }
    assert "escalated" not in texts(value(domain, "alert", "status"))  # to no investigation


def test_calls_about_a_cancellation_are_none_without_it() -> None:
    topics = texts(value("telecommunications/customer-contracts", "service_call", "topic"))
    assert "cancellation" not in topics


def test_repairs_after_accidents_are_of_claims() -> None:
    domain = "insurance/motor-insurance"
    assert relation(domain, "repair OF_VEHICLE vehicle").unless == "accident"
    assert relation(domain, "repair PAID_UNDER claim").always


def test_courses_with_certificates_have_no_other_learners() -> None:
    taken = relation("education/online-learning", "learner ENROLLED_IN online_course")
    assert taken.unless == "certificate"


def test_premiums_and_fuel_follow_what_is_insured_and_loaded() -> None:
    assert cases("insurance/motor-insurance", "policy", "annual_premium").keys() >= {
        "small",
        "executive",
    }
    fuel = value("logistics/fleet-management", "trip", "fuel_consumption_litres")
    assert isinstance(fuel, By)
    assert fuel.of == "load_kg"


def test_lots_are_nearly_full() -> None:
    wafers = value("manufacturing/semiconductors", "lot", "wafer_count")
    assert bounds(wafers) == (22, 25)
