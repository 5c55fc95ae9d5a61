"""The small graphs of one database that tell its queries from their mutants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qa.discrimination.interpreter.elements import MemoryGraph
from qa.discrimination.operators.context import Values
from qa.fuzz.graphs import SmallGraph
from schemagraph.model import SchemaGraph


@dataclass
class Instance:
    """One small graph with its name; `told` counts the mutants that it told apart."""

    name: str
    small: SmallGraph
    told: int = 0
    _graph: MemoryGraph | None = None

    @property
    def graph(self) -> MemoryGraph:
        """The graph as the interpreter has it."""
        if self._graph is None:
            self._graph = MemoryGraph(self.small)
        return self._graph

    def rows(self) -> dict[str, list[list[Any]]]:
        """The rows by type, without empty types, as `schemagraph.small` has them."""
        own = self.small.rows
        return {name: [list(row) for row in own[name]] for name in sorted(own) if own[name]}

    def holds(self, types: frozenset[str]) -> bool:
        """Whether there are elements of all these types."""
        return all(self.small.rows.get(name) for name in types)


@dataclass
class Pool:
    """Instances that are tried in order, the first of them empty; it grows as queries need it.

    `values` gives values of a property in the data (owner, name). The same queries in the same
    order with the same seeds make the same pool.
    """

    schema: SchemaGraph
    values: Values | None = None
    instances: list[Instance] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.instances:
            self.add(SmallGraph(self.schema, {}))

    def add(self, small: SmallGraph) -> Instance:
        """A new instance."""
        made = Instance(f"i{len(self.instances):03}", small)
        self.instances.append(made)
        return made

    def fitting(self, types: frozenset[str], most: int) -> Iterator[Instance]:
        """Instances that hold elements of all these types, the most telling first."""
        able = [each for each in self.instances if each.holds(types)]
        able.sort(key=lambda each: -each.told)
        yield from able[:most]

    def named(self, name: str) -> Instance:
        """The instance called `name`."""
        return next(each for each in self.instances if each.name == name)

    def write(self, name: str, folder: Path) -> Path:
        """Write an instance as a graph into `folder / name`."""
        return self.named(name).small.write(folder / name)
