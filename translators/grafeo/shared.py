"""What both profiles of grafeo 0.6 say otherwise: what it answers wrongly, or takes long for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, conjunction, conjuncts, names_in, unused_names
from graph_ir.variables import introduced, pattern_names
from graph_ir.walk import each_query, find, rewrite
from graph_ir.walk import substitute as change_below
from schemagraph.model import ANY, Kind, SchemaGraph, Type
from translators.gql.emit.values import item_nullable, kind_of

NO_SUBQUERY = "drops the rows of an OPTIONAL MATCH whose WHERE has a subquery that fails"

NOT_IN_GRAFEO: Mapping[type[ir.Node], tuple[str, str]] = {
    ir.LabelAny: ("engine-limit", "grafeo cannot test for any label."),
    ir.Procedure: ("engine-limit", "grafeo has no procedures."),
    ir.Yield: ("engine-limit", "grafeo has no procedures."),
}
"""What no language of grafeo's has: codes and sentences of refusals."""

NUMBER_NAMES = frozenset({"INF", "INFINITY", "NAN"})
"""What grafeo reads as the number where a variable or a column is read, in quotes, too."""

_ORDERED = (ir.CompareOp.LT, ir.CompareOp.LE, ir.CompareOp.GT, ir.CompareOp.GE)


def unsound_comparison(node: ir.Compare) -> str:
    """Why grafeo answers a comparison wrongly, or nothing."""
    kinds = {kind_of(node.left), kind_of(node.right)}
    if node.op in _ORDERED and kinds & {Kind.BOOLEAN, Kind.LIST}:
        return "has no order of booleans and lists"
    if Kind.MAP in kinds or any(
        kind_of(side) is Kind.LIST and holds_null(side) for side in (node.left, node.right)
    ):
        return "takes null for a value in lists and maps"
    return ""


def holds_null(expr: ir.Expr) -> bool:
    """Whether a null can stand anywhere inside the list `expr`."""
    if isinstance(expr, ir.ListOf):
        return item_nullable(expr) or any(
            holds_null(item) for item in expr.items if kind_of(item) is Kind.LIST
        )
    type_ = expr.type
    while type_.kind is Kind.LIST:
        if type_.item is None or type_.item.nullable:
            return item_nullable(expr)
        type_ = type_.item
    return type_.kind is Kind.ANY and item_nullable(expr)


def unsound_membership(node: ir.In) -> str:
    """Why grafeo answers `item IN list` wrongly, or nothing."""
    items = node.list.items if isinstance(node.list, ir.ListOf) else ()
    tests = (ir.Compare(ir.CompareOp.EQ, node.item, item) for item in items)
    return next(filter(None, map(unsound_comparison, tests)), "")


def slices_aggregates(project: ir.Project) -> bool:
    """Whether a slice with computed bounds has an aggregate in it, for which rows are to be grouped
    before."""
    calls = (call for item in project.items for call in find(item.expr, ir.Call))
    return any(call.name == "=[..]" and aggregates(call) for call in calls)


