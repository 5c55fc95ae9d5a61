"""The classes of errors on mutants of known kind, over a corpus; or on labelled wrong queries.

    python -m benchmarks.error_classes CORPUS
    python -m benchmarks.error_classes CORPUS --labelled FILE

Each mutant is classified as it is and with other variables and parts in another order.

FILE has wrong predictions that people wrote and labelled without sight of the code of the classes:
JSON lines `{"id", "query", "class"}`. `id` is that of a record of CORPUS (its split does not
matter), `query` a wrong query for the record's question in Cypher (in another language with
`"language"`), and `class` what the author says is wrong: one of `syntax`, `idiom`, `schema`,
`condition`, `aggregation`, `structure`, `returned` (the table in docs/evaluation.md). Several where
more than one is wrong, the weightiest first, as `"condition, structure"`: the class is right where
it is the first. `"second"` is the class that a second person gave (without sight of the first);
lines without one count for the first alone. Each query is scored as `graphmill evaluate` does:
parsed, run, compared. Printed are the share of queries whose class is the label's, for each person
and where both agree; how often both agree; pairs of label and class that differ, with their ids;
and lines whose query turned out right or whose id there is not.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import graphmill
from evaluation.metrics.difference import CLASSES, classify
from graph_ir.bind.statements import bind
from graph_ir.canonical import canonical, fingerprint
from graph_ir.cypher.reader import parse
from graphmill.errors import GraphmillError
from graphmill.files import read_json_lines, read_records
from qa.mutation.mutants import mutants
from schemagraph.folder.serde import load_schema
from tests.evaluation.test_classes import CLASS_OF


def main() -> None:
    """Print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--labelled", type=Path)
    given = parser.parse_args()
    if given.labelled is None:
        print(json.dumps(of_mutants(given.corpus)))
    else:
        print(json.dumps(of_labelled(given.corpus, labelled_lines(given.labelled)), indent=1))


def labelled_lines(path: Path) -> list[dict[str, Any]]:
    """The labelled queries of a file.

    Raises:
        GraphmillError: the file cannot be read, or a line is none of these.
    """
    lines = []
    for number, line in read_json_lines(path):
        if isinstance(line, GraphmillError):
            raise line
        labels = [label for name in ("class", "second") for label in labels_of(line, name)]
        wrong = [label for label in labels if label not in CLASSES]
        if not isinstance(line.get("query"), str) or not labels_of(line, "class") or wrong:
            shown = f" There is no class {wrong[0]!r}: {', '.join(CLASSES)}." if wrong else ""
            raise GraphmillError(f"{path}, line {number}, is no id, query and class.{shown}")
        lines.append(line)
    return lines


def labels_of(line: Mapping[str, Any], name: str) -> list[str]:
    """The classes in a line's `class` or `second`, the weightiest first.

    >>> labels_of({"class": "condition, structure"}, "class")
    ['condition', 'structure']
    """
    return [label.strip() for label in str(line.get(name, "")).split(",") if label.strip()]


def of_labelled(corpus: Path, lines: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """How often the class is the label's."""
    counts: Counter[str] = Counter()
    differing: dict[str, list[str]] = {}
    right, unknown = [], []
    turns: list[list[Mapping[str, Any]]] = []
    seen: Counter[tuple[str, str]] = Counter()
    for line in lines:  # a run takes one prediction of a record; those of the same come in turns
        key = line["id"], line.get("language", "cypher")
        if seen[key] == len(turns):
            turns.append([])
        turns[seen[key]].append(line)
        seen[key] += 1
    for turn in turns:
        classes = _scored(corpus, turn)
        for line in turn:
            key = line["id"], line.get("language", "cypher")
            if key not in classes:
                unknown.append(line["id"])
                continue
            own = classes[key]
            if own in ("", "harmless"):
                right.append(line["id"])
                continue
            first, second = (labels_of(line, name)[:1] for name in ("class", "second"))
            counts["n"] += 1
            counts["first"] += first == [own]
            if second:
                counts["labelled twice"] += 1
                counts["second"] += second == [own]
                counts["people agree"] += first == second
                counts["both"] += first == second == [own]
            if first != [own]:
                differing.setdefault(f"{first[0]}, not {own}", []).append(line["id"])
    return {
        **{name: counts[name] for name in ("n", "first", "labelled twice", "people agree")},
        "second": counts["second"],
        "both": counts["both"],
        "share": counts["first"] / counts["n"] if counts["n"] else None,
        "label, not class": dict(sorted(differing.items())),
        "right after all": right,
        "no such record or text": unknown,
    }


def _scored(corpus: Path, lines: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], str]:
    given = [
        {"id": line["id"], "query": line["query"], "language": line.get("language", "cypher")}
        for line in lines
    ]
    with tempfile.TemporaryDirectory() as folder:
        graphmill.evaluate(corpus, given, out=Path(folder))
        text = (Path(folder) / "trace.jsonl").read_text(encoding="utf-8")
    trace = [json.loads(line) for line in text.splitlines()]
    return {(line["id"], line["language"]): line.get("class", "") for line in trace}


def of_mutants(corpus: Path) -> dict[str, Any]:
    """How often the class of a mutant is that of its operator."""
    whole: Counter[str] = Counter()
    right: Counter[str] = Counter()
    for path in sorted((corpus / "data").glob("*.parquet")):
        for _, record in read_records(path):
            schema = load_schema(corpus / "graphs" / record.db)
            gold = bind(parse(record.queries["cypher"]), schema).statement
            for mutant in mutants(gold, schema, Random(1), cap=None):
                if fingerprint(mutant.statement) == fingerprint(gold):
                    continue
                for statement in (mutant.statement, canonical(mutant.statement)):
                    predicted = bind(statement, schema).statement
                    found = classify(
                        gold, predicted, right=False, code="", parses=True, schema=schema
                    )
                    expected = CLASS_OF[mutant.operator]
                    whole[expected] += 1
                    right[expected] += found.category == expected
    shares = {name: [right[name], whole[name]] for name in sorted(whole)}
    return {"right": right.total(), "of": whole.total(), "by class": shares}


if __name__ == "__main__":
    main()
