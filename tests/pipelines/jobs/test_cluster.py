"""A Dask cluster: the same bytes, by workers that share a store and no folder."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest

from graphmill.errors import ConfigError
from pipelines import run
from pipelines.configuration.config import Config, load
from pipelines.configuration.progress import Watch
from pipelines.jobs.bundle import check_travels
from pipelines.jobs.executor import InProcess
from pipelines.jobs.units import Done, Unit
from tests.pipelines.jobs.farms import released

cluster = pytest.importorskip(
    "pipelines.jobs.cluster", reason="the extra dask is not installed", exc_type=ImportError
)
pytest.importorskip("distributed", reason="the extra dask is not installed")
pytest.importorskip("fsspec", reason="the extra store is not installed")

pytestmark = pytest.mark.slow
QUIET = Watch(quiet=True)


def test_workers_of_a_cluster_need_nothing_but_the_store(
    farms: Path, by_one: dict[str, str], s3: str, tmp_path: Path
) -> None:
    """Units name the database by its key in the store, and workers look nowhere else."""
    url = f"{s3}/farms"
    out = tmp_path / "corpus"
    run.build(
        load(farms),
        out,
        QUIET,
        executor=lambda: cluster.Dask("local", 2, lambda text: None),
        store=url,
    )
    assert released(out) == by_one
    # A second machine, with another folder, finds all of it done.
    other = tmp_path / "other"
    run.build(load(farms), other, QUIET, executor=Idle, store=url)
    assert released(other) == by_one


class Idle(InProcess):
    """Converts sources, and has nothing else to do."""

    def submit(self, unit: Unit) -> Future[Done]:
        raise AssertionError(f"{unit.label} is done twice")


def test_addresses_are_checked_before_anything_is_sent() -> None:
    told: list[str] = []
    for good in ("tcp://127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786"):
        assert cluster.checked(good, told.append) == good
    assert cluster.checked("tls://farm.example:8786", told.append)
    assert not told
    for open_ in ("tcp://farm.example:8786", "tcp://192.0.2.7:8786", "tcp://[2001:db8::1]:8786"):
        cluster.checked(open_, told.append)
        assert "runs code" in told.pop()
    for bad in ("http://farm:8786", "tcp://farm", "farm:8786", "tcp://:8786", "tcp://farm:x"):
        with pytest.raises(ConfigError, match="tls://HOST:PORT"):
            cluster.checked(bad, told.append)
    with pytest.raises(ConfigError) as raised:
        cluster.checked("tcp://me:hunter2secret@farm:8786", told.append)
    assert "hunter2" not in str(raised.value)
    assert not told


@pytest.mark.parametrize(
    ("part", "setting", "place"),
    [
        ("certify", {"neo4j_url": "bolt://neo4j:open-sesame@host:7687"}, "certify.neo4j_url"),
        ("source", {"url": "postgresql://me:open-sesame@host/db"}, "source.1.url"),
        ("source", {"url": "postgresql://${USER}:open-sesame@host/db"}, "source.1.url"),
        ("source", {"url": "mysql://host/db?password=open-sesame"}, "source.1.url"),
    ],
)
def test_passwords_do_not_travel(
    farms: Path, part: str, setting: dict[str, str], place: str
) -> None:
    with pytest.raises(ConfigError, match=place) as raised:
        check_travels(_changed(load(farms), part, setting))
    assert "sesame" not in str(raised.value)


@pytest.mark.parametrize(
    ("part", "setting"),
    [
        ("certify", {"neo4j_url": "bolt://host:7687"}),
        ("source", {"url": "postgresql://me:${WORD}@host/db"}),
        ("source", {"url": "postgresql://me@host/db?sslmode=require"}),
    ],
)
def test_what_is_no_secret_travels(farms: Path, part: str, setting: dict[str, str]) -> None:
    check_travels(_changed(load(farms), part, setting))


def _changed(config: Config, part: str, setting: dict[str, str]) -> Config:
    if part == "certify":
        return config.model_copy(update={"certify": config.certify.model_copy(update=setting)})
    return config.model_copy(update={"source": (config.source[0].model_copy(update=setting),)})
