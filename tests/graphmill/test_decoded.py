"""Small files that become large ones are refused before they are read."""

from __future__ import annotations

import gzip
import tracemalloc
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmill.decoded import OPTION, Together, check_gzip, check_pages, check_parquet, limit
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


@pytest.mark.parametrize("compression", ["gzip", "brotli", "zstd", "snappy", "lz4"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_a_page_is_refused_by_its_header(
    compression: Any, version: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Several columns and values, none of which is too long by itself."""
    path = tmp_path / "bomb.parquet"
    table = pa.table({name: [LONG * 30, LONG * 31] for name in "ab"})
    pq.write_table(
        table, path, compression=compression, use_dictionary=False, data_page_version=version,
        write_statistics=False,
    )  # fmt: skip
    monkeypatch.setenv(OPTION, "10")

    def decoded(*_: Any, **__: Any) -> None:
        raise AssertionError("it is decoded")

    with monkeypatch.context() as patched:
        patched.setattr(pq.ParquetFile, "iter_batches", decoded)
        with pytest.raises(SourceError, match=OPTION):
            check_parquet(path)
    monkeypatch.setenv(OPTION, "13")
    check_parquet(path)


def test_a_footer_does_not_say_what_pages_become(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The footer's figure is patched to a small one of as many bytes; the header's holds."""
    path = tmp_path / "bomb.parquet"
    pq.write_table(
        pa.table({"a": [LONG * 30]}), path, compression="zstd", use_dictionary=False,
        write_statistics=False,
    )  # fmt: skip
    with pq.ParquetFile(path) as file:
        whole = file.metadata.row_group(0).column(0).total_uncompressed_size
    path.write_bytes(path.read_bytes().replace(_coded(whole), _coded(whole - 1_900_000)))
    with pq.ParquetFile(path) as file:
        assert file.metadata.row_group(0).column(0).total_uncompressed_size < 2 << 20
    monkeypatch.setenv(OPTION, "2")
    with pytest.raises(SourceError, match=OPTION):
        check_parquet(path)


def _coded(number: int) -> bytes:
    """A whole number as Thrift's compact protocol has it."""
    left, octets = number << 1, []
    while left > 127:
        octets.append(left & 127 | 128)
        left >>= 7
    return bytes([*octets, left])


def test_two_gigabytes_of_one_text_are_too_many_by_default(tmp_path: Path) -> None:
    path = tmp_path / "bomb.parquet"
    pq.write_table(pa.table({"a": dictionary(20_000)}), path, compression="zstd")
    with pytest.raises(SourceError, match="decodes to more than"):
        check_parquet(path)


def test_files_of_a_folder_are_counted_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(OPTION, "1")
    files = [tmp_path / f"t{number}.parquet" for number in range(3)]
    for path in files:
        pq.write_table(pa.table({"a": ["x" * 1000] * 600, "n": [7] * 600}), path)
    together = Together(tmp_path, files)
    check_parquet(files[0], together)
    with pytest.raises(SourceError, match=f"The files of .* more than 1 MB.*{OPTION}"):
        check_parquet(files[1], together)
    for path in files:
        check_parquet(path)


def test_a_table_of_many_texts_passes(tmp_path: Path) -> None:
    path = tmp_path / "plain.parquet"
    rows = [f"name {number}" for number in range(200_000)]
    pq.write_table(pa.table({"a": rows, "b": [[row] for row in rows]}), path)
    check_parquet(path)


@pytest.mark.parametrize("dictionary", [True, False])
def test_a_group_without_rows_has_no_pages(dictionary: bool, tmp_path: Path) -> None:
    path = tmp_path / "plain.parquet"
    table = pa.table({"a": ["x"]})
    with pq.ParquetWriter(path, table.schema, use_dictionary=dictionary) as writer:
        writer.write_table(table)
        writer.write_batch(pa.record_batch([pa.array([], pa.string())], names=["a"]))
    check_parquet(path)
    check_pages(path)


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


def _flipped(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


ROWS = b"id,name\n1,Ann\n2,Bob\n"


@pytest.mark.parametrize("place", [-8, -4, 12, 16, -10])
@pytest.mark.parametrize("times", [1, 40_000])
def test_a_damaged_gzip_is_refused(place: int, times: int, tmp_path: Path) -> None:
    """Data, checksum or length; of small and of large files alike."""
    path = tmp_path / "people.csv.gz"
    head, *rows = ROWS.splitlines(keepends=True)
    path.write_bytes(gzip.compress(head + b"".join(rows) * times, mtime=0))
    check_gzip(path)
    _flipped(path, place)
    with pytest.raises(SourceError, match=r"people\.csv\.gz is damaged: "):
        check_gzip(path)


def test_gzip_of_several_parts_is_read_and_each_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "people.csv.gz"
    first = gzip.compress(ROWS, mtime=0)
    path.write_bytes(first + gzip.compress(b"3,Cid\n", mtime=0))
    check_gzip(path)
    _flipped(path, len(first) - 7)
    with pytest.raises(SourceError, match="is damaged"):
        check_gzip(path)


def _table() -> Any:
    rows = range(5000)
    return pa.table(
        {
            "id": list(rows),
            "name": [f"name {row % 700}" for row in rows],
            "tags": [[str(row), "x"] if row % 3 else None for row in rows],
            "pair": [{"a": row, "b": row / 2} for row in rows],
        }
    )


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "gzip"])
@pytest.mark.parametrize("dictionary", [True, False])
def test_a_damaged_page_of_parquet_is_refused(
    version: Any, compression: str, dictionary: bool, tmp_path: Path
) -> None:
    path = tmp_path / "t.parquet"
    options: dict[str, Any] = {
        "compression": compression, "data_page_version": version, "use_dictionary": dictionary,
        "row_group_size": 2000, "data_page_size": 4096,
    }  # fmt: skip
    pq.write_table(_table(), path, write_page_checksum=True, **options)
    check_pages(path)
    whole = path.read_bytes()
    with pq.ParquetFile(path) as file:
        chunks = [file.metadata.row_group(group).column(n) for group in (0, 2) for n in range(5)]
    for chunk in chunks:
        start = chunk.dictionary_page_offset or chunk.data_page_offset
        _flipped(path, start + chunk.total_compressed_size - 1)  # the last page's
        name = chunk.path_in_schema.replace(".", r"\.")
        with pytest.raises(SourceError, match=rf"is damaged: a page of {name} in row group"):
            check_pages(path)
        path.write_bytes(whole)
    pq.write_table(_table(), path, **options)  # without checksums nothing can be said
    check_pages(path)


def test_damaged_files_are_no_sources(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("gz", "parquet"):
        folder = tmp_path / name
        folder.mkdir()
        if name == "gz":
            (folder / "people.csv.gz").write_bytes(gzip.compress(ROWS, mtime=0))
            _flipped(folder / "people.csv.gz", -8)
        else:
            pq.write_table(_table(), folder / "t.parquet", write_page_checksum=True)
            _flipped(folder / "t.parquet", 200)
        assert main(["convert", str(folder), "--out", str(tmp_path / "out")]) == 1
        assert "is damaged" in capsys.readouterr().err
        assert not (tmp_path / "out").exists()


def test_rows_count_whatever_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "flags.parquet"
    pq.write_table(pa.table({"flag": pa.repeat(True, 24_000_000)}), path)
    assert path.stat().st_size < 1 << 20
    with pytest.raises(SourceError, match=OPTION):
        check_parquet(path)
    pq.write_table(pa.table({"flag": pa.repeat(True, 5_000_000)}), path)
    check_parquet(path)
