"""Cypher: openCypher as Neo4j 5 runs it. The lingua franca: every record ships it."""

from __future__ import annotations

from translators.language import Language, Profile

LANGUAGE = Language(
    name="cypher",
    title="Cypher",
    dialect="translators.cypher.dialect:Cypher",
    profiles=(
        Profile("cypher-grafeo", "translators.cypher.grafeo:CypherGrafeo"),
        Profile("cypher-ladybug", "translators.cypher.ladybug:CypherLadybug"),
        Profile("cypher-memgraph", "translators.cypher.relatives:CypherMemgraph"),
        Profile("cypher-tugraph", "translators.cypher.relatives:CypherTugraph"),
        Profile("cypher-age", "translators.cypher.relatives:CypherAge"),
    ),
    reader="translators.cypher.read:reader",
    checker="translators.cypher.read:checker",
)
