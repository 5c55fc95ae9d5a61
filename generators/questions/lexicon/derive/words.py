"""Nouns for labels and properties: what a name means in English, with its unit and kind."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import takewhile

from lemminflect import getAllLemmas

from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.derive.measures import amount, missing_quantity
from generators.questions.lexicon.derive.moments import (
    BARE,
    DAYS,
    ENDS,
    PARTICLES,
    dated,
    moment_words,
)
from generators.questions.lexicon.derive.property_words import PropertyWords
from generators.questions.lexicon.model import ThingKind
from graphmill.english.inflection import a, is_plural, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import is_agent, singular
from graphmill.english.senses import ALONE, Around
from graphmill.english.spoken import abbreviates, split, spoken
from graphmill.english.verbs import by_base, by_past, by_third
from schemagraph.model import ANY, NUMERIC, Kind, Type

_ADJECTIVE_END = re.compile(r"(?:able|ible|al|ive|ous|ful|less|ic|ary|ent|ant)$")
_ID_WORDS = frozenset({"id", "ids"})
_NAMES = frozenset({"name", "title", "full name", "user name"})


def is_person(noun: str) -> bool:
    """Whether a noun is for people."""
    return kind_of(noun)[0] is ThingKind.PERSON


def node_noun(label: str, around: Around = ALONE) -> str:
    """The noun for one node of a label; `around` are the words that it stands among.

    >>> node_noun("OrderDetail"), node_noun("Staff"), node_noun("PERSON"), node_noun("Countries")
    ('order detail', 'staff member', 'person', 'country')
    >>> node_noun("Undergoes"), node_noun("Prescribe"), node_noun("Order")
    ('undergoes record', 'prescribe record', 'order')
    """
    parts = spoken(label, around)
    if not split(label):
        return " ".join(parts)
    parts[-1] = singular(parts[-1])
    if len(parts) > 1 and parts[0] == "has":
        return f"{' '.join(parts[1:])} record"  # HasAllergy
    if len(parts) == 2 and parts[1] in word_set("prepositions"):
        joins = by_past(parts[0]) or by_base(parts[0])  # EnrolledIn
        return f"{joins.event if joins else parts[0]} record"
    led = by_base(parts[0]) if len(parts) > 1 else None
    if led is not None and led.base not in word_set("also_nouns"):
        parts[0] = led.gerund  # operate_company
    if len(parts) == 1 and _doing(parts[0]):
        return f"{parts[0]} record"
    if len(parts) == 1 and _only_verb(parts[0]):
        parts = [label.lower() if by_third(label.lower()) else parts[0], "record"]
    if parts[-1] in ("staff", "personnel", "crew"):
        parts.append("member")
    elif parts[-1].lower() in word_set("masses"):
        parts.append("item")
    elif parts[-1].lower() in _GOING_ON:
        parts.append("record")
    return " ".join(parts)


def _doing(word: str) -> bool:
    """Whether a label is what somebody does, and nothing that is counted: checking, saving."""
    if not word.endswith("ing") or word in word_set("counted_ings"):
        return False
    stem = word.removesuffix("ing")
    return any(by_base(form) for form in (stem, f"{stem}e", stem[:-1]) if len(form) > 2)


def _only_verb(word: str) -> bool:
    """Whether a label is a verb and no noun: what joins two things."""
    verb = by_base(word) or by_third(word)
    if verb is None or verb.base in word_set("also_nouns") or is_person(word):
        return False
    return verb.base in word_map("deeds") or by_base(word) is None


def read_property(
    name: str, type_: Type = ANY, owner: str = "", around: Around = ALONE
) -> PropertyWords:
    """How to speak of the property `name` of a node or edge whose noun is `owner`.

    `around` are the words that the name stands among.

    >>> read_property("height_cm", Type(Kind.FLOAT)).unit
    'cm'
    >>> read_property("hired_on", Type(Kind.DATE)).noun, read_property("opens_at").noun
    ('hiring date', 'opening time')
    >>> read_property("artist_name", Type(Kind.STRING), "artist").noun
    'name'
    >>> read_property("city", Type(Kind.STRING), "city").noun, read_property("eid").noun
    ('name', 'eid')
    >>> read_property("building_full_name", owner="apartment building").noun
    'full name'
    >>> [read_property(n, Type(Kind.DATETIME)).noun for n in ("picked_up_at", "last_seen")]
    ['pick-up time', 'last-seen date']
    >>> read_property("outstanding", Type(Kind.FLOAT)).noun
    'outstanding amount'
    >>> read_property("x", Type(Kind.FLOAT)).noun, read_property("alid", owner="airline").noun
    ('x value', 'ID')
    """
    parts = spoken(name, around)
    if not split(name):
        return PropertyWords(" ".join(parts), type_.kind)
    parts = dated(parts, type_.kind)
    if len(parts) > 1 and parts[-1] in _EACH.values() and type_.kind in NUMERIC:
        parts = [parts[-1], *parts[:-1]]  # stipend_monthly
    if parts[-2:] == ["per", "minimum"]:
        parts = [*parts[:-1], "minute"]  # fee_per_min
    own = owner.lower().split()
    whole, parts = parts, _without_owner(parts, own)
    kind = type_.kind
    if len(parts) > 1 and parts[-1].lower() in word_set("flag_codes"):
        parts = parts[:-1]
        parts = parts[1:] if parts[0] == "is" and len(parts) > 1 else parts
        decided = by_past(parts[-1]) is not None and by_base(parts[-1]) is None
        if kind is Kind.STRING and (decided or _ADJECTIVE_END.search(parts[-1])):
            return PropertyWords(f"{'-'.join(parts)} flag", kind)  # chargeable_yn
    if len(parts) == 2 and "date" in parts and {*parts} & ENDS.keys():
        end = next(part for part in parts if part in ENDS)
        return PropertyWords(f"{ENDS[end]} date", kind)
    if parts in (["from"], ["to"]) and kind is Kind.STRING and len(whole) == 1:
        return PropertyWords(f"“{parts[0]}” entry", kind)  # a time or a place
    if len(parts) == 1 and parts[0] in BARE:
        what = "year" if kind is Kind.INTEGER else BARE[parts[0]]
        noun = f"start {what}" if parts[0] in ("since", "from") else what
        noun = f"end {what}" if parts[0] in ("until", "to") else noun
        if len(whole) > 1 and noun != what:
            noun = f"{' '.join(whole[:-1])} {noun}"  # customer_since
        return PropertyWords(noun, kind, year=kind is Kind.INTEGER)
    if [part.lower() for part in parts] == own and type_.kind is Kind.STRING:
        return PropertyWords("name", Kind.STRING, identity=True)  # the city of a city
    if len(parts) == 1 and _own_id(parts[0], own):
        return PropertyWords("ID", kind, reference=True)
    if len(parts) == 1 and _own_number(parts[0].lower(), own):
        return PropertyWords("number", kind, reference=True)
    if len(parts) == 1 and own and _own_name(parts[0].lower(), own):
        return PropertyWords("name", kind, identity=kind in (Kind.STRING, Kind.ANY))
    unit = parts[0].lower()
    if len(parts) == 1 and kind in NUMERIC and unit in word_map("measured"):
        driven = unit in ("km", "miles") and kind_of(own[-1] if own else "")[0] is ThingKind.VEHICLE
        noun = "mileage" if driven else word_map("measured")[unit]
        return PropertyWords(noun, kind, word_map("units").get(unit, unit))
    parts = parts[:-1] + word_map("contacts").get(parts[-1], parts[-1]).split(" ")
    if kind is Kind.BOOLEAN and len(parts) > 1 and parts[-1].lower() in word_set("flag_ends"):
        parts = parts[:-1]  # actv_ind
    unit, parts = _unit(name, parts, kind)
    if len(parts) > 1 and kind is not Kind.BOOLEAN and parts[0] in ("is", "if", "whether"):
        return PropertyWords(f"{_joined(parts[1:])} flag", kind)  # kept as a text or a number
    if parts[:2] == ["on", "hand"] and len(parts) == 3:
        parts = [parts[2], *parts[:2]]  # oh_qty
    paid = by_past(parts[1]) if len(parts) == 2 and kind in NUMERIC else None
    if parts == ["amount", "paid"] and own[-1:] == ["payment"]:
        return PropertyWords("amount", kind)  # the amount paid of a payment
    if paid is not None and parts[0] in word_set("sums") and by_base(parts[1]) is None:
        parts = parts[::-1]  # deposit_returned
    if len(parts) == 2 and parts[0] == "quantity" and parts[1] in word_set("handled"):
        return PropertyWords(f"quantity {_participle(parts[1])}", kind)  # qty_ship
    if len(parts) == 2 and kind in NUMERIC and parts[0] in _EACH and parts[1] in word_set("sums"):
        parts = [_EACH[parts[0]], parts[1]]  # week_rent
    if len(parts) > 1 and parts[-1] == "amount" and parts[-2] in word_set("sums"):
        parts = parts[:-1]  # the annual premium, which is an amount
    if len(parts) == 2 and kind is Kind.STRING and parts[0] in ("on", "in", "under"):
        return PropertyWords(f"{'-'.join(parts)} flag", kind)
    if len(parts) == 2 and parts[1] == "by" and (doing := by_past(parts[0])) is not None:
        return PropertyWords(doing.agent, kind)  # directed_by
    decided = parts[-1] in word_set("decided") and parts[0] not in ("date", "time")
    if kind is Kind.STRING and len(parts) > 1 and decided:
        return PropertyWords(f"{'-'.join(parts)} flag", kind)  # FDA_approved
    if parts[-1] == "since" and len(parts) == 2 and kind in DAYS:
        begun = by_past(parts[0])
        if begun is not None:
            event = word_map("deeds").get(begun.base, begun.gerund)
            return PropertyWords(f"{event} start date", kind)  # employed_since
        return PropertyWords(f"{parts[0]} start date", kind)  # customer_since
    if len(parts) == 3 and parts[0] in ("date", "time") and by_base(parts[2]) is None:
        done_then = by_past(parts[2]) if by_past(parts[1]) is None else None
        if done_then is not None and parts[1] in own and done_then.base != "make":
            return PropertyWords(f"{done_then.event} {parts[0]}", kind)  # date_complaint_closed
        if done_then is not None:  # date_order_placed
            event = f" {done_then.event}" if done_then.base != "make" else ""  # date_payment_made
            return PropertyWords(f"{parts[1]}{event} {parts[0]}", kind)
        going = by_past(parts[1])
        if going is not None and parts[2] in PARTICLES:  # date_moved_in
            return PropertyWords(f"{going.base}-{parts[2]} {parts[0]}", kind)
    if len(parts) > 2 and parts[-2:] == ["to", "date"] and by_past(parts[-3]) and kind in NUMERIC:
        return PropertyWords(" ".join([*parts[:-2], "amount"]), kind)  # paid_to_date
    if _bounded(parts) and kind in NUMERIC:
        return PropertyWords(f"{parts[0]} number of {' '.join(parts[1:])}", kind)  # max_loans
    if parts[-2:] == ["due", "on"]:
        parts = [*parts[:-1], "date"]
    if len(parts) > 2 and parts[-1] in ("on", "at") and kind in (*DAYS, Kind.STRING):
        certain = by_past(parts[-2])
        if certain is not None and by_base(parts[-2]) is None:  # board_certified_on
            what = "date" if parts[-1] == "on" else "time"
            return PropertyWords(" ".join([*parts[:-2], certain.event, what]), kind)
    if len(parts) == 3 and parts[:2] == ["date", "became"]:
        return PropertyWords(f"{parts[2]} start date", kind)  # date_became_customer
    if len(parts) == 2 and parts[1] == "office" and parts[0] in ("took", "left"):
        return PropertyWords(
            f"date of {'taking' if parts[0] == 'took' else 'leaving'} office", kind
        )
    if len(parts) > 2 and parts[0] == "date" and parts[-1] == "available":
        about = [part for part in parts[1:-1] if part not in own]
        return PropertyWords(" ".join([*about, "availability date"]), kind)
    if len(parts) > 2 and all(part in word_set("places") for part in parts):
        parts = ["/".join(parts)]  # state_province_county
    if len(parts) == 2 and parts[0] == "born" and parts[1] in word_set("places"):
        parts = [parts[1], "of", "birth"]  # born_state
    if len(parts) == 2 and parts[0] == "amount" and parts[1] not in ("due", "paid", "received"):
        parts = parts[::-1]  # amount_payment, amount_settled
    if len(parts) == 2 and "year" in parts and kind in (*NUMERIC, Kind.STRING):
        doing = by_base(next((part for part in parts if part != "year"), ""))
        if doing is not None and (parts[0] == "year" or parts[0] == "open"):
            return PropertyWords(f"{doing.gerund} year", kind, year=kind in NUMERIC)  # year_join
    particle = len(parts) == 3 and parts[1] in PARTICLES and parts[2] not in ("at", "on")
    if particle and by_base(parts[0]) is not None:
        parts = [f"{parts[0]}-{parts[1]}", parts[2]]  # move_in_year
    moment = moment_words(parts, kind)
    if moment is not None:
        return _own_moment(moment, own)
    if kind is Kind.BOOLEAN:
        return _flag(parts, owner)
    noun = _joined(parts)
    past = by_past(parts[0])
    if parts[1:] == ["in"] and past is not None and kind is Kind.STRING:
        noun = f"place of {past.event}"  # incorporated_in
    elif len(parts) == 2 and parts[1] in PARTICLES and by_base(parts[0]) is not None:
        noun = "-".join(parts)  # check_in
    elif len(parts) > 1 and parts[-1] in word_set("prepositions"):
        day = kind in DAYS and len(parts) == 2
        noun = f"{'-'.join(parts)} date" if day else f"“{noun}” entry"  # continuation_of
    if kind is Kind.STRING and len(parts) > 1 and len(parts[-1]) > 2:
        said_in = word_map("units").get(parts[-1].lower(), "")
        said_in = "" if said_in in _SPANS else said_in  # opening_hours
        noun = f"{_joined(parts[:-1])} in {said_in}" if said_in else noun  # visibility_miles
    if len(parts) > 1 and parts[-1] in ("before", "until", "after"):  # best_before
        if kind in (Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME):
            noun = f"{'-'.join(parts)} date"
        elif unit:
            noun = f"{'-'.join(parts)} period"
    last = parts[-1].lower()
    if noun == "long" and kind in NUMERIC:
        noun = "longitude"
    if noun in ("lower", "upper") and kind in NUMERIC:
        noun = f"{noun} limit"
    if len(noun) == 1:
        noun = f"{noun} value"  # an axis
    if kind in NUMERIC and last in _OPEN_SUMS and "amount" not in parts:
        noun = f"{noun} amount"
    if len(parts) == 1 and kind in NUMERIC and last in word_set("victims"):
        noun = f"number {noun}"
    done = kind is Kind.STRING and by_past(last) is not None and by_base(last) is None
    plain = last in word_set("adjectives") and (
        kind is Kind.STRING or last not in word_set("no_flags")
    )
    if len(parts) == 1 and (plain or done):
        noun = f"{noun} flag" if plain else f"“{noun}” value"  # a flag kept as a text or a number
    return PropertyWords(
        noun,
        kind,
        unit,
        identity=noun in _NAMES and kind in (Kind.STRING, Kind.ANY),
        year=kind in (*NUMERIC, Kind.ANY) and _years(parts),
        reference=last in _ID_WORDS or last in ("code", "key", "number"),
    )


def _participle(word: str) -> str:
    verb = by_base(word)
    return verb.participle if verb else word


def _years(parts: list[str]) -> bool:
    """Whether the values are years: `year_of_birth`, not `rank_of_the_year`."""
    ends = parts[-1].lower() in ("year", "season") and "of" not in parts
    return (parts[0] == "year" or ends) and "per" not in parts


def _without_owner(parts: list[str], own: list[str]) -> list[str]:
    """The words without the owner's noun, the end of it, or the start of its word, before them."""
    clipped = len(parts) == 2 and len(parts[0]) > _CLIPPED
    clipped = clipped and "".join(own[-1:]).startswith(parts[0].lower())
    if clipped and parts[1] in ("title", "name"):
        return parts[1:]  # the class title of a classification
    head = list(takewhile(lambda word: word not in word_set("prepositions"), own))
    if head[-1:] == ["member"] and head[-2:-1] in (["staff"], ["crew"], ["personnel"]):
        head = head[:-1]
    for tail in (own, *(head[start:] for start in range(len(head)))):
        if tail and len(parts) > len(tail) and [p.lower() for p in parts[: len(tail)]] == tail:
            rest = parts[len(tail) :]
            done = by_past(rest[0]) if len(rest) == 2 and rest[1] in word_map("units") else None
            if done is not None and by_base(rest[0]) is None:
                return parts  # budget_invested_percent
            return ["number"] if rest == ["no"] else rest
    return parts


