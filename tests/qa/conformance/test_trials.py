"""The matrix has cells of every function of the table, whatever is added to it."""

from __future__ import annotations

from graph_ir.functions import AGGREGATES, signatures
from qa.conformance.trials import covered


def test_every_function_has_cells() -> None:
    assert set(signatures()) - covered() == set(AGGREGATES)
