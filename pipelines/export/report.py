"""`report.html`: what was built, what was dropped and why, on one page without scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from graphmill.record import DIFFICULTIES, Record, Reject
from pipelines.config import Config

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
    tiers = Counter(record.difficulty for record in records)
    uses = Counter(construct for record in records for construct in record.constructs)
    by_use = sorted(uses.items(), key=lambda use: (-use[1], use[0]))
    parts = [
        f"<h1>{name}</h1>",
        "<h2>From candidates to records</h2>",
        _table(("stage", "left"), funnel["stages"].items()),
        "<h2>Difficulty</h2>",
        _table(("tier", "records"), [(tier, tiers[tier]) for tier in DIFFICULTIES]),
        "<h2>Constructs</h2>",
        _table(("construct", "records"), by_use),
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


def _examples(rejects: Sequence[Reject], row: dict[str, Any]) -> str:
    mine = [r for r in rejects if (r.stage, r.code) == (row["stage"], row["code"])]
    return "\n\n".join(f"{r.db}:{r.line} {r.reason}\n{r.query}" for r in mine[:SHOWN])


def _table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "\n".join(
        "<tr>" + "".join(f"<td><pre>{escape(str(cell))}</pre></td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f"<table><tr>{top}</tr>\n{body}</table>"
