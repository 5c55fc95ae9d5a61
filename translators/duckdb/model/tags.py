"""Reads tagged JSON, the values whose type is known only when the query runs.

Each function gives a value as the type that it must have; `translators.duckdb.expressions.dynamic`
makes them.
"""

from __future__ import annotations

import re

from schemagraph.model import Kind
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import text
from translators.duckdb.model.sql import Sql
from translators.duckdb.model.types import ANY, BOOLEAN, INTEGER, STRING, T, list_of


def use(cx: Compiler, name: str, of: T, *args: Sql | str) -> Sql:
    """A call of a macro.

    A macro writes out its arguments wherever it reads them, and macros in it do so again: what is
    computed by a function of many rows or items is given as a variable, or planning never ends.
    """
    texts = [each if isinstance(each, str) else each.text for each in args]
    computed = [each for each in dict.fromkeys(texts) if _COMPUTED.search(each)]
    if not computed:
        return Sql(f"{cx.macro(name)}({', '.join(texts)})", of)
    given = cx.local("given")
    fields = {each: f"a{place}" for place, each in enumerate(computed)}
    packed = ", ".join(f"{field} := {each}" for each, field in fields.items())
    shown = ", ".join(f"{given}.{fields[each]}" if each in fields else each for each in texts)
    call = f"{cx.macro(name)}({shown})"
    return Sql(f"list_transform([struct_pack({packed})], lambda {given}: {call})[1]", of)


_COMPUTED = re.compile(r"\b(?:arg_min|arg_max|list_reduce|json_merge_patch)\(")


def escaped(key: str) -> str:
    """A map's key as it stands in tagged JSON."""
    return f"${key}" if key.startswith("$") else key


def entry(cx: Compiler, base: Sql, key: str) -> Sql:
    """`base.key`."""
    return use(cx, "cy_get", ANY, base, text(key))


def items(cx: Compiler, sql: Sql) -> Sql:
    """A value as the list that it must be."""
    return use(cx, "cy_items", list_of(ANY), sql)


def rows(cx: Compiler, sql: Sql) -> Sql:
    """What UNWIND makes of a value: its items, or the value itself."""
    return use(cx, "cy_rows", list_of(ANY), sql)


def integer(cx: Compiler, sql: Sql) -> Sql:
    """A value as the integer that it must be."""
    return use(cx, "cy_as_integer", INTEGER, sql)


def string(cx: Compiler, sql: Sql) -> Sql:
    """A value as the string that it must be."""
    return use(cx, "cy_as_string", STRING, sql) if sql.type.kind is Kind.ANY else sql


def if_string(cx: Compiler, sql: Sql) -> Sql:
    """A value if it is a string, else NULL."""
    return use(cx, "cy_if_string", STRING, sql) if sql.type.kind is Kind.ANY else sql


def truth(cx: Compiler, sql: Sql) -> Sql:
    """A value as the truth value that it must be."""
    return use(cx, "cy_truth", BOOLEAN, sql)


def to_number(cx: Compiler, sql: Sql) -> Sql:
    """A value as the number that it must be, as a float."""
    return use(cx, "cy_number", T(Kind.FLOAT, nan=True), sql)


def as_text(cx: Compiler, sql: Sql, *, lenient: bool = False) -> Sql:
    """Cypher's text of a value; `lenient`: NULL for one that has none."""
    return use(cx, "cy_string_or_null" if lenient else "cy_string", STRING, sql)


def to_integer(cx: Compiler, sql: Sql, *, lenient: bool) -> Sql:
    """`toInteger`, or `toIntegerOrNull`."""
    return use(cx, "cy_integer_or_null" if lenient else "cy_integer_of", INTEGER, sql)


def to_float(cx: Compiler, sql: Sql, *, lenient: bool) -> Sql:
    """`toFloat`, or `toFloatOrNull`."""
    name = "cy_float_or_null" if lenient else "cy_float_of"
    return use(cx, name, T(Kind.FLOAT, nan=True), sql)


def to_boolean(cx: Compiler, sql: Sql, *, lenient: bool) -> Sql:
    """`toBoolean`, or `toBooleanOrNull`."""
    return use(cx, "cy_boolean_or_null" if lenient else "cy_boolean_of", BOOLEAN, sql)


def size(cx: Compiler, sql: Sql) -> Sql:
    """`size`."""
    return use(cx, "cy_size", INTEGER, sql)
