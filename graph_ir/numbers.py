"""Numbers that languages do not agree on: beyond 64 bits, and zeros below zero.

A product, a quotient, what is rounded up may be 0.0 in one engine and -0.0 in another.

To Cypher they are one number where rows are told apart, and -0.0 is before 0.0 in an order
(measured with Neo4j 2026.08); a float that is negated is taken from 0, and round() has no -0.0.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.walk import children, find, rewrite, substitute, with_fields
from schemagraph.model import Kind, Type

HUGE = 1e100
"""A constant by which everyday numbers may become infinite."""

ORDERED = frozenset({ir.CompareOp.LT, ir.CompareOp.LE, ir.CompareOp.GT, ir.CompareOp.GE})
"""The comparisons in which Neo4j has -0.0 before 0.0."""

_NEVER = frozenset({"round", "abs"})
_ROOTS = frozenset({"sqrt", "log", "log10", "asin", "acos"})
_ROUNDING = frozenset({"ceil", "ceiling"})
_SIGNED = frozenset({ir.ArithOp.MUL, ir.ArithOp.DIV, ir.ArithOp.MOD})
_FROM_ZERO = frozenset({"sum", "avg"})
_WHOLE = frozenset({"count", "collect", "min", "max"})  # compute no number of numbers


def below_zero_names(statement: ir.Statement, *, reference: bool = False) -> set[str]:
    """The names of floats that may be -0.0, in some engine or in Neo4j (`reference`)."""
    computed: set[str] = set()
    for made in find(statement, ir.Item, ir.Unwind, ir.ListComp, ir.Quantifier, ir.Reduce):
        match made:
            case (
                ir.Item(expr=value, alias=name)
                | ir.Unwind(expr=value, alias=name)
                | ir.ListComp(list=value, var=name)
                | ir.Quantifier(list=value, var=name)
                | ir.Reduce(list=value, var=name)
            ) if holds_below_zero(value, computed, reference):
                computed.add(name)
    return computed


def may_be_below_zero(expr: ir.Expr, computed: Container[str], *, reference: bool = False) -> bool:
    """Whether a float is computed so that it may be -0.0, or has one of the names that are.

    That is in some engine; with `reference` in Neo4j, to which a sum and what is negated start
    from 0. What is added to a number that is not -0.0 never is.
    """
    if expr.type.kind is not Kind.FLOAT:
        return False
    match expr:
        case ir.Literal():
            return str(expr.value) == "-0.0"
        case ir.Var():
            return expr.name in computed
        case ir.Neg():
            return not reference
        case ir.Arith(op=ir.ArithOp.ADD):
            return not any(_never(side, computed, reference) for side in (expr.left, expr.right))
        case ir.Arith(op=ir.ArithOp.SUB):
            return holds_below_zero(expr.left, computed, reference)
        case ir.Arith() if expr.op in _SIGNED and not _keeps_sign(expr):
            return True
        case ir.Call() if expr.name.casefold() in _NEVER:
            return False
        case ir.Call() if expr.name.casefold() in _ROUNDING:
            return True
        case ir.Agg() if reference and expr.name.casefold() in _FROM_ZERO:
            return False
        case ir.Case():
            results = [when.result for when in expr.whens]
            results += [expr.default] if expr.default is not None else []
            return any(holds_below_zero(result, computed, reference) for result in results)
    return any(holds_below_zero(child, computed, reference) for child in children(expr))


def may_be_zero(expr: ir.Expr) -> bool:
    """Whether a value is none of the constants that are not zero."""
    inner = expr.arg if isinstance(expr, ir.Neg) else expr
    return not isinstance(inner, ir.Literal) or inner.value == 0


def with_one_zero(statement: ir.Statement) -> ir.Statement:
    """The statement, bound, with 0.0 added to what may be -0.0 where that is held to be equal or
    tells rows apart: for engines to which -0.0 and 0.0 are two. -0.0 + 0.0 is 0.0.
    """
    computed = below_zero_names(statement)

    def change(node: ir.Node) -> ir.Node:
        match node:
            case ir.Compare() if node.op not in ORDERED:
                left, right = _equal_zeros((node.left, node.right), computed)
                return _with(node, left=left, right=right)
            case ir.In(list=ir.ListOf() as among):
                item, *items = _equal_zeros((node.item, *among.items), computed)
                return _with(node, item=item, list=_with(among, items=tuple(items)))
            case ir.In() if not holds_below_zero(node.list, computed):
                return _with(node, item=_at_least_zero(node.item, computed))
            case ir.Case(operand=ir.Expr() as operand):
                conditions = [when.condition for when in node.whens]
                first, *others = _equal_zeros((operand, *conditions), computed)
                whens = zip(node.whens, others, strict=True)
                made = tuple(_with(when, condition=each) for when, each in whens)
                return _with(node, operand=first, whens=made)
            case ir.Call(name="nullIf", args=(left, right)):
                return _null_if(node, left, right, computed)
            case ir.Call(name="sign", args=(arg,)):
                return _with(node, args=(_at_least_zero(arg, computed),))
            case (
                ir.NodePattern(props=ir.MapOf() as props)
                | ir.EdgePattern(props=ir.MapOf() as props)
            ):
                given = ((each, _at_least_zero(each.value, computed)) for each in props.entries)
                entries = tuple(_with(each, value=value) for each, value in given)
                return _with(node, props=_with(props, entries=entries))
            case ir.Agg(distinct=True):
                return _with(node, args=tuple(_key(arg, computed) for arg in node.args))
            case ir.Project():
                return _keys_at_least_zero(node, computed)
        return node

    return rewrite(_sides_at_least_zero(statement, computed), change)


def _sides_at_least_zero(statement: ir.Statement, computed: Container[str]) -> ir.Statement:
    """A union that tells rows apart, with no -0.0 in the columns of its sides."""
    if not isinstance(statement, ir.Union):
        return statement
    left = _sides_at_least_zero(statement.left, computed)
    if statement.all:
        return _with(statement, left=left)
    sides = (_columns_at_least_zero(side, computed) for side in (left, statement.right))
    return _with(statement, **dict(zip(("left", "right"), sides, strict=True)))


def _columns_at_least_zero[S: ir.Statement](side: S, computed: Container[str]) -> S:
    if not isinstance(side, ir.Query) or not isinstance(side.clauses[-1], ir.Project):
        return side
    last = side.clauses[-1]
    items = tuple(_with(item, expr=_key(item.expr, computed)) for item in last.items)
    return _with(side, clauses=(*side.clauses[:-1], _with(last, items=items)))


def _keys_at_least_zero(project: ir.Project, computed: Container[str]) -> ir.Project:
    """A projection with no -0.0 among the keys of its groups, or its distinct rows."""
    keys = project.group or ()
    if project.distinct and project.group is None:
        keys = tuple(item.expr for item in project.items)
    changed = {key: made for key in keys if (made := _key(key, computed)) is not key}
    if not changed:
        return project

    def change(node: ir.Node) -> ir.Node | None:
        if isinstance(node, ir.Agg):
            return node
        return changed.get(node) if isinstance(node, ir.Expr) else None

    items = tuple(substitute(item, change) for item in project.items)
    items = tuple(
        replace(item, named=True) if isinstance(old.expr, ir.Var) else item
        for item, old in zip(items, project.items, strict=True)
    )
    order = tuple(substitute(key, change) for key in project.order)
    group = (
        tuple(changed.get(key, key) for key in project.group) if project.group else project.group
    )
    return replace(project, items=items, order=order, group=group)


def _null_if(
    node: ir.Call, left: ir.Expr, right: ir.Expr, computed: Container[str]
) -> ir.Call | ir.Case:
    """`nullIf` as a choice where a zero is added: the value itself stays what it is."""
    first, second = _equal_zeros((left, right), computed)
    if first is left and second is right:
        return node
    test = ir.Compare(ir.CompareOp.EQ, first, second, type=Type(Kind.BOOLEAN))
    whens = (ir.When(test, ir.Literal(None, type=Type(Kind.NULL))),)
    return ir.Case(whens, default=left, type=node.type, span=node.span)


def _equal_zeros(sides: Sequence[ir.Expr], computed: Container[str]) -> Sequence[ir.Expr]:
    """What is held against the first, and the first, without a -0.0 where both may be zero."""
    first, *others = sides
    if not (may_be_zero(first) and any(map(may_be_zero, others))):
        return sides
    return [_at_least_zero(side, computed) for side in sides]


def _key(expr: ir.Expr, computed: Container[str]) -> ir.Expr:
    """What tells rows apart; an integer beside floats stays what it is."""
    return expr if expr.type.of_nothing else _at_least_zero(expr, computed)


def _at_least_zero(expr: ir.Expr, computed: Container[str]) -> ir.Expr:
    """A number that is 0.0 where `expr` is -0.0, and the same elsewhere."""
    mixed = expr.type.mixed or isinstance(expr, ir.Neg)
    if mixed or not may_be_below_zero(expr, computed):
        return expr
    if isinstance(expr, ir.Literal):
        return replace(expr, value=0.0)
    zero = ir.Literal(0.0, type=Type(Kind.FLOAT, nullable=False))
    of = replace(expr.type, of_nothing="")
    return ir.Arith(ir.ArithOp.ADD, expr, zero, span=expr.span, type=of)


def holds_below_zero(node: ir.Node, computed: Container[str], reference: bool = False) -> bool:
    """Whether it is a float that may be -0.0, or is made of one, as a list is."""
    if isinstance(node, ir.Expr) and node.type.kind is Kind.FLOAT:
        return may_be_below_zero(node, computed, reference=reference)
    if isinstance(node, ir.Var):
        return node.name in computed
    return any(holds_below_zero(child, computed, reference) for child in children(node))


def _with[N: ir.Node](node: N, **fields: object) -> N:
    """The node with these fields; itself where they are what it has."""
    same = all(_same(getattr(node, name), value) for name, value in fields.items())
    return node if same else with_fields(node, fields)


def _same(old: object, new: object) -> bool:
    if isinstance(old, tuple) and isinstance(new, tuple):
        return len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True))
    return old is new


def _never(expr: ir.Expr, computed: Container[str], reference: bool) -> bool:
    """Whether a number is known not to be -0.0."""
    if expr.type.kind is Kind.INTEGER:
        return True
    float_ = expr.type.kind is Kind.FLOAT
    return float_ and not may_be_below_zero(expr, computed, reference=reference)


def _keeps_sign(arith: ir.Arith) -> bool:
    """Whether one side is a constant by which a zero keeps the sign of the other side."""
    sides = (arith.left,) if arith.op is ir.ArithOp.MOD else (arith.left, arith.right)
    return any(map(_is_positive, sides))


def _is_positive(expr: ir.Expr) -> bool:
    """A constant by which a zero keeps its sign."""
    value = expr.value if isinstance(expr, ir.Literal) else None
    return isinstance(value, int | float) and value > 0


def nan_names(statement: ir.Statement) -> set[str]:
    """The names of what may be no number; see `may_be_nan`."""
    names: set[str] = set()
    for made in find(statement, ir.Item, ir.Unwind):
        if isinstance(made, ir.Item | ir.Unwind) and may_be_nan(made.expr, names):
            names.add(made.alias)
    return names


def may_be_nan(node: ir.Node, names: Container[str]) -> bool:
    """Whether a value may be no number: of a quotient by what may be zero, of a root, or of one
    of these names."""
    return (
        any(
            arith.op is ir.ArithOp.DIV
            and not (isinstance(arith.right, ir.Literal) and arith.right.value)
            for arith in find(node, ir.Arith)
        )
        or any(call.name.casefold() in _ROOTS for call in find(node, ir.Call))
        or any(var.name in names for var in find(node, ir.Var))
    )


def of_infinite(statement: ir.Statement, infinite: Container[str]) -> ir.Node | None:
    """What may be no number as it is computed of infinite ones, in a statement that compares or
    groups values; None where nothing is.

    Infinite may be properties of these names, and what comes of a constant from 1e100 on.
    """

    def is_wild(expr: ir.Expr) -> bool:
        values = (v for v in find(expr, ir.Var) if v.type.kind not in (Kind.NODE, Kind.EDGE))
        return _is_of_infinite(expr, infinite) or any(True for _ in values)

    if not _is_of_infinite(statement, infinite) or not _compares_or_groups(statement):
        return None
    for made in find(statement, ir.Arith, ir.Agg):
        if made.type.kind is Kind.INTEGER:
            continue
        match made:
            case ir.Arith(op=ir.ArithOp.MUL, left=left, right=right):
                doubtful = (is_wild(left) and may_be_zero(right)) or (
                    is_wild(right) and may_be_zero(left)
                )
            case ir.Arith(op=ir.ArithOp.MOD, left=left):
                doubtful = is_wild(left)
            case ir.Arith(left=left, right=right):
                doubtful = is_wild(left) and is_wild(right)
            case ir.Agg(name=name, args=args):
                doubtful = name not in _WHOLE and any(map(is_wild, args))
        if doubtful:
            return made
    return None


def _is_of_infinite(node: ir.Node, infinite: Container[str]) -> bool:
    return any(prop.key in infinite for prop in find(node, ir.Prop)) or any(
        isinstance(each.value, float) and abs(each.value) >= HUGE for each in find(node, ir.Literal)
    )


def _compares_or_groups(statement: ir.Statement) -> bool:
    """Whether values are compared, sorted, aggregated or grouped."""
    tests = find(statement, ir.Compare, ir.In, ir.Case, ir.Agg)
    unions = (not union.all for union in find(statement, ir.Union))
    projects = find(statement, ir.Project)
    groups = (each.distinct or bool(each.group) or bool(each.order) for each in projects)
    return any(True for _ in tests) or any(unions) or any(groups)


def holds_huge(expr: ir.Expr) -> bool:
    """Whether a number is written in an expression that no integer of 64 bits reaches."""
    numbers = (each.value for each in find(expr, ir.Literal))
    return any(isinstance(number, float) and abs(number) >= 2**63 for number in numbers)


def picks_zero(statement: ir.Statement) -> ir.Node | None:
    """A min() or max() of floats among integers, which may pick -0.0 for another zero.

    None where the statement writes no -0.0, or shows no sign of a zero.

    Neo4j has -0.0 before 0.0 there, and most engines take them for one.
    """
    if not any(str(each.value) == "-0.0" for each in find(statement, ir.Literal)):
        return None
    divides = any(
        each.op in (ir.ArithOp.DIV, ir.ArithOp.POW) and each.type.kind is not Kind.INTEGER
        for each in find(statement, ir.Arith)
    )
    if not divides and not any(call.name == "toString" for call in find(statement, ir.Call)):
        return None
    for agg in find(statement, ir.Agg):
        if agg.name in ("min", "max") and any(arg.type.mixed for arg in agg.args):
            return agg
    return None
