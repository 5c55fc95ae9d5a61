"""What a query uses, counted on the parsed query: the one source for difficulty, quotas,
structural features and support tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from graph_ir import nodes as ir
from graph_ir.identity_cache import once
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import children, descend, find
from schemagraph.views import Shape

_CONDITIONS = (ir.Compare, ir.Text, ir.In, ir.IsNull, ir.LabelTest, ir.Quantifier)
SUBQUERIES = (ir.Exists, ir.CountOf, ir.CollectOf, ir.PatternComp, ir.Subquery)


@dataclass(frozen=True, slots=True)
class Features:
    """Counts are over the whole statement, subqueries included.

    `hops` is the number of edges of the largest connected part of one reading stage (a variable
    length counts its lower bound, and at least 1). `stages` are runs of MATCH that a projection
    separates. `conditions` are the atomic tests of WHERE and of property maps. `depth` is how
    deep subqueries nest; `inner_projections` are the projections and unions in them that do more
    than return plain columns (aggregate, distinct, limit, set operations). `shape` is that of the
    largest connected part.
    """

    constructs: tuple[str, ...]
    node_patterns: int
    edge_patterns: int
    hops: int
    variable_length: bool
    matches: int
    stages: int
    projections: int
    conditions: int
    aggregates: tuple[str, ...]
    nested_aggregate: bool
    filtered_aggregate: bool
    subqueries: int
    depth: int
    inner_projections: int
    unions: int
    returned: int
    returned_nodes: int
    returned_edges: int
    returned_paths: int
    shape: Shape


@once(256)
def features(statement: ir.Statement) -> Features:
    """Count what `statement` uses."""
    every = list(descend(statement))  # once: everything below looks at all nodes

    def of[N: ir.Node](*kinds: type[N]) -> list[N]:
        return [node for node in every if isinstance(node, kinds)]

    queries = of(ir.Query)
    final = _final(statement)
    hops, form = _largest([part for query in queries for part in _parts(query)])
    nodes, edges, paths = _returned(every, final)
    return Features(
        constructs=tuple(sorted({name for node in every for name in _ids(node)})),
        node_patterns=len(of(ir.NodePattern)),
        edge_patterns=len(of(ir.EdgePattern)),
        hops=hops,
        variable_length=any(map(_long, every)),
        matches=len(of(ir.Match)),
        stages=max(map(_stages, queries), default=0),
        projections=sum(not project.final for project in of(ir.Project)),
        conditions=_count_conditions(every),
        aggregates=tuple(sorted({agg.name for agg in of(ir.Agg)})),
        nested_aggregate=any(map(_nested, queries)),
        filtered_aggregate=any(map(_filtered, queries)),
        subqueries=len(of(*SUBQUERIES)),
        depth=_depth(statement) if of(*SUBQUERIES) else 0,
        inner_projections=_inner(every),
        unions=len(of(ir.Union)),
        returned=len(final.items) if final else 0,
        returned_nodes=nodes,
        returned_edges=edges,
        returned_paths=paths,
        shape=form,
    )


# --- constructs ----------------------------------------------------------------------------


def _ids(node: ir.Node) -> Iterator[str]:
    """Stable ids of the language features that one node stands for."""
    match node:
        case ir.Match(optional=optional):
            yield "optional-match" if optional else "match"
        case ir.EdgePattern(direction=direction, hops=hops):
            yield "undirected-edge" if direction is ir.Direction.BOTH else "directed-edge"
            if hops is not None:
                yield "variable-length"
        case ir.Quantified():
            yield "quantified-path"
        case ir.Path(selector=selector) if selector is not None:
            yield "shortest-path"
        case ir.Path(var=var) if var is not None:
            yield "path-variable"
        case ir.Project():
            yield from _projection(node)
        case ir.Agg(name, _, distinct):
            yield f"aggregate-{name.lower()}"
            if distinct:
                yield "aggregate-distinct"
        case ir.Bool(op):
            yield f"logic-{op.value.lower()}"
        case ir.Not():
            yield "logic-not"
        case ir.Text(op):
            yield _TEXT[op]
        case ir.Compare(op) if op not in (ir.CompareOp.EQ, ir.CompareOp.NE):
            yield "comparison"
        case ir.Compare(op):
            yield "equality" if op is ir.CompareOp.EQ else "inequality"
        case ir.Call(name):
            yield f"function-{name.lower()}"
        case ir.Union(all=keeps):
            yield "union-all" if keeps else "union"
        case _ if type(node) in _SIMPLE:
            yield _SIMPLE[type(node)]


def _projection(project: ir.Project) -> Iterator[str]:
    yield "return" if project.final else "with"
    flags = {
        "distinct": project.distinct,
        "order-by": bool(project.order),
        "skip": project.skip is not None,
        "limit": project.limit is not None,
        "with-where": project.where is not None,
        "group-by": bool(project.group),
    }
    yield from (name for name, used in flags.items() if used)


_TEXT = {
    ir.TextOp.STARTS: "starts-with",
    ir.TextOp.ENDS: "ends-with",
    ir.TextOp.CONTAINS: "contains",
    ir.TextOp.REGEX: "regular-expression",
}
_SIMPLE: dict[type[ir.Node], str] = {
    ir.In: "in-list",
    ir.IsNull: "is-null",
    ir.Exists: "exists-subquery",
    ir.CountOf: "count-subquery",
    ir.CollectOf: "collect-subquery",
    ir.Subquery: "call-subquery",
    ir.Procedure: "procedure",
    ir.Unwind: "unwind",
    ir.Case: "case",
    ir.ListComp: "list-comprehension",
    ir.PatternComp: "pattern-comprehension",
    ir.Quantifier: "quantifier",
    ir.Reduce: "reduce",
    ir.MapProjection: "map-projection",
    ir.Index: "index",
    ir.Slice: "slice",
    ir.Arith: "arithmetic",
    ir.Param: "parameter",
    ir.LabelOr: "label-or",
    ir.LabelAnd: "label-and",
    ir.LabelNot: "label-not",
    ir.LabelTest: "label-test",
}


# --- conditions, aggregates, subqueries ----------------------------------------------------


def _count_conditions(every: list[ir.Node]) -> int:
    tests = 0
    for node in every:
        where = getattr(node, "where", None)
        if isinstance(where, ir.Node) and not isinstance(node, ir.ListComp | ir.Quantifier):
            tests += _tests(where)
        if isinstance(node, ir.NodePattern | ir.EdgePattern) and isinstance(node.props, ir.MapOf):
            tests += len(node.props.entries)
    return tests


def _tests(expr: ir.Node) -> int:
    """Atomic tests of one condition; those of its subqueries are counted with them."""
    if isinstance(expr, ir.Exists):
        return 1
    if isinstance(expr, ir.CountOf | ir.CollectOf):
        return 0
    inner = sum(_tests(child) for child in children(expr))
    return inner + isinstance(expr, _CONDITIONS)


def _long(node: ir.Node) -> bool:
    if isinstance(node, ir.EdgePattern):
        return node.hops is not None and node.hops != ir.Hops(1, 1)
    return isinstance(node, ir.Quantified)


def _stages(query: ir.Query) -> int:
    """Runs of MATCH clauses, separated by projections."""
    runs, reading = 0, False
    for clause in query.clauses:
        if isinstance(clause, ir.Match):
            runs += not reading
            reading = True
        elif isinstance(clause, ir.Project | ir.Subquery):
            reading = False
    return runs


def _aggregated(query: ir.Query) -> Iterator[tuple[ir.Project, set[str]]]:
    """Projections with the names that hold aggregates when they begin."""
    known: set[str] = set()
    for clause in query.clauses:
        if isinstance(clause, ir.Subquery):
            last = _final(clause.query)
            known |= {i.alias for i in last.items if has_aggregate(i.expr)} if last else set()
        if isinstance(clause, ir.Project):
            yield clause, known
            known = {
                item.alias
                for item in clause.items
                if has_aggregate(item.expr) or _reads(item.expr, known)
            }


def _reads(expr: ir.Node, names: set[str]) -> bool:
    return any(var.name in names for var in find(expr, ir.Var))


def _nested(query: ir.Query) -> bool:
    """Whether an aggregate is taken over an aggregate of an earlier projection."""
    return any(
        _reads(agg, known)
        for project, known in _aggregated(query)
        for item in project.items
        for agg in find(item.expr, ir.Agg)
    )


def _filtered(query: ir.Query) -> bool:
    """Whether a condition reads an aggregate (HAVING)."""
    known: set[str] = set()
    for project, before in _aggregated(query):
        known |= before | {i.alias for i in project.items if has_aggregate(i.expr)}
        if project.where is not None and _reads(project.where, known):
            return True
    conditions = (clause.where for clause in query.clauses if isinstance(clause, ir.Match))
    return any(where is not None and _reads(where, known) for where in conditions)


def _inner(every: list[ir.Node]) -> int:
    bodies = [
        node.query
        for node in every
        if isinstance(node, ir.Exists | ir.CountOf | ir.CollectOf | ir.Subquery)
    ]
    return sum(
        isinstance(node, ir.Union) or (isinstance(node, ir.Project) and _reduces(node))
        for body in bodies
        for node in descend(body)
    )


def _reduces(project: ir.Project) -> bool:
    return project.group is not None or project.distinct or project.limit is not None


def _depth(node: ir.Node) -> int:
    below = max((_depth(child) for child in children(node)), default=0)
    return below + isinstance(node, SUBQUERIES)


# --- the graph of patterns -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Part:
    """The patterns of one reading stage: edges as (from, to, length)."""

    edges: tuple[tuple[str, str, int], ...]


def _parts(query: ir.Query) -> Iterator[_Part]:
    edges: list[tuple[str, str, int]] = []
    for clause in (*query.clauses, None):
        if isinstance(clause, ir.Match):
            for path in clause.paths:
                edges += _edges(path, len(edges))
        elif edges and (clause is None or isinstance(clause, ir.Project)):
            yield _Part(tuple(edges))
            edges = []


def _edges(path: ir.Path, start: int) -> Iterator[tuple[str, str, int]]:
    def name(node: ir.NodePattern, at: int) -> str:
        return node.var or f" {start}.{id(path)}.{at}"

    left = name(path.head, 0)
    for at, step in enumerate(path.steps, 1):
        right = name(step.node, at)
        length = 1
        if step.edge.hops is not None:
            length = max(1, step.edge.hops.lo)
        back = isinstance(step.edge, ir.EdgePattern) and step.edge.direction is ir.Direction.IN
        yield (right, left, length) if back else (left, right, length)
        left = right


def _largest(parts: list[_Part]) -> tuple[int, Shape]:
    best: tuple[int, Shape] = (0, "chain")
    for part in parts:
        for component in _components(part):
            size = sum(length for _, _, length in component)
            if size > best[0]:
                best = (size, _shape(component))
    return best


def _components(part: _Part) -> Iterator[list[tuple[str, str, int]]]:
    groups: list[tuple[set[str], list[tuple[str, str, int]]]] = []
    for edge in part.edges:
        names, edges = {edge[0], edge[1]}, [edge]
        for other in [group for group in groups if group[0] & names]:
            groups.remove(other)
            names |= other[0]
            edges = [*other[1], *edges]
        groups.append((names, edges))
    return (edges for _, edges in groups)


def _shape(edges: list[tuple[str, str, int]]) -> Shape:
    """Our rule, as the paper states none.

    Without a second way between two nodes: a chain when no node has three edges, a star when one
    node has all of them, else a tree. With one: a dag when no directed walk returns, else cyclic.
    """
    nodes = {name for left, right, _ in edges for name in (left, right)}
    degree = {name: sum((left, right).count(name) for left, right, _ in edges) for name in nodes}
    if len(edges) >= len(nodes):
        return "cyclic_or_dense" if _returns(nodes, edges) else "dag"
    if max(degree.values()) <= 2:
        return "chain"
    return "star" if max(degree.values()) == len(edges) else "tree"


def _returns(nodes: set[str], edges: list[tuple[str, str, int]]) -> bool:
    """Whether some directed walk comes back: nodes without a way in are taken away."""
    left = set(nodes)
    while free := {n for n in left if not any(t == n and s in left for s, t, _ in edges)}:
        left -= free
    return bool(left)


# --- what is returned ----------------------------------------------------------------------


def _final(statement: ir.Statement) -> ir.Project | None:
    query = statement if isinstance(statement, ir.Query) else statement.right
    last = query.clauses[-1]
    return last if isinstance(last, ir.Project) else None


def _returned(every: list[ir.Node], final: ir.Project | None) -> tuple[int, int, int]:
    """Numbers of returned items that are node, edge and path variables."""
    names = (
        [item.expr.name for item in final.items if isinstance(item.expr, ir.Var)] if final else []
    )
    if not names:
        return 0, 0, 0
    nodes = {node.var for node in every if isinstance(node, ir.NodePattern)}
    edges = {edge.var for edge in every if isinstance(edge, ir.EdgePattern)}
    paths = {path.var for path in every if isinstance(path, ir.Path)}
    return tuple(sum(name in kind for name in names) for kind in (nodes, edges, paths))  # type: ignore[return-value]


def constants(statements: Iterable[ir.Statement]) -> dict[str, list[Any]]:
    """property -> constants that queries compare it with."""
    pool: dict[str, list[Any]] = defaultdict(list)
    for statement in statements:
        for part in find(statement, ir.Node):
            for key, value in _compared(part):
                if isinstance(value, ir.Literal) and value.value is not None:
                    pool[key].append(value.value)
                elif isinstance(value, ir.Call) and value.args:
                    first = value.args[0]
                    if isinstance(first, ir.Literal):
                        pool[key].append(first.value)
    return pool


def _compared(part: ir.Node) -> Iterable[tuple[str, ir.Expr]]:
    match part:
        case ir.Compare(left=ir.Prop() as left) | ir.Text(left=ir.Prop() as left):
            yield left.key, part.right
        case ir.In(item=ir.Prop() as item, list=ir.ListOf() as listed):
            for value in listed.items:
                yield item.key, value
        case ir.In(list=ir.Prop() as listed):
            yield listed.key, part.item
        case ir.NodePattern(props=ir.MapOf() as props) | ir.EdgePattern(props=ir.MapOf() as props):
            for entry in props.entries:
                yield entry.key, entry.value
        case _:
            return


def most_frequent(statements: Iterable[ir.Statement], most: int) -> dict[str, list[Any]]:
    """property -> the constants that most queries compare it with, at most so many.

    >>> from graph_ir.cypher.reader import parse
    >>> most_frequent([parse("MATCH (n {a: 1}) WHERE n.b IN ['x', 'y'] RETURN n")], 1)
    {'a': [1], 'b': ['x']}
    """
    by_property = constants(statements)
    return {
        key: [constant.value for constant, _ in Counter(map(ir.Literal, values)).most_common(most)]
        for key, values in by_property.items()
    }
