"""Lines of JSON: whatever is wrong with one is an error of that one."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest

from graphmill import json_lines
from graphmill.errors import GraphmillError, SourceError
from graphmill.files import read_json_lines
from graphmill.json_lines import parse_json, read_json, values_of
from graphmill.regular import check_regular

BROKEN = {
    b'{"a": NaN}': "NaN",
    b"[-Infinity]": "-Infinity",
    b"[1e999]": "beyond what a float holds",
    b"[-1E+400]": "beyond what a float holds",
    b'{"a": 1, "b": {"c": 1, "c": 1}}': "'c' is there twice",
    b'["\\ud800"]': "surrogate",
    b'{"\\uDFFF": 1}': "surrogate",
    b'["\\ude00\\ud83d"]': "surrogate",
    b'["\xff"]': r"not UTF-8 text, byte 3 \(0xff\)",
    b'["\xed\xa0\x80"]': "not UTF-8",
    b"\x00": "not JSON",
    b'["\x00"]': "not JSON",
    b"[" + b"9" * 5000 + b"]": "too many digits",
    b'{"a": -' + b"1" * 5000 + b"}": "too many digits",
    b"[" * 100_000: "nested deeper",
    b"[" * 500 + b"]" * 500: "nested deeper",
    b'{"a":' * 300 + b"1" + b"}" * 300: "nested deeper",
    b"nonsense": "column 1",
    b"\xef\xbb\xbf[1]": "not JSON",  # a mark of byte order within the file
}


@pytest.mark.parametrize("raw", BROKEN)
def test_a_broken_line_is_an_error_between_two_values(raw: bytes) -> None:
    stream = io.BytesIO(b"\xef\xbb\xbf[1]\n\n" + raw + b"\n[2]")
    (_, before), (number, error), (last, after) = values_of(stream)
    assert (before, after) == ([1], [2])
    assert (number, last) == (3, 4)
    with pytest.raises(GraphmillError, match=BROKEN[raw]):
        raise error


def test_a_line_that_is_too_long_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "MAX_LINE", 10)
    stream = io.BytesIO(b"[1]\n" + b" " * 25 + b"\n[12345678]\n[123456789]\n[2]")
    values = dict(values_of(stream))
    assert [number for number, value in values.items() if isinstance(value, GraphmillError)] == [
        2,
        4,
    ]
    assert [values[number] for number in (1, 3, 5)] == [[1], [12345678], [2]]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_ends_of_lines(end: bytes) -> None:
    assert list(values_of(io.BytesIO(end.join([b"[1]", b"", b"[2]", b""])))) == [(1, [1]), (3, [2])]


def test_what_is_right_is_read_as_before() -> None:
    text = '{"a": "\\ud83d\\ude00", "b": [0, -1, 2.5, 1e-999, 12345678901234567890123, null]}'
    value = parse_json(text)
    assert value["a"] == "😀"
    assert value["b"] == [0, -1, 2.5, 0.0, 12345678901234567890123, None]


def test_pipes_and_devices_are_no_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path / "link", Path("/dev/zero"), Path("a\0b")):
        with pytest.raises(SourceError):
            check_regular(path)
        with pytest.raises(GraphmillError):
            list(read_json_lines(path))
    (tmp_path / "file").touch()
    check_regular(tmp_path / "file")
    check_regular(tmp_path)
    check_regular(tmp_path / "missing")


def test_a_json_file_is_read_with_its_place_in_errors(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('\ufeff{"a":\n [1]}', encoding="utf-8")
    assert read_json(path) == {"a": [1]}
    path.write_text('{"P": [[1, Infinity]]}')  # a small graph of floats that JSON has not
    assert read_json(path) == {"P": [[1, float("inf")]]}
    for content, said in (
        (b'{"a": 1,\n "a": 2}', r"a\.json, line 2, column 2: the key 'a' is there twice"),
        (b"[" * 300 + b"]" * 300, "nested deeper than 200"),
        (b'["\xff"]', "byte 3 is not UTF-8"),
    ):
        path.write_bytes(content)
        with pytest.raises(SourceError, match=said):
            read_json(path, SourceError)
    with pytest.raises(GraphmillError, match="Cannot read"):
        read_json(tmp_path / "b.json")
    assert parse_json("[NaN, 1e999]", bare=True)[1] == float("inf")


def test_a_name_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = Path(os.fsdecode(bytes(tmp_path) + b"/a\xff.csv"))
    path.touch()
    with pytest.raises(SourceError, match=r"a\\xff\.csv is not UTF-8 as a name"):
        check_regular(path)
