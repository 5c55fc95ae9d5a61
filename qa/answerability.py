"""Can the query be found again from its question? The rule mode of the audit.

Each slot of the query (a property that is filtered or shown, a relation, the way between two
things) is held against the schema: where the words of the question fit another property or
relation as well as the one that is meant, the question is ambiguous. A sentence that tells them
apart goes with the finding, for the external knowledge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from graph_ir import nodes as ir
from graph_ir.cypher.pair import Pair
from graphmill.record import Finding, Record
from qa.mentions import Spoken, content, has_word, stem, stems
from qa.parts import Parts, edge_labels
from schemagraph.model import EdgeType, SchemaGraph
from schemagraph.naming import words

NOTHING = Spoken()
SENTENCES = 2
WORDS = 50


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """What fits the words as well as what is meant.

    Codes: `ambiguous-property`, `ambiguous-relation`. `meant` and `other` are names of the schema;
    `sentence` tells them apart.
    """

    code: str
    meant: str
    other: str
    sentence: str

    @property
    def detail(self) -> str:
        """The finding's text."""
        return f"The words for {self.meant!r} fit {self.other!r} as well."


def settle(
    pair: Pair, schema: SchemaGraph, spoken: Spoken = NOTHING
) -> tuple[Pair, tuple[Finding, ...]]:
    """The pair with the sentences that settle what its questions leave open.

    A level whose words fit something else is a finding only where the external knowledge has no
    room for the sentence: it is at most two sentences and fifty words.
    """
    record, statement = pair.record, pair.statement
    for level in ("logical", "business"):
        text = getattr(record.questions, level)
        for ambiguity in ambiguities(statement, _all(text, record), schema, spoken):
            if ambiguity.sentence in record.external_knowledge:
                continue  # another level needed it, too
            longer = f"{record.external_knowledge}\n{ambiguity.sentence}".strip()
            short = len(re.findall(r"[.?!](?=\s|$)", longer)) <= SENTENCES
            if not short or len(longer.split()) > WORDS:
                evidence = {"level": level, "meant": ambiguity.meant, "other": ambiguity.other}
                bad = Finding("answerable", False, ambiguity.code, ambiguity.detail, evidence)
                return Pair(record, statement), (bad,)
            record = replace(record, external_knowledge=longer)
    return Pair(record, statement), (Finding("answerable", ok=True),)


def _all(text: str, record: Record) -> str:
    return f"{text} {record.external_knowledge}"


def ambiguities(
    statement: ir.Statement,
    text: str,
    schema: SchemaGraph,
    spoken: Spoken = NOTHING,
) -> list[Ambiguity]:
    """What a question leaves open; `text` is the question with its external knowledge."""
    known, parts = stems(text), Parts.of(statement)
    owners = _owners(parts, schema)
    open_choices = [*_properties(parts, owners, known, schema, spoken)]
    open_choices += _relations(parts, owners, known, schema, spoken)
    return list(dict.fromkeys(open_choices))


# --- properties ------------------------------------------------------------------------------


def _properties(
    parts: Parts,
    owners: dict[str, str],
    known: frozenset[str],
    schema: SchemaGraph,
    spoken: Spoken,
) -> Iterator[Ambiguity]:
    """Properties that the words do not tell from others of the same thing."""
    used = set(_used(parts, owners))
    names = {label.name for label in parts.labels}
    for owner, key in sorted(used):
        element = schema.node_by_name.get(owner) or schema.edge_by_name.get(owner)
        if element is None or element.property(key) is None:
            continue
        mine = _words(owner, key, spoken)
        here = {word for word in mine if has_word(word, known)}
        if here == mine:
            continue  # spoken of in full
        here -= _other_words(owner, key, used, names, spoken)
        if not here:
            continue  # not spoken of by name
        for other in element.properties:
            if other.name == key or (owner, other.name) in used:
                continue
            theirs = _words(owner, other.name, spoken)
            there = {word for word in theirs if has_word(word, known)}
            kind = element.property(key)
            alike = kind is not None and kind.type.kind is other.type.kind
            if alike and here <= theirs and len(there) >= len(here):
                full, wrong = (_called(owner, name, spoken) for name in (key, other.name))
                what = f"“{' '.join(word for word in content(full) if word in here)}”"
                thing = " ".join(content(owner.partition("&")[0].partition("-")[0]))
                a = "an" if thing[:1] in "aeio" else "a"
                sentence = f"By {what} of {a} {thing}, the {full} is meant, not the {wrong}."
                yield Ambiguity("ambiguous-property", key, other.name, sentence)
                break


def _called(owner: str, key: str, spoken: Spoken) -> str:
    """The graph's own words for a property, or those of its name."""
    phrases = spoken.properties.get((owner, key), ())
    return phrases[0] if phrases else " ".join(words(key)).lower()


