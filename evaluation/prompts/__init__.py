"""The prompts of systems that ask a model: one Markdown file each (`graphmill.llm.prompts`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from graphmill.llm.prompts import Prompt, load


@cache
def prompt(name: str) -> Prompt:
    """The prompt in the file `NAME.md`.

    Raises:
        GraphmillError: it is not there, or it is wrong.
    """
    return load(Path(__file__).with_name(f"{name}.md"))
