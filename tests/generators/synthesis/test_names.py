"""Names of people as people write theirs."""

import numpy as np
import pytest

from generators.synthesis.library.rows import Rows
from generators.synthesis.library.values import draw
from generators.synthesis.spec import Faker


@pytest.mark.parametrize("locale", ["de_DE", "nl_NL"])
def test_family_names_are_written_as_people_write_theirs(locale: str) -> None:
    """Faker has `auch Schlauchin`, `Dussen van` and `Bourgondië, van`."""
    rng = np.random.default_rng(7)
    names = draw(Faker(provider="last_name", locale=locale).model_dump(), Rows({}, 2000, rng), rng)
    assert names.filter(names.str.contains(r",|^auch | van$|^$")).to_list() == []
