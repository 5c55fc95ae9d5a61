"""What programs of a query and of its variants have in common, by the identity of clauses."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from graph_ir import nodes as ir
from graph_ir.rewrites import leaves_lists_open
from graph_ir.walk import find, with_fields
from qa.mutation.interpreter.expressions import Env

type Step = Callable[[list[Env]], list[Env]]


class Memory:
    """Clauses that were compiled before, and what is known of them."""

    def __init__(self) -> None:
        self._steps: dict[tuple[int, frozenset[str], frozenset[str]], tuple[ir.Clause, Step]] = {}
        self._facts: dict[int, tuple[ir.Node, bool, bool]] = {}
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

    def facts(self, statement: ir.Statement) -> tuple[bool, bool]:
        """Whether lists are left open (`leaves_lists_open`), and whether paths have names."""
        parts = statement.clauses if isinstance(statement, ir.Query) else (statement,)
        opens = names = False
        for part in parts:
            known = self._facts.get(id(part))
            if known is None:
                named = any(path.var is not None for path in find(part, ir.Path))
                known = self._facts[id(part)] = (part, leaves_lists_open(part), named)
            opens |= known[1]
            names |= known[2]
        return opens, names

    def whole(self, last: ir.Project) -> ir.Clause:
        """A last clause without its window; the same object for those that differ in that only."""
        known = self._whole.get(id(last))
        if known is None:
            unlimited: ir.Clause = with_fields(last, {"skip": None, "limit": None})
            made = [whole for _, whole in self._whole.values()]
            known = (last, next((each for each in made if each == unlimited), unlimited))
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
