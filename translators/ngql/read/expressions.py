"""Expressions of nGQL's MATCH form back to Graph-IR."""

from __future__ import annotations

from dataclasses import replace

from lark import Token

from graph_ir import nodes as ir
from translators.ngql.emit.calls import SAME
from translators.ngql.emit.expressions import BARE, path_list
from translators.ngql.grammar.check import name_of, trees
from translators.ngql.grammar.parser import Node
from translators.ngql.read.patterns import PatternReader, tree_of

_FUNCTIONS = {name.lower(): name for name in SAME}
_AGGREGATES = {"count": "count", "sum": "sum", "avg": "avg", "min": "min", "max": "max"}
_AGGREGATES |= {"collect": "collect", "std": "stDevP"}
_COMPARE = {"==": ir.CompareOp.EQ, "!=": ir.CompareOp.NE, "<>": ir.CompareOp.NE}
_COMPARE |= {"<": ir.CompareOp.LT, "<=": ir.CompareOp.LE}
_COMPARE |= {">": ir.CompareOp.GT, ">=": ir.CompareOp.GE}
_TEXT = {
    "STARTS_WITH": ir.TextOp.STARTS,
    "ENDS_WITH": ir.TextOp.ENDS,
    "CONTAINS": ir.TextOp.CONTAINS,
}
_EDGE_KEY = ("src", "dst", "type", "rank")


