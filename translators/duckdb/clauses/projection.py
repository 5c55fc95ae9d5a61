"""WITH and RETURN: columns, grouping, DISTINCT, order, SKIP and LIMIT."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import fields, replace

from graph_ir import nodes as ir
from graph_ir.numbers import holds_below_zero
from graph_ir.reference.signs import may_be_signed
from graph_ir.variables import read_names
from graph_ir.walk import children, find, rewrite
from schemagraph.model import Kind
from translators.duckdb.clauses.pipeline import Pipeline
from translators.duckdb.clauses.prelude import is_volatile
from translators.duckdb.expressions import dynamic
from translators.duckdb.expressions.aggregates import has_sign, signed_list
from translators.duckdb.expressions.bindings import whole
from translators.duckdb.expressions.frame import columns_of, values_of
from translators.duckdb.expressions.output import contains_element, output, output_element, shows
from translators.duckdb.model.compiler import Compiler, Relation
from translators.duckdb.model.names import ident
from translators.duckdb.model.sql import Binding, Element, Scope, Sql, Value
from translators.duckdb.model.types import INTEGER, T, distinguishable, sortable

_ORDER = "$order"
_CONSTANT = re.compile(r"'(?:[^']|'')*'|-?\d[\w.]*|true|false")


class Projection:
    """One WITH or RETURN over the pipeline so far."""

    def __init__(self, cx: Compiler, pipeline: Pipeline, clause: ir.Project) -> None:
        self.cx = cx
        self.pipeline = pipeline
        self.clause = clause
        self.carried: list[str] = []

    def final(self, *, shown: bool = False) -> Relation:
        """The query's result; `shown` gives values the form that users see."""
        self._prepare()
        items = self._items()
        if shown:
            self._demand(items)
            if self.clause.distinct or self.clause.group is not None:
                changed = any(shows(sql.type) for _, sql in items)
                if changed:
                    if self._volatile():
                        self._close_unordered()
                    self._close(keep=bool(self.clause.order))
                    self.clause = ir.Project(
                        tuple(ir.Item(ir.Var(i.alias), i.alias) for i in self.clause.items),
                        final=True,
                    )
                    items = self._items()
        chosen = self._shown(items) if shown else items
        selected, columns = columns_of(self.cx, chosen, exact=shown)
        raw = [sql for _, sql in items]
        order = self._order(columns, raw, always=True)
        text = f"SELECT {self._head(items)}{', '.join(selected)}{self.pipeline.frame.tail()}"
        return Relation(self.pipeline.text(text + self._group(items) + order), tuple(columns))

    def _shown(self, items: list[tuple[str, Sql]]) -> list[tuple[str, Sql]]:
        env = self.pipeline.frame.env
        made = []
        for item, (name, sql) in zip(self.clause.items, items, strict=True):
            bound = env.get(item.expr.name) if isinstance(item.expr, ir.Var) else None
            if isinstance(bound, Element):
                made.append((name, output_element(self.cx, bound)))
            else:
                made.append((name, output(self.cx, sql)))
        return made

    def _demand(self, items: list[tuple[str, Sql]]) -> None:
        if any(contains_element(sql.type) for _, sql in items):
            self.cx.whole_elements()

    def intermediate(self, *, keep: bool) -> None:
        """A WITH: the pipeline goes on from its rows; `keep` says that their order matters."""
        clause, frame = self.clause, self.pipeline.frame
        where = clause.where
        if self._renames() and not self._unseen(where):
            env: dict[str, Binding] = {}
            for item in clause.items:
                assert isinstance(item.expr, ir.Var)  # noqa: S101 # _renames says so
                env[item.alias] = frame.env[item.expr.name]
            frame.env = {**self.pipeline.outer, **env}
        else:
            where = self._carried(where)
            self._prepare()
            if keep and self._volatile():
                self._close_unordered()
            self._close(keep=keep)
        if where is not None:
            self.pipeline.frame.filter(self.cx, where)
        for name in self.carried:
            self.pipeline.frame.env.pop(name)

    def _unseen(self, where: ir.Expr | None) -> list[str]:
        """Variables of a WHERE that the projection leaves behind."""
        if where is None:
            return []
        shown = {item.alias for item in self.clause.items} | set(self.pipeline.outer)
        names = [v.name for v in find(where, ir.Var)]
        if self.clause.group is None and not self.clause.distinct:
            names += sorted(read_names(where))  # which patterns in it meet again
        known = self.pipeline.frame.env.keys() - shown
        return [name for name in dict.fromkeys(names) if name in known]

    def _carried(self, where: ir.Expr | None) -> ir.Expr | None:
        """WHERE of a WITH sees what was before it: as an item, or carried beside the items."""
        unseen = self._unseen(where)
        if where is None or not unseen:
            return where
        by_expr = {item.expr: ir.Var(item.alias) for item in reversed(self.clause.items)}

        def change(node: ir.Node) -> ir.Node:
            return by_expr.get(node, node) if isinstance(node, ir.Expr) else node

        where = replace_top(where, change)
        unseen = self._unseen(where)
        if self.clause.group is None and not self.clause.distinct:
            self.carried = unseen
            extra = tuple(ir.Item(ir.Var(name), name) for name in unseen)
            self.clause = replace(self.clause, items=(*self.clause.items, *extra))
        return where

    def _renames(self) -> bool:
        clause = self.clause
        plain = not (clause.distinct or clause.order or clause.skip or clause.limit)
        return (
            plain and clause.group is None and all(isinstance(i.expr, ir.Var) for i in clause.items)
        )

    def _close(self, *, keep: bool) -> None:
        clause, frame = self.clause, self.pipeline.frame
        items = self._items()
        keep = keep and (bool(clause.order) or (bool(frame.order) and clause.group is None))
        selected, columns = columns_of(self.cx, items)
        raw = [sql for _, sql in items]
        window = ""
        keys = self._keys(columns, raw, named=False) if clause.order else list(frame.order)
        if keep and keys and not clause.distinct:
            window = f", row_number() OVER (ORDER BY {', '.join(keys)}) AS {ident(_ORDER)}"
        tail = self._order(columns, raw, always=False)
        head = f"SELECT {self._head(items)}{', '.join(selected)}{window}"
        text = f"{head}{frame.tail()}{self._group(items)}{tail}"
        self.pipeline.begin(text, columns)
        for name, sql in items:
            bound = self.pipeline.frame.env[name]
            if sql.const is not None and isinstance(bound, Value):
                self.pipeline.frame.env[name] = Value(replace(bound.sql, const=sql.const))
        if window:
            (alias,) = self.pipeline.frame.items
            self.pipeline.frame.order = (f"{alias}.{ident(_ORDER)}",)

    def _head(self, items: Sequence[tuple[str, Sql]]) -> str:
        if not self.clause.distinct:
            return ""
        if all(distinguishable(sql.type) for _, sql in items):
            return "DISTINCT "
        telling = [sql for _, sql in items if not _is_constant(sql)]
        return f"DISTINCT ON ({distinct_keys(self.cx, telling)}) "

    def _items(self) -> list[tuple[str, Sql]]:
        scope = self.pipeline.frame.scope()
        outer, self.cx.grouped = self.cx.grouped, bool(self.clause.group)
        made = [(item.alias, self.cx.expr(item.expr, scope)) for item in self.clause.items]
        self.cx.grouped = outer
        return made

    # --- grouping --------------------------------------------------------------------------

    def _prepare(self) -> None:
        """Compute grouping keys in a relation of their own, unless they are plain columns."""
        clause = self.clause
        if clause.distinct and clause.order:
            self._close_distinct()
            return
        if clause.group is None:
            return
        self._bring_in()
        parts = [item.expr for item in clause.items] + [
            without_aliases(key.expr, {i.alias: i.expr for i in clause.items})
            for key in clause.order
        ]
        env = self.pipeline.frame.env
        packed = {n for n, bound in env.items() if not isinstance(bound, Value)}
        loose = any(
            part not in clause.group and _loose(part, clause.group, packed) for part in parts
        )
        scope = self.pipeline.frame.scope()
        if (
            loose
            or not all(self._plain_key(key) for key in clause.group)
            or not all(
                distinguishable(self.cx.expr(key, scope).type) or self._is_outer(key)
                for key in clause.group
            )
        ):
            self._close_keys(clause.group)
            self._group_by_keys()

    def _bring_in(self) -> None:
        """Outer variables that aggregates read become columns in here: SQL takes an aggregate of
        outer columns for one of the outer query."""
        frame, outer = self.pipeline.frame, self.pipeline.outer
        parts = (*self.clause.items, *self.clause.order)
        used = read_names(*(agg for part in parts for agg in find(part, ir.Agg)))
        names = [n for n, bound in frame.env.items() if n in used and outer.get(n) is bound]
        if not names:
            return
        alias = ident(self.cx.names.fresh("_in"))
        items = [(name, whole(self.cx, frame.env[name])) for name in names]
        selected, columns = columns_of(self.cx, items)
        frame.add(f"LATERAL (SELECT {', '.join(selected)}) AS {alias}")
        frame.env.update(values_of(alias, columns))

    def _close_distinct(self) -> None:
        """DISTINCT first, then order: SQL orders distinct rows by their columns only."""
        clause = self.clause
        unordered = replace(clause, order=(), skip=None, limit=None, where=None, final=False)
        inner = Projection(self.cx, self.pipeline, unordered)
        inner._prepare()
        inner._close(keep=False)
        by_expr = {item.expr: ir.Var(item.alias) for item in reversed(clause.items)}

        def change(node: ir.Node) -> ir.Node:
            if isinstance(node, ir.Expr) and not isinstance(node, ir.Var) and node in by_expr:
                return by_expr[node]
            return node

        self.clause = replace(
            clause,
            items=tuple(ir.Item(ir.Var(i.alias), i.alias) for i in clause.items),
            order=tuple(replace(key, expr=replace_top(key.expr, change)) for key in clause.order),
            distinct=False,
            group=None,
        )

    def _volatile(self) -> bool:
        """Whether a sort key would not be the same, or not be allowed, in ORDER BY and a window."""
        items = self._items() if self.clause.order else []
        columns = columns_of(self.cx, items)[1]
        return any(map(is_volatile, self._keys(columns, [sql for _, sql in items], named=False)))

    def _close_unordered(self) -> None:
        """Items and sort keys first, then the order by those columns."""
        clause = self.clause
        aliases = {item.alias: item.expr for item in clause.items}
        known = {item.expr: item.alias for item in reversed(clause.items)}
        order, extra = [], []
        for number, key in enumerate(clause.order):
            expr = without_aliases(key.expr, aliases)
            name = known.get(expr, f"$sort{number}")
            if expr not in known:
                extra.append(ir.Item(expr, name))
            order.append(replace(key, expr=ir.Var(name)))
        items = (*clause.items, *extra)
        unordered = replace(clause, items=items, order=(), skip=None, limit=None, where=None)
        Projection(self.cx, self.pipeline, unordered)._close(keep=False)
        columns = tuple(ir.Item(ir.Var(item.alias), item.alias) for item in clause.items)
        self.clause = replace(clause, items=columns, order=tuple(order), group=None)

    def _plain_key(self, key: ir.Expr) -> bool:
        if isinstance(key, ir.Var):
            return True
        return isinstance(key, ir.Prop) and isinstance(key.base, ir.Var)

    def _close_keys(self, keys: tuple[ir.Expr, ...]) -> None:
        cx, frame = self.cx, self.pipeline.frame
        scope = frame.scope()
        used = read_names(*self.clause.items, *self.clause.order)
        items: list[tuple[str, Sql]] = [
            (name, whole(cx, bound))
            for name, bound in frame.env.items()
            if name in used and self.pipeline.outer.get(name) is not bound
        ]
        columns: dict[ir.Expr, str] = {}
        for number, key in enumerate(keys):
            if isinstance(key, ir.Var):
                continue
            name = f"$key{number}"
            columns[key] = name
            items.append((name, cx.expr(key, scope)))
        order = frame.order
        for number, sort in enumerate(order):
            items.append((f"$order{number}", Sql(sort, INTEGER)))
        self.pipeline.close(items)
        frame = self.pipeline.frame
        frame.order = tuple(
            whole(cx, frame.env.pop(f"$order{number}")).text for number, _ in enumerate(order)
        )

        def change(node: ir.Node) -> ir.Node:
            if isinstance(node, ir.Expr) and node in columns:
                return ir.Var(columns[node])
            return node

        self.clause = replace(
            self.clause,
            items=tuple(
                replace(item, expr=replace_top(item.expr, change)) for item in self.clause.items
            ),
            order=tuple(
                replace(key, expr=replace_top(key.expr, change)) for key in self.clause.order
            ),
            group=tuple(ir.Var(columns[k]) if k in columns else k for k in keys),
        )

    def _group_by_keys(self) -> None:
        """Group by what tells values apart, and show one of each group."""
        frame = self.pipeline.frame
        for key in self.clause.group or ():
            assert isinstance(key, ir.Var)  # noqa: S101 # _close_keys has made it one
            sql = self.cx.expr(key, frame.scope())
            if not distinguishable(sql.type) and not self._is_outer(key):
                frame.ungrouped[key.name] = frame.env[key.name]
                first = f" ORDER BY {', '.join(frame.order)}" if frame.order else ""
                one = Sql(f"any_value({sql.text}{first})", sql.type)
                frame.env[key.name] = Value(one)

    def _is_outer(self, key: ir.Expr) -> bool:
        """Whether a key is the same for all rows: a value of the outer row of a subquery, of which
        DuckDB takes no aggregate inside."""
        frame, outer = self.pipeline.frame, self.pipeline.outer
        name = key.name if isinstance(key, ir.Var) else ""
        return name in outer and outer[name] is frame.env.get(name)

    def _group(self, items: Sequence[tuple[str, Sql]]) -> str:
        keys = self.clause.group
        if keys is None:
            return ""
        if not keys:
            # One row, also where no aggregate is left in the items.
            lost = all(sql.type.kind is Kind.NULL for _, sql in items)
            return "\nHAVING true" if lost else ""
        frame = self.pipeline.frame
        scope = Scope({**frame.env, **frame.ungrouped})
        shown = []
        for key in keys:
            sql = self.cx.expr(key, scope)
            shown += [distinct_keys(self.cx, [sql]), *([sql.text] if self._is_outer(key) else ())]
        return f"\nGROUP BY {', '.join(dict.fromkeys(shown))}"

    # --- order -----------------------------------------------------------------------------

    def _order(self, columns: list[tuple[str, str, T]], raw: list[Sql], *, always: bool) -> str:
        """ORDER BY, LIMIT and OFFSET; without a limit the order of a WITH does not matter here."""
        clause, frame = self.clause, self.pipeline.frame
        limited = clause.limit is not None or clause.skip is not None
        keys: list[str] = []
        told_apart = clause.distinct and not all(distinguishable(sql.type) for sql in raw)
        if clause.order and (limited or always):
            keys = self._keys(columns, raw)
        elif not clause.order and clause.group is None and told_apart:
            keys = list(frame.order)  # DISTINCT ON keeps the first of each
        elif not clause.order and frame.order and clause.group is None and not clause.distinct:
            keys = list(frame.order) if limited or always else []
        text = f"\nORDER BY {', '.join(keys)}" if keys else ""
        if clause.limit is not None:
            text += f"\nLIMIT {self._count(clause.limit)}"
        if clause.skip is not None:
            text += f"\nOFFSET {self._count(clause.skip)}"
        return text

    def _count(self, expr: ir.Expr) -> str:
        return self.cx.expr(expr, Scope()).operand

    def _keys(
        self, columns: list[tuple[str, str, T]], raw: list[Sql], *, named: bool = True
    ) -> list[str]:
        """The sort keys; by the names of columns where `named` (not so inside a window)."""
        aliases = {item.alias: item.expr for item in self.clause.items}
        scope = self.pipeline.frame.scope()
        keys = []
        for key in self.clause.order:
            expr = without_aliases(key.expr, aliases)
            place = next((i for i, item in enumerate(self.clause.items) if item.expr == expr), None)
            sql = raw[place] if place is not None else self.cx.expr(expr, scope)
            text = sql.operand
            same = place is not None and columns[place][2] == sql.type
            if _is_constant(sql):
                continue
            signed = self._may_be_signed(expr)
            if sql.type.kind is Kind.LIST and signed and sortable(sql.type):
                text = signed_list(self.cx, sql)
            elif named and place is not None and same and sortable(sql.type):
                text = _reference(columns, place)
            elif not sortable(sql.type):
                text = dynamic.sortable(self.cx, sql)
            keys.append(f"{text} DESC NULLS FIRST" if key.descending else f"{text} NULLS LAST")
            implied = key is self.clause.order[-1] and self._is_as_stored(expr)
            if sql.type.kind is Kind.FLOAT and signed and not implied:
                # -0.0 comes before 0.0, which DuckDB takes for one; the engine tells whether the
                # graph has both, so that no text needs a sign behind its last key for that.
                keys.append(f"{self._sign(expr, sql, scope)}{'' if key.descending else ' DESC'}")
        if self.clause.group is None and not self.clause.distinct:
            keys += self.pipeline.frame.order  # among equal values, as they come
        return keys

    def _may_be_signed(self, key: ir.Expr) -> bool:
        """Whether a key may be -0.0, and is not all that tells its groups or rows apart."""
        clause = self.clause
        apart = clause.group
        if apart is None and clause.distinct:
            apart = tuple(item.expr for item in clause.items)
        return apart != (key,) and may_be_signed(key, self.cx.signed)

    def _is_as_stored(self, key: ir.Expr) -> bool:
        """Whether a key is -0.0 only where the graph has it."""
        return not holds_below_zero(key, self.cx.made_below_zero, reference=True)

    def _sign(self, key: ir.Expr, sql: Sql, scope: Scope) -> str:
        """Whether a zero that is sorted by is -0.0; of equal numbers the same."""
        if not isinstance(key, ir.Agg) or key.name not in ("min", "max"):
            return f"signbit({sql.operand})"
        arg = self.cx.expr(key.args[0], Scope({**scope.env, **scope.ungrouped}))
        return has_sign(key, arg)


