"""Types of CSV columns, found in all of their texts: only such as give every text back.

The first type that fits all values of a column is its type. A column in which `007` or `1.50 EUR`
stands is text; one of `1.5` and `2.25` is DOUBLE, one of `1.50` and `2.25` DECIMAL with two places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any

from graphmill.errors import SourceError, did_you_mean
from schemagraph.sources.formats import carriers
from schemagraph.sources.formats.carriers import Carrier

_SAMPLE = 2048
_COLUMNS = 1000  # that a query looks at: each takes memory
_AT_ONCE = 1500  # aggregates of one query, whose planning takes the square of their number
_CLOCK = "[0-9]{2}:[0-9]{2}:[0-9]{2}"
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"


@dataclass(frozen=True, slots=True)
class _Form:
    """How a type is written in a file: what is true of each text `{c}`, and the SQL to read it."""

    declared: str
    carrier: Carrier
    holds: str
    read: str = "{c}"


def _same(kind: str) -> str:
    return f"CAST(TRY_CAST({{c}} AS {kind}) AS VARCHAR) IS NOT DISTINCT FROM {{c}}"


def _like(pattern: str, kind: str) -> str:
    real = f"regexp_full_match({{c}}, '{pattern}') AND TRY_CAST({{c}} AS {kind}) IS NOT NULL"
    return f"({{c}} IS NULL OR ({real}))"


def _booleans(yes: str, no: str) -> _Form:
    shown = "BOOLEAN" if yes == "true" else f"BOOLEAN {yes}/{no}"
    return _Form(
        shown, carriers.BOOLEAN, f"{{c}} IN ('{yes}', '{no}')", f"CAST({{c}} = '{yes}' AS BIGINT)"
    )


_FORMS = (
    _Form("BIGINT", carriers.INTEGER, _same("BIGINT"), "CAST({c} AS BIGINT)"),
    _booleans("true", "false"),
    _booleans("True", "False"),
    _booleans("TRUE", "FALSE"),
    _Form("HUGEINT", carriers.BIG_INTEGER, "regexp_full_match({c}, '0|-?[1-9][0-9]*')"),
    _Form(
        "DOUBLE",
        carriers.REAL,
        f"({_same('DOUBLE')} AND isfinite(TRY_CAST({{c}} AS DOUBLE)))",
        "CAST({c} AS DOUBLE)",
    ),
    _Form("DATE", carriers.DATE, _like(_DAY, "DATE")),
    *(
        _Form(f"TIMESTAMP{part}", carriers.DATETIME, _like(_DAY + mid + _CLOCK + end, "TIMESTAMP"))
        for mid, part in ((" ", ""), ("T", " with T"))
        for end in ("", r"\.[0-9]{3}", r"\.[0-9]{6}")
    ),
    _Form(
        "TIMESTAMP WITH TIME ZONE",
        carriers.ISO_DATETIME,
        _like(rf"{_DAY}T{_CLOCK}(\.[0-9]{{1,6}})?(Z|[+-][0-9]{{2}}:[0-9]{{2}})", "TIMESTAMP"),
    ),
    _Form("TIME", carriers.TIME, _like(_CLOCK, "TIME")),
)
_DECIMAL = r"regexp_full_match({c}, '-?(0|[1-9][0-9]*)\.[0-9]{n}')"
_ANY_DECIMAL = r"regexp_full_match({c}, '(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]*[1-9])')"


def find_types(
    connection: Any, origin: str, columns: Sequence[str], wanted: Mapping[str, str]
) -> list[tuple[str, Carrier, str]]:
    """Declared type, carrier and SQL of each text column of `origin` (identifiers are quoted).

    Raises:
        SourceError: a type that is wanted does not hold for all values, or there is none.
    """
    forms: dict[str, list[_Form]] = {column: [] for column in columns}
    rows, filled = _sampled(connection, origin, forms)
    if rows == _SAMPLE:
        filled = _narrow(connection, origin, forms)
    return [
        _chosen(column, forms[column] if column in filled else [], wanted.get(column, ""))
        for column in columns
    ]


def _sampled(connection: Any, origin: str, forms: dict[str, list[_Form]]) -> tuple[int, set[str]]:
    """Keep the forms that fit the first rows of a column; how many these are, and which columns
    have a value there. All columns are one here: each aggregate of a query has its price."""
    candidates = [*_FORMS, *_decimals()]
    fits = ", ".join(f"bool_and({form.holds})".replace("{c}", "v") for form in candidates)
    length, filled = 0, set()
    for names in batched(list(forms), _COLUMNS):
        answers = connection.execute(
            f"SELECT k, count(*), count(v), {fits} FROM (SELECT unnest([{', '.join(names)}]) AS v, "
            f"unnest(range({len(names)})) AS k FROM (SELECT * FROM {origin} LIMIT {_SAMPLE})) "
            "GROUP BY k"
        ).fetchall()
        for k, rows, values, *fitting in answers:
            forms[names[k]] = [
                form for form, fit in zip(candidates, fitting, strict=True) if fit is not False
            ]
            length = rows
            filled |= {names[k]} if values else set()
    return length, filled


def _narrow(connection: Any, origin: str, forms: dict[str, list[_Form]]) -> set[str]:
    """Keep the forms that fit all texts of a column; which columns have a value."""
    answers = iter(_aggregated(connection, origin, forms))
    filled = set()
    for column, candidates in forms.items():
        if next(answers):
            filled.add(column)
        forms[column] = [form for form in candidates if next(answers) is not False]
    return filled


def _aggregated(connection: Any, origin: str, forms: dict[str, list[_Form]]) -> Iterator[Any]:
    """Of each column, whether it has a value, and of each of its forms whether it fits."""
    items = []
    for column, candidates in forms.items():
        items.append(f"count({column})")
        items += [f"bool_and({form.holds})".replace("{c}", column) for form in candidates]
    for some in batched(items, _AT_ONCE):
        (row,) = connection.execute(f"SELECT {', '.join(some)} FROM {origin}").fetchall()
        yield from row


def _decimals() -> list[_Form]:
    places = [
        _Form(f"DECIMAL(18,{n})", carriers.DECIMAL, _DECIMAL.replace("{n}", f"{{{n}}}"))
        for n in range(1, 7)
    ]
    return [*places, _Form("DECIMAL", carriers.DECIMAL, _ANY_DECIMAL)]


def _chosen(column: str, fitting: Sequence[_Form], wanted: str) -> tuple[str, Carrier, str]:
    plain = _Form("VARCHAR", carriers.TEXT, "")
    form = fitting[0] if fitting else plain
    if wanted:
        known = [plain, *_FORMS, *_decimals()]
        named = [other for other in (plain, *fitting) if other.declared == wanted.upper()]
        if not named:
            names = list(dict.fromkeys(other.declared for other in known))
            if wanted.upper() not in names:
                near = did_you_mean(wanted.upper(), names) or f" There are: {', '.join(names)}."
                raise SourceError(f"Column {column}: there is no type {wanted}.{near}")
            raise SourceError(
                f"Column {column} holds values that {wanted} does not give back as written."
            )
        form = named[0]
    return form.declared, form.carrier, form.read.replace("{c}", column)
