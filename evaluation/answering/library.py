"""A library of verified reasoning examples, built from schemas by generate, verify, refine (HR-1 to
HR-4)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from evaluation.answering.asking import Talk, query_of
from evaluation.answering.rules import language_name, rules
from evaluation.answering.running import Ran, Runner
from evaluation.answering.schema_text import schema_text
from evaluation.answering.structure import structure
from evaluation.base import Setting, Task
from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.files import canonical
from graphmill.llm.structured import json_object
from graphmill.seed import rng
from schemagraph.folder.statistics import gather_statistics

# HR-1: prompts per structure.
STRUCTURES: Mapping[str, str] = {
    "chain": "nodes one after the other, none with more than two edges.",
    "star": "one node in the middle that has all edges, three or more.",
    "tree": "several branches without a circle, more than one node with several edges.",
}
_PARAMETER = re.compile(r"\$(\w+)")

# HR-4: the kinds of feedback, and what the next prompt says.
type Feedback = Literal["success", "syntax", "result", "reasoning"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A verified example: question, query, reasoning, and the structure of the query."""

    db: str
    question: str
    query: str
    reasoning: str
    structure: tuple[float, ...]


@dataclass(slots=True)
class Library:
    """Entries in the order in which they were made, and how many of each feedback there were."""

    entries: list[Entry] = field(default_factory=list)
    feedback: Counter[str] = field(default_factory=Counter)
    templates: int = 0
    calls: int = 0

    def to_json(self) -> dict[str, Any]:
        """For traces."""
        return {
            "entries": len(self.entries),
            "templates": self.templates,
            "calls": self.calls,
            "feedback": dict(sorted(self.feedback.items())),
        }


def build(setting: Setting, runner: Runner, name: str, number: int, rounds: int) -> Library:
    """The library over all graphs of the corpus: `number` templates for each graph and structure,
    each verified in up to `rounds` rounds. `--calls` bounds questions, not the library.

    Raises:
        LLMError: the model cannot be asked (any more).
    """
    unbounded = Setting(
        setting.language,
        client=setting.client,
        roles=setting.roles,
        seed=setting.seed,
        databases=setting.databases,
    )
    library = Library()
    for db, (graph, schema) in sorted(setting.databases.items()):
        task = Task(f"library of {db}", db, "", setting.language, schema, graph)
        talk = Talk(unbounded, f"{name}: library")
        for shape in STRUCTURES if number else ():
            for query in _filled(talk, task, runner, shape, number, setting.seed):
                library.templates += 1
                _verify(talk, task, runner, query, rounds, library)
        library.calls += len(talk.calls)
    return library


def _filled(
    talk: Talk, task: Task, runner: Runner, shape: str, number: int, seed: int
) -> Iterator[str]:
    """Stage I: templates of a structure, filled with values that the graph gives."""
    reply = talk.ask(
        "library",
        "hr-template",
        language=language_name(task.language),
        rules=rules(task.language),
        graph=task.schema.name,
        structure=shape,
        meaning=STRUCTURES[shape],
        number=str(number),
        schema=schema_text(task.schema, samples=_samples(task, seed)),
    )
    raw = json_object(reply)
    value = json.loads(raw) if raw else {}
    templates = value.get("templates") if isinstance(value, dict) else None
    for each in templates[:number] if isinstance(templates, list) else ():
        template = each.get("template") if isinstance(each, dict) else None
        if not isinstance(template, str):
            continue
        wanted = set(_PARAMETER.findall(template))
        if not wanted:
            yield template
            continue
        collected = runner.run(task, str(each.get("collect", "")))
        if collected.rows and wanted <= set(collected.columns):
            row = rng(seed, "library", template).choice(collected.rows)
            yield _with_values(template, dict(zip(collected.columns, row, strict=True)))


def _verify(
    talk: Talk, task: Task, runner: Runner, query: str, rounds: int, library: Library
) -> None:
    """Stages II and III: the question of a query, then reasoning and query until the answer is
    the expected one."""
    expected = runner.run(task, query)
    if expected.outcome != "rows" or expected.statement is None:
        library.feedback["unusable template"] += 1
        return
    schema = schema_text(task.schema)
    spoken = language_name(task.language)
    question = talk.ask("library", "hr-question", language=spoken, schema=schema, query=query)
    question = " ".join(question.split())
    feedback = ""
    for _ in range(rounds if question else 0):
        trace = talk.ask(
            "reasoner",
            "hr-trace",
            language=spoken,
            schema=schema,
            feedback=feedback,
            question=question,
        )
        reply = talk.ask(
            "library",
            "hr-query",
            language=spoken,
            rules=rules(task.language),
            schema=schema,
            trace=trace,
            question=question,
        )
        got = query_of(reply) or ""
        ran = runner.run(task, got)
        kind = judged(expected, ran, trace)
        library.feedback[kind] += 1
        if kind == "success":
            library.entries.append(
                Entry(task.db, question, query, trace, structure(expected.statement))
            )
            return
        feedback = _failure_text(kind, got, ran)


def judged(expected: Ran, ran: Ran, trace: str) -> Feedback:
    """HR-4: which feedback a round gives. The same rows are the same whatever their order."""
    if ran.outcome == "syntactic":
        return "syntax"
    if ran.statement is not None and not _agrees(ran.statement, trace):
        return "reasoning"
    return "success" if not ran.failed and _bag(ran) == _bag(expected) else "result"


def _agrees(statement: ir.Statement, trace: str) -> bool:
    """Whether the reasoning names the node types and edge types that the query names."""
    named = {label.name for label in find(statement, ir.LabelName)}
    return all(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", trace) for name in named)


def _failure_text(kind: Feedback, query: str, ran: Ran) -> str:
    """What the next prompt says of a failure."""
    problem = {
        "syntax": f"It does not parse: {ran.message}",
        "result": "Its answer is not the expected one. Look again at the schema and at the "
        "conditions on properties.",
        "reasoning": "The reasoning and the query do not agree: the query reads what the reasoning "
        "does not name. Reconcile them.",
    }[kind]
    return f"The query that came of the last reasoning:\n\n{query}\n\n{problem}"


def _bag(ran: Ran) -> Counter[str]:
    return Counter(canonical(list(row)) for row in ran.rows)


def _with_values(template: str, values: Mapping[str, Any]) -> str:
    """A template with a constant in the place of each parameter."""
    return _PARAMETER.sub(lambda hole: json.dumps(values[hole[1]], ensure_ascii=False), template)


def _samples(task: Task, seed: int) -> dict[tuple[str, str], Any]:
    figures = gather_statistics(task.graph, task.schema, seed).properties
    return {name: own.sample[0] for name, own in figures.items() if own.sample}
