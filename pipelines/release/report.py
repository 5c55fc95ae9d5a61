"""`report.html`: what was built, what was dropped and why, on one page without scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from graphmill.record import Record, Reject
from pipelines.configuration.config import Config
from pipelines.release.figures import covered, depths, lengths, vocabulary

SHOWN = 3

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse; margin: 1em 0 } td, th { border: 1px solid #ccc;
padding: .3em .6em; text-align: left; vertical-align: top } pre { white-space: pre-wrap; margin: 0 }
"""


def report(
    config: Config, records: Sequence[Record], rejects: Sequence[Reject], funnel: dict[str, Any]
) -> str:
    """The page; every text that comes from data, queries or people is escaped."""
    name = escape(config.corpus.name)
    uses = Counter(construct for record in records for construct in record.constructs)
    tiers = lengths(records)
    parts = [
        f"<h1>{name}</h1>",
        "<h2>From candidates to records</h2>",
        _table(("stage", "left"), funnel["stages"].items()),
        *_targets(funnel),
        "<h2>Difficulty</h2>",
        _table(
            ("tier", "records", "share", "Cypher characters, mean"),
            [(tier, n, f"{share:.1%}", f"{length:.0f}") for tier, n, share, length in tiers],
        ),
        "<h2>Questions</h2>",
        _table(
            ("level", "questions", "words, mean", "distinct words"),
            [(level, *row.values()) for level, row in vocabulary(records).items()],
        ),
        "<h2>Steps of evolution</h2>",
        _table(("steps", "records"), sorted(depths(records).items())),
        "<h2>Groups of constructs</h2>",
        _table(
            ("group", "records", "share"),
            [(group, n, f"{n / len(records):.1%}") for group, n in _ranked(covered(records))],
        ),
        "<h2>Constructs</h2>",
        _table(("construct", "records"), _ranked(uses)),
        "<h2>Dropped, and why</h2>",
        _table(
            ("stage", "code", "count", "examples"),
            [
                (row["stage"], row["code"], row["count"], _examples(rejects, row))
                for row in funnel["rejects"]
            ],
        ),
        "<h2>Records</h2>",
        _table(
            ("question", "business", "tier", "Cypher"),
            [
                (r.questions.original, r.questions.business, r.difficulty, r.queries["cypher"])
                for r in records
            ],
        ),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{name}</title><style>{_STYLE}</style></head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body></html>\n"
    )


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    """The most frequent first; as many by name."""
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))


def _targets(funnel: dict[str, Any]) -> list[str]:
    """What each database was to have and has; what each archetype and operator brought."""
    if not funnel.get("grown"):
        return []
    goals, stopped = [], []
    makers: dict[str, list[int]] = {}
    for grown in funnel["grown"]:
        for kind in ("tiers", "groups"):
            goals += [(grown["db"], name, *counts) for name, counts in grown[kind].items()]
        goals.append((grown["db"], "queries of one shape, at most", *grown["most_alike"]))
        if grown["stopped"]:
            stopped.append(f"<p>{escape(grown['db'])}: {escape(grown['stopped'])}</p>")
        for name, counts in grown["makers"].items():
            known = makers.setdefault(name, [0, 0, 0])
            makers[name] = [a + b for a, b in zip(known, counts, strict=True)]
    rows = [
        (name, *counts, f"{counts[2] / counts[0]:.0%}" if counts[0] else "")
        for name, counts in sorted(makers.items(), key=lambda item: (-item[1][2], item[0]))
    ]
    return [
        "<h2>Targets</h2>",
        *stopped,
        _table(("database", "target", "wanted", "reached"), goals),
        "<h2>Archetypes and operators</h2>",
        _table(("maker", "drafts", "candidates", "released", "yield"), rows),
    ]


def _examples(rejects: Sequence[Reject], row: dict[str, Any]) -> str:
    mine = [r for r in rejects if (r.stage, r.code) == (row["stage"], row["code"])]
    return "\n\n".join(
        f"{r.db}{f':{r.line}' if r.line else ''} {r.reason}\n{r.query}" for r in mine[:SHOWN]
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "\n".join(
        "<tr>" + "".join(f"<td><pre>{escape(str(cell))}</pre></td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><tr>{top}</tr>\n{body}</table>"
