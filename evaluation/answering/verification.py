"""What a query names, verified against the graph (MA-4): auxiliary Cypher queries, then near
spellings by edit similarity; the ranking of all values is a model's."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.answering.running import Runner
from evaluation.base import Task
from schemagraph.describe import Size, describe

NEAR = 3  # near spellings that are told
MOST = 200  # values of a kind that a model ranks; those nearest in spelling, where there are more


@dataclass(frozen=True, slots=True)
class Check:
    """One item, whether it exists, and what comes near: by spelling with the similarity in
    percent, by a model's ranking."""

    item: str
    exists: bool
    near: tuple[tuple[str, float], ...] = ()
    ranked: tuple[str, ...] = ()

    def text(self) -> str:
        """One line for prompts."""
        if self.exists:
            return f"{self.item}: exists"
        line = f"{self.item}: does not exist"
        if self.near:
            line += "; near: " + ", ".join(f"{name} ({share:.2f})" for name, share in self.near)
        return line + (f"; most likely: {', '.join(self.ranked)}" if self.ranked else "")


def similarity(left: str, right: str) -> float:
    """MA-5: 100 · (1 − d / (|a| + |b|)), d counts insertions and deletions, case counts; with two
    decimals.

    >>> similarity("corlys velaryon", "Lucerys Velaryon")
    77.42
    """
    whole = len(left) + len(right)
    if not whole:
        return 100.0
    return round(200 * _common(left, right) / whole, 2)


def _common(left: str, right: str) -> int:
    """The length of the longest common subsequence."""
    row = [0] * (len(right) + 1)
    for letter in left:
        before = 0
        for place, other in enumerate(right, 1):
            above = row[place]
            row[place] = before + 1 if letter == other else max(above, row[place - 1])
            before = above
    return row[-1]


def nearest(text: str, among: Sequence[str], number: int = NEAR) -> tuple[tuple[str, float], ...]:
    """The texts nearest in spelling, the nearest first."""
    scored = [(name, similarity(text, name)) for name in among]
    return tuple(sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:number])


type Rank = Callable[[str, str, str, Sequence[str]], Sequence[str]]


def verify(task: Task, runner: Runner, items: Mapping[str, Any], rank: Rank) -> list[Check]:
    """Check extracted items, in the order labels, values, relationships. `runner` runs Cypher;
    `rank(label, property, value, names)` asks a model."""
    checks = []
    labels = task.schema.labels
    for label in _texts(items.get("node_labels")):
        known = label in labels
        checks.append(Check(f"label {label}", known, () if known else nearest(label, labels)))
    for triple in _lists(items.get("node_property_values")):
        if len(triple) == 3:
            checks.append(_value(task, runner, str(triple[0]), str(triple[1]), triple[2], rank))
    lines = describe(task.schema, Size.PATTERNS).splitlines()
    patterns = lines[len(task.schema.nodes) :]
    for pattern in _texts(items.get("pairwise_relationships")):
        known = "".join(pattern.split()) in patterns
        near = () if known else nearest(pattern, patterns)
        checks.append(Check(f"relationship {pattern}", known, near))
    return checks


def _value(task: Task, runner: Runner, label: str, key: str, value: Any, rank: Rank) -> Check:
    item = f"value {json.dumps(value, ensure_ascii=False)} of {key} of {label}"
    owners = [node for node in task.schema.with_label(label) if node.property(key) is not None]
    if not owners:
        keys = sorted({p.name for n in task.schema.with_label(label) for p in n.properties})
        return Check(f"property {key} of {label}", False, nearest(key, keys))
    place = f"MATCH (n:{_quoted(label)})"
    literal = json.dumps(value, ensure_ascii=False)
    exact = runner.run(task, f"{place} WHERE n.{_quoted(key)} = {literal} RETURN 1 AS one LIMIT 1")
    if exact.outcome == "rows":
        return Check(item, True)
    every = runner.run(task, f"{place} RETURN DISTINCT n.{_quoted(key)} AS value ORDER BY value")
    names = [row[0] for row in every.rows if isinstance(row[0], str)]
    if not names or not isinstance(value, str):
        return Check(item, False)
    near = nearest(value, names)
    asked = names if len(names) <= MOST else [name for name, _ in nearest(value, names, MOST)]
    ranked = [name for name in rank(label, key, value, asked) if name in names]
    return Check(item, False, near, tuple(ranked[:NEAR]))


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _texts(value: Any) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _lists(value: Any) -> list[list[Any]]:
    return [each for each in value if isinstance(each, list)] if isinstance(value, list) else []
