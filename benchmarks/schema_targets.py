"""Whether each engine's own grammar, or the engine, takes what `graphmill schema` writes.

    python benchmarks/schema_targets.py GRAPH [GRAPH …] [--data]

A GRAPH is a folder of `graphmill convert` or a source that it converts (a database, a file). DuckDB
and LadybugDB run their statements (with --data, the load too, and count), GoogleSQL's analyser
judges Spanner's, a local Neo4j runs its constraints and plans those of Enterprise Edition,
graphglot's parser judges ISO GQL's, our grammar NebulaGraph's; TuGraph's configuration is read back
by `convert` with --data. Memgraph's files have no judge here. Prints a line a failure and one JSON
line of counts; exits with 1 when something was not taken.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

import duckdb

from engines.judges.gql import check as check_gql
from engines.judges.process import Judge
from engines.jvm.neo4j import Local
from graphmill.errors import GraphmillError
from schemagraph.convert.service import convert
from schemagraph.folder.manifest import load_manifest
from schemagraph.targets.base import export
from translators.ngql.grammar.check import check as check_ngql


def statements(path: Path, mark: str) -> list[str]:
    """The statements of a file without comments."""
    lines = [line for line in path.read_text("utf-8").splitlines() if not line.startswith(mark)]
    return [part for part in "\n".join(lines).split(";\n") if part.strip()]


def pgq(folder: Path, rows: int | None) -> str:
    """DuckDB makes the tables, and loads them where rows are to be counted."""
    with duckdb.connect() as connection:
        connection.execute((folder / "schema.sql").read_text("utf-8"))
        if rows is None:
            return ""
        load = (folder / "load.sql").read_text("utf-8")
        for kind in ("nodes", "edges"):
            load = load.replace(f"FROM '{kind}/", f"FROM '{folder}/{kind}/")
        connection.execute(load.replace("HEADER true", "HEADER true, ALLOW_QUOTED_NULLS false"))
        names = [row[0] for row in connection.execute("SHOW TABLES").fetchall()]
        quoted = [name.replace('"', '""') for name in names]
        found = [connection.execute(f'SELECT count(*) FROM "{n}"').fetchall()[0][0] for n in quoted]
        return "" if sum(found) == rows else f"{sum(found)} rows of {rows}"


def ladybugdb(folder: Path, rows: int | None) -> str:
    """LadybugDB makes the tables, and loads them where rows are to be counted."""
    import ladybug

    connection = ladybug.Connection(ladybug.Database())
    for statement in statements(folder / "schema.cypher", "//"):
        connection.execute(statement)
    if rows is None:
        return ""
    for statement in statements(folder / "load.cypher", "//"):
        connection.execute(statement.replace("FROM '", f"FROM '{folder}/", 1))
    found = 0
    for text in ("MATCH (n) RETURN count(*)", "MATCH ()-[r]->() RETURN count(*)"):
        result: Any = connection.execute(text)
        found += result.get_all()[0][0]
    return "" if found == rows else f"{found} rows of {rows}"


def tugraph(folder: Path, rows: int | None) -> str:
    """Our own reader of TuGraph's configuration."""
    if rows is None:
        return ""
    with tempfile.TemporaryDirectory() as back:
        convert(str(folder / "import.json"), Path(back) / "graph")
        found = sum(table.rows for table in load_manifest(Path(back) / "graph").tables)
    return "" if found == rows else f"{found} rows of {rows}"


class Neo4j:
    """A local server that runs constraints, and drops them again."""

    def __enter__(self) -> Self:
        import neo4j

        self.driver = neo4j.GraphDatabase.driver(Local().start())
        return self

    def __exit__(self, *exc: object) -> None:
        self.driver.close()

    def __call__(self, folder: Path, rows: int | None) -> str:
        """The constraints of one schema; those of Enterprise Edition are planned only."""
        with self.driver.session() as session:
            for text in statements(folder / "schema.cypher", "//"):
                session.run(text).consume()
            for text in statements(folder / "enterprise.cypher", "//"):
                session.run(f"EXPLAIN {text}").consume()
            found = [row["name"] for row in session.run("SHOW CONSTRAINTS YIELD name")]
            for name in found:
                session.run(f"DROP CONSTRAINT `{name.replace('`', '``')}`").consume()
        return ""


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", nargs="+", type=Path)
    parser.add_argument("--data", action="store_true", help="load the data, too")
    arguments = parser.parse_args()
    counts: Counter[str] = Counter()
    with (
        Judge("googlesql", None) as judge,
        Neo4j() as neo4j,
        tempfile.TemporaryDirectory() as scratch,
    ):

        def spanner(folder: Path, rows: int | None) -> str:
            del rows
            found = [judge.check(text) for text in statements(folder / "schema.sql", "--")]
            return "; ".join(str(each[0].message) for each in found if each)

        checks: dict[str, Callable[[Path, int | None], str]] = {
            "pgq": pgq,
            "ladybugdb": ladybugdb,
            "tugraph": tugraph,
            "spanner": spanner,
            "gql": lambda folder, rows: _problems(check_gql((folder / "schema.gql").read_text())),
            "nebula": lambda folder, rows: "; ".join(
                _problems(check_ngql(text)) for text in statements(folder / "schema.ngql", "#")
            ).strip("; "),
            "neo4j": neo4j,
        }
        for number, origin in enumerate(arguments.graphs):
            graph = origin
            if not (origin / "schema.json").is_file():
                graph = Path(scratch) / f"graph{number}"
                try:
                    convert(str(origin), graph)
                except GraphmillError as problem:
                    counts["not converted"] += 1
                    print(f"{origin}: {problem}")
                    continue
            counts["graphs"] += 1
            for engine, judged in checks.items():
                folder = Path(scratch) / f"{number}-{engine}"
                done = export(engine, graph, folder, data=arguments.data)
                try:
                    said = judged(folder, done.rows if arguments.data else None)
                except Exception as failure:  # noqa: BLE001 # whatever an engine says is a result
                    said = f"{type(failure).__name__}: {failure}"
                counts[f"{engine} refused" if said else f"{engine} taken"] += 1
                if said:
                    print(f"{origin} {engine}: {said[:300]}")
    print(json.dumps(dict(sorted(counts.items()))))
    return int(any(name.endswith("refused") for name in counts))


def _problems(found: Sequence[object]) -> str:
    return str(found[0]) if found else ""


if __name__ == "__main__":
    sys.exit(main())
