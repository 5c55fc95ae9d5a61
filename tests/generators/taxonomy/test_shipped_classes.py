"""Shipped sub-domains: what a class fixes, and things of a later age.

Each line is of something that people of the trade saw in drawn graphs."""

from __future__ import annotations

import pytest

from generators.schemas.national import pattern_in
from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By, Code, Number, Place
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

# --- what a class fixes ------------------------------------------------------------------------


def test_a_lot_has_no_priority_that_its_time_belies() -> None:
    lot = subdomain(TAXONOMY, "manufacturing/semiconductors").entities["lot"]
    assert lot.property("priority") is None


def test_a_recipe_is_for_one_type_of_tool() -> None:
    domain = "manufacturing/semiconductors"
    by_module = pairs(domain, "recipe RELEASED_FOR tool", "module")
    assert all(len(tools) == 1 for tools in by_module.values())
    tools = texts(value(domain, "tool", "tool_type"))
    assert tools == {tool for (tool,) in by_module.values()}  # a furnace would run for hours


def test_tested_sites_are_as_many_on_large_dies() -> None:
    test = subdomain(TAXONOMY, "manufacturing/semiconductors").entities["electrical_test"]
    assert test.property("good_dies") is None


def test_suppliers_of_a_better_class_have_better_audits() -> None:
    scores = cases("manufacturing/quality-management", "audit", "score")
    (low_a, _), (low_b, high_b), (_, high_c) = (bounds(scores[name]) for name in "ABC")
    assert high_b < low_a
    assert high_c < low_b


def test_tokens_of_a_kind_are_transferred_in_their_amounts() -> None:
    amount = value("finance/crypto-assets", "transfer", "amount")
    assert isinstance(amount, By)
    assert amount.of == "OF_TOKEN.token_type"


def test_faults_are_fixed_by_electricians_within_days() -> None:
    domain = "energy/ev-charging"
    who = texts(value(domain, "technician", "qualification"))
    assert who == {"high voltage", "low voltage"}  # nobody who works at heights only
    assert moment(value(domain, "fault_report", "fixed_at")).gap[1] <= 5
    trained = relation("energy/wind-farms", "technician TRAINED_BY technician")
    assert ("qualification", "qualification") in trained.match


def test_cards_are_things_with_a_chip() -> None:
    assert "app token" not in texts(value("energy/ev-charging", "charging_card", "type"))


def test_who_takes_pictures_writes_no_prescriptions() -> None:
    writes = relation("healthcare/hospital-care", "prescription WRITTEN_BY physician").fits
    assert any({"radiology", "anaesthesiology"} <= {known for known, _ in f.pairs} for f in writes)


def test_names_of_molecules_are_of_their_class() -> None:
    names = texts(value("healthcare/clinical-trials", "investigational_product", "name"))
    assert not any(name.endswith("cept") for name in names)  # those are proteins


def test_one_variant_at_a_time() -> None:
    found = cases("healthcare/infection-tracing", "sample", "variant_found")["positive"]
    assert isinstance(found, By)
    assert all(len(texts(case)) == 1 for case in (*dict(found.cases).values(), found.otherwise))


def test_occupations_are_those_that_people_have() -> None:
    assert "Copy" not in texts(value("insurance/life-insurance", "policyholder", "occupation"))


def test_posts_that_share_are_no_polls() -> None:
    assert pairs("media/social-network", "post SHARES post", "kind")["poll"] == ()


def test_operations_have_no_number_that_their_machine_belies() -> None:
    domain = subdomain(TAXONOMY, "manufacturing/production-planning")
    assert domain.entities["operation"].property("step") is None
    assert "Spring" not in pairs(domain.path, "tool FORMS part", "tool_type")["die"]


def test_small_plants_have_few_machines_and_people() -> None:
    plant = value("manufacturing/production-planning", "plant", "employees")
    assert bounds(plant)[1] <= 250


def test_contractors_pass_on_work_of_other_trades() -> None:
    domain = "real-estate/construction-projects"
    passed = pairs(domain, "contractor SUBCONTRACTS_TO contractor", "trade")
    assert all(trade not in others for trade, others in passed.items())


# --- days and years ----------------------------------------------------------------------------


def test_ministries_are_of_their_age() -> None:
    founded = cases("government/parliament", "ministry_office", "founded_in")
    assert bounds(founded["Ministry for Digital Affairs"])[0] >= 2000


def test_parties_are_founded_when_they_may_be_and_before_they_have_members() -> None:
    domain = "government/parliament"
    first, last = bounds(value(domain, "party", "founded_in"))
    assert first >= 1989  # earlier, countries at home here allowed none
    assert last < moment(of_edge("member BELONGS_TO party", domain, "joined_on")).first


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("logistics/ocean-freight", "carrier", "founded"),
        ("life-sciences/biodiversity", "nature_trust", "founded_in"),
        ("life-sciences/biodiversity", "protected_area", "protected_since"),
        ("healthcare/pharmacy", "pharmacy", "opened_in"),
        ("agriculture/dairy-farming", "breeding_company", "founded"),
        ("travel/hotels", "hotel", "opened_in"),
        ("sports/football", "arena", "opened_in"),
        ("media/film-and-television", "award", "first_given"),
    ],
)
def test_nothing_is_founded_in_the_war(domain: str, entity: str, name: str) -> None:
    assert bounds(value(domain, entity, name))[0] >= 1949


