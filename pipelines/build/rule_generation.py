"""Who drafts: seeds from archetypes, and harder queries made of what is released already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from math import ceil
from random import Random
from typing import Any

from generators.queries.archetypes.choosing import Usage
from generators.queries.archetypes.load import Archetype
from generators.queries.archetypes.seeds import RuleSeeds
from generators.queries.archetypes.terms import with_terms
from generators.queries.base import Ground, Proposal
from generators.queries.evolution.evolve import STAGE, RuleEvolver
from generators.queries.evolution.operators import all_operators
from generators.queries.evolution.width import exceeded
from generators.questions.lexicon.askable import askable
from generators.questions.realise.legibility import is_taken
from graph_ir import nodes as ir
from graph_ir.coverage import groups
from graph_ir.cypher.pair import Pair
from graph_ir.features import features
from graph_ir.rewrites import has_aggregate
from graph_ir.walk import find
from graphmill.english.lists import word_set
from graphmill.errors import GraphmillError, QueryTextError, Refused
from graphmill.record import DIFFICULTIES, Difficulty, Reject
from pipelines.build.augmentation import PLACE, TRIED, Parent, Places, Slot, Standing
from pipelines.build.candidates import Draft, Grown
from pipelines.build.context import DatabaseContext
from pipelines.build.stages import grown_record, write_questions
from qa.readings.vacuous import vacuous_part
from translators.render import render

# The share of each tier's drafts that are evolved ones, where there are parents, and what of it is
# left while the tier has archetypes that were never tried, and where the slot is for a group: an
# archetype of the group costs one query, the way to it step by step five to ten.
EVOLVED: dict[Difficulty, float] = {"easy": 0.0, "medium": 0.2, "hard": 0.3, "extra_hard": 0.4}
FRESH = 0.5
PRIOR = 12  # parents that are evolved before it counts how many were in vain
AT_LEAST = 1 / 8  # of that share is evolved where it brings nothing: it costs more than seeds
MOST_ROWS = 1_000  # of an answer that somebody would read, or a model learn from
MOST_TIES = 0.1  # of the groups of which the best is asked for, those that have several of them
NO_WORDING = ("no-wording", "Nobody asks for that, or there is no good way to say it.")
CLUMSY = ("no-wording", "Readers would find a question of it clumsy.")
GOAL_FULL = ("goal-full", "Enough of the released queries ask for the like.")
HARD_TO_SAY = frozenset({"variable-length", "three-hops", "cycle"})  # groups, of which all are
MANY = 60  # queries of a database, from which on a goal that none of them has is rare
OF_A_GOAL = 0.15  # of the queries of a database, as long as others come
MORE_OF_A_GOAL = 0.02  # and more each time that none came
NO_PLACE = ("no-fit", "The graph has no place for the archetype.")
TURNS = 3  # archetypes that are tried for one slot, and more in a small round
TRIES = 24
HOPELESS = 12  # failures after which an archetype that never brought anything is left alone
CLOSED = 4  # drafts without a wording at one place of the schema, after which it is left alone
PATIENT = 24  # and failures for each candidate of one that did
RETRIES = 3  # drafts of one that never was released, which count as one of others


class RuleDrafter:
    """Seeds and evolution by rule.

    Archetypes and operators that no released query shows come first, then the rarest.
    """

    def __init__(
        self, database: DatabaseContext, ground: Ground, archetypes: Sequence[Archetype]
    ) -> None:
        self.database = database
        self.db = database.graph.db
        self.ground = ground
        words = database.sure_words if database.rules is not None else None
        lexicon = askable(database.lexicon, words) if words else database.graph.lexicon
        self.seeds = RuleSeeds(ground, archetypes, lexicon)
        able = [a for a in archetypes if not set(database.languages) & set(a.lacks)]
        places = {a.name: self.seeds.places(a) for a in able}
        self._goals: Counter[str] = Counter()
        self._known: dict[str, str] = {}
        self._relaxed = 0
        self._short: frozenset[str] = frozenset()  # groups that have too few queries
        self.archetypes = [a for a in able if places[a.name]]
        self._misfits = [name for name, matches in places.items() if not matches]
        self.evolver = RuleEvolver(
            ground, asked=self._is_asked, sketched=self._is_taken, lexicon=lexicon
        )
        self._terms = words.glossary if words is not None else ()
        self._groups = {each.name: groups(each.features) for each in archetypes}
        self._scarce = frozenset(  # few schemas have two ways between the same nodes
            name for name, n in places.items() if n == 1 or "cycle" in self._groups[name]
        )

    def drafts(
        self, slots: Sequence[Slot], standing: Standing, places: Places, random: Random
    ) -> Iterator[Draft]:
        """About one candidate a slot, and what was dropped on the way.

        Evolution comes last: what it brings on its way through the tiers takes the places of its
        slots, whichever they are.
        """
        self._standing(standing)
        self._relaxed = places.quotas.relaxed
        self._short = frozenset(name for name, n in places.quotas.wanted_groups().items() if n)
        drafted, released = standing.drafted.copy(), standing.released.copy()
        if not standing.drafted and not standing.failed:
            yield from (self._dropped(*NO_PLACE, name, None) for name in self._misfits)
        fresh = {a.tier for a in self.archetypes if not drafted[a.name] + standing.failed[a.name]}
        usage, worth = Usage(), _worth_evolving(standing)
        turns = max(TURNS, TRIES // max(1, len(slots)))
        evolved = 0
        for slot in slots:
            share = EVOLVED[slot.tier] * (FRESH if slot.tier in fresh else 1)
            share *= worth * (FRESH if slot.group else 1)
            if standing.parents and random.random() < share:
                evolved += 1
                continue
            for draft in self._seeded(slot, turns, standing, places, drafted, usage, random):
                yield draft
                if isinstance(draft, Grown):
                    drafted.update(draft.makers)
        yield from self._evolved(evolved, standing, places, drafted, released, random)

    def _seeded(
        self,
        slot: Slot,
        turns: int,
        standing: Standing,
        places: Places,
        drafted: Counter[str],
        usage: Usage,
        random: Random,
    ) -> Iterator[Draft]:
        own = {a.name: a for a in self.archetypes if a.tier == slot.tier}
        free = {g: places.takes(slot.tier, g) for g in {self._groups[name] for name in own}}
        fitting = {
            name: each
            for name, each in own.items()
            if free[self._groups[name]] and (not slot.group or slot.group in self._groups[name])
        }
        closed = {place for place, n in standing.in_vain.items() if n >= CLOSED}
        for name in _rarest(list(fitting), standing, drafted, self._scarce, random)[:turns]:
            proposal = self.seeds.propose(fitting[name], random, usage, closed)
            if proposal is not None:
                statement = with_terms(proposal.statement, self._terms, random)
                proposal = replace(proposal, statement=statement)
            problem = NO_PLACE if proposal is None else self._problem(proposal, places)
            if proposal is not None and problem is None:
                yield Grown(proposal)
                return
            drafted[name] += 1
            yield self._dropped(*(problem or NO_PLACE), name, proposal)

    def _evolved(
        self,
        count: int,
        standing: Standing,
        places: Places,
        drafted: Counter[str],
        released: Counter[str],
        random: Random,
    ) -> Iterator[Draft]:
        self.evolver.start_anew()
        pressing = places.quotas.pressing() | (self.evolver.closed & self._short)
        for parent in parents_of(standing, random, pressing)[: max(2 * count, TURNS)]:
            wanted = places.quotas.wanted(drafted + standing.failed, released)
            for evolved in self.evolver.evolve(parent.proposal, random, wanted):
                problem = self._problem(evolved, places)
                if problem is not None:
                    yield self._dropped(*problem, evolved.trace[-1].operation, evolved, parent.id)
                    continue
                draft = Grown(evolved, parent.id)
                drafted.update(draft.makers)
                released.update(draft.makers)  # as it is likely to be
                count -= 1
                yield draft
            yield from self._spent(parent)
            if count <= 0:
                return

    def _spent(self, parent: Parent) -> Iterator[Reject]:
        """What the evolver dropped since the last time; the parent had its turn."""
        for each in self.evolver.rejects:
            yield replace(each, evidence={**each.evidence, TRIED: parent.id})
        self.evolver.rejects.clear()

    def _problem(self, proposal: Proposal, places: Places) -> tuple[str, str] | None:
        """Why a draft is no candidate, as code and reason."""
        if not self._is_legible(proposal.statement):
            return CLUMSY
        goal = self._goal(proposal.statement)
        if not goal:
            return NO_WORDING
        if self._goals[goal] >= self._most_of(places):
            return GOAL_FULL
        for language in self.database.languages:
            try:
                self.database.text(proposal.statement, language)
            except (Refused, QueryTextError) as problem:
                return problem.code, str(problem)
        # What costs least comes first: the graph is asked last.
        refusal = (
            places.refusal(proposal.statement)
            or self._objection(proposal)
            or self._flaw(proposal)
            or places.offer(proposal.statement)
        )
        if refusal is None:
            self._goals[goal] += 1
        return refusal

    def _objection(self, proposal: Proposal) -> tuple[str, str] | None:
        """What the checks of questions and of vacuous parts would say, which ask no engine."""
        finding = vacuous_part(proposal.statement, self.ground.schema)
        if not finding.ok:
            return finding.code, finding.detail
        if self.database.rules is None:
            return None
        record = grown_record(Grown(proposal), self.database)
        worded = write_questions(Pair(record, proposal.statement), self.database)
        return (worded.code, worded.reason) if isinstance(worded, Reject) else None

    def _goal(self, statement: ir.Statement) -> str:
        """What people ask with a query by the rules' words; "any" where a model writes."""
        rules = self.database.rules
        return "any" if rules is None else rules.goal(statement, self.ground.schema)

    def _is_legible(self, statement: ir.Statement) -> bool:
        """Whether readers are likely to find all that the rules say of a query well said."""
        rules = self.database.rules
        if rules is None:
            return True
        many = self._goals.total() >= MANY
        if not self._is_taken(statement, new=many):  # whatever the other levels are like
            return False
        worst = rules.risk(statement, self.ground.schema)
        new = many and not self._goals[self._goal(statement)]
        return self._is_taken(statement, worst, new=new)

    def _is_taken(
        self, statement: ir.Statement, worst: float | None = None, *, new: bool = False
    ) -> bool:
        """As `_is_legible`, by level 3 alone where `worst` is not known yet."""
        rules = self.database.rules
        if rules is None:
            return True
        first = rules.first_risk(statement, self.ground.schema)
        worst = first if worst is None else worst
        if is_taken(first, worst, self._relaxed, rare=False):
            return True
        if not is_taken(first, worst, self._relaxed, rare=True):
            return False
        # The others fill up with what reads well, unless nothing comes any more.
        short = self._short if self._relaxed else self._short & HARD_TO_SAY
        return new or not short.isdisjoint(groups(features(statement)))

    def _is_asked(self, statement: ir.Statement) -> bool:
        return self._is_legible(statement) and bool(self._goal(statement))

    def _most_of(self, places: Places) -> int:
        """Queries of one goal at most."""
        total = places.quotas.total
        if self.database.rules is None:
            return total
        return max(2, ceil((OF_A_GOAL + MORE_OF_A_GOAL * places.quotas.relaxed) * total))

    def _standing(self, standing: Standing) -> None:
        """Count the goals of what is released."""
        for parent in standing.parents:
            if parent.id not in self._known:
                self._known[parent.id] = self._goal(parent.proposal.statement)
        self._goals = Counter(self._known[parent.id] for parent in standing.parents)

    def _flaw(self, proposal: Proposal) -> tuple[str, str] | None:
        """What is wrong with the answer, as code and reason; it is the proof that asks for it."""
        answer = self.ground.ask(proposal.statement, MOST_ROWS + 1)
        if answer is None:
            return "no-answer", "The referee has no answer to it."
        if len(answer.rows) > MOST_ROWS:
            return "too-many-rows", f"Its answer has more than {MOST_ROWS} rows."
        if not proposal.trace and (wide := exceeded(proposal.statement, self.ground)):
            return "too-many-matches", wide  # of evolved ones, the evolver looked
        if _groups_by_value(proposal.statement) and any(map(_is_none, chain(*answer.rows))):
            return "null-group", "One of its groups is of what has no value."
        if _tie_in_groups(proposal.statement, answer.rows):
            return "ties", "Of more than one group in ten several are the best."
        if proposal.may_be_empty:
            return None
        if not answer.rows:
            return "empty", "It has no rows."
        if all(value is None for row in answer.rows for value in row):
            return "null", "Its answer is NULL only."
        if len(answer.rows) == 1 and all(value in (None, 0) for value in answer.rows[0]):
            return "zero", "Its answer is a lone 0."
        return None

    def _dropped(
        self,
        code: str,
        reason: str,
        maker: str,
        proposal: Proposal | None,
        parent: str = "",
    ) -> Reject:
        text = ""
        if proposal is not None:
            with suppress(GraphmillError):
                text = render(proposal.statement, "cypher").text
        stage = "evolution" if proposal is not None and proposal.trace else "seeds"
        evidence = {"maker": maker, **({TRIED: parent} if parent else {})}
        if proposal is not None and proposal.place:
            evidence[PLACE] = proposal.place
        return Reject(stage, code, reason, self.db, query=text, evidence=evidence)


