"""Syntax of one dialect that has the same meaning as syntax that all have."""

from __future__ import annotations

from sqlglot import exp

from translators.from_sql.statement.first_rows import number_first_rows
from translators.from_sql.statement.rules import Rules
from translators.from_sql.statement.typed_constants import interval_of

MAX_ROWS = 1000
_QUANTIFIED = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


def equal_forms(tree: exp.Query, rules: Rules) -> exp.Query:
    """The statement in forms that are read: rows as lists, arrays as lists of values, counted rows
    as VALUES."""
    for node in list(tree.find_all(exp.Anonymous)):
        word = node.name.upper()
        if word == "ROW" and len(node.expressions) > 1 and not isinstance(node.parent, exp.Tuple):
            node.replace(exp.Tuple(expressions=node.expressions))
        elif word == "EVERY" and len(node.expressions) == 1 and rules.booleans:
            node.replace(exp.LogicalAnd(this=node.expressions[0]))
        elif word in ("ALL", "ANY") and len(node.expressions) == 1:  # of an array, not of a query
            quantifier = exp.All if word == "ALL" else exp.Any
            node.replace(quantifier(this=node.expressions[0]))
    for test in list(tree.find_all(*_QUANTIFIED)):
        items = _array(test.expression)
        if items is not None:
            test.replace(_with_items(test, items))
    if rules.name == "postgres":
        for table in list(tree.find_all(exp.Table)):
            _count_out(table)
        for product in list(tree.find_all(exp.Mul)):
            _multiply_out(product)
    if rules.name in ("postgres", "duckdb"):
        return number_first_rows(tree)
    return tree


def _array(side: exp.Expr) -> list[exp.Expr] | None:
    """The items of `ANY (ARRAY[…])` and `ALL (ARRAY[…])`."""
    bare = side.unnest()
    if not isinstance(bare, exp.Any | exp.All):
        return None
    array = bare.this.unnest()
    items = list(array.expressions) if isinstance(array, exp.Array) else []
    return items if items and not any(isinstance(item, exp.Query) for item in items) else None


def _with_items(node: exp.Binary, items: list[exp.Expr]) -> exp.Expr:
    """A comparison with some or all items of a list."""
    some = isinstance(node.expression.unnest(), exp.Any)
    if type(node) is (exp.EQ if some else exp.NEQ):
        inside: exp.Expr = exp.In(this=node.this, expressions=items)
        return inside if some else exp.Paren(this=exp.Not(this=inside))
    tests = [type(node)(this=node.this.copy(), expression=item) for item in items]
    whole: exp.Expr = tests[0]
    for test in tests[1:]:
        whole = (exp.Or if some else exp.And)(this=whole, expression=test)
    return exp.Paren(this=whole)


def _count_out(table: exp.Table) -> None:
    """`generate_series(1, 5)` in FROM as VALUES."""
    series = table.this
    if not isinstance(series, exp.ExplodingGenerateSeries | exp.GenerateSeries):
        return
    first, last = (_whole(series.args.get(name)) for name in ("start", "end"))
    step = _whole(series.args.get("step")) if series.args.get("step") is not None else 1
    if first is None or last is None or not step:
        return
    numbers = range(first, last + (1 if step > 0 else -1), step)
    if not 0 < len(numbers) <= MAX_ROWS:
        return
    alias = table.args.get("alias")
    name = alias.this if alias is not None else exp.to_identifier("generate_series")
    columns = alias.columns if alias is not None and alias.columns else [name.copy()]
    rows = [exp.Tuple(expressions=[_literal(number)]) for number in numbers]
    named = exp.TableAlias(this=name, columns=columns)
    values = exp.Values(expressions=rows, alias=named, joins=table.args.get("joins"))
    table.replace(values)


def _multiply_out(product: exp.Mul) -> None:
    """`30 * INTERVAL '1 day'` as an interval of 30 days."""
    for one, other in ((product.this, product.expression), (product.expression, product.this)):
        factor, interval = _whole(one), other.unnest()
        if factor is None or not isinstance(interval, exp.Interval):
            continue
        unit = interval.args.get("unit")
        parts = interval_of(" ".join([interval.this.name, unit.name if unit is not None else ""]))
        if parts is not None:
            words = " ".join(f"{factor * number} {name}" for name, number in parts.items())
            product.replace(exp.Interval(this=exp.Literal.string(words)))


def _whole(node: exp.Expr | None) -> int | None:
    """A literal integer of 32 bits."""
    inner = node.unnest() if node is not None else None
    sign = -1 if isinstance(inner, exp.Neg) else 1
    inner = inner.this.unnest() if isinstance(inner, exp.Neg) else inner
    plain = isinstance(inner, exp.Literal) and not inner.is_string and inner.name.isdigit()
    if not plain or inner is None or len(inner.name) > 10:
        return None
    number = sign * int(inner.name)
    return number if abs(number) < 2**31 else None


def _literal(number: int) -> exp.Expr:
    literal = exp.Literal.number(abs(number))
    return exp.Neg(this=literal) if number < 0 else literal
