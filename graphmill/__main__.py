"""`python -m graphmill`: the command line. It lies in a higher layer, so it is run by its name."""

from __future__ import annotations

import runpy

if __name__ == "__main__":
    runpy.run_module("pipelines.cli", run_name="__main__", alter_sys=True)
