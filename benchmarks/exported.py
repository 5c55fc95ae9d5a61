"""Whether others read an exported corpus as it is: huggingface_hub, datasets, mlcroissant; offline.

    python -m benchmarks.exported CORPUS EXPORTED

EXPORTED is what `graphmill export CORPUS --to huggingface EXPORTED` wrote. The card's metadata are
held against the files (columns, types, numbers of rows), rows of each configuration that `datasets`
loads against the Parquet files and those of `default` against CORPUS, and the records of each set
that mlcroissant reads against the same files. Prints one JSON object; status 1 where any differ.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before datasets is imported

import mlcroissant
import pyarrow.parquet as pq
from datasets import Features, load_dataset
from datasets.info import DatasetInfosDict
from huggingface_hub import DatasetCard

from graphmill.record import SPLITS
from pipelines.release.corpus import Corpus
from pipelines.release.hub import configurations


def main() -> int:
    """Compare and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("exported", type=Path)
    chosen = options.parse_args()
    start = time.process_time()
    problems = [*metadata(chosen.exported)]
    counts: dict[str, dict[str, int]] = {"datasets": {}, "mlcroissant": {}}
    with tempfile.TemporaryDirectory() as cache:
        for name in configurations(chosen.exported):
            rows = loaded(chosen.exported, name, cache)
            counts["datasets"][name] = len(rows)
            stored = parquet(chosen.exported, name)
            problems += [f"datasets: {name}"] if rows != stored else []
            if name == "default":
                own = [
                    row | {k: rows[n][k] for k in ("schema_text", "canary")}
                    for n, row in enumerate(Corpus(chosen.corpus).records())
                ]
                problems += ["datasets: not the corpus's"] if rows != own else []
    for name, number, equal in described(chosen.exported):
        counts["mlcroissant"][name] = number
        problems += [] if equal else [f"mlcroissant: {name}"]
    seconds = round(time.process_time() - start, 1)
    sys.stdout.write(json.dumps({**counts, "problems": problems, "seconds": seconds}) + "\n")
    return 1 if problems else 0


def files(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    """Splits and files of a configuration."""
    for split in SPLITS:
        for path in sorted((folder / configurations(folder)[name]).glob(f"{split}-*.parquet")):
            yield split, path


def parquet(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a configuration, split after split."""
    return [row for _, path in files(folder, name) for row in pq.read_table(path).to_pylist()]


def loaded(folder: Path, name: str, cache: str) -> list[dict[str, Any]]:
    """The rows that `datasets` has of it."""
    splits = load_dataset(str(folder), name, cache_dir=cache)
    return [row for split in SPLITS if split in splits for row in splits[split].to_list()]


def metadata(folder: Path) -> Iterator[str]:
    """What the card says otherwise than the files."""
    infos = DatasetInfosDict.from_dataset_card_data(
        DatasetCard.load(folder / "README.md", ignore_metadata_errors=False).data
    )
    if list(infos) != list(configurations(folder)):
        yield f"card: {list(infos)}"
    for name, info in infos.items():
        for split, path in files(folder, name):
            if info.features != Features.from_arrow_schema(pq.read_schema(path)):
                yield f"card: columns of {name}"
            if info.splits[split].num_examples != pq.read_metadata(path).num_rows:
                yield f"card: rows of {name}, {split}"


def described(folder: Path) -> Iterator[tuple[str, int, bool]]:
    """Each record set: its name, its records, and whether they are the rows of its file."""
    described = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"))
    if described.metadata.ctx.issues.errors:
        yield "valid", 0, False
    for each in described.metadata.record_sets:
        name, split = each.id.split("/")
        rows = [
            row
            for at, path in files(folder, name)
            if at == split
            for row in pq.read_table(path).to_pylist()
        ]
        records = list(described.records(each.id))
        expected = [
            {field.id: row[field.id.rpartition("/")[2]] for field in each.fields} for row in rows
        ]
        yield each.id, len(records), [_texts(r) for r in records] == [_texts(r) for r in expected]


def _texts(record: dict[str, Any]) -> dict[str, Any]:
    """A record with bytes as texts, and no difference between nothing and an empty text."""
    return {name: _text(value) for name, value in record.items()}


def _text(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    if value is None or value != value:  # NaN stands for null
        return ""
    return value if isinstance(value, str) else [_text(each) for each in value]


if __name__ == "__main__":
    sys.exit(main())
