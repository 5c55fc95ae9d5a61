"""Hostile values drawn at random, in place of those that `qa.conformance.values` lists.

Code that was mended until the listed values agreed may know those alone; a seed gives others of the
same kinds and makes: what a type has at its ends, what its texts may look like, and what lies
between.
"""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from itertools import islice
from typing import Any

MANY = 40  # values of a pool of scalars
SOME = 24  # of lists, maps and texts of temporal values

_LETTERS = (
    *"aAbBcxyzZ019 .,-_%'\"\\/$[](){}|^*+?&#~:;\t\n\r",
    # Letters whose case changes their number, or that depend on their place or on a language.
    *(
        "ß",
        "ẞ",
        "ŉ",
        "ǰ",
        "ΐ",
        "և",
        "ﬂ",
        "ﬃ",
        "İ",
        "ı",
        "Σ",
        "σ",
        "ς",
        "K",
        "Å",
        "ſ",
        "ᾳ",
        "ᾼ",
        "ǆ",
    ),
    *("é", "É", "e\u0301", "o\u0308", "ñ", "Ж", "ж", "日", "ه", "٣", "५", "１", "Ⅷ", "½", "²"),
    *("😀", "𝒜", "𐐨", "👩\u200d💻", "🇫🇷", "\u0301", "\u200d", "\ufe0f", "\u00ad", "\u202e"),
    *("\u00a0", "\u2003", "\u2028", "\u0085", "\u000b", "\u000c", "\u001c", "\u3000", "\u200b"),
)
_NUMERALS = (
    lambda rng: str(rng.randint(-(10**6), 10**6)),
    lambda rng: f"{rng.choice(' +-')}{rng.randint(0, 99)}{rng.choice(' fFdDlL')}",
    lambda rng: repr(rng.uniform(-1e3, 1e3)),
    lambda rng: (
        f"{rng.randint(0, 9)}{rng.choice('eE')}{rng.choice(['', '+', '-'])}{rng.randint(0, 330)}"
    ),
    lambda rng: f"{rng.choice(['0x', '0X', '0b', '0o', '-0x'])}{rng.randint(0, 99)}",
    lambda rng: str(rng.choice((2**63, 2**53, -(2**63), 2**31)) + rng.randint(-2, 2)),
    lambda rng: rng.choice(
        ("-0", "-0.0", "00.10", "1.", "+.5", "١٢", "inf", "-Infinity", "nan", "1e-400")
    ),
    lambda rng: rng.choice(("tRuE", "true\n", "TRUE ", "yes", "1", "0", "falsE", "\u2003true")),
)
_REGEXES = (
    *(".", "a", "[^b]", r"\d", r"\D", r"\w", r"\S", r"\s", r"\p{Ll}", r"[\d.]", r"\x41", "(?:a|b)"),
    *("(x)?", "ß", "é", r"\u00e9", "😀", r"\t", "[A-Zé]", r"\W", "^", "$", r"\B", r"\Z", "[ -~]"),
)

type Draw = Callable[[random.Random], Any]


def drawn(seed: int) -> Mapping[str, tuple[Any, ...]]:
    """What each pool of `qa.conformance.values` is made of, by its name."""
    return {
        name: _distinct(f"{seed} {name}", draw, count) for name, (draw, count) in _POOLS.items()
    }


def _distinct(seed: str, draw: Draw, count: int) -> tuple[Any, ...]:
    """So many values, no two of one representation."""

    def fresh() -> Iterator[Any]:
        rng, known = random.Random(seed), set()  # noqa: S311 # values to try, no secrets
        for _ in range(count * 200):
            value = draw(rng)
            if repr(value) not in known:
                known.add(repr(value))
                yield value

    return tuple(islice(fresh(), count))


