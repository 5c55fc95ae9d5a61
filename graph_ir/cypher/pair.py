"""`Pair`: a record with the Graph-IR of its query, as the stages of a build hand it on.

A released row has texts alone; while it is made its meaning goes with it, so that no stage reads
the gold text again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from graph_ir import nodes as ir
from graph_ir.cypher.reader import parsed
from graph_ir.serde import from_json, to_json
from graphmill.record import Finding, Record


@dataclass(frozen=True, slots=True)
class Pair:
    """A record and what its Cypher text says: `statement` is the IR of `queries["cypher"]`."""

    record: Record
    statement: ir.Statement

    @classmethod
    def read(cls, record: Record) -> Pair:
        """A released record with its meaning.

        Raises:
            QueryTextError: its Cypher is none.
        """
        return cls(record, parsed(record.queries["cypher"]))

    @property
    def gold(self) -> str:
        """The Cypher text."""
        return self.record.queries["cypher"]

    def changed(self, **fields: Any) -> Pair:
        """With other fields of the record (`dataclasses.replace`); its query stays."""
        return Pair(replace(self.record, **fields), self.statement)

    def judged(self, finding: Finding) -> Pair:
        """With one finding more."""
        return Pair(self.record.judged(finding), self.statement)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values, the inverse of `from_json`."""
        return {"record": self.record.to_json(), "statement": to_json(self.statement)}

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Pair:
        """A pair from its JSON form."""
        statement = cast(ir.Statement, from_json(raw["statement"]))
        return cls(Record.from_json(raw["record"]), statement)
