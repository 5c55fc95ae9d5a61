"""Dates plus durations of hours, and instants that differ by nothing but their offsets.

grafeo adds no hours to a date, where Cypher adds the whole days among them, and takes date-times of
one instant for equal. Groups, DISTINCT and UNION are made of their printed forms, which are read
back after it; in ORDER BY the printed form decides between equal instants, as the offset does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, substitute, unused_names
from graph_ir.reference.signs import may_be_signed, signed_names
from graph_ir.temporal.construct import span
from graph_ir.temporal.values import DAY, SECOND, Span, TemporalError
from graph_ir.walk import find, rewrite
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph, Type
from translators.gql.emit.values import kind_of
from translators.grafeo.collections import OFFSETS, WITH_OFFSET, leaves
from translators.grafeo.comparisons import utc_seconds
from translators.grafeo.confusions import bindings
from translators.grafeo.extremes import span_order
from translators.grafeo.not_numbers import (
    apart,
    collected,
    counted,
    may_be_nan,
    names_of_nan,
    no_nan,
)
from translators.grafeo.primitives import (
    FAILS,
    NULL,
    ONE,
    both,
    case,
    either,
    matches,
    own,
    with_value,
)

_STRING = Type(Kind.STRING)
_DATE_FORM = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"


def exact_temporal(statement: ir.Statement, schema: SchemaGraph | None) -> ir.Statement:
    """The statement with dates, instants and their groups as Cypher has them."""
    offsets = _Offsets(statement, schema)
    free = unused_names(statement, "instant")
    nans = names_of_nan(statement)

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Arith(op=ir.ArithOp.ADD | ir.ArithOp.SUB):
                return _shifted(node, free)
            case ir.Project():
                return _shown(node)
            case ir.Agg(name="count", args=(value,), distinct=True) if _is_zoned(value):
                return replace(node, args=(_printed(value),))
            case ir.Agg(name="collect", args=(value,), distinct=True) if _is_zoned(value):
                return _collected(node, value, free)
            case ir.Agg(name="count" | "collect", args=(value,), distinct=True) if offsets.within(
                value
            ):
                return _told_apart(node, value, free)
            case ir.Agg(name="count" | "collect", args=(value,), distinct=True) if may_be_nan(
                value, nans
            ):
                return counted(node) if node.name == "count" else collected(node)
            case ir.Query():
                return _grouped(node, free, nans, offsets)
            case ir.Union(all=False):
                return _united(_without_nan(node, nans), free, offsets)
        return node

    return rewrite(statement, change)


class _Offsets:
    """Which values may be times with offsets, or have such in them."""

    def __init__(self, statement: ir.Statement, schema: SchemaGraph | None) -> None:
        owners: list[NodeType | EdgeType] = []
        if schema is not None:
            owners += [*schema.nodes, *schema.edges]
        self._keys = {p.name for each in owners for p in each.properties if p.type.kind in OFFSETS}
        self._names: set[str] = set()
        self.signed = signed_names(statement)
        given = list(bindings(statement))
        while more := {n for n, value in given if self._may_have(value)} - self._names:
            self._names |= more

    def add(self, name: str) -> None:
        """A new name of such a value."""
        self._names.add(name)

    def within(self, value: ir.Expr) -> bool:
        """Whether it may have such in it, or that is not known before the query runs."""
        return kind_of(value) in (Kind.ANY, Kind.LIST, Kind.MAP) and self._may_have(value)

    def _may_have(self, value: ir.Expr) -> bool:
        kinds = leaves(value)
        if not kinds & {Kind.ANY, *OFFSETS}:
            return False
        return bool(kinds & OFFSETS) or any(map(self._has, find(value, ir.Expr)))

    def _has(self, part: ir.Expr) -> bool:
        match part:
            case ir.Var(name) if name in self._names:
                return kind_of(part) not in (Kind.NODE, Kind.EDGE, Kind.PATH)
            case ir.Prop(key=key) if kind_of(part) is Kind.ANY and key in self._keys:
                return True
        return kind_of(part) in OFFSETS


_HOLDS_OFFSET = (
    rf"(?s)(?:{WITH_OFFSET}|[\[{{].*[0-9]{{2}}:[0-9]{{2}}[0-9:.]*(?:Z|[+-][0-9]{{2}}:).*)"
)
_HOLDS_NEGATIVE_ZERO = r"(?s)[\[{].*-0[,\]}].*"


def _offsets_of(value: ir.Expr) -> ir.Expr:
    """A second key that keeps values apart whose instants have different offsets; -0.0 beside them
    would be apart from 0.0, too."""
    text = _printed(value)
    held = matches(text, _HOLDS_OFFSET)
    odd = both(held, matches(text, _HOLDS_NEGATIVE_ZERO))
    return case((odd, FAILS), (held, text), default=ir.Literal(""))


def _told_apart(node: ir.Agg, value: ir.Expr, free: Iterator[str]) -> ir.Expr:
    """An aggregate of different values that may be or hold instants: of these, of their texts."""
    if node.name == "count":
        text = _offsets_of(value)
        different = case((ir.Compare(ir.CompareOp.NE, text, ir.Literal("")), text), default=value)
        return replace(node, args=(different,))
    pair = ir.ListOf((_offsets_of(value), value))
    pairs = replace(node, args=(case((ir.IsNull(value), NULL), default=pair),))
    item = ir.Var(next(free))
    return ir.ListComp(item.name, pairs, result=own("[]", item, ONE), type=node.type)


def _is_zoned(value: ir.Expr) -> bool:
    return kind_of(value) in OFFSETS


def _printed(value: ir.Expr) -> ir.Expr:
    return own("toString", value, kind=Kind.STRING)


def _read(text: ir.Expr, kind: Kind) -> ir.Expr:
    """The value of `kind` that prints `text`."""
    return own("zoned_time" if kind is Kind.ZONED_TIME else "zoned_datetime", text, kind=kind)


# --- dates and durations -------------------------------------------------------------------


def _shifted(node: ir.Arith, free: Iterator[str]) -> ir.Expr:
    value, duration = node.left, node.right
    if node.op is ir.ArithOp.ADD and kind_of(value) is Kind.DURATION:
        value, duration = duration, value
    kinds = (kind_of(value), kind_of(duration))
    if Kind.ANY in kinds and set(kinds) <= {Kind.ANY, Kind.DATE}:
        return _shifted_by_unknown(node, free)
    if kinds[1] is not Kind.DURATION or kinds[0] not in (Kind.DATE, Kind.ANY):
        return node
    known = _constant(duration)
    if known is not None and abs(known.nanos) < DAY:
        return node
    plain = replace(node, left=value, right=duration)
    if kind_of(value) is Kind.DATE and known is not None:
        seconds = known.nanos // SECOND
        whole = abs(seconds) * SECOND // DAY
        days = known.days + (whole if seconds > 0 else -whole)
        return replace(plain, right=_duration(known.months, days))
    if kind_of(value) is Kind.DATE:
        return with_value(value, free, lambda date: _shifted_date(plain, date), Kind.DATE)

    def of_any(moment: ir.Expr) -> ir.Expr:
        shifted = _shifted_date(plain, moment)
        return case((_is_date(moment), shifted), default=replace(plain, left=moment))

    return with_value(value, free, of_any, Kind.ANY)


def _shifted_date(plain: ir.Arith, date: ir.Expr) -> ir.Expr:
    """A date and the duration at the right of `plain`, of which whole days of its hours count."""
    shifted = replace(plain, left=date)
    early, late = (_moved(shifted, f"T{clock}") for clock in ("00:00:00", "23:59:59.999999"))
    forward = ir.Compare(ir.CompareOp.GE, early, shifted)
    return case((forward, early), default=late, type=Type(Kind.DATE))


def _is_date(value: ir.Expr) -> ir.Expr:
    return own("~", _printed(value), ir.Literal(_DATE_FORM), kind=Kind.BOOLEAN)


def _shifted_by_unknown(node: ir.Arith, free: Iterator[str]) -> ir.Expr:
    """Two values that may turn out to be a date and a duration with hours."""

    def of_left(a: ir.Expr) -> ir.Expr:
        return with_value(node.right, free, lambda b: of_both(a, b), Kind.ANY)

    def of_both(a: ir.Expr, b: ir.Expr) -> ir.Expr:
        plain = replace(node, left=a, right=b)
        pairs = [(a, b), (b, a)] if node.op is ir.ArithOp.ADD else [(a, b)]
        branches = []
        for date, duration in pairs:
            if kind_of(date) not in (Kind.DATE, Kind.ANY) or kind_of(duration) is Kind.DATE:
                continue
            hours = matches(_printed(duration), _WITH_HOURS)
            moved = _shifted_date(replace(plain, right=duration), date)
            branches.append((both(_is_date(date), hours), moved))
        return case(*branches, default=plain, type=node.type)

    return with_value(node.left, free, of_left, Kind.ANY)


_WITH_HOURS = "-?P[^T]*T.*"
"""Durations with a part below a day."""


_DATED = frozenset((Kind.DATE, Kind.DATETIME, Kind.ZONED_DATETIME, Kind.ANY))


def _moves(node: ir.Arith) -> bool:
    """Whether a date is moved that could leave the years from 1 to 9999."""
    kinds = [kind_of(side) for side in (node.left, node.right)]
    now = any(isinstance(side, ir.Call) and not side.args for side in (node.left, node.right))
    dated = set(kinds) & _DATED
    unknown = Kind.ANY in kinds and bool(dated - {Kind.ANY})
    return (Kind.DURATION in kinds or unknown) and not now and bool(dated)


_LAST = {
    Kind.DATE: ("date", "0001-01-01", "9999-12-31"),
    Kind.DATETIME: ("localdatetime", "0001-01-01T00:00:00", "9999-12-31T23:59:59.999999"),
    Kind.ZONED_DATETIME: (
        "datetime",
        "0001-01-02T00:00:00Z",
        "9999-12-30T23:59:59.999999Z",
    ),
}


def _within_years(value: ir.Expr) -> ir.Expr:
    """A value for a column, which fails where it is a date that grafeo's driver gives as null."""
    match value:
        case ir.ListOf(items=items):
            return replace(value, items=tuple(map(_within_years, items)))
        case ir.MapOf(entries=entries):
            kept = tuple(replace(e, value=_within_years(e.value)) for e in entries)
            return replace(value, entries=kept)
        case ir.Agg(args=args):
            return replace(value, args=tuple(map(_within_years, args)))
    kinds = [kind_of(value)] if kind_of(value) in _LAST else list(_LAST)
    if kind_of(value) not in _DATED or not any(map(_moves, find(value, ir.Arith))):
        return value
    tests = []
    for kind in kinds:
        name, *ends = _LAST[kind]
        least, most = (ir.Call(name, (ir.Literal(end),), type=Type(kind)) for end in ends)
        tests.append(ir.Compare(ir.CompareOp.LT, value, least))
        tests.append(ir.Compare(ir.CompareOp.GT, value, most))
    return case((either(*tests), FAILS), default=value, type=value.type)


