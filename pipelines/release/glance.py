"""A graph's data at a glance: counts, degrees, and what the values of each property look like.

Tables are scanned lazily, column by column, so that no table is held whole.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import polars as pl

from graphmill.errors import SchemaError
from pipelines.configuration.store import Finished, a_picture
from pipelines.pictures.texts import amount, cell
from schemagraph.drawing import as_svg
from schemagraph.folder.graphdata import SOURCE, TARGET, edge_file, node_file
from schemagraph.folder.manifest import load_manifest
from schemagraph.folder.serde import load_schema, schema_to_json
from schemagraph.model import EdgeType, NodeType, Property, SchemaGraph

BINS = 12
_FREQUENT = 3  # values of a property that are named
_FEW = 40  # distinct values up to which the frequent ones are told


@dataclass(frozen=True, slots=True)
class PropertyGlance:
    """One property: its type, how often it has a value, how many differ, and what they are.

    `bins` has a histogram of numbers and dates between `low` and `high`; `frequent` names values
    of texts with how often they occur.
    """

    name: str
    type: str
    filled: float
    distinct: int
    low: str = ""
    high: str = ""
    bins: tuple[int, ...] = ()
    frequent: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class TypeGlance:
    """A node type or edge type: how many there are, and its properties.

    Of an edge type, `out` and `into` are the edges of a source and a target that has any: mean
    and most; `sources` and `targets` the share of nodes that have one.
    """

    name: str
    label: str
    number: int
    properties: tuple[PropertyGlance, ...] = ()
    source: str = ""
    target: str = ""
    out: tuple[float, int] = (0.0, 0)
    into: tuple[float, int] = (0.0, 0)

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> TypeGlance:
        """The inverse of `asdict`."""
        properties = (PropertyGlance(**_tuples(each)) for each in raw["properties"])
        return cls(**{**_tuples(raw), "properties": tuple(properties)})


@dataclass(frozen=True, slots=True)
class GraphGlance:
    """A graph: its schema and a picture of it as SVG, its licence, its node and edge types."""

    db: str
    schema: SchemaGraph
    licence: str
    nodes: tuple[TypeGlance, ...]
    edges: tuple[TypeGlance, ...]
    picture: str

    @property
    def node_count(self) -> int:
        """All nodes."""
        return sum(each.number for each in self.nodes)

    @property
    def edge_count(self) -> int:
        """All edges."""
        return sum(each.number for each in self.edges)


def glance(folder: Path, db: str, finished: Finished) -> GraphGlance:
    """What is in the graph in `folder`, which is called `db`; of one that is as it was, this is
    finished work.

    Raises:
        SchemaError: a file of it is missing or damaged.
    """
    schema, manifest = load_schema(folder), load_manifest(folder)
    key = finished.key("glance", manifest.fingerprint, schema_to_json(schema))

    def read(raw: dict[str, Any]) -> GraphGlance:
        nodes, edges = (tuple(map(TypeGlance.from_json, raw[name])) for name in ("nodes", "edges"))
        return GraphGlance(db, schema, manifest.licence, nodes, edges, a_picture(raw["picture"]))

    glanced: GraphGlance = finished.done(key, lambda: _scanned(folder, schema), read)
    return glanced


def _scanned(folder: Path, schema: SchemaGraph) -> dict[str, Any]:
    try:
        nodes = [_node(folder, node) for node in schema.nodes]
        edges = [_edge(folder, edge, schema) for edge in schema.edges]
    except (OSError, pl.exceptions.PolarsError) as problem:
        raise SchemaError(f"A table of {folder} cannot be read: {problem}.") from problem
    return {
        "nodes": [asdict(each) for each in nodes],
        "edges": [asdict(each) for each in edges],
        "picture": as_svg(schema, {each.name: each.number for each in (*nodes, *edges)}),
    }


def _tuples(raw: dict[str, Any]) -> dict[str, Any]:
    """Lists as the glances have them, tuples, also within one another."""
    return {
        name: tuple(tuple(v) if isinstance(v, list) else v for v in value)
        if isinstance(value, list)
        else value
        for name, value in raw.items()
    }


def _node(folder: Path, node: NodeType) -> TypeGlance:
    table = _table(node_file(folder, node))
    number = _rows(table)
    properties = _properties(table, node, number)
    return TypeGlance(node.name, node.name, number, properties)


def _edge(folder: Path, edge: EdgeType, schema: SchemaGraph) -> TypeGlance:
    table = _table(edge_file(folder, edge))
    number = _rows(table)
    sources = [SOURCE + key for key in schema.node_by_name[edge.source].key]
    targets = [TARGET + key for key in schema.node_by_name[edge.target].key]
    return TypeGlance(
        edge.name,
        edge.label,
        number,
        _properties(table, edge, number),
        edge.source,
        edge.target,
        _degrees(table, sources, number),
        _degrees(table, targets, number),
    )


def _table(path: Path) -> pl.LazyFrame:
    return pl.scan_parquet(path, glob=False)


def _rows(table: pl.LazyFrame) -> int:
    return int(table.select(pl.len()).collect().item())


def _degrees(table: pl.LazyFrame, keys: list[str], number: int) -> tuple[float, int]:
    if not number or not keys:
        return (0.0, 0)
    names = table.collect_schema().names()
    ends_of = table.select(pl.nth(names.index(key)).alias(f"k{n}") for n, key in enumerate(keys))
    many = ends_of.group_by(pl.all()).agg(pl.len().alias("degree"))
    ends, most = many.select(pl.len(), pl.col("degree").max()).collect().row(0)
    return (number / ends, int(most))


def _properties(
    table: pl.LazyFrame, kind: NodeType | EdgeType, number: int
) -> tuple[PropertyGlance, ...]:
    types = table.collect_schema()
    names = types.names()
    # by place: polars takes a name between ^ and $ for a pattern
    return tuple(
        _property(table.select(pl.nth(names.index(p.name)).alias("x")), p, types[p.name], number)
        for p in kind.properties
        if p.name in types
    )


def _property(table: pl.LazyFrame, declared: Property, dtype: Any, number: int) -> PropertyGlance:
    name, type_, column = declared.name, str(declared.type), pl.col("x")
    filled = int(table.select(column.count()).collect().item())
    share = filled / max(number, 1)
    if not filled or dtype.is_nested() or dtype == pl.Binary:
        return PropertyGlance(name, type_, share, 0)
    distinct = int(table.select(column.drop_nulls().n_unique()).collect().item())
    if dtype.is_numeric() or dtype in (pl.Date, pl.Datetime):
        low, high = table.select(column.min(), column.max().alias("high")).collect().row(0)
        return PropertyGlance(
            name, type_, share, distinct, _end(low), _end(high), _bins(table, dtype)
        )
    frequent: tuple[tuple[str, int], ...] = ()
    if distinct <= _FEW:
        counted = (
            table.filter(column.is_not_null())
            .group_by(column)
            .agg(pl.len().alias("number"))
            .sort(["number", "x"], descending=[True, False])
            .head(_FREQUENT)
            .collect()
        )
        frequent = tuple((cell(_plain(value)), int(count)) for value, count in counted.rows())
    return PropertyGlance(name, type_, share, distinct, frequent=frequent)


def _bins(table: pl.LazyFrame, dtype: Any) -> tuple[int, ...]:
    """How many values lie in each of equal steps from the least to the greatest."""
    number = pl.col("x").to_physical() if dtype in (pl.Date, pl.Datetime) else pl.col("x")
    finite = table.select(number.cast(pl.Float64)).filter(pl.col("x").is_finite())
    low, high = finite.select(pl.col("x").min(), pl.col("x").max().alias("high")).collect().row(0)
    if low is None or low == high:
        return ()
    place = ((pl.col("x") - low) / (high - low) * BINS).floor().clip(0, BINS - 1).cast(pl.Int32)
    counted = dict(
        finite.group_by(place.alias("bin")).agg(pl.len().alias("number")).collect().rows()
    )
    return tuple(int(counted.get(bin_, 0)) for bin_ in range(BINS))


def _end(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return amount(value) if isinstance(value, int) and abs(value) >= 10_000 else f"{value:.6g}"
    return str(value)


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool) else str(value)
