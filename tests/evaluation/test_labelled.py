"""Labelled wrong queries are held against the classes (`error_classes.py --labelled`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.error_classes import labelled_lines, of_labelled
from graphmill.errors import GraphmillError
from graphmill.record import Record


@pytest.mark.slow
def test_labels_of_two_people(corpus: Path, records: list[Record]) -> None:
    ships = next(r for r in records if r.questions.original == "Which ships were built after 2000?")
    constant = "MATCH (s:Ship) WHERE s.built > 1900 RETURN s.name"
    lines = [
        {"id": ships.id, "query": constant, "class": "condition", "second": "condition"},
        {"id": ships.id, "query": "MATCH (s:Ship RETURN s", "class": "syntax", "second": "idiom"},
        {"id": ships.id, "query": constant, "class": "schema, condition"},
        {"id": ships.id, "query": ships.queries["cypher"], "class": "schema"},
        {"id": "none", "query": constant, "class": "schema"},
    ]
    counted = of_labelled(corpus, lines)
    assert (counted["n"], counted["first"], counted["share"]) == (3, 2, 2 / 3)
    assert counted["labelled twice"] == 2
    assert counted["people agree"] == counted["second"] == counted["both"] == 1
    assert counted["label, not class"] == {"schema, not condition": [ships.id]}
    assert counted["right after all"] == [ships.id]
    assert counted["no such record or text"] == ["none"]


def test_lines_that_are_none_are_named(tmp_path: Path) -> None:
    file = tmp_path / "labelled.jsonl"
    file.write_text(json.dumps({"id": "a", "query": "RETURN 1", "class": "typo"}), encoding="utf-8")
    with pytest.raises(GraphmillError, match=r"line 1, .* There is no class 'typo': syntax, "):
        labelled_lines(file)
