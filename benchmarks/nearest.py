"""How far a corpus's splits leak: the system `nearest` on a split by shape of query, on a split at
random, and on the former with the training questions shuffled among their queries (control).

    python benchmarks/nearest.py CORPUS [--language cypher] [--question business] [--seed 7]

The corpus's own splits are not used: records are split again, eight of ten shapes for training.
A shape is the canonical Graph-IR with its constants taken out. Prints one line a setting. The last
two show what it does where it could know: the test queries are in training, too, under another
form of their questions, and under the very questions.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from engines.ladder import Gold
from evaluation.base import Example, Setting, Task
from evaluation.execution import Bench
from evaluation.languages import tools
from evaluation.score import Prediction
from evaluation.scoring import Scorer
from evaluation.systems.nearest import Nearest
from graph_ir import nodes as ir
from graph_ir.canonical import fingerprint
from graph_ir.cypher.reader import parse
from graph_ir.walk import rewrite
from graphmill.files import read_records
from graphmill.record import SPLITS, Questions, Record
from graphmill.seed import rng
from pipelines.build.suites import FOLDER as INSTANCES
from pipelines.release.folder import split_file
from pipelines.release.lock import format_of, load_lock
from schemagraph.folder.serde import load_schema
from translators.language import Origin

TRAIN = 0.8


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--language", default="cypher")
    parser.add_argument("--question", default="business")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    paths = [split_file(given.corpus, split) for split in SPLITS]
    form = format_of(load_lock(given.corpus))
    records = [r for path in paths if path.is_file() for _, r in read_records(path, form)]
    records = [
        r for r in records if getattr(r.questions, given.question) and r.queries.get(given.language)
    ]
    for name, group in (("shape", shape), ("record", lambda record: record.id)):
        train, test = split(records, group, given.seed)
        for shuffled in (False, True):
            right, asked = measured(given.corpus, train, test, given, shuffled=shuffled)
            control = ", training questions shuffled" if shuffled else ""
            share = right / max(asked, 1)
            sys.stdout.write(f"split by {name}{control}: {right} of {asked} right ({share:.1%})\n")
    for wording in ("logical", given.question):
        known = [with_question(record, wording, given.question) for record in test]
        right, asked = measured(given.corpus, [*train, *known], test, given, shuffled=False)
        share = right / max(asked, 1)
        told = f"all test queries known under their {wording} questions"
        sys.stdout.write(f"{told}: {right} of {asked} right ({share:.1%})\n")


def with_question(record: Record, form: str, place: str) -> Record:
    """Another record of the same query, whose question of a form stands in the place of `place`."""
    question = getattr(record.questions, form)
    return replace(record, domain="known", questions=Questions(**{place: question}))


def shape(record: Record) -> str:
    """The query's form without its constants."""
    blank = ir.Literal("")
    statement = parse(record.queries["cypher"])
    return fingerprint(rewrite(statement, lambda n: blank if isinstance(n, ir.Literal) else n))


def split(
    records: Sequence[Record], group: Callable[[Record], str], seed: int
) -> tuple[list[Record], list[Record]]:
    """Whole groups go to train or to test."""
    of = {record.id: group(record) for record in records}
    groups = sorted(set(of.values()))
    rng(seed, "nearest").shuffle(groups)
    chosen = set(groups[: round(TRAIN * len(groups))])
    inside = [record for record in records if of[record.id] in chosen]
    return inside, [record for record in records if of[record.id] not in chosen]


def measured(
    corpus: Path,
    train: Sequence[Record],
    test: Sequence[Record],
    given: argparse.Namespace,
    *,
    shuffled: bool,
) -> tuple[int, int]:
    """How many of the test questions are answered rightly, of how many."""
    schemas = {r.db: load_schema(corpus / "graphs" / r.db) for r in (*train, *test)}
    examples = [
        Example(r, getattr(r.questions, given.question), r.queries[given.language], schemas[r.db])
        for r in train
    ]
    if shuffled:
        questions = [example.question for example in examples]
        rng(given.seed, "shuffled").shuffle(questions)
        examples = [replace(e, question=q) for e, q in zip(examples, questions, strict=True)]
    system = Nearest(Setting(given.language, examples, seed=given.seed))
    right = asked = 0
    for db in sorted({record.db for record in test}):
        graph = corpus / "graphs" / db
        with (
            Bench(graph, graph / INSTANCES, schemas[db]) as bench,
            tools(given.language, Origin(graph, schemas[db])) as found,
        ):
            scorer = Scorer(bench, found, suites=False)
            for record in (record for record in test if record.db == db):
                case = scorer.case(record, record.queries[given.language])
                if not isinstance(case.gold, Gold):
                    continue
                question = getattr(record.questions, given.question)
                task = Task(record.id, db, question, given.language, schemas[db], graph)
                query = system.answer(task).query
                score = scorer.score(Prediction(record.id, given.language, query), case)
                asked += 1
                right += score.right
    return right, asked


if __name__ == "__main__":
    main()
