"""`TableSource`, what all sources of tables share: choices of the user, then the conversion."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from graphmill.errors import SourceError
from schemagraph.convert.tables_to_graph import TableOptions, convert_tables
from schemagraph.relational import RelationalSource
from schemagraph.report import ConversionReport


class TableSource(ABC):
    """A kind of relational origin; see `schemagraph.convert.source.Source`.

    `infers`: its tables declare nothing, so that keys and foreign keys are found.
    """

    name: ClassVar[str]
    says: ClassVar[str]
    infers: ClassVar[bool] = False
    takes_the_rest: ClassVar[bool] = False

    @abstractmethod
    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """Whether this is the kind of `source`."""

    def choices_file(self, source: str) -> Path | None:
        """The file of choices that the origin carries itself."""
        return None

    @abstractmethod
    def opened(
        self, source: str, options: TableOptions
    ) -> AbstractContextManager[tuple[RelationalSource, dict[str, Any]]]:
        """The open database and what the manifest says of its origin.

        Raises:
            SourceError: it cannot be read as what it is.
        """

    def convert(
        self, source: str, out: Path, licence: str, options: TableOptions | None = None
    ) -> ConversionReport:
        """See `schemagraph.convert.source.Source`."""
        options = replace(options or TableOptions(), infer=self.infers)
        for name, choice in options.choices.items():
            if not self.infers and (choice.types or choice.encoding or choice.delimiter):
                raise SourceError(
                    f"tables.toml says how table {name} is written: types, encoding and delimiter "
                    f"are for files, and this is {self.says}."
                )
        with self.opened(source, options) as (database, about):
            origin = {"kind": self.name, **about}
            return convert_tables(database, out, origin=origin, licence=licence, options=options)
