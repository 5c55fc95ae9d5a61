"""What Gremlin has no form of, by node of the IR: codes and sentences of refusals."""

from __future__ import annotations

from collections.abc import Mapping

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.base import OPTION

_WRITE = ("write", "Only reads are said in Gremlin.")
UNSAID: Mapping[type[ir.Node], tuple[str, str]] = {
    **dict.fromkeys((*ir.WRITES, ir.SetItem), _WRITE),
    ir.Procedure: ("procedure", "Procedures have no form in Gremlin."),
    ir.Yield: ("procedure", "Procedures have no form in Gremlin."),
    ir.ServerOption: OPTION,
    ir.Param: ("parameter", "Gremlin needs the value: give it in the line's `parameters`."),
    ir.Reduce: ("reduce", "Gremlin cannot fold a list with a step of one's own."),
    ir.Selector: ("path-search", "Gremlin has no path search."),
    ir.PathExpr: ("path-search", "A path search has no value in Gremlin."),
}


def unsaid(node: ir.Node) -> Refused:
    """The refusal of a node that no table has."""
    default = ("unsupported-expression", "The translator to Gremlin has no form of this.")
    code, reason = UNSAID.get(type(node), default)
    return Refused(code, type(node).__name__, reason, node.span)
