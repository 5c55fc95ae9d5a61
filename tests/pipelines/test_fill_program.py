"""A source's own program: whatever it does not do is told in a sentence."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import pytest

from graphmill.errors import SourceError
from pipelines.prepare import brought

WRITES = """
import sqlite3
def fill(path, rows=1):
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE t (i)")
    database.close()
"""


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("def fill(path): pass", r"fill\(path\) wrote no file. It is to write a SQLite"),
        ("x = 1", r"has no function fill\(path\)"),
        ("def fill(path): raise KeyError('rows')", "failed: KeyError: 'rows'"),
        ("def fill(path):\n    import sys\n    sys.exit(3)", "failed: SystemExit: 3"),
        ("class E(BaseException): pass\ndef fill(path): raise E('rows')", "failed: E: rows"),
        ("def fill(path, rows): pass", "failed: TypeError: .*missing 1 required positional"),
        ("def fill(", "failed: SyntaxError"),
        ("import os\ndef fill(path): os._exit(3)", "ended its process with the exit status 3"),
        ("import os\ndef fill(path): os._exit(0)", "ended its process with the exit status 0"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "was ended by SIGKILL before"),
        ("import os\ndef fill(path): os.abort()", "was ended by SIGABRT before"),
    ],
)
def test_a_program_that_fills_nothing_is_told(tmp_path: Path, program: str, said: str) -> None:
    script = tmp_path / "fill.py"
    script.write_text(program, "utf-8")
    with pytest.raises(SourceError, match=rf"fill\.py:? {said}"):
        brought(script, tmp_path / "sources" / "a.sqlite", script=True)


def test_a_program_that_writes_a_database_is_a_source(tmp_path: Path) -> None:
    script, copy = tmp_path / "fill.py", tmp_path / "sources" / "a.sqlite"
    script.write_text(WRITES, "utf-8")
    assert len(brought(script, copy, script=True)) == 64
    assert [path.name for path in copy.parent.iterdir()] == ["a.sqlite"]


def test_what_a_program_prints_is_no_result(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nor what programs print that it starts."""
    script = tmp_path / "fill.py"
    script.write_text(
        f"import os\nprint('begun', flush=True)\nos.system('echo said')\n{WRITES}", "utf-8"
    )
    brought(script, tmp_path / "sources" / "a.sqlite", script=True)
    printed = capfd.readouterr()
    assert (printed.out, printed.err) == ("", "begun\nsaid\n")


def test_what_a_program_leaves_running_is_not_waited_for(tmp_path: Path) -> None:
    script = tmp_path / "fill.py"
    script.write_text(f"import os\nos.system('sleep 60 >/dev/null 2>&1 &')\n{WRITES}", "utf-8")
    begun = monotonic()
    brought(script, tmp_path / "sources" / "a.sqlite", script=True)
    assert monotonic() - begun < 40


def test_a_program_that_is_stopped_keeps_its_own_traceback(tmp_path: Path) -> None:
    script = tmp_path / "fill.py"
    script.write_text("def fill(path):\n    raise KeyError('rows')\n", "utf-8")
    with pytest.raises(SourceError) as caught:
        brought(script, tmp_path / "sources" / "a.sqlite", script=True)
    assert 'fill.py", line 2, in fill' in str(caught.value.__cause__)
