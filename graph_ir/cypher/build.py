"""From the rules of cypher.lark to Graph-IR: one method a rule, called while the text is parsed.

Each method gets the children of its rule (absent optional parts are None) and returns the IR of
it, or a list or tuple that the method of the rule above takes apart. Methods keep no state, so
one instance serves every thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from graph_ir import nodes as ir
from graph_ir.cypher.build_expressions import Expressions, integer_of, string_of
from graph_ir.cypher.patterns import Group, direction_of, hops_of, labels_of, path_of, quantify
from graph_ir.cypher.scanning import CLOSING, OPENING, QueryText, Token, failed
from graph_ir.cypher.shadowing import apart, as_neo4j_reads
from graph_ir.variables import introduced
from graph_ir.walk import children, find
from graphmill.errors import QueryTextError, Span

STAR = ir.Item(ir.Var("*"), "*")
"""Stands for `*` in a projection until `graph_ir.cypher.scope` puts the variables in scope."""

LET_STAR = ir.Item(STAR.expr, "LET")
"""The star of LET, whose columns are new names: none takes the place of a variable."""

PAGE_STAR = ir.Item(STAR.expr, "ORDER")
"""The star of ORDER BY, SKIP and LIMIT that are clauses of their own."""

ALL_VARIABLES = ("*",)
"""Stands for the imports of `CALL (*) { … }` until then."""

type Children = list[Any]


class Build(Expressions):
    """Callbacks of the parser; the names are those of the grammar's rules and aliases."""

    def method(self, name: str) -> Callable[[Children], Any]:
        """The callback of a rule; two of the names are keywords of Python."""
        callback: Callable[[Children], Any] = getattr(
            self, f"{name}_" if name in ("with", "return") else name
        )
        return callback

    # --- lists ---------------------------------------------------------------------------

    def one(self, c: Children) -> Children:
        return c

    def more(self, c: Children) -> Children:
        c[0].append(c[1])
        return c[0]  # type: ignore[no-any-return]

    def more_listed(self, c: Children) -> Children:
        c[0].append(c[2])
        return c[0]  # type: ignore[no-any-return]

    def more_separated(self, c: Children) -> Children:
        c[0] += (c[1], c[2])
        return c[0]  # type: ignore[no-any-return]

    def more_clauses(self, c: Children) -> Children:
        last, clause = c[0][-1], c[1]
        ended = isinstance(last, ir.Project) and last.final
        if ended and isinstance(clause, ir.Project) and clause.items == (PAGE_STAR,):
            span = clause.span or Span(1, 1)
            message = "The order is ORDER BY, SKIP, LIMIT, each once."
            raise QueryTextError(message, code="clause-order", line=span.line, column=span.column)
        return self.more(c)

    # --- statements ----------------------------------------------------------------------

    def start(self, c: Children) -> ir.Statement:
        return c[0]  # type: ignore[no-any-return]

    def first_query(self, c: Children) -> ir.Query:
        return ir.Query(tuple(c[0]), span=c[0][0].span)

    def union(self, c: Children) -> ir.Union:
        every = c[2] is not None and c[2].type == "ALL"
        right = ir.Query(tuple(c[3]), span=c[3][0].span)
        return ir.Union(c[0], right, every, span=c[1].span)

    # --- reading clauses -----------------------------------------------------------------

    def match(self, c: Children) -> ir.Match:
        optional, keyword, mode, paths, _hints, where = c
        return ir.Match(
            tuple(paths),
            where,
            optional is not None,
            mode or ir.MatchMode.DIFFERENT_EDGES,
            span=(optional or keyword).span,
        )

    def different_edges(self, c: Children) -> ir.MatchMode:
        return ir.MatchMode.DIFFERENT_EDGES

    def repeatable(self, c: Children) -> ir.MatchMode:
        return ir.MatchMode.REPEATABLE

    def hint(self, c: Children) -> None:
        """A hint to the planner: it changes how, never what."""
        kind = c[1].text.upper()
        if c[1].type == "NAME" and kind not in ("INDEX", "SCAN", "RANGE", "TEXT", "POINT"):
            raise failed(c[1], f"Unknown hint '{c[1].text}'.", "unknown-hint")

    def hints(self, c: Children) -> None:
        return None

    def where(self, c: Children) -> ir.Expr:
        return c[1]  # type: ignore[no-any-return]

    def unwind(self, c: Children) -> ir.Unwind:
        return ir.Unwind(c[1], c[3].text, span=c[0].span)

    def with_(self, c: Children) -> ir.Project:
        keyword, distinct, parts, order, skip, limit, where = c
        window = _keys(order), _written(skip), _written(limit)
        return self._project([keyword, distinct, parts, *window, where], final=False)

    def return_(self, c: Children) -> ir.Project:
        keyword, distinct, parts, order, skip, limit = c
        window = _keys(order), _written(skip), _written(limit)
        return self._project([keyword, distinct, parts, *window, None], final=True)

    def _project(self, c: Children, *, final: bool) -> ir.Project:
        keyword, distinct, parts, order, skip, limit, where = c
        source: QueryText = keyword.source
        tokens = source.tokens
        items: list[ir.Item] = []
        aggregating = False
        begin = tokens[(distinct or keyword).index + 1]
        for number in range(0, len(parts), 2):
            part = parts[number]
            if isinstance(part, Token):
                if number:
                    raise failed(part, "'*' stands first in its list.", "star-not-first")
                items.append(replace(STAR, span=part.span))
            else:
                if isinstance(part, ir.Item):
                    expr, item = part.expr, part
                else:
                    expr = part
                    name = expr.name if type(expr) is ir.Var else ""
                    if not name:
                        last = self._last(tokens, begin, parts, number)
                        name = source.text[begin.start : last.end]
                    item = ir.Item(expr, name, named=False, span=expr.span or begin.span)
                inner = expr.base if type(expr) is ir.Prop else expr
                if type(inner) is not ir.Var and _aggregates(inner):
                    aggregating = True
                items.append(item)
            if number + 1 < len(parts):
                begin = tokens[parts[number + 1].index + 1]
        group = None
        if aggregating:
            keys = (i.expr for i in items if i != STAR)
            group = tuple(key for key in keys if not _aggregates(key))
        project = ir.Project(
            tuple(items),
            distinct is not None,
            _sort_keys(order or [], items),
            skip,
            limit,
            where,
            final,
            group,
            span=keyword.span,
        )
        return as_neo4j_reads(project) if order or where is not None else project

    @staticmethod
    def _last(tokens: list[Token], begin: Token, parts: Children, number: int) -> Token:
        """The last token of the item that begins at `begin`: that before the next separator."""
        if number + 1 < len(parts):
            return tokens[_position(parts[number + 1]) - 1]
        depth = 0
        for index in range(begin.index, len(tokens)):
            kind = tokens[index].type
            if kind in OPENING:
                depth += 1
            elif kind in CLOSING:
                depth -= 1
            if depth < 0 or (depth == 0 and kind in _AFTER_ITEMS):
                return tokens[index - 1]
            if index == len(tokens) - 1:
                return tokens[index - 1] if index > begin.index else tokens[index]
        return begin

    def let(self, c: Children) -> ir.Project:
        """`LET x = …` of Cypher 25 is `WITH *, … AS x`; it never groups."""
        for item in c[1]:
            if _aggregates(item.expr):
                message = "LET computes row by row and takes no aggregate: aggregate in a WITH."
                place = item.expr.span or item.span
                raise QueryTextError(
                    message, code="misplaced-aggregate", line=place.line, column=place.column
                )
        return ir.Project((replace(LET_STAR, span=c[0].span), *c[1]), span=c[0].span)

    def definition(self, c: Children) -> ir.Item:
        return ir.Item(c[2], c[0].text, span=c[0].span)

    def filter(self, c: Children) -> ir.Project:
        """`FILTER …` of Cypher 25 is `WITH * WHERE …`."""
        return ir.Project((replace(STAR, span=c[0].span),), where=c[2], span=c[0].span)

    def page(self, c: Children) -> ir.Project:
        """`ORDER BY …`, SKIP and LIMIT as clauses of Cypher 25 are those of `WITH *`."""
        order, skip, limit = c
        span = (order or skip or limit)[0].span
        star = replace(PAGE_STAR, span=span)
        window = tuple(_keys(order)), _written(skip), _written(limit)
        return ir.Project((star,), False, *window, span=span)

    def page_from(self, c: Children) -> ir.Project:
        return self.page([None, *c])

    def page_to(self, c: Children) -> ir.Project:
        return self.page([None, None, *c])

    def item(self, c: Children) -> ir.Item:
        return ir.Item(c[0], c[2].text, span=c[0].span or c[2].span)

    def order(self, c: Children) -> Children:
        return c

    def key(self, c: Children) -> ir.SortKey:
        descending = c[1] is not None and c[1].type in ("DESC", "DESCENDING")
        return ir.SortKey(c[0], descending, span=c[0].span)

    skip = limit = order

    def call_bare(self, c: Children) -> ir.Subquery:
        optional, keyword, _open, statement, _close = c
        inner, imports = _importing(statement)
        return ir.Subquery(inner, imports, optional is not None, span=keyword.span)

    def call_scoped(self, c: Children) -> ir.Subquery:
        optional, keyword, _open, names, _close, _brace, statement, _end = c
        if isinstance(names, Token):
            imports = ALL_VARIABLES
        else:
            imports = tuple(name.text for name in names or ())
        return ir.Subquery(statement, imports, optional is not None, span=keyword.span)

    def procedure(self, c: Children) -> ir.Procedure:
        return ir.Procedure(_dotted(c[1]), None, span=c[0].span)

    def procedure_args(self, c: Children) -> ir.Procedure:
        return ir.Procedure(_dotted(c[1]), tuple(c[3] or ()), span=c[0].span)

    def procedure_yields(self, c: Children) -> ir.Procedure:
        yields, where = c[2]
        return ir.Procedure(_dotted(c[1]), None, yields, where, span=c[0].span)

    def procedure_args_yields(self, c: Children) -> ir.Procedure:
        yields, where = c[5]
        return ir.Procedure(_dotted(c[1]), tuple(c[3] or ()), yields, where, span=c[0].span)

    def yields(self, c: Children) -> tuple[tuple[ir.Yield, ...], ir.Expr | None]:
        items = (ir.Yield("*", "*", span=c[1].span),) if isinstance(c[1], Token) else tuple(c[1])
        return items, c[2]

    def yield_item(self, c: Children) -> ir.Yield:
        alias = c[2].text if c[2] is not None else c[0].text
        return ir.Yield(c[0].text, alias, span=c[0].span)

    # --- writing clauses -----------------------------------------------------------------

    def create(self, c: Children) -> ir.Create:
        return ir.Create(tuple(c[1]), span=c[0].span)

    def merge(self, c: Children) -> ir.Merge:
        return ir.Merge(c[1], span=c[0].span)

    def merge_on_create(self, c: Children) -> ir.Merge:
        merge: ir.Merge = c[0]
        return replace(merge, on_create=(*merge.on_create, *c[3].items))

    def merge_on_match(self, c: Children) -> ir.Merge:
        merge: ir.Merge = c[0]
        return replace(merge, on_match=(*merge.on_match, *c[3].items))

    def set(self, c: Children) -> ir.Set:
        return ir.Set(tuple(c[1]), span=c[0].span)

    def set_value(self, c: Children) -> ir.SetItem:
        if c[1].text != "=":
            raise failed(c[1], "SET assigns with '=' or '+='.", "unexpected-token")
        return ir.SetItem(c[0], c[2], span=c[0].span)

    def set_add(self, c: Children) -> ir.SetItem:
        return ir.SetItem(c[0], c[2], add=True, span=c[0].span)

    def set_labels(self, c: Children) -> ir.SetItem:
        labels = labels_of(c[2])
        names = labels.args if isinstance(labels, ir.LabelAnd) else (labels,)
        plain = [name.name for name in names if isinstance(name, ir.LabelName)]
        if len(plain) != len(names):
            raise failed(c[1], "Only plain labels can be set or removed.", "label-expression")
        return ir.SetItem(c[0], labels=tuple(plain), span=c[0].span)

    def remove(self, c: Children) -> ir.Remove:
        return ir.Remove(tuple(c[1]), span=c[0].span)

    def remove_value(self, c: Children) -> ir.SetItem:
        return ir.SetItem(c[0], span=c[0].span)

    def delete(self, c: Children) -> ir.Delete:
        detach = c[0] is not None and c[0].type == "DETACH"
        return ir.Delete(tuple(c[2]), detach, span=(c[0] or c[1]).span)

    def foreach(self, c: Children) -> ir.Foreach:
        return ir.Foreach(c[2].text, c[4], tuple(c[6]), span=c[0].span)

    def load_csv(self, c: Children) -> ir.LoadCsv:
        separator = string_of(c[9]) if c[9] is not None else None
        return ir.LoadCsv(c[5], c[7].text, c[2] is not None, separator, span=c[0].span)

    # --- patterns ------------------------------------------------------------------------

    def named_path(self, c: Children) -> ir.Path:
        path: ir.Path = c[2]
        return replace(path, var=c[0].text, span=c[0].span)

    def plain_path(self, c: Children) -> ir.Path:
        return path_of(c[0])

    def selected_path(self, c: Children) -> ir.Path:
        return replace(path_of(c[1]), selector=c[0], span=c[0].span)

    def shortest(self, c: Children) -> ir.Path:
        one = c[0].type == "SHORTESTPATH"
        kind = ir.SelectorKind.FUNCTION_ONE if one else ir.SelectorKind.FUNCTION_ALL
        path = path_of(c[2])
        if len(path.steps) != 1 or isinstance(path.steps[0].edge, ir.Quantified):
            raise failed(c[0], f"{c[0].text}() takes one relationship pattern.", "shortest-pattern")
        return replace(path, selector=ir.Selector(kind), span=c[0].span)

    def select_any(self, c: Children) -> ir.Selector:
        return ir.Selector(ir.SelectorKind.ANY, span=c[0].span)

    def select_any_shortest(self, c: Children) -> ir.Selector:
        return ir.Selector(ir.SelectorKind.ANY_SHORTEST, span=c[0].span)

    def select_all_shortest(self, c: Children) -> ir.Selector:
        return ir.Selector(ir.SelectorKind.ALL_SHORTEST, span=c[0].span)

    def select_shortest(self, c: Children) -> ir.Selector:
        groups = c[3] is not None
        kind = ir.SelectorKind.SHORTEST_GROUPS if groups else ir.SelectorKind.SHORTEST_K
        count = integer_of(c[1])
        if count < 1:
            raise failed(c[1], "The number of paths must be positive.", "path-count")
        return ir.Selector(kind, count, span=c[0].span)

    def chain_edge(self, c: Children) -> Children:
        c[0] += (c[1], c[2])
        return c[0]  # type: ignore[no-any-return]

    def node(self, c: Children) -> ir.NodePattern:
        begin, var, labels, props, where, end = c
        span = Span(begin.line, begin.column, end.line, end.column + 1)
        name = var.text if var is not None else None
        return ir.NodePattern(name, labels, props, where, span=span)

    def node_labels(self, c: Children) -> ir.LabelExpr:
        return labels_of(c[1])

    def edge_bare(self, c: Children) -> ir.EdgePattern | ir.Quantified:
        edge = ir.EdgePattern(direction=direction_of(c[0], c[0].text), span=c[0].span)
        return quantify(edge, c[1]) if c[1] is not None else edge

    def edge(self, c: Children) -> ir.EdgePattern | ir.Quantified:
        begin, var, types, hops, props, where, end, quantifier = c
        edge = ir.EdgePattern(
            var.text if var is not None else None,
            types,
            direction_of(begin, begin.text + end.text),
            hops_of(hops) if hops is not None else None,
            props,
            where,
            span=Span(begin.line, begin.column, end.line, end.column + end.end - end.start),
        )
        if quantifier is None:
            return edge
        if hops is not None:
            raise failed(quantifier, "A relationship has one length: `*` or a quantifier.", "hops")
        return quantify(edge, quantifier)

    def group(self, c: Children) -> Group:
        begin, chain, where, _end, quantifier = c
        return Group(begin, path_of(chain), where, quantifier)

    def named_group(self, c: Children) -> Group:
        begin, name, _eq, chain, where, _end, quantifier = c
        return Group(begin, replace(path_of(chain), var=name.text), where, quantifier)

    def group_shortest(self, c: Children) -> Group:
        return Group(c[0], c[1], None, None)

    def labels_more(self, c: Children) -> Children:
        c[0] += (c[1].text, c[2])
        return c[0]  # type: ignore[no-any-return]

    def label_name(self, c: Children) -> ir.LabelName:
        return ir.LabelName(c[0].text, span=c[0].span)

    def label_any(self, c: Children) -> ir.LabelAny:
        return ir.LabelAny(span=c[0].span)

    def label_not(self, c: Children) -> ir.LabelNot:
        return ir.LabelNot(c[1], span=c[0].span)

    def label_group(self, c: Children) -> ir.LabelExpr:
        return labels_of(c[1])


