"""Which nodes take part in edges, and who may be joined with whom.

Every function takes the edge type's part of the specification, or one end's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from generators.synthesis.library.rows import Rows

type Spec = dict[str, Any]
type Rng = np.random.Generator
type Pairs = tuple[np.ndarray, np.ndarray]


# --- one end -----------------------------------------------------------------------------------


def members(end: Spec, count: int, rng: Rng) -> np.ndarray:
    """The nodes that take part in such edges at all."""
    if end["share"] == 1:
        return np.arange(count)
    return np.sort(rng.choice(count, max(1, round(end["share"] * count)), replace=False))


def popularity(degree: Spec, count: int, rng: Rng) -> np.ndarray:
    """How likely each of `count` nodes is to get an edge, relative to the others."""
    quantile = (rng.permutation(count) + 0.5) / count
    match degree["kind"]:
        case "power_law":  # the quantiles of a Pareto distribution
            return np.asarray(quantile ** (-1 / (degree["exponent"] - 1)))
        case "preferential":  # the first come are the most popular
            age = (np.arange(count) + 0.5) / count
            return np.asarray(age ** (-1 / (degree["exponent"] - 1)))
        case "spread":
            return np.asarray(1 + (degree["ratio"] - 1) * quantile)
    return np.ones(count)


def ends(end: Spec, able: np.ndarray, edges: int, room: int, rng: Rng) -> np.ndarray:
    """One of the `able` nodes for each edge, in no certain order; degrees are as specified.

    `room` is how many edges one node can have, so that no hub gets more.
    """
    degree = end["degree"]
    first = able if end["least_one"] and edges >= len(able) else able[:0]
    rest = edges - len(first)
    if not rest:
        return first
    most = max(1, 0.3 * room)
    if degree["kind"] == "poisson":
        nodes = able[rng.integers(len(able), size=rest)]
    elif degree["kind"] == "preferential":
        nodes = able[passed_on(preferential(degree, len(able), rest, rng), most, rng)]
    else:
        weights = popularity(degree, len(able), rng)
        expected = capped(weights, rest, most)
        if degree["kind"] in ("even", "spread") and rest >= len(able):
            expected = lifted(expected)
        # Each node gets its expected number of edges, rounded down or up.
        total = np.cumsum(expected)
        upto = np.floor(total * (rest / total[-1]) + rng.random()).astype(int).clip(max=rest)
        upto[-1] = rest
        nodes = np.repeat(able, np.diff(upto, prepend=0))
    return np.concatenate([first, nodes])


def capped(weights: np.ndarray, total: int, most: float) -> np.ndarray:
    """`total` in parts by weight, none of them above `most`: the others get what it cuts off."""
    parts = weights * (total / weights.sum())
    for _ in range(20):
        parts = np.minimum(parts, most)
        free = parts < most
        if not free.any() or total - parts.sum() < 1e-6 * total:
            break
        parts[free] *= 1 + (total - parts.sum()) / parts[free].sum()
    return np.asarray(np.minimum(parts, most))


def lifted(parts: np.ndarray) -> np.ndarray:
    """Parts, in the mean of at least 1, of which none is below 1: the others give of theirs."""
    more = np.maximum(parts - 1, 0)
    rest = parts.sum() - len(parts)
    return np.asarray(1 + more * (max(rest, 0) / max(more.sum(), 1e-9)))


def preferential(degree: Spec, nodes: int, edges: int, rng: Rng) -> np.ndarray:
    """Each edge goes to a node that is there by then, or where an earlier edge went."""
    number = np.arange(edges)
    fresh = rng.random(edges) < 1 - 1 / (degree["exponent"] - 1)
    fresh[:1] = True
    origin = np.where(fresh, number, (rng.random(edges) * number).astype(int))
    while not fresh[origin].all():
        origin = origin[origin]
    there = 1 + (nodes - 1) * number / max(1, edges)
    return np.asarray((rng.random(edges) * there).astype(int)[origin])


def passed_on(places: np.ndarray, most: float, rng: Rng) -> np.ndarray:
    """The places with what comes more than `most` times given to others, popular ones first."""
    for _ in range(20):
        if np.bincount(places, minlength=1).max() <= most:
            break
        order = np.argsort(places, kind="stable")
        time = np.arange(len(places)) - np.searchsorted(places[order], places[order])
        over = order[time >= most]
        places[over] = places[rng.integers(len(places), size=len(over))]
    return places


# --- who may be joined with whom ---------------------------------------------------------------


class Choice:
    """Nodes sorted by a key, so that one can be chosen from a range of keys by its popularity."""

    def __init__(self, keys: np.ndarray, weights: np.ndarray) -> None:
        self.order = np.argsort(keys, kind="stable")
        self.keys = keys[self.order]
        self.sums = np.concatenate([[0.0], np.cumsum(weights[self.order])])

    def one(self, low: np.ndarray, high: np.ndarray, rng: Rng) -> np.ndarray:
        """For each pair of bounds a node with low <= key < high, or -1 where there is none."""
        first = np.searchsorted(self.keys, low)
        last = np.searchsorted(self.keys, high)
        start, width = self.sums[first], self.sums[last] - self.sums[first]
        place = np.searchsorted(self.sums, start + rng.random(len(low)) * width, side="right") - 1
        place = np.clip(place, first, np.maximum(last - 1, first)).clip(max=len(self.order) - 1)
        return np.where(width > 0, self.order[place], -1)

    def all(self, low: int, high: int) -> Pairs:
        """All nodes with low <= key < high that can be chosen, and their weights."""
        first, last = np.searchsorted(self.keys, (low, high))
        weights = np.diff(self.sums[first : last + 1])
        return self.order[first:last][weights > 0], weights[weights > 0]


class Rules:
    """Which of the other nodes an edge from a node may lead to.

    `mine` and `others` are the rows of both ends, `side` is the end which `mine` are. `same` holds
    for a share of the edges, `order` and `acyclic` for all.
    """

    def __init__(self, spec: Spec, mine: Rows, others: Rows, side: str, rng: Rng) -> None:
        other_side = "target" if side == "source" else "source"
        open_to = members(spec[other_side], others.count, rng)
        self.open = len(open_to)
        weights = np.zeros(others.count)
        weights[open_to] = popularity(spec[other_side]["degree"], len(open_to), rng)
        if spec[other_side]["prefer"]:
            weights = preferred(spec[other_side]["prefer"], others, weights)
        self.size = 1 + mine.count + others.count  # more than there are ranks
        self.low = np.zeros(mine.count, dtype=int)
        self.high = np.full(mine.count, self.size)
        rank = np.zeros(others.count, dtype=int)
        apart = any(order["gap"] for order in spec["order"])  # which no cycle can be
        if spec["acyclic"] and not apart:
            place = places(spec, mine, side, rng)
            if not spec["order"]:
                # The end of all ways takes part itself, else more than it would lead nowhere.
                last = place.argmin() if side == "source" else place.argmax()
                place[last], place[open_to[0]] = place[open_to[0]], place[last]
            rank, self.low, self.high = place, np.zeros_like(place), place
            if side == "target":
                self.low, self.high = place + 1, np.full(mine.count, self.size)
        apart = apart or any(order["within"] for order in spec["order"])
        for order in [] if spec["acyclic"] and not apart else crossing(spec)[:1]:
            names = (order["first"], order["then"])
            inner = {name.partition(".")[0]: name.partition(".")[2] for name in names}
            first = order["first"].startswith(side)
            values, theirs = mine[inner[side]], others[inner[other_side]]
            mine_rank, far_rank, rank = reach(values, theirs, order, first)
            self.size = max(self.size, 2 + int(max(mine_rank.max(), far_rank.max(), rank.max())))
            unknown = mine_rank == 0
            high = np.full(mine.count, self.size)
            if first:
                self.low = mine_rank
                self.high = np.where(unknown, high, far_rank + 1) if order["within"] else high
            else:
                self.high = np.where(unknown, high, mine_rank + 1)
                self.low = far_rank if order["within"] else self.low
            if spec["acyclic"]:  # whose day nobody knows could close a cycle
                weights = np.where(rank == 0, 0.0, weights)
                self.low = np.where(mine_rank == 0, self.size, self.low)
        self.free = Choice(rank, weights)
        self._group(spec, mine, others, side, rank, weights)

    def _group(
        self, spec: Spec, mine: Rows, others: Rows, side: str, rank: np.ndarray, weights: np.ndarray
    ) -> None:
        """Which of the others share with each of mine what edges want alike at both ends."""
        other_side = "target" if side == "source" else "source"
        self.share = 0.0
        self.grouped: list[Choice] = []  # one for each set of values that some of mine have
        self.having = np.zeros(mine.count, dtype=int)
        self.bound = np.zeros(mine.count, dtype=bool)  # to their own group, or to nobody
        self.mine_group = np.zeros(mine.count, dtype=int)
        self.kinds, self.fitting = 1, np.zeros((mine.count, 1), dtype=int)
        kind, allowed = np.zeros(others.count, dtype=int), np.ones((mine.count, 1), dtype=bool)
        equal: list[Pairs] = []
        for same in spec["same"]:
            values, theirs = mine[same[side]], others[same[other_side]]
            there = values.is_not_null().to_numpy()
            if same["share"] == 1 and not same["else_any"]:
                self.bound = self.bound | there
            if same["pairs"]:
                mine_kind, more, fits = fitting(values, theirs, same["pairs"], side == same["keys"])
                kind = kind * fits.shape[1] + more
                allowed = (allowed[:, :, None] & fits[mine_kind][:, None, :]).reshape(
                    len(there), -1
                )
                self.share = 1.0
                continue
            mine_group, more = groups(values, theirs)
            if len(spec["same"]) > 1:  # who lacks a value is bound by the others alone
                self.having = self.having + (there << len(equal))
            equal.append((mine_group, more))
            chance = chance_of_same(mine_group, more, weights)
            self.share = max(0.0, (same["share"] - chance) / max(1e-9, 1 - chance))
        if not spec["same"]:
            return
        self.kinds = allowed.shape[1]
        self.fitting = numbers(allowed)
        several = len(spec["same"]) > 1
        sets, self.having = np.unique(self.having, return_inverse=True)
        for place, having in enumerate(sets.tolist()):
            some, group = self.having == place, np.zeros(others.count, dtype=int)
            for number, (mine_group, more) in enumerate(equal):
                if several and not having >> number & 1:
                    continue
                size = 1 + int(max(mine_group.max(initial=0), more.max(initial=0)))
                self.mine_group[some] = self.mine_group[some] * size + mine_group[some]
                group = group * size + more
            keys = (group * self.kinds + kind) * self.size + rank
            self.grouped.append(Choice(keys, weights))

    def able(self, rng: Rng) -> np.ndarray:
        """The nodes that may have such an edge at all."""
        everyone = np.arange(len(self.low))
        return everyone[self.partner(everyone, rng) >= 0]

    def partner(self, mine: np.ndarray, rng: Rng) -> np.ndarray:
        """A node of the other end for each of `mine`; -1 where none is allowed."""
        low, high = self.low[mine], self.high[mine]
        partners = self.free.one(low, high, rng)
        if self.grouped:
            grouped = np.full(len(mine), -1)
            for number, choice in enumerate(self.grouped):
                some = np.flatnonzero(self.having[mine] == number)
                base = self.kind(choice, mine[some], low[some], high[some], rng) * self.size
                grouped[some] = choice.one(base + low[some], base + high[some], rng)
            partners = np.where(
                (rng.random(len(mine)) < self.share) & (grouped >= 0), grouped, partners
            )
            partners = np.where(self.bound[mine], grouped, partners)
        return np.asarray(partners)

    def candidates(self, node: int) -> Pairs:
        """All nodes of the other end that an edge from one of `mine` may lead to, each once, and
        their weights."""
        low, high = self.low[node], self.high[node]
        if not self.bound[node]:
            return self.free.all(low, high)
        group = self.mine_group[node] * self.kinds
        kinds = self.fitting[node][self.fitting[node] >= 0]
        choice = self.grouped[self.having[node]]
        groups = [choice.all(base + low, base + high) for base in (group + kinds) * self.size]
        none = np.array([], dtype=int)
        nodes = np.concatenate([none, *(nodes for nodes, _ in groups)])
        return nodes, np.concatenate([none, *(weights for _, weights in groups)])

    def kind(
        self, grouped: Choice, mine: np.ndarray, low: np.ndarray, high: np.ndarray, rng: Rng
    ) -> np.ndarray:
        """For each of `mine`, which group of the others: by chance one of those that fit."""
        group, fitting = self.mine_group[mine] * self.kinds, self.fitting[mine]
        if not len(mine):
            return np.asarray(group)
        base = (group[:, None] + np.maximum(fitting, 0)) * self.size
        first = np.searchsorted(grouped.keys, base + low[:, None])
        last = np.searchsorted(grouped.keys, base + high[:, None])
        width = np.where(fitting < 0, 0.0, grouped.sums[last] - grouped.sums[first])
        total = np.cumsum(width, axis=1)
        wanted = rng.random(len(mine)) * total[:, -1]
        place = np.minimum((total <= wanted[:, None]).sum(axis=1), fitting.shape[1] - 1)
        chosen = group + fitting[np.arange(len(mine)), place]
        return np.asarray(np.where(total[:, -1] > 0, chosen, -1))  # -1 is nobody's group


def reach(
    values: pl.Series, theirs: pl.Series, order: Spec, first: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The places of values moved by the gap, and by the most that may lie between, and of theirs,
    in their common order; 0 for NULL."""

    def moved(days: int | None) -> pl.Series:
        if not days:
            return values
        by = pl.duration(days=days if first else -days)
        return pl.select(values + by).to_series()

    near, far = moved(order["gap"]), moved(order["within"])
    both = alike(near, far, theirs)
    rank: np.ndarray = pl.concat(both).rank("dense").fill_null(0).cast(pl.Int64).to_numpy()
    count = len(values)
    return rank[:count], rank[count : 2 * count], rank[2 * count :]


