"""WITH and RETURN: columns by `project`, order with Cypher's place of null, windows.

A WITH without DISTINCT and aggregates takes no step: its expressions are computed where they are
read. An entry that a row's map lacks is null.
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, substitute, whole_number
from graph_ir.variables import read_names
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, Kind
from translators.gremlin.groups import grouped
from translators.gremlin.keys import one_float, refuse_mixed
from translators.gremlin.reductions import SHOWN_IN_MAPS, Reduction
from translators.gremlin.rows import NOT_NULL, Binding, Compiler, Rows, inline
from translators.gremlin.steps.text import Label, Raw, Step, Traversal, by, select, step
from translators.gremlin.walks import told_by

_SORTED = frozenset(
    {*NUMERIC, Kind.STRING, Kind.BOOLEAN, Kind.DATE, Kind.DATETIME, Kind.TIME, Kind.NULL}
)


def project(cx: Compiler, node: ir.Project, rows: Rows) -> None:
    """Append a WITH, or a RETURN.

    Raises:
        Refused: there is no exact form of it.
    """
    rows.begin()
    items = node.items
    if len({item.alias for item in items}) < len(items):
        raise Refused("unsupported", "RETURN", "Two columns have one name.", node.span)
    shown: dict[ir.Expr, ir.Expr] = {
        item.expr: ir.Var(item.alias, type=item.expr.type) for item in items
    }
    old = dict(rows.vars)
    shaped = False
    if any(aggregates(item.expr) for item in items) or node.group is not None:
        hidden, names = grouped(cx, node, rows)
        columns = rows.vars
        if node.distinct:
            for item in items if node.group else ():  # without keys there is one row
                refuse_mixed(cx, item.expr)
            columns = _row(cx, items, rows, key=True)
            shaped = True
        else:
            shown = {**names, **shown}
        rows.vars = {**hidden, **columns}
    elif node.distinct:
        columns = {item.alias: _binding(cx, item.expr, rows) for item in items}
        rows.vars = {**old, **columns}
        columns, shaped = _distinct(cx, items, rows)
        rows.vars = dict(columns)
    else:
        columns = {item.alias: _binding(cx, item.expr, rows) for item in items}
        rows.vars = {**old, **columns}
        shown = {}
        if _shows_first(node):
            rows.vars = columns = _row(cx, items, rows)
            shaped = True
    named = {ir.Var(item.alias) for item in items}  # which in a sort key are the columns
    shown = {expr: column for expr, column in shown.items() if expr not in named}
    order = tuple(substitute(key, shown) for key in node.order)
    _arrange(cx, replace(node, order=order), rows)
    rows.vars = {name: rows.vars[name] for name in columns}
    if node.final and not shaped:
        _row(cx, items, rows, bare=not rows.inner)


def _shows_first(node: ir.Project) -> bool:
    """Whether columns by which rows are ordered or dropped are long to work out."""
    reads = [*node.order, *([node.where] if node.where is not None else [])]
    names = read_names(*reads)
    made = {item.alias: item.expr for item in node.items}
    if not node.final or not names <= made.keys():
        return False
    return any(isinstance(made[name], Reduction) for name in names)


def _window_before(rows: Rows) -> tuple[int, int | None]:
    """The first row and the end of a window right before this, which goes into the one that
    follows: TinkerGraph refuses skip() after skip(), and of two windows and a third behind
    another step it makes one."""
    match rows.steps:
        case [*_, Step("skip" | "limit" | "range" as name, args)] if Raw("local") not in args:
            rows.steps.pop()
            numbers = [int(each.text) for each in args if isinstance(each, Raw)]
            if name == "skip":
                return numbers[0], None
            return (0, numbers[0]) if name == "limit" else (numbers[0], numbers[1])
    return 0, None


def _arrange(cx: Compiler, node: ir.Project, rows: Rows) -> None:
    """Order, window and filter; what they read is in scope."""
    if node.order:
        rows.add(step("order"))
        tested: set[ir.Expr] = set()
        for key in node.order:
            rows.add(*_sorted(cx, key, rows, apart=key.expr in tested))
            if isinstance(key.expr, ir.IsNull):
                tested.add(key.expr.arg)
    skip, limit = _number(node.skip), _number(node.limit)
    if skip or limit is not None:
        first, end = _window_before(rows)
        skip = first + (skip or 0)
        ends = [each for each in (end, None if limit is None else skip + limit) if each is not None]
        if not ends:
            rows.add(step("skip", str(skip)))
        elif 0 < skip < min(ends):
            rows.add(step("range", str(skip), str(min(ends))))
        else:
            rows.add(step("limit", str(max(0, min(ends) - skip))))
    if node.where is not None:
        rows.add(*cx.truth(node.where, rows))


def _sorted(cx: Compiler, key: ir.SortKey, rows: Rows, *, apart: bool) -> Traversal:
    """One sort key: nulls last ascending and first descending, as Cypher has them.

    With `apart` a key before has told nulls from what is there.
    """
    kind = key.expr.type.kind
    if kind is Kind.ANY and cx.schema is None and _plain(key.expr):
        cx.caveat("dynamic-value", "order", "The values that are ordered are of one type.")
    elif kind not in _SORTED:
        raise Refused("order", "ORDER BY", "Gremlin orders these values otherwise.", key.span)
    own = cx.value(key.expr, rows)
    order = ("desc",) if key.descending else ()
    if not cx.nullable(key.expr, rows):
        return (by(own, *order),)
    null, there = ("0", "1") if key.descending else ("1", "0")
    constant = (step("constant", there),)
    first = Step("choose", ((*own,), constant, (step("constant", null),))) if own else None
    if first is None:
        return (by(own, *order),)
    value = Step("coalesce", (own, (step("constant", "null"),)))
    return (by((value,), *order),) if apart else (by((first,)), by((value,), *order))


def _plain(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Prop | ir.Var)


def _number(expr: ir.Expr | None) -> int | None:
    """The number of rows that SKIP or LIMIT says.

    Raises:
        Refused: it is no constant.
    """
    if expr is None:
        return None
    number = whole_number(expr)
    if number is None or number < 0:
        raise Refused("limit", "LIMIT", "The number of rows is no constant.", expr.span)
    return number


def _binding(cx: Compiler, expr: ir.Expr, rows: Rows) -> Binding:
    """How a projected expression is reached: as the variable that it is, or computed anew."""
    if isinstance(expr, ir.Var) and expr.name in rows.vars:
        return rows.vars[expr.name]
    scope = Rows(dict(rows.vars), "", [], inner=True)
    return Binding((), expr.type, cx.nullable(expr, rows), computed=expr, scope=scope)


def _distinct(
    cx: Compiler, items: tuple[ir.Item, ...], rows: Rows
) -> tuple[dict[str, Binding], bool]:
    """Rows once each: how their columns are reached, and whether a map of them is current."""
    node = told_by([item.expr for item in items], cx.schema)
    known = rows.vars.get(node.name) if node is not None else None
    if node is not None and known is not None and known.label and not known.nullable:
        # one node, one row: it is told by its key
        rows.add(*(() if rows.here == known.label else (select(known.label),)), step("dedup"))
        rows.here = known.label
        return {item.alias: rows.vars[item.alias] for item in items}, False
    for item in items:
        refuse_mixed(cx, item.expr)
    if len(items) > 1 or cx.nullable(ir.Var(items[0].alias), rows):
        return _row(cx, items, rows, key=True), True
    (item,) = items
    label = cx.fresh(_name(item.alias))
    own = one_float(item.expr, _of(cx, item.alias, rows))
    rows.add(*inline(own), step("dedup"))
    rows.move(label)
    kind = item.expr.type
    return {item.alias: Binding((select(label),), kind, nullable=False, label=label)}, False


def _name(alias: str) -> str:
    return alias if alias.isidentifier() else "row"


def _of(cx: Compiler, alias: str, rows: Rows) -> Traversal:
    return cx.value(ir.Var(alias), rows)


def _row(
    cx: Compiler,
    items: tuple[ir.Item, ...],
    rows: Rows,
    *,
    key: bool = False,
    bare: bool = False,
) -> dict[str, Binding]:
    """Make a map of the columns the current object; `key`: each once.

    With `bare`, a single column that is never null and no map becomes the object itself.
    """
    if bare and len(items) == 1 and _is_bare(cx, items[0], rows):
        rows.add(*inline(_of(cx, items[0].alias, rows)))
        return rows.vars
    parts = []
    for item in items:
        own = _shown(cx, item.alias, rows, told_apart=key)
        other = item.alias in cx.labels and rows.vars[item.alias].label != item.alias
        if cx.nullable(ir.Var(item.alias), rows):
            if cx.merged is not None:
                cx.merged.setdefault(item.alias, set()).add(other)
            if other:
                # without the key `select` would take the label of that name
                own = (Step("coalesce", (own, (step("constant", "null"),))),)
        parts.append(by(one_float(item.expr, own) if key else own))
    label = cx.fresh("row")
    once = (step("dedup"),) if key else ()
    made = {}
    for item in items:
        kind, nullable = item.expr.type, cx.nullable(ir.Var(item.alias), rows)
        path = (select(label), Step("select", (Label(item.alias),)))
        made[item.alias] = Binding(path, kind, nullable, explicit=True)
    rows.move(label, Step("project", tuple(Label(i.alias) for i in items)), *parts, *once)
    rows.vars = dict(made)
    return made


def _is_bare(cx: Compiler, item: ir.Item, rows: Rows) -> bool:
    if item.expr.type.kind in SHOWN_IN_MAPS:
        return False
    return not cx.nullable(ir.Var(item.alias), rows)


def _shown(cx: Compiler, alias: str, rows: Rows, *, told_apart: bool) -> Traversal:
    """The value for a column, where null may be an object as well as absent: but not one in a row
    and the other in the next, where rows are told apart."""
    own = _of(cx, alias, rows)
    known = rows.vars[alias]
    if cx.merged is not None or (told_apart and not known.label):
        return own
    return own[:-1] if known.explicit and own and own[-1] == NOT_NULL else own
