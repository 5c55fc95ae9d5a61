"""ISO GQL text: to IR, and checked by our grammar and binder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from graph_ir import nodes as ir
from graph_ir.bind.calls import a_type
from graph_ir.bind.closed_sets import outside
from graph_ir.bind.report import Report
from graph_ir.bind.statements import bind
from graph_ir.cypher.automaton import MAX_DEPTH, Production, check_depth, productions, run
from graph_ir.cypher.build import LET_STAR, STAR
from graph_ir.cypher.errors import located
from graph_ir.cypher.scanning import QueryText, Token
from graph_ir.cypher.scope import expand_stars
from graph_ir.cypher.tables import Tables, tables
from graph_ir.types import UNKNOWN
from graph_ir.walk import by_class, find, rewrite
from graphmill.errors import Diagnostic, QueryTextError, Refused
from graphmill.query_text import check_text
from schemagraph.model import Kind, SchemaGraph
from translators.gql.reader.build import Build
from translators.gql.reader.flavours import GRAFEO, NEO4J, STRICT, Flavour
from translators.gql.reader.hints import unexpected
from translators.gql.reader.lexer import tokens
from translators.gql.reader.settled import closed, settled
from translators.language import Origin
from translators.outer_groups import grouped_by_nothing

_LEVELS = 3
"""A token makes no more levels of IR than these."""


@cache
def _table() -> Tables:
    return tables("translators.gql.reader", "gql.lark")


@cache
def _productions(flavour: Flavour, build: Callable[[Flavour], Build]) -> tuple[Production, ...]:
    return productions(_table(), build(flavour).method)


def parse(text: str, flavour: Flavour = STRICT) -> ir.Statement:
    """The Graph-IR of one GQL statement.

    >>> parse("MATCH (n:Person) RETURN n.name").clauses[1].items[0].alias
    'n.name'

    Raises:
        QueryTextError: the text is no GQL statement; line, column and a caret say where.
        Refused: it is one, and Graph-IR has no form of it.
    """
    return parsed(text, flavour, Build)


def parsed(text: str, flavour: Flavour, build: Callable[[Flavour], Build]) -> ir.Statement:
    """`parse` with the callbacks of `build`."""
    check_text(text)

    read: list[QueryText] = []

    def chosen(source: QueryText, stack: list[int]) -> Iterator[Token]:
        read.append(source)
        return tokens(source, stack, _table(), flavour)

    try:
        statement: ir.Statement = run(
            text, _table(), _productions(flavour, build), chosen, unexpected
        )
        if len(read[0].tokens) > MAX_DEPTH // _LEVELS:
            check_depth(statement)
        inside = by_class(statement)
        subqueries = ir.Subquery in inside
        items = inside.get(ir.Item, ())
        if subqueries or STAR in items or LET_STAR in items:
            statement = expand_stars(statement)
        if subqueries:
            statement = _tidy(statement)
    except RecursionError:
        raise QueryTextError(
            "The query is nested too deeply.", code="nesting-too-deep", line=1, column=1
        ) from None
    except QueryTextError as problem:
        if "\n" in str(problem):
            raise
        raise located(text, problem) from None
    return grouped_by_nothing(statement)


def _tidy(statement: ir.Statement) -> ir.Statement:
    """Subqueries return what is new in them, though their text may return everything."""

    def change(node: ir.Node) -> ir.Node:
        if not isinstance(node, ir.Subquery) or not isinstance(node.query, ir.Query):
            return node
        *before, last = node.query.clauses
        if not isinstance(last, ir.Project):
            return node
        items = tuple(item for item in last.items if item.named or item.alias not in node.imports)
        if len(items) == len(last.items) or not items:
            return node
        return replace(
            node, query=replace(node.query, clauses=(*before, replace(last, items=items)))
        )

    return rewrite(statement, change)


def reader(origin: Origin) -> Callable[[str], ir.Statement]:
    """The parser of the standard; a graph's schema tells what the text leaves open."""
    return lambda text: settled(parse(text), origin.schema, STRICT)


def neo4j(origin: Origin) -> Callable[[str], ir.Statement]:
    """The parser of Neo4j's profile."""
    return lambda text: settled(parse(text, NEO4J), origin.schema, NEO4J)


def grafeo(origin: Origin) -> Callable[[str], ir.Statement]:
    """The parser of grafeo's profile."""
    return lambda text: settled(parse(text, GRAFEO), origin.schema, GRAFEO)


def checker(schema: SchemaGraph | None) -> Callable[[str], list[Diagnostic]]:
    """The static check against `schema`, or against the text itself without one."""

    def check(text: str) -> list[Diagnostic]:
        try:
            own = bind(closed(parse(text)), schema)
            values = outside(own.statement, schema) if schema is not None else ()
            errors = [*own.diagnostics, *_no_lists(own.statement)]
            return sorted([*errors, *values], key=lambda each: (each.line, each.column))
        except QueryTextError as problem:
            return [Diagnostic("error", problem.code, str(problem), problem.line, problem.column)]
        except Refused:
            return []  # it is GQL; only Graph-IR does not have it

    return check


def _no_lists(statement: ir.Statement) -> tuple[Diagnostic, ...]:
    """Errors for each FOR over a value that is no list, which Cypher's UNWIND takes as a row."""
    report = Report()
    for each in find(statement, ir.Unwind):
        kind = each.expr.type.kind
        if kind is not Kind.LIST and kind not in UNKNOWN:
            report.error(
                each.expr, "operand-type", f"FOR needs a list, this is {a_type(each.expr.type)}."
            )
    return report.sorted()
