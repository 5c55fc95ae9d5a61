"""Conditions said by the noun of their property: "whose price is above €50", "with a price of"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from generators.questions.goals.model import Op, Test
from generators.questions.lexicon.model import (
    MOMENTS,
    QUANTITIES,
    Property,
    Role,
    Thing,
    ThingKind,
)
from generators.questions.phrases.tree import NP, THEIR, Clause, Text
from generators.questions.realise.conditions.category_value import SORTS, STANDINGS
from generators.questions.realise.conditions.framing import having
from generators.questions.realise.conditions.options import Form, Option
from generators.questions.realise.conditions.values import (
    period_text,
    range_text,
    value_text,
    values_text,
)
from graphmill.english.inflection import a, is_plural, plural

_TIMED = {">": "after {}", ">=": "on or after {}", "<": "before {}", "<=": "on or before {}"}
_YEARLY = {">": "after {}", ">=": "in or after {}", "<": "before {}", "<=": "in or before {}"}
_PLACED = {">": "greater than {}", ">=": "at least {}", "<": "smaller than {}", "<=": "at most {}"}
_THAN = {">": "above {}", ">=": "at least {}", "<": "below {}", "<=": "at most {}"}
_BOUNDS: dict[Role | None, dict[str, str]] = {Role.YEAR: _YEARLY, Role.RANK: _PLACED}
_COUNTED = {
    ">": "more than {}",
    ">=": "at least {}",
    "<": "fewer than {}",
    "<=": "at most {}",
    "=": "{}",
    "between": "{} to {}",
}
_TITLED = frozenset(
    {ThingKind.WORK, ThingKind.DOCUMENT, ThingKind.PRODUCT, ThingKind.EVENT}
)  # whose names say what they are about


@dataclass(frozen=True, slots=True)
class ByNoun:
    """A test with the words of its property and what has it, in one form; `dear` is what it costs
    to say it so."""

    test: Test
    words: Property
    owner: Thing | None
    form: Form
    dear: float

    def options(self) -> Iterator[Option]:
        """The ways to say it; none where the noun does not fit."""
        noun = self.words.noun
        if self._timed and self.form == "contracted" and (" of " in noun or "-" in noun):
            return  # nobody has "a valid-to date" or "a date of claim"
        counted = noun.startswith("number of ") and noun != "number of "
        if counted and self.test.op == "=" and len(self.test.values) == 1:
            yield from self._so_many()
        elif self.test.op in self._WAYS:
            yield from self._WAYS[self.test.op](self)

    @property
    def _noun(self) -> NP:
        return NP(self.words.noun, self.words.plural or plural(self.words.noun))

    @property
    def _timed(self) -> bool:
        return self.words.kind in MOMENTS

    @property
    def _measured(self) -> bool:
        """Whether its values have an order that people speak of."""
        return self._timed or self.words.kind in QUANTITIES or self.words.kind is Role.RANK

    def _so_many(self) -> Iterator[Option]:
        """ "with 20 seats", "whose number of seats is 20"."""
        (value,) = self.test.values
        shown, atoms = value_text(value, self.words), (self.test,)
        several = isinstance(value.value, int) and value.value > 1
        if several:
            counted = self.words.noun.removeprefix("number of ")
            yield from having(f"{shown} {counted}", atoms, self.dear)
        if self.form == "explicit" or not several:
            clause = Clause(be=shown, whose=self._noun, atoms=atoms)
            yield Option("rel", clause, self.dear - 0.4)

    def _equal(self) -> Iterator[Option]:
        text = values_text(self.test.values, self.words)
        return self._amount(text) if self._measured else self._is(text)

    def _unequal(self) -> Iterator[Option]:
        return self._is(values_text(self.test.values, self.words), no=True)

    def _bounded(self) -> Iterator[Option]:
        if not self._measured:
            return
        table = _BOUNDS.get(self.words.kind, _TIMED if self._timed else _THAN)
        shown = value_text(self.test.values[0], self.words)
        yield from self._amount(table[self.test.op].replace("{}", shown))

    def _between(self) -> Iterator[Option]:
        low, high = range_text(self.test.values, self.words)
        return self._amount(f"between {low} and {high}")

    def _within(self) -> Iterator[Option]:
        """Within a period: by its name, or by its ends, which is clumsy."""
        if not self._timed:
            return
        if whole := period_text(self.test.values, self.words):
            yield from self._amount(whole)
            return
        low, high = (value_text(value, self.words) for value in self.test.values)
        by_ends = replace(self, dear=self.dear + 3)
        yield from by_ends._amount(f"from {low} up to, but not including, {high}")

    def _absent(self) -> Iterator[Option]:
        return having(f"no recorded {self.words.noun}", (self.test,), self.dear)

    def _present(self) -> Iterator[Option]:
        return having(f"a known {self.words.noun}", (self.test,), self.dear)

    def _amount(self, bare: str) -> Iterator[Option]:
        """ "whose price is above €50", "with a price above €50", "with more than eight points"."""
        test, words, dear, atoms = self.test, self.words, self.dear, (self.test,)
        many = is_plural(words.noun)
        counted = words.noun.removeprefix("number of ")
        if words.kind is Role.COUNT and test.op in _COUNTED and is_plural(counted):
            values = [value_text(value, words) for value in test.values]
            yield from having(f"{_COUNTED[test.op].format(*values)} {counted}", atoms, dear)
            return
        yield from self._as_amount(bare)
        owner = replace(self._noun, several=words.noun, many=many)
        yield Option("rel", Clause(be=bare, whose=owner, atoms=atoms), dear + 0.6)
        of = f"of {bare}" if test.op in ("=", "in") or bare.startswith("at ") else bare
        lead = words.noun if many else a(words.noun)
        clock = test.op == "period" and words.noun.endswith(" time")  # none is "in 2024"
        yield from having(f"{lead} {of}", atoms, dear + 0.3 * self._timed + clock)

    def _as_amount(self, bare: str) -> Iterator[Option]:
        """ "payments above €20", "that are between €20 and €30": what is an amount of money."""
        money = self.words.noun == "amount" and self.words.kind in (Role.MONEY, Role.MEASURE)
        paid = self.owner is not None and self.owner.kind is ThingKind.TRANSACTION
        if self.form == "explicit" or not (money and paid) or self.test.op in ("=", "in"):
            return
        of = f"of {bare}" if bare.startswith("at ") else bare
        yield Option("post", Text(of, (self.test,)), -0.3)
        yield Option("pred", Clause(be=bare, atoms=(self.test,)), -0.1)

    def _is(self, value: str, *, no: bool = False) -> Iterator[Option]:
        """ "whose engine type is V8", "have V8 as their engine type", "with engine type V8"."""
        noun, dear, atoms = self._noun, self.dear, (self.test,)
        if is_plural(noun.one):
            noun = replace(noun, several=noun.one, many=True)
        explicit = self.form == "explicit"
        value = f'"{value}"' if " " in value and value[:1].islower() and self._is_single else value
        if self.form == "contracted" and not no:
            yield from self._as_theirs(value)
        if not no and noun.one.rpartition(" ")[2] in SORTS:  # documents "of type CD"
            sort = f"of {noun.one} {value}"
            eased = dear - (0.0 if " " in noun.one else 0.7)  # "of transit card type Child"
            yield Option("post", Text(sort, atoms), eased)
            yield Option("pred", Clause(be=sort, atoms=atoms), eased)
        clause = Clause(be=value, negated=no, whose=noun, atoms=atoms)
        yield Option("rel", clause, dear + (0.0 if explicit else -0.6))
        other = f"{a(noun.one)} other than {value}"
        if no:
            yield Option("pred", Clause(verb="have", object=Text(other), atoms=atoms), dear + 1.0)
        if self.form == "search":
            text = other if no else f"{noun.one} {value}"
            yield Option("post", Text(f"with {text}", atoms), dear - 0.6)
        else:
            text = other if no else f"the {noun.one} {value}"
            shorter = -0.1 if no and not explicit else 2.0
            yield Option("post", Text(f"with {text}", atoms), dear + shorter)

    @property
    def _is_single(self) -> bool:
        """Whether it is held against one text as it is stored, which no word stands for."""
        (first, *more) = self.test.values
        return not more and isinstance(first.value, str) and not self.words.word(first.value)

    def _as_theirs(self, value: str) -> Iterator[Option]:
        """ "How many permits have “crew too large” as their refusal reason?"."""
        noun, cost = self.words.noun, self.dear + 0.3
        if not self._is_single or is_plural(noun) or self.words.kind is not Role.CATEGORY:
            return
        clause = Clause(verb="have", object=Text(value), atoms=(self.test,))
        if noun.rpartition(" ")[2] in STANDINGS:
            quoted = value if value.startswith('"') else f'"{value}"'
            yield Option("pred", replace(clause, object=Text(f"the {noun} {quoted}")), cost)
        else:
            if " " in value and not value.startswith('"'):  # “Out for conservation”
                clause = replace(clause, object=Text(f'"{value}"'))
            yield Option("pred", replace(clause, tail=(Text(f"as {THEIR} {noun}"),)), cost)

    def _part(self) -> Iterator[Option]:
        """ "whose title contains “Love”", "with “Love” in the title"."""
        test, noun, atoms = self.test, self._noun, (self.test,)
        if self.words.kind not in (Role.NAME, Role.TEXT):
            return
        # Nobody looks for a part of the name of somebody or of a place.
        untitled = self.owner is not None and self.owner.kind not in _TITLED
        dear = self.dear + (1.0 if untitled else 0.0)
        value = value_text(test.values[0], None, quoted=True)
        verb = {"contains": "contain", "starts": "start", "ends": "end"}[test.op]
        particle = "" if test.op == "contains" else "with"
        clause = Clause(verb=verb, particle=particle, object=Text(value), whose=noun, atoms=atoms)
        yield Option("rel", clause, dear)
        if test.op == "contains":
            yield Option("post", Text(f"with {value} in the {noun.one}", atoms), dear)
            there = Text(f"in {THEIR} {noun.one}")
            have = Clause(verb="have", object=Text(value), tail=(there,), atoms=atoms)
            yield Option("pred", have, dear)

    _WAYS: ClassVar[dict[Op, Callable[[ByNoun], Iterator[Option]]]] = {
        **dict.fromkeys(("=", "in"), _equal),
        **dict.fromkeys(("<>", "not in"), _unequal),
        **dict.fromkeys((">", ">=", "<", "<="), _bounded),
        "between": _between,
        "period": _within,
        "null": _absent,
        "known": _present,
        **dict.fromkeys(("contains", "starts", "ends"), _part),
    }
