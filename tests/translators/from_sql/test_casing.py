"""Texts with letters whose case SQLite leaves alone, and Unicode does not: SQLite's answers, or
a refusal."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.sql_proof import RUNS, Proof
from graphmill.errors import Refused
from schemagraph.convert.service import convert
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.text_forms import special_casing
from tests.schemagraph.cases import database
from translators.from_sql.reader import SqlTranslator

pytestmark = pytest.mark.slow

_PLAIN = (
    "S s ss SS k K i I fi FI Sam Gießen GIESSEN İstanbul istanbul aİb aib aıb \u212aelvin kelvin"
)
_TESTS = """
upper(t) = 'SS'
upper(t) <> 'S'
upper(t) IN ('SS', 'FI', 'I')
upper(t) NOT IN ('K', 'S')
upper(trim(t)) = 'GIESSEN'
upper(t || '') = 'KELVIN'
upper(substr(t, 1, 2)) = 'SA'
upper(t) = 's'
lower(t) = 'kelvin'
lower(coalesce(t, 'k')) = 'k'
lower(t) IN ('k', 'i')
t LIKE 'i%'
t NOT LIKE '%i%'
t LIKE 'a_b'
t LIKE '%K%'
upper(t) LIKE 'A_B'
t = 'K' COLLATE NOCASE
n = 'i'
n IN ('K', 'SS')
"""
_QUERIES = [f"SELECT id FROM w WHERE {test}" for test in _TESTS.strip().splitlines()]
_QUERIES += ["SELECT sum(upper(t) = 'S') FROM w", "SELECT upper(a || 'x'), lower(a) FROM w"]


_REFUSED = """
SELECT id FROM w WHERE upper(t) IN ('SS', 5)
SELECT upper(t) FROM w
SELECT id FROM w WHERE upper(t) > 'S'
SELECT CASE upper(t) WHEN 'S' THEN 1 END FROM w
SELECT id FROM w WHERE t LIKE '%É%'
"""


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A database of all letters with a special casing, and its graph."""
    folder = tmp_path_factory.mktemp("words")
    texts = [*_PLAIN.split(), *sorted(special_casing())]
    rows = ", ".join(f"(NULL, '{text}', '{text}', 'Ann')" for text in texts)
    columns = "id INTEGER PRIMARY KEY, t TEXT, n TEXT COLLATE nocase, a TEXT"
    path = database(folder, f"CREATE TABLE w ({columns}); INSERT INTO w VALUES {rows};")
    convert(str(path), folder / "graph")
    return path, folder / "graph"


def test_answers_are_those_of_the_source(words: tuple[Path, Path]) -> None:
    with Proof({name: RUNS[name] for name in ("cypher", "sql")}, 30.0) as proof:
        outcomes = list(proof.database(*words, _QUERIES))
    assert {o.sql: (o.state, o.not_in) for o in outcomes} == dict.fromkeys(_QUERIES, ("proven", ""))


@pytest.mark.parametrize("query", _REFUSED.strip().splitlines())
def test_what_shows_their_case_is_refused(words: tuple[Path, Path], query: str) -> None:
    mapping = load_mapping(words[1])
    assert mapping is not None
    with pytest.raises(Refused) as caught:
        SqlTranslator(mapping, load_schema(words[1])).translate(query)
    assert caught.value.code == "ascii-case"
