"""Shipped sub-domains: what a person of the trade would call wrong of one row and its neighbours.

Each line is of something that such readers saw in drawn graphs."""

from __future__ import annotations

import pytest

from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By, Choice, Number, Phrase
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
    ("domain", "entity", "name"),
    [
        ("finance/retail-banking", "device", "registered_at"),  # before its owner was a customer
        ("telecommunications/mobile-network", "handset", "first_seen"),  # in which SIM card?
        ("healthcare/pharmacy", "delivery", "has_intact_cold_chain"),  # of tablets
    ],
)
def test_nothing_says_what_neighbours_belie(domain: str, entity: str, name: str) -> None:
    assert subdomain(TAXONOMY, domain).entities[entity].property(name) is None


@pytest.mark.parametrize(
    ("domain", "title", "days"),
    [
        ("agriculture/dairy-farming", "milking OF_COW cow", 1),  # at six and at eight
        ("agriculture/dairy-farming", "milk_collection FROM_FARM farm", 1),
        ("agriculture/dairy-farming", "insemination OF_COW cow", 18),  # not in heat again
        ("finance/consumer-lending", "applicant SUBMITTED application", 60),
        ("energy/power-grid", "work_order ON_TRANSFORMER transformer", 90),  # inspected twice
    ],
)
def test_what_comes_again_comes_later(domain: str, title: str, days: int) -> None:
    assert relation(domain, title).alone_days == days


@pytest.mark.parametrize(
    ("domain", "title", "path"),
    [
        (
            "retail/online-marketplace",
            "marketplace_order BOUGHT_BY member",
            "FOR_LISTING.POSTED",
        ),
        ("retail/online-marketplace", "price_offer MADE_BY member", "ON_LISTING.POSTED"),
    ],
)
def test_nobody_buys_from_himself(domain: str, title: str, path: str) -> None:
    assert relation(domain, title).apart == (path,)


def test_who_was_refused_an_offer_was_offered_less_than_was_paid() -> None:
    domain = "retail/online-marketplace"
    offered = subdomain(TAXONOMY, domain).entities["price_offer"].property("amount")
    paid = subdomain(TAXONOMY, domain).entities["marketplace_order"].property("agreed_price")
    assert offered is not None
    assert paid is not None
    assert (offered.copied[0].high or 9) < (paid.copied[0].low or 0)


@pytest.mark.parametrize(
    ("domain", "title", "ours", "one", "others"),
    [
        (
            "energy/power-grid",
            "work_order ON_TRANSFORMER transformer",
            "task",
            "oil sample",  # no small transformer is sampled
            ("110", "220", "380"),
        ),
        (
            "energy/power-grid",
            "work_order FIXES outage",
            "task",
            "repair",  # a transformer is repaired after no fallen tree
            ("equipment failure",),
        ),
        ("energy/power-grid", "outage AFFECTED power_line", "cause", "tree", ("overhead",)),
        (
            "healthcare/clinical-trials",
            "arm RECEIVES investigational_product",
            "arm_type",
            "active comparator",  # is what there was before
            (),
        ),
        (
            "government/parliament",
            "bill REFERRED_TO committee",
            "topic",
            "Citizenship",  # is no matter of other countries
            ("home affairs",),
        ),
        (
            "manufacturing/quality-management",
            "part SUPPLIED_BY supplier",
            "kind",
            "Gear Wheel",  # is made in the house
            (),
        ),
        (
            "manufacturing/quality-management",
            "part PRODUCED_ON machine",
            "kind",
            "Bolt",  # is bought
            (),
        ),
    ],
)
def test_what_goes_together(
    domain: str, title: str, ours: str, one: str, others: tuple[str, ...]
) -> None:
    assert pairs(domain, title, ours)[one] == others


def test_a_complaint_without_grounds_has_no_cause() -> None:
    told = pairs("manufacturing/quality-management", "complaint TRACED_TO root_cause", "justified")
    assert told["false"] == ()


@pytest.mark.parametrize("sector", ["finance", "industry"])
def test_interest_groups_speak_of_their_own_matters(sector: str) -> None:
    told = pairs("government/parliament", "lobby_organization COMMENTED_ON bill", "sector")
    strange = {"Maternity Leave", "Disability Benefits", "Teacher Training", "Adult Education"}
    assert not strange & set(told[sector])


def test_what_is_received_in_house_is_bought() -> None:
    told = pairs("manufacturing/quality-management", "inspection OF_PART part", "inspection_type")
    assert not set(told["goods receipt"]) & set(told["in process"])


