"""The seam between synthesis and whoever writes schemas: rules, or a model."""

from __future__ import annotations

from dataclasses import dataclass

from generators.questions.lexicon.model import Lexicon
from generators.synthesis.spec import Specification
from generators.taxonomy.model import SubDomain
from schemagraph.model import SchemaGraph


@dataclass(frozen=True, slots=True)
class SchemaRequest:
    """What is wanted: a schema of a sub-domain, at a level of complexity from 1 to 5."""

    domain: SubDomain
    level: int = 3


@dataclass(frozen=True, slots=True)
class SchemaProposal:
    """A schema, how its values and edges are distributed, and the author's words for it."""

    schema: SchemaGraph
    specification: Specification
    lexicon: Lexicon
