"""WITH and RETURN: renaming where that is all, else a SELECT."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates as has_aggregates
from graph_ir.lowerings import conjuncts
from graph_ir.walk import children
from schemagraph.model import Kind, Type
from translators.base import Caveat
from translators.sparql.clauses.conditions import condition, strict
from translators.sparql.expressions import json
from translators.sparql.expressions.basics import property_of
from translators.sparql.expressions.core import bound, expression, refused
from translators.sparql.model.compiler import Bound, Compiler, Element, Sx, Walk, legal
from translators.sparql.model.group import Group, Select
from translators.sparql.model.numbers import holds_lists, two_forms

_SORTED = frozenset(
    {
        *(Kind.BOOLEAN, Kind.INTEGER, Kind.FLOAT, Kind.STRING, Kind.DATE, Kind.TIME),
        *(Kind.DATETIME, Kind.ZONED_DATETIME, Kind.ANY, Kind.NULL),
    }
)

_BOUND_JSON = re.compile(r"STR\((\?\w+)\)")


def project(cx: Compiler, clause: ir.Project) -> None:
    """A WITH: rows go on in the same group, or come out of a subselect."""
    plain = clause.group is None and not clause.distinct
    if plain and clause.skip is None and clause.limit is None:
        cx.ordered = cx.ordered or bool(clause.order)
        _rename(cx, clause)
    else:
        select, env = select_of(cx, clause, final=False)
        cx.ordered = bool(clause.order)
        outer = cx.group.outer
        cx.group = Group([select], outer=outer)
        cx.env = {name: _outside(each, cx.group) for name, each in env.items()}
    if clause.where is not None:
        condition(cx, clause.where)


def _outside(each: Bound, group: Group) -> Bound:
    """What a variable is outside the subselect that it comes from."""
    if isinstance(each, Element):
        return replace(each, home=group, scope=group, inner=not each.null)
    return each


def _rename(cx: Compiler, clause: ir.Project) -> None:
    env: dict[str, Bound] = {}
    for item in clause.items:
        if isinstance(item.expr, ir.Var) and item.expr.name in cx.env:
            env[item.alias] = cx.env[item.expr.name]
            continue
        sx = expression(cx, item.expr)
        if not sx.variable:
            sx = bind(cx, sx, item.alias)
        env[item.alias] = element_of(cx, sx) or sx
    before = cx.env
    cx.env = {**(before if clause.where is not None else {}), **env}


def element_of(cx: Compiler, sx: Sx) -> Element | None:
    """A node or edge that an expression is."""
    if sx.type.kind not in (Kind.NODE, Kind.EDGE):
        return None
    is_edge = sx.type.kind is Kind.EDGE
    return Element(sx.text, sx.type, is_edge, sx.null, cx.group, cx.group, inner=not sx.null)


def bind(cx: Compiler, sx: Sx, name: str) -> Sx:
    """A variable with the value of an expression."""
    var = cx.name(name, own=True)
    if sx.form == "json":
        cx.group.line(f"BIND({json.literal(sx.text)} AS {var})")
        return Sx(f"STR({var})", sx.type, sx.null, form="json")
    cx.group.line(f"BIND({sx.text} AS {var})")
    form = "stored" if sx.form == "stored" else ""
    return Sx(var, sx.type, sx.null, form=form)


def select_of(cx: Compiler, clause: ir.Project, *, final: bool) -> tuple[Select, dict[str, Bound]]:
    """The SELECT of a projection over the current group, and what its columns stand for."""
    grouped = clause.group is not None
    keys: list[str] = []
    if grouped:
        _need(cx, clause)
        _group(cx, clause, keys)
    heads: list[str] = []
    env: dict[str, Bound] = {}
    shown: set[str] = set()
    for item in clause.items:
        _dependent(cx, item.expr, keys)
        head, env[item.alias] = _column(cx, clause, item, shown, final=final)
        heads.append(head)
    sorting = {**env, **_matched(cx, clause)}
    order = [_sort_key(cx, clause, key, sorting, keys) for key in clause.order]
    having = _having(cx, cx.having, keys) if final and cx.having is not None else ""
    cx.keys = None
    tail = []
    if keys:
        tail.append(f"GROUP BY {' '.join(keys)}")
    if having:
        tail.append(having)
    if order:
        tail.append(f"ORDER BY {' '.join(order)}")
    if clause.limit is not None:
        tail.append(f"LIMIT {_whole(clause.limit)}")
    if clause.skip is not None:
        tail.append(f"OFFSET {_whole(clause.skip)}")
    word = "SELECT DISTINCT" if clause.distinct else "SELECT"
    return Select(f"{word} {' '.join(heads)}", cx.group, tuple(tail)), env


def _matched(cx: Compiler, clause: ir.Project) -> dict[str, Bound]:
    """The columns that are nodes and edges of the group: their properties are read there, and not
    of the column, which has its name after the group only."""
    return {
        item.alias: element
        for item in clause.items
        if isinstance(item.expr, ir.Var)
        and isinstance(element := cx.env.get(item.expr.name), Element)
    }


def _need(cx: Compiler, clause: ir.Project) -> None:
    """Where one property alone is aggregated over all rows, those without it do not count."""
    if clause.group:
        return
    parts: list[ir.Node] = [*clause.items, *clause.order]
    aggs = [agg for part in parts for agg in has_aggregates(part)]
    if not aggs or any(not agg.args for agg in aggs):
        return
    common = strict(aggs[0].args[0])
    for agg in aggs[1:]:
        common = [prop for prop in common if prop in strict(agg.args[0])]
    for prop in common:
        assert isinstance(prop.base, ir.Var)  # noqa: S101 # strict() gives no others
        if isinstance(cx.env.get(prop.base.name), Element):
            property_of(cx, prop, needed=True)


def _group(cx: Compiler, clause: ir.Project, keys: list[str]) -> None:
    """The variables of the grouping keys, and what stands for each key."""
    made: dict[ir.Expr, Sx] = {}
    aliases = {item.expr: item.alias for item in clause.items}
    for key in clause.group or ():
        sx = expression(cx, key)
        alone = not _of_one(key, clause.group or ())
        lists = sx.form == "stored" or (alone and holds_lists(sx.type))
        if lists or sx.type.kind in (Kind.LIST, Kind.MAP, Kind.PATH):
            raise refused("unsupported-expression", key, "Lists are no keys of a grouping.")
        if alone and two_forms(sx.type):
            raise refused("mixed-numbers", key, "Equal numbers may have different forms here.")
        if not sx.variable:
            sx = bind(cx, sx, aliases.get(key, "key"))
        made[key] = sx
        if sx.text not in keys:
            keys.append(sx.text)
    cx.keys = made
    cx.grouped = bool(keys)


def _of_one(node: ir.Expr, beside: Sequence[ir.Expr]) -> bool:
    """Whether an expression is a property of a variable that stands beside it: of each of its
    values there is one."""
    return isinstance(node, ir.Prop) and isinstance(node.base, ir.Var) and node.base in beside


def _having(cx: Compiler, node: ir.Expr, keys: list[str]) -> str:
    """The condition on groups."""
    tests = []
    for part in conjuncts(node):
        _dependent(cx, part, keys)
        made = expression(cx, part)
        if made.type.kind is not Kind.BOOLEAN:
            raise refused("type", part, f"A {made.type.kind.value} value is no condition.")
        tests.append(f"({made.text})")
    return f"HAVING {' '.join(tests)}"


def _dependent(cx: Compiler, node: ir.Node, keys: list[str]) -> None:
    """Properties of elements that are grouping keys, beside aggregates, are keys as well."""
    if cx.keys is None or isinstance(node, ir.Agg) or node in cx.keys:
        return
    if isinstance(node, ir.Prop) and node.base in cx.keys:
        made, cx.keys = cx.keys, None
        sx = expression(cx, node)
        cx.keys = {**made, node: sx}
        if sx.variable and sx.text not in keys:
            keys.append(sx.text)
        return
    for child in children(node):
        _dependent(cx, child, keys)


def _column(
    cx: Compiler, clause: ir.Project, item: ir.Item, shown: set[str], *, final: bool
) -> tuple[str, Bound]:
    """A column's text in the head, and what its name stands for after it."""
    variable = cx.env.get(item.expr.name) if isinstance(item.expr, ir.Var) else None
    sx = _shown(cx, item.expr) if final and not clause.distinct else expression(cx, item.expr)
    alone = not _of_one(item.expr, [each.expr for each in clause.items])
    several = alone and (two_forms(sx.type) or holds_lists(sx.type))
    if clause.distinct and clause.group != () and (several or sx.form == "stored"):
        raise refused("distinct-order", item, "Equal values may have different forms here.")
    text = _text(sx)
    named = item.named or item.alias.isidentifier()
    keeps = text[:1] == "?" and text[1:].isidentifier() and text not in shown
    if keeps and (not final or text == f"?{legal(item.alias)}" or not named):
        shown.add(text)
        return text, variable if isinstance(variable, Element) else element_of(cx, sx) or sx
    if final and named:
        var = cx.column(item.alias)
    else:
        var = cx.name(item.alias if item.named else _short(item), own=True)
    shown.add(var)
    text_after = f"STR({var})" if sx.form == "json" else var
    after = Sx(text_after, sx.type, sx.null)
    after = replace(after, form="json" if sx.form == "json" else sx.form and "stored")
    if sx.form == "joined":
        after = replace(after, form="")
    if isinstance(variable, Element):
        return f"({text} AS {var})", replace(variable, var=var)
    return f"({text} AS {var})", element_of(cx, after) or after


