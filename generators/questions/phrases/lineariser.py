"""Phrases as English: the one place that decides agreement, order, articles and commas.

It makes tokens, and a text of them at the end; nothing looks into finished text again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from lemminflect import getInflection

from generators.questions.lexicon.model import Tense
from generators.questions.phrases.tree import ALIKE, NP, THEIR, Clause, Listing, Phrase, Text
from graphmill.english.inflection import article, plural
from graphmill.english.verbs import by_base

AN = "a\0"  # an article whose form the next word decides
_NO_SPACE = frozenset({",", ".", "?", "'s", ":", ";"})
_LONG = 2  # parts of a listing from which on it has commas


def text_of(tokens: Sequence[str], end: str) -> str:
    """A sentence of tokens: articles in their form, marks without a blank, a capital at the start.

    >>> text_of(["which", "cities", "have", AN, "harbour"], "?")
    'Which cities have a harbour?'
    >>> text_of(["who", "works", "at", "Hill", "Inc.", "?", "give", "names", "and", "Inc."], ".")
    'Who works at Hill Inc.? Give names and Inc.'
    """
    words: list[str] = []
    new = False  # a sentence; a full stop within a name begins none
    for place, token in enumerate(tokens):
        if token == AN:
            after = next((t for t in tokens[place + 1 :] if t), "")
            words.append(article(after))
        elif token in _NO_SPACE and words:
            words[-1] = _ended(words[-1], token)
            new = token in ("?", ".")
        elif token:
            words.append(f"{token[:1].upper()}{token[1:]}" if new else token)
            new = False
    text = " ".join(words)
    return _ended(f"{text[:1].upper()}{text[1:]}", end)


def _ended(text: str, mark: str) -> str:
    """A mark behind a text; the full stop of a name ends a sentence, too."""
    return text if mark == "." and text.endswith(".") else f"{text}{mark}"


class Lineariser:
    """Makes tokens of phrases; `slots` are the phrases that a frame names."""

    def frame(self, template: str, slots: Mapping[str, Phrase]) -> list[str]:
        """The tokens of a frame: words, marks, and slots in braces.

        `{F}` is a phrase, `{P/F}` a clause that agrees with the slot F, `{P~F}` one whose verb
        comes before its subject, `{be/F}`, `{do/F}`, `{have/F}`, `{was/F}` a verb that agrees.
        `{F<}` is a noun phrase up to its head, `{F>}` what stands behind that.
        """
        return [token for piece in template.split() for token in self._piece(piece, slots)]

    def _piece(self, piece: str, slots: Mapping[str, Phrase]) -> Iterator[str]:
        start, brace, rest = piece.partition("{")
        if not brace:
            yield from _marks(piece)
            return
        name, _, after = rest.partition("}")
        if start:
            yield start
        if name.endswith(("<", ">")):
            np = slots[name[:-1]]
            assert isinstance(np, NP)  # noqa: S101 - only noun phrases have a head
            yield from self._head(np) if name[-1] == "<" else self._tail(np)
            yield from _marks(after)
            return
        what, turned, turner = name.partition("~")
        slot, slash, owner = what.partition("/")
        if turned:
            yield from self._turned(slots[what], slots.get(turner))
        elif slash and slot == "their":
            np = slots[owner]
            yield "their" if is_many(np) or (isinstance(np, NP) and np.who) else "its"
        elif slash and slot in _AUXILIARIES:
            yield _AUXILIARIES[slot][is_many(slots[owner])]
        elif slash:
            yield from self.clause(slots[slot], many=is_many(slots[owner]))
        else:
            yield from self.phrase(slots[slot])
        yield from _marks(after)

    def phrase(self, phrase: Phrase) -> list[str]:
        """The tokens of any phrase."""
        match phrase:
            case Text(words):
                return words.split(" ") if words else []
            case Listing(parts, last):
                return _joined([self.phrase(part) for part in parts], last)
            case NP():
                return list(self._noun(phrase))
            case Clause():
                return self.clause(phrase, many=True)

    def _noun(self, np: NP) -> Iterator[str]:
        yield from self._head(np)
        yield from self._tail(np)

    def _head(self, np: NP) -> Iterator[str]:
        if np.det == "a":
            yield "" if np.many else AN
        elif np.det:
            yield from np.det.split(" ")
        for part in np.pre:
            yield from self.phrase(part)
        yield from (np.several if np.many else np.one).split(" ")

    def _tail(self, np: NP) -> Iterator[str]:
        for part in np.post:
            yield from self.phrase(part)
        if np.relative:
            yield from self._relative(np)

    def _relative(self, np: NP) -> Iterator[str]:
        """Relative clauses of one head: the pronoun again only where it changes."""
        before = ""
        who = np.who and not any(clause.of_things for clause in np.relative)
        for place, clause in enumerate(np.relative):
            if place:
                turn = clause.negated and not np.relative[place - 1].negated
                yield "but" if turn else "and"
            tokens = self._related(clause, np, who=who)
            pronoun = "" if clause.subject is not None or clause.whose is not None else tokens[0]
            yield from tokens[1:] if pronoun and pronoun == before else tokens
            before = pronoun

    def _related(self, clause: Clause, np: NP, *, who: bool) -> list[str]:
        if clause.whose is not None:
            inner = self.phrase(clause.whose)
            return ["whose", *inner, *self.clause(clause, many=clause.whose.many)]
        pronoun = "who" if who and clause.subject is None else "that"
        return [pronoun, *self.clause(clause, many=np.many)]

    def clause(self, phrase: Phrase, *, many: bool) -> list[str]:
        """A clause said of a head of that number."""
        if isinstance(phrase, Listing):
            return _joined([self.clause(part, many=many) for part in phrase.parts], phrase.last)
        if not isinstance(phrase, Clause):
            return self.phrase(phrase)
        if phrase.subject is not None:
            subject = self.phrase(phrase.subject)
            many = is_many(phrase.subject)
            return [*subject, *_finite(phrase, many), *self._behind(phrase, many=many)]
        return [*_finite(phrase, many), *self._behind(phrase, many=many)]

    def _behind(self, clause: Clause, *, many: bool) -> Iterator[str]:
        if clause.particle and clause.object is None and clause.subject is None:
            yield from clause.particle.split(" ")
        elif clause.object is not None:
            yield from clause.particle.split(" ") if clause.particle else ()
            alike = clause.object
            if isinstance(alike, NP) and alike.det == ALIKE:
                alike = replace(alike, det="a", many=many)
            yield from self.phrase(alike)
        elif clause.particle:
            yield from clause.particle.split(" ")
        for part in clause.tail:
            for token in self.phrase(part):
                yield token if token != THEIR else "their" if many else "its"

    def _turned(self, phrase: Phrase, subject: Phrase | None) -> Iterator[str]:
        """The auxiliary, the subject, the rest: "did Ann Lee buy", "are the halls named after"."""
        assert isinstance(phrase, Clause)  # noqa: S101 - frames turn clauses only
        doer = phrase.subject if subject is None else subject
        assert doer is not None  # noqa: S101 - there is somebody who does it
        many = is_many(doer)
        first, *rest = _analytic(phrase, many)
        yield first
        yield from self.phrase(doer)
        yield from rest
        yield from self._behind(phrase, many=many)


_AUXILIARIES = {
    "be": ("is", "are"),
    "was": ("was", "were"),
    "do": ("does", "do"),
    "have": ("has", "have"),
}


def is_many(phrase: Phrase) -> bool:
    """Whether a verb that is said of the phrase is in the plural."""
    match phrase:
        case NP():
            return phrase.many and phrase.det not in ("each", "every")
        case Listing(parts, last):
            return (last == "and" and len(parts) > 1) or any(map(is_many, parts))
        case Text(words):
            return words in ("they", "these", "we")
    return False


def _finite(clause: Clause, many: bool) -> list[str]:
    """The verb with its auxiliaries, for one or for many."""
    if clause.be or not clause.verb or clause.verb == "be":
        rest = _predicate(clause.be, many) if clause.be else []
        no = ["not"] if clause.negated else []
        if clause.tense is Tense.PERFECT:
            return ["have" if many else "has", *no, "been", *rest]
        form = ("were" if many else "was") if clause.tense is Tense.PAST else ("is", "are")[many]
        return [form, *no, *rest]
    first, *more = clause.verb.split(" ")
    if clause.tense is Tense.PERFECT:
        no = ["not"] if clause.negated else []
        return ["have" if many else "has", *no, inflected(first, "VBN"), *more]
    if clause.negated:
        return _analytic(clause, many)
    if clause.tense is Tense.PAST:
        return [inflected(first, "VBD"), *more]
    return [first if many else inflected(first, "VBZ"), *more]


def _predicate(be: str, many: bool) -> list[str]:
    """What stands behind "to be": of many, a noun with its article is in the plural.

    >>> _predicate("a citizen", True), _predicate("the subject", True), _predicate("part", True)
    (['citizens'], ['the', 'subjects'], ['part'])
    """
    article, _, noun = be.partition(" ")
    if not many or article not in ("a", "an", "the"):
        return be.split(" ")
    head, to, rest = noun.partition(" to ")
    words = f"{plural(head)}{to}{rest}".split(" ")
    return ["the", *words] if article == "the" else words


def _analytic(clause: Clause, many: bool) -> list[str]:
    """The verb with an auxiliary in front, as questions and denials need it."""
    if clause.be or clause.verb in ("", "be") or clause.tense is Tense.PERFECT:
        return _finite(clause, many)
    do = "did" if clause.tense is Tense.PAST else ("does", "do")[many]
    return [do, *(["not"] if clause.negated else []), *clause.verb.split(" ")]


@cache
def inflected(lemma: str, tag: str) -> str:
    """A form of a verb: VBZ, VBD, VBN or VBG of the Penn Treebank.

    >>> [inflected("take", tag) for tag in ("VBZ", "VBD", "VBN", "VBG")]
    ['takes', 'took', 'taken', 'taking']
    """
    known = by_base(lemma)
    if known is not None:
        return {
            "VBZ": known.third,
            "VBD": known.past,
            "VBN": known.participle,
            "VBG": known.gerund,
        }[tag]
    forms = getInflection(lemma, tag)
    return str(forms[0]) if forms else lemma


def _joined(parts: Sequence[list[str]], last: str) -> list[str]:
    """Parts as a list; with "\\0" one after the other."""
    if last == "\0":
        return [token for part in parts for token in part]
    tokens: list[str] = []
    for place, part in enumerate(parts):
        if place and place == len(parts) - 1 and last:
            tokens += [","] if len(parts) > _LONG else []
            tokens.append(last)
        elif place:
            tokens.append(",")
        tokens += part
    return tokens


def _marks(piece: str) -> Iterator[str]:
    """A word and the marks behind it."""
    word = piece.rstrip(",.?;:")
    if word:
        yield word
    yield from piece[len(word) :]
