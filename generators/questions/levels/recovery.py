"""Whether a question leads back to its query, with what one should know and without it.

A model that has not seen the query translates the question; what it writes is run, and its answer
held against the gold one. So it is found, too, what the external knowledge is worth.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import permutations
from random import Random
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from engines.base import Result
from engines.compare import allowed
from generators.prompts import prompt
from generators.queries.base import Ground
from generators.queries.model.context import schema_text
from generators.queries.model.reading import Unfit, meaning
from graph_ir import nodes as ir
from graph_ir.rewrites import leaves_lists_open, probe
from graphmill.errors import LLMError
from graphmill.llm.base import WASTED, Ask
from graphmill.llm.client import Client

STAGE = "recovery"
ROOM = 800  # tokens of an answer
COLUMNS = 5  # up to which their order is tried

type Worth = Literal["", "needed", "helpful", "redundant"]


class Translated(BaseModel):
    """A query as a model writes it."""

    cypher: Annotated[str, Field(max_length=20_000)]


@dataclass(frozen=True, slots=True)
class Recovery:
    """How many of `trials` translations gave the gold answer, without and with the knowledge.

    `knowledge` is what that says of it: `needed` (right only with it), `helpful` (right more
    often with it), `redundant` (as often right without it); empty where there is none, or where
    no translation was right.
    """

    trials: int
    without: int
    with_knowledge: int

    @property
    def recovered(self) -> bool:
        """Whether the question leads back to its query at all."""
        return bool(self.without or self.with_knowledge)

    def worth(self, knowledge: str) -> Worth:
        """What the knowledge is worth for this question."""
        if not knowledge or not self.recovered:
            return ""
        if self.with_knowledge <= self.without:
            return "redundant"
        return "helpful" if self.without else "needed"

    def to_json(self) -> dict[str, Any]:
        """For a record."""
        return asdict(self)


def asks(ground: Ground, question: str, knowledge: str, trials: int, seed: int) -> list[Ask]:
    """The requests: `trials` without the knowledge, and as many with it where there is some."""
    schema = schema_text(ground.schema, ground.statistics)
    requests = []
    for known in dict.fromkeys(("", knowledge)):
        messages = prompt("recover").render(
            schema=schema, question=question, knowledge=known or "nothing more"
        )
        requests += [
            Ask(messages, 0.7 if trials > 1 else 0.0, ROOM, seed, stage=STAGE, repetition=number)
            for number in range(trials)
        ]
    return requests


def recover(
    client: Client,
    ground: Ground,
    statement: ir.Statement,
    question: str,
    knowledge: str,
    *,
    trials: int,
    rng: Random,
) -> Recovery:
    """Translate the question back and compare answers.

    Raises:
        LLMError: no answer came: the endpoint failed, or the budget is up.
    """
    requests = asks(ground, question, knowledge, trials, rng.getrandbits(31))
    right = []
    for reply in client.fill_many(requests, Translated):
        if isinstance(reply, LLMError):
            if reply.code not in WASTED:
                raise reply
            right.append(False)
        else:
            right.append(agrees(reply.value.cypher, statement, ground))
    without = sum(right[:trials])
    recovery = Recovery(trials, without, sum(right[trials:]) if knowledge else without)
    if recovery.recovered:
        client.budget.accept(STAGE)
    return recovery


def agrees(text: str, statement: ir.Statement, ground: Ground) -> bool:
    """Whether a query text gives an answer of the statement, in whatever order of columns."""
    asked = probe(statement)
    whole = ground.ask(asked.statement) if asked else None
    try:
        answer = ground.ask(meaning(text, ground))
    except Unfit:
        return False
    if asked is None or whole is None or answer is None:
        return False
    if len(answer.columns) != len(whole.columns) - asked.keys:
        return False
    orders = permutations(range(len(answer.columns))) if len(answer.columns) <= COLUMNS else [None]
    return any(
        allowed(
            answer if order is None else _arranged(answer, order),
            whole,
            keys=asked.keys,
            skip=asked.skip,
            limit=asked.limit,
            rough=asked.rough,
            unordered_lists=leaves_lists_open(statement),
        )
        for order in orders
    )


def _arranged(answer: Result, order: tuple[int, ...]) -> Result:
    rows = tuple(tuple(row[place] for place in order) for row in answer.rows)
    return Result(tuple(answer.columns[place] for place in order), rows)
