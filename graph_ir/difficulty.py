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


def tier(found: Features) -> Difficulty:
    """The tier of a query with these features."""
    constructs = set(found.constructs)
    if (
        found.hops >= 3
        or found.stages >= 2
        or found.nested_aggregate
        or found.depth >= 2
        or found.inner_projections
    ):
        return "extra_hard"
    if (
        found.hops == 2
        or found.variable_length
        or found.subqueries
        or found.unions
        or found.filtered_aggregate
        or found.conditions >= 3
        or (found.aggregates and found.conditions >= 2)
        or constructs & {"optional-match", "case", "shortest-path"}
    ):
        return "hard"
    plain = found.conditions == 0 or (found.conditions == 1 and not constructs & (_TESTS - _PLAIN))
    if (
        found.aggregates
        or found.conditions >= 2
        or not plain
        or "order-by" in constructs
        or (found.hops == 1 and found.conditions)
    ):
        return "medium"
    return "easy"
