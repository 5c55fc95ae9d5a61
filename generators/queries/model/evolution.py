"""Evolution by a model: query and question made harder together, from instances of the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

from engines.base import Result
from engines.compare import answer_hash
from generators.prompts import prompt
from generators.queries.base import Ground, Proposal, Wanted
from generators.queries.model.context import instance_lines, lacking, schema_text, surroundings
from generators.queries.model.reading import (
    Understood,
    Unfit,
    listed,
    problem_text,
    read,
    sketch,
    worded,
)
from graph_ir import nodes as ir
from graph_ir.canonical import fingerprint, shape
from graph_ir.difficulty import tier
from graph_ir.features import features
from graphmill.errors import LLMError
from graphmill.llm.base import LETTERS, WASTED, Ask, Message, excerpt, quoted
from graphmill.llm.client import Client
from graphmill.record import DIFFICULTIES, Difficulty, Evolved, Reject
from schemagraph.model import SchemaGraph
from schemagraph.views import count_sub_schemas
from translators.render import render

STAGE = "evolution"
REPAIRS = 3
ROOM = 900  # tokens of an answer

NOTHING = Wanted()

type Operation = Literal[
    "add-constraint", "generalise-value", "extend-path", "close-cycle", "add-optional",
    "aggregate", "filter-aggregate", "compare-average", "nest", "variable-length",
    "multi-stage", "negate",
]  # fmt: skip
type Sampler = Callable[[ir.Statement, Ground, Random], Sequence[str]]


class Step(BaseModel):
    """A harder pair, as a model writes it."""

    operation: Operation
    question: Annotated[str, Field(max_length=4_000)]
    cypher: Annotated[str, Field(max_length=20_000)]


@dataclass(slots=True)
class _Job:
    """A parent that is asked about: its text and answer, and the request as it grows."""

    parent: Proposal
    text: str
    answer: Result
    instances: str
    ask: Ask


class ModelEvolver:
    """Asks a model for a harder form of a pair, and sends back what is wrong, three times at most.

    `instances` samples the parent's answer and its neighbourhood. `rejects` are the ledger's
    lines: every answer that came to nothing, also where a later one was good.
    """

    name: ClassVar[str] = "llm"
    version: ClassVar[str] = "1"

    def __init__(self, ground: Ground, client: Client, instances: Sampler = instance_lines) -> None:
        self.ground = ground
        self.client = client
        self.instances = instances
        self.rejects: list[Reject] = []

    def evolve(self, parent: Proposal, rng: Random, wanted: Wanted = NOTHING) -> Iterator[Proposal]:
        """One harder pair, or none; `wanted` is what the corpus still lacks.

        Raises:
            LLMError: no answer came: the endpoint failed, or the budget is up.
        """
        return (child for _, child in self.evolve_all([(parent, rng)], wanted))

    def evolve_all(
        self, parents: Iterable[tuple[Proposal, Random]], wanted: Wanted = NOTHING
    ) -> Iterator[tuple[Proposal, Proposal]]:
        """(parent, child) for each parent that a model made harder; the calls run side by side.

        Raises:
            LLMError: no answer came: the endpoint failed, or the budget is up.
        """
        jobs = [job for each, rng in parents if (job := self._job(each, rng, wanted)) is not None]
        for number in range(REPAIRS + 1):
            left: list[_Job] = []
            filled = self.client.fill_many([job.ask for job in jobs], Step)
            for job, reply in zip(jobs, filled, strict=True):
                if isinstance(reply, LLMError):
                    if reply.code not in WASTED:
                        raise reply
                    self._reject(job, reply.code, str(reply), number, reply=reply.evidence)
                    continue
                step = reply.value
                try:
                    child = self._child(job, step)
                except Unfit as problem:
                    self._reject(job, problem.code, str(problem), number, step)
                    left.append(replace(job, ask=_again(job.ask, step, problem)))
                else:
                    self.client.budget.accept(STAGE)
                    yield job.parent, child
            jobs = left

    def ask(
        self,
        parent: Proposal,
        answer: Result,
        instances: Sequence[str],
        wanted: Wanted,
        seed: int,
    ) -> Ask:
        """The first request about a parent."""
        schema = surroundings(self.ground.schema, parent.statement)
        messages = prompt("evolution").render(
            schema=schema_text(schema, self.ground.statistics),
            question=parent.question or "(not written yet)",
            query=render(parent.statement, "cypher", self.ground.schema).text,
            answer=sketch(answer),
            instances=listed(instances),
            wanted=lacking(wanted, _harder(parent.statement), _reach(schema)),
        )
        return Ask(messages, 0.7, ROOM, seed, stage=STAGE)

    def _job(self, parent: Proposal, rng: Random, wanted: Wanted) -> _Job | None:
        answer = self.ground.ask(parent.statement)
        text = render(parent.statement, "cypher", self.ground.schema).text
        if answer is None:
            reason = "The query to evolve has no answer."
            self._note(
                "no-answer", reason, parent.question, text, {"parent": text, "maker": self.name}
            )
            return None
        lines = list(self.instances(parent.statement, self.ground, rng))
        first = self.ask(parent, answer, lines, wanted, rng.getrandbits(31))
        return _Job(parent, text, answer, "\n".join(lines), first)

    def _child(self, job: _Job, step: Step) -> Proposal:
        """The proposal of a step.

        Raises:
            Unfit: it is none; or `same-query`, `same-shape` (but for values) or `same-answer` as
                the parent.
        """
        understood = read(step.cypher, self.ground)
        self._differs(job, understood)
        question = worded(step.question, understood.statement)
        trace = (*job.parent.trace, Evolved(f"llm:{step.operation}", job.text, job.instances))
        return replace(
            job.parent,
            statement=understood.statement,
            maker=self.name,
            trace=trace,
            question=question,
            may_be_empty=False,
        )

    def _differs(self, job: _Job, understood: Understood) -> None:
        old, new = job.parent.statement, understood.statement
        if fingerprint(old) == fingerprint(new):
            raise Unfit("same-query", "The new query means the same as the old one.")
        if shape(old) == shape(new):
            raise Unfit("same-shape", "The new query differs from the old one in values only.")
        if answer_hash(job.answer, ordered=False) == answer_hash(understood.answer, ordered=False):
            raise Unfit("same-answer", "The new query has the same answer as the old one.")

    def _reject(
        self, job: _Job, code: str, reason: str, number: int, step: Step | None = None,
        reply: str = "",
    ) -> None:  # fmt: skip
        source = {"operation": step.operation} if step else {"reply": reply}
        self._note(
            code,
            reason,
            excerpt(step.question, 600) if step else job.parent.question,
            step.cypher if step else "",
            {"round": number + 1, "parent": job.text, "maker": self.name, **source},
        )

    def _note(
        self, code: str, reason: str, question: str, query: str, evidence: dict[str, object]
    ) -> None:
        name = self.ground.schema.name
        self.rejects.append(Reject(STAGE, code, reason, name, question, query, evidence=evidence))


def _harder(statement: ir.Statement) -> Difficulty:
    """The least tier that a harder form of a query has: the next one, or the hardest again."""
    place = DIFFICULTIES.index(tier(features(statement)))
    return DIFFICULTIES[min(place + 1, len(DIFFICULTIES) - 1)]


def _reach(schema: SchemaGraph) -> int:
    """How many edges a path through the shown part can have, 3 for three or more."""
    return next((hops for hops in range(3) if not count_sub_schemas(schema, hops + 1)), 3)


def _again(ask: Ask, step: Step, problem: Unfit) -> Ask:
    """The request with the last answer and what is wrong with it."""
    correction = (
        f"That cannot be used: {problem_text(problem)}\n"
        "Answer with the whole JSON object again, with this put right."
    )
    shown = quoted(step.model_dump_json(), ask.max_tokens * LETTERS)
    turns = (Message("assistant", shown), Message("user", correction))
    return replace(ask, messages=(*ask.messages, *turns))
