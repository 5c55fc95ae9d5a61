"""Questions by a model: by persona, judged, mended once; knowledge; translated back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import pytest

from generators.questions.author import QuestionSet
from generators.questions.levels.model import Level, ModelQuestionAuthor, Objection, QuestionsUnfit
from generators.questions.levels.recovery import Recovery, agrees, recover
from generators.questions.levels.rules import RuleAuthor
from generators.questions.lexicon.derive import derive
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graph_ir.values import lost
from graphmill.errors import LLMError
from graphmill.llm.base import Ask, Reply
from graphmill.llm.budget import Budget, Budgeted, Prices
from graphmill.llm.client import Client
from graphmill.llm.scripted import Line, Scripted
from graphmill.seed import rng
from tests.generators.queries.waters import Waters, written

QUERY = parse(
    "MATCH (r:River)-[:FLOWS_INTO]->(l:Lake) WHERE l.depth > 110 "
    "RETURN l.name AS lake, count(r) AS rivers ORDER BY rivers DESC"
)
PERSONAS: dict[Level, str] = {
    "syntactic": "You are an engineer",
    "logical": "You use a database every day",
    "business": "You are an analyst",
}
GOOD: dict[Level, str] = {
    "syntactic": "Match River nodes that FLOWS_INTO Lake nodes with depth over 110, count by name.",
    "logical": "How many rivers flow into each lake with a depth of more than 110 metres?",
    "business": "Which lakes deeper than 110 metres are fed most?",
}
KNOWN = "A lake is fed by the rivers that flow into it."


@pytest.fixture(scope="module")
def waters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Waters]:
    ground = Waters(written(tmp_path_factory.mktemp("waters")))
    yield ground
    ground.close()


def keeps_values(statement: ir.Statement, found: QuestionSet) -> Sequence[Objection]:
    asked = found.questions
    texts: dict[Level, str] = {
        "syntactic": asked.syntactic,
        "logical": asked.logical,
        "business": asked.business,
    }
    return [
        Objection(level, "value-lost", f"{lost(statement, text)} is lost.")
        for level, text in texts.items()
        if lost(statement, text)
    ]


class Persona:
    """A model that answers for each level in turn; the knowledge is what `known` says."""

    def __init__(self, known: str = KNOWN, **texts: Sequence[Line]) -> None:
        lines: dict[str, list[Line]] = {level: [text] for level, text in GOOD.items()}
        self.lines = {**lines, **{level: list(given) for level, given in texts.items()}}
        self.known = known
        self.asks: list[Ask] = []

    def __call__(self, ask: Ask) -> Line:
        self.asks.append(ask)
        head = ask.messages[0].text
        for level, persona in PERSONAS.items():
            if head.startswith(persona):
                line = self.lines[level].pop(0)
                return json.dumps({"question": line}) if isinstance(line, str) else line
        return json.dumps({"knowledge": self.known})


def rules(waters: Waters) -> RuleAuthor:
    return RuleAuthor(derive(waters.schema, waters.statistics))


def write(
    waters: Waters, model: Persona, fallback: RuleAuthor | None = None
) -> tuple[QuestionSet, Budget]:
    budget = Budget(None, Prices(1.0, 1.0))
    samples = {("Lake", "depth"): 106}
    with Client(Budgeted(Scripted(model), budget), budget) as client:
        author = ModelQuestionAuthor(client, keeps_values, samples, fallback)
        return author.write(QUERY, waters.schema, rng(7)), budget


def test_each_level_is_asked_for_as_its_persona_would_and_knowledge_apart(waters: Waters) -> None:
    model = Persona()
    found, budget = write(waters, model)
    assert found.questions.syntactic == GOOD["syntactic"]
    assert found.questions.logical == GOOD["logical"]
    assert found.questions.business == GOOD["business"]
    assert found.knowledge == KNOWN
    assert len(model.asks) == 4
    assert all("depth: INTEGER = 106" in ask.messages[1].text for ask in model.asks)
    assert GOOD["business"] in model.asks[3].messages[1].text
    assert budget.stages["questions"].calls == 3
    assert budget.stages["questions"].accepted == budget.stages["knowledge"].calls == 1
    assert budget.stages["knowledge"].usd > 0


def test_only_the_wrong_level_goes_back_with_what_is_wrong(waters: Waters) -> None:
    model = Persona(logical=["How many rivers flow into deep lakes?", GOOD["logical"]])
    found, budget = write(waters, model)
    assert found.questions.logical == GOOD["logical"]
    assert budget.stages["questions"].calls == 4
    assert "[value-lost] (110,) is lost." in model.asks[-1].messages[-1].text


def test_a_new_business_question_has_its_knowledge_asked_anew(waters: Waters) -> None:
    model = Persona(business=["Which deep lakes are fed most?", GOOD["business"]])
    _, budget = write(waters, model)
    assert budget.stages["knowledge"].calls == 2
    assert GOOD["business"] in model.asks[-1].messages[1].text


def test_wrong_twice_is_refused_or_left_to_the_rules(waters: Waters) -> None:
    bad = ["Which lakes?", "Which lakes, please?"]
    with pytest.raises(QuestionsUnfit) as caught:
        write(waters, Persona(business=bad))
    assert caught.value.code == "value-lost"
    found, budget = write(waters, Persona(business=bad), rules(waters))
    assert found.questions == rules(waters).write(QUERY, waters.schema, rng(7)).questions
    assert budget.stages["questions"].accepted == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [(Reply("No.", "m", 5, 5, finish="refusal"), "refusal"), (Reply("", "m"), "empty")],
)
def test_an_answer_that_is_none_is_a_matter_of_these_questions(
    line: Line, code: str, waters: Waters
) -> None:
    with pytest.raises(QuestionsUnfit) as caught:
        write(waters, Persona(logical=[line]))
    assert caught.value.code == code


def test_an_endpoint_that_fails_ends_the_work_whatever_the_fallback(waters: Waters) -> None:
    with pytest.raises(LLMError, match="budget"):
        write(
            waters,
            Persona(logical=[LLMError("The budget is up.", "budget")]),
            rules(waters),
        )


@pytest.mark.parametrize("known", ["One. Two. Three.", "word " * 51])
def test_knowledge_is_brief(known: str, waters: Waters) -> None:
    with pytest.raises(QuestionsUnfit, match="at most 2 sentences"):
        write(waters, Persona(known))


def test_no_knowledge_is_an_answer(waters: Waters) -> None:
    assert write(waters, Persona(" "))[0].knowledge == ""


# --- back-translation -----------------------------------------------------------------------

RIGHT = (
    "MATCH (l:Lake)<-[:FLOWS_INTO]-(r) WHERE l.depth >= 111 "
    "RETURN count(*) AS n, l.name AS name ORDER BY n DESC"
)
WRONG = "MATCH (l:Lake) RETURN l.name, l.depth"


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (RIGHT, True),
        (WRONG, False),
        ("MATCH (l:Lake) DETACH DELETE l", False),
        ("no query", False),
        ("MATCH (l:Lake) WHERE l.depth > 110 RETURN l.name", False),
    ],
)
def test_a_translation_agrees_by_its_answer(text: str, same: bool, waters: Waters) -> None:
    assert agrees(text, QUERY, waters) is same


def test_ties_that_a_limit_cuts_are_ties(waters: Waters) -> None:
    gold = parse("MATCH (r:River)-[:FLOWS_INTO]->(l) RETURN l.name ORDER BY l.country DESC LIMIT 1")
    other = "MATCH (r:River)-[:FLOWS_INTO]->(l {name: 'Vättern'}) RETURN l.name"
    norway = "MATCH (r:River)-[:FLOWS_INTO]->(l {name: 'Mjøsa'}) RETURN l.name"
    assert agrees(other, gold, waters)
    assert not agrees(norway, gold, waters)


@pytest.mark.parametrize(
    ("alone", "told", "worth"),
    [
        ([WRONG, WRONG], [RIGHT, WRONG], "needed"),
        ([WRONG, RIGHT], [RIGHT, RIGHT], "helpful"),
        ([RIGHT, RIGHT], [RIGHT, RIGHT], "redundant"),
        ([WRONG, WRONG], [WRONG, WRONG], ""),
    ],
)
def test_what_knowledge_is_worth(
    alone: list[str], told: list[str], worth: str, waters: Waters
) -> None:
    def answer(ask: Ask) -> str:
        lines = told if KNOWN in ask.messages[1].text else alone
        return json.dumps({"cypher": lines[ask.repetition]})

    with Client(Scripted(answer)) as client:
        found = recover(
            client, waters, QUERY, GOOD["business"], KNOWN, trials=2, rng=rng(7)
        )  # fmt: skip
    assert found.worth(KNOWN) == worth
    assert found.recovered is bool(worth)


def test_without_knowledge_nothing_is_asked_twice(waters: Waters) -> None:
    model = Scripted([json.dumps({"cypher": RIGHT})])
    with Client(model) as client:
        found = recover(client, waters, QUERY, "?", "", trials=1, rng=rng(7))
    assert found == Recovery(1, 1, 1)
    assert found.worth("") == ""
