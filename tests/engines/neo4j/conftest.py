"""A Neo4j for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers import neo4j


@pytest.fixture(scope="package")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that is not ours: a Neo4j in a process of its own."""
    with neo4j(tmp_path_factory.mktemp("server")) as address:
        yield address
