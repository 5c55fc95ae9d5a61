"""Queries that nobody gave, until a database has its quotas: rounds of drafts, proofs, choice.

A round is a piece of work: what it drafts depends on what was released before it and on nothing
else, so that a build that was stopped drafts, proves and chooses the same again. The stages are
those of given pairs; whoever calls `grow` says how they are run.
"""

from __future__ import annotations

import pickle
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import Any, Literal, Protocol

from generators.queries.base import Proposal
from graph_ir import nodes as ir
from graph_ir.canonical import fingerprint
from graph_ir.coverage import groups
from graph_ir.cypher.pair import Pair
from graph_ir.features import features
from graph_ir.identity_cache import once
from graphmill.files import digest
from graphmill.record import DIFFICULTIES, Difficulty, Reject
from graphmill.seed import rng
from pipelines.build.candidates import REPAIRED, Draft, Grown, draft_from_json, draft_to_json
from pipelines.build.quotas import Quotas, Traits, traits
from pipelines.build.stages import rejected
from qa.dedup import Seen

ROUNDS = 4  # of a small database; what the first ones release are the parents of the others
FEW, MANY = 12, 64  # drafts that are asked for at a time
PATIENCE = 4  # rounds in a row that bring (almost) nothing before it is given up
LEAST_PATIENCE = 1  # of a database that has nearly all that an earlier release had
SMALL = 0.25  # of a round, what one of few drafts counts in vain
TRIED = "tried"  # names the parent in the evidence of a draft that was dropped
PLACE = "place"  # and what it names of a seed: the archetype with the types that fill it
WORDED = 6  # drafts that may have no wording for each that had one
LITTLE = 0.04  # of a round's drafts, what is almost nothing
PARENTS = 4_096  # whose queries are remembered as they are sent
RELAXED = 1 / 4  # of the patience that is gone, from which more of the like are let in
NOTHING_KEPT = 3 / 4  # of the patience that is gone, from which no place is kept for a group


@dataclass(frozen=True, slots=True)
class Slot:
    """What one draft is asked to be: of a tier and, where that is short, of a group."""

    tier: Difficulty
    group: str = ""


@dataclass(frozen=True, slots=True)
class Parent:
    """A released record as a parent of harder ones.

    Each round sends all parents to a worker: their queries are packed once by who sends them, and
    unpacked once by each worker.
    """

    id: str
    proposal: Proposal
    tier: Difficulty
    groups: frozenset[str] = frozenset()

    def __reduce__(self) -> tuple[Any, ...]:
        return _sent_parent, (self.id, _packed(self.proposal), self.tier, self.groups)


@once(PARENTS)
def _packed(proposal: Proposal) -> bytes:
    return pickle.dumps(proposal, pickle.HIGHEST_PROTOCOL)


@lru_cache(PARENTS)
def _unpacked(packed: bytes) -> Proposal:
    proposal: Proposal = pickle.loads(packed)  # noqa: S301 - from this build's own coordinator
    return proposal


def _sent_parent(id: str, packed: bytes, tier: Difficulty, groups: frozenset[str]) -> Parent:
    return Parent(id, _unpacked(packed), tier, groups)


@dataclass
class Standing:
    """What those who draft may know of the build: possible parents, and who brought what.

    `drafted`, `failed` and `released` count drafts by archetype and operator, `children` the rounds
    in which a parent was evolved, in vain or not, `in_vain` the drafts of an archetype at one place
    of the schema that had no wording, less those that had one.
    """

    parents: list[Parent] = field(default_factory=list)
    drafted: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    released: Counter[str] = field(default_factory=Counter)
    children: Counter[str] = field(default_factory=Counter)
    in_vain: Counter[str] = field(default_factory=Counter)


