"""Ratings in and out of Argilla, a model that judges, and figures against other people's code."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from graphmill.errors import GraphmillError
from graphmill.llm.stub import Stub
from pipelines.cli import main
from pipelines.release.corpus import Corpus
from pipelines.review import argilla
from pipelines.review.judge import calibrated
from pipelines.review.sample import Item
from pipelines.review.statistics import cohen, fleiss, wilson
from pipelines.review.store import Rating, Store
from tests.pipelines.pages.corpora import record, write_corpus

ITEMS = [Item(f"r{n}", "logical", "db", "easy", f"Q{n}?", "RETURN 1 AS x", "") for n in range(4)]


def test_argilla_gives_back_what_it_was_given() -> None:
    ratings = [
        Rating("ann", 0, 5, "logical", ("ambiguous", "unnatural"), '=1+1 "x"\n<b>', 1.5),
        Rating("bob", 0, 2),
        Rating("ann", 3, 1),
    ]
    text = argilla.written(ITEMS, ratings)
    assert argilla.read(text, ITEMS) == ratings
    told = json.loads(text)
    assert [each["status"] for each in told] == ["completed", "pending", "pending", "completed"]
    assert "logical" not in json.dumps([each["fields"] for each in told])
    told[0]["responses"]["alignment"][1]["status"] = "draft"
    assert [r.expert for r in argilla.read(json.dumps(told), ITEMS)] == ["ann", "ann"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "no JSON of Argilla"),
        ("{}", "are a list"),
        ("[1]", "Record 1 of Argilla"),
        (
            '[{"id": "9", "responses": {"alignment": [{"value": 5, "user_id": "a"}]}}]',
            "Record 1 of Argilla: .*no item 9",
        ),
        (
            '[{"id": "0", "responses": {"note": [{"value": "x", "user_id": "a"}]}}]',
            "Record 1 of Argilla: .*alignment",
        ),
    ],
)
def test_what_is_none_of_argillas_is_told(text: str, problem: str) -> None:
    with pytest.raises(GraphmillError, match=problem):
        argilla.read(text, ITEMS)


def test_kappa_and_intervals_are_those_of_statsmodels() -> None:
    rated = pytest.importorskip("statsmodels.stats.inter_rater", reason="statsmodels is missing")
    share = pytest.importorskip("statsmodels.stats.proportion", reason="statsmodels is missing")

    for seed in range(20):  # tables of 2 to 6 raters, 2 to 5 grades, 3 to 60 pairs
        random = Random(seed)
        raters, grades, pairs = random.randint(2, 6), random.randint(2, 5), random.randint(3, 60)
        lean = [random.random() + 0.1 for _ in range(grades)]
        table = []
        for _ in range(pairs):
            said = random.choices(range(grades), lean, k=raters)
            table.append([said.count(grade) for grade in range(grades)])
        kappa = fleiss(table)
        assert kappa is not None
        assert kappa == pytest.approx(rated.fleiss_kappa(table, method="fleiss"), abs=1e-12)
        passed = random.randint(0, pairs)
        theirs = share.proportion_confint(passed, pairs, method="wilson")
        assert wilson(passed, pairs) == pytest.approx(theirs, abs=1e-12)
        one = [random.random() < 0.7 for _ in range(pairs)] + [True, False]
        two = [random.random() < 0.6 for _ in range(pairs)] + [False, True]
        told = list(zip(one, two, strict=True))
        both = [[told.count((x, y)) for y in (False, True)] for x in (False, True)]
        assert cohen(one, two) == pytest.approx(rated.cohens_kappa(both).kappa, abs=1e-12)


def test_a_threshold_is_the_lowest_that_is_precise() -> None:
    scores = [0.9, 0.9, 0.8, 0.7, 0.6, 0.5]
    good = [True, True, True, False, True, False]
    strict = calibrated(scores, good, 1.0)
    loose = calibrated(scores, good, 0.8)
    assert strict is not None
    assert (strict.value, strict.kept, strict.good) == (0.8, 3, 3)
    assert loose is not None
    assert (loose.value, loose.kept, loose.good) == (0.6, 5, 4)
    assert calibrated(scores, [False] * 6, 0.1) is None
    assert calibrated([], [], 0.5) is None


@pytest.fixture
def rated(tmp_path: Path) -> Path:
    """A corpus of six records of three levels; experts rated nine pairs, and failed three."""
    folder = write_corpus(tmp_path / "c", [record(n) for n in range(6)], pages=False)
    assert main(["review", str(folder), "--sample", "9", "--results"]) == 0
    store = Store(tmp_path / "c-ratings.sqlite")
    for number in range(9):
        for expert in "abc":
            store.rate(Rating(expert, number, 2 if number < 3 else 5, seconds=30))
    return folder


def test_a_model_judges_the_rest(rated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("openai", reason="needs the package openai (extra llm)")
    items = Store(rated.with_name("c-ratings.sqlite")).items()
    wrong = {item.question for item in items[:3]}
    capsys.readouterr()

    def answer(messages: list[dict[str, str]]) -> str:
        assert "(:Person" in messages[-1]["content"]  # the schema
        bad = any(f"Question: {question}\n" in messages[-1]["content"] for question in wrong)
        return json.dumps({"alignment": 2 if bad else 5, "right": 0.2 if bad else 0.9})

    with Stub(answer) as server:
        options = ["--judge", "stub", "--base-url", server.url, "--precision", "0.9"]
        assert main(["review", str(rated), *options]) == 0
        found = json.loads(capsys.readouterr().out)
        assert main(["review", str(rated), *options]) == 0
        assert len(server.calls) == 18  # nothing is asked twice
    assert json.loads(capsys.readouterr().out) == found
    assert (found["threshold"], found["precision"], found["recall"]) == (0.9, 1.0, 1.0)
    assert (found["kappa"], found["agreement"], found["alignment_off_by"]) == (1.0, 1.0, 0.0)
    assert found["precision_interval"][0] < 0.7  # of six pairs
    assert found["rest"] == {"pairs": 9, "no_answer": 0, "passes": 9}
    lines = [json.loads(x) for x in Path(found["judgements"]).read_text().splitlines()]
    assert len({(line["record"], line["level"]) for line in lines}) == 18


def test_a_model_that_is_never_precise_judges_nothing(
    rated: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("openai", reason="needs the package openai (extra llm)")
    capsys.readouterr()
    with Stub(lambda _: json.dumps({"alignment": 4, "right": 0.7})) as server:
        assert main(["review", str(rated), "--judge", "stub", "--base-url", server.url]) == 0
        assert len(server.calls) == 9
    found = json.loads(capsys.readouterr().out)
    assert (found["threshold"], found["precision"]) == (None, None)
    assert found["agreement"] == round(6 / 9, 4)  # at 0.5
    assert "rest" not in found


def test_applying_counts_in_the_funnel(rated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    funnel = {"stages": {"candidates": 9, "released": 6}, "rejects": [], "grown": []}
    (rated / "funnel.json").write_text(json.dumps(funnel), encoding="utf-8")
    assert main(["review", str(rated), "--apply"]) == 0
    left = len(list(Corpus(rated).records()))
    assert left < 6
    told = json.loads((rated / "funnel.json").read_text(encoding="utf-8"))
    assert told["stages"] == {"candidates": 9, "released": 6, "review": left}
    assert told["rejects"] == [{"stage": "review", "code": "low-alignment", "count": 6 - left}]
    assert "review" in (rated / "report.html").read_text(encoding="utf-8")
    assert main(["review", str(rated), "--apply"]) == 0
    assert json.loads((rated / "funnel.json").read_text(encoding="utf-8")) == told
