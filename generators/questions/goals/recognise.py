"""Which goal a plan has: from the shape of its stages, whatever it was made of."""

from __future__ import annotations

from dataclasses import replace

from generators.questions.author import NoWording
from generators.questions.goals.expressions import (
    aggregate_of,
    derived_in,
    held_against,
    property_of,
)
from generators.questions.goals.figures import Figures
from generators.questions.goals.model import Against, Ask, Column, Figure, Relation, Thing, Top
from generators.questions.goals.trees import Forest
from generators.questions.lexicon.model import Lexicon, ThingKind
from generators.questions.plan.model import Block, Derived, Entity, EntityRef, Plan, TrailRef
from generators.questions.plan.types import Types
from graph_ir import nodes as ir

_EDGE = 3  # parts of a path along one edge
_SORTING = frozenset({ThingKind.CATEGORY, ThingKind.PLACE, ThingKind.ORGANISATION})


def recognise(plan: Plan, lexicon: Lexicon, types: Types) -> Ask:
    """The goal of a plan with all its slots.

    Raises:
        NoWording: it has none that people ask for.
    """
    if not isinstance(plan, Block):
        raise NoWording("a set operation")
    ask = Recogniser(lexicon, types).block(plan)
    for atom in ask.atoms():
        if isinstance(atom, Relation) and len(atom.along) == _EDGE:
            atom.rivals = types.joining(atom.along[0], atom.along[-1]) > 1
            if atom.how == "no" and types.may_be_elsewhere(atom.along[-1], atom.along[0]):
                atom.rivals = True
    return ask


class Recogniser(Figures):
    """Recognises goals over one schema and its lexicon."""

    def block(self, block: Block) -> Ask:
        """The goal of a block with the stages before it."""
        if block.skip is not None:
            raise NoWording("OFFSET")
        if block.previous is not None:
            return self._staged(block, block.previous)
        if block.keys is None:
            match [item.expr for item in block.items]:
                case [ir.Call("length", (TrailRef(trail=trail),))]:
                    return self._distance(block, trail)
            return self._listing(block)
        return self._grouped(block) if block.keys else self._overall(block)

    # --- several stages ------------------------------------------------------------------

    def _staged(self, block: Block, before: Block) -> Ask:
        if before.previous is not None or before.once:
            raise NoWording("three stages")
        if block.keys == []:
            return self._of_figures(block, before)
        if block.keys is None and before.keys:
            held = [c for c in block.conditions if any(derived_in(c))]
            if held:
                return self._in_group(block, before, held)
            return self._follow_up(block, before)
        raise NoWording("groups of groups")

    def _of_figures(self, block: Block, before: Block) -> Ask:
        """A figure of figures: the average number of orders, how many have more than ten."""
        (item, *more) = block.items
        agg = aggregate_of(item.expr)
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
        op, key, owner, figure, times = held_against(held[0])
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
            if not focus.bare:  # "the task with the most points" is the best of the tasks
                raise NoWording("the best of all, if it is such a one")
            ask.goal = "best-of-each"
            ask.group_named = self._named(block, group)
            ask.top = Top(Column(focus, focus.type, key), measure.how == "max", 1)
        elif measure.how == "avg" and op in (">", "<", ">=", "<="):
            if not self._sorts(relation.other.type):
                raise NoWording("the average of one's own group", "Nobody has a price of his own.")
            ask.goal = "exception"
            focus.against = [Against(key, op, figure=measure, of_group=True, times=times)]
        else:
            raise NoWording("a comparison with a figure of its group")
        self._known_once(
            block, forest, owner, [*shown, Column(relation.other, relation.other.type)]
        )
        return ask

    def _sorts(self, type: str) -> bool:
        """Whether things are compared within a group of this type: one that says what sort they are
        or where they belong."""
        words = self.lexicon.thing(type)
        return words is not None and words.kind in _SORTING

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
        shown = [owner for owner, _ in (property_of(i.expr) for i in items) if owner is not group]
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
        ask = Ask("follow-up", focus, columns, relation=relation, second=inner, distinct=both)
        ask.named = self._named(block, shown[0])
        return ask