_HOW = frozenset(
    {"still", "currently", "now", "fully", "highly", "very", "most", "not", "on", "in"}
)


def _own_id(word: str, owner: list[str]) -> bool:
    """Whether the word is the owner's key under a short name: `eid` of an employee."""
    short = word.lower().removesuffix("id")
    if not owner or short == word.lower() or not 0 < len(short) < 4:
        return False
    return word.lower() not in word_set("no_ids") and abbreviates(short, " ".join(owner))


def _own_moment(moment: PropertyWords, own: list[str]) -> PropertyWords:
    """When its owner happened: the offer date of an offer that was made."""
    event, _, what = moment.noun.rpartition(" ")
    if moment.verb is None or not own:
        return moment
    if event == own[-1]:
        return replace(moment, verb=None)  # no treatment is treated
    happens = own[-1] in word_set("events") or own[-1].endswith(("ment", "ing", "tion"))
    if happens and moment.verb.base in ("make", "hold", "give"):
        return replace(moment, noun=f"{own[-1]} {what}")
    return moment


def _own_number(word: str, owner: list[str]) -> bool:
    """Whether the word is the owner's number under a short name: `flno` of a flight."""
    short = word.removesuffix("no")
    return bool(owner) and short != word and 1 < len(short) < 4 and abbreviates(short, owner[-1])


