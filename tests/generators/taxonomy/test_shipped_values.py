"""Shipped sub-domains: codes, names and figures that people of the trade would see through."""

from __future__ import annotations

import pytest

from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By, Code, Moment, Number
from tests.generators.taxonomy.shipped import TAXONOMY, of_edge, relation, value

# Codes of standards with check digits: what such a property is called.
STANDARDS = {
    "card_number", "container_no", "ean", "gtin", "iban", "iccid", "imei", "imo_no", "isbn", "isin",
    "issn", "lei", "orcid", "sscc", "tax_number", "upc", "vat_number",
}  # fmt: skip
# Names of what is there once, however many there are of its kind.
ALONE = (
    ("education/university", "institution"),
    ("energy/power-grid", "power_plant"),
    ("energy/wind-farms", "wind_farm"),
    ("finance/anti-money-laundering", "bank"),
    ("finance/consumer-lending", "bank"),
    ("finance/payment-fraud", "bank"),
    ("finance/retail-banking", "bank"),
    ("finance/retail-banking", "branch"),
    ("finance/securities-trading", "bank"),
    ("government/public-procurement", "company"),
    ("government/tax-administration", "company"),
    ("legal/court-cases", "law_firm"),
    ("life-sciences/genomics", "laboratory"),
    ("logistics/fleet-management", "depot"),
    ("logistics/parcel-delivery", "depot"),
    ("retail/fashion", "factory"),
    ("retail/fashion", "garment"),
    ("retail/grocery-stores", "store"),
)


def test_codes_of_standards_have_check_digits() -> None:
    seen = set()
    for domain in TAXONOMY:
        for entity in domain.entities.values():
            for hint in entity.properties:
                if hint.name in STANDARDS:
                    seen.add(hint.name)
                    given = hint.value
                    values = (
                        [value for _, value in given.cases] if isinstance(given, By) else [given]
                    )
                    for one in values:
                        assert isinstance(one, Code)
                        assert one.check or one.national, (domain.path, hint.name)
    assert seen == STANDARDS


@pytest.mark.parametrize(("domain", "entity"), ALONE)
def test_names_are_of_one_alone(domain: str, entity: str) -> None:
    hint = subdomain(TAXONOMY, domain).entities[entity].property("name")
    assert hint is not None
    assert hint.unique


def test_a_shelf_shows_what_is_of_one_section() -> None:
    shows = relation("retail/grocery-stores", "shelf SHOWS grocery_product")
    assert ("section", "category") in shows.match


def test_who_is_approved_scores_above_who_is_rejected() -> None:
    score = value("finance/consumer-lending", "credit_report", "score")
    assert isinstance(score, By)
    cases = dict(score.cases)
    approved, rejected = cases["approved"], cases["rejected"]
    assert isinstance(approved, Number)
    assert isinstance(rejected, Number)
    assert rejected.high is not None
    assert approved.low is not None
    assert rejected.high < approved.low


def test_molecules_bind_better_the_further_they_are() -> None:
    found = of_edge("compound BINDS target", "life-sciences/drug-discovery", "ic50_nm")
    assert isinstance(found, By)
    cases = [*(case for _, case in found.cases), found.otherwise]
    medians = [case.parameters[0] for case in cases if isinstance(case, Number)]
    assert len(medians) == 4
    assert medians == sorted(medians, reverse=True)


def test_diseases_are_those_of_the_target() -> None:
    domain = subdomain(TAXONOMY, "life-sciences/drug-discovery")
    (fits,) = relation(domain.path, "target IMPLICATED_IN disease").fits
    assert {known for known, _ in fits.pairs} == set(domain.rows["targets"].column("gene_symbol"))


def test_a_medicine_keeps_for_one_time_and_comes_in_its_packs() -> None:
    expires = value("healthcare/pharmacy", "batch", "expires_on")
    assert isinstance(expires, Moment)
    assert expires.gap[0] == expires.gap[1]
    for name in ("dose_form", "pack_size"):
        packs = value("healthcare/pharmacy", "product", name)
        assert isinstance(packs, By)
        assert packs.of == "CONTAINS.name"


def test_a_week_of_a_course_is_shorter_than_the_course() -> None:
    domain = subdomain(TAXONOMY, "education/online-learning")
    weekly = of_edge("learner ENROLLED_IN online_course", domain.path, "weekly_workload")
    assert isinstance(weekly, Number)
    assert weekly.high is not None
    assert weekly.high < min(map(int, domain.rows["courses"].column("hours")))


def test_leagues_play_in_countries_with_seasons_of_a_calendar_year() -> None:
    assert set(subdomain(TAXONOMY, "sports/football").homes) == {"Sweden", "United States"}


def test_what_is_made_of_one_piece_consumes_no_parts() -> None:
    made = relation("manufacturing/production-planning", "production_order CONSUMES part")
    pairs = dict(made.fits[0].pairs)
    assert not any(pairs[kind] for kind in ("Gear Wheel", "Shaft", "Flange", "Lever"))
