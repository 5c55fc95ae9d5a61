"""Detours of the query language undone on the IR, before a plan is made; the meaning stays.

A list that is collected by a pattern is counted or listed by a subquery, a count that is compared
with nothing is an existence test, a quantified path of one edge is an edge of variable length.
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import find, rewrite


def simplified(statement: ir.Statement) -> ir.Statement:
    """The statement without the detours."""
    return rewrite(_listed(statement), _change)


def _change(node: ir.Node) -> ir.Node:
    match node:
        case ir.PatternComp(path, result, where):
            return ir.CollectOf(_query(path, where, result))
        case ir.Call("size", (ir.CollectOf(query),)) if isinstance(query, ir.Query):
            return _counted(query)
        case ir.Step(ir.Quantified(path, hops, None), end) if len(path.steps) == 1:
            return _unquantified(node, path, hops, end)
        case ir.Compare(op, ir.CountOf(query), ir.Literal(int() as bound)):
            return _existing(node, op, query, bound)
        case ir.Compare(op, ir.Literal(int() as bound), ir.CountOf(query)):
            return _existing(node, _FLIPPED[op], query, bound)
        case ir.Arith(ir.ArithOp.MUL, one, ir.Literal(1.0)):
            return one  # a division is to keep its fraction
        case ir.Arith(ir.ArithOp.MUL, ir.Literal(1.0), one):
            return one
        case ir.Bool(op, args) if any(isinstance(a, ir.Bool) and a.op is op for a in args):
            flat: list[ir.Expr] = []
            for arg in args:
                same = isinstance(arg, ir.Bool) and arg.op is op and op is not ir.BoolOp.XOR
                flat += arg.args if same and isinstance(arg, ir.Bool) else [arg]
            return replace(node, args=tuple(flat))
    return node


_FLIPPED = {
    ir.CompareOp.EQ: ir.CompareOp.EQ,
    ir.CompareOp.NE: ir.CompareOp.NE,
    ir.CompareOp.LT: ir.CompareOp.GT,
    ir.CompareOp.LE: ir.CompareOp.GE,
    ir.CompareOp.GT: ir.CompareOp.LT,
    ir.CompareOp.GE: ir.CompareOp.LE,
}


def _existing(node: ir.Expr, op: ir.CompareOp, query: ir.Statement, bound: int) -> ir.Expr:
    """`COUNT { … } > 0` is EXISTS, `= 0` is NOT EXISTS."""
    some = (op, bound) in ((ir.CompareOp.GT, 0), (ir.CompareOp.GE, 1), (ir.CompareOp.NE, 0))
    none = (op, bound) in ((ir.CompareOp.EQ, 0), (ir.CompareOp.LT, 1), (ir.CompareOp.LE, 0))
    if not isinstance(query, ir.Query) or not (some or none):
        return node
    return ir.Exists(query) if some else ir.Not(ir.Exists(query))


def _query(path: ir.Path, where: ir.Expr | None, result: ir.Expr) -> ir.Query:
    item = ir.Item(result, "item", named=False)
    return ir.Query((ir.Match((path,), where), ir.Project((item,), final=True)))


def _counted(query: ir.Query) -> ir.Expr:
    """How many a list has, where each row gives one item that cannot be lost."""
    last = query.clauses[-1]
    if isinstance(last, ir.Project) and (last.distinct or last.group is not None or last.limit):
        return ir.Call("size", (ir.CollectOf(query),))
    return ir.CountOf(query)


def _unquantified(step: ir.Node, path: ir.Path, hops: ir.Hops, end: ir.NodePattern) -> ir.Node:
    """`((a)-[:T]->(b)){1,3}` is `-[:T*1..3]->` where nothing is asked of what lies inside."""
    edge = path.steps[0].edge
    inner = (path.head, path.steps[0].node)
    if not isinstance(edge, ir.EdgePattern) or edge.hops or edge.props or edge.where or edge.var:
        return step
    if any(node.props or node.where for node in inner):
        return step
    return ir.Step(replace(edge, hops=hops), end)


def _listed(statement: ir.Statement) -> ir.Statement:
    """`UNWIND ['a', 'b'] AS x MATCH … WHERE n.p = x` is `WHERE n.p IN ['a', 'b']`."""
    if isinstance(statement, ir.Union):
        right = _listed(statement.right)
        assert isinstance(right, ir.Query)  # noqa: S101 - a query stays one
        return replace(statement, left=_listed(statement.left), right=right)
    match statement.clauses:
        case (ir.Unwind(ir.ListOf(values) as options, name), *rest) if values and all(
            isinstance(value, ir.Literal) for value in values
        ):
            subject = _bound(rest, name)
            if subject is None or len(set(values)) < len(values):
                return statement
            return _replaced(statement, rest, name, subject, options)
    return statement


def _bound(clauses: list[ir.Clause], name: str) -> ir.Prop | None:
    """The property that must equal the variable in the first MATCH."""
    first = clauses[0] if clauses else None
    if not isinstance(first, ir.Match) or first.optional:
        return None
    for test in find(first, ir.Compare):
        match test:
            case ir.Compare(ir.CompareOp.EQ, ir.Prop() as subject, ir.Var(other)) if other == name:
                return subject
            case ir.Compare(ir.CompareOp.EQ, ir.Var(other), ir.Prop() as subject) if other == name:
                return subject
    for node in find(first, ir.NodePattern):
        for entry in node.props.entries if isinstance(node.props, ir.MapOf) else ():
            if entry.value == ir.Var(name) and node.var:
                return ir.Prop(ir.Var(node.var), entry.key)
    return None


def _replaced(
    statement: ir.Query, rest: list[ir.Clause], name: str, subject: ir.Prop, options: ir.ListOf
) -> ir.Query:
    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Compare(ir.CompareOp.EQ, left, right) if {left, right} == {
                subject,
                ir.Var(name),
            }:
                return ir.In(subject, options)
            case ir.NodePattern(var, _, ir.MapOf(entries)) if (
                var
                and ir.Prop(
                    ir.Var(var), next((e.key for e in entries if e.value == ir.Var(name)), "")
                )
                == subject
            ):
                kept = tuple(e for e in entries if e.value != ir.Var(name))
                test = ir.In(subject, options)
                where = ir.Bool(ir.BoolOp.AND, (node.where, test)) if node.where else test
                return replace(node, props=ir.MapOf(kept) if kept else None, where=where)
        return node

    def use(node: ir.Node) -> ir.Node:
        return subject if node == ir.Var(name) else node

    later: list[ir.Clause] = []
    visible = True  # until a projection, after which the name is a column
    for clause in rest:
        if not visible:
            later.append(clause)
        elif isinstance(clause, ir.Project):
            items = tuple(rewrite(item, use) for item in clause.items)
            group = clause.group and tuple(rewrite(key, use) for key in clause.group)
            later.append(replace(clause, items=items, group=group))
            visible = False
        else:
            changed = rewrite(rewrite(clause, change), use)
            if any(v.name == name for v in find(changed, ir.Var)):
                return statement
            later.append(changed)
    return replace(statement, clauses=tuple(later))
