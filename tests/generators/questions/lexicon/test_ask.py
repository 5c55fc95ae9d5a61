"""A model as author of a lexicon: one request, every entry checked on its own."""

from __future__ import annotations

import json

from generators.questions.lexicon.completion.ask import ask_model
from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.model import Lexicon, Provenance, Term
from graphmill.llm.budget import Budget, Budgeted, Prices
from graphmill.llm.client import Client
from graphmill.llm.scripted import Scripted
from schemagraph.folder.statistics import GraphStatistics
from tests.schema_text import read_schema

SCHEMA = read_schema(
    """
Zorp(id!: INTEGER, name: STRING, xq: INTEGER)
Blarg(id!: INTEGER, name: STRING)
Zorp-[HAS_BLARG]->Blarg
"""
)
NO_DATA = GraphStatistics({}, {}, {})


def ask(
    known: Lexicon | None = None, **answer: object
) -> tuple[Lexicon, tuple[str, ...], Scripted]:
    model, budget = Scripted([json.dumps(answer)]), Budget(None, Prices(1.0, 1.0))
    with Client(Budgeted(model, budget), budget) as client:
        made, refused = ask_model(client, known or derive(SCHEMA), SCHEMA, NO_DATA, 0.6)
    return made, refused, model


def test_good_entries_are_taken_and_bad_ones_refused_with_the_reason() -> None:
    made, refused, model = ask(
        things=[
            {"type": "Zorp", "singular": "engine", "plural": "engines", "kind": "product"},
            {"type": "Zorb", "singular": "x", "plural": "xs", "kind": "thing"},
        ],
        paths=[
            {"along": ["Blarg", "<HAS_BLARG", "Zorp"], "forward": {"verb": "power"}},
            {"along": ["Zorp", "<HAS_BLARG", "Blarg"], "forward": {"verb": "x"}},
        ],
        properties=[
            {"type": "Zorp", "property": "xq", "noun": "thrust", "above": "above {} of thrust"},
            {"type": "Zorp", "property": "name", "above": "no blank"},
            {"type": "Zorp", "property": "nam"},
        ],
        glossary=[
            {"term": "t", "singular": "s", "type": "Zorp", "holds": "n.xq > 3", "means": "T."},
            {"term": "u", "singular": "s", "type": "Zorp", "holds": "n.xx > 3", "means": "U."},
        ],
    )
    assert made.things["Zorp"].singular == "engine"
    assert made.things["Zorp"].source is Provenance.MODEL
    path = made.path(("Zorp", "HAS_BLARG>", "Blarg"))
    assert path is not None
    assert path.backward is not None
    assert path.backward.verb == "power"
    assert made.properties["Zorp"]["xq"].noun == "thrust"
    assert [term.term for term in made.glossary] == ["t"]
    assert len(refused) == 5
    assert "Did you mean 'Zorp'?" in refused[0]
    assert any("write 'HAS_BLARG>'" in reason for reason in refused)
    assert len(model.asks) == 1


def test_the_request_shows_schema_doubts_and_shape() -> None:
    _, refused, model = ask()
    assert refused == ()
    text = model.asks[0].messages[0].text + model.asks[0].messages[1].text
    for shown in ("(:Zorp {", "properties.Zorp.xq", '"glossary"', "`along`", "junction"):
        assert shown in text


def test_a_term_that_a_user_refused_comes_from_no_model_either() -> None:
    no = Term(term="t", of="Zorp", holds="n.xq > 3", means="T.", sure=0.0)
    again = {"term": "u", "singular": "u", "type": "Zorp", "holds": "n.xq > 3", "means": "U."}
    made, refused, _ = ask(Lexicon(glossary=(no,)), glossary=[again])
    assert made.glossary == (no,)
    assert refused == ("glossary u: a user refused a term of this condition.",)