def _shown(node: ir.Project) -> ir.Project:
    """A projection of dates that grafeo can give."""
    items = tuple(replace(item, expr=_within_years(item.expr)) for item in node.items)
    changed = {a.expr: b.expr for a, b in zip(node.items, items, strict=True)}
    group = node.group and tuple(changed.get(key, key) for key in node.group)
    order = tuple(replace(key, expr=changed.get(key.expr, key.expr)) for key in node.order)
    return replace(node, items=items, group=group, order=order)


def _moved(shifted: ir.Arith, clock: str) -> ir.Expr:
    """The date that a moment of the day becomes."""
    text = ir.Arith(ir.ArithOp.ADD, _printed(shifted.left), ir.Literal(clock), type=_STRING)
    moment = own("localdatetime", text, kind=Kind.DATETIME)
    moved = _printed(replace(shifted, left=moment, type=Type(Kind.DATETIME)))
    return own("date", own("left", moved, ir.Literal(10)), kind=Kind.DATE)


def _constant(duration: ir.Expr) -> Span | None:
    """The duration that stands in the query."""
    if not isinstance(duration, ir.Call) or duration.name != "duration":
        return None
    (given,) = duration.args
    try:
        if isinstance(given, ir.Literal) and isinstance(given.value, str):
            return span(given.value)
        if isinstance(given, ir.MapOf):
            parts = {e.key: e.value.value for e in given.entries if isinstance(e.value, ir.Literal)}
            if len(parts) == len(given.entries):
                return span({key: value for key, value in parts.items() if value is not None})
    except TemporalError:
        return None
    return None


