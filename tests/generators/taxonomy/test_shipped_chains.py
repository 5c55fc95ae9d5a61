"""Shipped sub-domains: steps that follow from one another, and attributes that a class fixes."""

from __future__ import annotations

from itertools import chain

import pytest

from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By, Choice, Moment, Number, Place
from tests.generators.taxonomy.shipped import TAXONOMY, of_edge, pairs, relation, texts, value


def test_mechanisms_are_those_of_the_class_of_the_target() -> None:
    action = of_edge("compound BINDS target", "life-sciences/drug-discovery", "action")
    assert isinstance(action, By)
    cases = dict(action.cases)
    assert texts(cases["kinase"]) == {"inhibitor"}
    assert "antagonist" in texts(cases["GPCR"])
    assert texts(action.otherwise) == {"modulator"}  # where the schema has no targets


def test_what_has_results_is_not_of_the_last_day() -> None:
    made = value("life-sciences/drug-discovery", "compound", "synthesized_on")
    assert isinstance(made, Moment)
    assert made.last < 2025


def test_what_is_alike_is_not_bought_together() -> None:
    alike = relation("retail/e-commerce", "product SIMILAR_TO product")
    assert not any("BOUGHT" in name for name in alike.also)


@pytest.mark.parametrize(
    ("domain", "entity", "further"),
    [
        ("retail/e-commerce", "order", {"shipped", "delivered"}),
        ("retail/online-marketplace", "marketplace_order", {"in transit", "completed"}),
    ],
)
def test_orders_of_the_last_days_are_open(domain: str, entity: str, further: set[str]) -> None:
    status = subdomain(TAXONOMY, domain).entities[entity].property("status")
    assert status is not None
    assert status.recent is not None
    assert not texts(status.recent.values) & further


def test_large_orders_are_not_paid_by_gift_card() -> None:
    assert "gift card" not in texts(value("retail/e-commerce", "payment", "method"))


def test_a_commit_of_the_last_weeks_is_in_one_merge_request() -> None:
    includes = relation("technology/software-development", "pull_request INCLUDES commit")
    assert includes.many == "1:1"  # in 1:n the commits would choose, and leave some without
    assert includes.anchor is not None
    assert includes.anchor.gap == (0, 14)


def test_what_was_merged_was_approved() -> None:
    title = "pull_request REVIEWED_BY developer"
    verdict = of_edge(title, "technology/software-development", "verdict")
    assert isinstance(verdict, By)
    assert texts(dict(verdict.cases)["merged"]) == {"approved"}


def test_fields_are_treated_weeks_after_sowing_and_harvests_have_one_price() -> None:
    domain = "agriculture/crop-farming"
    anchor = relation(domain, "treatment FOR_PLANTING planting").anchor
    assert anchor is not None
    assert anchor.gap is not None
    assert anchor.gap[0] >= 45
    price = value(domain, "sale", "price_per_ton")
    assert isinstance(price, Number)
    assert price.low is not None
    assert price.high is not None
    assert price.high < 1.08 * price.low


def test_accounts_of_a_treaty_close_different_quarters() -> None:
    domain = "insurance/reinsurance"
    assert isinstance(value(domain, "statement", "number"), Place)
    anchor = relation(domain, "statement FOR_TREATY treaty").anchor
    assert anchor is not None
    assert anchor.by == "number"
    assert anchor.sharp


def test_perils_are_those_of_the_line_and_losses_burden_the_lowest_layer() -> None:
    domain = "insurance/reinsurance"
    perils = pairs(domain, "treaty COVERS_PERIL peril", "line_of_business")
    assert perils["cyber"] == ("cyber attack",)
    assert "earthquake" not in chain(perils["motor"], perils["marine"], perils["aviation"])
    hits = relation(domain, "loss_notice HITS layer")
    assert any(fit.theirs == "position" for fit in hits.fits)
    loss = subdomain(TAXONOMY, domain).entities["loss_notice"].property("gross_loss")
    assert loss is not None
    first = loss.copied[0]
    assert (first.relation, first.property) == ("HITS", "attachment_point")


def test_substations_are_reached_by_more_than_one_line() -> None:
    domain = "energy/power-grid"
    ends = ("FROM_SUBSTATION", "TO_SUBSTATION")
    lines = [relation(domain, f"power_line {end} substation") for end in ends]
    assert all(line.always for line in lines)
    assert all(line.incoming.parameters[0] >= 2 for line in lines)
    assert "bird" not in texts(value(domain, "outage", "cause"))  # its outages last minutes


def test_coins_move_on_the_network_of_their_token() -> None:
    domain = "finance/crypto-assets"
    assert relation(domain, "transfer INCLUDED_IN block").via
    assert not any(
        r.source == "wallet" and r.target == "network"
        for r in subdomain(TAXONOMY, domain).relations
    )


