"""What SPARQL has no form of, by node of the IR: codes and sentences of refusals."""

from __future__ import annotations

from collections.abc import Mapping

from graph_ir import nodes as ir
from graphmill.errors import Refused
from translators.base import OPTION

_WRITE = ("write", "Only queries that read are translated.")
_ROW = ("unsupported-expression", "SPARQL has no such values in expressions.")
UNSUPPORTED: Mapping[type[ir.Node], tuple[str, str]] = {
    **dict.fromkeys((*ir.WRITES, ir.SetItem), _WRITE),
    ir.Procedure: ("procedure", "SPARQL has no procedures."),
    ir.Yield: ("procedure", "SPARQL has no procedures."),
    ir.Subquery: ("call-subquery", "A subselect sees nothing from outside."),
    ir.ServerOption: OPTION,
    ir.Param: ("parameter", "SPARQL needs the value of a parameter, not its name."),
    ir.ListComp: _ROW,
    ir.Reduce: ("reduce", "SPARQL cannot fold a list."),
    ir.Slice: _ROW,
    ir.PathExpr: ("path-expression", "Paths are searched in MATCH only."),
    ir.CollectOf: ("collect", "COLLECT keeps nulls and an order."),
    ir.Quantified: ("quantified-path", "Patterns are not repeated as a whole."),
    ir.Selector: ("path-search", "SPARQL has no search for paths."),
}


def unsupported(node: ir.Node) -> Refused:
    """The refusal of a node that no rule emits."""
    code, reason = UNSUPPORTED[type(node)]
    return Refused(code, type(node).__name__, reason, node.span)
