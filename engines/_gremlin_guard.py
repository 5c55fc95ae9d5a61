"""What no Gremlin text may ask of an engine: files, services, other graphs, writes, code.

The engines themselves open their data read-only; reading a file, calling a service or changing how
a traversal is run is no write, so it is refused here, before the engine sees the text.
"""

from __future__ import annotations

import re

from graphmill.errors import QueryError

_HIDDEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")
_BEYOND = frozenset(
    {
        *("io", "call", "read", "write", "program", "tx", "commit", "rollback", "close", "open"),
        *("withStrategies", "withoutStrategies", "withComputer", "withRemote", "withSideEffect"),
        *("pageRank", "peerPressure", "connectedComponent", "shortestPath", "script", "eval"),
        *("addV", "addE", "mergeV", "mergeE", "property", "drop"),
    }
)
_LAMBDA = re.compile(r"->|[{}]|\bLambda\b|\bnew\b|;")


def refuse_hostile(text: str) -> None:
    """Refuse steps that reach beyond the graph, that write, and code.

    Raises:
        QueryError: the text has one.
    """
    seen = _HIDDEN.sub("''", text)
    for name in _CALL.findall(seen):
        if name in _BEYOND:
            message = f"{name}() reaches beyond reads of the graph, which alone are run."
            raise QueryError(message, "semantic")
    if match := _LAMBDA.search(seen):
        raise QueryError(f"'{match[0]}' is no part of a traversal without code.", "semantic")
