"""SPARQL 1.1 over the RDF form of a graph (docs/rdf.md)."""

from __future__ import annotations

from translators.language import Language

LANGUAGE = Language(
    name="sparql",
    title="SPARQL",
    dialect="translators.sparql.dialect:Sparql",
    judge="sparql",
)
