"""RETURN of ISO GQL: columns, their order, and grouping (ISO/IEC 39075:2024 clauses 14.10, 14.11).

GROUP BY takes names, and parsers of the standard take regular identifiers only. A column whose
name is none, and whatever else one RETURN cannot say, is computed under plain names first; after
NEXT, a last RETURN gives the columns their names and their order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, substitute, whole_number
from graph_ir.walk import descend, find
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.gql.emit.patterns import Patterns
from translators.gql.emit.text import is_variable
from translators.gql.emit.values import kind_of, nullable

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
# Names that nobody types, for values that have a variable in GQL and none in the query: a column of
# the RETURN at hand, of the stage before it, what LET computes.
_NUMBER = re.compile(r"(?<=\w)_\d+$")  # given where a name was taken; another may be free here
_COLUMN, _STAGED, _LET = "\0column", "\0staged", "\0let"
_NO_ORDER = frozenset({Kind.NODE, Kind.EDGE, Kind.PATH, Kind.MAP, Kind.LIST})


class Projections(Patterns):
    """Emits one projection as one or more statements."""

    # Whether a delimited name may be used where a variable is referred to.
    DELIMITED_VARIABLES: ClassVar[bool] = False
    # Whether ORDER BY takes a name for the column, whatever variable has it too, and for nothing
    # else than a column where that column is a variable by another name.
    SORTS_BY_COLUMN: ClassVar[bool] = False
    # Whether a column beside GROUP BY may have the name of a variable before it.
    GROUPS_REDECLARE: ClassVar[bool] = True
    # What may not hold an aggregate: it is made after the grouping.
    COMPUTED_AFTER: ClassVar[tuple[type[ir.Expr], ...]] = ()

    # Whether columns say their name even where it is that of a variable: the sides of a UNION.
    aliased: bool = False

    def project(self, node: ir.Project, outputs: Mapping[str, str] | None) -> list[str]:
        """The statements of a projection; `outputs` names columns that others refer to."""
        node = replace(node, order=_sorting(node.order))
        refer = self._references(node, outputs)
        if node.group is not None:
            return self._grouped(node, outputs, refer)
        if node.distinct:
            exprs = [item.expr for item in node.items]
            order = self._over_outputs(node, refer)
            plain = all(isinstance(key.expr, ir.Var) or key.expr in exprs for key in node.order)
            if order is None or not plain:
                return self._staged_rows(node, outputs)
        else:
            before: list[str] = []
            node = self._hoisted_order(node, before)
            order = self._plain_order(node, outputs, refer)
            if order is None:
                return self._staged_rows(node, outputs)
            items = [self._column(item, outputs) for item in node.items]
            return [*self._let(before), self._return(node, items, [], order)]
        items = [self._column(item, outputs) for item in node.items]
        return [self._return(node, items, [], order)]

    def _let(self, definitions: list[str]) -> list[str]:
        return [f"LET {', '.join(definitions)}"] if definitions else []

    def _hoisted_order(self, node: ir.Project, before: list[str]) -> ir.Project:
        """Sort keys without subqueries, which ORDER BY takes for aggregates."""
        exprs = [item.expr for item in node.items]
        keys = tuple(
            key if key.expr in exprs else replace(key, expr=self._hoisted(key.expr, before))
            for key in node.order
        )
        return replace(node, order=keys)

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
                if self.DELIMITED_VARIABLES:
                    found[item.alias] = self.identifier(name)
                elif is_variable(name):
                    found[item.alias] = name
        return found

    def _column(self, item: ir.Item, outputs: Mapping[str, str] | None) -> str:
        text = self.emit(item.expr)
        name = self.identifier(item.alias) if outputs is None else outputs[item.alias]
        return text if text == name and not self.aliased else f"{text} AS {name}"

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
        value = whole_number(node)
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
        if self.SORTS_BY_COLUMN and outputs is None:
            refer = {item.alias: self.identifier(item.alias) for item in node.items} | dict(refer)
        exprs = {item.alias: item.expr for item in node.items}
        fold = self.scope.fold
        shown = {
            fold(item.alias if outputs is None else outputs[item.alias]) for item in node.items
        }
        hidden = shown - {
            fold(self.scope.names.get(item.expr.name, ""))
            for item in node.items
            if isinstance(item.expr, ir.Var)
            and self.scope.names.get(item.expr.name)
            == (item.alias if outputs is None else outputs[item.alias])
        }
        columns = {
            item.expr: ir.Var(f"{_COLUMN} {number}", type=item.expr.type)
            for number, item in enumerate(node.items)
            if item.alias in refer and not isinstance(item.expr, ir.Literal | ir.Param)
        }
        by_alias: dict[ir.Expr, ir.Expr] = {ir.Var(name): expr for name, expr in exprs.items()}
        names = self.scope.names
        texts = []
        for key in node.order:
            meaning = substitute(key.expr, by_alias)
            shown_as = substitute(meaning, columns)
            if {fold(names.get(found.name, "")) for found in find(shown_as, ir.Var)} & hidden:
                return None
            self.scope.names = names | {
                f"{_COLUMN} {number}": refer[item.alias]
                for number, item in enumerate(node.items)
                if item.alias in refer
            }
            text = self.emit(shown_as)
            self.scope.names = names
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
        if keys and not self.GROUPS_REDECLARE:
            plain = plain and all(item.alias in refer for item in node.items)
        values = (item for item in node.items if item not in keys)
        if not plain or order is None or not all(self._simple(item.expr) for item in values):
            return self._staged_groups(node, outputs)
        items = [self._column(item, outputs) for item in node.items]
        self.grouped = False
        return [self._return(node, items, [refer[item.alias] for item in keys], order)]

    def _simple(self, expr: ir.Expr) -> bool:
        """Whether aggregates and constants alone make `expr`, without a subquery anywhere."""
        if isinstance(expr, ir.Agg):
            return not any(_nests(arg) for arg in expr.args)
        if _nests(expr) or next(find(expr, *self.COMPUTED_AFTER), None) is not None:
            return False
        bare = substitute(expr, {agg: ir.Literal(0) for agg in aggregates(expr)})
        return next(find(bare, ir.Var), None) is None

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
            mapping[expr] = ir.Var(f"{_STAGED} {len(names)}", type=known)
            names[f"{_STAGED} {len(names)}"] = name
        self.grouped = False
        # Then the columns are what the items ask for, in their order.
        keys_first = [item.expr for item in node.items] == [*mapping]
        first = ir.Project((), group=node.group)
        text = self._return(first, columns_, group, [])
        let = self._let(before)
        self.scope.names = names
        second = replace(
            node,
            items=tuple(substitute(item, mapping) for item in node.items),
            order=tuple(substitute(key, mapping) for key in order),
            group=None,
            distinct=False,
        )
        after = self.project(second, outputs)
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
            name = f"{_LET} {len(self.scope.taken)}"
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
            mapping[expr] = ir.Var(
                f"{_STAGED} {len(names)}", type=replace(expr.type, nullable=nullable(expr))
            )
            names[f"{_STAGED} {len(names)}"] = name
        first = ir.Project((), distinct=node.distinct)
        text = self._return(first, columns_, [], [])
        self.scope.names = names
        second = replace(
            node,
            items=tuple(substitute(item, mapping) for item in node.items),
            order=tuple(substitute(key, mapping) for key in order),
            distinct=False,
        )
        return [text, "NEXT", *self.project(second, outputs)]


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


def _hint(expr: ir.Expr) -> str:
    """A name that reads like `expr`."""
    match expr:
        case ir.Var():
            return _NUMBER.sub("", expr.name)
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
