"""Which goal a plan has: from the shape of its stages, whatever it was made of."""

from __future__ import annotations

from dataclasses import replace

from generators.questions.author import NoWording
from generators.questions.goals.model import (
    Against,
    Ask,
    Bound,
    Column,
    Either,
    Figure,
    Op,
    Relation,
    Test,
    Thing,
    Top,
    Year,
)
from generators.questions.goals.trees import OPS, Forest
from generators.questions.lexicon.model import Lexicon
from generators.questions.plan.cardinality import row_entities, settled
from generators.questions.plan.constants import FLIPPED, constant
from generators.questions.plan.model import (
    Block,
    Derived,
    Entity,
    EntityRef,
    Link,
    LinkRef,
    Plan,
    Same,
    Scalar,
    refs,
)
from generators.questions.plan.types import Types
from graph_ir import nodes as ir

_PARTS = ("year", "month")


def recognise(plan: Plan, lexicon: Lexicon, types: Types) -> Ask:
    """The goal of a plan with all its slots.

    Raises:
        NoWording: it has none that people ask for.
    """
    if not isinstance(plan, Block):
        raise NoWording("a set operation")
    return Recogniser(lexicon, types).block(plan)


class Recogniser:
    """Recognises goals over one schema and its lexicon."""

    def __init__(self, lexicon: Lexicon, types: Types) -> None:
        self.lexicon = lexicon
        self.types = types

    def block(self, block: Block) -> Ask:
        """The goal of a block with the stages before it."""
        if block.skip is not None:
            raise NoWording("OFFSET")
        if block.previous is not None:
            return self._staged(block, block.previous)
        if block.keys is None:
            return self._listing(block)
        return self._grouped(block) if block.keys else self._overall(block)

    # --- lists of things -----------------------------------------------------------------

    def _listing(self, block: Block) -> Ask:
        shown = [_property(item.expr) for item in block.items]
        root = self._root(block, [owner for owner, _ in shown])
        pair = [c for c in block.conditions if isinstance(c, Same)]
        if pair:
            return self._pair(block, pair)
        conditions, against = self._compared(block, root)
        others = [owner for owner, _ in shown if isinstance(owner, Entity)]
        forest = Forest(block, self.lexicon, [root, *others], conditions)
        focus = forest.grow(root)
        focus.against = against
        optional = self._optional(block, forest)
        forest.finish() if optional is None else self._rest(forest)
        ask = Ask("find", focus, distinct=block.distinct)
        ask.columns = self._columns(block, forest, root)
        self._known_once(block, forest, root, ask.columns)
        ask.named = self._named(block, root)
        ask.top = self._top(block, forest, [])
        if isinstance(by := ask.top.by if ask.top else None, Column):
            self._drop_known(by)
        ask.goal = self._goal(ask)
        if optional is not None:
            ask.goal, ask.zero = "with-or-without", True
        return ask

    def _root(self, block: Block, owners: list[object]) -> Entity:
        things = [owner for owner in owners if isinstance(owner, Entity)]
        if not things:
            raise NoWording("results without a thing")
        return things[0]

    def _columns(self, block: Block, forest: Forest, root: Entity) -> list[Column]:
        """What is shown beside the focus itself."""
        found: dict[tuple[int, str], Column] = {}
        for item in block.items:
            owner, key = _property(item.expr)
            if isinstance(owner, Entity):
                thing = forest.things.get(id(owner))
                if thing is None:
                    raise NoWording("a result of a junction")
                names = self._naming(thing.type)
                if key in names and owner is root:
                    continue
                column = Column(thing, thing.type, "" if key in names else key)
                found.setdefault((id(owner), column.key), column)
            else:
                along = [r for r in forest.relations.values() if r.link is owner]
                if not along or not isinstance(owner, Link):
                    raise NoWording("a result of a junction")
                found[id(owner), key] = Column(along[0].other, owner.labels[0], key)
        return list(found.values())

    def _naming(self, type: str) -> tuple[str, ...]:
        words = self.lexicon.thing(type)
        return (*(words.name if words is not None else ()), *self.types.keys((type,)), "")

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
        found: list[Against] = []
        for condition in block.conditions:
            match condition:
                case ir.Compare(op, ir.Prop(EntityRef(entity=one), key), Scalar() as scalar):
                    if one is not root:
                        raise NoWording("a figure of another thing, held against an average")
                    found.append(self._against_figure(op, key, scalar))
                case ir.Compare(op, Scalar() as scalar, ir.Prop(EntityRef(entity=one), key)):
                    if one is not root:
                        raise NoWording("a figure of another thing, held against an average")
                    found.append(self._against_figure(FLIPPED[op], key, scalar))
                case _:
                    rest.append(condition)
        return rest, found

    def _against_figure(self, op: ir.CompareOp, key: str, scalar: Scalar) -> Against:
        block = scalar.block
        figure = self._overall(block)
        if figure.goal not in ("figure",) or len(figure.figures) != 1:
            raise NoWording("a comparison with a computed figure")
        (one,) = figure.figures
        if one.key != key:
            raise NoWording("a comparison of two properties")
        return Against(key, OPS[op], other=figure.focus, figure=one)

    def _pair(self, block: Block, pair: list[Same]) -> Ask:
        """Two things of one kind: they share a third, or one is compared with the other."""
        raise NoWording("a pair")

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
        if len(thing.relations) != 1 or thing.tests or thing.name:
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
            return "rank"
        if focus.against:
            return "exception" if focus.against[0].figure is not None else "comparison"
        if focus.name and not focus.relations:
            return "detail"
        _merge_only(focus)
        hows = [relation.how for relation in focus.relations]
        if "only" in hows:
            return "only"
        if "no" in hows:
            some = [r for r in focus.relations if r.how == "some"]
            none = [r for r in focus.relations if r.how == "no"]
            return "this-not-that" if _alike(some, none) else "absence"
        same = [r.along for r in focus.relations if r.how == "some"]
        if len(same) == 2 and same[0] == same[1]:
            return "both"
        return "either" if any(isinstance(t, Either) for t in focus.tests) else "find"

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
        owner, key = _property(expr)
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

    # --- figures over all ----------------------------------------------------------------

    def _overall(self, block: Block) -> Ask:
        aggregates = [_aggregate(item.expr) for item in block.items]
        if block.having or block.windowed or len(aggregates) > 2:
            raise NoWording("several figures at once")
        root = self._measured(block, aggregates[0])
        conditions, against = self._compared(block, root)
        forest = Forest(block, self.lexicon, [root], conditions)
        focus = forest.grow(root)
        focus.against = against
        forest.finish()
        figures = [self._figure(block, forest, agg, root) for agg in aggregates]
        for figure in figures:
            if figure.key:
                self._drop_known(Column(focus, focus.type, figure.key))
        goal = "figure" if figures[0].key else "count"
        goal = "share" if figures[0].how == "share" else goal
        _merge_only(focus)
        if len(figures) == 2 and {f.how for f in figures} != {"min", "max"}:
            raise NoWording("several figures at once")
        return Ask(goal, focus, figures=figures)

    def _measured(self, block: Block, agg: ir.Agg) -> Entity:
        """The entity of which a figure is taken."""
        match agg.args:
            case (EntityRef(entity=entity),) if agg.distinct:
                return entity
            case (ir.Prop(EntityRef(entity=entity)),):
                found = entity
            case (ir.Case((ir.When(test, _),)),) | (ir.Case((ir.When(test, _),), _),):
                things = [thing for thing in refs(test) if isinstance(thing, Entity)]
                if len(things) != 1:
                    raise NoWording("a share of a link")
                found = things[0]
            case () | (EntityRef(),):
                rows = row_entities(block)
                if len(rows) != 1:
                    raise NoWording("a number of combinations")
                return rows[0]
            case _:
                raise NoWording("a figure of something computed")
        if not agg.distinct and agg.name not in ("min", "max") and row_entities(block) != [found]:
            raise NoWording("a figure that takes things several times")
        return found

    def _figure(self, block: Block, forest: Forest, agg: ir.Agg, root: Entity) -> Figure:
        thing = forest.things.get(id(self._measured(block, agg)))
        if thing is None:
            raise NoWording("a figure of a junction")
        match agg.args:
            case (ir.Case((ir.When(test, ir.Literal(1 | 1.0)),), ir.Literal(0 | 0.0)),):
                if agg.name == "avg":
                    return Figure("share", thing, test=forest._plain(thing.type, test))
            case (ir.Prop(EntityRef(), key),) if agg.name in ("sum", "avg", "min", "max"):
                if not agg.distinct:
                    return Figure(agg.name, thing, thing.type, key)  # type: ignore[arg-type]
            case (ir.Prop(EntityRef(), key),) if agg.name == "count" and agg.distinct:
                return Figure("count", thing, thing.type, key, distinct=True)
            case () | (EntityRef(),) if agg.name == "count":
                return Figure("count", thing)
        raise NoWording(f"the figure {agg.name}")

    # --- figures for groups --------------------------------------------------------------

    def _grouped(self, block: Block) -> Ask:
        keys = list(block.keys or ())
        aggregates = [agg for item in block.items if isinstance(agg := item.expr, ir.Agg)]
        bounded = block.having
        inside = [a for c in bounded for a in _aggregates(c)]
        order = [k.expr for k in block.order if isinstance(k.expr, ir.Agg)]
        every = list(dict.fromkeys([*aggregates, *inside, *order]))
        if not every or len(every) > 2 or len(bounded) > 1:
            raise NoWording("groups of several figures")
        root = self._measured(self._flat(block), every[0])
        entity = self._group_entity(keys)
        ask = self._tally(block, entity, root) if entity else self._breakdown(block, keys, root)
        forest = self._forest
        figures = [self._figure(self._flat(block), forest, agg, root) for agg in every]
        ask.figures = figures
        ask.shown = bool(aggregates)
        if aggregates and len(aggregates) < len(every):
            raise NoWording("a figure that is not the one of the order")
        for figure in figures:
            if figure.key and figure.how != "count":
                self._drop_known(Column(figure.thing, figure.thing.type, figure.key))
        ask.top = self._top(
            replace(block, items=[ir.Item(agg, "") for agg in every]), forest, figures
        )
        if bounded:
            ask.bound = _bound(bounded[0])
            ask.goal = "threshold"
        elif ask.top is not None and ask.top.count and isinstance(ask.top.by, Figure):
            ask.goal = "rank-by-tally"
        if isinstance(ask.group, Year) and ask.goal == "breakdown":
            ask.goal = "trend"
        if entity is not None:
            ask.columns = self._group_columns(block, ask.focus, entity)
            ask.named = self._named(block, entity)
        else:
            plain = [i for i in block.items if not isinstance(i.expr, ir.Agg)]
            if [i.expr for i in plain] != keys:
                raise NoWording("groups that are not shown")
        return ask

    def _named(self, block: Block, entity: Entity) -> tuple[str, ...]:
        """The name or the key of a thing, as the answer has it."""
        names = self._naming(entity.types[0])
        shown = [_property(i.expr) for i in block.items if not _figures(i.expr)]
        return tuple(key for owner, key in shown if owner is entity and key in names)

    @staticmethod
    def _flat(block: Block) -> Block:
        """The block with its optional part in it, for what a row stands for."""
        if not block.optional:
            return block
        (part,) = block.optional if len(block.optional) == 1 else (None,)
        if part is None:
            raise NoWording("two optional parts")
        return replace(
            block,
            entities=[*block.entities, *part.entities],
            links=[*block.links, *part.links],
            conditions=[*block.conditions, *part.conditions],
            optional=[],
        )

    def _group_entity(self, keys: list[ir.Expr]) -> Entity | None:
        """The thing that all keys are of and that they tell apart."""
        things = {id(thing): thing for key in keys for thing in refs(key)}
        if len(things) != 1:
            if len(keys) > 1:
                raise NoWording("two group keys")
            return None
        (thing,) = things.values()
        if not isinstance(thing, Entity) or len(thing.types) != 1:
            return None
        names = self._naming(thing.types[0])
        if any(isinstance(key, EntityRef) for key in keys):
            return thing
        flat = [key.key if isinstance(key, ir.Prop) else "" for key in keys]
        if all(name in names for name in flat):
            return thing
        if len(keys) > 1:
            raise NoWording("two group keys")
        return None

    def _tally(self, block: Block, group: Entity, counted: Entity) -> Ask:
        """Figures for each thing."""
        flat = self._flat(block)
        self._forest = forest = Forest(flat, self.lexicon, [group, counted])
        focus = forest.grow(group)
        forest.finish()
        if counted is group:
            raise NoWording("a figure of each thing by itself")
        relation = next((r for r in focus.relations if r.other.entity is counted), None)
        if relation is None:
            raise NoWording("a figure of what is far away")
        focus.relations.remove(relation)
        return Ask(
            "tally", focus, group=focus, relation=relation, other=None, zero=bool(block.optional)
        )

    def _breakdown(self, block: Block, keys: list[ir.Expr], counted: Entity) -> Ask:
        """Figures for each value of a property."""
        if block.optional:
            raise NoWording("groups with an optional part")
        (key,) = keys
        near = [thing for thing in refs(key) if isinstance(thing, Entity)]
        self._forest = forest = Forest(block, self.lexicon, [counted, *near])
        focus = forest.grow(counted)
        forest.finish()
        group: Column | Year | None = self._moment(key, forest)
        if group is None:
            owner, name = _property(key)
            if not isinstance(owner, Entity) or id(owner) not in forest.things:
                raise NoWording("groups by a link")
            thing = forest.things[id(owner)]
            group = Column(thing, thing.type, name)
        ask = Ask("breakdown", focus, group=group)
        if group.thing is not focus:
            relation = next((r for r in focus.relations if r.other is group.thing), None)
            if relation is None:
                raise NoWording("groups by what is far away")
            focus.relations.remove(relation)
            ask.relation = relation
        self._drop_known(Column(group.thing, group.owner, group.key))
        return ask

    def _group_columns(self, block: Block, focus: Thing, entity: Entity) -> list[Column]:
        names = self._naming(focus.type)
        found = []
        for item in block.items:
            if isinstance(item.expr, ir.Agg):
                continue
            owner, key = _property(item.expr)
            if owner is not entity:
                raise NoWording("a result beside the groups")
            if key not in names:
                found.append(Column(focus, focus.type, key))
        return found

    def _moment(self, expr: ir.Expr, forest: Forest) -> Year | None:
        match expr:
            case ir.Prop(ir.Prop(EntityRef(entity=entity), key), part) if part in _PARTS:
                thing = forest.things.get(id(entity))
                if thing is None:
                    raise NoWording("a moment of a junction")
                return Year(thing, thing.type, key, part)
        return None

    # --- several stages ------------------------------------------------------------------

    def _staged(self, block: Block, before: Block) -> Ask:
        if before.previous is not None or before.once:
            raise NoWording("three stages")
        if block.keys == []:
            return self._of_figures(block, before)
        if block.keys is None and before.keys:
            held = [c for c in block.conditions if any(_derived(c))]
            if held:
                return self._in_group(block, before, held)
            return self._follow_up(block, before)
        raise NoWording("groups of groups")

    def _of_figures(self, block: Block, before: Block) -> Ask:
        """A figure of figures: the average number of orders, how many have more than ten."""
        (item, *more) = block.items
        agg = _aggregate(item.expr)
        if more or block.links or block.conditions or block.windowed:
            raise NoWording("a figure of figures with conditions")
        if before.windowed:
            raise NoWording("a figure of the first few")
        inner = self._grouped(before)
        if not isinstance(inner.group, Thing):
            raise NoWording("a figure of figures of values")
        match agg:
            case ir.Agg("count", () | (EntityRef(),)) if inner.bound is not None:
                return replace(inner, goal="count-threshold", columns=[])
            case ir.Agg("avg" | "max" | "min" as how, (Derived(),)) if inner.bound is None:
                outer = Figure(how, inner.focus)
                return replace(inner, goal="figure-of-figures", extra=[outer], columns=[])
        raise NoWording("a figure of figures")

    def _in_group(self, block: Block, before: Block, held: list[ir.Expr]) -> Ask:
        """The best of each group, or what differs from the average of its group."""
        if len(held) != 1 or before.windowed or before.having or before.order:
            raise NoWording("several comparisons with figures of groups")
        op, key, owner, figure, times = _held(held[0])
        group = self._group_entity(list(before.keys or ()))
        if group is None or group not in block.entities:
            raise NoWording("a figure of groups of values")
        inner = self._grouped(before)
        if inner.relation is None or not inner.focus.bare or not inner.relation.other.bare:
            raise NoWording("a figure of a part of each group")
        conditions = [c for c in block.conditions if c is not held[0]]
        forest = Forest(block, self.lexicon, [group, owner], conditions)
        focus = forest.grow(owner)
        forest.finish()
        relation = next((r for r in focus.relations if r.other.entity is group), None)
        if relation is None or len(inner.figures) != 1:
            raise NoWording("a figure of another group")
        (measure,) = inner.figures
        if measure.key != key or measure.thing.type != focus.type:
            raise NoWording("a comparison of two properties")
        focus.relations.remove(relation)
        shown = self._columns_of(block, forest, owner, group, figure)
        ask = Ask("", focus, columns=shown, group=relation.other, relation=relation)
        ask.named = self._named(block, owner)
        if op == "=" and measure.how in ("min", "max"):
            ask.goal = "best-of-each"
            ask.top = Top(Column(focus, focus.type, key), measure.how == "max", 1)
        elif measure.how == "avg" and op in (">", "<", ">=", "<="):
            ask.goal = "exception"
            focus.against = [Against(key, op, figure=measure, of_group=True, times=times)]
        else:
            raise NoWording("a comparison with a figure of its group")
        self._known_once(
            block, forest, owner, [*shown, Column(relation.other, relation.other.type)]
        )
        return ask

    def _columns_of(
        self, block: Block, forest: Forest, owner: Entity, group: Entity, figure: Derived
    ) -> list[Column]:
        items = [i for i in block.items if not (isinstance(i.expr, Derived) and i.expr == figure)]
        columns = self._columns(replace(block, items=items), forest, owner)
        return [c for c in columns if not (c.thing.entity is group and not c.key)]

    def _follow_up(self, block: Block, before: Block) -> Ask:
        """Some things first, then what is beside them."""
        if block.order or block.windowed or block.conditions:
            raise NoWording("a follow-up with conditions")
        items = [i for i in block.items if not isinstance(i.expr, Derived)]
        if len(items) < len(block.items):
            raise NoWording("a follow-up with figures")
        group = self._group_entity(list(before.keys or ()))
        if group is None or len(block.links) != 1:
            raise NoWording("a follow-up of values")
        inner = self._grouped(before)
        others = [e for e in block.entities if e is not group]
        shown = [owner for owner, _ in (_property(i.expr) for i in items) if owner is not group]
        if not shown or not isinstance(shown[0], Entity) or len(others) != 1:
            raise NoWording("a follow-up without a thing")
        forest = Forest(replace(block, conditions=[]), self.lexicon, [group, shown[0]])
        focus = forest.grow(shown[0])
        forest.finish()
        if len(focus.relations) != 1 or inner.goal not in ("rank-by-tally", "threshold"):
            raise NoWording("a follow-up")
        columns = self._columns(replace(block, items=items), forest, shown[0])
        if not block.distinct:
            self._known_once(replace(block, previous=None), forest, shown[0], columns)
        relation = focus.relations[0]
        focus.relations = []
        both = any(c.thing.entity is group for c in columns)
        ask = Ask("follow-up", focus, [], relation=relation, second=inner, distinct=both)
        ask.named = self._named(block, shown[0])
        return ask


