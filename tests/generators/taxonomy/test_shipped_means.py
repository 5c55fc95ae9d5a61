"""Shipped sub-domains: what a thing has the means for, and what it is too much for.

Each line is of something that people of the trade saw in drawn graphs."""

from __future__ import annotations

from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By
from tests.generators.taxonomy.shipped import (
    TAXONOMY,
    bounds,
    cases,
    moment,
    pairs,
    relation,
    texts,
    value,
)

COURTS = "legal/court-cases"


# --- courts --------------------------------------------------------------------------------


def test_large_disputes_are_not_of_the_lowest_court() -> None:
    amount = value(COURTS, "court_case", "amount_in_dispute")
    assert isinstance(amount, By)
    assert amount.otherwise is not None
    lowest = cases(COURTS, "court_case", "amount_in_dispute")["District Court"]
    assert bounds(lowest)[1] < bounds(amount.otherwise)[0]


def test_families_and_tenants_are_heard_by_the_lowest_court() -> None:
    heard = pairs(COURTS, "court_case HEARD_AT court", "area")
    assert heard["family"] == heard["tenancy"] == ("District Court",)


def test_judges_are_appointed_young_and_live_where_nobody_says() -> None:
    born = moment(value(COURTS, "judge", "birth_date"))
    assert moment(value(COURTS, "judge", "appointed_on")).last - born.first <= 41
    among = subdomain(TAXONOMY, COURTS)
    assert not any(
        (each.source, each.target) == ("judge", "city") and each.unless not in among.core
        for each in among.relations
    )


def test_judgments_cite_what_has_been_published() -> None:
    assert relation(COURTS, "judgment CITES judgment").gap >= 60


def test_a_case_has_two_parties() -> None:
    entities = subdomain(TAXONOMY, COURTS).entities
    assert entities["party"].share == 2 * entities["court_case"].share


# --- numbers of things ---------------------------------------------------------------------


def test_a_lot_has_no_more_wafers_than_its_carrier() -> None:
    entities = subdomain(TAXONOMY, "manufacturing/semiconductors").entities
    drawn = 14  # lots of a small graph, of which one may be lost to rounding
    assert entities["wafer"].share / entities["lot"].share * drawn / (drawn - 1) <= 24


def test_an_account_logs_on_to_few_workstations() -> None:
    logs = relation("technology/cybersecurity", "user_account LOGGED_IN_TO workstation")
    assert logs.outgoing.parameters[-1] <= 4


def test_aircraft_are_of_makers_that_one_airline_has() -> None:
    types = subdomain(TAXONOMY, "travel/air-travel").rows["aircraft_types"]
    assert set(types.column("maker")) == {"Airbus", "Embraer"}


def test_a_brand_launches_one_collection_a_season() -> None:
    assert relation("retail/fashion", "collection OF_BRAND fashion_brand").alone_days >= 100


def test_meals_arrive_warm() -> None:
    arrived = moment(value("travel/restaurants", "food_order", "delivered_at"))
    assert arrived.unit == "minutes"
    assert arrived.gap[1] <= 65


# --- what is fit for what ------------------------------------------------------------------


def test_masters_have_been_bachelors() -> None:
    domain = "education/university"
    enrolled = moment(value(domain, "student", "enrolled_on"))
    assert enrolled.first - moment(value(domain, "student", "birth_date")).last >= 22


def test_nobody_works_for_a_firm_that_works_for_them() -> None:
    subcontracts = "company SUBCONTRACTS company"
    assert relation("government/public-procurement", subcontracts).role == "hierarchy"


def test_no_newsletter_is_of_a_freelance() -> None:
    edited = relation("media/news-publishing", "newsletter EDITED_BY_AUTHOR journalist")
    assert [(fit.theirs, fit.back, dict(fit.pairs)) for fit in edited.fits] == [
        ("freelance", True, {"true": ()})
    ]


def test_chillers_have_no_belts() -> None:
    fits = pairs("real-estate/facility-management", "spare_part FITS equipment_item", "name")
    assert fits["V-belt"] == ("air handling unit",)


def test_wards_image_what_they_treat() -> None:
    domain, title = "healthcare/hospital-care", "admission INCLUDED procedure"
    wards = pairs(domain, title, "ON_WARD.ward_specialty")
    assert wards["neurology"] == ("neuroradiology",)
    assert "neuroradiology" not in wards["cardiology"]


def test_only_some_wards_send_to_rehabilitation() -> None:
    left = value("healthcare/hospital-care", "admission", "discharge_destination")
    assert isinstance(left, By)
    assert "rehabilitation" not in texts(left.otherwise)


def test_funds_of_real_estate_are_of_little_risk() -> None:
    risks = cases("insurance/life-insurance", "fund", "risk_indicator")
    assert bounds(risks["Real Estate"])[1] <= 3


def test_blouses_of_the_middle_range_are_of_no_silk() -> None:
    fabrics = pairs("retail/fashion", "garment MADE_OF fabric", "kind")
    assert "silk satin" not in fabrics["Blouse"]


def test_a_premium_is_seldom_paid_twice() -> None:
    paid = relation("insurance/life-insurance", "premium_payment FOR_POLICY policy")
    assert paid.incoming.parameters == (1, 2)  # of sixty months: many would fall on one day


def test_gowns_are_not_of_street_style() -> None:
    styles = pairs("retail/fashion", "garment DESIGNED_BY designer", "kind")
    assert "street" not in styles["Evening Gown"]


def test_critical_alerts_are_of_dangerous_techniques() -> None:
    domain = "technology/cybersecurity"
    critical = pairs(domain, "security_alert INDICATES technique", "severity")["critical"]
    assert not set(critical) & {"T1566", "T1087", "T1046"}  # phishing, discovery


def test_a_gown_is_not_worn_with_denim() -> None:
    gown = pairs("retail/fashion", "garment MATCHES garment", "kind")["Evening Gown"]
    assert "Denim Jacket" not in gown


def test_brokers_work_for_no_insurer() -> None:
    works = pairs("insurance/life-insurance", "insurance_agent WORKS_FOR insurer", "agency_type")
    assert works["broker"] == ()


def test_a_lot_follows_one_of_another_day() -> None:
    follows = relation("manufacturing/semiconductors", "lot FOLLOWS lot")
    assert follows.gap >= 1  # two of one day would follow each other
