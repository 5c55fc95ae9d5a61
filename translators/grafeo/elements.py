"""Nodes that are computed: grafeo knows as nodes only what a variable holds.

An item of `nodes(p)` or of a list that a subquery collects equals no variable and has no labels,
and what coalesce() or CASE gives has no properties, until a comprehension has named it. Such an
item is a map, one of a list that a comprehension made a number: `id()` of a comprehension's
variable is the same for all of them, so that they are compared by it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from operator import is_
from typing import Any

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts, unused_names
from graph_ir.variables import introduced
from graph_ir.walk import find, rewrite, with_fields
from graphmill.errors import Refused
from schemagraph.model import Kind, SchemaGraph, Type
from translators.grafeo.confusions import (
    ELEMENTS,
    Numbered,
    bindings,
    refuse_lost,
    refuse_numbers,
)
from translators.grafeo.primitives import equal, own, with_value

_EQUALITY = (ir.CompareOp.EQ, ir.CompareOp.NE)
_IDENTITY = Type(Kind.INTEGER)


def named_elements(statement: ir.Statement, schema: SchemaGraph | None) -> ir.Statement:
    """The statement whose computed nodes are named before they are compared or looked into.

    Raises:
        Refused: grafeo cannot tell what is asked of one.
    """
    refuse_lost(statement)
    free = unused_names(statement, "node")
    paths = computed_names(statement)
    numbered = Numbered(statement, _unnamed)
    refuse_numbers(statement, numbered, schema)

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Call(name="nodes") | ir.CollectOf() | ir.PatternComp():
                return _named(node, free)
            case ir.Call(name="size", args=(listed,)):
                return _with(node, "args", (_plain(listed),))
            case ir.Arith() | ir.Case() | ir.Call(name="coalesce" | "nullIf"):
                return _of_one_kind(node, paths, free)
            case ir.Item(expr=shown) | ir.Unwind(expr=shown):
                return _with(node, "expr", _unnamed(shown))
            case ir.Project(group=tuple() as keys):
                return _with(node, "group", tuple(map(_plain, keys)))
            case ir.ListComp(list=listed) | ir.Quantifier(list=listed) | ir.Reduce(list=listed):
                spelled = isinstance(listed, ir.ListOf)
                return _with(node, "list", _unnamed(listed) if spelled else _plain(listed))
            case ir.Prop(base=base) if _has_properties(_plain(base), numbered):
                return _with(node, "base", _plain(base))
            case ir.Prop(base=ir.Index() | ir.Call() | ir.Prop() as item) if (
                item.type.kind is Kind.ANY and numbered.leaves(item)
            ):
                return _of(item, free, node, lambda each: replace(node, base=each))
            case ir.Call(name="labels" | "properties", args=(element,)) if (
                element.type.kind is Kind.ANY and numbered.leaves(element)
            ):
                return _of(element, free, node, lambda each: replace(node, args=(each,)))
            case ir.Call() | ir.LabelTest() | ir.Prop():
                return _read(node, free, schema)
        return node

    rewritten = rewrite(statement, change)
    _refuse_shown(rewritten, numbered)
    return rewritten


def _refuse_shown(statement: ir.Statement, numbered: Numbered) -> None:
    if isinstance(statement, ir.Union):
        _refuse_shown(statement.left, numbered)
        _refuse_shown(statement.right, numbered)
        return
    last = statement.clauses[-1]
    if isinstance(last, ir.Project) and _shows(last.items, numbered):
        reason = (
            "grafeo returns numbers for nodes and edges that are joined, chosen or named by a "
            "comprehension: return their properties."
        )
        raise Refused("engine-limit", "element value", reason, last.span)


def _with[N: ir.Node](node: N, name: str, value: Any) -> N:
    """The node with one field changed, and itself where nothing is."""
    before = getattr(node, name)
    same = all(map(is_, value, before)) if isinstance(value, tuple) else value is before
    return node if same else with_fields(node, {name: value})


def _named(node: ir.Expr, free: Iterator[str]) -> ir.Expr:
    """A list of nodes that a path or a subquery gives, item by item."""
    of = node.type.item
    if not isinstance(node, ir.Call) and (of is None or of.kind not in ELEMENTS):
        return node
    item = ir.Var(next(free)) if of is None else ir.Var(next(free), type=of)
    return ir.ListComp(item.name, node, result=item, type=node.type)


def _of_one_kind(node: ir.Expr, paths: Container[str], free: Iterator[str]) -> ir.Expr:
    """A value that is joined or chosen, in whose parts the nodes of paths are numbers like all
    others there: grafeo has no node for equal to its number."""

    def named(part: ir.Expr) -> ir.Expr:
        of = part.type.item
        listed = isinstance(part, ir.Var) and part.name in paths
        if not listed or of is None or of.kind not in ELEMENTS:
            return part
        item = ir.Var(next(free), type=of)
        return ir.ListComp(item.name, part, result=item, type=part.type)

    match node:
        case ir.Arith(left=left, right=right):
            return _with(_with(node, "left", named(left)), "right", named(right))
        case ir.Call(args=args):
            return _with(node, "args", tuple(map(named, args)))
        case ir.Case(whens=whens, default=default):
            results = tuple(_with(when, "result", named(when.result)) for when in whens)
            chosen = _with(node, "whens", results)
            return chosen if default is None else _with(chosen, "default", named(default))
    return node


def _plain(node: ir.Expr) -> ir.Expr:
    """Such a list or an item of it as it was, where grafeo reads it well."""
    match node:
        case ir.ListComp(var, listed, None, ir.Var(name)) if name == var and isinstance(
            listed, ir.Call | ir.CollectOf | ir.PatternComp
        ):
            return listed
        case ir.Index(base=base):
            return _with(node, "base", _plain(base))
        case ir.Call(name="head" | "last", args=(base,)):
            return _with(node, "args", (_plain(base),))
    return node


def _unnamed(node: ir.Expr) -> ir.Expr:
    """A value of a column with all such lists in it as they were."""
    match node:
        case ir.ListOf(items=items):
            return _with(node, "items", tuple(map(_unnamed, items)))
        case ir.MapOf(entries=entries):
            values = tuple(_with(entry, "value", _unnamed(entry.value)) for entry in entries)
            return _with(node, "entries", values)
        case ir.Slice(base=base):
            return _with(node, "base", _unnamed(base))
        case ir.Call(name="tail" | "reverse", args=(base,)) | ir.Agg(name="collect", args=(base,)):
            return _with(node, "args", (_unnamed(base),))
    return _plain(node)


def _read(node: ir.Expr, free: Iterator[str], schema: SchemaGraph | None) -> ir.Expr:
    match node:
        case ir.Call(name="labels" | "properties" | "type", args=(element,)) if _is_computed(
            element
        ):
            return _of(element, free, node, lambda each: replace(node, args=(each,)))
        case ir.Call(name="keys", args=(element,)) if _may_be_computed(element):
            return _of(element, free, node, lambda each: replace(node, args=(each,)))
        case ir.LabelTest(arg=element) if _may_be_computed(element):
            if element.type.kind is Kind.ANY and not _are_of_nodes(node.labels, schema):
                reason = "grafeo tests no type of an edge that a map holds."
                raise Refused("engine-limit", "label test", reason, node.span)
            return _of(element, free, node, lambda each: replace(node, arg=each))
        case ir.Prop(base=element) if _is_computed(element):
            return _of(element, free, node, lambda each: replace(node, base=each))
    return node


def _are_of_nodes(labels: ir.LabelExpr, schema: SchemaGraph | None) -> bool:
    """Whether no edge can have the labels."""
    if schema is None:
        return False
    return {name.name for name in find(labels, ir.LabelName)}.isdisjoint(schema.edge_labels)


def _is_computed(node: ir.Expr) -> bool:
    return node.type.kind in ELEMENTS and not isinstance(node, ir.Var)


def _may_be_computed(node: ir.Expr) -> bool:
    """Nothing is known of what a map holds."""
    known = isinstance(node, ir.Var | ir.Literal | ir.MapOf | ir.Param)
    return node.type.kind in (*ELEMENTS, Kind.ANY) and not known


def _shows(items: tuple[ir.Item, ...], numbered: Numbered) -> bool:
    return any(numbered.leaves(_unnamed(item.expr)) for item in items)


def _has_properties(node: ir.Expr, numbered: Numbered) -> bool:
    """Whether grafeo reads properties of a computed node: an end of an edge, an item of a list."""
    match node:
        case ir.Call(name="startNode" | "endNode"):
            return True
        case ir.Index() | ir.Prop() | ir.Call(name="head" | "last") if numbered.leaves(node):
            return False
        case ir.Index(base=listed) | ir.Call(name="head" | "last", args=(listed,)):
            return isinstance(listed, ir.Var | ir.ListOf | ir.Prop) or (
                isinstance(listed, ir.Call) and listed.name in ("nodes", "relationships")
            )
    return isinstance(node, ir.Prop)


def _of(
    element: ir.Expr, free: Iterator[str], node: ir.Expr, read: Callable[[ir.Expr], ir.Expr]
) -> ir.Expr:
    """What `read` makes of a computed node: of its name, or of each item of the path's nodes."""
    listed = _of_each(element, read, node.type)
    if listed is not None:
        return listed
    if any(call.name == "nodes" for call in find(element, ir.Call)):
        reason = "grafeo reads what a node of a path has in a list of them alone."
        raise Refused("engine-limit", "nodes()", reason, node.span)
    if isinstance(element, ir.Prop):  # which with_value() takes for a name
        name = ir.Var(next(free), type=element.type)
        return ir.Call("=let", (name, element, read(name)), type=node.type)
    return with_value(element, free, read, node.type.kind)


