"""Programs by a model, in six endings, over HTTP: what is taken, what goes back, what it costs.

    python benchmarks/llm_author.py [finance/anti-money-laundering] [--level 1] [--nodes 200]

A local stub of an OpenAI-compatible endpoint answers with the right program of a schema that the
rules wrote, or with a spoilt one: a program that fails, one whose table has another column, one
whose edges lead nowhere, one that never ends. Prints one JSON line an ending: whether the graph is
in place, the rounds, the ledger's codes, the calls, the dollars counted and the dollars of the
server's own books (prices: 2 and 8 dollars a million tokens).
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generators.sandbox import Limits
from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.model import ModelProgramAuthor
from generators.synthesis.sizes import sized
from generators.synthesis.writer import write_program
from generators.taxonomy.load import load_taxonomy, subdomain
from graphmill.llm.budget import Prices
from graphmill.llm.client import Settings, connect
from graphmill.llm.stub import Stub
from graphmill.seed import rng
from pipelines.synth import synthesis
from pipelines.synth.ledger import program_rejects
from pipelines.synth.synthesis import SynthesisError, synthesise
from schemagraph.folder.graphdata import edge_table, node_table

MAIN = '\n\nif __name__ == "__main__":'
PRICES = Prices(2.0, 8.0)


def endings(made: SchemaProposal, right: str) -> dict[str, list[str]]:
    """The programs that the model gives, one round after the other, by ending."""
    node, edge = made.schema.nodes[0], made.schema.edges[0]
    name = next(given.name for given in node.properties if given.name not in node.key)
    key = made.schema.node_by_name[edge.target].key[0]
    columns = f"""
import polars as pl
path = 'out/nodes/{node_table(node)}.parquet'
pl.read_parquet(path).rename({{{name!r}: 'another'}}).write_parquet(path)
"""
    dangling = f"""
import polars as pl
path = 'out/edges/{edge_table(edge)}.parquet'
frame, name = pl.read_parquet(path), 'target.{key}'
wrong = (pl.col(name) + '?') if frame[name].dtype == pl.String else (pl.col(name) + 10**9)
frame.with_columns(wrong.alias(name)).write_parquet(path)
"""
    failing = right.replace("def generate(", "1 / 0\n\n\ndef generate(")
    endless = right.replace("def generate(", "while True:\n    pass\n\n\ndef generate(")
    return {
        "valid": [right],
        "broken once, then fixed": [failing, right],
        "wrong columns": [after(right, columns), right],
        "dangling edges": [after(right, dangling), right],
        "endless loop": [endless, right],
        "three failures": [failing, after(right, columns), after(right, dangling), right],
    }


def after(program: str, statements: str) -> str:
    """The program, with more done when it has written everything."""
    spoilt = f"\n    import atexit\n    atexit.register(lambda: exec({statements!r}))"
    return program.replace(MAIN, f"{MAIN}{spoilt}")


def run(
    made: SchemaProposal, programs: list[str], folder: Path, options: argparse.Namespace
) -> dict[str, Any]:
    """One ending."""
    answers: Iterator[str] = iter(f"```python\n{program}\n```" for program in programs)
    start = time.monotonic()
    with Stub(lambda messages: next(answers)) as server:
        settings = Settings(server.url, "stub", prices=PRICES)
        with connect(settings, folder / "replies.jsonl") as client:
            author = ModelProgramAuthor(client, 7)
            try:
                result = synthesise(
                    made.schema, made.specification, folder / "g",
                    nodes=options.nodes, edges=None, seed=7, author=author,
                )  # fmt: skip
                attempts = result.attempts
            except SynthesisError as problem:
                attempts = problem.attempts
            rejects = program_rejects(author, made.schema.name, attempts)
            counted = client.budget.spent
        charged = sum(PRICES.cost(*tokens) for tokens in server.charged)
    return {
        "in place": (folder / "g" / "manifest.json").exists(),
        "rounds": len(attempts),
        "ledger": [reject.code for reject in rejects],
        "stopped": [attempt.outcome.stopped for attempt in attempts if attempt.outcome.stopped],
        "calls": len(server.calls),
        "usd counted": round(counted, 6),
        "usd charged": round(charged, 6),
        "seconds": round(time.monotonic() - start, 1),
    }


def main() -> int:
    """Run all endings."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("domain", nargs="?", default="finance/anti-money-laundering")
    arguments.add_argument("--level", type=int, default=1)
    arguments.add_argument("--nodes", type=int, default=200)
    options = arguments.parse_args()
    request = SchemaRequest(subdomain(load_taxonomy(()), options.domain), options.level)
    made = next(RuleSchemaAuthor().generate(request, rng(7, "schema")))
    right = write_program(made.schema, sized(made.schema, made.specification, options.nodes))
    synthesis.limits_for = lambda given: Limits(cpu=20, wall=300)
    for name, programs in endings(made, right).items():
        with tempfile.TemporaryDirectory() as folder:
            found = run(made, programs, Path(folder), options)
            print(json.dumps({"ending": name, **found}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
