"""A grouping whose rows are only shown, as one SELECT with HAVING, and DISTINCT that nothing needs.

`MATCH … WITH a, count(p) AS n WHERE n > 2 RETURN a.name, n` is one grouping by `a` and its name:
what is a property of a key has one value in each group.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, conjuncts, substitute
from graph_ir.walk import descend, find
from schemagraph.model import NodeType, SchemaGraph

_PLAIN = (
    *(ir.Var, ir.Prop, ir.Literal, ir.Agg, ir.Call, ir.Compare, ir.Bool, ir.Not, ir.Neg, ir.Arith),
    *(ir.Case, ir.When, ir.IsNull, ir.In, ir.ListOf, ir.Text, ir.Item, ir.SortKey),
)
_ONE = ("1", "0..1")


@dataclass(frozen=True, slots=True)
class Flat:
    """A query with its grouping as the last clause, and the condition on the groups."""

    query: ir.Query
    having: ir.Expr | None = None


def flat(query: ir.Query) -> Flat | None:
    """The query with one grouping at its end in place of a grouping and a projection; None where
    it ends otherwise."""
    if len(query.clauses) < 2:
        return None
    grouping, last = query.clauses[-2:]
    if not isinstance(grouping, ir.Project) or not isinstance(last, ir.Project):
        return None
    if not _groups(grouping) or last.group is not None or last.distinct:
        return None
    cut = last
    if grouping.order or grouping.skip or grouping.limit:
        if last.order or last.skip or last.limit or grouping.where is not None:
            return None
        cut = grouping
    renamed = {item.alias for item in last.items if item.expr != ir.Var(item.alias)}
    if not _only_shows(grouping, last, cut.order, renamed):
        return None
    meaning: dict[ir.Expr, ir.Expr] = {ir.Var(item.alias): item.expr for item in grouping.items}
    kept = {item.alias for item in last.items} - renamed
    hidden = {var: expr for var, expr in meaning.items() if _name(var) not in kept}
    made = replace(
        last,
        items=tuple(replace(item, expr=substitute(item.expr, meaning)) for item in last.items),
        order=tuple(replace(key, expr=substitute(key.expr, hidden)) for key in cut.order),
        skip=cut.skip,
        limit=cut.limit,
        group=grouping.group,
    )
    having = None if grouping.where is None else substitute(grouping.where, meaning)
    return Flat(replace(query, clauses=(*query.clauses[:-2], made)), having)


def _only_shows(
    grouping: ir.Project, last: ir.Project, order: Sequence[ir.SortKey], renamed: set[str]
) -> bool:
    """Whether `last` can be written over what `grouping` aggregates, each aggregate once."""
    parts = [part for part in (*last.items, *order, grouping.where) if part is not None]
    if not all(isinstance(node, _PLAIN) for part in parts for node in descend(part)):
        return False
    inner = {item.alias: item.expr for item in grouping.items}
    counted = {name for name, expr in inner.items() if aggregates(expr)}
    uses = [var.name for item in last.items for var in find(item, ir.Var)]
    if any(uses.count(name) > 1 for name in counted):
        return False  # the aggregate would be written twice
    if grouping.where is not None and {v.name for v in find(grouping.where, ir.Var)} - counted:
        return False
    return not renamed & set(inner)  # an order by that name means the column


def _name(expr: ir.Expr) -> str:
    return expr.name if isinstance(expr, ir.Var) else ""


def _groups(clause: ir.Project) -> bool:
    """Whether it only groups, by variables and their properties."""
    return (
        bool(clause.group)
        and not clause.distinct
        and all(
            isinstance(key, ir.Var) or (isinstance(key, ir.Prop) and isinstance(key.base, ir.Var))
            for key in clause.group or ()
        )
    )


# --- DISTINCT ----------------------------------------------------------------------------------


def plain(query: ir.Query, schema: SchemaGraph | None) -> ir.Query:
    """The query without a DISTINCT over rows that are different by the schema: they show keys
    that decide all that is matched."""
    last = query.clauses[-1]
    if schema is None or not isinstance(last, ir.Project) or not last.distinct:
        return query
    match query.clauses:
        case (ir.Match(optional=False) as match, _) if last.group is None:
            if _decided(match, last, schema):
                return replace(query, clauses=(match, replace(last, distinct=False)))
    return query


def _decided(match: ir.Match, last: ir.Project, schema: SchemaGraph) -> bool:
    """Whether the rows' values decide every node and edge that is matched."""
    nodes: dict[str, list[ir.NodePattern]] = {}
    steps = _steps(match, nodes)
    if steps is None:
        return False
    fixed = {(name, key) for name, key, _ in constants(match)} | {
        (item.expr.base.name, item.expr.key)
        for item in last.items
        if isinstance(item.expr, ir.Prop) and isinstance(item.expr.base, ir.Var)
    }
    known = {item.expr.name for item in last.items if isinstance(item.expr, ir.Var)} & set(nodes)
    for name, patterns in nodes.items():
        of = next((each.type.of for each in patterns if each.type.of), ())
        keys = {key for var, key in fixed if var == name}
        if len(of) == 1 and _unique(schema.node_by_name[of[0]], keys):
            known.add(name)
    sure: set[int] = set()
    for _ in steps:
        for edge, source, target in steps:
            types = [schema.edge_by_name[name] for name in edge.type.of]
            if source in known and _one_each([(each.source, each.targets) for each in types]):
                known.add(target)
                sure.add(id(edge))
            if target in known and _one_each([(each.target, each.sources) for each in types]):
                known.add(source)
                sure.add(id(edge))
    return known >= set(nodes) and len(sure) == len(steps)


