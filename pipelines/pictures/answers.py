"""An answer that holds nodes, edges or paths, as a drawing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graphmill.files import canonical
from pipelines.pictures.patterns import MOST, Arc, Pattern, Spot, picture_of

_NAMES = ("name", "title", "label", "code", "id")


def drawn_answer(rows: Iterable[Sequence[Any]]) -> str:
    """The graph in an answer as SVG; empty where there is none. At most `MOST` nodes are drawn."""
    pattern = Pattern()
    for row in rows:
        for value in row:
            _add(pattern, value)
    return picture_of(pattern, "Answer") if pattern.spots else ""


def _add(pattern: Pattern, value: Any) -> None:
    if isinstance(value, list):
        for each in value:
            _add(pattern, each)
    elif isinstance(value, dict):
        if {"nodes", "edges"} <= value.keys():
            _add(pattern, value["nodes"])
            _add(pattern, value["edges"])
        elif {"type", "source", "target"} <= value.keys():
            source, target = _spot(pattern, value["source"]), _spot(pattern, value["target"])
            arc = Arc(source, target, str(value["type"]), True, "match")
            if source and target and arc not in pattern.arcs:
                pattern.arcs.append(arc)
        elif {"labels", "key"} <= value.keys():
            _spot(pattern, value)


def _spot(pattern: Pattern, node: Any) -> str:
    """The place of a node; empty where there are too many, or it is none."""
    if not isinstance(node, dict) or not {"labels", "key"} <= node.keys():
        return ""
    name = canonical([node["labels"], node["key"]])
    if name not in pattern.spots:
        if len(pattern.spots) >= MOST:
            return ""
        labels = node["labels"] if isinstance(node["labels"], list) else [node["labels"]]
        pattern.spots[name] = Spot(_called(node), "&".join(map(str, labels)), "match")
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
