"""Source SQL to Graph-IR, through the mapping that the source's tables were converted with."""

from __future__ import annotations

from graph_ir import nodes as ir
from graphmill.errors import Refused
from schemagraph.mapping import Mapping
from schemagraph.model import SchemaGraph
from translators.sql import (  # noqa: F401 - their handlers register on import
    aggregates,
    choices,
    dates,
    expressions,
    functions,
    like,
    predicates,
    scalars,
    subqueries,
)
from translators.sql.queries import Translation
from translators.sql.text import parse
from translators.sql.tidy import tidy


class SqlTranslator:
    """Translates queries over one converted database.

    A join on a declared foreign key is a traversal of its edge, a link table that became an edge
    is one; other joins compare values. SQLite's rules (affinity, NULL, case of names and of
    LIKE, text in double quotes) are made explicit.
    """

    def __init__(self, mapping: Mapping, schema: SchemaGraph, dialect: str = "sqlite") -> None:
        self.mapping = mapping
        self.schema = schema
        self.dialect = dialect

    def translate(self, sql: str) -> ir.Statement:
        """The meaning of `sql`.

        Raises:
            Refused: it cannot be said exactly; the span says where.
            QueryTextError: the text is no valid SQL over these tables.
        """
        text = parse(sql, self.dialect)
        try:
            return tidy(Translation(text, self.mapping, self.schema).statement())
        except RecursionError as problem:
            raise Refused("nesting", "sql", "The query is nested too deeply.") from problem