def _own_name(word: str, owner: list[str]) -> bool:
    """Whether the word is the owner's name with letters of the owner before it: `bname`."""
    short = word.removesuffix("name")
    if not 0 < len(short) < 4 or short == word:
        return False
    return abbreviates(short, " ".join(owner)) or abbreviates(short, owner[-1])


def _unit(name: str, parts: list[str], kind: Kind) -> tuple[str, list[str]]:
    """The unit that the last word names, and the words without it."""
    if len(parts) > 2 and parts[-1] == "2" and parts[-2] in _SQUARES and kind in NUMERIC:
        return _SQUARES[parts[-2]], parts[:-2]  # area_km_2
    last = split(name)[-1].lower()
    scale = word_map("scales").get(last, "")
    token = split(name)[-1]
    alone = len(token) == 1 and token.isupper() and not name.isupper()
    if alone and parts[-2:-1] == ["in"] and len(parts) > 2 and kind in NUMERIC:
        return token, parts[:-2]  # memory_in_G
    known = last in word_map("units") or scale
    if len(parts) < 2 or not known or kind not in (*NUMERIC, Kind.ANY):
        return "", parts
    expanded = len(word_map("abbreviations").get(last, last).split())
    rest = parts[:-expanded]
    unit = scale or word_map("units")[last]
    if last == "ms" and _FAST.intersection(rest):
        unit = "m/s"  # mean_wind_speed_ms
    if len(rest) > 1 and not scale and rest[-1] in word_map("scales"):
        unit, rest = f"{word_map('scales')[rest[-1]]} {unit}", rest[:-1]
    if rest[-1:] == ["square"]:
        unit, rest = f"square {unit}", rest[:-1] or ["area"]  # sq_ft
    if len(last) == 1 and rest[-1] in word_set("sums"):
        return "", parts  # fee_m, of which nobody knows what it is
    if len(rest) > 1 and rest[-1] == "metric":
        unit, rest = f"metric {unit}", rest[:-1]  # freight_metric_tonnes
    if len(rest) > 1 and rest[-1] == "in":
        rest = rest[:-1]
    if rest and rest[-1] in ("per", "of", "number"):
        return "", parts  # number_of_weeks
    if last == "min":
        lasting = rest[-1:] and rest[-1].lower() in word_set("lasting_measures")
        if not lasting:
            return "", ["minimum", *rest]  # temp_min
        rest = [*rest[:-1], "delay"] if rest[-1].lower() == "late" else rest
    if rest and (more := missing_quantity(rest[-1].lower(), last, unit)):
        return unit, [*rest, more]
    done = rest and by_past(rest[-1]) is not None and by_base(rest[-1]) is None
    if done or (rest and (rest[-1] in word_set("adjectives") or _is_adjective(rest[-1]))):
        more = amount(last, unit)
        rest = rest if more in rest else [*rest, more]  # the amount paid
        return (unit, rest) if more else ("", parts)
    if rest[-1:] == ["population"] and unit == "percent":
        return unit, ["share", "of", "the", *rest]  # blood types have no population
    if rest and unit == "percent" and is_plural(rest[-1]):
        return "", [*rest, "percentage"]  # all_games_percent
    return (unit, rest) if rest else ("", parts)


