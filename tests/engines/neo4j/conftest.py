"""A Neo4j for the tests of this folder."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="package")
def url(neo4j_server: str) -> str:
    """A server that is not ours: a Neo4j in a process of its own."""
    return neo4j_server
