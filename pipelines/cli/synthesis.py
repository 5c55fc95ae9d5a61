"""What the options of `graphmill synth` say: the model, the order."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from graphmill.errors import ConfigError
from graphmill.llm.client import Client
from pipelines.author.authors import REPLIES, ModelAuthor, author_of
from pipelines.synth.domains import Order, order_for


@contextmanager
def asked(arguments: argparse.Namespace) -> Iterator[Client | None]:
    """The model of a command line, whose answers are recorded beside the graph; None for rules.

    Raises:
        ConfigError: the options of `--author llm` are wrong.
        LLMError: the package openai or the key is missing.
    """
    author = author_of(arguments)
    if not isinstance(author, ModelAuthor) or arguments.out is None:
        yield None
        return
    replies = arguments.out.with_name(f"{arguments.out.name}.{REPLIES}")
    with author.connect(replies, seed=arguments.seed, replay=arguments.replay) as client:
        yield client


def ordered(arguments: argparse.Namespace, client: Client | None = None) -> Order:
    """The order of a command line, by rule or by the model of `client`.

    Raises:
        GraphmillError: an argument is missing, or the domain or folder cannot be used.
    """
    names = ("schema", "nodes", "edges", "seed", "level", "taxonomy", "csv", "allow_degraded")
    given = {name: getattr(arguments, name) for name in names}
    if arguments.out is None:
        raise ConfigError("Say where the graph goes: --out FOLDER.")
    return order_for(arguments.domain, arguments.out, client=client, **given)
