"""What a subquery reads from outside, and the subquery where such a value is null.

LadybugDB (0.22) joins the rows outside with those of a subquery by the values that it reads. A null
joins nothing, so that such a row has the answer of no match, or that of the row before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts, substitute
from graph_ir.walk import children, find, rewrite

type Subquery = ir.Exists | ir.CountOf


def outer_values(query: ir.Node, bound: Collection[str]) -> tuple[ir.Expr, ...]:
    """The variables of `bound`, and their properties, that expressions in a subquery read.

    A subquery in it reads what its patterns go through, too, where that may be null.
    """
    asked = [test for test in _tests(query) if isinstance(test, ir.Exists)]
    through = (
        ir.Var(node.var, type=node.type)
        for inner in find(query, ir.Exists, ir.CountOf)
        for node in find(inner, ir.NodePattern)
        if node.var is not None and node.var in bound and node.type.nullable
        # no row passes where the pattern of a condition goes through null
        if not any(meets(test, (node.var,)) for test in asked)
    )
    return tuple(dict.fromkeys((*_read(query, bound), *through)))


def _read(node: ir.Node, bound: Collection[str]) -> Iterator[ir.Expr]:
    match node:
        case ir.Prop(base=ir.Var(name=name)) | ir.Var(name=name) if name in bound:
            yield node
        case _:
            for child in children(node):
                yield from _read(child, bound)


def meets(query: ir.Node, bound: Collection[str]) -> bool:
    """Whether a pattern of the subquery goes through a variable from outside."""
    return any(node.var in bound for node in find(query, ir.NodePattern))


def where_null(node: Subquery, value: ir.Expr) -> ir.Expr:
    """What `node` is where `value` is null."""
    if any(_rejects(test, value) for test in _tests(node.query)):
        return _of_nothing(node)
    nulls = {value.name} if isinstance(value, ir.Var) else frozenset[str]()

    def change(part: ir.Node) -> ir.Node:
        match part:
            case ir.IsNull(arg=ir.Literal(value=None)):
                return ir.Literal(not part.negated)
            case ir.Prop(base=ir.Literal(value=None)):
                return ir.Literal(None)
            case ir.Exists() | ir.CountOf() if meets(part.query, nulls):
                return _of_nothing(part)
        return part

    query = rewrite(substitute(node.query, {value: ir.Literal(None)}), change)
    return _of_nothing(node) if meets(query, nulls) else replace(node, query=query)


def _of_nothing(node: Subquery) -> ir.Literal:
    return ir.Literal(False) if isinstance(node, ir.Exists) else ir.Literal(0)


def _tests(query: ir.Node) -> Iterator[ir.Expr]:
    """What holds of every match of a subquery of one MATCH."""
    match = query.clauses[0] if isinstance(query, ir.Query) else query
    if not isinstance(match, ir.Match):
        return
    yield from conjuncts(match.where)
    for path in match.paths:
        for node in (path.head, *(part for s in path.steps for part in (s.edge, s.node))):
            if not isinstance(node, ir.Quantified) and isinstance(node.props, ir.MapOf):
                yield from (entry.value for entry in node.props.entries)


def _rejects(test: ir.Expr, value: ir.Expr) -> bool:
    """Whether a test, or a value of a property, lets nothing pass where `value` is null."""
    match test:
        case ir.Compare() | ir.Arith() | ir.Text():
            return _rejects(test.left, value) or _rejects(test.right, value)
        case _:
            return test == value
