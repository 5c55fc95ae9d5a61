"""W3C's tests of SPARQL 1.1 queries on Oxigraph and Jena through our adapters: what fails?

    python -m benchmarks.sparql_suite FOLDER [--engine oxigraph] [--engine jena]

FOLDER holds W3C's folders of tests, each with its `manifest.ttl`. A test's data is put in the place
of a graph's triples; its text takes the way of every text: the guard, the bound on integers, the
engine, the terms as plain values. Expected results are read by pyoxigraph and become plain values
in the same way. What an adapter refuses on purpose (ASK, CONSTRUCT, other graphs) is counted apart.
Exits with 1 where an answer differs that `KNOWN` does not name.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self
from unittest import mock
from urllib.parse import unquote, urlsplit

import pyoxigraph as ox

from engines.backends import jena, oxigraph
from engines.base import Result
from engines.compare import same_bag
from engines.rdf_values import Resource, Term, Values
from graphmill.errors import EngineError, QueryError
from schemagraph.model import SchemaGraph
from schemagraph.rdf.terms import Literal

MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
QT = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#"
TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
ENGINES: dict[str, tuple[Any, Any]] = {
    "oxigraph": (oxigraph, oxigraph.Oxigraph),
    "jena": (jena, jena.Jena),
}
NOT_IN_GRAPH = "a path from a term that is not in the graph: ours go from nodes, which are"
KNOWN: dict[tuple[str, str], str] = {
    ("oxigraph", "property-path/zero_or_more_set_end"): NOT_IN_GRAPH,
    ("oxigraph", "property-path/zero_or_more_set_start"): NOT_IN_GRAPH,
    ("oxigraph", "property-path/zero_or_one_set_end"): NOT_IN_GRAPH,
    ("oxigraph", "property-path/zero_or_one_set_start"): NOT_IN_GRAPH,
    ("jena", "property-path/values_and_path"): NOT_IN_GRAPH,
    ("oxigraph", "syntax-query/test_33"): "a relative IRI without a base: never written",
    ("oxigraph", "syntax-query/test_4"): "a function of an IRI that is no type: never written",
    ("jena", "functions/plus-1-corrected"): "+ on texts: written as CONCAT, or refused untyped",
    ("jena", "functions/plus-2-corrected"): "+ on texts: written as CONCAT, or refused untyped",
}
"""Answers that differ, by engine and test: why no text of ours can meet it, or the declaration."""


class Test(NamedTuple):
    """One test of a manifest."""

    name: str
    kind: str
    query: Path
    data: Path | None
    others: bool
    result: Path | None


class Plain(Values):
    """As the adapters make plain values; a blank node, which our graphs never have, is `_:`."""

    def _resource(self, term: Resource) -> Any:
        try:
            return super()._resource(term)
        except QueryError:
            return "_:"

    def _literal(self, term: Literal) -> Any:
        try:
            return super()._literal(term)
        except QueryError:
            return term.text


def tests(folder: Path) -> Iterator[Test]:
    """The tests of queries in a folder's manifest, by name."""
    manifest = folder / "manifest.ttl"
    store = ox.Store()
    store.load(path=str(manifest), format=ox.RdfFormat.TURTLE, base_iri=manifest.as_uri())

    def objects(subject: Any, predicate: str) -> list[Any]:
        quads = store.quads_for_pattern(subject, ox.NamedNode(predicate), None)
        return [quad.object for quad in quads]

    def path(subject: Any, predicate: str) -> Path | None:
        for target in objects(subject, predicate):
            return Path(unquote(urlsplit(target.value).path))
        return None

    made = []
    typed: list[Any] = list(store.quads_for_pattern(None, TYPE, None))
    for quad in typed:
        kind = quad.object.value.removeprefix(MF)
        (action,) = objects(quad.subject, f"{MF}action") or [None]
        if action is None or "Test" not in kind:
            continue
        name = f"{folder.name}/{quad.subject.value.rpartition('#')[2]}"
        if isinstance(action, ox.NamedNode):
            query: Path | None = Path(unquote(urlsplit(action.value).path))
            made.append(Test(name, kind, query or folder, None, False, None))
            continue
        query = path(action, f"{QT}query")
        if query is not None:
            others = bool(objects(action, f"{QT}graphData") or objects(action, f"{QT}serviceData"))
            data, result = path(action, f"{QT}data"), path(quad.subject, f"{MF}result")
            made.append(Test(name, kind, query, data, others, result))
    yield from sorted(made)


