"""How edges choose their ends: pairs of row numbers, source and target.

Every function takes the edge type's part of the specification and gives two arrays of equal
length. No two edges have the same ends unless `parallel` is set, none is a loop unless `loops` is.
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
type How = Callable[[Spec, Rows, Rows, Rng], Pairs]


def link(how: How, spec: Spec, source: Rows, target: Rows, rng: Rng) -> Pairs:
    """The ends of all edges of a type; `how` is one of the functions under "pairs" below."""
    return how({**spec, "alike": source is target}, source, target, rng.spawn(1)[0])


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
        found = able[rng.integers(len(able), size=rest)]
    elif degree["kind"] == "preferential":
        found = able[passed_on(preferential(degree, len(able), rest, rng), most, rng)]
    else:
        weights = popularity(degree, len(able), rng)
        expected = capped(weights, rest, most)
        # Each node gets its expected number of edges, rounded down or up.
        total = np.cumsum(expected)
        upto = np.floor(total * (rest / total[-1]) + rng.random()).astype(int).clip(max=rest)
        upto[-1] = rest
        found = np.repeat(able, np.diff(upto, prepend=0))
    return np.concatenate([first, found])


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
        found = np.searchsorted(self.sums, start + rng.random(len(low)) * width, side="right") - 1
        found = np.clip(found, first, np.maximum(last - 1, first)).clip(max=len(self.order) - 1)
        return np.where(width > 0, self.order[found], -1)


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
        for order in [] if spec["acyclic"] and not apart else spec["order"]:
            names = (order["first"], order["then"])
            if {name.partition(".")[0] for name in names} != {"source", "target"}:
                continue  # an order of the edge's own columns, which are drawn later
            inner = {name.partition(".")[0]: name.partition(".")[2] for name in names}
            first = order["first"].startswith(side)
            values, theirs = mine[inner[side]], others[inner[other_side]]
            if order["gap"]:
                days = pl.duration(days=order["gap"] if first else -order["gap"])
                values = pl.select(values + days).to_series()
            mine_rank, rank = ranks(values, theirs)
            if first:
                self.low = mine_rank
            else:
                self.high = np.where(mine_rank == 0, self.size, mine_rank + 1)
            if spec["acyclic"]:  # whose day nobody knows could close a cycle
                weights = np.where(rank == 0, 0.0, weights)
                self.low = np.where(mine_rank == 0, self.size, self.low)
        self.free = Choice(rank, weights)
        self.share, self.grouped = 0.0, None
        self.bound = np.zeros(mine.count, dtype=bool)  # to their own group, or to nobody
        for same in spec["same"]:
            values = mine[same[side]]
            if same["share"] == 1 and spec["cardinality"] != "n:m":
                self.bound = values.is_not_null().to_numpy()
            self.mine_group, group = groups(values, others[same[other_side]])
            chance = chance_of_same(self.mine_group, group, weights)
            self.share = max(0.0, (same["share"] - chance) / max(1e-9, 1 - chance))
            self.grouped = Choice(group * self.size + rank, weights)

    def able(self, rng: Rng) -> np.ndarray:
        """The nodes that may have such an edge at all."""
        everyone = np.arange(len(self.low))
        return everyone[self.partner(everyone, rng) >= 0]

    def partner(self, mine: np.ndarray, rng: Rng) -> np.ndarray:
        """A node of the other end for each of `mine`; -1 where none is allowed."""
        low, high = self.low[mine], self.high[mine]
        found = self.free.one(low, high, rng)
        if self.grouped is not None:
            base = self.mine_group[mine] * self.size
            grouped = self.grouped.one(base + low, base + high, rng)
            found = np.where((rng.random(len(mine)) < self.share) & (grouped >= 0), grouped, found)
            found = np.where(self.bound[mine], grouped, found)
        return found


def preferred(prefer: Spec, others: Rows, weights: np.ndarray) -> np.ndarray:
    """The weights shifted so that a share of the edges goes to those with certain values."""
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
    if mine.dtype != others.dtype:  # a day is before all moments of it
        mine, others = mine.cast(pl.Datetime("us")), others.cast(pl.Datetime("us"))
    both = pl.concat([mine, others]).rank("dense").fill_null(0).cast(pl.Int64).to_numpy()
    return both[: len(mine)], both[len(mine) :]


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
    crossing = any("." in order["first"] and "." in order["then"] for order in spec["order"])
    prefer = spec["source"]["prefer"] or spec["target"]["prefer"]
    return bool(spec["acyclic"] or spec["same"] or crossing or prefer)


# --- pairs -------------------------------------------------------------------------------------


def one_to_one(spec: Spec, source: Rows, target: Rows, rng: Rng) -> Pairs:
    """Each node has at most one edge."""
    if spec["acyclic"]:  # chains: neighbours in one order, some links left out
        place = places(spec, source, "source", rng)
        order, able = np.argsort(place), np.arange(source.count - 1)
        for same in spec["same"]:  # a chain for each value
            group, _ = groups(source[same["source"]], source[same["target"]])
            order = np.lexsort((place, group))
            there = source[same["source"]].is_not_null().to_numpy()[order[1:]]
            able = np.flatnonzero((group[order[1:]] == group[order[:-1]]) & there)
        links = np.sort(rng.permutation(able)[: spec["count"]])
        return order[links + 1], order[links]
    first = rng.permutation(members(spec["source"], source.count, rng))
    second = rng.permutation(members(spec["target"], target.count, rng))
    for order in spec["order"]:
        if "." in order["first"] and "." in order["then"]:
            return one_after_other(spec, order, first, second, source, target)
    if source is target and not spec["loops"]:
        second = np.roll(first, 1)  # a ring has no loops
    return first[: spec["count"]], second[: spec["count"]]


def one_after_other(
    spec: Spec, order: Spec, first: np.ndarray, second: np.ndarray, source: Rows, target: Rows
) -> Pairs:
    """Each of as many as can be with the next of the other end that is not before it."""
    name = {end.partition(".")[0]: end.partition(".")[2] for end in (order["first"], order["then"])}
    rank, other = ranks(source[name["source"]], target[name["target"]])
    early, late, turned = (first, rank[first]), (second, other[second]), False
    if order["first"].startswith("target"):
        early, late, turned = late, early, True
    early, late = ((nodes[np.argsort(r, kind="stable")], np.sort(r)) for nodes, r in (early, late))
    pairs, waiting, when = [], early[0].tolist(), early[1].tolist()
    now, loops = 0, source is not target or spec["loops"]
    for node, then in zip(late[0].tolist(), late[1].tolist(), strict=True):
        if now < len(waiting) and not loops and waiting[now] == node:
            if now + 1 == len(waiting) or when[now + 1] > then:
                continue  # nobody but itself
            waiting[now], waiting[now + 1] = waiting[now + 1], node
        if now < len(waiting) and when[now] <= then:
            pairs.append((waiting[now], node))
            now += 1
    found = np.array(pairs[: spec["count"]], dtype=int).reshape(-1, 2).T
    return (found[1], found[0]) if turned else (found[0], found[1])


def many_to_one(spec: Spec, source: Rows, target: Rows, rng: Rng) -> Pairs:
    """Each source has at most one edge; targets have many."""
    return choose_one(spec, "source", source, target, rng)


def one_to_many(spec: Spec, source: Rows, target: Rows, rng: Rng) -> Pairs:
    """Each target has at most one edge; sources have many."""
    second, first = choose_one(spec, "target", target, source, rng)
    return first, second


def choose_one(spec: Spec, side: str, mine: Rows, others: Rows, rng: Rng) -> Pairs:
    """At most one edge for each of `mine`, which is the end `side`."""
    other_end, count = spec["target" if side == "source" else "source"], spec["count"]
    if has_rules(spec):
        rules = Rules(spec, mine, others, side, rng)
        chosen = np.sort(rng.permutation(rules.able(rng))[:count])
        found = rules.partner(chosen, rng)
        for _ in range(50):
            again = np.flatnonzero(wrong(spec, (chosen, found)))
            if not len(again):
                return chosen, found
            found[again] = rules.partner(chosen[again], rng)
        stay = ~wrong(spec, (chosen, found))  # the others have no partner but themselves
        return chosen[stay], found[stay]
    chosen = np.sort(rng.permutation(mine.count)[:count])
    able = members(other_end, others.count, rng)
    pairs = chosen, rng.permutation(ends(other_end, able, count, count, rng))
    return shuffled(spec, pairs, rng) if mine is others else pairs


def many_to_many(spec: Spec, source: Rows, target: Rows, rng: Rng) -> Pairs:
    """Any number of edges at both ends; some close a triangle or have their reverse there too."""
    total = spec["count"]
    reverse = round(total * spec["reciprocity"] / 2)
    closing = round((total - reverse) * spec["triangles"])
    pairs = open_pairs(spec, source, target, total - reverse - closing, rng)
    if closing:
        wedges = Wedges(pairs, source.count, both_ways=False)
        pairs = collect(spec, pairs, total - reverse, wedges.close, rng)
    first, second = pairs

    def turned(missing: int, rng: Rng) -> Pairs:
        some = rng.permutation(len(first))[:missing]
        return second[some], first[some]

    def anyone(missing: int, rng: Rng) -> Pairs:  # in few edges some are each other's reverse
        return rng.integers(source.count, size=missing), rng.integers(target.count, size=missing)

    return collect(spec, pairs, total, turned, rng, None if has_rules(spec) else anyone)


def both_ways(spec: Spec, source: Rows, target: Rows, rng: Rng) -> Pairs:
    """Pairs without a direction, the smaller row number first; each becomes two edges."""
    total = spec["count"] // 2
    base = total - round(total * spec["triangles"])
    able = members(spec["source"], source.count, rng)
    stubs = rng.permutation(ends(spec["source"], able, 2 * base, len(able), rng))
    pairs = shuffled(spec, (stubs[:base], stubs[base:]), rng, leave=base // 1000)

    def more(missing: int, rng: Rng) -> Pairs:  # in proportion to the degrees that are there
        return rng.choice(stubs, missing), rng.choice(stubs, missing)

    def anyone(missing: int, rng: Rng) -> Pairs:
        return rng.choice(able, missing), rng.choice(able, missing)

    pairs = collect(spec, pairs, base, more, rng, anyone)
    wedges = Wedges(pairs, source.count, both_ways=True)
    first, second = collect(spec, pairs, total, wedges.close, rng, anyone)
    return np.minimum(first, second), np.maximum(first, second)


def open_pairs(spec: Spec, source: Rows, target: Rows, count: int, rng: Rng) -> Pairs:
    """Pairs whose degrees at both ends are as specified, most in the order of their sources.

    That order makes tables smaller. Where columns count up, pairs come in random order.
    """
    sources = members(spec["source"], source.count, rng)
    if has_rules(spec):
        rules = Rules(spec, source, target, "source", rng)
        most = count if spec["parallel"] else rules.open
        stubs = ends(spec["source"], sources, count, most, rng)
        pool = np.concatenate([stubs, sources])  # also those who have none yet

        def allowed(missing: int, rng: Rng) -> Pairs:
            first = rng.choice(pool, missing)
            return first, rules.partner(first, rng)

        return collect(spec, (stubs, rules.partner(stubs, rng)), count, allowed, rng)
    targets = members(spec["target"], target.count, rng)
    room = (count, count) if spec["parallel"] else (len(targets), len(sources))
    first = ends(spec["source"], sources, count, room[0], rng)
    first = rng.permutation(first) if counts_up(spec) else np.sort(first)
    second = rng.permutation(ends(spec["target"], targets, count, room[1], rng))

    def more(missing: int, rng: Rng) -> Pairs:  # in proportion to the degrees that are there
        return rng.choice(first, missing), rng.choice(second, missing)

    def anyone(missing: int, rng: Rng) -> Pairs:
        return rng.choice(sources, missing), rng.choice(targets, missing)

    pairs = shuffled(spec, (first, second), rng, leave=count // 1000)
    return collect(spec, pairs, count, more, rng, anyone)


def counts_up(spec: Spec) -> bool:
    """Whether a column goes with the order of the rows."""
    kinds = [column["of"] for column in spec["properties"].values()]
    return any(of["kind"] == "sequence" or of.get("ascending") for of in kinds)


class Wedges:
    """Pairs of edges with a node in common, whose other ends can be joined to a triangle."""

    def __init__(self, pairs: Pairs, nodes: int, *, both_ways: bool) -> None:
        first, second = pairs
        if both_ways:
            first, second = np.concatenate([first, second]), np.concatenate([second, first])
        by_first = np.argsort(first, kind="stable")
        self.first, self.second = first[by_first], second[by_first]
        self.start = np.searchsorted(self.first, np.arange(nodes + 1))

    def close(self, missing: int, rng: Rng) -> Pairs:
        """The outer ends of random wedges; there may be fewer than `missing`."""
        edge = rng.integers(len(self.first), size=missing + 10)
        middle = self.second[edge]
        degree = self.start[middle + 1] - self.start[middle]
        edge, middle, degree = edge[degree > 0], middle[degree > 0], degree[degree > 0]
        onward = self.start[middle] + (rng.random(len(middle)) * degree).astype(int)
        return self.first[edge][:missing], self.second[onward][:missing]


def wrong(spec: Spec, pairs: Pairs, changed: np.ndarray | None = None) -> np.ndarray:
    """Which pairs cannot stay: no partner, a loop, or there already.

    With `changed`, only these places are new and all others could stay among themselves.
    """
    first, second = pairs
    found = second < 0
    if not spec["loops"] and spec["alike"]:
        found |= first == second
    if not spec["parallel"] and spec["cardinality"] == "n:m":
        if spec["symmetric"]:
            first, second = np.minimum(first, second), np.maximum(first, second)
        key = pl.Series(first * (1 + second.max(initial=0)) + second)
        if changed is None:
            found |= ~key.is_first_distinct().to_numpy()
        else:
            alike = np.flatnonzero(key.is_in(key.gather(changed).implode()).to_numpy())
            found[alike] |= ~key.gather(alike).is_first_distinct().to_numpy()
    return np.asarray(found)


def shuffled(spec: Spec, pairs: Pairs, rng: Rng, leave: int = 0) -> Pairs:
    """The pairs with targets exchanged until all but `leave` can stay; no degree changes.

    It ends earlier where ten turns mend little: hubs of both ends are joined as far as they can be.
    """
    first, second = pairs
    bad = np.flatnonzero(wrong(spec, (first, second)))
    before: list[int] = []
    while len(bad) > leave and len(before) < 200:
        if len(before) > 10 and len(bad) > max(8, 0.9 * before[-10]):
            break
        before.append(len(bad))
        places = np.unique(np.concatenate([bad, rng.integers(len(first), size=len(bad) + 8)]))
        second[places] = second[rng.permutation(places)]
        bad = np.flatnonzero(wrong(spec, (first, second), places))
    return first, second


def collect(
    spec: Spec,
    pairs: Pairs,
    count: int,
    make: Callable[[int, Rng], Pairs],
    rng: Rng,
    otherwise: Callable[[int, Rng], Pairs] | None = None,
) -> Pairs:
    """The pairs that can stay, and more from `make` until there are `count`.

    Where `make` finds no more for long, as in a few nodes without an open triangle, those of
    `otherwise` do.
    """
    changed = None
    found, often = 0, 1.5
    for turn in range(200):
        if turn == 100 and otherwise is not None:
            make = otherwise
        stay = ~wrong(spec, pairs, changed)
        if not stay.all():
            pairs = pairs[0][stay], pairs[1][stay]
        if 2 * (len(pairs[0]) - found) < count - found:  # most were there already
            often *= 2
        found = len(pairs[0])
        if found >= count:
            return pairs[0][:count], pairs[1][:count]
        first, second = make(min(count, int((count - found) * often)) + 8, rng)
        changed = np.arange(found, found + len(first))
        pairs = np.concatenate([pairs[0], first]), np.concatenate([pairs[1], second])
    raise ValueError(f"{count} edges that differ could not be placed, only {found}")
