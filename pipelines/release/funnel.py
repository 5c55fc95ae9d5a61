"""One funnel from all that was tried to the records: given pairs and drafts, stage by stage.

What was tried is the records and what was dropped; each that was dropped has a line in the ledger.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pipelines.pictures.texts import count
from pipelines.release.description import Description
from pipelines.release.figures import Figures

STAGES = {
    "tried": "tried",
    "candidates": "query written",
    "work": "worked on",
    "translate": "translated",
    "prove": "answered alike",
    "check": "checked",
    "questions": "questions written",
    "discriminate": "passed mutation testing",
    "readings": "one plain reading",
    "select": "chosen",
    "across": "no twin in another database",
    "split": "proven on the engines of its split",
    "review": "passed by experts",
}
_DRAFTING = ("propose", "draft", "seeds", "evolution")
_MOST_CODES = 4  # that a stage is told with


@dataclass(frozen=True, slots=True)
class Step:
    """What is left after a stage, of given pairs and of drafts; `None` where both are one."""

    stage: str
    given: int | None
    drafted: int | None
    left: int
    codes: Counter[str] = field(default_factory=Counter)  # of what was dropped there


def steps(about: Description, figures: Figures) -> list[Step]:
    """The funnel; empty for a corpus that has no figures of its stages."""
    counts: dict[str, int] = about.funnel.get("stages", {})
    if "candidates" not in counts or "released" not in counts:
        return []
    given = {name: number for name, number in counts.items() if not name.startswith("grown: ")}
    drafted = {
        name.removeprefix("grown: "): number
        for name, number in counts.items()
        if name.startswith("grown: ")
    }
    drafts = sum(int(each.get("drafts", 0)) for each in about.funnel.get("grown", ()))
    given["tried"] = given["candidates"]
    drafted["tried"] = max(drafts, drafted.get("candidates", 0))
    given["select"] = given["released"] - drafted.get("select", 0)
    codes: dict[str, Counter[str]] = {name: Counter() for name in STAGES}
    for (stage, code), number in figures.rejects.items():
        at = "candidates" if stage in _DRAFTING else stage
        codes.setdefault(at, Counter())[code] += number
    rows: list[Step] = []
    alone = not drafted["tried"]  # one origin needs no columns of its own
    broken = sum(n for (stage, _), n in figures.rejects.items() if stage == "propose")
    one, other = given["tried"], drafted["tried"]
    names = [*STAGES, *(each for each in given if each not in {*STAGES, "released"})]
    for stage in (name for name in names if name in {**given, **drafted}):
        if stage in ("across", "split", "review"):
            rows.append(Step(stage, None, None, given[stage], codes[stage]))
            continue
        one, other = given.get(stage, one), drafted.get(stage, other)
        mine = one - broken if stage == "candidates" else one
        left = mine + other
        if stage == "candidates" and left == rows[-1].left:
            continue
        here = codes.get(stage, Counter())
        rows.append(Step(stage, None if alone else mine, None if alone else other, left, here))
    return rows


def table(funnel: list[Step]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The funnel as a table's head and rows: stage, given pairs and drafts where there are both,
    what is left, what was dropped there and why."""
    split = any(step.given is not None for step in funnel)
    head = ("left after", *(("given pairs", "drafts") if split else ()))
    rows: list[tuple[str, ...]] = []
    before: Step | None = None
    for step in funnel:
        gone = before.left - step.left if before else 0
        parts = ["" if n is None else f"{n:,}" for n in (step.given, step.drafted) if split]
        dropped = (f"{gone:,}", _why(step.codes)) if gone else ("", "")
        rows.append((STAGES.get(step.stage, step.stage), *parts, f"{step.left:,}", *dropped))
        before = step
    return (*head, "together" if split else "left", "dropped there", "why"), rows


def _why(codes: Counter[str]) -> str:
    ranked = sorted(codes.items(), key=lambda item: (-item[1], item[0]))
    texts = [f"{code} {number:,}" for code, number in ranked[:_MOST_CODES]]
    rest = sum(number for _, number in ranked[_MOST_CODES:])
    return ", ".join([*texts, *([f"others {rest:,}"] if rest else [])])


def sum_text(funnel: list[Step], figures: Figures) -> str:
    """How the figures add up, in a sentence or two."""
    lines = figures.rejects.total()
    if not funnel:
        return f"{count(lines, 'line')} of rejects.jsonl say what did not become a record."
    tried, left = funnel[0], funnel[-1].left
    gone = tried.left - left
    parts = ""
    if tried.given and tried.drafted:
        parts = f" ({count(tried.given, 'given pair')} and {count(tried.drafted, 'draft')})"
    text = (
        f"{count(tried.left, 'try', 'tries')}{parts}: {count(left, 'record')} and {gone:,} "
        "dropped, each with a line in rejects.jsonl that says stage, code, reason and evidence."
    )
    early = tried.left - funnel[1].left if len(funnel) > 1 else 0
    if tried.drafted and 2 * early > gone:
        text += (
            f" {early:,} of these were dropped while they were drafted: growing drafts more than "
            "it keeps, and lets go what nobody would ask or what is there already."
        )
    if lines > gone:
        text += f" {count(lines - gone, 'more line')} there tell of sources and graphs."
    return text
