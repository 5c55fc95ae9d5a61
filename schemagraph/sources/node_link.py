"""Read networkx node-link JSON (networkx.org: `readwrite.json_graph.node_link_data`).

Nodes have `id` and `labels` (a list), links `source`, `target` and `type`; all else are
properties. Links stand under `links` or `edges`. A multigraph's `key` tells links apart and is no
property. An absent property and one that is null are the same.
"""

from __future__ import annotations

from functools import partial
from math import isnan
from pathlib import Path
from typing import Any

from graphmill.errors import SourceError
from graphmill.files import file_digest
from schemagraph.convert.elements import Elements, Labels, convert_elements
from schemagraph.report import ConversionReport
from schemagraph.sources.formats.json_text import BOM, load_json

KEY = "id"

_NO_LABEL = "Node"
_NO_TYPE = "RELATED_TO"


class NodeLinkSource:
    """Files that hold one JSON object."""

    name = "node-link"
    says = "a networkx node-link JSON file"
    takes_the_rest = True  # any JSON object that is no other kind's

    def accepts(self, source: str, path: Path | None, head: bytes) -> bool:
        """By the first character, a byte order mark left out."""
        return path is not None and head.removeprefix(BOM).lstrip()[:1] == b"{"

    def convert(self, source: str, out: Path, licence: str) -> ConversionReport:
        """See `schemagraph.convert.source.Source`."""
        path = Path(source)
        data = _loaded(path)
        about = data.get("graph")
        about = dict(about) if isinstance(about, dict) else {}
        name = about.pop("name", None)
        return convert_elements(
            out,
            name if isinstance(name, str) and name else path.stem,
            partial(_read, path, data, sorted(about)),
            lambda number: f"{path}, element {number}",
            kind=self.name,
            origin={"kind": self.name, "file": path.name, "sha256": file_digest(path)},
            licence=licence,
        )


def _loaded(path: Path) -> dict[str, Any]:
    """The file's object, which has lists of nodes and of links."""
    data = load_json(path)
    if not isinstance(data, dict) or not isinstance(data.get("nodes"), list):
        raise SourceError(f'{path} is no node-link JSON: it has no list "nodes".')
    link_lists = [name for name in ("links", "edges") if isinstance(data.get(name), list)]
    if len(link_lists) != 1:
        has = 'both lists "links" and "edges"' if link_lists else 'no list "links" or "edges"'
        raise SourceError(f"{path} is no node-link JSON: it has {has}.")
    if not data["nodes"]:
        raise SourceError(f"{path} has no node.")
    return data


def _read(path: Path, data: dict[str, Any], ignored: list[str], elements: Elements) -> None:
    if ignored:
        elements.notes.append(f"Attributes of the graph are ignored: {', '.join(ignored)}.")
    known = _nodes(path, data["nodes"], elements)
    what = "links" if isinstance(data.get("links"), list) else "edges"
    multigraph = data.get("multigraph", True) is not False
    _links(path, what, data[what], multigraph, known, elements)
    if data.get("directed", False) is False and data[what]:
        elements.warnings.append("The graph is undirected: links keep the direction as written.")


def _nodes(path: Path, items: list[Any], elements: Elements) -> dict[Any, tuple[Any, Labels]]:
    """Take in all nodes: id and labels by what is equal for equal ids."""
    known: dict[Any, tuple[Any, Labels]] = {}
    sets: dict[frozenset[str], Labels] = {}
    unlabelled = 0
    for number, item in enumerate(items):
        where = f"{path}, node {number + 1}"
        if not isinstance(item, dict) or item.get("id") is None:
            raise SourceError(f'{where}: a node is an object with an "id".')
        properties = {k: v for k, v in item.items() if k not in ("id", "labels")}
        identity = _identity(where, item["id"])
        if identity in known:
            raise SourceError(f"{where}: the id {item['id']!r} occurs twice.")
        given = _labels(where, item.get("labels"))
        unlabelled += not given
        own = sets.setdefault(frozenset(given or (_NO_LABEL,)), given or (_NO_LABEL,))
        known[identity] = (item["id"], own)
        elements.node_table(own, (KEY,)).add({KEY: item["id"], **properties}, number + 1)
    if unlabelled:
        elements.warnings.append(f"{unlabelled} nodes have no labels and get {_NO_LABEL}.")
    return known


def _labels(where: str, given: Any) -> Labels:
    if given is None:
        return ()
    labels = [given] if isinstance(given, str) else given
    if not isinstance(labels, list) or not all(_is_name(label) for label in labels):
        raise SourceError(
            f'{where}: "labels" is a list of texts that are not empty and hold no "&".'
        )
    return tuple(dict.fromkeys(labels))


def _is_name(value: Any) -> bool:
    if not isinstance(value, str) or not value.strip() or "&" in value:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _identity(where: str, value: Any) -> Any:
    """A value that is equal for equal ids: a list is a tuple, and true is not the number 1."""
    if isinstance(value, bool):
        return bool, value
    if isinstance(value, list):
        return tuple(_identity(where, item) for item in value)
    if isinstance(value, dict):
        raise SourceError(f'{where}: an object is no "id".')
    if isinstance(value, float) and isnan(value):
        raise SourceError(f'{where}: NaN is no "id": it equals no other, nor itself.')
    return value


def _links(
    path: Path,
    what: str,
    items: list[Any],
    multigraph: bool,
    known: dict[Any, tuple[Any, Labels]],
    elements: Elements,
) -> None:
    reserved = {"source", "target", "type", *(("key",) if multigraph else ())}
    untyped = 0
    for number, item in enumerate(items):
        where = f"{path}, item {number + 1} of {what}"
        if not isinstance(item, dict) or "source" not in item or "target" not in item:
            raise SourceError(f'{where}: a link is an object with "source" and "target".')
        ends = []
        for end in ("source", "target"):
            identity = _identity(where, item[end])
            if identity not in known:
                raise SourceError(f"{where}: there is no node with the id {item[end]!r} ({end}).")
            ends.append(known[identity])
        label = item.get("type")
        if label is None:
            untyped += 1
            label = _NO_TYPE
        if not _is_name(label):
            raise SourceError(f'{where}: "type" is a text that is not empty and holds no "&".')
        properties = {k: v for k, v in item.items() if k not in reserved}
        (source, first), (target, second) = ends
        links = elements.edge_table(first, label, second)
        links.add(properties, number + 1, (source, target))
    if untyped:
        elements.warnings.append(f"{untyped} links have no type and get {_NO_TYPE}.")


SOURCE = NodeLinkSource()
