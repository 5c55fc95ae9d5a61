"""Small files that become large ones are refused before they are read."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmill.decoded import OPTION, check_gzip, check_parquet, limit
from graphmill.errors import ConfigError, SourceError
from pipelines.cli.commands import main

LONG = "x" * 100_000


def dictionary(rows: int) -> Any:
    return pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array([LONG]))


BOMBS: dict[str, Any] = {
    "text": lambda: dictionary(20_000),
    "list": lambda: pa.ListArray.from_arrays(
        pa.array(range(0, 20_001, 100), pa.int32()), dictionary(20_000)
    ),
    "number": lambda: pa.array([7], pa.int64()).take(pa.array([0] * 300_000)),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_bomb_is_refused_unread(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(OPTION, "2")
    path = tmp_path / "bomb.parquet"
    pq.write_table(pa.table({"a": BOMBS[kind]()}), path, compression="zstd")
    assert path.stat().st_size < 100_000
    before = pa.total_allocated_bytes()
    tracemalloc.start()
    with pytest.raises(SourceError, match=f"bomb.parquet has .* 2 MB.*{OPTION}"):
        check_parquet(path)
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()
    assert pa.total_allocated_bytes() - before < 5_000_000
    assert main(["convert", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert OPTION in capsys.readouterr().err
    monkeypatch.setenv(OPTION, "9000")
    check_parquet(path)


def test_two_gigabytes_of_one_text_are_too_many_by_default(tmp_path: Path) -> None:
    path = tmp_path / "bomb.parquet"
    pq.write_table(pa.table({"a": dictionary(20_000)}), path, compression="zstd")
    with pytest.raises(SourceError, match="decodes to more than"):
        check_parquet(path)


def test_a_table_of_many_texts_passes(tmp_path: Path) -> None:
    path = tmp_path / "plain.parquet"
    rows = [f"name {number}" for number in range(200_000)]
    pq.write_table(pa.table({"a": rows, "b": [[row] for row in rows]}), path)
    check_parquet(path)


def test_a_gzip_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OPTION, "1")
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 500_000))
    with pytest.raises(SourceError, match=OPTION):
        check_gzip(path)
    monkeypatch.setenv(OPTION, "much")
    with pytest.raises(ConfigError, match=OPTION):
        check_gzip(path)


def test_the_limit_is_a_gigabyte_or_a_hundred_times_the_file(tmp_path: Path) -> None:
    """Not both together: 6.6 MB that decode to 1.5 GB are refused."""
    path = tmp_path / "a.csv.gz"
    for size, most in ((6_584_786, 1 << 30), (20 << 20, 2000 << 20)):
        with path.open("wb") as stream:
            stream.truncate(size)
        assert limit(path) == most
