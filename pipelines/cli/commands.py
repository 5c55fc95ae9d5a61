"""The `graphmill` command: JSON lines in and out, messages on standard error (design, section 7).

Each command imports what it needs when it runs, so that the first line comes quickly.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from graphmill import __version__
from graphmill.errors import ConfigError, GraphmillError
from graphmill.secrets import conceal, keep_url

type Command = Callable[[argparse.Namespace], int]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status is 0, or 1 when the command could not work."""
    arguments = parser().parse_args(argv)
    command: Command = arguments.command
    for value in vars(arguments).values():
        if isinstance(value, str) and "://" in value:
            keep_url(value)
    sys.excepthook = _clean_traceback
    try:
        with interruptible():
            return command(arguments)
    except GraphmillError as problem:
        if arguments.debug:
            raise
        sys.stderr.write(f"graphmill: {conceal(str(problem))}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("graphmill: stopped; what is finished is kept.\n")
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _clean_traceback(
    kind: type[BaseException], problem: BaseException, trace: TracebackType | None
) -> None:
    """Tracebacks quote what libraries were given, keys too."""
    text = "".join(traceback.format_exception(kind, problem, trace))
    sys.stderr.write(conceal(text))


@contextmanager
def extra(name: str, what: str) -> Iterator[None]:
    """Imports that `what` needs, of the extra `name`.

    Raises:
        ConfigError: one of its packages is not installed.
    """
    try:
        yield
    except ImportError as problem:
        missing = (problem.name or "a package").partition(".")[0]
        raise ConfigError(
            f"{what} needs the package {missing}: pip install 'graphmill[{name}]'."
        ) from problem


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C once ends the block as an exception does, and what is paid for is waited for; twice
    ends the process at once: nothing is ever half-written, and engines end with it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def stop(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, end)
        sys.stderr.write("graphmill: stopping; Ctrl-C again ends at once.\n")
        raise KeyboardInterrupt

    def end(number: int, frame: FrameType | None) -> None:
        os.write(2, b"graphmill: ended; what is finished is kept.\n")
        os._exit(130)

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def parser() -> argparse.ArgumentParser:
    """The whole command line; every command has help with an example."""
    top = argparse.ArgumentParser(
        prog="graphmill",
        description="Build text-to-graph-query corpora whose gold is proven by execution.",
    )
    top.add_argument("--version", action="version", version=f"graphmill {__version__}")
    top.add_argument("--debug", action="store_true", help="show the traceback of an error")
    commands = top.add_subparsers(dest="name", required=True, metavar="COMMAND")
    for name, (add, run, text, example) in COMMANDS.items():
        sub = commands.add_parser(
            name,
            help=text,
            description=f"{text[0].upper()}{text[1:]}.",
            epilog=f"example: {example}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        add(sub)
        sub.set_defaults(command=run)
    return top


def _lines(name: str) -> Iterator[dict[str, Any]]:
    """The input's JSON lines; a line that is no object with `query` is yielded with `_bad`."""
    try:
        with (
            nullcontext(sys.stdin)
            if name == "-"
            else Path(name).open(encoding="utf-8-sig") as stream
        ):
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield _object(number, line)
    except UnicodeDecodeError as problem:
        raise GraphmillError(f"{name} is not UTF-8 text: {problem.reason}.") from problem
    except OSError as problem:
        raise GraphmillError(f"Cannot read {name}: {problem.strerror}.") from problem


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as problem:
        return {"_bad": f"Line {number} is not JSON: {problem}."}
    if not isinstance(value, dict) or not isinstance(value.get("query"), str):
        return {"_bad": f'Line {number} is no object with a text "query".'}
    if not isinstance(value.get("parameters", {}), dict | None):
        return {"_bad": f'In line {number} "parameters" is no object of values by name.'}
    return value


def _write(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def _bad_line(line: dict[str, Any]) -> dict[str, Any]:
    error = {"kind": "syntax", "code": "broken-line", "message": line["_bad"]}
    return {"result": {"ok": False, "error": {**error, "line": 1, "column": 1}}}


# --- convert -------------------------------------------------------------------------------


def _add_convert(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("source", help="a file, a folder or an address of a database")
    sub.add_argument("--out", required=True, type=Path, help="the folder of the graph to write")
    sub.add_argument("--tables", type=Path, help="keys, references and names you chose (TOML)")
    sub.add_argument("--propose", type=Path, help="write what was found to this file, to edit it")
    sub.add_argument("--dialect", default="", help="the SQL dialect of DDL text")


def _convert(arguments: argparse.Namespace) -> int:
    from schemagraph.convert.service import convert

    report = convert(
        arguments.source,
        arguments.out,
        tables=arguments.tables,
        propose=arguments.propose,
        dialect=arguments.dialect,
    )
    sys.stderr.write(report.text())
    _write(report.to_json())
    return 0


# --- schema --------------------------------------------------------------------------------


def _add_schema(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--to", required=True, help="the engine; an unknown one lists them")
    sub.add_argument("--graph", required=True, type=Path, help="the folder of a graph")
    sub.add_argument("--out", required=True, type=Path, help="the folder to write to")
    sub.add_argument("--no-data", action="store_true", help="write no data files")


def _schema(arguments: argparse.Namespace) -> int:
    from schemagraph.targets.base import export

    done = export(arguments.to, arguments.graph, arguments.out, data=not arguments.no_data)
    for loss in done.losses:
        sys.stderr.write(f"lost: {loss.where}: {loss.what}\n")
    _write(done.as_json())
    return 0


# --- translate -----------------------------------------------------------------------------


def _add_translate(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("input", nargs="?", default="-", help='lines {"query": …}; - is stdin')
    sub.add_argument(
        "--from", dest="origin", required=True, help="the language; an unknown one lists them"
    )
    sub.add_argument("--to", required=True, help="the target language or profile")
    sub.add_argument("--graph", type=Path, help="a folder that `graphmill convert` wrote")
    sub.add_argument("--dialect", help="the dialect of the source SQL; else that of the source")


def _translate(arguments: argparse.Namespace) -> int:
    from translators.service import Translator

    translator = Translator(
        origin=arguments.origin,
        to=arguments.to,
        graph=arguments.graph,
        dialect=arguments.dialect,
    )
    for line in _lines(arguments.input):
        if "_bad" in line:
            _write(_bad_line(line))
            continue
        result = translator.result(line["query"], line.get("parameters"))
        _write({**line, "result": result})
    return 0


# --- run -----------------------------------------------------------------------------------


def _add_run(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("input", nargs="?", default="-", help='lines {"query": …}; - is stdin')
    sub.add_argument("--graph", type=Path, help="a folder that `graphmill convert` wrote")
    sub.add_argument("--language", default="cypher", help="an unknown one lists them")
    sub.add_argument("--engine", help="default: grafeo for cypher and gql, duckdb for sql")
    sub.add_argument("--source", help="the database, a file or an address, of a source engine")
    sub.add_argument("--timeout", type=float, default=30.0, help="seconds a query")
    sub.add_argument("--memory", type=int, default=4096, help="megabytes for the engine")
    sub.add_argument("--neo4j-url", help="default: $GRAPHMILL_NEO4J_URL, else a local Neo4j")


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
    ) as runner:
        for line in _lines(arguments.input):
            if "_bad" in line:
                _write(_bad_line(line))
                continue
            result = runner.result(line["query"], line.get("parameters"))
            _write({**line, "result": result})
    return 0


# --- check ---------------------------------------------------------------------------------


def _add_check(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("input", nargs="?", default="-", help='lines {"query": …}; - is stdin')
    sub.add_argument("--language", default="cypher", help="an unknown one lists them")
    sub.add_argument("--graph", type=Path, help="check names and types against this graph")


def _check(arguments: argparse.Namespace) -> int:
    from pipelines.checking import opened

    with opened(arguments.language, arguments.graph) as check:
        for line in _lines(arguments.input):
            if "_bad" in line:
                found = {"severity": "error", "code": "broken-line", "message": line["_bad"]}
                _write({"diagnostics": [{**found, "line": 1, "column": 1}]})
                continue
            _write({**line, "diagnostics": [d.as_json() for d in check(line["query"])]})
    return 0


# --- who writes ----------------------------------------------------------------------------


def add_author_options(sub: argparse.ArgumentParser) -> None:
    """The options of a command that a model may write for, as in `[author]` of a configuration."""
    sub.add_argument("--author", choices=("rules", "llm"), default="rules", help="who writes")
    sub.add_argument("--base-url", help="the model's endpoint, OpenAI-compatible")
    sub.add_argument("--model", help="the model's name there")
    sub.add_argument("--api-key-env", help="the environment variable that holds the key")
    sub.add_argument("--budget-usd", type=float, help="stop before this is spent")
    sub.add_argument(
        "--prices",
        type=float,
        nargs=2,
        metavar=("INPUT", "OUTPUT"),
        help="US dollars for a million tokens",
    )
    sub.add_argument("--max-tokens", type=int, help="the longest answer that the endpoint gives")
    sub.add_argument("--replay", action="store_true", help="answer from the recorded replies only")


# --- synth ---------------------------------------------------------------------------------


def _add_synth(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "domain",
        nargs="?",
        help="industry/sub-domain; --list prints them; with --author llm any name",
    )
    sub.add_argument("--list", action="store_true", help="print the sub-domains, one a line")
    sub.add_argument(
        "--schema",
        type=Path,
        help="instead: a folder with schema.json and distributions.json, or the schema's file",
    )
    sub.add_argument("--out", type=Path, help="the folder of the graph to write")
    sub.add_argument("--nodes", type=int, help="nodes in all; default: 10000")
    sub.add_argument("--edges", type=int, help="edges in all; default: what the schema suggests")
    sub.add_argument("--seed", type=int, default=7, help="another seed, another schema and graph")
    sub.add_argument("--level", type=int, default=3, help="size of the schema, from 1 to 5")
    sub.add_argument("--csv", action="store_true", help="write CSV beside Parquet")
    sub.add_argument(
        "--taxonomy",
        type=Path,
        action="append",
        default=[],
        help="a domain of yours: its file, or a folder with several",
    )
    sub.add_argument(
        "--allow-degraded",
        action="store_true",
        help="run the program even where the sandbox lacks a layer",
    )
    sub.add_argument("--estimate", action="store_true", help="only print what it would cost")
    add_author_options(sub)


def _synth(arguments: argparse.Namespace) -> int:
    from pipelines.build.estimate import estimated
    from pipelines.synth.domains import asked, names, order_for

    if arguments.list:
        sys.stdout.writelines(f"{name}\n" for name in names(arguments.taxonomy))
        return 0
    if arguments.estimate:
        _write(estimated(arguments))
        return 0
    with asked(arguments) as client:
        try:
            order = order_for(arguments, client)
            sys.stderr.write(f"{order.title}\n")
            made = order.make()
        finally:
            costs = {} if client is None else client.budget.to_json()
            if client is not None:
                sys.stderr.write(f"{client.name}: {client.budget.now:.4f} USD spent now.\n")
    sys.stderr.write(made.text())
    _write({**made.to_json(), **({"costs": costs} if costs else {})})
    return 0


# --- masked ----------------------------------------------------------------------------------


def _add_masked(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--graph", type=Path, required=True, help="a graph folder")
    sub.add_argument("--out", type=Path, required=True, help="the folder to write")
    sub.add_argument("--language", choices=("en", "zh"), default="en", help="of the questions")
    sub.add_argument("--lexicon", type=Path, help="words for the schema, as lexicon.json has them")
    sub.add_argument("--hops", type=int, default=6, help="sub-schemas of 0 to so many hops")
    sub.add_argument("--most", type=int, default=0, help="sub-schemas of each length; 0: all")
    sub.add_argument("--repeat", type=int, default=1, metavar="M", help="pairs a sub-schema")
    sub.add_argument("--shots", type=int, default=4, metavar="K", help="pairs that a model sees")
    sub.add_argument("--pool", type=Path, help="masked pairs to show instead of ours")
    sub.add_argument(
        "--similarity", default="trigrams", help="trigrams, minilm, or another encoder"
    )
    sub.add_argument("--threshold", type=float, help="least similarity to the query told back")
    sub.add_argument("--oral", type=float, default=0.3, help="share of questions with short names")
    sub.add_argument("--restyle", type=float, default=0.5, help="share in another tone")
    sub.add_argument("--pseudonyms", action="store_true", help="give all entities made-up names")
    sub.add_argument("--seed", type=int, default=7)
    sub.add_argument("--quiet", action="store_true", help="no progress")
    add_author_options(sub)


def _masked(arguments: argparse.Namespace) -> int:
    from pipelines.author.authors import author_of
    from pipelines.configuration.progress import Watch
    from pipelines.masked.builder import Settings, masked

    names = ("language", "hops", "most", "repeat", "shots", "similarity", "threshold", "oral")
    more = ("restyle", "lexicon", "pool", "pseudonyms", "seed", "replay")
    settings = Settings(**{name: getattr(arguments, name) for name in (*names, *more)})
    author, watch = author_of(arguments), Watch(quiet=arguments.quiet)
    _write(masked(arguments.graph, arguments.out, settings, author, watch))
    return 0


# --- build, preview, init, verify ----------------------------------------------------------


def _add_build(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "config", help="a TOML file (`graphmill init` writes one), or example:NAME, which we ship"
    )
    sub.add_argument("--out", type=Path, help="the corpus folder; default: corpora/NAME")
    sub.add_argument(
        "--limit", type=int, help="at most this many given and grown candidates a database"
    )
    sub.add_argument("--flow", action="store_true", help="run it as a Prefect flow")
    sub.add_argument(
        "--allow-degraded",
        action="store_true",
        help="draw synthetic graphs even where the sandbox lacks a layer",
    )
    sub.add_argument(
        "--estimate", action="store_true", help="only print what it would work on and cost"
    )
    sub.add_argument(
        "--replace", action="store_true", help="leave nothing of the corpus that is in the folder"
    )
    sub.add_argument("--quiet", action="store_true", help="no progress")


def _build(arguments: argparse.Namespace) -> int:
    from pipelines.configuration.progress import Watch

    watch = Watch(quiet=arguments.quiet)
    watch.note("Reading the configuration")
    from pipelines.configuration.config import load

    config_path = _config(arguments.config)
    config = load(config_path)
    if arguments.estimate:
        from pipelines.build.estimate import estimate

        _write(estimate(config, arguments.limit))
        return 0
    out = arguments.out or Path("corpora") / config.corpus.name
    if arguments.flow:
        with extra("prefect", "--flow"):
            from pipelines.flows import build_flow

        degraded = arguments.allow_degraded
        funnel = build_flow(
            str(config_path), str(out), arguments.limit, arguments.replace, degraded
        )
    else:
        from pipelines.run import build

        config = config.degraded() if arguments.allow_degraded else config
        made = build(config, out, watch, arguments.limit, replace=arguments.replace)
        funnel = made.to_json()
    watch.summary(funnel)
    grown = [{k: v for k, v in each.items() if k != "makers"} for each in funnel["grown"]]
    _write({"corpus": str(out), **funnel, "grown": grown})  # report.html has the makers
    return 0


def _config(name: str) -> Path:
    from graphmill.files import example

    return example(name.removeprefix("example:")) if name.startswith("example:") else Path(name)


def _add_preview(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("config", help="a TOML file, or example:NAME")
    sub.add_argument("--limit", type=int, default=5, help="given and grown candidates a database")
    sub.add_argument("--json", action="store_true", help="lines, with the released field names")


def _preview(arguments: argparse.Namespace) -> int:
    from pipelines.preview import preview, readable

    for number, row in enumerate(preview(_config(arguments.config), arguments.limit)):
        if arguments.json:
            _write(row)
        else:
            sys.stdout.write(("\n" if number else "") + readable(row))
            sys.stdout.flush()
    return 0


def _add_completion(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("shell", choices=("bash", "zsh", "fish"), help="whose completion")


def _completion(arguments: argparse.Namespace) -> int:
    from pipelines.cli.completion import SHELLS, commands

    sys.stdout.write(SHELLS[arguments.shell](commands(parser())))
    return 0


def _add_init(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--out", type=Path, default=Path("corpus.toml"), help="the file to write")


def _init(arguments: argparse.Namespace) -> int:
    from pipelines.configuration.template import write_template

    write_template(arguments.out)
    sys.stderr.write(f"Wrote {arguments.out}; edit it and run: graphmill build {arguments.out}\n")
    return 0


def _add_verify(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("corpus", type=Path, help="a folder that `graphmill build` wrote")
    sub.add_argument(
        "--without", action="append", default=[], metavar="ENGINE", help="leave this engine out"
    )
    sub.add_argument("--neo4j-url", default="", help="default: $GRAPHMILL_NEO4J_URL, else local")
    sub.add_argument(
        "--instances",
        default="50",
        metavar="N",
        help="small graphs of each database to run: a number, or all",
    )


def _verify(arguments: argparse.Namespace) -> int:
    from pipelines.configuration.progress import Watch
    from pipelines.verify import verify

    few = arguments.instances
    if few != "all" and not few.isdecimal():
        raise ConfigError(f"--instances takes a number or 'all', not '{few}'.")
    found = verify(
        arguments.corpus,
        Watch(),
        arguments.without,
        arguments.neo4j_url,
        None if few == "all" else int(few),
    )
    for problem in found.problems:
        _write(problem.to_json())
    sys.stderr.write(f"{found}\n")
    return 1 if found.problems else 0


COMMANDS: dict[str, tuple[Callable[[argparse.ArgumentParser], None], Command, str, str]] = {
    "init": (_add_init, _init, "write a commented configuration", "graphmill init"),
    "convert": (
        _add_convert,
        _convert,
        "turn a database or graph file into a schema and graph data, without loss",
        "graphmill convert shop.sqlite --out shop",
    ),
    "schema": (
        _add_schema,
        _schema,
        "write a graph as DDL, import configuration and data files of an engine",
        "graphmill schema --to neo4j --graph shop --out shop-neo4j",
    ),
    "translate": (
        _add_translate,
        _translate,
        "translate queries faithfully, or refuse them with a reason",
        "graphmill translate --from sql --to cypher --graph shop < queries.jsonl",
    ),
    "run": (
        _add_run,
        _run,
        "run queries on an engine, each within its limits",
        "graphmill run --graph shop --language cypher < queries.jsonl",
    ),
    "check": (
        _add_check,
        _check,
        "check queries without running them",
        "graphmill check --language cypher --graph shop < queries.jsonl",
    ),
    "synth": (
        _add_synth,
        _synth,
        "make a schema and graph data of a domain, or of a schema of yours",
        "graphmill synth finance/anti-money-laundering --nodes 20000 --edges 80000 --out aml",
    ),
    "masked": (
        _add_masked,
        _masked,
        "write masked and filled pairs in nGQL for every sub-schema, as StockGQL has them",
        "graphmill masked --graph shop --out shop-masked --hops 4",
    ),
    "build": (
        _add_build,
        _build,
        "build a corpus, or go on with one",
        "graphmill build corpus.toml --out corpora/mine",
    ),
    "preview": (
        _add_preview,
        _preview,
        "print a handful of records made by the same stages",
        "graphmill preview corpus.toml",
    ),
    "verify": (
        _add_verify,
        _verify,
        "run every gold and every certificate of a corpus again",
        "graphmill verify corpora/mine",
    ),
    "completion": (
        _add_completion,
        _completion,
        "print what completes this command line in a shell",
        "graphmill completion bash > ~/.local/share/bash-completion/completions/graphmill",
    ),
}


if __name__ == "__main__":
    sys.exit(main())