def _worth_evolving(standing: Standing) -> float:
    """The share of the parents evolved so far that brought a released query; 1 at first."""
    brought = sum(standing.released[operator.name] for operator in all_operators())
    return max(AT_LEAST, (PRIOR + brought) / (PRIOR + brought + standing.failed[STAGE]))


def _is_none(value: Any) -> bool:
    """Whether a value is none, or a text that stands for none: "n/a", "unknown"."""
    return value is None or (isinstance(value, str) and value.casefold() in word_set("no_values"))


def _groups_by_value(statement: ir.Statement) -> bool:
    """Whether it has a group for each value of a property."""
    return any(
        any(map(has_aggregate, items)) and any(isinstance(item, ir.Prop) for item in items)
        for items in ([i.expr for i in p.items] for p in find(statement, ir.Project))
    )


def _tie_in_groups(statement: ir.Statement, rows: Sequence[Sequence[Any]]) -> bool:
    """Whether it asks for the best of each, and many of them have several: it reads as one each."""
    match statement:
        case ir.Query(
            (
                ir.Match(),
                ir.Project((ir.Item(ir.Var(group)), ir.Item(ir.Agg("max" | "min"), best))),
                ir.Match(where=where),
                ir.Project(items, final=True),
            )
        ) if where is not None and ir.Var(best) in find(where, ir.Var):
            names = [n for n, each in enumerate(items) if ir.Var(group) in find(each, ir.Var)]
            firsts = Counter(tuple(str(row[n]) for n in names) for row in rows)
            return MOST_TIES * len(firsts) < sum(each > 1 for each in firsts.values())
    return False


