"""Lists in ISO GQL, which has no indexing, no IN and no comprehensions: `FOR` does it all.

`VALUE {FOR x IN l …}` and `EXISTS {FOR x IN l …}` (ISO/IEC 39075:2024 clauses 14.8, 19.4, 20.6)
see the items as rows. Predicates keep three-valued logic: where a null and false do the same, one
EXISTS says it; elsewhere a CASE tells true, unknown and false apart. COLLECT_LIST drops nulls, so
a list whose items can be null cannot be rebuilt and is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import TEMPORAL, Kind
from translators.gql.emit.expressions import EXISTS, Expressions
from translators.gql.emit.text import AND, COMPARE, NOT, PLUS, PRIMARY, Code, wrap
from translators.gql.emit.values import item_nullable, kind_of, nullable

_UNROLLED = 1000
# The functions that take one end of a list, as indexes.
ENDS = {"head": 0, "last": -1}


@dataclass(frozen=True, slots=True)
class Rows:
    """A list seen as rows: its text, the variable of an item, what can be said of them."""

    list: str
    item: str
    test: str
    test_nullable: bool
    list_nullable: bool


class Lists(Expressions):
    """Emits lists, tests over their items, and what is taken out of them."""

    def emit_ListOf(self, node: ir.ListOf) -> str:
        return "[" + ", ".join(self.emit(item) for item in node.items) + "]"

    # --- tests over items ------------------------------------------------------------------

    def some(self, rows: Rows, test: str) -> str:
        """Whether some item passes `test`; false for a list that is null or empty."""
        rows_of = f"{_rows(rows.item, rows.list)} FILTER {test} RETURN {rows.item}"
        return Code(f"{EXISTS}{rows_of}}}", COMPARE)

    def unknown(self, test: str) -> str:
        """Whether a test is neither true nor false."""
        return f"{wrap(test, PRIMARY)} IS UNKNOWN"

    def is_not(self, test: str, truth: str) -> str:
        """Whether a test is not TRUE, or not FALSE; unknown is neither."""
        return f"{wrap(test, PRIMARY)} IS NOT {truth}"

    def number_of(self, rows: Rows) -> str:
        """How many items pass the test of `rows`."""
        found = f"{_rows(rows.item, rows.list)} FILTER {rows.test}"
        return f"VALUE {{{found} RETURN COUNT(*) AS {self.column('total')}}}"

    def _none_but(self, rows: Rows, truth: str) -> str:
        """Whether the test is `truth` for every item, of a list that is not null."""
        if rows.test_nullable:
            test = self.is_not(rows.test, truth)
        else:
            test = rows.test if truth == "FALSE" else _negated(rows.test)
        text = self.negation(self.some(rows, test))
        if not rows.list_nullable:
            return text
        return Code(f"{wrap(rows.list, PRIMARY)} IS NOT NULL AND {text}", AND)

    def emit_In(self, node: ir.In) -> str:
        if isinstance(node.list, ir.ListOf):
            return self.among(node, node.list)
        rows = self._membership(node)
        return self._three_valued(rows)

    def among(self, node: ir.In, listed: ir.ListOf) -> str:
        """`item IN [a, b]` as an OR of equalities, which keeps three-valued logic."""
        tests = tuple(
            ir.Compare(ir.CompareOp.EQ, node.item, item, span=node.span) for item in listed.items
        )
        if not tests:
            return "FALSE"
        return self.emit(tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.OR, tests))

    def _membership(self, node: ir.In) -> Rows:
        item = self.scope.fresh("item")
        test = Code(f"{item} = {self.operand(node.item, PLUS)}", COMPARE)
        can_be_null = nullable(node.item) or item_nullable(node.list)
        return Rows(self.emit(node.list), item, test, can_be_null, nullable(node.list))

    def emit_Quantifier(self, node: ir.Quantifier) -> str:
        rows = self._quantified(node)
        match node.kind:
            case ir.QuantifierKind.ANY:
                return self._three_valued(rows)
            case ir.QuantifierKind.NONE:
                return self._three_valued(rows, found="FALSE", otherwise="TRUE")
            case ir.QuantifierKind.ALL:
                opposite = Rows(
                    rows.list,
                    rows.item,
                    _negated(rows.test),
                    rows.test_nullable,
                    rows.list_nullable,
                )
                return self._three_valued(opposite, found="FALSE", otherwise="TRUE")
            case ir.QuantifierKind.SINGLE:
                if rows.test_nullable or rows.list_nullable:
                    return self._one_or_unknown(rows)
                return self._one(rows)

    def _quantified(self, node: ir.Quantifier) -> Rows:
        listed = self.emit(node.list)
        outer, self.scope = self.scope, self.scope.inner()
        item = self.scope.bind(node.var)
        test = self.emit(node.where)
        self.scope = outer
        return Rows(listed, item, test, nullable(node.where), nullable(node.list))

    def _one(self, rows: Rows) -> str:
        return Code(f"{self.number_of(rows)} = 1", COMPARE)

    def _one_or_unknown(self, rows: Rows) -> str:
        parts = []
        if rows.list_nullable:
            parts.append(f"WHEN {wrap(rows.list, PRIMARY)} IS NULL THEN NULL")
        if rows.test_nullable:
            parts.append(f"WHEN {self.number_of(rows)} > 1 THEN FALSE")
            parts.append(f"WHEN {self.some(rows, self.unknown(rows.test))} THEN NULL")
        return f"CASE {' '.join(parts)} ELSE {self._one(rows)} END"

    def _three_valued(self, rows: Rows, found: str = "TRUE", otherwise: str = "FALSE") -> str:
        if not rows.test_nullable and not rows.list_nullable:
            text = self.some(rows, rows.test)
            return text if found == "TRUE" else self.negation(text)
        parts = [f"CASE WHEN {self.some(rows, rows.test)} THEN {found}"]
        unknown = []
        if rows.test_nullable:
            unknown.append(self.some(rows, self.unknown(rows.test)))
        if rows.list_nullable:
            unknown.append(f"{wrap(rows.list, PRIMARY)} IS NULL")
        parts.append(f"WHEN {' OR '.join(unknown)} THEN NULL")
        return " ".join([*parts, f"ELSE {otherwise} END"])

    def is_true(self, node: ir.Expr) -> str:
        if isinstance(node, ir.In) and not isinstance(node.list, ir.ListOf):
            return self.member_true(node)
        if isinstance(node, ir.Quantifier):
            return self.quantifier_true(node)
        return super().is_true(node)

    def member_true(self, node: ir.In) -> str:
        """True where `item IN list` is true."""
        rows = self._membership(node)
        return self.some(rows, rows.test)

    def quantifier_true(self, node: ir.Quantifier) -> str:
        """True where the quantifier is true."""
        rows = self._quantified(node)
        match node.kind:
            case ir.QuantifierKind.ANY:
                return self.some(rows, rows.test)
            case ir.QuantifierKind.ALL:
                return self._none_but(rows, "TRUE")
            case ir.QuantifierKind.NONE:
                return self._none_but(rows, "FALSE")
            case ir.QuantifierKind.SINGLE:
                if not rows.test_nullable:
                    return self._one(rows)
                sure = self.negation(self.some(rows, self.unknown(rows.test)))
                return Code(f"{self._one(rows)} AND {sure}", AND)

    def is_false(self, node: ir.Expr) -> str:
        if isinstance(node, ir.In) and not isinstance(node.list, ir.ListOf):
            return self.member_false(node)
        if isinstance(node, ir.Quantifier):
            return self.quantifier_false(node)
        return super().is_false(node)

    def member_false(self, node: ir.In) -> str:
        """True where `item IN list` is false."""
        rows = self._membership(node)
        return self._none_but(rows, "FALSE")

    def quantifier_false(self, node: ir.Quantifier) -> str:
        """True where the quantifier is false."""
        rows = self._quantified(node)
        match node.kind:
            case ir.QuantifierKind.ANY:
                return self._none_but(rows, "FALSE")
            case ir.QuantifierKind.NONE:
                return self.some(rows, rows.test)
            case ir.QuantifierKind.ALL:
                return self.some(rows, _negated(rows.test))
            case ir.QuantifierKind.SINGLE:
                return self.negation(self.emit_Quantifier(node))

    # --- items and parts -------------------------------------------------------------------

    def emit_Index(self, node: ir.Index) -> str:
        kind = kind_of(node.base)
        key = node.index
        if isinstance(key, ir.Literal) and isinstance(key.value, str):
            return self.emit(ir.Prop(node.base, key.value, type=node.type, span=node.span))
        if kind in (Kind.NODE, Kind.EDGE, Kind.MAP) or kind_of(key) is Kind.STRING:
            raise Refused(
                "dynamic-property",
                "[ ]",
                "ISO GQL cannot choose a property by a computed name.",
                node.span,
            )
        return self.item_at(node.base, key)

    def emit_Prop(self, node: ir.Prop) -> str:
        base = node.base
        if kind_of(base) not in TEMPORAL:
            suffix = f".{self.identifier(node.key)}"
            if isinstance(base, ir.Index) and kind_of(base.index) is not Kind.STRING:
                return self.item_at(base.base, base.index, suffix)
            if isinstance(base, ir.Call) and base.name in ENDS:
                return self.item_at(base.args[0], ir.Literal(ENDS[base.name]), suffix)
        return super().emit_Prop(node)

    def item_at(self, base: ir.Expr, index: ir.Expr, suffix: str = "") -> str:
        """The item of `base` at a 0-based `index`, counted from the end where it is negative.

        `suffix` is a property to take of it: parsers take none of a VALUE.
        """
        listed = self.emit(base)
        item, place = self.scope.fresh("item"), self.scope.fresh("place")
        if isinstance(index, ir.Literal) and isinstance(index.value, int):
            wanted = _place(listed, index.value)
        else:
            at = self.operand(index, PLUS)
            end = f"CARDINALITY({listed}) + {at}"
            wanted = f"CASE WHEN {wrap(Code(at), PRIMARY)} < 0 THEN {end} ELSE {at} END"
        rows = f"{_rows(item, listed)} WITH OFFSET {place}"
        return f"VALUE {{{rows} FILTER {place} = {wanted} RETURN {item}{suffix}}}"

    def emit_Slice(self, node: ir.Slice) -> str:
        listed = self.emit(node.base)
        tests = []
        item, place = self.scope.fresh("item"), self.scope.fresh("place")
        self._no_null_items(node)
        for bound, sign in ((node.lo, ">="), (node.hi, "<")):
            if bound is None:
                continue
            if not (isinstance(bound, ir.Literal) and isinstance(bound.value, int)):
                raise Refused(
                    "slice-bound",
                    "[ .. ]",
                    "The bound of a slice can be negative or null here, which GQL cannot tell.",
                    node.span,
                )
            tests.append(f"{place} {sign} {_place(listed, bound.value)}")
        return self._rebuilt(node.base, listed, item, place, " AND ".join(tests), item)

    def emit_ListComp(self, node: ir.ListComp) -> str:
        self._no_null_items(node)
        listed = self.emit(node.list)
        outer, self.scope = self.scope, self.scope.inner()
        item = self.scope.bind(node.var)
        place = self.scope.fresh("place")
        test = self.condition(node.where) if node.where is not None else ""
        result = self.emit(node.result) if node.result is not None else item
        self.scope = outer
        return self._rebuilt(node.list, listed, item, place, test, result)

    def _no_null_items(self, node: ir.ListComp | ir.Slice) -> None:
        if item_nullable(node):
            raise Refused(
                "list-with-null",
                "list",
                "COLLECT_LIST drops nulls, and an item of this list can be null.",
                node.span,
            )

    def _rebuilt(
        self, base: ir.Expr, listed: str, item: str, place: str, test: str, result: str
    ) -> str:
        """A list made of the rows of another, in its order."""
        filtered = f" FILTER {test}" if test else ""
        rows = f"{_rows(item, listed)} WITH OFFSET {place}{filtered}"
        if "VALUE {" in result:
            # No aggregate inside an aggregate.
            value = self.scope.fresh("result")
            rows, result = f"{rows} LET {value} = {result}", value
        rows = f"{rows} ORDER BY {place}"
        text = f"VALUE {{{rows} RETURN COLLECT_LIST({result}) AS {self.column('list_1')}}}"
        if not nullable(base):
            return text
        return f"CASE WHEN {wrap(listed, PRIMARY)} IS NOT NULL THEN {text} END"

    def counted(self, node: ir.ListComp) -> str:
        """The length of a list comprehension: nulls count."""
        listed = self.emit(node.list)
        outer, self.scope = self.scope, self.scope.inner()
        item = self.scope.bind(node.var)
        filtered = f" FILTER {self.condition(node.where)}" if node.where is not None else ""
        self.scope = outer
        number = f"COUNT(*) AS {self.column('total')}"
        text = f"VALUE {{{_rows(item, listed)}{filtered} RETURN {number}}}"
        if not nullable(node.list):
            return text
        return f"CASE WHEN {wrap(listed, PRIMARY)} IS NOT NULL THEN {text} END"

    def emit_Reduce(self, node: ir.Reduce) -> str:
        raise Refused("reduce", "reduce()", "ISO GQL cannot fold a list.", node.span)

    def range_of(self, node: ir.Call) -> str:
        """`range(a, b, step)` of literals, written out."""
        values = [arg.value for arg in node.args if isinstance(arg, ir.Literal)]
        bounds = [value for value in values if isinstance(value, int)]
        if len(bounds) != len(node.args) or not 2 <= len(bounds) <= 3 or bounds[2:] == [0]:
            raise Refused(
                "range", "range()", "ISO GQL has no range; only literal bounds fit.", node.span
            )
        step = bounds[2] if len(bounds) == 3 else 1
        items = range(bounds[0], bounds[1] + (1 if step > 0 else -1), step)
        if len(items) > _UNROLLED:
            raise Refused(
                "range", "range()", f"The range has more than {_UNROLLED} items.", node.span
            )
        return "[" + ", ".join(map(str, items)) + "]"


def _rows(item: str, listed: str) -> str:
    return f"FOR {item} IN {wrap(listed, PRIMARY)}"


def _place(listed: str, index: int) -> str:
    """Where an index points, counted from 0; a negative one from the end."""
    return str(index) if index >= 0 else f"CARDINALITY({listed}) - {-index}"


def _negated(test: str) -> str:
    return Code(f"NOT {test if test.startswith(EXISTS) else wrap(test, PRIMARY)}", NOT)
