"""Reads of the openCypher TCK as DuckDB SQL: share translated, share with the expected table.

    python benchmarks/tck_sql.py [--verbose] [--only TEXT] [--language sql|gremlin]

The graph of a scenario is made by grafeo from its CREATE statements, read back, given an inferred
schema and written as GraphData, which DuckDB loads.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import duckdb
import grafeo
import pyarrow as pa

from engines import ENGINES, default_engines
from engines.base import Engine
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.temporal.values import Moment, Span
from graph_ir.walk import find, rewrite
from graphmill.errors import EngineError, EngineUnavailable, QueryTextError, Refused
from schemagraph.folder.writer import GraphWriter, edge_layout, node_layout
from schemagraph.model import EdgeType, Kind, NodeType, Property, SchemaGraph, Type
from translators.duckdb.model.constants import constant
from translators.duckdb.model.sql import Scope
from translators.render import render

SHARED = Path(os.environ.get("GRAPHMILL_SHARED", Path(__file__).parents[2] / "shared"))
TREES = {
    "the binary-tree-1 graph": ("X", "X"),
    "the binary-tree-2 graph": ("X", "Y"),
}
KEY = "_key"
TEMPORAL = {"date", "time", "localtime", "datetime", "localdatetime", "duration"}


@dataclass(slots=True)
class Scenario:
    """A read with an expected table."""

    id: str
    setup: list[str]
    query: str
    parameters: dict[str, str]
    header: list[str]
    rows: list[list[str]]
    ordered: bool
    bags: bool


def scenarios(path: Path) -> Iterator[Scenario]:
    """Reads that end in a table; procedures of the kit are not there."""
    for line in path.read_text("utf-8").splitlines():
        given = json.loads(line)
        steps = given["steps"]
        texts = [step["text"] for step in steps]
        if given["write"] or any("should be raised" in t or "procedure" in t for t in texts):
            continue
        found = Scenario(given["id"], [], "", {}, [], [], False, False)
        for step in steps:
            text = step["text"]
            if text in TREES:
                found.setup.append(tree(*TREES[text]))
            elif text == "having executed:":
                found.setup.append(step["doc"])
            elif text == "parameters are:":
                found.parameters = dict(step["table"])
            elif text == "executing query:":
                found.query = step["doc"]
            elif text.startswith("the result should be") and step.get("table"):
                found.header, *found.rows = step["table"]
                found.ordered = "in order" in text
                found.bags = "ignoring element order" in text
        yield found


def tree(upper: str, lower: str) -> str:
    """The kit's binary trees, which differ in the label of the second leaves."""
    nodes = ["(a:A {name: 'a'})", *(f"(b{i}:X {{name: 'b{i}'}})" for i in range(1, 5))]
    for i in range(1, 5):
        nodes += [f"(c{i}1:{upper} {{name: 'c{i}1'}})", f"(c{i}2:{lower} {{name: 'c{i}2'}})"]
    edges = ["(a)-[:KNOWS]->(b1)", "(a)-[:KNOWS]->(b2)"]
    edges += ["(a)-[:FOLLOWS]->(b3)", "(a)-[:FOLLOWS]->(b4)"]
    for i in range(1, 5):
        edges += [f"(b{i})-[:FRIEND]->(c{i}1)", f"(b{i})-[:FRIEND]->(c{i}2)"]
        edges.append(f"(b{i})-[:FRIEND]->(b{i % 4 + 1})")
    return f"CREATE {', '.join(nodes + edges)}"


# --- the graph -------------------------------------------------------------------------------


@dataclass(slots=True)
class Graph:
    """What a scenario's set-up made: labels and properties, and ends with type and properties."""

    nodes: list[tuple[tuple[str, ...], dict[str, Any]]]
    edges: list[tuple[int, int, str, dict[str, Any]]]


