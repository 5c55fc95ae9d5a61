"""An answer that holds nodes, edges or paths, as a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graphmill.files import canonical
from pipelines.pictures.patterns import MOST, Arc, Pattern, Spot, picture_of

_NAMES = ("name", "title", "label", "code", "id")


def drawn_answer(rows: Iterable[Sequence[Any]]) -> str:
    """The graph in an answer as SVG; empty where there is none. At most `MOST` nodes are drawn."""
    found = Pattern()
    for row in rows:
        for value in row:
            _add(found, value)
    return picture_of(found, "Answer") if found.spots else ""


def _add(found: Pattern, value: Any) -> None:
    if isinstance(value, list):
        for each in value:
            _add(found, each)
    elif isinstance(value, dict):
        if {"nodes", "edges"} <= value.keys():
            _add(found, value["nodes"])
            _add(found, value["edges"])
        elif {"type", "source", "target"} <= value.keys():
            source, target = _spot(found, value["source"]), _spot(found, value["target"])
            arc = Arc(source, target, str(value["type"]), True, "match")
            if source and target and arc not in found.arcs:
                found.arcs.append(arc)
        elif {"labels", "key"} <= value.keys():
            _spot(found, value)


def _spot(found: Pattern, node: Any) -> str:
    """The place of a node; empty where there are too many, or it is none."""
    if not isinstance(node, dict) or not {"labels", "key"} <= node.keys():
        return ""
    name = canonical([node["labels"], node["key"]])
    if name not in found.spots:
        if len(found.spots) >= MOST:
            return ""
        labels = node["labels"] if isinstance(node["labels"], list) else [node["labels"]]
        found.spots[name] = Spot(_called(node), "&".join(map(str, labels)), "match")
    return name


def _called(node: dict[str, Any]) -> str:
    """What tells a node from others at a glance."""
    properties = node.get("properties") or {}
    key = node["key"] if isinstance(node["key"], dict) else {}
    for known in (properties, key):
        for name in _NAMES:
            if known.get(name) is not None:
                return str(known[name])
    return ", ".join(str(value) for value in key.values())
