"""Cypher as Neo4j 5 runs it: minimal parentheses, names quoted only where needed.

Spelling follows the Neo4j Cypher manual (version 5). Where two spellings mean the same, the one
that openCypher 9 knows is printed, so that other engines read it too. One clause a line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import ClassVar, Final

from graph_ir import nodes as ir
from graph_ir.cypher.operators import as_written
from graph_ir.variables import columns
from graphmill.errors import Refused
from schemagraph.model import SchemaGraph
from translators.base import Rendered
from translators.opencypher import OpenCypher, arrow
from translators.printing import (
    ATOM,
    Code,
    Infix,
    Postfix,
    Prefix,
    alone,
    between,
    chained,
    leftward,
)

# How tightly a text binds, the loosest first. A literal is a value, but takes no `.` behind it.
OR, XOR, AND, NOT, COMPARE, TEST, ADD, MUL, POWER, UNARY, CONSTANT = range(1, 12)
OPERATORS: Final[Mapping[str, Infix]] = {
    ir.BoolOp.OR: chained("OR", OR),
    ir.BoolOp.XOR: chained("XOR", XOR),
    ir.BoolOp.AND: chained("AND", AND),
    # `a < b < c` is `a < b AND b < c`, so no comparison is an operand of another one.
    **{op: alone(op.value, COMPARE) for op in ir.CompareOp},
    **{op: between(op.value, TEST, ADD) for op in ir.TextOp},
    "IN": between("IN", TEST, ADD),
    ir.ArithOp.ADD: leftward("+", ADD),
    ir.ArithOp.SUB: leftward("-", ADD),
    ir.ArithOp.MUL: leftward("*", MUL),
    ir.ArithOp.DIV: leftward("/", MUL),
    ir.ArithOp.MOD: leftward("%", MUL),
    # Chained powers are read differently by different engines.
    ir.ArithOp.POW: between("^", POWER, CONSTANT),
}
# The same where IS NULL, IN and STARTS WITH bind tighter than arithmetic.
TIGHT_TESTS: Final[Mapping[str, Infix]] = {
    **OPERATORS,
    **{op: between(op, TEST, CONSTANT) for op in (*map(str, ir.TextOp), "IN")},
}
TIGHT_IS_NULL, TIGHT_IS_NOT_NULL = (
    Postfix(sign, TEST, CONSTANT) for sign in (" IS NULL", " IS NOT NULL")
)
# Label expressions have levels of their own.
_EITHER, _BOTH = Infix("|", 1, 1, 1), Infix("&", 2, 2, 2)
_LABEL_NOT = Prefix("!", ATOM, ATOM)
_CONSTANTS = frozenset({"null", "true", "false"})
_PLAIN = re.compile(r"[^\W\d]\w*")
_PLAIN_PARAM = re.compile(r"[^\W\d]\w*|\d+")
_CONTROL = re.compile(r"['\\\x00-\x1f\x7f\u2028\u2029]")
_ESCAPES = {"'": "\\'", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

# Reserved in openCypher 9 (Cypher.g4, ReservedWord), and words that could be read as something
# else where a name stands.
_RESERVED = """
    ALL AND ANY AS ASC ASCENDING BY CALL CASE CONTAINS COUNT CREATE DELETE DESC DESCENDING DETACH
    DISTINCT ELSE END ENDS EXISTS FALSE FOREACH IN IS LIMIT MATCH MERGE NONE NOT NULL OFFSET ON
    OPTIONAL OR ORDER REMOVE RETURN SET SHORTEST SINGLE SKIP STARTS THEN TRUE UNION UNWIND WHEN
    WHERE WITH XOR YIELD
