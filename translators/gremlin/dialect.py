"""`gremlin`: traversals of TinkerPop 3.8's `gremlin-lang` grammar, without Groovy and lambdas.

A graph in TinkerPop holds what GraphData holds: a vertex has one label, that of a node with several
is `A::B`; properties are single values, dates are ISO texts; what is null is absent. An answer's
rows are maps that `project` makes, in which a null entry is absent, or values where there is one
column that is never null.
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import carry_sort_keys, keep_for_where, sort_by_columns
from graph_ir.numbers import with_one_zero
from graph_ir.reference.folding import refuse_near_constants
from graph_ir.walk import find
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.base import Dialect, Rendered
from translators.gremlin.clauses import CLAUSES, statement
from translators.gremlin.entities import grouped_by_node, sums_of_something
from translators.gremlin.expressions import VALUES
from translators.gremlin.groups import KEY, VALUE
from translators.gremlin.integers import Widths, compared_keys
from translators.gremlin.predicates import FALSITIES, TRUTHS, may_hold_null
from translators.gremlin.rows import Compiler, Rows
from translators.gremlin.steps.barriers import remembering
from translators.gremlin.steps.text import printed
from translators.gremlin.unsaid import UNSAID
from translators.gremlin.walks import walked

_LISTS = (Kind.LIST, Kind.ANY)
_PARTS = (
    *(ir.LabelName, ir.LabelAnd, ir.LabelOr, ir.LabelNot, ir.LabelAny, ir.When, ir.Entry),
    *(ir.Hops, ir.NodePattern, ir.EdgePattern, ir.Quantified, ir.Step, ir.Path),
    *(ir.Item, ir.SortKey, ir.Query, ir.Union, ir.Agg),
)


class Gremlin(Dialect):
    """Graph-IR as one traversal."""

    name = "gremlin"
    LOWERINGS = (keep_for_where, sort_by_columns, carry_sort_keys, sums_of_something)

    def generate(self, query: ir.Statement) -> Rendered:
        """The traversal of `query`.

        Raises:
            Refused: Gremlin cannot say exactly this.
        """
        refuse_near_constants(query, members=False)
        query = with_one_zero(query)
        for lower in self.LOWERINGS:
            query = lower(query)
        gappy, wide = _gappy(query), _writes_keys(query)
        query = self._in_idiom(query)
        cx = Compiler(self.schema, VALUES, TRUTHS, FALSITIES, CLAUSES, statement)
        _reserve(cx, query)
        cx.gappy, cx.wide = gappy, wide
        rows = Rows()
        try:
            columns = statement(cx, query, rows)
            text = printed(remembering(tuple(rows.steps)))
        except RecursionError as problem:
            raise Refused("nesting", "gremlin", "The query is nested too deeply.") from problem
        return Rendered(text, self.name, columns, tuple(cx.caveats.values()))

    def _in_idiom(self, query: ir.Statement) -> ir.Statement:
        """The same query, begun where it is filtered, with groups by nodes as reductions."""
        if isinstance(query, ir.Union):
            left, right = self._in_idiom(query.left), self._walked(query.right)
            return replace(query, left=left, right=right)
        return self._walked(query)

    def _walked(self, query: ir.Query) -> ir.Query:
        return grouped_by_node(walked(query, self.schema), self.schema)

    def emit(self, node: ir.Node) -> str:
        """The text of a whole statement; its parts mean nothing alone."""
        if isinstance(node, ir.Query | ir.Union):
            return self.generate(node).text
        raise Refused("part", type(node).__name__, "Only whole queries are said.", node.span)


def _writes_keys(query: ir.Statement) -> bool:
    """Whether an integer that the text writes may be a key beside others."""
    keys = compared_keys(query)
    if not keys:
        return False
    widths = Widths(query)
    return any(False in widths.of(key) for key in keys)


def _gappy(query: ir.Statement) -> set[str]:
    """The variables that may be lists with a null in them."""
    each = [
        *((part.alias, part.expr) for part in find(query, ir.Unwind)),
        *((part.var, part.list) for part in find(query, ir.ListComp)),
        *((part.var, part.list) for part in find(query, ir.Quantifier)),
    ]
    names = {n for n, of in each if of.type.item is None or of.type.item.kind in _LISTS}
    items = [item for item in find(query, ir.Item) if item.expr.type.kind in _LISTS]
    while more := {i.alias for i in items if may_hold_null(i.expr, names)} - names:
        names |= more
    return names


def _reserve(cx: Compiler, query: ir.Statement) -> None:
    """Keep labels apart from keys of maps: `select` takes the label where a map lacks the key."""
    cx.used |= {"x", "y", "nodes", "edges"}
    cx.own = {each.var for each in find(query, ir.NodePattern) if each.var}
    for shown in find(query, ir.Project):
        if shown.final or shown.distinct:
            cx.used |= {i.alias for i in shown.items if i.expr != ir.Var(i.alias)}
        parts = [*(shown.group or ()), *find(shown, ir.Agg)]
        cx.used |= {f"{kind}{n}" for kind in (KEY, VALUE) for n in range(1, 1 + len(parts))}
    cx.used |= {e.key for e in find(query, ir.Prop) if e.base.type.kind is Kind.MAP}
    texts = (e.index.value for e in find(query, ir.Index) if isinstance(e.index, ir.Literal))
    cx.used |= {text for text in texts if isinstance(text, str)}


Gremlin.UNSUPPORTED = UNSAID
# Nodes of the tables, and parts that are compiled where they stand.
Gremlin._emit = dict.fromkeys((*VALUES, *TRUTHS, *CLAUSES, *_PARTS), "emit")
