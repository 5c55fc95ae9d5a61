"""Grown candidates: a proposal with its parent and its drafts, as values that can be stored."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, cast

from generators.queries.base import Proposal
from graph_ir import nodes as ir
from graph_ir.serde import from_json, to_json
from graphmill.record import Evolved, Reject
from pipelines.configuration.store import a_list


@dataclass(frozen=True, slots=True)
class Grown:
    """A proposal for one database; `parent` is the id of the record that it was made of."""

    proposal: Proposal
    parent: str = ""

    @property
    def makers(self) -> tuple[str, ...]:
        """Who has a part in it, as the yield is counted: its archetype or its last operator."""
        trace = self.proposal.trace
        return (
            (trace[-1].operation,) if trace else (self.proposal.archetype or self.proposal.maker,)
        )

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, the inverse of `from_json`."""
        made = self.proposal
        return {
            "statement": to_json(made.statement),
            "maker": made.maker,
            "archetype": made.archetype,
            "trace": [asdict(step) for step in made.trace],
            "question": made.question,
            "may_be_empty": made.may_be_empty,
            "place": made.place,
            "parent": self.parent,
        }

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> Grown:
        """A candidate from its JSON form."""
        proposal = Proposal(
            cast(ir.Statement, from_json(raw["statement"])),
            raw["maker"],
            raw["archetype"],
            tuple(Evolved(**step) for step in raw["trace"]),
            raw["question"],
            raw["may_be_empty"],
            raw["place"],
        )
        return cls(proposal, raw["parent"])


REPAIRED = "repaired"
"""Where a record's `meta` holds the readings that its query was mended for."""

type Draft = Grown | Reject


def draft_to_json(draft: Draft) -> dict[str, Any]:
    """A draft with the name of its kind."""
    return {type(draft).__name__: draft.to_json()}


def stored_drafts(raw: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Drafts as they are stored, which can be read.

    Raises:
        ValueError, KeyError, TypeError, AttributeError: they are none.
    """
    for each in a_list(raw):
        draft_from_json(each)
    return raw


def draft_from_json(raw: dict[str, Any]) -> Draft:
    """The inverse of `draft_to_json`."""
    if "Grown" in raw:
        return Grown.from_json(raw["Grown"])
    return Reject.from_json(raw["Reject"])
