"""The four tiers of Text2GQL-Bench (section 4.5, table 2), by rules on the parsed query.

The table leaves open what the rules below settle (requirements: notes 4, 5, 17 and 18). A tier
is the first whose line holds, read from the top:

extra hard  three or more edges in one stage; or two stages that read (a MATCH after a
            projection); or an aggregate over an aggregate; or a subquery within a subquery; or a
            subquery that has a projection of its own (the set operations of SQL, a comparison
            with an aggregate of another part).
hard        two edges; or variable length; or a subquery; or OPTIONAL MATCH; or UNION; or a
            condition on an aggregate; or an aggregate with two or more conditions; or three or
            more conditions; or CASE.
medium      one edge with an aggregate, a condition or an order; or an aggregate; or two
            conditions; or ORDER BY; or a condition other than one comparison or text test.
easy        the rest: one node or one edge pattern, at most one plain condition.
"""

from __future__ import annotations

from graph_ir.features import Features
from graphmill.record import Difficulty

_PLAIN = frozenset({"equality", "inequality", "comparison", "starts-with", "ends-with", "contains"})
_TESTS = frozenset({*_PLAIN, "in-list", "is-null", "regular-expression", "quantifier"})


def tier(features: Features) -> Difficulty:
    """The tier of a query with these features."""
    constructs = set(features.constructs)
    if (
        features.hops >= 3
        or features.stages >= 2
        or features.nested_aggregate
        or features.depth >= 2
        or features.inner_projections
    ):
        return "extra_hard"
    if (
        features.hops == 2
        or features.variable_length
        or features.subqueries
        or features.unions
        or features.filtered_aggregate
        or features.conditions >= 3
        or (features.aggregates and features.conditions >= 2)
        or constructs & {"optional-match", "case", "shortest-path"}
    ):
        return "hard"
    plain = features.conditions == 0 or (
        features.conditions == 1 and not constructs & (_TESTS - _PLAIN)
    )
    if (
        features.aggregates
        or features.conditions >= 2
        or not plain
        or "order-by" in constructs
        or (features.hops == 1 and features.conditions)
    ):
        return "medium"
    return "easy"
