"""The papers' tables (TB 3 to 7, Fig 7, 9; AT; NS; HR; MA 1) from figures worked out by hand.

Four predictions of one database: two of one hop, of which one is right, two of two hops, of which
one does not run and one has a wrong constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engines.ladder import Rung
from evaluation.corpus_tables import corpus_statistics, corpus_tables
from evaluation.papers import Row, paper_tables, static_paper_tables
from evaluation.run_tables import figures_of_run, run_tables
from evaluation.score import Score
from evaluation.summary import summary
from graphmill.record import Provenance, Questions, Record

type Tables = dict[str, tuple[Row, list[Row]]]


def score(id: str, hops: str, **values: Any) -> Score:
    groups = {"tier": ("medium",), "hops": (hops,), "database": ("ferries",)}
    return Score(id, "ferries", "cypher", groups=groups, gleu=(1, 2), similarity=0.5, **values)


SCORES = [
    score("a", "1", rung=Rung.ORDERED, ran=True, parses=True, psjs=1.0, gam=True, clauses=True),
    score("b", "1", rung=Rung.NONE, ran=True, parses=True, psjs=0.5, gam=False, category="schema"),
    score("c", "2", parses=True, gam=False, category="condition", twigs=0.25),
    score("d", "2", category="syntax", gam=False, psjs=0.0),
]


@pytest.fixture(scope="module")
def tables() -> Tables:
    own = {"cypher": summary(SCORES), "gql": summary(SCORES[:1])}
    return {title: (heads, rows) for title, heads, rows in paper_tables(own)}


def first(tables: Tables, title: str, language: str = "cypher") -> Sequence[Row]:
    return [row[1:] for row in tables[title][1] if row[0] == language]


def test_main_results_by_tier(tables: Tables) -> None:
    """TB-J17: Grammar, GLEU, Sim, EX by tier and in all."""
    assert tables["Text2GQL-Bench, Table 6"][0][4:] == (
        "EX easy",
        "EX medium",
        "EX hard",
        "EX extra_hard",
        "EX Avg",
    )
    row = ("0.750", "0.500", "0.500", "", "0.250", "", "", "0.250")
    assert first(tables, "Text2GQL-Bench, Table 6") == [row]


def test_languages_side_by_side(tables: Tables) -> None:
    """TB-J18."""
    assert tables["Text2GQL-Bench, Table 7"] == (("cypher", "gql"), [["0.250", "1.000"]])


def test_no_em_is_called_em_alone(tables: Tables) -> None:
    """X-2, AT-29, NS-19, NS-21, HR-14, HR-15: a row a run; each EM says what it is."""
    for heads, _ in tables.values():
        assert "EM" not in heads
    assert first(tables, "Adaptive Text2GQL, Table 1") == [("0.00", "25.00", "25.00")]
    assert first(tables, "NAT-NL2GQL, Table 2") == [("25.00", "25.00")]
    assert first(tables, "Hybrid retrieval, Table 2") == [("0.500", "0.250")]


def test_twig_hits_are_a_mean_over_what_was_traced(tables: Tables) -> None:
    """AT-32."""
    assert tables["Adaptive Text2GQL, Table 2"][1] == [("cypher", "25.00")]


def test_accuracy_by_hop(tables: Tables) -> None:
    """NS-26: EM and EX fall with hops, or not; the figures are the run's."""
    assert first(tables, "NAT-NL2GQL, Fig 5") == [
        ("1", "2", "50.00", "50.00"),
        ("2", "2", "0.00", "0.00"),
    ]


def test_errors_by_hop_and_type(tables: Tables) -> None:
    """NS-27."""
    heads, rows = tables["NAT-NL2GQL, Fig 10"]
    assert heads[2:] == ("condition", "schema", "syntax")
    assert [tuple(row[1:]) for row in rows if row[0] == "cypher"] == [
        ("1", "0", "1", "0"),
        ("2", "1", "0", "1"),
    ]


