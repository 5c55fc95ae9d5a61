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
        draft, old = (out.with_name(f".{out.name}.{end}") for end in ("part", "old"))
        for each in (draft, old):
            shutil.rmtree(each, ignore_errors=True)
        draft.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(path, draft, ignore=shutil.ignore_patterns("instances", ".*"))
        manifest = load_manifest(draft)
        if licence:
            write_text(draft / MANIFEST, manifest_text(replace(manifest, licence=licence)))
        if out.exists():
            out.replace(old)
        draft.replace(out)
        shutil.rmtree(old, ignore_errors=True)
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
