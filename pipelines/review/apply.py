"""`graphmill review --apply`: what experts did not pass goes from the records to the ledger."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import (
    read_json_lines,
    stored_rows,
    whole_file,
    write_json_lines,
    write_text,
)
from graphmill.record import SPLITS, Reject
from pipelines.release.description import FUNNEL, Description
from pipelines.release.figures import rows
from pipelines.release.folder import split_file
from pipelines.release.held import replaced
from pipelines.release.hub import configurations
from pipelines.release.ledger import LEDGER
from pipelines.release.lock import write_lock
from pipelines.release.pages import rewrite_pages
from pipelines.review.results import by_item, passed
from pipelines.review.sample import Item
from pipelines.review.store import Rating
from pipelines.verification.integrity import intact_lock

RATINGS = "ratings.jsonl"


def apply(
    folder: Path, items: Sequence[Item], ratings: Sequence[Rating], experts: int
) -> tuple[int, int]:
    """Write the ratings beside the corpus, move records with a pair that did not pass to the
    ledger (stage `review`), and write pages and lock again. Gives records moved and kept.

    Raises:
        GraphmillError: the corpus is damaged or an exported one, no record would be left, or a
            file cannot be written.
    """
    lock = intact_lock(folder)
    if len(configurations(folder)) > 1:
        raise GraphmillError(f"{folder} is exported: apply to the corpus, and export it again.")
    for _ in rows(folder):
        pass  # before anything is written: what is damaged would end the pages midway
    failed: dict[str, Reject] = {}
    for number, each in sorted(by_item(ratings).items()):
        if len(each) == experts and not passed(each):
            failed.setdefault(items[number].record, _reject(items[number], each))
    kept, moved = _split_rows(folder, lock, set(failed))
    if not any(kept.values()):
        raise GraphmillError("No record would be left; nothing was changed.")
    for split, table in kept.items():
        if moved[split]:
            _write(split_file(folder, split), table)
    gone = {record for each in moved.values() for record in each}
    ledger = [line for _, line in read_json_lines(folder / LEDGER)]
    broken = next((line for line in ledger if isinstance(line, GraphmillError)), None)
    if broken is not None:
        raise broken
    lines = [*ledger, *(failed[record].to_json() for record in sorted(gone))]
    write_json_lines(folder / LEDGER, lines)
    write_json_lines(folder / RATINGS, _released(items, ratings))
    _count(folder, lock, [failed[record] for record in gone], sum(map(len, kept.values())))
    splits = [split_file(folder, split) for split in kept if moved[split]]
    rewritten = {path.relative_to(folder).as_posix() for path in splits}
    if gone:
        lock.pop("splits", None)  # the shares would deal out what is left in another way
    write_lock(folder, replaced(folder, lock, {*rewritten, LEDGER, RATINGS, FUNNEL}))
    rewrite_pages(folder)
    return len(gone), sum(map(len, kept.values()))


def _count(folder: Path, lock: dict[str, Any], rejects: Sequence[Reject], kept: int) -> None:
    """Add the review to the figures of the funnel, where the corpus has some."""
    funnel = Description.of(folder, lock).funnel
    if not funnel:
        return
    reasons = Counter({(r["stage"], r["code"]): r["count"] for r in funnel.get("rejects", ())})
    reasons.update((reject.stage, reject.code) for reject in rejects)
    funnel["stages"] = {**funnel.get("stages", {}), "review": kept}
    funnel["rejects"] = [
        {"stage": stage, "code": code, "count": count}
        for (stage, code), count in sorted(reasons.items())
    ]
    write_text(folder / FUNNEL, json.dumps(funnel, indent=1) + "\n")


def _reject(item: Item, ratings: Sequence[Rating]) -> Reject:
    flags = Counter(flag for rating in ratings for flag in rating.flags)
    code = min(flags, key=lambda name: (-flags[name], name)) if flags else "low-alignment"
    good = sum(rating.passes for rating in ratings)
    return Reject(
        "review",
        code,
        f"{good} of {len(ratings)} experts passed the question at level {item.level}.",
        item.db,
        item.question,
        item.query,
        evidence={
            "record": item.record,
            "level": item.level,
            "alignment": [rating.alignment for rating in ratings],
            "notes": [rating.note for rating in ratings if rating.note],
        },
    )


def _split_rows(
    folder: Path, lock: dict[str, Any], failed: set[str]
) -> tuple[dict[str, Any], dict[str, set[str]]]:
    """The tables that stay, and the ids that go, by split."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kept: dict[str, Any] = {}
    moved: dict[str, set[str]] = {}
    for split in SPLITS:
        file = split_file(folder, split)
        if file.relative_to(folder).as_posix() not in lock["files"]:
            continue
        try:
            with stored_rows(file) as stored:
                table = stored.read()
        except (OSError, pa.ArrowException) as problem:
            raise GraphmillError(f"{file} cannot be read: {problem}.") from problem
        goes = pc.is_in(table["id"], pa.array(sorted(failed), pa.string()))
        moved[split] = set(table.filter(goes)["id"].to_pylist())
        kept[split] = table.filter(pc.invert(goes))
    return kept, moved


def _write(file: Path, table: Any) -> None:
    import pyarrow.parquet as pq

    if not len(table):
        file.unlink()
        return
    with whole_file(file) as stream:
        pq.write_table(table, stream, compression="zstd", row_group_size=1_000)


def _released(items: Sequence[Item], ratings: Sequence[Rating]) -> list[dict[str, Any]]:
    """A line for each rating; experts are numbers."""
    names = sorted({rating.expert for rating in ratings})
    return [
        {
            "record": items[rating.item].record,
            "level": items[rating.item].level,
            "expert": names.index(rating.expert) + 1,
            "alignment": rating.alignment,
            "level_seen": rating.level,
            "flags": json.loads(json.dumps(rating.flags)),
            "note": rating.note,
            "seconds": round(rating.seconds, 1),
        }
        for rating in ratings
    ]
