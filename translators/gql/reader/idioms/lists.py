"""Lists that GQL makes anew from the rows of another, as comprehensions and slices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from graph_ir import nodes as ir
from graph_ir.walk import find, rewrite
from translators.gql.emit.values import item_nullable, nullable
from translators.gql.reader.idioms.rows import is_bare, only_filters


def rebuilt(statement: ir.Statement, typed: Callable[[ir.Statement], ir.Statement]) -> ir.Statement:
    """`statement` with lists that are made of others as comprehensions and slices.

    COLLECT_LIST drops nulls and is no null itself, so what they are made of must not be null;
    `typed` binds a statement, which tells that.
    """
    refused: set[int] = set()
    while True:
        changed, made = _with_lists(statement, refused)
        if not made:
            return statement
        bound = typed(changed)
        kinds = (ir.ListComp, ir.Slice)
        wrong = {
            made[id(before)].number
            for before, after in zip(find(changed, *kinds), find(bound, *kinds), strict=True)
            if id(before) in made and not _is_whole(after, wrapped=made[id(before)].wrapped)
        }
        if not wrong:
            return changed
        refused |= wrong


@dataclass(slots=True)
class _MadeList:
    """A list that was made of the rows of another; `wrapped` in a CASE for a list that is null."""

    part: ir.Expr
    number: int
    wrapped: bool = False


def _with_lists(
    statement: ir.Statement, refused: set[int]
) -> tuple[ir.Statement, dict[int, _MadeList]]:
    """The statement with the lists that it makes, but for those of some numbers; by identity."""
    made: dict[int, _MadeList] = {}
    numbers = count()

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Call(name="head", args=(ir.CollectOf(query),)):
                part = _list_of_rows(query)
                number = next(numbers) if part is not None else 0
                if part is not None and number not in refused:
                    made[id(part)] = _MadeList(part, number)
                    return part
            case ir.Case((ir.When(ir.IsNull(listed, True), value),), None, None):
                known = made.get(id(value))
                if known is not None and _source_list(value) == listed:
                    known.wrapped = True
                    return value
        return node

    return rewrite(statement, change), made


def _source_list(made: ir.Expr) -> ir.Expr | None:
    match made:
        case ir.ListComp(list=base) | ir.Slice(base=base):
            return base
    return None


def _is_whole(made: ir.Expr, *, wrapped: bool) -> bool:
    base = _source_list(made) or made
    return not item_nullable(made) and (wrapped or not nullable(base))


def _list_of_rows(query: ir.Statement) -> ir.Expr | None:
    """A list made of the rows of another, in its order: a comprehension or a slice."""
    if isinstance(query, ir.Union) or len(query.clauses) < 4:
        return None
    walk, pick, *middle, sort, final = query.clauses
    if not (isinstance(walk, ir.Unwind) and isinstance(pick, ir.Project)):
        return None
    last = pick.items[-1]
    match walk.expr, last.expr, sort, final:
        case (
            ir.Call("range", (ir.Literal(0), _)),
            ir.Index(listed, ir.Var(at)),
            ir.Project(order=(ir.SortKey(ir.Var(by), False),), where=None),
            ir.Project(items=(ir.Item(ir.Agg("collect", (collected,), False)),), group=()),
        ) if at == by == walk.alias:
            result: ir.Expr = collected
        case _:
            return None
    place, item, test = walk.alias, last.alias, None
    for clause in middle:
        if not isinstance(clause, ir.Project) or not is_bare(clause):
            return None
        if only_filters(clause) and test is None and result == collected:
            test = clause.where
        elif clause.where is None and clause.items[-1].alias == getattr(result, "name", ""):
            result = clause.items[-1].expr
        else:
            return None
    if any(var.name == place for var in find(result, ir.Var)):
        return None
    if result == ir.Var(item) and test is not None:
        part = _sliced(listed, place, test)
        if part is not None:
            return part
    if test is not None and any(var.name == place for var in find(test, ir.Var)):
        return None
    kept = None if result == ir.Var(item) else result
    return ir.ListComp(item, listed, test, kept)


def _sliced(listed: ir.Expr, place: str, test: ir.Expr) -> ir.Slice | None:
    bounds: dict[ir.CompareOp, ir.Expr] = {}
    tests = test.args if isinstance(test, ir.Bool) and test.op is ir.BoolOp.AND else (test,)
    for each in tests:
        match each:
            case ir.Compare(ir.CompareOp.GE | ir.CompareOp.LT as op, ir.Var(name), bound) if (
                name == place and op not in bounds
            ):
                bounds[op] = bound
            case _:
                return None
    positions = {op: _bound_position(bound, listed) for op, bound in bounds.items()}
    if None in positions.values():
        return None
    return ir.Slice(listed, positions.get(ir.CompareOp.GE), positions.get(ir.CompareOp.LT))


def _bound_position(bound: ir.Expr, listed: ir.Expr) -> ir.Expr | None:
    match bound:
        case ir.Literal(int()):
            return bound
        case ir.Arith(ir.ArithOp.SUB, ir.Call("size", (base,)), ir.Literal(int(number))) if (
            base == listed
        ):
            return ir.Literal(-number)
    return None
