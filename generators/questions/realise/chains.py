"""What is followed several times: how far, by which words, and what one is to somebody else."""

from __future__ import annotations

from generators.questions.author import NoWording
from generators.questions.goals.model import Relation
from generators.questions.lexicon.derive.data import phrase as verb_phrase
from generators.questions.lexicon.derive.data import table
from generators.questions.lexicon.model import Phrase, Tense
from generators.questions.phrases.lineariser import inflected


def is_chain(relation: Relation) -> bool:
    """Whether a relation is followed several times, or leads to what it is followed again from."""
    again = (further.along == relation.along for further in relation.other.relations)
    return relation.steps is not None or any(again)


def role_of(phrase: Phrase) -> str:
    """The noun of what one is to another by a phrase, "friend" of "a friend of"; "" without one."""
    if (phrase.be, phrase.particle) == ("friends", "with"):
        return "friend"
    article, _, noun = phrase.be.partition(" ")
    return noun if article in ("a", "an") and phrase.particle == "of" else ""


def followed(phrase: Phrase | None, *, borne: bool = False) -> Phrase | None:
    """What is said of a role at the end of several steps: to report to somebody, for a manager;
    those who are `borne` descend from their parents, all others belong to them."""
    if phrase is None or not phrase.noun:
        return phrase
    first, *rest = phrase.noun.split(" ")  # a parent branch, a line manager
    role = "parent of" if first == "parent" and not borne else (first, *rest)[-1]
    verb = table("links")["followed"].get(role)
    return verb_phrase(verb) if verb else None


def chain_text(low: int, high: int | None, noun: str) -> str:
    """How far a chain of things goes; longer ones that end are not asked (`goals.trees`).

    >>> chain_text(1, None, "part"), chain_text(1, 2, "part")
    ('directly or indirectly', 'directly or through another part')
    """
    match low, high:
        case 1, None:
            return "directly or indirectly"
        case 1, 2:
            return f"directly or through another {noun}"
    raise NoWording("a counted number of steps", "Nobody counts how many others lie between.")


def participle(phrase: Phrase, relation: Relation) -> str:
    """The participle of what a thing does; "" without one, as for what is felt or over."""
    verb, _, rest = phrase.verb.partition(" ")
    if relation.how != "some" or phrase.tense is not Tense.PRESENT or verb in _NEVER_DONE:
        return ""
    return " ".join(part for part in (inflected(verb, "VBG"), rest, phrase.particle) if part)


_NEVER_DONE = frozenset({"", "be", "have", "know", "like", "love", "own", "prefer", "want"})
