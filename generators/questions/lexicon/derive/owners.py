"""Names that hold their owner's: the city of a city, `emp_name`, `flno` of a flight."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from generators.questions.lexicon.derive.property_words import (
    PropertyName,
    PropertyWords,
    surely_done,
)
from graphmill.english.lists import word_map, word_set
from graphmill.english.spoken import abbreviates
from schemagraph.model import Kind

_CLIPPED = 3  # letters, up to which the start of a word says nothing


def owner_first(name: PropertyName) -> PropertyName:
    """A name without its owner's noun, the end of it, or the start of its word, before it."""
    return replace(name, whole=name.parts, parts=_without_owner(name.parts, name.own))


def _without_owner(parts: list[str], own: list[str]) -> list[str]:
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
            if len(rest) == 2 and rest[1] in word_map("units") and surely_done(rest[0]):
                return parts  # budget_invested_percent
            return ["number"] if rest == ["no"] else rest
    return parts


def owner_alone(name: PropertyName) -> PropertyWords | None:
    """The city of a city, the closing code of a closing code."""
    if [part.lower() for part in name.parts] == name.own and name.kind is Kind.STRING:
        noun = "code" if name.own[-1] == "code" else "name"
        return PropertyWords(noun, Kind.STRING, identity=True)
    return None


def short_key(name: PropertyName) -> PropertyWords | None:
    """The owner's key under a short name: `eid` of an employee."""
    short = _before("id", name)
    if not 0 < len(short) < 4 or not name.own or name.last in word_set("no_ids"):
        return None
    if not abbreviates(short, " ".join(name.own)):
        return None
    return PropertyWords("ID", name.kind, reference=True)


def short_number(name: PropertyName) -> PropertyWords | None:
    """The owner's number under a short name: `flno` of a flight."""
    short = _before("no", name)
    if 1 < len(short) < 4 and name.own and abbreviates(short, name.own[-1]):
        return PropertyWords("number", name.kind, reference=True)
    return None


def short_name_of_owner(name: PropertyName) -> PropertyWords | None:
    """The owner's name with letters of the owner before it: `bname`."""
    short = _before("name", name)
    if not 0 < len(short) < 4 or not name.own:
        return None
    if not abbreviates(short, " ".join(name.own)) and not abbreviates(short, name.own[-1]):
        return None
    return PropertyWords("name", name.kind, identity=name.kind in (Kind.STRING, Kind.ANY))


def _before(end: str, name: PropertyName) -> str:
    """The letters before the end of a name of one word; "" where it ends otherwise."""
    word = name.last
    return word.removesuffix(end) if len(name.parts) == 1 and word.endswith(end) else ""


def own_moment(moment: PropertyWords, own: list[str]) -> PropertyWords:
    """When its owner happened: the offer date of an offer that was made."""
    event, _, what = moment.noun.rpartition(" ")
    what = event if event in ("date", "time") else what  # date given
    if moment.verb is None or not own:
        return moment
    if event == own[-1]:
        return replace(moment, verb=None)  # no treatment is treated
    happens = own[-1] in word_set("events") or own[-1].endswith(("ment", "ing", "tion"))
    if happens and moment.verb.base in ("make", "hold", "give"):
        return replace(moment, noun=f"{own[-1]} {what}")
    return moment
