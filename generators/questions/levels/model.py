"""The question author that asks a model: a persona for each level, then what one has to know."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, Field

from generators.prompts import prompt
from generators.queries.model.context import named_part
from generators.questions.author import QuestionAuthor, QuestionSet
from graph_ir import nodes as ir
from graph_ir.values import mentioned_values
from graphmill.errors import GraphmillError, LLMError
from graphmill.files import digest
from graphmill.llm.base import WASTED, Ask, Message, excerpt, quoted
from graphmill.llm.client import Client
from graphmill.record import Questions
from schemagraph.describe import Samples, Size, describe
from schemagraph.model import SchemaGraph
from translators.render import render

type Level = Literal["syntactic", "logical", "business"]

LEVELS: tuple[Level, ...] = ("syntactic", "logical", "business")
STAGE = "questions"
KNOWLEDGE = "knowledge"
ROOM = 400  # tokens of an answer
MAX_WORDS, MAX_SENTENCES = 50, 2  # of the knowledge; Text2GQL-Bench's reference prompts

_END = re.compile(r"[.!?](?=\s+[A-Z\"'(]|\s*$)")


class QuestionsUnfit(GraphmillError):
    """A model wrote no questions that pass, also after its repair round; `code` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Objection:
    """What is wrong with the question of a level; `code` is that of the check."""

    level: Level
    code: str
    message: str


type Judge = Callable[[ir.Statement, QuestionSet], Sequence[Objection]]


def _line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _brief(text: str) -> str:
    line = _line(text)
    if len(line.split()) > MAX_WORDS or len(_END.findall(line)) > MAX_SENTENCES:
        raise ValueError(f"at most {MAX_SENTENCES} sentences and {MAX_WORDS} words")
    return line


class Said(BaseModel):
    """A question as a model writes it."""

    question: Annotated[str, Field(max_length=2_000), AfterValidator(_line)]


class Known(BaseModel):
    """What one has to know, as a model writes it; empty where nothing is needed."""

    knowledge: Annotated[str, Field(max_length=2_000), AfterValidator(_brief)]


class ModelQuestionAuthor:
    """Asks for each level as its persona would put it, and for the knowledge by a second call.

    `judge` says what is wrong with the levels; that goes back once. What is wrong still is left to
    `fallback`, where there is one.
    """

    name: ClassVar[str] = "llm"
    version: ClassVar[str] = "1"

    def __init__(
        self,
        client: Client,
        judge: Judge,
        samples: Samples | None = None,
        fallback: QuestionAuthor | None = None,
    ) -> None:
        self.client = client
        self.judge = judge
        self.samples = samples or {}
        self.fallback = fallback

    def write(
        self, statement: ir.Statement, schema: SchemaGraph | None, rng: Random
    ) -> QuestionSet:
        """Questions that pass the judge.

        Raises:
            QuestionsUnfit: the model wrote none, and there is no author to fall back to.
            LLMError: no answer came: the endpoint failed, or the budget is up.
            NotExpressible: the author to fall back to found no words.
        """
        start = rng.getstate()
        try:
            questions = self._write(statement, schema, rng.getrandbits(31))
        except QuestionsUnfit:
            if self.fallback is None:
                raise
            rng.setstate(start)  # it writes what it would have written alone
            return self.fallback.write(statement, schema, rng)
        self.client.budget.accept(STAGE)
        return replace(questions, origin=self.origin())

    def origin(self) -> dict[str, str]:
        """Who wrote: the model, and a hash of the prompts."""
        names = [*(f"question-{level}" for level in LEVELS), "knowledge"]
        prompts = digest(*(prompt(name).hash for name in names))[:16]
        return {"author": self.name, "model": self.client.name, "prompts": prompts}

    def asks(
        self, statement: ir.Statement, schema: SchemaGraph | None, seed: int
    ) -> dict[Level, Ask]:
        """The first requests for the three levels."""
        values = ", ".join(map(repr, mentioned_values(statement))) or "none"
        shown = {**self._shown(statement, schema), "values": values}
        return {
            level: Ask(prompt(f"question-{level}").render(**shown), 0.7, ROOM, seed, stage=STAGE)
            for level in LEVELS
        }

    def knowledge_ask(
        self, statement: ir.Statement, schema: SchemaGraph | None, question: str, seed: int
    ) -> Ask:
        """The request for what leads from a question to its query."""
        messages = prompt("knowledge").render(**self._shown(statement, schema), question=question)
        return Ask(messages, 0.2, ROOM, seed, stage=KNOWLEDGE)

    def _shown(self, statement: ir.Statement, schema: SchemaGraph | None) -> dict[str, str]:
        part = named_part(schema, statement) if schema else None
        text = describe(part, Size.TYPES, self.samples) if part else "(none)"
        return {"schema": text, "query": render(statement, "cypher", schema).text}

    def _write(self, statement: ir.Statement, schema: SchemaGraph | None, seed: int) -> QuestionSet:
        first = self.asks(statement, schema, seed)
        texts = self._levels(first)
        knowledge = self._knowledge(statement, schema, texts["business"], seed)
        questions = _whole(texts, knowledge)
        objections = self.judge(statement, questions)
        if not objections:
            return questions
        wrong = dict.fromkeys(each.level for each in objections)
        again = {
            level: _again(first[level], texts[level], [o for o in objections if o.level == level])
            for level in wrong
        }
        texts = {**texts, **self._levels(again)}
        if "business" in wrong:
            knowledge = self._knowledge(statement, schema, texts["business"], seed)
        questions = _whole(texts, knowledge)
        for left in self.judge(statement, questions):
            raise QuestionsUnfit(left.code, f"{left.message} The model was asked twice.")
        return questions

    def _levels(self, asks: Mapping[Level, Ask]) -> dict[Level, str]:
        texts: dict[Level, str] = {}
        for level, reply in zip(asks, self.client.fill_many(asks.values(), Said), strict=True):
            if isinstance(reply, LLMError):
                raise _unfit(reply, f"the {level} question")
            texts[level] = reply.value.question
        return texts

    def _knowledge(
        self, statement: ir.Statement, schema: SchemaGraph | None, question: str, seed: int
    ) -> str:
        ask = self.knowledge_ask(statement, schema, question, seed)
        try:
            return self.client.fill(ask, Known).value.knowledge
        except LLMError as problem:
            raise _unfit(problem, "the knowledge") from problem


def _unfit(problem: LLMError, what: str) -> GraphmillError:
    """An answer that was none concerns these questions only; other errors end the work."""
    if problem.code not in WASTED:
        return problem
    return QuestionsUnfit(problem.code, f"No answer for {what}: {excerpt(str(problem))}")


def _whole(texts: Mapping[Level, str], knowledge: str) -> QuestionSet:
    questions = Questions(
        syntactic=texts["syntactic"], logical=texts["logical"], business=texts["business"]
    )
    return QuestionSet(questions, knowledge)


def _again(ask: Ask, text: str, objections: Sequence[Objection]) -> Ask:
    """The request with the last question and what is wrong with it."""
    lines = "\n".join(f"- [{each.code}] {excerpt(each.message, 400)}" for each in objections)
    correction = (
        f"That question cannot be used:\n{lines}\nAnswer with a better one, in the same form."
    )
    turns = (Message("assistant", quoted(text) or "(empty)"), Message("user", correction))
    return replace(ask, messages=(*ask.messages, *turns))
