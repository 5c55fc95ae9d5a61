"""The plots of a corpus, each with a title and a sentence; the card uses some of them too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipelines.pictures import plots
from pipelines.pictures.texts import LEVELS as LEVEL_NAMES
from pipelines.pictures.texts import TIERS, engine, percent
from pipelines.release.description import Description
from pipelines.release.figures import LEVELS, Figures, tiers_of

_MOST = 22  # rows of the map of constructs
_ROWS = 12  # bars of other plots
_EVERYWHERE = ("match", "return")
_STAGES = {
    "candidates": "candidates",
    "translate": "translated",
    "prove": "proven",
    "check": "checked",
    "questions": "questions written",
    "discriminate": "told from mutants",
    "readings": "read in one way",
    "released": "released",
    "review": "passed by experts",
}
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


def all_plots(about: Description, found: Figures) -> dict[str, list[Plot]]:
    """The plots of each section, without those that have nothing to show."""
    groups = {
        "making": [_funnel(about), _tiers(about, found), _depths(found)],
        "queries": [_heat(found), _answers(found), _steps(found)],
        "questions": [_lengths(found), _vocabulary(found)],
        "proof": [_engines(found), _scores(found), _mutants(found), _readings(found)],
        "domains": [_domains(found)],
        "dropped": [_codes(found)],
    }
    return {name: [plot for plot in group if plot] for name, group in groups.items()}


def _plot(name: str, title: str, text: str, kind: Any, rows: list[Any], **how: Any) -> Plot | None:
    return Plot(name, title, text, kind(rows, title=title, **how)) if rows else None


def _funnel(about: Description) -> Plot | None:
    rows = [{"stage": _STAGES.get(name, name), "n": n} for name, n in about.stages]
    text = "Candidates, given and grown, that are left after each stage."
    return _plot(
        "funnel", "Left after each stage", text, plots.bars, rows, label="stage", value="n"
    )


def _tiers(about: Description, found: Figures) -> Plot | None:
    wanted: dict[str, int] = {}
    for _, name, want, _ in about.goals:
        if name in TIERS:
            wanted[name] = wanted.get(name, 0) + want
    names = ("wanted", "reached") if wanted else ("reached",)
    rows = [
        {"tier": TIERS.get(tier, tier), "n": counts.get(tier, 0), "which": which}
        for tier in tiers_of(found)
        for which, counts in (("wanted", wanted), ("reached", found.tiers))
        if which in names
    ]
    how = {"label": "tier", "value": "n", "series": "which", "names": names}
    text = "Records of each tier of difficulty."
    return _plot("tiers", "Difficulty, wanted and reached", text, plots.grouped, rows, **how)


def _depths(found: Figures) -> Plot | None:
    rows = [{"steps": str(depth), "n": found.depths[depth]} for depth in sorted(found.depths)]
    text = "Records by the steps that made them harder; 0 was asked as it is."
    how = {"label": "steps", "value": "n"}
    return _plot("evolution", "Steps of evolution", text, plots.histogram, rows, **how)


def _heat(found: Figures) -> Plot | None:
    uses: dict[str, int] = {}
    for (name, _), number in found.constructs.items():
        uses[name] = uses.get(name, 0) + number
    ranked = sorted(uses, key=lambda name: (-uses[name], name))
    shown = [name for name in ranked if name not in _EVERYWHERE][:_MOST]
    tiers = [tier for tier in tiers_of(found) if found.tiers[tier]]
    rows = [
        {
            "construct": name,
            "tier": TIERS.get(tier, tier),
            "share": round(found.constructs[name, tier] / found.tiers[tier], 4),
        }
        for name in shown
        for tier in tiers
    ]
    how = {"row": "construct", "column": "tier", "value": "share"}
    columns = [TIERS.get(tier, tier) for tier in tiers]
    text = f"The {len(shown)} most used of {len(uses)} constructs."
    return _plot("constructs", "Constructs by tier", text, plots.heat, rows, columns=columns, **how)


def _answers(found: Figures) -> Plot | None:
    rows = [
        {"rows": name, "n": sum(n for size, n in found.answers.items() if low <= size <= high)}
        for name, low, high in _ANSWERS
    ]
    text = "Records by the number of rows in their answer."
    how = {"label": "rows", "value": "n", "colour": "three"}
    return _plot("answers", "Rows of the answer", text, plots.histogram, rows, **how)


def _steps(found: Figures) -> Plot | None:
    ranked = sorted(found.steps.items(), key=lambda item: (-item[1], item[0]))[:_ROWS]
    rows = [{"step": name, "n": number} for name, number in ranked]
    text = "The operators that were used most, in the released records."
    how = {"label": "step", "value": "n", "colour": "four"}
    return _plot("steps", "What made queries harder", text, plots.bars, rows, **how)


def _levels(found: Figures) -> list[str]:
    return [name for name in LEVELS if name in found.questions]


def _lengths(found: Figures) -> Plot | None:
    rows = []
    longest = max((max(found.questions[level].lengths) for level in _levels(found)), default=0)
    most = min(longest, 120)  # words; what is longer counts as that
    for level in _levels(found):
        texts = found.questions[level]
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
    names = [LEVEL_NAMES[level] for level in _levels(found)]
    how = {"x": "words", "y": "share", "series": "level", "names": names, "axis": "words"}
    text = "Share of a level’s questions that have so many words."
    return _plot("lengths", "Length of questions", text, plots.lines, rows, **how)


def _vocabulary(found: Figures) -> Plot | None:
    rows = [
        {"level": LEVEL_NAMES[level], "n": len(found.questions[level].distinct)}
        for level in _levels(found)
    ]
    if found.knowledge.number:
        rows.append({"level": "knowledge", "n": len(found.knowledge.distinct)})
    how = {"label": "level", "value": "n", "colour": "two"}
    return _plot(
        "vocabulary", "Distinct words", "Of all questions of a level.", plots.bars, rows, **how
    )


def _engines(found: Figures) -> Plot | None:
    runs: dict[str, int] = {}
    agreeing: dict[str, int] = {}
    for key, number in found.runs.items():
        runs[key[0]] = runs.get(key[0], 0) + number
        agreeing[key[0]] = agreeing.get(key[0], 0) + found.agreeing[key]
    rows = [
        {"engine": engine(name), "n": runs[name], "mark": f"{agreeing[name]:,} agree"}
        for name in sorted(runs, key=lambda name: (-runs[name], name))
    ]
    how = {"label": "engine", "value": "n", "colour": "three", "mark": "mark"}
    text = "Executions that are certified, by engine."
    return _plot("engines", "Engines that answered alike", text, plots.bars, rows, **how)


def _scores(found: Figures) -> Plot | None:
    if not found.scores:
        return None
    bins = [("< 80", 0.0, 0.8), ("80+", 0.8, 0.85), ("85+", 0.85, 0.9), ("90+", 0.9, 0.95)]
    bins += [("95+", 0.95, 1.0), ("all", 1.0, 2.0)]
    rows = [
        {"share": name, "n": sum(n for score, n in found.scores.items() if low <= score < high)}
        for name, low, high in bins
    ]
    text = "Records by the per cent of altered copies of the query that their answers tell apart."
    how = {"label": "share", "value": "n", "colour": "three"}
    return _plot("mutants", "Mutants told apart", text, plots.histogram, rows, **how)


def _mutants(found: Figures) -> Plot | None:
    missed = {name: n - found.told_apart[name] for name, n in found.mutants.items()}
    ranked = sorted(missed, key=lambda name: (-missed[name], name))
    rows = [
        {
            "operator": name,
            "n": missed[name],
            "mark": f"{missed[name]:,} of {found.mutants[name]:,}",
        }
        for name in ranked[:_ROWS]
        if missed[name]
    ]
    text = "Alterations that answers show least: how many of them stayed unseen."
    how = {"label": "operator", "value": "n", "colour": "two", "mark": "mark"}
    total = found.mutants.total()
    if total:
        text += f" Of all, {percent(found.told_apart.total() / total)} are seen."
    return _plot("unseen", "Mutants that stayed unseen", text, plots.bars, rows, **how)


def _readings(found: Figures) -> Plot | None:
    tried = found.readings
    rows = [
        {"outcome": told, "n": tried[name], "mark": percent(tried[name] / tried.total())}
        for name, told in _OUTCOMES.items()
        if tried[name]
    ]
    how = {"label": "outcome", "value": "n", "colour": "four", "mark": "mark"}
    text = "Pairs by what the other plain readings of their question would answer, at the worst."
    return _plot("readings", "Other readings", text, plots.bars, rows, **how)


def _domains(found: Figures) -> Plot | None:
    counts: dict[str, int] = {}
    for db, (domain, subdomain) in found.places.items():
        name = " / ".join(filter(None, (domain, subdomain))) or db
        counts[name] = counts.get(name, 0) + found.databases[db].total()
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:30]
    rows = [{"domain": name, "n": number} for name, number in ranked]
    how = {"label": "domain", "value": "n"}
    return _plot("domains", "Domains", "Records of each domain.", plots.bars, rows, **how)


def _codes(found: Figures) -> Plot | None:
    counts: dict[str, int] = {}
    for (_, code), number in found.rejects.items():
        counts[code] = counts.get(code, 0) + number
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_ROWS]
    rows = [{"code": name, "n": number} for name, number in ranked]
    how = {"label": "code", "value": "n", "colour": "two"}
    return _plot(
        "dropped", "Reasons", "Candidates that were dropped, by code.", plots.bars, rows, **how
    )
