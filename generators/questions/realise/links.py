"""What one end of a path says of the other: the places in which a relation can stand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from generators.questions.author import NoWording
from generators.questions.goals.model import Atom, Relation
from generators.questions.lexicon.derive.links import STATES
from generators.questions.lexicon.model import Path, Tense
from generators.questions.lexicon.model import Phrase as PathPhrase
from generators.questions.phrases.tree import NP, THEIR, Clause, Listing, Phrase, Text
from generators.questions.realise.conditions.options import Option
from generators.questions.realise.conditions.values import number_text
from graphmill.english.inflection import a, plural
from graphmill.english.verbs import by_base, by_past

ROWS = ("detail", "entry", "line", "record", "row")  # which say little without what they are of
_AMOUNTS = {
    ">": "more than {}",
    ">=": "at least {}",
    "<": "fewer than {}",
    "<=": "at most {}",
    "=": "exactly {}",
}


@dataclass(frozen=True, slots=True)
class Link:
    """A relation that is said, with what stands behind the other end, and the parts of the question
    that are said by it."""

    relation: Relation
    adjuncts: tuple[Phrase, ...]
    atoms: tuple[Atom, ...]


def determiner(
    relation: Relation, phrase: PathPhrase, *, many: bool, subject: bool
) -> tuple[str, bool]:
    """The determiner of the other end, and whether it is several: "no orders", "at least 2 orders".

    `many`: it is said of several things. `subject`: the other end does what the phrase says.

    Raises:
        NoWording: it is a number that nothing has.
    """
    doing = bool(phrase.verb or phrase.be)
    loose = not (doing or phrase.noun)
    match relation.how:
        case "no":
            single = relation.one or (subject and doing) or phrase.particle == "by"
            return "no" if subject or loose else "any", not single
        case "count":
            assert relation.bound is not None  # noqa: S101 - that is what it counts
            number = relation.bound.value.value
            if not isinstance(number, int) or relation.bound.op not in _AMOUNTS:
                raise NoWording("a number of things that is none")
            return _AMOUNTS[relation.bound.op].replace("{}", number_text(number)), number != 1
        case "only":
            return "only", True
    apart = relation.other.apart is not None and not phrase.noun
    such = not (relation.one or relation.other.bare)  # "categories with Victorian costumes"
    if many and (apart or phrase.be or (loose and (such or phrase.particle != "with"))):
        return "", True
    return "a", False


def forward_options(
    phrase: PathPhrase,
    other: NP,
    link: Link,
) -> Iterator[Option]:
    """What the thing says of the other end, which may also be a listing of two."""
    none = link.relation.how == "no" and _is_having(phrase)
    if phrase.noun:
        yield from _role_options(phrase.noun, other, link)
    elif not phrase.verb and not phrase.be:
        yield from _adjunct(phrase.particle, other, link)
    elif none and _is_own(link.relation):
        return
    elif none and isinstance(other, NP):
        yield from _lacking(other, link)
    else:
        yield from _doing(phrase, other, link)


def _role_options(
    noun: str,
    other: NP,
    link: Link,
) -> Iterator[Option]:
    """By what the other is to the thing: "whose manager is Ann", "have her as their manager"."""
    if link.relation.how != "some":
        return
    single = isinstance(other, NP)
    plain = single and not (other.post or other.relative)
    if plain and link.relation.other.bare and _is_own(link.relation):
        role = _FULLER.get(noun, noun)  # "more than two direct reports"
        fellows = replace(other, one=role, several=plural(role))
        yield from forward_options(PathPhrase(verb="have"), fellows, link)
        return
    whose = NP(noun, noun)
    one = link.relation.one
    several = not one and link.relation.along[1].startswith("<")  # a nation's citizens
    if single and _is_again(other, noun):
        if (same := _without_noun(other)) is not None:
            yield Option("rel", _be(same, whose, link.atoms), 0.2)
        return
    if single and not several and (has := _having(other)) is not None:
        yield Option("rel", replace(has, whose=whose, atoms=(*has.atoms, *link.atoms)), 0.3)
        return
    if not several:
        yield Option("rel", _be(other, whose, link.atoms), 0.5)
    if single and not plain and not named_one(other):
        return  # "have somebody who … as their manager"
    named = not single or other.det in ("", "the")
    role = f"as {f'{THEIR} {noun}' if named and one else a(noun)}"
    if single and other.many:
        role = f"as {plural(noun)}"
    clause = Clause(verb="have", object=other, tail=(Text(role), *link.adjuncts), atoms=link.atoms)
    yield Option("pred", clause, 0.5)
    if several:
        yield Option("rel", clause, 0.5)


def _having(other: NP) -> Clause | None:
    """What somebody has who is not named: "whose manager has more than two direct reports", and not
    "is an employee with them"; None where more is said of him."""
    (post, *more) = other.post or (None,)
    if other.det != "a" or other.pre or more or other.relative:
        return None
    match post:
        case Listing((Text("with"), held), "\0", atoms):
            return Clause(verb="have", object=held, atoms=(*other.atoms, *atoms))
        case Text(words, atoms) if words.startswith("with "):
            text = Text(words.removeprefix("with "), atoms)
            return Clause(verb="have", object=text, atoms=other.atoms)
    return None


def _is_having(phrase: PathPhrase) -> bool:
    return phrase.verb == "have" and not phrase.particle


def _lacking(other: NP, link: Link) -> Iterator[Option]:
    """ "Have no orders", "without any orders"."""
    one = other.det == "the"  # by its name: "without the qualification …"
    lacking = other if one else replace(other, det="no")
    clause = Clause(verb="have", object=lacking, tail=link.adjuncts, negated=one, atoms=link.atoms)
    yield Option("pred", clause)
    yield Option("rel", clause, 0.5)
    bare = other if one else replace(other, det="any" if other.many else "a")
    yield Option("post", prep("without", bare, link.adjuncts, link.atoms))


def _doing(
    phrase: PathPhrase,
    other: NP,
    link: Link,
) -> Iterator[Option]:
    """By the verb of the thing: "bought a book", "written by Ann Lee"."""
    phrase, link = _within(phrase, link)
    no = link.relation.how == "no"
    if _is_having(phrase):
        yield Option("post", prep("with", other, link.adjuncts, link.atoms), 0.0)
    clause = Clause(
        verb=phrase.verb,
        be=phrase.be,
        particle=phrase.particle,
        tense=phrase.tense,
        negated=no,
        object=other,
        tail=link.adjuncts,
        atoms=link.atoms,
    )
    yield Option("pred", clause)
    yield Option("rel", clause, 0.3)
    if phrase.be and not no and phrase.particle and is_participle(phrase.be):
        words = f"{phrase.be} {phrase.particle}"
        yield Option("post", prep(words, other, link.adjuncts, link.atoms), 0.0)
    if (phrase.be, phrase.particle) == ("part", "of") and not no and not link.adjuncts:
        yield Option("post", prep("of", other, (), link.atoms), 0.0)


def _within(phrase: PathPhrase, link: Link) -> tuple[PathPhrase, Link]:
    """ "Report directly or indirectly to Ann Lee": how far a chain goes stands beside its verb, so
    that it is not taken for what stands behind."""
    *others, last = link.adjuncts or (None,)
    steps = link.relation.steps
    verbal = phrase.verb or is_participle(phrase.be)
    if steps is None or not isinstance(last, Text) or last.atoms != (steps,):
        return phrase, link
    if not verbal or not phrase.particle or " or through " in last.words:
        return phrase, link
    moved = replace(phrase, particle=f"{last.words} {phrase.particle}")
    rest = tuple(each for each in others if each is not None)
    return moved, replace(link, adjuncts=rest, atoms=(*link.atoms, steps))


_FULLER = {"report": "direct report", "subordinate": "direct subordinate"}


def fellows_of(path: Path | None) -> str:
    """What those of the own kind are called to whom a path leads: "direct reports"; "" without."""
    role = path.forward.noun if path is not None and path.forward is not None else ""
    return plural(_FULLER.get(role, role)) if role else ""


def _is_own(relation: Relation) -> bool:
    """Whether a relation is to one's own kind, where "without any" says nothing: "types without
    any types"."""
    return relation.along[0] == relation.other.type


