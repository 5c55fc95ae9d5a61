"""Groups of language features that a corpus can be asked to hold shares of.

>>> from graph_ir.cypher.reader import parse
>>> from graph_ir.features import features
>>> sorted(groups(features(parse("MATCH (a)-[:R*1..3]->(b) WHERE NOT b.x = 1 RETURN a.x"))))
['negation', 'optional-or-negation', 'variable-length']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from graph_ir.features import Features
from graphmill.record import Difficulty

_NEGATIONS = frozenset({"logic-not", "label-not", "inequality"})


@dataclass(frozen=True, slots=True)
class Group:
    """A test of a query's features, and the easiest tier that can pass it."""

    least: Difficulty
    holds: Callable[[Features], bool]


def _uses(*names: str) -> Callable[[Features], bool]:
    wanted = frozenset(names)
    return lambda features: not wanted.isdisjoint(features.constructs)


def _is_long(features: Features) -> bool:
    return features.variable_length or "shortest-path" in features.constructs


def _is_staged(features: Features) -> bool:
    return bool(features.projections or features.inner_projections)


def _reads_again(features: Features) -> bool:
    return bool(features.stages >= 2 or features.nested_aggregate or features.inner_projections)


GROUPS: dict[str, Group] = {
    # an edge of more than one length, a quantified path, a search for a shortest one
    "variable-length": Group("hard", _is_long),
    # three edges or more in one connected part of a stage
    "three-hops": Group("extra_hard", lambda features: features.hops >= 3),
    "optional": Group("hard", _uses("optional-match")),
    "negation": Group("easy", _uses(*_NEGATIONS)),
    "optional-or-negation": Group("easy", _uses("optional-match", *_NEGATIONS)),
    # a WITH, or a subquery with a projection of its own: what one stage computes, the next reads
    "multi-stage": Group("medium", _is_staged),
    # two stages that read, an aggregate over an aggregate, a subquery with a projection of its own
    "several-reads": Group("extra_hard", _reads_again),
    "aggregation": Group("medium", lambda features: bool(features.aggregates)),
    "filtered-aggregate": Group("hard", lambda features: features.filtered_aggregate),
    "subquery": Group("hard", lambda features: bool(features.subqueries)),
    "set-operation": Group("hard", _uses("union", "union-all")),
    "order": Group("medium", _uses("order-by")),
    "cycle": Group("hard", lambda features: features.shape in ("dag", "cyclic_or_dense")),
}


def groups(features: Features) -> frozenset[str]:
    """The names of the groups that a query with these features belongs to."""
    return frozenset(name for name, group in GROUPS.items() if group.holds(features))
