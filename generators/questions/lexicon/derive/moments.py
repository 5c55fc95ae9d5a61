"""Names of moments: the words of dates and times in the order in which people say them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from lemminflect import getAllLemmas

from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.derive.owners import own_moment
from generators.questions.lexicon.derive.property_words import (
    Answer,
    PropertyName,
    PropertyWords,
    first_answer,
    surely_done,
)
from generators.questions.lexicon.model import ThingKind
from graphmill.english.inflection import is_done, is_plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import singular
from graphmill.english.verbs import Verb, by_base, by_past, by_third, supposed
from schemagraph.folder.statistics import PropertyStatistics
from schemagraph.model import Kind

PARTICLES = frozenset({"away", "back", "down", "in", "off", "out", "over", "up"})
DAYS = (Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME)
MONTH_NAMES = frozenset(
    {
        *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
        *("october", "november", "december"),
    }
)
_CLOCKS = (Kind.TIME, Kind.ZONED_TIME)
_TIME_OF_DAY = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?")
_FIRST, _LAST = 1500, 2100  # years that people write of what somebody did
_WHERE = frozenset({"worldwide", "domestic", "overseas"})
_JOIN = Verb("join", "joined", "joined")  # what a customer since 2019 did
_LIFE = {"birth": "born", "death": "died"}
_ENDS = {"from": "start", "since": "start", "to": "end", "until": "end"}
_BARE = {"since": "date", "from": "date", "until": "date", "to": "date", "at": "time", "on": "date"}


def dated(parts: list[str], kind: Kind) -> list[str]:
    """The words of a moment in the order in which people say them, those of others as they are.

    >>> " ".join(dated(["date", "incident", "start"], Kind.STRING))
    'incident start date'
    >>> " ".join(dated(["visit", "start", "datetime"], Kind.STRING))
    'visit start time'
    >>> " ".join(dated(["date", "contact", "from"], Kind.STRING))
    'contact start date'
    >>> " ".join(dated(["booking", "made", "date"], Kind.STRING))
    'booking date'
    """
    if kind is Kind.BOOLEAN or len(parts) < 2:
        return ["number"] if parts == ["no"] else parts
    if parts[-1] in ("datetime", "timestamp"):
        parts = [*parts[:-1], "time"]
    parts = [part for part in parts if not (parts[0] == "date" and part.endswith("ly"))]
    orders = (order(parts, kind) for order in _ORDERS)
    return next((ordered for ordered in orders if ordered is not None), parts)


def _date_of_end(parts: list[str], kind: Kind) -> list[str] | None:
    """date_contact_from, date_valid_to"""
    if parts[0] != "date" or len(parts) != 3 or parts[2] not in _ENDS:
        return None
    valid = parts[1] in word_set("adjectives")
    return ["-".join(parts[1:]), "date"] if valid else [parts[1], _ENDS[parts[2]], "date"]


def _end_of_span(parts: list[str], kind: Kind) -> list[str] | None:
    """period_from, contract_to"""
    if parts[-1] not in _ENDS or len(parts) != 2 or kind not in DAYS or not _plain_nouns(parts[:1]):
        return None
    lasting = parts[0] == "period" or parts[0] in word_set("periods")
    return [parts[0], _ENDS[parts[1]], "date"] if lasting else None


def _done_date(parts: list[str], kind: Kind) -> list[str] | None:
    """booking_made_date"""
    done = surely_done(parts[-2]) if parts[-1] == "date" and len(parts) > 2 else None
    if done is None:
        return None
    return [*parts[:-2], "date"] if done.base == "make" else _dated(parts[:-2], done, "date")


def _where_first(parts: list[str], kind: Kind) -> list[str] | None:
    """gross_worldwide"""
    return parts[::-1] if len(parts) == 2 and parts[1] in _WHERE else None


def _known_date(parts: list[str], kind: Kind) -> list[str] | None:
    """account_open_date, valid_until, createdate, install_year"""
    if parts[-2:] in (["open", "date"], ["close", "date"]):
        return [*parts[:-2], "opening" if parts[-2] == "open" else "closing", "date"]
    if parts[0] == "valid" and parts[1:] in (["to"], ["until"], ["till"]) and kind in DAYS:
        return ["expiry", "date"]
    if len(parts) == 2 and parts[1] == "date" and parts[0] in word_map("happenings"):
        return [word_map("happenings")[parts[0]], "date"]
    verb = by_base(parts[0]) if len(parts) == 2 and parts[1] in ("date", "year") else None
    if verb is not None and verb.event not in (verb.base, verb.gerund):
        return None if verb.base in word_set("also_nouns") else [verb.event, parts[1]]
    return None


def _date_of_verb(parts: list[str], kind: Kind) -> list[str] | None:
    """certification_expires, contract_ends where it is a day: texts may be first moves."""
    verb = by_third(parts[-1])
    timely = kind in DAYS or (kind is Kind.STRING and "NOUN" not in getAllLemmas(parts[-1]))
    if verb is None or verb.base not in word_map("happenings") or not timely:
        return None
    if parts[-2] == "year":
        return [*parts[:-2], verb.event, "year"]
    return [*parts[:-1], verb.event, "date"]


def _date_last(parts: list[str], kind: Kind) -> list[str] | None:
    """date_incident_start"""
    if parts[0] not in ("date", "datetime") or not _plain_nouns(parts[1:]):
        return None
    return [*parts[1:], "time" if parts[0] == "datetime" else "date"]


def _superlative_first(parts: list[str], kind: Kind) -> list[str] | None:
    """loans_maximum"""
    superlative = parts[-1] in ("maximum", "minimum", "average", "total")
    return parts[::-1] if len(parts) == 2 and superlative and is_plural(parts[0]) else None


_ORDERS: tuple[Callable[[list[str], Kind], list[str] | None], ...] = (
    _date_of_end,
    _end_of_span,
    _done_date,
    _where_first,
    _known_date,
    _date_of_verb,
    _date_last,
    _superlative_first,
)


def _plain_nouns(words: list[str]) -> bool:
    """Whether words are nouns, not what was done: the start of an incident, not "moved in"."""
    small = word_set("prepositions") | PARTICLES | {"and", "or", "date", "time", "available"}
    return not any(word in small or (by_past(word) and not by_base(word)) for word in words)


def end_date(name: PropertyName) -> PropertyWords | None:
    """from_date, date_to"""
    ends = [part for part in name.parts if part in _ENDS]
    if len(name.parts) == 2 and "date" in name.parts and ends:
        return name.called(f"{_ENDS[ends[0]]} date")
    return None


def end_entry(name: PropertyName) -> PropertyWords | None:
    """A text called "from" or "to": a time or a place."""
    bare = name.parts in (["from"], ["to"]) and len(name.whole) == 1
    return name.called(f"“{name.parts[0]}” entry") if bare and name.kind is Kind.STRING else None


def bare_moment(name: PropertyName) -> PropertyWords | None:
    """since, until, at; customer_since"""
    word = name.parts[0]
    if len(name.parts) > 1 or word not in _BARE:
        return None
    year = name.kind is Kind.INTEGER
    what = "year" if year else _BARE[word]
    noun = f"{_ENDS[word]} {what}" if word in _ENDS else what
    if word == "since" and len(name.whole) > 1 and _joined(name, name.whole[-2]):
        joined = f"year of {_JOIN.event}" if year else f"{_JOIN.event} date"
        return PropertyWords(joined, name.kind, verb=_JOIN, active=True, year=year)
    if len(name.whole) > 1 and word in _ENDS:
        noun = f"{' '.join(name.whole[:-1])} {noun}"
    return PropertyWords(noun, name.kind, year=year)


def start_of_state(name: PropertyName) -> PropertyWords | None:
    """employed_since, customer_since"""
    if name.parts[-1] != "since" or len(name.parts) != 2 or name.kind not in DAYS:
        return None
    begun = by_past(name.parts[0])
    event = word_map("deeds").get(begun.base, begun.gerund) if begun else name.parts[0]
    return name.called(f"{event} start date")


def date_of_state(name: PropertyName) -> PropertyWords | None:
    """date_in_service, out_of_use_since: when it began to be so"""
    parts = [part.lower() for part in name.parts]
    state = "-".join(part for part in parts if part not in ("date", *_BARE))
    timed = name.kind in DAYS or (name.kind is Kind.STRING and not {"at", "to"} & {*parts})
    timed = timed and state in _STATES and len(parts) == state.count("-") + 2
    return name.called(f"{state} date") if timed else None


_SETTLED = (ThingKind.DOCUMENT, ThingKind.TRANSACTION)
_STATES = frozenset({"in-service", "in-use", "out-of-service", "out-of-use"})


def date_of_deed(name: PropertyName) -> PropertyWords | None:
    """date_complaint_closed, date_order_placed, date_moved_in"""
    if len(name.parts) != 3 or name.parts[0] not in ("date", "time") or by_base(name.parts[2]):
        return None
    what, thing, last = name.parts
    going = by_past(thing)
    if going is not None:
        moved = last in PARTICLES  # date_moved_in
        return name.called(f"{going.base}-{last} {what}") if moved else None
    done = by_past(last)
    if done is None:
        return None
    if done.base == "make":
        return name.called(f"{thing} {what}")  # date_payment_made
    if thing in name.own:
        return name.called(f"{done.event} {what}")  # date_complaint_closed
    return name.called(" ".join(_dated([thing], done, what)))  # date_order_placed


def _dated(things: list[str], done: Verb, what: str) -> list[str]:
    """The date of what was done with something; "date certificate seen", which nobody says, where
    no noun says what was done: no date is one of seeing."""
    if done.event == done.gerund and done.base not in word_set("gerunds"):
        return [what, *things, done.participle]
    return [*things[:-1], singular(things[-1]), done.event, what]


def due_date(name: PropertyName) -> PropertyName | None:
    """payment_due_on, follow_up_due"""
    if name.parts[1:] == ["due"] and name.kind in DAYS:
        return name.reworded(*name.parts, "date")
    return name.reworded(*name.parts[:-1], "date") if name.parts[-2:] == ["due", "on"] else None


def date_of_done(name: PropertyName) -> PropertyWords | None:
    """board_certified_on, waiver_signed_on"""
    parts = name.parts
    timely = parts[-1] in ("on", "at") and name.kind in (*DAYS, Kind.STRING)
    done = surely_done(parts[-2]) if timely and len(parts) > 2 else None
    if done is None:
        return None
    what = "date" if parts[-1] == "on" else "time"
    words = name.called(" ".join(_dated(parts[:-2], done, what)))
    settled = kind_of(parts[-3])[0] in _SETTLED or parts[-3] in word_set("sums")
    one = " ".join(parts[:-2])
    settled = settled and not is_plural(one)
    return replace(words, settled=f"{one} was {done.participle}") if settled else words


def date_became(name: PropertyName) -> PropertyWords | None:
    """date_became_customer"""
    if len(name.parts) != 3 or name.parts[:2] != ["date", "became"]:
        return None
    if _joined(name, name.parts[2]):
        return PropertyWords(f"{_JOIN.event} date", name.kind, verb=_JOIN, active=True)
    return name.called(f"{name.parts[2]} start date")


def _joined(name: PropertyName, what: str) -> bool:
    """Whether a customer became one then, who does not start."""
    return name.own[-1:] == [what.lower()] and what.lower() in word_set("clients")


def date_of_office(name: PropertyName) -> PropertyWords | None:
    """took_office, left_office"""
    if name.parts not in (["took", "office"], ["left", "office"]):
        return None
    return name.called(f"date of {'taking' if name.parts[0] == 'took' else 'leaving'} office")


def date_available(name: PropertyName) -> PropertyWords | None:
    """date_room_available"""
    parts = name.parts
    if len(parts) < 3 or parts[0] != "date" or parts[-1] != "available":
        return None
    about = [part for part in parts[1:-1] if part not in name.own]
    return name.called(" ".join([*about, "availability date"]))


def year_of_deed(name: PropertyName) -> PropertyWords | None:
    """year_join, open_year"""
    timely = name.numeric or name.kind is Kind.STRING
    if len(name.parts) != 2 or "year" not in name.parts or not timely:
        return None
    verb = by_base(next((part for part in name.parts if part != "year"), ""))
    if verb is None or name.parts[0] not in ("year", "open"):
        return None
    return PropertyWords(f"{verb.gerund} year", name.kind, year=name.numeric)


def particle_first(name: PropertyName) -> PropertyName | None:
    """move_in_year"""
    parts = name.parts
    particle = len(parts) == 3 and parts[1] in PARTICLES and parts[2] not in ("at", "on")
    if particle and by_base(parts[0]) is not None:
        return name.reworded(f"{parts[0]}-{parts[1]}", parts[2])
    return None


def moment(name: PropertyName) -> PropertyWords | None:
    """A moment that a verb names: `hired_on`, `opens_at`, `created`, `year_made`, `birth_year`."""
    if name.unit:
        return None  # planned_minutes
    words = first_answer(_MOMENTS, name)
    return own_moment(words, name.own) if words is not None else None


def _place_of_life(name: PropertyName) -> PropertyWords | None:
    """born_in, died_in"""
    if name.parts == ["born", "in"]:
        return name.called("birthplace")
    return name.called("place of death") if name.parts == ["died", "in"] else None


def _date_of_life(name: PropertyName) -> PropertyWords | None:
    """birth_year, death_date"""
    word, tail = name.parts[0], name.parts[1:]
    if word not in _LIFE or tail not in (["year"], ["date"]):
        return None
    return _of_verb(name, by_past(_LIFE[word]), tail[0])


def _dated_alone(name: PropertyName) -> PropertyWords | None:
    """A year or a text that a past form names alone: founded, released."""
    text = name.kind is Kind.STRING
    alone = len(name.parts) == 1 and name.parts[0] in word_set("dated")
    if not alone or not (text or name.numeric):
        return None
    return _of_verb(name, by_past(name.parts[0]), "date" if text else "year")


def _first_or_last(name: PropertyName) -> PropertyWords | None:
    """first_published, last_updated, next_scheduled"""
    if len(name.parts) != 2 or name.parts[0] not in ("first", "last", "next"):
        return None
    word, deed = name.parts
    done = surely_done(deed)
    if done is None:
        return None
    if name.numeric and word != "next":
        verb = Verb(*(f"{word} {form}" for form in (done.base, done.past, done.participle)))
        return PropertyWords(f"year of {word} {done.event}", name.kind, verb=verb, year=True)
    if not _tells_time([], name.kind):
        return None
    event = word_map("happenings").get(done.base)
    return name.called(f"{word} {event} date" if event else f"{word}-{deed} date")  # last-updated


def _deed_last(name: PropertyName) -> PropertyWords | None:
    """year_made, date_sent"""
    if len(name.parts) != 2 or name.parts[0] not in ("year", "date", "time"):
        return None
    return _of_verb(name, by_past(name.parts[1]), name.parts[0])


def _planned(name: PropertyName) -> PropertyWords | None:
    """scheduled_for"""
    word, tail = name.parts[0], name.parts[1:]
    if tail != ["for"] or by_past(word) is None or not _tells_time([], name.kind):
        return None
    return name.called(f"{word} {'date' if name.kind is Kind.DATE else 'time'}")


def _deed_with_particle(name: PropertyName) -> PropertyWords | None:
    """picked_up_at"""
    word, tail = name.parts[0], name.parts[1:]
    if not tail or tail[0] not in PARTICLES or not _tells_time(tail[1:], name.kind):
        return None
    verb = by_past(word)
    if verb is None:
        return None
    verb = Verb(*(f"{form} {tail[0]}" for form in (verb.base, verb.past, verb.participle)))
    return _of_verb(name, verb, "time" if tail[1:] == ["at"] else "date")


def _deed_first(name: PropertyName) -> PropertyWords | None:
    """hired_on, opens_at, created"""
    word, tail = name.parts[0], name.parts[1:]
    if not _tells_time(tail, name.kind):
        return None
    verb = by_third(word) or by_past(word)
    if tail in (["on"], ["at"]):
        verb = verb or supposed(word)
        if name.kind is Kind.STRING and verb is not None and verb.base not in word_set("timed"):
            return None
    if tail in (["year"], ["in"]):
        return _of_verb(name, verb, "year")
    clock = name.kind in _CLOCKS or tail in (["at"], ["time"])
    return _of_verb(name, verb, "time" if clock else "date")


_MOMENTS: tuple[Answer, ...] = (
    _place_of_life,
    _date_of_life,
    _dated_alone,
    _first_or_last,
    _deed_last,
    _planned,
    _deed_with_particle,
    _deed_first,
)


def _of_verb(name: PropertyName, verb: Verb | None, what: str) -> PropertyWords | None:
    """The date, time or year, as `what` says, of what a verb names; None where none does."""
    if verb is None:
        return None
    word, tail = name.parts[0], name.parts[1:]
    noun = f"{what} of taking" if verb.base == "take" else f"{verb.event} {what}"
    if verb.participle == word and word in word_set("intended") and what != "year":
        noun = f"{word} {what}"  # promised_date, planned_on
    elif tail in (["on"], ["date"]) and _is_only_named(verb) and is_done(verb.participle):
        noun = f"date {verb.participle}"  # sent_on
    return PropertyWords(noun, name.kind, verb=verb, active=word == verb.third, year=what == "year")


def _is_only_named(verb: Verb) -> bool:
    """Whether what happens is called by the verb alone, and its past form is no regular one."""
    regular = verb.participle.endswith("ed") or verb.base in word_set("gerunds")
    return verb.event == verb.gerund and not regular


def _tells_time(tail: list[str], kind: Kind) -> bool:
    """Whether what follows a verb, and the kind of the values, make it a moment."""
    timely = kind in (*DAYS, *_CLOCKS)
    if not tail:
        return timely
    if tail == ["in"]:
        return kind is Kind.INTEGER
    if tail in (["on"], ["at"]):
        return timely or kind in (Kind.ANY, Kind.STRING)
    return tail in (["date"], ["time"], ["year"])


# Moments that only the values tell of: years of what was done, days and times kept as texts.


def kind_by_values(figures: PropertyStatistics, kind: Kind) -> Kind | None:
    """What the values of a column are by what they look like: INTEGER where numbers may be years,
    DATE, DATETIME or TIME where texts write them; None where they are nothing of that."""
    if kind is Kind.INTEGER and figures.quantiles:
        low, high = figures.quantiles[0], figures.quantiles[-1]
        return Kind.INTEGER if low >= _FIRST and high <= _LAST else None
    texts = [f"{value}" for value in (*figures.sample, *(value for value, _ in figures.common))]
    if kind is not Kind.STRING or not texts:
        return None
    if all(map(_TIME_OF_DAY.fullmatch, texts)):
        return Kind.TIME
    if not figures.dated:
        return None
    return Kind.DATE if len(texts[0]) == len("2024-05-01") else Kind.DATETIME


def year_of_done(parts: Sequence[str]) -> PropertyWords | None:
    """The year of what a name says alone that was done, by its words: joined, left.

    >>> year_of_done(["joined"]).noun, year_of_done(["left"]).noun, year_of_done(["pages"])
    ('year of joining', 'year of leaving', None)
    """
    verb = surely_done(parts[0].lower()) if len(parts) == 1 else None
    if verb is None:
        return None
    return PropertyWords(f"year of {verb.event}", Kind.INTEGER, verb=verb, year=True)


def clock_noun(noun: str) -> str:
    """What a column is called whose texts are times of day; "" where they may be how long it took.

    >>> clock_noun("alarm"), clock_noun("opening time"), clock_noun("lap time")
    ('alarm time', 'opening time', '')
    """
    words = noun.lower().split()
    lasting = {*words} & (word_set("lasting") | word_set("spans_of_time"))
    if lasting or is_plural(noun):
        return ""
    return noun if words[-1] == "time" else f"{noun} time"


def is_deed(parts: Sequence[str]) -> bool:
    """Whether the words of a name say that something was done, alone or on or at a moment."""
    first, *rest = (part.lower() for part in parts)
    return surely_done(first) is not None and rest in ([], ["at"], ["on"])


def ends_in_deed(parts: Sequence[str]) -> bool:
    """Whether the words of a name say what something does, which days make its moment: the end of
    `contract_ends`."""
    verb = by_third(parts[-1].lower()) if len(parts) > 1 else None
    return verb is not None and verb.base in word_map("happenings")
