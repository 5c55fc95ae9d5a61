"""Names of numbers: the units that they end in, sums, rates, limits; each rule reads one form."""

from __future__ import annotations

from dataclasses import replace

from lemminflect import getAllLemmas

from generators.questions.lexicon.derive.clear import is_clear
from generators.questions.lexicon.derive.data import heads, kind_of
from generators.questions.lexicon.derive.measures import (
    ENERGIES,
    amount,
    is_countable,
    missing_quantity,
)
from generators.questions.lexicon.derive.property_words import (
    ADJECTIVE_END,
    PropertyName,
    PropertyWords,
    surely_done,
)
from generators.questions.lexicon.model import ThingKind
from graphmill.english.inflection import is_plural, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.spoken import split
from graphmill.english.verbs import by_base, by_past
from schemagraph.model import NUMERIC, Kind

_EACH = {"hour": "hourly", "day": "daily", "week": "weekly", "month": "monthly", "year": "annual"}
_HOURS = frozenset({"hr", "hrs", "hours"})  # beside what is paid
_PAID = word_set("sums") | {"charge", "pay", "rate", "salary", "stipend", "tariff", "wage"}
_FAST = frozenset({"gust", "speed", "velocity", "wind"})
_FOUND = frozenset({"estimated", "measured", "observed", "planned", "recorded"})
_SPANS = frozenset({"days", "hours", "minutes", "seconds"})
_AMOUNTS = frozenset({"count", "duration", "measure", "money", "rating", "share", "time"})
_TIMES = _SPANS | {"weeks", "months", "years"}
_OVERALL = word_set("qualifiers") | {"gross", "net", "total"}
_ENERGETIC = frozenset({"consumption", "demand", "generation", "output", "production"})
_EXTREMES = (["minimum"], ["maximum"], ["mean"], ["average"])
_RHYTHMS = frozenset(_EACH.values()) | {"nightly", "quarterly", "yearly"}
_DEEDS = ("ing", "ment", "sion", "tion")
_STANDING = (ThingKind.PERSON, ThingKind.PRODUCT, ThingKind.VEHICLE, ThingKind.ANIMAL)
_PAYERS = {(kind, "kind-noun") for kind in (ThingKind.PERSON, ThingKind.ORGANISATION)}
_WHENCE = {(kind, "kind-noun") for kind in (ThingKind.PLACE, ThingKind.ORGANISATION)}
_CHARGED = frozenset({"billed", "charged", "invoiced", "refunded", "reimbursed"})
_FED = frozenset({"kcal", "kJ"})
_MASSES = frozenset({"g", "kg", "tonnes"})
_PORTIONED = frozenset({"g", "kg", "ml", "litres"})
_CUT = frozenset({"cm", "feet", "m²", "metres", "yards"})
_SQUARES = {"km": "km²", "m": "m²", "cm": "cm²", "mi": "square miles", "ft": "square feet"}


def years_of(name: PropertyName) -> PropertyName | None:
    """experience_years"""
    spent = len(name.parts) == 2 and name.parts[0] in word_set("spent_years")
    if spent and name.last == "years" and name.numeric:
        return name.reworded("years", "of", name.parts[0])
    return None


def time_spent(name: PropertyName) -> PropertyWords | None:
    """minutes_spent"""
    first, *done = (part.lower() for part in name.parts)
    if first in _SPANS and len(done) == 1 and surely_done(done[0]) and name.numeric:
        return PropertyWords(f"time {done[0]}", name.kind, first)
    return None


def time_to_do(name: PropertyName) -> PropertyWords | None:
    """days_to_fix"""
    span, *deed = (part.lower() for part in name.parts)
    done = len(deed) == 2 and deed[0] == "to" and by_base(deed[1]) is not None
    if span in _TIMES and done and name.numeric:
        return PropertyWords(f"time to {deed[1]}", name.kind, span)
    return None


def rate_first(name: PropertyName) -> PropertyName | None:
    """stipend_monthly"""
    if len(name.parts) > 1 and name.parts[-1] in _EACH.values() and name.numeric:
        return name.reworded(name.parts[-1], *name.parts[:-1])
    return None


def adjective_last(name: PropertyName) -> PropertyName | None:
    """weight_gross, arrival_actual"""
    if name.kind is Kind.BOOLEAN or split(name.text)[-1].lower() == "min":
        return None
    parts = _turned(name.parts)
    return name.reworded(*parts) if parts != name.parts else None


