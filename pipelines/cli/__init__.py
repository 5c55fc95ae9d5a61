"""The command line."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit status (`pipelines.cli.commands.main`)."""
    status: int = import_module("pipelines.cli.commands").main(argv)
    return status
