"""What was left of the candidates after each stage, and why the others went."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmill.record import Reject
from pipelines.build.augmentation import Harvest
from pipelines.build.plan import PLANS, Stage
from pipelines.build.quotas import Quotas
from pipelines.jobs.work import LOST


@dataclass
class Funnel:
    """How many candidates came in, were left after each stage, and why the others went."""

    stages: dict[str, int] = field(default_factory=dict)
    rejects: Counter[tuple[str, str]] = field(default_factory=Counter)
    grown: list[dict[str, Any]] = field(default_factory=list)

    def count(self, stage: str, survivors: int, rejects: Iterable[Reject]) -> None:
        """Add one database's figures for `stage`."""
        self.stages[stage] = self.stages.get(stage, 0) + survivors
        self.rejects.update((reject.stage, reject.code) for reject in rejects)

    def count_plan(self, plan: Sequence[Stage], items: int, rejects: Sequence[Reject]) -> None:
        """Add one database's figures for all stages of a plan that `items` went into."""
        gone = Counter(reject.stage for reject in rejects)
        if gone[LOST]:
            items -= gone[LOST]
            self.stages[LOST] = self.stages.get(LOST, 0) + items
        for stage in plan:
            items -= gone[stage.name]
            self.stages[stage.name] = self.stages.get(stage.name, 0) + items
        self.rejects.update((reject.stage, reject.code) for reject in rejects)

    def add(self, other: Funnel) -> None:
        """Add all figures of another funnel."""
        for stage, count in other.stages.items():
            self.stages[stage] = self.stages.get(stage, 0) + count
        self.rejects.update(other.rejects)
        self.grown += other.grown

    def add_grown(self, db: str, quotas: Quotas, harvest: Harvest) -> None:
        """Add what growing brought to one database, stage by stage."""
        left = harvest.candidates_in_all
        gone = Counter(reject.stage for reject in harvest.rejects)
        lost = (LOST,) if gone[LOST] else ()
        for stage in ("candidates", *lost, *(each.name for each in PLANS["grown"]), "select"):
            left -= gone[stage]
            self.stages[f"grown: {stage}"] = self.stages.get(f"grown: {stage}", 0) + left
        self.stages["released"] = self.stages.get("released", 0) + len(harvest.pairs)
        self.rejects.update((reject.stage, reject.code) for reject in harvest.rejects)
        self.grown.append({"db": db, **quotas.to_json(), **harvest.to_json()})

    def to_text(self) -> str:
        """All figures as text, in the order in which they came; the inverse of `from_text`."""
        rejects = [[*key, count] for key, count in self.rejects.items()]
        return json.dumps({"stages": self.stages, "rejects": rejects, "grown": self.grown})

    @classmethod
    def from_text(cls, text: str) -> Funnel:
        """Figures that were kept."""
        raw = json.loads(text)
        rejects = Counter({(stage, code): count for stage, code, count in raw["rejects"]})
        return cls(raw["stages"], rejects, raw["grown"])

    def to_json(self) -> dict[str, Any]:
        """The summary as it is printed and stored."""
        reasons = [
            {"stage": stage, "code": code, "count": count}
            for (stage, code), count in sorted(self.rejects.items())
        ]
        return {"stages": self.stages, "rejects": reasons, "grown": self.grown}
