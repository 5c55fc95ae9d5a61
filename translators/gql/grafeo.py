"""GQL as grafeo 0.6 runs it: strict GQL with what that engine lacks or gets wrong said otherwise.

grafeo reads Cypher's list syntax in GQL, delimited variables, and WITH inside braces, where it
knows no NEXT. It has no FOR in EXISTS and VALUE, no MOD, no IS UNKNOWN, no ELEMENTS; it loses label
expressions on the first node of a path, label tests of edges, and sort keys that no column shows
beside computed ones, and concatenates no lists by `||`. What has no sound form here is refused with
`engine-limit`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, carry_sort_keys, split_grouping
from graph_ir.ordering import columns_first
from graph_ir.walk import find
from graphmill.errors import Refused, Span
from schemagraph.model import Kind
from translators.base import Rendered, Rewrite
from translators.gql.emit.dialect import READS_ONLY, Gql
from translators.gql.emit.expressions import check_joined
from translators.gql.emit.lists import Rows
from translators.gql.emit.operators import (
    AND,
    BOTH,
    CALL,
    COMPARE,
    EITHER,
    IS_NULL,
    NEGATION,
    OPERATORS,
    PLUS,
    PRIMARY,
    TIMES,
)
from translators.gql.emit.text import identifier, string
from translators.gql.emit.values import kind_of
from translators.grafeo.asked import (
    ASKS_IN_COLUMNS,
    asks,
    conditions_on_something,
    lists_first,
    unplaced,
)
from translators.grafeo.confusions import gives_name_away
from translators.grafeo.elements import refuse_mixed, refuse_texts
from translators.grafeo.emission import exact, same_texts
from translators.grafeo.shared import (
    NO_SUBQUERY,
    NOT_IN_GRAFEO,
    NUMBER_NAMES,
    anchored,
    matched_nodes,
    null_properties,
    separate_subqueries,
    single_steps,
    slices_aggregates,
    subquery_in,
    unsound_comparison,
)
from translators.printing import Code, between, wrap

_NOW = {
    "date": "DATE()",
    "datetime": "ZONED_DATETIME()",
    "localdatetime": "LOCAL_DATETIME()",
    "time": "ZONED_TIME()",
    "localtime": "LOCAL_TIME()",
}


# Functions of Cypher that grafeo knows in GQL, too.
_OWN = frozenset(("atan2", "e", "keys", "pi", "properties", "replace", "reverse", "split"))


_JOINED = between("+", PLUS, TIMES)  # of lists


def _asked_order(statement: ir.Statement) -> ir.Statement:
    return columns_first(statement, asks)


def _names_apart(statement: ir.Statement) -> ir.Statement:
    def needed(project: ir.Project) -> bool:
        return (project.final and gives_name_away(project)) or slices_aggregates(project)

    return split_grouping(statement, needed)


class GqlGrafeo(Gql):
    """The profile of ISO GQL for grafeo."""

    name: ClassVar[str] = "gql-grafeo"
    UNSUPPORTED: ClassVar[Mapping[type[ir.Node], tuple[str, str]]] = {
        **Gql.UNSUPPORTED,
        **READS_ONLY,
        **NOT_IN_GRAFEO,
    }
    LOWERINGS: ClassVar[tuple[Rewrite, ...]] = (
        null_properties,
        matched_nodes,
        single_steps,
        separate_subqueries,
        anchored,
        conditions_on_something,
        lists_first,
        _asked_order,
        _names_apart,
        carry_sort_keys,
    )
    DELIMITED_VARIABLES: ClassVar[bool] = True
    UNREADABLE: ClassVar[frozenset[str]] = NUMBER_NAMES | {
        *("CURRENT_GRAPH", "CURRENT_PROPERTY_GRAPH", "CURRENT_SCHEMA"),
        *("HOME_GRAPH", "HOME_PROPERTY_GRAPH", "HOME_SCHEMA", "LET", "SESSION_USER"),
    }
    DOUBLED_ACCENTS: ClassVar[bool] = True
    DIVISION_TRUNCATES: ClassVar[bool] = True
    FOLDS: ClassVar[bool] = False
    NO_DURATIONS: ClassVar[str] = "0"
    PATH_FUNCTIONS: ClassVar[bool] = True
    TEXT_TESTS: ClassVar[bool] = True
    SORTS_BY_COLUMN: ClassVar[bool] = True
    COMPUTED_AFTER: ClassVar[tuple[type[ir.Expr], ...]] = (ir.ListOf, ir.MapOf, ir.MapProjection)
    TYPES: ClassVar[dict[str, str]] = Gql.TYPES | {"localdatetime": "DATETIME", "localtime": "TIME"}

    def generate(self, query: ir.Statement) -> Rendered:
        for asked in find(query, ir.Exists, ir.CountOf, ir.CollectOf):
            if any(path.selector is not None for path in find(asked, ir.Path)):
                raise self._limit("SHORTEST", "searches no path in a subquery", asked.span)
        for listed in find(query, ir.ListComp, ir.Quantifier, ir.Reduce):
            if (item := unplaced(listed)) is not None:
                raise self._limit("subquery", ASKS_IN_COLUMNS, item.span)
        refuse_mixed(query)
        statement = exact(query, self.schema)
        refuse_texts(statement)
        return super().generate(statement)

    def _limit(self, construct: str, reason: str, span: Span | None) -> Refused:
        return Refused("engine-limit", construct, f"grafeo {reason}.", span)

    # --- labels ----------------------------------------------------------------------------

    def node_text(self, node: ir.NodePattern, name: str | None) -> str:
        if node.labels is None or _all_names(node.labels):
            return super().node_text(node, name)
        name = name or self.scope.fresh("node")
        tests = [wrap(self.label_test(name, node.labels, edge=False), AND)]
        entries = node.props.entries if isinstance(node.props, ir.MapOf) else ()
        tests += [f"{name}.{identifier(e.key)} = {self.side(e.value)}" for e in entries]
        if node.where is not None:
            tests.append(self.condition(node.where))
        return f"({name} WHERE {BOTH.chain(tests)})"

    def node_labels(self, labels: ir.LabelExpr) -> str:
        return "".join(f":{identifier(name)}" for name in _all_names(labels))

    def edge_labels(self, labels: ir.LabelExpr) -> str:
        names = _any_names(labels)
        if not names and self.schema is not None:
            names = [name for name in self.schema.edge_labels if _holds(labels, name)]
        if not names:
            raise self._limit("edge labels", "knows alternatives of edge labels only", labels.span)
        return f":{'|'.join(map(identifier, names))}"

    def label_test(
        self, variable: str, labels: ir.LabelExpr, *, edge: bool, negated: bool = False
    ) -> str:
        text = self._label_test(variable, labels, edge)
        return self.negation(text) if negated else text

    def _label_test(self, variable: str, labels: ir.LabelExpr, edge: bool) -> str:
        match labels:
            case ir.LabelName() if edge:
                return OPERATORS[ir.CompareOp.EQ](f"type({variable})", string(labels.name))
            case ir.LabelName():
                return Code(f"{variable} IS LABELED {self.standing(labels.name)}", COMPARE)
            case ir.LabelNot():
                return self.negation(self._label_test(variable, labels.arg, edge))
            case ir.LabelAnd() | ir.LabelOr():
                joined = BOTH if isinstance(labels, ir.LabelAnd) else EITHER
                return joined.chain(self._label_test(variable, arg, edge) for arg in labels.args)
            case ir.LabelAny():
                return self.emit(labels)

    # --- patterns --------------------------------------------------------------------------

    def emit_Match(self, node: ir.Match) -> str:
        if node.optional and subquery_in(node.where):
            raise self._limit("OPTIONAL MATCH", NO_SUBQUERY, node.span)
        return super().emit_Match(node)

    def emit_Path(self, node: ir.Path) -> str:
        if node.var is not None and not node.steps:
            raise self._limit("path of one node", "binds no path of one node", node.span)
        if node.selector is not None and len(node.steps) > 1:
            raise self._limit("SHORTEST", "searches along one edge pattern only", node.span)
        return super().emit_Path(node)

    def emit_Quantified(self, node: ir.Quantified) -> str:
        path = node.path
        ends = (path.head, *(step.node for step in path.steps))
        bare = all(end.labels is None and end.props is None and end.where is None for end in ends)
        if len(path.steps) != 1 or not bare or node.where is not None:
            raise self._limit(
                "quantified path", "gets quantified paths of more than an edge wrong", node.span
            )
        if any(end.var is not None for end in ends):
            raise self._limit("quantified path", "has no lists of inner nodes", node.span)
        return super().emit_Quantified(node)

    def emit_Hops(self, node: ir.Hops) -> str:
        text = super().emit_Hops(node)
        return {"*": "{0,}", "+": "{1,}"}.get(text, text)

    def optional(self, matches: list[str], node: ir.Match) -> str:
        raise self._limit("OPTIONAL { }", "has no optional block", node.span)

    # --- values ----------------------------------------------------------------------------

    def emit_Compare(self, node: ir.Compare) -> str:
        reason = unsound_comparison(node)
        if reason:
            raise self._limit(node.op.value, reason, node.span)
        return super().emit_Compare(node)

    def emit_Call(self, node: ir.Call) -> str:
        args = node.args
        match node.name, args:
            case "=~", (text, pattern):
                return self.emit(ir.Text(ir.TextOp.REGEX, text, pattern))
            case "=%", (left, right):
                return self.remainder(ir.Arith(ir.ArithOp.MOD, left, right))
            case "=let", (ir.Var() as name, value, body):
                listed = ir.ListOf((value,))
                return f"{self._comprehension(ir.ListComp(name.name, listed, None, body))}[0]"
            case "=[]", (base, key):
                return f"{self.emit(base)}[{self.emit(key)}]"
            case "=[..]", (base, low, high):
                return f"{self.operand(base, PRIMARY)}[{self.emit(low)}..{self.emit(high)}]"
            case "=+", _:
                return _JOINED.chain(map(self.emit, args))
            case "=.", (value, ir.Literal(part)):
                return f"{self.operand(value, PRIMARY)}.{part}"
            case "=same-texts", (left, right):
                return Code(same_texts(self.emit(left), self.emit(right)), COMPARE)
            case name, _ if name.startswith("="):
                return Code(f"{name[1:]}({', '.join(map(self.emit, args))})", CALL)
            case "substring", _:
                return Code(f"SUBSTRING({', '.join(map(self.emit, args))})", CALL)
            case name, _ if name in _OWN:
                return Code(f"{name}({', '.join(map(self.emit, args))})", CALL)
        return super().emit_Call(node)

    def emit_Arith(self, node: ir.Arith) -> str:
        if node.op is ir.ArithOp.MOD:
            return self.remainder(node)
        return super().emit_Arith(node)

    def remainder(self, node: ir.Arith) -> str:
        return self.infix(node)

    def joined_lists(self, node: ir.Arith, left: Kind, right: Kind) -> str:
        check_joined(node)
        return _JOINED.chain(
            self.emit(part) if kind_of(part) is Kind.LIST else f"[{self.emit(part)}]"
            for part in (node.left, node.right)
        )

    def now(self, name: str) -> str:
        return Code(_NOW[name], CALL)

    def path_part(self, node: ir.Call) -> str:
        return f"{node.name}({self.variable_of(node)})"

    # --- lists -----------------------------------------------------------------------------

    def some(self, rows: Rows, test: str) -> str:
        return f"any({rows.item} IN {rows.list} WHERE {test})"

    def unknown(self, test: str) -> str:
        return IS_NULL(test)

    def is_not(self, test: str, truth: str) -> str:
        if truth == "FALSE":
            return f"COALESCE({test}, TRUE)"
        return NEGATION(f"COALESCE({test}, FALSE)")

    def number_of(self, rows: Rows) -> str:
        return Code(f"CARDINALITY([{rows.item} IN {rows.list} WHERE {rows.test}])", CALL)

    def item_at(self, base: ir.Expr, index: ir.Expr, suffix: str = "") -> str:
        return f"{self.operand(base, PRIMARY)}[{self.emit(index)}]{suffix}"

    def emit_Slice(self, node: ir.Slice) -> str:
        bounds = []
        for bound in (node.lo, node.hi):
            value = bound.value if isinstance(bound, ir.Literal) else None
            if bound is not None and (not isinstance(value, int) or not 0 <= value < 2**31):
                raise self._limit(
                    "slice", "takes bounds of a slice from 0 to 2147483647", node.span
                )
            bounds.append("" if value is None else str(value))
        return f"{self.operand(node.base, PRIMARY)}[{'..'.join(bounds)}]"

    def emit_ListComp(self, node: ir.ListComp) -> str:
        return self._comprehension(node)

    def counted(self, node: ir.ListComp) -> str:
        return Code(f"CARDINALITY({self._comprehension(node)})", CALL)

    def _comprehension(self, node: ir.ListComp) -> str:
        listed = self.emit(node.list)
        outer, self.scope = self.scope, self.scope.inner()
        text = f"[{self.scope.bind(node.var)} IN {listed}"
        if node.where is not None:
            text += f" WHERE {self.condition(node.where)}"
        if node.result is not None:
            text += f" | {self.emit(node.result)}"
        self.scope = outer
        return f"{text}]"

    # --- statements inside braces ----------------------------------------------------------

    def linear(self, query: ir.Query, outputs: Mapping[str, str] | None) -> list[str]:
        pieces = super().linear(query, outputs)
        if not self.depth:
            return pieces
        joined: list[str] = []
        for piece in pieces:
            if piece == "NEXT":
                joined[-1] = "WITH" + joined[-1].removeprefix("RETURN")
            else:
                joined.append(piece)
        return joined

    def passed_on(self, node: ir.Project, names: Iterable[str]) -> list[str]:
        if node.limit is None and node.skip is None:
            return []
        # A sort, a filter and a grouping right after a limit that cuts would find no rows.
        return [f"RETURN {', '.join(names)}", "NEXT"]

    def return_clause(
        self, node: ir.Project, items: list[str], keys: list[str], order: list[str]
    ) -> str:
        lengths = [call for key in node.order for call in find(key.expr, ir.Call)]
        if self.depth and any(call.name == "=." for call in lengths):
            raise self._limit("ORDER BY", "orders by parts of values outside braces", node.span)
        if self.depth and not node.final and not node.distinct and node.limit is not None:
            items, order = self._shown_keys(node, items, order)
        # Inside braces the statement may become a WITH, which groups by what is no aggregate.
        return super().return_clause(node, items, [] if self.depth else keys, order)

    def _shown_keys(
        self, node: ir.Project, items: list[str], order: list[str]
    ) -> tuple[list[str], list[str]]:
        """Columns with those that only the order reads: without them, a WITH after it loses what
        the braces were given."""
        shown = {item.expr for item in node.items}
        names = {item.alias for item in node.items}
        if any(aggregates(item.expr) for item in node.items):
            return items, order
        columns, keys = list(items), list(order)
        for place, key in enumerate(node.order):
            read = {var.name for var in find(key.expr, ir.Var)}
            if key.expr in shown or (read and read <= names):  # columns, which stand there alone
                continue
            text = self.emit(key.expr)
            if not order[place].startswith(text):
                continue
            name = self.scope.fresh("key")
            columns.append(f"{text} AS {name}")
            keys[place] = name + order[place].removeprefix(text)
        return columns, keys

    def exists(self, pieces: list[str], node: ir.Exists) -> str:
        if not all(piece.startswith(("MATCH ", "OPTIONAL MATCH ")) for piece in pieces):
            raise self._limit("EXISTS", "takes MATCH alone in EXISTS", node.span)
        return super().exists(pieces, node)

    def value(self, query: ir.Query, column: str, node: ir.Expr) -> str:
        if not all(isinstance(clause, ir.Match) for clause in query.clauses[:-1]):
            raise self._limit("VALUE", "takes MATCH and RETURN alone in VALUE", node.span)
        if any(subquery_in(item.expr) for item in _last_items(query)):
            raise self._limit("VALUE", "asks nothing for what VALUE collects", node.span)
        return super().value(query, column, node)


def _last_items(query: ir.Query) -> tuple[ir.Item, ...]:
    last = query.clauses[-1]
    return last.items if isinstance(last, ir.Project) else ()


def _all_names(labels: ir.LabelExpr) -> list[str]:
    """The labels of a conjunction of plain labels; empty for what is none."""
    if isinstance(labels, ir.LabelName):
        return [labels.name]
    if isinstance(labels, ir.LabelAnd):
        parts = [_all_names(arg) for arg in labels.args]
        return [name for part in parts for name in part] if all(parts) else []
    return []


def _any_names(labels: ir.LabelExpr) -> list[str]:
    """The labels of an alternative of plain labels; empty for what is none."""
    if isinstance(labels, ir.LabelName):
        return [labels.name]
    if isinstance(labels, ir.LabelOr):
        parts = [_any_names(arg) for arg in labels.args]
        return [name for part in parts for name in part] if all(parts) else []
    return []


def _holds(labels: ir.LabelExpr, name: str) -> bool:
    """Whether an element whose only label is `name` fits."""
    match labels:
        case ir.LabelName():
            return labels.name == name
        case ir.LabelAnd():
            return all(_holds(arg, name) for arg in labels.args)
        case ir.LabelOr():
            return any(_holds(arg, name) for arg in labels.args)
        case ir.LabelNot():
            return not _holds(labels.arg, name)
        case ir.LabelAny():
            return True