def _is_again(other: NP, role: str) -> bool:
    """Whether a role has the noun of somebody who is not named: a winning pilot who is a pilot."""
    return other.det == "a" and other.one in role.split() and bool(other.post or other.relative)


def _without_noun(other: NP) -> Phrase | None:
    """What is said of somebody beside his noun: a winning pilot "is aged 25", and not "is a pilot
    aged 25"; None where it needs the noun."""
    (post, *more) = other.post or (None,)
    if other.pre or more or other.relative or not isinstance(post, Text):
        return None
    if post.words.partition(" ")[0] in ("with", "without", "that", "who") or "ing " in post.words:
        return None
    return replace(post, atoms=(*other.atoms, *post.atoms))


def _be(other: Phrase, whose: NP, atoms: tuple[Atom, ...]) -> Clause:
    """ "whose winning pilot is Ann Lee", and not "is the pilot Ann Lee"."""
    if isinstance(other, NP) and other.det == "the" and other.one == other.several:
        name = other.one.removeprefix(f"{whose.one.rpartition(' ')[2]} ")
        if name != other.one:
            other = replace(other, one=name, several=name, det="")
    return Clause(object=other, whose=whose, atoms=atoms)


def prep(
    words: str, other: Phrase, adjuncts: tuple[Phrase, ...], atoms: tuple[Atom, ...]
) -> Phrase:
    return Listing((Text(words), Listing((other, *adjuncts), "\0")), "\0", atoms)


