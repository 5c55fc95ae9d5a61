"""Masked pairs for a path: by rule, in few words, or by a model that is shown others."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import ClassVar, Protocol

from generators.masked.base import (
    MASK,
    Language,
    Mask,
    MaskedPair,
    mentions,
    names_of,
)
from generators.masked.chinese import Chinese
from generators.masked.english import English
from generators.masked.forms import Forms
from generators.masked.pool import Pool, Shot
from generators.prompts import prompt
from generators.queries.base import Ground
from generators.queries.model.context import samples
from generators.queries.model.reading import Unfit, meaning
from generators.queries.model.seeds import Pair, Pairs
from generators.questions.author import NotExpressible
from graph_ir import nodes as ir
from graph_ir.canonical import fingerprint
from graph_ir.walk import find, rewrite
from graphmill.errors import LLMError
from graphmill.llm.base import WASTED, Ask, excerpt
from graphmill.llm.client import Client
from graphmill.record import Reject
from schemagraph.describe import Size, describe
from schemagraph.model import SchemaGraph
from schemagraph.views import SubSchema
from translators.render import render

STAGE = "masked"
ROOM = 300  # tokens a pair
LANGUAGES = {"en": "English", "zh": "Chinese"}


class MaskedAuthor(Protocol):
    """Writes masked pairs; `rejects` are the ledger's lines of those that came to nothing."""

    name: ClassVar[str]
    rejects: list[Reject]

    def write(self, path: SubSchema, count: int, rng: Random) -> Iterator[MaskedPair]:
        """At most `count` different pairs for a path."""
        ...


class RuleMaskedAuthor:
    """Takes the forms in turn and says them in English or Chinese."""

    name: ClassVar[str] = "rules"

    def __init__(self, ground: Ground, speech: English | Chinese, language: Language) -> None:
        self.forms = Forms(ground.schema, ground.statistics)
        self.speech = speech
        self.language = language
        self.schema = ground.schema
        self.rejects: list[Reject] = []

    def write(self, path: SubSchema, count: int, rng: Random) -> Iterator[MaskedPair]:
        """At most `count` different pairs for a path."""
        seen: set[str] = set()
        for _ in range(2 * count):
            if len(seen) == count:
                return
            asked = self.forms.draw(path, rng)
            mark = fingerprint(asked.statement)
            if mark in seen:
                continue
            seen.add(mark)
            try:
                question = self.speech.question(asked)
            except NotExpressible as problem:
                self.rejects.append(
                    Reject(
                        STAGE,
                        problem.code,
                        str(problem),
                        self.schema.name,
                        query=render(asked.statement, "cypher", self.schema).text,
                        evidence={"path": str(path), "author": self.name},
                    )
                )
                continue
            yield MaskedPair(
                question,
                asked.statement,
                asked.masks,
                path,
                self.language,
                asked.form,
                asked.properties,
            )


