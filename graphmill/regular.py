"""Files that are files: a pipe, a device or a socket would be read for ever, or never answer."""

from __future__ import annotations

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

    Raises:
        SourceError: it is something else, or no name of a file at all.
    """
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


def kind_of(mode: int) -> str:
    """What is there that is neither a file nor a folder, by the mode that `os.stat` gives.

    >>> kind_of(stat.S_IFIFO)
    'a named pipe'
    """
    return _KINDS.get(stat.S_IFMT(mode), "of another kind")
