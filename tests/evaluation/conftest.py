"""One small corpus for all tests of evaluation: ferries, in Cypher, GQL, nGQL and source SQL."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from graphmill.files import read_records
from graphmill.record import SPLITS, Record
from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.release.folder import split_file
from tests.pipelines.conftest import PAIRS, SCHEMA

CONFIG = """
[corpus]
name = "ferries"
also = ["ngql", "gremlin", "sparql"]
splits = { train = 0.6, validation = 0.2, test = 0.2 }
[[source]]
kind = "relational"
url = "sqlite:///ferries.sqlite"
domain = "transport"
subdomain = "ferries"
pairs = "pairs.jsonl"
[queries]
grow = false
"""


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished corpus; nobody may write into it."""
    folder = tmp_path_factory.mktemp("ferries")
    with sqlite3.connect(folder / "ferries.sqlite") as database:
        database.executescript(SCHEMA)
    database.close()
    lines = [json.dumps(pair) for pair in PAIRS]
    (folder / "pairs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "corpus.toml").write_text(CONFIG, encoding="utf-8")
    out = folder / "corpus"
    run.build(load(folder / "corpus.toml"), out, Watch(quiet=True))
    return out


@pytest.fixture(scope="session")
def records(corpus: Path) -> list[Record]:
    """The records of the corpus."""
    paths = [split_file(corpus, split) for split in SPLITS]
    return [record for path in paths if path.is_file() for _, record in read_records(path)]
