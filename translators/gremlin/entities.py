"""Groups by a node, as Gremlin has them: what is reduced of the nodes round each.

`MATCH (d)<-[:OF]-(i) WITH d, sum(i.salary) AS total` is of every d the sum that `Reduction` says,
where there is an i at all. Where the rest drops a d without any, nobody has to ask for one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, conjunction, conjuncts, substitute
from graph_ir.rewrites import sum_or_null
from graph_ir.variables import read_names
from graph_ir.walk import find, rewrite
from schemagraph.model import Kind, SchemaGraph
from translators.gremlin.reductions import TOTAL, Reduction, aggregate_columns, drops_empty
from translators.gremlin.rows import properties
from translators.gremlin.walks import (
    asked_whether,
    backwards,
    from_node,
    is_plain,
    names_of_path,
    plain_path,
    split_tests,
    told_by,
)

_REDUCED = frozenset({"count", "sum", "avg", "min", "max", "collect"})


@dataclass(frozen=True, slots=True)
class _Grouping:
    """A MATCH round `node`, and the projection that groups by it."""

    head: ir.NodePattern
    path: ir.Path
    own: tuple[ir.Expr, ...]
    others: tuple[ir.Expr, ...]
    project: ir.Project
    rest: tuple[ir.Clause, ...]
    optional: bool
    whole: ir.Match

    @property
    def body(self) -> ir.Match:
        """The MATCH of what is reduced."""
        head = ir.NodePattern(self.head.var, type=self.head.type)
        return ir.Match((replace(self.path, head=head),), conjunction(*self.others))


def grouped_by_node(query: ir.Query, schema: SchemaGraph | None) -> ir.Query:
    """The query with a group by a node as a reduction of each, or as a count of arrivals."""
    grouping = _required(query, schema) or _optional(query, schema)
    if grouping is None:
        return query
    aggs = list(dict.fromkeys(a for i in grouping.project.items for a in aggregates(i.expr)))
    aggs += [a for k in grouping.project.order for a in aggregates(k.expr) if a not in aggs]
    if any(agg.name not in _REDUCED or len(agg.args) > 1 for agg in aggs):
        return query
    if grouping.optional:
        if not all(_of_the_optional(agg, grouping) for agg in aggs):
            return query
    elif _are_arrivals(aggs, grouping, schema):
        return _arrivals(query, grouping)
    return _reduced(aggs, grouping, schema)


def sums_of_something(statement: ir.Statement) -> ir.Statement:
    """`CASE WHEN count(x) = 0 THEN null ELSE sum(x) END` as a sum that nothing has none of, which
    is Gremlin's `sum()`."""

    if next(find(statement, ir.Case), None) is None:
        return statement

    def change(node: ir.Node) -> ir.Node:
        total = sum_or_null(node)
        return node if total is None else replace(total, name=TOTAL)

    return rewrite(statement, change)


def _node_of(project: ir.Clause, schema: SchemaGraph | None) -> ir.Var | None:
    """The node that a projection groups by."""
    if not isinstance(project, ir.Project) or not project.group or project.distinct:
        return None
    return told_by(project.group, schema)


def _required(query: ir.Query, schema: SchemaGraph | None) -> _Grouping | None:
    if len(query.clauses) < 2:
        return None
    match, project, *rest = query.clauses
    path, node = plain_path(match), _node_of(project, schema)
    if path is None or node is None or not path.steps:
        return None
    own_path = from_node(path, node.name)
    names = names_of_path(path)
    if own_path is None or len(set(names)) < len(names):
        return None
    if not isinstance(match, ir.Match) or not isinstance(project, ir.Project):
        return None
    own, others = split_tests(match.where, names, node.name)
    head = own_path.head
    return _Grouping(head, own_path, own, others, project, tuple(rest), False, match)


