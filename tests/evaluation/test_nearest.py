"""`nearest`: the nearest training question's query, with the new question's values in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluation.answering.values import Values
from evaluation.base import Attempt, Example, Setting, Task
from evaluation.systems.nearest import Nearest
from graph_ir import nodes as ir
from graph_ir.canonical import fingerprint
from graph_ir.cypher.reader import parse
from graph_ir.walk import find
from graphmill.errors import UnknownNameError
from graphmill.record import Provenance, Questions, Record
from pipelines.cli.commands import main
from schemagraph.folder.serde import load_schema
from translators.language import Origin, reader

CALLS = "MATCH (s:Ship)-[:CALLS_AT]->(p:Port) WHERE p.name = 'Kiel' RETURN s.name"
BUILT = "MATCH (s:Ship) WHERE s.built > 2000 RETURN s.name"
TOP = "MATCH (s:Ship) RETURN s.name ORDER BY s.built DESC LIMIT 2"
BOTH = "MATCH (s:Ship {name: 'Stena'})-[:CALLS_AT]->(p:Port) WHERE p.name <> 'Kiel' RETURN p.name"
SAILS = "MATCH (c:Crossing) WHERE c.day = date('2024-05-01') RETURN c.id"

type Answers = Callable[..., Attempt]


@pytest.fixture
def answer(corpus: Path) -> Answers:
    """What `nearest` answers to a question, given training pairs (question, Cypher)."""
    graph = corpus / "graphs" / "ferries"
    schema = load_schema(graph)

    def answered(
        question: str, *pairs: tuple[str, str], language: str = "cypher", **settings: str
    ) -> Attempt:
        examples = []
        for asked, query in pairs:
            record = Record(
                "ferries",
                "ferries",
                Questions(asked),
                {"cypher": query},
                Provenance("test", "1", 7),
            )
            examples.append(Example(record, asked, query, schema))
        system = Nearest(Setting(language, examples, options=settings))
        return system.answer(Task("t", "ferries", question, language, schema, graph))

    return answered


@pytest.mark.parametrize(
    ("question", "asked", "query", "old", "new"),
    [
        ("Which ships call at Oslo?", "Which ships call at Kiel?", CALLS, "'Kiel'", "'Oslo'"),
        ("which ships call at göteborg", "Which ships call at Kiel?", CALLS, "Kiel", "Göteborg"),
        ("Ships built after 1,990?", "Ships built after 2000?", BUILT, "2000", "1990"),
        ("What sails on 3 May 2024?", "What sails on 1 May 2024?", SAILS, "-01", "-03"),
        ("Name the three newest ships.", "Name the 2 newest ships.", TOP, "2", "3"),
    ],
)  # fmt: skip
def test_constants_of_the_question_replace_those_of_the_example(
    answer: Answers, question: str, asked: str, query: str, old: str, new: str
) -> None:
    given = answer(question, (asked, query)).query
    assert given is not None
    assert fingerprint(parse(given)) == fingerprint(parse(query.replace(old, new)))


def test_a_value_goes_where_its_property_is(answer: Answers) -> None:
    given = answer(
        "Besides Oslo, where does Aurora call?", ("Where does Stena call besides Kiel?", BOTH)
    ).query
    assert given is not None
    assert "'Aurora'" in given
    assert "'Oslo'" in given
    assert given.index("Aurora") < given.index("Oslo")  # the ship's pattern stands first


def test_two_values_of_one_sort_change_places_at_once(answer: Answers) -> None:
    query = "MATCH (s:Ship) WHERE s.built > 1990 AND s.built < 2010 RETURN s.name"
    given = answer("Ships built from 2010 to 2020?", ("Ships built from 1990 to 2010?", query))
    assert given.query is not None
    assert "> 2010" in given.query
    assert "< 2020" in given.query


def test_a_constant_that_the_example_does_not_name_stays(answer: Answers) -> None:
    top = "MATCH (s:Ship) RETURN s.name ORDER BY s.built DESC LIMIT 1"
    given = answer("Which ship is the newest of 2019?", ("Which ship is the newest?", top))
    assert given.query == top


def test_the_values_do_not_decide_which_example_is_near(answer: Answers) -> None:
    trap = ("Where is Kiel?", "MATCH (p:Port {name: 'Kiel'}) RETURN p.country")
    given = answer("Which ships call at Kiel?", trap, ("Which ships call at Oslo?", CALLS))
    assert given.query is not None
    assert "CALLS_AT" in given.query


def test_ablation_without_values_and_unknown_settings(answer: Answers) -> None:
    pair = ("Which ships call at Kiel?", CALLS)
    assert answer("Which ships call at Oslo?", pair, values="no").query == CALLS
    assert answer("Which ships call at Oslo?").query is None
    with pytest.raises(UnknownNameError, match="setting of nearest"):
        answer("Which ships call at Oslo?", pair, shots="4")


def test_other_languages_get_their_own_text(answer: Answers) -> None:
    given = answer("Which ships call at O'Hara?", ("Which ships call at Kiel?", CALLS)).query
    assert given == CALLS  # no value of the graph, not quoted: nothing to put in
    quoted = answer(
        'Which ships call at "O\'Hara"?', ("Which ships call at Kiel?", CALLS), language="gql"
    ).query
    assert quoted is not None
    read = reader("gql", Origin())(quoted)
    assert [literal.value for literal in find(read, ir.Literal)] == ["O'Hara"]


def test_values_are_found_as_whole_words_the_longest_first(corpus: Path) -> None:
    graph = corpus / "graphs" / "ferries"
    values = Values.of(graph, load_schema(graph))
    found = values.mentions("From Frederikshavn (Denmark) to KIEL, not Kielce, on 2024-05-01: 2?")
    assert [(m.sort, m.value) for m in found] == [
        ("text", "Frederikshavn"),
        ("text", "Denmark"),
        ("text", "Kiel"),
        ("date", "2024-05-01"),
        ("number", 2),
    ]
    assert found[0].places == {("Port", "name")}
    assert [m.value for m in values.mentions("berth a1 or A1")] == ["A1"]  # short: as written


def test_a_run_end_to_end_writes_the_same_bytes(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["evaluate", str(corpus), "--system", "nearest", "--question", "original"]
    for name in ("a", "b"):
        assert main([*arguments, "--quiet", "--out", str(tmp_path / name)]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[0])
    assert figures["split"] == "test"
    assert figures["system"]["settings"] == {"across": "no", "encoder": "trigrams", "values": "yes"}
    assert figures["languages"]["cypher"]["n"] > 0
    for file in ("predictions.jsonl", "scores.json", "trace.jsonl", "report.html"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--predictions", "x"], "either"),
        (["--model", "m"], "asks no model"),
        (["--set", "across"], "NAME=VALUE"),
        (["--set", "across=perhaps"], "across of nearest"),
        (["--split", "tset"], "split"),
        (["--calls", "0"], "at least 1"),
        (["--language", "klingon"], "language"),
    ],
)
def test_wrong_options_are_sentences(
    corpus: Path, more: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["evaluate", str(corpus), "--system", "nearest", "--quiet", *more]) == 1
    assert told in capsys.readouterr().err
