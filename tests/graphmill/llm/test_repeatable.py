"""Texts of programs and engines in prompts: nothing of one run or one machine alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from graphmill.llm.repeatable import repeatable, timeless

NOW = 1_714_556_000.0  # 2024-05-01 09:33:20

CASES = {
    "a file in a folder by chance": (
        f"cannot open '{Path.cwd().parent}/.drawn.6xmcas1b/out/a.parquet'",
        "cannot open 'a.parquet'",
    ),
    "a folder with a blank": (f'File "{Path.cwd().parent}/a b/c.py"', 'File "c.py"'),
    "a file without quotes": (f"{Path.cwd().parent}/x/c.parquet: bad page", "c.parquet: bad page"),
    "a module of a library": (
        f"{sys.prefix}/lib/python3.12/site-packages/polars/io/csv.py:12",
        "polars/io/csv.py:12",
    ),
    "a module of Python": ('File "/usr/lib/python3.12/json/decoder.py"', 'File "json/decoder.py"'),
    "an object of Python": ("<f at 0x7f3b5c0d12e0>", "<f at 0x…>"),
    "an object of Java": ("org.Step@1a2b3c4d failed.", "org.Step@… failed."),
    "a temporary name": ("tmpab12cd_4", "tmp…"),
    "a process": ("worker (pid 3456) died", "worker (pid …) died"),
    "a thread of Rust": (
        "thread 'main' (345) panicked at src/lib.rs:3",
        "thread 'main' (…) panicked at src/lib.rs:3",
    ),
    "an identifier": ("key 123e4567-e89b-12d3-a456-426614174000", "key …"),
    "a moment of now": ("2024-05-01 09:33:20,125 ERROR", "… … ERROR"),
    "a moment of now with a T": ("at 2024-05-01T09:33:20.5+02:00.", "at …."),
    "seconds since 1970": ("began 1714556000.25", "began …"),
    "a duration": ("took 0.25 s, 3 ms and 1.2e-05 seconds", "took … s, … ms and … seconds"),
}

SAME = (
    "ZeroDivisionError: division by zero",
    "found 1,714 rows of 2023-12-31, line 12, column 3",
    "Variable `a` not defined (line 1, column 7)",
    "http://example.org/data/a and a/b/c",
    "/dev/null: Permission denied",
    "shape (100, 3) of int64; expected 0.25, found 0.2513",
    "a@example.org",
    "number 9007199254740993 and 0x1F",
)


@pytest.mark.parametrize("name", CASES)
def test_what_differs_from_run_to_run_is_taken_out(name: str) -> None:
    text, expected = CASES[name]
    assert timeless(repeatable(text), NOW) == expected


@pytest.mark.parametrize("text", SAME)
def test_what_is_the_same_in_every_run_stays(text: str) -> None:
    assert timeless(repeatable(text), NOW) == text
