"""The file: what is read, what is refused with which line, what is written back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generators.questions.lexicon.check import foreign, lexicon_warnings
from generators.questions.lexicon.derive.store import merged, settled, with_noun
from generators.questions.lexicon.model import Lexicon, Property, Provenance, Thing
from generators.questions.lexicon.toml_file import lexicon_text, parse_lexicon, read_lexicon
from graphmill.errors import LexiconError, SourceError
from schemagraph.folder.statistics import PropertyStatistics
from tests.blocks import Block, blocks
from tests.schema_text import read_schema

HERE = Path(__file__).parent
TEXT = (HERE / "theatre.toml").read_text(encoding="utf-8")
SCHEMA = read_schema(
    """
Actor(id!: INTEGER, first_name: STRING, last_name: STRING, age: INTEGER)
Casting(actor_id!: INTEGER, play_id!: INTEGER)
Play(id!: INTEGER, title: STRING)
Casting-[OF_ACTOR]->Actor
Casting-[IN_PLAY]->Play
"""
)


@pytest.mark.parametrize("case", list(blocks(HERE / "wrong.cases")), ids=lambda b: b.place)
def test_what_is_wrong_is_told_with_its_line(case: Block) -> None:
    change, expected = case.lines
    old, new = change.split(" => ")
    assert old in TEXT
    with pytest.raises(LexiconError) as caught:
        parse_lexicon(TEXT.replace(old, new, 1), fits=lambda file: foreign(file, SCHEMA))
    assert any(f"lexicon.toml:{expected}" in problem for problem in caught.value.problems)


def test_all_problems_come_at_once() -> None:
    wrong = TEXT.replace("plural", "plurals").replace('"over {}"', '"over"').replace("means", "m")
    with pytest.raises(LexiconError) as caught:
        parse_lexicon(wrong)
    assert len(caught.value.problems) >= 3


def test_problems_with_the_schema_come_with_those_of_the_file() -> None:
    """Terms keep their numbers, also behind one that cannot be read, and a path of another form
    is not looked up."""
    more = '[[glossary]]\nterm = "t"\nof = "Nobody"\nis = "n.age > 1"\nmeans = " "\n'
    wrong = TEXT.replace("term =", "terms =") + more
    wrong = wrong.replace('singular = "actor"', 'singular = ""\nplurals = "x"')
    wrong = wrong.replace('"first_name"', '"first"').replace('"<OF_ACTOR"', '"OF_ACTOR"')
    wrong = wrong.replace("[properties.Actor]", "[properties.Actr]")
    with pytest.raises(LexiconError) as caught:
        parse_lexicon(wrong, fits=lambda file: foreign(file, SCHEMA))
    problems = "\n".join(caught.value.problems)
    for place in (
        "things.Actor.plurals",
        "paths.acts.along: 'OF_ACTOR' needs its direction",
        "properties.Actr: the schema has no node or edge type",
        "glossary.1.terms: no such key",
        "glossary.2.means: a blank text",
        "glossary.2.of: the schema has no node type 'Nobody'",
    ):
        assert place in problems, problems


def test_what_is_hardly_meant_is_warned_of() -> None:
    own = Property(values={"T": "male", "t": "male", "1": "one"})
    lexicon = Lexicon(
        things={
            "A": Thing(singular="Team"),
            "B": Thing(singular="team"),
            "C": Thing(singular="club", source=Provenance.RULE),
            "D": Thing(singular="club", source=Provenance.RULE),
        },
        properties={"A": {"sex": own, "open": own, "none": own}},
    )
    closed = PropertyStatistics(count=3, nulls=0, distinct=2, common=(("T", 2), ("F", 1)))
    known = {
        ("A", "sex"): closed,
        ("A", "open"): replace(closed, distinct=3),
        ("A", "none"): PropertyStatistics(count=0, nulls=3, distinct=0),
    }
    assert lexicon_warnings(lexicon, known) == [
        "A, B are all called 'team': nobody can tell one from another.",
        "properties.A.sex.values: the data have no 't'. Did you mean 'T'?",
        "properties.A.sex.values: the data have no '1'. There are: F, T.",
    ]


@pytest.mark.parametrize(
    "text", ["a=" + "[" * 50_000, "a=" + "1" * 6_000, "\0", "a=1\na=2", "[things]\nA=[]", "x"]
)
def test_hostile_texts_are_typed_errors(text: str) -> None:
    with pytest.raises(LexiconError):
        parse_lexicon(text)


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ('sure = "0.5"', "number"),
        ("sure = true", "number"),
        ("hidden = 1", "boolean"),
        ('hidden = "yes"', "boolean"),
        ("noun = 1979-05-27", "string"),
    ],
)
def test_a_value_of_another_type_is_not_turned_into_the_right_one(
    written: str, wanted: str
) -> None:
    with pytest.raises(LexiconError) as caught:
        parse_lexicon(f"[properties.Actor]\nage = {{ {written} }}")
    (problem,) = caught.value.problems
    name = written.split(" ")[0]
    assert problem == (
        f"lexicon.toml:2: properties.Actor.age.{name}: Input should be a valid {wanted}."
    )


@pytest.mark.parametrize("text", ["x = = 1", "nonsense = 1", "domain = 3"])
def test_a_wrong_file_says_what_to_do(text: str) -> None:
    with pytest.raises(LexiconError) as caught:
        parse_lexicon(f"\n{text}", "shop/lexicon.toml")
    *problems, advice = str(caught.value).split("\n")
    assert problems[0].startswith("shop/lexicon.toml:2: ")
    assert advice.startswith("Mend shop/lexicon.toml, or remove it")
    assert "`graphmill lexicon --graph DIR`" in advice


def test_bytes_that_are_no_text_and_places_that_are_no_file(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.toml"
    path.write_bytes(b"version = 1\n\xff")
    with pytest.raises(LexiconError, match=r"lexicon\.toml:2: not UTF-8"):
        read_lexicon(path)
    with pytest.raises(LexiconError, match="Cannot read"):
        read_lexicon(tmp_path)
    with pytest.raises(SourceError, match="character device"):
        read_lexicon(Path("/dev/zero"))


def test_writing_and_reading_again_changes_nothing() -> None:
    file = parse_lexicon(TEXT)
    text = lexicon_text(file.lexicon, file.comments)
    again = parse_lexicon(text)
    assert again.lexicon == file.lexicon
    assert "# said by the house\n[paths.acts]" in text
    assert lexicon_text(again.lexicon, again.comments) == text


def test_names_and_words_of_all_letters_are_written_so_that_they_come_back() -> None:
    odd = 'a "b" \\ c.d\u007f ü'
    lexicon = Lexicon(
        things={odd: Thing(singular="ü", plural="üs")},
        properties={odd: {odd: Property(noun="n", values={'"': "\\", "x.y": "z"})}},
    )
    with pytest.raises(LexiconError, match="control character"):
        parse_lexicon(lexicon_text(Lexicon(things={"A": Thing(singular="a\x7f")})))
    assert parse_lexicon(lexicon_text(lexicon)).lexicon == lexicon


def test_lookup_turns_paths_and_leaves_out_what_is_unsure() -> None:
    lexicon = parse_lexicon(TEXT).lexicon
    back = lexicon.path(("Play", "<IN_PLAY", "Casting", "OF_ACTOR>", "Actor"))
    assert back is not None
    assert back.forward is None
    assert back.backward is not None
    assert back.backward.verb == "act"
    age = lexicon.at(0.6).property("Actor", "age")
    assert age is not None
    assert (age.above, age.range) == ("", "aged {} to {}")
    assert lexicon.at(0.95).property("Actor", "age") is None


def _rules(plural: str = "") -> Lexicon:
    age = Property(noun="age", above="with an age above {}", source=Provenance.RULE, sure=0.9)
    return Lexicon(
        properties={"Actor": {"age": age}},
        things={"Play": Thing(singular="play", plural=plural, source=Provenance.RULE, sure=0.5)},
    )


def test_what_a_user_changed_is_kept_and_sure_without_being_marked() -> None:
    text = lexicon_text(_rules()).replace('singular = "play"', 'singular = "piece"')
    mine = settled(parse_lexicon(text))
    assert (mine.things["Play"].source, mine.things["Play"].sure) == (Provenance.USER, 1.0)
    assert mine.properties["Actor"]["age"].source is Provenance.RULE
    newer = merged(mine, _rules(plural="plays"))
    assert newer.things["Play"].singular == "piece"
    assert settled(parse_lexicon(lexicon_text(newer))) == newer


def test_a_confidence_that_a_user_lowered_stays_low() -> None:
    text = lexicon_text(_rules()).replace("sure = 0.9", "sure = 0.1")
    mine = settled(parse_lexicon(text)).properties["Actor"]["age"]
    assert (mine.source, mine.sure) == (Provenance.USER, 0.1)


def test_frames_follow_a_noun_that_a_user_changed() -> None:
    text = lexicon_text(_rules()).replace('noun = "age"', 'noun = "seniority"')
    newer = merged(settled(parse_lexicon(text)), _rules())
    assert newer.properties["Actor"]["age"].above == "with a seniority above {}"


def test_numbers_of_things_count_the_things() -> None:
    ayes = Property(noun="ayes", above="with more than {} ayes", ask="how many ayes … have")
    assert with_noun(ayes, "number of yes votes") == {
        "above": "with more than {} yes votes",
        "ask": "how many yes votes … have",
    }


def test_what_the_rules_no_longer_say_is_left_out_and_what_others_said_is_not() -> None:
    gone = Lexicon(
        things={
            "Old": Thing(singular="old", source=Provenance.RULE),
            "Mine": Thing(singular="mine", source=Provenance.USER),
        }
    )
    assert set(merged(gone, _rules()).things) == {"Mine", "Play"}
    assert set(merged(gone, _rules(), keep=True).things) == {"Old", "Mine", "Play"}


def test_a_key_that_is_there_twice_is_named() -> None:
    with pytest.raises(LexiconError, match=r":3: no TOML: the key 'singular' has a value already"):
        parse_lexicon('[things.A]\nsingular = "a"\nsingular = "b"\n')
    with pytest.raises(LexiconError, match=r":2: no TOML: the table .things.A. is there already"):
        parse_lexicon("[things.A]\n[things.A]\n")
