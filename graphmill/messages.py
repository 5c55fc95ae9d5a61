r"""Messages for people, on standard error: the one place where text leaves for a terminal.

Names of tables, labels, files and what libraries quote come from anywhere. None of them commands a
terminal, turns the direction of a line, or begins a line that another message could have said.
"""

from __future__ import annotations

import sys


def plain(text: str) -> str:
    r"""A text with every character escaped that is not seen as itself; its lines and tabs stay.

    >>> plain("\x1b[31mred\u202e\nérable")
    '\\x1b[31mred\\u202e\nérable'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else _escape(c) for c in text)


def one_line(text: str) -> str:
    r"""The same on one line, whatever it quotes.

    >>> one_line("a\nb")
    'a\\nb'
    """
    return plain(text).replace("\n", r"\n")


def message(text: str) -> str:
    r"""One message: its further lines are indented, so that none is taken for another message.

    >>> message("first\nsecond")
    'first\n  second'
    """
    return plain(text).replace("\n", "\n  ")


def write_message(*texts: str) -> None:
    """Say each text on standard error, as a message of its own."""
    sys.stderr.write("".join(f"{message(text)}\n" for text in texts))


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape").decode("ascii")
