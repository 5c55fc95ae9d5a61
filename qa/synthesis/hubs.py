"""Which degrees a law asks for, and which of them are left where two nodes are joined only once."""

from __future__ import annotations

import numpy as np

from schemagraph.specification.model import End, PowerLaw, Preferential, Spread

_HIGHEST = 0.3  # share of the other end's nodes up to which a hub may be joined with
_CLASSES = 200  # of nodes with about the same degree
_TURNS = 20  # after which the degrees change in the third digit at most


def expected_degrees(end: End, able: int, edges: int, room: int | None) -> np.ndarray:
    """The degrees of the `able` nodes that an end's law asks for by itself, the highest first.

    `room` is how many nodes a node can be joined with, None where that is not limited.
    """
    sure = able if end.least_one and edges >= able else 0
    quantile = (np.arange(able) + 0.5) / able
    weights = np.ones(able)
    match end.degree:
        case PowerLaw(exponent=exponent):
            weights = quantile ** (-1 / (exponent - 1))
        case Preferential(exponent=exponent):
            weights = quantile ** (-1 / (exponent - 1)) - 1  # the last to come have no edges yet
        case Spread(ratio=ratio):
            weights = ratio - (ratio - 1) * quantile
    expected = weights * ((edges - sure) / weights.sum())
    if room is not None:
        _limited(expected, max(1.0, _HIGHEST * room, float(expected.mean())))
    return np.asarray(expected + (1 if sure else 0))


def _limited(expected: np.ndarray, highest: float) -> None:
    """Give what hubs have above a limit to the others."""
    while (over := expected > highest * (1 + 1e-6)).any() and not over.all():
        rest = float((expected[over] - highest).sum())
        expected[over] = highest
        below = expected < highest
        if not below.any():
            break
        expected[below] *= 1 + rest / float(expected[below].sum())


def joined_once(wanted: np.ndarray, partners: np.ndarray) -> np.ndarray:
    """The degrees nearest to `wanted` whose other ends have the degrees `partners`.

    Both are of all nodes of an end, the highest first, with the same sum. They are `wanted` where
    a simple graph has both, as the theorem of Gale and Ryser says. Else the chances of pairs, at
    most 1 each, are fitted to one end and the other in turn (Sinkhorn and Knopp 1967).
    """
    edges = float(wanted.sum())
    if wanted[0] * partners[0] <= edges:
        return wanted
    starts, there, mine = _classes(wanted)
    _, others, theirs = _classes(partners)
    factors = theirs / edges
    for _ in range(_TURNS):
        own = _fitted(mine, factors, others)
        factors = _fitted(theirs, own, there)
    left = np.minimum(1.0, np.outer(own, factors)) @ others
    return np.repeat(left, np.diff(starts, append=len(wanted)))


def within_groups(wanted: np.ndarray, rooms: np.ndarray) -> np.ndarray:
    """The degrees nearest to `wanted` where no node has more partners than its group has nodes.

    `wanted` are the degrees of the nodes of an end, the highest first; `rooms` says for each node
    how many nodes of the other end it may be joined with. Which node has which degree is up to
    chance. What hubs of small groups cannot have goes to the others, in proportion to theirs.
    """
    edges = float(wanted.sum())
    _, sizes, degrees = _classes(wanted)
    room, nodes = np.unique(rooms, return_counts=True)
    weights = np.outer(sizes, nodes / len(rooms)).ravel()
    factor = 1.0
    for _ in range(_TURNS):
        left = np.minimum(np.outer(factor * degrees, np.ones(len(room))), room).ravel()
        rest, open_to = edges - float(left @ weights), left < np.tile(room, len(degrees))
        if rest <= 1e-6 * edges or not open_to.any():
            break
        factor *= 1 + rest / float((left * weights)[open_to].sum())
    order = np.argsort(-left, kind="stable")
    upto = np.cumsum(weights[order])
    place = np.searchsorted(upto, np.arange(len(wanted)) + 0.5).clip(max=len(order) - 1)
    return np.asarray(left[order][place])


def _classes(degrees: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes with about the same degree: where each class starts, its size, its mean degree."""
    size = len(degrees)
    starts = np.unique(np.geomspace(1, size, min(size, _CLASSES)).astype(int) - 1)
    sizes = np.diff(starts, append=size)
    return starts, sizes, np.maximum(np.add.reduceat(degrees, starts) / sizes, 1e-9)


def _fitted(degrees: np.ndarray, factors: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """For each degree the x for which the sum of sizes · min(1, x · factors) is that degree.

    `factors` fall.
    """
    sure = np.concatenate([[0.0], np.cumsum(sizes)])  # partners whose chance is 1
    rest = np.cumsum((sizes * factors)[::-1])[::-1]
    reached = np.searchsorted(sure[:-1] + rest / factors, degrees).clip(max=len(factors) - 1)
    return np.asarray((degrees - sure[reached]) / rest[reached])
