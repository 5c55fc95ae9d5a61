"""Expressions as NebulaGraph has them: exact rewrites of those it has not, else a refusal.

Bodies of EXISTS, COUNT and pattern comprehensions become lists of paths,
`[p IN (a)-[:T]->() WHERE nodes(p)[1].Tag.x > 1 | p]`, because patterns in expressions may bind
no new variables there.
"""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import conjunction, conjuncts
from graph_ir.walk import descend, find
from schemagraph.model import Kind, Type
from translators.ngql.emit import temporal
from translators.ngql.emit.calls import float_divisor
from translators.ngql.emit.paths import PathBody
from translators.ngql.emit.scope import Scope, rebuilt, refuse

BARE = "_path"
"""The path variable of a pattern that stands bare in the text, where it has no name."""

_BOOLEAN = Type(Kind.BOOLEAN)
_INTEGER = Type(Kind.INTEGER)


class Expressions:
    """Lowers expressions in the scope of one statement."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def value(self, expr: ir.Expr) -> ir.Expr:
        """`expr` where a value is wanted."""
        return _guarded(_placed(self._lower(expr), bare=False), self.scope, sensitive=False)

    def condition(self, expr: ir.Expr | None) -> ir.Expr | None:
        """`expr` as a WHERE, whose conjuncts may be patterns."""
        if expr is None:
            return None
        placed = _placed(self._lower(expr), bare=True)
        parts = tuple(_guarded(p, self.scope, sensitive=False) for p in conjuncts(placed))
        if len(parts) == 1 or not isinstance(placed, ir.Bool):
            return parts[0]
        return replace(placed, args=parts)

    # --- one expression ------------------------------------------------------------------

    def _lower(self, node: ir.Expr) -> ir.Expr:
        match node:
            case ir.Exists():
                return self._exists(node)
            case ir.CountOf():
                return self._count(node, node.query)
            case ir.Call("size", (ir.Exists(form=ir.ExistsForm.PATTERN) as inner,)):
                return self._count(node, inner.query)
            case ir.CollectOf():
                return self._collect(node)
            case ir.PatternComp():
                return self._comprehension(node)
            case ir.ListComp(var=var) | ir.Quantifier(var=var):
                items = self._lower(node.list)
                with self.scope.hidden(var):
                    inner_node = rebuilt(node, self._any)
                return self._local(replace(inner_node, list=items))
            case ir.Reduce():
                init, items = self._lower(node.init), self._lower(node.list)
                with self.scope.hidden(node.acc, node.var):
                    step = self._lower(node.step)
                return replace(node, init=init, list=items, step=step)
            case ir.PathExpr():
                raise refuse(
                    "path-expression",
                    node,
                    "path pattern",
                    "nGQL has shortestPath() in MATCH only.",
                )
        return self._local(rebuilt(node, self._any))

    def _any(self, node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Expr):
            return self._lower(node)
        if isinstance(node, ir.When | ir.Entry):
            return rebuilt(node, self._any)
        return node

    def _local(self, node: ir.Expr) -> ir.Expr:
        """Rewrites that look at one node only; its children are done."""
        match node:
            case ir.Var(name) if not self.scope.schema and name in self.scope.elements:
                return replace(node, type=self.scope.elements[name])
            case ir.Case(operand=ir.Expr() as operand):
                whens = tuple(
                    replace(
                        when,
                        condition=ir.Compare(
                            ir.CompareOp.EQ, operand, when.condition, type=_BOOLEAN
                        ),
                    )
                    for when in node.whens
                )
                return replace(node, whens=whens, operand=None)
            case ir.MapProjection(all_properties=True):
                raise refuse(
                    "all-properties",
                    node,
                    "{.*}",
                    "nGQL would also return properties without value.",
                )
            case ir.MapProjection():
                return ir.MapOf(node.entries, span=node.span, type=node.type)
            case ir.Call(name) if name in temporal.KINDS:
                return temporal.constant(node)
            case ir.Arith(ir.ArithOp.DIV | ir.ArithOp.MOD):
                return float_divisor(node)
            case ir.Arith():
                return temporal.sum_of(node)
            case ir.Call("isEmpty", (argument,)):
                return self._size_zero(node, argument, empty=True)
            case ir.Compare():
                return self._comparison(node)
            case ir.Quantifier(ir.QuantifierKind.NONE):
                # `none` is not three-valued in NebulaGraph; `all … NOT` is null-safe in WHERE.
                where = ir.Not(node.where, type=_BOOLEAN)
                return replace(node, kind=ir.QuantifierKind.ALL, where=where)
            case ir.Agg("count", (argument,)):
                element = _identified(argument)
                return replace(node, args=(element,)) if element else node
            case ir.LabelTest():
                return label_test(node.arg, node.labels)
        return node

    def _comparison(self, node: ir.Compare) -> ir.Expr:
        left, right = node.left, node.right
        if node.op in _IDENTITY:
            one, other = _identified(left), _identified(right)
            if one and other:
                return replace(node, left=one, right=other)
        zero = isinstance(right, ir.Literal) and type(right.value) is int and right.value == 0
        if isinstance(left, ir.Call) and left.name == "size" and zero:
            if node.op is ir.CompareOp.EQ:
                return self._size_zero(node, left.args[0], empty=True)
            if node.op in (ir.CompareOp.GT, ir.CompareOp.NE):
                return self._size_zero(node, left.args[0], empty=False)
        return node

    def _size_zero(self, node: ir.Expr, argument: ir.Expr, *, empty: bool) -> ir.Expr:
        """Strings are measured in bytes there; whether there are none is the same."""
        if argument.type.kind is Kind.STRING:
            op = ir.CompareOp.EQ if empty else ir.CompareOp.NE
            return ir.Compare(op, argument, ir.Literal(""), span=node.span, type=_BOOLEAN)
        if isinstance(node, ir.Call):
            length = ir.Call("size", (argument,), span=node.span, type=_INTEGER)
            zero = ir.Literal(0, type=_INTEGER)
            return ir.Compare(ir.CompareOp.EQ, length, zero, span=node.span, type=_BOOLEAN)
        return node

    # --- subqueries ----------------------------------------------------------------------

    def _exists(self, node: ir.Exists) -> ir.Expr:
        single = _one_node(node.query)
        if single is not None and single.var in self.scope.elements:
            return self._holds(node, single)
        body = PathBody.of(node, node.query, self.scope, counts=False)
        where = self._inside(body)
        if where is None:
            match = ir.Match((body.path,))
            return replace(
                node, query=ir.Query((match,)), form=ir.ExistsForm.PATTERN, type=_BOOLEAN
            )
        return _more_than_none(self._size(node, body, where))

    def _holds(self, node: ir.Expr, pattern: ir.NodePattern) -> ir.Expr:
        """`EXISTS {(n:A {k: 1} WHERE …)}` of a node that is known: what it says of the node."""
        element = ir.Var(pattern.var or "", type=self.scope.node_type(pattern))
        parts: list[ir.Expr | None] = [ir.IsNull(element, negated=True, type=_BOOLEAN)]
        if pattern.labels:
            parts = [ir.LabelTest(element, pattern.labels, type=_BOOLEAN)]
        if isinstance(pattern.props, ir.MapOf):
            for entry in pattern.props.entries:
                prop = ir.Prop(element, entry.key, type=entry.value.type)
                parts.append(ir.Compare(ir.CompareOp.EQ, prop, entry.value, type=_BOOLEAN))
        elif pattern.props:
            raise refuse("parameter-map", node, "{$…}", "nGQL has no parameter for such a map.")
        parts.append(pattern.where)
        whole = conjunction(*parts)
        lowered = self._lower(whole) if whole is not None else ir.Literal(True)
        if pattern.props is None and pattern.where is None:  # labels are never unknown
            return lowered
        return ir.Call("coalesce", (lowered, ir.Literal(False)), span=node.span, type=_BOOLEAN)

    def _count(self, node: ir.Expr, query: ir.Statement) -> ir.Expr:
        single = _one_node(query)
        if single is not None and single.var in self.scope.elements:
            # the list of a path in brackets alone would be read as that of a list's items
            one = ir.When(self._holds(node, single), ir.Literal(1, type=_INTEGER))
            return ir.Case((one,), ir.Literal(0, type=_INTEGER), span=node.span, type=_INTEGER)
        body = PathBody.of(node, query, self.scope, counts=True)
        return self._size(node, body, self._inside(body))

    def _size(self, node: ir.Expr, body: PathBody, where: ir.Expr | None) -> ir.Expr:
        listed = path_list(body.path, body.var if where else BARE, where)
        return ir.Call("size", (listed,), span=node.span, type=_INTEGER)

    def _collect(self, node: ir.CollectOf) -> ir.Expr:
        return self._listed(node, PathBody.of(node, node.query, self.scope, counts=True))

    def _comprehension(self, node: ir.PatternComp) -> ir.Expr:
        return self._listed(node, PathBody.of_comprehension(node, self.scope))

    def _listed(self, node: ir.Expr, body: PathBody) -> ir.Expr:
        if body.result is None:
            raise refuse("subquery", node, type(node).__name__, "The subquery returns nothing.")
        where = self._inside(body)
        path = replace(body.path, var=body.var)
        with self.scope.reserved(body.var):
            result = self._lower(body.result)
        if where is None and isinstance(result, ir.Var) and result.name == body.var:
            return path_list(path, BARE, None)
        return ir.PatternComp(path, result, where, span=node.span, type=node.type)

    def _inside(self, body: PathBody) -> ir.Expr | None:
        with self.scope.reserved(body.var):
            return None if body.where is None else self._lower(body.where)


_IDENTITY = (ir.CompareOp.EQ, ir.CompareOp.NE)


def path_list(path: ir.Path, var: str, where: ir.Expr | None) -> ir.PatternComp:
    """The list of the paths that match."""
    kind = Type(Kind.PATH)
    named = replace(path, var=var)
    return ir.PatternComp(named, ir.Var(var, type=kind), where, type=Type(Kind.LIST, item=kind))


def label_test(element: ir.Expr, labels: ir.LabelExpr) -> ir.Expr:
    """`n:A&B` over `labels(n)`, and for an edge over `type(e)`."""
    edge = element.type.kind is Kind.EDGE
    match labels:
        case ir.LabelName(name) if edge:
            of = ir.Call("type", (element,), type=Type(Kind.STRING))
            return ir.Compare(ir.CompareOp.EQ, of, ir.Literal(name), type=_BOOLEAN)
        case ir.LabelName(name):
            strings = Type(Kind.LIST, item=Type(Kind.STRING))
            of = ir.Call("labels", (element,), type=strings)
            return ir.In(ir.Literal(name), of, type=_BOOLEAN)
        case ir.LabelAnd(args):
            parts = tuple(label_test(element, arg) for arg in args)
            return ir.Bool(ir.BoolOp.AND, parts, type=_BOOLEAN)
        case ir.LabelOr(args):
            parts = tuple(label_test(element, arg) for arg in args)
            return ir.Bool(ir.BoolOp.OR, parts, type=_BOOLEAN)
        case ir.LabelNot(arg):
            return ir.Not(label_test(element, arg), type=_BOOLEAN)
    if edge:
        return ir.IsNull(element, negated=True, type=_BOOLEAN)
    return _more_than_none(
        ir.Call(
            "size",
            (ir.Call("labels", (element,), type=Type(Kind.LIST, item=Type(Kind.STRING))),),
            type=_INTEGER,
        )
    )


def _one_node(query: ir.Statement) -> ir.NodePattern | None:
    """The node pattern of `EXISTS { (n:A) }`, with the MATCH's condition as its own."""
    if isinstance(query, ir.Union) or len(query.clauses) != 1:
        return None
    match = query.clauses[0]
    if not isinstance(match, ir.Match) or match.optional or len(match.paths) != 1:
        return None
    (path,) = match.paths
    if path.steps or path.var:
        return None
    return replace(path.head, where=conjunction(path.head.where, match.where))


