"""review: experts rate a sample of a corpus, on this machine."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from graphmill.errors import ConfigError, GraphmillError
from graphmill.messages import write_message
from pipelines.cli.corpora import extra
from pipelines.cli.lines import write
from pipelines.cli.options import Command, add_model_options, check_output, path_of
from pipelines.cli.sites import add_site_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.release.corpus import Corpus
    from pipelines.review.sample import Item
    from pipelines.review.store import Store


def _add_review(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("corpus", type=path_of, metavar="CORPUS", help="a finished corpus")
    sub.add_argument("--sample", type=int, default=300, metavar="N", help="pairs that are rated")
    sub.add_argument("--split", choices=("train", "validation", "test"), help="of this split only")
    sub.add_argument("--experts", type=int, default=3, metavar="N", help="how many rate each pair")
    sub.add_argument("--seed", type=int, default=7, help="of the sample and its orders")
    sub.add_argument(
        "--ratings", type=path_of, metavar="FILE", help="default: CORPUS-ratings.sqlite"
    )
    sub.add_argument("--results", action="store_true", help="print what the ratings say")
    sub.add_argument("--csv", type=path_of, metavar="FILE", help="write the ratings as CSV")
    sub.add_argument("--from-csv", type=path_of, metavar="FILE", help="take ratings of a CSV in")
    sub.add_argument("--argilla", type=path_of, metavar="FILE", help="write Argilla's records")
    sub.add_argument("--from-argilla", type=path_of, metavar="FILE", help="take their responses in")
    sub.add_argument(
        "--judge",
        metavar="MODEL",
        help="have a model rate the same pairs, and the rest of the corpus with a threshold",
    )
    sub.add_argument(
        "--precision",
        type=float,
        default=0.95,
        help="the share of what the model passes that experts pass, at least",
    )
    add_model_options(sub)
    sub.add_argument(
        "--apply", action="store_true", help="move what did not pass to the ledger of the corpus"
    )
    add_site_options(sub)


def _review(arguments: argparse.Namespace) -> int:
    from pipelines.release.corpus import Corpus
    from pipelines.review.results import check_number, results
    from pipelines.review.sample import drawn
    from pipelines.review.store import Store
    from pipelines.verification.integrity import refuse_damaged

    if arguments.sample < 1 or not 1 <= arguments.experts <= 50:
        raise ConfigError("--sample is at least 1, and --experts 1 to 50.")
    for file in (arguments.csv, arguments.argilla):
        check_output(file, arguments.corpus)
    folder = arguments.corpus.resolve()
    corpus = Corpus(folder)
    refuse_damaged(corpus.folder, corpus.lock)
    store = Store(arguments.ratings or folder.with_name(f"{folder.name}-ratings.sqlite"))
    if not store.path.exists():
        items = drawn(corpus.records(arguments.split), arguments.sample, arguments.seed)
        if not items:
            raise GraphmillError(f"{arguments.corpus} has no written questions to rate there.")
        store.create(items, corpus.name, arguments.seed)
    store.create((), corpus.name, arguments.seed)  # it is there: is it of this corpus?
    items = store.items()
    _exchange(arguments, store, items)
    check_number(store.ratings(), arguments.experts)
    if arguments.apply:
        from pipelines.configuration.lock import held_corpus
        from pipelines.review.apply import apply

        with held_corpus(folder):
            moved, kept = apply(folder, items, store.ratings(), arguments.experts)
        write_message(f"{moved} records moved to the ledger, {kept} kept.")
    if arguments.judge:
        _judge(arguments, corpus, store, items)
        return 0
    named = ("results", "csv", "from_csv", "argilla", "from_argilla", "apply")
    if any(getattr(arguments, name) for name in named):
        write(results(items, store.ratings(), arguments.experts))
        return 0
    return _serve(arguments, store)


def _exchange(arguments: argparse.Namespace, store: Store, items: Sequence[Item]) -> None:
    """Ratings in from files, and out to others."""
    from graphmill.files import write_text
    from graphmill.regular import check_regular
    from pipelines.review import argilla, sheet

    for file, form in ((arguments.from_csv, sheet), (arguments.from_argilla, argilla)):
        if file is not None:
            check_regular(file)
            try:
                text = file.read_text(encoding="utf-8")
            except (OSError, ValueError) as problem:
                raise GraphmillError(f"Cannot read {file}: {problem}.") from problem
            try:
                ratings = form.read(text, items)
            except GraphmillError as problem:
                raise GraphmillError(f"{file}: {problem}") from problem
            for rating in ratings:
                store.rate(rating)
    for file, form in ((arguments.csv, sheet), (arguments.argilla, argilla)):
        if file is not None:
            write_text(file, form.written(items, store.ratings()))


def _judge(
    arguments: argparse.Namespace, corpus: Corpus, store: Store, items: Sequence[Item]
) -> None:
    """Have a model rate; its answers and judgements lie beside the ratings."""
    from pipelines.author.authors import model_author, model_options
    from pipelines.review.judge import judge

    if not 0 < arguments.precision <= 1:
        raise ConfigError("--precision is a share above 0, and 1 at most.")
    author = model_author({**model_options(arguments), "model": arguments.judge})
    replies = store.path.with_suffix(".replies.jsonl")
    out = store.path.with_suffix(".judgements.jsonl")
    with author.connect(replies, seed=arguments.seed, replay=arguments.replay) as client:
        ratings = store.ratings()
        figures = judge(corpus, client, items, ratings, arguments.experts, arguments.precision, out)
    write({"judge": arguments.judge, "judgements": str(out), **figures})


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
            write_message(f"{name}: {address(arguments.host, port, token)}")
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
