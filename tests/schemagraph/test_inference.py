"""Keys and foreign keys that nobody declared: `inference.pairs`, and what is done with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmill.errors import SourceError
from schemagraph.convert import inference
from schemagraph.convert.inference import Proposal, propose_keys, propose_references
from schemagraph.convert.service import convert
from schemagraph.relational import SourceTable
from schemagraph.sources.sqlite import SqliteDatabase
from schemagraph.staging.scratch import Scratch
from schemagraph.staging.staging import stage
from tests.schemagraph.cases import Case, cases, database


def line(proposal: Proposal) -> str:
    named = ", ".join(proposal.columns)
    if proposal.reference is None:
        return f"key {proposal.table} ({named})"
    to = f"{proposal.reference.table} ({', '.join(proposal.reference.referenced)})"
    return f"{'' if proposal.holds else '? '}{proposal.table} ({named}) -> {to}"


def blocks() -> list[Case]:
    """`cases` takes the last line for what is expected where nothing is."""
    return [
        case
        if case.expected[0].startswith(("key ", "? ")) or "->" in case.expected[0]
        else Case(case.place, (*case.given, *case.expected), ())
        for case in cases("inference.pairs")
    ]


@pytest.mark.parametrize("case", blocks(), ids=lambda case: case.place)
def test_proposals(case: Case, tmp_path: Path) -> None:
    source = SqliteDatabase(database(tmp_path, "\n".join(case.given)))
    folder = tmp_path / "staged"
    staged = [stage(source, table, folder / str(n)) for n, table in enumerate(source.tables)]
    with Scratch(staged, folder) as scratch:
        found = [*propose_keys(scratch, source.tables).values()]
        found += propose_references(scratch, source.tables)
    source.close()
    assert [line(proposal) for proposal in found] == list(case.expected)


def test_only_keys_that_a_name_may_mean_are_weighed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every column against the keys of all tables would be 62,400 comparisons of 80 tables."""
    made = [
        f"CREATE TABLE part_{n} (id INTEGER PRIMARY KEY, name TEXT, note TEXT, price REAL, "
        f"made_at TEXT, part_{max(n - 1, 0)}_id INTEGER);"
        for n in range(80)
    ]
    source = SqliteDatabase(database(tmp_path, "\n".join(made)))
    compared = []
    rank = inference._rank

    def counted(table: SourceTable, name: str, parent: SourceTable, key: str) -> int:
        compared.append((name, key))
        return rank(table, name, parent, key)

    monkeypatch.setattr(inference, "_rank", counted)
    folder = tmp_path / "staged"
    staged = [stage(source, table, folder / str(n)) for n, table in enumerate(source.tables)]
    with Scratch(staged, folder) as scratch:
        proposals = propose_references(scratch, source.tables)
    source.close()
    wanted = {f"part_{n} (part_{n - 1}_id) -> part_{n - 1} (id)" for n in range(1, 80)}
    assert {line(proposal) for proposal in proposals} == wanted
    assert len(compared) < 80 * 20


@pytest.mark.parametrize(
    ("said", "dialect", "part"),
    [
        (
            '[tables.city]\ntypes = { id = "VARCHAR" }',
            "",
            "are for files, and this is a SQLite database",
        ),
        ("", "postgres", "only DDL text is read in a dialect"),
    ],
)
def test_what_has_no_effect_is_an_error(said: str, dialect: str, part: str, tmp_path: Path) -> None:
    path = str(database(tmp_path, "CREATE TABLE city (id INTEGER PRIMARY KEY)"))
    file = tmp_path / "tables.toml"
    file.write_text(said, encoding="utf-8")
    with pytest.raises(SourceError, match=part):
        convert(path, tmp_path / "graph", tables=file, dialect=dialect)


def test_a_database_keeps_what_it_declares_until_it_is_told(tmp_path: Path) -> None:
    script = """
    CREATE TABLE city (id INTEGER PRIMARY KEY); CREATE TABLE shop (id INTEGER, city_id INTEGER);
    INSERT INTO city VALUES (1), (2); INSERT INTO shop VALUES (1, 1), (2, NULL);
    """
    path = str(database(tmp_path, script))
    file = tmp_path / "tables.toml"
    first = convert(path, tmp_path / "graph", propose=file)
    assert first.edges == {}
    assert first.proposals == (
        "Table shop: key (id): no NULL and no value twice in 2 rows.",
        "Foreign key shop (city_id) to city (id): the name says so, and 1 of 1 different values "
        "are found.",
    )
    text = file.read_text("utf-8")
    assert "use = false" in text
    file.write_text(text.replace("use = false", "use = true"), encoding="utf-8")
    second = convert(path, tmp_path / "graph", tables=file)
    assert second.edges == {"Shop-IN_CITY-City": 1}
    assert second.proposals == ()
