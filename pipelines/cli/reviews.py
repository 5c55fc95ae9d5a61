"""review: experts rate a sample of a corpus, on this machine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from graphmill.errors import ConfigError, GraphmillError
from pipelines.cli.corpora import extra
from pipelines.cli.lines import write
from pipelines.cli.options import Command
from pipelines.cli.sites import add_site_options

if TYPE_CHECKING:
    from pipelines.review.store import Store


def _add_review(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("corpus", type=Path, metavar="CORPUS", help="a finished corpus")
    sub.add_argument("--sample", type=int, default=300, metavar="N", help="pairs that are rated")
    sub.add_argument("--split", choices=("train", "validation", "test"), help="of this split only")
    sub.add_argument("--experts", type=int, default=3, metavar="N", help="how many rate each pair")
    sub.add_argument("--seed", type=int, default=7, help="of the sample and its orders")
    sub.add_argument("--ratings", type=Path, metavar="FILE", help="default: CORPUS-ratings.sqlite")
    sub.add_argument("--results", action="store_true", help="print what the ratings say")
    sub.add_argument("--csv", type=Path, metavar="FILE", help="write the ratings as CSV")
    sub.add_argument("--from-csv", type=Path, metavar="FILE", help="take ratings of a CSV in")
    sub.add_argument(
        "--apply", action="store_true", help="move what did not pass to the ledger of the corpus"
    )
    add_site_options(sub)


def _review(arguments: argparse.Namespace) -> int:
    from pipelines.release.corpus import Corpus
    from pipelines.review.results import results
    from pipelines.review.sample import drawn
    from pipelines.review.store import Store

    if arguments.sample < 1 or not 1 <= arguments.experts <= 50:
        raise ConfigError("--sample is at least 1, and --experts 1 to 50.")
    folder = arguments.corpus.resolve()
    corpus = Corpus(folder)
    store = Store(arguments.ratings or folder.with_name(f"{folder.name}-ratings.sqlite"))
    if not store.path.exists():
        items = drawn(corpus.records(arguments.split), arguments.sample, arguments.seed)
        if not items:
            raise GraphmillError(f"{arguments.corpus} has no written questions to rate there.")
        store.create(items, corpus.name, arguments.seed)
    store.create((), corpus.name, arguments.seed)  # it is there: is it of this corpus?
    items = store.items()
    if arguments.from_csv:
        from pipelines.review.sheet import read

        try:
            text = arguments.from_csv.read_text(encoding="utf-8")
        except (OSError, ValueError) as problem:
            raise GraphmillError(f"Cannot read {arguments.from_csv}: {problem}.") from problem
        for rating in read(text, items):
            store.rate(rating)
    if arguments.csv:
        from graphmill.files import write_text
        from pipelines.review.sheet import written

        write_text(arguments.csv, written(items, store.ratings()))
    if arguments.apply:
        from pipelines.review.apply import apply

        moved, kept = apply(folder, items, store.ratings(), arguments.experts)
        sys.stderr.write(f"{moved} records moved to the ledger, {kept} kept.\n")
    if arguments.results or arguments.csv or arguments.from_csv or arguments.apply:
        write(results(items, store.ratings(), arguments.experts))
        return 0
    return _serve(arguments, store)


def _serve(arguments: argparse.Namespace, store: Store) -> int:
    with extra("web", "review"):
        from pipelines.web.review.app import Review
        from pipelines.web.site import address, door_of, listening, new_token, serve
    from pipelines.review.results import results

    items = store.items()
    with listening(arguments.host, arguments.port) as on:
        port = on.getsockname()[1]
        tokens = {new_token(): f"expert-{n}" for n in range(1, arguments.experts + 1)}
        app = Review(store, items).app(door_of(arguments.host, tokens, port))
        for token, name in tokens.items():
            sys.stderr.write(f"{name}: {address(arguments.host, port, token)}\n")
        serve(app, on)
    write(results(items, store.ratings(), arguments.experts))
    return 0


COMMANDS = {
    "review": Command(
        _add_review,
        _review,
        "have experts rate a sample of a corpus in their browsers",
        "graphmill review corpora/mine --sample 300 --split test --experts 3",
    ),
}
