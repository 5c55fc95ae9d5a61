"""The ledger of what a model wrote and could not be used: one line for every round."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path

from generators.synthesis.model import ModelProgramAuthor
from graphmill.errors import GraphmillError
from graphmill.files import read_json_lines, write_json_lines
from graphmill.record import Reject
from pipelines.synth.synthesis import Attempt


def program_rejects(
    author: ModelProgramAuthor, db: str, attempts: Sequence[Attempt]
) -> tuple[Reject, ...]:
    """The rounds of an author's that brought no graph, in order.

    Codes: `no-program` and those of LLMError for answers that never ran; for programs that ran,
    the stage where they failed: `run`, `files` or `measure`.
    """
    lines = {int(reject.evidence["round"]): reject for reject in author.rejects}
    rounds = (number for number in count(1) if number not in lines)
    ran = dict(zip(rounds, attempts, strict=False))
    for number, attempt in ran.items():
        if attempt.problem:
            outcome = attempt.outcome
            evidence = {
                "round": number,
                "program": attempt.program,
                "exit": outcome.exit,
                "stopped": outcome.stopped,
                "seconds": round(outcome.wall, 1),
                "layers": list(outcome.layers),
            }
            lines[number] = Reject(
                "program-author", attempt.stage, attempt.problem, db, evidence=evidence
            )
    return tuple(lines[number] for number in sorted(lines))


def write_ledger(path: Path, rejects: Sequence[Reject]) -> None:
    """Write a ledger. Without rejects there is none, and an earlier one is removed."""
    if rejects:
        write_json_lines(path, [reject.to_json() for reject in rejects])
    else:
        path.unlink(missing_ok=True)


def read_ledger(path: Path) -> tuple[Reject, ...]:
    """The inverse of `write_ledger`.

    Raises:
        GraphmillError: the file is broken.
    """
    if not path.exists():
        return ()
    rejects = []
    for _, raw in read_json_lines(path):
        if isinstance(raw, GraphmillError):
            raise raw
        rejects.append(Reject.from_json(raw))
    return tuple(rejects)
