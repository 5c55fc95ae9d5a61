"""The relations behind node and edge patterns: a table, or several united with identities.

An element with one candidate type is its table; one with several is a relation that unites their
tables and carries identities. The statement declares each such relation once.
"""

from __future__ import annotations

from collections.abc import Iterator

from schemagraph.folder.graphdata import SOURCE, TARGET
from schemagraph.model import Kind
from translators.duckdb.expressions.conversion import convert
from translators.duckdb.model import values
from translators.duckdb.model.catalog import FROM, ID, TO, Catalog
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import ident
from translators.duckdb.model.sql import Element, Sql
from translators.duckdb.model.types import T

type Way = tuple[str, bool]  # an edge type, and whether it is walked from source to target


def ends_of(catalog: Catalog, way: Way) -> tuple[str, str]:
    """The node types at which a way begins and ends."""
    edge = catalog.edge(way[0])
    return (edge.source, edge.target) if way[1] else (edge.target, edge.source)


def edge_element(
    catalog: Catalog, ways: tuple[Way, ...], alias: str, *, keyed: bool
) -> tuple[Element, list[str], list[str]]:
    """An edge as an element called `alias`, and the columns of its two ends.

    `keyed` ends are key columns of their nodes, others are identities.
    """
    of = T(Kind.EDGE, of=tuple(dict.fromkeys(name for name, _ in ways)))
    if keyed and len(ways) == 1 and catalog.direct(of):
        table = catalog.table(Kind.EDGE, ways[0][0])
        start, end = ends_of(catalog, ways[0])
        prefixes = (SOURCE, TARGET) if ways[0][1] else (TARGET, SOURCE)
        sides = [
            [
                f"{ident(alias)}.{ident(table.column(prefix + key))}"
                for key in catalog.node(name).key
            ]
            for prefix, name in zip(prefixes, (start, end), strict=True)
        ]
        return Element(ident(alias), of, True), sides[0], sides[1]
    if keyed:
        start, end = ends_of(catalog, ways[0])
        sides = [
            [
                f"{ident(alias)}.{ident(prefix + '.' + str(number))}"
                for number, _ in enumerate(catalog.node(name).key)
            ]
            for prefix, name in ((FROM, start), (TO, end))
        ]
    else:
        sides = [[f"{ident(alias)}.{ident(FROM)}"], [f"{ident(alias)}.{ident(TO)}"]]
    return Element(ident(alias), of, False), sides[0], sides[1]


def edge_source(cx: Compiler, bound: Element, ways: tuple[Way, ...], *, keyed: bool) -> str:
    """The table or shared relation behind an edge element."""
    if bound.base:
        return ident(cx.catalog.table(Kind.EDGE, ways[0][0]).name)
    return cx.share(
        ("edges", ways, keyed), "_edges", lambda: _edge_relation(cx, bound.type, ways, keyed)
    )


def node_source(cx: Compiler, of: T) -> str:
    """The table or shared relation of nodes with these candidates."""
    if cx.catalog.direct(of):
        return ident(cx.catalog.table(Kind.NODE, of.of[0]).name)
    return cx.share(("nodes", of.of), "_nodes", lambda: _node_relation(cx, of))


def _node_relation(cx: Compiler, of: T) -> str:
    catalog = cx.catalog
    branches = []
    for name in of.of:
        element = Element("n", T(Kind.NODE, of=(name,)), True)
        columns = [f"{values.identity(catalog, element).text} AS {ident(ID)}"]
        columns += _fields(cx, element, of)
        table = ident(catalog.table(Kind.NODE, name).name)
        branches.append(f"SELECT {', '.join(columns)} FROM {table} AS n")
    return "\nUNION ALL\n".join(branches) or f"SELECT NULL::BIGINT AS {ident(ID)} WHERE false"


def _fields(cx: Compiler, element: Element, of: T) -> Iterator[str]:
    catalog = cx.catalog
    own = {f.key for f in catalog.layout(element.type)}
    for f in catalog.layout(of):
        if f.key in own:
            kind = catalog.field(element.type, f.key)
            assert kind is not None  # noqa: S101 # it is among its own
            sql = values.field_of(catalog, element, kind)
            sql = convert(cx, sql, f.type)
        else:
            sql = Sql(values.null_of(catalog, f.type), f.type)
        yield f"{sql.text} AS {ident(f.name)}"


def _edge_relation(cx: Compiler, of: T, ways: tuple[Way, ...], keyed: bool) -> str:
    catalog = cx.catalog
    branches = []
    for way in ways:
        name, forward = way
        edge = catalog.edge(name)
        table = catalog.table(Kind.EDGE, name)
        element = Element("e", T(Kind.EDGE, of=(name,)), True)
        ends = []
        for prefix, alias, end in ((SOURCE, "s", edge.source), (TARGET, "t", edge.target)):
            keys = catalog.node(end).key
            own = [f"e.{ident(table.column(prefix + key))}" for key in keys]
            theirs = [f"{alias}.{ident(catalog.table(Kind.NODE, end).column(key))}" for key in keys]
            ends.append((alias, end, own, theirs))
        joins = ""
        sides = []
        for alias, end, own, theirs in ends:
            if keyed:
                sides.append(own)
                continue
            met = " AND ".join(f"{a} = {b}" for a, b in zip(theirs, own, strict=True))
            joins += f" JOIN {ident(catalog.table(Kind.NODE, end).name)} AS {alias} ON {met}"
            sides.append([catalog.identity(Kind.NODE, end, f"{alias}.rowid")])
        if not forward:
            sides.reverse()
        columns = [f"{values.identity(catalog, element).text} AS {ident(ID)}"]
        for wish, side in zip((FROM, TO), sides, strict=True):
            for number, column in enumerate(side):
                columns.append(f"{column} AS {ident(f'{wish}.{number}' if keyed else wish)}")
        columns += _fields(cx, element, of)
        branch = f"SELECT {', '.join(columns)} FROM {ident(table.name)} AS e{joins}"
        if not forward and (name, True) in ways and edge.source == edge.target:
            # A loop is one match of an undirected pattern, not two.
            loop = " AND ".join(f"{a} = {b}" for a, b in zip(ends[0][2], ends[1][2], strict=True))
            branch += f" WHERE NOT ({loop})"
        branches.append(branch)
    if branches:
        return "\nUNION ALL\n".join(branches)
    empty = [f"NULL::BIGINT AS {ident(name)}" for name in (ID, FROM, TO)]
    return f"SELECT {', '.join(empty)} WHERE false"
