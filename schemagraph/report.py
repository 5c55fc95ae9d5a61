"""`ConversionReport`: what a conversion decided, counted and found, for people and programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from graphmill.messages import one_line


@dataclass(frozen=True, slots=True)
class TableCheck:
    """A table (or element type) that came back whole.

    It has `rows` and so many values that are not NULL; `hash` is of its rows, without their order.

    `edges` counts the edges of its foreign keys, which were compared too.
    """

    table: str
    rows: int
    values: int
    hash: str
    edges: int = 0


@dataclass(frozen=True, slots=True)
class ConversionReport:
    """The outcome of `schemagraph.convert.convert`.

    `decisions` say what became what and why; `warnings` what a user should know of; `notes` what
    was left out; `proposals` are keys and foreign keys that nobody declared and that are not used;
    `checks` are the tables (or, without tables, element types) that were compared
    with the source and found equal.
    """

    source: str
    out: str
    kind: str
    nodes: dict[str, int]
    edges: dict[str, int]
    decisions: tuple[str, ...]
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    checks: tuple[TableCheck, ...]
    fingerprint: str
    proposals: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        fields = asdict(self)
        fields["lossless"] = True  # a conversion that is not raises LosslessError
        return fields

    def text(self) -> str:
        """The report as lines for a terminal."""
        lines = [*self.decisions]
        lines += [f"note: {note}" for note in self.notes]
        lines += [f"proposal, not used: {proposal}" for proposal in self.proposals]
        lines += [f"warning: {warning}" for warning in self.warnings]
        for check in self.checks:
            edges = f", {check.edges} edges" if check.edges else ""
            lines.append(
                f"lossless: {check.table}: {check.rows} rows, {check.values} values{edges}, "
                f"hash {check.hash}"
            )
        nodes, edges_ = sum(self.nodes.values()), sum(self.edges.values())
        lines.append(
            f"{self.out}: {nodes} nodes of {len(self.nodes)} types, "
            f"{edges_} edges of {len(self.edges)} types; source and graph agree."
        )
        return "".join(f"{one_line(line)}\n" for line in lines)
