"""Words for links that are more than one edge one way: several steps, the shortest, either way."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from generators.questions.author import NotExpressible
from generators.questions.lexicon.nouns import spoken
from generators.questions.lexicon.relations import EdgeWords, Predicate
from graph_ir import nodes as ir
from graphmill.english.inflection import a, cardinal, plural
from graphmill.english.lists import word_set
from graphmill.english.verbs import by_base, by_past, by_third

_WHICH = re.compile(r"\b(which|whom)\b")


def chain(hops: ir.Hops, edge: ir.EdgePattern, words: EdgeWords, *, loops: bool) -> EdgeWords:
    """Variable length: "cites, over one to three steps, {}"."""
    if hops.hi is None:
        many = f"{cardinal(hops.lo)} or more steps"
    elif hops.lo == hops.hi:
        many = f"exactly {cardinal(hops.lo)} step{'' if hops.lo == 1 else 's'}"
    else:
        many = f"{cardinal(hops.lo)} to {cardinal(hops.hi)} steps"
    return _along(f"over {many}", edge, words, loops=loops)


def _along(way: str, edge: ir.EdgePattern, words: EdgeWords, *, loops: bool = True) -> EdgeWords:
    """A link of several steps: the verb with the way in it, or the names of the steps.

    Only what links things of one type (`loops`) says the same at each step in either direction.
    """
    both = edge.direction is ir.Direction.BOTH
    if both:
        way += " in either direction"
    if edge.types is not None and (loops or not both):
        front = words.forward if not words.forward.relative else words.backward
        back = front if both else words.backward
        if all(p.relative or p.singular.endswith(" {}") for p in (front, back)):
            said = [
                Predicate("", "", _WHICH.sub(rf"\1, {way},", p.relative, count=1))
                if p.relative
                else Predicate(*(_before_end(t, way) for t in (p.singular, p.plural)))
                for p in (front, back)
            ]
            return EdgeWords(said[0], said[1], noun=words.noun)
    steps = _steps(edge, words)
    by = steps.replace("chain", "a chain", 1)
    if both:
        there = Predicate(f"is connected, {way}{by}, to {{}}", f"are connected, {way}{by}, to {{}}")
        return EdgeWords(there, there, noun=words.noun)
    if steps:
        through = steps.removeprefix(" through ")
        return EdgeWords(
            Predicate(f"leads, {way}{by}, to {{}}", f"lead, {way}{by}, to {{}}")
            if not words.role
            else Predicate(
                f"has {a(through)} that leads, {way}, to {{}}",
                f"have {a(through)} that leads, {way}, to {{}}",
            ),
            Predicate(
                f"is reached by {a(through)}, {way}, from {{}}",
                f"are reached by {a(through)}, {way}, from {{}}",
            ),
            noun=words.noun,
        )
    return EdgeWords(
        Predicate(f"leads, {way}, to {{}}", f"lead, {way}, to {{}}"),
        Predicate(f"is reached, {way}, from {{}}", f"are reached, {way}, from {{}}"),
        noun=words.noun,
    )


def _before_end(verb: str, way: str) -> str:
    """The way before what the verb leads to: "are linked, over two steps, to {}"."""
    words = verb.removesuffix(" {}").split()
    last = [words.pop()] if len(words) > 1 and words[-1] in word_set("prepositions") else []
    return " ".join([*words[:-1], f"{words[-1]}, {way},", *last, "{}"])


def _steps(edge: ir.EdgePattern, words: EdgeWords) -> str:
    """What the steps are: " through chain of teachers"."""
    if edge.types is None:
        return ""
    first = words.role.partition(" ")[0]
    done = by_past(first) is not None and by_base(first) is None  # installed
    if words.role and by_third(first) is None and not done:
        return f" through chain of {plural(words.role)}"
    return f" through chain of “{words_of(edge.types)}” links"


def told_apart(words: EdgeWords) -> EdgeWords:
    """Words that say the two directions in the same way, made to differ."""
    forward, back = words.forward, words.backward
    if forward.singular != back.singular or forward.relative or "{}" not in forward.singular:
        return words
    said, _, preposition = forward.singular.removesuffix(" {}").rpartition(" ")
    if preposition in word_set("prepositions") and forward.singular.endswith(" {}"):
        clause = "there is {}" if said == "is" else f"{{}} {said}"
        return replace(words, backward=Predicate("", "", f"{preposition} which {clause}"))
    parts = [t.partition(" ") for t in (back.singular, back.plural)]
    texts = [f"{verb}, seen from the other side, {rest}" for verb, _, rest in parts]
    return replace(words, backward=Predicate(texts[0], texts[1]))


def undirected(words: EdgeWords) -> EdgeWords:
    """Either direction: what the one end says of the other, whichever it is."""
    said = words.backward if words.forward.relative else words.forward
    return EdgeWords(said, said, role=words.role, noun=words.noun)


def shortest(edge: ir.EdgePattern, words: EdgeWords) -> EdgeWords:
    """The shortest of the paths: "cites, over the fewest steps (at most six), {}"."""
    hops = edge.hops or ir.Hops()
    most = f" (at most {cardinal(hops.hi)})" if hops.hi is not None else ""
    least = f" (at least {cardinal(hops.lo)})" if hops.lo > 1 else ""
    return _along(f"over the fewest steps possible{most}{least}", edge, words)


def words_of(types: ir.LabelExpr | None) -> str:
    """Edge labels as words, for a quotation."""
    names: Iterable[str] = ()
    match types:
        case ir.LabelName(name):
            names = [name]
        case ir.LabelOr(args) if all(isinstance(arg, ir.LabelName) for arg in args):
            names = [arg.name for arg in args if isinstance(arg, ir.LabelName)]
        case _:
            raise NotExpressible("edge type expression")
    return " or ".join(" ".join(spoken(name)) for name in names)
