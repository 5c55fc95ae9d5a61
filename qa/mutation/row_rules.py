"""Rules of proofs: nulls, groups, keys and orders that leave no trace in the rows.

Each rule is a rewrite that keeps the meaning on all graphs of the schema.
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.lowerings import conjuncts
from graph_ir.variables import introduced, pattern_names
from graph_ir.walk import find, rewrite
from qa.mutation.near import compares
from schemagraph.model import Kind, SchemaGraph


def not_null[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """count(x) of what is never null counts rows; IS NOT NULL of it is true."""

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Agg("count", (arg,), False) if _sure(arg):
                return ir.Agg("count")
            case ir.IsNull(arg, negated) if _sure(arg):
                return ir.Literal(negated)
            case ir.Bool(ir.BoolOp.AND, args) if ir.Literal(True) in args:
                left = tuple(arg for arg in args if arg != ir.Literal(True))
                return left[0] if len(left) == 1 else replace(node, args=left)
            case ir.Match(where=ir.Literal(True)) | ir.Project(where=ir.Literal(True)):
                return replace(node, where=None)
        return node

    return rewrite(statement, change)


def _sure(expr: ir.Expr) -> bool:
    return not expr.type.nullable and expr.type.kind not in (Kind.ANY, Kind.NULL)


def null_skipped(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """IS NOT NULL beside a condition, or before aggregates, that no null passes."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Query):
            clauses = [
                _without_nulls(clause, after)
                for clause, after in zip(node.clauses, (*node.clauses[1:], None), strict=True)
            ]
            same = all(a is b for a, b in zip(clauses, node.clauses, strict=True))
            return node if same else replace(node, clauses=tuple(clauses))
        return node

    return rewrite(statement, change)


def _without_nulls(clause: ir.Clause, after: ir.Clause | None) -> ir.Clause:
    if not isinstance(clause, ir.Match | ir.Project) or clause.where is None:
        return clause
    parts = conjuncts(clause.where)
    kept = []
    for number, part in enumerate(parts):
        others = (*parts[:number], *parts[number + 1 :])
        if isinstance(part, ir.IsNull) and part.negated:
            if any(_rejects_null(other, part.arg) for other in others):
                continue
            if not (isinstance(clause, ir.Match) and clause.optional) and _skips(after, part.arg):
                continue
        kept.append(part)
    if len(kept) == len(parts):
        return clause
    where = ir.Bool(ir.BoolOp.AND, tuple(kept)) if len(kept) > 1 else next(iter(kept), None)
    return replace(clause, where=where)


def _rejects_null(condition: ir.Expr, expr: ir.Expr) -> bool:
    """Whether a condition is never true where `expr` is null."""
    match condition:
        case ir.Compare(_, left, right) | ir.Text(_, left, right):
            return _null_where(left, expr) or _null_where(right, expr)
        case ir.In(item, ir.ListOf(items)):
            return bool(items) and _null_where(item, expr)
    return False


def _skips(after: ir.Clause | None, expr: ir.Expr) -> bool:
    """Whether aggregates over all rows skip those where `expr` is null."""
    if not isinstance(after, ir.Project) or after.group != ():
        return False
    aggregates = [agg for item in after.items for agg in find(item, ir.Agg)]
    return all(agg.args and _null_where(agg.args[0], expr) for agg in aggregates)


def _null_where(expr: ir.Expr, null: ir.Expr) -> bool:
    """Whether `expr` is null where `null` is."""
    if expr == null:
        return True
    match expr:
        case ir.Prop(base):
            return _null_where(base, null)
        case ir.Arith(_, left, right):
            return _null_where(left, null) or _null_where(right, null)
        case ir.Call(name, args) if name in _STRICT:
            return any(_null_where(arg, null) for arg in args)
    return False


_STRICT = frozenset(
    {"toLower", "toUpper", "size", "abs", "round", "floor", "ceil", "substring", "trim", "left"}
)


def one_row[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """Aggregates without keys give one row: its order, DISTINCT and LIMIT mean nothing."""

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Project) or node.group != ():
            return node
        limit = node.limit
        if isinstance(limit, ir.Literal) and isinstance(limit.value, int) and limit.value > 0:
            limit = None
        simpler = replace(node, distinct=False, order=(), limit=limit)
        return node if simpler == node else simpler

    return rewrite(statement, change)