def build(setup: list[str]) -> Graph:
    """Run the set-up in grafeo and read the graph back."""
    database = grafeo.GrafeoDB()
    for text in setup:
        database.execute_cypher(text)
    places: dict[int, int] = {}
    graph = Graph([], [])
    for row in database.execute_cypher("MATCH (n) RETURN n AS n"):
        node = row["n"]
        places[node["_id"]] = len(graph.nodes)
        graph.nodes.append((tuple(node["_labels"]), own(node)))
    for row in database.execute_cypher("MATCH ()-[r]->() RETURN r AS r"):
        edge = row["r"]
        ends = places[edge["_source"]], places[edge["_target"]]
        graph.edges.append((*ends, edge["_type"], own(edge)))
    database.close()
    return graph


def created(setup: list[str]) -> Graph | None:
    """The graph of plain CREATE statements with constant properties, read by ourselves.

    grafeo makes other values of many temporal functions (see docs/measurements.md).
    """
    graph = Graph([], [])
    for text in setup:
        statement = parse(text)
        if not any(call.name.split(".")[0] in TEMPORAL for call in find(statement, ir.Call)):
            return None
        if not isinstance(statement, ir.Query):
            return None
        known: dict[str, int] = {}
        for clause in statement.clauses:
            if not isinstance(clause, ir.Create):
                return None
            for path in clause.paths:
                last = node_of(graph, path.head, known)
                for step in path.steps:
                    after = node_of(graph, step.node, known)
                    edge = step.edge
                    assert isinstance(edge, ir.EdgePattern)
                    ends = (last, after) if edge.direction is ir.Direction.OUT else (after, last)
                    assert isinstance(edge.types, ir.LabelName)
                    graph.edges.append((*ends, edge.types.name, constants(edge.props)))
                    last = after
    return graph


def node_of(graph: Graph, pattern: ir.NodePattern, known: dict[str, int]) -> int:
    """The place of a node, which is made when its variable is new."""
    if pattern.var in known:
        return known[pattern.var]
    labels = (
        tuple(label.name for label in find(pattern.labels, ir.LabelName)) if pattern.labels else ()
    )
    graph.nodes.append((labels, constants(pattern.props)))
    place = len(graph.nodes) - 1
    if pattern.var is not None:
        known[pattern.var] = place
    return place


def constants(props: ir.MapOf | ir.Param | None) -> dict[str, Any]:
    """Constant properties."""
    if not isinstance(props, ir.MapOf):
        return {}
    return {entry.key: value_of(entry.value) for entry in props.entries}


def value_of(expr: ir.Expr) -> Any:
    """A constant; temporal ones as GraphData stores them."""
    if isinstance(expr, ir.Literal):
        return expr.value
    if isinstance(expr, ir.ListOf):
        return [value_of(item) for item in expr.items]
    found = constant(expr, Scope())
    value = found.const if found else None
    if isinstance(value, Span):
        return value
    if not isinstance(value, Moment):
        raise TypeError(f"no constant: {expr}")
    if value.kind in (Kind.ZONED_TIME, Kind.ZONED_DATETIME):
        return value
    if value.nanos % 1000:
        raise TypeError("GraphData has no nanoseconds")
    made: dict[Kind, type[date | time]] = {
        Kind.DATE: date,
        Kind.TIME: time,
        Kind.DATETIME: datetime,
    }
    return made[value.kind].fromisoformat(str(value))


def own(element: dict[str, Any]) -> dict[str, Any]:
    """The properties of grafeo's form of an element."""
    return {k: v for k, v in element.items() if not k.startswith("_") and v is not None}


def schema_of(graph: Graph) -> SchemaGraph:
    """Types by set of labels, and by type and ends of edges."""
    nodes: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for labels, properties in graph.nodes:
        nodes.setdefault(tuple(sorted(labels)), []).append(properties)
    edges: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for source, target, label, properties in graph.edges:
        ends = [type_name(graph.nodes[end][0]) for end in (source, target)]
        edges.setdefault((label, ends[0], ends[1]), []).append(properties)
    return SchemaGraph(
        "tck",
        tuple(
            NodeType(labels, (Property(KEY, Type(Kind.INTEGER)), *properties_of(rows)), (KEY,))
            for labels, rows in nodes.items()
        ),
        tuple(EdgeType(*key, properties_of(rows)) for key, rows in edges.items()),
    )


def type_name(labels: tuple[str, ...]) -> str:
    """The name of the node type with these labels."""
    return "&".join(sorted(labels))


