"""SQL/PGQ: one SELECT over GRAPH_TABLE, or SELECTs nested in its FROM.

All MATCH clauses before the first projection are one graph pattern, whose edges are kept apart by
TRAIL within a path and by SAME between paths, since a pattern of SQL/PGQ may pass an edge twice.
Conditions on the pattern stand in it; everything after it is SQL over the columns that it gives:
grouping, HAVING, DISTINCT, ORDER BY. An element is grouped by its key, which the schema tells.

The texts are those of ISO/IEC 9075-16:2023 and 9075-2:2023, as far as GoogleSQL's analyser judges
them (`graphmill check --language pgq`). Nothing here executes them. How the graph is declared is
said in `schemagraph.spanner`, whose names of labels and properties are used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.lowerings import (
    aggregates,
    conjunction,
    ordered_columns,
    substitute,
    whole_number,
)
from graph_ir.ordering import order_at_end
from graph_ir.walk import rewrite
from graphmill.errors import Refused
from schemagraph.model import Kind, NodeType
from translators.base import Rendered
from translators.gql.emit.clauses import branches, columns
from translators.gql.emit.dialect import Gql
from translators.gql.emit.scope import FoldedNames, Scope
from translators.gql.emit.values import kind_of
from translators.gql.spanner import patterns
from translators.gql.spanner.dialect import Spanner
from translators.gql.spanner.types import one_type
from translators.pgq import values
from translators.pgq.stages import (
    Stage,
    column,
    column_name,
    is_element,
    properties,
    stages,
    stands_alone,
)
from translators.pgq.text import identifier, variable
from translators.pgq.values import UNSAID


@dataclass(slots=True)
class Source:
    """What a SELECT reads: its name, and the expressions over the pattern that its columns hold.

    GRAPH_TABLE is open: it has what columns are asked of it.
    """

    name: str
    given: dict[ir.Expr, str]
    is_open: bool = False

    def column(self, name: str) -> str:
        """A column by its name."""
        return f"{self.name}.{identifier(name)}"

    def holds(self, node: ir.Expr, hint: str) -> str:
        """The name of the column that holds `node`; one that is made here reads like `hint`."""
        if node not in self.given:
            if not self.is_open:
                raise Refused(
                    "unsupported-expression",
                    "GROUP BY",
                    "SQL groups by columns, and this is computed from those of a derived table.",
                    node.span,
                )
            self.given[node] = free(hint, self.given.values())
        return self.given[node]


def free(hint: str, taken: Iterable[str]) -> str:
    """`hint`, with a number where SQL could not tell it from a name that is taken."""
    names, name, number = FoldedNames(taken), hint, 1
    while name in names:
        number += 1
        name = f"{hint}_{number}"
    return name


class Pgq(Spanner):
    """SQL/PGQ from bound IR; it needs the schema of the graph."""

    name: ClassVar[str] = "pgq"
    UNSUPPORTED: ClassVar[Mapping[type[ir.Node], tuple[str, str]]] = UNSAID

    # Whether the expression at hand is over columns, and those.
    outside: bool = False
    source: Source

    identifier = values.identifier_text
    text = values.string_text
    number_text = values.number_text
    emit_Var = values.variable
    emit_Prop = values.prop
    component = values.component
    emit_IsNull = values.is_null
    emit_Compare = values.compare
    emit_Bool = values.connective
    emit_Not = values.not_
    negation = values.negation
    emit_Text = values.text_test
    emit_In = values.in_list
    member_true = values.member_true
    member_false = values.member_false
    emit_Arith = values.arith
    emit_Neg = values.neg
    emit_Case = values.case_of
    emit_Call = values.call
    emit_Agg = values.agg
    aggregate = values.agg
    sort_key = Gql.sort_key

    def generate(self, query: ir.Statement) -> Rendered:
        try:
            rendered = super().generate(order_at_end(query))
        except Refused as refused:
            # What both say alike is refused in one place, which speaks of Spanner.
            reason = refused.reason.replace("Spanner's GQL", "SQL/PGQ").replace(
                "Spanner", "SQL/PGQ"
            )
            raise Refused(refused.code, refused.construct, reason, refused.span) from None
        return replace(rendered, text=rendered.text.lstrip())

    def graph(self) -> str:
        return ""

    def outermost(self) -> Scope:
        return Scope(taken=FoldedNames(), allowed=variable)

    # --- statements --------------------------------------------------------------------------

    def statement(self, node: ir.Statement, outputs: Mapping[str, str] | None) -> str:
        if isinstance(node, ir.Query):
            return self.select(node)
        names = columns(node)
        queries = [ordered_columns(query, names) for query in branches(node)]
        for number, name in enumerate(names):
            sides = [query.clauses[-1] for query in queries]
            exprs = [side.items[number].expr for side in sides if isinstance(side, ir.Project)]
            kinds = {kind_of(values.scalar(expr, name)) for expr in exprs}
            if len(kinds) > 1:
                one_type(exprs[0], exprs, "A column of UNION")
        joint = "UNION ALL" if node.all else self.UNION
        return f"\n{joint}\n".join(map(self.side_of_union, queries))

    def side_of_union(self, query: ir.Query) -> str:
        """One side of a UNION, in parentheses where it is cut."""
        return f"({self.select(query)})" if is_cut(query) else self.select(query)

    def select(self, query: ir.Query) -> str:
        """The text of one query."""
        matches, projects = _split(query)
        outer, self.scope = self.scope, self.scope.inner()
        paths, where = self.pattern(matches)
        done = stages(projects)
        source, text = Source(self._named("g", projects), {}, is_open=True), ""
        for number, stage in enumerate(done):
            later = [part for other in done[number + 1 :] for part in other.parts()]
            self.source = source
            head, tail, passed = self.stage(stage, later, last=number == len(done) - 1)
            body = "\n  ".join(text.split("\n"))
            origin = f"({body})" if number else self._graph_table(paths, where)
            text = f"{head}\nFROM {origin} AS {source.name}{tail}"
            source = Source(self._named("t", projects), passed)
        self.scope = outer
        return text

    def _named(self, hint: str, projects: Sequence[ir.Project]) -> str:
        """A name for what a SELECT reads: no column of the query is called so."""
        aliases = [item.alias for project in projects for item in project.items]
        name = free(hint, [*self.scope.taken, *aliases])
        self.scope.taken.add(name)
        return name

    def _graph_table(self, paths: Sequence[str], where: ir.Expr | None) -> str:
        """The inside of GRAPH_TABLE: the graph, the pattern, its condition and the columns."""
        self.outside = False
        text = f"GRAPH_TABLE ({self.identifier(self.names.schema.name)}\n  MATCH {', '.join(paths)}"
        if where is not None:
            text += f"\n  WHERE {self.condition(where)}"
        shown = []
        for node, name in self.source.given.items():
            made, called = self.emit(node), self.identifier(name)
            own = isinstance(node, ir.Prop) and made.rpartition(".")[2] == called
            shown.append(made if own else f"{made} AS {called}")
        return f"{text}\n  COLUMNS ({', '.join(shown) or '1 AS one'}))"

    def pattern(self, matches: Sequence[ir.Match]) -> tuple[list[str], ir.Expr | None]:
        """The path patterns of all MATCH clauses as one graph pattern, and its condition."""
        tests: list[ir.Expr] = []
        nodes: list[ir.Match] = []
        for node in matches:
            if node.optional:
                raise Refused(
                    "unsupported-clause",
                    "OPTIONAL MATCH",
                    "SQL/PGQ has no optional pattern.",
                    node.span,
                )
            self.no_edge_twice(node)
            for path in node.paths:
                patterns.possible(self, path)
            node = patterns.opened_tests(self, self._conditions(node))
            node = patterns.different_edges(self, node)
            for path in node.paths:
                self.declare(path)
            nodes.append(node)
            if node.where is not None:
                tests.append(node.where)
        self.outside = False
        paths = [self.emit(replace(path, var=None)) for node in nodes for path in node.paths]
        return paths, conjunction(*tests)

    # --- one SELECT --------------------------------------------------------------------------

    def stage(
        self, stage: Stage, later: Sequence[ir.Expr], *, last: bool
    ) -> tuple[str, str, dict[ir.Expr, str]]:
        """The SELECT list, what stands behind FROM, and the properties that are passed on."""
        self.outside = True
        self.grouped = bool(stage.keys)
        if stage.keys == () and not any(aggregates(part) for part in stage.parts()):
            raise Refused("aggregate", "WITH", "Rows are aggregated, and no aggregate is returned.")
        hints = {item.expr: item.alias for item in reversed(stage.columns)}
        keys = self._keys(stage, later)
        for node in [*keys, *(item.expr for item in stage.columns)]:
            computed = node in keys and (not isinstance(node, ir.Var) or column_name(node) is None)
            if computed or (isinstance(node, ir.Prop) and is_element(node.base)):
                hint = hints.get(node, node.key if isinstance(node, ir.Prop) else "value")
                self.source.holds(node, hint if variable(hint) else _plain(node))
        columns_: dict[ir.Expr, ir.Expr] = {
            key: column(self.source.given[key], key) for key in keys if key in self.source.given
        }
        shown: dict[str, str] = {}
        passed: dict[ir.Expr, str] = {}
        aliases = [item.alias for item in stage.columns if not is_element(item.expr)]
        for item in stage.columns:
            if is_element(item.expr) and not last:
                key = self.key_of(item.expr) if stage.distinct else ()
                for prop in dict.fromkeys([*key, *self._asked_of(item.expr, later)]):
                    passed[prop] = free(self.source.holds(prop, prop.key), [*shown, *aliases])
                    shown[passed[prop]] = self.emit(prop)
            else:
                values.scalar(item.expr, item.alias)
                shown[item.alias] = self.emit(substitute(item.expr, columns_))
        if not shown:
            raise Refused("no-columns", "WITH", "No column of a derived table is asked for.")
        items = [
            text if text == self.source.column(name) else f"{text} AS {self.identifier(name)}"
            for name, text in shown.items()
        ]
        text = self._behind(stage, keys, columns_)
        return f"SELECT {'DISTINCT ' if stage.distinct else ''}{', '.join(items)}", text, passed

    def _behind(
        self, stage: Stage, keys: Sequence[ir.Expr], columns_: Mapping[ir.Expr, ir.Expr]
    ) -> str:
        """WHERE to FETCH FIRST of a SELECT, each on a line of its own."""
        text = ""
        if stage.where:
            text += f"\nWHERE {self._all(stage.where, {})}"
        if keys:
            text += f"\nGROUP BY {', '.join(self.emit(columns_.get(key, key)) for key in keys)}"
        elif stage.keys == () and not any(aggregates(item.expr) for item in stage.columns):
            # The one group of all rows, which only an aggregate of the SELECT list makes by itself.
            text += "\nGROUP BY ()"
        if stage.having:
            text += f"\nHAVING {self._all(stage.having, columns_)}"
        order = [self._sorted(key, stage, columns_) for key in stage.order]
        if any(order):
            text += f"\nORDER BY {', '.join(filter(None, order))}"
        if stage.skip is not None:
            text += f"\nOFFSET {_rows(stage.skip, 0)} ROWS"
        if stage.limit is not None:
            text += f"\nFETCH FIRST {_rows(stage.limit, 1)} ROWS ONLY"
        return text

    def _keys(self, stage: Stage, later: Sequence[ir.Expr]) -> list[ir.Expr]:
        """The columns that rows are grouped by: of an element its key, and what is asked of it."""
        keys: dict[ir.Expr, None] = {}
        beside = [item.expr for item in stage.columns] + stage.having
        beside += [key.expr for key in stage.order]
        for key in stage.keys or ():
            if not is_element(key):
                keys[values.scalar(key, "GROUP BY")] = None
                continue
            keys |= dict.fromkeys(self.key_of(key))
            keys |= dict.fromkeys(p for p in properties(beside) if p.base == key)
            if key in beside:
                keys |= dict.fromkeys(self._asked_of(key, later))
        return [*keys]

    def _asked_of(self, element: ir.Expr, later: Sequence[ir.Expr]) -> list[ir.Prop]:
        """The properties of an element that later SELECTs ask for, with its key where it is."""
        asked = [prop for prop in properties(later) if prop.base == element]
        alone = any(stands_alone(element, part) for part in later)
        return list(dict.fromkeys([*(self.key_of(element) if alone else ()), *asked]))

    def key_of(self, element: ir.Expr) -> list[ir.Prop]:
        """The properties that tell an element from all others of its type.

        Raises:
            Refused: its type, or a key of it, is not known.
        """
        of = replace(element.type, kind=kind_of(element))
        types = [*self.index.members(of.kind, self.index.mask(of))]
        kind = types[0] if len(types) == 1 else None
        if not isinstance(kind, NodeType) or not kind.key or not of.of:
            raise Refused(
                "element-key",
                element.name if isinstance(element, ir.Var) else "element",
                "SQL tells elements apart by a key, and the schema has none for these.",
                element.span,
            )
        return [
            ir.Prop(element, name, type=prop.type)
            for name in kind.key
            if (prop := kind.property(name)) is not None
        ]

    def _all(self, tests: Sequence[ir.Expr], columns_: Mapping[ir.Expr, ir.Expr]) -> str:
        """All tests together."""
        for test in tests:
            values.scalar(test, "WHERE")
        both = conjunction(*(substitute(test, columns_) for test in tests))
        return self.condition(both) if both is not None else ""

    def _sorted(
        self, key: ir.SortKey, stage: Stage, columns_: Mapping[ir.Expr, ir.Expr]
    ) -> str | None:
        """A sort key; None for a constant, which sorts nothing and would be a column's number."""
        if isinstance(key.expr, ir.Literal):
            return None
        values.scalar(key.expr, "ORDER BY")
        names = {item.expr: item.alias for item in reversed(stage.columns)}
        if key.expr in names:
            return self.sort_key(self.identifier(names[key.expr]), key, key.expr)
        return self.sort_key(self.emit(substitute(key.expr, columns_)), key, key.expr)

    # --- patterns ----------------------------------------------------------------------------

    def node_labels(self, labels: ir.LabelExpr) -> str:
        return f"IS {Spanner.node_labels(self, labels)[1:]}"

    def edge_labels(self, labels: ir.LabelExpr) -> str:
        return f"IS {Spanner.edge_labels(self, labels)[1:]}"

    def filled(self, node: ir.NodePattern | ir.EdgePattern, name: str | None, labels: str) -> str:
        where = "" if node.where is None else f"WHERE {self.condition(node.where)}"
        return " ".join(part for part in (name, labels, where) if part)

    def _conditions(self, node: ir.Match) -> ir.Match:
        """The same MATCH with a WHERE inside of elements for their property maps."""
        names = patterns.invented(self, "element", node)

        def change(part: ir.Node) -> ir.Node:
            if not isinstance(part, ir.NodePattern | ir.EdgePattern) or part.props is None:
                return part
            if isinstance(part.props, ir.Param):
                raise Refused(
                    "parameter-map",
                    f"${part.props.name}",
                    "The properties of a pattern are named in SQL/PGQ.",
                    node.span,
                )
            name = part.var or next(names)
            kind = Kind.EDGE if isinstance(part, ir.EdgePattern) else Kind.NODE
            element = ir.Var(name, type=replace(part.type, kind=kind))
            tests = []
            for entry in part.props.entries:
                of = self.type_of(element.type, entry.key, self.asked(part))
                prop = ir.Prop(element, entry.key, type=of)
                tests.append(ir.Compare(ir.CompareOp.EQ, prop, entry.value))
            return replace(part, var=name, props=None, where=conjunction(*tests, part.where))

        return replace(node, paths=tuple(rewrite(path, change) for path in node.paths))


