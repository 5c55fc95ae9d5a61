"""What a corpus says of the whole of its records is computed again from all of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graph_ir.canonical import shape
from graph_ir.cypher.reader import parsed
from graphmill.record import Certificate, Record
from pipelines.build.splits import splits_of
from pipelines.configuration.config import Splits
from pipelines.release.lock import DEALT
from pipelines.verification.promises import (
    Promised,
    count_problems,
    language_problems,
    mutation_problems,
    promised,
    source_problems,
    split_problems,
    without_records,
)
from pipelines.verification.released import Released
from tests.pipelines.pages.corpora import record

SHARES = {"train": 0.6, "validation": 0.2, "test": 0.2}


def lock(corpus: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """A lock of a corpus of two databases, of which one was drawn."""
    about = {"domain": "retail", "subdomain": "shop", "name": ""}
    return {
        "files": {},
        "graphs": {"a": {"fingerprint": "f", "domain": "x"}, "b": {"fingerprint": "f"}},
        "config": {
            "corpus": {
                "name": "c",
                "seed": 7,
                "split_by": "",
                "splits": SHARES,
                "languages": ["cypher", "gql"],
                **(corpus or {}),
            },
            "queries": {"discrimination": 0.8},
            "source": [
                {"kind": "relational", "url": "sqlite:///a.sqlite", **about},
                {"kind": "synthetic", "domain": "travel", "subdomain": "b"},
            ],
        },
        **more,
    }


def rows(*each: tuple[str, str, int]) -> list[Released]:
    """A record for each split, database and number of hops."""
    made = []
    for number, (split, db, hops) in enumerate(each):
        cypher = f"MATCH (p:P){'-[:K]->()' * hops} WHERE p.age > {number} RETURN p.name AS name"
        one = replace(record(1), db=db, queries={"cypher": cypher}, split=split)  # type: ignore[arg-type]
        made.append(Released(split, one.id, one))  # type: ignore[arg-type]
    return made


def places(given: dict[str, Any], mine: list[Released]) -> list[str]:
    found, strange = promised(given)
    assert found is not None
    assert not strange
    return [problem.where for problem in split_problems(given, found, mine)]


def test_no_two_splits_share_what_the_configuration_says() -> None:
    same_shape = rows(("train", "a", 1), ("train", "a", 1), ("test", "a", 1), ("test", "a", 2))
    assert places(lock(), same_shape) == [same_shape[2].stored]  # one database: by shape
    apart = rows(("train", "a", 1), ("test", "a", 2), ("test", "b", 2))
    assert places(lock(), apart) == ["a"]  # two: by database
    assert places(lock({"split_by": "shape"}), apart) == []
    assert places(lock({"split_by": "domain"}), apart) == ["x"]
    assert places(lock(), rows(("train", "a", 1), ("test", "b", 1))) == []
    unknown = rows(("train", "a", 1), ("test", "a", 2), ("test", "nowhere", 3))
    assert places(lock(), unknown) == []  # of which no build knew


def test_test_takes_synthetic_databases_alone_where_that_is_said() -> None:
    given = lock({"test": "synthetic-only"})
    assert places(given, rows(("train", "a", 1), ("test", "b", 1))) == []
    assert places(given, rows(("test", "a", 1), ("train", "b", 1))) == ["a"]


@pytest.mark.parametrize("swap", [False, True])
def test_records_in_each_others_splits_are_told(swap: bool) -> None:
    """The file's split counts, whatever the record says."""
    mine = rows(*(("train", "a", hops) for hops in range(10)))
    forms = [("a", shape(parsed(row.record.queries["cypher"]))) for row in mine]
    dealt = splits_of(forms, Splits(**SHARES), 7)
    mine = [row._replace(split=split) for row, split in zip(mine, dealt, strict=True)]
    if swap:
        first, second = dealt.index("train"), dealt.index("test")
        mine[first] = mine[first]._replace(split="test")
        mine[second] = mine[second]._replace(split="train")
    assert places(lock(splits=DEALT), mine) == (["data"] if swap else [])
    assert places(lock(), mine) == []  # of an earlier release, or reviewed
    assert places(lock(splits=DEALT), mine[1:]) == ["data"]