def groups[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """Groups whose keys are all columns are distinct rows; min and max do not count."""

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Project(distinct=True, group=keys) if keys is not None:
                return replace(node, distinct=False)
            case ir.Agg("min" | "max", distinct=True):
                return replace(node, distinct=False)
        return node

    return rewrite(statement, change)


def unseen_order(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """An order inside the query that no window, collection or list sees."""
    if any(agg.name == "collect" for agg in find(statement, ir.Agg)) or any(
        True for _ in find(statement, ir.CollectOf)
    ):
        return statement

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Project) or node.final or not node.order:
            return node
        return node if node.limit is not None or node.skip is not None else replace(node, order=())

    return rewrite(statement, change)


def keys(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """DISTINCT where the columns hold the key of the only element that the rows differ in."""
    if not isinstance(statement, ir.Query) or len(statement.clauses) != 2:
        return statement
    match, last = statement.clauses
    if not isinstance(match, ir.Match) or not isinstance(last, ir.Project) or match.optional:
        return statement
    if len(match.paths) != 1 or match.paths[0].steps or last.group not in (None, ()):
        return statement
    head = match.paths[0].head
    if head.var is None or len(head.type.of) != 1:
        return statement
    node = schema.node_by_name[head.type.of[0]]
    keyed = bool(node.key)

    def holds(exprs: tuple[ir.Expr, ...]) -> bool:
        whole = ir.Var(head.var or "")
        return whole in exprs or (keyed and all(ir.Prop(whole, k) in exprs for k in node.key))

    def change(agg: ir.Node) -> ir.Node:
        if isinstance(agg, ir.Agg) and agg.distinct and holds(agg.args[:1]):
            return replace(agg, distinct=False)
        return agg

    plain = rewrite(last, change)
    if plain.distinct and plain.group is None and holds(tuple(i.expr for i in plain.items)):
        plain = replace(plain, distinct=False)
    if plain is last:
        return statement
    return bind(replace(statement, clauses=(match, plain)), schema).statement


def empty_row(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """An OPTIONAL MATCH after which a clause asks for what it may not have found."""

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Query):
            return node
        clauses = list(node.clauses)
        for number, clause in enumerate(node.clauses):
            if not isinstance(clause, ir.Match) or not clause.optional:
                continue
            known = {name for each in node.clauses[:number] for name in introduced(each)}
            new = set(introduced(clause)) - known
            if new and _leaves_no_trace(node.clauses[number + 1 :], new, first=number == 0):
                clauses[number] = replace(clause, optional=False)
        return node if tuple(clauses) == node.clauses else replace(node, clauses=tuple(clauses))

    simpler = rewrite(statement, change)
    return statement if simpler is statement else bind(simpler, schema).statement


def _leaves_no_trace(rest: tuple[ir.Clause, ...], names: set[str], *, first: bool) -> bool:
    """Whether rows in which all of `names` are null go nowhere."""
    for clause in rest:
        match clause:
            case ir.Project(group=(), items=items):
                aggregates = [agg for item in items for agg in find(item, ir.Agg)]
                nulls = [ir.Var(name) for name in sorted(names)]
                return all(
                    agg.args and any(_null_where(agg.args[0], null) for null in nulls)
                    for agg in aggregates
                )
            case ir.Match(optional=False, paths=paths):
                return any(name in names for path in paths for name in pattern_names(path))
            case ir.Project() if clause.group != () and (
                first or (clause.limit is None and clause.skip is None)
            ):
                passed = {
                    item.alias
                    for item in clause.items
                    if isinstance(item.expr, ir.Var) and item.expr.name in names
                }
                if not passed or (clause.group is None and not first and clause.distinct):
                    return False
                names = passed
            case _:
                return False
    return False


def counted[N: ir.Node](statement: N, schema: SchemaGraph) -> N:
    """OPTIONAL in a COUNT that is compared with more than one."""

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Compare(op, ir.CountOf(ir.Query((ir.Match(optional=True) as only,))), other):
                if isinstance(other, ir.Literal) and isinstance(other.value, int):
                    zero, one = (compares(count, op.value, other.value) for count in (0, 1))
                    if zero == one:
                        inner = ir.Query((replace(only, optional=False),))
                        return replace(node, left=ir.CountOf(inner))
        return node

    return rewrite(statement, change)
