"""Goals that give figures: over all, for each value of a property, for each thing."""

from __future__ import annotations

from dataclasses import replace

from generators.questions.author import NoWording
from generators.questions.goals.expressions import (
    aggregate_of,
    aggregates_in,
    bound_of,
    merge_only,
    property_of,
)
from generators.questions.goals.model import Ask, Column, Figure, Thing, Year
from generators.questions.goals.pairs import Pairs
from generators.questions.goals.trees import Forest
from generators.questions.lexicon.model import Role
from generators.questions.plan.cardinality import row_entities
from generators.questions.plan.model import Block, Entity, EntityRef, refs
from graph_ir import nodes as ir

_GRADED = frozenset({Role.MONEY, Role.SHARE, Role.RATING})


class Figures(Pairs):
    """Recognises figures over all, for values and for things."""

    # --- figures over all ----------------------------------------------------------------

    def _overall(self, block: Block) -> Ask:
        aggregates = [aggregate_of(item.expr) for item in block.items]
        if block.having or block.windowed or len(aggregates) > 2:
            raise NoWording("several figures at once")
        root = self._measured(block, aggregates[0])
        conditions, against = self._compared(block, root)
        forest = Forest(block, self.lexicon, [root], conditions)
        focus = forest.grow(root)
        focus.against = against
        if any(each.figure is None for each in against):
            raise NoWording("a figure of comparisons")
        forest.finish()
        figures = [self._figure(block, forest, agg, root) for agg in aggregates]
        for figure in figures:
            if figure.key:
                self._drop_known(Column(focus, focus.type, figure.key))
        self._see_several(block, focus, 0)
        goal = "figure" if figures[0].key else "count"
        goal = "share" if figures[0].how == "share" else goal
        goal = "count-values" if figures[0].key and figures[0].how == "count" else goal
        graded = all(self._is_graded(focus.type, each.key) for each in against)
        if goal == "count" and against and not (graded and focus.bare_but_against):
            raise NoWording("how many are above average", "Nobody calls a thing, or some, so.")
        merge_only(focus)
        if len(figures) == 2 and {f.how for f in figures} != {"min", "max"}:
            raise NoWording("several figures at once")
        return Ask(goal, focus, figures=figures)

    def _is_graded(self, owner: str, key: str) -> bool:
        """Whether a thing is called after how much it has: longer, expensive, well rated."""
        words = self.lexicon.property(owner, key)
        return words is not None and (bool(words.more or words.most) or words.kind in _GRADED)

    def _measured(self, block: Block, agg: ir.Agg) -> Entity:
        """The entity of which a figure is taken."""
        match agg.args:
            case (EntityRef(entity=entity),) if agg.distinct:
                return entity
            case (ir.Prop(EntityRef(entity=entity)),):
                measured = entity
            case (ir.Case((ir.When(test, _),)),) | (ir.Case((ir.When(test, _),), _),):
                things = [thing for thing in refs(test) if isinstance(thing, Entity)]
                if len(things) != 1:
                    raise NoWording("a share of a link")
                measured = things[0]
            case () | (EntityRef(),):
                rows = row_entities(block)
                if len(rows) != 1:
                    raise NoWording("a number of combinations")
                return rows[0]
            case _:
                raise NoWording("a figure of something computed")
        if (
            not agg.distinct
            and agg.name not in ("min", "max")
            and row_entities(block) != [measured]
        ):
            raise NoWording("a figure that takes things several times")
        return measured

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
        """Figures for groups, and which groups they are for."""
        keys = list(block.keys or ())
        shown = [agg for item in block.items if isinstance(agg := item.expr, ir.Agg)]
        every = _all_figures(block, shown)
        if not every or len(every) > 2 or len(block.having) > 1:
            raise NoWording("groups of several figures")
        root = self._measured(self._flat(block), every[0])
        entity = self._group_entity(keys)
        ask = self._tally(block, entity, root) if entity else self._breakdown(block, keys, root)
        forest = self._forest
        ask.figures = [self._figure(self._flat(block), forest, agg, root) for agg in every]
        ask.shown = bool(shown)
        if shown and len(shown) < len(every):
            raise NoWording("a figure that is not the one of the order")
        for figure in ask.figures:
            if figure.key and figure.how != "count":
                self._drop_known(Column(figure.thing, figure.thing.type, figure.key))
        figured = replace(block, items=[ir.Item(agg, "") for agg in every])
        ask.top = self._top(figured, forest, ask.figures)
        ask.bound = bound_of(block.having[0]) if block.having else None
        ask.goal = self._group_goal(ask)
        if entity is not None:
            ask.columns = self._group_columns(block, ask.focus, entity)
            ask.named = self._named(block, entity)
        elif [i.expr for i in block.items if not isinstance(i.expr, ir.Agg)] != keys:
            raise NoWording("groups that are not shown")
        return ask

    def _group_goal(self, ask: Ask) -> str:
        """The goal of a tally or a breakdown, by which of its groups are asked for."""
        if ask.bound is not None:
            return "threshold"
        if ask.top is not None and ask.top.count and isinstance(ask.top.by, Figure):
            return "rank-by-tally"
        first = ask.figures[0]
        timed = first.how in ("min", "max") and self._is_moment(first.owner, first.key)
        if ask.goal == "tally" and timed:
            return "sequence"
        return "trend" if ask.goal == "breakdown" and isinstance(ask.group, Year) else ask.goal

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
        flat = {key.key if isinstance(key, ir.Prop) else "" for key in keys}
        if flat <= set(names) and self._is_whole(thing.types[0], flat):
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
        if forest.is_line(counted):
            raise NoWording("a number of lines", "Nobody counts the lines of a document.")
        relation = next((r for r in focus.relations if r.other.entity is counted), None)
        if relation is None:
            raise NoWording("a figure of what is far away")
        along = relation.along
        if self.lexicon.path(along) is None and self.types.joining(along[0], along[-1]) > 1:
            raise NoWording("one of several relations", "Nothing says which of them is meant.")
        focus.relations.remove(relation)
        if focus.apart or any(each.steps for each in focus.relations):
            raise NoWording("groups of what is reached", "Each other one is no group.")
        return Ask(
            "tally", focus, group=focus, relation=relation, other=None, zero=bool(block.optional)
        )

    def _breakdown(self, block: Block, keys: list[ir.Expr], counted: Entity) -> Ask:
        """Figures for each value of a property."""
        if block.optional:
            raise NoWording("groups with an optional part")
        if any(link.edge.hops is not None for link in block.links):
            raise NoWording("groups of what is reached", "Its question would end too far away.")
        (key,) = keys
        near = [thing for thing in refs(key) if isinstance(thing, Entity)]
        self._forest = forest = Forest(block, self.lexicon, [counted, *near])
        focus = forest.grow(counted)
        forest.finish()
        group: Column | Year | None = self._moment(key, forest)
        if group is None:
            owner, name = property_of(key)
            if not isinstance(owner, Entity) or id(owner) not in forest.things:
                raise NoWording("groups by a link")
            thing = forest.things[id(owner)]
            group = Column(thing, thing.type, name)
        ask = Ask("breakdown", focus, group=group)
        if group.thing is not focus:
            relation = next((r for r in focus.relations if r.other is group.thing), None)
            if relation is None:
                raise NoWording("groups by what is far away")
            if group.thing.type == focus.type:
                raise NoWording("groups by another of its kind", "Whose it is is not told.")
            focus.relations.remove(relation)
            ask.relation = relation
        self._drop_known(Column(group.thing, group.owner, group.key))
        return ask

    def _group_columns(self, block: Block, focus: Thing, entity: Entity) -> list[Column]:
        names = self._naming(focus.type)
        columns = []
        for item in block.items:
            if isinstance(item.expr, ir.Agg):
                continue
            owner, key = property_of(item.expr)
            if owner is not entity:
                raise NoWording("a result beside the groups")
            if key not in names:
                columns.append(Column(focus, focus.type, key))
        return columns


def _all_figures(block: Block, shown: list[ir.Agg]) -> list[ir.Agg]:
    """The aggregates of a block, each once: those shown, then those of its bound and order."""
    bounding = [agg for condition in block.having for agg in aggregates_in(condition)]
    ordering = [key.expr for key in block.order if isinstance(key.expr, ir.Agg)]
    return list(dict.fromkeys([*shown, *bounding, *ordering]))
