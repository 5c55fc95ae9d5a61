"""Path variables: put together from the labels of their nodes and edges."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.gremlin.rows import Binding, Compiler, Piece, Rows
from translators.gremlin.steps.text import Label, Step, Traversal, by, select, step


def every(label: str) -> Step:
    """All objects that a label names, as a list."""
    return Step("select", (*step("select", "all").args, Label(label)))


def _pieces(cx: Compiler, node: ir.Call, rows: Rows) -> tuple[Piece, ...]:
    (arg,) = node.args
    known = rows.vars.get(arg.name) if isinstance(arg, ir.Var) else None
    if known is None or not known.pieces or known.nullable:
        raise Refused(
            "path-function", node.name, "Only paths of a MATCH that is met have these.", node.span
        )
    return known.pieces


def length(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    """`length(p)`."""
    pieces = _pieces(cx, node, rows)
    fixed = sum(bool(each.edge) for each in pieces)
    walks = [each.edges for each in pieces if each.edges]
    if not walks:
        return cx.constant(fixed)
    zero = cx.constant(0)
    counts = [(step("coalesce", (every(each), step("count", "local")), zero),) for each in walks]
    if len(counts) == 1 and not fixed:
        return counts[0]
    parts = (*counts, *((cx.constant(fixed),) if fixed else ()))
    return (Step("union", parts), step("sum"))


def nodes(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    """`nodes(p)`."""
    return _nodes(_pieces(cx, node, rows))


def edges(cx: Compiler, node: ir.Call, rows: Rows) -> Traversal:
    """`relationships(p)`."""
    return _edges(_pieces(cx, node, rows))


def _nodes(pieces: tuple[Piece, ...]) -> Traversal:
    return _listed([(each.node, each.nodes) for each in pieces if each.node or each.nodes])


def _edges(pieces: tuple[Piece, ...]) -> Traversal:
    return _listed([(each.edge, each.edges) for each in pieces if each.edge or each.edges])


def _listed(labels: list[tuple[str, str]]) -> Traversal:
    parts: list[Traversal] = [
        (select(one),) if one else (every(many), step("unfold")) for one, many in labels
    ]
    if not parts:
        return (step("constant", "[]"),)
    if len(parts) == 1:
        return (*parts[0], step("fold"))
    return (Step("union", tuple(parts)), step("fold"))


def whole(known: Binding) -> Traversal:
    """A path as a map of its nodes and edges, which is how answers have it.

    Raises:
        Refused: it may be null.
    """
    if known.nullable:
        raise Refused("path-function", "path", "A path that may be null has no form.")
    keys = (Label("nodes"), Label("edges"))
    return (Step("project", keys), by(_nodes(known.pieces)), by(_edges(known.pieces)))
