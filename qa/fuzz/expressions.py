"""Random expressions of a wanted shape, from what is in scope."""

from __future__ import annotations

import random

from graph_ir import nodes as ir
from qa.fuzz.scalars import Scalars
from qa.fuzz.shapes import (
    DURATION,
    EDGE,
    FLOAT,
    INTEGER,
    INTEGERS,
    MAP,
    NODE,
    PATH,
    STRING,
    STRINGS,
    Shape,
)
from schemagraph.model import Kind, SchemaGraph

_REGEXES = ("a.*", ".*b", "[ab]+", "(?i)ANN", "A.n", "", r"\d+", "a|b")


class Expressions(Scalars):
    """Booleans, lists, maps and elements; the table of all makers."""

    def __init__(self, rng: random.Random, schema: SchemaGraph) -> None:
        super().__init__(rng, schema)
        self.makers = {
            Kind.BOOLEAN: (
                self._compare, self._compare, self._connective, self._connective, self._not,
                self._is_null, self._in, self._text_test, self._label_test, self._quantifier,
                self._exists, self._exists, self._same_element, self._mixed, self._empty,
                self._to_boolean, self._compare_lists,
            ),
            Kind.INTEGER: (
                self._sum, self._sum, self._product, self._division, self._negative, self._size,
                self._absolute, self._to_integer, self._length, self._component, self._component,
                self._reduce, self._count_of, self._field, self._searched_length,
            ),
            Kind.FLOAT: (
                self._float_sum, self._float_division, self._to_float, self._rounded, self._power,
                self._negative_float, self._absolute_float,
            ),
            Kind.STRING: (
                self._concat, self._concat, self._case_of_text, self._part_of_text, self._replace,
                self._to_string, self._type, self._string_field, self._joined_number,
            ),
            Kind.DATE: (self._shifted_date, self._truncated, self._day_of, self._date_of_parts),
            Kind.TIME: (self._time_of,),
            Kind.DATETIME: (self._shifted_datetime, self._midnight),
            Kind.ZONED_DATETIME: (self._shifted_zoned,),
            Kind.DURATION: (self._between, self._span_sum, self._span_product),
            Kind.NODE: (self._end_node, self._node_of_path),
            Kind.EDGE: (self._edge_of_path,),
            Kind.MAP: (self._map, self._projection),
        }  # fmt: skip

    # --- booleans --------------------------------------------------------------------------

    def _compare(self, depth: int) -> ir.Expr:
        ordered = self.chance(0.5)
        shape = self.scalar()
        if ordered and shape == DURATION:
            shape = INTEGER
        pair = (self.expr(shape, depth), self.expr(shape, depth))
        if shape in (INTEGER, FLOAT) and self.chance(0.2):
            pair = (self.expr(INTEGER, depth), self.expr(FLOAT, depth))
        operators = list(ir.CompareOp) if ordered else [ir.CompareOp.EQ, ir.CompareOp.NE]
        return ir.Compare(self.rng.choice(operators), *pair)

    def _mixed(self, depth: int) -> ir.Expr:
        """A comparison of values of two kinds."""
        a, b = self.expr(self.scalar(), depth), self.expr(self.scalar(), depth)
        return ir.Compare(
            self.rng.choice([ir.CompareOp.EQ, ir.CompareOp.NE, ir.CompareOp.LT]), a, b
        )

    def _compare_lists(self, depth: int) -> ir.Expr:
        shape = self.rng.choice([INTEGERS, STRINGS])
        operator = self.rng.choice([ir.CompareOp.EQ, ir.CompareOp.NE])
        return ir.Compare(operator, self.expr(shape, depth), self.expr(shape, depth))

    def _connective(self, depth: int) -> ir.Expr:
        operator = self.rng.choice([ir.BoolOp.AND, ir.BoolOp.OR, ir.BoolOp.AND, ir.BoolOp.XOR])
        args: list[ir.Expr] = []
        for _ in range(self.rng.randint(2, 3)):
            arg = self.condition(depth)
            args += arg.args if isinstance(arg, ir.Bool) and arg.op is operator else (arg,)
        return ir.Bool(operator, tuple(args))

    def _not(self, depth: int) -> ir.Expr:
        return ir.Not(self.condition(depth))

    def _is_null(self, depth: int) -> ir.Expr:
        variables = [ir.Var(name) for name in self.scope]
        shown = self.rng.choice(variables) if variables and self.chance(0.3) else None
        return ir.IsNull(shown or self.expr(self.scalar(), depth), self.chance(0.5))

    def _in(self, depth: int) -> ir.Expr:
        items, item = self.some_list(depth)
        return ir.In(self.expr(item, depth), items)

    def _text_test(self, depth: int) -> ir.Expr:
        operator = self.rng.choice(list(ir.TextOp))
        if operator is ir.TextOp.REGEX:
            return ir.Text(
                operator, self.expr(STRING, depth), ir.Literal(self.rng.choice(_REGEXES))
            )
        return ir.Text(operator, self.expr(STRING, depth), self.expr(STRING, depth))

    def _label_test(self, depth: int) -> ir.Expr | None:
        kind = self.rng.choice([Kind.NODE, Kind.NODE, Kind.EDGE])
        names = self.variables(kind)
        if not names:
            return None
        return ir.LabelTest(ir.Var(self.rng.choice(names)), self.labels(kind))

    def labels(self, kind: Kind, depth: int = 1) -> ir.LabelExpr:
        """A label expression for nodes, or for edges."""
        names = self.schema.labels if kind is Kind.NODE else self.schema.edge_labels
        if depth and self.chance(0.35):
            pair = (self.labels(kind, depth - 1), self.labels(kind, depth - 1))
            match self.rng.randint(0, 3):
                case 0 if kind is Kind.NODE:
                    return ir.LabelAnd(pair)
                case 1:
                    return ir.LabelNot(pair[0])
                case 2 if kind is Kind.NODE:
                    return ir.LabelAny()
            return ir.LabelOr(pair)
        return ir.LabelName(self.rng.choice(names))

    def _quantifier(self, depth: int) -> ir.Expr:
        items, item = self.some_list(depth)
        name = self.fresh("x")
        with self.inside(**{name: item}):
            where = self.condition(depth)
        return ir.Quantifier(self.rng.choice(list(ir.QuantifierKind)), name, items, where)

    def _same_element(self, depth: int) -> ir.Expr | None:
        kind = self.rng.choice([NODE, EDGE])
        if not self.variables(kind.kind):
            return None
        operator = self.rng.choice([ir.CompareOp.EQ, ir.CompareOp.NE])
        return ir.Compare(operator, self.expr(kind, depth), self.expr(kind, depth))

    def _empty(self, depth: int) -> ir.Expr:
        shown = self.expr(STRING, depth) if self.chance(0.5) else self.some_list(depth)[0]
        return ir.Call("isEmpty", (shown,))

    def _to_boolean(self, depth: int) -> ir.Expr:
        return ir.Call("toBoolean", (self.expr(STRING, depth),))

    # --- elements, maps --------------------------------------------------------------------

    def _end_node(self, depth: int) -> ir.Expr | None:
        names = self.variables(Kind.EDGE)
        if not names:
            return None
        return ir.Call(self.rng.choice(["startNode", "endNode"]), (ir.Var(self.rng.choice(names)),))

    def _of_path(self, function: str) -> ir.Expr | None:
        names = self.variables(Kind.PATH)
        if not names:
            return None
        listed = ir.Call(function, (ir.Var(self.rng.choice(names)),))
        if self.chance(0.5):
            return ir.Call(self.rng.choice(["head", "last"]), (listed,))
        return ir.Index(listed, ir.Literal(self.rng.choice([0, 1, -1])))

    def _node_of_path(self, depth: int) -> ir.Expr | None:
        return self._of_path("nodes")

    def _edge_of_path(self, depth: int) -> ir.Expr | None:
        return self._of_path("relationships")

    def _map(self, depth: int) -> ir.Expr:
        return ir.MapOf(tuple(ir.Entry(key, self.expr(shape, depth)) for key, shape in MAP.fields))

    def _projection(self, depth: int) -> ir.Expr | None:
        names = self.variables(Kind.NODE)
        if not names:
            return None
        entries = tuple(ir.Entry(key, self.expr(shape, depth)) for key, shape in MAP.fields)
        return ir.MapProjection(ir.Var(self.rng.choice(names)), entries)

    # --- lists -----------------------------------------------------------------------------

    def _list(self, want: Shape, depth: int) -> ir.Expr | None:
        item = want.item or INTEGER
        match self.rng.randint(0, 8):
            case 0 if item == INTEGER:
                bounds = [
                    ir.Literal(self.rng.choice([0, 1, 3])),
                    ir.Literal(self.rng.choice([2, 4, -1])),
                ]
                step = [ir.Literal(self.rng.choice([1, 2, -1]))] if self.chance(0.4) else []
                return ir.Call("range", (*bounds, *step))
            case 0 if item == STRING:
                return ir.Call("split", (self.expr(STRING, depth), ir.Literal(" ")))
            case 0 | 1 | 2 if item in (NODE, EDGE) and self.variables(Kind.PATH):
                name = "nodes" if item == NODE else "relationships"
                return ir.Call(name, (ir.Var(self.rng.choice(self.variables(Kind.PATH))),))
            case 1 | 2:
                return self._comprehension(want, item, depth)
            case 3:
                return ir.Call(self.rng.choice(["tail", "reverse"]), (self.expr(want, depth),))
            case 4:
                return self._slice(want, depth)
            case 5:
                return ir.Arith(ir.ArithOp.ADD, self.expr(want, depth), self.expr(want, depth))
            case 6 if item not in (NODE, EDGE, PATH):
                pair = [self.expr(want, depth), self.expr(item, depth)]
                self.rng.shuffle(pair)
                return ir.Arith(ir.ArithOp.ADD, *pair)
            case 7 if item == INTEGER:
                return ir.Call("toIntegerList", (self.list_of(STRING, depth),))
        count = self.rng.randint(1, 3)
        return ir.ListOf(tuple(self.expr(item, depth) for _ in range(count)))

    def _slice(self, want: Shape, depth: int) -> ir.Expr:
        lo, hi = (
            ir.Literal(self.rng.choice([0, 1, 2, -1, -2])) if self.chance(0.7) else None
            for _ in range(2)
        )
        return ir.Slice(self.expr(want, depth), lo or (None if hi else ir.Literal(1)), hi)

    def _comprehension(self, want: Shape, item: Shape, depth: int) -> ir.Expr:
        known = self.list_variable()
        source: Shape = item
        if known and not self.scope[_name(known[0])].loose:
            items, source = known
        else:
            source = self.scalar() if self.chance(0.4) else item
            items = self.list_of(source, depth)
        name = self.fresh("x")
        with self.inside(**{name: source}):
            where = self.condition(depth) if self.chance(0.5) else None
            same = source == item and self.chance(0.4)
            result = None if same else self.expr(item, depth)
        if where is None and result is None:
            result = self.leaf(item)
        return ir.ListComp(name, items, where, result)

    def list_variable(self) -> tuple[ir.Expr, Shape] | None:
        """A list in scope, loose ones too, and the shape of its items."""
        lists = [(n, s.item) for n, s in self.scope.items() if s.kind is Kind.LIST and s.item]
        if not lists:
            return None
        name, item = self.rng.choice(lists)
        return ir.Var(name), item

    def some_list(self, depth: int) -> tuple[ir.Expr, Shape]:
        """Any list, of which only what does not depend on its order may be asked."""
        known = self.list_variable()
        if known and self.chance(0.5):
            return known
        if self.chance(0.25):
            loose = self.loose_list(depth)
            if loose is not None:
                return loose
        item = self.scalar()
        return self.list_of(item, depth), item

    def loose_list(self, depth: int) -> tuple[ir.Expr, Shape] | None:
        """A list without a fixed order."""
        nodes, edges = self.variables(Kind.NODE), self.variables(Kind.EDGE)
        if nodes and self.chance(0.3):
            name = self.rng.choice(["labels", "keys"])
            return ir.Call(name, (ir.Var(self.rng.choice(nodes)),)), STRING
        if edges and self.chance(0.3):
            return ir.Call("keys", (ir.Var(self.rng.choice(edges)),)), STRING
        if self.chance(0.6):
            return self.pattern_comprehension(depth)
        return self.collect_of(depth)

    # --- what patterns and statements add ---------------------------------------------------

    def _exists(self, depth: int) -> ir.Expr | None:
        raise NotImplementedError

    def _count_of(self, depth: int) -> ir.Expr | None:
        raise NotImplementedError

    def _searched_length(self, depth: int) -> ir.Expr | None:
        raise NotImplementedError

    def pattern_comprehension(self, depth: int) -> tuple[ir.Expr, Shape] | None:
        raise NotImplementedError

    def collect_of(self, depth: int) -> tuple[ir.Expr, Shape] | None:
        raise NotImplementedError


def _name(variable: ir.Expr) -> str:
    return variable.name if isinstance(variable, ir.Var) else ""