def _more_than_none(length: ir.Expr) -> ir.Expr:
    zero = ir.Literal(0, type=_INTEGER)
    return ir.Compare(ir.CompareOp.GT, length, zero, span=length.span, type=_BOOLEAN)


def _identified(expr: ir.Expr) -> ir.Expr | None:
    """The element whose internal id `expr` asks for."""
    if isinstance(expr, ir.Call) and expr.name in ("id", "elementId") and len(expr.args) == 1:
        (element,) = expr.args
        if element.type.kind in (Kind.NODE, Kind.EDGE):
            return element
    return None


def _placed(node: ir.Expr, *, bare: bool) -> ir.Expr:
    """Patterns stay bare as conjuncts of WHERE; elsewhere their paths are counted."""
    if isinstance(node, ir.Exists):
        if bare:
            return node
        (path,) = find(node, ir.Path)
        listed = path_list(path, BARE, None)
        return _more_than_none(ir.Call("size", (listed,), span=node.span, type=_INTEGER))
    if bare and isinstance(node, ir.Bool) and node.op is ir.BoolOp.AND:
        return replace(node, args=tuple(_placed(arg, bare=True) for arg in node.args))
    if bare and isinstance(node, ir.Not) and isinstance(node.arg, ir.Exists):
        return node

    def change(child: ir.Node) -> ir.Node:
        if isinstance(child, ir.Expr):
            return _placed(child, bare=False)
        return rebuilt(child, change) if isinstance(child, ir.When | ir.Entry) else child

    return rebuilt(node, change)


def _guarded(node: ir.Expr, scope: Scope, *, sensitive: bool) -> ir.Expr:
    """Properties of what may be null, as true nulls where the kind of null matters.

    `v.Tag.p` of a null is BAD_TYPE, which prints, sorts, groups and filters as a null does, but
    decides AND and OR. `coalesce` makes it a plain null.
    """
    if not scope.nullable:
        return node
    if isinstance(node, ir.Prop) and isinstance(node.base, ir.Var):
        if sensitive and node.base.name in scope.nullable:
            return ir.Call("coalesce", (node,), span=node.span, type=node.type)
        return node
    inner = sensitive or isinstance(node, ir.Bool)

    def change(child: ir.Node) -> ir.Node:
        if isinstance(child, ir.Expr):
            return _guarded(child, scope, sensitive=inner)
        return rebuilt(child, change) if isinstance(child, ir.When | ir.Entry) else child

    return rebuilt(node, change)


def uses(node: ir.Node | None, names: set[str]) -> bool:
    """Whether an expression refers to one of `names`."""
    return node is not None and any(
        isinstance(inner, ir.Var) and inner.name in names for inner in descend(node)
    )