def _duration(months: int, days: int) -> ir.Call:
    parts = [("months", months), ("days", days)]
    entries = tuple(ir.Entry(name, ir.Literal(value)) for name, value in parts)
    return ir.Call("duration", (ir.MapOf(entries),), type=Type(Kind.DURATION))


# --- groups of instants --------------------------------------------------------------------


def _collected(node: ir.Agg, value: ir.Expr, free: Iterator[str]) -> ir.Expr:
    text = ir.Var(next(free), type=Type(Kind.STRING, nullable=False))
    texts = replace(node, args=(_printed(value),), type=Type(Kind.LIST, _STRING))
    kind = kind_of(value)
    read = replace(_read(text, kind), type=Type(kind, nullable=False))
    return ir.ListComp(text.name, texts, result=read, type=node.type)


def _grouped(
    query: ir.Query, free: Iterator[str], nans: frozenset[str], offsets: _Offsets
) -> ir.Query:
    clauses: list[ir.Clause] = []
    for clause in query.clauses:
        if isinstance(clause, ir.Project):
            clauses += _projections(clause, free, nans, offsets)
        else:
            clauses.append(clause)
    return replace(query, clauses=tuple(clauses))


def _projections(
    node: ir.Project, free: Iterator[str], nans: frozenset[str], offsets: _Offsets
) -> Iterator[ir.Project]:
    """A projection with its groups made of printed instants, and ties of them in its order."""
    keys = [item for item in node.items if not aggregates(item.expr)]
    zoned = {item.expr: _printed(item.expr) for item in keys if _is_zoned(item.expr)}
    grouping = node.distinct or node.group is not None
    more = tuple(apart(item.expr) for item in keys if may_be_nan(item.expr, nans))
    if grouping:
        more += tuple(_offsets_of(item.expr) for item in keys if offsets.within(item.expr))
    exprs = {item.alias: item.expr for item in node.items}
    sorted_apart = any(
        kind_of(_sorted(key, exprs)) in (Kind.ZONED_TIME, Kind.DURATION, Kind.ZONED_DATETIME)
        for key in node.order
    )
    if not (grouping and (zoned or more or sorted_apart)):
        yield replace(node, order=tuple(_with_ties(node, grouping, free, offsets)))
    else:
        yield from _grouped_by_text(node, zoned, more, free, offsets)


