"""What variables are bound to, each as one value: elements, lists of edges, paths."""

from __future__ import annotations

from translators.duckdb.expressions.conversion import convert
from translators.duckdb.model import values
from translators.duckdb.model.catalog import ID
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.sql import (
    OPERATORS,
    Binding,
    Element,
    Hopping,
    PathBinding,
    Sql,
    Value,
    composed,
    operation,
)
from translators.duckdb.model.types import ANY, INTEGER, T, list_of


def whole(cx: Compiler, bound: Binding) -> Sql:
    """The value of a variable as one expression."""
    match bound:
        case Value(sql):
            return sql
        case Element():
            fields = [(ID, values.identity(cx.catalog, bound).text)]
            layout = cx.catalog.layout(bound.type)
            fields += [(f.name, values.field_of(cx.catalog, bound, f).text) for f in layout]
            return Sql(values.pack(fields), bound.type, null=False)
        case Hopping():
            return hop_edges(bound)
        case PathBinding():
            return Sql(
                values.pack(
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
        return composed(f"[]::{values.duck(cx.catalog, of)}", of, null=False)
    shown = [p if isinstance(p, str) else "[" + ", ".join(p) + "]" for p in parts]
    joined = shown[0]
    for part in shown[1:]:
        joined = f"list_concat({joined}, {part})"
    cast = len(shown) == 1 and "::" in joined
    return Sql(operation(joined) if cast else joined, of, null=False)


def path_length(bound: PathBinding) -> Sql:
    """The number of a path's edges."""
    fixed = sum(not isinstance(edge, Hopping) for edge in bound.edges)
    parts = [f"len({e.alias}.ids)" for e in bound.edges if isinstance(e, Hopping)]
    if fixed or not parts:
        parts.append(str(fixed))
    return Sql(OPERATORS["+"].chain(parts), INTEGER, null=False)
