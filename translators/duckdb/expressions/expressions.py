"""Expressions that are no conditions: variables, properties, arithmetic, CASE, lists, maps."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import TEMPORAL, Kind
from translators.duckdb.expressions import dynamic, numbers
from translators.duckdb.expressions.bindings import whole
from translators.duckdb.expressions.compare import UNKNOWN, equal
from translators.duckdb.expressions.conversion import common, convert
from translators.duckdb.expressions.logic import truth
from translators.duckdb.expressions.slots import property_of
from translators.duckdb.expressions.temporal.arithmetic import temporal_arithmetic
from translators.duckdb.expressions.temporal.components import component
from translators.duckdb.expressions.texts import as_text
from translators.duckdb.model import tags, values
from translators.duckdb.model.compiler import Compiler, Emits
from translators.duckdb.model.constants import constant
from translators.duckdb.model.names import ident
from translators.duckdb.model.sql import (
    MINUS,
    OPERATORS,
    Element,
    Hopping,
    PathBinding,
    Scope,
    Sql,
    Value,
    composed,
)
from translators.duckdb.model.types import (
    ANY,
    FLOAT,
    INTEGER,
    NULL,
    STRING,
    T,
    list_of,
    unify_items,
)

EMITS = Emits()


@EMITS.of(ir.Var)
def _var(cx: Compiler, node: ir.Var, scope: Scope) -> Sql:
    bound = scope.env.get(node.name)
    if bound is None:
        raise Refused("scope", node.name, f"Variable {node.name} is not in scope.", node.span)
    return whole(cx, bound)


@EMITS.of(ir.Literal)
def _literal(cx: Compiler, node: ir.Literal, scope: Scope) -> Sql:
    return values.literal(node.value)


@EMITS.of(ir.Param)
def _param(cx: Compiler, node: ir.Param, scope: Scope) -> Sql:
    raise Refused(
        "parameter",
        f"${node.name}",
        "SQL needs the value of a parameter: give it in the line's `parameters`.",
        node.span,
    )


@EMITS.of(ir.Prop)
def _prop(cx: Compiler, node: ir.Prop, scope: Scope) -> Sql:
    if isinstance(node.base, ir.Var):
        bound = scope.env.get(node.base.name)
        if isinstance(bound, Element):
            return property_of(cx, bound, node.key)
    folded = constant(node, scope)
    return folded or part(cx, cx.expr(node.base, scope), node.key, node)


def part(cx: Compiler, base: Sql, key: str, node: ir.Expr) -> Sql:
    """`base.key` of a value."""
    of = base.type
    if of.element:
        return property_of(cx, Value(base), key)
    if of.kind is Kind.NULL:
        return values.NOTHING
    if of.kind is Kind.MAP:
        field_type = dict(of.fields).get(key)
        return Sql(f"{base.operand}.{ident(key)}", field_type) if field_type else values.NOTHING
    if of.kind is Kind.ANY:
        return tags.entry(cx, base, key)
    if of.kind in TEMPORAL:
        return component(cx, base, key, node)
    raise Refused("type", key, f"A {of.kind.value} value has no part '{key}'.", node.span)


# --- arithmetic ------------------------------------------------------------------------------


@EMITS.of(ir.Arith)
def _arith(cx: Compiler, node: ir.Arith, scope: Scope) -> Sql:
    folded = constant(node, scope)
    if folded is not None:
        return folded
    a, b = cx.expr(node.left, scope), cx.expr(node.right, scope)
    return arithmetic(cx, node.op, a, b, node)


def arithmetic(cx: Compiler, op: ir.ArithOp, a: Sql, b: Sql, node: ir.Expr) -> Sql:
    """A binary operator on two values."""
    kinds = {a.type.kind, b.type.kind}
    if a.type.number and b.type.number:
        return _numeric(cx, op, a, b, node)
    if op is ir.ArithOp.ADD and Kind.LIST in kinds:
        return _add_list(cx, a, b)
    if Kind.NULL in kinds:
        return values.NOTHING
    if kinds & TEMPORAL:
        return temporal_arithmetic(cx, op, a, b, node)
    if Kind.ANY in kinds:
        return dynamic.arithmetic(cx, op, a, b, node)
    if op is ir.ArithOp.ADD and Kind.STRING in kinds:
        shown = [_piece(cx, side, node) for side in (a, b)]
        return Sql(OPERATORS["||"](*shown), STRING, null=a.null or b.null)
    raise Refused(
        "type",
        op.value,
        f"{a.type.kind.value} {op.value} {b.type.kind.value} has no meaning.",
        node.span,
    )


def _piece(cx: Compiler, sql: Sql, node: ir.Expr) -> str:
    return sql.operand if sql.type.kind is Kind.STRING else as_text(cx, sql, node).operand


def _numeric(cx: Compiler, op: ir.ArithOp, a: Sql, b: Sql, node: ir.Expr) -> Sql:
    integers = a.type.kind is b.type.kind is Kind.INTEGER
    null = a.null or b.null
    if op in (ir.ArithOp.DIV, ir.ArithOp.POW, ir.ArithOp.MOD) and not integers:
        _no_mixed(a, b, node)
    left, right = a.operand, b.operand
    if a.short and b.short:
        left = f"{left}::BIGINT"
    if op is ir.ArithOp.POW:
        return Sql(f"pow({a.text}, {b.text})", T(Kind.FLOAT, nan=True), null=null)
    if integers and numbers.constant(b) == -1:
        # -2^63 over -1 is itself in Java, and an error in DuckDB.
        if op is ir.ArithOp.MOD:
            right = "1"
        elif op is ir.ArithOp.DIV:
            quotient = OPERATORS["//"](left, right)
            least = f"({-(2**63)})::BIGINT"
            return Sql(
                f"(CASE WHEN {left} = {least} THEN {least} ELSE {quotient} END)", INTEGER, null=null
            )
    if op is ir.ArithOp.DIV and integers:
        return Sql(OPERATORS["//"](left, right), INTEGER, null=null)
    if integers:
        return Sql(OPERATORS[op](left, right), INTEGER, null=null)
    if op is ir.ArithOp.DIV and b.type.kind is Kind.INTEGER and not _divides(node):
        # The integer 0 is an error, 0.0 is none.
        none = f" AND {left} IS NOT NULL" if a.null else ""
        right = f"(CASE WHEN {right} = 0{none} THEN error('/ by zero') ELSE {right} END)"
    mixed, nothing = _wholeness(op, a.type, b.type)
    of = T(
        Kind.FLOAT,
        mixed=mixed,
        nothing=nothing,
        nan=a.type.nan or b.type.nan or _makes_nan(op, a, b, node),
        infinite=a.type.infinite or b.type.infinite,
    )
    return Sql(OPERATORS[op](left, right), of, null=null)


def _makes_nan(op: ir.ArithOp, a: Sql, b: Sql, node: ir.Expr) -> bool:
    """Whether NaN may come out of floats that are numbers; `infinite` ones may be any."""
    infinite = a.type.infinite, b.type.infinite
    match op:
        case ir.ArithOp.DIV | ir.ArithOp.MOD:
            by = node.right if isinstance(node, ir.Arith) else None
            if not isinstance(by, ir.Literal) or not by.value:
                return True
            return op is ir.ArithOp.MOD and a.type.infinite
        case ir.ArithOp.MUL:  # infinite times zero
            return any(
                own and not numbers.constant(other)
                for own, other in zip(infinite, (b, a), strict=True)
            )
    return all(infinite)


def _wholeness(op: ir.ArithOp, a: T, b: T) -> tuple[bool, bool]:
    """Whether the result may be any integer, and whether it may be the 0 of a sum of nothing."""
    mixed = a.mixed or b.mixed
    if not (a.whole and b.whole):
        return mixed, False
    adds = op in (ir.ArithOp.ADD, ir.ArithOp.SUB)
    return mixed or (adds and Kind.INTEGER in (a.kind, b.kind)), not adds or (
        a.nothing and b.nothing
    )


def _divides(node: ir.Expr) -> bool:
    """Whether a float may be divided by this integer: it is not 0, or Neo4j reckons ahead."""
    if not isinstance(node, ir.Arith):
        return False
    by = node.right.value if isinstance(node.right, ir.Literal) else None
    return bool(by) or _written(node)


def _written(node: ir.Expr) -> bool:
    """Whether numbers alone stand in an expression."""
    match node:
        case ir.Neg(arg=arg):
            return _written(arg)
        case ir.Arith(left=left, right=right):
            return _written(left) and _written(right)
    return isinstance(node, ir.Literal)


def _no_mixed(a: Sql, b: Sql, node: ir.Expr) -> None:
    """`/` and `%` of integers are not those of floats, so it must be known which it is."""
    for side, other in ((a, b), (b, a)):
        if (side.type.mixed and other.type.whole) or b.type.nothing:
            raise Refused(
                "mixed-numbers",
                "Arith",
                "Whether this divides as integers is known only when the query runs.",
                node.span,
            )


def _add_list(cx: Compiler, a: Sql, b: Sql) -> Sql:
    if Kind.ANY in (a.type.kind, b.type.kind):
        return dynamic.arithmetic(cx, ir.ArithOp.ADD, a, b, ir.Literal(None))
    if Kind.NULL in (a.type.kind, b.type.kind):
        return values.NOTHING
    items = [side.type.item if side.type.kind is Kind.LIST else side.type for side in (a, b)]
    of = list_of(unify_items(items[0] or ANY, items[1] or ANY))
    sides: list[Sql] = []
    ones: list[str] = []  # that make null of the whole
    for side in (a, b):
        if side.type.kind is Kind.LIST:
            sides.append(convert(cx, side, of))
        else:
            one = convert(cx, side, of.item or ANY)
            sides.append(Sql(f"[{one.text}]", of, null=False))
            ones += [one.operand] if one.null else []
    shown = f"list_concat({sides[0].text}, {sides[1].text})"
    guards = [*(s.operand for s in sides if s.null), *ones]
    if not guards:
        return Sql(shown, of, null=False)
    # list_concat takes NULL for an empty list.
    tests = " AND ".join(f"{g} IS NOT NULL" for g in guards)
    return Sql(f"(CASE WHEN {tests} THEN {shown} END)", of)


@EMITS.of(ir.Neg)
def _neg(cx: Compiler, node: ir.Neg, scope: Scope) -> Sql:
    folded = constant(node, scope)
    if folded is not None:
        return folded
    sql = cx.expr(node.arg, scope)
    if sql.type.kind is Kind.FLOAT:  # Neo4j takes it from 0: of 0.0 it is no -0.0
        return arithmetic(cx, ir.ArithOp.SUB, values.literal(0), sql, node)
    if sql.type.number:
        text = f"{sql.operand}::BIGINT" if sql.chosen else sql.text
        return Sql(MINUS(text), sql.type, null=sql.null)
    if sql.type.kind is Kind.NULL:
        return sql
    return arithmetic(cx, ir.ArithOp.MUL, values.literal(-1), sql, node)


# --- CASE ------------------------------------------------------------------------------------


@EMITS.of(ir.Case)
def _case(cx: Compiler, node: ir.Case, scope: Scope) -> Sql:
    results = [cx.expr(w.result, scope) for w in node.whens]
    if node.default is not None:
        results.append(cx.expr(node.default, scope))
    of = common(results)
    shown = [convert(cx, r, of) for r in results]
    operand = cx.expr(node.operand, scope) if node.operand is not None else None
    text = "CASE"
    for when, result in zip(node.whens, shown, strict=False):
        if operand is None:
            test = truth(cx, when.condition, scope)
        else:
            test = equal(cx, operand, cx.expr(when.condition, scope))
        text += f" WHEN {test.text} THEN {result.text}"
    if node.default is not None:
        text += f" ELSE {shown[-1].text}"
    null = node.default is None or any(s.null for s in shown)
    return Sql(f"{text} END", of, null=null, chosen=all(r.short for r in results))


# --- lists and maps --------------------------------------------------------------------------


@EMITS.of(ir.ListOf)
def _list(cx: Compiler, node: ir.ListOf, scope: Scope) -> Sql:
    return list_from(cx, [cx.expr(item, scope) for item in node.items])


def list_from(cx: Compiler, items: list[Sql]) -> Sql:
    """A list of values; of tagged values where their types differ."""
    of = NULL
    for item in items:
        of = unify_items(of, item.type)
    shown = [convert(cx, item, of).text for item in items]
    text = "[" + ", ".join(shown) + "]"
    if of.kind is Kind.INTEGER and all(i.short or i.type.kind is Kind.NULL for i in items):
        return composed(f"{text}::BIGINT[]", list_of(of), null=False)
    if of.kind is Kind.NULL:
        return composed(f"{text}::INTEGER[]", list_of(of), null=False)
    return Sql(text, list_of(of), null=False)


@EMITS.of(ir.MapOf)
def _map(cx: Compiler, node: ir.MapOf, scope: Scope) -> Sql:
    return map_from(cx, [(e.key, cx.expr(e.value, scope)) for e in node.entries])


def map_from(cx: Compiler, entries: list[tuple[str, Sql]]) -> Sql:
    """A map with known keys, as a struct; struct fields ignore case, tagged maps do not."""
    entries = list({key: (key, value) for key, value in entries}.values())
    keys = [key for key, _ in entries]
    if not keys or len({k.casefold() for k in keys}) < len(keys) or "" in keys:
        return dynamic.map_from(cx, entries)
    fields, kinds = [], []
    for key, value in entries:
        text = value.text
        if value.type.kind is Kind.NULL:
            text = values.null_of(cx.catalog, value.type)
        elif value.short:
            text = f"{value.operand}::BIGINT"
        fields.append((key, text))
        kinds.append((key, value.type))
    return Sql(values.pack(fields), T(Kind.MAP, fields=tuple(kinds)), null=False)


@EMITS.of(ir.MapProjection)
def _map_projection(cx: Compiler, node: ir.MapProjection, scope: Scope) -> Sql:
    entries: dict[str, Sql] = {}
    base = cx.expr(node.base, scope)
    if node.all_properties:
        if not base.type.element:
            raise Refused("map-projection", ".*", "Only elements are projected whole.", node.span)
        cx.whole_elements()
        variable = scope.env.get(node.base.name) if isinstance(node.base, ir.Var) else None
        bound = variable if isinstance(variable, Element) else Value(base)
        shown = [(e.key, cx.expr(e.value, scope)) for e in node.entries]
        return dynamic.properties(cx, bound, shown)
    for entry in node.entries:
        entries[entry.key] = cx.expr(entry.value, scope)
    made = map_from(cx, list(entries.items()))
    if not base.null:
        return made
    return Sql(f"(CASE WHEN {base.operand} IS NOT NULL THEN {made.text} END)", made.type)


_LAST_PLACE = 2**63 - 1


@EMITS.of(ir.Index)
def _index(cx: Compiler, node: ir.Index, scope: Scope) -> Sql:
    base = cx.expr(node.base, scope)
    index = cx.expr(node.index, scope)
    if Kind.NULL in (base.type.kind, index.type.kind):
        return values.NOTHING
    if isinstance(node.index, ir.Literal) and isinstance(node.index.value, str):
        return part(cx, base, node.index.value, node)
    if base.type.kind is Kind.LIST and index.type.kind is Kind.INTEGER:
        of = base.type.item or ANY
        if index.literal and not index.text.startswith("-"):
            return Sql(f"{base.operand}[{min(int(index.text) + 1, _LAST_PLACE)}]", of)
        if index.literal:
            return Sql(f"{base.operand}[{index.text}]", of)
        return Sql(f"{base.operand}[{dynamic.place_of(index)}]", of)
    return dynamic.index(cx, base, index, node)


@EMITS.of(ir.Slice)
def _slice(cx: Compiler, node: ir.Slice, scope: Scope) -> Sql:
    base = cx.expr(node.base, scope)
    bounds = [cx.expr(b, scope) if b is not None else None for b in (node.lo, node.hi)]
    if base.type.kind is Kind.ANY:
        base = tags.items(cx, base)
    if base.type.kind is Kind.NULL or any(b and b.type.kind is Kind.NULL for b in bounds):
        return values.NOTHING
    if base.type.kind is not Kind.LIST:
        raise Refused("type", "Slice", "Only lists are sliced.", node.span)
    shown = []
    for bound in bounds:
        if bound is None:
            shown.append("NULL::BIGINT")
            continue
        if bound.type.kind is Kind.ANY:
            bound = tags.integer(cx, bound)  # the same bound, converted
        known = bound.literal and abs(int(bound.text)) < 2**31
        shown.append(bound.text if known else f"{cx.macro('cy_bound')}({bound.text})")
    name = cx.macro("cy_slice")
    if any(b is not None and b.null for b in bounds):
        tests = " AND ".join(f"{b.operand} IS NOT NULL" for b in bounds if b is not None)
        text = f"(CASE WHEN {tests} THEN {name}({base.text}, {', '.join(shown)}) END)"
        return Sql(text, base.type)
    return Sql(f"{name}({base.text}, {', '.join(shown)})", base.type, null=base.null)


def items_of(cx: Compiler, sql: Sql, node: ir.Expr) -> Sql:
    """A value where a list is wanted."""
    if sql.type.kind is Kind.LIST:
        return sql
    if sql.type.kind is Kind.NULL:
        return composed("NULL::INTEGER[]", list_of(NULL))
    if sql.type.kind is Kind.ANY:
        return tags.items(cx, sql)
    raise Refused(
        "type", type(node).__name__, f"A {sql.type.kind.value} value is no list.", node.span
    )


# --- variables as paths ------------------------------------------------------------------------


def path_of(node: ir.Expr, scope: Scope) -> PathBinding | Hopping | None:
    """The path or walk that a variable is bound to, before it becomes a value."""
    bound = scope.env.get(node.name) if isinstance(node, ir.Var) else None
    return bound if isinstance(bound, PathBinding | Hopping) else None


__all__ = ["FLOAT", "UNKNOWN", "arithmetic", "items_of", "list_from", "map_from", "part", "path_of"]