def _bounded(parts: list[str]) -> bool:
    """Whether words are the least or the most of what is counted."""
    return len(parts) > 1 and parts[0] in ("minimum", "maximum") and is_plural(parts[-1])


def _is_adjective(word: str) -> bool:
    """Whether a word ends as adjectives do and is no noun alone, as "salary" is."""
    known = getAllLemmas(word.lower())
    return bool(_ADJECTIVE_END.search(word)) and ("ADJ" in known or not known)


_GOING_ON = frozenset({"attendance", "consumption", "maintenance", "progress", "usage"})
_EACH = {"hour": "hourly", "week": "weekly", "month": "monthly", "year": "annual"}
_OPEN_SUMS = frozenset(
    {
        *("allocated", "billed", "budgeted", "disbursed", "due", "earned", "invoiced"),
        *("outstanding", "owed", "refunded", "remaining", "spent"),
    }
)
_CLIPPED = 3  # letters, up to which the start of a word says nothing
_FAST = frozenset({"gust", "speed", "velocity", "wind"})
_SPANS = frozenset({"days", "hours", "minutes", "seconds", "percent", "milliseconds"})
_SQUARES = {"km": "km²", "m": "m²", "cm": "cm²", "mi": "square miles", "ft": "square feet"}


def _flag(parts: list[str], owner: str = "") -> PropertyWords:
    """A boolean: an adjective, or something that one has."""
    if parts[0] in ("is", "are", "was", "were") and len(parts) > 1:
        noun = _joined(parts[1:])
        agent = len(parts) == 2 and is_agent(parts[1]) and parts[1] not in word_set("adjectives")
        somebody = is_person(parts[-1]) and parts[-1] not in word_set("adjectives")  # is_lead
        thing = agent or somebody or noun.lower() in word_set("flag_things")
        return PropertyWords(noun, Kind.BOOLEAN, adjective=a(noun) if thing else noun)
    where = parts[0] in word_set("prepositions") or parts[0] in ("behind", "off", "out")
    if where and parts[0] != "with" and len(parts) > 1:
        phrase = " ".join(parts)
        return PropertyWords(phrase, Kind.BOOLEAN, adjective=phrase)  # in_tolerance
    verb = by_third(parts[0]) if len(parts) > 1 else None
    if verb is not None and verb.base not in ("be", "have") and not _counted_noun(parts[0]):
        rest = " ".join(parts[1:])
        forms = (f"{verb.third} {rest}", f"{verb.base} {rest}")
        return PropertyWords(_joined(parts), Kind.BOOLEAN, does=forms)  # accepts_cards
    if parts[0] in ("has", "have", "with") and len(parts) > 1:
        return PropertyWords(_joined(parts[1:]), Kind.BOOLEAN)
    noun, last = _joined(parts), parts[-1]
    done = by_past(last) is not None and not by_base(last)  # insured
    aside = bool({*parts} & word_set("prepositions"))  # charged to a tenant
    sort = last in word_set("adjectives")  # indoor
    if not (done or aside or sort) and (is_person(last) or (is_person(owner) and is_agent(last))):
        return PropertyWords(noun, Kind.BOOLEAN, adjective=a(noun))  # smoker
    passive = by_past(last) is not None and by_base(last) is None and not aside
    if last in ("only", "free") and len(parts) > 1:  # rx_only, barrier_free
        only = "-".join(parts)
        return PropertyWords(only, Kind.BOOLEAN, adjective=only)
    if last in ("ok", "okay") and len(parts) > 1 and not is_plural(parts[-2]):
        phrase = f"ok in {_joined(parts[:-1])}"
        return PropertyWords(phrase, Kind.BOOLEAN, adjective=phrase)
    adjective = (
        last in word_set("adjectives")
        or passive
        or (last.endswith("ing") and by_base(last) is None and len(parts) == 1)
        or (_ADJECTIVE_END.search(last) is not None and not _ends_like_one(last))
    )
    led = by_past(parts[0]) if len(parts) > 1 else None
    if led is not None and led.participle == parts[0] and last in PARTICLES | {"stolen", "lost"}:
        return PropertyWords(noun, Kind.BOOLEAN, adjective=noun)  # won_back, reported_stolen
    if last in word_set("adjectives") and len(parts) == 2 and not passive and parts[0] not in _HOW:
        return PropertyWords(f"{last} {parts[0]}", Kind.BOOLEAN)  # exploit_public
    if last == "known" and len(parts) > 1:
        return PropertyWords(f"known {_joined(parts[:-1])}", Kind.BOOLEAN)
    if adjective and len(parts) > 1 and passive:
        noun = "-".join(parts) if len(parts) == 2 else noun
    return PropertyWords(noun, Kind.BOOLEAN, adjective=noun if adjective else "")


