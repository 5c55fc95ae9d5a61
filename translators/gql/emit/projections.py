"""RETURN of ISO GQL: columns, their order, and grouping (ISO/IEC 39075:2024 clauses 14.10, 14.11).

GROUP BY takes names, and parsers of the standard take regular identifiers only. A column whose
name is none, and whatever else one RETURN cannot say, is computed under plain names first; after
NEXT, a last RETURN gives the columns their names and their order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates, substitute, whole_number
from graph_ir.walk import descend, find
from graphmill.errors import Refused
from schemagraph.model import Kind
from translators.gql.emit.text import is_variable
from translators.gql.emit.values import kind_of, nullable

if TYPE_CHECKING:
    from translators.gql.emit.dialect import Gql


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


def project(gql: Gql, node: ir.Project, outputs: Mapping[str, str] | None) -> list[str]:
    """The statements of a projection; `outputs` names columns that others refer to."""
    node = replace(node, order=_sorting(node.order))
    refer = _references(gql, node, outputs)
    if node.group is not None:
        return _grouped(gql, node, outputs, refer)
    if node.distinct:
        exprs = [item.expr for item in node.items]
        order = _over_outputs(gql, node, refer)
        plain = all(isinstance(key.expr, ir.Var) or key.expr in exprs for key in node.order)
        if order is None or not plain:
            return _staged_rows(gql, node, outputs)
    else:
        before: list[str] = []
        node = _hoisted_order(gql, node, before)
        order = _plain_order(gql, node, outputs, refer)
        if order is None:
            return [*_let(gql, before), *_staged_rows(gql, node, outputs)]
        items = [gql.column_name(item, outputs) for item in node.items]
        return [*_let(gql, before), gql.return_clause(node, items, [], order)]
    items = [gql.column_name(item, outputs) for item in node.items]
    return [gql.return_clause(node, items, [], order)]


def _let(gql: Gql, definitions: list[str]) -> list[str]:
    return [f"LET {', '.join(definitions)}"] if definitions else []


def _hoisted_order(gql: Gql, node: ir.Project, before: list[str]) -> ir.Project:
    """Sort keys without subqueries, which ORDER BY takes for aggregates."""
    exprs = [item.expr for item in node.items]
    keys = tuple(
        key if key.expr in exprs else replace(key, expr=_hoisted(gql, key.expr, before))
        for key in node.order
    )
    return replace(node, order=keys)


def _references(gql: Gql, node: ir.Project, outputs: Mapping[str, str] | None) -> dict[str, str]:
    """alias -> how ORDER BY and GROUP BY may refer to that column."""
    references = {}
    for item in node.items:
        name = item.alias if outputs is None else outputs[item.alias]
        own = gql.scope.names.get(item.expr.name) if isinstance(item.expr, ir.Var) else None
        if own == name:
            references[item.alias] = name
        elif outputs is not None:
            if name not in gql.scope.names.values():
                references[item.alias] = name
        elif name not in gql.scope.taken:
            if name.upper() in gql.UNREADABLE:
                continue
            if gql.DELIMITED_VARIABLES:
                references[item.alias] = gql.standing(name)
            elif is_variable(name):
                references[item.alias] = name
    return references


def column_name(gql: Gql, item: ir.Item, outputs: Mapping[str, str] | None) -> str:
    text = gql.emit(item.expr)
    name = gql.standing(item.alias) if outputs is None else outputs[item.alias]
    return text if text == name and not gql.aliased else f"{text} AS {name}"


def return_clause(
    gql: Gql, node: ir.Project, items: list[str], keys: list[str], order: list[str]
) -> str:
    text = f"RETURN {'DISTINCT ' if node.distinct else ''}{', '.join(items)}"
    if keys:
        text += f" GROUP BY {', '.join(keys)}"
    if order:
        text += f" ORDER BY {', '.join(order)}"
    if node.skip is not None:
        text += f" OFFSET {_count(gql, node.skip)}"
    if node.limit is not None:
        text += f" LIMIT {_count(gql, node.limit)}"
    return text


def item(gql: Gql, node: ir.Item) -> str:
    return gql.column_name(node, None)


def sort_key(gql: Gql, node: ir.SortKey) -> str:
    return gql.sort_key(gql.emit(node.expr), node, node.expr)


def sort_key_text(gql: Gql, text: str, key: ir.SortKey, meaning: ir.Expr) -> str:
    if kind_of(meaning) in _NO_ORDER:
        raise Refused(
            "order",
            "ORDER BY",
            f"ISO GQL has no order of values of type {kind_of(meaning)}.",
            key.span,
        )
    can_be_null = nullable(meaning) and not _never_null(gql, meaning)
    if key.descending:
        return f"{text} DESC NULLS FIRST" if can_be_null else f"{text} DESC"
    return f"{text} ASC NULLS LAST" if can_be_null else text


def _never_null(gql: Gql, meaning: ir.Expr) -> bool:
    """min, max, avg of values in a group that has rows."""
    return (
        isinstance(meaning, ir.Agg)
        and gql.grouped
        and not any(nullable(arg) for arg in meaning.args)
    )


def _count(gql: Gql, node: ir.Expr) -> str:
    value = whole_number(node)
    if isinstance(node, ir.Param) or (value is not None and value >= 0):
        return gql.emit(node) if value is None else str(value)
    raise Refused(
        "limit-expression",
        "LIMIT",
        "SKIP and LIMIT take a number or a parameter in ISO GQL.",
        node.span,
    )


def _plain_order(
    gql: Gql, node: ir.Project, outputs: Mapping[str, str] | None, refer: Mapping[str, str]
) -> list[str] | None:
    """Sort keys where both the columns and the variables before them can be named."""
    if gql.SORTS_BY_COLUMN and outputs is None:
        readable = [i.alias for i in node.items if i.alias.upper() not in gql.UNREADABLE]
        refer = {alias: gql.standing(alias) for alias in readable} | dict(refer)
    exprs = {item.alias: item.expr for item in node.items}
    fold = gql.scope.fold
    shown = {fold(item.alias if outputs is None else outputs[item.alias]) for item in node.items}
    hidden = shown - {
        fold(gql.scope.names.get(item.expr.name, ""))
        for item in node.items
        if isinstance(item.expr, ir.Var)
        and gql.scope.names.get(item.expr.name)
        == (item.alias if outputs is None else outputs[item.alias])
    }
    columns = {
        item.expr: ir.Var(f"{_COLUMN} {number}", type=item.expr.type)
        for number, item in enumerate(node.items)
        if item.alias in refer and not isinstance(item.expr, ir.Literal | ir.Param)
    }
    by_alias: dict[ir.Expr, ir.Expr] = {ir.Var(name): expr for name, expr in exprs.items()}
    names = gql.scope.names
    unsayable = {
        item.expr.name: item.alias
        for item in node.items
        if gql.SORTS_BY_COLUMN and item.alias not in refer and isinstance(item.expr, ir.Var)
    }
    texts = []
    for key in node.order:
        meaning = substitute(key.expr, by_alias)
        for var in find(meaning, ir.Var):
            if outputs is None and var.name in unsayable:
                name = unsayable[var.name]
                raise Refused(
                    "engine-limit", name, "ORDER BY reads this name as a value.", key.span
                )
        shown_as = substitute(meaning, columns)
        if {fold(names.get(var.name, "")) for var in find(shown_as, ir.Var)} & hidden:
            return None
        gql.scope.names = names | {
            f"{_COLUMN} {number}": refer[item.alias]
            for number, item in enumerate(node.items)
            if item.alias in refer
        }
        text = gql.emit(shown_as)
        gql.scope.names = names
        texts.append(gql.sort_key(text, key, meaning))
    return texts


def _over_outputs(gql: Gql, node: ir.Project, refer: Mapping[str, str]) -> list[str] | None:
    """Sort keys over the columns alone, or None where one cannot be named."""
    exprs = {item.alias: item.expr for item in node.items}
    to_alias: dict[ir.Expr, ir.Expr] = {
        item.expr: ir.Var(item.alias, type=item.expr.type)
        for item in reversed(node.items)
        if item.alias in refer
    }
    names = gql.scope.names
    texts = []
    for key in node.order:
        expr = key.expr
        if not (isinstance(expr, ir.Var) and expr.name in exprs):
            expr = substitute(expr, to_alias)
        if any(var.name not in refer for var in find(expr, ir.Var)) or aggregates(expr):
            return None
        meaning = substitute(expr, {ir.Var(name): value for name, value in exprs.items()})
        gql.scope.names = dict(refer)
        text = gql.emit(expr)
        gql.scope.names = names
        texts.append(gql.sort_key(text, key, meaning))
    return texts


def _grouped(
    gql: Gql, node: ir.Project, outputs: Mapping[str, str] | None, refer: Mapping[str, str]
) -> list[str]:
    keys = [item for item in node.items if not aggregates(item.expr)]
    gql.grouped = bool(keys)
    order = _over_outputs(gql, node, refer)
    plain = all(item.alias in refer and not _nests(item.expr) for item in keys)
    if keys and not gql.GROUPS_REDECLARE:
        plain = plain and all(item.alias in refer for item in node.items)
    values = (item for item in node.items if aggregates(item.expr))
    if not plain or order is None or not all(_simple(gql, item.expr) for item in values):
        return _staged_groups(gql, node, outputs)
    items = [gql.column_name(item, outputs) for item in node.items]
    gql.grouped = False
    return [gql.return_clause(node, items, [refer[item.alias] for item in keys], order)]


def _simple(gql: Gql, expr: ir.Expr) -> bool:
    """Whether aggregates and constants alone make `expr`, without a subquery anywhere."""
    if isinstance(expr, ir.Agg):
        return not any(_nests(arg) for arg in expr.args)
    if _nests(expr) or next(find(expr, *gql.COMPUTED_AFTER), None) is not None:
        return False
    bare = substitute(expr, {agg: ir.Literal(0) for agg in aggregates(expr)})
    return next(find(bare, ir.Var), None) is None


def _staged_groups(gql: Gql, node: ir.Project, outputs: Mapping[str, str] | None) -> list[str]:
    """Keys and aggregates first, under plain names; what is made of them after NEXT."""
    aliases = {item.expr: item.alias for item in reversed(node.items)}
    taken = {expr: outputs[alias] for expr, alias in aliases.items()} if outputs else {}
    by_alias: dict[ir.Expr, ir.Expr] = {ir.Var(i.alias): i.expr for i in node.items}
    order = tuple(replace(key, expr=substitute(key.expr, by_alias)) for key in node.order)
    keys = list(dict.fromkeys(node.group or ()))
    parts = (*(item.expr for item in node.items), *(key.expr for key in order))
    aggs = [agg for part in parts for agg in aggregates(part)]
    before: list[str] = []
    columns_: list[str] = []
    group: list[str] = []
    mapping: dict[ir.Expr, ir.Expr] = {}
    names: dict[str, str] = {}
    gql.grouped = bool(keys)
    for expr in (*keys, *dict.fromkeys(aggs)):
        hint = aliases.get(expr, "")
        hint = hint if is_variable(hint) else _hint(expr)
        text = gql.emit(_hoisted(gql, expr, before))
        own = _stays(gql, expr, text)
        name = text if own else taken.get(expr) or gql.scope.fresh(hint)
        columns_.append(name if own else f"{text} AS {name}")
        known = replace(expr.type, nullable=nullable(expr) and not _never_null(gql, expr))
        if not isinstance(expr, ir.Agg):
            group.append(name)
        mapping[expr] = ir.Var(f"{_STAGED} {len(names)}", type=known)
        names[f"{_STAGED} {len(names)}"] = name
    gql.grouped = False
    # Then the columns are what the items ask for, in their order.
    keys_first = [item.expr for item in node.items] == [*mapping]
    first = ir.Project((), group=node.group)
    text = gql.return_clause(first, columns_, group, [])
    let = _let(gql, before)
    gql.scope.names = names
    second = replace(
        node,
        items=tuple(substitute(item, mapping) for item in node.items),
        order=tuple(substitute(key, mapping) for key in order),
        group=None,
        distinct=False,
    )
    after = gql.project(second, outputs)
    if after == [f"RETURN {', '.join(names.values())}"] and keys_first:
        return [*let, text]
    return [*let, text, "NEXT", *after]


def _hoisted(gql: Gql, expr: ir.Expr, before: list[str]) -> ir.Expr:
    """`expr` without subqueries in keys and arguments of aggregates: LET computes them."""
    if not _nests(expr):
        return expr
    targets = [expr] if not isinstance(expr, ir.Agg) else [*expr.args]
    mapping: dict[ir.Expr, ir.Expr] = {}
    for target in targets:
        if not _nests(target):
            continue
        text = gql.emit(target)
        name = f"{_LET} {len(gql.scope.taken)}"
        gql.scope.names[name] = gql.scope.fresh(_hint(target))
        before.append(f"{gql.scope.names[name]} = {text}")
        mapping[target] = ir.Var(name, type=replace(target.type, nullable=nullable(target)))
    return substitute(expr, mapping)


def _staged_rows(gql: Gql, node: ir.Project, outputs: Mapping[str, str] | None) -> list[str]:
    """Columns first, under plain names; their own names and the order after NEXT."""
    by_alias: dict[ir.Expr, ir.Expr] = {ir.Var(i.alias): i.expr for i in node.items}
    order = tuple(replace(key, expr=substitute(key.expr, by_alias)) for key in node.order)
    hints: dict[ir.Expr, str] = {item.expr: item.alias for item in reversed(node.items)}
    taken = {expr: outputs[alias] for expr, alias in hints.items()} if outputs else {}
    hints = {item.expr: hints[item.expr] for item in node.items}
    if not node.distinct:
        for key in order:
            hints.setdefault(key.expr, _hint(key.expr))
    sorted_by = {key.expr for key in order}
    hidden = {outputs[i.alias] if outputs else i.alias for i in node.items}  # by the last RETURN
    columns_ = []
    mapping: dict[ir.Expr, ir.Expr] = {}
    names: dict[str, str] = {}
    for expr, hint in hints.items():
        text = gql.emit(expr)
        own = _stays(gql, expr, text) and not (text in hidden and expr in sorted_by)
        name = (
            text
            if own
            else taken.get(expr) or gql.scope.fresh(hint if is_variable(hint) else _hint(expr))
        )
        columns_.append(name if own else f"{text} AS {name}")
        mapping[expr] = ir.Var(
            f"{_STAGED} {len(names)}", type=replace(expr.type, nullable=nullable(expr))
        )
        names[f"{_STAGED} {len(names)}"] = name
    first = ir.Project((), distinct=node.distinct)
    text = gql.return_clause(first, list(dict.fromkeys(columns_)), [], [])
    gql.scope.names = names
    second = replace(
        node,
        items=tuple(substitute(item, mapping) for item in node.items),
        order=tuple(substitute(key, mapping) for key in order),
        distinct=False,
    )
    return [text, "NEXT", *gql.project(second, outputs)]


def _stays(gql: Gql, expr: ir.Expr, text: str) -> bool:
    """Whether a column may keep the name of the variable that it is; one from outside of braces
    is not declared again everywhere."""
    return isinstance(expr, ir.Var) and (gql.REDECLARES or text not in gql.around)


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
