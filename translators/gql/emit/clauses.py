"""Statements of ISO GQL: linear queries joined by NEXT, set operators and subqueries.

A WITH that only computes is LET and FILTER; one that groups, orders, cuts or drops duplicates is
`RETURN … NEXT` (ISO/IEC 39075:2024 clauses 9.2 and 14).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graph_ir.bind.statements import bind
from graph_ir.lowerings import counting, keeps_rows, ordered_columns
from graph_ir.walk import descend, find
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.base import Caveat, Rendered
from translators.gql.emit.expressions import EXISTS
from translators.gql.emit.operators import COMPARE, EITHER, IS_NOT_NULL, PRIMARY
from translators.gql.emit.scope import Scope
from translators.gql.emit.text import doubled_accents
from translators.gql.emit.uniqueness import kept_apart
from translators.gql.emit.values import kind_of, nullable
from translators.gql.emit.write_rules import lower, reads_after_write
from translators.printing import Code, wrap

if TYPE_CHECKING:
    from translators.gql.emit.dialect import Gql


def generate(gql: Gql, query: ir.Statement) -> Rendered:
    if reads_after_write(query):
        # What the schema promises need not hold behind a write.
        gql.schema = None
        query = bind(query).statement
    query = lower(query)
    for rewrite in gql.LOWERINGS:
        query = rewrite(query)
    gql.scope = gql.outermost()
    gql.parts = {}
    gql.edges = set()
    gql.depth = 0
    gql.aliased = False
    gql.caveats = []
    gql.opened = _opened(query)
    gql.apart = kept_apart(query)
    text = gql.statement(query, None)
    if gql.DOUBLED_ACCENTS:
        text = doubled_accents(text)
    return Rendered(text, gql.name, tuple(columns(query)), tuple(gql.caveats))


def outermost(gql: Gql) -> Scope:
    """The scope of a whole text, where nothing is bound yet."""
    return Scope()


def query_of(gql: Gql, node: ir.Query) -> str:
    return gql.statement(node, None)


def union_of(gql: Gql, node: ir.Union) -> str:
    return gql.statement(node, None)


def statement(gql: Gql, node: ir.Statement, outputs: Mapping[str, str] | None) -> str:
    """A query, or several joined by UNION; `outputs` names columns that others refer to."""
    if isinstance(node, ir.Query):
        return gql.between().join(gql.linear(node, outputs))
    names = columns(node)
    outer, gql.aliased = gql.aliased, True
    sides = [gql.branch(part, names, outputs) for part in branches(node)]
    gql.aliased = outer
    joint = "UNION ALL" if node.all else gql.UNION
    return f"{gql.between()}{joint}{gql.between()}".join(sides)


def between(gql: Gql) -> str:
    """What stands between two statements: a new line, or a space inside braces."""
    return " " if gql.depth else "\n"


def branch(gql: Gql, query: ir.Query, names: list[str], outputs: Mapping[str, str] | None) -> str:
    """One side of a UNION: NEXT would end the UNION, so it goes into a CALL."""
    query = ordered_columns(query, names)
    pieces = gql.linear(query, outputs)
    if "NEXT" not in pieces:
        return gql.between().join(pieces)
    inner = {name: gql.scope.fresh(name) for name in names}
    gql.depth += 1
    body = " ".join(gql.linear(query, inner))
    gql.depth -= 1
    columns_ = [ir.Item(ir.Var(name), name) for name in names]
    outer, gql.scope = gql.scope, gql.scope.inner()
    gql.scope.names = inner
    shown = [gql.column_name(item, outputs) for item in columns_]
    gql.scope = outer
    imports = ", ".join(_imports(query, gql.scope))
    return f"CALL ({imports}) {{{body}}}{gql.between()}RETURN {', '.join(shown)}"


def linear(gql: Gql, query: ir.Query, outputs: Mapping[str, str] | None) -> list[str]:
    """The statements of one query in order; NEXT is a piece of its own."""
    aliased, gql.aliased = gql.aliased, False
    outer, gql.scope = gql.scope, gql.scope.inner()
    around, gql.around = gql.around, frozenset(gql.scope.names.values())
    pieces: list[str] = []
    for clause in query.clauses:
        if isinstance(clause, ir.Procedure) and query.clauses == (clause,) and not gql.depth:
            pieces += _called_alone(gql, clause, outputs)
        elif isinstance(clause, ir.Procedure) and not clause.yields:
            raise Refused(
                "procedure",
                clause.name,
                "A CALL without YIELD among other clauses has no columns in Cypher; whether "
                "it keeps the rows in GQL, only the procedure can tell.",
                clause.span,
            )
        elif not isinstance(clause, ir.Project):
            pieces.append(gql.emit(clause))
        elif clause.final:
            gql.aliased = aliased
            pieces += gql.project(clause, outputs)
        else:
            pieces += gql.passed(clause)
    gql.scope, gql.around = outer, around
    return [piece for piece in pieces if piece]


def project(gql: Gql, node: ir.Project) -> str:
    return " ".join(gql.project(node, None) if node.final else gql.passed(node))


def passed(gql: Gql, node: ir.Project) -> list[str]:
    """A WITH."""
    if node.order or not keeps_rows(replace(node, where=None)):
        return _next(gql, node)
    before = dict(gql.scope.names)
    after: dict[str, str] = {}
    computed = []
    for item in node.items:
        if isinstance(item.expr, ir.Var):
            after[item.alias] = gql.emit(item.expr)
            continue
        text = gql.emit(item.expr)
        after[item.alias] = gql.scope.fresh(item.alias)
        computed.append(f"{after[item.alias]} = {text}")
    pieces = [f"LET {', '.join(computed)}"] if computed else []
    gql.scope.names = {**before, **after}
    pieces += _filter(gql, node.where)
    gql.scope.names = after
    return pieces


def _next(gql: Gql, node: ir.Project) -> list[str]:
    visible = dict(gql.scope.names)
    aliases = {item.alias for item in node.items}
    extra: list[str] = []
    if node.where is not None and node.group is None and not node.distinct:
        used = {var.name for var in find(node.where, ir.Var)}
        extra = [name for name in visible if name in used and name not in aliases]
    paths = _open_paths(gql, node.items)
    items = (*node.items, *(ir.Item(ir.Var(name), name) for name in extra))
    items += tuple(part for parts in paths.values() for part in parts)
    outputs = {
        item.alias: gql.scope.names[item.expr.name]
        if isinstance(item.expr, ir.Var)
        and item.expr.name == item.alias
        and (gql.REDECLARES or gql.scope.names[item.alias] not in gql.around)
        else gql.scope.fresh(item.alias)
        for item in items
    }
    pieces = gql.project(replace(node, items=_once(items, outputs), where=None), outputs)
    gql.scope.names = {item.alias: outputs[item.alias] for item in node.items}
    gql.scope.names |= {name: outputs[name] for name in extra}
    gql.parts = {
        outputs[name]: (outputs[parts[0].alias], outputs[parts[1].alias])
        for name, parts in paths.items()
    }
    pieces += ["NEXT", *gql.passed_on(node, dict.fromkeys(outputs.values()))]
    pieces += _filter(gql, node.where)
    for name in extra:
        del gql.scope.names[name]
    return pieces


def _once(items: tuple[ir.Item, ...], outputs: Mapping[str, str]) -> tuple[ir.Item, ...]:
    """The items without those that are the same variable under another name."""
    return tuple({outputs[item.alias]: item for item in reversed(items)}.values())[::-1]


def passed_on(gql: Gql, node: ir.Project, names: Iterable[str]) -> list[str]:
    """What stands between a WITH whose columns are `names` and what comes after it."""
    return []


def _open_paths(gql: Gql, items: tuple[ir.Item, ...]) -> dict[str, tuple[ir.Item, ir.Item]]:
    """What must go along with a path so that its nodes and edges can still be listed."""
    return {
        item.alias: (
            ir.Item(ir.Call("nodes", (item.expr,)), f"\0{item.alias} nodes"),
            ir.Item(ir.Call("relationships", (item.expr,)), f"\0{item.alias} edges"),
        )
        for item in items
        if isinstance(item.expr, ir.Var)
        and item.alias in gql.opened
        and gql.emit(item.expr) in gql.parts
    }


def _filter(gql: Gql, where: ir.Expr | None) -> list[str]:
    return [] if where is None else [f"FILTER {gql.condition(where)}"]


def unwind(gql: Gql, node: ir.Unwind) -> str:
    text = gql.emit(node.expr)
    if kind_of(node.expr) not in (Kind.LIST, Kind.ANY, Kind.NULL):
        # Cypher takes a single value for a list of one; null gives no row in both.
        single = f"[{text}]"
        text = f"CASE WHEN {IS_NOT_NULL(text)} THEN {single} END"
        text = text if nullable(node.expr) else single
    return f"FOR {gql.scope.bind(node.alias)} IN {wrap(text, PRIMARY)}"


def procedure(gql: Gql, node: ir.Procedure) -> str:
    """A call of a procedure of the catalog (clause 15.3); a namespace belongs to a product."""
    if "." in node.name or node.args is None:
        raise Refused(
            "procedure",
            node.name,
            "ISO GQL calls procedures of its own catalog, and names their arguments.",
            node.span,
        )
    text = f"CALL {gql.identifier(node.name)}({', '.join(gql.emit(a) for a in node.args)})"
    if node.yields:
        text += f" YIELD {', '.join(gql.emit(part) for part in node.yields)}"
    return text if node.where is None else f"{text} FILTER {gql.condition(node.where)}"


def _called_alone(gql: Gql, node: ir.Procedure, outputs: Mapping[str, str] | None) -> list[str]:
    """A call at the end of a query: Cypher shows what it yields.

    Without YIELD it shows whatever columns the procedure has, and none for one that only
    writes, which is all that GQL can say without knowing them.
    """
    if any(part.name == "*" for part in node.yields):
        raise Refused(
            "procedure", node.name, "ISO GQL names the columns that YIELD takes.", node.span
        )
    text = gql.emit(node)
    if node.yields:
        items = tuple(ir.Item(ir.Var(y.alias), y.alias) for y in node.yields)
        return [text, *gql.project(ir.Project(items, final=True), outputs)]
    gql.caveats.append(
        Caveat(
            "procedure",
            node.name,
            "A CALL without YIELD returns nothing in GQL: this is the same if the procedure "
            "has no columns; else name them in YIELD.",
            node.span,
        )
    )
    return [text]


def yield_text(gql: Gql, node: ir.Yield) -> str:
    name = gql.scope.bind(node.alias)
    return (
        gql.identifier(node.name) if name == node.name else f"{gql.identifier(node.name)} AS {name}"
    )


def subquery(gql: Gql, node: ir.Subquery) -> str:
    visible = {name: gql.scope.names[name] for name in node.imports}
    outputs = {name: gql.scope.fresh(name) for name in columns(node.query)}
    body = gql.inside(node.query, outputs, visible)
    imports = ", ".join(dict.fromkeys(visible.values()))
    gql.scope.names |= outputs
    head = "OPTIONAL CALL" if node.optional else "CALL"
    return f"{head} ({imports}) {{{body}}}"


def inside(
    gql: Gql,
    query: ir.Statement,
    outputs: Mapping[str, str] | None,
    visible: dict[str, str] | None = None,
) -> str:
    """A subquery's text; `visible` limits what it sees of the outside."""
    outer, gql.scope = gql.scope, gql.scope.inner()
    if visible is not None:
        gql.scope.names = dict(visible)
        # A column may have the name of the variable that it returns.
        gql.scope.release((outputs or {}).values())
    gql.depth += 1
    text = gql.statement(query, outputs)
    gql.depth -= 1
    gql.scope = outer
    return text


