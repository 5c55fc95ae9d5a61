"""Formats of dates beyond SQLite's: names of months and days, numbers without zeros, and
PostgreSQL's templates (https://www.postgresql.org/docs/current/functions-formatting.html)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sqlglot import exp
from sqlglot.dialects.mysql import MySQL
from sqlglot.dialects.postgres import Postgres

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_BLANK_PADDED = 9  # the width of PostgreSQL's names in full
# Codes that are printed as numbers without zeros in front, and the part of a date that they are.
PLAIN = {"%-d": "day", "%-m": "month", "%-H": "hour", "%-j": "ordinalDay", "%q": "quarter"}
# Codes that are names, and the part that counts them from 1.
NAMES: dict[str, tuple[tuple[str, ...], str]] = {
    "%B": (_MONTHS, "month"),
    "%b": (tuple(name[:3] for name in _MONTHS), "month"),
    "%A": (_DAYS, "dayOfWeek"),
    "%a": (tuple(name[:3] for name in _DAYS), "dayOfWeek"),
}
_NUMBERS = {
    **{"FMHH24": "%-H", "FMMM": "%-m", "FMDDD": "%-j", "FMDD": "%-d"},
    **{"HH24": "%H", "YYYY": "%Y", "YY": "%y", "MM": "%m", "DDD": "%j", "DD": "%d"},
    **{"MI": "%M", "SS": "%S", "Q": "%q"},
}
_WORDS = {"Month": "%B", "Mon": "%b", "Day": "%A", "Dy": "%a"}


def _cased_names() -> dict[str, tuple[tuple[str, ...], str]]:
    """PostgreSQL's words for names in three cases; FM takes away the spaces behind them."""
    cased = {}
    for word, code in _WORDS.items():
        width = _BLANK_PADDED if word in ("Month", "Day") else 0
        for change in (str.capitalize, str.upper, str.lower):
            names = tuple(change(name) for name in NAMES[code][0])
            cased[f"FM{change(word)}"] = (names, NAMES[code][1])
            cased[change(word)] = (tuple(name.ljust(width) for name in names), NAMES[code][1])
    return cased


_CASED = _cased_names()
NAMES |= {f"%{word}": names for word, names in _CASED.items()}
# The parser writes templates as codes of strftime, also where they are parts of longer words.
_PARSED = {code: word for word, code in Postgres.TIME_MAPPING.items()}
_CODE = re.compile("|".join(sorted(map(re.escape, _PARSED), key=len, reverse=True)))
_TOKEN = re.compile(
    "|".join(
        [
            *sorted(_CASED, key=len, reverse=True),
            *(f"(?i:{word})" for word in _NUMBERS),
            r'"[^"\\%]*"',
            r'[^A-Za-z"\\%]+',
        ]
    )
)


def of_template(parsed: str) -> list[str] | None:
    """The codes and texts of a template of `to_char()`, None where it has others.

    >>> of_template("%d Mon %Y"), of_template("F%month"), of_template("%Sth")
    (['%d', ' ', '%Mon', ' ', '%Y'], ['%FMMonth'], None)
    """
    template = _CODE.sub(lambda match: _PARSED[match[0]], parsed)
    pieces: list[str] = []
    place = 0
    while place < len(template):
        token = _TOKEN.match(template, place)
        if token is None or token[0].upper() == "SS" == template[token.end() :][:2].upper():
            return None  # SSSS counts the seconds of the day
        place, word = token.end(), token[0]
        if word in _CASED:
            pieces.append(f"%{word}")
        else:
            pieces.append(_NUMBERS.get(word.upper(), word.strip('"')))
    return pieces


_OF_MYSQL = "abcDdefHhIijklMmprSsTUuVvWwXxYy%"


def is_of_mysql(parsed: str, words: Iterable[str]) -> bool:
    """Whether a format of DATE_FORMAT() has MySQL's codes alone, of which any other is its letter
    (dev.mysql.com: DATE_FORMAT). The parser makes codes of strftime of those that differ, leaves
    the others as they are and takes `None` for an empty format, which is NULL: so those of `words`
    are looked at which it parses as `parsed`.

    >>> is_of_mysql("%B", ["%M"]), is_of_mysql("%B", ["%B"]), is_of_mysql("None", [""])
    (True, False, False)
    """
    literals = {word: MySQL.format_time(exp.Literal.string(word)) for word in words}
    written = [word for word, made in literals.items() if made and made.name == parsed]
    codes = "".join(code for word in written for code in re.findall("%(.?)", word, re.DOTALL))
    return all(written) and set(codes) <= {*_OF_MYSQL}
