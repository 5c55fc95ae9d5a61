"""Readable paths out of a pattern's nodes and edges, and the MATCH clauses that hold them.

Cypher forbids that two edge patterns of one MATCH bind the same edge; SQL does not forbid that
two aliases are the same row. Edges of one type therefore stand in different MATCH clauses,
unless it is known that they differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from graph_ir import nodes as ir
from translators.from_sql.joins.links import Link, Pattern
from translators.from_sql.statement.terms import conjunction, variables

type Differ = Callable[[Link, Link], bool]


class Paths:
    """Lays out one pattern. `bound` are variables that earlier clauses bound."""

    def __init__(self, pattern: Pattern, bound: set[str], labels: dict[str, str], differ: Differ):
        self.pattern = pattern
        self.labels = labels
        self.differ = differ
        self.seen = set(bound)
        self.left = list(pattern.links)
        self.ends = {link.var: link for link in pattern.links if link.var is not None}

    def clauses(self) -> list[tuple[ir.Path, ...]]:
        """The paths of each MATCH, in order."""
        matches: list[tuple[ir.Path, ...]] = []
        isolated = [
            var
            for var in self.pattern.nodes
            if not any(var in (link.source, link.target) for link in self.pattern.links)
        ]
        while self.left:
            paths: list[ir.Path] = []
            placed: list[Link] = []
            while (start := self._start(placed)) is not None:
                paths.append(self._path(start, placed))
            matches.append(tuple(paths))
        alone = tuple(ir.Path(self._node(var)) for var in isolated)
        if alone and matches:
            return [(*matches[0], *alone), *matches[1:]]
        return [*matches, alone] if alone else matches

    def _free(self, link: Link, placed: list[Link]) -> bool:
        return all(link.type != other.type or self.differ(link, other) for other in placed)

    def _start(self, placed: list[Link]) -> str | None:
        """Where the next path begins: at something bound, else at an end of a chain."""
        free = [link for link in self.left if self._free(link, placed)]
        if not free:
            return None
        ends = [var for link in free for var in (link.source, link.target)]
        known = [var for var in ends if var in self.seen]
        order = [*(var for var in self.pattern.nodes if var in ends), *ends]
        tips = [var for var in (known or order) if ends.count(var) == 1]
        return (tips or known or order)[0]

    def _path(self, start: str, placed: list[Link]) -> ir.Path:
        head = self._node(start)
        steps: list[ir.Step] = []
        here = start
        while True:
            link = next(
                (
                    link
                    for link in self.left
                    if here in (link.source, link.target) and self._free(link, placed)
                ),
                None,
            )
            if link is None:
                return ir.Path(head, tuple(steps))
            self.left.remove(link)
            placed.append(link)
            forward = link.source == here
            here = link.target if forward else link.source
            direction = ir.Direction.OUT if forward else ir.Direction.IN
            edge = ir.EdgePattern(link.var, ir.LabelName(link.type), direction)
            steps.append(ir.Step(edge, self._node(here)))

    def _node(self, var: str) -> ir.NodePattern:
        if var in self.seen:
            return ir.NodePattern(var)
        self.seen.add(var)
        return ir.NodePattern(var, ir.LabelName(self.labels[var]))


def matches(
    clauses: list[tuple[ir.Path, ...]],
    conditions: Iterable[ir.Expr],
    bound: set[str],
    *,
    optional: bool,
) -> list[ir.Match]:
    """MATCH clauses, each condition in the first one that binds all it needs.

    An optional pattern is one clause, because it is there or missing as a whole.
    """
    if optional and clauses:
        clauses = [tuple(path for paths in clauses for path in paths)]
    known = set(bound)
    visible: list[set[str]] = []
    for paths in clauses:
        known |= variables(*paths)
        visible.append(set(known))
    everything = visible[-1] if visible else known
    placed: list[list[ir.Expr]] = [[] for _ in clauses]
    for condition in conditions:
        needs = variables(condition) & everything
        placed[next(i for i, names in enumerate(visible) if needs <= names)].append(condition)
    return [
        ir.Match(paths, conjunction(wheres), optional=optional)
        for paths, wheres in zip(clauses, placed, strict=True)
    ]
