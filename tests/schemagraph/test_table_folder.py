"""Folders of CSV and Parquet files: types that give every text back, keys and references found."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphmill.errors import SourceError
from schemagraph.convert.service import convert
from schemagraph.folder.check import check_graph
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.report import ConversionReport
from schemagraph.sources import table_folder
from schemagraph.sources.formats import csv_types

pytestmark = pytest.mark.slow


FILMS = '''\
film_id,title,price,rate,released,zip,seen,ok,language_id
1,Alpha,1.50,1.5,2020-01-01,007,2020-01-01 10:00:00,True,1
2,"Beta, ""II""",2.25,2.0,,008,2020-01-02 10:00:00,False,2
3,"",3.00,0.1,2021-01-01,,2020-01-01 10:00:00,,2
'''
LANGUAGES = "language_id;name\n1;English\n2;日本語\n"
ACTORS = "id\tname\tmanager_id\n1\tAnn\t\n2\tBob\t1\n"
ROLES = "film_id,actor_id\n1,1\n1,2\n3,2\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "shop"
    made.mkdir()
    (made / "films.csv").write_text(FILMS, encoding="utf-8-sig")
    (made / "languages.csv").write_text(LANGUAGES, encoding="utf-8")
    (made / "actors.tsv").write_text(ACTORS, encoding="utf-8")
    (made / "film_actors.csv").write_text(ROLES, encoding="utf-8")
    return made


def converted(
    folder: Path, tables: Path | None = None, propose: Path | None = None
) -> tuple[ConversionReport, Path]:
    out = folder.with_name("graph")
    return convert(str(folder), out, tables=tables, propose=propose), out


def rows(out: Path, label: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = pq.read_table(out / "nodes" / f"{label}.parquet").to_pylist()
    return found


def test_types_and_values(folder: Path) -> None:
    _, out = converted(folder)
    schema = load_schema(out)
    kinds = {p.name: str(p.type) for p in schema.node_by_name["Film"].properties}
    assert kinds == {
        "film_id": "INTEGER",
        "title": "STRING",
        "price": "FLOAT",
        "rate": "FLOAT",
        "released": "DATE",
        "zip": "STRING",
        "seen": "DATETIME",
        "ok": "BOOLEAN",
        "language_id": "INTEGER",
    }
    third = rows(out, "Film")[2]
    assert (third["title"], third["zip"], third["ok"], third["price"]) == ("", None, None, 3.0)
    mapping = load_mapping(out)
    assert mapping is not None
    assert mapping.dialect == "duckdb"
    declared = {c.name: c.declared for c in mapping.node_by_table["films"].columns}
    assert declared["price"] == "DECIMAL(18,2)"
    assert check_graph(out) == []


def test_keys_and_references_are_found(folder: Path) -> None:
    report, out = converted(folder)
    assert report.edges == {
        "Actor-HAS_MANAGER-Actor": 1,
        "Film-HAS_LANGUAGE-Language": 3,
        "Film-HAS_ACTOR-Actor": 3,
    }
    assert [n.key for n in load_schema(out).nodes] == [("id",), ("film_id",), ("language_id",)]
    assert (
        "Found: Foreign key films (language_id) to languages (language_id): the name says so, "
        in (" ".join(report.decisions))
    )


def test_what_the_data_does_not_carry_is_proposed_only(folder: Path) -> None:
    (folder / "languages.csv").write_text("language_id,name\n2,x\n", encoding="utf-8")
    report, _ = converted(folder)
    assert "Film-HAS_LANGUAGE-Language" not in report.edges
    (proposal,) = report.proposals
    assert "1 of 2 different values are found" in proposal


def test_the_proposal_given_back_gives_the_same_graph(folder: Path) -> None:
    proposed = folder.with_name("tables.toml")
    first, out = converted(folder, propose=proposed)
    manifest = (out / "manifest.json").read_bytes()
    second, _ = converted(folder, tables=proposed)
    assert first.fingerprint == second.fingerprint
    assert (out / "manifest.json").read_bytes() == manifest


def test_choices_replace_what_was_found(folder: Path) -> None:
    (folder / "tables.toml").write_text(
        """
        [tables.films]
        key = ["title"]
        references = [
          {columns=["language_id"], table="languages", referenced=["language_id"], edge = "OF" }]
        label = "Movie"
        types = { zip = "VARCHAR", seen = "VARCHAR" }
        [tables.film_actors]
        references = [{ columns = ["film_id"], table = "films", referenced = ["film_id"] },
                      { columns = ["actor_id"], table = "actors", referenced = ["id"] }]
        label = "STARS"
        reverse = true
        """,
        encoding="utf-8",
    )
    report, out = converted(folder)
    assert "Movie-OF-Language" in report.edges
    # films is now keyed by title, so its film_id is no declared key, but still identifies a row
    assert report.edges["Actor-STARS-Movie"] == 3
    movie = load_schema(out).node_by_name["Movie"]
    assert movie.key == ("title",)
    assert str(next(p for p in movie.properties if p.name == "seen").type) == "STRING"
    assert check_graph(out) == []


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("[tables.film]\nkey = []", "Did you mean 'films'?"),
        ('[tables.films]\nkey = ["filmid"]', "Did you mean 'film_id'?"),
        ("[tables.films]\nkeys = []", "has no setting keys. Did you mean 'key'?"),
        ('[tables.films]\ntypes = { zip = "BIGINT" }', "does not give back"),
        ('[tables.films]\ntypes = { zip = "BIGINTS" }', "Did you mean 'BIGINT'?"),
        ('[tables.films]\nas = "edges"', "cannot be edges: it has 1 foreign keys"),
        ('[tables.films]\nlabel = "Actor"', "another one has it"),
        ("tables = 3", "written as [tables.NAME]"),
        ("[tables", "is not TOML"),
        ("a = " + "[" * 3_000, "nested too deeply"),
        ("a = " + "[" * 600 + "]" * 600, "nested too deeply"),
    ],
)
def test_choices_that_cannot_be_followed(folder: Path, said: str, part: str) -> None:
    (folder / "tables.toml").write_text(said, encoding="utf-8")
    with pytest.raises(SourceError) as caught:
        converted(folder)
    assert part in str(caught.value)
    assert not folder.with_name("graph").exists()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (b"a,b\n1,2\n1\n", "Line: 3"),
        (b"a,b\n1,2,3\n", "Line: 2"),
        (b'a,b\n1,"2\n', "unterminated quote"),
        (b"a,a\n1,2\n", "two columns are called a"),
        (b"a,\n1,2\n", "column 2 has no name"),
        (b"", "no line with the names"),
        (b"a,b\n1,\xff\n", "utf-8"),
        (b"\xff\xfea", "is not utf-8 text"),
        (b"a" * 200_000 + b",b\n1,2\n", "names of its columns cannot be read"),
    ],
)
def test_broken_files(tmp_path: Path, text: bytes, part: str) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "x.csv").write_bytes(text)
    with pytest.raises(SourceError) as caught:
        converted(folder)
    assert part in str(caught.value)
    assert "x.csv" in str(caught.value)


@pytest.mark.parametrize("name", ["films.csv", "more.csv", "more.parquet", "tables.toml"])
@pytest.mark.parametrize("to", ["itself", "nothing"])
def test_a_link_that_leads_nowhere_is_no_table(folder: Path, name: str, to: str) -> None:
    """It is not passed over: the rows would be missing."""
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(name if to == "itself" else "nothing.csv")
    with pytest.raises(SourceError, match="is a link that leads to no file"):
        converted(folder)


def test_a_first_file_that_is_a_link_to_itself_is_told(folder: Path) -> None:
    """Kinds of sources look into the first file before anybody reads the folder."""
    (folder / "a.csv").symlink_to("a.csv")
    with pytest.raises(SourceError, match=r"a\.csv .*(symbolic links|leads to no file)"):
        converted(folder)


def test_a_message_quotes_no_whole_field(folder: Path) -> None:
    (folder / "x.csv").write_text("a,b\n1," + "y" * 100_000 + ",3\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"more characters.*Found: 3") as caught:
        converted(folder)
    assert len(str(caught.value)) < 1_000


def test_a_file_name_that_is_not_utf_8_is_told(folder: Path) -> None:
    Path(os.fsdecode(bytes(folder) + b"/x\xff.txt")).touch()
    converted(folder)  # which is ignored
    Path(os.fsdecode(bytes(folder) + b"/x\xff.csv")).write_text("a\n1\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"x\\xff\.csv is not UTF-8 as a name"):
        converted(folder)


def test_more_columns_than_can_be_read_are_refused(folder: Path) -> None:
    (folder / "wide.csv").write_text(",".join(f"c{n}" for n in range(2001)) + "\n", "utf-8")
    with pytest.raises(SourceError, match=r"wide\.csv has 2,001 columns, and at most 2,000 are"):
        converted(folder)


def test_types_of_many_columns_are_found_a_few_columns_at_a_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One query for all of them is planned in the square of their number."""
    whole = load_schema(converted(folder)[1])
    texts: list[str] = []

    class Told:
        def __init__(self, connection: Any) -> None:
            self.connection = connection

        def execute(self, text: str) -> Any:
            texts.append(text)
            return self.connection.execute(text)

    for name, value in (("_COLUMNS", 2), ("_AT_ONCE", 5), ("_SAMPLE", 1)):
        monkeypatch.setattr(csv_types, name, value)
    find = csv_types.find_types
    monkeypatch.setattr(
        table_folder, "find_types", lambda connection, *rest: find(Told(connection), *rest)
    )
    assert load_schema(converted(folder)[1]) == whole
    narrowing = [text for text in texts if "unnest" not in text]
    assert len(texts) > 12
    assert max(text.count("count(") + text.count("bool_and(") for text in narrowing) <= 5


def test_names_of_files_are_no_patterns(tmp_path: Path) -> None:
    folder = tmp_path / "[shop]* it's"
    folder.mkdir()
    for name in ("why?", "whyx", "a[b]", "ab"):
        (folder / f"{name}.csv").write_text(f"id,name\n1,{name}\n", encoding="utf-8")
    report, out = converted(folder)
    assert [check.rows for check in report.checks] == [1, 1, 1, 1]
    assert rows(out, "Why") == [{"id": 1, "name": "why?"}]
    assert check_graph(out) == []


def test_another_encoding_is_said(tmp_path: Path) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "x.csv").write_bytes("id,name\n1,Zürich\n".encode("latin-1"))
    (folder / "tables.toml").write_text('[tables.x]\nencoding = "latin-1"\n', encoding="utf-8")
    _, out = converted(folder)
    assert rows(out, "X") == [{"id": 1, "name": "Zürich"}]


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    from datetime import date
    from decimal import Decimal

    folder = tmp_path / "shop"
    folder.mkdir()
    table = pa.table(
        {
            "id": pa.array([1, 2], pa.int32()),
            "price": pa.array([Decimal("1.50"), None], pa.decimal128(10, 2)),
            "day": pa.array([date(2024, 2, 29), None], pa.date32()),
            "tags": pa.array([["a", "b"], []], pa.list_(pa.string())),
            "raw": pa.array([b"\x00\xff", b""], pa.binary()),
        }
    )
    pq.write_table(table, folder / "items.parquet")
    _, out = converted(folder)
    assert rows(out, "Item") == [
        {"id": 1, "price": 1.5, "day": date(2024, 2, 29), "tags": ["a", "b"], "raw": b"\x00\xff"},
        {"id": 2, "price": None, "day": None, "tags": [], "raw": b""},
    ]
    assert check_graph(out) == []


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.one_of(
            st.none(),
            st.integers(-(2**70), 2**70).map(str),
            st.decimals(allow_nan=False, allow_infinity=False, places=3).map(str),
            st.floats(allow_nan=False).map(str),
            st.sampled_from(
                ["true", "True", "1", "01", "2024-02-29", "2024-02-30", "10:00:00", "", "1e5", "-0"]
            ),
            st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=5),
        ),
        max_size=6,
    )
)
def test_every_column_comes_back_as_it_was_written(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str | None]
) -> None:
    folder = tmp_path_factory.mktemp("any") / "shop"
    folder.mkdir()
    shown = ["" if t is None else '"' + t.replace('"', '""') + '"' for t in texts]
    body = "".join(f"{n},{text}\n" for n, text in enumerate(shown))
    (folder / "t.csv").write_text(f"n,x\n{body}", encoding="utf-8", newline="")
    report, out = converted(folder)  # which proves that decoding gives back what was staged
    (check,) = report.checks
    assert check.rows == len(texts)
    assert check.values == len(texts) + sum(text is not None for text in texts)
    kinds = {p.name: str(p.type) for p in load_schema(out).nodes[0].properties}
    if kinds.get("x") == "STRING" and texts:
        assert [row["x"] for row in rows(out, "T")] == texts
