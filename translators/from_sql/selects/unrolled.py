"""Recursive CTEs that end after a number of steps known beforehand, as queries without recursion.

    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)

reads no table: its rows are computed here, and become VALUES. Where the step reads tables, too,
and a counter bounds it, there is one query for each step, over the query of the step before:

    WITH RECURSIVE r(id, level) AS (
      SELECT id, 0 FROM employee WHERE boss IS NULL
      UNION ALL SELECT e.id, r.level + 1 FROM employee e JOIN r ON e.boss = r.id WHERE r.level < 2)

That is exact for any data, cycles included: each step makes rows of single rows of the step
before. With UNION all of it is made distinct, which then is the same set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlglot import exp

from translators.from_sql.selects.constant_rows import Cell, NotConstantError, Row, literal
from translators.from_sql.statement.context import conjuncts, names_cte
from translators.from_sql.statement.rules import Rules
from translators.from_sql.statement.values_tables import cells_of

MAX_ROWS = 1000  # MySQL stops there, too
MAX_STEPS = 8
_PLAIN = frozenset({"expressions", "from_", "joins", "where", "kind", "hint"})


@dataclass(frozen=True, slots=True)
class Recursion:
    """A UNION of a first part and a step; `tables` are the names of the CTE in the step."""

    first: exp.Query
    step: exp.Select
    own: exp.Table
    distinct: bool
    limit: int | None
    columns: tuple[str, ...]
    rules: Rules

    @property
    def tables(self) -> frozenset[str]:
        """The case-folded names under which the step reads the CTE."""
        return frozenset({self.own.alias_or_name.casefold()})


def unrolled(cte: exp.CTE, columns: Sequence[str], rules: Rules) -> exp.Query | None:
    """The rows of a recursive CTE without recursion, or None where it has no known end."""
    recursion = _recursion(cte, columns, rules)
    if recursion is None:
        return None
    try:
        if _reads_tables(recursion):
            return _by_steps(recursion)
        return _computed(recursion)
    except NotConstantError:
        return None


def _recursion(cte: exp.CTE, columns: Sequence[str], rules: Rules) -> Recursion | None:
    union = cte.this
    if not isinstance(union, exp.Union) or any(
        union.args.get(name) for name in ("order", "offset", "with_")
    ):
        return None
    first, step = union.this.unnest(), union.expression.unnest()
    if not isinstance(first, exp.Query) or not isinstance(step, exp.Select):
        return None
    if len(step.expressions) != len(columns) or any(e.is_star for e in step.expressions):
        return None
    own = _own_rows(cte.alias.casefold(), first, step)
    limit = _limit(union, rules)
    if own is None or (union.args.get("limit") is not None and limit is None):
        return None
    folded = tuple(column.casefold() for column in columns)
    distinct = bool(union.args.get("distinct", True))
    return Recursion(first, step, own, distinct, limit, folded, rules)


def _own_rows(name: str, first: exp.Query, step: exp.Select) -> exp.Table | None:
    """Where `step` reads the rows of the recursion, if it does so once, for each of them."""
    own = [table for table in step.find_all(exp.Table) if names_cte(table, name)]
    if len(own) != 1 or any(names_cte(table, name) for table in first.find_all(exp.Table)):
        return None
    if any(part and arg not in _PLAIN for arg, part in step.args.items()):
        return None
    start, joins = step.args.get("from_"), step.args.get("joins") or []
    if start is None or step.find(exp.AggFunc, exp.Window):
        return None
    if own[0] is start.this:
        sides: tuple[str, ...] = ("", "LEFT")
    elif any(own[0] is join.this for join in joins):
        sides = ("",)
    else:
        return None
    plain = all((join.side or "").upper() in sides and not join.method for join in joins)
    return own[0] if plain else None


def _limit(union: exp.Union, rules: Rules) -> int | None:
    """LIMIT of the whole, which stops the recursion in SQLite."""
    limit = union.args.get("limit")
    if not isinstance(limit, exp.Limit) or not rules.affinity:
        return None
    return int(limit.expression.name) if limit.expression.name.isdigit() else None


def _reads_tables(recursion: Recursion) -> bool:
    return bool(recursion.step.args.get("joins")) or recursion.first.find(exp.Table) is not None


def _starts(query: exp.Expr) -> Iterator[list[exp.Expr]]:
    """The rows of a first part without tables."""
    query = query.unnest()
    if isinstance(query, exp.Union) and not query.args.get("distinct", True):
        if any(query.args.get(name) for name in ("order", "limit", "offset", "with_")):
            raise NotConstantError
        yield from _starts(query.this)
        yield from _starts(query.expression)
        return
    if not isinstance(query, exp.Select):
        raise NotConstantError
    source = query.args.get("from_")
    parts = [name for name, part in query.args.items() if part and name not in ("kind", "hint")]
    if source is None and parts == ["expressions"]:
        yield list(query.expressions)
    elif (
        source is not None
        and isinstance(source.this, exp.Values)
        and query.expressions == [exp.Star()]
        and set(parts) == {"expressions", "from_"}
    ):
        for row in source.this.expressions:
            yield cells_of(row)
    else:
        raise NotConstantError


def _computed(recursion: Recursion) -> exp.Query:
    """All rows, as VALUES."""
    nothing = Row(frozenset(), {}, recursion.rules)
    rows: list[tuple[Cell, ...]] = []
    known: set[tuple[Cell, ...]] = set()

    def add(row: tuple[Cell, ...]) -> bool:
        if len(row) != len(recursion.columns) or any(isinstance(cell, bool) for cell in row):
            raise NotConstantError
        if recursion.distinct and row in known:
            return False
        known.add(row)
        rows.append(row)
        return True

    first = [tuple(nothing.value(cell) for cell in row) for row in _starts(recursion.first)]
    fresh = [row for row in first if add(row)]
    if recursion.limit is not None and len(first) != 1:
        raise NotConstantError  # which rows come first is open
    if recursion.limit == 0:
        raise NotConstantError
    where = recursion.step.args.get("where")
    while fresh and (recursion.limit is None or len(rows) < recursion.limit):
        before, fresh = fresh, []
        for cells in before:
            named = dict(zip(recursion.columns, cells, strict=True))
            row = Row(recursion.tables, named, recursion.rules)
            if where is not None and row.truth(where.this) is not True:
                continue
            made = tuple(row.value(e) for e in recursion.step.expressions)
            if add(made):
                fresh.append(made)
        if len(rows) > MAX_ROWS:
            raise NotConstantError
    tuples = [exp.Tuple(expressions=[literal(cell) for cell in row]) for row in rows]
    columns = [exp.to_identifier(name, quoted=True) for name in recursion.columns]
    alias = exp.TableAlias(this=exp.to_identifier("counted", quoted=True), columns=columns)
    values = exp.Values(expressions=tuples, alias=alias)
    return exp.Select(expressions=[exp.Star()], from_=exp.From(this=values))


def _by_steps(recursion: Recursion) -> exp.Query | None:
    """One query for each step, over the one before."""
    first, step = recursion.first, recursion.step
    grouped = ("group", "having", "limit", "offset", "order", "with_", "distinct")
    if not isinstance(first, exp.Select) or any(first.args.get(name) for name in grouped):
        return None
    if first.find(exp.AggFunc, exp.Window) or recursion.limit is not None:
        return None
    if len(first.expressions) != len(recursion.columns):
        return None
    if any(e.is_star for e in first.expressions):
        return None
    if any(query is not step for query in step.find_all(exp.Query)):
        return None
    where = step.args.get("where")
    conditions = conjuncts(where.this if where is not None else None)
    for position, name in enumerate(recursion.columns):
        counts = _counts(recursion, position, name, conditions)
        if counts is not None:
            return _steps(recursion, position, conditions, counts)
    return None


def _counts(
    recursion: Recursion, position: int, name: str, conditions: Sequence[exp.Expr]
) -> list[int] | None:
    """The counter's value in each step, if the column is one and has a bound."""
    nothing = Row(frozenset(), {}, recursion.rules)
    try:
        value = nothing.value(recursion.first.selects[position])
    except NotConstantError:
        return None
    counts: list[int] = []
    while isinstance(value, int) and not isinstance(value, bool):
        counts.append(value)
        if len(counts) > MAX_STEPS:
            return None
        row = Row(recursion.tables, {name: value}, recursion.rules)
        tests = [_tested(row, condition) for condition in conditions]
        if False in tests:
            return counts
        try:
            value = row.value(recursion.step.expressions[position])
        except NotConstantError:
            return None
    return None


