"""Neo4j: Cypher, and GQL through `CYPHER 25`, on a server by Bolt URL or on a real local one.

The server is `url`, else GRAPHMILL_NEO4J_URL (with GRAPHMILL_NEO4J_USER and _PASSWORD), else a
Neo4j that this worker starts from the packages of the extra `neo4j-local`
(https://neo4j.com/docs/java-reference/current/java-embedded/). A server by URL is the user's:
a graph is loaded only into an empty database and taken out again at the end.
"""

from __future__ import annotations

import gc
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Self

from engines.base import Engine, Needs, Result, Unsound
from engines.bolt import Bolt
from engines.guard import bare, refuse_files
from engines.hazards.stored import Hazard, StoredValues, refuse_hazards, stored_values
from engines.jvm.java import ENVIRONMENT
from engines.jvm.neo4j import Local
from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.errors import EngineUnavailable
from schemagraph.folder.serde import load_schema

HAZARDS = (
    Hazard(
        "cancelling",
        r"\.`?NAME(?!\w)",
        r"(?is:\bMATCH\b.*\bavg\s*\()",
        "Neo4j rounds as it goes in means of integers beyond 2^53, some below zero and some above.",
        r"-|\(\w*\)",
    ),
)
_NAME = r"(?:\w+|`(?:[^`]|``)+`)"
_MEAN = re.compile(r"\bavg\s*\(", re.IGNORECASE)
_OF_PROPERTY = re.compile(
    rf"\bavg\s*\(\s*(?:DISTINCT\s+)?({_NAME})\s*\.\s*({_NAME})\s*\)", re.IGNORECASE
)
_SURE = 2.0**43
"""What means of 64 bits are rounded by is nothing beside an answer of this size."""
GQL = "CYPHER 25"
# Every text of a corpus is new: not compiling its expressions saves half of the time.
QUICK = "expressionEngine=interpreted"
_SEVERAL = frozenset(
    (
        ir.SelectorKind.ALL_SHORTEST,
        ir.SelectorKind.SHORTEST_K,
        ir.SelectorKind.SHORTEST_GROUPS,
    )
)
_OPTIONS = re.compile(r"\s*(?:CYPHER|EXPLAIN|PROFILE)\b", re.IGNORECASE)


def _searches_cycles(statement: ir.Statement) -> bool:
    """Whether ALL SHORTEST or SHORTEST k ends at the variable that it begins with."""
    return any(
        path.selector is not None
        and path.selector.kind in _SEVERAL
        and path.head.var is not None
        and path.head.var == path.steps[-1].node.var
        and any(edge.direction is ir.Direction.BOTH for edge in find(path, ir.EdgePattern))
        for path in find(statement, ir.Path)
        if path.steps
    )


def averaged(text: str) -> frozenset[str] | None:
    """The properties of elements that a text has the means of; None where a mean may be of others.

    >>> sorted(averaged("MATCH (p:P) RETURN avg(p.age), avg(DISTINCT p.`my size`), sum(p.n)"))
    ['age', 'my size']
    >>> averaged("MATCH (p:P) WITH {a: p.n} AS m RETURN avg(m.a)")
    """
    means = _OF_PROPERTY.findall(text)
    if len(means) < len(_MEAN.findall(text)):
        return None
    for owner in {re.escape(owner) for owner, _ in means}:
        # A name that no pattern has made may stand for a map with what is not called so.
        if re.search(
            rf"(?i:\bYIELD\b|\b(?:AS|FOR)\s+{owner}(?!\w)|(?<![\w.`]){owner}\s*(?:=|IN\b))", text
        ):
            return None
    return frozenset(_plain(name) for _, name in means)


def _plain(name: str) -> str:
    return name[1:-1].replace("``", "`") if name.startswith("`") else name


class Neo4j(Engine):
    """One database of a server, read through the ordinary driver."""

    name: ClassVar[str] = "neo4j"
    languages: ClassVar[tuple[str, ...]] = ("cypher", "gql")
    profiles: ClassVar[dict[str, str]] = {"cypher": "cypher", "gql": "gql-neo4j"}
    family: ClassVar[str] = "neo4j"
    trust: ClassVar[int] = 2
    unsound: ClassVar[tuple[Unsound, ...]] = (
        Unsound(
            "closed-search",
            ("cypher", "gql-neo4j"),
            "Searches from a node to itself along edges of both directions lose paths, ANY apart.",
            _searches_cycles,
        ),
    )
    packages: ClassVar[tuple[str, ...]] = ("neo4j",)
    by_name: ClassVar[bool] = True
    needs: ClassVar[Needs] = Needs(
        environment=(
            *("GRAPHMILL_NEO4J_URL", "GRAPHMILL_NEO4J_USER", "GRAPHMILL_NEO4J_PASSWORD"),
            *ENVIRONMENT,
        ),
        grace=5.0,
        address_space=False,
        reloads=True,
        farewell=300.0,
        usual_mb=700,
    )

    def __init__(self, url: str = "") -> None:
        self.url = url or os.environ.get("GRAPHMILL_NEO4J_URL", "")
        self._local: Local | None = None
        self._bolt: Bolt | None = None
        self._stored = StoredValues()

    def __enter__(self) -> Self:
        user = os.environ.get("GRAPHMILL_NEO4J_USER", "neo4j")
        password = os.environ.get("GRAPHMILL_NEO4J_PASSWORD", "")
        if self.url:
            self._bolt = Bolt(self.url, user if password else "", password)
        else:
            self._local = Local()
            self._bolt = Bolt(self._local.start())
        return self

    def __exit__(self, *exc: object) -> None:
        if self._bolt is not None:
            if self._local is None:
                self._bolt.unload()
            self._bolt.close()

    def version(self) -> str:
        """The server's version."""
        return self._server().version

    def load(self, graph: Path) -> None:
        """Load the graph; a local server starts anew with nothing in it."""
        schema = load_schema(graph)
        if self._local is not None:
            if self._local.used:
                self._server().close()
                self._bolt = Bolt(self._local.restart())
            self._local.used = True
        else:
            self._server().unload()
        self._server().load(graph, schema)
        self._stored = stored_values(graph, schema, texts=False)
        if self._local is not None:
            gc.freeze()  # with each collection of Java's jpype has Python look through all it has

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one read query."""
        refuse_files(text)
        result = self._server().run(self._prefix(text, language) + text, timeout)
        cells = (cell for row in result.rows for cell in row)
        if any(isinstance(cell, float) and abs(cell) < _SURE for cell in cells):
            refuse_hazards(HAZARDS, self._of(averaged(text)), text)
        return result

    def _of(self, names: frozenset[str] | None) -> StoredValues:
        """What is stored under these names; all of it where they are not known."""
        if names is None:
            return self._stored
        wide = {place for place in self._stored.wide if place[1] in names}
        return replace(self._stored, wide=wide)

    def _prefix(self, text: str, language: str) -> str:
        """What Neo4j wants in front; positions in its messages do not count it."""
        if _OPTIONS.match(bare(text)):
            return ""
        words = [GQL] if language == "gql" else []
        if self._local is not None:
            words = [*(words or ["CYPHER"]), QUICK]
        return " ".join([*words, ""])

    def _server(self) -> Bolt:
        if self._bolt is None:
            raise EngineUnavailable("The engine neo4j is closed.")
        return self._bolt


ENGINE = Neo4j
