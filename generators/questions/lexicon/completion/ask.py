"""A model as author of a lexicon: one request a schema, its answer checked entry by entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pydantic import BaseModel, ConfigDict

from generators.prompts import prompt
from generators.questions.lexicon.check import path_problems, term_problem
from generators.questions.lexicon.completion.store import merged
from generators.questions.lexicon.doubts.listing import Doubt, doubts
from generators.questions.lexicon.model import (
    Lexicon,
    Path,
    Phrase,
    Property,
    Provenance,
    Tense,
    Term,
    Thing,
    ThingKind,
    turned,
)
from generators.questions.lexicon.toml_file import entry_problems
from graphmill.errors import did_you_mean
from graphmill.llm.base import Ask
from graphmill.llm.client import Client
from schemagraph.describe import Size, describe
from schemagraph.folder.statistics import GraphStatistics
from schemagraph.model import EdgeType, NodeType, SchemaGraph

STAGE = "lexicon"
SURE = 0.8  # of an entry by a model that passed the checks: no measured precision yet
_ROOM = (800, 250)  # tokens of an answer: the whole, each type


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ThingWords(_Strict):
    """One node type: `type` is its name in the schema."""

    type: str
    singular: str
    plural: str
    kind: ThingKind
    name: list[str] = []


class PhraseWords(_Strict):
    """A verb's lemma or what stands behind "to be", with the words before the other thing."""

    verb: str = ""
    be: str = ""
    noun: str = ""
    particle: str = ""
    past: bool = False


class PathWords(_Strict):
    """What is said along edges: `along` as in the file."""

    along: list[str]
    forward: PhraseWords | None = None
    backward: PhraseWords | None = None
    together: str = ""


class PropertyWords(_Strict):
    """One property: `type` owns it. Frames hold `{}`; `values` say what codes mean."""

    type: str
    property: str
    noun: str = ""
    hidden: bool = False
    unit: str = ""
    equal: str = ""
    above: str = ""
    below: str = ""
    most: str = ""
    least: str = ""
    values: dict[str, str] = {}


class TermWords(_Strict):
    """A term of the business: `holds` is a Cypher condition on `n`, `means` its definition."""

    term: str
    singular: str
    type: str
    holds: str
    means: str


class LexiconDraft(_Strict):
    """What a model answers: only what it changes or adds."""

    things: list[ThingWords] = []
    paths: list[PathWords] = []
    properties: list[PropertyWords] = []
    glossary: list[TermWords] = []


def ask_model(
    client: Client,
    lexicon: Lexicon,
    schema: SchemaGraph,
    statistics: GraphStatistics,
    confidence: float,
) -> tuple[Lexicon, tuple[str, ...]]:
    """The lexicon with a model's entries that pass the checks, and why others were not taken.

    Raises:
        LLMError: no answer came, or none of the shape asked for.
    """
    draft = client.fill(request(lexicon, schema, statistics, confidence), LexiconDraft).value
    return taken(draft, lexicon, schema)


def request(
    lexicon: Lexicon, schema: SchemaGraph, statistics: GraphStatistics, confidence: float
) -> Ask:
    """The request: the schema with values, what is unsure, the shape of the answer."""
    samples = {
        place: figures.common[0][0]
        for place, figures in statistics.properties.items()
        if figures.common
    }
    unsure = [_line(doubt) for doubt in doubts(lexicon, schema, confidence)]
    messages = prompt("lexicon").render(
        schema=describe(schema, Size.FULL, samples),
        unsure="\n".join(unsure) or "nothing",
        kinds=", ".join(ThingKind),
    )
    room = _ROOM[0] + _ROOM[1] * (len(schema.nodes) + len(schema.edges))
    return Ask(messages, temperature=0.2, max_tokens=room, stage=STAGE)


def _line(doubt: Doubt) -> str:
    return f"- {doubt.place}: {doubt.asks}"


def taken(
    draft: LexiconDraft, lexicon: Lexicon, schema: SchemaGraph
) -> tuple[Lexicon, tuple[str, ...]]:
    """A draft checked entry by entry: the good ones over the rules', the reasons of the others."""
    taker = _Taker(lexicon, schema)
    things = dict(taker.things(draft.things))
    paths = dict(taker.paths(draft.paths))
    properties: dict[str, dict[str, Property]] = {}
    for owner, name, entry in taker.properties(draft.properties):
        properties.setdefault(owner, {})[name] = entry
    terms = tuple(taker.terms(draft.glossary))
    own = Lexicon(things=things, paths=paths, properties=properties, glossary=terms)
    combined = merged(own, lexicon, keep=True)
    kept = replace(combined, domain=lexicon.domain, purpose=lexicon.purpose)
    return kept, tuple(taker.refused)


