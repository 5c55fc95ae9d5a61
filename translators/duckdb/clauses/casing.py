"""Tables for `text.sql`: of upper and lower case, where Java's String differs from DuckDB.

Java follows Unicode's SpecialCasing.txt, by which a character can become several, and Unicode 16
(JDK 25, on which Neo4j 2026 runs); DuckDB 2.0 maps one character to one, by Unicode 15.
`benchmarks/text_case.py` compares every code point with both.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from translators.duckdb.model.names import text
from translators.stored_texts import STORED_AS_LATIN, STORED_WHOLE

_SPECIAL = (
    (0xDF, 0x588),
    (0x1E96, 0x2000),
    (0xFB00, 0xFB18),
)  # where SpecialCasing.txt has entries
_NEW = {  # upper case by lower case, of Unicode 16
    0x19B: 0xA7DC,
    0x264: 0xA7CB,
    0x1C8A: 0x1C89,
    0xA7CD: 0xA7CC,
    0xA7DB: 0xA7DA,
    **{0x10D70 + n: 0x10D50 + n for n in range(22)},
}
# Letters with case of Latin, Greek and Cyrillic, the capital sigma among them.
_CASED = (
    r"A-Za-z\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1BA}\x{1BC}-\x{1BF}\x{1C4}-\x{24F}\x{370}-\x{373}"
    r"\x{376}\x{377}\x{37B}-\x{37D}\x{37F}\x{386}\x{388}-\x{38A}\x{38C}\x{38E}-\x{3A1}"
    r"\x{3A3}-\x{3F5}\x{3F7}-\x{481}\x{48A}-\x{52F}\x{1F00}-\x{1F15}\x{1F18}-\x{1F1D}"
    r"\x{1F20}-\x{1F45}\x{1F48}-\x{1F4D}\x{1F50}-\x{1F57}\x{1F59}\x{1F5B}\x{1F5D}"
    r"\x{1F5F}-\x{1F7D}\x{1F80}-\x{1FB4}\x{1FB6}-\x{1FBC}\x{1FC2}-\x{1FC4}\x{1FC6}-\x{1FCC}"
    r"\x{1FD0}-\x{1FD3}\x{1FD6}-\x{1FDB}\x{1FE0}-\x{1FEC}\x{1FF2}-\x{1FF4}\x{1FF6}-\x{1FFC}\x{FB00}-\x{FB06}"
)
_WHITE = (
    *range(9, 14),
    *range(28, 33),
    0x1680,
    *range(0x2000, 0x2007),
    *range(0x2008, 0x200B),
    *(0x2028, 0x2029, 0x205F, 0x3000),
)
_MARKS = r"\x{300}-\x{344}\x{346}-\x{36F}"  # combining, they belong to what is before them
_JOINING = "\"'.\\-_\\x{2010}"  # inside of a word when letters are on both sides
_OF_NUMBERS = (
    "\"'.,"  # inside of a word when digits are on both sides (measured with Neo4j 2026.08)
)
_APART = r"\x{1}-!#-&(-,/:-@\[-\^`\{-\x{A9}\x{2019}"

# The parts of a regular expression of Java that RE2 reads alike, or `cy_pattern_part` says.
_CODE = r"\\[tnrfa!-/:-@\[-`{-~]|\\x[0-9a-fA-F]{2}"
_NAMED = r"\\[dDwW]|\\[pP]\{(?:L[ultmo]?|M[nce]?|N[dlo]?|P|S|Z[slp]?)\}"
_ONE = rf"(?:[^\[\]\\&-]|{_CODE})"
_MEMBERS = rf"-?(?:{_ONE}-{_ONE}|{_ONE}|{_NAMED}|\\s)*-?"
_CUT = rf"\[(?:[!-%'-,./-Z_-~](?:-[!-%'-,./-Z_-~])?|\\[dws])+&&\[\^?{_MEMBERS}\]\]"
_PART = "|".join(
    (
        r"\\Q[^\\]*\\E",
        rf"\\[sSRbBAz]|{_NAMED}|{_CODE}",
        rf"\[\^?{_MEMBERS}\]",
        _CUT,
        r"\(\?:|[()|^$.]",
        r"[*+?]\??|\{[0-9]{1,3}(?:,[0-9]{0,3})?\}\??",
        r"[^\\\[\](){}*+?|^$.]",
    )
)


@cache
def tables() -> dict[str, str]:
    """What stands for the marks `@NAME@` of `text.sql`."""
    upper = {c: c.upper() for low, high in _SPECIAL for c in map(chr, range(low, high))}
    upper = {c: capital for c, capital in upper.items() if len(capital) > 1}
    upper |= {chr(low): chr(high) for low, high in _NEW.items()}
    entries = ", ".join(f"{text(c)}: {text(capital)}" for c, capital in upper.items())
    number = f"[0-9][0-9{_MARKS}]*(?:[{_OF_NUMBERS}][0-9][0-9{_MARKS}]*)*"
    inside = f"[0-9{_MARKS}{_JOINING}{_OF_NUMBERS}]*"
    unknown = f"[^{_CASED}0-9{_MARKS}{_JOINING}{_APART}]"
    return {
        "UPPER": text(_class(upper)),
        "UPPER_MAP": f"MAP {{{entries}}}",
        "LOWER": text(_class(["\u0130", *map(chr, _NEW.values())])),
        "LOWER_FROM": text("".join(map(chr, _NEW.values()))),
        "LOWER_TO": text("".join(map(chr, _NEW))),
        "STORED_WHOLE": text(STORED_WHOLE),
        "STORED_AS_LATIN": text(STORED_AS_LATIN),
        "WHITE": " || ".join(f"chr({code})" for code in _WHITE),
        "SIGMA_PRECEDED": text(f"[{_CASED}][{_MARKS}]*(?:[{_JOINING}]|{number})?$"),
        "SIGMA_FOLLOWED": text(f"^[{_MARKS}]*(?:[{_JOINING}]|{number})?[{_CASED}]"),
        "SIGMA_OPEN_BEFORE": text(f"{unknown}{inside}$"),
        "SIGMA_OPEN_BEHIND": text(f"^{inside}{unknown}"),
        "PART": text(_PART),
    }


def _class(characters: Iterable[str]) -> str:
    return "[" + "".join(f"\\x{{{ord(c):X}}}" for c in characters) + "]"


def filled(macros: str) -> str:
    """The text of macros with the tables in it."""
    for name, table in tables().items():
        macros = macros.replace(f"@{name}@", table)
    return macros
