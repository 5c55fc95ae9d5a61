"""`graphmill` and `python -m graphmill`: the command line, which lies in a higher layer."""

from __future__ import annotations

import sys
from importlib import import_module


def main() -> int:
    """Run the command line; the exit status."""
    status: int = import_module("pipelines.cli").main()
    return status


if __name__ == "__main__":
    sys.exit(main())
