"""Shipped sub-domains: rows that blind readers called implausible, by what made them so."""

from __future__ import annotations

from math import pi

import pytest

from generators.taxonomy.load import subdomain
from generators.taxonomy.model import By, Number
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


def test_rotors_take_the_rated_power_from_the_wind() -> None:
    """390 watts per square metre are what the curve of the load takes from the wind."""
    models = subdomain(TAXONOMY, "energy/wind-farms").rows["turbine_models"]
    rated, rotors = models.column("rated_power_kw"), models.column("rotor_diameter_m")
    for kilowatts, diameter in zip(rated, rotors, strict=True):
        area = pi * (float(diameter) / 2) ** 2
        assert 365 <= 1000 * float(kilowatts) / area <= 410, (kilowatts, diameter)


def test_crews_are_of_no_two_employers() -> None:
    employed = relation("energy/wind-farms", "technician EMPLOYED_BY utility")
    assert employed.unless == "service_visit"


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("healthcare/clinical-trials", "arm", "opened_on"),  # before the first site
        ("agriculture/food-traceability", "raw_delivery", "kilograms"),  # of many batches
        ("healthcare/infection-tracing", "contact_place", "is_indoor"),  # a hall is
        ("legal/court-cases", "cost_order", "loser_share"),  # of a case without judgment
    ],
)
def test_nothing_is_said_that_others_belie(domain: str, entity: str, name: str) -> None:
    assert subdomain(TAXONOMY, domain).entities[entity].property(name) is None


@pytest.mark.parametrize(
    ("domain", "source", "kind"),
    [
        ("education/research-publications", "author", "COAUTHOR_OF"),  # the papers tell
        ("travel/hotels", "housekeeper", "WORKS_IN"),  # one department of several hotels
    ],
)
def test_no_relation_says_otherwise_than_its_neighbours(
    domain: str, source: str, kind: str
) -> None:
    among = subdomain(TAXONOMY, domain).relations
    assert not [r for r in among if (r.source, r.type) == (source, kind)]


def test_variants_are_called_of_samples_with_much_virus() -> None:
    positive = cases("healthcare/infection-tracing", "sample", "ct_value")["positive"]
    assert bounds(positive)[1] <= 30


def test_contacts_are_isolated_at_once_and_no_longer_after_the_winter_of_2022() -> None:
    domain = "healthcare/infection-tracing"
    ordered = moment(value(domain, "quarantine_order", "issued_on"))
    assert ordered.last == moment(value(domain, "case_person", "symptom_onset")).last == 2022
    assert max(ordered.busy) <= 3
    within = relation(domain, "quarantine_order FOR_CONTACT contact_person").within
    assert within is not None
    assert within <= 3


@pytest.mark.parametrize(
    ("entity", "name"), [("hearing", "held_at"), ("judgment", "pronounced_on")]
)
def test_courts_do_not_sit_between_the_years(entity: str, name: str) -> None:
    sat = moment(value("legal/court-cases", entity, name))
    assert not {1, 12} & set(sat.busy)


def test_labour_courts_apply_no_law_of_property() -> None:
    applied = pairs("legal/court-cases", "judgment APPLIES statute", "IN_CASE.area")
    assert applied["labour"] == ("general part", "obligations")
    assert "property" not in applied["tort"]


@pytest.mark.parametrize(
    ("domain", "who", "same"),
    [
        ("travel/hotels", "housekeeper", "WORKS_AT.hotel_no"),
        ("retail/grocery-stores", "cashier", "WORKS_AT.store_no"),
        ("sports/fitness-clubs", "personal_trainer", "WORKS_AT.studio_no"),
        ("energy/power-grid", "technician", "EMPLOYED_BY.operator_code"),
        ("energy/wind-farms", "technician", "EMPLOYED_BY.operator_code"),
        ("logistics/parcel-delivery", "driver", "EMPLOYED_BY.carrier_code"),
        ("travel/air-travel", "crew_member", "EMPLOYED_BY.airline_code"),
        ("government/criminal-investigation", "official", "WORKS_FOR.authority_no"),
    ],
)
def test_people_report_within_their_employer(domain: str, who: str, same: str) -> None:
    assert (same, same) in relation(domain, f"{who} REPORTS_TO {who}").via


