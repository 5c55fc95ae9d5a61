"""An interpreter for a user without rights."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NOBODY = 65534


def interpreter_for_all() -> str:
    """A Python that a user without rights can start."""
    for name in ("/usr/bin/python3", "/usr/local/bin/python3", sys.executable):
        done = (
            subprocess.run(
                [name, "-s", "-P", "-c", "pass"],
                capture_output=True,
                user=NOBODY,
                cwd="/",
                check=False,
            )
            if Path(name).exists() and os.getuid() == 0
            else None
        )
        if done and done.returncode == 0:
            return name
    pytest.skip("no root, or no interpreter of Python 3.11 that the user nobody can read")
