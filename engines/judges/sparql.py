"""Check of a SPARQL text by the parsers of Oxigraph and, where its jars are there, of Jena ARQ.

Both take SPARQL 1.1; Oxigraph's extensions of 1.2 are findings of Jena. With a graph, classes and
predicates of its namespaces (docs/rdf.md) have to be names of its schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, ClassVar, Self

from engines.backends.jena import JENA
from engines.base import Needs, Result, Unsound
from engines.jvm.java import ENVIRONMENT
from engines.sparql_guard import bare, refuse_others
from graphmill.cache import cache_folder
from graphmill.errors import Diagnostic, EngineUnavailable, QueryError
from schemagraph.folder.serde import load_schema
from schemagraph.model import EdgeType, NodeType, SchemaGraph
from schemagraph.rdf.names import PREFIXES, decode

_PREFIX = re.compile(r"\bPREFIX\s+([\w-]*):\s*<([^>]*)>", re.IGNORECASE)
_NAME = re.compile(r"(?<![\w?$<:-])([a-zA-Z][\w-]*|):((?:[\w-]|%[0-9A-Fa-f]{2}|\.(?=\w))+)")
_PLACE = re.compile(r"(?:line (\d+), column (\d+)|at (\d+):(\d+))")
_WHAT = {"label": "label", "edge": "edge type", "prop": "property"}


class SparqlJudge:
    """See `engines.base.Engine`; `run` gives the findings."""

    name: ClassVar[str] = "sparql"
    languages: ClassVar[tuple[str, ...]] = ("sparql",)
    profiles: ClassVar[dict[str, str]] = {"sparql": "sparql"}
    unsound: ClassVar[tuple[Unsound, ...]] = ()
    needs: ClassVar[Needs] = Needs(environment=ENVIRONMENT, address_space=False, reloads=True)

    def __enter__(self) -> Self:
        try:
            import pyoxigraph
        except ImportError as problem:
            raise EngineUnavailable(
                "Checking SPARQL needs Oxigraph: pip install 'graphmill[oxigraph]'."
            ) from problem
        self._empty: Any = pyoxigraph.Store()
        self._schema: SchemaGraph | None = None
        self._java: Any = None
        if find_spec("jpype") and (cache_folder() / JENA.folder / "jars.json").is_file():
            self._java = JENA.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._empty = None

    def version(self) -> str:
        """Oxigraph's version."""
        return version("pyoxigraph")

    def load(self, graph: Path) -> None:
        """Names are checked against the schema of this graph from here on."""
        self._schema = load_schema(graph)

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """The findings, each a row."""
        findings = list(self._findings(text))
        rows = tuple((d.code, d.message, d.line, d.column) for d in findings)
        return Result(("code", "message", "line", "column"), rows)

    def _findings(self, text: str) -> Iterator[Diagnostic]:
        try:
            refuse_others(text)
        except QueryError as problem:
            yield Diagnostic("error", "not-a-read", str(problem))
            return
        try:
            self._empty.query(text)
        except SyntaxError as problem:
            yield _of_parser("Oxigraph", str(problem))
            return
        if self._java is not None and (finding := self._of_jena(text)):
            yield finding
            return
        if self._schema is not None:
            yield from _unknown(text, self._schema)

    def _of_jena(self, text: str) -> Diagnostic | None:
        query = self._java.JPackage("org").apache.jena.query
        try:
            query.QueryFactory.create(text, query.Syntax.syntaxSPARQL_11)
        except self._java.JException as problem:
            return _of_parser("Jena", str(problem))
        return None


def _of_parser(name: str, message: str) -> Diagnostic:
    place = _PLACE.search(message)
    line, column = (int(n) for n in place.groups() if n) if place else (1, 1)
    return Diagnostic("error", "syntax", f"{name}: {message.splitlines()[0]}", line, column)


def _unknown(text: str, schema: SchemaGraph) -> Iterator[Diagnostic]:
    """Names of labels, edge types and properties that the schema does not have."""
    seen = bare(text)
    spaces = dict(_PREFIX.findall(seen))
    owners: list[NodeType | EdgeType] = [*schema.nodes, *schema.edges]
    known = {
        "label": set(schema.labels),
        "edge": set(schema.edge_labels),
        "prop": {p.name for owner in owners for p in owner.properties},
    }
    asked: dict[tuple[str, str], str] = {}
    for prefix, local in _NAME.findall(_PREFIX.sub(" ", seen)):
        for kind in known:
            if spaces.get(prefix) == PREFIXES[kind]:
                asked[kind, decode(local)] = f"{prefix}:{local}"
    for kind, name in asked:
        if name not in known[kind]:
            shown = asked[kind, name]
            at = max(text.find(shown), 0)
            line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
            words = f"The graph has no {_WHAT[kind]} '{name}'."
            yield Diagnostic("error", f"unknown-{_WHAT[kind].split()[-1]}", words, line, column)


JUDGE = SparqlJudge
