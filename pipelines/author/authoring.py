"""Schemas by a model: each draft is judged whole, what is wrong goes back, at most three rounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.draft import Draft, parse
from generators.schemas.model import STAGE, ModelSchemaAuthor
from generators.synthesis.sizes import sized
from graphmill.errors import ConfigError, Diagnostic, GraphmillError, LLMError
from graphmill.record import Reject
from schemagraph.specification.check import check_synthesis

ROUNDS = 3


class AuthoringError(GraphmillError):
    """A model wrote nothing that can be used; `rejects` are the ledger's lines, one a round."""

    def __init__(self, message: str, rejects: tuple[Reject, ...]) -> None:
        super().__init__(message)
        self.rejects = rejects


@dataclass(frozen=True, slots=True)
class Authored:
    """A proposal without fault, the round that brought it, and what was wrong before."""

    proposal: SchemaProposal
    round: int
    rejects: tuple[Reject, ...]
    origin: dict[str, Any]


def author_schema(
    author: ModelSchemaAuthor,
    request: SchemaRequest,
    seed: int,
    size: tuple[int, int | None] | None = None,
) -> Authored:
    """A schema of the model's that passes every check, and can have `size` nodes and edges.

    Raises:
        AuthoringError: none did in three rounds, or no answer came; the ledger is complete.
    """
    rejects: list[Reject] = []
    drafts = author.drafts(request, seed)
    place = request.domain.path
    try:
        draft = next(drafts)
        for number in range(1, ROUNDS + 1):
            proposal, findings = judge(draft, request, size)
            if proposal is not None and not findings:
                author.client.budget.accept(STAGE)
                origin = {**author.origin(), "rounds": number}
                return Authored(proposal, number, tuple(rejects), origin)
            rejects.append(_reject(place, number, draft, findings))
            if number < ROUNDS:
                draft = drafts.send(findings)
    except LLMError as problem:
        evidence = {"round": len(rejects) + 1, "reply": problem.evidence}
        rejects.append(
            Reject("schema-author", problem.code, str(problem), place, evidence=evidence)
        )
        raise AuthoringError(f"No schema of {place}: {problem}", tuple(rejects)) from problem
    last = rejects[-1]
    raise AuthoringError(
        f"The model {author.client.name} wrote no schema of {place} that can be used in {ROUNDS} "
        f"rounds. Last: {last.reason}",
        tuple(rejects),
    )


def judge(
    draft: Draft | LLMError, request: SchemaRequest, size: tuple[int, int | None] | None = None
) -> tuple[SchemaProposal | None, list[Diagnostic]]:
    """The proposal of a draft, and every error in it; `size` if its numbers cannot be met."""
    if isinstance(draft, LLMError):
        return None, [Diagnostic("error", draft.code, str(draft))]
    proposal, findings = parse(draft, request)
    if proposal is not None:
        checked = check_synthesis(proposal.schema, proposal.specification)
        findings += [finding for finding in checked if finding.severity == "error"]
    if proposal is not None and size is not None and not findings:
        try:
            sized(proposal.schema, proposal.specification, *size)
        except ConfigError as problem:
            findings.append(Diagnostic("error", "size", str(problem)))
    return proposal, findings


def _reject(place: str, number: int, draft: Draft | LLMError, findings: list[Diagnostic]) -> Reject:
    reply = draft.evidence if isinstance(draft, LLMError) else draft.model_dump_json()
    shown = "; ".join(f"{finding.message} [{finding.code}]" for finding in findings[:12])
    more = f"; and {len(findings) - 12} more" if len(findings) > 12 else ""
    return Reject(
        "schema-author",
        findings[0].code,
        shown + more,
        place,
        evidence={
            "round": number,
            "codes": sorted({finding.code for finding in findings}),
            "reply": reply,
        },
    )
