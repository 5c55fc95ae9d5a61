"""What GQL says by CASE: tests of three values, lists that may be null, parts of texts."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from translators.gql.reader.idioms.quantifiers import single_of
from translators.gql.reader.idioms.rows import existing_rows, item_rows


def case_idiom(node: ir.Case) -> ir.Expr:
    """A CASE as the one node that it says in many words, or as it is."""
    match node.whens, node.default:
        case (ir.When(ir.IsNull(listed, True), value),), None:
            return _of_list(listed, value) or node
        case (ir.When(ir.Compare(ir.CompareOp.LT, value, ir.Literal(0)), up),), down if (
            up == ir.Call("toInteger", (ir.Call("ceil", (value,)),))
            and down == ir.Call("toInteger", (ir.Call("floor", (value,)),))
        ):
            return ir.Call("toInteger", (value,), span=node.span)
        case (_, _), None:
            return _substring(node.whens) or node
        case tests, ir.Compare(ir.CompareOp.EQ, ir.CountOf(query), ir.Literal(1)):
            return _exactly_one(tests, query) or node
        case (ir.When(some, ir.Literal(bool(truth))), ir.When(unknown, ir.Literal(None))), (
            ir.Literal(bool(otherwise))
        ) if truth is not otherwise:
            return _three_valued(some, unknown, truth) or node
        case (ir.When(ir.Compare(ir.CompareOp.EQ, count, ir.Literal(1)), zero),), (
            ir.Case((ir.When(_, ir.Literal(None)),), ir.Agg("stDev") as agg)
        ) if count == replace(agg, name="count") and zero == ir.Literal(0.0):
            return agg
    return node


def _exactly_one(tests: tuple[ir.When, ...], query: ir.Statement) -> ir.Expr | None:
    """`CASE WHEN l IS NULL THEN NULL WHEN … > 1 THEN FALSE WHEN unknown THEN NULL ELSE … = 1`."""
    rows = item_rows(query)
    if rows is None or rows.test is None:
        return None
    for when in tests:
        match when.condition, when.result:
            case ir.IsNull(listed, False), ir.Literal(None) if listed == rows.list:
                continue
            case ir.Compare(ir.CompareOp.GT, ir.CountOf(again), ir.Literal(1)), ir.Literal(
                False
            ) if again == query:
                continue
            case test, ir.Literal(None):
                unknown = existing_rows(test, tested=True)
                if (
                    unknown is not None
                    and unknown.list == rows.list
                    and unknown.test == ir.IsNull(rows.test)
                ):
                    continue
        return None
    return single_of(rows)


def _of_list(listed: ir.Expr, value: ir.Expr) -> ir.Expr | None:
    """`CASE WHEN l IS NOT NULL THEN … END` of what is null for a list that is."""
    match value:
        case ir.ListComp(list=base) | ir.Slice(base=base) if base == listed:
            return value
        case ir.CountOf(query):
            rows = item_rows(query)
            if rows is not None and rows.list == listed:
                inner = ir.ListComp(rows.var, rows.list, rows.test, span=value.span)
                return ir.Call("size", (inner,), span=value.span)
    return None


def _three_valued(some: ir.Expr, unknown: ir.Expr, truth: bool) -> ir.Expr | None:
    """`CASE WHEN some item passes THEN … WHEN one is unknown THEN NULL ELSE … END`."""
    parts = unknown.args if isinstance(unknown, ir.Bool) else (unknown,)
    match some:
        case ir.Quantifier(ir.QuantifierKind.ANY, var, listed, test):
            item = test
        case ir.In(item, listed):
            var, test = "", item
        case _:
            return None
    for part in parts:
        match part:
            case ir.IsNull(arg, False) if arg == listed:
                continue
            case ir.Quantifier(ir.QuantifierKind.ANY, name, over, ir.IsNull(arg, False)) if (
                over == listed
            ):
                wanted = test
                if not var:
                    wanted = ir.Compare(ir.CompareOp.EQ, ir.Var(name), item)
                if arg == wanted:
                    continue
        return None
    if truth:
        return some
    if isinstance(some, ir.In):
        return ir.Not(some, span=some.span)
    return replace(some, kind=ir.QuantifierKind.NONE)


def _substring(whens: tuple[ir.When, ...]) -> ir.Expr | None:
    """`CASE WHEN CHAR_LENGTH(x) > 2 THEN RIGHT(x, CHAR_LENGTH(x) - 2) WHEN … THEN '' END`."""
    match whens:
        case (
            ir.When(ir.Compare(ir.CompareOp.GT, ir.Call("size", (text,)) as size, start), part),
            ir.When(ir.Compare(ir.CompareOp.LE, again, end), ir.Literal("")),
        ) if size == again and start == end:
            rest = ir.Call("right", (text, ir.Arith(ir.ArithOp.SUB, size, start)))
            if part == rest:
                return ir.Call("substring", (text, start), span=part.span)
            if isinstance(part, ir.Call) and part.name == "left" and part.args[0] == rest:
                return ir.Call("substring", (text, start, part.args[1]), span=part.span)
    return None
