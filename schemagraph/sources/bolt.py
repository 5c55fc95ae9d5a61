"""Read a live property graph over Bolt: Neo4j, and what speaks its protocol and Cypher.

Nothing about the database is known beforehand: its label sets, properties and (source, type,
target) triples are counted first, a key is chosen for each label set, and then each is streamed.
The session only reads. As such servers do not isolate one long reading from writes of others, all
is counted again at the end, and a database that has changed is refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from graphmill.errors import SourceError
from schemagraph.convert.elements import convert_elements
from schemagraph.report import ConversionReport
from schemagraph.sources.formats.bolt_read import read_database

_URL = re.compile(r"(?:bolt|neo4j)(?:\+s|\+ssc)?://", re.IGNORECASE)
_INSTALL = "pip install 'graphmill[neo4j]'"
_CONNECT = 5.0  # seconds
_FETCH = 2_000  # rows that the driver holds


class BoltSource:
    """`bolt://HOST:PORT[/DATABASE]`; user and password come from the environment."""

    name = "bolt"
    says = "the address of a Bolt server"
    takes_the_rest = False

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the scheme of the address."""
        return path is None and _URL.match(source) is not None

    def convert(self, source: str, out: Path, licence: str) -> ConversionReport:
        """See `schemagraph.convert.source.Source`."""
        name = graph_name(source)
        with _Session(source) as session:
            return convert_elements(
                out,
                name,
                lambda elements: read_database(elements, session.rows),
                lambda number: f"{source}, element {number}",
                kind=self.name,
                origin={"kind": self.name, "url": source},
                licence=licence,
            )


def graph_name(source: str) -> str:
    """The database's name, else the server's.

    >>> graph_name("bolt://localhost:7687/films"), graph_name("bolt://localhost:7687")
    ('films', 'localhost-7687')

    Raises:
        SourceError: the address holds a password, which would be written into what is made of it.
    """
    parts = urlsplit(source)
    if "@" in parts.netloc:
        raise SourceError(
            "The address of a Bolt server holds a user or a password; "
            "set NEO4J_USERNAME and NEO4J_PASSWORD instead."
        )
    return parts.path.strip("/") or parts.netloc.replace(":", "-")


class _Session:
    """A session that reads, with errors of ours.

    Raises:
        SourceError: there is no driver, no server, no such database, or a query fails.
    """

    def __init__(self, source: str) -> None:
        try:
            import neo4j
        except ImportError:
            raise SourceError(f"The driver for Bolt is not installed: {_INSTALL}.") from None
        self._source = source
        self._errors = (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError)
        parts = urlsplit(source)
        user = os.environ.get("NEO4J_USERNAME", "")
        password = os.environ.get("NEO4J_PASSWORD", "")
        try:
            self._driver = neo4j.GraphDatabase.driver(
                f"{parts.scheme}://{parts.netloc}",
                auth=(user, password) if user else None,
                connection_timeout=_CONNECT,
                connection_acquisition_timeout=_CONNECT,
                max_transaction_retry_time=0,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
            )
        except (*self._errors, ValueError) as problem:
            raise SourceError(f"{source} cannot be reached: {problem}") from None
        self._session = self._driver.session(
            database=parts.path.strip("/") or None,
            default_access_mode=neo4j.READ_ACCESS,
            fetch_size=_FETCH,
        )

    def __enter__(self) -> _Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self._session.close()
        self._driver.close()

    def rows(self, text: str, **parameters: Any) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, as they arrive."""
        try:
            for record in self._session.run(text, parameters):
                yield tuple(record.values())
        except (*self._errors, ValueError) as problem:  # an address is resolved when it is asked
            first = str(problem).strip().split("\n", 1)[0]
            raise SourceError(f"{self._source} cannot be read: {first}") from None


SOURCE = BoltSource()
