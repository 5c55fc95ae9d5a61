"""PostgreSQL's integers of more digits than a float has, and its means, against the server."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphmill.errors import Refused
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping, load_schema
from tests.servers import execute
from tests.translators.from_sql.proving import states
from translators.from_sql.reader import SqlTranslator
from translators.render import render

_TABLES = """
CREATE TABLE big (id int PRIMARY KEY, l bigint, f float8, i int, t text, small bigint, n numeric,
 d float8);
INSERT INTO big VALUES (1, 9007199254740993, 9007199254740992, 1, 'a', 7, 12, 4.995),
 (2, 9007199254740992, 9007199254740994, 2, 'b', -12345, 3, -0.125),
 (3, 9223372036854775807, 0.2, 3, 'z', 1, 4, 0.145),
 (4, 9223372036854775807, 0.2, 4, 'z', 2, 5, 2.675), (5, 1, 0.2, 5, 'z', NULL, 6, 1e20),
 (6, NULL, NULL, 6, 'y', 5, 7, NULL)
"""
_PROVEN = """
SELECT id FROM big WHERE l / 1 = f
SELECT id FROM big WHERE l / i > f OR l % 9223372036854775807 = f
SELECT id FROM big WHERE l / 1 IN (f, 2)
SELECT id FROM big WHERE l / 1 IN (SELECT f FROM big)
SELECT id FROM big WHERE l IN (9007199254740993, 9007199254740996::float8)
SELECT id FROM big WHERE ceil(l / 1) = f OR l::numeric = f
SELECT id FROM big WHERE ceil(l) = 9007199254740993 OR round(l) = 9007199254740993
SELECT id FROM big WHERE nullif(l, f) IS NULL OR nullif(f, 9007199254740993) IS NULL
SELECT id FROM big WHERE nullif(f, 0.5::float8) = l
WITH x AS (SELECT id, l / 1 AS k FROM big) SELECT x.id, b.id FROM x JOIN big b ON x.k = b.f
SELECT id FROM big WHERE l = 9223372036854775808 OR l IN (9223372036854775808, 1)
SELECT id FROM big WHERE l <> 9223372036854775808.0 AND l < 9.223372036854775808e18
SELECT id FROM big GROUP BY id HAVING max(l) = 9223372036854775808
SELECT id FROM big WHERE l > 9007199254740992 ORDER BY l, id
SELECT id FROM big ORDER BY small * 1.5, id
SELECT sum(small), avg(small), percentile_disc(0.5) WITHIN GROUP (ORDER BY small) FROM big
SELECT id FROM big WHERE i > (SELECT avg(i) FROM big)
SELECT sum(n) + 0.5 - sum(n) FROM big
SELECT id, round(d::numeric, 2), round(d::numeric, 1) FROM big
SELECT avg(l) FROM big WHERE id < 3
SELECT t, avg(f) FROM big GROUP BY t ORDER BY t
SELECT id FROM big WHERE power(n * 0.1, 2) = 0.16 OR (n / 10 + 1) ^ 2 = 1.69
SELECT id, round(n * power(1.15, 2), 2), floor(power(n * 1.1, 2) * 100), sqrt(n) FROM big
SELECT id FROM big WHERE power(n, 2) IN (SELECT n * n FROM big) ORDER BY n ^ 2 DESC
SELECT id FROM big WHERE n * 0.5 > '1.99999999999999999999' AND n * 0.5 <> '2.00000000000000000001'
SELECT id FROM big WHERE n * 0.1 * i * 0.01 = i * n * 0.001
"""
_REFUSED = """
SELECT t FROM big GROUP BY t HAVING avg(f) > 0.2 ORDER BY avg(f), t
SELECT t, avg(f) AS m FROM big GROUP BY t ORDER BY m, t
SELECT id FROM big b WHERE f >= (SELECT avg(f) FROM big c WHERE c.t = b.t)
SELECT DISTINCT avg(f) FROM big GROUP BY t
SELECT t, rank() OVER (ORDER BY avg(f)), dense_rank() OVER (ORDER BY avg(i)) FROM big GROUP BY t
SELECT id FROM big WHERE sqrt(n * n) = n
SELECT id FROM big WHERE exp(ln(n)) = n
SELECT floor(sqrt(n)) FROM big
SELECT id FROM big WHERE power(n * 0.001, 5) = n * n * n * n * n * 1e-15
SELECT id FROM big WHERE n * 0.00001 * i * 0.00000001 = i * n * 0.0000000000001
SELECT n FROM big EXCEPT SELECT 4.00000000000000000001
SELECT l FROM big UNION SELECT 9223372036854775808
SELECT l FROM big UNION SELECT 9223372036854775808.0
SELECT id FROM big WHERE l = (SELECT 9223372036854775808)
SELECT id FROM big ORDER BY l * 1.0, id
SELECT sum(l) FROM big
SELECT sum(l) = 9223372036854775808 FROM big
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY l) FROM big
SELECT id FROM big WHERE l > (SELECT avg(l) FROM big WHERE id < 3)
SELECT l + 0.5 - l FROM big
SELECT round(f::numeric, 2) FROM big
"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of the database, and its graph."""
    servers = pytest.importorskip("tests.servers", reason="tests/servers.py is not there")
    folder = tmp_path_factory.mktemp("big")
    with servers.postgresql() as url:
        execute(url, _TABLES.replace("\n", " ").split(";"))
        convert(url, folder / "graph")
        yield url, folder / "graph"


