"""`graphmill build --estimate`: what a build would work on, and what its author would cost."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, repeat, zip_longest
from math import ceil, floor, inf
from typing import Any

from pydantic import BaseModel

from generators.prompts import prompt
from generators.queries.model.evolution import REPAIRS, Step
from generators.queries.model.evolution import ROOM as STEP_ROOM
from generators.queries.model.evolution import STAGE as EVOLUTION
from generators.queries.model.seeds import BATCH, Pairs
from generators.queries.model.seeds import ROOM as SEED_ROOM
from generators.queries.model.seeds import ROUNDS as SEED_ROUNDS
from generators.queries.model.seeds import STAGE as SEEDS
from generators.questions.levels.model import KNOWLEDGE, LEVELS, Known, Said
from generators.questions.levels.model import ROOM as QUESTION_ROOM
from generators.questions.levels.model import STAGE as QUESTIONS
from generators.questions.levels.recovery import ROOM as RECOVERY_ROOM
from generators.questions.levels.recovery import STAGE as RECOVERY
from generators.questions.levels.recovery import Translated
from generators.schemas.author import SchemaRequest
from generators.schemas.draft import Draft
from generators.schemas.model import ModelSchemaAuthor
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.model import ModelProgramAuthor
from generators.taxonomy.load import load_taxonomy, subdomain
from generators.taxonomy.model import SubDomain
from graphmill.errors import ConfigError
from graphmill.files import canonical
from graphmill.llm.base import Ask
from graphmill.llm.budget import prompt_tokens
from graphmill.llm.client import Absent, Client
from graphmill.record import DIFFICULTIES
from graphmill.seed import rng
from pipelines.author.authoring import ROUNDS
from pipelines.author.authors import ModelAuthor, RulesAuthor, author_of
from pipelines.build.augmentation import round_size
from pipelines.build.rule_generation import EVOLVED
from pipelines.configuration.config import Config, Source, SyntheticSource
from pipelines.configuration.proposals import Candidate, pairs_of
from pipelines.synth.domains import asked_domain, given_schema
from schemagraph.model import SchemaGraph
from schemagraph.specification.model import Specification

SCHEMA, QUERY = "x" * 3_000, "x" * 300  # characters that a prompt has of a schema and of a query


@dataclass(frozen=True, slots=True)
class Job:
    """Products that begin with a request like `ask`, each with at most so many rounds.

    `spare` are the products that may be needed on top of those that surely are.
    """

    ask: Ask
    products: int = 1
    rounds: int = ROUNDS
    spare: int = 0


@dataclass(frozen=True, slots=True)
class Growth:
    """Queries that are made of a database: `wanted` at least and at most, `drafts` of them at
    most, requests for `seeds`, and `steps` of evolution, each at least and at most."""

    wanted: tuple[int, int] = (0, 0)
    drafts: int = 0
    seeds: tuple[int, int] = (0, 0)
    steps: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, config: Config, given: int, limit: int | None) -> Growth:
        """As the configuration wants it, beside so many given pairs.

        At least, all of these and all drafts are released, at most every other one. The first
        round has no parents to evolve where there are no pairs.
        """
        if not config.queries.grow:
            return cls()
        share = sum(config.queries.mix.share(tier) * EVOLVED[tier] for tier in DIFFICULTIES)
        wanted = [max(0, config.queries.per_database - each) for each in (given, given // 2)]
        size = round_size(config.queries.per_database)
        fast, slow = (list(_rounds(n, every, size, limit)) for every, n in enumerate(wanted, 1))
        shares = chain([share if given else 0.0], repeat(share))
        both = list(zip(zip_longest(fast, slow, fillvalue=0), shares, strict=False))
        return cls(
            (min(wanted[0], sum(fast)), min(wanted[1], sum(slow))),
            sum(slow),
            (
                sum(ceil((few - ceil(part * few)) / BATCH) for (few, _), part in both),
                sum(ceil((many - floor(part * many)) / BATCH) for (_, many), part in both),
            ),
            (
                sum(floor(part * few) for (few, _), part in both),
                sum(ceil(part * many) for (_, many), part in both),
            ),
        )


def _rounds(wanted: int, every: int, size: int, limit: int | None) -> Iterator[int]:
    """Drafts a round, `size` at most, until there are so many queries, where each `every`-th is
    released."""
    left = inf if limit is None else limit
    while wanted > 0 and left > 0:
        drafts = int(min(size, wanted, left))
        yield drafts
        wanted -= max(1, drafts // every)
        left -= drafts


def estimate(config: Config, limit: int | None = None) -> dict[str, Any]:
    """Counts of the work and what it can cost. Nothing is asked or written.

    `limit` is that of the build. Of each source, `grown` are the [least, most] queries that are
    made beside its pairs. `calls`, `prompt_tokens`, `completion_tokens` and `usd` are
    [least, most] (see `bounds`).
    `usd` is null where the configuration has no prices, `within_budget` where it has no budget.

    Raises:
        GraphmillError: a file of pairs cannot be read.
    """
    sources = [_source(config, source, limit) for source in config.source]
    plain = {"author": config.author.kind, "sources": sources}
    if not isinstance(config.author, ModelAuthor):
        return {**plain, **costs(config.author, [])}
    stages = _jobs(config, config.author, sources, limit)
    jobs = [job for name in stages for job in stages[name]]
    by_stage = {name: bounds(stages[name])["calls"] for name in sorted(stages)}
    return {**plain, **costs(config.author, jobs), "calls_by_stage": by_stage}


def estimate_by_stage(config: Config, limit: int | None = None) -> dict[str, dict[str, list[int]]]:
    """[least, most] calls and tokens (see `bounds`) of each stage that asks the model.

    Raises:
        GraphmillError: a file of pairs cannot be read.
    """
    if not isinstance(config.author, ModelAuthor):
        return {}
    sources = [_source(config, source, limit) for source in config.source]
    stages = _jobs(config, config.author, sources, limit)
    return {name: bounds(stages[name]) for name in sorted(stages)}


def _jobs(
    config: Config, author: ModelAuthor, sources: Sequence[dict[str, Any]], limit: int | None
) -> dict[str, list[Job]]:
    """What the model is asked for, by stage; `sources` as `_source` makes them."""
    jobs = [job for source in config.source for job in _graph_jobs(config, source)]
    for source in sources:
        pairs = int(source["pairs"])
        growth = Growth.of(config, pairs, limit)
        least, _ = growth.wanted
        jobs += query_jobs(author, growth)
        jobs += question_jobs(author, pairs + least, growth.drafts - least)
    stages: dict[str, list[Job]] = {}
    for job in jobs:
        stages.setdefault(job.ask.stage, []).append(job)
    return stages


def costs(author: RulesAuthor | ModelAuthor, jobs: Sequence[Job]) -> dict[str, Any]:
    """What these jobs cost, by the author's prices and budget."""
    if not isinstance(author, ModelAuthor):
        return {**bounds([]), "usd": [0.0, 0.0]}
    work = bounds(jobs)
    usd, budget, rates = None, author.budget_usd, author.rates()
    if author.prices is not None:
        both = zip(work["prompt_tokens"], work["completion_tokens"], strict=True)
        usd = [round(rates.cost(*tokens), 4) for tokens in both]
    within = None if usd is None or budget is None else usd[1] <= budget
    return {
        "model": author.model,
        **work,
        "usd": usd,
        "budget_usd": budget,
        "within_budget": within,
    }