def test_hotels_have_no_more_housekeepers_than_rooms_to_clean() -> None:
    domain = "travel/hotels"
    staff, rooms = (
        relation(domain, title).incoming.parameters
        for title in ("housekeeper WORKS_AT hotel", "room IN_HOTEL hotel")
    )
    assert 2 * staff[-1] < rooms[0]
    among = subdomain(TAXONOMY, domain).entities
    assert 4 * among["housekeeper"].share < among["room"].share


def test_suites_take_longer_to_clean_than_single_rooms() -> None:
    minutes = of_edge("housekeeper CLEANED room", "travel/hotels", "minutes")
    assert isinstance(minutes, By)
    assert minutes.otherwise is not None
    small, large = bounds(minutes.cases[0][1]), bounds(minutes.otherwise)
    assert small[1] < large[0]


def test_who_supplies_households_runs_no_transmission_grid() -> None:
    runs = pairs("energy/power-grid", "substation OPERATED_BY utility", "voltage_kv")
    assert runs == {"220": (), "380": ()}


@pytest.mark.parametrize(
    ("domain", "title", "first", "then"),
    [
        ("retail/e-commerce", "customer REFERRED customer", "source", "target"),
        ("sports/fitness-clubs", "gym_member REFERRED gym_member", "source", "target"),
        ("energy/ev-charging", "ev_driver REFERRED ev_driver", "source", "target"),
        ("education/online-learning", "learner INVITED learner", "source", "target"),
        (
            "telecommunications/customer-contracts",
            "subscriber RECOMMENDED subscriber",
            "source",
            "target",
        ),
        (
            "insurance/life-insurance",
            "insurance_agent RECRUITED_BY insurance_agent",
            "target",
            "source",
        ),
    ],
)
def test_who_brings_others_was_there_first(domain: str, title: str, first: str, then: str) -> None:
    ((one, other),) = relation(domain, title).order
    assert one.startswith(f"{first}.")
    assert other.startswith(f"{then}.")


def test_data_sets_are_derived_from_older_ones() -> None:
    derived = relation("education/research-publications", "data_set DERIVED_FROM data_set")
    assert derived.order == (("target.deposited_on", "source.deposited_on"),)


@pytest.mark.parametrize(
    ("domain", "title", "way"),
    [
        ("agriculture/dairy-farming", "cow DAUGHTER_OF cow", "KEPT_ON.holding_no"),
        ("energy/ev-charging", "charging_session STARTED_WITH charging_card", "CHARGED.OWNS"),
        ("energy/ev-charging", "charging_session BILLED_UNDER price_plan", "STARTED_WITH.ISSUED"),
        ("energy/ev-charging", "ev_driver FAVOURS charging_site", "LIVES_IN.name"),
        ("finance/anti-money-laundering", "alert CONCERNS account", "RAISED_ON.SENT"),
        ("finance/consumer-lending", "loan GRANTED_BY bank", "RESULT_OF.RECEIVED_AT"),
        ("finance/payment-fraud", "card SHIPPED_TO address", "HOLDS.LIVES_AT"),
        (
            "government/public-procurement",
            "award_contract FUNDED_FROM budget_line",
            "RESULT_OF.PUBLISHED_BY",
        ),
        (
            "government/public-procurement",
            "award_contract SIGNED_BY official",
            "RESULT_OF.PUBLISHED_BY",
        ),
        ("government/tax-administration", "tax_return HANDLED_BY official", "FILED.ASSESSED_AT"),
        ("healthcare/clinical-trials", "site LOCATED_IN city", "HOSTED_BY.LOCATED_IN"),
        ("healthcare/clinical-trials", "physician LIVES_IN city", "WORKS_AT.LOCATED_IN"),
    ],
)
def test_two_ways_lead_to_the_same(domain: str, title: str, way: str) -> None:
    assert any(ours.startswith(way) for ours, _ in relation(domain, title).via)


@pytest.mark.parametrize(
    ("title", "path"),
    [
        ("insemination WITH_BULL bull", "OF_COW.SIRED_BY"),
        ("cow SIRED_BY bull", "DAUGHTER_OF.SIRED_BY"),
    ],
)
def test_no_bull_sires_calves_of_its_daughters(title: str, path: str) -> None:
    assert relation("agriculture/dairy-farming", title).apart == (path,)


