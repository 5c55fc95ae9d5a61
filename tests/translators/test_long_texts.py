"""What a long text costs grows with its length, and not with the square of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from graph_ir import multiplicity
from graph_ir import nodes as ir
from graph_ir.cypher import operators
from graph_ir.cypher.reader import parse
from translators.gql.emit.scope import Scope
from translators.render import render

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
    names = "WITH true AS a, true AS b, true AS c, true AS d, true AS e "
    assert parse(f"{names}RETURN {text} AS x") == parse(f"{names}RETURN {as_if} AS x")


def test_the_next_name_is_not_looked_for_from_the_start() -> None:
    asked: list[str] = []

    def allowed(name: str) -> bool:
        asked.append(name)
        return True

    scope = Scope(allowed=allowed)
    names = [scope.bind("a") for _ in range(MANY)]
    assert names[:3] == ["a", "a_1", "a_2"]
    assert len(set(names)) == MANY
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
