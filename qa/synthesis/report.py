"""What was measured of a synthesised graph, and what of it is wrong."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Measure:
    """One thing measured: where (`nodes.Account.properties.iban`), what, and whether it is right.

    `expected` and `observed` are figures or short texts; `note` says why something is not judged.
    """

    place: str
    what: str
    expected: Any
    observed: Any
    ok: bool = True
    note: str = ""

    def sentence(self) -> str:
        """The measure as a line for people and for authors of programs."""
        text = f"{self.place}: {self.what}: expected {self.expected}, found {self.observed}"
        return f"{text} ({self.note})" if self.note else text


@dataclass(frozen=True, slots=True)
class Report:
    """All measures of a graph."""

    measures: tuple[Measure, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return all(measure.ok for measure in self.measures)

    @property
    def failures(self) -> tuple[Measure, ...]:
        """What is wrong."""
        return tuple(measure for measure in self.measures if not measure.ok)

    def problem(self, most: int = 12) -> str:
        """What is wrong, as lines; at most `most` of them."""
        lines = [measure.sentence() for measure in self.failures]
        more = [f"and {len(lines) - most} more"] if len(lines) > most else []
        return "\n".join(lines[:most] + more)

    def to_json(self) -> dict[str, Any]:
        """The report as it is stored beside the graph."""
        return {"ok": self.ok, "measures": [_entry(measure) for measure in self.measures]}


def _entry(measure: Measure) -> dict[str, Any]:
    # the stored form has its own word, which others read (docs/synthesis.md)
    stored = {"found" if name == "observed" else name: v for name, v in asdict(measure).items()}
    return {name: value for name, value in stored.items() if value != ""}


def limit(
    place: str,
    what: str,
    expected: Any,
    measured: float,
    *,
    off: float,
    most: float,
    note: str = "",
) -> Measure:
    """A figure that may be off by `most`."""
    return Measure(place, what, expected, rounded(measured), bool(off <= most), note)


def none_of(place: str, what: str, count: int) -> Measure:
    """A number of violations, which has to be 0."""
    return Measure(place, what, 0, count, count == 0)


def rounded(value: float) -> float:
    """A figure with four digits, as reports show it."""
    return float(f"{value:.4g}")