def properties_of(rows: list[dict[str, Any]]) -> tuple[Property, ...]:
    """The properties of all rows, each with a type that holds all its values."""
    names = dict.fromkeys(name for row in rows for name in row)
    return tuple(
        Property(name, widest([row[name] for row in rows if name in row])) for name in names
    )


def widest(values: list[Any]) -> Type:
    """The type of all values, ANY where they differ."""
    kinds = {kind_of(value) for value in values}
    return kinds.pop() if len(kinds) == 1 else Type(Kind.ANY)


def kind_of(value: Any) -> Type:
    """The type of one value."""
    plain = {
        bool: Kind.BOOLEAN,
        int: Kind.INTEGER,
        float: Kind.FLOAT,
        str: Kind.STRING,
        date: Kind.DATE,
    }
    if isinstance(value, Span):
        return Type(Kind.DURATION)
    if isinstance(value, Moment):
        return Type(value.kind)
    if isinstance(value, datetime):
        return Type(Kind.ZONED_DATETIME if value.tzinfo else Kind.DATETIME)
    if isinstance(value, time):
        return Type(Kind.ZONED_TIME if value.tzinfo else Kind.TIME)
    if isinstance(value, list):
        item = widest(value) if value else Type(Kind.STRING)
        return Type(Kind.LIST, item) if item.kind is not Kind.ANY else Type(Kind.ANY)
    return Type(plain.get(type(value), Kind.ANY))


def write(graph: Graph, schema: SchemaGraph, folder: Path) -> None:
    """The graph as GraphData."""
    numbered = [{KEY: number, **properties} for number, (_, properties) in enumerate(graph.nodes)]
    with GraphWriter(folder) as writer:
        for node in schema.nodes:
            rows = [
                row
                for row, (labels, _) in zip(numbered, graph.nodes, strict=True)
                if type_name(labels) == node.name
            ]
            writer.nodes(node, batch(rows, node.properties, node_layout(node)))
        for edge in schema.edges:
            rows = [
                {f"source.{KEY}": a, f"target.{KEY}": b, **properties}
                for a, b, label, properties in graph.edges
                if (label, type_name(graph.nodes[a][0]), type_name(graph.nodes[b][0]))
                == (edge.label, edge.source, edge.target)
            ]
            writer.edges(edge, schema, batch(rows, edge.properties, edge_layout(edge, schema)))
        writer.commit(schema, None, origin={})


def batch(
    rows: list[dict[str, Any]], properties: tuple[Property, ...], layout: pa.Schema
) -> list[pa.RecordBatch]:
    """Rows as Arrow; values without one type as JSON text."""
    loose = {p.name for p in properties if p.type.kind is Kind.ANY}
    stored = [
        {
            name: json.dumps(row[name]) if name in loose and name in row else shown(row.get(name))
            for name in layout.names
        }
        for row in rows
    ]
    return [pa.RecordBatch.from_pylist(stored, layout)]


def shown(value: Any) -> Any:
    """Durations and values with a zone as text."""
    if isinstance(value, Span | Moment):
        return str(value)
    if isinstance(value, datetime | time) and value.tzinfo:
        return value.isoformat()
    return value


# --- the kit's notation ----------------------------------------------------------------------


