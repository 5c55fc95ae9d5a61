"""`x > ANY (SELECT …)` and `x > ALL (SELECT …)`, three-valued."""

from __future__ import annotations

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.model import Kind
from translators.from_sql.statement.context import Site
from translators.from_sql.statement.values import Value

_ITEM = "quantified item"


def quantifier(node: exp.Expr) -> exp.Any | exp.All | None:
    """The ANY or ALL on the right of a comparison."""
    side = node.args.get("expression")
    side = side.unnest() if isinstance(side, exp.Expr) else None
    return side if isinstance(side, exp.Any | exp.All) else None


def compared_with_rows(site: Site, node: exp.Binary, over: exp.Any | exp.All) -> Value:
    """The comparison as a value: true, false or null."""
    query = over.this.unnest()
    if not isinstance(query, exp.Query):
        raise site.refused(
            "unsupported-expression",
            node,
            "compares with what is neither a query nor an array that is written out",
        )
    some, unknown = (_rows(node, query, how) for how in ("yes", "maybe"))
    none, doubtful = (_rows(node, query, how) for how in ("no", "maybe not"))
    if isinstance(over, exp.Any):
        yes, no = site.true(_placed(some, node)), site.false(_placed(unknown, node))
    else:
        yes, no = site.false(_placed(doubtful, node)), site.true(_placed(none, node))
    whens = (ir.When(yes, ir.Literal(True)), ir.When(no, ir.Literal(False)))
    return Value(ir.Case(whens), Kind.BOOLEAN)


def _placed(node: exp.Expr, instead: exp.Expr) -> exp.Expr:
    node.parent = instead.parent
    return node


def _rows(node: exp.Binary, query: exp.Query, how: str) -> exp.Exists:
    """Whether a row of the query compares so: yes, no, or one of them or unknown."""
    item = exp.column("item", _ITEM, quoted=True)
    test: exp.Expr = type(node)(this=node.this.copy(), expression=item)
    unknown = exp.Is(this=exp.Paren(this=test.copy()), expression=exp.Null())
    if how in ("no", "maybe not"):
        test = exp.Not(this=exp.Paren(this=test))
    if how.startswith("maybe"):
        test = exp.Or(this=exp.Paren(this=test), expression=unknown)
    alias = exp.TableAlias(
        this=exp.to_identifier(_ITEM, quoted=True),
        columns=[exp.to_identifier("item", quoted=True)],
    )
    rows = exp.Subquery(this=query.copy(), alias=alias)
    select = exp.Select(
        expressions=[exp.Literal.number(1)],
        from_=exp.From(this=rows),
        where=exp.Where(this=test),
    )
    return exp.Exists(this=select)
