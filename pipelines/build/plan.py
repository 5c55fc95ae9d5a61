"""What a build does with pairs, as data: its stages in their order, and what they work with.

The runner, the preview and the flow read `PLAN`; a stage is one function from a batch of items
and a `BuildContext` to their outcomes. What is finished is taken from the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from graphmill.record import Record, Reject
from pipelines.author.authors import REPLIES
from pipelines.build.candidates import Grown
from pipelines.build.context import DatabaseContext, Graph
from pipelines.build.mutation import BATCH, STAGE, mutation_test
from pipelines.build.query_oracle import statistics_of
from pipelines.build.stages import judge, prove, render_grown, translate, write_questions
from pipelines.configuration.config import Config
from pipelines.configuration.progress import Tick
from pipelines.configuration.proposals import Candidate
from pipelines.configuration.store import Store

type Item = Candidate | Grown | Record
type Outcome = Record | Reject


@dataclass(frozen=True, slots=True)
class BuildContext:
    """One database of a build: the configuration, the open database, the store."""

    config: Config
    database: DatabaseContext
    store: Store


@dataclass(frozen=True, slots=True)
class Stage:
    """One step that every pair takes.

    `run` gives the outcomes of a batch of items, in their order. `batch` items are one piece of
    finished work, stored by their content, the database, and what `depends` names besides.
    `expect` hears of all items before the first is taken.
    """

    name: str
    run: Callable[[Sequence[Any], BuildContext], list[Outcome]]
    batch: int = 1
    depends: Callable[[BuildContext], Any] = lambda _: None
    expect: Callable[[Sequence[Any], BuildContext], None] = lambda _, __: None


def _each[T](
    work: Callable[[T, DatabaseContext], Outcome],
) -> Callable[[Sequence[T], BuildContext], list[Outcome]]:
    return lambda items, build: [work(item, build.database) for item in items]


def _gather(records: Sequence[Record], build: BuildContext) -> None:
    """Statistics are work of their own, kept also where all that needs them is finished."""
    if records:
        statistics_of(build.database.graph, build.config.corpus.seed, build.store)


def _mutation_test(records: Sequence[Record], build: BuildContext) -> list[Outcome]:
    statistics = statistics_of(build.database.graph, build.config.corpus.seed, build.store)
    threshold = build.config.queries.discrimination
    return mutation_test(records, build.database, statistics, threshold)


PLAN: tuple[Stage, ...] = (
    Stage("translate", _each(translate)),
    Stage("prove", _each(prove)),
    Stage("check", _each(judge)),
    Stage(
        "questions",
        _each(write_questions),
        expect=lambda records, build: build.database.scribe.expect(records),
    ),
    Stage(
        STAGE,
        _mutation_test,
        batch=BATCH,
        depends=lambda build: build.config.queries.discrimination,
        expect=_gather,
    ),
)
"""The stages of a pair that a source brings."""

GROWN_PLAN: tuple[Stage, ...] = (Stage("translate", _each(render_grown)), *PLAN[1:])
"""The stages of a query of our own, which is IR to begin with."""


@contextmanager
def opened(config: Config, graph: Graph, store: Store) -> Iterator[BuildContext]:
    """The context of one database, with its engines; a model's answers go to the store's folder."""
    database = DatabaseContext(
        graph=graph,
        languages=config.corpus.languages,
        also=config.corpus.also,
        certify=config.certify,
        author=config.author,
        seed=config.corpus.seed,
        replies=store.folder / REPLIES,
    )
    with database:
        yield BuildContext(config, database, store)


def apply(
    stage: Stage, items: Sequence[Item], build: BuildContext, tick: Tick = lambda: None
) -> list[Outcome]:
    """The outcomes of all items in one stage, in their order."""
    stage.expect(items, build)
    outcomes: list[Outcome] = []
    for at in range(0, len(items), stage.batch):
        batch = items[at : at + stage.batch]
        key = build.store.key(
            stage.name, build.database.settings, stage.depends(build), [*map(_as_json, batch)]
        )
        raw = build.store.done(key, lambda batch=batch: _finished(stage, batch, build))  # type: ignore[misc]
        outcomes += map(_outcome, raw)
        for _ in batch:
            tick()
    return outcomes


def apply_plan(plan: Sequence[Stage], items: Sequence[Item], build: BuildContext) -> list[Outcome]:
    """The outcomes of all items after a whole plan, in their order; a reject goes no further."""
    outcomes: list[Any] = list(items)
    for stage in plan:
        left = [item for item in outcomes if not isinstance(item, Reject)]
        made = iter(apply(stage, left, build))
        outcomes = [item if isinstance(item, Reject) else next(made) for item in outcomes]
    return outcomes


def sorted_out(outcomes: Iterable[Outcome]) -> tuple[list[Record], list[Reject]]:
    """Records and rejects apart."""
    both = list(outcomes)
    records = [item for item in both if isinstance(item, Record)]
    return records, [item for item in both if isinstance(item, Reject)]


def _finished(stage: Stage, batch: Sequence[Item], build: BuildContext) -> list[dict[str, Any]]:
    return [{type(each).__name__: each.to_json()} for each in stage.run(batch, build)]


def _outcome(raw: dict[str, Any]) -> Outcome:
    return Record.from_json(raw["Record"]) if "Record" in raw else Reject.from_json(raw["Reject"])


def _as_json(item: Item) -> Any:
    return asdict(item) if isinstance(item, Candidate) else item.to_json()
