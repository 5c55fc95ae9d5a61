"""`Table`: handlers by what they handle. A module has its own; a language joins them by listing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Self


class Table[K, H]:
    """What handles each kind of thing; nothing is handled twice.

    A module of handlers declares them by `@TABLE.of(kind, …)`; `Table.joined(a.TABLE, b.TABLE)`
    is the table of a language. So a handler counts because its module is listed, not because
    somebody has imported it.
    """

    def __init__(self) -> None:
        self._handlers: dict[K, H] = {}

    @classmethod
    def joined(cls, *parts: Table[K, H]) -> Self:
        """One table with all handlers of `parts`.

        Raises:
            TypeError: two of them handle the same kind.
        """
        table = cls()
        for part in parts:
            for kind, handler in part._handlers.items():
                table.add(handler, kind)
        return table

    def add(self, handler: H, *kinds: K) -> None:
        """Declare what handles `kinds`.

        Raises:
            TypeError: one of them has a handler.
        """
        for kind in kinds:
            if kind in self._handlers:
                raise TypeError(f"{kind} has two handlers: {self._handlers[kind]} and {handler}")
            self._handlers[kind] = handler

    def of(self, *kinds: K) -> Callable[[H], H]:
        """A decorator: the function handles `kinds`."""

        def declare(handler: H) -> H:
            self.add(handler, *kinds)
            return handler

        return declare

    def get(self, kind: K) -> H | None:
        """What handles `kind`, or None."""
        return self._handlers.get(kind)

    def __iter__(self) -> Iterator[K]:
        return iter(self._handlers)