def _text(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.3:
        return str(rng.choice(_NUMERALS)(rng))
    if kind < 0.4:
        return str(rng.choice((_day, _clock, _moment, _span))(rng))
    return "".join(rng.choices(_LETTERS, k=rng.choice((0, 1, 1, 2, 2, 3, 4, 6, 9))))


def _whole(rng: random.Random) -> int:
    sign, kind = rng.choice((1, -1)), rng.random()
    if kind < 0.3:
        return sign * rng.randint(0, 20)
    if kind < 0.5:
        return sign * rng.randint(0, int(10.0 ** rng.randint(2, 18)))
    if kind < 0.7:
        return sign * (int(10.0 ** rng.randint(1, 18)) + rng.randint(-1, 1))
    value = sign * (2 ** rng.choice((15, 24, 31, 32, 52, 53, 54, 61, 62, 63)) + rng.randint(-3, 3))
    return max(-(2**63), min(2**63 - 1, value))


def _real(rng: random.Random) -> float:
    kind = rng.random()
    if kind < 0.3:
        return rng.randint(-40, 40) / rng.choice((1, 2, 4, 5, 10))
    if kind < 0.5:
        return float(f"{rng.uniform(-10, 10):.{rng.randint(0, 16)}f}e{rng.randint(-20, 22)}")
    if kind < 0.6:
        return rng.choice((1.0, -1.0)) * float(2 ** rng.choice((24, 31, 52, 53, 62, 63, 64)) + 2048)
    value = math.nan
    while not math.isfinite(value):
        value = struct.unpack("<d", rng.randbytes(8))[0]
    return float(f"{value:.3g}") if kind < 0.8 else value


def _date(rng: random.Random) -> date:
    kind = rng.random()
    year = rng.randint(1, 9998) if kind < 0.2 else rng.randint(1890, 2110)
    month = rng.randint(1, 12)
    if kind < 0.6:  # the last days of months, and those about new year
        return date(year, month, 1) + timedelta(
            days=rng.choice((-1, 27, 28, 29, 30)) if year > 1 else 3
        )
    if kind < 0.8:
        return date(year, 12, 29) + timedelta(days=rng.randint(0, 6))
    return date(year, month, rng.randint(1, 28))


def _day(rng: random.Random) -> str:
    return _date(rng).isoformat()


def _clock(rng: random.Random) -> str:
    hour, minute, second = (
        rng.choice((0, 23, rng.randint(0, 23))),
        rng.randint(0, 59),
        rng.randint(0, 59),
    )
    match rng.randrange(4):
        case 0:
            return f"{hour:02}:{minute:02}"
        case 1:
            return f"{hour:02}:{minute:02}:{second:02}"
    digits = rng.randint(1, 6)
    return f"{hour:02}:{minute:02}:{second:02}.{rng.randrange(1, 10**digits):0{digits}}"


def _moment(rng: random.Random) -> str:
    return f"{_day(rng)}T{_clock(rng)}"


def _offset(rng: random.Random) -> str:
    if rng.random() < 0.2:
        return "Z"
    return f"{rng.choice('+-')}{rng.randint(0, 17):02}:{rng.choice((0, 0, 0, 15, 30, 45, 7)):02}"


def _instant(rng: random.Random) -> str:
    if rng.random() < 0.3:  # the same instants in several offsets
        hours = rng.randint(-9, 9)
        sign = "-" if hours < 0 else "+"
        return f"2024-02-29T{12 + hours:02}:{rng.choice((0, 30)):02}{sign}{abs(hours):02}:00"
    return f"{_moment(rng)}{_offset(rng)}"


_ZONES = (
    *("Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca", "Asia/Kathmandu", "UTC"),
    *("Pacific/Apia", "Europe/London", "America/Sao_Paulo", "Europe/Dublin", "Asia/Tokyo"),
)


def _named_instant(rng: random.Random) -> str:
    zone = rng.choice(_ZONES)
    year, days = rng.randint(1970, 2037), ("2024-03-31", "2024-10-27", "2024-11-03", "2018-11-04")
    day = rng.choice((*days, "2024-03-10", f"{year}{_day(rng)[4:].replace('02-29', '02-28')}"))
    return f"{day}T{rng.choice(('00:00', '01:30', '02:15', '12:00'))}[{zone}]"


def _span(rng: random.Random) -> str:
    def part(letter: str, most: int, fraction: bool = False) -> str:
        if rng.random() < 0.6:
            return ""
        value = str(rng.choice((rng.randint(-most, most), rng.randint(-3, 3))))
        if fraction and rng.random() < 0.4:
            value += f".{rng.randint(1, 999999)}"
        return value + letter

    days = part("Y", 30) + part("M", 40) + part("W", 9) + part("D", 400)
    clock = part("H", 60) + part("M", 200) + part("S", 4000, fraction=True)
    return f"P{days}{'T' + clock if clock else ''}" if days or clock else f"PT{rng.randint(2, 99)}S"


def _list_of(draw: Draw) -> Draw:
    def drawn_list(rng: random.Random) -> list[Any]:
        values = [draw(rng) for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4, 6)))]
        if len(values) > 1 and rng.random() < 0.3:
            values.append(values[0])
        return values

    return drawn_list


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _scalar(rng: random.Random) -> str:
    match rng.randrange(9):
        case 0 | 1:
            return str(rng.choice((0, 1, 2, -1, 3, rng.randint(-99, 99), 2**53 + 1)))
        case 2 | 3:
            return str(
                rng.choice((1.0, 0.5, -0.0, 2.0, 9007199254740992.0, round(rng.uniform(-9, 9), 2)))
            )
        case 4 | 5:
            return _quoted("".join(rng.choices("abB1 éß😀", k=rng.randint(0, 3))))
        case 6:
            return rng.choice(("true", "false"))
        case 7:
            return rng.choice((f"date('{_day(rng)}')", f"duration('{_span(rng)}')", "0.0/0.0"))
    return "null"


