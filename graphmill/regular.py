"""Files that are files: a pipe, a device or a socket would be read for ever, or never answer."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from graphmill.errors import SourceError

_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a character device",
    stat.S_IFBLK: "a block device",
    stat.S_IFSOCK: "a socket",
}


def check_regular(path: Path) -> None:
    """Refuse what is there and is neither a file nor a folder; links are followed.

    A name that is not UTF-8 is refused, too: engines and formats of files know no other.

    Raises:
        SourceError: it is something else, or no name of a file at all.
    """
    if not is_text(str(path)):
        raise SourceError(f"{shown(str(path))} is not UTF-8 as a name: rename it.")
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # whoever opens it says what is wrong
    except ValueError as problem:
        raise SourceError(f"{str(path)!r} is no name of a file: {problem}.") from None
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise SourceError(
            f"{path} is {kind_of(mode)}, no regular file. Write what it holds to a file, and give "
            "that."
        )


def is_text(name: str) -> bool:
    """Whether a name is of characters: of bytes that are no UTF-8 Python makes half surrogates."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def shown(name: str) -> str:
    r"""A name as it can be printed, whatever bytes it is made of.

    >>> shown("a\udcff")
    'a\\xff'
    """
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def kind_of(mode: int) -> str:
    """What is there that is neither a file nor a folder, by the mode that `os.stat` gives.

    >>> kind_of(stat.S_IFIFO)
    'a named pipe'
    """
    return _KINDS.get(stat.S_IFMT(mode), "of another kind")
