"""The line that describes a property's values: `lognormal 250 0.8 1..5000; unit EUR; null 0.1`.

`docs/taxonomy.md` lists all forms. The first part says what values look like, the others are
options. A line that is wrong is a `LineError`, which the loader turns into a position. One function
a form and the tables that list them are one module of over 600 lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

from generators.taxonomy.model import (
    Becomes,
    Bend,
    By,
    Cell,
    Choice,
    Code,
    Copy,
    Fake,
    Flag,
    Foremost,
    Fraction,
    Hint,
    Made,
    Moment,
    Nothing,
    Number,
    Phrase,
    Place,
    Recent,
    Stake,
    Value,
    Wording,
)
from graphmill.errors import GraphmillError, did_you_mean
from schemagraph.specification.codes import Check, misfit

UNITS: dict[str, Literal["hours", "minutes"]] = {"h": "hours", "m": "minutes"}
SHAPES = {"lognormal": 2, "normal": 2, "uniform": 2, "poisson": 1, "zipf": 2}
_RANGE = re.compile(r"^(-?[\d.]+?)\.\.(-?[\d.]+)$")
_WEIGHTED = re.compile(r"^(.*\S)\s+(\d+(?:\.\d+)?)$")
DIGITS = re.compile(r"\{(#+)\}")
# Days that may lie ahead: what is due, ends by contract or is promised.
_PLANNED = re.compile(
    r"due|ends_on|expir|valid|until|planned|schedul|promis|deadline|best_before|effective|arrives|"
    r"departs|matur|renew|warranty"
)
_DAYS = {"yearly": "year", "firsts": "first", "lasts": "last"}
_UPTO = "upto "
_CASES = re.compile(r"\|(?![^\[]*\])")  # not those within brackets
_ISO = re.compile(r"\d{4}-\d\d-\d\d|[012]\d:[0-5]\d")
_DAY = re.compile(r"\d\d-\d\d")
_PREFIXED = re.compile(r"[^#{}]*#+")
_NAME = re.compile(r"^[a-z][a-z0-9_]*$")
_TYPE = re.compile(r"^[A-Z][A-Z0-9_]*$")


class LineError(GraphmillError):
    """A line of the taxonomy that is not understood."""


def number(text: str) -> float:
    """A number of a line.

    Raises:
        LineError: it is none.
    """
    try:
        return float(text)
    except ValueError:
        raise LineError(f"'{text}' is no number.") from None


def span(text: str) -> tuple[float, float]:
    """`LOW..HIGH`.

    Raises:
        LineError: it is no range, or ends before it begins.
    """
    match = _RANGE.match(text)
    if match is None:
        raise LineError(f"'{text}' is no range; write it as 1..10.")
    low, high = number(match[1]), number(match[2])
    if high < low:
        raise LineError(f"The range {text} ends before it begins.")
    return low, high


def name(text: str) -> str:
    """A name in words joined by `_`.

    Raises:
        LineError: it is none.
    """
    if not _NAME.match(text):
        raise LineError(f"'{text}' is no name; write it in small letters, as unit_price.")
    return text


def type_name(text: str) -> str:
    """The type of a relation.

    Raises:
        LineError: it is none.
    """
    if not _TYPE.match(text):
        raise LineError(f"'{text}' is no relation type; write it as BELONGS_TO.")
    return text


def wording(text: str) -> Wording:
    """`active / passive`.

    Raises:
        LineError: one of the two is missing.
    """
    active, slash, passive = (part.strip() for part in text.partition("/"))
    if not slash or not active or not passive:
        raise LineError(f"'{text}' lacks a verb phrase; write it as holds / is held by.")
    return Wording(active, passive)


def choice(text: str) -> Choice:
    """`open 60 | closed 30 | void 10`; a value without a weight has 10.

    Raises:
        LineError: a value is blank or there twice.
    """
    values: dict[str, float] = {}
    for part in text.split("|"):
        part = part.strip()
        match = _WEIGHTED.match(part)
        value, weight = (match[1], float(match[2])) if match else (part, 10.0)
        value = value.strip('"')
        if not value:
            raise LineError("A value is blank.")
        if value in values:
            raise LineError(f"The value '{value}' is there twice.")
        if weight <= 0:
            raise LineError(f"The weight of '{value}' is not above 0.")
        values[value] = weight
    return Choice(tuple(values.items()))


def hint(property_name: str, line: str) -> Hint:
    """A property of its line.

    Raises:
        LineError: the line is not understood.
    """
    first, *options = (part.strip() for part in line.split(";"))
    given: dict[str, object] = {"name": name(property_name), "value": value(first)}
    for option in options:
        word, _, rest = option.partition(" ")
        if word not in _OPTIONS:
            raise LineError(f"There is no option '{word}'.{did_you_mean(word, _OPTIONS)}")
        given |= _OPTIONS[word](rest.strip(), given)
    _check_options(given, [option.partition(" ")[0] for option in options])
    if isinstance(moment := given["value"], Moment) and _PLANNED.search(property_name):
        given["value"] = replace(moment, planned=True)
    return Hint(**given)  # type: ignore[arg-type]  # the table below knows the fields


def _check_options(given: dict[str, object], words: list[str]) -> None:
    """No option takes the place of another: each is there once, or they are tried in turn."""
    for word in words:
        if words.count(word) > 1 and word not in _IN_TURN:
            raise LineError(f"The option '{word}' is there twice; keep one.")
    if "null" in words and given.get("unique"):
        other = "key" if given.get("key") else "unique"
        raise LineError(f"'{other}' and 'null' do not go together: each has its own. Keep one.")
    if "recent" in words and not isinstance(given["value"], Choice):
        raise LineError("'recent' is for a list of values, such as: open 60 | closed 40.")


def value(text: str) -> Value:
    """What values look like, from the first part of a line.

    Raises:
        LineError: it is not understood.
    """
    word, _, rest = text.partition(" ")
    rest = rest.strip()
    # in review 20 | in force 80 and text 60 | photo 40 are lists.
    plain = (word == "text" and "{" not in text) or (word == "first" and ":" not in text)
    listed = "|" in text and (word == "in" or plain)
    if word in _VALUES and not listed:
        return _VALUES[word](rest)
    if "|" in text:
        return choice(text)
    raise LineError(
        f"'{text}' says no values: it is neither a list a | b nor begins with a known word."
        f"{did_you_mean(word, _VALUES)}"
    )


def _numbers(places: int) -> Callable[[str], Value]:
    def parse(text: str) -> Value:
        parts = text.split()
        if not parts:
            raise LineError("A number needs a shape, such as lognormal 250 0.8.")
        if parts == ["none"]:
            return Nothing()
        if parts[0] == "of":
            if len(parts) != 3:
                raise LineError("Write a fraction as: of other_property 0.1..0.3.")
            if parts[2] == "vat":
                return Fraction(_reference(parts[1]), 0.2, 0.2, places, vat=True)
            return Fraction(_reference(parts[1]), *span(parts[2]), places)
        if parts[0] == "by":
            return _by(text.removeprefix("by").strip(), parse)
        if _RANGE.match(parts[0]) and len(parts) == 1:
            low, high = span(parts[0])
            return Number("uniform", (low, high), places, low, high)
        if parts[0] == "one" and len(parts) > 2:
            return Number("one", tuple(map(number, parts[1:])), places)
        if parts[0] in ("product", "sum", "annuity", "elapsed", "year"):
            return _made(parts[0], parts[1:], places)
        if parts[0] == "curve":
            return _bend(parts[1:], places)
        if parts[0] == "within":
            if len(parts) < 3:
                raise LineError("Write a running number as: within PART_OF 1..20.")
            of = parts[1] if parts[1] in _ENDS else type_name(parts[1])
            by = ""
            if parts[2] == "by" and len(parts) > 4:
                by, parts = name(parts[3]), [*parts[:2], *parts[4:]]
            otherwise = parse(" ".join(parts[2:]))
            assert isinstance(otherwise, Number)  # noqa: S101 - the shapes are
            return Place(of, otherwise, by)
        if parts[0] == "stakes":
            if len(parts) != 4 or parts[1] not in _ENDS:
                raise LineError("Write parts of a whole as: stakes target 100 0.6..1.")
            return Stake(parts[1], number(parts[2]), *span(parts[3]), places)
        count = SHAPES.get(parts[0])
        if count is None:
            raise LineError(f"There is no shape '{parts[0]}'.{did_you_mean(parts[0], SHAPES)}")
        parameters = tuple(number(part) for part in parts[1 : count + 1])
        if len(parameters) < count:
            raise LineError(f"The shape {parts[0]} needs {count} numbers.")
        rest = parts[count + 1 :]
        bounds = span(rest[0]) if rest else (None, None)
        if len(rest) > 1:
            raise LineError(f"'{' '.join(rest[1:])}' is too much.")
        return Number(parts[0], parameters, places, *bounds)

    return parse


def _made(how: str, parts: list[str], places: int) -> Made:
    """`product units unit_price 0.9..1.1`, `sum net tax`, `elapsed starts_on ends_on`."""
    factor = None
    if how in ("product", "year") and parts and _RANGE.match(parts[-1]):
        factor = span(parts.pop())
    if how == "year":
        if len(parts) != 1:
            raise LineError("Write a year as: year filed_on 1..2.")
        return Made("year", (_reference(parts[0]),), 0, factor or (0, 0))
    unit: Literal["days", "hours", "minutes"] = "days"
    if how == "elapsed" and len(parts) == 3:
        if parts[2] not in ("days", "hours", "minutes"):
            raise LineError(f"'{parts[2]}' is none of days, hours, minutes.")
        unit = parts.pop()  # type: ignore[assignment]  # one of the three
    if how == "annuity" and len(parts) != 3:
        raise LineError("Write an annuity as: annuity amount yearly_rate months.")
    if len(parts) < 2 or (how == "elapsed" and len(parts) > 2):
        raise LineError(f"Write it as: {how} ONE OTHER.")
    kind: Literal["product", "sum", "annuity", "elapsed", "year"] = how  # type: ignore[assignment]  # the caller looks
    return Made(kind, tuple(map(_reference, parts)), places, factor, unit)


def _bend(parts: list[str], places: int) -> Bend:
    """`wind_speed 3=0 12=3000 give 0.05`."""
    deviation = 0.0
    if len(parts) > 2 and parts[-2] == "give":
        deviation = number(parts[-1])
        parts = parts[:-2]
    points = [tuple(map(number, part.split("="))) for part in parts[1:]]
    if len(points) < 2 or any(len(point) != 2 for point in points):
        raise LineError("Write a curve as: curve wind_speed 3=0 12=3000 give 0.05.")
    return Bend(name(parts[0]), tuple((x, y) for x, y in points), deviation, places)


def _hours(text: str) -> dict[str, Any]:
    low, high = span(text)
    if high > 23:
        raise LineError("Hours are numbers from 0 to 23.")
    return {"hours": (int(low), int(high))}


def _every(text: str) -> dict[str, Any]:
    minutes = int(number(text))
    if not 1 <= minutes <= 60:
        raise LineError("Moments are at whole 1 to 60 minutes, as: every 15.")
    return {"every": minutes}


def _months(only: bool) -> Callable[[str], dict[str, Any]]:
    def parse(text: str) -> dict[str, Any]:
        months = tuple(int(number(month)) for month in text.split(","))
        if not all(1 <= month <= 12 for month in months):
            raise LineError("Months are numbers from 1 to 12.")
        return {"busy": months, "only": only}

    return parse


def _delay(reference: str, text: str, clock: bool) -> dict[str, Any]:
    """How long after another property of the same thing."""
    after = _reference(reference)
    unit = UNITS.get(text[-1], "days")
    low, high = span(text.rstrip("hm"))
    if unit != "days" and not clock:
        raise LineError(f"A date is not {unit} after another; write datetime.")
    return {"after": after, "gap": (int(low), int(high)), "unit": unit}


_ALONE: dict[str, dict[str, Any]] = {
    "workdays": {"workdays": True},
    "shopdays": {"shopdays": True},
    "monthly": {"monthly": True},
    **{name: {"day": day} for name, day in _DAYS.items()},
}
_WITH_ONE: dict[str, Callable[[str], dict[str, Any]]] = {
    "at": _hours,
    "every": _every,
    "busy": _months(only=False),
    "only": _months(only=True),
}
_OF_A_CLOCK = ("at", "every")
# Words of a date of which one would leave nothing of another.
_ALIKE = (
    ("workdays", "shopdays"),
    ("yearly", "firsts", "lasts", "on"),
    ("busy", "only"),
    ("monthly", "yearly", "on"),
)


def _moment(clock: bool) -> Callable[[str], Value]:
    def parse(text: str) -> Value:
        parts = text.split()
        for alike in _ALIKE:
            there = [part for part in parts if part in alike]
            if len(there) > 1:
                raise LineError(f"'{there[0]}' and '{there[1]}' both say which days; keep one.")
        settings: dict[str, Any] = {"first": 2018, "last": 2025}
        if parts and _RANGE.match(parts[0]):
            first, last = span(parts.pop(0))
            settings |= {"first": int(first), "last": int(last)}
        while parts:
            word = parts.pop(0)
            if word in _ALONE:
                settings |= _ALONE[word]
            elif word == "after" and len(parts) >= 2:
                settings |= _delay(parts.pop(0), parts.pop(0), clock)
            elif word == "on" and parts and _DAY.fullmatch(parts[0]):
                settings["day"] = parts.pop(0)
            elif parts and (clock or word not in _OF_A_CLOCK) and word in _WITH_ONE:
                settings |= _WITH_ONE[word](parts.pop(0))
            else:
                raise LineError(f"'{word}' is not understood in a date; see docs/taxonomy.md.")
        return Moment(clock=clock, **settings)

    return parse


def _owner(text: str) -> str:
    """A property, as `_reference`; or of what a relation joins with: `FROM_SENSOR.quantity`."""
    kind, dot, key = text.partition(".")
    return f"{kind}.{name(key)}" if dot and _TYPE.match(kind) else _reference(text)


def _reference(text: str) -> str:
    """A property of the same element, or `source.NAME` and `target.NAME` for an edge's ends."""
    end, dot, rest = text.partition(".")
    if dot and end in ("source", "target"):
        return f"{end}.{name(rest)}"
    return name(text)