def test_ex_psjs_and_exec_by_graph(tables: Tables) -> None:
    """HR-14, HR-16: PSJS where the gold was touched and the prediction run or not parsed."""
    rows = first(tables, "Hybrid retrieval, Table 3")
    assert rows == [("ferries", "25.00", "50.00", "50.00"), ("all", "25.00", "50.00", "50.00")]


def test_sql_beside_cypher_by_domain() -> None:
    """TB-J19: a row a domain, SQL first; no table where only one of both was predicted."""
    right = Score("a", "d", "sql", groups={"domain": ("games",)}, rung=Rung.ORDERED)
    wrong = Score("a", "d", "cypher", groups={"domain": ("games",)})
    own = {"cypher": summary([wrong]), "sql": summary([right])}
    by_title = {title: (heads, rows) for title, heads, rows in paper_tables(own)}
    assert by_title["Text2GQL-Bench, Fig 7"] == (
        ("domain", "sql", "cypher"),
        [("games", "1.000", "0.000")],
    )
    del own["sql"]
    assert {title: rows for title, _, rows in paper_tables(own)}["Text2GQL-Bench, Fig 7"] == []


def test_forms_of_questions_by_domain() -> None:
    """TB-J21: original, levels, with and without evidence are columns."""
    forms = {"original": True, "syntactic": True, "business, with evidence": False}
    scores = [
        Score("a", "d", "cypher", groups={"level": (form,), "domain_level": (f"games · {form}",)},
              rung=Rung.ORDERED if right else Rung.NONE)
        for form, right in forms.items()
    ]  # fmt: skip
    ((_, heads, rows),) = (
        table for table in paper_tables({"cypher": summary(scores)}) if "Fig 9" in table[0]
    )
    assert heads == ("domain", *forms)
    assert rows == [("games", "1.000", "1.000", "0.000")]


def test_gam_and_em_where_nothing_is_run() -> None:
    """AT-31, AT-38: in all, and by bins of the gold's characters; no EX."""
    scores = [
        Score("a", "d", "cypher", groups={"query_length": ("000–080 characters",)}, gam=True),
        Score("b", "d", "cypher", groups={"query_length": ("121 or more characters",)}, gam=False,
              text=True),
    ]  # fmt: skip
    overall, by_length = static_paper_tables({"cypher": summary(scores)})
    assert overall[2] == [("cypher", "2", "50.00", "50.00")]
    assert by_length[1][-2:] == ("EM (normalised text)", "GAM")
    assert [row[1:] for row in by_length[2]] == [
        ("000–080 characters", "1", "0.00", "100.00"),
        ("121 or more characters", "1", "100.00", "0.00"),
    ]


def run(name: str, system: str, settings: dict[str, str], figures: Sequence[Score] = SCORES) -> Any:
    settings = dict(settings)
    models = {"generator": settings.pop("model")} if "model" in settings else {}
    described = {"name": system, "settings": settings, "models": models}
    return figures_of_run(name, described, {"languages": {"cypher": summary(figures)}})


@pytest.mark.parametrize(
    ("system", "title", "settings"),
    [
        ("adaptive", "Adaptive Text2GQL, Table 3", ({"store": "evolving"}, {"store": "none"})),
        ("adaptive", "Adaptive Text2GQL, Table 4", ({"repairs": "0"}, {"repairs": "2"})),
        ("adaptive", "Adaptive Text2GQL, Table 9", ({"eta": "0.1"}, {"eta": "0.3"})),
        ("adaptive", "Adaptive Text2GQL, Table 11", ({"gamma": "0"}, {"gamma": "0.8"})),
        ("three-agents", "NAT-NL2GQL, Table 5", ({"model": "large"}, {"model": "small"})),
        ("three-agents", "NAT-NL2GQL, Table 6", ({"refiner": "no"}, {"refiner": "yes"})),
        ("hybrid", "Hybrid retrieval, Fig 4", ({"k": "1"}, {"k": "3"})),
        ("hybrid", "Hybrid retrieval, Fig 5", ({"alpha": "0"}, {"alpha": "0.5"})),
    ],
)
def test_runs_that_differ_in_a_setting_are_rows_of_the_papers_table(
    system: str, title: str, settings: tuple[dict[str, str], ...]
) -> None:
    """AT-33 to AT-37, NS-24, NS-25, HR-18: a row a run; nothing where no setting differs."""
    runs = [run(f"run {n}", system, own) for n, own in enumerate(settings)]
    ((found, heads, rows),) = run_tables(runs)
    assert found == title
    place = heads.index("run")
    values = {row[place]: " ".join(row[:place]).split()[-1:] for row in rows}
    if "Table 6" not in title:
        assert values == {f"run {n}": [*own.values()] for n, own in enumerate(settings)}
    assert set(values) == {"run 0", "run 1"}
    figures = dict(zip(heads, rows[0], strict=True))
    assert figures["n"] == "4"
    ex = "EM (the answer is equal)" if system == "hybrid" else "EX"
    assert figures[ex] == "25.00"
    assert run_tables(runs[:1]) == run_tables([runs[0], runs[0]]) == []


