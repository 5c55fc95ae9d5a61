"""The structure of a query as 21 numbers, for choosing examples (HR-6, HR-7, HR-9)."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from graph_ir import nodes as ir
from graph_ir.features import features

SHAPES = ("chain", "star", "tree", "dag", "cyclic_or_dense")
NUMBERS = 21


def structure(statement: ir.Statement) -> tuple[float, ...]:
    """The 15 features of HR's Table 1, in its order, as 21 numbers from 0 to 1.

    Counts n are scaled to n / (n + 1): unscaled they would dominate the cosine (HR 4.5, note 1;
    the paper states no scaling). The shape is that of `graph_ir.features`, one of five.
    """
    own = features(statement)
    has = set(own.constructs)
    binary = (
        "optional-match" in has,  # 1 has_optional_match
        "logic-and" in has,  # 2 has_AND, has_OR, has_NOT
        "logic-or" in has,
        "logic-not" in has,
        "order-by" in has,  # 3 has_order
        "limit" in has,  # 4 has_limit
        "unwind" in has,  # 5 has_unwind
    )
    counts = (
        own.hops,  # 6 path_length
        own.node_patterns,  # 7 num_nodes
        own.edge_patterns,  # 8 num_rels
        own.conditions,  # 9 num_conditions
        own.projections,  # 10 num_with
        own.returned,  # 11 num_return_fields
    )
    return (
        *map(float, binary),
        *map(_scaled, counts),
        float(bool(own.aggregates)),  # 12 has_aggregation
        _scaled(len(own.aggregates)),  # 13 agg_type_count
        float(own.variable_length),  # 14 has_path_pattern
        *(float(own.shape == name) for name in SHAPES),  # 15 pattern_shape
    )


def cosine(left: Sequence[float], right: Sequence[float]) -> float:
    """HR-7: the cosine of two vectors; 0 where one is zero."""
    lengths = sqrt(sum(x * x for x in left)) * sqrt(sum(y * y for y in right))
    return sum(x * y for x, y in zip(left, right, strict=True)) / lengths if lengths else 0.0


def _scaled(count: int) -> float:
    return count / (count + 1)