def _is_constant(sql: Sql) -> bool:
    """Whether a key is a constant, which tells and orders nothing: DuckDB refuses it, or takes it
    for the number of a column."""
    known = sql.type.kind is Kind.NULL or sql.const is not None or sql.literal
    return known or _CONSTANT.fullmatch(sql.text) is not None


def _reference(columns: list[tuple[str, str, T]], place: int) -> str:
    """A column of the SELECT in its ORDER BY: its name, or its number where names are alike."""
    own = columns[place][1]
    alike = sum(other.casefold() == own.casefold() for _, other, _ in columns)
    return ident(own) if alike == 1 else str(place + 1)


def _loose(expr: ir.Node, keys: tuple[ir.Expr, ...], packed: set[str]) -> bool:
    """Whether a variable stands outside of aggregates and of whole grouping keys.

    A key that is a `packed` variable is whole only by itself: its parts are other columns.
    """
    if isinstance(expr, ir.Agg):
        return False
    if isinstance(expr, ir.Var):
        return expr not in keys or expr.name in packed
    return expr not in keys and any(_loose(child, keys, packed) for child in children(expr))


def distinct_keys(cx: Compiler, items: Sequence[Sql]) -> str:
    """What tells rows apart, for DISTINCT ON."""
    return ", ".join(
        item.text if distinguishable(item.type) else dynamic.distinct(cx, item) for item in items
    )


