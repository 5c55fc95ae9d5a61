"""The plots of a corpus, each with a title and a sentence; the card uses some of them too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from pipelines.configuration.store import Finished, a_picture
from pipelines.pictures import plots
from pipelines.pictures.drawing import NotDrawn
from pipelines.pictures.texts import LEVELS as LEVEL_NAMES
from pipelines.pictures.texts import TIERS, engine, percent
from pipelines.release.description import Description
from pipelines.release.figures import Figures, tiers_of
from pipelines.release.funnel import STAGES, steps

_MOST = 22  # rows of the map of constructs
_ROWS = 12  # bars of other plots
_EVERYWHERE = ("match", "return")
_OUTCOMES = {
    "harmless": "the same answer",
    "said": "ruled out by the wording",
    "repaired": "mended",
    "unknown": "not decided",
    "differs": "another answer, marked",
}
_ANSWERS = (
    ("0", 0, 0),
    ("1", 1, 1),
    ("2–5", 2, 5),
    ("6–20", 6, 20),
    ("21–100", 21, 100),
    ("> 100", 101, 1 << 62),
)


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture with its title and a sentence that says how to read it."""

    name: str
    title: str
    text: str
    svg: str


@dataclass(frozen=True, slots=True)
class _Figures:
    """What a plot is drawn of: a function of `plots` by name, its rows, what else it takes."""

    name: str
    title: str
    text: str
    kind: str
    rows: list[Any]
    how: dict[str, Any]

    def drawn(self, finished: Finished) -> Plot:
        """The plot; one of the same figures is finished work."""
        key = finished.key("plot", self.kind, self.rows, self.title, self.how)
        draw = getattr(plots, self.kind)
        work = partial(draw, self.rows, title=self.title, **self.how)
        return Plot(self.name, self.title, self.text, finished.done(key, work, a_picture))


def all_plots(
    about: Description, figures: Figures, finished: Finished
) -> tuple[dict[str, list[Plot]], str]:
    """The plots of each section, without those that have nothing to show; none where they cannot be
    drawn here, and then why."""
    groups = {
        "making": [_funnel(about, figures), _tiers(about, figures), _depths(figures)],
        "queries": [_heat(figures), _answers(figures), _steps(figures)],
        "questions": [_lengths(figures), _vocabulary(figures)],
        "proof": [_engines(figures), _scores(figures), _mutants(figures), _readings(figures)],
        "domains": [_domains(figures)],
        "dropped": [_codes(figures)],
    }
    try:
        drawn = {n: [one.drawn(finished) for one in group if one] for n, group in groups.items()}
    except NotDrawn as problem:
        return {name: [] for name in groups}, str(problem)
    return drawn, ""


def _plot(
    name: str, title: str, text: str, kind: Callable[..., str], rows: list[Any], **how: Any
) -> _Figures | None:
    return _Figures(name, title, text, kind.__name__, rows, how) if rows else None


def _funnel(about: Description, figures: Figures) -> _Figures | None:
    rows = [{"stage": STAGES.get(s.stage, s.stage), "n": s.left} for s in steps(about, figures)]
    text = "Given pairs and drafts together; the last bar is the records."
    return _plot(
        "funnel", "Left after each stage", text, plots.bars, rows, label="stage", value="n"
    )


def _tiers(about: Description, figures: Figures) -> _Figures | None:
    wanted: dict[str, int] = {}
    for _, name, want, _ in about.goals:
        if name in TIERS:
            wanted[name] = wanted.get(name, 0) + want
    names = ("wanted", "reached") if wanted else ("reached",)
    rows = [
        {"tier": TIERS.get(tier, tier), "n": counts.get(tier, 0), "which": which}
        for tier in tiers_of(figures)
        for which, counts in (("wanted", wanted), ("reached", figures.tiers))
        if which in names
    ]
    how = {"label": "tier", "value": "n", "series": "which", "names": names}
    text = "Records of each tier of difficulty."
    return _plot("tiers", "Difficulty, wanted and reached", text, plots.grouped, rows, **how)


def _depths(figures: Figures) -> _Figures | None:
    rows = [{"steps": str(depth), "n": figures.depths[depth]} for depth in sorted(figures.depths)]
    text = "Records by the steps that made them harder; 0 was asked as it is."
    how = {"label": "steps", "value": "n"}
    return _plot("evolution", "Steps of evolution", text, plots.histogram, rows, **how)


def _heat(figures: Figures) -> _Figures | None:
    uses: dict[str, int] = {}
    for (name, _), number in figures.constructs.items():
        uses[name] = uses.get(name, 0) + number
    ranked = sorted(uses, key=lambda name: (-uses[name], name))
    shown = [name for name in ranked if name not in _EVERYWHERE][:_MOST]
    tiers = [tier for tier in tiers_of(figures) if figures.tiers[tier]]
    rows = [
        {
            "construct": name,
            "tier": TIERS.get(tier, tier),
            "share": round(figures.constructs[name, tier] / figures.tiers[tier], 4),
        }
        for name in shown
        for tier in tiers
    ]
    how = {"row": "construct", "column": "tier", "value": "share"}
    columns = [TIERS.get(tier, tier) for tier in tiers]
    text = f"The {len(shown)} most used of {len(uses)} constructs: the share of a tier’s queries."
    return _plot("constructs", "Constructs by tier", text, plots.heat, rows, columns=columns, **how)


def _answers(figures: Figures) -> _Figures | None:
    rows = [
        {"rows": name, "n": sum(n for size, n in figures.answers.items() if low <= size <= high)}
        for name, low, high in _ANSWERS
    ]
    text = "Records by the number of rows in their answer."
    how = {"label": "rows", "value": "n", "colour": "three"}
    return _plot("answers", "Rows of the answer", text, plots.histogram, rows, **how)


