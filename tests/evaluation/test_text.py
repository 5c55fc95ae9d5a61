"""Texts: against nltk and jellyfish, which share no code with us; clauses worked out by hand."""

from __future__ import annotations

import jellyfish
import pytest
from nltk.translate.gleu_score import corpus_gleu, sentence_gleu

from evaluation.metrics.clauses import parts, same_parts
from evaluation.metrics.text import (
    Gleu,
    exact,
    gleu,
    jaro_winkler,
    normalised,
    tokens,
)

PAIRS = [
    ("MATCH (n:Person) RETURN n.name", "MATCH (n:Person) RETURN n.name"),
    ("MATCH (n:Person) RETURN n.name", "MATCH (p:Person) RETURN p.name AS name LIMIT 3"),
    ("MATCH (n:Person) WHERE n.age > 3 RETURN n", "RETURN 1"),
    ("RETURN 1", "MATCH (n)-[:KNOWS*1..3]->(m) RETURN count(DISTINCT m) AS c ORDER BY c DESC"),
    ("GO FROM 'a' OVER like YIELD dst(edge)", "GO FROM 'b' OVER serve YIELD dst(edge)"),
    ("SELECT a, b FROM t WHERE a = 'x y'", "SELECT b, a FROM t WHERE a = 'x  y'"),
    ("MATCH (n:学校) RETURN n.名", "MATCH (n:学校) RETURN n.名称"),
    ("a b c d a b c d", "a b c d"),
    ("x", "y"),
    ("MATCH (n) RETURN n", ""),
]


@pytest.mark.parametrize(("gold", "predicted"), PAIRS)
def test_gleu_is_that_of_nltk(gold: str, predicted: str) -> None:
    theirs = sentence_gleu([tokens(gold)], tokens(predicted)) if predicted else 0.0
    assert gleu(gold, predicted).score == pytest.approx(theirs, abs=1e-12)


def test_gleu_of_a_corpus_is_that_of_nltk() -> None:
    pairs = [pair for pair in PAIRS if pair[1]]
    theirs = corpus_gleu([[tokens(gold)] for gold, _ in pairs], [tokens(p) for _, p in pairs])
    counts = [gleu(*pair) for pair in pairs]
    whole = Gleu(sum(c.shared for c in counts), sum(c.whole for c in counts))
    assert whole.score == pytest.approx(theirs, abs=1e-12)


def test_gleu_by_hand() -> None:
    # 3 tokens have 3 + 2 + 1 n-grams; `a b` and `a b c` share a, b, a b
    assert gleu("a b c", "a b") == Gleu(3, 6)
    assert gleu("a a", "a") == Gleu(1, 3)


@pytest.mark.parametrize(("gold", "predicted"), PAIRS)
def test_jaro_winkler_is_that_of_jellyfish(gold: str, predicted: str) -> None:
    """Both add a prefix of four at the most, and from a similarity of 0.7 on."""
    theirs = jellyfish.jaro_winkler_similarity(normalised(gold), normalised(predicted))
    assert jaro_winkler(gold, predicted) == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("MATCH (n) RETURN n", "match  (n)\nreturn n ;"),
        ('RETURN "x y"', "RETURN 'x y'"),
        ("RETURN 1 // one", "RETURN 1"),
        ("MATCH (a)-[r]->(b) RETURN a", "MATCH ( a ) -[ r ]-> ( b ) RETURN a"),
        ("RETURN n.`name`", "RETURN n.name"),
        ("RETURN /* all */ 1", "RETURN 1"),
    ],
)
def test_spelling_is_normalised(a: str, b: str) -> None:
    assert normalised(a) == normalised(b)
    assert not exact(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("RETURN 'A'", "RETURN 'a'"),
        ("RETURN 'a  b'", "RETURN 'a b'"),
        ("RETURN '// x'", "RETURN ''"),
        ("RETURN 1.0", "RETURN 1"),
        ("MATCH (a)-->(b) RETURN a", "MATCH (a)<--(b) RETURN a"),
        ("RETURN n.`a b`", "RETURN n.`a c`"),
    ],
)
def test_meaning_is_not(a: str, b: str) -> None:
    assert normalised(a) != normalised(b)


@pytest.mark.parametrize(
    ("gold", "predicted", "same"),
    [
        ("MATCH (n:A) RETURN n.x, n.y", "MATCH (n:A) RETURN n.y, n.x", True),
        ("MATCH (n:A) RETURN n.x", "MATCH (n:A) RETURN n.x, n.x", True),  # sets
        (
            "MATCH (n:A) WHERE n.x = 1 AND n.y = 2 RETURN n",
            "MATCH (n:A) WHERE n.y = 2 AND n.x = 1 RETURN n",
            True,
        ),
        (
            "MATCH (n:A) WHERE n.x = 1 OR n.y = 2 RETURN n",
            "MATCH (n:A) WHERE n.y = 2 OR n.x = 1 RETURN n",
            False,
        ),
        ("MATCH (a), (b) RETURN a", "MATCH (b), (a) RETURN a", True),
        ("MATCH (a)-[:X|Y]->(b) RETURN a", "MATCH (a)-[:X|Y]->(b) RETURN a", True),
        ("MATCH (a:A) RETURN a LIMIT 3", "MATCH (a:A) RETURN a", False),
        ("MATCH (a:A) RETURN a LIMIT 3", "MATCH (a:A) RETURN a LIMIT 4", False),
        ("MATCH (a:A) RETURN a SKIP 1 LIMIT 3", "MATCH (a:A) RETURN a LIMIT 3 SKIP 1", False),
        ("MATCH (a) RETURN a.x ORDER BY a.x, a.y", "MATCH (a) RETURN a.x ORDER BY a.y, a.x", True),
        ("MATCH (a) WITH a MATCH (b) RETURN a", "MATCH (b) WITH a MATCH (a) RETURN a", False),
        ("MATCH (a) OPTIONAL MATCH (b) RETURN a", "MATCH (a) MATCH (b) RETURN a", False),
        (
            "MATCH (a) WHERE a.x STARTS WITH 'y' RETURN a",
            "match (a) where a.x starts with 'y' return a",
            True,
        ),
        ("MATCH (a {x: 1, y: 2}) RETURN a", "MATCH (a {y: 2, x: 1}) RETURN a", False),
        ("MATCH (a) RETURN f(a.x, 1)", "MATCH (a) RETURN f(1, a.x)", False),
        (
            "GO FROM 'a' OVER like YIELD dst(edge), rank(edge)",
            "GO FROM 'a' OVER like YIELD rank(edge), dst(edge)",
            True,
        ),
        ("GO FROM 'a' OVER like YIELD dst(edge)", "GO FROM 'a' OVER serve YIELD dst(edge)", False),
        (
            "MATCH (v:p) WHERE v.p.a == 1 RETURN v.p.b",
            "MATCH (v:p) WHERE v.p.a == '1' RETURN v.p.b",
            False,
        ),
        ("MATCH (n) RETURN n.limit, n.x", "MATCH (n) RETURN n.x, n.limit", True),
        ("RETURN 1 UNION RETURN 2", "RETURN 1 UNION ALL RETURN 2", False),
    ],
)
def test_exact_match_by_clause(gold: str, predicted: str, same: bool) -> None:
    assert same_parts(gold, predicted) is same
    assert same_parts(predicted, gold) is same


def test_a_word_of_starts_with_begins_no_clause() -> None:
    assert [key for key, _ in parts("MATCH (a) WHERE a.x STARTS WITH 'y' RETURN a")] == [
        "match",
        "where",
        "return",
    ]
