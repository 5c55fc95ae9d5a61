"""Structural twig linking (AT-4 to AT-10): which pieces of a schema a question speaks of.

A twig is an edge with its ends, or a property of a node type. Every filled template of a language
(`catalogue`) is scored by how many of its schema tags the question's words map to, and by its own
words; the best are returned. What the paper leaves open or what is ours is a named setting of
`Linking`; the templates of a schema and the vectors of its names are made once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from typing import Literal

from evaluation.answering.catalogue import Fill, Template, fills, templates
from evaluation.answering.neighbours import Neighbours
from evaluation.answering.values import Mention, Place, Values
from graphmill.english.names import singular
from graphmill.english.names import words as words_of
from graphmill.english.verbs import by_past
from graphmill.similarity.texts import TRIGRAMS
from schemagraph.model import EdgeType, SchemaGraph

type Sort = Literal["node", "edge", "property"]
type Element = tuple[Sort, str]
"""A schema element: the name of a node type, the label of edges, or the name of a property."""

# AT-4 leaves out determiners, adpositions, punctuation and stop words. The first two are closed
# classes of English, so lists are exact; the rest are pronouns, auxiliaries and words of asking.
DETERMINERS = "a an the this that these those each every any some all no both either neither such"
ADPOSITIONS = (
    "of in on at by for with without from to into onto over under between among through during "
    "before after since until within about against across along around as per than like"
)
STOP_WORDS = (
    "i we you he she it they me us him her them my our your his its their who whom whose which "
    "what when where why how there here and or but nor not if then else also only just very "
    "more most less least many much few other another same own so too be is are was were been "
    "being am do does did done have has had having can could may might must shall should will "
    "would let give list show find tell return get name s us please need want look taking take "
    "every single one"
)
CLOSED = frozenset(f"{DETERMINERS} {ADPOSITIONS} {STOP_WORDS}".split())
WIDEST = 4  # words of a compound

_WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[^\W\d_]+|\d+")


@dataclass(frozen=True, slots=True)
class Linking:
    """The settings. `delta` is δ (eq 4), `gamma` γ (eq 7), `most` K; not stated are δ and K. Ours:
    `least` is the score that a twig needs, `compounds` maps words that stand
    together, `ends` counts the ends of an edge as its tags, `values` maps values of the graph to
    the properties that hold them."""

    delta: float = 0.75
    gamma: float = 0.8
    most: int = 10
    least: float = 0.6
    encoder: str = TRIGRAMS
    compounds: bool = True
    ends: bool = True
    values: bool = True


@dataclass(frozen=True, slots=True)
class Link:
    """One entry of M: the words from `start` to `end` of the question mean an element."""

    start: int
    end: int
    text: str
    element: Element
    cosine: float


@dataclass(frozen=True, slots=True)
class Twig:
    """A filled template: its text, its schema tags, and the atoms that it consists of: triplets
    `(A)-[:R]->(B)` and bindings `A.k`."""

    text: str
    tags: frozenset[Element]
    atoms: tuple[str, ...]
    template: Template
    fill: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Linked:
    """What a question is linked to: M, values of the graph that it names, the best twigs with
    their scores."""

    links: tuple[Link, ...]
    mentions: tuple[Mention, ...]
    twigs: tuple[tuple[Twig, float], ...]

    @property
    def elements(self) -> frozenset[str]:
        """The schema elements that the question maps to: S of eq 8."""
        held = {name for m in self.mentions for owner, key in m.places for name in (owner, key)}
        return frozenset({link.element[1] for link in self.links} | held)

    @property
    def atoms(self) -> list[str]:
        """The triplets and bindings of the twigs, the best first."""
        return list(dict.fromkeys(atom for twig, _ in self.twigs for atom in twig.atoms))


class Linker:
    """Links questions to one schema in one language; `values` are the graph's, where they count.

    Raises:
        UnknownNameError: the language has no catalogue.
        ConfigError: the encoder cannot be had.
    """

    def __init__(
        self,
        schema: SchemaGraph,
        language: str,
        settings: Linking | None = None,
        values: Values | None = None,
    ) -> None:
        self.schema = schema
        self.settings = settings or Linking()
        self._values = values or Values()
        self._elements = list(dict.fromkeys(_elements(schema)))
        self._names = [_phrase(name) for _, name in self._elements]
        self._index = Neighbours(self._names, self.settings.encoder)
        rows = templates(language)
        self._idf = idf(rows)
        self._twigs = [twig for row in rows for twig in self._filled(row)]

    def link(self, question: str) -> Linked:
        """Alg 1."""
        values = self._values if self.settings.values else Values()
        mentions = tuple(values.mentions(question))
        links = tuple(self._mapping(_without(question, mentions)))
        known = {link.element for link in links}
        bound = frozenset(place for each in mentions for place in likely(each, known))
        known |= {("node", owner) for owner, _ in bound if owner in self.schema.node_by_name}
        known |= {("property", key) for _, key in bound}
        asked = _spoken(question)
        near = _Nearness(links, bound)
        scored = [
            (self._score(twig, known, asked) + near.of(twig), number)
            for number, twig in enumerate(self._twigs)
        ]
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        kept = [
            (self._twigs[number], round(score, 6))
            for score, number in scored
            if score >= self.settings.least and self._twigs[number].atoms
        ][: self.settings.most]
        return Linked(links, mentions, tuple(kept))

    # --- M (eq 2 to 4) ----------------------------------------------------------------------

    def _mapping(self, question: str) -> Iterator[Link]:
        """The element of each content word, or of words that stand together, where there is one."""
        spans = [(m.start(), m.end(), m[0]) for m in _WORD.finditer(question)]
        taken = [False] * len(spans)
        widths = range(WIDEST if self.settings.compounds else 1, 0, -1)
        for width in widths:
            for at in range(len(spans) - width + 1):
                inside = spans[at : at + width]
                if any(taken[at : at + width]) or not _is_content(inside):
                    continue
                text = " ".join(_base(word) for _, _, word in inside)
                nearest = self._nearest(text)
                least = self.settings.delta if width == 1 else max(self.settings.delta, 0.9)
                if nearest is not None and nearest[1] >= least:
                    taken[at : at + width] = [True] * width
                    yield Link(inside[0][0], inside[-1][1], text, *nearest)

    def _nearest(self, text: str) -> tuple[Element, float] | None:
        """eq 3: the element with the best cosine; node types before edges before properties."""
        cosines = self._index.cosines(text)
        if not cosines:
            return None
        best = max(range(len(cosines)), key=lambda place: (cosines[place], -place))
        return self._elements[best], cosines[best]

    # --- twigs (eq 6, 7) --------------------------------------------------------------------

    def _filled(self, template: Template) -> Iterator[Twig]:
        for fill in fills(template.shape, self.schema):
            tags = set(template.tags)
            if self.settings.ends and tags & {"R", "S"}:
                tags |= set(fill) & {"A", "B", "C"}
            yield Twig(
                filled(template.pattern, fill, self.schema),
                frozenset(self._element(slot, fill) for slot in tags),
                tuple(_atoms(fill, self.schema)),
                template,
                tuple(sorted(fill.items())),
            )

    def _element(self, slot: str, fill: Fill) -> Element:
        if slot in ("R", "S"):
            return "edge", self.schema.edge_by_name[fill[slot]].label
        return ("property", fill[slot]) if slot == "k" else ("node", fill[slot])

    def _score(self, twig: Twig, known: set[Element], asked: str) -> float:
        """eq 7; the sum of IDF is divided by that of all of the template's words (our note 8)."""
        fit = len(twig.tags & known) / len(twig.tags)
        of = {word: self._idf[word] for word in twig.template.words}
        whole = sum(of.values())
        sound = sum(v for word, v in of.items() if f" {word} " in asked) / whole if whole else 0.0
        gamma = self.settings.gamma
        return gamma * fit + (1 - gamma) * sound