def test_a_configuration_that_is_none_is_told() -> None:
    given = lock({"splits": {"train": 3}})
    assert [problem.code for problem in promised(given)[1]] == ["config"]
    assert promised({"config": {"corpus": {"name": "old"}}}) == (None, [])


def _counted(found: dict[str, Any], name: str, operator: str, number: int) -> dict[str, Any]:
    return {**found, name: {**found[name], operator: number}}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: {}, "It has no `discrimination`"),
        (lambda found: {**found, "score": None}, "no number"),
        (lambda found: {**found, "score": 0.7}, "below the 0.8"),
        (lambda found: {**found, "score": 0.95}, "not that of its `told_apart`"),
        (lambda found: {**found, "mutants": None}, "mutants is missing"),
        (lambda found: _counted(found, "mutants", "zz", -5), "mutants.zz is -5"),
        (lambda found: _counted(found, "told_apart", "changed-constant", True), "is True"),
        (lambda found: _counted(found, "told_apart", "changed-constant", 10), "is 10 of 9"),
    ],
)
def test_a_record_that_nothing_tells_from_its_mutants_is_told(
    change: Callable[[dict[str, Any]], dict[str, Any]], said: str
) -> None:
    """Also where none of the corpus has any."""
    good = record(1)
    bad = replace(good, discrimination=change(dict(good.discrimination)))
    for mine in ([good, bad], [bad]):
        found = list(mutation_problems(lock(), [(each.id, each) for each in mine]))
        assert [problem.where for problem in found] == [bad.id]
        assert said in found[0].detail


def test_masked_pairs_and_hand_written_ones_need_no_mutants() -> None:
    bare = replace(record(1), discrimination={})
    given = lock()
    given["config"]["masked"] = {}
    assert not list(mutation_problems(given, [("i", bare)]))
    assert not list(mutation_problems({}, [("i", bare)]))
    assert list(mutation_problems({}, [("i", bare), ("j", record(2))]))


def test_a_record_without_a_language_of_its_corpus_is_told() -> None:
    one = replace(record(1), queries={"cypher": "RETURN 1"})
    assert [each.where for each in language_problems(lock(), [("i", one)])] == ["i"]
    assert not list(language_problems(lock({"languages": ["cypher"]}), [("i", one)]))


def test_figures_count_the_records_that_there_are(tmp_path: Path) -> None:
    (tmp_path / "funnel.json").write_text('{"stages": {"released": 9, "across": 8, "review": 7}}')
    assert not list(count_problems(tmp_path, lock(), 7))
    assert [each.where for each in count_problems(tmp_path, lock(), 8)] == ["funnel.json"]


def test_figures_that_are_none_are_told(tmp_path: Path) -> None:
    """Nothing was compared with them; what is no JSON is told of the file."""
    (tmp_path / "funnel.json").write_text("[1]")
    (problem,) = count_problems(tmp_path, lock(), 7)
    assert (problem.where, problem.code) == ("funnel.json", "funnel")
    (tmp_path / "funnel.json").write_text("[")
    assert not list(count_problems(tmp_path, lock(), 7))


@pytest.mark.parametrize(
    ("funnel", "said"),
    [
        ("{}", "does not count the records"),
        ('{"stages": {"candidates": 9}}', "does not count the records"),
        ('{"stages": {"candidates": -3, "released": 7}}', "stages.candidates is -3"),
        (
            '{"stages": {"released": 7}, "rejects": [{"stage": "s", "code": "c", "count": -1}]}',
            "rejects.0.count is -1",
        ),
    ],
)
def test_figures_that_count_nothing_are_told(tmp_path: Path, funnel: str, said: str) -> None:
    (tmp_path / "funnel.json").write_text(funnel)
    (problem,) = count_problems(tmp_path, lock(), 7)
    assert (problem.where, problem.code) == ("funnel.json", "funnel")
    assert said in problem.detail