def _of_each(node: ir.Expr, read: Callable[[ir.Expr], ir.Expr], type_: Type) -> ir.Expr | None:
    """The item or part `node` of a path's nodes, where each is what `read` makes of it.

    `type_` is that of what it makes.
    """
    listed = Type(Kind.LIST, type_)
    match node:
        case ir.ListComp(list=ir.Call(name="nodes"), where=None, result=ir.Var() as item):
            return replace(node, result=read(item), type=listed)
        case ir.Index(base=base):
            below = _of_each(base, read, type_)
            return None if below is None else replace(node, base=below, type=type_)
        case ir.Slice(base=base):
            below = _of_each(base, read, type_)
            return None if below is None else replace(node, base=below, type=listed)
        case ir.Call(name="head" | "last" | "tail" | "reverse" as name, args=(base,)):
            below = _of_each(base, read, type_)
            kept = type_ if name in ("head", "last") else listed
            return None if below is None else replace(node, args=(below,), type=kept)
    return None


def by_identity(statement: ir.Statement) -> ir.Statement:
    """The statement whose computed nodes, and lists of them, are compared by identity."""
    computed = computed_names(statement)
    if not computed:
        return statement
    free = unused_names(statement, "same")

    def compared(node: ir.Compare) -> ir.Compare:
        return replace(node, left=_identity(node.left, free), right=_identity(node.right, free))

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Compare(op=op, left=left, right=right) if op in _EQUALITY:
                return compared(node) if _are_compared(left, right, computed) else node
            case ir.Match(where=ir.Expr() as where) if _is_lost(node, where):
                reason = "grafeo loses rows of named paths where list items are compared in an OR."
                raise Refused("engine-limit", "OR", reason, node.span)
            case ir.Match(where=ir.Expr() as where) if _meets_earlier(node, where):
                reason = (
                    "grafeo loses rows of named paths whose nodes are compared with those of a "
                    "list from before: compare them in a WITH after the MATCH."
                )
                raise Refused("engine-limit", "comparison", reason, node.span)
            case ir.In(item=item, list=listed):
                if _are_members(item, listed, computed):
                    return replace(node, item=_identity(item, free), list=_identity(listed, free))
            case ir.Case(operand=ir.Expr() as operand) if any(
                _are_compared(operand, when.condition, computed) for when in node.whens
            ):
                whens = tuple(
                    replace(when, condition=compared(equal(operand, when.condition)))
                    for when in node.whens
                )
                return replace(node, operand=None, whens=whens)
        return node

    return rewrite(statement, change)


