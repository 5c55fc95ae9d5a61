"""SQL/PGQ (ISO/IEC 9075-16:2023): SQL over `GRAPH_TABLE` of a property graph."""

from __future__ import annotations

from translators.language import Language

LANGUAGE = Language(
    name="pgq",
    title="SQL/PGQ",
    dialect="translators.pgq.dialect:Pgq",
    judge="pgq",
)
