"""Is a query told from its mutants? On small graphs made for it first, on the shipped one last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from engines.base import Result
from engines.compare import allowed
from graph_ir import nodes as ir
from graph_ir.rewrites import leaves_lists_open, probe
from graph_ir.walk import find
from graphmill.errors import Refused
from graphmill.record import Finding
from qa.mutation.instances import MODES, instance
from qa.mutation.interpreter.clauses import STEPS, Program
from qa.mutation.interpreter.elements import MemoryGraph
from qa.mutation.interpreter.expressions import TooMuch
from qa.mutation.interpreter.values import Fault, Unsupported
from qa.mutation.mutants import CAP, Mutant, mutants
from qa.mutation.plan import Plan, keys_read, plan_of
from qa.mutation.pool import Instance, Pool, united
from qa.mutation.proofs import LIKELY, PROVABLE, Prover
from qa.mutation.verdict import tells_apart
from schemagraph.model import SchemaGraph
from translators.cypher.dialect import Cypher
from translators.gql.emit.dialect import Gql

THRESHOLD = 0.8
SHIPPED = "shipped"
"""The name of the shipped graph among those that tell a query from its mutants."""

type Ask = Callable[[ir.Statement, int | None], Result | None]

_STEPS = 30_000  # of the interpreter, after which no more instances are made
_UNITED = 1_000  # of these at the most, for the first instance to be put into one with others
_PLANTED = 3  # surviving mutants whose patterns are planted in an instance
_EXTRA = 1000  # rows beyond the query's that a mutant's answer may have


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that nothing told apart and nothing proved equivalent.

    `cypher` is its text; GQL where Cypher cannot say it (edges that may repeat).
    """

    operator: str
    cypher: str


@dataclass(frozen=True, slots=True)
class Equivalent:
    """A mutant that is proven to be the same query, and by which rules."""

    operator: str
    cypher: str
    proof: str


@dataclass(frozen=True, slots=True)
class Discrimination:
    """How well a query's answers tell it from its mutants.

    `told_apart` and `mutants` are counts by operator; equivalent mutants are not among them.
    `instances` are the small graphs that are needed for it (`shipped`: the graph itself), the
    pair's test suite.
    """

    told_apart: Counter[str]
    mutants: Counter[str]
    survivors: tuple[Survivor, ...] = ()
    equivalent: tuple[Equivalent, ...] = ()
    instances: tuple[str, ...] = ()

    @property
    def score(self) -> float:
        """The share of mutants told apart, equivalent ones left out; 1 where there are none."""
        whole = self.mutants.total()
        return self.told_apart.total() / whole if whole else 1.0

    def finding(self, threshold: float = THRESHOLD) -> Finding:
        """Whether that is enough; the code is `weak-discrimination`."""
        if self.score >= threshold:
            return Finding("discrimination", ok=True)
        shown = "; ".join(f"{s.operator}: {s.cypher}" for s in self.survivors[:3])
        detail = (
            f"{self.told_apart.total()} of {self.mutants.total()} mutants are told apart,"
            f" which is less than {threshold:.0%}: {shown}"
        )
        return Finding("discrimination", False, "weak-discrimination", detail, self.to_json())

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "score": round(self.score, 4),
            "told_apart": dict(sorted(self.told_apart.items())),
            "mutants": dict(sorted(self.mutants.items())),
            "survivors": [{"operator": s.operator, "cypher": s.cypher} for s in self.survivors],
            "equivalent": [
                {"operator": e.operator, "cypher": e.cypher, "proof": e.proof}
                for e in self.equivalent
            ],
            "instances": list(self.instances),
        }


def discriminate(
    statement: ir.Statement,
    schema: SchemaGraph,
    ask: Ask | None,
    pool: Pool,
    rng: Random,
    *,
    cap: int | None = CAP,
) -> Discrimination:
    """Tell a bound statement from its mutants; `pool` grows by the instances that it needs.

    `ask` gives an answer on the shipped graph, or None where there is none; it is asked last, for
    what small graphs do not tell apart.
    """
    drawn = mutants(statement, schema, rng, values=pool.values, cap=cap)
    return _Case(statement, schema, pool, rng, drawn).decide(ask)


