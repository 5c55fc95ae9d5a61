"""The small graphs of one database that tell its queries from their mutants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qa.fuzz.graphs import Row, SmallGraph
from qa.mutation.interpreter.elements import MemoryGraph
from qa.mutation.operators.context import Values
from schemagraph.model import Kind, SchemaGraph

_NUMBERED = frozenset({Kind.STRING, Kind.INTEGER, Kind.FLOAT})


@dataclass
class Instance:
    """One small graph with its name."""

    name: str
    small: SmallGraph
    _graph: MemoryGraph | None = None

    @property
    def graph(self) -> MemoryGraph:
        """The graph as the interpreter has it."""
        if self._graph is None:
            self._graph = MemoryGraph(self.small)
        return self._graph

    def rows(self) -> dict[str, list[list[Any]]]:
        """The rows by type, without empty types, as `schemagraph.folder.small` has them."""
        own = self.small.rows
        return {name: [list(row) for row in own[name]] for name in sorted(own) if own[name]}


def united(graphs: Sequence[SmallGraph]) -> SmallGraph:
    """One graph of the elements of all; a node whose key is taken gets another, if it differs.

    A key of text gets a number, a key of numbers the next that is free; where keys are of other
    types, nodes with one key are one.
    """
    schema = graphs[0].schema
    nodes: dict[str, dict[tuple[Any, ...], Row]] = {node.name: {} for node in schema.nodes}
    edges: dict[str, list[Row]] = {edge.name: [] for edge in schema.edges}
    for graph in graphs:
        renamed: dict[str, dict[tuple[Any, ...], tuple[Any, ...]]] = {}
        for node in schema.nodes:
            spots = [[p.name for p in node.properties].index(name) for name in node.key]
            open_ones = [at for at in spots if node.properties[at].type.kind in _NUMBERED]
            own, moved = nodes[node.name], renamed.setdefault(node.name, {})
            for row in graph.rows.get(node.name, ()):
                key = tuple(row[at] for at in spots)
                free = row if own.get(key, row) == row else _another(row, spots, open_ones, own)
                moved[key] = tuple(free[at] for at in spots)
                own.setdefault(moved[key], free)
        for edge in schema.edges:
            first = len(schema.node_by_name[edge.source].key)
            width = first + len(schema.node_by_name[edge.target].key)
            for row in graph.rows.get(edge.name, ()):
                source, target = tuple(row[:first]), tuple(row[first:width])
                ends = (*renamed[edge.source][source], *renamed[edge.target][target])
                edges[edge.name].append((*ends, *row[width:]))
    rows = {name: tuple(elements.values()) for name, elements in nodes.items()}
    return SmallGraph(
        schema, {**rows, **{name: tuple(elements) for name, elements in edges.items()}}
    )


def _another(
    row: Row, spots: Sequence[int], open_ones: Sequence[int], own: Mapping[tuple[Any, ...], Row]
) -> Row:
    """The row with a key that is not taken; as it is, where no part of its key can be another.

    `spots` are the places of the key, `open_ones` those of texts and numbers. Moments are stored
    as texts, too, and another text is none.
    """
    for at in open_ones:
        value = row[at]
        if not isinstance(value, int | float | str):
            continue
        for number in range(1, 10_000):
            other = f"{value}_{number}" if isinstance(value, str) else value + 1000 + number
            free = (*row[:at], other, *row[at + 1 :])
            if tuple(free[spot] for spot in spots) not in own:
                return free
    return row


@dataclass
class Pool:
    """The instances that queries need, the first of them empty; it grows by each query's own.

    `values` gives values of a property in the data (owner, name).
    """

    schema: SchemaGraph
    values: Values | None = None
    instances: list[Instance] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.instances:
            self.add(SmallGraph(self.schema, {}))

    def replace(self, gone: Sequence[Instance], by: Sequence[SmallGraph]) -> list[Instance]:
        """Other instances in the place of the last ones that were added."""
        del self.instances[-len(gone) :]
        return [self.add(small) for small in by]

    def add(self, small: SmallGraph) -> Instance:
        """A new instance."""
        made = Instance(f"i{len(self.instances):03}", small)
        self.instances.append(made)
        return made

    def named(self, name: str) -> Instance:
        """The instance called `name`."""
        return next(each for each in self.instances if each.name == name)

    def write(self, name: str, folder: Path) -> Path:
        """Write an instance as a graph into `folder / name`."""
        return self.named(name).small.write(folder / name)
