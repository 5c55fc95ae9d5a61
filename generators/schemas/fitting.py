"""The schema that is drawn for the numbers asked: of several proposals, the first that can be met.

A proposal whose edges are too few or too many for its nodes is first tried with other numbers of
its node types: more of those that many edges can join, or fewer of those that need edges. What is
left as it is where it fits is the same as without numbers. Where all proposals have more nodes of a
fixed number than are asked for, there are fewer of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import exp

from generators.schemas.author import SchemaProposal
from generators.synthesis.sizes import as_usual, fewer_fixed, sized
from generators.synthesis.spec import Edges, Nodes, Specification
from graphmill.errors import ConfigError
from schemagraph.model import SchemaGraph

TRIED = 40  # proposals
# How far weights are shifted, in powers of e for each step of the scores below: little first.
_SHIFTS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0)


def fitted(proposals: Iterator[SchemaProposal], nodes: int, edges: int | None) -> SchemaProposal:
    """The first proposal that can have `nodes` nodes and `edges` edges; if need be, shifted. One of
    which no edge type is stretched beyond what is usual comes before others.

    Raises:
        ConfigError: none of `TRIED` can; the message is that of the first, with its range, or has
            the least number of nodes where there are too few for all.
    """
    first = next(proposals)
    refused = _refusal(first.schema, first.specification, nodes, edges)
    if refused is None and _is_usual(first.schema, first.specification, nodes, edges):
        return first
    tried = [first, *islice(proposals, TRIED - 1)]
    stretched = None
    for shift in _SHIFTS:
        for proposal in tried:
            for sign in (1, -1) if shift else (1,):
                given = _shifted(proposal, sign * shift)
                if _refusal(proposal.schema, given, nodes, edges) is None:
                    made = SchemaProposal(proposal.schema, given, proposal.lexicon)
                    if _is_usual(proposal.schema, given, nodes, edges):
                        return made
                    stretched = stretched or made
    if stretched is not None:
        return stretched
    for proposal in tried:
        fewer = fewer_fixed(proposal.specification, nodes)
        if fewer is not None and _refusal(proposal.schema, fewer, nodes, edges) is None:
            return SchemaProposal(proposal.schema, fewer, proposal.lexicon)
    assert refused is not None  # noqa: S101 - else the first would be stretched
    least = min(len(proposal.schema.nodes) for proposal in tried)
    if nodes < least:
        raise ConfigError(
            f"The schemas of this domain and level have at least {least} nodes, not {nodes}: one "
            "of each of their node types. Ask for more nodes, or a lower level (1 is the lowest)."
        )
    if edges is None:
        raise refused
    raise ConfigError(f"{refused} {TRIED} other schemas of this domain cannot have them either.")


def _refusal(
    schema: SchemaGraph, given: Specification, nodes: int, edges: int | None
) -> ConfigError | None:
    try:
        whole = sized(schema, given, nodes, edges)
    except ConfigError as problem:
        return problem
    count = sum(part.count or 0 for part in whole.edges.values())
    if edges is not None and count != edges:  # all that are free in number come in twos
        return ConfigError(f"With {nodes} nodes this schema has {count} edges, not {edges}.")
    return None


def _is_usual(schema: SchemaGraph, given: Specification, nodes: int, edges: int | None) -> bool:
    """Whether no node has more edges of a type than people would expect."""
    return as_usual(schema, sized(schema, given, nodes, edges))


def _shifted(proposal: SchemaProposal, shift: float) -> Specification:
    """With a shift above 0, more nodes where edges are free in number; below 0, fewer of the node
    types of which each needs edges."""
    if not shift:
        return proposal.specification
    given = proposal.specification
    score = dict.fromkeys(given.nodes, 0.0)
    for edge in proposal.schema.edges:
        for end in _pressing(given.edges[edge.name], edge.source, edge.target, up=shift > 0):
            score[end] += 1
    most = max(score.values()) or 1.0
    weights = {n: part.weight * exp(shift * score[n] / most) for n, part in given.nodes.items()}
    nodes: dict[str, Nodes] = {
        name: part.model_copy(update={"weight": round(weights[name], 6)})
        for name, part in given.nodes.items()
    }
    return given.model_copy(update={"nodes": nodes})


def _pressing(part: Edges, source: str, target: str, *, up: bool) -> tuple[str, ...]:
    """The node types whose number raises that of such edges."""
    if part.cardinality == "n:m":
        return (source, target) if up else ()
    if up:
        return ()
    return (target,) if part.cardinality == "1:n" else (source,)