def _grouped_by_text(
    node: ir.Project,
    zoned: Mapping[ir.Expr, ir.Expr],
    more: Sequence[ir.Expr],
    free: Iterator[str],
    offsets: _Offsets,
) -> Iterator[ir.Project]:
    """A grouping by what instants print and by `more`, then the items read from those texts."""
    mixed = {i.alias for i in node.items if aggregates(i.expr) and _reads_beside(i.expr)}
    names = {item.alias: next(free) for item in node.items if item.alias not in mixed}
    by_alias: dict[ir.Expr, ir.Expr] = {ir.Var(item.alias): item.expr for item in node.items}
    sort = [replace(key, expr=substitute(key.expr, by_alias)) for key in node.order]
    hidden = _aggregates_of_order(node, sort, free)
    for agg in (agg for i in node.items if i.alias in mixed for agg in aggregates(i.expr)):
        hidden.setdefault(agg, next(free))
    shown = [item for item in node.items if item.alias in names]
    yield replace(
        node,
        items=(
            *(ir.Item(zoned.get(item.expr, item.expr), names[item.alias]) for item in shown),
            *(ir.Item(agg, name) for agg, name in hidden.items()),
            *(ir.Item(key, next(free)) for key in more),
        ),
        group=node.group and (*(zoned.get(key, key) for key in node.group), *more),
        order=(),
        skip=None,
        limit=None,
        where=None,
        final=False,
    )
    after: dict[ir.Expr, ir.Expr] = {}
    for item in reversed(shown):
        text = ir.Var(names[item.alias], type=_STRING if item.expr in zoned else item.expr.type)
        read = item.expr in zoned
        if offsets.within(item.expr):
            offsets.add(names[item.alias])
        after[item.expr] = _read(text, kind_of(item.expr)) if read else text
    after |= {agg: ir.Var(name, type=agg.type) for agg, name in hidden.items()}
    second = replace(
        node,
        items=tuple(
            replace(item, expr=substitute(item.expr, after), named=True) for item in node.items
        ),
        group=None,
        distinct=False,
        order=tuple(replace(key, expr=substitute(key.expr, after)) for key in sort),
    )
    yield replace(second, order=tuple(_with_ties(second, False, free, offsets)))


