"""A graph's own words reach the questions, and belong to what a stage's work depends on."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from generators.questions.levels.authors import author_named
from generators.questions.lexicon.entries import GraphLexicon, NodeEntry, save_lexicon
from graph_ir.cypher.reader import parse
from pipelines.build.context import DatabaseContext, Graph
from schemagraph.convert.service import convert


def test_questions_use_the_words_that_the_graph_brings(tmp_path: Path) -> None:
    source = tmp_path / "parts.json"
    nodes = [{"id": 1, "labels": ["Part"], "weight": 2}]
    source.write_text(json.dumps({"directed": True, "nodes": nodes, "links": []}))
    convert(str(source), tmp_path / "graph")
    query = parse("MATCH (p:Part) WHERE p.weight > 1 RETURN count(*) AS n")

    def question() -> str:
        graph = Graph("parts", tmp_path / "graph", "f")
        author = author_named("rules", graph.words)
        return author.write(query, graph.schema, Random(7)).questions.logical

    def settings() -> str:
        return DatabaseContext(Graph("parts", tmp_path / "graph", "f"), ("cypher",)).settings

    assert "parts" in question()
    before = settings()
    save_lexicon(
        tmp_path / "graph", GraphLexicon(nodes={"Part": NodeEntry(singular="cog", plural="cogs")})
    )
    assert "cogs" in question()
    assert settings() != before
