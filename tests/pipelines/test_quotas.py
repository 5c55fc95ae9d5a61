"""Places of tiers and groups: counted whole, shared where what is given holds too much."""

from __future__ import annotations

import pickle

import pytest

from generators.queries.base import Proposal
from graph_ir.cypher.reader import parse
from graphmill.record import DIFFICULTIES, Difficulty
from graphmill.seed import rng
from pipelines.build.augmentation import Parent, Standing, released_before
from pipelines.build.candidates import Grown
from pipelines.build.quotas import Quotas, Traits, places, traits
from pipelines.build.rule_generation import parents_of
from pipelines.configuration.targets import PAPER, Mix, Queries
from qa.dedup import Seen


def _one(tier: Difficulty, shape: str, *groups: str) -> Traits:
    return Traits(tier, frozenset(groups), shape, ())


def test_places_are_whole_and_complete() -> None:
    for total in (1, 7, 33, 200, 400):
        found = places(total, {name: PAPER.share(name) for name in DIFFICULTIES})
        assert sum(found.values()) == total
        for name in DIFFICULTIES:
            assert abs(found[name] - total * PAPER.share(name)) < 1


def test_what_is_given_keeps_its_places() -> None:
    given = [_one("easy", str(n)) for n in range(8)]  # its share is 2 of 10
    quotas = Quotas.of(Queries(), 10, given)
    left = quotas.wanted_tiers()
    assert left["easy"] == 0
    assert sum(left.values()) == 2
    assert quotas.refuses(_one("easy", "new")) == (
        "tier-full",
        "The database has all its easy queries.",
    )


def test_a_shape_is_full_at_its_share() -> None:
    quotas = Quotas.of(Queries(constructs={"optional-or-negation": 0}), 100)
    taken = 0
    while quotas.refuses(_one("medium", "same")) is None:
        quotas.take(_one("medium", "same"))
        taken += 1
    assert taken == 3


def test_the_last_places_are_kept_for_what_is_short() -> None:
    queries = Queries(constructs={"three-hops": 0.1, "multi-stage": 0, "variable-length": 0})
    quotas = Quotas.of(queries, 20)  # 4 extra hard ones, 2 of three hops
    shapes = iter("abcdefgh")
    taken = 0
    while quotas.refuses(one := _one("extra_hard", next(shapes))) is None:
        quotas.take(one)
        taken += 1
    assert taken == 2
    refused = quotas.refuses(_one("extra_hard", "x"))
    assert refused is not None
    assert refused[0] == "place-reserved"
    assert quotas.refuses(_one("extra_hard", "x", "three-hops")) is None
    quotas.kept = "none"
    assert quotas.refuses(_one("extra_hard", "x")) is None


def test_a_group_presses_when_it_needs_all_places_that_it_can_have() -> None:
    quotas = Quotas.of(Queries(constructs={"three-hops": 0.1, "multi-stage": 0}), 20)
    assert quotas.pressing() == set()
    for number in range(2):  # of the four extra hard ones; two places are left for three hops
        quotas.take(_one("extra_hard", f"plain{number}"))
    assert quotas.pressing() == {"three-hops"}
    quotas.take(_one("extra_hard", "long", "three-hops"))
    quotas.take(_one("extra_hard", "longer", "three-hops"))
    assert quotas.pressing() == set()


def test_parents_of_a_pressing_group_come_first() -> None:
    proposal = Proposal(parse("MATCH (a:A) RETURN a.x"), "rules")
    walks = Parent("b", proposal, "hard", frozenset({"variable-length"}))
    standing = Standing([Parent("a", proposal, "easy"), walks, Parent("c", proposal, "easy")])
    pressing = frozenset({"variable-length", "three-hops"})
    assert parents_of(standing, rng(7), pressing)[0] is walks
    assert parents_of(standing, rng(7), frozenset())[-1] is walks  # the easier the likelier
    standing.children.update({"b": 4})
    assert parents_of(standing, rng(7), pressing)[-1] is walks


def test_a_parent_that_is_sent_again_is_not_read_again() -> None:
    parent = Parent("a", Proposal(parse("MATCH (a:A) RETURN a.x"), "rules"), "easy")
    first, second = (pickle.loads(pickle.dumps(parent)) for _ in range(2))
    assert first == second == parent
    assert first.proposal is second.proposal


