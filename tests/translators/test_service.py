"""What `graphmill translate` answers for one line."""

from __future__ import annotations

from translators.service import Translator


def test_a_text_that_holds_on_conditions_says_so() -> None:
    gql = Translator(origin="cypher", to="gql", graph=None)
    assert gql.result("MATCH (a) RETURN a.x AS x") == {
        "ok": True,
        "text": "MATCH (a)\nRETURN a.x AS x",
    }
    called = gql.result("CALL risk($id)")
    assert called["text"] == "CALL risk($id)"
    (warning,) = called["warnings"]
    assert (warning["code"], warning["construct"]) == ("procedure", "risk")
    assert warning["span"]["line"] == 1
    assert "warnings" not in gql.result("CALL risk($id) YIELD score")


def test_a_write_is_said_in_gql_alone() -> None:
    text = "CREATE (:Band {name: 'x'})"
    results = {
        to: Translator(origin="cypher", to=to, graph=None).result(text)
        for to in ("cypher", "gql", "gql-neo4j", "gql-grafeo", "cypher-grafeo", "ngql", "sql")
    }
    assert {to for to, result in results.items() if result["ok"]} == {
        "cypher",
        "gql",
        "gql-neo4j",
        "cypher-grafeo",
    }
    assert results["gql"]["text"] == "INSERT (:Band {name: 'x'})"
