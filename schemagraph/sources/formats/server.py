"""What the readers of database servers share: addresses without secrets, keys by reflection."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from graphmill.errors import SourceError
from schemagraph.relational import Reference, SourceColumn, SourceTable

if TYPE_CHECKING:
    from sqlalchemy import Connection, Inspector


class Address:
    """An address of a database: the one to connect to, and the one that may be shown.

    What may be shown has no user, no password and no options, any of which can be a secret.
    """

    def __init__(self, source: str, driver: str, extra: str) -> None:
        try:
            from sqlalchemy.engine import make_url
            from sqlalchemy.exc import ArgumentError
        except ImportError:
            raise SourceError(
                f"This source needs an extra: pip install 'graphmill[{extra}]'."
            ) from None
        scheme, _, rest = source.partition("://")
        try:
            url = make_url(f"{driver}://{rest}")
        except (ArgumentError, ValueError):
            raise SourceError(
                f"This is no address of a database; one is {extra}://USER:PASSWORD@HOST/DATABASE."
            ) from None
        if not url.database:
            raise SourceError(f"The address names no database: {extra}://…@HOST/DATABASE.")
        port = f":{url.port}" if url.port else ""
        self.database = url.database
        self.shown = f"{scheme.partition('+')[0]}://{url.host or ''}{port}/{url.database}"
        self.url = url
        self._secrets = [text for text in (url.password, *_flat(url.query.values())) if text]

    def clean(self, problem: BaseException) -> str:
        """The first line of a driver's message, without secrets."""
        text = str(getattr(problem, "orig", None) or problem).strip()
        for secret in self._secrets:
            text = text.replace(str(secret), "…")
        return (text.splitlines() or [type(problem).__name__])[0]

    @contextmanager
    def connected(self, **options: Any) -> Iterator[Connection]:
        """A connection that is closed at the end.

        Raises:
            SourceError: the server does not answer, refuses, or a statement fails.
        """
        import sqlalchemy
        from sqlalchemy.pool import NullPool

        try:
            engine = sqlalchemy.create_engine(self.url, poolclass=NullPool, **options)
            with engine.connect() as connection:
                yield connection
        except ImportError as problem:
            raise SourceError(f"The driver of {self.shown} is missing: {problem}.") from None
        except sqlalchemy.exc.SQLAlchemyError as problem:
            raise SourceError(f"{self.shown} cannot be read: {self.clean(problem)}") from None


def _flat(values: Any) -> Iterator[str]:
    for value in values:
        yield from (value,) if isinstance(value, str) else value


def with_keys(
    inspector: Inspector, columns: dict[str, Sequence[SourceColumn]], notes: list[str]
) -> tuple[SourceTable, ...]:
    """Tables by name with their keys and foreign keys; what is left out is noted."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of types it does not know, which we do not ask it for
        return _with_keys(inspector, columns, notes)


def _with_keys(
    inspector: Inspector, columns: dict[str, Sequence[SourceColumn]], notes: list[str]
) -> tuple[SourceTable, ...]:
    made = []
    for name, listed in columns.items():
        key = tuple(inspector.get_pk_constraint(name)["constrained_columns"])
        unique = {tuple(u["column_names"]) for u in inspector.get_unique_constraints(name)}
        for index in inspector.get_indexes(name):
            parts = index["column_names"]
            options = index.get("dialect_options", {})
            partial = any(option.endswith("_where") for option in options)
            prefix = any(option.endswith("_length") and options[option] for option in options)
            if index["unique"] and None not in parts and not partial and not prefix:
                unique.add(tuple(part for part in parts if part is not None))
        references: list[Reference] = []
        foreign_keys = inspector.get_foreign_keys(name)
        order = {column.name: n for n, column in enumerate(listed)}
        for item in sorted(
            foreign_keys, key=lambda f: [order[c] for c in f["constrained_columns"]]
        ):
            own, other = tuple(item["constrained_columns"]), item["referred_table"]
            if item["referred_schema"] is not None or other not in columns:
                place = ".".join(p for p in (item["referred_schema"], other) if p)
                notes.append(
                    f"Foreign key {name} ({', '.join(own)}) is left out: {place} is in no schema "
                    "that is read."
                )
                continue
            reference = Reference(own, other, tuple(item["referred_columns"]))
            if reference not in references:
                references.append(reference)
        unique.discard(key)
        made.append(SourceTable(name, tuple(listed), key, tuple(sorted(unique)), tuple(references)))
    return tuple(made)
