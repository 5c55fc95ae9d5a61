"""Proofs that a mutant is no other query: both become the same by rewrites that keep the meaning.

Every rule holds on all graphs of the schema (its types, nulls and keys). What no rule proves is
not called equivalent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any

from graph_ir import nodes as ir
from graph_ir.canonical import canonical
from graph_ir.walk import descend, find, with_fields
from qa.fuzz.graphs import SmallGraph
from qa.mutation.interpreter.clauses import Program
from qa.mutation.interpreter.elements import MemoryGraph
from qa.mutation.interpreter.expressions import TooMuch
from qa.mutation.interpreter.values import Fault, Unsupported
from qa.mutation.pattern_rules import different_ends, types
from qa.mutation.row_rules import (
    counted,
    empty_row,
    groups,
    keys,
    not_null,
    null_skipped,
    one_row,
    unseen_order,
)
from schemagraph.model import SchemaGraph

PROVABLE = frozenset(
    {
        *("dropped-predicate", "dropped-label", "dropped-edge-type", "changed-null-test"),
        *("changed-label", "changed-hops"),
        *("flipped-direction", "lost-direction", "inner-for-optional", "optional-for-inner"),
        *("lost-uniqueness", "lost-distinct", "lost-aggregate-distinct", "wrong-aggregate"),
        *("changed-count", "lost-order", "flipped-order", "lost-limit", "changed-limit"),
        *("lost-skip", "changed-union", "lost-stage", "dropped-grouping-key"),
    }
)
"""Operators whose mutants the proofs are about; to look at others would only cost time."""

LIKELY = frozenset({"lost-direction", "dropped-label", "changed-count"})
"""Those whose mutants mostly are the query itself, so that a proof is tried before any graph."""

type Rule = Callable[[ir.Statement, SchemaGraph], ir.Statement]


class Prover:
    """Proves mutants of one query; what its mutants share with it is worked out once."""

    def __init__(self, statement: ir.Statement, schema: SchemaGraph) -> None:
        self.schema = schema
        self.statement = statement
        self._simpler: dict[tuple[str, int], tuple[ir.Clause, ir.Clause]] = {}
        self._kinds: dict[int, tuple[ir.Node, frozenset[type[ir.Node]]]] = {}
        self._forms = [statement]
        for name in RULES:
            self._forms.append(self._applied(name, self._forms[-1]))
        self._canonical: dict[int, ir.Statement] = {}

    def proof(self, mutant: ir.Statement) -> str:
        """The name of the proof that a bound mutant means what the query means, or nothing.

        It is `canonical` (another spelling), `no-match`, or the rules that were needed, joined
        with `+`.
        """
        if _same_without_matches(self.statement, mutant):
            return "no-match"
        if self._spelt(0, mutant):
            return "canonical"
        own, needed = mutant, []
        for number, name in enumerate(RULES):
            before, after = self._forms[number : number + 2]
            simpler = self._applied(name, own)
            if (simpler is own) != (after is before) or (simpler is not own and own != before):
                needed.append(name)
            own = simpler
            if own == after:
                return "+".join(needed)
        return "+".join(needed) if self._spelt(len(RULES), own) else ""

    def _applied(self, name: str, statement: ir.Statement) -> ir.Statement:
        """The statement as a rule leaves it; the same object where it changes nothing."""
        rule, needs = RULES[name], NEEDS.get(name)
        parts = statement.clauses if isinstance(statement, ir.Query) else (statement,)
        if needs is not None and not any(needs & self._kinds_in(part) for part in parts):
            return statement
        if name not in LOCAL or not isinstance(statement, ir.Query):
            return rule(statement, self.schema)
        clauses: list[ir.Clause] = []
        for clause in statement.clauses:
            known = self._simpler.get((name, id(clause)))
            if known is None:
                known = (clause, LOCAL[name](clause, self.schema))
                self._simpler[name, id(clause)] = known
            clauses.append(known[1])
        if all(a is b for a, b in zip(clauses, statement.clauses, strict=True)):
            return statement
        return with_fields(statement, {"clauses": tuple(clauses)})

    def _kinds_in(self, part: ir.Node) -> frozenset[type[ir.Node]]:
        known = self._kinds.get(id(part))
        if known is None:
            known = self._kinds[id(part)] = (part, frozenset(map(type, descend(part))))
        return known[1]

    def _spelt(self, number: int, own: ir.Statement) -> bool:
        """Whether a form of a mutant is the query's, spelt otherwise."""
        form = self._forms[number]
        if _measure(own, form) != _measure(form, own):
            return False
        if number not in self._canonical:
            self._canonical[number] = canonical(form)
        return canonical(own) == self._canonical[number]


