"""What programs of a query and of its variants have in common, by the identity of clauses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graph_ir import nodes as ir
from graph_ir.rewrites import leaves_lists_open
from graph_ir.walk import with_fields
from qa.discrimination.interpreter.expressions import Env

type Step = Callable[[list[Env]], list[Env]]


class Memory:
    """Clauses that were compiled before, and what is known of them."""

    def __init__(self) -> None:
        self._steps: dict[tuple[int, frozenset[str], frozenset[str]], tuple[ir.Clause, Step]] = {}
        self._opens: dict[int, tuple[ir.Clause, bool]] = {}
        self._whole: dict[int, tuple[ir.Clause, ir.Clause]] = {}

    def step(
        self,
        clause: ir.Clause,
        scope: set[str],
        outer: frozenset[str],
        compiled: Callable[[ir.Clause, set[str]], Step],
    ) -> Step:
        """A clause compiled for a scope inside a query with the variables `outer`."""
        key = (id(clause), frozenset(scope), outer)
        known = self._steps.get(key)
        if known is None:
            known = self._steps[key] = (clause, compiled(clause, scope))
        return known[1]

    def opens_lists(self, statement: ir.Statement) -> bool:
        """`leaves_lists_open`, clause by clause."""
        if not isinstance(statement, ir.Query):
            return leaves_lists_open(statement)
        for clause in statement.clauses:
            if id(clause) not in self._opens:
                self._opens[id(clause)] = (clause, leaves_lists_open(clause))
        return any(self._opens[id(clause)][1] for clause in statement.clauses)

    def whole(self, last: ir.Project) -> ir.Clause:
        """A last clause without its window; the same object for those that differ in that only."""
        known = self._whole.get(id(last))
        if known is None:
            found: ir.Clause = with_fields(last, {"skip": None, "limit": None})
            made = [whole for _, whole in self._whole.values()]
            known = (last, next((each for each in made if each == found), found))
            self._whole[id(last)] = known
        return known[1]

    def is_final(self, clause: ir.Clause) -> bool:
        """Whether a clause was made by `whole`."""
        return any(clause is whole for _, whole in self._whole.values())


def alike(some: Sequence[ir.Clause], others: Sequence[ir.Clause]) -> int:
    """How many clauses at the beginning are the same objects."""
    for number, (one, other) in enumerate(zip(some, others, strict=False)):
        if one is not other:
            return number
    return min(len(some), len(others))
