"""Writes in GQL: the same graph afterwards, and the same rows, as after Cypher's?

    python benchmarks/gql_writes.py SCENARIOS.jsonl [--only TEXT] [--show 5]

SCENARIOS are the openCypher TCK's, as lines {"id", "write", "steps"}; of those that write, each
that has a graph, one query and no expected error is run on the local Neo4j twice, over the graph
that its set-up makes: as it stands, and as our GQL behind `CYPHER 25` (profile `gql-neo4j`). The
strict text of the same query is held against graphglot's parser. Graphs are compared up to the
identity of nodes: by labels, types and properties, refined along the edges. Prints counts; exits
with 1 when a graph or an answer differs, or Neo4j or the parser refuses our text.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import neo4j

from benchmarks.tck.scenarios import TREES, tree
from engines.backends.neo4j import QUICK
from engines.judges.gql import check
from engines.jvm.neo4j import Local
from graph_ir.cypher.reader import parse
from graphmill.errors import QueryTextError, Refused
from translators.render import render

ROUNDS = 4  # of refining colours: the graphs of the kit are small


@dataclass(slots=True)
class Scenario:
    """A write over a graph."""

    id: str
    setup: list[str] = field(default_factory=list)
    query: str = ""
    parameters: dict[str, str] = field(default_factory=dict)  # as Cypher writes them


@dataclass(frozen=True, slots=True)
class After:
    """What a write left: the graph by content, its rows, or the error."""

    graph: tuple[Any, ...]
    rows: tuple[str, ...]
    error: str = ""


def main() -> int:
    """Measure and print."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    arguments.add_argument("scenarios", type=Path)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--show", type=int, default=5)
    options = arguments.parse_args()
    counts: Counter[str] = Counter()
    shown: list[str] = []
    local = Local()
    try:
        with neo4j.GraphDatabase.driver(local.start(), notifications_min_severity="OFF") as driver:
            for scenario in scenarios(options.scenarios):
                if options.only in scenario.id:
                    outcome, detail = _outcome(scenario, driver)
                    counts[outcome] += 1
                    print(f"{outcome}: {scenario.id}", file=sys.stderr, flush=True)
                    if detail:
                        shown.append(f"{outcome}: {scenario.id}\n{scenario.query}\n{detail}\n")
    finally:
        local.stop()
    print("writes", counts.total())
    for outcome, number in counts.most_common():
        print(f"  {number:6} {outcome}")
    print("\n".join(shown[: options.show]))
    return int(any(outcome.startswith("WRONG") for outcome in counts))


def scenarios(path: Path) -> Iterator[Scenario]:
    """Writes over a graph that are meant to succeed."""
    for line in path.read_text("utf-8").splitlines():
        given = json.loads(line)
        texts = [step["text"] for step in given["steps"]]
        if not given["write"] or any("should be raised" in t or "procedure" in t for t in texts):
            continue
        found = Scenario(given["id"])
        for step in given["steps"]:
            text = step["text"]
            if text in TREES:
                found.setup.append(tree(*TREES[text]))
            elif text == "having executed:":
                found.setup.append(step["doc"])
            elif text == "parameters are:":
                found.parameters = dict(step["table"])
            elif text == "executing query:":
                found.query = step["doc"]
        yield found


def _outcome(scenario: Scenario, driver: neo4j.Driver) -> tuple[str, str]:
    try:
        statement = parse(scenario.query)
        strict = render(statement, "gql").text
        ours = render(statement, "gql-neo4j").text
    except Refused as problem:
        return f"refused: {problem.code}", ""
    except QueryTextError as problem:
        return f"not valid: {problem.code}", ""
    found = check(strict)
    if found:
        return "WRONG: not GQL for the parser", f"{strict}\n{found[0].message}"
    cypher = run(scenario, f"CYPHER 5 {QUICK} {scenario.query}", driver)
    gql = run(scenario, f"CYPHER 25 {QUICK} {ours}", driver)
    if cypher.error and gql.error:
        return "both are errors", ""
    if cypher.error or gql.error:
        return "WRONG: one is an error", f"{ours}\n{cypher.error or gql.error}"
    if cypher.graph != gql.graph:
        return "WRONG: another graph", f"{ours}\n{cypher.graph}\n{gql.graph}"
    if cypher.rows != gql.rows:
        return "WRONG: other rows", f"{ours}\n{cypher.rows}\n{gql.rows}"
    return "equal graph and rows", ""


def run(scenario: Scenario, text: str, driver: neo4j.Driver) -> After:
    """Make the scenario's graph, run `text` on it and look at what is there."""
    with driver.session() as session:
        session.run("MATCH (n) DETACH DELETE n").consume()
        for setup in scenario.setup:
            session.run(f"CYPHER 5 {QUICK} {setup}").consume()
        given = {
            name: session.run(f"RETURN {value} AS x").single(strict=True)["x"]
            for name, value in scenario.parameters.items()
        }
        try:
            rows = [row.values() for row in session.run(text, given)]
        except neo4j.exceptions.Neo4jError as problem:
            return After((), (), f"{problem.code}: {problem.message}")
        shown = tuple(sorted(repr([_shown(value) for value in row]) for row in rows))
        return After(_content(session), shown)


def _shown(value: Any) -> Any:
    """A value without the server's ids."""
    if isinstance(value, neo4j.graph.Node):
        return ("node", sorted(value.labels), sorted(value.items(), key=repr))
    if isinstance(value, neo4j.graph.Relationship):
        return ("edge", value.type, sorted(value.items(), key=repr))
    if isinstance(value, neo4j.graph.Path):
        return [*map(_shown, value.nodes), *map(_shown, value.relationships)]
    if isinstance(value, list):
        return [_shown(item) for item in value]
    if isinstance(value, dict):
        return {key: _shown(item) for key, item in sorted(value.items())}
    return value


def _content(session: neo4j.Session) -> tuple[Any, ...]:
    """The graph as a bag of nodes and edges, each told by what is around it."""
    nodes = {r[0]: repr(_shown(r[1])) for r in session.run("MATCH (n) RETURN elementId(n), n")}
    text = "MATCH (a)-[r]->(b) RETURN elementId(a), r, elementId(b)"
    edges = [(row[0], repr(_shown(row[1])), row[2]) for row in session.run(text)]
    for _ in range(ROUNDS):
        around: dict[str, list[str]] = {key: [] for key in nodes}
        for source, edge, target in edges:
            around[source].append(f">{edge}{nodes[target]}")
            around[target].append(f"<{edge}{nodes[source]}")
        nodes = {key: f"{nodes[key]}{sorted(near)}" for key, near in around.items()}
        numbers = {content: str(n) for n, content in enumerate(sorted(set(nodes.values())))}
        kept = tuple(sorted(nodes.values()))
        nodes = {key: numbers[content] for key, content in nodes.items()}
        if len(kept) > 200:
            break
    return kept, tuple(sorted((nodes[a], edge, nodes[b]) for a, edge, b in edges))


if __name__ == "__main__":
    sys.exit(main())
