"""What Cypher and the MATCH form of nGQL write alike: openCypher's clauses, patterns, expressions.

A language gives its tables of operators, its names and what it says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from graph_ir import nodes as ir
from schemagraph.model import SchemaGraph
from translators.base import Dialect
from translators.printing import ATOM, Code, Infix, Postfix, Prefix, wrap


class OpenCypher(Dialect):
    """Text in the shape of openCypher 9, one clause a line."""

    OPERATORS: ClassVar[Mapping[str, Infix]] = {}  # of the IR's connectives, signs and tests
    NEGATION: ClassVar[Prefix]
    MINUS: ClassVar[Prefix]
    IS_NULL: ClassVar[Postfix]
    IS_NOT_NULL: ClassVar[Postfix]
    CONSTANT: ClassVar[int]  # the level of literals and CASE, which take no `.` behind them

    def __init__(self, schema: SchemaGraph | None = None) -> None:
        super().__init__(schema)
        self._break = "\n"  # what stands between clauses: a new line, or a space inside braces

    def ident(self, name: str, node: ir.Node | None = None) -> str:
        """A variable or a column's alias; `node` is where a refusal points to."""
        raise NotImplementedError

    def key(self, name: str, node: ir.Node | None = None) -> str:
        """A label, type, property key or map key."""
        raise NotImplementedError

    def _list(self, nodes: Iterable[ir.Node]) -> str:
        return ", ".join([self.emit(node) for node in nodes])

    # --- operators -----------------------------------------------------------------------

    def operand(self, node: ir.Expr, least: int) -> str:
        """The text of `node`, in parentheses where it binds looser than `least`."""
        return wrap(self.emit(node), least)

    def base(self, node: ir.Expr) -> str:
        """The text of what `.key`, `[i]` or `:Label` is written behind."""
        return wrap(self.emit(node), ATOM)

    def infix(self, node: ir.Compare | ir.Arith | ir.Text) -> str:
        """An operator between its two operands."""
        return self.OPERATORS[node.op](self.emit(node.left), self.emit(node.right))

    def emit_Bool(self, node: ir.Bool) -> str:
        return self.OPERATORS[node.op].chain(map(self.emit, node.args))

    def emit_Not(self, node: ir.Not) -> str:
        return self.NEGATION(self.emit(node.arg))

    def emit_Compare(self, node: ir.Compare) -> str:
        return self.infix(node)

    def emit_Text(self, node: ir.Text) -> str:
        return self.infix(node)

    def emit_In(self, node: ir.In) -> str:
        return self.OPERATORS["IN"](self.emit(node.item), self.emit(node.list))

    def emit_IsNull(self, node: ir.IsNull) -> str:
        return (self.IS_NOT_NULL if node.negated else self.IS_NULL)(self.emit(node.arg))

    def emit_Arith(self, node: ir.Arith) -> str:
        return self.infix(node)

    def emit_Neg(self, node: ir.Neg) -> str:
        return self.MINUS(self.emit(node.arg))

    # --- values --------------------------------------------------------------------------

    def emit_Var(self, node: ir.Var) -> str:
        return self.ident(node.name, node)

    def emit_Prop(self, node: ir.Prop) -> str:
        return f"{self.base(node.base)}.{self.key(node.key, node)}"

    def emit_When(self, node: ir.When) -> str:
        return f"WHEN {self.emit(node.condition)} THEN {self.emit(node.result)}"

    def emit_Case(self, node: ir.Case) -> str:
        operand = f" {self.emit(node.operand)}" if node.operand else ""
        whens = " ".join([self.emit(when) for when in node.whens])
        default = f" ELSE {self.emit(node.default)}" if node.default else ""
        return Code(f"CASE{operand} {whens}{default} END", self.CONSTANT)

    def emit_Agg(self, node: ir.Agg) -> str:
        if not node.args:
            return "count(*)"
        return f"{node.name}({'DISTINCT ' if node.distinct else ''}{self._list(node.args)})"

    def emit_Entry(self, node: ir.Entry) -> str:
        return f"{self.key(node.key, node)}: {self.emit(node.value)}"

    def emit_MapOf(self, node: ir.MapOf) -> str:
        return f"{{{self._list(node.entries)}}}"

    def emit_Index(self, node: ir.Index) -> str:
        return f"{self.base(node.base)}[{self.emit(node.index)}]"

    def emit_Slice(self, node: ir.Slice) -> str:
        lo = self.emit(node.lo) if node.lo else ""
        hi = self.emit(node.hi) if node.hi else ""
        return f"{self.base(node.base)}[{lo}..{hi}]"

    def emit_Quantifier(self, node: ir.Quantifier) -> str:
        name, items = self.ident(node.var, node), self.emit(node.list)
        return f"{node.kind}({name} IN {items} WHERE {self.emit(node.where)})"

    def emit_Reduce(self, node: ir.Reduce) -> str:
        acc, var = self.ident(node.acc, node), self.ident(node.var, node)
        init, items, step = (self.emit(part) for part in (node.init, node.list, node.step))
        return f"reduce({acc} = {init}, {var} IN {items} | {step})"

    # --- patterns ------------------------------------------------------------------------

    def emit_Hops(self, node: ir.Hops) -> str:
        """The length of a relationship pattern, as `*1..3`."""
        if node.lo == node.hi:
            return f"*{node.lo}"
        if node.hi is None:
            return "*" if node.lo == 1 else f"*{node.lo}.."
        return f"*{node.lo}..{node.hi}"

    def emit_NodePattern(self, node: ir.NodePattern) -> str:
        return f"({self._inside(node, node.labels, None)})"

    def emit_EdgePattern(self, node: ir.EdgePattern) -> str:
        return arrow(self._inside(node, node.types, node.hops), node.direction)

    def _inside(
        self,
        node: ir.NodePattern | ir.EdgePattern,
        labels: ir.LabelExpr | None,
        hops: ir.Hops | None,
    ) -> str:
        text = self.ident(node.var, node) if node.var else ""
        if labels:
            text += self._labelled(node, labels)
        if hops:
            text += self.emit(hops)
        if node.props:
            text += f"{' ' if text else ''}{self.emit(node.props)}"
        if node.where:
            text += f"{' ' if text else ''}WHERE {self.emit(node.where)}"
        return text

    def _labelled(self, node: ir.NodePattern | ir.EdgePattern, labels: ir.LabelExpr) -> str:
        """The labels or types of a pattern, with the colon before them."""
        raise NotImplementedError

    def emit_Step(self, node: ir.Step) -> str:
        space = " " if isinstance(node.edge, ir.Quantified) else ""
        return f"{space}{self.emit(node.edge)}{space}{self.emit(node.node)}"

    # --- clauses -------------------------------------------------------------------------

    def emit_Match(self, node: ir.Match) -> str:
        where = f"{self._break}WHERE {self.emit(node.where)}" if node.where else ""
        return f"{'OPTIONAL ' if node.optional else ''}MATCH {self._list(node.paths)}{where}"

    def emit_Unwind(self, node: ir.Unwind) -> str:
        return f"UNWIND {self.emit(node.expr)} AS {self.ident(node.alias, node)}"

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

    def emit_Query(self, node: ir.Query) -> str:
        return self._break.join([self.emit(clause) for clause in node.clauses])

    def emit_Union(self, node: ir.Union) -> str:
        word = "UNION ALL" if node.all else "UNION"
        return self._break.join((self.emit(node.left), word, self.emit(node.right)))


def arrow(inside: str, direction: ir.Direction, after: str = "") -> str:
    """An edge pattern: what stands in its brackets, its heads, and what repeats it."""
    line = f"-[{inside}]-" if inside else "--"
    if direction is ir.Direction.OUT:
        return f"{line}>{after}"
    return f"<{line}{after}" if direction is ir.Direction.IN else f"{line}{after}"
