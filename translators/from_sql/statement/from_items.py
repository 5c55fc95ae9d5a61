"""What can stand in FROM: tables that became nodes or edges, and derived tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from graph_ir import nodes as ir
from schemagraph.mapping import Column, EdgeTable, NodeTable, TextForm
from schemagraph.model import Kind
from schemagraph.temporal import ISO, format_of
from translators.from_sql.statement.prints import printed
from translators.from_sql.statement.values import Value, as_integer, column


class FromItem:
    """One item of FROM. `optional`: rows may be missing (the right side of LEFT JOIN)."""

    name: str
    optional: bool

    def names(self) -> tuple[str, ...]:
        """Column names, in order."""
        raise NotImplementedError

    def value(self, name: str) -> Value:
        """The column of exactly this name."""
        raise NotImplementedError

    def ref(self, name: str) -> tuple[FromItem, Column] | None:
        """The table's column behind a column, if it is one."""
        return None

    def find(self, name: str) -> str | None:
        """The exact name of a column, given in any case."""
        folded = name.casefold()
        return next((n for n in self.names() if n.casefold() == folded), None)


@dataclass(eq=False, slots=True)
class NodeItem(FromItem):
    """A row of a node table: the variable `var`."""

    name: str
    table: NodeTable
    var: str
    optional: bool = False

    def names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.table.columns)

    def column(self, name: str) -> Column:
        """The column of exactly this name."""
        return next(c for c in self.table.columns if c.name == name)

    def value(self, name: str) -> Value:
        described = self.column(name)
        expr = ir.Prop(ir.Var(self.var), described.property)
        table = self.table.table
        return column(expr, described, row=self.var, optional=self.optional, table=table)

    def ref(self, name: str) -> tuple[FromItem, Column] | None:
        return self, self.column(name)


@dataclass(eq=False, slots=True)
class Ending:
    """One end of an edge source: its columns, and the node variable once it is known."""

    columns: tuple[str, ...]
    table: NodeTable
    referenced: tuple[str, ...]
    var: str = ""
    # The node is there without the edge: an optional edge at a node that was bound before.
    shared: bool = False

    def column(self, name: str) -> Column:
        """The column of the end node that the end's column `name` references."""
        other = self.referenced[self.columns.index(name)]
        return next(c for c in self.table.columns if c.name == other)


@dataclass(eq=False, slots=True)
class EdgeItem(FromItem):
    """A row of a link table: the edge variable `var` between two node variables."""

    name: str
    table: EdgeTable
    var: str
    ends: tuple[Ending, Ending]
    optional: bool = False

    def names(self) -> tuple[str, ...]:
        return edge_columns(self.table)

    def column(self, name: str) -> Column:
        """The column of exactly this name, property or end."""
        both = (*self.table.columns, *self.table.end_columns)
        return next(c for c in both if c.name == name)

    def value(self, name: str) -> Value:
        described = self.column(name)
        for end in self.ends:
            if name in end.columns:
                other = end.column(name)
                expr: ir.Expr = ir.Prop(ir.Var(end.var), other.property)
                if self.optional and end.shared:
                    there = ir.IsNull(ir.Var(self.var), negated=True)
                    expr = ir.Case((ir.When(there, expr),))
                whole = self._restored(expr, described, other)
                end_node = column(expr, other, row="", optional=True, table=end.table.table)
                return replace(whole, spelled=end_node.spelled, columns=end_node.columns)
        expr = ir.Prop(ir.Var(self.var), described.property)
        table = self.table.table
        return column(expr, described, row=self.var, optional=self.optional, table=table)

    def _restored(self, expr: ir.Expr, own: Column, other: Column) -> Value:
        """An end's column, of which the graph has the value that it references."""
        value = column(expr, own, row=self.var, optional=self.optional)
        if own.unseen or other.unseen:
            free = replace(value, kind=Kind.STRING, form=TextForm.FREE, format=ISO, ascii=False)
            return replace(free, mixed=True, loose=True, integers=False, unseen=True)
        if own.type.kind is other.type.kind:
            return replace(value, format=format_of(other.format))
        there = column(expr, other, row="", optional=True)
        if there.kind is Kind.BOOLEAN:
            there = as_integer(there)
        if own.type.kind is Kind.BOOLEAN:
            return replace(value, expr=there.expr, kind=there.kind)
        if value.temporal:
            written = TextForm.DATE if value.kind is Kind.DATE else TextForm.FREE
            return replace(value, kind=Kind.STRING, form=written, format=ISO, ascii=True)
        if there.temporal:
            return replace(value, expr=printed(there).expr)
        made = {Kind.STRING: "toString", Kind.INTEGER: "toInteger", Kind.FLOAT: "toFloat"}
        if there.kind is value.kind or value.kind not in made:
            return replace(value, expr=there.expr)
        return replace(value, expr=ir.Call(made[value.kind], (there.expr,)))

    def ref(self, name: str) -> tuple[FromItem, Column] | None:
        return self, self.column(name)