def lines(data: Path | None) -> list[str]:
    """The triples of a file as lines of N-Triples."""
    store = ox.Store()
    if data is not None and data.is_file():
        store.load(path=str(data), base_iri=data.as_uri())
    text = ox.serialize(
        (quad.triple for quad in store.quads_for_pattern(None, None, None)),
        format=ox.RdfFormat.N_TRIPLES,
    )
    return (text or b"").decode().splitlines(keepends=True)


def expected(result: Path, columns: tuple[str, ...]) -> list[tuple[Any, ...]] | None:
    """The rows of a result in the order of these columns; None where it is no table."""
    format_ = {
        ".srx": ox.QueryResultsFormat.XML,
        ".srj": ox.QueryResultsFormat.JSON,
    }.get(result.suffix)
    if format_ is None:
        return None
    solutions = ox.parse_query_results(path=str(result), format=format_)
    if not isinstance(solutions, ox.QuerySolutions):
        return None
    values = Plain(SchemaGraph("suite", ()), lambda of: ())
    return [tuple(values.plain(_term(row[name])) for name in columns) for row in solutions]


def _term(term: Any) -> Term | None:
    if term is None:
        return None
    if isinstance(term, ox.Literal):
        return Literal(term.value, term.datatype.value)
    return Resource(term.value, isinstance(term, ox.BlankNode))


class Runner:
    """One adapter whose graphs are the data of tests."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._module, self._class = ENGINES[name]

    def __enter__(self) -> Self:
        self._engine = self._class().__enter__()
        return self

    def __exit__(self, *exc: object) -> None:
        self._engine.__exit__(*exc)

    def outcome(self, test: Test, folder: Path) -> str:
        """'' where the answer is as expected; what it is otherwise."""
        text = test.query.read_text(encoding="utf-8")
        if test.others:
            return "refused: other graphs"
        schema = SchemaGraph("suite", ())
        with (
            mock.patch.object(self._module, "Values", Plain),
            mock.patch.object(self._module, "is_small", return_value=False),
            mock.patch.object(self._module, "load_schema", return_value=schema),
            mock.patch.object(self._module, "triples", return_value=lines(test.data)),
        ):
            self._engine.load(folder)
            try:
                answer = self._engine.run(text, language="sparql", timeout=20)
            except QueryError as problem:
                return _error(test, problem)
        if "Negative" in test.kind:
            return "DIFFERS: accepted"
        if test.result is None:
            return ""
        try:
            rows = expected(test.result, answer.columns)
        except KeyError as problem:
            return f"DIFFERS: columns {answer.columns}, expected one more: {problem}"
        if rows is None:
            return "no table expected"
        verdict = same_bag(answer, Result(answer.columns, tuple(rows)))
        return "" if verdict else f"DIFFERS: {verdict.reason} {verdict.extra} {verdict.missing}"


def _error(test: Test, problem: EngineError) -> str:
    message = str(problem).splitlines()[0]
    if "Only SELECT" in message or "Only reads" in message:
        return "" if test.kind.startswith("Positive") else "refused: no SELECT on one graph"
    if "64 bits" in message:
        return f"refused: {message}"
    if "Negative" in test.kind:
        return ""
    return f"DIFFERS: error: {message}"


def main() -> int:
    """Run and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--engine", action="append", choices=sorted(ENGINES))
    options = arguments.parse_args()
    suite = [
        test
        for manifest in sorted(options.folder.glob("*/manifest.ttl"))
        for test in tests(manifest.parent)
    ]
    wrong = 0
    for name in options.engine or sorted(ENGINES):
        with Runner(name) as runner, tempfile.TemporaryDirectory() as folder:
            outcomes = [(test, runner.outcome(test, Path(folder))) for test in suite]
        counts: Counter[str] = Counter()
        for test, outcome in outcomes:
            kind = outcome.split(":")[0] or "as expected"
            if kind == "DIFFERS":
                why = KNOWN.get((name, test.name))
                kind = "known" if why else kind
                wrong += not why
                print(f"{name} {test.name}: {why or outcome[:400]}")
            counts[kind] += 1
        print(f"{name}: {len(suite)} tests; {_shown(counts.items())}")
    return int(bool(wrong))


def _shown(counts: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in sorted(counts))


if __name__ == "__main__":
    sys.exit(main())
