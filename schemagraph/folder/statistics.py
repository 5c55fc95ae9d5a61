"""What the data of a graph is like: counts, values by frequency, degrees.

Query authors draw constants from it by selectivity, prompts show samples of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from functools import reduce
from math import isfinite
from pathlib import Path
from typing import Any

from graphmill.seed import rng
from schemagraph.folder.graphdata import (
    SOURCE,
    TARGET,
    batches,
    edge_file,
    edge_layout,
    node_file,
    node_layout,
)
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph

STEPS = 20  # quantiles every 5 %
_DAY = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
_CLOCK = r"\d\d:\d\d:\d\d(?:\.\d+)?"
_TIMES = (r"\d\d:\d\d", _CLOCK)
_DATED = tuple(
    map(
        re.compile,
        (
            _DAY,
            *(f"{_DAY}{by}{at}" for by in " T" for at in _TIMES),
            *(f"{_DAY}T{at}Z" for at in _TIMES),  # all of them in UTC
        ),
    )
)
_COMMON = 50
_SAMPLE = 20
_ORDERED = frozenset(
    {
        Kind.BOOLEAN,
        Kind.INTEGER,
        Kind.FLOAT,
        Kind.STRING,
        Kind.DATE,
        Kind.TIME,
        Kind.DATETIME,
        Kind.ZONED_DATETIME,
    }
)


@dataclass(frozen=True, slots=True)
class PropertyStatistics:
    """One property of one node or edge type.

    `count` are the values that are not null and `nulls` those that are. `common` are the most
    frequent values with how often they occur, the most frequent first (ties in the values'
    order). `quantiles` are the values at 0, 5, …, 100 % of the sorted values (21 of them), empty
    where the type has no order. `sample` are values of different rows, drawn by the seed. `dated`
    is whether all are texts that write days, or all moments, in one form that has the order of time
    (ISO 8601).

    Values are plain, as results have them: temporal ones are ISO text. Of bytes only the numbers
    are known; what is no finite number is counted, but never among the values.
    """

    count: int
    nulls: int
    distinct: int
    common: tuple[tuple[Any, int], ...] = ()
    quantiles: tuple[Any, ...] = ()
    sample: tuple[Any, ...] = ()
    dated: bool = False


@dataclass(frozen=True, slots=True)
class EdgeStatistics:
    """One edge type: edges, and the nodes at either end that have at least one.

    `out_degrees` and `in_degrees` are quantiles (0, 5, …, 100 %) over those nodes. `mutual` are the
    edges of which the opposite is there, too, and `turns` the walks of two edges, one after the
    other; both 0 where the ends are of different types.
    """

    count: int
    sources: int
    targets: int
    out_degrees: tuple[int, ...] = ()
    in_degrees: tuple[int, ...] = ()
    mutual: int = 0
    turns: int = 0


@dataclass(frozen=True, slots=True)
class GraphStatistics:
    """A graph's figures; node and edge types by name, properties by owner and name."""

    nodes: Mapping[str, int]
    edges: Mapping[str, EdgeStatistics]
    properties: Mapping[tuple[str, str], PropertyStatistics]


def gather_statistics(folder: Path, schema: SchemaGraph, seed: int) -> GraphStatistics:
    """The figures of the graph in `folder`; `seed` draws the samples.

    Raises:
        SchemaError: a table is missing or damaged.
    """
    nodes: dict[str, int] = {}
    edges: dict[str, EdgeStatistics] = {}
    properties: dict[tuple[str, str], PropertyStatistics] = {}
    for node in schema.nodes:
        table = _table(node_file(folder, node), node_layout(node))
        nodes[node.name] = table.num_rows
        properties |= _properties(node, table, seed)
    for edge in schema.edges:
        table = _table(edge_file(folder, edge), edge_layout(edge, schema))
        begin = [SOURCE + key for key in schema.node_by_name[edge.source].key]
        end = [TARGET + key for key in schema.node_by_name[edge.target].key]
        out, into = _degrees(table, begin), _degrees(table, end)
        alike = edge.source == edge.target
        edges[edge.name] = EdgeStatistics(
            table.num_rows,
            len(out),
            len(into),
            _quantiles(out),
            _quantiles(into),
            _mutual(table, begin, end) if alike else 0,
            _turns(table, begin, end) if alike else 0,
        )
        properties |= _properties(edge, table, seed)
    return GraphStatistics(nodes, edges, properties)


def different_rows(folder: Path, node: NodeType, names: Sequence[str]) -> tuple[int, int]:
    """How many nodes of a type differ in some of their properties, and how many there are.

    Raises:
        SchemaError: the table is missing or damaged.
    """
    table = _table(node_file(folder, node), node_layout(node))
    return table.group_by([*names]).aggregate([]).num_rows, table.num_rows


def _table(path: Path, layout: Any) -> Any:
    import pyarrow as pa

    chunks = list(batches(path, layout))
    return pa.Table.from_batches(chunks) if chunks else layout.empty_table()


