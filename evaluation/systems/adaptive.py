"""`adaptive`: twig linking, an evolving shot store, a static critic and repair (Adaptive Text2GQL).

The question is linked to twigs of the schema (AT-4 to AT-10); the prompt has instruction, schema,
twigs, the best verified pairs so far, the question (AT-12); the query passes a static error base
and is run, and a fault of either is repaired, twice at most (AT-17 to AT-20, in the corrected form:
every turn costs budget, the last repair is tested). Verified pairs enter the store (AT-13 to 16).
Cypher, Gremlin, SPARQL. Questions are answered one after the other: their order matters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from evaluation.answering.asking import OutOfCalls, Talk, query_of
from evaluation.answering.catalogue import templates
from evaluation.answering.compact import compact_schema
from evaluation.answering.critic import Checked, static_fault
from evaluation.answering.evolving import Entry, Evolution, ShotStore
from evaluation.answering.options import Options
from evaluation.answering.rules import language_name, rules
from evaluation.answering.running import Ran, Runner
from evaluation.answering.twigs import Linked, Linker, Linking
from evaluation.answering.values import Values
from evaluation.base import Attempt, Setting, Task
from evaluation.prompts import prompt
from evaluation.systems.few_shot import fixed_shots, knowledge_text
from graphmill.similarity.texts import TRIGRAMS

LETTERS = 4  # of a token, about: prompts are kept short by it, figures are those of the endpoint
STORES = ("evolving", "fixed", "none")


class Adaptive:
    """Settings as in AT-24 (γ, α, β, λ, η, k_max). Not stated there: `delta`, `twigs` (K), `shots`
    (K), `rho`, `capacity`; ours: `least` score of a twig, `encoder` of names, `tokens` of a prompt,
    of those at most `schema-tokens` for the schema, `empty` = no takes an empty answer for none
    that failed. Ablations: `linking`, `critic`, `verifier`, `compounds`, `ends`, `values` = no;
    `store` = fixed (few-shot) or none (zero-shot)."""

    name: ClassVar[str] = "adaptive"
    needs_model: ClassVar[bool] = True
    ordered: ClassVar[bool] = True  # what it answers depends on the order of the questions
    defaults: ClassVar[Mapping[str, str]] = {
        "gamma": "0.8",
        "alpha": "1.0",
        "beta": "1.0",
        "lambda": "0.001",
        "eta": "0.3",
        "repairs": "2",
        "delta": "0.75",
        "twigs": "10",
        "shots": "3",
        "rho": "0.5",
        "capacity": "200",
        "least": "0.6",
        "encoder": TRIGRAMS,
        "tokens": "260",
        "schema-tokens": "105",
        "empty": "yes",
        "linking": "yes",
        "compounds": "yes",
        "ends": "yes",
        "values": "yes",
        "store": "evolving",
        "critic": "yes",
        "verifier": "yes",
    }

    def __init__(self, setting: Setting) -> None:
        options = Options(self.name, setting, self.defaults)
        templates(setting.language)
        self._setting = setting
        self._linking = Linking(
            delta=options.number("delta", 0, 1),
            gamma=options.number("gamma", 0, 1),
            most=options.whole("twigs", 0, 100),
            least=options.number("least", 0, 2),
            encoder=options.text("encoder"),
            compounds=options.flag("compounds"),
            ends=options.flag("ends"),
            values=options.flag("values"),
        )
        self._evolution = Evolution(
            alpha=options.number("alpha"),
            beta=options.number("beta"),
            decay=options.number("lambda"),
            eta=options.number("eta", 0, 1),
            initial=options.number("rho", 0, 1),
            capacity=options.whole("capacity", 1),
        )
        self._shots = options.whole("shots", 0, 32)
        self._repairs = options.whole("repairs", 0, 20)
        self._tokens = options.whole("tokens")
        self._schema_tokens = options.whole("schema-tokens")
        self._empty = options.flag("empty")
        self._links = options.flag("linking")
        self._how = options.text("store", STORES)
        self._criticises = options.flag("critic")
        self._verifies = options.flag("verifier")
        self._store = ShotStore(self._evolution)
        self._fixed = [
            Entry(e.record.id, e.record.db, e.question, e.query, frozenset(), 0.0)
            for e in fixed_shots(setting.examples, self._shots, setting.seed)
        ]
        self._runner = Runner(setting.language)
        self._linkers: dict[str, Linker] = {}

    def close(self) -> None:
        """End the workers."""
        self._runner.close()

    def answer(self, task: Task) -> Attempt:
        """The first query without a fault, or that of the last turn."""
        talk = Talk(self._setting, self.name)
        linked = self._linker(task).link(task.question)
        schema = compact_schema(
            task.schema, linked if self._links else None, self._schema_tokens * LETTERS
        )
        shots: list[Entry] = []
        query: str | None = ""
        faults: list[str] = []
        valid = False
        try:
            query, shots = self._generated(talk, task, linked, schema)
            for turn in range(self._repairs + 1):
                fault = None if query is None else self._fault(task, query)
                if fault is None:
                    valid = query is not None
                    break
                faults.append(fault[0])
                if turn < self._repairs:
                    query = self._repaired(talk, task, schema, str(query), fault[1])
        except OutOfCalls:
            pass
        if self._how == "evolving":
            self._store.learn(shots, valid=valid)
            if valid and query is not None:
                self._induce(task, query, linked)
        return Attempt(query, tuple(talk.calls), self._trace(linked, shots, faults, valid=valid))

    def _trace(
        self, linked: Linked, shots: list[Entry], faults: list[str], *, valid: bool
    ) -> dict[str, Any]:
        trace: dict[str, Any] = {
            "shots": [entry.id for entry in shots],
            "repairs": min(len(faults), self._repairs),
            "faults": faults,
            "valid": valid,
            "store": len(self._store.entries),
        }
        return {**trace, "twigs": linked.atoms} if self._links else trace

    # --- linking, shots, generation ---------------------------------------------------------

    def _linker(self, task: Task) -> Linker:
        """The templates and vectors of a database's schema, made once."""
        if task.db not in self._linkers:
            values = Values.of(task.graph, task.schema) if self._linking.values else None
            self._linkers[task.db] = Linker(task.schema, task.language, self._linking, values)
        return self._linkers[task.db]

    def _chosen(self, linked: Linked) -> list[Entry]:
        if self._how == "evolving":
            return self._store.best(linked.elements, self._shots)
        return self._fixed if self._how == "fixed" else []

    def _generated(
        self, talk: Talk, task: Task, linked: Linked, schema: str
    ) -> tuple[str | None, list[Entry]]:
        texts = list(dict.fromkeys(twig.text for twig, _ in linked.twigs)) if self._links else []
        values = {
            "language": language_name(task.language),
            "rules": rules(task.language),
            "schema": schema,
            "twigs": "",
            "shots": "",
            "knowledge": knowledge_text(task.knowledge),
            "question": task.question,
        }
        room = self._tokens * LETTERS - _letters(values)
        twigs, room = _fitting(texts, min(room, self._tokens * LETTERS // 5), room)
        if twigs:
            values["twigs"] = "Likely parts: " + "; ".join(twigs)
        shots = []
        for entry in self._chosen(linked):
            text = f"Question: {entry.question}\nQuery: {' '.join(entry.query.split())}"
            if len(text) + 1 <= room:
                room -= len(text) + 1
                shots.append(entry)
                values["shots"] += ("\n" if values["shots"] else "Examples:\n") + text
        return query_of(talk.ask("generator", "at-generate", repetition=0, **values)), shots

    def _induce(self, task: Task, query: str, linked: Linked) -> None:
        self._store.add(
            Entry(
                task.id,
                task.db,
                task.question,
                query,
                linked.elements,
                self._evolution.initial,
            )
        )

    # --- critic, verifier, repair -----------------------------------------------------------

    def _fault(self, task: Task, query: str) -> tuple[str, str] | None:
        """The kind of what is wrong, and what a model is told; None where nothing is."""
        if self._criticises:
            fault = static_fault(task.language, self._checked(task, query))
            if fault is not None:
                return f"static: {fault.rule}", fault.message
        if not self._verifies:
            return None
        ran = self._runner.run(task, query)
        if ran.failed:
            return ran.outcome, ran.message
        if self._empty and is_nothing(ran):
            return "semantic: empty", "The query runs and gives no rows or nothing but zeros."
        return None

    def _checked(self, task: Task, query: str) -> Checked:
        return Checked(
            query,
            self._runner.statement(task, query),
            self._runner.parses(task, query),
            task.schema,
            lambda text: self._runner.parses(task, text),
        )

    def _repaired(self, talk: Talk, task: Task, schema: str, query: str, error: str) -> str | None:
        text = talk.ask(
            "generator",
            "at-repair",
            repetition=len(talk.calls),
            language=language_name(task.language),
            rules=rules(task.language),
            schema=schema,
            query=" ".join(query.split()) if task.language != "sparql" else query,
            error=error,
            question=task.question,
        )
        return query_of(text) or query


SYSTEM = Adaptive


def is_nothing(ran: Ran) -> bool:
    """Whether an answer is empty, or one row of an aggregate over nothing: zeros, nulls, empty
    lists (ours: the paper's empty answers leave counts out)."""
    if ran.outcome == "empty":
        return True
    return len(ran.rows) == 1 and all(value in (None, 0, "", []) for value in ran.rows[0])


def _letters(values: Mapping[str, str]) -> int:
    rendered = prompt("at-generate").render(**values)
    return sum(len(message.text) for message in rendered)


def _fitting(texts: list[str], most: int, room: int) -> tuple[list[str], int]:
    """The first texts that have room, and the letters that are left."""
    kept: list[str] = []
    for text in texts:
        if sum(map(len, kept)) + len(text) + 2 * len(kept) + 14 <= most:
            kept.append(text)
    return kept, room - sum(len(text) + 2 for text in kept)
