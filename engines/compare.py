"""When two answers are the same: as bags, with tolerance for floats, and ties under LIMIT as ties.

Rows are compared by a rounded form first, which is a dictionary look-up; what is left over on
both sides is then paired by numeric closeness. So two floats that round to different digits but
are close are still equal, and 100,000 rows take about a second.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engines.base import Result
from engines.values import as_json
from graphmill.files import digest

DIGITS = 10  # significant digits of a float that take part in hashes
CLOSE = 1e-9  # relative difference up to which two numbers are equal
EVIDENCE = 20  # differing rows that a verdict shows
PAIRS = 500  # left-over rows up to which every pair is tried
EXACT = 2**53  # integers up to here are floats without loss

type Row = tuple[Any, ...]
type Rows = Sequence[Row]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether two answers are the same; if not, why, and rows that only one side has.

    `extra` are rows of the answer that the referee does not have (or not so often), `missing`
    the other way round; both show the first few.
    """

    ok: bool
    reason: str = ""
    extra: tuple[Row, ...] = ()
    missing: tuple[Row, ...] = ()

    def __bool__(self) -> bool:
        return self.ok


SAME = Verdict(ok=True)


def normalise(value: Any, *, booleans: bool = True, unordered_lists: bool = False) -> Any:
    """The form in which values are compared and hashed: JSON, the same for equal values.

    Floats are rounded to ten significant digits; those without a fraction become integers. Nodes
    are their labels and key (without a key, all properties), edges their type, ends and
    properties, paths their nodes and edges. Without `booleans`, true and false are 1 and 0
    (SQLite has no others). `unordered_lists` is for lists whose order the query leaves open, such
    as those of `collect`; the lists of a path keep their order.

    >>> normalise([1.0, 0.1 + 0.2, float("nan"), True])
    [1, 0.3, {'$float': 'nan'}, True]
    """
    match value:
        case bool():
            return value if booleans else int(value)
        case None | str() | int():
            return value
        case float():
            return _number(value)
        case list() | tuple():
            items = [
                normalise(item, booleans=booleans, unordered_lists=unordered_lists)
                for item in value
            ]
            return sorted(items, key=repr) if unordered_lists else items
        case dict():
            plain = unordered_lists and value.keys() != {"nodes", "edges"}
            return {
                name: normalise(item, booleans=booleans, unordered_lists=plain)
                for name, item in sorted(_identity(value).items())
            }
        case _:
            raise TypeError(f"{type(value).__name__} is no plain value of a result")


def answer_hash(result: Result, ordered: bool) -> str:
    """SHA-256 over the normalised rows; of a bag, when not `ordered`, in a stable order.

    Column names take no part: languages name unnamed columns differently.
    """
    rows = [normalise(row) for row in result.rows]
    return digest(rows if ordered else sorted(rows, key=repr))


def same_bag(
    a: Result, b: Result, *, booleans: bool = True, unordered_lists: bool = False
) -> Verdict:
    """Whether two answers hold the same rows, equally often, in any order."""
    return allowed(a, b, booleans=booleans, unordered_lists=unordered_lists)


