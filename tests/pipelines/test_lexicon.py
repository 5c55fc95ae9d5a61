"""`graphmill lexicon` on a graph folder: what it writes, keeps and leaves alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generators.questions.lexicon.model import FILE, Lexicon, Phrase
from generators.questions.lexicon.model import Path as LexiconPath
from generators.questions.lexicon.toml_file import read_lexicon
from graphmill.files import data_folder
from pipelines.build.question_writer import spoken
from pipelines.cli.commands import main
from pipelines.lexicon import replies_of
from schemagraph.convert.service import convert
from schemagraph.folder.check import check_graph
from schemagraph.folder.graphdata import graph_fingerprint

SHOP = """
CREATE TABLE shop (id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE lamp (id INTEGER PRIMARY KEY, title TEXT, price REAL, shop_id INTEGER REFERENCES shop);
INSERT INTO shop VALUES (1, 'North'), (2, 'South');
INSERT INTO lamp VALUES (1, 'Atlas', 20, 1), (2, 'Orion', 90, 1), (3, 'Vega', 45, 2);
"""


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    import sqlite3

    with sqlite3.connect(tmp_path / "shop.sqlite") as database:
        database.executescript(SHOP)
    database.close()
    convert(str(tmp_path / "shop.sqlite"), tmp_path / "shop")
    return tmp_path / "shop"


def test_writing_and_editing_it_breaks_no_hash_and_keeps_what_a_user_said(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = graph_fingerprint(graph, deep=True)
    assert main(["lexicon", "--graph", str(graph)]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["coverage"]["things"] == {"sure": 2, "of": 2}
    assert "words for 2 of 2 things" in printed.err
    path = graph / FILE
    first = path.read_text()
    assert 'above = "costing more than {}"' in first
    assert main(["lexicon", "--graph", str(graph)]) == 0
    assert path.read_text() == first
    path.write_text(first.replace('plural = "lamps"', 'plural = "lights"'))
    assert main(["lexicon", "--graph", str(graph)]) == 0
    lamp = read_lexicon(path).lexicon.things["Lamp"]
    assert (lamp.plural, str(lamp.source)) == ("lights", "user")
    assert graph_fingerprint(graph, deep=True) == before
    assert [d for d in check_graph(graph) if d.severity == "error"] == []


def test_a_wrong_file_is_an_error_with_its_line_and_stays_as_it_is(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (graph / FILE).write_text('[things.Lamb]\nsingular = "lamp"\n')
    assert main(["lexicon", "--graph", str(graph)]) == 1
    said = capsys.readouterr().err
    assert f"{FILE}:1: things.Lamb: the schema has no node type 'Lamb'" in said
    assert "Did you mean 'Lamp'?" in said
    assert (graph / FILE).read_text() == '[things.Lamb]\nsingular = "lamp"\n'


def test_the_lexicon_of_the_example_is_whole_and_declared() -> None:
    file = read_lexicon(data_folder() / "sources" / "museum_loans" / FILE)
    assert {str(thing.source) for thing in file.lexicon.things.values()} == {"declared"}
    path = file.lexicon.path(("Museum", "<HAS_LENDER", "Loan", "HAS_ARTWORK>", "Artwork"))
    assert path is not None
    assert path.forward is not None
    assert path.forward.verb == "lend"


def test_one_noun_for_two_types_is_warned_of(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (graph / FILE).write_text('[things.Lamp]\nsingular = "shop"\nplural = "shops"\n')
    assert main(["lexicon", "--graph", str(graph)]) == 0
    printed = capsys.readouterr()
    (warning,) = json.loads(printed.out)["warnings"]
    assert "all called 'shop'" in warning
    assert f"warning: {warning}" in printed.err


def test_a_check_tells_everything_and_writes_nothing(
    graph: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = graph / FILE
    assert main(["lexicon", "--graph", str(graph), "--check"]) == 0
    assert not path.exists()
    assert json.loads(capsys.readouterr().out)["changes"] is True
    path.write_text('[things.Lamp]\nsingular = "shop"\nplural = "shops"\n')
    assert main(["lexicon", "--graph", str(graph), "--check"]) == 0
    printed = capsys.readouterr()
    assert len(json.loads(printed.out)["warnings"]) == 1
    assert "Nothing was written; without --check the file would be written anew." in printed.err
    assert path.read_text() == '[things.Lamp]\nsingular = "shop"\nplural = "shops"\n'
    assert main(["lexicon", "--graph", str(graph)]) == 0
    capsys.readouterr()
    assert main(["lexicon", "--graph", str(graph), "--check"]) == 0
    assert json.loads(capsys.readouterr().out)["changes"] is False
    assert main(["lexicon", "--graph", str(graph), "--check", "--author", "llm"]) == 1
    assert "--check asks no model" in capsys.readouterr().err


def test_a_chain_is_named_by_what_is_said_of_its_steps() -> None:
    """Nobody is "the manager directly or indirectly": one reports to somebody."""
    path = LexiconPath(along=("Person", "HAS_BOSS>", "Person"), forward=Phrase(noun="boss"))
    assert "report to" in spoken(Lexicon(paths={"HAS_BOSS": path})).edges["HAS_BOSS"]


def test_replies_are_recorded_beside_what_is_written_and_in_no_corpus(tmp_path: Path) -> None:
    corpus = tmp_path / "corpora" / "c"
    shop = corpus / "graphs" / "shop"
    shop.mkdir(parents=True)
    assert replies_of(shop, None) == corpus / "graphs" / "shop.replies.jsonl"
    (corpus / "corpus.lock").touch()
    elsewhere = tmp_path / "words.toml"
    assert replies_of(shop, elsewhere) == tmp_path / "words.toml.replies.jsonl"
    for out in (None, shop / "lexicon.toml"):
        assert replies_of(shop, out) == tmp_path / "corpora" / "c.shop.replies.jsonl"
