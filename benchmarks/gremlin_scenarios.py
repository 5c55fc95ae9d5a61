"""TinkerPop's scenarios that our reader reads, run through Graph-IR: are the answers as expected?

    python -m benchmarks.gremlin_scenarios SCENARIOS.jsonl [--language sql] [--show 40]

Lines {"traversal", "graph", "initializer", "parameters", "then", "rows"}. Only the graph "modern"
is made here, where also runs what asks for no graph; what is read is said in the language and run
on its first engine: `sql` on DuckDB, `gremlin` on TinkerGraph, `cypher` on Neo4j. Exits with 1
where an answer differs.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.gremlin import queries_only, with_values
from engines.isolation import IsolatedEngine
from graph_ir.rewrites import leaves_lists_open
from graphmill.errors import EngineError, QueryTextError, Refused
from qa.fuzz.graphs import read_graph
from translators.gremlin.read.reader import reader
from translators.language import Origin
from translators.render import render

MODERN = """\
person(id!: INTEGER, name: STRING?, age: INTEGER?)
software(id!: INTEGER, name: STRING?, lang: STRING?)
person-[knows(weight: FLOAT?)]->person
person-[created(weight: FLOAT?)]->software

person [1, "marko", 29]
person [2, "vadas", 27]
person [4, "josh", 32]
person [6, "peter", 35]
software [3, "lop", "java"]
software [5, "ripple", "java"]
person-knows-person [1, 2, 0.5]
person-knows-person [1, 4, 1.0]
person-created-software [1, 3, 0.4]
person-created-software [4, 5, 1.0]
person-created-software [4, 3, 0.4]
person-created-software [6, 3, 0.2]
"""
_ENGINES = {"sql": "duckdb", "gremlin": "tinkergraph", "cypher": "neo4j"}
_OF_GRAPH = re.compile(r"\b[VE][(]")
NAMES = {1: "marko", 2: "vadas", 3: "lop", 4: "josh", 5: "ripple", 6: "peter"}


class Unclear(Exception):
    """A cell in a notation that is not compared here."""


def expected(cell: Any) -> Any:
    """A cell of the suite as a plain value.

    Raises:
        Unclear: of another notation.
    """
    if not isinstance(cell, str):
        return cell
    if found := re.fullmatch(r"d\[(-?[\d.E]+)\]\.\w", cell):
        return float(found[1])
    if found := re.fullmatch(r"v\[(\w+)\]", cell):
        return f"v {found[1]}"
    if found := re.fullmatch(r"v\[(\w+)\]\.id", cell):
        return float(next(key for key, name in NAMES.items() if name == found[1]))
    if found := re.fullmatch(r"e\[(\w+)-(\w+)->(\w+)\]", cell):
        return f"e {found[1]} {found[2]} {found[3]}"
    if found := re.fullmatch(r"l\[(.*)\]", cell):
        return [expected(each) for each in _split(found[1])]
    if found := re.fullmatch(r"m\[(\{.*\})\]", cell):
        return {name: _floats(expected(v)) for name, v in json.loads(found[1]).items()}
    if cell == "null":
        return None
    if cell in ("true", "false"):
        return cell == "true"
    if re.match(r"\w+\[", cell):
        raise Unclear(cell)
    return cell


def _is_list(line: Mapping[str, Any]) -> bool:
    """Whether what is expected is one list."""
    cells = line["rows"] or []
    return "ordered" not in line["then"] or (len(cells) == 1 and str(cells[0])[:2] == "l[")


def _floats(value: Any) -> Any:
    """The numbers of a cell as floats."""
    if isinstance(value, list):
        return [_floats(expected(each)) for each in value]
    return float(value) if type(value) is int else value


def _split(text: str) -> Iterable[str]:
    parts, depth = [""], 0
    for char in text:
        depth += (char == "[") - (char == "]")
        if char == "," and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part for part in parts if part]


def shown(value: Any) -> Any:
    """A cell of an answer in the same form."""
    match value:
        case bool() | None | str():
            return value
        case int() | float():
            return float(value)
        case {"type": kind, "source": source, "target": target}:
            ends = [NAMES[end["key"]["id"]] for end in (source, target)]
            return f"e {ends[0]} {kind} {ends[1]}"
        case {"key": {"id": key}}:
            return f"v {NAMES[key]}"
        case {"nodes": nodes}:
            return [shown(node) for node in nodes]
        case list():
            return [shown(each) for each in value]
        case Mapping():
            return {name: shown(each) for name, each in value.items()}
    raise Unclear(repr(value))


def _rows(columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> list[Any]:
    if columns == ("value",):
        return [shown(row[0]) for row in rows]
    made = [{c: shown(v) for c, v in zip(columns, row, strict=True)} for row in rows]
    return [{c: v for c, v in row.items() if v is not None} for row in made]


def _sorted(rows: list[Any]) -> list[Any]:
    return [sorted(row, key=str) if isinstance(row, list) else row for row in rows]


def _bag(rows: list[Any]) -> Counter[str]:
    return Counter(re.sub(r"(\.\d{9})\d+", r"\1", json.dumps(row, sort_keys=True)) for row in rows)


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    arguments.add_argument("scenarios", type=Path)
    arguments.add_argument("--language", default="sql", choices=sorted(_ENGINES))
    arguments.add_argument("--show", type=int, default=40)
    options = arguments.parse_args()
    lines = [json.loads(line) for line in options.scenarios.read_text("utf-8").splitlines()]
    graph = read_graph(MODERN)
    read = reader(Origin(schema=graph.schema))
    states: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = graph.write(Path(folder) / "modern")
        with IsolatedEngine(_ENGINES[options.language], path, memory_mb=2500) as engine:
            for line in filter(queries_only, lines):
                graphless = line["graph"] == "empty" and not _OF_GRAPH.search(line["traversal"])
                if line["graph"] != "modern" and not graphless:
                    continue
                text = with_values(line["traversal"], line["parameters"])
                cypher, why = "", ""
                try:
                    statement = read(text)
                    cypher = render(statement, "cypher", graph.schema).text
                    said = render(statement, options.language, graph.schema).text
                    answer = engine.run(said, language=options.language, timeout=30)
                    own = _rows(answer.columns, answer.rows)
                    wanted = [expected(cell) for cell in line["rows"] or []]
                    if len(own) == 1 and isinstance(own[0], list) and not _is_list(line):
                        own = own[0]  # the suite takes the one list for its items
                    if "valueMap()" in text:  # where ids are no properties
                        own = [{k: v for k, v in row.items() if k != "id"} for row in own]
                    if leaves_lists_open(statement):
                        own, wanted = map(_sorted, (own, wanted))
                    state = _state(line["then"], own, wanted)
                    why = f"{own} for {wanted}"
                except Unclear as problem:
                    state, why = "not compared", str(problem)
                except (Refused, QueryTextError) as problem:
                    state, why = "not said" if cypher else "not read", str(problem)
                except EngineError as problem:
                    state, why = "error", str(problem).splitlines()[0]
                states[state] += 1
                if state in ("differs", "error") and options.show:
                    options.show -= 1
                    print(f"{state.upper()} {line['then']}: {' '.join(text.split())}\n  {why}")
                    print(f"  {' '.join(cypher.split())}")
    print(", ".join(f"{state} {n}" for state, n in states.most_common()))
    return int(states["differs"] > 0)


def _state(then: str, own: list[Any], wanted: list[Any]) -> str:
    if "empty" in then:
        return "differs" if own else "equal"
    if found := re.search(r"count of (\d+)", then):
        return "equal" if len(own) == int(found[1]) else "differs"
    if then.endswith("ordered") or then.endswith("unordered"):
        if "unordered" not in then and json.dumps(own) != json.dumps(wanted):
            return "differs" if _bag(own) != _bag(wanted) else "another order"
        return "equal" if _bag(own) == _bag(wanted) else "differs"
    if then.endswith("of"):
        return "differs" if set(_bag(own)) - set(_bag(wanted)) else "equal"
    raise Unclear(then)


if __name__ == "__main__":
    sys.exit(main())
