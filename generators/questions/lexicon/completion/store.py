"""The lexicon of a graph folder: its file, the rest by rule; what users said is kept."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from generators.questions.lexicon.check import foreign
from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.model import (
    FILE,
    Entry,
    Lexicon,
    Property,
    Provenance,
    Term,
    edges,
)
from generators.questions.lexicon.settle import settled
from generators.questions.lexicon.toml_file import read_lexicon
from graphmill.english.inflection import a
from schemagraph.folder.statistics import GraphStatistics
from schemagraph.model import SchemaGraph

_WEIGHT = {
    Provenance.RULE: 0,
    Provenance.MODEL: 1,
    Provenance.DOMAIN: 2,
    Provenance.DECLARED: 3,
    Provenance.USER: 4,
}


def load_lexicon(folder: Path, schema: SchemaGraph) -> Lexicon | None:
    """The lexicon that a graph folder brings; None where there is none.

    Raises:
        LexiconError: the file is wrong, or does not fit the schema; it names every problem.
    """
    path = folder / FILE
    return read_for(path, schema) if path.exists() else None


def read_for(path: Path, schema: SchemaGraph) -> Lexicon:
    """The lexicon in a file, which fits the schema.

    Raises:
        LexiconError: as `load_lexicon`.
    """
    return settled(read_lexicon(path, lambda file: foreign(file, schema)))


def lexicon_of(
    schema: SchemaGraph,
    statistics: Callable[[], GraphStatistics | None],
    own: Lexicon | None = None,
) -> Lexicon:
    """A whole lexicon: what `own` says, and by rule what it leaves out."""
    derived = derive(schema, statistics())
    return derived if own is None else merged(own, derived, keep=True)


def merged(over: Lexicon, under: Lexicon, *, keep: bool = False) -> Lexicon:
    """Both in one: of two entries the one whose source weighs more, of equal ones that of `over`.

    With `keep` every entry of `over` stands; without it those by rule give way to the newer ones
    of `under`, and those that the rules no longer make are left out. What a user says along edges
    or of a condition stands in the place of what the rules say along them, either way, or of it.
    """
    owners = list(dict.fromkeys([*under.properties, *over.properties]))
    taken = {
        edges(path): name
        for name, path in over.paths.items()
        if keep or path.source is not Provenance.RULE
    }
    below = {n: p for n, p in under.paths.items() if taken.get(edges(p), n) == n}
    terms = _terms(under.glossary, over.glossary)
    given = {(t.of, t.term): t for t in over.glossary}
    return replace(
        over,
        things=_both(over.things, under.things, keep),
        paths=_both(over.paths, below, keep),
        properties={
            owner: _both(
                _renamed(over.properties.get(owner, {}), under.properties.get(owner, {})),
                under.properties.get(owner, {}),
                keep,
            )
            for owner in owners
        },
        glossary=tuple(_both(given, terms, keep).values()),
        domain=over.domain or under.domain,
        purpose=over.purpose or under.purpose,
        questions=over.questions or under.questions,
    )


def _terms(under: tuple[Term, ...], over: tuple[Term, ...]) -> dict[tuple[str, str], Term]:
    """Terms without those whose condition a user has under another name, or refused."""
    mine = {(t.of, t.holds): t.term for t in over if t.source is Provenance.USER}
    return {(t.of, t.term): t for t in under if mine.get((t.of, t.holds), t.term) == t.term}


def _renamed(over: Mapping[str, Property], under: Mapping[str, Property]) -> dict[str, Property]:
    """Properties of which only the noun was changed, their frames with the new noun."""
    entries = dict(over)
    for name, entry in over.items():
        before = under.get(name)
        if before is None or not before.noun or not entry.noun:
            continue
        if entry.noun in (before.noun, f"number of {before.noun}"):
            continue
        frames: dict[str, Any] = {
            frame: text
            for frame, text in with_noun(before, entry.noun).items()
            if getattr(entry, frame) == getattr(before, frame)
        }
        entries[name] = replace(entry, **frames)
    return entries


def with_noun(entry: Property, noun: str) -> dict[str, str]:
    """The frames of a property under another noun; numbers of things count the things: "with more
    than {} yes votes"."""
    counted = noun.removeprefix("number of ")
    phrases = {before: f"{before}{counted}" for before in ("{} ", "how many ")}
    phrases |= {"a ": a(noun), "an ": a(noun)}
    old = re.compile(rf"(\ban? |\{{\}} |\bhow many )?\b{re.escape(entry.noun)}\b")
    return {
        frame: old.sub(lambda match: phrases.get(match[1], noun), text)
        for frame in _FRAMES
        if (text := getattr(entry, frame))
    }


_FRAMES = ("equal", "unequal", "above", "below", "at_least", "at_most", "range", "group", "ask")


def _both[K, E: Entry](over: Mapping[K, E], under: Mapping[K, E], keep: bool) -> dict[K, E]:
    entries = dict(under)
    for name, entry in over.items():
        other = entries.get(name)
        newer = entry.source is Provenance.RULE and not keep
        if not newer and (other is None or _WEIGHT[entry.source] >= _WEIGHT[other.source]):
            entries[name] = entry
    return entries
