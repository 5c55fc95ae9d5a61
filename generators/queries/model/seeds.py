"""Seeds from a model: (question, query) pairs from the schema and one value for each property."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

from generators.prompts import prompt
from generators.queries.base import Ground, Proposal, Wanted
from generators.queries.model.context import lacking, schema_text
from generators.queries.model.reading import Unfit, listed, problem_text, read, worded
from graph_ir.canonical import fingerprint
from graphmill.errors import LLMError
from graphmill.llm.base import LETTERS, WASTED, Ask, Message, excerpt, quoted
from graphmill.llm.client import Client
from graphmill.llm.structured import Filled
from graphmill.record import Reject

STAGE = "seeds"
BATCH = 8  # pairs a request
FOCUS = 3  # node types that a request is above all about
KNOWN = 20  # questions that are told to be asked already
ROOM = 250  # tokens a pair
ROUNDS = 2  # of a batch: the pairs, and once more those that were wrong


class Pair(BaseModel):
    """A question and its query, as a model writes them."""

    question: Annotated[str, Field(max_length=4_000)]
    cypher: Annotated[str, Field(max_length=20_000)]


class Pairs(BaseModel):
    """What a request for seeds is answered with; more pairs than asked for are not looked at."""

    pairs: Annotated[list[Pair], Field(max_length=200)]


class ModelSeeds:
    """Proposes seeds that a model wrote: read, bound, run, and each meaning once.

    `rejects` are the ledger's lines, one for each pair that came to nothing and each answer that
    was none.
    """

    name: ClassVar[str] = "llm"
    version: ClassVar[str] = "1"

    def __init__(self, ground: Ground, client: Client) -> None:
        self.ground = ground
        self.client = client
        self.rejects: list[Reject] = []

    def ask(self, wanted: Wanted, rng: Random, count: int, known: Sequence[Proposal] = ()) -> Ask:
        """A request for `count` pairs, with what is wanted where it fits."""
        names = [node.name for node in self.ground.schema.nodes]
        focus = rng.sample(names, min(FOCUS, len(names)))
        messages = prompt("seeds").render(
            count=count,
            schema=schema_text(self.ground.schema, self.ground.statistics),
            focus=", ".join(focus) or "the whole graph",
            wanted=lacking(wanted),
            known=listed([each.question for each in known if each.question][-KNOWN:]),
        )
        return Ask(messages, 0.8, 500 + ROOM * count, rng.getrandbits(31), stage=STAGE)

    def generate(
        self, wanted: Wanted, rng: Random, count: int = BATCH, known: Sequence[Proposal] = ()
    ) -> Iterator[Proposal]:
        """At most `count` seeds: what a model's answers to ceil(count / 8) requests are worth.

        `known` are there already and do not come again. The same arguments and answers give the
        same seeds, so that work that was stopped goes on as it would have gone.

        Raises:
            LLMError: no answer came: the endpoint failed, or the budget is up.
        """
        seen = {fingerprint(each.statement) for each in known}
        sizes = [min(BATCH, count - start) for start in range(0, count, BATCH)]
        asks = [self.ask(wanted, rng, size, known) for size in sizes]
        for number in range(1, ROUNDS + 1):
            again: list[Ask] = []
            sizes_again: list[int] = []
            for ask, size, filled in zip(
                asks, sizes, self.client.fill_many(asks, Pairs), strict=True
            ):
                if isinstance(filled, LLMError):
                    self._no_answer(filled, number)
                    continue
                wrong: list[tuple[Pair, Unfit]] = []
                for pair in filled.value.pairs[:size]:
                    try:
                        yield self._proposal(pair, seen)
                    except Unfit as problem:
                        wrong.append((pair, problem))
                        self._reject(pair, problem, number)
                mendable = [each for each in wrong if each[1].code != "duplicate"]
                if mendable and number < ROUNDS:
                    again.append(_again(ask, filled, mendable))
                    sizes_again.append(len(mendable))
            asks, sizes = again, sizes_again

    def _proposal(self, pair: Pair, seen: set[str]) -> Proposal:
        """The seed of a pair.

        Raises:
            Unfit: it is none, or says what an earlier one says (`duplicate`).
        """
        understood = read(pair.cypher, self.ground)
        question = worded(pair.question, understood.statement)
        mark = fingerprint(understood.statement)
        if mark in seen:
            raise Unfit("duplicate", "An earlier pair has the same query.")
        seen.add(mark)
        self.client.budget.accept(STAGE)
        return Proposal(understood.statement, self.name, question=question)

    def _reject(self, pair: Pair, problem: Unfit, number: int) -> None:
        self.rejects.append(
            Reject(
                STAGE,
                problem.code,
                str(problem),
                self.ground.schema.name,
                question=excerpt(pair.question, 600),
                query=pair.cypher,
                evidence={"round": number, "maker": self.name},
            )
        )

    def _no_answer(self, problem: LLMError, number: int) -> None:
        """Note an answer that was none; raise what is no matter of one answer."""
        if problem.code not in WASTED:
            raise problem
        evidence = {"round": number, "maker": self.name, "reply": problem.evidence}
        name = self.ground.schema.name
        self.rejects.append(Reject(STAGE, problem.code, str(problem), name, evidence=evidence))


def _again(ask: Ask, filled: Filled[Pairs], wrong: Sequence[tuple[Pair, Unfit]]) -> Ask:
    """The request with the answer, and what was wrong with which of its pairs."""
    lines = listed(
        [f"{excerpt(pair.cypher, 200)}: {problem_text(problem)}" for pair, problem in wrong]
    )
    correction = (
        f"These pairs cannot be used:\n{lines}\n"
        f"Answer with {len(wrong)} pairs in their place, corrected, in the same JSON form."
    )
    shown = quoted(filled.value.model_dump_json(), ask.max_tokens * LETTERS)
    turns = (Message("assistant", shown), Message("user", correction))
    return replace(ask, messages=(*ask.messages, *turns))