def test_farmers_live_where_their_farm_is() -> None:
    assert relation("agriculture/crop-farming", "farmer LIVES_IN city").unless == "farm"


def test_crops_of_spring_ripen_until_late_august() -> None:
    """In Italy and Spain they are cut in June."""
    homes = set(subdomain(TAXONOMY, "agriculture/crop-farming").homes)
    assert homes == {"Germany", "Poland", "United Kingdom"}


def test_an_alert_is_raised_on_one_transfer_below_the_limit() -> None:
    domain = "finance/anti-money-laundering"
    assert relation(domain, "alert RAISED_ON transaction").many == "n:1"
    amount = value(domain, "transaction", "amount")
    assert isinstance(amount, By)
    assert amount.otherwise is not None
    assert bounds(amount.otherwise)[1] < 10_000


def test_devices_of_a_bank_are_seen_when_their_customers_are_there() -> None:
    domain = "finance/anti-money-laundering"
    opened = moment(value(domain, "account", "opened_on"))
    assert opened.last < moment(value(domain, "device", "first_seen")).first


def test_cows_are_in_their_barn_before_they_are_milked() -> None:
    domain = "agriculture/dairy-farming"
    born = moment(value(domain, "cow", "born_on")).last
    assert born + 1000 / 365 < moment(value(domain, "milking", "milked_at")).first


def test_memes_have_more_coins_than_are_moved() -> None:
    supply = cases("finance/crypto-assets", "token", "total_supply")["meme"]
    assert isinstance(supply, Number)
    assert min(supply.parameters) >= 10**10


def test_orders_are_executed_while_exchanges_are_open() -> None:
    """Sixteen hours is when those of New York close, and before London's do."""
    domain = "finance/securities-trading"
    placed = moment(value(domain, "order", "placed_at"))
    assert placed.hours == (10, 14)


def test_trainers_were_there_long_before() -> None:
    trained = relation("energy/wind-farms", "technician TRAINED_BY technician")
    assert ("target.hired_on", "source.hired_on") in trained.order
    assert trained.gap >= 365


def test_each_wind_farm_has_its_own_mast() -> None:
    assert relation("energy/wind-farms", "wind_farm NEAR weather_station").many == "1:1"


def test_transmission_lines_are_longer_than_those_of_a_town() -> None:
    lengths = cases("energy/power-grid", "power_line", "length_km")
    assert bounds(lengths["380"])[0] >= 15


def test_private_hospitals_are_small() -> None:
    for domain in ("healthcare/clinical-trials", "healthcare/hospital-care"):
        assert bounds(cases(domain, "hospital", "beds")["private"])[1] <= 300


def test_drugs_that_are_given_are_no_allergens() -> None:
    rows = subdomain(TAXONOMY, "healthcare/hospital-care").rows
    assert not set(rows["allergens"].column("substance")) & {
        "penicillin",
        "aspirin",
        "ibuprofen",
    }


def test_hours_of_a_course_stand_where_its_lessons_do_not() -> None:
    course = subdomain(TAXONOMY, "education/online-learning").entities["online_course"]
    hours = course.property("hours")
    assert hours is not None
    assert "HAS_LESSON" in hours.without


def test_topics_have_one_committee() -> None:
    domain = "government/parliament"
    among = pairs(domain, "bill REFERRED_TO committee", "topic")
    assert {topic: names for topic, names in among.items() if len(names) > 1} == {}
    petitions = pairs(domain, "petition HANDLED_BY committee", "subject")
    assert petitions == among


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("agriculture/dairy-farming", "milking_parlour", "installed_on"),
        ("agriculture/food-traceability", "food_inspector", "hired_on"),
        ("education/research-publications", "patent", "filed_on"),
        ("energy/power-grid", "smart_meter", "installed_on"),
        ("energy/wind-farms", "lease", "signed_on"),
        ("healthcare/hospital-care", "nurse", "hired_on"),
    ],
)
def test_offices_and_fitters_work_on_workdays(domain: str, entity: str, name: str) -> None:
    assert moment(value(domain, entity, name)).workdays


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("energy/power-grid", "work_order", "finished_on"),
        ("finance/retail-banking", "complaint", "resolved_on"),
    ],
)
def test_what_was_planned_or_asked_years_ago_is_done(domain: str, entity: str, name: str) -> None:
    hint = subdomain(TAXONOMY, domain).entities[entity].property(name)
    assert hint is not None
    assert not hint.null