def test_digits(graph: tuple[str, Path]) -> None:
    """A mapping tells how many digits the largest integer and the longest double have."""
    mapping = load_mapping(graph[1])
    assert mapping is not None
    known = {column.name: column.digits for column in mapping.nodes[0].columns}
    assert {name: digits for name, digits in known.items() if digits is not None} == {
        "l": 19,
        "small": 5,
        "n": 2,
        "f": 16,
        "d": 4,
    }


def test_proven(graph: tuple[str, Path]) -> None:
    """The server answers as the graph engines do, where not every integer is a float, too."""
    texts = _PROVEN.strip().splitlines()
    assert states(graph[1], graph[0], texts, "postgresql") == dict.fromkeys(texts, "proven")


def test_refused(graph: tuple[str, Path]) -> None:
    """What Neo4j computes in floats or beyond 64 bits is refused of such integers alone."""
    mapping, schema = load_mapping(graph[1]), load_schema(graph[1])
    assert mapping is not None
    translator = SqlTranslator(mapping, schema)
    for text in _REFUSED.strip().splitlines():
        with pytest.raises(Refused) as problem:
            translator.translate(text)
        assert problem.value.code in ("decimal-scale", "integer-range", "open-order")


def test_mean(graph: tuple[str, Path]) -> None:
    """A mean that is compared is a sum divided once, one that is only shown is `avg()`."""
    mapping, schema = load_mapping(graph[1]), load_schema(graph[1])
    assert mapping is not None
    translator = SqlTranslator(mapping, schema)
    shown, compared = (
        render(translator.translate(text), "cypher", schema).text
        for text in ("SELECT avg(f) FROM big", "SELECT id FROM big GROUP BY id HAVING avg(i) > 1")
    )
    assert shown == "MATCH (big:Big)\nRETURN avg(big.f) AS avg_f"
    assert "toFloat(sumI) / `count`" in compared


def test_unknown(graph: tuple[str, Path]) -> None:
    """A mapping from before these facts is read, and sums are answered as they were."""
    mapping, schema = load_mapping(graph[1]), load_schema(graph[1])
    assert mapping is not None
    nodes = tuple(
        replace(node, columns=tuple(replace(c, digits=None) for c in node.columns))
        for node in mapping.nodes
    )
    translator = SqlTranslator(replace(mapping, nodes=nodes), schema)
    assert translator.translate("SELECT sum(l) FROM big")
    with pytest.raises(Refused):
        translator.translate("SELECT round(d::numeric, 2) FROM big")
