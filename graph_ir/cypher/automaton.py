"""The LALR automaton: a text is read token by token, each rule becomes what its method returns."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from graph_ir import nodes as ir
from graph_ir.cypher.scanning import QueryText, Token
from graph_ir.cypher.tables import Tables
from graph_ir.walk import children
from graphmill.errors import QueryTextError

MAX_DEPTH = 150
"""Statements that nest deeper are refused; a chain of operators or UNIONs nests nothing."""

MAX_LEVELS = 300
"""Statements whose IR has more levels, chains included, are refused, so that no later recursion
can overflow: Python 3.12 compares some 350 dataclasses inside of each other, 3.13 thousands."""

CHAINED = f"The query chains more than {MAX_LEVELS} operators or UNIONs: split it."

_FRAMES = 12 * MAX_LEVELS
# What visits a level takes some 3 to 10 frames of Python, which lie on no stack of C.
sys.setrecursionlimit(max(sys.getrecursionlimit(), _FRAMES))

type Production = tuple[str, int, Callable[[list[Any]], Any] | None, tuple[int, ...]]
type Tokens = Callable[[QueryText, list[int]], Iterator[Token]]
type Unexpected = Callable[[Token, Tables, list[int]], QueryTextError]


def productions(
    table: Tables, method: Callable[[str], Callable[[list[Any]], Any]]
) -> tuple[Production, ...]:
    """The rules of a grammar with the methods that build what they stand for."""
    return tuple(
        (r.origin, r.size, method(r.callback) if r.callback else None, r.absent)
        for r in table.rules
    )


def run(
    text: str,
    table: Tables,
    productions: tuple[Production, ...],
    tokens: Tokens,
    unexpected: Unexpected,
) -> Any:
    """Shift and reduce until the end is reached; `tokens` may look at the stack of states.

    Raises:
        QueryTextError: the text is not of the language, or a method says so.
    """
    states, end, passed = table.states, table.end, table.passed
    stack = [0]
    values: list[Any] = []
    for token in tokens(QueryText(text), stack):
        kind = token.type
        while True:
            action = states[stack[-1]].get(kind)
            if action is None:
                raise unexpected(token, table, stack)
            if action >= 0:
                stack.append(action)
                values.append(token)
                break
            origin, size, callback, absent = productions[~action]
            if callback is None:
                # Rules through which a value passes: they follow from the state below it alone.
                place = stack[-2], stack[-1], kind
                target = passed.get(place)
                if target is None:
                    target = passed[place] = _passed(table, productions, *place)
                stack[-1] = target
            else:
                if size == 1:
                    parts = [values.pop()]
                    del stack[-1]
                else:
                    parts = values[-size:]
                    del stack[-size:], values[-size:]
                for at in absent:
                    parts.insert(at, None)
                values.append(callback(parts))
                stack.append(states[stack[-1]][origin])
            if stack[-1] == end:
                return values[-1]
    raise AssertionError("the last token is the end")


def _passed(
    table: Tables, productions: tuple[Production, ...], below: int, state: int, kind: str
) -> int:
    """The state behind all rules that do nothing but pass a value on, when `kind` comes next."""
    while state != table.end:
        action = table.states[state].get(kind)
        if action is None or action >= 0 or productions[~action][2] is not None:
            break
        state = table.states[below][productions[~action][0]]
    return state


def check_depth(statement: ir.Statement) -> None:
    """Refuse a statement that is nested so deeply that a recursion over it could overflow.

    Raises:
        QueryTextError: it nests deeper than `MAX_DEPTH`, or has more than `MAX_LEVELS` levels.
    """
    if below(statement, MAX_DEPTH) is None:
        return
    if (nested := _nested(statement)) is not None:
        message = f"The query is nested deeper than {MAX_DEPTH} levels."
    elif (nested := below(statement, MAX_LEVELS)) is not None:
        message = CHAINED
    else:
        return
    span = nested.span
    raise QueryTextError(
        message,
        code="nesting-too-deep",
        line=span.line if span else 1,
        column=span.column if span else 1,
    )


def below(statement: ir.Statement, levels: int) -> ir.Node | None:
    """A node that lies under so many levels of IR; None where there is none."""
    level: list[ir.Node] = [statement]
    for _ in range(levels):
        level = [child for node in level for child in children(node)]
        if not level:
            return None
    return level[0]


def _nested(statement: ir.Statement) -> ir.Node | None:
    """A node that is nested deeper than `MAX_DEPTH`, where what a chain joins stands side by side:
    `a + b + c` joins three operands, though its IR is `(a + b) + c`."""
    waiting: list[tuple[ir.Node, int]] = [(statement, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > MAX_DEPTH:
            return node
        first = node.left if isinstance(node, ir.Arith | ir.Union) else None
        for child in children(node):
            chained = child is first and type(child) is type(node)
            waiting.append((child, depth if chained else depth + 1))
    return None
