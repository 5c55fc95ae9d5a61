"""Pieces that fillings of slots have in common."""

from __future__ import annotations

import re
from dataclasses import replace

from generators.questions.author import NoWording
from generators.questions.goals.model import (
    Atom,
    Column,
    Figure,
    Thing,
    Year,
)
from generators.questions.lexicon.derive.data import kind_of
from generators.questions.lexicon.derive.links import STATES
from generators.questions.lexicon.model import MOMENTS, Lexicon, Property, Role, Tense, ThingKind
from generators.questions.lexicon.model import Phrase as PathPhrase
from generators.questions.lexicon.model import Thing as ThingWords
from generators.questions.phrases.tree import NP, Clause, Listing, Phrase, Text
from generators.questions.realise.conditions.options import Option
from graphmill.english.inflection import is_plural, plural
from graphmill.english.lists import word_set
from graphmill.english.verbs import by_base, by_past

type Slots = dict[str, Phrase]

_LARGER = ("area", "capacity", "population", "size", "surface", "volume")
_LONGER = (
    *("distance", "duration", "life", "lifespan", "mileage", "period", "runtime", "term"),
    *("terms", "wait", "time", "delay", "downtime", "gap", "interval"),
)
_MORE = dict.fromkeys(_LARGER, ("larger", "smaller"))
_MORE |= dict.fromkeys(_LONGER, ("longer", "shorter"))
_MORE |= {"length": ("greater", "smaller")}  # no length is long


def grown(noun: str) -> tuple[str, str]:
    """The adjectives of more and of less: a longer distance, a larger area."""
    head = re.split(" (?:from|in|to) ", noun, maxsplit=1)[0].rpartition(" ")[2]  # the time to fix
    return _MORE.get(head, ("higher", "lower"))


def is_lasting(noun: str) -> bool:
    """Whether an amount is longer and shorter, and not above or below another."""
    return grown(noun)[0] == "longer"


def farthest(measure: str, *, most: bool) -> str:
    """Which of figures of a measure are the most or the least: the longest average time."""
    ends = ("longest", "shortest") if is_lasting(measure) else ("highest", "lowest")
    return ends[not most]


def is_vague(lexicon: Lexicon, owner: str, key: str, word: str) -> bool:
    """Whether a word of size, "larger than", leaves open of what a thing has more: one with other
    amounts, or with a capacity."""
    if word.partition(" ")[0] not in ("larger", "largest", "smaller", "smallest"):
        return False
    words = lexicon.properties.get(owner, {})
    others = (each for name, each in words.items() if name != key and not each.hidden)
    held = key in words and words[key].noun.rpartition(" ")[2] in ("capacity", "volume")
    return held or any(each.kind in _MEASURED for each in others)


_MEASURED = frozenset({Role.COUNT, Role.MEASURE, Role.MONEY})
EXTREME = frozenset({"high", "low", "maximum", "minimum", "max", "min"})  # nouns that begin so
NTH = frozenset({"first", "last", "next", "previous"})  # of what has one such already
SORTED = frozenset(
    {"type", "kind", "category", "class", "sex", "gender", "setting", "size", "status"}
)
AVERAGES = {"avg": "average", "sum": "total", "min": "lowest", "max": "highest"}
BOUNDS = {
    ">": "more than {}",
    ">=": "at least {}",
    "<": "less than {}",
    "<=": "at most {}",
    "=": "exactly {}",
}


def amount_of(words: Property) -> str:
    """The noun of one value: the "number of employees" of a firm, whose column says "employees"."""
    counted = words.kind is Role.COUNT and is_plural(words.noun)
    return f"number of {words.noun}" if counted else words.noun


def of_owner(noun: str, owner: str) -> str:
    """The noun of a property without the words that its owner says already.

    >>> of_owner("payment number", "payment"), of_owner("permit number", "felling permit")
    ('number', 'number')
    >>> of_owner("batch number", "vaccination"), of_owner("number", "payment")
    ('batch number', 'number')
    """
    what, _, last = noun.rpartition(" ")
    return last if what and f" {owner}".endswith(f" {what}") else noun


_GIVEN = frozenset(
    {
        *("awarded", "billed", "charged", "claimed", "collected", "donated", "earned", "invoiced"),
        *("owed", "paid", "quoted", "raised", "received", "refunded"),
    }
)  # what is done with an amount, which is said behind it
_AMOUNTS = word_set("sums") | {"amount", "bill", "charge", "fine", "salary", "tax"}


