"""Cypher text to Graph-IR: `parse`.

openCypher 9, reads and writes, and the read constructs of Neo4j 5. The grammar is cypher.lark; the
result is not checked against scopes, types or a schema, which `graph_ir.bind` does.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any, cast

from lark import Lark
from lark.exceptions import UnexpectedToken

from graph_ir import nodes as ir
from graph_ir.cypher_build import Build
from graph_ir.cypher_errors import unexpected
from graph_ir.cypher_lexer import CypherLexer
from graph_ir.cypher_scope import expand_stars
from graph_ir.walk import children
from graphmill.errors import QueryTextError

MAX_DEPTH = 150
"""Statements whose IR is deeper are refused, so that no later recursion can overflow."""


def parse(text: str) -> ir.Statement:
    """The Graph-IR of one Cypher statement.

    >>> parse("MATCH (n:Person) RETURN n.name").clauses[1].items[0].alias
    'n.name'

    Raises:
        QueryTextError: the text is no Cypher statement; line, column and a caret say where.
    """
    try:
        statement: Any = _parser().parse(text)
    except UnexpectedToken as problem:
        raise unexpected(text, problem) from None
    if len(text) > MAX_DEPTH:
        _check_depth(statement)
    if "*" in text:
        statement = expand_stars(statement)
    return cast(ir.Statement, statement)


@cache
def _parser() -> Lark:
    grammar = files("graph_ir").joinpath("cypher.lark").read_text(encoding="utf-8")
    return Lark(
        grammar,
        parser="lalr",
        lexer=CypherLexer,
        transformer=_Callbacks(),
        keep_all_tokens=True,
        maybe_placeholders=True,
    )


class _Callbacks(Build):
    """`Build` under the names of the grammar, two of which are keywords of Python."""

    def __getattr__(self, name: str) -> object:
        if name in ("with", "return"):
            return getattr(self, name + "_")
        raise AttributeError(name)


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