def _value(rng: random.Random, depth: int = 2) -> str:
    kind = rng.random() if depth else 1.0
    if kind < 0.15:
        return _list(rng, depth - 1)
    return _map(rng, depth - 1) if kind < 0.25 else _scalar(rng)


def _list(rng: random.Random, depth: int = 2) -> str:
    if rng.random() < 0.4:  # all of one kind
        letter = rng.choice("isfb")
        make = {"i": "{}", "s": "'{}'", "f": "{}.5", "b": "true"}[letter]
        return f"[{', '.join(make.format(rng.randint(-5, 12)) for _ in range(rng.randint(0, 5)))}]"
    return f"[{', '.join(_value(rng, depth) for _ in range(rng.choice((0, 1, 2, 2, 3, 4))))}]"


def _map(rng: random.Random, depth: int = 2) -> str:
    keys = rng.sample(("a", "b", "A", "`a b`", "id", "é", "k"), k=rng.choice((0, 1, 1, 2, 3)))
    return f"{{{', '.join(f'{key}: {_value(rng, depth)}' for key in keys)}}}"


def _point(rng: random.Random) -> str:
    if rng.random() < 0.4:
        return f"point({{longitude: {rng.randint(-180, 180)}, latitude: {rng.randint(-90, 90)}}})"
    third = f", z: {rng.randint(-9, 9)}" if rng.random() < 0.4 else ""
    return f"point({{x: {rng.randint(-9, 9) / 2}, y: {rng.randint(-9, 9)}{third}}})"


def _date_text(rng: random.Random) -> str:
    day = _date(rng)
    iso = day.isocalendar()
    return rng.choice(
        (
            day.isoformat(),
            day.strftime("%Y%m%d"),
            day.strftime("%Y-%m"),
            f"{day.year:04}-{rng.randint(0, 13):02}-{rng.randint(0, 32):02}",
            f"{iso.year:04}-W{iso.week:02}-{iso.weekday}",
            f"{iso.year:04}W{rng.randint(0, 54):02}",
            f"{day.year:04}-{rng.randint(0, 367):03}",
            f"{day.year:04}-Q{rng.randint(1, 4)}-{rng.randint(1, 92):02}",
            f"{day.isoformat()}{rng.choice((' ', 'T', 'x', 'Z'))}",
            day.strftime("%d.%m.%Y"),
        )
    )


def _clock_text(rng: random.Random) -> str:
    clock = _clock(rng)
    return rng.choice(
        (
            clock,
            clock.replace(":", ""),
            f"{clock}{_offset(rng)}",
            clock[:2],
            f"{clock}0",
            f"T{clock}",
        )
    )


def _moment_text(rng: random.Random) -> str:
    return f"{_date_text(rng)}{rng.choice('TTTT t')}{_clock_text(rng)}"


def _instant_text(rng: random.Random) -> str:
    return rng.choice(
        (_moment_text(rng), _instant(rng), _named_instant(rng), f"{_moment_text(rng)}Z")
    )


def _span_text(rng: random.Random) -> str:
    text = _span(rng)
    match rng.randrange(6):
        case 0:
            return text.replace("P", "P1.5", 1)
        case 1:
            return f"-{text}"
        case 2:
            return text.lower()
        case 3:
            return text + rng.choice(("D", "T", " ", "1"))
    return text


