"""Memgraph: Cypher on the user's server by Bolt URL (GRAPHMILL_MEMGRAPH_URL, _USER, _PASSWORD).

A graph is loaded only into an empty database and taken out again at the end.
"""

from __future__ import annotations

from typing import ClassVar

from engines.base import Needs
from engines.bolt import Bolt
from engines.bolt_servers import MemgraphBolt, Served, needs


class Memgraph(Served):
    """One database of a Memgraph server."""

    name: ClassVar[str] = "memgraph"
    profiles: ClassVar[dict[str, str]] = {"cypher": "cypher-memgraph"}
    family: ClassVar[str] = "memgraph"
    url_variable: ClassVar[str] = "GRAPHMILL_MEMGRAPH_URL"
    needs: ClassVar[Needs] = needs("memgraph")
    BOLT: ClassVar[type[Bolt]] = MemgraphBolt


ENGINE = Memgraph
