"""TinkerPop in this process, from pip packages (`engines.jvm.java`): TinkerGraph and its parser.

Apache-2.0 (https://tinkerpop.apache.org). Texts are those of TinkerPop's `gremlin-lang` grammar: no
Groovy, no lambdas (https://tinkerpop.apache.org/docs/3.8.0/reference/#gremlin-lang).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engines.base import MAX_ROWS, Result, over_memory
from engines.graph import Key, edge_batches, key_of, node_batches
from engines.jvm.java import Program, heap_named
from engines.values import Duration, plain
from graphmill.errors import EngineUnavailable, QueryError, QueryTooLarge
from schemagraph.model import NodeType, SchemaGraph

VERSION = "3.8.0"
TINKERPOP = Program(
    name=f"TinkerGraph {VERSION}",
    folder=f"tinkergraph-{VERSION}",
    coordinates=f"org.apache.tinkerpop:tinkergraph-gremlin:{VERSION}",
    size_mb=30,
    install="pip install 'graphmill[tinkergraph]', or set GRAPHMILL_GREMLIN_URL to a server",
)
BETWEEN_LABELS = "::"  # a vertex has one label: those of a node with several are joined
_PACKAGE = "org.apache.tinkerpop.gremlin"
_SYNTAX = ("GremlinParserException", "ScriptException")
_PASSED = ("OrderGlobalStep", "TailGlobalStep", "NoOpBarrierStep", "IdentityStep", "EndStep")
"""Steps that pass on the objects before them, beside those that filter them."""


def vertex_label(node: NodeType) -> str:
    """The label of the vertices of a node type; TinkerPop's own word where it has none.

    Raises:
        EngineUnavailable: a label holds what stands between labels.
    """
    if any(BETWEEN_LABELS in label or label == "vertex" for label in node.labels):
        raise EngineUnavailable(
            f"TinkerGraph cannot hold the labels {', '.join(node.labels)}: '{BETWEEN_LABELS}' "
            "stands between labels, and 'vertex' is the label of a node without one."
        )
    return BETWEEN_LABELS.join(node.labels) or "vertex"


class Parser:
    """TinkerPop's own parser of `gremlin-lang`, which runs nothing."""

    def __init__(self) -> None:
        self.java = TINKERPOP.start("-Dslf4j.internal.verbosity=ERROR")
        language = f"{_PACKAGE}.language.grammar"
        self._parser = self.java.JClass(f"{language}.GremlinQueryParser")
        self._visitor = self.java.JClass(f"{language}.NoOpTerminalVisitor")

    def check(self, text: str) -> str:
        """What the parser says against `text`; empty where it takes it."""
        try:
            self._parser.parse(text, self._visitor())
        except self.java.JException as problem:
            return str(problem.getMessage())
        return ""


