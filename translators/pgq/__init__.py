"""SQL/PGQ (ISO/IEC 9075-16:2023): SQL over `GRAPH_TABLE` of a property graph."""

from __future__ import annotations

from translators.language import Language, Profile

LANGUAGE = Language(
    name="pgq",
    title="SQL/PGQ",
    dialect="translators.pgq.dialect:Pgq",
    profiles=(Profile("pgq-grafeo", "translators.pgq.grafeo:PgqGrafeo"),),
    judge="pgq",
)
