"""Tables of the papers that are of a corpus, not of a run (TB-J1, TB-J5, TB-J6, NS-9).

They are of the records that a run reads: all splits where none is named. What people rated (scores,
pass, κ of Text2GQL-Bench, Table 4) is in the report of `graphmill review`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from evaluation.papers import Row, Table
from graphmill.record import DIFFICULTIES, SPLITS, Record

LEVELS = ("syntactic", "logical", "business", "original")
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")


def corpus_statistics(
    records: Iterable[tuple[str, Record]], hops: Mapping[str, str]
) -> dict[str, Any]:
    """The figures of the tables: `records` with their splits, `hops` by id where they are known.

    Unanswerable questions are left out.
    """
    domains: dict[str, set[str]] = defaultdict(set)
    databases: dict[str, set[str]] = defaultdict(set)
    examples: Counter[str] = Counter()
    lengths: dict[str, list[int]] = defaultdict(list)
    words: dict[str, list[int]] = defaultdict(list)
    vocabulary: dict[str, set[str]] = defaultdict(set)
    by_hops: dict[str, Counter[str]] = defaultdict(Counter)
    for split, record in records:
        if not record.queries:
            continue
        for part in (split, "total"):
            domains[part].add(record.domain)
            databases[part].add(record.db)
            examples[part] += 1
        lengths[record.difficulty or ""].append(len(record.queries.get("cypher", "")))
        for level in LEVELS:
            own = _WORD.findall(getattr(record.questions, level).casefold())
            if own:
                words[level].append(len(own))
                vocabulary[level].update(own)
        if record.id in hops:
            by_hops[split][hops[record.id]] += 1
    return {
        "splits": {
            part: {
                "domains": len(domains[part]),
                "databases": len(databases[part]),
                "examples": examples[part],
            }
            for part in ("total", *SPLITS)
            if examples[part]
        },
        "tiers": {
            tier: {"n": len(own), "length": round(sum(own) / len(own), 2)}
            for tier in DIFFICULTIES
            if (own := lengths[tier])
        },
        "levels": {
            level: {
                "n": len(own),
                "length": round(sum(own) / len(own), 2),
                "vocabulary": len(vocabulary[level]),
            }
            for level in LEVELS
            if (own := words[level])
        },
        "hops": {split: dict(sorted(own.items())) for split, own in sorted(by_hops.items())},
    }


def corpus_tables(statistics: Mapping[str, Any]) -> list[Table]:
    """Text2GQL-Bench's Tables 3 to 5 and NAT-NL2GQL's Table 1, in their layout."""
    return [
        _splits(statistics["splits"]),
        _tiers(statistics["tiers"]),
        _levels(statistics["levels"]),
        _hops(statistics["hops"]),
    ]


def _splits(own: Mapping[str, Mapping[str, int]]) -> Table:
    names = ("domains", "databases", "examples")
    rows: list[Row] = [(name, *(str(part[name]) for part in own.values())) for name in names]
    return "Text2GQL-Bench, Table 3", ("how many", *own), rows if own else []


def _tiers(own: Mapping[str, Mapping[str, Any]]) -> Table:
    whole = sum(part["n"] for part in own.values())
    rows: list[Row] = [
        (tier, f"{100 * part['n'] / whole:.2f} %", f"{part['length']:.2f}")
        for tier, part in own.items()
    ]
    if whole:
        mean = sum(part["n"] * part["length"] for part in own.values()) / whole
        rows.append(("overall", "100.00 %", f"{mean:.2f}"))
    title = "Text2GQL-Bench, Table 4 (what people rated is in the review's report)"
    return title, ("tier", "share", "length (characters of Cypher)"), rows


def _levels(own: Mapping[str, Mapping[str, Any]]) -> Table:
    rows: list[Row] = [
        (level, f"{part['length']:.2f}", f"{part['vocabulary']:,}") for level, part in own.items()
    ]
    title = "Text2GQL-Bench, Table 5 (what people rated is in the review's report)"
    return title, ("question", "length (words)", "vocabulary"), rows


def _hops(own: Mapping[str, Mapping[str, int]]) -> Table:
    heads = sorted({hops for part in own.values() for hops in part})
    rows: list[Row] = [
        (split, *(str(part.get(hops, 0)) for hops in heads), str(sum(part.values())))
        for split, part in own.items()
    ]
    return "NAT-NL2GQL, Table 1", ("hops", *heads, "sum"), rows
