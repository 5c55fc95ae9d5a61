"""Predictions against gold that cannot be run: texts, grammar, structure and classes of errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaluation.foreign import Benchmark, Item
from evaluation.groups import length_bin
from evaluation.languages import Tools
from evaluation.metrics.clauses import same_parts
from evaluation.metrics.difference import classify
from evaluation.metrics.idioms import idiom
from evaluation.metrics.text import exact, gleu, jaro_winkler, normalised
from evaluation.predictions import Predictions
from evaluation.reading import Reading, judged, read
from evaluation.score import Score
from graph_ir.canonical import fingerprint

EXECUTED = (
    "ex",
    "ex_interval",
    "suite_ex",
    "suite_ex_interval",
    "ladder",
    "any_columns",
    "suite",
    "exec",
    "psjs",
    "related_schema",
    "linked_schema",
    "twig_hits",
    "judged",
    "abstention",
)
"""Figures that need a graph."""


_OF_SLICES = ("n", "missing", "grammar", "gleu", "jaro_winkler", "em_text", "em_clauses", "gam")


def static_scores(benchmark: Benchmark, predictions: Predictions, tools: Tools) -> Iterator[Score]:
    """The scores of every record, in the order of the file; nothing is run."""
    variants = predictions.variants(benchmark.language) or [("", None)]
    for item in benchmark.items:
        gold = _read(item.gold, tools)
        for form, knowledge in variants:
            prediction = predictions.by_key.get((item.id, benchmark.language, form, knowledge))
            score = Score(item.id, item.db, benchmark.language, form)
            score.groups = {
                "database": (item.db,),
                "tier": (item.difficulty or "unknown",),
                "query_length": (length_bin(item.gold),),
            }
            if prediction is None or prediction.query is None:
                score.missing, score.abstained = prediction is None, prediction is not None
                score.category = "missing" if prediction is None else "abstained"
                score.gleu, score.gam = gleu(item.gold, ""), False
            else:
                _measure(score, item, gold, prediction.query, tools)
            yield score


def _read(text: str, tools: Tools) -> Reading:
    if tools.read is not None:
        return read(text, tools.read, None)
    return judged(text, tools.check) if tools.check else Reading(text, True)


def _measure(score: Score, item: Item, gold: Reading, text: str, tools: Tools) -> None:
    reading = _read(text, tools)
    score.parses, score.error, score.message = reading.parses, reading.code, reading.message
    score.exact, score.text = exact(item.gold, text), normalised(item.gold) == normalised(text)
    score.clauses = same_parts(item.gold, text)
    score.gleu, score.similarity = gleu(item.gold, text), jaro_winkler(item.gold, text)
    if gold.statement is None:
        return
    if reading.statement is not None:
        score.gam = fingerprint(reading.statement) == fingerprint(gold.statement)
    else:
        score.gam = False
    if score.gam:
        return
    if not reading.parses:
        carried = idiom(text, tools.language)
        score.category = "idiom" if carried or reading.code == "sql" else "syntax"
        return
    difference = classify(
        gold.statement, reading.statement, right=False, code=reading.code, parses=True
    )
    score.category, score.details, score.repair = (
        difference.category,
        difference.details,
        difference.repair,
    )


def without_execution(figures: dict[str, Any]) -> dict[str, Any]:
    """The figures of a summary that need no graph."""
    kept = {name: value for name, value in figures.items() if name not in EXECUTED}
    kept["by"] = {
        dimension: {
            value: {name: own[name] for name in _OF_SLICES} for value, own in values.items()
        }
        for dimension, values in figures["by"].items()
    }
    return kept


def without_answers(line: dict[str, Any]) -> dict[str, Any]:
    """A line of the trace without what needs a graph."""
    return {name: value for name, value in line.items() if name not in ("ex", "exec", "rung")}