def exists_test(gql: Gql, node: ir.Exists) -> str:
    if isinstance(node.query, ir.Union):
        # Some side has a row. UNION drops no last row.
        parts = [gql.emit(replace(node, query=part)) for part in branches(node.query)]
        return EITHER.chain(parts)
    clauses = node.query.clauses
    if isinstance(clauses[-1], ir.Project) and keeps_rows(clauses[-1]):
        clauses = clauses[:-1]
    if not clauses:
        return "TRUE"  # one row
    gql.depth += 1
    pieces = gql.linear(ir.Query(clauses), {name: name for name in _last_names(clauses)})
    gql.depth -= 1
    matches = all(piece.startswith(("MATCH ", "OPTIONAL ")) for piece in pieces)
    if not matches and not (isinstance(clauses[-1], ir.Project) and clauses[-1].final):
        pieces.append(f"RETURN 1 AS {gql.column('one')}")
    return gql.exists(pieces, node)


def exists(gql: Gql, pieces: list[str], node: ir.Exists) -> str:
    """Whether the query made of `pieces` has a row."""
    return Code(f"{EXISTS}{' '.join(pieces)}}}", COMPARE)


def count_of(gql: Gql, node: ir.CountOf) -> str:
    query = counting(node.query)
    if query is None:
        query = ir.Query((_as_rows(gql, node.query), *_COUNT))
    return gql.value(query, "total", node)


