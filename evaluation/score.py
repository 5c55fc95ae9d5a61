"""What is known of one prediction, and how it is written as a line of the trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engines.ladder import RUNGS, Rung


@dataclass(frozen=True, slots=True)
class Prediction:
    """One line of predictions for one language: `query` is None where it abstains.

    `form` is the form of question that was asked and `knowledge` whether it came with external
    knowledge, where the line says so. `calls` and `trace` are those of `evaluation.base.Attempt`.
    """

    id: str
    language: str
    query: str | None
    form: str = ""
    knowledge: bool | None = None
    oral: bool | None = None
    calls: tuple[Mapping[str, Any], ...] = ()
    trace: Mapping[str, Any] = field(default_factory=dict)


# of a line of the trace, where there is no query to be held against
_OF_UNANSWERABLE = ("id", "db", "language", "form", "missing", "abstained", "answerable", "groups")


@dataclass(slots=True)
class Score:
    """All measures of one prediction; None where a measure does not apply or was not taken.

    `right` is execution accuracy (rung `ordered`), `suite` the same on every small graph too.
    `gleu` are the counts of `metrics.text.Gleu`. `groups` are the slices that it belongs to.
    """

    id: str
    db: str
    language: str
    form: str = ""
    missing: bool = False
    abstained: bool = False
    answerable: bool = True
    parses: bool = False
    second: bool | None = None
    ran: bool = False
    rung: Rung = Rung.NONE
    any_columns: Rung | None = None
    suite: bool | None = None
    suite_size: int = 0
    failed_on: str = ""
    exact: bool = False
    text: bool = False
    clauses: bool = False
    gam: bool | None = None
    gleu: tuple[int, int] = (0, 0)
    similarity: float = 0.0
    psjs: float | None = None
    related: bool | None = None
    linked: bool | None = None
    twigs: float | None = None
    category: str = ""
    details: tuple[str, ...] = ()
    repair: tuple[str, ...] = ()
    error: str = ""
    message: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    parts: Mapping[str, int] = field(default_factory=dict)
    calls: int | None = None
    usd: float | None = None
    seconds: float | None = None
    repairs: int | None = None
    judged: bool | None = None
    more: dict[str, float | None] = field(default_factory=dict)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def right(self) -> bool:
        """Execution accuracy; there is none of an unanswerable question."""
        return self.answerable and self.rung is Rung.ORDERED

    @property
    def lucky(self) -> bool:
        """Right on the shipped graph, and wrong on a small one."""
        return self.right and self.suite is False

    def stands_on(self, rung: Rung) -> bool:
        """Whether it passes a rung."""
        return self.rung is not Rung.NONE and RUNGS.index(self.rung) <= RUNGS.index(rung)

    def to_json(self) -> dict[str, Any]:
        """One line of `trace.jsonl`; what was not measured is left out."""
        shown = {
            "id": self.id,
            "db": self.db,
            "language": self.language,
            "form": self.form or None,
            "missing": self.missing or None,
            "abstained": self.abstained or None,
            "answerable": None if self.answerable else False,
            "ex": self.right,
            "rung": self.rung.value,
            "any_columns": self.any_columns and self.any_columns.value,
            "suite_ex": self.suite,
            "suite_size": self.suite_size or None,
            "right_by_luck": self.failed_on or None,
            "exec": self.ran,
            "grammar": self.parses,
            "grammar_second": self.second,
            "em_exact": self.exact,
            "em_text": self.text,
            "em_clauses": self.clauses,
            "gam": self.gam,
            "gleu": list(self.gleu),
            "jaro_winkler": round(self.similarity, 6),
            "psjs": None if self.psjs is None else round(self.psjs, 6),
            "related_schema": self.related,
            "linked_schema": self.linked,
            "twig_hits": None if self.twigs is None else round(self.twigs, 6),
            "class": self.category or None,
            "details": list(self.details) or None,
            "repair": list(self.repair) or None,
            "error": self.error or None,
            "message": self.message or None,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "prompt_parts": dict(self.parts) or None,
            "calls": self.calls,
            "usd": self.usd,
            "seconds": self.seconds,
            "repairs": self.repairs,
            "judged": self.judged,
            "metrics": self.more or None,
            "groups": {name: list(values) for name, values in self.groups.items()},
        }
        if not self.answerable:
            return {name: shown[name] for name in _OF_UNANSWERABLE if shown[name] is not None}
        return {name: value for name, value in shown.items() if value is not None}
