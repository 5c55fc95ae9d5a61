"""VALUES as a table: its rows one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from graph_ir import nodes as ir
from schemagraph.model import Kind
from translators.from_sql.expressions.choices import merged, unified
from translators.from_sql.statement.context import Site, Translated
from translators.from_sql.statement.values import Value
from translators.from_sql.statement.values_tables import cells_of

# What the columns of VALUES are called where no alias names them, and the number of the first.
_COLUMNS = {"duckdb": ("col", 0), "mysql": ("column_", 0)}


def values_table(site: Site, node: exp.Values, columns: Sequence[str] | None) -> Translated:
    """The rows of VALUES; `columns` are the names of the result.

    Raises:
        Refused: a column would hold values of several types.
        QueryTextError: the rows are not of one length.
    """
    rows = [[site.value(cell) for cell in cells_of(row)] for row in node.expressions]
    if len({len(row) for row in rows}) != 1:
        raise site.error("column-count", node, "The rows of VALUES need as many values each.")
    together = [_column(site, node, list(cells)) for cells in zip(*rows, strict=True)]
    prefix, first = _COLUMNS.get(site.house.rules.name, ("column", 1))
    names = [f"{prefix}{number}" for number in range(first, first + len(together))]
    aliases = columns or names
    known = tuple((name, kind) for name, (kind, _) in zip(names, together, strict=True))
    if len(rows) == 1:
        items = (ir.Item(c[0].expr, alias) for (_, c), alias in zip(together, aliases, strict=True))
        return Translated(ir.Query((ir.Project(tuple(items), final=True),)), known, single=True)
    if len(together) == 1:
        alias = aliases[0]
        listed = ir.ListOf(tuple(cell.expr for cell in together[0][1]))
        ending = ir.Project((ir.Item(ir.Var(alias), alias),), final=True)
        return Translated(ir.Query((ir.Unwind(listed, alias), ending)), known)
    number = site.names.column("row", set(aliases))
    listed = ir.ListOf(tuple(ir.Literal(index) for index in range(len(rows))))
    items = (
        ir.Item(_of_row(cells, number), alias)
        for (_, cells), alias in zip(together, aliases, strict=True)
    )
    ending = ir.Project(tuple(items), final=True)
    return Translated(ir.Query((ir.Unwind(listed, number), ending)), known)


def _column(site: Site, node: exp.Expr, cells: list[Value]) -> tuple[Value, list[Value]]:
    """A column: what is known of it, and its values in one form."""
    for cell in cells:
        site.grouped(node, cell)
    alike = unified(site, node, cells)
    known = merged(site, alike, ir.Literal(None))
    if site.house.rules.sticky and not site.house.rules.folds and known.kind is Kind.STRING:
        # Text of no column is compared by the server's collation.
        known = replace(known, collation="SERVER")
    return known, alike


def _of_row(cells: list[Value], number: str) -> ir.Expr:
    """The value of the row of this number."""
    if len({cell.expr for cell in cells}) == 1:
        return cells[0].expr
    whens = tuple(ir.When(ir.Literal(index), cell.expr) for index, cell in enumerate(cells[:-1]))
    return ir.Case(whens, cells[-1].expr, ir.Var(number))
