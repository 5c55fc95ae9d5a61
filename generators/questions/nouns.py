"""Nouns for labels and properties: what a name means in English, with its unit and kind."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import takewhile

from generators.questions.english import a, is_plural, plural
from generators.questions.lists import word_map, word_set
from generators.questions.verbs import Verb, by_base, by_past, by_third, supposed
from schemagraph.english import is_agent
from schemagraph.model import ANY, NUMERIC, Kind, Type
from schemagraph.naming import singular, words

_ADJECTIVE_END = re.compile(r"(?:able|ible|al|ive|ous|ful|less|ic|ary|ent|ant)$")
_SPELT = re.compile(r"[bcdfghjklmnpqrstvwxz]{2,4}")  # no word without a vowel: "HS"
_ID_WORDS = frozenset({"id", "ids"})
_DATED = frozenset({"date", "datetime", "timestamp", "birthday"})
_NAMES = frozenset({"name", "title", "full name", "user name"})


@dataclass(frozen=True, slots=True)
class PropertyWords:
    """How to speak of a property.

    `noun` is what it is called; `unit` what its numbers are in. `verb` is set for moments that a
    verb names (`hired_on`), `active` when its subject does it (`opens_on`). `adjective` is set for
    flags that are adjectives. `identity` properties name their owner; `year` values are years;
    `raw` nouns are names as in the query.
    """

    noun: str
    kind: Kind = Kind.ANY
    unit: str = ""
    verb: Verb | None = None
    active: bool = False
    adjective: str = ""
    identity: bool = False
    year: bool = False
    place: bool = False
    reference: bool = False
    raw: bool = False

    @property
    def plural(self) -> bool:
        """Whether the noun is a plural: `annual visitors`. A bare name is none."""
        return not self.raw and is_plural(self.noun)

    @property
    def full(self) -> str:
        """The noun with its unit: `height in cm`."""
        if self.plural and self.numeric and not self.unit:
            return f"number of {self.noun}"
        return f"{self.noun} in {self.unit}" if self.unit else self.noun

    @property
    def several(self) -> bool:
        """Whether `full` is a plural: "details", but not "number of visitors"."""
        return self.plural and (not self.numeric or bool(self.unit))

    @property
    def numeric(self) -> bool:
        """Whether values are numbers that are counted or measured."""
        return self.kind in NUMERIC and not self.year and not self.reference

    @property
    def temporal(self) -> bool:
        """Whether values are moments, if only by the name of a text."""
        said = self.noun.split()
        timed = said[-1] == "time" and said[0] not in word_set("lasting")
        named = timed or said[-1] in _DATED or said[0] == "date" or said in (["start"], ["end"])
        named = named and self.kind is Kind.STRING and not self.raw
        return named or self.kind in (Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME)

    @property
    def textual(self) -> bool:
        """Whether values are texts that are no moments: their order is the alphabet's."""
        return self.kind is Kind.STRING and not self.temporal

    @property
    def timely(self) -> bool:
        """Whether values are earlier and later."""
        return self.temporal or self.year or self.clock

    @property
    def clock(self) -> bool:
        """Whether values are times of day."""
        return self.kind in (Kind.TIME, Kind.ZONED_TIME)


def of_many(words: PropertyWords | None, name: str) -> PropertyWords | None:
    """The words of an aggregate: "the average number of visitors is", a total of years is none."""
    if words is None:
        return None
    year = words.year and name != "sum"
    return replace(words, raw=not words.temporal, unit="", year=year)


def spoken(name: str) -> list[str]:
    """The words of a name in lower case, acronyms and abbreviations as people write them.

    >>> spoken("CustomerID"), spoken("unit_qty"), spoken("GDP_per_capita")
    (['customer', 'ID'], ['unit', 'quantity'], ['GDP', 'per', 'capita'])
    """
    return list(_spoken(name))


_CALENDAR = frozenset(
    f"{day}day" for day in ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
)


