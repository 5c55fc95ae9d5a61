"""Shipped sub-domains: what stays in one place, house or network, comes once, or has its cause."""

from __future__ import annotations

from random import Random

import pytest

from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.spec import Annuity, Edges
from generators.taxonomy.load import subdomain
from generators.taxonomy.model import Made
from schemagraph.model import EdgeType
from tests.generators.taxonomy.shipped import TAXONOMY, of_edge, relation, value


@pytest.mark.parametrize(
    ("domain", "title", "ours", "theirs"),
    [
        (
            "agriculture/dairy-farming",
            "milking DONE_IN milking_parlour",
            "OF_COW.KEPT_ON.holding_no",
            "ON_FARM.holding_no",
        ),
        (
            "agriculture/crop-farming",
            "treatment DONE_BY farmer",
            "FOR_PLANTING.ON_FIELD.BELONGS_TO.RUN_BY.farmer_no",
            "farmer_no",
        ),
        (
            "agriculture/crop-farming",
            "harvest DONE_WITH farm_machine",
            "OF_PLANTING.ON_FIELD.BELONGS_TO.holding_no",
            "OWNED_BY.holding_no",
        ),
        (
            "logistics/warehouse-operations",
            "stock_unit STORED_ON storage_place",
            "ARRIVED_WITH.UNLOADED_AT.BELONGS_TO.site_code",
            "IN_ZONE.PART_OF.site_code",
        ),
        (
            "logistics/warehouse-operations",
            "pick_order LOADED_AT gate",
            "PICKED_BY.WORKS_IN.PART_OF.site_code",
            "BELONGS_TO.site_code",
        ),
        (
            "logistics/parcel-delivery",
            "parcel DEPOSITED_IN parcel_locker",
            "ADDRESSED_TO.LIVES_IN.name",
            "LOCATED_IN.name",
        ),
        (
            "logistics/fleet-management",
            "driver REPLACES driver",
            "BASED_AT.depot_code",
            "BASED_AT.depot_code",
        ),
        (
            "healthcare/infection-tracing",
            "case_person VISITED contact_place",
            "LIVES_IN.name",
            "LOCATED_IN.name",
        ),
        (
            "healthcare/infection-tracing",
            "case_person TREATED_AT hospital",
            "LIVES_IN.name",
            "LOCATED_IN.name",
        ),
        (
            "real-estate/property-sales",
            "property_listing PUBLISHED_BY agent",
            "FOR_UNIT.PART_OF.IN_DISTRICT.PART_OF.name",
            "WORKS_FOR.LOCATED_IN.name",
        ),
        (
            "technology/software-development",
            "pull_request CLOSES issue",
            "INCLUDES.IN_REPOSITORY.name",
            "FILED_IN.name",
        ),
        (
            "sports/fitness-clubs",
            "gym_member REFERRED gym_member",
            "MEMBER_OF.studio_no",
            "MEMBER_OF.studio_no",
        ),
    ],
)
def test_both_ends_are_of_one_place_or_house(
    domain: str, title: str, ours: str, theirs: str
) -> None:
    assert (ours, theirs) in relation(domain, title).via


