"""Goals that nobody would put as a question, by what is listed and how much is said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from generators.questions.author import NoWording
from generators.questions.goals.model import Ask, Relation, Test, Thing
from generators.questions.lexicon.model import Path, ThingKind
from generators.questions.plan.model import Link
from generators.questions.realise.conditions.unasked import is_negative
from generators.questions.realise.links import has_verb
from generators.questions.realise.naming import Naming
from graphmill.english.inflection import is_done
from graphmill.english.lists import word_set

_LISTS = frozenset(
    {
        *("find", "rank", "exception", "absence", "only", "both", "this-not-that", "either"),
        *("tally", "threshold", "rank-by-tally", "best-of-each", "follow-up", "with-or-without"),
    }
)
_PARTED = frozenset({"breakdown", "trend", "count-values", "share", "tally"})
_EDGE = 3  # parts of a path along one edge
_BESIDE = 2  # a chain and one condition
_MOST = 3  # conditions and links of a whole question
_TEN, _DOZEN, _ROUND = 10, 12, 5  # of the first: up to ten, a dozen, or a multiple of five


class Refusals(Naming):
    """Refuses what nobody would ask, in one form."""

    def _refuse(self, ask: Ask) -> None:
        """Stops at a goal that nobody would put as a question.

        Raises:
            NoWording: it is one, or its thing has no noun.
        """
        for is_unasked, construct, reason in self._UNASKED:
            if is_unasked(self, ask):
                raise NoWording(construct, reason)

    def _lists_nameless(self, ask: Ask) -> bool:
        return ask.goal in _LISTS and not self._has_names(ask)

    def _has_bare_lines(self, ask: Ask) -> bool:
        """Whether all that is said is that things have lines or entries: drivers of six heat
        entries, products without order lines."""
        links = (relation for thing in ask.focus.everything() for relation in thing.relations)
        return any(each.other.bare and self.lexicon.is_line(each.other.type) for each in links)

    def _has_too_many_conditions(self, ask: Ask) -> bool:
        further = (ask.relation is not None) + (ask.bound is not None or ask.top is not None)
        return self.form == "contracted" and _is_too_much(ask.focus, further)

    def _heaps_on_chain(self, ask: Ask) -> bool:
        chained = any(each.steps for thing in ask.focus.everything() for each in thing.relations)
        return chained and _load(ask.focus) > _BESIDE

    def _heaps_on_line(self, ask: Ask) -> bool:
        """Whether more than a list of them is asked of all that are above one in a line."""
        listed = ask.goal == "reach" and _load(ask.focus) == 1
        every = (relation for thing in ask.focus.everything() for relation in thing.relations)
        return not listed and any(map(_leads_up, every))

    def _ranks_lacking(self, ask: Ask) -> bool:
        measured = ask.goal in _PARTED and any(figure.key for figure in ask.figures)
        return _lacks(ask) and (measured or ask.goal in ("rank", "rank-by-tally"))

    def _lacks_beside_deeds(self, ask: Ask) -> bool:
        """Whether things lack something and have to do with much else: no repairs, and a hire."""
        links = ask.focus.relations
        lacking = {each.along for each in links if each.how == "no"}
        others = (each for each in links if each.how != "no" and not each.one)
        beside = {each.along for each in others if not each.other.name}
        return bool(lacking) and bool(beside - lacking)

    def _ends_twice(self, ask: Ask) -> bool:
        """Whether of what is open, or over, by its status it is said that its end is missing."""
        return any(self._is_status_of_end(thing) for thing in ask.focus.everything())

    def _is_status_of_end(self, thing: Thing) -> bool:
        tests = [test for test in thing.tests if isinstance(test, Test)]
        words = {id(test): self.lexicon.property(test.owner, test.key) for test in tests}
        nouns = {test.op: each.noun for test in tests if (each := words[id(test)]) is not None}
        states = any(noun.rpartition(" ")[2] in ("state", "status") for noun in nouns.values())
        ends = [noun for op, noun in nouns.items() if op in ("known", "null")]
        lacking = (each for each in thing.relations if each.how == "no" and each.one)
        ends += [self.things.noun(each.other.type).singular for each in lacking]
        return states and any(word_set("last_dates") & {*noun.split()} for noun in ends)

    def _counts_catalogue(self, ask: Ask) -> bool:
        """Whether rows of a catalogue are counted by one of their columns, which would be said of
        those that people have of it: diagnoses, of patients."""
        if ask.goal != "breakdown" or ask.relation is not None or ask.figures[0].key:
            return False
        return ask.focus.bare and any(map(self._is_of_somebody, self._leading_to(ask.focus.type)))

    def _leading_to(self, type: str) -> Iterator[Path]:
        """Paths of one edge to things of a type, each with many of them."""
        for path in self.lexicon.paths.values():
            if len(path.along) == _EDGE and path.along[-1] == type and path.along[1].endswith(">"):
                yield from () if path.pairs_unique else (path,)

    def _is_of_somebody(self, path: Path) -> bool:
        """Whether somebody has what a path leads to, and nothing says that he does with it."""
        here = self.lexicon.thing(path.start)
        alive = here is not None and here.kind in (ThingKind.ANIMAL, ThingKind.PERSON)
        return alive and not has_verb(path)

    def _ranks_those_elsewhere(self, ask: Ask) -> bool:
        """Whether the first few are asked of those that are not so, and have other things."""
        tests = (test for test in ask.focus.tests if isinstance(test, Test))
        no = any(test.op in ("<>", "not in") for test in tests)
        return ask.goal == "rank" and no and bool(ask.focus.relations)

    def _parts_under_conditions(self, ask: Ask) -> bool:
        beside = ask.relation.other if ask.relation is not None else None
        beside = None if beside is ask.focus else beside
        return ask.goal in _PARTED and _load(ask.focus) + _load(beside) > 1

    def _lists_addresses(self, ask: Ask) -> bool:
        noun = self.things.noun(ask.focus.type).singular  # which things of every goal have to have
        shown = ask.named or ask.group
        return ask.goal in _LISTS and not shown and noun in ("address", "location")

    def _shows_several_keys(self, ask: Ask) -> bool:
        if len(ask.named) < 2:
            return False
        thing = self.lexicon.thing(ask.focus.type)
        named = thing is not None and bool({*ask.named} & {*thing.name})
        return not named or any(self._is_reference(ask, key) for key in ask.named)

    def _lists_row_numbers(self, ask: Ask) -> bool:
        return list(ask.named) == ["row_number"] and ask.goal in _LISTS

    def _lists_sorts(self, ask: Ask) -> bool:
        return ask.goal in _LISTS and not ask.named and self._only_sorts(ask)

    def _lists_values_alone(self, ask: Ask) -> bool:
        alone = not (ask.named or ask.focus.name) and any(column.key for column in ask.columns)
        unclear = bool(ask.focus.against) or _lacks(ask) or not ask.distinct
        return ask.goal in _LISTS and alone and unclear

    def _lists_misread(self, ask: Ask) -> bool:
        return ask.goal in _LISTS and self.form != "search" and self._misreads(ask)

    def _shares_statuses(self, ask: Ask) -> bool:
        shared = any(figure.how == "share" for figure in ask.figures)
        return shared and self.things.noun(ask.focus.type).singular.endswith("status")

    def _counts_oddly(self, ask: Ask) -> bool:
        tops = [each.top for each in (ask, ask.second) if each is not None]
        counts = (top.count for top in tops if top is not None)
        return any(n > _TEN and n != _DOZEN and n % _ROUND for n in counts)

    def _is_above_a_debt(self, ask: Ask) -> bool:
        return ask.bound is not None and is_negative(ask.bound)

    def _is_per_itself(self, ask: Ask) -> bool:
        if ask.relation is None:
            return False
        first, *_, last = ask.relation.along
        if first == last:
            path = self.lexicon.path(ask.relation.along)
            phrase = path.forward if path is not None else None
            bare = phrase is None or not (phrase.verb or phrase.be)
            return ask.goal == "figure-of-figures" or (ask.goal == "sequence" and bare)
        nouns = [self.things.noun(type_).singular for type_ in (first, last)]
        what, _, done = max(nouns, key=len).rpartition(" ")
        return ask.goal == "figure-of-figures" and what in nouns and is_done(done)

    # In the order in which they are tried; each with what has no wording and, where it is not
    # that, with the reason.
    _UNASKED: ClassVar[tuple[tuple[Callable[[Refusals, Ask], bool], str, str], ...]] = (
        (_lists_nameless, "a list of numbers", "Nobody wants a list of what has no name."),
        (_has_bare_lines, "a number of lines", "Nobody counts the lines of a document."),
        (_has_too_many_conditions, "more than three conditions", ""),
        (_heaps_on_chain, "a chain beside several conditions", ""),
        (
            _heaps_on_line,
            "a line of one each beside more",
            "Nobody asks more of all that are above one of them than who they are.",
        ),
        (_ranks_lacking, "the most of those that lack something", ""),
        (_lacks_beside_deeds, "no such thing beside another", "They have nothing in common."),
        (_parts_under_conditions, "figures of each, under several conditions", ""),
        (_ends_twice, "a status beside its end", "What is open has no end."),
        (_counts_catalogue, "rows of a catalogue", "They would be those that refer to it."),
        (_ranks_those_elsewhere, "the first of some that are not so", ""),
        (_lists_addresses, "a list of addresses", ""),
        (
            _shows_several_keys,
            "several keys",
            "Nobody wants a list of what others are known by.",
        ),
        (_lists_row_numbers, "a list of row numbers", ""),
        (_lists_sorts, "a list of sexes", "Nobody wants a list that says one of few words."),
        (
            _lists_values_alone,
            "values without what has them",
            "Nobody could tell whose they are.",
        ),
        (_lists_misread, "columns that would be said of each other", ""),
        (
            Naming._repeats_a_noun,
            "two columns of one name",
            "It would not say whose each of them is.",
        ),
        (_shares_statuses, "a share of statuses", "It would be said of what has them."),
        (_counts_oddly, "a number of firsts that nobody says", "Nobody asks for the first eleven."),
        (_is_above_a_debt, "a figure below zero", "Nobody asks who is above a negative amount."),
        (
            _is_per_itself,
            "so many per one of them",
            "Genres per genre, and awards given per award, say nothing.",
        ),
    )


def _is_too_much(focus: Thing, further: int) -> bool:
    """Whether more is said of a thing and of all that describes it, names apart, than is read at
    once; `further` is what is said beside. Of three links one condition more is read."""
    links = sum(len(thing.relations) for thing in focus.everything())
    return _load(focus) + further > _MOST + (links == _MOST)


def _leads_up(relation: Relation) -> bool:
    """Whether it is followed up a line, in which each has one above it."""
    link = relation.link
    up = isinstance(link, Link) and link.to_one and link.source is relation.other.entity
    return up and relation.steps is not None


def _load(thing: Thing | None) -> int:
    """How much is said of a thing and of all that describes it, names apart."""
    every = thing.everything() if thing is not None else ()
    return sum(len(each.tests) + len(each.relations) for each in every)


def _lacks(ask: Ask) -> bool:
    """Whether what is asked for are those without something."""
    return any(each.how == "no" for each in ask.focus.relations)
