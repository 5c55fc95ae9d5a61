"""Started by its path: finds the rest of this folder and follows the order that comes."""

from __future__ import annotations

import os
import sys


def borrow() -> None:
    """Let `generators.sandbox.confinement` be imported from this folder, and nothing else of it."""
    here = os.path.dirname(os.path.abspath(__file__))
    above = os.path.dirname(here)
    for name, folder in (
        ("generators", os.path.dirname(above)),
        ("generators.sandbox", above),
        ("generators.sandbox.confinement", here),
    ):
        module = type(sys)(name)
        module.__path__ = [folder]
        sys.modules[name] = module


if __name__ == "__main__":
    borrow()
    from generators.sandbox.confinement.processes import main

    main(int(sys.argv[1]))