def given_last(noun: str) -> str:
    """The noun of an amount with what was done with it behind it: "fee paid", not "paid fee"."""
    done, _, rest = noun.partition(" ")
    return f"{rest} {done}" if done in _GIVEN and rest in _AMOUNTS else noun


def is_given(noun: str) -> bool:
    """Whether an amount is one that was given or taken: a fee paid, the refunds paid."""
    return given_last(noun) != noun or noun.partition(" by ")[0].rpartition(" ")[2] in _GIVEN


def is_its_own(words: Property, owner: ThingWords | None) -> bool:
    """Whether a measure is of the thing itself, which has an above-average one: its size, not that
    of a household, what somebody paid for it, or what is hoped for."""
    first, *_ = before = words.noun.partition(" per ")[0].split()
    head, noun = before.pop(), owner.noun.singular if owner is not None and owner.noun else ""
    who = owner is not None and owner.kind in (ThingKind.PERSON, ThingKind.ORGANISATION)
    earned = head in _EARNED and (not before or first in _YEARLY) and not who
    others = any(_is_somebody(word) for word in {*before} - {*noun.split()})
    others = others and head not in _PAID  # the member price of a product
    return not (earned or others or head in _HOPED or " paid by " in words.noun)


_PAID = frozenset({"amount", "charge", "cost", "fare", "fee", "price", "rate"})
_EARNED = frozenset({"earnings", "income", "pay", "salary", "wage"})
_YEARLY = frozenset({"annual", "gross", "monthly", "net", "yearly"})
_HOPED = frozenset({"aim", "confidence", "goal", "probability", "target"})


def _is_somebody(word: str) -> bool:
    return kind_of(word) == (ThingKind.PERSON, "kind-noun") or word in ("family", "household")


def parts_well(np: NP) -> bool:
    """Whether the verb may stand between the head and what restricts it: "how many books are there
    with …", but not "how many phones are there of …"."""
    first = np.post[0] if np.post else None
    if isinstance(first, Text):
        return not first.words.startswith("of ")
    return not isinstance(first, Listing) or not first.parts or first.parts[0] != Text("of")


def counted_noun(words: Property) -> str:
    """What a number counts: "sheets" for "number of sheets"."""
    return words.noun.removeprefix("number of ")


def extremes(words: Property) -> tuple[str, str]:
    """The adjectives of the highest and the lowest value: "largest" areas, "latest" dates."""
    if words.kind in MOMENTS:
        return "latest", "earliest"
    sized = words.most in _SIZES and not words.noun.startswith("number of ")
    if sized and words.noun.rpartition(" ")[2] != "length":
        return words.most, _SIZES[words.most]
    more, less = grown(words.noun)
    return f"{more.removesuffix('r')}st", f"{less.removesuffix('r')}st"


_SIZES = {"largest": "smallest", "longest": "shortest", "biggest": "smallest"}


def extreme(words: Property, *, most: bool, many: bool = False) -> str:
    """ "highest price", "latest date", "fewest points"."""
    if words.noun.split()[0] in EXTREME or not NTH.isdisjoint(words.noun.split()):
        raise NoWording("the highest of the highest", "Nobody asks for the most maximum players.")
    if words.kind is Role.COUNT and is_plural(counted := counted_noun(words)):
        return f"{'most' if most else 'fewest'} {counted}"
    if words.kind is Role.YEAR and words.equal == "of {}":
        raise NoWording("the latest of years", "Many crops are of the latest year.")
    if words.kind is Role.RANK:
        raise NoWording("the highest of ranks", "The highest rank is the lowest number.")
    kind = extremes(words)
    noun = words.plural or plural(words.noun) if many else words.noun
    return f"{kind[0] if most else kind[1]} {noun}"


def superlative_of(words: Property, *, most: bool) -> str:
    """The word for what has the most or the least: "oldest", "latest", "most recently raised"; ""
    for none."""
    known = words.most if most else words.least
    done = words.verb.be if words.verb is not None and words.verb.tense is Tense.PAST else ""
    if known or not most or words.kind not in MOMENTS or not _is_deed(done):
        return known
    return f"most recently {done}"


def _is_deed(done: str) -> bool:
    """Whether a participle says what is done with a thing, and not what it does; no permit is
    "applied", nobody is "qualified"."""
    verb = by_past(done)
    return verb is not None and not verb.active


