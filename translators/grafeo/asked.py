"""Where grafeo 0.6 runs what asks the graph in an expression.

In Cypher a subquery of a single node runs in a WHERE and in columns, as do others that begin at
nothing known or end in something known, these in ORDER BY of RETURN, too; a pattern comprehension
runs in columns alone, and nothing is asked for the items of a list. Elsewhere its planner ends in
an error, so that sort keys and lists of UNWIND which ask become columns first. So do groups by
several things that are asked, of which it takes one for the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import carry_sort_keys, substitute, unused_names, visible_after
from graph_ir.ordering import columns_first
from graph_ir.variables import SUBQUERIES, read_names
from graph_ir.walk import each_query, find, rewrite
from schemagraph.model import Kind, Type
from translators.gql.emit.values import kind_of
from translators.grafeo.primitives import (
    FAILS,
    FALSE,
    TRUE,
    both,
    case,
    either,
    equal,
    with_value,
)

ASKS_IN_COLUMNS = "asks nothing for the items of a list, and lists patterns in columns alone"

_ASKING = (*SUBQUERIES, ir.PatternComp)


def sort_by_asked_columns(statement: ir.Statement) -> ir.Statement:
    """Sort keys that grafeo cannot ask become columns of a WITH before."""
    return carry_sort_keys(columns_first(statement, _asks_apart), _asks_apart)


def conditions_on_something(statement: ir.Statement) -> ir.Statement:
    """A WITH of no columns where a query begins shows a number: `WITH * WHERE EXISTS { … }`, which
    has no plan. Rows are the same."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Query):
            first, *rest = node.clauses
            if isinstance(first, ir.Project) and not first.items:
                column = ir.Item(ir.Literal(1), next(unused_names(statement, "one")))
                return replace(node, clauses=(replace(first, items=(column,)), *rest))
        return node

    return rewrite(statement, change)


def lists_first(statement: ir.Statement) -> ir.Statement:
    """Lists of UNWIND that ask become columns of a WITH before, outside of subqueries."""
    return each_query(statement, _lists_first)


def _lists_first(query: ir.Query) -> ir.Query:
    spare = unused_names(query, "list")
    clauses: list[ir.Clause] = []
    for clause in query.clauses:
        if isinstance(clause, ir.Unwind) and next(find(clause.expr, *_ASKING), None) is not None:
            name = next(spare)
            kept = (ir.Item(ir.Var(each), each) for each in sorted(visible_after(clauses)))
            clauses.append(ir.Project((*kept, ir.Item(clause.expr, name))))
            clause = replace(clause, expr=ir.Var(name, type=clause.expr.type))
        clauses.append(clause)
    return replace(query, clauses=tuple(clauses))


def asked_groups(statement: ir.Statement) -> ir.Statement:
    """Groups by several things that are asked, by columns of a WITH before, outside of CALL."""

    def keys(clause: ir.Project) -> list[ir.Expr]:
        return _asked_keys(clause) if mixes_groups(clause) else []

    return each_query(statement, lambda query: _keys_first(query, keys))


def groups_by_items(statement: ir.Statement) -> ir.Statement:
    """Groups by a node of a list, by a column of a WITH before: grafeo's Cypher has null for it, or
    a node that no pattern goes on from."""

    def keys(clause: ir.Project) -> list[ir.Expr]:
        places = (key for key in clause.group or () if isinstance(key, ir.Index | ir.Call))
        return [key for key in places if key.type.kind is Kind.NODE]

    return each_query(statement, lambda query: _keys_first(query, keys))


def _keys_first(query: ir.Query, keys: Callable[[ir.Project], list[ir.Expr]]) -> ir.Query:
    spare = unused_names(query, "asked")
    clauses: list[ir.Clause] = []
    for clause in query.clauses:
        first_keys = keys(clause) if isinstance(clause, ir.Project) else []
        if isinstance(clause, ir.Project) and first_keys:
            names = {key: ir.Var(next(spare), type=key.type) for key in first_keys}
            items = tuple(replace(i, expr=substitute(i.expr, names)) for i in clause.items)
            read = read_names(*(item.expr for item in items)) & visible_after(clauses)
            first = [ir.Item(ir.Var(name), name) for name in sorted(read)]
            first += [ir.Item(key, var.name) for key, var in names.items()]
            clauses.append(ir.Project(tuple(first)))
            group = tuple(names.get(key, key) for key in clause.group or ())
            order = tuple(substitute(key, names) for key in clause.order)
            clause = replace(clause, items=items, group=group, order=order)
        clauses.append(clause)
    return replace(query, clauses=tuple(clauses))


def mixes_groups(project: ir.Project) -> bool:
    """Whether groups are by several things that are asked."""
    return len(_asked_keys(project)) > 1


def _asked_keys(project: ir.Project) -> list[ir.Expr]:
    keys = dict.fromkeys(project.group or ())
    return [key for key in keys if next(find(key, *_ASKING), None) is not None]


def lists_apart(statement: ir.Statement) -> ir.Statement:
    """Lists of patterns that go by the name of a variable before, as sums: `[…] + [] AS a`.

    grafeo lists them in a CALL of its own, where a column may not have such a name.
    """

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Query):
            return node
        clauses: list[ir.Clause] = []
        for clause in node.clauses:
            if isinstance(clause, ir.Project):
                clause = _lists_apart(clause, clauses)
            clauses.append(clause)
        return replace(node, clauses=tuple(clauses))

    return rewrite(statement, change)


