"""shortestPath() of Cypher, for languages whose searches stand alone, whose WHERE filters after."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction, conjuncts
from graph_ir.walk import find, rewrite
from graphmill.errors import Refused

FUNCTIONS = (ir.SelectorKind.FUNCTION_ONE, ir.SelectorKind.FUNCTION_ALL)
_EACH = " edge"


def into_search(path: ir.Path, where: ir.Expr | None) -> tuple[ir.Path, ir.Expr | None]:
    """The path with the predicates that take part in its search inside, and the other ones.

    Predicates on the ends do the same before and after, as paths are chosen for each pair of
    ends. Those on every edge of the path go into the edge pattern.

    Source: Neo4j Cypher manual 5, "Shortest paths", predicates of shortestPath().

    Raises:
        Refused: a predicate tests the path as a whole.
    """
    step = path.steps[0]
    if where is None or not isinstance(step.edge, ir.EdgePattern):
        return path, where
    inside = {name for name in (path.var, step.edge.var) if name}
    kept: list[ir.Expr] = []
    tests: list[ir.Expr] = []
    for test in conjuncts(where):
        if not any(var.name in inside for var in find(test, ir.Var)):
            kept.append(test)
            continue
        moved = _each_edge(test, inside, _EACH)
        if moved is None:
            raise Refused(
                "search-predicate",
                "shortestPath",
                "This predicate on the path takes part in Cypher's search, here it would be "
                "tested after the search.",
                path.span,
            )
        tests.append(moved)
    if tests:
        name = step.edge.var or _EACH
        renamed = [_renamed(test, _EACH, name) for test in tests]
        edge = replace(step.edge, var=name, where=conjunction(step.edge.where, *renamed))
        path = replace(path, steps=(replace(step, edge=edge), *path.steps[1:]))
    return path, conjunction(*kept)


def searches_apart(statement: ir.Statement, *, from_edges: bool = False) -> ir.Statement:
    """The statement with each search in a MATCH of its own, behind that of the other paths; only
    where these have edges, or search as well, if it is `from_edges` that they are to be apart.

    It means the same: the edges of a shortestPath() may be those of the paths beside it. What an
    OPTIONAL MATCH finds or does not find as a whole stays together.
    """

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Query):
            return node
        clauses: list[ir.Clause] = []
        for clause in node.clauses:
            apart = isinstance(clause, ir.Match) and not clause.optional and len(clause.paths) > 1
            if isinstance(clause, ir.Match) and apart and not (from_edges and _no_edges(clause)):
                clauses += _apart(clause)
            else:
                clauses.append(clause)
        return replace(node, clauses=tuple(clauses))

    return rewrite(statement, change)


def _apart(match: ir.Match) -> Iterator[ir.Match]:
    """The matches, each with the conditions that need nothing of those behind it."""
    searches = [p for p in match.paths if p.selector is not None and p.selector.kind in FUNCTIONS]
    if not searches:
        yield match
        return
    others = tuple(path for path in match.paths if path not in searches)
    groups = [*([others] if others else []), *((path,) for path in searches)]
    tests = list(conjuncts(match.where))
    known: set[str] = set()
    for place, paths in enumerate(groups):
        known |= _names(paths)
        later = _names(path for group in groups[place + 1 :] for path in group) - known
        now = [test for test in tests if not later & {var.name for var in find(test, ir.Var)}]
        tests = [test for test in tests if test not in now]
        yield replace(match, paths=paths, where=conjunction(*now))


def _no_edges(match: ir.Match) -> bool:
    """Whether all paths but one are of a node alone."""
    return sum(bool(path.steps) for path in match.paths) < 2


def _names(paths: Iterable[ir.Path]) -> set[str]:
    """What the paths, their nodes and their edges are called."""
    parts = [part for path in paths for part in find(path, ir.Path, ir.NodePattern, ir.EdgePattern)]
    return {part.var for part in parts if part.var is not None}  # type: ignore[attr-defined] # each has a name or none


def _each_edge(test: ir.Expr, inside: set[str], variable: str) -> ir.Expr | None:
    """The test of one edge, named `variable`, of `all(r IN relationships(p) WHERE test)`."""
    if isinstance(test, ir.Not) and isinstance(test.arg, ir.Quantifier):
        if test.arg.kind is not ir.QuantifierKind.ANY:
            return None
        test = replace(test.arg, kind=ir.QuantifierKind.NONE)
    if not isinstance(test, ir.Quantifier):
        return None
    listed = test.list
    if isinstance(listed, ir.Call) and listed.name == "relationships":
        listed = listed.args[0]
    if not isinstance(listed, ir.Var) or listed.name not in inside:
        return None
    if test.kind not in (ir.QuantifierKind.ALL, ir.QuantifierKind.NONE):
        return None
    if any(var.name in inside for var in find(test.where, ir.Var)):
        return None
    body = _renamed(test.where, test.var, variable)
    return body if test.kind is ir.QuantifierKind.ALL else ir.Not(body)


def _renamed(expr: ir.Expr, old: str, new: str) -> ir.Expr:
    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Var) and node.name == old:
            return replace(node, name=new)
        return node

    return rewrite(expr, change)