class Cell:
    """Reads one value of an expected table; elements become tuples with a tag."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def read(self) -> Any:
        value = self.value()
        assert not self.text[self.at :].strip(), self.text
        return value

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def take(self, word: str) -> bool:
        self.skip()
        if self.text.startswith(word, self.at):
            self.at += len(word)
            return True
        return False

    def value(self) -> Any:
        self.skip()
        head = self.text[self.at]
        if head == "'":
            return self.string()
        if head == "[":
            return self.edge() if self.text[self.at + 1] == ":" else self.items("[", "]")
        if head == "{":
            return self.map()
        if head == "(":
            return self.node()
        if head == "<":
            return self.path()
        end = self.at
        while end < len(self.text) and self.text[end] not in ",]})> ":
            end += 1
        word, self.at = self.text[self.at : end], end
        plain = {"true": True, "false": False, "null": None, "NaN": math.nan}
        if word in plain:
            return plain[word]
        return float(word) if any(c in word for c in ".eIn") else int(word)

    def string(self) -> str:
        self.at += 1
        made = ""
        while self.text[self.at] != "'":
            if self.text[self.at] == "\\":
                self.at += 1
            made += self.text[self.at]
            self.at += 1
        self.at += 1
        return made

    def items(self, begin: str, end: str) -> list[Any]:
        assert self.take(begin)
        found: list[Any] = []
        while not self.take(end):
            found.append(self.value())
            self.take(",")
        return found

    def name(self) -> str:
        self.skip()
        end = self.at
        while end < len(self.text) and (self.text[end].isalnum() or self.text[end] == "_"):
            end += 1
        word, self.at = self.text[self.at : end], end
        return word

    def map(self) -> dict[str, Any]:
        assert self.take("{")
        found = {}
        while not self.take("}"):
            key = self.name()
            assert self.take(":")
            found[key] = self.value()
            self.take(",")
        return found

    def labels(self) -> list[str]:
        found = []
        while self.take(":"):
            found.append(self.name())
        return sorted(found)

    def properties(self) -> dict[str, Any]:
        self.skip()
        return self.map() if self.text[self.at] == "{" else {}

    def node(self) -> Any:
        assert self.take("(")
        found = ("node", self.labels(), self.properties())
        assert self.take(")")
        return found

    def edge(self) -> Any:
        assert self.take("[")
        assert self.take(":")
        found = ("edge", self.name(), self.properties())
        assert self.take("]")
        return found

    def path(self) -> Any:
        assert self.take("<")
        nodes, edges = [self.node()], []
        while not self.take(">"):
            back = self.take("<-")
            if not back:
                assert self.take("-")
            edges.append((self.edge(), back))
            assert self.take("-") if back else self.take("->")
            nodes.append(self.node())
        return ("path", nodes, edges)


def plain(value: Any) -> Any:
    """A value of our result in the form of `Cell`, without the invented key."""
    match value:
        case {"labels": list(labels), "key": dict(), "properties": dict(rest)}:
            return ("node", sorted(labels), plain(rest))
        case {"labels": list(labels), "key": dict()}:
            return ("end", sorted(labels))
        case {"type": of, "source": dict(), "target": dict(), "properties": rest}:
            return ("edge", of, plain(rest))
        case {"nodes": list(nodes), "edges": list(edges)}:
            steps = []
            for node, edge in zip(nodes, edges, strict=False):
                steps.append((plain(edge), edge["source"]["key"] != node["key"]))
            return ("path", [plain(n) for n in nodes], steps)
        case dict():
            return {k: plain(v) for k, v in value.items() if k != KEY}
        case list():
            return [plain(v) for v in value if v != KEY]
    return value


def canonical(value: Any, bags: bool, strict: bool) -> str:
    """A text that is equal for equal values."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, int | float):
        value = value + 0  # no negative zero
        if strict:
            return repr(value) if isinstance(value, int) else f"{value:.12g}f"
        return f"{float(value):.12g}"
    if isinstance(value, str):
        return repr(temporal(value))
    if isinstance(value, dict):
        parts = [f"{k}: {canonical(v, bags, strict)}" for k, v in sorted(value.items())]
        return f"{{{', '.join(parts)}}}"
    items = [canonical(v, bags, strict) for v in value]
    if bags and isinstance(value, list):
        items.sort()
    return f"[{', '.join(items)}]" if isinstance(value, list) else f"({', '.join(items)})"


def temporal(text: str) -> str:
    """Times without what need not be written: zero seconds and ends of fractions."""
    found = re.fullmatch(
        r"((?:[-+]?\d{4,}-\d\d-\d\dT)?\d\d:\d\d)(?::(\d\d)(?:\.(\d+))?)?(Z|[-+]\d\d:\d\d(?::\d\d)?)?(\[.*\])?",
        text,
    )
    if found is None:
        return text
    fraction = (found[3] or "").rstrip("0")
    seconds = f":{found[2] or '00'}" + (f".{fraction}" if fraction else "")
    return found[1] + seconds + (found[4] or "") + (found[5] or "")


