"""Shipped sub-domains: rows that say nothing without their neighbour have it in every schema.

An address where nobody lives, or where staff live with a customer, a tool on no machine, a chain
without a hotel: each line is of something that people of the trade saw in drawn graphs."""

from __future__ import annotations

import pytest

from generators.taxonomy.load import subdomain
from tests.generators.taxonomy.shipped import TAXONOMY, relation, texts, value


@pytest.mark.parametrize(
    ("domain", "who"),
    [
        ("energy/ev-charging", "ev_driver"),
        ("finance/anti-money-laundering", "customer"),
        ("finance/payment-fraud", "cardholder"),
        ("government/criminal-investigation", "suspect"),
        ("government/tax-administration", "taxpayer"),
        ("healthcare/infection-tracing", "case_person"),
        ("insurance/motor-insurance", "policyholder"),
        ("logistics/parcel-delivery", "recipient"),
        ("real-estate/property-sales", "buyer"),
        ("retail/grocery-stores", "loyalty_member"),
        ("telecommunications/customer-contracts", "subscriber"),
        ("travel/hotels", "guest"),
    ],
)
def test_somebody_lives_at_every_address(domain: str, who: str) -> None:
    lives = relation(domain, f"{who} LIVES_AT address")
    assert lives.always
    assert lives.many == "n:1"
    known = subdomain(TAXONOMY, domain)
    assert known.entities["address"].share < known.entities[who].share  # none is left empty
    others = {r.source for r in known.relations if r.target == "address"} - {who}
    assert others <= {"building", "card", "citizen", "company", "organization", "real_property"}


def test_a_social_network_knows_no_postal_addresses() -> None:
    assert "address" not in subdomain(TAXONOMY, "media/social-network").entities


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("finance/payment-fraud", "cardholder USES device"),
        ("government/tax-administration", "citizen DIRECTOR_OF company"),
        ("government/tax-administration", "tax_return HANDLED_BY official"),
        ("healthcare/infection-tracing", "case_person VISITED contact_place"),
        ("healthcare/infection-tracing", "contact_person TRACED_BY employee"),
        ("insurance/motor-insurance", "policy INSURES vehicle"),
        ("insurance/motor-insurance", "driver DRIVES vehicle"),
        ("logistics/parcel-delivery", "parcel SENT_BY shipper"),
        ("logistics/parcel-delivery", "parcel SORTED_AT depot"),
        ("manufacturing/production-planning", "tool USED_ON machine"),
        ("manufacturing/production-planning", "production_order CONSUMES part"),
        ("media/social-network", "member MEMBER_OF community"),
        ("media/social-network", "page OWNED_BY organization"),
        ("real-estate/property-sales", "agent WORKS_FOR agency"),
        ("real-estate/property-sales", "building MANAGED_BY organization"),
        ("real-estate/property-sales", "buyer INTERESTED_IN property_listing"),
        ("real-estate/property-sales", "property_listing FOR_OWNER owner"),
        ("real-estate/property-sales", "property_listing PUBLISHED_BY agent"),
        ("sports/football", "organization SPONSORS club"),
        ("technology/data-catalogue", "data_user QUERIED data_table"),
        ("telecommunications/customer-contracts", "contract SOLD_AT sales_channel"),
        ("travel/hotels", "hotel PART_OF hotel_chain"),
    ],
)
def test_what_stands_alone_says_nothing(domain: str, title: str) -> None:
    assert relation(domain, title).always


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("education/online-learning", "online_course OFFERED_BY institution"),
        ("energy/ev-charging", "fault_report FIXED_BY technician"),
        ("finance/payment-fraud", "terminal INSTALLED_AT merchant"),
        ("government/tax-administration", "citizen DIRECTOR_OF company"),
        ("healthcare/infection-tracing", "case_person VISITED contact_place"),
        ("life-sciences/genomics", "sample CARRIES variant"),
        ("telecommunications/customer-contracts", "contract USED_PROMOTION promotion"),
    ],
)
def test_every_one_of_these_is_used(domain: str, title: str) -> None:
    used = relation(domain, title)
    assert used.incoming.shape == "uniform"
    assert used.incoming.parameters[0] >= 1


def test_patent_lawyers_have_a_firm() -> None:
    assert relation("legal/patents", "lawyer WORKS_FOR law_firm").many == "n:1"


def test_evidence_and_witnesses_are_of_a_case() -> None:
    assert subdomain(TAXONOMY, "government/criminal-investigation").core == ("crime_case",)


def test_tools_form_what_is_made_in_house() -> None:
    domain = "manufacturing/production-planning"
    forms = {f.ours: dict(f.pairs) for f in relation(domain, "tool FORMS part").fits}["tool_type"]
    assert set(forms) == texts(value(domain, "tool", "tool_type"))
    bought = {f.ours: dict(f.pairs) for f in relation(domain, "part SUPPLIED_BY supplier").fits}
    made = {kind for kinds in forms.values() for kind in kinds}
    assert made <= {kind for kind, suppliers in bought["kind"].items() if not suppliers}


@pytest.mark.parametrize(
    ("domain", "few", "many", "each"),
    [
        ("agriculture/crop-farming", "farmer", "farm", 1),
        ("finance/anti-money-laundering", "investigation", "alert", 2.5),
        ("government/tax-administration", "taxpayer", "tax_return", 3),
        ("government/tax-administration", "citizen", "company", 1),
        ("manufacturing/production-planning", "routing", "part", 2),
        ("media/social-network", "employee", "report", 2),
    ],
)
def test_there_are_enough_for_each(domain: str, few: str, many: str, each: float) -> None:
    entities = subdomain(TAXONOMY, domain).entities
    assert entities[few].share * each <= entities[many].share


@pytest.mark.parametrize(
    ("domain", "place"),
    [
        ("logistics/parcel-delivery", "depot"),
        ("manufacturing/production-planning", "production_line"),
    ],
)
def test_few_places_take_all_that_comes(domain: str, place: str) -> None:
    most = subdomain(TAXONOMY, domain).entities[place].most
    assert most is not None
    assert most <= 8


def test_every_car_policy_was_sold_by_an_agent() -> None:
    assert relation("insurance/motor-insurance", "policy SOLD_BY insurance_agent").many == "n:1"


def test_staff_of_a_grocer_manage_stores_or_sit_at_tills() -> None:
    domain = "retail/grocery-stores"
    assert texts(value(domain, "employee", "job_level")) == {"lead", "senior"}
    assert "junior" in texts(value(domain, "cashier", "job_level"))
    entities = subdomain(TAXONOMY, domain).entities
    assert entities["employee"].share <= entities["store"].share * 1.1