def _adjunct(
    particle: str,
    other: NP,
    link: Link,
) -> Iterator[Option]:
    """A preposition that is safe where no verb is known."""
    if link.relation.how == "no":
        if particle != "with" or named_one(other) or _is_own(link.relation):
            return
        bare = replace(other, det="any" if other.many else "a")
        yield Option("post", prep("without", bare, link.adjuncts, link.atoms), 0.0)
        clause = Clause(
            verb="have", object=replace(other, det="no"), tail=link.adjuncts, atoms=link.atoms
        )
        yield Option("pred", clause)
        yield Option("rel", clause, 0.5)
        return
    cost = 0.5 if particle in ("with", "of") else 0.0
    yield Option("post", prep(particle, other, link.adjuncts, link.atoms), cost)
    if particle == "with":
        clause = Clause(verb="have", object=other, tail=link.adjuncts, atoms=link.atoms)
        yield Option("pred", clause, cost)
        yield Option("rel", clause, cost)
    elif particle not in ("", "of", "to"):  # "how many flights are there to", not "are to"
        clause = Clause(
            be="", particle=particle, object=other, tail=link.adjuncts, atoms=link.atoms
        )
        yield Option("pred", clause, cost)


def backward_options(
    phrase: PathPhrase,
    other: Phrase,
    link: Link,
    *,
    many: bool = True,
) -> Iterator[Option]:
    """What the other end says of the thing: "that Ann Lee bought", "who is the manager of …"."""
    named = not isinstance(other, NP) or other.det in ("", "the")
    if phrase.noun:
        if link.relation.how == "some" and named:
            owner = (of_phrase(other),)
            role = NP(phrase.noun, plural(phrase.noun), many=many, det="the", post=owner)
            clause = Clause(verb="be", object=role, tail=link.adjuncts, atoms=link.atoms)
            yield Option("rel", clause, 0.5)
            yield Option("pred", clause, 0.5)
        return
    if (not phrase.verb and not phrase.be) or _is_having(phrase):
        inverse = {"with": "of", "": "of"}.get(phrase.particle, "with")
        # Nobody says "the vessel with the voyage V7", and "of" would have the roles the wrong way.
        if isinstance(other, NP) and named == (inverse == "of"):
            yield from _adjunct(inverse, other, link)
        return
    loose = phrase.verb == "belong" and link.relation.steps is None  # not "with it directly or …"
    if loose and isinstance(other, NP) and not named_one(other):
        several = other.many or (other.det == "no" and not link.relation.one)
        yield from _adjunct("with", replace(other, many=several), link)
    if isinstance(other, NP) and other.det == "no":
        if not other.who and not phrase.be and not _is_own(link.relation):
            yield from _without_any(other, link)
            return
        if phrase.be and phrase.particle:
            yield from _with_none_done(phrase, other, link, many=many)
            return
    yield from _done_to(phrase, other, link)


