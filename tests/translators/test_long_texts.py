"""Every language that is read or checked refuses a text that is too long, before reading it."""

from __future__ import annotations

import pytest

from graphmill.errors import QueryTextError
from graphmill.query_text import MAX_LENGTH
from tests.timing import processor_seconds
from translators.from_sql.statement.rules import RULES
from translators.from_sql.statement.text import parse
from translators.language import Origin, checkable, checker, judge_of, readable, reader

LONG = "x" * MAX_LENGTH


@pytest.mark.parametrize("language", [name for name in checkable() if not judge_of(name)])
def test_the_check_refuses_a_text_that_is_too_long(language: str) -> None:
    check = checker(language, None)
    (only,) = check(f"RETURN '{LONG}' AS x")
    assert (only.severity, only.code) == ("error", "text-too-long")
    assert processor_seconds(lambda: check(f"RETURN '{LONG}' AS x"), limit=2) < 2


@pytest.mark.parametrize("language", [name for name in readable() if name != "sql"])
def test_the_reader_refuses_a_text_that_is_too_long(language: str) -> None:
    read = reader(language, Origin())
    with pytest.raises(QueryTextError) as caught:
        read(f"GRAPH g RETURN '{LONG}' AS x")
    assert caught.value.code == "text-too-long"


def test_sql_that_is_too_long_is_refused() -> None:
    with pytest.raises(QueryTextError) as caught:
        parse(f"SELECT '{LONG}'", RULES["sqlite"])
    assert caught.value.code == "text-too-long"
