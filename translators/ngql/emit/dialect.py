"""nGQL for NebulaGraph 3.x: MATCH with properties qualified by tags, `==`, columns as sort keys.

How the graph lies in a space is in `schemagraph.nebula`; what is rewritten or refused before
printing in `translators.ngql.emit.lower`. `translators.ngql.read.reader.read_back` reads the text
into the Graph-IR that was printed. No engine here runs it: records say "not executed".

Source: NebulaGraph 3.8 manual, nGQL guide (https://docs.nebula-graph.io/3.8.0/3.ngql-guide/).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from graph_ir import nodes as ir
from graph_ir.variables import columns
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import Kind, SchemaGraph, Type
from translators.base import OPTION, Rendered
from translators.ngql.emit import calls
from translators.ngql.emit.differences import differences
from translators.ngql.emit.lower import lower
from translators.ngql.emit.scope import label_names, refuse, tags_of
from translators.ngql.emit.temporal import COMPONENTS
from translators.ngql.grammar.keywords import quote
from translators.opencypher import OpenCypher
from translators.printing import (
    ATOM,
    Code,
    Infix,
    Postfix,
    Prefix,
    alone,
    between,
    leftward,
)

# How tightly a text binds, the loosest first. OR and XOR bind alike, and chains read from the left.
_OR, _AND, _NOT, _COMPARE, _ADD, _MUL, _UNARY, _CONSTANT = range(1, 9)
_SIGNS = {ir.CompareOp.EQ: "==", ir.CompareOp.NE: "!="}
_WORDS = (ir.TextOp.STARTS, ir.TextOp.ENDS, ir.TextOp.CONTAINS)  # which NOT may stand before
_OPERATORS: Final[Mapping[str, Infix]] = {
    ir.BoolOp.OR: between("OR", _OR, _AND),
    ir.BoolOp.XOR: between("XOR", _OR, _AND),
    ir.BoolOp.AND: between("AND", _AND, _NOT),
    **{op: alone(_SIGNS.get(op, op.value), _COMPARE) for op in ir.CompareOp},
    **{op: alone(op.value, _COMPARE) for op in ir.TextOp},
    "IN": alone("IN", _COMPARE),
    ir.ArithOp.ADD: leftward("+", _ADD),
    ir.ArithOp.SUB: leftward("-", _ADD),
    ir.ArithOp.MUL: leftward("*", _MUL),
    ir.ArithOp.DIV: leftward("/", _MUL),
    ir.ArithOp.MOD: leftward("%", _MUL),
}
_NEGATED: Final[Mapping[str, Infix]] = {
    op: alone(f"NOT {op}", _COMPARE) for op in ("IN", *map(str, _WORDS))
}
_ELEMENTS = (Kind.NODE, Kind.EDGE)
_LISTED = (Kind.STRING, Kind.INTEGER, Kind.FLOAT)
_NOT_STORED = (Kind.BYTES, Kind.POINT, Kind.MAP, Kind.ZONED_TIME)
_UNORDERED = (Kind.NODE, Kind.EDGE, Kind.PATH, Kind.MAP, Kind.LIST, Kind.DURATION)
_AGGREGATES = {"count": "count", "sum": "sum", "avg": "avg", "min": "min", "max": "max"}
_AGGREGATES |= {"collect": "collect", "stDevP": "std"}
_SPECIAL = re.compile(r'["\\\x00-\x1f]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b"}

_LOWERED = "Lowering replaces it before printing."


class Ngql(OpenCypher):
    """Bound Graph-IR as the MATCH form of nGQL."""

    name: ClassVar[str] = "ngql"
    OPERATORS: ClassVar[Mapping[str, Infix]] = _OPERATORS
    NEGATION: ClassVar[Prefix] = Prefix("NOT ", _NOT, ATOM)
    MINUS: ClassVar[Prefix] = Prefix("-", _UNARY, ATOM)
    IS_NULL: ClassVar[Postfix] = Postfix(" IS NULL", _COMPARE, _ADD)
    IS_NOT_NULL: ClassVar[Postfix] = Postfix(" IS NOT NULL", _COMPARE, _ADD)
    CONSTANT: ClassVar[int] = _CONSTANT
    UNSUPPORTED: ClassVar = {
        **dict.fromkeys(
            (
                ir.Create,
                ir.Set,
                ir.SetItem,
                ir.Remove,
                ir.Merge,
                ir.Delete,
                ir.Foreach,
                ir.LoadCsv,
            ),
            ("write", "Only queries that read are translated."),
        ),
        **dict.fromkeys((ir.Procedure, ir.Yield), ("procedure", "nGQL has no procedures.")),
        ir.ServerOption: OPTION,
        ir.Subquery: ("subquery", "nGQL has no subqueries."),
        ir.Quantified: ("quantified-path", "nGQL repeats single edges only."),
        ir.PathExpr: ("path-expression", "nGQL has shortestPath() in MATCH only."),
        ir.LabelNot: ("label-expression", "nGQL joins tags with ':' and edge types with '|'."),
        ir.LabelAny: ("label-expression", "nGQL joins tags with ':' and edge types with '|'."),
    }

    def __init__(self, schema: SchemaGraph | None = None) -> None:
        super().__init__(schema)
        self._tags = tags_of(schema) if schema else None
        self._wanted: dict[str, tuple[str, ...]] = {}

    def generate(self, query: ir.Statement) -> Rendered:
        """The text of `query`, bound; columns keep the names that Cypher gives them.

        Raises:
            Refused: nGQL cannot say exactly this.
        """
        caveats = differences(query, self.schema)
        text = self.emit(self.lowered(query))
        return Rendered(text, self.name, columns(query), caveats)

    def lowered(self, query: ir.Statement) -> ir.Statement:
        """The Graph-IR that is printed: what `read_back` must find in the text."""
        self._wanted = _labels_by_variable(query)
        return lower(query, self.schema, self.emit)

    # --- names and constants -------------------------------------------------------------

    def ident(self, name: str, node: ir.Node | None = None) -> str:
        """A variable, alias, tag, edge type, property or key of a map.

        Raises:
            Refused: nGQL has no notation for the name.
        """
        try:
            return quote(name)
        except ValueError:
            span = node.span if node else None
            code = "dot-in-name" if name else "empty-name"
            reason = "nGQL has no names with dots, nor empty ones."
            raise Refused(code, f"`{name}`", reason, span) from None

    def key(self, name: str, node: ir.Node | None = None) -> str:
        return self.ident(name, node)

    def emit_Literal(self, node: ir.Literal) -> str:
        text = _constant(node)
        return Code(text, _UNARY if text[0] == "-" else _CONSTANT)

    def emit_Param(self, node: ir.Param) -> str:
        if not re.fullmatch(r"[A-Za-z]\w*", node.name):
            raise refuse("parameter", node, f"${node.name}", "nGQL names parameters plainly.")
        return Code(f"${node.name}", _CONSTANT)

    # --- operators -----------------------------------------------------------------------

    def emit_Not(self, node: ir.Not) -> str:
        match node.arg:
            case ir.In() as inner:
                return self._in(inner, _NEGATED)
            case ir.Text(op, left, right) if op in _NEGATED:
                return _NEGATED[op](self.emit(left), self.emit(right))
        return super().emit_Not(node)

    def emit_Compare(self, node: ir.Compare) -> str:
        kinds = (node.left.type.kind, node.right.type.kind)
        same = node.op in _SIGNS
        if Kind.PATH in kinds or (not same and any(kind in _UNORDERED for kind in kinds)):
            raise refuse(
                "element-comparison",
                node,
                node.op,
                "nGQL compares such values otherwise, if at all.",
            )
        if same and kinds == (Kind.EDGE, Kind.EDGE):
            return self._edges_compared(node)
        if same and Kind.NODE in kinds:
            return self.OPERATORS[node.op](self._id(node.left), self._id(node.right))
        if same and Kind.EDGE in kinds:
            raise refuse("element-comparison", node, node.op, "The other side may be no edge.")
        return self.infix(node)

    def _id(self, node: ir.Expr) -> str:
        """What identifies a vertex; vertices as values compare their properties too."""
        if node.type.kind is not Kind.NODE:
            raise refuse("element-comparison", node, "=", "The other side may be no node.")
        return f"id({self.emit(node)})"

    def _edges_compared(self, node: ir.Compare) -> str:
        """Edges by what identifies them; edges as values compare the properties read, too."""
        left, right = self.emit(node.left), self.emit(node.right)
        op, word = ("==", " AND ") if node.op is ir.CompareOp.EQ else ("!=", " OR ")
        parts = ("src", "dst", "type", "rank")
        return f"({word.join(f'{f}({left}) {op} {f}({right})' for f in parts)})"

    def emit_Text(self, node: ir.Text) -> str:
        if node.op is ir.TextOp.REGEX:
            calls.check_regex(node)
        return self.infix(node)

    def emit_In(self, node: ir.In) -> str:
        return self._in(node, self.OPERATORS)

    def _in(self, node: ir.In, operators: Mapping[str, Infix]) -> str:
        item = node.list.type.item
        if node.item.type.kind in _ELEMENTS or (item and item.kind in (*_ELEMENTS, Kind.PATH)):
            raise refuse(
                "element-comparison", node, "IN", "nGQL would compare the properties read, too."
            )
        return operators["IN"](self.emit(node.item), self.emit(node.list))

    def emit_Arith(self, node: ir.Arith) -> str:
        calls.check_arith(node)
        if node.op is ir.ArithOp.POW:  # always a float in Cypher
            return f"pow(toFloat({self.emit(node.left)}), {self.emit(node.right)})"
        return self.infix(node)

    # --- values --------------------------------------------------------------------------

    def emit_Prop(self, node: ir.Prop) -> str:
        kind = node.base.type.kind
        if kind in _ELEMENTS and not _can_be_stored(node.type):
            raise refuse(
                "property-type", node, f".{node.key}", f"NebulaGraph stores no {node.type}."
            )
        if kind is Kind.NODE:
            return self._tagged(node)
        if kind in COMPONENTS and node.key not in COMPONENTS[kind]:
            raise refuse(
                "temporal-component", node, f".{node.key}", "NebulaGraph has no such component."
            )
        if kind not in (Kind.EDGE, Kind.MAP, *COMPONENTS):
            raise refuse(
                "untyped-property",
                node,
                f".{node.key}",
                "Properties of vertices need a tag; whether this is a vertex is not known.",
            )
        return super().emit_Prop(node)

    def _tagged(self, node: ir.Prop) -> str:
        base = self.base(node.base)
        key = self.ident(node.key, node)
        tags = self._tags_of(node)
        texts = [f"{base}.{self.ident(tag, node)}.{key}" for tag in tags]
        return texts[0] if len(texts) == 1 else f"coalesce({', '.join(texts)})"

    def _tags_of(self, node: ir.Prop) -> Sequence[str]:
        """The tags that hold the property, whatever the node is."""
        of = node.base.type.of
        if self._tags and self.schema:
            wanted: tuple[str, ...] = ()
            if isinstance(node.base, ir.Var):
                wanted = self._wanted.get(node.base.name, ())
            of = tuple(name for name in of if name in self.schema.node_by_name)
            tags = self._tags.cover(of or self.schema.node_by_name, node.key, wanted)
            if tags:
                return tags
        elif len(of) == 1:
            return of
        raise refuse(
            "tag-unknown",
            node,
            f".{node.key}",
            f"nGQL needs the tag that holds '{node.key}'; give the node one label, or a schema.",
        )

    def emit_Call(self, node: ir.Call) -> str:
        if node.name in ("id", "elementId"):
            raise refuse(
                "id",
                node,
                f"{node.name}()",
                "Vertex ids are the keys of this graph there.",
            )
        arguments = self._list(node.args)
        calls.check(node)
        name = calls.NAMES.get(node.name, node.name)
        if node.name == "datetime" and node.args:
            # With its offset, so that it is told from a local date-time when read back.
            (text,) = node.args
            if isinstance(text, ir.Literal) and isinstance(text.value, str):
                return f'datetime("{text.value.removesuffix("Z")}+00:00")'
        return f"{name}({arguments})"

    def emit_Agg(self, node: ir.Agg) -> str:
        name = _AGGREGATES.get(node.name)
        if name is None:
            raise refuse("aggregate", node, node.name, f"nGQL has no aggregate {node.name}().")
        if not node.args:
            return "count(*)"
        return f"{name}({'DISTINCT ' if node.distinct else ''}{self._list(node.args)})"

    def emit_ListOf(self, node: ir.ListOf) -> str:
        return f"[{self._list(node.items)}]" if node.items else "LIST[]"

    def emit_MapOf(self, node: ir.MapOf) -> str:
        return super().emit_MapOf(node) if node.entries else "MAP{}"

    def emit_Index(self, node: ir.Index) -> str:
        if node.base.type.kind is not Kind.LIST and node.base.type.kind is not Kind.MAP:
            raise refuse(
                "dynamic-property", node, "[…]", "nGQL reads items of lists and maps by index only."
            )
        return super().emit_Index(node)

    def emit_Slice(self, node: ir.Slice) -> str:
        if node.lo is None and node.hi is None:
            return self.emit(node.base)
        return super().emit_Slice(node)

    def emit_ListComp(self, node: ir.ListComp) -> str:
        if node.where is None and node.result is None:
            return self.emit(node.list)
        where = f" WHERE {self.emit(node.where)}" if node.where else ""
        result = f" | {self.emit(node.result)}" if node.result else ""
        return f"[{self.ident(node.var, node)} IN {self.operand(node.list, _ADD)}{where}{result}]"

    def emit_Quantifier(self, node: ir.Quantifier) -> str:
        if node.kind is ir.QuantifierKind.SINGLE:
            raise refuse("single", node, "single()", "nGQL's single() takes unknown for false.")
        items = self.operand(node.list, _ADD)
        where = self.emit(node.where)
        name = self.ident(node.var, node)
        return Code(f"{node.kind}({name} IN {items} WHERE {where})", _CONSTANT)

    def emit_Reduce(self, node: ir.Reduce) -> str:
        return Code(super().emit_Reduce(node), _CONSTANT)

    def emit_PatternComp(self, node: ir.PatternComp) -> str:
        path = self.emit(_unnamed(node.path))
        own = isinstance(node.result, ir.Var) and node.result.name == node.path.var
        if own and node.where is None:
            return path
        where = f" WHERE {self.emit(node.where)}" if node.where else ""
        result = "" if own else f" | {self.emit(node.result)}"
        return f"[{self.ident(node.path.var or '', node)} IN {path}{where}{result}]"

    def emit_Exists(self, node: ir.Exists) -> str:
        (path,) = find(node, ir.Path)
        return self.emit(path)

    # --- patterns ------------------------------------------------------------------------

    def emit_LabelName(self, node: ir.LabelName) -> str:
        return f":{self.ident(node.name, node)}"

    def emit_LabelAnd(self, node: ir.LabelAnd) -> str:
        return "".join(self.emit(arg) for arg in node.args)

    def emit_LabelOr(self, node: ir.LabelOr) -> str:
        return "|".join(self.emit(arg) for arg in node.args)

    def emit_Selector(self, node: ir.Selector) -> str:
        return node.kind.value

    def _labelled(self, node: ir.NodePattern | ir.EdgePattern, labels: ir.LabelExpr) -> str:
        return self.emit(labels)

    def emit_Path(self, node: ir.Path) -> str:
        text = self.emit(node.head) + "".join(self.emit(step) for step in node.steps)
        if node.selector:
            text = f"{self.emit(node.selector)}({text})"
        return f"{self.ident(node.var, node)} = {text}" if node.var else text

    # --- clauses -------------------------------------------------------------------------

    def emit_Item(self, node: ir.Item) -> str:
        text = self.emit(node.expr)
        if next(find(node.expr, ir.Param), None) is not None:
            raise refuse(
                "parameter-output", node, "$…", "nGQL does not put out parameters, only tests them."
            )
        own = isinstance(node.expr, ir.Var) and node.expr.name == node.alias
        return text if own or not node.named else f"{text} AS {self.ident(node.alias, node)}"

    # --- nodes that lowering replaces ----------------------------------------------------

    def _gone(self, node: ir.Node) -> str:
        raise TypeError(f"{type(node).__name__}: {_LOWERED}")

    def emit_CountOf(self, node: ir.CountOf) -> str:
        return self._gone(node)

    def emit_CollectOf(self, node: ir.CollectOf) -> str:
        return self._gone(node)

    def emit_LabelTest(self, node: ir.LabelTest) -> str:
        return self._gone(node)

    def emit_MapProjection(self, node: ir.MapProjection) -> str:
        return self._gone(node)


def _constant(node: ir.Literal) -> str:
    value = node.value
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{_SPECIAL.sub(_escape, value)}"'
    if isinstance(value, float):
        if not math.isfinite(value):
            raise refuse("number", node, str(value), "nGQL cannot write this number.")
    elif not -(2**63) <= value < 2**63:
        raise refuse("integer-range", node, str(value), "nGQL's integers have 64 bits.")
    return repr(value)


def _escape(match: re.Match[str]) -> str:
    return _ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}"


def _unnamed(path: ir.Path) -> ir.Path:
    return ir.Path(path.head, path.steps)


def _labels_by_variable(query: ir.Statement) -> dict[str, tuple[str, ...]]:
    """The labels that the query itself names for a variable: its preferred tags."""
    wanted: dict[str, tuple[str, ...]] = {}
    for pattern in find(query, ir.NodePattern):
        names = label_names(pattern.labels)
        if pattern.var and names:
            wanted[pattern.var] = (*wanted.get(pattern.var, ()), *names)
    return wanted


def _can_be_stored(type: Type) -> bool:
    """Whether properties have this type; of lists, those that 3.8 can store."""
    if type.kind is Kind.LIST:
        return type.item is None or type.item.kind in (*_LISTED, Kind.ANY)
    return type.kind not in _NOT_STORED