@dataclass
class Places:
    """What is still free while a round is drafted: each draft that is taken takes a place."""

    quotas: Quotas
    meanings: set[str]

    def takes(self, tier: Difficulty, groups: frozenset[str]) -> bool:
        """Whether there is a place for a query of this tier that belongs to these groups."""
        return self.quotas.refuses(Traits(tier, groups, "", ())) is None

    def refusal(self, statement: ir.Statement) -> tuple[str, str] | None:
        """Why there is no place for a query, as code and sentence."""
        if fingerprint(statement) in self.meanings:
            return "duplicate-query", "Another query has the same canonical form."
        return self.quotas.refuses(traits(statement))

    def offer(self, statement: ir.Statement) -> tuple[str, str] | None:
        """Take a place for a query, or say why there is none, as code and sentence."""
        refused = self.refusal(statement)
        if refused is None:
            self.quotas.take(traits(statement))
            self.meanings.add(fingerprint(statement))
        return refused


class Drafter(Protocol):
    """Writes drafts: candidates, and rejects for what it dropped itself."""

    def drafts(
        self, slots: Sequence[Slot], standing: Standing, places: Places, random: Random
    ) -> Iterator[Draft]:
        """About one candidate a slot; the same arguments give the same drafts."""
        ...


type Attempts = Callable[[Sequence[Grown]], Sequence[Pair | Reject]]


@dataclass(frozen=True, slots=True)
class Order:
    """What a round is drafted from: all that the drafts depend on beside the graph."""

    slots: Sequence[Slot]
    standing: Standing
    places: Places
    random: Random

    def drafted_by(self, drafter: Drafter) -> list[dict[str, Any]]:
        """The drafts as JSON values."""
        made = drafter.drafts(self.slots, self.standing, self.places, self.random)
        return [draft_to_json(draft) for draft in made]


type Drafts = Callable[[str, Callable[[], Order]], Sequence[dict[str, Any]]]


@dataclass
class Harvest:
    """What growing brought: pairs, ledger, figures for the report."""

    pairs: list[Pair] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    rounds: int = 0
    asked_again: int = 0
    kept: int = 0
    unfilled: int = 0
    settings: str = ""
    stopped: str = ""
    drafted: int = 0
    candidates_in_all: int = 0
    drafts: Counter[str] = field(default_factory=Counter)
    candidates: Counter[str] = field(default_factory=Counter)
    released: Counter[str] = field(default_factory=Counter)
    unworded: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        """Figures for the report; `makers` has drafts, candidates and released records of each
        archetype and operator, `kept` how many of the `asked_again` of an earlier release stay,
        `unfilled` the places for which nothing was found with settings of this hash,
        `no_wording` the drafts of each that nobody would ask or that have no good wording: where
        a group of the quotas is short, wording outranked it.
        """
        names = sorted({*self.drafts, *self.candidates, *self.released})
        return {
            "rounds": self.rounds,
            **({"asked_again": self.asked_again, "kept": self.kept} if self.asked_again else {}),
            **({"unfilled": [self.unfilled, self.settings]} if self.unfilled else {}),
            "drafts": self.drafted,
            "candidates": self.candidates_in_all,
            "grown": len(self.pairs),
            "stopped": self.stopped,
            "asks_absence": [p.record.id for p in self.pairs if p.record.meta.get("may_be_empty")],
            "no_wording": {n: self.unworded[n] for n in sorted(self.unworded) if self.unworded[n]},
            "makers": {n: [self.drafts[n], self.candidates[n], self.released[n]] for n in names},
        }