def _flag(text: str) -> Value:
    share = number(text)
    if not 0 <= share <= 1:
        raise LineError("The share of true values is between 0 and 1.")
    return Flag(share)


def _code(text: str) -> Value:
    if not text:
        raise LineError("A code needs a pattern, such as AB-####.")
    word, _, rest = text.partition(" ")
    if text in NATIONAL:
        return Code(NATIONAL[text], national=text)
    if word in _CHECKED:
        if why := misfit(rest.strip(), _CHECKED[word]):
            raise LineError(f"{why}.")
        return Code(rest.strip(), _CHECKED[word])
    return Code(text)


_CHECKED: dict[str, Check] = {
    "lei": "lei", "luhn": "luhn", "gtin": "gtin", "issn": "issn", "orcid": "orcid", "imo": "imo",
    "container": "container",
}  # fmt: skip
# Codes that are written otherwise in each country, here as in Germany.
NATIONAL = {
    "iban": "DE## #### #### #### #### ##",
    "house_iban": "DE## 3707 0418 #### #### ##",
    "bic": "????DEFFXXX",
    "phone": "+49 17# #######",
    "vat": "DE2########",
    "company": "HRB ######",
    "plate": "??-?? ####",
    "postal": "#####",
    "ean": "40###########",
    "sscc": "340###############",
    "isbn": "978-3-7###-####-#",
    "isin": "DE00########",
    "iccid": "8949###############",
}


