"""Where what restricts a thing stands around its noun, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from generators.questions.goals.model import Apart, Atom
from generators.questions.phrases.tree import NP, Clause, Listing, Phrase, Text
from generators.questions.realise.conditions.framing import is_adjective
from generators.questions.realise.conditions.options import Option
from generators.questions.realise.links import is_participle
from graphmill.english.inflection import is_plural, plural
from graphmill.english.lists import word_set


def ends_in_others(np: NP) -> bool:
    """Whether a clause would be said of others: "tracks without any lines that are longer than"."""
    end = np.post[-1] if np.post else None
    while isinstance(end, Listing) and end.parts:
        end = end.parts[-1]
    return isinstance(end, NP) and end.one != end.several and (end.who or not np.who)


def ends_in_lacking(np: NP) -> bool:
    """Whether what is said next would be said of what is lacking: "sites without any plots"."""
    return bool(np.post) and _first_words(np.post[-1]) == "without"


def clumsiness(chosen: tuple[Option, ...]) -> float:
    """What it costs to read restrictions beside each other."""
    posts = [o.phrase for o in chosen if o.place == "post"]
    clauses = [o.phrase for o in chosen if o.place == "rel"]
    long = [post for post in posts if isinstance(post, Listing)]
    starts = [_first_words(post) for post in posts]
    again = len(set(starts)) < len(starts)  # "placed in May placed by Ann"
    astray = [2.2 if isinstance(post, Listing) else 0.8 * _is_ended(post) for post in posts]
    lacking = any(start == "without" for start in starts)  # "hired in May without any incidents"
    held = any(isinstance(post, Text) and post.words.startswith("with ") for post in posts)
    held = held and any(isinstance(post, Listing) and _is_doing(post) for post in posts)
    # "shipments to sites without any deviations"
    heaped = lacking and any(_is_doing(post) or _ends_in_plural(post) for post in posts)
    mixed = len({isinstance(c, Clause) and c.whose is not None for c in clauses}) > 1
    apart = len(long) > 1 and len(merged(posts)) > 1  # said of what the first ends with
    return (
        2.0 * (again + heaped)
        + 1.5 * held  # "with a shell effect replaced by"
        + 0.5 * (len(posts) > 1)
        + 2.0 * apart * (1 + all(map(_is_long, long)))
        + (max(astray, default=0.0) if clauses else 0.0)
        + 1.5 * mixed
        + (len(clauses) > 1 and bool(long))
    )


def _ends_in_plural(post: Phrase) -> bool:
    """Whether a phrase that does not itself deny ends in other things: "to sites in Helsinki"."""
    last = post.parts[-1] if isinstance(post, Listing) and post.parts else None
    while isinstance(last, Listing) and last.parts:
        last = last.parts[-1]
    return _first_words(post) != "without" and isinstance(last, NP) and last.many


def _first_words(phrase: Phrase) -> str:
    """The word that a phrase begins with; any of its own where that is "with"."""
    while isinstance(phrase, Listing) and phrase.parts:
        phrase = phrase.parts[0]
    word = phrase.words.partition(" ")[0] if isinstance(phrase, Text) else ""
    return word if word not in ("", "with") else f"{id(phrase)}"


def _is_ended(post: Phrase) -> bool:
    """Whether a phrase ends in a name or in others, of which a clause could be said: "born in
    China", "with more than 800 inhabitants"."""
    last = post.words.rpartition(" ")[2] if isinstance(post, Text) else ""
    return last[:1].isupper() or (last.isalpha() and is_plural(last))


def _is_doing(post: Phrase) -> bool:
    """Whether a phrase is a participle with what belongs to it, of which the next would be said."""
    word = _first_words(post)
    return word.endswith("ing") or is_participle(word)


_SEXES = {"male": "man", "female": "woman"}


def merged(posts: Sequence[Phrase]) -> list[Phrase]:
    """Phrases behind a noun: several with "with" become one, "with a V8 engine and a sunroof", and
    so do two of what was done to it, "tagged with Jazz and liked by Ann"."""
    having = [rest for post in posts if (rest := _without(post)) is not None]
    if _is_contrast(posts, len(having)):
        return [Listing(tuple(posts), "but")]
    if len(having) < 2:
        done = sorted((post for post in posts if _is_done(post)), key=_is_long)
        if len(posts) == len(done) == 2 and not _is_long(done[0]):
            return [Listing(tuple(done), "and")]
        return list(posts)
    both = Listing((Text("with"), Listing(tuple(having), "and")), "\0")
    others = [post for post in posts if _without(post) is None]
    brief = [post for post in others if isinstance(post, Text) or _is_where(post)]
    return [*brief, both, *(post for post in others if post not in brief)]  # "from 2023 with …"


def _is_contrast(posts: Sequence[Phrase], having: int) -> bool:
    """Whether "but" stands between two phrases, of which `having` begin with "with"."""
    if len(posts) != 2 or not isinstance(posts[0], Text):
        return False
    match posts[1]:
        case Listing((Text("without"), _), "\0") if having == 1:
            return True  # "with two bedrooms but without bookings"
    return _first_words(posts[1]) == "not"  # "built after 2008 but not built by Ann"


def _is_done(post: Phrase) -> bool:
    """Whether a phrase says by a participle what was done, and with whom: "liked by Ann"."""
    match post:
        case Listing((Text(words), Listing()), "\0"):
            return is_participle(words.rpartition(" ")[0] or words)
        case Text(words):  # "ending in March and starting after May"
            return words.partition(" ")[0].endswith("ing")
    return False


