"""Expressions of ISO GQL: operators, CASE, aggregates and what typed Cypher says by one spelling.

Source: ISO/IEC 39075:2024 clauses 19 and 20.
"""

from __future__ import annotations

from typing import ClassVar

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import TEMPORAL, Kind
from translators.base import Dialect
from translators.gql.emit.scope import Scope
from translators.gql.emit.text import (
    AND,
    CALL,
    COMPARE,
    CONCAT,
    NOT,
    OR,
    PLUS,
    PRIMARY,
    SIGN,
    TIMES,
    Code,
    identifier,
    number,
    string,
    wrap,
)
from translators.gql.emit.values import kind_of, nullable

_AGGREGATES = {
    "count": "COUNT",
    "sum": "SUM",
    "avg": "AVG",
    "min": "MIN",
    "max": "MAX",
    "collect": "COLLECT_LIST",
    "stDev": "STDDEV_SAMP",
    "stDevP": "STDDEV_POP",
    "percentileCont": "PERCENTILE_CONT",
    "percentileDisc": "PERCENTILE_DISC",
}
EXISTS = "EXISTS {"
_ORDERED = (ir.CompareOp.LT, ir.CompareOp.LE, ir.CompareOp.GT, ir.CompareOp.GE)
_ELEMENTS = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH})
_TEXTS = frozenset({Kind.STRING, Kind.ANY, Kind.NULL})
_CONNECTIVE = {ir.BoolOp.AND: AND, ir.BoolOp.OR: OR, ir.BoolOp.XOR: OR}


