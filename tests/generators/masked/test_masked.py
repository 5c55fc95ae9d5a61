"""Masked pairs: forms and their words, entities, names that are short, what is told back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from generators.masked.author import ModelMaskedAuthor, RuleMaskedAuthor
from generators.masked.back_translation import BackTranslator
from generators.masked.base import MaskedPair, masked_text, mentions, names_of, shown
from generators.masked.chinese import Chinese
from generators.masked.english import English
from generators.masked.filling import Filled, fill
from generators.masked.oral import ShortForms
from generators.masked.pool import Pool
from generators.masked.uniqueness import Uniqueness
from generators.questions.levels.authors import NotExpressible
from generators.questions.lexicon.toml_file import parse_lexicon
from graph_ir import nodes as ir
from graph_ir.cypher.reader import parse
from graphmill.errors import ConfigError
from graphmill.llm.client import Client
from graphmill.llm.scripted import Scripted
from graphmill.seed import rng
from graphmill.similarity.texts import Trigrams
from schemagraph.convert.service import convert
from schemagraph.views import SubSchema, sub_schemas
from tests.generators.queries.waters import Waters, written
from translators.render import render

WORDS = parse_lexicon(
    """
    [things]
    Lake = { singular = "湖泊", plural = "湖泊" }
    River = { singular = "河流", plural = "河流" }
    [paths.flows]
    along = ["River", "FLOWS_INTO>", "Lake"]
    forward = { verb = "流入" }
    [properties.Lake]
    id = { noun = "编号" }
    name = { noun = "名称" }
    depth = { noun = "深度" }
    country = { noun = "国家" }
    [properties.River]
    id = { noun = "编号" }
    name = { noun = "名称" }
    length = { noun = "长度" }
    """
).lexicon


@pytest.fixture(scope="module")
def waters(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Waters]:
    ground = Waters(written(tmp_path_factory.mktemp("waters")))
    yield ground
    ground.close()


def path_of(waters: Waters, *directions: bool) -> SubSchema:
    """Rivers and lakes, walked down (True) and up."""
    start = "River" if not directions or directions[0] else "Lake"
    return next(
        walked
        for path in sub_schemas(waters.schema, len(directions))
        for walked in (path, path.reversed())
        if walked.start == start
    )


def pairs(
    waters: Waters, path: SubSchema, speech: English | Chinese, count: int = 12
) -> list[MaskedPair]:
    author = RuleMaskedAuthor(waters, speech, "en")
    found = list(author.write(path, count, Random(5)))
    assert author.rejects == []
    return found


def test_english_says_each_form_in_few_words(waters: Waters) -> None:
    lexicon = parse_lexicon(
        """
        [paths.flows]
        along = ["River", "FLOWS_INTO>", "Lake"]
        forward = { verb = "flow", particle = "into" }
        backward = { be = "fed", particle = "by" }
        """
    ).lexicon
    asked = {
        pair.question
        for pair in pairs(waters, path_of(waters, True), English(waters.schema, lexicon), 20)
    }
    assert {
        "Which rivers flow into the lake [l]?",
        "How many rivers flow into the lake [l]?",
        "Which lakes are fed by the river [r]?",
        "How many lakes are fed by the river [r]?",
        "What are the name and the length of each river that flows into the lake [l]?",
    } <= asked
    above = re.compile(r"Which rivers whose length is more than [\d.]+ flow into the lake \[l\]\?")
    assert any(above.fullmatch(text) for text in asked)


def test_a_path_that_may_come_back_says_that_it_does_not(waters: Waters) -> None:
    """A MATCH uses no edge twice, and "other" is other than two hops before."""
    note = "Here, “other” only rules out going straight back, and no connection is used twice."
    for directions, expected in (((True, False), False), ((True, False, True), True)):
        path = path_of(waters, *directions)
        for pair in pairs(waters, path, English(waters.schema)):
            assert (note in pair.question) is expected
    (pair, *_) = pairs(waters, path_of(waters, True, False, True), Chinese(waters.schema, WORDS))
    assert "其中“其他”只表示不原路折返，同一条关系也不用两次。" in pair.question


def test_other_is_said_only_where_another_edge_leads_elsewhere(tmp_path: Path) -> None:
    raw = {
        "directed": True,
        "multigraph": True,
        "nodes": [{"id": name, "labels": ["Club"], "name": name} for name in ("Ada", "Bo", "Cy")],
        "links": [
            {"source": one, "target": two, "type": label}
            for one, two, label in (
                ("Ada", "Bo", "BEAT"),
                ("Ada", "Bo", "BEAT"),  # again
                ("Ada", "Bo", "OWNS"),
                ("Cy", "Bo", "OWNS"),
                ("Bo", "Bo", "HOSTS"),
            )
        ],
    }
    source = tmp_path / "clubs.json"
    source.write_text(json.dumps(raw))
    convert(str(source), tmp_path / "clubs")
    ground = Waters(tmp_path / "clubs")
    unique = Uniqueness.of(ground)
    assert {name.split("-")[1] for name in unique.loose} == {"BEAT", "HOSTS"}
    for path in sub_schemas(ground.schema, 2):
        if path.turns_back(1):
            owns = path.hops[0].edge.label == "OWNS"
            assert unique.other(path, 1) is owns
            assert unique.once(path) is not owns
            for pair in pairs(ground, path, English(ground.schema, None, unique), 3):
                assert ("other" in pair.question) is owns
                assert ("On the way, no connection is used twice." in pair.question) is not owns
    ground.close()


def test_question_and_query_have_the_same_masks_and_all_is_answered(waters: Waters) -> None:
    for hops in range(4):
        for path in sub_schemas(waters.schema, hops):
            for pair in pairs(waters, path, English(waters.schema), 4):
                assert mentions(pair.question) == names_of(pair.masks)
                got = fill(pair, waters, rng(7))
                if isinstance(got, str):  # two lakes have one river each: it goes no further
                    assert got == "no-instance"
                    assert hops > 1
                    continue
                assert got.answer.rows
                text = render(got.statement, "cypher", waters.schema).text
                assert parse(text) == got.statement


def test_masks_stand_in_the_text_of_ngql(waters: Waters) -> None:
    (pair, *_) = [
        pair
        for pair in pairs(waters, path_of(waters, True), English(waters.schema))
        if pair.form == "count" and pair.path.start == "River"
    ]
    text = masked_text(pair, waters.schema, lambda s: render(s, "ngql", waters.schema).text)
    assert text == (
        'MATCH (r:River {name: "[r]"})-[:FLOWS_INTO]->(l:Lake)\nRETURN count(DISTINCT l) AS number'
    )
    assert (
        shown("[r] and [r2] but not [rr]", {"r": "[r2]", "r2": "Esk"})
        == "[r2] and Esk but not [rr]"
    )


def test_chinese_uses_attributes_and_steps(waters: Waters) -> None:
    speech = Chinese(waters.schema, WORDS)
    asked = {
        pair.question
        for directions in ((True,), (False,))
        for pair in pairs(waters, path_of(waters, *directions), speech)
    }
    assert "河流[r]流入的湖泊有哪些？" in asked
    assert "流入湖泊[l]的河流有哪些？" in asked
    steps = {pair.question for pair in pairs(waters, path_of(waters, False, True, False), speech)}
    assert any(
        text.startswith("先找出流入湖泊[l]的河流，再找出这些河流流入的其他湖泊") for text in steps
    )
    path = "(:River {name: 'Esk'})-[:FLOWS_INTO]->(:Lake)<-[:FLOWS_INTO]-"
    told = []
    for middle in ("", "(:River)-[:FLOWS_INTO]->(:Lake)<-[:FLOWS_INTO]-"):
        query = parse(f"MATCH {path}{middle}(r:River) RETURN r.name AS n")
        assert isinstance(query, ir.Query)
        told.append(speech.back_translated(query))
    assert told == [
        "流入河流Esk流入的湖泊的河流的名称是什么？",
        "河流Esk流入的湖泊，流入这些湖泊的河流，这些河流流入的湖泊，流入这些湖泊的河流的名称是什么？",
    ]


def test_chinese_without_words_says_which_is_missing(waters: Waters) -> None:
    author = RuleMaskedAuthor(waters, Chinese(waters.schema), "zh")
    assert list(author.write(path_of(waters, True), 1, rng(7))) == []
    assert author.rejects[0].code == NotExpressible.code
    assert "There is no Chinese word for" in author.rejects[0].reason


@pytest.mark.parametrize("language", ["en", "zh"])
# NS-4: the query is told back, and compared with the question.
def test_a_pair_of_another_question_and_query_is_dropped(language: str, waters: Waters) -> None:
    chinese = Chinese(waters.schema, WORDS)
    speech = chinese if language == "zh" else English(waters.schema)
    by = chinese if language == "zh" else English(waters.schema)
    threshold = 0.3 if language == "zh" else 0.5
    teller = BackTranslator(waters.schema, Trigrams(), by, threshold)
    (pair,) = [p for p in pairs(waters, path_of(waters, True), speech) if p.form == "names"][:1]
    found = fill(pair, waters, rng(7))
    assert isinstance(found, Filled)
    question = shown(pair.question, found.names)
    told = teller.translate(found, question, rng(7))
    assert teller.objection(found, question, told) is None
    other = f"{found.names[pair.masks[0].name]}?"
    wrong = teller.objection(found, other, teller.translate(found, other, rng(7)))
    assert wrong is not None
    assert wrong[0] == "told-differently"
    lost = teller.objection(found, pair.question, told)
    assert lost is not None
    assert lost[0] == "value-lost"


# NS-6: names that users shorten.
def test_short_names_are_nobody_elses() -> None:
    halls = ShortForms(
        ["Harbour Lane Hall", "Mill Lane Hall", "Mill Lane", "Tern Music Ltd"], people=False
    )
    assert halls.of("Harbour Lane Hall") == "Harbour Lane"
    assert halls.of("Mill Lane Hall") == ""  # that is another one's name
    assert halls.of("Tern Music Ltd") == "Tern Music"
    assert ShortForms(["北方音乐厅", "南方音乐厅"], people=False).of("北方音乐厅") == "北方"


# --- the pool and the model -----------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_pool_starts_with_sixteen_pairs_that_fit(language: str) -> None:
    pool = Pool("zh" if language == "zh" else "en")
    assert len(pool.shots) == 16
    for shot in pool.shots:
        parse(shot.cypher)
        assert mentions(shot.question) == mentions(shot.cypher), shot
    assert len(pool.draw(4, rng(7))) == 4


@pytest.mark.parametrize("text", ['{"question": "?"}\n', "[1]\n", "[" * 5_000, '{"a": 1, "a": 2}'])
def test_a_pool_that_is_none_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "pool.jsonl").write_text(text)
    with pytest.raises(ConfigError, match="is no pool of masked pairs"):
        Pool("en", tmp_path / "pool.jsonl")


GOOD = {
    "question": "How deep are the lakes that [r] flows into?",
    "cypher": "MATCH (r:River {name: '[r]'})-[:FLOWS_INTO]->(l:Lake) RETURN l.depth AS depth",
}
BAD = {
    "other-path": ("Where is [l]?", "MATCH (l:Lake {name: '[l]'}) RETURN l.country"),
    "other-masks": ("How deep are the lakes?", GOOD["cypher"]),
    "mask-place": (
        "Where does [r] flow?",
        "MATCH (r:River)-[:FLOWS_INTO]->(l) WHERE r.name = '[r]' RETURN l.name",
    ),
    "writes": ("Dry [r].", "MATCH (r:River {name: '[r]'})-[f:FLOWS_INTO]->() DELETE f"),
    "duplicate": (GOOD["question"], GOOD["cypher"]),
}


def test_a_model_is_shown_pairs_and_what_it_writes_is_read(waters: Waters) -> None:
    given = [GOOD, *({"question": q, "cypher": c} for q, c in BAD.values())]
    model = Scripted([json.dumps({"pairs": given})])
    with Client(model) as client:
        pool = Pool("en")
        author = ModelMaskedAuthor(waters, client, "en", pool, 4)
        (pair,) = author.write(path_of(waters, True), 9, rng(7))
    assert [reject.code for reject in author.rejects] == list(BAD)
    assert len(pool.shots) == 17
    prompt = model.asks[0].messages[1].text
    assert prompt.count("Question:") == 4
    assert "(River)-[FLOWS_INTO]->(Lake)" in prompt
    got = fill(pair, waters, rng(7))
    assert isinstance(got, Filled)
    assert ("Lake", "depth") in pair.properties
    assert fill(replace(pair, masks=()), waters, rng(7)) == "no-answer"
