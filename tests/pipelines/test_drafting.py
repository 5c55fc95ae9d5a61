"""Whose turn it is to draft: what no released query shows first, then the rarest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import NoReturn

import pytest

from generators.queries.base import Proposal
from graph_ir.cypher.pair import Pair
from graph_ir.cypher.reader import parse
from graphmill.record import Reject
from pipelines.build.augmentation import PLACE, WORDED, Harvest, Places, Standing, _round
from pipelines.build.candidates import Draft, Grown
from pipelines.build.context import DatabaseContext, Graph
from pipelines.build.query_oracle import QueryOracle
from pipelines.build.quotas import Quotas
from pipelines.build.rule_generation import (
    AT_LEAST,
    HOPELESS,
    PRIOR,
    RuleDrafter,
    _rarest,
    _tie_in_groups,
    _worth_evolving,
)
from pipelines.configuration.targets import Queries
from qa.dedup import Seen
from tests.generators.queries.stages import written


def order(standing: Standing, *names: str, scarce: Set[str] = frozenset()) -> list[str]:
    return _rarest(names, standing, standing.drafted.copy(), scarce, Random(1))


def test_what_was_never_released_has_its_turn_before_others_have_a_second() -> None:
    standing = Standing(
        drafted=Counter(once=1, twice=2, dropped=1),
        failed=Counter(dropped=1),
        released=Counter(once=1, twice=2),
    )
    names = order(standing, "twice", "once", "dropped", "new")
    assert names == ["new", "dropped", "once", "twice"]


def test_what_never_fits_is_left_alone() -> None:
    standing = Standing(failed=Counter(misfit=HOPELESS, unlucky=HOPELESS - 1))
    assert order(standing, "misfit", "unlucky") == ["unlucky"]


def test_less_is_evolved_the_less_it_brings() -> None:
    assert _worth_evolving(Standing()) == 1
    assert _worth_evolving(Standing(failed=Counter(evolution=PRIOR))) == 0.5
    half = Standing(failed=Counter(evolution=50), released=Counter({"add-range": 50 - PRIOR}))
    assert _worth_evolving(half) == 0.5
    assert _worth_evolving(Standing(failed=Counter(evolution=999))) == AT_LEAST


def test_a_place_without_words_is_counted_until_one_has_words() -> None:
    def drafted(*drafts: Draft) -> int:
        quotas = Quotas.of(Queries(per_database=30), 30)
        _round("db", drafts, quotas, Seen(), standing, lost, Harvest(), print)
        return standing.in_vain["look-up A"]

    def lost(grown: Sequence[Grown]) -> list[Pair | Reject]:
        return [Reject("prove", "empty", "", "db") for _ in grown]

    standing = Standing()
    unworded = Reject("seeds", "no-wording", "", "db", evidence={PLACE: "look-up A"})
    assert drafted(unworded, replace(unworded, code="empty"), unworded) == 2
    worded = Proposal(parse("MATCH (a:A) RETURN a.b"), "archetypes", "look-up", place="look-up A")
    assert drafted(Grown(worded)) == 2 - WORDED


def test_what_few_graphs_have_a_place_for_comes_first() -> None:
    names = [f"common{number}" for number in range(20)]
    standing = Standing(drafted=Counter(used=1), released=Counter(used=1))
    found = order(standing, *names, "used", "rare", scarce={"rare", "used"})
    assert (found[0], found[-1]) == ("rare", "used")


def test_a_graph_is_asked_only_for_what_all_other_checks_let_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def problem(text: str) -> str:
        found = drafter._problem(Proposal(parse(text), "archetypes"), places)
        return "" if found is None else found[0]

    def asked(*_: object) -> NoReturn:
        raise LookupError

    theatres = Graph("stages", written(tmp_path), "")
    with DatabaseContext(theatres, ("cypher", "gql")) as database:
        drafter = RuleDrafter(database, QueryOracle(database, database.statistics), [])
        places = Places(Quotas.of(Queries(), 20), set())
        monkeypatch.setattr(database, "refer", asked)
        farces = "MATCH (p:Play) WHERE p.genre = 'farce' RETURN p.title AS title"
        with pytest.raises(LookupError):
            problem(farces)
        assert places.offer(parse(farces)) is None
        assert problem(farces) == "duplicate-query"
        dated = "MATCH (p:Play) WHERE p.premiered_on IS NOT NULL RETURN p.title AS title"
        assert problem(f"{dated} ORDER BY p.premiered_on LIMIT 3") == "vacuous-part"
        taught = "MATCH (a:Actor)-[:HAS_TEACHER]->(t:Actor)"
        total = f"{taught} RETURN t.name AS name, sum(a.salary) AS total"
        assert problem(total) == "no-wording"  # readers stumble over actors of actors …
        drafter._relaxed = 2
        assert problem(total) == "relation-missing"  # … and here, nobody says who teaches whom


@pytest.mark.parametrize("value", [None, "None", "n/a", "unknown"])
def test_a_group_of_what_has_no_value_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    rows: list[tuple[str | None, int]] = []
    with DatabaseContext(Graph("stages", written(tmp_path), ""), ("cypher",)) as database:
        drafter = RuleDrafter(database, QueryOracle(database, database.statistics), [])
        monkeypatch.setattr(drafter.ground, "ask", lambda *_: SimpleNamespace(rows=rows))
        text = "MATCH (p:Play) RETURN p.genre AS genre, count(*) AS n"
        grouped = Proposal(parse(text), "archetypes")
        rows += [("farce", 3), ("drama", 2)]
        assert drafter._flaw(grouped) is None
        rows.append((value, 2))
        assert drafter._flaw(grouped) == (
            "null-group",
            "One of its groups is of what has no value.",
        )


def test_the_best_of_each_is_one_of_nearly_each() -> None:
    best = parse(
        """
        MATCH (a:Actor)<-[:BY]-(p:Play) WITH a, max(p.year) AS top
        MATCH (a)<-[:BY]-(p2:Play) WHERE p2.year = top
        RETURN a.name AS name, p2.title AS title
        """
    )
    rows = [(f"Ann {n}", f"Play {n}") for n in range(10)]
    assert not _tie_in_groups(best, rows)
    assert not _tie_in_groups(best, [*rows, ("Ann 1", "Play 10")])
    assert _tie_in_groups(best, [*rows, ("Ann 1", "Play 10"), ("Ann 2", "Play 11")])
    assert not _tie_in_groups(parse("MATCH (a:Actor) RETURN a.name AS name"), [("Ann",)] * 2)


def test_only_what_is_hard_to_say_is_rare_before_nothing_else_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken(*_: object, rare: bool) -> bool:
        return rare

    monkeypatch.setattr("pipelines.build.rule_generation.is_taken", taken)
    with DatabaseContext(Graph("stages", written(tmp_path), ""), ("cypher",)) as database:
        drafter = RuleDrafter(database, QueryOracle(database, database.statistics), [])
        drafter._short = frozenset({"optional-or-negation", "variable-length"})

        def is_rare(text: str) -> bool:
            return drafter._is_taken(parse(text))

        chain = "MATCH (a:Actor)-[:HAS_TEACHER*1..]->(t:Actor) RETURN DISTINCT t.name AS name"
        lonely = "MATCH (a:Actor) WHERE NOT EXISTS { (a)-[:HAS_TEACHER]->(:Actor) } RETURN a.name"
        assert (is_rare(chain), is_rare(lonely)) == (True, False)
        drafter._relaxed = 1
        assert (is_rare(chain), is_rare(lonely)) == (True, True)