def _tested(row: Row, condition: exp.Expr) -> bool | None:
    """Whether the counter alone decides a condition: False where it does not hold."""
    try:
        return row.truth(condition) is True
    except NotConstantError:
        return None


def _steps(
    recursion: Recursion, position: int, conditions: Sequence[exp.Expr], counts: Sequence[int]
) -> exp.Query:
    name = recursion.columns[position]
    queries: list[exp.Select] = []
    inner: exp.Select = recursion.first.copy()  # type: ignore[assignment] # a SELECT, see caller
    queries.append(inner)
    for count, following in pairwise(counts):
        row = Row(recursion.tables, {name: count}, recursion.rules)
        left = [c for c in conditions if _tested(row, c) is None]
        step = recursion.step.copy()
        step.expressions[position].replace(literal(following))
        step.set("where", exp.Where(this=exp.and_(*left, wrap=False)) if left else None)
        own = next(t for t in step.find_all(exp.Table) if names_cte(t, _own(recursion)))
        own.replace(_table(recursion, queries[-1], position))
        for column in list(step.find_all(exp.Column)):
            if column.name.casefold() == name and (
                not column.table or column.table.casefold() in recursion.tables
            ):
                column.replace(literal(count))
        queries.append(step)
    whole: exp.Query = queries[0]
    for query in queries[1:]:
        whole = exp.Union(this=whole, expression=query, distinct=recursion.distinct)
    if len(queries) == 1 and recursion.distinct:
        whole.set("distinct", exp.Distinct())
    return whole


def _own(recursion: Recursion) -> str:
    return recursion.own.name.casefold()


def _table(recursion: Recursion, query: exp.Select, position: int) -> exp.Subquery:
    """The rows of the step before as a table, without the counter, which is known."""
    inner = query.copy()
    outputs = inner.expressions
    kept = [number for number in range(len(outputs)) if number != position]
    if kept:
        inner.set("expressions", [outputs[number].unalias() for number in kept])
    names = [recursion.columns[number] for number in kept or [position]]
    alias = exp.TableAlias(
        this=exp.to_identifier(recursion.own.alias_or_name, quoted=True),
        columns=[exp.to_identifier(name, quoted=True) for name in names],
    )
    return exp.Subquery(this=inner, alias=alias)