def grow(
    db: str,
    seed: int,
    quotas: Quotas,
    given: Sequence[Pair],
    drafts_of: Drafts,
    attempts: Attempts,
    seen: Seen,
    limit: int | None = None,
    tick: Callable[[], None] = lambda: None,
    again: Iterable[Grown] = (),
    unfilled: int = 0,
) -> Harvest:
    """Rounds until the quotas are met, or until nothing more comes.

    `given` are released already and counted in `quotas`. `drafts_of` gives the drafts of a round,
    which is known by a name, `attempts` takes candidates through the stages, `seen` tells
    duplicates. `limit` is the most candidates. `again` are queries of an earlier release, which
    come before all drafts, and `unfilled` the places that it could not fill: the more of its
    queries stay, the fewer of those are looked for again.
    """
    harvest, standing = Harvest(), Standing()
    for pair in given:
        seen.judge(pair)
        standing.parents.append(_parent(pair, Proposal(pair.statement, "pairs")))
    state, patience, left = digest([pair.record.id for pair in given]), float(PATIENCE), 0
    if former := released_before(db, again, quotas, seen):
        _round(db, former, quotas, seen, standing, attempts, harvest, tick)
        kept = len(harvest.pairs) / len(former)
        harvest.asked_again, harvest.kept = len(former), len(harvest.pairs)
        # What an earlier build did not find either is not looked for as long again.
        left, patience = round(unfilled * kept), max(LEAST_PATIENCE, PATIENCE * (1 - kept))
        state = digest(state, [pair.record.id for pair in harvest.pairs])
    idle = gone = 0.0
    more = sys.maxsize if limit is None else limit
    while quotas.open > left and idle < patience and harvest.candidates_in_all < more:
        random = rng(seed, "growth", db, harvest.rounds)
        gone = max(gone, idle / patience)  # what was let go is not asked for again
        quotas.kept = _kept(gone)
        quotas.relaxed += idle / patience >= RELAXED
        slots = plan(quotas, random)
        if not slots:
            break
        order = _order(slots, standing, quotas, seen, random)
        raw = drafts_of(f"{harvest.rounds} {state}", order)
        drafts = _first(map(draft_from_json, raw), more - harvest.candidates_in_all)
        before = len(harvest.pairs)
        _round(db, drafts, quotas, seen, standing, attempts, harvest, tick)
        harvest.rounds += 1
        state = digest(state, [pair.record.id for pair in harvest.pairs[before:]], raw)
        _learn(quotas, slots, harvest.pairs[before:])
        few = len(harvest.pairs) - before <= LITTLE * len(slots)
        share = len(drafts) / round_size(quotas.total)
        idle = idle + min(1.0, max(SMALL, share)) if few else 0.0
    tired = idle >= patience or 0 < quotas.open <= left
    harvest.unfilled = quotas.open if tired else 0
    harvest.stopped = _why(quotas, tired, limit is not None)
    return harvest


def _learn(quotas: Quotas, slots: Sequence[Slot], gained: Sequence[Pair]) -> None:
    """Tell the quotas which groups a round was asked for, and which its pairs belong to."""
    quotas.learn(
        (slot.group for slot in slots if slot.group),
        [groups(features(pair.statement)) for pair in gained],
    )


def released_before(db: str, again: Iterable[Grown], quotas: Quotas, seen: Seen) -> list[Draft]:
    """Queries of an earlier release, each as a draft where it has a place.

    No place is kept from them: what is missing is grown beside them.
    """
    quotas.kept = "none"
    places = Places(deepcopy(quotas), seen.meanings())
    drafts: list[Draft] = []
    for each in again:
        refused = places.offer(each.proposal.statement)
        drafts.append(rejected(each, db, "draft", *refused) if refused else each)
    return drafts