def done_by(words: Property) -> Clause | None:
    """What somebody does whose name a column has: directors direct what is "directed by {}"."""
    first, _, rest = words.equal.partition(" ")
    verb = by_past(first) if rest == "by {}" else None
    if verb is None:
        return None
    return Clause(verb=verb.base, tense=Tense.PRESENT if verb.base in STATES else Tense.PAST)


def done_at_end(words: Property, *, most: bool) -> Clause | None:
    """What was done last, or first, of what has the latest or the earliest moment: "was loaded
    first", "started most recently"; None where no verb says when, or its own word is shorter."""
    verb = words.verb
    if words.kind not in MOMENTS or verb is None or superlative_of(words, most=most):
        return None
    first, *_ = (verb.be or verb.verb).split()
    if first in NTH or verb.particle or (verb.be and not _is_deed(first)):
        return None
    latest = "most recently" if verb.tense is Tense.PAST else "last"
    when = latest if most else "first"
    if verb.be:
        return Clause(be=f"{verb.be} {when}", tense=verb.tense)
    return Clause(verb=verb.verb, tense=verb.tense, tail=(Text(when),))


def done_behind(np: NP, done: Clause) -> NP | None:
    """The noun phrase with what was done last or first with it: "the wheels loaded first", "the
    rental signed by Ann that started last"."""
    if done.be and not np.post and not np.relative:
        return with_option(np, Option("post", Text(done.be, done.atoms)))
    return None if np.relative else with_option(np, Option("rel", done))


ABOVE = {">": "above", ">=": "at or above", "<": "below", "<=": "at or below"}


def replace_focus(focus: Thing) -> Thing:
    """The thing without the comparison that is said elsewhere."""
    return Thing(focus.type, focus.entity, focus.name, focus.tests, focus.relations)


def also(phrase: Phrase, *atoms: Atom) -> Phrase:
    """The phrase with more atoms; those it has already stay once."""
    assert isinstance(phrase, Clause | Listing | Text | NP)  # noqa: S101
    have = {id(atom) for atom in phrase.atoms}
    return replace(phrase, atoms=(*phrase.atoms, *(a for a in atoms if id(a) not in have)))


def verb_slot(name: str, phrase: Phrase) -> str:
    """The slot of a verb: another one where it has a subject of its own."""
    return f"{name}T" if isinstance(phrase, Clause) and phrase.subject is not None else name


def one_of(np: NP, joiner: str) -> NP:
    """The second of a kind: "and one with …", "and a blue one", "but none with …"."""
    if joiner == "and":
        return replace(np, one="one", det="a" if np.pre else "")
    if np.pre:
        return replace(np, one="one", det="no")
    return replace(np, one="none", det="")


def with_option(np: NP, option: Option) -> NP | None:
    """The noun phrase with one more restriction behind it."""
    if option.place == "post":
        return replace(np, post=(*np.post, option.phrase)) if len(np.post) < 2 else None
    if option.place == "rel" and isinstance(option.phrase, Clause) and len(np.relative) < 2:
        clauses = (*np.relative, option.phrase)  # "whose price is … and whose size is …"
        alike = len(clauses) == 1 or all(clause.whose is not None for clause in clauses)
        return replace(np, relative=clauses) if alike else None
    if option.place == "pre":
        return replace(np, pre=(*np.pre, option.phrase)) if len(np.pre) < 2 else None
    return None


_HAPPENING = frozenset({ThingKind.EVENT, ThingKind.TRANSACTION, ThingKind.DOCUMENT})


def is_happening(lexicon: Lexicon, owner: str) -> bool:
    """Whether things of a type are at a time, so that a year needs no name."""
    thing = lexicon.thing(owner)
    return thing is not None and thing.kind in _HAPPENING


def only_moment(lexicon: Lexicon, of: Year | Figure | Column) -> bool:
    """Whether the thing has one moment, so that its year, and which is its latest, need no name."""
    return is_happening(lexicon, of.owner) and is_single_moment(lexicon, of)


def is_single_moment(lexicon: Lexicon, of: Year | Figure | Column) -> bool:
    """Whether nothing else of the thing is a moment, also of what has no sure words."""
    if not lexicon.left_out.get(of.owner, frozenset()).isdisjoint(MOMENTS):
        return False
    moments = [
        name
        for name, words in lexicon.properties.get(of.owner, {}).items()
        if words.kind in MOMENTS and not words.hidden
    ]
    return moments == [of.key]


