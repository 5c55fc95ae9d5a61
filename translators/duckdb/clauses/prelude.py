"""The macros of the `*.sql` files beside this one that a query uses, as text before it."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from translators.duckdb.clauses.casing import filled

FILES = ("prelude", "numbers", "text", "temporal")
LEVELS = 3  # how deep lists and maps of unknown type are ordered; deeper ones are an error

_MACRO = re.compile(r"CREATE OR REPLACE TEMP MACRO (cy_\w+)\(.*?;\n", re.DOTALL)
_USE = re.compile(r"\bcy_\w+(?=\()")
_VOLATILE = re.compile(r"\b(?:error|random)\(")


@cache
def macros() -> dict[str, str]:
    """All macros by name, levels written out."""
    folder = files("translators.duckdb.clauses")
    text = filled("".join(folder.joinpath(f"{name}.sql").read_text("utf-8") for name in FILES))
    bodies_by_name = {}
    for declared in _MACRO.finditer(text):
        name, body = declared[1], declared[0]
        if not name.endswith("_N"):
            bodies_by_name[name] = body
            continue
        for level in range(1, LEVELS + 1):
            leveled = body.replace("_N(", f"_{level}(").replace("_M(", f"_{level - 1}(")
            bodies_by_name[f"{name[:-2]}_{level}"] = leveled
    return bodies_by_name


def prelude(names: set[str]) -> str:
    """The declarations of `names` and of what they use, each after what it needs."""
    known = macros()
    chosen: list[str] = []

    def add(name: str) -> None:
        if name in chosen:
            return
        for other in _USE.findall(known[name].split(" AS", 1)[1]):
            add(other)
        chosen.append(name)

    for name in sorted(names):
        add(name)
    return "".join(known[name] for name in chosen)


def is_volatile(text: str) -> bool:
    """Whether DuckDB computes `text` anew for every use: a random number, or what may fail."""
    return bool(_VOLATILE.search(text)) or not _volatile().isdisjoint(_USE.findall(text))


@cache
def _volatile() -> frozenset[str]:
    """The macros that are volatile, or use one that is."""
    bodies = {name: body.split(" AS", 1)[1] for name, body in macros().items()}
    volatile = {name for name, body in bodies.items() if _VOLATILE.search(body)}
    while (
        more := {n for n, b in bodies.items() if not volatile.isdisjoint(_USE.findall(b))}
        - volatile
    ):
        volatile |= more
    return frozenset(volatile)
