"""What is read back and is not as it was written is made anew, with a note, and never believed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pipelines.claim import SUMMARY
from pipelines.cli.commands import main
from pipelines.configuration.store import WHOLE, entry, packed_of, sealed

pytestmark = pytest.mark.slow

type Harm = Callable[[bytes], bytes]

HARMS: dict[str, Harm] = {
    "flipped": lambda raw: (
        raw[: len(raw) // 2] + bytes([raw[len(raw) // 2] ^ 1]) + raw[len(raw) // 2 + 1 :]
    ),
    "cut": lambda raw: raw[: len(raw) * 2 // 3],
    "empty": lambda raw: b"",
    "other": lambda raw: b"PK\x03\x04 something else\n",
}


def build(config: Path, out: Path) -> int:
    return main(["build", str(config), "--out", str(out), "--limit", "2", "--quiet"])


def content(out: Path) -> dict[str, bytes]:
    return {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and path.name not in ("lock", SUMMARY)
    }


@pytest.fixture
def built(ferries: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A configuration and its corpus."""
    out = tmp_path / "out"
    assert build(ferries, out) == 0
    return ferries, out


BESIDE = (
    ".work/corpus.json",
    "graphs/ferries/schema.json",
    "graphs/ferries/mapping.json",
    "graphs/ferries/manifest.json",
    "graphs/ferries/nodes/Ship.parquet",
    "graphs/ferries/edges/Ship__CALLS_AT__Port.parquet",
    "sources/ferries.sqlite",
)


def test_damage_beside_a_corpus_is_mended_with_a_note(
    built: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    config, out = built
    wanted = content(out)
    harms = list(HARMS.values())
    for turn in range(len(harms)):
        harmed = BESIDE if turn < 2 else BESIDE[2 * turn : 2 * turn + 2]
        for number, name in enumerate(harmed):
            (out / name).write_bytes(harms[(turn + number) % len(harms)](wanted[name]))
        capfd.readouterr()
        assert build(config, out) == 0
        assert "anew" in capfd.readouterr().err
        assert content(out) == wanted
    assert build(config, out) == 0
    assert "anew" not in capfd.readouterr().err


def _forged(lines: list[bytes], kind: str) -> list[bytes]:
    """Entries with right checksums whose values are others."""
    keys = [line[:64].decode() for line in lines]
    values = [packed_of(key, line) or b"" for key, line in zip(keys, lines, strict=True)]
    lists = [sealed(key, []) for key in keys]
    values = [*values[1:], values[0]] if kind == "swapped" else lists
    return [entry(key, value) for key, value in zip(keys, values, strict=True)]


def test_entries_of_another_kind_are_made_anew_whatever_their_checksums(
    built: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    config, out = built
    wanted = content(out)
    path = out / ".work" / WHOLE
    first, *lines = path.read_bytes().splitlines(keepends=True)
    for kind in ("swapped", "lists"):
        path.write_bytes(b"".join([first, *_forged(lines, kind)]))
        capfd.readouterr()
        assert build(config, out) == 0, kind
        assert "entries are damaged; what is missing is made anew" in capfd.readouterr().err
        assert content(out) == wanted, kind


def pipe(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()
    (path / "file").touch()


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """A block that waits for a pipe ends in TimeoutError."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("other", [pipe, folder])
def test_what_is_no_file_beside_a_corpus_is_made_anew(
    other: Callable[[Path], None], built: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    config, out = built
    wanted = content(out)
    for name in (*BESIDE, ".work/finished.jsonl"):
        (out / name).unlink()
        other(out / name)
    other(out / ".work/finished.999999999.0.jsonl")
    capfd.readouterr()
    with within(120):
        assert build(config, out) == 0
    said = capfd.readouterr().err
    assert said.count("finished.jsonl is no file; what is missing is made anew") == 1
    assert content(out) == wanted
    assert not (out / ".work/finished.999999999.0.jsonl").exists()


@pytest.mark.parametrize("name", ["lock", "replies.jsonl"])
def test_a_pipe_that_cannot_be_made_anew_is_told_of(
    name: str, built: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    config, out = built
    (out / ".work" / name).unlink(missing_ok=True)
    os.mkfifo(out / ".work" / name)
    with within(120):
        assert build(config, out) == 1
    assert f"{name} is a named pipe, no regular file" in capfd.readouterr().err


def test_every_digit_of_the_finished_work_may_be_wrong(
    built: tuple[Path, Path], capfd: pytest.CaptureFixture[str]
) -> None:
    config, out = built
    wanted = content(out)
    raw = wanted[".work/finished.jsonl"]
    lines = raw.splitlines(keepends=True)
    changed = b"".join(line[:97] + line[97:].replace(b"1", b"2") for line in lines)
    assert changed != raw
    (out / ".work/finished.jsonl").write_bytes(changed)
    assert build(config, out) == 0
    assert "damaged" in capfd.readouterr().err
    assert content(out) == wanted


def test_verify_tells_of_a_damaged_graph(
    built: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out = built
    table = out / "graphs/ferries/nodes/Ship.parquet"
    whole = table.read_bytes()
    for harm in ("cut", "empty", "other"):
        table.write_bytes(HARMS[harm](whole))
        assert main(["verify", str(out), "--instances", "0"]) == 1
        assert "graphs/ferries" in capsys.readouterr().out
