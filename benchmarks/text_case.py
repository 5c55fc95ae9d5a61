"""Upper and lower case of every assigned character: dialect `sql` on DuckDB against Neo4j.

    .venv/bin/python -m benchmarks.text_case [--block 4000]

Each character stands alone, after a letter and before one, since the last sigma of a word has a
form of its own. Prints how many were compared, differ, or are an error of their row.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from graphmill.errors import EngineError
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_schema
from translators.render import render

FORMS = ("{}", "a{}", "{}a")


def characters() -> Iterator[str]:
    """Letters, marks, numbers and symbols that Unicode has assigned."""
    for point in range(0x20, sys.maxunicode + 1):
        if unicodedata.category(chr(point))[0] in "LMNS":
            yield chr(point)


def main() -> None:
    """Compare block by block; a block with an error is asked character by character."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--block", type=int, default=4000, help="texts of one query")
    options = reader.parse_args()
    texts = [form.format(each) for each in characters() for form in FORMS]
    with tempfile.TemporaryDirectory() as place:
        source, graph = Path(place, "one.json"), Path(place, "graph")
        source.write_text('{"nodes": [{"id": 1, "labels": ["A"]}], "links": []}')
        convert(str(source), graph)
        schema = load_schema(graph)
        with IsolatedEngine("neo4j", graph) as neo4j, IsolatedEngine("duckdb", graph) as duckdb:

            def differing(function: str, part: list[str]) -> tuple[int, int]:
                quoted = ", ".join("'" + text.replace("\\", "\\\\") + "'" for text in part)
                query = f"UNWIND [{quoted}] AS s RETURN {function}(s) AS made"
                right = neo4j.run(query, language="cypher", timeout=120).rows
                try:
                    sql = render(parse(query), "sql", schema).text
                    ours = duckdb.run(sql, language="sql", timeout=120).rows
                except EngineError:
                    if len(part) == 1:
                        return 0, 1
                    half = len(part) // 2
                    (a, b), (c, d) = (
                        differing(function, part[:half]),
                        differing(function, part[half:]),
                    )
                    return a + c, b + d
                for text, one, other in zip(part, right, ours, strict=True):
                    if one != other:
                        print(f"{function}({text!r}): Neo4j {one[0]!r}, DuckDB {other[0]!r}")
                return sum(one != other for one, other in zip(right, ours, strict=True)), 0

            for function in ("toUpper", "toLower"):
                wrong = errors = 0
                for at in range(0, len(texts), options.block):
                    more, failed = differing(function, texts[at : at + options.block])
                    wrong, errors = wrong + more, errors + failed
                print(f"{function}: {len(texts)} texts, {wrong} differ, {errors} are errors")


if __name__ == "__main__":
    main()
