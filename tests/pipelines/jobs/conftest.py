"""The farms' configuration and corpus, made once for all tests of workers."""

from __future__ import annotations

import os
from collections.abc import Iterator
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
def corpus_by_one(farms: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus that this process alone makes."""
    out = tmp_path_factory.mktemp("one") / "corpus"
    run.build(load(farms), out, Watch(quiet=True))
    return out


@pytest.fixture(scope="session")
def by_one(corpus_by_one: Path) -> dict[str, str]:
    """The digests of its files."""
    return released(corpus_by_one)


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a bucket on loopback; workers find the server in their environment."""
    server = pytest.importorskip("moto.server", reason="moto is not installed")
    pytest.importorskip("s3fs", reason="the extra store is not installed")
    import fsspec

    settings = {
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    }
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    settings["AWS_ENDPOINT_URL"] = f"http://{host}:{port}"
    with pytest.MonkeyPatch.context() as environment:
        for name, value in settings.items():
            environment.setenv(name, value)
        fsspec.filesystem("s3").mkdir("graphmill-tests")
        yield "s3://graphmill-tests"
        running.stop()