def _turned(parts: list[str], *, in_unit: bool = False) -> list[str]:
    """Words with the adjective behind their noun before it; `in_unit`: a unit follows them."""
    if len(parts) < 2 or parts[-2] in word_set("prepositions"):
        return parts
    *before, last = parts
    noun = before[-1]
    measured = is_plural(noun) or (noun in word_set("measured_nouns") and last != "total")
    measured |= any(noun in head.words and head.role in _AMOUNTS for head in heads())
    measured |= in_unit and last in ("minimum", "maximum")
    measured |= in_unit and noun in _EACH and last in ("average", "mean")
    measured &= noun not in ("goal", "grade", "point", "run")  # grade point average
    behind = word_set("behind_nouns") | (word_set("behind_amounts") if measured else set())
    return [last, *before] if last in behind else parts


def per_minute(name: PropertyName) -> PropertyName | None:
    """fee_per_min"""
    if name.parts[-2:] == ["per", "minimum"]:
        return name.reworded(*name.parts[:-1], "minute")
    return None


def unit_alone(name: PropertyName) -> PropertyWords | None:
    """What a unit measures that is the whole name: the mileage of a car, in km."""
    unit = name.parts[0].lower()
    if len(name.parts) > 1 or not name.numeric or unit not in word_map("measured"):
        return None
    owner = name.own[-1] if name.own else ""
    bare = " ".join(name.own[:-1]) if owner in word_set("sorting") else name.owner
    if word_map("measured")[unit] == "duration" and kind_of(bare)[0] in _STANDING:
        return None  # the hours that a garment takes, or somebody has
    driven = unit in ("km", "miles") and kind_of(owner)[0] is ThingKind.VEHICLE
    noun = "mileage" if driven else word_map("measured")[unit]
    return PropertyWords(noun, name.kind, word_map("units").get(unit, unit))


def unit_last(name: PropertyName) -> PropertyName | None:
    """The unit that the last word names, and the words without it."""
    return _squared(name) or _lettered(name) or _measured(name)


def _squared(name: PropertyName) -> PropertyName | None:
    """area_km_2"""
    parts = name.parts
    if len(parts) > 2 and parts[-1] == "2" and parts[-2] in _SQUARES and name.numeric:
        return replace(name, unit=_SQUARES[parts[-2]], parts=parts[:-2])
    return None


def _lettered(name: PropertyName) -> PropertyName | None:
    """memory_in_G"""
    token = split(name.text)[-1]
    alone = len(token) == 1 and token.isupper() and not name.text.isupper()
    if alone and name.parts[-2:-1] == ["in"] and len(name.parts) > 2 and name.numeric:
        return replace(name, unit=token, parts=name.parts[:-2])
    return None


def _measured(name: PropertyName) -> PropertyName | None:
    """A unit or a scale in full or abbreviated: height_cm, revenue_million_usd."""
    if len(name.parts) < 2 or name.kind not in (*NUMERIC, Kind.ANY):
        return None
    last = split(name.text)[-1].lower()
    if last == "min" and name.last != "minimum":
        return None  # players_min, whose words are turned
    unit = word_map("scales").get(last) or word_map("units").get(last)
    unit = unit or _letter_of(last, _turned(name.parts[:-1], in_unit=True)[-1].lower())
    spans = word_set("periods") | word_set("spans_of_years") | {"valid"}
    if last == "years" and name.last_but_one in spans:
        unit = last  # other years are a number of them
    if not unit:
        return None
    expanded = len(word_map("abbreviations").get(last, last).split())
    unit, rest = _longer_unit(last, unit, name.parts[:-expanded])
    rest = _turned(rest, in_unit=True)  # altitude_max_m
    if len(last) == 1 and rest[-1] in word_set("sums"):
        return None  # fee_m, of which nobody knows what it is
    if len(rest) > 1 and rest[-1] == "metric":
        unit, rest = f"metric {unit}", rest[:-1]  # freight_metric_tonnes
    if len(rest) > 1 and rest[-1] == "in":
        rest = rest[:-1]
    if rest and rest[-1] in ("per", "of", "number"):
        return None  # number_of_weeks
    if last == "min":
        if not rest or rest[-1].lower() not in word_set("lasting_measures"):
            if name.kind is Kind.INTEGER and rest and not _is_amount(rest[-1].lower()):
                return name.reworded(*rest, last)  # so many minutes, or the least
            return name.reworded("minimum", *rest)  # temp_min
        rest = [*rest[:-1], "delay"] if rest[-1].lower() == "late" else rest
    return _quantified(replace(name, unit=unit, parts=rest), last) if rest else None


