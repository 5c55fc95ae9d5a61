"""Graph-IR to a plan: variables resolved, stages merged where a sentence needs no second one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from generators.questions.author import NotExpressible
from generators.questions.plan.model import (
    Block,
    Combined,
    Derived,
    Entity,
    EntityRef,
    Inner,
    Link,
    LinkRef,
    Member,
    Plan,
    Scalar,
    Trail,
    TrailRef,
    parts_of,
    refs,
)
from generators.questions.plan.normal import identify, normalise
from generators.questions.plan.types import Types, leads_to_one
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.setops import recognise
from graph_ir.walk import with_fields

type Scope = dict[str, ir.Expr]


def analyse(statement: ir.Statement, types: Types) -> Plan:
    """The plan of a statement that was simplified, straightened.

    Raises:
        NotExpressible: it holds something that no sentence is known for.
    """
    plan = Analysis(types).statement(statement, {})
    normalise(plan, types)
    identify(plan, types)
    return plan


class Analysis:
    """Builds the plan of one statement and of its subqueries."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.clauses = 0

    def statement(self, statement: ir.Statement, outer: Scope) -> Plan:
        """The plan of a query or a union."""
        if isinstance(statement, ir.Union):
            left = self.statement(statement.left, outer)
            right = self.statement(statement.right, outer)
            kind = "union all" if statement.all else "union"
            if isinstance(left, Combined) and left.kind == kind:
                return Combined(kind, (*left.parts, right))
            return Combined(kind, (left, right))
        operation = recognise(statement)
        if operation is not None:
            parts = tuple(self.statement(part, outer) for part in operation.parts)
            return _windowed(Combined(operation.kind, parts), operation.final)
        return self.query(statement, outer)

    def query(self, query: ir.Query, outer: Scope) -> Block:
        """The block of a query without set operations; `outer` is the scope around it."""
        block = Block(outer=[e.entity for e in outer.values() if isinstance(e, EntityRef)])
        scope = dict(outer)
        for clause in query.clauses:
            match clause:
                case ir.Match():
                    block = self.reopened(block, scope)
                    self.match(clause, block, scope)
                case ir.Project():
                    block, scope = self.project(clause, block, scope, outer)
                case ir.Subquery():
                    block = self.subquery(clause, block, scope)
                case ir.Unwind(expr, alias):
                    block = self.unwind(self.resolve(expr, scope), alias, block, scope)
                case _:
                    raise NotExpressible(type(clause).__name__.upper())
        _carry(block)
        return block

    def unwind(self, listed: ir.Expr, alias: str, block: Block, scope: Scope) -> Block:
        """A collected list taken apart again: its things, one by one."""
        value = listed.expr if isinstance(listed, Derived) else listed
        match value:
            case ir.Agg("collect", (EntityRef() as thing,)):
                block = self.reopened(block, scope, chain=True)
                scope[alias] = thing
                _add(block, thing.entity)
                return block
            case ir.Agg("collect", (ir.MapOf(entries),)):
                block = self.reopened(block, scope, chain=True)
                scope[alias] = ir.MapOf(entries)
                _carry(block)
                return block
        raise NotExpressible("UNWIND")

    # --- patterns ------------------------------------------------------------------------

    def reopened(self, block: Block, scope: Scope, *, chain: bool = False) -> Block:
        """The block that a MATCH adds to: the same, or a new stage after a closed one."""
        if not block.closed:
            return block
        plain = block.previous is None and not block.optional and not chain
        if plain and _single(block) and not any(isinstance(e, EntityRef) for e in scope.values()):
            later = Block(outer=block.outer)
            for name, expr in scope.items():
                scope[name] = Scalar(block, expr)
            return later
        later = Block(outer=block.outer, previous=block)
        for name, expr in scope.items():
            if not isinstance(expr, EntityRef | LinkRef | Scalar):
                scope[name] = Derived(block, name, expr)
        return later

    def match(self, clause: ir.Match, block: Block, scope: Scope) -> None:
        """Entities, links and conditions of one MATCH."""
        into = block
        self.clauses += 1
        if clause.optional:
            into = Block(outer=[*block.outer, *block.every_entity()])
            block.optional.append(into)
        for path in clause.paths:
            left = self.node(path.head, into, scope)
            for step in path.steps:
                if isinstance(step.edge, ir.Quantified):
                    raise NotExpressible("quantified path")
                right = self.node(step.node, into, scope)
                self.link(step.edge, left, right, into, scope)
                left = right
            if path.var is not None or path.selector is not None:
                self.trail(path, into, scope)
        into.conditions += self.conjuncts(clause.where, scope)

    def trail(self, path: ir.Path, block: Block, scope: Scope) -> None:
        """A path with a name, or a search for the shortest."""
        link = block.links[-1]
        if len(path.steps) != 1 or link.edge.hops is None:
            raise NotExpressible("a path of several steps with a name")
        search = path.selector
        every = search is not None and search.kind in _EVERY
        if search is not None and (search.count != 1 or search.kind is ir.SelectorKind.ANY):
            raise NotExpressible("path search")
        trail = Trail(link, search is not None, every)
        block.trails.append(trail)
        if path.var is not None:
            scope[path.var] = TrailRef(trail)

    def node(self, pattern: ir.NodePattern, block: Block, scope: Scope) -> Entity:
        """The entity of a node pattern, new or already known."""
        known = scope.get(pattern.var) if pattern.var else None
        if known is not None:
            if not isinstance(known, EntityRef):
                raise NotExpressible("node from a list")
            entity = known.entity
            _add(block, entity)
            if pattern.labels is not None and not entity.label:
                self.label(entity, pattern.labels)
        else:
            entity = Entity(var=pattern.var or "")
            self.label(entity, pattern.labels)
            block.entities.append(entity)
            if pattern.var:
                scope[pattern.var] = EntityRef(entity)
        block.conditions += self.inline(EntityRef(entity), pattern.props, pattern.where, scope)
        return entity

    def label(self, entity: Entity, labels: ir.LabelExpr | None) -> None:
        """What the entity is."""
        entity.types = self.types.nodes(labels)
        entity.label = _label_text(labels)

    def link(
        self, edge: ir.EdgePattern, left: Entity, right: Entity, block: Block, scope: Scope
    ) -> None:
        """The link of an edge pattern."""
        ends = (right, left) if edge.direction is ir.Direction.IN else (left, right)
        edges = self.types.edges(edge.types, ends[0].types, ends[1].types)
        both = edge.direction is ir.Direction.BOTH
        if both and not edges:
            edges = self.types.edges(edge.types, ends[1].types, ends[0].types)
        for end, side in zip(ends, ("source", "target"), strict=True):
            if not end.label and edges and not both:
                end.types = tuple(dict.fromkeys(getattr(e, side) for e in edges))
        to_one = not both and bool(edges) and all(map(leads_to_one, edges))
        link = Link(
            left,
            right,
            edge,
            tuple(e.name for e in edges),
            functional=to_one and edge.hops is None,
            to_one=to_one,
            clause=self.clauses,
        )
        block.links.append(link)
        if edge.var:
            scope[edge.var] = LinkRef(link)
        if edge.hops is not None and (edge.props or edge.where):
            raise NotExpressible("condition on a variable-length edge")
        block.conditions += self.inline(LinkRef(link), edge.props, edge.where, scope)

    def inline(
        self,
        base: ir.Expr,
        props: ir.MapOf | ir.Param | None,
        where: ir.Expr | None,
        scope: Scope,
    ) -> list[ir.Expr]:
        """Conditions written inside a pattern."""
        if isinstance(props, ir.Param):
            raise NotExpressible("parameter as property map")
        conditions: list[ir.Expr] = [
            ir.Compare(ir.CompareOp.EQ, ir.Prop(base, e.key), self.resolve(e.value, scope))
            for e in (props.entries if props else ())
        ]
        return conditions + self.conjuncts(where, scope)

    def conjuncts(self, where: ir.Expr | None, scope: Scope) -> list[ir.Expr]:
        """The operands of a conjunction, resolved."""
        if where is None:
            return []
        if isinstance(where, ir.Bool) and where.op is ir.BoolOp.AND:
            return [c for arg in where.args for c in self.conjuncts(arg, scope)]
        return [self.resolve(where, scope)]

    # --- projections ---------------------------------------------------------------------

    def project(
        self, clause: ir.Project, block: Block, scope: Scope, outer: Scope
    ) -> tuple[Block, Scope]:
        """WITH and RETURN: the block goes on, or is closed, or a new one begins."""
        block = self._stage_of(clause, block, scope, outer)
        items = [replace(i, expr=self.resolve(i.expr, scope)) for i in clause.items]
        after: Scope = {i.alias: i.expr for i in items}
        order = [replace(k, expr=self.resolve(k.expr, {**scope, **after})) for k in clause.order]
        if clause.group is not None and block.order and not block.closed:
            block.within, block.order = block.order, []
        if block.closed and block.windowed and _has_window(clause):
            raise NotExpressible("a window on a window")
        if _closes(clause) or order or clause.final:
            _give(block, clause, items, order)
        if clause.group is not None:
            block.keys = self._keys(clause.group, scope)
        if clause.distinct and block.keys and not _shows(block):
            raise NotExpressible("DISTINCT over groups")
        visible: Scope = {**outer, **after}
        block = self._filtered(clause, block, visible)
        block.closed = block.closed or _closes(clause)
        return block, visible

    def _stage_of(self, clause: ir.Project, block: Block, scope: Scope, outer: Scope) -> Block:
        """The block that a projection is of: a new one where a closed one is grouped again, or
        loses rows, or is ordered behind its window."""
        grouped = clause.group is not None
        again = grouped or clause.distinct or (block.windowed and clause.order)
        if not block.closed or not again:
            return block
        later = Block(outer=block.outer, previous=block)
        if grouped and block.order and not block.windowed:
            later.within = [_handed(key, block) for key in block.order]
            block.order = []
        for name, expr in scope.items():
            if not isinstance(expr, EntityRef | LinkRef | Scalar) or name not in outer:
                scope[name] = self.derived(block, name, expr)
        return later

    def _keys(self, group: Iterable[ir.Expr], scope: Scope) -> list[ir.Expr]:
        """The grouping keys that tell groups apart."""
        keys = [self.resolve(key, scope) for key in group]
        return [key for key in keys if not _settled(key, keys)]

    def _filtered(self, clause: ir.Project, block: Block, visible: Scope) -> Block:
        """The block with the conditions behind a projection, a new one where they are on what a
        window leaves; names of the old one in `visible` are then derived."""
        where = self.conjuncts(clause.where, visible)
        passed = block.closed and clause.group is None
        if where and block.windowed and (_has_window(clause) or passed):
            block.closed = True
            block = self.reopened(block, visible)
            where = self.conjuncts(clause.where, visible)
        for condition in where:
            filters = block.keys is not None and _aggregated(condition)
            (block.having if filters else block.conditions).append(condition)
        return block

    def derived(self, block: Block, name: str, expr: ir.Expr) -> ir.Expr:
        """A name of an earlier stage, as this stage sees it."""
        if isinstance(expr, EntityRef | LinkRef | Scalar):
            return expr
        return Derived(block, name, expr)

    def subquery(self, clause: ir.Subquery, block: Block, scope: Scope) -> Block:
        """CALL: a single value, or rows that this stage goes on with."""
        inner_scope = {name: scope[name] for name in clause.imports if name in scope}
        plan = self.statement(clause.query, inner_scope)
        if isinstance(plan, Combined) or clause.optional:
            raise NotExpressible("CALL")
        columns = {i.alias: i.expr for i in plan.items}
        if _single(plan) and plan.previous is None:
            for name, expr in columns.items():
                scope[name] = Scalar(plan, expr)
            return block
        for name, expr in columns.items():
            scope[name] = expr
        if not block.entities and not block.closed and not inner_scope:
            return plan
        if plan.previous is not None or not (plan.windowed or plan.keys):
            raise NotExpressible("CALL")
        plan.previous, plan.once = block, True
        plan.outer = block.outer
        block.closed = plan.closed = True
        for entity in (e.entity for e in inner_scope.values() if isinstance(e, EntityRef)):
            _add(plan, entity)
        return self.reopened(plan, scope, chain=True)

    # --- expressions ---------------------------------------------------------------------

    def resolve(self, expr: ir.Expr, scope: Mapping[str, ir.Expr]) -> ir.Expr:
        """The expression with what its variables stand for."""
        match expr:
            case ir.Var(name):
                if name not in scope:
                    raise NotExpressible(f"variable {name}")
                return scope[name]
            case ir.Prop(base, key):
                whole = self.resolve(base, scope)
                if isinstance(whole, ir.MapOf):
                    return next(e.value for e in whole.entries if e.key == key)
                return replace(expr, base=whole)
            case ir.MapOf(entries):
                return ir.MapOf(
                    tuple(replace(e, value=self.resolve(e.value, scope)) for e in entries)
                )
            case ir.Exists(query):
                return Inner("exists", self.inner(query, scope))
            case ir.CountOf(query):
                return Inner("count", self.inner(query, scope))
            case ir.CollectOf(query):
                return Inner("collect", self.inner(query, scope))
            case ir.ListComp(var, items, where, result):
                listed = self.resolve(items, scope)
                inner = {**scope, var: self.member(listed)}
                return ir.ListComp(
                    var,
                    listed,
                    self.resolve(where, inner) if where is not None else None,
                    self.resolve(result, inner) if result is not None else None,
                )
            case ir.Quantifier(kind, var, items, where):
                listed = self.resolve(items, scope)
                inner = {**scope, var: self.member(listed)}
                return ir.Quantifier(kind, var, listed, self.resolve(where, inner))
            case ir.Reduce() | ir.PatternComp() | ir.PathExpr() | ir.MapProjection():
                raise NotExpressible(type(expr).__name__)
        return self._rebuilt(expr, scope)

    def member(self, listed: ir.Expr) -> ir.Expr:
        """One item of a list or of a path."""
        value = listed.expr if isinstance(listed, Derived) else listed
        match value:
            case ir.Call("nodes", (TrailRef(trail=trail),)):
                ends = (trail.link.left, trail.link.right)
                return Member(tuple(dict.fromkeys(ends[0].types + ends[1].types)))
            case ir.Call("relationships", (TrailRef(trail=trail),)):
                return Member(trail.link.labels, edge=True)
            case ir.Agg("collect", (EntityRef(entity=entity),)):
                return Member(entity.types)
        return Member()

    def inner(self, query: ir.Statement, scope: Mapping[str, ir.Expr]) -> Block:
        """The block of a subquery in an expression."""
        plan = self.statement(query, dict(scope))
        if isinstance(plan, Combined):
            raise NotExpressible("set operation in a subquery")
        return plan

    def _rebuilt[N: ir.Node](self, node: N, scope: Mapping[str, ir.Expr]) -> N:
        updates: dict[str, Any] = {}
        for name in parts_of(node):
            value = getattr(node, name)
            if isinstance(value, ir.Node):
                updates[name] = self._resolved(value, scope)
            elif isinstance(value, tuple) and any(isinstance(v, ir.Node) for v in value):
                updates[name] = tuple(self._resolved(v, scope) for v in value)
        return with_fields(node, updates)

    def _resolved(self, node: Any, scope: Mapping[str, ir.Expr]) -> Any:
        if isinstance(node, ir.Expr):
            return self.resolve(node, scope)
        return self._rebuilt(node, scope) if isinstance(node, ir.When) else node