# --- the run ---------------------------------------------------------------------------------


def with_parameters(statement: ir.Statement, given: dict[str, str]) -> ir.Statement:
    """The statement with its parameters' values, which the kit writes as Cypher."""

    def change(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Param) and node.name in given:
            query = parse(f"RETURN {given[node.name]} AS x")
            assert isinstance(query, ir.Query)
            last = query.clauses[-1]
            assert isinstance(last, ir.Project)
            return last.items[0].expr
        return node

    return rewrite(statement, change)


class Runner:
    """Loads each set-up once and judges the scenarios over it."""

    def __init__(self, folder: Path, language: str = "sql") -> None:
        self.folder = folder
        self.language = language
        self.setup: list[str] | None = None
        self.engine: Engine | None = None
        self.schema = SchemaGraph("tck", ())
        self.text = ""
        self.number = 0

    def load(self, setup: list[str]) -> None:
        if self.setup == setup and self.engine is not None:
            return
        if self.engine is not None and self.language == "sql":
            self.engine.__exit__()
            self.engine = None
        self.setup = setup
        graph = created(setup) or build(setup)
        self.schema = schema_of(graph)
        self.number += 1
        path = self.folder / str(self.number)
        write(graph, self.schema, path)
        if self.engine is None:
            self.engine = ENGINES.get(default_engines()[self.language])().__enter__()
        self.engine.load(path)

    def judge(self, scenario: Scenario) -> tuple[str, str]:
        """A status and what it is about."""
        try:
            self.load(scenario.setup)
        except (grafeo.GrafeoError, TypeError, EngineUnavailable) as problem:
            return "no graph", str(problem)
        assert self.engine is not None
        self.text = ""
        try:
            statement = with_parameters(parse(scenario.query), scenario.parameters)
            self.text = render(statement, self.language, self.schema).text
        except Refused as problem:
            return "refused", str(problem)
        except QueryTextError as problem:
            return "not parsed", str(problem)
        try:
            result = self.engine.run(self.text, language=self.language, timeout=20)
        except EngineError as problem:
            return "failed", str(problem)
        found = [plain(list(row)) for row in result.rows if KEY not in row]
        wanted = [[Cell(cell).read() for cell in row] for row in scenario.rows]
        bare = result.columns == ("value",) and len(scenario.header) == 1
        if scenario.header and list(result.columns) != scenario.header and not bare:
            return "columns", f"{list(result.columns)} not {scenario.header}"
        for status, strict in (("equal", True), ("equal but for number types", False)):
            sides = [
                [canonical(row, scenario.bags, strict) for row in side] for side in (found, wanted)
            ]
            if not scenario.ordered:
                sides = [sorted(side) for side in sides]
            if sides[0] == sides[1]:
                return status, ""
        return "different", f"{found[:6]} not {wanted[:6]}"


def main() -> int:
    """Run all, print the figures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--verbose", action="store_true", help="print what is not equal")
    arguments.add_argument("--only", default="", help="a part of the scenario's id")
    arguments.add_argument("--language", choices=("sql", "gremlin"), default="sql")
    options = arguments.parse_args()
    counts: dict[bool, Counter[str]] = {False: Counter(), True: Counter()}
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(Path(folder), options.language)
        for scenario in scenarios(SHARED / "data/opencypher_tck/scenarios.jsonl"):
            if options.only not in scenario.id:
                continue
            status, why = runner.judge(scenario)
            counts["/temporal/" in scenario.id][status] += 1
            if options.verbose and status != "equal":
                print(f"{status}: {scenario.id}\n  {scenario.query!r}\n  {why}")
                if status in ("different", "failed"):
                    print("  " + runner.text.replace("\n", "\n  "))
    print(f"duckdb {duckdb.__version__}, grafeo {grafeo.__version__}")
    for temporal_part, found in counts.items():
        total = sum(found.values())
        if total:
            print(f"{'temporal' if temporal_part else 'not temporal'}: {total}")
            for status, count in found.most_common():
                print(f"  {status}: {count} ({count / total:.1%})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
