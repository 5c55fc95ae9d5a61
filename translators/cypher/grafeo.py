"""Cypher as grafeo 0.6 runs it: what it lacks or gets wrong said otherwise, or refused.

A result column always has an alias (without one the engine returns internal numbers), patterns
have plain labels and no WHERE inside, sums over nothing are 0, quantifiers keep three-valued
logic. ORDER BY of a value that goes out under a new name is lost, so sort keys name the column;
sort keys computed from columns are lost beside those that no column shows.
What has no sound form is refused with `engine-limit`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.lowerings import (
    aggregates,
    conjunction,
    keep_for_where,
    keeps_rows,
    move_predicates,
    ordered_columns,
    sort_by_columns,
    split_grouping,
    unused_names,
    whole_number,
)
from graph_ir.variables import columns
from graph_ir.walk import find
from graphmill.errors import Refused, Span
from schemagraph.model import TEMPORAL, Kind
from translators.base import OPTION, Rendered, Rewrite
from translators.cypher.dialect import CONSTANT, RESERVED, TEST, Cypher
from translators.gql.emit import temporal
from translators.gql.emit.values import day_text, kind_of, nullable
from translators.grafeo.asked import (
    ASKS_IN_COLUMNS,
    asked_groups,
    conditions_on_something,
    groups_by_items,
    lists_apart,
    lists_first,
    sort_by_asked_columns,
    unplaced,
)
from translators.grafeo.confusions import changes_kind, gives_name_away
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
    unsound_membership,
)
from translators.printing import Code
from translators.searches import searches_apart

_ELEMENTS = (Kind.NODE, Kind.EDGE, Kind.PATH)
_NO_GROUPS_IN = (
    ir.ListOf,
    ir.Index,
    ir.Slice,
    ir.MapOf,
    ir.MapProjection,
    ir.ListComp,
    ir.Quantifier,
    ir.Reduce,
    ir.Prop,
)
_PARTS = frozenset(("year", "month", "day", "hour", "minute", "second", "quarter", "week"))
_PRINTED = (Kind.INTEGER, Kind.STRING, Kind.BOOLEAN, Kind.DATE)


def _plain_labels(labels: ir.LabelExpr, is_edge: bool) -> bool:
    """Whether a pattern may keep these labels: `:A:B` on a node, `:A|B` on an edge."""
    if isinstance(labels, ir.LabelName):
        return True
    joined = ir.LabelOr if is_edge else ir.LabelAnd
    return isinstance(labels, joined) and all(isinstance(a, ir.LabelName) for a in labels.args)


def _hidden_aggregate(project: ir.Project) -> bool:
    """Whether an aggregate stands where the engine does not look for it."""
    returned = {item.expr for item in project.items}
    aliases = {item.alias for item in project.items}
    for key in project.order:
        alias = isinstance(key.expr, ir.Var) and key.expr.name in aliases
        if not alias and key.expr not in returned and aggregates(key.expr):
            return True
    return slices_aggregates(project) or any(
        aggregates(part) for item in project.items for part in find(item.expr, *_NO_GROUPS_IN)
    )


def _where_last(matches: Sequence[ir.Match]) -> tuple[ir.Match, ...]:
    """Inner matches with all conditions in the last one: the engine ends a body after a WHERE."""
    if any(match.optional for match in matches) or all(m.where is None for m in matches[:-1]):
        return tuple(matches)
    whole = conjunction(*(match.where for match in matches))
    plain = [replace(match, where=None) for match in matches]
    return (*plain[:-1], replace(plain[-1], where=whole))


def _move(statement: ir.Statement) -> ir.Statement:
    return move_predicates(statement, _plain_labels)


def _searches_apart(statement: ir.Statement) -> ir.Statement:
    """Searches apart from edges, which the engine does not let them pass again."""
    return searches_apart(statement, from_edges=True)


def _split(statement: ir.Statement) -> ir.Statement:
    return split_grouping(statement, lambda p: _hidden_aggregate(p) or gives_name_away(p))


class CypherGrafeo(Cypher):
    """The profile of Cypher for grafeo."""

    name: ClassVar[str] = "cypher-grafeo"
    UNSUPPORTED: ClassVar[Mapping[type[ir.Node], tuple[str, str]]] = {
        **NOT_IN_GRAFEO,
        ir.PathExpr: ("engine-limit", "grafeo has shortestPath() in MATCH only."),
        ir.ServerOption: OPTION,
    }
    LOWERINGS: ClassVar[tuple[Rewrite, ...]] = (
        null_properties,
        _searches_apart,
        matched_nodes,
        single_steps,
        keep_for_where,
        _move,
        separate_subqueries,
        anchored,
        conditions_on_something,
        lists_first,
        asked_groups,
        groups_by_items,
        lists_apart,
        _split,
        sort_by_columns,
        sort_by_asked_columns,
    )

    def _limit(self, construct: str, reason: str, span: Span | None) -> Refused:
        return Refused("engine-limit", construct, f"grafeo {reason}.", span)

    def _refuse_unplaced(self, node: ir.Node) -> None:
        asked = unplaced(node)
        if asked is not None:
            raise self._limit("subquery", ASKS_IN_COLUMNS, asked.span)

    def generate(self, query: ir.Statement) -> Rendered:
        changed = changes_kind(query)
        if changed is not None:
            reason = "reads what an edge and then a node is called as what it was first"
            raise self._limit(changed.alias, reason, changed.span)
        query = exact(query, self.schema)
        self._spare = unused_names(query, "moment")
        return super().generate(query)

    # --- columns ---------------------------------------------------------------------------

    def emit_Item(self, node: ir.Item) -> str:
        if isinstance(node.expr, ir.Var) and node.expr.name == node.alias:
            return self.emit(node.expr)
        if isinstance(node.expr, ir.Case | ir.Call) and node.expr.type.kind in _ELEMENTS:
            raise self._limit(
                "element value", "returns numbers for computed nodes and edges", node.span
            )
        return f"{self.emit(node.expr)} AS {self.ident(node.alias)}"

    def emit_Project(self, node: ir.Project) -> str:
        self._refuse_unplaced(node)
        skip = node.skip and ir.Literal(self._number(node.skip))
        limit = node.limit and ir.Literal(self._number(node.limit))
        return super().emit_Project(replace(node, skip=skip, limit=limit))

    def _number(self, node: ir.Expr) -> int:
        value = whole_number(node)
        if value is None:
            raise self._limit("SKIP and LIMIT", "takes numbers only in SKIP and LIMIT", node.span)
        return value

    # --- labels and patterns ---------------------------------------------------------------

    def emit_LabelTest(self, node: ir.LabelTest) -> str:
        return Code(self._label_test(node, node.labels), TEST)

    def _label_test(self, node: ir.LabelTest, labels: ir.LabelExpr) -> str:
        match labels:
            case ir.LabelName() if node.arg.type.kind is Kind.EDGE:
                return f"(type({self.emit(node.arg)}) = {self.emit(ir.Literal(labels.name))})"
            case ir.LabelName():
                return f"{self.base(node.arg)}:{self.key(labels.name)}"
            case ir.LabelNot():
                return f"(NOT {self._label_test(node, labels.arg)})"
            case ir.LabelAnd() | ir.LabelOr():
                word = " AND " if isinstance(labels, ir.LabelAnd) else " OR "
                return f"({word.join(self._label_test(node, arg) for arg in labels.args)})"
            case ir.LabelAny():
                return self.emit(labels)

    def emit_Quantified(self, node: ir.Quantified) -> str:
        raise self._limit("quantified path", "has no quantified path patterns", node.span)

    def emit_Step(self, node: ir.Step) -> str:
        edge = node.edge
        if isinstance(edge, ir.Quantified):
            ends = (edge.path.head, *(step.node for step in edge.path.steps))
            inner = edge.path.steps[0].edge
            bare = all(end == ir.NodePattern() for end in ends)
            if (
                len(edge.path.steps) == 1
                and bare
                and edge.where is None
                and isinstance(inner, ir.EdgePattern)
                and inner.hops is None
            ):
                return super().emit_Step(replace(node, edge=replace(inner, hops=edge.hops)))
        return super().emit_Step(node)

    def emit_EdgePattern(self, node: ir.EdgePattern) -> str:
        if node.types is not None and not _plain_labels(node.types, True):
            raise self._limit(
                "edge labels", "knows alternatives only on edges of variable length", node.span
            )
        if node.where is not None:
            raise self._limit("WHERE in an edge", "tests no edges of variable length", node.span)
        return super().emit_EdgePattern(node)

    def emit_Hops(self, node: ir.Hops) -> str:
        if node.hi is not None and node.hi < node.lo:
            raise self._limit("hops", "takes an empty range for its lower bound", node.span)
        return super().emit_Hops(node)

    def emit_Path(self, node: ir.Path) -> str:
        if node.var is not None and not node.steps:
            raise self._limit("path of one node", "binds no path of one node", node.span)
        if node.selector is not None and node.selector.kind not in (
            ir.SelectorKind.FUNCTION_ONE,
            ir.SelectorKind.FUNCTION_ALL,
        ):
            raise self._limit("path search", "has shortestPath() alone", node.span)
        return super().emit_Path(node)

    def emit_Match(self, node: ir.Match) -> str:
        self._refuse_unplaced(node)
        if node.optional and subquery_in(node.where):
            raise self._limit("OPTIONAL MATCH", NO_SUBQUERY, node.span)
        for path in node.paths:
            if path.selector is None or node.where is None:
                continue
            inside = {path.var, *(edge.var for edge in find(path, ir.EdgePattern))}
            if any(var.name in inside for var in find(node.where, ir.Var)):
                raise self._limit(
                    "shortestPath", "tests the path after the search, not in it", path.span
                )
        return super().emit_Match(node)

    # --- values ----------------------------------------------------------------------------

    def emit_Agg(self, node: ir.Agg) -> str:
        text = super().emit_Agg(node)
        if node.name == "sum":
            return f"coalesce({text}, 0)"
        if node.name == "stDev":
            number = super().emit_Agg(ir.Agg("count", node.args, node.distinct))
            return f"CASE WHEN {number} = 1 THEN 0.0 ELSE {text} END"
        if node.name.startswith("percentile") and not isinstance(node.args[1], ir.Literal):
            raise self._limit(node.name, "ignores a percentile that is no number", node.span)
        return text

    def emit_Compare(self, node: ir.Compare) -> str:
        reason = unsound_comparison(node)
        if reason:
            raise self._limit(node.op.value, reason, node.span)
        return super().emit_Compare(node)

    def emit_Case(self, node: ir.Case) -> str:
        for when in node.whens if node.operand is not None else ():
            operand = node.operand or when.condition
            reason = unsound_comparison(
                ir.Compare(ir.CompareOp.EQ, operand, when.condition, span=node.span)
            )
            if reason:
                raise self._limit("CASE", reason, node.span)
        return super().emit_Case(node)

    def emit_Arith(self, node: ir.Arith) -> str:
        left, right = kind_of(node.left), kind_of(node.right)
        if node.op is ir.ArithOp.ADD and Kind.LIST in (left, right) and left is not right:
            if Kind.ANY in (left, right):
                raise self._limit("+", "adds lists to lists only", node.span)
            if left is Kind.LIST:
                joined = replace(node, right=ir.ListOf((node.right,)))
                return self._appended(node, node.right, joined)
            joined = replace(node, left=ir.ListOf((node.left,)))
            return self._appended(node, node.left, joined)
        return super().emit_Arith(node)

    def _appended(self, node: ir.Arith, item: ir.Expr, joined: ir.Arith) -> str:
        if nullable(item):
            raise self._limit("+", "adds lists to lists only", node.span)
        return super().emit_Arith(joined)

    def emit_Slice(self, node: ir.Slice) -> str:
        for bound in (node.lo, node.hi):
            value = bound.value if isinstance(bound, ir.Literal) else None
            if bound is not None and (not isinstance(value, int) or not 0 <= value < 2**31):
                raise self._limit(
                    "slice", "takes bounds of a slice from 0 to 2147483647", node.span
                )
        return super().emit_Slice(node)

    def emit_In(self, node: ir.In) -> str:
        reason = unsound_membership(node)
        if reason:
            raise self._limit("IN", reason, node.span)
        text = super().emit_In(node)
        sure = isinstance(node.list, ir.ListOf) and node.list.items
        if sure or not nullable(node.item):
            return text
        # null IN [] is false, the engine says null.
        empty = f"size({self.emit(node.list)}) = 0"
        return Code(f"CASE WHEN {empty} THEN false ELSE {text} END", TEST)

    def emit_MapProjection(self, node: ir.MapProjection) -> str:
        text = super().emit_MapProjection(node)
        if not nullable(node.base):
            return text
        # of null the engine makes a map of nulls
        return f"CASE WHEN {self.IS_NULL(self.emit(node.base))} THEN null ELSE {text} END"

    def emit_ListComp(self, node: ir.ListComp) -> str:
        self._refuse_unplaced(node)
        return super().emit_ListComp(node)

    def emit_Reduce(self, node: ir.Reduce) -> str:
        self._refuse_unplaced(node)
        return super().emit_Reduce(node)

    def emit_Unwind(self, node: ir.Unwind) -> str:
        self._refuse_unplaced(node)
        return super().emit_Unwind(node)

    def emit_Quantifier(self, node: ir.Quantifier) -> str:
        self._refuse_unplaced(node)
        unknown = nullable(node.where)
        if not unknown and not nullable(node.list):
            return super().emit_Quantifier(node)
        if node.kind is ir.QuantifierKind.SINGLE:
            raise self._limit("single()", "takes unknown for false in single()", node.span)
        listed = self.emit(node.list)
        wanted = ir.Not(node.where) if node.kind is ir.QuantifierKind.ALL else node.where
        tests = [f"WHEN {self._some(node, wanted)} THEN {self._some_true(node)}"]
        if unknown:
            tests.append(f"WHEN {self._some(node, ir.IsNull(node.where))} THEN null")
        if nullable(node.list):
            tests.append(f"WHEN {listed} IS NULL THEN null")
        other = "false" if node.kind is ir.QuantifierKind.ANY else "true"
        return f"CASE {' '.join(tests)} ELSE {other} END"

    def _some(self, node: ir.Quantifier, test: ir.Expr) -> str:
        return super().emit_Quantifier(replace(node, kind=ir.QuantifierKind.ANY, where=test))

    def _some_true(self, node: ir.Quantifier) -> str:
        return "true" if node.kind is ir.QuantifierKind.ANY else "false"

    def quoted(self, name: str) -> str:
        if "`" in name:
            raise self._limit(name, "reads no name with a backtick in Cypher", None)
        return super().quoted(name)

    def key(self, name: str, node: ir.Node | None = None) -> str:
        return self.quoted(name) if name.upper() in RESERVED else super().key(name)

    def emit_Var(self, node: ir.Var) -> str:
        if node.name.upper() in NUMBER_NAMES:
            raise self._limit(node.name, "reads this name as the number", node.span)
        return super().emit_Var(node)

    def emit_PatternComp(self, node: ir.PatternComp) -> str:
        self._refuse_unplaced(node)
        if node.path.var is not None:
            raise self._limit("pattern comprehension", "names no path there", node.span)
        if nullable(node.result):
            raise self._limit("pattern comprehension", "drops nulls from the list", node.span)
        return super().emit_PatternComp(node)

    def emit_Prop(self, node: ir.Prop) -> str:
        if "`" in node.key:
            return f"{self.base(node.base)}[{self.emit(ir.Literal(node.key))}]"
        if kind_of(node.base) in TEMPORAL and node.key not in _PARTS:
            raise self._limit(f".{node.key}", "has no such part of a temporal value", node.span)
        if kind_of(node.base) in TEMPORAL and not isinstance(node.base, ir.Var | ir.Prop):
            # The engine reads parts of names alone.
            name = next(self._spare)
            return f"[{name} IN [{self.emit(node.base)}] | {name}.{node.key}][0]"
        return super().emit_Prop(node)

    # --- functions -------------------------------------------------------------------------

    def emit_Call(self, node: ir.Call) -> str:
        name, args = node.name, node.args
        match name:
            case "=~" | "=%" | "=[]" | "=[..]" | "=." | "=+" | "=let" | "=same-texts":
                return self._own(node)
            case _ if name.startswith("="):
                return f"{name[1:]}({self._list(args)})"
            case "isEmpty":
                return f"({self.emit(ir.Call('size', args))} = 0)"
            case "left" if (moment := day_text(node)) is not None:
                return f"left(toString({self.emit(moment)}), {self.emit(args[1])})"
            case "date" if args and kind_of(args[0]) is Kind.DATETIME:
                return f"date(left(toString({self.emit(args[0])}), 10))"
            case "toString" if kind_of(args[0]) not in _PRINTED:
                raise self._limit("toString()", "prints numbers and times otherwise", node.span)
            case "size" if isinstance(args[0], ir.PatternComp):
                body = ir.Query((ir.Match((args[0].path,), args[0].where),))
                return self.emit(ir.CountOf(body))
            case "size" if isinstance(args[0], ir.CollectOf):
                return self.emit(ir.CountOf(args[0].query))
            case "round" if len(args) > 1:
                raise self._limit("round()", "rounds to whole numbers only", node.span)
            case "nodes" | "relationships" | "length" if not isinstance(args[0], ir.Var):
                raise self._limit(f"{name}()", "takes variables there", node.span)
            case "id" | "elementId":
                raise self._limit(f"{name}()", "has identifiers of its own", node.span)
            case "datetime" if not args:
                return "zoned_datetime()"
            case "date" | "datetime" | "localdatetime" | "time" | "localtime" if args:
                return self._instant(node)
            case "duration":
                return self._duration(node)
            case _ if "." in name or name in ("reduce", "point"):
                raise self._limit(f"{name}()", "has no such function", node.span)
        return super().emit_Call(node)

    def _own(self, node: ir.Call) -> str:
        """What `translators.grafeo` makes of grafeo's own operators."""
        match node.name, node.args:
            case "=~", (text, pattern):
                return super().emit_Text(ir.Text(ir.TextOp.REGEX, text, pattern))
            case "=%", (left, right):
                return super().emit_Arith(ir.Arith(ir.ArithOp.MOD, left, right))
            case "=[]", (base, key):
                return f"{self.operand(base, CONSTANT)}[{self.emit(key)}]"
            case "=[..]", (base, low, high):
                return f"{self.operand(base, CONSTANT)}[{self.emit(low)}..{self.emit(high)}]"
            case "=+", (left, right):
                return f"({self.emit(left)} + {self.emit(right)})"
            case "=.", (value, ir.Literal(part)):
                return f"{self.base(value)}.{part}"
            case "=let", (name, value, body):
                bound = f"{self.emit(name)} IN [{self.emit(value)}]"
                return f"[{bound} | {self.emit(body)}][0]"
        texts = [self.emit(arg) for arg in node.args]
        return f"({same_texts(*texts)})"

    def _instant(self, node: ir.Call) -> str:
        arg = node.args[0]
        if isinstance(arg, ir.Literal) and isinstance(arg.value, str):
            text = temporal.constant(node.name, arg.value)
            return f"{node.name}({self.emit(ir.Literal(text))})"
        plain = {"year", "month", "day"}
        if isinstance(arg, ir.MapOf) and not {entry.key for entry in arg.entries} <= plain:
            raise self._limit(f"{node.name}()", "ignores parts of a map", node.span)
        if not isinstance(arg, ir.MapOf) and kind_of(arg) not in (Kind.STRING, Kind.ANY):
            raise self._limit(f"{node.name}()", "converts no temporal values", node.span)
        return super().emit_Call(node)

    def _duration(self, node: ir.Call) -> str:
        arg = node.args[0]
        if isinstance(arg, ir.Literal) and isinstance(arg.value, str):
            return f"duration({self.emit(ir.Literal(temporal.duration_text(arg.value)))})"
        return super().emit_Call(node)

    def emit_Union(self, node: ir.Union) -> str:
        return super().emit_Union(replace(node, right=ordered_columns(node.right, columns(node))))

    # --- subqueries ------------------------------------------------------------------------

    def emit_Exists(self, node: ir.Exists) -> str:
        return f"EXISTS {{ {self._body(self._matches(node.query, 'EXISTS', node.span))} }}"

    def emit_CountOf(self, node: ir.CountOf) -> str:
        return f"COUNT {{ {self._body(self._matches(node.query, 'COUNT', node.span))} }}"

    def _matches(self, query: ir.Statement, word: str, span: Span | None) -> ir.Query:
        """The body without a RETURN that changes nothing; the engine takes MATCH alone."""
        if isinstance(query, ir.Query):
            clauses = query.clauses
            if isinstance(clauses[-1], ir.Project) and keeps_rows(clauses[-1]):
                clauses = clauses[:-1]
            matches = [clause for clause in clauses if isinstance(clause, ir.Match)]
            if clauses and len(matches) == len(clauses):
                return ir.Query(_where_last(matches))
        raise self._limit(word, f"takes MATCH alone in {word}", span)

    def emit_CollectOf(self, node: ir.CollectOf) -> str:
        query = node.query
        if isinstance(query, ir.Query) and len(query.clauses) == 2:
            match, last = query.clauses
            if (
                isinstance(match, ir.Match)
                and isinstance(last, ir.Project)
                and len(match.paths) == 1
                and not match.optional
                and keeps_rows(last)
                and not last.order
            ):
                return self.emit(ir.PatternComp(match.paths[0], last.items[0].expr, match.where))
        raise self._limit("COLLECT", "has no COLLECT subquery", node.span)

    def emit_Subquery(self, node: ir.Subquery) -> str:
        if node.optional:
            raise self._limit("OPTIONAL CALL", "has no optional subquery", node.span)
        return super().emit_Subquery(node)
