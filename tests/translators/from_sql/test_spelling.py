"""Texts under a collation that equates some that differ (MySQL's and MariaDB's): the answers of the
source, or a refusal; and what they read like."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy

from graphmill.errors import Refused
from schemagraph.folder.serde import load_mapping, load_schema
from schemagraph.mapping import Affinity, Column, Mapping, NodeTable
from schemagraph.model import Kind, Type
from schemagraph.text_forms import accented
from tests.translators.from_sql.conftest import Library
from tests.translators.from_sql.proving import made, states
from translators.from_sql.reader import SqlTranslator
from translators.from_sql.statement.spelling import BEFORE_DIGITS, Order, collation
from translators.render import render

_GENERAL = "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci"
_UCA = "VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_uca1400_ai_ci"

# `first` has capital words, `code` small letters, `last` one spelling of each text, `status` some,
# `town` accents, `site` what is ordered otherwise, `word` letters that are not known.
_TABLES = f"""
CREATE TABLE city (code CHAR(3) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci PRIMARY KEY,
 town {_GENERAL} NOT NULL)
INSERT INTO city VALUES ('LIS', 'Lisboa'), ('MUC', 'München'), ('NYC', 'New York')
CREATE TABLE w (id INTEGER PRIMARY KEY, first {_GENERAL}, last {_GENERAL}, code {_UCA},
 status {_GENERAL}, town {_UCA}, site {_UCA}, word {_GENERAL}, cs {_UCA.replace("_ci", "_cs")},
 latin VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_swedish_ci,
 bin VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin,
 city CHAR(3) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci,
 FOREIGN KEY (city) REFERENCES city (code))
INSERT INTO w VALUES
 (1, 'Ann', 'Lee', 'a-1', 'paid', 'Köln', 'x.y_z', 'да', 'a', 'Low', 'x', 'LIS'),
 (2, 'Bob', 'McDonald', 'a-10', 'Paid', 'koln', '#a', 'ß', 'A', 'low', 'X', 'MUC'),
 (3, 'Ann', 'O''Hara', 'a 1', 'open', 'Ulm', '1', 'ss', 'b', 'HIGH', 'y', 'LIS'),
 (4, 'Zoe', 'van Dyk', 'b-1', 'PAID', 'Lyon', '_1', NULL, NULL, NULL, NULL, NULL),
 (5, NULL, 'Lee', 'b1', NULL, 'Évry', 'a', 'Да', 'B', 'mid', 'z', 'NYC')