def test_the_ledger_has_the_lines_that_the_figures_count(tmp_path: Path) -> None:
    reasons = [{"stage": "s", "code": code, "count": 2} for code in "ab"]
    funnel = {"stages": {"released": 7}, "rejects": reasons}
    (tmp_path / "funnel.json").write_text(json.dumps(funnel))
    assert not list(count_problems(tmp_path, lock(), 7))  # one of a release is told of the file
    ledger = tmp_path / "rejects.jsonl"
    one, other = (f'{{"stage": "s", "code": "{code}"}}\n' for code in "ab")
    ledger.write_text(one * 2 + other * 2)
    assert not list(count_problems(tmp_path, lock(), 7))
    ledger.write_text(one * 3)
    (problem,) = count_problems(tmp_path, lock(), 7)
    assert (problem.where, problem.code) == ("rejects.jsonl", "rejects")
    said = "s: a is there 3 times and not 2, s: b is there 0 times and not 2."
    assert problem.detail.endswith(said)
    ledger.write_text(one + "[1]\n")
    assert [each.code for each in count_problems(tmp_path, lock(), 7)] == ["ledger"]
    ledger.write_text(one + "[\n")  # which is told of the file
    assert not list(count_problems(tmp_path, lock(), 7))


def test_what_follows_from_rows_that_cannot_be_read_is_not_told(tmp_path: Path) -> None:
    """Records that are there no longer were dealt out, and counted."""
    (tmp_path / "funnel.json").write_text('{"stages": {"released": 9}}')
    assert not list(count_problems(tmp_path, lock(), None))
    mine = rows(*(("train", "a", hops) for hops in range(9)))
    given = lock({"split_by": "shape"}, splits=DEALT)
    found, _ = promised(given)
    assert found is not None
    assert [each.where for each in split_problems(given, found, mine)] == ["data"]
    assert not list(split_problems(given, found, mine, whole=False))
    strange = replace(mine[0].record, queries={"cypher": "RETURN ("})
    mine[0] = Released("train", strange.id, strange)
    assert not list(split_problems(given, found, mine))


def test_a_source_without_records_is_known_or_was_left_out(tmp_path: Path) -> None:
    given = Promised.of(lock())
    assert list(without_records(tmp_path, given, ["b"])) == ["a"]
    assert not list(without_records(tmp_path, given, ["a"]))
    (problem,) = source_problems(tmp_path, lock(), given, "a", (), ())
    assert problem.detail.endswith("sources/a.duckdb, which the configuration names.")
    line = {"stage": "work", "code": "empty-source", "db": "a"}
    (tmp_path / "rejects.jsonl").write_text(json.dumps(line) + "\n")
    assert not list(without_records(tmp_path, given, ["b"]))


def test_a_source_that_is_gone_is_told(tmp_path: Path) -> None:
    given = lock()
    found = Promised.of(given)
    ran = Certificate("sqlite", "3", "sqlite", 1, "h", True, "SELECT 1")
    proven, plain = replace(record(1), certificates=(ran,)), record(1)

    def problems(db: str, one: Record, without: tuple[str, ...] = ()) -> list[str]:
        each = source_problems(tmp_path, given, found, db, [one], without)
        return [problem.where for problem in each]

    assert problems("a", proven) == problems("a", plain) == ["sources/a"]
    assert problems("b", proven) == ["sources/b"]  # whose source is none, and was one
    assert problems("b", plain) == []
    assert problems("a", proven, ("sqlite",)) == problems("a", plain, ("sqlite",)) == []
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "a.sqlite").touch()
    assert problems("a", proven) == []