class ExpressionReader(PatternReader):
    """Reads expressions: one method a rule of the grammar."""

    def expr(self, node: Node) -> ir.Expr:
        """The IR of an expression's tree."""
        read = getattr(self, f"_read_{node.data}", None)
        if read is None:
            raise self.refuse(node, "expression", f"Cypher has no such expression: {node.data}.")
        expr: ir.Expr = read(node)
        return expr

    def _read_variable(self, node: Node) -> ir.Expr:
        return ir.Var(name_of(next(trees(node))))

    def _read_parameter(self, node: Node) -> ir.Expr:
        return ir.Param(str(node.children[0]))

    def _read_integer(self, node: Node) -> ir.Expr:
        return ir.Literal(int(str(node.children[0])))

    def _read_decimal(self, node: Node) -> ir.Expr:
        return ir.Literal(float(str(node.children[0])))

    def _read_string(self, node: Node) -> ir.Expr:
        return ir.Literal(str(node.children[0]))

    def _read_boolean(self, node: Node) -> ir.Expr:
        return ir.Literal(str(node.children[0]) == "TRUE")

    def _read_null(self, node: Node) -> ir.Expr:
        return ir.Literal(None)

    def _read_paren(self, node: Node) -> ir.Expr:
        return self.expr(next(trees(node)))

    def _read_negative(self, node: Node) -> ir.Expr:
        inner = next(trees(node))
        value = self.expr(inner)
        if inner.data in ("integer", "decimal") and isinstance(value, ir.Literal):
            number = value.value
            if isinstance(number, int | float):
                return ir.Literal(-number)
        return ir.Neg(value)

    def _read_and(self, node: Node) -> ir.Expr:
        return self._bool(node, ir.BoolOp.AND)

    def _read_or(self, node: Node) -> ir.Expr:
        return self._bool(node, ir.BoolOp.OR)

    def _read_xor(self, node: Node) -> ir.Expr:
        return self._bool(node, ir.BoolOp.XOR)

    def _bool(self, node: Node, op: ir.BoolOp) -> ir.Expr:
        parts: list[Node] = []
        left = node
        while left.data == node.data:
            left, right = trees(left)
            parts.append(right)
        args = tuple(self.test(part) for part in (left, *reversed(parts)))
        return _edges_compared(op, args) or ir.Bool(op, args)

    def _read_not(self, node: Node) -> ir.Expr:
        return ir.Not(self.test(next(trees(node))))

    def _read_postfix(self, node: Node) -> ir.Expr:
        operand, test = node.children
        if not isinstance(test, Token) or test.type not in ("IS_NULL", "IS_NOT_NULL"):
            raise self.refuse(node, "empty-test", "Cypher has no IS EMPTY.")
        return ir.IsNull(self.expr(tree_of(operand)), negated=test.type == "IS_NOT_NULL")

    def _read_compare(self, node: Node) -> ir.Expr:
        first, operator, second = node.children
        left, right = self.expr(tree_of(first)), self.expr(tree_of(second))
        kind = operator.type if isinstance(operator, Token) else ""
        if kind == "IN":
            return ir.In(left, right)
        if kind == "NOT_IN":
            return ir.Not(ir.In(left, right))
        if str(operator) == "=~":
            return ir.Text(ir.TextOp.REGEX, left, right)
        if kind in _TEXT:
            return ir.Text(_TEXT[kind], left, right)
        if kind.removeprefix("NOT_") in _TEXT:
            return ir.Not(ir.Text(_TEXT[kind.removeprefix("NOT_")], left, right))
        op = _COMPARE[str(operator)]
        if _is_call(left, "id") and _is_call(right, "id"):
            left, right = left.args[0], right.args[0]  # type: ignore[attr-defined]
        return ir.Compare(op, left, right)

    def _read_arith(self, node: Node) -> ir.Expr:
        rest: list[tuple[ir.ArithOp, Node]] = []
        left = node
        while left.data == "arith":
            first, operator, second = left.children
            rest.append((ir.ArithOp(str(operator)), tree_of(second)))
            left = tree_of(first)
        value = self.expr(left)
        for op, operand in reversed(rest):
            value = ir.Arith(op, value, self.expr(operand))
        return value

    def _read_name_attribute(self, node: Node) -> ir.Expr:
        return self._read_attribute(node)

    def _read_attribute(self, node: Node) -> ir.Expr:
        """`base.a.b.c`; of a vertex the first name is a tag."""
        keys: list[str] = []
        base = node
        while base.data == "attribute":
            base, key = trees(base)
            keys.append(name_of(key))
        if base.data == "name_attribute":
            name, key = trees(base)
            keys.append(name_of(key))
            value: ir.Expr = ir.Var(name_of(name))
        else:
            value = self.expr(base)
        keys.reverse()
        if self.kind(value) == "node":
            if len(keys) == 1:
                raise self.refuse(node, f".{keys[0]}", "A property of a vertex needs its tag.")
            keys = keys[1:]
        for own in keys:
            value = ir.Prop(value, own)
        return value

    def _read_subscript(self, node: Node) -> ir.Expr:
        base, index = trees(node)
        return ir.Index(self.expr(base), self.expr(index))

    def _read_slice(self, node: Node) -> ir.Expr:
        base, *_ = trees(node)
        bounds: list[ir.Expr | None] = [None, None]
        side = 0
        for child in node.children[1:]:
            if isinstance(child, Token):
                side = 1
            else:
                bounds[side] = self.expr(child)
        return ir.Slice(self.expr(base), *bounds)

    def _read_case(self, node: Node) -> ir.Expr:
        operand = None
        default = None
        whens = []
        for child in trees(node):
            if child.data == "when":
                condition, result = (self.expr(part) for part in trees(child))
                whens.append(ir.When(condition, result))
            elif child.data == "else":
                default = self.expr(next(trees(child)))
            else:
                operand = self.expr(child)
        if operand is not None:
            raise self.refuse(node, "simple-case", "NebulaGraph's CASE finds null equal to null.")
        return ir.Case(tuple(whens), default)

    def _read_list(self, node: Node) -> ir.Expr:
        return ir.ListOf(tuple(self.expr(child) for child in trees(node)))

    def _read_map(self, node: Node) -> ir.Expr:
        return self.read_map(node)

    def read_map(self, node: Node) -> ir.MapOf:
        entries = []
        for entry in trees(node):
            key, value = trees(entry)
            entries.append(ir.Entry(name_of(key), self.expr(value)))
        return ir.MapOf(tuple(entries))

    def _read_reduce(self, node: Node) -> ir.Expr:
        acc, init, var, items, step = trees(node)
        listed = self.expr(items)
        name = name_of(var)
        body: ir.Expr = self.loop(name, listed, lambda: self.expr(step))
        return ir.Reduce(name_of(acc), self.expr(init), name, listed, body)

    def _read_predicate(self, node: Node) -> ir.Expr:
        word = str(node.children[0]).lower()
        loop, where = trees(node)
        var, items = self._in_loop(loop)
        listed = self.expr(items)
        body: ir.Expr = self.loop(var, listed, lambda: self.test(where))
        return ir.Quantifier(ir.QuantifierKind(word), var, listed, body)

    def _read_comprehension_filter(self, node: Node) -> ir.Expr:
        return self._comprehension(node, where=True, result=False)

    def _read_comprehension_map(self, node: Node) -> ir.Expr:
        return self._comprehension(node, where=False, result=True)

    def _read_comprehension_both(self, node: Node) -> ir.Expr:
        return self._comprehension(node, where=True, result=True)

    def _comprehension(self, node: Node, *, where: bool, result: bool) -> ir.Expr:
        loop, *rest = trees(node)
        var, items = self._in_loop(loop)
        test = rest.pop(0) if where else None
        of = rest.pop(0) if result else None
        listed = None if items.data == "pattern" else self.expr(items)

        def body() -> tuple[ir.Expr | None, ir.Expr | None]:
            if listed is None:
                self.bind(var, "path")
            return (self.test(test) if test else None, self.expr(of) if of else None)

        condition, value = self.loop(var, listed or ir.Literal(None), body)
        if listed is None:
            path = self.pattern(items)
            if value is None:
                return path_list(path, var, condition)
            return ir.PatternComp(replace(path, var=var), value, condition)
        return ir.ListComp(var, listed, condition, value)

    def _in_loop(self, node: Node) -> tuple[str, Node]:
        """The parts of `x IN list`."""
        if node.data == "compare":
            var, operator, items = node.children
            if isinstance(operator, Token) and operator.type == "IN":
                return name_of(next(trees(tree_of(var)))), tree_of(items)
        raise self.refuse(node, "loop", "Put the list of a loop in parentheses.")

    def test(self, node: Node) -> ir.Expr:
        """A condition: there a pattern says whether it matches."""
        if node.data != "pattern":
            return self.expr(node)
        match = ir.Match((self.pattern(node),))
        return ir.Exists(ir.Query((match,)), form=ir.ExistsForm.PATTERN)

    def _read_pattern(self, node: Node) -> ir.Expr:
        """As a value a pattern is the list of its paths (NebulaGraph manual, "Pattern")."""
        return path_list(self.pattern(node), BARE, None)

    def _read_call_star(self, node: Node) -> ir.Expr:
        return ir.Agg("count")

    def _read_call_distinct(self, node: Node) -> ir.Expr:
        function, argument = trees(node)
        return self._aggregate(node, name_of(function), argument, distinct=True)

    def _aggregate(self, node: Node, name: str, argument: Node, *, distinct: bool) -> ir.Expr:
        own = _AGGREGATES.get(name.lower())
        if own is None:
            raise self.refuse(node, "aggregate", f"Cypher has no aggregate {name}().")
        return ir.Agg(own, (self.expr(argument),), distinct)

    def _read_call(self, node: Node) -> ir.Expr:
        function, *arguments = trees(node)
        name = name_of(function).lower()
        if name in _AGGREGATES and len(arguments) == 1:
            return self._aggregate(node, name, arguments[0], distinct=False)
        if name == "coalesce":
            tagged = self._over_tags(arguments)
            if tagged:
                return tagged
        args = tuple(self.expr(argument) for argument in arguments)
        if name == "pow" and _is_call(args[0], "toFloat"):
            return ir.Arith(ir.ArithOp.POW, args[0].args[0], args[1])  # type: ignore[attr-defined]
        if name in ("datetime", "time") and args:
            return _moment(name, args[0])
        known = _FUNCTIONS.get(name)
        if known is None and name not in ("id", *_EDGE_KEY):
            raise self.refuse(node, "function", f"Cypher has no {name}().")
        return ir.Call(known or name, args)

    def _over_tags(self, arguments: list[Node]) -> ir.Expr | None:
        """`coalesce(v.A.p, v.B.p)` is one property, held by one tag or the other."""
        tags = [_tag_of(argument) for argument in arguments]
        if len(arguments) < 2 or None in tags or len(set(tags)) < len(tags):
            return None
        values = [self.expr(argument) for argument in arguments]
        first = values[0]
        same = all(value == first for value in values)
        if same and isinstance(first, ir.Prop) and self.kind(first.base) == "node":
            return first
        return None


