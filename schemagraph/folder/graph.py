"""`Graph`, a graph on disk as a notebook or a program holds it."""

from __future__ import annotations

from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphmill.errors import SchemaError
from schemagraph.drawing import as_svg
from schemagraph.folder.graphdata import (
    SOURCE,
    TARGET,
    batches,
    edge_file,
    edge_layout,
    node_file,
    node_layout,
)
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.mapping import Mapping
from schemagraph.model import SchemaGraph
from schemagraph.report import ConversionReport

if TYPE_CHECKING:
    import networkx as nx
    import pyarrow as pa


class Graph:
    """The graph in a folder that `convert`, `synth` or a build wrote.

    In a notebook it draws its schema.

    Raises:
        SchemaError: the folder holds no graph.
    """

    def __init__(self, folder: str | PathLike[str]) -> None:
        self.folder = Path(folder)
        self.schema: SchemaGraph = load_schema(self.folder)

    @cached_property
    def mapping(self) -> Mapping | None:
        """How the tables of a relational source became this graph; None for other sources."""
        return load_mapping(self.folder)

    def tables(self) -> dict[str, pa.Table]:
        """All data: an Arrow table for each node type (`Person`) and edge type
        (`Person-KNOWS-Person`).

        An edge's columns begin with the keys of its ends, `source.KEY` and `target.KEY`.

        Raises:
            SchemaError: a file is missing or damaged.
        """
        import pyarrow as pa

        layouts: dict[str, tuple[Path, Any]] = {
            node.name: (node_file(self.folder, node), node_layout(node))
            for node in self.schema.nodes
        }
        layouts |= {
            edge.name: (edge_file(self.folder, edge), edge_layout(edge, self.schema))
            for edge in self.schema.edges
        }
        tables = {}
        for name, (path, layout) in layouts.items():
            parts = list(batches(path, layout))
            tables[name] = pa.Table.from_batches(parts, parts[0].schema if parts else layout)
        return tables

    def to_networkx(self) -> nx.MultiDiGraph[Any]:
        """The data as a networkx graph, all of it in memory.

        A node is `(type, key, …)`, with `labels` and its properties (None where there is none); an
        edge has `label` and its properties. A property called `labels` or `label` keeps its name
        with `_` before it, so that nothing is lost.

        Raises:
            SchemaError: a file is missing or damaged, or an edge's end is no node.
        """
        import networkx as nx

        graph: nx.MultiDiGraph[Any] = nx.MultiDiGraph(name=self.schema.name)
        tables = self.tables()
        for node in self.schema.nodes:
            for row in tables[node.name].to_pylist():
                place = (node.name, *(row[key] for key in node.key))
                graph.add_node(place)
                graph.nodes[place].update(labels=node.labels, **_renamed(row, "labels"))
        for edge in self.schema.edges:
            sources = [SOURCE + key for key in self.schema.node_by_name[edge.source].key]
            targets = [TARGET + key for key in self.schema.node_by_name[edge.target].key]
            for row in tables[edge.name].to_pylist():
                source = (edge.source, *map(row.pop, sources))
                target = (edge.target, *map(row.pop, targets))
                for place in (source, target):
                    if place not in graph:
                        raise SchemaError(f"An edge of {edge.name} ends at {place}, no node.")
                number = graph.add_edge(source, target)
                graph.edges[source, target, number].update(
                    label=edge.label, **_renamed(row, "label")
                )
        return graph

    def __repr__(self) -> str:
        return (
            f"Graph({str(self.folder)!r}: {len(self.schema.nodes)} node types, "
            f"{len(self.schema.edges)} edge types)"
        )

    def _repr_svg_(self) -> str:
        """What a notebook shows: the schema."""
        return as_svg(self.schema)

    def _repr_html_(self) -> str:
        """The same, for what shows HTML and no SVG."""
        return f'<div style="overflow:auto">{as_svg(self.schema)}</div>'


class ConvertedGraph(Graph):
    """A graph that was just converted; `report` says what became what, and that nothing is lost."""

    def __init__(self, folder: str | PathLike[str], report: ConversionReport) -> None:
        super().__init__(folder)
        self.report = report


def folder_of(graph: Graph | str | PathLike[str] | None) -> Path | None:
    """The folder of a graph that is given as itself or by its folder."""
    if graph is None:
        return None
    return graph.folder if isinstance(graph, Graph) else Path(graph)


def _renamed(row: dict[str, Any], taken: str) -> dict[str, Any]:
    """Properties, none of them called `taken`."""
    if taken not in row:
        return row
    name = taken
    while name in row:
        name = f"_{name}"
    return {name if key == taken else key: value for key, value in row.items()}