@pytest.mark.parametrize(
    ("domain", "entity", "name", "gone"),
    [
        ("energy/power-grid", "outage", "cause", "construction works"),  # on a Sunday at three
        ("travel/rail-travel", "disruption", "cause", "strike"),  # of one section of track
        ("telecommunications/mobile-network", "tariff", "name", "Fibre 500"),  # at home
        ("telecommunications/mobile-network", "transport_link", "medium", "copper"),
        ("finance/consumer-lending", "application", "purpose", "travel"),  # for 15,000 euros
        ("finance/retail-banking", "loan", "loan_type", "student loan"),  # at sixty
        ("insurance/reinsurance", "region", "name", "Florida"),  # of insurers of one country
        ("government/parliament", "committee", "name", "foreign affairs"),
    ],
)
def test_values_that_do_not_go_with_the_rest(
    domain: str, entity: str, name: str, gone: str
) -> None:
    assert gone not in texts(value(domain, entity, name))


def test_papers_tell_how_much_their_author_is_cited() -> None:
    author = subdomain(TAXONOMY, "education/research-publications").entities["author"]
    cited = author.property("h_index")
    assert cited is not None
    assert cited.without == ("WROTE",)


def test_data_sets_are_derived_from_some_of_their_kind() -> None:
    derived = relation("education/research-publications", "data_set DERIVED_FROM data_set")
    assert derived.match == (("text_kind", "text_kind"),)


def test_a_paper_is_revised_before_it_appears() -> None:
    review = relation("education/research-publications", "review OF_PAPER paper")
    assert review.gap >= 30


def test_a_loan_is_decided_on_with_the_report_and_then_paid() -> None:
    domain = "finance/consumer-lending"
    report = relation(domain, "credit_report PULLED_FOR application").anchor
    decided = of_edge("application DECIDED_BY employee", domain, "decided_at")
    paid = relation(domain, "loan RESULT_OF application").anchor
    assert report is not None
    assert report.gap is not None
    assert paid is not None
    assert paid.gap is not None
    assert report.gap[1] + 3 < moment(decided).gap[0]  # a week-end lies between
    assert moment(decided).gap[1] + 3 < paid.gap[0]


def test_instalments_are_missed_one_after_the_other() -> None:
    missed = relation("finance/consumer-lending", "loan HAS_INSTALMENT instalment").anchor
    assert missed is not None
    assert missed.by == "reminder_level"


def test_debts_that_are_consolidated_are_there() -> None:
    open_loans = value("finance/consumer-lending", "credit_report", "open_loans")
    assert isinstance(open_loans, Number)
    assert min(open_loans.parameters) >= 1


def test_milk_of_a_farm_goes_to_one_dairy_at_the_price_of_its_kind() -> None:
    price = of_edge("farm SUPPLIES food_buyer", "agriculture/dairy-farming", "milk_price")
    assert relation("agriculture/dairy-farming", "farm SUPPLIES food_buyer").many == "n:1"
    assert isinstance(price, By)
    assert price.otherwise is not None
    assert bounds(dict(price.cases)["organic milk"])[0] > bounds(price.otherwise)[1]


def test_closed_breakers_carry_the_load() -> None:
    closed = cases("energy/power-grid", "switch", "is_closed")
    assert "circuit breaker" in closed


def test_a_recall_is_announced_when_the_batch_is_sold() -> None:
    recalled = relation("healthcare/pharmacy", "recall AFFECTS batch")
    sold = relation("healthcare/pharmacy", "dispensing FROM_BATCH batch")
    assert sold.within is not None
    assert recalled.gap > sold.within


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("healthcare/clinical-trials", "visit FOLLOWS visit"),
    ],
)
def test_what_follows_is_followed_by_one(domain: str, title: str) -> None:
    assert relation(domain, title).many == "1:1?"


def test_goods_are_put_away_on_the_day_of_their_arrival() -> None:
    domain = "logistics/warehouse-operations"
    put_away = relation(domain, "stock_unit ARRIVED_WITH inbound_delivery").anchor
    arrives = moment(value(domain, "inbound_delivery", "arrived_at")).hours
    assert put_away is not None
    assert put_away.gap is not None
    assert arrives is not None
    assert arrives[1] + put_away.gap[1] <= 18


def test_prizes_are_of_the_music_of_who_won_them() -> None:
    category = of_edge("artist WON award", "media/music-streaming", "category")
    assert isinstance(category, By)


