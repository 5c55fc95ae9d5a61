"""`graphmill build --estimate`: what a build would work on, and what its author would cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from generators.schemas.author import SchemaRequest
from generators.schemas.draft import Draft
from generators.schemas.model import ModelSchemaAuthor
from generators.schemas.rules import RuleSchemaAuthor
from generators.synthesis.model import ModelProgramAuthor
from generators.taxonomy.load import load_taxonomy, subdomain
from graphmill.files import canonical
from graphmill.llm.base import Ask
from graphmill.llm.budget import prompt_tokens
from graphmill.llm.client import Absent, Client
from graphmill.seed import rng
from pipelines.authoring import ROUNDS
from pipelines.authors import ModelAuthor, RulesAuthor
from pipelines.config import Config, Source, SyntheticSource
from pipelines.proposals import Candidate
from pipelines.run import pairs_of
from schemagraph.model import SchemaGraph
from schemagraph.serde import load_schema
from schemagraph.specification import Specification, load_specification


def estimate(config: Config) -> dict[str, Any]:
    """Counts of the work and what it can cost. Nothing is asked or written.

    `calls`, `prompt_tokens`, `completion_tokens` and `usd` are [least, most] (see `bounds`).
    `usd` is null where the configuration has no prices, `within_budget` where it has no budget.

    Raises:
        GraphmillError: a file of pairs cannot be read.
    """
    sources = [_source(config, source) for source in config.source]
    found: dict[str, Any] = {"author": config.author.kind, "sources": sources}
    asks = [ask for source in config.source for ask in _asks(config, source)]
    return {**found, **costs(config.author, asks)}


def costs(author: RulesAuthor | ModelAuthor, asks: Sequence[Ask]) -> dict[str, Any]:
    """What products that begin with these requests cost, by the author's prices and budget."""
    if not isinstance(author, ModelAuthor):
        return {**bounds([]), "usd": [0.0, 0.0]}
    work = bounds(asks)
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


def graph_asks(request: SchemaRequest, seed: int) -> list[Ask]:
    """The first requests for schema and program of a graph.

    The program's is that of the schema which the rules write for the request, which is as large.
    """
    with Client(Absent("")) as client:
        random = rng(seed, "schema", request.domain.path, request.level)
        first = ModelSchemaAuthor(client).ask(request, seed)
        first = replace(first, schema=canonical(Draft.model_json_schema()))
        like = next(RuleSchemaAuthor().generate(request, random))
    return [first, program_ask(like.schema, like.specification, seed)]


def program_ask(schema: SchemaGraph, given: Specification, seed: int) -> Ask:
    """The first request for a program."""
    with Client(Absent("")) as client:
        return ModelProgramAuthor(client, seed).ask(schema, given)


def bounds(asks: Iterable[Ask]) -> dict[str, list[int]]:
    """[least, most] calls and tokens of products that begin with these requests.

    The least is one call a product, with an answer a quarter as long as it may be. The most is
    every round that it is given, each with a repair of its answer: the requests grow by the
    answers that they send back, and every answer is as long as it may be.
    """
    calls, prompt, completion = [0, 0], [0, 0], [0, 0]
    for ask in asks:
        tokens = prompt_tokens(ask)
        calls[0] += 1
        prompt[0] += tokens
        completion[0] += ask.max_tokens // 4
        calls[1] += 2 * ROUNDS
        prompt[1] += 2 * ROUNDS * tokens + (2 * ROUNDS - 1) * 2 * ask.max_tokens
        completion[1] += ROUNDS * 3 * ask.max_tokens  # an answer that was cut gets twice the room
    return {"calls": calls, "prompt_tokens": prompt, "completion_tokens": completion}


def _source(config: Config, source: Source) -> dict[str, Any]:
    pairs = list(pairs_of(config, source))
    good = sum(isinstance(item, Candidate) for item in pairs)
    counts = {"pairs": good, "broken_lines": len(pairs) - good}
    return {"db": config.database(source), "kind": source.kind, **counts}


def _asks(config: Config, source: Source) -> list[Ask]:
    """The first requests for what a model writes of a source."""
    if not isinstance(source, SyntheticSource):
        return []
    seed = config.corpus.seed if source.seed is None else source.seed
    if source.path:  # the schema is given
        place = config.path(source.path)
        return [program_ask(load_schema(place), load_specification(place), seed)]
    taxonomy = load_taxonomy(tuple(config.path(text) for text in source.taxonomy))
    domain = subdomain(taxonomy, f"{source.domain}/{source.subdomain}")
    return graph_asks(SchemaRequest(domain, source.level), seed)