def _lists_apart(project: ir.Project, before: Sequence[ir.Clause]) -> ir.Project:
    lists = [i for i in project.items if isinstance(i.expr, ir.PatternComp | ir.CollectOf)]
    taken = visible_after(before) if lists else ()
    sums: dict[ir.Expr, ir.Expr] = {
        item.expr: ir.Arith(ir.ArithOp.ADD, item.expr, ir.ListOf(()), type=item.expr.type)
        for item in lists
        if item.alias in taken
    }
    return substitute(project, sums) if sums else project


def unplaced(node: ir.Node) -> ir.Expr | None:
    """What a clause or an expression asks at a place where grafeo cannot, or None."""
    match node:
        case ir.Match():
            return next(_lists(node), None)
        case ir.Unwind():
            return next(_apart(node.expr), None)
        case ir.ListComp() | ir.Quantifier():
            own = (node.where, node.result if isinstance(node, ir.ListComp) else None)
        case ir.Reduce():
            own = (node.init, node.step)
        case ir.PatternComp():
            return next((part for part in _lists(node) if part is not node), None)
        case ir.Project():
            late = (*node.order, node.where) if node.where is not None else node.order
            if node.group is not None:
                late = (*late, *node.group)
            mixed = _asked_keys(node) if mixes_groups(node) else ()  # inside of a CALL
            return next((part for each in late for part in _lists(each)), next(iter(mixed), None))
        case _:
            return None
    return next((part for each in own if each is not None for part in find(each, *_ASKING)), None)


def asks(_: ir.Project, expr: ir.Expr) -> bool:
    """Whether a sort key asks the graph."""
    return next(find(expr, *_ASKING), None) is not None


def _asks_apart(project: ir.Project, expr: ir.Expr) -> bool:
    late = not project.final and any(find(expr, *SUBQUERIES))
    return late or next(_apart(expr), None) is not None


def _apart(expr: ir.Expr) -> Iterator[ir.Expr]:
    """What an expression asks that grafeo runs in columns only, or there and in a WHERE."""
    yield from _lists(expr)
    for asked in find(expr, *SUBQUERIES):
        if not any(path.steps for path in find(asked, ir.Path)):
            yield asked


def _lists(node: ir.Node) -> Iterator[ir.Expr]:
    """Lists of what patterns find, but for those of which the size alone is asked: a number."""
    counted = {id(call.args[0]) for call in find(node, ir.Call) if call.name in ("size", "isEmpty")}
    for part in find(node, ir.PatternComp, ir.CollectOf):
        if id(part) not in counted:
            yield part


# --- conditions that are neither true nor false ---------------------------------------------

_CONDITIONS = (
    *(ir.Match, ir.Project, ir.NodePattern, ir.EdgePattern, ir.Quantified),
    *(ir.ListComp, ir.Quantifier, ir.PatternComp),
)


def truths(statement: ir.Statement) -> ir.Statement:
    """Conditions fail where they turn out to be no truth values: Neo4j raises an error, grafeo
    takes them for false."""
    free = unused_names(statement, "truth")

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Case(operand=None, whens=whens):
                tests = (when.condition for when in whens)
                if all(map(_is_truth, tests)):
                    return node
                sure = (replace(when, condition=_sure(when.condition)) for when in whens)
                return replace(node, whens=tuple(sure))
            case ir.Not(arg=arg) if not _is_truth(arg):
                return replace(node, arg=_sure(arg))
            case ir.Bool(args=args) if not all(map(_is_truth, args)):
                return replace(node, args=tuple(_beside(node, place) for place in range(len(args))))
        where = getattr(node, "where", None) if isinstance(node, _CONDITIONS) else None
        if isinstance(where, ir.Expr) and not _is_truth(where):
            return replace(node, where=_sure(where))  # type: ignore[call-arg] # has one
        return node

    def _sure(value: ir.Expr) -> ir.Expr:
        if _is_truth(value):
            return value

        def body(given: ir.Expr) -> ir.Expr:
            return case((_is_wrong(given), FAILS), default=given, type=_BOOLEAN)

        return with_value(value, free, body, Kind.BOOLEAN)

    def _beside(node: ir.Bool, place: int) -> ir.Expr:
        """A part of AND or OR, which another part may decide."""
        value = node.args[place]
        if _is_truth(value):
            return value
        others = node.args[:place] + node.args[place + 1 :]
        match node.op:
            case ir.BoolOp.AND:
                undecided: ir.Expr = ir.Call("coalesce", (both(*others), TRUE), type=_BOOLEAN)
            case ir.BoolOp.OR:
                undecided = ir.Not(ir.Call("coalesce", (either(*others), FALSE), type=_BOOLEAN))
            case _:
                return _sure(value)
        wrong = both(_is_wrong(value), undecided)
        return case((wrong, FAILS), default=value, type=_BOOLEAN)

    return rewrite(statement, change)


_BOOLEAN = Type(Kind.BOOLEAN)


def _is_truth(value: ir.Expr) -> bool:
    """Whether a condition is no more than true, false or null; of lists and patterns, Neo4j's own
    readers see to that."""
    computed = isinstance(value, ir.Var | ir.Prop | ir.Index | ir.Case | ir.Call | ir.Agg)
    return not computed or kind_of(value) in (Kind.BOOLEAN, Kind.NULL, Kind.LIST, Kind.PATH)


def _is_wrong(value: ir.Expr) -> ir.Expr:
    known = either(equal(value, TRUE), equal(value, FALSE))
    return ir.Not(ir.Call("coalesce", (known, TRUE), type=_BOOLEAN))
