"""Kept tables of the nGQL grammar parse as those that lark has just made."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmill.errors import QueryTextError
from translators.ngql.grammar import parser, tables

HERE = Path(__file__).parent


def _outcomes() -> list[str]:
    """Of every text of the fixtures its tree, or its error."""
    outcomes = []
    for name in ("accepted.ngql", "refused.ngql"):
        for text in (HERE / name).read_text(encoding="utf-8").split("\n\n"):
            lines = [line for line in text.splitlines() if not line.startswith("-- ")]
            try:
                outcomes.append(parser.parse_tree("\n".join(lines)).pretty())
            except QueryTextError as problem:
                outcomes.append(str(problem))
    return outcomes


def test_kept_tables_parse_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMILL_CACHE", str(tmp_path))
    made = tables.parser()
    (file,) = tmp_path.iterdir()
    monkeypatch.setattr(tables, "_make", lambda grammar: pytest.fail("made a second time"))
    read = tables.parser()
    monkeypatch.setattr(parser, "_parser", lambda: made)
    expected = _outcomes()
    monkeypatch.setattr(parser, "_parser", lambda: read)
    assert _outcomes() == expected
    assert file.name != f"ngql-{tables._key('start: NAME')}.tables"
