"""What an earlier release asked, so that a build of changed sources asks it again.

The queries that were grown for a database are proven anew on its data of today, before any
others are drafted: those whose answers hold keep their places, and their ids.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from generators.queries.base import Proposal
from graph_ir.canonical import shape
from graph_ir.cypher.reader import parsed
from graphmill.errors import GraphmillError, in_words
from graphmill.files import canonical, file_digest, read_rows
from graphmill.record import SPLITS, Evolved, Split
from pipelines.build.candidates import Grown
from pipelines.build.splits import Unit
from pipelines.configuration.lock import WORK
from pipelines.release.description import FUNNEL, Description
from pipelines.release.lock import LOCK, load_lock

SPLIT_OF = "splits.lines"  # beside them: database, domain, split and query of every pair
COPY = "since"  # the folder in .work where the queries of the earlier release lie
GIVEN = "pairs"  # the maker of pairs that a source brings, which come again by themselves
_COLUMNS = ("id", "db", "domain", "question", "queries.cypher", "provenance")
WRITTEN = ("write-questions", "translate-back")  # steps that a build adds to a query's own


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier release, of which `folder` holds the grown queries, a file for each database.

    `graphs` are the fingerprints of its graphs, `asked_again` the databases whose queries it had
    of a still earlier one. `unfilled` are, by database, the places for which it found nothing, and
    the hash of the settings with which it looked.
    """

    folder: Path
    graphs: dict[str, str]
    asked_again: frozenset[str]
    unfilled: dict[str, tuple[int, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, corpus: Path, work: Path) -> Earlier:
        """Copy what is asked again from `corpus` to the folder `work`, once for each release.

        A copy, because the corpus may be the one that is built, and a build that was killed while
        it wrote its files goes on from the release before.

        Raises:
            GraphmillError: `corpus` is no finished corpus, or a file cannot be read or written.
        """
        aside = corpus / WORK  # where its lock is while a build replaces its files
        place = aside if (aside / LOCK).is_file() and not (corpus / LOCK).exists() else corpus
        lock = load_lock(place)
        copy, name = work / COPY, file_digest(place / LOCK)[:16]
        whole = copy / f"{name}.json"
        graphs = {db: str(graph["fingerprint"]) for db, graph in lock["graphs"].items()}
        if not (whole.is_file() and (copy / SPLIT_OF).is_file()):
            try:
                _keep_whole(corpus, lock)
                copy.mkdir(parents=True, exist_ok=True)
                for path in copy.iterdir():
                    path.unlink()
                grown = Description.of(corpus, lock).funnel.get("grown", [])
                absent = {one for each in grown for one in each.get("asks_absence", ())}
                try:
                    _write(corpus, lock, copy, absent)
                except (KeyError, TypeError, AttributeError) as problem:
                    raise GraphmillError(
                        f"The records of {corpus} are damaged: {in_words(problem)}. "
                        "`graphmill verify` says what else is."
                    ) from problem
                known = {
                    "asked_again": sorted(each["db"] for each in grown if each.get("asked_again")),
                    "unfilled": {e["db"]: e["unfilled"] for e in grown if e.get("unfilled")},
                }
                whole.write_text(canonical(known) + "\n", encoding="utf-8")
            except OSError as problem:
                raise GraphmillError(f"Cannot write {copy}: {problem.strerror}.") from problem
        known = json.loads(whole.read_text(encoding="utf-8"))
        unfilled = {db: (int(n), str(settings)) for db, (n, settings) in known["unfilled"].items()}
        return cls(copy, graphs, frozenset(known["asked_again"]), unfilled)

    def queries(self, db: str, fingerprint: str) -> Iterator[Grown]:
        """The queries that were grown for a database, where they are asked again.

        Where nothing has changed since a build from nothing, its finished work is there, and
        growing goes the same way again.
        """
        path = self.folder / f"{db}.jsonl"
        unchanged = self.graphs.get(db) == fingerprint and db not in self.asked_again
        if unchanged or not path.is_file():
            return
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                yield _grown(json.loads(line))

    def splits(self, by: Unit) -> dict[str, Split]:
        """The split of each database, domain or canonical shape of the earlier release; none of
        those that it had in several."""
        splits: dict[str, Split] = {}
        several: set[str] = set()
        with (self.folder / SPLIT_OF).open(encoding="utf-8") as lines:
            for line in lines:
                db, domain, split, cypher = json.loads(line)
                names = {"database": db, "domain": domain}
                group = names[by] if by in names else shape(parsed(cypher))
                if splits.setdefault(group, split) != split:
                    several.add(group)
        return {group: split for group, split in splits.items() if group not in several}


def _keep_whole(corpus: Path, lock: dict[str, Any]) -> None:
    """See that the files that are read are those of the release.

    Raises:
        GraphmillError: one is missing, or is not as it was released.
    """
    for name, sha256 in lock["files"].items():
        if name == FUNNEL or name.startswith("data/"):
            path = corpus / name
            if not path.is_file() or file_digest(path) != sha256:
                raise GraphmillError(
                    f"{path} is not as {LOCK} has it: {corpus} was changed after its release. "
                    "`graphmill verify` says what else was."
                )


def _write(corpus: Path, lock: dict[str, Any], copy: Path, absent: set[str]) -> None:
    """The grown queries of each database; `absent` are the records that ask for absence."""
    with ExitStack() as stack:
        files: dict[str, TextIO] = {}
        splits = stack.enter_context((copy / SPLIT_OF).open("w", encoding="utf-8"))
        for split in SPLITS:
            for name in sorted(lock["files"]):
                if not name.startswith(f"data/{split}-"):
                    continue
                for row in read_rows(corpus / name, _COLUMNS):
                    db, cypher = row["db"], row["queries"]["cypher"]
                    splits.write(canonical([db, row.get("domain") or "", split, cypher]) + "\n")
                    if row["provenance"]["maker"] == GIVEN:
                        continue
                    if db not in files:
                        path = copy / f"{db}.jsonl"
                        files[db] = stack.enter_context(path.open("w", encoding="utf-8"))
                    files[db].write(canonical(_line(row, row["id"] in absent)) + "\n")


def _line(row: dict[str, Any], may_be_empty: bool) -> dict[str, Any]:
    made = row["provenance"]
    return {
        "cypher": row["queries"]["cypher"],
        "maker": made["maker"],
        "archetype": made["source"].removeprefix(row["db"]).removeprefix(":"),
        "parent": made["parent"],
        "trace": [
            [step["operation"], step["before"], step["evidence"]]
            for step in made["trace"]
            if step["operation"] not in WRITTEN
        ],
        "question": row["question"] if made["model"] else "",
        "may_be_empty": may_be_empty,
    }


def _grown(line: dict[str, Any]) -> Grown:
    trace = tuple(Evolved(*step) for step in line["trace"])
    return Grown(
        Proposal(
            parsed(line["cypher"]),
            line["maker"],
            line["archetype"],
            trace,
            line["question"],
            line["may_be_empty"],
        ),
        line["parent"],
    )
