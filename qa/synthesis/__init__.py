"""Measures a synthesised graph against its schema and its distribution specification."""

from qa.synthesis.report import Measure, Report
from qa.synthesis.verify import verify_graph

__all__ = ["Measure", "Report", "verify_graph"]