@pytest.mark.parametrize(
    ("domain", "title", "days"),
    [
        # a call about a bill before the first bill
        ("telecommunications/customer-contracts", "service_call CONCERNED contract", 32),
        ("telecommunications/customer-contracts", "complaint ABOUT_CONTRACT contract", 32),
        # roof tiles on the first day of a site
        ("real-estate/construction-projects", "material_delivery TO_PROJECT project", 40),
    ],
)
def test_what_follows_from_a_begin_comes_days_after_it(domain: str, title: str, days: int) -> None:
    anchor = relation(domain, title).anchor
    assert anchor is not None
    assert anchor.gap is not None
    assert anchor.gap[0] >= days


def test_nobody_reports_a_post_of_their_own() -> None:
    report = relation("media/social-network", "report FILED_BY member")
    assert report.apart == ("ABOUT_POST.WRITTEN_BY",)


@pytest.mark.parametrize(
    ("domain", "title", "ours", "theirs"),
    [
        # an accident's car is its driver's, and the claim is under the policy of that car
        ("insurance/motor-insurance", "accident CAUSED_WITH vehicle",
         "CAUSED_BY.DRIVES.vehicle_no", "vehicle_no"),
        ("insurance/motor-insurance", "claim FILED_UNDER policy",
         "RESULTS_FROM.CAUSED_WITH.vehicle_no", "INSURES.vehicle_no"),
        ("legal/patents", "licence GRANTED_BY applicant",
         "FOR_PATENT.OWNED_BY.applicant_no", "applicant_no"),
        ("legal/court-cases", "expert TESTIFIED_IN hearing",
         "APPOINTED_BY.court_no", "LED_BY.WORKS_AT.court_no"),
        ("logistics/fleet-management", "trip DRIVEN_BY driver",
         "MADE_WITH.OWNED_BY.carrier_code", "EMPLOYED_BY.carrier_code"),
        ("logistics/fleet-management", "driver DRIVES vehicle",
         "EMPLOYED_BY.carrier_code", "OWNED_BY.carrier_code"),
        ("manufacturing/quality-management", "operator QUALIFIED_FOR machine",
         "WORKS_AT.plant_code", "LOCATED_IN.plant_code"),
    ],
)  # fmt: skip
def test_what_two_neighbours_share_is_one(domain: str, title: str, ours: str, theirs: str) -> None:
    assert (ours, theirs) in relation(domain, title).via


def test_who_opposes_a_patent_or_is_licensed_does_not_own_it() -> None:
    domain = "legal/patents"
    assert relation(domain, "patent OWNED_BY applicant").many == "n:1"
    assert relation(domain, "opposition FILED_BY applicant").apart == ("AGAINST.OWNED_BY",)
    assert relation(domain, "licence GRANTED_TO applicant").apart == ("GRANTED_BY",)


def test_lines_stand_in_one_plant() -> None:
    assert relation("manufacturing/production-planning", "production_line IN_PLANT plant").always


def test_courts_are_in_cities_of_their_country() -> None:
    assert relation("legal/court-cases", "court LOCATED_IN city").home


def test_hearings_are_over_before_the_judgment() -> None:
    domain = "legal/court-cases"
    held = relation(domain, "hearing OF_CASE court_case").anchor
    given = relation(domain, "judgment IN_CASE court_case").anchor
    assert held is not None
    assert given is not None
    assert held.gap is not None
    assert given.gap is not None
    holidays = 62  # a hearing of December is moved to February
    assert held.gap[1] + holidays < given.gap[0]


def test_nobody_goes_out_after_the_swab() -> None:
    onset = moment(value("healthcare/infection-tracing", "case_person", "symptom_onset"))
    title = "case_person VISITED contact_place"
    assert onset.workdays
    assert not moment(of_edge(title, "healthcare/infection-tracing", "arrived_at")).workdays


def test_cameras_stand_before_they_see() -> None:
    domain = "life-sciences/biodiversity"
    seen = moment(value(domain, "observation", "observed_at"))
    assert moment(value(domain, "camera_trap", "installed_on")).last < seen.first


