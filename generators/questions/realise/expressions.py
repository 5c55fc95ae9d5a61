"""Expressions in words: noun phrases for values, clauses for conditions, measures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from generators.questions.author import NotExpressible
from generators.questions.lexicon.nouns import spoken
from generators.questions.lexicon.properties import PropertyWords, of_many
from generators.questions.lexicon.vocabulary import Vocabulary
from generators.questions.plan.cardinality import group_of, row_nouns
from generators.questions.plan.measured import outnumbers
from generators.questions.plan.model import (
    Block,
    Derived,
    Entity,
    EntityRef,
    Inner,
    Link,
    LinkRef,
    Member,
    Same,
    Scalar,
    TrailRef,
)
from generators.questions.plan.naming import sole
from generators.questions.plan.terms import (
    AGGREGATES,
    ALPHABETIC,
    SHIFTED,
    SHIFTS,
    TIMELY,
    amount_of,
    date_part,
    flag,
    gathers,
    joined,
    many_of,
    ranging_over,
    thing_of,
)
from generators.questions.plan.wording import (
    FLIPPED,
    MONTHS,
    OPPOSITE,
    YEARS,
    agreed,
    chosen,
    compared,
    constant,
    tested,
    unfolded,
)
from generators.questions.realise.collections import (
    conditional,
    every,
    gathered,
    membership,
    percentile,
    share,
)
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find
from graphmill.english.inflection import a, listing, plural, possessive, within
from schemagraph.model import Kind


def _unrestricted(test: ir.Expr, entity: Entity) -> str:
    raise NotExpressible("a count with a condition")


@dataclass
class Speech:
    """Says expressions of one plan.

    `here` is the entity that a relative clause is about: its properties need no owner. `such`
    are entities that the sentence has described before, so that "the number of such artworks" is
    clear. `describe` says a subquery's rows.
    """

    words: Vocabulary
    subquery: Callable[[Block, str], str]
    existence: Callable[[Block, bool], str]
    here: Entity | None = None
    its: Entity | None = None
    flags: bool = True
    derived: dict[tuple[int, str], str] = field(default_factory=dict)
    cases: list[tuple[ir.Expr, str]] = field(default_factory=list)
    block: Block | None = None
    restriction: Callable[[ir.Expr, Entity], str] = _unrestricted

    # --- values --------------------------------------------------------------------------

    def of(self, expr: ir.Expr) -> PropertyWords | None:
        """The words of a property, where the expression is one."""
        expr, _ = unfolded(expr)
        match expr:
            case ir.Prop(EntityRef(entity=entity), key):
                return self.words.property(entity.types, key, entity.noun)
            case ir.Prop(LinkRef(link=link), key):
                return self.words.property(link.labels, key)
            case ir.Prop(Member(noun=noun, types=types), key):
                return self.words.property(types, key, noun)
            case Derived():
                return self.of(expr.expr)
            case ir.Agg(name, (argument,)) if name in ("min", "max", "avg", "sum"):
                return of_many(self.of(argument), name)
            case Scalar():
                return self.of(expr.expr)
        return None

    def the(self, thing: Entity | Link) -> str:
        """A definite noun phrase for an entity or a link."""
        return f"the {(thing.name or thing.noun) if isinstance(thing, Entity) else thing.name}"

    def owned(self, thing: Entity | Link, noun: str) -> str:
        """A property of something: "the museum's name", or "the name" where that is clear."""
        if thing is self.here:
            return f"the {noun}"
        if thing is self.its:
            return f"its {noun}"
        if isinstance(thing, Link) and (
            f"{noun} ".startswith(f"{thing.name} ")
            or (self.block is not None and sole(thing, noun, self.block, self.words.nouns))
        ):
            return f"the {noun}"  # the employment start date of an employment
        owner = self.the(thing)
        if within(owner) or " of " in owner:
            return f"the {noun} of {owner}"  # the name of the member in charge
        return f"{possessive(owner)} {noun}"

    def np(self, expr: ir.Expr) -> str:
        """A definite noun phrase for a value, in the singular."""
        inner, _ = unfolded(expr)
        value = constant(inner)
        if value is not None:
            return value.text()
        match inner:
            case EntityRef(entity=entity):
                return self.the(entity)
            case LinkRef(link=link):
                return self.the(link)
            case ir.Prop(EntityRef(entity=thing) | LinkRef(link=thing)):
                words = self.of(inner)
                assert words is not None  # noqa: S101 - a property has words
                if words.kind is Kind.BOOLEAN and self.flags:
                    return f"whether {self.clause(inner)}"
                return self.owned(thing, words.noun)
            case ir.Prop(base, key) if key in ("year", "month", "day", "hour", "minute"):
                return f"the {key} of {self.np(base)}"
            case ir.Agg():
                return self.measure(inner)
            case Derived(block=block, alias=alias):
                return self._earlier(block, alias, inner.expr)
            case Scalar(block=block):
                return self.scalar(block, inner.expr)
            case Inner(kind="count", block=block):
                return f"the number of {self.subquery(block, 'plural')}"
            case ir.Arith(op, left, right):
                return share(self, inner) or self._named(inner) or self.arithmetic(op, left, right)
            case ir.Case():
                return self._named(inner) or self.case(inner)
            case ir.Call(name) if name in ("head", "last", "length", "size") and gathers(inner):
                return gathered(self, inner)
            case ir.Call("round"):
                return share(self, inner) or self._named(inner) or self.call(inner)
            case ir.Call():
                return self._named(inner) or self.call(inner)
            case ir.Neg(arg):
                return f"minus {self.np(arg)}"
            case ir.Compare() | ir.Bool() | ir.Not() | ir.IsNull() | ir.In() | ir.Text():
                return f"whether {self.clause(inner)}"
        return gathered(self, inner)

    def _earlier(self, block: Block, alias: str, expr: ir.Expr) -> str:
        """A result of an earlier stage, under the name it got there."""
        aliases = [alias, *(item.alias for item in block.items if item.expr == expr)]
        for name in aliases:
            if (id(block), name) in self.derived:
                return self.derived[id(block), name]
        return self.np(expr)

    def arithmetic(self, op: ir.ArithOp, left: ir.Expr, right: ir.Expr) -> str:
        """A calculation, said so that what belongs together is clear."""
        one, two = self._operand(left), self._operand(right)
        nested = isinstance(left, ir.Arith) or isinstance(right, ir.Arith)
        if nested and op not in (ir.ArithOp.ADD, ir.ArithOp.MUL):
            one = f"({one})" if isinstance(left, ir.Arith) else one
            two = f"({two})" if isinstance(right, ir.Arith) else two
        span = constant(right)
        if span is not None and span.moment == "duration" and op in SHIFTS:
            return f"{two} {SHIFTS[op]} {one}"
        match op:
            case ir.ArithOp.ADD if Kind.STRING in (self._kind(left), self._kind(right)):
                return f"{one} followed by {two}"
            case ir.ArithOp.ADD:
                return f"the sum of {one} and {two}"
            case ir.ArithOp.SUB:
                return f"{one} minus {two}"
            case ir.ArithOp.MUL:
                return f"{one} times {two}"
            case ir.ArithOp.DIV:
                return f"{one} divided by {two}"
            case ir.ArithOp.MOD:
                return f"the remainder of {one} divided by {two}"
        return f"{one} to the power of {two}"

    def _operand(self, expr: ir.Expr) -> str:
        """A value with its unit, which may be all that tells two of them apart."""
        words = self.of(expr)
        match expr:
            case ir.Prop(EntityRef(entity=thing) | LinkRef(link=thing)) if words and words.unit:
                return self.owned(thing, words.full)
        return self.np(expr)

    def _kind(self, expr: ir.Expr) -> Kind:
        value = constant(expr)
        if value is not None and isinstance(value.value, str):
            return Kind.STRING
        words = self.of(expr)
        return words.kind if words is not None else Kind.ANY

    def _named(self, expr: ir.Expr) -> str:
        """The result's name, with how it is computed in brackets at its first mention."""
        for known, name in self.cases:
            if known == expr:
                return name
        for item in self.block.items if self.block is not None else ():
            name = self.result_name(item) if item.expr == expr else ""
            if name:
                self.cases.append((expr, name))
                return f"{name} ({self.computed(expr)})"
        return ""

    def result_name(self, item: ir.Item) -> str:
        """The name that the author gave to a computed result: "the age"."""
        computed = isinstance(item.expr, ir.Case | ir.Arith | ir.Call)
        if isinstance(item.expr, ir.Call) and gathers(item.expr):
            return ""
        if not computed or not item.named or not item.alias.isidentifier():
            return ""
        if isinstance(item.expr, ir.Case):
            return f"the {' '.join(spoken(item.alias))}"
        # Names that a translator made hold the names of what they were made from.
        made = any(p.key.lower() in item.alias.lower() for p in find(item.expr, ir.Prop))
        plain = item.alias.isascii() and item.alias.isalpha() and not has_aggregate(item.expr)
        return "" if made or not plain else f"the {' '.join(spoken(item.alias))}"

    def computed(self, expr: ir.Expr) -> str:
        """How a named result is computed."""
        match expr:
            case ir.Case():
                return self.case(expr)
            case ir.Arith(op, left, right):
                return self.arithmetic(op, left, right)
            case ir.Call():
                return self.call(expr)
        raise NotExpressible(type(expr).__name__)

    def case(self, expr: ir.Case) -> str:
        """A CASE: "“large” if …, otherwise “small”"."""
        parts = []
        for when in expr.whens:
            test = when.condition
            if expr.operand is not None:
                test = ir.Compare(ir.CompareOp.EQ, expr.operand, test)
            parts.append(f"{self.np(when.result)} if {self.clause(test)}")
        default = "nothing" if expr.default is None else self.np(expr.default)
        return f"{', '.join(parts)}, and otherwise {default}"

    def call(self, expr: ir.Call) -> str:
        """A function."""
        args = expr.args
        match expr.name, len(args):
            case (("size" | "length" | "char_length"), 1):
                return f"the length of {self.np(args[0])}"
            case "abs", 1:
                return f"the absolute value of {self.np(args[0])}"
            case "round", 1:
                return f"{self.np(args[0])} rounded to a whole number"
            case "round", 2 if (places := constant(args[1])) and isinstance(places.value, int):
                return f"{self.np(args[0])} rounded to {places.value} decimal places"
            case (("floor" | "ceil"), 1):
                way = "down" if expr.name == "floor" else "up"
                return f"{self.np(args[0])} rounded {way}"
            case "coalesce", 2:
                return f"{self.np(args[0])} (or {self.np(args[1])} where it is missing)"
            case "trim", 1:
                return f"{self.np(args[0])} without blanks around it"
            case (("toFloat" | "toInteger"), 1):
                whole = " as a whole number" if expr.name == "toInteger" else ""
                return f"{self.np(args[0])}{whole}"
            case (("left" | "right"), 2):
                side = "first" if expr.name == "left" else "last"
                return f"the {side} {self.np(args[1])} characters of {self.np(args[0])}"
            case "substring", 3:
                start, many = constant(args[1]), constant(args[2])
                part = date_part(self.of(args[0]), start and start.value, constant(args[2]))
                if part:
                    return f"the {part} of {self.np(args[0])}"
                if start is not None and start.value == 0 and many is not None:
                    return f"the first {many.text()} characters of {self.np(args[0])}"
            case "head", 1:
                return self.np(args[0])
            case "date", 1:
                return f"the date of {self.np(args[0])}"
        return gathered(self, expr)

    # --- measures ------------------------------------------------------------------------

    def measure(self, agg: ir.Agg) -> str:
        """An aggregate as a noun phrase, with the things it ranges over."""
        return f"the {self.bare_measure(agg)}"

    def bare_measure(self, agg: ir.Agg, *, owner: bool = True) -> str:
        """An aggregate without its article: "number of artworks", "average fee of the loans"."""
        block = self.block
        if said := conditional(self, agg):
            return f"{'share' if agg.name == 'avg' else 'number'} of {said}"
        if agg.name == "count":
            return self._count(agg, block, owner=owner)
        if agg.name.startswith("percentile"):
            return percentile(self, agg, owner=owner)
        if len(agg.args) != 1:
            raise NotExpressible(f"{agg.name}()")
        (argument,) = agg.args
        if agg.name == "collect":
            order = block.within if block is not None else []
            ordered = f" ({self.order_words(order)})" if order else ""
            return f"list of {self._values(argument, different=agg.distinct)}{ordered}"
        if agg.name not in AGGREGATES:
            raise NotExpressible(f"{agg.name}()")
        words = self.of(argument)
        inner, _ = unfolded(argument)
        if words is None or not isinstance(inner, ir.Prop):
            name = self.np(argument)
            return f"{ranging_over(agg.name)} of {name}"
        name = AGGREGATES[agg.name]
        if agg.name in TIMELY:
            if words.temporal or words.year or words.clock:
                name = TIMELY[agg.name]
            elif words.kind is Kind.STRING:
                name = ALPHABETIC[agg.name]
        if agg.distinct and agg.name in ("sum", "avg"):
            name += " of the different values of the"
        if agg.name == "sum" and words.noun.split()[0] == "total":
            name, words = "sum of the", replace(words, noun=plural(words.noun), raw=True)
        said = f"{name} {amount_of(words)}{f' in {words.unit}' if words.unit else ''}"
        thing = thing_of(inner.base)
        return f"{said} of the {many_of(thing)}" if owner and thing is not None else said

    def _count(self, agg: ir.Agg, block: Block | None, *, owner: bool) -> str:
        different = "different " if agg.distinct else ""
        if not agg.args:
            return f"number of {row_nouns(block)}"
        inner, _ = unfolded(agg.args[0])
        match inner:
            case EntityRef(entity=entity):
                return f"number of {different}{plural(entity.name)}"
            case LinkRef(link=link) if " " not in link.words.noun:
                return f"number of {plural(link.name)}"
            case LinkRef() if not agg.distinct:
                return f"number of {row_nouns(block)}"
            case ir.Prop(EntityRef(entity=entity), key) if (
                not agg.distinct and key in self.words.keys(entity.types)
            ):
                return f"number of {plural(entity.name)}"
            case ir.Prop(EntityRef(entity=entity), key) if agg.distinct and (key,) == tuple(
                self.words.keys(entity.types)
            ):
                return f"number of different {plural(entity.name)}"
            case ir.Prop(base):
                words = self.of(inner)
                thing = thing_of(base)
                if words is None or thing is None:
                    raise NotExpressible("count()")
                if agg.distinct:
                    types = thing.types if isinstance(thing, Entity) else ()
                    noun = self.words.referred(types, inner.key) or words.noun
                    of = f" of the {many_of(thing)}" if owner else ""
                    return f"number of different {plural(noun)}{of}"
                return f"number of {many_of(thing)} with a known {words.noun}"
            case TrailRef(trail=trail):
                return f"number of {'shortest ' if trail.shortest else ''}chains"
        raise NotExpressible("count() of an expression")

    def _values(self, expr: ir.Expr, *, different: bool) -> str:
        words = self.of(expr)
        inner, _ = unfolded(expr)
        if words is not None and isinstance(inner, ir.Prop | Derived):
            return f"{'different ' if different else ''}{plural(words.noun)}"
        if isinstance(inner, EntityRef):
            return f"{'different ' if different else ''}{plural(inner.entity.name)}"
        raise NotExpressible("collect() of an expression")

    def scalar(self, block: Block, expr: ir.Expr) -> str:
        """The one value of a query: "the average fee of all loans"."""
        outer, self.block = self.block, block
        here, self.here = self.here, None
        try:
            match expr:
                case ir.Call("head", (ir.Agg("collect", (value,)),)):
                    return self.np(value)
                case ir.Agg("count") if not expr.distinct:
                    return f"the number of {self.subquery(block, 'all')}"
                case ir.Agg(_, (argument,)):
                    inner, _ = unfolded(argument)
                    words = self.of(inner)
                    thing = thing_of(inner.base) if isinstance(inner, ir.Prop) else None
                    if words is None or thing is None:
                        return f"{self.measure(expr)} over {self.subquery(block, 'all')}"
                    if isinstance(thing, Link):
                        return f"{self.measure(expr)} over {self.subquery(block, 'all')}"
                    said = self.bare_measure(expr, owner=False)
                    return f"the {said} of {self.subquery(block, 'all')}"
                case ir.Arith(op, left, right):
                    one, two = self.scalar(block, left), self.scalar(block, right)
                    return joined(op, one, two)
            plain = constant(expr)
            if plain is not None:
                return plain.text()
        finally:
            self.block, self.here = outer, here
        raise NotExpressible("scalar subquery")

    # --- conditions ----------------------------------------------------------------------

    def clause(self, expr: ir.Expr, *, negated: bool = False) -> str:
        """A condition as a clause with subject and verb."""
        match expr:
            case ir.Not(arg):
                return self.clause(arg, negated=not negated)
            case ir.Bool(op, args):
                return self._connected(op, args, negated=negated)
            case ir.Compare(op, left, right):
                if said := outnumbers(OPPOSITE[op] if negated else op, left, right, self.of):
                    return said
                subject, verb = self.comparison(op, left, right, negated=negated)
                return f"{subject} {verb}"
            case ir.In() | ir.Text() | ir.IsNull():
                subject, verb = self.test(expr, negated=negated)
                return f"{subject} {verb}"
            case Inner(kind="exists", block=block):
                return self.existence(block, negated)
            case ir.Quantifier():
                return every(self, expr, negated=negated)
            case Same(one=one, ordered=True):
                return f"each {group_of(self.block)} of {plural(one.noun)} counts only once"
            case ir.In(item, listed) if not isinstance(listed, ir.ListOf | ir.Prop):
                subject, among = membership(self, item, listed)
                return f"{subject} is {'not ' if negated else ''}among {among}"
            case ir.Call("coalesce", (test, ir.Literal(False))):
                return self.clause(test, negated=negated)
            case ir.Prop():
                words = self.of(expr)
                if words is not None and words.kind is Kind.BOOLEAN:
                    return self.clause(
                        ir.Compare(ir.CompareOp.EQ, expr, ir.Literal(True)), negated=negated
                    )
            case ir.LabelTest(EntityRef(entity=entity), labels):
                noun = self.words.entity_noun(labels, ())
                return f"{self.the(entity)} is {'not ' if negated else ''}{a(noun)}"
        raise NotExpressible(type(expr).__name__)

    def _connected(self, op: ir.BoolOp, args: tuple[ir.Expr, ...], *, negated: bool) -> str:
        if op is ir.BoolOp.XOR:
            raise NotExpressible("XOR")
        both = (op is ir.BoolOp.AND) is not negated
        parts = [said for arg in args for said in self._operands(arg, both, negated=negated)]
        if both:
            if any(part.startswith("either ") for part in parts):
                return f"both {', and '.join(parts)}"
            return listing(parts)
        if any(" and " in part for part in parts):
            return f"either {', or '.join(parts)}"
        if any(" or " in part for part in parts):
            return f"either {', or '.join(parts)}"
        return f"either {listing(parts, 'or')}"

    def nullness(self, *, known: bool) -> str:
        """The verb phrase of a null test."""
        return "is known" if known else "is unknown"

    def _operands(self, arg: ir.Expr, both: bool, *, negated: bool) -> list[str]:
        """The clauses of an operand; those of the same connective are not nested."""
        while isinstance(arg, ir.Not):
            arg, negated = arg.arg, not negated
        same = isinstance(arg, ir.Bool) and arg.op is not ir.BoolOp.XOR
        if same and isinstance(arg, ir.Bool) and ((arg.op is ir.BoolOp.AND) is not negated) is both:
            return [c for each in arg.args for c in self._operands(each, both, negated=negated)]
        return [self.clause(arg, negated=negated)]

    def comparison(
        self, op: ir.CompareOp, left: ir.Expr, right: ir.Expr, *, negated: bool = False
    ) -> tuple[str, str]:
        """Subject and verb phrase of a comparison."""
        if constant(left) is not None and constant(right) is None:
            left, right, op = right, left, FLIPPED[op]
        if negated:
            op = OPPOSITE[op]
        if part := self._part(op, left, right):
            return part
        subject, folded = unfolded(left)
        words = self.of(left)
        value = constant(unfolded(right)[0])
        if value is not None and isinstance(value.value, bool) and words is not None:
            if op not in (ir.CompareOp.EQ, ir.CompareOp.NE):
                raise NotExpressible("an order of flags")
            truth = value.value is (op is ir.CompareOp.EQ)
            return self._flag(subject, words, truth=truth)
        if isinstance(subject, EntityRef) and isinstance(right, EntityRef):
            verb = "is" if op is ir.CompareOp.EQ else "is not"
            return self.np(subject), f"{verb} {self.np(right)}"
        other = value.text(words) if value is not None else self.np(right)
        if isinstance(right, ir.Arith) and op in SHIFTED:
            span = constant(right.right)
            if span is not None and span.moment == "duration":
                return self.np(subject), f"is {SHIFTED[op].format(other)}"
        verb = compared(op, other, words, value)
        if folded and value is not None:
            verb += " (ignoring case)"
        return self.np(subject), verb

    def _part(self, op: ir.CompareOp, left: ir.Expr, right: ir.Expr) -> tuple[str, str] | None:
        """A year or a month of a moment: "the joining date is in March"."""
        value = constant(right)
        match left:
            case ir.Prop(ir.Prop() as base, "year") if value is not None and op in YEARS:
                return self.np(base), f"is {YEARS[op].format(value.value)}"
            case ir.Prop(ir.Prop() as base, "month") if op in (ir.CompareOp.EQ, ir.CompareOp.NE):
                month = value.value if value is not None else None
                if isinstance(month, int) and 1 <= month <= 12:
                    name = MONTHS[month - 1]
                    return self.np(base), f"is {'' if op is ir.CompareOp.EQ else 'not '}in {name}"
        return None

    def order_words(self, order: list[ir.SortKey]) -> str:
        """An order inside a sentence: "sorted by price from highest to lowest"."""
        return f"sorted by {', then by '.join(self.sorted_by(key) for key in order)}"

    def sorted_by(self, key: ir.SortKey) -> str:
        """One sort key: "the price from highest to lowest"."""
        words = self.of(key.expr)
        said = self.np(key.expr)
        if words is not None and words.kind is Kind.BOOLEAN:
            return f"{said} (those that are first)" if key.descending else said
        if words is not None and words.timely:
            way = ("latest", "earliest")
        elif isinstance(key.expr, ir.Agg | ir.Arith | Derived) or words is None:
            way = ("highest", "lowest")
        elif words.kind is Kind.STRING:
            return f"{said} in {'reverse ' if key.descending else ''}alphabetical order"
        else:
            way = ("highest", "lowest")
        first, last = way if key.descending else way[::-1]
        return f"{said} from {first} to {last}"

    def _flag(self, subject: ir.Expr, words: PropertyWords, *, truth: bool) -> tuple[str, str]:
        """A boolean: "the city is coastal", "the profile has no restoration lab"."""
        thing = thing_of(subject.base) if isinstance(subject, ir.Prop) else None
        if thing is None or not self.flags:
            assert isinstance(subject, ir.Prop)  # noqa: S101 - only properties have words
            said = self.owned(thing, words.noun) if thing is not None else self.np(subject)
            return said, f"is {'true' if truth else 'false'}"
        return self.the(thing), flag(words, truth=truth, many=False)

    def test(self, expr: ir.Expr, *, negated: bool = False) -> tuple[str, str]:
        """Subject and verb phrase of IN, text tests and null tests."""
        match expr:
            case ir.In(item, ir.Prop() as options) if constant(item) is not None:
                value = constant(item)
                assert value is not None  # noqa: S101 - asked for above
                words = self.of(options)
                many = "" if words is not None and words.plural else "s"
                verb = f"do{'' if not many else 'es'} not include" if negated else f"include{many}"
                return self.np(options), f"{verb} {value.text()}"
            case ir.In(item, ir.ListOf(options)):
                subject, _ = unfolded(item)
                words = self.of(subject)
                values = [constant(option) for option in options]
                if any(value is None or isinstance(value.value, bool) for value in values):
                    raise NotExpressible("IN over expressions")
                texts = [value.text(words) for value in values if value is not None]
                return self.np(subject), agreed(chosen(texts, negated=negated), words)
            case ir.Text(op, left, right):
                subject, folded = unfolded(left)
                value = constant(unfolded(right)[0])
                other = value.text(self.of(left)) if value is not None else self.np(right)
                verb = tested(op, other, folded=folded, negated=negated)
                return self.np(subject), agreed(verb, self.of(left))
            case ir.IsNull(arg, no):
                known = no is not negated
                subject, _ = unfolded(arg)
                if isinstance(subject, EntityRef | LinkRef):
                    return "there", f"is {'a' if known else 'no'} {self.the(thing_of(subject))[4:]}"
                return self.np(subject), agreed(self.nullness(known=known), self.of(subject))
        raise NotExpressible(type(expr).__name__)
