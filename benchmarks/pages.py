"""How quick the pages are over many records, and what they take: report, index, explorer, load.

    python -m benchmarks.pages CORPUS [--records 200000] [--folder DIR]

CORPUS is a small corpus; its records are repeated under other ids and questions until there are
enough. The explorer runs as `graphmill serve` does, in a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.processes import high_water, processor_seconds
from graphmill.record import SPLITS

_WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "islet", "jade")
_DELTA = urlencode({"q": "delta 77"})
_SEARCHES = ("museum", "city amber", "founded birch 17", "HAS_OWNER", "nothingatall", "the")


def main() -> int:
    """Measure and print one JSON object."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--records", type=int, default=200_000)
    options.add_argument("--folder", type=Path, help="work here, and keep it")
    chosen = options.parse_args()
    folder = chosen.folder or Path(tempfile.mkdtemp())
    try:
        large = folder / "corpus"
        if not large.is_dir():
            enlarge(chosen.corpus, large, chosen.records)
        found: dict[str, Any] = {"records": chosen.records}
        found["report"] = _timed([sys.executable, "-m", "graphmill", "report", str(large)])
        found.update(explored(large, folder / "index"))
        sys.stdout.write(json.dumps(found, indent=1) + "\n")
    finally:
        if chosen.folder is None:
            shutil.rmtree(folder)
    return 0


def enlarge(corpus: Path, large: Path, records: int) -> None:
    """A corpus of many records, each another one by its id and its questions."""
    shutil.copytree(corpus, large, ignore=shutil.ignore_patterns(".work", "sources"))
    sizes = {}
    for split in SPLITS:
        path = large / "data" / f"{split}-00000-of-00001.parquet"
        sizes[path] = pq.read_table(path)
        path.unlink()
    total = sum(table.num_rows for table in sizes.values())
    for path, table in sizes.items():
        with pq.ParquetWriter(path, table.schema, compression="zstd") as writer:
            for number in range(-(-records // total)):
                writer.write_table(_another(table, number))


def _another(table: pa.Table, number: int) -> pa.Table:
    word = f"{_WORDS[number % 10]} {number // 10}"
    ids = [hashlib.sha256(f"{i}{number}".encode()).hexdigest()[:16] for i in _column(table, "id")]
    asked = [f"{text} ({word})" for text in _column(table, "question_business")]
    for name, values in (("id", ids), ("question_business", asked)):
        place = table.schema.get_field_index(name)
        table = table.set_column(place, table.schema.field(place), pa.array(values))
    return table


def _column(table: pa.Table, name: str) -> list[Any]:
    values: list[Any] = table[name].to_pylist()
    return values


def _timed(command: list[str]) -> dict[str, float]:
    """Seconds and megabytes of a command."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = 0.0
    while process.poll() is None:
        most = max(most, high_water(process.pid))
        time.sleep(0.05)
    return {"seconds": round(time.monotonic() - start, 1), "megabytes": round(most)}


def _rarest(index: Path) -> str:
    """The construct that fewest records have."""
    path = next(index.glob("*.sqlite"))
    with sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "SELECT value FROM facets WHERE facet = 'construct' ORDER BY number, value LIMIT 1"
        )
        return str(rows.fetchone()[0])


def explored(corpus: Path, index: Path) -> dict[str, Any]:
    """The explorer's start, its pages, and 2,000 requests of which 200 wait at a time."""
    command = [sys.executable, "-m", "graphmill", "serve", str(corpus), "--port", "0"]
    start = time.monotonic()
    with subprocess.Popen(
        [*command, "--index", str(index)], stderr=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stderr is not None
            address = next(
                found[0] for line in server.stderr if (found := re.search(r"http\S+", line))
            )
            ready = round(time.monotonic() - start, 1)
            return {
                "start_seconds": ready,
                "index_megabytes": round(sum(f.stat().st_size for f in index.iterdir()) / 2**20),
                **_pages(address, _rarest(index), server.pid),
                **asyncio.run(_load(address)),
                "server_megabytes": round(high_water(server.pid)),
            }
        finally:
            server.terminate()


def _pages(address: str, rare: str, server: int) -> dict[str, Any]:
    base = address.split("/?")[0]
    with httpx.Client(base_url=base, timeout=30) as client:
        client.get(address)
        deadline = time.monotonic() + 30
        while client.get("/").status_code != 303 and time.monotonic() < deadline:
            time.sleep(0.2)
        first = _milliseconds(client, "/c/0/", 1)
        keys = re.findall(r"item/([0-9a-f]{16})", client.get(f"/c/0/?{_DELTA}").text)
        filters = ["?tier=hard", "?construct=with&split=test", "?kind=reject", "?page=400"]
        filters += [f"?construct={rare}", f"?construct={rare}&q=museum"]
        begun, before = time.monotonic(), processor_seconds(server)
        for key in keys * 4:
            client.get(f"/c/0/item/{key}").raise_for_status()
        spent = (processor_seconds(server) - before) / len(keys) / 4
        return {
            "first_page_ms": first,
            "records_ms": round((time.monotonic() - begun) * 250 / len(keys), 1),
            "record_processor_ms": round(spent * 1000, 1),
            "pages_ms": {path: _milliseconds(client, f"/c/0/{path}") for path in ("", *filters)},
            "search_ms": {q: _milliseconds(client, f"/c/0/?q={q}") for q in _SEARCHES},
            "filtered_search_ms": _milliseconds(client, "/c/0/?q=museum&construct=with&tier=hard"),
            "record_ms": _milliseconds(client, f"/c/0/item/{keys[0]}"),
        }


def _milliseconds(client: httpx.Client, path: str, times: int = 5) -> float:
    """The slowest of some requests."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        client.get(path).raise_for_status()
        taken.append((time.perf_counter() - start) * 1000)
    return round(max(taken), 1)


async def _load(address: str) -> dict[str, Any]:
    """2,000 requests over plain sockets, a connection each: a client's own pool takes longer."""
    parts = urlsplit(address)
    cookie = f"graphmill-{parts.port}={parts.query.removeprefix('token=')}"
    places, taken, statuses = asyncio.Semaphore(200), [], Counter[str]()

    async def one(number: int) -> None:
        query = urlencode({"q": _SEARCHES[number % 6], "page": number % 7 + 1})
        async with places:
            start = time.perf_counter()
            reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
            writer.write(
                f"GET /c/0/?{query} HTTP/1.1\r\nHost: {parts.netloc}\r\nCookie: {cookie}\r\n"
                "Connection: close\r\n\r\n".encode()
            )
            answer = await reader.read(-1)
            writer.close()
            taken.append(time.perf_counter() - start)
            statuses[answer[9:12].decode()] += 1

    await asyncio.gather(*(one(number) for number in range(2_000)))
    return {
        "load_statuses": dict(statuses),
        "load_slowest_seconds": round(max(taken), 2),
        "load_median_seconds": round(statistics.median(taken), 2),
    }


if __name__ == "__main__":
    sys.exit(main())
