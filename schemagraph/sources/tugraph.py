"""Read TuGraph's import configuration with the CSV or JSON files that it lists.

The configuration is one JSON object with `schema` (vertex and edge labels with typed properties,
the vertices' `primary` key, pairs of ends in `constraints`) and `files` (path, format, header
lines, label, columns), as TuGraph's manual "Data Importing" describes it. Paths are relative to
the folder of the configuration or to one above it. A vertex's primary key is the node's key.
"""

from __future__ import annotations

from pathlib import Path

from graphmill.errors import SourceError
from graphmill.files import digest, file_digest
from schemagraph.convert.elements import Elements, convert_elements
from schemagraph.report import ConversionReport
from schemagraph.sources.formats.csv_rows import described
from schemagraph.sources.formats.json_text import head_keys, load_json
from schemagraph.sources.formats.tugraph_files import ListedFile, find_files, read_file
from schemagraph.sources.formats.tugraph_schema import Label, Labels, read_labels


class TuGraphSource:
    """JSON files with a list `files` and a list `schema`."""

    name = "tugraph"
    says = "a TuGraph import configuration"
    takes_the_rest = False

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the lists of the object."""
        keys = head_keys(head)
        is_graph = keys.keys() & {"nodes", "links", "edges"}
        return path is not None and "[" in (keys.get("schema"), keys.get("files")) and not is_graph

    def convert(self, source: str, out: Path, licence: str) -> ConversionReport:
        """See `schemagraph.convert.source.Source`."""
        path = Path(source)
        labels, files = _configured(path)
        paths = [file.path for file in files]
        content = [file_digest(path), *map(file_digest, paths)]
        return convert_elements(
            out,
            graph_name(path),
            lambda elements: _read(elements, labels, files, paths),
            described(paths),
            kind=self.name,
            origin={"kind": self.name, "file": path.name, "sha256": digest(content)},
            licence=licence,
        )

    def files(self, source: str) -> list[Path]:
        """See `schemagraph.convert.source.ListingSource`."""
        path = Path(source)
        return [path, *(file.path for file in _configured(path)[1])]


def _configured(path: Path) -> tuple[Labels, list[ListedFile]]:
    config = load_json(path)
    for name in ("schema", "files"):
        if not isinstance(config, dict) or not isinstance(config.get(name), list):
            raise SourceError(f'{path} is no import configuration: it has no list "{name}".')
    labels = read_labels(path, config["schema"])
    return labels, find_files(path, config["files"], labels)


def graph_name(path: Path) -> str:
    """The graph's name: its folder's, as every configuration is called `import.json`."""
    folder = path.resolve().parent
    if not path.stem.lower().startswith("import"):
        return path.stem
    return folder.parent.name if folder.name in ("raw_data", "data") else folder.name


def _read(elements: Elements, labels: Labels, files: list[ListedFile], paths: list[Path]) -> None:
    for label in labels.vertices.values():
        table = elements.node_table((label.name,), (label.primary,))
        table.declared = {p.name: p.type for p in label.properties.values()}
        elements.required[(label.name,)] = _needed(label)
    pairs = {(f.label.name, f.ends) for f in files if f.ends}
    for edge in labels.edges.values():
        for ends in dict.fromkeys([*edge.pairs, *(e for n, e in sorted(pairs) if n == edge.name)]):
            edges = elements.edge_table((ends[0],), edge.name, (ends[1],))
            edges.declared = {p.name: p.type for p in edge.properties.values()}
            elements.required[(ends[0],), edge.name, (ends[1],)] = _needed(edge)
        if not edge.pairs and not any(name == edge.name for name, _ in pairs):
            elements.notes.append(f"Edge label {edge.name} has neither a file nor constraints.")
    for number, file in enumerate(files):
        read_file(elements, number, file)
    listed = {path.resolve() for path in paths}
    for folder in sorted({path.parent for path in paths}):
        for path in sorted(folder.glob("*.csv")):
            if path.resolve() not in listed:
                elements.warnings.append(
                    f"{path.name} lies beside the files but is not listed: it is not read."
                )


def _needed(label: Label) -> frozenset[str]:
    """The properties that are not optional."""
    return frozenset(p.name for p in label.properties.values() if not p.optional)


SOURCE = TuGraphSource()