def allowed(
    answer: Result,
    probe: Result,
    *,
    keys: int = 0,
    skip: int = 0,
    limit: int | None = None,
    rough: Collection[int] = (),
    booleans: bool = True,
    unordered_lists: bool = False,
) -> Verdict:
    """Whether `answer` is one of the answers that the query permits.

    `probe` is the referee's answer to the same query without its window and with the sort keys
    as its last `keys` columns (`graph_ir.rewrites.probe`). Rows with equal keys are ties, whose
    order is open. So the answer's rows must be, tie by tie, those of the probe: all of a tie
    that lies in the window, any of one that the window cuts. `rough` are the positions of keys
    whose floats each engine may round otherwise (`Probe.rough`). `booleans` False: one side has
    none. For `unordered_lists` see `normalise`.
    """
    width = len(probe.columns) - keys
    if len(answer.columns) != width:
        return Verdict(False, f"The answer has {len(answer.columns)} columns, not {width}.")
    form = _Form(booleans, unordered_lists)
    rows = [row[:width] for row in probe.rows] if keys else probe.rows
    stop = len(rows) if limit is None else min(len(rows), skip + limit)
    window = rows[skip:stop]
    if len(answer.rows) != len(window):
        reason = f"The answer has {len(answer.rows)} rows, not {len(window)}."
        return _differ(reason, *form.difference(answer.rows, window if keys else rows))
    if all(map(_is_written, answer.rows, window)):
        return SAME
    for start, end in form.ties(
        [row[width:] for row in probe.rows] if keys else [], len(rows), rough
    ):
        low, high = max(start, skip), min(end, stop)
        if low >= high:
            continue
        mine = answer.rows[low - skip : high - skip]
        if end - start == 1 and form.equal(mine[0], rows[start]):
            continue
        extra, missing = form.difference(mine, rows[start:end])
        if not extra and (not missing or high - low < end - start):
            continue
        if not keys:
            return _differ("The rows are not those of the referee.", extra, missing)
        where = f"rows {low - skip + 1} to {high - skip}"
        if not any(form.difference(answer.rows, window)):
            reason = f"The rows are right, but {where} are not where ORDER BY puts them."
        else:
            reason = f"{where.capitalize()} are not those of the referee."
        return _differ(reason, extra, missing)
    return SAME


def tied(a: Row, b: Row, rough: Collection[int] = ()) -> bool:
    """Whether two rows' sort keys leave their order open; `rough` is that of `allowed`."""
    return _Form(booleans=True, unordered_lists=False).tied(a, b, rough)


def _is_written(a: Row, b: Row) -> bool:
    """Whether two rows are the same to the letter, which most are and what is quick to see."""
    return repr(a) == repr(b)


def _differ(reason: str, extra: Rows, missing: Rows) -> Verdict:
    return Verdict(False, reason, tuple(extra[:EVIDENCE]), tuple(missing[:EVIDENCE]))