class Expressions(Dialect):
    """Emits values and predicates; `scope` is where names stand during one `generate`."""

    # Whether `/` of two integers is known to truncate, as in Cypher (clause 20.21 leaves it open).
    DIVISION_TRUNCATES: ClassVar[bool] = False
    # Whether CONTAINS and =~ are known, as in Cypher; the standard has neither.
    TEXT_TESTS: ClassVar[bool] = False

    scope: Scope
    # The variables of edge patterns, as GQL calls them.
    edges: set[str]
    # Whether each group of the RETURN at hand has a row: then SUM of a value is a value.
    grouped: bool = False

    def identifier(self, name: str) -> str:
        """A label, property, field or column name, delimited where it must be."""
        return identifier(name)

    def column(self, hint: str) -> str:
        """The name of a column that only a subquery here has: no variable is called so."""
        return self.scope.inner().fresh(hint)

    def operand(self, node: ir.Expr, level: int) -> str:
        """The text of `node`, in parentheses where it binds less tightly than `level`."""
        return wrap(self.emit(node), level)

    # --- constants and names ---------------------------------------------------------------

    def text(self, value: str) -> str:
        """A character string literal."""
        return string(value)

    def emit_Literal(self, node: ir.Literal) -> str:
        value = node.value
        if value is None:
            return "NULL"
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, str):
            return self.text(value)
        return self._number(value)

    def _number(self, value: int | float, exact: bool = False) -> str:
        text = number(value, exact)
        return Code(text, SIGN) if text.startswith("-") else text

    def emit_Param(self, node: ir.Param) -> str:
        # Digits are no identifier, but a parameter may be named so (clause 21.3).
        return f"${node.name if node.name.isdigit() else self.identifier(node.name)}"

    def emit_Var(self, node: ir.Var) -> str:
        found = self.scope.names.get(node.name)
        if found is None:
            raise Refused(
                "scope", node.name, f"The variable '{node.name}' is not in scope here.", node.span
            )
        return found

    def emit_Prop(self, node: ir.Prop) -> str:
        kind = kind_of(node.base)
        if kind in TEMPORAL:
            return self.component(node)
        if kind is Kind.ANY and isinstance(node.base, ir.Prop) and node.key in self.components:
            raise Refused(
                "untyped-component",
                node.key,
                f"'.{node.key}' is a field of a record or a part of a date; the type of what "
                "stands before it is not known.",
                node.span,
            )
        return f"{self.base(node.base)}.{self.identifier(node.key)}"

    def base(self, node: ir.Expr) -> str:
        """What a property is taken of; parsers want parentheses around all but names."""
        text = self.emit(node)
        return text if isinstance(node, ir.Var | ir.Prop | ir.Param) else f"({text})"

    components: ClassVar[frozenset[str]] = frozenset()

    def component(self, node: ir.Prop) -> str:
        """A part of a temporal value; `functions` says which can be had."""
        raise NotImplementedError

    # --- predicates ------------------------------------------------------------------------

    def condition(self, node: ir.Expr) -> str:
        """A predicate where null and false do the same: WHERE, FILTER, WHEN."""
        if isinstance(node, ir.Bool) and node.op is not ir.BoolOp.XOR:
            level = _CONNECTIVE[node.op]
            parts = [wrap(self.condition(arg), AND) for arg in node.args]
            return Code(f" {node.op.value} ".join(parts), level)
        if isinstance(node, ir.Not):
            return self.is_false(node.arg)
        return self.is_true(node)

    def is_true(self, node: ir.Expr) -> str:
        """A text that is true where `node` is true, and false or null elsewhere."""
        return self.emit(node)

    def is_false(self, node: ir.Expr) -> str:
        """A text that is true where `node` is false, and false or null elsewhere."""
        if isinstance(node, ir.Not):
            return self.condition(node.arg)
        return self._denied(node)

    def negation(self, text: str) -> str:
        """NOT before a predicate."""
        return Code(f"NOT {text if text.startswith(EXISTS) else wrap(text, CALL)}", NOT)

    def emit_Compare(self, node: ir.Compare) -> str:
        if node.op in _ORDERED and {kind_of(node.left), kind_of(node.right)} & _ELEMENTS:
            raise Refused(
                "element-comparison", node.op.value, "GQL does not order elements.", node.span
            )
        special = self.compare_special(node)
        if special is not None:
            return special
        return Code(
            f"{self._side(node.left)} {node.op.value} {self._side(node.right)}",
            COMPARE,
        )

    def compare_special(self, node: ir.Compare) -> str | None:
        """A comparison that GQL says in another way, or None."""
        return None

    def _side(self, node: ir.Expr) -> str:
        if isinstance(node, ir.Literal) and isinstance(node.value, float):
            return self._number(node.value, exact=True)
        return self.operand(node, PLUS)

    def emit_Bool(self, node: ir.Bool) -> str:
        level = _CONNECTIVE[node.op]
        parts = [self.operand(arg, AND) for arg in node.args]
        return Code(f" {node.op.value} ".join(parts), level)

    def emit_Not(self, node: ir.Not) -> str:
        return self._denied(node.arg)

    def _denied(self, node: ir.Expr) -> str:
        if isinstance(node, ir.LabelTest) and isinstance(node.arg, ir.Var):
            edge = self.is_edge(node.arg)
            return self.label_test(self.emit(node.arg), node.labels, edge=edge, negated=True)
        return self.negation(self.emit(node))

    def emit_IsNull(self, node: ir.IsNull) -> str:
        test = "IS NOT NULL" if node.negated else "IS NULL"
        return Code(f"{self.operand(node.arg, PRIMARY)} {test}", COMPARE)

    def emit_LabelTest(self, node: ir.LabelTest) -> str:
        if not isinstance(node.arg, ir.Var):
            raise Refused(
                "label-test",
                "label test",
                "GQL tests the labels of a variable, not of an expression.",
                node.span,
            )
        return self.label_test(self.emit(node.arg), node.labels, edge=self.is_edge(node.arg))

    def is_edge(self, node: ir.Var) -> bool:
        """Whether a variable stands for an edge."""
        return kind_of(node) is Kind.EDGE or self.scope.names.get(node.name) in self.edges

    def label_test(
        self, variable: str, labels: ir.LabelExpr, *, edge: bool, negated: bool = False
    ) -> str:
        """`variable IS [NOT] LABELED labels`; `edge` says what the variable stands for."""
        middle = "IS NOT LABELED" if negated else "IS LABELED"
        return Code(f"{variable} {middle} {self.emit(labels)}", COMPARE)

    def emit_Text(self, node: ir.Text) -> str:
        sides = (node.left, node.right)
        if ir.Literal(None) in sides or any(kind_of(side) not in _TEXTS for side in sides):
            return "NULL"  # what is no string has no parts
        match node.op:
            case ir.TextOp.STARTS:
                return self.affix("LEFT", node)
            case ir.TextOp.ENDS:
                return self.affix("RIGHT", node)
            case ir.TextOp.CONTAINS | ir.TextOp.REGEX if self.TEXT_TESTS:
                left, right = self.operand(node.left, PLUS), self.operand(node.right, PLUS)
                return Code(f"{left} {node.op.value} {right}", COMPARE)
            case ir.TextOp.CONTAINS:
                raise Refused(
                    "contains", "CONTAINS", "ISO GQL has no test for a part of a string.", node.span
                )
            case ir.TextOp.REGEX:
                raise Refused(
                    "regular-expression", "=~", "ISO GQL has no regular expressions.", node.span
                )

    def affix(self, function: str, node: ir.Text) -> str:
        right = self._side(node.right)
        if isinstance(node.right, ir.Literal) and isinstance(node.right.value, str):
            length = str(len(node.right.value))
        else:
            length = f"CHAR_LENGTH({right})"
        return Code(f"{function}({self.emit(node.left)}, {length}) = {right}", COMPARE)

    # --- arithmetic ------------------------------------------------------------------------

    def emit_Arith(self, node: ir.Arith) -> str:
        left, right = kind_of(node.left), kind_of(node.right)
        match node.op:
            case ir.ArithOp.ADD if Kind.LIST in (left, right):
                return self.joined_lists(node, left, right)
            case ir.ArithOp.ADD if Kind.STRING in (left, right):
                return self._joined_texts(node)
            case ir.ArithOp.ADD | ir.ArithOp.SUB:
                text = f"{self.operand(node.left, PLUS)} {node.op.value} "
                return Code(text + self.operand(node.right, TIMES), PLUS)
            case ir.ArithOp.MUL:
                text = f"{self.operand(node.left, TIMES)} * {self.operand(node.right, SIGN)}"
                return Code(text, TIMES)
            case ir.ArithOp.DIV:
                return self._quotient(node, both={left, right} == {Kind.INTEGER})
            case ir.ArithOp.MOD:
                if Kind.FLOAT in (left, right):
                    raise Refused(
                        "modulo-float", "%", "GQL has a remainder of integers only.", node.span
                    )
                self.known_number(node)
                return self.remainder(node)
            case ir.ArithOp.POW:
                return Code(f"POWER({self.emit(node.left)}, {self.emit(node.right)})", CALL)

    def known_number(self, node: ir.Arith) -> None:
        """Refuse an operation of numbers that may both be integers, and may not be."""
        known = {kind_of(node.left), kind_of(node.right)} == {Kind.INTEGER}
        if not self.DIVISION_TRUNCATES and not known and not no_integer(node):
            raise Refused(
                "mixed-numbers",
                node.op.value,
                "Whether these numbers are integers is not known; GQL leaves open the scale of "
                "a quotient of integers, which Cypher truncates.",
                node.span,
            )

    def remainder(self, node: ir.Arith) -> str:
        """The remainder of the two integers of `node`."""
        return Code(f"MOD({self.emit(node.left)}, {self.emit(node.right)})", CALL)

    def _quotient(self, node: ir.Arith, *, both: bool) -> str:
        right = self.operand(node.right, SIGN)
        left = self.operand(node.left, TIMES)
        if both and not self.DIVISION_TRUNCATES:
            # Exact under every precision that an implementation may choose.
            exact = f"({self.operand(node.left, PLUS)} - {self.remainder(node)})"
            return Code(f"{exact} / {right}", TIMES)
        self.known_number(node)
        return Code(f"{left} / {right}", TIMES)

    def joined_lists(self, node: ir.Arith, left: Kind, right: Kind) -> str:
        """`+` with a list: both lists, or a list and one more item."""
        parts: list[str] = []
        for kind, part in ((left, node.left), (right, node.right)):
            if kind is Kind.LIST:
                parts.append(self._link(part, last=bool(parts)))
            elif kind is Kind.ANY or nullable(part):
                raise Refused(
                    "untyped-plus",
                    "+",
                    "A list and a value that can be null or a list are added.",
                    node.span,
                )
            else:
                parts.append(f"[{self.emit(part)}]")
        return Code(" || ".join(parts), CONCAT)

    def _joined_texts(self, node: ir.Arith) -> str:
        parts = [self._link(self._as_text(node.left), last=False)]
        parts.append(self._link(self._as_text(node.right), last=True))
        return Code(" || ".join(parts), CONCAT)

    def _as_text(self, node: ir.Expr) -> ir.Expr:
        """`node` beside a string: what is no string is printed, as Cypher prints it."""
        if kind_of(node) in (Kind.STRING, Kind.ANY, Kind.NULL):
            return node
        return ir.Call("toString", (node,), span=node.span)

    def _link(self, node: ir.Expr, *, last: bool) -> str:
        # Clause 20.23: what follows `||` is a primary.
        text = self.emit(node)
        level = text.level if isinstance(text, Code) else PRIMARY
        return text if not last and level in (CALL, CONCAT) else wrap(text, PRIMARY)

    def emit_Neg(self, node: ir.Neg) -> str:
        return Code(f"-{self.operand(node.arg, CALL)}", SIGN)

    # --- CASE, records ---------------------------------------------------------------------

    def emit_Case(self, node: ir.Case) -> str:
        total = _sum_or_null(node)
        if total is not None:
            return self.aggregate(total)
        if node.operand is not None and not _simple(node):
            node = _searched(node, node.operand)
        head = "CASE" if node.operand is None else f"CASE {self.operand(node.operand, PRIMARY)}"
        parts = [head]
        for when in node.whens:
            test = self.condition(when.condition) if node.operand is None else None
            test = test or self.emit(when.condition)
            parts.append(f"WHEN {test} THEN {self.emit(when.result)}")
        if node.default is not None:
            parts.append(f"ELSE {self.emit(node.default)}")
        return " ".join([*parts, "END"])

    def emit_When(self, node: ir.When) -> str:
        return f"WHEN {self.condition(node.condition)} THEN {self.emit(node.result)}"

    def emit_Entry(self, node: ir.Entry) -> str:
        return f"{self.identifier(node.key)}: {self.emit(node.value)}"

    def emit_MapOf(self, node: ir.MapOf) -> str:
        return "{" + ", ".join(self.emit(entry) for entry in node.entries) + "}"

    def emit_MapProjection(self, node: ir.MapProjection) -> str:
        if node.all_properties:
            raise Refused(
                "all-properties",
                ".*",
                "ISO GQL cannot list the properties that an element has.",
                node.span,
            )
        record = self.emit(ir.MapOf(node.entries))
        if not nullable(node.base):
            return record
        base = self.operand(node.base, PRIMARY)
        return f"CASE WHEN {base} IS NOT NULL THEN {record} END"

    # --- aggregates ------------------------------------------------------------------------

    def emit_Agg(self, node: ir.Agg) -> str:
        text = self.aggregate(node)
        if node.name == "stDev":
            # Of one value it is 0 in Cypher, and null in GQL.
            number = self.aggregate(ir.Agg("count", node.args, node.distinct))
            return f"CASE WHEN {number} = 1 THEN 0.0E0 ELSE {text} END"
        sure = self.grouped and not any(nullable(arg) for arg in node.args)
        if node.name != "sum" or sure:
            return text
        zero = "DURATION 'PT0S'" if kind_of(node.args[0]) is Kind.DURATION else "0"
        return f"COALESCE({text}, {zero})"

    def aggregate(self, node: ir.Agg) -> str:
        """The bare aggregate function, which is null over nothing where Cypher's is not."""
        if node.name not in _AGGREGATES:
            raise Refused(
                "aggregate", node.name, f"ISO GQL has no aggregate '{node.name}'.", node.span
            )
        if not node.args:
            return "COUNT(*)"
        distinct = "DISTINCT " if node.distinct else ""
        arguments = ", ".join(self.emit(arg) for arg in node.args)
        return f"{_AGGREGATES[node.name]}({distinct}{arguments})"


