"""nGQL for NebulaGraph 3.x: MATCH with properties qualified by tags, `==`, columns as sort keys.

How the graph lies in a space is in `schemagraph.nebula`; what is rewritten or refused before
printing in `translators.ngql.emit.lower`. `translators.ngql.read.reader.read_back` reads the text
into the Graph-IR that was printed. No engine here runs it: records say "not executed".

Source: NebulaGraph 3.8 manual, nGQL guide (https://docs.nebula-graph.io/3.8.0/3.ngql-guide/).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import Kind, SchemaGraph, Type
from schemagraph.nebula import Tags
from translators.base import OPTION, Dialect, Rendered
from translators.ngql.emit import calls
from translators.ngql.emit.lower import lower
from translators.ngql.emit.scope import label_names, refuse
from translators.ngql.emit.temporal import COMPONENTS
from translators.ngql.grammar.keywords import quote

_CASE, _OR, _AND, _NOT, _COMPARE, _ADD, _MUL, _UNARY, _CONSTANT, _POSTFIX = range(10)
_ARITH = {
    ir.ArithOp.ADD: _ADD,
    ir.ArithOp.SUB: _ADD,
    ir.ArithOp.MUL: _MUL,
    ir.ArithOp.DIV: _MUL,
    ir.ArithOp.MOD: _MUL,
    ir.ArithOp.POW: _POSTFIX,
}
_COMPARE_TEXT = {ir.CompareOp.EQ: "==", ir.CompareOp.NE: "!="}
_ELEMENTS = (Kind.NODE, Kind.EDGE)
_LISTED = (Kind.STRING, Kind.INTEGER, Kind.FLOAT)
_NOT_STORED = (Kind.BYTES, Kind.POINT, Kind.MAP, Kind.ZONED_TIME)
_UNORDERED = (Kind.NODE, Kind.EDGE, Kind.PATH, Kind.MAP, Kind.LIST, Kind.DURATION)
_AGGREGATES = {"count": "count", "sum": "sum", "avg": "avg", "min": "min", "max": "max"}
_AGGREGATES |= {"collect": "collect", "stDevP": "std"}
_SPECIAL = re.compile(r'["\\\x00-\x1f]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b"}

_LOWERED = "Lowering replaces it before printing."


class Ngql(Dialect):
    """Bound Graph-IR as the MATCH form of nGQL."""

    name: ClassVar[str] = "ngql"
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
        self._tags = Tags(schema) if schema else None
        self._wanted: dict[str, tuple[str, ...]] = {}

    def generate(self, query: ir.Statement) -> Rendered:
        """The text of `query`, bound; columns keep the names that Cypher gives them.

        Raises:
            Refused: nGQL cannot say exactly this.
        """
        text = self.emit(self.lowered(query))
        return Rendered(text, self.name, _columns(query))

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

    def emit_Literal(self, node: ir.Literal) -> str:
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

    def emit_Param(self, node: ir.Param) -> str:
        if not re.fullmatch(r"[A-Za-z]\w*", node.name):
            raise refuse("parameter", node, f"${node.name}", "nGQL names parameters plainly.")
        return f"${node.name}"

    # --- operators -----------------------------------------------------------------------

    def level(self, node: ir.Expr) -> int:
        """How tightly the text of an expression binds; what binds looser needs parentheses."""
        match node:
            case ir.Bool():
                return _AND if node.op is ir.BoolOp.AND else _OR
            case ir.Not(ir.In()):
                return _COMPARE
            case ir.Not(ir.Text(op)) if op is not ir.TextOp.REGEX:
                return _COMPARE
            case ir.Not():
                return _NOT
            case ir.Compare(left=left):
                return _POSTFIX if left.type.kind is Kind.EDGE else _COMPARE
            case ir.In() | ir.Text() | ir.IsNull():
                return _COMPARE
            case ir.Arith():
                return _ARITH[node.op]
            case ir.Neg():
                return _UNARY
            case ir.Case() | ir.Quantifier() | ir.Reduce():
                return _CONSTANT
            case ir.Literal(value=bool() | str() | None):
                return _CONSTANT
            case ir.Literal(value=int() | float() as value):
                return _UNARY if math.copysign(1, value) < 0 else _CONSTANT
            case ir.Param():
                return _CONSTANT
        return _POSTFIX

    def operand(self, node: ir.Expr, least: int) -> str:
        """The text of `node`, in parentheses where it binds looser than `least`."""
        text = self.emit(node)
        return text if self.level(node) >= least else f"({text})"

    def emit_Bool(self, node: ir.Bool) -> str:
        if node.op is ir.BoolOp.AND:
            return " AND ".join(self.operand(arg, _NOT) for arg in node.args)
        # OR and XOR bind alike in nGQL, and chains read from the left.
        return f" {node.op} ".join(self.operand(arg, _AND) for arg in node.args)

    def emit_Not(self, node: ir.Not) -> str:
        match node.arg:
            case ir.In() as inner:
                return self._in(inner, "NOT IN")
            case ir.Text(op, left, right) if op is not ir.TextOp.REGEX:
                return f"{self.operand(left, _ADD)} NOT {op} {self.operand(right, _ADD)}"
        return f"NOT {self.operand(node.arg, _POSTFIX)}"

    def emit_Compare(self, node: ir.Compare) -> str:
        kinds = (node.left.type.kind, node.right.type.kind)
        same = node.op in _COMPARE_TEXT
        if Kind.PATH in kinds or (not same and any(kind in _UNORDERED for kind in kinds)):
            raise refuse(
                "element-comparison",
                node,
                node.op,
                "nGQL compares such values otherwise, if at all.",
            )
        op = _COMPARE_TEXT.get(node.op, node.op.value)
        if same and kinds == (Kind.EDGE, Kind.EDGE):
            return self._edges_compared(node)
        if same and Kind.NODE in kinds:
            return f"{self._id(node.left)} {op} {self._id(node.right)}"
        if same and Kind.EDGE in kinds:
            raise refuse("element-comparison", node, node.op, "The other side may be no edge.")
        return f"{self.operand(node.left, _ADD)} {op} {self.operand(node.right, _ADD)}"

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
        return f"{self.operand(node.left, _ADD)} {node.op} {self.operand(node.right, _ADD)}"

    def emit_In(self, node: ir.In) -> str:
        return self._in(node, "IN")

    def _in(self, node: ir.In, word: str) -> str:
        item = node.list.type.item
        if node.item.type.kind in _ELEMENTS or (item and item.kind in (*_ELEMENTS, Kind.PATH)):
            raise refuse(
                "element-comparison", node, "IN", "nGQL would compare the properties read, too."
            )
        return f"{self.operand(node.item, _ADD)} {word} {self.operand(node.list, _ADD)}"

    def emit_IsNull(self, node: ir.IsNull) -> str:
        return f"{self.operand(node.arg, _ADD)} IS {'NOT ' if node.negated else ''}NULL"

    def emit_Arith(self, node: ir.Arith) -> str:
        calls.check_arith(node)
        if node.op is ir.ArithOp.POW:  # always a float in Cypher
            return f"pow(toFloat({self.emit(node.left)}), {self.emit(node.right)})"
        level = _ARITH[node.op]
        return f"{self.operand(node.left, level)} {node.op} {self.operand(node.right, level + 1)}"

    def emit_Neg(self, node: ir.Neg) -> str:
        return f"-{self.operand(node.arg, _POSTFIX)}"

    # --- values --------------------------------------------------------------------------

    def emit_Var(self, node: ir.Var) -> str:
        return self.ident(node.name, node)

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
        return f"{self.operand(node.base, _POSTFIX)}.{self.ident(node.key, node)}"

    def _tagged(self, node: ir.Prop) -> str:
        base = self.operand(node.base, _POSTFIX)
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

    def emit_When(self, node: ir.When) -> str:
        return f"WHEN {self.emit(node.condition)} THEN {self.emit(node.result)}"

    def emit_Case(self, node: ir.Case) -> str:
        whens = " ".join(self.emit(when) for when in node.whens)
        default = f" ELSE {self.emit(node.default)}" if node.default else ""
        return f"CASE {whens}{default} END"

    def emit_ListOf(self, node: ir.ListOf) -> str:
        return f"[{self._list(node.items)}]" if node.items else "LIST[]"

    def emit_Entry(self, node: ir.Entry) -> str:
        return f"{self.ident(node.key, node)}: {self.emit(node.value)}"

    def emit_MapOf(self, node: ir.MapOf) -> str:
        return f"{{{self._list(node.entries)}}}" if node.entries else "MAP{}"

    def emit_Index(self, node: ir.Index) -> str:
        if node.base.type.kind is not Kind.LIST and node.base.type.kind is not Kind.MAP:
            raise refuse(
                "dynamic-property", node, "[…]", "nGQL reads items of lists and maps by index only."
            )
        return f"{self.operand(node.base, _POSTFIX)}[{self.emit(node.index)}]"

    def emit_Slice(self, node: ir.Slice) -> str:
        if node.lo is None and node.hi is None:
            return self.emit(node.base)
        lo = self.emit(node.lo) if node.lo else ""
        hi = self.emit(node.hi) if node.hi else ""
        return f"{self.operand(node.base, _POSTFIX)}[{lo}..{hi}]"

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
        return f"{node.kind}({self.ident(node.var, node)} IN {items} WHERE {where})"

    def emit_Reduce(self, node: ir.Reduce) -> str:
        acc, var = self.ident(node.acc, node), self.ident(node.var, node)
        init, items, step = (self.emit(part) for part in (node.init, node.list, node.step))
        return f"reduce({acc} = {init}, {var} IN {items} | {step})"

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

    def _list(self, nodes: Iterable[ir.Node]) -> str:
        return ", ".join(self.emit(node) for node in nodes)

    # --- patterns ------------------------------------------------------------------------

    def emit_LabelName(self, node: ir.LabelName) -> str:
        return f":{self.ident(node.name, node)}"

    def emit_LabelAnd(self, node: ir.LabelAnd) -> str:
        return "".join(self.emit(arg) for arg in node.args)

    def emit_LabelOr(self, node: ir.LabelOr) -> str:
        return "|".join(self.emit(arg) for arg in node.args)

    def emit_Hops(self, node: ir.Hops) -> str:
        if node.lo == node.hi:
            return f"*{node.lo}"
        if node.hi is None:
            return "*" if node.lo == 1 else f"*{node.lo}.."
        return f"*{node.lo}..{node.hi}"

    def emit_Selector(self, node: ir.Selector) -> str:
        return node.kind.value

    def emit_NodePattern(self, node: ir.NodePattern) -> str:
        return f"({self._inside(node, node.labels, None)})"

    def emit_EdgePattern(self, node: ir.EdgePattern) -> str:
        inside = self._inside(node, node.types, node.hops)
        line = f"-[{inside}]-" if inside else "--"
        if node.direction is ir.Direction.OUT:
            return f"{line}>"
        return f"<{line}" if node.direction is ir.Direction.IN else line

    def _inside(
        self,
        node: ir.NodePattern | ir.EdgePattern,
        labels: ir.LabelExpr | None,
        hops: ir.Hops | None,
    ) -> str:
        text = self.ident(node.var, node) if node.var else ""
        text += self.emit(labels) if labels else ""
        text += self.emit(hops) if hops else ""
        if node.props:
            text += f"{' ' if text else ''}{self.emit(node.props)}"
        return text

    def emit_Step(self, node: ir.Step) -> str:
        return f"{self.emit(node.edge)}{self.emit(node.node)}"

    def emit_Path(self, node: ir.Path) -> str:
        text = self.emit(node.head) + "".join(self.emit(step) for step in node.steps)
        if node.selector:
            text = f"{self.emit(node.selector)}({text})"
        return f"{self.ident(node.var, node)} = {text}" if node.var else text

    # --- clauses -------------------------------------------------------------------------

    def emit_Match(self, node: ir.Match) -> str:
        where = f"\nWHERE {self.emit(node.where)}" if node.where else ""
        return f"{'OPTIONAL ' if node.optional else ''}MATCH {self._list(node.paths)}{where}"

    def emit_Unwind(self, node: ir.Unwind) -> str:
        return f"UNWIND {self.emit(node.expr)} AS {self.ident(node.alias, node)}"

    def emit_Item(self, node: ir.Item) -> str:
        text = self.emit(node.expr)
        if next(find(node.expr, ir.Param), None) is not None:
            raise refuse(
                "parameter-output", node, "$…", "nGQL does not put out parameters, only tests them."
            )
        own = isinstance(node.expr, ir.Var) and node.expr.name == node.alias
        return text if own or not node.named else f"{text} AS {self.ident(node.alias, node)}"

    def emit_SortKey(self, node: ir.SortKey) -> str:
        return f"{self.emit(node.expr)}{' DESC' if node.descending else ''}"

    def emit_Project(self, node: ir.Project) -> str:
        text = "RETURN " if node.final else "WITH "
        text += "DISTINCT " if node.distinct else ""
        text += self._list(node.items)
        if node.order:
            text += f"\nORDER BY {self._list(node.order)}"
        if node.skip:
            text += f"\nSKIP {self.emit(node.skip)}"
        if node.limit:
            text += f"\nLIMIT {self.emit(node.limit)}"
        return f"{text}\nWHERE {self.emit(node.where)}" if node.where else text

    def emit_Query(self, node: ir.Query) -> str:
        return "\n".join(self.emit(clause) for clause in node.clauses)

    def emit_Union(self, node: ir.Union) -> str:
        word = "UNION ALL" if node.all else "UNION"
        return "\n".join((self.emit(node.left), word, self.emit(node.right)))

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


def _escape(found: re.Match[str]) -> str:
    return _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04x}"


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


def _columns(statement: ir.Statement) -> tuple[str, ...]:
    while isinstance(statement, ir.Union):
        statement = statement.left
    last = statement.clauses[-1]
    return tuple(i.alias for i in last.items) if isinstance(last, ir.Project) else ()
