"""An early look at a program's imports: a good message before a run, and no protection at all."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator

# What a program that generates data has no use for; the sandbox refuses what they do anyway.
USELESS = frozenset(
    {"asyncio", "ctypes", "ftplib", "http", "multiprocessing", "pty", "resource", "signal"}
    | {"smtplib", "socket", "socketserver", "ssl", "subprocess", "urllib", "webbrowser"}
)


def lint(script: str, installed: Collection[str] = ("faker", "numpy", "polars", "pyarrow")) -> str:
    """What is wrong with the program's text or its imports, as one sentence; empty when nothing is.

    `installed` are the packages that it may use besides the standard library.

    >>> lint("import numpy as np")
    ''
    >>> lint("import subprocess")
    'Line 1: a program that generates data must not import subprocess.'
    >>> lint("import pandas")
    'Line 1: pandas is not available. Use faker, numpy, polars, pyarrow or the standard library.'
    >>> lint("def f(:")
    'Line 1, column 7: invalid syntax.'
    """
    try:
        tree = ast.parse(script)
    except SyntaxError as problem:
        return f"Line {problem.lineno}, column {problem.offset}: {problem.msg}."
    except (ValueError, RecursionError, MemoryError) as problem:
        return f"The program cannot be read: {problem}."
    for line, module in _imports(tree):
        if module in USELESS:
            return f"Line {line}: a program that generates data must not import {module}."
        if module not in sys.stdlib_module_names and module not in installed:
            names = ", ".join(sorted(installed))
            return f"Line {line}: {module} is not available. Use {names} or the standard library."
    return ""


def _imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, (node.module or "").split(".")[0]
