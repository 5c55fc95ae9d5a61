"""Ratings that come from files: what is none of a rating is told with its place."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from graphmill.errors import ConfigError, GraphmillError, SourceError
from pipelines.cli import main
from pipelines.review import argilla, sheet
from pipelines.review.results import check_number
from pipelines.review.sample import Item
from pipelines.review.store import Rating, Store
from tests.pipelines.pages.corpora import record, write_corpus

ITEMS = [Item(f"r{n}", "logical", "db", "easy", f"Q{n}?", "RETURN 1 AS x", "") for n in range(4)]
HEAD = ",".join(sheet.COLUMNS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no column item; it has none"),
        ("a" * 1_000, "no column item; it has a+… .700 more characters. …a+"),
        (f"{HEAD}\n0,ann,5,logical,,{'x' * 200_000},1\n", "Line 2 of the sheet is not CSV"),
        (f"{HEAD}\n0,ann,5,logical,,a\0b,1\n1,ann,9,,,,\n", "Line"),
        (f'{HEAD}\n0,ann,5,logical,,"open', "Line 2 of the sheet is not CSV"),
        (f"{HEAD}\nx,ann,5,,,,\n", "Line 2 of the sheet: item is 'x', and no whole number"),
        (f"{HEAD}\n{'9' * 5000},ann,5,,,,\n", "item is '9+… .*more characters"),
        (f"{HEAD}\n0,ann,5,,,,nan\n", "seconds is 'nan', and no number of seconds"),
        (f"{HEAD}\n0,ann,5,,,,inf\n", "seconds is 'inf'"),
        (f"{HEAD}\n0,ann,5,,,,-1\n", "seconds is '-1'"),
        (f"{HEAD}\n0,ann,5,,,,soon\n", "seconds is 'soon'"),
        (f"{HEAD}\n0\n", "alignment is ''"),
    ],
)
def test_a_line_that_is_no_rating_is_told(text: str, said: str) -> None:
    with pytest.raises(GraphmillError, match=said) as caught:
        sheet.read(text, ITEMS)
    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 5_000 + "]" * 5_000, "nested deeper"),
        ("[NaN]", "NaN is no number"),
        ('[{"id": "0", "id": "1"}]', "the key 'id' is there twice"),
        ('[{"id": "0", "metadata": {"seconds": "[[[["}}]', "Record 1 of Argilla: .*not JSON"),
        ('[{"id": "0", "metadata": 3}]', "Record 1 of Argilla: it is not as Argilla writes"),
        ('[{"responses": {}}]', "Record 1 of Argilla: it has no 'id'"),
    ],
)
def test_records_that_argilla_never_wrote_are_told(text: str, said: str) -> None:
    with pytest.raises(GraphmillError, match=said):
        argilla.read(text, ITEMS)


def test_more_ratings_of_a_pair_than_experts_are_not_passed_over() -> None:
    """With a fourth of three, a pair that nobody passed would stay."""
    ratings = [Rating(f"e{n}", 0, 1) for n in range(4)]
    check_number(ratings, 4)
    with pytest.raises(ConfigError, match="ratings of 4 experts, and --experts says 3"):
        check_number(ratings, 3)


def test_a_file_of_another_kind_is_no_review(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SourceError, match="named pipe"):
        Store(tmp_path / "pipe").items()
    store = Store(tmp_path / "ratings.sqlite")
    store.create(ITEMS, "c", 7)
    with closing(sqlite3.connect(store.path)) as connection, connection:
        connection.execute("UPDATE items SET item = '{\"record\": 1}' WHERE number = 0")
    with pytest.raises(GraphmillError, match="no file of a review"):
        store.items()
    (tmp_path / ".other.sqlite.part").mkdir()
    other = tmp_path / "other.sqlite"
    with pytest.raises(GraphmillError, match=f"^Cannot write {other}: Is a directory.$"):
        Store(other).create(ITEMS, "c", 7)


def test_the_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = write_corpus(tmp_path / "c", [record(n) for n in range(4)], pages=False)
    pipe, broken = tmp_path / "pipe.csv", tmp_path / "broken.csv"
    os.mkfifo(pipe)
    broken.write_text(f"{HEAD}\n0,ann,6,,,,\n", encoding="utf-8")
    assert main(["review", str(corpus), "--from-csv", str(pipe)]) == 1
    assert main(["review", str(corpus), "--from-csv", str(broken)]) == 1
    said = capsys.readouterr().err.splitlines()
    assert "pipe.csv is a named pipe" in said[0]
    assert "broken.csv: Line 2 of the sheet: alignment is 6" in said[1]
