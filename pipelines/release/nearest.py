"""How near each test pair lies to train, by its questions: `nearest.jsonl` and figures of it.

A pair of the test split whose question stands in train word for word, or nearly, measures what a
system remembers. Queries are apart by the split itself (`split_by`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmill.errors import GraphmillError
from graphmill.files import digest, read_json_lines, read_rows, write_json_lines
from graphmill.record import Split
from graphmill.similarity.neighbours import NearestTexts
from graphmill.similarity.texts import TRIGRAMS
from pipelines.configuration.store import Finished, a_list
from pipelines.pictures.texts import count, percent
from pipelines.release.figures import LEVELS

NEAREST = "nearest.jsonl"
TRAIN_AND_TEST: tuple[Split, Split] = ("train", "test")
NEAR = 0.9  # cosine of questions that say nearly the same words
_AT_ONCE = 4_096  # questions that are looked up together


@dataclass(frozen=True, slots=True)
class Nearness:
    """Of `pairs` of test, the median of the cosines of their nearest questions in train, and how
    many are at least `NEAR`; `equal` have a question of train but for case and spaces."""

    pairs: int
    median: float
    near: int
    equal: int

    def text(self) -> str:
        """A sentence with these figures."""
        return (
            f"The question of train that is nearest to a pair of test has a cosine of "
            f"{self.median:.2f} in the median; {count(self.near, 'pair')} of {self.pairs:,} "
            f"({percent(self.near / self.pairs)}) have one of {NEAR} or more, {self.equal:,} the "
            f"same question. `{NEAREST}` names each."
        )


type Apart = Callable[..., Any]
"""Calls a function with arguments, if need be in another process, which takes its memory away."""


def here(function: Callable[..., Any], *arguments: object) -> Any:
    """Call a function in this process."""
    return function(*arguments)


def write_nearest(
    out: Path,
    files: Mapping[Split, Path],
    similarity: str,
    finished: Finished | None = None,
    apart: Apart = here,
) -> None:
    """Write `nearest.jsonl`: for each pair of test the pair of train whose question is most alike.

    Questions of one form are compared. A line has `id`, `form`, `nearest` (an id), `cosine` (of
    `similarity`: character trigrams or an encoder's vectors) and `same_database`. No file where
    there is no test or no train. The same questions in the same splits are finished work. `apart`
    is what calls the search: of 60,000 questions it takes 700 MB.

    Raises:
        ConfigError: the encoder cannot be had.
        GraphmillError: a file is damaged or cannot be written.
    """
    path = out / NEAREST
    if not all(files[split].is_file() for split in TRAIN_AND_TEST):
        path.unlink(missing_ok=True)
        return
    both = tuple(files[split] for split in TRAIN_AND_TEST)

    def lines_of() -> Any:
        return apart(_nearest, *both, similarity)

    if finished is None or similarity != TRIGRAMS:  # an encoder's files may have changed
        lines = lines_of()
    else:
        key = finished.key("nearest", *apart(_digests, *both))
        lines = finished.done(key, lines_of, _as_stored)
    write_json_lines(path, lines)


def _digests(*files: Path) -> list[str]:
    """Of the columns that are read, one by one: as one text they would be held once more."""
    return [digest(column) for file in files for column in _columns(file).values()]


def _nearest(train_file: Path, test_file: Path, similarity: str) -> list[dict[str, Any]]:
    """The lines of `nearest.jsonl`, from the files of both splits."""
    train, test = _columns(train_file), _columns(test_file)
    best: list[tuple[float, str, int]] = [(-1.0, "", -1)] * len(test["id"])
    for form, column in LEVELS.items():
        known = NearestTexts(train[column], similarity)
        asked = test[column]
        for start in range(0, len(asked), _AT_ONCE):
            nearest = known.nearest(asked[start : start + _AT_ONCE])
            for number, (place, cosine) in enumerate(nearest, start):
                if place >= 0 and cosine > best[number][0]:
                    best[number] = (cosine, form, place)
        del known  # before the next is made
    return [
        {
            "id": test["id"][number],
            "form": form,
            "nearest": train["id"][place],
            "cosine": round(cosine, 6),
            "same_database": train["db"][place] == test["db"][number],
        }
        for number, (cosine, form, place) in enumerate(best)
        if place >= 0
    ]


def _as_stored(raw: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Lines of `nearest.jsonl`.

    Raises:
        TypeError, AttributeError: they are none.
    """
    for line in a_list(raw):
        if line.keys() != {"id", "form", "nearest", "cosine", "same_database"}:
            raise TypeError("it is no line of a nearest question")
    return raw


def nearness(folder: Path) -> Nearness | None:
    """The figures of a corpus's `nearest.jsonl`; None where it has none.

    Raises:
        GraphmillError: the file is damaged.
    """
    path = folder / NEAREST
    if not path.is_file():
        return None
    cosines = []
    for number, line in read_json_lines(path):
        if isinstance(line, GraphmillError):
            raise line
        cosine = line.get("cosine")
        if not isinstance(cosine, int | float):
            raise GraphmillError(f"{path} is damaged: line {number} has no cosine.")
        cosines.append(float(cosine))
    if not cosines:
        return None
    cosines.sort()
    near, equal = (sum(cosine >= least for cosine in cosines) for least in (NEAR, 1.0 - 1e-6))
    return Nearness(len(cosines), cosines[len(cosines) // 2], near, equal)


def _columns(path: Path) -> dict[str, list[str]]:
    names = ("id", "db", *LEVELS.values())
    columns: dict[str, list[str]] = {name: [] for name in names}
    for row in read_rows(path, names):
        for name, values in columns.items():
            values.append(row.get(name) or "")
    return columns