def _is_amount(noun: str) -> bool:
    """Whether a noun is of an amount that is none of time, or of many."""
    amounts = (head.words for head in heads() if head.role in _AMOUNTS - {"duration", "time"})
    return is_plural(noun) or noun in word_set("measured_nouns") or any(noun in w for w in amounts)


def _letter_of(last: str, before: str) -> str:
    """The unit of one letter that says what one is of that lasts, is held or weighs: lap_s, tank_l.

    Behind other words it is a letter: stock_s is of a size, eye_l the left one.
    """
    if last == "s":
        lasting = before in word_set("lasting_measures") | word_set("timed_things")
        return "seconds" * (lasting or before.endswith("ing") or before in word_set("times"))
    if last == "t":
        return "tonnes" * (before in word_set("tonnes_of"))
    liquid = before in word_set("vessels") | word_set("litres_of")
    return "litres" if last == "l" and liquid else ""


def _longer_unit(last: str, unit: str, rest: list[str]) -> tuple[str, list[str]]:
    """A unit that the words before its last belong to, and the words before it."""
    if last == "ms" and _FAST.intersection(rest):
        unit = "m/s"  # mean_wind_speed_ms
    scales = word_map("scales")
    if len(rest) > 1 and last not in scales and rest[-1] in scales:
        unit, rest = f"{scales[rest[-1]]} {unit}", rest[:-1]
    if rest[-1:] == ["square"]:
        unit, rest = f"square {unit}", rest[:-1] or ["area"]  # sq_ft
    return unit, rest


def _quantified(name: PropertyName, last: str) -> PropertyName | None:
    """A name without its unit, whose word is `last`, and with the quantity that it leaves out."""
    unit, rest = name.unit, name.parts
    low = rest[-1].lower()
    if low in _RHYTHMS:
        more = "amount" if unit in _MASSES else amount(last, unit)
        return name.reworded(*rest, more) if more else None  # weekly_hours
    lasts = word_map("lasting_deeds").get(low) if unit in _TIMES else None
    if lasts is not None:
        return name.reworded(*rest[:-1], *lasts.split()) if lasts else None
    if (unit in _PORTIONED and low in word_set("portions")) or (
        unit in _PORTIONED | _CUT and low in word_set("cloths")
    ):
        return name.reworded("amount", "of", *rest)  # rennet_ml, ribbon_m
    if low in word_set("nutrients"):
        if unit in _MASSES | {"mg"}:
            return name.reworded("amount", "of", *rest)
        if (unit == "percent" and low != "energy") or (unit in _FED and low == "energy"):
            return name.reworded(*rest, "content")  # protein_pct, energy_kcal
    if unit == "percent" and low in word_set("inclines"):
        return replace(name, parts=rest)  # the gradient, of so many percent
    if unit == "percent" and low in word_set("rated"):
        return name.reworded(*rest, "rate")  # coverage_pct
    if low == "calories" and unit == "kcal":
        return replace(name, unit="", parts=rest)
    own = name.owner.lower().removesuffix(" record").rpartition(" ")[2]
    if unit in ENERGIES and len(rest) == 1 and low in _OVERALL and own in _ENERGETIC:
        return name.reworded(low, own)  # the net generation
    more = missing_quantity(name.last, last, unit)
    if more == "time" and len(rest) == 1 and low in word_set("intended"):
        more = "duration"  # of what is planned, which has a time of day as well
    if more and more not in rest:  # temp_lab_c
        each = rest[:-1] in _EXTREMES and _EACH.get(low)  # week_max_c
        return name.reworded(*([each, *rest[:-1]] if each else rest), more)
    if rest[-1] == "valid" and unit in ("days", "weeks", "months", "years"):
        return name.reworded(*rest[:-1], "validity", "period")
    if len(rest) > 1 and surely_done(rest[-1]) and rest[-2] in word_set("litres_of"):
        measure = amount(last, unit)
        return name.reworded(*([measure, "of"] if measure else []), *rest)  # the water used
    if unit == "percent" and len(rest) > 1 and surely_done(rest[-1]):
        return replace(name, unit="", parts=["percentage", "of", *rest])  # the seats sold
    qualified = rest[-1] in word_set("adjectives") | word_set("qualifiers")
    if surely_done(rest[-1]) or qualified or _is_adjective(rest[-1]):
        more = amount(last, unit)
        if not more:
            return None
        return name if more in rest else name.reworded(*rest, more)  # the amount paid
    if unit in _TIMES and low.endswith(_DEEDS) and low not in word_set("lasting_measures"):
        return None  # registration_days
    if rest[-1] == "population" and unit == "percent":
        return name.reworded("share", "of", "the", *rest)  # blood types have no population
    if unit == "percent" and is_plural(rest[-1]):
        return replace(name, unit="", parts=[*rest, "percentage"])  # all_games_percent
    if unit == "percent" and rest[-1].endswith(("isation", "ization")):
        return name.reworded(*rest, "rate")  # fertilisation_pct
    return name


