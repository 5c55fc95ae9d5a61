"""What gathers traversers forgets labels: they are kept by a `map`, or the text is refused."""

from __future__ import annotations

import pytest

from graphmill.errors import Refused
from translators.gremlin.steps.barriers import remembering
from translators.gremlin.steps.text import Label, Step, Traversal, by, printed, select, step

ALL = (step("V"), Step("as", (Label("a"),)))
LISTED = (step("fold"), step("unfold"))


@pytest.mark.parametrize(
    ("child", "text"),
    [
        ((*LISTED, select("a")), "map(fold()).unfold().select('a')"),
        ((step("count", "local"), select("a")), "count(local).select('a')"),
        (
            (
                Step("union", ((step("out"), step("count")),)),
                Step("project", (Label("b"),)),
                by(()),
            ),
            "union(out().count()).project('b').by()",
        ),
        (
            (Step("choose", ((step("out"),), LISTED, (step("fold"),))), select("a")),
            "map(choose(out(), fold().unfold(), fold())).select('a')",
        ),
        (
            (step("group"), by((select("a"),)), *LISTED, select("a")),
            "map(group().by(select('a')).fold()).unfold().select('a')",
        ),
    ],
)
def test_a_label_is_read_behind_a_barrier_of_a_child(child: Traversal, text: str) -> None:
    made = printed(remembering((*ALL, step("order"), by((*child,)))))
    assert made.removeprefix("g.V()").removeprefix(".as('a')") == f".order().by({text})"


@pytest.mark.parametrize(
    "traversal",
    [
        (*ALL, step("fold"), select("a")),
        (step("V"), by((*ALL, *LISTED, select("a")))),
        (*ALL, Step("optional", (LISTED,)), Step("where", ((select("a"),),))),
    ],
)
def test_a_label_that_is_forgotten_for_good_is_refused(traversal: Traversal) -> None:
    with pytest.raises(Refused, match="forgets the label a") as caught:
        remembering(traversal)
    assert caught.value.code == "scope"


def test_a_key_of_a_map_is_no_label() -> None:
    keyed = (*ALL, step("fold"), Step("project", (Label("a"),)), by(()), select("a"))
    assert remembering(keyed) == keyed
