"""What any query text has to be before a reader takes it: not too long, and of characters."""

from __future__ import annotations

from graphmill.errors import QueryTextError
from graphmill.json_lines import SURROGATE

MAX_LENGTH = 200_000
"""Characters of a text; longer ones are refused."""


def check_text(text: str) -> None:
    """Refuse a query text that is too long, or has half of a surrogate pair: no engine can be sent
    it.

    >>> check_text("RETURN 'ß' AS x")

    Raises:
        QueryTextError: it is so; line and column say where.
    """
    if len(text) > MAX_LENGTH:
        raise QueryTextError(
            f"The text has {len(text):,} characters, more than {MAX_LENGTH:,}: "
            "split it into several queries.",
            code="text-too-long",
            line=1,
            column=1,
        )
    lone = None if text.isascii() else SURROGATE.search(text)
    if lone is None:
        return
    start = text.rfind("\n", 0, lone.start()) + 1
    raise QueryTextError(
        f"The text has half of a surrogate pair (\\u{ord(lone[0]):04x}), which is no character: "
        "write the character itself.",
        code="lone-surrogate",
        line=text.count("\n", 0, lone.start()) + 1,
        column=lone.start() - start + 1,
    )
