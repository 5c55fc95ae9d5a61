"""The difference of two corpora as one page, without network and script."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup

from graphmill import __version__
from pipelines.difference.corpora import Difference
from pipelines.difference.records import Change, flat
from pipelines.pages.templates import environment, style, style_hash
from pipelines.pictures.differences import changed
from pipelines.release.corpus import Corpus

MOST = 200  # records of one kind that are shown
_TITLES = (
    ("added", "Records that came"),
    ("gone", "Records that went"),
    ("changed", "Records that changed"),
)


def page(difference: Difference) -> str:
    """The page; every text that comes from the corpora is escaped."""
    chosen = {kind: difference.of(kind) for kind, _ in _TITLES}
    few = [change for changes in chosen.values() for change in changes[:MOST]]
    old = _rows(difference.old, {c.old.id for c in few if c.old})
    new = _rows(difference.new, {c.new.id for c in few if c.new})
    return (
        environment()
        .get_template("difference.html")
        .render(
            version=__version__,
            style=Markup(style()),  # noqa: S704 - our own style sheet
            style_hash=style_hash(),
            names=(difference.old.name, difference.new.name),
            verdict=str(difference),
            equal=difference.is_equal,
            tiles=[(f"records {kind}", f"{len(chosen[kind]):,}") for kind, _ in _TITLES],
            figures=[
                (g, n, f"{a:,}", f"{b:,}", f"{b - a:+,}") for g, n, a, b in difference.figures
            ],
            lines=[_line(line) for line in difference.lines],
            notes=[_line(line) for line in difference.notes],
            sections=[
                (kind, title, len(chosen[kind]), [_card(c, old, new) for c in chosen[kind][:MOST]])
                for kind, title in _TITLES
                if chosen[kind]
            ],
        )
    )


def _rows(corpus: Corpus, ids: set[str]) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in corpus.records() if row["id"] in ids} if ids else {}


def _card(
    change: Change, old: dict[str, dict[str, Any]], new: dict[str, dict[str, Any]]
) -> dict[str, Any]:
    """What is shown of one record: title and query, or each field with its words that changed."""
    before = flat(old[change.old.id]) if change.old else {}
    after = flat(new[change.new.id]) if change.new else {}
    some = after or before
    return {
        "id": some["id"],
        "db": some["db"],
        "title": some.get("question_business") or some.get("question") or some["id"],
        "query": "" if change.fields else some.get("queries.cypher", ""),
        "fields": [
            (name, changed(str(before.get(name, "")), str(after.get(name, ""))))
            for name in change.fields
        ],
    }


def _line(line: dict[str, Any]) -> tuple[str, str, str, str, str]:
    """A difference that is no record's, as cells: what, whose, which, before, after."""
    if line["what"] == "rejects":
        return "rejects", "", line["name"], f"{line['gone']:,} gone", f"{line['added']:,} added"
    sides = [str(line[side]) if side in line else "" for side in ("old", "new")]
    if "old" not in line and "new" not in line:
        sides = ["", line["change"]]
    return line["what"], line.get("of", ""), line["name"], *sides
