"""What a build does with pairs, as data: its stages in their order, and what they work with.

The runner, the preview and the flow read `PLAN`; a stage is one function from a batch of items
and a `BuildContext` to their outcomes. Stages that follow one another without a break are a
segment: what a batch of items is after a segment is one piece of finished work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Any

from graph_ir.cypher.pair import Pair
from graphmill.files import digest
from graphmill.record import Reject
from pipelines.author.authors import REPLIES, Author, ModelAuthor
from pipelines.build import readings
from pipelines.build.candidates import Grown
from pipelines.build.context import DatabaseContext, Graph
from pipelines.build.mutation import STAGE, mutation_test
from pipelines.build.recall import Memory
from pipelines.build.stages import (
    SPLIT,
    judge,
    prove,
    prove_in_split,
    translate,
    write_questions,
)
from pipelines.configuration.config import Config
from pipelines.configuration.proposals import Candidate
from pipelines.configuration.store import Finished, Store
from schemagraph.folder.statistics import GraphStatistics

type Item = Candidate | Grown | Pair
type Outcome = Pair | Reject

UNIT = 8  # items that are one unit of work: a second or a few


@dataclass(frozen=True, slots=True)
class BuildContext:
    """One database of a build: the configuration, the open database, finished work.

    `statistics` gives the figures of the graph's data. `spent` are the seconds of each stage, of
    the work that was done with this context.
    """

    config: Config
    database: DatabaseContext
    store: Finished
    statistics: Callable[[], GraphStatistics]
    spent: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stage:
    """One step that every pair takes.

    `run` gives the outcomes of a batch of items, in their order. Finished work is stored by the
    items, the database, and what `depends` names besides; a stage that is `apart` can be done
    again without those before it. `expect` hears of all items before the first is taken, where
    a model writes in this stage. `recalls`, where the rules write, says on what an outcome depends
    beside its item, the schema, settings, and what is asked of the data (`pipelines.build.recall`).
    """

    name: str
    run: Callable[[Sequence[Any], BuildContext], list[Outcome]]
    depends: Callable[[Config], Any] = lambda _: None
    apart: bool = False
    expect: Callable[[Sequence[Any], BuildContext], None] | None = None
    recalls: Callable[[BuildContext], Any] | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """Stages that are done in one go; where a model is asked, by the coordinator of the build,
    which alone has its key and its budget."""

    stages: tuple[Stage, ...]
    asks_model: bool = False

    @property
    def name(self) -> str:
        """The names of its stages."""
        return "+".join(stage.name for stage in self.stages)


def _each[T](
    work: Callable[[T, DatabaseContext], Outcome],
) -> Callable[[Sequence[T], BuildContext], list[Outcome]]:
    return lambda items, build: [work(item, build.database) for item in items]


def _mutation_test(pairs: Sequence[Pair], build: BuildContext) -> list[Outcome]:
    if not pairs:
        return []
    threshold = build.config.queries.discrimination
    return mutation_test(pairs, build.database, build.statistics(), threshold)


PLAN: tuple[Stage, ...] = (
    Stage("translate", _each(translate)),
    Stage("prove", _each(prove)),
    Stage("check", _each(judge)),
    Stage(
        "questions",
        _each(write_questions),
        expect=lambda pairs, build: build.database.scribe.expect(pairs),
        recalls=lambda build: build.database.words_digest,
    ),
    Stage(
        STAGE,
        _mutation_test,
        depends=lambda config: config.queries.discrimination,
        apart=True,
        recalls=lambda build: build.config.queries.discrimination,
    ),
    Stage(
        readings.STAGE,
        lambda items, build: readings.read_otherwise(items, build.database),
        recalls=lambda build: None,
    ),
)
"""The stages of a pair that a source brings."""

GROWN_PLAN: tuple[Stage, ...] = (
    Stage("translate", _each(readings.plain), recalls=lambda build: None),
    *PLAN[1:],
)
"""The stages of a query of our own, which is IR to begin with."""

SPLIT_PLAN = (Stage(SPLIT, _each(prove_in_split)),)
"""The one stage of a released pair whose split has languages or engines of its own."""

PLANS: dict[str, tuple[Stage, ...]] = {"given": PLAN, "grown": GROWN_PLAN, SPLIT: SPLIT_PLAN}


def segments(plan: Sequence[Stage], author: Author) -> tuple[Segment, ...]:
    """The stages of a plan in pieces of work."""
    model = isinstance(author, ModelAuthor) and (
        author.questions != "rules" or bool(author.back_translations)
    )
    pieces: list[Segment] = []
    open_ = False
    for stage in plan:
        asks = model and stage.expect is not None
        if asks or stage.apart or not open_:
            pieces.append(Segment((stage,), asks))
        else:
            pieces[-1] = Segment((*pieces[-1].stages, stage))
        open_ = not asks
    return tuple(pieces)


@contextmanager
def opened(
    config: Config, graph: Graph, store: Store, statistics: Callable[[], GraphStatistics]
) -> Iterator[BuildContext]:
    """The context of one database, with its engines; a model's answers go to the store's folder."""
    database = DatabaseContext(
        graph=graph,
        languages=config.corpus.languages,
        also=config.corpus.also,
        certify=config.certify,
        author=config.author,
        seed=config.corpus.seed,
        confidence=config.questions.confidence,
        replies=store.folder / REPLIES,
    )
    with database:
        yield BuildContext(config, database, store, statistics)


def segment_key(
    segment: Segment, items: Sequence[Item], build: BuildContext, store: Finished | None = None
) -> str:
    """The key of what these items are after a segment: all that it depends on."""
    depends = [stage.depends(build.config) for stage in segment.stages]
    return (store or build.store).key(
        segment.name, build.database.settings, depends, [*map(_as_json, items)]
    )


def run_segment(
    segment: Segment,
    items: Sequence[Item],
    build: BuildContext,
    memories: Sequence[Memory] = (),
) -> list[Any]:
    """The outcomes of items after a segment, as JSON values; a reject goes no further.

    `memories` are those of the items, if any, from which what still holds is taken.
    """
    outcomes: list[Any] = list(items)
    for stage in segment.stages:
        places = [n for n, item in enumerate(outcomes) if not isinstance(item, Reject)]
        left = [outcomes[n] for n in places]
        began = monotonic()
        if stage.recalls is None or not memories:
            made = stage.run(left, build)
        else:
            made = [_recalled(stage, outcomes[n], build, memories[n]) for n in places]
        build.spent[stage.name] = build.spent.get(stage.name, 0.0) + monotonic() - began
        for place, outcome in zip(places, made, strict=True):
            outcomes[place] = outcome
    return [{type(each).__name__: each.to_json()} for each in outcomes]


def _recalled(stage: Stage, item: Item, build: BuildContext, memory: Memory) -> Outcome:
    """The outcome of one item after a stage, remembered where it still holds."""
    assert stage.recalls is not None  # noqa: S101 - the caller saw to it
    of = digest(_as_written(item, build), stage.recalls(build))
    known = memory.recall(stage.name, of, build.database, build.statistics)
    if known is not None:
        return outcomes_of([known])[0]
    with memory.learning(stage.name, of, build.database) as keep:
        (outcome,) = stage.run([item], build)
        keep({type(outcome).__name__: outcome.to_json()})
    return outcome


def memory_key(plan: str, item: Item, build: BuildContext) -> str:
    """The key of what is remembered of an item on its way through a plan, whatever the data."""
    return build.store.key("memory", plan, build.database.standing, _as_written(item, build))


def outcomes_of(raw: Iterable[dict[str, Any]], number: int | None = None) -> list[Outcome]:
    """The inverse of `run_segment`'s JSON values, of so many items.

    Raises:
        ValueError: they are of another number of items. Others: they are none (`HARMED`).
    """
    outcomes: list[Outcome] = [
        Pair.from_json(each["Pair"]) if "Pair" in each else Reject.from_json(each["Reject"])
        for each in raw
    ]
    if number is not None and len(outcomes) != number:
        raise ValueError(f"{len(outcomes)} outcomes of {number} items")
    return outcomes


def sorted_out(outcomes: Iterable[Outcome]) -> tuple[list[Pair], list[Reject]]:
    """Pairs and rejects apart."""
    both = list(outcomes)
    pairs = [item for item in both if isinstance(item, Pair)]
    return pairs, [item for item in both if isinstance(item, Reject)]


def _as_written(item: Item, build: BuildContext) -> Any:
    """An item as JSON values, a query as the tree of its text, as the stages take it."""
    if isinstance(item, Grown):
        return readings.as_written(item, build.database).to_json()
    return _as_json(item)


def _as_json(item: Item) -> Any:
    return asdict(item) if isinstance(item, Candidate) else item.to_json()
