"""Which archetypes and operators released queries show, over several databases, as tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from generators.queries.archetypes.load import own_archetypes
from generators.queries.evolution.operators import FAMILIES
from graphmill.record import Record
from pipelines.configuration.config import Corpus

COLUMNS = {
    "released": "released",
    "tier_points": "tier points",
    "certified": "certified",
    "trivial": "trivial",
    "shapes": "shapes",
    "alike": "alike",
    "variable-length": "var. length",
    "three-hops": "three hops",
    "optional-or-negation": "opt./neg.",
    "multi-stage": "multi-stage",
    "told_apart_mean": "told apart",
    "told_apart_least": "least",
    "yield": "yield",
    "per_second": "a second",
    "words": "words",
}


def appearances(records: Sequence[Record]) -> dict[str, dict[str, int]]:
    """Records by archetype and operator.

    `seeds`: an archetype's own queries; `origins`: those that were evolved from one. `steps`: an
    operator's last steps; `lineage`: those on the way to a released query.
    """
    found: dict[str, Counter[str]] = {
        name: Counter() for name in ("seeds", "origins", "steps", "lineage")
    }
    for record in records:
        made = record.provenance
        archetype = made.source.partition(":")[2] if made.maker != "pairs" else ""
        if made.trace:
            found["steps"][made.trace[-1].operation] += 1
            found["lineage"].update({step.operation for step in made.trace})
        if archetype:
            found["origins" if made.trace else "seeds"][archetype] += 1
    return {name: dict(sorted(counts.items())) for name, counts in found.items()}


def families() -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Archetypes and operators by family; archetypes that a corpus cannot use are left out."""
    archetypes: dict[str, list[str]] = defaultdict(list)
    for each in own_archetypes():
        if not set(each.lacks) & set(Corpus(name="x").languages):
            archetypes[each.family].append(each.name)
    operators = {name: [each.name for each in FAMILIES.get(name)] for name in FAMILIES.names()}
    return dict(archetypes), operators


def absent(results: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """Archetypes without a query of their own, and operators without a last step, anywhere."""
    archetypes, operators = families()
    shown = {
        name: {each for one in results for each in one["appearances"][name]}
        for name in ("seeds", "steps")
    }
    return {
        "archetypes": sorted({n for each in archetypes.values() for n in each} - shown["seeds"]),
        "operators": sorted({n for each in operators.values() for n in each} - shown["steps"]),
    }


def tables(results: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Markdown: a line a database, a line a family of archetypes, a line an operator."""
    yield f"| database | {' | '.join(COLUMNS.values())} |"
    yield f"|---{'|---' * len(COLUMNS)}|"
    for one in results:
        yield f"| {one['db']} | {' | '.join(f'{one.get(n, 0):g}' for n in COLUMNS)} |"
    archetypes, operators = families()
    counts = {
        name: sum((Counter(one["appearances"][name]) for one in results), Counter[str]())
        for name in ("seeds", "origins", "steps", "lineage")
    }
    where = {
        name: Counter(n for one in results for n in one["appearances"][name])
        for name in ("seeds", "steps")
    }
    yield ""
    yield "| family of archetypes | archetypes | seen | queries | evolved from them |"
    yield "|---|---|---|---|---|"
    for family, names in sorted(archetypes.items()):
        seen = sum(counts["seeds"][n] > 0 for n in names)
        sums = (sum(counts[kind][n] for n in names) for kind in ("seeds", "origins"))
        yield f"| {family} | {len(names)} | {seen} | {' | '.join(map(str, sums))} |"
    yield ""
    yield "| operator | last step | on the way | databases |"
    yield "|---|---|---|---|"
    for names in operators.values():
        for name in names:
            figures = counts["steps"][name], counts["lineage"][name], where["steps"][name]
            yield f"| {name} | {' | '.join(map(str, figures))} |"