def _is_where(post: Phrase) -> bool:
    """Whether a phrase says of what place or group something is, and no more of that."""
    return _first_words(post) in ("at", "from", "in") and not _is_long(post)


def _is_long(post: Phrase) -> bool:
    """Whether more is said of what the phrase ends with, which another phrase would go on with."""
    match post:
        case Listing((_, Listing((NP(post=(), relative=()),), "\0")), "\0"):
            return False
    return True


def _without(post: Phrase) -> Phrase | None:
    """What stands behind "with"; None where it begins otherwise."""
    match post:
        case Text(words) if words.startswith("with ") and " or " not in words:
            return replace(post, words=words.removeprefix("with "))
        case Listing((Text("with"), rest), "\0", atoms) if isinstance(rest, Listing):
            return Listing(rest.parts, rest.last, (*rest.atoms, *atoms))
    return None


def another(np: NP, apart: Apart) -> NP:
    """The noun phrase of another one, or of others."""
    if np.det == "a" and not np.many:
        return replace(np, det="another", atoms=(*np.atoms, apart))
    return replace(np, pre=(Text("other", (apart,)), *np.pre))


def _turn(phrase: Phrase) -> int:
    """When a phrase behind a noun has its turn: what or where it is, what it has or was done, what
    is not so, what goes on, and last a clause: "over 30 with a car not from Lyon"."""
    if not isinstance(phrase, Text):
        if _first_words(phrase) == "of" and not _is_long(phrase):
            return -1  # "inspections of full plots after 1 May"
        return 0 if _is_where(phrase) else 3
    first = phrase.words.partition(" ")[0]
    if first in ("who", "that"):
        return 4
    if first == "not" or " other than " in phrase.words:
        return 2
    return int(first == "with" or _is_doing(phrase))


def _briefly(posts: list[Phrase]) -> list[Phrase]:
    """Phrases behind a noun, where one says what is lacking, of which a clause would be said: sites
    "opened after 1940 without any plots", not "without any plots that opened after 1940"."""
    if not any(_first_words(post) == "without" for post in posts):
        return posts
    return [_brief(post) if isinstance(post, Text) else post for post in posts]


def _outside(posts: list[Phrase]) -> list[Phrase]:
    """Phrases behind a noun, where one says where things are not, and another goes on, of which
    "not" would be said as well: "from outside Toledo with at least three matters"."""
    if not any(isinstance(post, Listing) for post in posts):
        return posts
    return [_elsewhere(post) if isinstance(post, Text) else post for post in posts]


def _elsewhere(post: Text) -> Text:
    for no, outside in _NOT_WHERE.items():
        place = post.words.removeprefix(no)
        if place != post.words and place[:1].isupper() and " or " not in place:
            return replace(post, words=f"{outside}{place}")
    return post


_NOT_WHERE = {"not from ": "from outside ", "not in ": "outside "}


def _brief(post: Text) -> Text:
    that, _, rest = post.words.partition(" ")
    done = rest.partition(" ")[0]
    openly = that == "that" and done in _SET_UP
    return replace(post, words=rest) if openly else post


_SET_UP = frozenset({"closed", "launched", "opened", "started"})  # of what is done to it as well


def _is_proper(phrase: Phrase) -> bool:
    return isinstance(phrase, Text) and phrase.words[:1].isupper()


def placed(base: NP, chosen: tuple[Option, ...], deep: bool) -> NP | None:
    """The noun phrase with its restrictions in their places; None where there is no room."""
    pre, post, relative, head = (
        [option.phrase for option in chosen if option.place == place]
        for place in ("pre", "post", "rel", "head")
    )
    if len(pre) > 2 or len(merged(post)) > 2 or len(relative) > (0 if deep else 2) or len(head) > 1:
        return None
    before = _before(base.one, sorted(pre, key=_is_proper))  # "blue Polo cars"
    if before is None:
        return None
    post = _outside(_briefly(post))
    behind = merged(sorted(post, key=_turn))
    clauses = tuple(c for c in relative if isinstance(c, Clause))
    np = replace(base, pre=(*base.pre, *before), post=(*base.post, *behind), relative=clauses)
    np = _of_sex(np, before) if base.one == "person" else np
    if not (head and isinstance(head[0], Text)):
        return np
    word = head[0].words
    return None if base.atoms else _called(np, word, head[0].atoms)


def _before(noun: str, pre: list[Phrase]) -> list[Phrase] | None:
    """What stands before a noun, no word twice; None where that is no English."""
    nearest = pre[-1] if pre else None
    if not isinstance(nearest, Text):
        return pre
    kind, _, last = nearest.words.rpartition(" ")
    if kind and last == noun.partition(" ")[0]:
        # "car loan agreements", not "car loan loan agreements"
        nearest = replace(nearest, words=kind)
    elif " " in noun and noun == noun.lower() and not is_adjective(last):
        return None  # "tractor farm machines"
    if last.islower() and is_plural(last) and last not in word_set("modifiers"):
        return None  # "oils products"
    return [*pre[:-1], nearest]


def _of_sex(np: NP, before: list[Phrase]) -> NP:
    """ "men", not "male people"."""
    for sex in before:
        if isinstance(sex, Text) and sex.words in _SEXES:
            rest = tuple(phrase for phrase in np.pre if phrase is not sex)
            return _called(replace(np, pre=rest), _SEXES[sex.words], (*np.atoms, *sex.atoms))
    return np


def _called(np: NP, noun: str, atoms: tuple[Atom, ...]) -> NP:
    return replace(np, one=noun, several=plural(noun), atoms=atoms)
