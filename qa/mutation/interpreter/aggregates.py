"""Aggregates of values that are not null."""

from __future__ import annotations

import math
import statistics
from typing import Any

from qa.mutation.interpreter.values import Fault, Unsupported, is_number, sort_key


def aggregated(name: str, values: list[Any], extra: list[Any]) -> Any:
    """An aggregate of values that are not null."""
    match name:
        case "count":
            return len(values)
        case "collect":
            return values
        case "min":
            return min(values, key=sort_key, default=None)
        case "max":
            return max(values, key=sort_key, default=None)
    if not all(map(is_number, values)):
        raise Unsupported(f"{name} of what is no number")
    if not all(map(math.isfinite, values)):
        raise Unsupported(f"{name} of what is not finite")
    match name:
        case "sum":
            return sum(values)
        case "avg":
            return math.fsum(values) / len(values) if values else None
        case "stDev":
            if len(values) < 2:
                return 0.0 if values else None
            return statistics.stdev(map(float, values))
        case "stDevP":
            return statistics.pstdev(map(float, values)) if values else None
        case "percentileCont" | "percentileDisc":
            return _percentile(name, sorted(values), extra[0])
    raise Unsupported(f"aggregate {name}")


def _percentile(name: str, values: list[Any], share: Any) -> Any:
    if not values:
        return None
    if not is_number(share) or not 0 <= share <= 1:
        raise Fault("a share outside 0..1")
    if name == "percentileDisc":
        return values[max(0, math.ceil(share * len(values)) - 1)]
    at = share * (len(values) - 1)
    low = math.floor(at)
    if at == low:
        return values[low]  # of integers an integer
    high = min(low + 1, len(values) - 1)
    return float(values[low] + (values[high] - values[low]) * (at - low))