def _without_any(other: NP, link: Link) -> Iterator[Option]:
    """ "Without any fills", "have no fills"."""
    bare = replace(other, many=not link.relation.one, det="a" if link.relation.one else "any")
    yield Option("post", prep("without", bare, link.adjuncts, link.atoms))
    having = Clause(
        verb="have", object=replace(bare, det="no"), tail=link.adjuncts, atoms=link.atoms
    )
    yield Option("pred", having)
    yield Option("rel", having, 0.5)


def _with_none_done(
    phrase: PathPhrase,
    other: NP,
    link: Link,
    *,
    many: bool,
) -> Iterator[Option]:
    """ "Who did not direct any films", "with no calls assigned to them"."""
    if not is_participle(phrase.be):
        return  # "with no drugs a generic of them"
    if other.post or other.relative:
        return  # "with no calls whose status is open assigned to them"
    other = replace(other, many=True)
    deed, _, off = phrase.be.partition(" ")  # "signed off by"
    verb = by_past(deed) if phrase.particle == "by" else None
    if verb is not None:
        tense = Tense.PRESENT if verb.base in STATES else Tense.PAST
        films = replace(other, det="any")
        clause = Clause(
            f"{verb.base} {off}".strip(),
            tense=tense,
            negated=True,
            object=films,
            tail=link.adjuncts,
        )
        yield Option("pred", replace(clause, atoms=link.atoms))
        yield Option("rel", replace(clause, atoms=link.atoms))
        return
    done = (Text(f"{phrase.be} {phrase.particle} {'them' if many else 'it'}"), *link.adjuncts)
    yield Option("post", prep("with", other, done, link.atoms))
    yield Option("pred", Clause(verb="have", object=other, tail=done, atoms=link.atoms))


def _done_to(
    phrase: PathPhrase,
    other: Phrase,
    link: Link,
) -> Iterator[Option]:
    """By the verb of the other end: "that Ann Lee bought", "that no customers ordered"."""
    det = other.det if isinstance(other, NP) else ""
    if not isinstance(other, NP | Text) or det == "a":
        return  # "the teams that a player plays for"
    clause = Clause(
        verb=phrase.verb,
        be=phrase.be,
        particle=phrase.particle,
        tense=phrase.tense,
        negated=link.relation.how == "no" and det != "no",
        subject=other,
        tail=link.adjuncts,
        atoms=link.atoms,
    )
    named = det in ("", "the")
    heavy = isinstance(other, NP) and bool(other.post or other.relative)
    yield Option("rel", clause, (0.0 if named else 0.8) + 2.5 * heavy)
    if (det == "no" or (link.relation.how == "some" and named)) and not heavy:
        yield Option("pred", clause, 0.8 * (det == "no"))


def role_noun(phrase: PathPhrase) -> str:
    """The noun that somebody is said to be, without its article."""
    article, _, noun = phrase.be.partition(" ")
    return noun if article in ("a", "an", "the") else phrase.be


def is_participle(words: str) -> bool:
    """Whether a phrase may stand behind its noun without a verb: "written by", "based in"."""
    last = words.rpartition(" ")[2] if " " in words else words
    first = words.split(" ")[0]
    if first in ("a", "an", "the"):
        return False
    return any(
        by_past(word) is not None or word.endswith(("ed", "en", "wn", "rn", "ne", "pt", "lt"))
        for word in (first, last)
    )


def named_one(np: NP) -> bool:
    """Whether a noun phrase is one thing by its name."""
    return not np.det and np.one == np.several and bool(np.atoms)


