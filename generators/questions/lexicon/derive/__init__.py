"""A whole lexicon by rule: from names, keys, kinds and the data's figures."""

from __future__ import annotations

from generators.questions.lexicon.derive.facts import Facts
from generators.questions.lexicon.derive.glossary import derive_glossary
from generators.questions.lexicon.derive.links import derive_paths
from generators.questions.lexicon.derive.properties import derive_properties
from generators.questions.lexicon.derive.things import derive_things
from generators.questions.lexicon.model import Lexicon
from schemagraph.folder.statistics import GraphStatistics
from schemagraph.model import SchemaGraph


def derive(schema: SchemaGraph, statistics: GraphStatistics | None = None) -> Lexicon:
    """The lexicon of a graph, all of it by rule; without data fewer columns are hidden."""
    facts = Facts(schema, statistics)
    things = derive_things(facts)
    properties = derive_properties(facts, things)
    return Lexicon(
        things=things,
        paths=derive_paths(facts, things),
        properties=properties,
        glossary=derive_glossary(facts, things, properties),
    )
