"""Who proves: the engines of a configuration, and what the records of one split have besides."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, field_serializer, field_validator

from engines import ENGINES, installed
from graphmill.errors import did_you_mean
from graphmill.secrets import without_user
from graphmill.settings import Megabytes, Part, QuerySeconds
from translators.language import DIALECTS

ALL = "all"


def query_languages() -> list[str]:
    """The query languages, without their engines' own profiles (`gql-neo4j`)."""
    return [name for name in DIALECTS.names() if "-" not in name]


def _known_languages(names: tuple[str, ...]) -> tuple[str, ...]:
    return _known("language", names, DIALECTS.names())


def _known_engines(names: tuple[str, ...]) -> tuple[str, ...]:
    return _known("engine", names, [name for name in ENGINES.names() if name != "sqlite"])


def _known(kind: str, names: tuple[str, ...], known: list[str]) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise ValueError(f"unknown {kind} '{name}'.{did_you_mean(name, known)}")
        if names.count(name) > 1:
            raise ValueError(f"'{name}' is there {names.count(name)} times")
    return names


def _with_all(everything: Callable[[], list[str]]) -> BeforeValidator:
    """Takes a list in which "all" stands for everything there is, alone or beside others."""

    def expanded(given: object) -> object:
        names = [given] if given == ALL else given
        if not isinstance(names, list | tuple):
            return given
        if ALL not in names:
            return tuple(names)
        rest = [name for name in names if name != ALL]
        return tuple(dict.fromkeys([*everything(), *rest]))

    return BeforeValidator(expanded)


type Languages = Annotated[tuple[str, ...], AfterValidator(_known_languages)]
type AllLanguages = Annotated[Languages, _with_all(query_languages)]
type Engines = Annotated[tuple[str, ...], _with_all(installed), AfterValidator(_known_engines)]


class Certify(Part):
    """Which engines prove, and their limits: seconds a query, megabytes an engine.

    `"all"`, alone or beside names, is every engine that is installed and no server. One that
    cannot be had ends the build before anything is written; one of "all" that cannot hold a graph
    is told at the end, in the report and on the card.
    """

    engines: Engines = ("grafeo", "duckdb")
    neo4j_url: str = ""
    timeout: QuerySeconds = 30.0
    memory_mb: Megabytes = 4096

    @field_serializer("neo4j_url")
    def _without_secrets(self, url: str) -> str:
        return without_user(url)

    @field_validator("engines")
    @classmethod
    def _two_families(cls, engines: tuple[str, ...]) -> tuple[str, ...]:
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

    also: AllLanguages = ()
    engines: Engines = ()
