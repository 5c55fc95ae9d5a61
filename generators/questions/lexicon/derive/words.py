"""Nouns of properties: what a name means in English, with its unit and kind."""

from __future__ import annotations

from lemminflect import getAllLemmas

from generators.questions.lexicon.derive import amounts, moments, owners, yes_no
from generators.questions.lexicon.derive.property_words import (
    PropertyName,
    PropertyWords,
    Rule,
    noun_phrase,
    surely_done,
)
from graphmill.english.inflection import is_plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import singular
from graphmill.english.senses import ALONE, Around
from graphmill.english.spoken import compounded, split, spoken
from graphmill.english.verbs import by_base, by_past
from schemagraph.model import ANY, NUMERIC, Kind, Type

_ID_WORDS = frozenset({"id", "ids"})
_NAMES = frozenset({"name", "title", "full name", "user name"})
_SPANS = frozenset({"days", "hours", "minutes", "seconds", "percent", "milliseconds"})
_OPEN_SUMS = frozenset(
    {
        *("allocated", "billed", "budgeted", "disbursed", "due", "earned", "invoiced"),
        *("outstanding", "owed", "refunded", "remaining", "spent"),
    }
)
_SHORT_NUMBERS = {"long": "longitude", "lower": "lower limit", "upper": "upper limit"}


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
    >>> [read_property(n).noun for n in ("fulfil_method", "sell_unit", "address_town")]
    ['fulfilment method', 'selling unit', 'town']
    >>> read_property("outstanding", Type(Kind.FLOAT)).noun
    'outstanding amount'
    >>> read_property("x", Type(Kind.FLOAT)).noun, read_property("alid", owner="airline").noun
    ('x value', 'ID')
    """
    parts = compounded(spoken(name, around))
    kind = type_.kind
    if not split(name):
        return PropertyWords(" ".join(parts), kind)
    parts = moments.dated(parts, kind)
    known = PropertyName(name, parts, parts, kind, owner)
    for rule in _RULES:
        read = rule(known)
        if isinstance(read, PropertyWords):
            return read
        known = read or known
    return _plain(known)


def _contact(name: PropertyName) -> PropertyName:
    """What people are reached by, in full."""
    last = name.parts[-1]
    return name.reworded(*name.parts[:-1], *word_map("contacts").get(last, last).split(" "))


def _agent(name: PropertyName) -> PropertyWords | None:
    """directed_by"""
    verb = by_past(name.parts[0]) if len(name.parts) == 2 and name.parts[1] == "by" else None
    return name.called(verb.agent) if verb is not None else None


def _deed_of_noun(name: PropertyName) -> PropertyName | None:
    """fulfil_method, sell_unit: by which deed, where the verb is no noun."""
    first, *rest = name.parts
    verb = by_base(first) if len(rest) == 1 and rest[0] in _OF_DEEDS else None
    if verb is None or verb.base in word_set("also_nouns"):
        return None
    if "NOUN" in getAllLemmas(first) and verb.base not in ("buy", "collect", "sell"):
        return None
    traded = rest[0] in ("price", "unit")  # the selling price
    return name.reworded(
        verb.gerund if traded else word_map("deeds").get(verb.base, verb.gerund), *rest
    )


_OF_DEEDS = frozenset({"channel", "method", "mode", "price", "reason", "type", "unit"})


def _part_of_address(name: PropertyName) -> PropertyName | None:
    """address_town"""
    first, *rest = name.parts
    if first == "address" and len(rest) == 1 and rest[0] in word_set("places"):
        return name.reworded(*rest)
    return None


def _places(name: PropertyName) -> PropertyName | None:
    """state_province_county"""
    if len(name.parts) > 2 and all(part in word_set("places") for part in name.parts):
        return name.reworded("/".join(name.parts))
    return None


def _place_of_birth(name: PropertyName) -> PropertyName | None:
    """born_state"""
    if len(name.parts) == 2 and name.parts[0] == "born" and name.parts[1] in word_set("places"):
        return name.reworded(name.parts[1], "of", "birth")
    return None


def _state(name: PropertyName) -> PropertyName | None:
    """acct_stat, of which the values are texts"""
    state = name.last == "stat" and name.kind is Kind.STRING
    return name.reworded(*name.parts[:-1], "status") if state else None


def _founding_year(name: PropertyName) -> PropertyName | None:
    """found_yr: nobody notes the year in which a club was found"""
    return name.reworded("founded", "year") if name.parts == ["found", "year"] else None


def _number_first(name: PropertyName) -> PropertyName | PropertyWords | None:
    """NoLot: the number of a lot, as in French; `no_smoking` says that there is none."""
    first, *rest = name.parts
    one = bool(rest) and rest[-1] == singular(rest[-1]) and not rest[-1].endswith("ing")
    if first.lower() != "no" or not one:
        return None
    if name.numeric:
        return name.called(f"“{noun_phrase(name.parts)}” value")  # no_room: which, or how many
    return name.reworded(*rest, "number") if name.kind is Kind.STRING else None


_RULES: tuple[Rule, ...] = (
    _number_first,
    _state,
    _founding_year,
    amounts.rate_first,
    amounts.years_of,
    amounts.time_spent,
    amounts.time_to_do,
    amounts.per_minute,
    amounts.span_first,
    amounts.span_of_deed,
    owners.owner_first,
    amounts.adjective_last,
    yes_no.coded_flag,
    moments.end_date,
    moments.end_entry,
    moments.bare_moment,
    owners.owner_alone,
    owners.short_key,
    owners.short_number,
    owners.short_name_of_owner,
    amounts.unit_alone,
    _contact,
    yes_no.flag_end,
    amounts.unit_last,
    yes_no.asked_flag,
    amounts.on_hand,
    amounts.amount_paid,
    amounts.paid_by,
    amounts.distance_from,
    amounts.sum_last,
    amounts.total_of_deed,
    amounts.either_of_two,
    amounts.quantity_handled,
    amounts.quantity_of_many,
    amounts.capacity_in,
    amounts.payment_terms,
    amounts.sum_alone,
    amounts.sum_of_each,
    yes_no.placed_flag,
    _agent,
    yes_no.decided_flag,
    moments.start_of_state,
    moments.date_of_state,
    moments.date_of_deed,
    amounts.paid_to_date,
    amounts.limit_of_number,
    moments.due_date,
    moments.date_of_done,
    moments.date_became,
    moments.date_of_office,
    moments.date_available,
    _deed_of_noun,
    _part_of_address,
    _places,
    _place_of_birth,
    amounts.amount_last,
    moments.year_of_deed,
    moments.particle_first,
    moments.moment,
    yes_no.boolean,
)
"""In their order; each says by an example which names it reads."""


def _plain(name: PropertyName) -> PropertyWords:
    """What is said of a name that none of the rules has read to its end."""
    ended = (noun for ending in _ENDINGS if (noun := ending(name)))
    noun = _as_number(name, next(ended, "") or noun_phrase(name.parts))
    noun = _as_flag(name, noun)
    return PropertyWords(
        noun,
        name.kind,
        name.unit,
        identity=noun in _NAMES and name.kind in (Kind.STRING, Kind.ANY),
        year=name.kind in (*NUMERIC, Kind.ANY) and _years(name.parts),
        reference=name.last in _ID_WORDS or _is_reference(name),
    )


def _is_reference(name: PropertyName) -> bool:
    """Whether a name ends in a code or a key, and does not count what is of one: lines_of_code."""
    counted = name.numeric and name.parts[-2:-1] == ["of"] and is_plural(name.parts[0])
    return name.last in ("code", "key", "number") and not counted


def _lasting(name: PropertyName) -> str:
    """best_before"""
    if len(name.parts) < 2 or name.parts[-1] not in ("before", "until", "after"):
        return ""
    if name.kind in moments.DAYS:
        return f"{'-'.join(name.parts)} date"
    return f"{'-'.join(name.parts)} period" if name.unit else ""


def _text_in_unit(name: PropertyName) -> str:
    """visibility_miles, kept as a text, but not opening_hours."""
    if name.kind is not Kind.STRING or len(name.parts) < 2 or len(name.parts[-1]) < 3:
        return ""
    unit = word_map("units").get(name.last, "")
    return f"{noun_phrase(name.parts[:-1])} in {unit}" if unit and unit not in _SPANS else ""


def _place_of_deed(name: PropertyName) -> str:
    """incorporated_in"""
    verb = by_past(name.parts[0])
    place = name.parts[1:] == ["in"] and name.kind is Kind.STRING
    return f"place of {verb.event}" if place and verb is not None else ""


def _deed_with_particle(name: PropertyName) -> str:
    """check_in"""
    particle = len(name.parts) == 2 and name.parts[1] in moments.PARTICLES
    return "-".join(name.parts) if particle and by_base(name.parts[0]) is not None else ""


def _preposition_last(name: PropertyName) -> str:
    """continuation_of, follow_up_on"""
    if len(name.parts) < 2 or name.parts[-1] not in word_set("prepositions"):
        return ""
    day = name.kind in moments.DAYS and len(name.parts) == 2
    if day and name.parts[-1] in ("at", "on"):
        return f"{name.parts[0]} {'time' if name.parts[-1] == 'at' else 'date'}"
    day = day and surely_done(name.parts[0]) is None  # those born to a day
    return f"{'-'.join(name.parts)} date" if day else f"“{noun_phrase(name.parts)}” entry"


_ENDINGS = (_lasting, _text_in_unit, _place_of_deed, _deed_with_particle, _preposition_last)


def _as_number(name: PropertyName, noun: str) -> str:
    """A noun with what it leaves out where its values are numbers."""
    if name.numeric:
        noun = _SHORT_NUMBERS.get(noun, noun)
    if len(noun) == 1:
        noun = f"{noun} value"  # an axis
    if name.numeric and name.last in _OPEN_SUMS and "amount" not in name.parts:
        noun = f"{noun} amount"
    if len(name.parts) == 1 and name.numeric and name.last in word_set("victims"):
        noun = f"number {noun}"
    return noun


def _as_flag(name: PropertyName, noun: str) -> str:
    """A noun that says that it is a flag, where one is kept as a text or a number."""
    if len(name.parts) > 1:
        return noun
    text = name.kind is Kind.STRING
    if name.last in word_set("adjectives") and (text or name.last not in word_set("no_flags")):
        return f"{noun} flag"
    return f"“{noun}” value" if text and surely_done(name.last) else noun


def _years(parts: list[str]) -> bool:
    """Whether the values are years: `year_of_birth`, not `rank_of_the_year`."""
    ends = parts[-1].lower() in ("year", "season") and "of" not in parts
    return (parts[0] == "year" or ends) and "per" not in parts
