"""`[queries]` of a configuration: how many pairs a database releases, and of which kinds."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from graph_ir.coverage import GROUPS
from graphmill.errors import did_you_mean
from graphmill.record import DIFFICULTIES, Difficulty
from graphmill.settings import Pairs, Part, Text
from pipelines.configuration.wording import refuse

type Share = Annotated[float, Field(ge=0, le=1)]


class Mix(Part):
    """Shares of the four tiers; they add up to 1."""

    easy: Share
    medium: Share
    hard: Share
    extra_hard: Share

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if abs(sum(self.share(tier) for tier in DIFFICULTIES) - 1) > 1e-6:
            raise ValueError("the shares of easy, medium, hard and extra_hard must add up to 1")
        return self

    def share(self, tier: Difficulty) -> float:
        """The share of one tier."""
        return float(getattr(self, tier))

    def from_tier(self, tier: Difficulty) -> float:
        """The share of this tier and all harder ones."""
        return sum(self.share(name) for name in DIFFICULTIES[DIFFICULTIES.index(tier) :])


def _form(given: Any) -> str:
    return "paper" if isinstance(given, str) else "mix"


# Told apart by form, so that only what was meant is held against what is wrong.
type Difficulties = Annotated[
    Annotated[Mix, Tag("mix")] | Annotated[Literal["paper"], Tag("paper")], Discriminator(_form)
]

DEFAULT = Mix(easy=0.20, medium=0.34, hard=0.26, extra_hard=0.20)
# Text2GQL-Bench, table 4
PAPER = Mix(easy=0.2139, medium=0.4362, hard=0.3023, extra_hard=0.0476)

# The default mix gives 60 % of its extra hard queries three hops and more: 12 % of all.
_LONG, _ABSENT, _STAGED, _OF_EXTRA_HARD = 0.08, 0.08, 0.12, 0.60
ALIKE = 0.03
type Alike = Annotated[float, Field(gt=0, le=1)]


class Queries(Part):
    """How many pairs a database releases, given ones included, and what they are to be like.

    With `grow`, queries are made until there are `per_database`. `difficulty` are the shares of
    the tiers, `constructs` the least shares of groups of constructs (`graph_ir.coverage`);
    groups that are not named keep their defaults. `discrimination` is the least share of a query's
    mutants that its answers tell apart, `alike` the largest share of queries that differ in their
    values only. `archetypes` are folders with archetypes of the user's own.
    """

    per_database: Pairs = 200
    grow: bool = True
    difficulty: Difficulties = DEFAULT
    constructs: dict[str, Share] = Field(default_factory=dict)
    discrimination: Share = 0.8
    alike: Alike = ALIKE
    archetypes: tuple[Text, ...] = ()

    @property
    def mix(self) -> Mix:
        """The shares of the tiers."""
        return PAPER if self.difficulty == "paper" else self.difficulty

    @property
    def shares(self) -> dict[str, float]:
        """The least share of each group: as it is given, else its default for this mix."""
        hard = self.mix.from_tier("hard")
        least = {
            "variable-length": min(_LONG, hard / 2),
            "three-hops": round(_OF_EXTRA_HARD * self.mix.extra_hard, 4),
            "optional-or-negation": _ABSENT,
            "multi-stage": min(_STAGED, hard / 2),
        }
        return {**least, **self.constructs}

    @model_validator(mode="after")
    def _possible(self) -> Self:
        for name, share in self.constructs.items():
            if name not in GROUPS:
                refuse("constructs", f"unknown group '{name}'.{did_you_mean(name, GROUPS)}")
            least = GROUPS[name].least
            room = self.mix.from_tier(least)
            if share > room + 1e-9:
                refuse(
                    "constructs",
                    f"{share:.1%} of the queries cannot be {name}, because those are {least} or "
                    f"harder, which only {room:.1%} are to be",
                )
        return self
