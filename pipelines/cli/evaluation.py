"""evaluate: predictions of a corpus's queries, scored."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from graphmill.errors import ConfigError
from pipelines.cli.lines import write
from pipelines.cli.options import Command


def _add_evaluate(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("corpus", type=Path, help="a folder that `graphmill build` wrote")
    sub.add_argument(
        "--predictions",
        metavar="FILE",
        help='lines {"id", "query"} or {"id", "queries"}; - is standard input',
    )
    sub.add_argument("--language", help="score this language only; that of lines that name none")
    sub.add_argument(
        "--common",
        metavar="A,B",
        help="score these languages, on the records that all of them have",
    )
    sub.add_argument("--split", help="train, validation or test; default: all")
    sub.add_argument(
        "--question",
        dest="form",
        choices=("original", "syntactic", "logical", "business"),
        help="the form of question that was asked, where lines do not say",
    )
    sub.add_argument(
        "--knowledge",
        action=argparse.BooleanOptionalAction,
        help="whether external knowledge was given, where lines do not say",
    )
    sub.add_argument("--out", type=Path, metavar="DIR", help="for scores, tables, report and trace")
    sub.add_argument(
        "--against", action="append", default=[], metavar="DIR", help="compare with this run"
    )
    sub.add_argument("--engine", help="run texts as they are on this engine, where it can")
    sub.add_argument("--neo4j-url", default="", help="default: $GRAPHMILL_NEO4J_URL, else local")
    sub.add_argument("--metric", action="append", default=[], help="of another package, too")
    sub.add_argument("--timeout", type=float, default=10.0, help="seconds a query; default 10")
    sub.add_argument("--memory-mb", type=int, default=1500, help="a worker's; default 1500")
    sub.add_argument("--seed", type=int, default=7, help="of the intervals")
    sub.add_argument("--no-suites", action="store_true", help="do not run the small graphs")
    sub.add_argument(
        "--second-opinion", action="store_true", help="ask a language's judge on Grammar, too"
    )
    sub.add_argument("--quiet", action="store_true", help="no progress")


def _evaluate(arguments: argparse.Namespace) -> int:
    from pipelines.api import evaluate
    from pipelines.configuration.progress import Watch

    if arguments.predictions is None:
        raise ConfigError("Give the predictions with --predictions FILE.")
    common = [name for name in (arguments.common or "").split(",") if name]
    figures = evaluate(
        arguments.corpus,
        sys.stdin.buffer if arguments.predictions == "-" else arguments.predictions,
        language=arguments.language,
        common=common,
        split=arguments.split,
        question=arguments.form,
        knowledge=arguments.knowledge,
        out=arguments.out,
        against=arguments.against,
        engine=arguments.engine,
        neo4j_url=arguments.neo4j_url,
        metrics=arguments.metric,
        timeout=arguments.timeout,
        memory_mb=arguments.memory_mb,
        seed=arguments.seed,
        suites=not arguments.no_suites,
        second_opinion=arguments.second_opinion,
        progress=Watch(quiet=arguments.quiet),
    )
    for row in figures["left_out"]:
        sys.stderr.write(f"Left out in {row['language']}: {row['records']} ({row['why']})\n")
    told = figures["predictions"]
    for name in ("bad", "repeated", "unknown_ids"):
        if told[name]:
            sys.stderr.write(f"Predictions, {name.replace('_', ' ')}: {told[name]}\n")
    write(figures)
    return 0


COMMANDS = {
    "evaluate": Command(
        _add_evaluate,
        _evaluate,
        "score predicted queries against a corpus",
        "graphmill evaluate corpora/mine --predictions predictions.jsonl --out run",
    ),
}
