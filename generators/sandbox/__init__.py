"""The sandbox of generated programs: `run_program`, its limits and what comes back."""

from generators.sandbox.files import UnwritableError
from generators.sandbox.imports import lint
from generators.sandbox.runner import LAYERS, Outcome, SandboxUnavailable, run_program
from generators.sandbox.watch import Limits

__all__ = [
    "LAYERS",
    "Limits",
    "Outcome",
    "SandboxUnavailable",
    "UnwritableError",
    "lint",
    "run_program",
]
