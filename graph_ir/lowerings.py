"""Pure rewrites that several dialects need before they print, each exact under Graph-IR."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import count
from typing import Any

from graph_ir import nodes as ir
from graph_ir.variables import bound_inside, introduced, read_names
from graph_ir.walk import children, find, rewrite
from schemagraph.model import Kind, Type


def substitute[N: ir.Node](node: N, mapping: Mapping[ir.Expr, ir.Expr]) -> N:
    """A copy in which every expression that `mapping` holds is replaced, outermost first.

    Bodies of subqueries are searched too; a variable that a subquery binds again must not be in
    `mapping`. Patterns in them that meet a variable meet the one that is put in its place.
    """
    if isinstance(node, ir.Expr) and node in mapping:
        return mapping[node]  # type: ignore[return-value] # an expression for an expression
    updates: dict[str, Any] = {}
    if isinstance(node, ir.NodePattern | ir.EdgePattern) and node.var is not None:
        met = mapping.get(ir.Var(node.var))
        if isinstance(met, ir.Var):
            updates["var"] = met.name
    for field in fields(node):
        if field.name in ("span", "type") or not field.init:
            continue
        value = getattr(node, field.name)
        if isinstance(value, ir.Node):
            new = substitute(value, mapping)
            if new is not value:
                updates[field.name] = new
        elif isinstance(value, tuple) and any(isinstance(item, ir.Node) for item in value):
            items = tuple(
                substitute(item, mapping) if isinstance(item, ir.Node) else item for item in value
            )
            if any(a is not b for a, b in zip(items, value, strict=True)):
                updates[field.name] = items
    return replace(node, **updates) if updates else node


def aggregates(node: ir.Node) -> list[ir.Agg]:
    """The aggregates of an expression, in order, without those of its subqueries."""
    if isinstance(node, ir.Agg):
        return [node]
    if isinstance(node, ir.Exists | ir.CountOf | ir.CollectOf):
        return []
    return [agg for child in children(node) for agg in aggregates(child)]


def counting(query: ir.Statement) -> ir.Query | None:
    """The query whose one row is the number of rows of `query`, or None for a UNION.

    Clauses are `query`'s own with `count(*)` at the end; a final projection that neither joins
    nor drops rows gives way to it.
    """
    if isinstance(query, ir.Union):
        return None
    number = ir.Project((ir.Item(ir.Agg("count"), "total"),), final=True, group=())
    last = query.clauses[-1]
    if not isinstance(last, ir.Project):
        return replace(query, clauses=(*query.clauses, number))
    if keeps_rows(last):
        return replace(query, clauses=(*query.clauses[:-1], number))
    return replace(query, clauses=(*query.clauses[:-1], replace(last, final=False), number))


def keeps_rows(project: ir.Project) -> bool:
    """Whether a projection has as many rows as there were before it."""
    return (
        project.group is None
        and not project.distinct
        and project.skip is None
        and project.limit is None
        and project.where is None
    )


def names_in(statement: ir.Node) -> set[str]:
    """Every name that a statement binds or refers to."""
    return bound_inside(statement) | {var.name for var in find(statement, ir.Var)}


def unused_names(statement: ir.Node, hint: str) -> Iterator[str]:
    """Names like `hint_1` that `statement` does not know."""
    known = names_in(statement)
    return (name for number in count(1) if (name := f"{hint}_{number}") not in known)


type Movable = Callable[[ir.LabelExpr, bool], bool]


def move_predicates(statement: ir.Statement, stays: Movable) -> ir.Statement:
    """WHERE inside elements, and label expressions that do not stay, become WHERE of the MATCH.

    `stays(labels, is_edge)` tells which label expressions a pattern may keep. A predicate on an
    edge of variable length holds for each of its edges and stays where it is.
    """
    spare = unused_names(statement, "element")

    def element[E: (ir.NodePattern, ir.EdgePattern)](part: E, tests: list[ir.Expr]) -> E:
        is_edge = isinstance(part, ir.EdgePattern)
        labels = part.types if isinstance(part, ir.EdgePattern) else part.labels
        moved = labels is not None and not stays(labels, is_edge)
        if isinstance(part, ir.EdgePattern) and part.hops is not None:
            return part
        if not moved and part.where is None:
            return part
        name = part.var or next(spare)
        if moved and labels is not None:
            tests.append(ir.LabelTest(ir.Var(name, type=part.type), labels))
        if part.where is not None:
            tests.append(part.where)
        if isinstance(part, ir.EdgePattern):
            return replace(part, var=name, types=None if moved else labels, where=None)
        return replace(part, var=name, labels=None if moved else labels, where=None)

    def path(part: ir.Path, tests: list[ir.Expr]) -> ir.Path:
        head = element(part.head, tests)
        steps = tuple(
            replace(
                step,
                edge=element(step.edge, tests)
                if isinstance(step.edge, ir.EdgePattern)
                else step.edge,
                node=element(step.node, tests),
            )
            for step in part.steps
        )
        return replace(part, head=head, steps=steps)

    def change(node: ir.Node) -> ir.Node:
        tests: list[ir.Expr] = []
        if isinstance(node, ir.Match):
            paths = tuple(path(part, tests) for part in node.paths)
            if tests:
                return replace(node, paths=paths, where=conjunction(*tests, node.where))
        if isinstance(node, ir.PatternComp):
            changed = path(node.path, tests)
            if tests:
                return replace(node, path=changed, where=conjunction(*tests, node.where))
        return node

    return rewrite(statement, change)


def conjunction(*tests: ir.Expr | None) -> ir.Expr | None:
    """All of the tests that are there, joined by AND."""
    parts: list[ir.Expr] = []
    for test in tests:
        if isinstance(test, ir.Bool) and test.op is ir.BoolOp.AND:
            parts += test.args
        elif test is not None:
            parts.append(test)
    if len(parts) < 2:
        return parts[0] if parts else None
    return ir.Bool(ir.BoolOp.AND, tuple(parts))


def conjuncts(expr: ir.Expr | None) -> tuple[ir.Expr, ...]:
    """The parts of an AND, or the expression itself."""
    if expr is None:
        return ()
    if isinstance(expr, ir.Bool) and expr.op is ir.BoolOp.AND:
        return expr.args
    return (expr,)


def keep_for_where(statement: ir.Statement) -> ir.Statement:
    """A WITH whose WHERE reads what it drops keeps that until the WHERE is done."""

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Query):
            return node
        clauses: list[ir.Clause] = []
        for clause in node.clauses:
            extra: list[ir.Item] = []
            if isinstance(clause, ir.Project) and clause.where is not None and not clause.final:
                extra = [
                    ir.Item(ir.Var(name), name)
                    for name in _read_and_dropped(clause, clause.where, visible_after(clauses))
                ]
            if not extra or not isinstance(clause, ir.Project):
                clauses.append(clause)
                continue
            clauses.append(replace(clause, items=(*clause.items, *extra)))
            kept = tuple(
                ir.Item(ir.Var(item.alias, type=item.expr.type), item.alias)
                for item in clause.items
            )
            clauses.append(ir.Project(kept))
        if len(clauses) == len(node.clauses):
            return node
        return replace(node, clauses=tuple(clauses))

    return rewrite(statement, change)


def _read_and_dropped(
    project: ir.Project, where: ir.Expr, visible: Iterable[str]
) -> dict[str, None]:
    """The visible variables that a projection drops and its WHERE reads.

    Patterns in it meet them again, where rows are neither grouped nor distinct: else a name of a
    pattern that is no column is a variable of its own.
    """
    columns = {item.alias for item in project.items}
    names = [var.name for var in find(where, ir.Var)]
    grouped = project.group is not None or any(aggregates(i.expr) for i in project.items)
    if not grouped and not project.distinct:
        names += sorted(read_names(where))
    return dict.fromkeys(name for name in names if name in visible and name not in columns)


def ordered_columns(query: ir.Query, names: Sequence[str]) -> ir.Query:
    """The same query with its columns in the order of `names`."""
    last = query.clauses[-1]
    if not isinstance(last, ir.Project):
        return query
    items = {item.alias: item for item in last.items}
    if [*items] == [*names] or {*items} != {*names}:
        return query
    ordered = replace(last, items=tuple(items[name] for name in names))
    return replace(query, clauses=(*query.clauses[:-1], ordered))


def visible_after(clauses: Sequence[ir.Clause]) -> set[str]:
    """The variables that clauses leave to the next one, without those of their subqueries."""
    visible: set[str] = set()
    for clause in clauses:
        if isinstance(clause, ir.Project):
            visible.clear()
        visible.update(introduced(clause))
    return visible


def sort_by_columns(statement: ir.Statement) -> ir.Statement:
    """Sort keys name the column under which a variable is returned, where it has a new name."""

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Project) or not node.order:
            return node
        aliases = {item.alias for item in node.items}
        mapping: dict[ir.Expr, ir.Expr] = {
            item.expr: ir.Var(item.alias, type=item.expr.type)
            for item in node.items
            if isinstance(item.expr, ir.Var) and item.expr.name not in aliases
        }
        return replace(node, order=tuple(substitute(key, mapping) for key in node.order))

    return rewrite(statement, change)


def carry_sort_keys(
    statement: ir.Statement, apart: Callable[[ir.Project, ir.Expr], bool] = lambda *_: False
) -> ir.Statement:
    """Sort keys that no column shows become columns of a projection before, where other keys
    are computed from columns, and no key reads columns and what was before them: some engines
    lose one kind beside the other. So do those of which `apart` holds, where no row is lost."""
    spare = unused_names(statement, "key")

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Query):
            return node
        clauses: list[ir.Clause] = []
        for clause in node.clauses:
            if not isinstance(clause, ir.Project) or not (
                _loses_keys(clause)
                or (_keeps_all(clause) and any(apart(clause, key.expr) for key in clause.order))
            ):
                clauses.append(clause)
                continue
            named = _by_columns(clause)
            meant: dict[ir.Expr, ir.Expr] = {ir.Var(item.alias): item.expr for item in clause.items}
            columns = {item.alias for item in clause.items} - _elements(clause)
            carried: list[ir.Item] = []
            order: list[ir.SortKey] = []
            for key in clause.order:
                shown = substitute(key.expr, named)
                if _reads(shown) - columns or apart(clause, shown):
                    name = next(spare)
                    carried.append(ir.Item(substitute(key.expr, meant), name))
                    shown = ir.Var(name, type=key.expr.type)
                order.append(replace(key, expr=shown))
            if carried:
                clauses.append(ir.Project((*clause.items, *carried)))
                items = tuple(
                    ir.Item(ir.Var(item.alias, type=item.expr.type), item.alias)
                    for item in clause.items
                )
                clause = replace(clause, items=items)
            clauses.append(replace(clause, order=tuple(order)))
        return replace(node, clauses=tuple(clauses))

    return rewrite(statement, change)


def _keeps_all(project: ir.Project) -> bool:
    return not project.distinct and project.group is None


def _loses_keys(project: ir.Project) -> bool:
    """Whether a key reads what is no column, in or beside one that is computed from columns.

    The properties of a node or an edge that is a column are no columns.
    """
    if not _keeps_all(project) or project.where is not None:
        return False
    columns = {item.alias for item in project.items} - _elements(project)
    named = _by_columns(project)
    hidden = computed = False
    for key in project.order:
        own = _reads(key.expr)
        if own & columns and own - columns:
            return True
        shown = substitute(key.expr, named)
        reads = _reads(shown)
        hidden = hidden or bool(reads - columns)
        computed = computed or bool(reads & columns and not isinstance(shown, ir.Var))
    return hidden and computed


def _reads(expr: ir.Expr) -> set[str]:
    return {var.name for var in find(expr, ir.Var)}


def _elements(project: ir.Project) -> set[str]:
    """The columns that are nodes, edges or paths."""
    kinds = (Kind.NODE, Kind.EDGE, Kind.PATH)
    return {item.alias for item in project.items if item.expr.type.kind in kinds}


def _by_columns(project: ir.Project) -> dict[ir.Expr, ir.Expr]:
    """What columns compute, to the variables that they are; a column's name is that column."""
    named = {ir.Var(item.alias) for item in project.items}
    return {
        item.expr: ir.Var(item.alias, type=item.expr.type)
        for item in project.items
        if not isinstance(item.expr, ir.Literal | ir.Param) and item.expr not in named
    }


