"""Constructs that several engines get wrong: what is no number."""

from __future__ import annotations

from collections.abc import Iterator

from graph_ir import nodes as ir
from graph_ir.walk import find

_USES = (ir.Compare, ir.In, ir.Case, ir.Call, ir.Agg, ir.SortKey)
_ROOTS = frozenset({"sqrt", "log", "log10", "asin", "acos"})


def uses_quotients(statement: ir.Statement) -> bool:
    """Whether a quotient by what may be zero, which may be NaN, is compared, ordered or given to
    a function, here or under a name."""
    return any(_uses(statement, *_USES))


def extremes_of_quotients(statement: ir.Statement) -> bool:
    """Whether the least or greatest is looked for among what may be NaN."""
    uses = _uses(statement, ir.Agg)
    return any(isinstance(use, ir.Agg) and use.name in ("min", "max") for use in uses)


def _uses(statement: ir.Statement, *kinds: type[ir.Node]) -> Iterator[ir.Node]:
    """The parts of these kinds that hold a value which may be NaN."""
    tainted: set[str] = set()

    def may_be_nan(node: ir.Node) -> bool:
        quotients = (
            arith
            for arith in find(node, ir.Arith)
            if arith.op is ir.ArithOp.DIV
            and not (isinstance(arith.right, ir.Literal) and arith.right.value)
        )
        roots = (call for call in find(node, ir.Call) if call.name.casefold() in _ROOTS)
        names = (var for var in find(node, ir.Var) if var.name in tainted)
        return any(quotients) or any(roots) or any(names)

    for item in find(statement, ir.Item):
        if may_be_nan(item.expr):
            tainted.add(item.alias)
    yield from (use for use in find(statement, *kinds) if may_be_nan(use))
