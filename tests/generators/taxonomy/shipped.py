"""What the shipped sub-domains say of a property or a relation, for tests of single lines."""

from __future__ import annotations

from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.model import By, Choice, Moment, Number, Relation, Value

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


def pairs(domain: str, title: str, ours: str) -> dict[str, tuple[str, ...]]:
    """The values of the target that go with those of the source's property `ours`."""
    return next(dict(f.pairs) for f in relation(domain, title).fits if f.ours == ours)


def texts(given: Value | None) -> set[str]:
    """The values of a list."""
    assert isinstance(given, Choice)
    return {str(text) for text, _ in given.values}


def cases(domain: str, entity: str, name: str) -> dict[str, Value]:
    """What a property that depends on another is for each of the other's values."""
    given = value(domain, entity, name)
    assert isinstance(given, By)
    return dict(given.cases)


def moment(given: Value) -> Moment:
    """A date."""
    assert isinstance(given, Moment)
    return given


def bounds(given: Value) -> tuple[float, float]:
    """The least and the most that a number may be."""
    assert isinstance(given, Number)
    if given.shape == "uniform":
        return min(given.parameters), max(given.parameters)
    assert given.low is not None
    assert given.high is not None
    return given.low, given.high
