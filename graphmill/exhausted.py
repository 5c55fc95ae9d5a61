"""Whether an error is the want of memory, which libraries say each in words of their own."""

from __future__ import annotations

import errno

from graphmill.errors import GraphmillError, shortened

MARKS = (
    "memory allocation of",  # Rust
    "bad_alloc",  # C++
    "allocate memory",  # the system: "Cannot allocate memory" in files, memory and threads
    "failed to map segment",  # the loader, of a library
    "can't start new thread",  # Python
    "Failed to launch worker thread",  # Arrow
)
"""What is in a message of a process that has no more memory."""
_TYPES = frozenset({"OutOfMemoryException", "ArrowMemoryError"})  # of DuckDB, of Arrow


def is_exhausted(problem: BaseException) -> bool:
    """Whether memory ended; not of errors of ours, which say what they are.

    >>> is_exhausted(ImportError("x.so: failed to map segment from shared object"))
    True
    >>> is_exhausted(ImportError("No module named 'x'"))
    False
    """
    if isinstance(problem, GraphmillError):
        return False
    if isinstance(problem, MemoryError) or getattr(problem, "errno", None) == errno.ENOMEM:
        return True
    return type(problem).__name__ in _TYPES or any(mark in str(problem) for mark in MARKS)


def exhausted(problem: BaseException) -> str:
    """What is said of it."""
    said = " ".join(f"{type(problem).__name__}: {problem}".rstrip(": ").split())
    return (
        f"There is too little memory ({shortened(said)}). Give the process more (`ulimit -v`, the "
        "limit of its container), or less work at a time; what is finished is kept."
    )
