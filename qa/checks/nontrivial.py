"""A released answer says something: not nothing, not a lone 0 or NULL, unless asked for.

Text2GQL-Bench drops empty answers; we keep them where the question asks whether something
exists, because then the empty answer is the information.
"""

from __future__ import annotations

import re
from typing import ClassVar

from graphmill.record import Finding
from qa.base import Subject

_ASKS_WHETHER = re.compile(
    r"^\W*(?:(?:is|are|was|were|has|have|had|do|does|did|can)\b"
    r"|(?:check|tell me|find out|show|verify)\s+(?:whether|if)\b)",
    re.IGNORECASE,
)


def asks_whether(question: str) -> bool:
    """Whether a question asks if something is so, which an empty answer can answer.

    >>> asks_whether("Are there lines without a depot?"), asks_whether("Which lines are there?")
    (True, False)
    """
    return bool(_ASKS_WHETHER.match(question))


class Nontrivial:
    """Refuses empty answers and answers of one row with nothing but 0 and NULL."""

    name: ClassVar[str] = "nontrivial"
    order: ClassVar[int] = 3

    def check(self, subject: Subject) -> Finding:
        """Codes: `empty-answer`, `lone-zero`."""
        answer, record = subject.answer, subject.record
        if record.meta.get("may_be_empty") or asks_whether(record.questions.original):
            return Finding(self.name, ok=True)
        if not answer.rows:
            return Finding(self.name, ok=False, code="empty-answer", detail="No row came back.")
        if answer.rows == 1 and all(value in (None, 0) for value in answer.sample[0]):
            shown = ", ".join("NULL" if value is None else str(value) for value in answer.sample[0])
            detail = f"One row came back, and it holds only {shown}."
            return Finding(self.name, ok=False, code="lone-zero", detail=detail)
        return Finding(self.name, ok=True)


CHECK = Nontrivial