def _steps(figures: Figures) -> _Figures | None:
    ranked = sorted(figures.steps.items(), key=lambda item: (-item[1], item[0]))[:_ROWS]
    rows = [{"step": name, "n": number} for name, number in ranked]
    text = "Every step of a released record counts; one of three steps is here three times."
    how = {"label": "step", "value": "n", "colour": "four"}
    return _plot("steps", "What made queries harder", text, plots.bars, rows, **how)


def _lengths(figures: Figures) -> _Figures | None:
    rows = []
    longest = max((max(texts.lengths) for texts in figures.questions.values()), default=0)
    most = min(longest, 120)  # words; what is longer counts as that
    for level in figures.forms:
        texts = figures.questions[level]
        bins: dict[int, int] = {}
        for length, number in texts.lengths.items():
            at = min(length, most) // 4 * 4 + 2
            bins[at] = bins.get(at, 0) + number
        rows += [
            {
                "words": at,
                "share": round(bins.get(at, 0) / texts.number, 4),
                "level": LEVEL_NAMES[level],
            }
            for at in range(2, most + 3, 4)
        ]
    names = [LEVEL_NAMES[level] for level in figures.forms]
    how = {"x": "words", "y": "share", "series": "level", "names": names, "axis": "words"}
    text = "Share of a level’s questions that have so many words."
    return _plot("lengths", "Length of questions", text, plots.lines, rows, **how)


def _vocabulary(figures: Figures) -> _Figures | None:
    rows = [
        {"level": LEVEL_NAMES[level], "n": len(figures.questions[level].distinct)}
        for level in figures.forms
    ]
    how = {"label": "level", "value": "n", "colour": "two"}
    return _plot(
        "vocabulary", "Distinct words", "Of all questions of a level.", plots.bars, rows, **how
    )


def _engines(figures: Figures) -> _Figures | None:
    runs: dict[str, int] = {}
    agreeing: dict[str, int] = {}
    for key, number in figures.runs.items():
        runs[key[0]] = runs.get(key[0], 0) + number
        agreeing[key[0]] = agreeing.get(key[0], 0) + figures.agreeing[key]
    rows = [
        {"engine": engine(name), "n": runs[name], "mark": f"{agreeing[name]:,} agree"}
        for name in sorted(runs, key=lambda name: (-runs[name], name))
    ]
    how = {"label": "engine", "value": "n", "colour": "three", "mark": "mark"}
    text = "Executions that are certified, by engine."
    return _plot("engines", "Engines that answered alike", text, plots.bars, rows, **how)


def _scores(figures: Figures) -> _Figures | None:
    if not figures.scores:
        return None
    bins = [("< 80", 0.0, 0.8), ("80+", 0.8, 0.85), ("85+", 0.85, 0.9), ("90+", 0.9, 0.95)]
    bins += [("95+", 0.95, 1.0), ("all", 1.0, 2.0)]
    rows = [
        {"share": name, "n": sum(n for score, n in figures.scores.items() if low <= score < high)}
        for name, low, high in bins
    ]
    text = "Records by the per cent of altered copies of the query that their answers tell apart."
    how = {"label": "share", "value": "n", "colour": "three"}
    return _plot("mutants", "Mutants told apart", text, plots.histogram, rows, **how)


def _mutants(figures: Figures) -> _Figures | None:
    missed = {name: n - figures.told_apart[name] for name, n in figures.mutants.items()}
    ranked = sorted(missed, key=lambda name: (-missed[name], name))
    rows = [
        {
            "operator": name,
            "n": missed[name],
            "mark": f"{missed[name]:,} of {figures.mutants[name]:,}",
        }
        for name in ranked[:_ROWS]
        if missed[name]
    ]
    text = "Altered copies that no answer shows, by what was altered; a query has several copies."
    how = {"label": "operator", "value": "n", "colour": "two", "mark": "mark"}
    total = figures.mutants.total()
    if total:
        text += f" Of {total:,}, {percent(figures.told_apart.total() / total)} are seen."
    return _plot("unseen", "Mutants that stayed unseen", text, plots.bars, rows, **how)


def _readings(figures: Figures) -> _Figures | None:
    tried = figures.readings
    rows = [
        {"outcome": label, "n": tried[name], "mark": percent(tried[name] / tried.total())}
        for name, label in _OUTCOMES.items()
        if tried[name]
    ]
    how = {"label": "outcome", "value": "n", "colour": "four", "mark": "mark"}
    text = "Pairs by what the other plain readings of their question would answer, at the worst."
    return _plot("readings", "Other readings", text, plots.bars, rows, **how)


def _domains(figures: Figures) -> _Figures | None:
    counts: dict[str, int] = {}
    for db, (domain, subdomain) in figures.places.items():
        name = " / ".join(filter(None, (domain, subdomain))) or db
        counts[name] = counts.get(name, 0) + figures.databases[db].total()
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:30]
    rows = [{"domain": name, "n": number} for name, number in ranked]
    how = {"label": "domain", "value": "n"}
    return _plot("domains", "Domains", "Records of each domain.", plots.bars, rows, **how)


def _codes(figures: Figures) -> _Figures | None:
    counts: dict[str, int] = {}
    for (_, code), number in figures.rejects.items():
        counts[code] = counts.get(code, 0) + number
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_ROWS]
    rows = [{"code": name, "n": number} for name, number in ranked]
    how = {"label": "code", "value": "n", "colour": "two"}
    return _plot(
        "dropped",
        "Reasons",
        "Tries that were dropped, by code, over all stages.",
        plots.bars,
        rows,
        **how,
    )
