"""The four tiers of Text2GQL-Bench (section 4.5, table 2), by rules on the parsed query.

The table leaves open what the rules below settle (requirements: notes 4, 5, 17 and 18). A tier
is the first whose line holds, read from the top:

extra hard  three or more edges in one query; or two stages that read (a MATCH after a
            projection); or an aggregate over an aggregate; or a subquery in a subquery; or a
            comparison with an aggregate of another part; or UNION inside CALL (the set
            operations of SQL); or variable length together with a second stage.
hard        two edges; or variable length; or a subquery (EXISTS, COUNT, COLLECT); or OPTIONAL
            MATCH; or UNION; or a filter on an aggregate; or an aggregate with two or more
            conditions; or three or more conditions; or CASE.
medium      one edge with anything more than returning properties; or an aggregate; or two
            conditions; or ORDER BY with LIMIT; or a condition other than one comparison.
easy        one node or one edge pattern, at most one plain comparison, no aggregate.
"""

from __future__ import annotations

from graph_ir.features import Features

from graphmill.record import Difficulty


def tier(found: Features) -> Difficulty:
    """The tier of a query with these features."""
    raise NotImplementedError
