"""What a number measures: what its name leaves out, as its unit tells, and nouns of no quantity."""

from __future__ import annotations

from typing import Any

from generators.questions.lexicon.derive.data import head_word, heads, kind_of
from generators.questions.lexicon.model import Role, ThingKind
from graphmill.english.inflection import is_plural, plural
from graphmill.english.lists import word_map, word_set
from graphmill.english.names import singular


def missing_quantity(noun: str, last: str, unit: str) -> str:
    """What a name leaves out that ends in a unit; "" where it leaves out nothing.

    `last` is the word of the unit, `unit` what it stands for.

    >>> missing_quantity("retail", "usd", "dollars"), missing_quantity("loan", "days", "days")
    ('price', 'period')
    >>> missing_quantity("validity", "years", "years")
    'period'
    >>> missing_quantity("tank", "l", "litres"), missing_quantity("engine", "kw", "kW")
    ('capacity', 'power')
    >>> missing_quantity("runway", "m", "metres"), missing_quantity("net", "kg", "kg")
    ('length', 'weight')
    >>> missing_quantity("brain", "g", "g"), missing_quantity("net", "mwh", "MWh")
    ('weight', 'energy')
    >>> missing_quantity("apparatus", "minutes", "minutes"), missing_quantity("net", "m", "metres")
    ('time', 'length')
    >>> missing_quantity("pellet", "mm", "mm"), missing_quantity("blade", "cm", "cm")
    ('size', 'size')
    >>> missing_quantity("transit", "days", "days"), missing_quantity("beam", "m", "metres")
    ('time', '')
    """
    if noun in word_set("priced") and last in _CURRENCIES:
        return "price"
    if unit in _SMALL and noun in word_set("sized_parts"):
        return "size"
    if noun in word_set("periods") and unit in ("days", "weeks", "months", "years"):
        return "period"
    if noun in word_set("measured_nouns"):
        return ""
    if unit in _DEGREES:
        return "" if noun in word_set("thermal") else "temperature"
    if noun in ("commute", "travel") and unit in ("km", "miles"):
        return "distance"
    if noun in ("wind", "gust") and unit in _SPEEDS:
        return "speed"
    if noun in ("net", "gross", "tare"):
        if noun == "net" and unit in _LENGTHS:
            return "length"
        if unit in ENERGIES | _POWERS:
            return amount(last, unit)
        return "amount" if last in _CURRENCIES else "weight" if unit in _MASS else ""
    if unit in _MASS and (noun in word_set("organs") or noun.endswith(("take-off", "landing"))):
        return "weight"
    kind, rule = kind_of(singular(noun))
    if noun == "battery" and unit in ENERGIES:
        return "capacity"
    if unit in _VOLUMES and noun in word_set("vessels"):
        return "capacity"
    if noun in _PACKS:
        return amount(last, unit)
    if unit in _LENGTHS and noun in word_set("long_things"):
        return "length"
    if rule == "kind-noun":
        roomy = noun in _ROOMY
        if unit == "percent" and kind in _THINGS | _DEEDS:
            return "percentage"
        known = {
            ThingKind.PLACE: "area" if unit in _AREAS and not roomy else "",
            ThingKind.PRODUCT: _of_goods(noun, last, unit),
            ThingKind.VEHICLE: _of_goods(noun, last, unit),
            ThingKind.EVENT: _time_of(noun) if unit in _TIMES else "",
        }
        return known.get(kind, "")
    timed = noun in word_set("times") or noun.endswith("ing")
    lasts = noun.endswith("time") or noun in word_set("lasting_measures")
    if unit in ("minutes", "seconds") and rule == "kind-unknown" and not lasts:
        return "time"
    spans = ("hours", "minutes", "seconds") + ("days", "weeks") * (noun in _USUAL)
    return "time" if timed and unit in spans else ""


def _time_of(event: str) -> str:
    return "duration" if event in _ATTENDED else "time"


def _of_goods(noun: str, last: str, unit: str) -> str:
    if last in _CURRENCIES:
        return "cost" if is_plural(noun) else "price"
    return "" if unit in ENERGIES else amount(last, unit)


def amount(last: str, unit: str) -> str:
    """What a unit measures by itself: the heated area of `heated_m2`, the total distance of
    `total_km`; "" where the unit says too little."""
    for units, measure in _MEASURES.items():
        if unit in units:
            return measure
    return "amount" if last in _CURRENCIES else ""


def role_of_unit(unit: str) -> Role | None:
    """What a number in a unit is by the unit alone; None where that says no more than a measure.

    >>> role_of_unit("euros"), role_of_unit("million dollars"), role_of_unit("metres")
    (<Role.MONEY: 'money'>, <Role.MONEY: 'money'>, None)
    """
    last = unit.rpartition(" ")[2]
    if last in _CURRENCIES | {"francs"}:
        return Role.MONEY
    if unit == "percent":
        return Role.SHARE
    return Role.DURATION if unit in _TIMES | {"weeks", "months", "years"} else None


