"""How a frame, or what a value means, stands at its noun: before it, behind it, or as its verb."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from lemminflect import getAllLemmas, getLemma

from generators.questions.goals.model import Test
from generators.questions.lexicon.model import MOMENTS, Property, Role, Standing, Tense
from generators.questions.lexicon.model import Phrase as PathPhrase
from generators.questions.phrases.tree import NP, THEIR, Clause, Text
from generators.questions.realise.conditions.category_value import STATIVE
from generators.questions.realise.conditions.options import Option
from graphmill.english.lists import word_set
from graphmill.english.verbs import by_past

ABOVE = {
    ">": ("above", "more than {}", "over {}"),
    ">=": ("at_least", "at least {}", "of at least {}"),
    "<": ("below", "less than {}", "under {}"),
    "<=": ("at_most", "at most {}", "of at most {}"),
}
_LEAST = {
    "more than {}": "at least {}",
    "fewer than {}": "at most {}",
    "less than {}": "at most {}",
}
NO_BE = ("of", "with", "that", "who", "whose", "without")
_SHORT, _ACRONYM = 3, 6  # letters up to which a value says little, and capitals are no word
_WHEN = frozenset({"on", "in", "after", "before", "between", "at"})


@cache
def is_adjective(words: str) -> bool:
    """Whether a thing can be said to be so: "coastal", "cancelled", but not "tournament"."""
    last = words.rpartition(" ")[2].lower()
    lemmas = getAllLemmas(last)
    return "ADJ" in lemmas or not lemmas or last.endswith(("ed", "en", "line", "door", "ic"))


def may_precede(value: str) -> bool:
    """Whether a value of a sort is a word that may stand before the noun of what is sorted."""
    least = _ACRONYM if value.isupper() else _SHORT
    plain = value.replace("-", "").isalpha() and value.lower() not in word_set("passing")
    return len(value) > least and plain


def is_phrase(word: str) -> bool:
    """Whether what a value means may stand behind a noun by itself: "on hold", "paid in cash"."""
    first = word.split()[0]
    if first[:1].isupper():
        return False  # "shows Samoan"
    phrase = word_set("prepositions") | {"with", "without", "that", "who", "whose", "not", "no"}
    return first in phrase or is_adjective(first) or by_past(first) is not None


def valued(word: str, words: Property, atoms: tuple[Test, ...]) -> Iterator[Option]:
    """What a stored value means: "female customers", "orders on hold", "lamps"."""
    if word.startswith("not ") and words.place is Standing.BEFORE:  # "that are not AVA"
        clause = Clause(be=word.removeprefix("not "), negated=True, atoms=atoms)
        yield Option("rel", clause)
        yield Option("pred", clause)
        return
    match words.place:
        case Standing.BEFORE:
            yield Option("pre", Text(word, atoms))
            if is_adjective(word):
                yield Option("pred", Clause(be=_standing_behind(word), atoms=atoms), 0.6)
        case Standing.HEAD:
            yield Option("head", Text(word, atoms))
        case Standing.AFTER:
            yield from framed(word, atoms)


def _standing_behind(word: str) -> str:
    """A word as it is said of a thing: vans are in service, and not "in-service"."""
    first, _, rest = word.partition("-")
    return f"{first} {rest}" if rest and first in STATIVE | {"at", "off"} else word


def _dating(when: str) -> str:
    """ "dated 3 May 2024", "dated on or after 3 May 2024", "from 2024"."""
    first, _, rest = when.partition(" ")
    if first == "on" and rest[:1].isdigit():
        return f"dated {rest}"
    return f"from {rest}" if first == "in" and not rest.startswith("or ") else f"dated {when}"


def unvalued(word: str, words: Property, atoms: tuple[Test, ...]) -> Iterator[Option]:
    """That a stored value is another one: "who are not female", "orders not on hold".

    Of two values of which one is not the other, it is that one: "in service" for not "not in
    service".
    """
    so = word.removeprefix("not ")
    if so != word:
        if {*words.values.values()} == {so, word}:
            yield from valued(so, words, atoms)
        return
    others = {*words.values.values()} - {word}
    if len(others) == 1 and is_adjective(other := others.pop()) and "not" not in other.split():
        yield from valued(other, words, atoms)  # who are not inactive are active
        return
    if words.place is Standing.BEFORE and others and by_past(word) is not None:
        return  # whose status is not "sent": what is paid was sent, too
    if words.place is Standing.BEFORE and not is_adjective(word):
        yield Option("pre", Text(f"non-{word}", atoms))  # "non-photo posts"
    elif words.place is Standing.BEFORE:
        clause = Clause(be=_standing_behind(word), negated=True, atoms=atoms)
        yield Option("pred", clause)
        yield Option("rel", clause, 0.3)
    elif words.place is Standing.AFTER and word.split()[0] not in NO_BE:
        yield from framed(f"not {word}", atoms)


def bound_frame(words: Property, op: str) -> str:
    """The frame of a bound; "on or after {}" follows from "after {}"."""
    frame: str = getattr(words, ABOVE[op][0])
    strict = {">=": words.above, "<=": words.below}.get(op, "")
    for timed in ("after {}", "before {}"):
        if not frame and strict.endswith(timed):
            closed = "in or" if words.kind is Role.YEAR else "on or"
            return f"{strict.removesuffix(timed)}{closed} {timed}"
    for than, least in _LEAST.items():
        if not frame and than in strict:
            return strict.replace(than, least)
    return frame


def framed(
    text: str,
    atoms: tuple[Test, ...],
    words: Property | None = None,
    dated: Clause | None = None,
) -> Iterator[Option]:
    """A phrase that stands behind its noun; most can be said with "to be", too."""
    first, _, rest = text.partition(" ")
    verb = words.verb if words is not None else None
    if verb is not None and verb.be and first == verb.be.split()[0]:
        yield Option("post", Text(text, atoms))
        yield Option("pred", Clause(be=text, tense=verb.tense, atoms=atoms))
        return
    placed = words is not None and words.kind is Role.PLACE
    if placed and dated is not None and dated.verb and first in _WHEN:  # "took place in Oslo"
        yield Option("post", Text(text, atoms))
        yield Option("pred", replace(dated, object=Text(text), atoms=atoms))
        return
    if words is not None and dated is not None and first in _WHEN and words.kind in MOMENTS:
        written = dated.be == "dated"
        yield Option("post", Text(_dating(text) if written else text, atoms))
        clause = replace(dated, atoms=atoms)
        if dated.be:
            clause = replace(clause, be=_dating(text) if written else f"{dated.be} {text}")
        else:
            clause = replace(clause, object=Text(text))
        yield Option("pred", clause)
        return
    if first in ("who", "that"):
        yield Option("post", Text(text, atoms), 1.0)
        if verb is not None and verb.verb:
            length = len(verb.verb.split(" "))  # of "entered service in 2020"
            when = Text(" ".join(rest.split(" ")[length:]))
            clause = Clause(verb=verb.verb, tense=verb.tense, object=when, atoms=atoms)
            yield Option("pred", clause)
            yield Option("rel", clause, 0.9)  # "that opened after 1980 and belong to …"
        return
    if first == "whose":
        timed = words is not None and words.kind in MOMENTS
        yield from _settled(rest, atoms, Tense.PAST if timed else Tense.PERFECT)
        return
    yield Option("post", Text(text, atoms))
    if rest.startswith("which "):
        return  # nothing "is for which the patient paid €50"
    if first == "with" and rest:
        yield Option("pred", Clause(verb="have", object=Text(rest), atoms=atoms), 0.5)
    elif text.removeprefix("not ").partition(" ")[0].endswith("ing") and rest:  # "playing for Ajax"
        doing, _, what = text.removeprefix("not ").partition(" ")
        lemma = next(iter(getLemma(doing, "VERB")), doing)
        clause = Clause(verb=lemma, negated=first == "not", object=Text(what), atoms=atoms)
        yield Option("pred", clause)
    elif first not in NO_BE or (words is not None and text.startswith(f"of {words.noun} ")):
        yield Option("pred", Clause(be=text, atoms=atoms))


def _settled(text: str, atoms: tuple[Test, ...], tense: Tense) -> Iterator[Option]:
    """ "Whose deposit was not returned", "have not had their deposit returned"."""
    what, _, done = text.partition(" was ")
    no, done = done.startswith("not "), done.removeprefix("not ")
    clause = Clause(be=done, tense=Tense.PAST, negated=no, atoms=atoms)
    yield Option("rel", replace(clause, whose=NP(what, what)))
    yield Option("post", Text(f"whose {text}", atoms), 0.5)
    had = (Text(f"{THEIR} {what} {done}"),)
    yield Option("pred", Clause("have", tense=tense, negated=no, tail=had, atoms=atoms))


def verbal(verb: PathPhrase, amount: str, atoms: tuple[Test, ...]) -> Iterator[Option]:
    clause = Clause(
        verb=verb.verb,
        be=verb.be,
        particle=verb.particle,
        tense=verb.tense,
        object=Text(amount),
        atoms=atoms,
    )
    yield Option("rel", clause, 0.5)
    yield Option("pred", clause)


def having(text: str, atoms: tuple[Test, ...], dear: float) -> Iterator[Option]:
    """ "with more than three seats"."""
    clause = Clause(verb="have", object=Text(text), atoms=atoms)
    yield Option("post", Text(f"with {text}", atoms), dear)
    yield Option("pred", clause, dear + 0.5)
