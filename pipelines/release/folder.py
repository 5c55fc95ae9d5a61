"""Write a corpus folder that `datasets.load_dataset` loads and `graphmill verify` proves."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import RecordWriter, write_text
from graphmill.record import FORMAT, SPLITS, Record, Split
from graphmill.secrets import conceal_json
from pipelines.build.context import Graph
from pipelines.build.suites import write_instances
from pipelines.configuration.config import Config
from pipelines.configuration.lock import WORK
from pipelines.configuration.store import Finished, Gathered
from pipelines.configuration.version import code_version, library_versions
from pipelines.release.description import FUNNEL, Description
from pipelines.release.held import digests, held_files
from pipelines.release.hub import UNANSWERABLE
from pipelines.release.ledger import LEDGER, write_ledger
from pipelines.release.lock import DEALT, LOCK, lay_aside, write_lock
from pipelines.release.nearest import Apart, here, write_nearest
from pipelines.release.pages import Tell, write_pages
from pipelines.release.unanswerable import unanswerable, unanswerable_file


def release(
    config: Config,
    out: Path,
    graphs: Sequence[Graph],
    records: Iterable[tuple[str, Sequence[Record]]],
    ledger: Iterable[str],
    funnel: dict[str, Any],
    masked: Mapping[str, Any] | None = None,
    finished: Finished | None = None,
    dealt: bool = False,
    tell: Tell = lambda _: None,
    apart: Apart = here,
) -> None:
    """Write everything but graphs and sources, which are there already; the lock comes last,
    and that of an earlier release goes first.

    `records` are those of one database after the other, which alone are held in memory; `ledger` is
    the text of `rejects.jsonl` in pieces. `masked` are the settings of masked pairs, which are
    there already. What depends on what has not changed is taken from `finished`. `dealt` says that
    the splits are those of the shares alone. `apart` is what takes much memory for a while.

    Raises:
        GraphmillError: no record was released, so that there is no corpus to write; the ledger
            is written all the same.
    """
    lay_aside(out)
    dropped = write_ledger(out / LEDGER, ledger)
    files = {split: split_file(out, split) for split in SPLITS}
    released, hopeless = _write_records(config, out, graphs, records, files)
    if not released:
        raise GraphmillError(
            f"No pair was released; {out / LEDGER} says why for each of {dropped}."
        )
    known = finished or Gathered()
    write_nearest(out, files, config.duplicates.similarity, known, apart)
    write_text(out / FUNNEL, json.dumps(funnel, indent=1) + "\n")
    lock = {**_lock(config, graphs), UNANSWERABLE: hopeless}
    if masked is not None:
        lock["config"]["masked"] = dict(masked)
    if dealt:
        lock["splits"] = DEALT
    about = Description(lock["config"], lock["graphs"], funnel, lock["libraries"])
    write_pages(out, about, known, tell)
    write_lock(out, {**lock, "files": digests(out, held_files(out, lock["graphs"]))})
    (out / WORK / LOCK).unlink(missing_ok=True)


def _write_records(
    config: Config,
    out: Path,
    graphs: Sequence[Graph],
    records: Iterable[tuple[str, Sequence[Record]]],
    files: Mapping[Split, Path],
) -> tuple[int, int]:
    """Write the splits, beside them what cannot be answered; how many there are of both.

    A split without records has no file.
    """
    languages = config.languages
    others = {split: unanswerable_file(out, split) for split in SPLITS}
    with ExitStack() as stack:
        writers, hopeless = (
            {
                split: stack.enter_context(RecordWriter(path, languages))
                for split, path in paths.items()
            }
            for paths in (files, others)
        )
        by_name = {graph.db: graph for graph in graphs}
        for db, mine in records:
            write_instances(out, [db], mine)
            graph = by_name.get(db)  # none of a source that was left out
            without = () if graph is None else unanswerable(config, graph, mine)
            for into, chosen in ((writers, mine), (hopeless, without)):
                for record in chosen:
                    if record.split is not None:
                        into[record.split].write(record)
    os.sync()  # the small graphs are tens of thousands of files
    rows, without_answer = (sum(w.rows for w in each.values()) for each in (writers, hopeless))
    if not rows:
        return 0, 0
    for split in SPLITS:
        for into, path in ((writers, files[split]), (hopeless, others[split])):
            if not into[split].rows:
                path.unlink(missing_ok=True)
    return rows, without_answer


def split_file(out: Path, split: str) -> Path:
    """Where the records of one split lie."""
    return out / "data" / f"{split}-00000-of-00001.parquet"


def _lock(config: Config, graphs: Sequence[Graph]) -> dict[str, Any]:
    """What a later run needs to tell whether it is the same corpus, but for its files."""
    return {
        "format": FORMAT,
        "config": conceal_json(config.model_dump(mode="json")),
        "code": code_version(),
        "libraries": library_versions(),
        "graphs": {
            graph.db: {
                "fingerprint": graph.fingerprint,
                "domain": graph.domain,
                "subdomain": graph.subdomain,
            }
            for graph in graphs
        },
    }