def _optional(query: ir.Query, schema: SchemaGraph | None) -> _Grouping | None:
    if len(query.clauses) < 3:
        return None
    first, match, project, *rest = query.clauses
    path, node = plain_path(first), _node_of(project, schema)
    if path is None or node is None or path.steps or path.head.var != node.name:
        return None
    if not isinstance(match, ir.Match) or not match.optional or len(match.paths) != 1:
        return None
    if not isinstance(first, ir.Match) or not isinstance(project, ir.Project):
        return None
    (walk,) = match.paths
    if not is_plain(walk) or not walk.steps or match.mode is not ir.MatchMode.DIFFERENT_EDGES:
        return None
    own_path = from_node(walk, node.name)
    names = names_of_path(walk)
    if own_path is None or len(set(names)) < len(names):
        return None
    again = own_path.head
    if again.labels is not None or again.props is not None or again.where is not None:
        return None
    own = conjuncts(first.where)
    others = conjuncts(match.where)
    return _Grouping(path.head, own_path, own, others, project, tuple(rest), True, first)


def _of_the_optional(agg: ir.Agg, grouping: _Grouping) -> bool:
    """Whether an aggregate is of what is null in a row without the optional part."""
    inner = set(names_of_path(grouping.path)) - {grouping.head.var}
    match agg.args:
        case (ir.Var(name=name),) | (ir.Prop(base=ir.Var(name=name)),):
            return name in inner
    return False


def _are_arrivals(aggs: Sequence[ir.Agg], grouping: _Grouping, schema: SchemaGraph | None) -> bool:
    """Whether `groupCount()` of where walks end is the group: of each node how many there are."""
    names = set(names_of_path(grouping.path))
    counted = all(
        agg.name == "count"
        and not agg.distinct
        and all(isinstance(arg, ir.Var) and arg.name in names for arg in agg.args)
        for agg in aggs
    )
    far = grouping.path.steps[-1].node
    edges = [each.edge for each in grouping.path.steps]
    walks = any(isinstance(edge, ir.EdgePattern) and edge.hops for edge in edges)
    chosen = any(_is_equality(test) for test in grouping.own) or grouping.head.props is not None
    if not counted or not aggs or far.labels is None or chosen or walks:
        return False
    return grouping.project.where is None


def _is_equality(test: ir.Expr) -> bool:
    return isinstance(test, ir.Compare) and test.op is ir.CompareOp.EQ


def _arrivals(query: ir.Query, grouping: _Grouping) -> ir.Query:
    """The same walk, to the node that is grouped by."""
    turned = replace(grouping.whole, paths=(backwards(grouping.path),))
    node = ir.Var(grouping.head.var or "", type=grouping.head.type)
    project = replace(grouping.project, group=(node,))
    return replace(query, clauses=(turned, project, *grouping.rest))


def _reduced(aggs: Sequence[ir.Agg], grouping: _Grouping, schema: SchemaGraph | None) -> ir.Query:
    """The node alone, and its reductions as columns."""
    project = grouping.project
    empty = aggregate_columns(project)
    optional = grouping.optional
    dropped = not optional and drops_empty(project.where, empty)
    implied = not optional and not dropped and _asks_again(grouping, empty)
    sure = dropped or implied
    body = ir.Query((grouping.body,))
    mapping: dict[ir.Expr, ir.Expr] = {
        agg: Reduction(
            agg.name,
            agg.args,
            agg.distinct,
            body,
            sure or (not optional and _is_there(agg, schema)),
            type=agg.type,
        )
        for agg in aggs
    }
    items = tuple(replace(i, expr=substitute(i.expr, mapping)) for i in project.items)
    order = tuple(substitute(key, mapping) for key in project.order)
    changed = replace(project, items=items, order=order, group=None)
    head = ir.Match((ir.Path(grouping.head),), conjunction(*grouping.own))
    if not (optional or dropped or implied):
        head = asked_whether(grouping.whole, grouping.path)
    return _joined(ir.Query((head, changed, *grouping.rest)))


