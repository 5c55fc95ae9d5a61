"""Graph-IR to a plan: variables resolved, stages merged where a sentence needs no second one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from generators.questions.author import NotExpressible
from generators.questions.english import cardinal
from generators.questions.normal import identify, normalise, sums
from generators.questions.plan import (
    Block,
    Combined,
    Derived,
    Entity,
    EntityRef,
    Inner,
    Link,
    LinkRef,
    Plan,
    Scalar,
    refs,
)
from generators.questions.relations import EdgeWords, Predicate
from generators.questions.vocabulary import Vocabulary
from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graph_ir.setops import recognise

type Scope = dict[str, ir.Expr]


def analyse(statement: ir.Statement, words: Vocabulary, *, straight: bool = True) -> Plan:
    """The plan of a statement, straightened unless it has to mirror the text.

    Raises:
        NotExpressible: it holds something that no sentence is known for.
    """
    plan = Analysis(words).statement(statement, {})
    if straight:
        normalise(plan, words)
    else:
        sums(plan)
    identify(plan, words)
    return plan


class Analysis:
    """Builds the plan of one statement and of its subqueries."""

    def __init__(self, words: Vocabulary) -> None:
        self.words = words

    def statement(self, statement: ir.Statement, outer: Scope) -> Plan:
        """The plan of a query or a union."""
        if isinstance(statement, ir.Union):
            left = self.statement(statement.left, outer)
            right = self.statement(statement.right, outer)
            kind = "union all" if statement.all else "union"
            if isinstance(left, Combined) and left.kind == kind:
                return Combined(kind, (*left.parts, right))
            return Combined(kind, (left, right))
        found = recognise(statement)
        if found is not None:
            parts = tuple(self.statement(part, outer) for part in found.parts)
            return _windowed(Combined(found.kind, parts), found.final)
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
                case _:
                    raise NotExpressible(type(clause).__name__.upper())
        return block

    # --- patterns ------------------------------------------------------------------------

    def reopened(self, block: Block, scope: Scope) -> Block:
        """The block that a MATCH adds to: the same, or a new stage after a closed one."""
        if not block.closed:
            return block
        if _single(block) and not any(isinstance(e, EntityRef) for e in scope.values()):
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
        if clause.optional:
            into = Block(outer=[*block.outer, *block.every_entity()])
            block.optional.append(into)
        for path in clause.paths:
            if path.var is not None or path.selector is not None or path.mode is not None:
                raise NotExpressible("path variable" if path.var else "path search")
            left = self.node(path.head, into, scope)
            for step in path.steps:
                if isinstance(step.edge, ir.Quantified):
                    raise NotExpressible("quantified path")
                right = self.node(step.node, into, scope)
                self.link(step.edge, left, right, into, scope)
                left = right
        into.conditions += self.conjuncts(clause.where, scope)

    def node(self, pattern: ir.NodePattern, block: Block, scope: Scope) -> Entity:
        """The entity of a node pattern, new or already known."""
        known = scope.get(pattern.var) if pattern.var else None
        if known is not None:
            if not isinstance(known, EntityRef):
                raise NotExpressible("node from a list")
            entity = known.entity
            if pattern.labels is not None and not entity.label:
                self.label(entity, pattern.labels)
        else:
            entity = Entity("", var=pattern.var or "")
            self.label(entity, pattern.labels)
            block.entities.append(entity)
            if pattern.var:
                scope[pattern.var] = EntityRef(entity)
        block.conditions += self.inline(EntityRef(entity), pattern.props, pattern.where, scope)
        return entity

    def label(self, entity: Entity, labels: ir.LabelExpr | None) -> None:
        """What the entity is."""
        entity.types = self.words.node_types(labels)
        entity.noun = self.words.entity_noun(labels, entity.types)
        entity.label = _label_text(labels)

    def link(
        self, edge: ir.EdgePattern, left: Entity, right: Entity, block: Block, scope: Scope
    ) -> None:
        """The link of an edge pattern."""
        ends = (right, left) if edge.direction is ir.Direction.IN else (left, right)
        found = self.words.edge_types(edge.types, ends[0].types, ends[1].types)
        if edge.direction is ir.Direction.BOTH and not found:
            found = self.words.edge_types(edge.types, ends[1].types, ends[0].types)
        for end, side in zip(ends, ("source", "target"), strict=True):
            if not end.label and found and edge.direction is not ir.Direction.BOTH:
                end.types = tuple(dict.fromkeys(getattr(e, side) for e in found))
                end.noun = self.words.entity_noun(None, end.types)
        words = self.words.edge(edge.types, ends[0].noun, ends[1].noun, found)
        if edge.hops is not None:
            words = _chain(edge.hops, edge, words)
        elif edge.direction is ir.Direction.BOTH:
            words = _undirected(words, edge)
        functional = bool(found) and all(self.words.is_reference(e) for e in found)
        labels = tuple(e.name for e in found)
        link = Link(left, right, edge, words, labels, functional and edge.hops is None, words.noun)
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
        found: list[ir.Expr] = [
            ir.Compare(ir.CompareOp.EQ, ir.Prop(base, e.key), self.resolve(e.value, scope))
            for e in (props.entries if props else ())
        ]
        return found + self.conjuncts(where, scope)

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
        grouped = clause.group is not None
        windowed = clause.skip is not None or clause.limit is not None
        if block.closed and (grouped or clause.distinct or (block.windowed and clause.order)):
            later = Block(outer=block.outer, previous=block)
            for name, expr in scope.items():
                if not isinstance(expr, EntityRef | LinkRef | Scalar) or name not in outer:
                    scope[name] = self.derived(block, name, expr)
            block = later
        items = [replace(i, expr=self.resolve(i.expr, scope)) for i in clause.items]
        after: Scope = {i.alias: i.expr for i in items}
        order = [replace(k, expr=self.resolve(k.expr, {**scope, **after})) for k in clause.order]
        if grouped and block.order and not block.closed:
            raise NotExpressible("an order before an aggregation")
        if block.closed and block.windowed and windowed:
            raise NotExpressible("a window on a window")
        closes = grouped or clause.distinct or windowed or bool(order) or clause.final
        if closes:
            block.items = items
            block.distinct = block.distinct or clause.distinct
            block.order = order or block.order
            block.skip = _number(clause.skip) if clause.skip is not None else block.skip
            block.limit = _number(clause.limit) if clause.limit is not None else block.limit
        if grouped:
            assert clause.group is not None  # noqa: S101 - that is what grouped says
            block.keys = [self.resolve(key, scope) for key in clause.group]
        if clause.distinct and block.keys and not _shows(block):
            raise NotExpressible("DISTINCT over groups")
        where = self.conjuncts(clause.where, {**outer, **after})
        if where and block.closed and block.windowed and not grouped:
            raise NotExpressible("a filter after a window")
        if where and windowed:
            raise NotExpressible("a filter after a window")
        for condition in where:
            filters = block.keys is not None and _aggregated(condition)
            (block.having if filters else block.conditions).append(condition)
        block.closed = block.closed or grouped or clause.distinct or windowed
        return block, {**outer, **after}

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
        if block.entities or block.closed or inner_scope:
            raise NotExpressible("CALL")
        for name, expr in columns.items():
            scope[name] = expr
        return plan

    # --- expressions ---------------------------------------------------------------------

    def resolve(self, expr: ir.Expr, scope: Mapping[str, ir.Expr]) -> ir.Expr:
        """The expression with what its variables stand for."""
        match expr:
            case ir.Var(name):
                if name not in scope:
                    raise NotExpressible(f"variable {name}")
                return scope[name]
            case ir.Exists(query):
                return Inner("exists", self.inner(query, scope))
            case ir.CountOf(query):
                return Inner("count", self.inner(query, scope))
            case ir.CollectOf(query):
                return Inner("collect", self.inner(query, scope))
            case (
                ir.ListComp()
                | ir.Quantifier()
                | ir.Reduce()
                | ir.PatternComp()
                | ir.PathExpr()
                | ir.MapProjection()
                | ir.MapOf()
            ):
                raise NotExpressible(type(expr).__name__)
        return self._rebuilt(expr, scope)

    def inner(self, query: ir.Statement, scope: Mapping[str, ir.Expr]) -> Block:
        """The block of a subquery in an expression."""
        plan = self.statement(query, dict(scope))
        if isinstance(plan, Combined):
            raise NotExpressible("set operation in a subquery")
        return plan

    def _rebuilt[N: ir.Node](self, node: N, scope: Mapping[str, ir.Expr]) -> N:
        updates: dict[str, Any] = {}
        for item in fields(node):
            value = getattr(node, item.name)
            if item.name in ("span", "type") or not item.init:
                continue
            if isinstance(value, ir.Node):
                updates[item.name] = self._resolved(value, scope)
            elif isinstance(value, tuple) and any(isinstance(v, ir.Node) for v in value):
                updates[item.name] = tuple(self._resolved(v, scope) for v in value)
        return replace(node, **updates)

    def _resolved(self, node: Any, scope: Mapping[str, ir.Expr]) -> Any:
        if isinstance(node, ir.Expr):
            return self.resolve(node, scope)
        return self._rebuilt(node, scope) if isinstance(node, ir.When) else node


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


def _chain(hops: ir.Hops, edge: ir.EdgePattern, words: EdgeWords) -> EdgeWords:
    """Variable length: "leads to {} over one to three steps"."""
    what = f"“{words_of(edge.types)}” " if edge.types is not None else ""
    if hops.hi is None:
        many = f"{cardinal(hops.lo)} or more {what}steps"
    elif hops.lo == hops.hi:
        many = f"exactly {cardinal(hops.lo)} {what}step{'' if hops.lo == 1 else 's'}"
    else:
        many = f"{cardinal(hops.lo)} to {cardinal(hops.hi)} {what}steps"
    if edge.direction is ir.Direction.BOTH:
        both = Predicate(f"is connected to {{}} over {many}", f"are connected to {{}} over {many}")
        return EdgeWords(both, both)
    return EdgeWords(
        Predicate(f"leads to {{}} over {many}", f"lead to {{}} over {many}"),
        Predicate(f"is reached from {{}} over {many}", f"are reached from {{}} over {many}"),
    )


def _undirected(words: EdgeWords, edge: ir.EdgePattern) -> EdgeWords:
    """Either direction: "is linked to {} by “knows”"."""
    what = f" by “{words_of(edge.types)}” in either direction" if edge.types is not None else ""
    both = Predicate(f"is linked to {{}}{what}", f"are linked to {{}}{what}")
    return EdgeWords(both, both, noun=words.noun)


def _label_text(labels: ir.LabelExpr | None) -> str:
    match labels:
        case ir.LabelName(name):
            return name
        case ir.LabelAnd(args):
            return "&".join(_label_text(arg) for arg in args)
        case ir.LabelOr(args):
            return "|".join(_label_text(arg) for arg in args)
    return ""


def words_of(types: ir.LabelExpr | None) -> str:
    """Edge labels as words, for a quotation."""
    from generators.questions.nouns import spoken

    names: Iterable[str] = ()
    match types:
        case ir.LabelName(name):
            names = [name]
        case ir.LabelOr(args) if all(isinstance(arg, ir.LabelName) for arg in args):
            names = [arg.name for arg in args if isinstance(arg, ir.LabelName)]
        case _:
            raise NotExpressible("edge type expression")
    return " or ".join(" ".join(spoken(name)) for name in names)