def _phrase(text: str) -> Value:
    if "{" not in text:
        raise LineError("A text needs a list in braces: {colour} chair.")
    return Phrase(text)


def _by(text: str, inner: Callable[[str], Value]) -> By:
    """`property: a = … | b = … | else …`; `property: upto 100 = … | upto 2023-06-30 = …`; by the
    time of a moment: `upto 05:59 = …`."""
    of, colon, rest = text.partition(":")
    if not colon:
        raise LineError("Write it as: by category: a = … | b = … | else ….")
    cases: list[tuple[str, Value]] = []
    otherwise: Value | None = None
    for part in _CASES.split(rest):
        part = part.strip()
        if part.startswith("else "):
            otherwise = inner(_bare(part.removeprefix("else ")))
            continue
        case, sign, distribution = (piece.strip() for piece in part.partition("="))
        if not sign:
            raise LineError(f"'{part}' is no case; write it as: laptop = lognormal 900 0.4.")
        value = inner(_bare(distribution))
        cases += [(one.strip(), value) for one in case.split(",")]
    ranges = [case for case, _ in cases if case.startswith(_UPTO)]
    if not ranges:
        return By(_owner(of.strip()), tuple(cases), otherwise)
    if len(ranges) < len(cases) or otherwise is None:
        raise LineError("Write ranges as: by price: upto 100 = … | upto 500 = … | else ….")
    bounds = [case.removeprefix(_UPTO) for case in ranges]
    order = bounds if _ISO.fullmatch(bounds[0]) else [number(bound) for bound in bounds]
    if sorted(set(order)) != order:  # type: ignore[type-var]  # all texts, or all numbers
        raise LineError("The ranges do not ascend.")
    banded = tuple((bound, value) for bound, (_, value) in zip(bounds, cases, strict=True))
    return By(_owner(of.strip()), banded, otherwise, upto=True)


