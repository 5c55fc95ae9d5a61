"""Oxigraph: SPARQL 1.1 over the RDF form of the graph (docs/rdf.md), in this process.

The store is in memory. Queries only read; SERVICE and other graphs are refused before the engine
sees the text (`engines.sparql_guard`), and Oxigraph is given no way to ask another server.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Self

from engines._oxigraph_text import for_oxigraph
from engines.backends._not_a_number import (
    orders_zeros,
    sorts_zeros,
    tells_durations_apart,
    tells_zeros_apart,
    uses_quotients,
)
from engines.backends._wide_numbers import compares_wide_constants
from engines.base import MAX_ROWS, Engine, Needs, Result, Unsound
from engines.hazards.sparql import oxigraph_hazards
from engines.hazards.stored import Hazard, StoredValues, refuse_hazards, stored_values
from engines.rdf_values import Resource, Term, Values
from engines.sparql_guard import refuse_others
from engines.sparql_integers import Integers
from graphmill.errors import EngineUnavailable, QueryError
from schemagraph.folder.serde import load_schema
from schemagraph.folder.small import schema_folder
from schemagraph.model import SchemaGraph
from schemagraph.rdf.terms import Literal
from schemagraph.rdf.triples import triples


class Oxigraph(Engine):
    """One store in memory. It has no limit of time of its own: a late worker is killed."""

    name: ClassVar[str] = "oxigraph"
    languages: ClassVar[tuple[str, ...]] = ("sparql",)
    profiles: ClassVar[dict[str, str]] = {"sparql": "sparql"}
    default_for: ClassVar[tuple[str, ...]] = ("sparql",)
    family: ClassVar[str] = "oxigraph"
    trust: ClassVar[int] = 1
    unsound: ClassVar[tuple[Unsound, ...]] = (
        Unsound(
            "duration-forms",
            ("sparql",),
            "P1Y and P12M are two values where rows are told apart.",
            tells_durations_apart,
        ),
        Unsound(
            "negative-zero",
            ("sparql",),
            "0.0 and -0.0 are two values where rows are told apart.",
            tells_zeros_apart,
        ),
        Unsound(
            "zero-order",
            ("sparql",),
            "-0.0 is not before 0.0.",
            lambda statement: orders_zeros(statement) or sorts_zeros(statement),
        ),
        Unsound(
            "wide-comparison",
            ("sparql",),
            "Beyond 2^53 an integer equals the float that is next to it.",
            compares_wide_constants,
        ),
        Unsound(
            "nan",
            ("sparql",),
            "A comparison with NaN is an error, and what is divided by zero may be one.",
            uses_quotients,
        ),
    )
    packages: ClassVar[tuple[str, ...]] = ("pyoxigraph",)
    # A load reserves 1.7 GB of addresses for 0.2 GB of memory: what is there is watched instead.
    needs: ClassVar[Needs] = Needs(reloads=True, address_space=False, usual_mb=300)

    def __enter__(self) -> Self:
        try:
            import pyoxigraph
        except ImportError as problem:
            raise EngineUnavailable(
                "Oxigraph is not installed: pip install 'graphmill[oxigraph]'."
            ) from problem
        self._module: Any = pyoxigraph
        self._store: Any = pyoxigraph.Store()
        self._schema: SchemaGraph | None = None
        self._integers = Integers()
        self._stored = StoredValues()
        self._hazards: tuple[Hazard, ...] = ()
        return self

    def __exit__(self, *exc: object) -> None:
        self._store = None

    def version(self) -> str:
        """The version of the package."""
        return version("pyoxigraph")

    def load(self, graph: Path) -> None:
        """Fill the store with the triples of a graph, in the place of those that are there."""
        schema = load_schema(schema_folder(graph))
        store, integers = self._module.Store(), Integers()
        with tempfile.TemporaryFile() as file:
            for line in integers.seen(triples(graph, schema)):
                file.write(line.encode())
            file.seek(0)
            store.bulk_load(file, self._module.RdfFormat.N_TRIPLES)
        self._store, self._schema, self._integers = store, schema, integers
        self._stored, self._hazards = stored_values(graph, schema), oxigraph_hazards(schema)

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one SELECT; `timeout` is the caller's business."""
        refuse_others(text)
        if self._schema is None:
            raise EngineUnavailable("Oxigraph has loaded no graph.")
        self._integers.refuse_overflow(text)
        refuse_hazards(self._hazards, self._stored, text)
        try:
            answer = self._store.query(for_oxigraph(text))
        except SyntaxError as problem:
            raise QueryError(str(problem), "syntax") from problem
        except (ValueError, OSError, RuntimeError) as problem:
            raise QueryError(str(problem)) from problem
        if not isinstance(answer, self._module.QuerySolutions):
            raise QueryError("Only SELECT has rows.", "semantic")
        columns = tuple(variable.value for variable in answer.variables)
        values = Values(self._schema, self._outgoing)
        try:
            rows = tuple(
                tuple(values.plain(self._term(cell)) for cell in row)
                for row in islice(answer, MAX_ROWS + 1)
            )
        except (ValueError, OSError, RuntimeError) as problem:
            raise QueryError(str(problem)) from problem
        return Result(columns, rows)

    def _outgoing(self, of: Resource) -> Iterator[tuple[str, Term]]:
        make = self._module.BlankNode if of.blank else self._module.NamedNode
        for quad in self._store.quads_for_pattern(make(of.text), None, None):
            target = self._term(quad.object)
            if target is not None:
                yield quad.predicate.value, target

    def _term(self, term: Any) -> Term | None:
        if term is None:
            return None
        if isinstance(term, self._module.Literal):
            return Literal(term.value, term.datatype.value)
        return Resource(term.value, isinstance(term, self._module.BlankNode))


ENGINE = Oxigraph
