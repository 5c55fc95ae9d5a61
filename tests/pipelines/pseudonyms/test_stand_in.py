"""`[privacy] pseudonyms`: nothing of a private database is in any file of its corpus."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphmill.errors import GraphmillError
from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.pseudonyms import stand_in
from pipelines.pseudonyms.risks import risks
from pipelines.publish.export import export
from pipelines.verification.verify import verify
from tests.servers import PASSWORD, execute

pytestmark = pytest.mark.slow

QUIET = Watch(quiet=True)
PEOPLE = """
CREATE TABLE town (code TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT);
CREATE TABLE person (ssn INTEGER PRIMARY KEY, first_name TEXT NOT NULL, mail TEXT, born DATE,
  sex TEXT, town TEXT REFERENCES town (code), about TEXT);
CREATE TABLE visit (id INTEGER PRIMARY KEY, person INTEGER NOT NULL REFERENCES person (ssn),
  town TEXT NOT NULL REFERENCES town (code), day DATE);
INSERT INTO town VALUES ('T-11', 'Hammerfest', 'harbour'), ('T-12', 'Lillesand', 'inland'),
  ('T-13', 'Kautokeino', 'inland');
INSERT INTO person VALUES
  (290178123, 'Ragnhild', 'ragnhild@post.example', '1978-01-29', 'F', 'T-11', 'Likes Lillesand.'),
  (310585456, 'Sigurd', NULL, '1985-05-31', 'M', 'T-12', 'Friend of Ragnhild, since Hammerfest.'),
  (111190789, 'Torbjorn', 'tor@fjord.example', '1990-11-11', 'M', 'T-11', NULL);
INSERT INTO visit VALUES (1, 290178123, 'T-12', '2024-01-01'), (2, 310585456, 'T-11', '2024-01-02'),
  (3, 310585456, 'T-13', '2024-01-05'), (4, 111190789, 'T-13', '2024-02-01');
"""
SQLITE_ONLY = """
CREATE VIEW northern AS SELECT * FROM town WHERE name = 'Hammerfest';
CREATE INDEX inland ON town (kind) WHERE kind = 'inland';
"""
PAIRS: list[dict[str, Any]] = [
    {
        "question": "Who lives in hammerfest?",
        "sql": "SELECT p.first_name FROM person p JOIN town t ON p.town = t.code "
        "WHERE t.name = 'Hammerfest'",
        "evidence": "Torbjorn lives there.",
    },
    {
        "question": "How many women are there?",
        "sql": "SELECT count(*) FROM person WHERE sex = 'F'",
    },
    {
        "question": "When was the person 290178123 born?",
        "sql": "SELECT born FROM person WHERE ssn = 290178123",
    },
    {"question": "How many towns are there?", "sql": "SELECT count(*) FROM town"},
    {"question": "Where is Sigurd?", "sql": "SELECT nonsense FROM person WHERE 'Sigurd' = 1"},
    {"question": "Torbjorn", "no query": "Ragnhild"},
]
DAYS = [date(2024, 1, 1), date(2024, 1, 2)]
ORIGINALS = [
    *("Hammerfest", "Lillesand", "Kautokeino", "Ragnhild", "Sigurd", "Torbjorn", "fjord.example"),
    *("T-11", "290178123", "310585456", "111190789", "harbour", "post.example"),
]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """The configuration of a private database."""
    return written(tmp_path / "people")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus of it."""
    place = tmp_path_factory.mktemp("private")
    run.build(load(written(place / "people")), place / "corpus", QUIET)
    return place / "corpus"


def written(folder: Path) -> Path:
    """A private database, its pairs, and their configuration."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / "people.sqlite")) as database:
        database.executescript(PEOPLE + SQLITE_ONLY)
    lines = "".join(json.dumps(pair) + "\n" for pair in PAIRS)
    (folder / "pairs.jsonl").write_text(lines, encoding="utf-8")
    config = folder / "corpus.toml"
    config.write_text(
        """
[corpus]
name = "people"
licence = "CC0-1.0"
[[source]]
kind = "relational"
url = "sqlite:///people.sqlite"
domain = "government"
subdomain = "register"
pairs = "pairs.jsonl"
licence = "CC0-1.0"
[queries]
grow = false
[privacy]
pseudonyms = true
""",
        encoding="utf-8",
    )
    return config


def texts(folder: Path) -> Iterator[tuple[Path, str]]:
    """All files as text, Parquet decoded."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            yield path, json.dumps(pq.read_table(path).to_pylist(), ensure_ascii=False, default=str)
        elif path.is_file():
            yield path, path.read_bytes().decode("utf-8", "replace")


def none_left(folder: Path) -> None:
    for path, text in texts(folder):
        for original in ORIGINALS:
            assert original not in text, (path, original)


def questions(corpus: Path) -> dict[str, dict[str, Any]]:
    rows = [
        row
        for path in (corpus / "data").glob("*.parquet")
        for row in pq.read_table(path).to_pylist()
    ]
    return {row["queries"]["cypher"]: row for row in rows}


