"""A whole lexicon from a part of one: an author's words where there are any, by rule the rest."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from generators.questions.lexicon.completion.store import load_lexicon, with_noun
from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.derive.data import kind_of, phrase
from generators.questions.lexicon.model import (
    Entry,
    Lexicon,
    Noun,
    Phrase,
    Property,
    Role,
    Thing,
    ThingKind,
)
from generators.questions.lexicon.model import Path as Along
from graphmill.english.inflection import is_plural, plural
from graphmill.english.verbs import Verb, by_past, by_third, supposed
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import GraphStatistics, gather_statistics
from schemagraph.model import SchemaGraph

SEED = 7  # of the samples that the rules look at
AUTHORED = 0.97  # confidence of what an author of a schema wrote on purpose


def completed(
    over: Lexicon, schema: SchemaGraph, statistics: GraphStatistics | None = None
) -> Lexicon:
    """A whole lexicon: what `over` says, part by part of each entry, and by rule the rest."""
    under = derive(schema, statistics)
    paths = {path.along: path for path in over.paths.values()}
    terms = {(t.of, t.term) for t in over.glossary}
    return replace(
        under,
        things={n: _thing(entry, over.things.get(n)) for n, entry in under.things.items()},
        paths={n: _path(path, paths.get(path.along)) for n, path in under.paths.items()}
        | {n: p for n, p in over.paths.items() if p.along not in _known(under.paths.values())},
        properties={
            owner: {n: _property(e, over.property(owner, n)) for n, e in entries.items()}
            for owner, entries in under.properties.items()
        },
        glossary=(*over.glossary, *(t for t in under.glossary if (t.of, t.term) not in terms)),
        domain=over.domain,
        purpose=over.purpose,
        questions=over.questions,
    )


def derived_for(folder: Path) -> Lexicon:
    """The lexicon of a graph folder: what its lexicon.toml says, completed by rule.

    Raises:
        SchemaError: it is no graph, or damaged.
        LexiconError: its lexicon.toml is wrong.
    """
    schema = load_schema(folder)
    statistics = gather_statistics(folder, schema, SEED)
    stored = load_lexicon(folder, schema)
    return derive(schema, statistics) if stored is None else completed(stored, schema, statistics)


def _known(paths: Iterable[Along]) -> set[tuple[str, ...]]:
    return {path.along for path in paths}


def _overlaid[E: Entry](entry: E, over: E) -> E:
    """An entry with all that another says on top."""
    parts: dict[str, Any] = {}
    for field in dataclasses.fields(over):
        value = getattr(over, field.name)
        factory = field.default_factory
        default = field.default if factory is dataclasses.MISSING else factory()
        if value != default:
            parts[field.name] = value
    kept = {k: v for k, v in entry.unsure.items() if k not in parts}
    parts |= {"source": over.source, "sure": over.sure, "rule": over.rule, "unsure": kept}
    return replace(entry, **parts)


def _thing(entry: Thing, over: Thing | None) -> Thing:
    if over is None:
        return entry
    if entry.junction and over.kind is ThingKind.THING:
        row = over.row or Noun(singular=over.singular, plural=over.plural)
        return replace(entry, row=row, source=over.source, sure=over.sure, rule="")
    made = _overlaid(replace(entry, name=()) if over.nameless else entry, over)
    if over.kind is ThingKind.THING:
        made = replace(made, kind=kind_of(over.singular)[0])
    return made


def _property(entry: Property, over: Property | None) -> Property:
    if over is None:
        return entry
    under = entry
    if over.noun and over.noun not in (entry.noun, f"number of {entry.noun}"):
        frames: dict[str, Any] = with_noun(entry, over.noun) if entry.noun else {}
        under = replace(entry, plural=plural(over.noun), **frames)
    made = _overlaid(under, over)
    counted = made.noun.removeprefix("number of ")
    if counted != made.noun and made.kind is Role.COUNT and not made.ask and is_plural(counted):
        made = replace(made, ask=f"how many {counted} … have")
    return replace(made, sure=max(entry.sure, over.sure))


def _path(path: Along, over: Along | None) -> Along:
    if over is None or (over.forward is None and over.backward is None):
        return path
    chain = path.link if path.rule == "label-role" else None  # another has a noun if it is told
    made = _overlaid(replace(path, forward=None, backward=None, link=chain), over)
    return replace(made, backward=None) if _is_passive(made.forward, made.backward) else made


def _is_passive(forward: Phrase | None, backward: Phrase | None) -> bool:
    """Whether one direction only says the other in the passive, which a sentence can make."""
    if forward is None or backward is None or not forward.verb or backward.particle != "by":
        return False
    verb = by_past(backward.be)
    return verb is not None and verb.base == forward.verb


def parse_phrase(text: str) -> Phrase | None:
    """A phrase from its words for one subject: "holds", "is held by", "was born in".

    >>> parse_phrase("works for"), parse_phrase("is part of {}").be
    (Phrase(verb='work', be='', noun='', particle='for', tense=<Tense.PRESENT: 'present'>), 'part')
    >>> parse_phrase("acted in").tense.value, parse_phrase("has {} as lender").noun
    ('past', 'lender')
    >>> parse_phrase("is a citizen of").be
    'a citizen'
    """
    match = re.fullmatch(r"ha[sd] (?:\{\} )?as (?:an? |the )?(.+)", text) or re.fullmatch(
        r"ha[sd] the (\w+) \{\}", text
    )
    if match:
        return Phrase(noun=match[1])
    if "{}" in text.removesuffix("{}") or not text:
        return None
    words = text.removesuffix("{}").split()
    first, rest = words[0], words[1:]
    if first in ("is", "was", "are", "were"):
        tense = "-" if first in ("was", "were") else ""
        return phrase(f"{tense}be {' '.join(rest)}") if rest else None
    past: Verb | None = by_past(first)
    third = by_third(first)
    if past is not None and third is None:
        return phrase(" ".join([f"-{past.base}", *rest]))
    verb = third or supposed(first)
    return phrase(" ".join([verb.base, *rest])) if verb is not None else None
