"""Values as the type that GoogleSQL gives them where several meet ("Conversion rules").

Of INT64 and FLOAT64 the common type is FLOAT64: integers are converted. A text literal beside a
DATE or a TIMESTAMP is one itself. Cypher mixes numbers, and finds a date beside a text null.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.rewrites import sum_or_null
from graph_ir.temporal.utc import in_utc
from graph_ir.walk import find, rewrite
from graphmill.errors import Refused, Span
from schemagraph.model import NUMERIC, EdgeType, Kind, NodeType, SchemaGraph, Type
from translators.gql.emit.clauses import branches
from translators.gql.emit.values import kind_of
from translators.gql.spanner.reading import instants

MOMENTS = frozenset((Kind.DATETIME, Kind.ZONED_DATETIME))
_INSTANTS = MOMENTS | {Kind.DATE}
_OPEN = frozenset((Kind.ANY, Kind.NULL))

type Parts = tuple[ir.Expr, ...]


def coerced(statement: ir.Statement, schema: SchemaGraph | None) -> ir.Statement:
    """`statement`, bound, with every value as what GoogleSQL makes of it.

    Raises:
        Refused: a text is no date or timestamp, or values have no type in common.
    """
    while True:
        typed = bind(statement, schema).statement
        statement = rewrite(typed, lambda node: _coerced(node, schema))
        if statement is typed:  # what was converted may convert what is made of it
            return typed


def as_float(value: ir.Expr) -> ir.Expr:
    """An integer as FLOAT64; a constant as one that is written so."""
    match value:
        case ir.Literal(int(number)) if not isinstance(number, bool):
            return ir.Literal(float(number), span=value.span)
        case ir.Neg(ir.Literal() as arg):
            return replace(value, arg=as_float(arg))
    return ir.Call("toFloat", (value,), span=value.span)


def is_sum(value: ir.Expr) -> bool:
    """Whether it is `COALESCE(SUM(x), 0)`, which is sum(x) of Cypher."""
    match value:
        case ir.Call(name="coalesce", args=(total, ir.Literal(0))):
            return sum_or_null(total) is not None
    return False


def without_zone(value: ir.Expr) -> ir.Expr:
    """A constant moment as one without zone, in UTC; any other value as it is."""
    match value:
        case ir.Call(name="datetime", args=(ir.Literal(str(text)),)):
            local = in_utc(text)
            return ir.Call("localdatetime", (ir.Literal(local),), span=value.span)
    return value


def _coerced(node: ir.Node, schema: SchemaGraph | None) -> ir.Node:
    match node:
        case ir.Compare(left=left, right=right):
            first, second = _instants((left, right), node.op.value, node.span)
            if first is not left or second is not right:
                return replace(node, left=first, right=second)
        case ir.In(item, ir.ListOf(items) as listed):
            first, *others = _instants((item, *items), "IN", node.span)
            if first is not item or _changed(items, others):
                return replace(node, item=first, list=replace(listed, items=tuple(others)))
        case ir.In(item, listed) if listed.type.item is not None:
            _instants((item, ir.Var("", type=listed.type.item)), "IN", node.span)
        case ir.Case():
            return _case(node)
        case ir.Call(name="coalesce" | "nullIf", args=args) if not is_sum(node):
            parts = _one_type(args, node.name, node.span)
            return replace(node, args=parts) if _changed(args, parts) else node
        case ir.Text(left=left, right=right):
            kinds = {kind_of(left), kind_of(right)} - _OPEN
            if not kinds <= {Kind.STRING}:
                names = " and ".join(sorted(kinds))
                raise Refused("type", node.op.value, f"GoogleSQL looks in no {names}.", node.span)
        case ir.Arith(ir.ArithOp.ADD, left, right):
            _joinable(node, {kind_of(left), kind_of(right)} - _OPEN)
        case ir.Call(name="duration.inDays", args=args):
            day = ir.Var("", type=Type(Kind.DATE))
            parts = _instants((*args, day), "DATE_DIFF", node.span)[:-1]
            return replace(node, args=parts) if _changed(args, parts) else node
        case ir.ListOf(items):
            parts = _one_type(items, "[ ]", node.span)
            return replace(node, items=parts) if _changed(items, parts) else node
        case ir.NodePattern(props=ir.MapOf() as asked) | ir.EdgePattern(props=ir.MapOf() as asked):
            entries = tuple(_entry(entry, node.type, schema) for entry in asked.entries)
            if _changed(asked.entries, entries):
                return replace(node, props=replace(asked, entries=entries))
        case ir.Union():
            return _united(node)
    return node


def _joinable(node: ir.Arith, kinds: set[Kind]) -> None:
    """Refuse `||` of a text and a value that is none, which Cypher prints.

    Raises:
        Refused
    """
    if Kind.STRING in kinds and len(kinds) > 1 and Kind.LIST not in kinds:
        names = " and ".join(sorted(kinds))
        raise Refused("type", "||", f"GoogleSQL does not join {names}: CAST one.", node.span)


def _changed(before: Sequence[ir.Node], after: Sequence[ir.Node]) -> bool:
    return any(one is not other for one, other in zip(before, after, strict=True))


def _case(node: ir.Case) -> ir.Case:
    if node.operand is not None:
        tests = tuple(when.condition for when in node.whens)
        operand, *others = _instants((node.operand, *tests), "CASE", node.span)
        if operand is not node.operand or _changed(tests, others):
            tested = zip(node.whens, others, strict=True)
            changed = tuple(replace(when, condition=test) for when, test in tested)
            node = replace(node, operand=operand, whens=changed)
    results = tuple(when.result for when in node.whens)
    values = results if node.default is None else (*results, node.default)
    parts = _one_type(values, "CASE", node.span)
    if not _changed(values, parts):
        return node
    whens = tuple(replace(when, result=part) for when, part in zip(node.whens, parts, strict=False))
    return replace(node, whens=whens, default=None if node.default is None else parts[-1])


def _one_type(parts: Parts, what: str, span: Span | None) -> Parts:
    """Values of one expression in the type that they have in common.

    Raises:
        Refused: they have none, or none that Cypher has.
    """
    parts = _instants(parts, what, span)
    kinds = {kind_of(part) for part in parts}
    if kinds >= NUMERIC:
        return tuple(as_float(p) if kind_of(p) is Kind.INTEGER else p for p in parts)
    items = {p.type.item.kind for p in parts if kind_of(p) is Kind.LIST and p.type.item}
    if items >= NUMERIC:
        raise Refused("mixed-numbers", what, "Arrays of INT64 and of FLOAT64 meet.", span)
    return parts


def _instants(parts: Parts, what: str, span: Span | None) -> Parts:
    """Values that meet, of which texts beside dates and moments are such ones.

    Raises:
        Refused: a text is none, or a value is of a type that GoogleSQL has nothing in common with.
    """
    kinds = {kind_of(part) for part in parts} - _OPEN
    moments = kinds & _INSTANTS
    if not moments or len(kinds) == 1:
        return parts
    wanted = Kind.DATE if moments == {Kind.DATE} else Kind.DATETIME
    local = Kind.DATETIME in moments
    made: list[ir.Expr] = []
    for part in parts:
        if isinstance(part, ir.Literal) and isinstance(part.value, str):
            part = instants.constant(wanted, part.value, part.span or span)
        made.append(without_zone(part) if local else part)
    kinds = {kind_of(part) for part in made} - _OPEN
    if kinds == MOMENTS:
        raise Refused("stored-offset", what, "Moments with a zone and without meet.", span)
    if len(kinds) > 1:
        names = " and ".join(sorted(kinds))
        raise Refused("type", what, f"GoogleSQL has no type for {names}.", span)
    return tuple(made)


def _entry(entry: ir.Entry, owner: Type, schema: SchemaGraph | None) -> ir.Entry:
    """One property that a pattern asks for, in its stored type."""
    types: list[NodeType | EdgeType] = []
    if schema is not None:
        types += [*schema.nodes, *schema.edges]
    kinds = {
        prop.type.kind
        for each in types
        if not owner.of or each.name in owner.of
        for prop in each.properties
        if prop.name == entry.key
    }
    if len(kinds) != 1:
        return entry
    stored = ir.Var("", type=Type(kinds.pop()))
    value = _instants((entry.value, stored), entry.key, entry.span)[0]
    return entry if value is entry.value else replace(entry, value=value)


def _united(node: ir.Union) -> ir.Union:
    """A UNION whose columns have one type each."""
    lasts = [query.clauses[-1] for query in branches(node)]
    if not all(isinstance(last, ir.Project) for last in lasts):
        return node
    rows = [{item.alias: item.expr for item in last.items} for last in lasts]  # type: ignore[union-attr]
    if any(row.keys() != rows[0].keys() for row in rows):
        return node
    for name in rows[0]:
        column = tuple(row[name] for row in rows)
        for row, value in zip(rows, _one_type(column, "UNION", node.span), strict=True):
            row[name] = value
    return _with_columns(node, rows)


def _with_columns(node: ir.Union, rows: list[dict[str, ir.Expr]]) -> ir.Union:
    right = _with_values(node.right, rows.pop())
    left: ir.Statement
    if isinstance(node.left, ir.Union):
        left = _with_columns(node.left, rows)
    else:
        left = _with_values(node.left, rows.pop())
    if left is node.left and right is node.right:
        return node
    return replace(node, left=left, right=right)


def _with_values(query: ir.Query, row: dict[str, ir.Expr]) -> ir.Query:
    *before, last = query.clauses
    if not isinstance(last, ir.Project):
        return query
    items = tuple(replace(item, expr=row[item.alias]) for item in last.items)
    if not _changed([i.expr for i in last.items], [i.expr for i in items]):
        return query
    plain = not (last.distinct or last.order or last.group is not None)
    if plain and not any(next(find(item.expr, ir.Agg), None) for item in last.items):
        return replace(query, clauses=(*before, replace(last, items=items)))
    # Rows are told apart, grouped and ordered by what they are before.
    converted = tuple(
        old if new.expr is old.expr else replace(old, expr=_of_column(old, new.expr))
        for old, new in zip(last.items, items, strict=True)
    )
    shown = tuple(
        item if item.expr is not old.expr else replace(item, expr=ir.Var(item.alias))
        for item, old in zip(converted, last.items, strict=True)
    )
    given = replace(last, final=False)
    return replace(query, clauses=(*before, given, ir.Project(shown, final=True, span=last.span)))


def _of_column(item: ir.Item, converted: ir.Expr) -> ir.Expr:
    """The conversion of a column's value, said of the column."""
    match converted:
        case ir.Call(name="toFloat", args=(value,)) if value is item.expr:
            return ir.Call("toFloat", (ir.Var(item.alias),), span=item.span)
    return converted  # a constant
