"""Question levels in figures: lengths, vocabulary, openings, findings of the checks, speed.

    python benchmarks/questions.py CORPUS [CORPUS ...]
    python benchmarks/questions.py --write GRAPH=QUERIES.jsonl [GRAPH=QUERIES.jsonl ...] [--seed 7]
        [--show FILE]

CORPUS is a folder of `graphmill build`. With --write, QUERIES holds lines {"cypher": …} over GRAPH
(a folder of `graphmill convert` or `graphmill synth`), and the rule author writes their questions
first; what it declines is counted by construct. Per level: words a question, distinct words, their
ratio to the syntactic level over the same pairs, share of the most frequent first three words,
and how many different first three words there are; then findings of the level checks and what
the answerability audit finds, and milliseconds of processor time a query. `--show` writes queries
and questions to read. Words are runs of letters and digits, in lower case.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

from generators.questions.levels.authors import NotExpressible, author_named
from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.model import Lexicon
from graph_ir.cypher.pair import Pair
from graph_ir.cypher.reader import parse
from graphmill.files import read_records
from graphmill.record import SPLITS, Provenance, Record
from graphmill.seed import rng
from pipelines.build.question_writer import spoken
from pipelines.release.folder import split_file
from qa.answerability import ambiguities
from qa.levels import level_findings
from schemagraph.folder.serde import load_schema
from schemagraph.folder.statistics import gather_statistics
from schemagraph.model import SchemaGraph

LEVELS = ("syntactic", "logical", "business")
_WORD = re.compile(r"\w+")


@dataclass
class Tally:
    """Figures over the pairs of one database or of all."""

    pairs: int = 0
    words: Counter[str] = field(default_factory=Counter)
    distinct: dict[str, set[str]] = field(
        default_factory=lambda: {level: set() for level in LEVELS}
    )
    openings: dict[str, Counter[str]] = field(
        default_factory=lambda: {level: Counter() for level in LEVELS}
    )
    knowledge: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    declined: Counter[str] = field(default_factory=Counter)
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def add(self, record: Record, schema: SchemaGraph, words: Lexicon) -> None:
        """Count one record."""
        self.pairs += 1
        self.knowledge += bool(record.external_knowledge)
        for level in LEVELS:
            said = [w.lower() for w in _WORD.findall(getattr(record.questions, level))]
            self.words[level] += len(said)
            self.distinct[level].update(said)
            self.openings[level][" ".join(said[:3])] += 1
        names = spoken(words)
        start = process_time()
        for found in level_findings(Pair.read(record), schema, names):
            self.findings[f"{found.evidence['level']} {found.code}"] += 1
        self.seconds["level checks"] += process_time() - start
        statement = parse(record.queries["cypher"])
        start = process_time()
        for level in ("logical", "business"):
            text = f"{getattr(record.questions, level)} {record.external_knowledge}"
            for open_one in ambiguities(statement, text, schema, names):
                self.findings[f"{level} {open_one.code}"] += 1
        self.seconds["answerability"] += process_time() - start

    def report(self, name: str) -> None:
        """Print the figures."""
        declined = sum(self.declined.values())
        print(f"{name}: {self.pairs} pairs, {declined} declined, {self.knowledge} with knowledge")
        for level in LEVELS:
            many = max(1, self.pairs)
            first, times = (*self.openings[level].most_common(1), ("", 0))[0]
            print(
                f"  {level:9}  {self.words[level] / many:5.1f} words"
                f"  {len(self.distinct[level]):5} distinct"
                f"  opening {times / many:6.1%} ({first})"
                f"  {len(self.openings[level])} openings"
            )
        for what, counts in (("findings", self.findings), ("declined", self.declined)):
            shown = ", ".join(f"{name} {many}" for name, many in counts.most_common())
            print(f"  {what}: {shown or 'none'}")
        total = max(1, self.pairs + declined)
        spent = [f"{name} {1000 * s / total:.2f}" for name, s in self.seconds.items()]
        print(f"  milliseconds a query: {', '.join(spent)}")


def corpus(folder: Path) -> Iterator[tuple[Record, Path]]:
    """Records of a corpus with the folders of their graphs."""
    for split in SPLITS:
        path = split_file(folder, split)
        if path.is_file():
            for _, record in read_records(path):
                yield record, folder / "graphs" / record.db


def words_of(graph: Path) -> tuple[SchemaGraph, Lexicon]:
    """A graph's schema and its words."""
    schema = load_schema(graph)
    return schema, derive(schema, gather_statistics(graph, schema, 7)).at()


def written(graph: Path, queries: Path, seed: int, tally: Tally) -> Iterator[Record]:
    """Records with questions by the rules."""
    schema, lexicon = words_of(graph)
    author = author_named("rules", lexicon)
    for line in queries.read_text(encoding="utf-8").splitlines():
        text = json.loads(line)["cypher"]
        statement = parse(text)
        start = process_time()
        try:
            found = author.write(statement, schema, rng(seed, "questions", graph.name, text))
        except NotExpressible as declined:
            tally.declined[declined.construct] += 1
            continue
        finally:
            tally.seconds["author"] += process_time() - start
        yield Record(
            schema="",
            db=graph.name,
            questions=found.questions,
            queries={"cypher": text},
            provenance=Provenance("rules", author.version, seed),
            external_knowledge=found.knowledge,
        )


def shown(record: Record) -> str:
    """A record to read."""
    asked = record.questions
    lines = [record.queries["cypher"].replace("\n", " ")]
    lines += [f"S: {asked.syntactic}", f"L: {asked.logical}", f"B: {asked.business}"]
    lines += [f"K: {record.external_knowledge}"] if record.external_knowledge else []
    return "\n".join(lines) + "\n\n"


def main() -> int:
    """Measure what was given."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--show", type=Path)
    options = parser.parse_args()
    read: list[str] = []
    for source in options.sources:
        if options.write:
            graph, _, queries = source.partition("=")
            tally, folder = Tally(), Path(graph)
            records = written(folder, Path(queries), options.seed, tally)
            pairs: Iterator[tuple[Record, Path]] = ((record, folder) for record in records)
        else:
            tally, pairs = Tally(), corpus(Path(source))
        known: dict[Path, tuple[SchemaGraph, Lexicon]] = {}
        for record, folder in pairs:
            if folder not in known:
                known[folder] = words_of(folder)
            tally.add(record, *known[folder])
            read.append(shown(record))
        tally.report(source)
    if options.show:
        options.show.write_text("".join(read), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