def edge_columns(table: EdgeTable) -> tuple[str, ...]:
    """All column names of a link table, as it has them."""
    return table.order or tuple(c.name for c in (*table.end_columns, *table.columns))


@dataclass(eq=False, slots=True)
class Derived(FromItem):
    """A derived table or CTE whose columns are values: variables, once its clauses have run.

    `unique` are those of which no two rows have equal values, None where none are known.
    """

    name: str
    columns: tuple[tuple[str, Value], ...]
    unique: frozenset[str] | None = None
    optional: bool = False

    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.columns)

    def value(self, name: str) -> Value:
        output = next(value for other, value in self.columns if other == name)
        if not self.optional:
            return output
        return replace(output, nullable=True)


@dataclass(eq=False, slots=True)
class View(FromItem):
    """A derived table that was merged into the query around it: its columns are those of its
    own `sources`."""

    name: str
    columns: tuple[tuple[str, tuple[FromItem, str]], ...]
    sources: tuple[FromItem, ...] = ()
    optional: bool = False

    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.columns)

    def _behind(self, name: str) -> tuple[FromItem, str]:
        return next(behind for other, behind in self.columns if other == name)

    def value(self, name: str) -> Value:
        source, inner = self._behind(name)
        return source.value(inner)

    def ref(self, name: str) -> tuple[FromItem, Column] | None:
        source, inner = self._behind(name)
        return source.ref(inner)


@dataclass(eq=False, slots=True)
class Scope:
    """The sources of one SELECT, by name, inside the scope of the query around it."""

    parent: Scope | None = None
    sources: list[FromItem] = field(default_factory=list)
    # Columns that USING or NATURAL merged away: (source, column) -> hidden from bare names.
    merged: set[tuple[int, str]] = field(default_factory=set)
    # The columns in the order of `*`, where joins by USING or NATURAL change that of the sources;
    # None where it is open.
    order: list[tuple[FromItem, str]] | None = field(default_factory=list)

    def columns(self) -> list[tuple[FromItem, str]]:
        """What `*` stands for: each column that no join hides, and its source."""
        order = self.order or []
        placed = {id(source) for source, _ in order}
        rest = [(s, n) for s in self.sources if id(s) not in placed for n in s.names()]
        return [pair for pair in (*order, *rest) if (id(pair[0]), pair[1]) not in self.merged]

    def chain(self) -> Iterator[Scope]:
        """This scope and those around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def named(self, name: str) -> FromItem | None:
        """The source of this name in any case, here or around."""
        folded = name.casefold()
        for scope in self.chain():
            for source in scope.sources:
                if source.name.casefold() == folded:
                    return source
        return None

    def holders(self, name: str) -> list[tuple[FromItem, str]]:
        """The sources of the nearest scope that have a column `name`, and its exact name."""
        for scope in self.chain():
            holders = [
                (source, exact)
                for source in scope.sources
                if (exact := source.find(name)) and (id(source), exact) not in scope.merged
            ]
            if holders:
                return holders
        return []

    def rows(self) -> list[str]:
        """The variables of all rows in sight, of the queries around too."""
        return row_variables(source for scope in self.chain() for source in scope.sources)


def behind(sources: Iterable[FromItem]) -> Iterator[FromItem]:
    """The sources, and in place of merged derived tables those behind them."""
    for source in sources:
        if isinstance(source, View):
            yield from behind(source.sources)
        else:
            yield source


def row_variables(sources: Iterable[FromItem]) -> list[str]:
    """The variables that sources bind."""
    names: list[str] = []
    for source in sources:
        if isinstance(source, NodeItem):
            names.append(source.var)
        elif isinstance(source, EdgeItem):
            names += [source.var, *(end.var for end in source.ends)]
        elif isinstance(source, Derived):
            names += [v.expr.name for _, v in source.columns if isinstance(v.expr, ir.Var)]
        elif isinstance(source, View):
            names += row_variables(source.sources)
    return list(dict.fromkeys(name for name in names if name))