def _aggregates_of_order(
    node: ir.Project, sort: Sequence[ir.SortKey], free: Iterator[str]
) -> dict[ir.Expr, str]:
    """Names for the aggregates that only the order of `node` reads."""
    shown = {item.expr for item in node.items}
    hidden: dict[ir.Expr, str] = {}
    for key in sort:
        for agg in aggregates(key.expr) if key.expr not in shown else ():
            if agg not in shown:
                hidden.setdefault(agg, next(free))
    return hidden


def _reads_beside(expr: ir.Expr) -> bool:
    """Whether an item with aggregates reads something outside of them."""
    bare = substitute(expr, {agg: ir.Literal(0) for agg in aggregates(expr)})
    return next(find(bare, ir.Var), None) is not None


def _sorted(key: ir.SortKey, exprs: Mapping[str, ir.Expr]) -> ir.Expr:
    """What is sorted by, where it is a column the expression of that."""
    return exprs.get(key.expr.name, key.expr) if isinstance(key.expr, ir.Var) else key.expr


def _with_ties(
    node: ir.Project, grouped: bool, free: Iterator[str], offsets: _Offsets
) -> Iterator[ir.SortKey]:
    exprs = {item.alias: item.expr for item in node.items}
    apart = node.group
    if apart is None and node.distinct:
        apart = tuple(exprs.values())
    for key in node.order:
        value = _sorted(key, exprs)
        shown = not grouped or isinstance(key.expr, ir.Var) or value in exprs.values()
        signed = shown and apart != (value,) and may_be_signed(value, offsets.signed)
        if kind_of(value) is Kind.ZONED_TIME and not grouped:
            yield replace(key, expr=utc_seconds(key.expr))
            yield replace(key, expr=_printed(key.expr))
            continue
        if kind_of(value) is Kind.DURATION and not grouped:
            yield from (replace(key, expr=part) for part in span_order(key.expr))
            continue
        if signed and kind_of(value) in (Kind.LIST, Kind.MAP):
            yield replace(key, expr=_with_signs(key.expr, free))
            continue
        yield key
        if kind_of(value) is Kind.FLOAT and signed:
            yield replace(key, expr=_reciprocal(key.expr))
        if (_is_zoned(key.expr) or _is_zoned(value)) and not grouped:
            yield replace(key, expr=_printed(key.expr))
        elif kind_of(value) is Kind.ANY and offsets.within(value) and not grouped:
            yield replace(key, expr=_offsets_of(key.expr))