@cache
def _spoken(name: str) -> tuple[str, ...]:
    found: list[str] = []
    parts = split(name)
    for place, word in enumerate(parts):
        low = word.lower()
        if low in word_set("acronyms") and not (low in ("it", "us", "pos") and len(parts) > 1):
            found.append("IDs" if low == "ids" else word.upper())
        elif low in word_map("abbreviations") and not _initials(name, parts, place):
            found.extend(word_map("abbreviations")[low].split())
        elif word.isupper() and len(word) > 1 and not name.isupper() and (place or len(word) < 5):
            found.append(word)
        elif low.removesuffix("s") in _CALENDAR:
            found.append(low.capitalize())
        elif _SPELT.fullmatch(low) and low not in word_map("units"):
            found.append(word.upper())
        else:
            found.extend(_apart(low))
    found = [word for place, word in enumerate(found) if not place or found[place - 1] != word]
    if found[-2:] in (["f", "name"], ["l", "name"]):
        found[-2] = "first" if found[-2] == "f" else "last"
    return tuple(found)


def _initials(name: str, parts: list[str], place: int) -> bool:
    """Whether a word is some body's initials, not an abbreviation: ACC_Home."""
    word = parts[place]
    return len(word) == 3 and word.isupper() and not name.isupper() and not place and len(parts) > 1


def split(name: str) -> list[str]:
    """The words of a name as it has them; a unit with capitals inside is one.

    >>> split("ROM_MiB"), split("birthDate")
    (['ROM', 'MiB'], ['birth', 'Date'])
    """
    head, _, tail = name.rpartition("_")
    if head and tail.lower() in word_map("units"):
        return [*words(head), tail]
    return words(name)


def _apart(word: str) -> list[str]:
    """The two words of a name that writes them together.

    >>> _apart("hiredate"), _apart("candidate"), _apart("jobcode")
    (['hire', 'date'], ['candidate'], ['job', 'code'])
    >>> _apart("partitionid"), _apart("hybrid")
    (['partition', 'ID'], ['hybrid'])
    """
    if word.endswith("id") and len(word) > 6 and word not in word_set("no_ids"):
        return [word.removesuffix("id"), "ID"]
    for end in word_set("compound_ends"):
        if word.endswith(end) and word.removesuffix(end) in word_set("compound_starts"):
            return _spoken_word(word.removesuffix(end)) + _spoken_word(end)
    return [word]


def _spoken_word(word: str) -> list[str]:
    return ["ID"] if word == "id" else ["number"] if word == "no" else [word]


def node_noun(label: str) -> str:
    """The noun for one node of a label.

    >>> node_noun("OrderDetail"), node_noun("Staff"), node_noun("PERSON"), node_noun("Countries")
    ('order detail', 'staff member', 'person', 'country')
    >>> node_noun("Undergoes"), node_noun("Prescribe"), node_noun("Order")
    ('undergoes record', 'prescribe record', 'order')
    """
    parts = spoken(label)
    if not parts:
        return label
    parts[-1] = singular(parts[-1])
    if len(parts) == 1 and _only_verb(parts[0]):
        parts = [label.lower() if by_third(label.lower()) else parts[0], "record"]
    if parts[-1] in ("staff", "personnel", "crew"):
        parts.append("member")
    elif parts[-1].lower() in word_set("masses"):
        parts.append("item")
    return " ".join(parts)


def _only_verb(word: str) -> bool:
    """Whether a label is a verb and no noun: what joins two things."""
    verb = by_base(word) or by_third(word)
    if verb is None or verb.base in word_set("also_nouns") or is_person(word):
        return False
    return verb.base in word_map("deeds") or by_base(word) is None


def half_name(noun: str) -> str:
    """Which half of a person's name a property is: "first", "last", or none.

    >>> half_name("forename"), half_name("family name"), half_name("full name")
    ('first', 'last', '')
    """
    if noun in ("first name", "forename", "given name"):
        return "first"
    return "last" if noun in ("last name", "surname", "family name") else ""


def is_person(noun: str) -> bool:
    """Whether a noun is for people, who are "who" and not "that".

    >>> is_person("staff member"), is_person("support representative"), is_person("computer")
    (True, True, False)
    """
    last = noun.rpartition(" ")[2]
    return last in word_set("people") or (
        last.endswith(("man", "woman", "person")) and last not in word_set("no_men")
    )


