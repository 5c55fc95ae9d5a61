"""Read DDL text: a schema without rows (`schemagraph.sources._ddl_text`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphmill.errors import SourceError
from graphmill.files import file_digest
from schemagraph.convert.table_source import TableSource
from schemagraph.convert.tables_to_graph import TableOptions
from schemagraph.relational import RelationalSource

_CREATES = re.compile(rb"\bcreate\s+(or\s+replace\s+|temp(orary)?\s+|unlogged\s+)*table\b", re.I)


class DdlSource(TableSource):
    """Files with CREATE TABLE statements."""

    name = "ddl"
    says = "DDL text"

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the ending `.sql` or `.ddl`, or a CREATE TABLE near the beginning."""
        if path is None or not path.is_file() or b"\0" in head:
            return False
        return path.suffix.lower() in (".sql", ".ddl") or bool(_CREATES.search(head))

    @contextmanager
    def opened(
        self, source: str, options: TableOptions
    ) -> Iterator[tuple[RelationalSource, dict[str, Any]]]:
        """See `TableSource`."""
        from schemagraph.sources._ddl_text import DdlText  # sqlglot takes a while to load

        path = Path(source)
        try:
            text = path.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError as problem:
            raise SourceError(f"{path} is not UTF-8 text: {problem.reason}.") from None
        yield (
            DdlText(path.stem, str(path), text, options.dialect),
            {"file": path.name, "sha256": file_digest(path)},
        )


SOURCE = DdlSource()