def test_a_place_is_not_kept_for_what_cannot_have_it() -> None:
    quotas = Quotas.of(Queries(constructs={"three-hops": 0.1, "multi-stage": 0}), 20)
    for tier, count in zip(DIFFICULTIES, (4, 6, 5, 3), strict=True):
        for number in range(count):
            quotas.take(_one(tier, f"{tier}{number}", "optional-or-negation"))
    assert quotas.wanted_tiers() == {"easy": 0, "medium": 1, "hard": 0, "extra_hard": 1}
    assert quotas.wanted_groups()["three-hops"] == quotas.wanted_groups()["variable-length"] == 1
    assert quotas.refuses(_one("medium", "plain")) is None
    long = _one("extra_hard", "long", "three-hops")  # and one place for two groups
    assert quotas.refuses(long) is not None
    assert quotas.refuses(_one("extra_hard", "x", "three-hops", "variable-length")) is None
    quotas.kept = "any"
    assert quotas.refuses(long) is None
    assert quotas.refuses(_one("extra_hard", "plain")) is not None


@pytest.mark.parametrize("total", [1, 2, 5, 8])
def test_few_places_are_not_all_reserved(total: int) -> None:
    quotas = Quotas.of(Queries(), total)
    for number in range(total):
        left = quotas.wanted_tiers()
        tier = next(name for name in DIFFICULTIES if left[name])
        plain = _one(tier, str(number), "three-hops") if tier == "extra_hard" else None
        one = plain or _one(tier, str(number))
        assert quotas.refuses(one) is None
        quotas.take(one)


def test_a_place_can_be_given_back() -> None:
    quotas = Quotas.of(Queries(), 5)
    one = _one("hard", "a", "optional", "optional-or-negation")
    quotas.take(one)
    quotas.give_back(one)
    assert quotas.wanted_tiers() == Quotas.of(Queries(), 5).wanted_tiers()
    assert quotas.to_json()["shapes"] == 0


@pytest.mark.parametrize(
    ("query", "tier", "groups"),
    [
        ("MATCH (a:A) RETURN a.x", "easy", set()),
        ("MATCH (a)-[:R*1..3]->(b) RETURN b.x", "hard", {"variable-length"}),
        (
            "MATCH (a)-[:R]->(b)-[:R]->(c)-[:R]->(d) RETURN d.x",
            "extra_hard",
            {"three-hops"},
        ),
        (
            "MATCH (a)-[:R]->(b) WITH a, count(b) AS n WHERE n > 2 RETURN a.x",
            "hard",
            {"multi-stage", "aggregation", "filtered-aggregate"},
        ),
    ],
)
def test_traits_say_tier_and_groups(query: str, tier: str, groups: set[str]) -> None:
    found = traits(parse(query))
    assert found.tier == tier
    assert set(found.groups) == groups


def test_queries_of_one_shape_differ_in_values_only() -> None:
    shapes = {
        traits(parse(f"MATCH (a:A) WHERE a.x = {value} RETURN a.{name}")).shape
        for value, name in ((1, "y"), (2, "y"), (1, "z"))
    }
    assert len(shapes) == 2


def test_no_place_is_kept_from_queries_of_an_earlier_release() -> None:
    """A draft has no place here, as the places left are for chains; what was released has."""
    text = "MATCH (a)-[:R]->(b) WITH a, count(b) AS n WHERE n > {} RETURN a.x"
    statements = [parse(text.format(number)) for number in range(3)]
    queries = Queries(
        difficulty=Mix(easy=0, medium=0, hard=1, extra_hard=0),
        constructs={"variable-length": 1.0},
        alike=1.0,
    )
    quotas = Quotas.of(queries, 3)
    refused = quotas.refuses(traits(statements[0]))
    assert refused is not None
    assert refused[0] == "place-reserved"
    again = [Grown(Proposal(each, "maker")) for each in statements]
    assert released_before("db", again, quotas, Seen()) == again


def test_a_group_that_is_asked_for_in_vain_is_given_up() -> None:
    quotas = Quotas.of(Queries(constructs={"three-hops": 0.2, "multi-stage": 0.2}), 50)
    for _ in range(4):
        quotas.learn(["three-hops"] * 5 + ["multi-stage"] * 5, [frozenset({"multi-stage"})])
    assert quotas.wanted_groups()["three-hops"] == 10  # 20 in vain are few
    quotas.learn(["three-hops"] * 5, [])
    wanted = quotas.wanted_groups()
    assert "three-hops" not in wanted
    assert wanted["multi-stage"] == 10
    quotas.take(_one("extra_hard", "a"))
    assert quotas.refuses(_one("extra_hard", "b")) is None
    assert "three-hops" in quotas.to_json()["groups"]  # the report tells that it is short