def split_grouping(statement: ir.Statement, needed: Callable[[ir.Project], bool]) -> ir.Statement:
    """A grouping projection for which `needed` holds becomes two: group first, then compute.

    The first returns the keys and the bare aggregates, the second what the items and sort keys
    make of them.
    """
    spare = unused_names(statement, "part")

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Query):
            return node
        clauses: list[ir.Clause] = []
        for clause in node.clauses:
            if isinstance(clause, ir.Project) and clause.group is not None and needed(clause):
                clauses += _grouped_then_computed(clause, spare)
            else:
                clauses.append(clause)
        return replace(node, clauses=tuple(clauses))

    return rewrite(statement, change)


def _grouped_then_computed(node: ir.Project, spare: Iterator[str]) -> list[ir.Clause]:
    by_alias: dict[ir.Expr, ir.Expr] = {ir.Var(item.alias): item.expr for item in node.items}
    order = tuple(replace(key, expr=substitute(key.expr, by_alias)) for key in node.order)
    parts = (*(item.expr for item in node.items), *(key.expr for key in order))
    keys = dict.fromkeys(node.group or ())
    distinct_aggregates = dict.fromkeys(agg for part in parts for agg in aggregates(part))
    items: list[ir.Item] = []
    mapping: dict[ir.Expr, ir.Expr] = {}
    for expr in (*keys, *distinct_aggregates):
        alias = expr.name if isinstance(expr, ir.Var) else next(spare)
        items.append(ir.Item(expr, alias))
        mapping[expr] = ir.Var(alias, type=expr.type)
    second_items = tuple(
        replace(i, expr=substitute(i.expr, mapping), named=True) for i in node.items
    )
    shown: dict[ir.Expr, ir.Expr] = {
        item.expr: ir.Var(item.alias, type=item.expr.type)
        for item in second_items
        if isinstance(item.expr, ir.Var)
    }
    second = replace(
        node,
        items=second_items,
        order=tuple(substitute(substitute(key, mapping), shown) for key in order),
        group=None,
        distinct=False,
    )
    return [ir.Project(tuple(items), group=node.group), second]


