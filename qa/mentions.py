"""Whether a text speaks of a name of the schema: words, stems, and other words for the same.

Nothing here knows who wrote the text. It is lenient: a name counts as said where its words, a form
of them, or the words that the graph brings for it are found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from schemagraph.naming import singular, words

_WORD = re.compile(r"[^\W_]+(?:['’]s)?")
_QUOTED = re.compile(r'"[^"]*"')
_ENDING_WORDS = """
ization isation ational ments ment ations ation ings ing ions ion ies ied ers ors er or ed es s e y
"""
# Forms that share no stem with their verb.
_IRREGULAR_WORDS = """
ate:eat began:begin begun:begin bore:bear born:bear borne:bear bought:buy broke:break
broken:break brought:bring built:build came:come caught:catch chose:choose chosen:choose
dealt:deal did:do done:do drew:draw drawn:draw driven:drive drove:drive fed:feed
fell:fall fallen:fall felt:feel flew:fly flown:fly fought:fight found:find gave:give given:give
gone:go got:get grew:grow grown:grow had:have has:have heard:hear held:hold kept:keep
knew:know known:know laid:lay led:lead left:leave lent:lend lost:lose made:make meant:mean
met:meet paid:pay payer:pay ran:run rode:ride ridden:ride said:say sang:sing sat:sit saw:see
seen:see sent:send sold:sell shown:show shot:shoot slept:sleep spent:spend spoke:speak
spoken:speak stolen:steal stood:stand sung:sing taken:take took:take taught:teach
thought:think threw:throw thrown:throw told:tell understood:understand went:go won:win wore:wear
worn:wear written:write wrote:write sale:sell death:die dead:die
"""
# Short forms in names.
_SHORT_WORDS = """
acct:account addr:address amt:amount avg:average cust:customer dept:department desc:description
dest:destination dist:distance dst:destination emp:employee lang:language lat:latitude
lng:longitude loc:location lon:longitude no:number max:maximum mgr:manager min:minimum
org:organisation
pct:percentage prof:professor qty:quantity rep:representative src:source tel:telephone
temp:temperature yr:year
"""
_EMPTY_WORDS = """
a an and are as at be been by for from has have in into is it its of on or that the their to
was were which who with id key code number type kind
"""
_ENDINGS = tuple(_ENDING_WORDS.split())
_IRREGULAR = dict(pair.split(":") for pair in (_IRREGULAR_WORDS + _SHORT_WORDS).split())
_EMPTY = frozenset(_EMPTY_WORDS.split())


@dataclass(frozen=True, slots=True)
class Spoken:
    """Other words for names: of node labels, of edges by label or type, of (owner, property)."""

    nodes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    edges: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    properties: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)


@cache
def stem(word: str) -> str:
    """What forms of a word share.

    >>> [stem(w) for w in ("written", "wrote", "transfers", "transferred", "cities", "payment")]
    ['writ', 'writ', 'transf', 'transf', 'cit', 'pay']
    >>> stem("sale") == stem("sales") == stem("sold")
    True
    """
    low = word.casefold().removesuffix("'s").removesuffix("’s")
    low = _IRREGULAR.get(low, low)
    low = re.sub("men$", "man", re.sub("people$", "person", singular(low).casefold()))
    low = _IRREGULAR.get(low, low)
    for ending in _ENDINGS:
        spoken_y = ending == "y" and low[-2:-1] in "aeiou"  # play
        if low.endswith(ending) and len(low) - len(ending) >= 3 and not spoken_y:
            low = low[: -len(ending)]
            if low[-1] == low[-2] and low[-1] not in "aeiousl":
                low = low[:-1]
            break
    return low.removesuffix("er") if len(low) > 5 else low


def stems(text: str, *, values: bool = False) -> frozenset[str]:
    """The stems of a text, of what stands in quotation marks only with `values`."""
    plain = text if values else _QUOTED.sub(" ", text)
    return frozenset(stem(word) for word in _WORD.findall(plain.replace("“", " ")))


@cache
def content(name: str) -> tuple[str, ...]:
    """The words of a name that carry meaning.

    >>> content("HAS_BIRTH_CITY"), content("orderDate")
    (('birth', 'city'), ('order', 'date'))
    """
    return tuple(w.lower() for w in words(name) if w.lower() not in _EMPTY)


def has_word(word: str, known: frozenset[str]) -> bool:
    """Whether a word, in some form, is among the stems of a text."""
    one = stem(word)
    if one in known:
        return True
    return len(one) >= 4 and any(
        other.startswith(one) or (len(other) >= 4 and one.startswith(other)) for other in known
    )


def mentions(name: str, known: frozenset[str], others: Iterable[str] = ()) -> bool:
    """Whether all words of a name, or of another name for the same, are in a text."""
    for each in (name, *others):
        name_words = content(each) or tuple(word.lower() for word in words(each))
        if name_words and all(has_word(word, known) for word in name_words):
            return True
    return False


def touched(name: str, known: frozenset[str], others: Iterable[str] = ()) -> bool:
    """Whether a text has at least one word of a name, or of another name for the same."""
    return any(has_word(word, known) for each in (name, *others) for word in content(each))
