"""What of a query must be found in each text that says the same: labels, types and constants."""

from __future__ import annotations

import re

from graph_ir import nodes as ir
from graph_ir.walk import descend

_DURATION = re.compile(r"P[\dYMWDTHS.]+")  # said by its numbers


def words(statement: ir.Statement) -> list[str]:
    """Labels, edge types and constants, as they must be found in a text."""
    found = []
    for node in descend(statement):
        if isinstance(node, ir.LabelName):
            found.append(node.name)
        elif isinstance(node, ir.Literal) and isinstance(node.value, str):
            of_duration = _DURATION.fullmatch(node.value)
            found += re.findall(r"\d+", node.value) if of_duration else []
            found += [node.value] if node.value.isalnum() and not of_duration else []
        elif isinstance(node, ir.Literal) and isinstance(node.value, int | float):
            found += [] if isinstance(node.value, bool) else [str(node.value)]
    return found


def lost(statement: ir.Statement, text: str) -> list[str]:
    """Those that `text` lacks."""
    return sorted({word for word in words(statement) if word not in text})