class _Taker:
    def __init__(self, lexicon: Lexicon, schema: SchemaGraph) -> None:
        self.lexicon = lexicon
        self.schema = schema
        self.refused: list[str] = []

    def _node(self, name: str, place: str) -> NodeType | None:
        node = self.schema.node_by_name.get(name)
        if node is None:
            near = did_you_mean(name, self.schema.node_by_name)
            self.refused.append(f"{place}: no node type '{name}'.{near}")
        return node

    def _fits(self, place: str, entry: Thing | Path | Property | Term) -> bool:
        problems = entry_problems(entry)
        self.refused += [f"{place}: {what}" for what in problems]
        return not problems

    def things(self, drafts: list[ThingWords]) -> Iterator[tuple[str, Thing]]:
        for draft in drafts:
            place = f"things.{draft.type}"
            node = self._node(draft.type, place)
            if node is None:
                continue
            unknown = [name for name in draft.name if node.property(name) is None]
            if unknown or not (draft.singular and draft.plural):
                self.refused.append(f"{place}: no property {unknown}, or no nouns.")
                continue
            before = self.lexicon.thing(draft.type) or Thing()
            entry = replace(
                before,
                singular=draft.singular,
                plural=draft.plural,
                kind=before.kind if before.junction else draft.kind,
                name=tuple(draft.name) or before.name,
                source=Provenance.MODEL,
                sure=SURE,
                rule="",
                unsure={},
            )
            if self._fits(place, entry):
                yield draft.type, entry

    def paths(self, drafts: list[PathWords]) -> Iterator[tuple[str, Path]]:
        for draft in drafts:
            along = tuple(draft.along)
            forward, backward = _phrase(draft.forward), _phrase(draft.backward)
            entry = Path(
                along=along,
                forward=forward,
                backward=backward,
                together=draft.together,
                source=Provenance.MODEL,
                sure=SURE,
            )
            place = f"paths {' '.join(along)}"
            if not self._fits(place, entry):
                continue
            wrong = path_problems(entry, self.schema)
            if wrong or (forward is None and backward is None):
                self.refused.append(f"{place}: {wrong[0] if wrong else 'no phrase.'}")
                continue
            known = self.lexicon.path(along)
            name = self.lexicon.path_id(along) or "-".join(along[::2])
            if known is not None:
                if self.lexicon.paths[name].along != along:
                    entry = replace(entry, along=turned(along), forward=backward, backward=forward)
                old = self.lexicon.paths[name]
                entry = replace(
                    entry, link=old.link, symmetric=old.symmetric, pairs_unique=old.pairs_unique
                )
            yield name, entry

    def properties(self, drafts: list[PropertyWords]) -> Iterator[tuple[str, str, Property]]:
        for draft in drafts:
            place = f"properties.{draft.type}.{draft.property}"
            element: NodeType | EdgeType | None = self.schema.node_by_name.get(
                draft.type
            ) or self.schema.edge_by_name.get(draft.type)
            if element is None or element.property(draft.property) is None:
                self.refused.append(f"{place}: the schema has no such property.")
                continue
            before = self.lexicon.property(draft.type, draft.property) or Property()
            words = {
                key: value
                for key, value in draft.model_dump().items()
                if value and key not in ("type", "property", "hidden")
            }
            entry = replace(
                before,
                **words,
                hidden=draft.hidden,
                source=Provenance.MODEL,
                sure=SURE,
                rule="",
                unsure={k: v for k, v in before.unsure.items() if k not in words},
            )
            if self._fits(place, entry):
                yield draft.type, draft.property, entry

    def terms(self, drafts: list[TermWords]) -> Iterator[Term]:
        for draft in drafts:
            place = f"glossary {draft.term}"
            node = self._node(draft.type, place)
            if node is None:
                continue
            entry = Term(
                term=draft.term,
                singular=draft.singular,
                of=draft.type,
                holds=draft.holds,
                means=draft.means,
                source=Provenance.MODEL,
                sure=SURE,
            )
            if not self._fits(place, entry):
                continue
            same = [t for t in self.lexicon.glossary if (t.of, t.holds) == (entry.of, entry.holds)]
            if any(term.refused() for term in same):
                self.refused.append(f"{place}: a user refused a term of this condition.")
                continue
            wrong = term_problem(entry, node.labels, self.schema)
            if wrong or not (draft.term and draft.means):
                self.refused.append(f"{place}: {wrong or 'no definition.'}")
                continue
            yield entry


def _phrase(words: PhraseWords | None) -> Phrase | None:
    if words is None or not (words.verb or words.be or words.noun or words.particle):
        return None
    tense = Tense.PAST if words.past else Tense.PRESENT
    return Phrase(
        verb=words.verb, be=words.be, noun=words.noun, particle=words.particle, tense=tense
    )
