"""Write a graph folder: Parquet tables, `schema.json`, `mapping.json` and `manifest.json`.

All of it is written beside the target and moved there at the end, so that the target is the old
graph, the new one or absent, never a part of one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from graphmill.errors import GraphmillError, name_place
from graphmill.files import file_digest, write_text
from schemagraph.folder.graphdata import edge_layout, edge_table, node_layout, node_table
from schemagraph.folder.manifest import MANIFEST, Manifest, TableEntry, content, manifest_text
from schemagraph.folder.observing import Observer, observed
from schemagraph.folder.serde import save_mapping, save_schema
from schemagraph.mapping import Mapping
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.staging.background import Behind
from schemagraph.staging.hashing import TableDigest

_SYNCING = 16  # files at once


class GraphWriter:
    """A graph folder in the making; leaving it without `commit` leaves no trace.

    Tables may be written by several threads.

    Raises:
        GraphmillError: `out` cannot be written, or holds something that is no graph.
    """

    def __init__(self, out: Path) -> None:
        check_place(out)
        self.out = out = out if out.name else out.resolve()
        self.folder = out.with_name(f".{out.name}.part")
        self._old = out.with_name(f".{out.name}.old")
        self._entries: list[TableEntry] = []
        self._seen: dict[str, Observer] = {}

    def __enter__(self) -> Self:
        try:
            self._tidy()
            for name in ("nodes", "edges"):
                (self.folder / name).mkdir(parents=True)
        except OSError as problem:
            raise GraphmillError(f"Cannot write {self.out}: {problem.strerror}.") from problem
        return self

    def _tidy(self) -> None:
        """Undo what a conversion left that was killed."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._old.exists() and not self.out.exists():
            self._old.rename(self.out)
        shutil.rmtree(self._old, ignore_errors=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        if problem is not None:
            name_place(problem, self.folder, self.out)

    def nodes(self, node: NodeType, batches: Iterable[Any]) -> TableEntry:
        """Write all nodes of a type, given as Arrow record batches of `node_layout`."""
        name = f"nodes/{node_table(node)}.parquet"
        return self._write(name, node.name, node_layout(node), batches)

    def edges(self, edge: EdgeType, schema: SchemaGraph, batches: Iterable[Any]) -> TableEntry:
        """Write all edges of a type, given as Arrow record batches of `edge_layout`."""
        name = f"edges/{edge_table(edge)}.parquet"
        return self._write(name, edge.name, edge_layout(edge, schema), batches)

    def _write(self, name: str, kind: str, layout: Any, batches: Iterable[Any]) -> TableEntry:
        import pyarrow.parquet as pq

        digest = TableDigest(tuple(layout.names))
        seen = Observer()
        path = self.folder / name
        batches = (batch for batch in batches if batch.num_rows)
        first = list(islice(batches, 1))
        few = [column for batch in first for column in _few_valued(batch)]
        try:
            with pq.ParquetWriter(path, layout, compression="zstd", use_dictionary=few) as writer:

                def take_in(batch: Any) -> None:
                    digest.add([content(column) for column in batch.columns], batch.num_rows)
                    seen.add(batch)
                    writer.write_batch(batch)

                with Behind(take_in) as behind:
                    for batch in chain(first, batches):
                        behind.put(batch)
        except OSError as problem:
            raise GraphmillError(f"Cannot write {path}: {problem}.") from problem
        entry = TableEntry.of(name, digest, file_digest(path))
        self._entries.append(entry)
        self._seen[kind] = seen
        return entry

    def commit(
        self,
        schema: SchemaGraph,
        mapping: Mapping | None,
        *,
        origin: dict[str, Any],
        licence: str = "",
        finish: Callable[[Path], object] = lambda _: None,
    ) -> Manifest:
        """Write schema, mapping and manifest, and put the folder in its place.

        The schema gets what was observed of the tables that were written. `finish` gets the folder
        before that, for files that are made of the whole graph.
        """
        schema = observed(schema, self._seen)
        save_schema(self.folder, schema)
        if mapping is not None:
            save_mapping(self.folder, mapping)
        names = [f"nodes/{node_table(node)}.parquet" for node in schema.nodes]
        names += [f"edges/{edge_table(edge)}.parquet" for edge in schema.edges]
        place = {name: number for number, name in enumerate(names)}
        tables = tuple(sorted(self._entries, key=lambda entry: place.get(entry.file, len(place))))
        manifest = Manifest.of(schema, mapping, tables, origin, licence)
        write_text(self.folder / MANIFEST, manifest_text(manifest))
        finish(self.folder)
        self.put_in_place(manifest)
        return manifest

    def put_in_place(self, manifest: Manifest) -> None:
        """Give a folder that is whole its name; `commit` does so itself.

        Raises:
            GraphmillError: it cannot be had.
        """
        try:
            with ThreadPoolExecutor(max_workers=_SYNCING) as pool:  # one journal for many files
                list(pool.map(_sync, (self.folder / entry.file for entry in manifest.tables)))
            if self.out.exists():
                self.out.rename(self._old)
            self.folder.rename(self.out)
        except OSError as problem:
            if self._old.exists() and not self.out.exists():
                self._old.rename(self.out)
            raise GraphmillError(f"Cannot write {self.out}: {problem.strerror}.") from problem
        shutil.rmtree(self._old, ignore_errors=True)


def _sync(path: Path) -> None:
    """Be sure that a file lies on the disk."""
    with path.open("rb") as stream:
        os.fsync(stream.fileno())


def _few_valued(batch: Any) -> list[str]:
    """The columns in which values come again, so that a dictionary of them makes the file small."""
    import pyarrow as pa
    import pyarrow.compute as pc

    return [
        name
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
        if not pa.types.is_nested(column.type)
        and 2 * pc.count_distinct(column).as_py() <= len(column)
    ]


def check_place(out: Path) -> None:
    """Refuse to write a graph where something else is.

    Raises:
        GraphmillError: `out` is there, and neither a graph nor an empty folder.
    """
    if out.exists() and not (out.is_dir() and (is_graph(out) or not any(out.iterdir()))):
        raise GraphmillError(
            f"{out} exists and is no graph, so it is not replaced. Choose another folder."
        )


def is_graph(folder: Path) -> bool:
    """Whether a folder is a graph, so that another one may replace it."""
    return (folder / MANIFEST).is_file() and (folder / "schema.json").is_file()