def property_words(name: str, type_: Type = ANY, owner: str = "") -> PropertyWords:
    """How to speak of the property `name` of a node or edge whose noun is `owner`.

    >>> property_words("height_cm", Type(Kind.FLOAT)).full
    'height in cm'
    >>> property_words("hired_on", Type(Kind.DATE)).noun, property_words("opens_at").noun
    ('hiring date', 'opening time')
    >>> property_words("artist_name", Type(Kind.STRING), "artist").noun
    'name'
    >>> property_words("city", Type(Kind.STRING), "city").noun, property_words("eid").noun
    ('name', 'eid')
    >>> property_words("building_full_name", owner="apartment building").noun
    'full name'
    >>> [property_words(n, Type(Kind.DATETIME)).noun for n in ("picked_up_at", "last_seen")]
    ['pick-up time', 'last-seen date']
    >>> property_words("outstanding", Type(Kind.FLOAT)).noun
    'outstanding amount'
    >>> property_words("x", Type(Kind.FLOAT)).noun, property_words("alid", owner="airline").noun
    ('x value', 'ID')
    """
    parts = spoken(name)
    if not parts:
        return PropertyWords(name, type_.kind)
    own = owner.lower().split()
    whole, parts = parts, _without_owner(parts, own)
    if len(parts) > 1 and parts[-1].lower() in word_set("flag_codes"):
        parts = parts[:-1]
    kind = type_.kind
    if len(parts) == 2 and "date" in parts and {*parts} & _ENDS.keys():
        end = next(part for part in parts if part in _ENDS)
        return PropertyWords(f"{_ENDS[end]} date", kind)
    if len(parts) == 1 and parts[0] in _BARE:
        what = "year" if kind is Kind.INTEGER else _BARE[parts[0]]
        noun = f"start {what}" if parts[0] in ("since", "from") else what
        noun = f"end {what}" if parts[0] in ("until", "to") else noun
        if len(whole) > 1 and noun != what:
            noun = f"{noun} as {a(' '.join(whole[:-1]))}"  # customer_since
        return PropertyWords(noun, kind, year=kind is Kind.INTEGER)
    if [part.lower() for part in parts] == own and type_.kind is Kind.STRING:
        return PropertyWords("name", Kind.STRING, identity=True)  # the city of a city
    if len(parts) == 1 and _own_id(parts[0], own):
        return PropertyWords("ID", kind, reference=True)
    if len(parts) == 1 and own and _own_name(parts[0].lower(), own):
        return PropertyWords("name", kind, identity=kind in (Kind.STRING, Kind.ANY))
    if len(parts) == 1 and kind in NUMERIC and name.lower() in word_map("measured"):
        return PropertyWords(word_map("measured")[parts[0]], kind, parts[0])
    parts = parts[:-1] + word_map("contacts").get(parts[-1], parts[-1]).split(" ")
    unit, parts = _unit(name, parts, kind)
    if len(parts) > 1 and kind is not Kind.BOOLEAN and parts[0] in ("is", "if", "whether"):
        return PropertyWords(f"{_joined(parts[1:])} flag", kind)  # kept as a text or a number
    if len(parts) == 2 and kind is Kind.STRING and parts[0] in ("on", "in", "under"):
        return PropertyWords(f"{'-'.join(parts)} flag", kind)
    if len(parts) == 2 and parts[1] == "by" and (doing := by_past(parts[0])) is not None:
        return PropertyWords(doing.agent, kind)  # directed_by
    if kind is Kind.STRING and len(parts) > 1 and parts[-1] in word_set("decided"):
        return PropertyWords(f"{'-'.join(parts)} flag", kind)  # FDA_approved
    if parts[-1] == "since" and len(parts) == 2 and kind in _DAYS:
        begun = by_past(parts[0])
        if begun is not None:
            event = word_map("deeds").get(begun.base, begun.gerund)
            return PropertyWords(f"{event} start date", kind)  # employed_since
        return PropertyWords(f"start date as {a(parts[0])}", kind)  # customer_since
    if len(parts) == 3 and parts[0] in ("date", "time") and by_base(parts[2]) is None:
        done_then = by_past(parts[2]) if by_past(parts[1]) is None else None
        if done_then is not None:  # date_order_placed
            event = f" {done_then.event}" if done_then.base != "make" else ""  # date_payment_made
            return PropertyWords(f"{parts[1]}{event} {parts[0]}", kind)
    if len(parts) > 2 and parts[0] == "date" and parts[-1] == "available":
        about = [part for part in parts[1:-1] if part not in own]
        return PropertyWords(" ".join([*about, "availability date"]), kind)
    if len(parts) == 2 and parts[0] == "amount" and by_past(parts[1]) is None:
        parts = parts[::-1]  # amount_payment
    if len(parts) == 2 and "year" in parts and kind in (*NUMERIC, Kind.STRING):
        doing = by_base(next((part for part in parts if part != "year"), ""))
        if doing is not None and (parts[0] == "year" or parts[0] == "open"):
            return PropertyWords(f"{doing.gerund} year", kind, year=kind in NUMERIC)  # year_join
    moment = _moment(parts, kind)
    if moment is not None:
        return moment
    if kind is Kind.BOOLEAN:
        return _flag(parts, owner)
    noun = _joined(parts)
    if len(parts) > 1 and parts[-1] in ("before", "until", "after"):  # best_before
        if kind in (Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME):
            noun = f"{'-'.join(parts)} date"
        elif unit:
            noun = f"{'-'.join(parts)} period"
    last = parts[-1].lower()
    if noun == "long" and kind in NUMERIC:
        noun = "longitude"
    if len(noun) == 1:
        noun = f"{noun} value"  # an axis
    if kind in NUMERIC and last in _OPEN_SUMS:
        noun = f"{noun} amount"
    if len(parts) == 1 and kind in NUMERIC and last in word_set("victims"):
        noun = f"number {noun}"
    done = kind is Kind.STRING and by_past(last) is not None and by_base(last) is None
    plain = last in word_set("adjectives") and (
        kind is Kind.STRING or last not in word_set("no_flags")
    )
    if len(parts) == 1 and (plain or done):
        noun = f"{noun} flag"  # a flag kept as a text or a number
    return PropertyWords(
        noun,
        kind,
        unit,
        identity=noun in _NAMES and kind in (Kind.STRING, Kind.ANY),
        year=kind in (*NUMERIC, Kind.ANY) and _years(parts),
        place=last in word_set("places"),
        reference=last in _ID_WORDS or last in ("code", "key", "number"),
    )


