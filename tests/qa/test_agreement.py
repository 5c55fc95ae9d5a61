"""What is said of runs that agree, differ, differ by a tie, fail, or are refused."""

from __future__ import annotations

from typing import Any

from engines.base import Result
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graph_ir.rewrites import break_ties
from graphmill.errors import QueryError
from qa.agreement import Agreement, State, agree
from qa.fuzz.graphs import read_graph
from translators.render import render

SCHEMA = read_graph("A(id!: INTEGER, i: INTEGER?)\nA-[R(w: INTEGER?)]->A").schema
WINDOW = "MATCH (a:A) WITH a ORDER BY a.i LIMIT 1 RETURN a.i AS i, a.id AS id"


class Told:
    """An engine that answers as it is told: some rows where a text has `word`, others else."""

    def __init__(self, rows: list[tuple[Any, ...]], word: str = "", otherwise: Any = None) -> None:
        self.rows, self.word, self.otherwise = rows, word, otherwise

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        found = self.rows if self.word in text else self.otherwise
        if found is None:
            raise QueryError("no answer")
        return Result(("i", "id"), tuple(found))


def asked(query: str, duckdb: Told, grafeo: Told) -> Agreement:
    engines: Any = {"duckdb": duckdb, "grafeo": grafeo}
    return agree(parse(query), SCHEMA, engines, ("sql", "cypher"))


def test_equal_and_different_answers() -> None:
    query = "MATCH (a:A) RETURN a.i AS i, a.id AS id"
    same = asked(query, Told([(1, 2), (3, 4)]), Told([(3, 4), (1, 2)]))
    assert {outcome.state for outcome in same.outcomes.values()} == {State.SAME}
    other = asked(query, Told([(1, 2)]), Told([(1, 3)]))
    assert other.differing == ("cypher",)
    assert other.compared


def test_another_choice_in_an_inner_window_is_a_tie_where_more_keys_agree() -> None:
    decided = "a.i, a.id"  # the sort keys that break_ties adds are in the text
    tie = asked(WINDOW, Told([(1, 2)]), Told([(1, 2)], decided, [(1, 3)]))
    assert tie.outcomes["cypher"].state is State.TIE
    assert tie.differing == ()
    wrong = asked(WINDOW, Told([(1, 2)]), Told([(1, 3)]))
    assert wrong.outcomes["cypher"].state is State.DIFFERS
    silent = asked(WINDOW, Told([(1, 2)]), Told([(1, 3)], "ORDER BY a.i\n"))
    assert silent.outcomes["cypher"].state is State.OPEN


def test_an_error_is_no_disagreement() -> None:
    found = asked("MATCH (a:A) RETURN a.i AS i, a.id AS id", Told([(1, 2)]), Told([], "never"))
    assert found.outcomes["cypher"].state is State.ERROR
    assert not found.compared


def test_ties_of_edges_are_broken_by_properties_and_ends() -> None:
    query = (
        "MATCH ()-[r:R]->() WITH r LIMIT 1 MATCH (a)-[r]->(b) RETURN a.id AS a, b.id AS b LIMIT 1"
    )
    text = render(break_ties(bind(parse(query), SCHEMA).statement, SCHEMA), "cypher", SCHEMA).text
    assert "ORDER BY r.w, startNode(r).id, endNode(r).id" in text
    assert text.count("ORDER BY") == 1, "the last window is the author's"
