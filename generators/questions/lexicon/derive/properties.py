"""Properties: what they are for, which nobody asks about, the frames of their values.

What is known of one column is asked by all of it, so that it is one class, and a module of over 600
lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from generators.questions.lexicon.derive.clear import is_clear, is_deed, is_noun_phrase
from generators.questions.lexicon.derive.data import (
    Head,
    head_word,
    heads,
    kind_of,
    plain_words,
    precision,
)
from generators.questions.lexicon.derive.facts import Facts
from generators.questions.lexicon.derive.flags import (
    closed_values,
    coded_values,
    flag_values,
    truth_values,
)
from generators.questions.lexicon.derive.frames import (
    category_frames,
    count_frames,
    country_frames,
    date_frames,
    is_counted,
    is_moment,
    measure_frames,
)
from generators.questions.lexicon.derive.measures import (
    is_bare,
    is_heap,
    is_paid_total,
    role_of_unit,
)
from generators.questions.lexicon.derive.moments import MONTH_NAMES, PARTICLES
from generators.questions.lexicon.derive.property_words import PropertyWords
from generators.questions.lexicon.derive.table_names import short_name
from generators.questions.lexicon.derive.upkeep import is_audit, is_place, is_stamp
from generators.questions.lexicon.derive.values import (
    are_codes,
    are_digit_days,
    are_hours,
    are_labels,
    are_lists,
    are_numbers,
    are_territories,
    is_filler,
    is_long,
    names_of,
)
from generators.questions.lexicon.model import (
    QUANTITIES,
    Phrase,
    Property,
    Provenance,
    Role,
    Standing,
    Thing,
    ThingKind,
)
from graphmill.english.inflection import is_plural, plural
from graphmill.english.lists import word_map, word_set
from schemagraph.folder.statistics import PropertyStatistics
from schemagraph.model import NUMERIC, TEMPORAL, EdgeType, Kind, NodeType, Type
from schemagraph.model import Property as Column

_PARTS = frozenset({"minimum", "maximum", "average", "highest", "lowest", "mean", "total"})
_CODED = frozenset({"code", "number", "year", "date", "time", "zip", "postcode", "phone", "key"})
_IN_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_TERMS = frozenset({"season", "semester", "term", "trimester"})
_HELD = (
    *(ThingKind.EVENT, ThingKind.TRANSACTION, ThingKind.DOCUMENT, ThingKind.RECORD),
    *(ThingKind.CATEGORY, ThingKind.PERIOD),
)
_PLACED = re.compile(r"number (?:in|within|on|at)\b")
_QUANTIFIED = ("number of ", "total ", "amount of ", "minimum number of ", "maximum number of ")
_MANY = 3  # words of a name, of which only a table has more
_SORTS = 40  # different values, of which more are no sorts of things
_FIXED = 4  # rows above which a value that never changes says nothing


def derive_properties(facts: Facts, things: dict[str, Thing]) -> dict[str, dict[str, Property]]:
    """The entries of all properties, by type."""
    entries: dict[str, dict[str, Property]] = {}
    elements: list[NodeType | EdgeType] = [*facts.schema.nodes, *facts.schema.edges]
    for element in elements:
        if element.properties:
            thing = things.get(element.name)
            entries[element.name] = {
                column.name: _Reading(facts, element, column, thing).entry()
                for column in element.properties
            }
    return entries


@dataclass(frozen=True)
class _Reading:
    """One property, looked at."""

    facts: Facts
    element: NodeType | EdgeType
    column: Column
    thing: Thing | None

    @cached_property
    def words(self) -> PropertyWords:
        return self.facts.words(self.element, self.column)

    @cached_property
    def figures(self) -> PropertyStatistics:
        return self.facts.figures(self.element, self.column)

    @property
    def kind(self) -> Kind:
        return self.column.type.kind

    @cached_property
    def noun(self) -> str:
        """What it is called: by its words, or as people call it where it stands."""
        noun = self.words.noun
        if noun == "scores" and self.kind in NUMERIC:  # one number, not how many there are
            noun = "score"
        if noun in ("town city", "city town"):
            noun = "city"
        if noun in _COMPLETED:
            return _COMPLETED[noun]
        if noun.endswith(" code") and (self._has_words() or self._code_names):
            return noun.removesuffix(" code")
        if noun in ("start", "end") and self.kind not in NUMERIC:
            return f"{noun} time"
        named = self.thing is not None and bool(self.thing.name)
        if noun == "name" and named and not self._is_name:
            return " ".join(self._own_words())  # the type of an allergy type
        return self._sum_noun(noun) or self._noun_beside(noun) or self._named(noun) or noun

    def _sum_noun(self, noun: str) -> str:
        """What a sum is called: the net amount, the amount of a payment, the remaining budget."""
        before, _, last = noun.rpartition(" ")
        transaction = self.owner is ThingKind.TRANSACTION
        if noun in ("net", "gross") and self.kind in NUMERIC:
            return f"{noun} amount" if transaction else noun
        others = [n for n in self._nouns if "amount" in n.split() and n not in _AMOUNTS]
        if noun in _AMOUNTS and transaction and not others:
            return "amount"  # of a payment
        if last == "left" and self.kind in NUMERIC:
            return f"remaining {before}"
        return before if last == "amount" and before in _PRICES else ""

    def _noun_beside(self, noun: str) -> str:
        """What it is called because of what its type has beside it."""
        if noun in ("price paid", "paid price") and "purchase price" not in self._nouns:
            return "purchase price"
        whole = noun.removeprefix("total ")
        if self.kind in NUMERIC and is_plural(whole) and whole not in self._nouns:
            values = [*self.figures.quantiles, *(value for value, _ in self.figures.common)]
            paid = whole != noun and is_paid_total(self._own_words(), whole, values, self._nouns)
            return f"{whole} total" if paid else whole  # nobody has "total passengers"
        sum_, _, charged = noun.rpartition(" ")
        alike = [n for n in self._nouns if n != noun and sum_ in n.split()]
        if charged == "charged" and head_word(sum_) in word_set("sums") | _PRICES and not alike:
            return sum_  # the fee of a registration
        if noun in _MEDALS and len(_MEDALS.intersection(self._nouns)) > 1:
            return f"{noun} medals"
        if noun == "standing" and "seats" in self._nouns:
            return "standing capacity"
        if self.words.unit and self._nouns.count(noun) > 1:
            return f"{noun} in {self._own_words()[-1]}"  # in euros, and in dollars
        return ""

    def _named(self, noun: str) -> str:
        """What a name is of that stands for another thing: the country of a country name."""
        what, _, last = noun.rpartition(" ")
        if last != "name" or self._is_name or self.kind is not Kind.STRING or what in self._nouns:
            return ""
        kind, rule = kind_of(what)
        named = rule == "kind-noun" and kind in _NAMED and what not in word_set("half_named")
        return what if named else ""

    @cached_property
    def _nouns(self) -> list[str]:
        """The nouns of all properties of its type."""
        return [self.facts.words(self.element, p).noun for p in self.element.properties]

    @property
    def _is_name(self) -> bool:
        """Whether it is a name of its thing, or a part of it."""
        return self.thing is not None and self.column.name in self.thing.name

    @cached_property
    def _code_names(self) -> dict[str, str]:
        """The countries or languages that its codes stand for."""
        closed = closed_values(self.column, self.figures)
        known = {*closed, *self.figures.sample, *(value for value, _ in self.figures.common)}
        return names_of(self.words.noun, sorted(map(str, known)))

    def _has_words(self) -> bool:
        """Whether its codes are words that say what they mean."""
        values = closed_values(self.column, self.figures)
        sexes = self.words.noun.startswith(("sex", "gender"))
        return bool(values) and (sexes or all(len(v) > 3 and v.isalpha() for v in values))

    def _is_year(self) -> bool:
        """Whether numbers are years, by their noun and, where there are data, by their size."""
        moment = self.words.temporal or is_moment(self.noun)  # a launch in 2005
        counted = self.kind in NUMERIC and bool(self.figures.quantiles)
        year = (
            self.words.year or head_word(self.noun) in _YEARS - {"season"} or (moment and counted)
        )
        if not year or not self.figures.quantiles:
            return year
        low, high = self.figures.quantiles[0], self.figures.quantiles[-1]
        return self.kind not in NUMERIC or (low >= 1000 and high <= 2200)

    @property
    def owner(self) -> ThingKind:
        return self.facts.kinds.get(self.element.name, (ThingKind.EVENT, ""))[0]

    @property
    def is_key(self) -> bool:
        return isinstance(self.element, NodeType) and self.column.name in self.element.key

    def entry(self) -> Property:
        """The entry: hidden, a name, a flag, or what its head says."""
        hidden = self._hidden()
        if hidden:
            kind = Role.REFERENCE if hidden == "hidden-reference" else None
            kind = Role.KEY if hidden == "hidden-key" else kind
            return _ruled(hidden, hidden=True, noun=self.noun, kind=kind)
        if self._is_name:
            rule = "description-name" if self.noun.endswith("description") else "name-property"
            return _ruled(rule, noun=self.noun, plural=self._many(), kind=Role.NAME)
        if self._is_column_name() or self._is_coded() or self._is_bare():
            return _ruled("property-unclear", noun=self.noun, plural=self._many())
        made = self._far() or self._flag() or self._coded() or self._headed() or self._plain()
        made = replace(made, plural=made.plural or self._many())
        if made.kind in (Role.CATEGORY, Role.PLACE) and made.place is not Standing.BEFORE:
            made = replace(made, values=made.values or self._code_names)
        made = self._placed(made)
        if self.facts.guessed(self.element, self.column.name):
            return replace(made, sure=min(made.sure, precision("sense")))
        return made

    def _placed(self, made: Property) -> Property:
        """With what is in a place or a term by the names of its values: in Lyon, in Summer 2025,
        but not "in pond"."""
        texts = [
            str(value) for value in (*self.figures.sample, *(v for v, _ in self.figures.common))
        ]
        if made.equal == "in {}" and any(text[:1].islower() for text in texts):
            return replace(made, equal="", unequal="")
        dated = made.kind is Role.CATEGORY and head_word(self.noun) in _TERMS and not made.equal
        if dated and self.owner in _HELD and texts and all(map(_IN_YEAR.search, texts)):
            return replace(made, equal="in {}", unequal="not in {}")
        return made

    def _is_column_name(self) -> bool:
        """Whether only a table calls it so: "line 1", "day or boarding", "assigned to", or a flag
        that is no adjective, "amount paid in full"."""
        return (
            self._is_turned_moment()
            or self._is_heading()
            or self._is_loose_number()
            or self._is_clipped()
            or self._is_no_phrase()
        )

    @property
    def _low(self) -> list[str]:
        return self.noun.lower().split()

    def _is_turned_moment(self) -> bool:
        """Whether a moment is called by words that nobody says in their order."""
        first, *rest = self._low
        timed = first in ("time", "times") or self._low[-1] in MONTH_NAMES
        if timed and self.kind in NUMERIC and not self.words.unit and not self._is_year():
            return True  # "time of purchase": how often, or when
        if not rest or rest[0] in ("of", "in"):
            return False
        if first == "date" or (first == "time" and self.kind in TEMPORAL):
            return self.words.verb is None  # "date left staff", not "date sent"
        return first == "year" and len(self._low) >= _MANY  # "year entered competition"

    def _is_heading(self) -> bool:
        """Whether a noun is clear below its table's name alone, or in it."""
        first, *rest = low = self._low
        if self.noun == "title" and self.owner is ThingKind.PERSON:
            return True  # Mr, Dr
        if len(low) >= _MANY and low[-1] in ("description", "name") and "of" not in low:
            return True  # "claim status description"
        if rest and (first in word_set("prepositions") or low[-1] in _ADJECTIVES):
            return True  # "since year", "reference low"
        return bool(rest) and len(low[-1]) == 1 and low[-1].isalpha()  # "score a" of two sides

    def _is_loose_number(self) -> bool:
        """Whether a noun says of a number no plural that is counted, or more than one says."""
        counted = self.noun.removeprefix("number of ")
        alone = {counted.rpartition(" ")[2]} & (word_set("uncounted") | word_set("crowds"))
        if counted != self.noun and not alone and not is_plural(counted.partition(" of ")[0]):
            return True  # "number of product category"
        low = self._low  # "pages per minute color", "passenger out quantity"
        long = len(low) > _MANY and low[1:3] != ["paid", "by"] and low[1:3] != ["from", "the"]
        return self.kind in NUMERIC and "of" not in low and (long or is_heap(low))

    def _is_clipped(self) -> bool:
        """Whether a word may be short for another one: cult_pct, sub_no, dist_pct."""
        first, *rest = self._low
        if self.words.unit == "percent" and not rest and first in ("distance", "temperature"):
            return True
        measured = rest in ([], ["code"], ["number"], ["percentage"])
        return measured and first in word_set("clipped")

    def _is_no_phrase(self) -> bool:
        """Whether words list, or end in the air, or are neither a flag nor a noun."""
        low = self._low
        listed = "/" in self.noun or "or" in low or any(word.isdigit() for word in low)
        loose = word_set("prepositions") | PARTICLES  # "miles out"
        dangling = len(low) > 1 and low[-1] in loose and self.kind not in TEMPORAL
        if self.kind is Kind.BOOLEAN:
            return listed or dangling
        bits = {f"{value}" for value, _ in self.figures.common}
        if self.kind in NUMERIC and self.figures.distinct == 2 and bits == {"0", "1"}:
            return self._flag() is None  # "the organic of a vineyard"
        if listed or dangling:
            return True
        if truth_values(self.column, self.figures):
            return self._flag() is None
        return not is_noun_phrase(self.noun)

    def _is_bare(self) -> bool:
        """Whether a number is called as a thing is, so that nobody knows what of it is meant; or is
        an amount of what is none, as a repair."""
        if self.noun == "amount" and self.thing is not None and self.kind in NUMERIC:
            paid = self.owner in _PAID or word_set("paid_things") & {*self._owner_noun().split()}
            return not paid and role_of_unit(self.words.unit or "euros") is Role.MONEY
        if word_map("measured").get(self.noun) == "duration" and self.kind in NUMERIC:
            return True  # the hours of a garment type
        plain = self.kind in NUMERIC and self._head() is None and not self._is_year()
        return plain and not self._is_code() and is_bare(self.noun, self.words.unit)

    def _is_coded(self) -> bool:
        """Whether it sorts things by codes that nothing explains, so that only a user can, or by
        lists of what is in one."""
        if self.kind is Kind.STRING and are_lists(self.noun, self.figures):
            return True
        if self.kind is not Kind.STRING or not self._repeats():
            return False
        texts = {str(value) for value, _ in self.figures.common}
        return 1 < self.figures.distinct <= _SORTS and are_codes(self.words.noun, texts)

    def _many(self) -> str:
        if self.noun.endswith(" content"):
            return self.noun  # feeds with the highest protein content
        many = plural(self.noun)
        return many if many != f"{self.noun}s" else ""

    def _hidden(self) -> str:
        """The class of the rule that hides it, or ""."""
        name, figures = self.column.name, self.figures
        if (self.element.name, name) in self.facts.references:
            return "hidden-reference"
        if name == "row_number":
            return "hidden-key"
        if self.facts.statistics is not None and not figures.count:
            return "hidden-empty" if figures.nulls else ""
        named = self.thing is not None and bool(self.thing.name)
        if not self._is_name and not self._is_spoken_key(named=named):
            if self.is_key and (named or self.kind in NUMERIC):
                return "hidden-key"
            if self._own_words()[-1:] in (["ID"], ["key"]):
                return "hidden-key"
        author = head_word(self.noun) == "creator" and not self._is_audited()
        if is_stamp(name, self._own_words()) and not author and not self._is_name:
            return "hidden-stamp"
        if (self.words.temporal or head_word(self.noun) == "date") and are_digit_days(self.figures):
            return "hidden-digits"
        if is_place(self._own_words()):
            return "hidden-key"
        if figures.distinct == 1 and figures.count > _FIXED:
            return "hidden-constant"
        head = self._head()
        if head is not None and head.role in ("machine", "coordinate"):
            return "hidden-machine"
        if self.kind in (Kind.BYTES, Kind.MAP, Kind.LIST, Kind.POINT):
            return "hidden-machine"
        if is_filler(self.figures):
            return "hidden-unclear"
        return "hidden-unclear" if len(name) == 1 else ""

    def _is_spoken_key(self, *, named: bool) -> bool:
        """Whether people say a key: PIP-527, or the number of what has no name."""
        last = self._own_words()[-1:]
        if self.kind is Kind.STRING:
            return last != ["ID"] and are_labels(self.figures)
        alone = isinstance(self.element, NodeType) and self.element.key == (self.column.name,)
        return alone and not named and last in (["number"], ["no"])

    def _is_audited(self) -> bool:
        """Whether its rows say who changed them, or when, so that who made them is no author."""
        columns = self.element.properties
        return any(is_audit(self.facts.spoken(self.element, p.name)) for p in columns)

    def _own_words(self) -> list[str]:
        """The words of its name, its owner's among them."""
        return self.facts.spoken(self.element, self.column.name)

    def _head(self) -> Head | None:
        """The first entry of `heads.toml` that fits."""
        if set(self.noun.lower().split()) & _REACHING:
            return next(head for head in heads() if head.role == "contact")
        word = head_word(self.noun)
        one = word[:-1] if word.endswith("s") else word
        before = self.noun.lower().partition(" of ")[0].split(" ")[:-1]
        own = set(self.facts.nouns.get(self.element.name, "").lower().split())
        bare = all(w in plain_words() or w in own for w in before) and " of " not in self.noun
        numeric = self.kind in NUMERIC
        for head in heads():
            if not {word, one} & head.words or (head.of and self.owner.value not in head.of):
                continue
            if head.strict and not bare:
                continue
            if head.needs and not {word, one} & head.needs:
                continue
            if not numeric and head.role in (*_NUMBERS, "rank"):
                continue
            return head
        return None

    def _flag(self) -> Property | None:
        given = truth_values(self.column, self.figures)
        words, owner = self.words, self._owner_noun()
        if self.kind is not Kind.BOOLEAN and given:  # kept as a text or a number
            short, before = short_name(self.element, self.column.name, owner)
            words = self.facts.names.read(self.element, short, Type(Kind.BOOLEAN), owner, before)
        made = flag_values(words, self.column.name, given, owner) if given else None
        if made is None:
            return None
        values, place, rule = made
        return _ruled(rule, noun=words.noun, kind=Role.FLAG, values=values, place=place)

    def _coded(self) -> Property | None:
        made = coded_values(self.noun, self.column, self.figures, self._owner_noun())
        if made is None:
            return None
        values, place, rule = made
        extra = self._sorting() if rule != "sex-code" else {}
        if rule == "adjective-values" and self.noun.lower() in word_set("places"):
            extra = {}  # a state that is "future" is none of a country
        parts = {name: precision("category-frame") for name in extra}
        return _ruled(
            rule, noun=self.noun, kind=Role.CATEGORY, values=values, place=place, group=self.noun,
            unsure=parts, **extra,
        )  # fmt: skip

    def _headed(self) -> Property | None:
        if self._is_code():
            return replace(self._by_noun(Role.CODE, "property-noun"), sums=False, averages=False)
        if self.kind in TEMPORAL or self._is_year() or self.words.temporal or self.words.clock:
            return self._moment()
        if self._is_number_in_text():
            return None
        head = self._head()
        if head is None or (self.kind in NUMERIC and head.role not in (*_NUMBERS, "rank")):
            return None
        role = self._measured(_ROLES.get(head.role, Role.TEXT))
        if self.noun.rpartition(" ")[2] in _SPANS:
            role = Role.COUNT  # "more than 25 planned days"
        if role is Role.CATEGORY and is_long(self.figures):
            return self._by_noun(Role.TEXT, "property-noun")
        made = self._by_noun(role, "property-noun")
        frames, rule = self._frames(role)
        given = {key: self._filled(value) for key, value in head.frames.items()}
        if given.get("above") == "above {}" and not self.words.unit:  # "payments above 500"
            given = {key: value for key, value in given.items() if key in _SUPERLATIVES}
        if given.get("more") in _EXTENTS and head_word(self._owner_noun()) in word_set("sorting"):
            given = {}  # no garment type is longer than another
        if self._low[0] in word_set("not_now"):
            given = {}
        if given.get("verb") == "cost" and self._has_another_price():
            given = {}  # what does it cost, by its list price or by its unit cost?
        coded = self._code_names if self.noun == "nationality" else {}
        given = country_frames(given, abroad=are_territories(self.figures) or bool(coded))
        if "verb" in given:
            given["verb"] = Phrase(verb=given["verb"])
        superlatives = {k: precision("superlative") for k in given if k in _SUPERLATIVES}
        shaped = {k: precision("head-frame") for k in given if k not in _SUPERLATIVES}
        unsure = {**{k: precision(rule) for k in frames}, **shaped, **superlatives}
        parts: dict[str, Any] = {**frames, **given}
        if head.role in _NUMBERS and not self._adds_up():
            parts["sums"] = False
        return _with(made, unsure, parts)

    def _far(self) -> Property | None:
        """How far away its owner is, nobody knows from where: it is only looked up."""
        leads = word_set("on_places") | {"course", "leg", "line", "section", "segment", "stage"}
        if head_word(self._owner_noun()) in leads or self.owner not in _SOMEWHERE:
            return None
        if self.noun != "distance" or not self.words.unit or self.kind not in NUMERIC:
            return None
        noun = f"distance in {self.words.unit}"
        made = self._by_noun(Role.TEXT, "property-noun")
        return replace(made, noun=noun, unit="", sums=False, averages=False)

    def _has_another_price(self) -> bool:
        others = (p for p in self.element.properties if p.name != self.column.name)
        nouns = (head_word(self.facts.words(self.element, p).noun) for p in others)
        return any(noun in ("price", "cost") for noun in nouns)

    def _is_code(self) -> bool:
        """Whether numbers stand for something else: an adviser, a course of studies, a phone."""
        if self.kind not in NUMERIC or self._is_year() or is_plural(self.noun) or self.words.unit:
            return False
        if self.noun.lower().startswith(_QUANTIFIED):
            return False
        if _PLACED.match(self.noun):  # "number in season"
            return True
        last = head_word(self.noun)
        head = self._head()
        if head is not None and head.role in ("category", "contact", "text", "code"):
            return True
        if last in ("number", "code", "no") or self.noun.lower() in _PHASES:
            return True
        if last in word_set("positions"):
            return True  # nobody has an above-average lane
        return kind_of(last)[0] is ThingKind.PERSON and head is None

    def _measured(self, role: Role) -> Role:
        """What a number is by its unit: money in a currency, a share in percent; a penalty in
        seconds is no money."""
        unit = self.words.unit
        plain = role in (Role.MEASURE, Role.MONEY)
        if not plain or not unit or (role is Role.MONEY and unit in word_map("scales").values()):
            return role
        return role_of_unit(unit) or (Role.MEASURE if role is Role.MONEY else role)

    def _filled(self, value: Any) -> Any:
        return value.replace("~", self.noun) if isinstance(value, str) else value

    def _adds_up(self) -> bool:
        alive = self.owner in (ThingKind.PERSON, ThingKind.ANIMAL, ThingKind.EVENT)
        if alive and head_word(self.noun) == "weight" and not self.noun.startswith("net "):
            return False  # of a pet at each visit, but not of a delivery
        names = {word.lower() for word in self._own_words()}
        return not names & (word_set("no_sums") | word_set("no_amounts") | _PARTS - {"total"})

    def _frames(self, role: Role) -> tuple[dict[str, str], str]:
        many = is_plural(self.noun.split()[0]) and not self.words.unit
        if role is Role.COUNT or (role is Role.DURATION and many):
            return count_frames(self.noun, self.owner), "count-frame"
        if role in QUANTITIES:
            return measure_frames(self.noun, lasting=self.words.unit in _SPANS), "measure-frame"
        if role in (Role.CATEGORY, Role.PLACE) and not is_long(self.figures):
            return {**self._sorting(), "group": self.noun}, "category-frame"
        return {}, "property-noun"

    def _owner_noun(self) -> str:
        return self.facts.nouns.get(self.element.name, "")

    def _sorting(self) -> dict[str, str]:
        return category_frames(self.noun, self._owner_noun())

    def _moment(self) -> Property:
        """Dates, times and years, also those kept as texts, which have no order then."""
        year = self._is_year()
        if not year and are_hours(self.figures):
            return replace(self._by_noun(Role.TEXT, "property-unclear"), rule="property-unclear")
        role = Role.YEAR if year else Role.TIME if self.words.clock else Role.DATE
        ordered = self.kind is not Kind.STRING or self.figures.dated or self.words.clock
        made = self._by_noun(role if ordered else Role.TEXT, "property-noun")
        frames, rule = date_frames(
            replace(self.words, year=year), self.element, self.facts, self.owner
        )
        if not ordered:
            frames = {k: v for k, v in frames.items() if k in ("equal", "ask", "verb")}
        unsure = {name: precision(rule) for name in frames}
        made = _with(made, unsure, {**frames, "sums": False, "averages": False})
        if not year:
            return made
        named = made.verb is None and head_word(self.noun) in _YEARS  # the school year
        return replace(made, group=self.noun if named else "year")

    def _plain(self) -> Property:
        if self.kind in NUMERIC and not self.words.reference:
            scaled = self.words.unit in {"", *word_map("scales").values()}
            counted = (is_counted(self.noun) and scaled) or self.noun.startswith("number of ")
            role = Role.COUNT if counted else self._measured(Role.MEASURE)
            made = self._by_noun(role, "property-plain" if counted else "property-noun")
            frames, rule = self._frames(role)
            if self.noun.lower().removesuffix(" value") in _PARTS | word_set("populations"):
                return replace(made, sure=precision("adjective-column"), rule="adjective-column")
            parts: dict[str, Any] = {**frames}
            if role is Role.SHARE or not self._adds_up():
                parts |= {"sums": False}
            return _with(made, {name: precision(rule) for name in frames}, parts)
        if self._is_number_in_text():
            made = self._by_noun(Role.TEXT, "property-plain")
            return replace(made, sure=precision("property-unclear"), rule="property-unclear")
        named = self.noun == "name" or self.noun.endswith(" name")
        sorts = self.noun != "name" and self._repeats()  # nobody counts things per name
        if self.kind is Kind.STRING and not is_long(self.figures) and sorts:
            made = self._by_noun(Role.CATEGORY, "property-plain")
            frames = self._sorting()
            return _with(
                made,
                {name: precision("category-frame") for name in frames},
                {**frames, "group": self.noun},
            )
        text = Role.FLAG if self.kind is Kind.BOOLEAN else Role.TEXT
        return self._by_noun(Role.NAME if named else text, "property-plain")

    def _is_number_in_text(self) -> bool:
        """Whether numbers are kept as texts, which have another order and no sum."""
        return are_numbers(self.figures) and head_word(self.noun) not in _CODED

    def _repeats(self) -> bool:
        return self.figures.count > self.figures.distinct or not self.figures.count

    def _by_noun(self, role: Role, rule: str) -> Property:
        done = self.words.verb.participle if self.words.verb is not None else ""
        noun = self.noun.replace(" from the ", " of the ")  # a distance from the depot
        clear = is_clear(noun) or (bool(done) and is_deed(done))  # delisting
        rule = rule if clear else "property-unclear"
        unit = "" if " in " in self.noun else self.words.unit
        return _ruled(rule, noun=self.noun, kind=role, unit=unit)


