"""nGQL's MATCH form back to Graph-IR: the proof that a rendered text says what was meant.

It reads what `translators.ngql.emit.dialect` writes: `read_back(text)` equals the lowered IR of
which the text was made. Among the comma-separated paths of one MATCH the text must say itself
that edges differ where they could be one, as the dialect's texts do.
"""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.rewrites import has_aggregate
from graphmill.errors import QueryTextError
from translators.ngql.grammar.check import check_depth, name_of, refusals, trees
from translators.ngql.grammar.parser import Node, parse_tree
from translators.ngql.read.expressions import ExpressionReader
from translators.ngql.read.patterns import item_kind, tree_of


def read_back(text: str) -> ir.Statement:
    """The Graph-IR of a text in MATCH form.

    Raises:
        QueryTextError: NebulaGraph would refuse to parse the text.
        Refused: it is no MATCH form, or uses what Cypher has not.

    >>> read_back("MATCH (v:City) RETURN v.City.name AS name").clauses[1].items[0].expr
    Prop(base=Var(name='v'), key='name')
    """
    tree = parse_tree(text)
    for refusal in refusals(tree):
        raise QueryTextError(
            refusal.message, code=refusal.code, line=refusal.line, column=refusal.column
        )
    check_depth(tree)
    statements = list(trees(tree))
    if len(statements) != 1:
        raise QueryTextError("Expected one statement.", code="statement-count")
    return _Reader(text).statement(statements[0])


class _Reader(ExpressionReader):
    """Reads statements and clauses."""

    def statement(self, node: Node) -> ir.Statement:
        if node.data in ("match_statement", "match_union"):
            return self._union(node)
        if node.data == "yield" and not any(child.data == "join" for child in trees(node)):
            return ir.Query((self._project(node, final=True),))
        raise self.refuse(node, "native-statement", "Only the MATCH form can be read back.")

    def _union(self, node: Node) -> ir.Statement:
        if node.data == "match_statement":
            (only,) = trees(node)
            return self._query(only)
        left, *words, right = node.children
        names = [str(word).upper() for word in words]
        if names[0] != "UNION":
            raise self.refuse(node, names[0], "Cypher has no INTERSECT and MINUS.")
        first = self._union(tree_of(left))
        self.kinds = {}
        return ir.Union(first, self._query(tree_of(right)), names[-1] == "ALL")

    def _query(self, node: Node) -> ir.Query:
        return ir.Query(tuple(self._clause(clause) for clause in trees(node)))

    def _clause(self, node: Node) -> ir.Clause:
        match node.data:
            case "match" | "optional_match":
                paths = tuple(self.path(p) for p in trees(node) if p.data == "path")
                return ir.Match(paths, self._where(node), node.data == "optional_match")
            case "unwind":
                expr, alias = trees(node)
                value = self.expr(expr)
                self.bind(name_of(alias), item_kind(self.kind(value)))
                return ir.Unwind(value, name_of(alias))
            case "with":
                return self._project(node, final=False)
        return self._project(node, final=True)

    def _project(self, node: Node, *, final: bool) -> ir.Project:
        items: list[ir.Item] = []
        order: list[ir.SortKey] = []
        parts: dict[str, ir.Expr] = {}
        distinct = False
        kinds: dict[str, str] = {}
        for child in trees(node):
            match child.data:
                case "distinct":
                    distinct = True
                case "star":
                    raise self.refuse(child, "star", "The dialect names every column.")
                case "column":
                    items.append(self._item(child))
                    kind = self.kind(items[-1].expr)
                    if kind:
                        kinds[items[-1].alias] = kind
                case "order":
                    order = [self._sort_key(key) for key in trees(child)]
                case "skip" | "limit":
                    parts[child.data] = self.expr(next(trees(child)))
        if not final:
            self.kinds = kinds
        where = self._where(node)
        group = None
        if any(has_aggregate(item.expr) for item in items):
            group = tuple(item.expr for item in items if not has_aggregate(item.expr))
        return ir.Project(
            tuple(items),
            distinct,
            tuple(order),
            parts.get("skip"),
            parts.get("limit"),
            where,
            final,
            group,
        )

    def _item(self, node: Node) -> ir.Item:
        expr, *alias = trees(node)
        value = self.expr(expr)
        if alias:
            return ir.Item(value, name_of(alias[0]))
        if isinstance(value, ir.Var):
            return ir.Item(value, value.name, named=False)
        text = self.text[expr.meta.start_pos : expr.meta.end_pos]
        return ir.Item(value, text, named=False)

    def _sort_key(self, node: Node) -> ir.SortKey:
        expr, *direction = trees(node)
        words = [str(d.children[0]).upper() for d in direction]
        return ir.SortKey(self.expr(expr), words in (["DESC"], ["DESCENDING"]))

    def _where(self, node: Node) -> ir.Expr | None:
        for child in trees(node):
            if child.data == "where":
                return self.test(next(trees(child)))
        return None
