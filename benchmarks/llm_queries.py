"""Queries and questions by a model that is often wrong: what is released, and what the ledger has.

    python benchmarks/llm_queries.py [GRAPH]

GRAPH is a graph folder; without it, our example of orchestras. A local stub of an OpenAI-compatible
endpoint answers requests for seeds, for evolution and for questions with good answers, and with
bad ones of every kind mixed in: text that does not parse, labels that are not there, queries that
fail, that return nothing or a lone 0, that write, that have parameters, that mean the same as
another, questions that lose a value, empty answers, refusals, cut and unasked JSON. Prints a line
for each kind: offered, released (only good ones may be), in the ledger; then lineage and money:
dollars counted and dollars of the server's own books (prices: 2 and 8 dollars a million tokens).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from generators.queries.base import Ground, Proposal, Wanted
from generators.queries.model.evolution import ModelEvolver
from generators.queries.model.seeds import ModelSeeds
from generators.questions.levels.authors import author_named
from generators.questions.levels.model import QuestionsUnfit
from graph_ir.canonical import fingerprint
from graph_ir.cypher.reader import parse
from graphmill.files import data_folder
from graphmill.llm.budget import Prices
from graphmill.llm.client import Client, Settings, connect
from graphmill.llm.stub import Fault, Stub
from graphmill.seed import rng
from pipelines.author.authors import ModelAuthor
from pipelines.build.context import DatabaseContext, Graph
from pipelines.build.query_oracle import QueryOracle
from pipelines.build.question_writer import model_author
from schemagraph.convert.service import convert
from schemagraph.folder.graphdata import graph_fingerprint
from schemagraph.folder.statistics import gather_statistics
from schemagraph.model import NodeType, SchemaGraph

PRICES = Prices(2.0, 8.0)
FAULTS: tuple[Fault, ...] = ("refusal", "empty", "cut-json", "wrong-json", "cut-text")
type Pair = tuple[str, str]  # question, query


def name(text: str) -> str:
    """A name as Cypher quotes it."""
    return f"`{text}`"


def good(node: NodeType) -> list[Pair]:
    """Pairs about a node type that have an answer in any graph with such nodes."""
    label, pairs = name(node.labels[0]), []
    for given in node.properties:
        key = name(given.name)
        pairs.append(
            (f"Which {given.name} values have {label}?", f"MATCH (n:{label}) RETURN n.{key} AS v")
        )
    return pairs


def harder(node: NodeType) -> list[Pair]:
    """Harder pairs: how often each value occurs."""
    label = name(node.labels[0])
    return [
        (
            f"How often does each {given.name} of {label} occur?",
            f"MATCH (n:{label}) RETURN n.{name(given.name)} AS v, count(*) AS times",
        )
        for given in node.properties
    ]


def bad(node: NodeType, pair: Pair) -> dict[str, Pair]:
    """One bad pair of each kind."""
    label, key = name(node.labels[0]), name(node.properties[0].name)
    match = f"MATCH (n:{label})"
    return {
        "syntax": ("What is it?", f"{match} RETRUN n.{key}"),
        "unknown label": ("What is it?", "MATCH (n:NoSuchThing) RETURN n.x AS x"),
        "unknown property": ("What is it?", f"{match} RETURN n.no_such_property AS x"),
        "fails": ("What is it?", f"{match} RETURN date('no date') AS x, n.{key} AS y"),
        "fails on data": (
            "When?",
            f"{match} RETURN date('x' + toString(n.{key})) AS x, n.{key} AS y",
        ),
        "no row": (
            "Is there any?",
            f"{match} WHERE n.{key} IS NULL AND n.{key} IS NOT NULL RETURN n.{key}",
        ),
        "lone 0": ("How many?", f"{match} WHERE 1 = 2 RETURN count(n) AS x"),
        "only NULL": ("What is it?", f"{match} RETURN CASE WHEN 1 = 2 THEN n.{key} END AS x"),
        "write": ("Remove all.", f"{match} DETACH DELETE n"),
        "write in a part": ("Set all.", f"{match} SET n.{key} = 1 RETURN n.{key} AS x"),
        "parameter": ("Which?", f"{match} WHERE n.{key} = $x RETURN n.{key} AS x"),
        "by chance": ("Any?", f"{match} WHERE rand() < 0.5 RETURN n.{key} AS x"),
        "no pattern": ("What is one?", "RETURN 1 AS x"),
        "same meaning": ("Again?", pair[1].replace("(n:", "(m:").replace("n.", "m.") + " // again"),
        "value lost": ("Which?", f"{match} WHERE n.{key} IS NOT NULL RETURN n.{key} AS x LIMIT 7"),
        "no question": (" ", f"{match} RETURN n.{key} AS x, 1 AS one"),
    }


class Model:
    """Answers of the server, with what was offered of each kind."""

    def __init__(self, schema: SchemaGraph) -> None:
        nodes = schema.nodes
        self.schema = schema
        self.author = author_named("rules")
        self.offered: dict[str, Counter[str]] = {"seeds": Counter(), "evolution": Counter()}
        self.kinds: dict[str, str] = {}
        self.lock = threading.Lock()
        self.turns = count()
        self.seeds = iter(
            [pair for node in nodes for pair in self.mixed("seeds", good(node), node)]
        )
        self.steps: dict[str, Iterator[Pair]] = {}
        for node in nodes:
            for start, end in zip(good(node), harder(node), strict=True):
                text = start[1].replace("`", "")
                self.steps[text] = self.script(len(self.steps) % 6, bad(node, start), end)
        self.wrong: Iterator[int] = count()

    def mixed(self, stage: str, pairs: list[Pair], node: NodeType) -> Iterator[Pair]:
        """Good pairs, each before a bad one."""
        for pair in pairs:
            yield self.offer(stage, "good", pair)
            yield self.offer(stage, *self.next_bad(bad(node, pair)))

    def script(self, failures: int, wrong: dict[str, Pair], end: Pair) -> Iterator[Pair]:
        """Bad steps, then a good one; after four the parent is given up."""
        for _ in range(failures):
            yield self.offer("evolution", *self.next_bad(wrong))
        yield self.offer("evolution", "good", end)

    def next_bad(self, wrong: dict[str, Pair]) -> tuple[str, Pair]:
        """The kinds in turn."""
        kinds = list(wrong)
        kind = kinds[next(self.turns) % len(kinds)]
        return kind, wrong[kind]

    def offer(self, stage: str, kind: str, pair: Pair) -> Pair:
        """Note what is offered when it is."""
        self.kinds.setdefault(f"{stage}{pair[1]}", kind)
        return pair

    def __call__(self, messages: list[dict[str, str]]) -> str:
        with self.lock:
            head, user = messages[0]["content"], messages[1]["content"]
            if "questions that people ask" in head:
                if len(messages) > 2:
                    return json.dumps({"pairs": []})
                return json.dumps({"pairs": [self.pair("seeds", self.seeds) for _ in range(8)]})
            if "harder" in head:
                query = user.partition("The query:\n\n")[2].partition("\n\nIts answer")[0]
                text = " ".join(query.replace("`", "").split())
                step = self.pair("evolution", self.steps[text])
                return json.dumps({"operation": "aggregate", **step})
            if "explain how" in head:
                return json.dumps({"knowledge": ""})
            if next(self.wrong) % 5 == 0:
                return json.dumps({"question": "MATCH (n) RETURN n, please."})
            query = user.partition("The query:\n\n")[2].rpartition("\n\n")[0]
            asked = self.author.write(parse(query), self.schema, rng(7)).questions
            if "engineer" in head:
                return json.dumps({"question": asked.syntactic})
            text = asked.business if "analyst" in head else asked.logical
            return json.dumps({"question": text})

    def pair(self, stage: str, pairs: Iterator[Pair]) -> dict[str, str]:
        """The next pair, counted."""
        found = next(pairs, None)
        if found is None:
            return {"question": "?", "cypher": "RETURN 1 AS nothing"}
        self.offered[stage][self.kinds[f"{stage}{found[1]}"]] += 1
        return {"question": found[0], "cypher": found[1]}


def faulty(text: str, number: int) -> Fault:
    """Every seventh request fails in one of the ways that cost money."""
    dice = rng(3, text, number)
    return dice.choice(FAULTS) if dice.random() < 1 / 7 else ""


def run(ground: Ground, shop: DatabaseContext, folder: Path) -> None:
    """Seeds, evolution of all of them, questions for what came of it."""
    model = Model(ground.schema)
    with Stub(model, faulty) as server:
        settings = Settings(server.url, "stub", prices=PRICES, concurrency=4)
        with connect(settings, folder / "replies.jsonl") as client:
            seeds, evolver = ModelSeeds(ground, client), ModelEvolver(ground, client)
            total = sum(len(node.properties) for node in ground.schema.nodes)
            made = list(seeds.generate(Wanted(), rng(7), 2 * total))
            children = list(evolver.evolve_all([(one, rng(7, n)) for n, one in enumerate(made)]))
            table("seeds", model, made, seeds.rejects)
            table("evolution", model, [child for _, child in children], evolver.rejects)
            asked = sum(model.offered["evolution"].values())
            print(
                f"  offered {asked}, released {len(children)}, in the ledger {len(evolver.rejects)}"
            )
            broken = [
                child
                for parent, child in children
                if not child.trace or parse(child.trace[-1].before) != parent.statement
            ]
            print(f"lineage: {len(children)} children, {len(broken)} without their parent's query")
            questions(ground, shop, client, [child for _, child in children])
            costs(client, server)


def table(stage: str, model: Model, made: list[Proposal], rejects: Sequence[Any]) -> None:
    """What was offered, released and refused, by kind."""
    marks = {
        fingerprint(parse(key.removeprefix(stage)))
        for key, kind in model.kinds.items()
        if key.startswith(stage) and kind == "good"
    }
    released = Counter(fingerprint(one.statement) in marks for one in made)
    codes: dict[str, Counter[str]] = {}
    for reject in rejects:
        kind = model.kinds.get(f"{stage}{reject.query}", "(answer)")
        codes.setdefault(kind, Counter())[reject.code] += 1
    print(f"\n{stage}: {len(made)} released, {released[False]} of them no good query")
    for kind, times in sorted(model.offered[stage].items()):
        print(f"  {kind:18} offered {times:4}  ledger {dict(codes.get(kind, {}))}")
    print(f"  answers that were none: {dict(codes.get('(answer)', {}))}")


def questions(ground: Ground, shop: DatabaseContext, client: Client, made: list[Proposal]) -> None:
    """Questions for what was released; those with query text in them are not."""
    author = model_author(
        ModelAuthor(kind="llm", base_url="http://x", model="stub"),
        client, ground.schema, ground.statistics, shop.sure_words,
    )  # fmt: skip
    codes: Counter[str] = Counter()
    for number, one in enumerate(made):
        try:
            found = author.write(one.statement, ground.schema, rng(7, number)).questions
            texts = (found.logical, found.business)
            codes["released with query text" if "MATCH" in "".join(texts) else "released"] += 1
        except QuestionsUnfit as problem:
            codes[f"refused: {problem.code}"] += 1
    print(f"\nquestions of {len(made)} pairs: {dict(codes)}")


def costs(client: Client, server: Stub) -> None:
    """The books of both sides."""
    charged = sum(PRICES.cost(*tokens) for tokens in server.charged)
    by_stage = {name: round(spent.usd, 4) for name, spent in client.budget.stages.items()}
    print(f"calls: {len(server.calls)}; dollars by stage: {by_stage}")
    print(f"dollars counted: {client.budget.spent:.6f}; by the server's books: {charged:.6f}")


def main() -> int:
    """Run it on one graph."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("graph", nargs="?", type=Path)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as place:
        graph = options.graph
        if graph is None:
            graph = Path(place) / "orchestras"
            convert(str(data_folder() / "masked" / "orchestras.json"), graph)
        with DatabaseContext(
            Graph(graph.name, graph, graph_fingerprint(graph)), ("cypher",)
        ) as shop:
            statistics = gather_statistics(graph, shop.graph.schema, 7)
            run(QueryOracle(shop, statistics), shop, Path(place))
    return 0


if __name__ == "__main__":
    sys.exit(main())
