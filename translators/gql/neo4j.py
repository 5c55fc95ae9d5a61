"""GQL as Neo4j 2026 runs it behind `CYPHER 25`: strict GQL with Cypher's functions.

Neo4j reads GQL's linear statements, patterns and grouping. It names the match mode otherwise, sorts
nulls as Cypher does without being told, and has Cypher's lists, conversions and temporal functions
where the standard has VALUE {}, FOR … WITH ORDINALITY, CAST and literals (the Cypher manual,
"GQL conformance").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.cypher.operators import as_written
from graph_ir.lowerings import keeps_rows
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.gql.emit.dialect import Gql
from translators.gql.emit.operators import CALL, COMPARE, NEGATION, OPERATORS, PRIMARY
from translators.gql.emit.text import escaped, identifier
from translators.gql.emit.uniqueness import unbounded
from translators.gql.emit.values import kind_of
from translators.printing import Code

_AS_IN_CYPHER = frozenset(
    (
        *("date", "datetime", "duration", "elementId", "head", "isEmpty", "labels", "last"),
        *("length", "localdatetime", "localtime", "log", "nodes", "range", "relationships"),
        *("reverse", "round", "sign", "size", "substring", "tail", "time", "toBoolean"),
        *("toFloat", "toInteger", "toString", "type"),
    )
)


# A row for each row; a statement has to end in a result.
_ONE = ir.Project((ir.Item(ir.Literal(1), "one"),), final=True)

_NO_EDGE_TWICE = frozenset({ir.PathMode.TRAIL, ir.PathMode.ACYCLIC})


class GqlNeo4j(Gql):
    """The profile of ISO GQL for Neo4j 2026."""

    name: ClassVar[str] = "gql-neo4j"
    UNSUPPORTED: ClassVar[Mapping[type[ir.Node], tuple[str, str]]] = {
        node: reason for node, reason in Gql.UNSUPPORTED.items() if node is not ir.Reduce
    }
    DIFFERENT: ClassVar[str] = "DIFFERENT RELATIONSHIPS"
    DELIMITED_VARIABLES: ClassVar[bool] = True
    DOUBLED_ACCENTS: ClassVar[bool] = True
    DIVISION_TRUNCATES: ClassVar[bool] = True
    PATH_FUNCTIONS: ClassVar[bool] = True
    SEARCHES_WALKS: ClassVar[bool] = False  # its searches are for trails
    TEXT_TESTS: ClassVar[bool] = True
    REDECLARES: ClassVar[bool] = False
    GROUPS_REDECLARE: ClassVar[bool] = False

    # Whether the paths of a MATCH would have several modes, which Neo4j does not take.
    mixed: bool = False

    def match(self, node: ir.Match) -> str:
        modes = {path.mode or (ir.PathMode.TRAIL if _open(path) else None) for path in node.paths}
        if ir.PathMode.SIMPLE in modes:
            raise Refused("engine-limit", "SIMPLE", "Neo4j has no path mode SIMPLE.", node.span)
        if modes & _NO_EDGE_TWICE and node.mode is ir.MatchMode.REPEATABLE:
            if len(node.paths) == 1:  # no edge stands twice in it, and there is no other path
                return super().match(replace(node, mode=ir.MatchMode.DIFFERENT_EDGES))
            raise Refused(
                "engine-limit",
                "REPEATABLE ELEMENTS",
                "Neo4j has no TRAIL or ACYCLIC in a MATCH whose elements may repeat.",
                node.span,
            )
        if len(modes) < 2:
            return super().match(node)
        if modes - {None, ir.PathMode.TRAIL} or node.mode is ir.MatchMode.REPEATABLE:
            raise Refused(
                "engine-limit", "path mode", "Neo4j has one path mode for a MATCH.", node.span
            )
        # No edge twice in the MATCH is no edge twice in a path.
        self.mixed = True
        text = super().match(replace(node, paths=tuple(replace(p, mode=None) for p in node.paths)))
        self.mixed = False
        return text

    def open_mode(self) -> str:
        return "" if self.mixed else super().open_mode()

    # --- values ----------------------------------------------------------------------------

    def emit_Call(self, node: ir.Call) -> str:
        if node.name in _AS_IN_CYPHER:
            return f"{node.name}({', '.join(self.emit(arg) for arg in node.args)})"
        return super().emit_Call(node)

    def day_text(self, moment: str, size: str) -> str:
        return f"LEFT(toString({moment}), {size})"

    def emit_Agg(self, node: ir.Agg) -> str:
        distinct = "DISTINCT " if node.distinct else ""
        arguments = ", ".join(self.emit(arg) for arg in node.args) or "*"
        return f"{node.name}({distinct}{arguments})"

    def aggregate(self, node: ir.Agg) -> str:
        # Asked for where GQL's SUM is null over nothing; Neo4j's sum is 0.
        argument = self.emit(node.args[0])
        return f"CASE WHEN count({argument}) > 0 THEN {self.emit_Agg(node)} END"

    def affix(self, function: str, node: ir.Text) -> str:
        # LEFT and RIGHT fail of what is no string, where Cypher's tests are null.
        if all(kind_of(side) is Kind.STRING for side in (node.left, node.right)):
            return super().affix(function, node)
        return self.infix(node)

    def compare_special(self, node: ir.Compare) -> str | None:
        calls = [side for side in (node.left, node.right) if isinstance(side, ir.Call)]
        return super().compare_special(node) if [c.name for c in calls] == ["id", "id"] else None

    def text(self, value: str) -> str:
        # Neo4j reads \u escapes before it reads quotes.
        return "'" + escaped(value).replace("'", "\\'") + "'"

    def component(self, node: ir.Prop) -> str:
        return f"{self.operand(node.base, PRIMARY)}.{identifier(node.key)}"

    def remainder(self, node: ir.Arith) -> str:
        return self.infix(node)

    def emit_Arith(self, node: ir.Arith) -> str:
        if node.op is ir.ArithOp.POW:
            return f"({self.infix(node)})"
        if node.op is ir.ArithOp.MOD:
            return self.remainder(node)
        if node.op is ir.ArithOp.ADD and {kind_of(node.left), kind_of(node.right)} & {
            Kind.LIST,
            Kind.STRING,
        }:
            return self.infix(node)
        return super().emit_Arith(as_written(node))

    def path_part(self, node: ir.Call) -> str:
        return f"{node.name}({self.variable_of(node)})"

    def emit_MapProjection(self, node: ir.MapProjection) -> str:
        if not node.all_properties:
            return super().emit_MapProjection(node)
        entries = [".*", *(self.emit(entry) for entry in node.entries)]
        return f"{self.emit(node.base)} {{{', '.join(entries)}}}"

    # --- lists -----------------------------------------------------------------------------

    def emit_In(self, node: ir.In) -> str:
        return OPERATORS["IN"](self.emit(node.item), self.emit(node.list))

    def member_true(self, node: ir.In) -> str:
        return self.emit_In(node)

    def member_false(self, node: ir.In) -> str:
        return self.negation(self.emit_In(node))

    def emit_Quantifier(self, node: ir.Quantifier) -> str:
        listed = self.emit(node.list)
        outer, self.scope = self.scope, self.scope.inner()
        item = self.scope.bind(node.var)
        text = f"{node.kind.value}({item} IN {listed} WHERE {self.emit(node.where)})"
        self.scope = outer
        return Code(text, CALL)

    def quantifier_true(self, node: ir.Quantifier) -> str:
        return self.emit_Quantifier(node)

    def quantifier_false(self, node: ir.Quantifier) -> str:
        return self.negation(self.emit_Quantifier(node))

    def item_at(self, base: ir.Expr, index: ir.Expr, suffix: str = "") -> str:
        return f"{self.operand(base, PRIMARY)}[{self.emit(index)}]{suffix}"

    def emit_Slice(self, node: ir.Slice) -> str:
        low = "" if node.lo is None else self.emit(node.lo)
        high = "" if node.hi is None else self.emit(node.hi)
        return f"{self.operand(node.base, PRIMARY)}[{low}..{high}]"

    def emit_ListComp(self, node: ir.ListComp) -> str:
        listed = self.emit(node.list)
        outer, self.scope = self.scope, self.scope.inner()
        text = f"[{self.scope.bind(node.var)} IN {listed}"
        if node.where is not None:
            text += f" WHERE {self.emit(node.where)}"
        if node.result is not None:
            text += f" | {self.emit(node.result)}"
        self.scope = outer
        return f"{text}]"

    def emit_Reduce(self, node: ir.Reduce) -> str:
        first, listed = self.emit(node.init), self.emit(node.list)
        outer, self.scope = self.scope, self.scope.inner()
        sum_, item = self.scope.bind(node.acc), self.scope.bind(node.var)
        text = f"reduce({sum_} = {first}, {item} IN {listed} | {self.emit(node.step)})"
        self.scope = outer
        return text

    # --- labels, order, subqueries ---------------------------------------------------------

    def label_test(
        self, variable: str, labels: ir.LabelExpr, *, edge: bool, negated: bool = False
    ) -> str:
        text = Code(f"{variable}:{self.emit(labels)}", COMPARE)
        return NEGATION(text) if negated else text

    def sort_key(self, text: str, key: ir.SortKey, meaning: ir.Expr) -> str:
        # Nulls come last ascending and first descending, which is Cypher's order.
        return f"{text} DESC" if key.descending else text

    def optional(self, matches: list[str], node: ir.Match) -> str:
        raise Refused(
            "engine-limit", "OPTIONAL { }", "Neo4j has no optional block in GQL.", node.span
        )

    def emit_CountOf(self, node: ir.CountOf) -> str:
        return f"COUNT {{{self.inside(self._ended(node.query), None)}}}"

    def emit_CollectOf(self, node: ir.CollectOf) -> str:
        return f"COLLECT {{{self.inside(node.query, None)}}}"

    def _ended(self, query: ir.Statement) -> ir.Statement:
        """A body without a last projection that neither joins nor drops rows, if it may end so."""
        if isinstance(query, ir.Query):
            *before, last = query.clauses
            staged = any(isinstance(clause, ir.Project) for clause in query.clauses)
            if staged and not (isinstance(last, ir.Project) and last.final):
                return ir.Query((*query.clauses, _ONE))
            # NEXT, which a WITH may be, needs a statement behind it that ends in RETURN.
            after_with = any(isinstance(clause, ir.Project) for clause in before)
            if isinstance(last, ir.Project) and keeps_rows(last) and not after_with:
                return ir.Query(tuple(before))
        return query


def _open(path: ir.Path) -> bool:
    return path.selector is None and unbounded(path)
