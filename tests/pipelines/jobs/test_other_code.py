"""A worker whose code is not the coordinator's ends the build with a sentence."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from graphmill.errors import GraphmillError
from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.jobs.executor import InProcess
from pipelines.jobs.units import Done, Unit


class Changed(InProcess):
    """A worker that was started when the code had been changed: its keys are others."""

    def submit(self, unit: Unit) -> Future[Done]:
        done = super().submit(unit).result()
        future: Future[Done] = Future()
        entries = [(f"{key[:-1]}-", packed) for key, packed in done.entries]
        future.set_result(replace(done, entries=entries))
        return future


def test_a_worker_of_other_code_is_told(farms: Path, tmp_path: Path) -> None:
    out = tmp_path / "corpus"
    with pytest.raises(GraphmillError, match="own files have changed since the build began"):
        run.build(load(farms), out, Watch(quiet=True), limit=1, executor=Changed)
