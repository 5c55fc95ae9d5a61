"""Check of an ISO GQL text by graphglot's parser, until we have a grammar of our own.

Source of the parser: https://pypi.org/project/graphglot (its dialect `fullgql`: the whole of
ISO/IEC 39075:2024). No other module of the program knows it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from graphmill.errors import ConfigError, Diagnostic
from schemagraph.model import SchemaGraph


def checker(_: SchemaGraph | None) -> Callable[[str], list[Diagnostic]]:
    """The check, which looks no name up."""
    return check


def check(text: str) -> list[Diagnostic]:
    """All findings about `text`; empty when it is valid GQL.

    Raises:
        ConfigError: graphglot is not installed.
    """
    found = _dialect().validate(text)
    if found.success:
        return []
    return [_diagnostic(item) for item in found.all_diagnostics]


@cache
def _dialect() -> Any:
    try:
        from graphglot.dialect.fullgql import FullGQL
    except ImportError as problem:
        raise ConfigError(
            "Checking GQL needs graphglot, which is not installed: pip install graphglot."
        ) from problem
    return FullGQL()


def _diagnostic(item: Any) -> Diagnostic:
    line, column = (item.span.start_line, item.span.start_column) if item.span else (1, 1)
    return Diagnostic("error", str(item.code).lower(), str(item.message), line, column)
