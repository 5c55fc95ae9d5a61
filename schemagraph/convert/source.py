"""`Source`, what every origin offers, and the list of those that exist."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from graphmill.registry import Registry
from graphmill.regular import check_name
from schemagraph.report import ConversionReport

type Asked = Mapping[str, Sequence[Any]]
"""Values by the name of the property that a query compares with them."""


class Source(Protocol):
    """One kind of origin.

    `says` names the kind in messages. A file is offered with its first bytes, a folder with none;
    a text that is no path of a file is offered with `path` None. A kind that `takes_the_rest`
    (any folder, any text) is asked after those that know theirs by a mark of their own.
    """

    name: str
    says: str
    takes_the_rest: bool

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """Whether this is the kind of `source`."""
        ...

    def convert(self, source: str, out: Path, licence: str) -> ConversionReport:
        """Read the origin and write its graph to `out`.

        Raises:
            SourceError: the origin cannot be read as what it is.
            LosslessError: the graph would not hold it.
            GraphmillError: `out` cannot be written.
        """
        ...


@runtime_checkable
class PartedSource(Source, Protocol):
    """A kind whose files hold several graphs: `FILE#PART` names one."""

    def convert_part(self, source: str, part: str, out: Path, licence: str) -> ConversionReport:
        """`convert` for the graph called `part` of the file `source`."""
        ...


@runtime_checkable
class AskedSource(PartedSource, Protocol):
    """A kind whose graphs are made up, so that they can hold what queries will ask for."""

    def convert_asked(
        self, source: str, part: str, out: Path, licence: str, asked: Asked
    ) -> ConversionReport:
        """`convert_part` with values that properties of these names shall have."""
        ...


@runtime_checkable
class ListingSource(Source, Protocol):
    """A kind whose file names other files, which are read as well."""

    def files(self, source: str) -> list[Path]:
        """All files that a conversion reads.

        Raises:
            SourceError: the origin cannot be read as what it is.
        """
        ...


def parted(source: str) -> tuple[str, str]:
    """A source and the part of it that is meant: `FILE#PART`, where FILE exists.

    >>> parted("no such file#x")
    ('no such file#x', '')

    Raises:
        SourceError: no file could have such a name.
    """
    if "://" in source:
        return source, ""
    check_name(Path(source))
    if Path(source).exists():
        return source, ""
    file, _, part = source.rpartition("#")
    return (file, part) if file and Path(file).is_file() else (source, "")


SOURCES: Registry[Source] = Registry("source", "schemagraph.sources", "SOURCE")
