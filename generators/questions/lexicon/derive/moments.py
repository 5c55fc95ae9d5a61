"""Names of moments: the words of dates and times in the order in which people say them."""

from __future__ import annotations

from generators.questions.lexicon.derive.property_words import PropertyWords
from graphmill.english.inflection import is_done, is_plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.verbs import Verb, by_base, by_past, by_third, supposed
from schemagraph.model import NUMERIC, Kind

PARTICLES = frozenset({"away", "back", "down", "in", "off", "out", "over", "up"})
_WHERE = frozenset({"worldwide", "domestic", "overseas"})
_LIFE = {"birth": "born", "death": "died"}
ENDS = {"from": "start", "since": "start", "to": "end", "until": "end"}
DAYS = (Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME)
BARE = {"since": "date", "from": "date", "until": "date", "to": "date", "at": "time", "on": "date"}


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
    if parts[0] == "date" and len(parts) == 3 and parts[2] in ENDS:
        valid = parts[1] in word_set("adjectives")
        return ["-".join(parts[1:]), "date"] if valid else [parts[1], ENDS[parts[2]], "date"]
    done = by_past(parts[-2]) if parts[-1] == "date" and len(parts) > 2 else None
    if done is not None and by_base(parts[-2]) is None:
        return [*parts[:-2], *([] if done.base == "make" else [done.event]), "date"]
    if len(parts) == 2 and parts[1] in _WHERE:
        return parts[::-1]  # gross_worldwide
    if parts == ["open", "date"]:
        return ["opening", "date"]
    if parts[0] == "valid" and parts[1:] in (["to"], ["until"], ["till"]) and kind in DAYS:
        return ["expiry", "date"]
    if len(parts) == 2 and parts[1] == "date" and parts[0] in word_map("happenings"):
        return [word_map("happenings")[parts[0]], "date"]  # createdate
    ends = by_third(parts[-1])
    if ends is not None and ends.base in word_map("happenings") and kind in (*DAYS, Kind.STRING):
        if parts[-2] == "year":
            return [*parts[:-2], ends.event, "year"]
        return [*parts[:-1], ends.event, "date"]  # certification_expires
    if parts[0] in ("date", "datetime") and _plain_nouns(parts[1:]):
        return [*parts[1:], "time" if parts[0] == "datetime" else "date"]
    superlative = parts[-1] in ("maximum", "minimum", "average", "total")
    if len(parts) == 2 and superlative and is_plural(parts[0]):
        return parts[::-1]
    return parts


def _plain_nouns(words: list[str]) -> bool:
    """Whether words are nouns, not what was done: the start of an incident, not "moved in"."""
    small = word_set("prepositions") | PARTICLES | {"and", "or", "date", "time", "available"}
    return not any(word in small or (by_past(word) and not by_base(word)) for word in words)


def moment_words(parts: list[str], kind: Kind) -> PropertyWords | None:
    """A moment that a verb names: `hired_on`, `opens_at`, `created`, `year_made`, `birth_year`."""
    word, tail = parts[0], parts[1:]
    if word in ("born", "died") and tail == ["in"]:
        return PropertyWords("birthplace" if word == "born" else "place of death", kind)
    verb: Verb | None = None
    what = ""
    if word in _LIFE and tail in (["year"], ["date"]):
        verb, what = by_past(_LIFE[word]), tail[0]
    elif word in word_set("dated") and not tail and kind in (*NUMERIC, Kind.STRING):
        verb, what = by_past(word), "date" if kind is Kind.STRING else "year"
    elif word in ("first", "last") and len(tail) == 1 and kind in NUMERIC:
        named = by_past(tail[0])
        if named is not None and by_base(tail[0]) is None:
            return PropertyWords(f"year of {word} {named.event}", kind, year=True)
    elif word in ("first", "last", "next") and len(tail) == 1 and _tells_time([], kind):
        named = by_past(tail[0])
        if named is not None and by_base(tail[0]) is None:
            event = word_map("happenings").get(named.base)
            modifier = f"{word} {event}" if event else f"{word}-{tail[0]}"  # last-updated
            return PropertyWords(f"{modifier} date", kind)
    elif word in ("year", "date", "time") and len(tail) == 1:
        verb, what = by_past(tail[0]), word
    elif tail == ["for"] and by_past(word) is not None and _tells_time([], kind):
        return PropertyWords(f"{word} {'date' if kind is Kind.DATE else 'time'}", kind)
    elif tail[:1] and tail[0] in PARTICLES and _tells_time(tail[1:], kind):
        verb = by_past(word)
        if verb is not None:  # picked_up_at
            both = (verb.base, verb.past, verb.participle)
            verb = Verb(*(f"{form} {tail[0]}" for form in both))
            what = "time" if tail[1:] == ["at"] else "date"
    elif _tells_time(tail, kind):
        verb = by_third(word) or by_past(word)
        if verb is None and tail in (["on"], ["at"]):
            verb = supposed(word)
        if kind is Kind.STRING and verb is not None and tail in (["on"], ["at"]):
            verb = verb if verb.base in word_set("timed") else None
        clock = kind in (Kind.TIME, Kind.ZONED_TIME) or tail in (["at"], ["time"])
        what = "year" if tail in (["year"], ["in"]) else "time" if clock else "date"
    if verb is None:
        return None
    noun = f"{what} of taking" if verb.base == "take" else f"{verb.event} {what}"
    if verb.event == verb.gerund and verb.base not in word_set("gerunds"):
        if tail in (["on"], ["date"]) and not verb.participle.endswith("ed"):
            noun = f"date {verb.participle}" if is_done(verb.participle) else noun  # sent_on
        elif tail == ["date"]:
            noun = f"{word} date"  # promised_date
    return PropertyWords(noun, kind, verb=verb, active=word == verb.third, year=what == "year")


def _tells_time(tail: list[str], kind: Kind) -> bool:
    """Whether what follows a verb, and the kind of the values, make it a moment."""
    timely = kind in (Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME, Kind.TIME, Kind.ZONED_TIME)
    if not tail:
        return timely
    if tail == ["in"]:
        return kind is Kind.INTEGER
    if tail in (["on"], ["at"]):
        return timely or kind in (Kind.ANY, Kind.STRING)
    return tail in (["date"], ["time"], ["year"])
