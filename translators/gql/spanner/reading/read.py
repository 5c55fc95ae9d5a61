"""Text of Spanner's GQL to Graph-IR.

Names are those that a graph of Spanner declares (`schemagraph.spanner`), in any case, and so are
variables. A division by zero and a sum beyond INT64 are
errors in Spanner and what they are in Cypher here; nothing else is read as another value.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from graph_ir import nodes as ir
from graphmill.errors import QueryTextError
from graphmill.query_text import check_text
from translators.gql.reader.flavours import SPANNER
from translators.gql.reader.googlesql import without_hints
from translators.gql.reader.read import parsed
from translators.gql.reader.settled import settled
from translators.gql.spanner.reading.build import SpannerBuild
from translators.gql.spanner.reading.coercion import coerced
from translators.gql.spanner.reading.names import folded, renamed
from translators.gql.spanner.reading.typed import decided, tested
from translators.language import Origin

_GRAPH = re.compile(r"(?:\s|--[^\n]*|/\*.*?\*/)*GRAPH\b", re.IGNORECASE | re.DOTALL)


def reader(origin: Origin) -> Callable[[str], ir.Statement]:
    """The parser of Spanner's profile; most of GoogleSQL's functions need the graph's schema."""

    def read(text: str) -> ir.Statement:
        check_text(text)
        text = without_hints(text)
        if not _GRAPH.match(text):
            raise QueryTextError(
                "A text of Spanner's GQL begins with GRAPH and the name of its graph.",
                code="missing-graph",
                line=1,
                column=1,
            )
        statement = folded(tested(parsed(text, SPANNER, SpannerBuild)))
        if origin.schema is not None:
            statement = renamed(statement, origin.schema)
        typed = decided(coerced(statement, origin.schema))
        return settled(coerced(typed, origin.schema), origin.schema, SPANNER)

    return read