class _Nearness:
    """Which of several owners a property's word speaks of: the one that stands nearest (ours).

    It adds less than any step of eq 7 does, but for bindings that a value of the graph proves.
    """

    def __init__(self, links: Iterable[Link], proved: frozenset[Place]) -> None:
        self._at: dict[Element, list[int]] = {}
        for link in links:
            self._at.setdefault(link.element, []).append(link.start)
        self._proved = proved

    def of(self, twig: Twig) -> float:
        """Up to 0.2."""
        fill = dict(twig.fill)
        if "k" not in fill:
            return 0.0
        if (fill["A"], fill["k"]) in self._proved:
            return 0.2
        owners = self._at.get(("node", fill["A"]), ())
        keys = self._at.get(("property", fill["k"]), ())
        apart = min((abs(a - b) for a in owners for b in keys), default=1000)
        return 0.05 / (1 + apart / 20)


def likely(mention: Mention, known: Collection[Element]) -> frozenset[Place]:
    """The properties that hold a value; those whose owner or name is spoken of, where some are."""
    for sort, part in (("node", 0), ("property", 1)):
        places = frozenset(place for place in mention.places if (sort, place[part]) in known)
        if places:
            return places
    return mention.places


def filled(pattern: str, fill: Fill, schema: SchemaGraph) -> str:
    """A pattern with names in its slots."""
    for slot, name in fill.items():
        shown = schema.edge_by_name[name].label if slot in ("R", "S") else name
        pattern = pattern.replace(f"<{slot}>", shown)
    return pattern