def _bare(text: str) -> str:
    """A case without the brackets that hold cases of its own."""
    text = text.strip()
    return text[1:-1].strip() if text.startswith("[by ") and text.endswith("]") else text


def _texts(text: str) -> Value:
    """The texts of one case: `a, b 3, c`, a template, a code, a provider of Faker, or a share of
    true values."""
    if text == "none":
        return Nothing()
    if text.startswith("by "):
        return _by(text.removeprefix("by "), _texts)
    if text.startswith("code "):
        return _code(text.removeprefix("code ").strip())
    if text.startswith("bool "):
        return _flag(text.removeprefix("bool ").strip())
    if text.startswith("faker "):
        return _fake(text.removeprefix("faker ").strip())
    if "{" in text:
        return Phrase(text)
    return choice(text.replace(",", "|"))


_ENDS = ("source", "target")


def _foremost(text: str) -> Value:
    """`target: main suspect | else accomplice 28, instigator 12`."""
    of, colon, rest = text.partition(":")
    first, bar, others = rest.partition("| else ")
    if not (of.strip() in _ENDS or _TYPE.match(of.strip())) or not colon or not bar:
        raise LineError("Write it as: first target: main driver | else other driver.")
    return Foremost(of.strip(), _texts(first.strip()), _texts(others.strip()))