def null_properties(statement: ir.Statement) -> ir.Statement:
    """`{key: null}` matches nothing, but grafeo takes it for "is missing": a WHERE says it."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.NodePattern | ir.EdgePattern) and isinstance(node.props, ir.MapOf):
            kept = tuple(e for e in node.props.entries if e.value != ir.Literal(None))
            if len(kept) < len(node.props.entries):
                props = replace(node.props, entries=kept) if kept else None
                return replace(node, props=props, where=ir.Literal(False))
        return node

    return rewrite(statement, change)


def subquery_in(where: ir.Expr | None) -> bool:
    """Whether a condition asks a subquery or a pattern."""
    kinds = (ir.Exists, ir.CountOf, ir.CollectOf, ir.PatternComp, ir.PathExpr)
    return where is not None and next(find(where, *kinds), None) is not None


def anchored(statement: ir.Statement) -> ir.Statement:
    """Constants that the ends of a named path are compared with, as properties in the pattern.

    grafeo reads them there before it walks; those of the WHERE it looks at when it has every path
    from everywhere. On 20,000 nodes that is 10 s against 0.01 s.
    """

    def change(node: ir.Node) -> ir.Node:
        return _anchored(node) if isinstance(node, ir.Match) else node

    return rewrite(statement, change)


def _anchored(match: ir.Match) -> ir.Match:
    ends = {
        node.var
        for path in match.paths
        if path.var and path.steps and path.selector is None
        for node in (path.head, path.steps[-1].node)
        if node.var and node.props is None and node.where is None
    }
    entries: dict[str, list[ir.Entry]] = {}
    left: list[ir.Expr] = []
    for test in conjuncts(match.where):
        match test:
            case ir.Compare(
                ir.CompareOp.EQ, ir.Prop(ir.Var(name), key), ir.Literal(str() as value)
            ) if name in ends and all(key != e.key for e in entries.get(name, ())):
                entries.setdefault(name, []).append(ir.Entry(key, ir.Literal(value)))
            case _:
                left.append(test)
    if not entries:
        return match

    def place(node: ir.NodePattern) -> ir.NodePattern:
        own = entries.pop(node.var, None) if node.var and node.props is None else None
        return node if own is None else replace(node, props=ir.MapOf(tuple(own)))

    paths = tuple(
        replace(
            path,
            head=place(path.head),
            steps=tuple(replace(step, node=place(step.node)) for step in path.steps),
        )
        for path in match.paths
    )
    return replace(match, paths=paths, where=conjunction(*left))


def separate_subqueries(statement: ir.Statement) -> ir.Statement:
    """Conditions with a subquery in a clause of their own, where an OPTIONAL MATCH comes later.

    Beside a condition on what the optional part starts from, it would find nothing.
    """
    return each_query(statement, _separate_subqueries)


def _separate_subqueries(query: ir.Query) -> ir.Query:
    free = unused_names(query, "node")
    optional = [
        place
        for place, clause in enumerate(query.clauses)
        if isinstance(clause, ir.Match) and clause.optional
    ]
    last = max(optional, default=-1)
    clauses: list[ir.Clause] = []
    for place, clause in enumerate(query.clauses):
        if isinstance(clause, ir.Match) and not clause.optional and place < last:
            clauses += _apart(clause, free)
        else:
            clauses.append(clause)
    return replace(query, clauses=tuple(clauses))


def _apart(match: ir.Match, free: Iterator[str]) -> Iterator[ir.Match]:
    conditions = conjuncts(match.where)
    asking = [condition for condition in conditions if subquery_in(condition)]
    plain = [condition for condition in conditions if not subquery_in(condition)]
    if not asking or not plain or any(path.selector is not None for path in match.paths):
        yield match
        return
    first = match.paths[0]
    head = replace(first.head, var=first.head.var or next(free))
    paths = (replace(first, head=head), *match.paths[1:])
    yield replace(match, paths=paths, where=conjunction(*plain))
    again = ir.Path(replace(head, labels=None, props=None, where=None))
    yield replace(match, paths=(again,), where=conjunction(*asking))


def matched_nodes(statement: ir.Statement) -> ir.Statement:
    """A node that an OPTIONAL MATCH did not find is said to be none where a MATCH names it alone.

    grafeo keeps the row: `OPTIONAL MATCH (a:A) MATCH (a) RETURN 1` has one in a graph without A.
    """
    return _matched_nodes(statement, frozenset(), optional=False)


def _matched_nodes(
    statement: ir.Statement, outer: frozenset[str], *, optional: bool
) -> ir.Statement:
    """The statement, where `outer` are names from outside, which may be null if `optional`."""
    if isinstance(statement, ir.Union):
        left = _matched_nodes(statement.left, outer, optional=optional)
        right = _matched_nodes(statement.right, outer, optional=optional)
        assert isinstance(right, ir.Query)  # noqa: S101 # a side stays one
        return replace(statement, left=left, right=right)
    known = set(outer)
    clauses: list[ir.Clause] = []
    for clause in statement.clauses:
        if isinstance(clause, ir.Match) and not clause.optional and optional:
            alone = (path.head for path in clause.paths if not path.steps)
            named = [n.var for n in alone if n == ir.NodePattern(n.var) and n.var in known]
            there = (ir.IsNull(ir.Var(name), negated=True) for name in named if name)
            clause = replace(clause, where=conjunction(*conjuncts(clause.where), *there))
        optional = optional or (isinstance(clause, ir.Match) and clause.optional)
        known.update(introduced(clause))
        clauses.append(_matched_below(clause, known, optional))
    return replace(statement, clauses=tuple(clauses))


def _matched_below(clause: ir.Clause, known: set[str], optional: bool) -> ir.Clause:
    """The clause with its subqueries done, `known` being the names up to its end."""

    def change(node: ir.Node) -> ir.Node | None:
        if not isinstance(node, ir.Exists | ir.CountOf | ir.CollectOf | ir.Subquery):
            return None
        outer = frozenset(known)
        if isinstance(node, ir.Subquery):
            outer &= frozenset(node.imports)
        query = _matched_nodes(node.query, outer, optional=optional)
        return node if query == node.query else replace(node, query=query)

    return change_below(clause, change)


def single_steps(statement: ir.Statement) -> ir.Statement:
    """A path that ends where the pattern has been already, as one path for each of its steps.

    grafeo walks such a path from the node before for every row and looks where it ends; a step
    between two known nodes it looks up. On 20,000 nodes that is 6 s against 0.02 s. As it goes by
    the order of the text, an edge that closes a path of the same MATCH comes before that path, and
    a MATCH begins at what the clauses before it found (1.4 s against 0.01 s).
    """
    return each_query(statement, _single_steps)


def _single_steps(query: ir.Query) -> ir.Query:
    taken = names_in(query)
    free = (name for number in count(1) if (name := f"node{number}") not in taken)
    known: set[str] = set()
    clauses: list[ir.Clause] = []
    for clause in query.clauses:
        if isinstance(clause, ir.Match):
            begun = clause.paths if clause.optional else _known_first(clause.paths, known)
            ordered = _closing_first(begun, known)
            paths = tuple(part for path in ordered for part in _parts(path, known, free))
            clause = clause if paths == clause.paths else replace(clause, paths=paths)
        elif isinstance(clause, ir.Project):
            known.clear()
        known.update(introduced(clause))
        clauses.append(clause)
    return replace(query, clauses=tuple(clauses))


def _known_first(paths: tuple[ir.Path, ...], known: set[str]) -> tuple[ir.Path, ...]:
    """A path that leads to what is known already comes first, and begins there."""
    if not known or paths[0].head.var in known:
        return paths
    for number, path in enumerate(paths):
        rest = (*paths[:number], *paths[number + 1 :])
        if any(read.name not in known for read in find(path, ir.Var)):
            continue  # what it reads may be what a path before it finds
        if path.head.var in known:
            return (path, *rest)
        if path.steps and path.steps[-1].node.var in known and _is_fixed(path):
            return (_reversed(path), *rest)
    return paths


def _reversed(path: ir.Path) -> ir.Path:
    """A path of single edges from its end to its beginning."""
    nodes = [path.head, *(step.node for step in path.steps)]
    steps = []
    for step, node in zip(path.steps[::-1], nodes[-2::-1], strict=True):
        assert isinstance(step.edge, ir.EdgePattern)  # noqa: S101 # it is fixed
        edge = replace(step.edge, direction=_OTHER[step.edge.direction])
        steps.append(ir.Step(edge, node))
    return replace(path, head=nodes[-1], steps=tuple(steps))


def _closing_first(paths: tuple[ir.Path, ...], known: set[str]) -> Iterator[ir.Path]:
    """Single edges between the ends of a longer path of the same MATCH, before that path."""
    known, placed = set(known), set[int]()
    edges: dict[frozenset[str | None], list[int]] = {}  # by their ends, so that it is linear
    for number, path in enumerate(paths):
        if len(path.steps) == 1:
            edges.setdefault(_ends(path), []).append(number)
    for number, path in enumerate(paths):
        if number in placed:
            continue
        rest = path
        for closing in edges.get(_ends(path), ()) if len(path.steps) > 1 else ():
            turned = None
            if closing > number and closing not in placed:
                turned = _turned(path, paths[closing], known)
            if turned is not None:
                placed.add(closing)
                edge, rest = turned
                yield edge
                break
        yield rest
        known.update(pattern_names(rest))


def _ends(path: ir.Path) -> frozenset[str | None]:
    """The variables at the two ends of a path."""
    return frozenset((path.head.var, path.steps[-1].node.var if path.steps else path.head.var))


def _turned(long: ir.Path, edge: ir.Path, known: set[str]) -> tuple[ir.Path, ir.Path] | None:
    """The edge and the path that it closes, where the edge can come first, else None.

    What the path asks of its ends goes with the edge. It begins where something is known already,
    else where the path does.
    """
    if len(long.steps) < 2 or len(edge.steps) != 1 or not (_is_fixed(long) and _is_fixed(edge)):
        return None
    a, b = long.head, long.steps[-1].node
    pattern, (c, d) = edge.steps[0].edge, (edge.head, edge.steps[0].node)
    names = [node.var for node in (a, *(step.node for step in long.steps)) if node.var]
    if not (a.var and b.var) or {a.var, b.var} != {c.var, d.var} or len(set(names)) < len(names):
        return None
    asks = (a.where, b.where, pattern.where)
    bare = all(node == ir.NodePattern(node.var) for node in (c, d))
    if not bare or any(asks) or any(next(find(n, ir.Var), None) for n in (a, b, pattern)):
        return None
    assert isinstance(pattern, ir.EdgePattern)  # noqa: S101 # it is fixed
    start, end = (b, a) if b.var in known and a.var not in known else (a, b)
    if c.var != start.var:
        pattern = replace(pattern, direction=_OTHER[pattern.direction])
    rest = (*long.steps[:-1], replace(long.steps[-1], node=ir.NodePattern(b.var)))
    first = replace(edge, head=start, steps=(ir.Step(pattern, end),))
    return first, replace(long, head=ir.NodePattern(a.var), steps=rest)


def _is_fixed(path: ir.Path) -> bool:
    """Whether a path is single edges and nothing else."""
    plain = path.var is None and path.selector is None and path.mode is None
    return plain and all(
        isinstance(step.edge, ir.EdgePattern) and step.edge.hops is None for step in path.steps
    )


_OTHER = {
    ir.Direction.OUT: ir.Direction.IN,
    ir.Direction.IN: ir.Direction.OUT,
    ir.Direction.BOTH: ir.Direction.BOTH,
}


def _parts(path: ir.Path, known: set[str], free: Iterator[str]) -> Iterator[ir.Path]:
    """The path, or its steps, from one known or named node to the next."""
    nodes = [path.head, *(step.node for step in path.steps)]
    known.update(node.var for node in nodes[:-1] if node.var)
    fixed = all(isinstance(s.edge, ir.EdgePattern) and s.edge.hops is None for s in path.steps)
    closes = len(path.steps) > 1 and nodes[-1].var in known
    if not (closes and fixed) or path.var is not None or path.selector is not None:
        known.update(node.var for node in nodes if node.var)
        yield path
        return
    head = path.head
    for step in path.steps:
        var = step.node.var or next(free)
        yield ir.Path(head, (replace(step, node=replace(step.node, var=var)),))
        head = replace(step.node, var=var, labels=None, props=None, where=None)


def property_kind(
    schema: SchemaGraph | None, node: ir.NodePattern | ir.EdgePattern, key: str
) -> Type:
    """The type of a property of what a pattern stands for, as far as it is one."""
    if schema is None:
        return ANY
    known = schema.node_by_name if isinstance(node, ir.NodePattern) else schema.edge_by_name
    types = [known[name] for name in node.type.of if name in known] or list(known.values())
    types_ = [p.type for t in types if (p := t.property(key)) is not None]
    if len({type.kind for type in types_}) != 1:
        return ANY
    return replace(types_[0], nullable=True)
