"""Where the boxes of a small graph go: on a grid, so that few lines cross and none hides a box.

Positions come from neighbourhood alone: a greedy start, then swaps while one helps. There is no
chance in it, so the same graph has the same picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil, hypot, sqrt

type Cell = tuple[int, int]
type Pair = tuple[int, int]

_CROSSING = 1.4  # what two lines that cross cost, in lengths of a cell
_HIDDEN = 9.0  # what a line through a box costs
_PASSES = 8
_FEW = 40  # boxes up to which crossings are counted, which is quadratic


def placed(
    names: Sequence[str], lines: Iterable[tuple[str, str]], columns: int = 99
) -> dict[str, Cell]:
    """The cell (column, row) of each name, in at most `columns`; a line joins two names."""
    number = {name: index for index, name in enumerate(names)}
    pairs = sorted({(min(a, b), max(a, b)) for a, b in _numbered(lines, number) if a != b})
    at = _cells(len(names), tuple(pairs), columns)
    return {name: at[i] for name, i in number.items()}


@lru_cache(64)  # the pages of one graph's records all draw it
def _cells(count: int, pairs: tuple[Pair, ...], most: int) -> tuple[Cell, ...]:
    """The cells of so many boxes, from the top left."""
    columns = max(1, min(most, ceil(sqrt(count * 1.15))))
    rows = max(1, ceil(count / columns))
    if columns * rows - count < 2 and count > 3:
        rows += 1
    cells = [(x, y) for y in range(rows) for x in range(columns)]
    at = _start(count, pairs, cells)
    _improve(at, pairs, cells)
    left, top = min(x for x, _ in at), min(y for _, y in at)
    return tuple((x - left, y - top) for x, y in at)


def _numbered(lines: Iterable[tuple[str, str]], number: dict[str, int]) -> Iterable[Pair]:
    return ((number[a], number[b]) for a, b in lines if a in number and b in number)


def _start(count: int, pairs: Sequence[Pair], cells: Sequence[Cell]) -> list[Cell]:
    """The best joined first, each as near as can be to its neighbours that have a place."""
    near: list[set[int]] = [set() for _ in range(count)]
    for a, b in pairs:
        near[a].add(b)
        near[b].add(a)
    middle = (
        (max(x for x, _ in cells)) / 2,
        (max(y for _, y in cells)) / 2,
    )
    at: dict[int, Cell] = {}
    free = list(cells)
    while len(at) < count:
        todo = [i for i in range(count) if i not in at]
        chosen = max(todo, key=lambda i: (len(near[i] & at.keys()), len(near[i]), -i))
        ends: list[tuple[float, float]] = [at[j] for j in near[chosen] if j in at]
        ends = ends or [middle]
        cell = min(free, key=lambda c: (sum(_far(c, e) for e in ends), _far(c, middle), c))
        at[chosen] = cell
        free.remove(cell)
    return [at[i] for i in range(count)]


def _improve(at: list[Cell], pairs: Sequence[Pair], cells: Sequence[Cell]) -> None:
    """Move or swap boxes while the drawing gets cheaper."""
    mine: list[list[Pair]] = [[p for p in pairs if i in p] for i in range(len(at))]
    for _ in range(_PASSES):
        better = False
        for index in range(len(at)):
            holder = {cell: i for i, cell in enumerate(at)}
            for cell in cells:
                other = holder.get(cell)
                if other == index:
                    continue
                moved = [index] if other is None else [index, other]
                before = _cost(at, pairs, mine, moved)
                old = at[index]
                at[index] = cell
                if other is not None:
                    at[other] = old
                if _cost(at, pairs, mine, moved) < before - 1e-9:
                    better = True
                    holder = {c: i for i, c in enumerate(at)}
                    continue
                at[index] = old
                if other is not None:
                    at[other] = cell
        if not better:
            return


def _cost(
    at: Sequence[Cell], pairs: Sequence[Pair], mine: Sequence[list[Pair]], moved: Sequence[int]
) -> float:
    """What the lines of the moved boxes cost, and those that run through one of them."""
    own = dict.fromkeys(pair for index in moved for pair in mine[index])
    taken = set(at)
    places = {at[index] for index in moved}
    total = 0.0
    for a, b in pairs:
        start, end = at[a], at[b]
        if (a, b) in own:
            total += _far(start, end) + _HIDDEN * len(_between(start, end) & taken)
        else:
            total += _HIDDEN * len(_between(start, end) & places)
    if len(at) > _FEW:
        return total
    for a, b in own:
        for c, d in pairs:
            if len({a, b, c, d}) == 4:
                total += _CROSSING * _cross(at[a], at[b], at[c], at[d])
    return total


def _far(a: tuple[float, float], b: tuple[float, float]) -> float:
    """How long a line is; columns are wider than rows are high."""
    return hypot((a[0] - b[0]) * 1.5, a[1] - b[1])


@lru_cache(maxsize=1 << 16)
def _between(a: Cell, b: Cell) -> frozenset[Cell]:
    """The cells whose boxes a line from `a` to `b` runs through."""
    steps = 8 * max(abs(a[0] - b[0]), abs(a[1] - b[1]))
    through = set()
    for step in range(1, steps):
        x = a[0] + (b[0] - a[0]) * step / steps
        y = a[1] + (b[1] - a[1]) * step / steps
        cell = (round(x), round(y))
        if abs(x - cell[0]) < 0.36 and abs(y - cell[1]) < 0.3:
            through.add(cell)
    return frozenset(through - {a, b})


@lru_cache(maxsize=1 << 18)
def _cross(a: Cell, b: Cell, c: Cell, d: Cell) -> bool:
    """Whether the lines a-b and c-d cross."""

    def turn(p: Cell, q: Cell, r: Cell) -> int:
        area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
        return (area > 0) - (area < 0)

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def overlaps(
    box: tuple[float, float, float, float], others: Iterable[tuple[float, float, float, float]]
) -> float:
    """How much of a rectangle (left, top, right, bottom) others cover, in square pixels."""
    return sum(
        max(0.0, min(box[2], other[2]) - max(box[0], other[0]))
        * max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
        for other in others
    )