def triplet(edge: EdgeType) -> str:
    """An edge with its ends, as `evaluation.metrics.elements.twigs` writes it."""
    return f"({edge.source})-[:{edge.label}]->({edge.target})"


def idf(rows: Sequence[Template]) -> dict[str, float]:
    """The inverse document frequency of the words of templates; a template is a document."""
    words = {word for row in rows for word in row.words}
    count = {word: sum(word in row.words for row in rows) for word in words}
    return {word: log((1 + len(rows)) / (1 + number)) + 1 for word, number in count.items()}


def _atoms(fill: Fill, schema: SchemaGraph) -> Iterator[str]:
    for slot in ("R", "S"):
        if slot in fill:
            yield triplet(schema.edge_by_name[fill[slot]])
    if "k" in fill:
        yield f"{fill['A']}.{fill['k']}"


def _elements(schema: SchemaGraph) -> Iterator[Element]:
    yield from (("node", node.name) for node in schema.nodes)
    yield from (("edge", label) for label in schema.edge_labels)
    yield from (("property", p.name) for node in schema.nodes for p in node.properties)
    yield from (("property", p.name) for edge in schema.edges for p in edge.properties)


def _phrase(name: str) -> str:
    """The content words of a name; all its words where it has no other."""
    own = [word.casefold() for word in words_of(name)]
    kept = [word for word in own if word not in CLOSED] or own
    return " ".join(_base(word) for word in kept)


@cache
def _base(word: str) -> str:
    """The singular of a noun, the base of a past form."""
    low = word.casefold()
    verb = by_past(low) if low.endswith("ed") else None
    return singular(low) if verb is None else verb.base


def _is_content(inside: Sequence[tuple[int, int, str]]) -> bool:
    """Whether words may be one token: the first and the last are content words."""
    first, last = inside[0][2].casefold(), inside[-1][2].casefold()
    return first not in CLOSED and last not in CLOSED


def _without(question: str, mentions: Iterable[Mention]) -> str:
    """The question with blanks where it names values that are in the graph or quoted."""
    letters = list(question)
    for mention in mentions:
        if mention.places or mention.sort != "text":
            letters[mention.start : mention.end] = " " * (mention.end - mention.start)
    return "".join(letters)


def _spoken(question: str) -> str:
    return f" {' '.join(_WORD.findall(question)).casefold()} "


@dataclass(frozen=True, slots=True)
class Part:
    """Names of node types and of edge types."""

    nodes: set[str]
    edges: set[str]


def related_to(linked: Linked) -> Part:
    """The node types and edge types of the twigs."""
    nodes: set[str] = set()
    edges: set[str] = set()
    for twig, _ in linked.twigs:
        for slot, name in twig.fill:
            if slot in ("R", "S"):
                edges.add(name)
            elif slot != "k":
                nodes.add(name)
    return Part(nodes, edges)
