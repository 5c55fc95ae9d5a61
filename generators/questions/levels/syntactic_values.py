"""Values and conditions in an engineer's words, for every expression of the IR."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from generators.questions.author import NotExpressible
from generators.questions.plan.constants import FLIPPED, OPPOSITE, constant, duration_text, tested
from graph_ir import nodes as ir
from graphmill.english.inflection import listing

type Scope = dict[str, str]

_AGGREGATES = {
    "avg": "average",
    "min": "minimum",
    "max": "maximum",
    "collect": "list",
    "stDev": "standard deviation",
    "stDevP": "population standard deviation",
}
_COMPARED = {
    ir.CompareOp.EQ: "is {}",
    ir.CompareOp.NE: "is not {}",
    ir.CompareOp.GT: "is more than {}",
    ir.CompareOp.GE: "is at least {}",
    ir.CompareOp.LT: "is less than {}",
    ir.CompareOp.LE: "is at most {}",
}
_DATED = {
    ir.CompareOp.GT: "is after {}",
    ir.CompareOp.GE: "is on or after {}",
    ir.CompareOp.LT: "is before {}",
    ir.CompareOp.LE: "is on or before {}",
}
_ARITHMETIC = {
    ir.ArithOp.ADD: "plus",
    ir.ArithOp.SUB: "minus",
    ir.ArithOp.MUL: "times",
    ir.ArithOp.DIV: "divided by",
    ir.ArithOp.MOD: "modulo",
    ir.ArithOp.POW: "to the power of",
}
_CALLS = {
    "size": "the size of {}",
    "length": "the length of {}",
    "char_length": "the length of {}",
    "nodes": "the nodes of {}",
    "relationships": "the edges of {}",
    "head": "the first item of {}",
    "last": "the last item of {}",
    "toLower": "{} in lower case",
    "toUpper": "{} in upper case",
    "toString": "{} as text",
    "toFloat": "{} as a float",
    "toInteger": "{} as an integer",
    "abs": "the absolute value of {}",
    "round": "{} rounded",
    "floor": "{} rounded down",
    "ceil": "{} rounded up",
    "id": "the id of {}",
    "elementId": "the element id of {}",
    "labels": "the labels of {}",
    "type": "the type of {}",
    "trim": "{} trimmed",
    "startNode": "the start node of {}",
    "endNode": "the end node of {}",
    "date": "the date of {}",
}
_CALLS_OF_TWO = {
    "round": "{} rounded to {} decimal places",
    "coalesce": "{} or else {}",
    "left": "the first {1} characters of {0}",
    "right": "the last {1} characters of {0}",
    "split": "{} split at {}",
    "duration.between": "the duration between {} and {}",
    "duration.inDays": "the duration in days between {} and {}",
    "duration.inMonths": "the duration in months between {} and {}",
    "duration.inSeconds": "the duration in seconds between {} and {}",
    "range": "the range from {} to {}",
}


_QUANTIFIED = {
    ir.QuantifierKind.ALL: "every",
    ir.QuantifierKind.ANY: "at least one",
    ir.QuantifierKind.NONE: "no",
    ir.QuantifierKind.SINGLE: "exactly one",
}


class _Patterns(Protocol):
    """What the other half of the engineer knows: patterns and statements."""

    expected: Counter[str]

    def statement(self, statement: ir.Statement, outer: Scope) -> str: ...
    def path(self, path: ir.Path, scope: Scope) -> str: ...


class Values(_Patterns):
    """Noun phrases for values, clauses for conditions."""

    # --- values --------------------------------------------------------------------------

    def np(self, expr: ir.Expr, scope: Scope) -> str:
        """A noun phrase for a value."""
        value = constant(expr)
        if value is not None:
            if value.moment == "duration":
                return f"a duration of {duration_text(str(value.value))}"
            return "null" if value.value is None else value.text()
        match expr:
            case ir.Var(name):
                return scope.get(name, name)
            case ir.Prop(base, key):
                owner = self.np(base, scope)
                return f"{owner}'s {key}" if isinstance(base, ir.Var) else f"the {key} of {owner}"
            case ir.Agg():
                return self._aggregate(expr, scope)
            case ir.Arith(op, left, right):
                return (
                    f"{self._operand(left, scope)} {_ARITHMETIC[op]} {self._operand(right, scope)}"
                )
            case ir.Neg(arg):
                return f"minus {self.np(arg, scope)}"
            case ir.Call():
                return self._call(expr, scope)
            case ir.Case():
                return self._case(expr, scope)
            case ir.ListOf(items):
                return f"[{', '.join(self.np(item, scope) for item in items)}]"
            case ir.Index(base, index):
                return f"item {self.np(index, scope)} of {self.np(base, scope)}"
            case ir.Slice(base, lo, hi):
                ends = [
                    f" {w} item {self.np(e, scope)}" for w, e in (("from", lo), ("up to", hi)) if e
                ]
                return f"the slice of {self.np(base, scope)}{''.join(ends)}"
            case _:
                return self._composed(expr, scope)

    def _composed(self, expr: ir.Expr, scope: Scope) -> str:
        """Values with variables or queries of their own."""
        match expr:
            case ir.ListComp(var, items, where, result):
                inner = {**scope, var: var}
                test = f" where {self.clause(where, inner)}" if where is not None else ""
                shown = self.np(result, inner) if result is not None else var
                return f"the list of {shown} for each {var} in {self.np(items, scope)}{test}"
            case ir.PatternComp(path, result, where):
                inner = dict(scope)
                pattern = self.path(path, inner)
                test = f" where {self.clause(where, inner)}" if where is not None else ""
                return f"the list of {self.np(result, inner)} over matches of {pattern}{test}"
            case ir.Reduce(acc, init, var, items, step):
                inner = {**scope, acc: acc, var: var}
                start = f"starting with {acc} as {self.np(init, scope)}"
                each = f"for each {var} in {self.np(items, scope)}"
                return f"the reduction of {self.np(step, inner)} {each}, {start}"
            case ir.PathExpr(path):
                return self.path(path, dict(scope))
            case ir.CountOf(query):
                return f"the count of matches in a subquery ({self.statement(query, scope)})"
            case ir.CollectOf(query):
                return f"the list collected by a subquery ({self.statement(query, scope)})"
            case ir.MapOf(entries):
                pairs = listing([f"{e.key} {self.np(e.value, scope)}" for e in entries])
                return f"a map of {pairs}"
            case ir.MapProjection(base, entries, whole):
                parts = [f"{e.key} {self.np(e.value, scope)}" for e in entries]
                parts += ["all properties"] if whole else []
                return f"a map of {self.np(base, scope)} with {listing(parts)}"
            case ir.Compare() | ir.Bool() | ir.Not() | ir.IsNull() | ir.In() | ir.Text():
                return f"whether {self.clause(expr, scope)}"
            case ir.Exists() | ir.LabelTest() | ir.Quantifier():
                return f"whether {self.clause(expr, scope)}"
        raise NotExpressible(type(expr).__name__)

    def _operand(self, expr: ir.Expr, scope: Scope) -> str:
        text = self.np(expr, scope)
        return f"({text})" if isinstance(expr, ir.Arith | ir.Case) else text

    def _aggregate(self, agg: ir.Agg, scope: Scope) -> str:
        distinct = "distinct values of " if agg.distinct else ""
        if agg.name == "count" and not agg.args:
            return "the count of rows"
        operand = self.np(agg.args[0], scope)
        if agg.name.startswith("percentile"):
            return (
                f"the {self.np(agg.args[1], scope)} percentile ({agg.name}) of {distinct}{operand}"
            )
        return f"the {_AGGREGATES.get(agg.name, agg.name)} of {distinct}{operand}"

    def _call(self, expr: ir.Call, scope: Scope) -> str:
        args = [self.np(arg, scope) for arg in expr.args]
        if len(args) == 1 and expr.name in _CALLS:
            return _CALLS[expr.name].format(*args)
        if len(args) == 2 and expr.name in _CALLS_OF_TWO:
            return _CALLS_OF_TWO[expr.name].format(*args)
        return f"{expr.name} of {listing(args)}" if args else f"the result of {expr.name}"

    def _case(self, expr: ir.Case, scope: Scope) -> str:
        parts = []
        for when in expr.whens:
            test = when.condition
            if expr.operand is not None:
                test = ir.Compare(ir.CompareOp.EQ, expr.operand, test)
            parts.append(f"{self.np(when.result, scope)} when {self.clause(test, scope)}")
        default = "null" if expr.default is None else self.np(expr.default, scope)
        return f"({', '.join(parts)}, else {default})"

    # --- conditions ----------------------------------------------------------------------

    def clause(self, expr: ir.Expr, scope: Scope, *, negated: bool = False) -> str:
        """A condition with subject and verb."""
        no = "not " if negated else ""
        match expr:
            case ir.Not(arg):
                return self.clause(arg, scope, negated=not negated)
            case ir.Bool(op, args):
                return self._connected(op, args, scope, negated=negated)
            case ir.Compare(op, left, right):
                return self._comparison(OPPOSITE[op] if negated else op, left, right, scope)
            case ir.Text(op, left, right):
                verb = tested(op, self.np(right, scope), folded=False, negated=negated)
                return f"{self.np(left, scope)} {verb}"
            case ir.In(item, items):
                return f"{self.np(item, scope)} is {no}in {self.np(items, scope)}"
            case ir.IsNull(arg, known):
                return f"{self.np(arg, scope)} is {'not ' if known is not negated else ''}null"
            case ir.Exists(query):
                start = "no match exists for" if negated else "a match exists for"
                return f"{start} {self._existing(query, scope)}"
            case ir.Quantifier(kind, var, items, where):
                test = self.clause(where, {**scope, var: var})
                quantified = (
                    f"for {_QUANTIFIED[kind]} {var} in {self.np(items, scope)} it holds that {test}"
                )
                return f"it is not the case that {quantified}" if negated else quantified
            case ir.LabelTest(arg, ir.LabelName(name)):
                return f"{self.np(arg, scope)} is {no}labelled {name}"
        return f"{self.np(expr, scope)} is {'false' if negated else 'true'}"

    def _existing(self, query: ir.Statement, scope: Scope) -> str:
        text = self.statement(query, scope)
        text = text.removeprefix("match ")
        return f"({text})" if "; " in text or " where " in text else text

    def _comparison(self, op: ir.CompareOp, left: ir.Expr, right: ir.Expr, scope: Scope) -> str:
        if constant(left) is not None and constant(right) is None:
            left, right, op = right, left, FLIPPED[op]
        value = constant(right)
        dated = (
            value is not None
            and bool(value.moment)
            and value.moment not in ("duration", "parameter")
        )
        table = _DATED if dated and op in _DATED else _COMPARED
        return f"{self.np(left, scope)} {table[op].format(self.np(right, scope))}"

    def _connected(
        self, op: ir.BoolOp, args: tuple[ir.Expr, ...], scope: Scope, *, negated: bool
    ) -> str:
        if op is ir.BoolOp.XOR:
            text = listing([self.clause(arg, scope) for arg in args], "or")
            return f"{'not ' if negated else ''}exactly one of {text} holds"
        both = (op is ir.BoolOp.AND) is not negated
        parts = []
        for arg in args:
            text = self.clause(arg, scope, negated=negated)
            inner = isinstance(arg, ir.Bool) and arg.op is not op
            parts.append(f"({text})" if inner else text)
        return listing(parts, "and") if both else f"either {listing(parts, 'or')}"