def _parts(*names: tuple[str, int, int]) -> Draw:
    def drawn_parts(rng: random.Random) -> str:
        count = rng.randint(1, len(names))
        kept = names[:count] if rng.random() < 0.7 else rng.sample(names, count)
        return f"{{{', '.join(f'{name}: {rng.randint(low, high)}' for name, low, high in kept)}}}"

    return drawn_parts


_YMD = (("year", 1990, 2100), ("month", 1, 12), ("day", 1, 31))
_HMS = (("hour", 0, 24), ("minute", 0, 60), ("second", 0, 59), ("microsecond", 0, 999999))


def _date_map(rng: random.Random) -> str:
    weeks = (("year", 2015, 2027), ("week", 1, 53), ("dayOfWeek", 1, 7))
    quarters = (("year", 2015, 2027), ("quarter", 1, 4), ("dayOfQuarter", 1, 92))
    ordinal = (("year", 2015, 2027), ("ordinalDay", 1, 366))
    if rng.random() < 0.2:
        name, low, high = rng.choice((*_YMD, *weeks[1:]))
        return f"{{date: date('{_day(rng)}'), {name}: {rng.randint(low, high)}}}"
    return str(_parts(*rng.choice((_YMD, weeks, quarters, ordinal)))(rng))


def _instant_map(rng: random.Random) -> str:
    if rng.random() < 0.3:
        return f"{{epoch{rng.choice(('Seconds', 'Millis'))}: {rng.randint(-(10**9), 2 * 10**9)}}}"
    zone = rng.choice((_offset(rng), "Europe/Stockholm", "America/New_York"))
    return f"{_moment_map(rng)[:-1]}, timezone: '{zone}'}}"


_moment_map = _parts(*_YMD, *_HMS)


def _span_map(rng: random.Random) -> str:
    names = ("years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds")
    kept = rng.sample((*names, "milliseconds", "microseconds", "nanoseconds"), k=rng.randint(1, 3))
    values = [rng.choice((rng.randint(-99, 99), rng.randint(-9, 9) / 4)) for _ in kept]
    return f"{{{', '.join(f'{n}: {v}' for n, v in zip(kept, values, strict=True))}}}"


def _pattern(rng: random.Random) -> str:
    def piece() -> str:
        return rng.choice(_REGEXES) + rng.choice(("", "", "", "*", "+", "?", "{2}", "{1,3}", "*?"))

    body = "".join(piece() for _ in range(rng.randint(1, 3)))
    flag = rng.choice(("", "", "", "(?i)", "(?s)", "(?m)", "(?is)", "(?u)", "(?x)", "(?-i)"))
    return flag + (f"{body}|{piece()}" if rng.random() < 0.2 else body)


_POOLS: Mapping[str, tuple[Draw, int]] = {
    "Text": (_text, 60),
    "Whole": (_whole, MANY),
    "Real": (_real, MANY),
    "Day": (_day, 31),
    "Clock": (_clock, 31),
    "ZonedClock": (lambda rng: _clock(rng) + _offset(rng), 31),
    "Moment": (_moment, 31),
    "Instant": (_instant, 31),
    "NamedInstant": (_named_instant, 6),
    "Span": (_span, 34),
    "Texts": (_list_of(_text), 14),
    "Wholes": (_list_of(_whole), 14),
    "Reals": (_list_of(_real), 9),
    "List": (_list, 31),
    "Map": (_map, SOME),
    "Point": (_point, 6),
    "DateText": (_date_text, SOME),
    "ClockText": (_clock_text, SOME),
    "MomentText": (_moment_text, SOME),
    "InstantText": (_instant_text, SOME),
    "SpanText": (_span_text, SOME),
    "DateMap": (_date_map, 14),
    "ClockMap": (_parts(*_HMS), 9),
    "MomentMap": (_moment_map, 8),
    "InstantMap": (_instant_map, 8),
    "SpanMap": (_span_map, SOME),
    "Pattern": (_pattern, MANY),
    "Character": (lambda rng: "".join(rng.choices(_LETTERS, k=rng.choice((0, 1, 1, 1, 2)))), 13),
    "Small": (lambda rng: rng.choice((rng.randint(-9, 9), _whole(rng))), 15),
    "Step": (lambda rng: rng.randint(-12, 40), 13),
    "Share": (lambda rng: f"{rng.uniform(-0.1, 1.1):.3f}", 8),
}
