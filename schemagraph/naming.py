"""Names of a graph made from names of tables and columns: labels, properties, edge labels.

Conventions: node labels in PascalCase and singular, edge labels in UPPER_SNAKE and read like a
verb, properties as the columns are called where that is an identifier. All of it is by rule, so
the same source gets the same names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

_LONGEST = 60

_IRREGULAR = {
    "aliases": "alias",
    "atlases": "atlas",
    "avalanches": "avalanche",
    "axes": "axis",
    "biases": "bias",
    "bonuses": "bonus",
    "buses": "bus",
    "caches": "cache",
    "calories": "calorie",
    "calves": "calf",
    "campuses": "campus",
    "canvases": "canvas",
    "censuses": "census",
    "children": "child",
    "cookies": "cookie",
    "criteria": "criterion",
    "emus": "emu",
    "feet": "foot",
    "gases": "gas",
    "geese": "goose",
    "gurus": "guru",
    "halves": "half",
    "heroes": "hero",
    "indices": "index",
    "knives": "knife",
    "leaves": "leaf",
    "lies": "lie",
    "lives": "life",
    "loaves": "loaf",
    "matrices": "matrix",
    "men": "man",
    "menus": "menu",
    "mice": "mouse",
    "movies": "movie",
    "niches": "niche",
    "oxen": "ox",
    "people": "person",
    "phenomena": "phenomenon",
    "pies": "pie",
    "potatoes": "potato",
    "quizzes": "quiz",
    "rookies": "rookie",
    "selfies": "selfie",
    "shelves": "shelf",
    "statuses": "status",
    "teeth": "tooth",
    "thieves": "thief",
    "ties": "tie",
    "tomatoes": "tomato",
    "vertices": "vertex",
    "viruses": "virus",
    "wives": "wife",
    "wolves": "wolf",
    "women": "woman",
    "zombies": "zombie",
}
_ES_IS = {
    "analyses",
    "crises",
    "diagnoses",
    "hypotheses",
    "oases",
    "parentheses",
    "syntheses",
    "theses",
}
_INVARIANT = {
    "alias",
    "always",
    "athletics",
    "atlas",
    "bias",
    "canvas",
    "chaos",
    "christmas",
    "corps",
    "cosmos",
    "gas",
    "goods",
    "headquarters",
    "kudos",
    "lens",
    "lyrics",
    "means",
    "news",
    "pants",
    "premises",
    "series",
    "species",
    "yes",
}
_ICS_PLURAL = {"clinics", "comics", "critics", "fabrics", "graphics", "metrics", "topics"}
_SHORT_PLURAL = {"ads", "cds", "ids", "pcs", "tvs"}

_MODIFIERS = frozenset(
    """arms communications customs earnings operations rights sales savings sports
    systems""".split()  # noqa: SIM905
)
_ID_WORDS = ("id", "ids", "key", "code", "fk", "ref", "pk", "no", "nr", "num", "number", "uuid")
_PREPOSITIONS = frozenset(
    """about after against as at before by during for from in into near of on onto over per
    through to under via with""".split()  # noqa: SIM905
)
_PREFIXES = frozenset({"dim", "fact", "lkp", "lookup", "ref", "tbl"})
_PLACES = frozenset(
    """area borough city continent country county district municipality neighborhood
    neighbourhood province region state town village zone""".split()  # noqa: SIM905
)
_BRIDGE = frozenset(
    """assoc association bridge detail info item join line link list map mapping rel relation
    relationship table xref""".split()  # noqa: SIM905
)
_AGENTS = frozenset(
    """actress agent applicant artist assistant candidate chef child client coach company
    consultant employee expert faculty guest guide host individual man member nurse owner parent
    participant patient people performer person physician pilot president resident scientist
    staff student tenant tourist user woman""".split()  # noqa: SIM905
)
_NO_AGENTS = frozenset(
    """center centre chapter charter color computer container door error factor filter floor
    folder layer letter meter monitor motor newsletter number offer order paper paragraph
    parameter poster power printer quarter register river sector sensor server supplier theater
    tower transfer vector water weather""".split()  # noqa: SIM905
)
_NOUN_ENDINGS = re.compile(
    r"(ments|tions|sions|ships|ings|ors|ers|ees|ities|ances|ences|ists|ents|ards|ages)$"
)


def words(name: str) -> list[str]:
    """The words of a name, split at separators and at changes of case.

    >>> words("order_details"), words("CustomerID"), words("HTTPServer log"), words("SUPPORT_REP")
    (['order', 'details'], ['Customer', 'ID'], ['HTTP', 'Server', 'log'], ['SUPPORT', 'REP'])
    """
    found: list[str] = []
    for part in re.split(r"[\W_]+", name):
        start = 0
        for i in range(1, len(part)):
            rises = part[i].isupper() and (part[i - 1].islower() or part[i - 1].isdigit())
            new_word = (
                part[i - 1].isupper()
                and part[i].isupper()
                and i + 1 < len(part)
                and part[i + 1].islower()
            )
            if rises or new_word:
                found.append(part[start:i])
                start = i
        found.append(part[start:])
    return [word for word in found if word]


def singular(word: str) -> str:
    """The singular of an English noun where a safe rule gives it, else the word itself.

    >>> [singular(w) for w in ("categories", "address", "status", "boxes", "Movies", "analysis")]
    ['category', 'address', 'status', 'box', 'Movie', 'analysis']
    >>> [singular(w) for w in ("series", "news", "people", "ADDRESSES", "sizes", "主公")]
    ['series', 'news', 'person', 'ADDRESS', 'size', '主公']
    """
    low = word.lower()
    if not word.isascii() or not word.isalpha():
        return word
    if low in _IRREGULAR:
        return _cased(_IRREGULAR[low], word)
    if low in _ES_IS:
        return word[:-2] + _cased("is", word[-2:])
    if low in _INVARIANT or not low.endswith("s") or low.endswith(("ss", "us", "is")):
        return word
    if (low.endswith("ics") and low not in _ICS_PLURAL) or low.endswith("goes"):
        return word
    if len(low) <= 3:
        return word[:-1] if low in _SHORT_PLURAL else word
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + ("Y" if word.isupper() else "y")
    if low.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


def _cased(word: str, like: str) -> str:
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[:1].isupper() else word


def label(table: str) -> str:
    """A node label for a table: PascalCase, nouns in the singular.

    >>> [label(t) for t in ("order details", "FILM_ACTOR", "TVChannel", "主公", "2nd_hand_cars")]
    ['OrderDetail', 'FilmActor', 'TVChannel', '主公', 'T2ndHandCar']
    >>> [label(t) for t in ("customers_cards", "sales_people", "tblProducts", "Has")]
    ['CustomerCard', 'SalesPerson', 'Product', 'Has']
    """
    parts = words(table)
    if len(parts) > 1 and parts[0].lower() == "tbl":
        parts = parts[1:]
    if not parts:
        return "Table"
    last = len(parts) - 1
    parts = [
        word if n < last and word.lower() in _MODIFIERS else singular(word)
        for n, word in enumerate(parts)
    ]
    shouting = not any(letter.islower() for letter in table)
    text = "".join(
        part[:1].upper() + (part[1:].lower() if shouting else part[1:]) for part in parts
    )
    return _identifier(text, "T") if text else "Table"


def property_name(column: str) -> str:
    """A property name for a column: itself, where it is an identifier.

    >>> [property_name(c) for c in ("first_name", "Unit Price", "2nd", "%", "größe", "a.b")]
    ['first_name', 'Unit_Price', 'p_2nd', 'p', 'größe', 'a_b']
    """
    if column.isidentifier():
        return column
    text = re.sub(r"\W+", "_", column).strip("_")
    return _identifier(text, "p_" if text else "p")


def _identifier(text: str, prefix: str) -> str:
    """`text` without what no identifier has (`²` is a word's character), begun as one begins.

    It is cut where names of files made of it would get too long.
    """
    kept = "".join(letter for letter in text if f"a{letter}".isidentifier())[:_LONGEST]
    return kept if kept.isidentifier() else prefix + kept


def upper_snake(parts: Iterable[str]) -> str:
    """Words as UPPER_SNAKE.

    >>> upper_snake(["reports", "To"])
    'REPORTS_TO'
    >>> upper_snake(["2nd", "floor"])
    'E_2ND_FLOOR'
    """
    return _identifier("_".join(part.upper() for part in parts), "E_")


def distinct(name: str, taken: Iterable[str]) -> str:
    """`name`, or with a number, so that it differs from all of `taken` even without case.

    >>> distinct("Name", ["name", "name_2"])
    'Name_3'
    """
    folded = {other.casefold() for other in taken}
    if name.casefold() not in folded:
        return name
    number = 2
    while f"{name}_{number}".casefold() in folded:
        number += 1
    return f"{name}_{number}"


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
    """Whether a role reads as a verb already: `reports to`, `assigned to staff`."""
    if len(role) > 1 and role[-1] in _PREPOSITIONS:
        return True
    return any(before.endswith("ed") and after in _PREPOSITIONS for before, after in pairwise(role))


def _lower(name: str) -> list[str]:
    return [word.lower() for word in words(name)]


def _singular_words(name: str) -> list[str]:
    return [singular(word).lower() for word in words(name)] or ["table"]


def _target_words(parent: str) -> list[str]:
    found = _singular_words(parent)
    return found[1:] if len(found) > 1 and found[0] in _PREFIXES else found


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
        return _is_agent(one[-1]) and not _is_agent(two[-1])
    return _is_agent(two[-1]) and not _is_agent(one[-1])


def _names_an_agent(table: str, source: str, target: str) -> bool:
    """Whether a link table is called by what one of its ends is to the other: `club_members`."""
    ends = [_singular_words(source), _singular_words(target)]
    name = _singular_words(table)
    acts = [_is_agent(end[-1]) for end in ends]
    return sum(acts) == 1 and _is_agent(name[-1]) and name[-1] not in (*ends[0], *ends[1])


def _is_agent(word: str) -> bool:
    if word in _AGENTS:
        return True
    return word not in _NO_AGENTS and bool(re.search(r"(er|or|ist|ian)$", word))
