"""Syntax of one dialect that has the same meaning as syntax that all have."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from translators.from_sql.statement.first_rows import number_first_rows
from translators.from_sql.statement.rules import Rules
from translators.from_sql.statement.terms import COUNTED, GUARDED, OF_TEXT
from translators.from_sql.statement.typed_constants import interval_of
from translators.from_sql.statement.values_tables import cells_of

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
        elif (
            word in ("ALL", "ANY", "SOME") and len(node.expressions) == 1
        ):  # of an array, not of a query
            quantifier = exp.All if word == "ALL" else exp.Any
            node.replace(quantifier(this=node.expressions[0]))
    for test in list(tree.find_all(*_QUANTIFIED)):
        items = _array(test.expression)
        if items is not None:
            if rules.name == "postgres":
                _mark_texts(items)
            test.replace(_with_items(test, items))
    if rules.name == "postgres":
        for values in tree.find_all(exp.Values):
            if isinstance(values.parent, exp.In):
                for column in zip(*map(cells_of, values.expressions), strict=False):
                    _mark_texts(column)
        for table in list(tree.find_all(exp.Table)):
            _count_out(table)
        for product in list(tree.find_all(exp.Mul)):
            _multiply_out(product)
        for quotient in tree.find_all(exp.Div):
            if _never_by_zero(quotient):
                quotient.meta[COUNTED] = True
        for division in tree.find_all(exp.Div, exp.Mod):
            if _is_guarded_beside(division):
                division.meta[GUARDED] = True
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


def _mark_texts(items: Sequence[exp.Expr]) -> None:
    """Mark constants that PostgreSQL makes texts together before it looks at what is beside them
    (https://www.postgresql.org/docs/current/typeconv-union-case.html)."""
    words = [item for item in items if isinstance(item, exp.Literal) and item.is_string]
    if len(words) + sum(isinstance(item, exp.Null) for item in items) == len(items):
        for word in words:
            word.meta[OF_TEXT] = True


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


_ABOVE = (exp.GT, exp.GTE)
_FLIPPED: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.LT: exp.GT,
    exp.LTE: exp.GTE,
    exp.GT: exp.LT,
    exp.GTE: exp.LTE,
}


def _never_by_zero(quotient: exp.Div) -> bool:
    """Whether a divisor is not 0 in any row for which PostgreSQL divides, and which decides what
    the statement gives: groups are not empty, and WHERE, HAVING and CASE leave other rows out
    (https://www.postgresql.org/docs/current/sql-expressions.html, 4.2.14).
    """
    divisor = quotient.expression.unnest()
    select = quotient.find_ancestor(exp.Select)
    if select is None:
        return False
    if isinstance(divisor, exp.Window):
        return _counts_groups(divisor, select)
    if divisor.find(exp.Query, exp.Window, exp.Anonymous) or not divisor.find(exp.Column):
        return False
    node: exp.Expr = quotient
    same_row = True  # as that of a CASE around it
    while (over := node.parent) is not None and node is not select:
        same_row = same_row and not isinstance(node, exp.Window | exp.Filter)
        tests = over.args["ifs"] if isinstance(over, exp.Case) and over.this is None else []
        if same_row and _chosen(tests, node, divisor):
            return True
        result = isinstance(over, exp.If) and node is over.args.get("true")
        if same_row and result and _holds(over.this, divisor):
            return True
        if isinstance(node, exp.Join):
            return False  # which is asked before WHERE
        node = over
    clauses = ["having"] if divisor.find(exp.AggFunc) else ["where"]
    kept = [clause.this for name in clauses if (clause := select.args.get(name)) is not None]
    return any(_holds(condition, divisor) for condition in kept)


