"""Variable-length patterns: walks over different edges, by recursion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.graphdata import SOURCE, TARGET
from schemagraph.model import Kind
from translators.duckdb import values
from translators.duckdb.catalog import FROM, ID, TO
from translators.duckdb.compiler import Compiler
from translators.duckdb.frame import Frame
from translators.duckdb.names import ident
from translators.duckdb.sql import Element, Hopping, Sql, Value
from translators.duckdb.types import T

if TYPE_CHECKING:
    from translators.duckdb.patterns import EdgeSlot, Matcher


def walk(matcher: Matcher, edge: EdgeSlot, hops: ir.Hops) -> Hopping:
    """Join the walks from the left node of `edge` to its right node.

    The walks are a lateral relation: its recursion begins at the left node, and each step takes
    an edge that the walk has not used.
    """
    cx, frame, catalog = matcher.cx, matcher.frame, matcher.cx.catalog
    assert edge.left.bound is not None  # noqa: S101 # placed before
    if edge.pattern.where is not None:
        raise Refused(
            "hop-predicate",
            "EdgePattern",
            "A predicate inside a variable-length pattern has no SQL form.",
            edge.pattern.span,
        )
    alias = ident(cx.names.fresh(edge.pattern.var or "walk"))
    own, hop = ident(cx.names.fresh("_w")), cx.names.fresh("_e")
    one, begin, end = matcher.edges(edge.ways, hop, keyed=False)
    node_type = T(Kind.NODE, of=_visited(matcher, edge, hops))
    inner = Frame(dict(frame.env))
    inner.env[hop] = one
    before = len(frame.where)
    if edge.pattern.props is not None:
        matcher.properties(one, edge.pattern.props)
    conditions = frame.where[before:]
    del frame.where[before:]
    conditions.append(f"NOT list_contains({own}.ids, {one.alias}.{ident(ID)})")
    if hops.hi is not None:
        conditions.append(f"len({own}.ids) < {hops.hi}")
    needs_edges = _wanted(matcher, edge)
    needs_nodes = _in_path(matcher, edge)
    (start,) = matcher.anchor(edge.left, keyed=False)
    first = [f"{start} AS at", "[]::BIGINT[] AS ids"]
    step = [f"{end[0]}", f"list_append({own}.ids, {one.alias}.{ident(ID)})"]
    shown = [f"{own}.at", f"{own}.ids"]
    if needs_edges:
        first.append(f"[]::{values.duck(catalog, one.type)}[] AS edges")
        step.append(f"list_append({own}.edges, {values.whole(cx, one).text})")
        shown.append(f"{own}.edges")
    joined = f"{matcher.source(one, False, edge.ways)} AS {ident(hop)} ON {begin[0]} = {own}.at"
    if needs_nodes:
        first.append(f"[]::{values.duck(catalog, node_type)}[] AS nodes")
        visited = cx.names.fresh("_n")
        element = Element(ident(visited), node_type, catalog.direct(node_type))
        identity = values.identity(catalog, element)
        joined += (
            f"\n  JOIN {matcher.nodes(node_type)} AS {ident(visited)}"
            f" ON {identity.operand} = {end[0]}"
        )
        step.append(f"list_append({own}.nodes, {values.whole(cx, element).text})")
        shown.append(f"{own}.nodes")
    text = (
        f"WITH RECURSIVE {own} AS (\n"
        f"  SELECT {', '.join(first)}\n"
        f"  UNION ALL\n"
        f"  SELECT {', '.join(step)}\n"
        f"  FROM {own} JOIN {joined}\n"
        f"  WHERE {' AND '.join(conditions)}\n"
        f")\nSELECT {', '.join(shown)} FROM {own}"
    )
    if hops.lo:
        text += f" WHERE len({own}.ids) >= {hops.lo}"
    frame.add(f"LATERAL (\n{text}\n) AS {alias}")
    if edge.right.bound is not None:
        frame.where += matcher.meet([f"{alias}.at"], edge.right, keyed=False)
    else:
        matcher.place(edge.right, [f"{alias}.at"])
    return Hopping(alias, one.type, node_type)


def _visited(matcher: Matcher, edge: EdgeSlot, hops: ir.Hops) -> tuple[str, ...]:
    ends = {matcher.ends(way)[1] for way in edge.ways}
    del hops
    return tuple(name for name in matcher.cx.catalog.all_nodes() if name in ends)


def _in_path(matcher: Matcher, edge: EdgeSlot) -> bool:
    return any(t.path.var is not None and edge in t.edges for t in matcher.trails)


def _wanted(matcher: Matcher, edge: EdgeSlot) -> bool:
    return edge.pattern.var is not None or _in_path(matcher, edge)


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
    found = []
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
        one = values.convert(cx, values.whole(cx, element), of)
        table = ident(catalog.table(Kind.NODE, end).name)
        found.append(f"(SELECT {one.text} FROM {table} AS {alias} WHERE {' AND '.join(tests)})")
        del name
    if len(found) == 1:
        return Sql(found[0], of)
    identity = values.identity(catalog, bound)
    place = catalog.position(Kind.EDGE, identity.operand)
    branches = " ".join(
        f"WHEN {catalog.edge_order[name]} THEN {text}"
        for name, text in zip(bound.type.of, found, strict=True)
    )
    return Sql(f"(CASE {place} {branches} END)", of)


__all__ = ["FROM", "TO", "end_node", "walk"]
