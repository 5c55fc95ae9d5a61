"""DuckDB on the file that a graph was made of, read-only."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar, Self

import duckdb

from engines.backends.duckdb import DuckDB
from engines.base import memory_cap
from graphmill.errors import EngineUnavailable


class DuckDBFile(DuckDB):
    """Runs SQL on the database file `source`."""

    name: ClassVar[str] = "duckdb-file"
    profiles: ClassVar[dict[str, str]] = {"sql": "duckdb"}

    def __init__(self, source: str = "") -> None:
        super().__init__(memory_cap() or 1024)
        self.source = source

    def __enter__(self) -> Self:
        if not self.source or not Path(self.source).is_file():
            raise EngineUnavailable(f"There is no database file '{self.source}'.")
        try:
            connection = duckdb.connect(
                self.source,
                read_only=True,
                config={
                    "threads": 1,
                    "memory_limit": f"{self._memory_mb}MiB",
                    "temp_directory": "",
                    "autoinstall_known_extensions": False,
                    "autoload_known_extensions": False,
                },
            )
            connection.execute("SET TimeZone = 'UTC'")
            connection.execute("SET enable_progress_bar = false")  # it goes to standard output
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
        except duckdb.Error as problem:
            raise EngineUnavailable(f"{self.source} is no DuckDB database: {problem}") from problem
        return self._begin(connection)

    def load(self, graph: Path) -> None:
        """Nothing: the source is the data."""


ENGINE = DuckDBFile
