"""Cypher text to Graph-IR: `parse`.

openCypher 9, reads and writes, the read constructs of Neo4j 5, and Cypher 25's LET and FILTER. The
grammar is cypher.lark; the result is not checked against scopes, types or a schema, which
`graph_ir.bind` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, cast

from graph_ir import nodes as ir
from graph_ir.cypher.build import Build
from graph_ir.cypher.errors import located
from graph_ir.cypher.hints import unexpected
from graph_ir.cypher.lexer import Source, tokens
from graph_ir.cypher.options import server_option, with_option
from graph_ir.cypher.scope import expand_stars
from graph_ir.cypher.tables import tables
from graph_ir.walk import children
from graphmill.errors import QueryTextError
from graphmill.json_lines import check_unicode

_STARS = re.compile(r"\*|\b(?:LET|FILTER)\b", re.IGNORECASE)
"""What may become `*` in a projection."""

MAX_DEPTH = 150
"""Statements whose IR is deeper are refused, so that no later recursion can overflow."""


def parse(text: str) -> ir.Statement:
    """The Graph-IR of one Cypher statement.

    >>> parse("MATCH (n:Person) RETURN n.name").clauses[1].items[0].alias
    'n.name'

    Raises:
        QueryTextError: the text is no Cypher statement; line, column and a caret say where.
    """
    check_unicode(text)
    option = server_option(text)
    try:
        statement = cast(ir.Statement, _run(option.rest if option else text))
        if len(text) > MAX_DEPTH:
            _check_depth(statement)
    except QueryTextError as problem:
        if "\n" in str(problem):
            raise
        raise located(text, problem) from None
    if option:
        statement = with_option(statement, option.clause)
    if _STARS.search(text):
        statement = expand_stars(statement)
    return statement


@lru_cache(maxsize=2048)
def parsed(text: str) -> ir.Statement:
    """`parse`, remembered: statements never change, so that all who read a text share one.

    Raises:
        QueryTextError: as `parse`.
    """
    return parse(text)


type _Production = tuple[str, int, Callable[[list[Any]], Any] | None, tuple[int, ...]]


@cache
def _productions() -> tuple[_Production, ...]:
    build = Build()
    return tuple(
        (r.origin, r.size, build.method(r.callback) if r.callback else None, r.absent)
        for r in tables().rules
    )


def _run(text: str) -> Any:
    """The LALR automaton: shift and reduce until the end is reached."""
    table = tables()
    states, end = table.states, table.end
    productions = _productions()
    stack = [0]
    values: list[Any] = []
    for token in tokens(Source(text), states, stack, table.keywords):
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
                stack.pop()
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


def _check_depth(statement: ir.Statement) -> None:
    level: list[ir.Node] = [statement]
    depth = 0
    while level:
        depth += 1
        if depth > MAX_DEPTH:
            span = level[0].span
            raise QueryTextError(
                f"The query is nested deeper than {MAX_DEPTH} levels.",
                code="nesting-too-deep",
                line=span.line if span else 1,
                column=span.column if span else 1,
            )
        level = [child for node in level for child in children(node)]
