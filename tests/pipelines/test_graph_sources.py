"""Graph sources with files of questions as others publish them become corpora."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import ConfigError
from graphmill.files import read_records
from graphmill.record import Record
from pipelines import run
from pipelines.configuration.config import load
from pipelines.configuration.progress import Watch
from pipelines.verification.verify import verify

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[1] / "schemagraph" / "sources" / "examples"
QUIET = Watch(quiet=True)

HARBOUR: list[dict[str, Any]] = [
    {
        "question": "Which ships called at a berth?",
        "cypher": "MATCH (s:Ship)-[:CALLED_AT]->(b:Berth {name: $berth}) RETURN s.imo AS imo",
        "database": "harbour",
        "parameters": {"berth": "North Quay"},
    },
    {
        "question": "Which ships are heavier?",
        "cypher": "MATCH (s:Ship) WHERE s.tonnage > $limit RETURN s.imo AS imo",
        "database": "harbour",
        "evidence": "heavier refers to the tonnage",
    },
    {
        "question": "Which ship was built on that day?",
        "cypher": "MATCH (s:Ship) WHERE s.built = date('1999-12-31') RETURN s.imo AS imo",
        "database": "harbour",
    },
    {
        "question": "How many singers?",
        "cypher": "MATCH (s:Singer) RETURN count(s) AS n",
        "database": "choir",
    },
    {
        "question": "What?",
        "cypher": "MATCH (s:Ship {imo: $who.id}) RETURN s",
        "database": "harbour",
    },
    {"question": "Add!", "cypher": "CREATE (:Ship {imo: $imo})", "database": "harbour"},
]
GARDEN = """# which plants does each gardener plant
MATCH (g:gardener)-[:种植]->(p:植物) RETURN g.name AS name, p.名称 AS plant

// how many plots are there
MATCH (p:plot) RETURN count(p) AS n;
"""


def configured(folder: Path, source: str, pairs: Path) -> Path:
    """A configuration of one graph source."""
    path = folder / "corpus.toml"
    path.write_text(
        f"""
[corpus]
name = "harbour"
[queries]
grow = false
[[source]]
kind = "graph"
path = {json.dumps(source)}
pairs = {json.dumps(str(pairs))}
domain = "transport"
subdomain = "harbours"
"""
    )
    return path


def released(corpus: Path) -> dict[str, Record]:
    """The corpus by question."""
    files = sorted((corpus / "data").glob("*.parquet"))
    records = [record for path in files for _, record in read_records(path)]
    return {record.questions.original: record for record in records}


def test_a_schema_with_questions_becomes_a_corpus(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.json"
    pairs.write_text(json.dumps(HARBOUR))
    source = str(EXAMPLES / "text2cypher" / "schemas.jsonl#harbour")
    config = load(configured(tmp_path, source, pairs))
    funnel = run.build(config, tmp_path / "corpus", QUIET)
    assert funnel.stages["candidates"] == 5
    found = released(tmp_path / "corpus")
    assert set(found) == {pair["question"] for pair in HARBOUR[:3]}
    called = found["Which ships called at a berth?"]
    assert "{name: 'North Quay'}" in called.queries["cypher"]
    (bound,) = called.provenance.trace
    assert (bound.operation, bound.evidence) == ("bind-parameters", '{"berth":"North Quay"}')
    assert bound.before == HARBOUR[0]["cypher"]
    heavier = found["Which ships are heavier?"]
    assert heavier.external_knowledge.startswith("heavier refers to the tonnage")
    assert {(key, count) for key, count in funnel.rejects.items() if key[0] == "translate"} == {
        (("translate", "unbound-parameter"), 1),
        (("translate", "write"), 1),
    }
    assert not verify(tmp_path / "corpus", QUIET).problems


def test_a_script_over_a_tugraph_graph(tmp_path: Path) -> None:
    (tmp_path / "q.cypher").write_text(GARDEN)
    source = str(EXAMPLES / "tugraph" / "import.json")
    config = load(configured(tmp_path, source, tmp_path / "q.cypher"))
    run.build(config, tmp_path / "corpus", QUIET)
    assert set(released(tmp_path / "corpus")) == {
        "which plants does each gardener plant",
        "how many plots are there",
    }
    assert (tmp_path / "corpus" / "graphs" / "tugraph" / "schema.json").is_file()


def test_a_changed_file_beside_the_configuration_is_converted_again(tmp_path: Path) -> None:
    garden = tmp_path / "garden"
    for path in sorted((EXAMPLES / "tugraph").rglob("*")):
        if path.is_file():
            copy = garden / path.relative_to(EXAMPLES / "tugraph")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    (tmp_path / "q.cypher").write_text(GARDEN)
    config = load(configured(tmp_path, "garden/import.json", tmp_path / "q.cypher"))
    run.build(config, tmp_path / "corpus", QUIET)
    (garden / "data" / "plots.jsonl").write_text('["north"]\n["south"]\n["west"]\n')
    run.build(config, tmp_path / "corpus", QUIET)
    answer = released(tmp_path / "corpus")["how many plots are there"].answer
    assert answer is not None
    assert answer.sample == ((3,),)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("gone.json", "source.1.path: no such file"),
        ("schemas.jsonl#harbour", "source.1.path: no such file"),
    ],
)
def test_a_source_that_is_not_there(tmp_path: Path, source: str, said: str) -> None:
    (tmp_path / "q.cypher").write_text(GARDEN)
    with pytest.raises(ConfigError, match=said):
        load(configured(tmp_path, source, tmp_path / "q.cypher"))
