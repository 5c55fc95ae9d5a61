"""Shipped sub-domains: what a row and its neighbours say together.

Each line is of something that people of the trade saw in drawn graphs."""

from __future__ import annotations

import pytest

from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By, Copy, Foremost, Moment, Number, Place, Stake
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


def copies(domain: str, entity: str, name: str) -> tuple[Copy, ...]:
    """What a property follows over relations."""
    hint = subdomain(TAXONOMY, domain).entities[entity].property(name)
    assert hint is not None
    return hint.copied


# --- parts and wholes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("domain", "entity", "name", "relation_type"),
    [
        ("energy/ev-charging", "charging_site", "total_power_kw", "AT_SITE"),
        ("retail/grocery-stores", "shelf", "facings", "SHOWS"),
    ],
)
def test_a_whole_is_the_sum_of_its_parts(
    domain: str, entity: str, name: str, relation_type: str
) -> None:
    (total,) = copies(domain, entity, name)
    assert (total.how, total.relation) == ("sum", relation_type)


def test_a_farm_has_several_fields() -> None:
    domain = "agriculture/crop-farming"
    assert relation(domain, "field BELONGS_TO farm").incoming.parameters[0] >= 2
    assert bounds(value(domain, "farm", "area_hectares"))[1] <= 150


def test_lessons_fit_into_the_hours_of_their_course() -> None:
    domain = "education/online-learning"
    lessons = relation(domain, "online_course HAS_LESSON lesson").outgoing.parameters[1]
    minutes = value(domain, "lesson", "minutes")
    assert isinstance(minutes, Number)
    assert lessons * minutes.parameters[0] < 3 * 60  # the shortest course


def test_owners_of_a_company_hold_no_more_than_all_of_it() -> None:
    domain = "government/tax-administration"
    owned = relation(domain, "company OWNS company")
    others = of_edge("taxpayer OWNS company", domain, "share_percent")
    share = bounds(of_edge("company OWNS company", domain, "share_percent"))[1]
    assert "PARENT_OF" not in owned.also  # who has a tenth is no parent
    assert isinstance(others, Stake)
    assert owned.incoming.parameters[1] * share + 100 * others.high <= 100


def test_audiences_of_a_series_do_not_double_in_a_week() -> None:
    (viewers,) = copies("media/film-and-television", "episode", "viewers")
    assert viewers.low is not None
    assert viewers.high is not None
    assert viewers.high < 1.4 * viewers.low


# --- one after the other -----------------------------------------------------------------------


def test_a_person_is_tested_once_and_before_the_report() -> None:
    domain = "healthcare/infection-tracing"
    taken = relation(domain, "sample TAKEN_FROM case_person")
    assert taken.incoming.parameters == (1, 1)
    assert taken.anchor is not None
    assert taken.anchor.gap is not None
    assert taken.anchor.gap[1] < moment(value(domain, "case_person", "reported_on")).gap[0]


def test_cases_of_an_outbreak_begin_in_it_and_are_reported_days_later() -> None:
    part = relation("healthcare/infection-tracing", "case_person PART_OF outbreak")
    assert part.anchor is not None
    assert part.anchor.gap is not None  # `during` would have the report before the end, too


def test_invoices_of_a_contract_are_of_different_months() -> None:
    domain = "telecommunications/customer-contracts"
    billed = relation(domain, "invoice FOR_CONTRACT contract").anchor
    assert billed is not None
    assert (billed.by, billed.sharp) == ("period", True)
    assert isinstance(value(domain, "invoice", "period"), Place)


def test_who_has_bought_views_no_more() -> None:
    domain = "real-estate/property-sales"
    bought = relation(domain, "sale TO_BUYER buyer")
    for title in ("viewing BY_BUYER buyer", "purchase_offer MADE_BY buyer"):
        assert (relation(domain, title).within or 999) < bought.gap
    saved = moment(of_edge("buyer INTERESTED_IN property_listing", domain, "saved_on"))
    seen = relation(domain, "buyer INTERESTED_IN property_listing").within
    assert (seen or 999) + saved.gap[1] < bought.gap


def test_parcels_are_sorted_in_minutes() -> None:
    sorted_in = relation("logistics/parcel-delivery", "scan_event OF_PARCEL parcel").anchor
    assert sorted_in is not None
    assert sorted_in.unit == "minutes"
    assert sorted_in.gap is not None
    assert sorted_in.gap[1] - sorted_in.gap[0] <= 30


def test_cards_are_valid_for_whole_years() -> None:
    first, last = moment(value("finance/payment-fraud", "card", "expires_on")).gap
    assert 4 * 365 <= first < last < 4 * 365 + 15


def test_who_filed_a_patent_owns_it_since() -> None:
    since = moment(of_edge("patent OWNED_BY applicant", "legal/patents", "since"))
    assert since.gap == (0, 0)