def _is_guarded_beside(quotient: exp.Binary) -> bool:
    """Whether what stands beside a division in a condition decides it where the divisor is 0:
    `n <> 0 AND 10 / n > 1`, `n = 0 OR 10 / n > 1`.

    PostgreSQL tests that first, being cheaper, and does not divide; graph engines may. A quotient
    that is null there changes nothing: no row of those is kept, or every one.
    """
    divisor = quotient.expression.unnest()
    if divisor.find(exp.Query, exp.Window, exp.Anonymous) or not divisor.find(exp.Column):
        return False
    node: exp.Expr = quotient
    while (over := node.parent) is not None and not isinstance(over, exp.Select | exp.Where):
        beside = over.args.get("this" if node is over.args.get("expression") else "expression")
        if isinstance(over, exp.And) and beside is not None and _holds(beside, divisor):
            return True
        if isinstance(over, exp.Or) and beside is not None and _is_zero(beside, divisor):
            return True
        node = over
    select = node.find_ancestor(exp.Select)
    if select is None or not (isinstance(node.parent, exp.Where) or isinstance(node, exp.Join)):
        return False
    where = select.args.get("where")
    return where is not None and _holds(where.this, divisor)


def _is_zero(condition: exp.Expr, divisor: exp.Expr) -> bool:
    """Whether a condition is true where a divisor is 0, being a test of that or having one."""
    test = condition.unnest()
    if isinstance(test, exp.Or):
        return _is_zero(test.this, divisor) or _is_zero(test.expression, divisor)
    if not isinstance(test, exp.EQ):
        return False
    for side, bound in ((test.this, test.expression), (test.expression, test.this)):
        if side.unnest() == divisor and _sign(bound) == 0:
            return True
    return False


def _counts_groups(window: exp.Window, select: exp.Select) -> bool:
    """Whether a window adds up `count(*)` of the groups of a SELECT, each of which has a row."""
    total, group = window.this, select.args.get("group")
    if not isinstance(total, exp.Sum | exp.Max | exp.Min) or window.args.get("spec") is not None:
        return False
    count = total.this
    if not isinstance(count, exp.Count) or not isinstance(count.this, exp.Star) or group is None:
        return False
    others = [name for name, part in group.args.items() if part and name != "expressions"]
    rows = [key for key in group.expressions if isinstance(key, exp.Tuple | exp.Paren)]
    return bool(group.expressions) and not others and not rows


def _chosen(ifs: list[exp.If], branch: exp.Expr, divisor: exp.Expr) -> bool:
    """Whether a CASE comes to a branch only where a divisor is not 0: an earlier one is for 0."""
    place = next((place for place, each in enumerate(ifs) if each is branch), len(ifs))
    before = ifs[:place]
    zero = exp.EQ(this=divisor.copy(), expression=exp.Literal.number(0))
    return any(each.this.unnest() == zero for each in before)


def _holds(condition: exp.Expr, divisor: exp.Expr) -> bool:
    """Whether a condition is true only where a divisor is not 0."""
    test = condition.unnest()
    if isinstance(test, exp.And):
        return _holds(test.this, divisor) or _holds(test.expression, divisor)
    if isinstance(test, exp.Between):
        low = _sign(test.args["low"])
        return test.this.unnest() == divisor and low is not None and low > 0
    if not isinstance(test, exp.NEQ | exp.LT | exp.LTE | exp.GT | exp.GTE | exp.EQ):
        return False
    kind: type[exp.Expr] = type(test)
    side, bound = test.this.unnest(), test.expression
    if side != divisor:
        kind, side, bound = _FLIPPED.get(kind, kind), bound.unnest(), test.this
    sign = _sign(bound)
    if side != divisor or sign is None:
        return False
    if kind is exp.NEQ:
        return sign == 0
    if kind is exp.EQ:
        return sign != 0
    beyond = sign if kind in _ABOVE else -sign
    return beyond > 0 or (beyond == 0 and kind in (exp.LT, exp.GT))


def _sign(node: exp.Expr) -> int | None:
    """-1, 0 or 1 of a literal number."""
    inner = node.unnest()
    negative = isinstance(inner, exp.Neg)
    inner = inner.this.unnest() if negative else inner
    if not isinstance(inner, exp.Literal) or inner.is_string:
        return None
    zero = not inner.name.lower().partition("e")[0].strip("0.")
    return 0 if zero else -1 if negative else 1


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
