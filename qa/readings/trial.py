"""Whether other readings of a query give another answer: on small graphs, and on the shipped one.

It is the counterpart of `qa.mutation.analysis`: a mutant should be told from its query, a plain
reading of its question should not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from engines.base import Result
from engines.compare import allowed
from graph_ir import nodes as ir
from graph_ir.rewrites import Probe, leaves_lists_open, probe
from qa.mutation.analysis import Ask
from qa.mutation.interpreter.clauses import STEPS, Program, Trace
from qa.mutation.interpreter.elements import MemoryGraph
from qa.mutation.interpreter.expressions import TooMuch
from qa.mutation.interpreter.values import Fault, Unsupported
from qa.mutation.verdict import tells_apart
from qa.readings.derive import READINGS, TIES, Variant

_EXTRA = 1000  # rows beyond the query's that a reading's answer may have


@dataclass
class Trial:
    """One query, on the graphs its readings are tried on; `ask` answers on the shipped one."""

    statement: ir.Statement
    small: Sequence[MemoryGraph]
    ask: Ask | None

    def differs(self, variant: Variant) -> bool | None:
        """Whether a reading gives another answer; None where nothing could be asked."""
        if variant.reading == TIES:
            return self._cuts_ties()
        kind = READINGS[variant.reading]
        if kind.everywhere and self._small(variant.statement):
            return True
        return self._shipped(variant.statement)

    def differs_on_shipped(self, statement: ir.Statement) -> bool | None:
        """The same of the shipped graph alone."""
        return self._shipped(statement)

    # --- small graphs ------------------------------------------------------------------------

    @cached_property
    def _program(self) -> Program | None:
        return _compiled(self.statement)

    @cached_property
    def _traces(self) -> list[Trace | None]:
        return [self._trace(graph) for graph in self.small]

    def _trace(self, graph: MemoryGraph) -> Trace | None:
        if self._program is None:
            return None
        try:
            trace = self._program.trace(graph, STEPS)
        except (Unsupported, Fault, TooMuch):
            return None
        return None if trace.outcome.open else trace

    def _small(self, statement: ir.Statement) -> bool:
        if self._program is None or not self.small:
            return False
        traces = self._traces
        program = _compiled(statement, self._program)
        if program is None:
            return False
        for graph, gold in zip(self.small, traces, strict=True):
            if gold is None:
                continue
            try:
                outcome = program.run_beside(gold, graph, STEPS)
            except (Unsupported, Fault, TooMuch):
                continue
            if outcome is not gold.outcome and tells_apart(gold.outcome, outcome):
                return True
        return False

    # --- the shipped graph -------------------------------------------------------------------

    @cached_property
    def _probe(self) -> Probe | None:
        return probe(self.statement)

    @cached_property
    def _gold(self) -> Result | None:
        if self._probe is None or self.ask is None:
            return None
        return self.ask(self._probe.statement, None)

    def _shipped(self, statement: ir.Statement) -> bool | None:
        asked, gold = self._probe, self._gold
        if asked is None or gold is None or self.ask is None:
            return None
        answer = self.ask(statement, len(gold.rows) + _EXTRA)
        if answer is None:
            return None
        return not allowed(
            answer,
            gold,
            keys=asked.keys,
            skip=asked.skip,
            limit=asked.limit,
            rough=asked.rough,
            unordered_lists=leaves_lists_open(self.statement),
        )

    def _cuts_ties(self) -> bool | None:
        """Whether the shipped data have a tie between the last row of the window and the next."""
        asked, gold = self._probe, self._gold
        if asked is None or gold is None or asked.limit is None:
            return None
        at, width = asked.skip + asked.limit, len(gold.columns) - asked.keys
        if not 0 < at < len(gold.rows):
            return False
        last, following = gold.rows[at - 1], gold.rows[at]
        return last[width:] == following[width:] and last[:width] != following[:width]


def _compiled(statement: ir.Statement, beside: Program | None = None) -> Program | None:
    try:
        return Program(statement, beside)
    except Unsupported:
        return None
