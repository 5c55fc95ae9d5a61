"""Which element of a prediction stands for which of the gold query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

from evaluation.metrics.facts import Facts, text_of, variables
from graph_ir import nodes as ir
from graph_ir.walk import find

ROUNDS = 8


def aligned(gold: Facts, predicted: Facts, outer: frozenset[str] = frozenset()) -> dict[str, str]:
    """For names of the prediction's elements, those of the gold query; elements that only one has
    are left out (of the gold) or are called `extra …`. The choice makes most facts equal.

    `outer` are names that mean the same in both: those of the enclosing query.
    """
    mine, theirs = list(predicted.nodes), list(gold.nodes)
    similar = {
        (a, b): _likeness(_features(predicted, a), _features(gold, b)) for a in mine for b in theirs
    }
    chosen = {name: name for name in mine if name in outer and name in gold.nodes}
    fixed = frozenset(chosen)
    place = {name: at for at, name in enumerate(theirs)}
    pairs = sorted(
        similar, key=lambda pair: (-similar[pair], abs(mine.index(pair[0]) - place[pair[1]]))
    )
    for a, b in pairs:
        if a not in chosen and b not in chosen.values():
            chosen[a] = b
    chosen = _improved(chosen, gold, predicted, fixed)
    for number, name in enumerate(n for n in mine if n not in chosen):
        chosen[name] = f"extra {number + 1}"
    same = {name: name for name in outer}
    edges = _edges(gold, predicted, chosen)
    return {**same, **chosen, **edges, **_others(gold, predicted)}


def _features(facts: Facts, name: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    node = facts.nodes[name]
    counts["label " + node.labels] += 3
    for of in node.of:
        counts["type " + of] += 1
    for edge in facts.edges:
        for end, other in ((edge.left, "left"), (edge.right, "right")):
            if end == name:
                counts[f"{other} {edge.types}"] += 2
                counts[f"edge {edge.types}"] += 1
    reads = [
        *(expr for expr, _ in facts.conditions),
        *facts.columns,
        *(key for key, _ in facts.window.order),
        *(key for keys in facts.groups for key in keys),
    ]
    for expr in reads:
        for prop in find(expr, ir.Prop):
            if isinstance(prop.base, ir.Var) and prop.base.name == name:
                counts["property " + prop.key] += 2
    for at, column in enumerate(facts.columns):
        if name in variables(column):
            counts[f"column {at}"] += 1
    for expr, _ in facts.conditions:
        if name in variables(expr):
            counts["literal " + repr([n.value for n in find(expr, ir.Literal)])] += 2
    return counts


def _likeness(a: Counter[str], b: Counter[str]) -> int:
    return (a & b).total()


def _agreement(chosen: Mapping[str, str], gold: Facts, predicted: Facts) -> int:
    """How many facts are equal under a choice of names."""
    return (_written(predicted, chosen) & _written(gold, {n: n for n in gold.nodes})).total()


def _written(facts: Facts, names: Mapping[str, str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for name, node in facts.nodes.items():
        counts[f"{names.get(name)} {node.labels}"] += 1
    for edge in facts.edges:
        left, right = names.get(edge.left), names.get(edge.right)
        counts[f"{left} {edge.types} {right}"] += 2
        counts[f"{sorted(map(str, (left, right)))}"] += 1
    for expr, _ in facts.conditions:
        counts[text_of(expr, names)] += 1
    for at, expr in enumerate(facts.columns):
        counts[f"{at} {text_of(expr, names)}"] += 2
    for keys in facts.groups:
        for expr in keys:
            counts[f"group {text_of(expr, names)}"] += 2
    return counts


def _improved(
    chosen: dict[str, str], gold: Facts, predicted: Facts, fixed: frozenset[str]
) -> dict[str, str]:
    """The choice after swaps that make more facts equal."""
    best = _agreement(chosen, gold, predicted)
    for _ in range(ROUNDS):
        better = None
        for a, b in combinations([name for name in chosen if name not in fixed], 2):
            tried = {**chosen, a: chosen[b], b: chosen[a]}
            score = _agreement(tried, gold, predicted)
            if score > best:
                best, better = score, tried
        if better is None:
            break
        chosen = better
    return chosen


def _edges(gold: Facts, predicted: Facts, nodes: Mapping[str, str]) -> dict[str, str]:
    """Names of edges: by ends and type, then by ends."""
    names: dict[str, str] = {}
    left = list(gold.edges)
    for strict in (2, 1, 0):
        for edge in predicted.edges:
            if edge.var in names or not edge.var:
                continue
            ends = (nodes.get(edge.left), nodes.get(edge.right))
            for other in left:
                same = ends == (other.left, other.right)
                turned = ends == (other.right, other.left)
                typed = edge.types == other.types
                fits = (same and typed, (same or turned) and typed, same or turned)[2 - strict]
                if fits:
                    names[edge.var] = other.var
                    left.remove(other)
                    break
    return names


def _others(gold: Facts, predicted: Facts) -> dict[str, str]:
    """Names of lists and paths, which are called by their number in both."""
    names: set[str] = set()
    for facts in (gold, predicted):
        for expr in (*facts.columns, *(c for c, _ in facts.conditions)):
            names |= {n for n in variables(expr) if n.startswith(("list ", "path "))}
    return {name: name for name in names}