def is_cut(query: ir.Query) -> bool:
    """Whether a query orders its rows or takes some of them."""
    last = query.clauses[-1]
    return isinstance(last, ir.Project) and bool(last.order or last.skip or last.limit)


def _split(query: ir.Query) -> tuple[list[ir.Match], list[ir.Project]]:
    """The MATCH clauses at the beginning, and the projections behind them."""
    matches: list[ir.Match] = []
    projects: list[ir.Project] = []
    for clause in query.clauses:
        if isinstance(clause, ir.WRITES):
            code, reason = UNSAID[type(clause)]
            raise Refused(code, type(clause).__name__, reason, clause.span)
    for clause in query.clauses:
        if isinstance(clause, ir.Project):
            projects.append(clause)
        elif isinstance(clause, ir.Match) and not projects:
            matches.append(clause)
        else:
            code, reason = UNSAID.get(type(clause), UNSAID[ir.Unwind])
            raise Refused(code, type(clause).__name__, reason, clause.span)
    if not matches:
        raise Refused("unsupported-clause", "RETURN", "SQL/PGQ reads a pattern.", query.span)
    return matches, projects


def _plain(node: ir.Expr) -> str:
    """A name for the column of an expression."""
    if isinstance(node, ir.Prop) and variable(node.key):
        return node.key
    return "value_1"


def _rows(node: ir.Expr, least: int) -> str:
    number = whole_number(node)
    if number is None or number < least:
        # Clause 7.17: no row at all is an error.
        code = "limit-expression" if number is None else "limit"
        raise Refused(code, "LIMIT", "OFFSET and FETCH FIRST take a number of rows.", node.span)
    return str(number)
