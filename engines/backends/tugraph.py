"""TuGraph: Cypher on the user's server by Bolt URL (GRAPHMILL_TUGRAPH_URL, _USER, _PASSWORD).

A graph is loaded only into an empty database and taken out again at the end.
"""

from __future__ import annotations

from typing import ClassVar

from engines.base import Needs
from engines.bolt import Bolt
from engines.bolt_servers import Served, TugraphBolt, needs


class Tugraph(Served):
    """One database of a TuGraph server."""

    name: ClassVar[str] = "tugraph"
    profiles: ClassVar[dict[str, str]] = {"cypher": "cypher-tugraph"}
    family: ClassVar[str] = "tugraph"
    url_variable: ClassVar[str] = "GRAPHMILL_TUGRAPH_URL"
    needs: ClassVar[Needs] = needs("tugraph")
    BOLT: ClassVar[type[Bolt]] = TugraphBolt


ENGINE = Tugraph
