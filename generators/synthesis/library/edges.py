"""How edges choose their ends: pairs of row numbers, source and target.

Every function takes the edge type's part of the specification and gives two arrays of equal
length. No two edges have the same ends unless `parallel` is set, none is a loop unless `loops` is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from generators.synthesis.library.partners import (
    Pairs,
    Rng,
    Rules,
    Spec,
    crossing,
    crowded,
    disordered,
    ends,
    groups,
    has_rules,
    members,
    places,
    ranks,
    repeated,
)

if TYPE_CHECKING:
    from generators.synthesis.library.rows import Rows

type How = Callable[[Spec, Rows, Rows, Rng], Pairs]


def link(
    how: How, spec: Spec, source: Rows, target: Rows, rng: Rng, *, needed: bool = False
) -> Pairs:
    """The ends of all edges of a type; `how` is one of the functions under "pairs" below.

    `needed`: columns of nodes that must have a value are made over these edges.
    """
    whole = {**spec, "alike": source is target, "needed": needed}
    return how(whole, source, target, rng.spawn(1)[0])


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
    first = rng.permutation(liked(spec, "source", source, rng))
    second = rng.permutation(liked(spec, "target", target, rng))
    for order in spec["order"]:
        if "." in order["first"] and "." in order["then"]:
            return one_after_other(spec, order, first, second, source, target)
    if source is target and not spec["loops"]:
        second = np.roll(first, 1)  # a ring has no loops
    count = min(spec["count"], len(first), len(second))  # as many as both ends have
    return first[:count], second[:count]


def liked(spec: Spec, side: str, rows: Rows, rng: Rng) -> np.ndarray:
    """The nodes that take part, of those that have the values which are preferred.

    Where columns must have a value that comes over these edges (`needed`), others join them if
    there are too few for a handful of edges, of which no share says anything.
    """
    end, count = spec[side], spec["count"]
    able = members(end, rows.count, rng)
    if not end["prefer"]:
        return able
    fits = rows[end["prefer"]["column"]].is_in(end["prefer"]["values"]).fill_null(False).to_numpy()
    some, others = able[fits[able]], able[~fits[able]]
    if spec["needed"] and len(some) < count < 10:
        return np.concatenate([some, rng.permutation(others)[: count - len(some)]])
    return np.asarray(some)


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
    matched = np.array(pairs[: spec["count"]], dtype=int).reshape(-1, 2).T
    return (matched[1], matched[0]) if turned else (matched[0], matched[1])


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
        partners = rules.partner(chosen, rng)
        equal, unordered = apart(spec, side, mine, others), disordered(spec, side, mine, others)
        overlapping = crowded(spec, mine, others)
        again_there = repeated(spec, side, mine, others)

        def barred(chosen: np.ndarray, partners: np.ndarray) -> np.ndarray:
            late = overlapping(chosen, partners) | again_there(chosen, partners)
            return np.asarray(equal(chosen, partners) | unordered(chosen, partners) | late)

        for _ in range(20 if spec["alone"] else 50):
            again = np.flatnonzero(wrong(spec, (chosen, partners)) | barred(chosen, partners))
            if not len(again):
                return chosen, partners
            partners[again] = rules.partner(chosen[again], rng)
        stay = ~(
            wrong(spec, (chosen, partners)) | barred(chosen, partners)
        )  # the others have no partner but themselves
        return chosen[stay], partners[stay]
    chosen = np.sort(rng.permutation(mine.count)[:count])
    able = members(other_end, others.count, rng)
    pairs = chosen, rng.permutation(ends(other_end, able, count, count, rng))
    return shuffled(spec, pairs, rng) if mine is others else pairs


def apart(
    spec: Spec, side: str, mine: Rows, others: Rows
) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """Which pairs have an equal value where they must not."""
    other_side = "target" if side == "source" else "source"
    codes = [groups(mine[pair[side]], others[pair[other_side]]) for pair in spec["apart"]]

    def barred(chosen: np.ndarray, partners: np.ndarray) -> np.ndarray:
        equal = np.zeros(len(chosen), dtype=bool)
        for own, theirs in codes:
            equal |= own[chosen] == theirs[np.maximum(partners, 0)]
        return equal

    return barred


def many_to_many(spec: Spec, source: Rows, target: Rows, rng: Rng) -> Pairs:
    """Any number of edges at both ends; some close a triangle or have their reverse there too."""
    total = spec["count"]
    reverse = round(total * spec["reciprocity"] / 2)
    closing = round((total - reverse) * spec["triangles"])
    pairs = open_pairs(spec, source, target, total - reverse - closing, rng)
    if closing:
        wedges = Wedges(pairs, source.count, both_ways=False)
        pairs = collect(spec, pairs, total - reverse, wedges.close, rng)
    if not reverse:
        return pairs
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
    if spec["same"]:
        first, second = open_pairs(spec, source, target, total, rng)
        return np.minimum(first, second), np.maximum(first, second)
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
        # The end whose nodes must have an edge, or have about as many each, chooses, so that none
        # is left without.
        needs, needed = (
            (spec[end]["least_one"], spec[end]["degree"]["kind"] in ("even", "spread"))
            for end in ("source", "target")
        )
        mirrored = needed > needs and not spec["alike"]
        side = "target" if mirrored else "source"
        spec = {**spec, "again": repeated(spec, "source", source, target)}
        mine, others = (target, source) if mirrored else (source, target)
        able = members(spec["target"], target.count, rng) if mirrored else sources
        rules = Rules(spec, mine, others, side, rng)
        most = count if spec["parallel"] else rules.open
        stubs = ends(spec[side], able, count, most, rng)
        pool = np.concatenate([stubs, able])  # also those who have none yet

        unordered, equal = disordered(spec, side, mine, others), apart(spec, side, mine, others)

        def broken(first: np.ndarray, second: np.ndarray) -> np.ndarray:
            return np.asarray(unordered(first, second) | equal(first, second))

        def partners(first: np.ndarray, rng: Rng) -> Pairs:
            second = rules.partner(first, rng)
            there = ~broken(first, second) & (second >= 0)
            return first[there], second[there]

        def turned(pairs: Pairs) -> Pairs:
            return pairs[::-1] if mirrored else pairs

        def allowed(missing: int, rng: Rng) -> Pairs:
            return turned(partners(rng.choice(pool, missing), rng))

        narrow = len(crossing(spec)) > 1 or any(order["within"] for order in spec["order"])
        narrow = narrow or bool(spec["once"])
        fewer = narrow or spec["apart"] or any(same["share"] == 1 for same in spec["same"])
        start = completed(spec, rules, broken, stubs, partners(stubs, rng), rng)
        return collect(spec, turned(start), count, allowed, rng, fewer=bool(fewer))
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


def completed(
    spec: Spec,
    rules: Rules,
    broken: Callable[[np.ndarray, np.ndarray], np.ndarray],
    stubs: np.ndarray,
    pairs: Pairs,
    rng: Rng,
) -> Pairs:
    """The pairs that can stay, and others for the nodes that are in `stubs` more often than there.

    Where few nodes may be chosen, chance finds some of them twice and others never: all are looked
    through. Both pairs and stubs begin at the end that chooses.
    """
    stay = ~wrong({**spec, "again": None}, pairs)  # both ends are turned here; `collect` looks
    first, second = pairs[0][stay], pairs[1][stay]
    size = len(rules.low)
    missing = np.bincount(stubs, minlength=size) - np.bincount(first, minlength=size)
    lacking = rng.permutation(np.flatnonzero(missing > 0))[:20_000]
    by_first = np.argsort(first, kind="stable")
    partners, start = second[by_first], np.searchsorted(first[by_first], np.arange(size + 1))
    joined = [(first, second)]
    for node in lacking.tolist():
        there, weights = rules.candidates(node)
        if len(there) > 1_000:
            continue
        able = ~broken(np.full(len(there), node), there)
        if not spec["loops"] and spec["alike"]:
            able &= there != node
        if not spec["parallel"]:
            able &= ~np.isin(there, partners[start[node] : start[node + 1]])
        there, weights = there[able], weights[able]
        wait = rng.standard_exponential(len(there)) / weights  # the first to come are chosen
        chosen = there[np.argsort(wait)[: missing[node]]]
        joined.append((np.full(len(chosen), node), chosen))
    return np.concatenate([one for one, _ in joined]), np.concatenate([two for _, two in joined])


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
    mask = second < 0
    if not spec["loops"] and spec["alike"]:
        mask |= first == second
    if not spec["parallel"] and spec["cardinality"] == "n:m":
        if spec["symmetric"] or spec["oneway"]:
            first, second = np.minimum(first, second), np.maximum(first, second)
        key = pl.Series(first * (1 + second.max(initial=0)) + second)
        if changed is None:
            mask |= ~key.is_first_distinct().to_numpy()
        else:
            alike = np.flatnonzero(key.is_in(key.gather(changed).implode()).to_numpy())
            mask[alike] |= ~key.gather(alike).is_first_distinct().to_numpy()
    if spec.get("again") is not None:
        mask |= spec["again"](*pairs)
    return np.asarray(mask)


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
    *,
    fewer: bool = False,
) -> Pairs:
    """The pairs that can stay, and more from `make` until there are `count`.

    Where `make` finds no more for long, as in a few nodes without an open triangle, those of
    `otherwise` do. `fewer` are enough where rules on the ends allow no more.
    """
    changed = None
    placed, often, idle = 0, 1.5, 0
    for turn in range(200):
        if turn == 100 and otherwise is not None:
            make = otherwise
        stay = ~wrong(spec, pairs, changed)
        if not stay.all():
            pairs = pairs[0][stay], pairs[1][stay]
        if 2 * (len(pairs[0]) - placed) < count - placed:  # most were there already
            often *= 2
        idle = idle + 1 if len(pairs[0]) == placed else 0
        placed = len(pairs[0])
        if placed >= count or (fewer and idle > 8):
            return pairs[0][:count], pairs[1][:count]
        often = min(often, 64.0)
        first, second = make(min(count, int((count - placed) * often)) + 8, rng)
        changed = np.arange(placed, placed + len(first))
        pairs = np.concatenate([pairs[0], first]), np.concatenate([pairs[1], second])
    if fewer:
        stay = ~wrong(spec, pairs)
        return pairs[0][stay], pairs[1][stay]
    raise ValueError(f"{count} edges that differ could not be placed, only {placed}")
