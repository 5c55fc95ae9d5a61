"""Phrases before they are words: noun phrases and clauses with their atoms.

Nothing here is inflected, agrees, or has an article in its final form: that is the lineariser's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from generators.questions.lexicon.model import Tense

THEIR = "their\0"  # "its" where the clause is said of one
ALIKE = "a\0s"  # the determiner of what is as many as what it is said of: "are towns", "is a town"
type Phrase = Text | NP | Clause | Listing


@dataclass(frozen=True, slots=True)
class Text:
    """Words that stay as they are; `noun` ones are said in front of a head."""

    words: str
    atoms: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """Several phrases of one kind, joined by `last` ("and", "or"), or by nothing ("\\0")."""

    parts: tuple[Phrase, ...]
    last: str = "and"
    atoms: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class NP:
    """A noun phrase: what stands before the head, the head, what stands after it.

    `many` is the number that is meant; `det` any determiner, "a" being none for many. `who`: the
    head is somebody. At most two of `pre`, two of `post`, one of `relative`, which may be a listing
    of clauses.
    """

    one: str
    several: str
    many: bool = False
    det: str = ""
    pre: tuple[Phrase, ...] = ()
    post: tuple[Phrase, ...] = ()
    relative: tuple[Clause, ...] = ()
    who: bool = False
    atoms: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb with what belongs to it; the subject is the head that it is said of, or `subject`.

    `verb` is a lemma, `be` what stands behind a form of "to be" instead. With a `subject` the head
    is what the verb, or its particle, leads to: "that Ann Lee acted in". `of_things`: what is said
    makes the head no people, "customers that are schools".
    """

    verb: str = ""
    be: str = ""
    particle: str = ""
    tense: Tense = Tense.PRESENT
    negated: bool = False
    subject: NP | Text | None = None
    object: Phrase | None = None
    tail: tuple[Phrase, ...] = ()
    whose: NP | None = None
    of_things: bool = False
    atoms: tuple[Any, ...] = ()


def atoms_of(phrase: Any) -> Iterator[Any]:
    """The atoms that a phrase says, with those of its parts."""
    match phrase:
        case None:
            return
        case Text(atoms=atoms):
            yield from atoms
            return
        case tuple():
            parts: tuple[Any, ...] = phrase
        case Listing(atoms=atoms):
            yield from atoms
            parts = phrase.parts
        case NP(atoms=atoms):
            yield from atoms
            parts = (*phrase.pre, *phrase.post, *phrase.relative)
        case Clause(atoms=atoms):
            yield from atoms
            parts = (phrase.subject, phrase.object, phrase.whose, *phrase.tail)
        case _:
            return
    for part in parts:
        yield from atoms_of(part)


def depth_of(phrase: Any) -> int:
    """How many relative clauses stand within each other."""
    if isinstance(phrase, tuple):
        return max(map(depth_of, phrase), default=0)
    if isinstance(phrase, NP):
        inner = 1 + depth_of(phrase.relative) if phrase.relative else 0
        return max(inner, depth_of(phrase.post))
    if isinstance(phrase, Clause):
        return max(depth_of(x) for x in (phrase.subject, phrase.object, phrase.tail))
    return depth_of(phrase.parts) if isinstance(phrase, Listing) else 0