_EVERY = (
    ir.SelectorKind.FUNCTION_ALL,
    ir.SelectorKind.ALL_SHORTEST,
    ir.SelectorKind.SHORTEST_GROUPS,
)


def _has_window(clause: ir.Project) -> bool:
    return clause.skip is not None or clause.limit is not None


def _closes(clause: ir.Project) -> bool:
    """Whether what follows a projection is of its rows, and not of those before it."""
    return clause.group is not None or clause.distinct or _has_window(clause)


def _give(block: Block, clause: ir.Project, items: list[ir.Item], order: list[ir.SortKey]) -> None:
    """Make the items, order and window of a projection those of a block."""
    block.items = items
    block.distinct = block.distinct or clause.distinct
    block.order = order or block.order
    block.skip = _number(clause.skip) if clause.skip is not None else block.skip
    block.limit = _number(clause.limit) if clause.limit is not None else block.limit


def _add(block: Block, entity: Entity) -> None:
    """Take up an entity of an earlier stage."""
    if block.previous is None or entity in block.every_entity() or entity in block.outer:
        return
    block.entities.append(entity)
    block.carried.append(entity)


def _carry(block: Block) -> None:
    """Take up the entities that only results and conditions speak of."""
    exprs = [*block.conditions, *(i.expr for i in block.items), *(block.keys or ())]
    exprs += [key.expr for key in block.order]
    for expr in exprs:
        for thing in refs(expr):
            if isinstance(thing, Entity):
                _add(block, thing)
    if block.previous is not None:
        _carry(block.previous)