"""
_PROVEN = """
SELECT id FROM w WHERE first = 'ann'
SELECT id FROM w WHERE first <> 'ANN'
SELECT id FROM w WHERE last = 'mcdonald' OR last = 'o''hara'
SELECT id FROM w WHERE status IN ('paid', 'OPEN')
SELECT id FROM w WHERE status NOT IN ('Paid', 'x')
SELECT id FROM w WHERE code BETWEEN 'A-1' AND 'b-1'
SELECT id FROM w WHERE last > 'MCD'
SELECT id FROM w WHERE latin = 'LOW' OR latin LIKE 'hi%'
SELECT id FROM w WHERE cs = 'a' OR cs = 'x'
SELECT id FROM w WHERE town = 'KÖLN'
SELECT id FROM w WHERE town = 'evry' OR town > 'lz'
SELECT id FROM w WHERE town LIKE 'k_l%' OR town LIKE 'É%'
SELECT id FROM w WHERE last LIKE '%D%' AND last NOT LIKE '%ONALD'
SELECT id FROM w WHERE code LIKE 'A-%' OR first LIKE 'z%'
SELECT id FROM w WHERE site = 'X.Y_Z' OR site LIKE '#A%'
SELECT id FROM w WHERE concat(first, ' ', last) = 'ann lee'
SELECT id FROM w WHERE upper(last) = 'lee' OR left(code, 1) = 'B'
SELECT id FROM w WHERE coalesce(first, 'none') = 'NONE'
SELECT id FROM w WHERE nullif(status, 'PAID') IS NULL
SELECT id FROM w WHERE (first, last) = ('ANN', 'lee')
SELECT id FROM w WHERE (first, last) IN (('bob', 'x'), ('ZOE', 'van dyk'))
SELECT id FROM w WHERE first <=> 'ANN'
SELECT id, CASE status WHEN 'paid' THEN 1 WHEN 'OPEN' THEN 2 ELSE 3 END FROM w
SELECT id, instr(last, 'E'), locate('mc', last), replace(last, 'l', '-') FROM w
SELECT id, substring_index(code, 'A', 1), trim(both 'a' FROM last) FROM w
SELECT concat(word, '!'), char_length(word), left(word, 1), concat(site, '-', id) FROM w
SELECT first, count(*) FROM w GROUP BY first ORDER BY first
SELECT last, count(*) FROM w GROUP BY last
SELECT cs, count(*) FROM w GROUP BY cs
SELECT upper(status) AS s, count(*) FROM w GROUP BY s ORDER BY s
SELECT concat(first, '-', id) AS k, count(*) FROM w GROUP BY k
SELECT coalesce(first, 'None') AS f, count(*) FROM w GROUP BY f
SELECT CASE WHEN status = 'paid' THEN 'yes' ELSE 'no' END AS y, count(*) FROM w GROUP BY y
SELECT count(DISTINCT status), count(DISTINCT town), count(DISTINCT first, latin) FROM w
SELECT DISTINCT first FROM w
SELECT min(first), max(code) FROM w
SELECT id FROM w ORDER BY last, id
SELECT id FROM w ORDER BY town DESC, id
SELECT id FROM w ORDER BY code
SELECT id, rank() OVER (ORDER BY last), count(*) OVER (PARTITION BY status) FROM w
SELECT group_concat(last ORDER BY last, id) FROM w
SELECT a.id, b.id FROM w a JOIN w b ON a.status = b.status AND a.id < b.id
SELECT a.id, b.id FROM w a JOIN w b ON a.first = b.first AND a.id < b.id
SELECT a.id, b.id FROM w a JOIN w b ON a.last = b.last AND a.id < b.id
SELECT id, city.town FROM w JOIN city ON w.city = city.code
SELECT id FROM w WHERE city IN (SELECT code FROM city WHERE town = 'lisboa')
SELECT id FROM w WHERE first IN (SELECT last FROM w)
SELECT id FROM w WHERE status IN (SELECT status FROM w WHERE id = 1)
SELECT id FROM w WHERE status NOT IN (SELECT status FROM w WHERE id = 3)
SELECT first FROM w UNION SELECT first FROM w WHERE id > 2
SELECT first FROM w UNION ALL SELECT status FROM w
SELECT last FROM w INTERSECT SELECT last FROM w WHERE id > 2
SELECT upper(first) FROM w UNION SELECT upper(last) FROM w
SELECT f FROM (SELECT concat(first, '!') AS f FROM w) t WHERE f = 'ann!'
SELECT id FROM w WHERE CASE WHEN id > 2 THEN 'Yes' ELSE 'No' END = 'Yes'
SELECT if(id > 2, 'High', 'low') AS k, count(*) FROM w GROUP BY k
SELECT if(id > 2, 'High', 'Low') AS k, count(*) FROM w GROUP BY k ORDER BY k
SELECT concat('N', id) AS k, max(id) FROM w GROUP BY k ORDER BY k
SELECT concat('No. of w: ', id) AS k, count(*) FROM w GROUP BY k
SELECT id FROM w WHERE concat('N', id) = 'N2' OR concat(id, ' items') = '3 items'
SELECT id FROM (SELECT id, concat('N', id) AS k FROM w) t WHERE k IN ('N2', 'N3')
SELECT id FROM w JOIN (SELECT 'PAID' AS y) u ON w.status = u.y
SELECT id FROM w WHERE last = concat('LE', 'E')
""".strip().splitlines()
_REFUSED = """
SELECT status, count(*) FROM w GROUP BY status
SELECT DISTINCT town FROM w
SELECT min(status) FROM w
SELECT min(last) FROM w
SELECT id FROM w ORDER BY site
SELECT id FROM w WHERE site > 'a'
SELECT id FROM w ORDER BY cs
SELECT id FROM w WHERE word = 'ss'
SELECT id FROM w WHERE word LIKE 's%'
SELECT id FROM w ORDER BY word
SELECT word, count(*) FROM w GROUP BY word
SELECT id FROM w WHERE last = 'Straße'
SELECT id FROM w WHERE last = 'a\x01b'
SELECT id, instr(town, 'o') FROM w
SELECT first FROM w UNION SELECT last FROM w
SELECT left(last, 2) AS l, count(*) FROM w GROUP BY l
SELECT coalesce(first, 'none') AS f, count(*) FROM w GROUP BY f
SELECT id FROM w WHERE cast(first AS char) = 'ann'
SELECT id FROM w WHERE bin = first
SELECT coalesce(bin, first) FROM w
SELECT id FROM w WHERE concat(bin, first) = 'x'
SELECT id FROM w WHERE first = code
SELECT id FROM w ORDER BY first COLLATE utf8mb4_bin
SELECT CASE WHEN id > 2 THEN 'Yes' ELSE 'yes' END AS y, count(*) FROM w GROUP BY y
""".strip().splitlines()
# What is made of no column's text, over a table that has none.
_FREE = """
SELECT id FROM n WHERE CASE WHEN id > 2 THEN 'Yes' ELSE 'No' END = 'yes'
SELECT id FROM n ORDER BY CASE WHEN id > 2 THEN 'High' WHEN id > 1 THEN 'low' ELSE 'Mid' END
SELECT max(if(id > 2, 'yes', 'Zo')) FROM n
SELECT id, greatest(if(id > 2, 'a', 'C'), 'B') FROM n
SELECT group_concat(if(id > 2, 'a', 'B') ORDER BY if(id > 2, 'a', 'B')) FROM n
SELECT id, rank() OVER (ORDER BY if(id > 2, 'a', 'B')) FROM n
SELECT 'a' AS x UNION ALL SELECT 'B' ORDER BY x
SELECT id FROM n WHERE concat('N', id) = 'n2'
SELECT id FROM n WHERE concat('N', id) LIKE 'n%'
SELECT id FROM n WHERE concat('N', id) < 'n2'
SELECT id, nullif(concat('N', id), 'n2'), instr(concat('N', id), 'n') FROM n
SELECT id FROM n WHERE lpad(id, 3, 'a') = 'AA2'
SELECT id FROM n WHERE concat(id, ' ') = '2'
SELECT id FROM n WHERE concat(id, '') = '2 '
SELECT concat(if(id > 2, 'a', 'A'), 1) AS k, count(*) FROM n GROUP BY k
SELECT count(DISTINCT concat(if(id > 2, 'a', 'A'), 1)) FROM n
SELECT concat('N', id) FROM n INTERSECT SELECT concat('n', id) FROM n
SELECT id FROM n WHERE concat('N', id) IN (SELECT concat('n', id) FROM n)
SELECT a.id FROM n a JOIN n b ON concat('N', a.id) = concat('n', b.id)
SELECT id FROM n WHERE date_format(d, 'Q%m') = 'q02'
SELECT id FROM n WHERE dayname(d) = 'FRIDAY'
SELECT id FROM (SELECT id, if(id > 2, 'High', 'Low') AS b FROM n) t WHERE b = 'high'
SELECT x FROM (SELECT 'a' AS x UNION ALL SELECT 'B') t WHERE x = 'A'
SELECT t.x FROM (SELECT 'a' AS x) t JOIN (SELECT 'A' AS y) u ON t.x = u.y
SELECT lag('a') OVER (ORDER BY id) = 'A' FROM n
SELECT 'a' UNION SELECT 'a '
SELECT 'a' UNION SELECT 'A'
SELECT 'a ' INTERSECT SELECT 'a'
SELECT DISTINCT if(id > 2, 'ß', 's') FROM n
SELECT DISTINCT if(id > 2, 'é', 'e') FROM n
SELECT if(id > 2, '2 ', concat(id, '')) AS k, count(*) FROM n GROUP BY k
SELECT id FROM n WHERE left('ABC', 2) = 'ab'
SELECT a FROM (VALUES ROW('x')) AS v(a) WHERE a = 'X'
""".strip().splitlines()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, mariadb_server: str) -> Path:
    """The graph of the tables."""
    return made(tmp_path_factory.mktemp("spelling"), mariadb_server, _TABLES)


@pytest.mark.slow
def test_answers_are_those_of_the_source(shop: Path, mariadb_server: str) -> None:
    assert states(shop, mariadb_server, _PROVEN) == dict.fromkeys(_PROVEN, "proven")


@pytest.mark.slow
@pytest.mark.parametrize("query", _REFUSED)
def test_what_a_collation_decides_is_refused(shop: Path, query: str) -> None:
    mapping = load_mapping(shop)
    assert mapping is not None
    with pytest.raises(Refused) as caught:
        SqlTranslator(mapping, load_schema(shop)).translate(query)
    assert caught.value.code == "collation"


@pytest.mark.parametrize("query", _FREE)
def test_texts_of_no_column_have_the_collation_of_the_connection(
    query: str, library: Library
) -> None:
    """Whatever the texts of the database, of which there may be none."""
    plain = Column("id", "id", "int", Affinity.INTEGER, Type(Kind.INTEGER, nullable=False))
    day = Column("d", "d", "date", Affinity.NUMERIC, Type(Kind.DATE))
    table = NodeTable("n", "Book", (plain, day), key=("id",))
    translator = SqlTranslator(Mapping("mysql", (table,)), library.schema)
    with pytest.raises(Refused) as caught:
        translator.translate(query)
    assert caught.value.code == "collation"


@pytest.mark.parametrize(
    ("words", "apart", "ordered"),
    [
        ("High Low Mid", True, True),
        ("High low Mid", True, False),
        ("0-9 10-19 20+", True, True),
        ("a_ a1", True, False),
        ("yes Yes", False, False),
        ("1–5 6–10 да нет", True, False),
        ("ß s", False, False),
        ("æ ae", False, False),
        ("é e", False, False),
        ("😀 😃", False, False),
    ],
)
def test_constants_of_a_choice(words: str, apart: bool, ordered: bool, library: Library) -> None:
    """Those are grouped of which no collation equates two, and sorted whose order is one in all."""
    first, *others = words.split()
    whens = " ".join(f"WHEN {number} THEN '{word}'" for number, word in enumerate(others))
    mapping = replace(library.translator.mapping, dialect="mysql")
    translator = SqlTranslator(mapping, library.schema)
    chosen = f"SELECT CASE id {whens} ELSE '{first}' END AS k, count(*) FROM book GROUP BY k"
    for query, answered in ((chosen, apart), (f"{chosen} ORDER BY k", ordered)):
        if answered:
            assert translator.translate(query)
        else:
            with pytest.raises(Refused):
                translator.translate(query)


@pytest.mark.slow
def test_what_the_mapping_says_of_spellings(shop: Path) -> None:
    mapping = load_mapping(shop)
    assert mapping is not None
    facts = {
        column.name: (column.signs, column.casings, column.one_spelling)
        for table in mapping.nodes
        if table.table == "w"
        for column in table.columns
    }
    assert facts["first"] == ("", "sentence title", True)
    assert facts["last"] == (" '", "", True)
    assert facts["code"] == (" -", "lower", True)
    assert facts["status"] == ("", "", False)
    assert facts["town"] == ("Éö", "", False)
    assert facts["word"] == (None, "", False)
    assert facts["bin"] == facts["id"] == (None, "", False)


def _collated(library: Library, table: str, column: str, **facts: Any) -> SqlTranslator:
    """The library as MySQL's, a column of which has a collation."""
    whole = library.translator.mapping
    nodes = tuple(
        replace(
            node,
            columns=tuple(
                replace(each, collation="utf8mb4_0900_ai_ci", **facts)
                if (node.table, each.name) == (table, column)
                else each
                for each in node.columns
            ),
        )
        for node in whole.nodes
    )
    mapping: Mapping = replace(whole, dialect="mysql", nodes=nodes)
    return SqlTranslator(mapping, library.schema)


