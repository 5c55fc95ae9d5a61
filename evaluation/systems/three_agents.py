"""`three-agents`: preprocessor, generator, refiner (NAT-NL2GQL; NS-10 to NS-17, NS-25).

The preprocessor recognises names (NS-10), aligns them with the graph's (NS-11), completes the
schema's part that the question names to one piece (NS-12), has a model revise it (NS-13), and
rewrites the question with the names of the database (NS-14). The generator is given both questions
and the related schema (NS-15; the paper's is fine-tuned, ours is whatever model is named for the
role). The refiner runs the query; where it fails, it is corrected, or "Info Error" sends question,
query and error back to the preprocessor as history (NS-16, NS-17), three rounds at most.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from evaluation.answering.alignment import Dictionary
from evaluation.answering.asking import OutOfCalls, Talk, query_of
from evaluation.answering.linking import completed, named
from evaluation.answering.options import Options
from evaluation.answering.rules import language_name, rules
from evaluation.answering.running import Ran, Runner
from evaluation.answering.schema_text import part, schema_text
from evaluation.answering.values import Values
from evaluation.base import Attempt, Setting, Task
from evaluation.systems.few_shot import knowledge_text
from graphmill.errors import GraphmillError
from graphmill.files import read_json_lines
from graphmill.llm.structured import json_object
from graphmill.similarity.texts import TRIGRAMS
from schemagraph.describe import Size, describe
from schemagraph.model import SchemaGraph

INFO_ERROR = "info error"


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the preprocessor hands on: names with type and formal name, the related schema, the
    question with formal names."""

    names: tuple[tuple[str, str, str], ...]
    schema: SchemaGraph
    rewritten: str

    def names_text(self) -> str:
        """Names as prompts have them."""
        shown = [f"{name} ({owner}): {formal}" for name, owner, formal in self.names]
        return "; ".join(shown) or "none"


class ThreeAgents:
    """Settings: `rounds` of the refiner at most; `encoder` of the alignment; `empty` = no takes an
    empty answer for none that failed. Ablations: `preprocessor`, `revision`, `refiner`, `return`
    (to the preprocessor) = no. `given` is a file of lines `{"id", "schema"}`: the node types and
    labels of edges that a question is given as its related schema, whatever the preprocessor
    links (NS-23); a question that it does not have is given none."""

    name: ClassVar[str] = "three-agents"
    needs_model: ClassVar[bool] = True
    defaults: ClassVar[Mapping[str, str]] = {
        "rounds": "3",
        "encoder": TRIGRAMS,
        "empty": "yes",
        "preprocessor": "yes",
        "revision": "yes",
        "refiner": "yes",
        "return": "yes",
        "given": "",
    }

    def __init__(self, setting: Setting) -> None:
        options = Options(self.name, setting, self.defaults)
        self._setting = setting
        self._rounds = options.whole("rounds", 0, 20)
        self._encoder = options.text("encoder")
        self._empty = options.flag("empty")
        self._preprocesses = options.flag("preprocessor")
        self._revises = options.flag("revision")
        self._refines = options.flag("refiner")
        self._returns = options.flag("return")
        path = options.text("given")
        self._given = _given(Path(path)) if path else None
        self._runner = Runner(setting.language)
        self._dictionaries: dict[str, Dictionary] = {}

    def close(self) -> None:
        """End the workers."""
        self._runner.close()

    def answer(self, task: Task) -> Attempt:
        """The query that runs, or the last one."""
        talk = Talk(self._setting, self.name)
        prepared = Prepared((), task.schema, task.question)
        query: str | None = ""
        rounds = 0
        outcomes: list[str] = []
        try:
            prepared = self._prepared(talk, task, ())
            query = self._generated(talk, task, prepared)
            history: list[str] = []
            while query is not None and self._refines:
                ran = self._runner.run(task, query)
                outcomes.append(ran.outcome)
                if not self._is_fault(ran) or rounds == self._rounds:
                    break
                rounds += 1
                reply = self._refined(talk, task, prepared, query, ran)
                if INFO_ERROR not in reply.casefold():
                    query = query_of(reply) or query
                elif self._returns and self._preprocesses:
                    history.append(f"{task.question}\nQuery: {query}\nError: {ran.message}")
                    prepared = self._prepared(talk, task, history)
                    query = self._generated(talk, task, prepared)
        except OutOfCalls:
            pass
        trace = {
            "names": [list(name) for name in prepared.names],
            "schema": linked(prepared.schema),
            "rewritten": prepared.rewritten,
            "repairs": rounds,
            "outcomes": outcomes,
        }
        return Attempt(query, tuple(talk.calls), trace)

    def _is_fault(self, ran: Ran) -> bool:
        return ran.failed or (self._empty and ran.outcome == "empty")

    # --- preprocessor --------------------------------------------------------------------

    def _prepared(self, talk: Talk, task: Task, history: Sequence[str]) -> Prepared:
        if not self._preprocesses:
            return Prepared((), self._related(task, task.schema), task.question)
        names = self._names(talk, task, history)
        rewritten = task.question
        for name, _, formal in sorted(names, key=lambda each: -len(each[0])):
            if formal not in rewritten:
                rewritten = rewritten.replace(name, formal)
        if self._given is not None:
            return Prepared(names, self._related(task, task.schema), rewritten)
        nodes, edges = named(task.schema, task.question)
        nodes |= {owner for _, owner, _ in names}
        nodes, edges = completed(task.schema, nodes, edges)
        candidate = part(task.schema, nodes, edges) if nodes else task.schema
        prepared = Prepared(names, candidate, rewritten)
        return self._revised(talk, task, prepared, history) if self._revises else prepared

    def _related(self, task: Task, otherwise: SchemaGraph) -> SchemaGraph:
        """The schema that a question is given, where a file says it."""
        if self._given is None:
            return otherwise
        names = self._given.get(task.id, frozenset())
        edges = [edge.name for edge in task.schema.edges if edge.label in names]
        return part(task.schema, names, edges)

    def _names(
        self, talk: Talk, task: Task, history: Sequence[str]
    ) -> tuple[tuple[str, str, str], ...]:
        owners = {label: node.name for node in task.schema.nodes for label in node.labels}
        owners |= {node.name: node.name for node in task.schema.nodes}
        reply = talk.ask(
            "preprocessor",
            "ns-recognise",
            labels=", ".join(task.schema.labels),
            history=_history(history),
            question=task.question,
        )
        names = []
        for name, label in sorted(_object(reply).items()):
            owner = owners.get(str(label))
            if owner is not None and name and name in task.question:
                formal = self._dictionary(task).aligned(name, owner)
                names.append((name, owner, formal or name))
        return tuple(names)

    def _dictionary(self, task: Task) -> Dictionary:
        if task.db not in self._dictionaries:
            self._dictionaries.clear()  # databases come one after the other
            values = Values.of(task.graph, task.schema)
            self._dictionaries[task.db] = Dictionary(values, self._encoder)
        return self._dictionaries[task.db]

    def _revised(
        self, talk: Talk, task: Task, prepared: Prepared, history: Sequence[str]
    ) -> Prepared:
        reply = talk.ask(
            "preprocessor",
            "ns-revise",
            schema=schema_text(task.schema),
            candidate=schema_text(prepared.schema),
            names=prepared.names_text(),
            history=_history(history),
            question=task.question,
        )
        schema = patterns_in(reply.rpartition("orrected schema:")[2], task.schema)
        return replace(prepared, schema=schema) if schema is not None else prepared

    # --- generator, refiner --------------------------------------------------------------

    def _generated(self, talk: Talk, task: Task, prepared: Prepared) -> str | None:
        reply = talk.ask(
            "generator",
            "ns-generate",
            language=language_name(task.language),
            rules=rules(task.language),
            schema=schema_text(prepared.schema),
            rewritten=prepared.rewritten,
            knowledge=knowledge_text(task.knowledge),
            question=task.question,
        )
        return query_of(reply)

    def _refined(self, talk: Talk, task: Task, prepared: Prepared, query: str, ran: Ran) -> str:
        return talk.ask(
            "refiner",
            "ns-refine",
            repetition=len(talk.calls),
            language=language_name(task.language),
            rules=rules(task.language),
            schema=schema_text(prepared.schema),
            names=prepared.names_text(),
            rewritten=prepared.rewritten,
            query=query,
            error=ran.message,
            question=task.question,
        )