def _is_lost(match: ir.Match, where: ir.Expr) -> bool:
    """Whether a condition on a named path has such a comparison on a side of an OR."""
    named = any(path.var for path in match.paths)
    either = (each for each in find(where, ir.Bool) if each.op is ir.BoolOp.OR)
    return named and any(call.name == "=let" for each in either for call in find(each, ir.Call))


def _meets_earlier(match: ir.Match, where: ir.Expr) -> bool:
    """Whether a condition on a named path compares nodes with what is known before the match."""
    if not any(path.var for path in match.paths):
        return False
    known = set(introduced(match)) | {name for name, _ in bindings(where)}
    for test in conjuncts(where):
        calls = list(find(test, ir.Call))
        made = {var.name for call in calls if call.name == "=let" for var in _named_in(call)}
        outside = {var.name for var in find(test, ir.Var)} - known - made
        if outside and any(call.name == "=id" for call in calls):
            return True
    return False


def _named_in(call: ir.Call) -> tuple[ir.Var, ...]:
    return tuple(arg for arg in call.args[:1] if isinstance(arg, ir.Var))


def refuse_mixed(statement: ir.Statement) -> None:
    """Refuse what GQL of grafeo cannot compare: a node of a path or a subquery that a list or a map
    holds beside other things, as it is a map there, and a number no less than a node has one.

    Raises:
        Refused: such a thing is compared with a node, or a list of nodes is looked for in lists.
    """
    computed = computed_names(statement)
    if computed:
        _refuse_compared(
            statement,
            lambda sides: (
                {Kind.NODE, Kind.ANY} == set(map(_kind, sides)) and uses(computed, *sides)
            ),
        )
        for test in find(statement, ir.In):
            if (_depth(test.list) or 0) > 1 and _are_members(test.item, test.list, computed):
                reason = "grafeo finds no list of nodes in a list of such lists."
                raise Refused("engine-limit", "IN", reason, test.span)


