"""ISO GQL (ISO/IEC 39075:2024), strict, and the profiles of engines that run GQL."""

from __future__ import annotations

from translators.language import Language, Profile

LANGUAGE = Language(
    name="gql",
    title="ISO GQL",
    dialect="translators.gql.emit.dialect:Gql",
    profiles=(
        Profile(
            "gql-grafeo",
            "translators.gql.grafeo:GqlGrafeo",
            reader="translators.gql.reader.read:grafeo",
        ),
        Profile(
            "gql-neo4j",
            "translators.gql.neo4j:GqlNeo4j",
            reader="translators.gql.reader.read:neo4j",
        ),
        Profile(
            "spanner",
            "translators.gql.spanner.dialect:Spanner",
            reader="translators.gql.spanner.reading.read:reader",
            judge="googlesql",
        ),
    ),
    reader="translators.gql.reader.read:reader",
    checker="translators.gql.reader.read:checker",
    proof="translators.gql.reader.proof:difference",
)