def _is_adjective(word: str) -> bool:
    """Whether a word ends as adjectives do and is no noun alone, as "salary" is."""
    known = getAllLemmas(word.lower())
    return bool(ADJECTIVE_END.search(word)) and ("ADJ" in known or not known)


def on_hand(name: PropertyName) -> PropertyName | None:
    """oh_qty"""
    if name.parts[:2] == ["on", "hand"] and len(name.parts) == 3:
        return name.reworded(name.parts[2], "on", "hand")
    return None


def amount_paid(name: PropertyName) -> PropertyWords | None:
    """The amount paid of a payment."""
    paid = name.parts == ["amount", "paid"] and name.own[-1:] == ["payment"]
    return name.called("amount") if paid else None


def sum_last(name: PropertyName) -> PropertyName | None:
    """deposit_returned, quantity_delivered; but a fee charged"""
    parts = name.parts
    if len(parts) != 2 or not name.numeric:
        return None
    if "charged" in parts:
        sums = {*parts} & word_set("sums")
        return name.reworded(sums.pop(), "charged") if sums else None
    done = surely_done(parts[1])
    if parts[0] == "quantity" and done is not None and done.base in word_set("handled"):
        return name.reworded(*parts[::-1])
    surveyed = parts[1] in _FOUND and not is_plural(parts[0])  # the recorded width
    paid = parts[0] in word_set("sums") and surely_done(parts[1])
    return name.reworded(*parts[::-1]) if paid or surveyed else None


def total_of_deed(name: PropertyName) -> PropertyWords | None:
    """total_donated, total_spent; of others nobody knows what there is so much of."""
    done = surely_done(name.last) if name.parts[0] == "total" and name.numeric else None
    if len(name.parts) != 2 or done is None or name.unit:
        return None
    paid = done.base in word_set("paying")
    if paid and done.event.endswith("tion"):
        return name.called(f"total {done.event}")
    return name.called(f"total amount {name.last}" if paid else f"“total {name.last}” value")


def either_of_two(name: PropertyName) -> PropertyWords | None:
    """rooms_beds"""
    first, last = name.last_but_one, name.last
    alone = word_set("plural_only") | word_set("modifiers") | word_set("uncounted")
    both = len(name.parts) > 1 and is_plural(first) and is_plural(last) and first not in alone
    counted = both and name.numeric and is_clear(first) and is_clear(last)
    summed = any({first, last} & head.words for head in heads() if head.role in ("money", "rating"))
    if not counted or summed or last == "points" or surely_done(last):
        return None
    return name.called(f"{' '.join(name.parts[:-1])} or {name.parts[-1]}")


def quantity_handled(name: PropertyName) -> PropertyWords | None:
    """qty_ship"""
    parts = name.parts
    if len(parts) != 2 or parts[0] != "quantity" or parts[1] not in word_set("handled"):
        return None
    verb = by_base(parts[1])
    return name.called(f"{verb.participle if verb else parts[1]} quantity")


def quantity_of_many(name: PropertyName) -> PropertyWords | None:
    """cases_qty, bed_qty"""
    *counted, last = name.parts
    if last != "quantity" or not counted or not name.numeric:
        return None
    if is_plural(counted[-1]):
        return name.called(f"number of {' '.join(counted)}")
    alone = len(counted) == 1 and is_countable(counted[0])
    return name.called(f"number of {plural(counted[0])}") if alone else None


def sum_of_each(name: PropertyName) -> PropertyName | None:
    """week_rent, wage_hr"""
    if len(name.parts) != 2 or not name.numeric:
        return None
    for span, paid in (name.parts, name.parts[::-1]):
        low = "hour" if span.lower() in _HOURS else span.lower()
        if paid in _PAID and low in _EACH and (low, paid) != ("day", "rate"):
            return name.reworded(_EACH[low], paid)
    return None


