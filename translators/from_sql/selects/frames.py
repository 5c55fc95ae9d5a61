"""One window function as a subquery: which rows of the partition it looks at, and what of them.

Rows are compared by the keys of the window's ORDER BY. `other` is a row that is looked at,
`here` the row that the function is for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from translators.from_sql.statement.terms import COUNTED

ROWS, HERE, OTHER = "rows of window", "row here", "other row"
_AGGREGATES = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)
_ALL = ("UNBOUNDED", "CURRENT ROW")


@dataclass(frozen=True, slots=True)
class Key:
    """A key of PARTITION BY or ORDER BY, over the row here."""

    expr: exp.Expr
    nullable: bool
    descending: bool = False
    nulls_first: bool = True


@dataclass(frozen=True, slots=True)
class Frame:
    """A window: `total` if no two rows of it are peers; `refuse` makes a refusal."""

    partition: Sequence[Key]
    order: Sequence[Key]
    spec: exp.WindowSpec | None
    total: bool
    refuse: Callable[[str, str], Exception]

    def computed(self, function: exp.Expr) -> exp.Expr:
        """The function, whose arguments are over the row here, as an expression.

        Raises:
            Refused
        """
        match function:
            case exp.RowNumber():
                self._need_total("numbers")
                return _plus(_one(), self._count(self._before()))
            case exp.Rank():
                return _plus(_one(), self._count(self._before()))
            case exp.DenseRank():
                return self._dense_rank()
            case exp.PercentRank():
                return self._share(self._count(self._before()), _one())
            case exp.CumeDist():
                return self._share(self._count(self._up_to()), None)
            case exp.Ntile():
                return self._ntile(function)
            case exp.Lag() | exp.Lead():
                return self._neighbour(function)
            case exp.FirstValue() | exp.LastValue() | exp.NthValue():
                return self._picked(function)
            case exp.Filter() if isinstance(function.this, _AGGREGATES):
                return self._aggregate(function)
            case _ if isinstance(function, _AGGREGATES):
                return self._aggregate(function)
        raise self.refuse("window-function", "is a window function without a form here")

    # Which rows.

    def _in_partition(self) -> list[exp.Expr]:
        return [_same(key) for key in self.partition]

    def _before(self) -> exp.Expr:
        """The other row comes before the one here, for sure."""
        return _lexicographic(self.order, strict=True)

    def _up_to(self) -> exp.Expr:
        """The other row comes before, or is a peer."""
        return _lexicographic(self.order, strict=False)

    def _from_on(self) -> exp.Expr:
        """The other row comes after, or is a peer."""
        return _lexicographic([_reversed(key) for key in self.order], strict=False)

    def _after(self) -> exp.Expr:
        return _lexicographic([_reversed(key) for key in self.order], strict=True)

    def _need_total(self, what: str) -> None:
        if not self.total:
            raise self.refuse("open-order", f"{what} rows among which peers have no order")

    # Subqueries.

    def _select(
        self,
        output: exp.Expr,
        where: exp.Expr | None,
        order: Sequence[Key] = (),
        limit: int | None = None,
        offset: int = 0,
    ) -> exp.Select:
        conditions = self._in_partition()
        if where is not None and where != exp.true():
            conditions.append(where)
        select = exp.Select(expressions=[output], from_=source(OTHER))
        if conditions:
            select.set("where", exp.Where(this=_all(conditions)))
        if order:
            terms = [
                exp.Ordered(this=_of_other(k.expr), desc=k.descending, nulls_first=k.nulls_first)
                for k in order
            ]
            select.set("order", exp.Order(expressions=terms))
        if limit is not None:
            select.set("limit", exp.Limit(expression=exp.Literal.number(limit)))
        if offset:
            select.set("offset", exp.Offset(expression=exp.Literal.number(offset)))
        return select

    def _count(self, where: exp.Expr | None) -> exp.Expr:
        if where == exp.false():
            return exp.Literal.number(0)
        return exp.Subquery(this=self._select(exp.Count(this=exp.Star()), where))

    def _dense_rank(self) -> exp.Expr:
        if not self.order:
            return _one()
        keys = [named(_of_other(key.expr), f"key{number}") for number, key in enumerate(self.order)]
        if len(keys) == 1 and not self.order[0].nullable:
            distinct = exp.Count(this=exp.Distinct(expressions=[_of_other(self.order[0].expr)]))
            ranks = self._select(distinct, self._before())
            return _plus(_one(), exp.Subquery(this=ranks))
        inner = self._select(keys[0], self._before())
        inner.set("expressions", keys)
        inner.set("distinct", exp.Distinct())
        alias = exp.TableAlias(this=exp.to_identifier("ranks", quoted=True))
        outer = exp.Select(
            expressions=[exp.Count(this=exp.Star())],
            from_=exp.From(this=exp.Subquery(this=inner, alias=alias)),
        )
        return _plus(_one(), exp.Subquery(this=outer))

    def _share(self, part: exp.Expr, less: exp.Expr | None) -> exp.Expr:
        """A count as a share of the partition's rows, of which `less` are left out."""
        whole = self._count(None)
        real = exp.Cast(this=part, to=exp.DataType.build("DOUBLE"))
        if less is None:
            return _by_count(real, whole)
        rest = exp.Paren(this=exp.Sub(this=whole, expression=less))
        alone = exp.If(this=exp.EQ(this=whole.copy(), expression=_one()), true=_number(0.0))
        return exp.Case(ifs=[alone], default=_by_count(real, rest))

    def _ntile(self, function: exp.Ntile) -> exp.Expr:
        """The first `rows % n` groups have one row more than the others."""
        groups = self._literal(function.this)
        self._need_total("groups")
        if groups < 1:
            raise self.refuse("window-function", "divides rows into no groups")
        before = self._count(self._before())
        rows = self._count(None)
        size = exp.Paren(this=exp.IntDiv(this=rows, expression=_number(groups)))
        larger = exp.Paren(this=exp.Mod(this=rows.copy(), expression=_number(groups)))
        edge = exp.Mul(this=larger, expression=exp.Paren(this=_plus(size, _one())))
        first = _plus(
            exp.IntDiv(this=before, expression=exp.Paren(this=_plus(size.copy(), _one()))), _one()
        )
        rest = exp.Paren(this=exp.Sub(this=before.copy(), expression=exp.Paren(this=edge.copy())))
        later = _plus(_plus(exp.IntDiv(this=rest, expression=size.copy()), larger.copy()), _one())
        inside = exp.If(this=exp.LT(this=before.copy(), expression=edge), true=first)
        return exp.Case(ifs=[inside], default=later)

    def _literal(self, node: exp.Expr | None, default: int = 1) -> int:
        if node is None:
            return default
        if isinstance(node, exp.Literal) and not node.is_string and node.name.isdigit():
            return int(node.name)
        raise self.refuse("window-function", "has an offset that is no literal")

    def _neighbour(self, function: exp.Lag | exp.Lead) -> exp.Expr:
        """The value some rows before or after; the default where there is no such row."""
        self._need_total("looks from row to row of")
        steps = self._literal(function.args.get("offset"))
        own: exp.Expr = function.this
        if steps == 0:
            return own
        back = isinstance(function, exp.Lag)
        where = self._before() if back else self._after()
        order = [_reversed(key) for key in self.order] if back else self.order
        value = _of_other(function.this)
        neighbour = exp.Subquery(this=self._select(value, where, order, 1, steps - 1))
        default = function.args.get("default")
        if default is None:
            return neighbour
        there = exp.GTE(this=self._count(where), expression=_number(steps))
        return exp.Case(ifs=[exp.If(this=there, true=neighbour)], default=default)

    def _picked(self, function: exp.Expr) -> exp.Expr:
        """The value of the first, last or n-th row of the frame."""
        value = _of_other(function.this)
        is_key = [key for key in (*self.order, *self.partition) if key.expr == function.this]
        if not self.total and (len(self.order) > 1 or not is_key):
            self._need_total("picks one of")
        where = self._bounded()
        if isinstance(function, exp.NthValue):
            number = self._literal(function.args.get("offset"))
            if number < 1 or not self.total:
                raise self.refuse("open-order", "picks a row among peers")
            return exp.Subquery(this=self._select(value, where, self.order, 1, number - 1))
        last = isinstance(function, exp.LastValue)
        order = [_reversed(key) for key in self.order] if last else self.order
        return exp.Subquery(this=self._select(value, where, order, 1))

    def _aggregate(self, function: exp.Expr) -> exp.Expr:
        inner = function.this if isinstance(function, exp.Filter) else function
        if isinstance(inner.this, exp.Distinct):
            raise self.refuse("window-function", "aggregates distinct values in a window")
        kind, start, end = self._bounds()
        if kind == "ROWS" and not {start, end} <= {"UNBOUNDED", "CURRENT ROW"}:
            return self._over_some(function, start, end)
        return exp.Subquery(this=self._select(_of_other(function), self._bounded()))

    # Bounds.

    def _bounds(self) -> tuple[str, str | int, str | int]:
        """Kind of frame, first and last bound: UNBOUNDED, CURRENT ROW, or an offset (negative:
        before the row here)."""
        spec = self.spec
        if spec is None:
            return ("RANGE", "UNBOUNDED", "CURRENT ROW" if self.order else "UNBOUNDED")
        if spec.args.get("exclude"):
            raise self.refuse("window-function", "leaves rows out of a frame")
        start = self._bound(spec, "start")
        end = self._bound(spec, "end") if spec.args.get("end") is not None else "CURRENT ROW"
        return (str(spec.args.get("kind") or "RANGE").upper(), start, end)

    def _bound(self, spec: exp.WindowSpec, which: str) -> str | int:
        value = spec.args.get(which)
        side = str(spec.args.get(f"{which}_side") or "").upper()
        if isinstance(value, str):
            wrong = "FOLLOWING" if which == "start" else "PRECEDING"
            if value.upper() == "UNBOUNDED" and side == wrong:
                raise self.refuse("window-function", "has a frame without rows")
            return value.upper()
        steps = self._literal(value)
        return -steps if side == "PRECEDING" else steps

    def _bounded(self) -> exp.Expr | None:
        """The condition of a frame between unbounded and the row here."""
        kind, start, end = self._bounds()
        if not isinstance(start, str) or not isinstance(end, str):
            raise self.refuse("window-function", "has a frame of some rows around")
        if kind == "ROWS" and "CURRENT ROW" in (start, end):
            self._need_total("counts")
        if start == end == "UNBOUNDED" or not self.order:
            return None
        if start == "UNBOUNDED":
            return self._up_to()
        if end == "UNBOUNDED":
            return self._from_on()
        return _all([_same(key) for key in self.order])

    def _over_some(self, function: exp.Expr, start: str | int, end: str | int) -> exp.Expr:
        """An aggregate over a number of rows before and after."""
        self._need_total("counts")
        if isinstance(function, exp.Filter):
            raise self.refuse("window-function", "filters a frame of some rows")
        argument = function.this
        value = _one() if isinstance(argument, exp.Star) else _of_other(argument)
        item = named(value, "item")
        parts: list[exp.Select] = []
        back = [_reversed(key) for key in self.order]
        low = 0 if start == "CURRENT ROW" else start
        high = 0 if end == "CURRENT ROW" else end
        rows = None if "UNBOUNDED" in (low, high) else int(high) - int(low) + 1
        if rows is not None and rows < 1:
            raise self.refuse("window-function", "has a frame without rows")
        if isinstance(high, int) and high < 0:
            parts.append(self._select(item, self._before(), back, rows, -high - 1))
        elif isinstance(low, int) and low > 0:
            parts.append(self._select(item, self._after(), self.order, rows, low - 1))
        else:
            limit = None if low == "UNBOUNDED" else 1 - int(low)
            parts.append(self._select(item, self._up_to(), back, limit))
            if high != 0:
                limit = None if high == "UNBOUNDED" else int(high)
                parts.append(self._select(item, self._after(), self.order, limit))
        for part in parts:
            if part.args.get("limit") is None and part.args.get("offset") is None:
                part.set("order", None)
        wrapped = [_derived(part) for part in parts] if len(parts) > 1 else parts
        whole: exp.Query = wrapped[0]
        for part in wrapped[1:]:
            whole = exp.Union(this=whole, expression=part, distinct=False)
        alias = exp.TableAlias(this=exp.to_identifier("frame", quoted=True))
        column = exp.column("item", "frame", quoted=True)
        aggregate = type(function)(this=exp.Star() if isinstance(argument, exp.Star) else column)
        outer = exp.Select(
            expressions=[aggregate], from_=exp.From(this=exp.Subquery(this=whole, alias=alias))
        )
        return exp.Subquery(this=outer)