def test_animals_of_the_night_are_seen_by_day_as_tracks_alone() -> None:
    seen = pairs("life-sciences/biodiversity", "observation OF_SPECIES species", "method")
    by_night = {"hedgehog", "raccoon", "Eurasian beaver", "Eurasian otter"}
    assert by_night.isdisjoint({*seen["sighting"], *seen["camera trap"]})
    assert by_night <= set(seen["track"])


def test_losses_of_a_catastrophe_burden_the_lowest_layer_of_a_treaty_of_property() -> None:
    hits = relation("insurance/reinsurance", "loss_notice HITS layer")
    barred = {fit.theirs: {value for value, _ in fit.pairs} for fit in hits.fits if fit.back}
    assert barred["position"] >= {str(level) for level in range(2, 10)}
    assert barred["HAS_LAYER.line_of_business"] == {
        "cyber", "liability", "aviation", "marine", "motor",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("domain", "title", "ours", "theirs"),
    [
        (
            "travel/hotels",
            "stay IN_ROOM room",
            "RESULTS_FROM.FOR_ROOM.room_code",
            "room_code",
        ),
        ("travel/restaurants", "courier WORKS_IN city", "LIVES_AT.IN_CITY.name", "name"),
        (
            "travel/restaurants",
            "table_booking MADE_BY diner",
            "AT.LOCATED_IN.name",
            "LIVES_IN.name",
        ),
    ],
)
def test_two_paths_lead_to_one_place(domain: str, title: str, ours: str, theirs: str) -> None:
    assert (ours, theirs) in relation(domain, title).via


@pytest.mark.parametrize(
    ("domain", "person"),
    [
        ("retail/grocery-stores", "employee"),
        ("travel/hotels", "employee"),
        ("sports/football", "player"),
    ],
)
def test_who_leads_a_house_has_no_home_in_another_town(domain: str, person: str) -> None:
    homes = [
        each.type
        for each in subdomain(TAXONOMY, domain).relations
        if each.target == "city" and each.source in (person, "person")
    ]
    assert "LIVES_IN" not in homes


@pytest.mark.parametrize(
    ("domain", "title"),
    [
        ("real-estate/facility-management", "building OWNED_BY owner"),
        ("real-estate/construction-projects", "building OWNED_BY owner"),
    ],
)
def test_who_lets_or_extends_a_building_owns_it_alone(domain: str, title: str) -> None:
    assert relation(domain, title).many == "n:1"


def test_nobody_rates_an_order_in_dispute() -> None:
    over = relation("retail/online-marketplace", "dispute OVER marketplace_order")
    assert over.only == ("status", ("disputed",))


@pytest.mark.parametrize(
    ("domain", "title", "most"),
    [
        ("real-estate/property-sales", "sale TO_BUYER buyer", 1),
        ("travel/rail-travel", "track_section FROM_STATION station", 2),  # a local one
        ("travel/air-travel", "bag LOADED_ON flight", 3),  # no more bags than bookings
        ("retail/grocery-stores", "receipt LISTS grocery_product", 12),  # no product on half of all
    ],
)
def test_hubs_are_no_larger_than_the_trade_has_them(domain: str, title: str, most: float) -> None:
    assert max(relation(domain, title).incoming.parameters) <= most


def test_couriers_deliver_one_order_at_a_time() -> None:
    assert relation("travel/restaurants", "food_order DELIVERED_BY courier").alone


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("retail/fashion", "factory", "last_audit"),
        ("sports/fitness-clubs", "visit", "checked_in_at"),
        ("telecommunications/customer-contracts", "sales_channel", "opened_on"),
        ("travel/restaurants", "restaurant", "opened_on"),
    ],
)
def test_houses_are_shut_on_holidays(domain: str, entity: str, name: str) -> None:
    given = moment(value(domain, entity, name))
    assert given.workdays or given.shopdays


@pytest.mark.parametrize(
    ("domain", "other"),
    [
        ("travel/restaurants", "Laboratory"),
        ("real-estate/facility-management", "Human Resources"),
        ("retail/online-marketplace", "Logistics"),
    ],
)
def test_departments_are_those_of_who_does_the_work(domain: str, other: str) -> None:
    assert other not in texts(subdomain(TAXONOMY, domain).lists["department_name"])