@dataclass(frozen=True, slots=True)
class _Own:
    """An instance that was made for a query, the mutants that it tells apart, and at how many of
    the interpreter's steps."""

    made: Instance
    killed: list[Mutant]
    steps: int


class _Case:
    def __init__(
        self,
        statement: ir.Statement,
        schema: SchemaGraph,
        pool: Pool,
        rng: Random,
        drawn: tuple[Mutant, ...],
    ) -> None:
        self.statement = statement
        self.schema = schema
        self.pool = pool
        self.rng = rng
        self.drawn = drawn
        self.alive = list(drawn)
        self.programs: dict[int, Program | None] = {}
        self.plans: dict[int, Plan] = {}
        self.gold = _program(statement)
        self.prover: Prover | None = None
        self.equivalent: list[Equivalent] = []
        self.used: list[str] = []
        self.steps = 0
        self.read = keys_read([statement, *(mutant.statement for mutant in drawn)])
        self.own: list[_Own] = []

    def decide(self, ask: Ask | None) -> Discrimination:
        self._prove(LIKELY)
        if self.gold is not None:
            self._own(MODES[:1])
            self._try(self.pool.instances[0])
        self._prove(PROVABLE - LIKELY)
        if self.gold is not None:
            self._own(MODES[1:])
            self._unite()
        if ask is not None and self.alive:
            self._shipped(ask)
        alive = Counter(m.operator for m in self.alive)
        whole = Counter(m.operator for m in self.drawn)
        whole.subtract(Counter(e.operator for e in self.equivalent))
        killed = whole - alive
        survivors = tuple(Survivor(m.operator, shown_text(m.statement)) for m in self.alive)
        return Discrimination(
            killed, +whole, survivors, tuple(self.equivalent), tuple(dict.fromkeys(self.used))
        )

    def _try(self, instance: Instance) -> None:
        """Ask an instance of the pool."""
        killed = self._killed_on(instance.graph)
        if killed:
            self._drop(killed, instance.name)

    def _killed_on(self, graph: MemoryGraph) -> list[Mutant]:
        """The mutants that a graph tells apart."""
        gold = self._asked(lambda program: program.trace(graph, STEPS), self.gold)
        if gold is None or gold.outcome.open:
            return []
        killed = []
        for mutant in self.alive:
            outcome = self._asked(
                lambda program: program.run_beside(gold, graph, STEPS), self._compiled(mutant)
            )
            if (
                outcome is not None
                and outcome is not gold.outcome
                and tells_apart(gold.outcome, outcome, loses_order=mutant.operator == "lost-order")
            ):
                killed.append(mutant)
        return killed

    def _asked[Answer](
        self, ask: Callable[[Program], Answer], program: Program | None
    ) -> Answer | None:
        """An answer on a graph, or None where there is none."""
        if program is None:
            return None
        try:
            return ask(program)
        except (Unsupported, Fault, TooMuch):
            return None
        finally:
            self.steps += STEPS - max(0, program.machine.left)

    def _compiled(self, mutant: Mutant) -> Program | None:
        if id(mutant) not in self.programs:
            self.programs[id(mutant)] = _program(mutant.statement, self.gold)
        return self.programs[id(mutant)]

    def _drop(self, killed: Iterable[Mutant], by: str) -> None:
        gone = {id(mutant) for mutant in killed}
        self.alive = [mutant for mutant in self.alive if id(mutant) not in gone]
        self.used.append(by)

    def _prove(self, operators: frozenset[str]) -> None:
        """Set aside those mutants of some operators that are the query itself."""
        if not any(mutant.operator in operators for mutant in self.alive):
            return
        if self.prover is None:
            self.prover = Prover(self.statement, self.schema)
        left = []
        for mutant in self.alive:
            provable = mutant.operator in operators
            proof = self.prover.proof(mutant.statement) if provable else ""
            if proof:
                text = shown_text(mutant.statement)
                self.equivalent.append(Equivalent(mutant.operator, text, proof))
            else:
                left.append(mutant)
        self.alive = left

    def _own(self, modes: Sequence[str]) -> None:
        """Make instances for the query until all mutants are told apart, or it is enough."""
        if not self.alive:
            return
        alone = 3 * len(self.alive)  # tries that are worth it
        for number, mode in enumerate(modes):
            alone -= mode == "alone"
            if self.steps > _STEPS or alone < 0:
                return
            chosen = self.rng.sample(self.alive, min(_PLANTED, len(self.alive)))
            if mode == "alone":
                chosen = [self.alive[number % len(self.alive)]]
            plans = [self._plan(self.statement), *(self._plan(m.statement) for m in chosen)]
            small = instance(plans, self.schema, self.rng, mode, self.read)
            before = self.steps
            killed = self._killed_on(MemoryGraph(small))
            if killed:
                made = self.pool.add(small)
                self.own.append(_Own(made, killed, self.steps - before))
                self._drop(killed, made.name)
            if not self.alive:
                return

    def _unite(self) -> None:
        """Put the query's own instances into one, beside those that still tell what it hides.

        Where that takes too many steps, the first stays as it is, which tells most.
        """
        own = self.own if self.own and self.own[0].steps <= _UNITED else self.own[1:]
        if len(own) < 2:
            return
        small = united([each.made.small for each in own])
        wanted = [mutant for each in own for mutant in each.killed]
        alive, self.alive = self.alive, wanted
        killed = self._killed_on(MemoryGraph(small))
        self.alive = alive
        lost = {id(m) for m in wanted} - {id(m) for m in killed}
        kept = [each.made for each in own if lost & {id(m) for m in each.killed}]
        if len(kept) + 1 >= len(own):
            return
        gone = [each.made for each in own]
        names = {made.name for made in gone}
        self.used = [name for name in self.used if name not in names]
        self.used += [m.name for m in self.pool.replace(gone, [small, *(k.small for k in kept)])]

    def _plan(self, statement: ir.Statement) -> Plan:
        if id(statement) not in self.plans:
            self.plans[id(statement)] = plan_of(statement, self.schema)
        return self.plans[id(statement)]

    def _shipped(self, ask: Ask) -> None:
        """Ask the shipped graph for what is left.

        Not for walks: with a condition less, a search goes from everywhere to everywhere, and how
        far an engine comes in its time is no figure to score by.
        """
        left = [mutant for mutant in self.alive if not is_walk(mutant.statement)]
        asked = probe(self.statement) if left else None
        gold = ask(asked.statement, None) if asked is not None else None
        if gold is None or asked is None:
            return
        open_lists = leaves_lists_open(self.statement)
        killed = []
        for mutant in left:
            answer = ask(mutant.statement, len(gold.rows) + _EXTRA)
            if answer is not None and not allowed(
                answer,
                gold,
                keys=asked.keys,
                skip=asked.skip,
                limit=asked.limit,
                rough=asked.rough,
                unordered_lists=open_lists,
            ):
                killed.append(mutant)
        if killed:
            self._drop(killed, SHIPPED)


def _program(statement: ir.Statement, beside: Program | None = None) -> Program | None:
    try:
        return Program(statement, beside)
    except Unsupported:
        return None


def is_walk(statement: ir.Statement) -> bool:
    """Whether a pattern of the statement has paths of many lengths."""
    walks = find(statement, ir.EdgePattern, ir.Quantified)
    return any(not isinstance(walk, ir.EdgePattern) or walk.hops is not None for walk in walks)


def shown_text(statement: ir.Statement) -> str:
    """A statement for people: its Cypher, or its GQL where Cypher has no words for it."""
    for dialect in (Cypher(), Gql()):
        try:
            return dialect.generate(statement).text
        except Refused:
            continue
    return repr(statement)
