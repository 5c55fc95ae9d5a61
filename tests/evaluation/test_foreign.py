"""Files of other benchmarks, in their form: static measures, without a graph.

text2cypher without its databases (AT-28), StockGQL and SpCQL (NS-20), CypherBench (HR-13).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import graphmill as gm
from evaluation.foreign import driver_record, load_benchmark

ROWS: dict[str, list[dict[str, Any]]] = {
    "text2cypher": [
        {
            "question": "How many ports are there?",
            "schema": "(:Port {name: STRING})",
            "cypher": "MATCH (p:Port) RETURN count(p) AS n",
            "data_source": "ours",
            "instance_id": "instance_id_1",
            "database_reference_alias": None,
        },
        {
            "question": "Which ships are there?",
            "schema": "",
            "cypher": "MATCH (s:Ship) RETURN s.name",
            "data_source": "ours",
            "instance_id": "instance_id_2",
            "database_reference_alias": "ferries",
        },
    ],
    "cypherbench": [
        {
            "qid": "a-1",
            "graph": "ferries",
            "gold_cypher": "MATCH (n:Ship)-[r0:callsAt]->(m0:Port {name: 'Kiel'}) RETURN n.name",
            "nl_question": "Which ships call at Kiel?",
            "answer_json": '[["Aurora"]]',
            "from_template": {"match_category": "basic_(n)-(m*)", "match_cypher": "MATCH"},
        }
    ],
    "stockgql": [
        {
            "Qid": 17,
            "Query_masked": "[s]属于哪个行业?",
            "GQL_masked": "MATCH (s:stock) WHERE s.stock.name == '[s]' RETURN s.stock.code",
            "Query": "东方银行属于哪个行业?",
            "GQL": 'MATCH (s:stock) WHERE s.stock.name == "东方银行" RETURN s.stock.code AS code',
            "SubSchema": {"nodes": ["stock"], "edges": []},
            "Masked_name": {"[s]": "东方银行"},
            "Oral_name": {},
            "Answer": {"code": ["1"]},
        }
    ],
    "spcql": [
        {
            "query": "奥罗拉号有多长?",
            "cypher": "MATCH (n:ENTITY {name: '奥罗拉号'}) RETURN n.length",
            "answer": ["120"],
        }
    ],
    "text2gql-bench": [
        {
            "id": "1",
            "database": "ferries",
            "initial_question": "Which ships are there?",
            "initial_gql": "MATCH (s:Ship) RETURN s.name",
            "level_1": "",
            "level_2": "",
            "level_3": "",
            "level_4": "",
            "external_knowledge": "",
            "difficulty": "easy",
            "source": "ours",
        }
    ],
}
GOLD = {
    "text2cypher": ("instance_id", "cypher"),
    "cypherbench": ("qid", "gold_cypher"),
    "stockgql": ("Qid", "GQL"),
    "spcql": ("", "cypher"),
    "text2gql-bench": ("id", "initial_gql"),
}


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("name", ROWS)
def test_gold_of_a_benchmark_is_equal_to_itself(name: str, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"test.{ending}"
    rows = ROWS[name]
    as_lines = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_text(json.dumps(rows) if ending == "json" else as_lines, encoding="utf-8")
    id, gold = GOLD[name]
    benchmark = load_benchmark(path)
    assert benchmark.name == name
    lines = [
        {
            "id": str(row[id]) if id else str(number),
            "query": row[gold],
            "language": benchmark.language,
        }
        for number, row in enumerate(rows, 1)
    ]
    figures = gm.evaluate(path, lines, out=tmp_path / "run")
    own = figures["languages"][benchmark.language]
    assert own["n"] == own["answered"] == len(rows)
    assert own["gleu"] == own["em_clauses"]["mean"] == own["grammar"]["mean"] == 1.0
    assert "ex" not in own, "nothing was run"
    assert own["classes"] == {}
    assert (tmp_path / "run" / "tables.md").read_text().count("Execution") == 0


def test_wrong_predictions_of_a_benchmark_have_a_class(tmp_path: Path) -> None:
    path = tmp_path / "test.json"
    path.write_text(json.dumps(ROWS["text2cypher"]), encoding="utf-8")
    lines = [
        {"id": "instance_id_1", "query": "MATCH (p:Port) RETURN sum(p) AS n"},
        {"id": "instance_id_2", "query": "SELECT name FROM ship"},
    ]
    own = gm.evaluate(path, lines)["languages"]["cypher"]
    assert own["classes"] == {"aggregation": 1, "idiom": 1}
    assert own["grammar"]["mean"] == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "no records"),
        ("{}", "no list"),
        ("[1]", "no object"),
        ('[{"a": 1}]', "Known are"),
        ('[{"question": "a", "cypher": 5}]', "to be texts"),
        ('[{"qid": "a", "nl_question": "a", "gold_cypher": "b"}, '
         '{"qid": "a", "nl_question": "a", "gold_cypher": "b"}]', "twice"),
        ("[{", "not JSON"),
    ],
)  # fmt: skip
def test_files_that_are_none_are_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "test.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(gm.SourceError, match=message):
        gm.evaluate(path, [])


def test_a_record_is_written_as_the_driver_has_it_and_read_back(
    corpus: Path, tmp_path: Path
) -> None:
    rows = list(gm.Corpus(corpus).records())
    path = tmp_path / "driver.jsonl"
    path.write_text("".join(driver_record(row, "gql") + "\n" for row in rows), encoding="utf-8")
    items = load_benchmark(path).items
    assert [(i.id, i.db, i.gold) for i in items] == [
        (row["id"], row["db"], row["queries"]["gql"]) for row in rows
    ]


def test_graphs_of_cypherbench_are_told_apart(tmp_path: Path) -> None:
    """MA-9: five graphs, each with a row of its own."""
    graphs = ("art", "flight_accident", "company", "geography", "fictional_character")
    (row,) = ROWS["cypherbench"]
    rows = [{**row, "qid": f"{graph}-{n}", "graph": graph} for graph in graphs for n in range(1, 4)]
    path = tmp_path / "test.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    lines = [{"id": r["qid"], "query": r["gold_cypher"]} for r in rows if r["qid"][-1] != "3"]
    own = gm.evaluate(path, lines)["languages"]["cypher"]["by"]["database"]
    assert set(own) == set(graphs)
    assert {(part["n"], part["missing"]) for part in own.values()} == {(3, 1)}
