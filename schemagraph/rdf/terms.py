"""Values of properties as RDF terms, and back."""

from __future__ import annotations

import math
import re
from base64 import b64decode, b64encode
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, NamedTuple

from schemagraph.model import Kind, Type
from schemagraph.rdf.names import PREFIXES

XSD = PREFIXES["xsd"]
DURATION = f"{PREFIXES['pg']}duration"
STRING = f"{XSD}string"

DATATYPES: dict[Kind, str] = {
    Kind.BOOLEAN: f"{XSD}boolean",
    Kind.INTEGER: f"{XSD}integer",
    Kind.FLOAT: f"{XSD}double",
    Kind.STRING: STRING,
    Kind.DATE: f"{XSD}date",
    Kind.TIME: f"{XSD}time",
    Kind.ZONED_TIME: f"{XSD}time",
    Kind.DATETIME: f"{XSD}dateTime",
    Kind.ZONED_DATETIME: f"{XSD}dateTime",
    # XSD's durations know months and seconds, Cypher's days besides.
    Kind.DURATION: DURATION,
    Kind.BYTES: f"{XSD}base64Binary",
}
"""The datatype of each kind of value; lists are `rdf:List`s of them."""


class Literal(NamedTuple):
    """A literal of RDF: its lexical form and the IRI of its datatype."""

    text: str
    datatype: str


def literal(value: Any, of: Type) -> Literal | None:
    """The literal of a value that is no list; None for a kind that has no literals (points, maps).

    >>> literal(1.5, Type(Kind.FLOAT)).text, literal(True, Type(Kind.BOOLEAN)).text
    ('1.5E0', 'true')
    """
    datatype = DATATYPES.get(of.kind)
    if datatype is None:
        return None
    text = lexical(value)
    return Literal(_clock(text) if of.kind in _CLOCKS else text, datatype)


def lexical(value: Any) -> str:
    """The canonical lexical form of a value in its datatype."""
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return double(value)
        case Decimal():
            return double(float(value))
        case datetime():
            return _utc(value.isoformat())
        case date():
            return value.isoformat()
        case time():
            return _utc(value.isoformat())
        case bytes() | bytearray() | memoryview():
            return b64encode(bytes(value)).decode()
    return str(value)


def double(value: float) -> str:
    """A float in the canonical form of xsd:double (XSD 1.1, part 2, §3.3.5).

    >>> double(1500.0), double(-0.25), double(math.inf), double(0.0)
    ('1.5E3', '-2.5E-1', 'INF', '0.0E0')
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "INF" if value > 0 else "-INF"
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    assert isinstance(exponent, int)  # noqa: S101 # finite numbers have one
    text = "".join(map(str, digits))
    power = exponent + len(text) - 1 if value else 0
    rest = text[1:].rstrip("0") or "0"
    return f"{'-' if sign else ''}{text[0]}.{rest}E{power}"


_CLOCKS = frozenset({Kind.TIME, Kind.ZONED_TIME, Kind.DATETIME, Kind.ZONED_DATETIME})
_MINUTES = re.compile(r"^((?:.*T)?\d\d:\d\d)(?=Z|[+-]|$)")
_ZEROS = re.compile(r"(?:(\.\d*[1-9])0+|\.0+)(?=Z|[+-]|$)")


def _clock(text: str) -> str:
    """A time of day without zeros at the end of its fraction, and with seconds.

    >>> _clock("10:00:00.500000+01:00"), _clock("10:00:00.000Z"), _clock("2024-01-31T10:00+02:00")
    ('10:00:00.5+01:00', '10:00:00Z', '2024-01-31T10:00:00+02:00')
    """
    text = _MINUTES.sub(r"\1:00", text)
    return _utc(_ZEROS.sub(lambda match: match[1] or "", text))


def _utc(text: str) -> str:
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


_ESCAPED = re.compile(r'[\\"\x00-\x1f\x7f]')
_SHORT = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text: str) -> str:
    r"""A string as N-Triples, Turtle and SPARQL write it, in double quotes.

    >>> quoted('a"b')
    '"a\\"b"'
    """
    return f'"{_ESCAPED.sub(lambda m: _SHORT.get(m[0]) or f"\\u{ord(m[0]):04X}", text)}"'


def n_triples(term: Literal) -> str:
    """The literal as N-Triples write it."""
    return (
        quoted(term.text) if term.datatype == STRING else f"{quoted(term.text)}^^<{term.datatype}>"
    )


_KINDS: dict[str, Kind] = {
    f"{XSD}boolean": Kind.BOOLEAN,
    **dict.fromkeys(
        (
            f"{XSD}{name}"
            for name in (
                *("integer", "long", "int", "short", "byte", "unsignedInt", "unsignedShort"),
                *("unsignedByte", "unsignedLong", "nonNegativeInteger", "positiveInteger"),
                *("nonPositiveInteger", "negativeInteger"),
            )
        ),
        Kind.INTEGER,
    ),
    f"{XSD}double": Kind.FLOAT,
    f"{XSD}float": Kind.FLOAT,
    f"{XSD}decimal": Kind.FLOAT,
    STRING: Kind.STRING,
    f"{XSD}date": Kind.DATE,
    DURATION: Kind.DURATION,
    f"{XSD}base64Binary": Kind.BYTES,
}
_ZONE = re.compile(r"(?:Z|[+-]\d{2}:\d{2})$")


def kind_of(term: Literal) -> Kind | None:
    """The kind of value that a literal is; None where the model has none for its datatype."""
    if term.datatype == f"{XSD}dateTime":
        return Kind.ZONED_DATETIME if _ZONE.search(term.text) else Kind.DATETIME
    if term.datatype == f"{XSD}time":
        return Kind.ZONED_TIME if _ZONE.search(term.text) else Kind.TIME
    return _KINDS.get(term.datatype)


def value_of(term: Literal) -> Any:
    """The Python value of a literal of a known datatype; temporal values stay text.

    Raises:
        ValueError: the text is none of the datatype's.
    """
    match kind_of(term):
        case Kind.BOOLEAN:
            if term.text not in _TRUTH:
                raise ValueError(f"'{term.text}' is no xsd:boolean")
            return _TRUTH[term.text]
        case Kind.INTEGER:
            return int(term.text)
        case Kind.FLOAT:
            return float(_SPECIAL.get(term.text, term.text))
        case Kind.BYTES:
            return b64decode(term.text, validate=True)
    return term.text


_TRUTH = {"true": True, "1": True, "false": False, "0": False}
_SPECIAL = {"INF": "inf", "-INF": "-inf", "+INF": "inf", "NaN": "nan"}
