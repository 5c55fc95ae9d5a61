"""The command line."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from graphmill.errors import exhausted, is_exhausted
from graphmill.messages import write_message


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status (`pipelines.cli.commands.main`)."""
    try:
        commands = import_module("pipelines.cli.commands")
    except Exception as problem:
        if not is_exhausted(problem):
            raise
        write_message(f"graphmill: {exhausted(problem)}")
        return 1
    status: int = commands.main(argv)
    return status
