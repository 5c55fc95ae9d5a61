"""The work of one database as units: what is finished is looked up, the rest is given out.

Whatever the executor and the order in which units end, the outcomes are those of their items, in
the order of the items. A unit whose worker is lost is done once more elsewhere, then item by item;
an item whose worker is lost again goes to the ledger. So it is with
engines that somebody kills.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

from graphmill.errors import EngineLost, GraphmillError
from graphmill.record import Record, Reject
from pipelines.author.authors import ModelAuthor
from pipelines.build.augmentation import Drafter, Order
from pipelines.build.candidates import Grown, draft_to_json, stored_drafts
from pipelines.build.generation import drafter
from pipelines.build.plan import (
    PLANS,
    UNIT,
    BuildContext,
    Item,
    Outcome,
    Segment,
    memory_key,
    outcomes_of,
    run_segment,
    segment_key,
    segments,
)
from pipelines.build.recall import Memory
from pipelines.build.stages import origin_of, rejected
from pipelines.configuration.progress import Tick
from pipelines.configuration.proposals import Candidate
from pipelines.configuration.store import Store
from pipelines.jobs.executor import Executor, WorkerLost, attempted
from pipelines.jobs.summary import Summary
from pipelines.jobs.units import Done, DraftUnit, PlanUnit, Site, Unit

LOST = "work"  # the stage of the ledger's lines for items whose workers were lost


type _Memory = tuple[str, bytes | None]


@dataclass
class _Batch:
    """Items on their way through the segments `at` to the last that workers do; `memories` are
    key and packed value of what is remembered of each."""

    items: Sequence[Item]
    memories: Sequence[_Memory]
    outcomes: list[Outcome | None]
    at: int
    unit: PlanUnit | None = None
    future: Future[Done] | None = None


@dataclass
class Work:
    """The units of one database. `reject` hears of the codes of rejects as they come."""

    build: BuildContext
    site: Site
    store: Store
    executor: Executor
    summary: Summary
    reject: Callable[[Iterable[str]], None] = lambda codes: None

    def plan(self, name: str, items: Sequence[Item], tick: Tick = lambda: None) -> list[Outcome]:
        """The outcomes of all items after a whole plan, in their order."""
        outcomes: list[Outcome | Item] = list(items)
        pieces = segments(PLANS[name], self.build.config.author)
        at = 0
        while at < len(pieces):
            end = at + 1
            while not pieces[at].asks_model and end < len(pieces) and not pieces[end].asks_model:
                end += 1
            places = [n for n, item in enumerate(outcomes) if not isinstance(item, Reject)]
            left: list[Any] = [outcomes[n] for n in places]
            done = tick if end == len(pieces) else (lambda: None)
            if pieces[at].asks_model:
                made = self._here(pieces[at], left, done)
            else:
                made = self._there(name, pieces, at, end, left, done)
            for place, outcome in zip(places, made, strict=True):
                outcomes[place] = outcome
                if end < len(pieces) and isinstance(outcome, Reject):
                    tick()  # it goes no further
            at = end
        return outcomes  # type: ignore[return-value]  # every item has become an outcome

    def drafts(self, key: str, order: Callable[[], Order]) -> Sequence[dict[str, Any]]:
        """The drafts of a round, in which a worker that is lost twice leaves a line for the
        ledger."""
        known: Sequence[dict[str, Any]] | None = self.store.get(key, stored_drafts)
        if known is not None:
            return known
        author = self.build.config.author
        if isinstance(author, ModelAuthor) and author.queries != "rules":
            known = self.store.renew(key, lambda: order().drafted_by(self._drafter), stored_drafts)
            return known or []
        unit = DraftUnit(self.site, key, order())
        try:
            self._done(unit, self._give(unit))
        except WorkerLost as problem:
            db = self.site.graph.db
            return [draft_to_json(Reject("draft", problem.code, str(problem), db))]
        known = self.store.get(key, stored_drafts)
        if known is None:
            raise _other_code(unit)
        return known

    @cached_property
    def _drafter(self) -> Drafter:
        """The model, which only the coordinator asks."""
        return drafter(self.build.config, self.build.database, self.build.statistics())

    # --- one group of segments ---------------------------------------------------------------

    def _here(self, segment: Segment, items: Sequence[Item], tick: Tick) -> list[Outcome]:
        """A segment in which a model is asked, by this process."""
        for stage in segment.stages:
            if stage.expect is not None:
                stage.expect(items, self.build)
        outcomes: list[Outcome] = []
        for batch in _batches(items):
            key = segment_key(segment, batch, self.build)
            work = lambda batch=batch: run_segment(segment, batch, self.build)  # noqa: E731
            made = self.store.done(key, work, partial(outcomes_of, number=len(batch)))
            self._report(made, tick)
            outcomes += made
        self.summary.spend(self.site.graph.db, self.build.spent)
        self.build.spent.clear()
        return outcomes

    def _there(
        self,
        name: str,
        pieces: Sequence[Segment],
        first: int,
        last: int,
        items: Sequence[Item],
        tick: Tick,
    ) -> list[Outcome]:
        batches = []
        for chosen in _batches(items):
            batch = _Batch(chosen, self._memories(name, chosen), [None] * len(chosen), first)
            self._advance(batch, pieces, last)
            if batch.at < last:
                self._begin(name, batch, last)
            batches.append(batch)
        outcomes: list[Outcome] = []
        for batch in batches:
            if batch.future is not None:
                made = self._collected(name, pieces, batch, last)
            else:
                made = _finals(batch)
            self._report(made, tick)
            outcomes += made
        return outcomes

    def _report(self, outcomes: Sequence[Outcome], tick: Tick) -> None:
        """Tell who watches of a batch."""
        self.reject(each.code for each in outcomes if isinstance(each, Reject))
        for _ in outcomes:
            tick()

    def _begin(self, name: str, batch: _Batch, last: int) -> None:
        """Give a batch out."""
        batch.unit = self._unit(name, batch, last)
        batch.future = self._give(batch.unit)

    def _unit(self, name: str, batch: _Batch, last: int) -> PlanUnit:
        left = _not_rejected(batch)
        items, memories = (item for item, _ in left), (memory for _, memory in left)
        return PlanUnit(self.site, name, batch.at, last, tuple(items), tuple(memories))

    def _memories(self, name: str, items: Sequence[Item]) -> list[_Memory]:
        """What is remembered of items, also where it is not needed, so that it stays."""
        if isinstance(self.build.config.author, ModelAuthor):  # whose answers have a record
            return [("", None)] * len(items)
        keys = [memory_key(name, item, self.build) for item in items]
        return [(key, self.store.checked(key, Memory.of)) for key in keys]

    def _collected(
        self, name: str, pieces: Sequence[Segment], batch: _Batch, last: int
    ) -> list[Outcome]:
        """The outcomes of a batch that was given out; it is divided where its worker is lost."""
        assert batch.unit is not None and batch.future is not None  # noqa: S101, PT018 - given out
        try:
            self._done(batch.unit, batch.future)
        except WorkerLost as problem:
            left = _not_rejected(batch)
            if len(left) == 1:
                return _finals(batch, [_lost(left[0][0], self.site.graph.db, problem)])
            alone: list[Outcome] = []
            for item, memory in left:
                one = _Batch([item], [memory], [None], batch.at)
                self._begin(name, one, last)
                alone += self._collected(name, pieces, one, last)
            return _finals(batch, alone)
        self._advance(batch, pieces, last)
        if batch.at < last:
            raise _other_code(batch.unit)
        return _finals(batch)

    def _advance(self, batch: _Batch, pieces: Sequence[Segment], last: int) -> None:
        """Take what is finished from the store, segment by segment."""
        while batch.at < last:
            left = [item for item, _ in _not_rejected(batch)]
            if left:
                key = segment_key(pieces[batch.at], left, self.build)
                known = self.store.get(key, partial(outcomes_of, number=len(left)))
                if known is None:
                    return
                made = iter(known)
                batch.outcomes = [
                    each if isinstance(each, Reject) else next(made) for each in batch.outcomes
                ]
            batch.at += 1

    def _done(self, unit: Unit, future: Future[Done]) -> None:
        """Wait for a unit, again where its worker is lost, and keep what it brought.

        Raises:
            WorkerLost: too many were lost.
        """
        done = attempted(lambda: self._give(unit), self.summary.lost, future)
        self._keep(done)
        self.summary.add(unit, done)

    def _give(self, unit: Unit) -> Future[Done]:
        """Give a unit out; what it brings is kept as soon as it is there."""

        def ended(future: Future[Done]) -> None:
            with suppress(GraphmillError):  # who waits for the unit tries again, and is told
                if not future.cancelled() and future.exception() is None:
                    self._keep(future.result())

        future = self.executor.submit(unit)
        future.add_done_callback(ended)
        return future

    def _keep(self, done: Done) -> None:
        # what is remembered replaces what was, and what is made anew what nobody could read
        for key, packed in (*(done.value or ()), *done.entries):
            if self.store.own(key) != packed:
                self.store.put(key, packed)


def is_lost(reject: Reject) -> bool:
    """Whether an item, or drafts, went to the ledger with the workers that had them."""
    return reject.stage == LOST or reject.code.startswith(("worker-", EngineLost.code))


def _other_code(unit: Unit) -> GraphmillError:
    """Finished work has keys that depend on the code; a worker that was started later than the
    code was changed has others."""
    return GraphmillError(
        f"A worker gave other keys to {unit.label} than this process did: graphmill's own files "
        "have changed since the build began, or the worker has another version. Finished work is "
        "kept; start the build again."
    )


def _batches(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    for at in range(0, len(items), UNIT):
        yield items[at : at + UNIT]


def _not_rejected(batch: _Batch) -> list[tuple[Any, _Memory]]:
    """What a batch's items are by now, without those that are rejected, and their memories."""
    each = zip(batch.items, batch.outcomes, batch.memories, strict=True)
    now = [(item if outcome is None else outcome, memory) for item, outcome, memory in each]
    return [(item, memory) for item, memory in now if not isinstance(item, Reject)]


def _finals(batch: _Batch, left: Sequence[Outcome] | None = None) -> list[Outcome]:
    """All outcomes of a batch; `left` are those of the items that were not finished."""
    rest = iter(left or ())
    finals: list[Outcome] = []
    for outcome in batch.outcomes:
        if outcome is None or (left is not None and isinstance(outcome, Record)):
            outcome = next(rest)
        finals.append(outcome)
    return finals


def _lost(item: Item, db: str, problem: WorkerLost) -> Reject:
    """The ledger's line of an item whose workers or engines were lost, alone with it, too."""
    engine = problem.code == EngineLost.code
    reason = str(problem) if engine else f"{problem} So were those before it that had it."
    if isinstance(item, Grown):
        return replace(rejected(item, db, LOST, problem.code, reason), evidence=origin_of(item))
    if isinstance(item, Candidate):
        return Reject(LOST, problem.code, reason, db, item.question, item.query, item.line)
    return Reject(
        LOST,
        problem.code,
        reason,
        db,
        item.record.questions.original,
        item.record.source_sql or item.gold,
        int(item.record.meta.get("line", 0)),
        {**item.record.meta.get("grown", {})},
    )
