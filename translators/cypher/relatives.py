"""Cypher of Memgraph, TuGraph and Apache AGE: written, and held by no execution.

What is said of them here is general knowledge of the three products, which no run and no close
reading of their documents has confirmed: a text is to be tried on the server before anybody relies
on it. Only a core that has one meaning in all of them is said; all else is refused. Predicates
stand in WHERE, what may be null is sorted by an explicit key, values of different or unknown types
are not compared.

What to hold it against: https://memgraph.com/docs/querying (clauses, functions, differences in
Cypher implementations), https://tugraph-db.readthedocs.io (Cypher API),
https://age.apache.org/age-manual/master (Cypher query format, functions).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, combinations, count
from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.lowerings import keep_for_where, keeps_rows, move_predicates
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import NUMERIC, TEMPORAL, Kind
from translators.base import Caveat, Rendered, Rewrite
from translators.cypher.dialect import (
    TIGHT_IS_NOT_NULL,
    TIGHT_IS_NULL,
    TIGHT_TESTS,
    Cypher,
)
from translators.cypher.ladybug_tables import holds
from translators.gql.emit.uniqueness import overlap
from translators.gql.emit.values import kind_of, nullable
from translators.printing import Infix, Postfix

_CORE = frozenset({
    *("coalesce", "head", "last", "labels", "type", "startNode", "endNode", "nodes"),
    *("relationships", "length", "abs", "ceil", "floor", "sqrt", "sign", "replace", "split"),
    "range",
})  # fmt: skip
_AGGREGATES = frozenset({"count", "sum", "avg", "min", "max", "collect"})
_COMPARED = frozenset({Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING, *TEMPORAL})
_ORDERED = _COMPARED - {Kind.DURATION}
_WRITES: Mapping[type[ir.Node], tuple[str, str]] = dict.fromkeys(
    (*ir.WRITES, ir.SetItem), ("write", "Only queries that read are translated.")
)
_LABELS = ("label-expression", "Only names of labels are documented.")


def _move(statement: ir.Statement) -> ir.Statement:
    return move_predicates(statement, lambda labels, is_edge: True)


class Relative(Cypher):
    """What the three have in common."""

    name: ClassVar[str] = ""
    says: ClassVar[str] = ""
    LOWERINGS: ClassVar[tuple[Rewrite, ...]] = (keep_for_where, _move)
    OPERATORS: ClassVar[Mapping[str, Infix]] = TIGHT_TESTS
    IS_NULL: ClassVar[Postfix] = TIGHT_IS_NULL
    IS_NOT_NULL: ClassVar[Postfix] = TIGHT_IS_NOT_NULL
    FUNCTIONS: ClassVar[frozenset[str]] = _CORE
    KINDS: ClassVar[frozenset[Kind]] = frozenset()  # temporal values that it has
    SEVERAL_LABELS: ClassVar[bool] = True
    DISTINCT_EDGES: ClassVar[bool] = True  # of one MATCH
    NULLS_LAST: ClassVar[bool] = False  # ascending, and first descending, as documented
    UNSUPPORTED: ClassVar = {
        **_WRITES,
        **dict.fromkeys((ir.LabelNot, ir.LabelAny), _LABELS),
        ir.LabelTest: ("label-test", "A test of labels outside of patterns."),
        ir.Param: ("parameter", "Give the parameter's value."),
        ir.Slice: ("index", "Slices count otherwise."),
        ir.Index: ("index", "What an index beside the list gives is not documented."),
        ir.ListComp: ("function", "List comprehensions are not documented alike."),
        ir.Reduce: ("reduce", "reduce() is not documented alike."),
        ir.Quantifier: ("function", "Quantifiers over lists are not documented alike."),
        ir.MapProjection: ("map-projection", "Map projections are not documented alike."),
        ir.PatternComp: ("function", "Pattern comprehensions are not documented."),
        ir.PathExpr: ("path-expression", "Paths are searched by other words."),
        ir.Selector: ("path-search", "Paths are searched by other words."),
        ir.Quantified: ("quantified-path", "Quantified patterns are not documented."),
        ir.CountOf: ("subquery", "COUNT subqueries are not documented."),
        ir.CollectOf: ("collect", "COLLECT subqueries are not documented."),
        ir.Subquery: ("call-subquery", "CALL subqueries are not documented alike."),
        ir.Procedure: ("procedure", "It has other procedures."),
        ir.Yield: ("procedure", "It has other procedures."),
        ir.ServerOption: ("server-option", "The option is a server's own."),
    }

    def _refused(self, code: str, construct: str, reason: str, node: ir.Node) -> Refused:
        return Refused(code, construct, f"{self.says}: {reason}.", node.span)

    # --- labels and patterns -----------------------------------------------------------------

    def emit_NodePattern(self, node: ir.NodePattern) -> str:
        if node.labels is not None and any(find(node.labels, ir.LabelOr)):
            raise self._refused("label-expression", "|", "of nodes, not documented alike", node)
        types = list(self.schema.nodes) if self.schema and not self.SEVERAL_LABELS else []
        if node.labels is None and node.type.of:
            types = [t for t in types if t.name in node.type.of]
        if any(len(t.labels) > 1 and holds(node.labels, t.labels) for t in types):
            raise self._refused("label-expression", "&", "a node has one label", node)
        return super().emit_NodePattern(node)

    def emit_Path(self, node: ir.Path) -> str:
        if node.selector is not None:
            raise self._refused("path-search", "shortestPath", "searched by other words", node)
        if node.mode not in (None, ir.PathMode.TRAIL):
            raise self._refused("path-mode", str(node.mode), "no path modes", node)
        return super().emit_Path(node)

    def emit_EdgePattern(self, node: ir.EdgePattern) -> str:
        if node.hops is not None and (
            node.where is not None or node.props is not None or node.hops.hi is None
        ):
            raise self._refused("hops", "*", "a walk with a bound and without conditions", node)
        if not self.SEVERAL_LABELS and not isinstance(node.types, ir.LabelName | None):
            raise self._refused("label-expression", "|", "an edge has one type", node)
        return super().emit_EdgePattern(node)

    def emit_Match(self, node: ir.Match) -> str:
        if node.mode is ir.MatchMode.REPEATABLE:
            raise self._refused("match-mode", "REPEATABLE", "one match mode", node)
        if not self.DISTINCT_EDGES:
            edges = list(find(ir.Match(node.paths), ir.EdgePattern))
            if any(overlap(a, b) for a, b in combinations(edges, 2)):
                reason = "that edges of a MATCH differ is not documented"
                raise self._refused("edge-uniqueness", "MATCH", reason, node)
        return super().emit_Match(node)

    def emit_Exists(self, node: ir.Exists) -> str:
        clauses = node.query.clauses if isinstance(node.query, ir.Query) else ()
        match = clauses[0] if clauses else None
        plain = all(isinstance(c, ir.Project) and c.final and keeps_rows(c) for c in clauses[1:])
        if not isinstance(match, ir.Match) or not plain or len(clauses) > 2:
            raise self._refused("subquery", "EXISTS", "of one pattern at most", node)
        if match.optional or match.where is not None or len(match.paths) != 1:
            raise self._refused("subquery", "EXISTS", "of one pattern without WHERE", node)
        if not match.paths[0].steps:
            raise self._refused("subquery", "EXISTS", "of an edge at least", node)
        return f"exists({self.emit(match.paths[0])})"

    # --- expressions -------------------------------------------------------------------------

    def emit_Compare(self, node: ir.Compare) -> str:
        left, right = kind_of(node.left), kind_of(node.right)
        elements = left is right and left in (Kind.NODE, Kind.EDGE)
        alike = left is right or {left, right} <= NUMERIC
        if elements and node.op in (ir.CompareOp.EQ, ir.CompareOp.NE):
            return super().emit_Compare(node)
        if not alike or left not in _COMPARED:
            raise self._refused("comparison", str(node.op), "of values of one known type", node)
        return super().emit_Compare(node)

    def emit_In(self, node: ir.In) -> str:
        items = node.list.items if isinstance(node.list, ir.ListOf) else ()
        kinds = {kind_of(node.item), *map(kind_of, items)}
        if not items or not (len(kinds) == 1 or kinds <= NUMERIC) or not kinds <= _COMPARED:
            raise self._refused("comparison", "IN", "among constants of one type", node)
        if any(map(nullable, items)):
            raise self._refused("null-in-list", "IN", "nulls in a list", node)
        return super().emit_In(node)

    def emit_Text(self, node: ir.Text) -> str:
        if node.op is ir.TextOp.REGEX:
            raise self._refused("regular-expression", "=~", "expressions of another syntax", node)
        if {kind_of(node.left), kind_of(node.right)} != {Kind.STRING}:
            raise self._refused("dynamic-value", str(node.op), "of texts", node)
        return super().emit_Text(node)

    def emit_Arith(self, node: ir.Arith) -> str:
        kinds = {kind_of(node.left), kind_of(node.right)}
        texts = kinds == {Kind.STRING} and node.op is ir.ArithOp.ADD
        if not texts and not (kinds <= NUMERIC and node.op is not ir.ArithOp.POW):
            raise self._refused("function", str(node.op), f"of {', '.join(sorted(kinds))}", node)
        if node.op in (ir.ArithOp.DIV, ir.ArithOp.MOD):
            known = isinstance(node.right, ir.Literal) and node.right.value
            if not known or any(s.type.mixed for s in (node.left, node.right)):
                raise self._refused("division-by-zero", str(node.op), "by a constant", node)
            if node.op is ir.ArithOp.MOD and Kind.FLOAT in kinds:
                raise self._refused("modulo-float", "%", "of integers", node)
        return super().emit_Arith(node)

    def emit_Prop(self, node: ir.Prop) -> str:
        if kind_of(node.base) not in (Kind.NODE, Kind.EDGE):
            raise self._refused("map-value", node.key, "a property of an element", node)
        kind = kind_of(node)
        if kind in TEMPORAL and kind not in self.KINDS:
            raise self._refused("temporal", node.key, f"no values of the type {kind}", node)
        return super().emit_Prop(node)

    def emit_Call(self, node: ir.Call) -> str:
        made = kind_of(node)
        if node.name == "size" and kind_of(node.args[0]) is not Kind.LIST:
            raise self._refused("function", "size", "of lists", node)
        if node.name not in self.FUNCTIONS or (made in TEMPORAL and made not in self.KINDS):
            raise self._refused("function", node.name, "no such function, or another one", node)
        return super().emit_Call(node)

    def emit_Agg(self, node: ir.Agg) -> str:
        if node.name not in _AGGREGATES:
            raise self._refused("aggregate", node.name, "no such aggregate, or another one", node)
        text = super().emit_Agg(node)
        if node.name == "sum":  # what a sum of nothing is, is not documented
            if kind_of(node.args[0]) not in NUMERIC:
                raise self._refused("dynamic-value", "sum", "of numbers", node)
            whole = kind_of(node.args[0]) is Kind.INTEGER
            return f"coalesce({text}, {'0' if whole else '0.0'})"
        return text

    def emit_Case(self, node: ir.Case) -> str:
        if node.operand is not None:
            tests = tuple(
                replace(w, condition=ir.Compare(ir.CompareOp.EQ, node.operand, w.condition))
                for w in node.whens
            )
            return self.emit(ir.Case(tests, node.default))
        return super().emit_Case(node)

    # --- projections -------------------------------------------------------------------------

    def emit_Project(self, node: ir.Project) -> str:
        keys: list[ir.SortKey] = []
        for key in node.order:
            if kind_of(key.expr) not in _ORDERED:
                raise self._refused("order", "ORDER BY", "of values of a known type", key)
            if nullable(key.expr) and not self.NULLS_LAST:
                shown = {item.alias for item in node.items}
                column = isinstance(key.expr, ir.Var) and key.expr.name in shown
                if not column and (node.distinct or node.group is not None):
                    raise self._refused("order", "ORDER BY", "of columns", key)
                keys.append(replace(key, expr=ir.IsNull(key.expr)))
            keys.append(key)
        for item in node.items if node.distinct or node.group is not None else ():
            if kind_of(item.expr) is Kind.ANY or item.expr.type.mixed:
                raise self._refused("mixed-keys", item.alias, "of a known type", item)
        return super().emit_Project(replace(node, order=tuple(keys)))


class CypherMemgraph(Relative):
    """Memgraph 3."""

    name: ClassVar[str] = "cypher-memgraph"
    says: ClassVar[str] = "Memgraph"
    FUNCTIONS: ClassVar[frozenset[str]] = _CORE | {"size", "date", "localdatetime", "duration"}
    KINDS: ClassVar[frozenset[Kind]] = frozenset({Kind.DATE, Kind.DATETIME})


_ONE_LABEL = dict.fromkeys(
    (ir.LabelAnd, ir.LabelOr), ("label-expression", "A node or an edge has one label.")
)


class CypherTugraph(Relative):
    """TuGraph 4: each node has one label."""

    name: ClassVar[str] = "cypher-tugraph"
    says: ClassVar[str] = "TuGraph"
    UNSUPPORTED: ClassVar = {
        **Relative.UNSUPPORTED,
        **_ONE_LABEL,
        ir.Exists: ("subquery", "EXISTS of a pattern is not documented."),
        ir.Hops: ("edge-uniqueness", "That the edges of a walk differ is not documented."),
    }
    FUNCTIONS: ClassVar[frozenset[str]] = frozenset({
        *("coalesce", "head", "last", "type", "startNode", "endNode", "nodes", "relationships"),
        *("length", "abs", "ceil", "floor", "sqrt", "sign"),
    })  # fmt: skip
    SEVERAL_LABELS: ClassVar[bool] = False
    DISTINCT_EDGES: ClassVar[bool] = False


class CypherAge(Relative):
    """Apache AGE 1.5: a SELECT from cypher(), whose graph is called `graph`."""

    name: ClassVar[str] = "cypher-age"
    says: ClassVar[str] = "Apache AGE"
    UNSUPPORTED: ClassVar = {**Relative.UNSUPPORTED, **_ONE_LABEL}
    FUNCTIONS: ClassVar[frozenset[str]] = _CORE | {"size"}
    SEVERAL_LABELS: ClassVar[bool] = False
    NULLS_LAST: ClassVar[bool] = True

    def generate(self, query: ir.Statement) -> Rendered:
        """The SQL statement; a text that holds `$$` is quoted by another mark."""
        made = super().generate(query)
        marks = chain(("$$", "$q$"), (f"$q{number}$" for number in count(1)))
        mark = next(each for each in marks if each not in made.text)
        names = ", ".join(f'"{name.replace(chr(34), chr(34) * 2)}" agtype' for name in made.columns)
        text = f"SELECT * FROM cypher('graph', {mark}\n{made.text}\n{mark}) AS ({names})"
        caveats = made.caveats
        if _orders_texts(query):
            reason = "Texts are ordered by the database's collation; Cypher's order is C."
            caveats = (*caveats, Caveat("collation", "order", reason))
        return replace(made, text=text, caveats=caveats)


def _orders_texts(query: ir.Statement) -> bool:
    """Whether the answer hangs on the order of texts."""
    sorts = (key.expr for key in find(query, ir.SortKey))
    bounds = (agg.args[0] for agg in find(query, ir.Agg) if agg.name in ("min", "max"))
    equal = (ir.CompareOp.EQ, ir.CompareOp.NE)
    sides = (compare.left for compare in find(query, ir.Compare) if compare.op not in equal)
    return any(kind_of(each) is Kind.STRING for each in chain(sorts, bounds, sides))
