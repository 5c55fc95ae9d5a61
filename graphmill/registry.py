"""A package of implementations becomes a list of names; a file is imported when asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from graphmill.errors import unknown_name


class Registry[T]:
    """Names of the modules of `package`, each exporting its implementation as `export`.

    A module `gql_neo4j.py` has the public name `gql-neo4j`. Packages, modules that begin with
    `_`, and those listed in `internal`, are no implementations.
    """

    def __init__(
        self, kind: str, package: str, export: str, internal: frozenset[str] = frozenset()
    ) -> None:
        self.kind = kind
        self.package = package
        self.export = export
        self.internal = internal

    def names(self) -> list[str]:
        """All public names, sorted, without importing one of them."""
        return list(self._names)

    @property
    def _names(self) -> tuple[str, ...]:
        return _listed(tuple(self.folders()), self.internal)

    def folders(self) -> list[str]:
        """The folders that are listed: those of the package."""
        return list(import_module(self.package).__path__)

    def look_in(self, folders: list[str]) -> None:
        """List these folders, as another process does."""
        import_module(self.package).__path__ = folders

    def get(self, name: str) -> T:
        """The implementation called `name`.

        Raises:
            UnknownNameError: there is none; the message names the closest one.
        """
        if name not in self._names:
            raise unknown_name(self.kind, name, self._names)
        module = import_module(f"{self.package}.{name.replace('-', '_')}")
        implementation: T = getattr(module, self.export)
        return implementation


@cache
def _listed(folders: tuple[str, ...], internal: frozenset[str]) -> tuple[str, ...]:
    """Public names of the modules in `folders`, sorted."""
    modules = (m.name for m in iter_modules(folders) if not (m.ispkg or m.name.startswith("_")))
    return tuple(sorted(name.replace("_", "-") for name in modules if name not in internal))
