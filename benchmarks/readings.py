"""What the readings of a corpus's pairs cost, and what comes of them.

    python benchmarks/readings.py CORPUS

Does for every record what a build does: looks for vacuous parts, tries to repair the query, judges
its readings on the shipped graph and on its small ones. Prints processor seconds with those of the
referee, a record's milliseconds, and outcomes.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

from graph_ir.bind.statements import bound
from graph_ir.cypher.reader import parsed
from graphmill.files import read_records
from pipelines.build.context import DatabaseContext, Graph
from pipelines.build.query_oracle import asked_of
from pipelines.release.lock import format_of, load_lock
from qa.mutation.interpreter.elements import MemoryGraph
from qa.readings.judge import judge, repair
from qa.readings.legal import legal
from qa.readings.vacuous import vacuous_part
from qa.readings.wordings import wordings


def main(corpus: Path) -> None:
    """Measure one corpus."""
    lock = load_lock(corpus)
    files = sorted((corpus / "data").glob("*.parquet"))
    records = [r for file in files for _, r in read_records(file, format_of(lock))]
    outcomes: Counter[str] = Counter()
    own, referee = 0.0, resource.getrusage(resource.RUSAGE_CHILDREN)
    for db, entry in lock["graphs"].items():
        folder = corpus / "graphs" / db
        with DatabaseContext(Graph(db, folder, entry["fingerprint"]), ("cypher",)) as database:
            schema, ask = database.graph.schema, partial(asked_of, database)
            for record in (each for each in records if each.db == db):
                statement = bound(parsed(record.queries["cypher"]), schema).statement
                small = [
                    MemoryGraph(legal(json.loads(path.read_text("utf-8")), schema))
                    for name in record.discrimination.get("instances", ())
                    if (path := folder / "instances" / f"{name}.json").is_file()
                ]
                ask(statement)  # which the proof has asked in a build
                start = time.process_time()
                outcomes[vacuous_part(statement, schema).code or "means"] += 1
                repaired = repair(statement, schema, ask)[1]
                judged = judge(statement, schema, wordings(record.questions), small, ask)
                own += time.process_time() - start
                outcomes.update(f"{each.reading} {each.outcome}" for each in judged.readings)
                outcomes.update(f"{name} would be repaired" for name in repaired)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - referee.ru_utime - referee.ru_stime
    each = 1000 * own / max(1, len(records))
    print(f"{len(records)} records: {own:.2f} s, {each:.1f} ms each; the referee {spent:.2f} s")
    for name, number in sorted(outcomes.items()):
        print(f"  {name}: {number}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
