"""What a corpus of `graphmill masked` has beside its records: the nine fields of StockGQL.

`pairs.jsonl` has them as the paper does; the configuration `masked` has them as columns, fields
that hold structures as JSON, so that `datasets` loads them. Both name the record they belong to.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import canonical, read_json_lines, read_rows, whole_file, write_text
from graphmill.record import SPLITS, Record
from graphmill.record_rows import EXPORTED
from pipelines.release.hub import MASKED

PAIRS, COVERAGE = "pairs.jsonl", "coverage.json"
BESIDE = (PAIRS, COVERAGE)  # files of such a corpus that no other has
_TEXTS = ("Query_masked", "GQL_masked", "Query", "GQL")
_STRUCTURES = ("SubSchema", "Masked_name", "Oral_name", "Answer")
_OURS = ("path", "form", "told_back")


def masked_file(out: Path, split: str) -> Path:
    """Where the masked pairs of one split lie."""
    return out / MASKED / f"{split}-00000-of-00001.parquet"


def write_pairs(out: Path, pairs: Sequence[Mapping[str, Any]], records: Sequence[Record]) -> None:
    """Write the pairs, each of which belongs to the record at its place, which has a split.

    Raises:
        GraphmillError: a file cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    lines = []
    rows: dict[str, list[dict[str, Any]]] = {split: [] for split in SPLITS}
    for pair, record in zip(pairs, records, strict=True):
        ours = {"id": record.id, "split": record.split, **pair["graphmill"]}
        lines.append(json.dumps({**pair, "graphmill": ours}, ensure_ascii=False) + "\n")
        rows[str(record.split)].append({"id": record.id, "db": record.db, **_columns(pair)})
    write_text(out / PAIRS, "".join(lines))
    names = ("id", "db", "Qid", *_TEXTS, *_STRUCTURES)
    text = pa.string()
    columns = [*((name, text) for name in names), ("hops", pa.int64())]
    layout = pa.schema([*columns, *((name, text) for name in _OURS), ("similarity", pa.float64())])
    for split, chosen in rows.items():
        path = masked_file(out, split)
        path.unlink(missing_ok=True)
        if chosen:
            with whole_file(path) as stream:
                table = pa.Table.from_pylist(chosen, schema=layout)
                pq.write_table(table, stream, compression="zstd")


def _columns(pair: Mapping[str, Any]) -> dict[str, Any]:
    """What a row has of its pair; `id` and `db` are the record's."""
    ours = pair["graphmill"]
    return {
        "Qid": pair["Qid"],
        **{name: pair[name] for name in _TEXTS},
        **{name: canonical(pair[name]) for name in _STRUCTURES},
        "hops": ours["hops"],
        **{name: ours[name] for name in _OURS},
        "similarity": ours["similarity"],
    }


def pair_problems(
    folder: Path, records: Collection[Record], lost: Collection[str] = ()
) -> Iterator[tuple[str, str, str]]:
    """Where masked pairs do not say what their records and lines do: place, code and detail. Of the
    splits that are `lost` not all records are given, which is told of them."""
    known = {record.id: record for record in records}
    pairs, damaged = _pairs(folder / PAIRS)
    yield from damaged
    for split in SPLITS:
        path = masked_file(folder, split)
        mine = {id: record for id, record in known.items() if record.split == split}
        try:
            name = path.relative_to(folder).as_posix()
            yield from _row_problems(path, name, mine, pairs, split in lost, not damaged)
        except GraphmillError as problem:
            yield path.relative_to(folder).as_posix(), "rows-damaged", str(problem)


def _row_problems(
    path: Path,
    name: str,
    records: Mapping[str, Record],
    pairs: Mapping[str, dict[str, Any]],
    lost: bool,
    whole: bool,
) -> Iterator[tuple[str, str, str]]:
    """Those of the file of one split, whose records these are, unless some were `lost`; the pairs
    are all where they are `whole`."""
    seen: set[str] = set()
    unknown: set[str] = set()
    for row in read_rows(path) if path.is_file() else ():
        where, id = f"{row.get('id')} ({MASKED})", str(row.get("id"))  # which may be of any kind
        if id not in records and lost:
            continue
        if id not in records or id in seen:
            yield where, "no-record", "Its split has no such record, or its row is there already."
            continue
        seen.add(id)
        record = records[id]
        if row.get("Query") != record.questions.original:
            yield where, "text", "Query is not the record's question."
        elif row.get("GQL") != record.queries.get("ngql"):
            yield where, "text", "GQL is not the record's query in nGQL."
        elif id not in pairs:
            if whole:
                yield where, "no-pair", f"{PAIRS} has no such pair."
        else:
            meant = {"id": id, "db": record.db, **pairs[id]}
            unknown |= row.keys() - meant.keys() - set(EXPORTED)
            if wrong := [column for column in meant if row.get(column) != meant[column]]:
                yield where, "text", f"It is not what {PAIRS} says: {', '.join(wrong)}."
    if unknown:
        what = f"Columns that no masked pair has: {', '.join(sorted(unknown))}."
        yield name, "columns-unknown", what
    for id in sorted(pairs.keys() & records.keys() - seen):
        yield f"{id} ({name})", "no-row", f"There is no row of a pair in {PAIRS}."


def _pairs(path: Path) -> tuple[dict[str, dict[str, Any]], list[tuple[str, str, str]]]:
    """The columns of each pair by the id of its record, and the lines that are no pair."""
    pairs: dict[str, dict[str, Any]] = {}
    damaged = []
    try:
        for number, pair in read_json_lines(path) if path.is_file() else ():
            where = f"{path.name}, line {number}"
            if isinstance(pair, GraphmillError):
                damaged.append((where, "pair-damaged", str(pair)))
                continue
            try:
                pairs[str(pair["graphmill"]["id"])] = _columns(pair)
            except (TypeError, KeyError) as problem:
                what = f"It lacks what each pair has: {problem}."
                damaged.append((where, "pair-damaged", what))
    except GraphmillError as problem:
        damaged.append((path.name, "pair-damaged", str(problem)))
    return pairs, damaged
