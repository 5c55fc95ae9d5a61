"""The report's figures add up: tries, what was dropped, records; and what it shows of them."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

from pipelines.pages.reasons import meaning
from pipelines.release.description import Description
from pipelines.release.figures import Figures
from pipelines.release.funnel import steps, sum_text, table
from pipelines.release.report import _chosen, _proof_text, proof, used_libraries

STAGES = {
    "candidates": 10,
    "translate": 7,
    "prove": 6,
    "released": 9,
    "grown: candidates": 8,
    "grown: prove": 8,
    "grown: select": 5,
}
REJECTS = {
    ("propose", "broken-line"): 1,
    ("translate", "contains"): 2,
    ("prove", "differs"): 1,
    ("select", "over-quota"): 5,
    ("seeds", "no-fit"): 12,
    ("evolution", "nothing-fits"): 20,
}


def _figures(**more: int) -> Figures:
    rejects = Counter(REJECTS)
    rejects.update({("schema", name): number for name, number in more.items()})
    return Figures(records=9, rejects=rejects)


def _about(**stages: int) -> Description:
    return Description({}, {}, {"stages": {**STAGES, **stages}, "grown": [{"drafts": 40}]})


def test_given_pairs_and_drafts_meet_in_one_funnel() -> None:
    head, rows = table(steps(_about(), _figures()))
    assert head[:4] == ("left after", "given pairs", "drafts", "together")
    assert rows == [
        ("tried", "10", "40", "50", "", ""),
        ("query written", "9", "8", "17", "33", "nothing-fits 20, no-fit 12, broken-line 1"),
        ("translated", "7", "8", "15", "2", "contains 2"),
        ("answered alike", "6", "8", "14", "1", "differs 1"),
        ("chosen", "4", "5", "9", "5", "over-quota 5"),
    ]


def test_tries_are_records_and_lines_of_the_ledger() -> None:
    text = sum_text(steps(_about(), _figures()), _figures())
    assert text.startswith(
        "50 tries (10 given pairs and 40 drafts): 9 records and 41 dropped, each with a line"
    )
    assert "33 of these were dropped while they were drafted" in text
    assert "more line" not in text
    assert "2 more lines there tell of sources" in sum_text(
        steps(_about(), _figures(x=2)), _figures(x=2)
    )


def test_the_last_step_is_what_the_corpus_has_after_all() -> None:
    told = steps(_about(across=8, review=6), _figures())
    assert [(each.stage, each.left) for each in told[-3:]] == [
        ("select", 9),
        ("across", 8),
        ("review", 6),
    ]
    assert steps(Description({}, {}, {}), _figures()) == []
    masked = Description({}, {}, {"stages": {"candidates": 7, "released": 5}, "grown": []})
    head, rows = table(steps(masked, Figures(records=5, rejects=Counter({("s", "c"): 2}))))
    assert head == ("left after", "left", "dropped there", "why")
    assert rows == [("tried", "7", "", ""), ("chosen", "5", "2", "")]


def test_samples_reach_the_hardest_tier_and_other_databases() -> None:
    def sample(tier: str, db: str, worth: int) -> tuple[tuple[str, str], Any]:
        return (tier, db), ((worth, db), {"difficulty": tier, "db": db})

    ranked = [
        *(sample(tier, "a", 0) for tier in ("easy", "medium", "hard", "extra_hard")),
        sample("hard", "b", 5),
        sample("extra_hard", "c", 70),
        sample("extra_hard", "b", 90),
    ]
    chosen = _chosen(Figures(samples=dict(ranked)))
    assert [(row["difficulty"], row["db"]) for row in chosen] == [
        ("easy", "a"),
        ("hard", "b"),
        ("extra_hard", "c"),
    ]


def test_drivers_of_engines_that_ran_nothing_are_not_named() -> None:
    about = Description({}, {}, {}, {"neo4j": "6", "jgo": "2", "duckdb": "2", "lark": "1"})
    ran = Counter({("duckdb", "2", "sql"): 1})
    assert used_libraries(about, Figures(runs=ran)) == [("duckdb", "2"), ("lark", "1")]
    ran["neo4j", "2026.08", "cypher"] = 1
    assert ("neo4j", "6") in used_libraries(about, Figures(runs=ran))


ROOT = Path(__file__).parents[3]
_MAKERS = {"Finding": 2, "Unfit": 0, "_bad": 1, "reject": 2, "Reject": 1, "_drop": 0}  # its place


def _codes() -> set[str]:
    """Codes that our own stages write into the ledger, as their sources have them."""
    codes = set()
    for folder in ("pipelines/build", "pipelines/configuration", "generators", "qa"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                    at = _MAKERS.get(name, len(node.args))
                    codes |= {
                        str(code.value)
                        for code in node.args[at : at + 1]
                        if isinstance(code, ast.Constant)
                    }
                elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
                    named = getattr(node.targets[0], "id", "") == "_REASONS"
                    keys = node.value.keys if named else ()
                    codes |= {str(key.value) for key in keys if isinstance(key, ast.Constant)}
    return codes - {""}


def test_every_code_of_the_ledger_has_a_sentence() -> None:
    codes = _codes()
    assert len(codes) > 40
    assert not sorted(code for code in codes if not meaning(code))


def test_the_proof_says_how_many_engines_ran_a_record_and_what_is_not_decided() -> None:
    runs = Counter({("duckdb", "2", "sql"): 10, ("grafeo", "0.6", "cypher"): 10})
    runs[("sqlite", "3", "sqlite")] = 4
    some = Figures(records=10, runs=runs, agreeing=Counter(runs), witnesses=Counter({2: 6, 3: 4}))
    some.readings = Counter(harmless=7, unknown=3)
    assert "6 records on 2 engines and 4 records on 3 engines" in proof(some)["text"]
    assert "3 are not decided" in _proof_text(some)
    assert "mended" not in _proof_text(some)