def _tag_of(node: Node) -> str | None:
    """`A` of `v.A.p` or `nodes(p)[0].A.p`."""
    if node.data != "attribute":
        return None
    base = next(trees(node))
    if base.data not in ("name_attribute", "attribute"):
        return None
    return name_of(list(trees(base))[-1])


def _is_call(expr: ir.Expr, name: str) -> bool:
    return isinstance(expr, ir.Call) and expr.name == name and len(expr.args) == 1


def _moment(name: str, argument: ir.Expr) -> ir.Expr:
    """NebulaGraph's one date-time is Cypher's zoned one where it is written with its offset."""
    if not (isinstance(argument, ir.Literal) and isinstance(argument.value, str)):
        return ir.Call(name, (argument,))
    if name == "time":
        return ir.Call("localtime", (argument,))
    text = argument.value
    if text.endswith("+00:00"):
        return ir.Call("datetime", (ir.Literal(text.removesuffix("+00:00") + "Z"),))
    return ir.Call("localdatetime", (argument,))


def _edges_compared(op: ir.BoolOp, args: tuple[ir.Expr, ...]) -> ir.Expr | None:
    """Source, target, type and rank of two edges compared: the edges are compared."""
    wanted = ir.CompareOp.EQ if op is ir.BoolOp.AND else ir.CompareOp.NE
    if op is ir.BoolOp.XOR or len(args) != len(_EDGE_KEY):
        return None
    edges: set[tuple[ir.Expr, ir.Expr]] = set()
    for name, arg in zip(_EDGE_KEY, args, strict=True):
        if not (isinstance(arg, ir.Compare) and arg.op is wanted):
            return None
        if not (_is_call(arg.left, name) and _is_call(arg.right, name)):
            return None
        edges.add((arg.left.args[0], arg.right.args[0]))  # type: ignore[attr-defined]
    if len(edges) != 1:
        return None
    ((left, right),) = edges
    return ir.Compare(wanted, left, right)
