"""Drafts by a model: seeds from the schema, and harder pairs made of what is released already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from generators.queries.base import Ground, Proposal
from generators.queries.model.evolution import ModelEvolver
from generators.queries.model.seeds import ModelSeeds
from graphmill.llm.client import Client
from graphmill.record import Reject
from graphmill.seed import derive
from pipelines.build.augmentation import Places, Slot, Standing
from pipelines.build.candidates import Draft, Grown
from pipelines.build.rule_generation import EVOLVED, MOST_ROWS, parents_of
from translators.render import render


class ModelDrafter:
    """Asks a model for a round's drafts: seeds in batches, then one harder pair a parent.

    What came to nothing, and what has no place, is among the drafts as a reject. `known` of a
    request is what is released already, so that a build that was stopped asks the same again.
    """

    def __init__(self, db: str, ground: Ground, client: Client) -> None:
        self.db = db
        self.ground = ground
        self.seeds = ModelSeeds(ground, client)
        self.evolver = ModelEvolver(ground, client)

    def drafts(
        self, slots: Sequence[Slot], standing: Standing, places: Places, random: Random
    ) -> Iterator[Draft]:
        """About one candidate a slot, and what was dropped on the way.

        Raises:
            LLMError: no answer came: the endpoint failed, or the budget is up.
        """
        wanted = places.quotas.wanted(standing.drafted + standing.failed, standing.released)
        known = [parent.proposal for parent in standing.parents]
        evolved = sum(
            bool(standing.parents) and random.random() < EVOLVED[slot.tier] for slot in slots
        )
        for proposal in self.seeds.generate(wanted, random, len(slots) - evolved, known):
            yield self._draft(proposal, places)
        yield from _spent(self.seeds.rejects)
        parents = parents_of(standing, random, places.quotas.pressing())[:evolved]
        ids = {id(parent.proposal): parent.id for parent in parents}
        seed = random.getrandbits(31)
        asked = [(each.proposal, Random(derive(seed, each.id))) for each in parents]  # noqa: S311
        for parent, child in self.evolver.evolve_all(asked, wanted):
            yield self._draft(child, places, ids[id(parent)])
        yield from _spent(self.evolver.rejects)

    def _draft(self, proposal: Proposal, places: Places, parent: str = "") -> Draft:
        answer = self.ground.ask(proposal.statement, MOST_ROWS + 1)
        problem = None
        if answer is None or len(answer.rows) > MOST_ROWS:
            problem = "too-many-rows", f"Its answer has more than {MOST_ROWS} rows."
        problem = problem or places.offer(proposal.statement)
        if problem is None:
            return Grown(proposal, parent)
        return Reject(
            "evolution" if proposal.trace else "seeds",
            *problem,
            self.db,
            question=proposal.question,
            query=render(proposal.statement, "cypher", self.ground.schema).text,
            evidence={"maker": proposal.maker},
        )


def _spent(rejects: list[Reject]) -> Iterator[Reject]:
    """What an author dropped since the last time."""
    yield from rejects
    rejects.clear()