_AFTER_ITEMS = frozenset(("ORDER", "SKIP", "OFFSET", "LIMIT", "WHERE"))


def _keys(order: Children | None) -> list[ir.SortKey]:
    """What stands behind ORDER BY."""
    return order[2] if order else []


def _written(part: Children | None) -> ir.Expr | None:
    """What stands behind SKIP or LIMIT."""
    return part[1] if part else None


def _dotted(names: Sequence[Token]) -> str:
    return ".".join(name.text for name in names)


def _aggregates(expr: ir.Node) -> bool:
    """Whether an aggregate stands in `expr`; without recursion, for depth is not yet checked."""
    stack = [expr]
    while stack:
        node = stack.pop()
        if type(node) is ir.Agg:
            return True
        if not isinstance(node, ir.Exists | ir.CountOf | ir.CollectOf):
            stack.extend(children(node))
    return False


def _position(token: Token) -> int:
    return token.index


def has_star(project: ir.Project) -> bool:
    """Whether all variables in scope are among the columns; the star stands first."""
    return bool(project.items) and project.items[0].expr == STAR.expr


def _importing(statement: ir.Statement) -> tuple[ir.Statement, tuple[str, ...]]:
    """Take the importing WITH from the front of each query of a `CALL { … }`."""
    if isinstance(statement, ir.Union):
        left, first = _importing(statement.left)
        right, second = _importing_query(statement.right)
        names = first + tuple(name for name in second if name not in first)
        if ALL_VARIABLES[0] in names:
            names = ALL_VARIABLES
        return replace(statement, left=left, right=right), names
    return _importing_query(statement)