def _measure(statement: ir.Statement, other: ir.Statement) -> Counter[Any]:
    """What no other spelling changes: how many nodes of a kind and content there are.

    Clauses that another statement has, too, are left out.
    """
    parts: Sequence[ir.Node] = (statement,)
    if isinstance(statement, ir.Query) and isinstance(other, ir.Query):
        shared = {id(clause) for clause in other.clauses}
        parts = [clause for clause in statement.clauses if id(clause) not in shared]
    return Counter(_content(node) for part in parts for node in descend(part))


def _content(node: ir.Node) -> Any:
    """The kind of a node, and what of its content is spelt in one way only."""
    read = _CONTENT.get(type(node))
    return type(node) if read is None else (type(node), read(node))


_CONTENT: dict[type[ir.Node], Callable[[Any], Any]] = {
    ir.LabelName: attrgetter("name"),
    ir.Call: attrgetter("name"),
    ir.Prop: attrgetter("key"),
    ir.Entry: attrgetter("key"),
    ir.Literal: attrgetter("value", "kind"),
    ir.Agg: attrgetter("name", "distinct"),
    ir.Bool: attrgetter("op"),
    ir.Text: attrgetter("op"),
    ir.Arith: attrgetter("op"),
    ir.Project: attrgetter("distinct", "final"),
    ir.SortKey: attrgetter("descending"),
    ir.Match: attrgetter("optional", "mode"),
    ir.EdgePattern: lambda edge: edge.direction is ir.Direction.BOTH,
    ir.Hops: attrgetter("lo", "hi"),
    ir.IsNull: attrgetter("negated"),
}


def _same_without_matches(gold: ir.Statement, mutant: ir.Statement) -> bool:
    """Whether one only has OPTIONAL before its first MATCH, and no match leaves no trace.

    What follows reads no graph, so that it does the same with the one row of nulls everywhere.
    """
    if not (isinstance(gold, ir.Query) and isinstance(mutant, ir.Query)):
        return False
    first, other = gold.clauses[0], mutant.clauses[0]
    if not (isinstance(first, ir.Match) and isinstance(other, ir.Match)):
        return False
    rest = gold.clauses[1:]
    if first.optional is other.optional or rest != mutant.clauses[1:]:
        return False
    if replace(first, optional=False) != replace(other, optional=False):
        return False
    if any(True for clause in rest for _ in find(clause, ir.Path)):
        return False
    nothing = MemoryGraph(SmallGraph(SchemaGraph("nothing", ()), {}))
    try:
        mine, theirs = Program(gold).run(nothing), Program(mutant).run(nothing)
    except (Unsupported, Fault, TooMuch):
        return False
    return not (mine.open or theirs.open) and mine.window == theirs.window


LOCAL: dict[str, Callable[[ir.Clause, SchemaGraph], ir.Clause]] = {
    "not-null": not_null,
    "one-row": one_row,
    "groups": groups,
    "counted": counted,
    "different-ends": different_ends,
    "types": types,
}
"""Rules that look at one clause at a time."""

RULES: dict[str, Rule] = {
    "empty-row": empty_row,
    "key": keys,
    "not-null": not_null,
    "null-skipped": null_skipped,
    "one-row": one_row,
    "groups": groups,
    "unseen-order": unseen_order,
    "counted": counted,
    "different-ends": different_ends,
    "types": types,
}

NEEDS: dict[str, frozenset[type[ir.Node]]] = {
    "not-null": frozenset({ir.Agg, ir.IsNull}),
    "null-skipped": frozenset({ir.IsNull}),
    "one-row": frozenset({ir.Agg}),
    "groups": frozenset({ir.Agg}),
    "unseen-order": frozenset({ir.SortKey}),
    "counted": frozenset({ir.CountOf}),
}
"""Kinds of node without which a rule changes nothing."""
