"""What a command is made of, and the options that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING

from graphmill.errors import ConfigError
from graphmill.regular import check_replaceable

if TYPE_CHECKING:
    from pipelines.configuration.progress import Watch

_DIGITS = 16  # of numbers that everything can hold


@dataclass(frozen=True, slots=True)
class Command:
    """Adds its options; runs, and gives the exit status; a line of help; an example; the status
    where it could not work."""

    add: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    text: str
    example: str
    failed: int = 1


def at_least_one(text: str) -> int:
    """A number of things as an option gives it.

    Raises:
        argparse.ArgumentTypeError: it is no whole number from 1 up.
    """
    number = int(text) if text.isascii() and text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 up")
    return number


def whole_number(text: str) -> int:
    """A number of things, of which there may be none, as an option gives it.

    Raises:
        argparse.ArgumentTypeError: it is no whole number from 0 up.
    """
    if not (text.isascii() and text.isdecimal() and len(text) < _DIGITS):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 0 up")
    return int(text)


def share(text: str) -> float:
    """A part of a whole as an option gives it.

    Raises:
        argparse.ArgumentTypeError: it is no number from 0 to 1.
    """
    try:
        number = float(text)
    except ValueError:
        number = nan
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1")
    return number


def check_output(file: Path | None, *inputs: Path) -> None:
    """Refuse to write over what is read, a source or a file of a corpus, or over what is no file.

    Raises:
        ConfigError: `file` is one of `inputs`, or lies in one; or it is a folder or a device.
    """
    if file is None:
        return
    check_replaceable(file)
    for each in inputs:
        if file.resolve().is_relative_to(each.resolve()):
            raise ConfigError(f"{file} is read here, or lies in what is: write to another place.")


def path_of(text: str) -> Path:
    """A file or a folder as an option gives it; `.` and `..` by their names.

    Raises:
        argparse.ArgumentTypeError: it is empty, as of a variable that is not set.
    """
    if not text:
        raise argparse.ArgumentTypeError("it is empty: name a file or a folder")
    place = Path(text)
    return place if place.name not in ("", "..") else place.resolve()


def add_display_options(sub: argparse.ArgumentParser) -> None:
    """How a command tells on standard error what is going on."""
    sub.add_argument("--quiet", action="store_true", help="no progress")
    sub.add_argument(
        "--log-format",
        choices=("text", "json"),
        default="text",
        help="lines for people (bars on a terminal), or one JSON object a line",
    )


def watch_of(arguments: argparse.Namespace) -> Watch:
    """The display that these options ask for."""
    from pipelines.configuration.progress import Watch

    return Watch(quiet=arguments.quiet, log_format=arguments.log_format)


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
