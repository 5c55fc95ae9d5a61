"""Places that an earlier release could not fill are not looked for again while its queries stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from generators.queries.base import Proposal
from graph_ir.cypher.pair import Pair
from graph_ir.cypher.reader import parse
from graphmill.record import Provenance, Questions, Record, Reject
from pipelines.build.augmentation import Harvest, Order, grow
from pipelines.build.candidates import Grown
from pipelines.build.quotas import Quotas
from pipelines.configuration.targets import Queries
from qa.dedup import Seen

TEXTS = [f"MATCH (n:T{number}) RETURN n.p{number} AS p" for number in range(4)]
NOTHING: list[dict[str, Any]] = []


def proven(grown: Sequence[Grown]) -> list[Pair | Reject]:
    """All of them, as a build proves them."""
    return [pair(each, number) for number, each in enumerate(grown)]


def all_but_one(grown: Sequence[Grown]) -> list[Pair | Reject]:
    """All but the first."""
    gone = Reject("prove", "empty", "No rows.", "db")
    return [gone if not number else one for number, one in enumerate(proven(grown))]


def pair(grown: Grown, number: int) -> Pair:
    text = f"{grown.proposal.question}"
    made = Provenance("archetypes", "1", 1)
    asked = Questions(business=f"What is number {number}?")
    record = Record("s", "db", asked, {"cypher": text}, made, difficulty="easy")
    return Pair(record, grown.proposal.statement)


def grown_since(
    unfilled: int, attempts: Callable[[Sequence[Grown]], list[Pair | Reject]]
) -> tuple[Harvest, int]:
    """What growing brings, and how many rounds of drafts it asked for."""
    rounds: list[str] = []

    def drafts(name: str, order: Callable[[], Order]) -> list[dict[str, Any]]:
        rounds.append(name)
        return NOTHING

    again = [Grown(Proposal(parse(text), "archetypes", question=text)) for text in TEXTS]
    quotas = Quotas.of(Queries(per_database=30), 30)
    harvest = grow("db", 7, quotas, [], drafts, attempts, Seen(), again=again, unfilled=unfilled)
    return harvest, len(rounds)


def test_what_stayed_open_is_left_open_where_all_stay() -> None:
    harvest, rounds = grown_since(26, proven)
    assert (harvest.kept, harvest.asked_again, rounds) == (4, 4, 0)
    assert harvest.unfilled == 26
    assert harvest.stopped.startswith("Nothing new came")
    harvest.settings = "hash"
    assert harvest.to_json()["unfilled"] == [26, "hash"]


@pytest.mark.parametrize(("unfilled", "attempts"), [(0, proven), (26, all_but_one)])
def test_places_that_are_free_are_looked_for(
    unfilled: int, attempts: Callable[[Sequence[Grown]], list[Pair | Reject]]
) -> None:
    harvest, rounds = grown_since(unfilled, attempts)
    assert rounds > 0
    assert harvest.unfilled == 30 - harvest.kept  # nothing came


def test_more_of_the_like_is_let_in_while_there_is_patience_left() -> None:
    """What is let in by and by has several rounds to come."""
    relaxed: list[int] = []
    quotas = Quotas.of(Queries(per_database=30), 30)

    def drafts(name: str, order: Callable[[], Order]) -> list[dict[str, Any]]:
        relaxed.append(quotas.relaxed)
        return NOTHING

    harvest = grow("db", 7, quotas, [], drafts, proven, Seen())
    assert harvest.unfilled == 30
    assert len(relaxed) == len(set(relaxed)) + relaxed.count(0) - 1  # one more each round
    assert relaxed.count(0) <= len(relaxed) / 2 + 1
    assert relaxed[-1] >= 2