def has_verb(path: Path) -> bool:
    return any(
        phrase is not None and (phrase.be or phrase.noun or phrase.verb not in ("", "have"))
        for phrase in (path.forward, path.backward)
    )


def is_agent_of(noun: str, phrase: PathPhrase) -> bool:
    """Whether a noun is made of the verb, as climber of climb, host of host.

    >>> climb, hosted = PathPhrase(verb="climb"), PathPhrase(be="hosted")
    >>> is_agent_of("mountain climber", climb), is_agent_of("host", hosted)
    (True, True)
    """
    known = by_past(phrase.be.split()[0]) if phrase.be else None
    verb = known.base if known is not None else phrase.verb.split(" ")[0]
    head = noun.rpartition(" ")[2]
    stem = verb.removesuffix("e")
    made = head.endswith(("er", "or")) and len(stem) > 2 and head[:-2].startswith(stem)
    made = made or (len(stem) > 3 and head.startswith(stem) and head.endswith(_NOMINAL))
    return bool(verb) and (head == verb or made)


_NOMINAL = ("ment", "tion", "sion", "ance", "ence", "al", "ing", "ship", "y")


def of_phrase(other: Phrase) -> Phrase:
    return Listing((Text("of"), other), "\0")


def once_done(np: NP, phrase: PathPhrase) -> NP:
    """A noun phrase without what its verb says: "roast batches" without "roast"."""
    first, _, rest = np.one.partition(" ")
    does = (phrase.be or phrase.verb).partition(" ")[0]
    verb = by_past(does) if phrase.be else by_base(does)
    forms = {does} if verb is None else {does, verb.base, verb.gerund, verb.participle}
    if np.one == np.several or rest in ("", *ROWS) or first not in forms:
        return np
    return replace(np, one=rest, several=np.several.removeprefix(f"{first} "))


def all_such(option: Option, every: NP, *, kept: bool) -> Option | None:
    """What is so of `every` one of theirs, by a way to say it of one; `kept`: a value is said as it
    is stored. None where that has no such form."""
    clause = option.phrase
    if not isinstance(clause, Clause) or clause.subject is not None or clause.negated:
        return None
    each_one = replace(every, post=(Text("all"),))
    if option.place == "rel" and clause.whose is not None and kept:
        what = Text(f'the {clause.whose.one} "{clause.be.strip('"')}"')
        held = Clause(verb="have", object=what, whose=each_one, atoms=clause.atoms)
        return Option("rel", held, option.cost)
    if option.place != "pred" or clause.whose is not None:
        return None
    such = replace(clause, whose=every)
    if clause.be:
        such = replace(such, be=f"all {clause.be}")
    elif clause.verb:
        such = replace(such, whose=each_one)
    else:
        such = replace(such, particle=f"all {clause.particle}".strip())
    return Option("rel", such, option.cost + 0.5)


def see_telling(relation: Relation, *, by: bool) -> None:
    """See that it says something that there is one at the other end, which is made `by` it or not.

    Raises:
        NoWording: it says nothing, or it leads back.
    """
    if relation.again and not relation.other.name:
        raise NoWording("another of the same", "Nobody goes back the way that he came.")
    if not relation.other.bare or relation.how != "some" or relation.tests:
        return
    if relation.one:
        raise NoWording("a part that says nothing", "There is always one.")
    if by:
        raise NoWording("a part that says nothing", "Albums are by artists.")


def is_telling(path: Path) -> bool:
    """Whether its words are not those of any link: "with", "have"."""
    forward = path.forward
    placed = forward is not None and forward.particle not in ("", "of", "with")
    return placed or has_verb(path)


def is_on_the_way(relation: Relation) -> bool:
    """Whether a relation leads to what is known by a further one alone."""
    return bool(relation.how == "some" and not relation.other.name and relation.other.relations)


def is_with(phrase: Phrase) -> bool:
    """Whether a phrase only says that there is something: "with a cover (ceded by …)"."""
    if isinstance(phrase, Listing):
        return phrase.parts[:1] == (Text("with"),)
    return isinstance(phrase, Clause) and phrase.verb == "have"