def _cypher(library: Library, translator: SqlTranslator, query: str) -> str:
    return render(translator.translate(query), "cypher", library.schema).text


_READS = [
    ({"signs": " ", "casings": "title"}, "name = 'ann lee'", "author.name = 'Ann Lee'"),
    ({"signs": " ", "casings": "title"}, "name LIKE 'ann%'", "author.name STARTS WITH 'Ann'"),
    (
        {"signs": " ", "casings": "title"},
        "name LIKE '%lee'",
        "toLower(author.name) ENDS WITH 'lee'",
    ),
    ({"signs": " ", "casings": "title"}, "name > 'bob'", "author.name > 'Bob'"),
    ({"signs": "", "casings": "lower"}, "name IN ('Ann', 'BOB')", "author.name IN ['ann', 'bob']"),
    ({"signs": " "}, "name = 'Ann Lee'", "toLower(author.name) = 'ann lee'"),
    ({"signs": " é"}, "name = 'Bob'", "toLower(author.name) = 'bob'"),
    ({"signs": " é"}, "name = 'Léo'", "replace(toLower(author.name), 'é', 'e') = 'leo'"),
    ({"signs": " "}, "name LIKE '%-%'", "author.name CONTAINS '-'"),
]


@pytest.mark.parametrize(("facts", "condition", "expected"), _READS)
def test_case_is_said_where_it_counts(
    facts: dict[str, Any], condition: str, expected: str, library: Library
) -> None:
    translator = _collated(library, "author", "name", **facts)
    text = _cypher(library, translator, f"SELECT id FROM author WHERE {condition}")
    assert f"WHERE {expected}\n" in text


