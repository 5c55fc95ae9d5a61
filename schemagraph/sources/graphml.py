"""Read GraphML (graphml.graphdrawing.org), as networkx, igraph, Gephi and Neo4j's APOC write it.

Labels of a node are its attribute `labels` (APOC: `:Person:Actor`), else its data `labels` or
`labelV`; the type of an edge is its attribute `label` (APOC), else its data `labelE` or `type`. A
`label` in the data is what Gephi shows, and stays a property.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from graphmill.errors import SourceError
from graphmill.files import file_digest
from schemagraph.convert.elements import Elements, Labels, convert_elements
from schemagraph.report import ConversionReport
from schemagraph.sources.formats.graphml_parse import Item, Reader
from schemagraph.sources.formats.json_text import BOM

_NO_LABEL = "Node"
_NO_TYPE = "RELATED_TO"


class GraphMLSource:
    """XML whose root is `graphml`."""

    name = "graphml"
    says = "a GraphML file"
    takes_the_rest = False

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the root's name."""
        return (
            path is not None
            and head.removeprefix(BOM).lstrip()[:1] == b"<"
            and (b"graphml" in head)
        )

    def convert(self, source: str, out: Path, licence: str) -> ConversionReport:
        """See `schemagraph.convert.source.Source`."""
        path = Path(source)
        return convert_elements(
            out,
            path.stem,
            _Taking(path).take_in,
            lambda line: f"{path}, line {line}",
            kind=self.name,
            origin={"kind": self.name, "file": path.name, "sha256": file_digest(path)},
            licence=licence,
        )


@dataclass
class _Taking:
    """One file being read, first for its nodes and then for its edges, which may come before."""

    path: Path
    key: str = "id"
    labels: dict[str, Labels] = field(default_factory=dict)
    unlabelled: int = 0
    untyped: int = 0
    numbered: int = 0

    def take_in(self, elements: Elements) -> None:
        """Add all nodes and edges.

        Raises:
            SourceError: it is no GraphML, or has what cannot be held (ports, hyperedges).
        """
        nodes = Reader(self.path, "node")
        for item in nodes.items():
            if self.key in nodes.names("node"):
                self.key = "graphml_id"
            self._node(item, elements)
        if not self.labels:
            raise SourceError(f"{self.path} has no node.")
        edges = Reader(self.path, "edge")
        directed = True
        for item in edges.items():
            directed = directed and item.attributes.get("directed", edges.default) != "false"
            self._edge(item, elements)
        self._say(elements, directed, sorted(nodes.ignored | edges.ignored))

    def _node(self, item: Item, elements: Elements) -> None:
        where = f"{self.path}, line {item.line}"
        own = item.attributes.get("id")
        if own is None:
            raise SourceError(f'{where}: a node has an attribute "id".')
        if own in self.labels:
            raise SourceError(f"{where}: the id {own!r} occurs twice.")
        given = _labels(item)
        for label in given:
            if not label.strip() or "&" in label:
                raise SourceError(f"{where}: {label!r} is no label: it is blank or has a '&'.")
        self.unlabelled += not given
        self.labels[own] = given or (_NO_LABEL,)
        table = elements.node_table(self.labels[own], (self.key,))
        table.add({self.key: own, **item.data}, item.line)

    def _edge(self, item: Item, elements: Elements) -> None:
        ends = []
        for end in ("source", "target"):
            own = item.attributes.get(end)
            if own is None:
                raise SourceError(
                    f'{self.path}, line {item.line}: an edge has attributes "source" and "target".'
                )
            if own not in self.labels:
                raise SourceError(
                    f"{self.path}, line {item.line}: there is no node with the id {own!r} ({end})."
                )
            ends.append(own)
        label = _type(item)
        self.untyped += not label
        self.numbered += "id" in item.attributes
        table = elements.edge_table(self.labels[ends[0]], label or _NO_TYPE, self.labels[ends[1]])
        table.add(item.data, item.line, (ends[0], ends[1]))

    def _say(self, elements: Elements, directed: bool, ignored: list[str]) -> None:
        if self.unlabelled:
            elements.warnings.append(f"{self.unlabelled} nodes have no labels and get {_NO_LABEL}.")
        if self.untyped:
            elements.warnings.append(f"{self.untyped} edges have no type and get {_NO_TYPE}.")
        if not directed:
            elements.warnings.append(
                "The graph is undirected: edges keep the direction as written."
            )
        if self.numbered:
            elements.notes.append("The ids of edges only tell them apart, and are no properties.")
        if ignored:
            elements.notes.append(f"What is no data of the graph is ignored: {', '.join(ignored)}.")


def _labels(item: Item) -> Labels:
    """Labels in `:A:B`, as one text or as a list; what is used is no property."""
    given = item.attributes.get("labels")
    if given is not None and item.data.get("labels") in (given, None):
        item.data.pop("labels", None)
    elif given is None:
        name = next((n for n in ("labels", "labelV") if item.data.get(n)), None)
        given = item.data.pop(name) if name is not None else None
    if isinstance(given, list):
        labels = list(map(str, given))
    elif isinstance(given, str):
        labels = given.lstrip(":").split(":") if given.startswith(":") else [given]
    else:
        labels = []
    return tuple(dict.fromkeys(label for label in labels if label))


def _type(item: Item) -> str:
    given = item.attributes.get("label")
    if given:
        if item.data.get("label") == given:
            del item.data["label"]
        return given
    name = next((n for n in ("labelE", "type") if isinstance(item.data.get(n), str)), None)
    return str(item.data.pop(name)) if name is not None else ""


SOURCE = GraphMLSource()
