"""Source SQL to Graph-IR, through the mapping that the source's tables were converted with."""

from __future__ import annotations

from collections.abc import Callable

from graph_ir import nodes as ir
from graph_ir.cypher.automaton import CHAINED, MAX_LEVELS, below
from graphmill.errors import ConfigError, Refused
from schemagraph.folder.serde import load_mapping
from schemagraph.mapping import Mapping
from schemagraph.model import SchemaGraph
from translators.from_sql.expressions import (
    aggregates,
    casing,
    casts,
    choices,
    dates,
    expressions,
    functions,
    intervals,
    like,
    mathematics,
    predicates,
    scalars,
    substrings,
)
from translators.from_sql.one_zero import with_one_zero
from translators.from_sql.products import in_order
from translators.from_sql.selects import subqueries
from translators.from_sql.selects.queries import Translation
from translators.from_sql.selects.tidy import tidy
from translators.from_sql.statement.context import Handlers, TruthTable, ValueTable
from translators.from_sql.statement.rules import rules_of
from translators.from_sql.statement.text import parse
from translators.language import Origin

_HANDLERS = Handlers(
    values=ValueTable.joined(
        aggregates.VALUES,
        casing.VALUES,
        casts.VALUES,
        choices.VALUES,
        dates.VALUES,
        expressions.VALUES,
        functions.VALUES,
        intervals.VALUES,
        like.VALUES,
        mathematics.VALUES,
        predicates.VALUES,
        scalars.VALUES,
        subqueries.VALUES,
        substrings.VALUES,
    ),
    truths=TruthTable.joined(predicates.TRUTHS, subqueries.TRUTHS),
)


class SqlTranslator:
    """Translates queries over one converted database.

    A join on a declared foreign key is a traversal of its edge, a link table that became an edge
    is one; other joins compare values. The rules of the dialect (of the source, if none is
    given) are made explicit: conversions in comparisons, NULL, the case of names and of LIKE,
    division, text in double quotes.
    """

    def __init__(self, mapping: Mapping, schema: SchemaGraph, dialect: str | None = None) -> None:
        self.mapping = mapping
        self.schema = schema
        self.rules = rules_of(dialect or mapping.dialect)

    def translate(self, sql: str) -> ir.Statement:
        """The meaning of `sql`.

        Raises:
            Refused: it cannot be said exactly; the span says where.
            QueryTextError: the text is no valid SQL over these tables.
        """
        text = parse(sql, self.rules)
        try:
            of = Translation(text, self.mapping, self.schema, self.rules, _HANDLERS)
            statement = in_order(with_one_zero(tidy(of.statement()), self.schema), self.schema)
        except RecursionError as problem:
            raise Refused("nesting", "sql", "The query is nested too deeply.") from problem
        if below(statement, MAX_LEVELS) is not None:
            raise Refused("nesting", "sql", CHAINED)
        return statement


def reader(origin: Origin) -> Callable[[str], ir.Statement]:
    """What translates SQL over the relational database that a graph was converted from.

    Raises:
        ConfigError: no folder of a converted relational database is given.
    """
    mapping = load_mapping(origin.graph) if origin.graph is not None else None
    if mapping is None or origin.schema is None:
        raise ConfigError(
            "SQL is translated through the mapping of a converted relational database: "
            "give its folder with --graph."
        )
    return SqlTranslator(mapping, origin.schema, dialect=origin.dialect).translate