def test_a_constant_is_the_one_spelling_of_a_few_values(library: Library) -> None:
    def closed(values: tuple[str, ...]) -> SqlTranslator:
        nodes = tuple(
            replace(
                node,
                properties=tuple(
                    replace(each, observed=replace(each.observed, values=values))
                    if each.name == "language"
                    else each
                    for each in node.properties
                ),
            )
            for node in library.schema.nodes
        )
        plain = _collated(library, "book", "language", signs="")
        return SqlTranslator(plain.mapping, replace(library.schema, nodes=nodes))

    among = "SELECT id FROM book WHERE language IN ('EN', 'xx')"
    assert "language IN ['En', 'xx']" in _cypher(library, closed(("En", "de")), among)
    equal = "SELECT id FROM book WHERE language = 'eN'"
    assert "toLower(book.language) = 'en'" in _cypher(library, closed(("En", "EN")), equal)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT id FROM author WHERE name = 'Ann'",
        "SELECT name, count(*) FROM author GROUP BY name",
        "SELECT id FROM author ORDER BY name",
        "SELECT a.id FROM author a JOIN author b ON a.name = b.name",
        "SELECT id FROM author WHERE name LIKE 'A%'",
    ],
)
def test_what_an_older_mapping_does_not_say_is_refused(query: str, library: Library) -> None:
    """Of texts that nothing is known of, what compares nothing is answered alone."""
    translator = _collated(library, "author", "name")
    assert translator.translate("SELECT concat(name, '!'), char_length(name) FROM author")
    with pytest.raises(Refused) as caught:
        translator.translate(query)
    assert caught.value.code == "collation"


