"""translate, run, check: queries as JSON lines, each with its result."""

from __future__ import annotations

import argparse
from functools import partial

from pipelines.cli.lines import (
    attempted,
    bad_diagnostics,
    bad_line,
    diagnosed,
    json_lines,
    write,
)
from pipelines.cli.options import Command, path_of


def _add_translate(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("input", nargs="?", default="-", help='lines {"query": …}; - is stdin')
    sub.add_argument(
        "--from", dest="origin", required=True, help="the language; an unknown one lists them"
    )
    sub.add_argument("--to", required=True, help="the target language or profile")
    sub.add_argument("--graph", type=path_of, help="a folder that `graphmill convert` wrote")
    sub.add_argument("--dialect", help="the dialect of the source SQL; else that of the source")


def _translate(arguments: argparse.Namespace) -> int:
    from translators.service import Translator

    translator = Translator(
        origin=arguments.origin,
        to=arguments.to,
        graph=arguments.graph,
        dialect=arguments.dialect,
    )
    for line in json_lines(arguments.input):
        if "_bad" in line:
            write(bad_line(line))
            continue
        result = attempted(partial(translator.result, line["query"], line.get("parameters")))
        write({**line, "result": result})
    return 0


def _add_run(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("input", nargs="?", default="-", help='lines {"query": …}; - is stdin')
    sub.add_argument("--graph", type=path_of, help="a folder that `graphmill convert` wrote")
    sub.add_argument("--language", default="cypher", help="an unknown one lists them")
    sub.add_argument(
        "--engine", help="default: grafeo for cypher and gql, duckdb for sql, tinkergraph, oxigraph"
    )
    sub.add_argument("--source", help="the database, a file or an address, of a source engine")
    sub.add_argument(
        "--as-is", action="store_true", help="give the engine the text unread, not its dialect"
    )
    sub.add_argument("--timeout", type=float, default=30.0, help="seconds a query")
    sub.add_argument("--memory", type=int, default=4096, help="megabytes for the engine")
    sub.add_argument("--neo4j-url", help="default: $GRAPHMILL_NEO4J_URL, else a local Neo4j")
    sub.add_argument(
        "--gremlin-url", help="default: $GRAPHMILL_GREMLIN_URL, else TinkerGraph in this machine"
    )


def _run(arguments: argparse.Namespace) -> int:
    from pipelines.execution import Runner

    with Runner(
        engine=arguments.engine,
        language=arguments.language,
        graph=arguments.graph,
        source=arguments.source,
        timeout=arguments.timeout,
        memory_mb=arguments.memory,
        neo4j_url=arguments.neo4j_url,
        gremlin_url=arguments.gremlin_url,
        as_is=arguments.as_is,
    ) as runner:
        for line in json_lines(arguments.input):
            if "_bad" in line:
                write(bad_line(line))
                continue
            result = attempted(partial(runner.result, line["query"], line.get("parameters")))
            write({**line, "result": result})
    return 0


def _add_check(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("input", nargs="?", default="-", help='lines {"query": …}; - is stdin')
    sub.add_argument("--language", default="cypher", help="an unknown one lists them")
    sub.add_argument("--graph", type=path_of, help="check names and types against this graph")


def _check(arguments: argparse.Namespace) -> int:
    from pipelines.checking import opened

    with opened(arguments.language, arguments.graph) as check:
        for line in json_lines(arguments.input):
            if "_bad" in line:
                write(bad_diagnostics(line))
                continue
            write({**line, "diagnostics": diagnosed(partial(check, line["query"]))})
    return 0


COMMANDS = {
    "translate": Command(
        _add_translate,
        _translate,
        "translate queries faithfully, or refuse them with a reason",
        "graphmill translate --from sql --to cypher --graph shop < queries.jsonl",
    ),
    "run": Command(
        _add_run,
        _run,
        "run queries on an engine, each within its limits",
        "graphmill run --graph shop --language cypher < queries.jsonl",
    ),
    "check": Command(
        _add_check,
        _check,
        "check queries without running them",
        "graphmill check --language cypher --graph shop < queries.jsonl",
    ),
}
