"""A value that equals a mean is on either side of it, by the engine."""

from __future__ import annotations

import json
from pathlib import Path

from pipelines.cli.commands import main
from pipelines.release.corpus import Corpus

ABOVE = (
    "MATCH (a:Lake) WITH avg(a.depth) AS average "
    "MATCH (l:Lake) WHERE l.depth > average {} RETURN {}"
)


def test_what_hangs_on_the_last_digits_of_a_mean_is_not_released(lakes: Path) -> None:
    folder = lakes.parent
    depths = {"Ost": 0.1, "Vest": 0.2, "Nord": 0.3, "Sør": 7.5, "Bua": -7.1}  # 0.2 in the mean
    nodes = [{"id": n, "labels": ["Lake"], "name": n, "depth": d} for n, d in depths.items()]
    graph = {"directed": True, "multigraph": False, "graph": {}, "nodes": nodes, "links": []}
    (folder / "lakes.json").write_text(json.dumps(graph), encoding="utf-8")
    pairs = [
        {"question": "Which lakes are deeper than average?", "cypher": ABOVE.format("", "l.name")},
        {"question": "How many are?", "cypher": ABOVE.format("", "count(*) AS number")},
        {
            "question": "Which of the deeper ones are no Vest?",
            "cypher": ABOVE.format("AND l.name <> 'Vest'", "l.name, average"),
        },
        {
            "question": "What is the average depth?",
            "cypher": "MATCH (l:Lake) RETURN avg(l.depth) AS average",
        },
    ]
    lines = "".join(json.dumps(pair) + "\n" for pair in pairs)
    (folder / "pairs.jsonl").write_text(lines, encoding="utf-8")
    assert main(["build", str(lakes), "--out", str(folder / "o"), "--jobs", "1"]) == 0
    corpus = Corpus(folder / "o")
    codes = {each["line"]: each["code"] for each in corpus.rejects()}
    assert {line: codes.get(line) for line in (1, 2)} == {1: "near-mean", 2: "near-mean"}
    assert {"near-mean"}.isdisjoint(code for line, code in codes.items() if line > 2)
