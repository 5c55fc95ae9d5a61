"""Pure rewrites of a statement that several layers need; no language knows of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from graph_ir import nodes as ir
from graph_ir.ordering import columns_first
from graph_ir.variables import BINDING
from graph_ir.walk import children, find, rewrite
from schemagraph.model import NUMERIC, TEMPORAL, Kind, SchemaGraph


@dataclass(frozen=True, slots=True)
class Probe:
    """A statement whose answer shows every row that `ORDER BY … SKIP … LIMIT` chose from.

    `statement` has no final SKIP and LIMIT and returns the sort keys as its last `keys` columns;
    `skip` and `limit` are what was taken away. `rough` are the positions of sort keys that are
    computed from many values, so that floats among them are rounded otherwise in each engine.
    """

    statement: ir.Statement
    keys: int = 0
    skip: int = 0
    limit: int | None = None
    rough: tuple[int, ...] = ()


def probe(statement: ir.Statement) -> Probe | None:
    """The probe of `statement`, or None where its window is not a pair of number literals.

    With it, ties under LIMIT can be told from differences (`engines.compare.allowed`).
    """
    if isinstance(statement, ir.Union):
        return Probe(statement)
    statement = columns_first(statement, _binds)
    assert isinstance(statement, ir.Query)  # noqa: S101 # it stays one
    last = statement.clauses[-1]
    if not isinstance(last, ir.Project):
        return None
    if not (_literal(last.skip) and _literal(last.limit)):
        return None
    taken = {item.alias for item in last.items}
    extra = []
    for number, key in enumerate(last.order):
        name = f"sort_key_{number + 1}"
        while name in taken:
            name += "_"
        taken.add(name)
        extra.append(ir.Item(without_aliases(key.expr, last), name))
    items = (*last.items, *extra)
    group = last.group
    if group is not None:
        group = tuple(item.expr for item in items if not has_aggregate(item.expr))
    whole = replace(last, items=items, skip=None, limit=None, group=group)
    return Probe(
        replace(statement, clauses=(*statement.clauses[:-1], whole)),
        len(extra),
        _count(last.skip) or 0,
        _count(last.limit),
        tuple(_rough(statement, extra)),
    )


def _binds(_: ir.Project, key: ir.Expr) -> bool:
    """Whether a sort key has variables of its own, which behind groups may be called like one that
    the columns have dropped."""
    return any(find(key, *BINDING))


def without_repeats(statement: ir.Statement) -> tuple[ir.Statement, tuple[int, ...]]:
    """The statement without columns that repeat another's expression, and for each of its columns
    the place where its values stand then.

    A probe whose sort keys are columns anyway becomes the query itself, which is asked once.
    No places where nothing repeats.
    """
    last = statement.clauses[-1] if isinstance(statement, ir.Query) else None
    if not isinstance(statement, ir.Query) or not isinstance(last, ir.Project):
        return statement, ()
    sorted_by = {var.name for key in last.order for var in find(key.expr, ir.Var)}
    items: list[ir.Item] = []
    known: dict[str, int] = {}  # by text, because equality takes 1 for 1.0 and for true
    places = []
    for item in last.items:
        text = repr(item.expr)
        if text not in known or item.alias in sorted_by:
            known.setdefault(text, len(items))
            places.append(len(items))
            items.append(item)
        else:
            places.append(known[text])
    if len(items) == len(last.items):
        return statement, ()
    group = last.group and tuple({repr(expr): expr for expr in last.group}.values())
    last = replace(last, items=tuple(items), group=group)
    return replace(statement, clauses=(*statement.clauses[:-1], last)), tuple(places)


_ROUNDED = frozenset({"sum", "avg", "stDev", "stDevP", "percentileCont"})


def _rough(query: ir.Query, keys: list[ir.Item]) -> Iterator[int]:
    """Positions of the keys that are sums and averages, taken here or in a stage before."""
    known: set[str] = set()

    def is_rough(expr: ir.Node) -> bool:
        return any(agg.name in _ROUNDED for agg in find(expr, ir.Agg)) or any(
            var.name in known for var in find(expr, ir.Var)
        )

    for clause in query.clauses[:-1]:
        if isinstance(clause, ir.Project):
            known = {item.alias for item in clause.items if is_rough(item.expr)}
    return (number for number, key in enumerate(keys) if is_rough(key.expr))


def has_aggregate(expr: ir.Node) -> bool:
    """Whether an aggregate stands in `expr` itself, not inside one of its subqueries."""
    if isinstance(expr, ir.Agg):
        return True
    if isinstance(expr, ir.Exists | ir.CountOf | ir.CollectOf):
        return False
    return any(has_aggregate(child) for child in children(expr))


def without_aliases(expr: ir.Expr, project: ir.Project) -> ir.Expr:
    """An ORDER BY expression of `project` in terms of what is visible to its items."""
    aliases = {item.alias: item.expr for item in project.items}

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Var) and node.name in aliases:
            return aliases[node.name]
        return node

    return rewrite(expr, change)


def has_inner_window(statement: ir.Statement) -> bool:
    """Whether something before the end chooses rows, so that ties change what follows: a SKIP or
    LIMIT, or a place in a list that was collected without an order."""
    final = statement.clauses[-1] if isinstance(statement, ir.Query) else None
    windows = any(
        project is not final and (project.skip is not None or project.limit is not None)
        for project in find(statement, ir.Project)
    )
    picks = any(True for _ in find(statement, ir.Index, ir.Slice)) or any(
        call.name in ("head", "last") for call in find(statement, ir.Call)
    )
    return windows or (picks and leaves_lists_open(statement))


def break_ties(
    statement: ir.Statement, schema: SchemaGraph, *, descending: bool = False
) -> ir.Statement:
    """`statement`, bound, with more sort keys for every SKIP and LIMIT before the end.

    Rows are told apart by all columns that have an order, nodes by their keys, edges by their
    properties and ends, so that such a window chooses the same rows everywhere. It asks another
    question than the author's; that all engines agree on it shows that they differed by a tie
    alone. Ties of its result are broken already: it comes back as it is. `descending` chooses the
    last of each tie instead of the first.
    """
    final = statement.clauses[-1] if isinstance(statement, ir.Query) else None

    def keys(item: ir.Item) -> Iterator[ir.SortKey]:
        variable = ir.Var(item.alias, type=item.expr.type)
        if item.expr.type.kind in _ORDERED:
            yield ir.SortKey(variable)
        elif item.expr.type.kind is Kind.NODE:
            yield from identified(variable, item.expr.type.of)
        elif item.expr.type.kind is Kind.EDGE:
            edges = [schema.edge_by_name[name] for name in item.expr.type.of] or schema.edges
            stored = [p.name for e in edges for p in e.properties if p.type.kind in _ORDERED]
            yield from (ir.SortKey(ir.Prop(variable, name)) for name in dict.fromkeys(stored))
            for function, ends in (("startNode", "source"), ("endNode", "target")):
                of = tuple(dict.fromkeys(getattr(edge, ends) for edge in edges))
                yield from identified(ir.Call(function, (variable,)), of)

    def identified(node: ir.Expr, of: tuple[str, ...]) -> Iterator[ir.SortKey]:
        types = [schema.node_by_name[name] for name in of] or schema.nodes
        names = dict.fromkeys(name for each in types for name in each.key)
        return (ir.SortKey(ir.Prop(node, name)) for name in names)

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Project) or (node.skip is None and node.limit is None):
            return node
        if node == final:
            return node
        sorted_by = {key.expr for key in node.order}
        unsorted = (key for item in node.items for key in keys(item) if key.expr not in sorted_by)
        more = (replace(key, descending=descending) for key in unsorted)
        return replace(node, order=(*node.order, *more))

    return rewrite(statement, change)


_ORDERED = NUMERIC | TEMPORAL - {Kind.DURATION} | {Kind.STRING, Kind.BOOLEAN}


def _literal(expr: ir.Expr | None) -> bool:
    return expr is None or (isinstance(expr, ir.Literal) and isinstance(expr.value, int))


def _count(expr: ir.Expr | None) -> int | None:
    return int(expr.value) if isinstance(expr, ir.Literal) and expr.value is not None else None


def with_means(statement: ir.Statement, factor: float) -> ir.Statement | None:
    """The statement with each mean times a factor; None where none is compared with anything."""
    if not any(agg.name == "avg" for agg in find(statement, ir.Agg)) or not any(
        find(statement, ir.Compare)
    ):
        return None

    def scaled(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Agg) and node.name == "avg":
            return ir.Arith(ir.ArithOp.MUL, node, ir.Literal(factor))
        return node

    return rewrite(statement, scaled)


def leaves_lists_open(statement: ir.Statement | ir.Clause) -> bool:
    """Whether the query has lists whose order it leaves open: collected ones, labels, keys."""
    for node in find(statement, ir.CollectOf, ir.PatternComp, ir.Agg, ir.Call):
        if isinstance(node, ir.Agg | ir.Call) and node.name not in _OPEN_LISTS:
            continue
        return True
    return False


_OPEN_LISTS = frozenset({"collect", "labels", "keys"})
_CLOCKS = frozenset({"date", "time", "localtime", "datetime", "localdatetime"})
_RANDOM = frozenset({"rand", "randomUUID", "timestamp"})


def is_repeatable(statement: ir.Statement) -> bool:
    """Whether the query gives the same answer tomorrow: it reads no clock and draws no lots."""
    return not any(
        call.name in _RANDOM
        or call.name.endswith((".statement", ".transaction", ".realtime"))
        or (call.name in _CLOCKS and not call.args)
        for call in find(statement, ir.Call)
    )


def sum_or_null(node: ir.Node) -> ir.Agg | None:
    """The sum of `CASE WHEN count(x) = 0 THEN null ELSE sum(x) END`, which is that of SQL and GQL;
    None of anything else."""
    if not isinstance(node, ir.Case) or node.operand is not None or len(node.whens) != 1:
        return None
    when = node.whens[0]
    test = when.condition
    if not (
        isinstance(test, ir.Compare)
        and isinstance(test.left, ir.Agg)
        and test.left.name == "count"
        and test.right == ir.Literal(0)
    ):
        return None
    empty, filled = when.result, node.default
    if test.op in (ir.CompareOp.GT, ir.CompareOp.NE):
        empty, filled = node.default or ir.Literal(None), when.result
    elif test.op is not ir.CompareOp.EQ:
        return None
    if empty != ir.Literal(None) or not isinstance(filled, ir.Agg) or filled.name != "sum":
        return None
    return filled if filled.args == test.left.args else None
