"""What a command is made of, and the options that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """Adds its options; runs, and gives the exit status; a line of help; an example."""

    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    text: str
    example: str


def add_author_options(sub: argparse.ArgumentParser) -> None:
    """The options of a command that a model may write for, as in `[author]` of a configuration."""
    sub.add_argument("--author", choices=("rules", "llm"), default="rules", help="who writes")
    add_model_options(sub)


def add_model_options(sub: argparse.ArgumentParser) -> None:
    """The options of a command that asks a model."""
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
