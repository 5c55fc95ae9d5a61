"""The structure that everything rests on: folders of a readable size, and no circles."""

from __future__ import annotations

from benchmarks.house import circles, folder_graph, folder_sizes, import_graph


def test_no_folder_has_more_than_twenty_modules_of_its_own() -> None:
    assert {folder: count for folder, count in folder_sizes().items() if count > 20} == {}


def test_neither_modules_nor_folders_import_each_other_in_a_circle() -> None:
    arrows = import_graph()
    assert circles(arrows) == []
    assert circles(folder_graph(arrows)) == []
