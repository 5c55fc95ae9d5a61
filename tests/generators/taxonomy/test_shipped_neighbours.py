"""Shipped sub-domains: who lives, works or stands where, and who may do it to whom.

Each line is of something that people of the trade saw in drawn graphs."""

from __future__ import annotations

import pytest

from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By, Flag
from tests.generators.taxonomy.shipped import TAXONOMY, bounds, of_edge, pairs, relation, texts

# --- addresses -----------------------------------------------------------------------------


def roots(domain: str, entity: str) -> set[str]:
    """The entity and what it is a special case of."""
    found = subdomain(TAXONOMY, domain).entities.get(entity)
    return {entity} | (roots(domain, found.parent) if found and found.parent else set())


@pytest.mark.parametrize(
    "domain",
    [
        "government/public-procurement",
        "insurance/life-insurance",
        "legal/court-cases",
        "logistics/ocean-freight",
        "travel/restaurants",
    ],
)
def test_people_and_companies_share_no_address(domain: str) -> None:
    among = subdomain(TAXONOMY, domain)
    residents = [
        roots(domain, each.source)
        for each in among.relations
        if each.target == "address" and each.type in ("LIVES_AT", "LOCATED_AT")
        if each.unless not in among.core
    ]
    assert residents
    people = {"person", "citizen"}
    assert len({bool(resident & people) for resident in residents}) == 1


def test_nobody_lives_in_a_managed_building() -> None:
    domain = "real-estate/facility-management"
    at = {r.source for r in subdomain(TAXONOMY, domain).relations if r.target == "building_address"}
    assert at == {"building"}
    assert relation(domain, "building LOCATED_AT building_address").incoming.parameters[-1] == 1


def test_buildings_next_to_each_other_are_of_one_city() -> None:
    beside = relation("real-estate/facility-management", "building NEXT_TO building")
    assert {ours for ours, theirs in beside.via if ours == theirs} == {
        "LOCATED_AT.IN_CITY.name",
        "IN_CITY.name",
    }


# --- who and whom --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("domain", "title", "other"),
    [
        ("technology/software-development", "pull_request REVIEWED_BY developer", "OPENED_BY"),
        ("media/news-publishing", "article EDITED_BY journalist", "WRITTEN_BY"),
    ],
)
def test_nobody_checks_work_of_their_own(domain: str, title: str, other: str) -> None:
    assert other in relation(domain, title).apart


def test_comments_answer_comments_on_the_same_article() -> None:
    answers = relation("media/news-publishing", "reader_comment ANSWERS reader_comment")
    assert ("ON_ARTICLE.article_no", "ON_ARTICLE.article_no") in answers.via


def test_customers_deposit_to_wallets_of_their_own_exchange() -> None:
    deposits = relation("finance/crypto-assets", "exchange_customer DEPOSITS_TO wallet")
    assert ("REGISTERED_AT.name", "OPERATED_BY.name") in deposits.via


def test_dealers_manage_no_portfolio() -> None:
    among = subdomain(TAXONOMY, "finance/securities-trading").relations
    between = {r.type for r in among if (r.source, r.target) == ("portfolio", "trader")}
    assert between == {"COVERED_BY"}


# --- what goes with what -------------------------------------------------------------------


def test_compounds_are_tested_for_their_own_class_in_a_few_assays() -> None:
    domain, title = "life-sciences/drug-discovery", "compound TESTED_IN assay"
    assert relation(domain, title).outgoing.parameters[-1] <= 5
    assert set(pairs(domain, title, "designed_for")["kinase"]) == {"kinase", "all classes"}


def test_a_computed_tomography_is_no_operation() -> None:
    procedure = subdomain(TAXONOMY, "healthcare/hospital-care").entities["procedure"]
    assert "operation" not in (procedure.singular, *procedure.also)


def test_introductory_courses_are_mandatory() -> None:
    mandatory = of_edge("course PART_OF programme", "education/university", "is_mandatory")
    assert isinstance(mandatory, By)
    assert mandatory.of == "source.level"
    assert dict(mandatory.cases)["introductory"] == Flag(1)


def test_no_two_wards_have_one_name() -> None:
    name = subdomain(TAXONOMY, "healthcare/hospital-care").entities["ward"].property("name")
    assert name is not None
    assert name.unique


def test_crews_of_several_airlines_share_no_department() -> None:
    works = relation("travel/air-travel", "employee WORKS_IN department")
    assert works.own
    among = subdomain(TAXONOMY, "travel/air-travel").relations
    assert {r.source for r in among if r.target == "department"} == {"employee"}


@pytest.mark.parametrize("domain", ["finance/securities-trading", "sports/fitness-clubs"])
def test_a_department_has_one_head(domain: str) -> None:
    among = subdomain(TAXONOMY, domain).relations
    assert [r.target for r in among if r.type == "HEADED_BY"] == ["employee"]


def test_property_firms_have_no_research() -> None:
    known = subdomain(TAXONOMY, "real-estate/facility-management").lists["department_name"]
    assert not texts(known) & {"Research and Development", "Logistics"}


def test_issuers_have_their_seat_where_they_are_listed() -> None:
    seat = relation("finance/securities-trading", "issuer HEADQUARTERED_IN country")
    assert not seat.home  # which is for ends that have a country: it leads to any one here


def test_scientists_report_within_their_field() -> None:
    domain = "life-sciences/drug-discovery"
    assert ("field", "field") in relation(domain, "scientist REPORTS_TO scientist").match


def test_similar_compounds_share_a_scaffold() -> None:
    domain, title = "life-sciences/drug-discovery", "compound SIMILAR_TO compound"
    assert ("HAS_SCAFFOLD.scaffold_no", "HAS_SCAFFOLD.scaffold_no") in relation(domain, title).via
    assert bounds(of_edge(title, domain, "tanimoto"))[0] >= 0.7


def test_physicians_live_where_their_hospital_is() -> None:
    domain = "healthcare/hospital-care"
    lives = relation(domain, "physician LIVES_IN city")
    assert lives.via == (("WORKS_AT.LOCATED_IN.name", "name"),)
    # nothing tells of which hospital somebody is a patient before the stay
    assert relation(domain, "patient LIVES_IN city").unless == "hospital"
    assert relation(domain, "patient LIVES_AT address").unless == "hospital"


def test_nurses_care_for_what_any_ward_has() -> None:
    nurse = subdomain(TAXONOMY, "healthcare/hospital-care").entities["nurse"]
    cares = nurse.property("specialism")
    assert cares is not None
    assert not texts(cares.value) & {"surgery", "intensive care"}


@pytest.mark.parametrize(
    ("domain", "title", "way"),
    [
        ("legal/court-cases", "lawyer LIVES_IN city", "WORKS_FOR.BASED_IN.name"),
        ("legal/court-cases", "expert LIVES_IN city", "APPOINTED_BY.LOCATED_IN.name"),
        ("retail/fashion", "designer LIVES_IN city", "WORKS_FOR.BASED_IN.name"),
    ],
)
def test_people_live_where_they_work(domain: str, title: str, way: str) -> None:
    assert relation(domain, title).via == ((way, "name"),)


def test_farmers_live_on_their_farm() -> None:
    assert relation("agriculture/food-traceability", "farmer LIVES_IN city").unless == "farm"


def test_documents_answer_what_came_days_before() -> None:
    answers = relation("legal/court-cases", "document ANSWERS document")
    assert answers.gap >= 1  # two of one day would answer each other
    assert ("target.submitted_on", "source.submitted_on") in answers.order
