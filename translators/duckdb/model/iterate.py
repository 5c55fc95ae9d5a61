"""Something made of each item of a list: a lambda, or UNNEST where a subquery is inside."""

from __future__ import annotations

from collections.abc import Callable

from translators.duckdb.model import values
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import Scope, Sql, Value
from translators.duckdb.model.types import T


def each(
    cx: Compiler,
    source: str,
    item: T,
    var: str,
    scope: Scope,
    make: Callable[[Scope], Sql],
    *,
    keep: bool = False,
) -> tuple[str, T]:
    """The list of `make` of each item, or with `keep` of the items for which it is true."""
    name = cx.local(var)
    inner = Scope({**scope.env, var: Value(Sql(name, item))})
    before = cx.subqueries
    made = make(inner)
    if made.text == "NULL":
        made = Sql(values.null_of(cx.catalog, made.type), made.type)
    if cx.subqueries == before:
        function = "list_filter" if keep else "list_transform"
        return f"{function}({source}, lambda {name}: {made.text})", made.type
    # Lambdas hold no subqueries.
    alias = cx.local("list")
    bound = Scope({**scope.env, var: Value(Sql(f"{alias}.{name}", item))})
    made = make(bound)
    cx.subqueries += 1
    taken = f"{alias}.{name}" if keep else made.text
    where = f" WHERE {made.text}" if keep else ""
    text = (
        f"(SELECT coalesce(list({taken} ORDER BY {alias}.i), []) "
        f"FROM unnest({source}) WITH ORDINALITY AS {alias}({name}, i){where})"
    )
    return f"(CASE WHEN {source} IS NOT NULL THEN {text} END)", made.type