@pytest.mark.parametrize(
    ("domain", "title", "once"),
    [
        ("legal/court-cases", "lawyer REPRESENTS party", ("PARTY_TO",)),  # not both sides
        ("sports/football", "match AWAY_TEAM club", ("HOME_TEAM",)),
        ("government/public-procurement", "bid SUBMITTED_BY company", ("FOR_TENDER",)),
        ("education/online-learning", "certificate FOR_COURSE online_course", ("AWARDED_TO",)),
        ("travel/restaurants", "review WRITTEN_BY diner", ("OF_RESTAURANT",)),
        ("media/film-and-television", "review WRITTEN_BY user", ("OF_FILM",)),
        ("media/social-network", "report FILED_BY member", ("ABOUT_POST",)),
        ("technology/it-helpdesk", "licence USED_BY employee", ("FOR_SOFTWARE",)),
        (
            "technology/cloud-operations",
            "cost_record FOR_SERVICE service",
            ("billing_month", "resource_type"),
        ),
    ],
)
def test_what_comes_once(domain: str, title: str, once: tuple[str, ...]) -> None:
    assert relation(domain, title).once == once


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("sports/football", "match AWAY_TEAM club"),
        ("energy/ev-charging", "charging_session CHARGED electric_car"),
        ("logistics/ocean-freight", "booking INCLUDES container"),
        ("travel/hotels", "reservation FOR_ROOM room"),
        ("travel/restaurants", "table_booking MADE_BY diner"),
        ("technology/cloud-operations", "on_call_shift COVERED_BY developer"),
        ("government/criminal-investigation", "interview OF_SUSPECT suspect"),
        ("life-sciences/biodiversity", "observation MADE_BY observer"),
    ],
)
def test_nobody_is_at_two_places_at_once(domain: str, title: str) -> None:
    assert relation(domain, title).alone


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("retail/fashion", "factory SUBCONTRACTS_TO factory"),
        ("finance/consumer-lending", "applicant REFERRED_BY applicant"),
        ("agriculture/food-traceability", "farm SUPPLIES_FARM farm"),
        ("legal/court-cases", "party SUED party"),
    ],
)
def test_neither_of_two_does_it_for_the_other(domain: str, title: str) -> None:
    assert relation(domain, title).role == "hierarchy"


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("finance/consumer-lending", "loan", "monthly_instalment"),
        ("finance/retail-banking", "loan", "monthly_payment"),
    ],
)
def test_loans_are_paid_back_with_their_interest(domain: str, entity: str, name: str) -> None:
    made = value(domain, entity, name)
    assert isinstance(made, Made)
    assert made.how == "annuity"


def proposals(domain: str, *, level: int = 4) -> list[SchemaProposal]:
    request = SchemaRequest(subdomain(TAXONOMY, domain), level)
    return [next(RuleSchemaAuthor().generate(request, Random(seed))) for seed in range(12)]


def joined(made: SchemaProposal, domain: str, title: str) -> list[tuple[EdgeType, Edges]]:
    """The edge types of a relation, by what they say, which is the same in either direction."""
    wording = relation(domain, title).wording
    return [
        (edge, made.specification.edges[edge.name])
        for edge in made.schema.edges
        if wording.active in edge.note
    ]


def test_claims_are_of_trains_that_were_late() -> None:
    domain, title = "travel/rail-travel", "compensation_claim FOR_TICKET ticket"
    chosen = [
        end.prefer
        for made in proposals(domain)
        for edge, part in joined(made, domain, title)
        if {"claim", "ticket"} <= set(edge.name.lower().replace("railticket", "ticket").split("-"))
        or "Claim" in edge.name
        for end in (part.source, part.target)
        if end.prefer is not None
    ]
    late = [prefer for prefer in chosen if prefer.values == ("over an hour late",)]
    assert len(late) > 2
    assert all(prefer.share == 1 and "." in prefer.column for prefer in late)


def test_rivals_are_of_one_town() -> None:
    domain, title = "sports/football", "club RIVAL_OF club"
    assert relation(domain, title).match == (("town", "town"),)


def test_disruptions_delay_trains_by_what_they_are_late() -> None:
    minutes = of_edge("disruption DELAYED train_run", "travel/rail-travel", "minutes")
    assert minutes.of == "target.delay_minutes"  # type: ignore[union-attr]  # a fraction


def test_a_house_has_its_people_from_its_town() -> None:
    """A schema without the hospital is of one: who is treated or works there lives near it."""
    domain = "healthcare/hospital-care"
    shares: dict[str, set[float]] = {"patient": set(), "physician": set()}
    for made in proposals(domain):
        if any(
            "beds" in node.properties and "Hospital" in name
            for name, node in made.specification.nodes.items()
        ):
            continue
        for edge in made.schema.edges:
            prefer = made.specification.edges[edge.name].target.prefer
            if prefer is not None and prefer.column.lower().endswith("name"):
                who = "patient" if "Patient" in edge.source else "physician"
                if edge.target in ("City", "Town") and "LIVES" in edge.name.upper():
                    shares[who].add(prefer.share)
    assert shares == {"patient": {0.9}, "physician": {1.0}}


def test_instalments_are_those_of_their_loan() -> None:
    domain = "finance/consumer-lending"
    found = 0
    for made in proposals(domain):
        for node in made.specification.nodes.values():
            for column in node.properties.values():
                found += isinstance(column.of, Annuity)
    assert found > 3