def is_bare(noun: str, unit: str) -> bool:
    """Whether the noun of a number names no quantity: a thing, a person, a place, a deed.

    >>> is_bare("tank", ""), is_bare("tank capacity", "litres"), is_bare("box office", "")
    (True, False, True)
    >>> is_bare("freight", "dollars"), is_bare("delay", "minutes"), is_bare("kg", "")
    (False, False, True)
    """
    head = head_word(noun)
    if head in word_map("units"):
        return True
    kind, rule = kind_of(head)
    if rule != "kind-noun" or is_plural(head) or head in word_set("measured_nouns"):
        return False
    return kind in _THINGS or (kind in _DEEDS and not unit)


def is_countable(noun: str) -> bool:
    """Whether a quantity of something is how many there are: beds and passengers, not what is
    stocked, nor packs, of which it is what is in one.

    >>> [is_countable(noun) for noun in ("bed", "guest", "stock", "box", "part", "order")]
    [True, True, False, False, False, False]
    """
    kind, rule = kind_of(noun)
    if noun in _PACKS or noun in word_set("uncounted") or noun in word_set("crowds"):
        return False
    return plural(noun) in _COUNTED or (rule == "kind-noun" and kind in _ALIVE)


def is_heap(words: list[str]) -> bool:
    """Whether a number of things has a word in it that says where, as only a table does.

    >>> is_heap(["passenger", "out", "quantity"]), is_heap(["quantity", "in", "stock"])
    (True, False)
    """
    inner = {*words[1:-1]} & (word_set("prepositions") | {"in", "off", "out"})
    return words[-1] in ("quantity", "count", "number") and bool(inner)


def is_paid_total(own: list[str], things: str, values: list[Any], beside: list[str]) -> bool:
    """Whether a total of things is an amount: `values` are in cents, or its word stands behind
    theirs in its `own` name, `beside` other money, and they are none that surely are counted.

    >>> is_paid_total(["goods", "total"], "goods", [12.5], []), is_paid_total(
    ...     ["goods", "total"], "goods", [12], ["VAT total"]
    ... )
    (True, True)
    >>> is_paid_total(["guests", "total"], "guests", [2], ["fee"]), is_paid_total(
    ...     ["total", "items"], "items", [2], ["fee"]
    ... )
    (False, False)
    """
    if any(head_word(things) in head.words for head in heads()) or things in _TIMES | {"nights"}:
        return False  # sales, hours
    if any(isinstance(value, float) and not value.is_integer() for value in values):
        return True
    money = {word for head in heads() if head.role == "money" for word in head.words}
    paid = money.intersection(map(head_word, beside))
    return own[-1] == "total" and bool(paid) and not is_countable(singular(things))


_ATTENDED = frozenset(  # what has a time of day as well
    {
        *("appointment", "class", "consultation", "course", "exam", "examination", "hearing"),
        *("interview", "lecture", "lesson", "meeting", "rehearsal", "session", "visit", "workshop"),
    }
)
_ALIVE = (ThingKind.PERSON, ThingKind.ANIMAL)
_COUNTED = frozenset(
    {
        *("axles", "bathrooms", "bedrooms", "beds", "berths", "chapters", "cylinders", "doors"),
        *("floors", "holes", "laps", "meals", "pages", "rooms", "seats", "storeys", "tickets"),
        *("trees", "wheels", "windows"),
    }
)
_THINGS = frozenset(
    {
        *(ThingKind.PERSON, ThingKind.ORGANISATION, ThingKind.PLACE, ThingKind.PRODUCT),
        *(ThingKind.VEHICLE, ThingKind.ANIMAL, ThingKind.WORK, ThingKind.DOCUMENT),
    }
)
_DEEDS = frozenset({ThingKind.EVENT, ThingKind.TRANSACTION})
_CURRENCIES = frozenset(
    {"aud", "cad", "chf", "dollars", "eur", "euros", "gbp", "pence", "pounds", "usd"}
)
_PACKS = frozenset({"bag", "bale", "barrel", "bottle", "box", "carton", "crate", "pack", "sack"})
_MASS = frozenset({"g", "kg", "ounces", "pounds", "tonnes", "tons"})
_VOLUMES = frozenset({"hl", "litres", "ml", "gallons", "m³"})
_SMALL = frozenset({"cm", "inches", "mm", "µm"})
_LENGTHS = frozenset({"feet", "km", "m", "metres", "miles", "yards"})
_AREAS = frozenset({"acres", "hectares", "km²", "m²", "square feet"})
_ROOMY = frozenset({"area", "footage", "space", "surface"})
_SPEEDS = frozenset({"knots", "km/h", "mph", "m/s"})
_DEGREES = frozenset({"°C", "°F"})
_TIMES = frozenset({"hours", "minutes", "seconds", "days"})
ENERGIES = frozenset({"kWh", "MWh", "GWh"})
_POWERS = frozenset({"kW", "MW", "GW", "hp"})
_USUAL = frozenset({"average", "mean", "median", "standard", "target", "typical", "usual"})
_MEASURES = {
    _MASS - {"pounds"}: "weight",
    _VOLUMES: "volume",
    _AREAS: "area",
    frozenset({"km", "miles"}): "distance",
    ENERGIES: "energy",
    _POWERS: "power",
}
