"""Drawn rows with their neighbours, as text for people who judge whether they are plausible.

    PYTHONPATH=. python benchmarks/synthesis_rows.py --out FOLDER [--domains A,B,…]
        [--count 10] [--rows 50] [--nodes 2000] [--level 3] [--seed 7]

Draws a graph by rule for each domain (by default `--count` sub-domains that the seed chooses) and
writes one file for each: a purpose, then rows that chance chooses, the same number of each node
type. A row has its properties, and every edge with its properties and the node at its other end;
of many edges of a type, the first four. A row is implausible where something of it, or of it and a
neighbour together, could not be or would surprise a person of that industry. With `--degrees`, a
file beside it says for each end of each edge type how many nodes have no such edge, the mean and
the most: a recall without a batch is rare, and seldom among fifty rows.
"""

from __future__ import annotations

import argparse
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from pipelines.synth.domains import Order, names, order_for_domain
from schemagraph.folder.graphdata import edge_file, node_file
from schemagraph.model import SchemaGraph
from schemagraph.specification.columns import End

SHOWN = 4  # edges of a type and direction
type Row = dict[str, Any]


class Tables:
    """The tables of a graph, and who is joined with whom."""

    def __init__(self, drawn: Path, schema: SchemaGraph) -> None:
        self.schema = schema
        self.nodes: dict[str, list[Row]] = {}
        self.places: dict[str, dict[tuple[Any, ...], int]] = {}
        for node in schema.nodes:
            rows = pl.read_parquet(node_file(drawn, node)).to_dicts()
            self.nodes[node.name] = rows
            keys = (tuple(row[key] for key in node.key) for row in rows)
            self.places[node.name] = {key: place for place, key in enumerate(keys)}
        self.edges: dict[tuple[str, str], dict[int, list[tuple[int, Row]]]] = {}
        for edge in schema.edges:
            ends: dict[str, dict[int, list[tuple[int, Row]]]] = {
                end: defaultdict(list) for end in End
            }
            for row in pl.read_parquet(edge_file(drawn, edge)).to_dicts():
                places = {}
                for end, name in zip(End, (edge.source, edge.target), strict=True):
                    key = tuple(row.pop(f"{end}.{key}") for key in schema.node_by_name[name].key)
                    places[end] = self.places[name][key]
                for end, other in ((End.SOURCE, End.TARGET), (End.TARGET, End.SOURCE)):
                    ends[end][places[end]].append((places[other], row))
            for end in End:
                self.edges[edge.name, end] = ends[end]

    def described(self, name: str, place: int) -> Iterator[str]:
        """A row and its neighbours, a line each."""
        yield self.line(name, place)
        for edge in self.schema.edges:
            for end, mine, theirs in (
                (End.SOURCE, edge.source, edge.target),
                (End.TARGET, edge.target, edge.source),
            ):
                if mine != name:
                    continue
                there = self.edges[edge.name, end].get(place, [])
                for other, row in there[:SHOWN]:
                    own = f" {{{values(row)}}}" if row else ""
                    left, right = ("-", "->") if end is End.SOURCE else ("<-", "-")
                    yield f"    {left}{edge.label}{own}{right} {self.line(theirs, other)}"
                if len(there) > SHOWN:
                    yield f"    … {len(there)} {edge.label} in all"

    def line(self, name: str, place: int) -> str:
        """A row with its properties."""
        return f"({name}: {values(self.nodes[name][place])})"


def values(row: Row) -> str:
    """Properties as text; what is NULL is left out."""
    return ", ".join(f"{name}={value}" for name, value in row.items() if value is not None)


def text(order: Order, drawn: Path, rows: int, seed: int) -> str:
    """Rows of a drawn graph, as many of each node type."""
    tables = Tables(drawn, order.schema)
    draw = random.Random(seed)
    types = [node.name for node in order.schema.nodes]
    lines = []
    for number in range(rows):
        name = types[number % len(types)]
        place = draw.randrange(len(tables.nodes[name]))
        shown = "\n".join(tables.described(name, place))
        lines.append(f"{number + 1}. {shown}")
    origin = order.origin
    head = f"{origin['domain']}/{origin['subdomain']}, as of {origin['as_of']}"
    return "\n\n".join([head, *lines]) + "\n"


def degrees(order: Order, drawn: Path) -> str:
    """For each end of each edge type: nodes without an edge of all, mean and largest degree."""
    tables = Tables(drawn, order.schema)
    lines = []
    for edge in order.schema.edges:
        for end, mine in ((End.SOURCE, edge.source), (End.TARGET, edge.target)):
            counts = [len(there) for there in tables.edges[edge.name, end].values() if there]
            nodes = len(tables.nodes[mine])
            lines.append(
                f"({edge.source})-[{edge.label}]->({edge.target}): of {nodes} {mine}, "
                f"{nodes - len(counts)} with none; mean {sum(counts) / max(nodes, 1):.1f}, "
                f"most {max(counts, default=0)}"
            )
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write a file for each domain."""
    ask = argparse.ArgumentParser(description=__doc__)
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("--domains", default="")
    ask.add_argument("--count", type=int, default=10)
    ask.add_argument("--rows", type=int, default=50)
    ask.add_argument("--nodes", type=int, default=2_000)
    ask.add_argument("--level", type=int, default=3)
    ask.add_argument("--seed", type=int, default=7)
    ask.add_argument("--degrees", action="store_true")
    given = ask.parse_args()
    chosen = given.domains.split(",") if given.domains else []
    chosen = chosen or sorted(random.Random(given.seed).sample(names(), given.count))
    given.out.mkdir(parents=True, exist_ok=True)
    for domain in chosen:
        with TemporaryDirectory() as temporary:
            drawn = Path(temporary) / "graph"
            order = order_for_domain(
                domain, drawn, nodes=given.nodes, seed=given.seed, level=given.level
            )
            order.make()
            files = {"txt": text(order, drawn, given.rows, given.seed)}
            if given.degrees:
                files["degrees"] = degrees(order, drawn)
        for ending, said in files.items():
            place = given.out / f"{domain.replace('/', '-')}.{ending}"
            place.write_text(said, encoding="utf-8")


if __name__ == "__main__":
    main()
