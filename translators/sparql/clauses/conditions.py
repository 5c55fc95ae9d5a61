"""Conditions that keep rows: properties that they need are triples, the rest is a FILTER."""

from __future__ import annotations

from graph_ir import nodes as ir
from graph_ir.lowerings import conjuncts
from schemagraph.model import Kind, Type
from translators.sparql.expressions.basics import property_of, truth
from translators.sparql.expressions.compare import compared
from translators.sparql.expressions.core import expression
from translators.sparql.expressions.subqueries import exists_group
from translators.sparql.model import terms
from translators.sparql.model.compiler import Compiler, Element
from translators.sparql.model.group import Block, Group

_EXACT = {bool: Kind.BOOLEAN, int: Kind.INTEGER, str: Kind.STRING}


def condition(cx: Compiler, node: ir.Expr) -> None:
    """Keep the rows of the current group for which it is true."""
    for part in conjuncts(node):
        _conjunct(cx, part)


def _conjunct(cx: Compiler, node: ir.Expr) -> None:
    match node:
        case ir.Exists():
            cx.group.parts.append(Block((exists_group(cx, node),), "FILTER EXISTS"))
            return
        case ir.Not(ir.Exists() as inner):
            cx.group.parts.append(Block((exists_group(cx, inner),), "FILTER NOT EXISTS"))
            return
        case ir.LabelTest(ir.Var(name), ir.LabelName(label)):
            element = cx.element(name, node)
            if not element.is_edge and not element.null:
                cx.group.triple(element.var, "a", terms.label(label))
                return
        case ir.Compare(ir.CompareOp.EQ, ir.Prop(ir.Var(name), key), ir.Literal() as value):
            if _is_one_term(cx, name, key, value):
                text = expression(cx, value).text
                cx.group.triple(cx.element(name, node).var, terms.prop(key), text)
                return
        case ir.IsNull(ir.Prop(ir.Var(name), key) as prop, False) if _is_read(cx, prop):
            element = cx.element(name, node)
            if not element.null and prop in cx.read_once and key not in cx.unstored:
                absent = Group(outer=cx.group)
                absent.triple(element.var, terms.prop(key), cx.name(f"{element.var[1:]}_{key}"))
                cx.group.parts.append(Block((absent,), "FILTER NOT EXISTS"))
                return
    for prop in _rejecting(node):
        if _is_read(cx, prop):
            property_of(cx, prop, needed=True)
    if isinstance(node, ir.IsNull) and node.negated and not expression(cx, node.arg).null:
        return
    made = truth(cx, node)
    if made.text != "true":
        alone = made.atom and made.text.startswith(("EXISTS {", "NOT EXISTS {"))
        cx.group.line(f"FILTER {made.text}" if alone else f"FILTER({made.text})")


def _is_one_term(cx: Compiler, name: str, key: str, value: ir.Literal) -> bool:
    """Whether what equals a value is one term, of a property that nothing else reads yet."""
    element = cx.env.get(name)
    if not isinstance(element, Element) or element.null or key in cx.unstored:
        return False
    read = any((element.var, key) in group.reads for group in (cx.group, element.home))
    return not (read or (name, key) in cx.preferred) and _has_one_form(cx, element, key, value)


def _has_one_form(cx: Compiler, element: Element, key: str, value: ir.Literal) -> bool:
    kind = _EXACT.get(type(value.value))
    of = _type_of(cx, element, key)
    return kind is Kind.STRING or (kind is not None and of.kind is kind)


def _is_read(cx: Compiler, prop: ir.Prop) -> bool:
    return isinstance(prop.base, ir.Var) and isinstance(cx.env.get(prop.base.name), Element)


def _rejecting(node: ir.Expr) -> list[ir.Prop]:
    """Properties without which the condition is not true."""
    match node:
        case ir.Bool(ir.BoolOp.AND, args):
            return _unique([prop for arg in args for prop in _rejecting(arg)])
        case ir.Bool(ir.BoolOp.OR, args):
            common = _rejecting(args[0])
            for arg in args[1:]:
                other = _rejecting(arg)
                common = [prop for prop in common if prop in other]
            return common
        case ir.IsNull(arg, True):
            return strict(arg)
    return strict(node)


def strict(node: ir.Expr) -> list[ir.Prop]:
    """Properties without which an expression is null."""
    match node:
        case ir.Prop(ir.Var()):
            return [node]
        case ir.Prop(base, _):
            return strict(base)
        case ir.Compare(_, left, right) | ir.Text(_, left, right) | ir.Arith(_, left, right):
            return _unique([*strict(left), *strict(right)])
        case ir.Not(arg) | ir.Neg(arg):
            return strict(arg)
        case ir.In(item, ir.ListOf(items)) if items:
            return strict(item)
        case ir.Call(name, args) if name in _STRICT:
            return _unique([prop for arg in args for prop in strict(arg)])
        case ir.Bool(_, args):
            common = strict(args[0])
            for arg in args[1:]:
                other = strict(arg)
                common = [prop for prop in common if prop in other]
            return common
    return []


_STRICT = frozenset(
    {
        *("toLower", "toUpper", "trim", "ltrim", "rtrim", "size", "substring", "left", "right"),
        *("replace", "toString", "toInteger", "toFloat", "abs", "ceil", "floor", "round", "sign"),
        "date",
    }
)


def _unique(props: list[ir.Prop]) -> list[ir.Prop]:
    return list(dict.fromkeys(props))


def equals(cx: Compiler, element: Element, key: str, value: ir.Expr, node: ir.Node) -> None:
    """A property of a pattern that equals a value: a constant that has one form is a term."""
    of = _type_of(cx, element, key)
    if isinstance(value, ir.Literal) and _has_one_form(cx, element, key, value):
        cx.group.triple(cx.safe(element), terms.prop(key), expression(cx, value).text)
        return
    given = expression(cx, value)
    made = cx.read(element, key, of, needed=True)
    test = compared(ir.CompareOp.EQ, made, given, value)
    cx.group.line(f"FILTER({test.text})")


def _type_of(cx: Compiler, element: Element, key: str) -> Type:
    """The common type of a property of what an element can be."""
    if cx.schema is None or not element.type.of:
        return Type(Kind.ANY)
    known = cx.schema.edge_by_name if element.is_edge else cx.schema.node_by_name
    types = [p.type for name in element.type.of if (p := known[name].property(key)) is not None]
    kinds = {each.kind for each in types}
    return types[0] if len(kinds) == 1 and len(types) == len(element.type.of) else Type(Kind.ANY)
