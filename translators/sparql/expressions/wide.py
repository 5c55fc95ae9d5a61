"""Integers beyond 2^53 beside floats: SPARQL compares the two as doubles, of which neighbours are
one, where Cypher compares the values. Two constants are compared as doubles by Neo4j, too.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import descend
from schemagraph.model import Kind
from translators.sparql.expressions.core import FLOAT
from translators.sparql.model.compiler import Sx

_WHOLE = re.compile(r"-?\d+")
_CONSTANT = (ir.Literal, ir.Arith, ir.Neg)


def two_constants(node: ir.Compare, left: Sx, right: Sx) -> tuple[Sx, Sx]:
    """The sides of a comparison, as doubles where it is of constants, one an integer beyond 2^53
    and the other a float: what is written with a point is an exact decimal otherwise."""
    parts = [*descend(node.left), *descend(node.right)]
    if not all(isinstance(part, _CONSTANT) for part in parts):
        return left, right
    whole = any(isinstance(part, ir.Literal) and _is_wide(part.value) for part in parts)
    if not whole or {left.type.kind, right.type.kind} != {Kind.INTEGER, Kind.FLOAT}:
        return left, right
    return _double(left), _double(right)


def _double(sx: Sx) -> Sx:
    if sx.type.kind is Kind.FLOAT:
        return sx
    text = f"{sx.text}e0" if _WHOLE.fullmatch(sx.text) else f"xsd:double({sx.text})"
    return replace(sx, text=text, type=FLOAT)


def doubles_around(value: Sx, constant: Sx) -> tuple[str, str] | None:
    """The doubles below and above an integer that is none, with which a float is compared; None
    for other constants and values."""
    if value.type.kind is not Kind.FLOAT or value.type.mixed or value.type.of_nothing:
        return None
    if constant.type.kind is not Kind.INTEGER or not _WHOLE.fullmatch(constant.text):
        return None
    whole = int(constant.text)
    if not _is_wide(whole) or float(whole) == whole:
        return None
    nearest = float(whole)
    below = nearest if nearest < whole else math.nextafter(nearest, -math.inf)
    return repr(below), repr(math.nextafter(below, math.inf))


def _is_wide(value: object) -> bool:
    """Whether it is such an integer; the last before 2^63 are compared by no rule in Neo4j."""
    return isinstance(value, int) and 2**53 < abs(value) < 2**63 - 512
