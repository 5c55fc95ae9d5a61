"""Prompts are files with declared variables; what was sent is known by the file's hash.

---
variables: domain, limits
---
# system
You design property graphs.
# user
Design one for {{domain}}. {{limits}}
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from graphmill.errors import GraphmillError
from graphmill.llm.base import Message

_HOLE = re.compile(r"\{\{(\w+)\}\}")
_TURN = re.compile(r"^# (system|user|assistant)[ \t]*\n", re.MULTILINE)
_HEAD = re.compile(r"\A---\nvariables:[ \t]*([\w, ]*)\n---\n")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file as read: its turns with holes, and the SHA-256 of its bytes."""

    name: str
    variables: frozenset[str]
    turns: tuple[tuple[Literal["system", "user", "assistant"], str], ...]
    hash: str

    def render(self, **values: object) -> tuple[Message, ...]:
        """The messages, each hole filled once: a value with `{{…}}` in it stays as it is.

        Raises:
            GraphmillError: a variable is missing, or one was given that is not declared.
        """
        if set(values) != self.variables:
            missing = ", ".join(sorted(self.variables - set(values))) or "none"
            more = ", ".join(sorted(set(values) - self.variables)) or "none"
            raise GraphmillError(
                f"Prompt {self.name}: missing variables: {missing}; undeclared ones: {more}."
            )
        return tuple(
            Message(role, _HOLE.sub(lambda hole: str(values[hole[1]]), text))
            for role, text in self.turns
        )


def load(path: Path) -> Prompt:
    """Read a prompt file.

    Raises:
        GraphmillError: it cannot be read, has no head or no turns, or its holes are not exactly
            the declared variables.
    """
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise GraphmillError(f"Cannot read the prompt {path}: {problem}.") from problem
    head = _HEAD.match(text)
    if not head:
        raise GraphmillError(f"The prompt {path} does not begin with ---, variables: …, ---.")
    variables = frozenset(name.strip() for name in head[1].split(",") if name.strip())
    pieces = _TURN.split(text[head.end() :])
    if len(pieces) < 3 or pieces[0].strip():
        raise GraphmillError(f"The prompt {path} has no turns: # system, # user or # assistant.")
    holes = frozenset(_HOLE.findall(text))
    if holes != variables:
        raise GraphmillError(
            f"The prompt {path} declares {', '.join(sorted(variables)) or 'no variables'} "
            f"and uses {', '.join(sorted(holes)) or 'none'}."
        )
    roles = cast("list[Literal['system', 'user', 'assistant']]", pieces[1::2])
    turns = tuple(zip(roles, (piece.strip() for piece in pieces[2::2]), strict=True))
    return Prompt(path.stem, variables, turns, hashlib.sha256(raw).hexdigest())
