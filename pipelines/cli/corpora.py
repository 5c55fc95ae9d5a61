"""init, build, preview, verify, report: a corpus from its configuration to its proof."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from graphmill.errors import ConfigError, shortened
from graphmill.messages import write_message
from pipelines.cli.lines import write
from pipelines.cli.options import (
    Command,
    add_display_options,
    at_least_one,
    path_of,
    share,
    watch_of,
)


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
def _prefect(what: str) -> Iterator[None]:
    """Imports of Prefect, which reports to nobody and waits long enough for a temporary server on a
    busy machine, unless the environment says otherwise."""
    os.environ.setdefault("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
    os.environ.setdefault("DO_NOT_TRACK", "1")
    os.environ.setdefault("PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS", "180")
    with extra("prefect", what):
        yield


def _add_init(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--out", type=path_of, default=Path("corpus.toml"), help="the file to write")


def _init(arguments: argparse.Namespace) -> int:
    from pipelines.configuration.template import write_template

    write_template(arguments.out)
    write_message(f"Wrote {arguments.out}; edit it and run: graphmill build {arguments.out}")
    return 0


def _add_build(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "config", help="a TOML file (`graphmill init` writes one), or example:NAME, which we ship"
    )
    sub.add_argument("--out", type=path_of, help="the corpus folder; default: corpora/NAME")
    sub.add_argument(
        "--limit", type=at_least_one, help="at most this many given and grown candidates a database"
    )
    sub.add_argument(
        "--size",
        default="",
        metavar="NAME",
        help="one of the configuration's sizes; example:bench has small, medium and full",
    )
    sub.add_argument(
        "--jobs", type=int, metavar="N", help="workers; default: one for each processor"
    )
    sub.add_argument(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="a Dask cluster: tls://HOST:PORT, tcp://HOST:PORT, or 'local' for a temporary one",
    )
    sub.add_argument(
        "--store",
        default="",
        metavar="URL",
        help="finished work that machines share, such as s3://bucket/prefix or a folder",
    )
    sub.add_argument(
        "--since",
        type=path_of,
        metavar="CORPUS",
        help="an earlier release, whose grown queries are asked again where a source has changed",
    )
    sub.add_argument(
        "--telemetry",
        default="",
        metavar="URL",
        help="an OpenTelemetry collector (OTLP over HTTP) that is sent the build's spans",
    )
    sub.add_argument("--flow", action="store_true", help="run it as a Prefect flow")
    sub.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="ENGINE",
        help="leave out this engine of the configuration; may be given several times",
    )
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
    add_display_options(sub)


def _build(arguments: argparse.Namespace) -> int:
    watch = watch_of(arguments)
    watch.note("Reading the configuration")
    from pipelines.api import build, configuration
    from pipelines.configuration.config import load

    config_path = configuration(arguments.config)
    if arguments.estimate:
        if arguments.since is not None:
            raise ConfigError("--estimate is of a whole build: it takes no --since.")
        from pipelines.build.estimate import estimate
        from pipelines.configuration.feasibility import warnings
        from pipelines.configuration.reach import check_engines

        chosen = load(config_path).chosen(arguments.size, arguments.without)
        for warning in warnings(chosen):
            watch.note(f"warning: {warning}")
        check_engines(chosen)
        write(estimate(chosen, arguments.limit))
        return 0
    limit, replace, degraded = arguments.limit, arguments.replace, arguments.allow_degraded
    if arguments.flow:
        with _prefect("--flow"):
            from pipelines.flows import build_flow, served

        size, without = arguments.size, arguments.without
        name = load(config_path).chosen(size, without).corpus.name
        out = arguments.out or Path("corpora") / name
        since = "" if arguments.since is None else str(arguments.since)
        with served():
            funnel = build_flow(
                str(config_path),
                str(out),
                limit,
                replace,
                degraded,
                arguments.store,
                size,
                since,
                arguments.telemetry,
                without,
            )
    else:
        corpus = build(
            config_path,
            arguments.out,
            limit=limit,
            size=arguments.size,
            replace=replace,
            allow_degraded=degraded,
            jobs=arguments.jobs,
            scheduler=arguments.scheduler,
            store=arguments.store,
            since=arguments.since,
            telemetry=arguments.telemetry,
            without=arguments.without,
            progress=watch,
        )
        out, funnel = corpus.folder, corpus.funnel
    watch.summary(funnel)
    if arguments.without:
        watch.note(f"Left out by --without: {', '.join(arguments.without)}.")
    grown = [{k: v for k, v in each.items() if k != "makers"} for each in funnel["grown"]]
    write({"corpus": str(out), **funnel, "grown": grown})  # report.html has the makers
    return 0


def _add_preview(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("config", help="a TOML file, or example:NAME")
    sub.add_argument(
        "--limit", type=at_least_one, default=5, help="given and grown candidates a database"
    )
    sub.add_argument("--json", action="store_true", help="lines, with the released field names")
    add_display_options(sub)


def _preview(arguments: argparse.Namespace) -> int:
    from pipelines.api import preview
    from pipelines.preview import readable

    rows = preview(arguments.config, limit=arguments.limit, progress=watch_of(arguments))
    for number, row in enumerate(rows):
        if arguments.json:
            write(row)
        else:
            sys.stdout.write(("\n" if number else "") + readable(row))
            sys.stdout.flush()
    return 0


def _add_verify(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("corpus", type=path_of, help="a folder that `graphmill build` wrote")
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
    sub.add_argument(
        "--sample", type=share, default=1.0, help="run this share of the records; default: 1"
    )
    sub.add_argument("--seed", type=int, default=0, help="another seed draws other records")
    add_display_options(sub)


def _verify(arguments: argparse.Namespace) -> int:
    from pipelines.api import verify

    few = arguments.instances
    if few != "all" and not (few.isdecimal() and len(few) < 10):
        raise ConfigError(f"--instances takes a number or 'all', not '{shortened(few, 30)}'.")
    verified = verify(
        arguments.corpus,
        without=arguments.without,
        neo4j_url=arguments.neo4j_url,
        instances=None if few == "all" else int(few),
        sample=arguments.sample,
        seed=arguments.seed,
        progress=watch_of(arguments),
    )
    for problem in verified.problems:
        write(problem.to_json())
    write_message(str(verified))
    return 1 if verified.problems else 0


def _add_report(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("corpus", type=path_of, help="a folder that `graphmill build` wrote")


def _report(arguments: argparse.Namespace) -> int:
    from pipelines.configuration.lock import held_corpus
    from pipelines.release.pages import rewrite_pages
    from pipelines.verification.integrity import intact_lock

    def report(text: str) -> None:
        write_message(text)

    with held_corpus(arguments.corpus):
        intact_lock(arguments.corpus)
        for path in rewrite_pages(arguments.corpus, report):
            write_message(f"Wrote {path}")
    return 0


def _add_schedule(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("config", help="a TOML file, or example:NAME")
    sub.add_argument("--cron", required=True, metavar="EXPRESSION", help="when, as cron says it")
    sub.add_argument("--out", type=path_of, help="folder of the releases; default: releases/NAME")
    sub.add_argument("--keep", type=int, default=4, metavar="K", help="releases that stay; 4")
    sub.add_argument("--size", default="", metavar="NAME", help="as for build")
    sub.add_argument("--limit", type=at_least_one, help="as for build")
    sub.add_argument(
        "--without", action="append", default=[], metavar="ENGINE", help="as for build"
    )
    sub.add_argument(
        "--pool", default="", help="a Prefect work pool; default: this process, until it ends"
    )


def _schedule(arguments: argparse.Namespace) -> int:
    if arguments.keep < 1:
        raise ConfigError("--keep takes a number from 1.")
    with _prefect("schedule"):
        from pipelines.flows import schedule
    from pipelines.api import configuration
    from pipelines.configuration.config import load

    config = configuration(arguments.config)
    schedule(
        config,
        arguments.cron,
        arguments.out or Path("releases") / load(config, here=not arguments.pool).corpus.name,
        keep=arguments.keep,
        size=arguments.size,
        pool=arguments.pool,
        limit=arguments.limit,
        without=arguments.without,
    )
    return 0


COMMANDS = {
    "schedule": Command(
        _add_schedule,
        _schedule,
        "build, verify and diff a corpus on a schedule, and keep the last releases",
        'graphmill schedule corpus.toml --cron "0 3 * * 1"',
    ),
    "init": Command(_add_init, _init, "write a commented configuration", "graphmill init"),
    "build": Command(
        _add_build,
        _build,
        "build a corpus, or go on with one",
        "graphmill build corpus.toml --out corpora/mine",
    ),
    "preview": Command(
        _add_preview,
        _preview,
        "print a handful of records made by the same stages",
        "graphmill preview corpus.toml",
    ),
    "verify": Command(
        _add_verify,
        _verify,
        "run every gold and every certificate of a corpus again",
        "graphmill verify corpora/mine",
    ),
    "report": Command(
        _add_report,
        _report,
        "write the report and the card of a corpus again",
        "graphmill report corpora/mine",
    ),
}
