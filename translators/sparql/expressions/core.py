"""An expression by the table of emitters, its operators, and what all emitters need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import Kind, Type
from translators.printing import ATOM, LOOSE, Code, Infix, Prefix, apart
from translators.sparql.model import terms
from translators.sparql.model.compiler import Compiler, Sx
from translators.sparql.model.unsupported import UNSUPPORTED, unsupported

# Every operation is in parentheses beside another one. `!` takes an atom, and is one.
OPERATORS: Final[Mapping[str, Infix]] = {
    sign: apart(sign)
    for sign in ("||", "&&", "=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "IN")
}
NEGATION: Final = Prefix("!", ATOM - 1, ATOM)
MINUS: Final = Prefix("-", LOOSE, ATOM)
BOOLEAN, INTEGER, FLOAT, STRING = (
    Type(kind) for kind in (Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING)
)
NULL = Sx(Code(terms.ERROR, LOOSE), Type(Kind.NULL))


def expression(cx: Compiler, node: ir.Expr) -> Sx:
    """An expression of SPARQL: an error or unbound where Cypher's is null.

    Raises:
        Refused: SPARQL cannot say it.
    """
    if cx.keys is not None and node in cx.keys:
        return cx.keys[node]
    if type(node) in UNSUPPORTED:
        raise unsupported(node)
    emit = cx.emits.get(type(node))
    if emit is None:
        raise refused("unsupported-expression", node, "This expression has no form in SPARQL.")
    return emit(cx, node)


def refused(code: str, node: ir.Node, reason: str) -> Refused:
    """A refusal that names the node."""
    name = node.name if isinstance(node, ir.Call | ir.Agg) else type(node).__name__
    return Refused(code, name, reason, node.span)


def known(sx: Sx) -> Sx:
    """A truth value that is never null: null counts as false."""
    return Sx(f"COALESCE({sx.text}, false)", BOOLEAN, null=False) if sx.null else sx


def bound(sx: Sx) -> str:
    """The test that an expression has a value."""
    if not sx.null:
        return "true"
    if sx.variable:
        return f"BOUND({sx.text})"
    return f"COALESCE(sameTerm({sx.text}, {sx.text}), false)"