def graph_jobs(request: SchemaRequest, seed: int) -> list[Job]:
    """Schema and program of a graph.

    The program's request is that of the schema which the rules write, which is as large.
    """
    with Client(Absent("")) as client:
        random = rng(seed, "schema", request.domain.path, request.level)
        first = ModelSchemaAuthor(client).ask(request, seed)
        first = replace(first, schema=canonical(Draft.model_json_schema()))
        known = request if request.domain.entities else replace(request, domain=_stand_in())
        like = next(RuleSchemaAuthor().generate(known, random))
    return [Job(first), program_job(like.schema, like.specification, seed)]


def estimated(arguments: argparse.Namespace) -> dict[str, Any]:
    """What `graphmill synth` would cost, with the author of the command line.

    Raises:
        ConfigError: an option is wrong, or there is no domain.
        GraphmillError: there is no such sub-domain or level.
    """
    author = author_of(arguments)
    if not arguments.domain:
        raise ConfigError("--estimate needs a domain.")
    domain = asked_domain(
        arguments.domain, arguments.taxonomy, made_up=isinstance(author, ModelAuthor)
    )
    jobs = graph_jobs(SchemaRequest(domain, arguments.level), arguments.seed)
    return {"author": author.kind, "domain": domain.path, **costs(author, jobs)}


def _stand_in() -> SubDomain:
    """A sub-domain of ours whose schemas are of usual size, for a name that only a model knows."""
    return subdomain(load_taxonomy(()), "retail/e-commerce")


def program_job(schema: SchemaGraph, given: Specification, seed: int) -> Job:
    """The program of a graph."""
    with Client(Absent("")) as client:
        return Job(ModelProgramAuthor(client, seed).ask(schema, given))