def is_only_date(lexicon: Lexicon, of: Column, words: Property) -> bool:
    """Whether what is recorded has one day, on which something was done, so that the latest of them
    are the latest by that."""
    thing, verb = lexicon.thing(of.owner), words.verb
    kept = thing is not None and thing.kind in _HAPPENING | {ThingKind.RECORD}
    day = words.kind is Role.DATE and verb is not None and verb.tense is Tense.PAST
    return kept and day and is_single_moment(lexicon, of)


def is_main(lexicon: Lexicon, of: Year, words: Property) -> bool:
    """Whether it is when a thing happens, so that its year needs no name."""
    return only_moment(lexicon, of) or words.noun in ("date", "time")


def is_amount_of(noun: str, words: Property) -> bool:
    """Whether a thing is the amount that a property says: the amount of a payment, of a fine."""
    return words.noun == "amount" and noun.rpartition(" ")[2] in word_set("paid_things")


def of_what(own: str, noun: str) -> str:
    """A general noun with what it is of.

    >>> of_what("plan payment", "method"), of_what("product", "group"), of_what("group", "group")
    ('payment method', 'product group', 'group')
    """
    last = own.rpartition(" ")[2]
    return f"{last} {noun}" if last != noun else noun


def can_be_asked_back(clause: Clause) -> bool:
    """Whether "how many does each …" says the clause again without its object: "work in", "report
    to", "how many was each found on"."""
    plain = not clause.tail and clause.whose is None and not clause.negated
    plain = plain and clause.particle != "as" and clause.tense is not Tense.PERFECT
    return bool(clause.verb or (clause.be and clause.particle)) and plain


def short_clause(clause: Clause) -> Phrase | None:
    """A clause without its verb: "with …" for what a thing has, and comparatives."""
    if clause.negated or clause.whose is not None or clause.subject is not None:
        return None
    if clause.verb == "have" and not clause.particle and clause.object is not None:
        return Listing((Text("with"), clause.object, *clause.tail), "\0", clause.atoms)
    if " than" in clause.be and not clause.particle:
        parts = (Text(clause.be), *((clause.object,) if clause.object is not None else ()))
        return Listing((*parts, *clause.tail), "\0", clause.atoms)
    return None


def has_with(head: NP) -> bool:
    """Whether what stands behind a noun begins with "with" already."""
    leads = (post.parts[0] if isinstance(post, Listing) else post for post in head.post)
    return any(isinstance(lead, Text) and lead.words.startswith("with") for lead in leads)


def ends_loosely(head: NP) -> bool:
    """Whether "and their orders" behind it could be said of what it ends with."""
    return bool(head.relative) or any(isinstance(post, Listing) for post in head.post)


def each_of_them(head: NP, *, who: bool) -> NP:
    """What stands for one of those that were said: "each", or the only one by its pronoun."""
    word = "each" if head.many else "they" if who else "it"
    return NP(word, word, many=not head.many and who)


def sole_holder(chosen: NP) -> NP:
    """Who has a role has it alone: a manager is "one of the two best teachers", or "a teacher"."""
    if not chosen.many:
        return chosen
    if not chosen.det:
        return replace(chosen, many=False, det="a")
    several = Listing((Text("of"), chosen), "\0")
    return NP("one", "one", det="", post=(several,), who=chosen.who)


def numbered(np: NP) -> NP:
    """The phrase with its number named where an adjective would be taken for a superlative: "the
    highest number of cancelled orders", not "the most cancelled orders"."""
    first = np.pre[0] if np.pre else None
    if np.det != "the most" or not isinstance(first, Text) or first.words == "other":
        return np
    return replace(np, det="the highest number of") if first.words[:1].islower() else np


def asked_when(verb: PathPhrase | None, event: NP) -> Slots:
    """ "When was their latest order placed?", and "when did it …"."""
    done_by = (verb.be or verb.verb) if verb is not None else ""
    same = by_past(done_by) if verb is not None and verb.be else None
    last = event.one.rpartition(" ")[2]
    if last.endswith("ing") or (same is not None and same.base == last):
        done_by = ""  # "latest order", not "latest order ordered"
    aux = "did" if verb is not None and verb.verb else "was"
    return {"AUX": Text(aux), "EL": event, "DONE": Text(done_by)}


def done_once(verb: PathPhrase | None) -> str:
    """What was done at a moment: "was hired", "began"; "" where that is not known."""
    if verb is None or verb.tense is not Tense.PAST:
        return ""
    if verb.be:
        return f"was {verb.be}"
    past = by_base(verb.verb) if verb.verb else None
    return past.past if past is not None else ""
