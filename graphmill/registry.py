"""A package of implementations becomes a list of names; a file is imported when asked for."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from pkgutil import iter_modules

from graphmill.errors import UnknownNameError, did_you_mean


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

    @cached_property
    def _names(self) -> tuple[str, ...]:
        path = import_module(self.package).__path__
        found = (m.name for m in iter_modules(path) if not (m.ispkg or m.name.startswith("_")))
        public = (name.replace("_", "-") for name in found if name not in self.internal)
        return tuple(sorted(public))

    def get(self, name: str) -> T:
        """The implementation called `name`.

        Raises:
            UnknownNameError: there is none; the message names the closest one.
        """
        if name not in self._names:
            close = did_you_mean(name, self._names)
            raise UnknownNameError(f"Unknown {self.kind} '{name}'.{close}")
        module = import_module(f"{self.package}.{name.replace('-', '_')}")
        found: T = getattr(module, self.export)
        return found