def query_jobs(author: ModelAuthor, growth: Growth) -> list[Job]:
    """Seeds and evolution of a database's queries."""
    if not growth.drafts or author.queries == "rules":
        return []
    seeds, steps = growth.seeds, growth.steps
    shown = {"schema": SCHEMA, "wanted": QUERY}
    messages = prompt("seeds").render(**shown, count=BATCH, focus=QUERY, known=SCHEMA)
    seed = Ask(messages, max_tokens=500 + SEED_ROOM * BATCH, stage=SEEDS)
    more = {"question": QUERY, "query": QUERY, "answer": QUERY, "instances": SCHEMA}
    step = Ask(prompt("evolution").render(**shown, **more), max_tokens=STEP_ROOM, stage=EVOLUTION)
    return [
        Job(_typed(seed, Pairs), seeds[0], SEED_ROUNDS, seeds[1] - seeds[0]),
        Job(_typed(step, Step), steps[0], REPAIRS + 1, steps[1] - steps[0]),
    ]


def question_jobs(author: ModelAuthor, pairs: int, spare: int = 0) -> list[Job]:
    """Questions, knowledge and back-translations of so many pairs, and of so many more at most.

    The graphs may not be there yet, so that every prompt counts with a schema and a query as long
    as `SCHEMA` and `QUERY`.
    """
    if not pairs + spare:
        return []
    jobs = []
    shown = {"schema": SCHEMA, "query": QUERY}
    if author.questions == "llm":
        for level in LEVELS:
            messages = prompt(f"question-{level}").render(**shown, values="")
            ask = Ask(messages, max_tokens=QUESTION_ROOM, stage=QUESTIONS)
            jobs.append(Job(_typed(ask, Said), pairs, 2, spare))
        messages = prompt("knowledge").render(**shown, question=QUERY)
        ask = Ask(messages, max_tokens=QUESTION_ROOM, stage=KNOWLEDGE)
        jobs.append(Job(_typed(ask, Known), pairs, 2, spare))
    if author.back_translations:
        messages = prompt("recover").render(schema=SCHEMA, question=QUERY, knowledge=QUERY)
        ask = Ask(messages, max_tokens=RECOVERY_ROOM, stage=RECOVERY)
        each = 2 * author.back_translations
        jobs.append(Job(_typed(ask, Translated), each * pairs, 1, each * spare))
    return jobs


def _typed(ask: Ask, shape: type[BaseModel]) -> Ask:
    return replace(ask, schema=canonical(shape.model_json_schema()))


def bounds(jobs: Iterable[Job]) -> dict[str, list[int]]:
    """[least, most] calls and tokens of jobs.

    The least is one call a product, with an answer a quarter as long as it may be. The most is
    every round that it is given, each with a repair of its answer: the requests grow by the
    answers that they send back, and every answer is as long as it may be.
    """
    calls, sent, completion = [0, 0], [0, 0], [0, 0]
    for job in jobs:
        tokens, room = prompt_tokens(job.ask), job.ask.max_tokens
        calls[0] += job.products
        sent[0] += job.products * tokens
        completion[0] += job.products * (room // 4)
        most, every = 2 * job.rounds, job.products + job.spare
        calls[1] += every * most
        sent[1] += every * (most * tokens + (most - 1) * 2 * room)
        # an answer that was cut gets twice the room
        completion[1] += every * job.rounds * 3 * room
    return {"calls": calls, "prompt_tokens": sent, "completion_tokens": completion}


def _source(config: Config, source: Source, limit: int | None) -> dict[str, Any]:
    pairs = list(islice(pairs_of(config, source), limit))
    good = sum(isinstance(item, Candidate) for item in pairs)
    growth = Growth.of(config, good, limit)
    counts = {
        "pairs": good,
        "broken_lines": len(pairs) - good,
        "grown": list(growth.wanted),
    }
    return {"db": config.database(source), "kind": source.kind, **counts}


def _graph_jobs(config: Config, source: Source) -> list[Job]:
    """What a model writes of a source's graph."""
    if not isinstance(source, SyntheticSource):
        return []
    seed = config.corpus.seed if source.seed is None else source.seed
    if source.path:  # the schema is given
        schema, given, _ = given_schema(config.path(source.path))
        return [program_job(schema, given, seed)]
    taxonomy = [config.path(text) for text in source.taxonomy]
    path = f"{source.domain}/{source.subdomain}"
    domain = asked_domain(path, taxonomy, made_up=isinstance(config.author, ModelAuthor))
    return graph_jobs(SchemaRequest(domain, source.level), seed)
