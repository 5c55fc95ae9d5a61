"""What users of PostgreSQL ask every day: moments with a zone, constants that take the type beside
them, differences of moments, shares of a total.

`everyday/postgres.pairs` are over the library as if its columns had PostgreSQL's types; the texts
here have the answers of a server in `sql` on DuckDB.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.sql_proof import RUNS, Outcome, prove, translate
from engines import SOURCE_ENGINES
from engines.isolation import IsolatedEngine
from graph_ir.cypher.reader import parse
from graphmill.errors import Refused
from schemagraph.convert.mapping_rules import schema_of
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.mapping import Affinity, Mapping
from schemagraph.model import Kind, Type
from tests.servers import execute
from tests.translators.from_sql.conftest import Library
from tests.translators.from_sql.test_pairs import HERE, Case, cases
from translators.from_sql.reader import SqlTranslator
from translators.render import render

_TYPES = {
    "came": (Kind.ZONED_DATETIME, "timestamp with time zone"),
    "logged": (Kind.ZONED_DATETIME, "timestamp with time zone"),
    "seen": (Kind.DATETIME, "timestamp without time zone"),
    "opened": (Kind.TIME, "time without time zone"),
}
_TABLES = """
CREATE TABLE day (id integer PRIMARY KEY, paid timestamptz, sent timestamptz, placed timestamp, \
due date, opens time, st char(2), code char(3), share double precision)
INSERT INTO day VALUES \
(1, '2024-01-01 00:30+00', '2024-01-02', '2023-12-31 23:59:59', '2024-01-02', '07:30', \
'CA', 'a', 0.5), \
(2, NULL, NULL, '2024-01-01', NULL, NULL, 'NY', 'abc', 0), \
(3, '2024-02-29 08:15+00', '2024-03-01 12:00+00', '2024-02-29 08:15', '2024-02-29', '10:00', \
'CA', NULL, 4), \
(4, '2024-03-31 02:30+01', NULL, '2024-03-31 10:00', '2024-03-31', '12:00:00.25', NULL, '', NULL), \
(5, '1969-07-20 20:17:40.25+00', '1900-01-01', '1969-07-20 20:17:40', '1969-07-21', '00:00', \
'TX', 'a', -0.25)
"""
_PROVEN = """
SELECT id FROM day WHERE paid >= '2024-02-01'
SELECT id FROM day WHERE paid BETWEEN '2024-01-01' AND '2024-02-29 10:15+02' OR sent > '2024-02-01'
SELECT id FROM day WHERE paid > placed OR paid < due
SELECT id FROM day WHERE paid::date = due AND NOT paid = sent
SELECT date_trunc('month', paid) AS m, count(*) FROM day GROUP BY m ORDER BY m
SELECT id, extract(hour from paid), to_char(paid, 'YYYY-MM-DD HH24:MI') FROM day
SELECT id, paid + interval '1 month', paid - interval '90 minutes' FROM day
SELECT id, paid AT TIME ZONE 'UTC', placed AT TIME ZONE 'UTC', due::timestamptz, paid::time FROM day
SELECT paid FROM day UNION SELECT placed::timestamptz FROM day
SELECT id FROM day WHERE paid = (SELECT max(paid) FROM day WHERE sent IS NOT NULL)
SELECT id FROM day WHERE opens IN ('10:00', '12:00:00.250') OR opens < '07:30'
SELECT id FROM day WHERE placed >= '2024-02-29 08:15' AND due <= '2024-03-31 12:00'
SELECT id FROM day WHERE placed = '2024-02-29T08:15+05'
SELECT id FROM day WHERE st = 'CA' OR st > 'TA' OR st LIKE 'N_'
SELECT st, count(*), length(st), max(st || '!') FROM day GROUP BY st ORDER BY st
SELECT a.id, b.id FROM day a JOIN day b ON a.st = b.st AND a.id < b.id
SELECT coalesce(st, 'none'), count(*) FROM day GROUP BY coalesce(st, 'none')
SELECT st FROM day UNION SELECT 'XX'
SELECT code || '!', length(code) FROM day
SELECT id, coalesce(due, '2000-01-01'), greatest(paid, '2024-01-15') FROM day
SELECT coalesce(due, placed, paid) FROM day
SELECT paid FROM day UNION SELECT '2024-02-29 10:15+02' UNION SELECT due FROM day
SELECT due FROM day EXCEPT SELECT '2024-01-02 12:00'
SELECT CASE WHEN id > 2 THEN due ELSE '2024-01-01' END AS d, count(*) FROM day GROUP BY d
SELECT x FROM (VALUES (true), ('f')) AS t (x) WHERE x = 'yes'
SELECT id, sent - placed, due - placed, paid - '2024-01-15 12:00' FROM day
SELECT id FROM day WHERE sent - placed > interval '1 day' OR paid - placed < '1 hour'
SELECT id FROM day ORDER BY sent - placed, id
SELECT max(placed) - min(placed), count(sent - placed) FROM day
SELECT id, extract(epoch from sent - placed) / 3600, extract(day from sent - placed) FROM day
SELECT id FROM day WHERE extract(epoch from sent - placed) / 3600 BETWEEN 0.5 AND 36
SELECT id, placed + 2 * interval '1 month', due - interval '1 year 1 month -3 days' FROM day
SELECT id, (extract(epoch from sent - placed) / 86400)::int, due - '2024-01-01' FROM day
SELECT st, 100.0 * count(*) / sum(count(*)) OVER () FROM day GROUP BY st
SELECT id, 1 / share FROM day WHERE share > 0
SELECT id, rank() OVER (ORDER BY 1 / share, id) FROM day WHERE share <> 0
SELECT id, CASE WHEN share = 0 THEN NULL ELSE id / share END FROM day
SELECT substring(code from position('b' in code) + 1) FROM day
SELECT coalesce(id, '5') / 2 FROM day UNION ALL SELECT '7'
SELECT id FROM day WHERE sent - placed > '86400' OR '-0.5' < paid - placed
SELECT id FROM day WHERE sent - placed BETWEEN '1' AND '1 day' OR paid - placed IN ('0', '1801')
SELECT id, nullif('03', id), nullif('3', id) / 2, nullif('0.5', share) / 2 FROM day
SELECT nullif('2024-01-02 10:00', due) AS d, count(*) FROM day GROUP BY d
SELECT id FROM day WHERE nullif('10', id) > '9' AND nullif('yes', id > 1)
SELECT greatest(nullif('2024-01-02', placed), max(placed)) FROM day GROUP BY placed
SELECT id FROM day WHERE id - 1 <> 0 AND 10 / (id - 1) > 2
SELECT id FROM day WHERE id - 1 = 0 OR NOT 10 % (id - 1) = 1
SELECT date_trunc('week', paid)::date AS w, count(*) FROM day GROUP BY w ORDER BY w
SELECT date_trunc('week', date_trunc('month', placed)), date_trunc('week', due) FROM day
""".strip().splitlines()
_REFUSED = """
SELECT id FROM day WHERE st = 'CA '
SELECT id FROM day WHERE st IN ('NY', 'CA ')
SELECT id FROM day WHERE st = upper('ca' || id)
SELECT coalesce(st, 'none ') FROM day
SELECT s FROM (SELECT max(st) AS s FROM day) AS t WHERE s = 'CA '
SELECT id FROM day WHERE code = 'a'
SELECT code, count(*) FROM day GROUP BY code
SELECT id FROM day WHERE st = code
SELECT sum(sent - placed) FROM day
SELECT placed - sent, count(*) FROM day GROUP BY 1
SELECT id FROM day WHERE sent - placed > 12
SELECT id FROM day WHERE sent - placed > due - DATE '2024-01-01'
SELECT id FROM day WHERE id = '3000000000'
SELECT id FROM day WHERE due IN (VALUES ('2024-01-02'))
""".strip().splitlines()


def _typed(mapping: Mapping) -> Mapping:
    """The mapping as of a source of PostgreSQL."""
    nodes = []
    for node in mapping.nodes:
        columns = []
        for column in node.columns:
            if column.name in _TYPES:
                kind, declared = _TYPES[column.name]
                kept = Type(kind, nullable=column.type.nullable)
                column = replace(column, type=kept, declared=declared, format="")
            affinity = None if column.type.kind is Kind.STRING else Affinity.NUMERIC
            columns.append(replace(column, affinity=affinity or column.affinity))
        nodes.append(replace(node, columns=tuple(columns)))
    return replace(mapping, dialect="postgres", nodes=tuple(nodes))


CASES = list(cases(HERE / "everyday" / "postgres.pairs"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.place)
def test_pair(case: Case, library: Library) -> None:
    """SQL becomes the Cypher of the fixture, or is refused with its code."""
    mapping = _typed(library.translator.mapping)
    schema = schema_of(mapping, "library")
    translator = SqlTranslator(mapping, schema)
    if case.expected.startswith("!"):
        with pytest.raises(Refused) as caught:
            translator.translate(case.sql)
        assert f"!{caught.value.code}" == case.expected
        return
    statement = translator.translate(case.sql)
    text = render(statement, "cypher", schema).text
    assert " ".join(text.split()) == case.expected
    assert parse(text) == statement


@pytest.mark.slow
def test_answers_are_those_of_the_source(tmp_path: Path, postgres_server: str) -> None:
    # A collation of another table would decide how texts of no column are ordered.
    execute(postgres_server, ["DROP SCHEMA public CASCADE", "CREATE SCHEMA public"])
    execute(postgres_server, _TABLES.strip().splitlines())
    try:
        convert(postgres_server, tmp_path / "graph")
        states = _states(tmp_path / "graph", postgres_server, [*_PROVEN, *_REFUSED])
    finally:
        execute(postgres_server, ["DROP TABLE day"])
    assert states == dict.fromkeys(_PROVEN, "proven") | dict.fromkeys(_REFUSED, "refused")


def _states(graph: Path, url: str, texts: list[str]) -> dict[str, str]:
    mapping, schema = load_mapping(graph), load_schema(graph)
    assert mapping is not None
    translator = SqlTranslator(mapping, schema)
    states = {}
    with (
        IsolatedEngine("postgresql", None, kinds=SOURCE_ENGINES, source=url) as source,
        IsolatedEngine("duckdb", graph) as duckdb,
    ):
        engines = {"sqlite": source, "duckdb": duckdb}
        for sql in texts:
            outcome = Outcome("day", sql, "proven")
            statement = translate(outcome, translator)
            if statement is not None:
                prove(outcome, statement, schema, engines, {"sql": RUNS["sql"]}, 30.0)
            right = outcome.state in ("proven", "refused")
            states[sql] = outcome.state if right else f"{outcome.code}: {outcome.detail}"
    return states
