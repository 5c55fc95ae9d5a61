"""`sparql`: SPARQL 1.1 over the RDF form of a graph (`schemagraph.rdf`, docs/rdf.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graph_ir import nodes as ir
from graph_ir.lowerings import keep_for_where, names_in
from graph_ir.numbers import of_infinite, with_one_zero
from graph_ir.ordering import order_at_end
from graph_ir.reference.folding import refuse_folded, refuse_near_constants
from graphmill.errors import Refused
from schemagraph.model import EdgeType, Kind, NodeType, SchemaGraph
from schemagraph.rdf.names import PREFIXES
from translators.base import Dialect, Rendered
from translators.sparql.clauses import pipeline
from translators.sparql.clauses.flat import flat, plain
from translators.sparql.clauses.projection import select_of
from translators.sparql.expressions import (
    aggregates,
    basics,
    compare,
    functions,
    json,
    subqueries,
)
from translators.sparql.expressions.core import refused
from translators.sparql.model.compiler import Bound, Compiler, Emits, Sx
from translators.sparql.model.group import Block, Group, Select, select_lines
from translators.sparql.model.numbers import two_forms
from translators.sparql.model.tidy import tidy
from translators.sparql.model.unsupported import UNSUPPORTED, unsupported

_EMITS = Emits.joined(
    aggregates.EMITS,
    basics.EMITS,
    compare.EMITS,
    functions.EMITS,
    json.EMITS,
    subqueries.EMITS,
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class Sparql(Dialect):
    """Graph-IR as one SELECT."""

    name = "sparql"
    LOWERINGS = (keep_for_where,)

    def generate(self, query: ir.Statement) -> Rendered:
        """The SPARQL of `query`.

        Raises:
            Refused: SPARQL cannot say exactly this.
        """
        if (made := of_infinite(query, self._infinite())) is not None:
            raise refused("not-a-number", made, "What infinite numbers make may be no number.")
        refuse_folded(query)
        refuse_near_constants(query, members=True)
        query = with_one_zero(query)
        for lower in self.LOWERINGS:
            query = lower(query)
        try:
            return self._shortest(query)
        except RecursionError as problem:
            raise Refused("nesting", "sparql", "The query is nested too deeply.") from problem

    def _infinite(self) -> frozenset[str]:
        """The names of the properties that have infinite values."""
        if self.schema is None:
            return frozenset()
        elements: list[NodeType | EdgeType] = [*self.schema.nodes, *self.schema.edges]
        given = (each for element in elements for each in element.properties)
        return frozenset(each.name for each in given if each.observed.infinite)

    def emit(self, node: ir.Node) -> str:
        """The SPARQL of a whole statement; its parts mean nothing alone."""
        if isinstance(node, ir.Query | ir.Union):
            return self.generate(node).text
        raise Refused("part", type(node).__name__, "Only whole queries become SPARQL.", node.span)

    def _shortest(self, query: ir.Statement) -> Rendered:
        """With one grouping in place of two projections, where that can be said."""
        if isinstance(query, ir.Query):
            query = plain(query, self.schema)
            shorter = flat(query)
            if shorter is not None:
                try:
                    return self._rendered(shorter.query, shorter.having)
                except Refused:
                    return self._rendered(query)
        return self._rendered(query)

    def _rendered(self, query: ir.Statement, having: ir.Expr | None = None) -> Rendered:
        query = order_at_end(query)
        held: frozenset[str] = frozenset()
        while True:
            cx = Compiler(self.schema, query, pipeline.run, _EMITS, having=having, held=held)
            select = _union(cx, query) if isinstance(query, ir.Union) else _query(cx, query)[0]
            if cx.renamed <= held:
                break
            held |= cx.renamed  # `RETURN p.id AS p`: the node is called otherwise
        tidy(select, self.schema)
        body = "\n".join(select_lines(select, 0))
        columns = tuple(_columns(select.head))
        return Rendered(_prefixes(body) + body, self.name, columns, tuple(cx.caveats))


def _query(cx: Compiler, query: ir.Query) -> tuple[Select, dict[str, Bound]]:
    """The SELECT of a query, and what its columns stand for."""
    for clause in query.clauses:
        if isinstance(clause, ir.WRITES):
            raise unsupported(clause)
    last = query.clauses[-1] if query.clauses else None
    if not isinstance(last, ir.Project) or not last.final:
        raise Refused("no-result", "Query", "The query returns nothing.", query.span)
    cx.preferred = dict(_preferred(query, last))
    pipeline.run(cx, query.clauses)
    return select_of(cx, last, final=True)


def _union(cx: Compiler, union: ir.Union) -> Select:
    """Both sides as subselects with the same variables."""
    sides: list[ir.Query] = [union.right]
    left: ir.Statement = union.left
    alls = [union.all]
    while isinstance(left, ir.Union):
        sides.append(left.right)
        alls.append(left.all)
        left = left.left
    sides.append(left)
    if len(set(alls)) > 1:
        raise Refused("set-operation-all", "UNION", "UNION and UNION ALL in one query.", union.span)
    selects, rows = [], []
    for side in reversed(sides):
        cx.group, cx.env, cx.ordered, cx.keys = Group(), {}, False, None
        cx.alike_after = not union.all
        cx.taken -= set(cx.results)
        cx.numbers.clear()
        select, columns = _query(cx, side)
        selects.append(select)
        rows.append(list(columns.values()))
        cx.results = [name[1:] for name in _columns_vars(selects[-1].head)]
    names = [_columns(select.head) for select in selects]
    if not cx.renamed - cx.held and any(each != names[0] for each in names):
        raise Refused("union-columns", "UNION", "The sides have other columns.", union.span)
    if not union.all:
        _same_kinds(sides, rows, cx.schema)
    groups = tuple(Group([select]) for select in selects)
    heads = " ".join(_columns_vars(selects[0].head))
    word = "SELECT" if union.all else "SELECT DISTINCT"
    return Select(f"{word} {heads}", Group([Block(groups)]))


def _same_kinds(
    sides: Sequence[ir.Query], rows: Sequence[Sequence[Bound]], schema: SchemaGraph | None
) -> None:
    """UNION compares rows, where SPARQL tells 1 from 1.0; `rows` are the columns of the sides."""
    lasts = [side.clauses[-1] for side in sides]
    items = [last.items for last in lasts if isinstance(last, ir.Project)]
    for column in zip(*items, strict=False):
        if any(_is_stored_list(item.expr, schema) for item in column):
            reason = "Stored lists are told apart by their heads."
            raise Refused("nested-list", "UNION", reason, column[0].span)
    for number, values in enumerate(zip(*rows, strict=False)):
        if two_forms(*(each.type for each in values if isinstance(each, Sx))):
            reason = "SPARQL tells 1 from 1.0 among rows."
            raise Refused("mixed-keys", "UNION", reason, items[0][number].span)


def _is_stored_list(expr: ir.Expr, schema: SchemaGraph | None) -> bool:
    if not isinstance(expr, ir.Prop):
        return False
    if expr.type.kind is not Kind.ANY or schema is None:
        return expr.type.kind is Kind.LIST
    properties = (
        *(node.property(expr.key) for node in schema.nodes),
        *(edge.property(expr.key) for edge in schema.edges),
    )
    return any(given is not None and given.type.kind is Kind.LIST for given in properties)


def _preferred(query: ir.Query, last: ir.Project) -> Iterator[tuple[tuple[str, str], str]]:
    """Properties that columns show, and the name each can have everywhere: the column's."""
    taken = names_in(ir.Query(query.clauses[:-1]))
    taken |= {item.alias for item in last.items if not isinstance(item.expr, ir.Prop)}
    used: set[str] = set()
    for item in last.items:
        if isinstance(item.expr, ir.Prop) and isinstance(item.expr.base, ir.Var):
            named = item.named or item.alias.isidentifier()
            name = item.alias if named else item.expr.key
            if name in taken or name in used or not _NAME.fullmatch(name):
                continue
            used.add(name)
            yield (item.expr.base.name, item.expr.key), name


def _columns_vars(head: str) -> list[str]:
    """The variables of a head."""
    depth, names, current = 0, [], ""
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[()]|\?\w+', head):
        text = match[0]
        if text == "(":
            depth += 1
        elif text == ")":
            depth -= 1
            if not depth:
                names.append(current)
        elif text.startswith("?"):
            current = text
            if not depth:
                names.append(text)
    return names


def _columns(head: str) -> list[str]:
    return [name[1:] for name in _columns_vars(head)]


def _prefixes(body: str) -> str:
    """Declarations of the prefixes that a text uses."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', body)
    used = {mention[1] for mention in re.finditer(r"(?<![\w?$:%-])([a-z]+):", bare)}
    return "".join(
        f"PREFIX {prefix}: <{space}>\n" for prefix, space in PREFIXES.items() if prefix in used
    )


Sparql.UNSUPPORTED = UNSUPPORTED
# Clauses, patterns and their parts are compiled where they stand, not one by one.
Sparql._emit = {node: "emit" for node in ir.NODE_CLASSES.values() if node not in UNSUPPORTED}