def test_returns_of_a_year_are_filed_once() -> None:
    domain = "government/tax-administration"
    for filer in ("taxpayer", "company"):
        assert relation(domain, f"{filer} FILED tax_return").alone_days >= 92
    filed = value(domain, "tax_return", "filed_on")
    assert isinstance(filed, Moment)
    assert set(filed.busy) <= {5, 6, 7}


def test_examiners_know_the_field_of_their_patents() -> None:
    examined = relation("legal/patents", "patent EXAMINED_BY examiner")
    assert examined.via == (("CLASSIFIED_IN.section", "examining_field"),)
    assert "summons" not in texts(value("legal/patents", "office_action", "kind"))


def test_investigators_of_a_trial_are_of_one_field() -> None:
    known = subdomain(TAXONOMY, "healthcare/clinical-trials").lists["specialty"]
    assert texts(known) == {"internal medicine", "clinical pharmacology"}


def test_defects_are_mended_within_days() -> None:
    fixed = relation("logistics/fleet-management", "maintenance_job FIXED defect")
    assert fixed.many == "1:1"
    assert fixed.anchor is not None
    assert fixed.anchor.gap == (0, 5)


def test_airlines_share_flights_since_both_are_there() -> None:
    domain = "travel/air-travel"
    since = of_edge("airline CODESHARES_WITH airline", domain, "since")
    founded = value(domain, "airline", "founded")
    assert isinstance(since, Moment)
    assert isinstance(founded, Number)
    assert since.first > founded.parameters[1]


def test_leads_report_to_nobody() -> None:
    levels = pairs("retail/grocery-stores", "employee REPORTS_TO employee", "job_level")
    assert levels["lead"] == ()


def test_warranties_end_in_the_future() -> None:
    warranty = value("technology/it-helpdesk", "device", "warranty_end")
    assert isinstance(warranty, Moment)
    assert warranty.planned


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("finance/anti-money-laundering", "investigation COVERS alert"),
        ("finance/payment-fraud", "fraud_case INCLUDES payment"),
    ],
)
def test_what_a_case_is_about_is_in_no_other_case(domain: str, title: str) -> None:
    covers = relation(domain, title)
    assert covers.many == "1:n?"
    assert covers.within is not None
    assert covers.within <= 90


def test_alerts_between_accounts_of_one_country_are_none_of_high_risk_countries() -> None:
    kinds = texts(value("finance/anti-money-laundering", "alert", "alert_type"))
    assert "high-risk country" not in kinds


def test_loans_are_overdue_for_months_and_then_default() -> None:
    status = value("finance/consumer-lending", "loan", "status")
    assert isinstance(status, By)
    assert "overdue" not in texts(status.cases[0][1])
    assert (
        subdomain(TAXONOMY, "finance/consumer-lending").entities["instalment"].property("paid_on")
        is None
    )


def test_no_exam_is_held_without_candidates() -> None:
    domain = "education/university"
    held = value(domain, "exam", "held_on")
    assert isinstance(held, Moment)
    assert held.first == 2024  # who enrolled in 2021 sits from 2023 on


def test_a_driver_drives_one_train_at_a_time() -> None:
    assert relation("travel/rail-travel", "train_run DRIVEN_BY train_driver").alone


def test_what_flows_in_a_session_depends_on_what_it_is_used_for() -> None:
    volume = value("telecommunications/mobile-network", "data_session", "data_volume_mb")
    assert isinstance(volume, By)
    assert volume.of == "app_class"


def test_recalls_have_batches() -> None:
    domain = "agriculture/food-traceability"
    dates = [value(domain, "batch", "produced_on"), value(domain, "recall", "announced_on")]
    made, told = dates
    assert isinstance(made, Moment)
    assert isinstance(told, Moment)
    assert made.first == told.first
    assert set(made.busy) < set(told.busy)  # the last ones are recalled in the month after
    within = relation(domain, "recall AFFECTS batch").within
    assert within is not None
    assert within >= 31  # any day of that month
    affects = relation(
        "manufacturing/automotive-supply-chain", "recall_campaign AFFECTS part_batch"
    )
    assert affects.outgoing.parameters[0] >= 1


def test_most_tenders_end_with_a_contract() -> None:
    entities = subdomain(TAXONOMY, "government/public-procurement").entities
    assert 0.9 * entities["tender"].share < entities["award_contract"].share
    assert entities["award_contract"].share < entities["tender"].share


def test_nobody_is_blocked_by_a_friend() -> None:
    among = subdomain(TAXONOMY, "media/social-network").relations
    assert not any(each.type == "BLOCKED" for each in among)


def test_cancellations_are_fewer_than_cancelled_contracts() -> None:
    entities = subdomain(TAXONOMY, "telecommunications/customer-contracts").entities
    status = entities["contract"].property("status")
    assert status is not None
    assert isinstance(status.value, Choice)
    weights = {str(text): weight for text, weight in status.value.values}
    cancelled = entities["contract"].share * weights["cancelled"] / sum(weights.values())
    assert entities["cancellation"].share < cancelled