def _rows(text: str) -> Value:
    return Cell(name(text)) if text else Cell("")


def _fake(text: str) -> Value:
    return Fake(name(text))


_VALUES: dict[str, Callable[[str], Value]] = {
    "int": _numbers(0),
    "hundreds": _numbers(-2),
    "thousands": _numbers(-3),
    "money": _numbers(2),
    "float": _numbers(2),
    "float1": _numbers(1),
    "float4": _numbers(4),
    "date": _moment(clock=False),
    "datetime": _moment(clock=True),
    "bool": _flag,
    "code": _code,
    "text": _phrase,
    "faker": _fake,
    "row": _rows,
    "by": lambda text: _by(text, _texts),
    "first": _foremost,
    "in": lambda text: Phrase(f"{{{name(text)}}}"),
}


def _null(text: str) -> dict[str, object]:
    share = number(text)
    if not 0 < share < 1:
        raise LineError("The share of missing values is between 0 and 1.")
    return {"null": share}


def _recent(text: str) -> dict[str, object]:
    """`opened_on 60: open 5, in review 2`."""
    head, colon, states = text.partition(":")
    parts = head.split()
    if not colon or len(parts) != 2 or not parts[1].isdigit():
        raise LineError("Write it as: recent opened_on 60: open 5, in review 2.")
    return {"recent": Recent(name(parts[0]), int(parts[1]), choice(states.replace(",", "|")))}


