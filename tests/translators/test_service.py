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


def test_moments_of_parameters_are_instants_to_spanner(tmp_path: Path) -> None:
    """Cypher tells the offsets of two moments of one instant apart, GoogleSQL has none."""
    schema = schema_of("readings")
    assert schema is not None
    save_schema(tmp_path, schema)
    spanner = Translator(origin="spanner", to="cypher", graph=tmp_path)
    query = "GRAPH g MATCH (p:Probe) WHERE p.seen = @t AND p.name <> @t2 RETURN p.id AS x"
    moment = "2024-12-30T00:30:00+01:00"
    assert spanner.result(query, {"t": moment, "t2": moment})["text"] == (
        "MATCH (p:Probe)\nWHERE p.seen = datetime('2024-12-29T23:30:00Z') AND p.name <> "
        "'2024-12-30T00:30:00+01:00'\nRETURN p.id AS x"
    )
    early = spanner.result(query, {"t": "0001-01-01T00:30:00+01:00", "t2": ""})
    assert early["refused"]["code"] == "temporal-text"


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
