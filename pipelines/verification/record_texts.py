"""The texts of a released record, held against what its Cypher text means: all that needs the
schema of its graph and its mapping, and no data."""

from __future__ import annotations

from collections.abc import Iterator

from engines import ENGINE_OF
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parsed
from graphmill.errors import QueryTextError, Refused, UnknownNameError
from graphmill.record import Certificate, Record
from pipelines.build.context import Graph
from pipelines.verification.integrity import Problem
from pipelines.verification.record_fields import fits
from translators.render import render

SOURCES = frozenset(ENGINE_OF.values())
"""The engines of source SQL."""


def source_text_problems(stored: str, record: Record) -> Iterator[Problem]:
    """Certificates of source SQL that are not of the record's."""
    for each in record.certificates:
        if each.engine in SOURCES and each.text != record.source_sql:
            yield _other_text(stored, each)


def text_problems(stored: str, record: Record, graph: Graph) -> Iterator[Problem]:
    """Texts of a record, whose Cypher text can be read, that do not mean what that means."""
    statement = parsed(record.queries["cypher"])
    for language, text in record.queries.items():
        try:
            if render(statement, language, graph.schema).text != text:
                detail = f"The {language} text is not what the Cypher text means."
                yield Problem(stored, "text", detail)
        except (QueryTextError, Refused, UnknownNameError) as problem:
            yield Problem(stored, "fails", str(problem))
    yield from _source_problems(stored, record, statement, graph)
    for each in record.certificates:
        if each.engine in SOURCES or not fits(each):
            continue  # which is told of the certificate
        try:
            if render(statement, each.dialect, graph.schema).text != each.text:
                yield _other_text(stored, each)
        except (QueryTextError, Refused, UnknownNameError) as problem:
            yield Problem(f"{stored} {each.engine} ({each.dialect})", "fails", str(problem))


def _other_text(stored: str, certificate: Certificate) -> Problem:
    where = f"{stored} {certificate.engine} ({certificate.dialect})"
    return Problem(where, "text", "The certificate's text is not the record's query.")


def _source_problems(
    stored: str, record: Record, statement: ir.Statement, graph: Graph
) -> Iterator[Problem]:
    """Source SQL that does not mean what the Cypher text means, though it may have its answer."""
    mapping = graph.mapping
    if not record.source_sql:
        return
    if mapping is None:
        yield Problem(stored, "text", "It has source_sql, and its graph comes from no tables.")
        return
    from translators.from_sql.reader import SqlTranslator  # whose parser is slow to import

    try:
        translator = SqlTranslator(mapping, graph.schema, mapping.dialect)
        same = translator.translate(record.source_sql) == statement
    except (QueryTextError, Refused) as problem:
        yield Problem(stored, "text", f"source_sql cannot be read: {problem}")
        return
    if not same:
        yield Problem(stored, "text", "source_sql is not what the Cypher text means.")
