"""Who proves: the engines of a configuration, and what the records of one split have besides."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import field_serializer, field_validator

from engines import ENGINES, installed
from graphmill.errors import did_you_mean
from graphmill.secrets import without_user
from graphmill.settings import Megabytes, Part, QuerySeconds
from translators.language import DIALECTS

ALL = "all"


class Certify(Part):
    """Which engines prove, and their limits: seconds a query, megabytes an engine.

    `"all"`, alone or beside names, is every engine that is installed and no server. One that
    cannot be had ends the build before anything is written; one of "all" that cannot hold a graph
    is told at the end, in the report and on the card.
    """

    engines: tuple[str, ...] = ("grafeo", "duckdb")
    neo4j_url: str = ""
    timeout: QuerySeconds = 30.0
    memory_mb: Megabytes = 4096

    @field_serializer("neo4j_url")
    def _without_secrets(self, url: str) -> str:
        return without_user(url)

    @field_validator("engines", mode="before")
    @classmethod
    def _all(cls, given: object) -> object:
        return _expanded(given, installed)

    @field_validator("engines")
    @classmethod
    def _known(cls, engines: tuple[str, ...]) -> tuple[str, ...]:
        known_engines(engines)
        if not {"grafeo", "neo4j"} & set(engines) or "duckdb" not in engines:
            raise ValueError(
                "a certificate needs two engines with nothing in common: "
                "duckdb and one of grafeo, neo4j"
            )
        return engines


class SplitProof(Part):
    """What the records of a split (`train`, `validation`, `test`) have beside those of all: they
    are in the languages of `also` that can say them, and are proven by `engines` too
    (docs/scale.md). Both take `"all"`: every language; every engine that is installed and no
    server.
    """

    also: tuple[str, ...] = ()
    engines: tuple[str, ...] = ()

    @field_validator("also", mode="before")
    @classmethod
    def _all_languages(cls, given: object) -> object:
        return _expanded(given, languages)

    @field_validator("engines", mode="before")
    @classmethod
    def _all_engines(cls, given: object) -> object:
        return _expanded(given, installed)

    @field_validator("also")
    @classmethod
    def _known_languages(cls, also: tuple[str, ...]) -> tuple[str, ...]:
        return known_languages(also)

    @field_validator("engines")
    @classmethod
    def _known_engines(cls, engines: tuple[str, ...]) -> tuple[str, ...]:
        return known_engines(engines)


def languages() -> list[str]:
    """The query languages, without their engines' own profiles (`gql-neo4j`)."""
    return [name for name in DIALECTS.names() if "-" not in name]


def known_languages(names: tuple[str, ...]) -> tuple[str, ...]:
    """These languages, each of which there is.

    Raises:
        ValueError: there is none such, or it is there twice.
    """
    return _known("language", names, DIALECTS.names())


def known_engines(names: tuple[str, ...]) -> tuple[str, ...]:
    """These engines over graphs, each of which there is.

    Raises:
        ValueError: there is none such, or it is there twice.
    """
    return _known("engine", names, [name for name in ENGINES.names() if name != "sqlite"])


def _known(kind: str, names: tuple[str, ...], known: list[str]) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise ValueError(f"unknown {kind} '{name}'.{did_you_mean(name, known)}")
        if names.count(name) > 1:
            raise ValueError(f"'{name}' is there {names.count(name)} times")
    return names


def _expanded(given: object, everything: Callable[[], list[str]]) -> object:
    """A list of names in which "all" stands for `everything`, alone or beside others."""
    names = [given] if given == ALL else given
    if not isinstance(names, list | tuple):
        return given
    if ALL not in names:
        return tuple(names)
    rest = [name for name in names if name != ALL]
    return tuple(dict.fromkeys([*everything(), *rest]))
