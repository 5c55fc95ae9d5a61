"""The farms' configuration and corpus, made once for all tests of workers."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from tests.pipelines.jobs.farms import released, write_farms


@pytest.fixture(scope="session")
def farms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The configuration of two databases, each with a few given pairs and grown ones."""
    return write_farms(tmp_path_factory.mktemp("farms"))


@pytest.fixture(scope="session")
def by_one(farms: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The digests of the corpus that this process alone makes."""
    out = tmp_path_factory.mktemp("one") / "corpus"
    run.build(load(farms), out, Watch(quiet=True))
    return released(out)
