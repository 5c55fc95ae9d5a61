"""What the shipped sub-domains say of a property or a relation, for tests of single lines."""

from __future__ import annotations

from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.model import Relation, Value

TAXONOMY = load_taxonomy(())


def value(domain: str, entity: str, name: str) -> Value:
    hint = subdomain(TAXONOMY, domain).entities[entity].property(name)
    assert hint is not None
    return hint.value


def relation(domain: str, title: str) -> Relation:
    source, kind, target = title.split()
    return next(
        each
        for each in subdomain(TAXONOMY, domain).relations
        if (each.source, each.type, each.target) == (source, kind, target)
    )


def of_edge(title: str, domain: str, name: str) -> Value:
    return next(hint.value for hint in relation(domain, title).properties if hint.name == name)