def fitting(
    mine: pl.Series, others: pl.Series, pairs: dict[str, list[str]], ahead: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The number of each value of two columns, and which of them go together.

    All values that the pairs do not name have one number, so that a column of keys has few.
    """
    keys, values = sorted(pairs), sorted({value for fits in pairs.values() for value in fits})

    def numbered(column: pl.Series, named: list[str]) -> np.ndarray:
        text = column.cast(pl.String)
        number = text.replace_strict(named, list(range(len(named))), default=len(named))
        number = number.cast(pl.Int64).set(text.is_null(), len(named) + 1)
        return np.asarray(number.to_numpy())

    fits = np.ones((len(keys) + 2, len(values) + 2), dtype=bool)
    for i, key in enumerate(keys):
        fits[i, : len(values) + 1] = [*(value in pairs[key] for value in values), False]
    if ahead:
        return numbered(mine, keys), numbered(others, values), fits
    return numbered(mine, values), numbered(others, keys), fits.T


def numbers(allowed: np.ndarray) -> np.ndarray:
    """For each row the places that are true, then -1."""
    most = max(1, int(allowed.sum(axis=1).max(initial=0)))
    order = np.argsort(~allowed, axis=1, kind="stable")[:, :most]
    return np.where(np.take_along_axis(allowed, order, axis=1), order, -1)


def preferred(prefer: Spec, others: Rows, weights: np.ndarray) -> np.ndarray:
    """The weights shifted so that a share of the edges goes to those with certain values, and to
    each value as much as its weight says."""
    for value, part in zip(prefer["values"], prefer["weights"], strict=False):
        alike = (others[prefer["column"]] == value).fill_null(False).to_numpy()
        some = weights[alike].sum()
        weights = np.where(alike, weights * (part / some if some else 0.0), weights)
    liked = others[prefer["column"]].is_in(prefer["values"]).fill_null(False).to_numpy()
    inside, outside = weights[liked].sum(), weights[~liked].sum()
    if not inside or not outside:
        return weights
    share = np.where(liked, prefer["share"] / inside, (1 - prefer["share"]) / outside)
    return np.asarray(weights * share)


def places(spec: Spec, rows: Rows, side: str, rng: Rng) -> np.ndarray:
    """Places from 1, by chance or by the column that orders the ends; edges lead downwards."""
    place = rng.permutation(rows.count)
    for order in spec["order"]:
        if "." in order["first"] and "." in order["then"]:
            values = rows[order["then"].partition(".")[2]]
            rank = values.rank("dense").fill_null(0).cast(pl.Int64).to_numpy()
            later = 1 if order["then"].startswith("source") else -1
            place = np.argsort(np.lexsort((place, rank * later)))
    return np.asarray(place + 1)


def ranks(mine: pl.Series, others: pl.Series) -> Pairs:
    """The places of values in the common order of two columns, from 1; 0 for NULL."""
    both = pl.concat(alike(mine, others)).rank("dense").fill_null(0).cast(pl.Int64).to_numpy()
    return both[: len(mine)], both[len(mine) :]


def alike(*columns: pl.Series) -> list[pl.Series]:
    """Columns that can be compared: a day is before all moments of it, and a whole number beside
    days is a year."""
    if len({column.dtype for column in columns}) == 1:
        return list(columns)
    if any(column.dtype.is_integer() for column in columns):
        return [
            (column if column.dtype.is_integer() else column.dt.year()).cast(pl.Int64)
            for column in columns
        ]
    return [column.cast(pl.Datetime("us")) for column in columns]


def crossing(spec: Spec) -> list[Spec]:
    """The orders of both ends; those of an edge's own columns are kept when these are drawn."""
    ends = {"source", "target"}
    return [
        order
        for order in spec["order"]
        if {order[name].partition(".")[0] for name in ("first", "then")} == ends
        and all("." in order[name] for name in ("first", "then"))
    ]


def disordered(
    spec: Spec, side: str, mine: Rows, others: Rows
) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Which pairs break an order of the ends other than the first, which `Rules` keep."""
    other_side = "target" if side == "source" else "source"
    kept = []
    for order in crossing(spec)[1:]:
        inner = {n.partition(".")[0]: n.partition(".")[2] for n in (order["first"], order["then"])}
        own, theirs = ranks(mine[inner[side]], others[inner[other_side]])
        kept.append((own, theirs, order["first"].startswith(side)))

    def broken(chosen: np.ndarray, partners: np.ndarray) -> np.ndarray:
        wrong = np.zeros(len(chosen), dtype=bool)
        for own, theirs, first in kept:
            a, b = own[chosen], theirs[np.maximum(partners, 0)]
            wrong |= (a > 0) & (b > 0) & ((a > b) if first else (b > a))
        return wrong

    return broken


def crowded(spec: Spec, mine: Rows, others: Rows) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Which of `mine` begin before another one of the same partner has ended, or end after one has
    begun that is joined with it over another edge type."""
    alone = spec["alone"]

    def nobody(chosen: np.ndarray, partners: np.ndarray) -> np.ndarray:
        return np.zeros(len(chosen), dtype=bool)

    if alone is None:
        return nobody
    names = (alone["start"], alone["end"] or alone["start"])
    times = (mine[name].cast(pl.Datetime("us")).cast(pl.Int64) for name in names)
    start, end = (series.to_numpy().astype(np.float64) for series in times)
    end = end + (alone["days"] or 0) * 86_400e6
    start, end = np.nan_to_num(start, nan=np.inf), np.nan_to_num(end, nan=np.inf)
    fixed = [joined(mine[also["many"]], others[also["one"]]) for also in alone["also"]]
    there = np.concatenate([rows for rows, _ in fixed]) if fixed else np.array([], dtype=int)
    at = np.concatenate([places for _, places in fixed]) if fixed else np.array([], dtype=int)

    def overlapping(chosen: np.ndarray, partners: np.ndarray) -> np.ndarray:
        rows, places = np.concatenate([chosen, there]), np.concatenate([partners, at])
        order = np.lexsort((start[rows], places))
        begin, place = start[rows][order], places[order]
        spans = pl.DataFrame({"place": place, "begin": begin, "end": end[rows][order]})
        before = pl.col("end").cum_max().shift().over("place").fill_null(float("-inf"))
        late = begin < spans.select(before)["end"].to_numpy()
        if len(there):
            given = np.where(order >= len(chosen), begin, np.nan)
            after = pl.col("given").fill_nan(None).fill_null(strategy="backward").shift(-1)
            following = spans.with_columns(given=given).select(
                after.over("place").fill_null(float("inf"))
            )["given"]
            late |= spans["end"].to_numpy() > following.to_numpy()
        mask = np.zeros(len(rows), dtype=bool)
        mask[order] = late & (place >= 0)
        return mask[: len(chosen)]

    return overlapping


def joined(mine: pl.Series, others: pl.Series) -> Pairs:
    """The rows of two columns that have the same value, which each of `others` has once."""
    known = pl.DataFrame({"value": others}).with_row_index("place").drop_nulls()
    pairs = pl.DataFrame({"value": mine}).with_row_index("row").join(known, on="value").sort("row")
    return pairs["row"].to_numpy().astype(int), pairs["place"].to_numpy().astype(int)


def repeated(
    spec: Spec, side: str, mine: Rows, others: Rows
) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Which pairs of `mine` and `others` come again though they come once: what they lead to
    agrees with what another one of the same node leads to, and is not far enough in time."""
    rules = []
    for once in spec["once"]:
        ours = once["at"] == side
        rows = others if ours else mine
        keys = pl.DataFrame([rows[name].alias(name) for name in once["columns"]])
        known = ~pl.any_horizontal(pl.all().is_null())
        code = keys.select(pl.struct(pl.all()).rank("dense"))[once["columns"][0]]
        codes = code.cast(pl.Int64).set(~keys.select(known).to_series(), -1).to_numpy()
        start, days = np.zeros(rows.count), 1.0
        if once["start"] is not None:
            times = rows[once["start"]].cast(pl.Datetime("us")).cast(pl.Int64)
            start, days = times.to_numpy().astype(np.float64), once["days"] * 86_400e6
        rules.append((ours, codes, start, days))

    def again(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        mask = np.zeros(len(first), dtype=bool)
        for ours, codes, start, days in rules:
            node, far = (first, second) if ours else (second, first)
            code, when = codes[np.maximum(far, 0)], start[np.maximum(far, 0)]
            order = np.lexsort((when, code, node))
            node, code, when, far = node[order], code[order], when[order], far[order]
            alike = (node[1:] == node[:-1]) & (code[1:] == code[:-1]) & (code[1:] >= 0)
            near = when[1:] - when[:-1] < days
            mask[order[1:]] |= alike & near & (node[1:] >= 0) & (far[1:] >= 0)
        return mask

    return again


def groups(mine: pl.Series, others: pl.Series) -> Pairs:
    """The same number for the same value in two columns; what has no partner has one of its own."""
    mine_rank, group = ranks(mine, others)
    return np.where(mine_rank == 0, max(group.max(), mine_rank.max()) + 1, mine_rank), group


def chance_of_same(mine: np.ndarray, others: np.ndarray, weights: np.ndarray) -> float:
    """How often two ends would be in the same group by chance."""
    size = int(max(mine.max(), others.max())) + 1
    share = np.bincount(others, weights, minlength=size) / weights.sum()
    return float(share[mine].mean())


def has_rules(spec: Spec) -> bool:
    """Whether an edge's one end restricts its other one."""
    prefer = spec["source"]["prefer"] or spec["target"]["prefer"]
    ruled = spec["acyclic"] or spec["same"] or spec["apart"] or crossing(spec)
    return bool(ruled or prefer or spec["alone"] or spec["once"])
