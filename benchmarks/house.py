"""What the house looks like: folders, import circles, ancestors, complex functions, starts.

    .venv/bin/python -m benchmarks.house [--starts N]

Everything is read from the code: imports by grimp (those in functions count, those under
TYPE_CHECKING do not), complexity by radon (E begins at 31, F at 41). A folder is a package's own
modules, without those of folders below it; its arrows are the imports of its modules.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from statistics import median
from time import perf_counter

import grimp
import networkx as nx
from radon.complexity import cc_visit

PACKAGES = (
    "graphmill",
    "schemagraph",
    "graph_ir",
    "translators",
    "engines",
    "generators",
    "qa",
    "evaluation",
    "pipelines",
)
ROOT = Path(__file__).parent.parent
QUESTIONS = "generators/questions"  # has an issue of its own
LONG = 60


def sources() -> Iterator[Path]:
    """Every module of the packages."""
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def folder_sizes() -> Counter[str]:
    """How many modules of its own each folder has; `__init__` is the folder itself."""
    return Counter(
        path.parent.relative_to(ROOT).as_posix() for path in sources() if path.stem != "__init__"
    )


def import_graph() -> nx.DiGraph[str]:
    """Module to imported module."""
    imports = grimp.build_graph(*PACKAGES, exclude_type_checking_imports=True, cache_dir=None)
    arrows: nx.DiGraph[str] = nx.DiGraph()
    arrows.add_nodes_from(imports.modules)
    for module in imports.modules:
        for imported in imports.find_modules_directly_imported_by(module):
            arrows.add_edge(module, imported)
    return arrows


def folder_of(module: str) -> str:
    """The dotted folder that a module lies in.

    >>> folder_of("graph_ir.nodes")
    'graph_ir'
    """
    return module if (ROOT / Path(*module.split("."))).is_dir() else module.rpartition(".")[0]


def circles(arrows: nx.DiGraph[str]) -> list[list[str]]:
    """Groups of nodes that reach each other."""
    return sorted(
        sorted(group) for group in nx.strongly_connected_components(arrows) if len(group) > 1
    )


def folder_graph(arrows: nx.DiGraph[str]) -> nx.DiGraph[str]:
    """Folder to imported folder."""
    folders: nx.DiGraph[str] = nx.DiGraph()
    for importer, imported in arrows.edges:
        a, b = folder_of(importer), folder_of(imported)
        if a != b:
            folders.add_edge(a, b)
    return folders


def ancestors() -> Iterator[tuple[int, str, str]]:
    """Each class of ours: from how many of ours it derives, its name, its module."""
    for path in sources():
        if path.stem.startswith("__"):
            continue
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for thing in vars(import_module(name)).values():
            if isinstance(thing, type) and thing.__module__ == name:
                own = [c for c in thing.__mro__[1:] if c.__module__.split(".")[0] in PACKAGES]
                yield len(own), thing.__qualname__, name


def functions() -> Iterator[tuple[str, str, int]]:
    """Each function with its path and its number of lines."""
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                yield path.relative_to(ROOT).as_posix(), node.name, lines


def complex_functions() -> Iterator[tuple[str, str, int]]:
    """Functions that radon rates E or F."""
    for path in sources():
        for block in cc_visit(path.read_text()):
            parts = getattr(block, "methods", None) or [block]
            for part in parts:
                if part.complexity > 30:
                    yield path.relative_to(ROOT).as_posix(), part.name, part.complexity


def start_times(arguments: list[str], runs: int) -> float:
    """The median of `runs` starts of Python with `arguments`, in seconds."""
    times = []
    for _ in range(runs):
        begin = perf_counter()
        subprocess.run([sys.executable, *arguments], cwd=ROOT, check=True, capture_output=True)
        times.append(perf_counter() - begin)
    return median(times)


def main() -> None:
    """Print the measures, with what exceeds each bar."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--starts", type=int, default=5, help="starts to time; 0: none")
    options = reader.parse_args()

    sizes = folder_sizes()
    folder, most = sizes.most_common(1)[0]
    print(f"modules of its own in the largest folder: {most} ({folder}); bar 20")
    for name, count in sizes.most_common():
        if count > 20:
            print(f"    {name}: {count}")

    arrows = import_graph()
    for what, groups in (
        ("import circles", circles(arrows)),
        ("circles of folders", circles(folder_graph(arrows))),
    ):
        print(f"{what}: {len(groups)}; bar 0")
        for group in groups:
            print(f"    {', '.join(group)}")

    questions = QUESTIONS.replace("/", ".")
    by_count = sorted(
        (row for row in ancestors() if not row[2].startswith(questions)), reverse=True
    )
    print(f"most own ancestors of a class: {by_count[0][0]} ({by_count[0][1]}); bar 4")
    for count, name, module in by_count:
        if count > 4:
            print(f"    {module}: {name} {count}")

    for what, rows, bar in (
        ("functions that radon rates E or F", complex_functions(), 0),
        (f"functions over {LONG} lines", (row for row in functions() if row[2] > LONG), 3),
    ):
        beyond = [row for row in rows if not row[0].startswith(QUESTIONS)]
        print(f"{what}, outside {QUESTIONS}: {len(beyond)}; bar {bar}")
        for path, name, size in beyond:
            print(f"    {path}: {name} {size}")

    if options.starts:
        bare = start_times(["-c", "pass"], options.starts)
        for what, arguments, bar_seconds in (
            ("graphmill --help", ["-m", "pipelines.cli", "--help"], 0.25),
            ("import graphmill", ["-c", "import graphmill"], 0.05),
        ):
            took = start_times(arguments, options.starts)
            print(f"{what}: {took:.3f} s, of which Python itself {bare:.3f}; bar {bar_seconds}")


if __name__ == "__main__":
    main()
