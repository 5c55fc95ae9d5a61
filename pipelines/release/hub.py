"""What the Hub's metadata want of a corpus: licence ids, size categories, types of columns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from graphmill.files import stored_rows

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (10**6, "100K<n<1M"))
# SPDX identifiers that the Hub spells in another way than in small letters.
_LICENCES = {
    "odbl-1.0": "odbl",
    "pddl-1.0": "pddl",
    "gpl-3.0-only": "gpl-3.0",
    "gpl-3.0-or-later": "gpl-3.0",
    "gpl-2.0-only": "gpl-2.0",
    "gpl-2.0-or-later": "gpl-2.0",
    "agpl-3.0-only": "agpl-3.0",
    "agpl-3.0-or-later": "agpl-3.0",
    "lgpl-3.0-only": "lgpl-3.0",
    "lgpl-3.0-or-later": "lgpl-3.0",
    "ms-pl": "ms-pl",
    "cdla-permissive-2.0": "cdla-permissive-2.0",
    "cdla-sharing-1.0": "cdla-sharing-1.0",
}
_SAME = frozenset(
    re.findall(
        r"\S+",
        """apache-2.0 mit cc0-1.0 cc-by-2.0 cc-by-3.0 cc-by-4.0 cc-by-sa-3.0 cc-by-sa-4.0
        cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cc-by-nd-4.0
        cc-by-nc-nd-4.0 bsd-2-clause bsd-3-clause isc mpl-2.0 epl-2.0 eupl-1.1 unlicense zlib
        artistic-2.0 afl-3.0 bsl-1.0 ecl-2.0 gfdl odbl pddl gpl-2.0 gpl-3.0 agpl-3.0 lgpl-2.1
        lgpl-3.0 wtfpl""",
    )
)


def licence_id(licence: str) -> list[str]:
    """The lines of a licence, given as SPDX has it; one that the Hub does not know is `other`.

    >>> licence_id("Apache-2.0"), licence_id("ODbL-1.0"), licence_id("")
    (['license: apache-2.0'], ['license: odbl'], ['license: unknown'])
    >>> licence_id("House rules")
    ['license: other', 'license_name: "house-rules"']
    """
    if not licence or licence == "not stated":
        return ["license: unknown"]
    small = licence.lower()
    known = _LICENCES.get(small, small)
    if known in _SAME or small in _LICENCES:
        return [f"license: {known}"]
    return ["license: other", f"license_name: {json.dumps('-'.join(small.split()))}"]


def size_category(records: int) -> str:
    """The Hub's category of a number of records.

    >>> size_category(200), size_category(1000), size_category(2_000_000)
    ('n<1K', '1K<n<10K', 'n>1M')
    """
    return next((name for most, name in _SIZES if records < most), "n>1M")


UNANSWERABLE = "unanswerable"  # the configuration of questions without an answer, and its folder
MASKED = "masked"  # the configuration of StockGQL's nine fields, and its folder
APART = (UNANSWERABLE, MASKED)
CONFIGURATIONS = "languages"  # an exported corpus has a folder in it for each configuration


def configurations(folder: Path) -> dict[str, str]:
    """The configurations of a corpus, and the folder of each: `default`, in an exported corpus
    one for each language, and `unanswerable` and `masked` where there are such rows."""
    places = sorted((folder / CONFIGURATIONS).glob("*/"))
    names = [path.name for path in places if any(path.glob("*.parquet"))]
    apart = {name: name for name in APART if any((folder / name).glob("*.parquet"))}
    languages = {name: f"{CONFIGURATIONS}/{name}" for name in names}
    return {"default": "data"} | languages | apart


def configs(folder: Path, splits: Sequence[str]) -> Iterator[str]:
    """The lines of `configs`: the files of each configuration and split."""
    yield "configs:"
    for name, place in configurations(folder).items():
        yield f"- config_name: {name}"
        if name == "default":
            yield "  default: true"
        yield "  data_files:"
        for split in splits:
            if any((folder / place).glob(f"{split}-*.parquet")):
                yield f"  - split: {split}"
                yield f"    path: {place}/{split}-*.parquet"


def dataset_info(folder: Path, splits: Sequence[str]) -> Iterator[str]:
    """The lines of `dataset_info`: of each configuration columns with their types, and splits with
    their sizes, of its Parquet files."""
    sections = {name: _info(folder / at, splits) for name, at in configurations(folder).items()}
    yield "dataset_info:"
    for name, lines in sections.items():
        yield f"{'-' if len(sections) > 1 else ' '} config_name: {name}"
        yield from lines


def _info(place: Path, splits: Sequence[str]) -> list[str]:
    """One configuration's columns and splits."""
    sizes: dict[str, tuple[int, int, int]] = {}
    layout: Any = None
    for split in splits:
        number = decoded = stored = 0
        for path in sorted(place.glob(f"{split}-*.parquet")):
            with stored_rows(path) as file:
                about = file.metadata
                layout = file.schema_arrow
                number += about.num_rows
                groups = [about.row_group(n).total_byte_size for n in range(about.num_row_groups)]
                decoded += sum(groups)
            stored += path.stat().st_size
        if number:
            sizes[split] = (number, decoded, stored)
    if layout is None:
        return []
    lines = ["  features:"]
    for field in layout:
        lines += _feature(field.name, field.type, "  ")
    lines.append("  splits:")
    for split, (number, decoded, _) in sizes.items():
        lines += [
            f"  - name: {split}",
            f"    num_bytes: {decoded}",
            f"    num_examples: {number}",
        ]
    lines.append(f"  download_size: {sum(stored for _, _, stored in sizes.values())}")
    lines.append(f"  dataset_size: {sum(decoded for _, decoded, _ in sizes.values())}")
    return lines


def _feature(name: str, kind: Any, indent: str) -> Iterator[str]:
    """One column as the Hub's YAML has it."""
    import pyarrow.types as types

    yield f"{indent}- name: {json.dumps(name, ensure_ascii=False)}"
    if types.is_struct(kind):
        yield f"{indent}  struct:"
        for field in kind:
            yield from _feature(field.name, field.type, indent + "  ")
    elif types.is_list(kind) and types.is_struct(kind.value_type):
        yield f"{indent}  list:"
        for field in kind.value_type:
            yield from _feature(field.name, field.type, indent + "  ")
    elif types.is_list(kind):
        yield f"{indent}  list: {_scalar(kind.value_type)}"
    else:
        yield f"{indent}  dtype: {_scalar(kind)}"


def _scalar(kind: Any) -> str:
    """A plain type by the Hub's name for it."""
    return {"double": "float64", "float": "float32"}.get(str(kind), str(kind))