type _How = Literal["copied", "part", "sum", "count", "least", "most", "times", "prefix"]


def _copied(text: str, given: dict[str, object], how: _How) -> dict[str, object]:
    """`EXECUTES.quantity`, `PLAYED_AT.capacity 0.4..1`; several, of which one is there."""
    reference, _, rest = text.partition(" ")
    kind, dot, key = reference.partition(".")
    if not dot and how not in ("count", "prefix"):
        raise LineError("Write what is the same as: as EXECUTES.quantity.")
    if how == "prefix":
        if not dot or not (rest == "iban" or _PREFIXED.fullmatch(rest)):
            raise LineError(
                "Write what a value begins with as: prefix OPERATED_BY.code ###, "
                "or an IBAN of a bank as: prefix HELD_AT.bic iban."
            )
        made = Copy(type_name(kind), name(key), how=how, own=rest)
        before = given.get("copied", ())
        assert isinstance(before, tuple)  # noqa: S101 - made here only
        return {"copied": (*before, made)}
    if how == "times":
        made = Copy(type_name(kind), name(key), how=how, own=name(rest))
        before = given.get("copied", ())
        assert isinstance(before, tuple)  # noqa: S101 - made here only
        return {"copied": (*before, made)}
    even = rest.endswith(" even")
    rest = rest.removesuffix(" even").strip()
    low, high = span(rest) if rest else (None, None)
    if rest and how not in ("copied", "part"):
        raise LineError(f"'{rest}' is too much.")
    type_of = kind if dot else reference
    made = Copy(type_name(type_of), name(key) if dot else "", low, high, how, even=even)
    before = given.get("copied", ())
    assert isinstance(before, tuple)  # noqa: S101 - made here only
    return {"copied": (*before, made)}


def _becomes(text: str) -> dict[str, object]:
    types, _, phrase = text.partition(" ")
    return {"becomes": Becomes(tuple(type_name(t) for t in types.split(",")), wording(phrase))}


_IN_TURN = frozenset({"as", "part", "total", "count", "least", "most", "times", "prefix"})
type _Option = Callable[[str, dict[str, object]], dict[str, object]]
_OPTIONS: dict[str, _Option] = {
    "key": lambda text, given: {"key": True, "unique": True, "needed": True},
    "unique": lambda text, given: {"unique": True},
    "need": lambda text, given: {"needed": True},
    "null": lambda text, given: _null(text),
    "unit": lambda text, given: {"unit": text},
    "noun": lambda text, given: {"noun": text},
    "also": lambda text, given: {"also": tuple(name(part.strip()) for part in text.split(","))},
    "node": lambda text, given: _becomes(text),
    "as": lambda text, given: _copied(text, given, "copied"),
    "part": lambda text, given: _copied(text, given, "part"),
    "total": lambda text, given: _copied(text, given, "sum"),
    "count": lambda text, given: _copied(text, given, "count"),
    "least": lambda text, given: _copied(text, given, "least"),
    "times": lambda text, given: _copied(text, given, "times"),
    "most": lambda text, given: _copied(text, given, "most"),
    "prefix": lambda text, given: _copied(text, given, "prefix"),
    "recent": lambda text, given: _recent(text),
    "without": lambda text, given: {
        "without": tuple(type_name(part.strip()) for part in text.split(","))
    },
}
