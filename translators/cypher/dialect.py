"""Cypher as Neo4j 5 runs it: minimal parentheses, names quoted only where needed.

Spelling follows the Neo4j Cypher manual (version 5). Where two spellings mean the same, the one
that openCypher 9 knows is printed, so that other engines read it too. One clause a line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import ClassVar

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.model import SchemaGraph
from translators.base import Dialect, Rendered

_OR, _XOR, _AND, _NOT, _COMPARE, _TEST, _ADD, _MUL, _POW, _UNARY, _POSTFIX = range(1, 12)
_BOOL = {ir.BoolOp.OR: _OR, ir.BoolOp.XOR: _XOR, ir.BoolOp.AND: _AND}
_ARITH = {
    ir.ArithOp.ADD: _ADD,
    ir.ArithOp.SUB: _ADD,
    ir.ArithOp.MUL: _MUL,
    ir.ArithOp.DIV: _MUL,
    ir.ArithOp.MOD: _MUL,
    ir.ArithOp.POW: _POW,
}
_CONSTANTS = frozenset({"null", "true", "false"})
_PLAIN = re.compile(r"[^\W\d]\w*")
_PLAIN_PARAM = re.compile(r"[^\W\d]\w*|\d+")
_CONTROL = re.compile(r"['\\\x00-\x1f\x7f\u2028\u2029]")
_ESCAPES = {"'": "\\'", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b"}

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


class Cypher(Dialect):
    """Graph-IR as Cypher text, which `graph_ir.cypher.parse` reads back as an equal IR."""

    name: ClassVar[str] = "cypher"
    TESTED: ClassVar[int] = _ADD  # what IS NULL, IN and STARTS WITH are written behind

    def __init__(self, schema: SchemaGraph | None = None) -> None:
        super().__init__(schema)
        self._break = "\n"  # what stands between clauses: a new line, or a space inside braces
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
        return Rendered(rendered.text, self.name, _columns(query))

    # --- names and literals --------------------------------------------------------------

    def ident(self, name: str) -> str:
        """A variable or a column's alias."""
        if _PLAIN.fullmatch(name) and name.upper() not in RESERVED:
            return name
        return self.quoted(name)

    def key(self, name: str) -> str:
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

    def emit_Literal(self, node: ir.Literal) -> str:
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
        return "&".join(self._label(arg, ir.LabelOr) for arg in node.args)

    def emit_LabelOr(self, node: ir.LabelOr) -> str:
        self._used.add("expression")
        return self._either(node)

    def _either(self, node: ir.LabelOr) -> str:
        return "|".join(
            "&".join(self._label(part, ir.LabelOr) for part in arg.args)
            if isinstance(arg, ir.LabelAnd)
            else self.emit(arg)
            for arg in node.args
        )

    def emit_LabelNot(self, node: ir.LabelNot) -> str:
        self._used.add("expression")
        return "!" + self._label(node.arg, ir.LabelOr, ir.LabelAnd)

    def emit_LabelAny(self, node: ir.LabelAny) -> str:
        self._used.add("expression")
        return "%"

    def _label(self, node: ir.LabelExpr, *loose: type[ir.Node]) -> str:
        if not isinstance(node, loose):
            return self.emit(node)
        if isinstance(node, ir.LabelAnd):
            return f"({'&'.join(self._label(arg, ir.LabelOr) for arg in node.args)})"
        return f"({self.emit(node)})"

    # --- expressions ---------------------------------------------------------------------

    def level(self, node: ir.Expr) -> int:
        """How tightly the text of an expression binds; what binds looser needs parentheses."""
        match node:
            case ir.Bool():
                return _BOOL[node.op] if len(node.args) > 1 else self.level(node.args[0])
            case ir.Not():
                return _NOT
            case ir.Compare():
                return _COMPARE
            case ir.Text() | ir.In() | ir.IsNull() | ir.LabelTest():
                return _TEST
            case ir.Arith():
                return _ARITH[node.op]
            case ir.Neg():
                return _UNARY
            case ir.Literal(value=int() | float() as value) if not isinstance(value, bool):
                return _UNARY if math.copysign(1, value) < 0 else _POSTFIX
        return _POSTFIX

    def operand(self, node: ir.Expr, least: int) -> str:
        """The text of `node`, in parentheses where it binds looser than `least`."""
        text = self.emit(node)
        return text if self.level(node) >= least else f"({text})"

    def base(self, node: ir.Expr) -> str:
        """The text of what `.key`, `[i]` or `:Label` is written behind."""
        text = self.operand(node, _POSTFIX)
        return f"({text})" if isinstance(node, ir.Literal | ir.Case) and text[0] != "(" else text

    def emit_Var(self, node: ir.Var) -> str:
        return self.ident(node.name)

    def emit_Prop(self, node: ir.Prop) -> str:
        return f"{self.base(node.base)}.{self.key(node.key)}"

    def emit_Param(self, node: ir.Param) -> str:
        name = node.name
        return "$" + (name if _PLAIN_PARAM.fullmatch(name) else self.quoted(name))

    def emit_Compare(self, node: ir.Compare) -> str:
        return f"{self.operand(node.left, _TEST)} {node.op} {self.operand(node.right, _TEST)}"

    def emit_Bool(self, node: ir.Bool) -> str:
        return f" {node.op} ".join(self.operand(arg, _BOOL[node.op]) for arg in node.args)

    def emit_Not(self, node: ir.Not) -> str:
        return f"NOT {self.operand(node.arg, _NOT)}"

    def emit_Arith(self, node: ir.Arith) -> str:
        level = _ARITH[node.op]
        if level == _POW:  # chained powers are read differently by different engines
            return f"{self.operand(node.left, _POSTFIX)} ^ {self.operand(node.right, _POSTFIX)}"
        return f"{self.operand(node.left, level)} {node.op} {self.operand(node.right, level + 1)}"

    def emit_Neg(self, node: ir.Neg) -> str:
        return f"-{self.operand(node.arg, _POSTFIX)}"

    def emit_Text(self, node: ir.Text) -> str:
        left, right = (self.operand(side, self.TESTED) for side in (node.left, node.right))
        return f"{left} {node.op} {right}"

    def emit_In(self, node: ir.In) -> str:
        return f"{self.operand(node.item, self.TESTED)} IN {self.operand(node.list, self.TESTED)}"

    def emit_IsNull(self, node: ir.IsNull) -> str:
        return f"{self.operand(node.arg, self.TESTED)} IS {'NOT ' if node.negated else ''}NULL"

    def emit_LabelTest(self, node: ir.LabelTest) -> str:
        text = f"{self.base(node.arg)}:{self.emit(node.labels)}"
        return f"({text})" if isinstance(node.labels, ir.LabelOr) else text

    def emit_Call(self, node: ir.Call) -> str:
        name = ".".join(self.key(part) for part in node.name.split("."))
        return f"{name}({self._list(node.args)})"

    def emit_Agg(self, node: ir.Agg) -> str:
        if not node.args:
            return "count(*)"
        return f"{node.name}({'DISTINCT ' if node.distinct else ''}{self._list(node.args)})"

    def emit_When(self, node: ir.When) -> str:
        return f"WHEN {self.emit(node.condition)} THEN {self.emit(node.result)}"

    def emit_Case(self, node: ir.Case) -> str:
        operand = f" {self.emit(node.operand)}" if node.operand else ""
        whens = " ".join(self.emit(when) for when in node.whens)
        default = f" ELSE {self.emit(node.default)}" if node.default else ""
        return f"CASE{operand} {whens}{default} END"

    def emit_ListOf(self, node: ir.ListOf) -> str:
        items = self._list(node.items)
        if len(node.items) == 1 and isinstance(node.items[0], ir.In):
            return f"[({items})]"  # [x IN xs] is a comprehension
        return f"[{items}]"

    def emit_Entry(self, node: ir.Entry) -> str:
        return f"{self.key(node.key)}: {self.emit(node.value)}"

    def emit_MapOf(self, node: ir.MapOf) -> str:
        return f"{{{self._list(node.entries)}}}"

    def emit_MapProjection(self, node: ir.MapProjection) -> str:
        parts = [".*"] if node.all_properties else []
        for entry in node.entries:
            own = entry.value == ir.Prop(node.base, entry.key)
            parts.append(f".{self.key(entry.key)}" if own else self.emit(entry))
        return f"{self.emit(node.base)} {{{', '.join(parts)}}}"

    def emit_Index(self, node: ir.Index) -> str:
        return f"{self.base(node.base)}[{self.emit(node.index)}]"

    def emit_Slice(self, node: ir.Slice) -> str:
        lo = self.emit(node.lo) if node.lo else ""
        hi = self.emit(node.hi) if node.hi else ""
        return f"{self.base(node.base)}[{lo}..{hi}]"

    def emit_ListComp(self, node: ir.ListComp) -> str:
        result = f" | {self.emit(node.result)}" if node.result else ""
        where = self._inner_where(node.where, before_bar=node.result is not None)
        return f"[{self.ident(node.var)} IN {self.emit(node.list)}{where}{result}]"

    def emit_Quantifier(self, node: ir.Quantifier) -> str:
        items = self.emit(node.list)
        return f"{node.kind}({self.ident(node.var)} IN {items} WHERE {self.emit(node.where)})"

    def emit_Reduce(self, node: ir.Reduce) -> str:
        return (
            f"reduce({self.ident(node.acc)} = {self.emit(node.init)}, {self.ident(node.var)}"
            f" IN {self.emit(node.list)} | {self.emit(node.step)})"
        )

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

    def _list(self, nodes: Iterable[ir.Node]) -> str:
        return ", ".join(self.emit(node) for node in nodes)

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
        """The length of a relationship pattern, as `*1..3`."""
        self._used.add("star")
        if node.lo == node.hi:
            return f"*{node.lo}"
        if node.hi is None:
            return "*" if node.lo == 1 else f"*{node.lo}.."
        return f"*{node.lo}..{node.hi}"

    def emit_NodePattern(self, node: ir.NodePattern) -> str:
        return f"({self._inside(node, node.labels, None)})"

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
        line = f"-[{inside}]-" if inside else "--"
        after = _quantifier(node.hops) if node.hops and quantify else ""
        if node.direction is ir.Direction.OUT:
            return f"{line}>{after}"
        return f"<{line}{after}" if node.direction is ir.Direction.IN else f"{line}{after}"

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

    def _inside(
        self,
        node: ir.NodePattern | ir.EdgePattern,
        labels: ir.LabelExpr | None,
        hops: ir.Hops | None,
    ) -> str:
        text = self.ident(node.var) if node.var else ""
        if isinstance(labels, ir.LabelOr) and isinstance(node, ir.EdgePattern):
            text += f":{self._either(labels)}"  # alternatives of types are of the older notation
        elif labels:
            text += f":{self.emit(labels)}"
        if hops:
            text += self.emit(hops)
        if node.props:
            text += f"{' ' if text else ''}{self.emit(node.props)}"
        if node.where:
            text += f"{' ' if text else ''}WHERE {self.emit(node.where)}"
        return text

    def emit_Quantified(self, node: ir.Quantified) -> str:
        self._used.add("group")
        where = f" WHERE {self.emit(node.where)}" if node.where else ""
        return f"({self.emit(node.path)}{where}){_quantifier(node.hops)}"

    def emit_Step(self, node: ir.Step) -> str:
        space = " " if isinstance(node.edge, ir.Quantified) else ""
        return f"{space}{self.emit(node.edge)}{space}{self.emit(node.node)}"

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
        where = f"{self._break}WHERE {self.emit(node.where)}" if node.where else ""
        return f"{'OPTIONAL ' if node.optional else ''}MATCH {self._list(node.paths)}{where}"

    def emit_Unwind(self, node: ir.Unwind) -> str:
        return f"UNWIND {self.emit(node.expr)} AS {self.ident(node.alias)}"

    def emit_Item(self, node: ir.Item) -> str:
        text = self.emit(node.expr)
        if isinstance(node.expr, ir.Var) and node.expr.name == node.alias:
            return text
        if not node.named and text == node.alias:
            return text
        return f"{text} AS {self.ident(node.alias)}"

    def emit_SortKey(self, node: ir.SortKey) -> str:
        return f"{self.emit(node.expr)}{' DESC' if node.descending else ''}"

    def emit_Project(self, node: ir.Project) -> str:
        text = "RETURN " if node.final else "WITH "
        if node.distinct:
            text += "DISTINCT "
        text += self._list(node.items) if node.items else "*"
        if node.order:
            text += f"{self._break}ORDER BY {self._list(node.order)}"
        if node.skip:
            text += f"{self._break}SKIP {self.emit(node.skip)}"
        if node.limit:
            text += f"{self._break}LIMIT {self.emit(node.limit)}"
        if node.where:
            text += f"{self._break}WHERE {self.emit(node.where)}"
        return text

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

    # --- statements ----------------------------------------------------------------------

    def emit_Query(self, node: ir.Query) -> str:
        return self._break.join(self.emit(clause) for clause in node.clauses)

    def emit_Union(self, node: ir.Union) -> str:
        word = "UNION ALL" if node.all else "UNION"
        return self._break.join((self.emit(node.left), word, self.emit(node.right)))


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}"


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


def _columns(statement: ir.Statement) -> tuple[str, ...]:
    while isinstance(statement, ir.Union):
        statement = statement.left
    last = statement.clauses[-1]
    return tuple(i.alias for i in last.items) if isinstance(last, ir.Project) else ()


def _alternatives(types: ir.LabelExpr) -> bool:
    """Whether the types are what the older notation of variable length takes: `A|B`."""
    if isinstance(types, ir.LabelOr):
        return all(isinstance(arg, ir.LabelName) for arg in types.args)
    return isinstance(types, ir.LabelName)
