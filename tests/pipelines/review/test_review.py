"""Expert review: figures by hand and by the book, ratings that are never lost, blind pages."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import GraphmillError
from pipelines.cli import main
from pipelines.release.corpus import Corpus
from pipelines.review.results import results
from pipelines.review.sample import Item, drawn
from pipelines.review.sheet import defused, fused, read, written
from pipelines.review.statistics import agreement, fleiss, wilson
from pipelines.review.store import Rating, Store
from pipelines.web.guard import form_key
from tests.pipelines.pages.corpora import HOSTILE, hostile, record, write_corpus

ITEMS = [
    Item(f"r{n}", ("logical", "business")[n % 2], "db", "easy", f"Q{n}?", "RETURN 1 AS x", "")
    for n in range(4)
]


@pytest.mark.parametrize(
    ("counts", "kappa"),
    [
        (  # Fleiss 1971 as Wikipedia works it out: ten subjects, fourteen raters
            [
                [0, 0, 0, 0, 14],
                [0, 2, 6, 4, 2],
                [0, 0, 3, 5, 6],
                [0, 3, 9, 2, 0],
                [2, 2, 8, 1, 1],
                [7, 7, 0, 0, 0],
                [3, 2, 6, 3, 0],
                [2, 5, 3, 2, 2],
                [6, 5, 2, 1, 0],
                [0, 2, 2, 3, 7],
            ],
            0.20993,
        ),
        ([[2, 0], [0, 2]], 1.0),
        ([[1, 1], [1, 1]], -1.0),
        # by hand: P = (1 + 1/3 + 1/3) / 3 = 5/9; shares 6/9, 3/9, Pe = 5/9
        ([[3, 0], [2, 1], [1, 2]], 0.0),
        # P = (1 + 1 + 1/3) / 3 = 7/9; shares 5/9, 4/9, Pe = 41/81; (63 - 41) / (81 - 41)
        ([[3, 0], [0, 3], [2, 1]], 22 / 40),
        ([[3, 0], [3, 0]], None),
        ([[1, 0], [0, 1]], None),
        ([], None),
    ],
)
def test_kappa_is_that_of_the_book(counts: list[list[int]], kappa: float | None) -> None:
    found = fleiss(counts)
    assert found == (kappa if kappa is None else pytest.approx(kappa, abs=1e-5))


def test_the_interval_holds_kappa_and_is_the_same_again() -> None:
    counts = [[3, 0], [0, 3], [2, 1], [3, 0], [1, 2], [0, 3], [3, 0]] * 4
    one = agreement(counts)
    assert one == agreement(counts)
    assert one.kappa is not None
    assert one.low is not None
    assert one.high is not None
    assert one.low < one.kappa < one.high
    assert one.n == 28


def test_wilson_is_that_of_scipy() -> None:
    from scipy.stats import binomtest

    for passed, number in ((0, 5), (5, 5), (9, 10), (289, 300)):
        theirs = binomtest(passed, number).proportion_ci(method="wilson")
        assert wilson(passed, number) == pytest.approx((theirs.low, theirs.high))


def test_figures_count_what_all_have_rated() -> None:
    given = {0: (5, 5, 4), 1: (2, 4, 3), 2: (4, 4, 1), 3: (5,)}
    ratings = [
        Rating(f"e{n}", item, grade, seconds=60)
        for item, grades in given.items()
        for n, grade in enumerate(grades)
    ]
    ratings[0] = replace(ratings[0], flags=("unnatural",))
    found = results(ITEMS, ratings, 3)
    assert found["rated_by_all"] == 3
    assert found["pass_ratio"] == round(2 / 3, 4)  # the second has one pass of three
    assert found["alignment_mean"] == round(32 / 9, 4)
    assert found["minutes_an_item"] == 1
    assert found["flags"] == {"unnatural": 1}
    assert found["by"]["level"]["logical"]["pass_ratio"] == 1
    assert found["by"]["level"]["business"]["pass_ratio"] == 0
    alike = results(ITEMS, [Rating(e, n, 5) for e in "abc" for n in range(4)], 3)
    assert (alike["kappa"], alike["kappa_undefined"]) == (None, True)


def rows(number: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"{n}",
            "db": "ab"[n % 2],
            "difficulty": "easy" if n < number // 4 else "hard",
            "queries": {"cypher": "RETURN 1 AS x"},
            "external_knowledge": None,
            "question": "",
            "question_syntactic": "S",
            "question_logical": "L",
            "question_business": "B" if n % 2 else "",
        }
        for n in range(number)
    ]


def test_the_sample_has_each_stratum_by_its_share() -> None:
    items = drawn(rows(40), 50, 7)
    assert items == drawn(rows(40)[::-1], 50, 7)
    assert items != drawn(rows(40), 50, 8)
    assert len(set(items)) == 50
    counts = Counter((item.tier, item.level, item.db) for item in items)
    assert set(counts.values()) <= {2, 3, 7, 8}  # of 5 and 15, in 100
    assert Counter(item.tier for item in items)["easy"] in range(10, 16)
    assert len(drawn(rows(4), 300, 7)) == 10
    assert drawn([], 300, 7) == []


def test_a_question_without_levels_is_rated_as_it_is() -> None:
    row = {
        **{"id": "r", "db": "d", "difficulty": "easy", "external_knowledge": None},
        **{"question": "Q?", "question_syntactic": None, "question_logical": None},
        **{"question_business": None, "queries": {"cypher": "RETURN 1"}},
    }
    assert [(i.level, i.question) for i in drawn([row], 5, 7)] == [("original", "Q?")]
    asked = [(i.level, i.question) for i in drawn([{**row, "question_logical": "L?"}], 5, 7)]
    assert asked == [("logical", "L?")]


def test_a_rating_replaces_and_undo_takes_the_last_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "r.sqlite")
    store.create(ITEMS, "c", 7)
    for item, grade in ((0, 5), (1, 4), (0, 2)):
        store.rate(Rating("a", item, grade, "logical", ("ambiguous",), "=note", 1.5))
    store.rate(Rating("b", 3, 1))
    assert {(r.expert, r.item, r.alignment) for r in store.ratings()} == {
        ("a", 0, 2),
        ("a", 1, 4),
        ("b", 3, 1),
    }
    assert store.undo("a") == 0
    assert store.undo("a") == 1
    assert store.undo("a") is None
    assert store.rated("b") == {3}


def test_orders_differ_and_stay(tmp_path: Path) -> None:
    store = Store(tmp_path / "r.sqlite")
    store.create(ITEMS, "c", 7)
    orders = [store.order(f"expert-{n}", 100) for n in (1, 2, 3, 1)]
    assert orders[0] == orders[3]
    assert len({tuple(order) for order in orders}) == 3
    assert all(sorted(order) == list(range(100)) for order in orders)


def test_a_file_of_another_corpus_or_of_none_is_refused(tmp_path: Path) -> None:
    Store(tmp_path / "r.sqlite").create(ITEMS, "c", 7)
    with pytest.raises(GraphmillError, match="another corpus"):
        Store(tmp_path / "r.sqlite").create(ITEMS, "d", 7)
    (tmp_path / "x").write_text("no database at all, but long enough to be looked at " * 20)
    with pytest.raises(GraphmillError, match="no file of a review"):
        Store(tmp_path / "x").create(ITEMS, "c", 7)


@pytest.mark.slow
def test_a_killed_process_loses_and_doubles_nothing(tmp_path: Path) -> None:
    file = tmp_path / "r.sqlite"
    Store(file).create(ITEMS * 100, "c", 7)
    program = (
        "import sys; from pathlib import Path\n"
        "from pipelines.review.store import Rating, Store\n"
        f"store = Store(Path({str(file)!r}))\n"
        "for n in range(int(sys.argv[1]), 400):\n"
        "    store.rate(Rating('a', n, 5)); print(n, flush=True)\n"
    )
    start = 0
    for after in (1, 3, 7):
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(start)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        told = [int(process.stdout.readline()) for _ in range(after)]
        os.kill(process.pid, signal.SIGKILL)
        told += [int(line) for line in process.stdout.read().splitlines() if line]
        process.stdout.close()
        process.wait()
        kept = [rating.item for rating in Store(file).ratings()]
        assert kept == list(range(len(kept)))
        assert len(kept) - 1 - told[-1] in (0, 1)  # kept, and killed before it was told
        start = len(kept)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "'x", "\t=1", "a=1", "", "＝1"])
def test_no_cell_of_the_sheet_is_a_formula(text: str) -> None:
    assert not defused(text).startswith(("=", "+", "-", "@", "\t", "\r", "＝"))
    assert fused(defused(text)) == text


def test_a_sheet_comes_back_as_it_went() -> None:
    items = [replace(ITEMS[0], question='=HYPERLINK(1)\n"x"'), *ITEMS[1:]]
    ratings = [
        Rating("=a", 0, 5, "logical", ("ambiguous", "unnatural"), '@note, "x"\ny', 1.5),
        Rating("b", 3, 1),
    ]
    text = written(items, ratings)
    assert read("\ufeff" + text, items) == ratings
    assert all(
        not cell.startswith(("=", "@")) for row in csv.reader(io.StringIO(text)) for cell in row
    )


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("item", "4", "no item 4"),
        ("item", "-1", "no item -1"),
        ("item", "x", "no whole number"),
        ("alignment", "6", "not 1 to 5"),
        ("flags", "wrong", "flags are"),
        ("level", "hard", "no level"),
        ("expert", "", "expert is missing"),
    ],
)
def test_a_bad_line_of_a_sheet_is_named(column: str, value: str, problem: str) -> None:
    sheet = list(csv.DictReader(io.StringIO(written(ITEMS, [Rating("a", 0, 5)]))))
    sheet[0][column] = value
    out = io.StringIO()
    writer = csv.DictWriter(out, list(sheet[0]))
    writer.writeheader()
    writer.writerows(sheet)
    with pytest.raises(GraphmillError, match=f"Line 2 of the sheet: .*{problem}"):
        read(out.getvalue(), ITEMS)
    with pytest.raises(GraphmillError, match="no column item"):
        read("a,b\n1,2\n", ITEMS)


def test_three_experts_rate_on_their_pages_and_are_blind(tmp_path: Path) -> None:
    pytest.importorskip("httpx", reason="starlette's test client needs httpx")
    from starlette.testclient import TestClient

    from pipelines.web.review.app import Review
    from pipelines.web.site import Door

    store = Store(tmp_path / "r.sqlite")
    store.create(ITEMS, "c", 7)
    tokens = {letter * 30: f"expert-{letter}" for letter in "abc"}
    app = Review(store, ITEMS).app(Door(tokens))
    for token, name in tokens.items():
        browser = TestClient(app, base_url="http://127.0.0.1:8000", follow_redirects=True)
        assert browser.get("/").status_code == 403
        browser.get(f"/?token={token}")
        for done in range(4):
            page = browser.get("/").text
            assert f"{done} of 4 rated" in page
            assert "expert-" not in page
            number = int(page.partition('action="/rate/')[2].partition("?")[0])
            assert f"Q{number}?" in page
            fields = {"alignment": "4", "level": "logical", "flag-unnatural": "on", "note": "n"}
            where = f"/rate/{number}?key={form_key(token)}"
            assert browser.post(where, data={**fields, "alignment": "6"}).status_code == 400
            assert browser.post("/rate/99", data=fields).status_code == 400
            assert browser.get(where).status_code == 405
            headers = {"origin": "http://evil.example"}
            assert browser.post(where, data=fields, headers=headers).status_code == 403
            browser.post(where, data=fields)
        assert "All 4 pairs are rated" in browser.get("/").text
        assert "3 of 4 rated" in browser.post(f"/undo/?key={form_key(token)}").text
        assert store.rated(name) < {0, 1, 2, 3}
    assert {r.flags for r in store.ratings()} == {("unnatural",)}


def test_hostile_texts_are_shown_as_texts(tmp_path: Path) -> None:
    pytest.importorskip("httpx", reason="starlette's test client needs httpx")
    from starlette.testclient import TestClient

    from pipelines.web.review.app import Review
    from pipelines.web.site import Door

    items = [replace(ITEMS[0], question=text, knowledge=text, query=text) for text in HOSTILE]
    store = Store(tmp_path / "r.sqlite")
    store.create(items, "c", 7)
    browser = TestClient(
        Review(store, items).app(Door({"a" * 30: "a"})), base_url="http://127.0.0.1"
    )
    browser.get(f"/?token={'a' * 30}")
    for _ in items:
        page = browser.get("/").text
        assert "<script>" not in page
        assert "<img" not in page
        number = page.partition('action="/rate/')[2].partition("?")[0]
        browser.post(f"/rate/{number}", data={"alignment": "1"})


def test_what_did_not_pass_goes_to_the_ledger(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_corpus(tmp_path / "c", [record(n) for n in range(6)], pages=False)
    options = ["--sample", "300", "--results"]
    assert main(["review", str(folder), *options]) == 0
    assert json.loads(capsys.readouterr().out)["items"] == 18
    file = tmp_path / "c-ratings.sqlite"
    store = Store(file)
    items = store.items()
    bad = items[0].record
    for number, item in enumerate(items):
        for expert in "abc":
            wrong = number == 0 and expert != "a"
            flags = ("mismatch",) if wrong else ()
            store.rate(Rating(expert, number, 2 if wrong else 5, item.level, flags, "n"))
    assert main(["review", str(folder), "--apply"]) == 0
    shown = capsys.readouterr()
    assert "1 records moved to the ledger, 5 kept" in shown.err
    assert json.loads(shown.out)["pass_ratio"] == round(17 / 18, 4)
    corpus = Corpus(folder)
    assert bad not in {row["id"] for row in corpus.records()}
    (reject,) = corpus.rejects()
    assert (reject["stage"], reject["code"]) == ("review", "mismatch")
    assert reject["evidence"]["record"] == bad
    lines = [json.loads(x) for x in (folder / "ratings.jsonl").read_text().splitlines()]
    assert len(lines) == 54
    assert {line["expert"] for line in lines} == {1, 2, 3}
    assert main(["review", str(folder), "--apply"]) == 0
    assert len(list(Corpus(folder).rejects())) == 1


def test_bad_options_are_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_corpus(tmp_path / "c", [hostile(0)], pages=False)
    for options in (["--sample", "0"], ["--experts", "0"], ["--from-csv", "nowhere.csv"]):
        assert main(["review", str(folder), "--results", *options]) == 1
        assert capsys.readouterr().err.startswith("graphmill: ")
