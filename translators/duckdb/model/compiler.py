"""`Compiler`, the state of one translation: names, shared relations, and the table of handlers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from graph_ir import nodes as ir
from graph_ir.numbers import below_zero_names
from graph_ir.reference.signs import shown_extremes, signed_names
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import SchemaGraph
from translators.base import MOST_CHARACTERS, too_long
from translators.duckdb.model.catalog import Catalog
from translators.duckdb.model.names import Names, ident
from translators.duckdb.model.sql import Scope, Sql
from translators.duckdb.model.types import T
from translators.tables import Table

MARK = "_cy_"  # how parameters of the macros' lambdas begin

type Handler = Callable[[Compiler, Any, Scope], Sql]

# What emits an expression node; each module of handlers has one, the dialect lists them.
Emits = Table[type[ir.Node], Handler]


class NeedsAll(Exception):  # a signal to begin again, no error
    """The query needs whole elements, so every property has to travel."""


@dataclass(frozen=True, slots=True)
class Relation:
    """The SQL of a query and its columns: name in the query, name in SQL, type."""

    text: str
    columns: tuple[tuple[str, str, T], ...]


class Compiler:
    """Compiles one statement; `needed` None makes elements carry all their properties.

    `exact` makes tagged JSON of aggregates that are an integer for some rows and else a float.
    """

    def __init__(
        self,
        schema: SchemaGraph,
        statement: ir.Statement,
        needed: frozenset[str] | None,
        emits: Emits,
        *,
        exact: bool = False,
    ) -> None:
        self._emits = emits
        self.macros: set[str] = set()
        self.catalog = Catalog(schema, needed, self.macro)
        aliases = {item.alias for item in find(statement, ir.Item)}
        variables = {v.name for v in find(statement, ir.Var)} | aliases
        self._aliases, self._computed = aliases, _computed(statement)
        self.names = Names()
        self._columns = self.catalog.columns | {name.casefold() for name in variables}
        kept = min((name for name in self._columns if name.startswith(MARK)), default=None)
        if kept is not None:
            raise Refused(
                "reserved-name", kept, f"The macros keep names with {MARK} to themselves."
            )
        self.shared: dict[object, tuple[str, str]] = {}
        self.subqueries = 0
        self.exact = exact
        self.signed = signed_names(statement)
        self.made_below_zero = below_zero_names(statement, reference=True)
        # One that is itself a key has a key of its sign.
        self.shown_extremes = shown_extremes(
            statement, sorts=lambda key: not isinstance(key, ir.Agg)
        )
        self.grouped = False  # whether the aggregates at hand are of groups, none of them empty

    def expr(self, node: ir.Expr, scope: Scope) -> Sql:
        """The SQL of an expression."""
        handler = self._emits.get(type(node))
        if handler is None:
            raise Refused(
                "unsupported",
                type(node).__name__,
                f"{type(node).__name__} has no SQL form.",
                node.span,
            )
        sql = handler(self, node, scope)
        if len(sql.text) > MOST_CHARACTERS:
            raise too_long(node)
        return sql

    def computes_with(self, column: str) -> bool:
        """Whether integers are computed of a column of that name; one of ours may be any."""
        return column in self._computed or (bool(self._computed) and column not in self._aliases)

    def whole_elements(self) -> None:
        """Declare that elements must carry all their properties."""
        if self.catalog.needed is not None:
            raise NeedsAll

    def macro(self, name: str) -> str:
        """Use a macro of the prelude; returns its name."""
        self.macros.add(name)
        return name

    def local(self, wish: str) -> str:
        """A name for a lambda's parameter; DuckDB prefers columns of that name, so none is."""
        name = self.names.fresh(f"_{wish}")
        while name.casefold() in self._columns:
            name = self.names.fresh(f"_{wish}")
        return ident(name)

    def alias(self, wish: str) -> str:
        """A name for a relation, which no column has: DuckDB would take `f.id` for a part of it."""
        name = self.names.fresh(wish)
        while name.casefold() in self.catalog.columns:
            name = self.names.fresh(f"{wish}_row")
        return name

    def share(self, key: object, wish: str, body: Callable[[], str]) -> str:
        """The name of a relation that the statement declares once in its WITH."""
        if key not in self.shared:
            name = self.names.fresh(wish)
            self.shared[key] = (name, body())
        return self.shared[key][0]


def _computed(statement: ir.Statement) -> frozenset[str]:
    """Names of all variables that arithmetic reads, by other names too."""
    computing = [*find(statement, ir.Arith, ir.Neg, ir.Reduce)]
    computing += [call for call in find(statement, ir.Call) if call.name.casefold() == "abs"]
    names = {var.name for node in computing for var in find(node, ir.Var)}
    made = [(item.alias, item.expr) for item in find(statement, ir.Item)]
    made += [(unwind.alias, unwind.expr) for unwind in find(statement, ir.Unwind)]
    read = [(alias, {var.name for var in find(expr, ir.Var)}) for alias, expr in made]
    while more := {n for alias, used in read if alias in names for n in used} - names:
        names |= more
    return frozenset(names)


def needed_properties(statement: ir.Statement) -> frozenset[str]:
    """Names of all properties that the statement reads by name."""
    names = {prop.key for prop in find(statement, ir.Prop)}
    names |= {entry.key for entry in find(statement, ir.Entry)}
    names |= {
        index.index.value
        for index in find(statement, ir.Index)
        if isinstance(index.index, ir.Literal) and isinstance(index.index.value, str)
    }
    return frozenset(names)
