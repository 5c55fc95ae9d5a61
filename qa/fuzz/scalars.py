"""Random numbers, strings and temporal values."""

from __future__ import annotations

from graph_ir import nodes as ir
from qa.fuzz.drawing import Drawing
from qa.fuzz.shapes import (
    DATE,
    DATETIME,
    DURATION,
    FLOAT,
    INTEGER,
    MAP,
    SCALARS,
    STRING,
    TIME,
    ZONED,
    Shape,
)
from schemagraph.model import Kind

_DAY_PARTS = ("year", "month", "day", "quarter", "week", "dayOfWeek", "ordinalDay", "weekYear")
_CLOCK_PARTS = ("hour", "minute", "second", "millisecond")
_SPAN_PARTS = ("months", "days", "seconds", "monthsOfYear", "hours")
_UNITS = ("year", "quarter", "month", "week", "day")


class Scalars(Drawing):
    """Makers of scalar values that are no booleans."""

    # --- numbers ---------------------------------------------------------------------------

    def _sum(self, depth: int) -> ir.Expr:
        operator = self.rng.choice([ir.ArithOp.ADD, ir.ArithOp.SUB])
        return ir.Arith(operator, self.expr(INTEGER, depth), self.expr(INTEGER, depth))

    def _product(self, depth: int) -> ir.Expr:
        return ir.Arith(ir.ArithOp.MUL, self.expr(INTEGER, depth), self.expr(INTEGER, depth))

    def _division(self, depth: int) -> ir.Expr:
        operator = self.rng.choice([ir.ArithOp.DIV, ir.ArithOp.MOD])
        divisor = ir.Literal(self.rng.choice([2, 3, -2, 10]))
        return ir.Arith(operator, self.expr(INTEGER, depth), divisor)

    def _negative(self, depth: int) -> ir.Expr | None:
        arg = self.expr(INTEGER, depth)
        return None if isinstance(arg, ir.Literal) else ir.Neg(arg)

    def _size(self, depth: int) -> ir.Expr:
        shown = self.expr(STRING, depth) if self.chance(0.3) else self.some_list(depth)[0]
        return ir.Call("size", (shown,))

    def _absolute(self, depth: int) -> ir.Expr:
        name = self.rng.choice(["abs", "sign"])
        return ir.Call(name, (self.expr(INTEGER, depth),))

    def _to_integer(self, depth: int) -> ir.Expr:
        shape = self.rng.choice([STRING, STRING, FLOAT, INTEGER])
        return ir.Call("toInteger", (self.expr(shape, depth),))

    def _length(self, depth: int) -> ir.Expr | None:
        names = self.variables(Kind.PATH, loose=True)
        return ir.Call("length", (ir.Var(self.rng.choice(names)),)) if names else None

    def _component(self, depth: int) -> ir.Expr:
        shape = self.rng.choice([DATE, TIME, DATETIME, ZONED, DURATION])
        parts = {DATE: _DAY_PARTS, TIME: _CLOCK_PARTS, DURATION: _SPAN_PARTS}
        keys = parts.get(shape, (*_DAY_PARTS[:3], *_CLOCK_PARTS))
        return ir.Prop(self.expr(shape, depth), self.rng.choice(keys))

    def _reduce(self, depth: int) -> ir.Expr:
        total, name = self.fresh("t"), self.fresh("x")
        items = self.list_of(INTEGER, depth)
        with self.inside(**{total: INTEGER, name: INTEGER}):
            step = ir.Arith(ir.ArithOp.ADD, ir.Var(total), self.expr(INTEGER, depth))
        return ir.Reduce(total, self.leaf(INTEGER), name, items, step)

    def _field(self, depth: int) -> ir.Expr:
        return ir.Prop(self.expr(MAP, max(depth, 1)), "a")

    def _float_sum(self, depth: int) -> ir.Expr:
        other = self.rng.choice([FLOAT, INTEGER])
        operator = self.rng.choice([ir.ArithOp.ADD, ir.ArithOp.SUB, ir.ArithOp.MUL])
        return ir.Arith(operator, self.expr(FLOAT, depth), self.expr(other, depth))

    def _float_division(self, depth: int) -> ir.Expr:
        divisor = ir.Literal(self.rng.choice([2.0, 0.5, -4.0]))
        other = self.rng.choice([FLOAT, INTEGER])
        return ir.Arith(ir.ArithOp.DIV, self.expr(other, depth), divisor)

    def _to_float(self, depth: int) -> ir.Expr:
        shape = self.rng.choice([STRING, INTEGER, FLOAT])
        return ir.Call("toFloat", (self.expr(shape, depth),))

    def _rounded(self, depth: int) -> ir.Expr:
        name = self.rng.choice(["ceil", "floor", "round"])
        return ir.Call(name, (self.expr(FLOAT, depth),))

    def _power(self, depth: int) -> ir.Expr:
        return ir.Arith(ir.ArithOp.POW, self.leaf(INTEGER), ir.Literal(self.rng.choice([0, 1, 2])))

    def _negative_float(self, depth: int) -> ir.Expr | None:
        arg = self.expr(FLOAT, depth)
        return None if isinstance(arg, ir.Literal) else ir.Neg(arg)

    def _absolute_float(self, depth: int) -> ir.Expr:
        return ir.Call("abs", (self.expr(FLOAT, depth),))

    # --- strings ---------------------------------------------------------------------------

    def _concat(self, depth: int) -> ir.Expr:
        return ir.Arith(ir.ArithOp.ADD, self.expr(STRING, depth), self.expr(STRING, depth))

    def _joined_number(self, depth: int) -> ir.Expr:
        pair = [self.expr(STRING, depth), self.expr(INTEGER, depth)]
        self.rng.shuffle(pair)
        return ir.Arith(ir.ArithOp.ADD, *pair)

    def _case_of_text(self, depth: int) -> ir.Expr:
        name = self.rng.choice(["toLower", "toUpper", "trim", "ltrim", "rtrim", "reverse"])
        return ir.Call(name, (self.expr(STRING, depth),))

    def _part_of_text(self, depth: int) -> ir.Expr:
        name = self.rng.choice(["left", "right", "substring"])
        size = [ir.Literal(self.rng.choice([0, 1, 2, 9]))]
        if name == "substring" and self.chance(0.5):
            size.append(ir.Literal(self.rng.choice([0, 1, 2])))
        return ir.Call(name, (self.expr(STRING, depth), *size))

    def _replace(self, depth: int) -> ir.Expr:
        old, new = self.rng.choice(["a", "b", "nn", "x"]), self.rng.choice(["", "z", "aa"])
        return ir.Call("replace", (self.expr(STRING, depth), ir.Literal(old), ir.Literal(new)))

    def _to_string(self, depth: int) -> ir.Expr:
        shape = self.rng.choice([INTEGER, *SCALARS])
        return ir.Call("toString", (self.expr(shape, depth),))

    def _type(self, depth: int) -> ir.Expr | None:
        names = self.variables(Kind.EDGE)
        return ir.Call("type", (ir.Var(self.rng.choice(names)),)) if names else None

    def _string_field(self, depth: int) -> ir.Expr:
        base = self.expr(MAP, max(depth, 1))
        return ir.Index(base, ir.Literal("b")) if self.chance(0.3) else ir.Prop(base, "b")

    # --- temporal values -------------------------------------------------------------------

    def _shifted(self, shape: Shape, depth: int) -> ir.Expr:
        operator = self.rng.choice([ir.ArithOp.ADD, ir.ArithOp.SUB])
        return ir.Arith(operator, self.expr(shape, depth), self.expr(DURATION, depth))

    def _shifted_date(self, depth: int) -> ir.Expr:
        return self._shifted(DATE, depth)

    def _shifted_datetime(self, depth: int) -> ir.Expr:
        return self._shifted(DATETIME, depth)

    def _shifted_zoned(self, depth: int) -> ir.Expr:
        return self._shifted(ZONED, depth)

    def _truncated(self, depth: int) -> ir.Expr:
        unit = ir.Literal(self.rng.choice(_UNITS))
        shape = self.rng.choice([DATE, DATETIME])
        return ir.Call("date.truncate", (unit, self.expr(shape, depth)))

    def _day_of(self, depth: int) -> ir.Expr:
        return ir.Call("date", (self.expr(self.rng.choice([DATETIME, ZONED]), depth),))

    def _date_of_parts(self, depth: int) -> ir.Expr:
        parts = {"year": ir.Literal(self.rng.choice([2019, 2020])), "month": ir.Literal(2)}
        day = {"day": ir.Literal(28)} if self.chance(0.7) else {}
        entries = tuple(ir.Entry(name, value) for name, value in {**parts, **day}.items())
        return ir.Call("date", (ir.MapOf(entries),))

    def _time_of(self, depth: int) -> ir.Expr:
        return ir.Call("localtime", (self.expr(DATETIME, depth),))

    def _midnight(self, depth: int) -> ir.Expr:
        unit = ir.Literal(self.rng.choice(["day", "hour", "month"]))
        return ir.Call("localdatetime.truncate", (unit, self.expr(DATETIME, depth)))

    def _between(self, depth: int) -> ir.Expr:
        shape = self.rng.choice([DATE, DATETIME])
        name = self.rng.choice(["between", "inDays", "inSeconds", "inMonths"])
        pair = (self.expr(shape, depth), self.expr(shape, depth))
        return ir.Call(f"duration.{name}", pair)

    def _span_sum(self, depth: int) -> ir.Expr:
        operator = self.rng.choice([ir.ArithOp.ADD, ir.ArithOp.SUB])
        return ir.Arith(operator, self.expr(DURATION, depth), self.expr(DURATION, depth))

    def _span_product(self, depth: int) -> ir.Expr:
        factor = ir.Literal(self.rng.choice([2, 3, -1]))
        return ir.Arith(ir.ArithOp.MUL, self.expr(DURATION, depth), factor)

    def some_list(self, depth: int) -> tuple[ir.Expr, Shape]:
        raise NotImplementedError
