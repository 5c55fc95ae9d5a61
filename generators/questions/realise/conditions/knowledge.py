"""What one has to know to get from a question to its query: codes, conventions, terms."""

from __future__ import annotations

from collections.abc import Iterator

from generators.questions.goals.model import Ask, Column, Either, Test, Thing
from generators.questions.lexicon.model import Lexicon, Role, Term, ThingKind
from generators.questions.lexicon.terms import term_for
from generators.questions.plan.types import Types
from generators.questions.realise.conditions.values import spoken_code
from graphmill.english.inflection import is_plural

MOST_WORDS = 60


def knowledge(ask: Ask, lexicon: Lexicon, types: Types | None = None) -> str:
    """The sentences that a question needs, none where it needs none."""
    notes: list[str] = []
    for test in _tests(ask):
        if (term := term_of(test, lexicon)) is not None:
            notes.append(term.means)
        notes += _codes(test, lexicon)
        notes += _dated(test, lexicon)
    if ask.goal == "share":
        notes.append("A share is a number from 0 to 1.")
    for figure in ask.figures:
        if figure.how == "share" and ask.goal != "share":
            notes.append("A share is a number from 0 to 1.")
    notes += _excluded(ask, lexicon)
    notes += _without_best(ask, lexicon, types or Types(None))
    return " ".join(dict.fromkeys(notes))


def _excluded(ask: Ask, lexicon: Lexicon) -> Iterator[str]:
    """That "how many orders does each customer have" is asked of those with orders alone; so the
    total of their orders."""
    if ask.goal not in ("tally", "sequence") or ask.zero or ask.relation is None:
        return
    owner, counted = (lexicon.thing(t.type) for t in (ask.focus, ask.relation.other))
    if owner is None or counted is None or owner is counted:
        return
    if owner.noun is not None and counted.noun is not None:
        such = "" if ask.relation.other.bare else "such "
        yield _sentence(f"{owner.noun.plural} without {such}{counted.noun.plural} are left out.")


def _without_best(ask: Ask, lexicon: Lexicon, types: Types) -> Iterator[str]:
    """That the best of each is asked of those alone that have one."""
    if ask.goal != "best-of-each" or ask.top is None or not isinstance(ask.top.by, Column):
        return
    assert isinstance(ask.group, Thing)  # noqa: S101 - so it is made
    by = ask.top.by
    owner, best = (lexicon.thing(each.type) for each in (ask.group, ask.focus))
    words, prop = lexicon.property(by.owner, by.key), types.property((by.owner,), by.key)
    if owner is None or best is None or owner.noun is None or best.noun is None or words is None:
        return
    known = f" whose {words.noun} {'are' if is_plural(words.noun) else 'is'} known"
    known = known if prop is None or prop.holds_null else ""
    yield _sentence(f"{owner.noun.plural} without any {best.noun.plural}{known} are left out.")


def _sentence(text: str) -> str:
    """The text with a capital, acronyms as they are."""
    return f"{text[:1].upper()}{text[1:]}"


def _dated(test: Test, lexicon: Lexicon) -> Iterator[str]:
    """Which of its dates the date of a thing is: documents "from 1985" were received then."""
    words, thing = lexicon.property(test.owner, test.key), lexicon.thing(test.owner)
    if words is None or thing is None or thing.noun is None or words.verb is not None:
        return
    own = {*thing.noun.singular.split(), "date", "of", "time"}
    plain = {*words.noun.split()} <= own or words.kind is not Role.DATE
    plain = plain or thing.kind is ThingKind.PERIOD  # a running day is when it is run
    if plain or words.equal.partition(" ")[0] not in ("on", "in", "at"):
        return
    yield _sentence(f"{thing.noun.plural} are dated by their {words.noun}.")


def term_of(test: Test, lexicon: Lexicon) -> Term | None:
    """The glossary's term for the things that pass a test."""
    if len(test.values) != 1 or test.values[0].moment:
        return None
    return term_for(lexicon, test.owner, test.key, test.op, test.values[0].value)


def _tests(ask: Ask) -> Iterator[Test]:
    for atom in ask.atoms():
        if isinstance(atom, Test):
            yield atom
        elif isinstance(atom, Either):
            yield from atom.tests
    for figure in ask.figures:
        if figure.test is not None:
            yield figure.test


def _codes(test: Test, lexicon: Lexicon) -> Iterator[str]:
    """How a value is stored that is said in other words."""
    words = lexicon.property(test.owner, test.key)
    if words is None:
        return
    for value in test.values:
        raw = value.value
        word = words.word(raw)
        stored = f'"{raw}"' if isinstance(raw, str) else str(raw).lower()
        noun = words.noun or test.key
        if words.kind is Role.FLAG and not noun.endswith((" flag", " indicator")):
            noun = f"{noun} flag"
        if word and isinstance(raw, bool):
            continue
        if word[:1].isupper() and isinstance(raw, str) and raw.casefold() != word.casefold():
            yield f"The {noun} {word} is stored as {stored}."
        elif word and str(raw).casefold() != word.casefold():
            yield f"{word[0].upper()}{word[1:]} means that the {noun} is {stored}."
        elif isinstance(raw, str) and words.kind is not Role.NAME and spoken_code(raw) != raw:
            yield f"The {noun} “{spoken_code(raw)}” is stored as {stored}."
