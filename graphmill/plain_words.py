"""What Python says of a value that is none, in words for those who have never seen its code."""

from __future__ import annotations


def in_words(problem: Exception) -> str:
    """What is wrong with a value of JSON or TOML that somebody else wrote, without a full stop.

    >>> in_words(KeyError("files")), in_words(RecursionError("maximum recursion depth exceeded"))
    ("it has no 'files'", 'it is nested too deeply')
    """
    match problem:
        case KeyError(args=(name, *_)):
            return f"it has no {name!r}"
        case RecursionError():
            return "it is nested too deeply"
        case ValueError() if "integer string conversion" in str(problem):
            return "a number has too many digits"
        case AttributeError() | IndexError() | TypeError():
            return "its parts are not of the kinds that they have to be"
    return str(problem).rstrip(".")
