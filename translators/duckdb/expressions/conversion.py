"""A value of one type as a value of another that can hold it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.duckdb.expressions import dynamic, numbers
from translators.duckdb.expressions.temporal.forms import finer
from translators.duckdb.model import values
from translators.duckdb.model.catalog import ID, Catalog
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import ident
from translators.duckdb.model.sql import Sql, composed, operation
from translators.duckdb.model.types import ANY, INTEGER, NULL, SCALARS, T, unify

_SMALL = ("count(", "len(", "length(")  # integers of these are no larger than memory


def common(parts: Iterable[Sql]) -> T:
    """The type that holds the values of all; integers are no floats where these would round them.

    >>> common([Sql("n.v", INTEGER), Sql("0.5e0", T(Kind.FLOAT))]).kind.value
    'ANY'
    """
    given = list(parts)
    of = NULL
    for part in given:
        of = unify(of, part.type)
    if of.kind is Kind.FLOAT and any(map(_rounds, given)):
        return ANY
    return of


def _rounds(sql: Sql) -> bool:
    """Whether this is an integer that a float may not hold."""
    if sql.type.kind is not Kind.INTEGER or (sql.atom and sql.text.startswith(_SMALL)):
        return False
    number = numbers.constant(sql)
    return number is None or abs(number) > 2**53


def convert(cx: Compiler, sql: Sql, to: T) -> Sql:
    """`sql` in the representation of `to`, which can hold it (`unify`)."""
    of = sql.type
    if of == to or _same_form(of, to):
        return replace(sql, type=to)
    if of.kind is Kind.NULL:
        return Sql(values.null_of(cx.catalog, to), to)
    if to.kind is Kind.ANY:
        return dynamic.tagged(cx, sql)
    if of.number and to.kind is Kind.FLOAT:
        return composed(f"{sql.operand}::DOUBLE", to, null=sql.null)
    if to.fine and of.kind is to.kind:
        return finer(cx, sql)
    if of.kind is not to.kind:
        raise Refused(
            "type", of.kind.value, f"A {of.kind.value} value cannot stand for a {to.kind.value}."
        )
    if _castable(cx.catalog, of, to):
        # Structs are cast by field name; what is missing becomes NULL.
        return composed(f"{sql.operand}::{values.duck(cx.catalog, to)}", to, null=sql.null)
    if of.kind is Kind.LIST:
        name = cx.local("x")
        inner = convert(cx, Sql(name, of.item or ANY), to.item or ANY)
        made = f"list_transform({sql.text}, lambda {name}: {inner.text})"
        return Sql(made, to, null=sql.null)
    fields = []
    own = dict(parts_of(cx.catalog, of))
    for name, kind in parts_of(cx.catalog, to):
        part = Sql(f"{sql.operand}.{ident(name)}", own[name]) if name in own else values.NOTHING
        fields.append((name, convert(cx, part, kind).text))
    packed = values.pack(fields)
    if sql.null:
        packed = operation(f"CASE WHEN {sql.operand} IS NOT NULL THEN {packed} END")
    return Sql(packed, to, null=sql.null)


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
