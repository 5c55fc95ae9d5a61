"""What `graphmill translate` answers for one line."""

from __future__ import annotations

from pathlib import Path

from schemagraph.folder.serde import save_schema
from tests.translators.test_pairs import schema_of
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


def test_parameters_of_a_line_are_put_in(tmp_path: Path) -> None:
    schema = schema_of("music")
    assert schema is not None
    save_schema(tmp_path, schema)
    query = "MATCH (b:Band {name: $name}) WHERE b.founded > $day RETURN b.name AS n LIMIT $most"
    values = {"name": "it's", "day": "1970-01-31", "most": 2}
    sql = Translator(origin="cypher", to="sql", graph=tmp_path)
    assert sql.result(query, values)["text"] == (
        "SELECT b.name AS n\nFROM Band AS b\n"
        "WHERE b.name = 'it''s'\n  AND b.founded > DATE '1970-01-31'\nLIMIT 2"
    )
    assert sql.result(query, {"name": "x", "day": None})["refused"]["code"] == "parameter"
    cypher = Translator(origin="cypher", to="cypher", graph=None)
    assert cypher.result("RETURN $a AS a, $b AS b", {"a": [1, None]})["text"] == (
        "RETURN [1, null] AS a, $b AS b"
    )


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
