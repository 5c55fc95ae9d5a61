"""What a prompt says of a query language: its name, and rules that models miss."""

from __future__ import annotations

from collections.abc import Mapping

NAMES: Mapping[str, str] = {
    "cypher": "Cypher",
    "gql": "ISO GQL",
    "ngql": "nGQL (NebulaGraph)",
    "gremlin": "Gremlin (TinkerPop's gremlin-lang, no Groovy)",
    "sparql": "SPARQL 1.1",
    "sql": "SQL",
    "spanner": "Spanner Graph (GQL)",
    "pgq": "SQL/PGQ (SELECT … FROM GRAPH_TABLE)",
}

RULES: Mapping[str, str] = {
    "cypher": "Labels, edge types and properties are written as in the schema.",
    "gql": "Labels, edge types and properties are written as in the schema. There is no WITH and "
    "no UNWIND: use NEXT, LET and FOR. Strings stand in single quotation marks.",
    # NS-8, NS-16, NS-18: properties are qualified by tag, equality is ==.
    "ngql": "A property is qualified by the tag of its node: s.stock.name. Those of edges are "
    "not: e.weight. Equality is ==, never =.",
    "gremlin": "Begin with g.V() or g.E(). Values of properties are texts, numbers and booleans.",
    "sparql": "Node types are classes; a variable that is returned is bound in WHERE.",
}


def language_name(language: str) -> str:
    """The name of a language in prompts."""
    return NAMES.get(language, language)


def rules(language: str) -> str:
    """What is to be kept in mind in a language."""
    return RULES.get(language, RULES["cypher"])
