"""What the engines behind Bolt share: loading, running, and values by key.

The server's own ids stay here: a node in an answer is told by its labels and key, which are
looked up by the id that the server gave when the node was created.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, time
from functools import cached_property
from itertools import batched
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from engines.base import MAX_ROWS, Result, again
from engines.compare import normalise
from engines.graph import BATCH, Key, Row, edge_batches, key_of, node_batches
from engines.values import Duration, datetime_text, duration_text, plain, time_text
from graphmill.errors import (
    EngineError,
    EngineUnavailable,
    QueryError,
    QueryTimeout,
    QueryTooLarge,
)
from schemagraph.model import Kind, NodeType, Property, SchemaGraph

CONNECT = 5.0  # seconds
PATIENCE = 120.0  # seconds; the first query of a cold server takes long
INSTALL = "pip install 'graphmill[neo4j]'"

_URL = re.compile(r"(?:bolt|neo4j)(?:\+s|\+ssc)?://", re.IGNORECASE)

_TIMEOUT = ("TransactionTimedOut", "TransactionTerminated", "LockClientStopped")
_MEMORY = ("MemoryPoolOutOfMemory", "TransactionMemoryLimit", "OutOfMemory", "StackOverFlow")
_SEMANTIC = ("SyntaxError", "SemanticError", "TypeError", "ArgumentError", "ParameterMissing")
_REFUSED = ("AccessMode", "Forbidden", "Security")


def is_bolt(url: str) -> bool:
    """Whether an address is one of a Bolt server, by its form."""
    return bool(_URL.match(url))


class Bolt:
    """One connection to one server, a Neo4j; `engines.bolt_servers` has what others do otherwise.

    All is run outside of transactions that the client opens, which not every server has.

    Raises:
        EngineUnavailable: there is no driver, no server, or it does not let us in.
    """

    IDENTITY = "elementId({})"  # of an element
    ID: type[str] | type[int] = str  # what that is
    QUIET: Mapping[str, Any] = {"notifications_min_severity": "OFF"}

    def __init__(self, url: str, user: str = "", password: str = "") -> None:
        try:
            import neo4j
        except ImportError as problem:
            text = f"The driver for Bolt servers is not installed: {INSTALL}"
            raise EngineUnavailable(text) from problem
        if not is_bolt(url):
            raise EngineUnavailable(f"'{url}' is no Bolt URL, such as bolt://localhost:7687.")
        self._neo4j = neo4j
        self.url = url
        self._nodes: dict[str, tuple[int, Key]] = {}
        self._types: tuple[NodeType, ...] = ()
        self._created: list[str] = []
        try:
            self._driver = neo4j.GraphDatabase.driver(
                url,
                auth=(user, password) if user else None,
                connection_timeout=CONNECT,
                connection_acquisition_timeout=CONNECT,
                max_transaction_retry_time=0,
                **self.QUIET,
                telemetry_disabled=True,
            )
            try:
                self._driver.verify_connectivity()
            except BaseException:
                self._driver.close()
                raise
        except (neo4j.exceptions.Neo4jError, neo4j.exceptions.DriverError, ValueError) as problem:
            text = f"No Bolt server answers at {url}: {problem}"
            raise EngineUnavailable(text) from problem

    def close(self) -> None:
        """End the connection."""
        self._driver.close()

    @cached_property
    def version(self) -> str:
        """What the server says it is."""
        result = self.run("CALL dbms.components() YIELD versions RETURN versions[0] AS v", PATIENCE)
        return str(result.rows[0][0])

    # --- loading ---------------------------------------------------------------------------

    def load(self, graph: Path, schema: SchemaGraph) -> None:
        """Create all nodes and edges in a database that is empty.

        A database that holds exactly this graph is taken as it is.

        Raises:
            EngineUnavailable: the database holds something else.
        """
        self._nodes, self._types = {}, schema.nodes
        if self.run("MATCH (n) RETURN 1 AS x LIMIT 1", PATIENCE).rows:
            self._recognise(graph, schema)
            self._created = list(self._nodes) if again() else []
            return
        try:
            self._create(graph, schema)
        except self._errors as problem:
            raise EngineUnavailable(f"{self.url} cannot load {graph}: {problem}") from problem
        except (TypeError, ValueError, OverflowError) as problem:
            raise EngineUnavailable(f"Bolt cannot carry a value of {graph}: {problem}") from problem

    def unload(self) -> None:
        """Delete the nodes that `load` created, and nothing else."""
        same = self.IDENTITY.format("n")
        text = f"UNWIND $ids AS id MATCH (n) WHERE {same} = id DETACH DELETE n"
        with self._driver.session() as session:
            for batch in batched(self._created, BATCH):
                session.run(text, ids=list(map(self.ID, batch))).consume()
        self._created = []

    def _create(self, graph: Path, schema: SchemaGraph) -> None:
        """Values travel as one list a property, which is half the work of one map a row."""
        ids: dict[str, dict[Key, int]] = {}
        with self._driver.session() as session:
            self._declare(session, schema)
            for number, node in enumerate(schema.nodes):
                known = ids[node.name] = {}
                labels = "".join(f":{quoted(label)}" for label in node.labels)
                text = (
                    f"UNWIND range(0, $last) AS i CREATE (n{labels} {_entries(node.properties)}) "
                    f"RETURN collect(i), collect(id(n)), collect({self.IDENTITY.format('n')})"
                )
                for rows in node_batches(graph, node):
                    given = self._columns(node.properties, rows)
                    answer = session.run(text, last=len(rows) - 1, **given).single(strict=True)
                    for i, own, element in zip(*answer.values(), strict=True):
                        key = key_of(node, rows[i])
                        known[key] = own
                        self._nodes[str(element)] = (number, key)
                        self._created.append(str(element))
            for edge in schema.edges:
                sources, targets = ids[edge.source], ids[edge.target]
                text = (
                    "UNWIND range(0, $last) AS i MATCH (a) WHERE id(a) = $a[i] "
                    "MATCH (b) WHERE id(b) = $b[i] "
                    f"CREATE (a)-[:{quoted(edge.label)} {_entries(edge.properties)}]->(b)"
                )
                for batch in edge_batches(graph, schema, edge):
                    given = self._columns(edge.properties, [row.properties for row in batch])
                    given["a"] = [sources[row.source] for row in batch]
                    given["b"] = [targets[row.target] for row in batch]
                    session.run(text, last=len(batch) - 1, **given).consume()

    def _declare(self, session: Any, schema: SchemaGraph) -> None:
        """Make the labels known in their order, so that labels(n) is sorted."""
        for label in schema.labels:
            session.run("CALL db.createLabel($label)", label=label).consume()

    def _columns(self, properties: Sequence[Property], rows: Sequence[Row]) -> dict[str, Any]:
        return {
            f"p{number}": [self._parameter(row.get(p.name)) for row in rows]
            for number, p in enumerate(properties)
        }

    def _recognise(self, graph: Path, schema: SchemaGraph) -> None:
        """Take a database that holds this very graph; refuse any other."""
        by_labels = {frozenset(node.labels): n for n, node in enumerate(schema.nodes)}
        refusal = EngineUnavailable(
            f"The database at {self.url} is not empty and holds another graph than {graph}. "
            "Give the URL of an empty database, or empty this one yourself."
        )
        there: Counter[str] = Counter()
        a_id, b_id = self.IDENTITY.format("a"), self.IDENTITY.format("b")
        with self._driver.session(default_access_mode=self._neo4j.READ_ACCESS) as session:
            for (node,) in _values(session.run("MATCH (n) RETURN n")):
                number = by_labels.get(frozenset(node.labels))
                if number is None:
                    raise refusal
                kind = schema.nodes[number]
                properties = dict(node.items())
                self._nodes[node.element_id] = (number, key_of(kind, properties))
                there[repr((number, self._fingerprint(properties)))] += 1
            for edge, a, b in _values(session.run(f"MATCH (a)-[r]->(b) RETURN r, {a_id}, {b_id}")):
                ends = repr((self._nodes[str(a)], self._nodes[str(b)]))
                there[repr((edge.type, ends, self._fingerprint(dict(edge.items()))))] += 1
        here: Counter[str] = Counter()
        names = {node.name: n for n, node in enumerate(schema.nodes)}
        for number, kind in enumerate(schema.nodes):
            for rows in node_batches(graph, kind):
                here.update(repr((number, self._fingerprint(row))) for row in rows)
        for of in schema.edges:
            for batch in edge_batches(graph, schema, of):
                for row in batch:
                    ends = repr(((names[of.source], row.source), (names[of.target], row.target)))
                    here[repr((of.label, ends, self._fingerprint(row.properties)))] += 1
        if here != there:
            raise refusal

    def _fingerprint(self, properties: Row) -> str:
        return repr(normalise({name: self._plain(v) for name, v in sorted(properties.items())}))

    def _parameter(self, value: Any) -> Any:
        if isinstance(value, Duration):
            seconds, nanos = divmod(value.nanos, 1_000_000_000)
            return self._neo4j.time.Duration(
                months=value.months, days=value.days, seconds=seconds, nanoseconds=nanos
            )
        if isinstance(value, time) and value.tzinfo is not None:
            return time_text(value)  # the driver cannot send it
        if isinstance(value, list):
            return [self._parameter(item) for item in value]
        return value

    # --- running ---------------------------------------------------------------------------

    def run(self, text: str, timeout: float) -> Result:
        """Run one read query, which the server stops at the limit.

        Raises:
            QueryError, QueryTimeout, QueryTooLarge, EngineUnavailable
        """
        query = self._neo4j.Query(text, timeout=timeout)
        rows = []
        try:
            with self._driver.session(default_access_mode=self._neo4j.READ_ACCESS) as session:
                answer = session.run(query)
                columns = tuple(answer.keys())
                for record in answer:
                    rows.append(tuple([self._plain(value) for value in record.values()]))
                    if len(rows) > MAX_ROWS:
                        raise QueryTooLarge(f"The answer has more than {MAX_ROWS:,} rows.")
        except self._errors as problem:
            raise self._error(problem, timeout) from problem
        except (ValueError, OverflowError) as problem:
            raise QueryError(f"Bolt cannot carry this answer: {problem}") from problem
        return Result(columns, tuple(rows))

    @property
    def _errors(self) -> tuple[type[Exception], ...]:
        errors = self._neo4j.exceptions
        return (errors.Neo4jError, errors.DriverError)

    def _error(self, problem: Exception, timeout: float) -> EngineError:
        """The driver's exception as ours, told by the server's code."""
        code = str(getattr(problem, "code", None) or "")
        message = str(getattr(problem, "message", None) or problem)
        last = code.rsplit(".", 1)[-1]
        if last.startswith(_TIMEOUT):
            return QueryTimeout(f"The server stopped the query after {timeout:g} s.")
        if last.startswith(_MEMORY):
            return QueryTooLarge(f"The query needed more memory than it may: {message}")
        if not code or "ServiceUnavailable" in type(problem).__name__:
            errors = self._neo4j.exceptions
            if isinstance(problem, errors.ServiceUnavailable | errors.SessionExpired):
                return EngineUnavailable(f"The server at {self.url} is gone: {message}")
            return QueryError(message)
        if any(word in code for word in _REFUSED):
            return QueryError(f"Only reads are run, and this is none: {message}", "semantic")
        if message.startswith(("Invalid input", "Unexpected end of input")):
            return QueryError(message, "syntax")
        return QueryError(message, "semantic" if last in _SEMANTIC else "engine")

    # --- values ----------------------------------------------------------------------------

    def _plain(self, value: Any) -> Any:
        """A value of the driver as a plain one."""
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, Duration):  # of a stored key
            return str(value)
        graph, clock = self._neo4j.graph, self._neo4j.time
        match value:
            case graph.Node():
                properties = self._own(dict(value.items()))
                return {**self._reference(value.element_id, value), "properties": properties}
            case graph.Relationship():
                a, b = value.nodes
                return {
                    "type": value.type,
                    "source": self._reference(a.element_id, a),
                    "target": self._reference(b.element_id, b),
                    "properties": self._own(dict(value.items())),
                }
            case graph.Path():
                return {
                    "nodes": [self._plain(node) for node in value.nodes],
                    "edges": [self._plain(edge) for edge in value.relationships],
                }
            case clock.Duration():
                nanos = value.seconds * 1_000_000_000 + value.nanoseconds
                return duration_text(value.months, value.days, nanos)
            case clock.Date():
                if not value.year:  # a day of the year 0, and the driver does not say which
                    raise QueryError("50N42: Neo4j's driver has no dates before the year 1.")
                return value.iso_format()
            case clock.Time():
                return time_text(value.to_native(), value.nanosecond)
            case clock.DateTime():
                return datetime_text(in_zone(value.to_native()), value.nanosecond)
            case self._neo4j.spatial.Point():
                return {"srid": value.srid, **dict(zip("xyz", map(float, value), strict=False))}
            case list():
                return [self._plain(item) for item in value]
            case dict():
                return self._own(value)
            case _:
                return plain(value)

    def _own(self, properties: dict[Any, Any]) -> dict[str, Any]:
        return {name: self._plain(value) for name, value in sorted(properties.items())}

    def _reference(self, own: str, node: Any) -> dict[str, Any]:
        known = self._nodes.get(own)
        if known is None:  # nothing was loaded here, so there is no key
            return {"labels": sorted(node.labels), "key": {}}
        kind, key = self._types[known[0]], known[1]
        names = zip(kind.key, map(self._plain, key), strict=True)
        return {"labels": list(kind.labels), "key": dict(names)}


def in_zone(moment: datetime) -> datetime:
    """A moment of the driver by the zone's own rules: pytz's end in the year 2037."""
    name = getattr(moment.tzinfo, "zone", None)
    return moment.astimezone(ZoneInfo(name)) if isinstance(name, str) else moment


def quoted(name: str) -> str:
    r"""A name in backticks; Neo4j decodes `\uXXXX` everywhere, so that is escaped as well.

    >>> quoted("a`b")
    '`a``b`'
    """
    return "`" + name.replace("\\u", "\\u005cu").replace("`", "``") + "`"


def _entries(properties: Sequence[Property]) -> str:
    """A map literal that takes row `i` of the columns; null makes no property."""
    entries = []
    for number, p in enumerate(properties):
        value = f"$p{number}[i]"
        if p.type.kind is Kind.ZONED_TIME:
            value = f"time({value})"
        entries.append(f"{quoted(p.name)}: {value}")
    return "{" + ", ".join(entries) + "}"


def _values(result: Any) -> Iterator[Sequence[Any]]:
    for record in result:
        yield record.values()
