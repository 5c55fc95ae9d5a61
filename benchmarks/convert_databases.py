"""Convert every database file and node-link JSON file found: lossless or not, and how fast.

    python -m benchmarks.convert_databases FOLDER_OR_FILE… [--out FOLDER] [--verbose]

Prints one line for each source that fails or, with --verbose, that is converted, and a summary:
how many are lossless, rows, seconds, rows a second, seconds of processor time (on a busy machine
the better measure), and the largest memory of the process and of the one beside it.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from graphmill.errors import GraphmillError
from schemagraph.convert.service import convert

SUFFIXES = (".sqlite", ".sqlite3", ".db", ".duckdb")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit status is 1 where a source is not converted."""
    parser = argparse.ArgumentParser(description="Convert databases and measure it.")
    parser.add_argument("sources", nargs="+", type=Path, metavar="FOLDER_OR_FILE")
    parser.add_argument("--out", type=Path, help="keep the graphs in this folder")
    parser.add_argument("--verbose", action="store_true", help="a line for each source")
    arguments = parser.parse_args(argv)
    files = list(databases_in(arguments.sources))
    with tempfile.TemporaryDirectory() as scratch:
        failures = run(files, arguments.out or Path(scratch), arguments.verbose)
    return 1 if failures else 0


def databases_in(sources: Sequence[Path]) -> Iterator[Path]:
    """All databases in the folders, and the files as they are."""
    for source in sources:
        if source.is_dir():
            yield from sorted(p for p in source.rglob("*") if p.suffix in SUFFIXES)
        else:
            yield source


def run(files: Sequence[Path], out: Path, verbose: bool) -> int:
    """Convert all files; how many fail."""
    rows = failures = warnings = 0
    start = time.perf_counter()
    for path in files:
        began = time.perf_counter()
        try:
            report = convert(str(path), out / path.stem)
        except GraphmillError as problem:
            failures += 1
            print(f"{path}: {type(problem).__name__}: {problem}", flush=True)
            continue
        count = sum(check.rows for check in report.checks)
        rows += count
        warnings += len(report.warnings)
        if verbose:
            seconds = time.perf_counter() - began
            print(f"{path}: {count} rows, {seconds:.2f} s, {len(report.warnings)} warnings")
    seconds = time.perf_counter() - start
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    busy = sum(usage.ru_utime + usage.ru_stime for usage in used)
    peak = " + ".join(str(usage.ru_maxrss // 1024) for usage in used)
    print(
        f"{len(files) - failures} of {len(files)} lossless; {rows} rows in {seconds:.1f} s, "
        f"{rows / seconds:,.0f} rows/s; {busy:.1f} s of processor time; {warnings} warnings; "
        f"{peak} MiB"
    )
    return failures


if __name__ == "__main__":
    sys.exit(main())