def _simple(node: ir.Case) -> bool:
    """Whether the simple form of CASE may be kept: primaries only (clause 20.7)."""
    operand = node.operand
    if not isinstance(operand, ir.Var | ir.Prop):
        return False
    if isinstance(operand, ir.Prop) and kind_of(operand.base) in TEMPORAL:
        return False
    return all(
        isinstance(when.condition, ir.Literal)
        and when.condition.value is not None
        and not (isinstance(when.condition.value, int | float) and when.condition.value < 0)
        for when in node.whens
    )


def _searched(node: ir.Case, operand: ir.Expr) -> ir.Case:
    whens = tuple(
        ir.When(ir.Compare(ir.CompareOp.EQ, operand, when.condition), when.result)
        for when in node.whens
    )
    return ir.Case(whens, node.default, type=node.type)


def _sum_or_null(node: ir.Case) -> ir.Agg | None:
    """The sum of `CASE WHEN count(x) = 0 THEN null ELSE sum(x) END`: what SUM itself returns."""
    if node.operand is not None or len(node.whens) != 1:
        return None
    when = node.whens[0]
    test = when.condition
    if not (
        isinstance(test, ir.Compare)
        and isinstance(test.left, ir.Agg)
        and test.left.name == "count"
        and test.right == ir.Literal(0)
    ):
        return None
    empty, filled = when.result, node.default
    if test.op in (ir.CompareOp.GT, ir.CompareOp.NE):
        empty, filled = node.default or ir.Literal(None), when.result
    elif test.op is not ir.CompareOp.EQ:
        return None
    if empty != ir.Literal(None) or not isinstance(filled, ir.Agg) or filled.name != "sum":
        return None
    return filled if filled.args == test.left.args else None


def no_integer(node: ir.Expr) -> bool:
    """Whether a value is certainly no integer: it is a float, or computed with one."""
    if isinstance(node, ir.Arith):
        if node.op is ir.ArithOp.POW:
            return True
        return no_integer(node.left) or no_integer(node.right)
    if isinstance(node, ir.Neg):
        return no_integer(node.arg)
    return node.type.kind not in (Kind.INTEGER, Kind.ANY) and not node.type.mixed