def test_nothing_of_a_sqlite_file_is_left(built: Path, tmp_path: Path) -> None:
    out, secret = built, built.with_name("corpus-private")
    none_left(out)  # with the folder of unfinished work
    export(out, tmp_path / "release")
    none_left(tmp_path / "release")
    assert not list(tmp_path.glob("release/**/pseudonyms.json"))
    for folder in (out, tmp_path / "release"):
        assert verify(folder, QUIET).problems == []
    private = json.loads((secret / "pseudonyms.json").read_text())
    assert not (secret / "originals").exists()
    made = private["texts"]
    found = questions(out)
    assert len(found) == 4
    (town,) = [row for row in found.values() if made["Hammerfest"].lower() in row["question"]]
    assert f"'{made['Hammerfest']}'" in town["queries"]["cypher"]
    answer = {row[0] for row in json.loads(town["answer"]["sample"])}
    assert answer == {made["Ragnhild"], made["Torbjorn"]}
    assert made["Torbjorn"] in town["external_knowledge"]
    assert not [row for row in found.values() if "women" in row["question"]]  # says not which
    (born,) = [row for row in found.values() if "born" in row["question"]]
    assert str(private["numbers"]["290178123"]) in born["question"]
    assert json.loads(born["answer"]["sample"]) == [["1978-01-29"]]  # dates stay
    with closing(sqlite3.connect(out / "sources" / "people.sqlite")) as copy:
        assert copy.execute("PRAGMA foreign_key_check").fetchall() == []
        towns = "SELECT count(*) FROM person p JOIN town t ON p.town = t.code GROUP BY t.code"
        assert sorted(copy.execute(towns).fetchall()) == [(1,), (2,)]
    alone = json.loads((secret / "risks.json").read_text())["people"]
    assert alone["pairs"] == {"whole": 4, "without their question": 1, "left out": 1}
    assert alone["tables"]["person"]["rows_alone_by"]["born"] == 1.0
    first, *_, last = alone["sentences"]
    assert first.startswith("person: 100 % of 3 rows have a value of born that no other row has")
    assert last.startswith("person: about is free text") or "no other row" in last


def test_what_could_tell_a_person_is_looked_for_on_edges_too(tmp_path: Path) -> None:
    for kind, name, columns in (
        ("nodes", "Person", {"id": [1, 2], "name": ["Ada", "Berit"]}),
        ("edges", "Person__VISITED__Town", {"source.id": [1, 2], "target.id": [7, 7], "day": DAYS}),
        ("edges", "Person__LIVES_IN__Town", {"source.id": [1, 2], "target.id": [7, 9]}),
    ):
        (tmp_path / "g" / kind).mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(columns), tmp_path / "g" / kind / f"{name}.parquet")
    told_by = {
        name: each["rows_alone_by"] for name, each in risks(tmp_path / "g", "g")["tables"].items()
    }
    assert told_by == {"Person": {}, "Person__VISITED__Town": {"day": 1.0}}


def test_a_second_build_is_the_same(built: Path, people: Path, tmp_path: Path) -> None:
    run.build(load(people), tmp_path / "again", QUIET)
    locks = [json.loads((n / "corpus.lock").read_text()) for n in (built, tmp_path / "again")]
    assert locks[0] == locks[1]
    assert "pseudonyms:people.sqlite" in json.dumps(locks[0])


def test_what_leaks_is_no_corpus(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stand_in, "replaced_prose", lambda text, *_: text)
    with pytest.raises(GraphmillError, match=r"original texts are left in \d+ files") as problem:
        run.build(load(people), tmp_path / "corpus", QUIET)
    assert not re.search("|".join(ORIGINALS), str(problem.value))
    assert not (tmp_path / "corpus" / "corpus.lock").exists()


@pytest.mark.parametrize(("kind", "number"), [("postgres", 4), ("mariadb", 4)])
def test_nothing_of_a_server_is_left(
    people: Path,
    kind: str,
    number: int,
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server = request.getfixturevalue(f"{kind}_server")
    tables = PEOPLE.replace("TEXT", "VARCHAR(80)") if kind == "mariadb" else PEOPLE  # of keys
    drop = [f"DROP TABLE IF EXISTS {name}" for name in ("visit", "person", "town")]
    execute(server, [*drop, *filter(str.strip, tables.split(";"))])
    monkeypatch.setenv("PEOPLE", PASSWORD)
    address = server.replace(server.split(":")[2].split("@")[0], "${PEOPLE}")
    text = people.read_text().replace('sqlite:///people.sqlite"', f'{address}"\nname = "people"')
    people.write_text(text, encoding="utf-8")
    out = tmp_path / "corpus"
    run.build(load(people), out, QUIET)
    execute(server, drop)
    proven_without_a_source(out, number)


def test_nothing_of_a_duckdb_file_is_left(people: Path, tmp_path: Path) -> None:
    import duckdb

    with duckdb.connect(str(people.parent / "people.duckdb")) as database:
        database.execute(PEOPLE)
    text = people.read_text().replace("sqlite:///people.sqlite", "duckdb:///people.duckdb")
    people.write_text(text, encoding="utf-8")
    run.build(load(people), tmp_path / "corpus", QUIET)
    proven_without_a_source(tmp_path / "corpus")


def proven_without_a_source(out: Path, number: int = 4) -> None:
    """The SQL pairs went on as Cypher, with nothing of the source beside them."""
    none_left(out)
    assert verify(out, QUIET).problems == []
    assert len(questions(out)) == number
    assert not list((out / "sources").glob("*"))


def test_nothing_of_a_graph_is_left(lakes: Path, tmp_path: Path) -> None:
    text = lakes.read_text("utf-8")
    lakes.write_text(f"{text}\n[privacy]\npseudonyms = true\n", encoding="utf-8")
    run.build(load(lakes), tmp_path / "corpus", QUIET)
    for path, found in texts(tmp_path / "corpus"):
        for original in ("Vättern", "Mjøsa", "Tresa"):
            assert original not in found, path
    assert verify(tmp_path / "corpus", QUIET).problems == []
    private = json.loads((tmp_path / "corpus-private" / "pseudonyms.json").read_text())
    asked = [row["question"] for row in questions(tmp_path / "corpus").values()]
    assert f"Which rivers flow into {private['texts']['Vättern']}?" in asked
