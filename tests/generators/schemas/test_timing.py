"""Which end of a relation is there first."""

import pytest

from generators.schemas.timing import begins, in_time
from generators.taxonomy.model import Entity
from generators.taxonomy.relations import relation
from generators.taxonomy.values import hint

DAYS = {
    "customer": ("since", "date 2010..2025"),
    "order": ("placed_at", "datetime 2020..2025"),
    "payment": ("paid_at", "datetime 2020..2025"),
    "sale": ("opened_on", "date 2022..2025"),
}
ENTITIES = {
    name: Entity(name, name, f"{name}s", share=1, properties=(hint(*day),))
    for name, day in DAYS.items()
}


@pytest.mark.parametrize(
    ("title", "line", "first"),
    [
        ("order PLACED_BY customer", "was placed by / placed; n:1", "target.since"),
        ("customer PLACED order", "placed / was placed by; 1:n", "source.since"),
        ("order PAID_BY payment", "was paid by / paid; 1:1", "source.placed_at"),
        ("payment FOR_ORDER order", "is for / has; 1:1", "target.placed_at"),
        ("order NEXT order", "was followed by / followed; 1:1?; role chain", "source.placed_at"),
        ("order FOLLOWS order", "follows / is followed by; 1:1?; role chain", "target.placed_at"),
        ("order OF_SALE sale", "was made in / has; n:1", ""),  # sales begin after the first orders
        ("customer KNOWS customer", "knows / knows; symmetric; role self", ""),
        ("customer LIKES order", "likes / is liked by", ""),
    ],
)
def test_the_end_that_is_there_first(title: str, line: str, first: str) -> None:
    found = in_time(relation(title, line, {}), ENTITIES)
    assert (found.order[0][0] if found.order else "") == first


def test_an_order_of_the_taxonomy_stays() -> None:
    line = "was placed by / placed; n:1; order placed_at < since"
    found = in_time(relation("order PLACED_BY customer", line, {}), ENTITIES)
    assert found.order == (("source.placed_at", "target.since"),)


@pytest.mark.parametrize(
    ("name", "there"),
    [("built_on", True), ("opened_on", True), ("born_on", False), ("built_by", False)],
)
def test_what_is_built_on_a_day_is_there_from_then_on(name: str, there: bool) -> None:
    """A car is numbered by the day; a house that was built long ago is known here later."""
    car = Entity("car", "car", "cars", share=1, properties=(hint(name, "date 2019..2025"),))
    assert (begins(car) is not None) == there