def named(node: exp.Expr, name: str) -> exp.Alias:
    """`node AS name`."""
    return exp.Alias(this=node, alias=exp.to_identifier(name, quoted=True))


def source(alias: str) -> exp.From:
    """FROM the rows of the SELECT, under an alias."""
    name = exp.TableAlias(this=exp.to_identifier(alias, quoted=True))
    return exp.From(this=exp.Table(this=exp.to_identifier(ROWS, quoted=True), alias=name))


def _derived(select: exp.Select) -> exp.Select:
    alias = exp.TableAlias(this=exp.to_identifier("part", quoted=True))
    column = exp.column("item", "part", quoted=True)
    inner = exp.Subquery(this=select, alias=alias)
    return exp.Select(expressions=[column], from_=exp.From(this=inner))


def _of_other(node: exp.Expr) -> exp.Expr:
    """An expression over the row here, over the other row."""
    copy = node.copy()
    for column in copy.find_all(exp.Column):
        if column.table == HERE:
            column.set("table", exp.to_identifier(OTHER, quoted=True))
    return copy


def _lexicographic(keys: Sequence[Key], *, strict: bool) -> exp.Expr:
    """The other row comes before the one here by the keys in turn; else it may be equal."""
    options: list[exp.Expr] = []
    for number, key in enumerate(keys):
        last = number == len(keys) - 1
        step = _precedes(key, strict=strict or not last)
        options.append(_all([*(_same(k) for k in keys[:number]), step]))
    if not options:
        return exp.false() if strict else exp.true()
    whole = options[0]
    for option in options[1:]:
        whole = exp.Or(this=whole, expression=option)
    return exp.Paren(this=whole) if len(options) > 1 else whole


