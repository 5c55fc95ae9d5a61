"""What the data of a graph is like: counts, values by frequency, degrees.

Query authors draw constants from it by selectivity, prompts show samples of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PropertyStatistics:
    """One property of one node or edge type.

    `count` are the values that are not null and `nulls` those that are. `common` are the most
    frequent values with how often they occur, the most frequent first (ties in the values'
    order). `quantiles` are the values at 0, 5, …, 100 % of the sorted values (21 of them), empty
    where the type has no order. `sample` are values of different rows, drawn by the seed.
    """

    count: int
    nulls: int
    distinct: int
    common: tuple[tuple[Any, int], ...] = ()
    quantiles: tuple[Any, ...] = ()
    sample: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class EdgeStatistics:
    """One edge type: edges, and the nodes at either end that have at least one.

    `out_degrees` and `in_degrees` are quantiles (0, 5, …, 100 %) over those nodes.
    """

    count: int
    sources: int
    targets: int
    out_degrees: tuple[int, ...] = ()
    in_degrees: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphStatistics:
    """A graph's figures; node and edge types by name, properties by owner and name."""

    nodes: Mapping[str, int]
    edges: Mapping[str, EdgeStatistics]
    properties: Mapping[tuple[str, str], PropertyStatistics]
