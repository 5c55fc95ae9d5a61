"""Goals that list things: found, looked up, ranked, with what is beside them."""

from __future__ import annotations

from dataclasses import replace

from generators.questions.author import NoWording
from generators.questions.goals.expressions import are_alike, is_figure, merge_only, property_of
from generators.questions.goals.model import (
    Against,
    Ask,
    Column,
    Either,
    Figure,
    Relation,
    Test,
    Thing,
    Top,
    Year,
)
from generators.questions.goals.trees import OPS, Forest
from generators.questions.lexicon.model import MOMENTS, Lexicon
from generators.questions.plan.cardinality import settled
from generators.questions.plan.constants import FLIPPED
from generators.questions.plan.model import (
    Block,
    Entity,
    EntityRef,
    Link,
    Same,
    Scalar,
)
from generators.questions.plan.types import Types
from graph_ir import nodes as ir

_PARTS = ("year", "month")


class Lists:
    """Recognises goals that list things, over one schema and its lexicon."""

    def __init__(self, lexicon: Lexicon, types: Types) -> None:
        self.lexicon = lexicon
        self.types = types

    def _overall(self, block: Block) -> Ask:
        """The goal of figures over all, which comparisons are held against."""
        raise NotImplementedError

    def _pair(self, block: Block, pair: list[Same]) -> Ask:
        """The goal of things that do the same to each other."""
        raise NotImplementedError

    def _listing(self, block: Block) -> Ask:
        shown = [property_of(item.expr) for item in block.items]
        root = self._root(block, [owner for owner, _ in shown])
        listed = {id(owner) for owner, _ in shown}
        pair = [c for c in block.conditions if isinstance(c, Same)]
        if any(c.ordered or {id(c.one), id(c.two)} <= listed for c in pair):
            return self._pair(block, pair)
        conditions, against = self._compared(block, root)
        others = [owner for owner, _ in shown if isinstance(owner, Entity)]
        forest = Forest(block, self.lexicon, [root, *others], conditions)
        focus = forest.grow(root)
        focus.against = against
        compared = self._compared_things(forest, focus, against)
        optional = self._optional(block, forest)
        forest.finish() if optional is None else self._rest(forest)
        ask = Ask("find", focus, distinct=block.distinct)
        ask.other, ask.relation = compared
        ask.columns = self._columns(block, forest, root)
        self._known_once(block, forest, root, ask.columns)
        ask.named = self._named(block, root)
        ask.top = self._top(block, forest, [])
        if isinstance(by := ask.top.by if ask.top else None, Column):
            self._drop_known(by)
        self._see_several(block, focus, 1)
        ask.goal = self._goal(ask)
        if optional is not None:
            ask.goal, ask.zero = "with-or-without", True
        return ask

    def _root(self, block: Block, owners: list[object]) -> Entity:
        things = [owner for owner in owners if isinstance(owner, Entity)]
        if not things:
            raise NoWording("results without a thing")
        return things[0]

    @staticmethod
    def _see_several(block: Block, focus: Thing, most: int) -> None:
        """See that it is not one thing at most, which a named one leads to and of which more than
        `most` restrictions are said: whether it is so would be the question."""
        named = [each.entity for each in focus.everything() if each.name and each is not focus]
        alone = id(focus.entity) in settled(block, named)
        if alone and len(focus.tests) + len(focus.relations) > most:
            raise NoWording("one thing at most", "It would be asked whether it is so.")

    def _columns(self, block: Block, forest: Forest, root: Entity) -> list[Column]:
        """What is shown beside the focus itself."""
        columns: dict[tuple[int, str], Column] = {}
        shown: dict[int, set[str]] = {}
        for owner, key in (property_of(item.expr) for item in block.items):
            shown.setdefault(id(owner), set()).add(key)
        for item in block.items:
            owner, key = property_of(item.expr)
            if isinstance(owner, Entity):
                thing = forest.things.get(id(owner))
                if thing is None:
                    raise NoWording("a result of a junction")
                keys = shown[id(owner)]
                whole = "" in keys or self._is_whole(thing.type, keys)
                names = self._naming(thing.type) if whole else ()  # a part of a name is a value
                if key in names and owner is root:
                    continue
                column = Column(thing, thing.type, "" if key in names else key)
                columns.setdefault((id(owner), column.key), column)
            else:
                along = [r for r in forest.relations.values() if r.link is owner]
                if not along or not isinstance(owner, Link):
                    raise NoWording("a result of a junction")
                columns[id(owner), key] = Column(along[0].other, owner.labels[0], key)
        return list(columns.values())

    def _naming(self, type: str) -> tuple[str, ...]:
        words = self.lexicon.thing(type)
        return (*(words.name if words is not None else ()), *self.types.keys((type,)), "")

    def _is_whole(self, type: str, names: set[str]) -> bool:
        """Whether properties are a whole name or key of a thing, and not a part that many share."""
        words = self.lexicon.thing(type)
        whole = [set(self.types.keys((type,))), set(words.name if words is not None else ())]
        return any(parts and parts <= names for parts in whole)

    def _known_once(
        self, block: Block, forest: Forest, root: Entity, columns: list[Column]
    ) -> None:
        """See that nothing is listed twice."""
        if block.distinct:
            return
        known = [root, *(c.thing.entity for c in columns if c.key == "")]
        settles = settled(block, known)
        for relation in forest.relations.values():
            words = self.lexicon.path(relation.along)
            if words is not None and words.pairs_unique and id(relation.other.entity) in settles:
                settles |= {id(e) for e in block.entities if id(e) not in forest.things}
        if not {id(e) for e in block.entities} <= settles:
            raise NoWording("rows that repeat")

    def _compared(self, block: Block, root: Entity) -> tuple[list[ir.Expr], list[Against]]:
        """Comparisons of the focus with other figures, apart from the other conditions."""
        rest: list[ir.Expr] = []
        comparisons: list[Against] = []
        for condition in block.conditions:
            match condition:
                case ir.Compare(op, ir.Prop(EntityRef(entity=one), key), Scalar() as scalar):
                    if one is not root:
                        raise NoWording("a figure of another thing, held against an average")
                    comparisons.append(self._against_figure(op, key, scalar))
                case ir.Compare(op, Scalar() as scalar, ir.Prop(EntityRef(entity=one), key)):
                    if one is not root:
                        raise NoWording("a figure of another thing, held against an average")
                    comparisons.append(self._against_figure(FLIPPED[op], key, scalar))
                case ir.Compare(
                    op, ir.Prop(EntityRef(entity=one), key), ir.Prop(EntityRef(entity=two), same)
                ) if key == same and root in (one, two) and one is not two:
                    side = OPS[op] if one is root else OPS[FLIPPED[op]]
                    held = Thing("", two if one is root else one)
                    comparisons.append(Against(key, side, other=held))
                case _:
                    rest.append(condition)
        return rest, comparisons

    def _compared_things(
        self, forest: Forest, focus: Thing, against: list[Against]
    ) -> tuple[Thing | None, Relation | None]:
        """The other thing of a comparison: beside the focus, or known by its name."""
        for each in against:
            if each.figure is not None or each.other is None:
                continue
            entity = each.other.entity
            relation = next((r for r in focus.relations if r.other.entity is entity), None)
            if len(against) > 1:
                raise NoWording("several comparisons")
            if relation is None:
                if id(entity) in forest.things:
                    raise NoWording("a comparison with what is far away")
                each.other = forest.grow(entity)
                if not each.other.name or each.other.tests or each.other.relations:
                    raise NoWording("a comparison with several")
                return each.other, None
            if relation.how != "some" or not relation.other.bare or relation.tests:
                raise NoWording("a comparison with a part of what is beside")
            focus.relations.remove(relation)
            each.other, each.relation = relation.other, relation
            return None, relation
        return None, None

    def _against_figure(self, op: ir.CompareOp, key: str, scalar: Scalar) -> Against:
        block = scalar.block
        figure = self._overall(block)
        if figure.goal not in ("figure",) or len(figure.figures) != 1:
            raise NoWording("a comparison with a computed figure")
        (one,) = figure.figures
        if one.key != key:
            raise NoWording("a comparison of two properties")
        return Against(key, OPS[op], other=figure.focus, figure=one)

    def _optional(self, block: Block, forest: Forest) -> Relation | None:
        """The one optional part as a relation of the focus."""
        if not block.optional:
            return None
        if len(block.optional) > 1:
            raise NoWording("two optional parts")
        (part,) = block.optional
        inner = Forest(part, self.lexicon)
        start = next(
            (e for k in part.links for e in (k.left, k.right) if id(e) in forest.things), None
        )
        if start is None:
            raise NoWording("an optional part of its own")
        thing = inner.grow(start)
        inner.finish()
        if len(thing.relations) != 1 or thing.tests or thing.name or thing.apart:
            raise NoWording("an optional part about two things")
        (relation,) = thing.relations
        forest.things |= {k: t for k, t in inner.things.items() if k != id(start)}
        forest.relations |= inner.relations
        forest.things[id(start)].relations.append(relation)
        return relation

    def _rest(self, forest: Forest) -> None:
        forest.block = replace(forest.block, optional=[])
        forest.finish()

    def _goal(self, ask: Ask) -> str:
        focus = ask.focus
        if ask.top is not None and ask.top.count:
            return self._goal_of_first(focus, ask.top)
        if any(relation.steps for thing in focus.everything() for relation in thing.relations):
            return "reach"
        if focus.against:
            return "exception" if focus.against[0].figure is not None else "comparison"
        if focus.name and not focus.relations:
            given = {test.key for test in focus.name}
            if ask.columns and not given.issuperset(ask.named):
                raise NoWording("a second name beside a detail", "It would not be asked for.")
            return "detail"
        merge_only(focus)
        return _goal_by_links(focus)

    def _goal_of_first(self, focus: Thing, top: Top) -> str:
        """The goal of those that are first in an order: the latest of a named thing, or a rank."""
        named = any(relation.other.name for relation in focus.relations)
        moment = isinstance(top.by, Column) and self._is_moment(top.by.owner, top.by.key)
        return "sequence" if moment and named and top.count == 1 else "rank"

    def _is_moment(self, owner: str, key: str) -> bool:
        words = self.lexicon.property(owner, key)
        return words is not None and words.kind in MOMENTS

    def _top(self, block: Block, forest: Forest, figures: list[Figure]) -> Top | None:
        """The order and the window."""
        order = [key for key in block.order if not isinstance(key.expr, ir.IsNull)]
        if not order:
            if block.limit is not None:
                raise NoWording("a limit without an order")
            return None
        if len(order) > 1:
            raise NoWording("a tie-break")
        (key,) = order
        by = self._sorted_by(key.expr, forest, figures, block)
        return Top(by, key.descending, block.limit or 0)

    def _sorted_by(
        self, expr: ir.Expr, forest: Forest, figures: list[Figure], block: Block
    ) -> Figure | Column | Year:
        if isinstance(expr, ir.Agg):
            aggregates = [item.expr for item in block.items if isinstance(item.expr, ir.Agg)]
            place = next((n for n, each in enumerate(aggregates) if each == expr), None)
            if place is not None and place < len(figures):
                return figures[place]
            raise NoWording("an order by what is not shown")
        moment = self._moment(expr, forest)
        if moment is not None:
            return moment
        owner, key = property_of(expr)
        if isinstance(owner, Entity) and id(owner) in forest.things:
            thing = forest.things[id(owner)]
            return Column(thing, thing.type, key)
        raise NoWording("an order by a link")

    @staticmethod
    def _drop_known(by: Column) -> None:
        """What is ranked has the value that it is ranked by."""
        by.thing.tests = [
            test
            for test in by.thing.tests
            if not (isinstance(test, Test) and test.op == "known" and test.key == by.key)
        ]

    def _named(self, block: Block, entity: Entity) -> tuple[str, ...]:
        """The name or the key of a thing, as the answer has it."""
        names = self._naming(entity.types[0])
        shown = [property_of(i.expr) for i in block.items if not is_figure(i.expr)]
        keys = [key for owner, key in shown if owner is entity and key in names]
        return tuple(keys) if "" in keys or self._is_whole(entity.types[0], {*keys}) else ()

    def _moment(self, expr: ir.Expr, forest: Forest) -> Year | None:
        match expr:
            case ir.Prop(ir.Prop(EntityRef(entity=entity), key), part) if part in _PARTS:
                thing = forest.things.get(id(entity))
                if thing is None:
                    raise NoWording("a moment of a junction")
                return Year(thing, thing.type, key, part)
        return None


def _goal_by_links(focus: Thing) -> str:
    """The goal of a list, by how what is listed has to do with other things."""
    hows = [relation.how for relation in focus.relations]
    if "only" in hows:
        return "only"
    some = [r for r in focus.relations if r.how == "some"]
    if "no" in hows:
        none = [r for r in focus.relations if r.how == "no"]
        return "this-not-that" if are_alike(some, none) else "absence"
    if len(some) == 2 and some[0].along == some[1].along:
        return "both"
    return "either" if any(isinstance(t, Either) for t in focus.tests) else "find"
