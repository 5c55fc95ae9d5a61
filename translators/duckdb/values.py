"""Values: literals, conversions between representations, elements and their properties."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.catalog import ID, Catalog, Field
from translators.duckdb.names import ident, text
from translators.duckdb.sql import Binding, Element, Hopping, PathBinding, Sql, Value
from translators.duckdb.types import (
    ANY,
    BOOLEAN,
    FINE,
    FLOAT,
    INTEGER,
    NULL,
    SCALARS,
    STRING,
    T,
    list_of,
)

if TYPE_CHECKING:
    from translators.duckdb.compiler import Compiler

TRUE = Sql("true", BOOLEAN, null=False)
FALSE = Sql("false", BOOLEAN, null=False)
NOTHING = Sql("NULL", NULL)
_AS_TEXT = {
    Kind.ZONED_DATETIME: "cy_parse_zoned",
    Kind.ZONED_TIME: "cy_parse_zoned_time",
    Kind.DURATION: "cy_parse_span",
}


def literal(value: bool | int | float | str | None) -> Sql:
    """A constant; the text alone makes DuckDB see the right type."""
    match value:
        case None:
            return NOTHING
        case bool():
            return TRUE if value else FALSE
        case int():
            if not -(2**63) <= value < 2**63:
                raise Refused("integer-range", str(value), "Integers have 64 bits.")
            return Sql(str(value), INTEGER, atom=value >= 0, null=False, literal=True)
        case float():
            return _float(value)
        case str():
            return Sql(text(value), STRING, null=False)


def _float(value: float) -> Sql:
    if math.isnan(value):
        return Sql("'NaN'::DOUBLE", T(Kind.FLOAT, nan=True), null=False)
    if math.isinf(value):
        return Sql("'Infinity'::DOUBLE" if value > 0 else "'-Infinity'::DOUBLE", FLOAT, null=False)
    shown = repr(value)
    return Sql(shown if "e" in shown else shown + "e0", FLOAT, atom=value >= 0, null=False)


def duck(catalog: Catalog, of: T) -> str:
    """DuckDB's name of the type that stores `of`."""
    match of.kind:
        case Kind.LIST:
            return f"{duck(catalog, of.item or ANY)}[]"
        case Kind.NODE | Kind.EDGE:
            fields = [f"{ident(ID)} BIGINT"]
            fields += [f"{ident(f.name)} {duck(catalog, f.type)}" for f in catalog.layout(of)]
            return f"STRUCT({', '.join(fields)})"
        case Kind.PATH | Kind.MAP:
            inner = ", ".join(f"{ident(n)} {duck(catalog, t)}" for n, t in of.fields)
            return f"STRUCT({inner})"
        case Kind.NULL:
            return "INTEGER"
        case Kind.ANY:
            return "JSON"
    if of.fine:
        return FINE[of.kind]
    if of.kind in SCALARS:
        return SCALARS[of.kind]
    raise Refused("type", of.kind.value, f"DuckDB has no exact form of {of.kind.value} values.")


def pack(fields: list[tuple[str, str]]) -> str:
    """A struct of (name, text) pairs."""
    return "struct_pack(" + ", ".join(f"{ident(n)} := {t}" for n, t in fields) + ")"


def null_of(catalog: Catalog, of: T) -> str:
    """NULL with the type of `of`."""
    return "NULL" if of.kind is Kind.NULL else f"NULL::{duck(catalog, of)}"


def identity(catalog: Catalog, bound: Element | Value) -> Sql:
    """The identity of a node or edge."""
    if isinstance(bound, Value):
        return Sql(f"{bound.sql.operand}.{ident(ID)}", INTEGER)
    if not bound.base:
        return Sql(f"{bound.alias}.{ident(ID)}", INTEGER, null=False)
    shown = catalog.identity(bound.type.kind, bound.type.of[0], f"{bound.alias}.rowid")
    return Sql(shown, INTEGER, atom=" " not in shown, null=False)


def field_of(catalog: Catalog, bound: Element | Value, field: Field) -> Sql:
    """One field of an element's layout."""
    if isinstance(bound, Value):
        return Sql(f"{bound.sql.operand}.{ident(field.name)}", field.type)
    if not bound.base:
        return Sql(f"{bound.alias}.{ident(field.name)}", field.type)
    found = catalog.column(bound.type.kind, bound.type.of[0], field.key)
    if found is None:
        return Sql(null_of(catalog, field.type), field.type)
    return Sql(stored(catalog, f"{bound.alias}.{found[0]}", field.type), field.type)


def stored(catalog: Catalog, column: str, of: T) -> str:
    """A stored value: what Parquet has no type for is text (`schemagraph.graphdata`)."""
    if of.kind is Kind.ANY:
        return f"{column}::JSON"
    if of.kind in _AS_TEXT:
        return f"{catalog.macro(_AS_TEXT[of.kind])}({column})"
    if of.kind is Kind.LIST and of.item is not None and of.item.kind in (*_AS_TEXT, Kind.ANY):
        return f"list_transform({column}, lambda _v: {stored(catalog, '_v', of.item)})"
    return column


def whole(cx: Compiler, bound: Binding) -> Sql:
    """The value of a variable as one expression."""
    match bound:
        case Value(sql):
            return sql
        case Element():
            fields = [(ID, identity(cx.catalog, bound).text)]
            fields += [
                (f.name, field_of(cx.catalog, bound, f).text) for f in cx.catalog.layout(bound.type)
            ]
            return Sql(pack(fields), bound.type, null=False)
        case Hopping():
            return hop_edges(bound)
        case PathBinding():
            return Sql(
                pack(
                    [
                        ("nodes", path_nodes(cx, bound).text),
                        ("edges", path_edges(cx, bound).text),
                    ]
                ),
                bound.type,
                null=False,
            )


