"""The matrix: every construct, hostile values, every executing dialect, against Neo4j's Cypher.

    python -m benchmarks.matrix [--dialect D ...] [--construct PATTERN] [--position PATTERN]
        [--against FILE] [--out FILE] [--answers FILE] [--show 20] [--every N [--offset M]]
        [--seed N]
    python -m benchmarks.matrix --static ngql --static spanner [--construct PATTERN] [--show 20]

A cell is a construct with values in one position, in one dialect: equal, refused, declared, or a
silent difference. PATTERN is a shell pattern (`to*`, `ORDER BY*`). `--answers` keeps Neo4j's
answers, so that the next run need not ask. `--against` lists cells of an earlier `--out` that were
equal and are no more. `--static` asks dialects that no engine runs what they say, and what their
judges accept of that. Exits with 1 when there is a silent difference or such a cell.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import ExitStack
from fnmatch import fnmatchcase
from pathlib import Path

from graphmill.files import digest
from qa.agreement import RUNS
from qa.conformance.matrix import REFEREE, SILENT, Cell, Matrix, engine_of, speaker
from qa.conformance.static import counted, judge_of
from qa.conformance.trials import Trial, trials
from qa.conformance.values import graph

STATIC = ("ngql", "spanner")
# The first run of a dialect is that of its own engine.
DIALECTS = {run.dialect: name for name, run in reversed(list(RUNS.items())) if name != REFEREE}


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("--dialect", action="append", choices=DIALECTS, default=[])
    arguments.add_argument("--static", action="append", choices=STATIC, default=[])
    arguments.add_argument("--construct", default="*")
    arguments.add_argument("--position", default="*")
    arguments.add_argument("--every", type=int, default=1, help="only every Nth trial")
    arguments.add_argument("--offset", type=int, default=0, help="the first of them")
    arguments.add_argument("--seed", type=int, default=0, help="draw other values than the listed")
    arguments.add_argument("--against", type=Path)
    arguments.add_argument("--out", type=Path)
    arguments.add_argument("--answers", type=Path)
    arguments.add_argument("--show", type=int, default=20)
    options = arguments.parse_args()
    start = time.perf_counter()
    chosen = [
        trial
        for trial in trials(lambda name: fnmatchcase(name, options.construct), options.seed)
        if fnmatchcase(trial.position, options.position)
    ][options.offset :: options.every]
    if options.static:
        return max(_static(chosen, dialect, options) for dialect in options.static)
    cells: list[Cell] = []
    small = graph(options.seed)
    key = digest(small.text())
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        stored = small.write(Path(folder) / "graph")
        names = [DIALECTS[dialect] for dialect in options.dialect or DIALECTS]
        engines = {}
        for name in (REFEREE, *names):
            engine = RUNS[name].engine
            if engine not in engines:
                engines[engine] = stack.enter_context(engine_of(name, stored))
        truth = speaker(REFEREE, engines, small.schema, key, options.answers)
        speakers = {RUNS[name].dialect: speaker(name, engines, small.schema, key) for name in names}
        matrix = Matrix(truth, speakers)
        out = stack.enter_context(options.out.open("w", encoding="utf-8")) if options.out else None
        for number, trial in enumerate(chosen, 1):
            judged = list(matrix.judge(trial))
            cells += judged
            if out is not None:
                out.writelines(json.dumps(_record(cell)) + "\n" for cell in judged)
                out.flush()
            if number % 100 == 0:
                spent = time.perf_counter() - start
                print(f"{number} of {len(chosen)} trials, {spent:.0f} s", file=sys.stderr)
    print(f"{len(chosen)} trials, {len(cells)} cells, {time.perf_counter() - start:.0f} s")
    lost = _lost(options.against, cells) if options.against else []
    return int(_report(cells, options.show) + len(lost) > 0)


def _static(chosen: list[Trial], dialect: str, options: argparse.Namespace) -> int:
    """Print what a dialect without an engine says, and what its judge takes."""
    schema = graph(options.seed).schema
    with judge_of(dialect, schema) as check:
        counts, rejected = counted(chosen, dialect, schema, check)
    total = sum(counts.values())
    shares = ", ".join(f"{s.value} {n} ({n / total:.1%})" for s, n in counts.most_common())
    print(f"\n{dialect}: {total} cells: {shares}; {len(rejected)} texts rejected")
    for construct, count in Counter(construct for construct, _, _ in rejected).most_common():
        print(f"{count:7} {construct}")
    for construct, message, text in rejected[: options.show]:
        print(f"{construct}: {message}\n    {' '.join(text.split())}")
    return int(bool(rejected))


def _record(cell: Cell) -> dict[str, object]:
    """A line of `--out`: what is empty is left out."""
    fields = {name: getattr(cell, name) for name in Cell.__slots__}
    return {name: value for name, value in fields.items() if value}


def _report(cells: list[Cell], show: int) -> int:
    by_dialect: dict[str, list[Cell]] = defaultdict(list)
    for cell in cells:
        by_dialect[cell.dialect].append(cell)
    wrong = 0
    for dialect, own in by_dialect.items():
        states = Counter(cell.status.value for cell in own)
        shares = ", ".join(f"{s} {n} ({n / len(own):.1%})" for s, n in states.most_common())
        raising = sum(cell.raises for cell in own)
        print(f"\n{dialect}: {len(own)} cells: {shares}; Neo4j raises in {raising}")
        silent = [cell for cell in own if cell.status in SILENT]
        wrong += len(silent)
        for construct, count in Counter(cell.construct for cell in silent).most_common():
            print(f"{count:7} {construct}")
        for cell in silent[:show]:
            print(_line(cell))
    return wrong


def _line(cell: Cell) -> str:
    return (
        f"{cell.status.value}: {cell.construct} | {cell.position} | {cell.values} | "
        f"truth {cell.truth} | "
        f"answer {cell.answer or cell.reason}\n    {' '.join(cell.cypher.split())}"
    )


def _lost(path: Path, cells: list[Cell]) -> list[Cell]:
    """Cells that were equal in an earlier run and are no more."""
    now = {cell.key: cell for cell in cells}
    lost = []
    for line in path.read_text("utf-8").splitlines():
        record = json.loads(line)
        if record["status"] != "equal":
            continue
        names = ("dialect", "construct", "position", "values")
        key = tuple(record.get(name, "") for name in names)
        cell = now.get(key)
        if cell is not None and cell.status.value != "equal":
            lost.append(cell)
            print(f"no longer equal: {cell.status.value}: {' | '.join(key)}: {cell.reason}")
    return lost


if __name__ == "__main__":
    sys.exit(main())
