"""Memory of converting a live Neo4j database, beside its size.

    python benchmarks/bolt_memory.py [--nodes 50000 500000] [--edges 4] [--text 100]

For each size, a local Neo4j (extra `neo4j-local`) is filled with people, who have a few properties
and a text of `--text` characters, and `--edges` times as many edges; `graphmill convert` reads it
over Bolt in a process of its own. Prints its peak memory and time, and the bytes of what it wrote.
What streams needs about the same for each size.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from engines.jvm.neo4j import VERSION, Local

BATCH = 10_000

NODES = """
UNWIND range($first, $last) AS i
CREATE (:Person:Member {
    id: i, name: 'Person ' + i, born: date('1950-01-01') + duration({days: i % 20000}),
    note: substring($text, 0, $size - i % 10), score: i * 0.5
})
"""
EDGES = """
UNWIND range($first, $last) AS i
MATCH (a:Person {id: i % $nodes}), (b:Person {id: (i * 7919 + 13) % $nodes})
CREATE (a)-[:KNOWS {since: 1990 + i % 30, weight: i * 0.25}]->(b)
"""


def fill(url: str, nodes: int, edges: int, size: int) -> None:
    """Make the database."""
    import neo4j

    with neo4j.GraphDatabase.driver(url) as driver, driver.session() as session:
        session.run("CREATE INDEX people FOR (n:Person) ON (n.id)").consume()
        session.run("CALL db.awaitIndexes()").consume()
        text = "lorem ipsum " * (size // 12 + 1)
        for count, query in ((nodes, NODES), (edges, EDGES)):
            for first in range(0, count, BATCH):
                last = min(first + BATCH, count) - 1
                session.run(
                    query, first=first, last=last, nodes=nodes, text=text, size=size
                ).consume()


def serve(pipe: Connection, sizes: list[int], edges: int, text: int) -> None:
    """A server that is filled anew whenever it is asked to; in a process of its own, because a
    child's peak memory begins with that of its parent."""
    server = Local()
    for number, nodes in enumerate(sizes):
        url = server.restart() if number else server.start()
        fill(url, nodes, nodes * edges, text)
        pipe.send(url)
        pipe.recv()


def converted(url: str, out: Path) -> tuple[int, float]:
    """Peak memory in bytes and seconds of one conversion."""
    command = [sys.executable, "-m", "pipelines.cli", "convert", url, "--out", str(out)]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit("The conversion failed.")
    return usage.ru_maxrss * 1024, time.monotonic() - start


def main() -> None:
    """Measure each size."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--nodes", type=int, nargs="+", default=[50_000, 500_000])
    arguments.add_argument("--edges", type=int, default=4)
    arguments.add_argument("--text", type=int, default=100)
    options = arguments.parse_args()
    pipe, other = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(
        target=serve, args=(other, options.nodes, options.edges, options.text)
    )
    server.start()
    print(f"Neo4j {VERSION}")
    for nodes in options.nodes:
        url = pipe.recv()
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "graph"
            peak, seconds = converted(url, out)
            written = sum(path.stat().st_size for path in out.rglob("*.parquet"))
        print(
            f"{nodes:9,} nodes, {nodes * options.edges:10,} edges: {peak / 2**20:6.0f} MiB, "
            f"{seconds:6.1f} s, {written / 2**20:6.1f} MiB of Parquet",
            flush=True,
        )
        pipe.send(None)
    server.kill()  # its JVM would wait for ever
    server.join()


if __name__ == "__main__":
    main()