@pytest.mark.slow
def test_collations_are_those_of_the_server(mariadb_server: str) -> None:
    """Of all characters that a column may have, and of pairs of them that are in another order."""
    engine = sqlalchemy.create_engine(
        mariadb_server.replace("mysql:", "mysql+pymysql:"), connect_args={"charset": "utf8mb4"}
    )
    plain = [chr(number) for number in range(0x20, 0x7F)]
    ascii_texts = [*plain[1:], *(f"a{one}b" for one in plain), *(f"a{one}B" for one in plain)]
    texts = [*ascii_texts, *accented(), *(f"a{letter}b" for letter in accented())]
    seen = 0
    with engine.connect() as connection:
        every = "information_schema.COLLATION_CHARACTER_SET_APPLICABILITY"
        listed = f"SELECT FULL_COLLATION_NAME FROM {every}"
        names = connection.execute(sqlalchemy.text(listed)).scalars().all()
        for name in names:
            known = collation(name)
            if known is None:
                continue
            seen += 1
            kept = texts if known.accents is not None else ascii_texts
            rows = sqlalchemy.text(
                f"SELECT t, dense_rank() OVER (ORDER BY CONVERT(t USING {name.split('_')[0]}) "
                f"COLLATE {name}) FROM json_table(:texts, '$[*]' COLUMNS (t VARCHAR(3) PATH '$')) j"
            )
            answers = connection.execute(rows, {"texts": json.dumps(kept)})
            ranks: dict[str, int] = {row[0]: row[1] for row in answers}
            key = known.plain if known.folds else str
            for one, other in pairwise(sorted(kept, key=lambda text: (ranks[text], key(text)))):
                assert (ranks[one] == ranks[other]) == (key(one) == key(other)), (name, one, other)
            if known.order is Order.CAPITALS:
                capitals = sorted(kept, key=lambda text: known.plain(text).upper())
                assert [ranks[text] for text in capitals] == sorted(ranks.values()), name
            if known.order is Order.UCA:
                early = [text for text in kept if text[1:2] in BEFORE_DIGITS and len(text) > 1]
                early.sort(key=lambda text: BEFORE_DIGITS.index(text[1]))
                places = [ranks[text] for text in early]
                assert places == sorted(places), name
                assert max(places) < ranks["a0b"] < ranks["a9b"] < ranks["aab"] < ranks["azb"], name
    assert seen > 20