def value(gql: Gql, query: ir.Query, column: str, node: ir.Expr) -> str:
    """The one value that `query` returns as `column`."""
    return f"VALUE {{{gql.inside(query, {column: gql.column(column)})}}}"


def _as_rows(gql: Gql, query: ir.Statement) -> ir.Subquery:
    """A statement as the first clause of a query; it sees what this place sees."""
    used = {var.name for var in find(query, ir.Var)} | _pattern_names(query)
    return ir.Subquery(query, tuple(name for name in gql.scope.names if name in used))


def collect_of(gql: Gql, node: ir.CollectOf) -> str:
    query = node.query
    if isinstance(query, ir.Union):
        (name,) = columns(query)
        query = ir.Query((_as_rows(gql, query), ir.Project((ir.Item(ir.Var(name), name),))))
    last = query.clauses[-1]
    if not isinstance(last, ir.Project) or len(last.items) != 1:
        raise Refused("collect", "COLLECT", "COLLECT { } returns one column.", node.span)
    item = last.items[0]
    if nullable(item.expr):
        raise Refused(
            "list-with-null",
            "COLLECT",
            "COLLECT_LIST drops nulls, and an item of this list can be null.",
            node.span,
        )
    head = query.clauses[:-1]
    value = item.expr
    if last.order or not keeps_rows(last):
        head = (*head, replace(last, final=False))
        value = ir.Var(item.alias, type=item.expr.type)
    collected = ir.Item(ir.Agg("collect", (value,)), "items")
    query = ir.Query((*head, ir.Project((collected,), final=True, group=())))
    return gql.value(query, "items", node)