def _one_each(ends: Sequence[tuple[str, str]]) -> bool:
    """Whether a node has one edge at most of all these types, of which each has a type of nodes at
    this end and a number of edges at each of them: of two types it may have an edge each."""
    nodes = {name for name, _ in ends}
    return len(nodes) == len(ends) and all(number in _ONE for _, number in ends)


def _steps(
    match: ir.Match, nodes: dict[str, list[ir.NodePattern]]
) -> list[tuple[ir.EdgePattern, str, str]] | None:
    """Each edge with the names of its source and its target, which go to `nodes`; None where a
    path is a search or has an edge of unknown type, length or direction."""
    steps: list[tuple[ir.EdgePattern, str, str]] = []
    for number, path in enumerate(match.paths):
        if path.selector is not None or path.mode is not None:
            return None
        before = _node(path.head, nodes, f"{number}")
        for place, step in enumerate(path.steps):
            edge = step.edge
            if not isinstance(edge, ir.EdgePattern) or edge.hops is not None:
                return None
            after = _node(step.node, nodes, f"{number}.{place}")
            if edge.direction is ir.Direction.BOTH or not edge.type.of:
                return None
            out = edge.direction is ir.Direction.OUT
            steps.append((edge, *((before, after) if out else (after, before))))
            before = after
    return steps


def _node(node: ir.NodePattern, nodes: dict[str, list[ir.NodePattern]], hint: str) -> str:
    name = node.var or hint
    nodes.setdefault(name, []).append(node)
    return name


def constants(match: ir.Match) -> Iterator[tuple[str, str, object]]:
    """Properties of nodes that equal a constant: variable, key, value."""
    for path in match.paths:
        for node in (path.head, *(step.node for step in path.steps)):
            if node.var and isinstance(node.props, ir.MapOf):
                for entry in node.props.entries:
                    if isinstance(entry.value, ir.Literal):
                        yield node.var, entry.key, entry.value.value
    for test in conjuncts(match.where):
        match test:
            case ir.Compare(ir.CompareOp.EQ, ir.Prop(ir.Var(name), key), ir.Literal(value)):
                yield name, key, value


def _unique(of: NodeType, keys: set[str]) -> bool:
    """Whether no two nodes of a type agree in these properties."""
    sets = [each for each in (of.key, *of.unique) if each]
    return any(
        set(each) <= keys
        and all((p := of.property(key)) is not None and not p.type.nullable for key in each)
        for each in sets
    )