def _importing_query(query: ir.Query) -> tuple[ir.Query, tuple[str, ...]]:
    lead = query.clauses[0]
    if (
        isinstance(lead, ir.Project)
        and not lead.final
        and len(query.clauses) > 1
        and not (lead.distinct or lead.order or lead.skip or lead.limit or lead.where)
        and all(isinstance(i.expr, ir.Var) and i.alias == i.expr.name for i in lead.items)
    ):
        names = tuple(item.alias for item in lead.items)
        _check_imported(query.clauses[1:], names)
        return apart(replace(query, clauses=query.clauses[1:]), names), names
    return query, ()


def _check_imported(clauses: tuple[ir.Clause, ...], names: tuple[str, ...]) -> None:
    """An imported variable stays visible, so its name cannot be dropped and bound anew; a RETURN *
    would return it, unless a WITH has dropped it."""
    dropped: set[str] = set()
    for clause in clauses:
        again = dropped.intersection(introduced(clause))
        if again:
            span = clause.span or Span(1, 1)
            raise QueryTextError(
                f"'{min(again)}' was imported, dropped by a WITH and is bound anew: rename it.",
                code="imported-again",
                line=span.line,
                column=span.column,
            )
        if not isinstance(clause, ir.Project):
            continue
        if not has_star(clause):
            dropped |= set(names) - {item.alias for item in clause.items}
        elif clause.final and (returned := sorted(set(names) - dropped)):
            span = clause.items[0].span or Span(1, 1)
            raise QueryTextError(
                f"RETURN * would return what is bound outside ({', '.join(returned)}): name the "
                f"columns, or write CALL ({', '.join(names)}) {{ … }}.",
                code="variable-already-bound",
                line=span.line,
                column=span.column,
            )


def _sort_keys(order: Sequence[ir.SortKey], items: Sequence[ir.Item]) -> tuple[ir.SortKey, ...]:
    """A key that is one of the items means that column, also where an alias hides its variable:
    `RETURN a.name AS a, a.born AS b ORDER BY a.born` (as Neo4j runs it)."""
    if not order:
        return ()
    hidden = {i.alias for i in items if i.expr != ir.Var(i.alias)}
    keys = []
    for key in order:
        if any(variable.name in hidden for variable in find(key.expr, ir.Var)):
            same = next((item for item in items if item.expr == key.expr), None)
            if same is not None and not isinstance(key.expr, ir.Var):
                key = replace(key, expr=ir.Var(same.alias, span=key.expr.span))
        keys.append(key)
    return tuple(keys)
