"""What one must know before relying on a corpus: its weak points, told by its own figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from graphmill.record import SPLITS
from pipelines.configuration.reach import idle_engines
from pipelines.pictures.texts import TIERS, count, engine, listed, percent
from pipelines.release.description import Description
from pipelines.release.figures import Figures
from pipelines.release.glance import GraphGlance
from pipelines.release.nearest import nearness

_SMALL = 10_000  # nodes


@dataclass(frozen=True, slots=True)
class Limit:
    """A weak point: a few words, and a sentence with figures."""

    title: str
    text: str


def limits(
    folder: Path, about: Description, figures: Figures, graphs: Sequence[GraphGlance]
) -> list[Limit]:
    """The weak points, the gravest first."""
    candidates = [
        _disagreeing(figures),
        _unexecuted(figures),
        _idle(about, figures),
        _narrow(figures),
        _shared(figures),
        _near(folder),
        _unrated(folder, figures),
        _read_otherwise(figures),
        _flat(figures),
        _short(about),
        _apart(figures),
        _drawn(about),
        _small(graphs),
        _pseudonymous(about),
        _unlicensed(about, graphs),
    ]
    return [each for each in candidates if each is not None]


def _disagreeing(figures: Figures) -> Limit | None:
    if not figures.disagreeing:
        return None
    many = f"{figures.disagreeing:,} of {count(figures.executions, 'execution')}"
    return Limit("Not all is proven.", f"{many} have nothing that confirms them.")


def _unexecuted(figures: Figures) -> Limit | None:
    names = figures.languages_unexecuted
    if not names:
        return None
    number = figures.unexecuted.total()
    return Limit(
        f"{listed(names)} {'was' if len(names) == 1 else 'were'} not executed.",
        f"{count(number, 'query', 'queries')} {'is' if number == 1 else 'are'} translated by the "
        f"same rules, and checked, but no engine ran {'it' if number == 1 else 'them'}.",
    )


def _idle(about: Description, figures: Figures) -> Limit | None:
    """Engines of the configuration that could run a language and proved nothing of a database."""
    homes = {
        db: [split for split, number in counts.items() if number]
        for db, counts in figures.databases.items()
    }
    idle = idle_engines(about.config, figures.proving, homes)
    if not idle:
        return None
    texts = [
        f"{engine(name)} proved no record of {listed([*databases[:4], *_more(databases, 4)])}."
        for name, databases in idle.items()
    ]
    return Limit("An engine proved less than it was asked to.", " ".join(texts))


def _more(names: Sequence[str], shown: int) -> list[str]:
    return [f"{len(names) - shown} more"] if len(names) > shown else []


def _narrow(figures: Figures) -> Limit | None:
    domains = list(figures.domains)
    if len(domains) > 1:
        return None
    dbs = count(len(figures.databases), "database")
    return Limit("One domain only.", f"All of it is about {domains[0]} ({dbs}).")


def _flat(figures: Figures) -> Limit | None:
    """Queries that a table would answer as well, where they are more than one in four, and paths
    of open length, where they are fewer than one in ten."""
    plain = figures.records - figures.traversing
    if plain <= figures.records / 4 and figures.unbounded >= figures.records / 10:
        return None
    return Limit(
        "Few queries need a graph." if plain > figures.records / 4 else "Few paths are open.",
        f"{percent(plain / figures.records)} walk along no edge, and "
        f"{figures.unbounded:,} of {figures.records:,} have a path of open length or a shortest "
        "path; a fixed number of joins says the others.",
    )


def _shared(figures: Figures) -> Limit | None:
    both = [db for db, counts in figures.databases.items() if counts["train"] and counts["test"]]
    if not both:
        return None
    return Limit(
        "Test and train share a graph.",
        f"{count(len(both), 'database')} of {len(figures.databases)} "
        f"{'lies' if len(both) == 1 else 'lie'} in both: the test split measures new questions, "
        "not new schemas.",
    )


def _near(folder: Path) -> Limit | None:
    """Questions of test that train has nearly, where they are more than one in twenty."""
    near = nearness(folder)
    if near is None or near.near <= near.pairs / 20:
        return None
    return Limit("Some test questions are nearly in train.", near.text())


def _unrated(folder: Path, figures: Figures) -> Limit | None:
    if any(folder.glob("ratings*")):
        return None
    levels = sum(each.number for name, each in figures.questions.items() if name != "original")
    if not levels:
        return None
    models = sorted(figures.models)
    by = f"by a model ({listed(models)})" if models else "by rule"
    return Limit(
        "No person rated it yet.",
        f"{count(levels, 'question')} of {sum(q.number for q in figures.questions.values()):,} are "
        f"written {by} and checked by program{'' if models else ': they sound alike'}.",
    )


def _short(about: Description) -> Limit | None:
    sums: dict[str, tuple[int, int]] = {}
    for _, name, wanted, reached in about.goals:
        before = sums.get(name, (0, 0))
        sums[name] = (before[0] + wanted, before[1] + min(wanted, reached))
    missing = [
        f"{TIERS.get(name, name)} {reached:,} of {wanted:,}"
        for name, (wanted, reached) in sums.items()
        if reached < wanted
    ]
    if not missing:
        return None
    return Limit(
        "Some targets were missed.",
        "; ".join(missing[:4]) + (f"; and {len(missing) - 4} more." if len(missing) > 4 else "."),
    )


def _read_otherwise(figures: Figures) -> Limit | None:
    many, open_ = figures.readings["differs"], figures.readings["unknown"]
    if not many + open_:
        return None
    parts = []
    if many:
        parts.append(
            f"{count(many, 'record')} of {sum(figures.readings.values()):,} "
            f"{'has' if many == 1 else 'have'} a plain reading with another answer; "
            f"{'it is' if many == 1 else 'they are'} marked."
        )
    if open_:
        parts.append(f"For {count(open_, 'record')} it is not decided.")
    return Limit("Some questions may be read in two ways.", " ".join(parts))


def _drawn(about: Description) -> Limit | None:
    """Graphs that a program drew, as far as the configuration says so."""
    sources = about.config.get("source") or ()
    drawn = sum(each.get("kind") == "synthetic" for each in sources)
    filled = sum(bool(each.get("script")) for each in sources)
    if not drawn + filled:
        return None
    whose = "All of it is" if drawn + filled == len(sources) else f"{drawn + filled} of "
    whose += "" if drawn + filled == len(sources) else f"{count(len(sources), 'database')} are"
    return Limit(
        "The data is made up.",
        f"{whose} drawn by programs: names and numbers are plausible, and nobody’s.",
    )


def _apart(figures: Figures) -> Limit | None:
    if not figures.scores:
        return Limit(
            "Wrong queries were not tried.",
            "Whether the answers would tell a query from an altered copy of it is not measured.",
        )
    least = min(figures.scores)
    weak = sum(n for score, n in figures.scores.items() if score < 1)
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


def used_splits(figures: Figures) -> list[str]:
    """The splits that have records."""
    return [split for split in SPLITS if figures.splits[split]]
