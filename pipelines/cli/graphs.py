"""convert, schema, synth, masked: graphs in, out and made up."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from graphmill.messages import one_line, write_message
from pipelines.cli.lines import write
from pipelines.cli.options import (
    Command,
    add_author_options,
    add_display_options,
    check_output,
    path_of,
    share,
    watch_of,
    whole_number,
)


def _add_convert(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("source", help="a file, a folder or an address of a database")
    sub.add_argument("--out", required=True, type=path_of, help="the folder of the graph to write")
    sub.add_argument("--tables", type=path_of, help="keys, references and names you chose (TOML)")
    sub.add_argument(
        "--propose", type=path_of, help="write what was found to this file, to edit it"
    )
    sub.add_argument("--dialect", default="", help="the SQL dialect of DDL text")


def _convert(arguments: argparse.Namespace) -> int:
    from pipelines.api import convert

    check_output(arguments.propose, Path(arguments.source.rpartition("///")[2]))
    graph = convert(
        arguments.source,
        arguments.out,
        tables=arguments.tables,
        propose=arguments.propose,
        dialect=arguments.dialect,
    )
    write_message(*graph.report.text().splitlines())
    write(graph.report.to_json())
    return 0


def _add_schema(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--to", required=True, help="the engine; an unknown one lists them")
    sub.add_argument("--graph", required=True, type=path_of, help="the folder of a graph")
    sub.add_argument("--out", required=True, type=path_of, help="the folder to write to")
    sub.add_argument("--no-data", action="store_true", help="write no data files")


def _schema(arguments: argparse.Namespace) -> int:
    from schemagraph.targets.base import export

    done = export(arguments.to, arguments.graph, arguments.out, data=not arguments.no_data)
    for loss in done.losses:
        write_message(f"lost: {loss.where}: {loss.what}")
    write(done.as_json())
    return 0


def _add_synth(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "domain",
        nargs="?",
        help="industry/sub-domain; --list prints them; with --author llm any name",
    )
    sub.add_argument("--list", action="store_true", help="print the sub-domains, one a line")
    sub.add_argument(
        "--schema",
        type=path_of,
        help="instead: a folder with schema.json and distributions.json, or the schema's file",
    )
    sub.add_argument("--out", type=path_of, help="the folder of the graph to write")
    sub.add_argument("--nodes", type=int, help="nodes in all; default: 10000")
    sub.add_argument("--edges", type=int, help="edges in all; default: what the schema suggests")
    sub.add_argument("--seed", type=int, default=7, help="another seed, another schema and graph")
    sub.add_argument("--level", type=int, default=3, help="size of the schema, from 1 to 5")
    sub.add_argument("--csv", action="store_true", help="write CSV beside Parquet")
    sub.add_argument(
        "--taxonomy",
        type=path_of,
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
    from pipelines.cli.synthesis import asked, ordered
    from pipelines.synth.domains import names

    if arguments.list:
        sys.stdout.writelines(f"{one_line(name)}\n" for name in names(arguments.taxonomy))
        return 0
    if arguments.estimate:
        write(estimated(arguments))
        return 0
    with asked(arguments) as client:
        try:
            order = ordered(arguments, client)
            write_message(order.title)
            made = order.make()
        finally:
            costs = {} if client is None else client.budget.to_json()
            if client is not None:
                write_message(f"{client.name}: {client.budget.now:.4f} USD spent now.")
    write_message(*made.text().splitlines())
    write({**made.to_json(), **({"costs": costs} if costs else {})})
    return 0


def _add_masked(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--graph", type=path_of, required=True, help="a graph folder")
    sub.add_argument("--out", type=path_of, required=True, help="the folder to write")
    sub.add_argument("--language", choices=("en", "zh"), default="en", help="of the questions")
    sub.add_argument("--lexicon", type=path_of, help="words for the schema, a lexicon.toml")
    sub.add_argument("--hops", type=int, default=6, help="sub-schemas of 0 to so many hops")
    sub.add_argument("--most", type=whole_number, default=0, help="of each length; 0: all")
    sub.add_argument("--repeat", type=int, default=1, metavar="M", help="pairs a sub-schema")
    sub.add_argument("--shots", type=int, default=4, metavar="K", help="pairs that a model sees")
    sub.add_argument("--pool", type=path_of, help="masked pairs to show instead of ours")
    sub.add_argument(
        "--similarity", default="trigrams", help="trigrams, minilm, or another encoder"
    )
    sub.add_argument("--threshold", type=share, help="least similarity to the query told back")
    sub.add_argument("--oral", type=float, default=0.3, help="share of questions with short names")
    sub.add_argument("--restyle", type=float, default=0.5, help="share in another tone")
    sub.add_argument("--pseudonyms", action="store_true", help="give all entities made-up names")
    sub.add_argument(
        "--domain", default="", help="what the graph is of: DOMAIN or DOMAIN/SUB-DOMAIN"
    )
    sub.add_argument("--licence", default="", help="of the corpus, as SPDX names it")
    sub.add_argument("--seed", type=int, default=7)
    add_display_options(sub)
    add_author_options(sub)


def _masked(arguments: argparse.Namespace) -> int:
    from pipelines.author.authors import author_of
    from pipelines.masked.builder import Settings, masked
    from pipelines.masked.corpus import About

    names = ("language", "hops", "most", "repeat", "shots", "similarity", "threshold", "oral")
    more = ("restyle", "lexicon", "pool", "pseudonyms", "seed", "replay")
    settings = Settings(**{name: getattr(arguments, name) for name in (*names, *more)})
    author, watch = author_of(arguments), watch_of(arguments)
    domain, _, subdomain = arguments.domain.partition("/")
    about = About(domain, subdomain, arguments.licence)
    write(masked(arguments.graph, arguments.out, settings, author, watch, about))
    return 0


def _add_lexicon(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("--graph", type=path_of, required=True, help="a graph folder")
    sub.add_argument(
        "--out", type=path_of, help="the file to read and write; default: DIR/lexicon.toml"
    )
    sub.add_argument(
        "--check", action="store_true", help="write nothing, only tell what is wrong or unsure"
    )
    sub.add_argument(
        "--confidence", type=share, default=0.6, help="what is below is a doubt; default: 0.6"
    )
    sub.add_argument("--seed", type=int, default=7, help="of a model's answers")
    add_author_options(sub)


def _lexicon(arguments: argparse.Namespace) -> int:
    from graphmill.errors import ConfigError
    from pipelines.author.authors import ModelAuthor, author_of
    from pipelines.lexicon import propose, replies_of

    graph, out, least = arguments.graph, arguments.out, arguments.confidence
    if arguments.check and arguments.author == "llm":
        raise ConfigError("--check asks no model: leave out --check, or --author llm.")
    author = author_of(arguments)
    if isinstance(author, ModelAuthor):
        replies = replies_of(graph, out)
        with author.connect(replies, seed=arguments.seed, replay=arguments.replay) as client:
            made = propose(graph, out, client, least)
    else:
        made = propose(graph, out, confidence=least, check=arguments.check)
    write_message(*made.text().splitlines())
    write(made.to_json())
    return 0


COMMANDS = {
    "convert": Command(
        _add_convert,
        _convert,
        "turn a database or graph file into a schema and graph data, without loss",
        "graphmill convert shop.sqlite --out shop",
    ),
    "schema": Command(
        _add_schema,
        _schema,
        "write a graph as DDL, import configuration and data files of an engine",
        "graphmill schema --to neo4j --graph shop --out shop-neo4j",
    ),
    "synth": Command(
        _add_synth,
        _synth,
        "make a schema and graph data of a domain, or of a schema of yours",
        "graphmill synth finance/anti-money-laundering --nodes 20000 --edges 80000 --out aml",
    ),
    "lexicon": Command(
        _add_lexicon,
        _lexicon,
        "write the words of a graph to lexicon.toml, and what is unsure of them",
        "graphmill lexicon --graph shop",
    ),
    "masked": Command(
        _add_masked,
        _masked,
        "write masked and filled pairs in nGQL for every sub-schema, as StockGQL has them",
        "graphmill masked --graph shop --out shop-masked --hops 4",
    ),
}