def _rarest(
    names: Sequence[str],
    standing: Standing,
    drafted: Counter[str],
    scarce: Set[str],
    random: Random,
) -> list[str]:
    """Names by how seldom they were drafted; what failed counts once more.

    Those that never were released are tried several times before others have a second turn. At
    equal turns the scarce ones come first, which other databases may have no place for.
    """
    most = {name: HOPELESS + PATIENT * standing.drafted[name] for name in names}
    hopeful = [name for name in names if standing.failed[name] < most[name]]
    chance = {name: random.random() for name in hopeful}

    def rank(name: str) -> tuple[float, bool, float]:
        turns = float(drafted.get(name, 0) + standing.failed[name])
        return (
            turns if standing.released[name] else turns / RETRIES,
            name not in scarce,
            chance[name],
        )

    return sorted(hopeful, key=rank)


def parents_of(standing: Standing, random: Random, pressing: frozenset[str]) -> list[Parent]:
    """Possible parents: those with the fewest children first, the easier the likelier; where groups
    need all places that are left, those of such a group before them, whose children keep it."""

    def order(parent: Parent) -> tuple[int, int, float]:
        other, children = not parent.groups & pressing, standing.children[parent.id]
        return (
            other + children // TURNS,
            children,
            random.random() + DIFFICULTIES.index(parent.tier) / 4,
        )

    return sorted(standing.parents, key=order)
