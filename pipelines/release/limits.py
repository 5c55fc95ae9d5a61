"""What one must know before relying on a corpus: its weak points, told by its own figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graphmill.record import SPLITS
from pipelines.pictures.texts import TIERS, count, language, listed, percent
from pipelines.release.description import Description
from pipelines.release.figures import Figures
from pipelines.release.glance import GraphGlance

_SMALL = 10_000  # nodes


@dataclass(frozen=True, slots=True)
class Limit:
    """A weak point: a few words, and a sentence with figures."""

    title: str
    text: str


def limits(
    folder: Path, about: Description, found: Figures, graphs: Sequence[GraphGlance]
) -> list[Limit]:
    """The weak points, the gravest first."""
    said = [
        _disagreeing(found),
        _unexecuted(found),
        _narrow(found),
        _shared(found),
        _unrated(folder, found),
        _short(about),
        _apart(found),
        _small(graphs),
        _pseudonymous(about),
        _unlicensed(about, graphs),
    ]
    return [each for each in said if each is not None]


def _disagreeing(found: Figures) -> Limit | None:
    if not found.disagreeing:
        return None
    many = f"{found.disagreeing:,} of {count(found.executions, 'execution')}"
    return Limit("Not all is proven.", f"{many} have nothing that confirms them.")


def _unexecuted(found: Figures) -> Limit | None:
    names = [name for name in found.languages_ranked if not found.executed.get(name)]
    if not names:
        return None
    number = sum(found.languages[name] for name in names)
    return Limit(
        f"{listed([language(name) for name in names])} was not executed.",
        f"No engine here runs it: {count(number, 'query', 'queries')} are translated by the same "
        "rules, and checked, but not proven by execution.",
    )


def _narrow(found: Figures) -> Limit | None:
    domains = list(found.domains)
    if len(domains) > 1:
        return None
    dbs = count(len(found.databases), "database")
    return Limit("One domain only.", f"All of it is about {domains[0]} ({dbs}).")


def _shared(found: Figures) -> Limit | None:
    both = [db for db, counts in found.databases.items() if counts["train"] and counts["test"]]
    if not both:
        return None
    return Limit(
        "Test and train share a graph.",
        f"{count(len(both), 'database')} of {len(found.databases)} lie in both: the test split "
        "measures new questions, not new schemas.",
    )


def _unrated(folder: Path, found: Figures) -> Limit | None:
    if any(folder.glob("ratings*")):
        return None
    levels = sum(found.questions[name].number for name in found.questions if name != "original")
    if not levels:
        return None
    models = sorted(found.models)
    by = f"by a model ({listed(models)})" if models else "by rule"
    return Limit(
        "No person rated it yet.",
        f"{count(levels, 'question')} are written {by} and checked by program.",
    )


def _short(about: Description) -> Limit | None:
    missing = [
        f"{TIERS.get(name, name)} {reached:,} of {wanted:,}"
        for _, name, wanted, reached in about.goals
        if reached < wanted
    ]
    if not missing:
        return None
    return Limit(
        "Some targets were missed.", f"{'; '.join(missing[:4])}{' …' if len(missing) > 4 else ''}."
    )


def _apart(found: Figures) -> Limit | None:
    if not found.scores:
        return None
    least = min(found.scores)
    weak = sum(n for score, n in found.scores.items() if score < 1)
    if not weak:
        return None
    return Limit(
        "Some answers fit other queries too.",
        f"The answers of {count(weak, 'record')} do not tell their query from every altered copy "
        f"of it; the least is {percent(least)} of the copies.",
    )


def _small(graphs: Sequence[GraphGlance]) -> Limit | None:
    most = max((graph.node_count for graph in graphs), default=0)
    if not 0 < most < _SMALL:
        return None
    return Limit(
        "The data is small.",
        f"The largest graph has {count(most, 'node')}: it says nothing about speed at scale.",
    )


def _pseudonymous(about: Description) -> Limit | None:
    if not about.config.get("privacy", {}).get("pseudonyms"):
        return None
    return Limit(
        "Texts are made up.",
        "Words stand for those of a private database: questions sound odd, and a model’s knowledge "
        "of the world does not help. Dates, numbers and links are the real ones.",
    )


def _unlicensed(about: Description, graphs: Sequence[GraphGlance]) -> Limit | None:
    names = [graph.db for graph in graphs if graph.licence in ("", "not stated")]
    if about.licence and not names:
        return None
    whose = "the corpus" if not about.licence else listed(names[:4])
    return Limit("A licence is missing.", f"None is stated for {whose}.")


def used_splits(found: Figures) -> list[str]:
    """The splits that have records."""
    return [split for split in SPLITS if found.splits[split]]