@pytest.mark.parametrize("domain", ["technology/cybersecurity", "technology/software-development"])
def test_numbers_of_vulnerabilities_grow_over_a_year(domain: str) -> None:
    given = value(domain, "vulnerability", "cve")
    assert isinstance(given, By)
    assert given.of == "published_on"


def test_small_repairs_cost_little_and_take_hours_by_their_cost() -> None:
    costs = cases("real-estate/facility-management", "work_order", "cost")
    assert bounds(costs["emergency light"])[1] <= 320
    hours = of_edge("work_order DONE_BY contractor", "real-estate/facility-management", "hours")
    assert "cost" in str(hours)


@pytest.mark.parametrize(
    ("domain", "entity", "name"),
    [
        ("logistics/parcel-delivery", "recipient", "notified_by"),  # by text, without a number
        ("finance/retail-banking", "complaint", "channel"),  # by e-mail, without an address
        ("telecommunications/mobile-network", "subscriber", "phone"),  # none of the SIM cards'
        ("legal/court-cases", "hearing", "is_public"),  # of a family
        ("retail/online-marketplace", "payout_account", "added_on"),  # years after the first sale
    ],
)
def test_what_needs_another_value_is_not_said(domain: str, entity: str, name: str) -> None:
    assert subdomain(TAXONOMY, domain).entities[entity].property(name) is None


def test_terminals_come_with_the_contract_and_cards_of_old_holders_are_renewed() -> None:
    domain = "finance/payment-fraud"
    contract = moment(value(domain, "merchant", "onboarded_on"))
    assert contract.last < moment(value(domain, "payment", "paid_at")).first
    assert relation(domain, "terminal INSTALLED_AT merchant").anchor is not None
    joined = moment(value(domain, "cardholder", "joined_on"))
    assert joined.last + 4 < moment(value(domain, "card", "issued_on")).first
    assert "7995" not in texts(value(domain, "merchant", "category_code"))  # chips are round sums
    opened = moment(value("finance/retail-banking", "account", "opened_on"))
    assert opened.last + 4 < moment(value("finance/retail-banking", "card", "issued_on")).first


def test_names_promise_nothing_of_sales_and_ratings() -> None:
    titles = " ".join(texts(value("retail/e-commerce", "catalogue_category", "title")))
    for word in ("Bestseller", "Top", "Popular", "Trending", "Favourite"):
        assert word not in titles


def test_hearings_end_in_the_afternoon() -> None:
    held = moment(value("legal/court-cases", "hearing", "held_at"))
    longest = bounds(value("legal/court-cases", "hearing", "minutes"))[1]
    assert held.hours is not None
    assert held.hours[1] * 60 + 45 + longest <= 16.5 * 60


def test_shops_are_scenes_of_what_happens_in_their_hours() -> None:
    domain = "government/criminal-investigation"
    assert pairs(domain, "crime_scene SCENE_OF crime_case", "scene_type")["shop"] == ("fraud",)
    hours = cases(domain, "crime_case", "offence")  # up to 18:00, and not before 9:00
    assert [upto for upto, of in hours.items() if "fraud" in texts(of)] == ["17:59"]
    assert list(hours).index("17:59") == list(hours).index("08:59") + 1


def test_cows_are_milked_long_before_they_calve_again() -> None:
    served = moment(value("agriculture/dairy-farming", "insemination", "inseminated_on"))
    assert served.first == served.last == 2025
    assert min(served.busy) >= 6
    assert served.only


def test_incidents_are_declared_within_a_day_of_their_alerts() -> None:
    domain = "technology/cybersecurity"
    assert relation(domain, "incident GROUPS security_alert").within == 1
    for title in ("RAISED_ON workstation", "CONCERNS user_account"):
        assert relation(domain, f"security_alert {title}").incoming.parameters[-1] <= 9


def test_cells_have_no_counts_of_handovers_and_bookings_no_weekday_of_a_class() -> None:
    domain = "telecommunications/mobile-network"
    assert not relation(domain, "cell HANDS_OVER_TO cell").properties
    booked = relation("sports/fitness-clubs", "gym_member BOOKED gym_class")
    assert [p.name for p in booked.properties] == ["booked_on"]
