"""A plan with its detours straightened: what a translator must spell out, people say at once.

Nothing here changes the meaning: an aggregate that is null without rows, an OPTIONAL MATCH that
only finds what is missing, a foreign key compared instead of followed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from generators.questions.author import NotExpressible
from generators.questions.plan.cardinality import grouped_by
from generators.questions.plan.model import (
    Block,
    Entity,
    EntityRef,
    Inner,
    Plan,
    Same,
    Scalar,
    parts_of,
    refs,
)
from generators.questions.plan.types import Types
from graph_ir import nodes as ir
from graph_ir.walk import with_fields


def normalise(plan: Plan, types: Types) -> None:
    """Straighten a plan and all its blocks, in place."""
    if not isinstance(plan, Block):
        for part in plan.parts:
            normalise(part, types)
        return
    if plan.previous is not None:
        normalise(plan.previous, types)
    for expr in list(_expressions(plan)):
        for inner in _inner(expr):
            normalise(inner, types)
    _change(plan, _sum_or_null)
    _change(plan, _one_of)
    plan.conditions = [c for c in plan.conditions if not _tautology(c)]
    plan.having = [c for c in plan.having if not _known(c, plan)]
    _sorted_once(plan)
    _pairs(plan, types)
    _without_repeated_nulls(plan)
    _absences(plan)
    _known_already(plan)
    late = [entity for part in plan.optional for entity in part.every_entity()]
    if any(thing in late for condition in plan.conditions for thing in refs(condition)):
        raise NotExpressible("a filter on an optional part")


def _sorted_once(block: Block) -> None:
    """What has been sorted by says nothing when it comes again."""
    kept: list[ir.SortKey] = []
    for key in block.order:
        if not any(key.expr == other.expr for other in kept):
            kept.append(key)
    block.order = kept


def identify(plan: Plan, types: Types) -> None:
    """Note which of the things in its keys a grouped block tells apart."""
    if not isinstance(plan, Block):
        for part in plan.parts:
            identify(part, types)
        return
    if plan.previous is not None:
        identify(plan.previous, types)
    for expr in _expressions(plan):
        for inner in _inner(expr):
            identify(inner, types)
    for entity in grouped_by(plan):
        own = [k for k in plan.keys or () if any(thing is entity for thing in refs(k))]
        names = {k.key for k in own if isinstance(k, ir.Prop)}
        wanted = set(types.keys(entity.types))
        if any(isinstance(k, EntityRef) for k in own) or (wanted and wanted <= names):
            plan.identified.append(entity)
        else:
            plan.named.append(entity)


def _expressions(block: Block) -> list[ir.Expr]:
    expressions = [*block.conditions, *block.having, *(block.keys or [])]
    expressions += [item.expr for item in block.items] + [key.expr for key in block.order]
    for part in block.optional:
        expressions += _expressions(part)
    return expressions


def _inner(expr: ir.Node) -> list[Block]:
    if isinstance(expr, Inner | Scalar):
        return [expr.block]
    return [b for name in parts_of(expr) for b in _inner_of(getattr(expr, name))]


def _inner_of(value: Any) -> list[Block]:
    if isinstance(value, ir.Node):
        return _inner(value)
    if isinstance(value, tuple):
        return [b for item in value for b in _inner_of(item)]
    return []


def change(expr: ir.Expr, how: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """The expression with `how` applied to every part of it, subqueries excepted."""
    if isinstance(expr, Inner | Scalar):
        return how(expr)
    updates: dict[str, Any] = {}
    for name in parts_of(expr):
        value = getattr(expr, name)
        if isinstance(value, ir.Expr):
            new = change(value, how)
            if new is not value:
                updates[name] = new
        elif isinstance(value, tuple) and any(isinstance(v, ir.Expr | ir.When) for v in value):
            updates[name] = tuple(_changed(v, how) for v in value)
    return how(with_fields(expr, updates) if updates else expr)


def _changed(node: Any, how: Callable[[ir.Expr], ir.Expr]) -> Any:
    if isinstance(node, ir.When):
        return ir.When(change(node.condition, how), change(node.result, how))
    return change(node, how) if isinstance(node, ir.Expr) else node


def _change(block: Block, how: Callable[[ir.Expr], ir.Expr]) -> None:
    block.conditions = [change(c, how) for c in block.conditions]
    block.having = [change(c, how) for c in block.having]
    block.items = [replace(item, expr=change(item.expr, how)) for item in block.items]
    block.order = [replace(key, expr=change(key.expr, how)) for key in block.order]
    if block.keys is not None:
        block.keys = [change(key, how) for key in block.keys]
    for part in block.optional:
        _change(part, how)


def _sum_or_null(expr: ir.Expr) -> ir.Expr:
    """`CASE WHEN count(x) = 0 THEN null ELSE sum(x) END` is SQL's sum of x."""
    match expr:
        case ir.Case(
            (
                ir.When(
                    ir.Compare(ir.CompareOp.EQ, ir.Agg("count"), ir.Literal(0)), ir.Literal(None)
                ),
            ),
            ir.Agg("sum") as total,
            None,
        ):
            return total
    return expr


def _known(condition: ir.Expr, block: Block) -> bool:
    """Whether a filter on groups only drops those without the figure that is asked for."""
    match condition:
        case ir.IsNull(ir.Agg() as agg, True):
            shown = [*(item.expr for item in block.items), *(key.expr for key in block.order)]
            return any(agg == expr for expr in shown)
    return False