class Local:
    """One TinkerGraph, loaded anew for each graph."""

    def __init__(self) -> None:
        self.java = TINKERPOP.start("-Dslf4j.internal.verbosity=ERROR")
        engine = f"{_PACKAGE}.jsr223.GremlinLangScriptEngine"
        self._engine = self.java.JClass(engine)()
        self._graph = self.java.JClass(f"{_PACKAGE}.tinkergraph.structure.TinkerGraph")
        self._strategy = self.java.JClass(
            f"{_PACKAGE}.process.traversal.strategy.verification.ReadOnlyStrategy"
        )
        self._filter = self.java.JClass(f"{_PACKAGE}.process.traversal.step.filter.FilterStep")
        self._token = self.java.JClass(f"{_PACKAGE}.structure.T")
        self._thread = self.java.JClass("java.lang.Thread").currentThread()
        self._bindings = self.java.JClass("javax.script.SimpleBindings")()
        self._values = Values(self.java)
        self._open = self._graph.open()

    def load(self, folder: Path, schema: SchemaGraph) -> None:
        """Put the graph of `folder` in the place of the one before.

        Raises:
            EngineUnavailable: TinkerGraph cannot hold it.
        """
        self._open.close()
        graph = self._open = self._graph.open()
        vertices: dict[str, dict[Key, Any]] = {}
        identity: dict[int, tuple[NodeType, Key]] = {}
        own, label = self._token.id, self._token.label
        for node in schema.nodes:
            by_key = vertices.setdefault(node.name, {})
            name = vertex_label(node)
            for batch in node_batches(folder, node):
                for row in batch:
                    number = len(identity) + 1
                    key = tuple(map(plain, key_of(node, row)))
                    identity[number] = (node, key)
                    by_key[_hashable(key)] = graph.addVertex(
                        [own, number, label, name, *self._values.entries(row)]
                    )
        for edge in schema.edges:
            sources, targets = vertices[edge.source], vertices[edge.target]
            for edges in edge_batches(folder, schema, edge):
                for each in edges:
                    source = sources[_hashable(tuple(map(plain, each.source)))]
                    target = targets[_hashable(tuple(map(plain, each.target)))]
                    source.addEdge(edge.label, target, self._values.entries(each.properties))
        self._values.identity = identity
        source = graph.traversal().withStrategies([self._strategy.instance()])
        self._bindings.put("g", source)

    def interrupt(self) -> None:
        """Stop what runs."""
        self._thread.interrupt()

    def calm(self) -> None:
        """Forget an interruption that came too late."""
        self.java.JClass("java.lang.Thread").interrupted()

    def run(self, text: str) -> Result:
        """The answer to a text.

        Raises:
            QueryError, QueryTooLarge
            InterruptedError: it was stopped.
        """
        try:
            answer = self._engine.eval(text, self._bindings)
            return self._result(answer)
        except self.java.JException as problem:
            raise self._error(problem) from problem

    def _result(self, answer: Any) -> Result:
        traversal = self.java.JClass(f"{_PACKAGE}.process.traversal.Traversal")
        if isinstance(answer, traversal):
            rows = list(answer.next(MAX_ROWS + 1))
            keys = self._keys(answer.asAdmin())
        else:
            rows = list(answer) if isinstance(answer, self.java.java.util.List) else [answer]
            keys = ()
        if len(rows) > MAX_ROWS:
            raise QueryTooLarge(f"The answer has more than {MAX_ROWS:,} rows.")
        values = self._values.plain
        if keys:
            return Result(keys, tuple(tuple(values(row.get(key)) for key in keys) for row in rows))
        return Result(("value",), tuple((values(row),) for row in rows))

    def _keys(self, traversal: Any) -> tuple[str, ...]:
        """The columns: the keys of the `project` that the answer comes from, else none."""
        step = traversal.getEndStep()
        while True:
            kind = str(step.getClass().getSimpleName())
            if kind == "ProjectStep":
                return tuple(map(str, step.getProjectKeys()))
            if kind == "UnionStep":
                return self._keys(step.getGlobalChildren()[0])
            if not (isinstance(step, self._filter) or kind.endswith(_PASSED)):
                return ()
            step = step.getPreviousStep()

    def _error(self, problem: Any) -> Exception:
        kind, message = str(problem.getClass().getSimpleName()), str(problem.getMessage())
        if "Interrupted" in kind:
            return InterruptedError(message)
        if kind == "OutOfMemoryError":
            return QueryTooLarge(over_memory(heap_named()))
        if kind == "StackOverflowError":
            return QueryTooLarge(f"The query needs more memory than it may: {kind}.")
        if kind in _SYNTAX:
            return QueryError(message.split(": ", 2)[-1], "syntax")
        if kind == "VerificationException":
            return QueryError(f"Only reads are run, and this is none: {message}", "semantic")
        wrong = kind in ("IllegalArgumentException", "UnknownFunctionOrVariableException")
        return QueryError(f"{kind}: {message}", "semantic" if wrong else "engine")


