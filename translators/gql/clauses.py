"""Statements of ISO GQL: linear queries joined by NEXT, set operators and subqueries.

A WITH that only computes is LET and FILTER; one that groups, orders, cuts or drops duplicates is
`RETURN … NEXT` (ISO/IEC 39075:2024 clauses 9.2, 14). GROUP BY and parsers of the standard take
regular identifiers only, so a column whose name is none is computed under another name, and the
last RETURN gives it its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, counting, keeps_rows, substitute
from graph_ir.walk import descend, find
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.base import Rendered
from translators.gql.patterns import Patterns
from translators.gql.scope import Scope
from translators.gql.text import OR, PRIMARY, Code, identifier, is_variable, wrap
from translators.gql.values import kind_of, nullable

_NESTED = (
    ir.CollectOf,
    ir.CountOf,
    ir.Exists,
    ir.Index,
    ir.ListComp,
    ir.PatternComp,
    ir.Quantifier,
    ir.Reduce,
    ir.Slice,
)
_OF_LISTS = frozenset({"head", "last", "tail"})
_NO_ORDER = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH, Kind.MAP, Kind.LIST})


class Clauses(Patterns):
    """Emits whole statements."""

    # Whether a delimited name may be used where a variable is referred to.
    DELIMITED_VARIABLES: ClassVar[bool] = False

    # How many braces are open: a subquery inside a subquery.
    depth: int = 0

    def generate(self, query: ir.Statement) -> Rendered:
        for lower in self.LOWERINGS:
            query = lower(query)
        self.scope = Scope()
        self.parts = {}
        self.opened = _opened(query)
        text = self.statement(query, None)
        return Rendered(text, self.name, tuple(columns(query)))

    # --- statements ------------------------------------------------------------------------

    def emit_Query(self, node: ir.Query) -> str:
        return self.statement(node, None)

    def emit_Union(self, node: ir.Union) -> str:
        return self.statement(node, None)

    def statement(self, node: ir.Statement, outputs: Mapping[str, str] | None) -> str:
        """A query, or several joined by UNION; `outputs` names columns that others refer to."""
        if isinstance(node, ir.Query):
            return " ".join(self.linear(node, outputs))
        names = columns(node)
        branches = [self.branch(part, names, outputs) for part in _branches(node)]
        joint = " UNION ALL " if node.all else " UNION "
        return joint.join(branches)

    def branch(self, query: ir.Query, names: list[str], outputs: Mapping[str, str] | None) -> str:
        """One side of a UNION: NEXT would end the UNION, so it goes into a CALL."""
        query = _ordered_columns(query, names)
        pieces = self.linear(query, outputs)
        if "NEXT" not in pieces:
            return " ".join(pieces)
        inner = {name: self.scope.fresh(name) for name in names}
        self.depth += 1
        body = " ".join(self.linear(query, inner))
        self.depth -= 1
        shown = (
            f"{inner[name]} AS {identifier(name) if outputs is None else outputs[name]}"
            for name in names
        )
        imports = ", ".join(_imports(query, self.scope))
        return f"CALL ({imports}) {{{body}}} RETURN {', '.join(shown)}"

    def linear(self, query: ir.Query, outputs: Mapping[str, str] | None) -> list[str]:
        """The statements of one query in order; NEXT is a piece of its own."""
        outer, self.scope = self.scope, self.scope.inner()
        pieces: list[str] = []
        for clause in query.clauses:
            if not isinstance(clause, ir.Project):
                pieces.append(self.emit(clause))
            elif clause.final:
                pieces += self.returned(clause, outputs)
            else:
                pieces += self.passed(clause)
        self.scope = outer
        return [piece for piece in pieces if piece]

    # --- WITH ------------------------------------------------------------------------------

    def emit_Project(self, node: ir.Project) -> str:
        return " ".join(self.returned(node, None) if node.final else self.passed(node))

    def passed(self, node: ir.Project) -> list[str]:
        """A WITH."""
        if node.order or not keeps_rows(replace(node, where=None)):
            return self._next(node)
        before = dict(self.scope.names)
        after: dict[str, str] = {}
        computed = []
        for item in node.items:
            if isinstance(item.expr, ir.Var):
                after[item.alias] = self.emit(item.expr)
                continue
            text = self.emit(item.expr)
            after[item.alias] = self.scope.fresh(item.alias)
            computed.append(f"{after[item.alias]} = {text}")
        pieces = [f"LET {', '.join(computed)}"] if computed else []
        self.scope.names = {**before, **after}
        pieces += self._filter(node.where)
        self.scope.names = after
        return pieces

    def _next(self, node: ir.Project) -> list[str]:
        visible = dict(self.scope.names)
        aliases = {item.alias for item in node.items}
        extra: list[str] = []
        if node.where is not None and node.group is None and not node.distinct:
            used = {found.name for found in find(node.where, ir.Var)}
            extra = [name for name in visible if name in used and name not in aliases]
        paths = self._open_paths(node.items)
        items = (*node.items, *(ir.Item(ir.Var(name), name) for name in extra))
        items += tuple(part for parts in paths.values() for part in parts)
        outputs = {
            item.alias: self.scope.names[item.expr.name]
            if isinstance(item.expr, ir.Var) and item.expr.name == item.alias
            else self.scope.fresh(item.alias)
            for item in items
        }
        pieces = self._project(replace(node, items=items, where=None), outputs)
        self.scope.names = {item.alias: outputs[item.alias] for item in node.items}
        self.scope.names |= {name: outputs[name] for name in extra}
        self.parts = {
            outputs[name]: (outputs[parts[0].alias], outputs[parts[1].alias])
            for name, parts in paths.items()
        }
        pieces += ["NEXT", *self._filter(node.where)]
        for name in extra:
            del self.scope.names[name]
        return pieces

    def _open_paths(self, items: tuple[ir.Item, ...]) -> dict[str, tuple[ir.Item, ir.Item]]:
        """What must go along with a path so that its nodes and edges can still be listed."""
        return {
            item.alias: (
                ir.Item(ir.Call("nodes", (item.expr,)), f"#{item.alias} nodes"),
                ir.Item(ir.Call("relationships", (item.expr,)), f"#{item.alias} edges"),
            )
            for item in items
            if isinstance(item.expr, ir.Var)
            and item.alias in self.opened
            and self.emit(item.expr) in self.parts
        }

    def _filter(self, where: ir.Expr | None) -> list[str]:
        return [] if where is None else [f"FILTER {self.condition(where)}"]

    # --- RETURN ----------------------------------------------------------------------------

    def returned(self, node: ir.Project, outputs: Mapping[str, str] | None) -> list[str]:
        """The last projection of a query."""
        return self._project(node, outputs)

    def _project(self, node: ir.Project, outputs: Mapping[str, str] | None) -> list[str]:
        node = replace(node, order=_sorting(node.order))
        refer = self._references(node, outputs)
        if node.group is not None:
            return self._grouped(node, outputs, refer)
        if node.distinct:
            order = self._over_outputs(node, refer)
            if order is None:
                return self._staged_rows(node, outputs)
        else:
            order = self._plain_order(node, outputs, refer)
            if order is None:
                return self._staged_rows(node, outputs)
        items = [self._column(item, outputs) for item in node.items]
        return [self._return(node, items, [], order)]

    def _references(self, node: ir.Project, outputs: Mapping[str, str] | None) -> dict[str, str]:
        """alias -> how ORDER BY and GROUP BY may refer to that column."""
        found = {}
        for item in node.items:
            name = item.alias if outputs is None else outputs[item.alias]
            own = self.scope.names.get(item.expr.name) if isinstance(item.expr, ir.Var) else None
            if own == name:
                found[item.alias] = name
            elif outputs is not None:
                if name not in self.scope.names.values():
                    found[item.alias] = name
            elif name not in self.scope.taken:
                if is_variable(name):
                    found[item.alias] = name
                elif self.DELIMITED_VARIABLES:
                    found[item.alias] = identifier(name)
        return found

    def _column(self, item: ir.Item, outputs: Mapping[str, str] | None) -> str:
        text = self.emit(item.expr)
        name = identifier(item.alias) if outputs is None else outputs[item.alias]
        return text if text == name else f"{text} AS {name}"

    def _return(self, node: ir.Project, items: list[str], keys: list[str], order: list[str]) -> str:
        text = f"RETURN {'DISTINCT ' if node.distinct else ''}{', '.join(items)}"
        if keys:
            text += f" GROUP BY {', '.join(keys)}"
        if order:
            text += f" ORDER BY {', '.join(order)}"
        if node.skip is not None:
            text += f" OFFSET {self._count(node.skip)}"
        if node.limit is not None:
            text += f" LIMIT {self._count(node.limit)}"
        return text

    def emit_Item(self, node: ir.Item) -> str:
        return self._column(node, None)

    def emit_SortKey(self, node: ir.SortKey) -> str:
        return self._sort_key(self.emit(node.expr), node, node.expr)

    def _sort_key(self, text: str, key: ir.SortKey, meaning: ir.Expr) -> str:
        if kind_of(meaning) in _NO_ORDER:
            raise Refused(
                "order",
                "ORDER BY",
                f"ISO GQL has no order of values of type {kind_of(meaning)}.",
                key.span,
            )
        can_be_null = nullable(meaning) and not self._never_null(meaning)
        if key.descending:
            return f"{text} DESC NULLS FIRST" if can_be_null else f"{text} DESC"
        return f"{text} ASC NULLS LAST" if can_be_null else text

    def _never_null(self, meaning: ir.Expr) -> bool:
        """min, max, avg of values in a group that has rows."""
        return (
            isinstance(meaning, ir.Agg)
            and self.grouped
            and not any(nullable(arg) for arg in meaning.args)
        )

    def _count(self, node: ir.Expr) -> str:
        value = _constant(node)
        if isinstance(node, ir.Param) or (value is not None and value >= 0):
            return self.emit(node) if value is None else str(value)
        raise Refused(
            "limit-expression",
            "LIMIT",
            "SKIP and LIMIT take a number or a parameter in ISO GQL.",
            node.span,
        )

    # --- ORDER BY --------------------------------------------------------------------------

    def _plain_order(
        self, node: ir.Project, outputs: Mapping[str, str] | None, refer: Mapping[str, str]
    ) -> list[str] | None:
        """Sort keys where both the columns and the variables before them can be named."""
        exprs = {item.alias: item.expr for item in node.items}
        shown = {item.alias if outputs is None else outputs[item.alias] for item in node.items}
        hidden = shown - {
            self.scope.names.get(item.expr.name, "")
            for item in node.items
            if isinstance(item.expr, ir.Var)
            and self.scope.names.get(item.expr.name)
            == (item.alias if outputs is None else outputs[item.alias])
        }
        texts = []
        for key in node.order:
            meaning = substitute(key.expr, {ir.Var(name): expr for name, expr in exprs.items()})
            if isinstance(key.expr, ir.Var) and key.expr.name in refer:
                text = refer[key.expr.name]
            else:
                used = {self.scope.names.get(found.name) for found in find(meaning, ir.Var)}
                if used & hidden:
                    return None
                text = self.emit(meaning)
            texts.append(self._sort_key(text, key, meaning))
        return texts

    def _over_outputs(self, node: ir.Project, refer: Mapping[str, str]) -> list[str] | None:
        """Sort keys over the columns alone, or None where one cannot be named."""
        exprs = {item.alias: item.expr for item in node.items}
        to_alias: dict[ir.Expr, ir.Expr] = {
            item.expr: ir.Var(item.alias, type=item.expr.type)
            for item in reversed(node.items)
            if item.alias in refer
        }
        names = self.scope.names
        texts = []
        for key in node.order:
            expr = key.expr
            if not (isinstance(expr, ir.Var) and expr.name in exprs):
                expr = substitute(expr, to_alias)
            if any(found.name not in refer for found in find(expr, ir.Var)) or aggregates(expr):
                return None
            meaning = substitute(expr, {ir.Var(name): value for name, value in exprs.items()})
            self.scope.names = dict(refer)
            text = self.emit(expr)
            self.scope.names = names
            texts.append(self._sort_key(text, key, meaning))
        return texts

    # --- grouping --------------------------------------------------------------------------

    def _grouped(
        self, node: ir.Project, outputs: Mapping[str, str] | None, refer: Mapping[str, str]
    ) -> list[str]:
        keys = [item for item in node.items if not aggregates(item.expr)]
        self.grouped = bool(keys)
        order = self._over_outputs(node, refer)
        plain = all(item.alias in refer and not _nests(item.expr) for item in keys)
        values = (item for item in node.items if item not in keys)
        if not plain or order is None or not all(_simple(item.expr) for item in values):
            return self._staged_groups(node, outputs)
        items = [self._column(item, outputs) for item in node.items]
        self.grouped = False
        return [self._return(node, items, [refer[item.alias] for item in keys], order)]

    def _staged_groups(self, node: ir.Project, outputs: Mapping[str, str] | None) -> list[str]:
        """Keys and aggregates first, under plain names; what is made of them after NEXT."""
        aliases = {item.expr: item.alias for item in reversed(node.items)}
        taken = {expr: outputs[alias] for expr, alias in aliases.items()} if outputs else {}
        by_alias: dict[ir.Expr, ir.Expr] = {ir.Var(i.alias): i.expr for i in node.items}
        order = tuple(replace(key, expr=substitute(key.expr, by_alias)) for key in node.order)
        keys = list(dict.fromkeys(node.group or ()))
        parts = (*(item.expr for item in node.items), *(key.expr for key in order))
        found = [agg for part in parts for agg in aggregates(part)]
        before: list[str] = []
        columns_: list[str] = []
        group: list[str] = []
        mapping: dict[ir.Expr, ir.Expr] = {}
        names: dict[str, str] = {}
        self.grouped = bool(keys)
        for expr in (*keys, *dict.fromkeys(found)):
            hint = aliases.get(expr, "")
            hint = hint if is_variable(hint) else _hint(expr)
            text = self.emit(self._hoisted(expr, before))
            own = isinstance(expr, ir.Var)
            name = text if own else taken.get(expr) or self.scope.fresh(hint)
            columns_.append(name if own else f"{text} AS {name}")
            known = replace(expr.type, nullable=nullable(expr) and not self._never_null(expr))
            if not isinstance(expr, ir.Agg):
                group.append(name)
            names[f"#{len(names)}"] = name
            mapping[expr] = ir.Var(f"#{len(names) - 1}", type=known)
        self.grouped = False
        # Then the columns are what the items ask for, in their order.
        keys_first = [item.expr for item in node.items] == [*mapping]
        first = ir.Project((), group=node.group)
        text = self._return(first, columns_, group, [])
        let = [f"LET {', '.join(before)}"] if before else []
        self.scope.names = names
        second = replace(
            node,
            items=tuple(substitute(item, mapping) for item in node.items),
            order=tuple(substitute(key, mapping) for key in order),
            group=None,
            distinct=False,
        )
        after = self._project(second, outputs)
        if after == [f"RETURN {', '.join(names.values())}"] and keys_first:
            return [*let, text]
        return [*let, text, "NEXT", *after]

    def _hoisted(self, expr: ir.Expr, before: list[str]) -> ir.Expr:
        """`expr` without subqueries in keys and arguments of aggregates: LET computes them."""
        if not _nests(expr):
            return expr
        targets = [expr] if not isinstance(expr, ir.Agg) else [*expr.args]
        mapping: dict[ir.Expr, ir.Expr] = {}
        for target in targets:
            if not _nests(target):
                continue
            text = self.emit(target)
            name = f"#let {len(self.scope.taken)}"
            self.scope.names[name] = self.scope.fresh(_hint(target))
            before.append(f"{self.scope.names[name]} = {text}")
            mapping[target] = ir.Var(name, type=replace(target.type, nullable=nullable(target)))
        return substitute(expr, mapping)

    def _staged_rows(self, node: ir.Project, outputs: Mapping[str, str] | None) -> list[str]:
        """Columns first, under plain names; their own names and the order after NEXT."""
        by_alias: dict[ir.Expr, ir.Expr] = {ir.Var(i.alias): i.expr for i in node.items}
        order = tuple(replace(key, expr=substitute(key.expr, by_alias)) for key in node.order)
        hints: dict[ir.Expr, str] = {item.expr: item.alias for item in reversed(node.items)}
        taken = {expr: outputs[alias] for expr, alias in hints.items()} if outputs else {}
        hints = {item.expr: hints[item.expr] for item in node.items}
        if not node.distinct:
            for key in order:
                hints.setdefault(key.expr, _hint(key.expr))
        columns_ = []
        mapping: dict[ir.Expr, ir.Expr] = {}
        names: dict[str, str] = {}
        for expr, hint in hints.items():
            text = self.emit(expr)
            own = isinstance(expr, ir.Var)
            name = (
                text
                if own
                else taken.get(expr) or self.scope.fresh(hint if is_variable(hint) else _hint(expr))
            )
            columns_.append(name if own else f"{text} AS {name}")
            names[f"#{len(names)}"] = name
            mapping[expr] = ir.Var(
                f"#{len(names) - 1}", type=replace(expr.type, nullable=nullable(expr))
            )
        first = ir.Project((), distinct=node.distinct)
        text = self._return(first, columns_, [], [])
        self.scope.names = names
        second = replace(
            node,
            items=tuple(substitute(item, mapping) for item in node.items),
            order=tuple(substitute(key, mapping) for key in order),
            distinct=False,
        )
        return [text, "NEXT", *self._project(second, outputs)]

    # --- FOR and subqueries ----------------------------------------------------------------

    def emit_Unwind(self, node: ir.Unwind) -> str:
        text = self.emit(node.expr)
        if kind_of(node.expr) not in (Kind.LIST, Kind.ANY, Kind.NULL):
            # Cypher takes a single value for a list of one; null gives no row in both.
            single = f"[{text}]"
            value = wrap(text, PRIMARY)
            text = f"CASE WHEN {value} IS NOT NULL THEN {single} END"
            text = text if nullable(node.expr) else single
        return f"FOR {self.scope.bind(node.alias)} IN {wrap(text, PRIMARY)}"

    def emit_Subquery(self, node: ir.Subquery) -> str:
        visible = {name: self.scope.names[name] for name in node.imports}
        outputs = {name: self.scope.fresh(name) for name in columns(node.query)}
        body = self._inside(node.query, outputs, visible)
        imports = ", ".join(dict.fromkeys(visible.values()))
        self.scope.names |= outputs
        head = "OPTIONAL CALL" if node.optional else "CALL"
        return f"{head} ({imports}) {{{body}}}"

    def _inside(
        self,
        query: ir.Statement,
        outputs: Mapping[str, str] | None,
        visible: dict[str, str] | None = None,
    ) -> str:
        """A subquery's text; `visible` limits what it sees of the outside."""
        outer, self.scope = self.scope, self.scope.inner()
        if visible is not None:
            self.scope.names = dict(visible)
            # A column may have the name of the variable that it returns.
            self.scope.taken -= set((outputs or {}).values())
        self.depth += 1
        text = self.statement(query, outputs)
        self.depth -= 1
        self.scope = outer
        return text

    def emit_Exists(self, node: ir.Exists) -> str:
        if isinstance(node.query, ir.Union):
            # Some side has a row. UNION drops no last row.
            parts = [self.emit(replace(node, query=part)) for part in _branches(node.query)]
            return Code(" OR ".join(parts), OR)
        clauses = node.query.clauses
        if isinstance(clauses[-1], ir.Project) and keeps_rows(clauses[-1]):
            clauses = clauses[:-1]
        self.depth += 1
        pieces = self.linear(ir.Query(clauses), {name: name for name in _last_names(clauses)})
        self.depth -= 1
        if isinstance(clauses[-1], ir.Project) and clauses[-1].final:
            return f"EXISTS {{{' '.join(pieces)}}}"
        if not all(piece.startswith(("MATCH ", "OPTIONAL ")) for piece in pieces):
            pieces.append("RETURN 1 AS one")
        return f"EXISTS {{{' '.join(pieces)}}}"

    def emit_CountOf(self, node: ir.CountOf) -> str:
        query = counting(node.query)
        if query is None:
            query = ir.Query((self._as_rows(node.query), *_COUNT))
        return f"VALUE {{{self._inside(query, {'total': self.scope.inner().fresh('total')})}}}"

    def _as_rows(self, query: ir.Statement) -> ir.Subquery:
        """A statement as the first clause of a query; it sees what this place sees."""
        used = {found.name for found in find(query, ir.Var)} | _pattern_names(query)
        return ir.Subquery(query, tuple(name for name in self.scope.names if name in used))

    def emit_CollectOf(self, node: ir.CollectOf) -> str:
        query = node.query
        if isinstance(query, ir.Union):
            (name,) = columns(query)
            query = ir.Query((self._as_rows(query), ir.Project((ir.Item(ir.Var(name), name),))))
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
        collected = ir.Item(ir.Agg("collect", (value,)), "list")
        query = ir.Query((*head, ir.Project((collected,), final=True, group=())))
        return f"VALUE {{{self._inside(query, {'list': self.scope.inner().fresh('items')})}}}"

    def emit_PatternComp(self, node: ir.PatternComp) -> str:
        item = ir.Item(node.result, "item")
        clauses = (ir.Match((node.path,), node.where), ir.Project((item,), final=True))
        return self.emit(ir.CollectOf(ir.Query(clauses), span=node.span))