def _years(parts: list[str]) -> bool:
    """Whether the values are years: `year_of_birth`, not `rank_of_the_year`."""
    ends = parts[-1].lower() == "year" and "of" not in parts
    return (parts[0] == "year" or ends) and "per" not in parts


def _without_owner(parts: list[str], own: list[str]) -> list[str]:
    """The words without the owner's noun, or the end of it, before them."""
    head = list(takewhile(lambda word: word not in word_set("prepositions"), own))
    if head[-1:] == ["member"] and head[-2:-1] in (["staff"], ["crew"], ["personnel"]):
        head = head[:-1]
    for tail in (own, *(head[start:] for start in range(len(head)))):
        if tail and len(parts) > len(tail) and [p.lower() for p in parts[: len(tail)]] == tail:
            rest = parts[len(tail) :]
            return ["number"] if rest == ["no"] else rest
    return parts


_HOW = frozenset(
    {"still", "currently", "now", "fully", "highly", "very", "most", "not", "on", "in"}
)
_DAYS = (Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME)
_ENDS = {"from": "start", "since": "start", "to": "end", "until": "end"}
_BARE = {"since": "date", "from": "date", "until": "date", "to": "date", "at": "time", "on": "date"}


def _own_id(word: str, owner: list[str]) -> bool:
    """Whether the word is the owner's key under a short name: `eid` of an employee."""
    short = word.lower().removesuffix("id")
    if not owner or short == word.lower() or not 0 < len(short) < 4:
        return False
    return word.lower() not in word_set("no_ids") and abbreviates(short, " ".join(owner))


def _own_name(word: str, owner: list[str]) -> bool:
    """Whether the word is the owner's name with letters of the owner before it: `bname`."""
    short = word.removesuffix("name")
    if not 0 < len(short) < 4 or short == word:
        return False
    return abbreviates(short, " ".join(owner)) or abbreviates(short, owner[-1])


def abbreviates(short: str, noun: str) -> bool:
    """Whether letters are a short form of a noun: its first letter and some of the others.

    >>> abbreviates("apt", "apartment"), abbreviates("li", "line item"), abbreviates("ea", "area")
    (True, True, False)
    """
    rest = iter(noun.casefold())
    short = short.casefold()
    return noun[:1].casefold() == short[:1] and all(letter in rest for letter in short)


