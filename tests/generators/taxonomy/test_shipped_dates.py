"""Shipped sub-domains: what must hold between dates and values of different entities.

Each line is of something that people of the trade saw in drawn graphs."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random

import pytest

from generators.schemas.blueprint import blueprint
from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.model import Entity, Moment, SubDomain

TAXONOMY = load_taxonomy(())

BELONGS = (
    ("agriculture/dairy-farming", "barn PART_OF farm"),
    ("agriculture/crop-farming", "variety OF_CROP crop"),
    ("finance/anti-money-laundering", "customer HOLDS account"),
    ("finance/payment-fraud", "terminal INSTALLED_AT merchant"),
    ("finance/retail-banking", "customer HOLDS account"),
    ("insurance/life-insurance", "insurer OFFERS tariff"),
    ("life-sciences/biodiversity", "camera_trap STANDS_AT site"),
    ("logistics/fleet-management", "maintenance_job ON_VEHICLE vehicle"),
    ("logistics/fleet-management", "vehicle STATIONED_AT depot"),
    ("media/news-publishing", "correction OF_ARTICLE article"),
    ("travel/restaurants", "table_booking AT restaurant"),
    ("manufacturing/automotive-supply-chain", "part_batch MADE_BY supplier"),
    ("telecommunications/customer-contracts", "contract SIGNED_BY subscriber"),
)


def entities(name: str) -> Mapping[str, Entity]:
    return subdomain(TAXONOMY, name).entities


def moment(domain: str, entity: str, name: str) -> Moment:
    hint = entities(domain)[entity].property(name)
    assert hint is not None
    assert isinstance(hint.value, Moment)
    return hint.value


def inherited(domain: SubDomain, entity: Entity, name: str) -> Moment | None:
    """A date of an entity, or of what it is a special case of."""
    hint = entity.property(name)
    if hint is None and entity.parent in domain.entities:
        return inherited(domain, domain.entities[entity.parent], name)
    return hint.value if hint is not None and isinstance(hint.value, Moment) else None


@pytest.mark.parametrize(("domain", "title"), BELONGS)
def test_parts_show_what_they_belong_to(domain: str, title: str) -> None:
    """Without it, a barn would hold the cows of several farms."""
    source, kind, target = title.split()
    whole = subdomain(TAXONOMY, domain)
    seen = 0
    for level, seed in product((3, 4, 5), range(6)):
        made = blueprint(whole, level, Random(seed))
        if {source, target} <= {entity.name for entity in made.entities}:
            seen += 1
            assert (source, kind, target) in {(r.source, r.type, r.target) for r in made.relations}
    assert seen


def test_farmers_are_of_age_when_they_begin() -> None:
    for domain in ("agriculture/dairy-farming", "agriculture/crop-farming"):
        whole = subdomain(TAXONOMY, domain)
        runs = next(r for r in whole.relations if r.type == "RUN_BY" and r.target == "farmer")
        since = next(hint.value for hint in runs.properties if hint.name == "since")
        assert isinstance(since, Moment)
        assert since.first - moment(domain, "farmer", "birth_date").last >= 25


def test_cover_begins_before_accidents() -> None:
    domain = "insurance/motor-insurance"
    first = moment(domain, "accident", "happened_at").first
    assert moment(domain, "policy", "starts_on").last < first


def test_public_contracts_are_over() -> None:
    """What is paid and done agree: 60 days to bid, 150 to sign, 400 to be paid."""
    domain = "government/public-procurement"
    bid, last = moment(domain, "tender", "deadline"), moment(domain, "tender", "published_on").last
    assert last + (bid.gap[1] + 150 + 400) / 365 < 2025


def test_courses_are_open_to_whoever_sits_exams() -> None:
    whole = subdomain(TAXONOMY, "education/university")
    assert whole.entities["class_group"].property("year") is None
    levels = set(whole.rows["courses"].column("level"))
    assert levels == {"introductory", "intermediate", "advanced", "master"}


def test_nobody_is_hired_as_a_child() -> None:
    seen = 0
    for domain in TAXONOMY:
        for entity in domain.entities.values():
            born = inherited(domain, entity, "birth_date")
            hired = inherited(domain, entity, "hired_on")
            if born is None or hired is None or hired.after:
                continue
            seen += 1
            assert hired.first - born.last >= 20, (domain.name, entity.name)
    assert seen
