"""Expressions that the rewrites for grafeo are made of.

A call whose name begins with `=` is a function of grafeo's own, by grafeo's meaning of it and not
by Cypher's: no text can hold such a name. Both profiles print it as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.lowerings import aggregates
from schemagraph.model import ANY, Kind, Type

TRUE = ir.Literal(True)
FALSE = ir.Literal(False)
NULL = ir.Literal(None)
ONE = ir.Literal(1)
NOT_A_NUMBER = ir.Arith(ir.ArithOp.DIV, ir.Literal(0.0), ir.Literal(0.0), type=Type(Kind.FLOAT))
FAILS = ir.Arith(ir.ArithOp.DIV, ONE, ir.Literal(0), type=Type(Kind.INTEGER))
"""What grafeo raises an error for: where an answer would be a guess."""


def own(name: str, *args: ir.Expr, kind: Kind = Kind.ANY) -> ir.Call:
    """A function of grafeo by its own meaning."""
    return ir.Call(f"={name}", args, type=Type(kind))


def matches(text: ir.Expr, pattern: str) -> ir.Expr:
    """`text =~ pattern`, in the language of patterns that grafeo has (Rust's)."""
    return own("~", text, ir.Literal(pattern), kind=Kind.BOOLEAN)


def case(*branches: tuple[ir.Expr, ir.Expr], default: ir.Expr, type: Type = ANY) -> ir.Case:
    """CASE WHEN … THEN … ELSE default END."""
    whens = tuple(ir.When(condition, result) for condition, result in branches)
    return ir.Case(whens, default, type=type)


def either(*tests: ir.Expr) -> ir.Expr:
    """The tests joined by OR."""
    return tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.OR, tests)


def both(*tests: ir.Expr) -> ir.Expr:
    """The tests joined by AND."""
    return tests[0] if len(tests) == 1 else ir.Bool(ir.BoolOp.AND, tests)


def equal(left: ir.Expr, right: ir.Expr) -> ir.Compare:
    """`left = right`."""
    return ir.Compare(ir.CompareOp.EQ, left, right)


def with_value(
    value: ir.Expr, free: Iterator[str], body: Callable[[ir.Expr], ir.Expr], kind: Kind
) -> ir.Expr:
    """What `body` makes of a value, which is computed once and named: `[x IN [v] | body][0]`."""
    if isinstance(value, ir.Var | ir.Prop | ir.Literal | ir.Param) or aggregates(value):
        return body(value)
    name = ir.Var(next(free), type=value.type)
    return ir.Call("=let", (name, value, body(name)), type=Type(kind))


def numbers_to(last: ir.Expr) -> ir.Call:
    """The numbers from 0 to `last`."""
    numbers = own("range", ir.Literal(0), last)
    return replace(numbers, type=Type(Kind.LIST, Type(Kind.INTEGER, nullable=False)))
