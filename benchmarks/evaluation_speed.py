"""How long 20,000 predictions of one corpus take, and how much memory.

    .venv/bin/python benchmarks/evaluation_speed.py CORPUS [NUMBER] [JOBS] [--fresh]

The corpus is copied to a temporary folder with each record as often as it takes (another question,
so another id). A third of the predictions is gold, a third are mutants, with other variables, and
a third are queries of other pairs. Memory is that of all processes, of which each counts what it
shares with others, too.
`--fresh` keeps no answers, as where no two predictions are the same.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import graphmill as gm
from evaluation.execution import Kept
from graph_ir.bind.statements import bind
from graph_ir.canonical import canonical
from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from graphmill.files import read_records, write_json_lines, write_records
from graphmill.record import Record
from pipelines.release.folder import split_file
from qa.mutation.mutants import mutants
from schemagraph.folder.serde import load_schema
from translators.render import render


def main() -> None:
    given = [each for each in sys.argv[1:] if each != "--fresh"]
    corpus = Path(given[0])
    number = int(given[1]) if len(given) > 1 else 20_000
    jobs = int(given[2]) if len(given) > 2 else None
    if "--fresh" in sys.argv:  # as if no prediction came twice; with one job, in this process
        Kept.MOST = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "corpus"
        shutil.copytree(corpus, folder)
        records = [
            r for p in sorted((folder / "data").glob("*.parquet")) for _, r in read_records(p)
        ]
        for path in (folder / "data").glob("*.parquet"):
            path.unlink()
        many = list(_copies(records, number))
        write_records(split_file(folder, "test"), many, tuple(records[0].queries))
        lines = Path(scratch) / "predictions.jsonl"
        write_json_lines(lines, _lines(folder, many))
        print(f"{len(many)} predictions of {len(records)} queries", file=sys.stderr)
        del many, records
        memory: list[int] = []
        done = threading.Event()
        computed: dict[int, float] = {}
        threading.Thread(target=_watch, args=(memory, computed, done), daemon=True).start()
        begun = time.perf_counter()
        figures = gm.evaluate(
            folder, lines, out=Path(scratch) / "run", jobs=jobs, progress=_progress
        )
        done.set()
        own = figures["languages"]["cypher"]
        print(
            json.dumps(
                {
                    "predictions": own["n"],
                    "seconds": round(time.perf_counter() - begun, 1),
                    "processor_seconds_of_all_processes": round(sum(computed.values()), 1),
                    "mb_after_a_quarter": memory[len(memory) // 4],
                    "mb_after_a_half": memory[len(memory) // 2],
                    "mb_at_the_end": memory[-3],
                    "mb_at_most": max(memory),
                    "ex": own["ex"],
                    "suite_ex": own["suite_ex"],
                    "runs_on_small_graphs": own["suite"]["graphs"],
                }
            )
        )


def _copies(records: list[Record], number: int) -> Iterator[Record]:
    for at in range(number):
        record = records[at % len(records)]
        original = f"{record.questions.original} ({at // len(records)})"
        questions = replace(record.questions, original=original)
        yield replace(record, questions=questions, split="test")


def _lines(folder: Path, records: list[Record]) -> Iterator[dict[str, str]]:
    rng = Random(7)
    made: dict[str, list[str]] = {}
    for number, record in enumerate(records):
        gold = record.queries["cypher"]
        if gold not in made:
            schema = load_schema(folder / "graphs" / record.db)
            bound = bind(parse(gold), schema).statement
            made[gold] = []
            for mutant in mutants(bound, schema, rng, cap=30):
                try:
                    text = render(canonical(mutant.statement), "cypher", schema).text
                except Refused:
                    continue
                made[gold].append(text)
        wrong = made[gold]
        kind = number % 3
        if kind == 2:
            query = rng.choice(records).queries["cypher"]
        else:
            query = gold if kind == 0 or not wrong else rng.choice(wrong)
        yield {"id": record.id, "query": query}


def _watch(memory: list[int], computed: dict[int, float], done: threading.Event) -> None:
    """Memory of all processes every two seconds, and the processor seconds of each."""
    own = _seconds(os.getpid())
    while not done.wait(2.0):
        family = list(_family(os.getpid()))
        memory.append(sum(map(_resident, family)) >> 20)
        for process in family:
            before = own if process == os.getpid() else 0.0
            computed[process] = max(computed.get(process, 0.0), _seconds(process) - before)


def _seconds(process: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0  # it has ended


def _family(process: int) -> Iterator[int]:
    """A process, its children and theirs."""
    yield process
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in task.read_text().split():
                yield from _family(int(child))


def _resident(process: int) -> int:
    with contextlib.suppress(OSError):
        pages = Path(f"/proc/{process}/statm").read_text().split()[1]
        return int(pages) * resource.getpagesize()
    return 0  # it has ended


def _progress(line: str) -> None:
    print(line, file=sys.stderr)


if __name__ == "__main__":
    main()