def _unit(name: str, parts: list[str], kind: Kind) -> tuple[str, list[str]]:
    """The unit that the last word names, and the words without it."""
    last = split(name)[-1].lower()
    scale = word_map("scales").get(last, "")
    known = last in word_map("units") or scale
    if len(parts) < 2 or not known or kind not in (*NUMERIC, Kind.ANY):
        return "", parts
    expanded = len(word_map("abbreviations").get(last, last).split())
    rest = parts[:-expanded]
    unit = scale or word_map("units")[last]
    if len(rest) > 1 and not scale and rest[-1] in word_map("scales"):
        unit, rest = f"{word_map('scales')[rest[-1]]} {unit}", rest[:-1]
    if len(rest) > 1 and rest[-1] == "in":
        rest = rest[:-1]
    done = rest and by_past(rest[-1]) is not None and by_base(rest[-1]) is None
    if done or (rest and (rest[-1] in word_set("adjectives") or _ADJECTIVE_END.search(rest[-1]))):
        return "", parts
    if rest and unit == "percent" and is_plural(rest[-1]):
        return "", [*rest, "percentage"]  # all_games_percent
    return (unit, rest) if rest else ("", parts)


_OPEN_SUMS = frozenset({"outstanding", "remaining"})
_PARTICLES = frozenset({"back", "down", "in", "off", "out", "over", "up"})
_LIFE = {"birth": "born", "death": "died"}


def _moment(parts: list[str], kind: Kind) -> PropertyWords | None:
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
    elif word in ("first", "last", "next") and len(tail) == 1 and _tells_time([], kind):
        named = by_past(tail[0])
        if named is not None and by_base(tail[0]) is None:
            event = word_map("happenings").get(named.base)
            said = f"{word} {event}" if event else f"{word}-{tail[0]}"  # last-updated
            return PropertyWords(f"{said} date", kind)
    elif word in ("year", "date", "time") and len(tail) == 1:
        verb, what = by_past(tail[0]), word
    elif tail[:1] and tail[0] in _PARTICLES and _tells_time(tail[1:], kind):
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


def _flag(parts: list[str], owner: str = "") -> PropertyWords:
    """A boolean: an adjective, or something that one has."""
    if parts[0] in ("is", "are", "was", "were") and len(parts) > 1:
        return PropertyWords(_joined(parts[1:]), Kind.BOOLEAN, adjective=_joined(parts[1:]))
    if parts[0] in ("in", "on", "under", "at", "within", "out") and len(parts) > 1:
        said = " ".join(parts)
        return PropertyWords(said, Kind.BOOLEAN, adjective=said)  # in_tolerance
    if parts[0] in ("has", "have", "with") and len(parts) > 1:
        return PropertyWords(_joined(parts[1:]), Kind.BOOLEAN)
    noun, last = _joined(parts), parts[-1]
    if is_person(owner) and (is_person(last) or is_agent(last)):
        return PropertyWords(noun, Kind.BOOLEAN, adjective=a(noun))  # smoker
    passive = by_past(last) is not None and by_base(last) is None
    if last == "only" and len(parts) > 1:
        only = "-".join(parts)
        return PropertyWords(only, Kind.BOOLEAN, adjective=only)
    if last in ("ok", "okay") and len(parts) > 1:
        said = f"ok in {_joined(parts[:-1])}"
        return PropertyWords(said, Kind.BOOLEAN, adjective=said)
    adjective = (
        last in word_set("adjectives")
        or passive
        or (last.endswith("ing") and by_base(last) is None and len(parts) == 1)
        or (_ADJECTIVE_END.search(last) is not None and last not in word_set("no_adjectives"))
    )
    if last in word_set("adjectives") and len(parts) == 2 and not passive and parts[0] not in _HOW:
        return PropertyWords(f"{last} {parts[0]}", Kind.BOOLEAN)  # exploit_public
    if adjective and len(parts) > 1 and passive:
        noun = "-".join(parts) if len(parts) == 2 else noun
    return PropertyWords(noun, Kind.BOOLEAN, adjective=noun if adjective else "")


def _joined(parts: list[str]) -> str:
    """Words as one noun phrase: `number of stops` for num_stops."""
    if parts[:2] == ["how", "to"] and len(parts) > 2:
        return " ".join(["way", *parts[1:]])
    if parts[1:2] == ["of"] and parts[0] in ("number", "nb", "n", "no", "count"):
        return " ".join(["number", *parts[1:]])
    if len(parts) == 3 and parts[0] == "number" and by_past(parts[2]) and not by_past(parts[1]):
        return f"number of {plural(parts[1])} {parts[2]}"  # number_city_affected
    if parts[0] in ("number", "nb", "n", "no", "count") and len(parts) > 1 and is_plural(parts[-1]):
        return f"number of {' '.join(parts[1:])}"
    if len(parts) > 1 and parts[-1] == "no":
        parts = [*parts[:-1], "number"]
    return " ".join(parts)
