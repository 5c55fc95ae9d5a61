"""SQL/PGQ as grafeo 0.6 runs it: the part of it that both share.

grafeo takes no graph name, no IS before labels, no WHERE inside of an element, no TRAIL, no list
behind IN, no dates, no NULLS FIRST, no FETCH FIRST, no derived tables, no UNION of more than two,
and names every column. Its nulls are last, or first where it goes down, as Cypher's. Everything
that is computed stands in COLUMNS, since its ORDER BY knows columns of GRAPH_TABLE and of
aggregates only. What has no sound form here is refused with `engine-limit`. Measured on 0.6.0
(docs/measurements.md).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates
from graph_ir.numbers import below_zero_names, may_be_below_zero
from graph_ir.reference.folding import folds_as_floats
from graph_ir.variables import introduced
from graph_ir.walk import find, rewrite
from graphmill.errors import Refused, Span
from schemagraph.model import Kind
from translators.base import Rendered
from translators.gql.emit.operators import COMPARE, EITHER, NEGATION, OPERATORS
from translators.gql.emit.uniqueness import can_repeat_edge
from translators.gql.emit.values import kind_of
from translators.grafeo.collections import wide_pair
from translators.grafeo.comparisons import ends_meet, orders_zeros
from translators.pgq import text as spelling
from translators.pgq.dialect import Pgq, is_cut
from translators.pgq.stages import Stage, is_element
from translators.pgq.values import UNSAID
from translators.printing import Code

_NULLS = re.compile(r" NULLS (?:FIRST|LAST)$")
_PLAIN_KINDS = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING})
# Words that grafeo takes for something else where a name stands.
_WORDS = frozenset(("IN", "IS", "AS", "WHERE", "MATCH", "COLUMNS", "CONTAINS", "STARTS", "ENDS"))


def _limit(construct: str, reason: str, span: Span | None = None) -> Refused:
    return Refused("engine-limit", construct, f"grafeo {reason}.", span)


_CASE = ("engine-limit", "grafeo is not asked for CASE in SQL.")
_LABELS = ("engine-limit", "grafeo knows one label in SQL.")


class PgqGrafeo(Pgq):
    """The profile of SQL/PGQ for grafeo."""

    name: ClassVar[str] = "pgq-grafeo"
    UNION: ClassVar[str] = "UNION"
    UNSUPPORTED: ClassVar[Mapping[type[ir.Node], tuple[str, str]]] = {
        **UNSAID,
        ir.Case: _CASE,
        ir.When: _CASE,
        ir.LabelAnd: _LABELS,
        ir.LabelAny: _LABELS,
        ir.LabelNot: _LABELS,
        ir.LabelOr: _LABELS,
        ir.LabelTest: ("engine-limit", "grafeo tests no labels in SQL."),
    }

    def generate(self, query: ir.Statement) -> Rendered:
        self._below_zero = below_zero_names(query, reference=True)
        return super().generate(_one_edge_a_path(query))

    # --- names and constants -----------------------------------------------------------------

    def identifier(self, name: str) -> str:
        if '"' in name or not name.isprintable():
            raise _limit(repr(name), "escapes no quote in a name")
        if name.upper() in _WORDS:
            return f'"{name}"'
        return spelling.identifier(name)

    def text(self, value: str) -> str:
        if set(value) & set("'\\") or not value.isprintable():
            raise _limit(repr(value), "escapes nothing in a text of SQL")
        return f"'{value}'"

    def emit_Prop(self, node: ir.Prop) -> str:
        if is_element(node.base) and not self.outside:
            own = self.names.properties_meant
            if own.get(node.key.casefold()) != node.key:
                raise _limit(f".{node.key}", "has properties by their own names only", node.span)
            if [*own.values()].count(node.key) > 1:
                raise _limit(f".{node.key}", "takes a text for the number it spells", node.span)
            if kind_of(node) not in _PLAIN_KINDS:
                raise _limit(
                    f".{node.key}", f"is not asked for a {kind_of(node)} in SQL", node.span
                )
            return f"{self.emit(node.base)}.{self.identifier(node.key)}"
        return super().emit_Prop(node)

    # --- patterns ----------------------------------------------------------------------------

    def node_labels(self, labels: ir.LabelExpr) -> str:
        return f":{self._one_label(labels)}"

    def edge_labels(self, labels: ir.LabelExpr) -> str:
        return f":{self._one_label(labels)}"

    def _one_label(self, labels: ir.LabelExpr) -> str:
        if not isinstance(labels, ir.LabelName):
            raise _limit("labels", "knows one label in SQL", labels.span)
        if labels.name not in self.names.labels_meant.values():
            raise _limit(f":{labels.name}", "has no element of it", labels.span)
        return self.identifier(labels.name)

    def label_test(
        self, variable: str, labels: ir.LabelExpr, *, edge: bool, negated: bool = False
    ) -> str:
        raise _limit("IS LABELED", "tests no labels in SQL", labels.span)

    def filled(self, node: ir.NodePattern | ir.EdgePattern, name: str | None, labels: str) -> str:
        return f"{name or ''}{labels}"

    def _conditions(self, node: ir.Match) -> ir.Match:
        node = super()._conditions(node)
        tests: list[ir.Expr] = []

        def change(part: ir.Node) -> ir.Node:
            if isinstance(part, ir.NodePattern | ir.EdgePattern) and part.where is not None:
                tests.append(part.where)
                return replace(part, where=None)
            return part

        paths = tuple(rewrite(path, change) for path in node.paths)
        walked = [path for path in node.paths if path.selector is None]
        if any(edge.hops for path in walked for edge in find(path, ir.EdgePattern)):
            raise _limit("*", "walks an edge again in SQL", node.span)
        given = [node.where] if node.where is not None else []
        both = [*tests, *given]
        where = None if not both else both[0] if len(both) == 1 else _all(both)
        return replace(node, paths=paths, where=where)

    # --- expressions -------------------------------------------------------------------------

    def emit_Compare(self, node: ir.Compare) -> str:
        equality = node.op in (ir.CompareOp.EQ, ir.CompareOp.NE)
        if not equality and Kind.BOOLEAN in (kind_of(node.left), kind_of(node.right)):
            raise _limit(node.op.value, "has no order of truth values", node.span)
        if orders_zeros(node) and any(
            may_be_below_zero(side, self._below_zero, reference=True)
            for side in (node.left, node.right)
        ):
            raise _limit(node.op.value, "has -0.0 for no less than 0.0 in SQL", node.span)
        if folds_as_floats(node.left, node.right):
            raise _limit(node.op.value, "compares constants beyond 2^53 by value", node.span)
        if not equality and wide_pair(node.left, node.right):
            raise _limit(node.op.value, "orders floats from 2^54 on by their values", node.span)
        meets = ends_meet(node.left, node.right) if equality else None
        if meets is None:
            return super().emit_Compare(node)
        same = super().emit_Compare(replace(node, op=ir.CompareOp.EQ))
        either = EITHER.chain([same, self.emit(meets)])
        return either if node.op is ir.CompareOp.EQ else NEGATION(either)

    def emit_In(self, node: ir.In) -> str:
        super().emit_In(node)  # which refuses what SQL does not say
        items = node.list.items if isinstance(node.list, ir.ListOf) else ()
        if not items:
            raise _limit("IN", "knows no empty list", node.span)
        if any(wide_pair(node.item, item) for item in items):
            tests = [ir.Compare(ir.CompareOp.EQ, node.item, item) for item in items]
            return EITHER.chain([self.emit(test) for test in tests])
        equal = OPERATORS[ir.CompareOp.EQ]
        return EITHER.chain([equal(self.side(node.item), self.side(item)) for item in items])

    def member_true(self, node: ir.In) -> str:
        return self.emit_In(node)

    def member_false(self, node: ir.In) -> str:
        return self.negation(self.emit_In(node))

    def component(self, node: ir.Prop) -> str:
        raise _limit(f".{node.key}", "has no EXTRACT", node.span)

    def emit_Call(self, node: ir.Call) -> str:
        if node.name not in ("coalesce", "toLower", "toUpper"):
            raise _limit(f"{node.name}()", "is not asked for it in SQL", node.span)
        return super().emit_Call(node)

    def emit_Arith(self, node: ir.Arith) -> str:
        kinds = {kind_of(node.left), kind_of(node.right)}
        if node.op not in (ir.ArithOp.ADD, ir.ArithOp.SUB, ir.ArithOp.MUL) or Kind.STRING in kinds:
            raise _limit(node.op.value, "computes it otherwise in SQL", node.span)
        return super().emit_Arith(node)

    def emit_Agg(self, node: ir.Agg) -> str:
        if node.name == "avg" and not node.distinct:
            (arg,) = node.args
            super().emit_Agg(node)
            return Code(f"AVG({self.emit(arg)})", COMPARE)
        return super().emit_Agg(node)

    # --- statements --------------------------------------------------------------------------

    def statement(self, node: ir.Statement, outputs: Mapping[str, str] | None) -> str:
        if isinstance(node, ir.Union) and isinstance(node.left, ir.Union):
            raise _limit("UNION", "joins two sides only", node.span)
        return super().statement(node, outputs)

    def side_of_union(self, query: ir.Query) -> str:
        if is_cut(query):
            raise _limit("UNION", "neither sorts nor cuts a side of it", query.span)
        return super().side_of_union(query)

    # --- one SELECT --------------------------------------------------------------------------

    def select(self, query: ir.Query) -> str:
        text = super().select(query)
        if text.count("GRAPH_TABLE") > 1:
            raise _limit("WITH", "knows no derived table", query.span)
        return text

    def _graph_table(self, paths: Sequence[str], where: ir.Expr | None) -> str:
        self.outside = False
        text = f"GRAPH_TABLE (MATCH {', '.join(paths)}"
        if where is not None:
            text += f" WHERE {self.condition(where)}"
        shown = [
            f"{self.emit(node)} AS {self.identifier(name)}"
            for node, name in self.source.given.items()
        ]
        return f"{text} COLUMNS ({', '.join(shown) or '1 AS one'}))"

    def stage(
        self, stage: Stage, later: Sequence[ir.Expr], *, last: bool
    ) -> tuple[str, str, dict[ir.Expr, str]]:
        if not last:
            raise _limit("WITH", "knows no derived table")
        if any(isinstance(key.expr, ir.Literal) for key in stage.order):
            raise _limit("ORDER BY", "sorts by columns only")
        shown = any(aggregates(item.expr) for item in stage.columns)
        if stage.keys == () and not shown:
            raise _limit(
                "HAVING" if stage.having else "ORDER BY",
                "makes no group of no rows where no aggregate is shown",
            )
        if stage.having and stage.order and not shown:
            raise _limit("HAVING", "sorts no groups whose aggregates are not shown")
        if (stage.limit is not None or stage.skip is not None) and not stage.order:
            raise _limit("LIMIT", "loses rows to LIMIT where nothing is sorted")
        head, tail, passed = super().stage(stage, later, last=last)
        tail = tail.replace(" ROWS ONLY", "").replace("FETCH FIRST", "LIMIT")
        skip = re.search(r"\nOFFSET (\d+) ROWS", tail)
        if skip is not None:
            tail = f"{tail.replace(skip[0], '')}\nOFFSET {skip[1]}"
        return head, tail, passed

    def _sorted(
        self, key: ir.SortKey, stage: Stage, columns_: Mapping[ir.Expr, ir.Expr]
    ) -> str | None:
        text = super()._sorted(key, stage, columns_)
        if text is None:
            return None
        names = {item.expr: item.alias for item in reversed(stage.columns)}
        alias = names.get(key.expr)
        if alias is None or not aggregates(key.expr):
            if aggregates(key.expr) or not isinstance(key.expr, ir.Prop):
                raise _limit("ORDER BY", "sorts by columns of the graph's table", key.expr.span)
            column = self.source.column(self.source.holds(key.expr, key.expr.key))
            shown = column.rpartition(".")[2] == self.identifier(alias) if alias else True
            if shown or not any(aggregates(item.expr) for item in stage.columns):
                text = column + (" DESC" if key.descending else "")
            # else by the name that it has beside aggregates, whose order knows no other
        return _NULLS.sub("", text).removesuffix(" ASC")


def _all(tests: Sequence[ir.Expr]) -> ir.Expr:
    return ir.Bool(ir.BoolOp.AND, tuple(tests))


def _one_edge_a_path(statement: ir.Statement) -> ir.Statement:
    """A path that could pass an edge twice, as one path for each of its edges: TRAIL is unknown,
    and edges of two paths can be said to differ."""
    taken = {
        name
        for query in find(statement, ir.Query)
        for clause in query.clauses
        for name in introduced(clause)
    }
    free = (name for number in count(1) if (name := f"node{number}") not in taken)

    def parts(path: ir.Path) -> list[ir.Path]:
        if len(path.steps) < 2 or path.selector is not None or not can_repeat_edge((path,)):
            return [path]
        split: list[ir.Path] = []
        head = path.head
        for step in path.steps:
            node = step.node if step.node.var else replace(step.node, var=next(free))
            split.append(ir.Path(head, (replace(step, node=node),), span=path.span))
            head = ir.NodePattern(node.var, type=node.type)
        return split

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Match) or any(path.var for path in node.paths):
            return node
        return replace(node, paths=tuple(part for path in node.paths for part in parts(path)))

    return rewrite(statement, change)