def _tautology(condition: ir.Expr) -> bool:
    """A comparison of two constants that always holds, as a join without a condition gives."""
    match condition:
        case ir.Compare(ir.CompareOp.NE, ir.Literal(int() as one), ir.Literal(int() as two)):
            return one != two
        case ir.Compare(ir.CompareOp.EQ, ir.Literal(int() as one), ir.Literal(int() as two)):
            return one == two
    return False


def _one_of(expr: ir.Expr) -> ir.Expr:
    """`x = 1 OR x = 2` is `x IN [1, 2]`."""
    if not isinstance(expr, ir.Bool) or expr.op is not ir.BoolOp.OR:
        return expr
    options: list[ir.Expr] = []
    first: ir.Expr | None = None
    for arg in expr.args:
        match arg:
            case ir.Compare(ir.CompareOp.EQ, left, ir.Literal() as right) if (
                first is None or left == first
            ):
                first = left
                options.append(right)
            case _:
                return expr
    assert first is not None  # noqa: S101 - a connective has operands
    return ir.In(first, ir.ListOf(tuple(options)))


def _pairs(block: Block, types: Types) -> None:
    """`a <> b` and `a.id < b.id`: two things, each pair once."""
    own = block.every_entity()
    for place, condition in enumerate(block.conditions):
        pair = _pair(condition, types)
        if pair is not None and (not pair.ordered or (pair.one in own and pair.two in own)):
            block.conditions[place] = pair


def _pair(condition: ir.Expr, types: Types) -> Same | None:
    if isinstance(condition, ir.Not):
        match condition.arg:
            case ir.Compare(ir.CompareOp.EQ, left, right):
                return _pair(ir.Compare(ir.CompareOp.NE, left, right), types)
        return None
    if not isinstance(condition, ir.Compare):
        return None
    one, two = (_keyed(side, types) for side in (condition.left, condition.right))
    if one is None or two is None or one is two or one.types != two.types:
        return None
    if condition.op is ir.CompareOp.NE:
        return Same(one, two, ordered=False)
    low_first = {ir.CompareOp.LT: (one, two), ir.CompareOp.GT: (two, one)}.get(condition.op)
    return Same(*low_first, ordered=True) if low_first is not None else None


def _keyed(side: ir.Expr, types: Types) -> Entity | None:
    """The thing that an expression is, or is the key of."""
    match side:
        case EntityRef(entity=entity):
            return entity
        case ir.Call("id" | "elementId", (EntityRef(entity=entity),)):
            return entity
        case ir.Prop(EntityRef(entity=entity), key) if types.keys(entity.types) == (key,):
            return entity
    return None


def _without_repeated_nulls(block: Block) -> None:
    """`x IS NOT NULL AND (x = y OR x IS NULL)` is `x = y`."""
    known = [c.arg for c in block.conditions if isinstance(c, ir.IsNull) and c.negated]
    conditions: list[ir.Expr] = []
    for condition in block.conditions:
        if isinstance(condition, ir.Bool) and condition.op is ir.BoolOp.OR:
            args = tuple(
                arg
                for arg in condition.args
                if not (isinstance(arg, ir.IsNull) and not arg.negated and arg.arg in known)
            )
            condition = args[0] if len(args) == 1 else replace(condition, args=args)
        conditions.append(condition)
    compared = [side for c in conditions if isinstance(c, ir.Compare) for side in (c.left, c.right)]
    block.conditions = [
        c for c in conditions if not (isinstance(c, ir.IsNull) and c.negated and c.arg in compared)
    ]


def _absences(block: Block) -> None:
    """OPTIONAL MATCH of something that must be null is NOT EXISTS."""
    for part in list(block.optional):
        own = part.entities
        for condition in list(block.conditions):
            if not isinstance(condition, ir.IsNull) or condition.negated:
                continue
            match condition.arg:
                case EntityRef(entity=entity) | ir.Prop(EntityRef(entity=entity)):
                    missing: Entity | None = entity
                case _:
                    missing = None
            if missing not in own or _speaks_of(block, own, condition):
                continue
            block.optional = [p for p in block.optional if p is not part]
            gone = ir.Not(Inner("exists", part))
            block.conditions = [gone if c is condition else c for c in block.conditions]
            break


def _known_already(block: Block) -> None:
    """OPTIONAL MATCH of a foreign key that the pattern follows anyway finds the same thing."""
    for part in list(block.optional):
        if len(part.links) != 1 or len(part.entities) != 1 or part.conditions or part.trails:
            continue
        (link,), (entity,) = part.links, part.entities
        for other in block.links:
            alike = link.functional and other.labels == link.labels and other.functional
            if not alike or other.source is not link.source or link.target is not entity:
                continue
            if any(
                entity in (k.left, k.right)
                for p in block.optional
                if p is not part
                for k in p.every_link()
            ):
                continue
            _change(block, _put(entity, other.target))
            block.optional = [p for p in block.optional if p is not part]
            break


def _put(old: Entity, new: Entity) -> Callable[[ir.Expr], ir.Expr]:
    """A change of one thing for another."""
    return lambda e: EntityRef(new) if isinstance(e, EntityRef) and e.entity is old else e


def _speaks_of(block: Block, entities: list[Entity], but: ir.Expr) -> bool:
    rest = [e for e in _expressions(replace_optional(block)) if e is not but]
    return any(thing in entities for expr in rest for thing in refs(expr))


def replace_optional(block: Block) -> Block:
    """The block without its optional parts."""
    return replace(block, optional=[])