def test_clubs_and_makers_of_medicines_are_founded_in_no_war() -> None:
    assert bounds(value("sports/football", "club", "founded"))[1] < 1933
    founded = cases("healthcare/clinical-trials", "sponsor", "founded")
    assert bounds(founded["pharmaceutical company"])[0] >= 1949


def test_votes_are_against_no_line_that_others_of_the_party_keep() -> None:
    explained = relation("government/parliament", "member EXPLAINED_VOTE_IN vote")
    assert {hint.name for hint in explained.properties} == {"choice"}


def test_devices_are_under_warranty_for_two_years() -> None:
    ends = moment(value("technology/it-helpdesk", "device", "warranty_end"))
    assert ends.gap == (731, 732)


def test_a_ministry_has_bills_on_many_subjects() -> None:
    domain = "government/parliament"
    topics = texts(subdomain(TAXONOMY, domain).lists["law_topic"])
    assert len(topics) >= 72
    for title in ("bill DRAFTED_BY ministry_office", "bill REFERRED_TO committee"):
        assert set(pairs(domain, title, "topic")) == topics
    kinds = texts(subdomain(TAXONOMY, domain).lists["act_kind"])
    assert not {"Emergency Act", "Interim Act"} & kinds  # those are decided within weeks


def test_members_of_the_last_elections_sit_in_parliament() -> None:
    elected = value("government/parliament", "member", "elected_in")
    assert isinstance(elected, Number)
    assert 2017 in elected.parameters


def test_ships_have_numbers_of_their_years() -> None:
    domain = "logistics/ocean-freight"
    known = cases(domain, "vessel", "imo_no")
    first, _ = bounds(value(domain, "vessel", "built_in"))
    assert first >= 2005  # numbers from 92 on are of orders of 1998 to 2004
    assert next(case.pattern[:2] for case in known.values() if isinstance(case, Code)) == "92"
    assert max(known) == "2020"


@pytest.mark.parametrize("name", ["started_on", "planned_end"])
def test_projects_begin_and_end_on_working_days(name: str) -> None:
    assert moment(value("real-estate/construction-projects", "project", name)).workdays


def test_nobody_works_late_on_christmas_eve() -> None:
    worked = moment(value("manufacturing/production-planning", "shift", "shift_date"))
    assert worked.only
    assert 12 not in worked.busy


def test_what_offices_do_is_done_on_working_days() -> None:
    assert moment(value("finance/crypto-assets", "analyst", "hired_on")).workdays
    assert moment(value("technology/cybersecurity", "workstation", "enrolled_on")).workdays


def test_cows_are_milked_in_the_morning_and_housed_when_grown() -> None:
    domain = "agriculture/dairy-farming"
    hours = moment(value(domain, "milking", "milked_at")).hours
    assert hours is not None
    assert hours[1] <= 8
    assert moment(of_edge("cow HOUSED_IN barn", domain, "since")).gap[0] >= 700


def test_vans_of_six_years_have_run_their_tours() -> None:
    """250 tours a year of 30 to 60 km."""
    least, most = bounds(value("logistics/parcel-delivery", "vehicle", "mileage"))
    assert 6 * 250 * 30 <= least < most <= 7 * 250 * 60


def test_rooms_are_numbered_through_small_houses() -> None:
    room = subdomain(TAXONOMY, "travel/hotels").entities["room"]
    assert isinstance(value("travel/hotels", "room", "room_no"), Place)
    assert room.property("door") is None


def test_german_plates_do_not_begin_with_zero() -> None:
    assert pattern_in("de_DE", "plate") == "B-@? 1###"


def test_forms_of_companies_go_with_few_people() -> None:
    lists = subdomain(TAXONOMY, "travel/hotels").lists
    assert not any("plc" in name for name in texts(lists["company_form_gb"]))
    assert "SE" not in texts(lists["company_form_de"])


def test_titles_of_patents_have_their_article() -> None:
    kinds = texts(subdomain(TAXONOMY, "legal/patents").lists["gear_kind"])
    assert not any(kind[0] in "AEIOU" for kind in kinds)


def test_trains_take_the_time_of_their_line() -> None:
    domain = "travel/rail-travel"
    shortest, longest = (6 * km for km in bounds(value(domain, "track_section", "length_km")))
    fastest, slowest = moment(value(domain, "train_run", "arrives_at")).gap
    assert 60 * longest / fastest <= 160  # km/h, of the fastest line
    assert 60 * shortest / slowest >= 50


def test_parts_are_lighter_than_what_they_are_built_into() -> None:
    domain = "manufacturing/production-planning"
    weights = {kind: bounds(given) for kind, given in cases(domain, "part", "weight_g").items()}
    built = pairs(domain, "production_order CONSUMES part", "MAKES.kind")
    assert "Housing" in built
    for whole, parts in built.items():
        most = 3 * 4 * max((weights[part][1] for part in parts), default=0)  # three, four of each
        assert not parts or most < weights[whole][0]


def test_a_blocked_account_has_no_active_card() -> None:
    cards = pairs("finance/retail-banking", "account HAS_CARD card", "status")
    assert "active" not in cards["blocked"]


def test_an_audit_adds_a_share_of_the_declared_tax() -> None:
    audit = subdomain(TAXONOMY, "government/tax-administration").entities["audit"]
    added = audit.property("additional_tax")
    assert added is not None
    assert added.copied[0].property == "declared_tax"
    assert (added.copied[0].high or 9) < 1


def test_phones_of_one_model_have_imeis_of_one_series() -> None:
    imeis = cases("telecommunications/mobile-network", "handset", "imei")
    assert len({given.pattern[:8] for given in imeis.values() if isinstance(given, Code)}) == 8
