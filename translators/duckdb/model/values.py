"""Values: literals, types in SQL, what is stored, identities and properties of elements."""

from __future__ import annotations

import math

from graph_ir.numbers import HUGE
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.model.catalog import ID, Catalog, Field
from translators.duckdb.model.names import ident, text
from translators.duckdb.model.sql import Element, Sql, Value, operation
from translators.duckdb.model.types import (
    ANY,
    BOOLEAN,
    FINE,
    INTEGER,
    NULL,
    SCALARS,
    STRING,
    T,
)

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
            return Sql(_signed(str(value)), INTEGER, null=False, literal=True)
        case float():
            return _float(value)
        case str():
            return Sql(text(value), STRING, null=False)


def _float(value: float) -> Sql:
    if math.isnan(value):
        return Sql("'NaN'::DOUBLE", T(Kind.FLOAT, nan=True), null=False)
    if math.isinf(value):
        of = T(Kind.FLOAT, infinite=True)
        return Sql("'Infinity'::DOUBLE" if value > 0 else "'-Infinity'::DOUBLE", of, null=False)
    shown = repr(value)
    of = T(Kind.FLOAT, infinite=abs(value) >= HUGE)
    return Sql(_signed(shown if "e" in shown else shown + "e0"), of, null=False)


def _signed(number: str) -> str:
    return operation(number) if number[0] == "-" else number


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
    return Sql(operation(shown) if " " in shown else shown, INTEGER, null=False)


def field_of(catalog: Catalog, bound: Element | Value, field: Field) -> Sql:
    """One field of an element's layout."""
    if isinstance(bound, Value):
        return Sql(f"{bound.sql.operand}.{ident(field.name)}", field.type)
    if not bound.base:
        return Sql(f"{bound.alias}.{ident(field.name)}", field.type)
    column = catalog.column(bound.type.kind, bound.type.of[0], field.key)
    if column is None:
        return Sql(null_of(catalog, field.type), field.type)
    return Sql(stored(catalog, f"{bound.alias}.{column[0]}", field.type), field.type)


def stored(catalog: Catalog, column: str, of: T) -> str:
    """A stored value: what Parquet has no type for is text (`schemagraph.folder.graphdata`)."""
    if of.kind is Kind.ANY:
        return f"{column}::JSON"
    if of.kind in _AS_TEXT:
        return f"{catalog.macro(_AS_TEXT[of.kind])}({column})"
    if of.kind is Kind.LIST and of.item is not None and of.item.kind in (*_AS_TEXT, Kind.ANY):
        return f"list_transform({column}, lambda _cy_v: {stored(catalog, '_cy_v', of.item)})"
    return column
