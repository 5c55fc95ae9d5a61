"""diff, export, publish: a finished corpus beside another one, and on its way to others."""

from __future__ import annotations

import argparse

from graphmill.errors import ConfigError
from graphmill.messages import write_message
from pipelines.cli.corpora import extra
from pipelines.cli.lines import write
from pipelines.cli.options import Command, check_output, path_of


def _add_diff(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("old", type=path_of, metavar="OLD", help="a corpus")
    sub.add_argument("new", type=path_of, metavar="NEW", help="another one, or a later one")
    sub.add_argument("--html", type=path_of, metavar="FILE", help="write a page, too")


def _diff(arguments: argparse.Namespace) -> int:
    """0 where they are equal, 1 where they differ."""
    from pipelines.difference.corpora import compare

    check_output(arguments.html, arguments.old, arguments.new)
    difference = compare(arguments.old, arguments.new)
    if arguments.html:
        from graphmill.files import write_text
        from pipelines.difference.page import page

        write_text(arguments.html, page(difference))
    for line in difference.to_json():
        write(line)
    write_message(str(difference))
    return 0 if difference.is_equal else 1


def _add_export(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("corpus", type=path_of, metavar="CORPUS", help="a finished corpus")
    sub.add_argument(
        "--to",
        choices=("huggingface", "chat", "alpaca", "text2gql-bench", "spider"),
        default="huggingface",
        help="in which form; all but huggingface are rows to train with (docs/fine-tuning.md)",
    )
    sub.add_argument("--language", help="of the queries; default cypher")
    sub.add_argument(
        "--question",
        choices=("original", "syntactic", "logical", "business", "all"),
        help="form of the questions; default business",
    )
    sub.add_argument(
        "--knowledge",
        action=argparse.BooleanOptionalAction,
        help="external knowledge in prompts; default: with it",
    )
    sub.add_argument("--schema", help="form of the schema: cypher (default), ddl or json")
    sub.add_argument(
        "--hold-out",
        action="append",
        metavar="SPLIT",
        help="write its queries to DIR.gold, not to DIR; may be given several times",
    )
    sub.add_argument(
        "--tokenizer", type=path_of, metavar="FILE", help="a tokenizer.json that counts tokens"
    )
    sub.add_argument("out", type=path_of, metavar="DIR", help="an empty folder, or a new one")


def _export(arguments: argparse.Namespace) -> int:
    if arguments.to != "huggingface":
        return _export_training(arguments)
    from pipelines.publish.export import export

    given = [name for name in _TRAINING if getattr(arguments, name) is not None]
    if given:
        options = ", ".join(f"--{name.replace('_', '-')}" for name in given)
        raise ConfigError(f"{options}: for --to chat, alpaca, text2gql-bench and spider.")
    exported = export(arguments.corpus, arguments.out)
    if exported.licences.missing:
        names = ", ".join(exported.licences.missing)
        write_message(f"No licence is stated for {names}: `publish` will refuse that.")
    write({"folder": str(exported.folder), "rows": exported.rows})
    return 0


_TRAINING = ("language", "question", "knowledge", "schema", "hold_out", "tokenizer")


def _export_training(arguments: argparse.Namespace) -> int:
    from pipelines.publish.training import Choice, export_training

    choice = Choice(
        arguments.to,
        arguments.language or "cypher",
        question=arguments.question or "business",
        knowledge=arguments.knowledge is not False,
        schema=arguments.schema or "cypher",
        hold_out=tuple(arguments.hold_out or ()),
        tokenizer=arguments.tokenizer,
    )
    write(
        {"folder": str(arguments.out), **export_training(arguments.corpus, arguments.out, choice)}
    )
    return 0


def _add_publish(sub: argparse.ArgumentParser) -> None:
    sub.add_argument("folder", type=path_of, metavar="DIR", help="what `graphmill export` wrote")
    sub.add_argument("--repo", required=True, metavar="NAME", help="NAME or USER/NAME")
    sub.add_argument("--dry-run", action="store_true", help="only inspect it; nothing is sent")
    sub.add_argument("--public", action="store_true", help="for everybody; else it is private")


def _publish(arguments: argparse.Namespace) -> int:
    from pipelines.publish.inspection import inspect
    from pipelines.publish.upload import planned, upload

    plan = planned(arguments.folder, arguments.repo, public=arguments.public)
    problems = inspect(arguments.folder)
    for problem in problems:
        write(problem.to_json())
    if problems:
        number = f"{len(problems)} problem{'s' * (len(problems) > 1)}"
        write_message(f"Nothing was sent: {number}.")
        return 1
    if not arguments.dry_run:
        with extra("publish", "publish"):
            plan = upload(arguments.folder, plan)
    write(plan.to_json())
    return 0


COMMANDS = {
    "diff": Command(
        _add_diff,
        _diff,
        "print what differs between two corpora",
        "graphmill diff corpora/old corpora/new --html difference.html",
        failed=2,
    ),
    "export": Command(
        _add_export,
        _export,
        "write a corpus in the form of a hub of data sets, or as rows to train with",
        "graphmill export corpora/mine --to huggingface exported",
    ),
    "publish": Command(
        _add_publish,
        _publish,
        "upload an exported corpus to the Hugging Face Hub",
        "graphmill publish exported --repo me/mine --dry-run",
    ),
}