def _is_there(agg: ir.Agg, schema: SchemaGraph | None) -> bool:
    """Whether the argument of an aggregate is never null."""
    if not agg.args or agg.name in ("count", "collect"):
        return True
    (arg,) = agg.args
    if schema is None or not isinstance(arg, ir.Prop) or not arg.base.type.of:
        return False
    if arg.base.type.kind not in (Kind.NODE, Kind.EDGE):
        return False
    own = properties(schema, arg.base.type, arg.key)
    return all(each is not None and not each.holds_null for each in own)


def _asks_again(grouping: _Grouping, empty: Mapping[str, str]) -> bool:
    """Whether the next MATCH drops a node without rows: it walks the same way, or compares."""
    project = grouping.project
    if project.order or project.skip is not None or project.limit is not None or project.final:
        return False
    if not grouping.rest or not isinstance(grouping.rest[0], ir.Match):
        return False
    after = grouping.rest[0]
    if after.optional:
        return False
    if drops_empty(after.where, empty):
        return True
    return any(
        _is_prefix(grouping, other, conjuncts(after.where))
        for path in after.paths
        if is_plain(path) and path.steps
        for other in (from_node(path, grouping.head.var or ""),)
        if other is not None
    )


def _is_prefix(grouping: _Grouping, other: ir.Path, tests: Sequence[ir.Expr]) -> bool:
    """Whether another walk from the node begins with the grouped one, under all its conditions."""
    steps = grouping.path.steps
    if len(other.steps) < len(steps):
        return False
    names: dict[ir.Expr, ir.Expr] = {}
    for mine, theirs in zip(steps, other.steps, strict=False):
        for a, b in ((mine.edge, theirs.edge), (mine.node, theirs.node)):
            if isinstance(a, ir.Quantified) or isinstance(b, ir.Quantified):
                return False
            if a.where is not None or a.props is not None:
                return False
            if a.var is not None and b.var is not None:
                names[ir.Var(a.var)] = ir.Var(b.var)
            elif a.var is not None and read_names(*grouping.others) & {a.var}:
                return False
            if isinstance(a, ir.NodePattern) and isinstance(b, ir.NodePattern):
                if a.labels not in (None, b.labels):
                    return False
            elif (
                isinstance(a, ir.EdgePattern)
                and isinstance(b, ir.EdgePattern)
                and (a.types, a.direction, a.hops) != (b.types, b.direction, b.hops)
            ):
                return False
    return all(substitute(test, names) in tests for test in grouping.others)


def _joined(query: ir.Query) -> ir.Query:
    """A WITH and the RETURN after it as one, where the rows are ordered or dropped by columns."""
    if len(query.clauses) != 3:
        return query
    head, first, last = query.clauses
    if not isinstance(first, ir.Project) or not isinstance(last, ir.Project):
        return query
    arranged = first.order or first.skip or first.limit or first.where
    plain = last.group is None and not last.distinct and last.where is None
    if not last.final or not plain or not arranged or last.order or last.skip or last.limit:
        return query
    shown: dict[ir.Expr, ir.Expr] = {
        item.expr: ir.Var(item.alias, type=item.expr.type)
        for item in last.items
        if isinstance(item.expr, ir.Var)
    }
    tests: list[ir.Node] = [*first.order, *([first.where] if first.where is not None else [])]
    read = read_names(*tests)
    if not read or any(ir.Var(name) not in shown for name in read):
        return query
    made: dict[ir.Expr, ir.Expr] = {ir.Var(item.alias): item.expr for item in first.items}
    items = tuple(replace(i, expr=substitute(i.expr, made)) for i in last.items)
    order = tuple(substitute(key, shown) for key in first.order)
    where = substitute(first.where, shown) if first.where is not None else None
    joined = replace(first, items=items, order=order, where=where, final=True)
    return replace(query, clauses=(head, joined))