def hop_edges(bound: Hopping) -> Sql:
    """The list of the edges of a variable-length pattern."""
    return Sql(f"{bound.alias}.edges", list_of(bound.type), null=False)


def path_nodes(cx: Compiler, bound: PathBinding) -> Sql:
    """The list of a path's nodes."""
    of = dict(bound.type.fields)["nodes"]
    parts: list[str | list[str]] = [[_item(cx, bound.nodes[0], of)]]
    for edge, node in zip(bound.edges, bound.nodes[1:], strict=True):
        if isinstance(edge, Hopping):
            hops = Sql(f"{edge.alias}.nodes", list_of(edge.nodes), null=False)
            parts.append(convert(cx, hops, of).text)
        else:
            _add(parts, _item(cx, node, of))
    return _joined(cx, parts, of)


def path_edges(cx: Compiler, bound: PathBinding) -> Sql:
    """The list of a path's edges."""
    of = dict(bound.type.fields)["edges"]
    parts: list[str | list[str]] = []
    for edge in bound.edges:
        if isinstance(edge, Hopping):
            parts.append(convert(cx, hop_edges(edge), of).text)
        else:
            _add(parts, _item(cx, edge, of))
    return _joined(cx, parts, of)


def _item(cx: Compiler, bound: Element | Value, of: T) -> str:
    return convert(cx, whole(cx, bound), of.item or ANY).text


def _add(parts: list[str | list[str]], item: str) -> None:
    if parts and isinstance(parts[-1], list):
        parts[-1].append(item)
    else:
        parts.append([item])


def _joined(cx: Compiler, parts: list[str | list[str]], of: T) -> Sql:
    if not parts:
        return Sql(f"[]::{duck(cx.catalog, of)}", of, atom=False, null=False)
    shown = [p if isinstance(p, str) else "[" + ", ".join(p) + "]" for p in parts]
    joined = shown[0]
    for part in shown[1:]:
        joined = f"list_concat({joined}, {part})"
    return Sql(joined, of, atom=len(shown) > 1 or "::" not in joined, null=False)


def path_length(bound: PathBinding) -> Sql:
    """The number of a path's edges."""
    fixed = sum(not isinstance(edge, Hopping) for edge in bound.edges)
    parts = [f"len({e.alias}.ids)" for e in bound.edges if isinstance(e, Hopping)]
    if fixed or not parts:
        parts.append(str(fixed))
    return Sql(" + ".join(parts), INTEGER, atom=len(parts) == 1, null=False)


def convert(cx: Compiler, sql: Sql, to: T) -> Sql:
    """`sql` in the representation of `to`, which can hold it (`unify`)."""
    of = sql.type
    if of == to or _same_form(of, to):
        return replace(sql, type=to)
    if of.kind is Kind.NULL:
        return Sql(null_of(cx.catalog, to), to)
    if to.kind is Kind.ANY:
        from translators.duckdb import dynamic

        return dynamic.tagged(cx, sql)
    if of.number and to.kind is Kind.FLOAT:
        return Sql(f"{sql.operand}::DOUBLE", to, atom=False, null=sql.null)
    if to.fine and of.kind is to.kind:
        from translators.duckdb.temporal import finer

        return finer(cx, sql)
    if of.kind is not to.kind:
        raise Refused(
            "type", of.kind.value, f"A {of.kind.value} value cannot stand for a {to.kind.value}."
        )
    if _castable(cx.catalog, of, to):
        # Structs are cast by field name; what is missing becomes NULL.
        return Sql(f"{sql.operand}::{duck(cx.catalog, to)}", to, atom=False, null=sql.null)
    if of.kind is Kind.LIST:
        name = cx.local("x")
        inner = convert(cx, Sql(name, of.item or ANY), to.item or ANY)
        made = f"list_transform({sql.text}, lambda {name}: {inner.text})"
        return Sql(made, to, null=sql.null)
    fields = []
    own = dict(parts_of(cx.catalog, of))
    for name, kind in parts_of(cx.catalog, to):
        part = Sql(f"{sql.operand}.{ident(name)}", own[name]) if name in own else NOTHING
        fields.append((name, convert(cx, part, kind).text))
    packed = pack(fields)
    if sql.null:
        packed = f"CASE WHEN {sql.operand} IS NOT NULL THEN {packed} END"
    return Sql(packed, to, atom=not sql.null, null=sql.null)


def parts_of(catalog: Catalog, of: T) -> list[tuple[str, T]]:
    """The fields of the struct that stores `of`."""
    if of.element:
        return [(ID, INTEGER), *((f.name, f.type) for f in catalog.layout(of))]
    return list(of.fields)


def _castable(catalog: Catalog, of: T, to: T) -> bool:
    if of.kind is not to.kind:
        return of.kind is Kind.NULL
    if of.kind is Kind.LIST:
        return _castable(catalog, of.item or ANY, to.item or ANY)
    if of.element or of.kind in (Kind.PATH, Kind.MAP):
        target = dict(parts_of(catalog, to))
        return all(
            name in target and _castable(catalog, kind, target[name])
            for name, kind in parts_of(catalog, of)
        )
    return _same_form(of, to) or of == to


def _same_form(of: T, to: T) -> bool:
    if of.kind is not to.kind:
        return False
    if of.kind is Kind.LIST:
        return of.item is not None and to.item is not None and _same_form(of.item, to.item)
    return of.kind in SCALARS and of.fine == to.fine
