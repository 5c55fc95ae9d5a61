"""Spanner Graph's GQL: ISO GQL over GoogleSQL's expressions, types and declared names.

A profile of declared differences from the standard; what is refused has the code of the
construct. Texts are judged by GoogleSQL's analyser (`graphmill check --language spanner`), and not
executed: there is no Spanner in the registries. How a schema lies in Spanner is said in
`schemagraph.spanner`. Arithmetic that leaves INT64 or FLOAT64 is an error in Spanner, where Cypher
has an error or an infinite value; floats are taken to be numbers, not NaN, and integers that meet
them to be floats without loss (up to 2^53).

Source: Spanner documentation, "Spanner Graph query language"; GoogleSQL, docs/graph-*.md of
github.com/google/zetasql.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.bind.label_inference import Index
from graph_ir.lowerings import keeps_rows
from graph_ir.numbers import nan_names
from graph_ir.reference.folding import refuse_near_constants
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import Kind, SchemaGraph
from schemagraph.spanner import SpannerNames
from translators.base import Rendered
from translators.gql.emit.clauses import branches, columns
from translators.gql.emit.dialect import READS_ONLY, Gql
from translators.gql.emit.operators import COMPARE
from translators.gql.emit.scope import FoldedNames, Scope
from translators.gql.emit.values import kind_of
from translators.gql.spanner import elements, functions, patterns, types, values
from translators.gql.spanner.floats import mixed, zeros_and_nans
from translators.gql.spanner.types import ELEMENTS, known, one_type, storable
from translators.gql.spanner.values import allowed_variable
from translators.printing import Code

_CALL = ("call-subquery", "CALL is not in Spanner's profile of GQL.")


class Spanner(Gql):
    """Spanner Graph's GQL from bound IR; it needs the schema of the graph."""

    name: ClassVar[str] = "spanner"
    UNION: ClassVar[str] = "UNION DISTINCT"  # a set operator wants ALL or DISTINCT
    PATH_FUNCTIONS: ClassVar[bool] = True
    UNSUPPORTED: ClassVar[Mapping[type[ir.Node], tuple[str, str]]] = {
        **Gql.UNSUPPORTED,
        **READS_ONLY,
        ir.Procedure: ("procedure", "CALL is not in Spanner's profile of GQL."),
        ir.Yield: ("procedure", "CALL is not in Spanner's profile of GQL."),
        ir.Subquery: _CALL,
        ir.MapProjection: ("map-value", "A map has no exact form in Spanner's GQL."),
    }

    DELIMITED_VARIABLES: ClassVar[bool] = True
    LIST_LENGTH: ClassVar[str] = "ARRAY_LENGTH"
    # What labels and properties are called; set where there is a schema.
    names: SpannerNames
    # Whether lists are collected after an order that Cypher keeps and GoogleSQL does not.
    ordered: bool = False
    CALLS: ClassVar[dict[str, str]] = {
        **Gql.CALLS,
        "left": "left_text",
        "nullIf": "null_if",
        "replace": "replaced",
        "reverse": "reversed_text",
        "right": "right_text",
        "split": "split_text",
    }
    index: Index
    # Variable, as Spanner calls it -> the types whose tables fulfil the labels of its patterns.
    exposed: dict[str, int]
    # Names of what may be no number.
    nan: Container[str] = frozenset()
    # Whether the labels at hand are those of edges.
    of_edges: bool = False
    # IR names that the subquery at hand sees from outside.
    foreign: frozenset[str] = frozenset()
    # Whether it matters how often a pattern matches; for EXISTS it does not.
    rows_count: bool = True

    # values
    identifier = values.identifier_text
    graph = values.graph
    body = values.body
    number_text = values.number_text
    emit_Param = values.param
    emit_Compare = values.compare
    instants = types.instants
    emit_IsNull = values.is_null
    emit_Bool = values.connective
    negation = values.negation
    emit_Text = values.text_test
    among = values.among
    member_true = values.member_true
    member_false = values.member_false
    emit_In = values.in_list
    emit_Neg = values.neg
    emit_Case = values.case_of
    coalesced = values.coalesced
    null_if = values.null_if
    aggregate = values.aggregate
    emit_Agg = values.agg
    sort_key = values.sort_key
    emit_ListOf = values.list_of
    some = values.some
    number_of = values.number_of
    unknown = values.unknown
    counted = values.counted
    emit_ListComp = values.list_comp
    item_at = values.item_at
    emit_Slice = values.slice_of
    range_of = values.range_of
    quantified = values.quantified
    emit_Unwind = values.unwind
    emit_MapOf = values.map_of
    # functions
    emit_Call = functions.call
    substring = functions.substring
    left_text = functions.left_text
    right_text = functions.right_text
    split_text = functions.split_text
    replaced = functions.replaced
    reversed_text = functions.reversed_text
    day_text = functions.day_text
    to_string = functions.to_string
    to_integer = functions.to_integer
    to_float = functions.to_float
    path_part = functions.path_part
    labels_of = functions.labels_of
    now = functions.now
    instant_of = functions.instant_of
    instant = functions.instant
    from_map = functions.from_map
    duration_of = functions.duration_of
    year_test = functions.year_test
    component = functions.component
    emit_Arith = functions.arith
    # elements
    emit_LabelName = elements.label_name
    node_labels = elements.node_labels
    edge_labels = elements.edge_labels
    label_test = elements.label_test
    emit_Prop = elements.prop
    asked = elements.asked
    declare = elements.declare
    type_of = elements.type_of
    filled = elements.filled
    property_map = elements.property_map
    # patterns
    linear = patterns.linear
    match = patterns.match_text
    match_mode = patterns.match_mode

    def __init__(self, schema: SchemaGraph | None = None) -> None:
        super().__init__(schema)
        if schema is not None:
            self.names = SpannerNames(schema)
            self.index = Index(schema)

    def generate(self, query: ir.Statement) -> Rendered:
        if self.schema is None:
            raise Refused(
                "schema-needed",
                "GRAPH",
                "Spanner's graphs declare their names and types: the schema is needed.",
                query.span,
            )
        shown = columns(query)
        folded = [name.casefold() for name in shown]
        if len(set(folded)) < len(folded):
            raise Refused(
                "column-names",
                ", ".join(shown),
                "Columns whose names differ in case only are one name to Spanner.",
                query.span,
            )
        refuse_near_constants(query, members=True)
        self.nan = nan_names(query)
        self.ordered = False
        self.foreign = frozenset()
        self.exposed = {}
        self.rows_count = True
        rendered = super().generate(query)
        caveats = (*rendered.caveats, *zeros_and_nans(query))
        return replace(rendered, text=f"{self.graph()}\n{rendered.text}", caveats=caveats)

    def outermost(self) -> Scope:
        # "Lexical structure": names of columns and variables are not case-sensitive.
        return Scope(taken=FoldedNames(), allowed=allowed_variable)

    # --- subqueries ------------------------------------------------------------------------

    def emit_Exists(self, node: ir.Exists) -> str:
        outer = self.rows_count
        self.rows_count = any(
            not isinstance(clause, ir.Match)
            for query in branches(node.query)
            for clause in query.clauses
            if not (isinstance(clause, ir.Project) and keeps_rows(clause))
        )
        text = super().emit_Exists(node)
        self.rows_count = outer
        return text

    def inside(
        self,
        query: ir.Statement,
        outputs: Mapping[str, str] | None,
        visible: dict[str, str] | None = None,
    ) -> str:
        outer, self.rows_count = self.rows_count, True
        text = super().inside(query, outputs, visible)
        self.rows_count = outer
        return text

    def exists(self, pieces: list[str], node: ir.Exists) -> str:
        return Code(f"EXISTS {{{self.body(' '.join(pieces))}}}", COMPARE)

    def value(self, query: ir.Query, column: str, node: ir.Expr) -> str:
        inside = self.inside(query, {column: self.column(column)})
        return f"VALUE {{{self.body(inside)}}}"

    def emit_CollectOf(self, node: ir.CollectOf) -> str:
        # "GQL subqueries", ARRAY: all values, nulls too; no rows give an empty array.
        (column,) = columns(node.query) if len(columns(node.query)) == 1 else ("",)
        last = node.query if isinstance(node.query, ir.Union) else node.query.clauses[-1]
        if not column or not isinstance(last, ir.Project):
            raise Refused("collect", "COLLECT", "COLLECT { } returns one column here.", node.span)
        storable(last.items[0].expr, "COLLECT")
        known(last.items[0].expr, "COLLECT")
        if not last.order and any(each.order for each in find(node.query, ir.Project)):
            raise Refused(
                "collected-order",
                "COLLECT",
                "Rows are ordered before the last projection; an ARRAY keeps the order of that.",
                node.span,
            )
        if kind_of(last.items[0].expr) is Kind.LIST:
            raise Refused("nested-list", "COLLECT", "An array holds no arrays.", node.span)
        inside = self.inside(node.query, {column: self.column(column)})
        return f"ARRAY {{{self.body(inside)}}}"

    def statement(self, node: ir.Statement, outputs: Mapping[str, str] | None) -> str:
        if isinstance(node, ir.Union):
            sides = [query.clauses[-1] for query in branches(node)]
            items = [item for side in sides if isinstance(side, ir.Project) for item in side.items]
            for column in columns(node):
                exprs = [item.expr for item in items if item.alias == column]
                for expr in exprs:
                    known(expr, "UNION")  # the type of a column is not that of the other side
                if not node.all:
                    self.instants("UNION", *exprs)
                if not any(kind_of(expr) in ELEMENTS for expr in exprs):
                    one_type(exprs[0], exprs, "A column of UNION")
                    mixed(self, "UNION", *exprs)
        return super().statement(node, outputs)

    def branch(self, query: ir.Query, names: list[str], outputs: Mapping[str, str] | None) -> str:
        text = super().branch(query, names, outputs)
        if text.startswith("CALL "):
            # NEXT would end the UNION.
            raise Refused(
                "call-subquery", "UNION", "A side of UNION has several parts.", query.span
            )
        return text

    def optional(self, matches: list[str], node: ir.Match) -> str:
        raise Refused(
            "engine-limit", "OPTIONAL { }", "Spanner has no optional block in GQL.", node.span
        )

    # --- projections -----------------------------------------------------------------------

    def passed(self, node: ir.Project) -> list[str]:
        for item in node.items:
            known(item.expr, item.alias)
        self._no_parameters(node)
        return super().passed(node)

    def _no_parameters(self, node: ir.Project) -> None:
        for item in node.items:
            if isinstance(item.expr, ir.Param):
                # A parameter has the type that its use asks for; here none does.
                raise Refused(
                    "parameter-output",
                    f"${item.expr.name}",
                    "The type of a parameter that is put out is not known.",
                    node.span,
                )

    def project(self, node: ir.Project, outputs: Mapping[str, str] | None) -> list[str]:
        constants = {item.alias for item in node.items if isinstance(item.expr, ir.Literal)}
        # "ORDER BY ordinal is not allowed in GQL", and a constant sorts nothing.
        order = tuple(
            key
            for key in node.order
            if not (isinstance(key.expr, ir.Var) and key.expr.name in constants)
        )
        node = replace(node, order=order)
        self._no_parameters(node)
        if outputs is None:
            for item in node.items:
                storable(item.expr, item.alias)
        if node.distinct or node.group is not None:
            for item in node.items:
                grouped = node.distinct or not next(find(item.expr, ir.Agg), None)
                if grouped and kind_of(item.expr) in (Kind.LIST, Kind.PATH, Kind.MAP):
                    # "Data types": arrays are not groupable.
                    raise Refused("type", item.alias, "Spanner groups no lists.", node.span)
                if grouped:
                    self.instants("DISTINCT" if node.distinct else "GROUP BY", item.expr)
        pieces = super().project(node, outputs)
        self.ordered = bool(node.order)
        return pieces