_COUNT = (ir.Project((ir.Item(ir.Agg("count"), "total"),), final=True, group=()),)


def _opened(query: ir.Statement) -> frozenset[str]:
    """The names of paths whose nodes or edges are asked for, under every name they get."""
    found = {
        call.args[0].name
        for call in find(query, ir.Call)
        if call.name in ("nodes", "relationships") and isinstance(call.args[0], ir.Var)
    }
    renamed = {
        (item.alias, item.expr.name)
        for item in (find(query, ir.Item) if found else ())
        if isinstance(item.expr, ir.Var)
    }
    while more := {old for new, old in renamed if new in found} - found:
        found |= more
    return frozenset(found)


def columns(node: ir.Statement) -> list[str]:
    """The column names of a statement."""
    while isinstance(node, ir.Union):
        node = node.left
    return _last_names(node.clauses)


def _last_names(clauses: Iterable[ir.Clause]) -> list[str]:
    last = [*clauses][-1]
    return [item.alias for item in last.items] if isinstance(last, ir.Project) else []


def _branches(node: ir.Statement) -> list[ir.Query]:
    parts: list[ir.Query] = []
    while isinstance(node, ir.Union):
        parts.append(node.right)
        node = node.left
    return [node, *reversed(parts)]


def _ordered_columns(query: ir.Query, names: list[str]) -> ir.Query:
    """The same query with its columns in the order of `names`."""
    last = query.clauses[-1]
    if not isinstance(last, ir.Project) or [item.alias for item in last.items] == names:
        return query
    items = {item.alias: item for item in last.items}
    ordered = replace(last, items=tuple(items[name] for name in names))
    return replace(query, clauses=(*query.clauses[:-1], ordered))


