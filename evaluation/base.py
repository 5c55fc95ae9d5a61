"""The contracts: what a system is asked and answers, and what a metric is given.

A system is a class that takes a `Setting` and has `name`, `needs_model` and `answer`. A module of
`evaluation.systems` exports it as `SYSTEM`; another package names it as an entry point of the
group `graphmill.systems`. A metric of another package is an entry point of `graphmill.metrics`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from graph_ir import nodes as ir
from graphmill.llm.client import Client
from graphmill.record import Record
from schemagraph.model import SchemaGraph

type Form = Literal["original", "syntactic", "logical", "business"]

FORMS: tuple[Form, ...] = ("original", "syntactic", "logical", "business")


def forms_asked(records: Iterable[Record]) -> list[str]:
    """The forms in which any of the records has a question."""
    asked = [record.questions for record in records]
    return [form for form in FORMS if any(getattr(each, form) for each in asked)]


@dataclass(frozen=True, slots=True)
class Task:
    """One question to be answered by a query in `language`: all that a system may know of it.

    `knowledge` is the record's external knowledge where the system is to have it, else empty.
    `graph` is the folder of the graph, on which a system may run reads of its own.
    """

    id: str
    db: str
    question: str
    language: str
    schema: SchemaGraph
    graph: Path
    form: Form = "original"
    knowledge: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One call to a model: which, and what it took. Tokens by part of the prompt, where known."""

    model: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0
    cached: bool = False
    parts: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """One entry of `calls` in a line of predictions."""
        return {
            "model": self.model,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "usd": self.usd,
            "seconds": self.seconds,
            "cached": self.cached,
            "parts": dict(self.parts),
        }


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a system gave: a query, or None where it abstains; the calls it took, and a trace.

    `trace` is plain JSON. Keys that metrics read: `twigs` (texts of the linked twigs, see
    `evaluation.metrics.elements.twigs`), `schema` (labels, edge types and `owner.property` that
    were linked), `repairs` (how many repairs were made).
    """

    query: str | None
    calls: tuple[Call, ...] = ()
    trace: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Example:
    """A pair of the training split that a system may learn from."""

    record: Record
    question: str
    query: str
    schema: SchemaGraph


@dataclass(frozen=True, slots=True)
class Setting:
    """What a system is made with: the language, examples of `train`, the model and a seed.

    `client` is None where no model was named; `roles` are other models, for roles of a system by
    name. `calls` bounds the calls of one task (None: the system's own bound). `options` are the
    system's named settings, as they were given.
    """

    language: str
    examples: Sequence[Example] = ()
    client: Client | None = None
    roles: Mapping[str, Client] = field(default_factory=dict)
    calls: int | None = None
    seed: int = 7
    options: Mapping[str, str] = field(default_factory=dict)
    databases: Mapping[str, tuple[Path, SchemaGraph]] = field(default_factory=dict)


class System(Protocol):
    """What predicts queries. `name` is public; `needs_model` says whether it asks one.

    Questions are answered one after the other. Three attributes may be there besides: `defaults`,
    the named settings that it takes with their values (texts); `concurrent`, true where `answer`
    may run in several threads and no answer depends on another; `close()`, called at the end.
    """

    name: ClassVar[str]
    needs_model: ClassVar[bool]

    def __init__(self, setting: Setting) -> None: ...

    def answer(self, task: Task) -> Attempt:
        """The query for one task.

        Raises:
            LLMError: the model could not be asked.
        """
        ...


@dataclass(frozen=True, slots=True)
class Pair:
    """What a metric is given: a prediction beside its gold. Statements are None where a text has
    no reader or was not read; `right` is execution accuracy where the query was run."""

    record: Record
    language: str
    gold: str
    predicted: str
    schema: SchemaGraph
    gold_statement: ir.Statement | None = None
    predicted_statement: ir.Statement | None = None
    right: bool | None = None


class Metric(Protocol):
    """A measure of one pair; the mean over pairs is printed as `name`."""

    name: ClassVar[str]

    def measure(self, pair: Pair) -> float | None:
        """A figure, or None where it does not apply."""
        ...
