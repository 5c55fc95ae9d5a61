"""The words of the drawn domains: every name that a schema may choose reads as people say it."""

import re
from collections.abc import Iterator

from generators.questions.lexicon.derive.flags import flag_values
from generators.questions.lexicon.derive.words import read_property
from generators.schemas.tell import kind_of
from generators.taxonomy import load_taxonomy
from generators.taxonomy.model import Hint
from graphmill.english.inflection import plural
from schemagraph.model import Kind, Type

_COLUMN_LIKE = re.compile(r"“|-(?:on|at|until|since|from) date|(?:customer|member|friends) start")
_COUNT = "number of "


def test_no_alternative_reads_as_the_name_of_a_column() -> None:
    found = [
        f"{where}.{name} reads as {noun!r}"
        for where, hint, name, noun, _ in _names()
        if not hint.noun and not hint.key and _COLUMN_LIKE.search(noun)
    ]
    assert not found


def test_what_is_counted_is_what_every_alternative_counts() -> None:
    found = [
        f"{where}.{name} reads as {noun!r}, its noun is {hint.noun!r}"
        for where, hint, name, noun, _ in _names()
        if hint.noun.startswith(_COUNT)
        and hint.noun.removeprefix(_COUNT) not in (noun.removeprefix(_COUNT), _counted(noun))
    ]
    assert not found


def test_every_name_of_a_flag_says_what_is_true() -> None:
    found = [
        f"{where}.{name}"
        for where, _, name, _, kind in _names()
        if kind is Kind.BOOLEAN
        and flag_values(read_property(name, Type(kind)), name, ("true", "false")) is None
    ]
    assert not found


def test_nothing_is_only_said_to_have_been_done() -> None:
    """ "Who did more than three repairs?" is asked by nobody: repairs are carried out."""
    found = [
        f"{domain.path}: {relation.source} {relation.type} {relation.target}"
        for domain in load_taxonomy()
        for relation in domain.relations
        if {"did", "does", "do"} & {relation.wording.active, relation.wording.passive}
    ]
    assert not found


def _counted(noun: str) -> str:
    return plural(noun.removesuffix(" count"))


def _names() -> Iterator[tuple[str, Hint, str, str, Kind]]:
    """Where each property is, the property, one of its names, how that reads, and its kind."""
    for domain in load_taxonomy():
        for entity in domain.entities.values():
            rows = domain.rows.get(entity.rows)
            for hint in entity.properties:
                kind = kind_of(hint.value, rows)
                for name in (hint.name, *hint.also):
                    noun = read_property(name, Type(kind), entity.singular).noun
                    yield f"{domain.path}: {entity.name}", hint, name, noun, kind