def _imports(query: ir.Query, scope: Scope) -> list[str]:
    used = {found.name for found in find(query, ir.Var)} | _pattern_names(query)
    return [text for name, text in scope.names.items() if name in used]


def _pattern_names(query: ir.Statement) -> set[str]:
    patterns = (ir.NodePattern, ir.EdgePattern, ir.Path)
    return {
        part.var for part in descend(query) if isinstance(part, patterns) and part.var is not None
    }


def _sorting(order: tuple[ir.SortKey, ...]) -> tuple[ir.SortKey, ...]:
    """The keys that sort: a constant does not."""
    return tuple(key for key in order if not isinstance(key.expr, ir.Literal))


def _nests(expr: ir.Node) -> bool:
    """Whether the text of `expr` holds a subquery."""
    return any(
        isinstance(part, _NESTED)
        or (isinstance(part, ir.In) and not isinstance(part.list, ir.ListOf))
        or (isinstance(part, ir.Call) and part.name in _OF_LISTS)
        for part in descend(expr)
    )


def _simple(expr: ir.Expr) -> bool:
    """Whether aggregates and constants alone make `expr`, without a subquery anywhere."""
    if isinstance(expr, ir.Agg):
        return not any(_nests(arg) for arg in expr.args)
    if _nests(expr):
        return False
    bare = substitute(expr, {agg: ir.Literal(0) for agg in aggregates(expr)})
    return next(find(bare, ir.Var), None) is None


def _constant(node: ir.Expr) -> int | None:
    """The value of arithmetic on whole numbers."""
    if isinstance(node, ir.Literal) and isinstance(node.value, int):
        return int(node.value)
    if not isinstance(node, ir.Arith):
        return None
    left, right = _constant(node.left), _constant(node.right)
    if left is None or right is None:
        return None
    match node.op:
        case ir.ArithOp.ADD:
            return left + right
        case ir.ArithOp.SUB:
            return left - right
        case ir.ArithOp.MUL:
            return left * right
        case _:
            return None


def _hint(expr: ir.Expr) -> str:
    """A name that reads like `expr`."""
    match expr:
        case ir.Var():
            return expr.name
        case ir.Prop(base=ir.Var()):
            return f"{_hint(expr.base)}_{expr.key}"
        case ir.Prop():
            return expr.key
        case ir.Agg(args=()):
            return "row_count"
        case ir.Agg():
            return f"{expr.name}_{_hint(expr.args[0])}"
        case ir.Call(args=()):
            return f"{expr.name}_value"
        case ir.Call():
            return f"{expr.name}_{_hint(expr.args[0])}"
        case ir.CountOf():
            return "total"
        case ir.Exists():
            return "found"
        case _:
            return "result"