@dataclass(frozen=True, slots=True)
class _Form:
    """What counts as equal."""

    booleans: bool
    unordered_lists: bool

    def normal(self, value: Any) -> Any:
        """`normalise` with these settings."""
        return normalise(value, booleans=self.booleans, unordered_lists=self.unordered_lists)

    def ties(self, keys: Rows, count: int, rough: Collection[int]) -> Iterator[tuple[int, int]]:
        """Positions (from, to) of runs of rows with equal sort keys; without keys, one run."""
        start = 0
        for number in range(1, len(keys)):
            if not self.tied(keys[number - 1], keys[number], rough):
                yield start, number
                start = number
        if count:
            yield start, count

    def tied(self, a: Row, b: Row, rough: Collection[int]) -> bool:
        """Whether the sort keys leave the order of two rows open: what comes after equal floats
        that an engine may have rounded otherwise decides nothing."""
        for place, (x, y) in enumerate(zip(a, b, strict=True)):
            if not self._close(x, y):
                return False
            if place in rough and isinstance(x, float) and isinstance(y, float):
                return True
        return True

    def difference(self, mine: Rows, theirs: Rows) -> tuple[list[Row], list[Row]]:
        """Rows that only the first bag has, and rows that only the second has."""
        if len(mine) == len(theirs) and sorted(map(repr, mine)) == sorted(map(repr, theirs)):
            return [], []
        other = Counter(repr(self.normal(row)) for row in theirs)
        extra = []
        for row in mine:
            key = repr(self.normal(row))
            if other[key]:
                other[key] -= 1
            else:
                extra.append(row)
        left = +other
        missing = []
        for row in theirs if left else ():
            key = repr(self.normal(row))
            if left[key]:
                left[key] -= 1
                missing.append(row)
        return self._unpaired(extra, missing) if extra and missing else (extra, missing)

    def _unpaired(self, extra: list[Row], missing: list[Row]) -> tuple[list[Row], list[Row]]:
        """Both without the pairs that differ by rounding only."""
        extra, missing = sorted(extra, key=self._order), sorted(missing, key=self._order)
        extra_left, missing_left = [], []
        at = 0
        for row in extra:
            while at < len(missing) and self._before(missing[at], row):
                missing_left.append(missing[at])
                at += 1
            if at < len(missing) and self.equal(row, missing[at]):
                at += 1
            else:
                extra_left.append(row)
        missing_left += missing[at:]
        if max(len(extra_left), len(missing_left)) > PAIRS:
            return extra_left, missing_left
        unpaired = []
        for row in extra_left:
            partner = next((n for n, m in enumerate(missing_left) if self.equal(row, m)), None)
            if partner is None:
                unpaired.append(row)
            else:
                del missing_left[partner]
        return unpaired, missing_left

    def _order(self, row: Row) -> tuple[str, tuple[float, ...]]:
        normal = self.normal(row)
        return repr(_masked(normal)), tuple(_numbers(normal))

    def _before(self, a: Row, b: Row) -> bool:
        return not self.equal(a, b) and self._order(a) < self._order(b)

    def equal(self, a: Sequence[Any], b: Sequence[Any]) -> bool:
        """Whether two rows are equal, numbers within the tolerance."""
        return all(self._close(x, y) for x, y in zip(a, b, strict=True))

    def _close(self, a: Any, b: Any) -> bool:
        if not self.booleans:
            a = int(a) if isinstance(a, bool) else a
            b = int(b) if isinstance(b, bool) else b
        if isinstance(a, bool) or isinstance(b, bool):
            return a is b
        if isinstance(a, int | float) and isinstance(b, int | float):
            return _near(a, b)
        if isinstance(a, list | tuple) and isinstance(b, list | tuple):
            if len(a) != len(b):
                return False
            if self.unordered_lists:
                a, b = sorted(a, key=self._place), sorted(b, key=self._place)
            return self.equal(a, b)
        if isinstance(a, dict) and isinstance(b, dict):
            a, b = _identity(a), _identity(b)
            inside = self
            if self.unordered_lists and a.keys() == {"nodes", "edges"}:
                inside = _Form(self.booleans, unordered_lists=False)
            return a.keys() == b.keys() and all(inside._close(a[name], b[name]) for name in a)
        return bool(a == b)

    def _place(self, value: Any) -> str:
        return repr(self.normal(value))


def _identity(value: dict[str, Any]) -> dict[str, Any]:
    """Of a node what identifies it, of anything else all of it."""
    match value:
        case {"labels": list(labels), "key": dict(key), **rest} if rest.keys() <= {"properties"}:
            return {"labels": sorted(labels), "key": key or rest.get("properties", {})}
    return value


def _number(value: float) -> Any:
    if not math.isfinite(value):
        return as_json(value)
    if value.is_integer() and abs(value) < EXACT:
        return int(value)
    rounded = float(f"{value:.{DIGITS - 1}e}")
    if not math.isfinite(rounded):  # rounding the largest floats up leaves their range
        return value
    return int(rounded) if rounded.is_integer() and abs(rounded) < EXACT else rounded


def _near(a: int | float, b: int | float) -> bool:
    """Integers exactly, floats within the tolerance, NaN with NaN."""
    if a == b or (a != a and b != b):
        return True
    if isinstance(a, int) and isinstance(b, int):
        return False
    try:
        return math.isclose(a, b, rel_tol=CLOSE) and math.isfinite(a) and math.isfinite(b)
    except OverflowError:  # an integer that is no float
        return False


def _masked(value: Any) -> Any:
    """A normalised value without its numbers."""
    match value:
        case bool() | None | str():
            return value
        case int() | float():
            return 0
        case list():
            return [_masked(item) for item in value]
        case _:
            return {name: _masked(item) for name, item in value.items()}


def _numbers(value: Any) -> Iterator[float]:
    """All numbers of a normalised value, in their order."""
    match value:
        case bool() | None | str():
            return
        case int() | float():
            yield min(max(value, -1e308), 1e308)
        case list():
            for item in value:
                yield from _numbers(item)
        case _:
            for item in value.values():
                yield from _numbers(item)