_ADJECTIVES = frozenset({"deep", "high", "long", "low", "tall", "wide"})
_NAMED = (ThingKind.PLACE, ThingKind.PERSON, ThingKind.ORGANISATION, ThingKind.VEHICLE)
_SOMEWHERE = (ThingKind.PLACE, ThingKind.ORGANISATION, ThingKind.PERSON)
_PAID = (ThingKind.TRANSACTION, ThingKind.DOCUMENT, ThingKind.RECORD, ThingKind.JUNCTION)
_YEARS = frozenset({"season", "vintage", "year"})
_PHASES = frozenset(  # of a game, and places in an order
    {"half", "inning", "leg", "period", "position", "round", "sequence", "set", "stage"}
)
_PRICES = frozenset({"charge", "cost", "fare", "fee", "premium", "price", "rent", "salary", "wage"})
_AMOUNTS = frozenset({"amount paid", "paid amount", "amount received", "received amount"})
_MEDALS = frozenset({"gold", "silver", "bronze"})
_COMPLETED = {
    **{norm: f"{norm} code" for norm in ("IATA", "ICAO", "FIPS", "ISO")},
    **{f"{what}meter": f"{what}meter reading" for what in ("odo", "speedo", "thermo", "baro")},
}
_REACHING = frozenset({"email", "e-mail", "phone", "telephone", "fax", "website", "url", "mobile"})
_SUPERLATIVES = ("most", "least", "more", "less")
_EXTENTS = frozenset(f"{more} than" for more in ("deeper", "higher", "longer", "taller", "wider"))
_SPANS = frozenset({"days", "hours", "minutes", "months", "nights", "seconds", "weeks", "years"})
_NUMBERS = ("measure", "money", "count", "share", "rating", "duration")
_ROLES = {role.value: role for role in Role} | {"period": Role.CATEGORY}


def _ruled(rule: str, **parts: Any) -> Property:
    return Property(source=Provenance.RULE, sure=precision(rule), rule=rule, **parts)


def _with(entry: Property, unsure: dict[str, float], parts: dict[str, Any]) -> Property:
    """An entry with more parts; the less sure ones are noted as such."""
    low = {k: v for k, v in unsure.items() if v < entry.sure and parts.get(k)}
    return replace(entry, **parts, unsure={**entry.unsure, **low})