def test_projects_are_managed_by_who_builds() -> None:
    names = subdomain(TAXONOMY, "real-estate/construction-projects").lists["department_name"]
    assert not {"Legal", "Human Resources", "Compliance"} & texts(names)


def test_work_on_a_site_takes_its_days() -> None:
    parts = relation("real-estate/construction-projects", "task PART_OF project").anchor
    planned = moment(value("real-estate/construction-projects", "task", "planned_finish"))
    assert parts is not None
    assert parts.sharp
    assert planned.gap[0] >= 5


def test_complaints_are_of_what_left_the_plant() -> None:
    whole = subdomain(TAXONOMY, "manufacturing/quality-management")
    assert not [
        each for each in whole.relations if (each.source, each.target) == ("complaint", "defect")
    ]


def test_incidents_are_caused_by_what_went_wrong() -> None:
    caused = relation("technology/cloud-operations", "incident CAUSED_BY_DEPLOYMENT deployment")
    assert caused.only == ("outcome", ("rolled back", "failed"))


def test_no_ticket_repeats_one_that_is_solved() -> None:
    again = relation("technology/it-helpdesk", "ticket RECURRENCE_OF ticket")
    assert again.via == (("OPENED_BY.employee_no", "OPENED_BY.employee_no"),)


def test_new_devices_have_no_tickets() -> None:
    about = relation("technology/it-helpdesk", "ticket CONCERNS device")
    handed = of_edge("device USED_BY employee", "technology/it-helpdesk", "since")
    assert about.gap > moment(handed).gap[1]


def test_sites_have_three_sectors() -> None:
    cells = relation("telecommunications/mobile-network", "cell AT_SITE cell_site").incoming
    assert (cells.shape, cells.parameters) == ("fixed", (3,))


def test_small_claims_are_not_accepted() -> None:
    accepted = value("travel/rail-travel", "compensation_claim", "accepted")
    assert isinstance(accepted, By)


def test_new_drivers_know_few_routes() -> None:
    known = cases("travel/rail-travel", "train_driver", "known_routes")
    assert bounds(known["junior"])[1] <= 6


def test_builders_not_concrete_firms_hand_trades_on() -> None:
    path = "real-estate/construction-projects"
    trades = value(path, "contractor", "trade")
    assert isinstance(trades, Choice)
    assert {trade for trade, _ in trades.values} >= {"general building", "painting"}
    assert "concrete" not in {trade for trade, _ in trades.values}


def test_no_claim_is_larger_than_the_catastrophe() -> None:
    premium = value("insurance/reinsurance", "treaty", "ceded_premium")
    limit = value("insurance/reinsurance", "treaty", "layer_limit")
    claim = value("insurance/reinsurance", "loss_notice", "gross_loss")  # of no layer
    losses = value("insurance/reinsurance", "catastrophe", "insured_loss")
    assert isinstance(limit, By)
    assert isinstance(losses, By)
    assert losses.otherwise is not None
    highest = bounds(premium)[1] * 3.5 * 2  # of limits, of what exceeds the first layer
    assert max(highest, bounds(claim)[1]) < bounds(losses.otherwise)[0]


def test_warehouses_pay_their_staff_as_warehouses_do() -> None:
    salary = value("logistics/warehouse-operations", "employee", "salary")
    assert isinstance(salary, By)
    assert bounds(dict(salary.cases)["mid-level"])[1] <= 40_000


def test_stations_at_the_ends_of_a_short_line_are_in_no_towns_far_apart() -> None:
    named = cases("energy/power-grid", "substation", "name")["380"]
    assert isinstance(named, Phrase)
    assert "{place_stem}" not in named.template


def test_sites_of_trials_in_follow_up_are_closed_and_not_archived() -> None:
    told = cases("healthcare/clinical-trials", "site", "status")
    assert texts(told["in follow-up"]) == {"closed"}
    assert "archived" in texts(told["completed"])


def test_what_allows_to_build_is_a_building_permit() -> None:
    kinds = texts(value("real-estate/construction-projects", "permit", "permit_type"))
    assert "heritage" not in kinds  # a project has one permit


def test_architects_are_of_age_when_their_projects_begin() -> None:
    born = moment(value("real-estate/construction-projects", "architect", "birth_date"))
    begun = moment(value("real-estate/construction-projects", "project", "started_on"))
    assert begun.first - born.last >= 30


def test_few_warehouses_have_gates_for_one_way_alone() -> None:
    ways = value("logistics/warehouse-operations", "gate", "direction")
    assert isinstance(ways, Choice)
    told = dict(ways.values)
    assert told["both"] > told["inbound"] + told["outbound"]
