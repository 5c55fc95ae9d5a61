"""What a validator found in a configuration, in words of its file: no patterns, no Python."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from pydantic_core import PydanticCustomError

from graphmill.errors import did_you_mean
from graphmill.settings import ADDRESS, NAME, SOMETHING

_PATTERNS = {
    NAME: (
        "a name is of letters, digits, _, - and dots, without blanks, and begins with none of the "
        "dots"
    ),
    SOMETHING: "a text that is not blank",
    ADDRESS: "an address that begins with http:// or https://",
}
_ELSE = {  # settings that are a word or something else, of which an error knows the word alone
    ("queries", "difficulty"): (
        "'paper', or a table of shares: { easy = 0.2, medium = 0.3, hard = 0.3, extra_hard = 0.2 }"
    ),
}
_UNQUOTED = ("int_type", "float_type", "bool_type")
_TABLES = ("model_type", "model_attributes_type", "dict_type")
FOREIGN, MISSING = "no such setting", "field required"  # how such a violation begins
_KEY = "[key]"  # what pydantic calls a key of a table whose keys are the user's own
_AT = "at"  # the setting that is wrong, in an error about its table


def refuse(setting: str, message: str) -> NoReturn:
    """Refuse one setting in a check of its whole table.

    Raises:
        PydanticCustomError: which the validator takes for a violation at the setting.
    """
    raise PydanticCustomError("refused", "{what}", {"what": message, _AT: setting})


def steps_of(error: Mapping[str, Any]) -> tuple[int | str, ...]:
    """Where a violation is, as the file has it."""
    context = error.get("ctx", {})
    within = tuple(step for step in error["loc"] if step != _KEY)
    if error["type"] in ("union_tag_invalid", "union_tag_not_found"):
        return (*within, "kind") if isinstance(error["input"], dict) else within
    return (*within, context[_AT]) if _AT in context else within


class Violation(NamedTuple):
    """What is wrong at a place of the file, a list's members counted from 1."""

    place: tuple[str, ...]
    what: str

    def __str__(self) -> str:
        return f"{'.'.join(self.place) or 'configuration'}: {self.what}".rstrip(".")

    def counted(self, numbers: Sequence[int]) -> Violation:
        """The same at the source as the file counts it: `numbers` says which it came from."""
        match self.place:
            case ("source", number, *rest) if number.isdigit() and int(number) <= len(numbers):
                return self._replace(place=("source", str(numbers[int(number) - 1]), *rest))
        return self


def meant(wrong: Sequence[Violation]) -> list[Violation]:
    """The same, table by table: what is misspelt before what is missing, and without what is
    missing only as it is misspelt."""
    tables: dict[tuple[str, ...], list[Violation]] = {}
    for each in wrong:
        tables.setdefault(each.place[:-1], []).append(each)
    ordered = []
    for table in tables.values():
        misspelt = [each.what for each in table if each.what.startswith(FOREIGN)]
        missing = [each for each in table if each.what == MISSING]
        ordered += [each for each in table if each.what != MISSING]
        for each in missing:
            hint = f"Did you mean '{each.place[-1]}'?"
            ordered += [each] * (not any(hint in what for what in misspelt))
    return ordered


def message_of(error: Mapping[str, Any], place: tuple[str, ...]) -> str:
    """What is wrong, in words; `place` is where."""
    context, given, kind = error.get("ctx", {}), error["input"], error["type"]
    message = str(error["msg"]).removeprefix("Value error, ").rstrip(".")
    if kind in _UNQUOTED and isinstance(given, str):
        return f"{message}: write it without quotes"
    if kind == "string_pattern_mismatch" and context.get("pattern") in _PATTERNS:
        return f"{_PATTERNS[context['pattern']]}, not {given!r}"
    if kind in _TABLES:
        return "input should be a table"
    if kind == "literal_error" and place in _ELSE:
        return f"input should be {_ELSE[place]}, not {given!r}"
    if kind == "literal_error":
        return f"{message}.{_nearest(given, context.get('expected'))}".rstrip(".")
    if kind == "union_tag_invalid":
        expected = str(context.get("expected_tags"))
        tag = context.get("tag", given)
        return f"input should be one of {expected}, not {tag!r}.{_nearest(tag, expected)}"
    if kind == "union_tag_not_found":
        return MISSING if isinstance(given, dict) else "input should be a table"
    if kind == "tuple_type" and isinstance(given, dict):
        if place == ("source",):
            return "write it as [[source]], one for each"
        return 'input should be a list, as ["…", "…"], not a table'
    return message


def _nearest(given: object, expected: object) -> str:
    """The nearest of the values that are expected, which the message lists already."""
    hint = (
        did_you_mean(given, re.findall(r"'([^']*)'", str(expected)))
        if (isinstance(given, str))
        else ""
    )
    return hint if hint.startswith(" Did you mean") else ""
