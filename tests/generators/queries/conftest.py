"""The graph of choirs, written once for all tests of query authors."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.generators.queries.choirs import Choirs, write_choirs


@pytest.fixture(scope="session")
def choirs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Choirs]:
    """A ground over it."""
    ground = Choirs(write_choirs(tmp_path_factory.mktemp("choirs") / "graph"))
    yield ground
    ground.close()
