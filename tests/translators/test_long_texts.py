"""What a long text costs grows with its length, and not with the square of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from graph_ir import multiplicity
from graph_ir import nodes as ir
from graph_ir.cypher import operators
from graph_ir.cypher.reader import parse
from graphmill import convert
from graphmill.errors import Refused
from tests.schema_text import read_schema
from translators.duckdb.clauses import clauses as sql_clauses
from translators.duckdb.model import names as sql_names
from translators.from_sql.statement import names
from translators.from_sql.statement.from_items import NodeItem
from translators.gql.emit.scope import Scope
from translators.gremlin.steps.text import Label, Step, _counted, step
from translators.render import render
from translators.service import Translator
from translators.sparql.clauses import flat, patterns

MANY = 300


def test_a_chain_of_connectives_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    combine = operators.combine

    def counted(text: str, *operands: ir.Expr) -> ir.Expr:
        made.append(text)
        return combine(text, *operands)

    monkeypatch.setattr(operators, "combine", counted)
    parse("RETURN " + "true AND " * MANY + "1 < 2 OR false XOR true XOR 1 + 2 + 3 = 6 AS x")
    assert made == ["AND", "+", "+", "XOR", "OR"]


@pytest.mark.parametrize(
    ("text", "as_if"),
    [
        ("a AND b AND c", "((a AND b) AND c)"),
        ("a AND (b AND c) AND d", "(((a AND b) AND c) AND d)"),
        ("a OR b AND c AND d OR e", "((a OR ((b AND c) AND d)) OR e)"),
        ("a XOR b XOR c AND d", "((a XOR b) XOR (c AND d))"),
        ("1 + 2 - 3 + 4 = 4 AND NOT a AND b", "(((1 + 2 - 3 + 4 = 4) AND (NOT a)) AND b)"),
    ],
)
def test_it_is_what_it_is_in_parentheses(text: str, as_if: str) -> None:
    bound = "WITH true AS a, true AS b, true AS c, true AS d, true AS e "
    assert parse(f"{bound}RETURN {text} AS x") == parse(f"{bound}RETURN {as_if} AS x")


def test_the_next_name_is_not_looked_for_from_the_start() -> None:
    asked: list[str] = []

    def allowed(name: str) -> bool:
        asked.append(name)
        return True

    scope = Scope(allowed=allowed)
    bound = [scope.bind("a") for _ in range(MANY)]
    assert bound[:3] == ["a", "a_1", "a_2"]
    assert len(set(bound)) == MANY
    assert len(asked) < 5 * MANY
    scope.release(["a_1"])
    assert scope.bind("a") == "a_1"


def test_what_becomes_of_rows_is_asked_of_a_clause_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clauses = parse("MATCH (n) " + "WITH n " * MANY + "RETURN DISTINCT n").clauses  # type: ignore[union-attr]
    asked: list[Any] = []
    decided = multiplicity._decided

    def counted(clause: ir.Clause) -> bool | None:
        asked.append(clause)
        return decided(clause)

    behind: Sequence[bool] = [
        multiplicity.counts_once(clauses[n + 1 :], False) for n in range(len(clauses))
    ]
    monkeypatch.setattr(multiplicity, "_decided", counted)
    assert multiplicity.counts_once_behind(clauses, False) == behind
    assert len(asked) == len(clauses)


def test_variables_of_sparql_are_numbered_as_before() -> None:
    text = render(parse("WITH 1 AS a WITH a + 1 AS a WITH a + 1 AS a RETURN a"), "sparql").text
    assert "?a_2" in text
    assert "?a_3" in text


def test_the_next_column_of_a_name_is_not_looked_for_from_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    numbered = names.numbered

    def counted(wish: str, number: int) -> str:
        asked.append(number)
        return numbered(wish, number)

    monkeypatch.setattr(names, "numbered", counted)
    columns = names.distinct(["value", *["value"] * MANY, "value2"])
    assert columns[:3] == ("value", "value3", "value4")
    assert columns[-1] == "value2"
    taken = names.Names(["value2"])
    taken.computed.update(columns)
    for take in (taken.variable, taken.column, taken.value):
        assert len({take("value") for _ in range(MANY)}) == MANY
    assert len(asked) < 20 * MANY


def test_names_that_other_kinds_leave_free_are_taken() -> None:
    taken = names.Names(["a", "a2"])
    assert [taken.variable("a"), taken.column("a"), taken.column("a", {"a2"})] == ["a3", "a", "a4"]
    assert taken.column("a") == "a2"


def test_a_step_of_gremlin_is_not_compared_with_all_behind_it() -> None:
    class Walk(tuple[Step, ...]):
        def __getitem__(self, place: Any) -> Any:
            assert isinstance(place, int)
            return super().__getitem__(place)

    each = (step("count"), Step("as", (Label("a"),)), step("is", "gt(1)"))
    assert [made.name for made in _counted(Walk(each))] == ["count", "barrier", "as", "is"]


@pytest.mark.parametrize("language", ["gremlin", "sparql", "ngql"])
def test_edges_that_are_all_told_from_all_others_are_too_many(language: str) -> None:
    edges = [f"(a{n})-[:KNOWS]->(b{n})" for n in range(MANY)]
    assert render(parse(f"MATCH {', '.join(edges[:30])} RETURN count(*) AS n"), language).text
    with pytest.raises(Refused, match="The text would be too long"):
        render(parse(f"MATCH {', '.join(edges)} RETURN count(*) AS n"), language)


def test_what_a_condition_tells_apart_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[ir.Match] = []
    constants = flat.constants

    def counted(match: ir.Match) -> Iterator[tuple[str, str, object]]:
        asked.append(match)
        return constants(match)

    monkeypatch.setattr(patterns, "constants", counted)
    chain = "MATCH (a)" + "-[:KNOWS]->(a)" * 30 + "-[:KNOWS]->(b) RETURN count(*) AS n"
    assert render(parse(chain), "sparql").text.count("FILTER(") == 30 * 31 // 2
    assert len(asked) == 1


def test_a_union_of_hundreds_in_sql_is_refused_as_nested(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.sqlite") as db:
        db.execute("CREATE TABLE things (id INTEGER PRIMARY KEY)")
    db.close()
    convert(tmp_path / "a.sqlite", tmp_path / "a")
    translator = Translator(origin="sql", to="cypher", graph=tmp_path / "a")
    result = translator.result(" UNION ".join(f"SELECT {n} AS a" for n in range(500)))
    assert result["refused"]["code"] == "nesting"


def test_whether_the_order_of_rows_shows_is_asked_of_a_clause_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []
    shows = sql_clauses._shows_order

    def counted(clause: ir.Clause) -> bool | None:
        asked.append(clause)
        return shows(clause)

    monkeypatch.setattr(sql_clauses, "_shows_order", counted)
    stages = " ".join(f"WITH 1 AS a{n}" for n in range(MANY))
    render(parse(f"{stages} RETURN 1 AS x"), "sql", read_schema("A(id!: INTEGER)"))
    assert len(asked) == MANY + 1


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("WITH 1 AS a WITH a RETURN a", [True, True, False]),
        ("WITH 1 AS a WITH a ORDER BY a RETURN a", [False, True, False]),
        (
            "UNWIND [1] AS a UNWIND [2] AS b WITH a, collect(b) AS c RETURN c",
            [True, True, True, False],
        ),
        ("UNWIND [1] AS a WITH count(*) AS c RETURN c", [False, True, False]),
    ],
)
def test_where_the_order_of_rows_shows(text: str, orders: list[bool]) -> None:
    query = parse(text)
    assert isinstance(query, ir.Query)
    assert sql_clauses._orders_matter(query.clauses) == orders


def test_the_next_name_of_sql_is_not_looked_for_from_the_start() -> None:
    class Counted(set[str]):
        asked = 0

        def __contains__(self, name: object) -> bool:
            Counted.asked += 1
            return super().__contains__(name)

    given = sql_names.Names(["t_3", "T_5"])
    given._taken = Counted(given._taken)
    made = [given.fresh("T" if n % 2 else "t") for n in range(MANY)]
    assert made[:4] == ["t", "T_2", "t_4", "T_6"]
    assert len({name.casefold() for name in made}) == MANY
    assert Counted.asked < 3 * MANY


def test_a_source_of_sql_is_not_compared_with_all_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with sqlite3.connect(tmp_path / "a.sqlite") as db:
        db.execute("CREATE TABLE things (id INTEGER PRIMARY KEY)")
    db.close()
    convert(tmp_path / "a.sqlite", tmp_path / "a")
    compared: list[int] = []

    def counted(self: NodeItem, other: object) -> bool:
        compared.append(1)
        return self is other

    monkeypatch.setattr(NodeItem, "__eq__", counted, raising=False)
    tables = ", ".join(f"things AS t{n}" for n in range(MANY))
    translator = Translator(origin="sql", to="cypher", graph=tmp_path / "a")
    result = translator.result(f"SELECT 1 AS x FROM {tables}")
    assert result["ok"], result
    assert len(compared) < 5 * MANY
