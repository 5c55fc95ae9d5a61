"""UNION, INTERSECT and EXCEPT: equal rows are one, NULLs are equal to each other.

INTERSECT and EXCEPT mark the rows of both sides, group equal rows and look at the marks; that is
exact for any number of columns and for NULLs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from graph_ir.walk import substitute
from schemagraph.mapping import Semantics
from schemagraph.model import Kind
from translators.from_sql.expressions.choices import merged, unified, widened
from translators.from_sql.expressions.decimals import widest
from translators.from_sql.expressions.floats import as_key
from translators.from_sql.expressions.output import sorted_by, window
from translators.from_sql.statement.context import Site, Translated
from translators.from_sql.statement.names import distinct
from translators.from_sql.statement.prints import printed
from translators.from_sql.statement.selection import Sort
from translators.from_sql.statement.values import Value, as_float, as_integer


def combined(
    site: Site,
    node: exp.SetOperation,
    left: Translated,
    right: Translated,
    columns: Sequence[str] | None,
) -> Translated:
    """The set operation of two translated queries, with its ORDER BY and LIMIT."""
    if len(left.columns) != len(right.columns):
        raise site.error(
            "column-count",
            node,
            f"Both sides of the set operation need as many columns: "
            f"{len(left.columns)} and {len(right.columns)}.",
        )
    aliases = tuple(columns or distinct(name for name, _ in left.columns))
    pairs = [
        unified(site, node, (one, other))
        for (_, one), (_, other) in zip(left.columns, right.columns, strict=True)
    ]
    for (_, one), (_, other) in zip(left.columns, right.columns, strict=True):
        bits = [side.semantics is Semantics.BITS for side in (one, other)]
        if any(bits) and not all(bits) and Kind.NULL not in (one.kind, other.kind):
            raise site.refused("source-type", node, "makes a text of bits beside numbers: add 0")
    keep_all = not node.args.get("distinct", True)
    for value in (value for pair in pairs for value in pair):
        site.grouped(node, value, apart=keep_all)
        if not keep_all:
            as_key(site, node, value)
    sides = []
    for number, side in enumerate((left, right)):
        changed = [
            None if pair[number] == value else (value, pair[number])
            for (_, value), pair in zip(side.columns, pairs, strict=True)
        ]
        sides.append(_with_columns(side.statement, aliases, changed))
    known = tuple(
        (name, _of_either(merged(site, pair, ir.Var(alias)), pair))
        for (name, _), pair, alias in zip(left.columns, pairs, aliases, strict=True)
    )
    if not keep_all:
        for _, column in known:
            as_key(site, node, site.grouped(node, column))
    if isinstance(node, exp.Union):
        statement = _union(sides[0], sides[1], aliases, keep_all=keep_all)
    elif keep_all:
        raise site.refused("set-operation-all", node, "counts equal rows in a set operation")
    else:
        statement = _marked(site, node, sides[0], sides[1], aliases)
    unique = None if keep_all else tuple(range(len(known)))
    return Translated(_ordered(site, node, statement, known, aliases), known, unique=unique)


def _of_either(column: Value, pair: Sequence[Value]) -> Value:
    """A column of both sides: where they have different affinities, SQLite leaves open which it
    has (https://www.sqlite.org/datatype3.html section 3.3)."""
    first, *others = dict.fromkeys(each for side in pair for each in side.affinities)
    fractional = widest(side.fractional for side in pair)
    return replace(column, affinity=first, others=tuple(others), fractional=fractional)


type _Change = tuple[Value, Value] | None
"""What a column was, and what it is beside that of the other side; None for the same."""


def _converted(expr: ir.Expr, change: _Change) -> ir.Expr:
    """What `unified` did to a column that is `expr` now."""
    if change is None:
        return expr
    before, after = change
    if before.constant and before.kind is not after.kind:
        return after.expr
    if after.temporal:
        return widened(replace(before, expr=expr), after.kind).expr
    number = as_integer(replace(before, expr=expr))
    return (as_float(number) if after.kind is Kind.FLOAT else printed(number)).expr


def _with_columns(
    statement: ir.Statement, aliases: Sequence[str], changed: Sequence[_Change]
) -> ir.Statement:
    """The statement with these result columns; of those that are `changed`, what they were."""
    if isinstance(statement, ir.Union):
        left = _with_columns(statement.left, aliases, changed)
        right = _with_columns(statement.right, aliases, changed)
        assert isinstance(right, ir.Query)  # noqa: S101 - a query stays one
        if left is statement.left and right is statement.right:
            return statement
        return ir.Union(left, right, statement.all)
    *rest, last = statement.clauses
    assert isinstance(last, ir.Project)  # noqa: S101 - a translated query ends in RETURN
    if not any(changed) and last.items == tuple(
        ir.Item(item.expr, alias) for item, alias in zip(last.items, aliases, strict=True)
    ):
        return statement  # of many UNIONs, those before are not made anew for each
    if any(changed) and (last.order or last.distinct):
        # Convert behind the projection, so that its order and duplicates stay.
        names = tuple(item.alias for item in last.items)
        items = [
            ir.Item(_converted(ir.Var(name), before), alias)
            for name, alias, before in zip(names, aliases, changed, strict=True)
        ]
        through = replace(last, final=False)
        return ir.Query((*rest, through, ir.Project(tuple(items), final=True)))
    change = {item.alias: alias for item, alias in zip(last.items, aliases, strict=True)}
    final = tuple(
        ir.Item(_converted(item.expr, before), alias)
        for item, alias, before in zip(last.items, aliases, changed, strict=True)
    )

    def renamed(node: ir.Node) -> ir.Node | None:
        known = isinstance(node, ir.Var) and node.name in change
        return ir.Var(change[node.name]) if known and isinstance(node, ir.Var) else None

    order = tuple(substitute(key, renamed) for key in last.order)
    group = last.group
    if group is not None and any(changed):
        old = {item.expr: new.expr for item, new in zip(last.items, final, strict=True)}
        group = tuple(old.get(key, key) for key in group)
    return ir.Query((*rest, replace(last, items=final, order=order, group=group)))


def _union(
    left: ir.Statement, right: ir.Statement, aliases: Sequence[str], *, keep_all: bool
) -> ir.Statement:
    """UNION; a run of one kind stays flat, since kinds cannot be mixed in one."""
    if isinstance(left, ir.Union) and left.all is not keep_all:
        left = called(left, aliases)
    return ir.Union(_plain(left, aliases), query_of(right, aliases), keep_all)


def _plain(statement: ir.Statement, aliases: Sequence[str]) -> ir.Statement:
    """A branch of a union; ORDER BY and LIMIT would be read as the whole's."""
    if isinstance(statement, ir.Query):
        last = statement.clauses[-1]
        if isinstance(last, ir.Project) and (last.order or last.skip or last.limit):
            return called(statement, aliases)
    return statement


def query_of(statement: ir.Statement, aliases: Sequence[str]) -> ir.Query:
    """The statement as one query."""
    plain = _plain(statement, aliases)
    return plain if isinstance(plain, ir.Query) else called(plain, aliases)


def called(statement: ir.Statement, aliases: Sequence[str]) -> ir.Query:
    """`CALL { statement } RETURN …`."""
    items = tuple(ir.Item(ir.Var(alias), alias) for alias in aliases)
    return ir.Query((ir.Subquery(statement), ir.Project(items, final=True)))


def _marked(
    site: Site,
    node: exp.SetOperation,
    left: ir.Statement,
    right: ir.Statement,
    aliases: Sequence[str],
) -> ir.Query:
    taken = site.names.fork()
    taken.used |= set(aliases)
    side, low, high = (taken.column(wish) for wish in ("side", "first", "last"))
    branches = [
        _with_mark(query_of(statement, aliases), side, number)
        for number, statement in ((1, left), (2, right))
    ]
    both = ir.Subquery(ir.Union(branches[0], branches[1], all=True))
    keys = tuple(ir.Item(ir.Var(alias), alias) for alias in aliases)
    marks: tuple[ir.Item, ...] = (ir.Item(ir.Agg("max", (ir.Var(side),)), high),)
    where: ir.Expr = ir.Compare(ir.CompareOp.EQ, ir.Var(high), ir.Literal(1))
    if isinstance(node, exp.Intersect):
        marks = (ir.Item(ir.Agg("min", (ir.Var(side),)), low), *marks)
        where = ir.Compare(ir.CompareOp.LT, ir.Var(low), ir.Var(high))
    group = tuple(item.expr for item in keys)
    grouped = ir.Project((*keys, *marks), group=group, where=where)
    return ir.Query((both, grouped, ir.Project(keys, final=True)))


def _with_mark(query: ir.Query, name: str, number: int) -> ir.Query:
    *rest, last = query.clauses
    assert isinstance(last, ir.Project)  # noqa: S101 - a translated query ends in RETURN
    mark = ir.Literal(number)
    group = None if last.group is None else (*last.group, mark)
    items = (*last.items, ir.Item(mark, name))
    return ir.Query((*rest, replace(last, items=items, group=group)))


def _ordered(
    site: Site,
    node: exp.SetOperation,
    statement: ir.Statement,
    known: Sequence[tuple[str, Value]],
    aliases: Sequence[str],
) -> ir.Statement:
    """ORDER BY, LIMIT and OFFSET of the whole."""
    order = node.args.get("order")
    skip, limit = window(site, node)
    if order is None and not skip and limit is None:
        return statement
    sorts = [_sort(site, term, known) for term in (order.expressions if order else ())]
    query = called(statement, aliases) if isinstance(statement, ir.Union) else statement
    *rest, last = query.clauses
    assert isinstance(last, ir.Project)  # noqa: S101 - a translated query ends in RETURN
    final = replace(
        last,
        order=tuple(key for sort in sorts for key in sort.sort_keys()),
        skip=ir.Literal(skip) if skip else None,
        limit=None if limit is None else ir.Literal(limit),
    )
    return ir.Query((*rest, final))


def _sort(site: Site, term: exp.Ordered, known: Sequence[tuple[str, Value]]) -> Sort:
    inner = term.this.unnest()
    if isinstance(inner, exp.Literal) and not inner.is_string and inner.name.isdigit():
        position = int(inner.name) - 1
        if not 0 <= position < len(known):
            raise site.error("ordinal", inner, f"There is no output column {inner.name}.")
        return sorted_by(site, term, known[position][1])
    if isinstance(inner, exp.Column):
        folded = inner.name.casefold()
        for name, value in known:
            if name.casefold() == folded:
                return sorted_by(site, term, value)
    raise site.refused("compound-order", term, "orders a set operation by what is no column of it")
