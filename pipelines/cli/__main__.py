"""`python -m pipelines.cli`: the command line without the script that an installation makes."""

from __future__ import annotations

import sys

from pipelines.cli import main

if __name__ == "__main__":
    sys.exit(main())
