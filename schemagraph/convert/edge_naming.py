"""Labels of edges that a person would choose, from foreign keys and link tables.

They are UPPER_SNAKE and read like a verb from the source to the target. All of it is by rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from graphmill.english.lists import word_set
from graphmill.english.names import is_agent, singular, words
from graphmill.english.verbs import by_past, by_third
from schemagraph.naming import upper_snake

_ID_WORDS = ("id", "ids", "key", "code", "fk", "ref", "pk", "no", "nr", "num", "number", "uuid")
_PREPOSITIONS_WORDS = """
about after against as at before by during for from in into near of on onto over per through to
under via with
"""
_PREPOSITIONS = frozenset(_PREPOSITIONS_WORDS.split())
_PREFIXES = frozenset({"dim", "fact", "lkp", "lookup", "ref", "tbl"})
_PLACES_WORDS = """
area borough city continent country county district municipality neighborhood neighbourhood
province region state town village zone
"""
_PLACES = frozenset(_PLACES_WORDS.split())
_BRIDGE_WORDS = """
assoc association bridge detail info item join line link list map mapping rel relation
relationship table xref
"""
_BRIDGE = frozenset(_BRIDGE_WORDS.split())
_NOUN_ENDINGS = re.compile(
    r"(ments|tions|sions|ships|ings|ors|ers|ees|ities|ances|ences|ists|ents|ards|ages)$"
)


def reference_label(
    table: str, columns: Sequence[str], parent: str, referenced: Sequence[str]
) -> str:
    """An edge label for a foreign key of `table` to `parent`.

    The column's role names the edge where it has one (`manager_id`, `reports_to`). A column that
    only repeats the parent's name gives HAS_, IN_ (places) or OF_ (a part of the parent), and one
    that repeats the table's own name IS_: the table holds a kind of parent.

    >>> reference_label("store", ["manager_staff_id"], "staff", ["staff_id"])
    'HAS_MANAGER_STAFF'
    >>> reference_label("Employee", ["ReportsTo"], "Employee", ["EmployeeId"])
    'REPORTS_TO'
    >>> reference_label("problems", ["reported_by_staff_id"], "staff", ["staff_id"])
    'REPORTED_BY_STAFF'
    >>> reference_label("devices", ["MadeByStaffID"], "staff", ["StaffID"])
    'MADE_BY_STAFF'
    >>> reference_label("devices", ["ReplacesDeviceID"], "devices", ["DeviceID"])
    'REPLACES_DEVICE'
    >>> reference_label("orders", ["cust_id"], "customers", ["id"])
    'HAS_CUSTOMER'
    >>> reference_label("address", ["city_id"], "city", ["city_id"])
    'IN_CITY'
    >>> reference_label("invoice_items", ["InvoiceId"], "invoices", ["InvoiceId"])
    'OF_INVOICE'
    >>> reference_label("museums", ["museum_id"], "attractions", ["attraction_id"])
    'IS_ATTRACTION'
    >>> reference_label("routes", ["src_apid"], "airports", ["apid"])
    'HAS_SRC_AIRPORT'
    """
    role = _role(columns, parent, referenced)
    target = _target_words(parent)
    if _is_phrase(role):
        return upper_snake(role)
    own = _singular_words(table)
    if role == own and own != target:
        return upper_snake(["is", *target])
    if role != target:
        reads = role[0] in ("is", "has") or (len(role) > 1 and role[0] in _PREPOSITIONS)
        return upper_snake(role if reads else ["has", *role])
    if target[-1] in _PLACES:
        return upper_snake(["in", *target])
    if len(own) > len(target) and own[: len(target)] == target:
        return upper_snake(["of", *target])
    return upper_snake(["has", *target])


def _is_phrase(role: Sequence[str]) -> bool:
    """Whether a role reads as a verb already: `reports to`, `made by staff`, `replaces device`."""
    if len(role) > 1 and (role[-1] in _PREPOSITIONS or _is_doing(role[0])):
        return True
    return any(after in _PREPOSITIONS and _is_done(before) for before, after in pairwise(role))


def _is_doing(word: str) -> bool:
    verb = by_third(word)
    return verb is not None and verb.base not in word_set("also_nouns") | {"be", "have"}


def _is_done(word: str) -> bool:
    verb = by_past(word)
    return word.endswith("ed") or (verb is not None and verb.participle == word)


def _lower(name: str) -> list[str]:
    return [word.lower() for word in words(name)]


def _singular_words(name: str) -> list[str]:
    return [singular(word).lower() for word in words(name)] or ["table"]


def _target_words(parent: str) -> list[str]:
    name_words = _singular_words(parent)
    return name_words[1:] if len(name_words) > 1 and name_words[0] in _PREFIXES else name_words


def _role(columns: Sequence[str], parent: str, referenced: Sequence[str]) -> list[str]:
    """The words a reference's columns add, or the parent's own where they add nothing."""
    target = _target_words(parent)
    pairs = zip(columns, referenced, strict=True)
    own = [(_lower(c), _lower(r)) for c, r in pairs if c.casefold() != r.casefold()]
    if len(columns) > 1:  # a role is what stands before the name that is referenced
        before = [c[: -len(r)] for c, r in own if r and c[-len(r) :] == r]
        before = [role for role in before if [singular(word) for word in role] != target]
        return [*before[0], *target] if before else target
    if not own:
        return target
    parts, there = own[0]
    if parts and parts[0] == "fk":
        parts = parts[1:]
    if len(parts) > len(there) > 0 and parts[-len(there) :] == there and there[0] not in _ID_WORDS:
        parts = [*parts[: -len(there)], *target]
    while parts and parts[-1] in _ID_WORDS:
        parts = parts[:-1]
    if not parts:
        return target
    if parts[-1] in _PREPOSITIONS:
        return parts
    parts[-1] = singular(parts[-1])
    if len(parts) == 1:
        word, joined = parts[0], "".join(target)
        stems = [word, *(word.removesuffix(end) for end in _ID_WORDS)]
        if any(len(stem) > 1 and joined.startswith(stem) for stem in stems):
            return target
    return parts


def link_label(table: str, source: str, target: str, columns: Sequence[str]) -> str:
    """An edge label for a link table between `source` and `target`.

    What the table's name says beyond the names of both ends; where that is nothing, HAS_ with
    the target. `columns` are the target end's columns, for a table that links one to itself.

    >>> link_label("playlist_track", "Playlist", "Track", ["TrackId"])
    'HAS_TRACK'
    >>> link_label("student_enrolments", "students", "courses", ["course_id"])
    'ENROLMENT'
    >>> link_label("Order Details", "Orders", "Products", ["ProductID"])
    'HAS_PRODUCT'
    >>> link_label("likes", "person", "person", ["liked_id"])
    'LIKES'
    >>> link_label("pit_stops", "drivers", "races", ["race_id"])
    'PIT_STOP'
    >>> link_label("parties_in_events", "parties", "events", ["event_id"])
    'IN_EVENT'
    >>> link_label("artwork_creators", "artworks", "artists", ["artist_id"])
    'HAS_CREATOR'
    """
    ends = {*_singular_words(source), *_singular_words(target)}
    joined = {"".join(_singular_words(source)), "".join(_singular_words(target))}
    plain = _lower(table)
    rest = [w for w in plain if singular(w) not in ends and singular(w) not in _BRIDGE]
    if len(plain) == 1 and rest and _is_two(plain[0], joined):
        rest = []
    if not rest:
        if source == target:
            role = [w.lower() for w in words(columns[0]) if w.lower() not in _ID_WORDS]
            return upper_snake(["has", *role] if role else ["related", "to"])
        return upper_snake(["has", *_target_words(target)])
    if all(word in _PREPOSITIONS or word == "has" for word in rest):
        return upper_snake([*rest, *_target_words(target)])
    if _names_an_agent(table, source, target):
        return upper_snake(["has", *map(singular, rest)])
    if len(rest) > 1 or _NOUN_ENDINGS.search(rest[-1]):
        rest[-1] = singular(rest[-1])
    return upper_snake(rest)


def _is_two(word: str, joined: set[str]) -> bool:
    return any(
        word in (one + two, one + two + "s", one + "s" + two, one + "s" + two + "s")
        for one in joined
        for two in joined
    )


def runs_backwards(table: str, first: str, second: str) -> bool:
    """Whether a link table should run from `second` to `first`, its foreign keys in column order.

    A table called by both ends runs as it says; else it runs from who acts to what is acted on.

    >>> runs_backwards("film_actors", "actor", "film")
    True
    >>> runs_backwards("writes", "paper", "author"), runs_backwards("made_by", "song", "singer")
    (True, False)
    >>> runs_backwards("club_members", "student", "club")
    True
    """
    one, two, name = _singular_words(first), _singular_words(second), _singular_words(table)
    if name in (one + two, two + one):
        return name != one + two
    if _names_an_agent(table, first, second) or name[-1] == "by":
        return is_agent(one[-1]) and not is_agent(two[-1])
    return is_agent(two[-1]) and not is_agent(one[-1])


def _names_an_agent(table: str, source: str, target: str) -> bool:
    """Whether a link table is called by what one of its ends is to the other: `club_members`."""
    ends = [_singular_words(source), _singular_words(target)]
    name = _singular_words(table)
    acts = [is_agent(end[-1]) for end in ends]
    return sum(acts) == 1 and is_agent(name[-1]) and name[-1] not in (*ends[0], *ends[1])
