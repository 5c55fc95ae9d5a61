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
from graphmill.files import canonical, read_rows, whole_file, write_text
from graphmill.record import SPLITS, Record
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
        rows[str(record.split)].append(_row(pair, record))
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


def _row(pair: Mapping[str, Any], record: Record) -> dict[str, Any]:
    ours = pair["graphmill"]
    return {
        "id": record.id,
        "db": record.db,
        "Qid": pair["Qid"],
        **{name: pair[name] for name in _TEXTS},
        **{name: canonical(pair[name]) for name in _STRUCTURES},
        "hops": ours["hops"],
        **{name: ours[name] for name in _OURS},
        "similarity": ours["similarity"],
    }


def pair_problems(folder: Path, records: Collection[Record]) -> Iterator[tuple[str, str, str]]:
    """Where masked pairs do not say what their records do: place, code and detail."""
    known = {record.id: record for record in records}
    for split in SPLITS:
        path = masked_file(folder, split)
        try:
            for row in read_rows(path) if path.is_file() else ():
                where = f"{row.get('id')} ({MASKED})"
                record = known.get(str(row.get("id")))  # which may be of any kind
                if record is None or record.split != split:
                    yield where, "no-record", f"The {split} split has no such record."
                elif row.get("Query") != record.questions.original:
                    yield where, "text", "Query is not the record's question."
                elif row.get("GQL") != record.queries.get("ngql"):
                    yield where, "text", "GQL is not the record's query in nGQL."
        except GraphmillError as problem:
            yield path.relative_to(folder).as_posix(), "rows-damaged", str(problem)
