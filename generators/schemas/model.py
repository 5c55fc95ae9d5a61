"""The schema author that asks a model; `pipelines.author.authoring` judges its drafts."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar

from generators.prompts import prompt
from generators.schemas.author import SchemaRequest
from generators.schemas.blueprint import bounds_of
from generators.schemas.draft import Draft
from generators.taxonomy.model import Entity, Relation
from graphmill.errors import Diagnostic, LLMError
from graphmill.llm.base import LETTERS, QUOTED, Ask, Message, quoted
from graphmill.llm.client import Client

STAGE = "schema"
ROOM = (1_500, 600, 300)  # tokens of an answer: the whole, each node type, each edge type
SHAPE = frozenset({"not-json", "invalid", "truncated"})  # failures that another round may mend
REMEDIES = {
    "bad-argument": "leave the provider's arguments out, or keep them small",
    "bad-name": "nodes CamelCase, edges UPPER_CASE, properties snake_case, letters of A to Z alone",
    "circular-columns": "let no column depend on itself by way of others",
    "edge-count": "leave edge types out, or add some between the node types that are there",
    "few-values": "more values, or a smaller fixed; unique ones are as many as there are nodes",
    "impossible-order": "columns that can be compared: the edge's own, source.NAME or target.NAME",
    "invalid": "use the keys of the shape alone; a wrong value takes one of those that are listed",
    "isolated-node": "an edge type that begins or ends there",
    "key-not-unique": "one property with key true, drawn by sequence or pattern",
    "node-count": "leave the least important node types out, with their edges, or add some",
    "not-json": "one JSON object, without a word before or behind it",
    "nullable-key": "null 0 for the property with key true",
    "repeated-property": "each property of a type once",
    "repeated-type": "each node type once, each edge type once between the same two node types",
    "two-types": "another name for one of the properties, or the same type for both",
    "truncated": "fewer properties and shorter lists of values",
    "unconnected": "an edge type between the parts",
    "unknown-column": "a property of the same type, source.NAME, target.NAME, or EDGE.NAME",
    "unknown-provider": "a provider that Faker has: name, city, company, street_address, sentence",
    "wrong-edges": "change the cardinality, or leave the switch out that does not go with it",
}
TODAY = "2026-01-01"  # where made-up dates end: a constant, so that prompts replay


class ModelSchemaAuthor:
    """Writes drafts of schemas; what is wrong with one goes back with the next request."""

    name: ClassVar[str] = "llm"
    version: ClassVar[str] = "1"

    def __init__(self, client: Client) -> None:
        self.client = client

    def origin(self) -> dict[str, Any]:
        """Who wrote, for the manifest."""
        return {
            "name": self.name,
            "version": self.version,
            "model": self.client.name,
            "prompt": prompt("schema").hash,
        }

    def ask(self, request: SchemaRequest, seed: int) -> Ask:
        """The first request for a schema."""
        domain, bounds = request.domain, bounds_of(request.level)
        messages = prompt("schema").render(
            domain=f"{domain.title} ({domain.path})",
            purpose=domain.purpose,
            things=_things(domain.entities.values()) or "none given",
            links=_links(domain.relations) or "none given",
            questions=" ".join(domain.questions) or "none given",
            least_nodes=bounds.nodes[0],
            most_nodes=bounds.nodes[1],
            least_edges=bounds.edges[0],
            most_edges=bounds.edges[1],
            today=TODAY,
        )
        room = ROOM[0] + ROOM[1] * bounds.nodes[1] + ROOM[2] * bounds.edges[1]
        return Ask(messages, temperature=0.7, max_tokens=room, seed=seed % 2**31, stage=STAGE)

    def drafts(
        self, request: SchemaRequest, seed: int
    ) -> Generator[Draft | LLMError, Sequence[Diagnostic], None]:
        """One draft after the other; `send` tells what was wrong with the last one.

        An LLMError in place of a draft is an answer that was none, also after its repair round.

        Raises:
            LLMError: no answer came (the endpoint failed, the model declined, the budget is up).
        """
        first = self.ask(request, seed)
        ask = first
        for number in count(1):
            try:
                draft: Draft | LLMError = self.client.fill(ask, Draft).value
            except LLMError as problem:
                if problem.code not in SHAPE:
                    raise
                draft = problem
            wrong = yield draft
            ask = _again(first, draft, wrong, number)


def _again(first: Ask, draft: Draft | LLMError, wrong: Sequence[Diagnostic], number: int) -> Ask:
    """The first request with the last draft and what is wrong with it.

    It is asked anew even where a model makes the same mistake twice (`number`).
    """
    answer = draft.evidence if isinstance(draft, LLMError) else draft.model_dump_json()
    listed = "\n".join(f"- [{finding.code}] {finding.message}" for finding in wrong)
    codes = dict.fromkeys(finding.code for finding in wrong)
    remedies = "\n".join(f"- [{code}] {REMEDIES[code]}" for code in codes if code in REMEDIES)
    correction = (
        f"That specification cannot be used. This is all that is wrong with it:\n{listed}\n"
        + (f"What helps:\n{remedies}\n" if remedies else "")
        + "Answer with the whole specification again, with all of this put right."
    )
    shown = quoted(answer, QUOTED if isinstance(draft, LLMError) else first.max_tokens * LETTERS)
    turns = (Message("assistant", shown or "{}"), Message("user", correction))
    return replace(first, messages=(*first.messages, *turns), repetition=number)


def _things(entities: Iterable[Entity]) -> str:
    parts = []
    for entity in entities:
        names = ", ".join(hint.name for hint in entity.properties)
        parts.append(f"{entity.singular} ({names})" if names else entity.singular)
    return "; ".join(parts)


def _links(relations: Iterable[Relation]) -> str:
    return "; ".join(f"{r.source} {r.type} {r.target} ({r.many})" for r in relations)
