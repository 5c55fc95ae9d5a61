"""Lists, paths, shares and subqueries as values, in words: what `Speech` says with more effort."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generators.questions.author import NotExpressible
from generators.questions.plan.model import (
    Block,
    Derived,
    Entity,
    EntityRef,
    Inner,
    LinkRef,
    Member,
    Scalar,
    Trail,
    TrailRef,
    refs,
)
from generators.questions.plan.wording import constant, unfolded
from graph_ir import nodes as ir
from graphmill.english.inflection import cardinal, ordinal, plural
from schemagraph.model import Kind

if TYPE_CHECKING:
    from generators.questions.realise.expressions import Speech

_UNITS = {"days": "days", "months": "months", "years": "years", "hours": "hours"}
_BETWEEN = ("duration.between", "duration.inDays", "duration.inMonths", "duration.inSeconds")


def gathered(speech: Speech, expr: ir.Expr) -> str:
    """A noun phrase for a value that is made of several.

    Raises:
        NotExpressible: there is none.
    """
    match expr:
        case TrailRef(trail=trail):
            return trail_name(trail)
        case Member(noun=noun):
            return f"the {noun}"
        case ir.Prop(Member(), key):
            return f"the {speech.words.property(expr.base.types, key).noun}"  # type: ignore[attr-defined] # a member
        case ir.Prop(ir.Call(name, (start, end)), key) if name in _BETWEEN and key in _UNITS:
            return f"the number of {_UNITS[key]} between {speech.np(start)} and {speech.np(end)}"
        case ir.Call(name, (start, end)) if name in _BETWEEN:
            return f"the time between {speech.np(start)} and {speech.np(end)}"
        case ir.Call("length", (TrailRef(trail=trail),)):
            return f"the number of steps{trail_of(trail, speech)}"
        case ir.Call("size", (ir.Call("nodes" | "relationships" as name, (TrailRef() as path,)),)):
            what = "things" if name == "nodes" else "steps"
            return f"the number of {what}{trail_of(path.trail, speech)}"
        case ir.Call("size", (listed,)):
            return f"the number of {_items(speech, listed)}"
        case ir.Call("nodes" | "relationships", (TrailRef(),)):
            return f"the list of {_items(speech, expr)}"
        case ir.ListComp(_, listed, where, result):
            if where is not None:
                raise NotExpressible("a list with a filter")
            whole = _items(speech, listed)
            if result is None:
                return f"the list of {whole}"
            return f"the list of {_of_each(speech, result)} of {whole}"
        case Inner(kind="exists", block=block):
            return f"whether {speech.existence(block, False)}"
        case Inner(kind="collect", block=block):
            return f"the list of {_rows(speech, block)}"
        case ir.Index(listed, index):
            place = constant(index)
            return _at(speech, listed, place.value if place is not None else None)
        case ir.Call("head", (listed,)):
            return _at(speech, listed, 0)
        case ir.Call("last", (listed,)):
            return _at(speech, listed, -1)
        case ir.Slice(listed, lo, hi):
            return _first(speech, listed, lo, hi)
        case ir.Quantifier():
            return f"whether {every(speech, expr, negated=False)}"
    raise NotExpressible(type(expr).__name__)


def trail_name(trail: Trail) -> str:
    """ "the shortest chain from the book to the other book"."""
    return "the shortest chain" if trail.shortest else "the chain"


def trail_of(trail: Trail, speech: Speech) -> str:
    """ " from the book to the other book"."""
    source, target = trail.link.left, trail.link.right
    if trail.link.edge.direction is ir.Direction.IN:
        source, target = target, source
    which = " in the shortest chain" if trail.shortest else ""
    return f"{which} from {speech.the(source)} to {speech.the(target)}"


def _items(speech: Speech, listed: ir.Expr) -> str:
    """The items of a list, in the plural."""
    value = listed.expr if isinstance(listed, Derived) else listed
    match value:
        case ir.Call("nodes", (TrailRef(trail=trail),)):
            ends = {trail.link.left.noun, trail.link.right.noun}
            noun = plural(next(iter(ends))) if len(ends) == 1 else "things"
            return f"{noun} along {trail_name(trail)}"
        case ir.Call("relationships", (TrailRef(trail=trail),)):
            return f"{plural(trail.link.words.noun)} along {trail_name(trail)}"
        case ir.Agg("collect", (argument,)):
            return speech._values(argument, different=value.distinct)
        case Inner(kind="collect", block=block):
            return _rows(speech, block)
    return f"items of {speech.np(listed)}"


def _of_each(speech: Speech, result: ir.Expr) -> str:
    match result:
        case ir.Prop(Member(types=types), key):
            return plural(speech.words.property(types, key).noun)
    raise NotExpressible("a list of computed items")


def _rows(speech: Speech, block: Block) -> str:
    """What COLLECT lists: "titles of the three books with the highest price …"."""
    if len(block.items) != 1:
        raise NotExpressible("a list of several columns")
    inner, _ = unfolded(block.items[0].expr)
    words = speech.of(inner)
    match inner:
        case EntityRef(entity=entity):
            column = ""
        case ir.Prop(EntityRef(entity=entity)) if words is not None:
            column = f"{plural(words.noun)} of "
        case _:
            raise NotExpressible("a list of computed values")
    if entity not in block.entities or block.previous is not None or block.keys is not None:
        raise NotExpressible("a list of stages")
    different = "different " if block.distinct else ""
    order, limit, skip = block.order, block.limit, block.skip
    block.order, block.limit, block.skip = [], None, None
    try:
        said = speech.subquery(block, "plural")
    finally:
        block.order, block.limit, block.skip = order, limit, skip
    if skip or (limit is not None and not order):
        raise NotExpressible("a part of a list")
    if limit is not None:
        best = by_best(speech, order, entity)
        few = "the one" if limit == 1 else f"the {cardinal(limit)}"
        return f"{different}{column}{few} with {best} among the {said}"
    sorted_ = f", {speech.order_words(order)}," if order else ""
    return f"{different}{column}{'the ' if column else ''}{said}{sorted_}"


def by_best(speech: Speech, order: list[ir.SortKey], entity: Entity) -> str:
    """ "the highest price", from the sort keys that choose."""
    keys = [key for key in order if not isinstance(key.expr, ir.IsNull)]
    if not keys:
        raise NotExpressible("a part of a list")
    outer, speech.here = speech.here, entity
    words, first = speech.of(keys[0].expr), keys[0]
    said = speech.np(first.expr)
    speech.here = outer
    if words is not None and (words.temporal or words.year or words.clock):
        way = "latest" if first.descending else "earliest"
    elif words is not None and words.kind is Kind.STRING:
        way = "alphabetically last" if first.descending else "alphabetically first"
    else:
        way = "highest" if first.descending else "lowest"
    return f"the {way} {said.removeprefix('the ')}"


def _collected(speech: Speech, listed: ir.Expr) -> tuple[Block | None, ir.Expr]:
    """The block and the argument of a collected list."""
    match listed:
        case Derived(block=block, expr=ir.Agg("collect", (argument,))):
            return block, argument
        case ir.Agg("collect", (argument,)):
            return speech.block, argument
    raise NotExpressible("an item of a list")


def _at(speech: Speech, listed: ir.Expr, number: object) -> str:
    """One item of a collected list: "the title of the book with the highest price"."""
    block, argument = _collected(speech, listed)
    if not isinstance(number, int):
        raise NotExpressible("an item of a list")
    if block is None or not block.within:
        place = "last" if number == -1 else ordinal(number + 1)
        return f"the {place} of {speech.np(listed)}"
    if number not in (0, -1):
        raise NotExpressible("an item of a sorted list")
    flipped = number == -1
    keys = [ir.SortKey(k.expr, k.descending is not flipped) for k in block.within]
    inner, _ = unfolded(argument)
    thing = next(iter(refs(keys[0].expr)), None)
    same = isinstance(thing, Entity)
    match inner:
        case EntityRef(entity=entity) if same and entity is thing:
            return f"the {entity.name} with {by_best(speech, keys, entity)}"
        case ir.Prop(EntityRef(entity=entity)):
            words = speech.of(inner)
            assert words is not None  # noqa: S101 - a property has words
            if entity is thing:
                return f"the {words.noun} of the {entity.name} with {by_best(speech, keys, entity)}"
            return f"the {entity.name}'s {words.noun} with {_best_of(speech, keys)}"
    words = speech.of(inner)
    if words is None:
        raise NotExpressible("an item of a sorted list")
    return f"the {words.noun} with {_best_of(speech, keys)}"


def _best_of(speech: Speech, keys: list[ir.SortKey]) -> str:
    said = speech.np(keys[0].expr).removeprefix("the ").removeprefix("that ")
    return f"the {'highest' if keys[0].descending else 'lowest'} {said}"


def _first(speech: Speech, listed: ir.Expr, lo: ir.Expr | None, hi: ir.Expr | None) -> str:
    """The first items of a collected list: "the titles of the three books with …"."""
    block, argument = _collected(speech, listed)
    start = constant(lo) if lo is not None else None
    end = constant(hi) if hi is not None else None
    if (start is not None and start.value != 0) or end is None or not isinstance(end.value, int):
        raise NotExpressible("a part of a list")
    many = cardinal(end.value)
    if block is None or not block.within:
        return f"the first {many} of {speech.np(listed)}"
    inner, _ = unfolded(argument)
    match inner:
        case EntityRef(entity=entity):
            return f"the {many} {plural(entity.name)} with {by_best(speech, block.within, entity)}"
        case ir.Prop(EntityRef(entity=entity)):
            words = speech.of(inner)
            assert words is not None  # noqa: S101 - a property has words
            things = f"the {many} {plural(entity.name)}"
            best = by_best(speech, block.within, entity)
            return f"the {plural(words.noun)} of {things} with {best}"
    raise NotExpressible("a part of a list")


def every(speech: Speech, test: ir.Quantifier, *, negated: bool) -> str:
    """all, any, none, single: "every book along the chain has a price above 30"."""
    kind = test.kind
    if negated and kind in (ir.QuantifierKind.ANY, ir.QuantifierKind.NONE):
        flip = {ir.QuantifierKind.ANY: ir.QuantifierKind.NONE}
        kind, negated = flip.get(kind, ir.QuantifierKind.ANY), False
    words = {
        ir.QuantifierKind.ALL: "each of",
        ir.QuantifierKind.ANY: "at least one of",
        ir.QuantifierKind.NONE: "none of",
        ir.QuantifierKind.SINGLE: "exactly one of",
    }
    items = _items(speech, test.list)
    clause = speech.clause(test.where)
    match test.where:
        case ir.Compare(_, ir.Prop(Member()), right) if constant(right) is not None:
            subject, verb = speech.comparison(test.where.op, test.where.left, right)
            said = f"for {words[kind]} the {items}, {subject} {verb}"
        case _:
            said = f"for {words[kind]} the {items}, {clause}"
    return f"it is not true that {said}" if negated else said


def share(speech: Speech, expr: ir.Expr) -> str:
    """A part of a whole: "the share of loans that are overdue", "" where it is none."""
    scale, inner = 1.0, expr
    match expr:
        case ir.Arith(ir.ArithOp.MUL, ir.Agg("avg") as agg, ir.Literal(100 | 100.0)):
            said = conditional(speech, agg)
            return f"the percentage of {said}" if said else ""
        case ir.Arith(ir.ArithOp.MUL, ir.Literal(100 | 100.0), ir.Agg("avg") as agg):
            said = conditional(speech, agg)
            return f"the percentage of {said}" if said else ""
        case ir.Call("round", (arg, *_)):
            said = share(speech, arg)
            places = constant(expr.args[1]) if len(expr.args) > 1 else None
            shown = "a whole number" if places is None else f"{places.value} decimal places"
            return f"{said} rounded to {shown}" if said else ""
        case ir.Arith(ir.ArithOp.MUL, one, two):
            for factor, rest in ((one, two), (two, one)):
                value = constant(factor)
                if value is not None and value.value in (100, 100.0):
                    scale, inner = 100.0, rest
    match inner:
        case ir.Arith(ir.ArithOp.DIV, part, whole):
            top, top_scale = _unscaled(part)
            bottom, _ = _unscaled(whole)
            scale = max(scale, top_scale)
            if isinstance(top, Derived):
                top = top.expr
            if isinstance(bottom, Derived):
                bottom = bottom.expr
            match top, bottom:
                case ir.Agg("sum" | "count"), ir.Agg("count") if not bottom.distinct:
                    said = conditional(speech, top)
                    word = "percentage" if scale > 1 else "share"
                    return f"the {word} of {said}" if said else ""
    return ""


def _unscaled(expr: ir.Expr) -> tuple[ir.Expr, float]:
    """An expression without conversion and without factors of 1 and 100."""
    scale = 1.0
    while True:
        match expr:
            case ir.Call("toFloat", (inner,)):
                expr = inner
            case ir.Arith(ir.ArithOp.MUL, ir.Literal(1.0 | 1 | 100 | 100.0 as factor), inner):
                expr, scale = inner, scale * float(factor)
            case ir.Arith(ir.ArithOp.MUL, inner, ir.Literal(1.0 | 1 | 100 | 100.0 as factor)):
                expr, scale = inner, scale * float(factor)
            case _:
                return expr, scale


def conditional(speech: Speech, agg: ir.Agg) -> str:
    """`sum(CASE WHEN … THEN 1 ELSE 0 END)`: "loans that are overdue", "" for any other."""
    if len(agg.args) != 1 or agg.distinct or agg.name not in ("sum", "count", "avg"):
        return ""
    match agg.args[0]:
        case ir.Case((ir.When(test, ir.Literal(1 | 1.0)),), default, None):
            zero = default is None or default in (ir.Literal(0), ir.Literal(0.0))
            whole = agg.name == "avg" and default is None
            if not zero or whole or (agg.name == "count" and default is not None):
                return ""
        case ir.Case((ir.When(test, EntityRef() | LinkRef()),), None, None) if agg.name == "count":
            pass
        case _:
            return ""
    things = list(dict.fromkeys(t for t in refs(test)))
    if len(things) == 1 and isinstance(things[0], Entity):
        return f"{plural(things[0].name)} {speech.restriction(test, things[0])}"
    from generators.questions.plan.cardinality import row_nouns

    return f"{row_nouns(speech.block)} for which {speech.clause(test)}"


def membership(speech: Speech, item: ir.Expr, listed: ir.Expr) -> tuple[str, str]:
    """Subject and list of IN over a collected list: "the member", "the members who …"."""
    inner, _ = unfolded(item)
    match listed:
        case Scalar(block=block, expr=ir.Agg("collect", (argument,))):
            value, _ = unfolded(argument)
            match inner, value:
                case (EntityRef(entity=one), EntityRef(entity=two)):
                    block.root = two
                    return speech.the(one), speech.subquery(block, "all")
                case (ir.Prop(EntityRef(entity=one), key), ir.Prop(EntityRef(entity=two), other)):
                    same = speech.words.keys(one.types) == (key,)
                    block.root = two
                    if same and speech.words.keys(two.types) == (other,) and one.types == two.types:
                        return speech.the(one), speech.subquery(block, "all")
            words = speech.of(value)
            if words is not None:
                nouns = plural(words.noun)
                return speech.np(item), f"the {nouns} of {speech.subquery(block, 'all')}"
    return speech.np(item), speech.np(listed)


def percentile(speech: Speech, agg: ir.Agg, *, owner: bool) -> str:
    """ "median price of the books", "90th percentile of the price"."""
    place = constant(agg.args[1])
    if place is None or not isinstance(place.value, int | float):
        raise NotExpressible("a percentile that is computed")
    inner, _ = unfolded(agg.args[0])
    words = speech.of(inner)
    if words is not None and isinstance(inner, ir.Prop) and isinstance(inner.base, EntityRef):
        said = words.noun + (f" of the {plural(inner.base.entity.name)}" if owner else "")
    else:
        said = speech.np(inner).removeprefix("the ")
    rank = place.value * 100
    if rank == 50:
        return f"median {said}"
    which = ordinal(int(rank)) if rank == int(rank) and rank > 10 else f"{rank:g}th"
    return f"{which} percentile of the {said}"
