"""One way from a statement to a text: bind, then generate."""

from __future__ import annotations

from dataclasses import replace

from graph_ir import nodes as ir
from graph_ir.bind.statements import TOLERATED, bind, bound
from graph_ir.identity_cache import once
from graph_ir.ordering import columns_first
from graph_ir.scopes import plain_scopes
from graph_ir.shape import fault_of
from graph_ir.walk import find, rewrite
from graphmill.errors import QueryTextError, Refused, SchemaError
from schemagraph.model import SchemaGraph
from translators.base import OPTION, Dialect, Rendered
from translators.language import DIALECTS
from translators.outer_groups import refuse_outer_groups

_VERSIONS = frozenset({"5", "25"})  # of Cypher, in which what is read here means the same
_TEXTS = 512  # that are remembered: whoever tries a query asks for its texts several times


def render(statement: ir.Statement, to: str, schema: SchemaGraph | None = None) -> Rendered:
    """The text of `statement` in the language or profile `to`.

    What the checker calls an error stops it, but for findings that have a meaning all the same
    (`graph_ir.bind.TOLERATED`): a property that the schema does not have is null, a label or a
    direction that it does not have matches nothing. `graphmill check` reports those too.

    Raises:
        UnknownNameError: no dialect has that name.
        QueryTextError: the statement is wrong; the first error of the checker.
        Refused: the language cannot say exactly this.
        SchemaError: `statement` is no Graph-IR, or `schema` no schema.
    """
    dialect = DIALECTS.get(to)
    if schema is not None and not isinstance(schema, SchemaGraph):
        raise SchemaError(f"A schema is a SchemaGraph, not {type(schema).__name__}.")
    try:
        return _rendered(statement, dialect, schema, to == "cypher")
    except (AttributeError, IndexError, KeyError, TypeError) as problem:
        # Looked at only then: a tree that a reader made has the right shape.
        fault = fault_of(statement)
        if fault:
            raise SchemaError(fault) from problem
        raise


def _without_version(node: ir.Node) -> ir.Node:
    """A query without the version of the language alone before it, `CYPHER 25`."""
    if not isinstance(node, ir.Query) or not isinstance(node.clauses[0], ir.ServerOption):
        return node
    return replace(node, clauses=node.clauses[1:])


@once(_TEXTS)
def _rendered(
    statement: ir.Statement, dialect: type[Dialect], schema: SchemaGraph | None, as_it_is: bool
) -> Rendered:
    own = bound(statement, schema)
    for diagnostic in own.errors:
        if diagnostic.code not in TOLERATED:
            raise QueryTextError(
                f"{diagnostic.message} (line {diagnostic.line}, column {diagnostic.column})",
                kind="semantic",
                code=diagnostic.code,
                line=diagnostic.line,
                column=diagnostic.column,
            )
    statement = own.statement
    if ir.ServerOption in dialect.UNSUPPORTED:
        for option in find(statement, ir.ServerOption):
            if option.text not in _VERSIONS:
                raise Refused(OPTION[0], f"CYPHER {option.text}", OPTION[1], option.span)
            statement = rewrite(statement, _without_version)
    if as_it_is:  # Cypher: the author's names stay
        return dialect(schema).generate(statement)
    plain = plain_scopes(columns_first(statement))
    if plain is not own.statement:
        plain = bind(plain, schema).statement  # new variables have types, too
    refuse_outer_groups(plain)
    return dialect(schema).generate(plain)