def _precedes(key: Key, *, strict: bool) -> exp.Expr:
    kinds = {
        (False, True): exp.LT, (False, False): exp.LTE, (True, True): exp.GT, (True, False): exp.GTE
    }  # fmt: skip
    other, here = _sides(key)
    plain: exp.Expr = kinds[key.descending, strict](this=other, expression=here)
    if not key.nullable:
        return plain
    first, second = (other, here) if key.nulls_first else (here, other)
    null: exp.Expr = exp.Is(this=first.copy(), expression=exp.Null())
    if strict:
        there = exp.Not(this=exp.Is(this=second.copy(), expression=exp.Null()))
        null = exp.Paren(this=exp.And(this=null, expression=there))
    return exp.Paren(this=exp.Or(this=plain, expression=null))


def _same(key: Key) -> exp.Expr:
    kind = exp.NullSafeEQ if key.nullable else exp.EQ
    other, here = _sides(key)
    return kind(this=other, expression=here)


def _sides(key: Key) -> tuple[exp.Expr, exp.Expr]:
    """A key over the other row and the row here: operands, whatever binds as loosely as `=`."""
    expr = key.expr if isinstance(key.expr, exp.Column) else exp.Paren(this=key.expr.copy())
    return _of_other(expr), expr.copy()


def _reversed(key: Key) -> Key:
    return Key(key.expr, key.nullable, not key.descending, not key.nulls_first)


def _all(parts: Iterable[exp.Expr]) -> exp.Expr:
    conditions = list(parts)
    whole = conditions[0]
    for part in conditions[1:]:
        whole = exp.And(this=whole, expression=part)
    return whole


def _plus(left: exp.Expr, right: exp.Expr) -> exp.Expr:
    return exp.Add(this=left, expression=right)


def _one() -> exp.Expr:
    return exp.Literal.number(1)


def _number(value: float) -> exp.Expr:
    return exp.Literal.number(value)


def _by_count(part: exp.Expr, rows: exp.Expr) -> exp.Expr:
    """A part divided by a number of rows, of which the row here is one."""
    quotient = exp.Div(this=part, expression=rows)
    quotient.meta[COUNTED] = True
    return quotient