def test_reminders_follow_those_of_their_assessment() -> None:
    follows = relation("government/tax-administration", "reminder FOLLOWS reminder")
    assert ("FOR_ASSESSMENT.notice_no", "FOR_ASSESSMENT.notice_no") in follows.via


def test_a_referee_leads_one_match_in_an_evening_of_the_season() -> None:
    domain = "sports/football"
    assert relation(domain, "match REFEREED_BY referee").alone
    assert set(moment(value(domain, "match", "kick_off")).busy) <= {4, 5, 6, 7, 8, 9, 10}


# --- kinds that go together --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "ours", "theirs"),
    [
        ("patent OWNED_BY applicant", "technical_field", "main_field"),
        ("patent INVENTED_BY inventor", "technical_field", "technical_field"),
        ("patent EXAMINED_BY examiner", "technical_field", "examining_field"),
        ("inventor WORKED_FOR applicant", "technical_field", "main_field"),
    ],
)
def test_patents_are_of_the_field_of_their_people(title: str, ours: str, theirs: str) -> None:
    assert (ours, theirs) in relation("legal/patents", title).match


def test_a_person_is_screened_against_namesakes() -> None:
    for name in ("first_name", "last_name"):
        (copied,) = copies("finance/anti-money-laundering", "watchlist_entry", name)
        assert (copied.relation, copied.property) == ("SCREENED_AGAINST", name)


def test_an_investigation_covers_few_alerts() -> None:
    entities = subdomain(TAXONOMY, "finance/anti-money-laundering").entities
    assert entities["alert"].share <= 3 * entities["investigation"].share


def test_a_probable_case_has_no_negative_test() -> None:
    results = cases("healthcare/infection-tracing", "sample", "result")
    assert texts(results["probable"]) == {"inconclusive"}


def test_checks_find_no_missing_values_where_none_are() -> None:
    domain = "technology/data-catalogue"
    tested = pairs(domain, "quality_check TESTS table_column", "check_type")["not null"]
    empty = cases(domain, "table_column", "null_share")
    assert all(bounds(empty[name]) == (0, 0) for name in tested)
    assert bounds(cases(domain, "quality_check", "failures")["not null"]) == (0, 0)


def test_an_objection_that_is_pending_was_decided_by_nobody() -> None:
    decided = pairs("government/tax-administration", "objection DECIDED_BY official", "outcome")
    assert decided["pending"] == ()


def test_every_community_has_a_moderator() -> None:
    role = of_edge("member MEMBER_OF community", "media/social-network", "role")
    assert isinstance(role, Foremost)


def test_every_film_has_a_leading_character() -> None:
    leading = value("media/film-and-television", "character", "is_lead")
    assert isinstance(leading, Foremost)


@pytest.mark.parametrize(
    ("domain", "entity", "name", "never"),
    [
        ("finance/anti-money-laundering", "account", "account_type", {"savings"}),  # pays others
        ("finance/anti-money-laundering", "transaction", "channel", {"file upload"}),  # of persons
        ("agriculture/crop-farming", "grain_buyer", "buyer_type", {"starch factory"}),  # of oats
        ("government/criminal-investigation", "crime_case", "status", {"unsolved"}),  # a suspect
        ("telecommunications/customer-contracts", "complaint", "subject", {"missed appointment"}),
        ("telecommunications/customer-contracts", "promotion", "name", {"Switcher Bonus"}),
        ("manufacturing/production-planning", "tool", "tool_type", {"gripper"}),  # forms no part
    ],
)
def test_values_that_the_neighbours_belie_are_gone(
    domain: str, entity: str, name: str, never: set[str]
) -> None:
    given = value(domain, entity, name)
    kept = texts(given.otherwise) if isinstance(given, By) else texts(given)
    assert not kept & never


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("energy/ev-charging", "charging_station", "installed_on"),
        ("retail/grocery-stores", "employee", "hired_on"),
        ("technology/data-catalogue", "dashboard", "created_on"),
        ("legal/patents", "examiner", "hired_on"),
    ],
)
def test_this_is_done_on_working_days(domain: str, entity: str, name: str) -> None:
    given = value(domain, entity, name)
    assert isinstance(given, Moment)
    assert given.workdays


def test_promotions_suit_whatever_is_on_offer() -> None:
    names = texts(subdomain(TAXONOMY, "retail/grocery-stores").lists["promotion_name"])
    assert not names & {"Pantry Deals", "Kitchen Savers", "Fresh Savings"}  # nappies are, too


def test_products_for_fields_are_not_called_after_one_crop() -> None:
    names = {
        row[0] for row in subdomain(TAXONOMY, "agriculture/crop-farming").rows["products"].rows
    }
    assert not any("Cereal" in name or "Cerel" in name for name in names)