def _ends_like_one(word: str) -> bool:
    """Whether a noun only ends like an adjective: a hospital, a tenant."""
    return word in word_set("no_adjectives") or is_person(word)


def _counted_noun(word: str) -> bool:
    """Whether a form of a verb is as well the plural of a noun: sales_open."""
    verb = by_third(word)
    return verb is not None and verb.base in word_set("also_nouns")


def _joined(parts: list[str]) -> str:
    """Words as one noun phrase: `number of stops` for num_stops."""
    if parts[:2] == ["how", "to"] and len(parts) > 2:
        return " ".join(["way", *parts[1:]])
    if len(parts) == 3 and parts[1] == "per" and parts[0] in word_map("units"):
        return f"amount in {' '.join(parts)}"  # kg_per_day
    if parts[1:2] == ["of"] and parts[0] in ("number", "nb", "n", "no", "count"):
        one = len(parts) == 3 and not is_plural(parts[2]) and parts[2] not in word_set("workers")
        if one and parts[2] in word_set("uncounted"):
            return f"amount of {parts[2]}"  # num_of_stock
        if one:
            return f"{parts[2]} count"  # num_of_component
        return " ".join(["number", *parts[1:]])
    if len(parts) == 3 and parts[0] == "number" and by_past(parts[2]) and not by_past(parts[1]):
        return f"number of {plural(parts[1])} {parts[2]}"  # number_city_affected
    if parts[0] in ("number", "nb", "n", "no", "count") and len(parts) > 1 and is_plural(parts[-1]):
        return f"number of {' '.join(parts[1:])}"
    if len(parts) > 1 and parts[-1] == "no":
        parts = [*parts[:-1], "number"]
    return " ".join(parts)