def _reciprocal(value: ir.Expr) -> ir.Expr:
    """What puts -0.0 before 0.0, which are one number for grafeo."""
    return ir.Arith(ir.ArithOp.DIV, ir.Literal(1.0), value, type=Type(Kind.FLOAT))


def _with_signs(value: ir.Expr, free: Iterator[str]) -> ir.Expr:
    """A list or map with pairs in the place of floats, which tell -0.0 from 0.0."""
    match value:
        case _ if kind_of(value) is Kind.FLOAT:
            return ir.ListOf((value, _reciprocal(value)))
        case ir.ListOf(items=items):
            return replace(value, items=tuple(_with_signs(item, free) for item in items))
        case ir.MapOf(entries=entries):
            given = (replace(each, value=_with_signs(each.value, free)) for each in entries)
            return replace(value, entries=tuple(given))
    if kind_of(value) is not Kind.LIST or value.type.item is None:
        return value
    item = ir.Var(next(free), type=value.type.item)
    made = _with_signs(item, free)
    return value if made is item else ir.ListComp(item.name, value, result=made, type=value.type)


def _without_nan(node: ir.Union, nans: frozenset[str]) -> ir.Union:
    """The union, whose columns fail where they are NaN: how many of it there are would be lost."""

    def change(query: ir.Query) -> ir.Query:
        last = query.clauses[-1]
        if not isinstance(last, ir.Project) or last.group is not None or last.distinct:
            return query
        items = tuple(
            replace(item, expr=no_nan(item.expr)) if may_be_nan(item.expr, nans) else item
            for item in last.items
        )
        return replace(query, clauses=(*query.clauses[:-1], replace(last, items=items)))

    left = node.left if isinstance(node.left, ir.Union) else change(node.left)
    return replace(node, left=left, right=change(node.right))


def _united(node: ir.Union, free: Iterator[str], offsets: _Offsets) -> ir.Statement:
    sides = _sides(node)
    lasts = [side.clauses[-1] for side in sides]
    projects = [last for last in lasts if isinstance(last, ir.Project)]
    columns = [item for last in projects for item in last.items]
    names = {i.alias for i in columns if _is_zoned(i.expr) or offsets.within(i.expr)}
    if not names or len(projects) < len(sides):
        return node
    kinds = {name: {kind_of(i.expr) for i in columns if i.alias == name} for name in names}
    texts = {
        name: own_kind
        for name in names
        for own_kind in OFFSETS
        if kinds[name] <= {own_kind, Kind.NULL}
    }
    apart_by = {name: next(free) for name in sorted(names - set(texts))}

    def change(statement: ir.Statement) -> ir.Statement:
        if isinstance(statement, ir.Union):
            left, right = change(statement.left), change(statement.right)
            assert isinstance(right, ir.Query)  # noqa: S101 # a side stays one
            return replace(statement, left=left, right=right)
        last = statement.clauses[-1]
        assert isinstance(last, ir.Project)  # noqa: S101 # looked at above
        values = {i.alias: ir.Var(i.alias, type=i.expr.type) for i in last.items}
        own_columns = [
            ir.Item(_printed(value) if name in texts else value, name)
            for name, value in values.items()
        ]
        own_columns += [ir.Item(_offsets_of(values[n]), hidden) for n, hidden in apart_by.items()]
        inner = replace(last, final=False)
        outer = ir.Project(tuple(own_columns), final=True)
        return replace(statement, clauses=(*statement.clauses[:-1], inner, outer))

    items = tuple(
        ir.Item(
            _read(ir.Var(i.alias, type=_STRING), texts[i.alias])
            if i.alias in texts
            else ir.Var(i.alias),
            i.alias,
        )
        for i in projects[0].items
    )
    return ir.Query((ir.Subquery(change(node), ()), ir.Project(items, final=True)))


def _sides(node: ir.Statement) -> list[ir.Query]:
    if isinstance(node, ir.Union):
        return [*_sides(node.left), node.right]
    return [node]
