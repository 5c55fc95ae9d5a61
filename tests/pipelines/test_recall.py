"""An outcome is remembered as long as the data answer each question that led to it alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from graphmill.errors import QueryTimeout
from graphmill.files import digest
from pipelines.build.context import DatabaseContext, Graph, Lookup
from pipelines.build.recall import Memory
from qa.fuzz.graphs import read_graph
from schemagraph.folder.statistics import GraphStatistics, PropertyStatistics

LIBRARY = Path(__file__).parents[1] / "qa" / "readings" / "library.graph"
BOOK = 'Book [3, "ice", 30, null, 2]'
TITLE = 'Book [3, "snow", 30, null, 2]'
PERSON = 'Person [2, "Bo", "oslo", null'
NAME = 'Person [2, "Bob", "oslo", null'
VALUES = ("values", "Book", "id")
ASKED = 'SELECT count(*) AS n FROM "Book"'


def opened(folder: Path, old: str = "", new: str = "") -> DatabaseContext:
    """The library, with one text of its data changed."""
    text = LIBRARY.read_text("utf-8")
    assert old in text
    read_graph(text.replace(old, new, 1)).write(folder)
    return DatabaseContext(Graph("library", folder, folder.name), ("cypher",))


def no_statistics() -> GraphStatistics:
    """Figures that nothing here depends on."""
    return GraphStatistics({}, {}, {})


def learnt(database: DatabaseContext, text: str = ASKED) -> Memory:
    """What is remembered of a stage that asks one question."""
    memory = Memory()
    with memory.learning("stage", "item", database) as keep:
        database.refer(text)
        keep({"made": 1})
    return memory


@pytest.fixture
def library(tmp_path: Path) -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@contextmanager
def counted(database: DatabaseContext) -> Iterator[list[str]]:
    """The questions that are asked in the block."""
    asked: list[str] = []

    def hear(one: Lookup) -> None:
        asked.append(str(one.question[1]))

    database.on_lookup = hear
    yield asked
    database.on_lookup = None


def test_a_question_is_asked_again_where_its_tables_have_changed(
    library: ExitStack, tmp_path: Path
) -> None:
    before = library.enter_context(opened(tmp_path / "a"))
    memory = learnt(before)
    assert memory.learnt
    other = library.enter_context(opened(tmp_path / "b", BOOK, TITLE))
    with counted(other) as asked:
        assert memory.recall("stage", "item", other, no_statistics) == {"made": 1}
    assert asked == [ASKED]  # another title, as many books
    with counted(other) as asked:
        assert memory.recall("stage", "item", other, no_statistics) == {"made": 1}
    assert asked == []  # these tables are known by now
    more = f'{BOOK}\nBook [4, "Mud", 10, null, null]'
    another = library.enter_context(opened(tmp_path / "c", BOOK, more))
    assert memory.recall("stage", "item", another, no_statistics) is None


def test_tables_that_a_question_does_not_name_may_change(
    library: ExitStack, tmp_path: Path
) -> None:
    memory = learnt(library.enter_context(opened(tmp_path / "a")))
    other = library.enter_context(opened(tmp_path / "b", PERSON, NAME))
    with counted(other) as asked:
        assert memory.recall("stage", "item", other, no_statistics) == {"made": 1}
    assert asked == []


def test_another_item_or_stage_is_another_matter(library: ExitStack, tmp_path: Path) -> None:
    database = library.enter_context(opened(tmp_path / "a"))
    memory = learnt(database)
    assert memory.recall("stage", "other", database, no_statistics) is None
    assert memory.recall("other", "item", database, no_statistics) is None


def test_what_the_data_did_not_answer_is_not_remembered(
    library: ExitStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = library.enter_context(opened(tmp_path / "a"))

    def slow(*_: Any, **__: Any) -> None:
        raise QueryTimeout("It took too long.")

    monkeypatch.setattr(database, "_referred", slow)
    memory = Memory()
    with memory.learning("stage", "item", database) as keep:
        with pytest.raises(QueryTimeout):
            database.refer(ASKED)
        keep({"made": 1})
    assert not memory.learnt
    assert memory.recall("stage", "item", database, no_statistics) is None


def test_frequent_values_are_part_of_what_is_known(library: ExitStack, tmp_path: Path) -> None:
    database = library.enter_context(opened(tmp_path / "a"))
    figures = {("Book", "id"): PropertyStatistics(2, 0, 2, ((1, 1), (2, 1)))}
    memory = Memory(
        {
            "stage": {
                "of": "item",
                "made": {"made": 1},
                "heard": [
                    {
                        "question": ["values", "Book", "id"],
                        "answer": digest(repr((1, 2))),
                        "tables": "",
                    }
                ],
            }
        }
    )
    same = lambda: GraphStatistics({}, {}, figures)  # noqa: E731
    assert memory.recall("stage", "item", database, same) == {"made": 1}
    assert memory.recall("stage", "item", database, no_statistics) is None
