"""What programs and engines print, as a prompt may have it: the same in every run.

A request is found in the record by its whole text, so whatever differs from run to run is asked and
paid for anew; and where files lie here is nothing that an endpoint has to know.
"""

from __future__ import annotations

import os
import re
import time
from functools import cache

CUT = "…"

_QUOTED_PATH = re.compile(r"""(["'`])(/[^"'`\n]+)\1""")
_PATH = re.compile(r"""(?<![\w:/.…~-])(/[^\s"'`:;,()\[\]{}<>|/]+(?:/[^\s"'`:;,()\[\]{}<>|]*)+)""")
_LIBRARY = re.compile(r".*/(?:site-packages|dist-packages|lib-dynload|lib\d*/python\d[\d.]*)/")
# Places that every machine has alike, or that a program is told to name.
_EVERYWHERE = frozenset({"dev", "proc", "program", "sys"})
_MARKS = (
    (re.compile(r"\b0[xX][0-9a-fA-F]{5,16}\b"), f"0x{CUT}"),  # addresses
    (re.compile(r"(?<=[\w\])>;$])@[0-9a-f]{5,8}\b(?!\.?\w)"), f"@{CUT}"),  # of Java's objects
    (re.compile(r"\btmp[a-z0-9_]{8}\b"), f"tmp{CUT}"),  # names of `tempfile`
    (re.compile(r"(?i)(\b(?:pid|tid|process|thread id)\b[ =:#(]{1,3})\d+"), rf"\1{CUT}"),
    (re.compile(r"(\bthread '[^'\n]*' \()\d+(?=\) panicked)"), rf"\1{CUT}"),
    (re.compile(r"==\d+=="), f"=={CUT}=="),
    (re.compile(r"(?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"), CUT),
)  # fmt: skip
_DURATION = re.compile(r"\b\d+(?:\.\d+)?(?:e-?\d+)?(?= ?(?:[mnuµ]?s|m?secs?|seconds?|minutes?)\b)")
_CLOCK = re.compile(r"\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?:Z|[+-]\d{2}:?\d{2})?")
_EPOCH = re.compile(r"\b\d{10}(?:\d{3}|\d{6}|\d{9})?(?:\.\d+)?\b")
_DAY = 86_400


def repeatable(text: str) -> str:
    """A foreign text without paths of this machine (of a library's file, what comes behind the
    library's folder, else the name alone), addresses, process numbers and names by chance.

    >>> repeatable('File "/opt/venv/lib/python3.12/site-packages/polars/io.py", line 7')
    'File "polars/io.py", line 7'
    >>> repeatable("<Faker object at 0x7f3b5c0d12e0>")
    '<Faker object at 0x…>'
    """
    text = _QUOTED_PATH.sub(lambda match: f"{match[1]}{_shown(match[2])}{match[1]}", text)
    text = _PATH.sub(lambda match: _shown(match[1]), text)
    for mark, instead in _MARKS:
        text = mark.sub(instead, text)
    return text


def timeless(text: str, now: float | None = None) -> str:
    """A text without moments of these days (`now`: seconds since 1970) and without durations.

    Other dates stay: they are data. For what a program prints, which has a clock.

    >>> timeless("2024-05-01 09:30:00 step 2 took 0.31 s", 1714556000.0)
    '… … step 2 took … s'
    >>> timeless("born 1990-01-01, 1714556012.5", 1714556000.0)
    'born 1990-01-01, …'
    """
    now = time.time() if now is None else now
    days = {_days(now + shift * _DAY) for shift in (-1, 0, 1)}
    forms = "|".join(re.escape(form) for day in sorted(days) for form in day)
    text = re.sub(rf"\b(?:{forms})(?:(?=T)T{_CLOCK.pattern[2:]})?", CUT, text)
    text = _CLOCK.sub(CUT, text)
    text = _EPOCH.sub(lambda match: CUT if _is_near(match[0], now) else match[0], text)
    return _DURATION.sub(CUT, text)


def _days(moment: float) -> tuple[str, ...]:
    day = time.gmtime(moment)
    return tuple(time.strftime(form, day) for form in ("%Y-%m-%d", "%Y/%m/%d", "%d/%b/%Y"))


def _is_near(digits: str, now: float) -> bool:
    whole, _, _ = digits.partition(".")
    return abs(int(whole[:10]) - now) < 2 * _DAY


def _shown(path: str) -> str:
    """What is said of an absolute path; all of it where it is none of this machine."""
    parts = path.split("/")
    if len(parts) < 3 or parts[1] in _EVERYWHERE or parts[1] not in _top():
        return path
    library = _LIBRARY.match(path)
    if library:
        return path[library.end() :]
    return next((part for part in reversed(parts) if part), path)


@cache
def _top() -> frozenset[str]:
    """The folders of `/`: an absolute path begins with one of them."""
    try:
        return frozenset(entry.name for entry in os.scandir("/") if entry.is_dir())
    except OSError:
        return frozenset()
