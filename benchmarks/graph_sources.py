"""Convert every graph source below some folders, and build a corpus of the pairs beside them.

    python benchmarks/graph_sources.py FOLDER_OR_SOURCE... [--limit 100] [--only NAME...]

A source is whatever `graphmill convert` takes as a graph: TuGraph configurations, text2cypher
schema files (each database in them), folders in LDBC's layout, GraphML, node-link JSON, the address
of a Bolt server. Its pairs are the nearest of `pairs.jsonl`, `queries.jsonl`, `queries.cypher`,
`query/queries.cypher`, `case.cypher` in its folder or one above, up to the folder given; without,
it is only converted. `--limit` pairs of each source are tried (0: only convert), `--only` takes
sources of these names. Prints one JSON object a source: nodes, edges, seconds of the conversion,
`lossless`, pairs tried, left after each stage and released, and those refused by stage and code; a
sum at the end. With `--out` the corpora are kept there.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.run import build
from schemagraph.convert.service import convert
from schemagraph.convert.source import SOURCES
from schemagraph.sources.formats.json_text import head_keys
from schemagraph.sources.formats.structured import records
from schemagraph.sources.tugraph import graph_name

KINDS = ("tugraph", "text2cypher", "graphml", "ldbc-csv", "node-link")
PAIRS = (
    "pairs.jsonl",
    "queries.jsonl",
    "queries.cypher",
    "query/queries.cypher",
    "case.cypher",
)


@dataclass(frozen=True)
class GraphFile:
    """A source as `convert` takes it, its name, and its pairs, if there are any."""

    source: str
    name: str
    pairs: Path | None


def kind_of(path: Path) -> str:
    """The kind of graph source that a file or folder is; empty for none."""
    head = b""
    if path.is_file():
        with path.open("rb") as stream:
            head = stream.read(4096)
    for name in KINDS:
        if SOURCES.get(name).accepts(str(path), path, head):
            if name == "node-link" and "nodes" not in head_keys(head):
                continue
            return name
    return ""


def below(path: Path, top: Path) -> Iterator[GraphFile]:
    """All sources in a folder, or the file itself."""
    kind = kind_of(path)
    if kind == "text2cypher":
        for _, name, _ in records(path):
            yield GraphFile(f"{path}#{name}", name, pairs_of(path, top))
    elif kind:
        yield GraphFile(str(path), graph_name(path), pairs_of(path, top))
    elif path.is_dir():
        for child in sorted(path.iterdir()):
            yield from below(child, top)


def pairs_of(path: Path, top: Path) -> Path | None:
    """The nearest file of pairs, not above `top`."""
    for folder in (path.parent, *path.parent.parents):
        for name in PAIRS:
            if (folder / name).is_file():
                return folder / name
        if folder == top:
            break
    return None


def configured(found: GraphFile, folder: Path) -> Path:
    """The configuration of a corpus of this source."""
    path = folder / "corpus.toml"
    path.write_text(
        f'[corpus]\nname = "benchmark"\n[[source]]\nkind = "graph"\n'
        f"path = {json.dumps(found.source)}\npairs = {json.dumps(str(found.pairs))}\n"
        f'name = {json.dumps(found.name)}\ndomain = "benchmark"\nsubdomain = "benchmark"\n'
        f"[queries]\nper_database = 100000\ngrow = false\n"
    )
    return path


def measured(found: GraphFile, limit: int, out: Path) -> dict[str, Any]:
    """One source converted, and its pairs built."""
    row: dict[str, Any] = {"source": found.name}
    start = time.perf_counter()
    try:
        report = convert(found.source, out / "graph")
    except GraphmillError as problem:
        return {**row, "lossless": False, "error": str(problem)}
    row |= {
        "kind": report.kind,
        "nodes": sum(report.nodes.values()),
        "edges": sum(report.edges.values()),
        "seconds": round(time.perf_counter() - start, 2),
        "lossless": True,
    }
    if found.pairs is None or not limit:
        return row
    start = time.perf_counter()
    try:
        config = load(configured(found, out))
        funnel = build(config, out / "corpus", Watch(quiet=True), limit).to_json()
    except GraphmillError as problem:  # no pairs for it, or none released
        return {**row, "pairs": str(problem)}
    refused = {f"{r['stage']}: {r['code']}": r["count"] for r in funnel["rejects"]}
    stages = funnel["stages"]
    return {
        **row,
        "build_seconds": round(time.perf_counter() - start, 1),
        "stages": stages,
        "released": stages["released"],
        "refused": refused,
    }


def main() -> None:
    """Print a line for each source, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    found = []
    for text in given.sources:
        if "://" in text:
            found.append(GraphFile(text, text, None))
        else:
            path = Path(text).resolve()
            found += below(path, path if path.is_dir() else path.parent)
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for number, one in enumerate(found):
            if given.only and one.name not in given.only:
                continue
            folder = (given.out or Path(scratch)) / f"{number}-{one.name.replace('/', '_')}"
            folder.mkdir(parents=True, exist_ok=True)
            rows.append(measured(one, given.limit, folder))
            print(json.dumps(rows[-1], ensure_ascii=False), flush=True)
    refused: Counter[str] = Counter()
    for row in rows:
        refused.update(row.get("refused", {}))
    tried = sum(row.get("stages", {}).get("candidates", 0) for row in rows)
    total = {
        "sources": len(rows),
        "lossless": sum(row["lossless"] for row in rows),
        "pairs": tried,
        "released": sum(row.get("released", 0) for row in rows),
        "refused": dict(refused.most_common()),
    }
    print(json.dumps(total, ensure_ascii=False))


if __name__ == "__main__":
    main()
