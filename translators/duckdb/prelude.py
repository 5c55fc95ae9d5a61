"""Macros that a query declares before it, where plain SQL would be long and repeated.

Each is a TEMP MACRO, so that the text runs in any DuckDB that has the tables.
"""

from __future__ import annotations

# name -> (declaration without CREATE, other macros it uses)
MACROS: dict[str, tuple[str, tuple[str, ...]]] = {
    "cy_all": (
        "cy_all(l) AS CASE WHEN l IS NULL THEN NULL WHEN list_contains(l, false) THEN false"
        " WHEN len(list_filter(l, lambda x: x IS NULL)) > 0 THEN NULL ELSE true END",
        (),
    ),
    "cy_any": (
        "cy_any(l) AS CASE WHEN l IS NULL THEN NULL WHEN list_contains(l, true) THEN true"
        " WHEN len(list_filter(l, lambda x: x IS NULL)) > 0 THEN NULL ELSE false END",
        (),
    ),
    "cy_none": ("cy_none(l) AS NOT cy_any(l)", ("cy_any",)),
    "cy_single": (
        "cy_single(l) AS CASE WHEN l IS NULL THEN NULL"
        " WHEN len(list_filter(l, lambda x: x)) > 1 THEN false"
        " WHEN len(list_filter(l, lambda x: x IS NULL)) > 0 THEN NULL"
        " ELSE len(list_filter(l, lambda x: x)) = 1 END",
        (),
    ),
    "cy_firsts": (
        "cy_firsts(l) AS list_filter(l, lambda x, i: list_position(l, x) = i)",
        (),
    ),
    # Bounds count from 0, negative ones from the end, the upper one is not included.
    "cy_slice": (
        "cy_slice(l, lo, hi) AS list_slice(l,"
        " CASE WHEN coalesce(lo, 0) < 0 THEN greatest(len(l) + lo, 0) ELSE coalesce(lo, 0) END + 1,"
        " CASE WHEN coalesce(hi, len(l)) < 0 THEN greatest(len(l) + hi, 0)"
        " ELSE least(coalesce(hi, len(l)), len(l)) END)",
        (),
    ),
    # Java's Double.toString: plain from 1e-3 to 1e7, else with an exponent.
    "cy_float_text": (
        "cy_float_text(x) AS CASE WHEN isnan(x) THEN 'NaN' WHEN isinf(x) THEN"
        " CASE WHEN x > 0 THEN 'Infinity' ELSE '-Infinity' END"
        " WHEN x = 0 OR (abs(x) >= 1e-3 AND abs(x) < 1e7) THEN x::VARCHAR"
        " ELSE error('text of a float with an exponent') END",
        (),
    ),
    "cy_to_integer": (
        "cy_to_integer(s) AS CASE"
        " WHEN regexp_full_match(trim(s), '[-+]?[0-9]+') THEN TRY_CAST(trim(s) AS BIGINT)"
        " WHEN regexp_full_match(trim(s), '[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?')"
        " THEN TRY_CAST(trunc(TRY_CAST(trim(s) AS DOUBLE)) AS BIGINT) END",
        (),
    ),
    "cy_to_float": (
        "cy_to_float(s) AS CASE WHEN regexp_full_match(trim(s),"
        " '[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?')"
        " THEN TRY_CAST(trim(s) AS DOUBLE)"
        " WHEN trim(s) = 'NaN' THEN 'NaN'::DOUBLE"
        " WHEN trim(s) IN ('Infinity', '+Infinity') THEN 'Infinity'::DOUBLE"
        " WHEN trim(s) = '-Infinity' THEN '-Infinity'::DOUBLE END",
        (),
    ),
    "cy_round": (
        "cy_round(x) AS CASE WHEN abs(x) < 4503599627370496e0"
        " THEN CASE WHEN x - floor(x) >= 0.5e0 THEN floor(x) + 1e0 ELSE floor(x) END"
        " ELSE x END",
        (),
    ),
    # With places, halves go away from zero, as in Java's RoundingMode.HALF_UP.
    "cy_round_to": ("cy_round_to(x, places) AS round(x, places::INTEGER)", ()),
}


def prelude(names: set[str]) -> str:
    """The declarations of `names` and of what they use, in an order that works."""
    chosen: list[str] = []

    def add(name: str) -> None:
        if name in chosen:
            return
        for other in MACROS[name][1]:
            add(other)
        chosen.append(name)

    for name in sorted(names):
        add(name)
    return "".join(f"CREATE OR REPLACE TEMP MACRO {MACROS[name][0]};\n" for name in chosen)
