"""`Frame`, a FROM and WHERE under construction, and the SELECT that closes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from graph_ir import nodes as ir
from translators.duckdb.expressions.logic import condition
from translators.duckdb.model import values
from translators.duckdb.model.compiler import Compiler
from translators.duckdb.model.names import Names, ident
from translators.duckdb.model.sql import Binding, Scope, Sql, Value
from translators.duckdb.model.types import T


@dataclass(slots=True)
class Frame:
    """What the clauses so far have made: joined tables, conditions, variables, row order.

    `apart` are those of the conditions that keep the edges of a MATCH different.
    """

    env: dict[str, Binding]
    items: list[str] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    apart: set[str] = field(default_factory=set)
    order: tuple[str, ...] = ()
    ungrouped: dict[str, Binding] = field(default_factory=dict)

    def scope(self) -> Scope:
        """The variables in sight."""
        return Scope(self.env, self.order, self.ungrouped)

    def join(self, source: str, alias: str, conditions: Sequence[str] = ()) -> None:
        """Join a table or relation."""
        self.add(f"{source} AS {ident(alias)}", conditions)

    def add(self, item: str, conditions: Sequence[str] = (), kind: str = "JOIN") -> None:
        """Add a FROM item with its conditions."""
        if not self.items:
            self.items.append(item)
            self.where.extend(conditions)
        elif conditions:
            self.items.append(f"{kind} {item} ON {' AND '.join(conditions)}")
        else:
            self.items.append(f"CROSS JOIN {item}")

    def left(self, item: str) -> None:
        """Add a FROM item that keeps every row, LEFT JOIN … ON true."""
        if not self.items:
            self.items.append("(SELECT 1) AS _one")
        self.items.append(f"LEFT JOIN {item} ON true")

    def filter(self, cx: Compiler, predicate: ir.Expr) -> None:
        """Add a predicate, split at its ANDs."""
        if isinstance(predicate, ir.Bool) and predicate.op is ir.BoolOp.AND:
            for arg in predicate.args:
                self.filter(cx, arg)
            return
        self.where.append(condition(cx, predicate, self.scope()))

    def tail(self) -> str:
        """FROM and WHERE."""
        lines = ""
        if self.items:
            lines += "\nFROM " + "\n  ".join(self.items)
        conditions = [c for c in self.where if c != "true"]
        if conditions:
            lines += "\nWHERE " + "\n  AND ".join(conditions)
        return lines


def columns_of(
    cx: Compiler, items: Sequence[tuple[str, Sql]], *, exact: bool = False
) -> tuple[list[str], list[tuple[str, str, T]]]:
    """SELECT items with distinct SQL names, and (name, SQL name, type) of each.

    `exact` keeps names that are equal but for case, as only the outermost SELECT may.
    """
    names = Names()
    selected, columns = [], []
    for name, sql in items:
        own = (name if exact else names.fresh(name)) or names.fresh("_")
        text = sql.text
        if sql.type.kind.value == "NULL":
            text = values.null_of(cx.catalog, sql.type)
        elif sql.literal or (sql.chosen and not exact and cx.computes_with(name)):
            text = f"{sql.operand}::BIGINT"
        selected.append(f"{text} AS {ident(own)}")
        columns.append((name, own, sql.type))
    return selected, columns


def values_of(alias: str, columns: Sequence[tuple[str, str, T]]) -> dict[str, Binding]:
    """Variables that are the columns of the relation `alias`."""
    return {name: Value(Sql(f"{alias}.{ident(own)}", kind)) for name, own, kind in columns}
