"""What GQL says by FOR, CASE and CAST, as the one node that Graph-IR has for it.

The inverse of `translators.gql.emit.lists` and `functions`. Each is exact for the types that the
binder found; what is not stays as it was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.rewrites import sum_or_null
from graph_ir.walk import by_class, rewrite
from schemagraph.model import Kind
from translators.gql.emit.values import kind_of, nullable
from translators.gql.reader.idioms.cases import case_idiom
from translators.gql.reader.idioms.quantifiers import any_of, as_condition
from translators.gql.reader.idioms.rows import can_be_null, item_rows, only_filters
from translators.gql.reader.idioms.values import (
    affix_test,
    collected_rows,
    date_component,
    is_truncated,
    is_zero,
    non_null_sums,
)

_OF_IDIOMS: tuple[type[ir.Node], ...] = (
    ir.Query,
    ir.Call,
    ir.Set,
    ir.Remove,
    ir.Delete,
    ir.SortKey,
    ir.Arith,
    ir.Agg,
)


def has_idioms(statement: ir.Statement) -> bool:
    """Whether something in the statement could be one."""
    inside = by_class(statement)
    for node in (node for kind in _OF_IDIOMS for node in inside.get(kind, ())):
        match node:
            case ir.Query(clauses=(ir.Unwind(), *_)):
                return True
            case ir.Call(name="toInteger" | "coalesce" | "head" | "left" | "right"):
                return True
            case ir.Set() | ir.Remove() | ir.Delete() | ir.SortKey(ir.IsNull()):
                return True
            case ir.Arith(op=ir.ArithOp.DIV) | ir.Agg(name="sum" | "stDev" | "stDevP"):
                return True
    return False


def raised(statement: ir.Statement) -> ir.Statement:
    """`statement`, bound, with its idioms as nodes of their own."""
    return rewrite(statement, _raised)


def _raised(node: ir.Node) -> ir.Node:
    match node:
        case ir.Match() | ir.NodePattern() | ir.EdgePattern() | ir.Quantified() | ir.ListComp():
            if node.where is not None:
                where = as_condition(node.where)
                return node if where is node.where else replace(node, where=where)
        case ir.Project():
            if node.where is not None:
                node = replace(node, where=as_condition(node.where))
            if len(node.order) > 1:
                node = replace(node, order=tuple(_needed_sort_keys(node.order)))
            if node.group:
                return non_null_sums(node)
        case ir.Query():
            return _without_null_targets(node)
        case ir.Exists():
            rows = item_rows(node.query)
            if rows is not None and not can_be_null(rows):
                return any_of(rows)
        case ir.Case(operand=None):
            whens = tuple(replace(w, condition=as_condition(w.condition)) for w in node.whens)
            return case_idiom(replace(node, whens=whens))
        case ir.Call(name="head", args=(ir.CollectOf(query),)):
            return collected_rows(query) or node
        case ir.Compare(ir.CompareOp.EQ, ir.Call() as left, right):
            return affix_test(node, left, right) or node
        case ir.Call(name="coalesce", args=(ir.Case() as case, zero)):
            total = sum_or_null(case)
            if total is not None and is_zero(zero):
                return total
        case ir.Call(name="toInteger", args=(text,)):
            return date_component(text) or node
        case ir.Arith(ir.ArithOp.DIV, ir.Arith(left=whole), by) as quotient if (
            is_truncated(quotient) and kind_of(whole) is kind_of(by) is Kind.INTEGER
        ):
            return ir.Arith(ir.ArithOp.DIV, whole, by, span=quotient.span)
    return node


def _without_null_targets(query: ir.Query) -> ir.Query:
    """A query without a last filter that keeps a write from null, which writes nothing anyway."""
    if len(query.clauses) < 3:
        return query
    *before, drop, write = query.clauses
    match write:
        case ir.Set(items) | ir.Remove(items):
            targets = {
                item.target.base if isinstance(item.target, ir.Prop) else item.target
                for item in items
            }
        case ir.Delete(exprs):
            targets = set(exprs)
        case _:
            return query
    if len(targets) != 1 or not isinstance(drop, ir.Project) or not only_filters(drop):
        return query
    needless = drop.where == ir.IsNull(targets.pop(), True)
    return replace(query, clauses=(*before, write)) if needless else query


def _needed_sort_keys(order: tuple[ir.SortKey, ...]) -> Iterator[ir.SortKey]:
    """The sort keys without those that tell nulls apart where there are none."""
    for key in order:
        if not (isinstance(key.expr, ir.IsNull) and not nullable(key.expr.arg)):
            yield key