def pattern_comp(gql: Gql, node: ir.PatternComp) -> str:
    item = ir.Item(node.result, gql.column("item"))
    clauses = (ir.Match((node.path,), node.where), ir.Project((item,), final=True))
    return gql.emit(ir.CollectOf(ir.Query(clauses), span=node.span))


_COUNT = (ir.Project((ir.Item(ir.Agg("count"), "total"),), final=True, group=()),)


def _opened(query: ir.Statement) -> frozenset[str]:
    """The names of paths whose nodes or edges are asked for, under every name they get."""
    paths = {
        call.args[0].name
        for call in find(query, ir.Call)
        if call.name in ("nodes", "relationships") and isinstance(call.args[0], ir.Var)
    }
    renamed = {
        (item.alias, item.expr.name)
        for item in (find(query, ir.Item) if paths else ())
        if isinstance(item.expr, ir.Var)
    }
    while more := {old for new, old in renamed if new in paths} - paths:
        paths |= more
    return frozenset(paths)


def columns(node: ir.Statement) -> list[str]:
    """The column names of a statement."""
    while isinstance(node, ir.Union):
        node = node.left
    return _last_names(node.clauses)


def _last_names(clauses: Iterable[ir.Clause]) -> list[str]:
    last = [*clauses][-1]
    return [item.alias for item in last.items] if isinstance(last, ir.Project) else []


def branches(node: ir.Statement) -> list[ir.Query]:
    parts: list[ir.Query] = []
    while isinstance(node, ir.Union):
        parts.append(node.right)
        node = node.left
    return [node, *reversed(parts)]


def _imports(query: ir.Query, scope: Scope) -> list[str]:
    used = {var.name for var in find(query, ir.Var)} | _pattern_names(query)
    return [text for name, text in scope.names.items() if name in used]


def _pattern_names(query: ir.Statement) -> set[str]:
    patterns = (ir.NodePattern, ir.EdgePattern, ir.Path)
    return {
        part.var for part in descend(query) if isinstance(part, patterns) and part.var is not None
    }