class Values:
    """Values into the Java machine and out of it; nodes are told by their labels and key."""

    def __init__(self, java: Any) -> None:
        self.java = java
        self.identity: dict[int, tuple[NodeType, Key]] = {}
        self._map = java.JClass("java.util.LinkedHashMap")
        self._list = java.JClass("java.util.ArrayList")
        structure = f"{_PACKAGE}.structure"
        self._vertex = java.JClass(f"{structure}.Vertex")
        self._edge = java.JClass(f"{structure}.Edge")
        self._property = java.JClass(f"{structure}.Property")
        path = java.JClass(f"{_PACKAGE}.process.traversal.Path")
        util, lang = java.java.util, java.java.lang
        self._shapes = (
            (lang.Boolean, bool),
            ((lang.Double, lang.Float, java.java.math.BigDecimal), self._float),
            ((lang.Long, lang.Integer, lang.Short, lang.Byte, java.java.math.BigInteger), _whole),
            (self._vertex, self._node),
            (self._edge, self._relation),
            (path, self._path),
            (util.Map, self._entries),
            (util.Map.Entry, lambda e: {_name(e.getKey()): self.plain(e.getValue())}),
            ((util.Collection, lang.Iterable), lambda many: [self.plain(each) for each in many]),
            (self._property, lambda own: self.plain(own.value())),
            (java.java.time.OffsetDateTime, _moment),
        )

    def entries(self, row: dict[str, Any]) -> list[Any]:
        """Keys and values in turn, as the Java interface takes them."""
        given: list[Any] = []
        for name, value in row.items():
            if value is not None:
                given += (name, self._given(value))
        return given

    def _given(self, value: Any) -> Any:
        value = str(value) if isinstance(value, Duration) else plain(value)
        match value:
            case float() if math.isnan(value):
                raise EngineUnavailable("A property holds NaN: make it null in the source.")
            case float():
                return value + 0.0  # Java tells -0.0 from 0.0
            case list():
                made = self._list()
                for item in value:
                    made.add(self._given(item))
                return made
            case dict():
                mapped = self._map()
                for name, item in value.items():
                    mapped.put(name, self._given(item))
                return mapped
        return value

    def plain(self, value: Any) -> Any:
        """A Java value as a plain one.

        Raises:
            QueryError: it is nothing that a result can hold.
        """
        if value is None or isinstance(value, str):
            return value
        for kind, make in self._shapes:
            if isinstance(value, kind):
                return make(value)
        return str(value)

    def _float(self, value: Any) -> float:
        return float(value.doubleValue())

    def _node(self, vertex: Any) -> dict[str, Any]:
        return {**self._reference(vertex), "properties": self._properties(vertex)}

    def _relation(self, edge: Any) -> dict[str, Any]:
        return {
            "type": str(edge.label()),
            "source": self._reference(edge.outVertex()),
            "target": self._reference(edge.inVertex()),
            "properties": self._properties(edge),
        }

    def _path(self, path: Any) -> Any:
        objects = list(path.objects())
        whole = all(
            isinstance(each, self._edge if place % 2 else self._vertex)
            for place, each in enumerate(objects)
        )
        if not whole or len(objects) % 2 == 0:
            return [self.plain(each) for each in objects]
        return {
            "nodes": [self.plain(each) for each in objects[::2]],
            "edges": [self.plain(each) for each in objects[1::2]],
        }

    def _reference(self, vertex: Any) -> dict[str, Any]:
        known = self.identity.get(int(vertex.id()))
        if known is None:
            return {"labels": str(vertex.label()).split(BETWEEN_LABELS), "key": {}}
        kind, key = known
        return {"labels": list(kind.labels), "key": dict(zip(kind.key, key, strict=True))}

    def _properties(self, element: Any) -> dict[str, Any]:
        properties = {str(each.key()): each.value() for each in _each(element.properties([]))}
        return {name: self.plain(value) for name, value in sorted(properties.items())}

    def _entries(self, entries: Any) -> dict[str, Any]:
        return {_name(e.getKey()): self.plain(e.getValue()) for e in entries.entrySet()}


def _each(iterator: Any) -> Iterator[Any]:
    while iterator.hasNext():
        yield iterator.next()


def _name(key: Any) -> str:
    return "null" if key is None else str(key)


def _whole(value: Any) -> int:
    return int(str(value))


def _moment(value: Any) -> str:
    return str(value)


def _hashable(key: Key) -> Key:
    return tuple(str(part) if isinstance(part, list | dict) else part for part in key)
