"""The structure that everything rests on: folders of a readable size, no circles, telling names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.house import ROOT, circles, folder_graph, folder_sizes, import_graph

VAGUE = {"said", "told", "found"}  # participles that do not say of what

# Packages in which every local is named after what it is (rows, labels, match, …)
NAMED = (
    "engines",
    "evaluation",
    "generators",
    "graph_ir",
    "graphmill",
    "pipelines",
    "qa",
    "schemagraph",
    "translators",
)


def test_no_folder_has_more_than_twenty_modules_of_its_own() -> None:
    assert {folder: count for folder, count in folder_sizes().items() if count > 20} == {}


def test_neither_modules_nor_folders_import_each_other_in_a_circle() -> None:
    arrows = import_graph()
    assert circles(arrows) == []
    assert circles(folder_graph(arrows)) == []


@pytest.mark.parametrize("package", NAMED)
def test_no_binding_has_a_name_that_says_nothing_of_it(package: str) -> None:
    assert [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for name, line in _bindings(path)
        if name.strip("_") in VAGUE
    ] == []


def _bindings(path: Path) -> Iterator[tuple[str, int]]:
    """Variables, parameters and captures of a module that has such a word, with their lines."""
    text = path.read_text(encoding="utf-8")
    if not any(name in text for name in VAGUE):
        return  # parsing takes a hundred times as long
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield name, node.lineno
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield name, node.lineno
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name, node.lineno
