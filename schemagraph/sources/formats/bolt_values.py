"""Values as the Bolt driver gives them, as values that a graph folder can hold."""

from __future__ import annotations

from datetime import timedelta, timezone
from typing import Any

from schemagraph.convert.element_values import Written
from schemagraph.model import Kind


def value_of(value: Any) -> Any:
    """A Python value, or its text where Python has no type for it: nanoseconds, named zones."""
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return value
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, list):
        return [value_of(item) for item in value]
    if hasattr(value, "srid"):
        numbers = " ".join(map(str, value))
        return Written(Kind.POINT, f"SRID={value.srid};POINT({numbers})")
    if hasattr(value, "months") and hasattr(value, "nanoseconds"):
        return Written(Kind.DURATION, value.iso_format())
    if hasattr(value, "to_native") and hasattr(value, "iso_format"):
        return _temporal(value)
    if hasattr(value, "to_native"):  # a vector
        return [float(number) for number in value.to_native()]
    return str(value)


def _temporal(value: Any) -> Any:
    """A date, a time or both, with or without a zone."""
    has_date, has_time = hasattr(value, "year"), hasattr(value, "nanosecond")
    zone = getattr(value, "tzinfo", None)
    if not has_time:
        kind = Kind.DATE
    elif has_date:
        kind = Kind.DATETIME if zone is None else Kind.ZONED_DATETIME
    else:
        kind = Kind.TIME if zone is None else Kind.ZONED_TIME
    named = getattr(zone, "key", None) or getattr(zone, "zone", None)
    if named and str(named) != "UTC":
        return Written(kind, f"{value.iso_format()}[{named}]")
    if has_time and value.nanosecond % 1000:
        return Written(kind, value.iso_format())
    try:
        moment = value.to_native()
    except ValueError:
        return Written(kind, value.iso_format())
    if zone is None:
        return moment
    offset = moment.utcoffset() or timedelta()
    return moment.replace(tzinfo=timezone(offset))