def _words(owner: str, key: str, spoken: Spoken) -> frozenset[str]:
    """The words of a property beyond its owner's."""
    mine = {stem(word) for word in content(owner.partition("&")[0].partition("-")[0])}
    called = content(_called(owner, key, spoken))
    return frozenset(word for word in called if stem(word) not in mine)


def _other_words(
    owner: str, key: str, used: set[tuple[str, str]], names: set[str], spoken: Spoken
) -> set[str]:
    """Words that a text has for other names that the query uses."""
    others = [_words(o, k, spoken) for o, k in used if (o, k) != (owner, key)]
    return {w for each in (*others, *(content(name) for name in names)) for w in each}


def _owners(parts: Parts, schema: SchemaGraph) -> dict[str, str]:
    """Node and edge types of variables that have one."""
    owners: dict[str, str] = {}
    nodes = {node.labels[0]: node.name for node in schema.nodes}
    edges: dict[str, list[EdgeType]] = {}
    for edge in schema.edges:
        edges.setdefault(edge.label, []).append(edge)
    for node in parts.nodes:
        if node.var and isinstance(node.labels, ir.LabelName) and node.labels.name in nodes:
            owners[node.var] = nodes[node.labels.name]
    for link in parts.edges:
        if link.var and isinstance(link.types, ir.LabelName):
            same = edges.get(link.types.name, [])
            if len(same) == 1:
                owners[link.var] = same[0].name
    return owners


def _used(parts: Parts, owners: dict[str, str]) -> Iterator[tuple[str, str]]:
    for prop in parts.properties:
        if isinstance(prop.base, ir.Var) and prop.base.name in owners:
            yield owners[prop.base.name], prop.key
    for node in parts.nodes:
        if node.var in owners and isinstance(node.props, ir.MapOf):
            yield from ((owners[node.var], entry.key) for entry in node.props.entries)


# --- relations -------------------------------------------------------------------------------


def _relations(
    parts: Parts,
    types: dict[str, str],
    known: frozenset[str],
    schema: SchemaGraph,
    spoken: Spoken,
) -> Iterator[Ambiguity]:
    """Relations that the words do not tell from others between the same things."""
    used = {label for edge in parts.edges for label in edge_labels(edge)}
    for path in parts.paths:
        left = path.head
        for step in path.steps:
            right, edge = step.node, step.edge
            if isinstance(edge, ir.EdgePattern) and isinstance(edge.types, ir.LabelName):
                out = edge.direction is not ir.Direction.IN
                source, target = (left, right) if out else (right, left)
                ends = _type(source, types, schema), _type(target, types, schema)
                yield from _between(edge.types.name, ends, used, known, schema, spoken)
            left = right


def _type(node: ir.NodePattern, types: dict[str, str], schema: SchemaGraph) -> str:
    if node.var in types:
        return types[node.var]
    if isinstance(node.labels, ir.LabelName):
        name = node.labels.name
        return next((n.name for n in schema.nodes if n.labels[0] == name), "")
    return ""


def _between(
    label: str,
    ends: tuple[str, str],
    used: set[str],
    known: frozenset[str],
    schema: SchemaGraph,
    spoken: Spoken,
) -> Iterator[Ambiguity]:
    if not all(ends):
        return
    same = [e for e in schema.edges if {e.source, e.target} == set(ends)]
    mine = next((e for e in same if e.label == label), None)
    others = [e for e in same if e.label != label and e.label not in used]
    if mine is None or not others:
        return
    own = _edge_words(mine, spoken)
    if not own or any(has_word(word, known) for word in own):
        return  # said, or no more than that both belong together
    other = others[0]
    if not _edge_words(other, spoken):
        return
    pair = [_noun(end.partition("&")[0], spoken) for end in (mine.source, mine.target)]
    how = spoken.edges.get(mine.name, ())
    phrase = how[0] if how else " ".join(w.lower() for w in label.split("_"))
    sentence = f"Of the relations between {pair[0]} and {pair[1]}, “{phrase}” is meant."
    yield Ambiguity("ambiguous-relation", label, other.label, sentence)


def _noun(label: str, spoken: Spoken) -> str:
    """What a node of this label is called: a "staff member", which ah_staff is not."""
    return next(iter(spoken.nodes.get(label, ())), " ".join(content(label)))


def _edge_words(edge: EdgeType, spoken: Spoken) -> frozenset[str]:
    """Words that only the relation has, not its ends."""
    ends = {word for end in (edge.source, edge.target) for word in content(end)}
    names = (edge.label, *spoken.edges.get(edge.name, ()), *spoken.edges.get(edge.label, ()))
    return frozenset(word for name in names for word in content(name)) - ends
