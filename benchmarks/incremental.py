"""What a build costs after one row of one source has changed, and which pairs stay.

    python -m benchmarks.incremental DATABASE.sqlite … [--pairs 20] [--jobs 2]

Each database is a source of one corpus, with as many grown pairs. It is built whole; then one
number of one row of the first database that has one is made greater by one, and the corpus is built
again `--since` itself. Seconds are processor seconds of the coordinator and all that it started.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from graphmill.record import SPLITS
from pipelines.release.corpus import Corpus


def main() -> int:
    """Build whole, change a row, build since; one JSON line for each and one of both."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("databases", type=Path, nargs="+")
    arguments.add_argument("--pairs", type=int, default=20)
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="graphmill-incremental-") as name:
        folder = Path(name)
        paths = [Path(shutil.copy(path, folder / path.name)) for path in options.databases]
        config, out = _config(folder, paths, options.pairs), folder / "corpus"
        whole = _built(config, out, options.jobs, [])
        before = _pairs(out)
        changed = next(path.stem for path in paths if _change(path))
        since = _built(config, out, options.jobs, ["--since", str(out)])
        after = _pairs(out)
        others = {i for i, (db, _) in before.items() if db != changed}
        same = {i for i in before if after.get(i) == before[i]}
        print(
            json.dumps(
                {
                    "changed": changed,
                    "share_of_cpu": round(since["cpu_s"] / whole["cpu_s"], 4),
                    "share_of_wall": round(since["wall_s"] / whole["wall_s"], 4),
                    "other_databases_kept": len(others & same) == len(others),
                    "its_pairs": len(before) - len(others),
                    "its_ids_kept": len((before.keys() - others) & after.keys()),
                    "its_answers_kept": len(same - others),
                }
            )
        )
        return 0


def _config(folder: Path, paths: list[Path], pairs: int) -> Path:
    lines = ["[corpus]", 'name = "incremental"', "[queries]", f"per_database = {pairs}"]
    for path in paths:
        lines += ["[[source]]", 'kind = "relational"', f"name = {json.dumps(path.stem)}"]
        lines += [
            f"url = {json.dumps(f'sqlite:///{path.name}')}",
            'domain = "any"',
            'subdomain = "any"',
        ]
    config = folder / "corpus.toml"
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return config


def _built(config: Path, out: Path, jobs: int, more: list[str]) -> dict[str, Any]:
    before, began = os.times(), time.monotonic()
    command = [sys.executable, "-m", "graphmill", "build", str(config), "--out", str(out)]
    subprocess.run(
        [*command, "--jobs", str(jobs), "--quiet", *more], stdout=subprocess.DEVNULL, check=True
    )
    after = os.times()
    cpu = (
        after.children_user + after.children_system - before.children_user - before.children_system
    )
    seconds = {"cpu_s": round(cpu, 1), "wall_s": round(time.monotonic() - began, 1)}
    print(json.dumps({"since": bool(more), **seconds}), flush=True)
    return seconds


def _pairs(out: Path) -> dict[str, tuple[str, str]]:
    """Database and hash of the answer, by id."""
    corpus = Corpus(out)
    return {
        row["id"]: (row["db"], row["answer"]["hash"])
        for split in SPLITS
        for row in corpus.records(split)
    }


def _change(path: Path) -> bool:
    """Make one number greater that is no key and no reference; whether there is one."""
    with sqlite3.connect(path) as database:
        names = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")
        for (table,) in names.fetchall():
            references = database.execute("SELECT * FROM pragma_foreign_key_list(?)", (table,))
            outward = {row[3] for row in references}
            columns = database.execute("SELECT name, pk FROM pragma_table_info(?)", (table,))
            for column, key in columns.fetchall():
                cells = f'SELECT rowid FROM "{table}" WHERE typeof("{column}") = \'integer\''
                row = database.execute(f"{cells} LIMIT 1").fetchone()
                if row and not key and column not in outward:
                    text = f'UPDATE "{table}" SET "{column}" = "{column}" + 1 WHERE rowid = ?'
                    database.execute(text, row)
                    return True
    return False


if __name__ == "__main__":
    sys.exit(main())