"""
RESERVED = frozenset(_RESERVED.split())


_FUNCTIONS = (ir.SelectorKind.FUNCTION_ONE, ir.SelectorKind.FUNCTION_ALL)


class Cypher(OpenCypher):
    """Graph-IR as Cypher text, which `graph_ir.cypher.parse` reads back as an equal IR."""

    name: ClassVar[str] = "cypher"
    OPERATORS: ClassVar[Mapping[str, Infix]] = OPERATORS
    NEGATION: ClassVar[Prefix] = Prefix("NOT ", NOT, NOT)
    MINUS: ClassVar[Prefix] = Prefix("-", UNARY, CONSTANT)
    IS_NULL: ClassVar[Postfix] = Postfix(" IS NULL", TEST, ADD)
    IS_NOT_NULL: ClassVar[Postfix] = Postfix(" IS NOT NULL", TEST, ADD)
    CONSTANT: ClassVar[int] = CONSTANT

    def __init__(self, schema: SchemaGraph | None = None) -> None:
        super().__init__(schema)
        # A statement that uses one of Neo4j's newer notations may not use the older one beside it:
        # `A:B` is written `A&B` beside `A|B`, `!A` or `%`, and `-[:T*1..3]->` is written
        # `-[:T]->{1,3}` beside quantified paths. What was used is noted while it is printed.
        self._ampersand = False
        self._quantify = self._function = False
        self._used: set[str] = set()

    def generate(self, query: ir.Statement) -> Rendered:
        """The text, with the names of the result's columns."""
        self._ampersand = self._quantify = False
        self._used = set()
        rendered = super().generate(query)
        self._ampersand = {"colon", "expression"} <= self._used
        self._quantify = {"star", "group"} <= self._used
        if self._ampersand or self._quantify:
            rendered = super().generate(query)
        return Rendered(rendered.text, self.name, columns(query))

    # --- names and literals --------------------------------------------------------------

    def ident(self, name: str, node: ir.Node | None = None) -> str:
        """A variable or a column's alias."""
        if _PLAIN.fullmatch(name) and name.upper() not in RESERVED:
            return name
        return self.quoted(name)

    def key(self, name: str, node: ir.Node | None = None) -> str:
        """A label, type, property key or map key: keywords are no danger there."""
        plain = _PLAIN.fullmatch(name) and name.lower() not in _CONSTANTS
        return name if plain else self.quoted(name)

    def quoted(self, name: str) -> str:
        """A name in backticks.

        Raises:
            Refused: the name is empty, which no quoting can say.
        """
        if not name:
            raise Refused("empty-name", "``", "Cypher cannot name anything with an empty text.")
        return "`" + name.replace("`", "``") + "`"

    def emit_Arith(self, node: ir.Arith) -> str:
        return super().emit_Arith(as_written(node))  # what Cypher's own reader gives is so already

    def emit_Literal(self, node: ir.Literal) -> str:
        text = self.literal(node)
        if text[0] == "(":
            return text
        return Code(text, UNARY if text[0] == "-" else CONSTANT)

    def literal(self, node: ir.Literal) -> str:
        """A constant; one that Cypher can only compute stands in parentheses."""
        value = node.value
        if value is None:
            return "null"
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            return f"'{_CONTROL.sub(_escape, value)}'"
        if isinstance(value, float):
            if math.isnan(value):
                return "(0.0 / 0.0)"
            if math.isinf(value):
                return "(1.0 / 0.0)" if value > 0 else "(-1.0 / 0.0)"
        elif not -(2**63) <= value < 2**63:
            raise Refused("integer-range", str(value), "Cypher's integers have 64 bits.", node.span)
        return repr(value)

    # --- label expressions ---------------------------------------------------------------

    def emit_LabelName(self, node: ir.LabelName) -> str:
        return self.key(node.name)

    def emit_LabelAnd(self, node: ir.LabelAnd) -> str:
        if not self._ampersand and all(isinstance(arg, ir.LabelName) for arg in node.args):
            self._used.add("colon")
            return ":".join(self.emit(arg) for arg in node.args)
        self._used.add("expression")
        return _BOTH.chain(map(self._part, node.args))

    def emit_LabelOr(self, node: ir.LabelOr) -> str:
        self._used.add("expression")
        return self._either(node)

    def _either(self, node: ir.LabelOr) -> str:
        return _EITHER.chain(map(self._part, node.args))

    def emit_LabelNot(self, node: ir.LabelNot) -> str:
        self._used.add("expression")
        return _LABEL_NOT(self._part(node.arg))

    def emit_LabelAny(self, node: ir.LabelAny) -> str:
        self._used.add("expression")
        return "%"

    def _part(self, node: ir.LabelExpr) -> str:
        """A part of a label expression, which knows no `A:B`."""
        if isinstance(node, ir.LabelAnd):
            return _BOTH.chain(map(self._part, node.args))
        return self.emit(node)

    # --- expressions ---------------------------------------------------------------------

    def emit_Param(self, node: ir.Param) -> str:
        name = node.name
        return "$" + (name if _PLAIN_PARAM.fullmatch(name) else self.quoted(name))

    def emit_LabelTest(self, node: ir.LabelTest) -> str:
        text = f"{self.base(node.arg)}:{self.emit(node.labels)}"
        return Code(f"({text})" if isinstance(node.labels, ir.LabelOr) else text, TEST)

    def emit_Call(self, node: ir.Call) -> str:
        name = ".".join(self.key(part) for part in node.name.split("."))
        return f"{name}({self._list(node.args)})"

    def emit_ListOf(self, node: ir.ListOf) -> str:
        items = self._list(node.items)
        if len(node.items) == 1 and isinstance(node.items[0], ir.In):
            return f"[({items})]"  # [x IN xs] is a comprehension
        return f"[{items}]"

    def emit_MapProjection(self, node: ir.MapProjection) -> str:
        parts = [".*"] if node.all_properties else []
        for entry in node.entries:
            own = entry.value == ir.Prop(node.base, entry.key)
            parts.append(f".{self.key(entry.key)}" if own else self.emit(entry))
        return f"{self.emit(node.base)} {{{', '.join(parts)}}}"

    def emit_ListComp(self, node: ir.ListComp) -> str:
        result = f" | {self.emit(node.result)}" if node.result else ""
        where = self._inner_where(node.where, before_bar=node.result is not None)
        return f"[{self.ident(node.var)} IN {self.emit(node.list)}{where}{result}]"

    def emit_PatternComp(self, node: ir.PatternComp) -> str:
        where = self._inner_where(node.where, before_bar=True)
        return f"[{self.emit(node.path)}{where} | {self.emit(node.result)}]"

    def emit_PathExpr(self, node: ir.PathExpr) -> str:
        return self.emit(node.path)

    def emit_Exists(self, node: ir.Exists) -> str:
        return f"EXISTS {{ {self._body(node.query)} }}"

    def emit_CountOf(self, node: ir.CountOf) -> str:
        return f"COUNT {{ {self._body(node.query)} }}"

    def emit_CollectOf(self, node: ir.CollectOf) -> str:
        return f"COLLECT {{ {self._body(node.query)} }}"

    def _body(self, query: ir.Statement) -> str:
        return self._within(" ", query)

    def _within(self, separator: str, query: ir.Statement) -> str:
        outer, self._break = self._break, separator
        try:
            return self.emit(query)
        finally:
            self._break = outer

    def _inner_where(self, where: ir.Expr | None, *, before_bar: bool) -> str:
        """WHERE; a label test at its end would take a `|` that follows for its own."""
        if where is None:
            return ""
        text = self.emit(where)
        protect = before_bar and _ends_with_labels(where)
        return f" WHERE ({text})" if protect else f" WHERE {text}"

    # --- patterns ------------------------------------------------------------------------

    def emit_Selector(self, node: ir.Selector) -> str:
        match node.kind:
            case ir.SelectorKind.SHORTEST_K:
                return f"SHORTEST {node.count}"
            case ir.SelectorKind.SHORTEST_GROUPS:
                return f"SHORTEST {node.count} GROUPS"
        return node.kind.value

    def emit_Hops(self, node: ir.Hops) -> str:
        self._used.add("star")
        return super().emit_Hops(node)

    def emit_EdgePattern(self, node: ir.EdgePattern) -> str:
        if node.hops and node.where:
            single = ir.EdgePattern(
                node.var, node.types, node.direction, None, node.props, node.where
            )
            self._used.add("group")
            return f"((){self.emit(single)}()){_quantifier(node.hops)}"
        quantify = self._quantify
        if node.hops and node.types and not _alternatives(node.types):
            quantify = self._beyond_star(node)
        inside = self._inside(node, node.types, None if quantify else node.hops)
        after = _quantifier(node.hops) if node.hops and quantify else ""
        return arrow(inside, node.direction, after)

    def _beyond_star(self, node: ir.EdgePattern) -> bool:
        """Type expressions are said with a quantifier, which shortestPath() does not take."""
        if self._function:
            raise Refused(
                "label-expression",
                "shortestPath",
                "shortestPath() takes alternatives of types, no other expression of them.",
                node.span,
            )
        self._used.add("group")
        return True

    def _labelled(self, node: ir.NodePattern | ir.EdgePattern, labels: ir.LabelExpr) -> str:
        if isinstance(labels, ir.LabelOr) and isinstance(node, ir.EdgePattern):
            return f":{self._either(labels)}"  # alternatives of types are of the older notation
        return f":{self.emit(labels)}"

    def emit_Quantified(self, node: ir.Quantified) -> str:
        self._used.add("group")
        where = f" WHERE {self.emit(node.where)}" if node.where else ""
        return f"({self.emit(node.path)}{where}){_quantifier(node.hops)}"

    def emit_Path(self, node: ir.Path) -> str:
        if node.mode in (ir.PathMode.ACYCLIC, ir.PathMode.SIMPLE):
            raise Refused(
                "path-mode", node.mode, "Cypher 5 has no path modes beyond TRAIL.", node.span
            )
        kind = node.selector.kind if node.selector else None
        function = kind in _FUNCTIONS
        outer, self._quantify = self._quantify, self._quantify and not function
        self._function = function
        text = self.emit(node.head) + "".join(self.emit(step) for step in node.steps)
        self._quantify, self._function = outer, False
        if function:
            text = f"{kind}({text})"
        elif node.selector:
            text = f"{self.emit(node.selector)} {text}"
        return f"{self.ident(node.var)} = {text}" if node.var else text

    # --- reading clauses -----------------------------------------------------------------

    def emit_Match(self, node: ir.Match) -> str:
        if node.mode is ir.MatchMode.REPEATABLE:
            raise Refused(
                "match-mode",
                "REPEATABLE ELEMENTS",
                "In Cypher 5 a MATCH never binds one relationship twice.",
                node.span,
            )
        for path in node.paths if len(node.paths) > 1 else ():
            if path.selector is not None and path.selector.kind not in _FUNCTIONS:
                raise Refused(
                    "path-search",
                    path.selector.kind,
                    "A path search stands alone in its MATCH.",
                    path.span,
                )
        return super().emit_Match(node)

    def emit_Item(self, node: ir.Item) -> str:
        text = self.emit(node.expr)
        if isinstance(node.expr, ir.Var) and node.expr.name == node.alias:
            return text
        if not node.named and text == node.alias:
            return text
        return f"{text} AS {self.ident(node.alias)}"

    def emit_Subquery(self, node: ir.Subquery) -> str:
        names = ", ".join(self.ident(name) for name in node.imports)
        inner = self._break + "  " if self._break[0] == "\n" else self._break
        body = self._within(inner, node.query)
        optional = "OPTIONAL " if node.optional else ""
        return f"{optional}CALL ({names}) {{{inner}{body}{self._break}}}"

    def emit_Yield(self, node: ir.Yield) -> str:
        if node.name == "*":
            return "*"
        name = self.ident(node.name)
        return name if node.name == node.alias else f"{name} AS {self.ident(node.alias)}"

    def emit_ServerOption(self, node: ir.ServerOption) -> str:
        return f"CYPHER {node.text}"

    def emit_Procedure(self, node: ir.Procedure) -> str:
        text = "CALL " + ".".join(self.key(part) for part in node.name.split("."))
        if node.args is not None:
            text += f"({self._list(node.args)})"
        if node.yields:
            text += f" YIELD {self._list(node.yields)}"
        return f"{text}{self._break}WHERE {self.emit(node.where)}" if node.where else text

    # --- writing clauses -----------------------------------------------------------------

    def emit_Create(self, node: ir.Create) -> str:
        return f"CREATE {self._list(node.paths)}"

    def emit_SetItem(self, node: ir.SetItem) -> str:
        target = self.emit(node.target)
        if node.labels:
            return target + "".join(f":{self.key(label)}" for label in node.labels)
        if node.value is None:
            return target
        return f"{target} {'+=' if node.add else '='} {self.emit(node.value)}"

    def emit_Set(self, node: ir.Set) -> str:
        return f"SET {self._list(node.items)}"

    def emit_Remove(self, node: ir.Remove) -> str:
        return f"REMOVE {self._list(node.items)}"

    def emit_Merge(self, node: ir.Merge) -> str:
        text = f"MERGE {self.emit(node.path)}"
        if node.on_create:
            text += f"{self._break}ON CREATE SET {self._list(node.on_create)}"
        if node.on_match:
            text += f"{self._break}ON MATCH SET {self._list(node.on_match)}"
        return text

    def emit_Delete(self, node: ir.Delete) -> str:
        return f"{'DETACH ' if node.detach else ''}DELETE {self._list(node.exprs)}"

    def emit_Foreach(self, node: ir.Foreach) -> str:
        body = self._within(" ", ir.Query(node.clauses))
        return f"FOREACH ({self.ident(node.var)} IN {self.emit(node.list)} | {body})"

    def emit_LoadCsv(self, node: ir.LoadCsv) -> str:
        headers = " WITH HEADERS" if node.headers else ""
        text = f"LOAD CSV{headers} FROM {self.emit(node.url)} AS {self.ident(node.alias)}"
        if node.separator is None:
            return text
        return f"{text} FIELDTERMINATOR {self.emit(ir.Literal(node.separator))}"


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}"


def _quantifier(hops: ir.Hops) -> str:
    if hops.lo == hops.hi:
        return f"{{{hops.lo}}}"
    return f"{{{hops.lo},{'' if hops.hi is None else hops.hi}}}"


def _ends_with_labels(expr: ir.Expr) -> bool:
    match expr:
        case ir.LabelTest():
            return not isinstance(expr.labels, ir.LabelOr)
        case ir.Bool():
            return _ends_with_labels(expr.args[-1])
        case ir.Not():
            return _ends_with_labels(expr.arg)
    return False


def _alternatives(types: ir.LabelExpr) -> bool:
    """Whether the types are what the older notation of variable length takes: `A|B`."""
    if isinstance(types, ir.LabelOr):
        return all(isinstance(arg, ir.LabelName) for arg in types.args)
    return isinstance(types, ir.LabelName)
