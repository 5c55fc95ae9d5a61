"""The constants that queries compare properties with: what data has to hold to be found."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from graph_ir import nodes as ir
from graph_ir.walk import find


def constants(statements: Iterable[ir.Statement]) -> dict[str, list[Any]]:
    """property -> constants that queries compare it with."""
    pool: dict[str, list[Any]] = defaultdict(list)
    for statement in statements:
        for part in find(statement, ir.Node):
            for key, value in _compared(part):
                if isinstance(value, ir.Literal) and value.value is not None:
                    pool[key].append(value.value)
                elif isinstance(value, ir.Call) and value.args:
                    first = value.args[0]
                    if isinstance(first, ir.Literal):
                        pool[key].append(first.value)
    return pool


def _compared(part: ir.Node) -> Iterable[tuple[str, ir.Expr]]:
    match part:
        case ir.Compare(left=ir.Prop() as left) | ir.Text(left=ir.Prop() as left):
            yield left.key, part.right
        case ir.In(item=ir.Prop() as item, list=ir.ListOf() as listed):
            for value in listed.items:
                yield item.key, value
        case ir.In(list=ir.Prop() as listed):
            yield listed.key, part.item
        case ir.NodePattern(props=ir.MapOf() as props) | ir.EdgePattern(props=ir.MapOf() as props):
            for entry in props.entries:
                yield entry.key, entry.value
        case _:
            return


def most_frequent(statements: Iterable[ir.Statement], most: int) -> dict[str, list[Any]]:
    """property -> the constants that most queries compare it with, at most so many.

    >>> from graph_ir.cypher.reader import parse
    >>> most_frequent([parse("MATCH (n {a: 1}) WHERE n.b IN ['x', 'y'] RETURN n")], 1)
    {'a': [1], 'b': ['x']}
    """
    by_property = constants(statements)
    return {
        key: [constant.value for constant, _ in Counter(map(ir.Literal, values)).most_common(most)]
        for key, values in by_property.items()
    }


def holds_huge(expr: ir.Expr) -> bool:
    """Whether a number is written in an expression that no integer of 64 bits reaches."""
    numbers = (each.value for each in find(expr, ir.Literal))
    return any(isinstance(number, float) and abs(number) >= 2**63 for number in numbers)