class ModelMaskedAuthor:
    """Shows a model K pairs of the pool and the path; what is accepted joins the pool."""

    name: ClassVar[str] = "llm"

    def __init__(
        self, ground: Ground, client: Client, language: Language, pool: Pool, shots: int
    ) -> None:
        self.ground = ground
        self.client = client
        self.language = language
        self.pool = pool
        self.shots = shots
        self.rejects: list[Reject] = []

    def ask(self, path: SubSchema, count: int, rng: Random) -> Ask:
        """The request for pairs of a path."""
        schema = self._part(path)
        messages = prompt("masked").render(
            language=LANGUAGES[self.language],
            count=count,
            shots="\n\n".join(map(str, self.pool.draw(self.shots, rng))),
            path=str(path),
            schema=describe(schema, Size.TYPES, samples(self.ground.statistics)),
        )
        return Ask(messages, 0.8, 300 + ROOM * count, rng.getrandbits(31), stage=STAGE)

    def write(self, path: SubSchema, count: int, rng: Random) -> Iterator[MaskedPair]:
        """At most `count` different pairs for a path.

        Raises:
            LLMError: no answer came: the endpoint failed, or the budget is up.
        """
        try:
            pairs = self.client.fill(self.ask(path, count, rng), Pairs).value.pairs
        except LLMError as problem:
            if problem.code not in WASTED:
                raise
            self._reject(path, problem.code, str(problem), Pair(question="", cypher=""))
            return
        seen: set[str] = set()
        for pair in pairs[:count]:
            try:
                masked_pair = self._read(pair, path)
                mark = fingerprint(masked_pair.statement)
                if mark in seen:
                    raise Unfit("duplicate", "An earlier pair has the same query.")
            except Unfit as problem:
                self._reject(path, problem.code, str(problem), pair)
                continue
            seen.add(mark)
            self.client.budget.accept(STAGE)
            self.pool.grow(Shot(describe(self._part(path), Size.TYPES), pair.question, pair.cypher))
            yield masked_pair

    def _read(self, pair: Pair, path: SubSchema) -> MaskedPair:
        """The pair as a value.

        Raises:
            Unfit: the query is none; or `no-single-match`, `other-path`, `mask-place` (a mask
                that stands not in the braces of a node pattern), `other-masks` (question and query
                have different ones).
        """
        statement = meaning(pair.cypher, self.ground)
        if not isinstance(statement, ir.Query) or len(list(find(statement, ir.Match))) != 1:
            raise Unfit("no-single-match", "The query is to have one MATCH.")
        edges = {
            name.name for e in find(statement, ir.EdgePattern) for name in find(e, ir.LabelName)
        }
        if edges != {hop.edge.label for hop in path.hops}:
            raise Unfit("other-path", f"The query is not one of the path {path}.")
        if not path.hops and not any(
            n.name in self.ground.schema.node_by_name[path.start].labels
            for n in find(statement, ir.LabelName)
        ):
            raise Unfit("other-path", f"The query is not one of the path {path}.")
        opened = rewrite(statement, _opened)
        masks = tuple(dict.fromkeys(self._masks(opened)))
        inside = {p.name for p in find(opened, ir.Param)}
        if names_of(masks) != inside:
            raise Unfit("mask-place", "A placeholder stands in the braces of a named node.")
        if mentions(pair.question) != inside:
            raise Unfit("other-masks", "Question and query do not have the same placeholders.")
        shown = tuple(
            dict.fromkeys(
                (owner, prop.key)
                for prop in find(opened, ir.Prop)
                for owner in self._owners(opened, prop)
            )
        )
        question = " ".join(pair.question.split())
        read = (*shown, *((mask.owner, mask.property) for mask in masks))
        return MaskedPair(
            question, opened, masks, path, self.language, "model", read, author=self.name
        )

    def _masks(self, statement: ir.Query) -> Iterator[Mask]:
        for node in find(statement, ir.NodePattern):
            if isinstance(node.props, ir.MapOf) and node.var is not None:
                labels = {name.name for name in find(node, ir.LabelName)}
                owner = next(
                    (t for t in self.ground.schema.nodes if labels and labels <= set(t.labels)),
                    None,
                )
                for entry in node.props.entries:
                    if isinstance(entry.value, ir.Param) and owner and owner.property(entry.key):
                        yield Mask(entry.value.name, owner.name, entry.key)

    def _owners(self, statement: ir.Query, prop: ir.Prop) -> Iterator[str]:
        """The types whose property an expression reads."""
        if not isinstance(prop.base, ir.Var):
            return
        schema = self.ground.schema
        for node in find(statement, ir.NodePattern):
            if node.var == prop.base.name:
                labels = {name.name for name in find(node, ir.LabelName)}
                yield from (
                    t.name for t in schema.nodes if labels & set(t.labels) and t.property(prop.key)
                )
        for edge in find(statement, ir.EdgePattern):
            if edge.var == prop.base.name:
                labels = {name.name for name in find(edge, ir.LabelName)}
                yield from (
                    e.name for e in schema.edges if e.label in labels and e.property(prop.key)
                )

    def _part(self, path: SubSchema) -> SchemaGraph:
        """The schema of the path alone."""
        schema, names, edges = self.ground.schema, set(path.nodes), {h.edge.name for h in path.hops}
        return SchemaGraph(
            schema.name,
            tuple(node for node in schema.nodes if node.name in names),
            tuple(edge for edge in schema.edges if edge.name in edges),
        )

    def _reject(self, path: SubSchema, code: str, reason: str, pair: Pair) -> None:
        self.rejects.append(
            Reject(
                STAGE,
                code,
                reason,
                self.ground.schema.name,
                question=excerpt(pair.question, 600),
                query=pair.cypher,
                evidence={"path": str(path), "author": self.name},
            )
        )


def _opened(node: ir.Node) -> ir.Node:
    """A constant that is a mask becomes a parameter."""
    if isinstance(node, ir.Literal) and isinstance(node.value, str):
        mask = MASK.fullmatch(node.value)
        return ir.Param(mask[1]) if mask else node
    return node
