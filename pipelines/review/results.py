"""What a review says: pass ratio, means, agreement; whole, and by tier, level and database."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from graphmill.errors import ConfigError
from pipelines.review.sample import Item
from pipelines.review.statistics import agreement, wilson
from pipelines.review.store import Rating


def passed(ratings: Sequence[Rating]) -> bool:
    """Whether most of an item's experts find it right."""
    return 2 * sum(rating.passes for rating in ratings) > len(ratings)


def by_item(ratings: Sequence[Rating]) -> dict[int, list[Rating]]:
    """Ratings by the number of their item."""
    grouped: dict[int, list[Rating]] = defaultdict(list)
    for rating in ratings:
        grouped[rating.item].append(rating)
    return grouped


def check_number(ratings: Sequence[Rating], experts: int) -> None:
    """See that no item has more ratings than there are experts to rate each: it would count as one
    that not all have rated, and stay whatever they say.

    Raises:
        ConfigError: one has.
    """
    most = max(map(len, by_item(ratings).values()), default=0)
    if most > experts:
        raise ConfigError(
            f"A pair has ratings of {most} experts, and --experts says {experts}: give --experts "
            f"{most}, or take out those that are too many."
        )


def results(items: Sequence[Item], ratings: Sequence[Rating], experts: int) -> dict[str, Any]:
    """Figures of the whole and of each group. Only items that all experts have rated count."""
    whole = {n: each for n, each in by_item(ratings).items() if len(each) == experts}
    groups: dict[str, dict[str, list[int]]] = {"tier": {}, "level": {}, "database": {}}
    for number in sorted(whole):
        item = items[number]
        for kind, name in (("tier", item.tier), ("level", item.level), ("database", item.db)):
            groups[kind].setdefault(name, []).append(number)
    return {
        "items": len(items),
        "experts": experts,
        "ratings": len(ratings),
        **_figures(list(whole.values())),
        "flags": dict(sorted(Counter(f for r in ratings for f in r.flags).items())),
        "by": {
            kind: {name: _figures([whole[n] for n in ns]) for name, ns in sorted(each.items())}
            for kind, each in groups.items()
        },
    }


def _figures(rated: Sequence[Sequence[Rating]]) -> dict[str, Any]:
    good = sum(passed(each) for each in rated)
    low, high = wilson(good, len(rated))
    values = [rating.alignment for each in rated for rating in each]
    timed = [r.seconds for each in rated for r in each if r.seconds]  # 0: it is not known
    mean = sum(values) / len(values) if values else None
    agreed = agreement([[[r.alignment for r in e].count(n) for n in range(1, 6)] for e in rated])
    return {
        "rated_by_all": len(rated),
        "pass_ratio": round(good / len(rated), 4) if rated else None,
        "pass_interval": [round(low, 4), round(high, 4)],
        "alignment_mean": None if mean is None else round(mean, 4),
        "alignment_variance": None
        if mean is None
        else round(sum((v - mean) ** 2 for v in values) / len(values), 4),
        "kappa": None if agreed.kappa is None else round(agreed.kappa, 4),
        "kappa_interval": None
        if agreed.low is None or agreed.high is None
        else [round(agreed.low, 4), round(agreed.high, 4)],
        "kappa_undefined": agreed.kappa is None and agreed.n > 0,
        "minutes_an_item": round(sum(timed) / len(timed) / 60, 3) if timed else None,
    }
