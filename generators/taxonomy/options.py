"""Which options of a relation go together.

Two that say the same, or of which one would leave nothing of the other, are refused where they are
read: what a domain says is in what is drawn, or is told to be impossible.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from graphmill.errors import GraphmillError

# What of two things of one kind is there first, by the type of their relation.
OLDER_FIRST = re.compile(
    r"PARENT_OF|REFERRED|INVITED|RECOMMENDED|MENTORS|MENTORED|SUPERVISED|SUPERVISES|INFECTED"
)
YOUNGER_FIRST = re.compile(
    r"DAUGHTER_OF|ANSWERS|REPLY_TO|CITES|REQUIRES|SPLIT_FROM|MADE_FROM_BATCH|REFERRED_BY|TRAINED_BY"
    r"|RECRUITED_BY|SUPERVISED_BY|DUPLICATE_OF"
)

SEVERAL = frozenset({"order", "match", "fits", "via"})  # the others are there once
_SOURCES = ("n:1", "n:1?")
_TARGETS = ("1:n", "1:n?")
_PAIRS = ("1:1", "1:1?")
_ONE_SIDE = (*_SOURCES, *_TARGETS, *_PAIRS)
CARDINALITIES = ("n:m", *_ONE_SIDE)
# What a relation is, beside its options.
_ITSELF, _OTHERS = "a relation of a type to itself", "a relation of two types"
_ACYCLIC, _ORDERS = "role hierarchy or chain", "several orders"
_NO_CHAIN, _UNORDERED = "1:1 that is no chain", "ends of which none is there first"
_ONE_TYPE = "1:1 of one type"
_TRAITS = frozenset({_ONE_TYPE, _ITSELF, _OTHERS, _ACYCLIC, _ORDERS, _NO_CHAIN, _UNORDERED})

_BOTH_WAYS = "it says something of the two directions, and such edges have the same rules in both"
_WHEN = "the begin of the many follows from the one, for each of them"
_NEXT = "those that come next are joined; write n:1"
_CONFLICTS: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    (
        ("n:m",),
        ("during", "later", "alone", "only", "home", "seat"),
        "no end has only one; write n:1 or 1:n",
    ),
    (_SOURCES, ("out",), "each source has one"),
    (_TARGETS, ("in",), "each target has one"),
    (_PAIRS, ("out", "in", "alone", "once"), "both ends have one"),
    (_PAIRS, ("fits", "via", "apart", "home", "seat", "within", _ORDERS), _NEXT),
    (("match",), (_NO_CHAIN,), _NEXT),
    (("only",), (_ONE_TYPE,), "it is said of one of two types"),
    (("within",), (_UNORDERED,), "it is the distance of an order; write one"),
    (
        _ONE_SIDE,
        ("symmetric", "reciprocal", "oneway", "node"),
        "both ends have many there; write n:m",
    ),
    (
        ("symmetric",),
        ("reciprocal", "order", "within", "apart", "once", _ACYCLIC, "node"),
        _BOTH_WAYS,
    ),
    (("symmetric", "reciprocal", "oneway"), (_OTHERS,), "an edge back would join other types"),
    (("oneway",), ("symmetric", "reciprocal", _ACYCLIC), "both speak of edges back"),
    (
        ("reciprocal",),
        ("order", "within", "match", "fits", "via", "apart", "once", _ACYCLIC, "node"),
        "an edge back would break it",
    ),
    (("during",), ("later",), "both say when the many begin"),
    (("during", "later"), ("order", "within", "anytime"), f"{_WHEN}; say it with one of them"),
    (
        ("during", "later"),
        ("alone", "apart", "once"),
        f"{_WHEN}, and some would be left without an edge",
    ),
    (("during", "later"), (_ITSELF,), "a chain may have no begin; write an order and within"),
    (("apart",), (_ITSELF,), "it speaks of relations of two types"),
    (("anytime",), ("order", "within"), "there is no order of time, or there is one"),
    (("home", "seat"), ("only", "match"), "both say which ones are chosen"),
    (("home",), ("via", "seat"), "both say which ones are chosen"),
    (
        ("node",),
        ("only", "home", "alone", "once", "apart", _ACYCLIC),
        "its two edges have other ends",
    ),
    ((_ACYCLIC,), (_ORDERS,), "what has no cycles is in one order"),
)


class OptionsError(GraphmillError):
    """Options of a relation that do not go together."""


def check_together(words: Sequence[str], role: str, kind: str, *, itself: bool) -> None:
    """Look through the options of a relation of the type `kind`, by their first words; `itself`:
    its ends are of one type.

    Raises:
        OptionsError: one is there twice, or two do not go together; the message says why.
    """
    many = [word for word in words if word in CARDINALITIES]
    if len(many) > 1:
        raise OptionsError(f"'{many[0]}' and '{many[1]}' both say how many there are; keep one.")
    for word, times in Counter(words).items():
        if times > 1 and word not in SEVERAL:
            raise OptionsError(f"The option '{word}' is there twice; keep one.")
    there = {*words, *_traits(words, role, kind, itself=itself)}
    for one, other, because in conflicts(there):
        both = " Keep one of them." if other not in _TRAITS else ""
        other = other if other in _TRAITS else f"'{other}'"
        raise OptionsError(f"'{one}' and {other} do not go together: {because}.{both}")


def conflicts(there: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """Pairs of what is there that do not go together, and why."""
    for ones, others, because in _CONFLICTS:
        for one in ones:
            for other in others:
                if one in there and other in there:
                    yield one, other, because


def _traits(words: Sequence[str], role: str, kind: str, *, itself: bool) -> Iterator[str]:
    """What a relation is, beside its options."""
    yield _ITSELF if itself else _OTHERS
    acyclic = itself and role in ("hierarchy", "chain")
    if acyclic:
        yield _ACYCLIC
    if set(words) & set(_PAIRS):
        if not acyclic:
            yield _NO_CHAIN
        if itself:
            yield _ONE_TYPE
    many = not set(words) & set(_ONE_SIDE)
    if many:
        yield "n:m"
    ordered = OLDER_FIRST.fullmatch(kind) or YOUNGER_FIRST.fullmatch(kind)
    onward = role == "chain" and "match" not in words
    if "order" not in words and (not (ordered or onward) if itself else many):
        yield _UNORDERED
    if words.count("order") > 1:
        yield _ORDERS
