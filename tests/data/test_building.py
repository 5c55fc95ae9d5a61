"""The building: units, dotted names, what is absent; ten questions with their answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import graphmill as gm
from engines.isolation import IsolatedEngine
from graphmill.files import example

SOURCE = example("building").parent

# Worked out from the rooms, doors, units and sensors of graph.json by hand.
ANSWERS: dict[str, list[tuple[Any, ...]]] = {
    "How many doors are there?": [(7,)],
    "What is the volume of the loft, in cubic metres?": [(38.95,)],
    "How many storeys has Larch House?": [(3,)],
    "What is the floor area of the entrance hall?": [(8.4,)],
    "In which unit is illuminance given?": [("lux", "lx")],
    "Has Larch House a laundry?": [(False,)],
    "How many millimetres is it round the entrance hall?": [(11640,)],
    "What is the address of the building?": [("Fjellveien 3", "Bergen", "Norway")],
    "Which sensors show no value, and in which rooms are they?": [
        ("H1", "bathroom"),
        ("L2", "living room"),
    ],
    "How warm is it in each room where that is measured?": [
        ("entrance hall", 19.5, "°C"),
        ("kitchen", 21.0, "°C"),
        ("living room", 21.5, "°C"),
        ("north bedroom", 18.0, "°C"),
    ],
}


def test_ten_questions_have_the_answers_that_the_house_has(tmp_path: Path) -> None:
    """MA-13: numbers, volumes, areas, units, absence, addresses of a house, ours."""
    gm.convert(SOURCE / "graph.json", tmp_path / "graph")
    lines = (SOURCE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = {pair["question"]: pair["cypher"] for pair in map(json.loads, lines)}
    with IsolatedEngine("grafeo", tmp_path / "graph", memory_mb=1500) as engine:
        answers = {
            question: sorted(engine.run(text, language="cypher", timeout=60.0).rows)
            for question, text in pairs.items()
        }
    assert answers == ANSWERS
