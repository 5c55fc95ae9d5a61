"""evaluate: predictions of a corpus's queries, scored."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from graphmill.errors import ConfigError
from graphmill.messages import write_message
from pipelines.cli.lines import write
from pipelines.cli.options import Command, add_display_options, add_model_options, path_of, watch_of


def _add_evaluate(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("corpus", type=path_of, help="a folder that `graphmill build` wrote")
    sub.add_argument(
        "--predictions",
        metavar="FILE",
        help='lines {"id", "query"} or {"id", "queries"}; - is standard input',
    )
    sub.add_argument("--system", metavar="NAME", help="predict by this system (docs/evaluation.md)")
    sub.add_argument(
        "--set",
        dest="settings",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a named setting of the system; may be given several times",
    )
    sub.add_argument("--calls", type=int, metavar="N", help="a question's calls to models, at most")
    sub.add_argument(
        "--orders",
        type=int,
        default=1,
        metavar="N",
        help="ask the questions in N seeded orders; the mean over them and its spread are told",
    )
    sub.add_argument(
        "--per-database",
        type=int,
        metavar="N",
        help="ask N questions of each database, drawn by the seed",
    )
    sub.add_argument(
        "--oral",
        action="store_true",
        help="ask with the names in questions short, misspelt or in another spelling",
    )
    sub.add_argument(
        "--judge",
        action="store_true",
        help="have the model (of the role judge) compare answers in words with the gold's rows",
    )
    add_model_options(sub)
    _add_scoring(sub)


def _add_scoring(sub: argparse.ArgumentParser) -> None:
    """What is scored, against what, and within which limits."""
    sub.add_argument("--language", help="score this language only; that of lines that name none")
    sub.add_argument(
        "--common",
        metavar="A,B",
        help="score these languages, on the records that all of them have",
    )
    sub.add_argument("--split", help="train, validation or test; default: all, for systems test")
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
    sub.add_argument(
        "--out", type=path_of, metavar="DIR", help="for scores, tables, report and trace"
    )
    sub.add_argument(
        "--against", action="append", default=[], metavar="DIR", help="compare with this run"
    )
    sub.add_argument("--engine", help="run texts as they are on this engine, where it can")
    sub.add_argument("--neo4j-url", default="", help="default: $GRAPHMILL_NEO4J_URL, else local")
    sub.add_argument("--metric", action="append", default=[], help="of another package, too")
    sub.add_argument("--timeout", type=float, default=10.0, help="seconds a query; default 10")
    sub.add_argument("--memory-mb", type=int, default=1500, help="a worker's; default 1500")
    sub.add_argument(
        "--jobs", type=int, metavar="N", help="processes that score; default: one a processor"
    )
    sub.add_argument("--seed", type=int, default=7, help="of the intervals")
    sub.add_argument("--no-suites", action="store_true", help="do not run the small graphs")
    sub.add_argument(
        "--second-opinion", action="store_true", help="ask a language's judge on Grammar, too"
    )
    add_display_options(sub)


def _evaluate(arguments: argparse.Namespace) -> int:
    from pipelines.api import evaluate

    if (arguments.predictions is None) == (arguments.system is None):
        raise ConfigError("Give either the predictions, with --predictions FILE, or a --system.")
    if arguments.system is not None:
        return _ask(arguments)
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
        jobs=arguments.jobs,
        progress=watch_of(arguments),
    )
    _tell(figures)
    return 0


def _ask(arguments: argparse.Namespace) -> int:
    """Let a system predict, and score what it gave."""
    from pipelines.author.authors import model_options
    from pipelines.evaluate.answering import Order, evaluate_system

    if arguments.common or arguments.engine:
        raise ConfigError("--common and --engine are for --predictions; a system has --language.")
    settings = {}
    for text in arguments.settings:
        name, sign, value = text.partition("=")
        if not sign:
            raise ConfigError(f"--set takes NAME=VALUE, and {text!r} has no =.")
        settings[name.strip()] = value.strip()
    order = Order(
        arguments.corpus,
        arguments.system,
        language=arguments.language or "cypher",
        form=arguments.form or "business",
        knowledge=bool(arguments.knowledge),
        split=arguments.split or "test",
        calls=arguments.calls,
        orders=arguments.orders,
        per_database=arguments.per_database,
        oral=arguments.oral,
        settings=settings,
        model=model_options(arguments),
        replay=arguments.replay,
        judge=arguments.judge,
        out=arguments.out,
        against=tuple(map(Path, arguments.against)),
        metrics=tuple(arguments.metric),
        timeout=arguments.timeout,
        memory_mb=arguments.memory_mb,
        seed=arguments.seed,
        suites=not arguments.no_suites,
        second_opinion=arguments.second_opinion,
        jobs=arguments.jobs,
    )
    _tell(evaluate_system(order, watch_of(arguments)))
    return 0


def _tell(figures: dict[str, Any]) -> None:
    for row in figures["left_out"]:
        write_message(f"Left out in {row['language']}: {row['records']} ({row['why']})")
    counts = figures["predictions"]
    for name in ("bad", "repeated", "unknown_ids"):
        if counts[name]:
            write_message(f"Predictions, {name.replace('_', ' ')}: {counts[name]}")
    write(figures)


COMMANDS = {
    "evaluate": Command(
        _add_evaluate,
        _evaluate,
        "score predicted queries against a corpus",
        "graphmill evaluate corpora/mine --predictions predictions.jsonl --out run",
    ),
}
