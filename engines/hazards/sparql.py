"""Values of a graph that SPARQL engines get wrong in some texts (`engines.hazards.stored`)."""

from __future__ import annotations

from engines.hazards.stored import Hazard, float_properties
from schemagraph.model import SchemaGraph

_NAMED = r"[:/#]NAME(?![\w%-])"
_ORDERS = r"(?i:\bORDER\s+BY\b|\b(?:MIN|MAX)\s*\()"
_GROUPS = r"(?i:\bGROUP\s+BY\b|\bDISTINCT\b)"
_LESS = r"[?\w)]\s*[<>]=?\s+"
_AGAINST_ZERO = rf"{_LESS}(?!-?[\d.]*[1-9])"
_COMPARES = rf"{_LESS}|\s!?=\s|(?i:\bIN\s*\()|{_ORDERS}|{_GROUPS}"
_FLOAT = r"\d\.\d|\d[eE][+-]?\d|(?i:double|\bAVG\b)|[\w)]\s*/\s*[?\d(]"

_ANYWHERE = r"\bPREFIX\s+(?!(?:label|prop|xsd|rdf):)|(?<!: )<http"
_WIDE = "Beyond 2^53 it has an integer for equal to the float that is next to it."
_HALVES = "Jena has characters beyond U+FFFF before those from U+E000 on."


def oxigraph_hazards(schema: SchemaGraph) -> tuple[Hazard, ...]:
    """Those of Oxigraph."""
    zero = Hazard(
        "below_zero",
        _NAMED,
        rf"{_AGAINST_ZERO}|{_ORDERS}|{_GROUPS}",
        "Oxigraph has -0.0 for no less than 0.0, and tells them apart in groups.",
        _ANYWHERE,
    )
    return zero, _wide(schema)


def jena_hazards(schema: SchemaGraph) -> tuple[Hazard, ...]:
    """Those of Jena."""
    zero = Hazard(
        "below_zero",
        _NAMED,
        rf"{_COMPARES}|(?i:\b(?:FILTER|BIND|SUM|AVG)\b)|[\w)]\s*/\s*[?\d(]",
        "Jena has -0.0 and 0.0 for two numbers.",
        _ANYWHERE,
    )
    halves = Hazard("orders_by_halves", _NAMED, rf"{_LESS}|{_ORDERS}", _HALVES, _ANYWHERE)
    return zero, halves, _wide(schema)


def _wide(schema: SchemaGraph) -> Hazard:
    """Integers beyond 2^53 that are compared in a text with floats."""
    floats = float_properties(schema)
    return Hazard("wide", _NAMED, _COMPARES, _WIDE, _ANYWHERE, floats, _FLOAT)
