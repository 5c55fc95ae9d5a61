"""What GQL says by FOR, CASE and CAST, as the one node that Graph-IR has for it.

The inverse of `translators.gql.emit.lists` and `functions`: `EXISTS {FOR x IN l FILTER p RETURN x}`
is `any(x IN l WHERE p)` where null and false do the same, and so on. Each is exact for the types
that the binder found; what is not stays as it was read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count

from graph_ir import nodes as ir
from graph_ir.types import BOOLEAN, TRUTH
from graph_ir.walk import descend, find, rewrite
from schemagraph.model import TEMPORAL, Kind
from translators.gql.emit.values import item_nullable, kind_of, nullable

_ITEM = re.compile(r"item(?:_\d+)?")
_TRUE, _FALSE, _NULL = ir.Literal(True), ir.Literal(False), ir.Literal(None)


@dataclass(frozen=True, slots=True)
class _Rows:
    """`FOR var IN list FILTER test`."""

    list: ir.Expr
    var: str
    test: ir.Expr | None


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
class _Made:
    """A list that was made of the rows of another; `wrapped` in a CASE for a list that is null."""

    part: ir.Expr
    number: int
    wrapped: bool = False


def _with_lists(
    statement: ir.Statement, refused: set[int]
) -> tuple[ir.Statement, dict[int, _Made]]:
    """The statement with the lists that it makes, but for those of some numbers; by identity."""
    made: dict[int, _Made] = {}
    numbers = count()

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Call(name="head", args=(ir.CollectOf(query),)):
                part = _rebuilt(query)
                number = next(numbers) if part is not None else 0
                if part is not None and number not in refused:
                    made[id(part)] = _Made(part, number)
                    return part
            case ir.Case((ir.When(ir.IsNull(listed, True), value),), None, None):
                known = made.get(id(value))
                if known is not None and _base(value) == listed:
                    known.wrapped = True
                    return value
        return node

    return rewrite(statement, change), made


def _base(made: ir.Expr) -> ir.Expr | None:
    match made:
        case ir.ListComp(list=base) | ir.Slice(base=base):
            return base
    return None


def _is_whole(made: ir.Expr, *, wrapped: bool) -> bool:
    base = _base(made) or made
    return not item_nullable(made) and (wrapped or not nullable(base))


def has_idioms(statement: ir.Statement) -> bool:
    """Whether something in the statement could be one."""
    for node in descend(statement):
        match node:
            case ir.Query(clauses=(ir.Unwind(), *_)):
                return True
            case ir.Call(name="toInteger" | "coalesce" | "head" | "left" | "right"):
                return True
            case ir.Set() | ir.Remove() | ir.Delete() | ir.SortKey(ir.IsNull()):
                return True
            case ir.Arith(op=ir.ArithOp.DIV) | ir.Agg(name="sum" | "stDev" | "stDevP"):
                return True
    return False


def raised(statement: ir.Statement) -> ir.Statement:
    """`statement`, bound, with its idioms as nodes of their own."""
    return rewrite(statement, _raised)


def _raised(node: ir.Node) -> ir.Node:
    match node:
        case ir.Match() | ir.NodePattern() | ir.EdgePattern() | ir.Quantified() | ir.ListComp():
            if node.where is not None:
                where = _condition(node.where)
                return node if where is node.where else replace(node, where=where)
        case ir.Project():
            if node.where is not None:
                node = replace(node, where=_condition(node.where))
            if len(node.order) > 1:
                node = replace(node, order=tuple(_needed_keys(node.order)))
            if node.group:
                return _sure_sums(node)
        case ir.Query():
            return _without_null_targets(node)
        case ir.Exists():
            rows = _rows(node.query)
            if rows is not None and not _can_be_null(rows):
                return _some(rows)
        case ir.Case(operand=None):
            whens = tuple(replace(w, condition=_condition(w.condition)) for w in node.whens)
            return _case(replace(node, whens=whens))
        case ir.Call(name="head", args=(ir.CollectOf(query),)):
            return _collected(query) or node
        case ir.Compare(ir.CompareOp.EQ, ir.Call() as left, right):
            return _affix(node, left, right) or node
        case ir.Call(name="coalesce", args=(ir.Case() as case, zero)):
            total = _sum_or_null(case)
            if total is not None and _is_zero(zero):
                return total
        case ir.Call(name="toInteger", args=(text,)):
            return _component(text) or node
        case ir.Arith(ir.ArithOp.DIV, ir.Arith(left=whole), by) as quotient if (
            is_truncated(quotient) and kind_of(whole) is kind_of(by) is Kind.INTEGER
        ):
            return ir.Arith(ir.ArithOp.DIV, whole, by, span=quotient.span)
    return node


def _without_null_targets(query: ir.Query) -> ir.Query:
    """A query without a last filter that keeps a write from null, which writes nothing anyway."""
    if len(query.clauses) < 3:
        return query
    *before, drop, write = query.clauses
    match write:
        case ir.Set(items) | ir.Remove(items):
            targets = {
                item.target.base if isinstance(item.target, ir.Prop) else item.target
                for item in items
            }
        case ir.Delete(exprs):
            targets = set(exprs)
        case _:
            return query
    if len(targets) != 1 or not isinstance(drop, ir.Project) or not _only_filters(drop):
        return query
    needless = drop.where == ir.IsNull(targets.pop(), True)
    return replace(query, clauses=(*before, write)) if needless else query


def is_truncated(node: ir.Arith) -> bool:
    """Whether a quotient is that of integers, made exact: `(a - MOD(a, b)) / b`."""
    match node.left:
        case ir.Arith(ir.ArithOp.SUB, whole, rest):
            return rest == ir.Arith(ir.ArithOp.MOD, whole, node.right)
    return False


def _needed_keys(order: tuple[ir.SortKey, ...]) -> Iterator[ir.SortKey]:
    """The sort keys without those that tell nulls apart where there are none."""
    for number, key in enumerate(order):
        after = order[number + 1].expr if number + 1 < len(order) else None
        null_test = isinstance(key.expr, ir.IsNull) and key.expr.arg == after
        if not (null_test and after is not None and not nullable(after)):
            yield key


# --- tests over items ----------------------------------------------------------------------


def _rows(query: ir.Statement) -> _Rows | None:
    """The rows of a query that walks a list and returns the item or a constant."""
    if isinstance(query, ir.Union) or not isinstance(query.clauses[0], ir.Unwind):
        return None
    first, rest = query.clauses[0], query.clauses[1:]
    test: ir.Expr | None = None
    if rest and isinstance(rest[0], ir.Project) and _only_filters(rest[0]):
        test, rest = rest[0].where, rest[1:]
    if len(rest) > 1:
        return None
    if rest:
        last = rest[0]
        if not isinstance(last, ir.Project) or not _plain(last) or last.where is not None:
            return None
        if len(last.items) != 1 or not (
            last.items[0].expr == ir.Var(first.alias) or isinstance(last.items[0].expr, ir.Literal)
        ):
            return None
    return _Rows(first.expr, first.alias, test)


def _plain(project: ir.Project) -> bool:
    return not (
        project.distinct
        or project.order
        or project.group is not None
        or project.skip is not None
        or project.limit is not None
    )


def _only_filters(project: ir.Project) -> bool:
    return (
        project.where is not None
        and not project.final
        and _plain(project)
        and all(item.expr == ir.Var(item.alias) for item in project.items)
    )


def _can_be_null(rows: _Rows) -> bool:
    return nullable(rows.list) or rows.test is None or nullable(rows.test)


def _some(rows: _Rows) -> ir.Expr:
    """`any(x IN l WHERE p)`, or `y IN l`."""
    test = rows.test if rows.test is not None else _TRUE
    member = _member(rows)
    type = BOOLEAN if _can_be_null(rows) else TRUTH
    if member is not None:
        return ir.In(member, rows.list, span=test.span, type=type)
    kind = ir.QuantifierKind.ANY
    return ir.Quantifier(kind, rows.var, rows.list, test, span=test.span, type=type)


def _member(rows: _Rows) -> ir.Expr | None:
    """What is looked for in a list, where the item is only compared with it."""
    match rows.test:
        case ir.Compare(ir.CompareOp.EQ, ir.Var(name), value) if (
            name == rows.var
            and _ITEM.fullmatch(name)
            and not any(var.name == name for var in find(value, ir.Var))
        ):
            return value
    return None


def _exists(node: ir.Expr, *, tested: bool = False) -> _Rows | None:
    """The rows that an EXISTS walks, also where it has become the quantifier that it is.

    `tested`: the node is a condition, where null and false do the same.
    """
    match node:
        case ir.Exists(query):
            return _rows(query)
        case ir.Quantifier(ir.QuantifierKind.ANY, var, listed, test):
            if tested or not node.type.nullable:
                return _Rows(listed, var, test)
    return None


def _condition(node: ir.Expr) -> ir.Expr:
    """A predicate where null and false do the same."""
    match node:
        case ir.Bool(ir.BoolOp.AND, args):
            parts = _conjunction(args)
            return parts[0] if len(parts) == 1 else replace(node, args=tuple(parts))
        case ir.Bool(ir.BoolOp.OR, args):
            return replace(node, args=tuple(_condition(arg) for arg in args))
        case ir.Not(arg):
            return _denied(arg, None) or node
        case ir.Exists():
            rows = _rows(node.query)
            return node if rows is None or rows.test is None else _some(rows)
        case ir.Compare(ir.CompareOp.EQ, ir.CountOf(query), ir.Literal(1)):
            rows = _rows(query)
            if rows is not None and rows.test is not None and not nullable(rows.test):
                return _single(rows)
    return node


def _single(rows: _Rows) -> ir.Expr:
    test = rows.test if rows.test is not None else _TRUE
    return ir.Quantifier(ir.QuantifierKind.SINGLE, rows.var, rows.list, test, span=test.span)


def _conjunction(args: tuple[ir.Expr, ...]) -> list[ir.Expr]:
    """The operands of an AND; some idioms are two of them."""
    done: list[ir.Expr] = []
    position = 0
    while position < len(args):
        here = args[position]
        after = args[position + 1] if position + 1 < len(args) else None
        position += 1
        pair = _pair(here, after) if after is not None else None
        if pair is not None:
            done.append(pair)
            position += 1
        else:
            done.append(_condition(here))
    return done


def _pair(here: ir.Expr, after: ir.Expr) -> ir.Expr | None:
    match here, after:
        case ir.IsNull(listed, True), ir.Not(arg):
            return _denied(arg, listed)
        case ir.Compare(ir.CompareOp.EQ, ir.CountOf(query), ir.Literal(1)), ir.Not(arg):
            rows, unknown = _rows(query), _exists(arg)
            if (
                rows is not None
                and rows.test is not None
                and unknown is not None
                and unknown.list == rows.list
                and unknown.test == ir.IsNull(rows.test)
            ):
                return _single(rows)
    return None


def _denied(arg: ir.Expr, known: ir.Expr | None) -> ir.Expr | None:
    """`NOT EXISTS {FOR …}` where null and false do the same; `known` is a list that is no null."""
    rows = _exists(arg)
    if rows is None or rows.test is None:
        return None
    if rows.list != known and nullable(rows.list):
        return None
    match rows.test:
        case ir.Call("coalesce", (test, ir.Literal(True))):  # IS NOT FALSE
            return _none(replace(rows, test=test))
        case ir.Not(ir.Call("coalesce", (test, ir.Literal(False)))):  # IS NOT TRUE
            return _every(replace(rows, test=test))
        case ir.Not(test) if not nullable(test):
            return _every(replace(rows, test=test))
        case test if not nullable(test):
            return _none(rows)
    return None


def _none(rows: _Rows) -> ir.Expr:
    member = _member(rows)
    test = rows.test if rows.test is not None else _TRUE
    if member is not None:
        return ir.Not(ir.In(member, rows.list, span=test.span), span=test.span)
    return ir.Quantifier(ir.QuantifierKind.NONE, rows.var, rows.list, test, span=test.span)


def _every(rows: _Rows) -> ir.Expr:
    test = rows.test if rows.test is not None else _TRUE
    return ir.Quantifier(ir.QuantifierKind.ALL, rows.var, rows.list, test, span=test.span)


# --- CASE ----------------------------------------------------------------------------------


def _case(node: ir.Case) -> ir.Expr:
    match node.whens, node.default:
        case (ir.When(ir.IsNull(listed, True), value),), None:
            return _of_list(listed, value) or node
        case (ir.When(ir.Compare(ir.CompareOp.LT, value, ir.Literal(0)), up),), down if (
            up == ir.Call("toInteger", (ir.Call("ceil", (value,)),))
            and down == ir.Call("toInteger", (ir.Call("floor", (value,)),))
        ):
            return ir.Call("toInteger", (value,), span=node.span)
        case (_, _), None:
            return _substring(node.whens) or node
        case tests, ir.Compare(ir.CompareOp.EQ, ir.CountOf(query), ir.Literal(1)):
            return _only_one(tests, query) or node
        case (ir.When(some, ir.Literal(bool(truth))), ir.When(unknown, ir.Literal(None))), (
            ir.Literal(bool(otherwise))
        ) if truth is not otherwise:
            return _three_valued(some, unknown, truth) or node
        case (ir.When(ir.Compare(ir.CompareOp.EQ, count, ir.Literal(1)), zero),), (
            ir.Case((ir.When(_, ir.Literal(None)),), ir.Agg("stDev") as agg)
        ) if count == replace(agg, name="count") and zero == ir.Literal(0.0):
            return agg
    return node


def _only_one(tests: tuple[ir.When, ...], query: ir.Statement) -> ir.Expr | None:
    """`CASE WHEN l IS NULL THEN NULL WHEN … > 1 THEN FALSE WHEN unknown THEN NULL ELSE … = 1`."""
    rows = _rows(query)
    if rows is None or rows.test is None:
        return None
    for when in tests:
        match when.condition, when.result:
            case ir.IsNull(listed, False), ir.Literal(None) if listed == rows.list:
                continue
            case ir.Compare(ir.CompareOp.GT, ir.CountOf(again), ir.Literal(1)), ir.Literal(
                False
            ) if again == query:
                continue
            case test, ir.Literal(None):
                unknown = _exists(test, tested=True)
                if (
                    unknown is not None
                    and unknown.list == rows.list
                    and unknown.test == ir.IsNull(rows.test)
                ):
                    continue
        return None
    return _single(rows)


def _of_list(listed: ir.Expr, value: ir.Expr) -> ir.Expr | None:
    """`CASE WHEN l IS NOT NULL THEN … END` of what is null for a list that is."""
    match value:
        case ir.ListComp(list=base) | ir.Slice(base=base) if base == listed:
            return value
        case ir.CountOf(query):
            rows = _rows(query)
            if rows is not None and rows.list == listed:
                inner = ir.ListComp(rows.var, rows.list, rows.test, span=value.span)
                return ir.Call("size", (inner,), span=value.span)
    return None


def _three_valued(some: ir.Expr, unknown: ir.Expr, truth: bool) -> ir.Expr | None:
    """`CASE WHEN some item passes THEN … WHEN one is unknown THEN NULL ELSE … END`."""
    parts = unknown.args if isinstance(unknown, ir.Bool) else (unknown,)
    match some:
        case ir.Quantifier(ir.QuantifierKind.ANY, var, listed, test):
            item = test
        case ir.In(item, listed):
            var, test = "", item
        case _:
            return None
    for part in parts:
        match part:
            case ir.IsNull(arg, False) if arg == listed:
                continue
            case ir.Quantifier(ir.QuantifierKind.ANY, name, over, ir.IsNull(arg, False)) if (
                over == listed
            ):
                wanted = test
                if not var:
                    wanted = ir.Compare(ir.CompareOp.EQ, ir.Var(name), item)
                if arg == wanted:
                    continue
        return None
    if truth:
        return some
    if isinstance(some, ir.In):
        return ir.Not(some, span=some.span)
    return replace(some, kind=ir.QuantifierKind.NONE)


def _substring(whens: tuple[ir.When, ...]) -> ir.Expr | None:
    """`CASE WHEN CHAR_LENGTH(x) > 2 THEN RIGHT(x, CHAR_LENGTH(x) - 2) WHEN … THEN '' END`."""
    match whens:
        case (
            ir.When(ir.Compare(ir.CompareOp.GT, ir.Call("size", (text,)) as size, start), part),
            ir.When(ir.Compare(ir.CompareOp.LE, again, end), ir.Literal("")),
        ) if size == again and start == end:
            rest = ir.Call("right", (text, ir.Arith(ir.ArithOp.SUB, size, start)))
            if part == rest:
                return ir.Call("substring", (text, start), span=part.span)
            if isinstance(part, ir.Call) and part.name == "left" and part.args[0] == rest:
                return ir.Call("substring", (text, start, part.args[1]), span=part.span)
    return None


def _affix(node: ir.Compare, left: ir.Call, right: ir.Expr) -> ir.Expr | None:
    """`LEFT(x, 2) = 'ab'` asks how x begins, RIGHT how it ends."""
    if left.name not in ("left", "right") or len(left.args) != 2:
        return None
    text, length = left.args
    known = isinstance(right, ir.Literal) and isinstance(right.value, str)
    if known and isinstance(right, ir.Literal):
        same = length == ir.Literal(len(str(right.value)))
    else:
        same = length == ir.Call("size", (right,))
    if not same:
        return None
    op = ir.TextOp.STARTS if left.name == "left" else ir.TextOp.ENDS
    return ir.Text(op, text, right, span=node.span)


def _collected(query: ir.Statement) -> ir.Expr | None:
    """`VALUE { … RETURN COLLECT_LIST(x) }` of what is never null, as a COLLECT of its rows."""
    if isinstance(query, ir.Union):
        return None
    *before, last = query.clauses
    match last:
        case ir.Project(items=(ir.Item(ir.Agg("collect", (value,), False), alias),), group=()):
            pass
        case _:
            return None
    if nullable(value) or last.order or last.skip is not None or last.limit is not None:
        return None
    span = query.span
    if before and isinstance(before[-1], ir.Project) and len(before[-1].items) == 1:
        stage = before[-1]
        windowed = not _plain(stage) and stage.where is None
        if windowed and value == ir.Var(stage.items[0].alias):
            rows = ir.Query((*before[:-1], replace(stage, final=True)), span=span)
            return ir.CollectOf(rows, span=span)
    row = ir.Project((ir.Item(value, alias),), final=True, span=span)
    return ir.CollectOf(ir.Query((*before, row), span=span), span=span)


# --- lists that are made anew --------------------------------------------------------------


def _rebuilt(query: ir.Statement) -> ir.Expr | None:
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
        if not isinstance(clause, ir.Project) or not _plain(clause):
            return None
        if _only_filters(clause) and test is None and result == collected:
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
    found = {op: _place(bound, listed) for op, bound in bounds.items()}
    if None in found.values():
        return None
    return ir.Slice(listed, found.get(ir.CompareOp.GE), found.get(ir.CompareOp.LT))


def _place(bound: ir.Expr, listed: ir.Expr) -> ir.Expr | None:
    match bound:
        case ir.Literal(int()):
            return bound
        case ir.Arith(ir.ArithOp.SUB, ir.Call("size", (base,)), ir.Literal(int(number))) if (
            base == listed
        ):
            return ir.Literal(-number)
    return None


# --- aggregates, parts of dates ------------------------------------------------------------


def _sum_or_null(node: ir.Expr) -> ir.Agg | None:
    """The sum of `CASE WHEN count(x) = 0 THEN null ELSE sum(x) END`."""
    match node:
        case ir.Case(
            (ir.When(ir.Compare(ir.CompareOp.EQ, count, ir.Literal(0)), ir.Literal(None)),),
            ir.Agg("sum") as total,
            None,
        ) if count == replace(total, name="count"):
            return total
    return None


def _is_zero(node: ir.Expr) -> bool:
    return node == ir.Literal(0) or node == ir.Call("duration", (ir.Literal("P0D"),))


def _sure_sums(project: ir.Project) -> ir.Project:
    """A projection with groups, which have rows: their sums of no null are no null."""

    def change(node: ir.Node) -> ir.Node:
        total = _sum_or_null(node) if isinstance(node, ir.Case) else None
        if total is not None and not any(nullable(arg) for arg in total.args):
            return total
        return node

    items = tuple(rewrite(item, change) for item in project.items)
    order = tuple(rewrite(key, change) for key in project.order)
    return replace(project, items=items, order=order)


_PLACES = {(0, 4): "year", (5, 2): "month", (8, 2): "day", (11, 2): "hour", (14, 2): "minute"}
_CLOCK = {(0, 2): "hour", (3, 2): "minute"}


def _component(text: ir.Expr) -> ir.Expr | None:
    """`CAST(RIGHT(LEFT(CAST(x AS STRING), 7), 2) AS INT)` is the month of a date x."""
    match text:
        case ir.Call("left", (ir.Call("toString", (value,)), ir.Literal(int(end)))):
            place = (0, end)
        case ir.Call(
            "right",
            (
                ir.Call("left", (ir.Call("toString", (value,)), ir.Literal(int(end)))),
                ir.Literal(int(size)),
            ),
        ):
            place = (end - size, size)
        case _:
            return None
    kind = kind_of(value)
    if kind not in TEMPORAL or kind is Kind.DURATION:
        return None
    key = (_CLOCK if kind in (Kind.TIME, Kind.ZONED_TIME) else _PLACES).get(place)
    if key is None or (kind is Kind.DATE and place[0] > 8):
        return None
    return ir.Prop(value, key, span=text.span)
