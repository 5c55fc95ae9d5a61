"""Take a graph folder as it is: what `graphmill convert` wrote."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from graphmill.errors import SourceError
from graphmill.files import write_text
from schemagraph.folder.check import check_graph
from schemagraph.folder.graphdata import edge_table, graph_fingerprint, node_table
from schemagraph.folder.manifest import MANIFEST, load_manifest, manifest_text
from schemagraph.folder.serde import SCHEMA_FILE, load_schema
from schemagraph.folder.writer import GraphWriter
from schemagraph.report import ConversionReport


class GraphFolder:
    """A folder with a manifest and a schema."""

    name = "graph-folder"
    says = "a graph folder of graphmill"
    takes_the_rest = False

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By its manifest and its schema."""
        return path is not None and (path / MANIFEST).is_file() and (path / SCHEMA_FILE).is_file()

    def convert(self, source: str, out: Path, licence: str) -> ConversionReport:
        """See `schemagraph.convert.source.Source`."""
        path = Path(source)
        errors = [each for each in check_graph(path) if each.severity == "error"]
        if errors:
            raise SourceError(f"{source} is a damaged graph: {errors[0].message}")
        if graph_fingerprint(path, deep=True) != load_manifest(path).fingerprint:
            raise SourceError(f"{source} is a damaged graph: {MANIFEST} is of another content.")
        if out.resolve() == path.resolve():
            raise SourceError(f"{source} is the graph itself: give another folder.")
        without = shutil.ignore_patterns("instances", ".*")
        with GraphWriter(out) as writer:
            shutil.copytree(path, writer.folder, ignore=without, dirs_exist_ok=True)
            manifest = load_manifest(writer.folder)
            if licence:
                text = manifest_text(replace(manifest, licence=licence))
                write_text(writer.folder / MANIFEST, text)
            writer.put_in_place(manifest)
        schema = load_schema(out)
        rows = {entry.file.partition("/")[2]: entry.rows for entry in manifest.tables}
        return ConversionReport(
            source=path.name,
            out=str(out),
            kind=self.name,
            nodes={node.name: rows.get(f"{node_table(node)}.parquet", 0) for node in schema.nodes},
            edges={edge.name: rows.get(f"{edge_table(edge)}.parquet", 0) for edge in schema.edges},
            decisions=(),
            warnings=(),
            notes=(),
            checks=(),
            fingerprint=manifest.fingerprint,
        )


SOURCE = GraphFolder()
