"""Walks of a MATCH as Gremlin has them: begun at the node that is filtered, or asked for only
whether they are there.

Every rewrite keeps the bag of rows. What the schema declares is taken as given: keys, and how many
targets a source has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction, conjuncts
from graph_ir.multiplicity import counts_once
from graph_ir.variables import read_names
from schemagraph.model import EdgeType, Kind, SchemaGraph

_FLIPPED = {
    ir.Direction.OUT: ir.Direction.IN,
    ir.Direction.IN: ir.Direction.OUT,
    ir.Direction.BOTH: ir.Direction.BOTH,
}
_ONE = ("1", "0..1")


def plain_path(match: ir.Clause) -> ir.Path | None:
    """The one path of a MATCH that is neither optional nor searched, named nor repeated."""
    if not isinstance(match, ir.Match) or match.optional or len(match.paths) != 1:
        return None
    if match.mode is not ir.MatchMode.DIFFERENT_EDGES:
        return None
    (path,) = match.paths
    return path if is_plain(path) else None


def is_plain(path: ir.Path) -> bool:
    """Whether a path is a chain of edges, of which none has a list of edges bound."""
    if path.var is not None or path.selector is not None or path.mode is not None:
        return False
    edges = [each.edge for each in path.steps]
    return all(isinstance(e, ir.EdgePattern) and not (e.hops and e.var) for e in edges)


def backwards(path: ir.Path) -> ir.Path:
    """The same plain path from its other end."""
    nodes = [path.head, *(each.node for each in path.steps)][::-1]
    edges = [each.edge for each in path.steps][::-1]
    steps = tuple(
        ir.Step(replace(edge, direction=_FLIPPED[edge.direction]), node)
        for edge, node in zip(edges, nodes[1:], strict=True)
        if isinstance(edge, ir.EdgePattern)
    )
    return replace(path, head=nodes[0], steps=steps)


def from_node(path: ir.Path, name: str) -> ir.Path | None:
    """The plain path seen from the node of that name, which is one of its ends and is met once."""
    ends = [path.head.var, path.steps[-1].node.var if path.steps else path.head.var]
    if names_of_path(path).count(name) != 1 or name not in ends:
        return None
    return path if path.head.var == name else backwards(path)


def names_of_path(path: ir.Path) -> list[str]:
    """The variables of a plain path, as often as each stands in it."""
    parts: list[ir.NodePattern | ir.EdgePattern | ir.Quantified] = [path.head]
    for each in path.steps:
        parts += [each.edge, each.node]
    return [each.var for each in parts if not isinstance(each, ir.Quantified) and each.var]


def split_tests(
    where: ir.Expr | None, names: Sequence[str], own: str
) -> tuple[tuple[ir.Expr, ...], tuple[ir.Expr, ...]]:
    """The conditions that read of these names `own` alone, and the others."""
    mine: list[ir.Expr] = []
    others: list[ir.Expr] = []
    for test in conjuncts(where):
        (mine if read_names(test) & set(names) <= {own} else others).append(test)
    return tuple(mine), tuple(others)


def walked(query: ir.Query, schema: SchemaGraph | None) -> ir.Query:
    """The first MATCH in the form that reads best, and DISTINCT only where it changes something."""
    return _once(_asked(_begun(query, schema)), schema)


def _begun(query: ir.Query, schema: SchemaGraph | None) -> ir.Query:
    first, *rest = query.clauses
    path = plain_path(first)
    if path is None or not isinstance(first, ir.Match) or not path.steps or not rest:
        return query
    name = path.head.var
    names = names_of_path(path)
    if name is None or len(set(names)) < len(names) or read_names(*rest) & (set(names) - {name}):
        return query
    if _is_tested(path.steps[-1].node, first.where):
        turned = replace(first, paths=(backwards(path),))
        return replace(query, clauses=(turned, *rest))
    if not counts_once(rest, after=False) and not to_one(path, schema):
        return query
    return replace(query, clauses=(asked_whether(first, path), *rest))


def _asked(query: ir.Query) -> ir.Query:
    """Walks that all begin at one node, which alone is read later, as questions of it."""
    first, *rest = query.clauses
    if not isinstance(first, ir.Match) or not _has_walks(first):
        return query
    if not counts_once(rest, after=False):
        return query
    name = first.paths[0].head.var or ""
    paths = [own for path in first.paths for own in (from_node(path, name),) if own is not None]
    others = [set(names_of_path(path)) - {name} for path in paths]
    every = [each for path in paths for each in names_of_path(path) if each != name]
    apart = len(paths) == len(first.paths) and len(set(every)) == len(every)
    if not apart or read_names(*rest) & set(every):
        return query
    heads = [path.head for path in paths]
    bare = all(h.labels is None and h.props is None and h.where is None for h in heads[1:])
    tests = conjuncts(first.where)
    owners = [[n for n, own in enumerate(others) if read_names(test) & own] for test in tests]
    if not bare or any(len(each) > 1 for each in owners) or not _are_disjoint(paths, tests):
        return query
    where = _questions(ir.NodePattern(name, type=heads[0].type), paths, tests, owners)
    return replace(query, clauses=(replace(first, paths=(ir.Path(heads[0]),), where=where), *rest))


def _has_walks(match: ir.Match) -> bool:
    """Whether it is several plain walks of different edges that have to be there."""
    if match.optional or len(match.paths) < 2 or match.mode is not ir.MatchMode.DIFFERENT_EDGES:
        return False
    return all(is_plain(path) and path.steps for path in match.paths)


def _questions(
    head: ir.NodePattern,
    paths: Sequence[ir.Path],
    tests: Sequence[ir.Expr],
    owners: Sequence[Sequence[int]],
) -> ir.Expr | None:
    """The tests of no walk, and for each walk whether there is one that passes its own tests."""
    asked: list[ir.Expr] = [test for test, by in zip(tests, owners, strict=True) if not by]
    for number, path in enumerate(paths):
        mine = [test for test, by in zip(tests, owners, strict=True) if by == [number]]
        asked.append(ir.Exists(ir.Query((ir.Match((replace(path, head=head),), _all(mine)),))))
    return _all(asked)


def _are_disjoint(paths: Sequence[ir.Path], tests: Sequence[ir.Expr]) -> bool:
    """Whether no edge fits two of the walks, or their ends differ in a constant."""
    fixed = {
        (test.left.base.name, test.left.key): test.right.value
        for test in tests
        if isinstance(test, ir.Compare)
        and test.op is ir.CompareOp.EQ
        and isinstance(test.left, ir.Prop)
        and isinstance(test.left.base, ir.Var)
        and isinstance(test.right, ir.Literal)
    }
    for place, path in enumerate(paths):
        for other in paths[place + 1 :]:
            if _may_share(path, other) and not _end_apart(path, other, fixed):
                return False
    return True


def _may_share(path: ir.Path, other: ir.Path) -> bool:
    types = [
        {each.edge.types.name if isinstance(each.edge.types, ir.LabelName) else ""}
        if isinstance(each.edge, ir.EdgePattern)
        else {""}
        for each in (*path.steps, *other.steps)
    ]
    mine, theirs = types[: len(path.steps)], types[len(path.steps) :]
    return any(a == b or "" in a | b for a in mine for b in theirs)


def _end_apart(
    path: ir.Path, other: ir.Path, fixed: dict[tuple[str, str], bool | int | float | str | None]
) -> bool:
    """Whether both are one edge from the same node, in one direction, to nodes that differ."""
    if len(path.steps) != 1 or len(other.steps) != 1:
        return False
    (a,), (b,) = path.steps, other.steps
    if not isinstance(a.edge, ir.EdgePattern) or not isinstance(b.edge, ir.EdgePattern):
        return False
    if a.edge.hops or b.edge.hops or a.edge.direction is not b.edge.direction:
        return False
    if a.edge.direction is ir.Direction.BOTH:
        return False
    return any(
        name == a.node.var
        and (b.node.var or "", key) in fixed
        and isinstance(value, str)
        and isinstance(fixed[b.node.var or "", key], str)
        and value != fixed[b.node.var or "", key]
        for (name, key), value in fixed.items()
    )


def asked_whether(match: ir.Match, path: ir.Path) -> ir.Match:
    """The head of a path alone, if the rest is there."""
    name = path.head.var or ""
    own, others = split_tests(match.where, names_of_path(path), name)
    body = ir.Match((replace(path, head=ir.NodePattern(name, type=path.head.type)),), _all(others))
    test = ir.Exists(ir.Query((body,)))
    return replace(match, paths=(ir.Path(path.head),), where=_all((*own, test)))


def _all(tests: Sequence[ir.Expr]) -> ir.Expr | None:
    return conjunction(*tests)


def _is_tested(node: ir.NodePattern, where: ir.Expr | None) -> bool:
    """Whether a node has a label and a condition of its own."""
    if node.labels is None:
        return False
    if node.props is not None or node.where is not None:
        return True
    return any(
        isinstance(test, ir.Compare | ir.In | ir.Text) and read_names(test) == {node.var}
        for test in conjuncts(where)
    )


def edge_kinds(edge: ir.EdgePattern, schema: SchemaGraph) -> list[EdgeType]:
    """The edge types that a pattern may be of."""
    if edge.type.kind is Kind.EDGE and edge.type.of:
        return [schema.edge_by_name[name] for name in edge.type.of]
    label = edge.types.name if isinstance(edge.types, ir.LabelName) else None
    return [kind for kind in schema.edges if label is None or kind.label == label]


def to_one(path: ir.Path, schema: SchemaGraph | None) -> bool:
    """Whether a plain path leads from each head to one end at most, as the schema declares."""
    return schema is not None and all(_leads_to_one(each.edge, schema) for each in path.steps)


def _leads_to_one(edge: ir.EdgePattern | ir.Quantified, schema: SchemaGraph) -> bool:
    if not isinstance(edge, ir.EdgePattern) or edge.hops is not None:
        return False
    kinds = edge_kinds(edge, schema)
    if len(kinds) != 1 or edge.direction is ir.Direction.BOTH:
        return False
    (kind,) = kinds
    return (kind.targets if edge.direction is ir.Direction.OUT else kind.sources) in _ONE


def key_of(expr: ir.Expr, schema: SchemaGraph | None) -> frozenset[str]:
    """The key of the nodes that an expression may be, if they are of one type that has one."""
    if schema is None or expr.type.kind is not Kind.NODE or len(expr.type.of) != 1:
        return frozenset()
    return frozenset(schema.node_by_name[expr.type.of[0]].key)


def told_by(exprs: Sequence[ir.Expr], schema: SchemaGraph | None) -> ir.Var | None:
    """The node of which all these are properties or the node itself, if they tell which it is."""
    bases: dict[str, ir.Var] = {}
    keys: set[str] = set()
    whole = False
    for each in exprs:
        match each:
            case ir.Var() if each.type.kind is Kind.NODE:
                bases[each.name], whole = each, True
            case ir.Prop(base=ir.Var() as base, key=key) if base.type.kind is Kind.NODE:
                bases[base.name] = base
                keys.add(key)
            case _:
                return None
    if len(bases) != 1:
        return None
    (node,) = bases.values()
    own = key_of(node, schema)
    return node if whole or (own and own <= keys) else None


def _once(query: ir.Query, schema: SchemaGraph | None) -> ir.Query:
    """Without DISTINCT of a node that each row has another of."""
    if len(query.clauses) < 2:
        return query
    first, second = query.clauses[:2]
    if not isinstance(first, ir.Match) or not isinstance(second, ir.Project):
        return query
    changed = second
    if second.distinct and second.group is None:
        node = told_by([item.expr for item in second.items], schema)
        if node is not None and one_row_each(first, node.name, schema):
            changed = replace(second, distinct=False)
    elif second.group is not None:
        items = tuple(replace(i, expr=_plainly(i.expr, first, schema)) for i in second.items)
        changed = replace(second, items=items)
    if changed == second:
        return query
    return replace(query, clauses=(first, changed, *query.clauses[2:]))


def _plainly(expr: ir.Expr, match: ir.Match, schema: SchemaGraph | None) -> ir.Expr:
    """`count(DISTINCT n)` as `count(n)` where each row has another n."""
    match expr:
        case ir.Agg(name="count", args=(ir.Var(name=name),), distinct=True):
            if one_row_each(match, name, schema):
                return replace(expr, distinct=False)
    return expr


def one_row_each(match: ir.Match, name: str, schema: SchemaGraph | None) -> bool:
    """Whether a required MATCH has each node of that name in one row at most."""
    if match.optional:
        return False
    met = False
    for path in match.paths:
        if not is_plain(path):
            return False
        own = from_node(path, name)
        if own is not None:
            met = True
            if not to_one(own, schema) and own.steps:
                return False
        elif path.steps or not _is_fixed(path.head, match.where, schema):
            return False
    return met


def _is_fixed(node: ir.NodePattern, where: ir.Expr | None, schema: SchemaGraph | None) -> bool:
    """Whether a node's key is given as constants."""
    if node.var is None:
        return False
    fixed: set[str] = set()
    for entry in node.props.entries if isinstance(node.props, ir.MapOf) else ():
        if isinstance(entry.value, ir.Literal):
            fixed.add(entry.key)
    for test in conjuncts(where):
        match test:
            case ir.Compare(
                op=ir.CompareOp.EQ,
                left=ir.Prop(base=ir.Var(name=name), key=key),
                right=ir.Literal(),
            ) if name == node.var:
                fixed.add(key)
    own = key_of(ir.Var(node.var, type=node.type), schema)
    return bool(own) and own <= fixed