def _text(sx: Sx) -> str:
    """The text of a column; of a list or map that is bound, the variable."""
    if sx.form != "json":
        return str(sx.text)
    return match[1] if (match := _BOUND_JSON.fullmatch(sx.text)) else json.literal(sx.text)


def _shown(cx: Compiler, node: ir.Expr) -> Sx:
    """A column of the result. An average of integers stays the decimal that it is in SPARQL, and
    ones and zeros are integers: the value is the same number."""
    if not isinstance(node, ir.Agg) or node.name != "avg" or isinstance(cx.statement, ir.Union):
        return expression(cx, node)
    sx = expression(cx, replace(node, args=(_whole_branches(node.args[0]),)))
    prefix = "xsd:double("
    return replace(sx, text=sx.text[len(prefix) : -1]) if sx.text.startswith(prefix) else sx


def _whole_branches(node: ir.Expr) -> ir.Expr:
    """A CASE between whole numbers with integers for floats."""
    if not isinstance(node, ir.Case) or node.default is None:
        return node
    values = [*(when.result for when in node.whens), node.default]
    if not all(isinstance(v, ir.Literal) and v.value in (0, 1) for v in values):
        return node
    whens = tuple(replace(when, result=_whole_number(when.result)) for when in node.whens)
    default = _whole_number(node.default)
    return replace(node, whens=whens, default=default, type=Type(Kind.INTEGER))


