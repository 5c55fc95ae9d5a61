"""`graphmill preview`: the stages of a build on a handful of candidates, in a folder that goes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from graphmill.files import read_records
from graphmill.record import SPLITS
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.release.folder import split_file
from pipelines.run import build


def preview(path: Path, limit: int) -> Iterator[dict[str, Any]]:
    """Records of a small build, as JSON values.

    Raises:
        GraphmillError: as `pipelines.run.build`.
    """
    config = load(path)
    with TemporaryDirectory(prefix="graphmill-preview-") as folder:
        build(config, Path(folder), Watch(), limit)
        for split in SPLITS:
            file = split_file(Path(folder), split)
            for _, record in read_records(file) if file.is_file() else ():
                yield record.to_json()
