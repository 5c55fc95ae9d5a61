"""Facts told over two ways that no declaration holds together.

    PYTHONPATH=. python benchmarks/synthesis_paths.py [--levels 2,3,4] [--seeds 4] [--only PATH]

Where two different paths of edges with one end each lead from a type to the same other type (a
building to its city, and over its district to a city), rows agree only if `via` or `apart` says
so. Lists, for each sub-domain, the pairs in schemas drawn by rule that nothing says; some of them
are meant to differ (the city of a person and of the employer), so this is to be read, not a bar.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from random import Random

from generators.schemas.author import SchemaProposal, SchemaRequest
from generators.schemas.rules import RuleSchemaAuthor
from generators.taxonomy.load import load_taxonomy

Path = tuple[str, ...]
Steps = dict[str, list[tuple[str, str]]]

LONGEST = 3


def main() -> None:
    """Print a line for each uncovered pair and their number."""
    ask = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    ask.add_argument("--levels", default="2,3,4")
    ask.add_argument("--seeds", type=int, default=4)
    ask.add_argument("--only", default="")
    given = ask.parse_args()
    count = 0
    for domain in load_taxonomy():
        if given.only not in domain.path:
            continue
        found: set[tuple[str, ...]] = set()
        for level in map(int, given.levels.split(",")):
            for seed in range(given.seeds):
                request = SchemaRequest(domain, level)
                found |= set(uncovered(next(RuleSchemaAuthor().generate(request, Random(seed)))))
        for row in sorted(found):
            print(domain.path, *row, sep=" | ")
        count += len(found)
    print(count, "pairs of paths without a declaration")


def uncovered(made: SchemaProposal) -> Iterator[tuple[str, ...]]:
    """Start, end and both paths of each pair that neither `same` nor `apart` mentions."""
    steps = _steps(made)
    for node in made.schema.nodes:
        by_end: dict[str, list[Path]] = defaultdict(list)
        for path, end in _paths(steps, node.name, LONGEST, frozenset({node.name})):
            if path:
                by_end[end].append(path)
        for end, paths in by_end.items():
            for one, other in combinations(paths, 2):
                parts = one[0] != other[0] and one[-1] != other[-1]
                if parts and not _covered(made, {*one, *other}):
                    yield node.name, end, _told(one), _told(other)


def _steps(made: SchemaProposal) -> Steps:
    steps: Steps = defaultdict(list)
    for edge in made.schema.edges:
        cardinality = made.specification.edges[edge.name].cardinality
        if edge.source == edge.target:
            continue
        if cardinality in ("n:1", "1:1"):
            steps[edge.source].append((edge.name, edge.target))
        if cardinality in ("1:n", "1:1"):
            steps[edge.target].append((edge.name, edge.source))
    return steps


def _paths(steps: Steps, node: str, depth: int, seen: frozenset[str]) -> Iterator[tuple[Path, str]]:
    yield (), node
    if depth:
        for name, end in steps[node]:
            if end not in seen:
                for path, last in _paths(steps, end, depth - 1, seen | {end}):
                    yield (name, *path), last


def _covered(made: SchemaProposal, names: set[str]) -> bool:
    for name in names:
        edges = made.specification.edges[name]
        if edges.apart:
            return True
        told = "|".join(f"{same.source}|{same.target}" for same in edges.same)
        if any(other in told for other in names - {name}):
            return True
    return False


def _told(path: Path) -> str:
    return ">".join(name.split("-")[1] if name.count("-") == 2 else name for name in path)


if __name__ == "__main__":
    main()