def _whole_number(node: ir.Expr) -> ir.Expr:
    assert isinstance(node, ir.Literal)  # noqa: S101 # the caller looked
    return ir.Literal(int(bool(node.value)), type=Type(Kind.INTEGER), span=node.span)


def _short(item: ir.Item) -> str:
    return item.alias if len(item.alias) < 30 else "value"


def _sort_key(
    cx: Compiler, clause: ir.Project, key: ir.SortKey, env: dict[str, Bound], keys: list[str]
) -> str:
    """A key of ORDER BY: SPARQL has unbound values first in ascending order, Cypher last."""
    before = cx.env
    cx.env = {**before, **env}
    _dependent(cx, key.expr, keys)
    try:
        sx = expression(cx, key.expr)
    finally:
        cx.env = before
    if sx.type.kind not in _SORTED or sx.form in ("json", "stored"):
        raise refused("order", key, "Values of this type have no order in SPARQL.")
    if sx.type.kind is Kind.ANY and cx.schema is not None:
        raise refused("order", key, "Values of several types have no order in SPARQL.")
    if sx.type.kind is Kind.ANY:
        cx.caveats.append(
            Caveat(
                "order",
                "ORDER BY",
                "Without a schema the values are taken to be of one type that SPARQL orders.",
                key.span,
            )
        )
    if clause.group is not None and sx.variable:
        own = {each.text for each in env.values() if isinstance(each, Sx)}
        if sx.text not in keys and sx.text not in own:
            keys.append(sx.text)
    made = f"DESC({sx.text})" if key.descending else _ascending(sx)
    if sx.type.kind is Kind.ZONED_DATETIME:
        tie = f"STR({sx.text})"
        made += f" DESC({tie})" if key.descending else f" {tie}"
    if cx.may_be_nan(key.expr):  # the greatest of all numbers
        last = f'(STR({sx.text}) = "NaN")'
        made = f"DESC{last} {made}" if key.descending else f"{last} {made}"
    if not sx.null:
        return made
    test = bound(sx)
    return f"{test} {made}" if key.descending else f"DESC({test}) {made}"


def _ascending(sx: Sx) -> str:
    return sx.text if sx.variable else f"ASC({sx.text})"


def _whole(node: ir.Expr) -> int:
    if isinstance(node, ir.Literal) and type(node.value) is int and node.value >= 0:
        return node.value
    raise refused("limit-expression", node, "LIMIT and OFFSET take a number.")


__all__ = ["Type", "Walk", "project", "select_of"]