def test_settings_that_are_chosen_together_are_one_table() -> None:
    """AT-36: a row of Table 10 is (α, β, λ)."""
    one = {"alpha": "1.0", "beta": "1.0", "lambda": "0.1"}
    runs = [run("a", "adaptive", one), run("b", "adaptive", {**one, "lambda": "0.01"})]
    ((title, heads, rows),) = run_tables(runs)
    assert title.endswith("Table 10")
    assert heads[:3] == ("alpha", "beta", "lambda")
    assert [row[2] for row in rows] == ["0.01", "0.1"]


def test_single_beside_roles_by_graph() -> None:
    """MA-12: Single → with roles, a row a graph and their mean over questions."""
    runs = [
        run("single", "multi-agent", {"roles": "no"}, [SCORES[1]]),
        run("roles", "multi-agent", {"roles": "yes"}, [replace(SCORES[0], judged=True)]),
    ]
    ((title, heads, rows),) = run_tables(runs)
    assert title == "Multi-Agent GraphRAG, Table 1"
    assert heads == ("roles", "run", "language", "graph", "n", "EX", "judged right")
    assert [(row[0], row[3], *row[5:]) for row in rows] == [
        ("no", "all", "0.00", ""),
        ("no", "ferries", "0.00", ""),
        ("yes", "all", "100.00", "100.00"),
        ("yes", "ferries", "100.00", "100.00"),
    ]


def record(id: str, db: str, domain: str, question: str, cypher: str = "RETURN 1") -> Record:
    return Record(
        schema="s", db=db, domain=domain, subdomain="x",
        questions=Questions(original=question), queries={"cypher": cypher},
        provenance=Provenance(maker="pairs", version="0", seed=7), difficulty="easy",
    )  # fmt: skip


def test_tables_of_the_corpus() -> None:
    """TB-J1, TB-J5, TB-J6, NS-9: splits, tiers, questions, hops by split with their sum."""
    records = [
        ("train", record("a", "d1", "games", "How many ships are there?")),
        ("test", record("b", "d2", "games", "Which ships are there?", "RETURN 1234")),
        ("test", record("c", "d3", "travel", "Which?", "RETURN 12345678")),
    ]
    hops = {own.id: str(n) for n, (_, own) in enumerate(records)}
    tables = corpus_tables(corpus_statistics(records, hops))
    assert [(heads, rows) for _, heads, rows in tables] == [
        (
            ("how many", "total", "train", "test"),
            [("domains", "2", "1", "2"), ("databases", "3", "1", "2"), ("examples", "3", "1", "2")],
        ),
        (
            ("tier", "share", "length (characters of Cypher)"),
            [("easy", "100.00 %", "11.33"), ("overall", "100.00 %", "11.33")],
        ),
        (("question", "length (words)", "vocabulary"), [("original", "3.33", "6")]),
        (
            ("hops", "0", "1", "2", "sum"),
            [("test", "0", "1", "1", "2"), ("train", "1", "0", "0", "1")],
        ),
    ]