def from_zero(node: ir.Neg) -> ir.Neg | ir.Arith:
    """A float that is negated as Neo4j does it, which takes it from 0: of 0.0 that is no -0.0.

    What is written -0.0 has its sign, and numbers of other kinds are as they are.
    """
    if node.arg.type.kind is not Kind.FLOAT or isinstance(node.arg, ir.Literal):
        return node
    zero = ir.Literal(0, type=Type(Kind.INTEGER, nullable=False))
    return ir.Arith(ir.ArithOp.SUB, zero, node.arg, span=node.span, type=node.type)


def whole_number(node: ir.Expr) -> int | None:
    """The value of arithmetic on whole numbers, or None.

    >>> whole_number(ir.Arith(ir.ArithOp.ADD, ir.Literal(1), ir.Literal(2)))
    3
    """
    if isinstance(node, ir.Literal):
        return node.value if type(node.value) is int else None
    if not isinstance(node, ir.Arith):
        return None
    left, right = whole_number(node.left), whole_number(node.right)
    if left is None or right is None:
        return None
    match node.op:
        case ir.ArithOp.ADD:
            return left + right
        case ir.ArithOp.SUB:
            return left - right
        case ir.ArithOp.MUL:
            return left * right
        case _:
            return None


def ends_before(start: int, end: int, step: int) -> bool:
    """Whether `range(start, end, step)` has `start` alone though the step leads away from `end`.

    Cypher counts the items as `(end - start) / step + 1` and cuts the quotient (Neo4j 2026.08).

    >>> ends_before(6, 9, -6), ends_before(6, 9, -3), ends_before(6, 9, 6)
    (True, False, False)
    """
    return (end - start) * step < 0 and abs(end - start) < abs(step)


def range_items(start: int, end: int, step: int = 1) -> Sequence[int]:
    """The items of `range(start, end, step)`; the step is not 0.

    >>> [*range_items(1, 5, 2)], [*range_items(3, 1, -1)], [*range_items(5, -4, 32)]
    ([1, 3, 5], [3, 2, 1], [5])
    """
    if ends_before(start, end, step):
        return (start,)
    return range(start, end + (1 if step > 0 else -1), step)
