"""`Site`, where an expression stands: its scope, and the clauses that it needs before it.

Handlers of expression classes live in modules by theme, in tables that `Handlers` joins, so that
none of them imports another for the recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from sqlglot import exp

from graph_ir import nodes as ir
from graphmill.errors import QueryTextError, Refused, did_you_mean
from schemagraph.mapping import Mapping
from schemagraph.model import Kind, SchemaGraph
from schemagraph.text_forms import Blanks
from translators.from_sql.statement.exactness import nearest
from translators.from_sql.statement.from_items import FromItem, NodeItem, Scope, behind
from translators.from_sql.statement.names import Names
from translators.from_sql.statement.padding import Columns, in_texts, of_constant, trimmed
from translators.from_sql.statement.rules import Rules
from translators.from_sql.statement.selection import Sort, in_having, is_named, outputs_named
from translators.from_sql.statement.source_types import check_together, check_use
from translators.from_sql.statement.spelling import (
    OF_DIGITS,
    described,
    folded,
    of_value,
    one_spelling,
)
from translators.from_sql.statement.terms import OF_ROWS, bound_by, variables
from translators.from_sql.statement.text import SqlText
from translators.from_sql.statement.values import Value, as_number, text
from translators.tables import Table

type ValueHandler = Callable[[Site, Any], Value]
type TruthHandler = Callable[[Site, Any, bool], ir.Expr]

# What has a value of another expression, unchanged.
_WHOLE = (exp.Column, exp.Paren, exp.Subquery, exp.Min, exp.Max)
_ROWIDS = ("rowid", "_rowid_", "oid")
# How expression classes become values; each module of handlers has one, the reader lists them.
ValueTable = Table[type[exp.Expr], ValueHandler]
# How a predicate is said that must be true (or, with False, must be false). What the handler
# returns is true exactly where SQL's answer is the wanted one; where it is not, it may be false or
# null alike. That is all that WHERE, ON, HAVING and CASE ask.
TruthTable = Table[type[exp.Expr], TruthHandler]


@dataclass(frozen=True, slots=True)
class Translated:
    """A translated query and what is known of its columns: name and value.

    `single`: it has at most one row. `unique`: places of columns of which no two rows have equal
    values, nulls taken for equal; None where none are known.
    """

    statement: ir.Statement
    columns: tuple[tuple[str, Value], ...]
    single: bool = False
    unique: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Collected:
    """Texts of `node` that are joined in an order, which must leave open no text's place.

    `apart`: they are put in order by themselves, since other texts are joined in another one.
    """

    node: exp.Expr
    text: ir.Expr
    order: tuple[Sort, ...]
    distinct: bool
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Cte:
    """A common table expression and those that it can see."""

    node: exp.CTE
    ctes: dict[str, Cte]


class Queries(Protocol):
    """Translates queries below another one (`translators.from_sql.selects.queries`)."""

    def query(self, node: exp.Expr, site: Site, columns: Sequence[str] | None = None) -> Translated:
        """A subquery; `columns` are names for its result columns."""
        ...

    def derived(self, site: Site, query: exp.Expr, alias: str, node: exp.Expr) -> list[Any]:
        """The blocks of a derived table or CTE in FROM."""
        ...


@dataclass(frozen=True, slots=True)
class Handlers:
    """What translates each class of expression: as a value, and as a test that must hold."""

    values: ValueTable
    truths: TruthTable


@dataclass(frozen=True, slots=True)
class House:
    """What is the same for the whole statement.

    `padded` and `unpadded`: `translators.from_sql.statement.padding.padded_columns`.
    """

    text: SqlText
    mapping: Mapping
    schema: SchemaGraph
    # Translates queries below this one.
    queries: Queries
    rules: Rules
    handlers: Handlers
    padded: Columns = field(default_factory=dict)
    unpadded: bool = False


@dataclass(eq=False, slots=True)
class Site:
    """Translates expressions within one SELECT.

    `before` collects clauses that must run before the rows are there (uncorrelated subqueries),
    `after` those that need them. `collected` are the texts that are joined in an order. `aliases`
    are the output columns, which SQLite also resolves. `unsettled` is what an operand of the
    expression at hand is (`Value.unsettled`).
    """

    house: House
    scope: Scope
    names: Names
    ctes: dict[str, Cte] = field(default_factory=dict)
    aliases: dict[str, exp.Expr] = field(default_factory=dict)
    before: list[ir.Clause] = field(default_factory=list)
    after: list[ir.Clause] = field(default_factory=list)
    aggregates: bool = False
    collected: list[Collected] = field(default_factory=list)
    unsettled: str = ""

    def value(self, node: exp.Expr) -> Value:
        """`node` as a value.

        Raises:
            Refused: it cannot be said exactly.
            QueryTextError: it is no valid SQL.
        """
        handler = self.house.handlers.values.get(type(node))
        if handler is None:
            raise self.refused("unsupported-expression", node, "is not supported")
        value = self._computed(handler, node)
        check_use(self, node, value)
        value = self._padded(node, value)
        text = value.kind is Kind.STRING and self.house.rules.folds
        return described(self, node, value) if text else value

    def _computed(self, handler: Callable[[Site, exp.Expr], Value], node: exp.Expr) -> Value:
        """What a handler makes of `node`: a double of a double that is `unsettled` is so, too."""
        around, self.unsettled = self.unsettled, ""
        try:
            value = handler(self, node)
            if self.unsettled and value.kind is Kind.FLOAT and value.exact is None:
                value = replace(value, unsettled=value.unsettled or self.unsettled)
        finally:
            self.unsettled = around
        self.unsettled = value.unsettled or around
        return value

    def behind(self, expr: ir.Expr) -> Value | None:
        """The column in sight that an expression is."""
        for source in (source for scope in self.scope.chain() for source in scope.sources):
            names = source.names()
            if isinstance(source, NodeItem):  # of many columns at times
                key = expr.key if isinstance(expr, ir.Prop) else None
                names = tuple(c.name for c in source.table.columns if c.property == key)
            for value in map(source.value, names):
                if value.expr == expr:
                    return value
        return None

    def values(self, expr: ir.Expr) -> tuple[str, ...]:
        """All texts of a column that has a few which come again and again, else none."""
        if not isinstance(expr, ir.Prop) or not isinstance(expr.base, ir.Var):
            return ()
        sources = behind(source for scope in self.scope.chain() for source in scope.sources)
        nodes = (source for source in sources if isinstance(source, NodeItem))
        label = next((node.table.label for node in nodes if node.var == expr.base.name), None)
        named = (node for node in self.house.schema.nodes if node.name == label)
        properties = (each for node in named for each in node.properties if each.name == expr.key)
        return next((each.observed.values for each in properties), ())

    def _padded(self, node: exp.Expr, value: Value) -> Value:
        """A text with what is known of its blanks, where the source's columns pad with them."""
        columns = self.house.padded
        if not columns or value.kind is not Kind.STRING:
            return value
        if value.constant:
            literal = getattr(value.expr, "value", None)
            return replace(value, padding=of_constant(literal))
        whole = isinstance(value.expr, ir.Var | ir.Prop) or isinstance(node, _WHOLE)
        if whole and value.padding is not None:
            return value
        if isinstance(node, exp.Column) and isinstance(value.expr, ir.Prop):
            return value  # of which blanks count
        return replace(value, padding=in_texts(value.expr, columns))

    def alike(self, node: exp.Expr, sides: Sequence[Value], *, order: bool) -> list[Value]:
        """The sides of a comparison as graph languages compare them: without blanks at the end
        where these do not count, and in one case where case does not.

        Raises:
            Refused: what their collation equates or orders is not known, or not for sure.
        """
        return folded(self, node, self.unpadded(node, sides, order=order), order=order)

    def unpadded(self, node: exp.Expr, sides: Sequence[Value], *, order: bool) -> list[Value]:
        """The sides of a comparison without blanks at the end, where these do not count.

        Raises:
            Refused: a text may hold what a blank does not sort before, in a comparison of `order`,
                or blanks may count in one side and not in the other; or a collation orders texts
                otherwise than by their characters' numbers.
        """
        check_together(self, node, tuple(sides), order=order)
        texts = [side for side in sides if side.kind is Kind.STRING]
        apart = [side for side in texts if not side.constant] or texts
        free = any(side.form not in OF_DIGITS for side in apart)
        if order and free and (collation := self.house.mapping.ordering) != "BINARY":
            raise self.refused("collation", node, f"orders texts by the collation {collation}")
        if self.house.rules.folds and all(not of_value(side).collations for side in texts):
            return list(sides)  # whose blanks may count or not
        known = [side.padding for side in texts if not side.constant]
        if len(texts) < len(sides) or all(each is None for each in known):
            return list(sides)
        constants = [getattr(side.expr, "value", None) for side in texts if side.constant]
        blanks = frozenset[Blanks]().union(
            *map(of_constant, constants), *(each for each in known if each is not None)
        )
        computed = any(not isinstance(s.expr, ir.Prop) for s in texts if not s.constant)
        if None in known or (Blanks.END in blanks and self.house.unpadded and computed):
            raise self.refused("collation", node, "compares texts of which blanks may end some")
        if order and Blanks.CONTROL in blanks:
            raise self.refused("collation", node, "orders texts by characters below a blank")
        return [trimmed(side) for side in sides]

    def true(self, node: exp.Expr) -> ir.Expr:
        """A condition that holds exactly where `node` is true."""
        handler = self.house.handlers.truths.get(type(node))
        return handler(self, node, True) if handler else self.condition(node)

    def false(self, node: exp.Expr) -> ir.Expr:
        """A condition that holds exactly where `node` is false."""
        handler = self.house.handlers.truths.get(type(node))
        return handler(self, node, False) if handler else ir.Not(self.condition(node))

    def condition(self, node: exp.Expr) -> ir.Expr:
        """`node` as a three-valued predicate."""
        operand = self.value(node)
        if operand.kind in (Kind.BOOLEAN, Kind.NULL):
            return operand.expr
        if operand.numeric:
            known, expr = operand.exact, operand.expr
            if known is not None and operand.kind is Kind.FLOAT and not self.house.rules.affinity:
                near = nearest(expr, known)
                if near is None or known.cancels:
                    raise self.refused("decimal-scale", node, "may be near 0 as a float")
                expr = near
            return ir.Compare(ir.CompareOp.NE, expr, ir.Literal(0))
        raise self.refused("text-as-number", node, "is text where SQL reads a number")

    def column(self, node: exp.Column) -> Value:
        """A name, resolved as SQLite does: column, then output column, then (in double quotes)
        text; https://www.sqlite.org/quirks.html section 8. In HAVING see `output_meant`."""
        output = self.output_meant(node)
        if output is not None:
            return self._output(output)
        holder = self.holder(node)
        if holder is not None and not self.hidden(node):
            held = holder[0].value(holder[1])
            # PostgreSQL reads its one type with a zone in that of the session; the graph has UTC
            zoned = held.kind is Kind.ZONED_DATETIME and self.house.rules.name == "postgres"
            return replace(held, of_session=True) if zoned else held
        name = node.name
        alias = self.aliases.get(name.casefold())
        if alias is not None and not node.table:
            return self._output(alias)
        if self.is_text(node):
            return text(name)
        if name.casefold() in _ROWIDS and self.house.rules.rowids:
            raise self.refused("rowid", node, "is the row's number, which no graph has")
        known = [n for scope in self.scope.chain() for s in scope.sources for n in s.names()]
        message = f"There is no column '{name}'.{did_you_mean(name, known)}"
        raise self.error("unknown-column", node, message)

    def _output(self, output: exp.Expr) -> Value:
        """The value of an output column, in whose expression names are columns'."""
        aliases, self.aliases = self.aliases, {}
        try:
            return self.value(output)
        finally:
            self.aliases = aliases

    def output_meant(self, node: exp.Column) -> exp.Expr | None:
        """The output column that a name in HAVING stands for before any column, in dialects where
        one does: keys come first, then output columns, then columns. MySQL sees no columns there
        but keys and those that are selected; https://dev.mysql.com/doc/refman/8.4/en/select.html
        and https://duckdb.org/docs/stable/sql/query_syntax/having.

        Raises:
            Refused: two output columns have the name, or HAVING does not see the column.
        """
        if not self.house.rules.outputs_first or OF_ROWS in node.meta:
            return None
        select = in_having(node)
        if select is None:
            self._check_around(node)
            return None
        group = select.args.get("group")
        if any(is_named(key, node.name) for key in (group.expressions if group else ())):
            return None
        outputs = outputs_named(select, node.name) if not node.table else []
        if len(outputs) > 1:
            raise self.refused("having", node, "is the name of two output columns")
        if outputs:
            return outputs[0]
        selected = any(e.is_star or is_named(e.unalias(), node.name) for e in select.expressions)
        holder = self.holder(node) if self.house.rules.name == "mysql" and not selected else None
        if holder is not None and any(holder[0] is source for source in self.scope.sources):
            raise self.refused("having", node, "is neither selected nor grouped by")
        return None

    def _check_around(self, node: exp.Column) -> None:
        """See that a name in a subquery of HAVING is no output column's of the query around.

        Raises:
            Refused: it may be, and which one goes first hangs on what the server can see there.
        """
        having = node.find_ancestor(exp.Having)
        if node.table or any(source.find(node.name) for source in self.scope.sources):
            return
        while having is not None:
            select = having.parent
            if isinstance(select, exp.Select) and select is not node.parent_select:
                open_ = bool(select.args.get("group")) or self.holder(node) is None
                if open_ and outputs_named(select, node.name):
                    raise self.refused("having", node, "is an output column, in a subquery")
            having = having.find_ancestor(exp.Having)

    def all_columns(self, star: exp.Expr) -> list[tuple[FromItem, str]]:
        """The columns of `*`, in order.

        Raises:
            Refused: the order is open.
        """
        if self.scope.order is None:
            sentence = "is behind a join by columns whose left side begins at a comma or a JOIN"
            raise self.refused("open-name", star, sentence)
        return self.scope.columns()

    def is_text(self, node: exp.Column) -> bool:
        """Whether a name that is no column is a text in double quotes."""
        name = node.this
        return (
            self.house.rules.quoted_text
            and not node.table
            and isinstance(name, exp.Identifier)
            and self.house.text.quote(name) == '"'
        )

    def holder(self, node: exp.Column) -> tuple[FromItem, str] | None:
        """The source and exact name of a column, or None where no source has it."""
        name = node.name
        if node.table:
            source = self.scope.named(node.table)
            if source is None:
                known = [s.name for scope in self.scope.chain() for s in scope.sources]
                hint = did_you_mean(node.table, known)
                raise self.error("unknown-table", node, f"There is no '{node.table}' here.{hint}")
            exact = source.find(name)
            if exact is None:
                if name.casefold() in _ROWIDS and self.house.rules.rowids:
                    raise self.refused("rowid", node, "is the row's number, which no graph has")
                hint = did_you_mean(name, source.names())
                message = f"'{node.table}' has no column '{name}'.{hint}"
                raise self.error("unknown-column", node, message)
            return source, exact
        holders = self.scope.holders(name)
        if len(holders) > 1:
            raise self.error("ambiguous-column", node, f"The column '{name}' is ambiguous.")
        return holders[0] if holders else None

    def hidden(self, node: exp.Column) -> bool:
        """Whether an output column hides a column of the queries around: where rows are grouped or
        sorted by its name, in SQLite in all conditions."""
        folded = node.name.casefold()
        if node.table or folded not in self.aliases:
            return False
        if any(source.find(node.name) for source in self.scope.sources):
            return False
        inner: exp.Expr = node
        while isinstance(inner.parent, exp.Paren):
            inner = inner.parent
        if isinstance(inner.parent, exp.Group | exp.Ordered):
            return True
        while inner.parent is not None and not isinstance(inner.parent, exp.Select):
            inner = inner.parent
        clauses = (exp.Where, exp.Having, exp.Group, exp.Order)
        return self.house.rules.affinity and isinstance(inner, clauses)

    def attach(self, query: ir.Statement) -> None:
        """Run a subquery before it is needed; where it is correlated, rows come first."""
        imports = tuple(name for name in self.row_names() if name in variables(query))
        (self.after if imports else self.before).append(ir.Subquery(query, imports))

    def row_names(self) -> list[str]:
        """All variables that a subquery here can see."""
        return [*self.scope.rows(), *(n for clause in self.after for n in bound_by(clause))]

    def number(self, node: exp.Expr, operand: Value | None = None) -> Value:
        """`node` where SQL computes with numbers; `operand` is its value, if that is known."""
        operand = operand or self.value(node)
        number = as_number(operand)
        if number is not None and (
            self.house.rules.reads_numbers or not (operand.temporal or operand.kind is Kind.STRING)
        ):
            return number
        if operand.temporal:
            raise self.refused(
                "text-as-number", node, "is a date or time where SQL computes with numbers"
            )
        raise self.refused("text-as-number", node, "is text where SQL computes with numbers")

    def grouped(self, node: exp.Expr, value: Value, *, apart: bool = False) -> Value:
        """`value` where equal ones become one, or are put in order; `apart`: where they do not."""
        if not apart:
            check_together(self, node, (value,))
        if value.loose:
            raise self.refused("mixed-types", node, "holds equal numbers with several texts")
        if self.house.rules.folds:
            if not apart:
                one_spelling(self, node, value)
        elif value.collation != "BINARY":
            raise self.refused("collation", node, "sorts or groups under a collation of its own")
        if not apart and value.padding is not None and Blanks.END in value.padding:
            raise self.refused("collation", node, "makes one of texts with blanks at the end")
        return value

    def refused(self, code: str, node: exp.Expr, sentence: str) -> Refused:
        """A refusal of `node`: its SQL and the sentence that goes on from there."""
        sql = node.sql(dialect=self.house.rules.name)
        shown = sql if len(sql) <= 80 else sql[:77] + "…"
        return Refused(code, type(node).__name__, f"{shown} {sentence}.", self.span(node))

    def error(self, code: str, node: exp.Expr, message: str) -> QueryTextError:
        """A semantic error of the input."""
        span = self.span(node)
        line, column = (span.line, span.column) if span else (1, 1)
        return QueryTextError(message, kind="semantic", code=code, line=line, column=column)

    def span(self, node: exp.Expr) -> Any:
        """Where `node` stands in the text."""
        return self.house.text.span(node)


def names_cte(table: exp.Table, name: str) -> bool:
    """Whether a table of FROM is the CTE of that name: with a schema before it, it is a table."""
    return table.name.casefold() == name.casefold() and not table.db


def conjuncts(node: exp.Expr | None) -> list[exp.Expr]:
    """The parts of a condition that AND joins, in order."""
    if node is None:
        return []
    if isinstance(node, exp.Paren) and isinstance(node.this, exp.And | exp.Paren):
        return conjuncts(node.this)
    if isinstance(node, exp.And):
        return [*conjuncts(node.this), *conjuncts(node.expression)]
    return [node]