def without_aliases(expr: ir.Expr, aliases: dict[str, ir.Expr]) -> ir.Expr:
    """`expr` of an ORDER BY in terms of what the items themselves see."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Var) and node.name in aliases:
            return aliases[node.name]
        return node

    return rewrite(expr, change)


def replace_top(expr: ir.Expr, change: Callable[[ir.Node], ir.Node]) -> ir.Expr:
    """`expr` with `change` applied from the outside; what changed is not entered."""
    changed = change(expr)
    if changed is not expr:
        assert isinstance(changed, ir.Expr)  # noqa: S101 # a change keeps the category
        return changed
    return map_children(expr, lambda node: _replace_any(node, change))


def _replace_any(node: ir.Node, change: Callable[[ir.Node], ir.Node]) -> ir.Node:
    if isinstance(node, ir.Expr):
        return replace_top(node, change)
    return map_children(node, lambda inner: _replace_any(inner, change))


def map_children[N: ir.Node](node: N, change: Callable[[ir.Node], ir.Node]) -> N:
    """A copy of `node` with its direct children changed."""
    updates: dict[str, object] = {}
    for f in fields(node):
        if f.name in ("span", "type") or not f.init:
            continue
        value = getattr(node, f.name)
        if isinstance(value, ir.Node):
            updates[f.name] = change(value)
        elif isinstance(value, tuple) and any(isinstance(i, ir.Node) for i in value):
            updates[f.name] = tuple(change(i) if isinstance(i, ir.Node) else i for i in value)
    return replace(node, **updates) if updates else node  # type: ignore[arg-type]
