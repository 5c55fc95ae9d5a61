"""Lexicon entries from the words that authors of schemas give: nouns, units, what edges say."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.derive.data import kind_of, phrase
from generators.questions.lexicon.entries import GraphLexicon, load_lexicon
from generators.questions.lexicon.model import (
    Lexicon,
    Noun,
    Phrase,
    Property,
    Source,
    Tense,
    Thing,
)
from generators.questions.lexicon.model import Path as Along
from generators.questions.lexicon.relations import EdgeWords, Predicate
from generators.questions.lexicon.relations import Lexicon as Words
from graphmill.english.inflection import plural
from graphmill.english.verbs import Verb, by_base, by_past, by_third, supposed
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import GraphStatistics, gather_statistics
from schemagraph.model import SchemaGraph

SEED = 7  # of the samples that the rules look at
_GIVEN = (Source.USER, Source.MODEL)
_SURE = 0.97  # what an author wrote on purpose


def told_lexicon(
    told: GraphLexicon,
    schema: SchemaGraph,
    statistics: GraphStatistics | None = None,
    source: Source = Source.DOMAIN,
) -> Lexicon:
    """A whole lexicon: an author's words where there are any, the rules' for the rest."""
    under = derive(schema, statistics)
    things = {name: _thing(entry, told, name, source) for name, entry in under.things.items()}
    paths = {name: _path(path, told, schema, source) for name, path in under.paths.items()}
    properties = {
        owner: {name: _property(entry, told, owner, name, source) for name, entry in found.items()}
        for owner, found in under.properties.items()
    }
    return replace(
        under,
        things=things,
        paths=paths,
        properties=properties,
        domain=told.domain,
        purpose=told.purpose,
        questions=told.questions,
    )


def derived_for(folder: Path) -> Lexicon:
    """The lexicon of a graph folder by rule, and by what the author of its schema told.

    Raises:
        SchemaError: it is no graph, or damaged.
    """
    schema = load_schema(folder)
    statistics = gather_statistics(folder, schema, SEED)
    told = load_lexicon(folder)
    if told is None:
        return derive(schema, statistics)
    return told_lexicon(told, schema, statistics)


def _thing(entry: Thing, told: GraphLexicon, name: str, source: Source) -> Thing:
    said = told.nodes.get(name)
    if said is None:
        return entry
    if entry.junction:
        row = Noun(singular=said.singular, plural=said.plural)
        return replace(entry, row=row, source=source, sure=_SURE, rule="")
    kind = kind_of(said.singular)[0]
    return replace(
        entry,
        singular=said.singular,
        plural=said.plural,
        kind=kind,
        also=said.synonyms,
        source=source,
        sure=_SURE,
        rule="",
    )


def _property(
    entry: Property, told: GraphLexicon, owner: str, name: str, source: Source
) -> Property:
    element = told.nodes.get(owner) or told.edges.get(owner)
    said = element.properties.get(name) if element is not None else None
    if said is None or not (said.noun or said.unit):
        return entry
    noun = said.noun or entry.noun
    changed = replace(entry, unit=said.unit or entry.unit, also=said.synonyms)
    if noun != entry.noun:
        bare: dict[str, Any] = {
            frame: re.sub(rf"\b{re.escape(entry.noun)}\b", noun, text)
            for frame in ("equal", "unequal", "above", "below", "at_least", "at_most", "range")
            if (text := getattr(entry, frame))
        }
        changed = replace(changed, noun=noun, plural=plural(noun), **bare)
    return replace(changed, source=source, sure=max(entry.sure, _SURE), rule="")


def _path(path: Along, told: GraphLexicon, schema: SchemaGraph, source: Source) -> Along:
    if len(path.along) != 3:
        return path
    name = f"{path.along[0]}-{path.along[1].rstrip('>')}-{path.along[2]}"
    said = told.edges.get(name) or told.edges.get(path.along[1].rstrip(">"))
    if said is None or name not in schema.edge_by_name:
        return path
    forward, backward = said_phrase(said.forward), said_phrase(said.backward)
    if forward is None and backward is None:
        return path
    link = path.link
    if said.noun not in ("", "link"):
        link = Noun(singular=said.noun, plural=plural(said.noun))
    backward = None if _is_passive(forward, backward) else backward
    return replace(
        path, forward=forward, backward=backward, link=link, source=source, sure=_SURE, rule=""
    )


def _is_passive(forward: Phrase | None, backward: Phrase | None) -> bool:
    """Whether one direction only says the other in the passive, which a sentence can make."""
    if forward is None or backward is None or not forward.verb or backward.particle != "by":
        return False
    verb = by_past(backward.be)
    return verb is not None and verb.base == forward.verb


def said_phrase(text: str) -> Phrase | None:
    """A phrase from its words for one subject: "holds", "is held by", "was born in".

    >>> said_phrase("works for"), said_phrase("is part of {}").be
    (Phrase(verb='work', be='', noun='', particle='for', tense=<Tense.PRESENT: 'present'>), 'part')
    >>> said_phrase("acted in").tense.value, said_phrase("has {} as lender").noun
    ('past', 'lender')
    """
    found = re.fullmatch(r"ha[sd] (?:\{\} )?as (?:an? |the )?(.+)", text) or re.fullmatch(
        r"ha[sd] the (\w+) \{\}", text
    )
    if found:
        return Phrase(noun=found[1])
    if "{}" in text.removesuffix("{}") or not text:
        return None
    words = text.removesuffix("{}").split()
    first, rest = words[0], words[1:]
    if first in ("is", "was", "are", "were"):
        tense = "-" if first in ("was", "were") else ""
        if rest[:1] and rest[0] in ("a", "an", "the"):
            rest = rest[1:]
        return phrase(f"{tense}be {' '.join(rest)}") if rest else None
    past: Verb | None = by_past(first)
    third = by_third(first)
    if past is not None and third is None:
        return phrase(" ".join([f"-{past.base}", *rest]))
    verb = third or supposed(first)
    return phrase(" ".join([verb.base, *rest])) if verb is not None else None


def given_words(lexicon: Lexicon, schema: SchemaGraph, under: Words | None) -> Words:
    """What users and models say, in the form that the authors by rule take."""
    before = under or Words()
    nouns, properties = dict(before.nouns), dict(before.properties)
    edges, units = dict(before.edges), dict(before.units)
    for name, thing in lexicon.things.items():
        if thing.source in _GIVEN and thing.singular:
            nouns[name.partition("&")[0]] = thing.singular
    for owner, entries in lexicon.properties.items():
        for name, entry in entries.items():
            if entry.source not in _GIVEN:
                continue
            if entry.noun:
                properties[owner, name] = entry.noun
            if entry.unit:
                units[owner, name] = entry.unit
    for edge in schema.edges:
        path = lexicon.path((edge.source, f"{edge.label}>", edge.target))
        if path is None or path.source not in _GIVEN or path.forward is None:
            continue
        forward = _predicate(path.forward)
        backward = _predicate(path.backward) if path.backward is not None else None
        if forward is not None and (backward is not None or path.forward.verb):
            relative = Predicate("", "", f"that {{}} {forward.singular.removesuffix(' {}')}")
            noun = path.link.singular if path.link is not None else "link"
            edges[edge.name] = EdgeWords(forward, backward or relative, noun=noun)
    return Words(nouns, properties, edges, units)


def _predicate(said: Phrase) -> Predicate | None:
    past = said.tense is Tense.PAST
    rest = f" {said.particle} {{}}" if said.particle else " {}"
    if said.verb:
        verb = by_base(said.verb) or supposed(f"{said.verb}s")
        if verb is None:
            return None
        third, base = (verb.past, verb.past) if past else (verb.third, verb.base)
        return Predicate(f"{third}{rest}", f"{base}{rest}")
    if said.noun:
        return Predicate(f"has {{}} as {said.noun}", f"have {{}} as {said.noun}")
    one, many = ("was", "were") if past else ("is", "are")
    if said.particle == "with" and not said.be:
        return Predicate("has {}", "have {}")
    be = f" {said.be}" if said.be else ""
    return Predicate(f"{one}{be}{rest}", f"{many}{be}{rest}")
