"""Translation and checking of single texts, with their result as plain JSON values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from graph_ir import nodes as ir
from graph_ir.bind.parameters import given
from graph_ir.cypher.reader import parse
from graphmill.errors import ConfigError, Diagnostic, QueryTextError, Refused
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.model import SchemaGraph
from translators.dialects import DIALECTS
from translators.render import render


class Translator:
    """From one language to another, over one graph or none."""

    def __init__(
        self, *, origin: str, to: str, graph: Path | None, dialect: str | None = None
    ) -> None:
        DIALECTS.get(to)  # an unknown target is an error before the first line
        self.to = to
        self.schema = _schema(graph)
        self._read: Callable[[str], ir.Statement] = parse
        if origin == "sql":
            self._read = _sql_reader(graph, self.schema, dialect)

    def result(self, text: str, parameters: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The `result` object of one line: a text, a refusal or an error.

        The values of `parameters` are put in the place of the query's parameters.
        """
        try:
            statement = given(self._read(text), parameters or {}, self.schema)
            found = render(statement, self.to, self.schema)
            result: dict[str, Any] = {"ok": True, "text": found.text}
            if found.caveats:
                result["warnings"] = [caveat.as_json() for caveat in found.caveats]
            return result
        except Refused as problem:
            return {"ok": False, "refused": problem.as_json()}
        except QueryTextError as problem:
            return {"ok": False, "error": problem.as_json()}


def checker(language: str, graph: Path | None) -> Callable[[str], list[Diagnostic]]:
    """The static check of `language`, against the graph's schema where there is one."""
    schema = _schema(graph)
    if language == "gql":
        from translators.gql.check import check

        return check
    if language == "ngql":
        from translators.ngql.grammar.check import check as check_ngql

        return check_ngql
    return lambda text: _check_cypher(text, schema)


def _check_cypher(text: str, schema: SchemaGraph | None) -> list[Diagnostic]:
    from graph_ir.bind.closed_sets import outside
    from graph_ir.bind.statements import bind

    try:
        found = bind(parse(text), schema)
        values = outside(found.statement, schema) if schema is not None else ()
        return sorted([*found.diagnostics, *values], key=lambda each: (each.line, each.column))
    except QueryTextError as problem:
        return [Diagnostic("error", problem.code, str(problem), problem.line, problem.column)]


def _schema(graph: Path | None) -> SchemaGraph | None:
    return load_schema(graph) if graph is not None else None


def _sql_reader(
    graph: Path | None, schema: SchemaGraph | None, dialect: str | None
) -> Callable[[str], ir.Statement]:
    from translators.from_sql.reader import SqlTranslator

    mapping = load_mapping(graph) if graph is not None else None
    if mapping is None or schema is None:
        raise ConfigError(
            "SQL is translated through the mapping of a converted relational database: "
            "give its folder with --graph."
        )
    return SqlTranslator(mapping, schema, dialect=dialect).translate
