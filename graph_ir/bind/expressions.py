"""Types and checks of expressions; a part of `graph_ir.bind`.

An expression is rebuilt with its type. What is found goes into the report and never stops the
work: an expression in error has the type ANY, which fits everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from graph_ir import nodes as ir
from graph_ir.bind.calls import Calls, Scope, a_type
from graph_ir.rewrites import sum_or_null
from graph_ir.types import (
    BOOLEAN,
    COMPONENTS,
    COUNT,
    MAP,
    NULL,
    PATH,
    TRUTH,
    UNKNOWN,
    arithmetic,
    comparable,
    component,
    component_key,
    decided,
    item_of,
    join,
    list_of,
    nullable,
)
from graphmill.errors import did_you_mean
from schemagraph.model import ANY, NUMERIC, Kind, Type

_LITERAL_KINDS = {bool: Kind.BOOLEAN, int: Kind.INTEGER, float: Kind.FLOAT, str: Kind.STRING}
_LITERALS = {kind: Type(of, nullable=False) for kind, of in _LITERAL_KINDS.items()}
_ELEMENTS = frozenset({Kind.NODE, Kind.EDGE})
_KEYED = frozenset({Kind.MAP, Kind.NODE, Kind.EDGE, *UNKNOWN})
_TRUE_OR_FALSE = frozenset({Kind.BOOLEAN, *UNKNOWN})


class Expressions(Calls):
    """Binding of expressions; `Binder` adds patterns and statements."""

    # What the classes that inherit provide.

    def subquery(
        self, query: ir.Statement, scope: Scope, kind: str
    ) -> tuple[ir.Statement, list[Type]]:
        """The query of EXISTS, COUNT or COLLECT (`kind`), and the types of its columns."""
        raise NotImplementedError

    def pattern(self, path: ir.Path, scope: Scope, *, binds: bool) -> tuple[ir.Path, Scope]:
        """A pattern inside an expression and the scope behind it."""
        raise NotImplementedError

    # --- entry points --------------------------------------------------------------------

    def expr(self, node: ir.Expr, scope: Scope) -> ir.Expr:
        """`node` with its type and those of everything inside it."""
        return self._BINDERS[type(node)](self, node, scope)

    def condition(self, node: ir.Expr, scope: Scope) -> ir.Expr:
        """An expression that is asked whether it is true."""
        if type(node) is ir.Exists and node.form is ir.ExistsForm.PATTERN:
            return self._exists(node, scope)
        bound = self.expr(node, scope)
        if bound.type.kind not in _TRUE_OR_FALSE:
            self.report.error(
                node, "not-boolean", f"A condition must be a boolean, this is {a_type(bound.type)}."
            )
        return bound

    def _optional(self, node: ir.Expr | None, scope: Scope) -> ir.Expr | None:
        return None if node is None else self.expr(node, scope)

    # --- leaves --------------------------------------------------------------------------

    def _var(self, node: ir.Var, scope: Scope) -> ir.Expr:
        type = scope.get(node.name)
        if type is None:
            self.report.error(
                node,
                "undefined-variable",
                f"The variable '{node.name}' is not defined here.{did_you_mean(node.name, scope)}",
            )
            scope[node.name] = ANY  # say it once
            return node
        return ir.Var(node.name, span=node.span, type=type)

    def _literal(self, node: ir.Literal, scope: Scope) -> ir.Expr:
        value = node.value
        literal_type = NULL if value is None else _LITERALS[type(value)]
        return ir.Literal(value, span=node.span, type=literal_type)

    def _param(self, node: ir.Param, scope: Scope) -> ir.Expr:
        return node

    def _prop(self, node: ir.Prop, scope: Scope) -> ir.Expr:
        base = self.expr(node.base, scope)
        key = node.key
        if base.type.kind in COMPONENTS:
            key = component_key(base.type.kind, key) or key
        type = self._property(node, base.type, key)
        return ir.Prop(base, key, span=node.span, type=type)

    def _property(self, at: ir.Node, base: Type, key: str) -> Type:
        kind = base.kind
        if kind in _ELEMENTS:
            if self.index is None:
                return ANY
            property_type = self.index.property(base, key)
            if property_type is None:
                self._unknown_property(at, base, key, self.index.properties(base))
                return ANY
            return property_type
        if kind in _KEYED:
            return ANY
        parts = COMPONENTS.get(kind)
        if parts is None:
            self.report.error(
                at, "no-properties", f"{a_type(base, capital=True)} has no property '{key}'."
            )
            return ANY
        if component_key(kind, key) is None:
            self.report.error(
                at,
                "unknown-component",
                f"{a_type(base, capital=True)} has no component '{key}'.{did_you_mean(key, parts)}",
            )
            return ANY
        return component(kind, key, nullable=base.nullable)

    def _unknown_property(self, at: ir.Node, base: Type, key: str, known: tuple[str, ...]) -> None:
        owner = " or ".join(base.of[:3]) + (" …" if len(base.of) > 3 else "")
        hint = did_you_mean(key, known) if known else " It has none."
        self.report.error(
            at, "unknown-property", f"No property '{key}' on {owner or 'any type'}.{hint}"
        )

    # --- operators -----------------------------------------------------------------------

    def _compare(self, node: ir.Compare, scope: Scope) -> ir.Expr:
        left = self.expr(node.left, scope)
        right = self.expr(node.right, scope)
        if NULL in (left.type, right.type):
            self.report.warning(
                node,
                "null-comparison",
                "A comparison with null is never true: write IS NULL or IS NOT NULL.",
            )
        self._check_literal(node, left, right.type, right)
        self._check_literal(node, right, left.type, left)
        self._check_elements(node, left.type, right.type)
        ordering = node.op not in (ir.CompareOp.EQ, ir.CompareOp.NE)
        type = decided(left.type, right.type, ordering=ordering)
        return ir.Compare(node.op, left, right, span=node.span, type=type)

    def _check_literal(self, at: ir.Node, stored: ir.Expr, other: Type, value: ir.Expr) -> None:
        """A property compared with a constant that it can never equal."""
        if self.index is None or not _is_stored(stored) or not _is_constant(value):
            return
        if not comparable(stored.type, other):
            name = stored.key if isinstance(stored, ir.Prop) else ""
            self.report.error(
                at,
                "incomparable",
                f"The property '{name}' is {a_type(stored.type)} and is compared with"
                f" {a_type(other)}.{_conversion(stored.type)}",
            )

    def _check_elements(self, at: ir.Node, one: Type, other: Type) -> None:
        """A node or relationship that is compared with what it can never be: a value, or one of
        other types."""
        element, value = (one, other) if one.kind in _ELEMENTS else (other, one)
        if element.kind not in _ELEMENTS or value.kind in UNKNOWN:
            return
        if element.kind is not value.kind:
            message = f"{a_type(element, capital=True)} is never equal to {a_type(value)}."
            if value.kind not in _ELEMENTS:
                message += " Compare a property of it."
            self.report.warning(at, "incomparable", message)
        elif element.of and value.of and not {*element.of} & {*value.of}:
            names = " or ".join(element.of[:3]), " or ".join(value.of[:3])
            self.report.warning(
                at, "incomparable", f"What is {names[0]} is never what is {names[1]}."
            )

    def _check_member(self, at: ir.Node, item: ir.Expr, items: ir.Expr) -> None:
        """A constant that is looked for in a stored list which cannot hold it."""
        if self.index is None or not _is_stored(items) or not _is_constant(item):
            return
        inner = item_of(items.type)
        if not comparable(inner, item.type):
            self.report.error(
                at,
                "incomparable",
                f"The items of this list are of the kind {inner}, {a_type(item.type)} is none.",
            )

    def _bool(self, node: ir.Bool, scope: Scope) -> ir.Expr:
        args = tuple([self._operand(arg, scope, node.op.value) for arg in node.args])
        null = any(arg.type.nullable for arg in args)
        return ir.Bool(node.op, args, span=node.span, type=BOOLEAN if null else TRUTH)

    def _not(self, node: ir.Not, scope: Scope) -> ir.Expr:
        arg = self._operand(node.arg, scope, "NOT")
        return ir.Not(arg, span=node.span, type=BOOLEAN if arg.type.nullable else TRUTH)

    def _operand(self, node: ir.Expr, scope: Scope, operator: str) -> ir.Expr:
        if type(node) is ir.Exists and node.form is ir.ExistsForm.PATTERN:
            return self._exists(node, scope)
        bound = self.expr(node, scope)
        if bound.type.kind not in _TRUE_OR_FALSE:
            self.report.error(
                node, "not-boolean", f"{operator} joins booleans, this is {a_type(bound.type)}."
            )
        return bound

    def _arith(self, node: ir.Arith, scope: Scope) -> ir.Expr:
        left = self.expr(node.left, scope)
        right = self.expr(node.right, scope)
        type = arithmetic(node.op, left.type, right.type)
        if type is None:
            self.report.error(
                node,
                "operand-type",
                f"'{node.op.value}' cannot combine {a_type(left.type)} and {a_type(right.type)}.",
            )
            type = ANY
        return ir.Arith(node.op, left, right, span=node.span, type=type)

    def _neg(self, node: ir.Neg, scope: Scope) -> ir.Expr:
        arg = self.expr(node.arg, scope)
        kind = arg.type.kind
        if kind not in NUMERIC and kind not in UNKNOWN and kind is not Kind.DURATION:
            self.report.error(node, "operand-type", f"'-' cannot negate {a_type(arg.type)}.")
            return ir.Neg(arg, span=node.span)
        return ir.Neg(arg, span=node.span, type=ANY if kind is Kind.NULL else arg.type)

    def _text(self, node: ir.Text, scope: Scope) -> ir.Expr:
        left = self.expr(node.left, scope)
        right = self.expr(node.right, scope)
        for side in (left, right):
            kind = side.type.kind
            if kind is Kind.STRING or kind in UNKNOWN:
                continue
            message = f"{node.op.value} tests text, this is {a_type(side.type)}."
            if self.index is not None and _is_stored(side):
                self.report.error(side, "incomparable", message)
            elif node.op is ir.TextOp.REGEX:  # the others are null then
                self.report.error(side, "operand-type", message)
        texts = left.type.kind is right.type.kind is Kind.STRING
        null = not texts or left.type.nullable or right.type.nullable
        return ir.Text(node.op, left, right, span=node.span, type=BOOLEAN if null else TRUTH)

    def _in(self, node: ir.In, scope: Scope) -> ir.Expr:
        item = self.expr(node.item, scope)
        items = self.expr(node.list, scope)
        if items.type.kind is not Kind.LIST and items.type.kind not in UNKNOWN:
            self.report.error(
                node.list, "operand-type", f"IN needs a list, this is {a_type(items.type)}."
            )
        elif isinstance(items, ir.ListOf):
            for constant in items.items:
                self._check_literal(node, item, constant.type, constant)
        elif items.type.item is not None:
            self._check_member(node, item, items)
        item_type = decided(item.type, item_of(items.type), ordering=False)
        type = nullable(item_type, items.type.nullable)
        return ir.In(item, items, span=node.span, type=type)

    def _is_null(self, node: ir.IsNull, scope: Scope) -> ir.Expr:
        return ir.IsNull(self.expr(node.arg, scope), node.negated, span=node.span, type=TRUTH)

    def _label_test(self, node: ir.LabelTest, scope: Scope) -> ir.Expr:
        arg = self.expr(node.arg, scope)
        kind = arg.type.kind
        if kind not in _ELEMENTS and kind not in UNKNOWN:
            self.report.error(
                node,
                "no-labels",
                f"Only nodes and relationships have labels, not {a_type(arg.type)}.",
            )
        elif kind in _ELEMENTS:
            self.check_labels(node.labels, kind)
        type = BOOLEAN if arg.type.nullable else TRUTH
        return ir.LabelTest(arg, node.labels, span=node.span, type=type)

    def check_labels(self, labels: ir.LabelExpr, kind: Kind) -> None:
        """Report labels and edge types that the schema does not have."""
        index = self.index
        if index is None:
            return
        match labels:
            case ir.LabelName(name):
                known = index.node_labels if kind is Kind.NODE else index.edge_labels
                if name not in known:
                    what, code = (
                        ("label", "unknown-label")
                        if kind is Kind.NODE
                        else ("relationship type", "unknown-type")
                    )
                    self.report.error(
                        labels,
                        code,
                        f"No {what} '{name}' in the schema.{did_you_mean(name, known)}",
                    )
            case ir.LabelAnd(args) | ir.LabelOr(args):
                for arg in args:
                    self.check_labels(arg, kind)
            case ir.LabelNot(arg):
                self.check_labels(arg, kind)

    # --- conditions, lists and maps ------------------------------------------------------

    def _case(self, node: ir.Case, scope: Scope) -> ir.Expr:
        operand = self._optional(node.operand, scope)
        asked = self.expr if operand is not None else self.condition
        whens = tuple(
            [
                ir.When(asked(w.condition, scope), self.expr(w.result, scope), span=w.span)
                for w in node.whens
            ]
        )
        default = self._optional(node.default, scope)
        types = [when.result.type for when in whens]
        types.append(default.type if default is not None else NULL)
        case = ir.Case(whens, default, operand, span=node.span, type=join(types))
        if case.type.of_nothing and sum_or_null(case) is not None:
            case = replace(case, type=replace(case.type, of_nothing=""))
        return case

    def _list_of(self, node: ir.ListOf, scope: Scope) -> ir.Expr:
        items = self._all(node.items, scope)
        type = list_of(join(item.type for item in items))
        return ir.ListOf(items, span=node.span, type=type)

    def _entries(self, entries: Sequence[ir.Entry], scope: Scope) -> tuple[ir.Entry, ...]:
        return tuple([ir.Entry(e.key, self.expr(e.value, scope), span=e.span) for e in entries])

    def _map_of(self, node: ir.MapOf, scope: Scope) -> ir.Expr:
        return ir.MapOf(self._entries(node.entries, scope), span=node.span, type=MAP)

    def _map_projection(self, node: ir.MapProjection, scope: Scope) -> ir.Expr:
        base = self.expr(node.base, scope)
        if base.type.kind not in _KEYED:
            self.report.error(
                node, "no-properties", f"{a_type(base.type, capital=True)} has no properties."
            )
        entries = self._entries(node.entries, scope)
        type = nullable(MAP, base.type.nullable)
        return ir.MapProjection(base, entries, node.all_properties, span=node.span, type=type)

    def _index(self, node: ir.Index, scope: Scope) -> ir.Expr:
        base = self.expr(node.base, scope)
        index = self.expr(node.index, scope)
        type = ANY
        if base.type.kind is Kind.LIST:
            if index.type.kind is not Kind.INTEGER and index.type.kind not in UNKNOWN:
                self.report.error(
                    index,
                    "operand-type",
                    f"A list is indexed by an integer, not {a_type(index.type)}.",
                )
            type = nullable(item_of(base.type))
        elif (
            base.type.kind in _KEYED
            and index.type.kind in NUMERIC
            and base.type.kind not in UNKNOWN
        ):
            self.report.error(
                index, "operand-type", f"A key is a text, this is {a_type(index.type)}."
            )
        elif base.type.kind in _ELEMENTS and isinstance(index, ir.Literal):
            type = self._property(node, base.type, str(index.value))
        elif base.type.kind not in _KEYED:
            self.report.error(
                base, "operand-type", f"{a_type(base.type, capital=True)} cannot be indexed."
            )
        return ir.Index(base, index, span=node.span, type=type)

    def _slice(self, node: ir.Slice, scope: Scope) -> ir.Expr:
        base = self.expr(node.base, scope)
        if base.type.kind is not Kind.LIST and base.type.kind not in UNKNOWN:
            self.report.error(
                base, "operand-type", f"A slice needs a list, not {a_type(base.type)}."
            )
        lo, hi = self._optional(node.lo, scope), self._optional(node.hi, scope)
        null = any(bound is not None and bound.type.nullable for bound in (lo, hi))
        type = nullable(base.type, null) if base.type.kind is Kind.LIST else ANY
        return ir.Slice(base, lo, hi, span=node.span, type=type)

    def _items(self, items: ir.Expr) -> Type:
        """The type of the variable that runs over `items`."""
        if items.type.kind is not Kind.LIST and items.type.kind not in UNKNOWN:
            self.report.error(
                items, "operand-type", f"This runs over a list, not over {a_type(items.type)}."
            )
        return item_of(items.type)

    def _list_comp(self, node: ir.ListComp, scope: Scope) -> ir.Expr:
        items = self.expr(node.list, scope)
        inner = {**scope, node.var: self._items(items)}
        outer, self.place = self.place, self.place or "a list comprehension"
        where = None if node.where is None else self.condition(node.where, inner)
        result = self._optional(node.result, inner)
        self.place = outer
        item = result.type if result is not None else inner[node.var]
        type = list_of(item, nullable=items.type.nullable)
        return ir.ListComp(node.var, items, where, result, span=node.span, type=type)

    def _quantifier(self, node: ir.Quantifier, scope: Scope) -> ir.Expr:
        items = self.expr(node.list, scope)
        inner = {**scope, node.var: self._items(items)}
        outer, self.place = self.place, self.place or f"{node.kind}()"
        where = self.condition(node.where, inner)
        self.place = outer
        null = items.type.nullable or where.type.nullable
        type = BOOLEAN if null else TRUTH
        return ir.Quantifier(node.kind, node.var, items, where, span=node.span, type=type)

    def _reduce(self, node: ir.Reduce, scope: Scope) -> ir.Expr:
        init = self.expr(node.init, scope)
        items = self.expr(node.list, scope)
        inner = {**scope, node.var: self._items(items), node.acc: ANY}
        outer, self.place = self.place, self.place or "reduce()"
        step = self.expr(node.step, inner)
        self.place = outer
        type = join((init.type, step.type)) if step.type.kind is not Kind.ANY else ANY
        return ir.Reduce(node.acc, init, node.var, items, step, span=node.span, type=nullable(type))

    # --- patterns and subqueries ---------------------------------------------------------

    def _pattern_comp(self, node: ir.PatternComp, scope: Scope) -> ir.Expr:
        path, inner = self.pattern(node.path, scope, binds=True)
        outer, self.place = self.place, self.place or "a pattern comprehension"
        where = None if node.where is None else self.condition(node.where, inner)
        result = self.expr(node.result, inner)
        self.place = outer
        return ir.PatternComp(path, result, where, span=node.span, type=list_of(result.type))

    def _path_expr(self, node: ir.PathExpr, scope: Scope) -> ir.Expr:
        path, _ = self.pattern(node.path, scope, binds=False)
        selector = node.path.selector
        every = selector is not None and selector.kind is ir.SelectorKind.FUNCTION_ALL
        return ir.PathExpr(path, span=node.span, type=list_of(PATH) if every else nullable(PATH))

    def _misplaced_pattern(self, node: ir.Exists, scope: Scope) -> ir.Expr:
        if node.form is ir.ExistsForm.PATTERN:
            self.report.error(
                node,
                "misplaced-pattern",
                "A pattern stands here as a value. To count its matches write COUNT { (a)-->(b) },"
                " to list them [(a)-->(b) | b.x].",
            )
            return replace(self._exists(node, scope), type=ANY)
        return self._exists(node, scope)

    def _exists(self, node: ir.Exists, scope: Scope) -> ir.Expr:
        if node.form is ir.ExistsForm.SUBQUERY:
            query, _ = self._nested(node.query, scope, "EXISTS")
        else:
            query = self._bare(node.query, scope)
        return ir.Exists(query, node.form, span=node.span, type=TRUTH)

    def _bare(self, query: ir.Statement, scope: Scope) -> ir.Statement:
        """The query of `(a)-->(b)` as a predicate, which may not bring variables."""
        match query:
            case ir.Query(clauses=(ir.Match(paths=(path,)) as match,)):
                bound, _ = self.pattern(path, scope, binds=False)
                return replace(query, clauses=(replace(match, paths=(bound,)),))
        return self._nested(query, scope, "EXISTS")[0]

    def _count_of(self, node: ir.CountOf, scope: Scope) -> ir.Expr:
        query, _ = self._nested(node.query, scope, "COUNT")
        return ir.CountOf(query, span=node.span, type=COUNT)

    def _collect_of(self, node: ir.CollectOf, scope: Scope) -> ir.Expr:
        query, types = self._nested(node.query, scope, "COLLECT")
        if len(types) != 1:
            self.report.error(node, "collect-columns", "COLLECT { } needs a RETURN of one column.")
        item = types[0] if types else ANY
        return ir.CollectOf(query, span=node.span, type=list_of(item))

    def _nested(
        self, query: ir.Statement, scope: Scope, kind: str
    ) -> tuple[ir.Statement, list[Type]]:
        state = self.place, self.aggregate
        self.place, self.aggregate = "this clause", ""
        bound = self.subquery(query, scope, kind)
        self.place, self.aggregate = state
        return bound

    _BINDERS: ClassVar[dict[type[ir.Expr], Callable[[Any, Any, Scope], ir.Expr]]] = {
        ir.Var: _var,
        ir.Prop: _prop,
        ir.Literal: _literal,
        ir.Param: _param,
        ir.Compare: _compare,
        ir.Bool: _bool,
        ir.Not: _not,
        ir.Arith: _arith,
        ir.Neg: _neg,
        ir.Text: _text,
        ir.In: _in,
        ir.IsNull: _is_null,
        ir.LabelTest: _label_test,
        ir.Call: Calls.call,
        ir.Agg: Calls.agg,
        ir.Case: _case,
        ir.ListOf: _list_of,
        ir.MapOf: _map_of,
        ir.MapProjection: _map_projection,
        ir.Index: _index,
        ir.Slice: _slice,
        ir.ListComp: _list_comp,
        ir.Quantifier: _quantifier,
        ir.Reduce: _reduce,
        ir.PatternComp: _pattern_comp,
        ir.PathExpr: _path_expr,
        ir.Exists: _misplaced_pattern,
        ir.CountOf: _count_of,
        ir.CollectOf: _collect_of,
    }


def _is_stored(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Prop) and expr.base.type.kind in _ELEMENTS


def _is_constant(expr: ir.Expr) -> bool:
    if isinstance(expr, ir.Literal):
        return expr.value is not None
    return isinstance(expr, ir.ListOf | ir.MapOf) or (
        isinstance(expr, ir.Call) and all(isinstance(arg, ir.Literal) for arg in expr.args)
    )


def _conversion(type: Type) -> str:
    function = _MAKERS.get(type.kind)
    return f" Convert the constant, as in {function}('…')." if function else ""


_MAKERS = {
    Kind.DATE: "date",
    Kind.TIME: "localtime",
    Kind.ZONED_TIME: "time",
    Kind.DATETIME: "localdatetime",
    Kind.ZONED_DATETIME: "datetime",
    Kind.DURATION: "duration",
}
