"""Measures how edges are spread over the nodes of one end."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from qa.synthesis.hubs import expected_degrees, joined_once, within_groups
from qa.synthesis.report import Measure, limit, none_of, rounded
from schemagraph.specification.model import End, Even, Poisson, PowerLaw, Preferential, Spread

FEWEST = 100  # nodes in a tail, from which an exponent can be told
LEAST = 3  # degree at which a tail may start: below, rounding to whole edges hides the law


def measure_degrees(
    place: str,
    end: End,
    degrees: np.ndarray,
    partner: tuple[End, int] | None,
    *,
    rooms: np.ndarray | None = None,
    shaped: str = "",
    least: bool = True,
) -> Iterator[Measure]:
    """Participation and degree distribution of an end. `degrees` has all nodes of the type.

    `partner` is the other end and how many of its nodes take part, where two nodes can be joined
    only once and each can have several edges. `rooms` says for each node with how many of the other
    end the rules let it be joined, where they close groups. `shaped` says what else shapes the
    degrees (rules, triangles), so that only the weight of the hubs is judged. `least`: whether
    `least_one` can be kept here.
    """
    taking_part = int((degrees > 0).sum())
    able = max(1, round(end.share * len(degrees)))
    if end.share < 1:
        yield Measure(place, "nodes with edges", f"≤ {able}", taking_part, taking_part <= able)
    edges = int(degrees.sum())
    if end.least_one and least:
        yield none_of(place, "nodes without an edge that must have one", able - taking_part)
    if not edges:
        return
    present = degrees[degrees > 0]
    degree = end.degree
    match degree:
        case PowerLaw() | Preferential():
            yield from _hubs(place, end, degrees, able, partner, rooms, shaped)
            yield _exponent(place, degree, present, edges / able, shaped)
            if isinstance(degree, Preferential) and not shaped and end.share == 1:
                yield from _age(place, degrees)
        case _ if shaped:
            yield Measure(place, "mean degree", "", rounded(edges / able), note=shaped)
        case Poisson():
            yield from _poisson(place, end, degrees, edges / able)
        case Even():
            # Pairs that would come again are drawn anew, which takes a little of the evenness.
            greatest, mean = int(present.max()), edges / able
            most = math.floor(1.2 * mean) + (1 if partner is None else 2)
            yield Measure(place, "greatest degree", f"≤ {most}", greatest, greatest <= most)
        case Spread():
            highest = degree.ratio * 2 * (edges / able) / (1 + degree.ratio)
            most = math.floor(1.2 * highest) + 2
            yield none_of(place, f"degrees above {most}", int((present > most).sum()))


def _hubs(
    place: str,
    end: End,
    degrees: np.ndarray,
    able: int,
    partner: tuple[End, int] | None,
    rooms: np.ndarray | None,
    shaped: str,
) -> Iterator[Measure]:
    """The share of the edges at the tenth of the nodes that has most, against the law's.

    At the least, it is what the law leaves where the other end has all of its own law, no two
    nodes are joined twice and none has more partners than its group has nodes. Rounding to whole
    edges gives these nodes up to one more each. What else shapes degrees may only make hubs larger.
    """
    top = able // 10
    if top < 3:
        return
    edges = int(degrees.sum())
    alone = expected_degrees(end, able, edges, partner[1] if partner else None)
    law = float(alone[:top].sum()) / edges
    possible = alone
    if partner is not None:
        possible = joined_once(alone, expected_degrees(*partner, edges, able))
    if rooms is not None:
        possible = within_groups(possible, rooms)
    share = float(possible[:top].sum()) / edges
    measured = float(np.sort(degrees)[::-1][:top].sum()) / edges
    most = 0.12 + 1.5 / math.sqrt(min(able, edges)) + (0.3 * share if shaped else 0)
    what = "share of edges at the tenth of nodes with most"
    highest = 1.0 if shaped else min(1.0, law + top / edges)
    off = max(0.0, share - measured, measured - highest)
    wanted = f"{rounded(share)} to {rounded(highest)}"
    yield limit(place, what, wanted, measured, off=off, most=most)


def _exponent(
    place: str, degree: PowerLaw | Preferential, present: np.ndarray, mean: float, shaped: str
) -> Measure:
    what = "exponent of the power law"
    # Of preferential attachment, not the degree but the degree and a constant follow the law.
    shift = mean * (degree.exponent - 2) if isinstance(degree, Preferential) else 0.0
    fit = fit_exponent(present, shift)
    if fit is None:
        note = f"too few nodes to tell an exponent; the greatest degree is {present.max()}"
        return Measure(place, what, degree.exponent, None, note=note)
    exponent, size, first = fit
    note = f"{size} nodes from degree {first}" + (f"; not judged: {shaped}" if shaped else "")
    # Where edges are few, degrees are small whole numbers and the tail is short. Preferential
    # attachment has large fluctuations, which its first nodes decide.
    slack = 0.35 if isinstance(degree, PowerLaw) else 0.5
    most = math.inf if shaped else slack + 4 * (exponent - 1) / math.sqrt(size)
    off = abs(exponent - degree.exponent)
    return limit(place, what, degree.exponent, exponent, off=off, most=most, note=note)


def fit_exponent(degrees: np.ndarray, shift: float = 0.0) -> tuple[float, int, int] | None:
    """A discrete power law fitted to a tail: exponent, nodes in the tail, least degree of it.

    It is the law of the degrees and `shift`.

    The maximum likelihood of Clauset, Shalizi and Newman (2009, eq. 3.7), with the start of the
    tail where the fit is closest (section 3.3). None where fewer than `FEWEST` nodes remain, or
    all have the same degree.
    """
    ordered = np.sort(degrees.astype(float)) + shift
    firsts = np.unique(ordered)
    firsts = firsts[firsts >= LEAST + shift]
    if len(firsts) > 60:
        firsts = np.unique(firsts[np.geomspace(1, len(firsts), 60).astype(int) - 1])
    best: tuple[float, float, int, int] | None = None
    for first in firsts:
        tail = ordered[np.searchsorted(ordered, first) :]
        if len(tail) < FEWEST or tail[-1] < 3 * first:
            break
        total = np.log(tail / (first - 0.5)).sum()
        if total <= 0:
            break
        exponent = 1 + len(tail) / total
        at = np.unique(tail)
        share = np.searchsorted(tail, at, side="right") / len(tail)
        fitted = 1 - ((at + 0.5) / (first - 0.5)) ** (1 - exponent)
        # A longer tail is preferred where two fit about as well.
        distance = float(np.abs(share - fitted).max()) + 0.5 / math.sqrt(len(tail))
        if best is None or distance < best[0]:
            best = (distance, exponent, len(tail), round(first - shift))
    return None if best is None else best[1:]


def _age(place: str, degrees: np.ndarray) -> Iterator[Measure]:
    """The first come have more: the first fifth of the rows against the last."""
    part = len(degrees) // 5
    if part >= 20:
        first, last = int(degrees[:part].sum()), int(degrees[-part:].sum())
        what = "edges of the first fifth of the rows"
        yield Measure(place, what, f"> {last}", first, first > last)


def _poisson(place: str, end: End, degrees: np.ndarray, mean: float) -> Iterator[Measure]:
    """Variance divided by mean is 1, of the nodes that can have edges."""
    able = max(1, round(end.share * len(degrees)))
    if able < 30:
        return
    there = np.sort(degrees)[::-1][:able].astype(float) - (1 if end.least_one else 0)
    rest = mean - (1 if end.least_one else 0)
    if rest * able < 30:
        return
    measured = float(there.var() / rest)
    most = 0.1 + 6 * math.sqrt(2 / able + 1 / (rest * able))
    yield limit(place, "variance of degrees by mean", 1, measured, off=abs(measured - 1), most=most)