def round_size(total: int) -> int:
    """How many drafts a round of a database with `total` queries asks for, at most."""
    return min(max(total // ROUNDS, FEW), MANY)


def plan(quotas: Quotas, random: Random) -> list[Slot]:
    """What the next round's drafts are to be: tiers by their open places, groups by what is short.

    Empty where no tier is open.
    """
    left = quotas.wanted_tiers()
    places = sum(left.values())
    slots: list[Slot] = []
    short = Counter(quotas.wanted_groups())
    for _ in range(min(round_size(quotas.total), places)):
        tier = random.choices(DIFFICULTIES, [left[name] for name in DIFFICULTIES])[0]
        slots.append(Slot(tier, quotas.group_for(tier, short, left, random)))
        left[tier] -= 1
    return slots


def _round(
    db: str,
    drafts: Sequence[Draft],
    quotas: Quotas,
    seen: Seen,
    standing: Standing,
    attempts: Attempts,
    harvest: Harvest,
    tick: Callable[[], None],
) -> None:
    """Prove the drafts, and release what holds."""
    harvest.drafted += len(drafts)
    harvest.candidates_in_all += sum(isinstance(draft, Grown) for draft in drafts)
    chosen: list[tuple[Grown, Traits]] = []
    tried: set[str] = set()
    for draft in drafts:
        if isinstance(draft, Reject):
            maker = str(draft.evidence.get("maker", draft.stage))
            harvest.drafts[maker] += 1
            standing.failed[maker] += 1
            tried.add(str(draft.evidence.get(TRIED, "")))
            harvest.rejects.append(draft)
            if draft.code == "no-wording":
                harvest.unworded[maker] += 1
                if PLACE in draft.evidence:
                    standing.in_vain[str(draft.evidence[PLACE])] += 1
            continue
        names = draft.makers
        harvest.drafts.update(names)
        harvest.candidates.update(names)
        standing.drafted.update(names)
        if draft.proposal.place:
            standing.in_vain[draft.proposal.place] -= WORDED
        tried.add(draft.parent)
        one = traits(draft.proposal.statement)
        quotas.take(one)
        chosen.append((draft, one))
    standing.children.update(tried)
    outcomes = attempts([draft for draft, _ in chosen])
    for (draft, one), outcome in zip(chosen, outcomes, strict=True):
        if isinstance(outcome, Pair):
            finding = seen.judge(outcome)
            if finding.ok:
                outcome = outcome.judged(finding)
                harvest.pairs.append(outcome)
                harvest.released.update(draft.makers)
                standing.released.update(draft.makers)
                standing.parents.append(_parent(outcome, draft.proposal))
                tick()
                continue
            outcome = rejected(draft, db, "select", finding.code, finding.detail)
        quotas.give_back(one)
        standing.failed.update(draft.makers)
        harvest.rejects.append(outcome)


def _parent(pair: Pair, proposal: Proposal) -> Parent:
    """A released pair as a parent: its query, which may be another than was proposed."""
    record = pair.record
    assert record.difficulty is not None  # noqa: S101 - the checks set it
    if record.meta.get(REPAIRED):
        proposal = replace(proposal, statement=pair.statement)
    belongs = groups(features(proposal.statement))
    return Parent(record.id, proposal, record.difficulty, belongs)


def _order(
    slots: Sequence[Slot], standing: Standing, quotas: Quotas, seen: Seen, random: Random
) -> Callable[[], Order]:
    """What a round is drafted from, made where its drafts are not finished work."""
    return lambda: Order(slots, standing, Places(deepcopy(quotas), seen.meanings()), random)


def _first(drafts: Iterable[Draft], most: int) -> list[Draft]:
    kept: list[Draft] = []
    for draft in drafts:
        if isinstance(draft, Grown):
            if not most:
                break
            most -= 1
        kept.append(draft)
    return kept


def _kept(tired: float) -> Literal["all", "any", "none"]:
    """For which groups places are kept, the longer nothing comes the fewer: rather a tier that is
    full than a group. `tired` is the share of the patience that is gone."""
    if tired < 1 / 2:
        return "all"
    return "any" if tired < NOTHING_KEPT else "none"


def _why(quotas: Quotas, tired: bool, limited: bool) -> str:
    """Why growing ended, as a sentence; empty where all is there."""
    if not quotas.open:
        return ""
    missing = ", ".join(f"{n} {tier}" for tier, n in quotas.wanted_tiers().items() if n)
    if tired:
        return f"Nothing new came any more; missing are {missing or quotas.open}."
    return f"The limit on candidates was reached; missing are {missing}." if limited else missing
