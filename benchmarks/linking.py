"""Twig linking and related schema without any model: hit rate (AT-32), and accuracy (NS-22).

    python benchmarks/linking.py CORPUS [--split test] [--question business] [--set delta=0.75]

For each language with a catalogue: the share of returned twigs that the gold query has, how many of
the gold's were returned, twigs a question. Then how often node types and edge types of the linked
schema, completed to one piece, are exactly those that the gold needs.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from evaluation.answering.linking import completed, named
from evaluation.answering.twigs import Linker, Linking, related_to
from evaluation.answering.values import Values
from evaluation.metrics.elements import hit_rate, related, twigs
from graph_ir.bind.statements import bind
from graph_ir.cypher.reader import parse
from graphmill.files import read_records
from graphmill.record import Record
from pipelines.release.folder import split_file
from pipelines.release.lock import format_of, load_lock
from schemagraph.folder.serde import load_schema
from schemagraph.model import SchemaGraph

LANGUAGES = ("cypher", "gremlin", "sparql")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--question", default="business")
    parser.add_argument("--set", action="append", default=[])
    given = parser.parse_args()
    settings = chosen(given.set)
    path = split_file(given.corpus, given.split)
    by_db: dict[str, list[Record]] = defaultdict(list)
    for _, record in read_records(path, format_of(load_lock(given.corpus))):
        by_db[record.db].append(record)
    found: dict[str, list[float]] = defaultdict(list)
    for db, records in sorted(by_db.items()):
        graph = given.corpus / "graphs" / db
        schema = load_schema(graph)
        values = Values.of(graph, schema)
        for language in LANGUAGES:
            linker = Linker(schema, language, settings, values)
            for record in records:
                question = getattr(record.questions, given.question)
                if question and "cypher" in record.queries:
                    measure(found, language, linker, schema, record, question)
    for name, own in found.items():
        sys.stdout.write(f"{name}: {sum(own) / len(own):.3f} (n = {len(own)})\n")


def chosen(pairs: list[str]) -> Linking:
    """The settings of linking with some of them changed."""
    kinds = {each.name: each.type for each in fields(Linking)}
    made: dict[str, Any] = {}
    for pair in pairs:
        name, _, value = pair.partition("=")
        kind = str(kinds[name])
        made[name] = value == "yes" if kind == "bool" else value
        if kind in ("float", "int"):
            made[name] = float(value) if kind == "float" else int(value)
    return replace(Linking(), **made)


def measure(
    found: dict[str, list[float]],
    language: str,
    linker: Linker,
    schema: SchemaGraph,
    record: Record,
    question: str,
) -> None:
    """Add what one question gives."""
    statement = bind(parse(record.queries["cypher"]), schema).statement
    gold = twigs(statement, schema)
    linked = linker.link(question)
    rate = hit_rate(linked.atoms, gold)
    if rate is not None:
        found[f"{language}: twig hit rate"].append(rate)
    if gold:
        found[f"{language}: gold twigs returned"].append(len(gold & set(linked.atoms)) / len(gold))
    found[f"{language}: twigs a question"].append(len(linked.atoms))
    if language != "cypher":
        return
    needed = related(statement)
    part = related_to(linked)
    nodes = part.nodes | {link.element[1] for link in linked.links if link.element[0] == "node"}
    spoken, by_name = named(schema, question)
    for name, ends, edges in (
        ("by twigs", nodes, part.edges),
        ("by names", spoken, by_name),
        ("by both", nodes | spoken, part.edges & by_name or by_name),
    ):
        whole = completed(schema, ends, edges)
        right = (frozenset(whole[0]), frozenset(whole[1])) == (needed.nodes, needed.edges)
        found[f"related schema {name}"].append(right)


if __name__ == "__main__":
    main()
