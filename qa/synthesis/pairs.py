"""Measures which nodes edges join: integrity, cardinality, loops, cycles, triangles, sameness."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import polars as pl

from qa.synthesis.curves import LARGE_EFFECT, chi_square
from qa.synthesis.degrees import measure_degrees
from qa.synthesis.report import Measure, limit, none_of, rounded
from schemagraph.specification.model import Edges, Prefer, Same

_TRIED = 2_000  # edges on which triangles are counted


def measure_pairs(
    place: str,
    part: Edges,
    first: np.ndarray,
    second: np.ndarray,
    sizes: tuple[int, int],
    *,
    alike: bool,
    rooms: tuple[np.ndarray | None, np.ndarray | None] = (None, None),
) -> Iterator[Measure]:
    """All measures of the ends. `first` and `second` are row numbers of source and target nodes.

    `sizes` are the numbers of nodes at both ends, `alike` whether they are of one type. `rooms`
    says for each source and target with how many nodes the rules let it be joined.
    """
    degrees = np.bincount(first, minlength=sizes[0]), np.bincount(second, minlength=sizes[1])
    if part.cardinality in ("1:1", "n:1"):
        yield none_of(place, "sources with several edges", int((degrees[0] > 1).sum()))
    if part.cardinality in ("1:1", "1:n"):
        yield none_of(place, "targets with several edges", int((degrees[1] > 1).sum()))
    key = first * sizes[1] + second
    if not part.parallel and part.cardinality == "n:m":
        yield none_of(place, "edges that come again", len(key) - pl.Series(key).n_unique())
    if alike and not part.loops:
        yield none_of(place, "loops", int((first == second).sum()))
    if part.acyclic:
        yield none_of(place, "nodes on or behind a cycle", _cyclic(first, second, sizes[0]))
    if part.symmetric or part.reciprocity or part.oneway:
        reverse = pl.Series(second * sizes[1] + first)
        there = int(reverse.is_in(pl.Series(key).unique().implode()).sum())
        if part.symmetric:
            yield none_of(place, "edges without their reverse", len(key) - there)
        elif part.oneway:
            yield none_of(place, "edges with their reverse", there)
        else:
            share = there / max(1, len(key))
            most = 0.05 + 4 / math.sqrt(max(1, len(key)))
            chance = _reversed_by_chance(first, second, degrees)
            highest = part.reciprocity + (1 - part.reciprocity) * chance
            off = max(part.reciprocity - share, share - highest)
            wanted = f"{rounded(part.reciprocity)} to {rounded(highest)}"
            yield limit(
                place, "share of edges with their reverse", wanted, share, off=off, most=most
            )
    if part.triangles and len(first):
        yield _triangles(place, part, first, second, sizes[0])
    yield from _degrees(place, part, degrees, rooms)


def _degrees(
    place: str,
    part: Edges,
    degrees: tuple[np.ndarray, np.ndarray],
    rooms: tuple[np.ndarray | None, np.ndarray | None],
) -> Iterator[Measure]:
    crossing = any("." in order.first and "." in order.then for order in part.order)
    preferred = part.source.prefer or part.target.prefer
    bound = part.acyclic or part.oneway or part.same or part.apart or part.alone or part.once
    ruled = bool(bound or crossing or preferred)
    reasons = {
        "the rules on the ends shape it": ruled,
        "triangles shape it": bool(part.triangles),
        "reverse edges shape it": bool(part.reciprocity),
        "each edge counts at both ends": part.symmetric,
    }
    shaped = next((reason for reason, holds in reasons.items() if holds), "")
    source, target = part.source, part.target
    if part.reciprocity:  # an edge turned round has its source at the other end
        source = source.model_copy(update={"share": 1.0})
        target = target.model_copy(update={"share": 1.0})
    once = part.cardinality == "n:m" and not part.parallel
    ends = [
        (end, max(1, round(end.share * len(there))))
        for end, there in zip((source, target), degrees, strict=True)
    ]
    if part.cardinality in ("1:n", "n:m"):
        yield from measure_degrees(
            f"{place}.source",
            source,
            degrees[0],
            ends[1 - part.symmetric] if once else None,
            rooms=rooms[0],
            shaped=shaped,
            least=not ruled and not part.symmetric,
        )
    if part.cardinality in ("n:1", "n:m") and not part.symmetric:
        yield from measure_degrees(
            f"{place}.target",
            target,
            degrees[1],
            ends[0] if once else None,
            rooms=rooms[1],
            shaped=shaped,
            least=not ruled,
        )


def rooms_of(
    part: Edges, source: pl.DataFrame, target: pl.DataFrame
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """For each node of both ends, how many nodes of the other end share the values that all edges
    want alike; None where edges want no such thing. Whose value no node shares, and whose edges
    may then lead anywhere, has all of them.
    """
    closed = [same for same in part.same if same.share == 1 and not same.pairs]
    if not closed:
        return None, None
    names = [f"%{number}" for number in range(len(closed))]
    ends = [
        table.select(
            table[column].cast(pl.String).alias(name)
            for name, column in zip(names, columns, strict=True)
        )
        for table, columns in (
            (source, [same.source for same in closed]),
            (target, [same.target for same in closed]),
        )
    ]
    free = any(same.else_any for same in closed)
    rooms = []
    for mine, other in (ends, ends[::-1]):
        sizes = other.drop_nulls().group_by(names).len()
        room = mine.join(sizes, on=names, how="left", maintain_order="left")["len"]
        rooms.append(room.fill_null(len(other) if free else 0).to_numpy().astype(float))
    return rooms[0], rooms[1]


def _reversed_by_chance(
    first: np.ndarray, second: np.ndarray, degrees: tuple[np.ndarray, np.ndarray]
) -> float:
    """The share of edges whose reverse is there where edges of these degrees meet by chance."""
    if not len(first):
        return 0.0
    leaving, entering = degrees
    return float(-np.expm1(-leaving[second] * entering[first] / len(first)).mean())


def _cyclic(first: np.ndarray, second: np.ndarray, nodes: int) -> int:
    """How many nodes are left when those that no edge leads to are taken away again and again."""
    left = np.ones(nodes, dtype=bool)
    while True:
        entered = np.zeros(nodes, dtype=bool)
        entered[second] = True
        gone = left & ~entered
        if not gone.any():
            return int(left.sum())
        left &= entered
        stay = left[first]
        first, second = first[stay], second[stay]


def _triangles(
    place: str, part: Edges, first: np.ndarray, second: np.ndarray, nodes: int
) -> Measure:
    """The share of edges u-w for which there is a v with u-v and v-w."""
    spread = np.linspace(0, len(first) - 1, min(_TRIED, len(first))).astype(int)
    order = np.argsort(first, kind="stable")
    onward = second[order]
    start = np.searchsorted(first[order], np.arange(nodes + 1))
    closed = 0
    for edge in spread:
        source, target = int(first[edge]), int(second[edge])
        middle = onward[start[source] : start[source + 1]]
        middle = middle[(middle != target) & (middle != source)]
        into = _incoming(target, middle, onward, start)
        closed += into
    share = closed / len(spread)
    # Some close by chance; what was asked for must be there.
    most = 0.05 + 3 / math.sqrt(len(spread))
    what = "share of edges that close a triangle"
    off = max(0.0, part.triangles - share)
    return limit(place, what, f"≥ {part.triangles}", share, off=off, most=most)


def _incoming(target: int, middle: np.ndarray, onward: np.ndarray, start: np.ndarray) -> bool:
    """Whether one of `middle` leads to `target`."""
    return any(
        bool((onward[start[node] : start[node + 1]] == target).any()) for node in middle.tolist()
    )


def measure_same(
    place: str, part: Edges, same: Same, source: pl.Series, target: pl.Series, there: pl.Series
) -> Iterator[Measure]:
    """The share of edges whose ends agree, of those whose source has a possible partner.

    `source` and `target` are the properties at the ends of each edge, `there` are all values
    among the nodes of the end that is chosen: the targets, in edges of cardinality 1:n the sources.
    """
    mine = target if part.cardinality == "1:n" else source
    possible = mine.is_in(there.drop_nulls().unique().implode()).fill_null(False)
    if not possible.any():
        return
    measured = float((source == target).filter(possible).fill_null(False).mean())  # type: ignore[arg-type]
    most = 0.05 + 3 / math.sqrt(int(possible.sum()))
    what = f"share with source.{same.source} = target.{same.target}"
    off = max(0.0, same.share - measured)
    yield limit(place, what, f"≥ {same.share}", measured, off=off, most=most)


def measure_fitting(
    place: str, part: Edges, same: Same, source: pl.Series, target: pl.Series, there: pl.Series
) -> Iterator[Measure]:
    """Edges whose ends do not go together, where the one that chooses could have chosen better."""
    ends = pl.DataFrame({"source": source.cast(pl.String), "target": target.cast(pl.String)})
    chooser = "target" if part.cardinality == "1:n" else "source"
    others = there.drop_nulls().cast(pl.String).unique().to_list()

    def fit(mine: str, other: str) -> bool:
        key, value = (mine, other) if chooser == same.keys else (other, mine)
        return key not in same.pairs or value in same.pairs[key]

    wrong = 0
    for row in ends.drop_nulls().group_by("source", "target").len().iter_rows(named=True):
        mine = row[chooser]
        if fit(mine, row["target" if chooser == "source" else "source"]):
            continue
        if not same.else_any or any(fit(mine, other) for other in others):
            wrong += row["len"]
    what = f"edges whose source.{same.source} and target.{same.target} do not go together"
    measured, most = wrong / max(1, len(source)), 3 / math.sqrt(max(1, len(source)))
    if same.share == 1:
        yield none_of(place, what, wrong)
    else:
        yield limit(
            place, what, f"≤ {1 - same.share}", measured, off=measured + same.share - 1, most=most
        )


def measure_preferred(
    place: str, prefer: Prefer, values: pl.Series, there: pl.Series, *, narrowed: bool
) -> Iterator[Measure]:
    """The share of edges whose end has one of the preferred values, where a node has one.

    An end that is `narrowed` is chosen among few (of the same house, of those that are no
    followers), which may not have the values that the weights ask for.
    """
    liked = pl.Series(list(prefer.values), dtype=there.dtype).implode()
    if not len(values) or not there.is_in(liked).any():
        return
    measured = float(values.is_in(liked).fill_null(False).mean())  # type: ignore[arg-type]
    most = 0.05 + 3 / math.sqrt(len(values))
    what = f"share with a preferred {prefer.column}"
    yield limit(
        place, what, f"≥ {prefer.share}", measured, off=max(0.0, prefer.share - measured), most=most
    )
    known = [
        (value, weight)
        for value, weight in zip(prefer.values, prefer.weights, strict=False)
        if weight and there.is_in(pl.Series([value], dtype=there.dtype).implode()).any()
    ]
    if len(known) > 1:
        counts = [int((values == value).sum()) for value, _ in known]
        total = sum(weight for _, weight in known)
        effect, bound = chi_square(counts, [weight / total for _, weight in known])
        bound = max(bound, LARGE_EFFECT) if narrowed else bound
        what = f"effect size w of chi-square of {prefer.column}"
        yield limit(place, what, f"≤ {bound:.3g}", effect, off=effect, most=bound)