def _handed(key: ir.SortKey, block: Block) -> ir.SortKey:
    """A sort key of an earlier stage, as the next one sees it."""
    for item in block.items:
        if item.expr == key.expr or item.expr is key.expr:
            if isinstance(item.expr, EntityRef | LinkRef):
                break
            return replace(key, expr=Derived(block, item.alias, item.expr))
    return key


def _settled(key: ir.Expr, keys: list[ir.Expr]) -> bool:
    """Whether a grouping key is a figure of an earlier stage that the others settle."""
    if not isinstance(key, Derived):
        return False
    stage = key.block
    if stage.keys == []:
        return True
    things = [thing for k in keys for thing in refs(k)]
    own = [k.entity for k in stage.keys or () if isinstance(k, EntityRef)]
    return bool(own) and len(own) == len(stage.keys or ()) and all(e in things for e in own)


def _windowed(plan: Combined, final: ir.Project) -> Combined:
    """A set operation with the order and window of the projection that ends it."""
    return replace(
        plan,
        order=final.order,
        skip=_number(final.skip) if final.skip is not None else None,
        limit=_number(final.limit) if final.limit is not None else None,
    )


def _single(block: Block) -> bool:
    """Whether a block has exactly one row: aggregates without keys, nothing filtered."""
    return block.keys == [] and not block.having and not block.windowed


def _shows(block: Block) -> bool:
    """Whether every grouping key is a result, so that results differ anyway."""
    return all(any(key == item.expr for item in block.items) for key in block.keys or ())


def _aggregated(expr: ir.Expr) -> bool:
    """Whether a condition speaks of an aggregate of its own block."""
    return has_aggregate(expr) or not any(True for _ in refs(expr))


def _number(expr: ir.Expr | None) -> int:
    if isinstance(expr, ir.Literal) and isinstance(expr.value, int):
        return expr.value
    raise NotExpressible("SKIP or LIMIT that is no number")


def _label_text(labels: ir.LabelExpr | None) -> str:
    match labels:
        case ir.LabelName(name):
            return name
        case ir.LabelAnd(args):
            return "&".join(_label_text(arg) for arg in args)
        case ir.LabelOr(args):
            return "|".join(_label_text(arg) for arg in args)
    return ""
