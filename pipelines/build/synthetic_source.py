"""Synthetic sources of a build: the graph is drawn once, and found by what it was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from generators.prompts import prompt
from graphmill.errors import UnknownNameError
from graphmill.files import canonical, write_text
from graphmill.llm.client import Client
from graphmill.record import Reject
from pipelines.author.authors import REPLIES, ModelAuthor
from pipelines.build.context import Graph
from pipelines.build.damage import unharmed
from pipelines.configuration.config import Config, SyntheticSource
from pipelines.configuration.progress import Watch
from pipelines.configuration.store import Store, a_text
from pipelines.synth.domains import NODES, Order, order_for_domain, order_for_folder
from pipelines.synth.ledger import read_ledger
from schemagraph.folder.graphdata import graph_fingerprint


def drawn(
    config: Config,
    source: SyntheticSource,
    folder: Path,
    store: Store,
    watch: Watch,
    call: Callable[[Order], str],
    clear: Callable[[], None],
) -> Graph:
    """The graph of a synthetic source, by rule or by the model of the configuration.

    `call` has a worker `draw` what is drawn by rule: a large graph takes a gigabyte meanwhile.
    `clear` takes what is left of an earlier graph out of the way. The graph's `rejects` are the
    ledger of what the model wrote in vain.

    Raises:
        GraphmillError: it cannot be drawn as specified, or the model wrote nothing usable.
        WorkerLost: the workers that were to draw it were lost.
    """
    db = config.database(source)
    ledger = store.folder / f"{db}.rejects.jsonl"
    if not source.pairs and not config.queries.grow:
        watch.note(
            f"warning: {db} has no pairs, so it releases none: without queries.grow a synthetic "
            "source has only those that its setting `pairs` names."
        )
    by_rule: Order | None = None
    try:
        by_rule = _order(config, source, folder)
        wanted = by_rule.content()
    except UnknownNameError:  # only a model knows this domain
        if not isinstance(config.author, ModelAuthor):
            raise
        wanted = [source.model_dump(mode="json")]
    if isinstance(config.author, ModelAuthor):  # the same request has the same, recorded answers
        prompts = [prompt(name).hash for name in ("schema", "program")]
        wanted += [config.author.identity(), *prompts]

    def work() -> dict[str, Any]:
        with _model(config, db, store, watch) as client:
            order = by_rule
            if order is None or client is not None:
                order = _order(config, source, folder, client=client, ledger=ledger)
            watch.note(order.title)
            clear()
            # The process that was started is the one that asks a model.
            fingerprint = call(order) if client is None else draw(order)
        rejects = read_ledger(ledger) if isinstance(config.author, ModelAuthor) else ()
        return {"fingerprint": fingerprint, "rejects": [each.to_json() for each in rejects]}

    key = store.key("synthesise", wanted, db)
    fingerprint, rejects = store.done(key, work, _as_stored)
    if not unharmed(folder, fingerprint, watch):
        fingerprint, rejects = store.renew(key, work, _as_stored)
    return Graph(db, folder, fingerprint, source.domain, source.subdomain, rejects=rejects)


def _as_stored(raw: dict[str, Any]) -> tuple[str, tuple[Reject, ...]]:
    """Fingerprint and rejects of a graph that was drawn; one of `HARMED` where it is none."""
    return a_text(raw["fingerprint"]), tuple(map(Reject.from_json, raw["rejects"]))


def draw(order: Order) -> str:
    """Draw a graph: its fingerprint.

    Raises:
        SynthesisError: it cannot be drawn as specified.
    """
    return graph_fingerprint(order.make().folder)


def _order(config: Config, source: SyntheticSource, folder: Path, **by: Any) -> Order:
    """What a synthetic source asks for; with `client`, a model writes it."""
    options: dict[str, Any] = {
        "edges": source.edges,
        "seed": config.corpus.seed if source.seed is None else source.seed,
        "licence": source.licence,
        **by,
    }
    if source.path:
        place = config.path(source.path)
        order = order_for_folder(place, folder, nodes=source.nodes, **options)
        return replace(order, allow_degraded=source.allow_degraded)
    order = order_for_domain(
        f"{source.domain}/{source.subdomain}",
        folder,
        nodes=source.nodes or NODES,
        level=source.level,
        taxonomy=[config.path(text) for text in source.taxonomy],
        **options,
    )
    return replace(order, allow_degraded=source.allow_degraded)


@contextmanager
def _model(config: Config, db: str, store: Store, watch: Watch) -> Iterator[Client | None]:
    """The configuration's model, whose replies are recorded with the finished work, so that one
    budget holds for all sources; the costs of this one are noted. None where the rules write.
    """
    author = config.author
    if not isinstance(author, ModelAuthor):
        yield None
        return
    with author.connect(store.folder / REPLIES, seed=config.corpus.seed) as client:
        budget = client.budget
        try:
            with watch.tally.metered(lambda: budget.now):
                yield client
        finally:
            write_text(store.folder / f"{db}.costs.json", canonical(budget.to_json()) + "\n")
            watch.note(f"{client.name}: {budget.spent:.4f} USD in all, {budget.now:.4f} USD now")
