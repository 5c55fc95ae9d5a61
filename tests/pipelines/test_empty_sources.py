"""A source without rows, or one not drawn, is left out among others; alone it ends the build."""

from __future__ import annotations

import json
import pickle
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graphmill.errors import EmptySourceError
from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.synth import synthesis
from pipelines.verification.verify import verify

pytestmark = pytest.mark.slow

QUIET = Watch(quiet=True)

SOURCE = """
[[source]]
kind = "relational"
url = "{name}.sqlite"
domain = "transport"
subdomain = "{name}"
"""


def source(folder: Path, name: str, script: str) -> str:
    with closing(sqlite3.connect(folder / f"{name}.sqlite")) as database:
        database.executescript(script)
        database.execute("VACUUM")  # writes the file of a database without tables, too
    return SOURCE.format(name=name)


def test_sources_without_tables_or_rows_are_left_out(ferries: Path, tmp_path: Path) -> None:
    text = ferries.read_text("utf-8").replace("[queries]", "{more}\n[queries]", 1)
    more = source(ferries.parent, "bare", "")
    more += source(ferries.parent, "unfilled", "CREATE TABLE ship (id INTEGER PRIMARY KEY)")
    ferries.write_text(text.replace("{more}", more), encoding="utf-8")
    out = tmp_path / "corpus"
    run.build(load(ferries), out, QUIET, limit=4)
    assert [path.name for path in sorted((out / "graphs").iterdir())] == ["ferries"]
    assert [path.name for path in sorted((out / "sources").iterdir())] == ["ferries.sqlite"]
    ledger = [json.loads(line) for line in (out / "rejects.jsonl").read_text("utf-8").splitlines()]
    left_out = [each for each in ledger if each["code"] == "empty-source"]
    assert [(each["db"], each["stage"]) for each in left_out] == [
        ("bare", "work"),
        ("unfilled", "work"),
    ]
    assert [each["reason"].split()[0] for each in left_out] == ["sources/bare.sqlite", "unfilled"]
    assert verify(out, QUIET).problems == []


def test_the_only_source_must_have_rows(tmp_path: Path) -> None:
    config = tmp_path / "corpus.toml"
    text = source(tmp_path, "unfilled", "CREATE TABLE ship (id INTEGER PRIMARY KEY)")
    config.write_text(f'[corpus]\nname = "one"\n{text}', encoding="utf-8")
    with pytest.raises(EmptySourceError, match="unfilled has no rows"):
        run.build(load(config), tmp_path / "corpus", QUIET)


DRAWN = """
[[source]]
kind = "synthetic"
name = "parcels"
domain = "logistics"
subdomain = "parcel-delivery"
nodes = 1000
"""


@pytest.fixture
def ruined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs of ours draw nothing."""
    monkeypatch.setattr(synthesis, "write_program", lambda *_: "raise SystemExit('no paper')")


@pytest.mark.usefixtures("ruined")
def test_a_graph_that_cannot_be_drawn_is_left_out(ferries: Path, tmp_path: Path) -> None:
    text = ferries.read_text("utf-8").replace("[queries]", f"{DRAWN}\n[queries]", 1)
    ferries.write_text(text, encoding="utf-8")
    out = tmp_path / "corpus"
    run.build(load(ferries), out, QUIET, limit=4)
    assert [path.name for path in sorted((out / "graphs").iterdir())] == ["ferries"]
    ledger = [json.loads(line) for line in (out / "rejects.jsonl").read_text("utf-8").splitlines()]
    (left_out,) = [each for each in ledger if each["code"] == "not-drawn"]
    assert (left_out["db"], left_out["stage"]) == ("parcels", "work")
    assert "after 12 attempts" in left_out["reason"]
    assert "no paper" in left_out["reason"]
    assert verify(out, QUIET).problems == []


@pytest.mark.usefixtures("ruined")
def test_the_only_graph_must_be_drawn(tmp_path: Path) -> None:
    config = tmp_path / "corpus.toml"
    config.write_text(f'[corpus]\nname = "one"\n{DRAWN}', encoding="utf-8")
    with pytest.raises(synthesis.NotDrawnError, match="no paper"):
        run.build(load(config), tmp_path / "corpus", QUIET)


def test_what_could_not_be_drawn_comes_back_from_a_worker() -> None:
    given = synthesis.NotDrawnError("no paper", ())
    back = pickle.loads(pickle.dumps(given))
    assert (type(back), str(back), back.attempts) == (type(given), str(given), given.attempts)
