"""The file: what is read, what is refused with which line, what is written back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generators.questions.lexicon.check import foreign
from generators.questions.lexicon.completion import complete
from generators.questions.lexicon.completion.complete import completed
from generators.questions.lexicon.completion.store import merged, with_noun
from generators.questions.lexicon.derive import derive
from generators.questions.lexicon.doubts.listing import doubts
from generators.questions.lexicon.lint import lexicon_warnings
from generators.questions.lexicon.model import (
    Lexicon,
    Phrase,
    Property,
    Provenance,
    Standing,
    Term,
    Thing,
)
from generators.questions.lexicon.model import Path as Along
from generators.questions.lexicon.settle import comments_in, settled
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


@pytest.mark.parametrize(
    "name", ["a\nb", "\x1b[1m", "\x7f", "a\x85b", "\u202eb", "a\u2028b", "\U000e0001", "x" * 900]
)
def test_names_of_any_characters_are_read_as_they_were_written(name: str) -> None:
    """They name what the schema has, or what it stores, and are not spoken."""
    rule = Provenance.RULE
    values = {f"{name}\r": "open"}
    lexicon = Lexicon(
        things={
            name: Thing(singular=f"q{'x' * 500}", name=(name,), joins=(name, name), source=rule)
        },
        paths={name: Along(along=(name, f"{name}>", name), source=rule)},
        properties={name: {name: Property(noun="state", values=values, source=rule)}},
        glossary=(Term(term="t", of=name, holds="n.a > 1", means="m", source=Provenance.USER),),
    )
    text = lexicon_text(lexicon)
    assert text.replace("\n", "").isprintable()
    file = parse_lexicon(text)
    assert file.lexicon == lexicon
    assert lexicon_text(settled(file)) == text


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
        'glossary "t".means: a blank text',
        'glossary "t".of: the schema has no node type',
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
    with pytest.raises(LexiconError, match=r":3: not TOML: the key 'singular' has a value already"):
        parse_lexicon('[things.A]\nsingular = "a"\nsingular = "b"\n')
    with pytest.raises(LexiconError, match=r":2: not TOML: the table .things.A. is there already"):
        parse_lexicon("[things.A]\n[things.A]\n")


SECOND = """
[[glossary]]
term = "veteran actors"
of = "Actor"
is = "n.age > 70"
means = "Veteran actors are those over 70."
"""


def test_a_term_that_is_defined_twice_is_refused_and_not_lost() -> None:
    with pytest.raises(LexiconError) as caught:
        parse_lexicon(f"{TEXT}{SECOND}")
    (problem,) = caught.value.problems
    assert problem.startswith(
        "lexicon.toml:24: glossary \"veteran actors\".term: 'veteran actors' of Actor is"
    )
    assert "first in line 17" in problem


def _foreign(text: str) -> list[str]:
    return foreign(parse_lexicon(text), SCHEMA)


PATH = """
[paths.plays]
along = ["Play", "<IN_PLAY", "Casting", "OF_ACTOR>", "Actor"]
forward = { verb = "feature" }
"""


def test_two_paths_along_the_same_edges_are_refused_either_way() -> None:
    (problem,) = _foreign(f"{PATH}{TEXT.removeprefix('version = 1')}")
    assert problem.startswith("lexicon.toml:15: paths.acts.along: the edges of paths.plays")
    by_rule = f'{PATH}from = "rule"\n{TEXT.removeprefix("version = 1")}'
    assert len(_foreign(by_rule)) == 1
    both = by_rule.replace("[paths.acts]", '[paths.acts]\nfrom = "rule"')
    assert _foreign(both) == []


def test_a_path_of_a_user_stands_in_the_place_of_the_rules_either_way() -> None:
    mine = parse_lexicon(PATH).lexicon
    rules = parse_lexicon(TEXT.replace("[paths.acts]", '[paths.acts]\nfrom = "rule"')).lexicon
    assert set(merged(mine, rules).paths) == {"plays"}
    older = replace(rules, paths={"older": rules.paths["acts"]})
    assert set(merged(older, rules).paths) == {"acts"}


def _terms(name: str = "premium plays", sure: float = 0.3) -> Lexicon:
    term = Term(
        term=name, of="Play", holds="n.id > 9", means="…", source=Provenance.RULE, sure=sure
    )
    return Lexicon(glossary=(term,))


def test_a_term_that_a_user_refused_stays_refused() -> None:
    text = lexicon_text(_terms()).replace("sure = 0.3", "sure = 0.0")
    mine = settled(parse_lexicon(text))
    newer = merged(mine, _terms("premium pieces", 0.9))
    assert [(t.term, t.source, t.sure) for t in newer.glossary] == [
        ("premium plays", Provenance.USER, 0.0)
    ]
    assert doubts(newer, SCHEMA) == []
    assert newer.at(0.0).glossary == ()
    assert settled(parse_lexicon(lexicon_text(newer))) == newer
    assert len(doubts(_terms(), SCHEMA)) == 1


def test_a_term_that_a_user_called_otherwise_is_not_proposed_again() -> None:
    text = lexicon_text(_terms()).replace('"premium plays"', '"grand plays"')
    newer = merged(settled(parse_lexicon(text)), _terms())
    assert [(term.term, term.sure) for term in newer.glossary] == [("grand plays", 1.0)]


def test_what_a_user_gives_no_confidence_is_neither_used_nor_asked_for() -> None:
    along = ("Actor", "<OF_ACTOR", "Casting")
    lexicon = Lexicon(
        things={"Actor": Thing(singular="actor", sure=0.0)},
        paths={"p": Along(along=along, sure=0.0)},
        properties={"Actor": {"age": Property(noun="age", sure=0.0)}},
    )
    assert doubts(lexicon, SCHEMA) == []
    sure = lexicon.at(0.0)
    assert (sure.things, sure.paths, sure.properties["Actor"]) == ({}, {}, {})
    rules = replace(lexicon, things={"Actor": Thing(singular="actor", source=Provenance.RULE)})
    assert "Actor" in rules.at(0.0).things


def test_a_part_that_a_user_refuses_is_left_out_and_the_rest_stays() -> None:
    rules = Lexicon(
        properties={
            "Actor": {
                "age": Property(
                    noun="age", above="over {}", most="oldest", source=Provenance.RULE, sure=0.9,
                    unsure={"most": 0.3, "above": 0.3},
                )
            }
        }
    )  # fmt: skip
    text = lexicon_text(rules).replace("most = 0.3", "most = 0.0")
    mine = settled(parse_lexicon(text))
    assert doubts(mine, SCHEMA) == []
    age = mine.at(0.0).properties["Actor"]["age"]
    assert (age.above, age.most) == ("over {}", "")


def test_a_thing_that_nothing_names_is_asked_for_its_name_no_more() -> None:
    text = '[things.Actor]\nsingular = "actor"\nplural = "actors"\n'
    assert [d.asks for d in doubts(parse_lexicon(text).lexicon, SCHEMA)] == [
        "which properties are its name (name = [] says none)?"
    ]
    lexicon = parse_lexicon(f"{text}name = []\n").lexicon
    assert doubts(lexicon, SCHEMA) == []
    assert "name = []" in lexicon_text(lexicon)
    assert parse_lexicon(lexicon_text(lexicon)).lexicon == lexicon
    rules = Lexicon(things={"Actor": Thing(singular="actor", source=Provenance.RULE)})
    edited = lexicon_text(rules).replace('"actor"', '"actor"\nname = []', 1)
    newer = merged(settled(parse_lexicon(edited)), rules)
    assert newer.things["Actor"].nameless
    with pytest.raises(LexiconError, match="nameless: no such key"):
        parse_lexicon(f"{text}nameless = true\n")


def test_the_words_of_a_schema_name_a_thing_less_where_an_author_says_that_nothing_does() -> None:
    nameless = Lexicon(things={"Play": Thing(singular="play", nameless=True)})
    assert derive(SCHEMA).things["Play"].name == ("title",)
    assert completed(nameless, SCHEMA).things["Play"].name == ()


def test_an_answered_doubt_about_a_path_does_not_come_back() -> None:
    path = Along(
        along=("Actor", "<OF_ACTOR", "Casting"), forward=Phrase(verb="have"),
        source=Provenance.RULE, sure=0.3, unsure={"backward": 0.2},
    )  # fmt: skip
    text = lexicon_text(Lexicon(paths={"p": path})).replace("sure = 0.3", "sure = 1.0")
    assert doubts(settled(parse_lexicon(text)), SCHEMA) == []


def test_words_that_tell_nothing_apart_are_warned_of() -> None:
    code = Property(noun="sex", values={"1": "x", "2": "X", "m": "male", "M": "male"})
    lexicon = Lexicon(
        things={
            "A": Thing(singular="species", plural="series"),
            "B": Thing(singular="run", plural="Series"),
            "C": Thing(singular="disc", plural="discs", also=("run",)),
            "D": Thing(singular="disk", plural="disks", also=("DISC",), source=Provenance.RULE),
        },
        properties={
            "A": {
                "sex": code,
                "bare": Property(noun="x", equal="{}", unequal="not {}"),
                "sort": Property(values={"l": "lamps"}, place=Standing.HEAD),
                "rule": replace(code, source=Provenance.RULE),
            }
        },
    )
    assert lexicon_warnings(lexicon, {}) == [
        "A, B are all called 'series' in the plural: nobody can tell one from another.",
        "things.C.also: 'run' is a word for B, too.",
        "things.D.also: 'disc' is a word for C, too.",
        "properties.A.sex.values: '1' and '2' are all said 'x': nobody can tell one from another.",
        "properties.A.bare.equal: '{}' alone puts the bare value behind the noun of A: "
        "write the words around it.",
        "properties.A.bare.unequal: 'not {}' alone puts the bare value behind the noun of A: "
        "write the words around it.",
        "properties.A.sort.values: 'lamps' takes the place of the noun for one: "
        "write the singular.",
    ]


def test_comments_stay_with_their_term() -> None:
    second = SECOND.replace("veteran", "seasoned").replace("[[", "# ours\n[[")
    file = parse_lexicon(f"{TEXT}{second}")
    other = replace(file.lexicon, glossary=file.lexicon.glossary[::-1])
    text = lexicon_text(other, comments_in(other, file))
    assert '# ours\n[[glossary]]\nterm = "seasoned actors"' in text
    assert '\n\n[[glossary]]\nterm = "veteran actors"' in text
    gone = replace(other, glossary=other.glossary[1:])
    assert "# ours" not in lexicon_text(gone, comments_in(gone, file))


def test_a_term_of_an_author_stands_alone() -> None:
    schema = read_schema("Play(id!: INTEGER, title: STRING)")
    mine = Lexicon(glossary=(Term(term="premium plays", of="Play", holds="n.id > 1"),))
    rules = _terms()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(complete, "derive", lambda *_: rules)
        assert completed(mine, schema).glossary == mine.glossary