def payment_terms(name: PropertyName) -> PropertyWords | None:
    """PAY_TERMS, terms_days, credit_days, PAY_DAYS, which are days"""
    what, *rest = name.parts
    terms = rest == ["terms"] or (rest == ["days"] and what == "credit")
    terms = terms and what in ("payment", "credit")
    if name.parts in (["pay"], ["terms"], ["trade", "terms"]) and name.unit == "days":
        what, terms = "payment", True
    return PropertyWords(f"{what} period", name.kind, "days") if terms and name.numeric else None


def span_of_deed(name: PropertyName) -> PropertyWords | None:
    """inspection_months, service_months: every how many, or for how long, nobody knows"""
    *what, span = name.parts
    if not what or span not in ("weeks", "months", "years") or not name.numeric:
        return None
    low = what[-1].lower()
    known = word_set("periods") | word_set("spans_of_years") | word_set("lasting_measures")
    known |= {"contract", *word_map("lasting_deeds")}
    known |= word_set("spent_years") if span == "years" else frozenset()
    if low in known or (low != "service" and kind_of(low)[0] is not ThingKind.EVENT):
        return None
    return name.called(f"“{' '.join(name.parts)}” value")


def span_first(name: PropertyName) -> PropertyWords | None:
    """days_notice"""
    span, *rest = name.parts
    if span not in _TIMES or len(rest) != 1 or rest[0] not in word_set("periods"):
        return None
    return PropertyWords(f"{rest[0]} period", name.kind, span) if name.numeric else None


def paid_by(name: PropertyName) -> PropertyWords | None:
    """patient_paid, insurance_paid; who is billed, and by whom, nobody knows"""
    *payer, done = name.parts
    known = len(payer) in (1, 2) and kind_of(payer[-1]) in _PAYERS
    if not name.numeric or not (known or payer == ["insurance"]) or name.unit:
        return None
    if done == "paid":
        whom = "insurance" if payer == ["insurance"] else f"the {' '.join(payer)}"
        return name.called(f"amount paid by {whom}")
    return name.called(f"“{' '.join(name.parts)}” value") if done in _CHARGED else None


def distance_from(name: PropertyName) -> PropertyWords | None:
    """miles_from_depot, distance_to_school_km"""
    what, *rest = name.parts
    unit = name.unit or word_map("units").get(what, "")
    far = name.numeric and (what == "distance" or (not name.unit and unit in ("km", "miles")))
    if not far or len(rest) not in (2, 3) or rest[0] not in ("from", "to"):
        return None
    if kind_of(rest[-1]) not in _WHENCE:
        return None  # distance_from_previous
    return PropertyWords(f"distance from the {' '.join(rest[1:])}", name.kind, unit)


def capacity_in(name: PropertyName) -> PropertyWords | None:
    """capacity_packets"""
    first, *rest = name.parts
    if not (name.numeric and first == "capacity" and len(rest) == 1 and is_plural(rest[0])):
        return None
    return PropertyWords("capacity", name.kind, rest[0])


def sum_alone(name: PropertyName) -> PropertyName | None:
    """The annual premium, which is an amount."""
    parts = name.parts
    if len(parts) > 1 and parts[-1] == "amount" and parts[-2] in word_set("sums"):
        return name.reworded(*parts[:-1])
    return None


def paid_to_date(name: PropertyName) -> PropertyWords | None:
    """paid_to_date"""
    parts = name.parts
    if len(parts) > 2 and parts[-2:] == ["to", "date"] and by_past(parts[-3]) and name.numeric:
        return name.called(" ".join([*parts[:-2], "amount"]))
    return None


def limit_of_number(name: PropertyName) -> PropertyWords | None:
    """max_loans: the least or the most of what is counted."""
    first, *counted = name.parts
    limited = counted and first in ("minimum", "maximum") and is_plural(counted[-1])
    if limited and name.numeric:
        return name.called(f"{first} number of {' '.join(counted)}")
    return None


def amount_last(name: PropertyName) -> PropertyName | None:
    """amount_payment, amount_settled"""
    parts = name.parts
    if len(parts) == 2 and parts[0] == "amount" and parts[1] not in ("due", "paid", "received"):
        return name.reworded(*parts[::-1])
    return None