def refuse_texts(statement: ir.Statement) -> None:
    """Refuse what GQL of grafeo raises an error for: a node or an edge that is asked for a text.

    Raises:
        Refused: lists are compared that may hold such beside other things.
    """
    calls = [call for call in find(statement, ir.Call) if call.name == "=same-texts"]
    numbered = Numbered(statement, lambda value: value) if calls else None
    for call in calls:
        if numbered is not None and any(map(numbered.holds, call.args)):
            reason = "grafeo compares no lists of nodes or edges and other values: compare each."
            raise Refused("engine-limit", "comparison", reason, call.span)


def refuse_mapped(statement: ir.Statement) -> None:
    """Refuse comparisons of what a map holds of a path's nodes, whose type is not known.

    Raises:
        Refused: there is one.
    """
    maps = {
        item.alias
        for item in find(statement, ir.Item)
        if isinstance(item.expr, ir.MapOf)
        and any(call.name == "nodes" for call in find(item.expr, ir.Call))
    }
    if maps:
        _refuse_compared(statement, lambda sides: any(_is_read_of(side, maps) for side in sides))


def _is_read_of(node: ir.Expr, maps: Container[str]) -> bool:
    props = (prop for prop in find(node, ir.Prop) if isinstance(prop.base, ir.Var))
    return _kind(node) is Kind.ANY and any(
        isinstance(prop.base, ir.Var) and prop.base.name in maps for prop in props
    )


def _refuse_compared(
    statement: ir.Statement, is_unknown: Callable[[tuple[ir.Expr, ir.Expr]], bool]
) -> None:
    compared = [(each.left, each.right, each.span) for each in find(statement, ir.Compare)]
    compared += [(each.item, each.list, each.span) for each in find(statement, ir.In)]
    for left, right, span in compared:
        if is_unknown((left, right)):
            reason = "grafeo does not know a node again that a list or a map holds."
            raise Refused("engine-limit", "comparison", reason, span)


def _kind(node: ir.Expr) -> Kind:
    """That of a value, or of the items of a list."""
    type_ = node.type
    while type_.kind is Kind.LIST and type_.item is not None:
        type_ = type_.item
    return type_.kind


def computed_names(statement: ir.Statement) -> frozenset[str]:
    """The names that hold nodes, or lists of them, of paths, subqueries and comprehensions."""
    names: set[str] = set()
    for name, value in bindings(statement):
        made = any(call.name == "nodes" for call in find(value, ir.Call))
        made = made or any(find(value, ir.PatternComp, ir.CollectOf, ir.ListComp))
        if made or any(var.name in names for var in find(value, ir.Var)):
            names.add(name)
    return frozenset(names)


def _are_compared(left: ir.Expr, right: ir.Expr, computed: frozenset[str]) -> bool:
    depths = _depth(left), _depth(right)
    return depths[0] is not None and depths[0] == depths[1] and uses(computed, left, right)


def _are_members(item: ir.Expr, listed: ir.Expr, computed: frozenset[str]) -> bool:
    depths = _depth(item), _depth(listed)
    known = depths[0] is not None and depths[1] is not None and depths[0] + 1 == depths[1]
    return known and uses(computed, item, listed)


def uses(names: frozenset[str], *values: ir.Expr) -> bool:
    """Whether one of the names stands in the values."""
    return any(var.name in names for value in values for var in find(value, ir.Var))


def _depth(node: ir.Expr) -> int | None:
    """0 for a node, 1 for a list of nodes, 2 for a list of such lists; None for anything else."""
    depth, type_ = 0, node.type
    while type_.kind is Kind.LIST and type_.item is not None:
        depth, type_ = depth + 1, type_.item
    return depth if type_.kind is Kind.NODE else None


def _identity(node: ir.Expr, free: Iterator[str]) -> ir.Expr:
    """The identity of a node, those of a list of nodes in their order."""
    depth = _depth(node) or 0
    name = ir.Var(next(free), type=node.type if depth == 0 else node.type.item or node.type)
    if depth:
        of_each = _identity(name, free)
        return ir.ListComp(name.name, node, result=of_each, type=Type(Kind.LIST, of_each.type))
    if isinstance(node, ir.Var):
        return own("id", node, kind=Kind.INTEGER)
    return ir.Call("=let", (name, node, own("id", name, kind=Kind.INTEGER)), type=_IDENTITY)
