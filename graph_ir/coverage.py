"""Groups of language features that a corpus can be asked to hold shares of.

>>> from graph_ir.cypher import parse
>>> from graph_ir.features import features
>>> sorted(groups(features(parse("MATCH (a)-[:R*1..3]->(b) WHERE NOT b.x = 1 RETURN a.x"))))
['negation', 'optional-or-negation', 'variable-length']
"""

from __future__ import annotations

from collections.abc import Callable

from graph_ir.features import Features

_NEGATIONS = frozenset({"logic-not", "label-not", "inequality"})
_SETS = frozenset({"union", "union-all"})


def _uses(*names: str) -> Callable[[Features], bool]:
    wanted = frozenset(names)
    return lambda found: not wanted.isdisjoint(found.constructs)


def _is_staged(found: Features) -> bool:
    return bool(found.stages >= 2 or found.nested_aggregate or found.inner_projections)


GROUPS: dict[str, Callable[[Features], bool]] = {
    # an edge of more than one length, a quantified path, a search for a shortest one
    "variable-length": lambda found: found.variable_length or "shortest-path" in found.constructs,
    # three edges or more in one connected part of a stage
    "three-hops": lambda found: found.hops >= 3,
    "optional": _uses("optional-match"),
    "negation": _uses(*_NEGATIONS),
    "optional-or-negation": _uses("optional-match", *_NEGATIONS),
    # two stages that read, an aggregate over an aggregate, a subquery with a projection of its own
    "multi-stage": _is_staged,
    "aggregation": lambda found: bool(found.aggregates),
    "filtered-aggregate": lambda found: found.filtered_aggregate,
    "subquery": lambda found: bool(found.subqueries),
    "set-operation": _uses(*_SETS),
    "order": _uses("order-by"),
    "cycle": lambda found: found.shape in ("dag", "cyclic_or_dense"),
}


def groups(found: Features) -> frozenset[str]:
    """The groups that a query with these features belongs to."""
    return frozenset(name for name, holds in GROUPS.items() if holds(found))
