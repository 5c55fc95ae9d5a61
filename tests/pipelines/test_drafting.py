"""Whose turn it is to draft: what no released query shows first, then the rarest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from random import Random

from pipelines.build.augmentation import Standing
from pipelines.build.rule_generation import HOPELESS, _rarest


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


def test_what_few_graphs_have_a_place_for_comes_first() -> None:
    names = [f"common{number}" for number in range(20)]
    standing = Standing(drafted=Counter(used=1), released=Counter(used=1))
    found = order(standing, *names, "used", "rare", scarce={"rare", "used"})
    assert (found[0], found[-1]) == ("rare", "used")
