"""startNode() and endNode(): the node at one end of an edge."""

from __future__ import annotations

from schemagraph.folder.graphdata import SOURCE, TARGET
from schemagraph.model import Kind
from translators.duckdb.expressions.bindings import whole
from translators.duckdb.expressions.conversion import convert
from translators.duckdb.model import values
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import ident
from translators.duckdb.model.sql import Element, Sql, Value
from translators.duckdb.model.types import T


def end_node(cx: Compiler, bound: Element | Value, *, source: bool) -> Sql:
    """The node at one end of an edge, looked up in its table."""
    catalog = cx.catalog
    prefix = SOURCE if source else TARGET
    ends = []
    for name in bound.type.of:
        edge = catalog.edge(name)
        ends.append(edge.source if source else edge.target)
    of = T(Kind.NODE, of=tuple(n for n in catalog.all_nodes() if n in ends))
    if not ends:
        return Sql(values.null_of(catalog, of), of)
    cx.subqueries += 1
    whens = []
    for name, end in zip(bound.type.of, ends, strict=True):
        alias = ident(cx.names.fresh("_n"))
        element = Element(alias, T(Kind.NODE, of=(end,)), True)
        tests = []
        for key in catalog.node(end).key:
            column = catalog.column(Kind.NODE, end, key)
            own = catalog.field(bound.type, prefix + key)
            if column is None or own is None:
                continue
            tests.append(f"{alias}.{column[0]} = {values.field_of(catalog, bound, own).text}")
        one = convert(cx, whole(cx, element), of)
        table = ident(catalog.table(Kind.NODE, end).name)
        whens.append(f"(SELECT {one.text} FROM {table} AS {alias} WHERE {' AND '.join(tests)})")
        del name
    if len(whens) == 1:
        return Sql(whens[0], of)
    identity = values.identity(catalog, bound)
    place = catalog.position(Kind.EDGE, identity.operand)
    branches = " ".join(
        f"WHEN {catalog.edge_order[name]} THEN {text}"
        for name, text in zip(bound.type.of, whens, strict=True)
    )
    return Sql(f"(CASE {place} {branches} END)", of)
