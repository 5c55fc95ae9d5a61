"""A language is one folder of `translators`: `LANGUAGE` in its `__init__` names what it has.

Folders are listed, never imported for effect: one that is put there is a language of every
command. Parts are named by `module:attribute` and imported when they are asked for, so that
listing costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from graph_ir import nodes as ir
from graph_ir.scopes import plain_scopes
from graphmill.errors import ConfigError, Diagnostic, unknown_name
from schemagraph.model import SchemaGraph
from translators.base import Dialect

type Read = Callable[[str], ir.Statement]
type Check = Callable[[str], list[Diagnostic]]


@dataclass(frozen=True, slots=True)
class Origin:
    """What a reader may need beside the text: the graph's folder, its schema, a dialect of SQL."""

    graph: Path | None = None
    schema: SchemaGraph | None = None
    dialect: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """A dialect with a few declared differences, for one engine: `gql-grafeo`.

    `reader`, `checker` or `judge` is there where its texts are read or checked by rules of their
    own, as those of a `Language`.
    """

    name: str
    dialect: str
    reader: str = ""
    checker: str = ""
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Language:
    """One language: what writes it, reads it and checks it.

    `dialect` names a `translators.base.Dialect`. `reader` names a function from `Origin` to one
    from text to IR; without one nothing is translated from the language. `read_back` names what
    reads the texts that the dialect writes, where that is all that can be read. `checker` names a
    function from a schema (or None) to one from text to diagnostics; `judge` names a program of
    `engines.judges` that checks instead. `proof` names a function that reads a text back and says
    why it is not that of its statement (`translators.gql.reader.proof:difference`). `title` is for
    people.
    """

    name: str
    title: str
    dialect: str
    profiles: tuple[Profile, ...] = ()
    reader: str = ""
    checker: str = ""
    judge: str = ""
    read_back: str = ""
    proof: str = ""


def _load(path: str) -> Any:
    module, _, attribute = path.partition(":")
    return getattr(import_module(module), attribute)


def languages() -> Mapping[str, Language]:
    """Every language by name, in the order of names."""
    known = {language.name: language for language in _listed()}
    return dict(sorted(known.items()))


def _listed() -> tuple[Language, ...]:
    return _in_folders(tuple(import_module("translators").__path__))


@cache
def _in_folders(places: tuple[str, ...]) -> tuple[Language, ...]:
    """The languages whose folders lie in these places: looked up once, not for each text."""
    return tuple(_imported(places))


def _imported(places: tuple[str, ...]) -> Iterator[Language]:
    for folder in iter_modules(places):
        if folder.ispkg:
            language = getattr(import_module(f"translators.{folder.name}"), "LANGUAGE", None)
            if language is not None:
                yield language


def _parts() -> Mapping[str, Language | Profile]:
    """Languages and profiles by name."""
    return _with_profiles(_listed())


@cache
def _with_profiles(known: tuple[Language, ...]) -> Mapping[str, Language | Profile]:
    own: dict[str, Language | Profile] = {}
    for language in known:
        own[language.name] = language
        own.update((profile.name, profile) for profile in language.profiles)
    return dict(sorted(own.items()))


class Dialects:
    """The dialects of all languages and profiles, by name."""

    def names(self) -> list[str]:
        """All names, sorted; none is imported."""
        return list(_parts())

    def get(self, name: str) -> type[Dialect]:
        """The class called `name`.

        Raises:
            UnknownNameError: there is none; the message lists those that there are.
        """
        return _dialect(name)


@cache
def _dialect(name: str) -> type[Dialect]:
    parts = _parts()
    if name not in parts:
        raise unknown_name("language", name, list(parts))
    dialect: type[Dialect] = _load(parts[name].dialect)
    return dialect


DIALECTS = Dialects()


def readable() -> list[str]:
    """Languages and profiles that have a reader."""
    return [name for name, part in _parts().items() if part.reader]


def reader(name: str, origin: Origin) -> Read:
    """What turns a text of the language into IR.

    Raises:
        UnknownNameError: no language of that name has a reader.
        ConfigError: the language needs a graph and there is none.
    """
    if name not in readable():
        raise unknown_name("language to translate from", name, readable())
    make: Callable[[Origin], Read] = _load(_parts()[name].reader)
    return make(origin)


def read_back(name: str) -> Read | None:
    """What reads the texts that a language's dialect writes; None where nothing does."""
    language = languages().get(name)
    if language is None or not language.read_back:
        return None
    read: Read = _load(language.read_back)
    return read


def read(name: str, origin: Origin) -> Read:
    """What reads the texts of a language that its dialect writes, by its reader or `read_back`.

    Raises:
        UnknownNameError: nothing does.
    """
    return read_back(name) or reader(name, origin)


def difference(name: str, statement: ir.Statement, text: str, schema: SchemaGraph | None) -> str:
    """Why a text of a language, read back, is not what it was made of; empty where it is.

    Empty, too, of a language whose texts are not read back.
    """
    part = languages().get(name)
    if part is None or not part.proof:
        return ""
    compare: Callable[[ir.Statement, str, str, SchemaGraph | None], str] = _load(part.proof)
    return compare(plain_scopes(statement), text, name, schema)


def checkable() -> list[str]:
    """Languages and profiles that have a check of their own."""
    return [name for name, part in _parts().items() if part.checker or part.judge]


def judge_of(name: str) -> str:
    """The program that checks texts of a language or profile; empty where a checker of ours does.

    Raises:
        UnknownNameError: nothing of that name has a check.
    """
    if name not in checkable():
        raise unknown_name("language to check", name, checkable())
    return _parts()[name].judge


def checker(name: str, schema: SchemaGraph | None) -> Check:
    """The static check of a language or profile, against a schema where there is one.

    Raises:
        UnknownNameError: nothing of that name has a check.
    """
    if judge := judge_of(name):
        raise ConfigError(f"{name} is checked by the program {judge}, not by rules of ours.")
    make: Callable[[SchemaGraph | None], Check] = _load(_parts()[name].checker)
    return make(schema)
