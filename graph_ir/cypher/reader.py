"""Cypher text to Graph-IR: `parse`.

openCypher 9, reads and writes, the read constructs of Neo4j 5, and Cypher 25's LET, FILTER and
ORDER BY, SKIP and LIMIT as clauses. The grammar is cypher.lark; the result is not checked against
scopes, types or a schema, which `graph_ir.bind` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from graph_ir import nodes as ir
from graph_ir.cypher.automaton import MAX_DEPTH, Production, check_depth, productions, run
from graph_ir.cypher.build import Build
from graph_ir.cypher.errors import located
from graph_ir.cypher.hints import unexpected
from graph_ir.cypher.lexer import tokens
from graph_ir.cypher.options import server_option, with_option
from graph_ir.cypher.scanning import QueryText, Token
from graph_ir.cypher.scope import expand_stars
from graph_ir.cypher.shadowing import check_subqueries
from graph_ir.cypher.tables import Tables, tables
from graphmill.errors import QueryTextError
from graphmill.query_text import check_text

_STARS = re.compile(r"\*|\b(?:LET|FILTER|ORDER|SKIP|OFFSET|LIMIT)\b", re.IGNORECASE)
"""What may become `*` in a projection."""


def parse(text: str) -> ir.Statement:
    """The Graph-IR of one Cypher statement.

    >>> parse("MATCH (n:Person) RETURN n.name").clauses[1].items[0].alias
    'n.name'

    Raises:
        QueryTextError: the text is no Cypher statement; line, column and a caret say where.
    """
    check_text(text)
    option = server_option(text)
    try:
        statement: ir.Statement = run(
            option.rest if option else text, _table(), _productions(), _tokens, unexpected
        )
        if len(text) > MAX_DEPTH:
            check_depth(statement)
        if _STARS.search(text):
            statement = expand_stars(statement)
        check_subqueries(statement)
    except QueryTextError as problem:
        if "\n" in str(problem):
            raise
        raise located(text, problem) from None
    if option:
        statement = with_option(statement, option.clause)
    return statement


@lru_cache(maxsize=2048)
def parsed(text: str) -> ir.Statement:
    """`parse`, remembered: statements never change, so that all who read a text share one.

    Raises:
        QueryTextError: as `parse`.
    """
    return parse(text)


@cache
def _table() -> Tables:
    return tables("graph_ir.cypher", "cypher.lark")


@cache
def _productions() -> tuple[Production, ...]:
    return productions(_table(), Build().method)


def _tokens(source: QueryText, stack: list[int]) -> Iterator[Token]:
    table = _table()
    return tokens(source, table.states, stack, table.keywords)
