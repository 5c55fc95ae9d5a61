"""`sql`: DuckDB SQL over the node and edge tables of GraphData, the independent referee."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.ordering import columns_first
from graph_ir.reference.element_order import refuse_ordered_elements
from graph_ir.reference.folding import refuse_folded, refuse_picked_zero
from graph_ir.variables import SUBQUERIES
from graph_ir.walk import find
from graphmill.errors import Refused
from translators.base import OPTION, Dialect, Rendered
from translators.duckdb.clauses import subqueries
from translators.duckdb.clauses.clauses import statement
from translators.duckdb.clauses.prelude import prelude
from translators.duckdb.clauses.zeros import orders_sums_of_nothing, with_whole_zeros
from translators.duckdb.expressions import (
    aggregates,
    expressions,
    lists,
    logic,
)
from translators.duckdb.expressions.functions import calls
from translators.duckdb.model.compiler import Compiler, Emits, NeedsAll, needed_properties
from translators.duckdb.model.names import ident
from translators.duckdb.model.sql import Scope
from translators.searches import searches_apart

_EMITS = Emits.joined(
    aggregates.EMITS,
    calls.EMITS,
    expressions.EMITS,
    lists.EMITS,
    logic.EMITS,
    subqueries.EMITS,
)


def _numbers_groups(project: ir.Project, key: ir.Expr) -> bool:
    """Whether groups of a WITH are sorted by what a subquery says: they are numbered for what comes
    after, and in a window the subquery would not meet what they are groups by."""
    grouped = project.group is not None and not project.final
    return grouped and next(find(key, *SUBQUERIES), None) is not None


class Sql(Dialect):
    """Graph-IR as one SELECT, with the macros that it needs declared before it."""

    name = "sql"

    def generate(self, query: ir.Statement) -> Rendered:
        """The SQL of `query`.

        Raises:
            Refused: there is no schema, or SQL cannot say exactly this.
        """
        if self.schema is None:
            raise Refused(
                "schema-needed", "sql", "SQL needs the schema of the graph: its tables and keys."
            )
        refuse_folded(query)
        refuse_ordered_elements(query, sorts=False)
        refuse_picked_zero(query)
        query = with_whole_zeros(columns_first(searches_apart(query), _numbers_groups))
        try:
            return self._plainest(query)
        except RecursionError as problem:
            raise Refused("nesting", "sql", "The query is nested too deeply.") from problem

    def emit(self, node: ir.Node) -> str:
        """The SQL of a whole statement; its parts mean nothing alone."""
        if isinstance(node, ir.Query | ir.Union):
            return self.generate(node).text
        raise Refused("part", type(node).__name__, "Only whole queries become SQL.", node.span)

    def _plainest(self, query: ir.Statement) -> Rendered:
        """With aggregates in their plain form, unless what is made of them asks for more."""
        if not orders_sums_of_nothing(query):
            try:
                return self._with_properties(query, exact=False)
            except Refused as refused:
                if refused.code != "mixed-numbers":
                    raise
        return self._with_properties(query, exact=True)

    def _with_properties(self, query: ir.Statement, *, exact: bool) -> Rendered:
        """With the properties that are read, or with all."""
        try:
            return self._compile(query, needed_properties(query), exact=exact)
        except NeedsAll:
            return self._compile(query, None, exact=exact)

    def _compile(
        self, query: ir.Statement, needed: frozenset[str] | None, *, exact: bool
    ) -> Rendered:
        assert self.schema is not None  # noqa: S101 # generate has looked
        cx = Compiler(self.schema, query, needed, _EMITS, exact=exact)
        relation = statement(cx, query, Scope(), shown=True)
        text = relation.text
        if cx.shared:
            shared = [f"{ident(name)} AS (\n{body}\n)" for name, body in cx.shared.values()]
            text = _with(shared, text)
        return Rendered(prelude(cx.macros) + text, self.name, tuple(c[0] for c in relation.columns))


def _with(shared: list[str], text: str) -> str:
    head = f"WITH {', '.join(shared)}"
    if text.startswith("WITH "):
        return f"{head}, {text.removeprefix('WITH ')}"
    return f"{head}\n{text}"


_WRITE = ("write", "The referee only reads.")
Sql.UNSUPPORTED = {
    **dict.fromkeys((*ir.WRITES, ir.SetItem), _WRITE),
    ir.Procedure: ("procedure", "Procedures have no SQL form."),
    ir.Yield: ("procedure", "Procedures have no SQL form."),
    ir.ServerOption: OPTION,
    ir.Param: (
        "parameter",
        "SQL needs the value of a parameter: give it in the line's `parameters`.",
    ),
}
# Clauses, patterns and their parts are compiled where they stand, not one by one.
Sql._emit = {node: "emit" for node in ir.NODE_CLASSES.values() if node not in Sql.UNSUPPORTED}