SYSTEM = ThreeAgents


def _given(path: Path) -> dict[str, frozenset[str]]:
    """The names that each question is given.

    Raises:
        GraphmillError: the file cannot be read, or a line of it is none of these.
    """
    schemas: dict[str, frozenset[str]] = {}
    for number, line in read_json_lines(path):
        match line:
            case {"id": str(id), "schema": [*names]} if all(isinstance(n, str) for n in names):
                schemas[id] = frozenset(names)
            case GraphmillError():
                raise line
            case _:
                raise GraphmillError(
                    f"{path}, line {number}, is not of the form "
                    '{"id": …, "schema": [names of node types and labels of edges]}.'
                )
    return schemas


def linked(schema: SchemaGraph) -> list[str]:
    """A part of a schema as traces have it: node types, labels of edges."""
    return sorted({*(node.name for node in schema.nodes), *(edge.label for edge in schema.edges)})


def patterns_in(text: str, schema: SchemaGraph) -> SchemaGraph | None:
    """The part of the schema whose patterns a text has; None where it has none of them.

    Properties, spaces and quotation marks in the text do not count.
    """
    plain = _without_properties(text)
    nodes, edges = set(), set()
    lines = describe(schema, Size.PATTERNS).splitlines()
    for node, line in zip(schema.nodes, lines, strict=False):
        if _without_properties(line) in plain:
            nodes.add(node.name)
    for edge, line in zip(schema.edges, lines[len(schema.nodes) :], strict=True):
        if _without_properties(line) in plain:
            edges.add(edge.name)
    return part(schema, nodes, edges) if nodes or edges else None


def _without_properties(text: str) -> str:
    kept: list[str] = []
    depth = 0
    for letter in text:
        depth += letter == "{"
        if depth <= 0 and not letter.isspace() and letter != "`":
            kept.append(letter)
        depth -= letter == "}" and depth > 0
    return "".join(kept)


def _object(text: str) -> dict[str, Any]:
    raw = json_object(text)
    value = json.loads(raw) if raw else {}
    return value if isinstance(value, dict) else {}


def _history(history: Sequence[str]) -> str:
    if not history:
        return ""
    return "What was tried before, and failed:\n\n" + "\n\n".join(history)
