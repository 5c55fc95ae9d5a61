"""All measures of a synthesised graph: conformance, integrity and distributions.

Two tables at a time are in memory, besides the node tables that edge tables join.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import polars as pl

from qa.synthesis.aggregates import measure_aggregated
from qa.synthesis.columns import measure_column
from qa.synthesis.pairs import (
    measure_fitting,
    measure_pairs,
    measure_preferred,
    measure_same,
    rooms_of,
)
from qa.synthesis.report import Measure, Report, none_of
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import EdgeType, NodeType, Property, SchemaGraph
from schemagraph.specification.columns import End, needs
from schemagraph.specification.distributions import Aggregated
from schemagraph.specification.leads import end_names, lead_of, own_end
from schemagraph.specification.model import Column, Edges, Once, Specification


def verify_graph(folder: Path, schema: SchemaGraph, given: Specification) -> Report:
    """Measure the tables below `folder` (as `GraphWriter` lays them out).

    Raises:
        KeyError: the specification lacks a type; `check_synthesis` says so before.
    """
    with ThreadPoolExecutor(2) as pool:
        tasks = [pool.submit(list, _nodes(folder, node, schema, given)) for node in schema.nodes]
        tasks += [pool.submit(list, _edges(folder, edge, schema, given)) for edge in schema.edges]
        return Report(tuple(measure for task in tasks for measure in task.result()))


class _Reader:
    """Columns of node tables, over edges too: `Order-PLACED_BY-Customer.registered_on`."""

    def __init__(self, folder: Path, schema: SchemaGraph, given: Specification) -> None:
        self.folder = folder
        self.schema = schema
        self.given = given
        self.partners: dict[tuple[str, End], np.ndarray] = {}

    def column(self, node: NodeType, name: str) -> pl.Series:
        """A column of a node type, in the order of its rows; NULL where no edge leads on."""
        lead = lead_of(name, node.name, self.schema, self.given.edges)
        if lead is None or name in (given.name for given in node.properties):
            return pl.read_parquet(node_file(self.folder, node), columns=[name])[name]
        values = self.column(self.schema.node_by_name[lead.other], lead.name)
        partner = self._partner(lead.edge, lead.mine)
        return values.gather(np.maximum(partner, 0)).set(pl.Series(partner < 0), None)

    def of_edges(self, of: Aggregated, node: NodeType) -> tuple[np.ndarray, pl.Series]:
        """The rows of `node` at which the edges of a type end, and what is made of each edge."""
        edge = self.schema.edge_by_name[of.edge]
        ends = self._ends(edge)
        mine = own_end(edge, node.name, self.given.edges[edge.name].cardinality) or End.SOURCE
        if of.column is None:
            return ends[mine][0], pl.Series([], dtype=pl.Int64)
        end, _, name = of.column.partition(".")
        if end in ends and name:
            at = self.schema.node_by_name[edge.source if end == End.SOURCE else edge.target]
            return ends[mine][0], self.column(at, name).gather(ends[End(end)][0])
        table = pl.read_parquet(edge_file(self.folder, edge), columns=[of.column])
        return ends[mine][0], table[of.column]

    def _ends(self, edge: EdgeType) -> dict[End, tuple[np.ndarray, int]]:
        """The rows at both ends of all edges of a type, and how many rows there are."""
        table = pl.read_parquet(edge_file(self.folder, edge))
        rows = {}
        for end, name in zip(End, (edge.source, edge.target), strict=True):
            node = self.schema.node_by_name[name]
            keys = pl.read_parquet(node_file(self.folder, node), columns=list(node.key))
            own = table.select([pl.col(f"{end}.{key}").alias(key) for key in node.key])
            row_numbers = own.join(
                keys.with_row_index("%row"),
                on=list(node.key),
                how="left",
                maintain_order="left",
            )["%row"]
            rows[end] = row_numbers.fill_null(0).to_numpy().astype(np.int64), len(keys)
        return rows

    def _partner(self, edge: EdgeType, mine: End) -> np.ndarray:
        """The row of the other end for each row of this one; -1 where there is none."""
        if (edge.name, mine) not in self.partners:
            rows = self._ends(edge)
            other = End.TARGET if mine is End.SOURCE else End.SOURCE
            partner = np.full(rows[mine][1], -1)
            partner[rows[mine][0]] = rows[other][0]
            self.partners[edge.name, mine] = partner
        return self.partners[edge.name, mine]


def _nodes(
    folder: Path, node: NodeType, schema: SchemaGraph, given: Specification
) -> Iterator[Measure]:
    place, part = f"nodes.{node.name}", given.nodes[node.name]
    table = pl.read_parquet(node_file(folder, node))
    reader = _Reader(folder, schema, given)

    def look(name: str) -> pl.Series:
        return table[name] if name in table.columns else reader.column(node, name)

    yield Measure(place, "rows", part.count, len(table), len(table) == part.count)
    keys = table.select(node.key)
    yield none_of(place, "keys that come again", len(table) - keys.n_unique())
    for name in node.key:
        yield none_of(place, f"rows without {name}", table[name].null_count())
    for prop in node.properties:
        column = part.properties[prop.name]
        path = f"{place}.properties.{prop.name}"
        yield from measure_column(path, prop, column, table[prop.name], look)
        if isinstance(column.of, Aggregated):
            yield from _gathered(path, prop, column, column.of, node, (table, reader))


def _gathered(
    path: str,
    prop: Property,
    column: Column,
    of: Aggregated,
    node: NodeType,
    drawn: tuple[pl.DataFrame, _Reader],
) -> Iterator[Measure]:
    """What is made of all edges of a row; those without an edge are measured by themselves."""
    table, reader = drawn
    ends, values = reader.of_edges(of, node)
    if not column.null:  # what is NULL by chance says nothing
        yield measure_aggregated(path, of, table[prop.name], ends, values)
    alone = pl.Series(np.bincount(ends, minlength=len(table)) == 0)
    if of.otherwise is None or not alone.any():
        return

    def look(name: str) -> pl.Series:
        series = table[name] if name in table.columns else reader.column(node, name)
        return series.filter(alone)

    other = Column(of=of.otherwise, null=column.null)
    place = f"{path}[without edges]"
    yield from measure_column(place, prop, other, table[prop.name].filter(alone), look)


class _Ends:
    """The node tables at both ends of an edge type, and the rows of them that edges join."""

    def __init__(
        self,
        folder: Path,
        edge: EdgeType,
        schema: SchemaGraph,
        given: Specification,
        table: pl.DataFrame,
    ) -> None:
        part = given.edges[edge.name]
        reader = _Reader(folder, schema, given)
        self.table = table
        self.nodes: dict[str, pl.DataFrame] = {}
        self.rows: dict[str, np.ndarray] = {}
        self.lost: dict[str, int] = {}
        used = _used_columns(part)
        for end, name in zip(End, (edge.source, edge.target), strict=True):
            node = schema.node_by_name[name]
            own = [prop.name for prop in node.properties]
            wanted = dict.fromkeys([*node.key, *(n for n in used[end] if n in own)])
            nodes = pl.read_parquet(node_file(folder, node), columns=list(wanted))
            nodes = nodes.with_columns(
                reader.column(node, name).alias(name)
                for name in sorted(used[end] - set(wanted))
                if lead_of(name, node.name, schema, given.edges) is not None
            )
            places = nodes.select(node.key).with_row_index("%row")
            keys = table.select([pl.col(f"{end}.{key}").alias(key) for key in node.key])
            row_numbers = keys.join(places, on=list(node.key), how="left", maintain_order="left")[
                "%row"
            ]
            self.nodes[end] = nodes
            self.lost[end] = row_numbers.null_count()
            self.rows[end] = row_numbers.fill_null(0).to_numpy().astype(np.int64)

    def look(self, name: str) -> pl.Series:
        """A column of the edges, or of one of their ends."""
        end, _, inner = name.partition(".")
        if end in self.nodes and inner in self.nodes[end].columns:
            return self.nodes[end][inner].gather(self.rows[end])
        return self.table[name]


def _used_columns(part: Edges) -> Mapping[str, set[str]]:
    """The columns of the ends that this part of the specification speaks of."""
    names = [name for order in part.order for name in (order.first, order.then)]
    names += [f"{end}.{name}" for end, name in end_names(part)]
    for same in part.same:
        names += [f"source.{same.source}", f"target.{same.target}"]
    for column in part.properties.values():
        names += needs(column.of)
    used: dict[str, set[str]] = {End.SOURCE: set(), End.TARGET: set()}
    for name in names:
        end, _, inner = name.partition(".")
        if inner and end in used:
            used[end].add(inner)
    return used


def _edges(
    folder: Path, edge: EdgeType, schema: SchemaGraph, given: Specification
) -> Iterator[Measure]:
    place, part = f"edges.{edge.name}", given.edges[edge.name]
    table = pl.read_parquet(edge_file(folder, edge))
    ends = _Ends(folder, edge, schema, given, table)
    yield _count(place, part, ends)
    for end in End:
        yield none_of(place, f"edges without their {end}", ends.lost[end])
    if any(ends.lost.values()):
        return  # what follows would measure the wrong nodes
    first, second = ends.rows[End.SOURCE], ends.rows[End.TARGET]
    sizes = len(ends.nodes[End.SOURCE]), len(ends.nodes[End.TARGET])
    one_type = edge.source == edge.target
    rooms = rooms_of(part, ends.nodes[End.SOURCE], ends.nodes[End.TARGET])
    yield from measure_pairs(place, part, first, second, sizes, alike=one_type, rooms=rooms)
    for same in part.same:
        source, target = ends.look(f"source.{same.source}"), ends.look(f"target.{same.target}")
        there = ends.nodes[End.TARGET][same.target]
        if part.cardinality == "1:n":
            there = ends.nodes[End.SOURCE][same.source]
        if same.pairs:
            yield from measure_fitting(place, part, same, source, target, there)
        else:
            yield from measure_same(place, part, same, source, target, there)
    for apart in part.apart:
        alike = ends.look(f"source.{apart.source}") == ends.look(f"target.{apart.target}")
        what = f"edges with source.{apart.source} = target.{apart.target}"
        yield none_of(place, what, int(alike.fill_null(False).sum()))
    if part.alone is not None:
        yield none_of(place, "edges that overlap with another of their node", _overlaps(part, ends))
    for once in part.once:
        what = f"edges of a {once.at} that agree in {', '.join(once.columns)} with another"
        yield none_of(place, what, _repeated(once, ends))
    for order in part.order:
        first_day, then = _comparable(ends.look(order.first), ends.look(order.then))
        what = f"edges with {order.first} after {order.then}"
        if order.gap:
            first_day = pl.select(first_day + pl.duration(days=order.gap)).to_series()
            what = f"edges with {order.first} less than {order.gap} days before {order.then}"
        yield none_of(place, what, int((first_day > then).fill_null(False).sum()))
        if order.within:
            last = ends.look(order.first)
            last = pl.select(last + pl.duration(days=order.within)).to_series()
            what = f"edges with {order.then} more than {order.within} days after {order.first}"
            yield none_of(place, what, int((then > last).fill_null(False).sum()))
    for end, described in ((End.SOURCE, part.source), (End.TARGET, part.target)):
        if described.prefer is not None:
            values = ends.look(f"{end}.{described.prefer.column}")
            liked = ends.nodes[end][described.prefer.column]
            narrowed = part.acyclic or bool(part.same)
            yield from measure_preferred(
                f"{place}.{end}", described.prefer, values, liked, narrowed=narrowed
            )
    for prop in edge.properties:
        column = part.properties[prop.name]
        path = f"{place}.properties.{prop.name}"
        yield from measure_column(path, prop, column, table[prop.name], ends.look)


def _overlaps(part: Edges, ends: _Ends) -> int:
    """How many edges begin while another of the same node goes on."""
    assert part.alone is not None  # noqa: S101 - the caller looks
    many, one = (End.SOURCE, End.TARGET) if part.cardinality == "n:1" else (End.TARGET, End.SOURCE)
    everyone = ends.nodes[many]
    start = everyone[part.alone.start].cast(pl.Datetime("us")).alias("start")
    if part.alone.end is not None:
        end = everyone[part.alone.end].cast(pl.Datetime("us"))
    else:
        end = start.dt.offset_by(f"{part.alone.days}d")
    spells = pl.DataFrame([start, end.alias("end")]).with_columns(own=pl.lit(value=True))
    tables = [spells[ends.rows[many]].with_columns(node=pl.Series(ends.rows[one], dtype=pl.Int64))]
    for also in part.alone.also:
        known = ends.nodes[one].select(key=also.one).with_row_index("node").drop_nulls()
        other = spells.with_columns(everyone[also.many].alias("key"), own=pl.lit(value=False))
        busy = other.join(known, on="key").with_columns(pl.col("node").cast(pl.Int64))
        tables.append(busy.select(tables[0].columns))
    table = pl.concat(tables).drop_nulls("start").sort("node", "start")
    last = pl.col("end").fill_null(pl.datetime(9999, 1, 1)).cum_max().shift().over("node")
    own = pl.when("own").then(pl.col("end").fill_null(pl.datetime(9999, 1, 1)))
    last_own = own.cum_max().shift().forward_fill().over("node")
    late = pl.when("own").then(pl.col("start") < last).otherwise(pl.col("start") < last_own)
    return int(table.select(late.fill_null(value=False)).to_series().sum())


def _repeated(once: Once, ends: _Ends) -> int:
    """How many edges agree with another one of their node, at a time that is not far from it."""
    across = End.SOURCE if once.at == "target" else End.TARGET
    names = [f"%{number}" for number in range(len(once.columns))]
    table = pl.DataFrame(
        [
            pl.Series("node", ends.rows[End(once.at)]),
            *(
                ends.look(f"{across}.{column}").alias(name)
                for name, column in zip(names, once.columns, strict=True)
            ),
        ]
    )
    if once.start is None:
        table = table.drop_nulls()
        return len(table) - table.n_unique()
    start = ends.look(f"{across}.{once.start}").cast(pl.Datetime("us")).alias("start")
    table = table.with_columns(start).drop_nulls().sort("start")
    gap = pl.col("start").diff().over("node", *names)
    return int(table.select(gap < pl.duration(days=once.days)).to_series().sum())


def _comparable(one: pl.Series, other: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Two columns of an order; a whole number beside days is a year."""
    if one.dtype.is_integer() and other.dtype.is_temporal():
        return one, other.dt.year().cast(one.dtype)
    if other.dtype.is_integer() and one.dtype.is_temporal():
        return one.dt.year().cast(other.dtype), other
    return one, other


def _count(place: str, part: Edges, ends: _Ends) -> Measure:
    """The number of edges. Rules may leave nodes without a partner that they could have."""
    rows, wanted = len(ends.table), part.count or 0
    crossing = any("." in order.first and "." in order.then for order in part.order)
    prefer = part.source.prefer or part.target.prefer
    several = sum("." in order.first and "." in order.then for order in part.order) > 1
    narrow = part.cardinality == "n:m" and any(order.within for order in part.order)
    binding = (
        several
        or narrow
        or bool(part.apart or part.alone or part.once)
        or any(same.share == 1 for same in part.same)
    )
    if binding or (part.cardinality != "n:m" and (crossing or part.same or prefer)):
        windows = any(order.within for order in part.order)
        bound = binding or windows or (prefer and prefer.share == 1)
        least = 0 if bound else wanted // 3
        note = "the rules on the ends leave some nodes without a partner"
        return Measure(place, "rows", f"{least} to {wanted}", rows, least <= rows <= wanted, note)
    return Measure(place, "rows", wanted, rows, rows == wanted)