def _held(condition: ir.Expr) -> tuple[Op, str, Entity, Derived, int | float]:
    """A property held against a figure of the stage before."""
    match condition:
        case ir.Compare(op, ir.Prop(EntityRef(entity=one), key), Derived() as figure):
            return OPS[op], key, one, figure, 1
        case ir.Compare(
            op,
            ir.Prop(EntityRef(entity=one), key),
            ir.Arith(ir.ArithOp.MUL, ir.Literal(int() | float() as times), Derived() as figure),
        ):
            return OPS[op], key, one, figure, times
    raise NoWording("a comparison with a figure of groups")


def _derived(expr: ir.Node) -> list[Derived]:
    from graph_ir.walk import find

    return [expr] if isinstance(expr, Derived) else list(find(expr, Derived))


def _merge_only(thing: Thing) -> None:
    """There are some of a kind, and none of another: only those."""
    for none in [r for r in thing.relations if r.how == "no"]:
        for some in [r for r in thing.relations if r.how == "some" and r.along == none.along]:
            one, other = some.other, none.other
            if len(one.tests) != 1 or len(other.tests) != 1 or one.relations or other.relations:
                continue
            yes, no = one.tests[0], other.tests[0]
            if not isinstance(yes, Test) or not isinstance(no, Test) or some.tests or none.tests:
                continue
            opposite = {"=": "<>", "in": "not in"}.get(yes.op)
            if yes.key == no.key and no.op == opposite and yes.values == no.values:
                some.how = "only"
                thing.relations.remove(none)
                break


def _alike(some: list[Relation], none: list[Relation]) -> bool:
    return len(some) == 1 and len(none) == 1 and some[0].along == none[0].along


def _property(expr: ir.Expr) -> tuple[Entity | object, str]:
    match expr:
        case EntityRef(entity=entity):
            return entity, ""
        case ir.Prop(EntityRef(entity=entity), key):
            return entity, key
        case ir.Prop(LinkRef(link=link), key):
            return link, key
    raise NoWording("a computed result")


def _figures(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Agg | Derived)


def _aggregate(expr: ir.Expr) -> ir.Agg:
    if isinstance(expr, ir.Agg):
        return expr
    raise NoWording("a computed figure")


def _aggregates(expr: ir.Node) -> list[ir.Agg]:
    from graph_ir.walk import find

    return list(find(expr, ir.Agg))


def _bound(condition: ir.Expr) -> Bound:
    match condition:
        case ir.Compare(op, ir.Agg(), right) if value := constant(right):
            return Bound(OPS[op], value)
        case ir.Compare(op, left, ir.Agg()) if value := constant(left):
            return Bound(OPS[FLIPPED[op]], value)
    raise NoWording("a filter on groups")
