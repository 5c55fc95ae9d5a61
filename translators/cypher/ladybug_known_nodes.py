"""Nodes from outside that a pattern of a subquery names alone: `EXISTS { MATCH (t) }`.

LadybugDB (0.22) has such a pattern match where the node is null, dies of its count, and finds none
beside other patterns. What the pattern says are conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction, keeps_rows
from graph_ir.walk import rewrite, substitute
from schemagraph.model import ANY, Kind, SchemaGraph, Type
from translators.cypher.ladybug_subqueries import Subquery
from translators.gql.emit.values import item_nullable, nullable

type Scope = Mapping[str, bool]  # variables, and whether they may be null
_NUMBERS = frozenset((Kind.INTEGER, Kind.FLOAT))


def known_as_conditions(statement: ir.Statement, schema: SchemaGraph) -> ir.Statement:
    """The statement, in whose subqueries no pattern is but a node from outside."""
    match statement:
        case ir.Union():
            left = known_as_conditions(statement.left, schema)
            return replace(statement, left=left, right=_query(statement.right, schema))
        case ir.Query():
            return _query(statement, schema)
    return statement


def _query(query: ir.Query, schema: SchemaGraph) -> ir.Query:
    scope: dict[str, bool] = {}
    clauses = []
    for clause in query.clauses:
        behind = _behind(clause, scope)
        either = {name: scope.get(name, False) or null for name, null in behind.items()}
        clauses.append(_changed(clause, {**scope, **either}, schema))
        scope = behind
    return replace(query, clauses=tuple(clauses))


def _behind(clause: ir.Clause, scope: Scope) -> dict[str, bool]:
    """The variables behind a clause."""
    match clause:
        case ir.Project(items=items):
            return {item.alias: nullable(item.expr) for item in items}
        case ir.Unwind():
            return {**scope, clause.alias: item_nullable(clause.expr)}
        case ir.Match():
            return {**dict.fromkeys(_names(clause), clause.optional), **scope}
    return dict(scope)


def _names(match: ir.Match) -> Iterator[str]:
    for path in match.paths:
        for part in (path, *_elements(path)):
            if part.var:
                yield part.var


def _elements(path: ir.Path) -> Iterator[ir.NodePattern | ir.EdgePattern]:
    yield path.head
    for step in path.steps:
        if isinstance(step.edge, ir.EdgePattern):
            yield step.edge
        yield step.node


def _changed[N: ir.Node](node: N, scope: Scope, schema: SchemaGraph) -> N:
    """A copy whose subqueries are without known nodes."""

    def change(part: ir.Node) -> ir.Node | None:
        return _asked(part, scope, schema) if isinstance(part, ir.Exists | ir.CountOf) else None

    return substitute(node, change)


def _asked(node: Subquery, scope: Scope, schema: SchemaGraph) -> ir.Expr:
    query = node.query
    match, *rest = query.clauses if isinstance(query, ir.Query) else (query,)
    plain = all(isinstance(clause, ir.Project) and keeps_rows(clause) for clause in rest)
    if not isinstance(match, ir.Match) or match.optional or not plain:
        return node  # which is refused
    match = _changed(match, _behind(match, scope), schema)
    known = [path for path in match.paths if _is_known(path, scope)]
    tests = [test for path in known for test in _tests(path.head, scope, schema)]
    where = conjunction(*tests, match.where)
    paths = tuple(_marked(path, scope) for path in match.paths if path not in known)
    if paths:
        match = replace(match, paths=paths, where=where)
        return replace(node, query=ir.Query((match, *rest), span=query.span))
    yes, no = (True, False) if isinstance(node, ir.Exists) else (1, 0)
    if where is None:
        return ir.Literal(yes)
    if isinstance(node, ir.Exists) and not nullable(where):
        return where
    return ir.Case((ir.When(where, ir.Literal(yes)),), ir.Literal(no), type=node.type)


def _marked(path: ir.Path, scope: Scope) -> ir.Path:
    """The path, whose nodes from outside say by their types that they may be null."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.NodePattern) and scope.get(node.var or ""):
            return replace(node, type=replace(node.type, nullable=True))
        return node

    return rewrite(path, change)


def _is_known(path: ir.Path, scope: Scope) -> bool:
    plain = not path.steps and path.var is None and path.selector is None
    return plain and path.head.var in scope and not isinstance(path.head.props, ir.Param)


def _tests(node: ir.NodePattern, scope: Scope, schema: SchemaGraph) -> Iterator[ir.Expr]:
    """What a pattern says of the node that it names."""
    assert node.var is not None  # noqa: S101 # it is in scope
    element = ir.Var(node.var, type=node.type)
    if scope[node.var]:
        may_be_null = replace(element, type=replace(node.type, nullable=True))
        yield ir.IsNull(may_be_null, negated=True, type=Type(Kind.BOOLEAN, nullable=False))
    if node.labels is not None:
        yield ir.LabelTest(element, node.labels)
    if isinstance(node.props, ir.MapOf):
        for entry in node.props.entries:
            of = _type_of(entry.key, node.type.of, schema)
            own = ir.Prop(element, entry.key, type=of)
            yield ir.Compare(ir.CompareOp.EQ, own, entry.value)
    if node.where is not None:
        yield node.where


def _type_of(key: str, owners: tuple[str, ...], schema: SchemaGraph) -> Type:
    """The type of a property of nodes; nothing is known of what differs, but for numbers."""
    given = [t for t in schema.nodes if not owners or t.name in owners]
    kinds = {p.type.kind for t in given if (p := t.property(key)) is not None}
    if len(kinds) < 2:
        return Type(kinds.pop() if kinds else Kind.NULL)
    return Type(Kind.FLOAT, mixed=True) if kinds <= _NUMBERS else ANY
