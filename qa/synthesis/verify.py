"""All measures of a synthesised graph: conformance, integrity and distributions.

Two tables at a time are in memory, besides the node tables that edge tables join.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import polars as pl

from qa.synthesis.columns import measure_column
from qa.synthesis.pairs import measure_pairs, measure_same
from qa.synthesis.report import Measure, Report, none_of
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.specification.columns import End, needs
from schemagraph.specification.model import Edges, Specification


def verify_graph(folder: Path, schema: SchemaGraph, given: Specification) -> Report:
    """Measure the tables below `folder` (as `GraphWriter` lays them out).

    Raises:
        KeyError: the specification lacks a type; `check_synthesis` says so before.
    """
    with ThreadPoolExecutor(2) as pool:
        tasks = [pool.submit(list, _nodes(folder, node, given)) for node in schema.nodes]
        tasks += [pool.submit(list, _edges(folder, edge, schema, given)) for edge in schema.edges]
        return Report(tuple(measure for task in tasks for measure in task.result()))


def _nodes(folder: Path, node: NodeType, given: Specification) -> Iterator[Measure]:
    place, part = f"nodes.{node.name}", given.nodes[node.name]
    table = pl.read_parquet(node_file(folder, node))
    yield Measure(place, "rows", part.count, len(table), len(table) == part.count)
    keys = table.select(node.key)
    yield none_of(place, "keys that come again", len(table) - keys.n_unique())
    for name in node.key:
        yield none_of(place, f"rows without {name}", table[name].null_count())
    for prop in node.properties:
        column = part.properties[prop.name]
        path = f"{place}.properties.{prop.name}"
        yield from measure_column(path, prop, column, table[prop.name], table.__getitem__)


class _Ends:
    """The node tables at both ends of an edge type, and the rows of them that edges join."""

    def __init__(
        self, folder: Path, edge: EdgeType, schema: SchemaGraph, part: Edges, table: pl.DataFrame
    ) -> None:
        self.table = table
        self.nodes: dict[str, pl.DataFrame] = {}
        self.rows: dict[str, np.ndarray] = {}
        self.lost: dict[str, int] = {}
        used = _used_columns(part)
        for end, name in zip(End, (edge.source, edge.target), strict=True):
            node = schema.node_by_name[name]
            wanted = dict.fromkeys([*node.key, *used[end]])
            nodes = pl.read_parquet(node_file(folder, node), columns=list(wanted))
            places = nodes.select(node.key).with_row_index("%row")
            keys = table.select([pl.col(f"{end}.{key}").alias(key) for key in node.key])
            found = keys.join(places, on=list(node.key), how="left", maintain_order="left")["%row"]
            self.nodes[end] = nodes
            self.lost[end] = found.null_count()
            self.rows[end] = found.fill_null(0).to_numpy().astype(np.int64)

    def look(self, name: str) -> pl.Series:
        """A column of the edges, or of one of their ends."""
        end, _, inner = name.partition(".")
        if end in self.nodes and inner in self.nodes[end].columns:
            return self.nodes[end][inner].gather(self.rows[end])
        return self.table[name]


def _used_columns(part: Edges) -> Mapping[str, set[str]]:
    """The columns of the ends that this part of the specification speaks of."""
    names = [name for order in part.order for name in (order.first, order.then)]
    for same in part.same:
        names += [f"source.{same.source}", f"target.{same.target}"]
    for column in part.properties.values():
        names += needs(column.of)
    found: dict[str, set[str]] = {End.SOURCE: set(), End.TARGET: set()}
    for name in names:
        end, _, inner = name.partition(".")
        if inner and end in found:
            found[end].add(inner)
    return found


def _edges(
    folder: Path, edge: EdgeType, schema: SchemaGraph, given: Specification
) -> Iterator[Measure]:
    place, part = f"edges.{edge.name}", given.edges[edge.name]
    table = pl.read_parquet(edge_file(folder, edge))
    ends = _Ends(folder, edge, schema, part, table)
    yield _count(place, part, ends)
    for end in End:
        yield none_of(place, f"edges without their {end}", ends.lost[end])
    if any(ends.lost.values()):
        return  # what follows would measure the wrong nodes
    first, second = ends.rows[End.SOURCE], ends.rows[End.TARGET]
    sizes = len(ends.nodes[End.SOURCE]), len(ends.nodes[End.TARGET])
    yield from measure_pairs(place, part, first, second, sizes, alike=edge.source == edge.target)
    for same in part.same:
        source, target = ends.look(f"source.{same.source}"), ends.look(f"target.{same.target}")
        yield from measure_same(place, part, source, target, ends.nodes[End.TARGET][same.target])
    for order in part.order:
        late = (ends.look(order.first) > ends.look(order.then)).fill_null(False)
        yield none_of(place, f"edges with {order.first} after {order.then}", int(late.sum()))
    for prop in edge.properties:
        column = part.properties[prop.name]
        path = f"{place}.properties.{prop.name}"
        yield from measure_column(path, prop, column, table[prop.name], ends.look)


def _count(place: str, part: Edges, ends: _Ends) -> Measure:
    """The number of edges. Rules may leave nodes without a partner that they could have."""
    found, wanted = len(ends.table), part.count or 0
    crossing = any("." in order.first and "." in order.then for order in part.order)
    if part.cardinality != "n:m" and (crossing or part.same):
        least = wanted // 2
        note = "the rules on the ends leave some nodes without a partner"
        return Measure(place, "rows", f"{least} to {wanted}", found, least <= found <= wanted, note)
    return Measure(place, "rows", wanted, found, found == wanted)
