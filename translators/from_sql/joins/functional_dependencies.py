"""Functional dependence: which rows and columns one value of each grouping key settles."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from graph_ir import nodes as ir
from schemagraph.mapping import EdgeTable, NodeTable
from translators.from_sql.joins.links import Classes, Key


@dataclass(eq=False, slots=True)
class Facts:
    """What the patterns of a query make true of every row.

    `nodes` and `edges` are the tables behind variables; `equal` the columns that are equal;
    `reaches` foreign keys that settle the row they refer to; `settles` pairs of variables of
    which the first one's row settles the second one's; `derived` columns of derived tables, with
    the others of their rows, which they settle; `pairs` edge variables with their two ends where no
    two edges join the same nodes; `fixed` the columns that a condition holds to a constant; `outer`
    are variables of queries around.
    """

    nodes: dict[str, NodeTable] = field(default_factory=dict)
    edges: dict[str, EdgeTable] = field(default_factory=dict)
    equal: Classes = field(default_factory=Classes)
    reaches: list[tuple[tuple[Key, ...], str]] = field(default_factory=list)
    settles: list[tuple[str, str]] = field(default_factory=list)
    derived: list[tuple[frozenset[str], frozenset[str]]] = field(default_factory=list)
    pairs: list[tuple[str, str, str]] = field(default_factory=list)
    fixed: list[Key] = field(default_factory=list)
    outer: frozenset[str] = frozenset()

    def key(self, expr: ir.Expr) -> Key | None:
        """The column behind a property of a row variable."""
        if not (isinstance(expr, ir.Prop) and isinstance(expr.base, ir.Var)):
            return None
        var = expr.base.name
        table = self.nodes.get(var) or self.edges.get(var)
        if table is None:
            return None
        name = next((c.name for c in table.columns if c.property == expr.key), None)
        return (var, name) if name is not None else None

    def row_of(self, expr: ir.Expr) -> ir.Prop | None:
        """The key property of the node that a grouping key identifies, or None."""
        key = self.key(expr)
        if key is None:
            return None
        for var, table in self.nodes.items():
            if len(table.key) != 1 or var in self.outer:
                continue
            if self.equal.same((var, table.key[0]), key):
                column = next(c for c in table.columns if c.name == table.key[0])
                return ir.Prop(ir.Var(var), column.property)
        return None

    def settled(self, keys: Iterable[ir.Expr]) -> Settled:
        """What these grouping keys settle."""
        return Settled(self, keys)


class Settled:
    """The closure of some grouping keys: rows and columns with one value in each group."""

    def __init__(self, facts: Facts, keys: Iterable[ir.Expr]) -> None:
        self.facts = facts
        self.rows: set[str] = set()
        self.columns: set[Key] = {facts.equal.find(key) for key in facts.fixed}
        for expr in keys:
            key = facts.key(expr)
            if key is not None:
                self.columns.add(facts.equal.find(key))
            elif isinstance(expr, ir.Var):
                self.rows.add(expr.name)
        while self._grow():
            pass

    def has(self, expr: ir.Expr) -> bool:
        """Whether a property or variable has one value in each group."""
        if isinstance(expr, ir.Var):
            return expr.name in self.rows
        key = self.facts.key(expr)
        if key is None:
            return False
        return key[0] in self.rows or self.facts.equal.find(key) in self.columns

    def _grow(self) -> bool:
        before = len(self.rows), len(self.columns)
        facts = self.facts
        for var in sorted(self.rows):
            table = facts.nodes.get(var) or facts.edges.get(var)
            if table is not None:
                self.columns |= {facts.equal.find((var, c.name)) for c in table.columns}
        for var, table in facts.nodes.items():
            if self._identified(var, table):
                self.rows.add(var)
        for var, link in facts.edges.items():
            nullable = any(c.name in link.key and c.nullable for c in link.columns)
            if link.key and not nullable and all(self._known(var, name) for name in link.key):
                self.rows.add(var)
        self.rows |= {var for keys, var in facts.reaches if all(self._known(*key) for key in keys)}
        self.rows |= {other for var, other in facts.settles if var in self.rows}
        for keys, others in facts.derived:
            if keys <= self.rows:
                self.rows |= others
        self.rows |= {edge for edge, one, other in facts.pairs if {one, other} <= self.rows}
        return before != (len(self.rows), len(self.columns))

    def _identified(self, var: str, table: NodeTable) -> bool:
        if table.key and all(self._known(var, name) for name in table.key):
            return True
        return any(c.unique and not c.nullable and self._known(var, c.name) for c in table.columns)

    def _known(self, var: str, name: str) -> bool:
        return self.facts.equal.find((var, name)) in self.columns