def _degrees(table: Any, columns: list[str]) -> list[int]:
    """How many rows each combination of values has, in ascending order."""
    if not columns:
        return []
    counts = table.group_by(columns).aggregate([([], "count_all")])["count_all"]
    return sorted(counts.to_pylist())


def _mutual(table: Any, begin: list[str], end: list[str]) -> int:
    """How many rows there are of which the opposite is there; a loop has none."""
    import pyarrow.compute as pc

    if not begin:
        return 0
    alike = (pc.equal(table[one], table[other]) for one, other in zip(begin, end, strict=True))
    loops = reduce(pc.and_, alike)
    pairs = table.select([*begin, *end]).filter(pc.invert(loops))
    both = pairs.join(pairs, [*begin, *end], [*end, *begin], join_type="left semi")
    return int(both.num_rows)


def _turns(table: Any, begin: list[str], end: list[str]) -> int:
    """How many walks of two edges there are: of each node the edges to it times those from it."""
    import pyarrow.compute as pc

    if not begin or not table.num_rows:
        return 0
    count: list[tuple[list[str], str]] = [([], "count_all")]
    out = table.group_by(begin).aggregate(count).rename_columns([*begin, "out"])
    into = table.group_by(end).aggregate(count).rename_columns([*end, "into"])
    both = out.join(into, begin, end, join_type="inner")
    return int(pc.sum(pc.multiply(both["out"], both["into"])).as_py() or 0)


def _properties(
    owner: NodeType | EdgeType, table: Any, seed: int
) -> Iterable[tuple[tuple[str, str], PropertyStatistics]]:
    for prop in owner.properties:
        yield (owner.name, prop.name), _property(owner, prop, table[prop.name], seed)


def _property(
    owner: NodeType | EdgeType, prop: Property, column: Any, seed: int
) -> PropertyStatistics:
    import pyarrow.compute as pc

    values = pc.drop_null(column)
    count, nulls = len(values), column.null_count
    kind = prop.type.kind
    if not count:
        return PropertyStatistics(count, nulls, 0)
    if kind is Kind.BYTES:
        return PropertyStatistics(count, nulls, len(values.unique()))
    counted = _counted(kind, values)
    finite = [pair for pair in counted if _is_plain(pair[0])]
    often = sorted(finite, key=lambda pair: -pair[1])[:_COMMON]  # stable: ties stay in order
    chosen = rng(seed, "statistics", owner.name, prop.name).sample(
        range(count), min(_SAMPLE, count)
    )
    drawn = (_shown(value) for value in values.take(chosen).to_pylist() if _is_plain(value))
    return PropertyStatistics(
        count,
        nulls,
        len(counted),
        tuple((_shown(value), times) for value, times in often),
        tuple(map(_shown, _weighted_quantiles(finite))) if kind in _ORDERED else (),
        tuple(drawn),
        kind is Kind.STRING and are_dated([value for value, _ in counted]),
    )


def are_dated(texts: Sequence[str]) -> bool:
    """Whether texts, in ascending order, write days or moments in one form."""
    form = next((form for form in _DATED if form.fullmatch(texts[0])), None)
    return form is not None and all(map(form.fullmatch, texts))


def _counted(kind: Kind, values: Any) -> list[tuple[Any, int]]:
    """Each distinct value with how often it occurs, in ascending order."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_list(values.type):
        texts: dict[str, list[Any]] = {}
        for value in values.to_pylist():
            texts.setdefault(repr(value), [value, 0])[1] += 1
        return [(value, times) for _, (value, times) in sorted(texts.items())]
    value_counts = pc.value_counts(values)
    pairs = zip(
        value_counts.field("values").to_pylist(),
        value_counts.field("counts").to_pylist(),
        strict=True,
    )
    if kind is Kind.ZONED_DATETIME:
        return sorted(pairs, key=lambda pair: (datetime.fromisoformat(pair[0]), pair[0]))
    return sorted(pairs)


def _is_plain(value: Any) -> bool:
    return not isinstance(value, float) or isfinite(value)


def _shown(value: Any) -> Any:
    """A stored value as JSON can say it: temporal ones as ISO text, seconds always."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return [_shown(item) for item in value] if isinstance(value, list) else value


def _quantiles(ascending: Sequence[int]) -> tuple[int, ...]:
    return tuple(_weighted_quantiles([(value, 1) for value in ascending]))


def _weighted_quantiles[V](ascending: Sequence[tuple[V, int]]) -> list[V]:
    """The values at 0, 5, …, 100 % (the nearest rank from below); none of nothing."""
    total = sum(times for _, times in ascending)
    ranks = [(total - 1) * step // STEPS for step in range(STEPS + 1)] if total else []
    quantiles: list[V] = []
    below = 0
    for value, times in ascending:
        below += times
        while len(quantiles) < len(ranks) and ranks[len(quantiles)] < below:
            quantiles.append(value)
    return quantiles
