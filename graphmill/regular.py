"""Files that are files: a pipe, a device or a socket would be read for ever, or never answer."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from graphmill.errors import ConfigError, SourceError, shortened

_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a character device",
    stat.S_IFBLK: "a block device",
    stat.S_IFSOCK: "a socket",
}


def check_regular(path: Path) -> None:
    """Refuse what is there and is neither a file nor a folder; links are followed.

    Raises:
        SourceError: it is something else, or has no name that can be read (`check_name`).
    """
    check_name(path)
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # whoever opens it says what is wrong
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise SourceError(
            f"{path} is {kind_of(mode)}, no regular file. Write what it holds to a file, and give "
            "that."
        )


def check_file(path: Path) -> None:
    """Refuse what is no file, and say what it is.

    Raises:
        SourceError: nothing is there, or a folder, a pipe, a device.
    """
    check_regular(path)
    if path.is_dir():
        raise SourceError(f"{path} is a folder, and no file.")
    if not path.is_file():
        raise SourceError(f"There is no file {path}.")


def check_empty(folder: Path) -> None:
    """Refuse to write a whole folder where something is.

    Raises:
        ConfigError: it is a file, or a folder that is not empty.
    """
    if folder.exists() and not folder.is_dir():
        raise ConfigError(f"{folder} is a file; give another folder, empty or new.")
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"{folder} is not empty; give another folder.")


def check_replaceable(path: Path) -> None:
    """Refuse what a file that is written as a whole must not take the place of.

    Raises:
        ConfigError: it is a folder, or a device, a pipe or a socket, which would be gone.
    """
    check_name(path)
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # whoever writes says what is wrong
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else kind_of(mode)
        raise ConfigError(f"Cannot write {path}: it is {what}. Name a file.")


def check_name(path: Path) -> None:
    """Refuse what no file could be called: too long, with a null, or not UTF-8, as engines and
    formats of files know no other names.

    Raises:
        SourceError: it is such a name.
    """
    if not is_text(str(path)):
        raise SourceError(f"{shown(str(path))} is not UTF-8 as a name: rename it.")
    try:
        path.lstat()
    except OSError as problem:
        if problem.errno == errno.ENAMETOOLONG:
            raise SourceError(f"{shortened(str(path), 60)} is too long as a name.") from None
    except ValueError as problem:
        raise SourceError(f"{str(path)!r} is no name of a file: {problem}.") from None


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
